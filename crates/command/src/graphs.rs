//! Saved graphs, drawn and compared.

use std::path::Path;

use graphcap_core::{DotFlags, SavedGraph};

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
