//! The op that fills memory with random numbers.

use std::borrow::Cow;

use crate::op::{GraphOp, RecordContext};
use graphcap_base::error::Result;
use graphcap_core::{Buffer, Draw, RandomFill, Rng};

/// Fills floats of a buffer with random numbers that are at least 0 and below 1. See [`Rng::fill_uniform`].
#[derive(Clone, Debug)]
pub struct RngUniformOp {
    /// The generator.
    pub rng: Rng,
    /// The buffer that is filled.
    pub buffer: Buffer,
    /// Its first byte filled; the address there is a multiple of 4.
    pub offset: usize,
    /// Number of floats; with 0 nothing is filled.
    pub count: usize,
    /// Tells whether each replay draws the next numbers, or all the same ones.
    pub draw: Draw,
}

impl GraphOp for RngUniformOp {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed("uniform")
    }

    fn is_nothing(&self) -> bool {
        self.count == 0
    }

    fn record(&self, at: &RecordContext) -> Result<()> {
        let RngUniformOp { rng, buffer, offset, count, draw } = self;
        rng.fill_uniform(at.stream(), &RandomFill { buffer, offset: *offset, count: *count, draw: *draw })
    }
}
