//! Graphs that run at once what need not run one after another.

use std::ffi::c_char;

use crate::ffi::boundary::failure::Result;
use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::handle::{self, Token};
use crate::ffi::boundary::handle_types::gc_graph;
use crate::ffi::boundary::options::{self, check_flags, Versioned};
use crate::ffi::boundary::output::{Out, StructOut, TextOut};
use crate::ffi::boundary::status::gc_status;
use crate::kit::{optimize, Candidate, OptimizeOptions, OptimizeReport};

/// gc_optimize_options::flags: keep the edges, and change the shape alone.
pub const GRAPHCAP_OPTIMIZE_SHAPE_ONLY: u32 = 1;
/// gc_optimize_options::flags: a kernel of which nothing is stated writes the buffers and other allocations that its
/// arguments point into, and touches nothing else.
pub const GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS: u32 = 2;

/// Options of gc_graph_optimize(). Start from GRAPHCAP_OPTIMIZE_OPTIONS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_optimize_options {
    /// sizeof(gc_optimize_options).
    pub struct_size: u32,
    /// 0 or GRAPHCAP_OPTIMIZE_ flags.
    pub flags: u32,
    /// At most so many nodes run at once, up to 256; 0 for 128, which is as many kernels as a GPU runs at once.
    pub lanes: u32,
    /// 0.
    pub reserved: u32,
}
// SAFETY: repr(C), starts with its size, and holds integers.
unsafe impl Versioned for gc_optimize_options {
    const FIRST_SIZE: usize = 16;
}

/// Which edges an optimized graph has: one of the GRAPHCAP_OPTIMIZE_EDGES_ numbers.
pub type gc_optimize_edges = i32;

/// Those that were recorded: the options say so, or other edges would leave no shorter path.
pub const GRAPHCAP_OPTIMIZE_EDGES_RECORDED: gc_optimize_edges = 0;
/// Those that the work needs, on lanes.
pub const GRAPHCAP_OPTIMIZE_EDGES_LANES: gc_optimize_edges = 1;

/// What gc_graph_optimize() made of a graph. Start from GRAPHCAP_OPTIMIZE_REPORT_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_optimize_report {
    /// sizeof(gc_optimize_report). Set it before the call.
    pub struct_size: u32,
    /// One of the GRAPHCAP_OPTIMIZE_EDGES_ numbers.
    pub edges: gc_optimize_edges,
    /// How many lanes the nodes are on; 0 with the recorded edges.
    pub lanes: u32,
    /// 0.
    pub reserved: u32,
    /// Number of nodes of the recorded graph.
    pub node_count: u64,
    /// How many nodes the result has besides: kernels that do nothing, before all and behind all.
    pub added_node_count: u64,
    /// Number of edges of the recorded graph.
    pub edges_before: u64,
    /// Number of edges of the result.
    pub edges_after: u64,
    /// Number of nodes on the longest path of the recorded graph.
    pub path_before: u64,
    /// Number of nodes on the longest path of the result. Nodes that were added do not count.
    pub path_after: u64,
    /// How many nodes keep their place: all that was recorded before such a node stays before it, and all that was recorded
    /// behind it stays behind. gc_graph_optimize_text() tells which and why.
    pub barrier_count: u64,
}
// SAFETY: repr(C), starts with its size, and holds integers.
unsafe impl Versioned for gc_optimize_report {
    const FIRST_SIZE: usize = 72;
}

/// Makes a graph that does what a graph does, and runs at once what need not run one after another. The graph itself is not
/// changed, and may be used by other threads meanwhile: the result has what was there at one time.
///
/// Work that is recorded on one stream is a chain. Two nodes of it stay in the recorded order if one writes bytes that the
/// other one reads or writes, or if a path of such nodes leads from one to the other. The others may run at the same time:
/// the nodes are laid out on lanes, as many as the options allow, each of which runs one node at a time. A cooperative launch
/// runs beside nothing. Where a node may wait for what another one does (value operations, events, host functions, child
/// graphs), there is a lane for each, so that no node waits for one that nobody recorded before it; a graph of more than
/// 4,096 nodes then keeps its edges. So does a graph with an edge that carries something.
///
/// What copies and memsets touch is known; of more than 1,024 rows all between the first byte and the last counts. They are
/// ordered by that alone, in host memory as well: the CPU may see them in another order while a replay runs. What a kernel
/// touches is known if gc_kernel_set_accesses() said it. All other nodes keep their place: kernels of which nothing is
/// stated, kernels that may write host memory, managed memory or memory of another device, host functions, events, value
/// operations, child graphs. Wrapped memory, and memory that graphcap has no buffer of, counts as memory of the device.
/// GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS frees kernels of which nothing is stated. It is right only for kernels that follow no
/// pointer that lies in memory, and use no variable of their module, no texture or surface object and no heap of the
/// device.
///
/// On a CUDA device a graph of several roots or leaves is replayed slowly. The result then gets one kernel that does nothing
/// before all, and one behind all. GRAPHCAP_OPTIMIZE_SHAPE_ONLY does this alone, on any graph that can be cloned; nothing
/// need be known of its nodes.
///
/// If the edges that the work needs leave no shorter path, the result has the recorded edges.
///
/// The result is a graph like any other, and a copy as gc_graph_clone() makes it: gc_node_find_in_clone() finds its nodes.
/// Graphs of the same nodes and edges, whose nodes conflict alike, come out alike: a graph exec of one can be updated by
/// another.
///
/// @param[in]     graph       the graph; if a capture is going into it, the result has what was recorded so far
/// @param[in]     options     NULL for the defaults
/// @param[out]    graph_out   the new graph, owned by the caller until gc_graph_destroy(); NULL on failure
/// @param[in,out] report_out  in: struct_size; out: what was made; may be NULL
/// @retval GRAPHCAP_SUCCESS               graph_out was written
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE  graph is not a live graph
/// @retval GRAPHCAP_ERROR_INVALID_VALUE   graph_out is NULL, a flag is unknown, a reserved member is not 0, a struct_size is
///                                        not valid, or the edges of the graph form a cycle
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED   the graph has allocations or conditions and cannot be copied
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY   there is not enough memory
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED   the call was made inside a host function
#[no_mangle]
pub unsafe extern "C" fn gc_graph_optimize(
    graph: *const gc_graph,
    options: *const gc_optimize_options,
    graph_out: *mut *mut gc_graph,
    report_out: *mut gc_optimize_report,
) -> gc_status {
    // SAFETY: C promises that `graph_out` is NULL or writable.
    let out = unsafe { Out::handle(graph_out, "graph_out") };
    // SAFETY: C promises that `report_out` is NULL, or has as many writable bytes as its struct_size states.
    let report_out = (!report_out.is_null()).then(|| unsafe { StructOut::new(report_out, "report_out") });
    guard("gc_graph_optimize", [Token::of(graph)], || {
        let graph = handle::clone(graph, "graph")?;
        // SAFETY: C promises that `options` is NULL or points to as many bytes as its struct_size states.
        let options = unsafe { read(options) }?;
        let (out, report_out) = (out.required()?, report_out.map(StructOut::required).transpose()?);
        let (optimized, report) = optimize(&graph, &options)?;
        out.write(handle::insert(optimized)?);
        if let Some(report_out) = report_out {
            report_out.write(of_report(&report));
        }
        Ok(())
    })
}

/// Writes what gc_graph_optimize() makes of a graph, as text for people: what was recorded, what the result has, and a line
/// for each node that keeps its place, with the reason.
///
/// @param[in]  graph     the graph, as gc_graph_optimize() takes it
/// @param[in]  options   NULL for the defaults
/// @param[out] text      where to write; the text ends with a NUL. May be NULL when capacity is 0
/// @param[in]  capacity  bytes at text; 0 asks only for the size
/// @param[out] needed    the size of the whole text in bytes with its NUL; may be NULL
/// @retval GRAPHCAP_SUCCESS                 the whole text was written, or capacity is 0
/// @retval GRAPHCAP_ERROR_BUFFER_TOO_SMALL  the text was cut to fit
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE    graph is not a live graph
/// @retval GRAPHCAP_ERROR_INVALID_VALUE     text is NULL and capacity is not 0, or capacity is 0 and needed is NULL; or as
///                                          gc_graph_optimize() has it
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED     the graph has allocations or conditions and cannot be copied
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY     there is not enough memory
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED     the call was made inside a host function
#[no_mangle]
pub unsafe extern "C" fn gc_graph_optimize_text(
    graph: *const gc_graph,
    options: *const gc_optimize_options,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `text` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let out = unsafe { TextOut::new(text, capacity, needed) };
    guard("gc_graph_optimize_text", [Token::of(graph)], || {
        let graph = handle::clone(graph, "graph")?;
        // SAFETY: C promises that `options` is NULL or points to as many bytes as its struct_size states.
        let options = unsafe { read(options) }?;
        let (_, report) = optimize(&graph, &options)?;
        out.write(&report.text(&graph)?)
    })
}

/// Reads and checks the options.
///
/// # Safety
/// `options` is NULL or points to as many readable bytes as its struct_size states.
unsafe fn read(options: *const gc_optimize_options) -> Result<OptimizeOptions> {
    // SAFETY: passed on to the caller.
    let options = unsafe { options::read_or_default(options, "options") }?;
    let known = GRAPHCAP_OPTIMIZE_SHAPE_ONLY | GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS;
    check_flags(options.flags, known, "options.flags", "0 or GRAPHCAP_OPTIMIZE_ flags")?;
    check_flags(options.reserved, 0, "options.reserved", "0")?;
    Ok(OptimizeOptions {
        shape_only: options.flags & GRAPHCAP_OPTIMIZE_SHAPE_ONLY != 0,
        trusts_parameters: options.flags & GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS != 0,
        lanes: options.lanes as usize,
    })
}

fn of_report(report: &OptimizeReport) -> gc_optimize_report {
    gc_optimize_report {
        struct_size: size_of::<gc_optimize_report>() as u32,
        edges: match report.chosen {
            Candidate::AsRecorded => GRAPHCAP_OPTIMIZE_EDGES_RECORDED,
            Candidate::Lanes => GRAPHCAP_OPTIMIZE_EDGES_LANES,
        },
        lanes: report.lanes as u32,
        reserved: 0,
        node_count: report.nodes as u64,
        added_node_count: report.added_nodes as u64,
        edges_before: report.edges.0 as u64,
        edges_after: report.edges.1 as u64,
        path_before: report.longest_path.0 as u64,
        path_after: report.longest_path.1 as u64,
        barrier_count: report.barriers.len() as u64,
    }
}
