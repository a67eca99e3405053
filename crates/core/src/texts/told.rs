//! Saved graphs in words, for programs that show them: what each node does, and what memory it uses.

use super::picture::{
    edge_label, Argument, Arguments, GraphPicture, LinkTarget, MemoryEntry, MemoryRef, NodePicture, WorkPicture,
};
use super::saved_graph::SavedGraph;
use graphcap_driver::{Access, ValueAction};

/// Nodes and edges of a saved graph, in words.
#[derive(Debug)]
pub struct ToldGraph {
    /// The nodes in the order in which they were made.
    pub nodes: Vec<ToldNode>,
    /// Edges by places among the nodes: from, to, and what the edge carries, empty for nothing.
    pub edges: Vec<(usize, usize, String)>,
}

/// Node of a saved graph, in words.
#[derive(Debug)]
pub struct ToldNode {
    /// The name that it was given.
    pub name: Option<String>,
    /// Name of its kind.
    pub kind: String,
    /// The kernel that it launches; its kind for other nodes.
    pub title: String,
    /// The stream that recorded it, where that is known.
    pub stream: Option<String>,
    /// Facts about its work, each with its subject.
    pub facts: Vec<(String, String)>,
    /// Memory by its place in [`SavedGraph::memory`], and how the node uses it.
    pub uses: Vec<(usize, &'static str)>,
    /// The graphs within it.
    pub graphs: Vec<ToldGraph>,
}

/// Memory that nodes of a saved graph use.
#[derive(Debug)]
pub struct ToldMemory {
    /// Its name, which no other memory of the graph has.
    pub name: String,
    /// The kind, as the JSON text calls it in words.
    pub kind: &'static str,
    /// Bytes of it, where they are known.
    pub bytes: Option<usize>,
}

impl SavedGraph {
    /// Returns the name of the graph, if it was given one.
    pub fn name(&self) -> Option<&str> {
        self.0.name.as_deref()
    }

    /// Returns its nodes and edges in words.
    pub fn told(&self) -> ToldGraph {
        self.tell(&self.0.graph)
    }

    fn tell(&self, graph: &GraphPicture) -> ToldGraph {
        let node = |node: &NodePicture| ToldNode {
            name: node.name.clone(),
            kind: node.kind_name().to_owned(),
            title: self.0.title(node, Default::default()).to_owned(),
            stream: node.stream.clone(),
            facts: self.0.facts(node).into_iter().map(|fact| (fact.what.into_owned(), fact.text)).collect(),
            uses: uses(node).into_iter().map(|(place, how)| (place.memory, how)).collect(),
            graphs: node.graphs().iter().map(|within| self.tell(within)).collect(),
        };
        ToldGraph {
            nodes: graph.nodes.iter().map(node).collect(),
            edges: graph.edges.iter().map(|edge| (edge.from, edge.to, edge_label(edge.carries))).collect(),
        }
    }

    /// Returns the memory that its nodes use, in the order of the text.
    pub fn memory(&self) -> Vec<ToldMemory> {
        let tell = |memory: &MemoryEntry| ToldMemory {
            name: memory.name.clone(),
            kind: memory.kind.name(),
            bytes: memory.bytes.or(memory.data.as_ref().map(|data| data.len())),
        };
        self.0.memory.iter().map(tell).collect()
    }
}

/// Memory that a node names, and how it uses it.
pub(super) fn uses(node: &NodePicture) -> Vec<(MemoryRef, &'static str)> {
    match &node.work {
        WorkPicture::Kernel { grid_from, arguments, .. } => {
            let arguments = match arguments {
                Arguments::Separate(list) => &list[..],
                Arguments::Packed(block) => std::slice::from_ref(block),
                Arguments::Unknown => &[],
            };
            let sizes = grid_from.iter().flatten().map(|place| (*place, "reads a size of the grid"));
            sizes.chain(arguments.iter().flat_map(of_argument)).collect()
        }
        WorkPicture::Memcpy { copy, .. } => vec![(copy.source, "reads"), (copy.destination, "writes")],
        WorkPicture::Memset { at, .. } => vec![(*at, "writes")],
        WorkPicture::ValueOperations { operations } => {
            let how = |action: ValueAction| match action {
                ValueAction::Write { .. } => "writes",
                ValueAction::Wait { .. } => "waits for",
            };
            operations.iter().map(|operation| (operation.at, how(operation.action))).collect()
        }
        WorkPicture::MemAlloc { memory } => vec![(MemoryRef { memory: *memory, offset: 0 }, "allocates")],
        WorkPicture::MemFree { memory } => vec![(MemoryRef { memory: *memory, offset: 0 }, "frees")],
        _ => Vec::new(),
    }
}

fn of_argument(argument: &Argument) -> impl Iterator<Item = (MemoryRef, &'static str)> + '_ {
    let how = match argument.access.map(|stated| stated.access) {
        Some(Access::Read) => "reads",
        Some(Access::Write) => "writes",
        Some(Access::ReadWrite) => "reads and writes",
        None => "is given",
    };
    argument.addresses.iter().filter_map(move |link| match link.to {
        LinkTarget::Memory(place) => Some((place, how)),
        LinkTarget::Condition(_) => None,
    })
}
