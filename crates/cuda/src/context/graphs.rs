//! Graphs of the driver's, each with its lock: made, kept for, destroyed; their nodes and edges. The implementation of
//! [`Graphs`].

use std::sync::atomic::Ordering;

use super::CudaContext;
use crate::api::address;
use crate::api::answers::no_address;
use crate::api::{self, DriverError, Handle, Node};
use crate::deferred;
use crate::graph::adjacency::neighbours;
use crate::graph::listing::{ask_room, list, list_copy, list_edges};
use crate::graph::read::Codes;
use crate::graph::state::{address_of, is_inner};
use crate::graph::{edge_count, find_nodes, node_count, read, related, AddressReader, Graph, GraphState, NodeTable};
use crate::shared::Shared;
use graphcap_base::error::Result;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::ids::{lost_graph, no_such, not_of_graph};
use graphcap_driver::{
    callbacks, Address, EdgeData, GraphId, GraphNodes, GraphRef, Graphs, Lists, NodeId, NodeKind, ReadKernels,
    Retained, Side, Work,
};

impl Graphs for CudaContext {
    fn graph_create(&self) -> Result<GraphId> {
        callbacks::check_caller()?;
        let mut graph = Handle::NULL;
        let _current = self.map_error(self.device.enter())?;
        // SAFETY: `graph` is writable.
        self.map_error(unsafe { self.api().cuGraphCreate(&mut graph, 0) })?;
        self.enter_graph(Graph::new(graph, NodeTable::default()).without_attributes())
    }

    fn graph_retain(&self, graph: GraphId, lists: &[Retained]) -> Result<()> {
        let give = |_, state: &mut GraphState| state.give_out(self.api(), lists);
        self.map_error(self.find_outermost(graph)?.with_state(give).ok_or_else(lost_graph)?)
    }

    fn graph_was_taken(&self, graph: GraphId) -> bool {
        let given_out = self.find_outermost(graph).map(|graph| graph.with_state(|_, state| state.given_out));
        matches!(given_out, Ok(Some(true)))
    }

    fn graph_is_lost(&self, graph: GraphId) -> bool {
        self.find_graph(graph).is_some_and(|graph| graph.with_state(|_, _| ()).is_none())
    }

    fn graph_destroy_with(&self, graph: GraphId, kept: Lists) {
        self.outside_driver(move |shared| shared.graph_destroy(graph, kept));
    }

    fn graph_node_count(&self, graph: GraphId) -> Result<usize> {
        callbacks::check_caller()?;
        // SAFETY: the graph's lock is held.
        self.graph(graph, |graph| unsafe { node_count(self.api(), graph) })
    }

    fn graph_edge_count(&self, graph: GraphId) -> Result<usize> {
        callbacks::check_caller()?;
        // SAFETY: the graph's lock is held.
        self.graph(graph, |graph| unsafe { edge_count(self.api(), graph) })
    }

    fn graph_nodes(&self, graph: GraphRef) -> Result<GraphNodes> {
        self.with_nodes(graph, |native, table, _| {
            // SAFETY: the graph's lock is held, or it lives while it is captured into.
            let counts = unsafe { (node_count(self.api(), native)?, edge_count(self.api(), native)?) };
            if let Err(error) = ask_room(counts) {
                return Ok(Err(error));
            }
            // SAFETY: as above.
            let (nodes, edges) = unsafe {
                list_copy(self.api(), native, table)?;
                (list(self.api(), native, counts.0)?, list_edges(self.api(), native, counts.1)?)
            };
            table.update(nodes.clone());
            let mut next = (0, 0, 0);
            let mut named = |(from, to, data): &(Node, Node, EdgeData)| {
                (table.name_next(*from, &mut next.0), table.name_next(*to, &mut next.1), *data)
            };
            Ok(Ok(GraphNodes {
                edges: edges.iter().map(&mut named).map(|(from, to, _)| (from, to)).collect(),
                carrying: edges.iter().filter(|(_, _, data)| !data.is_none()).map(&mut named).collect(),
                nodes: nodes.into_iter().map(|node| table.name_next(node, &mut next.2)).collect(),
            }))
        })
    }

    fn node_kind(&self, graph: GraphId, node: NodeId) -> Result<NodeKind> {
        self.edit_graph(graph, |graph| {
            let handle = graph.find_one(node)?;
            // SAFETY: the graph's lock is held, and the node is of the graph.
            Ok(unsafe { read::kind(graph.api, handle) }?)
        })
    }

    fn node_neighbours(&self, graph: GraphId, node: NodeId, side: Side) -> Result<Vec<(NodeId, EdgeData)>> {
        match self.named_neighbours(graph, node, side)? {
            Some(named) => Ok(named),
            None => self.graph_nodes(GraphRef::Known(graph))?.neighbours(node, side),
        }
    }

    fn node_waits(&self, graph: GraphId, node: NodeId) -> Result<Vec<NodeId>> {
        self.edit_graph(graph, |graph| {
            let handle = graph.find_one(node)?;
            // SAFETY: the graph's lock is held, and the node is of the graph.
            let before: Vec<_> = unsafe { neighbours(graph.api, handle, Side::Before) }?.collect();
            let nodes = graph.nodes();
            Ok(before.into_iter().map(|(node, _)| nodes.name(node)).collect())
        })
    }

    fn graph_has_node(&self, graph: GraphId, node: NodeId) -> bool {
        let Some(graph) = address_of(graph) else { return false };
        // SAFETY: core holds the graph whose id it passes, so that it is not destroyed, and `graphs` holds it until then.
        let state = lock(unsafe { address::object::<Mutex<GraphState, rank::GraphRoot>>(graph) });
        state.native.is_some() && state.nodes.node(node).is_some()
    }

    fn node_work(&self, graph: GraphRef, node: NodeId, read: &mut dyn FnMut(&Work<'_>)) -> Result<()> {
        match graph {
            GraphRef::Known(graph) => self.edit_graph(graph, |graph| self.read_known_node(graph, node, read)),
            GraphRef::Captured(stream) => self.with_captured_nodes(stream, |native, table, are_others_there| {
                // SAFETY: the graph lives while it is captured into.
                match unsafe { find_nodes(self.api(), native, table, are_others_there, &[node]) }? {
                    // SAFETY: as above; the node is of the graph.
                    Ok(found) => found
                        .into_iter()
                        .try_for_each(|found| unsafe { self.read_node(found, &mut Codes::default(), read) })
                        .map(Ok),
                    Err(stranger) => Ok(Err(not_of_graph(stranger))),
                }
            }),
        }
    }

    fn graph_work(&self, graph: GraphId, kernels: ReadKernels, read: &mut dyn FnMut(NodeId, &Work<'_>)) -> Result<()> {
        self.edit_graph(graph, |graph| self.read_known_nodes(graph, kernels, read))
    }

    fn graph_begin_reading(&self, graph: GraphId) -> Result<bool> {
        self.edit_graph(graph, |graph| {
            graph.look()?;
            Ok(graph.state.given_out && graph.nodes().begin_reading())
        })
    }

    fn graph_end_reading(&self, graph: GraphId) {
        // A graph that is lost meanwhile nobody reads any more.
        let _ = self.edit_graph(graph, |graph| {
            graph.nodes().end_reading();
            Ok(())
        });
    }

    fn graph_addresses(&self, graph: GraphId, note: &mut dyn FnMut(Address)) -> Result<()> {
        // SAFETY: the graph's lock is held.
        self.edit_graph(graph, |graph| Ok(unsafe { AddressReader::new(graph.api, note).read(graph.native) }?))
    }
}

impl Shared {
    /// The handle of a graph. Before others have it, [`Graphs::graph_retain`] is called.
    pub(crate) fn graph_native(&self, graph: GraphId) -> Result<usize> {
        self.edit_graph(graph, |graph| Ok(graph.native.number()))
    }

    /// The handle of a node. Before others have it, [`Graphs::graph_retain`] is called for its graph.
    pub(crate) fn node_native(&self, graph: GraphId, node: NodeId) -> Result<usize> {
        self.edit_graph(graph, |graph| Ok(graph.find_one(node)?.number()))
    }

    fn graph_destroy(&self, graph: GraphId, kept: Lists) {
        let removed = {
            let mut graphs = lock(&self.objects.graphs);
            // One within another graph goes with its node.
            let is_outermost = graphs.get(&graph).is_some_and(|graph| graph.place.is_none());
            if is_outermost {
                graphs.remove(&graph)
            } else {
                None
            }
        };
        if let Some(graph) = removed {
            // SAFETY: taken out of its place, so that it is destroyed once and no other call uses it; its lock is held.
            let inner = graph.end(|native| {
                let _alone = related();
                // SAFETY: as above.
                unsafe { self.api().cuGraphDestroy(native) }
            });
            self.forget_graphs(&inner);
            deferred::drop_now(kept);
        }
    }

    pub(crate) fn find_graph(&self, id: GraphId) -> Option<Graph> {
        lock(&self.objects.graphs).get(&id).cloned()
    }

    /// The id of a graph; `None` for one of another context.
    pub(crate) fn id_of_graph(&self, graph: &Graph) -> Option<GraphId> {
        lock(&self.objects.graphs).iter().find(|(_, known)| known.is(graph) && known.place.is_none()).map(|(&id, _)| id)
    }

    /// A graph that is within no other one.
    pub(crate) fn find_outermost(&self, id: GraphId) -> Result<Graph> {
        let graph = self.find_graph(id).ok_or_else(|| no_such("graph"))?;
        match graph.place {
            None => Ok(graph),
            Some(_) => Err(is_inner()),
        }
    }

    /// Forgets graphs that were within one that is gone, or whose nodes are.
    pub(crate) fn forget_graphs(&self, gone: &[GraphId]) {
        if !gone.is_empty() {
            let mut graphs = lock(&self.objects.graphs);
            gone.iter().for_each(|gone| drop(graphs.remove(gone)));
        }
    }

    pub(crate) fn graph<T>(
        &self,
        id: GraphId,
        call: impl FnOnce(api::GraphHandle) -> Result<T, DriverError>,
    ) -> Result<T> {
        self.edit_graph(id, |graph| Ok(call(graph.native)?))
    }

    /// Makes `call` with a graph, the names of its nodes, and whether others may have changed it, while no other call
    /// uses the graph.
    pub(crate) fn with_nodes<T>(
        &self,
        graph: GraphRef,
        call: impl FnOnce(api::GraphHandle, &mut NodeTable, bool) -> Result<Result<T>, DriverError>,
    ) -> Result<T> {
        callbacks::check_caller()?;
        match graph {
            GraphRef::Known(graph) => self.edit_graph(graph, |graph| {
                let (native, are_others_there) = (graph.native, graph.state.given_out);
                Ok(call(native, graph.nodes(), are_others_there)??)
            }),
            GraphRef::Captured(stream) => self.with_captured_nodes(stream, call),
        }
    }

    /// The next number of a graph, by which ids differ of graphs that had one address after another.
    pub(crate) fn next_graph(&self) -> u64 {
        self.objects.last_graph.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Enters a graph that nobody else knows, and that is within no other one.
    pub(crate) fn enter_graph(&self, graph: Graph) -> Result<GraphId> {
        let Some(id) = address::id_of(&graph.root, self.next_graph()).map(GraphId) else {
            // SAFETY: nobody else knows the graph; its lock is held.
            graph.end(|native| {
                let _alone = related();
                // SAFETY: as above.
                unsafe { self.api().cuGraphDestroy(native) }
            });
            return Err(no_address());
        };
        lock(&self.objects.graphs).insert(id, graph);
        Ok(id)
    }
}
