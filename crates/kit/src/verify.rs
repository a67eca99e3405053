//! Verifies what is declared of a graph's kernels: the graph is replayed in other orders, and what it writes is compared.
//!
//! First the recorded graph is replayed several times: what differs then is not compared. Then it runs node by node, which shows what
//! each node writes. Then it runs as chains in other orders that the declared accesses allow, and side by side on lanes. Where a chain
//! gives another result, chains between it and the recorded order tell which two nodes must not change places.

mod replays;
mod report;

pub use self::report::{Finding, MemoryPlace, NamedNode, VerifyReport};

use std::collections::HashSet;
use std::sync::Arc;

use self::replays::Replays;
use super::optimize::{fitting, observed, KernelStatement, Permits, Promises, Trial, TrialOptions};
use graphcap_base::error::{Error, Result, Status};
use graphcap_core::{relax_mode, Graph, MemoryRanges, SavedMemory, Stream};
use graphcap_driver::rules::legal_orders::{by_priority, places, reversed, with_before, Reach, Swaps};
use graphcap_driver::rules::random::Random;
use graphcap_driver::rules::ranges::{Ranges, Writers};
use graphcap_driver::{check_caller, StreamOptions};

/// Number of replays of the recorded graph before it is compared with other orders.
const RECORDED_REPLAYS: usize = 5;
/// Number of replays of each graph on lanes.
const LANE_REPLAYS: usize = 3;
/// On how many lanes the nodes are replayed.
const LANES: [usize; 3] = [2, 16, 128];
/// A graph of more nodes is refused: who has to come before whom takes a bit for each pair.
const MOST_NODES: usize = 16_384;
/// In graphs of more nodes it is not noted which pairs have run in both orders.
const MOST_NODES_OF_PAIRS: usize = 2048;
/// After so many pairs of nodes whose order matters no other orders are tried.
const MOST_PAIRS_NAMED: usize = 16;

/// Options of verifying a graph.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VerifyOptions {
    /// As [`OptimizeOptions::trusts_parameters`](super::OptimizeOptions::trusts_parameters).
    pub trusts_parameters: bool,
    /// As [`OptimizeOptions::unobserved`](super::OptimizeOptions::unobserved).
    pub unobserved: bool,
    /// As [`OptimizeOptions::observes`](super::OptimizeOptions::observes).
    pub observes: bool,
    /// As [`OptimizeOptions::statements`](super::OptimizeOptions::statements).
    pub statements: Arc<[KernelStatement]>,
    /// Acts that replays may do though they cannot be undone.
    pub permits: Permits,
    /// Bytes of device memory, and of pinned host memory, that may be used for what the graph writes; 0 for 256 MiB.
    pub bytes: u64,
    /// Number of random orders to try, each with its reverse; 0 for 16.
    pub orders: usize,
    /// Seed of the random orders.
    pub seed: u64,
}

/// Replays a graph in other orders that the declared accesses allow, and tells where its results then differ: a declared access is
/// wrong there. The memory that the graph writes is restored afterwards, also after a failure.
///
/// Nothing else may use that memory meanwhile, and work that uses it must be complete before. `progress` is told how many steps are
/// done, of how many; the call ends when it gives false, and reports what was found by then.
///
/// # Examples
/// Two memsets of one buffer and one of another:
///
/// ```
/// use graphcap::core::{Buffer, Context, Stream};
/// use graphcap::driver::{DeviceChoice, DeviceKind, StreamOptions};
/// use graphcap::kit::{verify, VerifyOptions};
/// use graphcap::rules::CaptureMode;
///
/// let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0)?;
/// let stream = Stream::create(&context, StreamOptions::default())?;
/// let (one, other) = (Buffer::allocate(&context, 64)?, Buffer::allocate(&context, 64)?);
/// stream.begin_capture(CaptureMode::Global)?;
/// for (buffer, value) in [(&one, 1), (&one, 2), (&other, 3)] {
///     stream.memset(buffer, 0, value, 4, 16)?;
/// }
/// let recorded = stream.end_capture()?;
///
/// let report = verify(&recorded, &VerifyOptions::default(), &mut |_, _| true)?;
/// assert!(report.findings.is_empty(), "{}", report.text());
/// assert_eq!((report.pairs, report.pairs_tried, report.bytes_compared), (2, 2, 128));
/// # Ok::<(), graphcap::Error>(())
/// ```
///
/// # Errors
/// `NOT_SUPPORTED` for a graph that cannot be copied, with an edge that carries something, or of more than 16,384 nodes; when what a
/// node writes is not known; and when a node does what [`VerifyOptions::permits`] does not permit. `OUT_OF_MEMORY` also when
/// the graph writes more than may be saved; `INVALID_VALUE` when the edges form a cycle, or for memory that is gone; the status of a
/// context that faulted, whose memory cannot be restored.
pub fn verify(
    graph: &Graph,
    options: &VerifyOptions,
    progress: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<VerifyReport> {
    check_caller()?;
    let _mode = relax_mode()?;
    let most = if options.bytes == 0 { 256 << 20 } else { options.bytes };
    let mut promises = Promises {
        trusts_parameters: options.trusts_parameters || options.observes,
        unobserved: options.unobserved,
        statements: Arc::clone(&options.statements),
        ..Promises::default()
    };
    if options.observes {
        // What must not be run is refused here, too.
        (promises, _) = observed(graph, promises, TrialOptions { permits: options.permits, bytes: most })?;
    }
    let trial = Trial::of(graph, promises, options.permits)?;
    let nodes = trial.writes.len();
    if nodes > MOST_NODES || trial.has_carrying_edge() {
        return Err(Error::new(
            Status::NOT_SUPPORTED,
            match trial.has_carrying_edge() {
                true => {
                    "an edge of the graph carries something, so that it keeps its edges; there is nothing to verify"
                        .to_owned()
                }
                false => format!(
                    "the graph has {nodes} nodes, and at most {MOST_NODES} can be verified; verify a part of it"
                ),
            },
        ));
    }
    let (watched, unwatched) = watched(&trial, most);
    let stream = Stream::create(graph.context(), StreamOptions { non_blocking: true, ..StreamOptions::default() })?;
    let saved = SavedMemory::save(&stream, &watched, most)?;
    let mut report = VerifyReport { nodes, bytes_unwatched: unwatched, ..VerifyReport::default() };
    let mut verifier = Verifier {
        needed: trial.needed(),
        trial: &trial,
        options,
        replays: Replays::new(stream, saved, progress),
        report: &mut report,
    };
    let looked = verifier.look();
    let restored = verifier.replays.memory.restore_now();
    looked.and(restored)?;
    Ok(report)
}

/// Returns what is saved and compared: all that the nodes write and, as far as there is room, what else they reach, which they may write
/// though nobody declared it. And how many bytes there is no room for.
fn watched(trial: &Trial, most: u64) -> (MemoryRanges, u64) {
    let written = MemoryRanges::of(trial.writes.iter().map(|one| &one.writes).collect::<Vec<_>>());
    let reached = MemoryRanges::of(trial.writes.iter().map(|one| &one.reaches).collect::<Vec<_>>());
    let rest = reached.without(&written);
    // What is only read of the CPU's memory is not the device's to write back.
    let (device, left_out) = fitting(&rest.device, &mut most.saturating_sub(written.bytes()));
    let also = MemoryRanges { device, host: Ranges::default() };
    (MemoryRanges::of([&written, &also]), left_out)
}

/// Looks for wrong declarations.
struct Verifier<'a> {
    trial: &'a Trial,
    options: &'a VerifyOptions,
    replays: Replays<'a>,
    /// Nodes that have to come before each node, by what is declared and by what was found.
    needed: Vec<Vec<u32>>,
    report: &'a mut VerifyReport,
}

impl Verifier<'_> {
    fn look(&mut self) -> Result<()> {
        let nodes = self.trial.writes.len() as u64;
        let orders = 2 * self.orders() as u64 + 1;
        self.replays.total = RECORDED_REPLAYS as u64 + nodes + orders + (LANES.len() * LANE_REPLAYS) as u64;
        self.replay_as_recorded()?;
        if self.replays.is_stopped {
            return self.conclude();
        }
        let singles = self.trial.singles()?;
        self.replays.singles = singles;
        self.run_node_by_node()?;
        self.try_orders()?;
        if self.report.order_findings() == 0 {
            self.try_lanes()?;
        }
        self.conclude()
    }

    fn conclude(&mut self) -> Result<()> {
        self.report.replays = self.replays.count;
        self.report.stopped = self.replays.is_stopped;
        self.report.bytes_compared = self.replays.memory.compared();
        self.report.bytes_excluded = self.replays.memory.excluded();
        Ok(())
    }

    fn orders(&self) -> usize {
        match self.options.orders {
            0 => 16,
            orders => orders,
        }
    }

    /// Replays the graph as recorded, several times, and excludes from the comparison what differs between these replays.
    fn replay_as_recorded(&mut self) -> Result<()> {
        let exec = self.trial.copy().instantiate()?;
        for _ in 0..RECORDED_REPLAYS {
            if !self.replays.go_on() {
                return Ok(());
            }
            let result = self.replays.replay(&exec)?;
            match self.replays.expected.take() {
                None => self.replays.expected = Some(result),
                Some(expected) => {
                    self.replays.memory.exclude(&expected, &result);
                    self.replays.expected = Some(expected);
                }
            }
        }
        Ok(())
    }

    /// Finds what each node writes, and takes what is there in the end for the result.
    fn run_node_by_node(&mut self) -> Result<()> {
        let reach = Reach::of(&self.needed);
        let (mut written, mut told) = (Writers::default(), HashSet::new());
        self.replays.memory.restore()?;
        let mut before = self.replays.memory.read()?;
        for node in 0..self.trial.writes.len() as u32 {
            if !self.replays.go_on() {
                return Ok(());
            }
            self.replays.launch(node)?;
            let after = self.replays.memory.read()?;
            for (start, end) in self.replays.memory.changed(&before, &after) {
                self.check_declared(node, start, end);
                written.note(node, (start as u64, end as u64), |at, earlier| {
                    if !reach.precedes(earlier, node) && told.insert((earlier, node)) {
                        let (address, is_host) = self.replays.memory.saved.address(at as usize);
                        let nodes = (earlier, node);
                        self.report.add(self.trial, (address, is_host), |name, memory| Finding::BothWrite {
                            first: name(nodes.0),
                            second: name(nodes.1),
                            address,
                            memory,
                        });
                    }
                });
            }
            before = after;
        }
        self.replays.count += 1;
        let expected = self.replays.expected.take();
        if let Some(offset) = expected.and_then(|expected| self.replays.memory.differing(&expected, &before)) {
            let (address, is_host) = self.replays.memory.saved.address(offset);
            self.report.add(self.trial, (address, is_host), |_, memory| Finding::Recorded { address, memory });
        }
        self.replays.expected = Some(before);
        Ok(())
    }

    /// A node changed bytes.
    fn check_declared(&mut self, node: u32, start: usize, end: usize) {
        let Some(declared) = self.trial.writes.get(node as usize).filter(|one| one.is_complete) else { return };
        let (first, is_host) = self.replays.memory.saved.address(start);
        let ranges = if is_host { &declared.writes.host } else { &declared.writes.device };
        for (from, to) in ranges.missing(first, first + (end - start) as u64) {
            self.report.add_undeclared(self.trial, node, (from, to), is_host);
        }
    }

    /// Runs the nodes as chains: the reverse of the recorded order, random orders each with its reverse, and orders that have those pairs
    /// the other way round that had not been so by then.
    fn try_orders(&mut self) -> Result<()> {
        let nodes = self.trial.writes.len();
        let recorded: Vec<u32> = (0..nodes as u32).collect();
        let mut pairs = Pairs::of(&self.needed);
        let mut random = Random::new(self.options.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let first = reversed(&self.needed, &recorded);
        self.try_order(&recorded, &first, &mut pairs)?;
        for _ in 0..self.orders() {
            let priorities: Vec<u64> = (0..nodes).map(|_| random.below(1 << 40)).collect();
            let order = by_priority(&self.needed, &priorities);
            self.try_order(&recorded, &order, &mut pairs)?;
            let reverse = reversed(&self.needed, &order);
            self.try_order(&recorded, &reverse, &mut pairs)?;
        }
        for _ in 0..4 * self.orders() {
            let reach = Reach::of(&self.needed);
            let Some((first, second)) = pairs.untried(&reach).filter(|_| !self.is_over()) else { break };
            let order = with_before(&reach, &self.needed, second, first);
            self.replays.total += 1;
            self.try_order(&recorded, &order, &mut pairs)?;
        }
        (self.report.pairs, self.report.pairs_tried) = pairs.counts(&Reach::of(&self.needed));
        Ok(())
    }

    /// Returns whether no other order is to be tried.
    fn is_over(&self) -> bool {
        self.replays.is_stopped || self.report.order_findings() >= MOST_PAIRS_NAMED
    }

    fn try_order(&mut self, recorded: &[u32], order: &[u32], pairs: &mut Pairs) -> Result<()> {
        if self.is_over() || order == recorded || !self.replays.go_on() {
            return Ok(());
        }
        self.report.orders += 1;
        if !self.replays.differs(order)? {
            pairs.note(order);
            return Ok(());
        }
        let swaps = Swaps::between(recorded, order);
        let (mut same, mut other) = (0, swaps.len());
        while other - same > 1 {
            if !self.replays.go_on() {
                return Ok(());
            }
            self.replays.total += 1;
            let middle = same + (other - same) / 2;
            let side = if self.replays.differs(&swaps.after(middle))? { &mut other } else { &mut same };
            *side = middle;
        }
        // What differs from replay to replay, but so seldom that it had not been seen before, is no fault of an order.
        let one = self.replays.chain(&swaps.after(same))?;
        let again = self.replays.chain(&swaps.after(other))?;
        let expected = self.replays.expected.take().unwrap_or_default();
        let differing = self.replays.memory.differing(&expected, &again);
        let is_sure = self.replays.memory.differing(&expected, &one).is_none();
        match differing.filter(|_| is_sure) {
            Some(offset) => {
                let (first, second) = swaps.pair(same);
                let (address, is_host) = self.replays.memory.saved.address(offset);
                self.report.add(self.trial, (address, is_host), |name, memory| Finding::Order {
                    first: name(first),
                    second: name(second),
                    address,
                    memory,
                });
                // Others are looked for with these two in order.
                if let Some(waits) = self.needed.get_mut(second as usize) {
                    waits.push(first);
                    waits.sort_unstable();
                }
            }
            None => {
                pairs.note(order);
                self.replays.memory.exclude(&expected, &one);
                self.replays.memory.exclude(&expected, &again);
            }
        }
        self.replays.expected = Some(expected);
        Ok(())
    }

    /// Replays the nodes side by side, as an optimised graph does.
    fn try_lanes(&mut self) -> Result<()> {
        let mut former = 0;
        for lanes in LANES {
            let Some(layout) = self.trial.layout(lanes) else { break };
            let used = layout.lanes.iter().max().map_or(0, |&lane| lane as usize + 1);
            if used == former {
                break;
            }
            former = used;
            let exec = self.trial.rebuilt(Some(&layout))?.graph.instantiate()?;
            for _ in 0..LANE_REPLAYS {
                if !self.replays.go_on() {
                    return Ok(());
                }
                let result = self.replays.replay(&exec)?;
                let expected = self.replays.expected.as_deref().unwrap_or_default();
                if let Some(offset) = self.replays.memory.differing(expected, &result) {
                    let (address, is_host) = self.replays.memory.saved.address(offset);
                    self.report.add(self.trial, (address, is_host), |_, memory| Finding::Lanes {
                        lanes: used,
                        address,
                        memory,
                    });
                    return Ok(());
                }
            }
            self.report.lanes = used;
        }
        Ok(())
    }
}

/// Pairs of nodes that need no order and have run the other way round than they were recorded.
struct Pairs {
    nodes: usize,
    /// A bit for each pair, the later node first; none in a graph of too many nodes.
    tried: Vec<u64>,
}

impl Pairs {
    fn of(needed: &[Vec<u32>]) -> Pairs {
        let nodes = if needed.len() > MOST_NODES_OF_PAIRS { 0 } else { needed.len() };
        Pairs { nodes, tried: vec![0; (nodes * nodes).div_ceil(64)] }
    }

    fn note(&mut self, order: &[u32]) {
        let places = places(order);
        for later in 0..self.nodes {
            for earlier in 0..later {
                if places[later] < places[earlier] {
                    let bit = later * self.nodes + earlier;
                    self.tried[bit / 64] |= 1 << (bit % 64);
                }
            }
        }
    }

    fn is_tried(&self, earlier: u32, later: u32) -> bool {
        let bit = later as usize * self.nodes + earlier as usize;
        self.tried.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 != 0)
    }

    fn all(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let nodes = self.nodes as u32;
        (0..nodes).flat_map(|later| (0..later).map(move |earlier| (earlier, later)))
    }

    /// A pair that has not run the other way round.
    fn untried(&self, reach: &Reach) -> Option<(u32, u32)> {
        self.all().find(|&(earlier, later)| !reach.precedes(earlier, later) && !self.is_tried(earlier, later))
    }

    /// Returns how many pairs need no order, and how many of them have run the other way round.
    fn counts(&self, reach: &Reach) -> (u64, u64) {
        let free = self.all().filter(|&(earlier, later)| !reach.precedes(earlier, later));
        free.fold((0, 0), |(all, tried), (earlier, later)| (all + 1, tried + u64::from(self.is_tried(earlier, later))))
    }
}
