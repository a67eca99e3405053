//! gc_pool: objects and memory that captures share.

use std::ffi::c_void;

use crate::ffi::boundary::{
    answer_borrowed, answer_clone, check_flags, gc_buffer, gc_context, gc_destroy_fn, gc_pool, gc_status, guard,
    handle, one_of, options, with_borrowed, with_clone, with_two_clones, Failure, Out, Output, UserData, Versioned,
};
use graphcap_core::{Pool, PoolOptions};
use graphcap_driver::rules::reuse::Policy;

/// A capture uses memory again that gc_buffer_destroy_on_stream() freed in it, on every stream that is behind the free and
/// behind all uses of the memory that were recorded. The default.
pub const GRAPHCAP_POOL_REUSE_ORDERED: i32 = 0;
/// As GRAPHCAP_POOL_REUSE_ORDERED, where that stream alone used the memory: memory orders no streams of the graph.
pub const GRAPHCAP_POOL_REUSE_SAME_STREAM: i32 = 1;
/// Captures use no memory again: each allocation has bytes of its own, and no node waits for another one because of
/// memory.
pub const GRAPHCAP_POOL_REUSE_NEVER: i32 = 2;

/// gc_pool_options: graphs that never run at once share memory of the pool. What is allocated on a stream of a capture with the
/// pool, and what gc_pool_allocate() allocates while such a capture goes on, is allocated again by other captures with it, once the
/// capture is over and the buffer destroyed, although the graph goes on to use it. Launches of all graph execs that keep the pool run
/// one after another, whatever their streams are. What a replay leaves in such memory is lost when another graph of the pool runs.
/// Graphs that share memory can be nodes of one graph where its edges order them.
pub const GRAPHCAP_POOL_SHARED: u32 = 1;

/// Options of a pool. Start from GRAPHCAP_POOL_OPTIONS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_pool_options {
    /// sizeof(gc_pool_options).
    pub struct_size: u32,
    /// GRAPHCAP_POOL_SHARED or 0.
    pub flags: u32,
    /// The most that gc_pool_allocate() can allocate from the pool together, in bytes: the addresses that the first
    /// allocation reserves. They cost no memory. 0 for as many as the device has memory.
    pub capacity: usize,
    /// Reuse of memory of the pool by captures: one of the GRAPHCAP_POOL_REUSE_ numbers.
    pub reuse: i32,
    /// 0.
    pub reserved: u32,
}
// SAFETY: repr(C), starts with its size, and holds integers.
unsafe impl Versioned for gc_pool_options {}

/// Makes a pool without objects. It takes memory of the device only when gc_pool_allocate() needs it.
///
/// @param[in]  context   the context that the pool belongs to
/// @param[in]  options   NULL for the defaults: as much capacity as the device has memory, used again wherever that is
///                       safe
/// @param[out] pool_out  the new pool, owned by the caller until gc_pool_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  a flag or the reuse is unknown, reserved is not 0, or the struct_size of the
///                                       options is not valid
#[no_mangle]
pub unsafe extern "C" fn gc_pool_create(
    context: *const gc_context,
    options: *const gc_pool_options,
    pool_out: *mut *mut gc_pool,
) -> gc_status {
    // SAFETY: C promises that `pool_out` is NULL or writable.
    let out = unsafe { Out::handle(pool_out, "pool_out") };
    answer_borrowed("gc_pool_create", (context, "context"), out, |context| {
        // SAFETY: C promises that `options` is NULL or points to as many bytes as its struct_size states.
        let options = unsafe { options::read_or_default(options, "options") }?;
        check_flags(options.flags, GRAPHCAP_POOL_SHARED, "flags", "GRAPHCAP_POOL_SHARED")?;
        let capacity = Some(options.capacity).filter(|&capacity| capacity != 0);
        check_flags(options.reserved, 0, "reserved", "0")?;
        let policies = [
            (GRAPHCAP_POOL_REUSE_ORDERED, Policy::Ordered),
            (GRAPHCAP_POOL_REUSE_SAME_STREAM, Policy::SameStream),
            (GRAPHCAP_POOL_REUSE_NEVER, Policy::Never),
        ];
        let known = "GRAPHCAP_POOL_REUSE_ORDERED, GRAPHCAP_POOL_REUSE_SAME_STREAM or GRAPHCAP_POOL_REUSE_NEVER";
        let reuse = one_of(policies, options.reuse, "reuse", known)?;
        let is_shared = options.flags & GRAPHCAP_POOL_SHARED != 0;
        let options = PoolOptions { capacity, reuse, is_shared };
        handle::insert(Pool::create(context, options)?)
    })
}

/// Destroys the handle of a pool. Captures that were begun with the pool keep it, and so do their graphs, the graph
/// execs made of these, the launches of these, and other handles of the pool. Does not wait.
///
/// When the last of them is gone, the objects of the pool go: one after another, in the order in which they were added.
/// A buffer goes then unless somebody else keeps it. An object's destroy is called.
///
/// @param[in] pool  NULL has no effect
#[no_mangle]
pub unsafe extern "C" fn gc_pool_destroy(pool: *mut gc_pool) -> gc_status {
    guard("gc_pool_destroy", [], || handle::destroy(pool, "pool"))
}

/// Returns the number of a pool. No other pool of the process has it or had it. All handles of one pool return the same
/// number.
///
/// @param[in]  pool    the pool
/// @param[out] id_out  the number, at least 1
#[no_mangle]
pub unsafe extern "C" fn gc_pool_id(pool: *const gc_pool, id_out: *mut u64) -> gc_status {
    // SAFETY: C promises that `id_out` is NULL or writable.
    let out = unsafe { Out::number(id_out, "id_out") };
    answer_borrowed("gc_pool_id", (pool, "pool"), out, |pool| Ok(pool.id()))
}

/// Adds a buffer to a pool, which keeps the buffer from here on. A buffer may be added more than once.
///
/// @param[in]  pool       the pool
/// @param[in]  buffer     a buffer of the same context
/// @param[out] index_out  how many objects the pool had before
/// @retval GRAPHCAP_ERROR_SEALED           the pool is sealed
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the pool and the buffer belong to different contexts
#[no_mangle]
pub unsafe extern "C" fn gc_pool_add_buffer(
    pool: *const gc_pool,
    buffer: *const gc_buffer,
    index_out: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `index_out` is NULL or writable.
    let out = unsafe { Out::number(index_out, "index_out") };
    with_two_clones("gc_pool_add_buffer", (pool, "pool"), (buffer, "buffer"), |pool, buffer| {
        out.answer(|| Ok(pool.add_buffer(&buffer)?))
    })
}

/// Adds an object of the caller's to a pool, which calls destroy when it goes. gc_pool_destroy() tells when that is.
///
/// @param[in]  pool       the pool
/// @param[in]  user_data  passed to destroy; may be NULL
/// @param[in]  destroy    called exactly once, also when this call fails; not NULL. After a fault of a CUDA device it
///     may never be called
/// @param[out] index_out  how many objects the pool had before
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  destroy or index_out is NULL
/// @retval GRAPHCAP_ERROR_SEALED         the pool is sealed
#[no_mangle]
pub unsafe extern "C" fn gc_pool_add_object(
    pool: *const gc_pool,
    user_data: *mut c_void,
    destroy: gc_destroy_fn,
    index_out: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `index_out` is NULL or writable.
    let out = unsafe { Out::number(index_out, "index_out") };
    // SAFETY: C promises that `destroy` may be called once with `user_data`, on any thread.
    let user_data = unsafe { UserData::new(user_data, destroy) };
    answer_clone("gc_pool_add_object", (pool, "pool"), out, move |pool| {
        if destroy.is_none() {
            return Err(Failure::Null("destroy"));
        }
        Ok(pool.add_object(user_data.into_object())?)
    })
}

/// Allocates device memory from a pool, aligned to at least 256 bytes. Its content is undefined. May be called while
/// streams are captured. Value operations, such as gc_stream_write_value32(), accept this memory.
///
/// The buffer is like any other: graphs that use it keep it, and it is not added to the objects of the pool. Once it is
/// destroyed, no graph uses it any more and the work submitted with it has completed, its memory is free for later
/// allocations from the pool. The graphs of captures with the pool that go on during this call keep the memory, too, since their work
/// may use it by its address. The memory of a pool goes back to the device when the pool is gone, and all that was
/// allocated from it. In a pool that was made with GRAPHCAP_POOL_SHARED, graphs of the pool do not keep a buffer that was allocated
/// while a capture with the pool went on: they share its memory.
///
/// @param[in]  pool        the pool
/// @param[in]  size        bytes, not 0
/// @param[out] buffer_out  the new buffer, owned by the caller until gc_buffer_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  size is 0
/// @retval GRAPHCAP_ERROR_SEALED         the pool is sealed
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY  the device does not have enough memory, the process not enough addresses, or
///                                       the pool not enough capacity
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  the device cannot map memory to addresses
#[no_mangle]
pub unsafe extern "C" fn gc_pool_allocate(
    pool: *const gc_pool,
    size: usize,
    buffer_out: *mut *mut gc_buffer,
) -> gc_status {
    // SAFETY: C promises that `buffer_out` is NULL or writable.
    let out = unsafe { Out::handle(buffer_out, "buffer_out") };
    answer_clone("gc_pool_allocate", (pool, "pool"), out, |pool| handle::insert(pool.allocate(size)?))
}

/// Returns how many objects a pool has: the buffers and the objects of the caller's that were added since it was
/// cleared last.
///
/// @param[in]  pool       the pool
/// @param[out] count_out  the number of objects
#[no_mangle]
pub unsafe extern "C" fn gc_pool_buffer_count(pool: *const gc_pool, count_out: *mut usize) -> gc_status {
    // SAFETY: C promises that `count_out` is NULL or writable.
    let out = unsafe { Out::number(count_out, "count_out") };
    answer_borrowed("gc_pool_buffer_count", (pool, "pool"), out, |pool| Ok(pool.count()))
}

/// Seals a pool: it refuses to take in objects, to allocate, and to be used by captures that begin.
///
/// @param[in] pool  the pool; a sealed one stays sealed
#[no_mangle]
pub unsafe extern "C" fn gc_pool_seal(pool: *const gc_pool) -> gc_status {
    with_borrowed("gc_pool_seal", (pool, "pool"), |pool| Ok(pool.seal()?))
}

/// Takes gc_pool_seal() back.
///
/// @param[in] pool  the pool; it need not be sealed
#[no_mangle]
pub unsafe extern "C" fn gc_pool_unseal(pool: *const gc_pool) -> gc_status {
    with_borrowed("gc_pool_unseal", (pool, "pool"), |pool| Ok(pool.unseal()?))
}

/// Returns whether a pool is sealed.
///
/// @param[in]  pool        the pool
/// @param[out] sealed_out  1 if it is sealed, else 0
#[no_mangle]
pub unsafe extern "C" fn gc_pool_is_sealed(pool: *const gc_pool, sealed_out: *mut i32) -> gc_status {
    // SAFETY: C promises that `sealed_out` is NULL or writable.
    let out = unsafe { Out::number(sealed_out, "sealed_out") };
    answer_borrowed("gc_pool_is_sealed", (pool, "pool"), out, |pool| Ok(i32::from(pool.is_sealed())))
}

/// Lets go of all objects of a pool, as its end does: behind the launches of all graph execs that kept the pool. Memory
/// that was allocated from the pool stays allocated. A sealed pool stays sealed. Does not wait.
///
/// @param[in] pool  the pool
/// @retval GRAPHCAP_ERROR_BUSY  a capture, a graph or a graph exec keeps the pool; nothing has changed
#[no_mangle]
pub unsafe extern "C" fn gc_pool_clear(pool: *const gc_pool) -> gc_status {
    with_clone("gc_pool_clear", (pool, "pool"), |pool| Ok(pool.clear()?))
}

/// Registers a pool under a number, for parts of a program that cannot pass handles to each other. The pool is kept until
/// gc_pool_handle_release(). To do this again changes nothing.
///
/// @param[in]  pool    the pool
/// @param[out] id_out  the number, which is that of gc_pool_id()
#[no_mangle]
pub unsafe extern "C" fn gc_pool_handle_new(pool: *const gc_pool, id_out: *mut u64) -> gc_status {
    // SAFETY: C promises that `id_out` is NULL or writable.
    let out = unsafe { Out::number(id_out, "id_out") };
    answer_clone("gc_pool_handle_new", (pool, "pool"), out, |pool| Ok(pool.register()?))
}

/// Finds a pool by the number that gc_pool_handle_new() returned.
///
/// @param[in]  id        the number
/// @param[out] pool_out  another handle of the pool, owned by the caller until gc_pool_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_NOT_FOUND  no pool can be found by that number, or it was released
#[no_mangle]
pub unsafe extern "C" fn gc_pool_handle_lookup(id: u64, pool_out: *mut *mut gc_pool) -> gc_status {
    // SAFETY: C promises that `pool_out` is NULL or writable.
    let out = unsafe { Out::handle(pool_out, "pool_out") };
    guard("gc_pool_handle_lookup", [], || out.answer(|| handle::insert(Pool::registered(id)?)))
}

/// Takes gc_pool_handle_new() back. The pool stays as long as somebody else keeps it. To do this again has no effect.
///
/// @param[in] id  the number that gc_pool_handle_new() returned
/// @retval GRAPHCAP_ERROR_NOT_FOUND  gc_pool_handle_new() has returned neither that number nor a greater one
#[no_mangle]
pub unsafe extern "C" fn gc_pool_handle_release(id: u64) -> gc_status {
    guard("gc_pool_handle_release", [], || Ok(Pool::unregister(id)?))
}
