//! Streams of the host device: queues whose work runs in order, each on at most one lane at a time.
//!
//! A stream that must wait is *parked*: it keeps its place in its work and costs no lane until it is resumed.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Instant;

use crossbeam_utils::CachePadded;

use super::activity::Activity;
use super::completion::{spin_until, Completion};
use super::context_state::ContextState;
use super::lanes::{lanes, Runnable};
use super::resumable::{Cancellation, Resumable};
use super::stream_attributes::Attributes;
use crate::capture::Member;
use crate::exec::event_nodes::Bound;
use crate::exec::Exec;
use crate::graph::Action;
use crate::memory;
use crate::memory::guard;
use graphcap_base::lock::{lock, lock_last, rank, Condvar, Mutex, MutexGuard};
use graphcap_driver::callbacks;
use graphcap_driver::Submissions;
use graphcap_observe::trace;

/// Order of blocking streams after the legacy stream.
#[derive(Default)]
struct LegacyOrder {
    /// Grows with each submission to the legacy stream. Changed only while the queues of all blocking
    /// streams are locked.
    epoch: AtomicU64,
    tail: Mutex<Option<Arc<Completion>>, rank::LegacyTail>,
}

/// One thing that a stream does.
pub(crate) enum Op {
    Run(Action),
    Record(Arc<Completion>),
    Wait(Arc<Completion>),
    /// `count` replays in a row, the first with turn `turn`.
    Launch {
        exec: Arc<Exec>,
        turn: u64,
        count: u64,
        /// Meaning of its event nodes in this launch; such launches are not put together.
        events: Option<Bound>,
    },
    /// Gives memory back that the stream has used, by dropping it.
    Release(#[allow(dead_code, reason = "held to be dropped")] Arc<memory::Release>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Nothing to run.
    Idle,
    /// CompletionWaits for a lane.
    Queued,
    /// A lane runs it.
    Running,
    /// CompletionWaits for something else than a lane; whoever ends that wait resumes it.
    Parked,
}

/// Those who wait for completions of a stream.
#[derive(Default)]
pub(super) struct Waiters {
    /// Number of threads that sleep.
    pub(super) sleepers: usize,
    /// The completions after which a function is called, once.
    pub(super) told: Option<(u64, Arc<dyn Fn() + Send + Sync>)>,
}

/// CompletionWaits for completions of a stream.
pub(super) struct CompletionWaits {
    /// The fewest completions that somebody is to be told of; `u64::MAX` when nobody is. Changed under the lock only.
    pub(super) awaited: AtomicU64,
    pub(super) waiting: Mutex<Waiters, rank::StreamWaiting>,
    pub(super) progress: Condvar,
}

/// A stream.
pub(crate) struct Stream {
    pub(crate) context: Arc<ContextState>,
    /// Tells whether the stream orders against the legacy stream.
    pub(crate) blocking: bool,
    /// Tells whether it is the legacy stream.
    pub(crate) is_legacy: bool,
    /// Shared by the streams of the context.
    legacy_order: Arc<LegacyOrder>,
    /// The number that traces know it by; 0 for default streams.
    pub(crate) number: AtomicU32,
    /// Attributes that it was given, for whoever asks.
    pub(crate) attributes: Mutex<Attributes, rank::StreamAttributes>,
    queue: CachePadded<Mutex<Queue, rank::Queue>>,
    /// Work that the running lane has taken from the queue. Locked by that lane only.
    pub(super) batch: CachePadded<Mutex<Batch, rank::Batch>>,
    pub(super) completed: AtomicU64,
    /// The first submission that completed when the context had faulted; `u64::MAX` where none has.
    pub(super) lost: AtomicU64,
    /// Tells whether anything of it goes on without others.
    pub(crate) activity: Activity,
    /// Tells whether its waits and loops were cancelled.
    pub(crate) cancellation: Cancellation,
    pub(super) waits: CompletionWaits,
}

/// The end of the stream that callers see.
pub(crate) struct Queue {
    pub(super) ops: VecDeque<Op>,
    submitted: u64,
    pub(super) state: State,
    /// Tells whether the stream is in the lanes' list, where it may also stand after a caller has run it.
    listed: bool,
    legacy_epoch: u64,
    /// The capture that the stream is part of.
    pub(crate) member: Option<Member>,
}

/// The end of the stream that its lane sees.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) ops: VecDeque<Op>,
    /// Tells whether the launch that comes first was begun, and the stream parked until it is through.
    pub(super) begun: bool,
    /// Number of value operations of the first op that were begun; the last of these may have parked the stream.
    pub(super) values_begun: usize,
    /// Tells whether the op that came first is in the hands of another thread, and the stream parked until it is done.
    pub(super) called_out: bool,
}

impl Stream {
    /// The legacy stream of a context.
    pub(crate) fn legacy(context: &Arc<ContextState>) -> Arc<Stream> {
        Stream::new(context, false, true, Arc::default())
    }

    /// Another stream of the context of this one.
    pub(crate) fn sibling(&self, blocking: bool) -> Arc<Stream> {
        Stream::new(&self.context, blocking, false, Arc::clone(&self.legacy_order))
    }

    fn new(
        context: &Arc<ContextState>,
        blocking: bool,
        is_legacy: bool,
        legacy_order: Arc<LegacyOrder>,
    ) -> Arc<Stream> {
        Arc::new(Stream {
            context: Arc::clone(context),
            blocking,
            is_legacy,
            legacy_order,
            number: AtomicU32::new(0),
            attributes: Mutex::default(),
            queue: CachePadded::new(Mutex::new(Queue {
                ops: VecDeque::new(),
                submitted: 0,
                state: State::Idle,
                listed: false,
                legacy_epoch: 0,
                member: None,
            })),
            batch: CachePadded::default(),
            completed: AtomicU64::new(0),
            lost: AtomicU64::new(u64::MAX),
            activity: Activity::new(),
            cancellation: Cancellation::default(),
            waits: CompletionWaits {
                awaited: AtomicU64::new(u64::MAX),
                waiting: Mutex::default(),
                progress: Condvar::new(),
            },
        })
    }

    /// Locks the end that callers see.
    #[inline]
    pub(crate) fn lock(&self) -> MutexGuard<'_, Queue> {
        // Of several queues that are locked together the legacy stream's is the last.
        match cfg!(debug_assertions) && self.is_legacy {
            true => lock_last(&self.queue),
            false => lock(&self.queue),
        }
    }

    /// Queues `op` behind all earlier ones, and behind the legacy stream's work if the stream is blocking.
    pub(crate) fn submit(self: &Arc<Self>, mut queue: MutexGuard<'_, Queue>, op: Op) {
        self.order_after_legacy(&mut queue);
        queue.push(op);
        self.activate(queue);
    }

    /// Queues a launch of `exec`, whose turn was taken with the queue locked. Launches in a row become one op, which is
    /// what keeps them cheap. Those of two versions of an exec are never put together.
    pub(crate) fn submit_launch(
        self: &Arc<Self>,
        mut queue: MutexGuard<'_, Queue>,
        exec: &Arc<Exec>,
        turn: u64,
        events: Option<Bound>,
    ) {
        self.order_after_legacy(&mut queue);
        match queue.ops.back_mut() {
            Some(Op::Launch { exec: last, turn: first, count, events: None })
                if Arc::ptr_eq(last, exec) && *first + *count == turn =>
            {
                *count += 1;
                queue.submitted += 1;
            }
            _ => queue.push(Op::Launch { exec: Arc::clone(exec), turn, count: 1, events }),
        }
        self.activate(queue);
    }

    /// Queues `op` on the legacy stream: after all work of the blocking streams, and before what they get next.
    /// `op` is made while the queue is locked. Where it makes nothing, nothing is queued, and the answer is false.
    pub(crate) fn submit_to_legacy(
        self: &Arc<Self>,
        blocking: &mut [Arc<Stream>],
        op: impl FnOnce() -> Option<Op>,
    ) -> bool {
        // All queues are locked at once, in one order, so that no other thread's work falls between.
        blocking.sort_by_key(Arc::as_ptr);
        let mut queues: Vec<_> = blocking.iter().map(|stream| stream.lock()).collect();
        let mut legacy = self.lock();
        let Some(op) = op() else { return false };
        for (stream, queue) in blocking.iter().zip(&mut queues) {
            if queue.submitted > stream.completed.load(Ordering::Acquire) {
                let reached = Arc::new(Completion::default());
                queue.push(Op::Record(Arc::clone(&reached)));
                legacy.push(Op::Wait(reached));
            }
        }
        let tail = Arc::new(Completion::default());
        legacy.push(op);
        legacy.push(Op::Record(Arc::clone(&tail)));
        *lock(&self.legacy_order.tail) = Some(tail);
        self.legacy_order.epoch.fetch_add(1, Ordering::Release);
        for (stream, queue) in blocking.iter().zip(queues) {
            stream.activate(queue);
        }
        self.activate(legacy);
        true
    }

    fn order_after_legacy(&self, queue: &mut Queue) {
        if !self.blocking {
            return;
        }
        let order = &self.legacy_order;
        let epoch = order.epoch.load(Ordering::Acquire);
        if queue.legacy_epoch != epoch {
            queue.legacy_epoch = epoch;
            if let Some(tail) = lock(&order.tail).as_ref().filter(|tail| !tail.is_reached()) {
                queue.push(Op::Wait(Arc::clone(tail)));
            }
        }
    }

    /// Hands a stream that has become busy to the lanes.
    fn activate(self: &Arc<Self>, mut queue: MutexGuard<'_, Queue>) {
        if trace::is_on() {
            self.trace_depth(queue.submitted);
        }
        if queue.state != State::Idle || queue.ops.is_empty() {
            return;
        }
        queue.state = State::Queued;
        if !std::mem::replace(&mut queue.listed, true) {
            drop(queue);
            lanes().push_launched(Arc::clone(self) as _);
        }
    }

    /// Writes how much of what was `submitted` has not completed into the trace that goes on.
    #[cold]
    fn trace_depth(&self, submitted: u64) {
        let depth = submitted.saturating_sub(self.completed.load(Ordering::Acquire));
        trace::counter(trace::name("queued"), self.number_in_trace(), depth);
    }

    /// A parked stream is queued again; whether it must be entered into the lanes' list.
    pub(super) fn becomes_listed(&self) -> bool {
        let mut queue = self.lock();
        debug_assert_eq!(queue.state, State::Parked);
        queue.state = State::Queued;
        !std::mem::replace(&mut queue.listed, true)
    }

    /// Returns how much was submitted so far.
    pub(crate) fn submitted(&self) -> u64 {
        self.lock().submitted
    }

    /// Returns whether the first `submitted` submissions have completed.
    #[inline]
    pub(crate) fn has_completed(&self, submitted: u64) -> bool {
        self.completed.load(Ordering::Acquire) >= submitted
    }

    /// Returns whether all that was submitted has completed.
    pub(crate) fn is_complete(&self) -> bool {
        self.has_completed(self.submitted())
    }

    /// CompletionWaits until the first `submitted` submissions have completed, and helps with them.
    pub(crate) fn wait(self: &Arc<Self>, submitted: u64) {
        self.help(submitted);
        self.wait_until(submitted, None);
    }

    /// Runs the first `submitted` submissions on the calling thread where no lane has begun with them, as far as they wait
    /// for nothing else: that is sooner than waking a lane. One whose stack is too small for kernels leaves it to the lanes.
    pub(crate) fn help(self: &Arc<Self>, submitted: u64) {
        // The stack is asked about where no lock is held: the first question of a thread asks the system.
        if self.has_completed(submitted) || !graphcap_environment::has_room_for_kernels() {
            return;
        }
        let mut queue = self.lock();
        if queue.state == State::Queued {
            queue.state = State::Running;
            drop(queue);
            let _inside = callbacks::enter_work();
            let _floats = graphcap_driver::enter_default_floats();
            self.run(submitted);
        }
    }

    /// Waits until then, but no longer than until `deadline`; whether they have completed. Runs nothing itself: that could
    /// take longer.
    pub(crate) fn wait_until(&self, submitted: u64, deadline: Option<Instant>) -> bool {
        if spin_until(|| self.has_completed(submitted)) {
            return true;
        }
        while !self.has_completed(submitted) {
            let mut waiting = lock(&self.waits.waiting);
            loop {
                self.waits.awaited.fetch_min(submitted, Ordering::SeqCst);
                if self.completed.load(Ordering::SeqCst) >= submitted {
                    break;
                }
                if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                    return false;
                }
                waiting.sleepers += 1;
                waiting = self.waits.progress.wait_until(waiting, deadline);
                waiting.sleepers -= 1;
            }
        }
        true
    }
}

impl Resumable for Stream {
    #[inline]
    fn context(&self) -> &Arc<ContextState> {
        &self.context
    }

    #[inline]
    fn activity(&self) -> &Activity {
        &self.activity
    }

    fn number_in_trace(&self) -> u32 {
        self.number.load(Ordering::Relaxed)
    }

    #[inline]
    fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    fn has_completed(&self, submitted: u64) -> bool {
        Stream::has_completed(self, submitted)
    }

    fn park(&self) {
        self.lock().state = State::Parked;
    }

    fn unpark(&self) {
        self.lock().state = State::Running;
    }

    fn resume(self: Arc<Self>) {
        if self.becomes_listed() {
            lanes().push(self);
        }
    }

    fn resume_on_this_lane(self: Arc<Self>) {
        if self.becomes_listed() {
            lanes().push_for_this_lane(self);
        }
    }
}

impl Submissions for Stream {
    fn submitted(&self) -> u64 {
        Stream::submitted(self)
    }

    fn completed(&self) -> u64 {
        self.completed.load(Ordering::Acquire)
    }

    fn completed_before_fault(&self) -> u64 {
        let completed = self.completed.load(Ordering::Acquire);
        completed.min(self.lost.load(Ordering::Relaxed).saturating_sub(1))
    }

    fn help(self: Arc<Self>, submitted: u64) {
        Stream::help(&self, submitted);
        guard::check_all();
    }

    fn tell_at(&self, submitted: u64, tell: &Arc<dyn Fn() + Send + Sync>) -> bool {
        let mut waiting = lock(&self.waits.waiting);
        self.waits.awaited.fetch_min(submitted, Ordering::SeqCst);
        if self.completed.load(Ordering::SeqCst) >= submitted {
            return false;
        }
        let before = waiting.told.replace((submitted, Arc::clone(tell)));
        drop(waiting);
        drop(before);
        true
    }
}

impl Runnable for Stream {
    fn run_if_queued(self: Arc<Self>) {
        let mut queue = self.lock();
        queue.listed = false;
        if queue.state == State::Queued {
            queue.state = State::Running;
            drop(queue);
            self.run(u64::MAX);
        }
    }
}

impl Queue {
    fn push(&mut self, op: Op) {
        self.submitted += 1;
        if let Op::Record(point) = &op {
            point.submitted_as(self.submitted);
        }
        self.ops.push_back(op);
    }
}
