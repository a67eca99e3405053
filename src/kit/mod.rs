//! Work described as a list of operations, recorded once and replayed.
//!
//! A [`GraphOp`] is something that can record itself into a stream; [`ops`] has those that are built in. A [`Script`] is a list of
//! ops, which is recorded as a graph, or submitted. Nothing in here knows a device: all of it is made of the objects of
//! [`core`](crate::core).

mod op;
pub mod ops;
mod script;

pub use op::{GraphOp, RecordContext};
pub use script::{FailedOp, Script, ScriptError};
