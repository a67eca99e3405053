//! Operations that streams are given to do.

pub mod copy;
pub mod copy_batch;
pub mod launch;
pub mod launch_attributes;
pub mod stream_values;
pub mod stream_work;
