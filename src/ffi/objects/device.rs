//! gc_device: which devices there are.

use std::ffi::c_char;

use crate::ffi::boundary::{gc_status, guard, one_of, Out, Output, Result, TextOut};
use graphcap_driver::{DeviceChoice, DeviceKind};

/// A kind of device: one of the GRAPHCAP_DEVICE_ numbers.
pub type gc_device_kind = i32;

/// The kind that the environment variable GRAPHCAP_DEVICE names: auto, cuda or host. With auto, or without the
/// variable, it is CUDA if its driver works and finds a GPU, else the host device. gc_device_auto_reason() tells which
/// kind it is, and why.
pub const GRAPHCAP_DEVICE_AUTO: gc_device_kind = 0;
/// A GPU through NVIDIA's driver.
pub const GRAPHCAP_DEVICE_CUDA: gc_device_kind = 1;
/// The device built into the library, which executes on the CPU.
pub const GRAPHCAP_DEVICE_HOST: gc_device_kind = 2;

/// The choice that C means by `kind`.
pub(crate) fn choice(kind: gc_device_kind, argument: &'static str) -> Result<DeviceChoice> {
    let choices = [
        (GRAPHCAP_DEVICE_AUTO, DeviceChoice::Auto),
        (GRAPHCAP_DEVICE_CUDA, DeviceChoice::Kind(DeviceKind::Cuda)),
        (GRAPHCAP_DEVICE_HOST, DeviceChoice::Kind(DeviceKind::Host)),
    ];
    one_of(choices, kind, argument, "one of the GRAPHCAP_DEVICE_ numbers")
}

/// Counts the devices of a kind. There is one device of the host kind, or as many as the environment variable
/// GRAPHCAP_HOST_DEVICES says. A call that succeeds finds at least one device.
///
/// The first call that concerns CUDA loads NVIDIA's driver: libcuda.so.1, then libcuda.so, or the file that the
/// environment variable GRAPHCAP_CUDA_LIBRARY names. After a failure the next call tries again.
///
/// @param[in]  kind   one of the GRAPHCAP_DEVICE_ numbers
/// @param[out] count  the number of devices; their ordinals are 0 to count - 1
/// @retval GRAPHCAP_ERROR_NO_DEVICE        the driver finds no GPU
/// @retval GRAPHCAP_ERROR_LIBRARY          NVIDIA's driver could not be loaded; the message names what was tried
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the driver is older than 12.0
/// @retval GRAPHCAP_ERROR_STUB_LIBRARY     the driver library is the toolkit's stub
/// @retval GRAPHCAP_ERROR_NOT_INITIALIZED  the driver could not be initialised
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    an environment variable is malformed: GRAPHCAP_DEVICE, or
///     GRAPHCAP_HOST_DEVICES for host devices
#[no_mangle]
pub unsafe extern "C" fn gc_device_count(kind: gc_device_kind, count: *mut u32) -> gc_status {
    // SAFETY: C promises that `count` is NULL or writable.
    let out = unsafe { Out::number(count, "count") };
    guard("gc_device_count", [], || {
        out.answer(|| {
            let kind = graphcap_devices::resolve(choice(kind, "kind")?)?;
            let count = graphcap_devices::device_count(kind)?;
            Ok(count)
        })
    })
}

/// Copies the name of a device, such as "NVIDIA H200".
///
/// @param[in]  kind      one of the GRAPHCAP_DEVICE_ numbers
/// @param[in]  ordinal   which device of the kind, from 0
/// @param[out] text      where to copy the name to; it ends with a NUL. May be NULL when capacity is 0
/// @param[in]  capacity  bytes at text; 0 asks only for the size
/// @param[out] needed    the size of the whole name in bytes with its NUL; may be NULL
/// @retval GRAPHCAP_ERROR_NO_DEVICE        the driver finds no GPU
/// @retval GRAPHCAP_ERROR_LIBRARY          NVIDIA's driver could not be loaded; the message names what was tried
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the driver is older than 12.0
/// @retval GRAPHCAP_ERROR_STUB_LIBRARY     the driver library is the toolkit's stub
/// @retval GRAPHCAP_ERROR_NOT_INITIALIZED  the driver could not be initialised
/// @retval GRAPHCAP_ERROR_INVALID_DEVICE   the ordinal is not below the number of devices
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    an environment variable is malformed: GRAPHCAP_DEVICE; GRAPHCAP_HOST_DEVICES
///     or GRAPHCAP_HOST_THREADS for host devices
#[no_mangle]
pub unsafe extern "C" fn gc_device_name(
    kind: gc_device_kind,
    ordinal: u32,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `text` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let out = unsafe { TextOut::new(text, capacity, needed) };
    guard("gc_device_name", [], || {
        let kind = graphcap_devices::resolve(choice(kind, "kind")?)?;
        let device = graphcap_devices::device_info(kind, ordinal)?;
        out.write(&device.name)
    })
}

/// Copies a sentence that tells which kind of device GRAPHCAP_DEVICE_AUTO means now, and why: what
/// the environment asks for, or what is missing for CUDA.
///
/// Loads and initialises NVIDIA's driver unless GRAPHCAP_DEVICE is set to cuda or host. With cuda it does not check
/// whether CUDA works.
///
/// @param[out] text      where to copy the sentence to; it ends with a NUL. May be NULL when capacity is 0
/// @param[in]  capacity  bytes at text; 0 asks only for the size
/// @param[out] needed    the size of the whole sentence in bytes with its NUL; may be NULL
/// @retval GRAPHCAP_ERROR_BUFFER_TOO_SMALL  the sentence was cut to fit
/// @retval GRAPHCAP_ERROR_INVALID_VALUE     GRAPHCAP_DEVICE is malformed
#[no_mangle]
pub unsafe extern "C" fn gc_device_auto_reason(text: *mut c_char, capacity: usize, needed: *mut usize) -> gc_status {
    // SAFETY: C promises that `text` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let out = unsafe { TextOut::new(text, capacity, needed) };
    guard("gc_device_auto_reason", [], || {
        let (_, reason) = graphcap_devices::settle_auto()?;
        out.write(&reason)
    })
}
