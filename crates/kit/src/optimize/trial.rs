//! A graph that is replayed for a trial: its copy, what its nodes touch, and other copies with other edges.

use std::collections::HashMap;

use super::layouts::{accesses, lay_out, longest_path, originals, Accesses};
use super::options::OptimizeOptions;
use super::plan::{Form, Level, Plan};
use super::promises::Promises;
use super::rebuild::{rebuild, Rebuilt};
use super::recorded::Recorded;
use super::report::OptimizeReport;
use super::written::{self, NodeWrites, Permits};
use graphcap_base::error::Result;
use graphcap_core::{Graph, GraphExec, MemoryRanges, SavedMemory, Stream};
use graphcap_driver::rules::lanes::{pack, Layout};
use graphcap_driver::rules::order::needed;
use graphcap_driver::NodeId;

/// A graph whose replays can be undone.
pub(crate) struct Trial {
    copy: Graph,
    recorded: Recorded,
    known: Accesses,
    originals: HashMap<NodeId, NodeId>,
    promises: Promises,
    /// Memory that each node writes, in the recorded order.
    pub(crate) writes: Vec<NodeWrites>,
}

impl Trial {
    /// # Errors
    /// `NOT_SUPPORTED` for a graph that cannot be copied, when what a node writes is not known, or when the caller did not permit what
    /// it does; `INVALID_VALUE` when the edges form a cycle; `OUT_OF_MEMORY`; the status of a context that faulted.
    pub(crate) fn of(graph: &Graph, promises: Promises, permits: Permits) -> Result<Trial> {
        let copy = graph.duplicate()?;
        let recorded = Recorded::read(&copy)?;
        let known = accesses(&copy, &recorded, promises.clone())?;
        let originals = originals(graph, &copy)?;
        let original = |node: NodeId| originals.get(&node).copied().unwrap_or(node);
        let writes = written::writes(&copy, &recorded.nodes, original, (promises.clone(), permits))?;
        Ok(Trial { copy, recorded, known, originals, promises, writes })
    }

    /// For each node, in the recorded order, those that have to come before it by what is declared.
    pub(crate) fn needed(&self) -> Vec<Vec<u32>> {
        needed(&self.known.ordered)
    }

    /// Saves what the nodes write, where that is at most so many bytes; 0 stands for 1 GiB.
    ///
    /// # Errors
    /// As [`SavedMemory::save`].
    pub(super) fn save(&self, stream: &Stream, most: u64) -> Result<SavedMemory> {
        let written = MemoryRanges::of(self.writes.iter().map(|one| &one.writes).collect::<Vec<_>>());
        SavedMemory::save(stream, &written, if most == 0 { 1 << 30 } else { most })
    }

    /// Returns whether an edge carries something, so that the graph keeps its edges.
    pub(crate) fn has_carrying_edge(&self) -> bool {
        self.recorded.carries()
    }

    /// The graph, for questions about nodes by their places.
    pub(crate) fn copy(&self) -> &Graph {
        &self.copy
    }

    /// Returns what the copy and the caller call the node at a place of the recorded order.
    pub(crate) fn node(&self, place: u32) -> Option<(NodeId, NodeId)> {
        let node = *self.recorded.nodes.get(place as usize)?;
        Some((node, self.originals.get(&node).copied().unwrap_or(node)))
    }

    /// The nodes on at most so many lanes; `None` where the edges have to stay.
    pub(crate) fn layout(&self, lanes: usize) -> Option<Layout> {
        let may_wait = self.known.barriers.iter().any(|(_, barrier)| barrier.may_wait());
        lay_out(&self.recorded, self.known.ordered.clone(), may_wait, lanes)
    }

    /// The nodes with the edges that they need alone; `None` where the edges have to stay, or where there are more nodes than `most`.
    pub(super) fn layout_needed(&self, most: usize) -> Option<Layout> {
        let may_change =
            !self.has_carrying_edge() && !self.known.barriers.iter().any(|(_, barrier)| barrier.may_wait());
        let nodes = self.known.ordered.len();
        (may_change && nodes <= most).then(|| pack(&self.needed(), nodes))
    }

    /// Returns what is told of the graph as it was recorded.
    pub(super) fn report(&self) -> OptimizeReport {
        let (edges, path) = (self.recorded.edges.len(), longest_path(&self.recorded.after).len());
        let named = |&(node, barrier)| Some((*self.originals.get(&node)?, barrier));
        OptimizeReport {
            barriers: self.known.barriers.iter().filter_map(named).collect(),
            shared_workspaces: self.known.workspaces.clone(),
            ..OptimizeReport::of_recorded(self.recorded.nodes.len(), edges, path)
        }
    }

    /// The plan that makes the same of later graphs.
    pub(super) fn plan(&self, options: &OptimizeOptions, layout: Option<&Layout>, form: Form) -> Plan {
        let level = Level::new(&self.recorded, layout.cloned(), Vec::new());
        Plan::new(self.copy.context(), (options, &self.promises), level, form)
    }

    /// The copy itself with the edges of `layout`, or its own: as it was recorded, or as an optimised graph has them.
    pub(super) fn into_rebuilt(self, layout: Option<&Layout>, has_ends: bool) -> Result<Rebuilt> {
        match has_ends {
            true => rebuild(self.copy, &self.recorded, layout),
            false => Ok(Rebuilt::untouched(self.copy)),
        }
    }

    /// A copy of the graph with the edges of `layout`, or its own, as an optimised graph has them.
    pub(crate) fn rebuilt(&self, layout: Option<&Layout>) -> Result<Rebuilt> {
        let copy = self.copy.duplicate()?;
        let recorded = self.recorded.in_copy(&self.copy, &copy)?;
        rebuild(copy, &recorded, layout)
    }

    /// An exec for each node, which runs that node alone, in the recorded order.
    ///
    /// # Errors
    /// As [`Graph::instantiate`].
    pub(crate) fn singles(&self) -> Result<Vec<GraphExec>> {
        singles(&self.copy, &self.recorded.nodes, &[])
    }
}

/// An exec for each node of a graph but for `others`, which runs that node alone.
///
/// # Errors
/// As [`Graph::duplicate`] and [`Graph::instantiate`].
pub(crate) fn singles(graph: &Graph, nodes: &[NodeId], others: &[NodeId]) -> Result<Vec<GraphExec>> {
    let mut execs = Vec::with_capacity(nodes.len());
    if !nodes.is_empty() {
        let copy = graph.duplicate()?;
        let in_copy = |&node: &NodeId| graph.node_in_copy(node, &copy);
        let nodes = nodes.iter().map(in_copy).collect::<Result<Vec<_>>>()?;
        others.iter().try_for_each(|node| copy.remove_node(in_copy(node)?))?;
        split(copy, nodes, &mut execs)?;
    }
    Ok(execs)
}

/// Parts a graph of these nodes into halves until each has one, so that no more than n log n nodes are copied.
fn split(graph: Graph, nodes: Vec<NodeId>, execs: &mut Vec<GraphExec>) -> Result<()> {
    if nodes.len() == 1 {
        execs.push(graph.instantiate()?);
        return Ok(());
    }
    let (first, second) = nodes.split_at(nodes.len() / 2);
    let copy = graph.duplicate()?;
    let of_copy =
        |nodes: &[NodeId]| nodes.iter().map(|&node| graph.node_in_copy(node, &copy)).collect::<Result<Vec<_>>>();
    let (kept, gone) = (of_copy(first)?, of_copy(second)?);
    gone.into_iter().try_for_each(|node| copy.remove_node(node))?;
    split(copy, kept, execs)?;
    first.iter().try_for_each(|&node| graph.remove_node(node))?;
    split(graph, second.to_vec(), execs)
}
