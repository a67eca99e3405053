//! Copies of definitions, and which node of a copy is a copy of which node.
//!
//! A copy has its nodes in the slots of those that they are copies of, under a number of its own.

use std::sync::Arc;

use super::definition::fresh_number;
use super::node::{Definition, Original};
use graphcap_base::error::{Error, Result};
use graphcap_driver::NodeId;

/// A node of a definition that may have been copied.
#[derive(Clone, Copy)]
pub(crate) struct Copied {
    definition: u64,
    slot: u32,
    stamp: u32,
}

impl Definition {
    /// A copy, which shares no node's id with this one, nor do the graphs within them.
    pub(crate) fn copy(&self) -> Definition {
        let number = fresh_number();
        let mut edited = self.edited.clone();
        for slot in edited.iter_mut().flat_map(|edited| &mut edited.slots) {
            slot.stamp = number as u32;
        }
        let original = Original { number: self.number, slots: self.nodes.len() as u32, copy: number };
        let mut nodes = self.nodes.clone();
        if self.is_nested() {
            let graphs = nodes.iter_mut().flatten().flat_map(|node| node.action.graphs_mut());
            graphs.for_each(|graph| *graph = Arc::new(graph.copy()));
        }
        Definition {
            nodes,
            number,
            edited,
            nested: self.nested,
            memory_nodes: self.memory_nodes,
            original: Some(original),
            ports: self.ports.clone(),
            glances: self.glances.clone(),
        }
    }

    /// A copy, and the nodes of graphs within nodes of the copy, each with the one that it is a copy of.
    pub(crate) fn copy_with_inner(&self) -> (Definition, Vec<(NodeId, NodeId)>) {
        let (copy, mut inner) = (self.copy(), Vec::new());
        if self.is_nested() {
            self.pair_inner(&copy, &mut inner);
        }
        (copy, inner)
    }

    /// Adds the pairs of [`Definition::copy_with_inner`]. The depth of graphs within each other is limited, and so is that of these calls.
    fn pair_inner(&self, copy: &Definition, pairs: &mut Vec<(NodeId, NodeId)>) {
        for (node, copied) in self.nodes.iter().flatten().zip(copy.nodes.iter().flatten()) {
            for (graph, copied) in node.action.graphs().iter().zip(copied.action.graphs()) {
                let slots = (0..graph.nodes.len() as u32).filter(|&slot| graph.node(slot).is_some());
                pairs.extend(slots.map(|slot| (copied.id(slot), graph.id(slot))));
                graph.pair_inner(copied, pairs);
            }
        }
    }

    /// The node with an id, for [`Definition::copy_of`].
    ///
    /// # Errors
    /// `INVALID_VALUE` when there is no such node.
    pub(crate) fn copied(&self, id: NodeId) -> Result<Copied> {
        let slot = self.slot(id)?;
        Ok(Copied { definition: self.number, slot, stamp: self.stamp(slot) })
    }

    /// The node here that is a copy of `copied`.
    ///
    /// # Errors
    /// `INVALID_VALUE` when this is no copy of that definition, when the node was added after the copy was made, or when its
    /// copy was removed.
    pub(crate) fn copy_of(&self, copied: Copied) -> Result<NodeId> {
        let original = self.original.filter(|original| original.number == copied.definition).ok_or_else(|| {
            Error::invalid_value(
                "the other graph is no copy of the node's graph; name the copy and what it was made of",
            )
        })?;
        let is_as_copied = copied.slot < original.slots
            // A slot that was filled again has a stamp as great as that of what was made at that time.
            && (copied.stamp == original.number as u32 || copied.stamp < original.copy as u32)
            && self.node(copied.slot).is_some()
            && self.stamp(copied.slot) == original.copy as u32;
        if is_as_copied {
            return Ok(self.id(copied.slot));
        }
        Err(Error::invalid_value(
            "the copy has no such node: it was added after the copy was made, or removed from the copy",
        ))
    }
}
