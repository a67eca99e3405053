//! The black box of captures: which call broke one, told with every later failure of that capture.
//!
//! While a capture goes on, recordings leave a note of two numbers in its [`Story`]. Only when a call fails as breaking, or
//! meeting, a broken capture does is anything looked for: the driver is asked which open captures are broken by now.
//! Those that no call is known to have broken yet were broken by this one, as far as the rules allow, or from outside.

use std::cell::RefCell;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use smallvec::SmallVec;

use super::context::Context;
use super::lock;
use super::stream::{Stream, StreamInner};
use crate::driver::{mode, CaptureStatus, DeviceKind, StreamId};
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
}

impl Operation {
    const ALL: [(Operation, &'static str); 9] = [
        (Operation::Begin, "gc_stream_begin_capture"),
        (Operation::KernelLaunch, "gc_stream_launch_kernel"),
        (Operation::MemcpyToDevice, "gc_stream_memcpy_htod"),
        (Operation::MemcpyToHost, "gc_stream_memcpy_dtoh"),
        (Operation::MemcpyOnDevice, "gc_stream_memcpy_dtod"),
        (Operation::Memset, "gc_stream_memset"),
        (Operation::HostFunction, "gc_stream_launch_host_func"),
        (Operation::EventRecord, "gc_event_record"),
        (Operation::EventWait, "gc_stream_wait_event"),
    ];

    fn name_of(number: u8) -> &'static str {
        Self::ALL.iter().find(|(operation, _)| *operation as u8 == number).map_or("a call", |(_, name)| name)
    }
}

/// How many streams of a capture are told apart; those beyond are counted together.
const TOLD_APART: usize = 16;

/// For each stream of a capture how much of its work is behind a point.
pub(super) type Clock = SmallVec<[u32; 4]>;

/// A stream that is in a capture.
struct Member {
    /// The stream's number.
    stream: u64,
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
    recorded: [AtomicU32; TOLD_APART],
    members: Mutex<Vec<Member>>,
    violation: Mutex<Option<Arc<Violation>>>,
}

/// The captures that go on.
static OPEN: Mutex<Vec<Arc<Story>>> = Mutex::new(Vec::new());
/// Whether there are such, so that a failing call need not look.
static ANY_OPEN: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// The stream that the failing call of this thread works on.
    static FAILED_ON: RefCell<Weak<StreamInner>> = const { RefCell::new(Weak::new()) };
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
                "the capture was broken by a call from outside graphcap, between {before} and {}",
                met_by.unwrap_or("this call")
            )?,
        }
        write!(f, ", {:.3} ms after its begin, with {recorded} operations recorded", self.after.as_secs_f64() * 1e3)?;
        write!(f, ": {}", self.rule.explanation())?;
        if !self.unjoined.is_empty() {
            f.write_str(&names_of(&self.unjoined))?;
        }
        if let Some(log) = &self.log {
            write!(f, " (the driver's log: {log})")?;
        }
        write!(f, "; {}", self.rule.remedy())
    }
}

impl Story {
    /// Of a capture that is about to begin on `stream`, or that others began.
    pub(super) fn new(stream: &Stream, mode: Option<CaptureMode>) -> Arc<Story> {
        let origin = Member { stream: stream.number(), forked_by: None, joined: Clock::new() };
        Arc::new(Story {
            origin: stream.downgrade(),
            mode,
            thread: thread::current().id(),
            began: Instant::now(),
            capture: AtomicU64::new(0),
            log_position: stream.driver().log_position(),
            latest: AtomicU8::new(Operation::Begin as u8),
            recorded: [const { AtomicU32::new(0) }; TOLD_APART],
            members: Mutex::new(vec![origin]),
            violation: Mutex::new(None),
        })
    }

    /// The capture goes on from here. Its number is 0 where the driver was not asked for it.
    pub(super) fn open(self: &Arc<Self>, capture: u64) {
        self.numbered(capture);
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
    fn is_over(&self) -> bool {
        let Some(origin) = self.origin.upgrade() else { return true };
        let (stream, capture) = (Stream::of(origin), self.capture.load(Ordering::Acquire));
        let can_ask = stream.id() != StreamId::PER_THREAD || self.thread == thread::current().id();
        can_ask && capture != 0 && stream.driver().capture_info(stream.id()).is_ok_and(|info| info.id != capture)
    }

    /// The story of a capture by the driver's number, on a stream of the same context.
    pub(super) fn find(stream: &Stream, capture: u64) -> Option<Arc<Story>> {
        let same_context = |story: &&Arc<Story>| {
            story.origin.upgrade().is_some_and(|origin| Stream::of(origin).context().is(stream.context()))
        };
        let of_number: Vec<Arc<Story>> = lock(&OPEN)
            .iter()
            .filter(|story| story.capture.load(Ordering::Acquire) == capture)
            .map(Arc::clone)
            .collect();
        of_number.iter().find(same_context).cloned()
    }

    /// Notes work that the member `index` recorded.
    #[inline]
    pub(super) fn note(&self, index: usize, operation: Operation) {
        self.note_call(operation);
        // Threads that record on one stream at once may lose a count: it is for people.
        if let Some(recorded) = self.recorded.get(index) {
            recorded.store(recorded.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        }
    }

    /// Notes a call that recorded no work.
    #[inline]
    pub(super) fn note_call(&self, operation: Operation) {
        self.latest.store(operation as u8, Ordering::Relaxed);
    }

    /// What is behind the point that the member `index` has reached.
    pub(super) fn clock(&self, index: usize) -> Clock {
        let members = lock(&self.members);
        let mut clock = members.get(index).map(|member| member.joined.clone()).unwrap_or_default();
        let Some(recorded) = self.recorded.get(index) else { return clock };
        if clock.len() <= index {
            clock.resize(index + 1, 0);
        }
        clock[index] = recorded.load(Ordering::Relaxed);
        clock
    }

    /// A stream waited for `event`, which has `clock` behind it. Gives the member that it is.
    pub(super) fn join(&self, stream: u64, event: u64, clock: &Clock) -> usize {
        let mut members = lock(&self.members);
        let index = members.iter().position(|member| member.stream == stream).unwrap_or_else(|| {
            members.push(Member { stream, forked_by: Some(event), joined: Clock::new() });
            members.len() - 1
        });
        let joined = &mut members[index].joined;
        if joined.len() < clock.len() {
            joined.resize(clock.len(), 0);
        }
        for (joined, &behind) in joined.iter_mut().zip(clock) {
            *joined = (*joined).max(behind);
        }
        index.min(TOLD_APART - 1)
    }

    /// The streams with work that was not joined to the one that the capture was begun on.
    fn unjoined(&self) -> Vec<(u64, Option<u64>)> {
        let members = lock(&self.members);
        let Some((origin, others)) = members.split_first() else { return Vec::new() };
        let is_open = |index: usize| {
            let recorded = self.recorded.get(index).map_or(0, |recorded| recorded.load(Ordering::Relaxed));
            recorded > origin.joined.get(index).copied().unwrap_or(0)
        };
        let open = others.iter().enumerate().filter(|(at, _)| is_open(at + 1));
        open.map(|(_, member)| (member.stream, member.forked_by)).collect()
    }

    /// What broke the capture, as far as it is known.
    pub(super) fn violation(&self) -> Option<Arc<Violation>> {
        lock(&self.violation).clone()
    }

    /// Whether the driver calls the capture broken, and nobody is known to have done it.
    fn is_broken_by_nobody(&self) -> bool {
        if self.violation().is_some_and(|violation| violation.function.is_some()) {
            return false;
        }
        let Some(origin) = self.origin.upgrade() else { return false };
        let stream = Stream::of(origin);
        // The default stream of a thread can be asked about by that thread alone.
        if stream.id() == StreamId::PER_THREAD && self.thread != thread::current().id() {
            return false;
        }
        let capture = self.capture.load(Ordering::Acquire);
        stream
            .driver()
            .capture_info(stream.id())
            .is_ok_and(|info| info.status == CaptureStatus::Invalidated && (capture == 0 || capture == info.id))
    }

    /// The rule by which the failing call broke this capture; `None` when it cannot have been that call.
    fn blame(&self, call: &Call, on: Option<&Story>) -> Option<Violated> {
        let own_stream = on.is_some_and(|on| std::ptr::eq(on, self));
        match call.status {
            Status::CAPTURE_UNSUPPORTED if own_stream => Some(Violated::OnCapturing),
            Status::CAPTURE_UNSUPPORTED => {
                if self.mode.is_none() || self.bars_unsafe_calls() {
                    Some(Violated::Unsafe)
                } else {
                    // No mode lets a wait for the whole context pass.
                    on.is_none().then_some(Violated::WholeContext)
                }
            }
            // Of wrong arguments two harm: the event of a capture that is over, and an impossible shape.
            Status::INVALID_VALUE if own_stream && call.function == Operation::name_of(Operation::EventWait as u8) => {
                Some(Violated::CapturedEvent)
            }
            Status::INVALID_VALUE if own_stream => Some(Violated::Shape),
            Status::CAPTURE_MERGE => Some(Violated::Merge),
            Status::CAPTURE_UNMATCHED => Some(Violated::Unmatched),
            Status::CAPTURE_ISOLATION => Some(Violated::Isolation),
            Status::CAPTURE_IMPLICIT => Some(Violated::Legacy),
            Status::CAPTURED_EVENT => Some(Violated::CapturedEvent),
            _ => None,
        }
    }

    /// Latches what broke the capture. What is known stays; a guess gives way.
    fn latch(&self, call: &Call, on: Option<&Stream>, rule: Option<Violated>) {
        let recorded = self.recorded.iter().map(|recorded| recorded.load(Ordering::Relaxed)).sum();
        let log = self.log_position.zip(self.origin.upgrade()).and_then(|(position, origin)| {
            let text = Stream::of(origin).driver().log_since(position)?;
            (!text.is_empty()).then_some(text)
        });
        let is_known = rule.is_some();
        let violation = Violation {
            function: is_known.then_some(call.function),
            stream: on.filter(|_| is_known).map(|stream| (stream.label(), stream.number())),
            thread: call.thread,
            rule: rule.unwrap_or(Violated::Outside),
            status: call.status,
            after: self.began.elapsed(),
            before: (Operation::name_of(self.latest.load(Ordering::Relaxed)), recorded),
            met_by: (!is_known).then_some(call.function),
            unjoined: if rule == Some(Violated::Unjoined) { self.unjoined() } else { Vec::new() },
            log,
        };
        let mut latched = lock(&self.violation);
        if latched.as_ref().is_none_or(|earlier| earlier.function.is_none() && is_known) {
            *latched = Some(Arc::new(violation));
        }
    }
}

/// What guarded contexts ask.
impl Story {
    /// What the driver says of the capture; `None` when it is over. Of the default stream of another thread it says
    /// nothing: such a capture counts as active.
    fn status(&self) -> Option<CaptureStatus> {
        let stream = Stream::of(self.origin.upgrade()?);
        if stream.id() == StreamId::PER_THREAD && self.thread != thread::current().id() {
            return Some(CaptureStatus::Active);
        }
        let info = stream.driver().capture_info(stream.id()).ok()?;
        let capture = self.capture.load(Ordering::Acquire);
        (info.status != CaptureStatus::None && (capture == 0 || capture == info.id)).then_some(info.status)
    }

    /// Whether the capture goes on and is whole.
    pub(super) fn is_active(&self) -> bool {
        self.status() == Some(CaptureStatus::Active)
    }

    /// Whether the capture was not seen to end.
    fn is_open(&self) -> bool {
        lock(&OPEN).iter().any(|story| std::ptr::eq(&**story, self))
    }

    /// Whether the capture was begun on `stream`, as far as is known.
    pub(super) fn began_on(&self, stream: &Stream) -> bool {
        self.mode.is_none() || self.origin.ptr_eq(&stream.downgrade())
    }

    /// Whether the calling thread may end it, as far as is known.
    pub(super) fn may_end_here(&self) -> bool {
        let (own, other) = (ThreadNumber(1), ThreadNumber(2));
        let caller = if self.thread == thread::current().id() { own } else { other };
        self.mode.is_none_or(|mode| rules::may_end(mode, own, caller))
    }

    /// The streams with work that was not joined, by name.
    pub(super) fn open_streams(&self) -> Option<String> {
        let unjoined = self.unjoined();
        (!unjoined.is_empty()).then(|| names_of(&unjoined))
    }

    /// Whether it bars unsafe calls of this thread, in its present mode.
    fn bars_unsafe_calls(&self) -> bool {
        let (own, other) = (ThreadNumber(1), ThreadNumber(2));
        let caller = if self.thread == thread::current().id() { own } else { other };
        let ongoing = Ongoing { mode: self.mode.unwrap_or_default(), began_by: own };
        rules::bars_unsafe_call(ongoing, caller, mode::current())
    }
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

/// Whether a stream is being captured for which a wait for all of `context` would wait: contexts on one GPU share it.
pub(super) fn captures_in(context: &Context) -> bool {
    let waits_for = |other: &Context| {
        let (device, others) = (context.device(), other.device());
        other.is(context)
            || (device.kind == DeviceKind::Cuda && (device.kind, device.ordinal) == (others.kind, others.ordinal))
    };
    let open = lock(&OPEN).clone();
    open.iter().any(|story| {
        story.origin.upgrade().is_some_and(|origin| waits_for(Stream::of(origin).context())) && story.is_active()
    })
}

/// Streams with work that was not joined, in words that go behind "not joined".
fn names_of(unjoined: &[(u64, Option<u64>)]) -> String {
    let name = |&(stream, event): &(u64, Option<u64>)| match event {
        Some(event) => format!("stream {stream} (forked by event {event})"),
        None => format!("stream {stream}"),
    };
    format!(": {}", unjoined.iter().map(name).collect::<Vec<_>>().join(", "))
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

/// Notes that the failing call of this thread works on `stream`, for [`examine`].
#[cold]
pub(super) fn failed_on(stream: &Stream, error: Error) -> Error {
    // A thread that ends has no room for notes any more.
    let _ = FAILED_ON.try_with(|failed_on| *failed_on.borrow_mut() = stream.downgrade());
    error
}

/// Notes that the call of this thread, if it fails, has to do with `stream`, or with none.
#[cold]
pub(super) fn concerns(stream: Option<&Stream>) {
    // As above.
    let _ = FAILED_ON.try_with(|failed_on| *failed_on.borrow_mut() = stream.map_or_else(Weak::new, Stream::downgrade));
}

/// Finds out what a call that failed has to do with captures: latches what it broke, and gives what is to be added to its
/// message: what broke the capture before, or which streams were not joined.
#[cold]
pub fn examine(call: Call) -> Option<String> {
    let stream = FAILED_ON.try_with(|failed_on| failed_on.take().upgrade()).ok().flatten().map(Stream::of);
    let is_concerned = matches!(call.status.0, 1 | 401 | 900..=908);
    if !is_concerned || (stream.is_none() && !ANY_OPEN.load(Ordering::Acquire)) {
        return None;
    }
    let story = stream.as_ref().and_then(Stream::story);
    let before = story.as_ref().and_then(|story| story.violation());
    let open = lock(&OPEN).clone();
    for other in open.iter().filter(|other| other.is_broken_by_nobody()) {
        other.latch(&call, stream.as_ref(), other.blame(&call, story.as_deref()));
    }
    let story = story?;
    // These ends leave nothing that the driver could be asked about.
    match call.status {
        Status::CAPTURE_UNJOINED if !story.is_open() => story.latch(&call, stream.as_ref(), Some(Violated::Unjoined)),
        Status::CAPTURE_WRONG_THREAD if !story.is_open() => {
            story.latch(&call, stream.as_ref(), Some(Violated::WrongThread))
        }
        // An invalidated capture that was ended is over by now.
        Status::CAPTURE_INVALIDATED if story.violation().is_none() => story.latch(&call, stream.as_ref(), None),
        _ => {}
    }
    match (before, story.violation()) {
        (Some(before), Some(now)) if before.function.is_some() || now.function.is_none() => Some(before.to_string()),
        (_, Some(now)) if now.function.is_none() => Some(now.to_string()),
        (_, Some(now)) if now.rule == Violated::Unjoined => {
            (!now.unjoined.is_empty()).then(|| format!("not joined{}", names_of(&now.unjoined)))
        }
        _ => None,
    }
}
