//! The names that a program gives to the nodes of a graph. Graphs and their execs share them, so that messages about launches tell
//! them when the graph is gone.

use std::sync::Arc;

use crate::driver::{NodeId, NodeMap};
use crate::lock::{lock, rank, Mutex};

/// Names of nodes, of a graph and of those within it.
#[derive(Default)]
pub(in crate::core) struct GivenNames(Mutex<NodeMap<Arc<str>>, rank::GivenNames>);

impl GivenNames {
    pub(in crate::core) fn get(&self, node: NodeId) -> Option<Arc<str>> {
        lock(&self.0).get(&node).cloned()
    }

    pub(in crate::core) fn set(&self, node: NodeId, name: Option<Arc<str>>) {
        let mut names = lock(&self.0);
        match name {
            Some(name) => names.insert(node, name),
            None => names.remove(&node),
        };
    }

    /// The number of nodes that have a name.
    pub(in crate::core) fn count(&self) -> usize {
        lock(&self.0).len()
    }

    /// Takes over all names of `others`.
    pub(in crate::core) fn extend(&self, others: &GivenNames) {
        let others = std::mem::take(&mut *lock(&others.0));
        lock(&self.0).extend(others);
    }
}
