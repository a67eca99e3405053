//! Captures: which one a stream is in, what each keeps alive, and what broke one.

pub(super) mod black_box;
pub(super) mod checks;
pub(super) mod graph;
pub(super) mod guarded;
pub(super) mod membership;
pub(super) mod notes;
pub(super) mod outside;
pub(super) mod put;
pub(super) mod record;
pub(super) mod recording;
pub(super) mod relaxed;
pub(super) mod runs;
pub(super) mod stream_capture;
pub(super) mod strict;
pub(super) mod strict_log;
pub(super) mod violation;
