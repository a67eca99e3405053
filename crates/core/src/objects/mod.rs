//! Contexts, and what they have: streams, events, memory, code.

pub(super) mod access;
pub(super) mod buffer;
pub(super) mod built_in;
pub(super) mod code;
pub(super) mod context;
pub(super) mod device_object;
pub(super) mod event;
pub(super) mod external_events;
pub(super) mod fft_plan;
pub(super) mod home;
pub(super) mod host_buffer;
pub(super) mod kernel;
pub(super) mod kernel_attributes;
pub(super) mod lending;
pub(super) mod managed;
pub(super) mod memory_blocks;
pub(super) mod module;
pub(super) mod module_global;
pub(super) mod name;
pub(super) mod note;
pub(super) mod noted_memory;
pub(super) mod object_names;
mod reach;
pub(super) mod reset;
#[cfg(test)]
mod reset_tests;
pub(super) mod rng;
pub(super) mod roster;
pub(super) mod scalar;
pub(super) mod scalar_value;
pub(super) mod stream;
pub(super) mod stream_attributes;
mod submission;
pub(super) mod touched;
pub(super) mod workspace;
