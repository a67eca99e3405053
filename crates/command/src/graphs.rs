//! Saved graphs, drawn and compared.

use std::path::Path;

use graphcap_core::{DotFlags, SavedGraph};
use graphcap_kit::{check_saved, findings_json, findings_text, Severity};

use crate::arguments::Least;

/// Reads a saved graph.
///
/// # Errors
/// Where the file cannot be read, or is none.
pub fn read(path: &Path) -> Result<SavedGraph, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    SavedGraph::read(&bytes).map_err(|error| format!("{}: {}", path.display(), error.message))
}

/// Returns the graph as text for Graphviz.
///
/// # Errors
/// Where memory is missing.
pub fn draw(graph: &SavedGraph, details: bool) -> Result<String, String> {
    let flags = if details { DotFlags::VERBOSE } else { DotFlags::default() };
    graph.dot(flags).map_err(|error| error.message.to_string())
}

/// Returns what differs, a line for each difference.
///
/// # Errors
/// Where the edges of one of the graphs form a cycle.
pub fn diff(one: &SavedGraph, other: &SavedGraph) -> Result<String, String> {
    one.diff(other).map_err(|error| error.message.to_string())
}

/// Returns what is wrong with the graph, as lines or as JSON, and whether anything is.
///
/// # Errors
/// Where the graph cannot be made on the host device, or its edges form a cycle.
pub fn check(graph: &SavedGraph, least: Least, json: bool) -> Result<(String, bool), String> {
    let least = match least {
        Least::Note => Severity::Note,
        Least::Warning => Severity::Warning,
        Least::Error => Severity::Error,
    };
    let told = || {
        let saved = graph.stand_in()?;
        let findings = check_saved(&saved, least)?;
        let write = if json { findings_json } else { findings_text };
        Ok((write(&saved.graph, &findings)?, !findings.is_empty()))
    };
    told().map_err(|error: graphcap_base::error::Error| error.message.to_string())
}
