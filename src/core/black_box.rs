//! The black box of captures: which call broke one, told with every later failure of that capture.
//!
//! While a capture goes on, recordings leave a note of two numbers in its [`Story`]. Only when a call fails as breaking, or
//! meeting, a broken capture does is anything looked for: the driver is asked which open captures are broken by now.
//! Those that no call is known to have broken yet were broken by this one, as far as the rules allow, or from outside.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard, Weak};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use smallvec::SmallVec;

use super::context::Context;
use super::lock;
use super::stream::{Stream, StreamInner};
use crate::driver::{self, mode, CaptureInfo, CaptureStatus, DeviceKind, GraphId, StreamId};
use crate::error::{Error, Status};
use crate::rules::{self, CaptureMode, Ongoing, ThreadNumber, Violated};

/// What a stream was asked to do, as far as captures tell it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Operation {
    Begin,
    KernelLaunch,
    MemcpyToDevice,
    MemcpyToHost,
    MemcpyOnDevice,
    Memset,
    HostFunction,
    EventRecord,
    EventWait,
    WriteValue32,
    WriteValue64,
    WaitValue32,
    WaitValue64,
    BatchMemOp,
}

/// In place of an operation: graphcap did not see the capture begin.
const UNSEEN: u8 = u8::MAX;

impl Operation {
    const ALL: [(Operation, &'static str); 14] = [
        (Operation::Begin, "gc_stream_begin_capture"),
        (Operation::KernelLaunch, "gc_stream_launch_kernel"),
        (Operation::MemcpyToDevice, "gc_stream_memcpy_htod"),
        (Operation::MemcpyToHost, "gc_stream_memcpy_dtoh"),
        (Operation::MemcpyOnDevice, "gc_stream_memcpy_dtod"),
        (Operation::Memset, "gc_stream_memset"),
        (Operation::HostFunction, "gc_stream_launch_host_func"),
        (Operation::EventRecord, "gc_event_record"),
        (Operation::EventWait, "gc_stream_wait_event"),
        (Operation::WriteValue32, "gc_stream_write_value32"),
        (Operation::WriteValue64, "gc_stream_write_value64"),
        (Operation::WaitValue32, "gc_stream_wait_value32"),
        (Operation::WaitValue64, "gc_stream_wait_value64"),
        (Operation::BatchMemOp, "gc_stream_batch_mem_op"),
    ];

    fn name_of(number: u8) -> &'static str {
        Self::ALL.iter().find(|(operation, _)| *operation as u8 == number).map_or("its begin", |(_, name)| name)
    }
}

/// The streams of a capture are counted in blocks: one that most captures get along with, and others that are made when
/// they are needed. Streams beyond them all are not told apart.
const FIRST_BLOCK: usize = 16;
const FURTHER_BLOCK: usize = 256;
const FURTHER_BLOCKS: usize = 16;
const TOLD_APART: usize = FIRST_BLOCK + FURTHER_BLOCK * FURTHER_BLOCKS;

/// How much each stream of a capture recorded.
struct Counters {
    first: [AtomicU32; FIRST_BLOCK],
    further: [OnceLock<Box<[AtomicU32; FURTHER_BLOCK]>>; FURTHER_BLOCKS],
}

impl Counters {
    const fn new() -> Self {
        Counters {
            first: [const { AtomicU32::new(0) }; FIRST_BLOCK],
            further: [const { OnceLock::new() }; FURTHER_BLOCKS],
        }
    }

    #[inline]
    fn of(&self, index: usize) -> Option<&AtomicU32> {
        self.first.get(index).or_else(|| self.of_further(index))
    }

    #[cold]
    fn of_further(&self, index: usize) -> Option<&AtomicU32> {
        let beyond = index.checked_sub(FIRST_BLOCK)?;
        let block = self.further.get(beyond / FURTHER_BLOCK)?;
        block.get_or_init(|| Box::new([const { AtomicU32::new(0) }; FURTHER_BLOCK])).get(beyond % FURTHER_BLOCK)
    }

    fn sum(&self) -> u32 {
        let further = self.further.iter().filter_map(OnceLock::get).flat_map(|block| block.iter());
        self.first.iter().chain(further).map(|count| count.load(Ordering::Relaxed)).fold(0, u32::wrapping_add)
    }
}

/// For each stream of a capture how much of its work is behind a point.
pub(super) type Clock = SmallVec<[u32; 4]>;

/// A stream that is in a capture.
struct Member {
    /// The stream's number.
    stream: u64,
    /// Whose default stream it is, for the one that each thread has of its own under that number.
    thread: Option<ThreadId>,
    /// The event that took it in; `None` for the stream that the capture was begun on.
    forked_by: Option<u64>,
    /// What was joined to it.
    joined: Clock,
}

/// One capture as it went, from its begin to its end.
pub(super) struct Story {
    /// The stream that it was begun on, or first seen on where others began it.
    origin: Weak<StreamInner>,
    /// `None` where others began it.
    mode: Option<CaptureMode>,
    thread: ThreadId,
    began: Instant,
    /// The driver's number of it; 0 while that is not known.
    capture: AtomicU64,
    /// Where the driver's log ended at the begin.
    log_position: Option<u32>,
    /// The latest call that worked.
    latest: AtomicU8,
    /// How much each member recorded.
    recorded: Counters,
    members: Mutex<Vec<Member>>,
    /// Whether more may be joined than the members tell.
    unseen: AtomicBool,
    /// The graph that there was before and that it goes into, by the driver's number; 0 for none.
    target: AtomicU64,
    violation: Mutex<Option<Arc<Violation>>>,
    /// What must have broken the capture, if it is found to be broken: the driver could not be asked there.
    suspected: Mutex<Option<Arc<Violation>>>,
}

/// The captures that go on.
static OPEN: Mutex<Vec<Arc<Story>>> = Mutex::new(Vec::new());
/// Whether there are such, so that a failing call need not look.
static ANY_OPEN: AtomicBool = AtomicBool::new(false);

/// Captures that were ended broken, by a call that did not break them, a moment ago: the call that did may not have been
/// looked at yet, as it is of another thread.
static ENDED: Mutex<Vec<Weak<Story>>> = Mutex::new(Vec::new());
/// As many of them as are remembered.
const REMEMBERED: usize = 16;

/// Held, for reading, while captures are looked at, which keeps their streams: see [`await_examiners`].
static EXAMINING: RwLock<()> = RwLock::new(());

/// What a failing call was about, as far as that tells what it can have broken.
#[derive(Default)]
pub(super) enum About {
    /// Nothing that graphcap noted.
    #[default]
    Nothing,
    /// Work on the stream, or a question about it.
    Stream,
    /// A wait of the stream for an event, which was recorded in this capture.
    Wait(Option<Arc<Story>>),
    /// An end of the capture that the stream was in.
    End(Option<Arc<Story>>),
    /// An event, which was recorded in this capture.
    Event(Option<Arc<Story>>),
    /// A wait for a context; these captures were in its way.
    Context(Vec<Weak<Story>>),
    /// Something that harms no capture; told with how this one went.
    Harmless(Option<Arc<Story>>),
}

/// A note of the failing call of a thread.
#[derive(Default)]
struct Note {
    /// The stream that it worked on.
    stream: Weak<StreamInner>,
    about: About,
}

thread_local! {
    static NOTE: Cell<Note> = const { Cell::new(Note { stream: Weak::new(), about: About::Nothing }) };
    /// Whether this thread is looking at captures.
    static LOOKS: Cell<bool> = const { Cell::new(false) };
}

/// What broke a capture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The call, by its name in graphcap.h; `None` when it was none of graphcap's.
    pub function: Option<&'static str>,
    /// The stream that it worked on, as messages call it, and its number, 0 for none.
    pub stream: Option<(String, u64)>,
    /// The thread that made it, by the number of the operating system.
    pub thread: u64,
    /// The rule that it was against.
    pub rule: Violated,
    /// What it answered.
    pub status: Status,
    /// How long after the begin of the capture.
    pub after: Duration,
    /// Whether that begin was graphcap's; else it is when graphcap met the capture first.
    pub seen_begin: bool,
    /// The latest call before it on the capture that worked, and how much was recorded by then.
    pub before: (&'static str, u32),
    /// For a violation from outside graphcap: the call that met it.
    pub met_by: Option<&'static str>,
    /// Streams with work that was not joined, each with the event that forked it.
    pub unjoined: Vec<(u64, Option<u64>)>,
    /// What the driver wrote to its log meanwhile.
    pub log: Option<String>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, recorded) = self.before;
        match (self.function, self.met_by) {
            (Some(function), _) => {
                write!(f, "the capture was broken by {function}")?;
                if let Some((stream, _)) = &self.stream {
                    write!(f, " on {stream}")?;
                }
                write!(f, " in thread {}", self.thread)?;
            }
            (None, met_by) => write!(
                f,
                "the capture was broken by a call from outside graphcap, or by one of another thread that has not returned \
                 yet, between {before} and {}",
                met_by.unwrap_or("this call")
            )?,
        }
        let operations = if recorded == 1 { "operation" } else { "operations" };
        let since = if self.seen_begin { "its begin" } else { "graphcap met it" };
        write!(f, ", {:.3} ms after {since}, with {recorded} {operations} recorded", self.after.as_secs_f64() * 1e3)?;
        write!(f, ": {}", self.rule.explanation())?;
        if !self.unjoined.is_empty() {
            f.write_str(&names_of(&self.unjoined, usize::MAX))?;
        }
        write!(f, "; {}", self.rule.remedy())?;
        // Last, because it is long, and a message may be cut.
        match &self.log {
            Some(log) => write!(f, " (the driver's log: {log})"),
            None => Ok(()),
        }
    }
}

impl Story {
    /// Of a capture that is about to begin on `stream`, or that others began.
    pub(super) fn new(stream: &Stream, mode: Option<CaptureMode>) -> Arc<Story> {
        let thread = (stream.id() == StreamId::PER_THREAD).then(|| thread::current().id());
        let origin = Member { stream: stream.number(), thread, forked_by: None, joined: Clock::new() };
        Arc::new(Story {
            origin: stream.downgrade(),
            mode,
            thread: thread::current().id(),
            began: Instant::now(),
            capture: AtomicU64::new(0),
            log_position: stream.driver().log_position(),
            latest: AtomicU8::new(if mode.is_some() { Operation::Begin as u8 } else { UNSEEN }),
            recorded: Counters::new(),
            members: Mutex::new(vec![origin]),
            unseen: AtomicBool::new(mode.is_none()),
            target: AtomicU64::new(0),
            violation: Mutex::new(None),
            suspected: Mutex::new(None),
        })
    }

    /// The capture goes on from here. Its number is 0 where the driver was not asked for it.
    pub(super) fn open(self: &Arc<Self>, capture: u64) {
        self.numbered(capture);
        if lock(&self.members).first().is_some_and(|origin| origin.thread.is_some()) {
            end_with_this_thread(self);
        }
        let crowded = {
            let mut open = lock(&OPEN);
            open.push(Arc::clone(self));
            ANY_OPEN.store(true, Ordering::Release);
            open.len().is_multiple_of(CROWD)
        };
        if crowded {
            sweep();
        }
    }

    /// The driver's number of the capture became known.
    pub(super) fn numbered(&self, capture: u64) {
        self.capture.store(capture, Ordering::Release);
    }

    /// The capture is over.
    pub(super) fn close(&self) {
        take_out(|story| std::ptr::eq(story, self));
    }

    /// Whether the capture is known to be over: its stream is gone, or in another capture, or in none.
    pub(super) fn is_over(&self) -> bool {
        let capture = self.capture.load(Ordering::Acquire);
        let is_another = |stream: &Stream| {
            self.can_ask(stream)
                && capture != 0
                && stream.driver().capture_info(stream.id()).is_ok_and(|info| !self.is_in(info))
        };
        self.with_origin(is_another).unwrap_or(true)
    }

    /// Calls `look` with the stream that the capture was begun on, if that lives.
    fn with_origin<T>(&self, look: impl FnOnce(&Stream) -> T) -> Option<T> {
        // Let go after the stream.
        let _looking = Looking::begin();
        let stream = Stream::of(self.origin.upgrade()?);
        Some(look(&stream))
    }

    /// Whether a stream of which the driver tells `info` is in this capture, as far as is known: the number of a broken
    /// one need not be told.
    fn is_in(&self, info: CaptureInfo) -> bool {
        let capture = self.capture.load(Ordering::Acquire);
        capture == 0 || info.id == capture || (info.id == 0 && info.status == CaptureStatus::Invalidated)
    }

    /// Whether the driver tells this thread of captures on `stream`: of the default stream of a thread it tells that thread
    /// alone.
    fn can_ask(&self, stream: &Stream) -> bool {
        stream.id() != StreamId::PER_THREAD || self.thread == thread::current().id()
    }

    /// The story of a capture by the driver's number, on a stream of the same context.
    pub(super) fn find(stream: &Stream, capture: u64) -> Option<Arc<Story>> {
        let same_context =
            |story: &&Arc<Story>| story.with_origin(|origin| origin.context().is(stream.context())).unwrap_or(false);
        let of_number: Vec<Arc<Story>> = lock(&OPEN)
            .iter()
            .filter(|story| story.capture.load(Ordering::Acquire) == capture)
            .map(Arc::clone)
            .collect();
        of_number.iter().find(same_context).cloned()
    }

    /// Counts work that the member `index` is about to record. Not afterwards: an event that is recorded behind it would
    /// miss it, and the work would count as not joined.
    #[inline]
    pub(super) fn count(&self, index: usize) {
        // Threads that record on one stream at once may lose a count, so that less counts as not joined.
        if let Some(recorded) = self.recorded.of(index) {
            recorded.store(recorded.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        }
    }

    /// Takes [`Story::count`] back: the work was refused.
    pub(super) fn uncount(&self, index: usize) {
        if let Some(recorded) = self.recorded.of(index) {
            recorded.store(recorded.load(Ordering::Relaxed).wrapping_sub(1), Ordering::Relaxed);
        }
    }

    /// Notes a call that worked.
    #[inline]
    pub(super) fn note_call(&self, operation: Operation) {
        self.latest.store(operation as u8, Ordering::Relaxed);
    }

    /// What is behind the point that the member `index` has reached.
    pub(super) fn clock(&self, index: usize) -> Clock {
        let members = lock(&self.members);
        let mut clock = members.get(index).map(|member| member.joined.clone()).unwrap_or_default();
        let Some(recorded) = self.recorded.of(index) else { return clock };
        if clock.len() <= index {
            clock.resize(index + 1, 0);
        }
        clock[index] = recorded.load(Ordering::Relaxed);
        clock
    }

    /// The member that a stream is, which is about to wait for an event of the capture. `thread` as in [`Member`].
    pub(super) fn member(&self, stream: u64, thread: Option<ThreadId>) -> usize {
        let mut members = lock(&self.members);
        members.iter().position(|member| (member.stream, member.thread) == (stream, thread)).unwrap_or_else(|| {
            if members.len() == TOLD_APART {
                self.joined_unseen();
            }
            members.push(Member { stream, thread, forked_by: None, joined: Clock::new() });
            members.len() - 1
        })
    }

    /// The member `index` waited for `event`, which has `clock` behind it.
    pub(super) fn join(&self, index: usize, event: u64, clock: &Clock) {
        let mut members = lock(&self.members);
        let Some(member) = members.get_mut(index) else { return };
        if index > 0 {
            member.forked_by.get_or_insert(event);
        }
        let joined = &mut member.joined;
        if joined.len() < clock.len() {
            joined.resize(clock.len(), 0);
        }
        for (joined, &behind) in joined.iter_mut().zip(clock) {
            *joined = (*joined).max(behind);
        }
    }

    /// The streams with work that was not joined to the one that the capture was begun on.
    fn unjoined(&self) -> Vec<(u64, Option<u64>)> {
        let members = lock(&self.members);
        let Some((origin, others)) = members.split_first() else { return Vec::new() };
        let is_open = |index: usize| {
            let recorded = self.recorded.of(index).map_or(0, |recorded| recorded.load(Ordering::Relaxed));
            recorded > origin.joined.get(index).copied().unwrap_or(0)
        };
        let open = others.iter().enumerate().filter(|(at, _)| is_open(at + 1));
        open.map(|(_, member)| (member.stream, member.forked_by)).collect()
    }

    /// What broke the capture, as far as it is known.
    pub(super) fn violation(&self) -> Option<Arc<Violation>> {
        lock(&self.violation).clone()
    }

    /// Whether it is known what broke the capture.
    fn is_explained(&self) -> bool {
        self.violation().is_some_and(|violation| violation.function.is_some())
    }

    /// Whether the driver calls the capture broken; `None` when it does not tell this thread.
    fn is_broken(&self) -> Option<bool> {
        let ask = |stream: &Stream| {
            self.can_ask(stream).then(|| {
                let info = stream.driver().capture_info(stream.id());
                info.is_ok_and(|info| info.status == CaptureStatus::Invalidated && self.is_in(info))
            })
        };
        self.with_origin(ask).unwrap_or(Some(false))
    }

    /// The rule by which the failing call, on `stream`, which is in the capture `on`, broke this capture; `None` when it
    /// cannot have been that call.
    fn blame(&self, status: Status, about: &About, stream: Option<&Stream>, on: Option<&Story>) -> Option<Violated> {
        let is_this = |story: &Option<Arc<Story>>| story.as_ref().is_some_and(|story| std::ptr::eq(&**story, self));
        let own = on.is_some_and(|on| std::ptr::eq(on, self));
        match (status, about) {
            (_, About::Harmless(_)) => None,
            (Status::CAPTURE_UNSUPPORTED, About::Context(in_its_way)) => {
                let is_one = in_its_way.iter().any(|story| std::ptr::eq(story.as_ptr(), self));
                is_one.then_some(Violated::WholeContext)
            }
            (Status::CAPTURE_UNSUPPORTED, _) if own => Some(Violated::OnCapturing),
            (Status::CAPTURE_UNSUPPORTED, _) => {
                (self.mode.is_none() || self.bars_unsafe_calls()).then_some(Violated::Unsafe)
            }
            (Status::INVALID_VALUE, About::Stream) if own => Some(Violated::Shape),
            // The event is of a capture that is over.
            (Status::INVALID_VALUE, About::Wait(_)) if own => Some(Violated::CapturedEvent),
            (Status::CAPTURE_ISOLATION, _) if own => Some(Violated::Isolation),
            // Who recorded an event that others use too is not known.
            (Status::CAPTURE_MERGE, About::Wait(of)) if own || of.is_none() || is_this(of) => Some(Violated::Merge),
            (Status::CAPTURED_EVENT, About::Event(of)) if of.is_none() || is_this(of) => Some(Violated::CapturedEvent),
            (Status::CAPTURE_UNMATCHED, About::End(ended)) if is_this(ended) => Some(Violated::Unmatched),
            (Status::CAPTURE_IMPLICIT, About::Stream | About::Wait(_)) => {
                let context = stream?.context();
                let waits_for = |origin: &Stream| waits_for(context, origin.context());
                self.with_origin(waits_for).unwrap_or(true).then_some(Violated::Legacy)
            }
            _ => None,
        }
    }

    /// What there is to tell of a call that broke the capture; without a rule of one that met it broken.
    fn tell(&self, call: &Call, on: Option<&Stream>, rule: Option<Violated>) -> Arc<Violation> {
        let log = self.log_position.and_then(|position| {
            let text = self.with_origin(|origin| origin.driver().log_since(position))??;
            (!text.is_empty()).then_some(text)
        });
        let is_known = rule.is_some();
        Arc::new(Violation {
            function: is_known.then_some(call.function),
            stream: on.filter(|_| is_known).map(|stream| (stream.label(), stream.number())),
            thread: call.thread,
            rule: rule.unwrap_or(Violated::Outside),
            status: call.status,
            after: self.began.elapsed(),
            seen_begin: self.mode.is_some(),
            before: (Operation::name_of(self.latest.load(Ordering::Relaxed)), self.recorded.sum()),
            met_by: (!is_known).then_some(call.function),
            unjoined: if rule == Some(Violated::Unjoined) { self.unjoined() } else { Vec::new() },
            log,
        })
    }

    /// Latches what broke the capture; true if it is the failing call. What is known stays, a guess gives way.
    fn latch(&self, call: &Call, on: Option<&Stream>, rule: Option<Violated>) -> bool {
        let suspected = if rule.is_none() { lock(&self.suspected).clone() } else { None };
        let violation = suspected.unwrap_or_else(|| self.tell(call, on, rule));
        let is_known = violation.function.is_some();
        let mut latched = lock(&self.violation);
        let is_new = latched.as_ref().is_none_or(|earlier| earlier.function.is_none() && is_known);
        if is_new {
            *latched = Some(violation);
        }
        is_new && rule.is_some()
    }

    /// The failing call broke the capture, if it is broken, which the driver tells another thread.
    fn suspect(&self, call: &Call, on: Option<&Stream>, rule: Violated) {
        let violation = self.tell(call, on, Some(rule));
        lock(&self.suspected).get_or_insert(violation);
    }
}

/// What guarded contexts ask.
impl Story {
    /// What the driver says of the capture; `None` when it is over. Of the default stream of another thread it says
    /// nothing: such a capture counts as active.
    fn status(&self) -> Option<CaptureStatus> {
        let ask = |stream: &Stream| {
            if !self.can_ask(stream) {
                return self.is_open().then_some(CaptureStatus::Active);
            }
            let info = stream.driver().capture_info(stream.id()).ok()?;
            (info.status != CaptureStatus::None && self.is_in(info)).then_some(info.status)
        };
        self.with_origin(ask)?
    }

    /// Whether the capture goes on and is whole.
    pub(super) fn is_active(&self) -> bool {
        self.status() == Some(CaptureStatus::Active)
    }

    /// Whether a thread that may not do so ended the capture.
    fn ended_wrongly(&self) -> bool {
        self.violation().is_some_and(|violation| violation.rule == Violated::WrongThread)
    }

    /// Whether the capture was not seen to end.
    fn is_open(&self) -> bool {
        lock(&OPEN).iter().any(|story| std::ptr::eq(&**story, self))
    }

    /// Whether the capture was begun on `stream`, which to the calling thread it is, as far as is known.
    pub(super) fn began_on(&self, stream: &Stream) -> bool {
        self.mode.is_none() || (self.origin.ptr_eq(&stream.downgrade()) && self.can_ask(stream))
    }

    /// It goes into a graph that there was before.
    pub(super) fn goes_into(&self, graph: GraphId) {
        self.target.store(graph.0, Ordering::Release);
    }

    /// Work may be joined from here on in ways that the members do not tell.
    pub(super) fn joined_unseen(&self) {
        self.unseen.store(true, Ordering::Release);
    }

    /// Streams were told what their next work depends on, which can be work of other captures into the same graph too.
    pub(super) fn dependencies_changed(&self) {
        self.joined_unseen();
        let target = self.target.load(Ordering::Acquire);
        for other in lock(&OPEN).iter().filter(|other| target != 0 && other.target.load(Ordering::Acquire) == target) {
            other.joined_unseen();
        }
    }

    /// Whether the calling thread may end it, as far as is known.
    pub(super) fn may_end_here(&self) -> bool {
        let (own, other) = (ThreadNumber(1), ThreadNumber(2));
        let caller = if self.thread == thread::current().id() { own } else { other };
        self.mode.is_none_or(|mode| rules::may_end(mode, own, caller))
    }

    /// The streams with work that was not joined, by name; `None` too where the driver alone knows.
    pub(super) fn open_streams(&self) -> Option<String> {
        if self.unseen.load(Ordering::Acquire) {
            return None;
        }
        let unjoined = self.unjoined();
        (!unjoined.is_empty()).then(|| names_of(&unjoined, NAMED))
    }

    /// Whether it bars unsafe calls of this thread, in its present mode.
    fn bars_unsafe_calls(&self) -> bool {
        let (own, other) = (ThreadNumber(1), ThreadNumber(2));
        let caller = if self.thread == thread::current().id() { own } else { other };
        let ongoing = Ongoing { mode: self.mode.unwrap_or_default(), began_by: own };
        rules::bars_unsafe_call(ongoing, caller, mode::current())
    }
}

/// Captures of a thread's own default streams, which end with the thread.
#[derive(Default)]
struct OfThread(RefCell<Vec<Weak<Story>>>);

impl Drop for OfThread {
    fn drop(&mut self) {
        for story in self.0.take().iter().filter_map(Weak::upgrade) {
            story.close();
        }
    }
}

thread_local! {
    static OF_THREAD: OfThread = OfThread::default();
}

fn end_with_this_thread(story: &Arc<Story>) {
    // A thread that ends has no room for notes any more.
    let _ = OF_THREAD.try_with(|stories| {
        let mut stories = stories.0.borrow_mut();
        stories.retain(|story| story.strong_count() > 0);
        stories.push(Arc::downgrade(story));
    });
}

/// Whether captures are open.
#[inline]
pub(super) fn any_open() -> bool {
    ANY_OPEN.load(Ordering::Acquire)
}

/// Whether an open capture bars unsafe calls of this thread.
pub(super) fn bars_unsafe_call() -> bool {
    let open = lock(&OPEN).clone();
    open.iter().any(|story| story.bars_unsafe_calls() && story.is_active())
}

/// Whether a stream is being captured for which a wait for all of `context` would wait.
pub(super) fn captures_in(context: &Context) -> bool {
    in_the_way_of(context).iter().any(|story| story.is_active())
}

/// The open captures of streams for which a wait for all of `context` would wait.
fn in_the_way_of(context: &Context) -> Vec<Arc<Story>> {
    let is_in_the_way =
        |story: &Arc<Story>| story.with_origin(|origin| waits_for(context, origin.context())).unwrap_or(false);
    let mut open = lock(&OPEN).clone();
    open.retain(is_in_the_way);
    open
}

/// Whether a wait for all of a context is one for all of the `other`: contexts on one GPU share that.
fn waits_for(context: &Context, other: &Context) -> bool {
    let (device, others) = (context.device(), other.device());
    other.is(context)
        || (device.kind == DeviceKind::Cuda && (device.kind, device.ordinal) == (others.kind, others.ordinal))
}

/// As many streams as a message names: more would crowd out what to do.
const NAMED: usize = 8;

/// Streams with work that was not joined, at `most` so many, in words that go behind "not joined".
fn names_of(unjoined: &[(u64, Option<u64>)], most: usize) -> String {
    let name = |&(stream, event): &(u64, Option<u64>)| match event {
        Some(event) => format!("stream {stream} (forked by event {event})"),
        None => format!("stream {stream}"),
    };
    let names = unjoined.iter().take(most).map(name).collect::<Vec<_>>().join(", ");
    match unjoined.len().saturating_sub(most) {
        0 => format!(": {names}"),
        others => format!(": {names} and {others} others"),
    }
}

/// While it lives, streams that this thread takes from stories are waited for by [`await_examiners`].
struct Looking(Option<RwLockReadGuard<'static, ()>>);

impl Looking {
    fn begin() -> Looking {
        // Nested ones are part of the outermost, which holds the lock.
        match LOOKS.try_with(|looks| looks.replace(true)) {
            Ok(false) => Looking(Some(EXAMINING.read().unwrap_or_else(PoisonError::into_inner))),
            _ => Looking(None),
        }
    }
}

impl Drop for Looking {
    fn drop(&mut self) {
        if self.0.is_some() {
            LOOKS.set(false);
        }
    }
}

/// After a stream was destroyed: waits until no other thread uses it any more because of a failing call. What it stands
/// for may be the caller's, who may destroy that next.
pub fn await_examiners() {
    // A thread that runs work could keep the examiner from ending.
    if !LOOKS.try_with(Cell::get).unwrap_or(true) && !driver::is_within_work() {
        drop(EXAMINING.write().unwrap_or_else(PoisonError::into_inner));
    }
}

/// As many open captures as are looked through for such that others ended.
const CROWD: usize = 64;

/// Forgets captures that others ended.
fn sweep() {
    let open = lock(&OPEN).clone();
    let over: Vec<_> = open.iter().filter(|story| story.is_over()).map(Arc::as_ptr).collect();
    take_out(|story| over.contains(&std::ptr::from_ref(story)));
}

fn take_out(is_it: impl Fn(&Story) -> bool) {
    let mut open = lock(&OPEN);
    let taken: Vec<Arc<Story>> = open.extract_if(.., |story| is_it(story)).collect();
    ANY_OPEN.store(!open.is_empty(), Ordering::Release);
    drop(open);
    // The last reference may be the stream's too.
    drop(taken);
}

/// A call that failed.
#[derive(Clone, Copy)]
pub struct Call {
    /// Its name in graphcap.h.
    pub function: &'static str,
    /// The thread that made it, by the number of the operating system.
    pub thread: u64,
    /// What it answered.
    pub status: Status,
}

/// Notes for [`examine`] what the failing call of this thread is about.
#[cold]
pub(super) fn failed(stream: Option<&Stream>, about: About, error: Error) -> Error {
    let note = Note { stream: stream.map_or_else(Weak::new, Stream::downgrade), about };
    // A thread that ends has no room for notes any more.
    let _ = NOTE.try_with(|place| place.set(note));
    error
}

/// The same, for work on `stream`, or a question about it.
#[cold]
pub(super) fn failed_on(stream: &Stream, error: Error) -> Error {
    failed(Some(stream), About::Stream, error)
}

/// The same, for a wait for all of `context`.
#[cold]
pub(super) fn failed_in(context: &Context, error: Error) -> Error {
    failed(None, About::Context(in_the_way_of(context).iter().map(Arc::downgrade).collect()), error)
}

/// Notes that the call of this thread, if it fails, harms nothing itself, and is told with how a capture of `stream` went.
#[cold]
pub(super) fn concerns(stream: Option<&Stream>) {
    let about = stream.map_or(About::Nothing, |stream| About::Harmless(stream.story()));
    let note = Note { stream: stream.map_or_else(Weak::new, Stream::downgrade), about };
    // As above.
    let _ = NOTE.try_with(|place| place.set(note));
}

/// Finds out what a call that failed has to do with captures: latches what it broke, and gives what is to be added to its
/// message: what broke the capture before, or which streams were not joined.
#[cold]
pub fn examine(call: Call) -> Option<String> {
    let Note { stream, about } = NOTE.try_with(Cell::take).unwrap_or_default();
    let is_concerned = match call.status.0 {
        1 | 401 => !matches!(about, About::Nothing),
        900..=908 => true,
        _ => false,
    };
    if !is_concerned {
        return None;
    }
    // Let go after the stream.
    let _looking = Looking::begin();
    let stream = stream.upgrade().map(Stream::of);
    let stream = stream.as_ref();
    let present = stream.and_then(Stream::present_story);
    let mut is_culprit = false;
    if may_break(call.status) {
        is_culprit = accuse(&call, &about, stream, present.as_ref());
    }
    let latest = || stream.and_then(Stream::story);
    let story = match (call.status, &about) {
        (_, About::Harmless(story)) => story.clone(),
        (_, About::End(Some(ended))) => Some(Arc::clone(ended)),
        // Whoever broke it may have ended it by now.
        (Status::CAPTURE_INVALIDATED, _) => present.or_else(latest),
        // Its owner finds it gone.
        (Status::ILLEGAL_STATE, _) => present.or_else(|| latest().filter(|story| story.ended_wrongly())),
        _ => present,
    }?;
    // These ends leave nothing that the driver could be asked about.
    if let About::End(_) = about {
        is_culprit |= match call.status {
            Status::CAPTURE_UNJOINED if !story.is_open() => story.latch(&call, stream, Some(Violated::Unjoined)),
            Status::CAPTURE_WRONG_THREAD if !story.is_open() => story.latch(&call, stream, Some(Violated::WrongThread)),
            _ => false,
        };
    }
    let is_met = call.status == Status::CAPTURE_INVALIDATED && !matches!(about, About::Harmless(_));
    if is_met && story.violation().is_none() {
        story.latch(&call, stream, None);
    }
    let violation = story.violation()?;
    if is_met && violation.function.is_none() && !story.is_open() {
        let mut ended = lock(&ENDED);
        if ended.len() == REMEMBERED {
            ended.remove(0);
        }
        ended.push(Arc::downgrade(&story));
    }
    match is_culprit {
        false => Some(violation.to_string()),
        true if violation.unjoined.is_empty() => None,
        true => Some(format!("not joined{}", names_of(&violation.unjoined, NAMED))),
    }
}

/// Whether a call that answers `status` can have broken a capture.
fn may_break(status: Status) -> bool {
    !matches!(status, Status::ILLEGAL_STATE | Status::CAPTURE_UNJOINED | Status::CAPTURE_WRONG_THREAD)
}

/// Looks at all open captures for such as the failing call broke. True if it broke the capture `present`, which its stream
/// is in.
fn accuse(call: &Call, about: &About, stream: Option<&Stream>, present: Option<&Arc<Story>>) -> bool {
    let on = present.map(|story| &**story);
    let (mut broke_present, mut broke_any) = (false, false);
    let open = lock(&OPEN).clone();
    for story in open.iter().filter(|story| !story.is_explained()) {
        let rule = story.blame(call.status, about, stream, on);
        match (story.is_broken(), rule) {
            (Some(true), _) => {
                let broke = story.latch(call, stream, rule);
                broke_any |= broke;
                broke_present |= broke && present.is_some_and(|present| Arc::ptr_eq(present, story));
            }
            (None, Some(rule)) => {
                story.suspect(call, stream, rule);
                broke_any = true;
            }
            (Some(false), _) | (None, None) => {}
        }
    }
    if !broke_any {
        accuse_of_ended(call, about, stream);
    }
    broke_present
}

/// The call failed and broke nothing that is open: what it broke may have been met and ended by another thread meanwhile.
fn accuse_of_ended(call: &Call, about: &About, stream: Option<&Stream>) {
    let ended: Vec<Arc<Story>> = lock(&ENDED).iter().filter_map(Weak::upgrade).collect();
    let latest = stream.and_then(Stream::story);
    for story in ended.iter().filter(|story| !story.is_explained()) {
        if let Some(rule) = story.blame(call.status, about, stream, latest.as_deref()) {
            story.latch(call, stream, Some(rule));
        }
    }
    lock(&ENDED).retain(|story| story.upgrade().is_some_and(|story| !story.is_explained()));
}

#[cfg(test)]
#[path = "black_box_tests.rs"]
mod tests;
