//! Events: recorded, waited for by streams and by threads.

use std::time::Duration;

use super::{EventId, StreamId};
use graphcap_base::error::Result;

/// The events of a context. The rules of [`Driver`](super::Driver) hold.
pub trait Events: Send + Sync {
    /// Orders later work of the stream after the event's latest record.
    fn stream_wait_event(&self, stream: StreamId, event: EventId) -> Result<()>;
    /// Makes an event.
    fn event_create(&self, options: EventOptions) -> Result<EventId>;
    /// Forgets an event; waits on it that were submitted still hold, and so do nodes of launches on `used_by`,
    /// destroyed streams included, that were submitted so far.
    fn event_destroy(&self, event: EventId, used_by: &[StreamId]);
    /// Marks the point that the stream has reached.
    fn event_record(&self, event: EventId, stream: StreamId) -> Result<()>;
    /// Returns whether the latest record was reached; true for an event that was never recorded.
    fn event_is_complete(&self, event: EventId) -> Result<bool>;
    /// Returns whether all work before the latest record had run when the record was reached, asked on a context that faulted. False where
    /// the device does not tell: a GPU answers each question with the fault.
    fn event_was_reached_before_fault(&self, _event: EventId) -> bool {
        false
    }
    /// Waits until the latest record is reached.
    fn event_synchronize(&self, event: EventId) -> Result<()>;
    /// Waits until the latest record is reached, but no longer than `limit`; whether it was reached. `unless_captured`
    /// makes a call, unless the event was recorded in a capture since, and lets nobody do so meanwhile: a question
    /// would harm that capture.
    fn event_synchronize_for(
        &self,
        event: EventId,
        limit: Duration,
        unless_captured: &dyn Fn(&mut dyn FnMut()),
    ) -> Result<bool>;
    /// Milliseconds between two completed records. `NOT_READY` while one is pending, `INVALID_HANDLE` when one
    /// was never recorded or takes no times.
    fn event_elapsed_ms(&self, start: EventId, end: EventId) -> Result<f32>;
    /// Returns what other processes open the event by; it must have been made for that. `NOT_SUPPORTED` on a device whose
    /// events are of one process.
    fn event_ipc_handle(&self, event: EventId) -> Result<IpcHandle>;
    /// Makes an event that is one of another process. `NOT_SUPPORTED` as above.
    fn event_open_ipc(&self, handle: &IpcHandle) -> Result<EventId>;
}

/// Options that an event is made with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EventOptions {
    /// Tells whether waiting threads should sleep rather than spin.
    pub blocking_sync: bool,
    /// Tells whether the event takes no time stamps; elapsed time cannot be asked of it then.
    pub disable_timing: bool,
    /// Tells whether other processes can open it. Such an event takes no time stamps.
    pub interprocess: bool,
}

/// Handle by which another process opens an event, as CUDA has it.
pub type IpcHandle = [u8; 64];
