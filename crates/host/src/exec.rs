//! Graph execs of the host device: the order of their launches, and whether a replay is walked or spread.
//!
//! A replay starts on one lane, which walks the plan from front to back: no counter, no queue, the cost of
//! a call per node. When the nodes turn out long, the rest is spread over lanes. An exec remembers which of
//! the two paid.

pub(super) mod event_nodes;
pub(super) mod lineage;
mod traced;
pub(super) mod versions;

use std::sync::atomic::{fence, AtomicU32, AtomicU64, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crossbeam_utils::CachePadded;

use super::engine::lanes::lanes;
use super::engine::resumable::Resumable;
use super::engine::spread::{Progress, Spread, CALLERS_STEAL_TIME, SHORT_NODE_NS, STEAL_TIME, STRIDE};
use super::exec::event_nodes::EventNodes;
use super::exec::lineage::Lineage;
use super::graph::condition::Conditions;
use super::graph::plan::{Entered, Plan, Ran};
use super::memory::node_memory::NodeMemories;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{StreamId, UsedBy, Users};
use graphcap_observe::trace::{self, TracedExec};

/// Nodes at least this long, twice in a row, are worth spreading.
const LONG_NODE_NS: u64 = 200;
/// A run of nodes this long between two looks at the clock is spread at once, if nothing is known of them.
const LONG_RUN: Duration = Duration::from_micros(20);
/// After so many replays one begins as if nothing were known of the nodes, since they may have become long or short.
const PROBE_AFTER: u32 = 64;

/// The lesson that an exec has learned of its nodes.
pub(super) const UNKNOWN: u8 = 0;
const SHORT: u8 = 1;
const LONG: u8 = 2;

/// In [`Exec::next_turn`]: this version gives out no turns, or no more.
const CLOSED: u64 = 1 << 63;

/// One version of a graph exec: a plan that never changes while launches can find it, and the turns of the launches that run it.
/// `versions.rs` tells how an exec goes from one version to the next.
pub(super) struct Exec {
    /// The number of the device that the graph is of.
    pub(super) device: u32,
    plan: Arc<Plan>,
    /// Those of the graph that the version is of.
    conditions: Conditions,
    /// The streams that it was launched on.
    used_by: UsedBy,
    weight: AtomicU8,
    /// Number of replays so far. They run one after another, so that a load and a store count them.
    replays: AtomicU32,
    /// Made by the first replay that needs it, or by an upload.
    spread: OnceLock<Arc<Spread>>,
    /// The next turn to give out; written by callers.
    next_turn: CachePadded<AtomicU64>,
    lineage: Arc<Lineage<Exec>>,
    turns: Arc<LaunchOrder>,
    traced: TracedExec,
}

/// A launch by its turn, and the parked stream that it is on.
type WaitingLaunch = (u64, Arc<dyn Resumable>);

/// The order in which launches of one exec run, of whatever version and on whatever streams they are.
#[derive(Default)]
pub(super) struct LaunchOrder {
    /// The launch that may run; written by lanes.
    now: AtomicU64,
    waiting: Mutex<Vec<WaitingLaunch>, rank::Turns>,
    any_waiting: AtomicUsize,
}

impl Exec {
    /// A version of which launches get the turn `first_turn` of `turns`, and those that follow.
    pub(super) fn new(
        device: u32,
        plan: Arc<Plan>,
        conditions: Conditions,
        lineage: Arc<Lineage<Exec>>,
        (turns, first_turn): (Arc<LaunchOrder>, u64),
        weight: u8,
    ) -> Exec {
        Exec {
            device,
            plan,
            conditions,
            used_by: UsedBy::default(),
            weight: AtomicU8::new(weight),
            replays: AtomicU32::new(0),
            spread: OnceLock::new(),
            next_turn: CachePadded::new(AtomicU64::new(first_turn)),
            lineage,
            turns,
            traced: TracedExec::default(),
        }
    }

    /// A version as this one, of which launches get the turn `first_turn` of `turns`, and those that follow.
    pub(super) fn in_turn_with(&self, turns: &Arc<LaunchOrder>, first_turn: u64) -> Exec {
        let (plan, conditions) = (Arc::clone(&self.plan), Arc::clone(&self.conditions));
        let (lineage, turns) = (Arc::clone(&self.lineage), (Arc::clone(turns), first_turn));
        let mut exec = Exec::new(self.device, plan, conditions, lineage, turns, self.weight());
        *exec.replays.get_mut() = self.replays.load(Ordering::Relaxed);
        if let Some(spread) = self.spread.get() {
            let _ = exec.spread.set(Arc::clone(spread));
        }
        exec
    }

    /// Makes the launches that follow get the turn `first_turn`, and those that follow it. No launch finds it yet.
    pub(super) fn go_on_with(&mut self, first_turn: u64) {
        *self.next_turn.get_mut() = first_turn;
    }

    /// The turn of the next launch, where launches get turns.
    pub(super) fn first_turn(&self) -> u64 {
        self.next_turn.load(Ordering::Relaxed)
    }

    /// Returns what edits change. The plan is one that no launch has.
    pub(super) fn edited(&mut self) -> (&mut Plan, &mut Conditions) {
        (Arc::make_mut(&mut self.plan), &mut self.conditions)
    }

    /// Returns what stands for a version that is edited. It gives out no turn, so it is never launched.
    pub(super) fn closed(device: u32, lineage: Arc<Lineage<Exec>>, turns: &Arc<LaunchOrder>) -> Exec {
        let (plan, turns) = (Arc::new(Plan::empty()), (Arc::clone(turns), CLOSED));
        Exec::new(device, plan, Conditions::from([]), lineage, turns, UNKNOWN)
    }

    /// The order of the launches, with those of other versions and of execs that it took the place of.
    pub(super) fn turns(&self) -> &Arc<LaunchOrder> {
        &self.turns
    }

    /// Returns what it runs.
    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The conditionals that a launch is within now.
    pub(super) fn entered(&self) -> Vec<Entered> {
        self.plan.entered()
    }

    /// A replay begins, in which the conditions of the graph can be set.
    #[inline]
    pub(super) fn begin_conditions(&self) {
        if self.plan.has_branches() {
            self.conditions.iter().for_each(|condition| condition.begin());
        }
    }

    /// Notes that that replay is through.
    #[inline]
    pub(super) fn end_conditions(&self) {
        if self.plan.has_branches() {
            self.conditions.iter().for_each(|condition| condition.end());
        }
    }

    pub(super) fn lineage(&self) -> &Arc<Lineage<Exec>> {
        &self.lineage
    }

    /// Returns what it has learned of its nodes, for the version that follows.
    pub(super) fn weight(&self) -> u8 {
        self.weight.load(Ordering::Relaxed)
    }

    /// The events that its graph records for the outside, or waits for.
    #[inline]
    pub(super) fn events(&self) -> &EventNodes {
        self.plan.events()
    }

    /// Returns whether a launch means something to others when it is made, by its event nodes or by what it allocates and frees.
    #[inline]
    pub(super) fn is_bound(&self) -> bool {
        self.plan.is_bound()
    }

    /// Returns what its nodes allocate and free.
    pub(super) fn memories(&self) -> &NodeMemories {
        self.plan.memories()
    }

    /// Notes that it is about to be launched on `stream`.
    #[inline]
    pub(super) fn note_use(&self, stream: StreamId, is_over: impl Fn(StreamId) -> bool) {
        self.used_by.note(stream, is_over);
    }

    /// The streams that it was launched on, but for those that are over.
    pub(super) fn users(&self) -> Users {
        self.used_by.users()
    }

    /// Prepares what the first replay would have to.
    pub(super) fn upload(&self) {
        if self.plan.shape().segments().len() > 1 {
            self.spread();
        }
    }

    /// Returns whether a replay may wait for values.
    #[inline]
    pub(super) fn waits_for_values(&self) -> bool {
        self.plan.shape().waits_for_values()
    }

    /// Gives out the next turn; `None` where this version is closed. Called under the queue lock of the stream that will
    /// use it.
    #[inline]
    pub(super) fn take_turn(&self) -> Option<u64> {
        let turn = self.next_turn.fetch_add(1, Ordering::Relaxed);
        (turn & CLOSED == 0).then_some(turn)
    }

    /// Gives out no more turns from here on. Tells the one that is next.
    pub(super) fn close(&self) -> u64 {
        self.next_turn.fetch_or(CLOSED, Ordering::Relaxed)
    }

    /// Returns whether the launch with turn `turn` may run. If not, `stream`, which is parked, is resumed when it may.
    pub(super) fn is_turn_or_resume(&self, turn: u64, stream: &Arc<impl Resumable + 'static>) -> bool {
        let mut waiting = lock(&self.turns.waiting);
        self.turns.any_waiting.fetch_add(1, Ordering::SeqCst);
        if self.turns.now.load(Ordering::SeqCst) == turn {
            self.turns.any_waiting.fetch_sub(1, Ordering::SeqCst);
            return true;
        }
        stream.activity().rest();
        waiting.push((turn, Arc::clone(stream) as _));
        false
    }

    /// Returns whether the launch with turn `turn` may run.
    #[inline]
    pub(super) fn is_turn(&self, turn: u64) -> bool {
        self.turns.now.load(Ordering::Acquire) == turn
    }

    /// All launches before turn `next` are through. A full fence lies between that and the look at who waits.
    pub(super) fn pass_turn(&self, next: u64) {
        self.turns.now.store(next, Ordering::Release);
        fence(Ordering::SeqCst);
        if self.turns.any_waiting.load(Ordering::Relaxed) == 0 {
            return;
        }
        let mut waiting = lock(&self.turns.waiting);
        let Some(position) = waiting.iter().position(|&(turn, _)| turn == next) else { return };
        let (_, stream) = waiting.swap_remove(position);
        self.turns.any_waiting.fetch_sub(1, Ordering::SeqCst);
        stream.activity().wake();
        drop(waiting);
        stream.resume();
    }

    /// Runs the graph once on this lane, on behalf of `stream`. `pace` is carried from one replay to the next.
    pub(super) fn replay(&self, stream: &Arc<impl Resumable + 'static>, pace: &mut Pace) -> Progress {
        match trace::is_on() {
            false => self.replay_quietly(stream, pace),
            true => self.replay_traced(stream, pace),
        }
    }

    #[inline]
    fn replay_quietly(&self, stream: &Arc<impl Resumable + 'static>, pace: &mut Pace) -> Progress {
        let shape = &**self.plan.shape();
        let spreadable = shape.segments().len() > 1 && lanes().count > 1;
        if shape.must_spread() || (spreadable && self.weight.load(Ordering::Relaxed) == LONG) {
            return self.replay_spread(stream, None, pace.patience);
        }
        let steps = shape.step_count();
        if !spreadable {
            self.walk(&**stream, 0..steps);
            return Progress::Done;
        }
        let known_short = self.weight.load(Ordering::Relaxed) == SHORT;
        pace.stride = if known_short { 4 * STRIDE } else { 1 };
        let mut next = 0;
        while next < steps {
            let end = (next + pace.stride.saturating_sub(pace.walked).max(1)).min(steps);
            if !self.walk(&**stream, next..end) {
                return Progress::Done;
            }
            pace.walked += end - next;
            next = end;
            if pace.walked >= pace.stride && pace.is_long(known_short) && next < steps {
                return self.replay_spread(stream, Some(next), pace.patience);
            }
        }
        self.remember(SHORT);
        Progress::Done
    }

    fn replay_spread(&self, stream: &Arc<impl Resumable + 'static>, from: Option<u32>, patience: Duration) -> Progress {
        let outcome = self.spread().run(stream, &self.plan, from, patience);
        if outcome == Progress::Done {
            self.learn();
        }
        outcome
    }

    /// Takes note of a replay that was spread and is through.
    pub(super) fn learn(&self) {
        let Some(node_ns) = self.spread.get().and_then(|spread| spread.node_ns()) else { return };
        self.remember(match node_ns {
            ..SHORT_NODE_NS => SHORT,
            // Lanes that get in each other's way make short nodes look longer than they are.
            SHORT_NODE_NS..LONG_NODE_NS => UNKNOWN,
            LONG_NODE_NS.. => LONG,
        });
    }

    /// Remembers what a replay has shown, but for the one after which the next is to find out again.
    fn remember(&self, weight: u8) {
        let replays = self.replays.load(Ordering::Relaxed).wrapping_add(1);
        self.replays.store(replays, Ordering::Relaxed);
        self.weight.store(if replays.is_multiple_of(PROBE_AFTER) { UNKNOWN } else { weight }, Ordering::Relaxed);
    }

    /// Runs steps on this lane; false when the context has faulted, or when a loop was abandoned.
    fn walk(&self, stream: &impl Resumable, steps: std::ops::Range<u32>) -> bool {
        match self.plan.run(steps, &stream.context().loops) {
            Ok(Ran::Through) => true,
            Ok(Ran::Abandoned) => {
                stream.cancellation().cancel();
                false
            }
            Err(error) => {
                stream.context().fault(error);
                false
            }
        }
    }

    fn spread(&self) -> &Arc<Spread> {
        self.spread.get_or_init(|| Arc::new(Spread::new(self.plan.shape())))
    }
}

/// Duration of the nodes that a lane has walked lately.
pub(super) struct Pace {
    since: Instant,
    walked: u32,
    stride: u32,
    was_long: bool,
    /// Time that the thread looks for more when it has nothing to do in a replay that others work on.
    patience: Duration,
}

impl Pace {
    /// Of a lane, or of a thread that waits for the stream where `waits`.
    pub(super) fn start(waits: bool) -> Pace {
        let patience = if waits { CALLERS_STEAL_TIME } else { STEAL_TIME };
        Pace { since: Instant::now(), walked: 0, stride: STRIDE, was_long: false, patience }
    }

    /// Looks at the clock: whether the nodes are long enough to be spread. One long look may be an interrupt, or
    /// another thread on the core; where the nodes were short so far, it is taken for one.
    fn is_long(&mut self, known_short: bool) -> bool {
        let now = Instant::now();
        let elapsed = now - self.since;
        let long = elapsed.as_nanos() as u64 >= LONG_NODE_NS * u64::from(self.walked);
        let twice = self.was_long && self.stride >= STRIDE;
        let spread = long && (twice || !known_short && elapsed >= LONG_RUN);
        let stride = (self.stride * 2).min(4 * STRIDE);
        *self = Pace { since: now, walked: 0, stride, was_long: long, ..*self };
        spread
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Definition;
    use graphcap_driver::{ExecFlags, GraphId};

    #[test]
    fn a_version_goes_on_counting_replays() {
        let flags = ExecFlags::default();
        let definition = Arc::new(Definition::new());
        let mut exec = versions::first(0, GraphId(1), flags, &definition, Conditions::from([])).unwrap();
        for _ in 1..PROBE_AFTER {
            exec.remember(SHORT);
            assert_eq!(exec.weight(), SHORT);
            exec = exec.in_turn_with(&Arc::default(), 0);
        }
        exec.remember(SHORT);
        assert_eq!(exec.weight(), UNKNOWN, "it is found out again whether nodes are long");
    }
}
