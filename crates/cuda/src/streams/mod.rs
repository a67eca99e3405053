//! Streams and events, and the work that streams are given.

pub(super) mod copy;
mod copy_batch;
pub(super) mod event;
pub(super) mod foreign_streams;
pub(super) mod history;
pub(super) mod launch;
pub(super) mod launch_attributes;
pub(super) mod patience;
pub(super) mod stream;
pub(super) mod stream_attributes;
pub(super) mod stream_gate;
pub(super) mod submit;
pub(super) mod values;
