//! Decides whether an exec can be updated by a graph, as a pure function over both: how NVIDIA's driver pairs their nodes, which
//! differences it accepts, and with which result it refuses the others.
//!
//! The driver pairs nodes by the order of edges, and not by when they were made. It begins with the nodes that no other one waits
//! for, the newest first. It takes the pairs as they come: the two must wait for as many nodes, be of one kind, and do what agrees in
//! its [`Facts`]; the graphs of a child node or a conditional are compared then. The nodes that the two wait for are paired next, in
//! the order in which the edges were added. No node can have two pairs. What an accepted update changes is in no [`Facts`], so that
//! these stay for an exec what they were when it was made. An H100 (580.159) agreed in acceptance, result and nodes for 6,000 random
//! pairs.

use std::collections::VecDeque;

use graphcap_base::error::Status;

/// Answer of the driver to an update. The numbers are CUDA's (`CUgraphExecUpdateResult`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum UpdateResult {
    /// It was made; or there was no attempt, because an argument was wrong.
    #[default]
    Success = 0,
    /// For a reason that no other number tells.
    Error = 1,
    /// Nodes or edges differ.
    TopologyChanged = 2,
    /// A node is of another kind.
    NodeTypeChanged = 3,
    /// A kernel node calls another function; of drivers before CUDA 11.2.
    FunctionChanged = 4,
    /// The work of a node differs in a way that an exec does not allow.
    ParametersChanged = 5,
    /// Something of a node cannot be updated.
    NotSupported = 6,
    /// A kernel node calls a function that an exec does not allow in the place of the other one.
    UnsupportedFunctionChange = 7,
    /// A launch attribute differs that an exec does not allow to differ.
    AttributesChanged = 8,
}

impl UpdateResult {
    /// The result with CUDA's number `number`; [`UpdateResult::Error`] for one that is not known.
    pub fn from_number(number: u32) -> UpdateResult {
        use UpdateResult::*;
        let known = [
            Success,
            Error,
            TopologyChanged,
            NodeTypeChanged,
            FunctionChanged,
            ParametersChanged,
            NotSupported,
            UnsupportedFunctionChange,
            AttributesChanged,
        ];
        known.get(number as usize).copied().unwrap_or(Error)
    }

    /// Returns what it means.
    pub fn meaning(self) -> &'static str {
        match self {
            UpdateResult::Success => "the update can be made",
            UpdateResult::Error => "the update cannot be made",
            UpdateResult::TopologyChanged => "the nodes or edges differ",
            UpdateResult::NodeTypeChanged => "a node is of another kind",
            UpdateResult::FunctionChanged => "a kernel node calls another function",
            UpdateResult::ParametersChanged => "what a node does differs in a way that an exec does not allow",
            UpdateResult::NotSupported => "something of a node cannot be updated",
            UpdateResult::UnsupportedFunctionChange => {
                "a kernel node calls a function that an exec does not allow there"
            }
            UpdateResult::AttributesChanged => "a launch attribute differs that an exec does not allow to differ",
        }
    }
}

/// Facts that must agree between the nodes of a pair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Facts {
    /// A kernel.
    Kernel {
        /// Tells the context of its function from others.
        context: u64,
        /// Tells whether all its blocks run at once.
        is_cooperative: bool,
        /// Tells whether kernels can change the node.
        is_updatable: bool,
        /// Its priority.
        priority: i32,
    },
    /// A copy.
    Memcpy {
        /// Tells whether its destination and its source are host memory.
        host_sides: (bool, bool),
        /// All that a copy of several rows is; nothing for one of one row.
        rows: Option<[u64; 10]>,
        /// Memory of the host that it reads or writes.
        host: HostSide,
    },
    /// A memset, with the shape of one of several rows.
    Memset(Option<[u64; 4]>),
    /// Operations on values: one number for each, which tells its kind and width.
    Values(Box<[u8]>),
    /// A node that records an event, or waits for one.
    Event {
        /// Tells whether it records it.
        records: bool,
        /// Tells the context of the event from others.
        context: u64,
    },
    /// A conditional: the number of its kind, and how many bodies it has.
    Conditional(u8, u32),
    /// A node of another kind, of which nothing else must agree.
    Plain(&'static str),
}

/// Memory of the host that a copy reads or writes, as far as that matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum HostSide {
    /// None, one that makes no difference, or one that is not known.
    #[default]
    Any,
    /// Pinned memory, with managed memory on the other side.
    PinnedOfManaged,
    /// Pageable memory.
    Pageable,
}

impl Facts {
    /// The kind of node, in words.
    pub fn kind(&self) -> &'static str {
        match self {
            Facts::Kernel { .. } => "kernel",
            Facts::Memcpy { .. } => "copy",
            Facts::Memset(_) => "memset",
            Facts::Values(_) => "value operation",
            Facts::Event { records: true, .. } => "event record",
            Facts::Event { records: false, .. } => "event wait",
            Facts::Conditional(..) => "conditional",
            Facts::Plain(kind) => kind,
        }
    }
}

/// The nodes and edges of a graph, or of what an exec was made from. Nodes are numbered in the order in which they were made.
pub trait Edged {
    /// Returns how many nodes it has.
    fn node_count(&self) -> u32;
    /// The nodes that a node waits for, in the order in which the edges were added.
    fn dependencies(&self, node: u32) -> &[u32];
    /// Returns what an edge carries, where it carries something.
    fn carried(&self, from: u32, to: u32) -> Option<[u8; 3]>;
    /// Returns what the node is called by elsewhere.
    fn id(&self, node: u32) -> u64;
}

/// A graph, or what an exec was made from, as the comparison reads it.
pub trait Described: Edged {
    /// Returns what a node does.
    fn facts(&self, node: u32) -> Facts;
    /// The graphs of a node, in their order.
    fn graph(&self, node: u32, index: u32) -> Option<&Self>;
    /// The launch attributes of a kernel node by their numbers, as numbers that differ where the values do.
    fn attributes(&self, node: u32) -> Vec<(u32, u64)>;
    /// Returns whether a kernel node may have launch attributes other than the usual ones.
    fn has_attributes(&self, node: u32) -> bool {
        let _ = node;
        true
    }
}

/// Options that an exec was made with, and the comparison that is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Terms {
    /// Tells whether kernels of the exec run with the priorities of their nodes.
    pub node_priorities: bool,
    /// Tells whether launch attributes are compared of which the exec keeps its own.
    pub compares_attributes: bool,
}

/// Reason for the refusal of an update.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// The exec has so many nodes, and the graph so many.
    NodeCount(u32, u32),
    /// The graph has more nodes that no other one waits for.
    MoreLeaves,
    /// The graph has fewer of them.
    FewerLeaves,
    /// A node waits for so many nodes in the exec, and for so many in the graph.
    DependencyCount(u32, u32),
    /// A node waits for another node than its pair.
    Dependency,
    /// An edge carries something else.
    EdgeData,
    /// A node is of one kind in the exec, and of another in the graph.
    Kind(&'static str, &'static str),
    /// A function is of another context.
    FunctionContext,
    /// A kernel became cooperative, or is no longer.
    Cooperative,
    /// The priority differs, of an exec that runs kernels with the priorities of nodes.
    Priority,
    /// Kernels can change the node.
    DeviceUpdatable,
    /// A node takes its grid from memory, which a kernel of the exec sets.
    GridFromMemory,
    /// The graph frees memory that another graph allocates, and the exec was made of it, or updated by it last.
    MemoryOfOthers,
    /// A copy reads or writes another kind of memory.
    CopySides,
    /// A copy of several rows differs.
    CopyRows,
    /// A copy between managed and pinned memory becomes one of pageable memory.
    CopyPageable,
    /// A memset of several rows has another shape.
    MemsetShape,
    /// Operations on values differ in number or kind.
    ValueOperations,
    /// An event is of another context.
    EventContext,
    /// A conditional is of another kind, or has other bodies.
    Conditional,
}

impl Change {
    /// Returns what the driver answers.
    pub fn result(self) -> UpdateResult {
        match self {
            Change::NodeCount(..)
            | Change::MoreLeaves
            | Change::FewerLeaves
            | Change::DependencyCount(..)
            | Change::Dependency
            | Change::EdgeData => UpdateResult::TopologyChanged,
            Change::Kind(..) => UpdateResult::NodeTypeChanged,
            Change::FunctionContext => UpdateResult::UnsupportedFunctionChange,
            Change::Cooperative | Change::Priority => UpdateResult::AttributesChanged,
            // Answered without a result, by the driver or in its place.
            Change::DeviceUpdatable | Change::GridFromMemory | Change::MemoryOfOthers => UpdateResult::Success,
            Change::CopySides
            | Change::CopyRows
            | Change::CopyPageable
            | Change::MemsetShape
            | Change::ValueOperations
            | Change::EventContext => UpdateResult::ParametersChanged,
            Change::Conditional => UpdateResult::NotSupported,
        }
    }

    /// The status of the call.
    pub fn status(self) -> Status {
        match self {
            Change::DeviceUpdatable | Change::GridFromMemory | Change::MemoryOfOthers => Status::NOT_SUPPORTED,
            _ => Status::GRAPH_EXEC_UPDATE_FAILURE,
        }
    }

    /// Returns what differs, in words.
    pub fn sentence(self) -> String {
        let sentence = match self {
            Change::NodeCount(exec, graph) => {
                return format!("the exec has {exec} nodes in that graph, and the other graph has {graph}")
            }
            Change::DependencyCount(exec, graph) => {
                return format!("it waits for {exec} nodes in the exec, and for {graph} in the graph")
            }
            Change::Kind(exec, graph) => return format!("{exec} -> {graph}"),
            Change::MoreLeaves => "the graph has more nodes than the exec that no other node waits for",
            Change::FewerLeaves => "the graph has fewer nodes than the exec that no other node waits for",
            Change::Dependency => "it waits for another node than in the exec, or in another order",
            Change::EdgeData => "an edge to it carries something else than in the exec",
            Change::FunctionContext => "its function is of another context than in the exec",
            Change::Cooperative => "an exec goes on to run a kernel as cooperative, or as none",
            Change::Priority => "its priority differs, and the exec runs kernels with the priorities of nodes",
            Change::DeviceUpdatable => "an exec with a kernel node that kernels can change is not updated",
            Change::GridFromMemory => {
                "a node takes its grid from a scalar, and this device updates no such exec, and none by such a graph; make another exec, \
                 or apply the graph to the exec"
            }
            Change::MemoryOfOthers => {
                "the graph frees memory that another graph allocates, and the exec was made of it or updated by it last: no launch after \
                 such an update would return; update the exec by another graph that does the same, or destroy it and make another"
            }
            Change::CopySides => {
                "a copy goes on to read and write the kinds of memory that it did, the host's or the device's"
            }
            Change::CopyRows => {
                "a copy of several rows stays as it is, and one of one row does not become one of several"
            }
            Change::CopyPageable => {
                "a copy between managed and pinned memory of the host does not become one of pageable memory, as the launch would fault; \
                 use pinned memory, or make another exec"
            }
            Change::MemsetShape => {
                "a memset of several rows keeps its elements, rows and pitch, and one of one row stays one of one row"
            }
            Change::ValueOperations => {
                "operations on values keep their number, and each of them stays the write or the wait of 4 or 8 bytes that it was"
            }
            Change::EventContext => "its event is of another context than in the exec",
            Change::Conditional => "a conditional keeps its kind and the number of its bodies",
        };
        sentence.to_owned()
    }
}

/// The first difference that refuses an update.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The difference.
    pub change: Change,
    /// The node of the exec, where it is known.
    pub exec_node: Option<u64>,
    /// The node of the graph, where the driver tells one.
    pub graph_node: Option<u64>,
    /// Node that that one waits for and should not.
    pub from_node: Option<u64>,
}

/// A launch attribute in which an exec and a graph differ that can update it. The exec keeps its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeptAttribute {
    /// The attribute's number.
    pub attribute: u32,
    /// The node of the exec.
    pub exec_node: u64,
    /// The node of the graph.
    pub graph_node: u64,
}

/// Nodes of a graph by the nodes of an exec to which they belong.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pairing {
    /// By the nodes of the exec; nothing where each has the number of its pair.
    pub nodes: Option<Vec<u32>>,
    /// For the graphs of nodes: the node of the exec, which of its graphs, and the pairs in it.
    pub within: Vec<(u32, u32, Pairing)>,
    /// The first launch attribute that differs.
    pub kept: Option<KeptAttribute>,
}

impl Pairing {
    /// The node of the graph that belongs to a node of the exec.
    pub fn of(&self, node: u32) -> u32 {
        self.nodes.as_ref().and_then(|nodes| nodes.get(node as usize).copied()).unwrap_or(node)
    }
}

/// Pairs the nodes of `exec`, which is what an exec was made from, with those of `graph`.
///
/// # Errors
/// The first difference that refuses an update.
pub fn pair<E: Described, G: Described>(exec: &E, graph: &G, terms: Terms) -> Result<Pairing, Difference> {
    let nowhere = |change| Difference { change, exec_node: None, graph_node: None, from_node: None };
    let (count, of_graph) = (exec.node_count(), graph.node_count());
    if count != of_graph {
        return Err(nowhere(Change::NodeCount(count, of_graph)));
    }
    let mut pairing = Pairing::default();
    let mut is_paired = |node| pair_node((exec, node), (graph, node), terms, &mut pairing).is_ok();
    if is_alike(exec, graph) && (0..count).all(&mut is_paired) {
        return Ok(pairing);
    }
    pairing = Pairing::default();
    pairing.nodes =
        Some(walk(exec, graph, |node, of_graph| pair_node((exec, node), (graph, of_graph), terms, &mut pairing))?);
    Ok(pairing)
}

/// The first copy between managed and pinned memory in `exec` whose node in `graph`, by `pairing`, is a copy of pageable memory. The
/// driver takes the update, and the launch faults.
pub fn pageable_instead<E: Described, G: Described>(exec: &E, graph: &G, pairing: &Pairing) -> Option<Difference> {
    let is = |facts: Facts, of| matches!(facts, Facts::Memcpy { host, .. } if host == of);
    let faults = |&node: &u32| {
        is(exec.facts(node), HostSide::PinnedOfManaged) && is(graph.facts(pairing.of(node)), HostSide::Pageable)
    };
    let own = (0..exec.node_count()).find(faults);
    own.map(|node| difference((exec, node), (graph, pairing.of(node)), Change::CopyPageable)).or_else(|| {
        pairing.within.iter().find_map(|(node, index, within)| {
            pageable_instead(exec.graph(*node, *index)?, graph.graph(pairing.of(*node), *index)?, within)
        })
    })
}

/// Pairs the nodes of two graphs by their edges, whatever they do, as an update of an exec of the first one by the second one does.
/// `None` where nodes or edges differ.
pub fn pair_nodes_by_edges<E: Edged, G: Edged>(exec: &E, graph: &G) -> Option<Pairing> {
    if exec.node_count() != graph.node_count() {
        return None;
    }
    match is_alike(exec, graph) {
        true => Some(Pairing::default()),
        false => {
            walk(exec, graph, |_, _| Ok(())).ok().map(|nodes| Pairing { nodes: Some(nodes), ..Pairing::default() })
        }
    }
}

/// Adds to `pairs` the ids of the nodes of `exec`, which is what an exec was made from, with those of the nodes of `graph` that they
/// belong to by the edges of both, whatever they do. Those of graphs within follow their nodes. Whether the edges are alike.
pub fn pair_by_edges<E: Described, G: Described>(exec: &E, graph: &G, pairs: &mut Vec<(u64, u64)>) -> bool {
    let Some(pairing) = pair_nodes_by_edges(exec, graph) else { return false };
    (0..exec.node_count()).all(|node| {
        let of_graph = pairing.of(node);
        pairs.push((exec.id(node), graph.id(of_graph)));
        let mut within = (0..).map_while(|index| Some((exec.graph(node, index)?, graph.graph(of_graph, index)?)));
        within.all(|(inner, of_graph)| pair_by_edges(inner, of_graph, pairs))
    })
}

/// Compares the nodes of one pair, and the graphs of these.
fn pair_node<E: Described, G: Described>(
    (exec, node): (&E, u32),
    (graph, of_graph): (&G, u32),
    terms: Terms,
    pairing: &mut Pairing,
) -> Result<(), Difference> {
    let (before, after) = (exec.facts(node), graph.facts(of_graph));
    compare(&before, &after, terms).map_err(|change| difference((exec, node), (graph, of_graph), change))?;
    let may_differ = |node| exec.has_attributes(node) || graph.has_attributes(of_graph);
    let is_kernel = matches!(before, Facts::Kernel { .. });
    if terms.compares_attributes && pairing.kept.is_none() && is_kernel && may_differ(node) {
        let (own, others) = (exec.attributes(node), graph.attributes(of_graph));
        let differs = own.iter().zip(&others).find(|(own, other)| own != other);
        pairing.kept = differs.map(|(&(attribute, _), _)| KeptAttribute {
            attribute,
            exec_node: exec.id(node),
            graph_node: graph.id(of_graph),
        });
    }
    if !may_have_graphs(&before) {
        return Ok(());
    }
    for index in 0.. {
        let (Some(inner), Some(of_graph)) = (exec.graph(node, index), graph.graph(of_graph, index)) else { break };
        let within = pair(inner, of_graph, terms)?;
        pairing.kept = pairing.kept.or(within.kept);
        pairing.within.push((node, index, within));
    }
    Ok(())
}

fn may_have_graphs(facts: &Facts) -> bool {
    matches!(facts, Facts::Conditional(..) | Facts::Plain(_))
}

fn difference<E: Edged, G: Edged>((exec, node): (&E, u32), (graph, of_graph): (&G, u32), change: Change) -> Difference {
    Difference { change, exec_node: Some(exec.id(node)), graph_node: Some(graph.id(of_graph)), from_node: None }
}

/// Returns whether each node waits for the nodes of the same numbers in both, with the same on the edges: then each is paired with that
/// of its number.
fn is_alike<E: Edged, G: Edged>(exec: &E, graph: &G) -> bool {
    (0..exec.node_count()).all(|node| {
        let waits = exec.dependencies(node);
        waits == graph.dependencies(node)
            && waits.iter().all(|&from| exec.carried(from, node) == graph.carried(from, node))
    })
}

/// The nodes that no other one waits for, the newest first.
fn leaves<T: Edged>(graph: &T) -> Vec<u32> {
    let mut is_leaf = vec![true; graph.node_count() as usize];
    for node in 0..graph.node_count() {
        for &from in graph.dependencies(node) {
            if let Some(is_leaf) = is_leaf.get_mut(from as usize) {
                *is_leaf = false;
            }
        }
    }
    (0..graph.node_count()).rev().filter(|&node| is_leaf.get(node as usize) == Some(&true)).collect()
}

/// Pairs nodes from the leaves on: all leaves, then what these wait for, and so on. Has `compare` look at each pair as it comes.
fn walk<E: Edged, G: Edged>(
    exec: &E,
    graph: &G,
    mut compare: impl FnMut(u32, u32) -> Result<(), Difference>,
) -> Result<Vec<u32>, Difference> {
    let (of_exec, of_graph) = (leaves(exec), leaves(graph));
    if let Some(&more) = of_graph.get(of_exec.len()) {
        let graph_node = Some(graph.id(more));
        return Err(Difference { change: Change::MoreLeaves, exec_node: None, graph_node, from_node: None });
    }
    if let Some(&fewer) = of_exec.get(of_graph.len()) {
        let exec_node = Some(exec.id(fewer));
        return Err(Difference { change: Change::FewerLeaves, exec_node, graph_node: None, from_node: None });
    }
    const NONE: u32 = u32::MAX;
    let count = exec.node_count() as usize;
    let (mut pairs, mut paired) = (vec![NONE; count], vec![NONE; count]);
    let mut next = VecDeque::with_capacity(count);
    for (&node, &of_graph) in of_exec.iter().zip(&of_graph) {
        (pairs[node as usize], paired[of_graph as usize]) = (of_graph, node);
        next.push_back((node, of_graph));
    }
    while let Some((node, of_graph)) = next.pop_front() {
        let at = |change| difference((exec, node), (graph, of_graph), change);
        let (waits, of_waits) = (exec.dependencies(node), graph.dependencies(of_graph));
        if waits.len() != of_waits.len() {
            return Err(at(Change::DependencyCount(waits.len() as u32, of_waits.len() as u32)));
        }
        compare(node, of_graph)?;
        for (&from, &of_from) in waits.iter().zip(of_waits) {
            let by = |change| Difference { from_node: Some(graph.id(of_from)), ..at(change) };
            if exec.carried(from, node) != graph.carried(of_from, of_graph) {
                return Err(by(Change::EdgeData));
            }
            match (pairs[from as usize], paired[of_from as usize]) {
                (pair, _) if pair == of_from => {}
                (NONE, NONE) => {
                    (pairs[from as usize], paired[of_from as usize]) = (of_from, from);
                    next.push_back((from, of_from));
                }
                _ => return Err(by(Change::Dependency)),
            }
        }
    }
    // Nodes on a cycle that no leaf waits for.
    match pairs.iter().position(|&pair| pair == NONE) {
        None => Ok(pairs),
        Some(node) => Err(Difference {
            change: Change::Dependency,
            exec_node: Some(exec.id(node as u32)),
            graph_node: None,
            from_node: None,
        }),
    }
}

/// Returns whether a node of an exec may go from one to the other.
///
/// # Errors
/// What differs, where it may not.
pub fn compare(before: &Facts, after: &Facts, terms: Terms) -> Result<(), Change> {
    let told = |is_wrong: bool, change| if is_wrong { Err(change) } else { Ok(()) };
    match (before, after) {
        (
            Facts::Kernel { context, is_cooperative, is_updatable, priority },
            Facts::Kernel {
                context: context_after,
                is_cooperative: cooperative_after,
                is_updatable: updatable_after,
                priority: priority_after,
            },
        ) => {
            told(*is_updatable || *updatable_after, Change::DeviceUpdatable)?;
            told(context != context_after, Change::FunctionContext)?;
            told(is_cooperative != cooperative_after, Change::Cooperative)?;
            told(terms.node_priorities && priority != priority_after, Change::Priority)
        }
        (Facts::Memcpy { host_sides, rows, .. }, Facts::Memcpy { host_sides: sides_after, rows: rows_after, .. }) => {
            told(host_sides != sides_after, Change::CopySides)?;
            told(rows != rows_after, Change::CopyRows)
        }
        (Facts::Memset(shape), Facts::Memset(after)) => told(shape != after, Change::MemsetShape),
        (Facts::Values(kinds), Facts::Values(after)) => told(kinds != after, Change::ValueOperations),
        (Facts::Event { records, context }, Facts::Event { records: after, context: context_after })
            if records == after =>
        {
            told(context != context_after, Change::EventContext)
        }
        (Facts::Conditional(..), Facts::Conditional(..)) => told(before != after, Change::Conditional),
        _ => told(before.kind() != after.kind(), Change::Kind(before.kind(), after.kind())),
    }
}

#[cfg(test)]
#[path = "exec_update_tests.rs"]
mod tests;
