//! Meanings of the driver's refusals of edits: the cause, as far as it can be told, before what the driver answered.

use super::failure::Failure;
use crate::api::{Api, DriverError};
use graphcap_base::error::{Error, Status};
use graphcap_driver::refusals::{not_of_exec, other_kind};
use graphcap_driver::{NodeKind, Work};

/// Tells a cause. A function that the driver does not have is its own cause.
#[cold]
pub(crate) fn because(api: &Api, refusal: DriverError, cause: &str) -> Failure {
    match refusal.since {
        Some(_) => Failure::Refused(refusal),
        None => Failure::Wrong(Error::new(refusal.status, format!("{cause}; {}", api.error(refusal).message))),
    }
}

/// As [`because`], where the driver answered `status`.
#[cold]
pub(super) fn because_of(api: &Api, refusal: DriverError, status: Status, cause: &str) -> Failure {
    match refusal.status == status {
        true => because(api, refusal, cause),
        false => Failure::Refused(refusal),
    }
}

/// Of a node of the kind `kind`, as far as that is known, that was to do work of the kind `wanted`.
#[cold]
pub(crate) fn of_kind(kind: Option<NodeKind>, wanted: NodeKind, failure: Failure) -> Failure {
    let status = match &failure {
        Failure::Refused(refusal) => refusal.status,
        Failure::Wrong(error) => error.status,
    };
    match kind.filter(|&kind| kind != wanted && status == Status::INVALID_VALUE) {
        Some(kind) => Failure::Wrong(other_kind(kind, wanted)),
        None => failure,
    }
}

/// Of a node of an exec that was to do `work`, which is of its kind.
#[cold]
pub(crate) fn of_exec(api: &Api, refusal: DriverError, work: &Work<'_>) -> Failure {
    let what = match work {
        Work::Memcpy { .. } => {
            "a copy goes on to read and write the kinds of memory that it did, on their devices, and one of several rows does not change"
        }
        Work::Memset(_) => {
            "a memset goes on to use memory of the device that it did, and one of several rows keeps its elements, rows and pitch"
        }
        Work::Values(_) => {
            "operations on values keep their number and their device, and each of them stays the write or the wait of 4 or 8 bytes \
             that it was"
        }
        Work::EventRecord(_) | Work::EventWait(_) => "an event cannot be exchanged for one of another device",
        _ => return Failure::Refused(refusal),
    };
    because_of(api, refusal, Status::INVALID_VALUE, &not_of_exec(what).message)
}

/// Of a node or an edge that was to be removed.
#[cold]
pub(super) fn of_removal(api: &Api, refusal: DriverError) -> Failure {
    let cause = "a graph that allocates or frees memory keeps its nodes and edges, and a node that kernels can change is not removed; \
                 build another graph without it";
    because_of(api, refusal, Status::NOT_SUPPORTED, cause)
}
