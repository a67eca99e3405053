//! Events: recorded on streams, waited for by streams and by threads, opened by other processes. The implementation of
//! [`Events`].

use std::ffi::{c_char, c_uint};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::Duration;

use cudarc::driver::sys::{CUevent_flags, CUevent_record_flags, CUevent_wait_flags, CUipcEventHandle};

use super::CudaContext;
use crate::api::address;
use crate::api::answers::{no_address, ready};
use crate::api::current::{relax, tell_mode};
use crate::api::{self, Handle};
use crate::captures::ends::CAPTURE_END_LOCK;
use crate::captures::{epoch, gate};
use crate::memory;
use crate::memory::Resource;
use crate::shared::{Shared, CONTEXTS};
use crate::streams::event::Event;
use crate::streams::patience::Patience;
use crate::streams::stream::Stream;
use crate::streams::stream_gate::StreamAccess;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::lock;
use graphcap_driver::{callbacks, EventId, EventOptions, Events, IpcHandle, StreamId};

impl Events for CudaContext {
    fn stream_wait_event(&self, stream: StreamId, event: EventId) -> Result<()> {
        callbacks::check_caller()?;
        let event = self.event(event);
        if event.can_be_of_another(self.number) {
            CAPTURE_END_LOCK.visit(self.number);
        }
        self.on_stream(stream, |stream| {
            if stream.gives_attributes() {
                // The wait may take it into a capture.
                epoch::note_attributed();
            }
            let _begins = memory::may_begin();
            stream.settled(|| {
                let wait = || {
                    // SAFETY: stream and event live. The wait may take the stream into a capture.
                    unsafe { self.api().cuStreamWaitEvent(stream.native, event.native, 0) }
                };
                if !event.is_captured.load(Ordering::Acquire) {
                    return stream.recorded(self.device, wait);
                }
                let entering = stream.entering();
                let answer = wait();
                entering.has_entered(self.device.is_captured(stream.native));
                answer
            })
        })
    }

    fn event_create(&self, options: EventOptions) -> Result<EventId> {
        callbacks::check_caller()?;
        let mut flags = CUevent_flags::CU_EVENT_DEFAULT as c_uint;
        if options.blocking_sync {
            flags |= CUevent_flags::CU_EVENT_BLOCKING_SYNC as c_uint;
        }
        if options.disable_timing {
            flags |= CUevent_flags::CU_EVENT_DISABLE_TIMING as c_uint;
        }
        if options.interprocess {
            flags |= CUevent_flags::CU_EVENT_INTERPROCESS as c_uint;
        }
        let mut native = Handle::NULL;
        let _current = self.map_error(self.device.enter())?;
        // SAFETY: `native` is writable; the context is current.
        self.map_error(unsafe { self.api().cuEventCreate(&mut native, flags) })?;
        self.enter_event(native)
    }

    fn event_destroy(&self, event: EventId, used_by: &[StreamId]) {
        let used_by = used_by.to_vec();
        self.outside_driver(move |shared| shared.event_destroy(event, &used_by));
    }

    fn event_record(&self, event: EventId, stream: StreamId) -> Result<()> {
        callbacks::check_caller()?;
        let event = self.event(event);
        if event.context != self.number {
            event.goes_abroad();
        }
        if event.was_abroad.load(Ordering::Relaxed) {
            // By it streams of others can get into a capture.
            epoch::note_attributed();
        }
        let record = |stream: &Stream| {
            // In a capture alone: then nobody asks about the event, waits for it or records it meanwhile.
            let kept = stream.apart().keep(gate::write, || self.device.is_captured(stream.native));
            let _beside = event.beside();
            // SAFETY: stream and event live.
            unsafe { self.api().cuEventRecord(event.native, stream.native) }?;
            event.is_captured.store(matches!(kept, StreamAccess::InCapture(_)), Ordering::Release);
            Ok(())
        };
        self.on_stream(stream, record).map_err(of_another_device)
    }

    fn event_is_complete(&self, event: EventId) -> Result<bool> {
        callbacks::check_caller()?;
        self.map_error(tell_mode(self.api()))?;
        self.map_error(self.is_native_event_complete(self.event(event)))
    }

    fn event_synchronize(&self, event: EventId) -> Result<()> {
        callbacks::check_caller()?;
        self.map_error(tell_mode(self.api()))?;
        let event = self.event(event);
        // As for a stream.
        if event.is_captured.load(Ordering::Acquire) && self.map_error(self.is_native_event_complete(event))? {
            return self.waited();
        }
        // SAFETY: the event lives: core keeps it for the time of the call.
        self.map_error(unsafe { self.api().cuEventSynchronize(event.native) })?;
        self.waited()
    }

    fn event_synchronize_for(
        &self,
        event: EventId,
        limit: Duration,
        unless_captured: &dyn Fn(&mut dyn FnMut()),
    ) -> Result<bool> {
        let mut patience = Patience::new(limit);
        callbacks::check_caller()?;
        self.map_error(tell_mode(self.api()))?;
        let event = self.event(event);
        let query = || self.map_error(self.is_native_event_complete(event));
        // As for a stream.
        let mut complete = query()?;
        while !complete && patience.lasts() {
            let _relaxed = self.map_error(relax(self.api()))?;
            let mut answer = Ok(false);
            unless_captured(&mut || answer = query());
            complete = answer?;
        }
        if complete {
            self.waited()?;
        }
        Ok(complete)
    }

    fn event_elapsed_ms(&self, start: EventId, end: EventId) -> Result<f32> {
        callbacks::check_caller()?;
        let (start, end, mut milliseconds) = (self.event(start), self.event(end), 0.0);
        let asked = {
            let _beside = gate::read();
            // SAFETY: both events live; the output is writable.
            unsafe { self.api().cuEventElapsedTime(&mut milliseconds, start.native, end.native) }
        };
        let meaning = "there is no time between the events: record both outside of captures and on one device, and make both with \
                       timing";
        self.map_error_with(asked, Status::INVALID_HANDLE, meaning)?;
        Ok(milliseconds)
    }

    fn event_ipc_handle(&self, event: EventId) -> Result<IpcHandle> {
        callbacks::check_caller()?;
        let event = self.event(event);
        let mut handle = CUipcEventHandle { reserved: [0; size_of::<IpcHandle>()] };
        let _current = self.map_error(self.device.enter())?;
        // SAFETY: the event lives; the handle is writable.
        self.map_error(unsafe { self.api().cuIpcGetEventHandle(&mut handle, event.native) })?;
        Ok(handle.reserved.map(|byte| byte as u8))
    }

    fn event_open_ipc(&self, handle: &IpcHandle) -> Result<EventId> {
        callbacks::check_caller()?;
        let handle = CUipcEventHandle { reserved: handle.map(|byte| byte as c_char) };
        let mut native = Handle::NULL;
        let _current = self.map_error(self.device.enter())?;
        // SAFETY: `native` is writable; the context is current. The driver checks the handle.
        self.map_error(unsafe { self.api().cuIpcOpenEventHandle(&mut native, handle) })?;
        self.enter_event(native)
    }
}

impl Shared {
    /// Asks the driver whether an event has completed.
    fn is_native_event_complete(&self, event: &Event) -> std::result::Result<bool, api::DriverError> {
        let _beside = gate::read();
        // SAFETY: core keeps the event for the time of the call.
        ready(unsafe { self.api().cuEventQuery(event.native) })
    }

    /// The event that the driver knows by that handle, if graphcap made or opened it, in whatever context.
    pub(crate) fn event_of(&self, native: api::EventHandle) -> Option<EventId> {
        let find = |context: &Shared| {
            lock(&context.objects.events).iter().find(|(_, event)| event.native == native).map(|(&id, _)| id)
        };
        find(self).or_else(|| {
            let others = CONTEXTS.live();
            others.iter().find_map(|other| find(other))
        })
    }

    /// The driver's context of an event, as a number, if graphcap made or opened it.
    pub(crate) fn context_of_event(&self, native: api::EventHandle) -> Option<u64> {
        let find = |context: &Shared| {
            let has_it = lock(&context.objects.events).values().any(|event| event.native == native);
            has_it.then(|| context.device.context.number() as u64)
        };
        find(self).or_else(|| {
            let others = CONTEXTS.live();
            others.iter().find_map(|other| find(other))
        })
    }

    pub(crate) fn wait_event_node(&self, stream: StreamId, event: EventId) -> Result<()> {
        let event = self.event(event);
        let flags = CUevent_wait_flags::CU_EVENT_WAIT_EXTERNAL as c_uint;
        // SAFETY: stream and event live. Core has the graph keep the event.
        let wait = |stream: &Stream| unsafe { self.api().cuStreamWaitEvent(stream.native, event.native, flags) };
        self.record_on_stream(stream, wait).map_err(|error| external_refused("an EXTERNAL wait", error))
    }

    pub(crate) fn record_event_node(&self, stream: StreamId, event: EventId) -> Result<()> {
        let event = self.event(event);
        let flags = CUevent_record_flags::CU_EVENT_RECORD_EXTERNAL as c_uint;
        // SAFETY: stream and event live. Core has the graph keep the event.
        let record = |stream: &Stream| unsafe { self.api().cuEventRecordWithFlags(event.native, stream.native, flags) };
        self.record_on_stream(stream, record).map_err(|error| external_refused("an EXTERNAL record", error))
    }

    pub(crate) fn event_destroy(&self, event: EventId, used_by: &[StreamId]) {
        let Some(event) = lock(&self.objects.events).remove(&event) else { return };
        if !used_by.is_empty() {
            return self.release_resource(Resource::Event(event.native), used_by);
        }
        // SAFETY: the event was made here, and this is the one call that took it out of the list. The driver keeps
        // waits for it that were submitted.
        let _ = unsafe { self.api().cuEventDestroy_v2(event.native) };
    }

    /// Enters an event that nobody else knows; it is destroyed when it cannot be numbered.
    fn enter_event(&self, native: api::EventHandle) -> Result<EventId> {
        let event = Arc::new(Event {
            native,
            context: self.number,
            was_abroad: AtomicBool::new(false),
            is_captured: AtomicBool::new(false),
        });
        let Some(id) = address::id_of(&event, 0).map(EventId) else {
            // SAFETY: the caller made the event just now.
            let _ = unsafe { self.api().cuEventDestroy_v2(native) };
            return Err(no_address());
        };
        lock(&self.objects.events).insert(id, event);
        Ok(id)
    }

    /// An event that lives.
    #[inline]
    pub(crate) fn event(&self, id: EventId) -> &Event {
        // SAFETY: core holds the event whose id it passes, so that it is not destroyed, and `events` holds it until then.
        unsafe { address::object(id.0) }
    }
}

/// Returns what the driver's refusal to record an event means.
#[cold]
fn of_another_device(error: Error) -> Error {
    match error.status {
        Status::INVALID_HANDLE => Error::new(
            error.status,
            format!(
                "the event is of another device than the stream; record an event of the stream's device, for which streams of \
                 others can wait; {}",
                error.message
            ),
        ),
        _ => error,
    }
}

/// Returns what the driver's refusal of `what` means.
#[cold]
fn external_refused(what: &str, error: Error) -> Error {
    match error.status {
        Status::ILLEGAL_STATE => Error::new(
            error.status,
            format!(
                "{what} is a node of a graph, and the stream is not being captured; leave EXTERNAL out, or begin a capture; {}",
                error.message
            ),
        ),
        _ => error,
    }
}
