//! The log.

use std::ffi::{c_char, c_void, CString};
use std::sync::Arc;

use crate::ffi::boundary::{gc_destroy_fn, gc_status, guard, guard::observe, Failure, Result, UserData};
use graphcap_driver::{call_out, check_caller};
use graphcap_observe::log::{self, Level, Record, Sink, SinkOwner, Subject, Wanted};

/// The importance of a message: one of the GRAPHCAP_LOG_LEVEL_ numbers.
pub type gc_log_level = i32;

/// No messages.
pub const GRAPHCAP_LOG_LEVEL_OFF: gc_log_level = 0;
/// A context faulted, or graphcap failed internally.
pub const GRAPHCAP_LOG_LEVEL_ERROR: gc_log_level = 1;
/// A capture was broken.
pub const GRAPHCAP_LOG_LEVEL_WARNING: gc_log_level = 2;
/// All else that happens seldom.
pub const GRAPHCAP_LOG_LEVEL_INFO: gc_log_level = 3;
/// Each call that failed, with its message.
pub const GRAPHCAP_LOG_LEVEL_DEBUG: gc_log_level = 4;

/// Contexts that were opened or faulted.
pub const GRAPHCAP_LOG_CONTEXT: u32 = 1;
/// Libraries that were found or not found.
pub const GRAPHCAP_LOG_LIBRARY: u32 = 2;
/// Captures that were broken, as gc_stream_capture_violation() tells it.
pub const GRAPHCAP_LOG_CAPTURE: u32 = 4;
/// Graph execs that were made anew, and the reason; findings about their graphs that GRAPHCAP_CHECK=1 asks for.
pub const GRAPHCAP_LOG_EXEC: u32 = 8;
/// Pools that grew.
pub const GRAPHCAP_LOG_POOL: u32 = 16;
/// Another way that was taken because the first one was missing.
pub const GRAPHCAP_LOG_FALLBACK: u32 = 32;
/// Calls that failed.
pub const GRAPHCAP_LOG_CALL: u32 = 64;

/// Takes a message of the log, with the thread that made it (the operating system's number), the time by
/// CLOCK_MONOTONIC, and how many messages were dropped before it. It is called at the end of a gc_ call, on any thread,
/// perhaps on several at once. It may call gc_ functions, whose messages are dropped.
pub type gc_log_fn = Option<
    unsafe extern "C-unwind" fn(
        level: gc_log_level,
        subject: u32,
        text: *const c_char,
        thread: u64,
        time_ns: u64,
        dropped: u64,
        user_data: *mut c_void,
    ),
>;

/// A function of the program's that takes messages.
struct Listener {
    function: unsafe extern "C-unwind" fn(gc_log_level, u32, *const c_char, u64, u64, u64, *mut c_void),
    user_data: UserData,
}

impl Sink for Listener {
    fn take(&self, record: &Record) {
        let Record { level, subject, thread, time, dropped, ref text } = *record;
        let text: Vec<u8> = text.bytes().filter(|byte| *byte != 0).collect();
        let text = CString::new(text).unwrap_or_default();
        // SAFETY: the caller of gc_log_set_callback promises that it may be called so, and the user data is still there.
        call_out(|| unsafe {
            (self.function)(
                level as i32,
                subject as u32,
                text.as_ptr(),
                thread,
                time,
                dropped,
                self.user_data.pointer(),
            )
        });
    }
}

/// Makes a function take the messages of the log instead of the one before. Messages of threads that run work come at
/// the end of the next call of another thread.
///
/// @param[in] level      the least important level; GRAPHCAP_LOG_LEVEL_OFF ends it
/// @param[in] subjects   GRAPHCAP_LOG_ bits; 0 for all
/// @param[in] function   the function; may be NULL for GRAPHCAP_LOG_LEVEL_OFF
/// @param[in] user_data  passed to function and to destroy; may be NULL
/// @param[in] destroy    called when function is not called any more, also when this call fails; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  the level or a bit is unknown, or function is NULL
#[no_mangle]
pub unsafe extern "C" fn gc_log_set_callback(
    level: gc_log_level,
    subjects: u32,
    function: gc_log_fn,
    user_data: *mut c_void,
    destroy: gc_destroy_fn,
) -> gc_status {
    // SAFETY: C promises that `destroy` is NULL or may be called once with `user_data`.
    let user_data = unsafe { UserData::new(user_data, destroy) };
    guard("gc_log_set_callback", [], move || {
        check_caller()?;
        let sink = match wanted(level, subjects)? {
            None => None,
            Some(wanted) => {
                let function = function.ok_or(Failure::Null("function"))?;
                Some((wanted, Arc::new(Listener { function, user_data }) as Arc<dyn Sink>))
            }
        };
        let before = log::install(SinkOwner::Program, sink);
        observe();
        drop(before);
        Ok(())
    })
}

/// The choice that C means; `None` for no messages.
fn wanted(level: gc_log_level, subjects: u32) -> Result<Option<Wanted>> {
    let bits = u8::try_from(subjects).ok().filter(|bits| bits & !Subject::EVERY == 0);
    let Some(bits) = bits else {
        return Err(Failure::Unknown {
            argument: "subjects",
            number: subjects.into(),
            known: "0 or GRAPHCAP_LOG_ bits",
        });
    };
    if level == GRAPHCAP_LOG_LEVEL_OFF {
        return Ok(None);
    }
    let known = Level::ALL.into_iter().find(|(known, _)| *known as i32 == level);
    let Some((level, _)) = known else {
        let known = "one of the GRAPHCAP_LOG_LEVEL_ numbers";
        return Err(Failure::Unknown { argument: "level", number: level.into(), known });
    };
    Ok(Some(Wanted { level, subjects: if bits == 0 { Subject::EVERY } else { bits } }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_subjects_are_their_bits() {
        let numbers = [
            GRAPHCAP_LOG_CONTEXT,
            GRAPHCAP_LOG_LIBRARY,
            GRAPHCAP_LOG_CAPTURE,
            GRAPHCAP_LOG_EXEC,
            GRAPHCAP_LOG_POOL,
            GRAPHCAP_LOG_FALLBACK,
            GRAPHCAP_LOG_CALL,
        ];
        assert_eq!(numbers, Subject::ALL.map(|(subject, _)| subject as u32));
    }
}
