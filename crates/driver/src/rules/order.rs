//! Nodes of a graph that have to stay in the order in which they were recorded: pure functions and data.
//!
//! Two nodes stay ordered where a recorded path orders them and they conflict: both touch some byte, and one of them writes it.
//! Pairs that no path orders stay unordered, but for work that runs beside nothing, and for work that never runs beside work of
//! its kind.
//!
//! What precedes a node by recorded paths is known by *clocks*. The nodes are parted into chains; a clock tells the latest node of
//! each chain that precedes. Most recorded nodes come behind all before them, so a clock begins with how many of the first nodes
//! all precede, and lists only the chains that reach beyond these.

use std::collections::BTreeMap;

use smallvec::SmallVec;

use super::ranges::Pieces;

/// Bytes that a node touches, from `start` to before `end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touch {
    /// The first byte.
    pub start: u64,
    /// The byte behind the last one.
    pub end: u64,
    /// Tells whether it writes them; it may read them, too.
    pub writes: bool,
}

/// Order of a node beside what it touches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Standing {
    /// By what it touches alone.
    #[default]
    Free,
    /// It stays behind all that was recorded before it, and before all that was recorded behind it.
    Fixed,
    /// It runs beside nothing.
    Alone,
}

/// A node, as far as its order goes. It comes behind all nodes that it waits for.
#[derive(Clone, Debug, Default)]
pub struct Ordered {
    /// The nodes that it was recorded to wait for.
    pub after: Vec<u32>,
    /// The bytes that it touches.
    pub touches: Vec<Touch>,
    /// Order beside what it touches.
    pub standing: Standing,
    /// Tells whether it never runs beside another such node, and all of them keep the order of the list.
    pub one_at_a_time: bool,
}

/// Bytes that two nodes touch, and that at least one of them writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// The first byte.
    pub start: u64,
    /// The byte behind the last one.
    pub end: u64,
    /// Tells whether the earlier node writes them, and whether the later one does.
    pub writes: (bool, bool),
}

/// The first bytes for which two nodes conflict.
pub fn conflict(earlier: &Ordered, later: &Ordered) -> Option<Conflict> {
    let pairs = earlier.touches.iter().flat_map(|a| later.touches.iter().map(move |b| (a, b)));
    let meet = |(a, b): (&Touch, &Touch)| {
        let (start, end) = (a.start.max(b.start), a.end.min(b.end));
        ((a.writes || b.writes) && start < end).then_some(Conflict { start, end, writes: (a.writes, b.writes) })
    };
    pairs.filter_map(meet).min_by_key(|met| met.start)
}

/// For each node those that it has to wait for, ascending. Some may follow from others.
///
/// The nodes come in an order in which each is behind those that it waits for.
pub fn needed(nodes: &[Ordered]) -> Vec<Vec<u32>> {
    let clocks = Clocks::of(nodes);
    let mut memory = Pieces::<u64, Uses>::default();
    let (mut fixed, mut alone) = (Lines::default(), None);
    let mut of_a_kind: Option<u32> = None;
    let mut needed = Vec::with_capacity(nodes.len());
    // The nodes that a node which runs beside nothing has to wait for.
    let mut since_alone: Vec<u32> = Vec::new();
    for (node, ordered) in nodes.iter().enumerate() {
        let node = node as u32;
        let mut all = Vec::new();
        all.extend(alone);
        match ordered.standing {
            Standing::Alone => all.append(&mut since_alone),
            Standing::Fixed => clocks.since(node, &fixed, &mut all),
            Standing::Free => {}
        }
        fixed.latest_before(node, &clocks, &mut all);
        for touch in ordered.touches.iter().filter(|touch| touch.start < touch.end) {
            memory.change(touch.start, touch.end, |_, uses| uses.touch(node, touch.writes, &clocks, &mut all));
        }
        match ordered.standing {
            Standing::Alone => alone = Some(node),
            Standing::Fixed => fixed.push(node, &clocks),
            Standing::Free => {}
        }
        if ordered.one_at_a_time {
            all.extend(of_a_kind.replace(node));
        }
        if ordered.standing != Standing::Alone {
            since_alone.push(node);
        }
        all.sort_unstable();
        all.dedup();
        needed.push(all);
    }
    needed
}

/// Nodes that precede each node by recorded paths.
pub(super) struct Clocks {
    /// The chain of each node.
    chains: Vec<u32>,
    /// For each node the last one of those behind it that are of its chain one after another.
    runs: Vec<u32>,
    clocks: Vec<Clock>,
    /// The nodes of each chain.
    members: Vec<Vec<u32>>,
}

/// Nodes that precede a node, itself included.
#[derive(Clone, Debug, Default)]
struct Clock {
    /// All nodes before this one do.
    before: u32,
    /// The latest node of each chain that has one which is not before that, by chains.
    latest: Latest,
}

/// Nodes by chains, of which there are mostly few.
type Latest = SmallVec<[(u32, u32); 2]>;

impl Clock {
    fn latest(&self, chain: u32) -> Option<u32> {
        let found = self.latest.binary_search_by_key(&chain, |(chain, _)| *chain).ok()?;
        self.latest.get(found).map(|(_, node)| *node)
    }

    /// Returns what precedes any node that comes behind all of these.
    fn of_all(clocks: &[&Clock]) -> Clock {
        let before = clocks.iter().map(|clock| clock.before).max().unwrap_or(0);
        let mut latest = Latest::with_capacity(clocks.iter().map(|clock| clock.latest.len()).sum());
        for clock in clocks {
            latest.extend(clock.latest.iter().copied().filter(|&(_, node)| node >= before));
        }
        if clocks.len() > 1 {
            // Stable, since that merges what is sorted already.
            latest.sort_by_key(|&(chain, node)| (chain, std::cmp::Reverse(node)));
            latest.dedup_by_key(|&mut (chain, _)| chain);
        }
        Clock { before, latest }
    }
}

impl Clocks {
    pub(super) fn of(nodes: &[Ordered]) -> Clocks {
        let count = nodes.len();
        let mut chains = Vec::with_capacity(count);
        let mut members: Vec<Vec<u32>> = Vec::new();
        for (node, ordered) in nodes.iter().enumerate() {
            // It goes on a chain whose last node it waits for: the oldest such, as the other ones' own are still to come in most
            // graphs.
            let chain_of = |before: u32| chains.get(before as usize).copied();
            let is_last =
                |&(before, chain): &(u32, u32)| members.get(chain as usize).and_then(|all| all.last()) == Some(&before);
            let found =
                ordered.after.iter().filter_map(|&before| Some((before, chain_of(before)?))).filter(is_last).min();
            let chain = found.map_or(members.len() as u32, |(_, chain)| chain);
            match members.get_mut(chain as usize) {
                Some(all) => all.push(node as u32),
                None => members.push(vec![node as u32]),
            }
            chains.push(chain);
        }
        let mut runs: Vec<u32> = (0..count as u32).collect();
        for node in (1..count).rev() {
            if let (Some(chain), Some(before), Some(&end)) = (chains.get(node), chains.get(node - 1), runs.get(node)) {
                if chain == before {
                    runs[node - 1] = end;
                }
            }
        }
        let mut all = Clocks { chains, runs, clocks: Vec::with_capacity(count), members };
        for (node, ordered) in nodes.iter().enumerate() {
            let before: SmallVec<[&Clock; 4]> =
                ordered.after.iter().filter_map(|&before| all.clocks.get(before as usize)).collect();
            let mut clock = Clock::of_all(&before);
            drop(before);
            all.add_self(&mut clock, node as u32);
            all.clocks.push(clock);
        }
        all
    }

    fn add_self(&self, clock: &mut Clock, node: u32) {
        let chain = self.chain(node);
        match clock.latest.binary_search_by_key(&chain, |(chain, _)| *chain) {
            Ok(at) => clock.latest[at].1 = node,
            Err(at) => clock.latest.insert(at, (chain, node)),
        }
        // The first nodes that all precede: run by run.
        while let Some(&end) = self.runs.get(clock.before as usize) {
            match clock.latest(self.chain(clock.before)) {
                Some(latest) if latest >= clock.before => clock.before = end.min(latest) + 1,
                _ => break,
            }
        }
        let before = clock.before;
        clock.latest.retain(|&mut (_, node)| node >= before);
    }

    fn chain(&self, node: u32) -> u32 {
        self.chains.get(node as usize).copied().unwrap_or(u32::MAX)
    }

    /// Returns whether a path leads from `earlier` to `later`, or they are the same.
    pub(super) fn precedes(&self, earlier: u32, later: u32) -> bool {
        let Some(clock) = self.clocks.get(later as usize) else { return false };
        earlier < clock.before || clock.latest(self.chain(earlier)).is_some_and(|latest| earlier <= latest)
    }

    /// Returns how many of `line`, which are ascending nodes of one chain, precede `node`.
    fn preceding(&self, line: &[u32], node: u32) -> usize {
        line.partition_point(|&earlier| earlier != node && self.precedes(earlier, node))
    }

    /// The nodes that precede `node` and that none of `fixed` which precedes it is behind of.
    fn since(&self, node: u32, fixed: &Lines, found: &mut Vec<u32>) {
        let mut barriers = Vec::new();
        fixed.latest_before(node, self, &mut barriers);
        for line in &self.members {
            let end = self.preceding(line, node);
            let earlier = line.get(..end).unwrap_or_default();
            // What is behind no barrier lies at the end.
            let covered = |&earlier: &u32| barriers.iter().any(|&barrier| self.precedes(earlier, barrier));
            found.extend(earlier.iter().rev().take_while(|earlier| !covered(earlier)));
        }
    }
}

/// The nodes of a chain, in their order.
type Line = SmallVec<[u32; 4]>;

/// Nodes that are all ordered as they were recorded, by chains. Most bytes are touched by few nodes of one chain: these take no memory
/// of their own, of which each piece, in a graph of 100,000 nodes, would cost more than the look at it.
#[derive(Clone)]
enum Lines {
    One(u32, Line),
    Many(BTreeMap<u32, Line>),
}

impl Default for Lines {
    fn default() -> Lines {
        Lines::One(0, Line::new())
    }
}

impl Lines {
    /// Adds a node, which comes behind those of its chain, unless it is there.
    fn push(&mut self, node: u32, clocks: &Clocks) {
        let chain = clocks.chain(node);
        let add = |line: &mut Line| {
            if line.last() != Some(&node) {
                line.push(node);
            }
        };
        match self {
            Lines::One(own, line) if *own == chain || line.is_empty() => {
                *own = chain;
                add(line);
            }
            Lines::One(own, line) => {
                *self = Lines::Many(BTreeMap::from([(*own, std::mem::take(line)), (chain, Line::from_slice(&[node]))]));
            }
            Lines::Many(lines) => add(lines.entry(chain).or_default()),
        }
    }

    fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let (one, many) = match self {
            Lines::One(_, line) => (Some(line), None),
            Lines::Many(lines) => (None, Some(lines.values())),
        };
        one.into_iter().chain(many.into_iter().flatten()).map(SmallVec::as_slice)
    }

    /// The latest of each chain that precede `node`, without those that precede another of them.
    fn latest_before(&self, node: u32, clocks: &Clocks, found: &mut Vec<u32>) {
        let from = found.len();
        found.extend(self.iter().filter_map(|line| line.get(clocks.preceding(line, node).checked_sub(1)?)));
        let latest: Vec<u32> = found.split_off(from);
        let is_covered = |&one: &u32| latest.iter().any(|&other| other != one && clocks.precedes(one, other));
        found.extend(latest.iter().filter(|one| !is_covered(one)));
    }
}

/// The nodes that touched a byte.
#[derive(Clone, Default)]
struct Uses {
    writes: Lines,
    reads: Lines,
}

impl Uses {
    fn touch(&mut self, node: u32, writes: bool, clocks: &Clocks, found: &mut Vec<u32>) {
        let mut latest = Line::new();
        for line in self.writes.iter() {
            let end = clocks.preceding(line, node);
            latest.extend(end.checked_sub(1).and_then(|last| line.get(last)).copied());
        }
        if writes {
            for line in self.reads.iter() {
                let earlier = line.get(..clocks.preceding(line, node)).unwrap_or_default();
                // A write came behind all reads that it was recorded behind of.
                let is_covered = |read: u32| latest.iter().any(|&write| clocks.precedes(read, write));
                found.extend(earlier.iter().rev().copied().take_while(|&read| !is_covered(read)));
            }
        }
        found.extend(latest.into_iter().filter(|&write| write != node));
        self.note(node, writes, clocks);
    }

    fn note(&mut self, node: u32, writes: bool, clocks: &Clocks) {
        let lines = if writes { &mut self.writes } else { &mut self.reads };
        lines.push(node, clocks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::random_graphs::{paths, random_edges, rounds, Random};

    fn random_nodes(random: &mut Random) -> Vec<Ordered> {
        let (count, width, bytes, odd) =
            (1 + random.below(40), 1 + random.below(6), 1 + random.below(24), random.below(3));
        let edges = random_edges(random, count, 2, width);
        let nodes = edges.into_iter().map(|after| {
            let touches = (0..random.below(4)).map(|_| {
                let start = random.below(bytes);
                Touch { start, end: start + random.below(5), writes: random.below(2) == 0 }
            });
            let touches = touches.collect();
            let standing = match random.below(20) {
                0 if odd > 0 => Standing::Fixed,
                1 if odd > 1 => Standing::Alone,
                _ => Standing::Free,
            };
            Ordered { after, touches, standing, one_at_a_time: odd > 1 && random.below(8) == 0 }
        });
        nodes.collect()
    }

    #[test]
    fn the_first_bytes_that_two_nodes_share_are_told() {
        let node = |touches: &[(u64, u64, bool)]| {
            let touch = |&(start, end, writes)| Touch { start, end, writes };
            Ordered { touches: touches.iter().map(touch).collect(), ..Ordered::default() }
        };
        let writer = node(&[(100, 200, true), (40, 60, true)]);
        let met = conflict(&writer, &node(&[(150, 300, false), (50, 56, false)]));
        assert_eq!(met, Some(Conflict { start: 50, end: 56, writes: (true, false) }));
        assert_eq!(conflict(&node(&[(0, 64, false)]), &node(&[(0, 64, false), (64, 80, true)])), None);
        let met = conflict(&node(&[(0, 64, false)]), &node(&[(60, 80, true)]));
        assert_eq!(met, Some(Conflict { start: 60, end: 64, writes: (false, true) }));
    }

    #[test]
    fn pairs_stay_ordered_where_they_must_and_nowhere_else() {
        let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
        for round in 0..rounds(2_000, 1_000_000) {
            let nodes = random_nodes(&mut random);
            let needed = needed(&nodes);
            let recorded: Vec<_> = nodes.iter().map(|node| node.after.clone()).collect();
            let recorded = paths(&recorded);
            let mut must: Vec<Vec<u32>> = Vec::new();
            for (later, b) in nodes.iter().enumerate() {
                let is_ordered = |earlier: usize| {
                    let a = &nodes[earlier];
                    let either = |standing| a.standing == standing || b.standing == standing;
                    recorded[later][earlier] && (conflict(a, b).is_some() || either(Standing::Fixed))
                        || either(Standing::Alone)
                        || a.one_at_a_time && b.one_at_a_time
                };
                must.push((0..later).filter(|&earlier| is_ordered(earlier)).map(|earlier| earlier as u32).collect());
            }
            assert_eq!(paths(&must), paths(&needed), "round {round}: {nodes:#?}\n{needed:?}");
        }
    }
}
