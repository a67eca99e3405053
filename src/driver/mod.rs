//! What a device can do: the seam between graphcap's objects and a driver.
//!
//! [`Driver`] mirrors the CUDA driver's stream and graph model at the level of meaning, in small `Copy`
//! ids. One value of it is one context on one device. Layers above never ask which driver they run on.
//!
//! What its methods take and give is in the file of the subject; `host/` and `cuda/` implement it.

mod callbacks;
mod copy;
mod cuda;
mod device;
pub(crate) mod forked;
mod graph;
pub mod host;
mod ids;
mod kernel;
mod memory;
pub mod mode;
mod region;
mod stream;
mod threads;
mod users;
mod values;

use std::time::Duration;

use crate::error::Result;
use crate::rules::CaptureMode;

pub(crate) use device::open;
pub(crate) use threads::start as start_thread;
pub(crate) use values::MOST_IN_A_BATCH;

pub use copy::{Memcpy, MemcpyKind, Memset, Snapshot};
pub use device::{device_count, device_info, settle_auto, DeviceChoice, DeviceInfo, DeviceKind};
pub use graph::{GraphDescription, GraphNodes, NodeDescription, NodeKind, Retain, Retained};
pub use ids::{EventId, ExecId, GraphId, KernelId, MemoryId, ModuleId, NodeId, Object, StreamId};
pub use kernel::{Argument, HostBlock, HostFunction, HostKernel, HostKernelFunction, LaunchShape, ModuleSource};
pub use memory::{Address, Attach, HostMemory, HostMemoryOptions, MemoryKind};
pub use mode::exchange_capture_mode;
pub use region::{MemcpyRows, Steps};
pub use stream::{
    AttributeValue, CaptureInfo, CaptureProgress, CaptureStatus, DependencyUpdate, EventOptions, IpcHandle,
    StreamOptions,
};
pub use users::{UsedBy, Users};
pub use values::{Comparison, Value, ValueAction, ValueOperation};

/// A context on a device: everything that graphcap asks of a driver.
///
/// # Rules for all methods
///
/// Any method may be called from any thread. Ids must be of this context and not destroyed, except for those of
/// `release`'s `used_by`: an implementation may rely on that, or answer `INVALID_HANDLE`. Work is asynchronous: a
/// method that takes a stream returns when the work is queued or, while the stream is captured, recorded; a foreign
/// driver may make the caller wait for a copy of memory that it does not know. A context that faulted answers every
/// call but destroys with the fault's status; a foreign driver may go on to answer what it knows without the device.
/// The capture rules of [`crate::rules`] hold: a call that they bar fails with their code and invalidates what it
/// conflicts with.
///
/// Destroys cannot fail, return at once, never count as unsafe calls under the capture rules, and take
/// effect when the work that was submitted before has completed.
pub trait Driver: Send + Sync {
    /// The device that this context is on.
    fn device(&self) -> &DeviceInfo;

    /// Waits for all work of the context. Barred (900) while one of its streams is captured.
    fn synchronize(&self) -> Result<()>;
    /// The same, but no longer than `limit`; whether all had completed.
    fn synchronize_for(&self, limit: Duration) -> Result<bool>;
    /// Gives back what was destroyed and could not be given back without waiting. May wait for all work of the device;
    /// harms no capture.
    fn collect(&self) -> Result<()>;

    /// Whether others can submit to, and capture, streams of this context behind graphcap's back: the per-thread
    /// stream, wrapped streams, and streams whose native handle was given out.
    fn shares_streams(&self) -> bool;
    /// The foreign driver's own handle of an object. `NOT_SUPPORTED` on a device without such handles.
    fn native(&self, object: Object) -> Result<usize>;
    /// Makes a stream of the foreign driver's known; `stream_destroy` forgets it and leaves the stream itself alone, and
    /// of its captures all but those that [`Driver::begin_capture_to_graph`] began.
    /// `INVALID_CONTEXT` for a stream of another context, `NOT_SUPPORTED` on a device without native handles. Whoever
    /// gives the number promises that it is a live stream of the foreign driver's until it is destroyed here.
    fn stream_wrap(&self, native: usize) -> Result<StreamId>;

    /// Makes a stream.
    fn stream_create(&self, options: StreamOptions) -> Result<StreamId>;
    /// Forgets a stream; its queued work still runs. A capture that it began is gone, its forks execute again.
    /// [`StreamId::PER_THREAD`] itself stays; the captures that were begun on it are gone, by whichever thread, or by
    /// this one alone on a device that lets only a thread itself end them.
    fn stream_destroy(&self, stream: StreamId);
    /// Whether the stream was destroyed and all its work is known to be complete, so that nothing need wait for it. False
    /// for [`StreamId::UNKNOWN`].
    fn stream_is_over(&self, stream: StreamId) -> bool;
    /// Waits until everything submitted to the stream so far has completed.
    fn stream_synchronize(&self, stream: StreamId) -> Result<()>;
    /// The same, but no longer than `limit`; whether it had. A capture that begins meanwhile is left alone.
    fn stream_synchronize_for(&self, stream: StreamId, limit: Duration) -> Result<bool>;
    /// Whether everything submitted to the stream so far has completed.
    fn stream_is_complete(&self, stream: StreamId) -> Result<bool>;
    /// Orders later work of the stream after the event's latest record.
    fn stream_wait_event(&self, stream: StreamId, event: EventId) -> Result<()>;
    /// Records a node, at which each replay waits for the record that the event holds when the replay is launched.
    /// `ILLEGAL_STATE` when the stream is not being captured.
    fn stream_wait_event_external(&self, stream: StreamId, event: EventId) -> Result<()>;

    /// The priorities that streams can have: the least urgent one and the most urgent one, which is a lower number.
    fn stream_priority_range(&self) -> Result<(i32, i32)>;
    /// Whether the stream runs without regard to the legacy stream. Harms no capture: `CAPTURE_UNSUPPORTED` where a
    /// foreign driver would have to be asked and that would harm one.
    fn stream_is_non_blocking(&self, stream: StreamId) -> Result<bool>;
    /// The priority of the stream, within that range. Harms no capture.
    fn stream_priority(&self, stream: StreamId) -> Result<i32>;
    /// An attribute of the stream, by CUDA's number for it. `INVALID_VALUE` for one that streams do not have; rule R3 for the
    /// legacy stream, as for the next two.
    fn stream_attribute(&self, stream: StreamId, attribute: u32) -> Result<AttributeValue>;
    /// Sets an attribute, for the work that is submitted from here on. `INVALID_VALUE` also for a value that cannot be.
    fn stream_set_attribute(&self, stream: StreamId, attribute: u32, value: &AttributeValue) -> Result<()>;
    /// Sets the attributes of a stream to those of another one.
    fn stream_copy_attributes(&self, destination: StreamId, source: StreamId) -> Result<()>;

    /// Says who may use the managed memory at `address`, when the work before it has completed. Barred (900) on a stream that
    /// is being captured, which is invalidated.
    fn stream_attach(&self, stream: StreamId, address: Address, attach: Attach) -> Result<()>;

    /// Starts recording. Gives the number of the capture; 0 where the driver did not tell it, as it was broken at once.
    fn begin_capture(&self, stream: StreamId, mode: CaptureMode) -> Result<u64>;
    /// Keeps `retained` alive as [`Driver::graph_retain`] does, for the graph that the stream is being captured into.
    /// Asked only where [`Driver::shares_streams`]; `ILLEGAL_STATE` when the stream is not being captured.
    fn capture_retain(&self, stream: StreamId, retained: Retained) -> Result<()>;
    /// The same into a graph that exists; the first node will depend on `dependencies`, which are distinct.
    /// `INVALID_VALUE` when one of them is no node of the graph, `NOT_SUPPORTED` where a foreign driver is too old. The
    /// graph must not be destroyed while the capture goes on.
    fn begin_capture_to_graph(
        &self,
        stream: StreamId,
        graph: GraphId,
        dependencies: &[NodeId],
        mode: CaptureMode,
    ) -> Result<u64>;
    /// Stops recording and gives the graph: a new one, or the one that was recorded into. On failure the capture is over
    /// all the same, except for 401 and 903.
    fn end_capture(&self, stream: StreamId) -> Result<GraphId>;
    /// The state of the stream's capture. 906 for the legacy stream while a blocking stream is captured.
    fn capture_info(&self, stream: StreamId) -> Result<CaptureInfo>;
    /// Where the driver's own log of failures ends now; `None` for a driver without one.
    fn log_position(&self) -> Option<u32> {
        None
    }
    /// What the driver wrote to its log since then.
    fn log_since(&self, position: u32) -> Option<String> {
        let _ = position;
        None
    }
    /// The same, with how far the graph is while the capture is active.
    fn capture_progress(&self, stream: StreamId) -> Result<(CaptureInfo, Option<CaptureProgress>)>;
    /// The graph so far, for a person. `ILLEGAL_STATE` when the stream is not being captured, `CAPTURE_INVALIDATED` when
    /// the capture was broken.
    fn capture_describe(&self, stream: StreamId) -> Result<GraphDescription>;
    /// Says what the stream's next node depends on. `nodes` are distinct. Nodes that are dropped need not be joined.
    /// Statuses as of [`Driver::capture_describe`], and `INVALID_VALUE` when one of `nodes` is not of the graph; the
    /// capture goes on.
    fn update_capture_dependencies(&self, stream: StreamId, nodes: &[NodeId], update: DependencyUpdate) -> Result<()>;

    /// Makes an event.
    fn event_create(&self, options: EventOptions) -> Result<EventId>;
    /// Forgets an event; waits on it that were submitted still hold, and so do nodes of launches on `used_by`, destroyed
    /// streams included, that were submitted so far.
    fn event_destroy(&self, event: EventId, used_by: &[StreamId]);
    /// Marks the point that the stream has reached.
    fn event_record(&self, event: EventId, stream: StreamId) -> Result<()>;
    /// Records a node, at which each replay reaches the event; its launch is the record. `ILLEGAL_STATE` when the stream
    /// is not being captured.
    fn event_record_external(&self, event: EventId, stream: StreamId) -> Result<()>;
    /// Whether the latest record was reached; true for an event that was never recorded.
    fn event_is_complete(&self, event: EventId) -> Result<bool>;
    /// Waits until the latest record is reached.
    fn event_synchronize(&self, event: EventId) -> Result<()>;
    /// The same, but no longer than `limit`; whether it was. `unless_captured` makes a call, unless the event was recorded
    /// in a capture since, and lets nobody do so meanwhile: a question would harm that capture.
    fn event_synchronize_for(
        &self,
        event: EventId,
        limit: Duration,
        unless_captured: &dyn Fn(&mut dyn FnMut()),
    ) -> Result<bool>;
    /// Milliseconds between two completed records. `NOT_READY` while one is pending, `INVALID_HANDLE` when one
    /// was never recorded or takes no times.
    fn event_elapsed_ms(&self, start: EventId, end: EventId) -> Result<f32>;
    /// What other processes open the event by; it must have been made for that. `NOT_SUPPORTED` on a device whose events
    /// are of one process.
    fn event_ipc_handle(&self, event: EventId) -> Result<IpcHandle>;
    /// Makes an event that is one of another process. `NOT_SUPPORTED` as above.
    fn event_open_ipc(&self, handle: &IpcHandle) -> Result<EventId>;

    /// Allocates device memory, at least 256-byte aligned, not cleared. Never an unsafe call under the capture rules.
    fn allocate(&self, bytes: usize, kind: MemoryKind) -> Result<(MemoryId, Address)>;
    /// Makes memory of the caller's known to the device. `on_release` runs once, on any thread, where it may
    /// block, after [`Driver::release`] and the work that uses it. `INVALID_VALUE` where the device cannot use it.
    fn adopt(&self, address: Address, bytes: usize, on_release: Box<dyn FnOnce() + Send>) -> Result<MemoryId>;
    /// Lets device number `ordinal`, of the same kind, reach the memory that this context allocates, from here on. Never an
    /// unsafe call under the capture rules.
    fn lend(&self, ordinal: u32) -> Result<()>;
    /// Names memory that another context on the same kind of device has lent to this one. `on_release` runs once, on any
    /// thread, after [`Driver::release`] and the work that uses it; it runs no code of the caller's, but may drop a
    /// context. Asks nothing of a foreign driver.
    fn borrow(&self, on_release: Box<dyn FnOnce() + Send>) -> Result<MemoryId>;
    /// Gives memory back once the work submitted so far to `used_by` has completed, destroyed streams
    /// included. Does not wait; the memory stays valid until then. Pinned host memory may go back in [`Driver::collect`]
    /// or [`Driver::synchronize`] alone, where that would wait.
    fn release(&self, memory: MemoryId, used_by: &[StreamId]);

    /// Allocates pinned host memory, aligned as [`Driver::allocate`] does, not cleared. Never an unsafe call under the
    /// capture rules.
    fn host_allocate(&self, bytes: usize, options: HostMemoryOptions) -> Result<HostMemory>;
    /// Pins host memory of the caller's. `on_release` runs as that of [`Driver::adopt`], when it is pinned no longer.
    /// `HOST_MEMORY_ALREADY_REGISTERED` where it is pinned already. Never an unsafe call under the capture rules.
    fn host_register(
        &self,
        address: Address,
        bytes: usize,
        options: HostMemoryOptions,
        on_release: Box<dyn FnOnce() + Send>,
    ) -> Result<HostMemory>;

    /// Queues or records a copy.
    fn memcpy(&self, stream: StreamId, copy: Memcpy) -> Result<()>;
    /// Queues or records a copy of several rows. With a `snapshot` the source lies in it; whoever submits keeps it alive
    /// where the copy is recorded, the device until a copy that is queued has run.
    fn memcpy_rows(&self, stream: StreamId, copy: &MemcpyRows, snapshot: Option<Snapshot>) -> Result<()>;
    /// Waits until what was submitted to the legacy stream so far has completed, for calls that submit to it and return
    /// when that is done. Never an unsafe call under the capture rules, and harms no capture: 906 when a blocking stream
    /// is captured meanwhile, of which the wait would be a part.
    fn finish_legacy(&self) -> Result<()>;
    /// Queues or records a memset.
    fn memset(&self, stream: StreamId, set: Memset) -> Result<()>;
    /// Queues or records a value operation. `NOT_SUPPORTED` where the device cannot do it.
    fn value_operation(&self, stream: StreamId, operation: ValueOperation) -> Result<()>;
    /// Queues or records value operations, at least 1 and at most [`MOST_IN_A_BATCH`], one after another and as one
    /// piece of work. Otherwise as [`Driver::value_operation`].
    fn value_batch(&self, stream: StreamId, operations: &[ValueOperation]) -> Result<()>;
    /// Queues or records a kernel. The arguments are copied before it returns.
    fn launch_kernel(
        &self,
        stream: StreamId,
        kernel: KernelId,
        shape: LaunchShape,
        arguments: &[Argument<'_>],
    ) -> Result<()>;
    /// Queues or records a host function.
    fn launch_host_function(&self, stream: StreamId, function: HostFunction) -> Result<()>;

    /// Loads code.
    fn module_load(&self, source: ModuleSource<'_>) -> Result<ModuleId>;
    /// Unloads code once nothing uses it; where that would wait, in [`Driver::collect`] or [`Driver::synchronize`].
    fn module_unload(&self, module: ModuleId);
    /// Finds a kernel by its exact name.
    fn module_kernel(&self, module: ModuleId, name: &str) -> Result<KernelId>;
    /// Size of each parameter in bytes, or `None` where the device does not know them.
    fn kernel_parameters(&self, kernel: KernelId) -> Result<Option<Vec<usize>>>;
    /// Whether the kernel can be launched with `shape`, as far as its limits and the device's are known: what
    /// [`Driver::launch_kernel`] would answer, without harm to a capture. `INVALID_VALUE`, `LAUNCH_OUT_OF_RESOURCES`.
    fn check_shape(&self, kernel: KernelId, shape: LaunchShape) -> Result<()>;

    /// Makes a graph without nodes.
    fn graph_create(&self) -> Result<GraphId>;
    /// Keeps `retained` alive until the graph, every exec made from it hereafter, and their launches are gone; or, in the
    /// place of launches that are in flight when an exec goes, tells it of their streams ([`Retain::used_by`]). Code and
    /// host functions that such launches use the device keeps by itself.
    fn graph_retain(&self, graph: GraphId, retained: Retained) -> Result<()>;
    /// Forgets a graph; its execs live on.
    fn graph_destroy(&self, graph: GraphId);
    /// Number of nodes.
    fn graph_node_count(&self, graph: GraphId) -> Result<usize>;
    /// Number of edges.
    fn graph_edge_count(&self, graph: GraphId) -> Result<usize>;
    /// The nodes and edges by their ids.
    fn graph_nodes(&self, graph: GraphId) -> Result<GraphNodes>;
    /// The graph for a person.
    fn graph_describe(&self, graph: GraphId) -> Result<GraphDescription>;

    /// Makes an executable of the graph as it is now; tells how many nodes it has. An unsafe call under the capture rules.
    fn graph_instantiate(&self, graph: GraphId) -> Result<(ExecId, usize)>;
    /// Forgets an exec; its launches still run.
    fn exec_destroy(&self, exec: ExecId);
    /// Prepares an exec for its first launch.
    fn exec_upload(&self, exec: ExecId, stream: StreamId) -> Result<()>;
    /// Queues one replay. Launches of one exec run one after another, in the order of these calls.
    fn exec_launch(&self, exec: ExecId, stream: StreamId) -> Result<()>;
}

/// Runs `function` soon on a thread of graphcap's, where it may block.
pub(crate) fn run_aside(function: Box<dyn FnOnce() + Send>) {
    callbacks::run(function);
}

/// For the end of the process: has threads of graphcap's end that have nothing to do. Whether none is left; never waits.
pub(crate) fn have_threads_ended() -> bool {
    threads::end();
    callbacks::wake_idle();
    let are_over = threads::are_all_over();
    if are_over {
        host::forget_ended_lanes();
    }
    are_over
}

/// Whether the calling thread runs work, which then waits for it.
pub(crate) fn is_within_work() -> bool {
    callbacks::check_caller().is_err()
}
