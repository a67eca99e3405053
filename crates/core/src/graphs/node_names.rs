//! Names of nodes: given, read back, told in messages, and taken along into copies, with all that is noted of nodes.

use std::sync::Arc;

use super::graph::Graph;
use crate::objects::name;
use crate::objects::note::NodeNotes;
use crate::state::{Edits, GraphInner};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::names::quoted;
use graphcap_driver::{check_caller, GraphId, GraphRef, NodeId, NodeKind, Work};

/// The kinds of nodes that a graph alone can own.
const OWNERS: &[NodeKind] = &[NodeKind::Conditional, NodeKind::MemAlloc, NodeKind::MemFree];

/// Text that messages have before the number of a node.
const NODE_PREFIX: &str = "node 0x";

impl Graph {
    /// Gives a node a name, which messages and texts of the graph call it by. The empty text takes the name away. Copies of the
    /// graph that are made from then on have the name.
    ///
    /// # Errors
    /// `INVALID_VALUE` when `node` is no node of the graph, and for a name of more than [`NAME_LIMIT`](crate::NAME_LIMIT) bytes;
    /// the status of a context that faulted.
    ///
    /// # Examples
    /// ```
    /// use graphcap::core::{Context, Graph, NodeWork};
    /// use graphcap::driver::{DeviceChoice, DeviceKind};
    ///
    /// let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0)?;
    /// let graph = Graph::create(&context)?;
    /// let node = graph.add_node(&[], &NodeWork::Empty)?;
    /// graph.set_node_name(node, "join")?;
    /// let refused = graph.add_dependencies(&[(node, node)]).unwrap_err();
    /// assert!(refused.message.contains("\"join\""));
    /// # Ok::<(), graphcap::Error>(())
    /// ```
    pub fn set_node_name(&self, node: NodeId, name: &str) -> Result<()> {
        check_caller()?;
        let name = name::checked(name)?;
        let mut edits = self.0.root().lock()?;
        self.0.check_node(node)?;
        edits.notes.set_name(node, name);
        Ok(())
    }

    /// Makes `add` add a node, which gets the name.
    ///
    /// # Errors
    /// As [`Graph::set_node_name`], before anything is added; those of `add`.
    #[inline]
    pub fn add_named(&self, name: Option<&str>, add: impl FnOnce() -> Result<NodeId>) -> Result<NodeId> {
        let Some(name) = name else { return add() };
        let name = name::checked(name)?;
        let node = add()?;
        if name.is_some() {
            self.0.root().lock()?.notes.set_name(node, name);
        }
        Ok(node)
    }

    /// Makes `set` change a node, which gets the name, where there is one.
    ///
    /// # Errors
    /// As [`Graph::set_node_name`], before anything is changed; those of `set`.
    #[inline]
    pub fn set_named(&self, name: Option<&str>, node: NodeId, set: impl FnOnce() -> Result<()>) -> Result<()> {
        let Some(name) = name else { return set() };
        let name = name::checked(name)?;
        set()?;
        self.0.root().lock()?.notes.set_name(node, name);
        Ok(())
    }

    /// Notes what the stream was called that recorded the node which `node` was made like.
    ///
    /// # Errors
    /// `INVALID_VALUE` for what no stream can be called; the status of a context that faulted.
    pub(crate) fn note_stream(&self, node: NodeId, stream: &str) -> Result<()> {
        let stream = name::checked(stream)?;
        self.0.root().lock()?.notes.set_stream(node, stream);
        Ok(())
    }

    /// The name of a node: the one that it was given, else that of the kernel that it launches. `None` for a node of another
    /// kind, and for a kernel whose name the device does not tell.
    ///
    /// # Errors
    /// `INVALID_VALUE` when `node` is no node of the graph; the status of a context that faulted.
    pub fn node_name(&self, node: NodeId) -> Result<Option<Arc<str>>> {
        check_caller()?;
        let edits = self.0.root().lock()?;
        let kernel = self.0.kernel_name(node)?;
        Ok(edits.notes.name(node).or(kernel))
    }

    /// Returns what a node does, in words: its kind, the name of the kernel that it launches, and the name that it was given.
    ///
    /// # Errors
    /// As [`Graph::node_name`].
    pub fn node_label(&self, node: NodeId) -> Result<String> {
        check_caller()?;
        let edits = self.0.root().lock()?;
        let kernel = self.0.kernel_name(node)?;
        let kind = self.context().driver()?.node_kind(self.id(), node)?.name();
        Ok(match (edits.notes.name(node), kernel) {
            (Some(name), Some(kernel)) if name != kernel => {
                format!("{kind} {} named {}", quoted(&kernel), quoted(&name))
            }
            (Some(name), _) | (None, Some(name)) => format!("{kind} {}", quoted(&name)),
            (None, None) => kind.to_owned(),
        })
    }

    /// The error of a call on `node`, with the name of the node.
    #[cold]
    pub fn naming(&self, node: NodeId, error: Error) -> Error {
        self.naming_each(&[node], error)
    }

    /// The error of a call on `nodes`, with the names of those that it tells of.
    #[cold]
    pub(crate) fn naming_each(&self, nodes: &[NodeId], error: Error) -> Error {
        match self.0.root().lock() {
            Ok(edits) => self.0.naming(&edits, nodes, error),
            Err(_) => error,
        }
    }
}

impl GraphInner {
    fn check_node(&self, node: NodeId) -> Result<()> {
        self.context().driver()?.node_work(GraphRef::Known(self.id()), node, &mut |_| ())
    }

    /// The name of the kernel that a node launches.
    fn kernel_name(&self, node: NodeId) -> Result<Option<Arc<str>>> {
        let mut name = None;
        self.context().driver()?.node_work(GraphRef::Known(self.id()), node, &mut |work| {
            if let Work::Kernel(launch) = work {
                name = (!launch.name.is_empty()).then(|| launch.name.into());
            }
        })?;
        Ok(name)
    }

    /// The error of a call on `nodes`, with the names of those that it tells of; of one node in any case.
    #[cold]
    pub(crate) fn naming(&self, edits: &Edits, nodes: &[NodeId], error: Error) -> Error {
        let (error, is_told) = self.naming_told(edits, &|node| nodes.contains(&node), error);
        match nodes {
            [node] if !is_told => match self.name_of(edits, *node) {
                Some(name) => Error::new(error.status, format!("{}; the node is {}", error.message, quoted(&name))),
                None => error,
            },
            _ => error,
        }
    }

    /// The error of a call on the graph as a whole, with the names of the nodes that it tells of, also of those within its nodes.
    #[cold]
    pub(crate) fn naming_all(&self, edits: &Edits, error: Error) -> Error {
        self.naming_told(edits, &|_| true, error).0
    }

    /// As [`GraphInner::naming_all`], of an exec. Where it is refused for what a graph alone can own, it is told which node of the
    /// graph that is, the first one made.
    #[cold]
    pub(crate) fn naming_owner(&self, edits: &Edits, error: Error) -> Error {
        let error = match self.owner(&error) {
            Some((NodeId(node), kind)) => Error::new(
                error.status,
                format!("{}; node {node:#x} of the graph is of the kind {kind}", error.message),
            ),
            None => error,
        };
        self.naming_all(edits, error)
    }

    /// As [`GraphInner::naming_all`], of a copy of the graph or of a child. Where the graph has what it alone can own, this is told,
    /// and what to do.
    #[cold]
    pub(crate) fn naming_uncopied(&self, edits: &Edits, error: Error) -> Error {
        let told = match self.owner(&error) {
            Some((NodeId(node), NodeKind::Conditional)) => format!(
                "node {node:#x} of the graph is a conditional node. Its condition belongs to this graph: add such a node to the other \
                 graph, with a condition that is made there"
            ),
            Some((NodeId(node), _)) => format!(
                "node {node:#x} of the graph allocates or frees memory, which belongs to this graph: use a buffer that is allocated \
                 before, and leave out the nodes that allocate and free"
            ),
            None if error.status == Status::NOT_SUPPORTED && !edits.conditions.is_empty() => String::from(
                "the graph has a condition that gc_graph_create_condition() made. It belongs to this graph: make one in the other graph",
            ),
            None => return self.naming_all(edits, error),
        };
        self.naming_all(edits, Error::new(error.status, format!("{}; {told}", error.message)))
    }

    /// As [`GraphInner::naming_uncopied`], of a copy that would have been marked for a watched exec.
    #[cold]
    pub(super) fn naming_unwatched(&self, edits: &Edits, error: Error) -> Error {
        if error.status != Status::NOT_SUPPORTED {
            return self.naming_all(edits, error);
        }
        const MARKS: &str = "GRAPHCAP_INSTANTIATE_WATCH marks the nodes of a copy of the graph";
        let bars: &[NodeKind] = match self.context().driver().is_ok_and(|driver| driver.watches_conditions()) {
            true => &[NodeKind::MemAlloc, NodeKind::MemFree],
            false => OWNERS,
        };
        let told = match self.first_of(self.id(), bars) {
            Some((NodeId(node), NodeKind::Conditional)) => format!(
                "{MARKS}, and this device copies no graph with conditions; node {node:#x} of the graph is a conditional node. Instantiate it \
                 without the flag, and let a kernel of the body count the turns in mapped host memory; or find the node that hangs on the \
                 host device, which watches graphs with conditions"
            ),
            Some((NodeId(node), _)) => format!(
                "{MARKS}, and no graph that allocates or frees memory is copied; node {node:#x} of the graph does. Instantiate it without the \
                 flag, or use a buffer that is allocated before, and leave out the nodes that allocate and free"
            ),
            None => format!("{MARKS}; instantiate it without the flag: {}", error.message),
        };
        self.naming_all(edits, Error::new(error.status, told))
    }

    /// The first node made that a graph alone can own, and its kind, where `error` may be a refusal of it.
    fn owner(&self, error: &Error) -> Option<(NodeId, NodeKind)> {
        if error.status != Status::NOT_SUPPORTED {
            return None;
        }
        self.first_of(self.id(), OWNERS)
    }

    /// The first node made of these kinds, in a graph or in a child within it, and its kind.
    fn first_of(&self, graph: GraphId, kinds: &[NodeKind]) -> Option<(NodeId, NodeKind)> {
        let driver = self.context().driver().ok()?;
        let nodes = driver.graph_nodes(GraphRef::Known(graph)).ok()?.nodes;
        nodes.into_iter().find_map(|node| match driver.node_kind(graph, node).ok()? {
            kind if kinds.contains(&kind) => Some((node, kind)),
            NodeKind::Child => {
                driver.node_graphs(graph, node).ok()?.into_iter().find_map(|child| self.first_of(child, kinds))
            }
            _ => None,
        })
    }

    /// The name that a node was given, or else that of the kernel that it launches.
    fn name_of(&self, edits: &Edits, node: NodeId) -> Option<Arc<str>> {
        let given = edits.notes.name(node);
        given.or_else(|| self.kernel_name(node).ok().flatten())
    }

    /// `error` with the names of those of the nodes for which `is_meant` holds and that it tells of, and whether there are some.
    fn naming_told(&self, edits: &Edits, is_meant: &dyn Fn(NodeId) -> bool, error: Error) -> (Error, bool) {
        let mut message = String::with_capacity(error.message.len() + 64);
        let mut rest: &str = &error.message;
        let mut is_told = false;
        while let Some(at) = rest.find(NODE_PREFIX) {
            let after = &rest[at + NODE_PREFIX.len()..];
            let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_hexdigit()).len();
            let (told, next) = rest.split_at(at + NODE_PREFIX.len() + digits);
            message.push_str(told);
            rest = next;
            let node = u64::from_str_radix(&after[..digits], 16).ok().map(NodeId);
            if let Some(node) = node.filter(|&node| is_meant(node)) {
                is_told = true;
                if let Some(name) = self.name_of(edits, node) {
                    message.push_str(&format!(" {}", quoted(&name)));
                }
            }
        }
        message.push_str(rest);
        (Error::new(error.status, message), is_told)
    }

    /// Notes of the nodes of `copy`, which was just copied of this graph, what is noted of those that they are copies of. `notes`
    /// are those of this graph, and of the others of its outermost one; `to` gets those of the copy. Takes time for each node only
    /// where notes are left for nodes of graphs within nodes.
    pub(crate) fn copy_notes(&self, notes: &NodeNotes, copy: GraphId, to: &mut NodeNotes) -> Result<()> {
        self.copy_notes_of((self.id(), copy), notes, to)
    }

    /// Of one graph and its copy. Copies have their nodes in the order of the original.
    fn copy_notes_of(&self, (graph, copy): (GraphId, GraphId), notes: &NodeNotes, to: &mut NodeNotes) -> Result<()> {
        to.copy_recorded(notes, (graph, copy));
        if to.count() >= notes.count() {
            return Ok(());
        }
        let driver = self.context().driver()?;
        let nodes = driver.graph_nodes(GraphRef::Known(graph))?.nodes;
        let copies = driver.graph_nodes(GraphRef::Known(copy))?.nodes;
        for (node, &copied) in nodes.iter().zip(&copies) {
            to.copy_node(notes, (*node, copied));
        }
        for (&node, &copied) in nodes.iter().zip(&copies) {
            if to.count() >= notes.count() {
                break;
            }
            if matches!(driver.node_kind(graph, node)?, NodeKind::Child | NodeKind::Conditional) {
                let within = driver.node_graphs(graph, node)?.into_iter().zip(driver.node_graphs(copy, copied)?);
                for graphs in within {
                    self.copy_notes_of(graphs, notes, to)?;
                }
            }
        }
        Ok(())
    }

    /// Notes of the nodes of the graph of `node`, a child that was just added, what is noted of those of `child` that they are copies
    /// of. `edits_of_child` are those of its outermost graph. Where the device cannot tell of the copy, that is nothing.
    pub(crate) fn note_child(
        &self,
        edits: &mut Edits,
        node: NodeId,
        child: &GraphInner,
        edits_of_child: Option<&Edits>,
    ) {
        let Some(notes) = edits_of_child.map(|edits| &edits.notes).filter(|notes| notes.count() > 0) else { return };
        let graphs = self.context().driver().and_then(|driver| driver.node_graphs(self.id(), node)).unwrap_or_default();
        if let [copy] = graphs[..] {
            let mut to = NodeNotes::default();
            let _ = child.copy_notes(notes, copy, &mut to);
            edits.notes.extend(to);
        }
    }

    /// Forgets what is noted of a node that is about to be removed, and of those within it, once `remove` has removed it.
    pub(crate) fn forget_notes(
        &self,
        edits: &mut Edits,
        node: NodeId,
        remove: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let gone = self.noted_within(edits, node);
        if edits.notes.has_recorded(self.id()) {
            let nodes = self.context().driver()?.graph_nodes(GraphRef::Known(self.id()))?.nodes;
            edits.notes.part_recorded(self.id(), &nodes);
        }
        remove()?;
        gone.forget(&mut edits.notes);
        edits.notes.remove(node);
        Ok(())
    }

    /// The graphs within a node and their nodes, where something is noted.
    pub(crate) fn noted_within(&self, edits: &Edits, node: NodeId) -> NestedGraphs {
        let mut within = NestedGraphs::default();
        if edits.notes.count() > 0 {
            self.list_within(self.id(), node, &mut within);
        }
        within
    }

    /// Lists the graphs within a node and their nodes, as far as the device tells of them.
    fn list_within(&self, graph: GraphId, node: NodeId, to: &mut NestedGraphs) {
        let Ok(driver) = self.context().driver() else { return };
        for graph in driver.node_graphs(graph, node).unwrap_or_default() {
            to.graphs.push(graph);
            let nodes = driver.graph_nodes(GraphRef::Known(graph)).unwrap_or_default().nodes;
            for node in nodes {
                to.nodes.push(node);
                self.list_within(graph, node, to);
            }
        }
    }
}

/// The graphs within a node, and their nodes.
#[derive(Default)]
pub(crate) struct NestedGraphs {
    graphs: Vec<GraphId>,
    nodes: Vec<NodeId>,
}

impl NestedGraphs {
    /// Forgets what is noted of them.
    pub(crate) fn forget(&self, notes: &mut NodeNotes) {
        self.graphs.iter().for_each(|&graph| notes.forget_recorded(graph));
        self.nodes.iter().for_each(|&node| notes.remove(node));
    }
}

#[cfg(test)]
#[path = "node_names_tests.rs"]
mod tests;
