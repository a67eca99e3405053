//! Notes of nodes beside what their device knows of them: their names, what launches stated, and who recorded them.

use std::collections::HashMap;
use std::sync::Arc;

use super::access::LaunchAccesses;
use super::given_names::GivenNames;
use super::noted_memory::NotedNode;
use super::recorded_on::RecordedOn;
use graphcap_driver::{GraphId, NodeId, NodeMap};

/// A note of a node that was recorded.
pub(crate) enum RecordedNote {
    /// The accesses that the launch stated of its arguments.
    Accesses(Arc<LaunchAccesses>),
    /// The name that the node was given.
    Name(Arc<str>),
}

/// A note of a node, beside its name.
#[derive(Clone, Default)]
struct NodeNote {
    /// Statement of the launch about what it does.
    accesses: Option<Arc<LaunchAccesses>>,
    /// Name of the stream that recorded it, where the graph does not tell that by places.
    stream: Option<Arc<str>>,
    /// The memory that it named by addresses.
    memory: Option<Arc<NotedNode>>,
}

impl NodeNote {
    fn is_empty(&self) -> bool {
        self.accesses.is_none() && self.stream.is_none() && self.memory.is_none()
    }
}

/// Notes of the nodes of a graph, and of the graphs within it.
#[derive(Default)]
pub(crate) struct NodeNotes {
    names: Arc<GivenNames>,
    nodes: NodeMap<NodeNote>,
    /// True where memory was noted, be it of no node.
    notes_memory: bool,
    /// Streams that recorded the nodes of graphs which captures went into, as long as no node of these is removed.
    recorded: HashMap<GraphId, Arc<RecordedOn>>,
}

impl NodeNotes {
    pub(crate) fn name(&self, node: NodeId) -> Option<Arc<str>> {
        self.names.get(node)
    }

    /// The names that nodes were given, now and later.
    pub(crate) fn names(&self) -> &Arc<GivenNames> {
        &self.names
    }

    pub(crate) fn accesses(&self, node: NodeId) -> Option<Arc<LaunchAccesses>> {
        self.nodes.get(&node)?.accesses.clone()
    }

    pub(crate) fn set_name(&mut self, node: NodeId, name: Option<Arc<str>>) {
        self.names.set(node, name);
    }

    pub(crate) fn set_accesses(&mut self, node: NodeId, accesses: Option<Arc<LaunchAccesses>>) {
        self.change(node, accesses.is_some(), |note| note.accesses = accesses);
    }

    fn change(&mut self, node: NodeId, adds: bool, change: impl FnOnce(&mut NodeNote)) {
        if adds {
            change(self.nodes.entry(node).or_default());
        } else if let Some(note) = self.nodes.get_mut(&node) {
            change(note);
            if note.is_empty() {
                self.nodes.remove(&node);
            }
        }
    }

    /// `copy` is a copy of `node`, of which `of` tells.
    pub(crate) fn copy_node(&mut self, of: &NodeNotes, (node, copy): (NodeId, NodeId)) {
        if let Some(name) = of.name(node) {
            self.names.set(copy, Some(name));
        }
        if let Some(note) = of.nodes.get(&node) {
            self.nodes.insert(copy, note.clone());
        }
    }

    pub(crate) fn remove(&mut self, node: NodeId) {
        self.names.set(node, None);
        self.nodes.remove(&node);
    }

    pub(crate) fn extend(&mut self, more: NodeNotes) {
        self.names.extend(&more.names);
        self.nodes.extend(more.nodes);
        self.notes_memory |= more.notes_memory;
        self.recorded.extend(more.recorded);
    }

    /// The number of names, of nodes of which something else is noted, and of graphs, in one sum; one more where memory was noted.
    pub(crate) fn count(&self) -> usize {
        self.names.count() + self.nodes.len() + self.recorded.len() + usize::from(self.notes_memory)
    }

    /// Returns what the stream is called that recorded a node, which is at that place among the nodes of its graph.
    pub(crate) fn stream(&self, graph: GraphId, place: usize, node: NodeId) -> Option<Arc<str>> {
        let noted = self.nodes.get(&node).and_then(|note| note.stream.clone());
        noted.or_else(|| self.recorded.get(&graph)?.stream(place))
    }

    pub(crate) fn set_stream(&mut self, node: NodeId, stream: Option<Arc<str>>) {
        self.change(node, stream.is_some(), |note| note.stream = stream);
    }

    /// Notes the memory of `nodes`, of which `noted` name some.
    pub(crate) fn set_memory(&mut self, nodes: impl Iterator<Item = NodeId>, noted: Vec<(NodeId, NotedNode)>) {
        nodes.for_each(|node| self.forget_memory(node));
        self.notes_memory = true;
        for (node, memory) in noted {
            self.change(node, true, |note| note.memory = Some(Arc::new(memory)));
        }
    }

    /// A node names other memory from here on, or none.
    #[inline]
    pub(crate) fn forget_memory(&mut self, node: NodeId) {
        if self.notes_memory {
            self.change(node, false, |note| note.memory = None);
        }
    }

    /// The memory that was noted, by the nodes that named it; `None` where none was noted.
    pub(crate) fn memory(&self) -> Option<Vec<(NodeId, Arc<NotedNode>)>> {
        let of_node = |(&node, note): (&NodeId, &NodeNote)| Some((node, note.memory.clone()?));
        self.notes_memory.then(|| self.nodes.iter().filter_map(of_node).collect())
    }

    /// Returns which streams recorded the nodes of a graph, to be added to.
    pub(crate) fn recorded_on(&mut self, graph: GraphId) -> &mut Arc<RecordedOn> {
        self.recorded.entry(graph).or_default()
    }

    pub(crate) fn has_recorded(&self, graph: GraphId) -> bool {
        self.recorded.contains_key(&graph)
    }

    /// `copy` is a copy of `graph`, of which `of` tells.
    pub(crate) fn copy_recorded(&mut self, of: &NodeNotes, (graph, copy): (GraphId, GraphId)) {
        self.notes_memory |= of.notes_memory;
        if let Some(recorded) = of.recorded.get(&graph) {
            self.recorded.insert(copy, Arc::clone(recorded));
        }
    }

    pub(crate) fn forget_recorded(&mut self, graph: GraphId) {
        self.recorded.remove(&graph);
    }

    /// Makes each of `nodes`, which are all of a graph, tell by itself who recorded it: their places are about to change.
    pub(crate) fn part_recorded(&mut self, graph: GraphId, nodes: &[NodeId]) {
        let Some(recorded) = self.recorded.remove(&graph) else { return };
        for (place, &node) in nodes.iter().enumerate() {
            if let Some(stream) = recorded.stream(place) {
                self.set_stream(node, Some(stream));
            }
        }
    }
}
