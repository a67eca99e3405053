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

pub(super) use self::callback::{called, called_as, gc_destroy_fn, gc_host_fn, UserData};
pub(super) use self::completed::Completed;
pub(super) use self::event_fd::EventFd;
pub(super) use self::failure::{Failure, Result};
pub(super) use self::feature::{kit_guard, optimising_guard};
pub(super) use self::guard::{
    answer_borrowed, answer_clone, guard, with_borrowed, with_clone, with_two_borrowed, with_two_clones,
};
pub(super) use self::handle::{Pinned, Token};
pub(super) use self::handle_types::{
    gc_actor, gc_buffer, gc_capture, gc_context, gc_event, gc_fft_plan, gc_future, gc_graph, gc_graph_cache,
    gc_graph_exec, gc_host_buffer, gc_kernel, gc_module, gc_plan, gc_pool, gc_record_context, gc_rng, gc_scalar,
    gc_script, gc_stream, Lent, Recorder, RecordingCache, WatchedActor, WatchedFuture,
};
pub(super) use self::options::{check_flags, one_of, Versioned};
pub(super) use self::output::{
    read_bytes, ArrayOut, NumbersOut, Out, Output, OutputSlot, StructOut, StructPlace, TextOut,
};
pub(super) use self::status::gc_status;
