//! graphcap captures GPU work from streams into graphs, keeps alive all that a graph needs, and replays it.
//!
//! Rust callers use the objects of [`core`], and [`kit`] to describe work as operations and replay it by message; C callers
//! use `graphcap.h`, which [`ffi`] implements.

pub mod core;
pub mod driver;
pub mod error;
pub mod ffi;
pub mod kit;
mod lock;
mod names;
mod room;
pub mod rules;
mod slots;
mod thread;

pub use error::{Error, Result, Status};
