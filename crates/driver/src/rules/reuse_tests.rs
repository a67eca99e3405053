//! Random captures with forks and joins, against a search for paths in the graph that they make.

use super::*;

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % below as u64) as usize
    }
}

/// A capture: its graph, and what graphcap knows of it.
struct Capture {
    /// The nodes that each node depends on.
    parents: Vec<Vec<usize>>,
    /// Nodes that the next node of each stream depends on; `None` for a stream that has not joined.
    frontiers: Vec<Option<Vec<usize>>>,
    clocks: Vec<Vec<u32>>,
}

impl Capture {
    fn new(streams: usize) -> Capture {
        let mut frontiers = vec![None; streams];
        frontiers[0] = Some(Vec::new());
        Capture { parents: Vec::new(), frontiers, clocks: vec![vec![0; streams]; streams] }
    }

    fn is_in(&self, stream: usize) -> bool {
        self.frontiers[stream].is_some()
    }

    /// Records a node. Gives it and its number on its stream.
    fn record(&mut self, stream: usize) -> (usize, u32) {
        let node = self.parents.len();
        self.parents.push(self.frontiers[stream].replace(vec![node]).expect("the stream is in the capture"));
        self.clocks[stream][stream] += 1;
        (node, self.clocks[stream][stream])
    }

    /// One stream waits for what another one has recorded so far.
    fn join(&mut self, stream: usize, other: usize) {
        let marked = self.frontiers[other].clone().expect("the stream is in the capture");
        let frontier = self.frontiers[stream].get_or_insert_default();
        marked.into_iter().for_each(|node| {
            if !frontier.contains(&node) {
                frontier.push(node);
            }
        });
        let behind = self.clocks[other].clone();
        self.clocks[stream].iter_mut().zip(behind).for_each(|(own, behind)| *own = behind.max(*own));
    }

    /// Returns whether a path leads from each of `nodes` to what the next node of a stream depends on, or it is one of these.
    fn all_precede(&self, nodes: &[usize], stream: usize) -> bool {
        let mut seen = vec![false; self.parents.len()];
        let mut open = self.frontiers[stream].clone().expect("the stream is in the capture");
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                open.extend(&self.parents[node]);
            }
        }
        nodes.iter().all(|&node| seen[node])
    }
}

/// A block that the capture has.
struct Block {
    at: BlockStart,
    size: usize,
    uses: Uses,
    /// The nodes, and what each writes: a number of its own.
    nodes: Vec<usize>,
}

/// Work of a node: it adds its number to what it finds in a block, or makes the block new.
struct Work {
    at: BlockStart,
    size: usize,
    /// The block, which is one of its own for who knows nothing of addresses.
    block: usize,
}

/// A random capture. Gives its graph and what the nodes do, and how often memory was used again.
fn random_capture(random: &mut Random, policy: Policy) -> (Capture, Vec<Work>, usize) {
    let streams = 1 + random.below(5);
    let mut capture = Capture::new(streams);
    // Extents that lie side by side are of several blocks, so that blocks of them are not to be taken together.
    let (mut ledger, mut ends, mut again) = (Ledger::new(policy), [0; 3], 0);
    let (mut live, mut freed, mut works): (Vec<(usize, Block)>, Vec<Block>, Vec<Work>) = Default::default();
    let mut blocks = 0;
    for _ in 0..10 + random.below(60) {
        let inside: Vec<usize> = (0..streams).filter(|&stream| capture.is_in(stream)).collect();
        let stream = inside[random.below(inside.len())];
        match random.below(8) {
            0 | 1 => capture.join(random.below(streams), stream),
            2 | 3 => {
                let size = 1 + random.below(4);
                let clock = capture.clocks[stream].clone();
                let found = ledger.take(size, &clock, stream);
                again += usize::from(found.is_some());
                let (at, uses) = found.unwrap_or_else(|| {
                    let extent = random.below(ends.len());
                    ends[extent] += size;
                    ((extent, ends[extent] - size), Uses::default())
                });
                assert!(at.1 + size <= ends[at.0], "a block is of two extents");
                let overlaps =
                    |other: &Block| at.0 == other.at.0 && at.1 < other.at.1 + other.size && other.at.1 < at.1 + size;
                assert!(!live.iter().any(|(_, other)| overlaps(other)), "a block is given to two");
                // Whoever used a byte of it before is behind the frontier, however long ago that was.
                let before: Vec<usize> =
                    freed.iter().filter(|other| overlaps(other)).flat_map(|other| other.nodes.clone()).collect();
                assert!(capture.all_precede(&before, stream), "a use does not precede the frontier");
                blocks += 1;
                live.push((blocks, Block { at, size, uses, nodes: before }));
            }
            4 if !live.is_empty() => {
                let (_, block) = live.swap_remove(random.below(live.len()));
                ledger.give_back(block.at, block.size, block.uses.clone());
                freed.push(block);
            }
            _ if !live.is_empty() => {
                let which = random.below(live.len());
                // A stream uses a block only behind what uses it already, as any program has to do, and behind what used its
                // bytes before, which the clocks tell.
                let may_use = live[which].1.uses.precede(&capture.clocks[stream], stream, Policy::Ordered);
                assert_eq!(may_use, capture.all_precede(&live[which].1.nodes, stream));
                if may_use {
                    let (node, position) = capture.record(stream);
                    let (number, block) = &mut live[which];
                    works.push(Work { at: block.at, size: block.size, block: *number });
                    block.uses.add(stream, position);
                    block.nodes.push(node);
                }
            }
            _ => {}
        }
    }
    // What clocks say of each block is what paths say.
    for stream in (0..streams).filter(|&stream| capture.is_in(stream)) {
        for block in freed.iter().chain(live.iter().map(|(_, block)| block)) {
            let precede = block.uses.precede(&capture.clocks[stream], stream, Policy::Ordered);
            assert_eq!(precede, capture.all_precede(&block.nodes, stream));
        }
    }
    (capture, works, again)
}

/// Executes the nodes in a random legal order. Gives what each finds: with blocks where they are, and each by itself.
fn run(random: &mut Random, capture: &Capture, works: &[Work]) -> (Vec<u64>, Vec<u64>) {
    let mut waiting: Vec<usize> = (0..works.len()).collect();
    let mut is_done = vec![false; works.len()];
    // By byte: the block that was written there last, and what.
    let mut memory: BTreeMap<BlockStart, (usize, u64)> = BTreeMap::new();
    let mut apart: BTreeMap<usize, u64> = BTreeMap::new();
    let (mut found, mut expected) = (vec![0; works.len()], vec![0; works.len()]);
    while !waiting.is_empty() {
        let ready: Vec<usize> = (0..waiting.len())
            .filter(|&which| capture.parents[waiting[which]].iter().all(|&parent| is_done[parent]))
            .collect();
        let node = waiting.swap_remove(ready[random.below(ready.len())]);
        is_done[node] = true;
        let Work { at: (extent, at), size, block } = works[node];
        // The first use of a block makes it new, whatever was there.
        let is_first = !apart.contains_key(&block);
        let value = apart.entry(block).or_insert(0);
        expected[node] = *value;
        found[node] = match is_first {
            true => 0,
            false => {
                (at..at + size)
                    .map(|byte| memory[&(extent, byte)])
                    .map(|(of, value)| if of == block { value } else { 1 << 40 })
                    .sum::<u64>()
                    / size as u64
            }
        };
        *value = (*value * 31 + node as u64 + 1) % 1_000_003;
        memory.extend((at..at + size).map(|byte| ((extent, byte), (block, *value))));
    }
    (found, expected)
}

#[test]
fn what_is_used_again_is_behind_every_use_of_it() {
    let random = &mut Random(5);
    let (mut captures, mut again) = (0, 0);
    for _ in 0..4000 {
        let (capture, works, used_again) = random_capture(random, Policy::Ordered);
        again += used_again;
        captures += 1;
        for _ in 0..3 {
            let (found, expected) = run(random, &capture, &works);
            assert_eq!(found, expected);
        }
    }
    assert!(again > captures, "{again} blocks were used again in {captures} captures");
}

#[test]
fn one_stream_may_keep_its_memory_to_itself() {
    let random = &mut Random(6);
    let mut again = 0;
    for _ in 0..1000 {
        let (capture, works, used_again) = random_capture(random, Policy::SameStream);
        again += used_again;
        let (found, expected) = run(random, &capture, &works);
        assert_eq!(found, expected);
        assert_eq!(random_capture(random, Policy::Never).2, 0);
    }
    assert!(again > 100, "{again}");
}

#[test]
fn pieces_side_by_side_are_taken_together_and_the_rest_stays() {
    let uses = |list: &[(usize, u32)]| {
        let mut uses = Uses::default();
        list.iter().for_each(|&(stream, position)| uses.add(stream, position));
        uses
    };
    let freed = |policy| {
        let mut ledger = Ledger::new(policy);
        ledger.give_back((0, 0), 256, uses(&[(0, 2)]));
        ledger.give_back((0, 256), 512, uses(&[(1, 1)]));
        ledger.give_back((0, 768), 256, uses(&[(2, 5)]));
        // Of another extent, and as if it began where the first one ends.
        ledger.give_back((1, 1024), 1024, uses(&[(0, 1)]));
        ledger
    };
    let mut ledger = freed(Policy::Ordered);
    // The second stream's work is not behind the first one yet.
    assert_eq!(ledger.take(512, &[3, 0, 0], 0), Some(((1, 1024), uses(&[(0, 1)]))));
    assert_eq!(ledger.take(768, &[3, 0, 0], 0), None);
    assert_eq!(ledger.take(512, &[3, 1, 0], 0), Some(((1, 1536), uses(&[(0, 1)]))));
    // Two pieces with different uses, whose rest keeps its own.
    assert_eq!(ledger.take(512, &[3, 1, 0], 0), Some(((0, 0), uses(&[(0, 2), (1, 1)]))));
    assert_eq!(ledger.free.keys().copied().collect::<Vec<_>>(), [(0, 512), (0, 768)]);
    assert_eq!(ledger.take(1024, &[9, 9, 9], 0), None, "the pieces side by side are of two extents");
    assert_eq!(ledger.take(256, &[9, 0, 9], 2), Some(((0, 768), uses(&[(2, 5)]))));
    let mut ledger = freed(Policy::SameStream);
    assert_eq!(ledger.take(512, &[3, 1, 0], 0), Some(((1, 1024), uses(&[(0, 1)]))));
    assert_eq!(ledger.take(512, &[3, 1, 0], 1), Some(((0, 256), uses(&[(1, 1)]))));
    assert_eq!((ledger.take(1024, &[9, 9, 9], 0), freed(Policy::Never).take(8, &[9, 9, 9], 0)), (None, None));
    assert!(!uses(&[(0, 1)]).precede(&[], 0, Policy::Ordered) && Uses::default().precede(&[], 0, Policy::Ordered));
    let mut merged = uses(&[(0, 1), (3, 4)]);
    merged.merge(&uses(&[(0, 5), (3, 2)]));
    assert_eq!(merged, uses(&[(0, 5), (3, 4)]));
}
