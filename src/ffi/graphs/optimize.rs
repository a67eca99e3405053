//! Graphs that run at once what need not run one after another.

use std::ffi::c_char;
use std::ptr::null_mut;
use std::time::Duration;

use crate::ffi::boundary::{
    check_flags, gc_graph, gc_plan, gc_status, handle, optimising_guard as guard, options, Failure, Out, OutputSlot,
    Result, StructOut, StructPlace, TextOut, Token, Versioned,
};
use crate::ffi::graphs::kernel_statement::{gc_kernel_statement, statements};
use crate::ffi::graphs::verify::permits;
use graphcap_base::error::Error;
use graphcap_core::Graph;
use graphcap_kit::{optimize, MeasureOptions, Measured, OptimizeOptions, OptimizeReport, TrialOptions};

/// gc_optimize_options::flags: keep the edges, and change the shape alone.
pub const GRAPHCAP_OPTIMIZE_SHAPE_ONLY: u32 = 1;
/// gc_optimize_options::flags: a kernel of which nothing is stated writes the buffers and other allocations that its
/// arguments point into, and touches nothing else.
pub const GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS: u32 = 2;
/// gc_optimize_options::flags: candidates are replayed and timed, and the result is the fastest, when replays are launched one
/// behind another. Graphs within nodes stay as they were recorded then. With GRAPHCAP_OPTIMIZE_IN_PLACE
/// nothing is measured.
pub const GRAPHCAP_OPTIMIZE_MEASURE: u32 = 4;
/// gc_optimize_options::flags: as GRAPHCAP_OPTIMIZE_MEASURE, and the result is the fastest when each replay is waited for
/// before the next one is launched.
pub const GRAPHCAP_OPTIMIZE_MEASURE_SINGLE: u32 = 8;
/// gc_optimize_options::flags: nobody looks at what kernels write while a replay runs. Kernels of which it is stated that they
/// write host memory, managed memory or memory of another device are then ordered as those that write device memory.
pub const GRAPHCAP_OPTIMIZE_UNOBSERVED: u32 = 16;
/// gc_optimize_options::flags: as GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS, and the nodes are run one by one, each with what
/// is in memory and with zeros behind each address in its arguments: memory behind an address that no node of the
/// kernel changed counts as read. It is a promise that other contents change nothing there either, and that zeros do no
/// harm. Limits and memory are as with GRAPHCAP_OPTIMIZE_MEASURE.
pub const GRAPHCAP_OPTIMIZE_OBSERVE: u32 = 32;
/// gc_optimize_report::candidates: how many there can be.
pub const GRAPHCAP_OPTIMIZE_CANDIDATES: usize = 8;
/// gc_optimize_options::flags and gc_plan_apply(): change the graph itself, which then need not be one that can be cloned.
/// graph_out has to be NULL. No other call may use the graph meanwhile, and no capture may go into it.
pub const GRAPHCAP_OPTIMIZE_IN_PLACE: u32 = 512;

/// gc_optimize_options::lanes: the most that there can be.
pub const GRAPHCAP_OPTIMIZE_MAX_LANES: u32 = 256;
#[allow(clippy::disallowed_macros, reason = "checked by the compiler")]
const _: () = assert!(GRAPHCAP_OPTIMIZE_MAX_LANES as usize == OptimizeOptions::MOST_LANES);

/// Options of gc_graph_optimize(). Start from GRAPHCAP_OPTIMIZE_OPTIONS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_optimize_options {
    /// sizeof(gc_optimize_options).
    pub struct_size: u32,
    /// 0 or GRAPHCAP_OPTIMIZE_ flags.
    pub flags: u32,
    /// At most so many nodes run at once, up to GRAPHCAP_OPTIMIZE_MAX_LANES; 0 for 128, which is as many kernels as a GPU
    /// runs at once.
    pub lanes: u32,
    /// Permissions for replays when candidates are measured: 0 or GRAPHCAP_PERMIT_ flags.
    pub permits: u32,
    /// Bytes of device memory that may be used for what the graph writes when candidates are measured; 0 for 1 GiB.
    pub max_bytes: u64,
    /// Statements about kernels; the first one that is of an address counts. A kernel of which nothing else is stated
    /// keeps its place unless one of them says that it writes something. May be NULL.
    pub statements: *const gc_kernel_statement,
    /// Number of statements.
    pub statement_count: u64,
}
// SAFETY: repr(C), starts with its size, and all its members may be zero.
unsafe impl Versioned for gc_optimize_options {}

/// Edges of an optimized graph: one of the GRAPHCAP_OPTIMIZE_EDGES_ numbers.
pub type gc_optimize_edges = i32;

/// Those that were recorded: the options say so, or other edges would leave no shorter path.
pub const GRAPHCAP_OPTIMIZE_EDGES_RECORDED: gc_optimize_edges = 0;
/// Those that the work needs, on lanes.
pub const GRAPHCAP_OPTIMIZE_EDGES_LANES: gc_optimize_edges = 1;
/// Those that the work needs, and no others; where this was measured to be the fastest.
pub const GRAPHCAP_OPTIMIZE_EDGES_NEEDED: gc_optimize_edges = 2;

/// A graph that gc_graph_optimize() measured.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_optimize_candidate {
    /// Its edges: one of the GRAPHCAP_OPTIMIZE_EDGES_ numbers.
    pub edges: gc_optimize_edges,
    /// Number of lanes that its nodes are on; 0 with the recorded edges.
    pub lanes: u32,
    /// Number of nodes that it has besides those recorded.
    pub added_node_count: u64,
    /// Nanoseconds per replay when replays are launched one behind another.
    pub pipelined_ns: u64,
    /// Nanoseconds per replay when each is waited for before the next one is launched.
    pub single_ns: u64,
    /// Nanoseconds that a launch takes the CPU.
    pub launch_ns: u64,
}

/// Report of gc_graph_optimize(). Start from GRAPHCAP_OPTIMIZE_REPORT_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_optimize_report {
    /// sizeof(gc_optimize_report). Set it before the call.
    pub struct_size: u32,
    /// One of the GRAPHCAP_OPTIMIZE_EDGES_ numbers.
    pub edges: gc_optimize_edges,
    /// Number of lanes that the nodes are on; 0 with the recorded edges.
    pub lanes: u32,
    /// Number of candidates measured; 0 if the options do not say so, and if it must not be (gc_graph_optimize_text()
    /// tells why).
    pub candidate_count: u32,
    /// Number of nodes of the recorded graph.
    pub node_count: u64,
    /// Number of nodes that the result has besides: kernels that do nothing, before all and behind all.
    pub added_node_count: u64,
    /// Number of edges of the recorded graph.
    pub edges_before: u64,
    /// Number of edges of the result.
    pub edges_after: u64,
    /// Number of nodes on the longest path of the recorded graph.
    pub path_before: u64,
    /// Number of nodes on the longest path of the result. Nodes that were added do not count.
    pub path_after: u64,
    /// Number of nodes that keep their place: all that was recorded before such a node stays before it, and all that was recorded
    /// behind it stays behind. gc_graph_optimize_text() tells which and why.
    pub barrier_count: u64,
    /// Index of the candidate that the result is.
    pub chosen_candidate: u32,
    /// 0.
    pub reserved: u32,
    /// The candidates; the first one is the graph as it was recorded.
    pub candidates: [gc_optimize_candidate; GRAPHCAP_OPTIMIZE_CANDIDATES],
    /// Number of graphs that the nodes of the graph have, also those within these: graphs of child nodes, bodies of conditionals.
    pub inner_graph_count: u64,
    /// Number of them that have other edges now.
    pub inner_changed_count: u64,
    /// Number of addresses in arguments, by kernel, that count as read by GRAPHCAP_OPTIMIZE_OBSERVE.
    pub observed_count: u64,
}
// SAFETY: repr(C), starts with its size, and holds integers.
unsafe impl Versioned for gc_optimize_report {}

/// Makes a graph that does what a graph does, and runs at once what need not run one after another. The graph itself is
/// not changed, and may be used meanwhile: the result has what was there at one time. docs/optimize.md has all rules.
///
/// Two nodes stay in the recorded order if one writes bytes that the other one reads or writes, or if a path of such
/// nodes leads from one to the other. The others are laid out on lanes, each of which runs one node at a time. A
/// cooperative launch runs beside nothing. A graph with an edge that carries something keeps its edges, and so does one
/// of more than 4,096 nodes if a node of it may wait for what another one does. If the edges that the work needs leave
/// no shorter path, the result has the recorded edges.
///
/// What copies and memsets touch is known, and orders them, in host memory as well: the CPU may see them in another
/// order while a replay runs. What a kernel touches is known if gc_kernel_set_accesses() said it, or if the launch did
/// by gc_kernel_arg::access of each of its buffers, one of which is written; the statement of the launch goes first.
/// Memory that graphcap did not allocate counts as memory of the device. All other nodes keep their place: kernels of
/// which nothing is stated, kernels that may write host memory, managed memory or memory of another device, kernels
/// that run beside nothing, host functions, events, value operations, allocations, child graphs and conditionals, whose
/// graphs are optimized inside. gc_optimize_options::statements and flags free some of these.
/// GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS is right only for kernels that follow no pointer in memory, and use no variable
/// of their module, no texture or surface object and no heap of the device.
///
/// On a CUDA device a graph of several roots or leaves gets one kernel that does nothing before all, and one behind
/// all, as it would be replayed slowly otherwise. GRAPHCAP_OPTIMIZE_SHAPE_ONLY does this alone, on any graph that can
/// be cloned.
///
/// All this is an estimate. With GRAPHCAP_OPTIMIZE_MEASURE or GRAPHCAP_OPTIMIZE_MEASURE_SINGLE up to eight candidates
/// are replayed on a stream of their own, and the result is the fastest. What the nodes write is saved, and restored
/// before each replay and at the end, also when the call fails, unless a node failed. That memory must live, work that
/// uses it must be complete, and nothing else may use it meanwhile. Nothing is measured where it is not known what a
/// node writes, where that is more than max_bytes, and where a node does what permits do not say.
///
/// The result is a copy as gc_graph_clone() makes it: gc_node_find_in_clone() finds its nodes. Graphs of the same nodes
/// and edges, whose nodes conflict alike, come out alike, and update each other's execs. A plan makes later graphs come out
/// alike whose conflicts differ.
///
/// GRAPHCAP_OPTIMIZE_IN_PLACE changes the graph itself: one with allocations or conditions, or one within a node.
///
/// @param[in]     graph       the graph; if a capture is going into it, a new graph has what was recorded so far
/// @param[in]     options     NULL for the defaults
/// @param[out]    graph_out   the new graph, owned by the caller until gc_graph_destroy(); NULL on failure. Has to be NULL
///                            with GRAPHCAP_OPTIMIZE_IN_PLACE, and only then may be
/// @param[out]    plan_out    a plan of what was made, owned by the caller until gc_plan_destroy(); NULL on failure; may be
///                            NULL
/// @param[in,out] report_out  in: struct_size; out: what was made; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  the edges of the graph form a cycle
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE  GRAPHCAP_OPTIMIZE_IN_PLACE is given while a capture goes into the graph, or
///                                       into one within it; nothing was changed
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  the graph has allocations or conditions, or on a CUDA device nodes that
///                                       kernels can change, and cannot be copied, or the device cannot change its
///                                       edges
/// @return the status of a fault when a node failed while it was measured; the memory cannot be restored then
#[no_mangle]
pub unsafe extern "C" fn gc_graph_optimize(
    graph: *const gc_graph,
    options: *const gc_optimize_options,
    graph_out: *mut *mut gc_graph,
    plan_out: *mut *mut gc_plan,
    report_out: *mut gc_optimize_report,
) -> gc_status {
    // SAFETY: C promises that `graph_out` and `plan_out` are NULL or writable.
    let (out, plan) = unsafe { (Out::handle(graph_out, "graph_out"), Out::handle(plan_out, "plan_out")) };
    // SAFETY: C promises that `report_out` is NULL, or has as many writable bytes as its struct_size states.
    let report_out = (!report_out.is_null()).then(|| unsafe { StructOut::new(report_out, "report_out") });
    guard("gc_graph_optimize", [Token::of(graph)], || {
        let graph = handle::clone(graph, "graph")?;
        // SAFETY: C promises that `options` is NULL or points to as many bytes as its struct_size states.
        let options = unsafe { read(options) }?;
        let outputs = Outputs::new((out, graph_out.is_null()), plan.optional(), report_out, options.in_place)?;
        let (optimized, report) = optimize(&graph, &options)?;
        outputs.write(optimized, &report)
    })
}

/// Writes what gc_graph_optimize() makes of a graph, as text for people of at most 40 lines: the gain; what was recorded and what the
/// result has; each candidate with its times, which this call measures anew if the options say so; and why it is not more: nodes that
/// keep their place, and nodes of the longest path that stay behind others, in groups by kernel and reason.
///
/// @param[in]  graph     the graph, as gc_graph_optimize() takes it
/// @param[in]  options   NULL for the defaults
/// @param[out] text      where to write; the text ends with a NUL. May be NULL when capacity is 0
/// @param[in]  capacity  bytes at text; 0 asks only for the size
/// @param[out] needed    the size of the whole text in bytes with its NUL; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  as gc_graph_optimize() has it
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  the graph has allocations or conditions and cannot be copied
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
        let options = unsafe { read_changing_none(options) }?;
        let (_, report) = optimize(&graph, &options)?;
        out.write(&report.text(&graph, &options)?)
    })
}

/// Outputs of an optimization.
pub(super) struct Outputs {
    graph: Option<OutputSlot<*mut gc_graph>>,
    plan: Option<OutputSlot<*mut gc_plan>>,
    report: Option<StructPlace<gc_optimize_report>>,
}

impl Outputs {
    /// `is_null` tells whether C passed NULL for the graph.
    pub(super) fn new(
        (graph, is_null): (Out<*mut gc_graph>, bool),
        plan: Option<OutputSlot<*mut gc_plan>>,
        report: Option<StructOut<gc_optimize_report>>,
        in_place: bool,
    ) -> Result<Outputs> {
        let graph = match (in_place, is_null) {
            (true, true) => None,
            (true, false) => {
                let why = "graph_out is not NULL; pass NULL, since GRAPHCAP_OPTIMIZE_IN_PLACE changes the graph itself";
                return Err(Error::invalid_value(why).into());
            }
            (false, _) => Some(graph.required()?),
        };
        Ok(Outputs { graph, plan, report: report.map(StructOut::required).transpose()? })
    }

    pub(super) fn write(self, graph: Graph, report: &OptimizeReport) -> Result<()> {
        let plan = match (&self.plan, &report.plan) {
            (None, _) => None,
            (Some(_), Some(plan)) => Some(handle::insert(plan.clone())?),
            (Some(_), None) => return Err(Error::invalid_value("no plan was made").into()),
        };
        if let Some(place) = self.graph {
            let inserted = handle::insert(graph).inspect_err(|_| {
                // Nobody gets to know of it.
                let _ = handle::destroy(plan.unwrap_or(null_mut()), "plan");
            });
            place.write(inserted?);
        }
        if let (Some(place), Some(plan)) = (self.plan, plan) {
            place.write(plan);
        }
        if let Some(place) = self.report {
            place.write(of_report(report));
        }
        Ok(())
    }
}

/// Reads and checks the options.
///
/// # Safety
/// `options` is NULL or points to as many readable bytes as its struct_size states.
unsafe fn read(options: *const gc_optimize_options) -> Result<OptimizeOptions> {
    // SAFETY: passed on to the caller.
    let options = unsafe { options::read_or_default(options, "options") }?;
    let measuring = GRAPHCAP_OPTIMIZE_MEASURE | GRAPHCAP_OPTIMIZE_MEASURE_SINGLE;
    let known = GRAPHCAP_OPTIMIZE_SHAPE_ONLY
        | GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS
        | GRAPHCAP_OPTIMIZE_UNOBSERVED
        | GRAPHCAP_OPTIMIZE_OBSERVE
        | GRAPHCAP_OPTIMIZE_IN_PLACE
        | measuring;
    check_flags(options.flags, known, "options.flags", "0 or GRAPHCAP_OPTIMIZE_ flags")?;
    let trial = TrialOptions { permits: permits(options.permits)?, bytes: options.max_bytes };
    let measures = MeasureOptions { single: options.flags & GRAPHCAP_OPTIMIZE_MEASURE_SINGLE != 0, trial };
    // SAFETY: passed on to the caller.
    let statements = unsafe { statements(options.statements, options.statement_count, "options.statements") }?;
    Ok(OptimizeOptions {
        shape_only: options.flags & GRAPHCAP_OPTIMIZE_SHAPE_ONLY != 0,
        trusts_parameters: options.flags & GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS != 0,
        unobserved: options.flags & GRAPHCAP_OPTIMIZE_UNOBSERVED != 0,
        observes: (options.flags & GRAPHCAP_OPTIMIZE_OBSERVE != 0).then_some(trial),
        statements,
        lanes: options.lanes as usize,
        measures: (options.flags & measuring != 0).then_some(measures),
        in_place: options.flags & GRAPHCAP_OPTIMIZE_IN_PLACE != 0,
    })
}

/// As [`read`], for a function that changes no graph.
///
/// # Safety
/// As for [`read`].
pub(super) unsafe fn read_changing_none(options: *const gc_optimize_options) -> Result<OptimizeOptions> {
    // SAFETY: passed on to the caller.
    let options = unsafe { read(options) }?;
    match options.in_place {
        false => Ok(options),
        true => Err(Failure::Unknown {
            argument: "options.flags",
            number: GRAPHCAP_OPTIMIZE_IN_PLACE.into(),
            known: "flags without GRAPHCAP_OPTIMIZE_IN_PLACE, since this changes no graph",
        }),
    }
}

fn of_measured(measured: &Measured) -> gc_optimize_candidate {
    let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    gc_optimize_candidate {
        edges: measured.edges as gc_optimize_edges,
        lanes: measured.lanes as u32,
        added_node_count: measured.added_nodes as u64,
        pipelined_ns: nanoseconds(measured.timing.pipelined),
        single_ns: nanoseconds(measured.timing.single),
        launch_ns: nanoseconds(measured.timing.launch),
    }
}

fn of_report(report: &OptimizeReport) -> gc_optimize_report {
    let none = gc_optimize_candidate {
        edges: GRAPHCAP_OPTIMIZE_EDGES_RECORDED,
        lanes: 0,
        added_node_count: 0,
        pipelined_ns: 0,
        single_ns: 0,
        launch_ns: 0,
    };
    let mut candidates = [none; GRAPHCAP_OPTIMIZE_CANDIDATES];
    candidates.iter_mut().zip(&report.measured).for_each(|(place, measured)| *place = of_measured(measured));
    gc_optimize_report {
        struct_size: size_of::<gc_optimize_report>() as u32,
        edges: report.chosen as gc_optimize_edges,
        lanes: report.lanes as u32,
        candidate_count: report.measured.len().min(GRAPHCAP_OPTIMIZE_CANDIDATES) as u32,
        node_count: report.nodes as u64,
        added_node_count: report.added_nodes as u64,
        edges_before: report.edges.0 as u64,
        edges_after: report.edges.1 as u64,
        path_before: report.longest_path.0 as u64,
        path_after: report.longest_path.1 as u64,
        barrier_count: report.barriers.len() as u64,
        chosen_candidate: report.chosen_measured as u32,
        reserved: 0,
        candidates,
        inner_graph_count: report.inner.0 as u64,
        inner_changed_count: report.inner.1 as u64,
        observed_count: report.observed_count() as u64,
    }
}
