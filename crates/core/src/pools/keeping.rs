//! Blocks that captures with a pool keep in the place of buffers, where their graphs share memory.

use super::pool::PoolUse;
use crate::keep::Kept;
use crate::objects::buffer::BufferInner;

/// The number of the pool that graphs share which keep `whole` for no node; 0 for none.
pub(crate) fn pool_of(whole: &[Kept]) -> u64 {
    let shared = |kept: &Kept| kept.object::<PoolUse>().filter(|used| used.shares()).map(|used| used.number());
    whole.iter().find_map(shared).unwrap_or(0)
}

/// Makes the graph of the capture of that number, which is of the pool of that number, keep the blocks of buffers that are of the pool,
/// and not the buffers. It keeps a buffer that another capture allocated on a stream, whose bytes are free when that one is over.
pub(crate) fn keep_blocks(kept: &mut [Kept], capture: u64, pool: u64) {
    for kept in kept {
        let Some(buffer) = kept.object::<BufferInner>().filter(|buffer| !buffer.is_of_other_capture(capture)) else {
            continue;
        };
        if let Some(block) = buffer.kept_block().filter(|block| block.pool() == pool).cloned() {
            *kept = Kept::Object(block);
        }
    }
}
