//! Random captures with forks, joins and bodies into a pool, on the host device: with memory used again they do what they do
//! without, run as they are and in random orders that their edges allow; also two of them that share the memory of a pool, in turn.
//! `GRAPHCAP_SOAK=1` tries 100,000 of them.

use std::collections::HashMap;

use graphcap::core::{Buffer, Context, Event, Graph, NodeParams, NodeWork, Pool, PoolOptions, Stream};
use graphcap::driver::{
    Address, Conditional, ConditionalKind, DeviceChoice, DeviceKind, EventOptions, NodeId, StreamOptions,
};
use graphcap::rules::reuse::Policy;
use graphcap::rules::CaptureMode;

use crate::random::Random;

/// Unit that pools allocate in. All work is on whole ones.
const GRAIN: usize = 256;
/// Most results that a program can have.
const RESULTS: usize = 24;
const STREAMS: usize = 4;

/// One call of a program that has no races. Blocks are numbered as they are allocated.
#[derive(Debug)]
enum Call {
    /// One stream waits for what another one has recorded.
    Join {
        stream: usize,
        other: usize,
    },
    Allocate {
        stream: usize,
        grains: usize,
    },
    Set {
        stream: usize,
        block: usize,
        value: u32,
    },
    /// Copies the first grains.
    Copy {
        stream: usize,
        to: usize,
        from: usize,
        grains: usize,
    },
    Free {
        stream: usize,
        block: usize,
    },
    /// A body that runs once, in which these calls are made on the stream 0 of its own capture.
    Body {
        stream: usize,
        calls: Vec<Call>,
    },
    /// Copies the first grain to a place of the results.
    Result {
        stream: usize,
        block: usize,
        place: usize,
    },
}

struct Block {
    grains: usize,
    is_live: bool,
    is_set: bool,
    /// For each stream its latest use; the allocation is one.
    uses: Vec<usize>,
}

/// Makes a program, and knows what precedes what in it.
struct Author<'a> {
    random: &'a mut Random,
    blocks: Vec<Block>,
    results: usize,
    values: u32,
}

impl Author<'_> {
    /// The calls of one capture on streams of its own, of which the first one is the origin. Of blocks that were there before
    /// only those of `readable` are read, and none is changed or freed.
    fn capture(&mut self, streams: usize, length: usize, readable: &[usize]) -> Vec<Call> {
        let (first, mut calls) = (self.blocks.len(), Vec::new());
        let mut clocks: Vec<Option<Vec<usize>>> = vec![None; streams];
        clocks[0] = Some(vec![0; streams]);
        for _ in 0..length {
            let inside: Vec<usize> = (0..streams).filter(|&stream| clocks[stream].is_some()).collect();
            let stream = inside[self.random.below(inside.len())];
            let kind = self.random.below(16);
            if kind < 3 {
                let other = self.random.below(streams);
                if other != stream {
                    let behind = clocks[stream].clone().unwrap_or_default();
                    let clock = clocks[other].get_or_insert_with(|| vec![0; streams]);
                    clock.iter_mut().zip(behind).for_each(|(own, behind)| *own = behind.max(*own));
                    calls.push(Call::Join { stream: other, other: stream });
                }
                continue;
            }
            let Some(clock) = &mut clocks[stream] else { continue };
            let may_use =
                |block: &Block| block.is_live && block.uses.iter().zip(&*clock).all(|(used, behind)| used <= behind);
            let usable: Vec<usize> = (first..self.blocks.len()).filter(|&at| may_use(&self.blocks[at])).collect();
            let pick = |random: &mut Random, from: &[usize]| (!from.is_empty()).then(|| from[random.below(from.len())]);
            let set: Vec<usize> = usable.iter().copied().filter(|&at| self.blocks[at].is_set).collect();
            let mut used = Vec::new();
            clock[stream] += 1;
            match kind {
                3..=6 => {
                    let grains = 1 + self.random.below(4);
                    used.push(self.blocks.len());
                    self.blocks.push(Block { grains, is_live: true, is_set: false, uses: vec![0; streams] });
                    calls.push(Call::Allocate { stream, grains });
                }
                7..=9 => {
                    let Some(block) = pick(self.random, &usable) else { continue };
                    self.values += 1;
                    used.push(block);
                    calls.push(Call::Set { stream, block, value: self.values });
                    self.blocks[block].is_set = true;
                }
                10 | 11 => {
                    let sources: Vec<usize> = set.iter().chain(readable).copied().collect();
                    let (Some(to), Some(from)) = (pick(self.random, &usable), pick(self.random, &sources)) else {
                        continue;
                    };
                    if to == from {
                        continue;
                    }
                    let grains = self.blocks[to].grains.min(self.blocks[from].grains);
                    used.extend([to].into_iter().chain((from >= first).then_some(from)));
                    calls.push(Call::Copy { stream, to, from, grains });
                    self.blocks[to].is_set |= grains == self.blocks[to].grains;
                }
                12 => {
                    let (Some(block), true) = (pick(self.random, &set), self.results < RESULTS) else { continue };
                    used.push(block);
                    calls.push(Call::Result { stream, block, place: self.results });
                    self.results += 1;
                }
                13 if streams > 1 => {
                    let length = 4 + self.random.below(20);
                    let body = self.capture(1, length, &set);
                    let reads = |call: &Call| match call {
                        Call::Copy { from, .. } if set.contains(from) => Some(*from),
                        _ => None,
                    };
                    used.extend(body.iter().filter_map(reads));
                    calls.push(Call::Body { stream, calls: body });
                }
                // A block can be freed on any stream: its uses are what counts.
                _ => {
                    let live: Vec<usize> = (first..self.blocks.len()).filter(|&at| self.blocks[at].is_live).collect();
                    let Some(block) = pick(self.random, &live) else { continue };
                    self.blocks[block].is_live = false;
                    calls.push(Call::Free { stream, block });
                }
            }
            let count = clocks[stream].as_ref().map_or(0, |clock| clock[stream]);
            used.into_iter().for_each(|block| self.blocks[block].uses[stream] = count);
        }
        for other in (1..streams).filter(|&other| clocks[other].is_some()) {
            calls.push(Call::Join { stream: 0, other });
        }
        self.blocks[first..].iter_mut().for_each(|block| block.is_live &= streams > 1);
        calls
    }
}

/// Context, streams and memory that programs run on.
struct Bed {
    context: Context,
    streams: Vec<Stream>,
    /// For the captures of bodies.
    within: Stream,
    /// For captures that go on meanwhile.
    meanwhile: Stream,
    results: Buffer,
}

/// A program that was captured into a pool.
struct Captured {
    graph: Graph,
    /// Number of blocks that had memory which the capture had used before.
    again: usize,
}

impl Bed {
    fn new() -> Bed {
        let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
        let stream = || Stream::create(&context, StreamOptions { non_blocking: true, priority: 0 }).unwrap();
        let streams = (0..STREAMS).map(|_| stream()).collect();
        let results = Buffer::allocate(&context, RESULTS * GRAIN).unwrap();
        Bed { within: stream(), meanwhile: stream(), streams, results, context }
    }

    fn capture(&self, calls: &[Call], pool: &Pool) -> Captured {
        self.streams[0].begin_capture_with_pool(CaptureMode::Relaxed, pool).unwrap();
        let (mut blocks, mut known) = (Vec::new(), Vec::new());
        let again = self.record(calls, pool, &self.streams, &mut blocks, &mut known);
        let graph = self.streams[0].end_capture().unwrap();
        drop(blocks);
        Captured { graph, again }
    }

    fn record(
        &self,
        calls: &[Call],
        pool: &Pool,
        streams: &[Stream],
        blocks: &mut Vec<Option<Buffer>>,
        known: &mut Vec<(Address, usize, bool)>,
    ) -> usize {
        let mut again = 0;
        for call in calls {
            match *call {
                Call::Set { block, .. } | Call::Result { block, .. } => known[block].2 = true,
                Call::Copy { to, from, .. } => [to, from].into_iter().for_each(|block| known[block].2 = true),
                _ => {}
            }
            let block = |at: usize| blocks[at].clone().unwrap();
            match *call {
                Call::Join { stream, other } => {
                    let event = Event::create(&self.context, EventOptions::default()).unwrap();
                    event.record(&streams[other]).unwrap();
                    streams[stream].wait_event(&event).unwrap();
                }
                Call::Allocate { stream, grains } => {
                    let block = pool.allocate_on_stream(grains * GRAIN, &streams[stream]).unwrap();
                    let (at, size) = (block.address(), grains * GRAIN);
                    let overlaps = |&(other, bytes, is_used): &(Address, usize, bool)| {
                        is_used && at < other + bytes as u64 && other < at + size as u64
                    };
                    again += usize::from(known.iter().any(overlaps));
                    known.push((at, size, false));
                    blocks.push(Some(block));
                }
                Call::Set { stream, block: at, value } => {
                    let block = block(at);
                    streams[stream].memset(&block, 0, value, 4, block.size() / 4).unwrap();
                }
                Call::Copy { stream, to, from, grains } => {
                    streams[stream].memcpy_dtod(&block(to), 0, &block(from), 0, grains * GRAIN).unwrap();
                }
                Call::Free { stream, block: at } => {
                    let block = blocks[at].take().unwrap();
                    block.free_on_stream(&streams[stream]).unwrap();
                }
                Call::Result { stream, block: at, place } => {
                    streams[stream].memcpy_dtod(&self.results, place * GRAIN, &block(at), 0, GRAIN).unwrap();
                }
                Call::Body { stream, ref calls } => {
                    let graph = streams[stream].capture_graph().unwrap();
                    let condition = graph.create_condition(1).unwrap();
                    let conditional = Conditional { condition, kind: ConditionalKind::If, bodies: 1 };
                    let node = streams[stream].capture_node(&NodeWork::Conditional(conditional)).unwrap();
                    let body = graph.node_graphs(node).unwrap().remove(0);
                    self.within.begin_capture_to_graph(&body, &[], CaptureMode::Relaxed).unwrap();
                    again += self.record(calls, pool, std::slice::from_ref(&self.within), blocks, known);
                    self.within.end_capture().unwrap();
                }
            }
        }
        again
    }

    /// Returns what a launch leaves in the first `count` results.
    fn launch(&self, graph: &Graph, count: usize) -> Vec<u32> {
        let exec = graph.instantiate().unwrap();
        let stream = &self.streams[0];
        exec.launch(stream).unwrap();
        let mut found = vec![0u32; RESULTS * GRAIN / 4];
        // SAFETY: the memory has as many bytes and lives until the copy has run.
        unsafe { stream.memcpy_dtoh(found.as_mut_ptr().cast(), &self.results, 0, RESULTS * GRAIN) }.unwrap();
        stream.synchronize().unwrap();
        let whole =
            |place: usize| found[place * GRAIN / 4..][..GRAIN / 4].iter().all(|&word| word == found[place * GRAIN / 4]);
        assert!((0..count).all(whole), "a result is torn");
        (0..count).map(|place| found[place * GRAIN / 4]).collect()
    }

    /// Returns what the nodes leave there when they run one after another in a random order that the edges allow.
    fn walk(&self, random: &mut Random, graph: &Graph, count: usize) -> Vec<u32> {
        let mut memory = HashMap::new();
        walk(random, graph, &mut memory);
        let result = |place: usize| memory[&(self.results.address() + (place * GRAIN) as u64)];
        (0..count).map(result).collect()
    }
}

/// Runs the nodes of a graph. Memory is one number for each grain.
fn walk(random: &mut Random, graph: &Graph, memory: &mut HashMap<Address, u32>) {
    let mut waiting: HashMap<NodeId, usize> = HashMap::new();
    let mut behind: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    for (from, to) in graph.edges().unwrap() {
        *waiting.entry(to).or_default() += 1;
        behind.entry(from).or_default().push(to);
    }
    let mut ready: Vec<NodeId> = graph.nodes().unwrap().nodes;
    ready.retain(|node| !waiting.contains_key(node));
    while !ready.is_empty() {
        let node = ready.swap_remove(random.below(ready.len()));
        match graph.node_params(node).unwrap() {
            NodeParams::Memset(set) => {
                let bytes = set.count * usize::from(set.element_size);
                memory.extend((0..bytes).step_by(GRAIN).map(|at| (set.address + at as u64, set.value)));
            }
            NodeParams::Memcpy { rows: copy, .. } => {
                for at in (0..copy.row.bytes).step_by(GRAIN) {
                    let value = memory[&(copy.row.source + at as u64)];
                    memory.insert(copy.row.destination + at as u64, value);
                }
            }
            NodeParams::Conditional(_) => walk(random, &graph.node_graphs(node).unwrap()[0], memory),
            other => panic!("{:?} was recorded", other.kind()),
        }
        for next in behind.remove(&node).unwrap_or_default() {
            let left = waiting.get_mut(&next).unwrap();
            *left -= 1;
            if *left == 0 {
                ready.push(next);
            }
        }
    }
}

/// A random program, and how many results it has.
fn program(random: &mut Random) -> (Vec<Call>, usize) {
    let length = 10 + random.below(90);
    let mut author = Author { random, blocks: Vec::new(), results: 0, values: 0 };
    let calls = author.capture(STREAMS, length, &[]);
    (calls, author.results)
}

#[test]
fn memory_that_is_used_again_changes_no_result() {
    let count = if std::env::var_os("GRAPHCAP_SOAK").is_some() { 100_000 } else { 100 };
    let bed = Bed::new();
    let (mut again, mut used, mut shared_used) = ([0; 3], [0; 3], [0; 2]);
    // Of the program before, which shares memory with the next one.
    let mut before: Option<(Vec<Call>, Vec<u32>)> = None;
    for seed in 0..count {
        let mut random = Random(seed);
        let (calls, results) = program(&mut random);
        let pool = |reuse, is_shared| {
            Pool::create(&bed.context, PoolOptions { capacity: Some(1 << 20), reuse, is_shared }).unwrap()
        };
        let pools = [Policy::Never, Policy::Ordered, Policy::SameStream].map(|policy| pool(policy, false));
        let [never, ordered, on_one] = [0, 1, 2].map(|which| bed.capture(&calls, &pools[which]));
        for (which, captured) in [&never, &ordered, &on_one].into_iter().enumerate() {
            again[which] += captured.again;
            used[which] += pools[which].memory().unwrap().used;
        }
        let expected = bed.launch(&never.graph, results);
        assert_eq!(bed.walk(&mut random, &never.graph, results), expected, "seed {seed}: the program has a race");
        for captured in [&ordered, &on_one] {
            assert_eq!(bed.launch(&captured.graph, results), expected, "seed {seed}");
            for _ in 0..3 {
                assert_eq!(bed.walk(&mut random, &captured.graph, results), expected, "seed {seed}: {calls:?}");
            }
        }
        // Another capture may go on meanwhile, which has memory of its own.
        let shared = pool([Policy::Ordered, Policy::SameStream][random.below(2)], true);
        let meanwhile = (random.below(2) == 0).then(|| {
            bed.meanwhile.begin_capture_with_pool(CaptureMode::Relaxed, &shared).unwrap();
            shared.allocate_on_stream(GRAIN, &bed.meanwhile).unwrap()
        });
        let own = bed.capture(&calls, &shared);
        shared_used[0] += shared.memory().unwrap().used;
        if let Some((earlier, earlier_expected)) = before.replace((calls, expected.clone())) {
            let earlier = bed.capture(&earlier, &shared);
            for _ in 0..2 {
                assert_eq!(bed.launch(&own.graph, results), expected, "seed {seed}");
                let found = bed.launch(&earlier.graph, earlier_expected.len());
                assert_eq!(found, earlier_expected, "seed {seed}, and the one before");
            }
            let found = bed.walk(&mut random, &earlier.graph, earlier_expected.len());
            assert_eq!(found, earlier_expected, "seed {seed}, and the one before");
        }
        assert_eq!(bed.walk(&mut random, &own.graph, results), expected, "seed {seed}");
        shared_used[1] += shared.memory().unwrap().used;
        if meanwhile.is_some() {
            drop(bed.meanwhile.end_capture().unwrap());
        }
    }
    // Twice as many graphs, and bodies, which share nothing.
    assert!(shared_used[1] < shared_used[0] * 3 / 2, "{shared_used:?} bytes in {count} captures");
    assert!(again[0] == 0 && again[1] > again[2] && again[2] > count as usize, "{again:?} blocks in {count} captures");
    assert!(used[1] < used[0], "{used:?} bytes in {count} captures");
}
