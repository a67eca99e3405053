//! gc_graph: the definition of a graph.

use std::ffi::{c_char, c_void};
use std::ptr;

use crate::ffi::boundary::{
    answer_borrowed, answer_clone, check_flags, gc_context, gc_graph, gc_graph_exec, gc_status, gc_stream, guard,
    handle, options, with_clone, ArrayOut, Failure, Out, TextOut, Versioned,
};
use crate::ffi::operations::launch::check_unused;
use graphcap_base::error::Error;
use graphcap_core::{Context, DotFlags, Graph, GraphExec, Stream};
use graphcap_driver::{ExecFlags, NodeId};
use graphcap_kit::log_findings;

/// A number that names a node of a graph; 0 names no node. A name need not be destroyed. It is valid from the moment
/// that the node is recorded, through the end of the capture, until the node is removed or the last handle of the graph
/// is destroyed. It is never used again for another node. Functions return GRAPHCAP_ERROR_INVALID_VALUE for a number
/// that names no node of the graph in question. gc_node_native() returns the CUgraphNode on a CUDA device.
pub type gc_node = u64;

/// gc_graph_export_dot(): shows what all other flags show. The names of CUDA's runtime are used only with
/// GRAPHCAP_DOT_RUNTIME_TYPES.
pub const GRAPHCAP_DOT_VERBOSE: u32 = 1;
/// gc_graph_export_dot(): kinds of nodes and directions of copies have the names that CUDA's runtime gives them, as
/// cudaGraphNodeTypeMemset and cudaMemcpyHostToDevice.
pub const GRAPHCAP_DOT_RUNTIME_TYPES: u32 = 2;
/// gc_graph_export_dot(): kernel nodes show grid, block, shared memory and arguments. An address in a buffer is shown as
/// the name of the buffer and an offset.
pub const GRAPHCAP_DOT_KERNEL_NODE_PARAMS: u32 = 4;
/// gc_graph_export_dot(): copy nodes show direction, size, source and destination.
pub const GRAPHCAP_DOT_MEMCPY_NODE_PARAMS: u32 = 8;
/// gc_graph_export_dot(): memset nodes show size, destination and value.
pub const GRAPHCAP_DOT_MEMSET_NODE_PARAMS: u32 = 16;
/// gc_graph_export_dot(): host nodes show which function they call. Nodes that call one function show the same name.
pub const GRAPHCAP_DOT_HOST_NODE_PARAMS: u32 = 32;
/// gc_graph_export_dot(): event record nodes and event wait nodes show their event.
pub const GRAPHCAP_DOT_EVENT_NODE_PARAMS: u32 = 64;
/// gc_graph_export_dot(): accepted, and shows nothing. graphcap does not read nodes that signal external semaphores.
pub const GRAPHCAP_DOT_EXT_SEMAS_SIGNAL_NODE_PARAMS: u32 = 128;
/// gc_graph_export_dot(): accepted, and shows nothing. graphcap does not read nodes that wait for external semaphores.
pub const GRAPHCAP_DOT_EXT_SEMAS_WAIT_NODE_PARAMS: u32 = 256;
/// gc_graph_export_dot(): kernel nodes show the attributes that graphcap reads back from the device.
pub const GRAPHCAP_DOT_KERNEL_NODE_ATTRIBUTES: u32 = 512;
/// gc_graph_export_dot(): nodes show their gc_node.
pub const GRAPHCAP_DOT_HANDLES: u32 = 1024;
/// gc_graph_export_dot(): allocation nodes show the allocation and its size.
pub const GRAPHCAP_DOT_MEM_ALLOC_NODE_PARAMS: u32 = 2048;
/// gc_graph_export_dot(): free nodes show the allocation and its size.
pub const GRAPHCAP_DOT_MEM_FREE_NODE_PARAMS: u32 = 4096;
/// gc_graph_export_dot(): nodes of value operations show their operations, the first eight of them.
pub const GRAPHCAP_DOT_BATCH_MEM_OP_NODE_PARAMS: u32 = 8192;
/// gc_graph_export_dot(): edges show their number, and nodes the stream that a capture recorded them on: its name, or
/// else "stream 0", "stream 1" in the order in which the streams of the graph first recorded something. Edges that carry
/// ports or a type show these in any case.
pub const GRAPHCAP_DOT_EXTRA_TOPO_INFO: u32 = 16384;
/// gc_graph_export_dot(): conditional nodes show their condition, and the value that launches begin with.
pub const GRAPHCAP_DOT_CONDITIONAL_NODE_PARAMS: u32 = 32768;

/// The flags that there are.
pub(crate) const DOT_FLAGS: u32 = DotFlags::ALL.0;
/// Text for these flags in messages.
pub(crate) const KNOWN_DOT_FLAGS: &str = "0 or GRAPHCAP_DOT_ flags";

/// gc_instantiate_options::flags: a launch frees what earlier launches of the exec allocated and nobody freed.
pub const GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH: u32 = 1;
/// gc_instantiate_options::flags: the exec is uploaded on upload_stream, as gc_graph_upload() does.
pub const GRAPHCAP_INSTANTIATE_UPLOAD: u32 = 2;
/// gc_instantiate_options::flags: kernels on the device can launch the exec.
pub const GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH: u32 = 4;
/// gc_instantiate_options::flags: each kernel node runs with its own priority, and not with that of the stream of the
/// launch. A host device runs all nodes alike.
pub const GRAPHCAP_INSTANTIATE_USE_NODE_PRIORITY: u32 = 8;

/// gc_instantiate_options::flags: gc_graph_exec_progress() tells which nodes a launch of the exec has completed. Behind each
/// node runs a kernel of one thread, so launches take longer. The exec cannot be changed.
pub const GRAPHCAP_INSTANTIATE_WATCH: u32 = 65536;

/// gc_instantiate_options::flags, with GRAPHCAP_INSTANTIATE_WATCH: on a CUDA device the record of an event is a leaf
/// behind each node, in the place of the kernel that nodes wait for. Launches are made more slowly. While several
/// launches are queued, gc_graph_exec_progress() does not know the nodes of the one that runs. A host device makes no
/// difference.
pub const GRAPHCAP_INSTANTIATE_WATCH_BY_EVENTS: u32 = 131072;

/// gc_instantiate_options::flags: on a CUDA device the exec has a kernel that does nothing before all nodes, if several nodes wait
/// for none, and one behind all, if no node waits for several. Such graphs are launched and run faster so. The graph is not changed,
/// gc_graph_exec_node_count() does not count these kernels, and the exec is edited and updated as any other one; an update adds them
/// to what it compares. A host device makes no difference.
pub const GRAPHCAP_INSTANTIATE_SHAPE: u32 = 262144;

/// Options of an instantiation. 0 is the default of every member.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_instantiate_options {
    /// sizeof(gc_instantiate_options).
    pub struct_size: u32,
    /// 0 or GRAPHCAP_INSTANTIATE_ flags.
    pub flags: u32,
    /// For GRAPHCAP_INSTANTIATE_UPLOAD the stream of the upload, of a context on a device of the graph's kind; NULL for the
    /// legacy stream of the graph's context.
    /// NULL without the flag.
    pub upload_stream: *const gc_stream,
    /// The number of turns that a while loop has at most in one run of its conditional node. If its condition is not 0 then, the
    /// launch faults, and the message names the node. 0 for as many turns as the condition says. Of a loop in a body, each run
    /// counts anew. A CUDA device takes 0 alone, as its driver counts no turns.
    pub turn_limit: u64,
}
// SAFETY: repr(C), starts with its size, and holds integers and a pointer, which may be NULL.
unsafe impl Versioned for gc_instantiate_options {}

/// Makes a graph without nodes. Add nodes to it, or capture into it.
///
/// @param[in]  context    the context that the graph belongs to
/// @param[out] graph_out  the new graph, owned by the caller until gc_graph_destroy(); NULL on failure
#[no_mangle]
pub unsafe extern "C" fn gc_graph_create(context: *const gc_context, graph_out: *mut *mut gc_graph) -> gc_status {
    // SAFETY: C promises that `graph_out` is NULL or writable.
    let out = unsafe { Out::handle(graph_out, "graph_out") };
    answer_borrowed("gc_graph_create", (context, "context"), out, |context| handle::insert(Graph::create(context)?))
}

/// Destroys a graph. Graph execs made from it are not affected. The destroy of a graph that was wrapped as borrowed waits, a
/// second at most, for calls of other threads that may see it.
///
/// @param[in] graph  NULL has no effect
#[no_mangle]
pub unsafe extern "C" fn gc_graph_destroy(graph: *mut gc_graph) -> gc_status {
    guard("gc_graph_destroy", [], || handle::destroy(graph, "graph"))
}

/// Counts the nodes of a graph.
///
/// @param[in]  graph      the graph
/// @param[out] count_out  the number of nodes
#[no_mangle]
pub unsafe extern "C" fn gc_graph_node_count(graph: *const gc_graph, count_out: *mut usize) -> gc_status {
    // SAFETY: C promises that `count_out` is NULL or writable.
    let out = unsafe { Out::number(count_out, "count_out") };
    answer_clone("gc_graph_node_count", (graph, "graph"), out, |graph| Ok(graph.node_count()?))
}

/// Counts the edges of a graph.
///
/// @param[in]  graph      the graph
/// @param[out] count_out  the number of edges
#[no_mangle]
pub unsafe extern "C" fn gc_graph_edge_count(graph: *const gc_graph, count_out: *mut usize) -> gc_status {
    // SAFETY: C promises that `count_out` is NULL or writable.
    let out = unsafe { Out::number(count_out, "count_out") };
    answer_clone("gc_graph_edge_count", (graph, "graph"), out, |graph| Ok(graph.edge_count()?))
}

/// Lists the nodes of a graph, in the order in which they were made.
///
/// @param[in]  graph      the graph
/// @param[out] nodes_out  where to write; may be NULL when capacity is 0
/// @param[in]  capacity   how many nodes fit; 0 asks only for the number of nodes
/// @param[out] needed     the number of nodes; may be NULL
#[no_mangle]
pub unsafe extern "C" fn gc_graph_get_nodes(
    graph: *const gc_graph,
    nodes_out: *mut gc_node,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `nodes_out` has `capacity` writable elements, and that `needed` is NULL or writable.
    let out = unsafe { ArrayOut::new([(nodes_out, "nodes_out")], capacity, needed) };
    with_clone("gc_graph_get_nodes", (graph, "graph"), |graph| {
        out.write(graph.nodes()?.nodes.into_iter().map(|NodeId(node)| [node]))
    })
}

/// Writes a graph in Graphviz's DOT language.
///
/// Each node is a box with its number, in the order in which the nodes were made, its name if it was given one, and its
/// kind or the name of its kernel. Conditional nodes have if, while or switch below. The flags, whose numbers are those of CUgraphDebugDot_flags, add lines to the boxes.
/// Objects are called by the names that gc_set_name() gave them, or else by their kind and place, as "buffer 0". The
/// graph of a child node and the bodies of a conditional node are clusters. On a CUDA device the names of kernels that
/// others recorded need a driver for 12.3 or newer.
///
/// @param[in]  graph     the graph
/// @param[in]  flags     0 or GRAPHCAP_DOT_ flags
/// @param[out] text      where to write; the text ends with a NUL. May be NULL when capacity is 0
/// @param[in]  capacity  bytes at text; 0 asks only for the size
/// @param[out] needed    the size of the whole text in bytes with its NUL; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  a flag is unknown, or the graph was lost when a capture into it failed
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  graphs lie within each other more than 16 deep
#[no_mangle]
pub unsafe extern "C" fn gc_graph_export_dot(
    graph: *const gc_graph,
    flags: u32,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `text` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let out = unsafe { TextOut::new(text, capacity, needed) };
    with_clone("gc_graph_export_dot", (graph, "graph"), |graph| {
        check_flags(flags, DOT_FLAGS, "flags", KNOWN_DOT_FLAGS)?;
        let dot = graph.export_dot(DotFlags(flags))?;
        out.write(&dot)
    })
}

/// Options that an exec is to be made with, as `gc_instantiate_options` says.
pub(super) struct Instantiation {
    flags: ExecFlags,
    upload: Option<Stream>,
}

impl Instantiation {
    /// Reads and checks the options for a graph of `context`.
    ///
    /// # Safety
    /// `options` is NULL or points to as many readable bytes as its struct_size states.
    pub(super) unsafe fn read(
        options: *const gc_instantiate_options,
        context: &Context,
    ) -> Result<Instantiation, Failure> {
        // SAFETY: passed on to the caller.
        let options = unsafe { options::read_or_default(options, "options") }?;
        let known = EXEC_FLAGS | GRAPHCAP_INSTANTIATE_UPLOAD;
        check_flags(options.flags, known, "options.flags", "0 or GRAPHCAP_INSTANTIATE_ flags")?;
        let flags = ExecFlags { turn_limit: options.turn_limit, ..exec_flags(options.flags, "options.flags")? };
        let upload = match options.flags & GRAPHCAP_INSTANTIATE_UPLOAD {
            0 => {
                check_unused(options.upload_stream.addr(), "options.upload_stream", "NULL without an upload")?;
                None
            }
            _ if options.upload_stream.is_null() => Some(context.legacy_stream()),
            _ => Some(handle::clone(options.upload_stream, "options.upload_stream")?),
        };
        Ok(Instantiation { flags, upload })
    }

    /// Makes the exec.
    pub(super) fn make(self, graph: &Graph) -> graphcap_base::error::Result<GraphExec> {
        let exec = graph.instantiate_with(self.flags, self.upload.as_ref())?;
        if cfg!(feature = "optimising") {
            log_findings(graph);
        }
        Ok(exec)
    }
}

/// The flags that say what an exec is like.
pub(in crate::ffi) const EXEC_FLAGS: u32 = GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH
    | GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH
    | GRAPHCAP_INSTANTIATE_USE_NODE_PRIORITY
    | GRAPHCAP_INSTANTIATE_WATCH
    | GRAPHCAP_INSTANTIATE_WATCH_BY_EVENTS
    | GRAPHCAP_INSTANTIATE_SHAPE;

/// Reads [`EXEC_FLAGS`]. Refuses events for an exec that is not watched.
pub(in crate::ffi) fn exec_flags(flags: u32, argument: &str) -> Result<ExecFlags, Failure> {
    let has = |flag| flags & flag != 0;
    if has(GRAPHCAP_INSTANTIATE_WATCH_BY_EVENTS) && !has(GRAPHCAP_INSTANTIATE_WATCH) {
        return Err(Error::invalid_value(format!(
            "{argument} has GRAPHCAP_INSTANTIATE_WATCH_BY_EVENTS without GRAPHCAP_INSTANTIATE_WATCH; give both, or neither"
        ))
        .into());
    }
    Ok(ExecFlags {
        auto_free: has(GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH),
        device_launch: has(GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH),
        node_priorities: has(GRAPHCAP_INSTANTIATE_USE_NODE_PRIORITY),
        watched: has(GRAPHCAP_INSTANTIATE_WATCH),
        watched_by_events: has(GRAPHCAP_INSTANTIATE_WATCH_BY_EVENTS),
        shaped: has(GRAPHCAP_INSTANTIATE_SHAPE),
        turn_limit: 0,
    })
}

/// Makes a graph exec from the current state of a graph. It can be launched any number of times.
///
/// A graph with allocations, or with conditions, has one graph exec at a time.
///
/// GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH needs a CUDA device, and a graph of kernels, memsets, copies of device and pinned
/// memory, and child graphs of these. It excludes GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH.
///
/// GRAPHCAP_INSTANTIATE_WATCH makes the exec of a copy of the graph, and excludes GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH.
/// GRAPHCAP_INSTANTIATE_WATCH_BY_EVENTS needs it.
/// gc_graph_exec_progress() knows the nodes by the names that they have in the graph.
///
/// GRAPHCAP_INSTANTIATE_SHAPE on a CUDA device: the driver's graph has the two kernels until the exec is made, and again
/// during each update by it, so nobody may use its CUgraph meanwhile.
///
/// If the graph cannot be launched, the message tells why, and names the node where one is the cause: edges form a cycle, a
/// node is of a kind that conditional bodies or launches from the device do not have, a node is of another context, or a
/// condition has no node. On a CUDA device it also has the driver's result (CUgraphInstantiateResult).
///
/// @param[in]  graph     the graph
/// @param[in]  options   NULL for the defaults
/// @param[out] exec_out  the new graph exec, owned by the caller until gc_graph_exec_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        two flags exclude each other, or the graph cannot be launched: as one
///     whose child graphs share memory of a pool and are not ordered, or one of whose memory is gone that
///     GRAPHCAP_CAPTURE_NOTE_MEMORY noted
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT      upload_stream and the graph are of devices of different kinds
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED        the graph is that of a node, it has an exec and can have only one, a
///                                             flag asks for launches from a host device, GRAPHCAP_INSTANTIATE_WATCH is
///                                             given for a graph with allocations or nodes that kernels can change, or
///                                             on a CUDA device with conditions, or GRAPHCAP_INSTANTIATE_SHAPE on a
///                                             CUDA device for one with allocations, or turn_limit is not 0 on a CUDA
///                                             device; on a CUDA device also what gc_node_set_grid_scalar() says
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE        GRAPHCAP_INSTANTIATE_SHAPE is given on a CUDA device while a capture
///                                             goes into the graph
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  a capture bars this thread from instantiating, or the stream of the
///                                             upload is being captured; the capture is invalidated
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT     the upload is on the legacy stream and a blocking stream is being
///                                             captured; that capture is invalidated
#[no_mangle]
pub unsafe extern "C" fn gc_graph_instantiate(
    graph: *const gc_graph,
    options: *const gc_instantiate_options,
    exec_out: *mut *mut gc_graph_exec,
) -> gc_status {
    // SAFETY: C promises that `exec_out` is NULL or writable.
    let out = unsafe { Out::handle(exec_out, "exec_out") };
    answer_clone("gc_graph_instantiate", (graph, "graph"), out, |graph| {
        // SAFETY: C promises that `options` is NULL or points to as many bytes as its struct_size states.
        let exec = unsafe { Instantiation::read(options, graph.context()) }?.make(&graph)?;
        handle::insert(exec)
    })
}

/// Returns the CUgraphNode of a node. Others may change the graph after this call, as after gc_graph_native(), and
/// launches become slower as they do there. If others remove a node, functions refuse its name once graphcap has looked
/// at the graph again. If others remove a node and add one before graphcap looks again, the driver may give both nodes
/// the same handle; graphcap then takes the new node for the old one.
///
/// @param[in]  graph       the graph
/// @param[in]  node        one of its nodes
/// @param[out] native_out  the driver's handle, valid until the node is removed or the graph destroyed; NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  node names no node of the graph, or the graph was lost when a capture into it
///                                       failed
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  the device is the host device, which has no native handles
#[no_mangle]
pub unsafe extern "C" fn gc_node_native(
    graph: *const gc_graph,
    node: gc_node,
    native_out: *mut *mut c_void,
) -> gc_status {
    // SAFETY: C promises that `native_out` is NULL or writable.
    let out = unsafe { Out::handle(native_out, "native_out") };
    answer_borrowed("gc_node_native", (graph, "graph"), out, |graph| {
        Ok(ptr::without_provenance_mut(graph.node_native(NodeId(node))?))
    })
}
