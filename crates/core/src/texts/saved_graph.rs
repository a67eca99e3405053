//! Graphs that were saved as JSON text: drawn and compared without a device.

use super::diff;
use super::dot;
use super::dot_flags::DotFlags;
use super::json_import::parse;
use super::picture::{Edge, GraphPicture, MemoryKind, Picture, WorkPicture};
use graphcap_base::error::{Error, Result};

/// Graph that was read from the text of [`Graph::export_json`](crate::Graph::export_json), apart from any device.
pub struct SavedGraph(pub(super) Picture);

impl SavedGraph {
    /// Reads JSON text. Whatever it says, what is read can be drawn and compared.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a text that is none of a graph, with the place of what is wrong; `NOT_SUPPORTED` for graphs that lie within
    /// each other too deep; `OUT_OF_MEMORY`.
    pub fn read(json: &[u8]) -> Result<SavedGraph> {
        let mut picture = parse(json)?;
        list_dependencies(&mut picture.graph)?;
        // Objects of two texts are told apart by their names. Snapshots are by their bytes.
        picture.memory.iter_mut().for_each(|memory| memory.is_named = memory.kind != MemoryKind::Snapshot);
        picture.functions.iter_mut().chain(&mut picture.events).for_each(|object| object.is_named = true);
        Ok(SavedGraph(picture))
    }

    /// Returns the graph as text for Graphviz, as [`Graph::export_dot`](crate::Graph::export_dot) does.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`.
    pub fn dot(&self, flags: DotFlags) -> Result<String> {
        dot::export(&self.0, flags)
    }

    /// Returns what `other` differs in from this graph, as [`Graph::diff`](crate::Graph::diff) does.
    ///
    /// # Errors
    /// `INVALID_VALUE` when the edges of one of the graphs form a cycle; `OUT_OF_MEMORY`.
    pub fn diff(&self, other: &SavedGraph) -> Result<String> {
        diff::compare(&self.0, &other.0)
    }
}

/// Fills the lists of what each node waits for, which the text has as edges, in a graph and in the graphs of its nodes.
fn list_dependencies(graph: &mut GraphPicture) -> Result<()> {
    let count = graph.nodes.len();
    graph.dependencies = vec![Vec::new(); count];
    for &Edge { from, to, .. } in &graph.edges {
        match graph.dependencies.get_mut(to) {
            Some(list) if from < count => list.push(from as u32),
            _ => {
                return Err(Error::invalid_value(format!(
                    "the text has an edge from node {from} to node {to} of {count} nodes"
                )))
            }
        }
    }
    for node in &mut graph.nodes {
        match &mut node.work {
            WorkPicture::Child { graph } => list_dependencies(graph)?,
            WorkPicture::Conditional { bodies, .. } => bodies.iter_mut().try_for_each(list_dependencies)?,
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "saved_graph_tests.rs"]
mod tests;
