//! Memory of a gc_pool that is allocated and freed on streams.

use crate::ffi::boundary::{
    gc_buffer, gc_pool, gc_status, gc_stream, handle, with_clone, with_two_clones, Out, Output,
};

/// Allocates device memory from a pool, for work that the stream is given from here on. Its content is undefined. While
/// the stream is not captured, it is as gc_pool_allocate().
///
/// While the stream is captured, memory is used again that gc_buffer_destroy_on_stream() freed on a stream of the same
/// capture: where all uses of it that were recorded, and its free, precede what the stream records next. The reuse of
/// the pool's options tells whether and where. Captures into graphs within nodes are captures of their own. Nothing
/// is used again once gc_stream_update_capture_dependencies() has set what the next work of a stream of the capture depends
/// on. The graph keeps the memory, also when the buffer is destroyed, and it goes back to the pool when the graph, its execs
/// and their launches are gone. From a pool with GRAPHCAP_POOL_SHARED, with which the capture was begun, other captures
/// with the pool get it when this one is over and the buffer destroyed.
///
/// Other streams of the capture may use the buffer once they wait for an event that was recorded on the stream after
/// this call. Work that uses the buffer without such a wait, where its memory was used before, is refused with
/// GRAPHCAP_ERROR_INVALID_VALUE; the capture goes on.
///
/// A graph in which memory is used again depends on the order in which it was recorded: who removes nodes or edges from
/// it keeps what uses one memory in order.
///
/// @param[in]  pool        the pool, of the same context; the capture need not have been begun with it
/// @param[in]  stream      the stream
/// @param[in]  size        bytes, not 0
/// @param[out] buffer_out  the new buffer, owned by the caller until gc_buffer_destroy_on_stream() or gc_buffer_destroy();
///                         NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    size is 0
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the pool and the stream belong to different contexts
/// @retval GRAPHCAP_ERROR_SEALED           the pool is sealed
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY    the device does not have enough memory, the process not enough addresses, or
///                                         the pool not enough capacity
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the device cannot map memory to addresses
#[no_mangle]
pub unsafe extern "C" fn gc_pool_allocate_on_stream(
    pool: *const gc_pool,
    stream: *const gc_stream,
    size: usize,
    buffer_out: *mut *mut gc_buffer,
) -> gc_status {
    // SAFETY: C promises that `buffer_out` is NULL or writable.
    let out = unsafe { Out::handle(buffer_out, "buffer_out") };
    with_two_clones("gc_pool_allocate_on_stream", (pool, "pool"), (stream, "stream"), |pool, stream| {
        out.answer(|| handle::insert(pool.allocate_on_stream(size, &stream)?))
    })
}

/// Destroys a buffer as gc_buffer_destroy() does. If gc_pool_allocate_on_stream() allocated it in the capture that the
/// stream is in, later allocations of that capture may use its memory again. After gc_buffer_destroy() they do not.
///
/// All uses of the buffer come before: those by its handle, which graphcap sees, and those by its address within the
/// arguments of a kernel, or by work of others, which are to precede what the stream records next. The memory is not used
/// again where work used it that the capture does not have: work that ran, and work of another capture or graph.
///
/// @param[in] buffer  the buffer; other handles of it must not be used any more
/// @param[in] stream  a stream of the same context
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the buffer and the stream belong to different contexts; the handle lives
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED    the call was made inside a host function; the handle lives
#[no_mangle]
pub unsafe extern "C" fn gc_buffer_destroy_on_stream(buffer: *mut gc_buffer, stream: *const gc_stream) -> gc_status {
    with_clone("gc_buffer_destroy_on_stream", (stream, "stream"), |stream| {
        handle::clone(buffer.cast_const(), "buffer")?.free_on_stream(&stream)?;
        handle::destroy(buffer, "buffer")
    })
}
