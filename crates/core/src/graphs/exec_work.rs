//! Work of the nodes of an exec, where that is not what the nodes of its graph do: no device tells it.

use std::sync::Arc;

use super::node_data::NodeParams;
use super::source::Source;
use crate::objects::access::LaunchAccesses;
use graphcap_driver::{NodeId, NodeMap, Work};

/// Work of an exec but for its [`SetNodes`], which go first: what its graph did at one time. Edits of the graph add to it, which do not
/// have the lock of the edits of the exec.
pub(crate) struct ExecWork {
    /// The graph as it was then, where that is known.
    source: Option<Source>,
    /// The nodes whose nodes of the graph do something else by now, as far as it was noted.
    nodes: NodeMap<NodeParams>,
}

impl ExecWork {
    /// Of an exec that does what a graph does.
    pub(crate) fn of(source: Option<Source>) -> ExecWork {
        ExecWork { source, nodes: NodeMap::default() }
    }

    pub(crate) fn source(&self) -> Option<&Source> {
        self.source.as_ref()
    }

    /// Returns what was noted of a node.
    pub(crate) fn get(&self, node: NodeId) -> Option<&NodeParams> {
        self.nodes.get(&node)
    }

    /// A node of the graph does something else by now, and that of the exec does this.
    pub(crate) fn note(&mut self, node: NodeId, work: NodeParams) {
        self.nodes.insert(node, work);
    }
}

/// Nodes of an exec that were set, with what they do.
#[derive(Default)]
pub(crate) struct SetNodes(NodeMap<NodeParams>);

impl SetNodes {
    pub(crate) fn get(&self, node: NodeId) -> Option<&NodeParams> {
        self.0.get(&node)
    }

    /// A node does this from here on.
    pub(crate) fn note(&mut self, node: NodeId, work: NodeParams) {
        self.0.insert(node, work);
    }

    /// A node does `work` from here on, of which a launch stated `accesses`.
    pub(crate) fn note_work(&mut self, node: NodeId, work: &Work<'_>, accesses: Option<Arc<LaunchAccesses>>) {
        match self.0.get_mut(&node) {
            Some(noted) => noted.become_work(work, accesses),
            None => {
                let mut noted = NodeParams::Other(work.kind());
                noted.become_work(work, accesses);
                self.note(node, noted);
            }
        }
    }
}
