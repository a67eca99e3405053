//! Work on its way to a stream: which function of the driver's takes which kind.

use std::sync::Arc;

use crate::api::current::tell_mode;
use crate::context::CudaContext;
use crate::memory::node_memory::NodeMemory;
use crate::shared::Shared;
use graphcap_base::error::{Error, Result};
use graphcap_driver::refusals::not_allocated;
use graphcap_driver::{callbacks, Address, BatchCopy, BatchError, GraphId, MemFree, NodeId, StreamId, Submit, Work};

impl Submit for CudaContext {
    #[inline]
    fn submit(&self, stream: StreamId, work: &Work<'_>) -> Result<()> {
        callbacks::check_caller()?;
        match work {
            Work::Kernel(launch) => self.launch_kernel(stream, launch),
            other => self.submit_other(stream, other),
        }
    }

    fn can_launch_node(&self, graph: GraphId, node: NodeId) -> Result<bool> {
        Shared::can_launch_node(self, graph, node)
    }

    fn launch_node(&self, stream: StreamId, graph: GraphId, node: NodeId) -> Result<()> {
        callbacks::check_caller()?;
        Shared::launch_node(self, stream, graph, node)
    }

    fn submit_copies(&self, stream: StreamId, copies: &[BatchCopy<'_>]) -> std::result::Result<(), BatchError> {
        callbacks::check_caller()?;
        self.memcpy_batch(stream, copies)
    }
}

impl CudaContext {
    /// Submits work that is no launch. Apart, since launches have to be quick.
    #[inline(never)]
    pub(super) fn submit_other(&self, stream: StreamId, work: &Work<'_>) -> Result<()> {
        match work {
            // The driver has read pageable memory when it returns, unless it records; then the graph keeps the snapshot.
            Work::Memcpy { rows, snapshot: None } if rows.is_plain() => self.memcpy(stream, rows.row),
            Work::Memcpy { rows, .. } => self.memcpy_rows(stream, rows),
            Work::Memset(set) => self.memset(stream, set),
            Work::Values(operations) => self.value_operations(stream, operations),
            Work::Host(function) => self.launch_host_function(stream, function),
            Work::EventRecord(event) => self.record_event_node(stream, *event),
            Work::EventWait(event) => self.wait_event_node(stream, *event),
            Work::MemFree(freed) => self.free_memory_of_node(stream, freed),
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
    fn free_memory_of_node(&self, stream: StreamId, freed: &MemFree) -> Result<()> {
        self.map_error(tell_mode(self.api()))?;
        let memory = self.memory_to_free(freed)?;
        let mut is_free = false;
        self.on_stream(stream, |stream| {
            let is_captured = !matches!(self.device.capture(stream.native), Some(None));
            // Noted before the call, so that a launch that allocates it again is noted after it.
            let freeing = memory.as_ref().filter(|_| !is_captured).map(|memory| memory.begin_free());
            // Then the driver may have given the address to others since.
            is_free = matches!(freeing, Some(None));
            if is_free {
                return Ok(());
            }
            // SAFETY: the stream lives. The driver refuses an address where nothing is allocated; core passes those of graphs'
            // allocations alone.
            let answer =
                stream.recorded(self.device, || unsafe { self.api().cuMemFreeAsync(freed.address, stream.native) });
            if let Some(freeing) = freeing.flatten() {
                freeing.end(answer.is_ok());
            }
            if is_captured && answer.is_ok() {
                // The graph that is recorded frees it, when it is launched.
                memory.iter().for_each(|memory| memory.lose_sight());
            }
            answer
        })?;
        match is_free {
            true => Err(not_allocated(freed.address)),
            false => Ok(()),
        }
    }
}

impl Shared {
    /// The memory that is to be freed; `None` where graphcap added no node that allocates at the address.
    ///
    /// # Errors
    /// `INVALID_VALUE` where the address is another memory's by now.
    pub(crate) fn memory_to_free(&self, freed: &MemFree) -> Result<Option<Arc<NodeMemory>>> {
        let known = self.node_memories.find(freed.address);
        let Some(memory) = freed.memory else { return Ok(known) };
        match (self.named_memory_of_node(memory), known) {
            (Some(named), Some(known)) if !Arc::ptr_eq(&named, &known) => Err(of_another(freed.address)),
            (named, _) => Ok(named),
        }
    }
}

#[cold]
fn of_another(address: Address) -> Error {
    Error::invalid_value(format!(
        "the graph that allocated the buffer is destroyed, and another graph's memory is at {address:#x} now; free the buffer of that one"
    ))
}

/// Returns what work answers that is none for a stream.
#[cold]
pub(crate) fn not_submitted() -> Error {
    Error::invalid_value("a stream cannot be given this kind of work; add it to a graph as a node")
}
