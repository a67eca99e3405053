//! Edits of a definition: nodes that are removed, edges that are added and removed, other actions of nodes.
//!
//! Edits go by id. Each is made wholly or, where it fails, not at all.

use std::collections::VecDeque;

use super::changes::check_kind;
use super::definition::fresh_number;
use super::node::{Definition, Dependencies, Edited, Node, Slot};
use super::Action;
use graphcap_base::error::{Error, Result};
use graphcap_driver::ids::not_of_graph;
use graphcap_driver::{EdgeData, NodeId};

/// Edges, by the slots of their nodes.
type SlotPairs = Vec<(u32, u32)>;

impl Definition {
    /// Removes a node with all its edges. Gives what the node did, to be dropped where no lock is held. Its id is none of a
    /// node from then on.
    ///
    /// # Errors
    /// `INVALID_VALUE` when there is no such node.
    pub(crate) fn remove(&mut self, id: NodeId) -> Result<Action> {
        let slot = self.slot(id)?;
        let (nodes, edited) = self.edit();
        let Some(node) = nodes[slot as usize].take() else { return Err(not_of_graph(id)) };
        for from in &node.dependencies {
            unlist(&mut edited.slots[*from as usize].dependents, slot);
        }
        let dependents = std::mem::take(&mut edited.slots[slot as usize].dependents);
        for to in &dependents {
            if let Some(dependent) = &mut nodes[*to as usize] {
                dependent.dependencies.retain(|from| *from != slot);
            }
        }
        edited.vacant.push_back(slot);
        edited.filled -= 1;
        self.nested -= u32::from(!node.action.graphs().is_empty());
        self.ports.forget_node(slot, &node.dependencies, &dependents);
        Ok(node.action)
    }
}

/// Edges of one node.
impl Definition {
    /// The nodes that a node waits for, in the order in which they were made, each with what the edge carries.
    ///
    /// # Errors
    /// `INVALID_VALUE` when there is no such node.
    pub(crate) fn before(&self, id: NodeId) -> Result<Vec<(NodeId, EdgeData)>> {
        let slot = self.slot(id)?;
        let mut slots = self.node(slot).map(|node| node.dependencies.clone()).unwrap_or_default();
        slots.sort_unstable_by_key(|&slot| self.birth(slot));
        Ok(slots.into_iter().map(|from| (self.id(from), self.ports.of(from, slot))).collect())
    }

    /// The nodes that a node waits for, in the order in which the edges were added.
    ///
    /// # Errors
    /// As [`Definition::before`].
    pub(crate) fn waits(&self, id: NodeId) -> Result<Vec<NodeId>> {
        let slots = self.node(self.slot(id)?).map(|node| &node.dependencies);
        Ok(slots.into_iter().flatten().map(|&from| self.id(from)).collect())
    }

    /// As [`Definition::before`], of the nodes that wait for a node. Lists who depends on whom if nobody did so before.
    ///
    /// # Errors
    /// As [`Definition::before`].
    pub(crate) fn after(&mut self, id: NodeId) -> Result<Vec<(NodeId, EdgeData)>> {
        let slot = self.slot(id)?;
        let mut slots = self.edit().1.slots[slot as usize].dependents.clone();
        slots.sort_unstable_by_key(|&slot| self.birth(slot));
        Ok(slots.into_iter().map(|to| (self.id(to), self.ports.of(slot, to))).collect())
    }

    /// Returns when the node in a slot was made, as a number that grows from node to node.
    fn birth(&self, slot: u32) -> u64 {
        let edited = self.edited.as_ref().and_then(|edited| edited.slots.get(slot as usize));
        edited.map_or(slot.into(), |slot| slot.birth)
    }
}

/// Edits by id.
impl Definition {
    /// The slots of the nodes that a new node is to depend on.
    ///
    /// # Errors
    /// `INVALID_VALUE` when one of them is no node here, or is listed twice.
    pub(crate) fn new_dependencies(&self, ids: &[NodeId]) -> Result<Dependencies> {
        let slots = self.slots(ids)?;
        let mut sorted = slots.clone();
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(twice) => Err(twice_a_dependency(self.id(twice[0]))),
            None => Ok(slots),
        }
    }

    /// Exchanges what a node does for `action`, which is of the same kind.
    ///
    /// # Errors
    /// `INVALID_VALUE` when there is no such node, or when `action` is of another kind.
    pub(crate) fn exchange(&mut self, id: NodeId, action: &mut Action) -> Result<()> {
        let slot = self.slot(id)?;
        self.exchange_in_slot(slot, action)
    }

    /// Adds edges, each from a node to one that then depends on it: all of them, or none.
    ///
    /// # Errors
    /// `INVALID_VALUE` when one of them is of no node here, leads from a node to itself, is there already, or is listed twice.
    pub(crate) fn add_edges(&mut self, edges: &[(NodeId, NodeId)]) -> Result<()> {
        let (slots, sorted) = self.edge_slots(edges)?;
        if let Some((from, _)) = slots.iter().find(|(from, to)| from == to) {
            return Err(Error::invalid_value(format!("node {:#x} cannot depend on itself", self.id(*from).0)));
        }
        if let Some(&(to, from)) = sorted.iter().find(|&&(to, from)| self.has_edge(from, to)) {
            return Err(self.wrong_edge(from, to, "is there already"));
        }
        let (nodes, edited) = self.edit();
        for (from, to) in slots {
            if let Some(node) = &mut nodes[to as usize] {
                node.dependencies.push(from);
                edited.slots[from as usize].dependents.push(to);
            }
        }
        Ok(())
    }

    /// Removes edges: all of them, or none.
    ///
    /// # Errors
    /// `INVALID_VALUE` when one of them is of no node here, is not there, or is listed twice.
    pub(crate) fn remove_edges(&mut self, edges: &[(NodeId, NodeId)]) -> Result<()> {
        let (mut slots, sorted) = self.edge_slots(edges)?;
        if let Some(&(to, from)) = sorted.iter().find(|&&(to, from)| !self.has_edge(from, to)) {
            return Err(self.wrong_edge(from, to, "is not there"));
        }
        let (nodes, edited) = self.edit();
        // By the node that loses edges, so that each list is gone through once.
        for lost in sorted.chunk_by(|a, b| a.0 == b.0) {
            if let Some(node) = &mut nodes[lost[0].0 as usize] {
                node.dependencies.retain(|from| lost.binary_search(&(lost[0].0, *from)).is_err());
            }
        }
        slots.sort_unstable();
        for lost in slots.chunk_by(|a, b| a.0 == b.0) {
            let dependents = &mut edited.slots[lost[0].0 as usize].dependents;
            dependents.retain(|to| lost.binary_search(&(lost[0].0, *to)).is_err());
        }
        slots.into_iter().for_each(|(from, to)| self.ports.forget(from, to));
        Ok(())
    }

    /// Edges as slots: in the given order as (from, to), and sorted as (to, from).
    fn edge_slots(&mut self, edges: &[(NodeId, NodeId)]) -> Result<(SlotPairs, SlotPairs)> {
        let slots: Vec<_> =
            edges.iter().map(|&(from, to)| Ok((self.slot(from)?, self.slot(to)?))).collect::<Result<_>>()?;
        self.edit();
        let mut sorted: Vec<_> = slots.iter().map(|&(from, to)| (to, from)).collect();
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(&[(to, from), _]) => Err(self.wrong_edge(from, to, "is listed twice")),
            _ => Ok((slots, sorted)),
        }
    }

    /// Returns whether a node depends directly on another one. Looks through the shorter of their two lists.
    pub(super) fn has_edge(&self, from: u32, to: u32) -> bool {
        let dependents =
            self.edited.as_ref().and_then(|edited| edited.slots.get(from as usize)).map(|slot| &slot.dependents);
        match (self.node(to), dependents) {
            (Some(node), Some(dependents)) if dependents.len() < node.dependencies.len() => dependents.contains(&to),
            (Some(node), _) => node.dependencies.contains(&from),
            (None, _) => false,
        }
    }

    #[cold]
    fn wrong_edge(&self, from: u32, to: u32, what: &str) -> Error {
        Error::invalid_value(format!(
            "the edge from node {:#x} to node {:#x} {what}; none of the edges of this call was changed",
            self.id(from).0,
            self.id(to).0
        ))
    }

    /// Returns what an edit changes. The first edit lists who depends on whom.
    fn edit(&mut self) -> (&mut [Option<Node>], &mut Edited) {
        self.forget_glances();
        let edited = self.edited.get_or_insert_with(|| Edited::new(&self.nodes, self.number));
        (&mut self.nodes, edited)
    }
}

/// Changes of what nodes do. Actions are exchanged, so that the caller drops what is left over where it holds no lock.
impl Definition {
    /// Exchanges what the node in a slot does for `action`, which is of the same kind.
    ///
    /// # Errors
    /// `INVALID_VALUE` when there is no such node, or when `action` is of another kind.
    pub(crate) fn exchange_in_slot(&mut self, slot: u32, action: &mut Action) -> Result<()> {
        self.look_anew(slot);
        let node = self.nodes.get_mut(slot as usize).and_then(Option::as_mut);
        let node = node.ok_or_else(|| Error::invalid_value("there is no such node"))?;
        check_kind(node.action.kind(), action.kind())?;
        action.takes_over(&node.action);
        action.check_shape()?;
        std::mem::swap(&mut node.action, action);
        Ok(())
    }
}

impl Edited {
    /// Of a definition that has not been edited: all its slots are filled, in the order in which the nodes were made.
    fn new(nodes: &[Option<Node>], number: u64) -> Box<Edited> {
        let slot = |birth: usize| Slot { stamp: number as u32, birth: birth as u64, dependents: Dependencies::new() };
        let mut slots: Vec<Slot> = (0..nodes.len()).map(slot).collect();
        for (to, node) in nodes.iter().enumerate() {
            for from in node.iter().flat_map(|node| &node.dependencies) {
                slots[*from as usize].dependents.push(to as u32);
            }
        }
        let births = slots.len() as u64;
        Box::new(Edited { slots, vacant: VecDeque::new(), filled: nodes.len(), births, is_shuffled: false })
    }

    /// A vacant slot for a new node. The stamps of a slot grow; a slot that no fresh number is left for, because the lower
    /// halves of the numbers have begun anew, is never filled again, as an old id could name its node.
    pub(super) fn refill(&mut self) -> Option<u32> {
        while let Some(vacant) = self.vacant.pop_front() {
            let stamp = fresh_number() as u32;
            let slot = &mut self.slots[vacant as usize];
            if stamp > slot.stamp {
                slot.stamp = stamp;
                self.is_shuffled = true;
                return Some(vacant);
            }
        }
        None
    }

    /// A slot that no node had before, of the definition with that number.
    pub(super) fn append(&mut self, number: u64) {
        self.slots.push(Slot { stamp: number as u32, birth: 0, dependents: Dependencies::new() });
    }

    /// A new node is put into an empty slot.
    pub(super) fn fill(&mut self, slot: u32, dependencies: &[u32]) {
        self.slots[slot as usize].birth = self.births;
        self.births += 1;
        self.filled += 1;
        for &from in dependencies {
            self.slots[from as usize].dependents.push(slot);
        }
    }
}

/// Takes one entry out of a list whose order does not matter.
fn unlist(list: &mut Dependencies, entry: u32) {
    if let Some(at) = list.iter().position(|&other| other == entry) {
        list.swap_remove(at);
    }
}

#[cold]
fn twice_a_dependency(NodeId(id): NodeId) -> Error {
    Error::invalid_value(format!("node {id:#x} is listed twice among the dependencies; list it once"))
}
