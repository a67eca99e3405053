//! Changes of a node's work that an exec allows. A graph allows any that leaves the node its kind; the driver's execs bar
//! more, and so do those of this device.

use super::Action;
use crate::code::kernel::KernelCall;
use crate::code::launch_attributes;
use crate::engine::event_point::EventPoint;
use crate::memory;
use graphcap_base::error::Result;
use graphcap_driver::refusals::{not_of_exec, other_kind};
use graphcap_driver::{Address, MemcpyRows, Memset, NodeKind, ValueAction, ValueOperation};

/// Returns whether a node of an exec of the device with the number `device` may do `after` in the place of `before`.
///
/// # Errors
/// `INVALID_VALUE` where it may not.
pub(super) fn check(before: &Action, after: &Action, device: u32) -> Result<()> {
    check_kind(before.kind(), after.kind())?;
    match (before, after) {
        (Action::Kernel(before), Action::Kernel(after)) => check_kernels(before, after, device),
        (Action::Memset(before), Action::Memset(after)) => check_sets(before, after),
        (Action::Values(before), Action::Values(after)) => check_values(before, after),
        (Action::RecordEvent(before), Action::RecordEvent(after))
        | (Action::WaitEvent(before), Action::WaitEvent(after)) => check_events(before, after),
        _ => match (rows_of(before), rows_of(after)) {
            (Some(before), Some(after)) => check_copies(&before, &after),
            _ => Ok(()),
        },
    }
}

/// Returns whether a node may go from one kind to another.
///
/// # Errors
/// `INVALID_VALUE` for two kinds.
pub(crate) fn check_kind(before: NodeKind, after: NodeKind) -> Result<()> {
    match before == after {
        true => Ok(()),
        false => Err(other_kind(before, after)),
    }
}

/// A kernel keeps its launch attributes, and has the shape that they allow.
///
/// # Errors
/// `INVALID_VALUE` where it is given other ones; `COOPERATIVE_LAUNCH_TOO_LARGE` and `INVALID_CLUSTER_SIZE` for the shape.
pub(super) fn check_attributes(before: &Action, after: &Action) -> Result<()> {
    let (Action::Kernel(before), Action::Kernel(after)) = (before, after) else { return Ok(()) };
    for given in &after.attributes {
        if launch_attributes::value(&before.attributes, given.id)? != given.value {
            return Err(not_of_exec("the launch attributes of a kernel stay as they are"));
        }
    }
    launch_attributes::check_shape(&after.shape, &after.kernel.attributes, &before.attributes)
}

/// Kernels may change wholly, but are of the exec's own device: each of them has one context of the driver's.
fn check_kernels(before: &KernelCall, after: &KernelCall, device: u32) -> Result<()> {
    if before.kernel.device == device && after.kernel.device == device {
        return Ok(());
    }
    Err(not_of_exec("a kernel of another device than the exec's cannot be set, nor be exchanged for another one"))
}

/// Copies of one row may change but for the kinds of memory; those of several rows may not.
fn check_copies(before: &MemcpyRows, after: &MemcpyRows) -> Result<()> {
    if before.row.kind.host_sides() != after.row.kind.host_sides() {
        return Err(not_of_exec(
            "a copy goes on to read and write the kinds of memory that it did, the host's or the device's",
        ));
    }
    if before.is_one() && after.is_one() || before == after {
        return Ok(());
    }
    Err(not_of_exec("a copy of several rows cannot be changed, nor can one of one row become one of several"))
}

/// Memsets and copies that are set one by one stay on the devices that their memory is on. An update of the whole exec moves them.
///
/// # Errors
/// `INVALID_VALUE` where one would be of memory of another device.
pub(super) fn check_memory(before: &Action, after: &Action) -> Result<()> {
    let moves = |before: Address, after: Address| before != after && memory::are_on_two_devices(before, after);
    let is_moved = match (before, after) {
        (Action::Memset(before), Action::Memset(after)) => moves(before.address, after.address),
        _ => rows_of(before).zip(rows_of(after)).is_some_and(|(before, after)| {
            moves(before.row.destination, after.row.destination) || moves(before.row.source, after.row.source)
        }),
    };
    match is_moved {
        true => Err(not_of_exec("a memset or a copy goes on to use memory of the devices that it did")),
        false => Ok(()),
    }
}

/// The rows of a copy.
fn rows_of(action: &Action) -> Option<MemcpyRows> {
    match action {
        Action::MemcpyRows(call) => Some(call.copy),
        Action::Memcpy(row) => Some(MemcpyRows::one(*row)),
        _ => None,
    }
}

/// A memset of one row may change wholly; one of several keeps its shape.
fn check_sets(before: &Memset, after: &Memset) -> Result<()> {
    let shape = |set: &Memset| (set.rows, set.pitch, set.count, set.element_size);
    if before.rows == 1 && after.rows == 1 || shape(before) == shape(after) {
        return Ok(());
    }
    Err(not_of_exec(
        "a memset of several rows keeps its elements, rows and pitch, and one of one row stays one of one row",
    ))
}

/// An event is of the device of the one before it.
fn check_events(before: &EventPoint, after: &EventPoint) -> Result<()> {
    match before.device() == after.device() {
        true => Ok(()),
        false => Err(not_of_exec("an event cannot be exchanged for one of another device")),
    }
}

/// Operations on values keep their number and their device, and each its kind and the width of its value.
fn check_values(before: &[ValueOperation], after: &[ValueOperation]) -> Result<()> {
    let kind =
        |operation: &ValueOperation| (matches!(operation.action, ValueAction::Wait { .. }), operation.value.bytes());
    if before.iter().map(kind).eq(after.iter().map(kind)) {
        let device = |operations: &[ValueOperation]| memory::device_of(operations.first()?.address);
        return match (device(before), device(after)) {
            (Some(before), Some(after)) if before != after => {
                Err(not_of_exec("operations on values stay on the device that they are done on"))
            }
            _ => Ok(()),
        };
    }
    Err(not_of_exec(
        "operations on values keep their number, and each of them stays the write or the wait of 4 or 8 bytes that it was",
    ))
}
