//! Nodes that allocate and free memory, made of a text of a graph.

use super::import_binding::Wrong;
use super::import_work::{device_memory, no_such, Builder};
use super::picture::{MemoryEntry, MemoryKind};
use crate::graphs::graph::Graph;
use crate::operations::node_work::NodeWork;
use graphcap_base::names::quoted;
use graphcap_driver::NodeId;

impl Builder<'_> {
    /// Adds a node that allocates the memory in a place of the picture, which has its name from then on.
    pub(super) fn add_allocation(&self, graph: &Graph, before: &[NodeId], index: usize) -> Result<NodeId, Wrong> {
        let place = self.picture.memory.get(index).zip(self.allocations.place(index));
        let (MemoryEntry { name, kind, bytes, .. }, made) =
            place.ok_or_else(|| no_such("memory", index).under("memory"))?;
        let wrong = |message: String| Wrong::value(message).under("memory");
        if *kind != MemoryKind::Allocation {
            return Err(wrong(format!("{} is no allocation, so no node allocates it", quoted(name))));
        }
        if made.get().is_some() {
            return Err(wrong(format!("another node allocates {}", quoted(name))));
        }
        let bytes = bytes.ok_or_else(|| wrong(format!("the allocation {} has no size", quoted(name))))?;
        let (node, buffer) = graph.add_allocation(before, bytes)?;
        if *name != kind.usual_name(index) {
            buffer.set_name(name).map_err(|error| Wrong::from(error).under("memory"))?;
        }
        made.get_or_init(|| buffer);
        Ok(node)
    }

    /// Adds a node that frees memory: of a node before, or of another graph, which is bound.
    pub(super) fn add_free(&self, graph: &Graph, before: &[NodeId], index: usize) -> Result<NodeId, Wrong> {
        let buffer = device_memory(self.memory(index, "memory")?).map_err(|wrong| wrong.under("memory"))?;
        Ok(graph.add_node(before, &NodeWork::Free(buffer))?)
    }
}
