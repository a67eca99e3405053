//! graphcap captures GPU work from streams into graphs, keeps alive all that a graph needs, and replays it.
//!
//! Rust callers use the objects of [`core`], and [`kit`] to describe work as operations and replay it by message; C callers
//! use `graphcap.h`, which [`ffi`] implements. The layers below are crates of their own, whose public names outside this list
//! may change at any time.

#![cfg_attr(test, allow(clippy::disallowed_types))]

pub mod ffi;

pub use graphcap_base::error::{self, Error, Result, Status};
pub use graphcap_driver::rules;
pub use {graphcap_core as core, graphcap_kit as kit};

/// Devices, and their abilities.
pub mod driver {
    pub use graphcap_devices::{device_count, device_info, exchange_capture_mode, resolve, settle_auto};
    pub use graphcap_driver::{
        launch_attributes, mode, Access, Address, AddressOrigin, Allocated, Argument, Arguments, Attach,
        AttributeValue, Attributes, BatchCopy, BatchError, ByteModel, Bytes, CaptureInfo, CaptureProgress,
        CaptureStatus, Captures, Code, Comparison, ConditionId, Conditional, ConditionalKind, DependencyUpdate,
        DeviceChoice, DeviceInfo, DeviceKind, Differing, Driver, EdgeData, Edges, EventId, EventOptions, Events,
        ExecEdits, ExecFlags, ExecId, ExecNames, ExecUpdates, Execs, Factor, Fft, FftDirection, FftOperands, FftPlanId,
        FftPlanned, Foreign, GivenFunction, Global, GraphEdits, GraphId, GraphMemory, GraphNodes, GraphRef, Graphs,
        GridSources, HostBlock, HostFunction, HostGlobal, HostKernel, HostKernelFunction, HostMemory,
        HostMemoryOptions, HostTask, IpcHandle, KernelId, Kernels, Launch, LaunchAttribute, LaunchShape, Lists, Math,
        MathKernel, MathMode, MemAlloc, MemFree, Memcpy, MemcpyKind, MemcpyRows, Memory, MemoryId, MemoryKind, Memset,
        ModuleId, ModuleSource, NodeAttributes, NodeId, NodeKind, Object, ReadKernels, Reserved, Retain, Retained,
        RunningBody, Sgemm, SgemmOperands, SgemmWorkspace, Side, Snapshot, Stated, StatedArgument, StatedMemory, Steps,
        StreamId, StreamOptions, Streams, Submit, SuggestedBlock, Update, UpdateReport, UsedBy, Users, Value,
        ValueAction, ValueOperation, Way, Work,
    };

    /// Functions for kernels and functions of the host device to call.
    pub mod host {
        pub use graphcap_host::{check_range, set_condition};
    }
}
