//! State that the streams of a context share.

use std::sync::OnceLock;

use super::loops::Loops;
use crate::settings::AFTER_A_FAULT;
use graphcap_base::error::{Error, Status};
use graphcap_observe::log::{log, Level, Subject};

/// The state of a context.
pub(crate) struct ContextState {
    /// Names the context among all of the process.
    pub(crate) number: u64,
    fault: OnceLock<Error>,
    pub(crate) loops: Loops,
}

impl ContextState {
    pub(crate) fn new(number: u64) -> Self {
        ContextState { number, fault: OnceLock::new(), loops: Loops::default() }
    }

    /// Returns what faulted the context, if something did. Work is skipped from then on.
    #[inline]
    pub(crate) fn error(&self) -> Option<&Error> {
        self.fault.get()
    }

    /// Faults the context; the first fault stays.
    #[cold]
    pub(crate) fn fault(&self, error: Error) {
        let text = format!("context {} faulted: {}", self.number, error.message);
        if self.fault.set(error).is_ok() {
            log(Level::Error, Subject::Context, || text);
        }
        self.loops.stop();
    }
}

/// The fault of a context in which a host function has failed for that reason.
#[cold]
pub(super) fn function_failed(reason: &str) -> Error {
    Error::new(Status::CALLBACK, format!("a host function failed: {reason}; {AFTER_A_FAULT}"))
}
