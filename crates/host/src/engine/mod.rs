//! The engine that runs work: streams as queues, lanes that execute them, and what they wait on.

mod activity;
pub(super) mod completion;
pub(super) mod context_state;
pub(super) mod event;
pub(super) mod event_point;
pub(super) mod lanes;
pub(super) mod loops;
pub(super) mod resumable;
mod sleeper;
pub(super) mod spread;
pub(super) mod stream;
pub(super) mod stream_attributes;
pub(super) mod stream_list;
mod stream_run;
pub(super) mod values;
pub(super) mod waiter;
