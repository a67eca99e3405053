//! gc_graph_add_node: work of a new node.

use std::mem::MaybeUninit;

use super::data::{self, gc_work};
use super::read::{self, ConditionSource, Owned, Read};
use super::usual;
use crate::ffi::boundary::{gc_graph, gc_status, guard, handle, options, Out, Pinned, Result, Token, UserData};
use crate::ffi::graphs::edges::{self, gc_edge_data};
use crate::ffi::graphs::graph::gc_node;
use crate::ffi::graphs::node;
use crate::ffi::operations::launch::Arguments;
use graphcap_base::error::Error;
use graphcap_core::{Graph, NodeWork, UsualLaunch};
use graphcap_driver::{EdgeData, NodeId};
use graphcap_kit::ops;

/// Adds a node that does the work to a graph. The graph keeps alive what the work uses.
///
/// Nodes of one graph may have kernels, buffers and events of several contexts, on one device or on several devices of
/// one kind. A kernel or a copy uses memory of other devices, but not memory that graphs allocate; a kernel uses not
/// that of gc_buffer_allocate_waitable() either: GRAPHCAP_ERROR_NOT_SUPPORTED.
///
/// @param[in]  graph             the graph
/// @param[in]  dependencies      the nodes that the new node waits for; may be NULL when dependency_count is 0
/// @param[in]  dependency_data   what the edge from each of them carries; NULL where no edge carries anything. Only an edge to a
///                               kernel node carries something
/// @param[in]  dependency_count  the number of dependencies
/// @param[in]  work              the work, not NULL; read and copied during the call
/// @param[out] node_out          the new node; 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  a dependency is listed twice, an edge cannot carry its data, the condition was
///     not made for this graph, the condition or the allocation has a node already, or the work is wrong: see gc_work
///     and its kind
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE  the graph is within a node of one that a capture goes into
#[no_mangle]
pub unsafe extern "C" fn gc_graph_add_node(
    graph: *const gc_graph,
    dependencies: *const gc_node,
    dependency_data: *const gc_edge_data,
    dependency_count: usize,
    work: *const gc_work,
    node_out: *mut gc_node,
) -> gc_status {
    // SAFETY: C promises that `node_out` is NULL or writable.
    let out = unsafe { Out::number(node_out, "node_out") };
    // SAFETY: C promises that `work` is NULL or points to as many bytes as its struct_size states.
    let plain = unsafe { usual::plain(work) }.filter(|_| dependency_data.is_null() && !node_out.is_null());
    if let Some(work) = plain {
        return guard("gc_graph_add_node(KERNEL)", [Token::of(graph), Token::of(work.kernel)], move || {
            let before = (dependencies, dependency_count);
            let added = {
                let pinned = handle::pin();
                let graph = handle::borrow(graph, "graph", &pinned)?;
                // SAFETY: C promises what the members point to, and `dependency_count` nodes, not changed during the call.
                unsafe { add_usual(graph, before, work, &pinned) }
            };
            match added {
                Some(added) => {
                    let NodeId(node) = added?;
                    out.required()?.write(node);
                    Ok(())
                }
                None => {
                    // SAFETY: as above; there is no user data.
                    unsafe {
                        let user_data = UserData::new(work.user_data, work.destroy);
                        add_any(graph, before, dependency_data, Ok((work, user_data)), out)
                    }
                }
            }
        });
    }
    let mut copy = MaybeUninit::uninit();
    // SAFETY: C promises that `work` is NULL or points to as many bytes as its struct_size states, and its user data.
    let work = unsafe { data::read(work, &mut copy) };
    guard(data::told!("gc_graph_add_node", work), [Token::of(graph), data::subject(&work)], move || {
        // SAFETY: C promises what the members point to, and the dependencies with their data.
        unsafe { add_any(graph, (dependencies, dependency_count), dependency_data, work, out) }
    })
}

/// Adds a node of a launch such as most are. `None`, and nothing is added, where it asks for more than most nodes do.
///
/// # Safety
/// All that the members point to is there. `dependencies` is NULL or points to `count` nodes.
#[inline(always)]
unsafe fn add_usual(
    graph: &Graph,
    (dependencies, count): (*const gc_node, usize),
    work: &gc_work,
    pinned: &Pinned,
) -> Option<graphcap_base::Result<NodeId>> {
    // SAFETY: passed on to the caller.
    let before = unsafe { options::elements(dependencies.cast::<NodeId>(), count, "dependencies") }.ok()?;
    let add = |launch: &[UsualLaunch<'_>]| {
        let mut node = NodeId(0);
        let added = graph.add_launches(launch, |_, added| node = added, |_| before.unwrap_or_default())?;
        Some(added.map(|()| node))
    };
    // SAFETY: as above.
    unsafe { usual::with(work, graph.context(), pinned, add) }
}

/// Adds a node that does work of any kind.
///
/// # Safety
/// All that the members point to is there. `dependencies` is NULL or points to `count` nodes, and `dependency_data` to as many elements; they
/// are not changed meanwhile.
#[inline(never)]
pub(super) unsafe fn add_any(
    graph: *const gc_graph,
    (dependencies, count): (*const gc_node, usize),
    dependency_data: *const gc_edge_data,
    work: Result<(&gc_work, UserData)>,
    out: Out<gc_node>,
) -> Result<()> {
    let mut arguments = Arguments::new();
    let pinned = handle::pin();
    let graph = handle::borrow(graph, "graph", &pinned)?;
    let (work, user_data) = work?;
    // SAFETY: passed on to the caller.
    let read = unsafe {
        read::read(work, user_data, &pinned, &mut arguments, |copy| NodeWork::Memcpy(*copy).check(graph.context()))
    }?;
    let out = out.required()?;
    // SAFETY: C promises that the name is NULL or a text that ends with a NUL.
    let name = unsafe { work.name() }?;
    // SAFETY: passed on to the caller.
    let nodes = unsafe { node::nodes(dependencies, count, "dependencies") }?;
    let carried = if dependency_data.is_null() {
        None
    } else {
        let join = |node, data| (node, data);
        // SAFETY: passed on to the caller.
        Some(unsafe { edges::with_data(nodes.iter().copied(), dependency_data, join) }?)
    };
    let before = Before { nodes: &nodes, carried: carried.as_deref() };
    let NodeId(node) = match read {
        Read::Brief(brief) => {
            let work = brief.node()?;
            graph.add_named(name, || before.add(graph, &work))
        }
        Read::Owned(owned) => {
            let graph = graph.clone();
            drop(pinned);
            graph.add_named(name, || before.add_owned(&graph, &owned))
        }
    }?;
    out.write(node);
    Ok(())
}

/// The nodes that a new node waits for.
struct Before<'a> {
    nodes: &'a [NodeId],
    /// The dependencies with data, where data was given.
    carried: Option<&'a [(NodeId, EdgeData)]>,
}

impl Before<'_> {
    #[inline]
    fn add(&self, graph: &Graph, work: &NodeWork<'_>) -> graphcap_base::Result<NodeId> {
        match self.carried {
            None => graph.add_node(self.nodes, work),
            Some(carried) => graph.add_node_with_data(carried, work),
        }
    }

    fn add_owned(&self, graph: &Graph, work: &Owned) -> graphcap_base::Result<NodeId> {
        let carries = || self.carried.is_some_and(|carried| carried.iter().any(|(_, data)| !data.is_none()));
        if !matches!(work, Owned::Node { .. }) && carries() {
            return Err(Error::invalid_value("no edge to such a node carries data; let the edge carry nothing"));
        }
        match work {
            Owned::Node { work, .. } => work.lend(|work| self.add(graph, work)),
            Owned::Allocation(bytes) => graph.add_allocation(self.nodes, *bytes).map(|(node, _)| node),
            Owned::SetCondition(condition, ConditionSource::Buffer(buffer, offset)) => {
                graph.add_condition_setter(self.nodes, *condition, buffer, *offset)
            }
            Owned::SetCondition(condition, ConditionSource::Scalar(scalar)) => {
                scalar.add_condition_setter(graph, self.nodes, *condition)
            }
            Owned::Op(op) => ops::add_op(op.as_ref(), graph, self.nodes),
        }
    }
}
