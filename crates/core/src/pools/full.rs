//! The refusal of memory of a pool that has no addresses left, and what helps there.

use super::blocks::block_size;
use super::pool::Pool;
use crate::objects::buffer::Buffer;
use graphcap_base::error::{Error, Status};
use graphcap_base::lock::lock;

/// The refusal of more bytes than can be counted.
#[cold]
pub(super) fn no_pool_has(bytes: usize) -> Error {
    Error::new(Status::OUT_OF_MEMORY, format!("{bytes} bytes do not fit into any pool; ask for less"))
}

impl Pool {
    /// The refusal of `bytes` bytes for which the pool has no addresses. What helps is found out now, where no lock is held.
    #[cold]
    pub(super) fn exhausted(&self, bytes: usize) -> Error {
        let inner = &*self.0;
        let space = lock(&inner.state).space.clone();
        let (capacity, used) = space.map_or((0, 0), |space| {
            let blocks = lock(&space.blocks);
            (blocks.capacity(), blocks.used().0)
        });
        if used == 0 || bytes > capacity {
            return Error::new(
                Status::OUT_OF_MEMORY,
                format!("{bytes} bytes do not fit into the pool, which has a capacity of {capacity} bytes; make a pool of a larger capacity"),
            );
        }
        let pieces = if capacity - used < bytes { "" } else { ", and the others are not in one piece" };
        let (graphs, wait) = match inner.is_kept() {
            true => (" and the graphs and graph execs that keep them", ""),
            // What neither buffers, nor graphs, nor allocators of others have, work does.
            false if used > self.bytes_in_buffers() && !lock(&inner.raw).has_any() => (
                "",
                "wait for the work that uses buffers which are destroyed, as by gc_context_synchronize(), and try again; or ",
            ),
            false => ("", ""),
        };
        Error::new(
            Status::OUT_OF_MEMORY,
            format!(
                "{bytes} bytes do not fit into the pool, of whose {capacity} bytes {used} are in use{pieces}; {wait}destroy buffers of \
                 it{graphs}, or make a pool of a larger capacity"
            ),
        )
    }

    /// The number of bytes of the pool that its live buffers have.
    fn bytes_in_buffers(&self) -> usize {
        let buffers = self.context().memory().all().into_iter().filter_map(Buffer::from_listed);
        let own = buffers.filter(|buffer| buffer.origin().pool() == Some(self.id()));
        own.filter_map(|buffer| block_size(buffer.size())).sum()
    }
}
