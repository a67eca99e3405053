//! Devices and contexts, and what contexts have: streams, events, memory, code.

pub mod belonging;
pub mod buffer;
pub mod context;
pub mod device;
pub mod event;
pub mod generation;
pub mod host_buffer;
pub mod kernel;
pub mod kernel_attributes;
pub mod managed;
pub mod memory_report;
pub mod module;
pub mod name;
pub mod pool;
pub mod pool_memory;
pub mod pool_raw;
pub mod pool_streams;
pub mod rng;
pub mod scalar;
pub mod stream;
pub(super) mod stream_attributes;
