//! A recorded graph with what is known of its nodes, and the lanes that they can be laid out on.

use std::collections::{HashMap, HashSet};

use super::accesses::{Barrier, Barriers, Reader, SharedWorkspace};
use super::promises::Promises;
use super::recorded::{works_of, Recorded, Works};
use graphcap_base::error::Result;
use graphcap_core::{Graph, NodeParams};
use graphcap_driver::rules::lanes::{pack, Layout};
use graphcap_driver::rules::order::{needed, Ordered, Standing};
use graphcap_driver::{EdgeData, NodeId, NodeKind, ReadKernels};

/// Number of lanes unless something else is said: as many kernels as a GPU runs at once.
const LANES: usize = 128;

/// A graph with nodes that wait for others, and with more nodes than these, keeps its edges, as it would need a lane for each.
const MOST_NODES_THAT_WAIT: usize = 4096;

/// Facts about the nodes of a graph.
#[derive(Default)]
pub(crate) struct Accesses {
    /// Memory that they touch, in their order.
    pub(crate) ordered: Vec<Ordered>,
    /// Nodes that keep their place, with the reasons.
    pub(crate) barriers: Barriers,
    /// The workspaces of libraries that several of them use.
    pub(crate) workspaces: Vec<SharedWorkspace>,
}

impl Accesses {
    /// Takes from a graph what its nodes wait for; called again it gives that back.
    pub(crate) fn exchange_waits(&mut self, recorded: &mut Recorded) {
        for (one, after) in self.ordered.iter_mut().zip(&mut recorded.after) {
            std::mem::swap(&mut one.after, after);
        }
    }
}

/// Returns what the nodes of a graph touch, in their order, and which keep their place.
pub(crate) fn accesses(graph: &Graph, recorded: &Recorded, promises: Promises) -> Result<Accesses> {
    let mut accesses = accesses_of(graph, recorded, &works_of(graph, ReadKernels::All)?, promises)?;
    for (one, after) in accesses.ordered.iter_mut().zip(&recorded.after) {
        one.after.clone_from(after);
    }
    Ok(accesses)
}

/// As [`accesses`], of nodes with that work, which do not wait for each other yet.
pub(crate) fn accesses_of(graph: &Graph, recorded: &Recorded, params: &Works, promises: Promises) -> Result<Accesses> {
    let mut reader = Reader::new(graph, promises);
    let (mut ordered, mut barriers) = (Vec::with_capacity(recorded.nodes.len()), Vec::new());
    let carrying = recorded.edges.iter().filter(|(_, _, data)| *data != EdgeData::NONE);
    let carrying: HashSet<NodeId> = carrying.flat_map(|&(from, to, _)| [from, to]).collect();
    for &node in &recorded.nodes {
        let (mut one, mut barrier) =
            reader.read(node, params.get(node).unwrap_or(&NodeParams::Other(NodeKind::Other)))?;
        if barrier.is_none() && carrying.contains(&node) {
            (one.standing, barrier) = (Standing::Fixed, Some(Barrier::CarryingEdge));
        }
        ordered.push(one);
        barriers.extend(barrier.map(|barrier| (node, barrier)));
    }
    Ok(Accesses { ordered, barriers, workspaces: reader.shared_workspaces() })
}

/// The places of the nodes on a longest path.
pub(super) fn longest_path(after: &[Vec<u32>]) -> Vec<u32> {
    // For each node how many there are on the longest path to it, and which one is before it.
    let mut known: Vec<(u32, Option<u32>)> = Vec::with_capacity(after.len());
    for after in after {
        let lengths = after.iter().filter_map(|&one| Some((known.get(one as usize)?.0, one)));
        let (length, before) = lengths.max().map_or((0, None), |(length, one)| (length, Some(one)));
        known.push((length + 1, before));
    }
    let end = (0..known.len()).max_by_key(|&at| known.get(at).map(|(length, _)| *length));
    let before = |&at: &u32| known.get(at as usize).and_then(|(_, before)| *before);
    let mut path: Vec<u32> = std::iter::successors(end.map(|end| end as u32), before).collect();
    path.reverse();
    path
}

/// The nodes on lanes; `None` where the edges have to stay.
pub(super) fn lay_out(recorded: &Recorded, mut ordered: Vec<Ordered>, may_wait: bool, lanes: usize) -> Option<Layout> {
    // What an edge carries may let its node begin before the other one is over: no path of others says the same.
    if recorded.carries() {
        return None;
    }
    let most = if lanes == 0 { LANES } else { lanes };
    if !may_wait {
        return Some(pack(&needed(&ordered), most));
    }
    // A node may wait for what another branch does. With an order between the two that nobody recorded it might wait for ever, so
    // there is a lane for each.
    for one in ordered.iter_mut().filter(|one| one.standing == Standing::Alone || one.one_at_a_time) {
        (one.standing, one.one_at_a_time) = (Standing::Fixed, false);
    }
    (ordered.len() <= MOST_NODES_THAT_WAIT).then(|| pack(&needed(&ordered), ordered.len()))
}

/// Returns what the recorded graph calls the nodes of the copy.
pub(super) fn originals(graph: &Graph, copy: &Graph) -> Result<HashMap<NodeId, NodeId>> {
    let mut originals = HashMap::new();
    for node in graph.nodes()?.nodes {
        // A node that was added since is not in the copy.
        if let Ok(found) = graph.node_in_copy(node, copy) {
            originals.insert(found, node);
        }
    }
    Ok(originals)
}
