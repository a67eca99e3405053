//! What both devices answer in the same words.

use super::Address;
use crate::error::{Error, Status};

/// What a free answers of memory that nodes allocate.
#[cold]
pub(super) fn not_allocated(address: Address) -> Error {
    Error::invalid_value(format!(
        "the graph's allocation at {address:#x} is not allocated: no launch has made it, or it was freed; launch the graph first"
    ))
}

/// What an allocation answers that is to be added as other work is.
#[cold]
pub(super) fn not_added_so() -> Error {
    Error::invalid_value("a node that allocates is added by its size, which gives its memory a name")
}

/// What a node answers that has no attributes.
#[cold]
pub(super) fn no_kernel() -> Error {
    Error::invalid_value("only kernel nodes have attributes; ask for the kind of a node first")
}

/// What a node answers that is to take its grid from memory, and whose blocks run together.
#[cold]
pub(super) fn blocks_run_together() -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        "a kernel that is cooperative or has clusters does not take its grid from a scalar; launch it without",
    )
}

/// What a cooperative kernel of an exec answers that is to be disabled.
#[cold]
pub(super) fn cooperative() -> Error {
    Error::invalid_value(
        "a cooperative kernel cannot be disabled: a GPU would fault at the next launch (719); have the node launch a kernel that does \
         nothing",
    )
}
