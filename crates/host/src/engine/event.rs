//! Events of the host device.

use std::sync::{Arc, OnceLock};

use super::completion::Completion;
use super::stream::{Op, Stream};
use crate::capture::{self, live_member, Capture, Frontier};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex, MutexGuard};
use graphcap_driver::rules;
use graphcap_driver::{EdgeData, EventId, EventOptions};

/// An event.
pub(crate) struct Event {
    /// The number of its device among those of the kind.
    device: u32,
    /// Set when the event is entered into the table of events.
    id: OnceLock<EventId>,
    options: EventOptions,
    latest: Mutex<Latest, rank::Latest>,
}

/// What the event was last recorded as.
pub(crate) enum Latest {
    Never,
    Recorded(Arc<Completion>),
    Captured(Arc<Capture>, Frontier),
}

impl Latest {
    /// The record, if it was not reached yet.
    pub(crate) fn pending(&self) -> Option<Arc<Completion>> {
        match self {
            Latest::Recorded(point) if !point.is_reached() => Some(Arc::clone(point)),
            _ => None,
        }
    }
}

impl Event {
    pub(crate) fn new(device: u32, options: EventOptions) -> Event {
        Event { device, id: OnceLock::new(), options, latest: Mutex::new(Latest::Never) }
    }

    /// Tells the event the id that it was entered under.
    pub(crate) fn entered(&self, id: EventId) {
        let _ = self.id.set(id);
    }

    /// The id that the event was entered under.
    pub(crate) fn id(&self) -> EventId {
        self.id.get().copied().unwrap_or(EventId(0))
    }

    /// The number of its device.
    pub(crate) fn device(&self) -> u32 {
        self.device
    }

    /// Fails unless the event is of `device`, as the streams that record it have to be.
    pub(crate) fn check_device(&self, device: u32) -> Result<()> {
        if self.device == device {
            return Ok(());
        }
        Err(Error::new(
            Status::INVALID_HANDLE,
            format!(
                "the event is of device {}, and the stream of device {device}; record an event of the stream's device, for which \
                 streams of others can wait",
                self.device
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
        {
            let mut queue = stream.lock();
            if let Some(member) = live_member(&mut queue) {
                let frontier = member.mark(data)?;
                *latest = Latest::Captured(Arc::clone(&member.capture), frontier);
                return Ok(());
            }
        }
        let point = Arc::new(Completion::default());
        submit(Op::Record(Arc::clone(&point)))?;
        *latest = Latest::Recorded(point);
        Ok(())
    }

    /// Orders what `stream` does next after the latest record; `submit` queues the wait where the stream executes.
    pub(crate) fn make_wait(&self, stream: &Arc<Stream>, submit: impl FnOnce(Op) -> Result<()>) -> Result<()> {
        let latest = self.lock();
        // Asked first, so that the answer does not depend on the event.
        capture::refuse_on_legacy(stream)?;
        match &*latest {
            Latest::Never => live_member(&mut stream.lock()).map_or(Ok(()), |member| member.check_active()),
            Latest::Captured(capture, frontier) => capture::join(stream, capture, frontier),
            Latest::Recorded(point) => {
                {
                    let mut queue = stream.lock();
                    if let Some(member) = live_member(&mut queue) {
                        member.check_active()?;
                        member.capture.invalidate();
                        return Err(Error::new(
                            Status::CAPTURE_ISOLATION,
                            "the stream is being captured and the event was recorded outside the capture; record the event inside it, \
                             or wait before the capture begins",
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
    pub(crate) fn point(&self) -> Result<Option<Arc<Completion>>> {
        match &*self.lock() {
            Latest::Captured(capture, _) if capture.is_active() => {
                capture.invalidate();
                Err(Error::new(
                    rules::CAPTURED_EVENT,
                    "the event was recorded in a capture, so it stands for a place in a graph and never completes; \
                     the capture is now invalid: end it, and ask outside captures",
                ))
            }
            Latest::Captured(..) => Err(Error::invalid_value(
                "the event was last recorded in a capture that is over or invalid; record it again outside of one",
            )),
            Latest::Never => capture::unsafe_call().map(|()| None),
            Latest::Recorded(point) => capture::unsafe_call().map(|()| Some(Arc::clone(point))),
        }
    }

    /// Returns whether the latest record was reached with all work before it done.
    pub(crate) fn has_run(&self) -> bool {
        matches!(&*self.lock(), Latest::Recorded(point) if point.has_run())
    }

    /// Milliseconds from this event to `end`.
    pub(crate) fn elapsed_ms(&self, end: &Event) -> Result<f32> {
        if self.device != end.device {
            return Err(Error::new(
                Status::INVALID_HANDLE,
                format!(
                    "the events are of device {} and device {}, between which there is no time",
                    self.device, end.device
                ),
            ));
        }
        let point = |event: &Event, which: &str| {
            if event.options.disable_timing {
                let message = format!("the {which} event takes no times; create it without DISABLE_TIMING");
                return Err(Error::new(Status::INVALID_HANDLE, message));
            }
            match &*event.lock() {
                Latest::Recorded(point) => Ok(Ok(Arc::clone(point))),
                Latest::Captured(capture, _) => Ok(Err(capture.is_active())),
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

    /// Locks what the event was last recorded as. Several are locked in the order of their addresses.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Latest> {
        lock(&self.latest)
    }
}
