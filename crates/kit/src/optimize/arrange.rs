//! The last steps of optimising a graph: the result, and its report.

use super::accesses::{Barriers, SharedWorkspace};
use super::layouts::{longest_path, originals};
use super::plan::Plan;
use super::rebuild::{rebuild, Rebuilt};
use super::recorded::Recorded;
use super::report::OptimizeReport;
use graphcap_base::error::Result;
use graphcap_core::Graph;
use graphcap_driver::rules::lanes::Layout;

/// Contents of a report besides the edges.
#[derive(Default)]
pub(super) struct Found {
    /// Nodes that keep their place.
    pub(super) barriers: Barriers,
    /// The workspaces of libraries that several nodes use.
    pub(super) workspaces: Vec<SharedWorkspace>,
    /// The graphs within nodes, and those of them that have other edges now.
    pub(super) inner: (usize, usize),
}

/// Gives `copy`, of which `recorded` was read, the edges of the layout and one root and one leaf, and tells what was made.
pub(super) fn finish(
    copy: Graph,
    recorded: &Recorded,
    layout: Option<Layout>,
    found: Found,
    plan: Plan,
) -> Result<(Graph, OptimizeReport)> {
    let form = plan.0.form;
    let rebuilt = match form.has_ends {
        true => rebuild(copy, recorded, layout.as_ref())?,
        false => Rebuilt::untouched(copy),
    };
    let before = longest_path(&recorded.after).len();
    let own = |layout: &Layout| layout.after.iter().map(Vec::len).sum();
    let edges = layout.as_ref().map_or(recorded.edges.len(), own);
    let report = OptimizeReport {
        chosen: form.edges,
        added_nodes: rebuilt.added_nodes,
        edges: (recorded.edges.len(), edges + rebuilt.added_edges),
        longest_path: (before, layout.as_ref().map_or(before, |layout| longest_path(&layout.after).len())),
        lanes: layout.as_ref().map_or(0, Layout::lane_count),
        barriers: found.barriers,
        shared_workspaces: found.workspaces,
        inner: found.inner,
        plan: Some(plan),
        ..OptimizeReport::of_recorded(recorded.nodes.len(), recorded.edges.len(), before)
    };
    Ok((rebuilt.graph, report))
}

/// The nodes that keep their place by what the recorded graph calls them.
pub(super) fn in_recorded(graph: &Graph, copy: &Graph, barriers: Barriers) -> Result<Barriers> {
    if barriers.is_empty() {
        return Ok(barriers);
    }
    let originals = originals(graph, copy)?;
    let named = barriers.into_iter().filter_map(|(node, barrier)| Some((*originals.get(&node)?, barrier)));
    Ok(named.collect())
}
