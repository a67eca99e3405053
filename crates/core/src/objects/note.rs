//! Notes of nodes beside what their device knows of them: their names, what launches stated, and who recorded them.
//!
//! A capture of one stream is one run of nodes, however long it is, so copies of a graph share what is known in constant time. A node that
//! is removed moves the places of others: then each node of the graph gets a note of its own. Execs share the names that a program gives,
//! so that messages about launches tell them when the graph is gone.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::access::LaunchAccesses;
use super::name::Name;
use super::noted_memory::{NotedNode, NotedNodes};
use graphcap_base::error::Result;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::room;
use graphcap_base::thread::ThreadNumber;
use graphcap_driver::{GraphId, NodeId, NodeMap};
use smallvec::SmallVec;

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
    recorded: BTreeMap<GraphId, Arc<RecordedOn>>,
}

impl NodeNotes {
    pub(crate) fn name(&self, node: NodeId) -> Option<Arc<str>> {
        self.names.get(node)
    }

    /// The names that the graph and its nodes were given, now and later.
    pub(crate) fn names(&self) -> &Arc<GivenNames> {
        &self.names
    }

    pub(crate) fn accesses(&self, node: NodeId) -> Option<Arc<LaunchAccesses>> {
        self.nodes.get(&node)?.accesses.clone()
    }

    /// Returns whether a launch of one of the nodes stated something.
    pub(crate) fn has_accesses(&self) -> bool {
        self.nodes.values().any(|note| note.accesses.is_some())
    }

    pub(crate) fn set_name(&mut self, node: NodeId, name: Option<Arc<str>>) {
        self.names.set(node, name);
    }

    pub(crate) fn set_accesses(&mut self, node: NodeId, accesses: Option<Arc<LaunchAccesses>>) {
        self.change(node, accesses.is_some(), |note| note.accesses = accesses);
    }

    /// A node makes another launch, which states nothing and names no memory.
    #[inline]
    pub(crate) fn forget_launch(&mut self, node: NodeId) {
        if !self.nodes.is_empty() {
            self.forget_memory(node);
            self.set_accesses(node, None);
        }
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
        noted.or_else(|| {
            let recorded = self.recorded.get(&graph)?;
            recorded.called(recorded.recorder_of(place)?)
        })
    }

    pub(crate) fn set_stream(&mut self, node: NodeId, stream: Option<Arc<str>>) {
        self.change(node, stream.is_some(), |note| note.stream = stream);
    }

    /// Notes the memory of `nodes`, of which `noted` name some.
    pub(crate) fn set_memory(&mut self, nodes: impl Iterator<Item = NodeId>, noted: Vec<(NodeId, NotedNode)>) {
        nodes.for_each(|node| self.forget_memory(node));
        self.notes_memory = true;
        self.nodes.reserve(noted.len());
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
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`.
    pub(crate) fn memory(&self) -> Result<Option<NotedNodes>> {
        if !self.notes_memory {
            return Ok(None);
        }
        let of_node = |(&node, note): (&NodeId, &NodeNote)| Some((node, note.memory.clone()?));
        let mut memory = room::list(self.nodes.len())?;
        memory.extend(self.nodes.iter().filter_map(of_node));
        Ok(Some(memory))
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
        let names: Vec<_> = (0..recorded.streams.len()).map(|stream| recorded.called(stream)).collect();
        for (place, &node) in nodes.iter().enumerate() {
            if let Some(stream) = recorded.recorder_of(place).and_then(|stream| names.get(stream)) {
                self.set_stream(node, stream.clone());
            }
        }
    }
}

/// Names of a graph, of its nodes, and of those of graphs within it.
#[derive(Default)]
pub(crate) struct GivenNames {
    pub(crate) graph: Name,
    nodes: Mutex<NodeMap<Arc<str>>, rank::GivenNames>,
}

impl GivenNames {
    pub(crate) fn get(&self, node: NodeId) -> Option<Arc<str>> {
        lock(&self.nodes).get(&node).cloned()
    }

    pub(crate) fn set(&self, node: NodeId, name: Option<Arc<str>>) {
        let mut names = lock(&self.nodes);
        match name {
            Some(name) => names.insert(node, name),
            None => names.remove(&node),
        };
    }

    /// The number of nodes that have a name.
    pub(crate) fn count(&self) -> usize {
        lock(&self.nodes).len()
    }

    /// Takes over all names of `others`.
    pub(crate) fn extend(&self, others: &GivenNames) {
        let others = std::mem::take(&mut *lock(&others.nodes));
        lock(&self.nodes).extend(others);
    }
}

/// Key that tells streams apart: the number, and whose default stream it is, for the one that each thread has of its own.
pub(crate) type StreamKey = (u64, Option<ThreadNumber>);

/// A stream that recorded something, with the name that it had then.
#[derive(Clone)]
pub(crate) struct Recorder {
    pub(crate) key: StreamKey,
    pub(crate) name: Option<Arc<str>>,
}

/// Streams that recorded something; most captures have one.
pub(crate) type Recorders = SmallVec<[Recorder; 1]>;

/// Nodes that one stream recorded one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    /// The place of the stream in its list.
    pub(crate) stream: usize,
    pub(crate) nodes: usize,
}

/// On which streams the nodes of one graph were recorded. Every capture makes one, and few are asked, so names are made when they are.
#[derive(Clone, Default)]
pub(crate) struct RecordedOn {
    /// The streams, in the order of their first use.
    streams: Recorders,
    runs: SmallVec<[Placed; 1]>,
}

#[derive(Clone, Copy)]
struct Placed {
    first: usize,
    end: usize,
    stream: usize,
}

impl RecordedOn {
    /// A capture recorded `runs`, with `recorders`, behind the first `before` nodes of the graph.
    pub(crate) fn add(&mut self, before: usize, recorders: Recorders, runs: &[Run]) {
        let places: SmallVec<[usize; 4]> = recorders.into_iter().map(|recorder| self.place(recorder)).collect();
        let mut first = before;
        self.runs.reserve(runs.len());
        for run in runs {
            let end = first + run.nodes;
            if let Some(&stream) = places.get(run.stream) {
                self.runs.push(Placed { first, end, stream });
            }
            first = end;
        }
    }

    /// The place of a stream, which other captures into the graph may have used before.
    fn place(&mut self, recorder: Recorder) -> usize {
        self.streams.iter().position(|known| known.key == recorder.key).unwrap_or_else(|| {
            self.streams.push(recorder);
            self.streams.len() - 1
        })
    }

    /// The place of the stream that recorded the node at a place among the graph's nodes. `None` for a node that no capture recorded.
    fn recorder_of(&self, node: usize) -> Option<usize> {
        let run = self.runs.get(self.runs.partition_point(|run| run.end <= node))?;
        (run.first <= node).then_some(run.stream)
    }

    /// Returns what the stream at a place is called.
    fn called(&self, stream: usize) -> Option<Arc<str>> {
        let name = &self.streams.get(stream)?.name;
        Some(name.clone().unwrap_or_else(|| format!("stream {stream}").into()))
    }
}

#[cfg(test)]
mod recorded_on_tests {
    use super::*;

    fn recorder(number: u64, name: Option<&str>) -> Recorder {
        Recorder { key: (number, None), name: name.map(Arc::from) }
    }

    #[test]
    fn nodes_are_found_by_their_places() {
        let mut recorded = RecordedOn::default();
        let first = [recorder(7, None), recorder(9, Some("copies")), recorder(8, None)];
        let run = |stream, nodes| Run { stream, nodes };
        recorded.add(2, first.into_iter().collect(), &[run(0, 1), run(1, 2), run(0, 1), run(2, 1)]);
        // One of the streams is known by now, and the new one has the next number.
        recorded.add(9, [recorder(5, None), recorder(8, None)].into_iter().collect(), &[run(0, 1), run(1, 1)]);
        let told: Vec<_> = (0..12).map(|node| recorded.called(recorded.recorder_of(node)?)).collect();
        let told: Vec<_> = told.iter().map(|name| name.as_deref().unwrap_or("-")).collect();
        let (zero, two, three) = ("stream 0", "stream 2", "stream 3");
        assert_eq!(told, ["-", "-", zero, "copies", "copies", zero, two, "-", "-", three, two, "-"]);
    }
}
