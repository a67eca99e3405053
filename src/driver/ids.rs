//! Ids of a driver's objects: the numbers of a table's entries.

use crate::driver::NodeId;
use crate::error::{Error, Result, Status};
use crate::slots::{Key, Slots};

/// Ids start above the numbers of the special streams, because generations start at 1.
fn id_of(key: Key) -> u64 {
    u64::from(key.generation) << 32 | u64::from(key.index)
}

/// Where the object of an id is.
pub(super) fn key_of(id: u64) -> Key {
    Key { index: id as u32, generation: (id >> 32) as u32 }
}

/// Enters an object and gives its id; `what` names the objects of the table.
pub(super) fn enter<T>(table: &Slots<T>, value: T, what: &str) -> Result<u64> {
    let full = || Error::new(Status::OUT_OF_MEMORY, format!("there are too many {what} at a time; destroy some"));
    table.insert(value).map(id_of).ok_or_else(full)
}

/// What an id that leads nowhere answers.
#[cold]
pub(super) fn no_such(what: &str) -> Error {
    Error::new(Status::INVALID_HANDLE, format!("there is no such {what} in this context"))
}

/// What a graph answers that a capture went into which failed.
#[cold]
pub(super) fn lost_graph() -> Error {
    Error::invalid_value(
        "a capture into this graph failed, which is the end of the graph: the driver destroys it with the capture; destroy the \
         handle and make another graph",
    )
}

/// What the id of a node answers that is none of the graph's.
#[cold]
pub(super) fn not_of_graph(NodeId(id): NodeId) -> Error {
    Error::invalid_value(format!(
        "{id:#x} is no node of the graph; take nodes from the frontier of the capture, or from the list of the graph's nodes"
    ))
}
