//! Streams that recorded the nodes of a graph, on the way from a capture to its graph: counted by [`runs`](super::runs).

use std::sync::atomic::Ordering;
use std::sync::Arc;

use crate::objects::recorded_on::Recorder;
use crate::state::{CaptureLog, GraphInner, Record, Stream};
use graphcap_base::error::Result;

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
            recorded.add(turns.before, &turns.recorders, &turns.runs);
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

#[cfg(test)]
#[path = "recorders_tests.rs"]
mod tests;
