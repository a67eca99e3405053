//! The fake driver's events. One that was recorded in a capture takes streams that wait for it into that capture.

use std::time::Duration;

use super::{failure, key, FakeDriver};
use graphcap_base::error::{Result, Status};
use graphcap_driver::*;

impl Events for FakeDriver {
    fn stream_wait_event(&self, stream: StreamId, event: EventId) -> Result<()> {
        self.call_on("stream_wait_event", stream, |state| {
            state.ordered.push(("wait", stream));
            let Some(Some(theirs)) = state.events.get(&event).copied() else { return Ok(()) };
            match (state.captures.get(&theirs).map(|capture| capture.broken), state.captured.get(&key(stream))) {
                (None | Some(true), _) => failure(Status::INVALID_VALUE),
                (_, Some(&own)) if own != theirs => {
                    for id in [own, theirs] {
                        state.captures.get_mut(&id).unwrap().broken = true;
                    }
                    failure(Status::CAPTURE_MERGE)
                }
                _ => {
                    state.captured.insert(key(stream), theirs);
                    Ok(())
                }
            }
        })
    }
    fn event_create(&self, _: EventOptions) -> Result<EventId> {
        self.call("event_create", |state| {
            let id = EventId(state.id());
            state.events.insert(id, None);
            Ok(id)
        })
    }
    fn event_destroy(&self, event: EventId, used_by: &[StreamId]) {
        let _ = self.call("event_destroy", |state| {
            if state.events.remove(&event).is_none() {
                state.violation(format!("{event:?} destroyed twice"));
            }
            let users = state.event_users.remove(&event).unwrap_or_default();
            if let Some(missed) = users.iter().find(|user| !used_by.contains(user)) {
                state.violation(format!("{event:?} destroyed without waiting for {missed:?}"));
            }
            Ok(())
        });
    }
    fn event_record(&self, event: EventId, stream: StreamId) -> Result<()> {
        self.call_on("event_record", stream, |state| {
            let capture = state.captured.get(&key(stream)).copied();
            state.ordered.push(("record", stream));
            state.events.insert(event, capture);
            Ok(())
        })
    }
    fn event_is_complete(&self, _: EventId) -> Result<bool> {
        self.call("event_is_complete", |_| Ok(true))
    }
    fn event_synchronize(&self, _: EventId) -> Result<()> {
        self.call("event_synchronize", |_| Ok(()))
    }
    fn event_synchronize_for(&self, _: EventId, limit: Duration, ask: &dyn Fn(&mut dyn FnMut())) -> Result<bool> {
        self.call("event_synchronize_for", |_| Ok(()))?;
        let mut asked = false;
        ask(&mut || asked = true);
        Ok(asked && !limit.is_zero())
    }
    fn event_elapsed_ms(&self, _: EventId, _: EventId) -> Result<f32> {
        self.call("event_elapsed_ms", |_| Ok(1.5))
    }
    fn event_ipc_handle(&self, _: EventId) -> Result<IpcHandle> {
        failure(Status::NOT_SUPPORTED)
    }
    fn event_open_ipc(&self, _: &IpcHandle) -> Result<EventId> {
        failure(Status::NOT_SUPPORTED)
    }
}
