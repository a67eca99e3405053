//! Names in messages about launches: of the graph that an exec was made of, and of its nodes. They last as long as the exec, and follow
//! the program as long as the graph is there.

use std::sync::Arc;

use crate::objects::note::GivenNames;
use crate::state::GraphInner;
use graphcap_driver::{ExecNames, NodeId, NodeMap};

impl ExecNames for GivenNames {
    fn graph(&self) -> Option<Arc<str>> {
        self.graph.get()
    }

    fn node(&self, node: NodeId) -> (NodeId, Option<Arc<str>>) {
        (node, self.get(node))
    }
}

/// Those of a copy of a graph: the nodes that are copies of its nodes are called as these are.
struct NamesOfCopy {
    names: Arc<dyn ExecNames>,
    copy: Arc<dyn ExecNames>,
    originals: NodeMap<NodeId>,
}

impl ExecNames for NamesOfCopy {
    fn graph(&self) -> Option<Arc<str>> {
        self.names.graph()
    }

    fn node(&self, node: NodeId) -> (NodeId, Option<Arc<str>>) {
        match self.originals.get(&node) {
            Some(&original) => self.names.node(original),
            None => self.copy.node(node),
        }
    }
}

impl GraphInner {
    /// The names for an exec that is made of the graph.
    pub(super) fn exec_names(&self) -> Arc<dyn ExecNames> {
        Arc::<GivenNames>::clone(&self.root().names)
    }
}

/// The names for an exec of which no graph is known: none.
pub(super) fn without_graph() -> Arc<dyn ExecNames> {
    Arc::<GivenNames>::default()
}

/// The names for an exec of a copy, whose nodes are copies of `originals`, which go by `names`.
pub(super) fn of_copy(
    names: Arc<dyn ExecNames>,
    copy: &Arc<dyn ExecNames>,
    originals: NodeMap<NodeId>,
) -> Arc<dyn ExecNames> {
    Arc::new(NamesOfCopy { names, copy: Arc::clone(copy), originals })
}
