//! Questions whether memory is managed, and whether the process has any that graphcap knows of.

use std::ffi::{c_int, c_uint, c_void};
use std::sync::atomic::{AtomicBool, Ordering};

use cudarc::driver::sys::CUpointer_attribute;

use crate::api::{Api, DriverError, MEMORY_TYPE_HOST};
use graphcap_driver::Address;

static IS_KNOWN: AtomicBool = AtomicBool::new(false);

/// Managed memory was allocated, or lent to graphcap.
pub(crate) fn note() {
    IS_KNOWN.store(true, Ordering::Release);
}

/// Returns whether graphcap ever knew of managed memory.
pub(crate) fn is_known() -> bool {
    IS_KNOWN.load(Ordering::Acquire)
}

/// Notes whether memory that graphcap is lent is managed. The context must be current.
pub(crate) fn note_lent(api: &Api, address: Address) {
    if matches!(is_managed(api, address), Ok(true)) {
        note();
    }
}

/// Returns whether the driver has managed memory there. The context must be current, as for the questions below.
pub(crate) fn is_managed(api: &Api, address: Address) -> Result<bool, DriverError> {
    Ok(attribute(api, CUpointer_attribute::CU_POINTER_ATTRIBUTE_IS_MANAGED, address, 0)? & 0xff != 0)
}

/// Returns whether the driver has no memory there.
pub(crate) fn is_pageable(api: &Api, address: Address) -> Result<bool, DriverError> {
    Ok(attribute(api, CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address, 0)? == 0)
}

/// Returns whether the driver has pinned memory of the host there.
pub(crate) fn is_pinned(api: &Api, address: Address) -> Result<bool, DriverError> {
    let kind = attribute(api, CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address, 0)?;
    Ok(kind == MEMORY_TYPE_HOST as c_int && !is_managed(api, address)?)
}

/// A pointer attribute of at most four bytes. Where the driver knows no memory it writes 0, a number below 0, or nothing: then this is
/// `unknown`.
pub(crate) fn attribute(
    api: &Api,
    attribute: CUpointer_attribute,
    address: Address,
    unknown: c_int,
) -> Result<c_int, DriverError> {
    let mut attribute = attribute as c_uint;
    let mut value = unknown;
    let mut values: *mut c_void = (&raw mut value).cast();
    // SAFETY: no attribute that is asked for has more bytes than the value. Of an address that it does not know the driver answers
    // success, and writes nothing, 0 or a number below 0.
    unsafe { api.cuPointerGetAttributes(1, &raw mut attribute, &raw mut values, address) }?;
    Ok(value)
}
