//! The C boundary: every function of graphcap.h, in three visible steps: convert, call, write out.
//!
//! No logic lives here. The doc comments of the exported items are the manual that graphcap.h carries, which
//! is why they are written for readers of C.

// The names are C's.
#![allow(non_camel_case_types)]
// The manual says [in] and [out] as Doxygen has it; rustdoc takes them for links.
#![allow(rustdoc::broken_intra_doc_links)]
// What a caller has to keep to is in the manual, not under a heading of Rust's.
#![allow(clippy::missing_safety_doc)]

pub mod belonging;
pub mod buffer;
pub mod callback;
pub mod capture;
pub mod capture_graph;
pub mod capture_record;
pub mod conditional;
pub mod context;
pub mod copy;
pub mod device;
pub mod edges;
pub mod event;
pub mod exec_set;
pub mod graph;
pub mod graph_edits;
pub mod graph_exec;
pub mod graph_memory;
pub mod graph_nodes;
pub mod graph_text;
pub mod host_buffer;
pub mod init;
pub mod kernel;
pub mod kernel_attributes;
pub mod launch;
pub mod launch_attributes;
pub mod managed;
pub mod module;
pub mod name;
pub mod node;
pub mod node_attributes;
pub mod node_get;
pub mod node_set;
pub mod objects;
pub mod recording;
pub mod status;
pub mod stream;
mod stream_attributes;
pub mod stream_values;
pub mod stream_work;
pub mod thread;
pub mod version;
pub mod violation;

mod failure;
mod guard;
mod handle;
mod message;
mod options;
mod output;
mod process_end;

#[cfg(test)]
mod tests;
