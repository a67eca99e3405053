//! The definition of a graph: its nodes, each in a slot of its own, and the edges between them.
//!
//! A node stays in its slot until it is removed, so edges and ids name slots. A definition that was only recorded has
//! its nodes in slots 0, 1, 2 and so on, in the order in which they were made. The first edit adds what edits need
//! ([`Edited`]); recording does without it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use super::node::Glance;
use super::node::Ports;
use super::node::{Definition, Dependencies, Node};
use super::Action;
use graphcap_base::error::Result;
use graphcap_base::room;
use graphcap_driver::ids::not_of_graph;
use graphcap_driver::{GraphNodes, NodeId, NodeKind};

/// A number that no definition and no slot had before. It is at least 1.
pub(super) fn fresh_number() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

impl Definition {
    /// Without nodes.
    pub(crate) fn new() -> Definition {
        Definition::packed_of(Vec::new(), fresh_number())
    }

    /// Of nodes in slots 0, 1, 2 and so on, none of which has graphs of its own.
    pub(super) fn packed_of(nodes: Vec<Option<Node>>, number: u64) -> Definition {
        let memory_nodes = nodes.iter().flatten().filter(|node| node.action.is_of_memory()).count() as u32;
        let (original, ports, glances) = (None, Ports::default(), Vec::new());
        Definition { nodes, number, edited: None, nested: 0, memory_nodes, original, ports, glances }
    }

    /// Returns whether it has nodes with graphs of their own.
    #[inline]
    pub(crate) fn is_nested(&self) -> bool {
        self.nested > 0
    }

    /// Returns whether it has nodes that allocate or free memory.
    pub(crate) fn allocates(&self) -> bool {
        self.memory_nodes > 0
    }

    /// Grows from one definition to the next; at least 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.edited.as_ref().map_or(self.nodes.len(), |edited| edited.filled)
    }

    /// The node in a slot.
    #[inline]
    pub(crate) fn node(&self, slot: u32) -> Option<&Node> {
        self.nodes.get(slot as usize)?.as_ref()
    }

    /// The id of the node in a slot. The lower half is the slot plus 1. The upper half is the number of the definition, or a
    /// fresh number if the slot was filled again; so an id names one node of one definition.
    pub(crate) fn id(&self, slot: u32) -> NodeId {
        id_of(self.stamp(slot), slot)
    }

    /// The upper half of the id of the node in a slot.
    pub(super) fn stamp(&self, slot: u32) -> u32 {
        let edited = self.edited.as_ref().and_then(|edited| edited.slots.get(slot as usize));
        edited.map_or(self.number as u32, |slot| slot.stamp)
    }

    /// The slot of the node with an id.
    ///
    /// # Errors
    /// `INVALID_VALUE` for an id of no node here: of another definition, of a node that was removed, or of nothing.
    pub(crate) fn slot(&self, id: NodeId) -> Result<u32> {
        self.find(id).ok_or_else(|| not_of_graph(id))
    }

    /// The slot of the node with an id, if there is one.
    pub(super) fn find(&self, id: NodeId) -> Option<u32> {
        let slot = (id.0 as u32).checked_sub(1).filter(|&slot| self.node(slot).is_some())?;
        (self.id(slot) == id).then_some(slot)
    }

    /// The slots of nodes.
    ///
    /// # Errors
    /// As [`Definition::slot`].
    pub(crate) fn slots(&self, ids: &[NodeId]) -> Result<Dependencies> {
        ids.iter().map(|&id| self.slot(id)).collect()
    }

    /// The slots that hold nodes, in the order in which the nodes were made.
    fn order(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.nodes.len() as u32).filter(|&slot| self.node(slot).is_some()).collect();
        if let Some(edited) = self.edited.as_ref().filter(|edited| edited.is_shuffled) {
            order.sort_unstable_by_key(|&slot| edited.slots[slot as usize].birth);
        }
        order
    }

    /// The place of each slot's node in the order in which nodes were made.
    fn places(&self, order: &[u32]) -> Vec<u32> {
        let mut places = vec![0; self.nodes.len()];
        for (place, &slot) in order.iter().enumerate() {
            places[slot as usize] = place as u32;
        }
        places
    }

    /// The nodes in the order in which they were made.
    fn in_order<'a>(&'a self, order: &'a [u32]) -> impl Iterator<Item = (u32, &'a Node)> {
        order.iter().filter_map(|&slot| Some((slot, self.node(slot)?)))
    }

    /// The ids of all nodes and edges, in the order in which the nodes were made.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`.
    pub(crate) fn ids(&self) -> Result<GraphNodes> {
        room::ask(self.nodes.len().saturating_mul(size_of::<u32>()))?;
        let order = self.order();
        let (mut nodes, mut edges) = (room::list(order.len())?, room::list(self.edge_count())?);
        nodes.extend(order.iter().map(|&slot| self.id(slot)));
        for (to, node) in self.in_order(&order) {
            edges.extend(node.dependencies.iter().map(|&from| (self.id(from), self.id(to))));
        }
        let carrying = self.ports.all().map(|(from, to, data)| (self.id(from), self.id(to), data)).collect();
        Ok(GraphNodes { nodes, edges, carrying })
    }

    /// Calls `each` with each node and what it does, in the order in which they were made.
    pub(crate) fn each(&self, mut each: impl FnMut(NodeId, &Action) -> Result<()>) -> Result<()> {
        let order = self.order();
        let mut nodes = self.in_order(&order);
        nodes.try_for_each(|(slot, node)| each(self.id(slot), &node.action))
    }

    /// Returns what the node with an id does.
    ///
    /// # Errors
    /// As [`Definition::slot`].
    pub(crate) fn action(&self, id: NodeId) -> Result<Action> {
        let node = self.node(self.slot(id)?).ok_or_else(|| not_of_graph(id))?;
        Ok(node.action.clone())
    }

    /// Returns the kind of a node.
    ///
    /// # Errors
    /// As [`Definition::slot`].
    pub(crate) fn kind(&self, id: NodeId) -> Result<NodeKind> {
        let node = self.node(self.slot(id)?).ok_or_else(|| not_of_graph(id))?;
        Ok(node.action.kind())
    }

    /// Returns whether the definition has the node.
    pub(crate) fn has(&self, id: NodeId) -> bool {
        self.slot(id).is_ok_and(|slot| self.node(slot).is_some())
    }

    /// Adds a node of whatever kind, as [`Definition::add`].
    pub(crate) fn add_any(&mut self, action: &mut Option<Action>, dependencies: Dependencies) -> Option<u32> {
        let added = action.as_ref()?;
        let (is_nested, is_of_memory) = (!added.graphs().is_empty(), added.is_of_memory());
        let slot = self.add(action, dependencies)?;
        self.nested += u32::from(is_nested);
        self.memory_nodes += u32::from(is_of_memory);
        Some(slot)
    }

    /// Adds a node after those in the slots `dependencies`, which differ from each other, and gives its slot. `None` when
    /// there are as many slots as there can be, or no memory for another.
    ///
    /// The action is taken out only where the node is added: an action is large, and is moved but once so.
    pub(crate) fn add(&mut self, action: &mut Option<Action>, dependencies: Dependencies) -> Option<u32> {
        if self.edited.is_some() {
            return self.add_to_edited(action, dependencies);
        }
        let slot = next_slot(&self.nodes)?;
        self.nodes.try_reserve(1).ok()?;
        let action = action.take()?;
        // Updates do without them where there are fewer than nodes.
        if self.glances.len() == slot as usize && self.glances.try_reserve(1).is_ok() {
            self.glances.push(Glance::of(action.plain(), &dependencies));
        }
        self.nodes.push(Some(Node { action, dependencies }));
        Some(slot)
    }

    #[cold]
    #[inline(never)]
    fn add_to_edited(&mut self, action: &mut Option<Action>, dependencies: Dependencies) -> Option<u32> {
        let edited = self.edited.as_mut()?;
        let action = action.take()?;
        let slot = match edited.refill() {
            Some(slot) => slot,
            None => {
                let slot = next_slot(&self.nodes)?;
                edited.append(self.number);
                self.nodes.push(None);
                slot
            }
        };
        edited.fill(slot, &dependencies);
        self.nodes[slot as usize] = Some(Node { action, dependencies });
        Some(slot)
    }

    /// The node in a slot is about to do something else.
    pub(super) fn look_anew(&mut self, slot: u32) {
        if let Some(glance) = self.glances.get_mut(slot as usize) {
            *glance = Glance::UNCLEAR;
        }
    }

    /// Edges are about to change, or nodes to go.
    pub(super) fn forget_glances(&mut self) {
        self.glances = Vec::new();
    }

    /// Number of edges.
    pub(crate) fn edge_count(&self) -> usize {
        self.nodes.iter().flatten().map(|node| node.dependencies.len()).sum()
    }

    /// By slot, whether there is a node that no other node depends on.
    pub(crate) fn sinks(&self) -> Vec<bool> {
        let mut sinks = vec![true; self.nodes.len()];
        for (slot, node) in self.nodes.iter().enumerate() {
            match node {
                Some(node) => node.dependencies.iter().for_each(|from| sinks[*from as usize] = false),
                None => sinks[slot] = false,
            }
        }
        sinks
    }

    /// The definition with its nodes in slots 0, 1, 2 and so on, in the order in which they were made; itself if they are.
    /// What is compiled is of this form.
    pub(crate) fn packed(self: &Arc<Self>) -> Arc<Definition> {
        if !self.has_moved() {
            return Arc::clone(self);
        }
        let order = self.order();
        let places = self.places(&order);
        let moved = |node: &Node| Node {
            action: node.action.clone(),
            dependencies: node.dependencies.iter().map(|&slot| places[slot as usize]).collect(),
        };
        let nodes = self.in_order(&order).map(|(_, node)| Some(moved(node))).collect();
        Arc::new(Definition { nested: self.nested, ..Definition::packed_of(nodes, self.number) })
    }

    /// The definition packed, and the ids of its nodes by their slots there.
    pub(super) fn packed_with_ids(self: &Arc<Self>) -> (Arc<Definition>, Vec<NodeId>) {
        (self.packed(), self.order().into_iter().map(|slot| self.id(slot)).collect())
    }

    /// Tells where [`Definition::packed`] puts the nodes.
    pub(crate) fn names(&self) -> Names {
        let moved = self.has_moved().then(|| {
            let order = self.order();
            order.iter().enumerate().map(|(place, &slot)| (self.id(slot), place as u32)).collect()
        });
        Names { number: self.number as u32, count: self.nodes.len() as u32, moved }
    }

    /// The nodes of a packed definition; none is `None`.
    #[inline]
    pub(super) fn packed_nodes(&self) -> &[Option<Node>] {
        &self.nodes
    }

    /// Returns what the node in a slot does. The slot is one of a packed definition.
    #[inline]
    pub(super) fn action_at(&self, slot: u32) -> &Action {
        self.nodes[slot as usize].as_ref().map_or(&Action::Empty, |node| &node.action)
    }

    pub(super) fn has_moved(&self) -> bool {
        self.edited.as_ref().is_some_and(|edited| edited.is_shuffled || edited.filled < self.nodes.len())
    }
}

/// The id whose upper half is `stamp`, of the node in a slot.
fn id_of(stamp: u32, slot: u32) -> NodeId {
    NodeId(u64::from(stamp) << 32 | u64::from(slot + 1))
}

/// The slot that a node gets which is added at the end. The lower bits of an id, its [place](NodeId::place), are one more.
fn next_slot(nodes: &[Option<Node>]) -> Option<u32> {
    u32::try_from(nodes.len()).ok().filter(|&slot| slot < (1 << NodeId::PLACE_BITS) - 1)
}

/// Nodes of a packed definition by the ids that they had before.
pub(crate) struct Names {
    number: u32,
    count: u32,
    /// Of a definition whose slots are not in the order in which the nodes were made.
    moved: Option<HashMap<NodeId, u32>>,
}

impl Names {
    /// The slot in the packed definition.
    ///
    /// # Errors
    /// `INVALID_VALUE` for an id of no node that the definition had.
    pub(crate) fn slot(&self, id: NodeId) -> Result<u32> {
        let slot = match &self.moved {
            Some(moved) => moved.get(&id).copied(),
            None if (id.0 >> 32) as u32 == self.number => {
                (id.0 as u32).checked_sub(1).filter(|&slot| slot < self.count)
            }
            None => None,
        };
        slot.ok_or_else(|| not_of_graph(id))
    }

    /// Calls `see` with the slots of the packed definition, of which there are `slots`, and the ids of the nodes in them.
    pub(super) fn each(&self, slots: u32, see: &mut dyn FnMut(u32, NodeId)) {
        match &self.moved {
            Some(moved) => moved.iter().for_each(|(&id, &slot)| see(slot, id)),
            None => (0..slots.min(self.count)).for_each(|slot| see(slot, id_of(self.number, slot))),
        }
    }

    /// The id of the node in a slot of the packed definition.
    pub(super) fn id_at(&self, slot: u32) -> Option<NodeId> {
        match &self.moved {
            Some(moved) => moved.iter().find(|(_, &place)| place == slot).map(|(&id, _)| id),
            None if slot < self.count => Some(id_of(self.number, slot)),
            None => None,
        }
    }
}
