//! Meanings of the driver's answers.

use super::DriverError;
use graphcap_base::error::{Error, Status};

/// Returns whether an answer means that a fault ended the context, for good and for the whole process.
pub(crate) fn is_fault(status: Status) -> bool {
    matches!(status.0, 214 | 220 | 226 | 700 | 702 | 709 | 710 | 714..=719 | 721)
}

/// Returns whether the driver did not say that something is complete. After a fault nothing runs any more.
pub(crate) fn is_pending(answer: Result<(), DriverError>) -> bool {
    answer.is_err_and(|refusal| !is_fault(refusal.status))
}

/// Returns whether something is complete, of an answer that says so.
pub(crate) fn ready(answer: Result<(), DriverError>) -> Result<bool, DriverError> {
    match answer {
        Ok(()) => Ok(true),
        Err(refusal) if refusal.status == Status::NOT_READY => Ok(false),
        Err(refusal) => Err(refusal),
    }
}

/// Error of an object whose address cannot be its id.
#[cold]
pub(crate) fn no_address() -> Error {
    Error::new(
        Status::OUT_OF_MEMORY,
        "the process has memory at addresses of more than 48 bits, which graphcap cannot number",
    )
}
