//! The definitions that an exec runs: those without children in them, the first for the graph itself and one for each body.
//!
//! The nodes of a child stand in its parent's definition, between two nodes that do nothing: the first depends on what the child
//! depends on, and what depends on the child depends on the last. Bodies stay apart, since how often they run is found out
//! by the launch. A graph without such nodes is what it was.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use super::bodies;
use super::definition::Names;
use super::node::{Definition, Dependencies, Node};
use super::order::check_order;
use super::{changes, Action, Branch, Inner};
use crate::memory::guard::RunningNode;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::names::quoted;
use graphcap_driver::ids::not_of_graph;
use graphcap_driver::{ExecNames, NodeId};

/// The definitions, and the nodes of them that do nothing.
#[derive(Clone, Default)]
pub(crate) struct Flat {
    /// Packed. Those of a conditional's bodies follow the one that it is in.
    pub(super) bodies: Vec<Arc<Definition>>,
    /// Kernels, copies and memsets.
    pub(super) disabled: BTreeSet<Spot>,
}

/// A node of an exec.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Spot {
    pub(super) body: u32,
    pub(super) slot: u32,
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
            let flat = Flat { bodies: vec![definition.packed()], disabled: BTreeSet::new() };
            return Ok((flat, Places { plain: Some(definition.names()), ..Places::default() }));
        }
        let mut flattening = Flattening { device, bodies: vec![Vec::new()], places: HashMap::new(), homes: vec![None] };
        flattening.append(0, definition, 0)?;
        let definitions =
            flattening.bodies.into_iter().map(|nodes| Arc::new(Definition::packed_of(nodes, definition.number())));
        let flat = Flat { bodies: definitions.collect(), disabled: BTreeSet::new() };
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

    /// Returns the work of a node.
    pub(crate) fn action(&self, Spot { body, slot }: Spot) -> Option<&Action> {
        Some(&self.bodies.get(body as usize)?.node(slot)?.action)
    }

    pub(crate) fn is_disabled(&self, spot: Spot) -> bool {
        self.disabled.contains(&spot)
    }

    /// Has a node do nothing, or do again what it does.
    pub(crate) fn enable(&mut self, spot: Spot, is_enabled: bool) {
        match is_enabled {
            true => self.disabled.remove(&spot),
            false => self.disabled.insert(spot),
        };
    }

    /// Checks that a node may do `action` in an exec of the device with the number `device`.
    ///
    /// # Errors
    /// `INVALID_VALUE` where it may not.
    pub(crate) fn check(&self, spot: Spot, action: &Action, device: u32) -> Result<()> {
        if let Some(before) = self.action(spot) {
            changes::check(before, action, device)?;
            changes::check_attributes(before, action)?;
        }
        match spot.body {
            0 => Ok(()),
            _ => bodies::check(&|| "the node".to_owned(), action, device),
        }
    }

    /// Checks that a node which is set alone may use the memory that `action` does.
    ///
    /// # Errors
    /// `INVALID_VALUE` where it may not.
    pub(crate) fn check_memory(&self, spot: Spot, action: &Action) -> Result<()> {
        self.action(spot).map_or(Ok(()), |before| changes::check_memory(before, action))
    }

    /// Exchanges what a node does for `action`.
    ///
    /// # Errors
    /// As [`Flat::check`].
    pub(crate) fn exchange(&mut self, spot: Spot, action: &mut Action, device: u32) -> Result<()> {
        self.check(spot, action, device)?;
        let body =
            self.bodies.get_mut(spot.body as usize).ok_or_else(|| Error::invalid_value("there is no such node"))?;
        Arc::make_mut(body).exchange_in_slot(spot.slot, action)
    }

    /// Has each node do what it does in `definition`, which has the nodes and edges of the one that this was made of. What is
    /// disabled stays so. Gives what the nodes did.
    ///
    /// # Errors
    /// As [`Flat::of`].
    pub(crate) fn update(&mut self, definition: &Arc<Definition>, device: u32) -> Result<Vec<Arc<Definition>>> {
        let (updated, _) = Flat::of(definition, device)?;
        Ok(std::mem::replace(&mut self.bodies, updated.bodies))
    }

    /// Has the nodes of a child do what those of `child` do, in their order. Gives what they did.
    ///
    /// # Errors
    /// `GRAPH_EXEC_UPDATE_FAILURE` when `child` has other nodes, other edges or another order of nodes, or when an exec of the
    /// device with the number `device` does not allow one of the changes.
    pub(crate) fn exchange_child(
        &mut self,
        body: u32,
        slots: Range<u32>,
        child: &Arc<Definition>,
        device: u32,
    ) -> Result<Vec<Action>> {
        let differs = |what: &str| {
            Error::new(
                Status::GRAPH_EXEC_UPDATE_FAILURE,
                format!("the graph does not fit the child node of the exec: {what}; nodes, edges and their order must be equal; set the \
                         node of the graph and instantiate it anew, as gc_graph_exec_apply() does"),
            )
        };
        let mut flattening = Flattening { device, bodies: vec![Vec::new()], places: HashMap::new(), homes: vec![None] };
        flattening.append_child(0, child, 0).map_err(|error| differs(&error.message))?;
        let Some(mut nodes) = flattening.bodies.pop().filter(|_| flattening.bodies.is_empty()) else {
            return Err(differs("it has conditional nodes, which are of one graph alone"));
        };
        let Some(definition) = self.bodies.get(body as usize) else { return Ok(Vec::new()) };
        let standing = definition.nodes.get(slots.start as usize..slots.end as usize).unwrap_or_default();
        if nodes.len() != standing.len() {
            return Err(differs(&format!("it has {} nodes too many or too few", nodes.len().abs_diff(standing.len()))));
        }
        for (at, (node, standing)) in nodes.iter().flatten().zip(standing.iter().flatten()).enumerate() {
            // The first one depends on what the child does.
            let moved = standing.dependencies.iter().map(|&from| from.wrapping_sub(slots.start));
            if at > 0 && !moved.eq(node.dependencies.iter().copied()) {
                return Err(differs("its edges differ, or their order"));
            }
            let check = changes::check(&standing.action, &node.action, device);
            let check = check.and_then(|()| {
                if body > 0 {
                    bodies::check(&|| format!("node n{at}"), &node.action, device)
                } else {
                    Ok(())
                }
            });
            check.map_err(|error| differs(&error.message))?;
        }
        let definition = Arc::make_mut(&mut self.bodies[body as usize]);
        let standing = &mut definition.nodes[slots.start as usize..slots.end as usize];
        for (standing, node) in standing.iter_mut().flatten().zip(nodes.iter_mut().flatten()) {
            node.action.takes_over(&standing.action);
            std::mem::swap(&mut standing.action, &mut node.action);
        }
        Ok(nodes.into_iter().flatten().map(|node| node.action).collect())
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

    /// Has messages call the graph and the nodes by these names.
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
