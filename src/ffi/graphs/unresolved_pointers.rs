//! Addresses of memory that graphcap has no buffer of, in what kernel nodes are given.

use super::graph::gc_node;
use crate::ffi::boundary::{gc_graph, gc_status, with_clone, ArrayOut};
use graphcap_core::UnresolvedPointer;

/// An address of memory that no graph keeps, in an argument of a kernel node. It has no struct_size and keeps its 32 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct gc_unresolved_pointer {
    /// The kernel node.
    pub node: gc_node,
    /// The address.
    pub address: u64,
    /// Number of the argument that has it, as gc_node_get_argument() counts them: the kernel's parameter, or 0 where all arguments are
    /// one block (GRAPHCAP_ARGUMENTS_PACKED).
    pub parameter: usize,
    /// Offset in that argument at which the 8 bytes of the address start.
    pub offset: usize,
}

impl From<UnresolvedPointer> for gc_unresolved_pointer {
    fn from(UnresolvedPointer { node, parameter, offset, address }: UnresolvedPointer) -> gc_unresolved_pointer {
        gc_unresolved_pointer { node: node.0, address, parameter, offset }
    }
}

/// Lists the device pointers in the arguments of a graph's kernel nodes that lie in memory of others: in no buffer that
/// graphcap knows, and in no allocation of the graph's nodes. No graph and no graph exec keeps that memory. The caller keeps
/// it until the last replay, or wraps it: gc_buffer_wrap().
///
/// Each aligned word of 8 bytes counts that the driver knows as an address when the function is called: a value can look like one, and
/// memory that was freed has none, so ask right after the capture. Pointers that lie in memory are not found. The graphs of nodes are
/// asked on their own. Host devices list nothing. docs/what-a-graph-keeps.md tells what a graph keeps of work of others.
///
/// @param[in]  graph         the graph
/// @param[out] pointers_out  where to write the pointers, in the order of gc_graph_get_nodes(), parameters and offsets; may
///                           be NULL when capacity is 0
/// @param[in]  capacity      how many pointers fit; 0 asks only for their number
/// @param[out] needed        the number of pointers; may be NULL when capacity is not 0
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  the driver does not tell the arguments of a kernel node; drivers since CUDA
///                                       12.4 do
#[no_mangle]
pub unsafe extern "C" fn gc_graph_unresolved_pointers(
    graph: *const gc_graph,
    pointers_out: *mut gc_unresolved_pointer,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises `capacity` writable elements, and that `needed` is NULL or writable.
    let out = unsafe { ArrayOut::new([(pointers_out, "pointers_out")], capacity, needed) };
    with_clone("gc_graph_unresolved_pointers", (graph, "graph"), |graph| {
        out.check()?;
        out.write(graph.unresolved_pointers()?.into_iter().map(|pointer| [gc_unresolved_pointer::from(pointer)]))
    })
}
