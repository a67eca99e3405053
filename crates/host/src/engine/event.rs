//! Events of the host device.

use std::sync::Arc;

use super::completion::Completion;
use super::event_point::{EventPoint, Latest};
use super::stream::{Op, Stream};
use crate::capture::{self, live_member, Capture, Frontier};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex, MutexGuard};
use graphcap_driver::rules;
use graphcap_driver::{EdgeData, EventOptions};

/// An event.
pub(crate) struct Event {
    options: EventOptions,
    /// The point of the event, which nodes that record it or wait for it hold.
    point: Arc<EventPoint>,
    /// The place in a capture where it was last recorded in one.
    mark: Mutex<Option<(Arc<Capture>, Frontier)>, rank::EventMark>,
}

impl Event {
    pub(crate) fn new(device: u32, options: EventOptions) -> Event {
        Event { options, point: Arc::new(EventPoint::new(device)), mark: Mutex::default() }
    }

    /// The event as nodes hold it.
    pub(crate) fn point(&self) -> &Arc<EventPoint> {
        &self.point
    }

    /// Fails unless the event is of `device`, as the streams that record it have to be.
    pub(crate) fn check_device(&self, device: u32) -> Result<()> {
        if self.point.device() == device {
            return Ok(());
        }
        Err(Error::new(
            Status::INVALID_HANDLE,
            format!(
                "the event is of device {}, and the stream of device {device}; record an event of the stream's device, for which \
                 streams of others can wait",
                self.point.device()
            ),
        ))
    }

    /// Marks the point that `stream` has reached, in a capture the place in its last node that `data` tells; `submit` queues the mark
    /// where the stream executes.
    pub(crate) fn record(
        &self,
        stream: &Arc<Stream>,
        data: EdgeData,
        submit: impl FnOnce(Op) -> Result<()>,
    ) -> Result<()> {
        let mut latest = self.lock();
        let marked = live_member(&mut stream.lock()).map(|member| {
            let frontier = member.mark(data)?;
            Ok((Arc::clone(&member.capture), frontier))
        });
        if let Some(mark) = marked {
            *lock(&self.mark) = Some(mark?);
            *latest = Latest::Captured;
            return Ok(());
        }
        let point = Arc::new(Completion::of_stream(stream));
        submit(Op::Record(Arc::clone(&point)))?;
        if let Latest::Captured = std::mem::replace(&mut *latest, Latest::Recorded(point)) {
            *lock(&self.mark) = None;
        }
        Ok(())
    }

    /// Orders what `stream` does next after the latest record; `submit` queues the wait where the stream executes.
    pub(crate) fn make_wait(&self, stream: &Arc<Stream>, submit: impl FnOnce(Op) -> Result<()>) -> Result<()> {
        let latest = self.lock();
        // Asked first, so that the answer does not depend on the event.
        capture::refuse_on_legacy(stream)?;
        match &*latest {
            Latest::Never => live_member(&mut stream.lock()).map_or(Ok(()), |member| member.check_active()),
            Latest::Captured => match &*lock(&self.mark) {
                Some((capture, frontier)) => capture::join(stream, capture, frontier),
                None => Err(capture::captured_before()),
            },
            Latest::Recorded(point) => {
                {
                    let mut queue = stream.lock();
                    if let Some(member) = live_member(&mut queue) {
                        member.check_active()?;
                        member.capture.invalidate();
                        return Err(Error::new(
                            Status::CAPTURE_ISOLATION,
                            "the stream is being captured and the event was recorded outside the capture; the capture is now invalid: end it; \
                             record the event inside it, or wait before the capture begins",
                        ));
                    }
                }
                if point.is_reached() {
                    return Ok(());
                }
                submit(Op::Wait(Arc::clone(point)))
            }
        }
    }

    /// The latest record as a point to ask about, `None` if there is none. An unsafe call under the capture rules.
    pub(crate) fn latest_record(&self) -> Result<Option<Arc<Completion>>> {
        match &*self.lock() {
            Latest::Captured => match self.capture().filter(|capture| capture.is_active()) {
                Some(capture) => {
                    capture.invalidate();
                    Err(Error::new(
                        rules::CAPTURED_EVENT,
                        "the event was recorded in a capture, so it stands for a place in a graph and never completes; \
                         the capture is now invalid: end it, and ask outside captures",
                    ))
                }
                None => Err(Error::invalid_value(
                    "the event was last recorded in a capture that is over or invalid; record it again outside of one",
                )),
            },
            Latest::Never => capture::unsafe_call().map(|()| None),
            Latest::Recorded(point) => capture::unsafe_call().map(|()| Some(Arc::clone(point))),
        }
    }

    /// Returns whether threads that wait for it sleep at once.
    pub(crate) fn is_slept_for(&self) -> bool {
        self.options.blocking_sync
    }

    /// Returns whether the latest record was reached with all work before it done.
    pub(crate) fn has_run(&self) -> bool {
        matches!(&*self.lock(), Latest::Recorded(point) if point.has_run())
    }

    /// Milliseconds from this event to `end`.
    pub(crate) fn elapsed_ms(&self, end: &Event) -> Result<f32> {
        let (own, other) = (self.point.device(), end.point.device());
        if own != other {
            return Err(Error::new(
                Status::INVALID_HANDLE,
                format!("the events are of device {own} and device {other}, between which there is no time"),
            ));
        }
        let point = |event: &Event, which: &str| {
            if event.options.disable_timing {
                let message = format!("the {which} event takes no times; create it without DISABLE_TIMING");
                return Err(Error::new(Status::INVALID_HANDLE, message));
            }
            match &*event.lock() {
                Latest::Recorded(point) => Ok(Ok(Arc::clone(point))),
                Latest::Captured => Ok(Err(event.capture().is_some_and(|capture| capture.is_active()))),
                Latest::Never => {
                    let message = format!("the {which} event was never recorded; record it first");
                    Err(Error::new(Status::INVALID_HANDLE, message))
                }
            }
        };
        let recorded = |point: std::result::Result<Arc<Completion>, bool>, which: &str| {
            point.map_err(|is_active| match is_active {
                true => Error::new(
                    rules::CAPTURED_EVENT,
                    format!("the {which} event was recorded in a capture, where it stands for a place in a graph and takes no times"),
                ),
                false => Error::invalid_value(format!(
                    "the {which} event was last recorded in a capture that is over or invalid; record it again outside of one"
                )),
            })
        };
        let time = |point: &Completion, which: &str| {
            point.reached_at().ok_or_else(|| {
                Error::new(Status::NOT_READY, format!("the {which} event has not completed; synchronise with it first"))
            })
        };
        // Both must be such that they will have a time, before it matters whether they have it now.
        let (from, to) = (recorded(point(self, "start")?, "start")?, recorded(point(end, "end")?, "end")?);
        let (from, to) = (time(&from, "start")?, time(&to, "end")?);
        Ok(match to.checked_duration_since(from) {
            Some(later) => later.as_secs_f32() * 1e3,
            None => -((from - to).as_secs_f32() * 1e3),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Latest> {
        self.point.lock()
    }

    /// The capture that it was last recorded in.
    fn capture(&self) -> Option<Arc<Capture>> {
        lock(&self.mark).as_ref().map(|(capture, _)| Arc::clone(capture))
    }
}
