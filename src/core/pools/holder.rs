//! Who holds memory of a pool: buffers, and blocks that graphs keep. What none of them holds any more waits for work alone.

use std::sync::Arc;

use super::blocks::Blocks;
use crate::lock::{lock, rank, Mutex};

/// Holds a part of a pool's memory beside the name that the device has for it. It goes when that name is released, and the device tells
/// [`Blocks::has_gone`] when the work is over that uses the part.
pub(in crate::core) struct Holder(Arc<Mutex<Blocks, rank::PoolBlocks>>);

impl Holder {
    /// Of a part of these.
    pub(super) fn new(blocks: &Arc<Mutex<Blocks, rank::PoolBlocks>>) -> Holder {
        Holder(Arc::clone(blocks))
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        lock(&self.0).leaves();
    }
}
