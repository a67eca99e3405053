//! gc_graph_exec_set_node: other work of a node of a graph exec.

use std::mem::MaybeUninit;

use super::data::{self, gc_work};
use super::node_set::set_owned;
use super::read::{self, Read};
use super::usual;
use crate::ffi::boundary::{gc_graph_exec, gc_status, guard, handle, Result, Token, UserData};
use crate::ffi::graphs::graph::gc_node;
use crate::ffi::operations::launch::{check_unused, Arguments};
use graphcap_core::{NodeWork, UsualLaunch};
use graphcap_driver::NodeId;

/// Makes a node of a graph exec do other work of its kind, in later launches. The graph is not changed.
///
/// The exec keeps alive what the new work uses. It lets go of what the node used before when the earlier launches are complete, unless the
/// native handle of the exec was given out. A child node gets a graph with nodes of the same kinds, in the same order, with the same
/// edges; so work of GRAPHCAP_WORK_SGEMM, of transforms and of random numbers sets a child node that was made of such work.
///
/// @param[in] exec  the graph exec
/// @param[in] node  a node of the graph that the exec was made from; the graph must not be destroyed, nor the node removed
/// @param[in] work  the work, not NULL; read and copied during the call. Its name is NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE              the node was added after the exec was made or cannot be set, the
///     graph is destroyed, or work has a name, is wrong, or changes what its kind says must stay
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED              a child graph has allocation nodes or conditions, or, on a CUDA device, a node that
///                                                   kernels can change; or the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH
/// @retval GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE  a child graph does not have the same nodes and edges as the graph of the node, or one
///                                                   of its nodes cannot be changed so in an exec; or, on a CUDA device, it copies pageable
///                                                   memory where the exec was made with a child that copies between managed and pinned
///                                                   memory. The exec is as it was
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_set_node(
    exec: *const gc_graph_exec,
    node: gc_node,
    work: *const gc_work,
) -> gc_status {
    // SAFETY: C promises that `work` is NULL or points to as many bytes as its struct_size states.
    if let Some(work) = unsafe { usual::plain(work) } {
        return guard("gc_graph_exec_set_node(KERNEL)", [Token::of(exec), Token::of(work.kernel)], || {
            let set = {
                let pinned = handle::pin();
                let exec = handle::borrow(exec, "exec", &pinned)?;
                let set = |launch: &[UsualLaunch<'_>]| exec.set_launches(&[NodeId(node)], launch);
                // SAFETY: C promises what the members point to.
                unsafe { usual::with(work, exec.context(), &pinned, set) }
            };
            match set {
                Some(set) => Ok(set?),
                // SAFETY: as above; there is no user data.
                None => unsafe { set_of_exec(exec, node, Ok((work, UserData::new(work.user_data, work.destroy)))) },
            }
        });
    }
    let mut copy = MaybeUninit::uninit();
    // SAFETY: C promises that `work` is NULL or points to as many bytes as its struct_size states, and its user data.
    let work = unsafe { data::read(work, &mut copy) };
    guard(data::told!("gc_graph_exec_set_node", work), [Token::of(exec), data::subject(&work)], move || {
        // SAFETY: C promises what the members point to.
        unsafe { set_of_exec(exec, node, work) }
    })
}

/// Sets a node of a graph exec to work of any kind.
///
/// # Safety
/// All that the members point to is there.
#[inline(never)]
unsafe fn set_of_exec(exec: *const gc_graph_exec, node: gc_node, work: Result<(&gc_work, UserData)>) -> Result<()> {
    let mut arguments = Arguments::new();
    let pinned = handle::pin();
    let exec = handle::borrow(exec, "exec", &pinned)?;
    let (work, user_data) = work?;
    check_unused(work.name.addr(), "work.name", "NULL for a node of an exec, which has the name of its graph's")?;
    // SAFETY: passed on to the caller.
    let read = unsafe {
        read::read(work, user_data, &pinned, &mut arguments, |copy| NodeWork::Memcpy(*copy).check(exec.context()))
    }?;
    let node = NodeId(node);
    Ok(match read {
        Read::Brief(brief) => exec.set_node(node, &brief.node()?),
        Read::Owned(owned) => {
            let exec = exec.clone();
            drop(pinned);
            set_owned(&owned, exec.context(), |work| exec.set_node(node, work))
        }
    }?)
}
