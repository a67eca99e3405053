//! Memory that nodes of graphs allocate and free.

use super::graph::gc_node;
use super::node_get::not_of_kind;
use crate::ffi::boundary::{
    answer_clone, gc_buffer, gc_context, gc_graph, gc_status, handle, with_clone, Out, StructOut, Versioned,
};
use graphcap_core::NodeParams;
use graphcap_driver::NodeId;

/// Description of what an allocation node allocates. Start from GRAPHCAP_MEM_ALLOC_NODE_PARAMS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_mem_alloc_node_params {
    /// sizeof(gc_mem_alloc_node_params).
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// The address of the first byte, which is the same in all launches.
    pub address: u64,
    /// Bytes.
    pub size: usize,
}
// SAFETY: repr(C), starts with its size, and holds integers only.
unsafe impl Versioned for gc_mem_alloc_node_params {}

/// Description of what a free node frees. Start from GRAPHCAP_MEM_FREE_NODE_PARAMS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_mem_free_node_params {
    /// sizeof(gc_mem_free_node_params).
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// The address of the first byte of the allocation.
    pub address: u64,
}
// SAFETY: repr(C), starts with its size, and holds integers only.
unsafe impl Versioned for gc_mem_free_node_params {}

/// Memory that a device holds for the allocations of graphs, of the whole process. Start from
/// GRAPHCAP_GRAPH_MEMORY_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_graph_memory {
    /// sizeof(gc_graph_memory).
    pub struct_size: u32,
    /// 0.
    pub flags: u32,
    /// Bytes that graphs use. NVIDIA's driver counts here what it has reserved.
    pub used_bytes: u64,
    /// The most bytes in use since the last reset.
    pub used_high: u64,
    /// Bytes that are reserved for graphs, in steps of 32 MiB.
    pub reserved_bytes: u64,
    /// The most bytes reserved since the last reset.
    pub reserved_high: u64,
}
// SAFETY: repr(C), starts with its size, and holds integers only.
unsafe impl Versioned for gc_graph_memory {}

/// Returns what an allocation node allocates.
///
/// @param[in]  graph       the graph
/// @param[in]  node        one of its nodes, an allocation node
/// @param[out] params_out  the struct to fill
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  params_out is NULL or its struct_size is not valid, or node is no allocation
///                                       node of the graph
#[no_mangle]
pub unsafe extern "C" fn gc_node_get_mem_alloc_params(
    graph: *const gc_graph,
    node: gc_node,
    params_out: *mut gc_mem_alloc_node_params,
) -> gc_status {
    // SAFETY: C promises that `params_out` is NULL or has as many writable bytes as its struct_size states.
    let out = unsafe { StructOut::new(params_out, "params_out") };
    answer_clone("gc_node_get_mem_alloc_params", (graph, "graph"), out, |graph| {
        let NodeParams::MemAlloc(made) = graph.node_params(NodeId(node))? else {
            return Err(not_of_kind(&graph, node, "an allocation node"));
        };
        Ok(gc_mem_alloc_node_params { struct_size: 0, reserved: 0, address: made.address, size: made.bytes })
    })
}

/// Returns what a free node frees.
///
/// @param[in]  graph       the graph
/// @param[in]  node        one of its nodes, a free node
/// @param[out] params_out  the struct to fill
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  params_out is NULL or its struct_size is not valid, or node is no free node of
///                                       the graph
#[no_mangle]
pub unsafe extern "C" fn gc_node_get_mem_free_params(
    graph: *const gc_graph,
    node: gc_node,
    params_out: *mut gc_mem_free_node_params,
) -> gc_status {
    // SAFETY: C promises that `params_out` is NULL or has as many writable bytes as its struct_size states.
    let out = unsafe { StructOut::new(params_out, "params_out") };
    answer_clone("gc_node_get_mem_free_params", (graph, "graph"), out, |graph| {
        let NodeParams::MemFree(address) = graph.node_params(NodeId(node))? else {
            return Err(not_of_kind(&graph, node, "a free node"));
        };
        Ok(gc_mem_free_node_params { struct_size: 0, reserved: 0, address })
    })
}

/// Returns the memory that an allocation node allocates, or that a free node frees.
///
/// @param[in]  graph       the graph
/// @param[in]  node        one of its nodes, an allocation node or a free node
/// @param[out] buffer_out  a handle of the memory, owned by the caller until gc_buffer_destroy(), which frees nothing;
///                         NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  node is no such node of the graph
/// @retval GRAPHCAP_ERROR_NOT_FOUND      others added the free node, and graphcap does not know the memory
#[no_mangle]
pub unsafe extern "C" fn gc_node_get_buffer(
    graph: *const gc_graph,
    node: gc_node,
    buffer_out: *mut *mut gc_buffer,
) -> gc_status {
    // SAFETY: C promises that `buffer_out` is NULL or writable.
    let out = unsafe { Out::handle(buffer_out, "buffer_out") };
    answer_clone("gc_node_get_buffer", (graph, "graph"), out, |graph| handle::insert(graph.node_buffer(NodeId(node))?))
}

/// Returns how much memory the device of a context holds for the allocations of graphs. The numbers are of the whole
/// process. What graphs have freed stays reserved for later launches until gc_context_graph_memory_trim().
///
/// @param[in]  context     the context
/// @param[out] memory_out  the struct to fill
#[no_mangle]
pub unsafe extern "C" fn gc_context_graph_memory(
    context: *const gc_context,
    memory_out: *mut gc_graph_memory,
) -> gc_status {
    // SAFETY: C promises that `memory_out` is NULL or has as many writable bytes as its struct_size states.
    let out = unsafe { StructOut::new(memory_out, "memory_out") };
    answer_clone("gc_context_graph_memory", (context, "context"), out, |context| {
        let memory = context.graph_memory()?;
        Ok(gc_graph_memory {
            struct_size: 0,
            flags: 0,
            used_bytes: memory.used,
            used_high: memory.used_high,
            reserved_bytes: memory.reserved,
            reserved_high: memory.reserved_high,
        })
    })
}

/// Resets used_high and reserved_high of gc_context_graph_memory() to what is in use and reserved now.
///
/// @param[in] context  the context
#[no_mangle]
pub unsafe extern "C" fn gc_context_graph_memory_reset_high(context: *const gc_context) -> gc_status {
    with_clone("gc_context_graph_memory_reset_high", (context, "context"), |context| {
        Ok(context.reset_graph_memory_high()?)
    })
}

/// Returns to the device the memory that is reserved for graphs. Memory that is allocated, or that unfinished launches use,
/// stays. The call does not affect captures.
///
/// @param[in] context  the context
#[no_mangle]
pub unsafe extern "C" fn gc_context_graph_memory_trim(context: *const gc_context) -> gc_status {
    with_clone("gc_context_graph_memory_trim", (context, "context"), |context| Ok(context.trim_graph_memory()?))
}
