//! What a device can do: the seam between graphcap's objects and a driver.
//!
//! [`Driver`] mirrors the CUDA driver's stream and graph model at the level of meaning, in small `Copy` ids. One value of it is
//! one context on one device. Layers above never ask which driver they run on.
//!
//! `Driver` is the sum of traits by subject, each in the file of its subject with what its methods take and give. `host/` and
//! `cuda/` implement them, subject by subject.

mod access;
mod blocks_apart;
mod built_in;
mod callbacks;
mod calls_out;
mod captures;
mod code;
mod context;
mod copy;
mod cuda;
mod device;
mod devices;
mod edges;
mod edits;
mod environment;
mod events;
mod exec_bytes;
mod failing;
mod foreign;
pub(crate) mod forked;
mod graphs;
pub mod host;
mod ids;
mod kernels;
pub mod launch_attributes;
mod math;
mod memory;
pub mod mode;
mod node_attributes;
mod refusals;
mod region;
mod streams;
mod superseded;
mod threads;
mod updates;
mod users;
mod values;
mod work;

pub use access::{Access, Stated, StatedArgument};
pub(crate) use built_in::{BuiltInKernel, SET_CONDITION};
pub(crate) use callbacks::check_caller;
pub(crate) use calls_out::{are_held_back as are_calls_held_back, call as call_out};
pub(crate) use devices::open;
pub(crate) use environment::{enter_default_floats, is_thread_ended, stay};
pub(crate) use failing::{fail as fail_work, take as take_failure};
pub(crate) use superseded::{stale, Superseded};
pub(crate) use threads::start as start_thread;
pub(crate) use values::MOST_IN_A_BATCH;

pub use captures::{CaptureInfo, CaptureProgress, CaptureStatus, Captures};
pub(crate) use code::PARAMETER_BYTES_LIMIT;
pub use code::{
    Code, GivenFunction, Global, HostBlock, HostFunction, HostGlobal, HostKernel, HostKernelFunction, HostTask,
    LaunchShape, ModuleSource,
};
pub use context::Driver;
pub use copy::{BatchError, Memcpy, MemcpyKind, Memset, Snapshot};
pub use device::{DeviceChoice, DeviceInfo, DeviceKind};
pub use devices::{device_count, device_info, exchange_capture_mode, settle_auto};
pub(crate) use edges::plain;
pub use edges::{DependencyUpdate, EdgeData, Edges};
pub use edits::{Allocated, ExecEdits, GraphEdits};
pub use events::{EventOptions, Events, IpcHandle};
pub use exec_bytes::{ByteModel, Bytes};
pub use foreign::{Foreign, Object};
pub use graphs::{
    ExecFlags, ExecNames, Execs, GraphNodes, GraphRef, Graphs, Lists, Retain, Retained, RunningBody, Side,
};
pub(crate) use ids::NodeMap;
pub use ids::{ConditionId, EventId, ExecId, FftPlanId, GraphId, KernelId, MemoryId, ModuleId, NodeId, StreamId};
pub use kernels::{Kernels, StatedMemory, SuggestedBlock};
pub use math::{
    Factor, Fft, FftDirection, FftOperands, FftPlanned, Math, MathKernel, MathMode, Sgemm, SgemmOperands,
    SgemmWorkspace, Way,
};
pub use memory::{
    Address, AddressOrigin, Attach, GraphMemory, HostMemory, HostMemoryOptions, Memory, MemoryKind, Reserved,
};
pub use node_attributes::{GridSources, NodeAttributes};
pub use region::{MemcpyRows, Steps};
pub use streams::{AttributeValue, Attributes, StreamOptions, Streams};
pub use updates::{Differing, ExecUpdates, Update, UpdateReport};
pub use users::{UsedBy, Users};
pub use values::{Comparison, Value, ValueAction, ValueOperation};
pub use work::{
    Argument, Arguments, BatchCopy, Conditional, ConditionalKind, Launch, LaunchAttribute, MemAlloc, MemFree, NodeKind,
    Submit, Work,
};

/// Runs `function` soon on a thread of graphcap's, where it may block.
pub(crate) fn run_aside(function: Box<dyn FnOnce() + Send>) {
    callbacks::run(function);
}

/// Runs what ends an object of the caller's as [`run_aside`] does, or here and now within [`in_order`].
pub(crate) fn run_release(on_release: Box<dyn FnOnce() + Send>) {
    callbacks::run_release(on_release);
}

/// Makes `call`, on a thread of [`run_aside`]'s, so that the objects and the memory of the caller's that it lets go of end in that
/// order.
pub(crate) fn in_order(call: impl FnOnce()) {
    callbacks::in_order(call);
}

/// Makes `call`, and runs on this thread what [`run_release`] is given meanwhile. The caller holds no lock.
pub(crate) fn releasing_here(call: impl FnOnce()) {
    callbacks::releasing_here(call);
}

/// Whether all that was given to [`run_aside`] has run, the functions of the host device's streams included.
pub(crate) fn is_nothing_aside() -> bool {
    callbacks::are_idle()
}

/// For the end of the process: has threads of graphcap's end that have nothing to do. Whether none is left; never
/// waits.
pub(crate) fn have_threads_ended() -> bool {
    threads::end();
    callbacks::wake_idle();
    let are_over = threads::are_all_over();
    if are_over {
        host::forget_ended_lanes();
    }
    are_over
}

/// Notes that the process is ending.
pub(crate) fn note_process_end() {
    threads::end();
}

/// Whether graphcap started the calling thread.
pub(crate) fn is_own_thread() -> bool {
    threads::is_own()
}

/// Whether the calling thread runs work, which then waits for it.
pub(crate) fn is_within_work() -> bool {
    callbacks::inside_work()
}
