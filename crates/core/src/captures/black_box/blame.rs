//! Whom to blame for a broken capture, and what is told of it.

use std::cell::Cell;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

use super::{begin_look, in_the_way_of, open_logs, Operation, FAILED};
use crate::captures::relaxed::relax_mode;
use crate::captures::violation::{names_of, Violation, NAMED};
use crate::objects::name::naming;
use crate::state::{CaptureLog, Context, Stream, StreamInner};
use graphcap_base::error::{Error, Status};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::rules::Violated;
use graphcap_driver::CaptureStatus;
use graphcap_observe::log::{log, Level, Subject};

/// Captures that were ended broken, by a call that did not break them, a moment ago: the call that did may not have
/// been looked at yet, as it is of another thread.
static ENDED: Mutex<Vec<Weak<CaptureLog>>, rank::Ended> = Mutex::new(Vec::new());
/// As many of them as are remembered.
const REMEMBERED: usize = 16;

/// Subject of a failing call, as far as that tells what it can have broken.
#[derive(Default)]
pub(crate) enum About {
    /// Nothing that graphcap noted.
    #[default]
    Nothing,
    /// Work on the stream, or a question about it.
    Stream,
    /// A launch of a graph on the stream.
    Launch,
    /// A wait of the stream for an event, which was recorded in this capture.
    Wait(Option<Arc<CaptureLog>>),
    /// An end of the capture that the stream was in.
    End(Option<Arc<CaptureLog>>),
    /// An event, which was recorded in this capture.
    Event(Option<Arc<CaptureLog>>),
    /// A wait for a context; these captures were in its way.
    Context(Vec<Weak<CaptureLog>>),
    /// Something that harms no capture; told with how this one went.
    Harmless(Option<Arc<CaptureLog>>),
}

/// A note of the failing call of a thread.
#[derive(Default)]
struct FailureNote {
    /// The stream that it worked on.
    stream: Weak<StreamInner>,
    /// The family of contexts that it was made in, where that is known.
    family: Option<usize>,
    about: About,
}

impl FailureNote {
    fn new(context: Option<&Context>, stream: Option<&Stream>, about: About) -> FailureNote {
        FailureNote {
            stream: stream.map_or_else(Weak::new, Stream::downgrade),
            family: context.map(Context::family),
            about,
        }
    }
}

thread_local! {
    static NOTE: Cell<FailureNote> = const { Cell::new(FailureNote { stream: Weak::new(), family: None, about: About::Nothing }) };
}

impl CaptureLog {
    /// Returns what broke the capture, as far as it is known.
    pub(crate) fn violation(&self) -> Option<Arc<Violation>> {
        lock(&self.violation).clone()
    }

    /// Returns whether it is known what broke the capture.
    fn is_explained(&self) -> bool {
        self.violation().is_some_and(|violation| violation.function.is_some())
    }

    /// Returns whether the driver calls the capture broken; `None` when it does not tell this thread.
    fn is_broken(&self) -> Option<bool> {
        let ask = |stream: &Stream| {
            self.can_ask(stream).then(|| {
                let info = stream.capture_info();
                info.is_ok_and(|info| info.status == CaptureStatus::Invalidated && self.is_in(info))
            })
        };
        self.with_origin(ask).unwrap_or(Some(false))
    }

    /// The rule by which the failing call, on `stream`, which is in the capture `on`, broke this capture; `None` when
    /// it cannot have been that call.
    fn blame(
        &self,
        status: Status,
        about: &About,
        stream: Option<&Stream>,
        on: Option<&CaptureLog>,
    ) -> Option<Violated> {
        let is_this = |log: &Option<Arc<CaptureLog>>| log.as_ref().is_some_and(|log| std::ptr::eq(&**log, self));
        let own = on.is_some_and(|on| std::ptr::eq(on, self));
        match (status, about) {
            (_, About::Harmless(_)) => None,
            (Status::CAPTURE_UNSUPPORTED, About::Context(in_its_way)) => {
                let is_one = in_its_way.iter().any(|log| std::ptr::eq(log.as_ptr(), self));
                is_one.then_some(Violated::WholeContext)
            }
            (Status::CAPTURE_UNSUPPORTED, About::Launch) if own => Some(Violated::Launch),
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
            (Status::CAPTURE_IMPLICIT, About::Stream | About::Launch | About::Wait(_)) => {
                let context = stream?.context();
                self.has_streams_of(context).unwrap_or(true).then_some(Violated::Legacy)
            }
            _ => None,
        }
    }

    /// Returns what there is to tell of a call that broke the capture; without a rule of one that met it broken.
    fn tell(&self, call: &Call, on: Option<&Stream>, rule: Option<Violated>) -> Arc<Violation> {
        let log = self.log_position.and_then(|position| {
            let text = self.with_origin(|origin| origin.driver().ok()?.log_since(position))??;
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
            before: (Operation::name_of(self.latest_that_worked()), self.operations()),
            met_by: (!is_known).then_some(call.function),
            unjoined: if rule == Some(Violated::Unjoined) { self.unjoined() } else { Vec::new() },
            log,
            work_outside: 0,
        })
    }

    /// Notes that the thread which began this strict capture had work executed on `stream`, by the call `function`, or was refused
    /// that with `status`.
    pub(in crate::captures) fn note_outside(&self, stream: &Stream, function: &'static str, status: Status) {
        let Some(strict) = &self.strict else { return };
        let call = Call { function, thread: 0, status };
        strict.note_outside(|| Arc::unwrap_or_clone(self.tell(&call, Some(stream), Some(Violated::WorkOutside))));
    }

    /// The number of the latest call that worked.
    fn latest_that_worked(&self) -> u8 {
        match (self.latest.load(Ordering::Relaxed), &self.strict) {
            (FAILED, Some(strict)) => strict.worked(),
            (latest, _) => latest,
        }
    }

    /// Notes of a strict capture that a call failed which was to record into it through `stream`.
    fn note_failed(&self, call: &Call, stream: &Stream) {
        let Some(strict) = &self.strict else { return };
        strict.note_failed(self.tell(call, Some(stream), Some(Violated::LastFailed)));
        let latest = self.latest_that_worked();
        strict.note_worked(latest);
        self.latest.store(FAILED, Ordering::Relaxed);
    }

    /// The last call that was to record into this strict capture, if it failed.
    fn last_failed(&self) -> Option<Arc<Violation>> {
        let has_failed = self.latest.load(Ordering::Relaxed) == FAILED;
        self.strict.as_ref().filter(|_| has_failed)?.failed()
    }

    /// Before the strict capture is ended on `stream`, where that may be done: breaks it if the last call that was to record into it
    /// failed.
    pub(in crate::captures) fn break_if_last_failed(&self, stream: &Stream) {
        let Some(failed) = self.last_failed().filter(|_| self.began_on(stream) && self.may_end_here()) else { return };
        // A question about the stream breaks its capture, and in the relaxed mode no other one.
        let Ok(_relaxed) = relax_mode() else { return };
        let _ = stream.driver().and_then(|driver| driver.stream_is_complete(stream.id()));
        if self.is_broken() == Some(true) {
            lock(&self.violation).get_or_insert(failed);
        }
    }

    /// Latches what broke the capture; true if it is the failing call. What is known stays, a guess gives way.
    fn latch(&self, call: &Call, on: Option<&Stream>, rule: Option<Violated>) -> bool {
        let suspected = if rule.is_none() { lock(&self.suspected).clone() } else { None };
        let violation = suspected.unwrap_or_else(|| self.tell(call, on, rule));
        let is_known = violation.function.is_some();
        let is_new = {
            let mut latched = lock(&self.violation);
            let is_new = latched.as_ref().is_none_or(|earlier| earlier.function.is_none() && is_known);
            if is_new {
                *latched = Some(Arc::clone(&violation));
            }
            is_new
        };
        if is_new {
            log(Level::Warning, Subject::Capture, || {
                let origin = self.with_origin(Stream::label).unwrap_or_else(|| "a stream".into());
                format!("the capture of {origin} was broken: {violation}")
            });
        }
        is_new && rule.is_some()
    }

    /// The failing call broke the capture, if it is broken, which the driver tells another thread.
    fn suspect(&self, call: &Call, on: Option<&Stream>, rule: Violated) {
        let violation = self.tell(call, on, Some(rule));
        lock(&self.suspected).get_or_insert(violation);
    }

    /// Returns whether a thread that may not do so ended the capture.
    fn ended_wrongly(&self) -> bool {
        self.violation().is_some_and(|violation| violation.rule == Violated::WrongThread)
    }
}

/// A call that failed.
#[derive(Clone, Copy)]
pub struct Call {
    /// Its name in graphcap.h.
    pub function: &'static str,
    /// The thread that made it, by the number of the operating system.
    pub thread: u64,
    /// Its answer.
    pub status: Status,
}

/// Notes for [`examine`] what the failing call of this thread is about, and the context that it was made in, where `stream` does not
/// tell that.
#[cold]
pub(crate) fn failed(context: Option<&Context>, stream: Option<&Stream>, about: About, error: Error) -> Error {
    let note = FailureNote::new(context.or(stream.map(Stream::context)), stream, about);
    // A thread that ends has no room for notes any more.
    let _ = NOTE.try_with(|place| place.set(note));
    naming(error, "stream", stream.and_then(Stream::name))
}

/// Notes for [`examine`] that this thread's failing call is work on `stream`, or a question about the stream.
#[cold]
pub(crate) fn failed_on(stream: &Stream, error: Error) -> Error {
    failed(None, Some(stream), About::Stream, error)
}

/// Notes for [`examine`] that this thread's failing call is a wait for all of `context`.
#[cold]
pub(crate) fn failed_in(context: &Context, error: Error) -> Error {
    failed(Some(context), None, About::Context(in_the_way_of(context).iter().map(Arc::downgrade).collect()), error)
}

/// Notes that the call of this thread, if it fails, harms nothing itself, and is told with how a capture of `stream`
/// went.
#[cold]
pub(crate) fn concerns(stream: Option<&Stream>) {
    let about = stream.map_or(About::Nothing, |stream| About::Harmless(stream.log()));
    let note = FailureNote::new(stream.map(Stream::context), stream, about);
    // As above.
    let _ = NOTE.try_with(|place| place.set(note));
}

/// Finds out what a call that failed has to do with captures: latches what it broke, and gives what is to be added to
/// its message: what broke the capture before, or which streams were not joined.
#[cold]
pub fn examine(call: Call) -> Option<String> {
    let FailureNote { stream, family, about } = NOTE.try_with(Cell::take).unwrap_or_default();
    let is_concerned = match call.status.0 {
        1 | 401 => !matches!(about, About::Nothing),
        900..=908 => true,
        _ => false,
    };
    if !is_concerned {
        return None;
    }
    // Let go after the stream.
    let _looking = begin_look();
    let stream = stream.upgrade().map(Stream::of);
    let stream = stream.as_ref();
    let present = stream.and_then(Stream::present_log);
    let mut is_culprit = false;
    if may_break(call.status) {
        is_culprit = accuse(&call, &about, family, stream, present.as_ref());
    }
    let latest = || stream.and_then(Stream::log);
    let log = match (call.status, &about) {
        (_, About::Harmless(log)) => log.clone(),
        (_, About::End(Some(ended))) => Some(Arc::clone(ended)),
        // Whoever broke it may have ended it by now.
        (Status::CAPTURE_INVALIDATED, _) => present.or_else(latest),
        // Its owner finds it gone.
        (Status::ILLEGAL_STATE, _) => present.or_else(|| latest().filter(|log| log.ended_wrongly())),
        _ => present,
    }?;
    // These ends leave nothing that the driver could be asked about.
    if let About::End(_) = about {
        is_culprit |= match call.status {
            Status::CAPTURE_UNJOINED if !log.is_open() => log.latch(&call, stream, Some(Violated::Unjoined)),
            Status::CAPTURE_WRONG_THREAD if !log.is_open() => log.latch(&call, stream, Some(Violated::WrongThread)),
            _ => false,
        };
    }
    let is_met = call.status == Status::CAPTURE_INVALIDATED && !matches!(about, About::Harmless(_));
    if is_met && log.violation().is_none() {
        log.latch(&call, stream, None);
    }
    let violation = log.violation()?;
    if is_met && violation.function.is_none() && !log.is_open() {
        let mut ended = lock(&ENDED);
        if ended.len() == REMEMBERED {
            ended.remove(0);
        }
        ended.push(Arc::downgrade(&log));
    }
    match is_culprit {
        false => Some(violation.to_string()),
        true if violation.unjoined.is_empty() => None,
        true => Some(format!("not joined{}", names_of(&violation.unjoined, NAMED))),
    }
}

/// A call failed that was to record into the capture of `stream`. If that is strict and still whole, it cannot be ended before
/// another call has recorded something.
#[cold]
pub fn recording_failed(call: &Call, stream: &Stream) {
    if let Some(log) = stream.present_log().filter(|log| log.is_active()) {
        log.note_failed(call, stream);
    }
}

/// Returns whether a call that answers `status` can have broken a capture.
fn may_break(status: Status) -> bool {
    !matches!(status, Status::ILLEGAL_STATE | Status::CAPTURE_UNJOINED | Status::CAPTURE_WRONG_THREAD)
}

/// Looks at all open captures for such as the failing call broke. True if it broke the capture `present`, which its
/// stream is in.
fn accuse(
    call: &Call,
    about: &About,
    family: Option<usize>,
    stream: Option<&Stream>,
    present: Option<&Arc<CaptureLog>>,
) -> bool {
    let on = present.map(|log| &**log);
    let (mut broke_present, mut broke_any) = (false, false);
    for log in open_logs(family).iter().filter(|log| !log.is_explained()) {
        let rule = log.blame(call.status, about, stream, on);
        match (log.is_broken(), rule) {
            (Some(true), _) => {
                let broke = log.latch(call, stream, rule);
                broke_any |= broke;
                broke_present |= broke && present.is_some_and(|present| Arc::ptr_eq(present, log));
            }
            (None, Some(rule)) => {
                log.suspect(call, stream, rule);
                broke_any = true;
            }
            (Some(false), _) | (None, None) => {}
        }
    }
    if !broke_any {
        accuse_of_ended(call, about, family, stream);
    }
    broke_present
}

/// The call failed and broke nothing that is open: what it broke may have been met and ended by another thread
/// meanwhile.
fn accuse_of_ended(call: &Call, about: &About, family: Option<usize>, stream: Option<&Stream>) {
    let ended: Vec<Arc<CaptureLog>> = lock(&ENDED).iter().filter_map(Weak::upgrade).collect();
    let latest = stream.and_then(Stream::log);
    for log in ended.iter().filter(|log| !log.is_explained() && log.may_be_of(family)) {
        if let Some(rule) = log.blame(call.status, about, stream, latest.as_deref()) {
            log.latch(call, stream, Some(rule));
        }
    }
    let explained: Vec<_> = ended.iter().filter(|log| log.is_explained()).map(Arc::as_ptr).collect();
    lock(&ENDED).retain(|log| log.strong_count() > 0 && !explained.contains(&log.as_ptr()));
}
