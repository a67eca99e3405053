//! Ranges of addresses that may overlap, and the latest one that reaches an address, in O(log n).
//!
//! A treap: a search tree by (start, number), a heap by priorities that look random, so that its depth is O(log n)
//! whatever the order of the insertions is. Each node knows how far the ranges of its subtree reach, which a `BTreeMap`
//! cannot keep. The nodes lie in one array and name each other by index, so that no node is an allocation of its own.

use std::cmp::Ordering;

use graphcap_driver::Address;

/// No node.
const NO_NODE: u32 = u32::MAX;

/// Key that a range is found and removed by: where it starts, and a number. Two ranges of one start have different numbers.
pub(super) type Key = (Address, u64);

/// One cache line, where `V` is a wide pointer.
struct IntervalNode<V> {
    start: Address,
    /// One past the last byte.
    end: Address,
    number: u64,
    /// The greatest `end` in the subtree.
    furthest: Address,
    /// `None` while the node is spare.
    value: Option<V>,
    left: u32,
    /// The next spare node, while this one is spare.
    right: u32,
    priority: u32,
}

impl<V> IntervalNode<V> {
    fn key(&self) -> Key {
        (self.start, self.number)
    }
}

/// Ranges, each with a value.
pub(super) struct Intervals<V> {
    nodes: Vec<IntervalNode<V>>,
    root: u32,
    spare: u32,
    /// The way from the root to the node that is being removed; here to be allocated once.
    path: Vec<u32>,
}

/// A range that was found.
pub(super) struct Interval<'a, V> {
    pub(super) key: Key,
    pub(super) end: Address,
    pub(super) value: &'a V,
}

impl<V> Intervals<V> {
    pub(super) const fn new() -> Intervals<V> {
        Intervals { nodes: Vec::new(), root: NO_NODE, spare: NO_NODE, path: Vec::new() }
    }

    /// Enters the range from the start in `key` up to, but not including, `end`.
    pub(super) fn insert(&mut self, key: Key, end: Address, value: V) {
        let priority = priority(key);
        // Down to where the new node stands above all that is there.
        let (mut at, mut parent) = (self.root, NO_NODE);
        while at != NO_NODE && self.node(at).priority >= priority {
            let node = self.node_mut(at);
            node.furthest = node.furthest.max(end);
            parent = at;
            at = if key < node.key() { node.left } else { node.right };
        }
        let (left, right) = self.split(at, key);
        let new = self.take_spare(IntervalNode {
            start: key.0,
            end,
            number: key.1,
            furthest: end,
            value: Some(value),
            left,
            right,
            priority,
        });
        self.measure(new);
        self.hang(new, parent, key);
    }

    /// Takes a range out and gives its value, if it was there.
    pub(super) fn remove(&mut self, key: Key) -> Option<V> {
        self.path.clear();
        let mut at = self.root;
        while at != NO_NODE {
            let node = self.node(at);
            let next = match key.cmp(&node.key()) {
                Ordering::Equal => break,
                Ordering::Less => node.left,
                Ordering::Greater => node.right,
            };
            self.path.push(at);
            at = next;
        }
        if at == NO_NODE {
            return None;
        }
        let merged = self.merge(self.node(at).left, self.node(at).right);
        self.hang(merged, self.path.last().copied().unwrap_or(NO_NODE), key);
        // Up to where it made no difference.
        while let Some(above) = self.path.pop() {
            let before = self.node(above).furthest;
            self.measure(above);
            if self.node(above).furthest == before {
                break;
            }
        }
        self.make_spare(at)
    }

    /// All ranges, in no order.
    pub(super) fn all(&self) -> impl Iterator<Item = (Key, &V)> {
        self.nodes.iter().filter_map(|node| node.value.as_ref().map(|value| (node.key(), value)))
    }

    /// The least start and the greatest `end` of the ranges; `None` where there are none.
    pub(super) fn bounds(&self) -> Option<(Address, Address)> {
        let mut first = self.root;
        if first == NO_NODE {
            return None;
        }
        while self.node(first).left != NO_NODE {
            first = self.node(first).left;
        }
        Some((self.node(first).start, self.furthest(self.root)))
    }

    /// Returns how many ranges there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.nodes.iter().filter(|node| node.value.is_some()).count()
    }

    /// The range with the greatest key, up to and including `bound`, of those whose `end` is `reach` or more.
    pub(super) fn latest(&self, bound: Key, reach: Address) -> Option<Interval<'_, V>> {
        // On the way to `bound`: the last node that can be it, or has it on its left side.
        let (mut at, mut last) = (self.root, NO_NODE);
        while self.furthest(at) >= reach && at != NO_NODE {
            let node = self.node(at);
            if node.key() > bound {
                at = node.left;
                continue;
            }
            if node.end >= reach || (node.left != NO_NODE && self.furthest(node.left) >= reach) {
                last = at;
            }
            at = node.right;
        }
        if last == NO_NODE {
            return None;
        }
        // All on its left side is below `bound`, so it is there that `furthest` tells where to go.
        let mut is_last = true;
        loop {
            let node = self.node(last);
            if !is_last && node.right != NO_NODE && self.furthest(node.right) >= reach {
                last = node.right;
            } else if node.end >= reach {
                let value = node.value.as_ref()?;
                return Some(Interval { key: node.key(), end: node.end, value });
            } else {
                last = node.left;
                is_last = false;
            }
        }
    }

    fn node(&self, at: u32) -> &IntervalNode<V> {
        &self.nodes[at as usize]
    }

    fn node_mut(&mut self, at: u32) -> &mut IntervalNode<V> {
        &mut self.nodes[at as usize]
    }

    /// Returns how far the ranges of a subtree reach. No range ends at 0.
    fn furthest(&self, at: u32) -> Address {
        if at == NO_NODE {
            return 0;
        }
        self.node(at).furthest
    }

    /// Sets how far a node's subtree reaches, of those below it.
    fn measure(&mut self, at: u32) {
        let node = self.node(at);
        let furthest = node.end.max(self.furthest(node.left)).max(self.furthest(node.right));
        self.node_mut(at).furthest = furthest;
    }

    /// Parts a subtree into what is below `key` and what is above.
    fn split(&mut self, at: u32, key: Key) -> (u32, u32) {
        if at == NO_NODE {
            return (NO_NODE, NO_NODE);
        }
        let (left, right) = (self.node(at).left, self.node(at).right);
        let parted = if key < self.node(at).key() {
            let (below, above) = self.split(left, key);
            self.node_mut(at).left = above;
            (below, at)
        } else {
            let (below, above) = self.split(right, key);
            self.node_mut(at).right = below;
            (at, above)
        };
        self.measure(at);
        parted
    }

    /// Puts two subtrees together, of which `left` has the lesser keys.
    fn merge(&mut self, left: u32, right: u32) -> u32 {
        if left == NO_NODE || right == NO_NODE {
            return if left == NO_NODE { right } else { left };
        }
        let above = if self.node(left).priority >= self.node(right).priority {
            let below = self.merge(self.node(left).right, right);
            self.node_mut(left).right = below;
            left
        } else {
            let below = self.merge(left, self.node(right).left);
            self.node_mut(right).left = below;
            right
        };
        self.measure(above);
        above
    }

    /// Puts a subtree below `parent`, on the side of `key`.
    fn hang(&mut self, at: u32, parent: u32, key: Key) {
        if parent == NO_NODE {
            self.root = at;
            return;
        }
        let node = self.node_mut(parent);
        *(if key < node.key() { &mut node.left } else { &mut node.right }) = at;
    }

    /// Puts a node into the array.
    fn take_spare(&mut self, node: IntervalNode<V>) -> u32 {
        if self.spare == NO_NODE {
            self.nodes.push(node);
            return (self.nodes.len() - 1) as u32;
        }
        let at = self.spare;
        self.spare = self.node(at).right;
        *self.node_mut(at) = node;
        at
    }

    /// Takes the value out of a node that is no more in the tree.
    fn make_spare(&mut self, at: u32) -> Option<V> {
        let spare = self.spare;
        let node = self.node_mut(at);
        node.right = spare;
        let value = node.value.take();
        self.spare = at;
        value
    }
}

/// Numbers that look random, by the finaliser of SplitMix64. Starts and numbers grow by steps, so both take part.
fn priority((start, number): Key) -> u32 {
    let mixed = start.rotate_left(32) ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed ^ (mixed >> 31)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    impl<V> Intervals<V> {
        /// Checks the order, the heap and what each node tells of its subtree; gives its depth and how many it has.
        fn check(&self, at: u32, above: u32, range: (Option<Key>, Option<Key>)) -> (usize, usize) {
            if at == NO_NODE {
                return (0, 0);
            }
            let node = self.node(at);
            assert!(node.priority <= above && node.value.is_some());
            assert!(range.0.is_none_or(|low| low < node.key()) && range.1.is_none_or(|high| node.key() < high));
            let left = self.check(node.left, node.priority, (range.0, Some(node.key())));
            let right = self.check(node.right, node.priority, (Some(node.key()), range.1));
            assert_eq!(node.furthest, node.end.max(self.furthest(node.left)).max(self.furthest(node.right)));
            (1 + left.0.max(right.0), 1 + left.1 + right.1)
        }

        fn shape(&self) -> (usize, usize) {
            self.check(self.root, u32::MAX, (None, None))
        }
    }

    /// Numbers that look random.
    fn next(state: &mut u64, below: u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % below
    }

    #[test]
    fn the_latest_that_reaches_is_that_of_a_list() {
        let mut state = 11;
        for round in 0..60 {
            let (space, longest) = if round % 3 == 0 { (40, 12) } else { (2000, 1 << (round % 11)) };
            let mut intervals = Intervals::new();
            let mut list: Vec<(Key, Address)> = Vec::new();
            let mut most = 0;
            for number in 1..400 {
                if next(&mut state, 3) == 0 && !list.is_empty() {
                    let (key, end) = list.swap_remove(next(&mut state, list.len() as u64) as usize);
                    assert_eq!(intervals.remove(key), Some(end));
                    assert_eq!(intervals.remove(key), None);
                } else {
                    let start = 1 + next(&mut state, space);
                    let end = start + 1 + next(&mut state, longest);
                    intervals.insert((start, number), end, end);
                    list.push(((start, number), end));
                }
                assert_eq!(intervals.shape().1, list.len());
                let ends = list.iter().map(|(_, end)| *end).max();
                assert_eq!(intervals.bounds(), list.iter().map(|(key, _)| key.0).min().zip(ends));
                most = most.max(list.len());
                for _ in 0..20 {
                    let bound = (next(&mut state, space + 10), next(&mut state, 400));
                    let reach = next(&mut state, space + longest);
                    let expected = list.iter().filter(|(key, end)| *key <= bound && *end >= reach).max();
                    let found = intervals.latest(bound, reach).map(|found| (found.key, found.end));
                    assert_eq!(found, expected.copied(), "{bound:?} {reach}");
                }
            }
            assert_eq!(intervals.nodes.len(), most, "nodes of removed ranges are used again");
        }
    }

    /// The orders that programs make and free buffers in would be the worst ones of a tree that is not balanced.
    #[test]
    fn the_tree_stays_flat_in_whatever_order_it_grows() {
        const COUNT: u64 = 20_000;
        let orders: [fn(u64) -> (u64, u64); 4] =
            [|i| (i, i), |i| (COUNT - i, i), |i| (7, i), |i| (if i % 2 == 0 { i } else { 2 * COUNT - i }, 1)];
        for (which, order) in orders.into_iter().enumerate() {
            let mut intervals = Intervals::new();
            let key = |i| {
                let (start, number) = order(i);
                ((1 << 40) + (start << 16), number)
            };
            for i in 0..COUNT {
                intervals.insert(key(i), key(i).0 + (1 << 16), ());
            }
            let (depth, count) = intervals.shape();
            assert_eq!(count, COUNT as usize);
            assert!(depth < 60, "order {which}: a depth of {depth}");
            (0..COUNT).step_by(2).for_each(|i| assert!(intervals.remove(key(i)).is_some()));
            assert!(intervals.shape().0 < 60);
        }
    }

    #[test]
    fn the_ends_of_the_address_space_are_ranges_too() {
        let mut intervals = Intervals::new();
        intervals.insert((u64::MAX - 8, 1), u64::MAX, 'a');
        intervals.insert((0, 2), 1, 'b');
        let found = |bound, reach| intervals.latest(bound, reach).map(|found| *found.value);
        assert_eq!(found((u64::MAX, u64::MAX), u64::MAX), Some('a'));
        assert_eq!(found((5, 5), 1), Some('b'));
        assert_eq!(found((5, 5), 2), None);
        assert_eq!(found((0, 1), 0), None);
        assert!(Intervals::<()>::new().latest((u64::MAX, u64::MAX), 0).is_none());
    }
}
