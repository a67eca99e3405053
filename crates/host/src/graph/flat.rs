//! The definitions that an exec runs: those without children in them, the first for the graph itself and one for each body.
//!
//! The nodes of a child stand in its parent's definition, between two nodes that do nothing: the first depends on what the child
//! depends on, and what depends on the child depends on the last. Bodies stay apart, since how often they run is found out
//! by the launch. A graph without such nodes is what it was.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::bodies;
use super::definition::Names;
use super::node::{Definition, Dependencies, Node};
use super::order::check_order;
use super::{Action, Branch, Inner};
use crate::memory::guard::RunningNode;
use graphcap_base::error::{Error, Result};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::names::quoted;
use graphcap_driver::ids::not_of_graph;
use graphcap_driver::{ExecNames, NodeId};

/// The definitions.
pub(crate) struct Flat {
    /// Packed. Those of a conditional's bodies follow the one that it is in.
    pub(super) bodies: Vec<Arc<Definition>>,
}

/// A node of an exec.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Spot {
    pub(super) body: u32,
    pub(super) slot: u32,
}

#[cfg(test)]
impl Spot {
    /// The node in a slot of the graph itself.
    pub(super) fn of_graph(slot: u32) -> Spot {
        Spot { body: 0, slot }
    }
}

/// Place of a node of a graph in an exec of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExecSlot {
    /// A node.
    Node(Spot),
    /// The nodes of a child, in slots of one of the definitions.
    Child { body: u32, slots: Range<u32> },
}

/// The nodes of an exec by their ids in the graph that it was made from, and in those within.
#[derive(Default)]
pub(crate) struct Places {
    /// Of a graph with none within it.
    plain: Option<Names>,
    /// Each node, and in which of `homes` it is.
    nested: HashMap<NodeId, (ExecSlot, u32)>,
    /// The graph, and those within it: each which one it is in, and by what step. The first is the graph itself.
    homes: Vec<Option<(u32, Inner)>>,
    /// The names that the program gave them.
    names: Mutex<Option<Arc<dyn ExecNames>>, rank::ExecNames>,
}

impl Flat {
    /// Flattens a graph for an exec of the device with the number `device`.
    ///
    /// # Errors
    /// `INVALID_VALUE` for edges that form a cycle within a graph that has others, and for nodes that no body can have.
    pub(crate) fn of(definition: &Arc<Definition>, device: u32) -> Result<(Flat, Places)> {
        if !definition.is_nested() {
            let flat = Flat { bodies: vec![definition.packed()] };
            return Ok((flat, Places { plain: Some(definition.names()), ..Places::default() }));
        }
        let mut flattening = Flattening::new(device);
        flattening.append(0, definition, 0)?;
        let definitions =
            flattening.bodies.into_iter().map(|nodes| Arc::new(Definition::packed_of(nodes, definition.number())));
        let flat = Flat { bodies: definitions.collect() };
        Ok((flat, Places { nested: flattening.places, homes: flattening.homes, ..Places::default() }))
    }

    /// Checks that the nodes of a graph have an order, not those of graphs within it.
    ///
    /// # Errors
    /// `INVALID_VALUE` when the edges form a cycle.
    pub(crate) fn check_order(definition: &Arc<Definition>) -> Result<()> {
        let (packed, ids) = definition.packed_with_ids();
        check_order(&packed, &ids)
    }

    /// The nodes that a child comes to in the body that has it, and those around them.
    ///
    /// # Errors
    /// `INVALID_VALUE` for edges that form a cycle, and for conditional nodes.
    pub(super) fn of_child(child: &Arc<Definition>, device: u32) -> Result<Vec<Option<Node>>> {
        let mut flattening = Flattening::new(device);
        flattening.append_child(0, child, 0)?;
        let nodes = flattening.bodies.pop().filter(|_| flattening.bodies.is_empty());
        nodes.ok_or_else(|| Error::invalid_value("it has conditional nodes, which are of one graph alone"))
    }
}

impl Places {
    /// The id of the node at `spot`, in time that grows with the nodes.
    pub(crate) fn id_at(&self, spot: Spot) -> Option<NodeId> {
        if let Some(names) = &self.plain {
            return names.id_at(spot.slot).filter(|_| spot.body == 0);
        }
        let found = self.nested.iter().find(|(_, (place, _))| *place == ExecSlot::Node(spot));
        found.map(|(&id, _)| id)
    }

    /// The ids of the nodes in the first `slots` slots of a body.
    pub(super) fn ids_of(&self, body: u32, slots: usize) -> Box<[Option<NodeId>]> {
        let mut ids = vec![None; slots];
        let mut note = |slot: u32, id| {
            if let Some(place) = ids.get_mut(slot as usize) {
                *place = Some(id);
            }
        };
        match &self.plain {
            Some(names) => names.each(slots as u32, &mut note),
            None => self.nested.iter().for_each(|(&id, (place, _))| match place {
                ExecSlot::Node(spot) if spot.body == body => note(spot.slot, id),
                _ => {}
            }),
        }
        ids.into()
    }

    /// A node that runs, with its name and that of the graph.
    pub(super) fn running_node(&self, id: Option<NodeId>) -> RunningNode {
        let names = self.names();
        let (id, name) = match (id, &names) {
            (Some(id), Some(names)) => {
                let (id, name) = names.node(id);
                (Some(id), name)
            }
            (id, _) => (id, None),
        };
        RunningNode { id, name, graph: names.and_then(|names| names.graph()) }
    }

    /// Makes messages call the graph and the nodes by these names.
    pub(crate) fn call_by(&self, names: Arc<dyn ExecNames>) {
        let before = lock(&self.names).replace(names);
        // Where the lock is not held.
        drop(before);
    }

    fn names(&self) -> Option<Arc<dyn ExecNames>> {
        lock(&self.names).clone()
    }

    /// The graph in the words of messages.
    #[cold]
    pub(super) fn graph_words(&self) -> String {
        let name = self.names().and_then(|names| names.graph());
        name.map_or_else(|| "a graph".to_owned(), |name| format!("graph {}", quoted(&name)))
    }

    /// The node at `spot` in the words of messages.
    #[cold]
    pub(super) fn node_words(&self, spot: Spot) -> String {
        let Some(node) = self.id_at(spot) else { return "a node".to_owned() };
        let (node, name) = self.names().map_or((node, None), |names| names.node(node));
        let name = name.map(|name| format!(" {}", quoted(&name))).unwrap_or_default();
        format!("node {:#x}{name}", node.0)
    }

    /// Tells where the node with an id is in the exec, and on what path it is in the graph.
    ///
    /// # Errors
    /// `INVALID_VALUE` for an id of no node that the graph had.
    pub(crate) fn find(&self, id: NodeId) -> Result<(ExecSlot, Vec<Inner>)> {
        if let Some(names) = &self.plain {
            return Ok((ExecSlot::Node(Spot { body: 0, slot: names.slot(id)? }), Vec::new()));
        }
        let (place, mut home) = self.nested.get(&id).cloned().ok_or_else(|| not_of_graph(id))?;
        let mut path = Vec::new();
        while let Some(&Some((outer, inner))) = self.homes.get(home as usize) {
            path.push(inner);
            home = outer;
        }
        path.reverse();
        Ok((place, path))
    }
}

/// Definitions on their way to be flat.
struct Flattening {
    device: u32,
    bodies: Vec<Vec<Option<Node>>>,
    places: HashMap<NodeId, (ExecSlot, u32)>,
    homes: Vec<Option<(u32, Inner)>>,
}

impl Flattening {
    fn new(device: u32) -> Flattening {
        Flattening { device, bodies: vec![Vec::new()], places: HashMap::new(), homes: vec![None] }
    }

    /// Appends the nodes of `definition`, which is number `home` of the graphs, to a body. Gives where the nodes are that no
    /// other one depends on. The depth of graphs within each other is limited, and so is that of these calls.
    fn append(&mut self, body: u32, definition: &Arc<Definition>, home: u32) -> Result<Dependencies> {
        let (definition, ids) = definition.packed_with_ids();
        check_order(&definition, &ids)?;
        let nodes = definition.packed_nodes();
        // Where each node begins, and where what depends on it finds its end.
        let mut spans: Vec<(u32, u32)> = Vec::with_capacity(nodes.len());
        for (number, node) in nodes.iter().enumerate() {
            let Some(Node { action, .. }) = node else { continue };
            let id = ids[number];
            let (place, span) = match action {
                Action::Child(child) => {
                    let home = self.enter_home(home, Inner { node: id, body: 0 });
                    let slots = self.append_child(body, child, home)?;
                    (ExecSlot::Child { body, slots: slots.clone() }, (slots.start, slots.end - 1))
                }
                Action::Conditional(conditional) => {
                    let first = self.bodies.len() as u32;
                    self.bodies.extend(conditional.graphs.iter().map(|_| Vec::new()));
                    for (number, graph) in conditional.graphs.iter().enumerate() {
                        let home = self.enter_home(home, Inner { node: id, body: number as u32 });
                        self.append(first + number as u32, graph, home)?;
                    }
                    let branch = Branch {
                        condition: Arc::clone(&conditional.condition),
                        kind: conditional.kind,
                        bodies: first..first + conditional.graphs.len() as u32,
                    };
                    let slot = self.push(body, Action::Branch(Arc::new(branch)));
                    (ExecSlot::Node(Spot { body, slot }), (slot, slot))
                }
                action => {
                    if body > 0 {
                        bodies::check(&|| format!("node {:#x}", id.0), action, self.device)?;
                    }
                    let slot = self.push(body, action.clone());
                    (ExecSlot::Node(Spot { body, slot }), (slot, slot))
                }
            };
            self.places.insert(id, (place, home));
            spans.push(span);
        }
        let mut is_sink = vec![true; spans.len()];
        for (number, node) in nodes.iter().flatten().enumerate() {
            let ends = node.dependencies.iter().map(|&from| spans[from as usize].1).collect();
            node.dependencies.iter().for_each(|&from| is_sink[from as usize] = false);
            self.set_dependencies(body, spans[number].0, ends);
        }
        let sinks = spans.iter().zip(&is_sink).filter(|(_, &is_sink)| is_sink).map(|(span, _)| span.1);
        Ok(sinks.collect())
    }

    /// Appends the nodes of a child and those around it. Gives their slots.
    fn append_child(&mut self, body: u32, child: &Arc<Definition>, home: u32) -> Result<Range<u32>> {
        let begin = self.push(body, Action::Boundary);
        let mut sinks = self.append(body, child, home)?;
        let end = self.push(body, Action::Boundary);
        // Those that depend on nothing in the child begin behind its begin.
        for slot in begin + 1..end {
            if let Some(Some(node)) = self.bodies[body as usize].get_mut(slot as usize) {
                if node.dependencies.is_empty() {
                    node.dependencies.push(begin);
                }
            }
        }
        if sinks.is_empty() {
            sinks.push(begin);
        }
        self.set_dependencies(body, end, sinks);
        Ok(begin..end + 1)
    }

    fn enter_home(&mut self, outer: u32, inner: Inner) -> u32 {
        self.homes.push(Some((outer, inner)));
        self.homes.len() as u32 - 1
    }

    fn push(&mut self, body: u32, action: Action) -> u32 {
        let nodes = &mut self.bodies[body as usize];
        nodes.push(Some(Node { action, dependencies: Dependencies::new() }));
        nodes.len() as u32 - 1
    }

    fn set_dependencies(&mut self, body: u32, slot: u32, dependencies: Dependencies) {
        if let Some(Some(node)) = self.bodies[body as usize].get_mut(slot as usize) {
            node.dependencies = dependencies;
        }
    }
}
