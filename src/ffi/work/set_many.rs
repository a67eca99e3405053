//! gc_graph_set_nodes, gc_graph_exec_set_nodes: other work of several nodes of a graph, or of a graph exec.

use std::mem::MaybeUninit;
use std::slice;

use super::data::{self, gc_work};
use super::node_set::set_owned;
use super::read::{self, Read};
use super::usual;
use crate::ffi::boundary::{gc_graph, gc_graph_exec, gc_status, handle, options, with_clone, Failure, Out, Result};
use crate::ffi::graphs::graph::gc_node;
use crate::ffi::operations::launch::{check_unused, Arguments};
use graphcap_core::{Context, Graph, GraphExec, NodeWork, UsualLaunch, SET_TOGETHER};
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

    fn set_launches(
        &self,
        nodes: &[NodeId],
        launches: &[UsualLaunch<'_>],
    ) -> Option<std::result::Result<(), BatchError>>;

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
            let (some, set) = unsafe { self.set_some(nodes, works.byte_add(index * size), size) };
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
    /// As [`Target::set_all`], with a work for each node, and a node.
    #[inline]
    unsafe fn set_some(
        &self,
        nodes: &[NodeId],
        works: *const gc_work,
        size: usize,
    ) -> (usize, std::result::Result<(), (usize, Failure)>) {
        // SAFETY: passed on to the caller.
        let (some, set) = unsafe { self.set_together(nodes, works) };
        match set {
            Some(set) => {
                let failed = |BatchError { index, error }| (index.unwrap_or_default(), Failure::Told(error));
                (some, set.map_err(failed))
            }
            // SAFETY: as above.
            None => unsafe { self.set_each(nodes.get(..some.max(1)).unwrap_or_default(), works, size) },
        }
    }

    /// Sets the first ones of `nodes` whose works are launches such as most are, and some at most. Gives how many these are, and what became
    /// of them: nothing yet where each is to be set by itself.
    ///
    /// # Safety
    /// As [`Target::set_some`].
    unsafe fn set_together(
        &self,
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
            let read = || unsafe { usual::read(work, self.context(), &pinned, place) };
            match work.is_plain_kernel().then(read).flatten() {
                Some(()) => some += 1,
                None => break,
            }
        }
        if some == 0 {
            return (0, None);
        }
        // SAFETY: as many of the first places were written.
        let launches = unsafe { slice::from_raw_parts(places.as_ptr().cast(), some) };
        (some, self.set_launches(nodes.get(..some).unwrap_or_default(), launches))
    }

    /// Sets nodes one by one.
    ///
    /// # Safety
    /// As [`Target::set_some`].
    #[cold]
    unsafe fn set_each(
        &self,
        nodes: &[NodeId],
        works: *const gc_work,
        size: usize,
    ) -> (usize, std::result::Result<(), (usize, Failure)>) {
        for (index, node) in nodes.iter().enumerate() {
            // SAFETY: passed on to the caller.
            let set = unsafe { self.set_one(*node, works.byte_add(index * size), size) };
            if let Err(failure) = set {
                return (index, Err((index, failure)));
            }
        }
        (nodes.len(), Ok(()))
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

    #[inline(always)]
    fn set_launches(
        &self,
        nodes: &[NodeId],
        launches: &[UsualLaunch<'_>],
    ) -> Option<std::result::Result<(), BatchError>> {
        Graph::set_launches(self, nodes, launches)
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

    #[inline(always)]
    fn set_launches(
        &self,
        nodes: &[NodeId],
        launches: &[UsualLaunch<'_>],
    ) -> Option<std::result::Result<(), BatchError>> {
        GraphExec::set_launches(self, nodes, launches)
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
