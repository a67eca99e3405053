//! A list of ops, recorded in order as a graph.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use super::op::{AddNodes, GraphOp, RecordContext};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::names::shown;
use graphcap_base::room;
use graphcap_core::{Context, FftPlan, Graph, Stream};
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{check_caller, CaptureInfo, CaptureStatus};

/// Ops, in the order in which they are recorded. Clones are the same script.
///
/// ```
/// use graphcap::core::{Buffer, Context, FillOf, OwnedWork, Stream};
/// use graphcap::driver::{DeviceChoice, DeviceKind, StreamOptions};
/// use graphcap::kit::Script;
/// use graphcap::rules::CaptureMode;
///
/// let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0)?;
/// let stream = Stream::create(&context, StreamOptions::default())?;
/// let buffer = Buffer::allocate(&context, 64)?;
/// let script = Script::create(&context);
/// script.push(OwnedWork::Memset(FillOf::bytes(&buffer, 7)))?;
/// script.push(OwnedWork::Memset(FillOf { width: 8, ..FillOf::bytes(&buffer, 9) }))?;
///
/// let graph = script.record(&stream, CaptureMode::Global)?;
/// assert_eq!(graph.node_count()?, 2);
/// graph.instantiate()?.launch(&stream)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Script(Arc<Inner>);

struct Inner {
    context: Context,
    entries: Mutex<Vec<Arc<Entry>>, rank::ScriptOps>,
}

/// An op of a script.
struct Entry {
    /// The name that the caller gave it.
    name: Option<Arc<str>>,
    op: Box<dyn GraphOp>,
    is_prepared: AtomicBool,
}

impl Entry {
    fn name(&self) -> Cow<'_, str> {
        self.name.as_deref().map_or_else(|| self.op.name(), Cow::Borrowed)
    }
}

/// A part of a script that was recorded for the body of a conditional.
pub(super) enum BodyPart {
    /// Ops as a graph, which becomes a node.
    Graph(Graph),
    /// An op that adds its nodes itself.
    Nodes(AddNodes),
}

/// Records what it is given as a graph.
type Apart<'a> = &'a dyn Fn(&dyn Fn(&RecordContext) -> Result<()>) -> Result<Graph>;

/// The op of a script that failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FailedOp {
    /// Its place among the ops, from 0.
    pub index: usize,
    /// Name that it was given, or gives itself.
    pub name: String,
}

/// Failure to record a script.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{error}")]
pub struct ScriptError {
    /// The error, with the op in its message.
    pub error: Error,
    /// The op that failed; `None` where the capture could not begin or end.
    pub op: Option<FailedOp>,
}

impl From<Error> for ScriptError {
    fn from(error: Error) -> Self {
        ScriptError { error, op: None }
    }
}

impl Script {
    /// A script without ops, whose ops are prepared for `context`.
    pub fn create(context: &Context) -> Script {
        Script(Arc::new(Inner { context: context.clone(), entries: Mutex::default() }))
    }

    /// The context that ops are prepared for.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Adds an op behind the others. Recordings that go on do not see it.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`.
    pub fn push(&self, op: impl GraphOp + 'static) -> Result<()> {
        self.push_named(None, Box::new(op))
    }

    /// As [`Script::push`], of an op that messages call by `name` instead of its own.
    ///
    /// # Errors
    /// As [`Script::push`].
    pub fn push_named(&self, name: Option<Arc<str>>, op: Box<dyn GraphOp>) -> Result<()> {
        let entry = Arc::new(Entry { name, op, is_prepared: AtomicBool::new(false) });
        let mut entries = lock(&self.0.entries);
        entries.try_reserve(1).map_err(|_| room::missing())?;
        entries.push(entry);
        Ok(())
    }

    /// The number of ops.
    pub fn len(&self) -> usize {
        lock(&self.0.entries).len()
    }

    /// Returns whether there are no ops.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A script of its own with the same ops.
    pub(super) fn copy(&self) -> Result<Script> {
        let entries = Mutex::new(self.entries()?);
        Ok(Script(Arc::new(Inner { context: self.0.context.clone(), entries })))
    }

    /// Returns whether an op makes Fourier transforms by a plan that can be replaced.
    pub(super) fn has_fft(&self) -> bool {
        // An op of the program's that panics has none.
        let has_fft = |entry: &Arc<Entry>| guarded(|| Ok(entry.op.fft().is_some())) == Ok(true);
        self.entries().is_ok_and(|entries| entries.iter().any(has_fft))
    }

    /// A script of its own with the same ops, but for the plan of the op at `index`.
    ///
    /// # Errors
    /// `INVALID_VALUE` where that is no Fourier transform, or one in the other direction; `CALLBACK` where it panics.
    pub(super) fn with_fft_plan(&self, index: usize, plan: &FftPlan) -> Result<Script> {
        let mut entries = self.entries()?;
        let count = entries.len();
        let entry = entries.get_mut(index).ok_or_else(|| {
            Error::invalid_value(format!("the script that was recorded has {count} ops, and none of index {index}"))
        })?;
        let replaced = guarded(|| {
            let refused = |why: &str| Error::invalid_value(format!("op {index} ({}) {why}", shown(&entry.name())));
            let no_transform = || refused("is no Fourier transform, so that it has no plan");
            if entry.op.fft().ok_or_else(no_transform)?.direction != plan.fft().direction {
                return Err(refused("transforms in the other direction than the plan; make a plan with its direction"));
            }
            entry.op.with_fft_plan(plan).ok_or_else(no_transform)
        });
        let op = replaced?;
        *entry = Arc::new(Entry { name: entry.name.clone(), op, is_prepared: AtomicBool::new(false) });
        Ok(Script(Arc::new(Inner { context: self.0.context.clone(), entries: Mutex::new(entries) })))
    }

    /// Prepares the ops that are not prepared yet. Recording does so as well.
    ///
    /// # Errors
    /// That of the first op that fails; `CALLBACK` for one that panics.
    pub fn prepare(&self) -> Result<(), ScriptError> {
        check_caller()?;
        self.prepare_all(&self.entries()?)
    }

    /// Records the ops on a stream, in order, as a graph. The first op that fails ends the recording: the capture is discarded,
    /// and the stream is as before. Ops are prepared before the capture begins.
    ///
    /// # Errors
    /// Those of the first op that fails; `CALLBACK` for one that panics; `CAPTURE_INVALIDATED` and `CAPTURE_UNMATCHED` for one that
    /// breaks or ends the capture; `INVALID_CONTEXT` for a stream of another context; and as [`Stream::capture`].
    pub fn record(&self, stream: &Stream, mode: CaptureMode) -> Result<Graph, ScriptError> {
        check_caller()?;
        self.0.context.check_same("the script", stream.context(), "the stream")?;
        let entries = self.entries()?;
        self.prepare_all(&entries)?;
        stream.capture(mode, |stream| {
            let at = RecordContext::captured(stream);
            record_all(&entries, 0..entries.len(), &at).inspect_err(|_| discard_another(&at))
        })
    }

    /// Submits the ops to a stream, in order: they run, or are recorded if the stream is being captured. Where an op fails, those
    /// before it stay submitted, and a capture of the caller's goes on unless the failure broke it.
    ///
    /// Ops that are not prepared are prepared first, also within a capture; prepare the script before the capture begins.
    ///
    /// # Errors
    /// As [`Script::record`], but for those of beginning and ending a capture.
    pub fn submit(&self, stream: &Stream) -> Result<(), ScriptError> {
        check_caller()?;
        self.0.context.check_same("the script", stream.context(), "the stream")?;
        let entries = self.entries()?;
        self.prepare_all(&entries)?;
        record_all(&entries, 0..entries.len(), &RecordContext::of(stream)?)
    }

    /// Records the ops for the body of a conditional, in order: those that go on together as a graph by `apart`, and what adds the others.
    pub(super) fn record_as_body(&self, apart: Apart<'_>) -> Result<Vec<BodyPart>> {
        let entries = self.entries()?;
        let mut parts = Vec::new();
        let mut begin = 0;
        let mut record_until = |parts: &mut Vec<BodyPart>, end: usize| {
            let record = |at: &RecordContext| record_all(&entries, begin..end, at).map_err(|failed| failed.error);
            // A body without ops has an empty graph.
            if begin < end || entries.is_empty() {
                parts.push(BodyPart::Graph(apart(&record)?));
            }
            begin = end + 1;
            Ok::<(), Error>(())
        };
        for (index, entry) in entries.iter().enumerate() {
            let in_body = |error| failed(index, entry, "recorded", error).error;
            let Some(nodes) = guarded(|| Ok(entry.op.nodes_of_body())).map_err(in_body)? else { continue };
            record_until(&mut parts, index)?;
            parts.push(BodyPart::Nodes(guarded(|| nodes.record_apart()).map_err(in_body)?));
        }
        record_until(&mut parts, entries.len())?;
        Ok(parts)
    }

    /// Finds out whether the ops can be in the body of a conditional, and how many conditionals lie within each other in them.
    ///
    /// # Errors
    /// `INVALID_VALUE` where one cannot, which the message names.
    pub(super) fn check_as_body(&self) -> Result<usize> {
        let mut levels = 0;
        for (index, entry) in self.entries()?.iter().enumerate() {
            let checked = guarded(|| {
                entry.op.check_in_body()?;
                Ok(entry.op.nodes_of_body().map_or(0, |nodes| nodes.levels()))
            });
            let within =
                checked.map_err(|error| failed(index, entry, "put into the body of a conditional", error).error)?;
            levels = levels.max(within);
        }
        Ok(levels)
    }

    /// The ops, so that the lock is not held while they run.
    fn entries(&self) -> Result<Vec<Arc<Entry>>> {
        let entries = lock(&self.0.entries);
        let mut copy = room::list(entries.len())?;
        copy.extend(entries.iter().cloned());
        Ok(copy)
    }

    fn prepare_all(&self, entries: &[Arc<Entry>]) -> Result<(), ScriptError> {
        for (index, entry) in entries.iter().enumerate() {
            if entry.is_prepared.load(Ordering::Acquire) {
                continue;
            }
            guarded(|| entry.op.prepare(&self.0.context)).map_err(|error| failed(index, entry, "prepared", error))?;
            entry.is_prepared.store(true, Ordering::Release);
        }
        Ok(())
    }
}

/// Records the ops of those indices.
fn record_all(entries: &[Arc<Entry>], range: Range<usize>, at: &RecordContext) -> Result<(), ScriptError> {
    for (index, entry) in entries.iter().enumerate().take(range.end).skip(range.start) {
        let recorded = guarded(|| {
            entry.op.record(at)?;
            check_capture(at)
        });
        recorded.map_err(|error| failed(index, entry, "recorded", error))?;
    }
    Ok(())
}

/// Fails where an op did not say that it broke the capture, or ended it.
fn check_capture(at: &RecordContext) -> Result<()> {
    let Some(capture) = at.capture()? else { return Ok(()) };
    let now = at.stream().capture_info()?;
    match now.status {
        CaptureStatus::Active if now.id == capture => Ok(()),
        CaptureStatus::Invalidated if is_or_may_be(now, capture) => {
            Err(Error::new(Status::CAPTURE_INVALIDATED, "it broke the capture"))
        }
        CaptureStatus::None => {
            Err(Error::new(Status::CAPTURE_UNMATCHED, "it ended the capture, which only its beginner may do"))
        }
        CaptureStatus::Active | CaptureStatus::Invalidated => Err(Error::new(
            Status::CAPTURE_UNMATCHED,
            "it ended the capture, which only its beginner may do, and began another one",
        )),
    }
}

/// Returns whether the stream's capture is the one with the number `capture`, as far as is told: NVIDIA's driver answers 0 for the number
/// of a capture that is broken.
fn is_or_may_be(now: CaptureInfo, capture: u64) -> bool {
    now.id == capture || now.id == 0
}

/// Discards a capture that an op began on the stream after it had ended that of the script.
fn discard_another(at: &RecordContext) {
    let Ok(Some(capture)) = at.capture() else { return };
    let is_another = |now: CaptureInfo| now.status != CaptureStatus::None && !is_or_may_be(now, capture);
    if at.stream().capture_info().is_ok_and(is_another) {
        drop(at.stream().end_capture());
    }
}

/// Runs code of an op, whose panic is a failure.
fn guarded<T>(run: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|payload| Err(panicked(payload)))
}

#[cold]
fn panicked(payload: Box<dyn Any + Send>) -> Error {
    let what = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "no reason given".to_owned(),
    };
    // Its own Drop may panic: it is left alone.
    std::mem::forget(payload);
    Error::new(Status::CALLBACK, format!("it panicked: {what}"))
}

#[cold]
fn failed(index: usize, entry: &Entry, what: &str, error: Error) -> ScriptError {
    let name = catch_unwind(AssertUnwindSafe(|| entry.name().into_owned()));
    let name = name.unwrap_or_else(|payload| {
        std::mem::forget(payload);
        "an op whose name panicked".to_owned()
    });
    let message = format!("op {index} ({}) could not be {what}: {}", shown(&name), error.message);
    ScriptError { error: Error::new(error.status, message), op: Some(FailedOp { index, name }) }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Script").field("ops", &self.len()).finish()
    }
}

#[cfg(test)]
#[path = "script_tests.rs"]
mod tests;
