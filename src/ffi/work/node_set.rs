//! gc_node_set: other work of a node of a graph.

use std::mem::MaybeUninit;

use super::data::{self, gc_work};
use super::read::{self, Owned, Read};
use super::usual;
use crate::ffi::boundary::{gc_graph, gc_status, guard, handle, Result, Token, UserData};
use crate::ffi::graphs::graph::gc_node;
use crate::ffi::operations::launch::Arguments;
use graphcap_base::error::Error;
use graphcap_core::{Context, NodeWork, OwnedWork, UsualLaunch};
use graphcap_driver::NodeId;
use graphcap_kit::ops;

/// Makes a node of a graph do other work of its kind. Graph execs that were made before are not changed.
///
/// The graph keeps alive what the new work uses, and lets go of what the node used before, unless the native handle of the graph or
/// of one of its nodes was given out. An edge keeps the data that it carries, so a set of a kernel node is refused where the new
/// work cannot have it. Handles of the graph that a child node had before are stale; on a CUDA device a child node needs a driver
/// for 12.2 or newer.
///
/// Work of GRAPHCAP_WORK_SGEMM, of transforms and of random numbers sets a child node. Allocation nodes, free nodes, conditional
/// nodes, empty nodes and setters of conditions cannot be set.
///
/// @param[in] graph  the graph
/// @param[in] node   the node
/// @param[in] work   the work, not NULL; read and copied during the call. With a name the node is named so
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  the node cannot be set, or the work is wrong
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE  a capture goes into a graph within the graph
#[no_mangle]
pub unsafe extern "C" fn gc_node_set(graph: *const gc_graph, node: gc_node, work: *const gc_work) -> gc_status {
    // SAFETY: C promises that `work` is NULL or points to as many bytes as its struct_size states.
    if let Some(work) = unsafe { usual::plain(work) } {
        return guard("gc_node_set(KERNEL)", [Token::of(graph), Token::of(work.kernel)], || {
            let set = {
                let pinned = handle::pin();
                let graph = handle::borrow(graph, "graph", &pinned)?;
                let set = |launch: &[UsualLaunch<'_>]| graph.set_launches(&[NodeId(node)], launch);
                // SAFETY: C promises what the members point to.
                unsafe { usual::with(work, graph.context(), &pinned, set) }
            };
            match set {
                Some(set) => Ok(set?),
                // SAFETY: as above; there is no user data.
                None => unsafe { set_any(graph, node, Ok((work, UserData::new(work.user_data, work.destroy)))) },
            }
        });
    }
    let mut copy = MaybeUninit::uninit();
    // SAFETY: C promises that `work` is NULL or points to as many bytes as its struct_size states, and its user data.
    let work = unsafe { data::read(work, &mut copy) };
    guard(data::told!("gc_node_set", work), [Token::of(graph), data::subject(&work)], move || {
        // SAFETY: C promises what the members point to.
        unsafe { set_any(graph, node, work) }
    })
}

/// Sets a node of a graph to work of any kind.
///
/// # Safety
/// All that the members point to is there.
#[inline(never)]
unsafe fn set_any(graph: *const gc_graph, node: gc_node, work: Result<(&gc_work, UserData)>) -> Result<()> {
    let mut arguments = Arguments::new();
    let pinned = handle::pin();
    let graph = handle::borrow(graph, "graph", &pinned)?;
    let (work, user_data) = work?;
    // SAFETY: C promises that the name is NULL or a text that ends with a NUL.
    let name = unsafe { work.name() }?;
    // SAFETY: passed on to the caller.
    let read = unsafe {
        read::read(work, user_data, &pinned, &mut arguments, |copy| NodeWork::Memcpy(*copy).check(graph.context()))
    }?;
    let node = NodeId(node);
    Ok(match read {
        Read::Brief(brief) => {
            let work = brief.node()?;
            graph.set_named(name, node, || graph.set_node(node, &work))
        }
        Read::Owned(owned) => {
            let graph = graph.clone();
            drop(pinned);
            graph.set_named(name, node, || set_owned(&owned, graph.context(), |work| graph.set_node(node, work)))
        }
    }?)
}

/// Makes `set` set a node to the work.
pub(super) fn set_owned(
    work: &Owned,
    context: &Context,
    set: impl FnOnce(&NodeWork<'_>) -> graphcap_base::Result<()>,
) -> graphcap_base::Result<()> {
    let refused = match work {
        Owned::Node { work: OwnedWork::Empty, .. } => "an empty node has no work; remove it and add another node",
        Owned::Node { work: OwnedWork::Free(_), .. } => "a free node stays as it was made",
        Owned::Node { work: OwnedWork::Conditional(_), .. } => {
            "a conditional node stays as it was made; fill its bodies, or remove it and add another one"
        }
        Owned::Op(op) if op.nodes_of_body().is_some() => {
            "a conditional by scripts is several nodes, which stay as they were made; remove them and add others"
        }
        Owned::Node { work, .. } => return work.lend(set),
        Owned::Op(op) => return set(&NodeWork::Child(&ops::record_op(op.as_ref(), context)?)),
        Owned::Allocation(_) => {
            "an allocation node stays as it was made; add another one, and make the nodes depend on that"
        }
        Owned::SetCondition(..) => {
            "the setter of a condition is a kernel node, which stays as it was made; remove it and add another one"
        }
    };
    Err(Error::invalid_value(refused))
}
