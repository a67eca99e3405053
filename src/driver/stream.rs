//! Streams and events, and the captures of streams: how they are made, and what is told of them.

use super::NodeId;

/// How a stream is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StreamOptions {
    /// Whether the stream runs without regard to the legacy stream.
    pub non_blocking: bool,
    /// Lower is more urgent, as on CUDA. Clamped by the driver to its range.
    pub priority: i32,
}

/// How an event is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EventOptions {
    /// Whether waiting threads should sleep rather than spin.
    pub blocking_sync: bool,
    /// Whether the event takes no time stamps; elapsed time cannot be asked of it then.
    pub disable_timing: bool,
    /// Whether other processes can open it. Such an event takes no time stamps.
    pub interprocess: bool,
}

/// The value of an attribute of a stream, laid out as CUDA has it for that attribute.
pub type AttributeValue = [u8; 64];

/// What another process opens an event by, as CUDA has it.
pub type IpcHandle = [u8; 64];

/// Whether a stream is being captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CaptureStatus {
    /// The stream executes its work.
    None,
    /// The stream records its work.
    Active,
    /// The capture was broken; it must be ended.
    Invalidated,
}

/// What a driver tells of a stream's capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CaptureInfo {
    /// The state.
    pub status: CaptureStatus,
    /// Number of the capture, the same for all its streams, growing from capture to capture; 0 without one.
    pub id: u64,
}

/// What a driver tells of the graph that a stream is being captured into.
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

/// What [`Driver::update_capture_dependencies`](super::Driver::update_capture_dependencies) does with the nodes. The
/// numbers are CUDA's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DependencyUpdate {
    /// Adds them to those that there are.
    Add = 0,
    /// Has them take the place of those that there are.
    Set = 1,
}
