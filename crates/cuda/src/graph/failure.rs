//! Why edits are not made.

use crate::api::Refusal;
use graphcap_base::error::Error;

/// Why an edit was not made: what the driver answered, or what graphcap says itself.
pub(crate) enum Failure {
    Refused(Refusal),
    Wrong(Error),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Failure::Refused(refusal)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Wrong(error)
    }
}

/// What an edit gives.
pub(crate) type Edited<T> = std::result::Result<T, Failure>;
