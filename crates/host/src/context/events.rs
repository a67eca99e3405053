//! Events: recorded, and waited for by streams and threads.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::HostContext;
use crate::capture;
use crate::engine::completion::Completion;
use crate::engine::event::Event;
use crate::memory::guard;
use crate::shared::OBJECTS;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::ids::{enter, key_of};
use graphcap_driver::{callbacks, Driver, EdgeData, EventId, EventOptions, Events, IpcHandle, StreamId};

impl Events for HostContext {
    fn stream_wait_event(&self, stream: StreamId, event: EventId) -> Result<()> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        self.event(event)?.make_wait(&stream, |op| self.enqueue(&stream, op))
    }

    fn event_create(&self, options: EventOptions) -> Result<EventId> {
        self.check_call()?;
        let event = Event::new(self.device().ordinal, options);
        let point = Arc::clone(event.point());
        enter(&OBJECTS.events, event, "events").map(EventId).inspect(|&id| point.entered(id))
    }

    fn event_destroy(&self, event: EventId, _: &[StreamId]) {
        OBJECTS.events.remove(key_of(event.0));
    }

    fn event_record(&self, event: EventId, stream: StreamId) -> Result<()> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        let event = self.event(event)?;
        // Asked first, so that the answer does not depend on the event.
        capture::refuse_on_legacy(&stream)?;
        event.check_device(self.device().ordinal)?;
        event.record(&stream, EdgeData::NONE, |op| self.enqueue(&stream, op))
    }

    fn event_is_complete(&self, event: EventId) -> Result<bool> {
        self.check_call()?;
        Ok(self.event(event)?.latest_record()?.is_none_or(|point| point.is_reached()))
    }

    fn event_was_reached_before_fault(&self, event: EventId) -> bool {
        self.event(event).is_ok_and(|event| event.has_run())
    }

    fn event_synchronize(&self, event: EventId) -> Result<()> {
        self.check_call()?;
        // The event is let go of first: its destruction must not wait for this wait.
        let (point, is_slept_for) = self.latest_record(event)?;
        if let Some(point) = point {
            if !is_slept_for {
                point.help();
            }
            if is_slept_for || !point.spin() {
                point.wait(None);
            }
        }
        guard::check_all();
        self.state.error().cloned().map_or(Ok(()), Err)
    }

    fn event_synchronize_for(&self, event: EventId, limit: Duration, _: &dyn Fn(&mut dyn FnMut())) -> Result<bool> {
        let deadline = Instant::now().checked_add(limit);
        self.check_call()?;
        // As above, and what is waited for stays the record that is the latest now.
        let (point, is_slept_for) = self.latest_record(event)?;
        // Runs nothing itself: that could take longer.
        let reached = point.is_none_or(|point| (!is_slept_for && point.spin()) || point.wait(deadline));
        self.state.error().cloned().map_or(Ok(reached), Err)
    }

    fn event_elapsed_ms(&self, start: EventId, end: EventId) -> Result<f32> {
        self.check_call()?;
        self.event(start)?.elapsed_ms(&*self.event(end)?)
    }

    fn event_ipc_handle(&self, _: EventId) -> Result<IpcHandle> {
        callbacks::check_caller()?;
        Err(of_one_process())
    }

    fn event_open_ipc(&self, _: &IpcHandle) -> Result<EventId> {
        callbacks::check_caller()?;
        Err(of_one_process())
    }
}

impl HostContext {
    /// The latest record of an event, and whether threads that wait for it sleep at once.
    fn latest_record(&self, event: EventId) -> Result<(Option<Arc<Completion>>, bool)> {
        let event = self.event(event)?;
        Ok((event.latest_record()?, event.is_slept_for()))
    }
}

#[cold]
fn of_one_process() -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        "the host device runs within the process, and no other process can wait for its events; use a CUDA device for that",
    )
}
