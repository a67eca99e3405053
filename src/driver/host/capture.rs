//! Captures of the host device: which are ongoing, what they record, and how the rules of
//! [`crate::rules`] bear on calls.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::graph::{Action, Definition, Dependencies};
use super::stream::{Queue, Stream};
use crate::driver::{CaptureInfo, CaptureStatus};
use crate::error::{Error, Result, Status};
use crate::rules::{self, CaptureMode, Ongoing, ThreadNumber};

/// A capture, from its begin until its end.
pub(super) struct Capture {
    id: u64,
    context: u64,
    ongoing: Ongoing,
    /// Whether a blocking stream is part of it, which closes the legacy stream.
    has_blocking: AtomicBool,
    invalidated: AtomicBool,
    ended: AtomicBool,
    recording: Mutex<Definition>,
}

/// A stream's part in a capture.
pub(super) struct Member {
    pub(super) capture: Arc<Capture>,
    frontier: Frontier,
    is_origin: bool,
}

/// The nodes that a stream's next node depends on.
#[derive(Clone, Default)]
pub(super) struct Frontier {
    nodes: Dependencies,
    /// How many of the nodes are known to differ from each other.
    distinct: usize,
}

impl Frontier {
    /// Adds the nodes of `other`. Joining many branches one by one must not compare each with all others, so
    /// doubles are dropped only when there may be as many of them as there are nodes.
    fn merge(&mut self, other: &Frontier) {
        self.nodes.extend_from_slice(&other.nodes);
        if self.nodes.len() > 2 * self.distinct + 16 {
            self.drop_doubles();
        }
    }

    fn drop_doubles(&mut self) {
        if self.distinct < self.nodes.len() {
            self.nodes.sort_unstable();
            self.nodes.dedup();
            self.distinct = self.nodes.len();
        }
    }

    /// Takes the nodes for a new one that comes after them.
    fn take(&mut self) -> Dependencies {
        self.drop_doubles();
        std::mem::take(self).nodes
    }

    fn set(&mut self, node: u32) {
        self.nodes.clear();
        self.nodes.push(node);
        self.distinct = 1;
    }
}

/// All ongoing captures of the process: unsafe calls are barred across contexts.
static ONGOING: Mutex<Vec<Arc<Capture>>> = Mutex::new(Vec::new());
/// Length of `ONGOING`, to look without locking.
static OPEN: AtomicUsize = AtomicUsize::new(0);
static LAST_ID: AtomicU64 = AtomicU64::new(0);

/// The number of a thread; tells the device when the thread ends.
struct Numbered(ThreadNumber);

impl Drop for Numbered {
    fn drop(&mut self) {
        super::stream_list::end_thread(self.0);
    }
}

thread_local! {
    static THREAD: Numbered = {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Numbered(ThreadNumber(LAST.fetch_add(1, Ordering::Relaxed) + 1))
    };
}

/// Names the calling thread. No number is used twice; 0 stands for any thread that is about to end.
pub(super) fn this_thread() -> ThreadNumber {
    THREAD.try_with(|thread| thread.0).unwrap_or(ThreadNumber(0))
}

impl Capture {
    /// Whether the capture goes on and is whole.
    pub(super) fn is_active(&self) -> bool {
        !self.ended.load(Ordering::Acquire) && !self.invalidated.load(Ordering::Acquire)
    }

    /// Whether the legacy stream of context `context` is closed while the capture goes on.
    fn closes_legacy(&self, context: u64) -> bool {
        self.context == context && self.has_blocking.load(Ordering::Acquire)
    }

    /// Breaks the capture; its end will say so.
    pub(super) fn invalidate(&self) {
        self.invalidated.store(true, Ordering::Release);
    }

    /// Ends the capture for all its streams and gives what it recorded.
    fn close(self: &Arc<Self>) -> Definition {
        let definition = {
            let mut recording = self.recording();
            self.ended.store(true, Ordering::Release);
            std::mem::take(&mut *recording)
        };
        let mut ongoing = all_ongoing();
        ongoing.retain(|capture| !Arc::ptr_eq(capture, self));
        OPEN.store(ongoing.len(), Ordering::SeqCst);
        definition
    }

    fn recording(&self) -> MutexGuard<'_, Definition> {
        self.recording.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Member {
    /// Records `action` after the frontier, and makes it the frontier. Gives the action back if the capture
    /// has ended meanwhile.
    pub(super) fn record(&mut self, action: Action) -> Result<Option<Action>> {
        self.check_active()?;
        let mut recording = self.capture.recording();
        if self.capture.ended.load(Ordering::Acquire) {
            return Ok(Some(action));
        }
        let Some(node) = recording.add(action, self.frontier.take()) else {
            self.capture.invalidate();
            return Err(Error::new(Status::OUT_OF_MEMORY, "the graph has as many nodes as a graph can have"));
        };
        self.frontier.set(node);
        Ok(None)
    }

    /// The frontier, for an event that marks it.
    pub(super) fn mark(&mut self) -> Result<Frontier> {
        self.check_active()?;
        self.frontier.drop_doubles();
        Ok(self.frontier.clone())
    }

    /// Fails when the capture was broken.
    pub(super) fn check_active(&self) -> Result<()> {
        if self.capture.invalidated.load(Ordering::Acquire) {
            return Err(invalidated());
        }
        Ok(())
    }

    /// Breaks the capture for a call that is illegal on its streams, and gives what that call answers.
    pub(super) fn bar(&self, what: &str) -> Error {
        if let Err(already) = self.check_active() {
            return already;
        }
        self.capture.invalidate();
        Error::new(
            rules::BARRED,
            format!("{what} is not possible on a stream that is being captured; the capture is now invalid: end it and start again"),
        )
    }
}

/// The stream's part in a capture that goes on, be it active or broken.
pub(super) fn live_member(queue: &mut Queue) -> Option<&mut Member> {
    if queue.member.as_ref().is_some_and(|member| member.capture.ended.load(Ordering::Acquire)) {
        queue.member = None;
    }
    queue.member.as_mut()
}

/// Starts a capture that `stream` is the origin of.
pub(super) fn begin(stream: &Arc<Stream>, mode: CaptureMode) -> Result<()> {
    if stream.is_legacy {
        return Err(Error::new(
            rules::BARRED,
            "the legacy stream cannot be captured; capture a stream of your own or the per-thread default stream",
        ));
    }
    let mut queue = stream.lock();
    if live_member(&mut queue).is_some() {
        return Err(Error::new(Status::ILLEGAL_STATE, "the stream is being captured already; end that capture first"));
    }
    let capture = Arc::new(Capture {
        id: LAST_ID.fetch_add(1, Ordering::Relaxed) + 1,
        context: stream.context.number,
        ongoing: Ongoing { mode, began_by: this_thread() },
        has_blocking: AtomicBool::new(stream.blocking),
        invalidated: AtomicBool::new(false),
        ended: AtomicBool::new(false),
        recording: Mutex::default(),
    });
    let mut ongoing = all_ongoing();
    ongoing.push(Arc::clone(&capture));
    OPEN.store(ongoing.len(), Ordering::SeqCst);
    queue.member = Some(Member { capture, frontier: Frontier::default(), is_origin: true });
    Ok(())
}

/// Ends the capture that `stream` is the origin of and gives the graph.
pub(super) fn end(stream: &Arc<Stream>) -> Result<Definition> {
    let mut queue = stream.lock();
    let Some(member) = live_member(&mut queue) else {
        return Err(Error::new(Status::ILLEGAL_STATE, "the stream is not being captured; begin a capture first"));
    };
    if !member.is_origin {
        member.capture.invalidate();
        return Err(Error::new(
            Status::CAPTURE_UNMATCHED,
            "the stream joined a capture that began on another stream; the capture is now invalid: end it there",
        ));
    }
    let Ongoing { mode, began_by } = member.capture.ongoing;
    let capture = Arc::clone(&member.capture);
    let frontier = std::mem::take(&mut member.frontier);
    queue.member = None;
    drop(queue);
    let definition = capture.close();
    // Asked when no other call can break it any more.
    let was_invalidated = capture.invalidated.load(Ordering::Acquire);
    if !rules::may_end(mode, began_by, this_thread()) {
        return Err(Error::new(
            Status::CAPTURE_WRONG_THREAD,
            "a capture must be ended by the thread that began it, unless it was begun in the relaxed mode; the capture is gone",
        ));
    }
    if was_invalidated {
        return Err(invalidated());
    }
    let mut open = definition.sinks();
    for &node in &frontier.nodes {
        open[node as usize] = false;
    }
    let open = open.into_iter().filter(|&open| open).count();
    if open > 0 {
        return Err(Error::new(
            Status::CAPTURE_UNJOINED,
            format!(
                "{open} of the recorded nodes are not followed by anything on the stream that began the capture; record an event \
                 on each forked stream and let the first stream wait for it before the end"
            ),
        ));
    }
    Ok(definition)
}

/// Discards the capture that a stream is the origin of, if there is one.
pub(super) fn abandon(stream: &Arc<Stream>) {
    let mut queue = stream.lock();
    let Some(member) = queue.member.take_if(|member| member.is_origin) else { return };
    drop(queue);
    if !member.capture.ended.load(Ordering::Acquire) {
        drop(member.capture.close());
    }
}

/// Lets `stream` wait for a place in a capture: it becomes part of that capture, or already is.
pub(super) fn join(stream: &Arc<Stream>, capture: &Arc<Capture>, frontier: &Frontier) -> Result<()> {
    if stream.is_legacy && capture.is_active() {
        capture.invalidate();
        return Err(legacy_barred());
    }
    let mut queue = stream.lock();
    let Some(member) = live_member(&mut queue) else {
        if !capture.is_active() {
            return Err(captured_before());
        }
        if stream.blocking {
            capture.has_blocking.store(true, Ordering::Release);
        }
        queue.member = Some(Member { capture: Arc::clone(capture), frontier: frontier.clone(), is_origin: false });
        return Ok(());
    };
    member.check_active()?;
    if Arc::ptr_eq(&member.capture, capture) {
        member.frontier.merge(frontier);
        return Ok(());
    }
    member.capture.invalidate();
    if !capture.is_active() {
        return Err(captured_before());
    }
    capture.invalidate();
    Err(Error::new(
        Status::CAPTURE_MERGE,
        "the stream and the event belong to two captures, which cannot be merged; both are now invalid: end them",
    ))
}

/// What is told of the stream's capture.
pub(super) fn info(stream: &Arc<Stream>) -> Result<CaptureInfo> {
    if stream.is_legacy && all_ongoing().iter().any(|capture| capture.closes_legacy(stream.context.number)) {
        return Err(legacy_barred_for_asking());
    }
    let mut queue = stream.lock();
    Ok(match live_member(&mut queue) {
        None => CaptureInfo { status: CaptureStatus::None, id: 0 },
        Some(member) => {
            let invalid = member.capture.invalidated.load(Ordering::Acquire);
            let status = if invalid { CaptureStatus::Invalidated } else { CaptureStatus::Active };
            CaptureInfo { status, id: member.capture.id }
        }
    })
}

/// Rule R1: fails, and invalidates what it conflicts with, where an unsafe call of this thread is barred.
pub(super) fn unsafe_call() -> Result<()> {
    let barred = |capture: &Capture| rules::bars_unsafe_call(capture.ongoing, this_thread(), CaptureMode::Global);
    if !invalidate_all(barred) {
        return Ok(());
    }
    Err(Error::new(
        rules::BARRED,
        "the call could wait for or free what a capture still needs, so an ongoing capture bars it and is now invalid: end it; \
         call this before or after captures, or begin them in a narrower mode",
    ))
}

/// Rule R2: fails, and invalidates the capture, where `stream` is part of one.
pub(super) fn refuse_while_capturing(stream: &Arc<Stream>, what: &str) -> Result<()> {
    let mut queue = stream.lock();
    match live_member(&mut queue) {
        None => Ok(()),
        Some(member) => Err(member.bar(what)),
    }
}

/// Rule R2 for a whole context: fails, and invalidates, where one of its streams is captured.
pub(super) fn refuse_in_context(context: u64, what: &str) -> Result<()> {
    if !invalidate_all(|capture| capture.context == context) {
        return Ok(());
    }
    Err(Error::new(
        rules::BARRED,
        format!("{what} is not possible while a stream of the context is being captured; the capture is now invalid: end it and start again"),
    ))
}

/// Rule R3: fails, and invalidates, where the legacy stream is closed by captures of blocking streams.
pub(super) fn refuse_on_legacy(stream: &Arc<Stream>) -> Result<()> {
    if stream.is_legacy && invalidate_all(|capture| capture.closes_legacy(stream.context.number)) {
        return Err(legacy_barred());
    }
    Ok(())
}

/// Breaks all ongoing captures for which `conflicts` holds; tells whether there were some.
fn invalidate_all(conflicts: impl Fn(&Capture) -> bool) -> bool {
    if OPEN.load(Ordering::SeqCst) == 0 {
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
    ONGOING.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cold]
fn invalidated() -> Error {
    Error::new(
        Status::CAPTURE_INVALIDATED,
        "an earlier call broke the capture; end it on the stream that began it and record again",
    )
}

#[cold]
fn captured_before() -> Error {
    Error::invalid_value("the event was last recorded in a capture that is over or invalid; record it again")
}

#[cold]
fn legacy_barred() -> Error {
    Error::new(
        rules::LEGACY_BARRED,
        "the legacy stream orders against blocking streams, one of which is being captured; the capture is now invalid: end it; \
         use another stream meanwhile, or capture streams made with NON_BLOCKING",
    )
}

#[cold]
fn legacy_barred_for_asking() -> Error {
    Error::new(
        rules::LEGACY_BARRED,
        "the legacy stream orders against blocking streams, one of which is being captured; ask again after that capture",
    )
}
