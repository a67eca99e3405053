//! Handles that graphcap shares with others who use the same driver: native ones, given out and taken.

use super::{CaptureInfo, EventId, ExecFlags, ExecId, GraphId, KernelId, ModuleId, NodeId, StreamId};
use graphcap_base::error::Result;

/// Objects that others use too. The rules of [`Driver`](super::Driver) hold.
pub trait Foreign: Send + Sync {
    /// Returns whether others can submit to, and capture, streams of this context behind graphcap's back: the per-thread
    /// stream, wrapped streams, and streams whose native handle was given out.
    fn shares_streams(&self) -> bool;
    /// The foreign driver's own handle of an object. `NOT_SUPPORTED` on a device without such handles; `INVALID_VALUE` for a node
    /// that the graph does not have. Whoever has the handle of a graph, or of a node, may change the graph.
    fn native(&self, object: Object) -> Result<usize>;
    /// Makes a stream of the foreign driver's known; `stream_destroy` forgets it and leaves the stream itself alone, and
    /// of its captures all but those that [`Captures::begin_capture_to_graph`](super::Captures::begin_capture_to_graph) began.
    /// `INVALID_CONTEXT` for a stream of another context, `NOT_SUPPORTED` on a device without native handles. Whoever
    /// gives the number promises that it is a live stream of the foreign driver's until it is destroyed here.
    fn stream_wrap(&self, native: usize) -> Result<StreamId>;
    /// Makes a graph of the foreign driver's known, or finds it where it is known already: true if it was not. Others may change it, as one
    /// whose handle was given out; [`Graphs::graph_destroy_with`](super::Graphs::graph_destroy_with) forgets it and leaves the graph itself
    /// alone until [`Foreign::graph_own`]. `INVALID_VALUE` where no graph is at that address, as far as the driver tells,
    /// `INVALID_CONTEXT` where another context knows it, `NOT_SUPPORTED` on a device without native handles. Whoever gives the number
    /// promises that a graph there lives until it is destroyed here, and is within no other graph.
    fn graph_wrap(&self, native: usize) -> Result<(GraphId, bool)>;
    /// A graph that was wrapped is destroyed with its id from here on.
    fn graph_own(&self, graph: GraphId);
    /// As [`Foreign::graph_wrap`], for an exec. `graph` is the graph that it was made of, as it was then.
    fn exec_wrap(&self, native: usize, graph: Option<GraphId>) -> Result<WrappedExec>;
    /// As [`Foreign::graph_own`], for an exec.
    fn exec_own(&self, exec: ExecId);
    /// Tells the capture that a stream of the foreign driver's is in. Of the legacy stream none, which is not asked about; none on a device
    /// without native handles. The promise is that of [`Foreign::stream_wrap`], for the call.
    fn native_capture(&self, native: usize) -> Result<CaptureInfo>;
}

/// An exec of the foreign driver's.
pub struct WrappedExec {
    /// Its id.
    pub id: ExecId,
    /// True if it was not known before.
    pub is_new: bool,
    /// Number of its nodes; 0 where no graph tells.
    pub nodes: usize,
    /// The flags that it was made with.
    pub flags: ExecFlags,
}

/// An object that a foreign driver knows by a handle of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Object {
    /// The context itself.
    Context,
    /// A stream.
    Stream(StreamId),
    /// An event.
    Event(EventId),
    /// A module.
    Module(ModuleId),
    /// A kernel.
    Kernel(KernelId),
    /// A graph.
    Graph(GraphId),
    /// A node of a graph.
    Node(GraphId, NodeId),
    /// A graph exec.
    Exec(ExecId),
}
