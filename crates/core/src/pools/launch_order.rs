//! The order of launches that share memory: that of a pool, or the place where the random numbers of a replay are told. Each waits
//! for the one before, which an event stands for where that was on another stream.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use smallvec::SmallVec;

use crate::state::Stream;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::rules;
use graphcap_driver::{check_caller, CaptureStatus, Driver, EventId, EventOptions, ExecId, StreamId};

/// Set once there is memory that graphs share: until then nobody looks for an order.
static ANY: AtomicBool = AtomicBool::new(false);

/// The order of the launches that share some memory.
#[derive(Default)]
pub(crate) struct LaunchOrder(Mutex<Latest, rank::LaunchOrder>);

/// The latest launch.
#[derive(Default)]
struct Latest {
    /// The number of the stream that it was on; 0 before the first. Handles of default streams have different ones.
    stream: u64,
    /// The event behind it.
    event: Option<EventId>,
    /// The stream of a launch behind which no event could be recorded, and why.
    unmarked: Option<(Stream, Error)>,
    /// The events, one for each device of streams.
    events: Vec<OwnEvent>,
}

/// An event for the streams of one device.
struct OwnEvent {
    /// Keeps no context.
    driver: Arc<dyn Driver>,
    id: EventId,
}

impl Drop for OwnEvent {
    fn drop(&mut self) {
        self.driver.event_destroy(self.id, &[]);
    }
}

impl LaunchOrder {
    /// A new order.
    pub(crate) fn new() -> Arc<LaunchOrder> {
        ANY.store(true, Ordering::Release);
        Arc::default()
    }

    /// Tells whether there ever was any.
    pub(super) fn is_any() -> bool {
        ANY.load(Ordering::Acquire)
    }
}

impl Latest {
    /// Makes `stream` wait for it. The stream is in no capture. Streams that are needed no more go to `let_go`, to be dropped where no
    /// lock is held.
    fn go_before(&mut self, stream: &Stream, let_go: &mut LetGo) -> Result<()> {
        // The per-thread stream is another one for each thread.
        if self.stream == stream.number() && stream.id() != StreamId::PER_THREAD {
            return Ok(());
        }
        if let Some((of, why)) = self.unmarked.take() {
            if let Err(error) = self.mark_late(&of) {
                let error = unordered(error.as_ref().unwrap_or(&why));
                self.unmarked = Some((of, why));
                return Err(error);
            }
            let_go.push(of);
        }
        self.event.map_or(Ok(()), |event| stream.driver()?.stream_wait_event(stream.id(), event))
    }

    /// Records an event behind it now, since none was when it was made. Why not is told where it is known.
    fn mark_late(&mut self, stream: &Stream) -> std::result::Result<(), Option<Error>> {
        // That of another thread is not to be had.
        if stream.id() == StreamId::PER_THREAD || !is_free(stream).map_err(Some)? {
            return Err(None);
        }
        let marked = self.event_for(stream).and_then(|event| {
            stream.driver()?.event_record(event, stream.id())?;
            Ok(event)
        });
        self.event = Some(marked.map_err(Some)?);
        Ok(())
    }

    /// The event for launches on `stream`.
    fn event_for(&mut self, stream: &Stream) -> Result<EventId> {
        let driver = stream.context().shared_driver();
        if let Some(known) = self.events.iter().find(|event| Arc::ptr_eq(&event.driver, &driver)) {
            return Ok(known.id);
        }
        let options = EventOptions { disable_timing: true, ..EventOptions::default() };
        let id = driver.event_create(options)?;
        self.events.push(OwnEvent { driver, id });
        Ok(id)
    }

    /// A launch was made on `stream`, with `event` behind it or not.
    fn is_now(&mut self, stream: &Stream, event: Result<EventId>, let_go: &mut LetGo) {
        self.stream = stream.number();
        let before = match event {
            Ok(event) => {
                self.event = Some(event);
                self.unmarked.take()
            }
            Err(error) => {
                self.event = None;
                self.unmarked.replace((stream.clone(), error))
            }
        };
        let_go.extend(before.map(|(stream, _)| stream));
    }
}

type LetGo = SmallVec<[Stream; 1]>;

/// Tells whether work on a stream runs, and is neither recorded nor refused because of a capture.
///
/// # Errors
/// The status of a context that faulted.
fn is_free(stream: &Stream) -> Result<bool> {
    match stream.capture_info() {
        Ok(info) => Ok(info.status == CaptureStatus::None),
        Err(error) if error.status == rules::LEGACY_BARRED => Ok(false),
        Err(error) => Err(error),
    }
}

#[cold]
fn in_capture() -> Error {
    Error::new(Status::BUSY, "others captured that stream meanwhile")
}

#[cold]
fn unordered(why: &Error) -> Error {
    Error::new(
        Status::BUSY,
        format!(
            "the launch shares memory of a pool, or its random numbers, with an earlier one on another stream, behind which no event \
             can be recorded: {}; end the capture of that stream, launch on that stream, or wait for it and launch there",
            why.message
        ),
    )
}

/// Launches an exec in its turn among those that share memory with it. No gc_ call begins a capture on the stream meanwhile. The
/// orders are sorted by their addresses.
///
/// # Errors
/// As [`Execs::exec_launch`](graphcap_driver::Execs::exec_launch); `BUSY` where the launch cannot be ordered behind an earlier one.
#[cold]
pub(super) fn launch(orders: &[&LaunchOrder], exec: ExecId, stream: &Stream) -> Result<()> {
    // A host function may run within a launch that holds the orders.
    check_caller()?;
    let mut let_go = LetGo::new();
    let mut latest: SmallVec<[_; 2]> = orders.iter().map(|order| lock(&order.0)).collect();
    let (driver, id) = (stream.driver()?, stream.id());
    stream.membership_or_new().transition(None, || {
        // On a stream that is captured the launch is refused, with the driver's own answer.
        if !is_free(stream)? {
            driver.exec_launch(exec, id)?;
            // Others ended the capture meanwhile.
            latest.iter_mut().for_each(|latest| latest.is_now(stream, Err(in_capture()), &mut let_go));
            return Ok(());
        }
        let mut events = SmallVec::<[EventId; 2]>::new();
        for latest in &mut latest {
            // Before the launch, which is not made without it.
            events.push(latest.event_for(stream)?);
            latest.go_before(stream, &mut let_go)?;
        }
        driver.exec_launch(exec, id)?;
        for (latest, event) in latest.iter_mut().zip(events) {
            let marked = driver.event_record(event, id).and_then(|()| match stream.is_shared() && !is_free(stream)? {
                // Others began a capture meanwhile, which may have the event.
                true => Err(in_capture()),
                false => Ok(event),
            });
            latest.is_now(stream, marked, &mut let_go);
        }
        Ok(())
    })
}

#[cfg(test)]
#[path = "random_order_tests.rs"]
mod tests;
