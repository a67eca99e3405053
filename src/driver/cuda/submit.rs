//! Work on its way to a stream: which function of the driver's takes which kind.

use super::context::CudaContext;
use super::current::tell_mode;
use crate::driver::{callbacks, Address, StreamId, Submit, Work};
use crate::error::{Error, Result};

impl Submit for CudaContext {
    #[inline]
    fn submit(&self, stream: StreamId, work: &Work<'_>) -> Result<()> {
        callbacks::check_caller()?;
        match work {
            Work::Kernel(launch) => self.launch_kernel(stream, launch),
            other => self.submit_other(stream, other),
        }
    }
}

impl CudaContext {
    /// Submits work that is no launch. Apart, since launches have to be quick.
    #[inline(never)]
    fn submit_other(&self, stream: StreamId, work: &Work<'_>) -> Result<()> {
        match work {
            // The driver has read pageable memory when it returns, unless it records; then the graph keeps the snapshot.
            Work::Memcpy { rows, snapshot: None } if rows.is_one() => self.memcpy(stream, rows.row),
            Work::Memcpy { rows, .. } => self.memcpy_rows(stream, rows),
            Work::Memset(set) => self.memset(stream, set),
            Work::Values(operations) => self.value_operations(stream, operations),
            Work::Host(function) => self.launch_host_function(stream, function),
            Work::EventRecord(event) => self.record_event_node(stream, *event),
            Work::EventWait(event) => self.wait_event_node(stream, *event),
            Work::MemFree(address) => self.free_memory_of_node(stream, *address),
            Work::Kernel(_)
            | Work::Empty
            | Work::Child(_)
            | Work::Conditional(_)
            | Work::MemAlloc(_)
            | Work::Opaque(_) => Err(not_submitted()),
        }
    }
}

impl CudaContext {
    fn free_memory_of_node(&self, stream: StreamId, address: Address) -> Result<()> {
        self.told(tell_mode(self.api()))?;
        self.on_stream(stream, |stream| {
            // SAFETY: the stream lives. The driver refuses an address where nothing is allocated; core passes those of graphs'
            // allocations alone.
            unsafe { self.api().cuMemFreeAsync(address, stream.native) }?;
            if let Some(memory) = self.node_memories.find(address) {
                match self.device.capture(stream.native) {
                    Some(None) => memory.freed(),
                    // The graph that is recorded frees it, when it is launched.
                    _ => memory.lose_sight(),
                }
            }
            Ok(())
        })
    }
}

/// What work answers that is none for a stream.
#[cold]
pub(super) fn not_submitted() -> Error {
    Error::invalid_value("a stream cannot be given this kind of work; add it to a graph as a node")
}
