//! gc_graph_cache: a cache that maps keys of the caller's to graph execs, records what it does not have, and launches.

use std::ffi::c_void;
use std::mem::size_of;
use std::sync::Arc;

use crate::ffi::boundary::{
    called, check_flags, gc_context, gc_destroy_fn, gc_graph_cache, gc_status, gc_stream, guard, handle, kit_guard,
    options, Failure, Out, Output, Recorder, RecordingCache, Result, StructOut, Token, UserData, Versioned,
};
use crate::ffi::graphs::graph::{
    exec_flags, GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH, GRAPHCAP_INSTANTIATE_SHAPE,
    GRAPHCAP_INSTANTIATE_USE_NODE_PRIORITY,
};
use graphcap_core::{CacheOptions, CacheStats, GraphCache};
use graphcap_driver::check_caller;
use graphcap_driver::rules::CaptureMode;
use graphcap_kit::log_findings;

/// gc_graph_cache_options::flags: keys whose graphs have the same topology share a graph exec. A launch for another key
/// than the one before updates the graph exec, as gc_graph_exec_update() does. That costs a tenth of a new graph exec,
/// and the memory of one graph exec serves all of these keys; but their launches run one after another, on whatever
/// streams, and each change of the key costs an update.
pub const GRAPHCAP_GRAPH_CACHE_SHARE_EXECS: u32 = 1;
/// gc_graph_cache_options::flags: captures are begun in GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL, so that an unsafe call of
/// the recording function breaks its capture. Without the flag the mode is GRAPHCAP_CAPTURE_MODE_RELAXED.
pub const GRAPHCAP_GRAPH_CACHE_THREAD_LOCAL: u32 = 2;

/// A function that records the work of a key for a gc_graph_cache. It submits the work to the stream that it gets, which
/// is being captured, or to streams that it forks to and joins.
///
/// It runs within gc_graph_cache_launch(), on the thread that called that, and may make any gc_ and CUDA call that a
/// capture allows, with three exceptions: it does not end the capture; a launch through the same cache returns
/// GRAPHCAP_ERROR_BUSY; and it must not wait for another thread that launches the same key. A launch through another
/// cache returns GRAPHCAP_ERROR_BUSY where it would have to wait for a recording of another thread. It may destroy the
/// cache, the stream of the launch, and the stream that it gets: the launch goes on. Several threads may run it at the
/// same time, each for another key.
///
/// The stream is made for this call. The handle is dead when gc_graph_cache_launch() returns, and so is the CUstream.
/// A handle of the graph that the function got by gc_stream_capture_graph() must not be used to change the graph
/// afterwards.
///
/// @param[in] stream       the stream to submit to; the function does not destroy it
/// @param[in] key          the key of the launch, as it was passed to gc_graph_cache_launch()
/// @param[in] key_size     its size in bytes
/// @param[in] user_data    gc_graph_cache_options::user_data
/// @param[in] launch_data  the user_data of gc_graph_cache_launch()
/// @return GRAPHCAP_SUCCESS, or any other number to discard the capture, which gc_graph_cache_launch() then returns
pub type gc_graph_cache_record_fn = Option<
    unsafe extern "C-unwind" fn(
        stream: *const gc_stream,
        key: *const c_void,
        key_size: usize,
        user_data: *mut c_void,
        launch_data: *mut c_void,
    ) -> gc_status,
>;

/// Options of a graph cache. Start from GRAPHCAP_GRAPH_CACHE_OPTIONS_INIT, and set at least record.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_graph_cache_options {
    /// sizeof(gc_graph_cache_options).
    pub struct_size: u32,
    /// 0 or GRAPHCAP_GRAPH_CACHE_ flags.
    pub flags: u32,
    /// Flags of the graph execs: 0, GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH,
    /// GRAPHCAP_INSTANTIATE_USE_NODE_PRIORITY and GRAPHCAP_INSTANTIATE_SHAPE.
    pub instantiate_flags: u32,
    /// 0.
    pub reserved: u32,
    /// The most bytes that the graphs and graph execs of the cache may take on the device and on the host together, by
    /// the model that gc_graph_cache_stats describes; 0 for no limit.
    pub max_bytes: u64,
    /// The function that records the work of a key; not NULL.
    pub record: gc_graph_cache_record_fn,
    /// Passed to record and to destroy; may be NULL.
    pub user_data: *mut c_void,
    /// Called exactly once with user_data, when the cache is gone, or when gc_graph_cache_create() fails after it has
    /// read this struct; may be NULL.
    pub destroy: gc_destroy_fn,
}
// SAFETY: repr(C), starts with its size, and holds integers and pointers, which may be NULL.
unsafe impl Versioned for gc_graph_cache_options {
    const LEAST_SIZE: usize = 32;
}

/// Counts of what a graph cache did since it was made, and has. Start from GRAPHCAP_GRAPH_CACHE_STATS_INIT.
///
/// A launch that succeeds counts as a hit, or as an update, or as an instantiation. Bytes are not measured, since no
/// device tells them: docs/cache.md has the number of bytes for a node of each kind. Memory that nodes allocate or use
/// is not counted.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_graph_cache_stats {
    /// sizeof(gc_graph_cache_stats).
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// Launches of a graph exec that did the work of the key already.
    pub hits: u64,
    /// Calls of the recording function that gave a graph.
    pub recordings: u64,
    /// Updates of graph execs that keys share. A first launch of a key counts here too, if a graph exec was updated for
    /// it.
    pub updates: u64,
    /// Graph execs that were made.
    pub instantiations: u64,
    /// Keys that were dropped because of max_bytes, or not kept because their work alone takes more.
    pub evictions: u64,
    /// The keys that the cache has.
    pub keys: u64,
    /// The graph execs that it has.
    pub execs: u64,
    /// The bytes that its graphs and graph execs take on the device and on the host; never more than max_bytes.
    pub bytes: u64,
    /// Those of the bytes that are on the device.
    pub device_bytes: u64,
}
// SAFETY: repr(C), starts with its size, and holds integers.
unsafe impl Versioned for gc_graph_cache_stats {}

/// Makes a graph cache without keys.
///
/// @param[in]  context    the context whose graphs the cache records
/// @param[in]  options    how the cache records and keeps; not NULL
/// @param[out] cache_out  the new cache, owned by the caller until gc_graph_cache_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  the environment variable GRAPHCAP_CHECK is neither 0 nor 1
#[no_mangle]
pub unsafe extern "C" fn gc_graph_cache_create(
    context: *const gc_context,
    options: *const gc_graph_cache_options,
    cache_out: *mut *mut gc_graph_cache,
) -> gc_status {
    // SAFETY: C promises that `cache_out` is NULL or writable.
    let out = unsafe { Out::handle(cache_out, "cache_out") };
    // SAFETY: C promises that `options` is NULL or points to as many bytes as its struct_size states.
    let options = unsafe { options::read(options, "options") }.map(|options| {
        // SAFETY: C promises that `destroy` may be called once with `user_data`, on any thread.
        (options, unsafe { UserData::new(options.user_data, options.destroy) })
    });
    kit_guard("gc_graph_cache_create", [Token::of(context)], move || {
        let context = handle::clone(context, "context")?;
        let out = out.required()?;
        let (options, user_data) = options?;
        let Some(function) = options.record else {
            return Err(Failure::Null("options.record"));
        };
        let graphs = GraphCache::create_with(&context, read_options(&options)?, log_findings)?;
        let record: Recorder = Arc::new(move |stream, key, launch_data| {
            // SAFETY: C promises that `function` may be called with a stream, a key of that size, and both data.
            called(|| unsafe { function(stream, key.as_ptr().cast(), key.len(), user_data.pointer(), launch_data) })
        });
        out.write(handle::insert(RecordingCache { graphs, record })?);
        Ok(())
    })
}

fn read_options(options: &gc_graph_cache_options) -> Result<CacheOptions> {
    let known = GRAPHCAP_GRAPH_CACHE_SHARE_EXECS | GRAPHCAP_GRAPH_CACHE_THREAD_LOCAL;
    check_flags(options.flags, known, "options.flags", "0 or GRAPHCAP_GRAPH_CACHE_ flags")?;
    let known =
        GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH | GRAPHCAP_INSTANTIATE_USE_NODE_PRIORITY | GRAPHCAP_INSTANTIATE_SHAPE;
    let names = "0, GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH, GRAPHCAP_INSTANTIATE_USE_NODE_PRIORITY and \
                 GRAPHCAP_INSTANTIATE_SHAPE";
    check_flags(options.instantiate_flags, known, "options.instantiate_flags", names)?;
    check_flags(options.reserved, 0, "options.reserved", "0")?;
    Ok(CacheOptions {
        shares_execs: options.flags & GRAPHCAP_GRAPH_CACHE_SHARE_EXECS != 0,
        mode: match options.flags & GRAPHCAP_GRAPH_CACHE_THREAD_LOCAL {
            0 => CaptureMode::Relaxed,
            _ => CaptureMode::ThreadLocal,
        },
        exec_flags: exec_flags(options.instantiate_flags, "options.instantiate_flags")?,
        max_bytes: (options.max_bytes != 0).then_some(options.max_bytes),
    })
}

/// Launches the work of a key on a stream, as gc_graph_launch() launches a graph exec. If the cache does not have the
/// work, it has the recording function record it first. docs/cache.md tells more.
///
/// The function is called with a new stream that is being captured. Then a graph exec is made, or one that keys share
/// is updated, and launched. Making a graph exec, and its first launch, can wait for other work of the device. If the
/// function fails, the capture is discarded, this call returns the function's status, and the message names that status
/// and the last call that failed inside the function. After a failure before the launch the cache is as it was. If only
/// the launch fails, the cache has the key.
///
/// Addresses of plain host memory in recorded copies stay those of the first launch of the key. Each later launch reads
/// or writes the same addresses, also when the memory is gone. Copy through a gc_host_buffer that outlives the cache,
/// or record bytes that stay the same with GRAPHCAP_MEMCPY_SNAPSHOT. With GRAPHCAP_CHECK=1 in the environment each
/// launch of a key that the cache has calls the recording function too, with all its effects, and compares its work
/// with what the first launch recorded. If they differ, the call returns GRAPHCAP_ERROR_INVALID_VALUE, the message
/// tells what differs, and nothing is launched.
///
/// A thread that launches a key which another thread records waits for that thread, and records the key itself if that
/// failed. Launches of other keys go on meanwhile.
///
/// When the bytes of all keys would exceed gc_graph_cache_options::max_bytes, the cache drops the keys that were not
/// launched for the longest time. Their queued launches still run, and nothing is waited for. A key whose work alone
/// exceeds it is recorded anew for each launch.
///
/// A graph exec of its own is made for a graph that allocates or frees memory, for one with conditional nodes, and for
/// one that differs from all graph execs of the same topology in something that an update would not change.
///
/// @param[in] cache      the cache
/// @param[in] key        key_size bytes that name the work, for example a shape; copied; may be NULL if key_size is 0
/// @param[in] key_size   the size of the key in bytes
/// @param[in] stream     a stream of a context on a device of the same kind
/// @param[in] user_data  passed to the recording function if this call calls it, as launch_data; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        the recording function submitted nothing, its graph cannot be
///     instantiated, GRAPHCAP_CHECK=1 found other work than at the first launch, or as gc_graph_launch() has it
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT      the cache and the stream belong to devices of different kinds
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED        as gc_graph_instantiate() has it
/// @retval GRAPHCAP_ERROR_BUSY                 the call was made inside the recording function of the cache, or inside
///                                             one of another cache while another thread records the key
/// @retval GRAPHCAP_ERROR_CALLBACK             the recording function is written in Rust and panicked
/// @retval GRAPHCAP_ERROR_CAPTURE_UNMATCHED    the recording function ended the capture itself
/// @retval GRAPHCAP_ERROR_CAPTURE_INVALIDATED  a call broke the capture
/// @retval GRAPHCAP_ERROR_CAPTURE_UNJOINED     a stream that joined the capture was not joined back
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  the stream is being captured, or a capture bars this thread from
///                                             instantiating; that capture is invalidated
/// @return any other number: what the recording function returned
#[no_mangle]
pub unsafe extern "C" fn gc_graph_cache_launch(
    cache: *const gc_graph_cache,
    key: *const c_void,
    key_size: usize,
    stream: *const gc_stream,
    user_data: *mut c_void,
) -> gc_status {
    kit_guard("gc_graph_cache_launch", [Token::of(cache), Token::of(stream)], || {
        let pinned = handle::pin();
        let found = handle::borrow(cache, "cache", &pinned)?;
        let launched_on = handle::borrow(stream, "stream", &pinned)?;
        // SAFETY: C promises `key_size` bytes, not changed during the call.
        let key = unsafe { options::elements(key.cast::<u8>(), key_size, "key") }?.unwrap_or_default();
        if found.graphs.launch_at_once(key, launched_on)? {
            return Ok(());
        }
        let (RecordingCache { graphs, record }, stream) = (found.clone(), launched_on.clone());
        // What follows may wait, and the function may take long, and destroy what it likes.
        drop(pinned);
        let mut given = None;
        graphs.launch(key, &stream, |stream| {
            let (lent, ends) = handle::lend::<gc_stream>(stream.clone())?;
            given = Some(ends);
            record(lent, key, user_data)
        })
    })
}

/// Drops the work of a key, so that the next launch of the key records it anew. Queued launches still run. Has no effect
/// if the cache does not have the key. What another thread records for the key meanwhile is launched, and is not kept.
///
/// @param[in] cache     the cache
/// @param[in] key       the key; may be NULL if key_size is 0
/// @param[in] key_size  the size of the key in bytes
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  key is NULL and key_size is not 0
#[no_mangle]
pub unsafe extern "C" fn gc_graph_cache_remove(
    cache: *const gc_graph_cache,
    key: *const c_void,
    key_size: usize,
) -> gc_status {
    kit_guard("gc_graph_cache_remove", [Token::of(cache)], || {
        let cache = handle::clone(cache, "cache")?;
        // SAFETY: C promises `key_size` bytes, not changed during the call.
        let key = unsafe { options::elements(key.cast::<u8>(), key_size, "key") }?.unwrap_or_default();
        check_caller()?;
        cache.graphs.remove(key);
        Ok(())
    })
}

/// Drops the work of all keys, as gc_graph_cache_remove() drops that of one. The counters go on.
///
/// @param[in] cache  the cache
#[no_mangle]
pub unsafe extern "C" fn gc_graph_cache_clear(cache: *const gc_graph_cache) -> gc_status {
    kit_guard("gc_graph_cache_clear", [Token::of(cache)], || {
        let cache = handle::clone(cache, "cache")?;
        check_caller()?;
        cache.graphs.clear();
        Ok(())
    })
}

/// Returns what a graph cache did, and what it has.
///
/// @param[in]     cache      the cache
/// @param[in,out] stats_out  in: struct_size; out: the counters
#[no_mangle]
pub unsafe extern "C" fn gc_graph_cache_get_stats(
    cache: *const gc_graph_cache,
    stats_out: *mut gc_graph_cache_stats,
) -> gc_status {
    // SAFETY: C promises that `stats_out` is NULL, or has as many writable bytes as its struct_size states.
    let out = unsafe { StructOut::new(stats_out, "stats_out") };
    kit_guard("gc_graph_cache_get_stats", [Token::of(cache)], || {
        let pinned = handle::pin();
        let cache = handle::borrow(cache, "cache", &pinned)?;
        out.answer(|| {
            let CacheStats { hits, recordings, updates, instantiations, evictions, keys, execs, bytes } =
                cache.graphs.stats();
            Ok(gc_graph_cache_stats {
                struct_size: size_of::<gc_graph_cache_stats>() as u32,
                reserved: 0,
                hits,
                recordings,
                updates,
                instantiations,
                evictions,
                keys: keys as u64,
                execs: execs as u64,
                bytes: bytes.total(),
                device_bytes: bytes.device,
            })
        })
    })
}

/// Destroys a graph cache. Queued launches still run, and launches that other threads are making are made. Does not wait.
///
/// @param[in] cache  NULL has no effect
#[no_mangle]
pub unsafe extern "C" fn gc_graph_cache_destroy(cache: *mut gc_graph_cache) -> gc_status {
    guard("gc_graph_cache_destroy", [], || handle::destroy(cache, "cache"))
}
