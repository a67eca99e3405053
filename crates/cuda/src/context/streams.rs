//! Streams: made, wrapped, waited for, destroyed. The implementation of [`Streams`].

use std::ffi::c_uint;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Duration;

use cudarc::driver::sys::CUstream_flags;

use super::CudaContext;
use crate::api::address;
use crate::api::answers::{no_address, ready};
use crate::api::current::{relax, tell_mode, Current};
use crate::api::{self, Handle};
use crate::captures::gate;
use crate::memory;
use crate::shared::{user_of, Shared};
use crate::streams::patience::Patience;
use crate::streams::stream::{Origin, Stream};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::lock;
use graphcap_driver::rules;
use graphcap_driver::{callbacks, StreamId, StreamOptions, Streams};

/// Every stream's id gets another tag, whatever its context: what it used may remember the id when the stream is gone.
static LAST_STREAM: AtomicU64 = AtomicU64::new(0);

/// Work that was submitted before a wait began.
struct Covered {
    launches: u64,
    since: u64,
}

impl Streams for CudaContext {
    fn stream_create(&self, options: StreamOptions) -> Result<StreamId> {
        callbacks::check_caller()?;
        let flags = match options.non_blocking {
            true => CUstream_flags::CU_STREAM_NON_BLOCKING,
            false => CUstream_flags::CU_STREAM_DEFAULT,
        };
        let mut native = Handle::NULL;
        let _current = self.map_error(self.device.enter())?;
        // SAFETY: `native` is writable; the context is current.
        let made = unsafe { self.api().cuStreamCreateWithPriority(&mut native, flags as c_uint, options.priority) };
        self.map_error(made)?;
        let stream = Stream::new(native, Origin::Made, self.primary.ordinal);
        stream.non_blocking.get_or_init(|| options.non_blocking);
        self.learn_priority(&stream);
        self.add_stream(stream)
    }

    fn stream_destroy(&self, stream: StreamId) {
        self.outside_driver(move |shared| shared.stream_destroy(stream));
    }

    fn stream_is_over(&self, stream: StreamId) -> bool {
        self.is_over(stream)
    }

    fn stream_synchronize(&self, id: StreamId) -> Result<()> {
        callbacks::check_caller()?;
        self.map_error(tell_mode(self.api()))?;
        let stream = self.stream(id);
        let _current = self.current_for(stream)?;
        let covered = self.covered(stream);
        // Beside the end of a capture the driver may be asked, and not be waited in. What harms a capture harms it by either.
        if !stream.apart().may_be_captured() || !self.map_error(self.is_native_complete(stream))? {
            // SAFETY: the stream lives, and its context is current where it is a special one.
            self.map_error(unsafe { self.api().cuStreamSynchronize(stream.native) })?;
        }
        self.completed(id, stream, covered);
        self.waited()
    }

    fn stream_synchronize_for(&self, id: StreamId, limit: Duration) -> Result<bool> {
        self.synchronize_with(id, Patience::new(limit))
    }

    fn stream_synchronize_eagerly(&self, id: StreamId, limit: Duration) -> Result<bool> {
        self.synchronize_with(id, Patience::without_pause(limit))
    }

    fn stream_is_complete(&self, id: StreamId) -> Result<bool> {
        callbacks::check_caller()?;
        self.map_error(tell_mode(self.api()))?;
        let stream = self.stream(id);
        let _current = self.current_for(stream)?;
        let covered = self.covered(stream);
        let complete = self.map_error(self.is_native_complete(stream))?;
        if complete {
            self.completed(id, stream, covered);
        }
        Ok(complete)
    }

    fn finish_legacy(&self) -> Result<()> {
        callbacks::check_caller()?;
        let _current = self.map_error(self.device.enter())?;
        let _relaxed = self.map_error(relax(self.api()))?;
        let covered = self.covered(&self.legacy);
        let meaning =
            "the work is queued and cannot be waited for, as a blocking stream is being captured by now, on another thread";
        self.map_error_with(self.memory.wait_for_legacy(), rules::LEGACY_BARRED, meaning)?;
        self.completed(StreamId::LEGACY, &self.legacy, covered);
        Ok(())
    }
}

impl Shared {
    /// Asks the driver whether all work of a stream has completed, whose context is current where it is a special one.
    fn is_native_complete(&self, stream: &Stream) -> std::result::Result<bool, api::DriverError> {
        // SAFETY: the stream lives.
        ready(stream.recorded(self.device, || unsafe { self.api().cuStreamQuery(stream.native) }))
    }

    /// Asks until everything submitted to the stream so far has completed, or `patience` ends; whether it has.
    fn synchronize_with(&self, id: StreamId, mut patience: Patience) -> Result<bool> {
        callbacks::check_caller()?;
        self.map_error(tell_mode(self.api()))?;
        let stream = self.stream(id);
        let _current = self.current_for(stream)?;
        let covered = self.covered(stream);
        let query = || self.is_native_complete(stream);
        // The first question is by the rules of a wait. Those that follow must harm nothing that begins meanwhile.
        let mut complete = self.map_error(query())?;
        while !complete && patience.lasts() {
            let _relaxed = self.map_error(relax(self.api()))?;
            let _no_begin = memory::no_begin();
            match self.device.ask_capture(stream.native) {
                Ok(None) => complete = self.map_error(query())?,
                Ok(Some(_)) => {}
                Err(refusal) if refusal.status == rules::LEGACY_BARRED => {}
                Err(refusal) => return self.map_error(Err(refusal)),
            }
        }
        if complete {
            self.completed(id, stream, covered);
            self.waited()?;
        }
        Ok(complete)
    }

    pub(crate) fn wrap_stream(&self, native: usize) -> Result<StreamId> {
        callbacks::check_caller()?;
        match native as u64 {
            0 | 1 => return Ok(StreamId::LEGACY),
            2 => return Ok(StreamId::PER_THREAD),
            _ => {}
        }
        let native = Handle::from_number(native);
        let mut context = Handle::NULL;
        // SAFETY: the caller promises a live stream; `context` is writable.
        self.map_error(unsafe { self.api().cuStreamGetCtx(native, &mut context) })?;
        if context != self.device.context {
            return Err(Error::new(
                Status::INVALID_CONTEXT,
                "the stream belongs to another context than the primary one of this device; wrap it through a gc_context of its \
                 device, and make streams in the primary context, as the CUDA runtime does",
            ));
        }
        let stream = Stream::new(native, Origin::Wrapped, self.primary.ordinal);
        {
            // Others may capture it, or another handle of it.
            let _beside = gate::read();
            self.learn_priority(&stream);
            if !self.device.is_captured(native) {
                // What is not known now is asked for later.
                let _ = self.learn_flags(&stream);
            }
        }
        self.add_stream(stream)
    }

    pub(crate) fn stream_destroy(&self, id: StreamId) {
        if id == StreamId::PER_THREAD {
            if let Ok(_current) = self.device.enter() {
                self.discard_capture(&self.per_thread);
            }
            self.depart_own();
            self.ask_for_looks();
            return;
        }
        let Some(stream) = lock(&self.objects.streams).get(&id).cloned() else { return };
        // Who captures a stream of someone else's into a graph of graphcap's cannot go on when nobody keeps that.
        if stream.origin == Origin::Made || self.target_of(&stream).is_some() {
            self.discard_capture(&stream);
        }
        self.memory.depart(id, &stream, || drop(lock(&self.objects.streams).remove(&id)));
        if stream.origin == Origin::Made {
            // A capture that it is the origin of ends with it.
            let _ends = self.capture_ends();
            let _alone = stream.apart().may_be_captured().then(gate::write);
            // SAFETY: the stream was made here, and this call took it out of the list. Its work still runs.
            let _ = unsafe { self.api().cuStreamDestroy_v2(stream.native) };
            gate::note_end();
        }
        self.ask_for_looks();
        // Its captures are over, on the streams that joined them too.
        self.look_at_memory(false);
    }

    /// A stream that lives, as all do that core asks for.
    #[inline]
    pub(crate) fn stream(&self, id: StreamId) -> &Stream {
        match id {
            StreamId::LEGACY => &self.legacy,
            StreamId::PER_THREAD => &self.per_thread,
            // SAFETY: core holds the stream whose id it passes, so that it is not destroyed, and `streams` holds it until then.
            StreamId(known) => unsafe { address::object(known) },
        }
    }

    /// Makes the context current where the handle of `stream` means one of the current context.
    #[inline]
    pub(crate) fn current_for(&self, stream: &Stream) -> Result<Option<Current<'static>>> {
        match stream.origin {
            Origin::Special => self.map_error(self.device.enter()).map(Some),
            Origin::Made | Origin::Wrapped => Ok(None),
        }
    }

    /// Enters a stream into the list; the driver's is destroyed when there is no place.
    fn add_stream(&self, stream: Stream) -> Result<StreamId> {
        let stream = Arc::new(stream);
        // Never 0: so no id is that of a default stream in some context.
        let tag = 1 + LAST_STREAM.fetch_add(1, Ordering::Relaxed) % (address::TAGS - 1);
        match address::id_of(&stream, tag) {
            Some(id) => {
                lock(&self.objects.streams).insert(StreamId(id), stream);
                Ok(StreamId(id))
            }
            None => {
                if stream.origin == Origin::Made {
                    // SAFETY: the stream was just made and nobody else knows it.
                    let _ = unsafe { self.api().cuStreamDestroy_v2(stream.native) };
                }
                Err(no_address())
            }
        }
    }

    /// Tells `see` of a stream if it lives.
    pub(crate) fn find(&self, id: StreamId, see: &mut dyn FnMut(&Stream)) {
        let found = lock(&self.objects.streams).get(&id).cloned();
        if let Some(stream) = found {
            see(&stream);
        }
    }

    /// Returns what a wait for a stream that begins now will cover.
    fn covered(&self, stream: &Stream) -> Covered {
        Covered { launches: stream.history.launches(), since: self.memory.now() }
    }

    /// After a wait for a stream, or a look at it, that found it complete.
    fn completed(&self, id: StreamId, stream: &Stream, covered: Covered) {
        stream.history.completed(covered.launches);
        if stream.origin == Origin::Special {
            self.memory.completed(user_of(id), covered.since);
        }
    }
}
