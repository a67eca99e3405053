//! What captures with a pool keep whose graphs share memory: blocks in the place of buffers.

use super::pool::PoolUse;
use crate::core::keep::Kept;
use crate::core::objects::buffer::BufferInner;

/// The number of the pool that graphs share which keep `whole` for no node; 0 for none.
pub(in crate::core) fn pool_of(whole: &[Kept]) -> u64 {
    let shared = |kept: &Kept| kept.object::<PoolUse>().filter(|used| used.shares()).map(|used| used.number());
    whole.iter().find_map(shared).unwrap_or(0)
}

/// Has a graph of the pool of that number keep the blocks of buffers that are of it, and not the buffers.
pub(in crate::core) fn keep_blocks(kept: &mut [Kept], pool: u64) {
    for kept in kept {
        let block = kept
            .object::<BufferInner>()
            .and_then(|buffer| buffer.shared_block().filter(|block| block.pool() == pool).cloned());
        if let Some(block) = block {
            *kept = Kept::Object(block);
        }
    }
}
