//! The trait of devices: the seam between graphcap's objects and a driver.
//!
//! [`Driver`] mirrors the CUDA driver's stream and graph model at the level of meaning, in small `Copy` ids. One value of it is
//! one context on one device. Layers above never ask which driver they run on.
//!
//! `Driver` is the sum of traits by subject, each in the file of its subject with what its methods take and give. `host/` and
//! `cuda/` implement them, subject by subject.

#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::disallowed_types))]

mod access;
pub mod blocks_apart;
pub mod callbacks;
mod calls_out;
mod captures;
pub mod code;
mod context;
mod copy;
mod device;
pub mod edges;
mod edits;
mod events;
mod exec_bytes;
pub mod failing;
mod foreign;
pub mod forked;
pub mod graphs;
pub mod guarded;
pub mod ids;
mod kernels;
pub mod launch_attributes;
mod math;
mod memory;
pub mod mode;
mod node_attributes;
pub mod refusals;
mod region;
pub mod rules;
mod streams;
pub mod thread_end;
pub mod threads;
pub mod updates;
mod users;
mod values;
mod work;

pub use access::{Access, Stated, StatedArgument};
pub use callbacks::{
    are_idle as is_nothing_aside, check_caller, in_order, inside_work as is_within_work, releasing_here,
    run as run_aside, run_release,
};
pub use calls_out::{are_held_back as are_calls_held_back, call as call_out};
pub use failing::{fail as fail_work, take as take_failure};
pub use graphcap_environment::{is_thread_ended, stay};
pub use threads::{end as note_process_end, enter_default_floats, is_own as is_own_thread, start as start_thread};
pub use values::MOST_IN_A_BATCH;

pub use captures::{CaptureInfo, CaptureProgress, CaptureStatus, Captures};
pub use code::{
    BuiltInImage, Code, GivenFunction, Global, HostBlock, HostFunction, HostGlobal, HostKernel, HostKernelFunction,
    HostTask, LaunchShape, ModuleSource,
};
pub use code::{MOST_THREADS, PARAMETER_BYTES_LIMIT};
pub use context::Driver;
pub use copy::{BatchError, Memcpy, MemcpyKind, Memset, Snapshot};
pub use device::{DeviceChoice, DeviceInfo, DeviceKind};
pub use edges::plain;
pub use edges::{DependencyUpdate, EdgeData, Edges};
pub use edits::{Allocated, DependenciesOf, ExecEdits, GraphEdits};
pub use events::{EventOptions, Events, IpcHandle};
pub use exec_bytes::{ByteModel, Bytes};
pub use foreign::{Foreign, Object, WrappedExec};
pub use graphs::{
    ExecFlags, ExecNames, Execs, GraphNodes, GraphRef, Graphs, Lists, ReadKernels, Retain, Retained, RunningBody, Side,
};
pub use ids::{ConditionId, EventId, ExecId, FftPlanId, GraphId, KernelId, MemoryId, ModuleId, NodeId, StreamId};
pub use ids::{NodeMap, NodeValues};
pub use kernels::{Kernels, StatedMemory, SuggestedBlock};
pub use math::{
    Factor, Fft, FftDirection, FftOperands, FftPlanned, Math, MathKernel, MathMode, Sgemm, SgemmOperands,
    SgemmWorkspace, Way,
};
pub use memory::{
    Address, AddressOrigin, Attach, GraphMemory, HostMemory, HostMemoryOptions, Memory, MemoryKind, Reserved,
    ADDRESS_BYTES,
};
pub use node_attributes::{GridSources, NodeAttributes};
pub use region::{MemcpyRows, Steps};
pub use streams::{AttributeValue, Attributes, StreamOptions, Streams, Submissions};
pub use updates::{Differing, ExecUpdates, Update, UpdateReport};
pub use users::{UsedBy, Users};
pub use values::{Comparison, Value, ValueAction, ValueOperation};
pub use work::{
    Argument, Arguments, BatchCopy, Conditional, ConditionalKind, Launch, LaunchAttribute, MemAlloc, MemFree, NodeKind,
    Submit, Work,
};
