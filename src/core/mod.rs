//! The objects of graphcap: safe, reference-counted handles over a driver's ids.
//!
//! Every object is a cheap clone around an `Arc`, may be used from any thread, and keeps alive what it was
//! made from. The last clone to go destroys the driver's object. What a capture needs is kept by its graph.

mod black_box;
mod buffer;
mod capture;
mod context;
mod copy;
mod dot;
mod entrusted;
mod event;
mod exec_edits;
#[cfg(test)]
mod fake_driver;
mod graph;
mod graph_edits;
mod graph_exec;
mod graph_order;
mod guarded;
mod holdings;
mod host_buffer;
mod kernel;
mod kernel_arguments;
mod lending;
mod located;
mod managed;
mod membership;
mod memset;
mod module;
mod node_params;
mod node_work;
mod operands;
mod provenance;
mod recording;
mod retention;
mod stream;
mod stream_attributes;
mod stream_capture;
mod stream_values;
mod thread_end;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub use black_box::{await_examiners, examine, Call, Violation};
pub use buffer::Buffer;
pub use context::Context;
pub use copy::{Copy, HostPointer, Pitch, Place};
pub use dot::DotFlags;
pub use event::Event;
pub use graph::Graph;
pub use graph_exec::GraphExec;
pub use host_buffer::HostBuffer;
pub use kernel::{Access, Kernel, KernelArgument};
pub use kernel_arguments::{ArgumentBytes, ArgumentReader, Certainty, Declared, Meaning, Parameter, Piece};
pub use located::{Located, Memory};
pub use memset::Fill;
pub use module::Module;
pub use node_params::{KernelParams, NodeParams, OwnedArguments};
pub use node_work::NodeWork;
pub use provenance::Moment;
pub use stream::Stream;
pub use stream_capture::StreamCapture;
pub use stream_values::StreamValue;

/// Locks a mutex whose data holds at every point between two statements, so that a panic of another
/// thread does not matter.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
