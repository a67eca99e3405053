//! Calls that failed and were to record work: a strict capture is told of them.

use super::handle::{self, Token};
use super::handle_types::{gc_capture, gc_stream};
use graphcap_core::{Call, Stream};

/// Returns whether `function` records work, or orders it, on a stream that is being captured.
fn records(function: &str) -> bool {
    let is_of_stream = [
        "gc_stream_memcpy",
        "gc_stream_memset",
        "gc_stream_launch_",
        "gc_stream_write_value",
        "gc_stream_wait_",
        "gc_stream_batch_mem_op",
        "gc_stream_submit",
        "gc_stream_set_condition",
        "gc_event_record",
        "gc_script_submit",
        "gc_capture_record_",
    ];
    function == "gc_capture_record"
        || function.starts_with("gc_capture_record(")
        || is_of_stream.iter().any(|start| function.starts_with(start))
}

/// A call failed. `involved` are its handles.
#[cold]
pub(super) fn note(call: &Call, involved: &[Token]) {
    if !graphcap_core::any_strict_capture() || !records(call.function) {
        return;
    }
    if let Some(stream) = involved.iter().find_map(|&token| stream_of(token)) {
        graphcap_core::recording_failed(call, &stream);
    }
}

/// The stream that a call with this handle was to record on.
fn stream_of(token: Token) -> Option<Stream> {
    let pinned = handle::pin();
    match handle::find::<gc_stream>(token.pointer(), &pinned) {
        Some(stream) => Some(stream.clone()),
        None => handle::find::<gc_capture>(token.pointer(), &pinned)?.stream(),
    }
}

#[cfg(test)]
mod tests {
    use super::records;

    #[test]
    fn only_calls_that_record_are_taken() {
        for function in [
            "gc_stream_submit",
            "gc_stream_memcpy_htod",
            "gc_capture_record",
            "gc_capture_record(HOST)",
            "gc_capture_record_memcpy",
        ] {
            assert!(records(function), "{function}");
        }
        let others =
            ["gc_stream_is_complete", "gc_stream_capture_info", "gc_capture_recorded_count", "gc_stream_begin_capture"];
        for function in others {
            assert!(!records(function), "{function}");
        }
    }
}
