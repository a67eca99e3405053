//! Means to see what graphcap does: messages about what happens seldom, and a record of all that runs.

#![cfg_attr(test, allow(clippy::disallowed_types))]

pub mod clock;
mod devices;
pub mod format;
pub mod log;
mod mapping;
mod moments;
mod nvtx;
pub mod read;
pub mod times;
pub mod trace;
