//! Data of the edges of graphs: where in a kernel an edge begins, and whether the node that it leads to may begin before that
//! kernel is over.

use serde::{Deserialize, Serialize};

use super::launch_attributes::{COMPLETION_EVENT, PROGRAMMATIC_EVENT};
use super::{LaunchAttribute, NodeId, StreamId};
use graphcap_base::error::{Error, Result};

/// Data of an edge, by CUDA's numbers (`CUgraphEdgeData`).
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct EdgeData {
    /// Place in the node that it leads from: 0 its end; of a kernel 1 where all its blocks have triggered, 2 where they have begun.
    pub from_port: u8,
    /// Place in the node that it leads to; no node has any place but 0.
    pub to_port: u8,
    /// 0, or 1 where the kernel that it leads to may begin early, and waits by itself.
    #[serde(rename = "type")]
    pub kind: u8,
}

impl EdgeData {
    /// Data of most edges: the one node begins when the other is over.
    pub const NONE: EdgeData = EdgeData { from_port: 0, to_port: 0, kind: 0 };
    /// Data of an edge that programmatic stream serialization makes.
    pub const PROGRAMMATIC: EdgeData = EdgeData { from_port: 1, to_port: 0, kind: 1 };
    /// Data of an edge from a launch whose completion event is waited for.
    pub const BEGUN: EdgeData = EdgeData { from_port: 2, to_port: 0, kind: 0 };

    /// Returns whether it is what most edges carry.
    pub fn is_none(self) -> bool {
        self == EdgeData::NONE
    }

    /// Returns whether an edge between two kernels can carry it. One of other nodes carries nothing, unless a capture records it: that may
    /// lead to any node.
    pub fn is_of_kernels(self) -> bool {
        matches!((self.from_port, self.to_port, self.kind), (1, 0, 1) | (2, 0, 0 | 1))
    }

    /// Returns the error of an edge that cannot carry it, `INVALID_VALUE`.
    #[cold]
    pub fn refusal(self) -> Error {
        Error::invalid_value(format!(
            "an edge cannot lead from port {} to port {} with type {} there: between two kernels it can begin at the programmatic \
             port with the programmatic type, or at the port of the launch order; all other edges carry nothing",
            self.from_port, self.to_port, self.kind
        ))
    }
}

/// The data of the edges of a capture from what a launch has recorded with an attribute to what waits for that: nothing for an
/// attribute of no event.
pub fn after_event_of(attribute: &LaunchAttribute) -> EdgeData {
    match attribute.id {
        PROGRAMMATIC_EVENT if attribute.triggers_at_block_start() => {
            EdgeData { from_port: 2, ..EdgeData::PROGRAMMATIC }
        }
        PROGRAMMATIC_EVENT => EdgeData::PROGRAMMATIC,
        COMPLETION_EVENT => EdgeData::BEGUN,
        _ => EdgeData::NONE,
    }
}

/// Use that [`Captures::update_capture_dependencies`](super::Captures::update_capture_dependencies) makes of the nodes. The
/// numbers are CUDA's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DependencyUpdate {
    /// Adds them to those that there are.
    Add = 0,
    /// Makes them take the place of those that there are.
    Set = 1,
}

/// Edges that carry nothing.
pub fn plain(edges: &[(NodeId, NodeId)]) -> Vec<(NodeId, NodeId, EdgeData)> {
    edges.iter().map(|&(from, to)| (from, to, EdgeData::NONE)).collect()
}

/// Edges with what they carry. The rules of [`Driver`](super::Driver) hold. No method is an unsafe call under the capture rules.
pub trait Edges: Send + Sync {
    /// As [`Captures::update_capture_dependencies`](super::Captures::update_capture_dependencies), with what the edges to the
    /// stream's next node carry. `INVALID_VALUE` and `NOT_SUPPORTED` as for edges that are added.
    fn update_capture_dependencies_with_data(
        &self,
        stream: StreamId,
        nodes: &[(NodeId, EdgeData)],
        update: DependencyUpdate,
    ) -> Result<()>;
}
