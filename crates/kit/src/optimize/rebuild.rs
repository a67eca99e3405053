//! A copy of a graph, with other edges and in another shape.

use super::recorded::Recorded;
use graphcap_base::error::{Error, Result};
use graphcap_core::Graph;
use graphcap_driver::rules::ends::add_ends;
use graphcap_driver::rules::lanes::Layout;
use graphcap_driver::NodeId;

pub(crate) struct Rebuilt {
    pub(crate) graph: Graph,
    pub(super) added_nodes: usize,
    pub(super) added_edges: usize,
}

/// Gives `copy`, of which `recorded` was read, the edges of `layout` where there is one. Where the device gains by it, the copy gets one
/// root and one leaf.
pub(super) fn rebuild(copy: Graph, recorded: &Recorded, layout: Option<&Layout>) -> Result<Rebuilt> {
    let node_at = |place: u32| recorded.nodes.get(place as usize).copied();
    if let Some(layout) = layout {
        change_edges(&copy, recorded, layout)?;
    }
    let mut rebuilt = Rebuilt::untouched(copy);
    if rebuilt.graph.gains_by_ends() {
        let after = layout.map_or(&recorded.after, |layout| &layout.after);
        let at = |place: usize| match layout {
            Some(layout) => layout.sequence.get(place).and_then(|&node| node_at(node)),
            None => node_at(place as u32),
        };
        let mut has_dependents = vec![false; after.len()];
        after.iter().flatten().for_each(|&one| has_dependents[one as usize] = true);
        let roots = after.iter().enumerate().filter(|(_, after)| after.is_empty()).filter_map(|(place, _)| at(place));
        let leaves = has_dependents.iter().enumerate().filter(|(_, has)| !**has).filter_map(|(place, _)| at(place));
        let (roots, leaves): (Vec<NodeId>, Vec<NodeId>) = (roots.collect(), leaves.collect());
        rebuilt.add_ends(&roots, &leaves)?;
    }
    Ok(rebuilt)
}

/// Gives a graph, of which `recorded` was read, the edges of `layout`. Where that fails, it has those that it had.
pub(super) fn change_edges(graph: &Graph, recorded: &Recorded, layout: &Layout) -> Result<()> {
    let node_at = |place: u32| recorded.nodes.get(place as usize).copied();
    let before: Vec<_> = recorded.edges.iter().map(|&(from, to, _)| (from, to)).collect();
    let mut edges = Vec::with_capacity(layout.after.iter().map(Vec::len).sum());
    for (&node, after) in layout.sequence.iter().zip(&layout.after) {
        let waited_for = after.iter().filter_map(|&place| layout.sequence.get(place as usize));
        edges.extend(waited_for.filter_map(|&before| Some((node_at(before)?, node_at(node)?))));
    }
    graph.remove_dependencies(&before)?;
    graph.add_dependencies(&edges).inspect_err(|_| {
        // What can be done where even that fails is told by the first error.
        let _ = graph.add_dependencies(&before);
    })
}

impl Rebuilt {
    /// The graph as it was recorded.
    pub(super) fn untouched(graph: Graph) -> Rebuilt {
        Rebuilt { graph, added_nodes: 0, added_edges: 0 }
    }

    /// Gives the graph one root before these, and one leaf behind these.
    fn add_ends(&mut self, roots: &[NodeId], leaves: &[NodeId]) -> Result<()> {
        let edges = add_ends(roots, leaves, |behind| {
            let added = self.graph.add_nothing(behind)?;
            self.added_nodes += 1;
            self.added_edges += behind.len();
            Ok::<_, Error>(added)
        })?;
        self.added_edges += edges.len();
        self.graph.add_dependencies(&edges)
    }
}
