//! Pairing of the nodes of a graph with those of another one that they are compared with.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, VecDeque};
use std::hash::{Hash, Hasher};

use crate::graphs::order::in_order;
use crate::texts::dot_flags::DotFlags;
use crate::texts::picture::{self, Edge, Fact, NodePicture, Picture, WorkPicture};
use graphcap_base::error::{Error, Result};
use graphcap_base::room;
use graphcap_driver::rules::exec_update::{pair_nodes_by_edges, Edged};

/// Way in which nodes are paired.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// As an update of an exec pairs them, by edges, whatever they do. Where edges differ, by work.
    OfUpdates,
    /// By what they do. Of the nodes that wait for the same ones those belong together that are alike with all that comes behind
    /// them; then those that are alike alone, then those of one name and kind, then those that were made first. The nodes that are
    /// left at the end are paired by the same rules without the last one, whatever they wait for.
    ByWork,
}

/// One graph of a picture, with an order in which its nodes can run.
pub(super) struct OrderedGraph<'a> {
    pub(super) picture: &'a Picture,
    pub(super) graph: &'a picture::GraphPicture,
    order: Vec<usize>,
    /// Sorted.
    pub(super) edges: Vec<Edge>,
    /// The nodes that each node waits for, sorted.
    before: Vec<Vec<usize>>,
    /// Data of the edges that carry some.
    carried: HashMap<(u32, u32), [u8; 3]>,
}

impl<'a> OrderedGraph<'a> {
    /// # Errors
    /// `OUT_OF_MEMORY`; `INVALID_VALUE` where the edges form a cycle.
    pub(super) fn new(picture: &'a Picture, graph: &'a picture::GraphPicture) -> Result<OrderedGraph<'a>> {
        /// Most bytes that pairing takes for a node, with the lists that grow.
        const OF_NODE: usize = 8 * size_of::<(usize, usize, &[usize])>();
        const OF_EDGE: usize = 7 * size_of::<(usize, usize, Edge)>();
        let count = graph.nodes.len();
        room::ask(count.saturating_mul(OF_NODE).saturating_add(graph.edges.len().saturating_mul(OF_EDGE)))?;
        let mut edges = room::list(graph.edges.len())?;
        edges.extend_from_slice(&graph.edges);
        edges.sort_unstable();
        let mut before: Vec<Vec<usize>> = room::list(count)?;
        before.resize_with(count, Vec::new);
        let mut ends = room::list(graph.edges.len())?;
        let mut carried = HashMap::new();
        for &Edge { from, to, carries } in &edges {
            if let Some(before) = before.get_mut(to) {
                before.push(from);
                ends.push((from, to));
            }
            if !carries.is_none() {
                carried.insert((from as u32, to as u32), [carries.from_port, carries.to_port, carries.kind]);
            }
        }
        let order = in_order(count, &ends)?.ok_or_else(|| {
            Error::invalid_value(
                "the edges of a graph form a cycle, so that its nodes have no order to be compared in; remove an edge of it",
            )
        })?;
        Ok(OrderedGraph { picture, graph, order, edges, before, carried })
    }

    pub(super) fn node(&self, node: usize) -> &'a NodePicture {
        &self.graph.nodes[node]
    }

    /// Returns what a node is called where it is told of alone.
    pub(super) fn label(&self, node: usize) -> String {
        let node = self.node(node);
        let title = self.picture.title(node, DotFlags::default());
        let what = match &node.work {
            WorkPicture::Kernel { .. } => format!("kernel {title}"),
            _ => title.to_owned(),
        };
        match &node.name {
            Some(name) => format!("{name:?}, {what}"),
            None => what,
        }
    }
}

impl Edged for OrderedGraph<'_> {
    fn node_count(&self) -> u32 {
        self.graph.nodes.len() as u32
    }

    fn dependencies(&self, node: u32) -> &[u32] {
        self.graph.dependencies.get(node as usize).map_or(&[], Vec::as_slice)
    }

    fn carried(&self, from: u32, to: u32) -> Option<[u8; 3]> {
        self.carried.get(&(from, to)).copied()
    }

    fn id(&self, node: u32) -> u64 {
        self.graph.nodes.get(node as usize).map_or(0, |node| node.id)
    }
}

/// The node of `other` that each node of `one` is paired with.
///
/// # Errors
/// As [`OrderedGraph::new`], of graphs within nodes.
pub(super) fn pairs(one: &OrderedGraph<'_>, other: &OrderedGraph<'_>, way: Way) -> Result<Vec<Option<usize>>> {
    let by_edges = match way {
        Way::OfUpdates => pair_nodes_by_edges(one, other),
        Way::ByWork => None,
    };
    match by_edges {
        Some(pairing) => Ok((0..one.node_count()).map(|node| Some(pairing.of(node) as usize)).collect()),
        None => pairs_by_work(one, other),
    }
}

fn pairs_by_work(one: &OrderedGraph<'_>, other: &OrderedGraph<'_>) -> Result<Vec<Option<usize>>> {
    let mut pairs = Pairs {
        sides: (one, other),
        works: (Works::of(one)?, Works::of(other)?),
        pairs: vec![None; one.graph.nodes.len()],
        taken: vec![false; other.graph.nodes.len()],
    };
    let (mut own, mut others) = (by_before(one), by_before(other));
    for &node in &one.order {
        // All nodes that wait for the same ones are paired at once, when the first of them is met.
        let Some(own) = own.remove(&one.before[node][..]) else { continue };
        let before: Option<Vec<usize>> = one.before[node].iter().map(|&before| pairs.pairs[before]).collect();
        let Some(mut before) = before else { continue };
        before.sort_unstable();
        if let Some(others) = others.remove(&before[..]) {
            pairs.pair_alike(&own, &others);
            pairs.pair_by(&own, &others, |_, _, _| ());
        }
    }
    let left = |is_paired: &dyn Fn(usize) -> bool, order: &[usize]| -> Vec<usize> {
        order.iter().copied().filter(|&node| !is_paired(node)).collect()
    };
    let own = left(&|node| pairs.pairs[node].is_some(), &one.order);
    let others = left(&|node| pairs.taken[node], &other.order);
    pairs.pair_alike(&own, &others);
    Ok(pairs.pairs)
}

/// The nodes that wait for the same ones, in an order in which they can run.
fn by_before<'a>(side: &'a OrderedGraph<'_>) -> HashMap<&'a [usize], Vec<usize>> {
    let mut groups: HashMap<&[usize], Vec<usize>> = HashMap::new();
    for &node in &side.order {
        groups.entry(&side.before[node]).or_default().push(node);
    }
    groups
}

/// Pairs by what nodes do.
struct Pairs<'a, 'b> {
    sides: (&'a OrderedGraph<'b>, &'a OrderedGraph<'b>),
    works: (Works, Works),
    pairs: Vec<Option<usize>>,
    /// Of the other graph's nodes.
    taken: Vec<bool>,
}

impl Pairs<'_, '_> {
    /// Pairs those that are alike, the most alike first.
    fn pair_alike(&mut self, own: &[usize], others: &[usize]) {
        self.pair_by(own, others, |side, works, node| (works.with_after[node], side.node(node).name.clone()));
        self.pair_by(own, others, |_, works, node| works.with_after[node]);
        self.pair_by(own, others, |side, works, node| (works.alone[node], side.node(node).name.clone()));
        self.pair_by(own, others, |_, works, node| works.alone[node]);
        self.pair_by(own, others, |side, _, node| side.label(node));
    }

    /// Pairs those without a pair that have the same key, the first ones with each other.
    fn pair_by<K: Hash + Eq>(
        &mut self,
        own: &[usize],
        others: &[usize],
        key: impl Fn(&OrderedGraph<'_>, &Works, usize) -> K,
    ) {
        let own: Vec<usize> = own.iter().copied().filter(|&node| self.pairs[node].is_none()).collect();
        if own.is_empty() {
            return;
        }
        let mut by_key: HashMap<K, VecDeque<usize>> = HashMap::new();
        for &node in others.iter().filter(|&&node| !self.taken[node]) {
            by_key.entry(key(self.sides.1, &self.works.1, node)).or_default().push_back(node);
        }
        if by_key.is_empty() {
            return;
        }
        for node in own {
            let found = by_key.get_mut(&key(self.sides.0, &self.works.0, node)).and_then(VecDeque::pop_front);
            if let Some(found) = found {
                self.pairs[node] = Some(found);
                self.taken[found] = true;
            }
        }
    }
}

/// Work of the nodes of a graph, as numbers that differ where it does: names and places apart.
struct Works {
    alone: Vec<u64>,
    /// With all that comes behind the node.
    with_after: Vec<u64>,
}

impl Works {
    fn of(side: &OrderedGraph<'_>) -> Result<Works> {
        let nodes = &side.graph.nodes;
        let alone: Vec<u64> = nodes.iter().map(|node| alone(side.picture, node)).collect::<Result<_>>()?;
        let mut after: Vec<Vec<(u64, Option<[u8; 3]>)>> = Vec::new();
        after.resize_with(nodes.len(), Vec::new);
        let mut with_after = alone.clone();
        for &node in side.order.iter().rev() {
            let mut behind = std::mem::take(&mut after[node]);
            behind.sort_unstable();
            with_after[node] = number(&(alone[node], behind));
            for &before in &side.before[node] {
                after[before].push((with_after[node], side.carried(before as u32, node as u32)));
            }
        }
        Ok(Works { alone, with_after })
    }
}

fn alone(picture: &Picture, node: &NodePicture) -> Result<u64> {
    let mut hasher = DefaultHasher::new();
    node.kind_name().hash(&mut hasher);
    for Fact { what, text, bytes } in picture.facts(node) {
        (what, text, bytes).hash(&mut hasher);
    }
    for graph in node.graphs() {
        let mut within = Works::of(&OrderedGraph::new(picture, graph)?)?.with_after;
        within.sort_unstable();
        within.hash(&mut hasher);
    }
    Ok(hasher.finish())
}

fn number(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}
