//! What a device can do: the seam between graphcap's objects and a driver.
//!
//! [`Driver`] mirrors the CUDA driver's stream and graph model at the level of meaning, in small `Copy` ids. One value of it is
//! one context on one device. Layers above never ask which driver they run on.
//!
//! `Driver` is the sum of traits by subject, each in the file of its subject with what its methods take and give. `host/` and
//! `cuda/` implement them, subject by subject.

mod callbacks;
mod captures;
mod code;
mod copy;
mod cuda;
mod device;
mod edits;
mod events;
mod foreign;
pub(crate) mod forked;
mod graphs;
pub mod host;
mod ids;
mod memory;
pub mod mode;
mod region;
mod streams;
mod threads;
mod users;
mod values;
mod work;

use std::time::Duration;

use crate::error::Result;

pub(crate) use callbacks::check_caller;
pub(crate) use device::open;
pub(crate) use threads::start as start_thread;
pub(crate) use values::MOST_IN_A_BATCH;

pub use captures::{CaptureInfo, CaptureProgress, CaptureStatus, Captures, DependencyUpdate};
pub use code::{Code, HostBlock, HostFunction, HostKernel, HostKernelFunction, ModuleSource};
pub use copy::{Memcpy, MemcpyKind, Memset, Snapshot};
pub use device::{device_count, device_info, settle_auto, DeviceChoice, DeviceInfo, DeviceKind};
pub use edits::{ExecEdits, GraphEdits};
pub use events::{EventOptions, Events, IpcHandle};
pub use foreign::{Foreign, Object};
pub use graphs::{Execs, GraphNodes, GraphRef, Graphs, Retain, Retained};
pub use ids::{ConditionId, EventId, ExecId, GraphId, KernelId, MemoryId, ModuleId, NodeId, StreamId};
pub use memory::{Address, AddressOrigin, Attach, HostMemory, HostMemoryOptions, Memory, MemoryKind};
pub use mode::exchange_capture_mode;
pub use region::{MemcpyRows, Steps};
pub use streams::{AttributeValue, Attributes, StreamOptions, Streams};
pub use users::{UsedBy, Users};
pub use values::{Comparison, Value, ValueAction, ValueOperation};
pub use work::{
    Argument, Arguments, Conditional, ConditionalKind, Launch, LaunchAttribute, LaunchShape, MemAlloc, NodeKind,
    Submit, Work,
};

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
pub trait Driver:
    Streams
    + Attributes
    + Events
    + Memory
    + Code
    + Submit
    + Captures
    + Graphs
    + GraphEdits
    + Execs
    + ExecEdits
    + Foreign
    + Send
    + Sync
{
    /// The device that this context is on.
    fn device(&self) -> &DeviceInfo;
    /// Waits for all work of the context. Barred (900) while one of its streams is captured.
    fn synchronize(&self) -> Result<()>;
    /// Waits for all work of the context, but no longer than `limit`; whether all had completed. Barred as
    /// [`Driver::synchronize`].
    fn synchronize_for(&self, limit: Duration) -> Result<bool>;
    /// Frees what was destroyed and could not be freed without blocking. May block until the device is idle. Harms no
    /// capture.
    fn collect(&self) -> Result<()>;
    /// Nobody uses the context from here on, but that memory of it, which other contexts borrowed, is still released.
    fn leave(&self) {}
}

/// Runs `function` soon on a thread of graphcap's, where it may block.
pub(crate) fn run_aside(function: Box<dyn FnOnce() + Send>) {
    callbacks::run(function);
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

/// Whether the calling thread runs work, which then waits for it.
pub(crate) fn is_within_work() -> bool {
    callbacks::inside_work()
}
