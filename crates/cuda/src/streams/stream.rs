//! Streams: what graphcap knows of them beside the driver; made, wrapped, waited for, destroyed.

use std::ffi::{c_int, c_uint};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use cudarc::driver::sys::CUstream_flags;
use smallvec::SmallVec;

use super::apart::{Apart, Entering};
use super::history::History;
use super::patience::Patience;
use crate::api::address;
use crate::api::current::{tell_mode, Current, Relaxed};
use crate::api::device::Device;
use crate::api::{self, Handle};
use crate::captures::gate;
use crate::context::CudaContext;
use crate::graph;
use crate::memory;
use crate::shared::{no_address, ready, user_of, Shared};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::thread::{this_thread, ThreadNumber};
use graphcap_driver::rules;
use graphcap_driver::{callbacks, CaptureInfo, CaptureStatus, GraphId, StreamId, StreamOptions, Streams};

/// Where a stream comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// Made here, and destroyed here.
    Made,
    /// Of someone else, who destroys it.
    Wrapped,
    /// The legacy or the per-thread stream. Its handle means a stream of the current context.
    Special,
}

/// The captures that were begun on a stream through graphcap and may go on: one, or of the per-thread stream one for
/// each thread.
pub(crate) struct Begun {
    captures: SmallVec<[BegunCapture; 1]>,
    is_special: bool,
}

struct BegunCapture {
    by: ThreadNumber,
    number: u64,
    /// When, by [`graph::now`].
    at: u64,
    /// When, by [`graph::attributed`].
    attributed: u64,
    /// The graph that it was to go into.
    graph: Option<GraphId>,
}

impl Begun {
    fn on(origin: Origin) -> Begun {
        Begun { captures: SmallVec::new(), is_special: origin == Origin::Special }
    }

    /// Notes that `thread` began the capture `number`, into `graph` if that was there before; what it had begun earlier
    /// is over.
    pub(crate) fn note(&mut self, thread: ThreadNumber, number: u64, graph: Option<GraphId>) {
        self.end(thread);
        let (at, attributed) = (graph::now(), graph::attributed());
        self.captures.push(BegunCapture { by: thread, number, at, attributed, graph });
    }

    /// What was begun is over; of the per-thread stream, what `thread` began.
    pub(crate) fn end(&mut self, thread: ThreadNumber) {
        let is_special = self.is_special;
        self.captures.retain(|capture| is_special && capture.by != thread);
    }

    /// The graph that the capture was to go into which was begun last; of the per-thread stream, by `thread`.
    pub(crate) fn target(&self, thread: ThreadNumber) -> Option<GraphId> {
        self.of(thread).find_map(|capture| capture.graph)
    }

    /// The driver's number of the capture that was begun last; of the per-thread stream, by `thread`.
    pub(crate) fn number(&self, thread: ThreadNumber) -> Option<u64> {
        self.of(thread).next().map(|capture| capture.number)
    }

    /// When the capture was begun that was begun last; of the per-thread stream, by `thread`.
    pub(crate) fn at(&self, thread: ThreadNumber) -> Option<u64> {
        self.of(thread).next().map(|capture| capture.at)
    }

    /// Whether nothing happened since by which kernels of the capture may have got launch attributes that was begun last; of the
    /// per-thread stream, by `thread`.
    pub(crate) fn is_without_attributes(&self, thread: ThreadNumber) -> bool {
        self.of(thread).next().is_some_and(|capture| capture.attributed == graph::attributed())
    }

    /// Whether the capture `number` was begun through graphcap; of the per-thread stream, by `thread`. The driver calls
    /// every broken one 0.
    pub(crate) fn has(&self, thread: ThreadNumber, number: u64) -> bool {
        self.of(thread).any(|capture| capture.number == number || capture.number == 0 || number == 0)
    }

    fn of(&self, thread: ThreadNumber) -> impl Iterator<Item = &BegunCapture> {
        self.captures.iter().filter(move |capture| !self.is_special || capture.by == thread)
    }
}

/// A stream.
pub(crate) struct Stream {
    pub(crate) native: api::Stream,
    pub(crate) origin: Origin,
    pub(crate) history: History,
    /// Whether it runs without regard to the legacy stream, once that is known: the driver must not be asked while the
    /// stream is captured.
    pub(crate) non_blocking: OnceLock<bool>,
    /// As the driver told it last.
    pub(crate) priority: AtomicI32,
    /// Whether others can use it too.
    shared: AtomicBool,
    /// Whether it was told attributes.
    has_attributes: AtomicBool,
    /// The device's.
    ordinal: c_int,
    /// Of every stream but the legacy one.
    apart: Apart,
    /// Held over calls that can take the stream into a capture, and over those that must know that it is in none.
    transition: Mutex<Begun, rank::StreamTransition>,
}

impl Stream {
    pub(crate) fn new(native: api::Stream, origin: Origin, ordinal: c_int) -> Stream {
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
                Origin::Special => Apart::of_threads(),
                Origin::Made | Origin::Wrapped => Apart::of_stream(),
            },
            transition: Mutex::new(Begun::on(origin)),
        }
    }

    /// From here on others can use it too.
    pub(crate) fn share(&self) {
        self.shared.store(true, Ordering::Release);
        graph::note_attributed();
    }

    /// It was told attributes.
    pub(crate) fn note_attributes(&self) {
        self.has_attributes.store(true, Ordering::Release);
        graph::note_attributed();
    }

    /// Whether kernels that are captured on it may get launch attributes which the call does not tell: its own, its priority, and
    /// those of launches of others.
    pub(crate) fn gives_attributes(&self) -> bool {
        self.is_shared() || self.has_attributes.load(Ordering::Acquire) || self.priority.load(Ordering::Acquire) != 0
    }

    /// Whether others can use it too.
    pub(crate) fn is_shared(&self) -> bool {
        self.shared.load(Ordering::Acquire)
    }

    /// Asks by `ask` for the capture of the stream, and notes whether it is in one, unless a call began meanwhile that takes it into one.
    #[inline]
    pub(crate) fn note_asked(
        &self,
        ask: impl FnOnce() -> std::result::Result<CaptureInfo, api::Refusal>,
    ) -> std::result::Result<CaptureInfo, api::Refusal> {
        let apart = self.apart();
        let before = apart.before_question();
        let info = ask()?;
        apart.answered(before, info.status != CaptureStatus::None);
        Ok(info)
    }

    /// How calls on it are kept apart from captures.
    #[inline]
    pub(crate) fn apart(&self) -> &Apart {
        match self.is_legacy() {
            true => Apart::of_legacy(self.ordinal),
            false => &self.apart,
        }
    }

    fn is_legacy(&self) -> bool {
        self.origin == Origin::Special && self.native == Handle::from_number(StreamId::LEGACY.0 as usize)
    }

    /// As [`Apart::recorded`].
    #[inline]
    pub(crate) fn recorded<T>(&self, device: Device, call: impl FnOnce() -> T) -> T {
        self.apart().recorded(|| device.is_captured(self.native), call)
    }

    /// As [`Apart::entering`].
    pub(crate) fn entering(&self) -> Entering<'_> {
        let may_block = !self.is_legacy() && self.non_blocking.get() != Some(&true);
        self.apart().entering(may_block.then(|| Apart::of_legacy(self.ordinal)))
    }

    /// As [`Stream::settled`]; `None` when a call that takes it into a capture is in progress.
    pub(crate) fn try_settled<T>(&self, call: impl FnOnce() -> T) -> Option<T> {
        let _transition = self.transition.try_lock()?;
        Some(call())
    }

    /// Makes `call` while no gc_ call takes the stream into a capture.
    pub(crate) fn settled<T>(&self, call: impl FnOnce() -> T) -> T {
        self.in_transition(|_| call())
    }

    /// Makes `call` with what was begun on the stream, while no other gc_ call takes the stream into a capture.
    pub(crate) fn in_transition<T>(&self, call: impl FnOnce(&mut Begun) -> T) -> T {
        call(&mut lock(&self.transition))
    }
}

/// Every stream's id gets another tag, whatever its context: what it used may remember the id when the stream is gone.
static LAST_STREAM: AtomicU64 = AtomicU64::new(0);

/// What was submitted before a wait began.
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
        let _current = self.told(self.device.enter())?;
        // SAFETY: `native` is writable; the context is current.
        let made = unsafe { self.api().cuStreamCreateWithPriority(&mut native, flags as c_uint, options.priority) };
        self.told(made)?;
        let stream = Stream::new(native, Origin::Made, self.place.ordinal);
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
        self.told(tell_mode(self.api()))?;
        let stream = self.stream(id);
        let _current = self.current_for(stream)?;
        let covered = self.covered(stream);
        // Beside the end of a capture the driver may be asked, and not be waited in. What harms a capture harms it by either.
        if !stream.apart().may_be_captured() || !self.told(self.is_native_complete(stream))? {
            // SAFETY: the stream lives, and its context is current where it is a special one.
            self.told(unsafe { self.api().cuStreamSynchronize(stream.native) })?;
        }
        self.completed(id, stream, covered);
        self.failures.tell()
    }

    fn stream_synchronize_for(&self, id: StreamId, limit: Duration) -> Result<bool> {
        self.synchronize_with(id, Patience::new(limit))
    }

    fn stream_synchronize_eagerly(&self, id: StreamId, limit: Duration) -> Result<bool> {
        self.synchronize_with(id, Patience::without_pause(limit))
    }

    fn stream_is_complete(&self, id: StreamId) -> Result<bool> {
        callbacks::check_caller()?;
        self.told(tell_mode(self.api()))?;
        let stream = self.stream(id);
        let _current = self.current_for(stream)?;
        let covered = self.covered(stream);
        let complete = self.told(self.is_native_complete(stream))?;
        if complete {
            self.completed(id, stream, covered);
        }
        Ok(complete)
    }

    fn finish_legacy(&self) -> Result<()> {
        callbacks::check_caller()?;
        let _current = self.told(self.device.enter())?;
        let _relaxed = self.told(Relaxed::enter(self.api()))?;
        let covered = self.covered(&self.legacy);
        let meaning =
            "the work is queued and cannot be waited for, as a blocking stream is being captured by now, on another thread";
        self.told_with(self.memory.wait_for_legacy(), rules::LEGACY_BARRED, meaning)?;
        self.completed(StreamId::LEGACY, &self.legacy, covered);
        Ok(())
    }
}

impl Shared {
    /// Asks the driver whether all work of a stream has completed, whose context is current where it is a special one.
    fn is_native_complete(&self, stream: &Stream) -> std::result::Result<bool, api::Refusal> {
        // SAFETY: the stream lives.
        ready(stream.recorded(self.device, || unsafe { self.api().cuStreamQuery(stream.native) }))
    }

    /// Asks until everything submitted to the stream so far has completed, or `patience` ends; whether it has.
    fn synchronize_with(&self, id: StreamId, mut patience: Patience) -> Result<bool> {
        callbacks::check_caller()?;
        self.told(tell_mode(self.api()))?;
        let stream = self.stream(id);
        let _current = self.current_for(stream)?;
        let covered = self.covered(stream);
        let query = || self.is_native_complete(stream);
        // The first question is by the rules of a wait. Those that follow must harm nothing that begins meanwhile.
        let mut complete = self.told(query())?;
        while !complete && patience.lasts() {
            let _relaxed = self.told(Relaxed::enter(self.api()))?;
            let _no_begin = memory::no_begin();
            match self.device.ask_capture(stream.native) {
                Ok(None) => complete = self.told(query())?,
                Ok(Some(_)) => {}
                Err(refusal) if refusal.status == rules::LEGACY_BARRED => {}
                Err(refusal) => return self.told(Err(refusal)),
            }
        }
        if complete {
            self.completed(id, stream, covered);
            self.failures.tell()?;
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
        self.told(unsafe { self.api().cuStreamGetCtx(native, &mut context) })?;
        if context != self.device.context {
            return Err(Error::new(
                Status::INVALID_CONTEXT,
                "the stream belongs to another context than the primary one of this device; wrap it through a gc_context of its \
                 device, and make streams in the primary context, as the CUDA runtime does",
            ));
        }
        let stream = Stream::new(native, Origin::Wrapped, self.place.ordinal);
        self.learn_priority(&stream);
        if let Ok(None) = self.device.ask_capture(native) {
            // What is not known now is asked for later.
            let _ = self.learn_flags(&stream);
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
        let Some(stream) = lock(&self.streams).get(&id).cloned() else { return };
        // Who captures a stream of someone else's into a graph of graphcap's cannot go on when nobody keeps that.
        if stream.origin == Origin::Made || stream.in_transition(|begun| begun.target(this_thread())).is_some() {
            self.discard_capture(&stream);
        }
        self.memory.depart(id, &stream, || drop(lock(&self.streams).remove(&id)));
        if stream.origin == Origin::Made {
            // A capture that it is the origin of ends with it.
            let _ends = self.capture_ends();
            let _alone = stream.apart().may_be_captured().then(gate::alone);
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
            Origin::Special => self.told(self.device.enter()).map(Some),
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
                lock(&self.streams).insert(StreamId(id), stream);
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
        let found = lock(&self.streams).get(&id).cloned();
        if let Some(stream) = found {
            see(&stream);
        }
    }

    /// What a wait for a stream that begins now will cover.
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
