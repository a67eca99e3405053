//! Updates of execs: a graph gives all nodes of an exec other work at once. How nodes are paired and what may differ is in
//! [`exec_update`](crate::rules::exec_update).

use super::{ExecId, GraphId, MemcpyRows, Memset, NodeId, NodeKind, ValueAction, ValueOperation};
use crate::rules::apply_route::Costs;
use crate::rules::exec_update::{Difference, Facts, HostSide, KeptAttribute, UpdateResult};
use graphcap_base::error::{Error, Result, Status};

/// Updates of execs. The rules of [`Driver`](super::Driver) hold. No update is an unsafe call under the capture rules.
pub trait ExecUpdates: Send + Sync {
    /// Makes each node of the exec do from here on what its pair in `graph` does, or, where that is refused, changes nothing. Launches that
    /// were queued before run as they were; what was enabled and disabled stays so, and nodes of the exec go by the ids that they had. The
    /// exec keeps its own launch attributes.
    ///
    /// `INVALID_VALUE` for a graph of a node. No capture need be over that goes into the graph.
    fn exec_update(&self, exec: ExecId, graph: GraphId, differing: Differing) -> Result<Update>;
    /// As [`ExecUpdates::exec_update`] by the graph that the exec was made from, of which these nodes alone do other work than
    /// those of the exec, and in which nothing else differs. The nodes are of the graph itself, and of no graph within.
    fn exec_update_nodes(&self, exec: ExecId, graph: GraphId, nodes: &[NodeId]) -> Result<Update>;
    /// The answer that [`ExecUpdates::exec_update`] would give, attributes and launches compared. `INVALID_VALUE` also where it is not
    /// known any more what the exec was made from.
    fn exec_can_update(&self, exec: ExecId, graph: GraphId) -> Result<Update>;
    /// The nodes of `graph` by the ids of those of the exec that they belong to by the edges of both, whatever they do, with those of
    /// graphs within. `None` where nodes or edges differ, or it is not known any more what the exec was made from.
    fn exec_counterparts(&self, exec: ExecId, graph: GraphId) -> Result<Option<Vec<(NodeId, NodeId)>>>;
    /// Makes the launches of `exec`, of which there was none yet, run behind those of `before`, of which there will be none any more.
    /// `ILLEGAL_STATE`, without any change, where the driver cannot tell how far those are.
    fn exec_go_behind(&self, exec: ExecId, before: ExecId) -> Result<()>;
    /// Notes that kernels of the exec replay slower from here on, as [`Update::relaunched`] told before they were changed.
    fn exec_note_slower(&self, exec: ExecId, relaunched: &[NodeId]) {
        let _ = (exec, relaunched);
    }
    /// Returns what the device was measured to need.
    fn update_costs(&self) -> Costs;
}

/// Treatment of an update whose kernels have other launch attributes than those of the exec.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Differing {
    /// It is made.
    Kept,
    /// It is made, and the first one is told, as far as it is known. Takes time for each node.
    Told,
    /// It is refused. Takes time for each node only where a kernel may have launch attributes.
    Refused,
}

/// Outcome of an update.
#[derive(Default)]
pub struct Update {
    /// The driver's answer.
    pub report: UpdateReport,
    /// Reason for the refusal; `None` where it was made.
    pub refused: Option<Error>,
    /// The kernels that the graph launches with another function or shape than those that the exec was made with, where launches were
    /// compared and the device replays such kernels slower.
    pub relaunched: Vec<NodeId>,
}

/// Answer of the driver to an update, in numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UpdateReport {
    /// CUDA's result.
    pub result: UpdateResult,
    /// The node of the exec that the refusal is about, where it is known.
    pub exec_node: Option<NodeId>,
    /// The node of the graph that it is about.
    pub graph_node: Option<NodeId>,
    /// Node that that one waits for and should not.
    pub from_node: Option<NodeId>,
    /// The number of the first launch attribute that differs and of which the exec keeps its own. The nodes are the ones that
    /// differ then.
    pub kept_attribute: Option<u32>,
    /// The number of kernels of the exec that replay slower with the update than those of a new exec, as far as it is known.
    pub slower: usize,
}

impl UpdateReport {
    /// Of a refusal.
    pub fn of(difference: &Difference) -> UpdateReport {
        UpdateReport {
            result: difference.change.result(),
            exec_node: difference.exec_node.map(NodeId),
            graph_node: difference.graph_node.map(NodeId),
            from_node: difference.from_node.map(NodeId),
            kept_attribute: None,
            slower: 0,
        }
    }
}

impl Update {
    /// It was made, or can be.
    pub fn made(kept: Option<KeptAttribute>) -> Update {
        let report = UpdateReport {
            kept_attribute: kept.map(|kept| kept.attribute),
            exec_node: kept.map(|kept| NodeId(kept.exec_node)),
            graph_node: kept.map(|kept| NodeId(kept.graph_node)),
            ..UpdateReport::default()
        };
        Update { report, refused: None, relaunched: Vec::new() }
    }

    /// Adds the kernels that are launched otherwise, and how many replay slower with those that did before.
    pub fn with_slower(self, relaunched: Vec<NodeId>, slower: usize) -> Update {
        Update { report: UpdateReport { slower, ..self.report }, relaunched, ..self }
    }

    /// It is refused since the exec would keep a launch attribute that differs.
    #[cold]
    pub fn keeps_no_attribute(kept: KeptAttribute) -> Update {
        let report = UpdateReport { result: UpdateResult::AttributesChanged, ..Update::made(Some(kept)).report };
        let error = Error::new(
            Status::GRAPH_EXEC_UPDATE_FAILURE,
            format!("{}launch attribute {} differs, and an exec keeps its own", whose(&report), kept.attribute),
        );
        Update { report, refused: Some(error), ..Update::default() }
    }

    /// It is refused for a difference that was found.
    #[cold]
    pub fn refused(difference: &Difference) -> Update {
        let report = UpdateReport::of(difference);
        let sentence = difference.change.sentence();
        let error = Error::new(difference.change.status(), format!("{}{sentence}", whose(&report)));
        Update { report, refused: Some(error), ..Update::default() }
    }
}

/// The nodes that a report is about, in front of what is said of them.
#[cold]
pub fn whose(report: &UpdateReport) -> String {
    match (report.graph_node, report.exec_node) {
        (Some(NodeId(node)), Some(NodeId(pair))) => {
            format!("node {node:#x} of the graph, for node {pair:#x} of the exec: ")
        }
        (Some(NodeId(node)), None) => format!("node {node:#x} of the graph: "),
        (None, Some(NodeId(pair))) => format!("node {pair:#x} of the exec: "),
        (None, None) => String::new(),
    }
}

/// Returns what must agree of a copy.
pub fn facts_of_copy(copy: &MemcpyRows) -> Facts {
    let MemcpyRows { row, height, depth, destination, source } = copy;
    let rows = || {
        [
            row.destination,
            row.source,
            row.bytes as u64,
            row.kind as u64,
            *height as u64,
            *depth as u64,
            destination.row as u64,
            destination.slice as u64,
            source.row as u64,
            source.slice as u64,
        ]
    };
    Facts::Memcpy { host_sides: row.kind.host_sides(), rows: (!copy.is_one()).then(rows), host: HostSide::Any }
}

/// Returns what must agree of a memset.
pub fn facts_of_set(set: &Memset) -> Facts {
    let shape = || [set.rows as u64, set.pitch as u64, set.count as u64, u64::from(set.element_size)];
    Facts::Memset((set.rows > 1).then(shape))
}

/// Returns what must agree of operations on values.
pub fn facts_of_values(operations: &[ValueOperation]) -> Facts {
    let kind = |operation: &ValueOperation| {
        operation.value.bytes() as u8 | u8::from(matches!(operation.action, ValueAction::Wait { .. }))
    };
    Facts::Values(operations.iter().map(kind).collect())
}

/// Returns what must agree of a node of a kind that has nothing else to agree, or of which nothing else is known.
pub fn facts_of_kind(kind: NodeKind) -> Facts {
    Facts::Plain(match kind {
        NodeKind::Kernel => "kernel",
        NodeKind::Memcpy => "copy",
        NodeKind::Memset => "memset",
        NodeKind::Host => "host function",
        NodeKind::Empty => "empty",
        NodeKind::Child => "child graph",
        NodeKind::EventWait => "event wait",
        NodeKind::EventRecord => "event record",
        NodeKind::MemAlloc => "allocation",
        NodeKind::MemFree => "end of an allocation",
        NodeKind::BatchMemOp => "value operation",
        NodeKind::Conditional => "conditional",
        NodeKind::Other => "unknown",
    })
}
