//! Work of the nodes of an exec, where that is not what the nodes of its graph do: no device tells it.

use std::sync::Arc;

use super::node_data::NodeParams;
use super::source::Source;
use crate::objects::access::LaunchAccesses;
use graphcap_driver::{NodeId, NodeMap, Work};

/// Work of an exec: what its graph did at one time, but for some nodes.
pub(crate) struct ExecWork {
    /// The graph as it was then, where that is known.
    source: Option<Source>,
    /// The nodes that were set since, and those whose nodes of the graph do something else by now, as far as it was noted.
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

    /// Returns what a node does, where that was noted.
    pub(crate) fn get(&self, node: NodeId) -> Option<&NodeParams> {
        self.nodes.get(&node)
    }

    /// A node of the exec does `work` from here on, of which a launch stated `accesses`.
    pub(crate) fn note_set(&mut self, node: NodeId, work: &Work<'_>, accesses: Option<Arc<LaunchAccesses>>) {
        match self.nodes.get_mut(&node) {
            Some(noted) => noted.become_work(work, accesses),
            None => {
                let mut noted = NodeParams::Other(work.kind());
                noted.become_work(work, accesses);
                self.note(node, noted);
            }
        }
    }

    /// A node of the exec does this from here on.
    pub(crate) fn note(&mut self, node: NodeId, work: NodeParams) {
        self.nodes.insert(node, work);
    }
}
