//! Copies of graphs.

use std::collections::BTreeMap;

use super::children::calls_of;
use super::failure::Edited;
use super::listing::{list_copy, nodes};
use super::locked::Locked;
use super::nodes::NodeTable;
use super::refused::because_of;
use super::related;
use super::state::Graph;
use crate::api::{self, Api, DriverError, Handle};
use crate::code::function::HostCalls;
use crate::retention::UserData;
use crate::shared::Shared;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::{GraphId, NodeId};

/// Reason for which the driver copies no graph.
const NOT_COPIED: &str =
    "a graph that allocates, frees, has conditions, or is the body of a conditional cannot be copied";

impl Shared {
    pub(crate) fn copy_graph(&self, graph: GraphId) -> Result<GraphId> {
        let copied = self.edit_graph(graph, |graph| {
            graph.name_all()?;
            let may_have_attributes = graph.state.may_have_attributes();
            let is_inner = graph.place.is_some();
            let calls = match is_inner {
                // SAFETY: the graph's lock is held.
                true => unsafe { calls_of(graph.api, graph.native) }?,
                false => HostCalls::new(),
            };
            for owner in graph.owners_of_grids() {
                let handle = graph.find_one(owner)?;
                self.graphs_of(graph, owner, handle)?;
            }
            graph.list_children()?;
            self.check_unchangeable(graph)?;
            let mut copy = Handle::NULL;
            let _current = self.device.enter()?;
            {
                let _alone = related();
                // SAFETY: the graph's lock is held; `copy` is writable.
                unsafe { graph.api.cuGraphClone(&mut copy, graph.native) }
                    .map_err(|refusal| because_of(graph.api, refusal, Status::NOT_SUPPORTED, NOT_COPIED))?;
            }
            let table = graph.nodes().copy();
            let tables = if is_inner { BTreeMap::new() } else { graph.child_tables(&table) };
            let grids = graph.copied_grids(&table, &tables).inspect_err(|_| destroy_copy(graph.api, copy))?;
            if is_inner {
                // What it needs hangs on the outermost graph, and the driver's copy does not have that.
                graph.hold_in(copy, calls)?;
            }
            let is_of_inner = is_inner || graph.state.calls.is_of_inner;
            Ok((Graph::copied(copy, table, tables, is_of_inner), grids, may_have_attributes))
        });
        // Where the original is locked no longer.
        let copied = copied.map(|(copy, grids, may_have_attributes)| match may_have_attributes {
            true => copy.with_grids(grids),
            false => copy.with_grids(grids).without_attributes(),
        });
        copied.and_then(|copy| self.enter_graph(copy))
    }

    pub(crate) fn find_in_copy(&self, graph: GraphId, node: NodeId, copy: GraphId) -> Result<NodeId> {
        self.find_all_in_copy(graph, &[node], copy)?.pop().ok_or_else(|| no_copy(node))
    }

    /// The copies of nodes. Where others know the graph, the driver lists its nodes once.
    pub(crate) fn find_all_in_copy(&self, graph: GraphId, nodes: &[NodeId], copy: GraphId) -> Result<Vec<NodeId>> {
        let original = self.edit_graph(graph, |graph| {
            graph.find(nodes)?;
            Ok(graph.nodes().number())
        })?;
        self.edit_graph(copy, |copy| {
            copy.find(&[])?;
            let found = nodes.iter().map(|&node| copy.nodes().copy_of(node, original).ok_or_else(|| no_copy(node)));
            Ok(found.collect::<Result<_>>()?)
        })
    }
}

impl Locked<'_> {
    /// Lists the nodes of the graphs of child nodes that were asked for.
    fn list_children(&mut self) -> Edited<()> {
        // Others may have removed such a graph.
        if self.place.is_some() || self.state.given_out {
            return Ok(());
        }
        for inner in self.state.inner.all().filter(|inner| inner.within.is_none()) {
            // SAFETY: the lock is held, which is that of the graphs within, too.
            unsafe {
                list_copy(self.api, inner.native, &mut inner.nodes)?;
                inner.nodes.update(nodes(self.api, inner.native)?);
            }
        }
        Ok(())
    }

    /// The names of the nodes within the child nodes of a copy that has the names `copy`.
    fn child_tables(&mut self, copy: &NodeTable) -> BTreeMap<NodeId, NodeTable> {
        if self.state.given_out {
            return BTreeMap::new();
        }
        let children = self.state.inner.all().filter(|inner| inner.within.is_none());
        children.map(|inner| (copy.copy_in_place(inner.owner), inner.nodes.copy())).collect()
    }

    /// Makes a copy hold host functions that its nodes call. The copy goes where that fails.
    fn hold_in(&mut self, copy: api::GraphHandle, calls: HostCalls) -> Result<(), DriverError> {
        for call in calls {
            // SAFETY: the copy was just made and nobody else knows it.
            unsafe { UserData::Call(call).attach(self.api, copy) }.inspect_err(|_| destroy_copy(self.api, copy))?;
        }
        Ok(())
    }
}

/// Destroys a copy that was just made, and that nobody else knows.
#[cold]
fn destroy_copy(api: &Api, copy: api::GraphHandle) {
    let _alone = related();
    // SAFETY: callers pass on a copy of their own, of which nothing is left.
    let _ = unsafe { api.cuGraphDestroy(copy) };
}

#[cold]
fn no_copy(NodeId(node): NodeId) -> Error {
    Error::invalid_value(format!(
        "the other graph has no copy of node {node:#x}: it is no copy of the graph, was copied before the node was added, or its \
         node was removed"
    ))
}
