//! The objects of graphcap: safe, reference-counted handles over a driver's ids.
//!
//! Every object is a cheap clone around an `Arc`, may be used from any thread, and keeps alive what it was
//! made from. The last clone to go destroys the driver's object. What a capture needs is kept by its graph.

// Functions whose callers have something to promise are unsafe to call; nothing in them is.
#![deny(unsafe_code)]
#![cfg_attr(test, allow(clippy::disallowed_types))]

mod captures;
#[cfg(any(test, feature = "faulty"))]
#[cfg_attr(not(test), allow(dead_code, missing_docs))]
pub mod faulty;
mod graphs;
mod json_numbers;
mod keep;
mod objects;
mod operations;
mod pools;
mod state;
mod texts;

pub use captures::black_box::{await_examiners, examine, recording_failed, Call};
pub use captures::checks::checks_are_asked_for;
pub use captures::relaxed::relax_mode;
pub use captures::stream_capture::{CaptureOptions, CaptureTarget, StreamCapture};
pub use captures::strict_log::any_open as any_strict_capture;
pub use captures::violation::Violation;
pub use graphs::apply::{Applied, ApplyOptions, Reason};
pub use graphs::cache::{CacheOptions, CacheStats, GraphCache};
pub use graphs::exec::GraphExec;
pub use graphs::exec_memory::MemoryCheck;
pub use graphs::exec_update::Updated;
pub use graphs::gone_memory::{GoneAddress, GoneBlock};
pub use graphs::graph::Graph;
pub use graphs::launch_alone::NodeLauncher;
pub use graphs::node_data::{ArgumentValue, KernelParams, NodeParams, OwnedArguments};
pub use graphs::others_memory::UnresolvedPointer;
pub use graphs::progress::{BodyProgress, NodeProgress, NodeState, Progress};
pub use graphs::set_many::SET_TOGETHER;
pub use objects::access::{Access, BufferAccess, KernelConcurrency};
pub use objects::buffer::Buffer;
pub use objects::event::Event;
pub use objects::fft_plan::FftPlan;
pub use objects::host_buffer::HostBuffer;
pub use objects::kernel::{Kernel, KernelArgument, KernelArgumentOf, OwnedArgument};
pub use objects::memory_blocks::MemoryBlock;
pub use objects::module::Module;
pub use objects::name::{checked as checked_name, NAME_LIMIT};
pub use objects::noted_memory::AddressPlace;
pub use objects::rng::Rng;
pub use objects::scalar::Scalar;
pub use objects::scalar_value::{ScalarType, ScalarValue};
pub use objects::touched::TouchedBuffer;
pub use operations::copy::{Copy, CopyOf, CopySide, CopySideOf, HostPointer, OwnedCopy, OwnedSide, Pitch};
pub use operations::kernel_arguments::{ArgumentBytes, ArgumentReader, Certainty, Declared, Meaning, Parameter, Piece};
pub use operations::launch_events::LaunchEvent;
pub use operations::lent_blas::LentBlas;
pub use operations::lent_rand::LentRand;
pub use operations::located::{Located, Memory};
pub use operations::memset::{Fill, FillOf};
pub use operations::node_work::NodeWork;
pub use operations::owned_work::OwnedWork;
pub use operations::provenance::Moment;
pub use operations::random_fill::{Draw, RandomFill};
pub use operations::saved::{ByteHome, MemoryRanges, SavedMemory};
pub use operations::sgemm::{Coefficient, SgemmCall};
pub use operations::summaries::{MemoryPiece, Summaries};
pub use operations::usual_launch::{UsualLaunch, USUAL_ARGUMENTS};
pub use operations::values::StreamValue;
pub use pools::memory::PoolMemory;
pub use pools::pool::{Pool, PoolOptions};
pub use pools::shared_users::SharedUsers;
pub use state::{Context, ContextOptions, Stream};
pub use texts::dot_flags::DotFlags;
pub use texts::import_binding::{Binding, Bound, LiveObjects};
pub use texts::json_import::JSON_LIMIT;
pub use texts::memory_report::{BufferRow, ExecRow, GraphRow, MemoryReport, PoolRow, Totals};
pub use texts::saved_graph::SavedGraph;
pub use texts::stand_in::{StandIn, StatedMemory};
pub use texts::told::{ToldGraph, ToldMemory, ToldNode};
