//! The marks that the nodes of a watched exec leave in pinned memory, and what the nodes are.

use crate::core::objects::host_buffer::HostBuffer;
use crate::driver::{Address, NodeId};
use crate::error::{Error, Status};

/// Bytes of a mark.
pub(super) const MARK: usize = size_of::<u64>();

/// What is known of a watched exec beside what it runs.
pub(super) struct Watch {
    /// The first mark counts the launches that have begun. The others are those of the nodes.
    marks: HostBuffer,
    /// Each behind those that it waits for.
    pub(super) nodes: Vec<WatchedNode>,
}

/// A node of the graph that a watched exec was made of.
pub(super) struct WatchedNode {
    /// As it is called in that graph.
    pub(super) id: NodeId,
    /// What it does, in words.
    pub(super) label: String,
    /// The places of those that it waits for.
    pub(super) after: Vec<u32>,
}

impl Watch {
    /// Of pinned memory that has a mark more than there are nodes.
    pub(super) fn new(marks: HostBuffer, nodes: Vec<WatchedNode>) -> Watch {
        Watch { marks, nodes }
    }

    /// How many launches have begun.
    pub(super) fn begun(&self) -> u64 {
        self.number(0)
    }

    /// The number of the latest launch in which the node at `place` has completed, from 1 on; 0 before that.
    pub(super) fn completed_in(&self, place: usize) -> u64 {
        self.number(place + 1)
    }

    fn number(&self, mark: usize) -> u64 {
        self.marks.context().driver().host_number(self.marks.address() + (mark * MARK) as Address, MARK)
    }
}

/// The refusal of a change of a watched exec.
#[cold]
pub(super) fn unchangeable() -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        "a watched graph exec cannot be changed; change the graph and instantiate it anew, or instantiate it without \
         GRAPHCAP_INSTANTIATE_WATCH",
    )
}
