//! gc_graph_set_nodes, gc_graph_exec_set_nodes: other work of several nodes of a graph, or of a graph exec.

use std::mem::MaybeUninit;

use smallvec::SmallVec;

use super::data::{self, gc_work};
use super::node_set::set_owned;
use super::read::{self, Launch, Read};
use crate::ffi::boundary::{gc_graph, gc_graph_exec, gc_status, handle, options, with_clone, Failure, Out, Result};
use crate::ffi::graphs::graph::gc_node;
use crate::ffi::operations::launch::{check_unused, Arguments, USUAL_COUNT};
use graphcap_core::{Context, Graph, GraphExec, NodeLaunch, NodeWork, SET_TOGETHER};
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
        unsafe { graph.set_all(nodes, works, count, failed) }
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
        unsafe { exec.set_all(nodes, works, count, failed) }
    })
}

/// Owner of the nodes that are set.
trait Target {
    const IS_EXEC: bool;

    fn context(&self) -> &Context;

    fn set(&self, node: NodeId, work: &NodeWork<'_>) -> graphcap_base::Result<()>;

    fn set_launches(&self, sets: &[NodeLaunch<'_>]) -> std::result::Result<(), BatchError>;

    /// Makes `set` set a node, which gets the name of its work.
    fn named(
        &self,
        name: Option<&str>,
        node: NodeId,
        set: impl FnOnce() -> graphcap_base::Result<()>,
    ) -> graphcap_base::Result<()>;

    /// Sets nodes one after another, up to the first that fails, whose index goes to `failed`.
    ///
    /// # Safety
    /// `nodes` and `works` are NULL or point to `count` elements that are not changed meanwhile; all that a work points to is there.
    unsafe fn set_all(
        &self,
        nodes: *const gc_node,
        works: *const gc_work,
        count: usize,
        failed: Out<usize>,
    ) -> Result<()> {
        // SAFETY: passed on to the caller.
        let nodes = unsafe { options::elements(nodes, count, "nodes") }?.unwrap_or_default();
        if count == 0 {
            return Ok(());
        }
        // SAFETY: as above; there is a work.
        let size = unsafe { options::stated_size(works, "works") }?;
        if !options::fits_memory(count, size) {
            return Err(Failure::NoArray { argument: "works", count });
        }
        let (mut rest, mut set) = (nodes, Ok(0));
        while let ([node, ..], Ok(_)) = (rest, &set) {
            let index = count - rest.len();
            // SAFETY: as above, `index` is below `count`.
            let work = unsafe { works.byte_add(index * size) };
            // SAFETY: as above, as many works follow as nodes.
            set = match unsafe { self.set_some(rest, work) } {
                // SAFETY: as above.
                Ok(0) => unsafe { self.set_one(NodeId(*node), work, size) }.map(|()| 1).map_err(|failure| (0, failure)),
                set => set,
            }
            .map_err(|(done, failure)| (index + done, failure.of_element(index + done)));
            rest = rest.get(*set.as_ref().unwrap_or(&0)..).unwrap_or_default();
        }
        let Err((index, failure)) = set else { return Ok(()) };
        if let Some(place) = failed.optional() {
            place.write(index);
        }
        Err(failure)
    }

    /// Sets the first ones of `nodes` whose works are launches as most are, and some at most. Gives how many. A failure comes with the
    /// index of its node.
    ///
    /// # Safety
    /// As [`Target::set_all`], with a work for each node.
    unsafe fn set_some(
        &self,
        nodes: &[gc_node],
        works: *const gc_work,
    ) -> std::result::Result<usize, (usize, Failure)> {
        // SAFETY: passed on to the caller.
        let works = unsafe { options::in_place(works, nodes.len().min(SET_TOGETHER)) }.unwrap_or_default();
        // Lists that allocate nothing, which need not be dropped: to make all of them costs more than to read one.
        let mut places = [const { MaybeUninit::<Arguments<'_>>::uninit() }; SET_TOGETHER];
        let pinned = handle::pin();
        let mut sets = SmallVec::<[NodeLaunch<'_>; SET_TOGETHER]>::new();
        for ((node, work), place) in nodes.iter().zip(works).zip(&mut places) {
            if !work.is_plain_kernel() || work.argument_count > USUAL_COUNT {
                break;
            }
            let arguments = place.write(Arguments::new());
            // SAFETY: passed on to the caller.
            let Ok(launch) = (unsafe { read::launch(work, &pinned, arguments) }) else { break };
            let Launch { kernel, shape, arguments, attributes } = launch;
            if !attributes.is_empty() {
                break;
            }
            sets.push((NodeId(*node), kernel, shape, arguments));
        }
        let set = self.set_launches(&sets);
        let failed = |BatchError { index, error }| (index.unwrap_or_default(), Failure::Told(error));
        set.map(|()| sets.len()).map_err(failed)
    }

    /// Sets a node to work of any kind, which states `size` as the other works do.
    ///
    /// # Safety
    /// As [`Target::set_all`].
    unsafe fn set_one(&self, node: NodeId, work: *const gc_work, size: usize) -> Result<()> {
        // SAFETY: passed on to the caller.
        let stated = unsafe { options::stated_size(work, "works") }?;
        if stated != size {
            return Err(Failure::MixedSizes { argument: "works", stated, first: size });
        }
        let mut copy = MaybeUninit::uninit();
        // SAFETY: passed on to the caller.
        let (work, user_data) = unsafe { data::read(work, &mut copy) }?;
        // SAFETY: C promises that the name is NULL or a text that ends with a NUL.
        let name = unsafe { work.name() }?;
        if Self::IS_EXEC {
            check_unused(
                work.name.addr(),
                "work.name",
                "NULL for a node of an exec, which has the name of its graph's",
            )?;
        }
        let mut arguments = Arguments::new();
        let pinned = handle::pin();
        // SAFETY: passed on to the caller.
        let read = unsafe {
            read::read(work, user_data, &pinned, &mut arguments, |copy| NodeWork::Memcpy(*copy).check(self.context()))
        }?;
        Ok(match read {
            Read::Brief(brief) => {
                let work = brief.node()?;
                self.named(name, node, || self.set(node, &work))
            }
            Read::Owned(owned) => {
                drop(pinned);
                self.named(name, node, || set_owned(&owned, self.context(), |work| self.set(node, work)))
            }
        }?)
    }
}

impl Target for Graph {
    const IS_EXEC: bool = false;

    fn context(&self) -> &Context {
        Graph::context(self)
    }

    fn set(&self, node: NodeId, work: &NodeWork<'_>) -> graphcap_base::Result<()> {
        self.set_node(node, work)
    }

    fn set_launches(&self, sets: &[NodeLaunch<'_>]) -> std::result::Result<(), BatchError> {
        self.set_kernels(sets)
    }

    fn named(
        &self,
        name: Option<&str>,
        node: NodeId,
        set: impl FnOnce() -> graphcap_base::Result<()>,
    ) -> graphcap_base::Result<()> {
        self.set_named(name, node, set)
    }
}

impl Target for GraphExec {
    const IS_EXEC: bool = true;

    fn context(&self) -> &Context {
        GraphExec::context(self)
    }

    fn set(&self, node: NodeId, work: &NodeWork<'_>) -> graphcap_base::Result<()> {
        self.set_node(node, work)
    }

    fn set_launches(&self, sets: &[NodeLaunch<'_>]) -> std::result::Result<(), BatchError> {
        self.set_kernels(sets)
    }

    /// A node of an exec has the name of its graph's.
    fn named(
        &self,
        _: Option<&str>,
        _: NodeId,
        set: impl FnOnce() -> graphcap_base::Result<()>,
    ) -> graphcap_base::Result<()> {
        set()
    }
}
