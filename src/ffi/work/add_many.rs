//! gc_graph_add_nodes: work of several new nodes.

use std::mem::MaybeUninit;
use std::ptr::null;
use std::slice;

use super::data::{self, gc_work};
use super::{node, usual};
use crate::ffi::boundary::{gc_graph, gc_status, guard, handle, options, Failure, NumbersOut, Out, Result, Token};
use crate::ffi::graphs::graph::gc_node;
use graphcap_core::{Graph, UsualLaunch, SET_TOGETHER};
use graphcap_driver::{BatchError, NodeId};

/// Adds nodes to a graph, one after another, as gc_graph_add_node() does. If one fails, those before it are added, and the works behind it
/// are not read.
///
/// A node can wait for one that the call adds before it: its dependencies are then in nodes_out, each element of which is written before the
/// dependencies of the next node are read.
///
/// @param[in]  graph              the graph
/// @param[in]  dependencies       for each node the nodes that it waits for; an element may be NULL when its count is 0. NULL where no
///                                node waits for another one
/// @param[in]  dependency_counts  for each node the number of its dependencies; NULL where dependencies is
/// @param[in]  works              the work of each node, all of the same struct_size
/// @param[in]  count              the number of nodes
/// @param[out] nodes_out          the new nodes, count elements; 0 for those that were not added
/// @param[out] failed_index_out   the index of the node that failed; SIZE_MAX if none did; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  see gc_graph_add_node()
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE  see gc_graph_add_node()
#[no_mangle]
pub unsafe extern "C" fn gc_graph_add_nodes(
    graph: *const gc_graph,
    dependencies: *const *const gc_node,
    dependency_counts: *const usize,
    works: *const gc_work,
    count: usize,
    nodes_out: *mut gc_node,
    failed_index_out: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `failed_index_out` is NULL or may be written.
    let failed = unsafe { Out::index(failed_index_out, "failed_index_out") };
    // SAFETY: C promises that `nodes_out` is NULL or has `count` elements that may be written.
    let out = unsafe { NumbersOut::new(nodes_out, count, "nodes_out") };
    guard("gc_graph_add_nodes", [Token::of(graph)], move || {
        let added = handle::clone(graph, "graph")?;
        if count == 0 {
            return Ok(());
        }
        let out = out?;
        // SAFETY: C promises `count` works, not changed during the call.
        let size = unsafe { options::stated_size(works, "works") }?;
        if !options::fits_memory(count, size) {
            return Err(Failure::NoArray { argument: "works", count });
        }
        let lists = match dependencies.is_null() && dependency_counts.is_null() {
            true => None,
            // SAFETY: C promises `count` elements of both.
            false => unsafe {
                let lists = options::elements(dependencies, count, "dependencies")?.unwrap_or_default();
                Some((lists, options::elements(dependency_counts, count, "dependency_counts")?.unwrap_or_default()))
            },
        };
        let call = Call { handle: graph, graph: added, lists, works, size, count };
        // SAFETY: C promises what the works point to, and the dependencies.
        unsafe { call.add_all(out, failed) }
    })
}

/// Nodes that are to be added.
struct Call<'a> {
    handle: *const gc_graph,
    graph: Graph,
    /// For each node its dependencies, and how many these are.
    lists: Option<(&'a [*const gc_node], &'a [usize])>,
    works: *const gc_work,
    /// The size that all works state.
    size: usize,
    count: usize,
}

impl<'a> Call<'a> {
    /// Adds all nodes, up to the first that fails, whose index goes to `failed`.
    ///
    /// # Safety
    /// `count` works are there, with what they point to, and the dependencies.
    unsafe fn add_all(&self, mut out: NumbersOut, failed: Out<usize>) -> Result<()> {
        while out.written() < self.count {
            // SAFETY: passed on to the caller.
            if let Err(failure) = unsafe { self.add_some(&mut out) } {
                let index = out.written();
                if let Some(place) = failed.optional() {
                    place.write(index);
                }
                return Err(failure.of_element(index));
            }
        }
        Ok(())
    }

    /// Adds the next nodes: together those whose works are launches such as most are, or else one.
    ///
    /// # Safety
    /// As [`Call::add_all`]; there is another node.
    unsafe fn add_some(&self, out: &mut NumbersOut) -> Result<()> {
        let first = out.written();
        // SAFETY: passed on to the caller.
        let (some, added) = unsafe { self.add_together(first, out) };
        match added {
            Some(added) => added.map_err(|failed| Failure::Told(failed.error)),
            // SAFETY: as above.
            None => (first..first + some.max(1)).try_for_each(|index| unsafe { self.add_one(index, out) }),
        }
    }

    /// The dependencies of a node, which are not to be written to while they are used.
    ///
    /// # Safety
    /// As [`Call::add_all`].
    #[inline]
    unsafe fn before(&self, index: usize) -> Result<&'a [NodeId]> {
        let Some((lists, counts)) = self.lists else { return Ok(&[]) };
        let (list, count) = (lists.get(index).copied().unwrap_or(null()), counts.get(index).copied().unwrap_or(0));
        // SAFETY: passed on to the caller.
        Ok(unsafe { options::elements(list.cast::<NodeId>(), count, "dependencies") }?.unwrap_or_default())
    }

    /// Adds the nodes from `first` on whose works are launches such as most are, and some at most. Gives how many these are, and what became
    /// of them: nothing yet where each is to be added by itself.
    ///
    /// # Safety
    /// As [`Call::add_all`].
    unsafe fn add_together(
        &self,
        first: usize,
        out: &mut NumbersOut,
    ) -> (usize, Option<std::result::Result<(), BatchError>>) {
        // SAFETY: passed on to the caller.
        let works = unsafe {
            options::in_place(self.works.byte_add(first * self.size), (self.count - first).min(SET_TOGETHER))
        };
        let mut places = [const { MaybeUninit::<UsualLaunch<'_>>::uninit() }; SET_TOGETHER];
        let pinned = handle::pin();
        let mut some = 0;
        for (work, place) in works.unwrap_or_default().iter().zip(&mut places) {
            // SAFETY: passed on to the caller.
            let mut is_read = || unsafe {
                self.before(first + some).is_ok() && usual::read(work, self.graph.context(), &pinned, place).is_some()
            };
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
        let told = |_, NodeId(node)| out.write(node);
        // SAFETY: as above; what is written comes behind the dependencies that are used.
        let before = |index| unsafe { self.before(first + index) }.unwrap_or_default();
        (some, self.graph.add_launches(launches, told, before))
    }

    /// Adds a node that does work of any kind.
    ///
    /// # Safety
    /// As [`Call::add_all`].
    #[cold]
    unsafe fn add_one(&self, index: usize, out: &mut NumbersOut) -> Result<()> {
        let mut copy = MaybeUninit::uninit();
        let mut added = 0;
        // SAFETY: passed on to the caller.
        unsafe {
            let work = self.works.byte_add(index * self.size);
            let stated = options::stated_size(work, "works")?;
            if stated != self.size {
                return Err(Failure::MixedSizes { argument: "works", stated, first: self.size });
            }
            let before = self.before(index)?;
            let before = (before.as_ptr().cast::<gc_node>(), before.len());
            let place = Out::number(&raw mut added, "nodes_out");
            node::add_any(self.handle, before, null(), data::read(work, &mut copy), place)?;
        }
        out.write(added);
        Ok(())
    }
}
