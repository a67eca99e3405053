//! An event: a point of a stream that others can wait for, or of a capture that others can join.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Duration;

use super::context::in_time;
use super::name::{label, naming, Name};
use crate::captures::black_box::{self, About};
use crate::captures::guarded::{self, LatestRecord};
use crate::captures::membership::Marker;
use crate::graphs::uses::{Kind, Uses};
use crate::keep::{Keep, Kept, KeptBy};
use crate::state::{Context, Stream};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex, MutexGuard};
use graphcap_driver::{EventId, EventOptions, IpcHandle, Object, StreamId, UsedBy};

/// A point that a stream reaches.
///
/// Dropping the last handle does not undo waits that were submitted.
#[derive(Clone)]
pub struct Event(Arc<EventInner>);

pub(crate) struct EventInner {
    context: Context,
    id: EventId,
    name: Name,
    kept_by: KeptBy,
    /// Distinct for every event of the process.
    number: u64,
    /// The capture of the latest record. Held over the driver's record and wait, so that no stream can join
    /// through a record that is not noted here yet.
    marker: Mutex<Option<Marker>, rank::Marker>,
    /// Tells whether it was ever recorded by a gc_ call.
    recorded: AtomicBool,
    /// Tells whether others may record it unseen, also in captures of theirs: who have the native handle.
    shared: AtomicBool,
    /// Tells whether launches may record it unseen, of graphs with nodes that do. Each takes the event out of the capture that it was
    /// recorded in, and none into one.
    recorded_by_nodes: AtomicBool,
    /// Streams whose work may go on to use the event when nothing keeps it any more: launches of graphs that record it,
    /// or wait for it.
    used_by: UsedBy,
}

impl Event {
    /// Makes an event. One that was never recorded counts as complete.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`, or the status of a context that faulted.
    pub fn create(context: &Context, options: EventOptions) -> Result<Event> {
        if options.interprocess && !options.disable_timing {
            return Err(Error::invalid_value(
                "an event for other processes takes no times; give DISABLE_TIMING beside INTERPROCESS",
            ));
        }
        let id = context.driver()?.event_create(options)?;
        Ok(Event::of(context, id))
    }

    /// Makes an event that is one of another process, which gave `handle`. It is as good as one made here, takes no
    /// times, and goes on to work when that process has destroyed its own.
    ///
    /// # Errors
    /// `NOT_SUPPORTED` on a device whose events are of one process; what the driver answers to a handle that is none,
    /// or
    /// that is one of this process.
    pub fn open_ipc(context: &Context, handle: &IpcHandle) -> Result<Event> {
        let id = context.driver()?.event_open_ipc(handle)?;
        Ok(Event::of(context, id))
    }

    fn of(context: &Context, id: EventId) -> Event {
        static NUMBERS: AtomicU64 = AtomicU64::new(1);
        Event(Arc::new(EventInner {
            context: context.clone(),
            id,
            name: Name::default(),
            kept_by: KeptBy::none(),
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            marker: Mutex::new(None),
            recorded: AtomicBool::new(false),
            shared: AtomicBool::new(false),
            recorded_by_nodes: AtomicBool::new(false),
            used_by: UsedBy::default(),
        }))
    }

    /// The event that something keeps.
    pub(crate) fn from_kept(kept: Arc<EventInner>) -> Event {
        Event(kept)
    }

    /// Returns what other processes open the event by.
    ///
    /// # Errors
    /// `NOT_SUPPORTED` on a device whose events are of one process; what the driver answers where the event was not
    /// made
    /// for that.
    pub fn ipc_handle(&self) -> Result<IpcHandle> {
        self.0.context.driver()?.event_ipc_handle(self.0.id)
    }

    pub(crate) fn own_name(&self) -> &Name {
        &self.0.name
    }

    /// A number that no other event of the process has or had.
    pub fn number(&self) -> u64 {
        self.0.number
    }

    /// Returns what messages call the event.
    #[cold]
    pub(crate) fn label(&self) -> String {
        label(&format!("event {}", self.number()), self.name().as_deref())
    }

    /// The error of a call on the event, with its name.
    #[cold]
    pub(crate) fn naming(&self, error: Error) -> Error {
        naming(error, "event", self.name())
    }

    /// The order in which several events are locked.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// Marks the point that `stream` has reached; in a capture, what it has recorded so far.
    ///
    /// # Errors
    /// `INVALID_CONTEXT` for a stream of a device of another kind; `INVALID_HANDLE` for one of another device of the kind;
    /// `CAPTURE_INVALIDATED` in a broken capture;
    /// `CAPTURE_IMPLICIT` on the legacy stream while a blocking stream is captured.
    pub fn record(&self, stream: &Stream) -> Result<()> {
        stream.context().check_family("the stream", &self.0.context, "the event")?;
        let record = || stream.driver()?.event_record(self.0.id, stream.id());
        let mut marker = lock(&self.0.marker);
        guarded::work(stream)?;
        *marker = stream.mark(record)?;
        self.note_recorded();
        Ok(())
    }

    /// Returns whether the latest record was reached. Does not wait.
    ///
    /// # Errors
    /// `CAPTURED_EVENT` when that record is part of a capture, which is invalidated; `INVALID_VALUE` when
    /// that capture is over; `CAPTURE_UNSUPPORTED` when a capture bars the question. The status of a fault.
    pub fn is_complete(&self) -> Result<bool> {
        guarded::event(self.context(), self.latest_record(lock(&self.0.marker).as_ref()))?;
        self.0
            .context
            .driver()
            .and_then(|driver| driver.event_is_complete(self.0.id))
            .map_err(|error| self.failed(error))
    }

    /// Returns whether the latest record was reached before the context faulted, which [`Event::is_complete`] does not tell any more. False
    /// where the device does not tell either.
    pub fn was_reached_before_fault(&self) -> bool {
        self.0.context.driver().is_ok_and(|driver| driver.event_was_reached_before_fault(self.0.id))
    }

    /// Waits until the latest record is reached.
    ///
    /// # Errors
    /// As [`Event::is_complete`].
    pub fn synchronize(&self) -> Result<()> {
        guarded::event(self.context(), self.latest_record(lock(&self.0.marker).as_ref()))?;
        self.0
            .context
            .driver()
            .and_then(|driver| driver.event_synchronize(self.0.id))
            .map_err(|error| self.failed(error))?;
        self.context().check_current()
    }

    /// Waits until the latest record is reached, but no longer than `limit`. A capture that the event is recorded in
    /// meanwhile is left alone, and hides the earlier record on a foreign driver.
    ///
    /// # Errors
    /// `TIMEOUT` when the record was not reached by then, and as [`Event::is_complete`].
    pub fn synchronize_for(&self, limit: Duration) -> Result<()> {
        guarded::event(self.context(), self.latest_record(lock(&self.0.marker).as_ref()))?;
        let unless_captured = |ask: &mut dyn FnMut()| {
            let marker = lock(&self.0.marker);
            if marker.as_ref().is_none_or(Marker::is_over) {
                ask();
            }
        };
        let driver = self.0.context.driver();
        let waited = driver.and_then(|driver| driver.event_synchronize_for(self.0.id, limit, &unless_captured));
        let is_complete = waited.map_err(|error| self.failed(error))?;
        self.context().check_current()?;
        in_time(limit, is_complete)
    }

    /// Milliseconds from this event's latest record to that of `end`.
    ///
    /// # Errors
    /// `NOT_READY` while one of them is pending; `INVALID_HANDLE` when one was never recorded or takes no
    /// times, or when they are of two devices; `INVALID_CONTEXT` for events of devices of two kinds.
    pub fn elapsed_ms(&self, end: &Event) -> Result<f32> {
        self.0.context.check_family("the start event", &end.0.context, "the end event")?;
        let elapsed = self.0.context.driver().and_then(|driver| driver.event_elapsed_ms(self.0.id, end.0.id));
        elapsed.map_err(|error| with_way_to_ask(end.naming(self.naming(error)), [self, end]))
    }

    /// Notes what a failed question about the event, or a wait for it, was about.
    #[cold]
    fn failed(&self, error: Error) -> Error {
        let error = with_way_to_ask(error, [self, self]);
        let of = lock(&self.0.marker).as_ref().map(|marker| Arc::clone(marker.log()));
        black_box::failed(Some(&self.0.context), None, About::Event(of), self.naming(error))
    }

    /// The driver's own handle of the event, which others may record from here on.
    ///
    /// # Errors
    /// `NOT_SUPPORTED` on a device without native handles.
    pub fn native(&self) -> Result<usize> {
        let native = self.0.context.driver()?.native(Object::Event(self.0.id))?;
        self.0.shared.store(true, Ordering::Release);
        Ok(native)
    }

    #[inline]
    pub(crate) fn id(&self) -> EventId {
        self.0.id
    }

    /// True where the latest record that graphcap saw is part of a capture.
    fn is_in_capture(&self) -> bool {
        lock(&self.0.marker).is_some()
    }

    /// Returns whether others may have recorded the event unseen, also in captures.
    #[inline]
    pub(crate) fn is_shared(&self) -> bool {
        self.0.shared.load(Ordering::Acquire)
    }

    /// Returns whether launches of graphs may have recorded the event unseen, which is outside of captures.
    #[inline]
    pub(crate) fn is_recorded_by_nodes(&self) -> bool {
        self.0.recorded_by_nodes.load(Ordering::Acquire)
    }

    #[inline]
    pub(crate) fn kept_by(&self) -> &KeptBy {
        &self.0.kept_by
    }

    /// Returns whether `kept` keeps it alive.
    pub(crate) fn is_kept(&self, kept: &Kept) -> bool {
        kept.is_of(&self.0)
    }

    pub(crate) fn inner(&self) -> Arc<EventInner> {
        Arc::clone(&self.0)
    }

    /// The context that it belongs to.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// The event is recorded through graphcap.
    pub(crate) fn note_recorded(&self) {
        self.0.recorded.store(true, Ordering::Release);
    }

    /// A node records the event: by launches, which are not looked at.
    pub(crate) fn note_node(&self) {
        self.0.recorded_by_nodes.store(true, Ordering::Release);
    }

    /// Locks what is known of the capture that the event is recorded in, to be told of a record.
    pub(crate) fn marker(&self) -> MutexGuard<'_, Option<Marker>> {
        lock(&self.0.marker)
    }

    /// Returns what is known of the latest record, which `marker` is of.
    pub(crate) fn latest_record<'a>(&self, marker: Option<&'a Marker>) -> LatestRecord<'a> {
        LatestRecord {
            marker,
            is_shared: self.is_shared(),
            is_recorded_by_nodes: self.is_recorded_by_nodes(),
            was_recorded: self.0.recorded.load(Ordering::Acquire),
        }
    }

    /// Makes `wait` with the capture that the event holds or held, which stays as it is meanwhile.
    pub(crate) fn wait(&self, wait: impl FnOnce(EventId, Option<&Marker>) -> Result<()>) -> Result<()> {
        let marker = lock(&self.0.marker);
        wait(self.0.id, marker.as_ref())
    }
}

/// Adds to `error`, the answer to a question about `events`, how an event of a graph is asked about.
#[cold]
fn with_way_to_ask(mut error: Error, events: [&Event; 2]) -> Error {
    let never_ran = |event: &Event| event.is_recorded_by_nodes() && !event.0.recorded.load(Ordering::Acquire);
    let advice = match error.status {
        Status::CAPTURED_EVENT | Status::INVALID_VALUE if events.iter().any(|event| event.is_in_capture()) => {
            "; an event that a graph is to record at each launch is recorded with GRAPHCAP_EVENT_RECORD_EXTERNAL in the capture"
        }
        Status::INVALID_HANDLE if events.iter().any(|event| never_ran(event)) => {
            "; a node of a graph records the event, so launch the graph first"
        }
        _ => return error,
    };
    error.message.to_mut().push_str(advice);
    error
}

impl Keep for EventInner {
    fn note_use(&self, stream: StreamId) {
        self.used_by.note(stream, |stream| self.context.driver_even_if_stale().stream_is_over(stream));
    }

    fn kind(&self) -> Kind {
        Kind::Event
    }

    fn users(&self, uses: &Uses, places: &mut Vec<usize>) {
        uses.event(self.id, places);
    }
}

impl Drop for EventInner {
    fn drop(&mut self) {
        self.context.driver_even_if_stale().event_destroy(self.id, &self.used_by.take());
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Event").field(&self.0.id.0).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faulty::Faulty;
    use graphcap_base::error::Status;
    use graphcap_driver::rules::CaptureMode;
    use graphcap_driver::StreamOptions;

    fn event(context: &Context) -> Event {
        Event::create(context, EventOptions::default()).unwrap()
    }

    #[test]
    fn graphs_keep_the_events_that_they_record_and_wait_for() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let (recorded, awaited) = (event(&context), event(&context));
        stream.begin_capture(CaptureMode::Global).unwrap();
        for _ in 0..2 {
            recorded.record_external(&stream).unwrap();
            stream.wait_event_external(&awaited).unwrap();
        }
        let live = driver.live();
        drop((recorded, awaited));
        assert_eq!(driver.live(), live, "the capture has them");
        let exec = stream.end_capture().unwrap().instantiate().unwrap();
        exec.launch(&stream).unwrap();
        assert_eq!(driver.violations(), Vec::<String>::new());
        drop((exec, stream));
        assert_eq!(driver.live(), 0);
    }

    #[test]
    fn external_events_are_of_captures_and_leave_the_event_outside_of_it() {
        let (driver, context) = Faulty::context();
        let [captured, other] = [(); 2].map(|()| Stream::create(&context, StreamOptions::default()).unwrap());
        let event = event(&context);
        assert_eq!(event.record_external(&captured).unwrap_err().status, Status::ILLEGAL_STATE);
        assert_eq!(captured.wait_event_external(&event).unwrap_err().status, Status::ILLEGAL_STATE);
        captured.begin_capture(CaptureMode::Global).unwrap();
        event.record_external(&captured).unwrap();
        other.wait_event(&event).unwrap();
        let info = other.capture_info().unwrap();
        assert_eq!(info.id, 0, "the other stream has not joined");
        drop(captured.end_capture().unwrap());
        assert_eq!(driver.violations(), Vec::<String>::new());
    }

    #[test]
    fn waits_with_a_limit_say_when_it_has_passed() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let event = event(&context);
        type Wait<'a> = (&'static str, &'a dyn Fn(Duration) -> Result<()>);
        let waits: [Wait; 3] = [
            ("synchronize_for", &|limit| context.synchronize_for(limit)),
            ("stream_synchronize_for", &|limit| stream.synchronize_for(limit)),
            ("event_synchronize_for", &|limit| event.synchronize_for(limit)),
        ];
        for (call, wait) in waits {
            let (finish, is_finished) = std::sync::mpsc::channel::<()>();
            let is_finished = std::sync::Mutex::new(is_finished);
            stream.launch_host_function(Arc::new(move || _ = is_finished.lock().unwrap().recv())).unwrap();
            event.record(&stream).unwrap();
            let error = wait(Duration::ZERO).unwrap_err();
            assert!(error.status == Status::TIMEOUT && error.message.contains("0ns"), "{}", error.message);
            drop(finish);
            assert_eq!(wait(Duration::MAX), Ok(()), "{call}");
            driver.fail(call, Status::LAUNCH_FAILED);
            assert_eq!(wait(Duration::ZERO).unwrap_err().status, Status::LAUNCH_FAILED, "{call}");
        }
    }

    #[test]
    fn a_wait_asks_no_more_once_the_event_is_captured() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let event = event(&context);
        let (recording, on) = (event.clone(), stream.clone());
        driver.at("event_synchronize_for", move || {
            on.begin_capture(CaptureMode::Relaxed).unwrap();
            recording.record(&on).unwrap();
        });
        assert_eq!(event.synchronize_for(Duration::MAX).unwrap_err().status, Status::TIMEOUT);
        drop(stream.end_capture().unwrap());
        let refused = event.synchronize_for(Duration::MAX).unwrap_err();
        assert_eq!(refused.status, Status::INVALID_VALUE, "of a capture that is over the driver is asked");
    }

    #[test]
    fn an_event_for_other_processes_takes_no_times() {
        let (_driver, context) = Faulty::context();
        let options = EventOptions { interprocess: true, ..EventOptions::default() };
        assert_eq!(Event::create(&context, options).unwrap_err().status, Status::INVALID_VALUE);
        Event::create(&context, EventOptions { disable_timing: true, ..options }).unwrap();
    }
}
