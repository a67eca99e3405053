//! What is under the lock of a graph: the driver's graph, what it keeps, and the names of its nodes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Weak};

use smallvec::SmallVec;

use super::changed::Changed;
use super::grids::Grids;
use super::inner::InnerGraphs;
use super::listing::{list_copy, nodes};
use super::shape::Shape;
use super::staged::Captured;
use super::{BegunOn, NodeTable, OWNED};
use crate::api::{self, Api, Refusal, UserObject};
use crate::captures::gate::{self, Alone};
use crate::garbage;
use crate::memory::node_memory::{Excess, Memories, NodeMemory};
use crate::retention::{Attached, OfCapture};
use graphcap_base::lock::{rank, Mutex};
use graphcap_driver::graphs::is_same;
use graphcap_driver::{Conditional, Lists, NodeId, Retained};

/// What is under the lock of a graph.
pub(crate) struct State {
    /// That lock.
    pub(super) this: Weak<Mutex<State, rank::GraphRoot>>,
    /// Tells it from all others.
    pub(super) number: u64,
    /// `None` when it was destroyed, which the driver does itself when a capture into it fails.
    pub(super) native: Option<api::Graph>,
    pub(super) kept: Lists,
    /// Whether others have the handle. What it keeps hangs on the driver's graph as well then.
    pub(super) given_out: bool,
    /// Whether a capture goes into it, as far as graphcap knows: others may have ended it.
    pub(super) is_captured: bool,
    /// The graphs within that captures are to go into, and what those put into them by hand.
    pub(super) captured_within: SmallVec<[Captured; 1]>,
    /// The names of its nodes.
    pub(super) nodes: NodeTable,
    /// Attributes of kernel nodes, of graphs within as well, that execs may have as they were.
    pub(super) changed: Changed,
    /// The graphs of its nodes that were asked for.
    pub(super) inner: InnerGraphs,
    /// The names of the nodes of children whose graph was not asked for yet, by the child node.
    pub(super) child_tables: BTreeMap<NodeId, NodeTable>,
    /// What the conditional nodes are, of graphs within as well. The driver does not tell.
    pub(super) conditionals: BTreeMap<NodeId, Conditional>,
    /// Whether it is a copy of a graph within another one, or of such a copy: what holds the host functions that its nodes call is
    /// not known then.
    pub(super) is_of_inner: bool,
    /// The host functions that it is known to hold for nodes of graphs within, and of a copy of such a graph, by their addresses.
    pub(super) known_calls: BTreeSet<usize>,
    /// What its nodes, and those of graphs within, allocate and free.
    pub(super) memory: Excess,
    /// By which it holds host functions of children that took the place of others, by their nodes.
    pub(super) held_for: BTreeMap<NodeId, Vec<UserObject>>,
    /// The graph as it is, which execs that are made now have.
    pub(super) shape: Arc<Shape>,
    /// Whether a kernel may have launch attributes, as far as graphcap made the graph.
    pub(super) may_have_attributes: bool,
    /// Where its nodes take their grids from.
    pub(super) grids: Grids,
}

impl State {
    /// Whether nodes take their grids from memory, which kernels of its execs set: they have to be uploaded before the first launch.
    pub(crate) fn has_grids(&self) -> bool {
        !self.grids.is_empty()
    }

    /// The names of the graph's nodes.
    pub(crate) fn nodes(&mut self) -> &mut NodeTable {
        &mut self.nodes
    }

    /// Whether others have the handle, and may change the graph.
    pub(crate) fn is_given_out(&self) -> bool {
        self.given_out
    }

    /// Has every node named, for an exec that is about to be made of the graph, if one has a name. Nodes that are named later
    /// then came later.
    ///
    /// # Safety
    /// `graph` is the state's graph, of so many nodes, which no other thread uses.
    pub(crate) unsafe fn name_all(&mut self, api: &Api, graph: api::Graph, count: usize) -> Result<(), Refusal> {
        if self.nodes.is_used() && (self.given_out || self.nodes.count() != count) {
            // SAFETY: passed on to the caller.
            self.nodes.update(unsafe { nodes(api, graph) }?);
        }
        Ok(())
    }

    /// What an exec that is made now allocates and frees.
    pub(crate) fn memories(&self) -> Memories {
        self.memory.values().map(|(memory, excess)| (Arc::clone(memory), *excess > 0)).collect()
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

    /// Whether a kernel may have launch attributes.
    pub(crate) fn may_have_attributes(&self) -> bool {
        self.may_have_attributes || self.given_out
    }

    /// A kernel may have launch attributes from here on.
    pub(crate) fn note_attributes(&mut self) {
        if !self.may_have_attributes {
            self.may_have_attributes = true;
        }
    }

    /// For calls of the driver's on the graph and its execs: no thread records into it meanwhile.
    pub(crate) fn alone(&self) -> Option<Alone> {
        self.is_captured.then(gate::alone)
    }

    /// A capture into the graph begins.
    pub(crate) fn note_captured(&mut self) {
        self.is_captured = true;
        self.note_attributes();
    }

    /// What an exec that is made now has to keep itself.
    pub(crate) fn held_apart(&self) -> Lists {
        self.kept_by_execs().iter().map(|list| Arc::clone(list).to_be_held_apart()).collect()
    }

    /// None where the driver holds them for the graph and for its execs.
    pub(super) fn kept_by_execs(&self) -> &[Retained] {
        match self.given_out {
            true => &[],
            false => &self.kept,
        }
    }

    /// Keeps what was attached while the capture went on that gave the graph, or went into it.
    pub(super) fn take_over(&mut self, api: &Api, attached: OfCapture) {
        let Some(native) = self.native.filter(|_| !self.given_out) else { return };
        // SAFETY: a state is reached under its graph's lock alone; the capture was of this graph.
        for list in attached.into_iter().filter_map(|attached| unsafe { attached.take_off(api, native) }) {
            if !self.kept.iter().any(|kept| is_same(kept, &list)) {
                self.kept.push(list);
            }
        }
    }

    /// Has the driver hold what the graph keeps, for a capture into it that others may end, which gives them the graph.
    /// Gives what is to be taken off again when graphcap ends it.
    pub(crate) fn lend(&self, api: &Api) -> Result<OfCapture, Refusal> {
        let mut attached = OfCapture::new();
        let Some(native) = self.native.filter(|_| !self.given_out) else { return Ok(attached) };
        for list in &self.kept {
            // SAFETY: a state is reached under its graph's lock alone.
            match unsafe { Attached::to(api, native, Arc::clone(list)) } {
                Ok(one) => attached.push(one),
                Err(refusal) => {
                    self.take_back(api, attached);
                    return Err(refusal);
                }
            }
        }
        Ok(attached)
    }

    /// Begins a capture into the graph through `begin`. Another handle of the stream can end it at once, and must find
    /// where it was begun.
    pub(crate) fn begin_capture(
        &self,
        begun_on: BegunOn,
        begin: impl FnOnce() -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let Some(native) = self.native else { return begin() };
        let before = OWNED.begin_capture(native, self, begun_on);
        begin().inspect_err(|_| OWNED.not_begun(native, before))
    }

    /// The driver destroys the graph, now or when the capture that goes into it is ended.
    pub(super) fn lose(&mut self) {
        self.native.take().into_iter().for_each(|native| OWNED.remove(native));
        self.kept.drain(..).for_each(garbage::put);
    }

    /// Others have the handle from here on.
    pub(crate) fn give_out(&mut self, api: &Api) -> Result<(), Refusal> {
        if self.given_out {
            return Ok(());
        }
        if let Some(native) = self.native {
            // SAFETY: a state is reached under its graph's lock alone.
            unsafe { list_copy(api, native, &mut self.nodes) }?;
        }
        for inner in self.inner.all() {
            // SAFETY: as above; the graph is within this one.
            unsafe { list_copy(api, inner.native, &mut inner.nodes) }?;
        }
        // What hangs on the driver's graph from here on stays there.
        self.lend(api)?;
        self.native.into_iter().for_each(|native| OWNED.give_out(native, self));
        self.given_out = true;
        self.memory.values().for_each(|(memory, _)| memory.lose_sight());
        Ok(())
    }

    /// Undoes [`State::lend`].
    pub(crate) fn take_back(&self, api: &Api, attached: OfCapture) {
        if let Some(native) = self.native {
            for attached in attached {
                // SAFETY: a state is reached under its graph's lock alone. The graph keeps the list itself.
                drop(unsafe { attached.take_off(api, native) });
            }
        }
    }
}
