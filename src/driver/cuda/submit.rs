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
        let memory = self.node_memories.find(address);
        let (mut is_captured, mut is_free) = (false, false);
        self.on_stream(stream, |stream| {
            is_captured = !matches!(self.device.capture(stream.native), Some(None));
            // Then the driver may have given the address to others since.
            is_free = !is_captured && memory.as_ref().is_some_and(|memory| memory.is_free());
            match is_free {
                true => Ok(()),
                // SAFETY: the stream lives. The driver refuses an address where nothing is allocated; core passes those of
                // graphs' allocations alone.
                false => unsafe { self.api().cuMemFreeAsync(address, stream.native) },
            }
        })?;
        if is_free {
            return Err(Error::invalid_value(format!(
                "the graph's allocation at {address:#x} is not allocated: no launch has made it, or it was freed; launch the graph first"
            )));
        }
        if let Some(memory) = memory {
            match is_captured {
                false => memory.freed(),
                // The graph that is recorded frees it, when it is launched.
                true => memory.lose_sight(),
            }
        }
        Ok(())
    }
}

/// What work answers that is none for a stream.
#[cold]
pub(super) fn not_submitted() -> Error {
    Error::invalid_value("a stream cannot be given this kind of work; add it to a graph as a node")
}
