//! Conditional nodes: bodies that run depending on a value.

use super::graph::gc_node;
use super::node;
use super::node_get::not_of_kind;
use crate::core::{NodeParams, NodeWork};
use crate::driver::{ConditionId, Conditional, ConditionalKind, NodeId};
use crate::ffi::boundary::failure::{Failure, Result};
use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::handle::{self, Token};
use crate::ffi::boundary::handle_types::{gc_buffer, gc_graph, gc_scalar};
use crate::ffi::boundary::options::{check_flags, Versioned};
use crate::ffi::boundary::output::{Out, StructOut};
use crate::ffi::boundary::status::gc_status;

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

/// What decides about the bodies of a conditional node, and how. Start from GRAPHCAP_CONDITIONAL_NODE_PARAMS_INIT.
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
    guard("gc_graph_create_condition", [Token::of(graph)], || {
        let graph = handle::clone(graph, "graph")?;
        let out = out.required()?;
        let known = "0 or GRAPHCAP_CONDITION_ASSIGN_DEFAULT";
        check_flags(flags, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, "flags", known)?;
        if flags == 0 {
            check_flags(default_value, 0, "default_value", "0 without GRAPHCAP_CONDITION_ASSIGN_DEFAULT")?;
        }
        out.write(graph.create_condition(default_value)?.0);
        Ok(())
    })
}

/// Adds a conditional node to a graph. Its bodies are graphs without nodes at first; gc_node_get_graph() gives them.
///
/// A body can have kernel, copy, memset, empty, child and conditional nodes. A GPU takes 3 to 7 microseconds for each
/// decision, so a condition pays where it skips more work than that.
///
/// @param[in]  graph             the graph
/// @param[in]  dependencies      the nodes that the new node waits for; may be NULL when dependency_count is 0
/// @param[in]  dependency_count  the number of dependencies
/// @param[in]  condition         a condition of the graph, or of the outermost graph of a body, that no node has yet
/// @param[in]  kind              one of the GRAPHCAP_CONDITIONAL_ numbers, which are those of CUgraphConditionalNodeType
/// @param[in]  body_count        1 or 2 for GRAPHCAP_CONDITIONAL_IF, 1 for GRAPHCAP_CONDITIONAL_WHILE, at least 1 for
///                               GRAPHCAP_CONDITIONAL_SWITCH
/// @param[out] node_out          the new node; 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  a dependency is no node of the graph or is listed twice, condition is none of
///                                       the graph or has a node, kind is unknown, or a node of that kind cannot have
///                                       so many bodies
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  the driver is for a version of CUDA before 12.3, or before 12.8 for a second
///                                       body and for GRAPHCAP_CONDITIONAL_SWITCH
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY  there is not enough memory; on the host device also for more than 1048576
///                                       bodies
#[no_mangle]
pub unsafe extern "C" fn gc_graph_add_conditional_node(
    graph: *const gc_graph,
    dependencies: *const gc_node,
    dependency_count: usize,
    condition: gc_condition,
    kind: u32,
    body_count: u32,
    node_out: *mut gc_node,
) -> gc_status {
    // SAFETY: C promises that `node_out` is NULL or writable.
    let out = unsafe { Out::number(node_out, "node_out") };
    guard("gc_graph_add_conditional_node", [Token::of(graph)], || {
        let graph = handle::clone(graph, "graph")?;
        let out = out.required()?;
        // SAFETY: C promises `dependency_count` nodes, not changed during the call.
        let dependencies = unsafe { node::nodes(dependencies, dependency_count, "dependencies") }?;
        let conditional = Conditional { condition: ConditionId(condition), kind: kind_of(kind)?, bodies: body_count };
        let NodeId(node) = graph.add_node(&dependencies, &NodeWork::Conditional(conditional))?;
        out.write(node);
        Ok(())
    })
}

/// Adds a node that sets a condition to a value in device memory: to the 4 bytes at an offset of a buffer, as they are when
/// the node runs. So any kernel, copy or memset decides about a conditional, without a call of its own.
///
/// The node launches a kernel of graphcap's own with one thread, of a module that the context loads when it is first
/// needed. The conditional node must depend on it; the decision of a GPU takes 3 to 7 microseconds, a turn of a loop 4.5.
/// A while is decided anew by a node of this kind at the end of its body.
///
/// @param[in]  graph             the graph, or a body of one of its conditional nodes
/// @param[in]  dependencies      the nodes that the new node waits for; may be NULL when dependency_count is 0
/// @param[in]  dependency_count  the number of dependencies
/// @param[in]  condition         a condition of the graph, or of the outermost graph of a body
/// @param[in]  buffer            the buffer with the value, of a context on a device of the kind of the graph; the graph
///                               keeps it alive
/// @param[in]  offset            the first byte of the value; its address must be a multiple of 4
/// @param[out] node_out          the new node; 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    a dependency is no node of the graph or is listed twice, condition is none
///                                         of the graph, the value does not lie within the buffer, or its address is
///                                         not a multiple of 4
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the buffer belongs to a device of another kind
#[no_mangle]
pub unsafe extern "C" fn gc_graph_add_set_condition_node(
    graph: *const gc_graph,
    dependencies: *const gc_node,
    dependency_count: usize,
    condition: gc_condition,
    buffer: *const gc_buffer,
    offset: usize,
    node_out: *mut gc_node,
) -> gc_status {
    // SAFETY: C promises that `node_out` is NULL or writable.
    let out = unsafe { Out::number(node_out, "node_out") };
    guard("gc_graph_add_set_condition_node", [Token::of(graph), Token::of(buffer)], || {
        let graph = handle::clone(graph, "graph")?;
        let buffer = handle::clone(buffer, "buffer")?;
        let out = out.required()?;
        // SAFETY: C promises `dependency_count` nodes, not changed during the call.
        let dependencies = unsafe { node::nodes(dependencies, dependency_count, "dependencies") }?;
        out.write(graph.add_condition_setter(&dependencies, ConditionId(condition), &buffer, offset)?.0);
        Ok(())
    })
}

/// Adds a node that sets a condition to the value of a scalar, as it is when the node runs: gc_scalar_update() between two
/// replays decides about the conditional of the later one. See gc_graph_add_set_condition_node() for all else.
///
/// @param[in]  graph             the graph, or a body of one of its conditional nodes
/// @param[in]  dependencies      the nodes that the new node waits for; may be NULL when dependency_count is 0
/// @param[in]  dependency_count  the number of dependencies
/// @param[in]  condition         a condition of the graph, or of the outermost graph of a body
/// @param[in]  scalar            the scalar, of type GRAPHCAP_SCALAR_U32 or GRAPHCAP_SCALAR_I32; the graph keeps it alive
/// @param[out] node_out          the new node; 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    a dependency is no node of the graph or is listed twice, condition is none
///                                         of the graph, or the scalar is of another type
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the scalar belongs to a device of another kind
#[no_mangle]
pub unsafe extern "C" fn gc_graph_add_scalar_condition_node(
    graph: *const gc_graph,
    dependencies: *const gc_node,
    dependency_count: usize,
    condition: gc_condition,
    scalar: *const gc_scalar,
    node_out: *mut gc_node,
) -> gc_status {
    // SAFETY: C promises that `node_out` is NULL or writable.
    let out = unsafe { Out::number(node_out, "node_out") };
    guard("gc_graph_add_scalar_condition_node", [Token::of(graph), Token::of(scalar)], || {
        let graph = handle::clone(graph, "graph")?;
        let scalar = handle::clone(scalar, "scalar")?;
        let out = out.required()?;
        // SAFETY: C promises `dependency_count` nodes, not changed during the call.
        let dependencies = unsafe { node::nodes(dependencies, dependency_count, "dependencies") }?;
        out.write(scalar.add_condition_setter(&graph, &dependencies, ConditionId(condition))?.0);
        Ok(())
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
    guard("gc_host_set_conditional", [], || Ok(crate::driver::host::set_condition(ConditionId(condition), value)?))
}

/// Returns what decides about the bodies of a conditional node, and how many bodies it has.
///
/// @param[in]  graph       the graph
/// @param[in]  node        one of its nodes, a conditional node
/// @param[out] params_out  the struct to fill
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  params_out is NULL or its struct_size is not valid, node is no conditional
///                                       node of the graph, or it was not added through graphcap: the driver tells
///                                       nothing of such a node
#[no_mangle]
pub unsafe extern "C" fn gc_node_get_conditional_params(
    graph: *const gc_graph,
    node: gc_node,
    params_out: *mut gc_conditional_node_params,
) -> gc_status {
    // SAFETY: C promises that `params_out` is NULL or has as many writable bytes as its struct_size states.
    let out = unsafe { StructOut::new(params_out, "params_out") };
    guard("gc_node_get_conditional_params", [Token::of(graph)], || {
        let graph = handle::clone(graph, "graph")?;
        let out = out.required()?;
        let NodeParams::Conditional(conditional) = graph.node_params(NodeId(node))? else {
            return Err(not_of_kind(&graph, node, "a conditional node"));
        };
        out.write(gc_conditional_node_params {
            struct_size: 0,
            kind: number_of(conditional.kind),
            condition: conditional.condition.0,
            body_count: conditional.bodies,
            reserved: 0,
        });
        Ok(())
    })
}

fn number_of(kind: ConditionalKind) -> u32 {
    match kind {
        ConditionalKind::If => GRAPHCAP_CONDITIONAL_IF,
        ConditionalKind::While => GRAPHCAP_CONDITIONAL_WHILE,
        ConditionalKind::Switch => GRAPHCAP_CONDITIONAL_SWITCH,
    }
}

/// The kind that C means by a number.
pub(crate) fn kind_of(kind: u32) -> Result<ConditionalKind> {
    match kind {
        GRAPHCAP_CONDITIONAL_IF => Ok(ConditionalKind::If),
        GRAPHCAP_CONDITIONAL_WHILE => Ok(ConditionalKind::While),
        GRAPHCAP_CONDITIONAL_SWITCH => Ok(ConditionalKind::Switch),
        number => {
            let known = "one of the GRAPHCAP_CONDITIONAL_ numbers";
            Err(Failure::Unknown { argument: "kind", number: number.into(), known })
        }
    }
}
