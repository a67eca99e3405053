//! The host kernels of random numbers. `rng_reserve.cu` and `rng_uniform.cu` of the CUDA device do the same on GPUs, to the bit.

use std::ffi::c_void;

use crate::raw;
use graphcap_driver::rules::philox::Sequence;
use graphcap_driver::HostBlock;

/// Takes numbers of a generator: puts the number of the first one into the place that the second argument names.
pub(crate) extern "C-unwind" fn reserve(_: *const HostBlock, arguments: *const *const c_void) -> i32 {
    raw::reserve_random(arguments);
    0
}

/// Fills memory with the floats of a generator's elements. Each block takes as many as it has threads, four for each, and goes on
/// behind those of all blocks.
pub(crate) extern "C-unwind" fn uniform(block: *const HostBlock, arguments: *const *const c_void) -> i32 {
    let (fill, part) = raw::random_fill(block, arguments);
    let sequence = Sequence { seed: fill.seed, subsequence: fill.subsequence };
    // Elements before the first whole group are those of an earlier counter.
    let ahead = fill.first % 4;
    let end = fill.count.saturating_add(ahead);
    let mut at = part.index * part.elements;
    while at < end {
        let start = at.max(ahead) - ahead;
        let length = end.min(at + part.elements) - ahead - start;
        let first = fill.first.wrapping_add(start);
        raw::with_floats(&fill, start, length, |floats| sequence.fill_uniform(first, floats));
        at = at.saturating_add(part.elements * part.count);
    }
    0
}
