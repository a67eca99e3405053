//! gc_graph_add_node: work of a new node.

use std::mem::MaybeUninit;

use super::data::{self, gc_work};
use super::read::{self, ConditionSource, Owned, Read};
use crate::ffi::boundary::{gc_graph, gc_status, guard, handle, Out, Token};
use crate::ffi::graphs::edges::{self, gc_edge_data};
use crate::ffi::graphs::graph::gc_node;
use crate::ffi::graphs::node;
use crate::ffi::operations::launch::Arguments;
use graphcap_base::error::Error;
use graphcap_core::{Graph, NodeWork};
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
    let mut copy = MaybeUninit::uninit();
    // SAFETY: C promises that `work` is NULL or points to as many bytes as its struct_size states, and its user data.
    let work = unsafe { data::read(work, &mut copy) };
    guard(data::told!("gc_graph_add_node", work), [Token::of(graph), data::subject(&work)], move || {
        let mut arguments = Arguments::new();
        let pinned = handle::pin();
        let graph = handle::borrow(graph, "graph", &pinned)?;
        let (work, user_data) = work?;
        // SAFETY: C promises what the members point to.
        let read = unsafe {
            read::read(work, user_data, &pinned, &mut arguments, |copy| NodeWork::Memcpy(*copy).check(graph.context()))
        }?;
        let out = out.required()?;
        // SAFETY: C promises that the name is NULL or a text that ends with a NUL.
        let name = unsafe { work.name() }?;
        // SAFETY: C promises `dependency_count` nodes, not changed during the call.
        let nodes = unsafe { node::nodes(dependencies, dependency_count, "dependencies") }?;
        let carried = if dependency_data.is_null() {
            None
        } else {
            let join = |node, data| (node, data);
            // SAFETY: C promises data for each of the nodes, not changed during the call.
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
    })
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
