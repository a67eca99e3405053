//! gc_context: a device in use.

use std::ffi::c_char;
use std::time::Duration;

use super::device::{self, gc_device_kind};
use crate::ffi::boundary::{
    answer_borrowed, check_flags, gc_context, gc_status, gc_stream, guard, handle, options, process_end, with_borrowed,
    with_clone, Out, StructOut, TextOut, Versioned,
};
use graphcap_core::{Context, ContextOptions};

/// gc_context_options::flags: graphcap refuses a call on the context's objects that would harm an open capture, and the
/// capture goes on.
///
/// A refused call returns the status that the driver would have returned, but the driver does not see the call. This
/// protects all captures that were begun through graphcap, in this or in another context. Refused are: unsafe calls;
/// waits for, and queries of, capturing streams and captured events; work on the legacy stream; waits that would merge
/// captures or depend on outside work; launches of impossible shapes; and ends that would discard the capture, which
/// are ends on a joined stream, by the wrong thread, or with unjoined work. A call that exists to discard a capture
/// still does: destroying the stream that the capture was begun on, gc_capture_abort(), gc_capture_destroy(), and
/// gc_stream_capture(), whose capture ends in any case. While no capture is open, the flag costs next to nothing.
///
/// The check is exact for what graphcap made. docs/capture.md lists what is left to the driver, and can harm a capture
/// as it does without this flag: what others do without graphcap, and what graphcap cannot follow.
pub const GRAPHCAP_CONTEXT_GUARDED: u32 = 1;
/// gc_context_options::flags: every capture of a stream of the context is strict, as with GRAPHCAP_CAPTURE_STRICT. This
/// holds for gc_stream_begin_capture(), for the recordings of graph caches and scripts, and for work that graphcap
/// records into captures that others began; work outside of those is not counted.
pub const GRAPHCAP_CONTEXT_STRICT: u32 = 2;

/// Options of a new context. With all members 0 it is on a device of the kind that GRAPHCAP_DEVICE_AUTO finds.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_context_options {
    /// sizeof(gc_context_options).
    pub struct_size: u32,
    /// One of the GRAPHCAP_DEVICE_ numbers.
    pub device_kind: gc_device_kind,
    /// Number of the device among those of its kind, from 0.
    pub device_ordinal: u32,
    /// A combination of GRAPHCAP_CONTEXT_GUARDED and GRAPHCAP_CONTEXT_STRICT, or 0.
    pub flags: u32,
}
// SAFETY: repr(C), starts with its size, and holds integers only.
unsafe impl Versioned for gc_context_options {}

/// Makes a context on a device.
///
/// On a CUDA device the context uses the device's primary context, as the CUDA runtime and the libraries on it do.
/// graphcap retains the primary context, and makes it current only during calls that need it: the caller's current
/// context stays as it was. All contexts on one GPU share its primary context. Their objects can be mixed only where a
/// function says so. In a trace the call waits for the work of the device, as CUPTI does where it is subscribed to.
///
/// @param[in]  options      NULL for the defaults
/// @param[out] context_out  the new context, owned by the caller until gc_context_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_NO_DEVICE        the driver finds no GPU
/// @retval GRAPHCAP_ERROR_LIBRARY          NVIDIA's driver could not be loaded; the message names what was tried
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the driver is older than 12.0, or the device has no memory pools;
///     or maps no memory into reserved addresses, for GRAPHCAP_CUDA_MEMORY=guard
/// @retval GRAPHCAP_ERROR_STUB_LIBRARY     the driver library is the toolkit's stub
/// @retval GRAPHCAP_ERROR_NOT_INITIALIZED  the driver could not be initialised
/// @retval GRAPHCAP_ERROR_INVALID_DEVICE   the ordinal is not below the number of devices
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    an environment variable is malformed: GRAPHCAP_DEVICE;
///     GRAPHCAP_HOST_DEVICES, GRAPHCAP_HOST_THREADS or GRAPHCAP_HOST_MEMORY for host devices; GRAPHCAP_CUDA_MEMORY
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY    there is not enough memory, or a thread cannot be started
/// @retval GRAPHCAP_ERROR_ILLEGAL_ADDRESS  work on a GPU faulted before; this process cannot use CUDA any more
#[no_mangle]
pub unsafe extern "C" fn gc_context_create(
    options: *const gc_context_options,
    context_out: *mut *mut gc_context,
) -> gc_status {
    // SAFETY: C promises that `context_out` is NULL or writable.
    let out = unsafe { Out::handle(context_out, "context_out") };
    guard("gc_context_create", [], || {
        let out = out.required()?;
        // SAFETY: C promises that `options` is NULL or points to as many bytes as its struct_size states.
        let options = unsafe { options::read_or_default(options, "options") }?;
        let known = GRAPHCAP_CONTEXT_GUARDED | GRAPHCAP_CONTEXT_STRICT;
        check_flags(
            options.flags,
            known,
            "flags",
            "a combination of GRAPHCAP_CONTEXT_GUARDED and GRAPHCAP_CONTEXT_STRICT, or 0",
        )?;
        let choice = device::choice(options.device_kind, "device_kind")?;
        let treats_captures = ContextOptions {
            guarded: options.flags & GRAPHCAP_CONTEXT_GUARDED != 0,
            strict: options.flags & GRAPHCAP_CONTEXT_STRICT != 0,
        };
        let context = Context::create_with(choice, options.device_ordinal, treats_captures)?;
        out.write(handle::insert(context)?);
        process_end::watch();
        Ok(())
    })
}

/// Destroys a context handle. The context itself lives until its last object and the submitted work are gone. Does not
/// wait.
///
/// @param[in] context  NULL has no effect
#[no_mangle]
pub unsafe extern "C" fn gc_context_destroy(context: *mut gc_context) -> gc_status {
    guard("gc_context_destroy", [], || handle::destroy(context, "context"))
}

/// Waits until all work of the context has completed. On a CUDA device that is all work of the primary context,
/// including work that others submitted; the call then unloads the code of destroyed modules.
///
/// @param[in] context  the context
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  a stream of the context is being captured, or, on a CUDA device, any
///                                             stream of the primary context; the capture is invalidated
#[no_mangle]
pub unsafe extern "C" fn gc_context_synchronize(context: *const gc_context) -> gc_status {
    with_clone("gc_context_synchronize", (context, "context"), |context| {
        handle::drain();
        Ok(context.synchronize()?)
    })
}

/// Waits as gc_context_synchronize() does, but no longer than a given time. When that has passed, the message tells
/// what goes on, as that of gc_stream_synchronize_for() does. The rules of captures treat both calls alike. This call
/// does not unload the code of destroyed modules.
///
/// @param[in] context      the context
/// @param[in] nanoseconds  the longest time to wait; 0 checks once, UINT64_MAX waits for ever
/// @retval GRAPHCAP_ERROR_TIMEOUT              the time passed before all work completed; the work goes on
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  a stream of the context is being captured, or, on a CUDA device, any
///                                             stream of the primary context; the capture is invalidated
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED        the device is a CUDA device whose driver is older than 12.5
#[no_mangle]
pub unsafe extern "C" fn gc_context_synchronize_for(context: *const gc_context, nanoseconds: u64) -> gc_status {
    with_clone("gc_context_synchronize_for", (context, "context"), |context| {
        let limit = Duration::from_nanos(nanoseconds);
        let waited = context.synchronize_for(limit);
        Ok(waited.map_err(|error| context.with_what_runs(limit, error))?)
    })
}

/// Returns the range of priorities that streams of the context can have. A lower number is more urgent.
///
/// Both are 0 if the device has no priorities. A host device has the range of a GPU, and runs all its streams alike.
///
/// @param[in]  context       the context
/// @param[out] least_out     the least urgent priority
/// @param[out] greatest_out  the most urgent priority, the lowest number
#[no_mangle]
pub unsafe extern "C" fn gc_context_stream_priority_range(
    context: *const gc_context,
    least_out: *mut i32,
    greatest_out: *mut i32,
) -> gc_status {
    // SAFETY: C promises that both are NULL or writable.
    let outs = unsafe { (Out::number(least_out, "least_out"), Out::number(greatest_out, "greatest_out")) };
    with_borrowed("gc_context_stream_priority_range", (context, "context"), |context| {
        let (least, greatest) = (outs.0.required()?, outs.1.required()?);
        let range = context.stream_priority_range()?;
        least.write(range.0);
        greatest.write(range.1);
        Ok(())
    })
}

/// Releases what destroyed objects left because releasing it has to wait: unloads code, frees pinned host memory, and
/// returns to the device the memory that is held for later allocations.
///
/// gc_context_synchronize() also unloads code and frees pinned memory, but keeps the memory that is held for later
/// allocations. gc_context_collect() also releases what ended contexts of the same GPU left, memory that default
/// streams of other threads used, and what graph execs kept whose native handles were given out. It may wait for all
/// work of the device, including work of other contexts and libraries, and other threads that call the driver wait with
/// it. It harms no capture. On a host device there is never anything to release.
///
/// Nothing is released that unfinished work uses. Memory that was used on the legacy stream, or on the per-thread
/// default stream of the calling thread, is released if the work there is complete, and otherwise by a later call.
///
/// @param[in] context  the context
#[no_mangle]
pub unsafe extern "C" fn gc_context_collect(context: *const gc_context) -> gc_status {
    with_clone("gc_context_collect", (context, "context"), |context| {
        handle::drain();
        Ok(context.collect()?)
    })
}

/// Makes the primary context of a CUDA device current on the calling thread, as cudaSetDevice() does.
///
/// Calls that need it then take less time. It stays current until another one is made so: do that
/// before the last context of the device is destroyed. On a host device the call has no effect.
///
/// @param[in] context  the context
#[no_mangle]
pub unsafe extern "C" fn gc_context_make_current(context: *const gc_context) -> gc_status {
    with_clone("gc_context_make_current", (context, "context"), |context| Ok(context.make_current()?))
}

/// Facts about a context. Start from GRAPHCAP_CONTEXT_INFO_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_context_info {
    /// sizeof(gc_context_info). Set it before the call.
    pub struct_size: u32,
    /// The kind of the device: GRAPHCAP_DEVICE_HOST or GRAPHCAP_DEVICE_CUDA.
    pub device_kind: gc_device_kind,
    /// The number of the device among those of its kind: gc_context_options::device_ordinal.
    pub device_ordinal: u32,
    /// 0.
    pub reserved: u32,
    /// 1, and 1 more after each gc_context_reset().
    pub generation: u64,
}
// SAFETY: repr(C), starts with its size, and holds integers only.
unsafe impl Versioned for gc_context_info {}

/// Describes a context: its device and its generation. The call may be made inside callbacks.
///
/// @param[in]     context   the context
/// @param[in,out] info_out  in: struct_size; out: the description
#[no_mangle]
pub unsafe extern "C" fn gc_context_get_info(context: *const gc_context, info_out: *mut gc_context_info) -> gc_status {
    // SAFETY: C promises that `info_out` is NULL, or has as many writable bytes as its struct_size states.
    let out = unsafe { StructOut::new(info_out, "info_out") };
    with_borrowed("gc_context_get_info", (context, "context"), |context| {
        let device = context.device();
        out.required()?.write(gc_context_info {
            struct_size: size_of::<gc_context_info>() as u32,
            device_kind: device.kind as gc_device_kind,
            device_ordinal: device.ordinal,
            reserved: 0,
            generation: context.generation(),
        });
        Ok(())
    })
}

/// Copies the name of the device that the context is on.
///
/// @param[in]  context   the context
/// @param[out] text      where to copy the name to; it ends with a NUL. May be NULL when capacity is 0
/// @param[in]  capacity  bytes at text; 0 asks only for the size
/// @param[out] needed    the size of the whole name in bytes with its NUL; may be NULL
#[no_mangle]
pub unsafe extern "C" fn gc_context_device_name(
    context: *const gc_context,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `text` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let out = unsafe { TextOut::new(text, capacity, needed) };
    with_borrowed("gc_context_device_name", (context, "context"), |context| out.write(&context.device().name))
}

/// Returns a handle to the legacy default stream of the context. The legacy stream and all blocking streams
/// of the context wait for each other.
///
/// The legacy stream cannot be captured. Each call returns a new handle to the same stream.
///
/// @param[in]  context     the context
/// @param[out] stream_out  a handle owned by the caller until gc_stream_destroy(), which leaves the stream
///                         itself alone; NULL on failure
#[no_mangle]
pub unsafe extern "C" fn gc_context_legacy_stream(
    context: *const gc_context,
    stream_out: *mut *mut gc_stream,
) -> gc_status {
    // SAFETY: C promises that `stream_out` is NULL or writable.
    let out = unsafe { Out::handle(stream_out, "stream_out") };
    answer_borrowed("gc_context_legacy_stream", (context, "context"), out, |context| {
        graphcap_driver::check_caller()?;
        handle::insert(context.legacy_stream())
    })
}

/// Returns a handle to the per-thread default stream. In each call the handle means the default stream of the calling
/// thread.
///
/// Keep a handle while a thread captures on its default stream. Destroying the last such handle of the context discards
/// the captures that were begun on per-thread streams. On a CUDA device it discards only the capture of the thread that
/// destroys the handle, because the driver lets no other thread end a capture of a per-thread stream. A thread should
/// end its capture before the thread ends.
///
/// @param[in]  context     the context
/// @param[out] stream_out  a handle owned by the caller until gc_stream_destroy(), which leaves the streams
///                         themselves alone; NULL on failure
#[no_mangle]
pub unsafe extern "C" fn gc_context_per_thread_stream(
    context: *const gc_context,
    stream_out: *mut *mut gc_stream,
) -> gc_status {
    // SAFETY: C promises that `stream_out` is NULL or writable.
    let out = unsafe { Out::handle(stream_out, "stream_out") };
    answer_borrowed("gc_context_per_thread_stream", (context, "context"), out, |context| {
        graphcap_driver::check_caller()?;
        handle::insert(context.per_thread_stream())
    })
}
