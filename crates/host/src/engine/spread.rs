//! One replay that several lanes work on: segments with counters, ready ones in deques, idle lanes that steal.

use std::collections::HashMap;
use std::iter::once;
use std::sync::atomic::{fence, AtomicBool, AtomicU32, AtomicU64, AtomicU8, AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_deque::{Injector, Steal, Stealer, Worker};
use crossbeam_utils::CachePadded;

use super::context_state::{function_failed, ContextState};
use super::lanes::{lanes, Helpable};
use super::resumable::Resumable;
use super::values;
use super::waiter::{Segments, Waiter};
use crate::graph::plan::{Plan, Ran, SegmentKind, Shape};
use crate::memory::guard;
use graphcap_base::lock::{lock, lock_soon, rank, Mutex, MutexGuard};
use graphcap_driver::{callbacks, HostFunction};
use graphcap_observe::trace::{self, SharedReplay};

/// Time that a lane looks for another segment before it leaves.
pub(crate) const STEAL_TIME: Duration = Duration::from_micros(5);
/// Time that a thread does so which waits for the replay: it would sleep next, and to be woken takes as long.
pub(crate) const CALLERS_STEAL_TIME: Duration = Duration::from_micros(20);

/// Nodes between two looks at the clock; four times as many once they were found short.
pub(crate) const STRIDE: u32 = 16;
/// Nodes shorter than this cost more spread than walked.
pub(crate) const SHORT_NODE_NS: u64 = 100;

/// After how many segments a lane that helps looks whether other replays and launches have fewer lanes.
const SEGMENTS_BETWEEN_LOOKS: u32 = 16;

/// Progress of a lane with an op of a stream, or with a replay.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// It is through.
    Done,
    /// The stream is parked and will be resumed.
    Parked,
}

const ATTACHED: u8 = 0;
const DETACHED: u8 = 1;
const THROUGH: u8 = 2;

/// The state of a replay that several lanes work on; used again by the next replay of the same exec, of whatever version, so a
/// lane that is late to leave simply goes on with that one.
pub(crate) struct Spread {
    shape: Arc<Shape>,
    /// Per segment, how many segments must still end before it begins.
    missing: Box<[AtomicU32]>,
    /// Segments not known to have ended. Lanes report when they run out of work, not after each segment.
    remaining: CachePadded<AtomicU32>,
    seats: Box<[Seat]>,
    /// Lanes at work. More of them than there are cores would only take turns with each other.
    present: AtomicUsize,
    /// Segments made ready by host functions, and those that go on: their value or event has come.
    arrivals: Injector<u32>,
    /// For each segment that waits for a value which operation comes after that wait.
    after_waits: Mutex<HashMap<u32, usize>, rank::AfterWaits>,
    /// Tells whether the stream gave a wait for a value up: nothing more is run.
    given_up: AtomicBool,
    /// Tells whether the lane that runs the stream is still here.
    starter: AtomicU8,
    /// Replay that goes on: each can be of another stream, of another context, and of another version of the exec.
    of: Mutex<Option<Replayed>, rank::SpreadStream>,
    /// Tells whether the nodes have turned out too short for help.
    lonely: AtomicBool,
    measured: Measured,
    /// Name of the replay in the trace that goes on.
    traced: SharedReplay,
}

/// Time that lanes took, and nodes that they ran.
#[derive(Default)]
struct Measured {
    busy_ns: AtomicU64,
    nodes_run: AtomicU64,
}

/// The stream of a replay, and the plan of the version that it is of.
type Replayed = (Arc<dyn Resumable>, Arc<Plan>);

/// A place for a lane: its deque, which others steal from.
struct Seat {
    deque: Mutex<Worker<u32>, rank::Seat>,
    stealer: Stealer<u32>,
}

impl Seat {
    /// The seat's deque, if nobody sits there.
    fn take(&self) -> Option<MutexGuard<'_, Worker<u32>>> {
        self.deque.try_lock()
    }
}

impl Spread {
    pub(crate) fn new(shape: &Arc<Shape>) -> Spread {
        // Every lane may be here, and a caller that synchronises as well.
        let seats = (0..=lanes().count).map(|_| {
            let deque = Worker::new_lifo();
            Seat { stealer: deque.stealer(), deque: Mutex::new(deque) }
        });
        Spread {
            shape: Arc::clone(shape),
            missing: shape.segments().iter().map(|_| AtomicU32::new(0)).collect(),
            remaining: CachePadded::new(AtomicU32::new(0)),
            seats: seats.collect(),
            present: AtomicUsize::new(0),
            arrivals: Injector::new(),
            after_waits: Mutex::default(),
            given_up: AtomicBool::new(false),
            starter: AtomicU8::new(THROUGH),
            of: Mutex::new(None),
            lonely: AtomicBool::new(false),
            measured: Measured::default(),
            traced: SharedReplay::default(),
        }
    }

    /// Returns whether the nodes are too short for help while the lane that started the replay goes on with it.
    fn is_lonely(&self) -> bool {
        self.lonely.load(Ordering::Relaxed) && self.starter.load(Ordering::Relaxed) == ATTACHED
    }

    fn has_room(&self) -> bool {
        self.present.load(Ordering::Relaxed) < lanes().count
    }

    /// Mean time per node of the last replay.
    pub(crate) fn node_ns(&self) -> Option<u64> {
        self.measured.busy_ns.load(Ordering::Relaxed).checked_div(self.measured.nodes_run.load(Ordering::Relaxed))
    }

    /// Starts a replay of a plan, from step number `from` on if earlier steps were walked already, and works on it, until there has been
    /// nothing to take for as long as `patience`.
    pub(crate) fn run(
        self: &Arc<Self>,
        stream: &Arc<impl Resumable + 'static>,
        plan: &Arc<Plan>,
        from: Option<u32>,
        patience: Duration,
    ) -> Progress {
        let segments = self.shape.segments();
        let begun = from.map_or(0, |step| self.shape.segment_of(step));
        let begun_midway = from.filter(|&step| step > segments[begun as usize].steps.start);
        for (missing, segment) in self.missing.iter().zip(segments).skip(begun as usize) {
            missing.store(segment.indegree, Ordering::Relaxed);
        }
        for segment in &segments[..begun as usize] {
            for &next in self.shape.successors(segment) {
                if next >= begun {
                    self.missing[next as usize].fetch_sub(1, Ordering::Relaxed);
                }
            }
        }
        // There is a seat more than there are lanes, so one is always free, if not at every glance.
        let seat = loop {
            if let Some(seat) = self.seats.iter().find_map(Seat::take) {
                break seat;
            }
            std::hint::spin_loop();
        };
        self.lonely.store(false, Ordering::Relaxed);
        self.given_up.store(false, Ordering::Relaxed);
        self.measured.busy_ns.store(0, Ordering::Relaxed);
        self.measured.nodes_run.store(0, Ordering::Relaxed);
        self.traced.take_from_thread();
        *lock_soon(&self.of) = Some((Arc::clone(stream) as _, Arc::clone(plan)));
        self.starter.store(ATTACHED, Ordering::Relaxed);
        let first_unbegun = begun + u32::from(begun_midway.is_some());
        let ready = || {
            let is_ready = |segment: &u32| self.missing[*segment as usize].load(Ordering::Relaxed) == 0;
            (first_unbegun..segments.len() as u32).rev().filter(is_ready)
        };
        if self.shape.waits() {
            stream.activity().begin(ready().count() as u32);
        }
        self.remaining.store(segments.len() as u32 - begun, Ordering::Release);
        // Offered before there is anything to take: a lane that is late to leave the last replay may take it all
        // at once, and whoever ends a replay withdraws its offer.
        let offer: Arc<dyn Helpable> = Arc::clone(self) as _;
        lanes().offer(&offer);
        ready().for_each(|segment| seat.push(segment));
        // Counted first: this thread takes the place of a lane.
        self.present.fetch_add(1, Ordering::Relaxed);
        lanes().call_helpers(&**self);
        let mut lane = Lane::new(self, &seat, Some(patience));
        if let Some(step) = begun_midway {
            lane.run_segment(begun, Some(step));
        }
        lane.work(|| self.starter.load(Ordering::Acquire) == THROUGH);
        self.present.fetch_sub(1, Ordering::Relaxed);
        drop(seat);
        if self.starter.load(Ordering::Acquire) == THROUGH {
            return Progress::Done;
        }
        stream.park();
        if self.shape.waits() {
            stream.activity().rest();
        }
        if self.starter.compare_exchange(ATTACHED, DETACHED, Ordering::AcqRel, Ordering::Acquire).is_ok() {
            // Lanes that looked while this one was here may have seen no room, or a replay that wants no help,
            // and a caller that synchronises does not come back to look.
            fence(Ordering::SeqCst);
            if self.wants_help() {
                lanes().call_one();
            }
            return Progress::Parked;
        }
        if self.shape.waits() {
            stream.activity().wake();
        }
        stream.unpark();
        Progress::Done
    }

    /// Counts segments as ended; the last one ends the replay. `leaves` where the thread is a lane that looks for other work
    /// once the replay has ended.
    fn report(self: &Arc<Self>, ended: u32, leaves: bool) {
        if ended == 0 {
            return;
        }
        // Looked at before: the next replay may be of another stream.
        let counted = self.shape.waits().then(|| self.stream()).flatten();
        if self.remaining.fetch_sub(ended, Ordering::AcqRel) == ended {
            let offer: Arc<dyn Helpable> = Arc::clone(self) as _;
            lanes().withdraw(&offer);
            let of = lock_soon(&self.of).take();
            // Before the stream goes on, as whoever waits for it may edit the exec. The launch has the plan still.
            let stream = of.map(|(stream, _)| stream);
            if self.starter.swap(THROUGH, Ordering::AcqRel) == DETACHED {
                if let Some(stream) = &counted {
                    stream.activity().wake();
                }
                match (stream, leaves) {
                    (Some(stream), true) => stream.resume_on_this_lane(),
                    (Some(stream), false) => stream.resume(),
                    (None, _) => {}
                }
            }
        }
        if let Some(stream) = counted {
            stream.activity().end(ended);
        }
    }

    /// The stream whose replay goes on.
    fn stream(&self) -> Option<Arc<dyn Resumable>> {
        lock_soon(&self.of).as_ref().map(|(stream, _)| Arc::clone(stream))
    }

    /// The replay that goes on.
    fn of(&self) -> Option<Replayed> {
        lock_soon(&self.of).clone()
    }

    /// A loop was abandoned: nothing more of the replay is run, nor of the stream.
    #[cold]
    fn give_up(&self) {
        self.given_up.store(true, Ordering::Relaxed);
        if let Some(stream) = self.stream() {
            stream.cancellation().cancel();
        }
    }

    /// One of those that segment number `next` depends on has ended; whether it was the last.
    fn count_down(&self, next: u32) -> bool {
        let is_ready = self.missing[next as usize].fetch_sub(1, Ordering::AcqRel) == 1;
        if is_ready && self.shape.waits() {
            if let Some((stream, _)) = &*lock(&self.of) {
                stream.activity().begin(1);
            }
        }
        is_ready
    }

    /// Calls a host function of the replay, in a trace.
    #[cold]
    fn call_in_trace(&self, function: &HostFunction, step: u32) -> Option<Box<str>> {
        let _traced = self.traced.on_thread();
        let mut steps = trace::Steps::default();
        steps.begin(0, step, true);
        let failed = function.call();
        steps.end();
        failed
    }

    /// Hands a host function to a thread that may block; the segment ends when the function has returned.
    fn call_out(self: &Arc<Self>, segment: u32, context: Arc<ContextState>, plan: Arc<Plan>) {
        let spread = Arc::clone(self);
        callbacks::run(Box::new(move || {
            let segment = &spread.shape.segments()[segment as usize];
            // The segment must end even if a Rust caller's function panics.
            let _ended = graphcap_base::defer(|| {
                for &next in spread.shape.successors(segment) {
                    if spread.count_down(next) {
                        spread.arrivals.push(next);
                    }
                }
                lanes().call_one();
                spread.report(1, false);
            });
            // Goes before the report.
            let plan = plan;
            if context.error().is_none() && !spread.given_up.load(Ordering::Relaxed) {
                if let Some(function) = plan.host_function(segment) {
                    let _runs = guard::is_on().then(|| plan.notes(segment.steps.start));
                    let failed = match trace::is_on() {
                        false => function.call(),
                        true => spread.call_in_trace(function, segment.steps.start),
                    };
                    if let Some(reason) = failed {
                        context.fault(plan.tell_place(segment.steps.start, function_failed(&reason)));
                    }
                }
            }
        }));
    }

    /// Does the value operations of a segment until one of them has to wait; that resumes the segment later. Whether
    /// they were all done.
    fn do_values(self: &Arc<Self>, plan: &Plan, number: u32) -> bool {
        // The replay goes on as long as this segment does. The lane may have come for an earlier one.
        let Some(stream) = self.stream() else { return true };
        let segment = &self.shape.segments()[number as usize];
        let operations = plan.values(segment);
        let mut next = lock(&self.after_waits).remove(&number).unwrap_or(0);
        loop {
            // Also after the last one, which may have been given up.
            if stream.skips_work() {
                self.given_up.store(true, Ordering::Relaxed);
                return true;
            }
            let Some(operation) = operations.get(next) else { return true };
            next += 1;
            match values::begin(operation) {
                Ok(None) => {}
                Ok(Some(wait)) => {
                    lock(&self.after_waits).insert(number, next);
                    if wait.resumes(self.waiter(&stream, number)) {
                        return false;
                    }
                    lock(&self.after_waits).remove(&number);
                }
                Err(error) => stream.context().fault(plan.tell_place(segment.steps.start, error)),
            }
        }
    }

    /// Returns whether what a segment waits for was reached; else that resumes the segment later.
    fn has_come(self: &Arc<Self>, plan: &Plan, number: u32) -> bool {
        let Some(stream) = self.stream() else { return true };
        let awaited = plan.awaited(&self.shape.segments()[number as usize]);
        awaited.is_none_or(|point| !point.resumes(self.waiter(&stream, number)))
    }

    fn waiter(self: &Arc<Self>, stream: &Arc<dyn Resumable>, segment: u32) -> Waiter {
        Waiter::segment(Arc::clone(stream), Arc::clone(self) as _, segment)
    }

    fn steal(&self, deque: &Worker<u32>) -> Option<u32> {
        loop {
            let mut retry = false;
            for stolen in once(self.arrivals.steal_batch_and_pop(deque))
                .chain(self.seats.iter().map(|seat| seat.stealer.steal_batch_and_pop(deque)))
            {
                match stolen {
                    Steal::Success(segment) => return Some(segment),
                    Steal::Retry => retry = true,
                    Steal::Empty => {}
                }
            }
            if !retry {
                return None;
            }
        }
    }
}

impl Segments for Spread {
    fn resume_segment(&self, number: u32) {
        self.arrivals.push(number);
        lanes().call_one();
    }
}

impl Helpable for Spread {
    fn wants_help(&self) -> bool {
        let has_some = || !self.arrivals.is_empty() || self.seats.iter().any(|seat| !seat.stealer.is_empty());
        // What costs the least comes first: all idle lanes ask.
        self.has_room() && self.remaining.load(Ordering::Relaxed) > 0 && !self.is_lonely() && has_some()
    }

    fn helpers_wanted(&self) -> usize {
        let room = lanes().count.saturating_sub(self.present.load(Ordering::Relaxed));
        if room == 0 || self.is_lonely() {
            return 0;
        }
        let mut segments = self.arrivals.len();
        for seat in &self.seats {
            if segments >= room {
                return room;
            }
            segments += seat.stealer.len();
        }
        segments.min(room)
    }

    fn lanes_present(&self) -> usize {
        self.present.load(Ordering::Relaxed)
    }

    fn help(self: Arc<Self>) {
        let more = |present| (present < lanes().count).then_some(present + 1);
        if self.present.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_err() {
            return;
        }
        if let Some(seat) = self.seats.iter().find_map(Seat::take) {
            Lane::new(&self, &seat, None).work(|| self.remaining.load(Ordering::Acquire) == 0);
        }
        self.present.fetch_sub(1, Ordering::Relaxed);
    }
}

/// One lane at work on a spread replay.
struct Lane<'a> {
    spread: &'a Arc<Spread>,
    /// The context of the replay's stream, and the plan. Had from the first segment on until the lane reports: the replay goes on so long,
    /// and what edits exchange goes with the last launch that has it, on no lane.
    of: Option<(Arc<ContextState>, Arc<Plan>)>,
    deque: &'a Worker<u32>,
    starts: bool,
    patience: Duration,
    /// A segment made ready by the one before it, to go on with.
    next: Option<u32>,
    ended: u32,
    nodes: u64,
    /// Number of times that it has looked whether it is needed elsewhere.
    looks: u32,
    since: Instant,
}

impl<'a> Lane<'a> {
    /// `starter` is how long the lane looks for more that has started the replay; `None` for one that helps.
    fn new(spread: &'a Arc<Spread>, deque: &'a Worker<u32>, starter: Option<Duration>) -> Self {
        let (starts, patience) = (starter.is_some(), starter.unwrap_or(STEAL_TIME));
        Lane {
            spread,
            of: None,
            deque,
            starts,
            patience,
            next: None,
            ended: 0,
            nodes: 0,
            looks: 0,
            since: Instant::now(),
        }
    }

    /// Runs segments until there are none to be had for a while, or `over` says so.
    fn work(&mut self, over: impl Fn() -> bool) {
        loop {
            while let Some(segment) = self.next.take().or_else(|| self.deque.pop()) {
                self.run_segment(segment, None);
                if !self.starts && (self.spread.is_lonely() || self.is_needed_elsewhere()) {
                    // What is left in the deque is there for the lane that stays.
                    if let Some(segment) = self.next.take() {
                        self.deque.push(segment);
                    }
                    self.report();
                    return;
                }
            }
            if let Some(segment) = self.spread.steal(self.deque) {
                self.run_segment(segment, None);
                continue;
            }
            self.report();
            let idle_since = Instant::now();
            loop {
                if over() {
                    return;
                }
                for _ in 0..32 {
                    std::hint::spin_loop();
                }
                if let Some(segment) = self.spread.steal(self.deque) {
                    self.since = Instant::now();
                    self.run_segment(segment, None);
                    break;
                }
                let idle = idle_since.elapsed();
                if idle >= self.patience {
                    return;
                }
                if idle >= STEAL_TIME {
                    std::thread::yield_now();
                }
            }
        }
    }

    /// Reports the segments that it has run, of a replay that may be over then.
    fn report(&mut self) {
        self.note_time();
        self.of = None;
        self.spread.report(std::mem::take(&mut self.ended), !self.starts);
    }

    /// Returns whether other work has more need of this lane than this replay, on which another lane stays.
    fn is_needed_elsewhere(&mut self) -> bool {
        self.looks = self.looks.wrapping_add(1);
        let present = self.spread.present.load(Ordering::Relaxed);
        present > 1 && lanes().need_helper_elsewhere(present, self.looks.is_multiple_of(SEGMENTS_BETWEEN_LOOKS))
    }

    fn run_segment(&mut self, number: u32, from: Option<u32>) {
        // The replay goes on as long as this segment does, so its stream is the one that is there.
        let own = || self.spread.of().map(|(stream, plan)| (Arc::clone(stream.context()), plan));
        let Some((context, plan)) = self.of.take().or_else(own) else { return };
        let shape = &*self.spread.shape;
        let segment = &shape.segments()[number as usize];
        // Whoever goes on with a segment that is left may end the replay, so the lane keeps no plan then.
        match segment.kind {
            SegmentKind::Host => return self.spread.call_out(number, context, plan),
            SegmentKind::Values if !self.spread.do_values(&plan, number) => return,
            SegmentKind::Event if !self.spread.has_come(&plan, number) => return,
            SegmentKind::Values | SegmentKind::Event | SegmentKind::Steps => {}
        }
        let steps = from.unwrap_or(segment.steps.start)..segment.steps.end;
        self.nodes += u64::from(steps.end - steps.start);
        // After a fault the rest is counted down unrun: the context is lost anyway.
        let is_run = !self.spread.given_up.load(Ordering::Relaxed) && context.error().is_none();
        if segment.kind == SegmentKind::Steps && is_run {
            let _traced = self.spread.traced.on_thread();
            match plan.run(steps.clone(), &context.loops) {
                Ok(Ran::Through) => {}
                Ok(Ran::Abandoned) => {
                    self.spread.give_up();
                    plan.skip(steps);
                }
                Err(error) => {
                    context.fault(error);
                    plan.skip(steps);
                }
            }
        } else if segment.kind == SegmentKind::Steps {
            plan.skip(steps);
        }
        let mut shared = false;
        for &next in shape.successors(segment) {
            if self.spread.count_down(next) {
                if self.next.is_none() {
                    self.next = Some(next);
                } else {
                    self.deque.push(next);
                    shared = true;
                }
            }
        }
        self.ended += 1;
        self.of = Some((context, plan));
        if shared && self.spread.has_room() && lanes().has_idle() {
            lanes().call_one();
        }
        if self.nodes >= 4 * u64::from(STRIDE) {
            self.note_time();
        }
    }

    /// Adds this lane's nodes and time to the replay's, and tells helpers to leave where nodes are short.
    fn note_time(&mut self) {
        let now = Instant::now();
        let busy = (now - self.since).as_nanos() as u64;
        self.since = now;
        if self.nodes == 0 {
            return;
        }
        if self.nodes >= u64::from(STRIDE) && busy < SHORT_NODE_NS * self.nodes {
            self.spread.lonely.store(true, Ordering::Relaxed);
        }
        self.spread.measured.busy_ns.fetch_add(busy, Ordering::Relaxed);
        self.spread.measured.nodes_run.fetch_add(std::mem::take(&mut self.nodes), Ordering::Relaxed);
    }
}
