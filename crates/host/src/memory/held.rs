//! Live ranges that work needs: checked when it is submitted or becomes a node, and held while it runs.

use std::sync::Arc;

use super::{find, Allocation, RANGES};
use crate::raw;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::refusals::not_allocated;
use graphcap_driver::{Address, Memcpy, MemcpyKind, MemcpyRows, Memset, ValueOperation};

/// Checks the device sides of a copy against the live ranges. What a node allocated and a queued free gives back is none of these.
pub(crate) fn check_copy(copy: &Memcpy) -> Result<()> {
    check_allocated(held_for_copy(copy)?.iter().flatten())
}

/// Checks the device sides of a copy of rows, as [`check_copy`].
pub(crate) fn check_rows(copy: &MemcpyRows) -> Result<()> {
    check_allocated(held_for_rows(copy)?.iter().flatten())
}

/// Checks the device sides of a copy that a node is to do against the live ranges, and those that nodes will allocate.
pub(crate) fn check_rows_of_node(copy: &MemcpyRows) -> Result<()> {
    held_for(&copy.row, copy.destination_span(), copy.source_span(), is_promised).map(drop)
}

/// Checks a memset that a node is to do against the live ranges, and those that nodes will allocate.
pub(crate) fn check_set_of_node(set: &Memset) -> Result<()> {
    held_for_range_of_set(set, is_promised).map(drop)
}

/// Checks a memset, as [`check_copy`].
pub(crate) fn check_set(set: &Memset) -> Result<()> {
    check_allocated(held_for_set(set)?.iter())
}

/// Checks value operations, as [`check_copy`].
pub(crate) fn check_values(operations: &[ValueOperation]) -> Result<()> {
    operations.iter().try_for_each(|operation| check_allocated([&held_for_value(operation)?].into_iter()))
}

fn check_allocated<'a>(mut allocations: impl Iterator<Item = &'a Arc<Allocation>>) -> Result<()> {
    match allocations.find_map(|allocation| allocation.freed()) {
        Some(address) => Err(not_allocated(address)),
        None => Ok(()),
    }
}

/// Copies, if the device sides are alive; they stay so meanwhile.
pub(crate) fn run_copy(copy: &Memcpy) -> Result<()> {
    let _held = held_for_copy(copy).map_err(|error| gone(&error))?;
    raw::copy(copy.destination, copy.source, copy.bytes);
    Ok(())
}

/// Copies row by row, if the device sides are alive; they stay so meanwhile.
pub(crate) fn run_rows(copy: &MemcpyRows) -> Result<()> {
    let _held = held_for_rows(copy).map_err(|error| gone(&error))?;
    let copy = copy.joined();
    for z in 0..copy.depth {
        for y in 0..copy.height {
            let destination = copy.row.destination + (z * copy.destination.slice + y * copy.destination.row) as Address;
            let source = copy.row.source + (z * copy.source.slice + y * copy.source.row) as Address;
            raw::copy(destination, source, copy.row.bytes);
        }
    }
    Ok(())
}

/// Sets, if the range is alive; it stays so meanwhile.
pub(crate) fn run_set(set: &Memset) -> Result<()> {
    let _held = held_for_set(set).map_err(|error| gone(&error))?;
    let set = set.joined();
    for row in 0..set.rows {
        raw::fill(set.address + (row * set.pitch) as Address, set.value, set.element_size, set.count);
    }
    Ok(())
}

/// Returns what a value operation works on, if it is alive; it stays so while it is held.
pub(crate) fn hold_value(operation: &ValueOperation) -> Result<Arc<Allocation>> {
    held_for_value(operation).map_err(|error| gone(&error))
}

/// Returns what work answers whose memory is gone when it runs: the driver's launch failure.
#[cold]
fn gone(error: &Error) -> Error {
    Error::new(
        Status::LAUNCH_FAILED,
        format!("memory was freed before the work that uses it ran: {error}; keep it alive until then, as a graph does with its buffers"),
    )
}

fn held_for_copy(copy: &Memcpy) -> Result<[Option<Arc<Allocation>>; 2]> {
    held_for(copy, Some(copy.bytes), Some(copy.bytes), never)
}

fn held_for_rows(copy: &MemcpyRows) -> Result<[Option<Arc<Allocation>>; 2]> {
    held_for(&copy.row, copy.destination_span(), copy.source_span(), never)
}

/// Returns whether all of the `bytes` bytes at `address` are what a node allocates, alive or not.
fn is_promised(address: Address, bytes: usize) -> bool {
    let ranges = RANGES.read();
    let near = ranges.promised.range(..=address).next_back();
    near.is_some_and(|(start, length)| {
        address.checked_add(bytes as u64).is_some_and(|end| end <= start + *length as u64)
    })
}

/// No range but the live ones.
fn never(_: Address, _: usize) -> bool {
    false
}

/// The allocations of a copy that writes within `written` bytes and reads within `read` bytes; `None` for more than there
/// can be. Ranges for which `need_not_live` holds may be missing.
fn held_for(
    copy: &Memcpy,
    written: Option<usize>,
    read: Option<usize>,
    need_not_live: fn(Address, usize) -> bool,
) -> Result<[Option<Arc<Allocation>>; 2]> {
    let span_of = |side: &str| if side == "source" { read } else { written };
    let held = |address: Address, side: &str| {
        let span = span_of(side);
        let known = span.and_then(|span| find(address, span));
        if known.is_none() && span.is_some_and(|span| need_not_live(address, span)) {
            return Ok(None);
        }
        known.map(Some).ok_or_else(|| {
            if span.is_some_and(|span| is_promised(address, span)) {
                return not_allocated(address);
            }
            let bytes = span.map_or_else(|| "more bytes than there can be".to_owned(), |span| format!("{span} bytes"));
            Error::invalid_value(format!(
                "the {side} of the copy, {bytes} at {address:#x}, is not inside one live allocation"
            ))
        })
    };
    let host = |address: Address, side: &str| match span_of(side).and_then(|span| address.checked_add(span as Address))
    {
        Some(_) if address != 0 => Ok(None),
        _ => Err(Error::invalid_value(format!("the {side} of the copy, at {address:#x}, is no range of host memory"))),
    };
    Ok(match copy.kind {
        MemcpyKind::HostToDevice => [held(copy.destination, "destination")?, host(copy.source, "source")?],
        MemcpyKind::DeviceToHost => [host(copy.destination, "destination")?, held(copy.source, "source")?],
        MemcpyKind::HostToHost => [host(copy.destination, "destination")?, host(copy.source, "source")?],
        MemcpyKind::DeviceToDevice | MemcpyKind::BetweenContexts => {
            [held(copy.destination, "destination")?, held(copy.source, "source")?]
        }
    })
}

fn held_for_set(set: &Memset) -> Result<Option<Arc<Allocation>>> {
    held_for_range_of_set(set, never)
}

/// As [`held_for`].
fn held_for_range_of_set(set: &Memset, need_not_live: fn(Address, usize) -> bool) -> Result<Option<Arc<Allocation>>> {
    let size = u64::from(set.element_size);
    if !matches!(size, 1 | 2 | 4) || !set.address.is_multiple_of(size) {
        return Err(Error::invalid_value(format!(
            "a memset has elements of 1, 2 or 4 bytes at a multiple of their size, not of {size} at {:#x}",
            set.address
        )));
    }
    if set.rows > 1 && !(set.pitch as u64).is_multiple_of(size) {
        return Err(Error::invalid_value(format!(
            "the rows of a memset of elements of {size} bytes begin at multiples of that, not every {} bytes",
            set.pitch
        )));
    }
    let known = set.span().and_then(|bytes| find(set.address, bytes));
    if known.is_none() && set.span().is_some_and(|bytes| need_not_live(set.address, bytes)) {
        return Ok(None);
    }
    known.map(Some).ok_or_else(|| {
        if set.span().is_some_and(|bytes| is_promised(set.address, bytes)) {
            return not_allocated(set.address);
        }
        Error::invalid_value(format!(
            "the range of the memset, {} rows of {} elements of {size} bytes at {:#x}, is not inside one live allocation",
            set.rows, set.count, set.address
        ))
    })
}

/// Returns whether a host side of a copy is memory that no device reaches by itself.
pub(crate) fn has_pageable_side(copy: &MemcpyRows) -> bool {
    let (to_host, from_host) = copy.row.kind.host_sides();
    let is_pageable = |address, span: Option<usize>| span.is_none_or(|span| find(address, span).is_none());
    to_host && is_pageable(copy.row.destination, copy.destination_span())
        || from_host && is_pageable(copy.row.source, copy.source_span())
}

/// Checks that value operations are on values that can be read and written in one piece. Whether their memory is alive is
/// left to [`check_values`], or to the time when they run.
pub(crate) fn check_alignments(operations: &[ValueOperation]) -> Result<()> {
    operations.iter().try_for_each(check_alignment)
}

fn check_alignment(operation: &ValueOperation) -> Result<()> {
    let bytes = operation.value.bytes();
    if operation.address.is_multiple_of(bytes as u64) {
        return Ok(());
    }
    Err(Error::invalid_value(format!(
        "a value of {bytes} bytes lies at a multiple of its size, not at {:#x}",
        operation.address
    )))
}

fn held_for_value(operation: &ValueOperation) -> Result<Arc<Allocation>> {
    check_alignment(operation)?;
    let bytes = operation.value.bytes();
    find(operation.address, bytes).ok_or_else(|| {
        if is_promised(operation.address, bytes) {
            return not_allocated(operation.address);
        }
        Error::invalid_value(format!(
            "the {bytes} bytes at {:#x} of a value operation are not inside one live allocation",
            operation.address
        ))
    })
}
