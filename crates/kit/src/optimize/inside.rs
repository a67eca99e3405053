//! Graphs within nodes: those of child nodes, and the bodies of conditionals. Their nodes keep their place, and inside of them
//! the edges are those that the work needs.

use std::collections::HashSet;

use super::layouts::{accesses, lay_out, longest_path, Accesses};
use super::options::OptimizeOptions;
use super::plan::Level;
use super::rebuild::change_edges;
use super::recorded::Recorded;
use graphcap_base::error::Result;
use graphcap_core::Graph;
use graphcap_driver::{NodeId, NodeKind};

/// Outcome for the graphs within the nodes of a graph.
#[derive(Default)]
pub(super) struct Inside {
    /// Number of those graphs, at whatever depth, and number of those of them that have other edges now.
    pub(super) graphs: (usize, usize),
    /// The nodes none of whose graphs has a node that may wait for what another one does.
    pub(super) harmless: HashSet<NodeId>,
    /// The levels of the graphs of each node that has some, by the node's place.
    pub(super) levels: Vec<(u32, Vec<Level>)>,
}

/// Optimises the graphs within the nodes of `graph`, of which `recorded` was read; as `level` has it, where there is one.
pub(super) fn optimize(
    graph: &Graph,
    recorded: &Recorded,
    options: &OptimizeOptions,
    level: Option<&Level>,
) -> Result<Inside> {
    let mut inside = Inside::default();
    for (place, (&node, &kind)) in recorded.nodes.iter().zip(&recorded.kinds).enumerate() {
        if !matches!(kind, NodeKind::Child | NodeKind::Conditional) {
            continue;
        }
        let (place, mut levels, mut waits) = (place as u32, Vec::new(), false);
        let known = level.and_then(|level| level.of_node(place));
        for (index, inner) in graph.node_graphs(node)?.into_iter().enumerate() {
            let known = known.and_then(|known| known.get(index));
            let (made, deeper, may_wait) = optimize_one(&inner, options, known)?;
            waits |= may_wait;
            inside.graphs.0 += 1 + deeper.0;
            inside.graphs.1 += usize::from(made.layout.is_some()) + deeper.1;
            levels.push(made);
        }
        if !waits {
            inside.harmless.insert(node);
        }
        inside.levels.push((place, levels));
    }
    Ok(inside)
}

/// Optimises one graph within a node. Gives what was made, how many graphs there are within its nodes, and whether a node of it may
/// wait for what another one does.
fn optimize_one(
    graph: &Graph,
    options: &OptimizeOptions,
    known: Option<&Level>,
) -> Result<(Level, (usize, usize), bool)> {
    let recorded = Recorded::read(graph)?;
    if let Some(known) = known {
        known.check_is_of(graph, &recorded)?;
    }
    let inside = optimize(graph, &recorded, options, known)?;
    let Accesses { ordered, barriers, .. } = accesses(graph, &recorded, options.promises())?;
    let may_wait = barriers.iter().any(|(node, barrier)| barrier.may_wait() && !inside.harmless.contains(node));
    let layout = match known {
        Some(known) => known.layout_for(graph, &recorded, &ordered, &barriers)?,
        None => lay_out(&recorded, ordered, may_wait, options.lanes)
            .filter(|layout| longest_path(&layout.after).len() < longest_path(&recorded.after).len()),
    };
    if let Some(layout) = &layout {
        change_edges(graph, &recorded, layout)?;
    }
    Ok((Level::new(&recorded, layout, inside.levels), inside.graphs, may_wait))
}
