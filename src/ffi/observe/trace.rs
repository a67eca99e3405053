//! The trace.

use std::ffi::c_char;
use std::path::Path;

use crate::ffi::boundary::{gc_status, guard, guard::observe, options, Out};
use graphcap_driver::check_caller;
use graphcap_observe::format::{Entry, Kind};
use graphcap_observe::{clock, trace};

/// Begins a trace of what devices run and of calls, in a file. A file that is there is removed first. docs/tracing.md tells
/// what is in it. If a context of a CUDA device is open, the call waits for the work of the device, as CUPTI does where it
/// is subscribed to.
///
/// @param[in] path   the file, UTF-8
/// @param[in] limit  the most bytes of the file; 0 for 1 GiB. Records that find no room are dropped
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE  a trace goes on
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  the file cannot be made
#[no_mangle]
pub unsafe extern "C" fn gc_trace_start(path: *const c_char, limit: u64) -> gc_status {
    guard("gc_trace_start", [], || {
        check_caller()?;
        // SAFETY: C promises that `path` is NULL or a text that ends with a NUL.
        let path = unsafe { options::text(path, "path") }?;
        trace::start(Path::new(path), if limit == 0 { trace::USUAL_LIMIT } else { limit })?;
        observe();
        graphcap_devices::trace_began();
        Ok(())
    })
}

/// Ends the trace. The file is whole when the call returns.
///
/// @param[out] dropped_out  how many records found no room; may be NULL
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE  no trace goes on
#[no_mangle]
pub unsafe extern "C" fn gc_trace_stop(dropped_out: *mut u64) -> gc_status {
    // SAFETY: C promises that `dropped_out` is NULL or writable.
    let out = unsafe { Out::number(dropped_out, "dropped_out") };
    guard("gc_trace_stop", [], || {
        check_caller()?;
        let dropped = trace::stop()?;
        observe();
        if let Some(out) = out.optional() {
            out.write(dropped);
        }
        Ok(())
    })
}

/// Adds a mark to the trace, on the line of the calling thread. Does nothing while no trace goes on.
///
/// @param[in] name  the name
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  name is NULL or not UTF-8
#[no_mangle]
pub unsafe extern "C" fn gc_trace_mark(name: *const c_char) -> gc_status {
    guard("gc_trace_mark", [], || {
        // SAFETY: C promises that `name` is NULL or a text that ends with a NUL.
        let name = unsafe { options::text(name, "name") }?;
        if trace::is_on() {
            trace::put(&Entry { name: trace::text(name), begin: clock::stamp(), ..Entry::of(Kind::Mark) });
        }
        Ok(())
    })
}
