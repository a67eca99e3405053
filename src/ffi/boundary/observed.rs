//! The part of a call that only a program pays for which looks at what graphcap does.

use std::io::Write;
use std::sync::Arc;

use super::message;
use super::status::gc_status;
use graphcap_observe::log::{self, Level, Record, Sink, SinkOwner, Subject, Wanted};

/// Asks for messages on standard error.
const LOG: &str = "GRAPHCAP_LOG";

/// Standard error as a taker of messages.
struct StandardError;

impl Sink for StandardError {
    fn take(&self, record: &Record) {
        say(&record.to_string());
    }
}

/// Writes a line to standard error. Nothing can be done where that fails.
fn say(text: &str) {
    let _ = std::io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// Begins what the environment asks for. To be called once, by the first call of the process.
pub(super) fn begin_by_environment() {
    let Some(text) = std::env::var_os(LOG).filter(|text| !text.is_empty()) else { return };
    match text.to_str().and_then(Wanted::parse) {
        Some(wanted) => drop(log::install(SinkOwner::Environment, Some((wanted, Arc::new(StandardError))))),
        None => say(&format!("graphcap: {LOG} must be level[,subject], such as info or debug,capture; it is {text:?}")),
    }
}

/// Returns whether anything is to be seen of calls.
pub(super) fn is_on() -> bool {
    log::is_on()
}

/// A call that is looked at.
pub(super) struct Observed;

impl Observed {
    pub(super) fn begin() -> Observed {
        log::enter();
        Observed
    }

    pub(super) fn end(self, status: gc_status) {
        if status != 0 {
            let level = if status == graphcap_base::Status::PANIC.0 { Level::Error } else { Level::Debug };
            log::log(level, Subject::Call, || message::with_last(str::to_owned));
        }
        log::leave(!graphcap_driver::is_within_work());
    }
}
