//! The names that a program gives to the nodes of a graph. Graphs and their execs share them, so that messages about launches tell
//! them when the graph is gone.

use std::sync::Arc;

use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{NodeId, NodeMap};

/// Names of nodes, of a graph and of those within it.
#[derive(Default)]
pub(crate) struct GivenNames(Mutex<NodeMap<Arc<str>>, rank::GivenNames>);

impl GivenNames {
    pub(crate) fn get(&self, node: NodeId) -> Option<Arc<str>> {
        lock(&self.0).get(&node).cloned()
    }

    pub(crate) fn set(&self, node: NodeId, name: Option<Arc<str>>) {
        let mut names = lock(&self.0);
        match name {
            Some(name) => names.insert(node, name),
            None => names.remove(&node),
        };
    }

    /// The number of nodes that have a name.
    pub(crate) fn count(&self) -> usize {
        lock(&self.0).len()
    }

    /// Takes over all names of `others`.
    pub(crate) fn extend(&self, others: &GivenNames) {
        let others = std::mem::take(&mut *lock(&others.0));
        lock(&self.0).extend(others);
    }
}
