//! Layout of the nodes of a graph on lanes: pure functions and data.
//!
//! A lane is a chain: each of its nodes waits for the one before. With as many lanes as may run at once, a graph has few edges, and
//! no node waits for more nodes than there are lanes. Edges that follow from others are left out.

/// Nodes in the order in which they are to be made, with the edges between them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// The nodes, each behind those that it waits for.
    pub sequence: Vec<u32>,
    /// For each place in the sequence the places of those that it waits for, ascending.
    pub after: Vec<Vec<u32>>,
    /// For each place the lane.
    pub lanes: Vec<u32>,
}

impl Layout {
    /// The number of lanes.
    pub fn lane_count(&self) -> usize {
        self.lanes.iter().max().map_or(0, |&lane| lane as usize + 1)
    }
}

/// Lays out nodes on at most `most` lanes, at least one. `needed` tells of each node which ones it has to wait for, which come before
/// it.
pub fn pack(needed: &[Vec<u32>], most: usize) -> Layout {
    let mut lanes = Lanes { all: Vec::new(), most: most.max(1), places: vec![LaneSlot::default(); needed.len()] };
    let mut layout = Layout::default();
    let mut clocks = Clocks::new(lanes.most);
    let mut uses = vec![1u32; needed.len()]; // by the next one of the lane
    needed.iter().flatten().for_each(|&one| uses[one as usize] += 1);
    for node in depth_first(needed) {
        let waits = needed.get(node as usize).map_or(&[][..], |waits| waits);
        let place = layout.sequence.len() as u32;
        let (lane, before) = lanes.add(node, place, waits);
        // The latest first, whose clock tells which of the others follow.
        let mut candidates: Vec<u32> = waits.iter().map(|&one| lanes.place(one)).chain(before).collect();
        candidates.sort_unstable_by(|one, other| other.cmp(one));
        candidates.dedup();
        layout.after.push(clocks.add(lane, uses[node as usize], &candidates, &layout.lanes));
        waits.iter().map(|&one| lanes.place(one)).chain(before).for_each(|one| clocks.release(one));
        layout.lanes.push(lane);
        layout.sequence.push(node);
    }
    layout
}

/// The first two nodes of which the latter has to wait for the former by `needed`, and that `layout` does not keep in that order.
/// `layout` has each of the nodes once. Takes time for each node, edge and lane.
pub fn broken(layout: &Layout, needed: &[Vec<u32>]) -> Option<(u32, u32)> {
    let mut places = vec![0; needed.len()];
    for (place, &node) in layout.sequence.iter().enumerate() {
        places[node as usize] = place as u32;
    }
    let mut clocks = Clocks::new(layout.lane_count());
    let mut uses = vec![1u32; needed.len()]; // by the look at it
    layout.after.iter().flatten().for_each(|&one| uses[one as usize] += 1);
    for (place, (&node, after)) in layout.sequence.iter().zip(&layout.after).enumerate() {
        let latest_first: Vec<u32> = after.iter().rev().copied().collect();
        clocks.add(layout.lanes[place], uses[place], &latest_first, &layout.lanes);
        let own = &clocks.latest;
        let keeps = |&earlier: &u32| {
            let earlier = places[earlier as usize];
            own[layout.lanes[earlier as usize] as usize] > earlier
        };
        if let Some(&earlier) = needed[node as usize].iter().find(|earlier| !keeps(earlier)) {
            return Some((earlier, node));
        }
        after.iter().for_each(|&one| clocks.release(one));
        clocks.release(place as u32);
    }
    None
}

/// The nodes in an order in which what a node made is used soon.
fn depth_first(needed: &[Vec<u32>]) -> Vec<u32> {
    let mut missing: Vec<u32> = needed.iter().map(|waits| waits.len() as u32).collect();
    // The nodes that wait for each, one list behind another.
    let mut starts = vec![0u32; needed.len() + 1];
    for &one in needed.iter().flatten() {
        starts[one as usize + 1] += 1;
    }
    (1..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
    let mut ends: Vec<u32> = starts.clone();
    let mut waiting = vec![0u32; starts.last().map_or(0, |&end| end as usize)];
    for (node, waits) in needed.iter().enumerate() {
        for &one in waits {
            waiting[ends[one as usize] as usize] = node as u32;
            ends[one as usize] += 1;
        }
    }
    let mut ready: Vec<u32> = (0..needed.len() as u32).rev().filter(|&node| missing[node as usize] == 0).collect();
    let mut sequence = Vec::with_capacity(needed.len());
    while let Some(node) = ready.pop() {
        sequence.push(node);
        for &one in waiting[starts[node as usize] as usize..starts[node as usize + 1] as usize].iter().rev() {
            missing[one as usize] -= 1;
            if missing[one as usize] == 0 {
                ready.push(one);
            }
        }
    }
    sequence
}

/// Place of a node on a lane.
#[derive(Clone, Copy, Default)]
struct LaneSlot {
    place: u32,
    /// Time at which it is over, where each node takes 1.
    end: u64,
}

struct Lane {
    last: u32,
    end: u64,
}

struct Lanes {
    all: Vec<Lane>,
    most: usize,
    places: Vec<LaneSlot>,
}

impl Lanes {
    fn place(&self, node: u32) -> u32 {
        self.places[node as usize].place
    }

    /// Adds a node that waits for others to the lane where it can begin first. Gives the lane, and the place of the node before it.
    fn add(&mut self, node: u32, place: u32, waits: &[u32]) -> (u32, Option<u32>) {
        let ready = waits.iter().map(|&one| self.places[one as usize].end).max().unwrap_or(0);
        let is_awaited = |lane: &Lane| waits.contains(&lane.last);
        // Behind what it waits for anyway; else a new lane; else the one that is free the latest, so that others stay free.
        let own = self.all.iter().enumerate().filter(|(_, lane)| is_awaited(lane)).max_by_key(|(_, lane)| lane.end);
        let fitting = || {
            let fits = self.all.iter().enumerate().filter(|(_, lane)| lane.end <= ready);
            fits.max_by_key(|(_, lane)| lane.end)
        };
        let first = || self.all.iter().enumerate().min_by_key(|(_, lane)| lane.end);
        let found = match own {
            Some((lane, _)) => Some(lane),
            None if self.all.len() < self.most => None,
            None => fitting().or_else(first).map(|(lane, _)| lane),
        };
        let end = |begin: u64| begin.max(ready) + 1;
        let (lane, before, end) = match found.and_then(|lane| Some((lane, self.all.get_mut(lane)?))) {
            Some((number, lane)) => {
                let before = self.places[lane.last as usize].place;
                *lane = Lane { last: node, end: end(lane.end) };
                (number, Some(before), lane.end)
            }
            None => {
                self.all.push(Lane { last: node, end: end(0) });
                (self.all.len() - 1, None, end(0))
            }
        };
        self.places[node as usize] = LaneSlot { place, end };
        (lane as u32, before)
    }
}

/// For each place and lane, up to which place of that lane all come before: one more than it, 0 for none. Only for places that are
/// looked at again: so the memory stays small enough for the caches in a graph of any size.
struct Clocks {
    most: usize,
    /// Of the place that was added last.
    latest: Vec<u32>,
    /// Rows of `most` numbers.
    rows: Vec<u32>,
    free: Vec<u32>,
    /// For each place its row, and how often it will be released.
    places: Vec<(u32, u32)>,
}

impl Clocks {
    fn new(most: usize) -> Clocks {
        Clocks { most, latest: vec![0; most], rows: Vec::new(), free: Vec::new(), places: Vec::new() }
    }

    /// Adds the next place, on `lane`, that waits for `candidates`, the latest first. Gives those of them that do not follow from
    /// others, ascending. The place is a candidate until it was released `uses` times.
    fn add(&mut self, lane: u32, uses: u32, candidates: &[u32], lanes: &[u32]) -> Vec<u32> {
        let own = &mut self.latest;
        own.fill(0);
        let mut after = Vec::new();
        for &one in candidates {
            if own[lanes[one as usize] as usize] > one {
                continue;
            }
            after.push(one);
            let theirs = &self.rows[self.places[one as usize].0 as usize * self.most..][..self.most];
            own.iter_mut().zip(theirs).for_each(|(own, theirs)| *own = (*own).max(*theirs));
        }
        own[lane as usize] = self.places.len() as u32 + 1;
        let row = self.free.pop().unwrap_or((self.rows.len() / self.most) as u32);
        let start = row as usize * self.most;
        match self.rows.get_mut(start..start + self.most) {
            Some(room) => room.copy_from_slice(own),
            None => self.rows.extend_from_slice(own),
        }
        self.places.push((row, uses));
        after.reverse();
        after
    }

    /// A place is used once less.
    fn release(&mut self, place: u32) {
        let (row, uses) = &mut self.places[place as usize];
        *uses -= 1;
        if *uses == 0 {
            self.free.push(*row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::random_graphs::{paths, random_edges, rounds, Random};

    #[test]
    fn an_order_is_kept_or_the_first_pair_is_told_that_is_not() {
        let mut random = Random::new(0x2545_f491_4f6c_dd1d);
        let mut found = 0;
        for round in 0..rounds(2_000, 1_000_000) {
            let (count, most) = (1 + random.below(30), 1 + random.below(6) as usize);
            let needed = random_edges(&mut random, count, 3, 8);
            let layout = pack(&needed, most);
            assert_eq!(broken(&layout, &needed), None, "round {round}");
            let other = random_edges(&mut random, count, 2, 8);
            let mut places = vec![0; needed.len()];
            layout.sequence.iter().enumerate().for_each(|(place, &node)| places[node as usize] = place);
            let paths = paths(&layout.after);
            let keeps = |one: u32, node: usize| {
                let (one, node) = (places[one as usize], places[node]);
                one < node && paths[node][one]
            };
            let is_kept = (0..other.len()).all(|node| other[node].iter().all(|&one| keeps(one, node)));
            let told = broken(&layout, &other);
            assert_eq!(told.is_none(), is_kept, "round {round}");
            if let Some((one, node)) = told {
                assert!(other[node as usize].contains(&one) && !keeps(one, node as usize), "round {round}");
                found += 1;
            }
        }
        assert!(found > 100);
    }

    #[test]
    fn lanes_keep_the_order_with_no_edge_too_many() {
        let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
        for round in 0..rounds(2_000, 1_000_000) {
            let (count, width, most) = (1 + random.below(40), 1 + random.below(12), 1 + random.below(6) as usize);
            let needed = random_edges(&mut random, count, 3, width);
            let layout = pack(&needed, most);
            assert_eq!(layout.sequence.len(), needed.len());
            let mut places = vec![u32::MAX; needed.len()];
            layout.sequence.iter().enumerate().for_each(|(place, &node)| places[node as usize] = place as u32);
            let paths = paths(&layout.after);
            let precedes = |one: u32, other: u32| one < other && paths[other as usize][one as usize];
            for (node, waits) in needed.iter().enumerate() {
                let is_kept = waits.iter().all(|&one| precedes(places[one as usize], places[node]));
                assert!(is_kept, "round {round}: node {node} waits for {waits:?}");
            }
            let mut last = vec![None; most];
            for (place, &lane) in layout.lanes.iter().enumerate() {
                let before = last[lane as usize].replace(place as u32);
                assert!(before.is_none_or(|before| precedes(before, place as u32)), "round {round}: a lane is a chain");
            }
            for (place, after) in layout.after.iter().enumerate() {
                assert!(after.len() <= most && after.windows(2).all(|pair| pair[0] < pair[1]));
                let follows = |one: u32| after.iter().any(|&other| precedes(one, other));
                assert!(!after.iter().any(|&one| follows(one)), "round {round}: {after:?} before {place}");
            }
        }
    }
}
