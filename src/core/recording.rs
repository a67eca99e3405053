//! The capture that a stream is in: begun, asked about, changed, ended; and its story.

use std::collections::HashSet;
use std::sync::Arc;

use super::black_box::{self, About, Story, Violation};
use super::capture::Record;
use super::dot::{self, DotFlags};
use super::graph::{Graph, GraphInner};
use super::guarded;
use super::membership::Membership;
use super::stream::Stream;
use crate::driver::{CaptureInfo, CaptureProgress, DependencyUpdate, GraphRef, NodeId, StreamId};
use crate::error::{Error, Result, Status};
use crate::rules::{self, CaptureMode};

impl Stream {
    /// Starts recording: work submitted to the stream goes into a graph instead of running.
    ///
    /// # Errors
    /// `ILLEGAL_STATE` when the stream is being captured already; `CAPTURE_UNSUPPORTED` on the legacy stream.
    pub fn begin_capture(&self, mode: CaptureMode) -> Result<()> {
        self.begin_told_capture(mode).map(drop)
    }

    /// The same, and tells the driver's number of the capture, 0 where it was broken at once, and how it goes.
    pub(super) fn begin_told_capture(&self, mode: CaptureMode) -> Result<(u64, Arc<Story>)> {
        guarded::work(self)?;
        let story = Story::new(self, Some(mode));
        let begin = || self.driver().begin_capture(self.id(), mode).map_err(|error| self.failed_to_begin(error));
        // Before the driver begins: what ends with a thread goes in the other order, and the driver's end comes first.
        let membership = self.membership_or_new();
        let number = if self.is_shared() {
            begin().inspect(|&number| self.tell_of(&membership, number, &story))
        } else {
            membership.begin_as(Record::new(Arc::clone(&story)), begin)
        };
        number.map(|number| (number, story))
    }

    /// A capture was begun on this stream, which others use too. Only its number tells it from those that others begin.
    fn tell_of(&self, membership: &Membership, number: u64, story: &Arc<Story>) {
        story.joined_unseen();
        story.open(number);
        self.0.sharing.begun(self, number, story);
        membership.tells(Arc::clone(story));
    }

    /// Starts recording into a graph that exists. The first node will depend on `dependencies`; each counts once. The end
    /// gives the same graph; it can be looked at and instantiated meanwhile, and lives until then at least. An end that
    /// fails is the end of the graph as well: every later call on it answers `INVALID_VALUE`. Execs that were made of it
    /// go on.
    ///
    /// # Errors
    /// As [`Stream::begin_capture`]; `ILLEGAL_STATE` also while another capture goes into the graph; `INVALID_CONTEXT` for a
    /// graph of another context; `INVALID_VALUE` when one of `dependencies` is no node of the graph, or when an earlier
    /// capture into it failed; `NOT_SUPPORTED` where the driver is too old.
    pub fn begin_capture_to_graph(&self, graph: &Graph, dependencies: &[NodeId], mode: CaptureMode) -> Result<()> {
        self.context().check_same("the stream", graph.context(), "the graph")?;
        guarded::work(self)?;
        let (driver, id) = (self.driver(), self.id());
        let membership = self.membership_or_new();
        let mut before = None;
        let begin = || {
            let number = driver.begin_capture_to_graph(id, graph.id(), &distinct(dependencies), mode)?;
            before = membership.hold_target(&graph.0);
            Ok(number)
        };
        let story = Story::new(self, Some(mode));
        story.goes_into(graph.id());
        let begun = if self.is_shared() {
            membership.apart(begin).inspect(|&number| self.tell_of(&membership, number, &story))
        } else {
            // The graph has the list from the start: execs that are made of it before the end need what it keeps.
            let (record, list) = Record::to_graph(story);
            graph.0.retain(list)?;
            membership.begin_as(record, begin)
        };
        drop(before);
        begun.map(drop).map_err(|error| self.failed_to_begin(error))
    }

    /// A begin that failed harms no capture, but on the legacy stream; one that is in its way may be broken.
    #[cold]
    fn failed_to_begin(&self, error: Error) -> Error {
        match error.status {
            rules::LEGACY_BARRED => black_box::failed_on(self, error),
            _ => black_box::failed(Some(self), About::Harmless(self.present_story()), error),
        }
    }

    /// Stops recording and gives what was recorded. The graph keeps alive all that its nodes use. Of a capture into a
    /// graph that was there before it is that graph.
    ///
    /// # Errors
    /// The capture goes on after `ILLEGAL_STATE` (the stream is not captured), `CAPTURE_UNMATCHED` (the
    /// capture was begun on another stream; it is invalidated) and `CAPTURE_IMPLICIT` (this is the legacy stream, and a
    /// blocking stream is captured, which is invalidated). It is over after `CAPTURE_INVALIDATED`,
    /// `CAPTURE_UNJOINED`, `CAPTURE_WRONG_THREAD` and all others.
    pub fn end_capture(&self) -> Result<Graph> {
        guarded::end(self)?;
        self.end_capture_after(|| Ok(()))
    }

    /// The same, also in a guarded context where it discards the capture, if `check` finds in what the driver tells of the
    /// stream that it is the capture that is meant. No other gc_ call ends or begins one in between, unless the stream is
    /// shared.
    pub(super) fn end_capture_if(&self, check: impl FnOnce(CaptureInfo) -> Result<()>) -> Result<Graph> {
        self.end_capture_after(|| match self.capture_info() {
            Ok(info) => check(info),
            Err(error) if error.status == Status::NOT_PERMITTED => Err(error),
            // After a fault the driver tells nothing; the capture must be ended all the same.
            Err(_) => Ok(()),
        })
    }

    fn end_capture_after(&self, check: impl FnOnce() -> Result<()>) -> Result<Graph> {
        let membership = self.membership_or_new();
        let story = self.present_story();
        let mut is_asked = false;
        let end = || {
            check()?;
            is_asked = true;
            let graph = self.driver().end_capture(self.id())?;
            let known = membership.take_target().filter(|known| known.id() == graph);
            Ok(known.unwrap_or_else(|| GraphInner::new(self.context(), graph)))
        };
        // The driver's answer decides for a shared stream, unless its capture began before it was shared.
        let ended = if self.is_shared() && self.0.membership.current().is_none() {
            membership.apart(end)
        } else {
            membership.end(end)
        };
        if !ended.as_ref().is_err_and(goes_on_after) {
            drop(membership.take_target());
            if let Some(story) = &story {
                story.close();
                membership.tells(Arc::clone(story));
            }
        }
        let about = match self.id() {
            StreamId::LEGACY => About::Stream,
            _ if is_asked => About::End(story),
            _ => About::Harmless(None),
        };
        ended.map(Graph).map_err(|error| black_box::failed(Some(self), about, error))
    }

    /// What broke the capture that the stream is in, or else the latest one that was begun on it, as far as graphcap's C
    /// functions have met it.
    pub fn capture_violation(&self) -> Option<Arc<Violation>> {
        self.story()?.violation()
    }

    /// How the capture went that the stream is in, or else the latest one that was begun or ended on it.
    pub(super) fn story(&self) -> Option<Arc<Story>> {
        match self.shared_capture() {
            Some(capture) => self.find_story(capture),
            None => self.membership()?.story(),
        }
    }

    /// How the capture goes that the stream is in.
    pub(super) fn present_story(&self) -> Option<Arc<Story>> {
        match self.shared_capture() {
            Some(capture) => self.find_story(capture),
            None => self.membership()?.current().map(|record| Arc::clone(&record.story)),
        }
    }

    /// How the capture goes that the driver numbers so.
    fn find_story(&self, capture: u64) -> Option<Arc<Story>> {
        // Mostly the one that was begun here last.
        let told = self.membership().and_then(|membership| membership.told());
        told.filter(|story| story.is_open() && story.is_of(capture)).or_else(|| Story::find(self, capture))
    }

    /// The driver's number of the capture that the stream is in, if others use it too.
    fn shared_capture(&self) -> Option<u64> {
        let info = if self.is_shared() { self.driver().capture_info(self.id()).ok() } else { None };
        info.map(|info| info.id).filter(|&capture| capture != 0)
    }

    /// Whether the stream is being captured, and in which capture.
    ///
    /// # Errors
    /// `CAPTURE_IMPLICIT` for the legacy stream while a blocking stream is captured.
    pub fn capture_info(&self) -> Result<CaptureInfo> {
        self.driver().capture_info(self.id())
    }

    /// The same, with how far the graph is while the capture is active. On a driver that is not graphcap's own no other
    /// thread may record in the capture meanwhile.
    ///
    /// # Errors
    /// As [`Stream::capture_info`].
    pub fn capture_progress(&self) -> Result<(CaptureInfo, Option<CaptureProgress>)> {
        self.driver().capture_progress(self.id())
    }

    /// What was recorded so far as text for Graphviz. Threads: as [`Stream::capture_progress`].
    ///
    /// # Errors
    /// `ILLEGAL_STATE` when the stream is not being captured; `CAPTURE_INVALIDATED` when the capture was broken;
    /// `CAPTURE_IMPLICIT` for the legacy stream while a blocking stream is captured.
    pub fn export_capture_dot(&self, flags: DotFlags) -> Result<String> {
        dot::export(self.driver(), GraphRef::Captured(self.id()), flags)
    }

    /// Says what the next work that the stream records depends on. Each of `nodes` counts once. Nodes that are dropped
    /// need not be joined before the end. Threads: as [`Stream::capture_progress`].
    ///
    /// # Errors
    /// As [`Stream::export_capture_dot`]; `INVALID_VALUE` when one of `nodes` is no node of the capture's graph. The
    /// capture goes on.
    pub fn update_capture_dependencies(&self, nodes: &[NodeId], update: DependencyUpdate) -> Result<()> {
        self.driver().update_capture_dependencies(self.id(), &distinct(nodes), update)?;
        if let Some(story) = self.story() {
            story.dependencies_changed();
        }
        Ok(())
    }
}

/// Whether the capture of a stream goes on after an end that failed with `error`.
pub(super) fn goes_on_after(error: &Error) -> bool {
    matches!(error.status, Status::CAPTURE_UNMATCHED | Status::CAPTURE_IMPLICIT | Status::NOT_PERMITTED)
}

/// The nodes without those that came before among them.
fn distinct(nodes: &[NodeId]) -> Vec<NodeId> {
    let mut seen = HashSet::with_capacity(nodes.len());
    nodes.iter().copied().filter(|&node| seen.insert(node)).collect()
}
