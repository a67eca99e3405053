//! Nodes of a graph that touch the same bytes and that no path orders: pure functions and data.
//!
//! The nodes are looked at one after another, each behind those that it waits for. Of every byte it is known which nodes wrote it last and
//! which ones have read it since. A node is compared with these alone: what came before them is ordered before the node, or was told
//! already.

use std::collections::HashSet;

use super::order::{Clocks, Ordered};
use super::ranges::Pieces;

/// So many nodes that no path orders are remembered of a byte: with more, the first ones say enough.
const MOST_OF_A_BYTE: usize = 8;
/// So many reads of a byte since it was written are remembered.
const MOST_READS: usize = 256;

/// Pairs of nodes that touch a common byte, which one of them writes, and that no path orders: the earlier one of the list first, in the
/// order of the later ones. Where many nodes meet in a byte, not all pairs of them are told, but at least one.
///
/// The nodes come in an order in which each is behind those that it waits for.
pub fn unordered(nodes: &[Ordered]) -> Vec<(u32, u32)> {
    let clocks = Clocks::of(nodes);
    let (mut memory, mut found) = (Pieces::<u64, LastUses>::default(), Found::default());
    for (node, ordered) in nodes.iter().enumerate() {
        for touch in ordered.touches.iter().filter(|touch| touch.start < touch.end) {
            memory.change(touch.start, touch.end, |_, uses| uses.touch(node as u32, touch.writes, &clocks, &mut found));
        }
    }
    found.pairs
}

/// The pairs that were found, each once.
#[derive(Default)]
struct Found {
    pairs: Vec<(u32, u32)>,
    known: HashSet<(u32, u32)>,
}

impl Found {
    fn add(&mut self, earlier: u32, later: u32) {
        if self.known.insert((earlier, later)) {
            self.pairs.push((earlier, later));
        }
    }
}

/// The nodes that touched a byte last.
#[derive(Clone, Default)]
struct LastUses {
    writes: Vec<u32>,
    reads: Vec<u32>,
}

impl LastUses {
    fn touch(&mut self, node: u32, writes: bool, clocks: &Clocks, found: &mut Found) {
        let is_ordered = |&earlier: &u32| clocks.precedes(earlier, node);
        for &earlier in self.writes.iter().filter(|one| !is_ordered(one)) {
            found.add(earlier, node);
        }
        if !writes {
            // A later write that an earlier read is not ordered with is not ordered with this one either. Looked through now and then alone,
            // as a byte may be read by all nodes of a graph.
            if self.reads.len() >= MOST_READS {
                self.reads.retain(|one| !is_ordered(one));
                self.reads.truncate(MOST_READS / 2);
            }
            if self.reads.last() != Some(&node) {
                self.reads.push(node);
            }
            return;
        }
        self.reads.retain(|one| !is_ordered(one));
        self.reads.truncate(MOST_OF_A_BYTE);
        for &earlier in &self.reads {
            found.add(earlier, node);
        }
        self.writes.retain(|one| !is_ordered(one));
        self.writes.truncate(MOST_OF_A_BYTE);
        self.writes.push(node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::order::{conflict, Touch};
    use crate::rules::random_graphs::{paths, random_edges, rounds, Random};

    fn node(after: &[u32], touches: &[(u64, u64, bool)]) -> Ordered {
        let touches = touches.iter().map(|&(start, end, writes)| Touch { start, end, writes });
        Ordered { after: after.to_vec(), touches: touches.collect(), ..Ordered::default() }
    }

    #[test]
    fn a_fork_without_a_join_is_told_and_one_with_a_join_is_not() {
        let fork = [node(&[], &[(0, 8, true)]), node(&[0], &[(0, 8, false)]), node(&[0], &[(4, 8, true)])];
        assert_eq!(unordered(&fork), [(1, 2)]);
        let joined = [node(&[], &[(0, 8, true)]), node(&[0], &[(0, 8, false)]), node(&[0, 1], &[(4, 8, true)])];
        assert_eq!(unordered(&joined), []);
    }

    #[test]
    fn readers_need_no_order_and_neighbours_do_not_meet() {
        let readers = [node(&[], &[(0, 8, false)]), node(&[], &[(0, 8, false)]), node(&[], &[(8, 9, true)])];
        assert_eq!(unordered(&readers), []);
    }

    #[test]
    fn a_node_that_reads_what_it_writes_does_not_meet_itself() {
        assert_eq!(unordered(&[node(&[], &[(0, 8, false), (0, 8, true), (2, 4, false)])]), []);
    }

    /// Beside all pairs: what is told is one, and where there is one in a byte, one is told.
    #[test]
    fn random_graphs_are_judged_as_by_all_pairs() {
        let mut random = Random::new(0x2545_f491_4f6c_dd1d);
        for round in 0..rounds(2_000, 200_000) {
            let (count, width, bytes) = (1 + random.below(30), 1 + random.below(6), 1 + random.below(16));
            let nodes: Vec<Ordered> = random_edges(&mut random, count, 2, width)
                .into_iter()
                .map(|after| {
                    let touches = (0..random.below(3)).map(|_| {
                        let start = random.below(bytes);
                        Touch { start, end: start + random.below(4), writes: random.below(3) == 0 }
                    });
                    Ordered { after, touches: touches.collect(), ..Ordered::default() }
                })
                .collect();
            let edges: Vec<_> = nodes.iter().map(|node| node.after.clone()).collect();
            let path = paths(&edges);
            let mut all = Vec::new();
            for later in 0..nodes.len() {
                for earlier in 0..later {
                    if !path[later][earlier] && conflict(&nodes[earlier], &nodes[later]).is_some() {
                        all.push((earlier as u32, later as u32));
                    }
                }
            }
            let told = unordered(&nodes);
            assert!(told.iter().all(|pair| all.contains(pair)), "round {round}: {told:?} of {all:?}");
            assert_eq!(told.is_empty(), all.is_empty(), "round {round}: {all:?}");
            // Every byte that a pair meets in has a pair that is told.
            for byte in 0..bytes + 4 {
                let meets = |&(earlier, later): &(u32, u32)| {
                    let touch = |node: u32, writes: bool| {
                        nodes[node as usize]
                            .touches
                            .iter()
                            .any(|t| t.start <= byte && byte < t.end && (t.writes || !writes))
                    };
                    (touch(earlier, true) && touch(later, false)) || (touch(earlier, false) && touch(later, true))
                };
                assert!(
                    !all.iter().any(meets) || told.iter().any(meets),
                    "round {round}: byte {byte}, {told:?} of {all:?}"
                );
            }
        }
    }
}
