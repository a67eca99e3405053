//! The black box of captures: which call broke one, told with every later failure of that capture. Here is how captures go,
//! and which are open; `blame.rs` finds out who broke one.
//!
//! While a capture goes on, recordings leave a note of two numbers in its [`CaptureLog`]. Only when a call fails as breaking, or
//! meeting, a broken capture does is anything looked for: the driver is asked which open captures are broken by now.
//! Those that no call is known to have broken yet were broken by this one, as far as the rules allow, or from outside.

mod blame;
mod looking;

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use smallvec::{smallvec, SmallVec};

pub(crate) use self::blame::{concerns, failed, failed_in, failed_on, About};
pub use self::blame::{examine, recording_failed, Call};
pub use self::looking::await_examiners;
use self::looking::begin_look;
pub(crate) use self::looking::let_go;
use super::checks::Checks;
use super::runs::Runs;
use super::runs::{Clock, Counters, TOLD_APART};
use super::strict_log::{self, StrictLog};
use super::violation::{names_of, NAMED};
use crate::objects::name::label;
use crate::state::{CaptureLog, CaptureState, Context, Member, Record, Stream, StreamInner, WeakContext};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::thread::{this_thread, ThreadNumber};
use graphcap_driver::rules::{self, CaptureMode, Ongoing};
use graphcap_driver::thread_end::end_with_this_thread;
use graphcap_driver::{mode, CaptureInfo, CaptureStatus, GraphId, StreamId};
use graphcap_observe::format::{Entry, Kind};
use graphcap_observe::{clock, trace};

/// Operation that a stream was asked for, as far as captures tell it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Operation {
    Begin,
    KernelLaunch,
    MemcpyToDevice,
    MemcpyToHost,
    MemcpyOnDevice,
    Memset,
    HostFunction,
    EventRecord,
    EventWait,
    ExternalRecord,
    WriteValue32,
    WriteValue64,
    WaitValue32,
    WaitValue64,
    BatchMemOp,
    Memcpy,
    MemsetRows,
    MemcpyPeer,
    Free,
    Library,
    MemcpyBatch,
}

/// In place of an operation: graphcap did not see the capture begin.
const UNSEEN: u8 = u8::MAX;
/// In place of an operation: the latest call that was to record into a strict capture failed. The next one that works stores itself
/// here, as ever.
const FAILED: u8 = u8::MAX - 1;

impl Operation {
    const ALL: [(Operation, &'static str); 21] = [
        (Operation::Begin, "gc_stream_begin_capture"),
        (Operation::KernelLaunch, "gc_stream_launch_kernel"),
        (Operation::MemcpyToDevice, "gc_stream_memcpy_htod"),
        (Operation::MemcpyToHost, "gc_stream_memcpy_dtoh"),
        (Operation::MemcpyOnDevice, "gc_stream_memcpy_dtod"),
        (Operation::Memset, "gc_stream_memset"),
        (Operation::HostFunction, "gc_stream_launch_host_func"),
        (Operation::EventRecord, "gc_event_record"),
        (Operation::EventWait, "gc_stream_wait_event"),
        (Operation::ExternalRecord, "gc_event_record"),
        (Operation::WriteValue32, "gc_stream_write_value32"),
        (Operation::WriteValue64, "gc_stream_write_value64"),
        (Operation::WaitValue32, "gc_stream_wait_value32"),
        (Operation::WaitValue64, "gc_stream_wait_value64"),
        (Operation::BatchMemOp, "gc_stream_batch_mem_op"),
        (Operation::Memcpy, "gc_stream_memcpy"),
        (Operation::MemsetRows, "gc_stream_memset_2d"),
        (Operation::MemcpyPeer, "gc_stream_memcpy_peer"),
        (Operation::Free, "gc_stream_mem_free"),
        (Operation::Library, "gc_script_submit"),
        (Operation::MemcpyBatch, "gc_stream_memcpy_batch"),
    ];

    /// The call of graphcap.h that submits such work.
    pub(crate) fn name(self) -> &'static str {
        Self::name_of(self as u8)
    }

    fn name_of(number: u8) -> &'static str {
        Self::ALL.iter().find(|(operation, _)| *operation as u8 == number).map_or("its begin", |(_, name)| name)
    }
}

/// The captures that go on, as far as is known.
static GOING_ON: Mutex<Vec<Arc<Record>>, rank::GoingOn> = Mutex::new(Vec::new());
/// Tells whether there are such, so that a failing call need not look.
static ANY_OPEN: AtomicBool = AtomicBool::new(false);

impl CaptureLog {
    /// Of a capture that others began, met on `stream`.
    pub(crate) fn of_others(stream: &Stream) -> Arc<CaptureLog> {
        // What is wrong in the environment the begin of a capture of graphcap's tells.
        CaptureLog::new(stream, None, Checks::default().with_environment().unwrap_or_default())
    }

    /// Of a capture that is about to begin on `stream` with `checks`, and is strict also if the stream's context is.
    pub(crate) fn new(stream: &Stream, mode: Option<CaptureMode>, checks: Checks) -> Arc<CaptureLog> {
        let thread = (stream.id() == StreamId::PER_THREAD).then(this_thread);
        let origin = Member { stream: stream.number(), thread, name: None, forked_by: None, joined: Clock::new() };
        Arc::new(CaptureLog {
            origin: stream.downgrade(),
            family: stream.context().family(),
            mode,
            thread: this_thread(),
            began: Instant::now(),
            ends_with_thread: thread.is_some(),
            strict: (checks.strict || stream.context().is_strict()).then(StrictLog::default),
            capture: AtomicU64::new(0),
            log_position: stream.driver().ok().and_then(|driver| driver.log_position()),
            latest: AtomicU8::new(if mode.is_some() { Operation::Begin as u8 } else { UNSEEN }),
            is_listed: AtomicBool::new(false),
            violation: Mutex::new(None),
            suspected: Mutex::new(None),
            state: CaptureState {
                notes_memory: checks.notes_memory,
                recorded: Counters::new(),
                put: AtomicU32::new(0),
                miscounted: AtomicBool::new(false),
                runs: Runs::new(),
                reuse: OnceLock::new(),
                members: Mutex::new(smallvec![origin]),
                others: Mutex::default(),
                unseen: AtomicBool::new(mode.is_none()),
                is_of_others: AtomicBool::new(mode.is_none()),
                target: AtomicU64::new(0),
            },
        })
    }

    /// The driver's number of the capture became known.
    pub(crate) fn numbered(&self, capture: u64) {
        self.capture.store(capture, Ordering::Release);
    }

    /// The driver's number of the capture; 0 while it is not known.
    #[inline]
    pub(crate) fn number(&self) -> u64 {
        self.capture.load(Ordering::Acquire)
    }

    /// Returns whether the driver numbers the capture so.
    #[inline]
    pub(crate) fn is_of(&self, capture: u64) -> bool {
        self.number() == capture
    }

    /// Returns whether a call of a family of contexts can concern it, if it is known of which the call is.
    fn may_be_of(&self, family: Option<usize>) -> bool {
        family.is_none_or(|family| family == self.family)
    }

    /// Writes the capture, which is over, into the trace that goes on.
    #[cold]
    fn trace(&self) {
        let duration = self.began.elapsed().as_nanos() as u64;
        let begin = clock::now().saturating_sub(duration);
        let stream = self.with_origin(|origin| origin.id().in_trace()).unwrap_or(0);
        trace::put(&Entry { begin, duration, stream, ..Entry::of(Kind::Capture) });
    }

    /// Returns whether the calling thread began it, or met it first.
    pub(crate) fn is_of_this_thread(&self) -> bool {
        self.thread == this_thread()
    }

    /// The capture is over.
    pub(crate) fn close(&self) {
        if !self.is_open() {
            return;
        }
        take_out(|record| std::ptr::eq(&*record.log, self));
    }

    /// Returns whether the capture is known to be over: its stream is gone, or in another capture, or in none.
    pub(crate) fn is_over(&self) -> bool {
        let capture = self.number();
        let is_another = |stream: &Stream| {
            self.can_ask(stream) && capture != 0 && stream.capture_info().is_ok_and(|info| !self.is_in(info))
        };
        self.with_origin(is_another).unwrap_or(true)
    }

    /// Calls `look` with the stream that the capture was begun on, if that lives.
    fn with_origin<T>(&self, look: impl FnOnce(&Stream) -> T) -> Option<T> {
        // Let go after the stream.
        let _looking = begin_look();
        let stream = Stream::of(self.origin.upgrade()?);
        Some(look(&stream))
    }

    /// Returns whether a wait for all of `context` waits for a stream of the capture; `None` where the stream is gone that it was begun
    /// on.
    fn has_streams_of(&self, context: &Context) -> Option<bool> {
        let has_origin = self.with_origin(|origin| waits_for(context, origin.context()))?;
        let others =
            || -> SmallVec<[Context; 1]> { lock(&self.state.others).iter().filter_map(WeakContext::upgrade).collect() };
        Some(has_origin || others().iter().any(|other| waits_for(context, other)))
    }

    /// A stream of `context` joined, which is another one than that of the stream that it was begun on. Whether it is the first.
    pub(crate) fn entered_from(&self, context: &Context) -> bool {
        let mut others = lock(&self.state.others);
        let is_first = !others.iter().any(|other| other.is(context));
        if is_first {
            others.push(context.downgrade());
        }
        is_first
    }

    /// Returns whether a stream of which the driver tells `info` is in this capture, as far as is known: the number of a broken
    /// one need not be told.
    fn is_in(&self, info: CaptureInfo) -> bool {
        let capture = self.number();
        capture == 0 || info.id == capture || (info.id == 0 && info.status == CaptureStatus::Invalidated)
    }

    /// Returns whether the driver tells this thread of captures on `stream`: of the default stream of a thread it tells that thread
    /// alone.
    fn can_ask(&self, stream: &Stream) -> bool {
        stream.id() != StreamId::PER_THREAD || self.is_of_this_thread()
    }

    /// Counts work that the member `index`, which is `stream`, is about to record. Not afterwards: an event that is recorded behind
    /// it would miss it, and the work would count as not joined.
    #[inline]
    pub(crate) fn count(&self, index: usize, stream: &Stream) {
        self.state.runs.goes_on(index, &self.state.recorded, || stream.as_recorder());
        // Threads that record on one stream at once may lose a count, so that less counts as not joined.
        if let Some(recorded) = self.state.recorded.of(index) {
            recorded.store(recorded.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        }
    }

    /// Takes [`CaptureLog::count`] back: the work was refused.
    pub(crate) fn uncount(&self, index: usize) {
        // Beside another thread's count on the same stream too much can stay.
        self.miscounts();
        if let Some(recorded) = self.state.recorded.of(index) {
            recorded.store(recorded.load(Ordering::Relaxed).wrapping_sub(1), Ordering::Relaxed);
        }
    }

    /// Counts a node that was put into the capture by hand.
    pub(crate) fn count_put(&self) {
        self.state.put.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns how much was recorded, for messages.
    fn operations(&self) -> u32 {
        self.state.recorded.sum().wrapping_add(self.state.put.load(Ordering::Relaxed))
    }

    /// Notes that what is counted need not be the number of nodes from here on.
    pub(crate) fn miscounts(&self) {
        self.state.miscounted.store(true, Ordering::Release);
    }

    /// Returns whether the capture, which made `nodes` nodes, has those alone that were counted. Each that was counted made a node, so that
    /// a node of others would be one more.
    pub(crate) fn counted_all(&self, nodes: usize) -> bool {
        let is_exact = !self.state.miscounted.load(Ordering::Acquire);
        is_exact && self.state.recorded.sum() as usize == nodes
    }

    /// Notes a call that worked.
    #[inline]
    pub(crate) fn note_call(&self, operation: Operation) {
        self.latest.store(operation as u8, Ordering::Relaxed);
    }

    /// Returns what is behind the point that the member `index` has reached.
    pub(crate) fn clock(&self, index: usize) -> Clock {
        let members = lock(&self.state.members);
        let mut clock = members.get(index).map(|member| member.joined.clone()).unwrap_or_default();
        let Some(recorded) = self.state.recorded.of(index) else { return clock };
        if clock.len() <= index {
            clock.resize(index + 1, 0);
        }
        clock[index] = recorded.load(Ordering::Relaxed);
        clock
    }

    /// The member that a stream is, which is about to wait for an event of the capture. `thread` as in [`Member`].
    pub(crate) fn member(&self, stream: &Stream, thread: Option<ThreadNumber>) -> usize {
        let key = (stream.number(), thread);
        let place = |members: &[Member]| members.iter().position(|member| (member.stream, member.thread) == key);
        if let Some(index) = place(&lock(&self.state.members)) {
            return index;
        }
        // Asked for while the members are not locked: no other lock is taken under theirs.
        let name = stream.name();
        let mut members = lock(&self.state.members);
        place(&members).unwrap_or_else(|| {
            if members.len() == TOLD_APART {
                self.joined_unseen();
            }
            members.push(Member { stream: key.0, thread, name, forked_by: None, joined: Clock::new() });
            members.len() - 1
        })
    }

    /// The member `index` waited for an event, which messages call `event`, and which has `clock` behind it.
    pub(crate) fn join(&self, index: usize, event: impl FnOnce() -> String, clock: &Clock) {
        let mut members = lock(&self.state.members);
        if index > 0 && members.get(index).is_some_and(|member| member.forked_by.is_none()) {
            // As in `member`.
            drop(members);
            let event = event();
            members = lock(&self.state.members);
            if let Some(member) = members.get_mut(index) {
                member.forked_by.get_or_insert(event);
            }
        }
        let Some(member) = members.get_mut(index) else { return };
        let joined = &mut member.joined;
        if joined.len() < clock.len() {
            joined.resize(clock.len(), 0);
        }
        for (joined, &behind) in joined.iter_mut().zip(clock) {
            *joined = (*joined).max(behind);
        }
    }

    /// The streams with work that was not joined to the one that the capture was begun on, in words.
    fn unjoined(&self) -> Vec<String> {
        let members = lock(&self.state.members);
        let Some((origin, others)) = members.split_first() else { return Vec::new() };
        let is_open = |index: usize| {
            let recorded = self.state.recorded.of(index).map_or(0, |recorded| recorded.load(Ordering::Relaxed));
            recorded > origin.joined.get(index).copied().unwrap_or(0)
        };
        let open = others.iter().enumerate().filter(|(at, _)| is_open(at + 1));
        open.map(|(_, member)| member.words()).collect()
    }
}

impl Member {
    fn words(&self) -> String {
        let stream = label(&format!("stream {}", self.stream), self.name.as_deref());
        match &self.forked_by {
            Some(event) => format!("{stream} (forked by {event})"),
            None => stream,
        }
    }
}

/// Questions of guarded contexts.
impl CaptureLog {
    /// Returns what the driver says of the capture; `None` when it is over. Of the default stream of another thread it says
    /// nothing: such a capture counts as active, unless a call was seen to break it.
    fn status(&self) -> Option<CaptureStatus> {
        let ask = |stream: &Stream| {
            if !self.can_ask(stream) {
                let status =
                    if self.violation().is_some() { CaptureStatus::Invalidated } else { CaptureStatus::Active };
                return self.is_open().then_some(status);
            }
            let info = stream.capture_info().ok()?;
            (info.status != CaptureStatus::None && self.is_in(info)).then_some(info.status)
        };
        self.with_origin(ask)?
    }

    /// Returns whether the capture goes on and is whole.
    pub(crate) fn is_active(&self) -> bool {
        self.status() == Some(CaptureStatus::Active)
    }

    /// Returns whether the capture was not seen to end.
    pub(crate) fn is_open(&self) -> bool {
        self.is_listed.load(Ordering::Acquire)
    }

    /// Returns whether the capture was begun on `stream`, which to the calling thread it is, as far as is known.
    pub(crate) fn began_on(&self, stream: &Stream) -> bool {
        self.mode.is_none() || (self.origin.ptr_eq(&stream.downgrade()) && self.can_ask(stream))
    }

    /// Returns whether it is over when the thread is that began it.
    pub(crate) fn ends_with_thread(&self) -> bool {
        self.ends_with_thread
    }

    /// It goes into a graph that there was before.
    pub(crate) fn goes_into(&self, graph: GraphId) {
        self.state.target.store(graph.0, Ordering::Release);
    }

    /// Returns whether it goes into a graph that there was before.
    pub(crate) fn has_target(&self) -> bool {
        self.state.target.load(Ordering::Acquire) != 0
    }

    /// Work may be joined from here on in ways that the members do not tell.
    pub(crate) fn joined_unseen(&self) {
        self.state.unseen.store(true, Ordering::Release);
    }

    /// Streams were told what their next work depends on, which can be work of other captures into the same graph too. Unless
    /// `goes_on`, it need not depend on what they recorded last.
    pub(crate) fn dependencies_changed(&self, goes_on: bool) {
        self.joined_unseen();
        if let Some(reuse) = self.state.reuse.get().filter(|_| !goes_on) {
            reuse.close();
        }
        let target = self.state.target.load(Ordering::Acquire);
        let is_of_target = |log: &&Arc<CaptureLog>| target != 0 && log.state.target.load(Ordering::Acquire) == target;
        open_logs(Some(self.family)).iter().filter(is_of_target).for_each(|other| other.joined_unseen());
    }

    /// Returns whether the calling thread may end it, as far as is known.
    pub(crate) fn may_end_here(&self) -> bool {
        self.mode.is_none_or(|mode| rules::may_end(mode, self.thread, this_thread()))
    }

    /// The streams with work that was not joined, by name; `None` too where the driver alone knows.
    pub(crate) fn open_streams(&self) -> Option<String> {
        if self.state.unseen.load(Ordering::Acquire) {
            return None;
        }
        let unjoined = self.unjoined();
        (!unjoined.is_empty()).then(|| names_of(&unjoined, NAMED))
    }

    /// Returns whether it bars unsafe calls of this thread, in its present mode.
    fn bars_unsafe_calls(&self) -> bool {
        let ongoing = Ongoing { mode: self.mode.unwrap_or_default(), began_by: self.thread };
        rules::bars_unsafe_call(ongoing, this_thread(), mode::current())
    }
}

/// Returns whether captures are open.
#[inline]
pub(crate) fn any_open() -> bool {
    ANY_OPEN.load(Ordering::Acquire)
}

/// The capture of `record` goes on from here.
pub(crate) fn open(record: &Arc<Record>) {
    if record.log.ends_with_thread {
        end_with_this_thread(Arc::downgrade(record) as _);
    }
    let crowded = {
        let mut open = lock(&GOING_ON);
        open.push(Arc::clone(record));
        record.open_count.fetch_add(1, Ordering::AcqRel);
        record.log.is_listed.store(true, Ordering::Release);
        ANY_OPEN.store(true, Ordering::Release);
        if record.log.strict.is_some() {
            strict_log::opened();
        }
        open.len().is_multiple_of(CROWD)
    };
    if crowded {
        sweep(None);
    }
}

/// The driver numbers so the capture of `record`, which has begun. An earlier one of that number is over: both go into one
/// graph.
pub(crate) fn begun(record: &Record, capture: u64) {
    take_out(|other| other.log.family == record.log.family && capture != 0 && other.log.is_of(capture));
    record.log.numbered(capture);
}

/// The open capture that the driver numbers so in `context`, where streams of it may be in a capture of another one.
pub(crate) fn find(context: &Context, capture: u64) -> Option<Arc<Record>> {
    lock(&GOING_ON).iter().find(|record| record.is_of(context, capture)).cloned()
}

/// The open captures that were begun on a stream, or met there first.
pub(crate) fn begun_on(stream: &StreamInner) -> Vec<Arc<Record>> {
    if !any_open() {
        return Vec::new();
    }
    let is_origin = |record: &&Arc<Record>| std::ptr::eq(record.log.origin.as_ptr(), stream);
    lock(&GOING_ON).iter().filter(is_origin).cloned().collect()
}

/// The records of the open captures.
pub(crate) fn open_records() -> Vec<Arc<Record>> {
    if !any_open() {
        return Vec::new();
    }
    lock(&GOING_ON).clone()
}

/// The open captures; with a family of contexts those of that one: calls of one device are nothing to captures of the other.
fn open_logs(family: Option<usize>) -> Vec<Arc<CaptureLog>> {
    let open = lock(&GOING_ON);
    open.iter().map(|record| &record.log).filter(|log| log.may_be_of(family)).cloned().collect()
}

/// The open strict captures that this thread began, and that work of `context` could have been recorded in.
pub(super) fn strict_here(context: &Context) -> Vec<Arc<CaptureLog>> {
    let mut open = open_logs(Some(context.family()));
    open.retain(|log| log.strict.is_some() && log.mode.is_some() && log.is_of_this_thread());
    open
}

/// Returns whether an open capture bars unsafe calls of this thread in `context`.
pub(crate) fn bars_unsafe_call(context: &Context) -> bool {
    open_logs(Some(context.family())).iter().any(|log| log.bars_unsafe_calls() && log.is_active())
}

/// Returns whether a stream is being captured for which a wait for all of `context` would wait.
pub(crate) fn captures_in(context: &Context) -> bool {
    in_the_way_of(context).iter().any(|log| log.is_active())
}

/// The open captures of streams for which a wait for all of `context` would wait.
fn in_the_way_of(context: &Context) -> Vec<Arc<CaptureLog>> {
    let mut open = open_logs(Some(context.family()));
    open.retain(|log| log.has_streams_of(context).unwrap_or(false));
    open
}

/// Returns whether a wait for all of a context is one for all of the `other`: contexts on one GPU share that.
fn waits_for(context: &Context, other: &Context) -> bool {
    let (device, others) = (context.device(), other.device());
    let is_one_device = (device.kind, device.ordinal) == (others.kind, others.ordinal);
    other.is(context) || (is_one_device && context.driver_even_if_stale().shares_device())
}

/// At each multiple of so many open captures it is looked whether others ended some.
const CROWD: usize = 64;
/// After so many questions in vain of a thread too. A prime: who asks of two devices in turn has the captures of both looked at.
const VAIN: usize = 61;

/// The driver was asked about a stream of `context` that is in no capture. When that has happened on a thread as often as [`VAIN`]
/// while captures are open, it is looked whether others ended them.
pub(crate) fn asked_in_vain(context: &Context) {
    thread_local! {
        static TIMES: Cell<usize> = const { Cell::new(0) };
    }
    // A thread that is about to end leaves it to others.
    let times = TIMES.try_with(|times| times.replace(times.get() + 1)).unwrap_or(0);
    if times % VAIN == VAIN - 1 {
        sweep(Some(context.family()));
    }
}

/// Forgets captures that others ended: all, or those of a family of contexts.
fn sweep(family: Option<usize>) {
    let over: Vec<_> = open_logs(family).iter().filter(|log| log.is_over()).map(Arc::as_ptr).collect();
    take_out(|record| over.contains(&Arc::as_ptr(&record.log)));
}

fn take_out(is_it: impl Fn(&Record) -> bool) {
    let mut open = lock(&GOING_ON);
    let taken: SmallVec<[Arc<Record>; 1]> = open.extract_if(.., |record| is_it(record)).collect();
    for record in &taken {
        record.open_count.fetch_sub(1, Ordering::AcqRel);
        record.log.is_listed.store(false, Ordering::Release);
        if record.log.strict.is_some() {
            strict_log::closed();
        }
    }
    ANY_OPEN.store(!open.is_empty(), Ordering::Release);
    drop(open);
    if trace::is_on() {
        taken.iter().for_each(|record| record.log.trace());
    }
    taken.iter().filter_map(|record| record.log.state.reuse.get()).for_each(|reuse| reuse.end());
    // The last reference may be the stream's too.
    drop(taken);
}

#[cfg(test)]
mod tests;
