//! The ongoing captures of the process, across contexts. The rules of [`graphcap_driver::rules`] bar some calls while captures go on;
//! such a call is refused here, and breaks the captures that it conflicts with.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;

use super::recording::Recording;
use graphcap_base::error::{Error, Result};
use graphcap_base::lock::{lock, rank, Mutex, MutexGuard};
use graphcap_base::thread::this_thread;
use graphcap_driver::mode;
use graphcap_driver::rules::{self, Ongoing};

/// A capture, from its begin until its end.
pub(crate) struct Capture {
    pub(super) id: u64,
    context: u64,
    pub(super) ongoing: Ongoing,
    /// Number of blocking streams of its context that are part of it, which closes the legacy stream.
    blocking: AtomicUsize,
    /// The streams of other contexts that are part of it.
    elsewhere: Mutex<Vec<Elsewhere>, rank::Elsewhere>,
    pub(super) invalidated: AtomicBool,
    pub(super) ended: AtomicBool,
    /// `None` when it has ended.
    recording: Mutex<Option<Recording>, rank::Recording>,
}

/// The streams of another context that are part of a capture.
struct Elsewhere {
    context: u64,
    streams: usize,
    blocking: usize,
}

/// All ongoing captures of the process: unsafe calls are barred across contexts.
struct OngoingCaptures {
    all: Mutex<Vec<Arc<Capture>>, rank::Ongoing>,
    /// Number of them, to look without locking.
    count: AtomicUsize,
}

static ONGOING: OngoingCaptures = OngoingCaptures { all: Mutex::new(Vec::new()), count: AtomicUsize::new(0) };

impl Capture {
    /// A capture whose origin is a stream of `context`.
    pub(super) fn open(context: u64, blocking: bool, ongoing: Ongoing, recording: Recording) -> Arc<Capture> {
        let capture = Arc::new(Capture {
            id: recording.target.number(),
            context,
            ongoing,
            blocking: AtomicUsize::new(blocking.into()),
            elsewhere: Mutex::default(),
            invalidated: AtomicBool::new(false),
            ended: AtomicBool::new(false),
            recording: Mutex::new(Some(recording)),
        });
        let mut all = all_ongoing();
        all.push(Arc::clone(&capture));
        ONGOING.count.store(all.len(), Ordering::SeqCst);
        capture
    }

    /// Returns whether the capture goes on and is whole.
    pub(crate) fn is_active(&self) -> bool {
        !self.ended.load(Ordering::Acquire) && !self.invalidated.load(Ordering::Acquire)
    }

    /// Returns whether the legacy stream of context `context` is closed while the capture goes on.
    fn closes_legacy(&self, context: u64) -> bool {
        match self.context == context {
            true => self.blocking.load(Ordering::Acquire) > 0,
            false => lock(&self.elsewhere).iter().any(|other| other.context == context && other.blocking > 0),
        }
    }

    /// Returns whether a stream of context `context` is part of it, or the context is the one that it was begun in.
    fn is_in(&self, context: u64) -> bool {
        self.context == context
            || lock(&self.elsewhere).iter().any(|other| other.context == context && other.streams > 0)
    }

    /// Another stream, of `context`, is part of it.
    pub(super) fn enter(&self, context: u64, blocking: bool) {
        if self.context == context {
            self.blocking.fetch_add(blocking.into(), Ordering::AcqRel);
            return;
        }
        let mut elsewhere = lock(&self.elsewhere);
        match elsewhere.iter_mut().find(|other| other.context == context) {
            Some(other) => {
                other.streams += 1;
                other.blocking += usize::from(blocking);
            }
            None => elsewhere.push(Elsewhere { context, streams: 1, blocking: blocking.into() }),
        }
    }

    /// A stream of `context` that was part of it is no more.
    pub(super) fn leave(&self, context: u64, blocking: bool) {
        if self.context == context {
            self.blocking.fetch_sub(blocking.into(), Ordering::AcqRel);
            return;
        }
        if let Some(other) = lock(&self.elsewhere).iter_mut().find(|other| other.context == context) {
            other.streams -= 1;
            other.blocking -= usize::from(blocking);
        }
    }

    /// Breaks the capture; its end will say so.
    pub(crate) fn invalidate(&self) {
        self.invalidated.store(true, Ordering::Release);
    }

    /// Ends the capture for all its streams and gives what it recorded.
    pub(super) fn close(self: &Arc<Self>) -> Option<Recording> {
        let recorded = {
            let mut recording = self.recording();
            self.ended.store(true, Ordering::Release);
            recording.take()
        };
        let mut ongoing = all_ongoing();
        ongoing.retain(|capture| !Arc::ptr_eq(capture, self));
        ONGOING.count.store(ongoing.len(), Ordering::SeqCst);
        recorded
    }

    pub(super) fn recording(&self) -> MutexGuard<'_, Option<Recording>> {
        lock(&self.recording)
    }
}

/// Returns whether the legacy stream of `context` is closed by captures of blocking streams.
pub(super) fn is_legacy_closed(context: u64) -> bool {
    all_ongoing().iter().any(|capture| capture.closes_legacy(context))
}

/// Rule R1: fails, and invalidates what it conflicts with, where an unsafe call of this thread is barred.
pub(crate) fn unsafe_call() -> Result<()> {
    let barred = |capture: &Capture| rules::bars_unsafe_call(capture.ongoing, this_thread(), mode::current());
    if !invalidate_all(barred) {
        return Ok(());
    }
    Err(Error::new(
        rules::BARRED,
        "the call could wait for or free what a capture still needs, so an ongoing capture bars it and is now invalid: end it; \
         call this before or after captures, or begin them in a more relaxed mode",
    ))
}

/// Rule R2 for a whole context: fails, and invalidates, where one of its streams is captured.
pub(crate) fn refuse_in_context(context: u64, what: &str) -> Result<()> {
    if !invalidate_all(|capture| capture.is_in(context)) {
        return Ok(());
    }
    Err(Error::new(
        rules::BARRED,
        format!("{what} is not possible while a stream of the context is being captured; the capture is now invalid: end it and start again"),
    ))
}

/// Rule R3 for the legacy stream of `context`.
pub(super) fn refuse_on_legacy(context: u64) -> Result<()> {
    match invalidate_all(|capture| capture.closes_legacy(context)) {
        true => Err(legacy_barred()),
        false => Ok(()),
    }
}

/// Breaks all ongoing captures for which `conflicts` holds; tells whether there were some.
fn invalidate_all(conflicts: impl Fn(&Capture) -> bool) -> bool {
    if ONGOING.count.load(Ordering::SeqCst) == 0 {
        return false;
    }
    let mut any = false;
    for capture in all_ongoing().iter().filter(|capture| conflicts(capture)) {
        capture.invalidate();
        any = true;
    }
    any
}

fn all_ongoing() -> MutexGuard<'static, Vec<Arc<Capture>>> {
    lock(&ONGOING.all)
}

#[cold]
pub(super) fn legacy_barred() -> Error {
    Error::new(
        rules::LEGACY_BARRED,
        "the legacy stream orders against blocking streams, one of which is being captured; the capture is now invalid: end it; \
         use another stream meanwhile, or capture streams made with NON_BLOCKING",
    )
}

#[cold]
pub(super) fn legacy_barred_for_asking() -> Error {
    Error::new(
        rules::LEGACY_BARRED,
        "the legacy stream orders against blocking streams, one of which is being captured; ask again after that capture",
    )
}
