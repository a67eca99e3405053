//! Graphs as texts: drawn, written, compared. A graph is read whole while nobody edits it; the text is made afterwards.

use std::collections::HashMap;

use super::dot;
use super::dot_flags::DotFlags;
use super::json;
use super::picture::{self, HeldObjects, Picture, PictureSource};
use crate::graphs::graph::Graph;
use crate::graphs::retention::{self, See};
use crate::objects::note::NodeNotes;
use crate::state::Stream;
use graphcap_base::error::Result;
use graphcap_driver::{check_caller, GraphRef};

impl Graph {
    /// The picture of the graph. What is held keeps the objects of the picture apart from those that are made later. `tells_order`
    /// as in [`PictureSource`].
    pub(crate) fn picture(&self, tells_order: bool) -> Result<(Picture, HeldObjects)> {
        check_caller()?;
        let mut held = HeldObjects::default();
        let name = self.name();
        let edits = self.0.root().lock()?;
        let lists = self.0.kept();
        let each_kept = |see: See<'_>| retention::see_all(edits.holdings.as_deref(), &lists, see);
        let source = PictureSource {
            context: self.context(),
            graph: GraphRef::Known(self.id()),
            tells_order,
            name,
            notes: &edits.notes,
            conditions: &edits.conditions,
            each_kept: &each_kept,
        };
        let read = picture::read(&source, &mut held);
        // What was held can be the last of its kind, and run code of the caller's.
        drop(edits);
        drop(lists);
        read.map(|picture| (picture, held))
    }

    /// The graph as text for Graphviz. The same graph gives the same text.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`; `NOT_SUPPORTED` for graphs that lie within each other more than 16 deep; the status of a context that
    /// faulted.
    pub fn export_dot(&self, flags: DotFlags) -> Result<String> {
        dot::export(&self.picture(false)?.0, flags)
    }
}

impl Graph {
    /// The graph as JSON text, with everything that its nodes do: [`Graph::import_json`] makes a graph of it. docs/graph-texts.md
    /// describes the format. The same graph gives the same text.
    ///
    /// # Errors
    /// As [`Graph::export_dot`].
    pub fn export_json(&self) -> Result<String> {
        json::export(&self.picture(true)?.0)
    }
}

impl Stream {
    /// Returns what was recorded so far as text for Graphviz, as [`Graph::export_dot`] gives it, without what lies within nodes and
    /// without the names of nodes and events and the attributes of kernels. Threads: as [`Stream::capture_progress`].
    ///
    /// # Errors
    /// `ILLEGAL_STATE` when the stream is not being captured; `CAPTURE_INVALIDATED` when the capture was broken;
    /// `CAPTURE_IMPLICIT` for the legacy stream while a blocking stream is captured.
    pub fn export_capture_dot(&self, flags: DotFlags) -> Result<String> {
        let mut held = HeldObjects::default();
        let source = PictureSource {
            context: self.context(),
            graph: GraphRef::Captured(self.id()),
            tells_order: false,
            name: None,
            notes: &NodeNotes::default(),
            conditions: &HashMap::new(),
            each_kept: &|_| (),
        };
        dot::export(&picture::read(&source, &mut held)?, flags)
    }
}
