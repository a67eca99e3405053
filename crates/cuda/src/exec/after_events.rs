//! An exec that takes the place of another one: the driver has launches of one exec run one after another, and knows nothing of two.
//! So the first launch of the new exec waits for events behind the launches of the old one.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::api::device::Device;
use crate::api::{Api, DriverError, EventHandle, StreamHandle};
use graphcap_base::lock::{lock, rank, Mutex};

/// Events that the first launch of an exec runs behind.
#[derive(Default)]
pub(crate) struct AfterEvents {
    is_any: AtomicBool,
    events: Mutex<Vec<EventHandle>, rank::ExecBehind>,
}

impl AfterEvents {
    /// The exec was never launched, and launches of it run behind these events, which are its own.
    pub(super) fn set(&self, events: Vec<EventHandle>) {
        let mut known = lock(&self.events);
        self.is_any.store(!events.is_empty(), Ordering::Release);
        known.extend(events);
    }

    /// Gives the events to an exec that takes the place of this one, which is launched no more.
    pub(super) fn take(&self) -> Vec<EventHandle> {
        let mut events = lock(&self.events);
        self.is_any.store(false, Ordering::Release);
        std::mem::take(&mut events)
    }

    /// Makes a launch on a stream, behind what it has to be behind.
    #[inline]
    pub(crate) fn go(
        &self,
        device: Device,
        stream: StreamHandle,
        launch: impl FnOnce() -> Option<Result<(), DriverError>>,
    ) -> Option<Result<(), DriverError>> {
        match self.is_any.load(Ordering::Acquire) {
            false => launch(),
            true => self.go_first(device, stream, launch),
        }
    }

    /// Later launches run behind the first one. Those that come meanwhile wait for it.
    #[cold]
    fn go_first(
        &self,
        device: Device,
        stream: StreamHandle,
        launch: impl FnOnce() -> Option<Result<(), DriverError>>,
    ) -> Option<Result<(), DriverError>> {
        let mut events = lock(&self.events);
        // On a stream that is captured the launch is refused, with the driver's own answer.
        if !matches!(device.capture(stream), Some(Some(_))) {
            for event in events.iter() {
                // SAFETY: the stream lives, and the event is ours.
                if let Err(refusal) = unsafe { device.api.cuStreamWaitEvent(stream, *event, 0) } {
                    return Some(Err(refusal));
                }
            }
        }
        let launched = launch();
        if matches!(launched, Some(Ok(()))) {
            self.is_any.store(false, Ordering::Release);
            destroy(device.api, &mut events);
        }
        launched
    }

    /// The exec is destroyed.
    pub(crate) fn forget(&self, api: &Api) {
        destroy(api, &mut lock(&self.events));
    }
}

fn destroy(api: &Api, events: &mut Vec<EventHandle>) {
    for event in events.drain(..) {
        // SAFETY: the event is ours, and was taken out of its place, so that it is destroyed once. The driver keeps waits for it that
        // were submitted.
        let _ = unsafe { api.cuEventDestroy_v2(event) };
    }
}
