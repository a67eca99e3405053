//! Flags, priority and attributes of streams, read and set.

#![expect(dead_code, reason = "the values go to the device as they are; these are their names for C")]

use std::ffi::c_void;

use super::stream::GRAPHCAP_STREAM_NON_BLOCKING;
use crate::ffi::boundary::{answer_borrowed, gc_status, gc_stream, read_bytes, with_borrowed, with_two_borrowed, Out};

/// Returns the flags of a stream: the flags that it was made with, or, for a wrapped stream, the flags that the driver
/// reports. Harms no capture.
///
/// The driver does not report the flags of a stream that is being captured. If a wrapped stream was being captured when
/// it was wrapped, and is being captured now, the call returns GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED.
///
/// @param[in]  stream     the stream
/// @param[out] flags_out  0 or GRAPHCAP_STREAM_NON_BLOCKING
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  the flags are not known, and the driver cannot be asked; the capture
///                                             goes on
#[no_mangle]
pub unsafe extern "C" fn gc_stream_flags(stream: *const gc_stream, flags_out: *mut u32) -> gc_status {
    // SAFETY: C promises that `flags_out` is NULL or writable.
    let out = unsafe { Out::number(flags_out, "flags_out") };
    answer_borrowed("gc_stream_flags", (stream, "stream"), out, |stream| {
        Ok(if stream.is_non_blocking()? { GRAPHCAP_STREAM_NON_BLOCKING } else { 0 })
    })
}

/// Returns the priority of a stream, within the range of its context. Harms no capture. The priority of a default
/// stream is 0 until gc_stream_set_attribute() or gc_stream_copy_attributes() changes it.
///
/// @param[in]  stream        the stream
/// @param[out] priority_out  the priority; lower is more urgent
/// @retval GRAPHCAP_ERROR_CAPTURE_INVALIDATED  the stream is the per-thread stream, its capture was broken before, and
///                                             the driver does not return the priority
#[no_mangle]
pub unsafe extern "C" fn gc_stream_priority(stream: *const gc_stream, priority_out: *mut i32) -> gc_status {
    // SAFETY: C promises that `priority_out` is NULL or writable.
    let out = unsafe { Out::number(priority_out, "priority_out") };
    answer_borrowed("gc_stream_priority", (stream, "stream"), out, |stream| Ok(stream.priority()?))
}

/// An attribute of a stream: one of the GRAPHCAP_STREAM_ATTRIBUTE_ numbers, which are CUDA's. A CUDA device also
/// accepts other attributes that its driver knows.
pub type gc_stream_attribute = u32;

/// Addresses that the caches of the device should keep: gc_stream_attribute_value::access_policy_window.
pub const GRAPHCAP_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW: gc_stream_attribute = 1;
/// Way in which a thread waits for the stream: gc_stream_attribute_value::synchronization_policy.
pub const GRAPHCAP_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY: gc_stream_attribute = 3;
/// The priority: gc_stream_attribute_value::priority.
pub const GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY: gc_stream_attribute = 8;
/// Domains of the device that the two memory-sync domains map to: gc_stream_attribute_value::memory_sync_domain_map.
pub const GRAPHCAP_STREAM_ATTRIBUTE_MEMORY_SYNC_DOMAIN_MAP: gc_stream_attribute = 9;
/// The memory-sync domain of the stream's kernels, which determines whose writes their fences wait for:
/// gc_stream_attribute_value::memory_sync_domain.
pub const GRAPHCAP_STREAM_ATTRIBUTE_MEMORY_SYNC_DOMAIN: gc_stream_attribute = 10;

/// A synchronization policy: as the context's flags say.
pub const GRAPHCAP_SYNCHRONIZATION_POLICY_AUTO: i32 = 1;
/// A synchronization policy: the thread spins.
pub const GRAPHCAP_SYNCHRONIZATION_POLICY_SPIN: i32 = 2;
/// A synchronization policy: the thread spins and yields.
pub const GRAPHCAP_SYNCHRONIZATION_POLICY_YIELD: i32 = 3;
/// A synchronization policy: the thread sleeps.
pub const GRAPHCAP_SYNCHRONIZATION_POLICY_BLOCKING_SYNC: i32 = 4;

/// A memory-sync domain: the domain of kernels that state none.
pub const GRAPHCAP_MEMORY_SYNC_DOMAIN_DEFAULT: i32 = 0;
/// A memory-sync domain: the domain of kernels that write to other devices.
pub const GRAPHCAP_MEMORY_SYNC_DOMAIN_REMOTE: i32 = 1;

/// Treatment of accesses by a cache: as usual.
pub const GRAPHCAP_ACCESS_PROPERTY_NORMAL: i32 = 0;
/// Treatment of accesses by a cache: they are unlikely to be repeated.
pub const GRAPHCAP_ACCESS_PROPERTY_STREAMING: i32 = 1;
/// Treatment of accesses by a cache: they are likely to be repeated. Only for gc_access_policy_window::hit_property.
pub const GRAPHCAP_ACCESS_PROPERTY_PERSISTING: i32 = 2;

/// A range of addresses, and how the caches of a device treat accesses to it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_access_policy_window {
    /// The first address; see gc_buffer_address().
    pub base: *mut c_void,
    /// The size of the range in bytes; 0 means no window.
    pub size: usize,
    /// The fraction of the accesses that hit_property applies to, from 0 to 1. miss_property applies to the others.
    pub hit_ratio: f32,
    /// One of the GRAPHCAP_ACCESS_PROPERTY_ numbers.
    pub hit_property: i32,
    /// GRAPHCAP_ACCESS_PROPERTY_NORMAL or GRAPHCAP_ACCESS_PROPERTY_STREAMING.
    pub miss_property: i32,
}

/// The domains of the device that the two memory-sync domains map to.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_memory_sync_domain_map {
    /// The domain for GRAPHCAP_MEMORY_SYNC_DOMAIN_DEFAULT.
    pub default_domain: u8,
    /// The domain for GRAPHCAP_MEMORY_SYNC_DOMAIN_REMOTE.
    pub remote_domain: u8,
}

/// The value of a stream attribute. It has the layout of CUDA's type, 64 bytes, and therefore no struct_size. The
/// attribute determines which member is used.
#[repr(C)]
#[derive(Clone, Copy)]
pub union gc_stream_attribute_value {
    /// The whole value, also for attributes that have no member here.
    pub bytes: [u8; 64],
    /// For GRAPHCAP_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW.
    pub access_policy_window: gc_access_policy_window,
    /// For GRAPHCAP_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY: one of the GRAPHCAP_SYNCHRONIZATION_POLICY_ numbers.
    pub synchronization_policy: i32,
    /// For GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY: clamped to the range of the context.
    pub priority: i32,
    /// For GRAPHCAP_STREAM_ATTRIBUTE_MEMORY_SYNC_DOMAIN_MAP.
    pub memory_sync_domain_map: gc_memory_sync_domain_map,
    /// For GRAPHCAP_STREAM_ATTRIBUTE_MEMORY_SYNC_DOMAIN: one of the GRAPHCAP_MEMORY_SYNC_DOMAIN_ numbers.
    pub memory_sync_domain: i32,
}

/// Returns an attribute of a stream.
///
/// A CUDA device returns the driver's value, also for attributes that this header does not know. A host device returns
/// the value that was set, or the initial value of a GPU.
///
/// @param[in]  stream     the stream
/// @param[in]  attribute  one of the GRAPHCAP_STREAM_ATTRIBUTE_ numbers
/// @param[out] value_out  the value; all 64 bytes are written, 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  streams have no such attribute
#[no_mangle]
pub unsafe extern "C" fn gc_stream_get_attribute(
    stream: *const gc_stream,
    attribute: gc_stream_attribute,
    value_out: *mut gc_stream_attribute_value,
) -> gc_status {
    // SAFETY: C promises that `value_out` is NULL or writable.
    let out = unsafe { Out::bytes(value_out, "value_out") };
    answer_borrowed("gc_stream_get_attribute", (stream, "stream"), out, |stream| Ok(stream.attribute(attribute)?))
}

/// Sets an attribute of a stream for the work that is submitted from now on. A host device stores the value, and runs
/// the stream as before.
///
/// @param[in] stream     the stream
/// @param[in] attribute  one of the GRAPHCAP_STREAM_ATTRIBUTE_ numbers
/// @param[in] value      the value, not NULL; bytes that the attribute does not use are ignored
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        value is NULL, streams have no such attribute, or it cannot have that
///                                             value
/// @retval GRAPHCAP_ERROR_CAPTURE_INVALIDATED  the capture of the stream was broken before, and the driver does not set
///                                             the attribute; a host device sets it
#[no_mangle]
pub unsafe extern "C" fn gc_stream_set_attribute(
    stream: *const gc_stream,
    attribute: gc_stream_attribute,
    value: *const gc_stream_attribute_value,
) -> gc_status {
    with_borrowed("gc_stream_set_attribute", (stream, "stream"), |stream| {
        // SAFETY: C promises that `value` is NULL or points to a value.
        let value = unsafe { read_bytes(value, "value") }?;
        Ok(stream.set_attribute(attribute, &value)?)
    })
}

/// Copies the attributes of a stream to another stream. The driver determines which attributes are copied. A host
/// device copies all attributes that it stores.
///
/// @param[in] stream  the stream whose attributes are set
/// @param[in] source  the stream whose attributes are read, of the same context
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT      the two streams belong to different contexts
/// @retval GRAPHCAP_ERROR_CAPTURE_INVALIDATED  the capture of stream or source was broken before, and the driver does
///                                             not copy the attributes; a host device copies them
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT     stream or source is the legacy stream and a blocking stream is being
///                                             captured; the capture is invalidated
#[no_mangle]
pub unsafe extern "C" fn gc_stream_copy_attributes(stream: *const gc_stream, source: *const gc_stream) -> gc_status {
    with_two_borrowed("gc_stream_copy_attributes", (stream, "stream"), (source, "source"), |stream, source| {
        Ok(stream.copy_attributes(source)?)
    })
}
