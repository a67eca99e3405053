//! The work of a stream: waits for events, copies and memsets of one range, host functions, kernels.

use std::ffi::{c_char, c_void};
use std::mem::MaybeUninit;

use super::launch::{self, gc_kernel_arg, gc_launch_config, Arguments};
use crate::ffi::boundary::{
    check_flags, gc_buffer, gc_destroy_fn, gc_event, gc_host_fn, gc_kernel, gc_status, gc_stream, guard, handle,
    options, with_clone, Failure, Pinned, Result, Token, UserData,
};
use crate::ffi::objects::event::GRAPHCAP_EVENT_WAIT_EXTERNAL;
use graphcap_base::error::{Error, Status};
use graphcap_core::{Kernel, Stream};
use graphcap_driver::fail_work;

/// The size of the elements of a memset.
pub(crate) fn element_size(element_size: u32) -> Result<u8> {
    match element_size {
        1 => Ok(1),
        2 => Ok(2),
        4 => Ok(4),
        _ => {
            let known = "1, 2 or 4";
            Err(Failure::Unknown { argument: "element_size", number: element_size.into(), known })
        }
    }
}

/// Makes the later work of a stream wait for the point that an event marks. The CPU does not wait. An event that was
/// never recorded has no effect.
///
/// If the event was recorded in a capture, the stream joins that capture. The stream and the event may belong to different
/// contexts, also on different devices of one kind. So one capture can hold work of several contexts. Its graph belongs to
/// the context of the stream that the capture was begun on, and keeps the other contexts.
///
/// With GRAPHCAP_EVENT_WAIT_EXTERNAL, on a stream that is being captured, the wait becomes a node of the graph,
/// wherever the event was recorded. At that node each replay waits for the record that the event holds when the graph
/// is launched. If the event holds no record then, the replay does not wait. This orders a graph after work outside of
/// it. The graph and the graph execs made from it keep the event.
///
/// @param[in] stream  the stream
/// @param[in] event   an event of a context on a device of the same kind
/// @param[in] flags   0 or GRAPHCAP_EVENT_WAIT_EXTERNAL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        the event was last recorded in a capture that is over or invalid; a
///     capture of the stream is then invalidated
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT      the stream and the event belong to devices of different kinds
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE        GRAPHCAP_EVENT_WAIT_EXTERNAL is set, and the stream is in no capture
/// @retval GRAPHCAP_ERROR_CAPTURE_ISOLATION    the stream is being captured and the event was recorded outside of the
///                                             capture; the capture is invalidated
/// @retval GRAPHCAP_ERROR_CAPTURE_MERGE        the stream and the event are in different captures; both are invalidated
/// @retval GRAPHCAP_ERROR_CAPTURE_INVALIDATED  a capture that takes part was broken before
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  the stream is being captured and the event is one for several processes
///                                             (GRAPHCAP_EVENT_INTERPROCESS); the capture is invalidated
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT     the stream is the legacy stream, and a blocking stream is being captured
///                                             or the event was recorded in a capture that goes on; the capture is
///                                             invalidated
#[no_mangle]
pub unsafe extern "C" fn gc_stream_wait_event(
    stream: *const gc_stream,
    event: *const gc_event,
    flags: u32,
) -> gc_status {
    guard("gc_stream_wait_event", [Token::of(stream), Token::of(event)], || {
        let pinned = handle::pin();
        let stream = handle::borrow(stream, "stream", &pinned)?;
        let event = handle::borrow(event, "event", &pinned)?;
        check_flags(flags, GRAPHCAP_EVENT_WAIT_EXTERNAL, "flags", "0 or GRAPHCAP_EVENT_WAIT_EXTERNAL")?;
        match flags {
            0 => stream.wait_event(event)?,
            _ => stream.wait_event_external(event)?,
        }
        Ok(())
    })
}

/// Copies from host memory into a buffer.
///
/// The host memory must stay valid and unchanged until the copy has run. While the stream is captured only the pointer
/// is recorded: the memory is read at each replay. A CUDA device may copy pageable memory during the call, see
/// Asynchrony above.
///
/// @param[in] stream              the stream
/// @param[in] destination         the buffer to write, of the same context
/// @param[in] destination_offset  the first byte written, counted from the start of the buffer
/// @param[in] source              the first byte read; may be NULL when size is 0
/// @param[in] size                bytes; 0 has no effect
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    the host memory overlaps the range
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the stream and the buffer belong to different contexts
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED    a strict capture of the stream refuses the host memory
///                                         (GRAPHCAP_CAPTURE_STRICT)
#[no_mangle]
pub unsafe extern "C" fn gc_stream_memcpy_htod(
    stream: *const gc_stream,
    destination: *const gc_buffer,
    destination_offset: usize,
    source: *const c_void,
    size: usize,
) -> gc_status {
    guard("gc_stream_memcpy_htod", [Token::of(stream), Token::of(destination)], || {
        let stream = handle::clone(stream, "stream")?;
        let destination = handle::clone(destination, "destination")?;
        if source.is_null() && size > 0 {
            return Err(Failure::Null("source"));
        }
        // SAFETY: C promises that `source` has `size` readable bytes until the copy has run, at each replay.
        Ok(unsafe { stream.memcpy_htod(&destination, destination_offset, source, size) }?)
    })
}

/// Copies from a buffer into host memory.
///
/// The host memory must stay valid until the copy has run. While the stream is captured only the pointer is recorded:
/// the memory is written at each replay. On a CUDA device a call with pageable memory may return only when the copy has
/// run, see Asynchrony above.
///
/// @param[in]  stream         the stream
/// @param[out] destination    the first byte written; may be NULL when size is 0
/// @param[in]  source         the buffer to read, of the same context
/// @param[in]  source_offset  the first byte read, counted from the start of the buffer
/// @param[in]  size           bytes; 0 has no effect
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    the host memory overlaps the range
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the stream and the buffer belong to different contexts
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED    a strict capture of the stream refuses the host memory
///                                         (GRAPHCAP_CAPTURE_STRICT)
#[no_mangle]
pub unsafe extern "C" fn gc_stream_memcpy_dtoh(
    stream: *const gc_stream,
    destination: *mut c_void,
    source: *const gc_buffer,
    source_offset: usize,
    size: usize,
) -> gc_status {
    guard("gc_stream_memcpy_dtoh", [Token::of(stream), Token::of(source)], || {
        let stream = handle::clone(stream, "stream")?;
        let source = handle::clone(source, "source")?;
        if destination.is_null() && size > 0 {
            return Err(Failure::Null("destination"));
        }
        // SAFETY: C promises that `destination` has `size` writable bytes until the copy has run, at each replay.
        Ok(unsafe { stream.memcpy_dtoh(destination, &source, source_offset, size) }?)
    })
}

/// Copies between two buffers, or within one buffer. The ranges must not overlap.
///
/// @param[in] stream              the stream
/// @param[in] destination         the buffer to write, of the same context
/// @param[in] destination_offset  the first byte written, counted from the start of the buffer
/// @param[in] source              the buffer to read, of the same context
/// @param[in] source_offset       the first byte read, counted from the start of the buffer
/// @param[in] size                bytes; 0 has no effect
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    a range does not lie within its buffer, or the two ranges overlap
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the stream and the buffers belong to different contexts
#[no_mangle]
pub unsafe extern "C" fn gc_stream_memcpy_dtod(
    stream: *const gc_stream,
    destination: *const gc_buffer,
    destination_offset: usize,
    source: *const gc_buffer,
    source_offset: usize,
    size: usize,
) -> gc_status {
    guard("gc_stream_memcpy_dtod", [Token::of(stream), Token::of(destination), Token::of(source)], || {
        let pinned = handle::pin();
        let stream = handle::borrow(stream, "stream", &pinned)?;
        let destination = handle::borrow(destination, "destination", &pinned)?;
        let source = handle::borrow(source, "source", &pinned)?;
        Ok(stream.memcpy_dtod(destination, destination_offset, source, source_offset, size)?)
    })
}

/// Sets elements of a buffer to a value.
///
/// @param[in] stream        the stream
/// @param[in] buffer        the buffer to write, of the same context
/// @param[in] offset        the first byte written, counted from the start of the buffer; its address must be a
///                          multiple of element_size
/// @param[in] value         the value; bits that do not fit an element are ignored
/// @param[in] element_size  1, 2 or 4 bytes
/// @param[in] count         the number of elements; 0 has no effect
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    element_size is not 1, 2 or 4, the first address is not a multiple of
///                                         element_size, or the range does not lie within the buffer
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the stream and the buffer belong to different contexts
#[no_mangle]
pub unsafe extern "C" fn gc_stream_memset(
    stream: *const gc_stream,
    buffer: *const gc_buffer,
    offset: usize,
    value: u32,
    element_size: u32,
    count: usize,
) -> gc_status {
    guard("gc_stream_memset", [Token::of(stream), Token::of(buffer)], || {
        let pinned = handle::pin();
        let stream = handle::borrow(stream, "stream", &pinned)?;
        let buffer = handle::borrow(buffer, "buffer", &pinned)?;
        Ok(stream.memset(buffer, offset, value, self::element_size(element_size)?, count)?)
    })
}

/// Runs a function on the CPU when the earlier work of the stream has completed. Later work of the stream waits for the
/// function.
///
/// See gc_host_fn for how the function runs and what it may call. While the stream is captured the function is
/// recorded: it runs once per launch of the graph, and never during the capture itself.
///
/// A CUDA device may run the host functions of all streams one at a time, so no host function may wait for another one.
///
/// @param[in] stream     the stream
/// @param[in] function   the function, not NULL
/// @param[in] user_data  passed to function and to destroy; may be NULL
/// @param[in] destroy    called exactly once; may be NULL. It is called after function has run; for a recorded
///                       function, after the graph and all graph execs made from it are gone; or when this call fails.
///                       After a fault of a CUDA device it may never be called, because the driver keeps what it holds
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  function is NULL
#[no_mangle]
pub unsafe extern "C" fn gc_stream_launch_host_func(
    stream: *const gc_stream,
    function: gc_host_fn,
    user_data: *mut c_void,
    destroy: gc_destroy_fn,
) -> gc_status {
    // SAFETY: C promises that `destroy` may be called once with `user_data`, on any thread.
    let user_data = unsafe { UserData::new(user_data, destroy) };
    with_clone("gc_stream_launch_host_func", (stream, "stream"), move |stream| {
        // SAFETY: C promises that `function` may be called once per launch with `user_data`, on any thread.
        let function = unsafe { user_data.into_host_function(function) }?;
        Ok(stream.launch_host_function(function)?)
    })
}

/// Makes the calling host function or host kernel fail, with a reason. The call returns; then a kernel returns its
/// status, which ends the launch, and a host function returns.
///
/// On a host device the failure faults the context, as a kernel does that returns a number other than 0. The calls that
/// wait for the work give GRAPHCAP_ERROR_CALLBACK, with the reason and the name of the kernel. For a node of a graph the
/// message also has the number and the name of the node, the name of the graph, and the turn of a loop. It has them for
/// every other fault of a node too. gc_context_reset() begins such a context anew. On a CUDA device, where the driver
/// calls the function, all other work goes on. The next call that waits for work of the context gives
/// GRAPHCAP_ERROR_CALLBACK, once, with the first reason.
///
/// In a destroy function the call has no effect.
///
/// @param[in] reason  UTF-8, not NULL; copied. Of several reasons in one call of the function the first one counts
/// @retval GRAPHCAP_ERROR_CALLBACK       the function has failed
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  reason is NULL or not valid UTF-8
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED  the thread runs no host function and no host kernel
#[no_mangle]
pub unsafe extern "C" fn gc_host_fail(reason: *const c_char) -> gc_status {
    guard("gc_host_fail", [], || {
        // SAFETY: C promises a text that ends with a NUL, or NULL.
        let reason = unsafe { options::text(reason, "reason") }?;
        fail_work(reason)?;
        Err(Error::new(Status::CALLBACK, format!("the function has failed: {reason}")).into())
    })
}

/// Launches a kernel.
///
/// A shape that the device cannot run breaks the capture of the stream; other wrong arguments do not. A host device
/// runs at most 1024 threads in a block (1024, 1024 and 64 in x, y and z), 2147483647, 65535 and 65535 blocks in x, y
/// and z, and 232448 bytes of shared memory.
///
/// The call copies the arguments and the values that they point to. Buffers among the arguments are kept alive until
/// the launch has run, or by the graph that the launch is recorded into. The number and the sizes of the arguments are
/// checked against the kernel's parameters if these are known, see gc_kernel_parameter_count(). On a CUDA device whose
/// driver is for CUDA 12.4 or newer, the parameters are those of the image. With an older driver they are those that
/// the module's description states for the host kernel of that name.
///
/// gc_launch_config::attributes say how the kernel is launched beyond its shape. An attribute that is unknown, or cannot
/// have its value, is GRAPHCAP_ERROR_INVALID_VALUE. A host device keeps the attributes with the node of a recorded launch,
/// and runs the blocks as always: those of a cooperative launch must not wait for each other.
///
/// @param[in] stream          the stream
/// @param[in] kernel          a kernel of the same context
/// @param[in] config          the shape of the launch, not NULL
/// @param[in] arguments       one per parameter of the kernel; may be NULL when argument_count is 0
/// @param[in] argument_count  the number of arguments
/// @retval GRAPHCAP_ERROR_INVALID_VALUE                 the device cannot have that shape or that much shared memory,
///     or the number of the arguments, or the size of one, does not match the kernel's parameters
/// @retval GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE          the cluster of the attributes does not divide the grid, or is
///                                                      too large
/// @retval GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE  the launch is cooperative and has more blocks than the device
///                                                      runs at once
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT               the objects belong to different contexts
/// @retval GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES       a CUDA device lacks resources for the launch, for example
///                                                      registers for that many threads in a block
#[no_mangle]
pub unsafe extern "C" fn gc_stream_launch_kernel(
    stream: *const gc_stream,
    kernel: *const gc_kernel,
    config: *const gc_launch_config,
    arguments: *const gc_kernel_arg,
    argument_count: usize,
) -> gc_status {
    guard("gc_stream_launch_kernel", [Token::of(stream), Token::of(kernel)], || {
        let pinned = handle::pin();
        let stream = handle::borrow(stream, "stream", &pinned)?;
        let kernel = handle::borrow(kernel, "kernel", &pinned)?;
        let (given, mut place) = ((arguments, argument_count), MaybeUninit::uninit());
        // SAFETY: C promises that `config` is NULL or points to as many bytes as its struct_size states, `argument_count` arguments,
        // and that each value has as many bytes as it states.
        let usual = unsafe { launch::read_usual(kernel, config, given, stream.context(), &pinned, &mut place) };
        match usual {
            // SAFETY: C promises that the kernel may be run with these arguments.
            Some(launch) => Ok(unsafe { stream.launch_usual(launch) }?),
            // SAFETY: as above.
            None => unsafe { launch_any(stream, kernel, config, given, &pinned) },
        }
    })
}

/// Launches a kernel with arguments and attributes of any kind, and finds what is wrong with them.
///
/// # Safety
/// As [`gc_stream_launch_kernel`].
#[inline(never)]
unsafe fn launch_any(
    stream: &Stream,
    kernel: &Kernel,
    config: *const gc_launch_config,
    (arguments, count): (*const gc_kernel_arg, usize),
    pinned: &Pinned,
) -> Result<()> {
    // SAFETY: passed on to the caller.
    let (shape, attributes) = unsafe { launch::shape(config, pinned) }?;
    let mut held = Arguments::new();
    // SAFETY: passed on to the caller.
    unsafe { held.read(arguments, count, pinned) }?;
    // SAFETY: passed on to the caller.
    Ok(unsafe { stream.launch_kernel_recording(kernel, shape, held.list(), attributes.list(), attributes.events()) }?)
}
