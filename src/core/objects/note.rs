//! What is noted of nodes beside what their device knows of them: their names, and what launches stated.

use std::sync::Arc;

use super::access::LaunchAccesses;
use crate::driver::{NodeId, NodeMap};

/// What is noted of a node.
#[derive(Clone, Default)]
pub(in crate::core) struct Note {
    /// The name that it was given.
    pub(in crate::core) name: Option<Arc<str>>,
    /// What the launch stated that it does.
    pub(in crate::core) accesses: Option<Arc<LaunchAccesses>>,
}

/// What is noted of the nodes of a graph, and of the graphs within it.
#[derive(Clone, Default)]
pub(in crate::core) struct NodeNotes(NodeMap<Note>);

impl NodeNotes {
    pub(in crate::core) fn name(&self, node: NodeId) -> Option<Arc<str>> {
        self.0.get(&node)?.name.clone()
    }

    pub(in crate::core) fn accesses(&self, node: NodeId) -> Option<Arc<LaunchAccesses>> {
        self.0.get(&node)?.accesses.clone()
    }

    pub(in crate::core) fn set_name(&mut self, node: NodeId, name: Option<Arc<str>>) {
        self.change(node, name.is_some(), |note| note.name = name);
    }

    pub(in crate::core) fn set_accesses(&mut self, node: NodeId, accesses: Option<Arc<LaunchAccesses>>) {
        self.change(node, accesses.is_some(), |note| note.accesses = accesses);
    }

    fn change(&mut self, node: NodeId, adds: bool, change: impl FnOnce(&mut Note)) {
        if adds {
            change(self.0.entry(node).or_default());
        } else if let Some(note) = self.0.get_mut(&node) {
            change(note);
            if note.name.is_none() && note.accesses.is_none() {
                self.0.remove(&node);
            }
        }
    }

    pub(in crate::core) fn get(&self, node: NodeId) -> Option<&Note> {
        self.0.get(&node)
    }

    pub(in crate::core) fn insert(&mut self, node: NodeId, note: Note) {
        self.0.insert(node, note);
    }

    pub(in crate::core) fn remove(&mut self, node: NodeId) {
        self.0.remove(&node);
    }

    pub(in crate::core) fn extend(&mut self, more: NodeNotes) {
        self.0.extend(more.0);
    }

    /// How many nodes something is noted of.
    pub(in crate::core) fn count(&self) -> usize {
        self.0.len()
    }
}
