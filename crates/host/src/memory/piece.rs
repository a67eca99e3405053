//! Spaces that ranges are carved of, and what a carved range holds of them.

use std::sync::Arc;

use super::block::Block;
use crate::raw::Arena;

/// Space that ranges are carved of.
pub(crate) struct Space {
    /// `None` where each of them is a block of its own.
    pub(super) arena: Option<Arena>,
    /// The number of the device.
    pub(super) device: u32,
    /// Name of a block of it in messages.
    pub(super) block_name: String,
}

/// A part of a space.
pub(crate) struct Piece {
    pub(super) space: Arc<Space>,
    /// The block, where it is one of its own.
    #[allow(dead_code, reason = "held to be dropped")]
    pub(super) block: Option<Block>,
}
