//! Nodes that allocate memory, with names for it.

use std::sync::Arc;

use super::edit::not_added;
use crate::driver::cuda::context::CudaContext;
use crate::driver::cuda::node_memory::NodeMemory;
use crate::driver::ids::not_an_allocation;
use crate::driver::{Allocated, GraphId, GraphRef, Graphs, MemAlloc, NodeId, Work};
use crate::error::Result;

impl CudaContext {
    pub(super) fn add_allocation(&self, graph: GraphId, dependencies: &[NodeId], bytes: usize) -> Result<Allocated> {
        let work = Work::MemAlloc(MemAlloc { bytes, address: 0 });
        let (node, memory) = self.with_parameters(&work, |parameters| {
            self.change_graph(graph, |graph| {
                let handles = graph.find(dependencies)?;
                graph.check_room()?;
                // SAFETY: the graph's lock is held, and the nodes are of the graph.
                let added = unsafe { parameters.add_allocation(self.device, graph.native, &handles) };
                let (node, address) = added.map_err(|refusal| not_added(dependencies, self.not_set(refusal, &work)))?;
                // One that comes behind a free of the graph's can have the address of what was freed.
                let known = graph.state.memory.get(&address).map(|(memory, _)| Arc::clone(memory));
                let memory = known.unwrap_or_else(|| self.node_memories.allocated_by_node(address));
                graph.state.note_memory(&memory, 1);
                Ok((graph.nodes().add(node), memory))
            })
        })?;
        let address = memory.address;
        Ok(Allocated { node, memory: self.name_memory_of_node(memory), address, bytes })
    }

    pub(super) fn allocation_of(&self, graph: GraphId, node: NodeId) -> Result<Allocated> {
        let mut told = None;
        self.node_work(GraphRef::Known(graph), node, &mut |work| {
            told = Some(match work {
                Work::MemAlloc(alloc) => Ok(*alloc),
                other => Err(other.kind()),
            });
        })?;
        match told {
            Some(Ok(MemAlloc { bytes, address })) => {
                let memory = self.node_memories.find(address).unwrap_or_else(|| NodeMemory::of_others(address));
                Ok(Allocated { node, memory: self.name_memory_of_node(memory), address, bytes })
            }
            Some(Err(kind)) => Err(not_an_allocation(kind)),
            None => Err(not_an_allocation("unknown")),
        }
    }
}
