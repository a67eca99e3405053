//! Orders in which the nodes of a graph may run one after another: as pure functions and data.
//!
//! Any two such orders lead into each other by *swaps* of two neighbours that need no order. Where the two give different results, so
//! do two orders on the way that one swap tells apart: these two nodes are the ones whose order mattered.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Nodes that have to come before each node.
pub struct Reach {
    words: usize,
    bits: Vec<u64>,
}

impl Reach {
    /// Of nodes of which it is told which ones each waits for, which come before it. Takes n² bits.
    pub fn of(needed: &[Vec<u32>]) -> Reach {
        let words = needed.len().div_ceil(64);
        let mut reach = Reach { words, bits: vec![0; words * needed.len()] };
        for (node, waits) in needed.iter().enumerate() {
            let (earlier, own) = reach.bits.split_at_mut(node * words);
            for &one in waits {
                let theirs = earlier.get(one as usize * words..).unwrap_or_default();
                own.iter_mut().zip(theirs.iter().take(words)).for_each(|(own, theirs)| *own |= theirs);
                if let Some(word) = own.get_mut(one as usize / 64) {
                    *word |= 1 << (one % 64);
                }
            }
        }
        reach
    }

    /// Returns whether a path leads from `earlier` to `later`.
    pub fn precedes(&self, earlier: u32, later: u32) -> bool {
        let word = self.bits.get(later as usize * self.words + earlier as usize / 64);
        word.is_some_and(|word| word >> (earlier % 64) & 1 != 0)
    }
}

/// An order of all nodes, each behind those that it waits for; of those that can come next the one of the least priority.
pub fn by_priority(needed: &[Vec<u32>], priorities: &[u64]) -> Vec<u32> {
    let mut missing: Vec<usize> = needed.iter().map(Vec::len).collect();
    let mut waiting: Vec<Vec<u32>> = vec![Vec::new(); needed.len()];
    for (node, waits) in needed.iter().enumerate() {
        waits.iter().for_each(|&one| waiting[one as usize].push(node as u32));
    }
    let entry = |node: u32| Reverse((priorities.get(node as usize).copied().unwrap_or(0), node));
    let roots = (0..needed.len() as u32).filter(|&node| missing[node as usize] == 0);
    let mut ready: BinaryHeap<_> = roots.map(entry).collect();
    let mut order = Vec::with_capacity(needed.len());
    while let Some(Reverse((_, node))) = ready.pop() {
        order.push(node);
        for &one in &waiting[node as usize] {
            missing[one as usize] -= 1;
            if missing[one as usize] == 0 {
                ready.push(entry(one));
            }
        }
    }
    order
}

/// For each node its place in an order.
pub fn places(order: &[u32]) -> Vec<u32> {
    let mut places = vec![0; order.len()];
    order.iter().zip(0..).for_each(|(&node, place)| places[node as usize] = place);
    places
}

/// The order that has what comes late in `order` as early as it may be.
pub fn reversed(needed: &[Vec<u32>], order: &[u32]) -> Vec<u32> {
    let last = order.len() as u64;
    let priorities: Vec<u64> = places(order).into_iter().map(|place| last - u64::from(place)).collect();
    by_priority(needed, &priorities)
}

/// An order that has `first` before `second`, which no path orders: the one as early as it may be, the other as late.
pub fn with_before(reach: &Reach, needed: &[Vec<u32>], first: u32, second: u32) -> Vec<u32> {
    let priority = |node: u32| match node {
        _ if node == first || reach.precedes(node, first) => 0,
        _ if node == second || reach.precedes(second, node) => 2,
        _ => 1,
    };
    by_priority(needed, &(0..needed.len() as u32).map(priority).collect::<Vec<u64>>())
}

/// The way from one order to another by swaps of neighbours, each of which the two orders have the other way round.
pub struct Swaps<'a> {
    from: &'a [u32],
    /// For each node its place in the order where the way ends.
    ends: Vec<u32>,
    /// For each place in `from` how many swaps come before it is moved.
    before: Vec<usize>,
    count: usize,
}

impl<'a> Swaps<'a> {
    /// Both orders are of the same nodes.
    pub fn between(from: &'a [u32], to: &[u32]) -> Swaps<'a> {
        let ends = places(to);
        let (mut before, mut count, mut sorted) = (Vec::with_capacity(from.len()), 0, Vec::with_capacity(from.len()));
        for &node in from {
            let end = ends[node as usize];
            let place = sorted.partition_point(|&other| other < end);
            before.push(count);
            count += sorted.len() - place;
            sorted.insert(place, end);
        }
        Swaps { from, ends, before, count }
    }

    /// Returns how many swaps there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether the two orders are the same.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The order after so many swaps.
    pub fn after(&self, swaps: usize) -> Vec<u32> {
        let (mut order, place) = self.sorted_before(swaps);
        if let Some(&node) = self.from.get(place) {
            let moved = swaps - self.before[place];
            order.insert(place - moved, node);
            order.extend(&self.from[place + 1..]);
        }
        order
    }

    /// The two nodes that a swap puts the other way round, the one first that comes first before it.
    pub fn pair(&self, swap: usize) -> (u32, u32) {
        let (order, place) = self.sorted_before(swap);
        let moved = swap - self.before[place];
        (order[place - moved - 1], self.from[place])
    }

    /// The nodes before the one that is being moved by the swap, as they are in the end, and its place.
    fn sorted_before(&self, swap: usize) -> (Vec<u32>, usize) {
        let place = self.before.partition_point(|&before| before <= swap).saturating_sub(1);
        let mut order = self.from[..place.min(self.from.len())].to_vec();
        order.sort_unstable_by_key(|&node| self.ends[node as usize]);
        (order, place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::random_graphs::{paths, random_edges, rounds, Random};

    fn is_legal(needed: &[Vec<u32>], order: &[u32]) -> bool {
        let places = places(order);
        let waits = |(node, waits): (usize, &Vec<u32>)| waits.iter().all(|&one| places[one as usize] < places[node]);
        let mut all = order.to_vec();
        all.sort_unstable();
        all.into_iter().eq(0..needed.len() as u32) && needed.iter().enumerate().all(waits)
    }

    #[test]
    fn orders_are_legal_and_swaps_lead_from_one_to_the_other() {
        let mut random = Random::new(0x2545_f491_4f6c_dd1d);
        for round in 0..rounds(1_000, 200_000) {
            let (count, width) = (1 + random.below(24), 1 + random.below(12));
            let needed = random_edges(&mut random, count, 2, width);
            let (reach, paths) = (Reach::of(&needed), paths(&needed));
            let priorities: Vec<u64> = (0..count).map(|_| random.below(1000)).collect();
            let one = by_priority(&needed, &priorities);
            let other = reversed(&needed, &one);
            assert!(is_legal(&needed, &one) && is_legal(&needed, &other), "round {round}");
            let (mut first, mut second) = (random.below(count) as u32, random.below(count) as u32);
            if first > second {
                (first, second) = (second, first);
            }
            assert_eq!(reach.precedes(first, second), first != second && paths[second as usize][first as usize]);
            if first != second && !reach.precedes(first, second) {
                let order = with_before(&reach, &needed, second, first);
                let places = places(&order);
                assert!(is_legal(&needed, &order) && places[second as usize] < places[first as usize]);
            }
            let swaps = Swaps::between(&one, &other);
            assert_eq!((swaps.after(0), swaps.after(swaps.len())), (one.clone(), other.clone()), "round {round}");
            assert_eq!(swaps.is_empty(), one == other);
            for swap in 0..swaps.len() {
                let (before, after, (first, second)) = (swaps.after(swap), swaps.after(swap + 1), swaps.pair(swap));
                let at = before.iter().position(|&node| node == first).unwrap();
                let mut expected = before.clone();
                expected.swap(at, at + 1);
                assert_eq!((before[at + 1], &after), (second, &expected), "round {round}: swap {swap}");
                assert!(is_legal(&needed, &after), "round {round}: swap {swap}");
            }
        }
    }

    #[test]
    fn the_reverse_has_free_nodes_the_other_way_round() {
        assert_eq!(reversed(&vec![Vec::new(); 4], &[0, 1, 2, 3]), [3, 2, 1, 0]);
        assert_eq!(reversed(&[vec![], vec![0], vec![]], &[0, 1, 2]), [2, 0, 1]);
    }
}
