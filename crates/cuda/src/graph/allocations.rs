//! Nodes that allocate memory, with names for it.

use std::sync::Arc;

use cudarc::driver::sys::CUDA_MEM_ALLOC_NODE_PARAMS_v1;

use super::edit::not_added;
use crate::api::Handle;
use crate::context::CudaContext;
use crate::memory::pool;
use graphcap_base::error::Result;
use graphcap_driver::ids::not_an_allocation;
use graphcap_driver::{Allocated, GraphId, MemAlloc, NodeId, Work};

impl CudaContext {
    pub(crate) fn add_allocation(&self, graph: GraphId, dependencies: &[NodeId], bytes: usize) -> Result<Allocated> {
        let mut parameters = CUDA_MEM_ALLOC_NODE_PARAMS_v1 {
            poolProps: pool::properties(self.primary.ordinal),
            accessDescs: std::ptr::null(),
            accessDescCount: 0,
            bytesize: bytes,
            dptr: 0,
        };
        let (node, memory) = self.change_graph(graph, |graph| {
            let handles = graph.find(dependencies)?;
            graph.check_room()?;
            let (mut node, first, count) = (Handle::NULL, handles.as_ptr(), handles.len());
            // SAFETY: the graph's lock is held, and the nodes are of the graph; node and parameters are writable.
            unsafe { graph.api.cuGraphAddMemAllocNode(&mut node, graph.native, first, count, &mut parameters) }
                .map_err(|refusal| not_added(dependencies, refusal.into()))?;
            let address = parameters.dptr;
            // One that comes behind a free of the graph's can have the address of what was freed.
            let home = graph.state.number;
            let known = graph.state.memory.get(&address).filter(|(memory, _)| memory.is_of(home));
            let memory = match known {
                Some((memory, _)) => Arc::clone(memory),
                None => self.node_memories.allocated_by_node(address, home),
            };
            graph.state.note_memory(&memory, 1);
            Ok((graph.nodes().add(node), memory))
        })?;
        let address = memory.address;
        Ok(Allocated { node, memory: self.name_memory_of_node(memory), address, bytes })
    }

    pub(crate) fn allocation_of(&self, graph: GraphId, node: NodeId) -> Result<Allocated> {
        let (mut told, mut known) = (None, None);
        self.edit_graph(graph, |graph| {
            self.read_known_node(graph, node, &mut |work| {
                told = Some(match work {
                    Work::MemAlloc(alloc) => Ok(*alloc),
                    other => Err(other.kind()),
                });
            })?;
            if let Some(Ok(alloc)) = &told {
                known = graph.state.memory.get(&alloc.address).map(|(memory, _)| Arc::clone(memory));
            }
            Ok(())
        })?;
        match told {
            Some(Ok(MemAlloc { bytes, address })) => {
                let memory = known.unwrap_or_else(|| self.node_memories.of_others(address));
                Ok(Allocated { node, memory: self.name_memory_of_node(memory), address, bytes })
            }
            Some(Err(kind)) => Err(not_an_allocation(kind)),
            None => Err(not_an_allocation("unknown")),
        }
    }
}
