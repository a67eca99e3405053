//! The objects of graphcap: safe, reference-counted handles over a driver's ids.
//!
//! Every object is a cheap clone around an `Arc`, may be used from any thread, and keeps alive what it was
//! made from. The last clone to go destroys the driver's object. What a capture needs is kept by its graph.

mod black_box;
mod buffer;
mod capture;
mod capture_graph;
mod clocks;
mod condition_value;
mod context;
mod copy;
mod diff;
mod dot;
mod entrusted;
mod event;
mod exec_edits;
mod external_events;
#[cfg(test)]
mod fake_driver;
mod graph;
mod graph_edits;
mod graph_exec;
mod graph_order;
mod graph_text;
mod guarded;
mod holdings;
mod host_buffer;
mod import_binding;
mod import_work;
mod json;
mod json_import;
mod keep;
mod kernel;
mod kernel_arguments;
mod lending;
mod located;
mod managed;
mod membership;
mod memset;
mod module;
mod module_global;
mod name;
mod node_names;
mod node_params;
mod node_work;
mod object_names;
mod operands;
mod peer_copy;
mod picture;
mod provenance;
mod recording;
mod retention;
mod state;
mod stream;
mod stream_attributes;
mod stream_capture;
mod stream_values;
mod text;
mod thread_end;
mod uses;
mod violation;

use crate::lock::lock;

pub use black_box::{await_examiners, examine, Call};
pub use buffer::Buffer;
pub use copy::{Copy, HostPointer, Pitch, Place};
pub use dot::DotFlags;
pub use event::Event;
pub use graph::Graph;
pub use graph_exec::GraphExec;
pub use host_buffer::HostBuffer;
pub use import_binding::{Binding, Bound};
pub use json_import::JSON_LIMIT;
pub use kernel::{Access, Kernel, KernelArgument};
pub use kernel_arguments::{ArgumentBytes, ArgumentReader, Certainty, Declared, Meaning, Parameter, Piece};
pub use located::{Located, Memory};
pub use memset::Fill;
pub use module::Module;
pub use name::NAME_LIMIT;
pub use node_params::{KernelParams, NodeParams, OwnedArguments};
pub use node_work::NodeWork;
pub use provenance::Moment;
pub use state::{Context, Stream};
pub use stream_capture::StreamCapture;
pub use stream_values::StreamValue;
pub use violation::Violation;
