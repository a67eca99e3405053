//! gc_graph_set_nodes, gc_graph_exec_set_nodes: other work of several nodes of a graph, or of a graph exec.

use std::mem::MaybeUninit;
use std::slice;

use super::data::{self, gc_work};
use super::target::Target;
use super::usual;
use crate::ffi::boundary::{gc_graph, gc_graph_exec, gc_status, handle, options, with_clone, Failure, Out, Result};
use crate::ffi::graphs::graph::gc_node;
use graphcap_core::{UsualLaunch, SET_TOGETHER};
use graphcap_driver::{BatchError, NodeId};

/// Makes nodes of a graph do other work, one after another, as gc_node_set() does. If one fails, those before it are set, and the works
/// behind it are not read.
///
/// @param[in]  graph             the graph
/// @param[in]  nodes             the nodes
/// @param[in]  works             the work of each node
/// @param[in]  count             the number of nodes
/// @param[out] failed_index_out  the index of the node that failed; SIZE_MAX if none did; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE see gc_node_set()
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE see gc_node_set()
#[no_mangle]
pub unsafe extern "C" fn gc_graph_set_nodes(
    graph: *const gc_graph,
    nodes: *const gc_node,
    works: *const gc_work,
    count: usize,
    failed_index_out: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `failed_index_out` is NULL or may be written.
    let failed = unsafe { Out::index(failed_index_out, "failed_index_out") };
    with_clone("gc_graph_set_nodes", (graph, "graph"), move |graph| {
        // SAFETY: C promises `count` nodes and works, not changed during the call, and what the works point to.
        unsafe { set_all(&graph, nodes, works, count, failed) }
    })
}

/// Makes nodes of a graph exec do other work, one after another, as gc_graph_exec_set_node() does. If one fails, those before it are set,
/// and the works behind it are not read.
///
/// @param[in]  exec              the graph exec
/// @param[in]  nodes             the nodes
/// @param[in]  works             the work of each node, as for gc_graph_set_nodes()
/// @param[in]  count             the number of nodes
/// @param[out] failed_index_out  the index of the node that failed; SIZE_MAX if none did; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE see gc_graph_exec_set_node()
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED see gc_graph_exec_set_node()
/// @retval GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE see gc_graph_exec_set_node()
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_set_nodes(
    exec: *const gc_graph_exec,
    nodes: *const gc_node,
    works: *const gc_work,
    count: usize,
    failed_index_out: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `failed_index_out` is NULL or may be written.
    let failed = unsafe { Out::index(failed_index_out, "failed_index_out") };
    with_clone("gc_graph_exec_set_nodes", (exec, "exec"), move |exec| {
        // SAFETY: C promises `count` nodes and works, not changed during the call, and what the works point to.
        unsafe { set_all(&exec, nodes, works, count, failed) }
    })
}

/// Sets nodes one after another, up to the first that fails, whose index goes to `failed`.
///
/// # Safety
/// `nodes` and `works` are NULL or point to `count` elements that are not changed meanwhile; all that a work points to is there.
unsafe fn set_all<T: Target>(
    target: &T,
    nodes: *const gc_node,
    works: *const gc_work,
    count: usize,
    failed: Out<usize>,
) -> Result<()> {
    // SAFETY: passed on to the caller.
    let mut nodes = unsafe { options::elements(nodes.cast::<NodeId>(), count, "nodes") }?.unwrap_or_default();
    if count == 0 {
        return Ok(());
    }
    // SAFETY: as above; there is a work.
    let size = unsafe { options::stated_size(works, "works") }?;
    if !options::fits_memory(count, size) {
        return Err(Failure::NoArray { argument: "works", count });
    }
    while !nodes.is_empty() {
        let index = count - nodes.len();
        // SAFETY: as above, `index` is below `count`, and as many works follow as nodes.
        let (some, set) = unsafe { set_some(target, nodes, works.byte_add(index * size), size) };
        if let Err((done, failure)) = set {
            if let Some(place) = failed.optional() {
                place.write(index + done);
            }
            return Err(failure.of_element(index + done));
        }
        nodes = nodes.get(some..).unwrap_or_default();
    }
    Ok(())
}

/// Sets the first ones of `nodes`: together those whose works are launches such as most are, or else one. Gives how many. A failure comes
/// with the index of its node.
///
/// # Safety
/// As [`set_all`], with a work for each node, and a node.
#[inline]
unsafe fn set_some<T: Target>(
    target: &T,
    nodes: &[NodeId],
    works: *const gc_work,
    size: usize,
) -> (usize, std::result::Result<(), (usize, Failure)>) {
    // SAFETY: passed on to the caller.
    let (some, set) = unsafe { set_together(target, nodes, works) };
    match set {
        Some(set) => {
            let failed = |BatchError { index, error }| (index.unwrap_or_default(), Failure::Told(error));
            (some, set.map_err(failed))
        }
        // SAFETY: as above.
        None => unsafe { set_each(target, nodes.get(..some.max(1)).unwrap_or_default(), works, size) },
    }
}

/// Sets the first ones of `nodes` whose works are launches such as most are, and some at most. Gives how many these are, and what became
/// of them: nothing yet where each is to be set by itself.
///
/// # Safety
/// As [`set_some`].
unsafe fn set_together<T: Target>(
    target: &T,
    nodes: &[NodeId],
    works: *const gc_work,
) -> (usize, Option<std::result::Result<(), BatchError>>) {
    // SAFETY: passed on to the caller.
    let works = unsafe { options::in_place(works, nodes.len().min(SET_TOGETHER)) }.unwrap_or_default();
    let mut places = [const { MaybeUninit::<UsualLaunch<'_>>::uninit() }; SET_TOGETHER];
    let pinned = handle::pin();
    let mut some = 0;
    for (work, place) in works.iter().zip(&mut places) {
        // SAFETY: passed on to the caller.
        let mut is_read = || unsafe { usual::read(work, target.context(), &pinned, place) }.is_some();
        if !(work.is_plain_kernel() && is_read()) {
            break;
        }
        some += 1;
    }
    if some == 0 {
        return (0, None);
    }
    // SAFETY: as many of the first places were written.
    let launches = unsafe { slice::from_raw_parts(places.as_ptr().cast(), some) };
    (some, target.set_launches(nodes.get(..some).unwrap_or_default(), launches))
}

/// Sets nodes one by one.
///
/// # Safety
/// As [`set_some`].
#[cold]
unsafe fn set_each<T: Target>(
    target: &T,
    nodes: &[NodeId],
    works: *const gc_work,
    size: usize,
) -> (usize, std::result::Result<(), (usize, Failure)>) {
    for (index, node) in nodes.iter().enumerate() {
        // SAFETY: passed on to the caller.
        let set = unsafe { set_one(target, *node, works.byte_add(index * size), size) };
        if let Err(failure) = set {
            return (index, Err((index, failure)));
        }
    }
    (nodes.len(), Ok(()))
}

/// Sets a node to work of any kind, which states `size` as the other works do.
///
/// # Safety
/// As [`set_all`].
unsafe fn set_one<T: Target>(target: &T, node: NodeId, work: *const gc_work, size: usize) -> Result<()> {
    // SAFETY: passed on to the caller.
    let stated = unsafe { options::stated_size(work, "works") }?;
    if stated != size {
        return Err(Failure::MixedSizes { argument: "works", stated, first: size });
    }
    let mut copy = MaybeUninit::uninit();
    // SAFETY: passed on to the caller.
    unsafe {
        let (work, user_data) = data::read(work, &mut copy)?;
        target.set_work(node, work, user_data)
    }
}
