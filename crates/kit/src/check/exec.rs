//! Findings about graph execs, in the forms of those about graphs.

use super::json::{json_by, text_by};
use super::report::{GraphFinding, Severity};
use graphcap_base::error::Result;
use graphcap_core::GraphExec;
use graphcap_driver::NodeId;

/// Lists the memory that is gone and that nodes of an exec name, as findings of at least a severity. What is not noted gives no finding:
/// [`GraphExec::check_memory`] tells whether it is.
///
/// # Errors
/// As [`GraphExec::check_memory`].
pub fn check_exec(exec: &GraphExec, least: Severity) -> Result<Vec<GraphFinding>> {
    let found = exec.check_memory()?.gone.into_iter().map(GraphFinding::gone);
    Ok(found.filter(|finding| finding.severity() >= least).collect())
}

/// Writes findings of [`check_exec`] in words, a line for each.
///
/// # Errors
/// The status of a context that faulted.
pub fn exec_findings_text(exec: &GraphExec, findings: &[GraphFinding]) -> Result<String> {
    text_by(exec.context(), findings, &|node| Ok(exec.node_words(node)))
}

/// Writes findings of [`check_exec`] as JSON. Nodes are called by their ids, since an exec has no list of nodes.
///
/// # Errors
/// As [`exec_findings_text`].
pub fn exec_findings_json(exec: &GraphExec, findings: &[GraphFinding]) -> Result<String> {
    json_by(exec.context(), findings, &|_: NodeId| None, &|node| Ok(exec.node_words(node)))
}
