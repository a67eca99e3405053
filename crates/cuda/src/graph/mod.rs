//! Graphs of the driver's, each with its lock: made, kept for, destroyed; their nodes and edges.

mod abroad;
mod allocations;
mod attributed;
mod attributes;
mod captured_nodes;
mod changed;
mod children;
mod conditionals;
mod copies;
mod describe;
pub(super) mod edge_data;
pub(super) mod edges;
mod edit;
mod edits;
mod ends;
mod failure;
mod grids;
mod inner;
mod listing;
mod locked;
pub(super) mod managed_copies;
mod neighbours;
mod node_updates;
mod nodes;
mod outline;
mod owned;
mod parameters;
mod read;
mod refused;
mod related;
mod set_grids;
mod shape;
mod staged;
mod state;
mod within;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

use smallvec::SmallVec;

use super::api::address;
use super::api::{self, Api, Handle, Node, Refusal};
use super::context::CudaContext;
use super::garbage;
use super::memory::node_memory::Excess;
use super::retention::{Held, OfCapture};
use super::shared::{no_address, Shared};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::graphs::exchange;
use graphcap_driver::ids::{lost_graph, no_such, not_of_graph};
use graphcap_driver::{
    callbacks, EdgeData, GraphId, GraphNodes, GraphRef, Graphs, Lists, NodeId, NodeKind, Retained, Side, Work,
};

use changed::Changed;
use grids::Grids;
use inner::{InnerGraphs, Place};
use listing::{all_edges, ask_room, list_copy, nodes};
use neighbours::neighbours;

pub(super) use attributed::{attributed, note_attributed};
pub(super) use captured_nodes::CAPTURED_NODES;
pub(super) use children::{Calls, OfChild};
pub(super) use edit::{never_set, too_many_nodes};
pub(super) use ends::{no_ends, Ends};
pub(super) use failure::{Edited, Failure};
pub(super) use listing::{edge_count, find_nodes, node_count};
pub(super) use locked::{Found, Locked};
pub(super) use node_updates::SetNodes;
pub(super) use nodes::{next_stamp, NodeTable, Nodes};
pub(super) use owned::{now, BegunOn, OWNED};
pub(super) use parameters::launch_digest;
pub(super) use read::must_launch_first;
pub(super) use refused::{because, of_exec, of_kind};
pub(super) use related::related;
pub(super) use shape::Shape;
pub(super) use staged::PutWork;
pub(super) use state::State;

/// The lock of a graph, which is that of the execs made from it as well: the driver keeps what it holds for them together. Two
/// threads that destroyed a graph and its exec at once were seen to crash in it, and a launch at the time of an edit to fail.
pub(crate) type Root = Arc<Mutex<State, rank::GraphRoot>>;

/// A graph. The driver's must not be used by two threads at once, reads included.
#[derive(Clone)]
pub(crate) struct Graph {
    root: Root,
    /// Where it is within the graph whose lock that is; `None` where it is that one.
    place: Option<Place>,
}

impl Graph {
    /// A graph with the names that its nodes have.
    pub(crate) fn new(native: api::Graph, nodes: NodeTable) -> Graph {
        Graph::copied(native, nodes, Lists::new(), BTreeMap::new(), false)
    }

    /// The graph, which nobody else knows, of whose kernels none has launch attributes.
    pub(crate) fn without_attributes(self) -> Graph {
        lock(&self.root).may_have_attributes = false;
        self
    }

    /// The graph, which nobody else knows, whose nodes take their grids from there.
    fn with_grids(self, grids: Grids) -> Graph {
        lock(&self.root).grids = grids;
        self
    }

    /// Whether both are the same graph.
    pub(crate) fn is(&self, other: &Graph) -> bool {
        Arc::ptr_eq(&self.root, &other.root)
    }

    /// Whether a node of another graph has it.
    pub(crate) fn is_within(&self) -> bool {
        self.place.is_some()
    }

    /// A graph that keeps what its original keeps, with the names that the nodes within its child nodes have. `is_of_inner` says
    /// whether it is a copy of a graph within another one, or of such a copy.
    fn copied(
        native: api::Graph,
        nodes: NodeTable,
        kept: Lists,
        child_tables: BTreeMap<NodeId, NodeTable>,
        is_of_inner: bool,
    ) -> Graph {
        let state = |this: &Weak<_>| State {
            this: this.clone(),
            number: nodes::take_stamp(),
            native: Some(native),
            kept,
            given_out: false,
            is_captured: false,
            captured_within: SmallVec::new(),
            nodes,
            changed: Changed::default(),
            inner: InnerGraphs::default(),
            child_tables,
            conditionals: BTreeMap::new(),
            is_of_inner,
            known_calls: BTreeSet::new(),
            memory: Excess::new(),
            held_for: BTreeMap::new(),
            shape: Arc::default(),
            may_have_attributes: true,
            grids: Grids::default(),
        };
        Graph { root: Arc::new_cyclic(|this| Mutex::new(state(this))), place: None }
    }

    /// Makes `call` while no other gc_ call uses the graph, which is within no other one.
    pub(crate) fn with<T>(&self, call: impl FnOnce(api::Graph) -> T) -> Option<T> {
        self.with_state(|native, _| call(native))
    }

    /// Makes `call` with what the graph keeps as well, while no other gc_ call uses the graph, which is within no other one.
    pub(crate) fn with_state<T>(&self, call: impl FnOnce(api::Graph, &mut State) -> T) -> Option<T> {
        // Kept locked for the time of the call.
        let mut state = lock(&self.root);
        state.native.map(|native| call(native, &mut state))
    }

    /// Keeps `list`, also for what is made of the graph hereafter.
    fn keep(&self, api: &Api, list: Retained) -> Option<Result<(), Refusal>> {
        let mut state = lock(&self.root);
        let native = state.native?;
        if state.given_out {
            // SAFETY: the graph's lock is held.
            if let Err(refusal) = unsafe { Held::List(Arc::clone(&list)).attach(api, native) } {
                return Some(Err(refusal));
            }
        }
        state.kept.push(list);
        Some(Ok(()))
    }

    /// Keeps what was attached while the capture went on that gave the graph.
    pub(crate) fn take_over(&self, api: &Api, attached: OfCapture) {
        lock(&self.root).take_over(api, attached);
    }

    /// Ends a capture into the graph through `end`, and keeps what was `attached` meanwhile. The driver destroys the
    /// graph unless that succeeds. `begun_on` tells where the capture was begun.
    pub(crate) fn end_capture(
        &self,
        api: &Api,
        begun_on: BegunOn,
        end: impl FnOnce() -> Result<api::Graph, Refusal>,
        attached: impl FnOnce() -> OfCapture,
    ) -> Result<api::Graph, Refusal> {
        let mut state = lock(&self.root);
        let ended = end();
        match ended {
            Ok(graph) => {
                state.is_captured = false;
                state.native.into_iter().for_each(|native| OWNED.capture_is_over(native, state.given_out));
                // Others may have ended that capture and begun another one on the stream.
                if state.native == Some(graph) {
                    state.take_over(api, attached());
                }
            }
            // On a fork. The capture is broken now, and whoever began it ends it, which graphcap would not see.
            Err(refusal) if refusal.status == Status::CAPTURE_UNMATCHED && begun_on == BegunOn::Unknown => {
                state.lose();
            }
            Err(refusal) if leaves_capture(refusal.status) => {}
            Err(_) => state.lose(),
        }
        ended
    }

    /// Takes the driver's graph out and has it destroyed by `destroy`. Gives what it kept, and the graphs within.
    fn end<T>(&self, destroy: impl FnOnce(api::Graph) -> T) -> (Lists, Vec<GraphId>) {
        let mut state = lock(&self.root);
        if let Some(native) = state.native.take() {
            // Before the driver gives another graph the same handle.
            OWNED.remove(native);
            destroy(native);
        }
        (std::mem::take(&mut state.kept), state.inner.forget_all())
    }

    /// The lock of the graph.
    pub(crate) fn root(&self) -> Root {
        Arc::clone(&self.root)
    }

    /// The lock that execs made from the graph share.
    pub(crate) fn into_root(self) -> Root {
        self.root
    }
}

impl Graphs for CudaContext {
    fn graph_create(&self) -> Result<GraphId> {
        callbacks::check_caller()?;
        let mut graph = Handle::NULL;
        let _current = self.told(self.device.enter())?;
        // SAFETY: `graph` is writable.
        self.told(unsafe { self.api().cuGraphCreate(&mut graph, 0) })?;
        self.enter_graph(Graph::new(graph, NodeTable::default()).without_attributes())
    }

    fn graph_retain(&self, graph: GraphId, retained: Retained) -> Result<()> {
        let graph = self.find_outermost(graph)?;
        self.told(graph.keep(self.api(), retained).ok_or_else(lost_graph)?)
    }

    fn graph_retained(&self, graph: GraphId) -> Result<Vec<Retained>> {
        let graph = self.find_outermost(graph)?;
        graph.with_state(|_, state| state.kept_by_execs().to_vec()).ok_or_else(lost_graph)
    }

    fn graph_exchange_retained(&self, graph: GraphId, old: &Retained, new: Retained) -> Result<Retained> {
        let graph = self.find_outermost(graph)?;
        let exchanged = graph.with_state(|_, state| match state.given_out {
            true => new,
            false => exchange(&mut state.kept, old, new),
        });
        exchanged.ok_or_else(lost_graph)
    }

    fn graph_destroy(&self, graph: GraphId) {
        self.outside_driver(move |shared| shared.graph_destroy(graph));
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
                (nodes(self.api(), native)?, all_edges(self.api(), native)?)
            };
            table.update(nodes.clone());
            let mut named = |(from, to, data): &(Node, Node, EdgeData)| (table.name(*from), table.name(*to), *data);
            Ok(Ok(GraphNodes {
                edges: edges.iter().map(&mut named).map(|(from, to, _)| (from, to)).collect(),
                carrying: edges.iter().filter(|(_, _, data)| !data.is_none()).map(&mut named).collect(),
                nodes: nodes.into_iter().map(|node| table.name(node)).collect(),
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
        let state = lock(unsafe { address::object::<Mutex<State, rank::GraphRoot>>(graph) });
        state.native.is_some() && state.nodes.node(node).is_some()
    }

    fn node_work(&self, graph: GraphRef, node: NodeId, read: &mut dyn FnMut(&Work<'_>)) -> Result<()> {
        match graph {
            GraphRef::Known(graph) => self.edit_graph(graph, |graph| self.read_known_node(graph, node, read)),
            GraphRef::Captured(stream) => self.with_captured_nodes(stream, |native, table, are_others_there| {
                // SAFETY: the graph lives while it is captured into.
                match unsafe { find_nodes(self.api(), native, table, are_others_there, &[node]) }? {
                    // SAFETY: as above; the node is of the graph.
                    Ok(found) => found.into_iter().try_for_each(|found| unsafe { self.read_node(found, read) }).map(Ok),
                    Err(stranger) => Ok(Err(not_of_graph(stranger))),
                }
            }),
        }
    }
}

impl Shared {
    /// The handle of a graph, for others. From here on the driver sees to what the graph keeps, or the one that it is within, for
    /// the execs that they make of it.
    pub(crate) fn graph_native(&self, graph: GraphId) -> Result<usize> {
        self.edit_graph(graph, |graph| {
            graph.state.give_out(graph.api)?;
            Ok(graph.native.number())
        })
    }

    /// The handle of a node, for others, who may change the graph by it.
    pub(crate) fn node_native(&self, graph: GraphId, node: NodeId) -> Result<usize> {
        self.edit_graph(graph, |graph| {
            let handle = graph.find_one(node)?;
            graph.state.give_out(graph.api)?;
            Ok(handle.number())
        })
    }

    pub(crate) fn graph_destroy(&self, graph: GraphId) {
        let removed = {
            let mut graphs = lock(&self.graphs);
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
            let (kept, inner) = graph.end(|native| {
                let _alone = related();
                // SAFETY: as above.
                unsafe { self.api().cuGraphDestroy(native) }
            });
            self.forget_graphs(&inner);
            garbage::end(kept);
        }
    }

    pub(crate) fn find_graph(&self, id: GraphId) -> Option<Graph> {
        lock(&self.graphs).get(&id).cloned()
    }

    /// The id of a graph; `None` for one of another context.
    pub(crate) fn id_of_graph(&self, graph: &Graph) -> Option<GraphId> {
        lock(&self.graphs).iter().find(|(_, known)| known.is(graph) && known.place.is_none()).map(|(&id, _)| id)
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
    fn forget_graphs(&self, gone: &[GraphId]) {
        if !gone.is_empty() {
            let mut graphs = lock(&self.graphs);
            gone.iter().for_each(|gone| drop(graphs.remove(gone)));
        }
    }

    fn graph<T>(&self, id: GraphId, call: impl FnOnce(api::Graph) -> Result<T, Refusal>) -> Result<T> {
        self.edit_graph(id, |graph| Ok(call(graph.native)?))
    }

    /// Makes `call` with a graph, the names of its nodes, and whether others may have changed it, while no other call
    /// uses the graph.
    pub(crate) fn with_nodes<T>(
        &self,
        graph: GraphRef,
        call: impl FnOnce(api::Graph, &mut NodeTable, bool) -> Result<Result<T>, Refusal>,
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
    fn next_graph(&self) -> u64 {
        self.last_graph.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Enters a graph that nobody else knows, and that is within no other one.
    pub(crate) fn enter_graph(&self, graph: Graph) -> Result<GraphId> {
        let Some(id) = address::id_of(&graph.root, self.next_graph()).map(GraphId) else {
            // SAFETY: nobody else knows the graph; its lock is held.
            garbage::end(
                graph
                    .end(|native| {
                        let _alone = related();
                        // SAFETY: as above.
                        unsafe { self.api().cuGraphDestroy(native) }
                    })
                    .0,
            );
            return Err(no_address());
        };
        lock(&self.graphs).insert(id, graph);
        Ok(id)
    }
}

/// Set in the ids of graphs within other ones, which are numbers. Those of others are addresses.
const IS_INNER: u64 = 1 << 63;

/// The id of a graph that is within no other one, as an address; `None` for one that is.
fn address_of(GraphId(id): GraphId) -> Option<u64> {
    (id & IS_INNER == 0).then_some(id)
}

/// What a graph within another one answers to what only an outermost one can do.
#[cold]
fn is_inner() -> Error {
    Error::invalid_value(
        "the graph belongs to a node of another graph: it can be edited, copied and captured into, and is not instantiated; make a \
         copy of it for that",
    )
}

/// Whether an end of a capture that answers `status` leaves the capture as it is.
pub(crate) fn leaves_capture(status: Status) -> bool {
    matches!(
        status,
        Status::ILLEGAL_STATE | Status::CAPTURE_UNMATCHED | Status::CAPTURE_IMPLICIT | Status::NOT_PERMITTED
    )
}
