//! Streams: what graphcap knows of them beside the driver.

use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::OnceLock;

use super::history::History;
use super::stream_gate::{EnteringCapture, StreamGate};
use crate::api::device::Device;
use crate::api::{self, Handle};
use crate::captures::epoch;
use crate::captures::registry::CAPTURES;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{CaptureInfo, CaptureStatus, StreamId};

/// Origin of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// Made here, and destroyed here.
    Made,
    /// Of someone else, who destroys it.
    Wrapped,
    /// The legacy or the per-thread stream. Its handle means a stream of the current context.
    Special,
}

/// A stream.
pub(crate) struct Stream {
    pub(crate) native: api::StreamHandle,
    pub(crate) origin: Origin,
    pub(crate) history: History,
    /// Tells whether it runs without regard to the legacy stream, once that is known: the driver must not be asked while the
    /// stream is captured.
    pub(crate) non_blocking: OnceLock<bool>,
    /// As the driver told it last.
    pub(crate) priority: AtomicI32,
    /// Tells whether others can use it too.
    shared: AtomicBool,
    /// Tells whether it was told attributes.
    has_attributes: AtomicBool,
    /// The device's.
    ordinal: c_int,
    /// Of every stream but the legacy one.
    apart: StreamGate,
    /// Held over calls that can take the stream into a capture, and over those that must know that it is in none.
    transition: Mutex<(), rank::StreamTransition>,
}

impl Stream {
    pub(crate) fn new(native: api::StreamHandle, origin: Origin, ordinal: c_int) -> Stream {
        Stream {
            native,
            origin,
            history: History::default(),
            non_blocking: OnceLock::new(),
            priority: AtomicI32::new(0),
            shared: AtomicBool::new(origin != Origin::Made),
            has_attributes: AtomicBool::new(false),
            ordinal,
            apart: match origin {
                Origin::Special => StreamGate::of_threads(),
                Origin::Made | Origin::Wrapped => StreamGate::of_stream(),
            },
            transition: Mutex::new(()),
        }
    }

    /// Returns where it is, by which the registry of captures knows it.
    pub(crate) fn place(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    /// From here on others can use it too.
    pub(crate) fn share(&self) {
        self.shared.store(true, Ordering::Release);
        epoch::note_attributed();
    }

    /// It was told attributes.
    pub(crate) fn note_attributes(&self) {
        self.has_attributes.store(true, Ordering::Release);
        epoch::note_attributed();
    }

    /// Returns whether kernels that are captured on it may get launch attributes which the call does not tell: its own, its priority, and
    /// those of launches of others.
    pub(crate) fn gives_attributes(&self) -> bool {
        self.is_shared() || self.has_attributes.load(Ordering::Acquire) || self.priority.load(Ordering::Acquire) != 0
    }

    /// Returns whether others can use it too.
    pub(crate) fn is_shared(&self) -> bool {
        self.shared.load(Ordering::Acquire)
    }

    /// Asks by `ask` for the capture of the stream, and notes whether it is in one, unless a call began meanwhile that takes it into one.
    #[inline]
    pub(crate) fn note_asked(
        &self,
        ask: impl FnOnce() -> std::result::Result<CaptureInfo, api::DriverError>,
    ) -> std::result::Result<CaptureInfo, api::DriverError> {
        let apart = self.apart();
        let before = apart.before_question();
        let info = ask()?;
        apart.answered(before, info.status != CaptureStatus::None);
        Ok(info)
    }

    /// Returns how calls on it are kept apart from captures.
    #[inline]
    pub(crate) fn apart(&self) -> &StreamGate {
        match self.is_legacy() {
            true => StreamGate::of_legacy(self.ordinal),
            false => &self.apart,
        }
    }

    fn is_legacy(&self) -> bool {
        self.origin == Origin::Special && self.native == Handle::from_number(StreamId::LEGACY.0 as usize)
    }

    /// As [`StreamGate::recorded`].
    #[inline]
    pub(crate) fn recorded<T>(&self, device: Device, call: impl FnOnce() -> T) -> T {
        self.apart().recorded(|| device.is_captured(self.native), call)
    }

    /// As [`Stream::recorded`], for the launch of a graph. On a stream of which no capture is known it is not counted, as that would cost
    /// each replay: such a launch can meet the begin of a capture that the stream joins. A thread's own stream is used by that thread alone.
    #[inline]
    pub(crate) fn launched<T>(&self, device: Device, call: impl FnOnce() -> T) -> T {
        match self.is_legacy() || (self.origin != Origin::Special && self.apart.may_be_captured()) {
            true => self.recorded(device, call),
            false => call(),
        }
    }

    /// As [`StreamGate::entering`].
    pub(crate) fn entering(&self) -> EnteringCapture<'_> {
        let may_block = !self.is_legacy() && self.non_blocking.get() != Some(&true);
        self.apart().entering(may_block.then(|| StreamGate::of_legacy(self.ordinal)))
    }

    /// As [`Stream::settled`]; `None` when a call that takes it into a capture is in progress.
    pub(crate) fn try_settled<T>(&self, call: impl FnOnce() -> T) -> Option<T> {
        let _transition = self.transition.try_lock()?;
        Some(call())
    }

    /// Makes `call` while no other gc_ call takes the stream into a capture.
    pub(crate) fn settled<T>(&self, call: impl FnOnce() -> T) -> T {
        let _transition = lock(&self.transition);
        call()
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        CAPTURES.end_begun(|origin| origin.handle == self.place());
    }
}
