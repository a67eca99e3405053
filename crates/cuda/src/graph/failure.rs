//! Failures of edits.

use crate::api::DriverError;
use graphcap_base::error::Error;

/// Reason for which an edit was not made: what the driver answered, or what graphcap says itself.
pub(crate) enum Failure {
    Refused(DriverError),
    Wrong(Error),
}

impl From<DriverError> for Failure {
    fn from(refusal: DriverError) -> Failure {
        Failure::Refused(refusal)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Wrong(error)
    }
}

/// Result of an edit.
pub(crate) type Edited<T> = std::result::Result<T, Failure>;
