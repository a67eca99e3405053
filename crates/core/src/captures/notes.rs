//! Notes of recorded nodes on the way from a capture to its graph, which keeps them: what launches state of their arguments, and
//! names; and which streams recorded them, as [`runs`](super::runs) counts.

use std::sync::atomic::Ordering;
use std::sync::Arc;

use super::record::EndedRecord;
use crate::graphs::graph::Graph;
use crate::objects::access::LaunchAccesses;
use crate::objects::name;
use crate::objects::note::{RecordedNote, Recorder};
use crate::state::{CaptureLog, GraphInner, Record, Stream};
use graphcap_base::error::Result;
use graphcap_base::lock::lock;
use graphcap_driver::NodeId;

impl Stream {
    /// A launch was submitted that stated something: where it was recorded, its node keeps that.
    #[cold]
    pub(crate) fn note_stated(&self, stated: Arc<LaunchAccesses>) {
        if !self.is_shared() && !self.may_be_captured() {
            return;
        }
        // Behind a launch the stream goes on from that alone. Where another thread recorded meanwhile, the node is of other work,
        // and what is noted of it does not hold.
        if let Ok([node]) = self.frontier().as_deref() {
            self.note_recorded(*node, RecordedNote::Accesses(stated));
        }
    }

    /// Makes `submit`, which submits work, and gives the node that it recorded. `None` where no capture goes on, and where the stream
    /// does not go on from one new node alone. The node gets the name.
    ///
    /// Threads: where another thread records on the stream meanwhile, the node may be of its work.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a name of more than [`NAME_LIMIT`](crate::NAME_LIMIT) bytes; those of `submit`.
    pub fn record_named(
        &self,
        name: Option<&str>,
        submit: impl FnOnce(&Stream) -> Result<()>,
    ) -> Result<Option<NodeId>> {
        let name = name.map_or(Ok(None), name::checked)?;
        let frontier = || self.frontier().unwrap_or_default();
        // Where that cannot be told, the work itself is refused, and has its effect on captures.
        let before = self.is_recording().unwrap_or_default().then(frontier);
        submit(self)?;
        let node = before.and_then(|before| match frontier().as_slice() {
            [node] if before != [*node] => Some(*node),
            _ => None,
        });
        if let Some((node, name)) = node.zip(name) {
            self.note_recorded(node, RecordedNote::Name(name));
        }
        Ok(node)
    }

    /// The nodes that the next work of the stream will depend on.
    fn frontier(&self) -> Result<Vec<NodeId>> {
        self.driver()?.capture_frontier(self.id())
    }

    fn note_recorded(&self, node: NodeId, note: RecordedNote) {
        let Ok(Some(record)) = self.recorded_in() else { return };
        lock(&record.list).notes.push((node, note));
        record.hand_over_notes();
    }
}

impl Record {
    /// Gives the graph the notes of its nodes, where the capture goes into one that is known.
    pub(crate) fn hand_over_notes(&self) {
        let (graph, notes) = {
            let mut list = lock(&self.list);
            let Some(target) = &list.target else { return };
            (Arc::clone(&target.graph), std::mem::take(&mut list.notes))
        };
        // Where the graph is gone, so are its nodes.
        let _ = graph.take_notes(notes);
    }
}

impl EndedRecord {
    /// Gives the graph the notes of its nodes.
    pub(crate) fn hand_over_notes(&mut self, graph: &GraphInner) {
        let _ = graph.take_notes(std::mem::take(&mut self.notes));
    }
}

impl GraphInner {
    fn take_notes(&self, notes: Vec<(NodeId, RecordedNote)>) -> Result<()> {
        if notes.is_empty() {
            return Ok(());
        }
        let mut edits = self.root().lock()?;
        for (node, note) in notes {
            match note {
                RecordedNote::Accesses(stated) => edits.notes.set_accesses(node, Some(stated)),
                RecordedNote::Name(name) => edits.notes.set_name(node, Some(name)),
            }
        }
        Ok(())
    }
}

impl Graph {
    /// The accesses that the launch of a node stated. It holds where `LaunchAccesses::are_of` says so.
    ///
    /// # Errors
    /// `INVALID_HANDLE` for a graph within a node that is gone.
    pub fn node_stated(&self, node: NodeId) -> Result<Option<Arc<LaunchAccesses>>> {
        Ok(self.0.root().lock()?.notes.accesses(node))
    }

    /// Returns whether a launch of a node of the graph, or of a graph within it, stated accesses.
    ///
    /// # Errors
    /// As [`Graph::node_stated`].
    pub fn has_stated_launches(&self) -> Result<bool> {
        Ok(self.0.root().lock()?.notes.has_accesses())
    }
}

impl CaptureLog {
    /// The member `index`, which is `stream`, recorded so many nodes beside those that are counted.
    pub(crate) fn recorded_more(&self, index: usize, stream: &Stream, nodes: isize) {
        self.state.runs.goes_on(index, &self.state.recorded, || stream.as_recorder());
        self.state.runs.add(index, nodes);
    }
}

impl Record {
    /// Gives the graph, which the capture has ended in, what is known of the streams that recorded its nodes.
    pub(crate) fn tell_streams(&self, graph: &GraphInner) -> Result<()> {
        if self.log.state.is_of_others.load(Ordering::Acquire) {
            return Ok(());
        }
        let Some(turns) = self.log.state.runs.take(&self.log.state.recorded) else { return Ok(()) };
        let mut edits = graph.root().lock()?;
        // Otherwise some were added by hand, or by others.
        if graph.context().driver()?.graph_node_count(graph.id())? == turns.before + turns.count() {
            let recorded = Arc::make_mut(edits.notes.recorded_on(graph.id()));
            recorded.add(turns.before, turns.recorders, &turns.runs);
        }
        Ok(())
    }
}

impl Stream {
    /// Returns what graphs tell of the stream, as the calling thread sees it.
    pub(crate) fn as_recorder(&self) -> Recorder {
        let thread = self.membership().and_then(|membership| membership.thread);
        Recorder { key: (self.number(), thread), name: self.name() }
    }

    /// Makes `call`, which submits work that can be recorded as any number of nodes and is counted once.
    pub(crate) fn submit_several(&self, call: impl FnOnce() -> Result<()>) -> Result<()> {
        if self.is_shared() || !self.may_be_captured() {
            return call();
        }
        let nodes = || self.capture_progress().ok()?.1.map(|progress| progress.nodes);
        let before = nodes();
        call()?;
        if let Some((before, after)) = before.zip(nodes()) {
            if let Some(record) = self.present() {
                let more = (after as isize).wrapping_sub_unsigned(before) - 1;
                record.log.recorded_more(self.index(), self, more);
            }
        }
        Ok(())
    }
}
