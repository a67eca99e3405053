//! Reasons for which nodes of a graph stay in order, for programs; gc_graph_optimize_text() tells it people.

use super::graph::gc_node;
use super::optimize::{gc_optimize_options, read_changing_none};
use crate::ffi::boundary::{gc_graph, gc_status, handle, optimising_guard as guard, ArrayOut, Token};
use graphcap_driver::rules::order::Conflict;
use graphcap_kit::{reasons, Barrier, Reason, SharedWorkspace};

/// Reason why nodes stay in order: one of the GRAPHCAP_OPTIMIZE_REASON_ numbers. Those below GRAPHCAP_OPTIMIZE_REASON_CONFLICT are reasons
/// for which a node keeps its place: all that was recorded before it stays before it, and all that was recorded behind it
/// stays behind.
pub type gc_optimize_reason_kind = i32;
/// Nothing is stated of what the kernel of the node touches: gc_kernel_set_accesses().
pub const GRAPHCAP_OPTIMIZE_REASON_UNKNOWN_KERNEL: gc_optimize_reason_kind = 1;
/// The arguments of the kernel of the node are not told: its arguments come in one block, or the driver is older than 12.4.
pub const GRAPHCAP_OPTIMIZE_REASON_UNKNOWN_ARGUMENTS: gc_optimize_reason_kind = 2;
/// The argument `parameter` points to no memory that graphcap knows: gc_buffer_wrap().
pub const GRAPHCAP_OPTIMIZE_REASON_UNRESOLVED: gc_optimize_reason_kind = 3;
/// The launch stated something of its buffers, but the argument `parameter` is a value that holds an address.
pub const GRAPHCAP_OPTIMIZE_REASON_UNSTATED: gc_optimize_reason_kind = 4;
/// By the argument `parameter` the kernel may write memory that the CPU, or another device, sees; UINT32_MAX where
/// gc_kernel_set_buffer_access() stated so of a buffer.
pub const GRAPHCAP_OPTIMIZE_REASON_SEEN_OUTSIDE: gc_optimize_reason_kind = 5;
/// The launch is cooperative, or gc_kernel_set_concurrency() says that the kernel runs beside nothing.
pub const GRAPHCAP_OPTIMIZE_REASON_COOPERATIVE: gc_optimize_reason_kind = 6;
/// The work of nodes of its kind may be seen from outside, or is not known: gc_node_kind().
pub const GRAPHCAP_OPTIMIZE_REASON_NODE_KIND: gc_optimize_reason_kind = 7;
/// An edge of the node carries something: gc_graph_get_edges().
pub const GRAPHCAP_OPTIMIZE_REASON_EDGE: gc_optimize_reason_kind = 8;
/// It sets a condition, as gc_graph_add_set_condition_node() and GRAPHCAP_WORK_CONDITIONAL do.
pub const GRAPHCAP_OPTIMIZE_REASON_CONDITION: gc_optimize_reason_kind = 9;
/// Two nodes that follow each other on the longest path touch the same bytes, and one of them writes these.
pub const GRAPHCAP_OPTIMIZE_REASON_CONFLICT: gc_optimize_reason_kind = 10;
/// Nodes share the workspace of their stream's products: gc_sgemm_params::workspace_bytes gives each one of its own.
pub const GRAPHCAP_OPTIMIZE_REASON_SHARED_WORKSPACE: gc_optimize_reason_kind = 11;

/// A reason for which gc_graph_optimize() leaves nodes in order. It has no struct_size and keeps its 56 bytes. Members that a kind does
/// not name are 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct gc_optimize_reason {
    /// One of the GRAPHCAP_OPTIMIZE_REASON_ numbers.
    pub kind: gc_optimize_reason_kind,
    /// Number of the kernel's argument, counted from 0: of the kinds that name one.
    pub parameter: u32,
    /// The node that keeps its place; with GRAPHCAP_OPTIMIZE_REASON_CONFLICT the one that comes later.
    pub node: gc_node,
    /// GRAPHCAP_OPTIMIZE_REASON_CONFLICT: the node that `node` stays behind.
    pub earlier: gc_node,
    /// GRAPHCAP_OPTIMIZE_REASON_CONFLICT: the first byte that both touch; gc_context_find_buffer() tells the buffer.
    /// GRAPHCAP_OPTIMIZE_REASON_SHARED_WORKSPACE: the first byte of the workspace.
    pub address: u64,
    /// Bytes from `address` on, without a gap.
    pub bytes: u64,
    /// GRAPHCAP_OPTIMIZE_REASON_CONFLICT: 1 if `earlier` writes these bytes. It may read them, too.
    pub earlier_writes: u32,
    /// GRAPHCAP_OPTIMIZE_REASON_CONFLICT: 1 if `node` writes these bytes. It may read them, too.
    pub later_writes: u32,
    /// GRAPHCAP_OPTIMIZE_REASON_SHARED_WORKSPACE: how many nodes share it. GRAPHCAP_OPTIMIZE_REASON_CONFLICT: how many buffers a pool
    /// gave the byte at `address`, one after another; where it is more than 1, GRAPHCAP_POOL_REUSE_NEVER gives each memory of its
    /// own, and the nodes may be free of each other.
    pub count: u64,
}

impl From<Reason> for gc_optimize_reason {
    fn from(reason: Reason) -> gc_optimize_reason {
        match reason {
            Reason::Place { node, barrier } => {
                let (kind, parameter) = number_of(barrier);
                gc_optimize_reason { kind, parameter, node: node.0, ..gc_optimize_reason::default() }
            }
            Reason::Conflict { earlier, later, bytes: Conflict { start, end, writes }, pool_buffers } => {
                gc_optimize_reason {
                    kind: GRAPHCAP_OPTIMIZE_REASON_CONFLICT,
                    parameter: 0,
                    node: later.0,
                    earlier: earlier.0,
                    address: start,
                    bytes: end - start,
                    earlier_writes: writes.0.into(),
                    later_writes: writes.1.into(),
                    count: pool_buffers as u64,
                }
            }
            Reason::Workspace(SharedWorkspace { address, bytes, nodes }) => gc_optimize_reason {
                kind: GRAPHCAP_OPTIMIZE_REASON_SHARED_WORKSPACE,
                address,
                bytes: bytes as u64,
                count: nodes as u64,
                ..gc_optimize_reason::default()
            },
        }
    }
}

fn number_of(barrier: Barrier) -> (gc_optimize_reason_kind, u32) {
    match barrier {
        Barrier::UnknownKernel(_) => (GRAPHCAP_OPTIMIZE_REASON_UNKNOWN_KERNEL, 0),
        Barrier::UnknownArguments => (GRAPHCAP_OPTIMIZE_REASON_UNKNOWN_ARGUMENTS, 0),
        Barrier::Unresolved(argument) => (GRAPHCAP_OPTIMIZE_REASON_UNRESOLVED, argument as u32),
        Barrier::Unstated(argument) => (GRAPHCAP_OPTIMIZE_REASON_UNSTATED, argument as u32),
        Barrier::SeenOutside(argument) => {
            (GRAPHCAP_OPTIMIZE_REASON_SEEN_OUTSIDE, argument.map_or(u32::MAX, |argument| argument as u32))
        }
        Barrier::Cooperative | Barrier::Alone => (GRAPHCAP_OPTIMIZE_REASON_COOPERATIVE, 0),
        Barrier::SetsCondition => (GRAPHCAP_OPTIMIZE_REASON_CONDITION, 0),
        Barrier::Kind(_) => (GRAPHCAP_OPTIMIZE_REASON_NODE_KIND, 0),
        Barrier::CarryingEdge => (GRAPHCAP_OPTIMIZE_REASON_EDGE, 0),
    }
}

/// Lists why gc_graph_optimize() with these options leaves nodes in order: first the nodes that keep their place, in the recorded
/// order; then the nodes that stay behind others on the longest path, which no lanes can shorten, from its first node on; then the
/// workspaces that nodes share. Nothing is measured, and the graph stays as it is. The graphs of child nodes and conditional
/// nodes are asked on their own.
///
/// The list is empty where nothing keeps nodes in order, and with GRAPHCAP_OPTIMIZE_SHAPE_ONLY.
///
/// @param[in]  graph        the graph
/// @param[in]  options      as gc_graph_optimize() takes them; NULL for the defaults
/// @param[out] reasons_out  where to write the reasons; may be NULL when capacity is 0
/// @param[in]  capacity     how many reasons fit; 0 asks only for their number
/// @param[out] needed       the number of reasons; may be NULL when capacity is not 0
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  the edges of the graph form a cycle, or the flags have
///     GRAPHCAP_OPTIMIZE_IN_PLACE
#[no_mangle]
pub unsafe extern "C" fn gc_graph_optimize_reasons(
    graph: *const gc_graph,
    options: *const gc_optimize_options,
    reasons_out: *mut gc_optimize_reason,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises `capacity` writable elements, and that `needed` is NULL or writable.
    let out = unsafe { ArrayOut::new([(reasons_out, "reasons_out")], capacity, needed) };
    guard("gc_graph_optimize_reasons", [Token::of(graph)], || {
        let graph = handle::clone(graph, "graph")?;
        // SAFETY: C promises that `options` is NULL or points to as many bytes as its struct_size states.
        let options = unsafe { read_changing_none(options) }?;
        out.check()?;
        out.write(reasons(&graph, &options)?.into_iter().map(|reason| [gc_optimize_reason::from(reason)]))
    })
}
