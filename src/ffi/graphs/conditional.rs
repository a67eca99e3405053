//! Conditional nodes: bodies that run depending on a value.

use super::graph::gc_node;
use super::node_get::not_of_kind;
use crate::ffi::boundary::{
    answer_clone, check_flags, gc_graph, gc_status, guard, one_of, Out, Result, StructOut, Versioned,
};
use graphcap_core::NodeParams;
use graphcap_driver::{ConditionId, ConditionalKind, NodeId};

/// A number that names a condition: a value of 32 bits that decides about the bodies of one conditional node. A
/// condition need not be destroyed; it goes with its graph. Kernels that set it take the number as an argument.
pub type gc_condition = u64;

/// gc_graph_create_condition(): each launch of the outermost graph begins with the default value, not with 0.
pub const GRAPHCAP_CONDITION_ASSIGN_DEFAULT: u32 = 1;

/// gc_graph_add_conditional_node(): the first body runs once unless the value is 0; the second body, if there is one,
/// runs if it is 0.
pub const GRAPHCAP_CONDITIONAL_IF: u32 = 0;
/// gc_graph_add_conditional_node(): the body runs again and again as long as the value is not 0.
pub const GRAPHCAP_CONDITIONAL_WHILE: u32 = 1;
/// gc_graph_add_conditional_node(): the body runs of which the value is the index; no body if there is none.
pub const GRAPHCAP_CONDITIONAL_SWITCH: u32 = 2;

/// Description of what decides about the bodies of a conditional node. Start from GRAPHCAP_CONDITIONAL_NODE_PARAMS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_conditional_node_params {
    /// sizeof(gc_conditional_node_params).
    pub struct_size: u32,
    /// One of the GRAPHCAP_CONDITIONAL_ numbers.
    pub kind: u32,
    /// The condition.
    pub condition: gc_condition,
    /// The number of bodies. gc_node_get_graph() returns each.
    pub body_count: u32,
    /// 0.
    pub reserved: u32,
}
// SAFETY: repr(C), starts with its size, and holds integers only.
unsafe impl Versioned for gc_conditional_node_params {}

/// Makes a condition for a conditional node of a graph.
///
/// Kernels set the value while the graph runs: on a GPU by graphcap_set_condition() of graphcap/device.cuh, which is
/// cudaGraphSetConditional(); on the host device by gc_host_set_conditional(). gc_graph_add_set_condition_node() sets it
/// from device memory. Each launch of the outermost graph begins with the default value, or, without
/// GRAPHCAP_CONDITION_ASSIGN_DEFAULT, with 0. No value stays from one launch to the next.
///
/// @param[in]  graph          the graph
/// @param[in]  default_value  the value that a launch begins with; 0 without the flag
/// @param[in]  flags          0 or GRAPHCAP_CONDITION_ASSIGN_DEFAULT
/// @param[out] condition_out  the new condition; 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  a flag is unknown, or default_value is not 0 without the flag
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  the driver is for a version of CUDA before 12.3
#[no_mangle]
pub unsafe extern "C" fn gc_graph_create_condition(
    graph: *const gc_graph,
    default_value: u32,
    flags: u32,
    condition_out: *mut gc_condition,
) -> gc_status {
    // SAFETY: C promises that `condition_out` is NULL or writable.
    let out = unsafe { Out::number(condition_out, "condition_out") };
    answer_clone("gc_graph_create_condition", (graph, "graph"), out, |graph| {
        let known = "0 or GRAPHCAP_CONDITION_ASSIGN_DEFAULT";
        check_flags(flags, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, "flags", known)?;
        if flags == 0 {
            check_flags(default_value, 0, "default_value", "0 without GRAPHCAP_CONDITION_ASSIGN_DEFAULT")?;
        }
        Ok(graph.create_condition(default_value)?.0)
    })
}

/// Sets the value of a condition, from a host kernel or a host function of the graph that has the condition, while that
/// graph runs on a host device. The body whose conditional node comes later in the graph is decided by the last value.
///
/// @param[in] condition  the condition
/// @param[in] value      the value
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE   condition is none of a graph on a host device that lives
/// @retval GRAPHCAP_ERROR_ILLEGAL_ADDRESS  the graph of the condition does not run. If work of a device made the call,
///                                         the context of the graph has faulted
#[no_mangle]
pub unsafe extern "C" fn gc_host_set_conditional(condition: gc_condition, value: u32) -> gc_status {
    guard("gc_host_set_conditional", [], || Ok(graphcap_host::set_condition(ConditionId(condition), value)?))
}

/// Returns what decides about the bodies of a conditional node, and how many bodies it has.
///
/// @param[in]  graph       the graph
/// @param[in]  node        one of its nodes, a conditional node
/// @param[out] params_out  the struct to fill
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  the node was not added through graphcap: the driver tells nothing of such a
///     node
#[no_mangle]
pub unsafe extern "C" fn gc_node_get_conditional_params(
    graph: *const gc_graph,
    node: gc_node,
    params_out: *mut gc_conditional_node_params,
) -> gc_status {
    // SAFETY: C promises that `params_out` is NULL or has as many writable bytes as its struct_size states.
    let out = unsafe { StructOut::new(params_out, "params_out") };
    answer_clone("gc_node_get_conditional_params", (graph, "graph"), out, |graph| {
        let NodeParams::Conditional(conditional) = graph.node_params(NodeId(node))? else {
            return Err(not_of_kind(&graph, node, "a conditional node"));
        };
        Ok(gc_conditional_node_params {
            struct_size: 0,
            kind: conditional.kind as u32,
            condition: conditional.condition.0,
            body_count: conditional.bodies,
            reserved: 0,
        })
    })
}

/// The kind that C means by a number.
pub(crate) fn kind_of(kind: u32) -> Result<ConditionalKind> {
    let kinds = [
        (GRAPHCAP_CONDITIONAL_IF, ConditionalKind::If),
        (GRAPHCAP_CONDITIONAL_WHILE, ConditionalKind::While),
        (GRAPHCAP_CONDITIONAL_SWITCH, ConditionalKind::Switch),
    ];
    one_of(kinds, kind, "work.conditional_kind", "one of the GRAPHCAP_CONDITIONAL_ numbers")
}
