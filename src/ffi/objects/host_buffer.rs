//! gc_host_buffer: pinned host memory.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use crate::ffi::boundary::{
    answer_borrowed, answer_clone, check_flags, gc_context, gc_destroy_fn, gc_host_buffer, gc_status, guard, handle,
    Failure, Out, Result, UserData,
};
use graphcap_base::error::Status;
use graphcap_core::{Context, HostBuffer};
use graphcap_driver::{Address, HostMemoryOptions};

/// All CUDA contexts treat the memory as pinned, not only the context that it is made in, when a copy gets it as a
/// plain host pointer.
pub const GRAPHCAP_HOST_BUFFER_PORTABLE: u32 = 1;
/// Kernels can use the memory, by the address that gc_host_buffer_device_address() returns.
pub const GRAPHCAP_HOST_BUFFER_MAPPED: u32 = 2;
/// On a CUDA device the CPU's writes are not cached. This makes the CPU's writes and the device's reads faster, and the
/// CPU's reads very slow. gc_host_buffer_register() does not accept it.
pub const GRAPHCAP_HOST_BUFFER_WRITE_COMBINED: u32 = 4;

fn options_of(flags: u32, known: u32, known_names: &'static str) -> Result<HostMemoryOptions> {
    check_flags(flags, known, "flags", known_names)?;
    Ok(HostMemoryOptions {
        portable: flags & GRAPHCAP_HOST_BUFFER_PORTABLE != 0,
        mapped: flags & GRAPHCAP_HOST_BUFFER_MAPPED != 0,
        write_combined: flags & GRAPHCAP_HOST_BUFFER_WRITE_COMBINED != 0,
    })
}

/// Allocates pinned host memory, aligned to at least 256 bytes. Its content is undefined. May be called while streams
/// are captured.
///
/// On a host device it is ordinary memory.
///
/// @param[in]  context          the context whose copies use the host buffer
/// @param[in]  size             bytes, not 0
/// @param[in]  flags            0 or GRAPHCAP_HOST_BUFFER_ flags
/// @param[out] host_buffer_out  the new host buffer, owned by the caller until gc_host_buffer_destroy(); NULL on
///                              failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  size is 0 or a flag is unknown
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY  there is not enough memory that can be pinned
#[no_mangle]
pub unsafe extern "C" fn gc_host_buffer_allocate(
    context: *const gc_context,
    size: usize,
    flags: u32,
    host_buffer_out: *mut *mut gc_host_buffer,
) -> gc_status {
    // SAFETY: C promises that `host_buffer_out` is NULL or writable.
    let out = unsafe { Out::handle(host_buffer_out, "host_buffer_out") };
    answer_clone("gc_host_buffer_allocate", (context, "context"), out, |context| {
        const KNOWN: u32 =
            GRAPHCAP_HOST_BUFFER_PORTABLE | GRAPHCAP_HOST_BUFFER_MAPPED | GRAPHCAP_HOST_BUFFER_WRITE_COMBINED;
        let options = options_of(flags, KNOWN, "GRAPHCAP_HOST_BUFFER_ flags")?;
        handle::insert(HostBuffer::allocate(&context, size, options)?)
    })
}

/// Pins host memory that the caller allocated by other means, and makes a host buffer from it. May be called while
/// streams are captured.
///
/// The caller keeps the memory valid until destroy is called. That happens once the host buffer is destroyed, nothing
/// uses it any more, and the memory is unpinned. On a host device that is within gc_host_buffer_destroy(); see "What
/// ends at once". A CUDA device unpins the memory when gc_context_collect() or gc_context_synchronize() runs for a
/// context of that device, when some of the memory is registered again, or when the device's primary context ends.
///
/// If a host buffer that is destroyed still pins some of the memory, this call ends that one first, unless something
/// uses it. It waits for its end, for 1 second at most. On a CUDA device it does what gc_context_collect() does, which
/// may wait for the device, but only while no stream is captured.
///
/// @param[in]  context          the context whose copies use the host buffer
/// @param[in]  address          the first byte of the memory, not NULL
/// @param[in]  size             bytes, not 0
/// @param[in]  flags            0, GRAPHCAP_HOST_BUFFER_PORTABLE, GRAPHCAP_HOST_BUFFER_MAPPED, or both
/// @param[in]  user_data        passed to destroy; may be NULL
/// @param[in]  destroy          called exactly once, also when this call fails; may be NULL. It is not called if the
///                              process ends first
/// @param[out] host_buffer_out  the new host buffer, owned by the caller until gc_host_buffer_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE                   the range passes the end of the address space, some of the
///     memory was allocated as pinned memory, or the driver cannot pin it
/// @retval GRAPHCAP_ERROR_HOST_MEMORY_ALREADY_REGISTERED  some of the memory is registered already; on a CUDA device,
///                                                        also while a stream is captured, memory of a destroyed host
///                                                        buffer that is still pinned: gc_context_collect() unpins it
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY                   that much memory cannot be pinned
#[no_mangle]
pub unsafe extern "C" fn gc_host_buffer_register(
    context: *const gc_context,
    address: *mut c_void,
    size: usize,
    flags: u32,
    user_data: *mut c_void,
    destroy: gc_destroy_fn,
    host_buffer_out: *mut *mut gc_host_buffer,
) -> gc_status {
    // SAFETY: C promises that `host_buffer_out` is NULL or writable.
    let out = unsafe { Out::handle(host_buffer_out, "host_buffer_out") };
    // SAFETY: C promises that `destroy` may be called once with `user_data`, on any thread.
    let user_data = unsafe { UserData::new(user_data, destroy) };
    answer_clone("gc_host_buffer_register", (context, "context"), out, move |context| {
        if address.is_null() {
            return Err(Failure::Null("address"));
        }
        const KNOWN: u32 = GRAPHCAP_HOST_BUFFER_PORTABLE | GRAPHCAP_HOST_BUFFER_MAPPED;
        let names = "0, GRAPHCAP_HOST_BUFFER_PORTABLE, GRAPHCAP_HOST_BUFFER_MAPPED, or both";
        let options = options_of(flags, KNOWN, names)?;
        let address = address.expose_provenance() as u64;
        handle::insert(register(&context, address, size, options, user_data)?)
    })
}

/// Pins memory, after the end of an earlier host buffer that is destroyed and that nothing uses.
fn register(
    context: &Context,
    address: Address,
    size: usize,
    options: HostMemoryOptions,
    user_data: UserData,
) -> Result<HostBuffer> {
    // Each attempt shares it, and the last one to go destroys it.
    let user_data = Arc::new(user_data);
    let attempt = || {
        let user_data = Arc::clone(&user_data);
        // SAFETY: C promises that the memory is valid for `size` bytes until `destroy` is called.
        unsafe { HostBuffer::register(context, address, size, options, Box::new(move || drop(user_data))) }
    };
    let is_in_the_way = |pinned: &graphcap_base::error::Result<HostBuffer>| {
        pinned.as_ref().is_err_and(|error| error.status == Status::HOST_MEMORY_ALREADY_REGISTERED)
    };
    let mut pinned = attempt();
    if !is_in_the_way(&pinned) || handle::any::<gc_host_buffer>(|live| live.overlaps(address, size)) {
        return Ok(pinned?);
    }
    handle::finish_removed(|| {
        if HostBuffer::is_left_pinned(context, address, size) {
            return true;
        }
        pinned = attempt();
        !is_in_the_way(&pinned)
    });
    if is_in_the_way(&pinned) && HostBuffer::is_left_pinned(context, address, size) {
        HostBuffer::unpin_left(context)?;
        pinned = attempt();
    }
    Ok(pinned?)
}

/// Destroys a host buffer. Its memory is freed or unpinned when no graph or graph exec uses the host buffer any more
/// and the work submitted with it has completed. Does not wait for work, and harms no capture. After this call the
/// caller must not touch memory of gc_host_buffer_allocate().
///
/// On a CUDA device freeing or unpinning the memory waits for all work of the device. It is therefore left to calls
/// that wait anyway: gc_context_collect() and gc_context_synchronize() of any context of that device, and
/// gc_host_buffer_register() of the same memory.
///
/// @param[in] host_buffer  NULL has no effect
#[no_mangle]
pub unsafe extern "C" fn gc_host_buffer_destroy(host_buffer: *mut gc_host_buffer) -> gc_status {
    guard("gc_host_buffer_destroy", [], || handle::destroy(host_buffer, "host_buffer"))
}

/// Returns the size of a host buffer.
///
/// @param[in]  host_buffer  the host buffer
/// @param[out] size_out     bytes
#[no_mangle]
pub unsafe extern "C" fn gc_host_buffer_size(host_buffer: *const gc_host_buffer, size_out: *mut usize) -> gc_status {
    // SAFETY: C promises that `size_out` is NULL or writable.
    let out = unsafe { Out::number(size_out, "size_out") };
    answer_borrowed("gc_host_buffer_size", (host_buffer, "host_buffer"), out, |buffer| Ok(buffer.size()))
}

/// Returns the address at which the CPU uses the memory of a host buffer. A copy reads the memory when it runs; the CPU
/// must not change the memory before.
///
/// @param[in]  host_buffer  the host buffer
/// @param[out] pointer_out  its first byte, valid as long as the host buffer is
#[no_mangle]
pub unsafe extern "C" fn gc_host_buffer_pointer(
    host_buffer: *const gc_host_buffer,
    pointer_out: *mut *mut c_void,
) -> gc_status {
    // SAFETY: C promises that `pointer_out` is NULL or writable.
    let out = unsafe { Out::handle(pointer_out, "pointer_out") };
    answer_borrowed("gc_host_buffer_pointer", (host_buffer, "host_buffer"), out, |buffer| {
        Ok(ptr::with_exposed_provenance_mut(buffer.address() as usize))
    })
}

/// Returns the address at which kernels use the memory of a host buffer, as a number. Pass it to a kernel as a value.
/// Launches and graphs do not keep the host buffer alive for such a value; the caller keeps it until they are done.
///
/// @param[in]  host_buffer  the host buffer, made with GRAPHCAP_HOST_BUFFER_MAPPED
/// @param[out] address_out  the address of its first byte, valid as long as the host buffer is
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  the host buffer is not mapped
#[no_mangle]
pub unsafe extern "C" fn gc_host_buffer_device_address(
    host_buffer: *const gc_host_buffer,
    address_out: *mut u64,
) -> gc_status {
    // SAFETY: C promises that `address_out` is NULL or writable.
    let out = unsafe { Out::number(address_out, "address_out") };
    answer_borrowed("gc_host_buffer_device_address", (host_buffer, "host_buffer"), out, |buffer| {
        Ok(buffer.device_address()?)
    })
}
