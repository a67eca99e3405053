//! Captures of streams: begun, asked about, changed, ended.

use super::{DependencyUpdate, GraphId, Lists, NodeId, Retained, StreamId, Work};
use crate::rules::CaptureMode;
use graphcap_base::error::Result;

/// The captures of the streams of a context. The rules of [`Driver`](super::Driver) hold.
pub trait Captures: Send + Sync {
    /// Starts recording. Gives the number of the capture; 0 where the driver did not tell it, as it was broken at once.
    fn begin_capture(&self, stream: StreamId, mode: CaptureMode) -> Result<u64>;
    /// Starts recording into a graph that exists, as [`Captures::begin_capture`] does otherwise; the first node will depend on
    /// `dependencies`, which are distinct.
    /// The device's graph holds `kept` meanwhile, where others can end the capture.
    /// `INVALID_VALUE` when one of `dependencies` is no node of the graph, `NOT_SUPPORTED` where a foreign driver is too old. The
    /// graph must not be destroyed while the capture goes on.
    fn begin_capture_to_graph(
        &self,
        stream: StreamId,
        graph: GraphId,
        dependencies: &[NodeId],
        mode: CaptureMode,
        kept: &[Retained],
    ) -> Result<u64>;
    /// Stops recording and gives the graph: a new one, or the one that was recorded into. On failure the capture is over
    /// all the same, except for 401 and 903. Puts into `held` what the device's graph held for the capture and holds no longer, for the
    /// caller to keep.
    fn end_capture_with(&self, stream: StreamId, held: &mut Lists) -> Result<GraphId>;
    /// [`Captures::end_capture_with`] of a capture that nothing is held for.
    fn end_capture(&self, stream: StreamId) -> Result<GraphId> {
        self.end_capture_with(stream, &mut Lists::new())
    }
    /// The state of the stream's capture. 906 for the legacy stream while a blocking stream is captured.
    fn capture_info(&self, stream: StreamId) -> Result<CaptureInfo>;
    /// As [`Captures::capture_info`], for who asks at each call and does not tell why it failed: `None` then.
    fn capture_now(&self, stream: StreamId) -> Option<CaptureInfo> {
        self.capture_info(stream).ok()
    }
    /// Returns the state of the capture and, while it is active, the graph recorded so far.
    fn capture_progress(&self, stream: StreamId) -> Result<(CaptureInfo, Option<CaptureProgress>)>;
    /// The nodes that the stream's next node will depend on; none where the stream is in no active capture.
    fn capture_frontier(&self, stream: StreamId) -> Result<Vec<NodeId>> {
        Ok(self.capture_progress(stream)?.1.map_or_else(Vec::new, |progress| progress.frontier))
    }
    /// The graph that a capture goes into which was begun on `stream`, as a graph that can be looked at and edited meanwhile. The
    /// end gives the same graph, as after [`Captures::begin_capture_to_graph`], and it must not be destroyed before.
    /// `ILLEGAL_STATE` when the stream is not being captured; `CAPTURE_INVALIDATED` when the capture was broken; `NOT_SUPPORTED`
    /// for a capture that was begun on another stream, or by others.
    fn capture_graph(&self, stream: StreamId) -> Result<GraphId>;
    /// Says what the stream's next node depends on. `nodes` are distinct. Nodes that are dropped need not be joined.
    /// `ILLEGAL_STATE` when the stream is not being captured; `CAPTURE_INVALIDATED` when the capture was broken;
    /// `INVALID_VALUE` when one of `nodes` is not of the graph. The capture goes on.
    fn update_capture_dependencies(&self, stream: StreamId, nodes: &[NodeId], update: DependencyUpdate) -> Result<()>;
    /// Puts a node that does `work`, which is a child or a conditional, into the capture of `stream`, which goes into `graph`, a graph
    /// within a node: behind what the stream recorded last, and before what it records next. The graph has the node at the end of
    /// the capture, as it has what is recorded; until then the child must live as it is. Errors as those of
    /// [`GraphEdits::graph_add_node`](super::GraphEdits::graph_add_node); `ILLEGAL_STATE` when the stream is not being captured into
    /// that graph; `CAPTURE_INVALIDATED` when the capture was broken. The capture goes on.
    fn capture_put(&self, stream: StreamId, graph: GraphId, work: &Work<'_>) -> Result<NodeId>;
    /// Makes the device's graph hold `retained` as [`Graphs::graph_retain`](super::Graphs::graph_retain) does, for the graph that the stream
    /// is being captured into, until the end. Asked only where [`Foreign::shares_streams`](super::Foreign::shares_streams);
    /// `ILLEGAL_STATE` when the stream is not being captured.
    fn capture_retain(&self, stream: StreamId, retained: Retained) -> Result<()>;
    /// End of the driver's own log of failures by now; `None` for a driver without one.
    fn log_position(&self) -> Option<u32> {
        None
    }
    /// Returns what the driver wrote to its log since then.
    fn log_since(&self, position: u32) -> Option<String> {
        let _ = position;
        None
    }
}

/// Tells whether a stream is being captured, by C's numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CaptureStatus {
    /// The stream executes its work.
    None = 0,
    /// The stream records its work.
    Active = 1,
    /// The capture was broken; it must be ended.
    Invalidated = 2,
}

/// State of a stream's capture, as a driver tells it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CaptureInfo {
    /// The state.
    pub status: CaptureStatus,
    /// Number of the capture, the same for all its streams, growing from capture to capture; 0 without one.
    pub id: u64,
}

/// State of the graph that a stream is being captured into, as a driver tells it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CaptureProgress {
    /// Number of nodes so far.
    pub nodes: usize,
    /// Number of edges so far.
    pub edges: usize,
    /// The nodes that the stream's next node will depend on.
    pub frontier: Vec<NodeId>,
    /// A foreign driver's own handle of the graph; 0 where there is none.
    pub native: usize,
}
