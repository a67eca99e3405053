//! Plans: what was made of a graph, to be made of later graphs that are recorded alike.

use super::optimize::{gc_optimize_report, Outputs, GRAPHCAP_OPTIMIZE_IN_PLACE};
use crate::ffi::boundary::{
    check_flags, gc_graph, gc_plan, gc_status, guard, handle, optimising_guard, Out, StructOut, Token,
};

/// Makes of a graph what gc_graph_optimize() made of the graph that the plan is of: the same nodes and edges in the same order,
/// so that graph execs of both update each other. The graph has to have the nodes and the recorded edges of that one; what its
/// nodes do may differ. It is checked that all nodes that have to stay in the recorded order do, in time that grows with the
/// numbers of nodes, edges and lanes. Nothing is measured.
///
/// @param[in]     plan        the plan
/// @param[in]     graph       the graph, of the context of the plan; as gc_graph_optimize() takes it
/// @param[in]     flags       0 or GRAPHCAP_OPTIMIZE_IN_PLACE
/// @param[out]    graph_out   the new graph, owned by the caller until gc_graph_destroy(); NULL on failure. Has to be NULL
///                            with GRAPHCAP_OPTIMIZE_IN_PLACE, and only then may be
/// @param[in,out] report_out  in: struct_size; out: what was made; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE              the plan is of a graph of other nodes or edges
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE              GRAPHCAP_OPTIMIZE_IN_PLACE is given while a capture goes into the
///                                                   graph, or into one within it; nothing was changed
/// @retval GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE  two nodes have to stay in order that the plan runs side by side;
///                                                   the message names them and what they conflict in
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT            the graph is of another context than the plan
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED              the graph has allocations or conditions and cannot be copied, or
///                                                   the device cannot change its edges
#[no_mangle]
pub unsafe extern "C" fn gc_plan_apply(
    plan: *const gc_plan,
    graph: *const gc_graph,
    flags: u32,
    graph_out: *mut *mut gc_graph,
    report_out: *mut gc_optimize_report,
) -> gc_status {
    // SAFETY: C promises that `graph_out` is NULL or writable.
    let out = unsafe { Out::handle(graph_out, "graph_out") };
    // SAFETY: C promises that `report_out` is NULL, or has as many writable bytes as its struct_size states.
    let report_out = (!report_out.is_null()).then(|| unsafe { StructOut::new(report_out, "report_out") });
    optimising_guard("gc_plan_apply", [Token::of(plan), Token::of(graph)], || {
        let plan = handle::clone(plan, "plan")?;
        let graph = handle::clone(graph, "graph")?;
        check_flags(flags, GRAPHCAP_OPTIMIZE_IN_PLACE, "flags", "0 or GRAPHCAP_OPTIMIZE_IN_PLACE")?;
        let in_place = flags & GRAPHCAP_OPTIMIZE_IN_PLACE != 0;
        let outputs = Outputs::new((out, graph_out.is_null()), None, report_out, in_place)?;
        let (optimized, report) = plan.apply(&graph, in_place)?;
        outputs.write(optimized, &report)
    })
}

/// Destroys a plan. Graphs that were made by it go on.
///
/// @param[in] plan  NULL has no effect
#[no_mangle]
pub unsafe extern "C" fn gc_plan_destroy(plan: *mut gc_plan) -> gc_status {
    guard("gc_plan_destroy", [], || handle::destroy(plan, "plan"))
}
