//! What a device can do: the seam between graphcap's objects and a driver.
//!
//! [`Driver`] mirrors the CUDA driver's stream and graph model at the level of meaning, in small `Copy`
//! ids. One value of it is one context on one device. Layers above never ask which driver they run on.

mod callbacks;
mod cuda;
pub mod host;
mod ids;
pub mod mode;
mod region;

use std::ffi::c_void;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::error::{Error, Result};
use crate::rules::CaptureMode;

pub use mode::exchange_capture_mode;
pub use region::{MemcpyRows, Steps};

/// Declares the id types: numbers that mean something to the driver that made them only.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $($(#[$doc])* #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)] pub struct $name(pub u64);)*
    };
}

ids! {
    /// A stream. [`StreamId::LEGACY`] and [`StreamId::PER_THREAD`] exist in every context.
    StreamId;
    /// An event.
    EventId;
    /// A range of device memory: an allocation, or memory of the caller's made known to the device.
    MemoryId;
    /// A loaded module.
    ModuleId;
    /// A kernel of a loaded module; dies with it.
    KernelId;
    /// A graph: the definition.
    GraphId;
    /// A graph exec: the executable.
    ExecId;
    /// A node of a graph. Dies with its graph; 0 is none.
    NodeId;
}

impl StreamId {
    /// The legacy default stream, which orders against all blocking streams. CUDA's number for it.
    pub const LEGACY: StreamId = StreamId(1);
    /// The default stream of whichever thread makes the call. CUDA's number for it.
    pub const PER_THREAD: StreamId = StreamId(2);
}

/// A place in device memory, as a number: what a kernel gets as its pointer argument.
pub type Address = u64;

/// The kinds of device.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DeviceKind {
    /// NVIDIA's driver.
    Cuda,
    /// The device built into this library.
    Host,
}

/// A device, as a person would name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceInfo {
    /// Which driver it belongs to.
    pub kind: DeviceKind,
    /// Its number among the devices of that kind, from 0.
    pub ordinal: u32,
    /// Its name, such as "NVIDIA H200" or "graphcap host device (2 lanes)".
    pub name: String,
}

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

/// What [`Driver::update_capture_dependencies`] does with the nodes. The numbers are CUDA's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DependencyUpdate {
    /// Adds them to those that there are.
    Add = 0,
    /// Has them take the place of those that there are.
    Set = 1,
}

/// The nodes of a graph and what orders them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphNodes {
    /// In the order in which they were made.
    pub nodes: Vec<NodeId>,
    /// From and to.
    pub edges: Vec<(NodeId, NodeId)>,
}

/// Where a copy reads and writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemcpyKind {
    /// From host memory into device memory.
    HostToDevice,
    /// From device memory into host memory.
    DeviceToHost,
    /// Within device memory.
    DeviceToDevice,
    /// Within device memory, of which one side at least is of another context than the stream, on the same kind of device.
    BetweenContexts,
}

/// A copy of `bytes` bytes from `source` to `destination`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memcpy {
    /// First byte written.
    pub destination: Address,
    /// First byte read.
    pub source: Address,
    /// How many bytes.
    pub bytes: usize,
    /// Which side is the device's.
    pub kind: MemcpyKind,
}

/// Sets `rows` rows of `count` elements of `element_size` bytes (1, 2 or 4) to the low bytes of `value`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memset {
    /// First byte written; a multiple of `element_size`.
    pub address: Address,
    /// The value; what does not fit an element is ignored.
    pub value: u32,
    /// 1, 2 or 4 bytes.
    pub element_size: u8,
    /// How many elements in a row.
    pub count: usize,
    /// How many rows; not 0.
    pub rows: usize,
    /// Bytes from the start of a row to that of the next one, a multiple of `element_size`; unused where there is one row.
    pub pitch: usize,
}

impl Memset {
    /// Bytes from the first that is written to the end of the last row. `None` when that is more than there can be.
    pub fn span(&self) -> Option<usize> {
        let width = self.count.checked_mul(usize::from(self.element_size))?;
        Steps { row: self.pitch, slice: 0 }.span(width, self.rows, 1)
    }
}

/// Bytes of the host's that a copy reads in the place of memory of the caller's.
pub type Snapshot = Arc<[u8]>;

/// What memory of the device is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemoryKind {
    /// Work of all kinds but value operations, which a foreign driver does not do on memory of pools.
    Pooled,
    /// Value operations too.
    Waitable,
    /// The CPU and the device use the same addresses; attached so at first.
    Managed(Attach),
}

/// Who may use managed memory, by CUDA's numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attach {
    /// Every stream.
    Global = 1,
    /// The CPU alone.
    Host = 2,
    /// One stream.
    Single = 4,
}

/// How host memory is pinned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HostMemoryOptions {
    /// Contexts other than this one treat it as pinned, too.
    pub portable: bool,
    /// The device has an address for it.
    pub mapped: bool,
    /// Quick to write for the CPU and to read for the device; slow to read for the CPU.
    pub write_combined: bool,
}

/// Host memory that the device reaches by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HostMemory {
    /// Its name, for [`Driver::release`].
    pub memory: MemoryId,
    /// Where it starts for the CPU.
    pub address: Address,
    /// Where it starts for the device, if it is mapped.
    pub mapped: Option<Address>,
}

/// A number that a value operation writes or compares, which is as wide as what it does so with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// 32 bits.
    U32(u32),
    /// 64 bits.
    U64(u64),
}

impl Value {
    /// How many bytes of memory it has; their address is a multiple of that.
    pub fn bytes(self) -> usize {
        match self {
            Value::U32(_) => 4,
            Value::U64(_) => 8,
        }
    }
}

/// What has to be true of the value `v` in memory and that of a wait, `w`. The numbers are CUDA's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    /// `v - w`, which wraps, is not negative as a signed number: the cyclic greater or equal.
    GreaterOrEqual = 0,
    /// `v == w`.
    Equal = 1,
    /// `v & w` is not 0.
    And = 2,
    /// Not all bits are set in `v | w`.
    Nor = 3,
}

/// What a value operation does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ValueAction {
    /// Writes the value.
    Write {
        /// Whether what was written before is seen before.
        barrier: bool,
    },
    /// Holds what comes after it until the comparison is true.
    Wait {
        /// What has to be true.
        comparison: Comparison,
        /// Whether writes of other devices that have arrived are then seen by what comes after it.
        flush: bool,
    },
}

/// Writes a value into device memory, or waits for one there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ValueOperation {
    /// First byte; a multiple of the value's size.
    pub address: Address,
    /// What is written or compared with.
    pub value: Value,
    /// Which of the two.
    pub action: ValueAction,
}

impl fmt::Display for ValueOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, bits) = match self.value {
            Value::U32(value) => (u64::from(value), 32),
            Value::U64(value) => (value, 64),
        };
        let word = match self.action {
            ValueAction::Write { .. } => "write",
            ValueAction::Wait { comparison: Comparison::GreaterOrEqual, .. } => "wait for >=",
            ValueAction::Wait { comparison: Comparison::Equal, .. } => "wait for ==",
            ValueAction::Wait { comparison: Comparison::And, .. } => "wait for &",
            ValueAction::Wait { comparison: Comparison::Nor, .. } => "wait for nor",
        };
        write!(f, "{word} {value:#x}, {bits} bits at {:#x}", self.address)
    }
}

/// How many value operations a batch can have; CUDA's limit.
pub(crate) const MOST_IN_A_BATCH: usize = 255;

/// The operations of a node in words, as many as a person would read.
fn describe_values(mut operations: impl ExactSizeIterator<Item = String>) -> String {
    const SHOWN: usize = 8;
    let count = operations.len();
    let mut text = operations.by_ref().take(SHOWN).collect::<Vec<_>>().join("\n");
    if count > SHOWN {
        text.push_str(&format!("\nand {} more", count - SHOWN));
    }
    text
}

/// The shape of a launch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LaunchShape {
    /// Blocks in x, y and z.
    pub grid: [u32; 3],
    /// Threads per block in x, y and z.
    pub block: [u32; 3],
    /// Dynamic shared memory per block in bytes.
    pub shared_mem_bytes: u32,
}

/// One kernel argument, by value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument<'a> {
    /// A device address.
    Address(Address),
    /// The bytes of a value, as the kernel's parameter has them.
    Value(&'a [u8]),
}

impl Argument<'_> {
    /// Size of the parameter that it fills, in bytes.
    pub fn size(&self) -> usize {
        match self {
            Argument::Address(_) => std::mem::size_of::<Address>(),
            Argument::Value(bytes) => bytes.len(),
        }
    }
}

/// A function of the caller's that a stream runs. It may run many times, once per replay, and never two at
/// once for one launch.
pub type HostFunction = Arc<dyn Fn() + Send + Sync>;

/// Something that a graph keeps alive until it and all its execs are gone and no launch is in flight.
pub type Retained = Arc<dyn Retain>;

/// What can be kept by a graph.
pub trait Retain: Send + Sync {
    /// Whether dropping it may run code of the caller's, which may block.
    fn calls_out(&self) -> bool;
}

/// A kernel of the host device as C gives it: called once per block, in any order and in parallel.
/// 0 is success; anything else faults the context as an illegal address would on a GPU.
pub type HostKernelFunction =
    unsafe extern "C-unwind" fn(block: *const HostBlock, arguments: *const *const c_void) -> i32;

/// What a host kernel is told of the block that it runs.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HostBlock {
    /// Size of this struct, for later growth.
    pub struct_size: u32,
    /// Dynamic shared memory of the block in bytes.
    pub shared_mem_bytes: u32,
    /// Blocks in the grid.
    pub grid_dim: [u32; 3],
    /// Threads in a block; the kernel runs them itself, usually as a loop.
    pub block_dim: [u32; 3],
    /// Which block this is.
    pub block_index: [u32; 3],
    /// Keeps shared_mem aligned; 0.
    pub reserved: u32,
    /// Scratch of shared_mem_bytes bytes for this block alone, 64-byte aligned, not cleared; NULL when that is 0.
    pub shared_mem: *mut c_void,
}

/// A host kernel of a module description.
#[derive(Clone, Debug)]
pub struct HostKernel {
    /// The name it is found by.
    pub name: String,
    /// The code. The caller promises that it stays callable while the module lives.
    pub function: HostKernelFunction,
    /// Size of each parameter in bytes, where the caller stated them; arguments are then checked.
    pub parameter_sizes: Option<Vec<usize>>,
}

/// Code to load: a device image, host kernels, or both under the same names.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModuleSource<'a> {
    /// PTX, cubin or fatbin; not for the host device.
    pub image: Option<&'a [u8]>,
    /// Kernels of the host device.
    pub host_kernels: &'a [HostKernel],
}

impl ModuleSource<'_> {
    /// Checks the host kernels, on every device, so that a program that is wrong on one is wrong on all.
    ///
    /// # Errors
    /// `INVALID_VALUE` for an empty name, two kernels of one name, or a parameter of no bytes.
    pub fn check(&self) -> Result<()> {
        let mut seen = std::collections::HashSet::new();
        for kernel in self.host_kernels {
            if kernel.name.is_empty() {
                return Err(Error::invalid_value("a host kernel has an empty name"));
            }
            if !seen.insert(kernel.name.as_str()) {
                return Err(Error::invalid_value(format!("the module holds two host kernels named '{}'", kernel.name)));
            }
            if let Some(index) =
                kernel.parameter_sizes.as_ref().and_then(|sizes| sizes.iter().position(|&size| size == 0))
            {
                return Err(Error::invalid_value(format!(
                    "entry {index} of parameter_sizes of host kernel '{}' is 0; every parameter has at least 1 byte",
                    kernel.name
                )));
            }
        }
        Ok(())
    }
}

/// What a node of a graph does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NodeKind {
    /// A kernel launch.
    Kernel,
    /// A copy.
    Memcpy,
    /// A memset.
    Memset,
    /// A host function.
    Host,
    /// Nothing: a place for edges to meet.
    Empty,
    /// A graph of its own.
    Child,
    /// A wait for an event from outside.
    EventWait,
    /// A record of an event for the outside.
    EventRecord,
    /// An allocation.
    MemAlloc,
    /// The end of an allocation.
    MemFree,
    /// Writes of values, and waits for them.
    BatchMemOp,
    /// Graphs that run depending on a value.
    Conditional,
    /// A kind that graphcap does not know.
    Other,
}

/// A node, as a person would want to see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeDescription {
    /// What it does.
    pub kind: NodeKind,
    /// The kernel's name; empty for other kinds.
    pub name: String,
    /// Its parameters in words.
    pub detail: String,
}

/// A graph, as a person would want to see it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphDescription {
    /// The nodes in the order in which they were made.
    pub nodes: Vec<NodeDescription>,
    /// From and to, as indices into `nodes`.
    pub edges: Vec<(usize, usize)>,
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
    /// A graph exec.
    Exec(ExecId),
}

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
    /// An attribute of the stream, by CUDA's number for it. `INVALID_VALUE` for one that streams do not have.
    fn stream_attribute(&self, stream: StreamId, attribute: u32) -> Result<AttributeValue>;
    /// Sets an attribute, for the work that is submitted from here on. `INVALID_VALUE` also for a value that cannot be.
    fn stream_set_attribute(&self, stream: StreamId, attribute: u32, value: &AttributeValue) -> Result<()>;
    /// Sets the attributes of a stream to those of another one.
    fn stream_copy_attributes(&self, destination: StreamId, source: StreamId) -> Result<()>;

    /// Says who may use the managed memory at `address`, when the work before it has completed. Barred (900) on a stream that
    /// is being captured, which is invalidated.
    fn stream_attach(&self, stream: StreamId, address: Address, attach: Attach) -> Result<()>;

    /// Starts recording.
    fn begin_capture(&self, stream: StreamId, mode: CaptureMode) -> Result<()>;
    /// Keeps `retained` alive as [`Driver::graph_retain`] does, for the graph that the stream is being captured into.
    /// Asked only where [`Driver::shares_streams`]; `ILLEGAL_STATE` when the stream is not being captured.
    fn capture_retain(&self, stream: StreamId, retained: Retained) -> Result<()>;
    /// Starts recording into a graph that exists; the first node will depend on `dependencies`, which are distinct.
    /// `INVALID_VALUE` when one of them is no node of the graph, `NOT_SUPPORTED` where a foreign driver is too old. The
    /// graph must not be destroyed while the capture goes on.
    fn begin_capture_to_graph(
        &self,
        stream: StreamId,
        graph: GraphId,
        dependencies: &[NodeId],
        mode: CaptureMode,
    ) -> Result<()>;
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
    /// Forgets an event; waits on it that were submitted still hold.
    fn event_destroy(&self, event: EventId);
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
    /// Keeps `retained` alive until the graph, every exec made from it hereafter, and their launches are gone.
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

    /// Makes an executable of the graph as it is now. An unsafe call under the capture rules.
    fn graph_instantiate(&self, graph: GraphId) -> Result<ExecId>;
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

/// Whether the calling thread runs work, which then waits for it.
pub(crate) fn is_within_work() -> bool {
    callbacks::check_caller().is_err()
}

/// Which devices to choose from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DeviceChoice {
    /// What the environment variable `GRAPHCAP_DEVICE` says, else CUDA where it works, else the host device.
    #[default]
    Auto,
    /// This kind only.
    Kind(DeviceKind),
}

impl DeviceChoice {
    /// Settles `Auto`.
    ///
    /// # Errors
    /// `INVALID_VALUE` when `GRAPHCAP_DEVICE` is none of `auto`, `cuda` and `host`.
    pub fn resolve(self) -> Result<DeviceKind> {
        match self {
            DeviceChoice::Kind(kind) => Ok(kind),
            DeviceChoice::Auto => settle_auto().map(|(kind, _)| kind),
        }
    }
}

/// The kind of device that [`DeviceChoice::Auto`] means now, and why, as a sentence.
///
/// # Errors
/// `INVALID_VALUE` when `GRAPHCAP_DEVICE` is none of `auto`, `cuda` and `host`.
pub fn settle_auto() -> Result<(DeviceKind, String)> {
    match std::env::var("GRAPHCAP_DEVICE").as_deref() {
        Ok("cuda") => Ok((DeviceKind::Cuda, "CUDA, because the environment variable GRAPHCAP_DEVICE says cuda".into())),
        Ok("host") => {
            Ok((DeviceKind::Host, "the host device, because the environment variable GRAPHCAP_DEVICE says host".into()))
        }
        Ok("auto" | "") | Err(std::env::VarError::NotPresent) => Ok(match cuda::describe() {
            Ok(found) => (DeviceKind::Cuda, format!("CUDA, because it works: {found}")),
            Err(error) => {
                (DeviceKind::Host, format!("the host device, because CUDA cannot be used: {}", error.message))
            }
        }),
        _ => Err(Error::invalid_value("the environment variable GRAPHCAP_DEVICE must be auto, cuda or host")),
    }
}

/// Number of devices of a kind.
///
/// # Errors
/// For CUDA: `LIBRARY` when no driver is installed, `NOT_SUPPORTED` when it is older than 12.0, `STUB_LIBRARY`,
/// `NO_DEVICE`, `NOT_INITIALIZED`. `INVALID_VALUE` for a malformed environment.
pub fn device_count(kind: DeviceKind) -> Result<u32> {
    match kind {
        DeviceKind::Host => host::device_count(),
        DeviceKind::Cuda => cuda::device_count(),
    }
}

/// Describes one device.
///
/// # Errors
/// As [`device_count`]; `INVALID_DEVICE` for an ordinal that is not below the count.
pub fn device_info(kind: DeviceKind, ordinal: u32) -> Result<DeviceInfo> {
    match kind {
        DeviceKind::Host => host::device_info(ordinal),
        DeviceKind::Cuda => cuda::device_info(ordinal),
    }
}

/// Opens a context on a device.
///
/// # Errors
/// As [`device_info`]; `OUT_OF_MEMORY` when memory or threads are missing.
pub(crate) fn open(kind: DeviceKind, ordinal: u32) -> Result<Arc<dyn Driver>> {
    match kind {
        DeviceKind::Host => host::open(ordinal),
        DeviceKind::Cuda => cuda::open(ordinal),
    }
}
