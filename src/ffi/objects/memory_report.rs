//! Reports on what a context has: buffers, pools, graphs, execs, their bytes, and who keeps what.

use std::ffi::c_char;

use crate::ffi::boundary::{gc_context, gc_status, with_clone, TextOut};
use graphcap_base::error::{Error, Result};

/// gc_context_memory_report(): lines for people.
pub const GRAPHCAP_MEMORY_REPORT_TEXT: u32 = 0;
/// gc_context_memory_report(): JSON, which docs/memory.md describes.
pub const GRAPHCAP_MEMORY_REPORT_JSON: u32 = 1;

/// Writes what the live buffers, host buffers, pools, graphs and graph execs of a context take, and which graphs and execs keep a
/// buffer or a pool alive. The bytes of a pool's blocks are among those of the pool.
///
/// The bytes of graphs and execs are those of a model, which docs/cache.md describes: no device tells them. Each graph and exec has
/// a number in the report. A graph or exec whose native handle was given out may keep buffers that the report does not tell of, and
/// so does a capture that goes on. What the device does not answer, after a fault for instance, is left out. The call takes time
/// for all objects of the context and their nodes. Objects that other threads make or destroy meanwhile may be in the report or
/// not.
///
/// @param[in]  context   the context
/// @param[in]  format    GRAPHCAP_MEMORY_REPORT_TEXT or GRAPHCAP_MEMORY_REPORT_JSON
/// @param[out] text      where to write; the text ends with a NUL. May be NULL when capacity is 0
/// @param[in]  capacity  bytes at text; 0 asks only for the size
/// @param[out] needed    the size of the whole text in bytes with its NUL; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  the format is unknown
#[no_mangle]
pub unsafe extern "C" fn gc_context_memory_report(
    context: *const gc_context,
    format: u32,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `text` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let out = unsafe { TextOut::new(text, capacity, needed) };
    with_clone("gc_context_memory_report", (context, "context"), |context| {
        let is_json = is_json(format)?;
        let report = context.memory_report()?;
        out.write(&if is_json { report.to_json() } else { report.to_text() }?)
    })
}

fn is_json(format: u32) -> Result<bool> {
    match format {
        GRAPHCAP_MEMORY_REPORT_TEXT => Ok(false),
        GRAPHCAP_MEMORY_REPORT_JSON => Ok(true),
        _ => Err(Error::invalid_value(format!(
            "format is {format}; it is GRAPHCAP_MEMORY_REPORT_TEXT or GRAPHCAP_MEMORY_REPORT_JSON"
        ))),
    }
}
