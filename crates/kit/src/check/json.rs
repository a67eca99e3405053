//! Findings as JSON text, which docs/findings.schema.json describes.

use graphcap_base::error::{Error, Result};
use graphcap_core::{Context, Graph};
use graphcap_driver::{NodeId, NodeMap};
use serde::Serialize;

use super::report::{Flaw, GraphFinding, Severity};
use crate::optimize::{byte_of_buffer, called};

#[derive(Serialize)]
struct Document {
    format: &'static str,
    version: u32,
    findings: Vec<FindingEntry>,
}

/// A finding. Nodes are places in the list of the graph's nodes, or ids; numbers of 64 bits are texts.
#[derive(Serialize)]
struct FindingEntry {
    severity: &'static str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<String>,
    text: String,
}

/// Writes findings about a graph as JSON. Nodes are called by their places, as in the text of [`Graph::export_json`].
///
/// # Errors
/// As [`GraphFinding::text`].
pub fn findings_json(graph: &Graph, findings: &[GraphFinding]) -> Result<String> {
    let _reading = graph.reading()?;
    let places = Places::of(graph)?;
    let place = |node| Some(places.of_node(node));
    json_by(graph.context(), findings, &place, &|node| places.called(graph, node))
}

/// Writes findings about a graph in words, a line for each, with nodes as [`GraphFinding::text`] calls them.
///
/// # Errors
/// As [`GraphFinding::text`].
pub fn check_text(graph: &Graph, findings: &[GraphFinding]) -> Result<String> {
    let _reading = graph.reading()?;
    text_by(graph.context(), findings, &|node| called(graph, node))
}

/// Writes findings as JSON, where `place` has the places of nodes that have one, and `called` calls them in words.
pub(super) fn json_by(
    context: &Context,
    findings: &[GraphFinding],
    place: &dyn Fn(NodeId) -> Option<usize>,
    called: &dyn Fn(NodeId) -> Result<String>,
) -> Result<String> {
    let told = |finding: &GraphFinding| {
        let (other, range) = finding.flaw.other_and_range();
        let node = place(finding.node);
        Ok(FindingEntry {
            severity: finding.severity().name(),
            kind: finding.flaw.kind(),
            node,
            id: node.is_none().then(|| finding.node.0.to_string()),
            other: other.and_then(place),
            address: range.map(|(address, _)| address.to_string()),
            bytes: range.map(|(_, bytes)| bytes.to_string()),
            memory: range.and_then(|(address, _)| byte_of_buffer(context, address)),
            text: finding.text_by(context, called)?,
        })
    };
    let findings = findings.iter().map(told).collect::<Result<_>>()?;
    let document = Document { format: "graphcap findings", version: 1, findings };
    let text = serde_json::to_string_pretty(&document);
    text.map(|text| text + "\n").map_err(|error| Error::invalid_value(error.to_string()))
}

/// Writes findings about a graph in words, a line for each, as [`findings_json`] calls the nodes.
///
/// # Errors
/// As [`GraphFinding::text`].
pub fn findings_text(graph: &Graph, findings: &[GraphFinding]) -> Result<String> {
    let _reading = graph.reading()?;
    let places = Places::of(graph)?;
    text_by(graph.context(), findings, &|node| places.called(graph, node))
}

/// Writes findings in words, a line for each, where `called` calls the nodes.
pub(super) fn text_by(
    context: &Context,
    findings: &[GraphFinding],
    called: &dyn Fn(NodeId) -> Result<String>,
) -> Result<String> {
    let line =
        |finding: &GraphFinding| Ok(format!("{}: {}\n", finding.severity().name(), finding.text_by(context, called)?));
    findings.iter().map(line).collect()
}

/// Places of nodes in the list of the graph's.
struct Places(NodeMap<usize>);

impl Places {
    fn of(graph: &Graph) -> Result<Places> {
        Ok(Places(graph.nodes()?.nodes.into_iter().zip(0..).collect()))
    }

    fn of_node(&self, node: NodeId) -> usize {
        self.0.get(&node).copied().unwrap_or_default()
    }

    fn called(&self, graph: &Graph, node: NodeId) -> Result<String> {
        Ok(format!("node {} ({})", self.of_node(node), graph.node_label(node)?))
    }
}

impl Severity {
    /// Its name in texts.
    pub(super) fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl Flaw {
    fn kind(&self) -> &'static str {
        match self {
            Flaw::Gone(gone) if gone.is_exchanged => "memory_exchanged",
            Flaw::Gone(_) => "memory_gone",
            Flaw::Overrun { .. } => "overrun",
            Flaw::Unordered { .. } => "unordered",
            Flaw::SharedWorkspace { .. } => "shared_workspace",
            Flaw::EventReused { .. } => "event_reused",
            Flaw::Unread { .. } => "unread",
            Flaw::Overwritten { .. } => "overwritten",
            Flaw::PlainHostMemory { .. } => "host_memory",
            Flaw::ConditionUnset { .. } => "condition_unset",
            Flaw::NotFreed { .. } => "not_freed",
        }
    }

    /// The other node, and the first byte with the number of bytes, where there are such.
    fn other_and_range(&self) -> (Option<NodeId>, Option<(u64, u64)>) {
        match self {
            Flaw::Gone(gone) => (None, Some((gone.address, gone.allocation.bytes as u64))),
            Flaw::Overrun { address, bytes, .. }
            | Flaw::PlainHostMemory { address, bytes, .. }
            | Flaw::NotFreed { address, bytes } => (None, Some((*address, *bytes as u64))),
            Flaw::Unordered { other, bytes, .. } | Flaw::SharedWorkspace { other, bytes } => {
                (Some(*other), Some((bytes.start, bytes.end - bytes.start)))
            }
            Flaw::Unread { address, bytes } | Flaw::Overwritten { address, bytes } => (None, Some((*address, *bytes))),
            Flaw::EventReused { other } => (Some(*other), None),
            Flaw::ConditionUnset { .. } => (None, None),
        }
    }
}
