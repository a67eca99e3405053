//! Parts that every exported function is made of: handles, outputs, versioned structs, callbacks, statuses, messages.

pub mod callback;
pub(super) mod completed;
pub(super) mod event_fd;
pub(super) mod failure;
pub(super) mod feature;
pub(super) mod guard;
pub(super) mod handle;
pub mod handle_types;
mod involved_names;
pub(super) mod message;
mod observed;
pub(super) mod options;
pub(super) mod output;
pub(super) mod process_end;
pub(super) mod recording_failures;
pub mod status;
pub mod thread;
pub mod version;
