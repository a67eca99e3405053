//! The smallest set of edges with which a replay is good: where it is good as soon as the nodes run one after another, edges are missing.
//!
//! Orders of the nodes do not depend on how long each takes, so they are looked at first: between a good and a bad one there are two that
//! differ in two neighbours alone.

use std::collections::BTreeSet;

use super::report::{BisectOutcome, Culprit};
use super::search::Bisection;
use super::trials::{End, Tried};

use graphcap_base::error::{Result, Status};
use graphcap_core::Graph;
use graphcap_driver::rules::legal_orders::{by_priority, places, reversed, Swaps};
use graphcap_driver::rules::random::Random;
use graphcap_driver::rules::smallest::shrink;
use graphcap_driver::NodeId;

/// So many orders are tried beside a good one.
const ORDERS: usize = 16;

/// An edge between the places of two nodes.
type Edge = (u32, u32);

/// A copy of the graph, which gets edges.
struct Copy {
    graph: Graph,
    nodes: Vec<NodeId>,
}

impl Bisection<'_> {
    /// Returns whether edges were found with which a replay is good; they are told. Orders of the nodes are tried first.
    pub(super) fn search_order(&mut self) -> std::result::Result<bool, End> {
        let graph = match self.graph.duplicate() {
            Ok(graph) => graph,
            Err(error) if error.status == Status::NOT_SUPPORTED => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        let nodes = self.recorded.in_copy(self.graph, &graph)?.nodes;
        let copy = Copy { graph, nodes };
        let as_recorded: Vec<u32> = (0..self.recorded.nodes.len() as u32).collect();
        let other = reversed(&self.recorded.after, &as_recorded);
        self.report.is_order_tried = true;
        for order in [as_recorded, other] {
            let edges = edges_to_all(&self.recorded.after, &order, &order);
            if !edges.is_empty() && self.is_good_with_edges(&copy, &edges)? {
                let mut found = Vec::new();
                let end = self.find_edges(&copy, &order, &mut found);
                let is_found = !found.is_empty();
                self.tell_edges(found)?;
                end?;
                // Without an edge the order was good by chance.
                return Ok(is_found);
            }
        }
        Ok(false)
    }

    /// Looks for the edges that the graph needs, where an order is good.
    fn find_edges(&mut self, copy: &Copy, good: &[u32], found: &mut Vec<Edge>) -> std::result::Result<(), End> {
        let (mut needed, mut random) = (self.recorded.after.clone(), Random::new(1));
        // What comes late comes as early as it may, and then in any order.
        let mut priorities: Vec<u64> = places(good).into_iter().map(|place| u64::from(u32::MAX - place)).collect();
        for _ in 0..ORDERS {
            while let Some((first, second)) = self.find_swapped(copy, good, &by_priority(&needed, &priorities))? {
                found.push((first, second));
                if let Some(needed) = needed.get_mut(second as usize) {
                    needed.push(first);
                }
            }
            if !found.is_empty() && self.is_good_with_edges(copy, found)? {
                break;
            }
            priorities.iter_mut().for_each(|priority| *priority = random.below(1 << 40));
        }
        if !self.is_good_with_edges(copy, found)? {
            self.find_overlapping(copy, good, found)?;
        }
        self.report.is_confirmed = !found.is_empty() && self.is_good_with_edges(copy, found)?;
        // A later edge may make an earlier one needless, or a replay was bad by chance.
        if self.report.is_confirmed && found.len() > 1 {
            let mut fewer = found.clone();
            shrink(&mut fewer, |edges| match edges {
                [] => Ok(false),
                _ => self.is_good_with_edges(copy, edges),
            })?;
            // All are told where the smaller set was good by chance.
            if self.is_good_with_edges(copy, &fewer)? {
                *found = fewer;
            }
        }
        Ok(())
    }

    /// Returns two nodes that must not change places, where another order is bad.
    fn find_swapped(&mut self, copy: &Copy, good: &[u32], other: &[u32]) -> std::result::Result<Option<Edge>, End> {
        let swaps = Swaps::between(good, other);
        if swaps.is_empty() || self.is_good_in_order(copy, other)? {
            return Ok(None);
        }
        let (mut same, mut bad) = (0, swaps.len());
        while bad - same > 1 {
            let middle = same + (bad - same) / 2;
            let side = if self.is_good_in_order(copy, &swaps.after(middle))? { &mut same } else { &mut bad };
            *side = middle;
        }
        Ok(Some(swaps.pair(same)))
    }

    /// Looks for edges between nodes that must not run at once, though each order of them is good.
    fn find_overlapping(&mut self, copy: &Copy, good: &[u32], found: &mut Vec<Edge>) -> std::result::Result<(), End> {
        let after = &self.recorded.after;
        let swapped = found.clone();
        let with_all = |waiting: &[u32]| [edges_to_all(after, good, waiting), swapped.clone()].concat();
        // Nodes that wait for all that come before them. Those that come first may be left out of it first.
        let mut waiting: Vec<u32> = good.iter().rev().copied().collect();
        shrink(&mut waiting, |waiting| self.is_good_with_edges(copy, &with_all(waiting)))?;
        while let Some(node) = waiting.pop() {
            let others = [with_all(&waiting), found.clone()].concat();
            let mut earlier = unordered_before(after, good, node);
            shrink(&mut earlier, |earlier| {
                let own = earlier.iter().map(|&one| (one, node));
                self.is_good_with_edges(copy, &others.iter().copied().chain(own).collect::<Vec<_>>())
            })?;
            found.extend(earlier.into_iter().map(|one| (one, node)));
        }
        Ok(())
    }

    fn is_good_in_order(&mut self, copy: &Copy, order: &[u32]) -> std::result::Result<bool, End> {
        self.is_good_with_edges(copy, &edges_to_all(&self.recorded.after, order, order))
    }

    fn tell_edges(&mut self, mut found: Vec<Edge>) -> Result<()> {
        found.sort_unstable_by_key(|&(from, to)| (to, from));
        if !found.is_empty() {
            self.report.outcome = BisectOutcome::Order;
        }
        let node = |place: u32| self.recorded.nodes.get(place as usize).copied();
        let named: Vec<_> = found.into_iter().filter_map(|(from, to)| Some((node(from)?, node(to)?))).collect();
        named.into_iter().try_for_each(|(other, node)| self.report.add(self.graph, node, Culprit::Order { other }))
    }

    fn is_good_with_edges(&mut self, copy: &Copy, edges: &[Edge]) -> std::result::Result<bool, End> {
        let node = |place: u32| copy.nodes.get(place as usize).copied();
        let mut edges: Vec<(NodeId, NodeId)> =
            edges.iter().filter_map(|&(from, to)| Some((node(from)?, node(to)?))).collect();
        edges.sort_unstable();
        edges.dedup();
        self.trials.tried = Tried::Edges(edges.len());
        copy.graph.add_dependencies(&edges)?;
        let is_good = self.trials.is_good(&copy.graph.instantiate()?)?;
        copy.graph.remove_dependencies(&edges)?;
        Ok(is_good)
    }
}

/// Edges by which each of `waiting` waits for all nodes that come before it in an order, beside those that there are.
fn edges_to_all(after: &[Vec<u32>], order: &[u32], waiting: &[u32]) -> Vec<Edge> {
    let waiting: BTreeSet<u32> = waiting.iter().copied().collect();
    // The nodes before for which none of them waits.
    let (mut ends, mut edges) = (BTreeSet::new(), Vec::new());
    for &node in order {
        let before = after.get(node as usize).map(Vec::as_slice).unwrap_or_default();
        for one in before {
            ends.remove(one);
        }
        if waiting.contains(&node) {
            edges.extend(std::mem::take(&mut ends).into_iter().map(|end| (end, node)));
        }
        ends.insert(node);
    }
    edges
}

/// The nodes before one in an order that no path orders before it.
fn unordered_before(after: &[Vec<u32>], order: &[u32], node: u32) -> Vec<u32> {
    let (mut before, mut open) = (BTreeSet::new(), vec![node]);
    while let Some(one) = open.pop() {
        let waits = after.get(one as usize).map(Vec::as_slice).unwrap_or_default();
        open.extend(waits.iter().filter(|&&one| before.insert(one)));
    }
    order.iter().copied().take_while(|&one| one != node).filter(|one| !before.contains(one)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 -> 1, 0 -> 2, 3 -> 4.
    fn after() -> Vec<Vec<u32>> {
        vec![vec![], vec![0], vec![0], vec![], vec![3]]
    }

    #[test]
    fn nodes_wait_for_the_ends_of_what_comes_before() {
        assert_eq!(edges_to_all(&after(), &[0, 1, 2, 3, 4], &[3]), [(1, 3), (2, 3)]);
        assert_eq!(edges_to_all(&after(), &[0, 1, 2, 3, 4], &[4, 2]), [(1, 2), (2, 4)]);
        assert_eq!(edges_to_all(&after(), &[3, 0, 4, 2, 1], &[3, 0, 4, 2, 1]), [(3, 0), (0, 4), (4, 2), (2, 1)]);
        assert!(edges_to_all(&after(), &[0, 1, 2, 3, 4], &[]).is_empty());
    }

    #[test]
    fn a_node_needs_no_edge_from_those_before_it() {
        assert_eq!(unordered_before(&after(), &[0, 1, 3, 2, 4], 4), [0, 1, 2]);
        assert!(unordered_before(&after(), &[0, 1, 3, 2, 4], 1).is_empty());
    }
}
