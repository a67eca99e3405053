//! State under the lock of a graph: the driver's graph and the names of its nodes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Weak};

use smallvec::SmallVec;

use super::changed::Changed;
use super::grids::Grids;
use super::listing::nodes;
use super::nested::{NestedGraphs, NestedRef};
use super::nodes::{take_stamp, NodeTable};
use super::shape::Shape;
use super::staged::Captured;
use crate::api::{self, Api, DriverError, UserObject};
use crate::captures::gate::{self, GateWrite};
use crate::memory::node_memory::{Excess, Memories, NodeMemory};
use crate::retention::{Attached, OfCapture};
use graphcap_base::error::Error;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{Conditional, GraphId, Lists, NodeId, Retained};

/// State under the lock of a graph.
pub(crate) struct GraphState {
    /// The lock of the outermost graph.
    pub(crate) this: Weak<Mutex<GraphState, rank::GraphRoot>>,
    /// Tells it from all others.
    pub(crate) number: u64,
    /// `None` when it was destroyed, which the driver does itself when a capture into it fails.
    pub(crate) native: Option<api::GraphHandle>,
    /// Tells whether others have the handle. Core has what it keeps for the graph hang on the driver's graph as well then.
    pub(crate) given_out: bool,
    /// Tells whether a capture goes into it, as far as graphcap knows: others may have ended it.
    pub(crate) is_captured: bool,
    /// The graphs within that captures are to go into, and what those put into them by hand.
    pub(super) captured_within: SmallVec<[Captured; 1]>,
    /// The names of its nodes.
    pub(crate) nodes: NodeTable,
    pub(super) for_execs: ForExecs,
    /// The graphs of its nodes that were asked for.
    pub(super) inner: NestedGraphs,
    /// The names of the nodes of children whose graph was not asked for yet, by the child node.
    pub(crate) child_tables: BTreeMap<NodeId, NodeTable>,
    /// The conditional nodes, of graphs within as well. The driver does not tell.
    pub(crate) conditionals: BTreeMap<NodeId, Conditional>,
    pub(crate) calls: CallsHeld,
    /// Memory that its nodes, and those of graphs within, allocate and free.
    pub(crate) memory: Excess,
    /// Sources of its nodes' grids.
    pub(super) grids: Grids,
}

/// Host functions that the driver's graph holds for its nodes.
#[derive(Default)]
pub(crate) struct CallsHeld {
    /// Tells whether the graph is a copy of a graph within another one, or of such a copy: what holds the host functions that its nodes
    /// call is not known then.
    pub(crate) is_of_inner: bool,
    /// Those that it is known to hold for nodes of graphs within, and of a copy of such a graph, by their addresses.
    pub(crate) known: BTreeSet<usize>,
    /// By which it holds those of children that took the place of others, by their nodes.
    pub(crate) of_children: BTreeMap<NodeId, Vec<UserObject>>,
}

/// State of a graph that its execs are compared with.
pub(crate) struct ForExecs {
    /// The graph as it is, which execs that are made now have.
    pub(crate) shape: Arc<Shape>,
    /// Attributes of kernel nodes, of graphs within as well, that execs may have as they were.
    pub(super) changed: Changed,
    /// Tells whether a kernel may have launch attributes, as far as graphcap made the graph.
    pub(crate) may_have_attributes: bool,
}

impl GraphState {
    /// Returns whether nodes take their grids from memory, which kernels of its execs set: they have to be uploaded before the first
    /// launch.
    pub(crate) fn has_grids(&self) -> bool {
        !self.grids.is_empty()
    }

    /// The names of the graph's nodes.
    pub(crate) fn nodes(&mut self) -> &mut NodeTable {
        &mut self.nodes
    }

    /// Returns whether others have the handle, and may change the graph.
    pub(crate) fn is_given_out(&self) -> bool {
        self.given_out
    }

    /// Names every node, for an exec that is about to be made of the graph, if one has a name. Nodes that are named later
    /// then came later.
    ///
    /// # Safety
    /// `graph` is the state's graph, of so many nodes, which no other thread uses.
    pub(crate) unsafe fn name_all(
        &mut self,
        api: &Api,
        graph: api::GraphHandle,
        count: usize,
    ) -> Result<(), DriverError> {
        if self.nodes.is_used() && (self.given_out || self.nodes.count() != count) {
            // SAFETY: passed on to the caller.
            self.nodes.update(unsafe { nodes(api, graph) }?);
        }
        Ok(())
    }

    /// Returns what an exec that is made now allocates and frees.
    pub(crate) fn memories(&self) -> Memories {
        Memories::new(self.number, &self.memory)
    }

    /// A node allocates memory, or frees it.
    pub(super) fn note_memory(&mut self, memory: &Arc<NodeMemory>, excess: isize) {
        if self.given_out {
            memory.lose_sight();
        }
        let known = self.memory.entry(memory.address).or_insert_with(|| (Arc::clone(memory), 0));
        if !Arc::ptr_eq(&known.0, memory) {
            // What was there before went with its graph.
            *known = (Arc::clone(memory), 0);
        }
        known.1 += excess;
    }

    /// Returns whether a kernel may have launch attributes.
    pub(crate) fn may_have_attributes(&self) -> bool {
        self.for_execs.may_have_attributes || self.given_out
    }

    /// A kernel may have launch attributes from here on.
    pub(crate) fn note_attributes(&mut self) {
        if !self.for_execs.may_have_attributes {
            self.for_execs.may_have_attributes = true;
        }
    }

    /// For calls of the driver's on the graph and its execs: no thread records into it meanwhile.
    pub(crate) fn alone(&self) -> Option<GateWrite> {
        self.is_captured.then(gate::write)
    }

    /// A capture into the graph begins.
    pub(crate) fn note_captured(&mut self) {
        self.is_captured = true;
        self.note_attributes();
    }

    /// Takes off what was attached while the capture went on that gave the graph, or went into it, into `held`. Where others have the
    /// graph, the driver goes on to hold it as well.
    pub(crate) fn take_off(&self, api: &Api, attached: OfCapture, held: &mut Lists) {
        let native = self.native.filter(|_| !self.given_out);
        // SAFETY: a state is reached under its graph's lock alone; the capture was of this graph.
        held.extend(attached.into_iter().filter_map(|attached| unsafe { attached.take_off(api, native) }));
    }

    /// Makes the driver hold what is `kept` for the graph, all of it or nothing: others have the graph, or may end a capture into it, which
    /// gives it to them. Gives what is to be taken off again when graphcap ends that.
    pub(crate) fn lend(&self, api: &Api, kept: &[Retained]) -> Result<OfCapture, DriverError> {
        let mut attached = OfCapture::new();
        let Some(native) = self.native else { return Ok(attached) };
        for list in kept {
            // SAFETY: a state is reached under its graph's lock alone.
            match unsafe { Attached::to(api, native, Arc::clone(list)) } {
                Ok(one) => attached.push(one),
                Err(refusal) => {
                    // SAFETY: as above. The caller has the lists as well.
                    attached.into_iter().for_each(|one| drop(unsafe { one.take_off(api, Some(native)) }));
                    return Err(refusal);
                }
            }
        }
        Ok(attached)
    }
}

/// The lock of a graph, which is that of the execs made from it as well: the driver keeps what it holds for them together. Two
/// threads that destroyed a graph and its exec at once were seen to crash in it, and a launch at the time of an edit to fail.
pub(crate) type Root = Arc<Mutex<GraphState, rank::GraphRoot>>;

/// A graph. The driver's must not be used by two threads at once, reads included.
#[derive(Clone)]
pub(crate) struct Graph {
    pub(crate) root: Root,
    /// Path within the graph whose lock that is; `None` for that graph itself.
    pub(crate) place: Option<NestedRef>,
}

impl Graph {
    /// A graph with the names that its nodes have.
    pub(crate) fn new(native: api::GraphHandle, nodes: NodeTable) -> Graph {
        Graph::copied(native, nodes, BTreeMap::new(), false)
    }

    /// The graph, which nobody else knows, of whose kernels none has launch attributes.
    pub(crate) fn without_attributes(self) -> Graph {
        lock(&self.root).for_execs.may_have_attributes = false;
        self
    }

    /// The graph, which nobody else knows, whose nodes take their grids from there.
    pub(super) fn with_grids(self, grids: Grids) -> Graph {
        lock(&self.root).grids = grids;
        self
    }

    /// Returns whether both are the same graph.
    pub(crate) fn is(&self, other: &Graph) -> bool {
        Arc::ptr_eq(&self.root, &other.root)
    }

    /// Returns whether a node of another graph has it.
    pub(crate) fn is_within(&self) -> bool {
        self.place.is_some()
    }

    /// A copy of a graph, with the names that the nodes within its child nodes have. `is_of_inner` says
    /// whether it is a copy of a graph within another one, or of such a copy.
    pub(crate) fn copied(
        native: api::GraphHandle,
        nodes: NodeTable,
        child_tables: BTreeMap<NodeId, NodeTable>,
        is_of_inner: bool,
    ) -> Graph {
        let state = |this: &Weak<_>| GraphState {
            this: this.clone(),
            number: take_stamp(),
            native: Some(native),
            given_out: false,
            is_captured: false,
            captured_within: SmallVec::new(),
            nodes,
            for_execs: ForExecs { shape: Arc::default(), changed: Changed::default(), may_have_attributes: true },
            inner: NestedGraphs::default(),
            child_tables,
            conditionals: BTreeMap::new(),
            calls: CallsHeld { is_of_inner, ..CallsHeld::default() },
            memory: Excess::new(),
            grids: Grids::default(),
        };
        Graph { root: Arc::new_cyclic(|this| Mutex::new(state(this))), place: None }
    }

    /// Makes `call` while no other gc_ call uses the graph, which is within no other one.
    pub(crate) fn with<T>(&self, call: impl FnOnce(api::GraphHandle) -> T) -> Option<T> {
        self.with_state(|native, _| call(native))
    }

    /// Makes `call` with the state as well, while no other gc_ call uses the graph, which is within no other one.
    pub(crate) fn with_state<T>(&self, call: impl FnOnce(api::GraphHandle, &mut GraphState) -> T) -> Option<T> {
        // Kept locked for the time of the call.
        let mut state = lock(&self.root);
        state.native.map(|native| call(native, &mut state))
    }

    /// Takes off what was attached while the capture went on that gave the graph, into `held`.
    pub(crate) fn take_off(&self, api: &Api, attached: OfCapture, held: &mut Lists) {
        lock(&self.root).take_off(api, attached, held);
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

/// Set in the ids of graphs within other ones, which are numbers. Those of others are addresses.
pub(crate) const IS_INNER: u64 = 1 << 63;

/// The id of a graph that is within no other one, as an address; `None` for one that is.
pub(crate) fn address_of(GraphId(id): GraphId) -> Option<u64> {
    (id & IS_INNER == 0).then_some(id)
}

/// Returns what a graph within another one answers to what only an outermost one can do.
#[cold]
pub(crate) fn is_inner() -> Error {
    Error::invalid_value(
        "the graph belongs to a node of another graph: it can be edited, copied and captured into, and is not instantiated; make a \
         copy of it for that",
    )
}
