//! An event: a point of a stream that others can wait for, or of a capture that others can join.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::black_box::{self, About};
use super::context::Context;
use super::guarded;
use super::lock;
use super::membership::Marker;
use super::stream::Stream;
use crate::driver::{EventId, EventOptions, Object};
use crate::error::{Error, Result};

/// A point that a stream reaches.
///
/// Dropping the last handle does not undo waits that were submitted.
#[derive(Clone)]
pub struct Event(Arc<EventInner>);

struct EventInner {
    context: Context,
    id: EventId,
    /// Distinct for every event of the process.
    number: u64,
    /// The capture of the latest record. Held over the driver's record and wait, so that no stream can join
    /// through a record that is not noted here yet.
    marker: Mutex<Option<Marker>>,
    /// Whether it was ever recorded.
    recorded: AtomicBool,
    /// Whether the native handle was given out.
    shared: AtomicBool,
}

impl Event {
    /// Makes an event. One that was never recorded counts as complete.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`, or the status of a context that faulted.
    pub fn create(context: &Context, options: EventOptions) -> Result<Event> {
        static NUMBERS: AtomicU64 = AtomicU64::new(1);
        let id = context.driver().event_create(options)?;
        Ok(Event(Arc::new(EventInner {
            context: context.clone(),
            id,
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            marker: Mutex::new(None),
            recorded: AtomicBool::new(false),
            shared: AtomicBool::new(false),
        })))
    }

    /// A number that no other event of the process has or had.
    pub fn number(&self) -> u64 {
        self.0.number
    }

    /// Marks the point that `stream` has reached; in a capture, what it has recorded so far.
    ///
    /// # Errors
    /// `INVALID_CONTEXT` for a stream of another context; `CAPTURE_INVALIDATED` in a broken capture;
    /// `CAPTURE_IMPLICIT` on the legacy stream while a blocking stream is captured.
    pub fn record(&self, stream: &Stream) -> Result<()> {
        stream.context().check_same("the stream", &self.0.context, "the event")?;
        let driver = self.0.context.driver();
        let record = || driver.event_record(self.0.id, stream.id());
        let mut marker = lock(&self.0.marker);
        guarded::work(stream)?;
        *marker = stream.mark(record)?;
        self.0.recorded.store(true, Ordering::Release);
        Ok(())
    }

    /// Whether the latest record was reached. Does not wait.
    ///
    /// # Errors
    /// `CAPTURED_EVENT` when that record is part of a capture, which is invalidated; `INVALID_VALUE` when
    /// that capture is over; `CAPTURE_UNSUPPORTED` when a capture bars the question. The status of a fault.
    pub fn is_complete(&self) -> Result<bool> {
        guarded::event(self, lock(&self.0.marker).as_ref())?;
        self.0.context.driver().event_is_complete(self.0.id).map_err(|error| self.failed(error))
    }

    /// Waits until the latest record is reached.
    ///
    /// # Errors
    /// As [`Event::is_complete`].
    pub fn synchronize(&self) -> Result<()> {
        guarded::event(self, lock(&self.0.marker).as_ref())?;
        self.0.context.driver().event_synchronize(self.0.id).map_err(|error| self.failed(error))
    }

    /// Milliseconds from this event's latest record to that of `end`.
    ///
    /// # Errors
    /// `NOT_READY` while one of them is pending; `INVALID_HANDLE` when one was never recorded or takes no
    /// times; `INVALID_CONTEXT` for events of two contexts.
    pub fn elapsed_ms(&self, end: &Event) -> Result<f32> {
        self.0.context.check_same("the start event", &end.0.context, "the end event")?;
        self.0.context.driver().event_elapsed_ms(self.0.id, end.0.id)
    }

    /// Notes what a failed question about the event, or a wait for it, was about.
    #[cold]
    fn failed(&self, error: Error) -> Error {
        let of = lock(&self.0.marker).as_ref().map(|marker| Arc::clone(marker.story()));
        black_box::failed(None, About::Event(of), error)
    }

    /// The driver's own handle of the event, which others may record from here on.
    ///
    /// # Errors
    /// `NOT_SUPPORTED` on a device without native handles.
    pub fn native(&self) -> Result<usize> {
        let native = self.0.context.driver().native(Object::Event(self.0.id))?;
        self.0.shared.store(true, Ordering::Release);
        Ok(native)
    }

    /// Whether others may have recorded the event.
    #[inline]
    pub(super) fn is_shared(&self) -> bool {
        self.0.shared.load(Ordering::Acquire)
    }

    #[inline]
    pub(super) fn context(&self) -> &Context {
        &self.0.context
    }

    /// Whether it was ever recorded through graphcap.
    pub(super) fn was_recorded(&self) -> bool {
        self.0.recorded.load(Ordering::Acquire)
    }

    /// Makes `wait` with the capture that the event holds or held, which stays as it is meanwhile.
    pub(super) fn wait(&self, wait: impl FnOnce(EventId, Option<&Marker>) -> Result<()>) -> Result<()> {
        let marker = lock(&self.0.marker);
        wait(self.0.id, marker.as_ref())
    }
}

impl Drop for EventInner {
    fn drop(&mut self) {
        self.context.driver().event_destroy(self.id);
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Event").field(&self.0.id.0).finish()
    }
}
