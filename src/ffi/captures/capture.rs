//! gc_capture: a capture that an object owns.

use std::ffi::c_char;

use smallvec::SmallVec;

use crate::ffi::boundary::{
    answer_borrowed, check_flags, gc_buffer, gc_capture, gc_graph, gc_module, gc_pool, gc_status, gc_stream, guard,
    handle, options, with_borrowed, Out, Result, Token, Versioned,
};
use crate::ffi::graphs::graph::gc_node;
use crate::ffi::graphs::node;
use crate::ffi::objects::stream::{self, gc_capture_mode};
use crate::ffi::operations::copy::{self, gc_memcpy_params};
use crate::ffi::operations::launch::{self, gc_kernel_arg, gc_launch_config, Arguments};
use crate::ffi::operations::stream_work;
use graphcap_base::room;
use graphcap_core::{CaptureOptions, CaptureTarget, Graph, Module, Pool, StreamCapture};
use graphcap_driver::NodeId;

/// gc_capture_options::flags: the capture is strict. What would go wrong in silence is refused or told.
/// GRAPHCAP_CONTEXT_STRICT makes all captures of a context strict. While no strict capture is open, the flag costs next
/// to nothing.
///
/// Host memory: a graph does not keep plain host memory alive. A strict capture refuses a copy that reads or writes
/// plain host memory with GRAPHCAP_ERROR_NOT_PERMITTED: nothing is recorded, and the capture goes on. Copy through a
/// gc_host_buffer, which the graph keeps, or record the bytes that are there now with GRAPHCAP_MEMCPY_SNAPSHOT. An
/// address that lies in a live host buffer or managed buffer of the stream's context is taken, and the graph keeps that
/// buffer.
///
/// Work outside: work that the thread which began the capture has executed on other streams runs once, and no replay
/// repeats it. Each such call is counted, in gc_capture_info::work_outside and by gc_stream_capture_violation() as
/// GRAPHCAP_VIOLATION_WORK_OUTSIDE. On a stream of a guarded context it is counted and refused, with
/// GRAPHCAP_ERROR_NOT_PERMITTED, and the capture goes on. Counted are kernels, copies, memsets, value operations, host
/// functions, updates and reads of scalars, calls of libraries, and launches of graph execs, in contexts on devices of
/// the same kind. Not counted are work that another capture records, and what is submitted without graphcap.
///
/// Failed calls: if a call that was to record work or to order it fails, its status is ignored, and no call has
/// recorded anything after it, the end of the capture returns GRAPHCAP_ERROR_CAPTURE_INVALIDATED, its message names the
/// call that failed, and gc_stream_capture_violation() reports GRAPHCAP_VIOLATION_LAST_FAILED.
pub const GRAPHCAP_CAPTURE_STRICT: u32 = 1;

/// gc_capture_options::flags: the end of the capture notes the memory that the recorded work names by its address, so
/// that memory which is gone is told before a replay uses it: memory whose address stands in work that other code
/// recorded, such as kernels of PyTorch or of a library, or in a value argument. A graph does not keep such memory.
///
/// The end of the capture reads each node once, and notes for each address the allocation that it lies in. Memory that
/// was freed and allocated again at the same address is seen. gc_graph_instantiate(), gc_graph_exec_update() and
/// gc_graph_exec_apply() then ask once for each allocation, and refuse a graph that names memory which is gone with
/// GRAPHCAP_ERROR_INVALID_VALUE, before the driver sees it; the message has node, kernel, parameter and address.
/// gc_graph_exec_check() asks for an exec. Clones of the graph, and graphs that have it as a child, are checked as
/// well.
///
/// Each aligned word of 8 bytes counts that the device knows as an address at the end, so a value can be noted that
/// looks like one. Memory that graphs allocate counts while it is allocated. docs/what-a-graph-keeps.md tells what is
/// not seen, as pointers that lie in memory, and memory that an allocator hands on without freeing it. A node that is
/// set later, or whose buffer is replaced, is passed over. If the driver does not tell the nodes, nothing is noted.
///
/// GRAPHCAP_CHECK=1 in the environment sets the flag for all captures that gc_ calls begin or record into, and end.
pub const GRAPHCAP_CAPTURE_NOTE_MEMORY: u32 = 2;

/// Options of a capture. Start from GRAPHCAP_CAPTURE_OPTIONS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_capture_options {
    /// sizeof(gc_capture_options).
    pub struct_size: u32,
    /// Any of GRAPHCAP_CAPTURE_STRICT and GRAPHCAP_CAPTURE_NOTE_MEMORY; 0 for none.
    pub flags: u32,
    /// The modules that gc_capture_record_kernel() searches for kernels, the first one first. They belong to the
    /// stream's context. The array is copied; the modules are kept while the capture goes on. NULL for none.
    pub modules: *const *const gc_module,
    /// Number of modules; 0 when modules is NULL.
    pub module_count: usize,
    /// A pool of the stream's context, which the capture keeps, and so do its graph and the graph execs made of that.
    /// NULL for none.
    pub pool: *const gc_pool,
    /// A graph of the stream's context, which may already have nodes and which the capture goes into, see gc_capture_begin().
    /// NULL for a new graph. Not together with a pool: gc_stream_end_capture_with_pool() takes one.
    pub graph: *const gc_graph,
    /// The nodes of graph that the first recorded work depends on. A node that is listed twice counts once. NULL for none.
    pub dependencies: *const gc_node,
    /// The number of dependencies; 0 when dependencies is NULL.
    pub dependency_count: usize,
}
// SAFETY: repr(C), starts with its size, and holds integers and pointers, which may be NULL.
unsafe impl Versioned for gc_capture_options {}

/// Begins a capture of a stream, as gc_stream_begin_capture() does, and makes an object that owns it.
///
/// The object keeps the stream until the capture is over: gc_stream_destroy() does not discard this capture. A wrapped
/// stream must live until then.
///
/// Without capture_out no object owns the capture, and modules have no effect: it is as one that gc_stream_begin_capture() began,
/// with options.
///
/// **A capture into a graph** (gc_capture_options::graph): nodes are part of the graph as soon as they are recorded, and the
/// graph can be inspected and instantiated during the capture. The call that ends the capture returns another handle to the
/// graph, which is destroyed on its own. A graph whose handles were all destroyed lives until the capture is over. While work is
/// recorded, no other thread may use the graph on a CUDA device.
///
/// A capture that fails destroys the graph that it goes into, as the driver does. It fails when the call that ends it reports
/// so, or when the stream is destroyed and gc_stream_end_capture() would have failed. Every later call on the
/// graph then answers GRAPHCAP_ERROR_INVALID_VALUE. Its handles must still be destroyed. Graph execs that were made from it still
/// work. A whole capture that is aborted leaves in the graph what was recorded.
///
/// A graph within a node, see gc_node_get_graph(), gets the recorded nodes when the capture ends. Until then no other call
/// can change it, and its node cannot be removed. A capture that fails leaves such a graph as it was.
///
/// @param[in]  stream       the stream; not the legacy stream
/// @param[in]  mode         one of the GRAPHCAP_CAPTURE_MODE_ numbers; GRAPHCAP_CAPTURE_MODE_GLOBAL if in doubt
/// @param[in]  options      NULL for the defaults: no modules, no pool, not strict, a new graph
/// @param[out] capture_out  the capture, owned by the caller until gc_capture_destroy(); NULL on failure; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        the mode or a flag is unknown, or one of the dependencies is no node of
///     the graph
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT      a module, the pool or the graph belongs to a context other than the stream's
/// @retval GRAPHCAP_ERROR_SEALED               the pool is sealed
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE        the stream is being captured already, or another capture goes into the
///                                             graph
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  the stream is the legacy stream
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED        there are a graph and a pool; or the capture goes into a graph, and the device is
///                                             a CUDA device whose driver is older than 12.3, or the graph is within a node and
///                                             the program knows the native handle of the stream, which is so of the per-thread
///                                             stream of a CUDA device
#[no_mangle]
pub unsafe extern "C" fn gc_capture_begin(
    stream: *const gc_stream,
    mode: gc_capture_mode,
    options: *const gc_capture_options,
    capture_out: *mut *mut gc_capture,
) -> gc_status {
    // SAFETY: C promises that `capture_out` is NULL or writable.
    let out = unsafe { Out::handle(capture_out, "capture_out") };
    guard("gc_capture_begin", [Token::of(stream)], || {
        let pinned = handle::pin();
        let stream = handle::borrow(stream, "stream", &pinned)?;
        let mode = stream::capture_mode(mode)?;
        // SAFETY: C promises valid options.
        let chosen = unsafe { Chosen::read(options, &pinned) }?;
        match out.optional() {
            Some(out) => out.write(handle::insert(StreamCapture::begin_with(stream, mode, chosen.options())?)?),
            None => stream.begin_capture_with(mode, chosen.options())?,
        }
        Ok(())
    })
}

/// Objects that options name.
pub(super) struct Chosen {
    modules: Vec<Module>,
    pool: Option<Pool>,
    graph: Option<Graph>,
    dependencies: SmallVec<[NodeId; 8]>,
    strict: bool,
    notes_memory: bool,
}

impl Chosen {
    /// # Safety
    /// `options` is NULL or points to as many bytes as its struct_size states, and its modules and dependencies are as many as it says.
    pub(super) unsafe fn read(options: *const gc_capture_options, pinned: &handle::Pinned) -> Result<Chosen> {
        // SAFETY: passed on to the caller.
        let options = unsafe { options::read_or_default(options, "options") }?;
        check_flags(
            options.flags,
            GRAPHCAP_CAPTURE_STRICT | GRAPHCAP_CAPTURE_NOTE_MEMORY,
            "flags",
            "any of GRAPHCAP_CAPTURE_STRICT and GRAPHCAP_CAPTURE_NOTE_MEMORY",
        )?;
        // SAFETY: the caller promises `module_count` modules.
        let named = unsafe { options::elements(options.modules, options.module_count, "options.modules") }?;
        let named = named.unwrap_or_default();
        let mut modules = room::list(named.len())?;
        for (index, &module) in named.iter().enumerate() {
            let module = handle::borrow(module, "options.modules", pinned);
            modules.push(module.map_err(|failure| failure.of_element(index))?.clone());
        }
        let pool = handle::optional(options.pool, "options.pool")?;
        let graph = handle::optional(options.graph, "options.graph")?;
        // SAFETY: the caller promises `dependency_count` nodes.
        let dependencies =
            unsafe { node::nodes(options.dependencies, options.dependency_count, "options.dependencies") }?;
        if graph.is_none() && !dependencies.is_empty() {
            handle::borrow(options.graph, "options.graph", pinned)?;
        }
        Ok(Chosen {
            modules,
            pool,
            graph,
            dependencies,
            strict: options.flags & GRAPHCAP_CAPTURE_STRICT != 0,
            notes_memory: options.flags & GRAPHCAP_CAPTURE_NOTE_MEMORY != 0,
        })
    }

    pub(super) fn options(&self) -> CaptureOptions<'_> {
        let dependencies = self.dependencies.as_slice();
        CaptureOptions {
            modules: self.modules.clone(),
            pool: self.pool.as_ref(),
            into: self.graph.as_ref().map(|graph| CaptureTarget { graph, dependencies }),
            strict: self.strict,
            notes_memory: self.notes_memory,
        }
    }
}

/// Destroys a capture object. If its capture goes on, ends the capture and discards what it recorded.
///
/// A broken capture is ended too. The call may be made on any thread: in a mode other than relaxed the driver gives the
/// graph only to the thread that began the capture, but it discards the capture on any thread. Nothing can be ended
/// inside a host function; if the call is made there, another thread ends the capture soon. A capture of another
/// thread's per-thread stream stays open, and that thread has to end it. The call waits for the calls of other threads,
/// see "What ends at once".
///
/// @param[in] capture  NULL has no effect
#[no_mangle]
pub unsafe extern "C" fn gc_capture_destroy(capture: *mut gc_capture) -> gc_status {
    guard("gc_capture_destroy", [], || handle::destroy(capture, "capture"))
}

/// Records a launch of a kernel that is found by its name in the modules that gc_capture_begin() was given.
///
/// Wrong arguments do not harm the capture. Unlike with gc_stream_launch_kernel(), that includes a shape that cannot be
/// launched: graphcap checks it before the driver sees the launch, as far as the limits of the device and the kernel
/// are known.
///
/// @param[in] capture         the capture
/// @param[in] name            the exact name, UTF-8; if several modules have a kernel of that name, the first module is
///                            used
/// @param[in] config          the shape of the launch, not NULL
/// @param[in] arguments       one per parameter of the kernel, as for gc_stream_launch_kernel(); the arguments and the
///                            values that they point to are copied, and the graph keeps the buffers
/// @param[in] argument_count  the number of arguments
/// @retval GRAPHCAP_ERROR_INVALID_VALUE                 as for gc_stream_launch_kernel()
/// @retval GRAPHCAP_ERROR_NOT_FOUND                     no module of the capture has a kernel of that name
/// @retval GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE          the cluster of the attributes does not divide the grid, or is
///                                                      too large
/// @retval GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE  the launch is cooperative and has more blocks than the device
///                                                      runs at once
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT               a buffer belongs to another context
/// @retval GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES       the kernel cannot have that many threads in a block
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE                 the capture is over
/// @retval GRAPHCAP_ERROR_BUSY                          another thread is using the capture
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED                 the capture is of another thread's per-thread stream
#[no_mangle]
pub unsafe extern "C" fn gc_capture_record_kernel(
    capture: *const gc_capture,
    name: *const c_char,
    config: *const gc_launch_config,
    arguments: *const gc_kernel_arg,
    argument_count: usize,
) -> gc_status {
    guard("gc_capture_record_kernel", [Token::of(capture)], || {
        let pinned = handle::pin();
        let capture = handle::borrow(capture, "capture", &pinned)?;
        let mut held = Arguments::new();
        // SAFETY: C promises `argument_count` arguments, and that each value has as many bytes as it states.
        unsafe { held.read(arguments, argument_count, &pinned) }?;
        // SAFETY: C promises that `name` is NULL or a text that ends with a NUL.
        let name = unsafe { options::text(name, "name") }?;
        // SAFETY: C promises that `config` is NULL or points to as many bytes as its struct_size states.
        let (shape, attributes) = unsafe { launch::shape(config, &pinned) }?;
        // SAFETY: C promises that the kernel may be run with these arguments.
        let recorded =
            unsafe { capture.record_kernel(name, shape, held.list(), attributes.list(), attributes.events()) };
        Ok(recorded?)
    })
}

/// Records a copy, as GRAPHCAP_WORK_MEMCPY does.
///
/// @param[in] capture  the capture
/// @param[in] params   the copy, not NULL; copied
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    see GRAPHCAP_WORK_MEMCPY
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  a buffer belongs to another context
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE    the capture is over
/// @retval GRAPHCAP_ERROR_BUSY             another thread is using the capture
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED    the capture is of another thread's per-thread stream, or it is strict and
///                                         the copy uses plain host memory
#[no_mangle]
pub unsafe extern "C" fn gc_capture_record_memcpy(
    capture: *const gc_capture,
    params: *const gc_memcpy_params,
) -> gc_status {
    guard("gc_capture_record_memcpy", [Token::of(capture)], || {
        let pinned = handle::pin();
        let capture = handle::borrow(capture, "capture", &pinned)?;
        // SAFETY: C promises that `params` is NULL or points to as many bytes as its struct_size states.
        let params = unsafe { options::read(params, "params") }?;
        let copy = copy::read(
            &params,
            |buffer, argument| handle::borrow(buffer, argument, &pinned),
            |buffer, argument| handle::borrow(buffer, argument, &pinned),
        )?;
        // SAFETY: C promises the host memory at each replay, or now where it is copied.
        let copy = unsafe { copy::save(copy, &params, |copy| capture.check_memcpy(copy)) }?;
        Ok(capture.record_memcpy(&copy.lend())?)
    })
}

/// Records setting elements of a buffer to a value, as gc_stream_memset() does.
///
/// @param[in] capture       the capture
/// @param[in] buffer        the buffer to write, of the stream's context
/// @param[in] offset        the first byte written, counted from the start of the buffer; its address must be a
///                          multiple of element_size
/// @param[in] value         the value; bits that do not fit an element are ignored
/// @param[in] element_size  1, 2 or 4 bytes
/// @param[in] count         the number of elements; 0 records nothing
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    element_size is not 1, 2 or 4, the first address is not a multiple of
///                                         element_size, or the range does not lie within the buffer
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the buffer belongs to another context
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE    the capture is over
/// @retval GRAPHCAP_ERROR_BUSY             another thread is using the capture
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED    the capture is of another thread's per-thread stream
#[no_mangle]
pub unsafe extern "C" fn gc_capture_record_memset(
    capture: *const gc_capture,
    buffer: *const gc_buffer,
    offset: usize,
    value: u32,
    element_size: u32,
    count: usize,
) -> gc_status {
    guard("gc_capture_record_memset", [Token::of(capture), Token::of(buffer)], || {
        let pinned = handle::pin();
        let capture = handle::borrow(capture, "capture", &pinned)?;
        let buffer = handle::borrow(buffer, "buffer", &pinned)?;
        let element_size = stream_work::element_size(element_size)?;
        Ok(capture.record_memset(buffer, offset, value, element_size, count)?)
    })
}

/// Counts the operations that were recorded through a capture object: the calls of gc_capture_record_ functions that
/// succeeded and had something to record. Works also when the capture is over.
///
/// Work that was submitted without this object, to the stream or to streams that joined, is in the graph but is not
/// counted here. gc_graph_node_count() counts both.
///
/// @param[in]  capture    the capture
/// @param[out] count_out  the number
#[no_mangle]
pub unsafe extern "C" fn gc_capture_recorded_count(capture: *const gc_capture, count_out: *mut u64) -> gc_status {
    // SAFETY: C promises that `count_out` is NULL or writable.
    let out = unsafe { Out::number(count_out, "count_out") };
    answer_borrowed("gc_capture_recorded_count", (capture, "capture"), out, |capture| Ok(capture.recorded_count()))
}

/// Returns whether the capture of an object goes on and can be recorded into.
///
/// @param[in]  capture     the capture
/// @param[out] active_out  1 while it does; 0 when it was broken or is over. It does not matter what ended it: this
///                         object, gc_stream_end_capture(), also on the wrong thread, or the destruction of its stream
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED  the capture is of another thread's per-thread stream
#[no_mangle]
pub unsafe extern "C" fn gc_capture_is_active(capture: *const gc_capture, active_out: *mut i32) -> gc_status {
    // SAFETY: C promises that `active_out` is NULL or writable.
    let out = unsafe { Out::number(active_out, "active_out") };
    answer_borrowed("gc_capture_is_active", (capture, "capture"), out, |capture| Ok(i32::from(capture.is_active()?)))
}

/// Ends a capture and returns the graph that it recorded. On one stream n operations are n nodes and n - 1 edges.
///
/// After GRAPHCAP_ERROR_INVALID_HANDLE, GRAPHCAP_ERROR_INVALID_VALUE, GRAPHCAP_ERROR_BUSY and
/// GRAPHCAP_ERROR_NOT_PERMITTED the capture goes on. In a guarded context it also goes on after
/// GRAPHCAP_ERROR_CAPTURE_UNJOINED and GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD; gc_capture_abort() discards it. After every
/// other answer the stream is usable again. The object stays until gc_capture_destroy().
///
/// @param[in]  capture    the capture
/// @param[out] graph_out  the new graph, owned by the caller until gc_graph_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_CAPTURE_UNMATCHED     the capture was ended or aborted before, through this object or through
///                                              its stream. A later capture of the stream goes on
/// @retval GRAPHCAP_ERROR_CAPTURE_UNJOINED      a stream that joined the capture was not joined back
/// @retval GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD  another thread began the capture, in a mode other than relaxed; the
///                                              capture is gone
/// @retval GRAPHCAP_ERROR_BUSY                  another thread is using the capture
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED         the capture is of another thread's per-thread stream
#[no_mangle]
pub unsafe extern "C" fn gc_capture_end(capture: *const gc_capture, graph_out: *mut *mut gc_graph) -> gc_status {
    // SAFETY: C promises that `graph_out` is NULL or writable.
    let out = unsafe { Out::handle(graph_out, "graph_out") };
    answer_borrowed("gc_capture_end", (capture, "capture"), out, |capture| {
        let graph = capture.end()?;
        handle::insert(graph)
    })
}

/// Ends a capture and discards what was recorded. It succeeds also if the capture was broken, if work was not joined,
/// or if another thread began the capture.
///
/// @param[in] capture  the capture
/// @retval GRAPHCAP_ERROR_CAPTURE_UNMATCHED  the capture was ended or aborted before, through this object or through
///                                           its stream
/// @retval GRAPHCAP_ERROR_BUSY               another thread is using the capture
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED      the capture is of another thread's per-thread stream
#[no_mangle]
pub unsafe extern "C" fn gc_capture_abort(capture: *const gc_capture) -> gc_status {
    with_borrowed("gc_capture_abort", (capture, "capture"), |capture| Ok(capture.abort()?))
}
