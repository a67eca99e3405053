//! What the calls of a CUDA context work on: its objects by id, the driver's answers in graphcap's words, what a fault may come
//! from, and the end of all of it.

use std::collections::HashMap;
use std::ffi::c_uint;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak};

use cudarc::driver::sys::CUstream_flags;

use super::address;
use super::api::{self, Api, Ctx, Handle, Refusal};
use super::current::{Current, Relaxed};
use super::graph::{self, Exec, Graph};
use super::history::{Launched, Names};
use super::limits::Limits;
use super::lingering::{self, Lingering};
use super::memory::{self, Ending, Memory, Range, User, Wait};
use super::module::{self, Kernel, Module, Place};
use super::stream::{Event, Origin, Stream};
use super::{lock, teardown};
use crate::driver::ids::{enter, key_of, lost_graph, no_such};
use crate::driver::{CaptureStatus, EventId, ExecId, GraphId, KernelId, ModuleId, StreamId};
use crate::error::{Error, Result, Status};
use crate::slots::{Borrowed, Slots};

/// What every call of the driver needs.
#[derive(Clone, Copy)]
pub(super) struct Device {
    pub(super) api: &'static Api,
    /// The primary context.
    pub(super) context: Ctx,
}

/// What outlives the context for a moment: calls that were handed to another thread, and its end.
pub(super) struct Shared {
    pub(super) device: Device,
    /// What its modules are loaded into.
    pub(super) place: Place,
    /// Distinct for each context of the process.
    pub(super) number: u64,
    pub(super) limits: Limits,
    pub(super) memory: Memory,
    pub(super) legacy: Stream,
    pub(super) per_thread: Stream,
    /// The streams that were made or wrapped.
    pub(super) streams: Mutex<HashMap<StreamId, Arc<Stream>>>,
    /// Every stream's id gets another tag: buffers remember ids of streams that are gone.
    pub(super) last_stream: AtomicU64,
    /// The graphs that were not destroyed. Looked up rarely and made often: a table that is quick to read is slow to write.
    pub(super) graphs: Mutex<HashMap<GraphId, Arc<Graph>>>,
    pub(super) last_graph: AtomicU64,
    /// The execs that were not destroyed.
    pub(super) execs: Mutex<HashMap<ExecId, Arc<Exec>>>,
    /// What to call kernels, and execs that are gone, when a fault may come from them.
    pub(super) names: Names,
    /// What the first call that met a fault was told.
    pub(super) fault: OnceLock<Error>,
    /// Written while a capture ends, which may be the end of its graph; read while something is attached to one.
    pub(super) ends: RwLock<()>,
    /// Whether the context was not given back yet. Held by who gives it back, or looks at its memory.
    pub(super) open: Mutex<bool>,
    /// This context, for whom it asks to look after its memory, and whether somebody does.
    pub(super) this: Weak<Shared>,
    pub(super) looked_after: AtomicBool,
}

/// Memory that core knows by an id.
pub(super) enum Owned {
    Device(Range),
    Lingering(Lingering),
}

/// The contexts of the process.
pub(super) static OPEN: Mutex<Vec<Weak<Shared>>> = Mutex::new(Vec::new());
pub(super) static EVENTS: Slots<Event> = Slots::new();
pub(super) static MEMORY: Slots<Mutex<Option<Owned>>> = Slots::new();
pub(super) static MODULES: Slots<Module> = Slots::new();

/// Names the calling thread.
pub(super) fn this_thread() -> u64 {
    thread_local! {
        static THREAD: u64 = {
            static LAST: AtomicU64 = AtomicU64::new(0);
            LAST.fetch_add(1, Ordering::Relaxed) + 1
        };
    }
    THREAD.try_with(|&thread| thread).unwrap_or(0)
}

/// Whether an answer means that a fault ended the context, for good and for the whole process.
pub(super) fn is_fault(status: Status) -> bool {
    matches!(status.0, 214 | 220 | 226 | 700 | 702 | 709 | 710 | 714..=719 | 721)
}

/// What was submitted before a wait began.
pub(super) struct Covered {
    pub(super) launches: u64,
    pub(super) since: u64,
}

/// A capture that a stream is in.
pub(super) struct Capture {
    pub(super) status: CaptureStatus,
    pub(super) id: u64,
    pub(super) graph: api::Graph,
}

impl Device {
    /// The capture that a stream is in, if any.
    #[inline]
    pub(super) fn ask_capture(&self, stream: api::Stream) -> Result<Option<Capture>, Refusal> {
        let (mut status, mut id, mut graph): (c_uint, u64, _) = (0, 0, Handle::NULL);
        let (nodes, count) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the stream lives; the outputs are writable, and what is null is left out.
        unsafe { self.api.cuStreamGetCaptureInfo_v2(stream, &mut status, &mut id, &mut graph, nodes, count) }?;
        Ok(match status {
            0 => None,
            1 => Some(Capture { status: CaptureStatus::Active, id, graph }),
            _ => Some(Capture { status: CaptureStatus::Invalidated, id, graph }),
        })
    }

    /// The same, with the nodes that the stream's next node will depend on while the capture is active.
    pub(super) fn ask_frontier(&self, stream: api::Stream) -> Result<Option<(Capture, Vec<api::Node>)>, Refusal> {
        let (mut status, mut id, mut graph): (c_uint, u64, _) = (0, 0, Handle::NULL);
        let (mut nodes, mut data, mut count) = (std::ptr::null(), std::ptr::null(), 0);
        let (api, places) = (self.api, (&mut status, &mut id, &mut graph, &mut nodes, &mut count));
        // SAFETY: the stream lives; the outputs are writable.
        let mut asked = unsafe {
            api.cuStreamGetCaptureInfo_v3(stream, places.0, places.1, places.2, places.3, &mut data, places.4)
        };
        if asked.is_err_and(|refusal| refusal.since.is_some()) {
            // A driver without it has no edges that carry data, which the older function refuses.
            // SAFETY: as above.
            asked = unsafe { api.cuStreamGetCaptureInfo_v2(stream, places.0, places.1, places.2, places.3, places.4) };
        }
        asked?;
        Ok(match status {
            0 => None,
            1 if count > 0 => {
                // SAFETY: the driver gave as many nodes, which stay where they are until the stream records again.
                let frontier = unsafe { std::slice::from_raw_parts(nodes, count) }.to_vec();
                Some((Capture { status: CaptureStatus::Active, id, graph }, frontier))
            }
            1 => Some((Capture { status: CaptureStatus::Active, id, graph }, Vec::new())),
            _ => Some((Capture { status: CaptureStatus::Invalidated, id, graph }, Vec::new())),
        })
    }

    /// The same; `None` when the driver does not tell.
    pub(super) fn capture(&self, stream: api::Stream) -> Option<Option<Capture>> {
        // Asked twice: what is not known now may never be given back.
        self.ask_capture(stream).or_else(|_| self.ask_capture(stream)).ok()
    }
}

impl Shared {
    pub(super) fn api(&self) -> &'static Api {
        self.device.api
    }

    /// The driver's answer as graphcap's.
    #[inline]
    pub(super) fn told<T>(&self, answer: Result<T, Refusal>) -> Result<T> {
        answer.map_err(|refusal| self.error(refusal))
    }

    /// The driver's answer as graphcap's, with `meaning` in front where the answer is `status`.
    pub(super) fn told_with<T>(&self, answer: Result<T, Refusal>, status: Status, meaning: &str) -> Result<T> {
        self.told(answer).map_err(|error| match error.status == status {
            true => Error::new(status, format!("{meaning}; {}", error.message)),
            false => error,
        })
    }

    #[cold]
    pub(super) fn error(&self, refusal: Refusal) -> Error {
        if is_fault(refusal.status) {
            let first = self.fault.get_or_init(|| self.fault_of(refusal));
            return Error::new(refusal.status, first.message.clone());
        }
        self.api().error(refusal)
    }

    /// What to tell about a fault. The driver does not say which launch it comes from.
    pub(super) fn fault_of(&self, refusal: Refusal) -> Error {
        // All contexts of a device are its one primary context, so the fault may come from another one's launch.
        let others: Vec<Arc<Shared>> = lock(&OPEN).iter().filter_map(Weak::upgrade).collect();
        let same = others.iter().filter(|other| other.place == self.place);
        let lists: Vec<String> = same.flat_map(|context| context.pending_launches()).collect();
        let suspects = match lists.is_empty() {
            true => "no launch of graphcap's was pending, so it comes from a copy or memset, or from work of others"
                .to_owned(),
            false => format!("it comes from one of the launches not known to be complete ({})", lists.join("; ")),
        };
        let Error { status, message } = self.api().error(refusal);
        Error::new(
            status,
            format!("work on the device failed: {message}; {suspects}. This process cannot use CUDA any more: save what you can and end it"),
        )
    }

    /// The launches of each stream that are not known to be complete.
    pub(super) fn pending_launches(&self) -> Vec<String> {
        let known: Vec<Arc<Stream>> = lock(&self.streams).values().cloned().collect();
        let special = [("legacy stream".into(), &self.legacy), ("per-thread streams".into(), &self.per_thread)];
        let known = known.iter().map(|stream| (format!("stream {:#x}", stream.native.number()), &**stream));
        let list = |(name, stream): (String, &Stream)| {
            let (forgotten, pending) = stream.history.pending();
            let launches: Vec<_> = pending.into_iter().map(|launched| self.name_of(launched)).collect();
            let older = if forgotten > 0 { format!("{forgotten} older launches, ") } else { String::new() };
            (!launches.is_empty()).then(|| format!("{name}: {older}{}", launches.join(", ")))
        };
        special.into_iter().chain(known).filter_map(list).collect()
    }

    pub(super) fn name_of(&self, launched: Launched) -> String {
        let known = match launched {
            Launched::Kernel(id) => return self.names.of_kernel(id),
            Launched::Exec(id) => lock(&self.execs).get(&id).map(|exec| exec.nodes).or_else(|| self.names.of_exec(id)),
        };
        known.map_or_else(|| "a graph".into(), |nodes| format!("a graph of {nodes} nodes"))
    }

    /// A stream that lives, as all do that core asks for.
    #[inline]
    pub(super) fn stream(&self, id: StreamId) -> &Stream {
        match id {
            StreamId::LEGACY => &self.legacy,
            StreamId::PER_THREAD => &self.per_thread,
            // SAFETY: core holds the stream whose id it passes, so that it is not destroyed, and `streams` holds it until then.
            StreamId(known) => unsafe { address::object(known) },
        }
    }

    /// Enters a stream into the list; the driver's is destroyed when there is no place.
    pub(super) fn add_stream(&self, stream: Stream) -> Result<StreamId> {
        let stream = Arc::new(stream);
        let tag = self.last_stream.fetch_add(1, Ordering::Relaxed) + 1;
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

    /// Asks for the priority of a stream, which harms nothing; what the driver does not tell stays as it was.
    pub(super) fn learn_priority(&self, stream: &Stream) {
        let mut priority = 0;
        // SAFETY: the stream lives; `priority` is writable.
        if unsafe { self.api().cuStreamGetPriority(stream.native, &mut priority) }.is_ok() {
            stream.priority.store(priority, Ordering::Release);
        }
    }

    /// Asks for the flags of a stream that is not being captured.
    pub(super) fn learn_flags(&self, stream: &Stream) -> Result<bool, Refusal> {
        let mut flags = 0;
        // SAFETY: the stream lives; `flags` is writable.
        unsafe { self.api().cuStreamGetFlags(stream.native, &mut flags) }?;
        Ok(*stream.non_blocking.get_or_init(|| flags & CUstream_flags::CU_STREAM_NON_BLOCKING as c_uint != 0))
    }

    /// Enters an event that nobody else knows; it is destroyed when there is no place.
    pub(super) fn enter_event(&self, native: api::Event) -> Result<EventId> {
        enter(&EVENTS, Event { native, context: self.number }, "events").map(EventId).inspect_err(|_| {
            // SAFETY: the caller made the event just now.
            let _ = unsafe { self.api().cuEventDestroy_v2(native) };
        })
    }

    pub(super) fn event(&self, id: EventId) -> Result<Borrowed<Event>> {
        EVENTS.get(key_of(id.0)).filter(|event| event.context == self.number).ok_or_else(|| no_such("event"))
    }

    pub(super) fn module(&self, id: ModuleId) -> Result<Borrowed<Module>> {
        MODULES.get(key_of(id.0)).filter(|module| module.context == self.number).ok_or_else(|| no_such("module"))
    }

    /// A kernel of a module that is loaded.
    #[inline]
    pub(super) fn kernel(&self, id: KernelId) -> &Kernel {
        // SAFETY: core holds the module of a kernel whose id it passes, and the module holds the kernel.
        unsafe { address::object(id.0) }
    }

    pub(super) fn find_graph(&self, id: GraphId) -> Option<Arc<Graph>> {
        lock(&self.graphs).get(&id).cloned()
    }

    pub(super) fn graph<T>(&self, id: GraphId, call: impl FnOnce(api::Graph) -> Result<T, Refusal>) -> Result<T> {
        let graph = self.find_graph(id).ok_or_else(|| no_such("graph"))?;
        self.told(graph.with(call).ok_or_else(lost_graph)?)
    }

    /// An exec that lives.
    #[inline]
    pub(super) fn exec(&self, id: ExecId) -> &Exec {
        // SAFETY: core holds the exec whose id it passes, so that it is not destroyed, and `execs` holds it until then.
        unsafe { address::object(id.0) }
    }

    /// Makes the context current where the handle of `stream` means one of the current context.
    #[inline]
    pub(super) fn current_for(&self, stream: &Stream) -> Result<Option<Current<'static>>> {
        match stream.origin {
            Origin::Special => self.told(self.device.enter()).map(Some),
            Origin::Made | Origin::Wrapped => Ok(None),
        }
    }

    /// Submits through `call`.
    #[inline]
    pub(super) fn submit(&self, id: StreamId, call: impl FnOnce(&Stream) -> Result<(), Refusal>) -> Result<()> {
        let stream = self.stream(id);
        if stream.origin == Origin::Special {
            return self.submit_special(id, stream, call);
        }
        self.told(call(stream))
    }

    pub(super) fn submit_special(
        &self,
        id: StreamId,
        stream: &Stream,
        call: impl FnOnce(&Stream) -> Result<(), Refusal>,
    ) -> Result<()> {
        let _current = self.told(self.device.enter())?;
        let user = user_of(id);
        self.memory.note_special(user);
        let answer = call(stream);
        // Once more: a wait for the context may have begun before the call.
        self.memory.note_special(user);
        self.told(answer)?;
        if self.memory.holds() {
            let _no_begin = memory::no_begin();
            if matches!(self.device.capture(stream.native), Some(None)) {
                self.memory.passed(user, stream.native);
            }
        }
        Ok(())
    }

    /// What a wait for a stream that begins now will cover.
    pub(super) fn covered(&self, stream: &Stream) -> Covered {
        Covered { launches: stream.history.launches(), since: self.memory.now() }
    }

    /// After a wait for a stream, or a look at it, that found it complete.
    pub(super) fn completed(&self, id: StreamId, stream: &Stream, covered: Covered) {
        stream.history.completed(covered.launches);
        if stream.origin == Origin::Special {
            self.memory.completed(user_of(id), covered.since);
        }
    }

    /// Tells `see` of a stream if it lives.
    pub(super) fn find(&self, id: StreamId, see: &mut dyn FnMut(&Stream)) {
        let found = lock(&self.streams).get(&id).cloned();
        if let Some(stream) = found {
            see(&stream);
        }
    }

    /// Looks whether memory that is held can go: some of it, or all.
    pub(super) fn look_at_memory(&self, all: bool) {
        self.memory.look(all, &|id, see| self.find(id, see));
    }

    /// Looks at all memory that is held; false when some stays.
    pub(super) fn sweep(&self) -> bool {
        let Ok(open) = self.open.try_lock() else { return false };
        if *open {
            self.look_at_memory(true);
        }
        !*open || !self.memory.waits()
    }

    pub(super) fn capture_goes_on(&self) -> RwLockReadGuard<'_, ()> {
        self.ends.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn capture_ends(&self) -> RwLockWriteGuard<'_, ()> {
        self.ends.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks the end of this thread's own work on its per-thread stream.
    pub(super) fn depart_own(&self) {
        self.memory.depart_own();
    }

    pub(super) fn release(&self, range: Range, used_by: &[StreamId]) {
        self.memory.release(range, used_by, &|id, see| self.find(id, see));
        self.ask_for_looks();
    }

    /// Has a thread look after what is held, if there is something.
    pub(super) fn ask_for_looks(&self) {
        if self.memory.waits() {
            teardown::look_after(&self.this, &self.looked_after);
        }
    }

    /// Unloads the modules that nothing uses, and gives memory back that lay by, of ended contexts too. The context must be
    /// current. May wait for all work of the device.
    pub(super) fn unload(&self) {
        let _relaxed = Relaxed::enter(self.api());
        module::unload_unused(self.api(), self.place);
        lingering::free_unused(self.api(), self.place);
    }

    /// Gives everything back that no work can need any more; unless it is `Idle`, something is left. Code that is left goes with the primary context, or when
    /// another context of it is waited for.
    pub(super) fn give_back(&self) -> Ending {
        let mut open = lock(&self.open);
        if !*open {
            return Ending::Idle;
        }
        let _relaxed = Relaxed::enter(self.api());
        let current = match self.device.enter() {
            Ok(current) => current,
            // Beyond use, with all that is in it.
            Err(refusal) if is_fault(refusal.status) => {
                module::forget_gone(self.api(), self.place.ordinal);
                return Ending::Idle;
            }
            Err(_) => return Ending::Pending,
        };
        if self.memory.pool.fault().is_some() {
            // No work is left that could need anything.
            self.memory.completed_all(Wait::ALL);
        } else {
            self.look_at_memory(true);
            match self.memory.ending() {
                Ending::Idle => {}
                Ending::Pending => return Ending::Pending,
                Ending::Unknown => {
                    let _ = self.memory.pool.trim();
                    return Ending::Unknown;
                }
            }
        }
        *open = false;
        self.memory.destroy();
        drop(current);
        // SAFETY: retained once by `open`, and given back once: who calls this forgets the context.
        let _ = unsafe { self.api().cuDevicePrimaryCtxRelease_v2(self.place.ordinal) };
        module::forget_gone(self.api(), self.place.ordinal);
        Ending::Idle
    }

    pub(super) fn stream_destroy(&self, id: StreamId) {
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
        if stream.origin == Origin::Made || stream.begun_into(this_thread()).is_some() {
            self.discard_capture(&stream);
        }
        self.memory.depart(id, &stream, || drop(lock(&self.streams).remove(&id)));
        if stream.origin == Origin::Made {
            // A capture that it is the origin of ends with it.
            let _ends = self.capture_ends();
            // SAFETY: the stream was made here, and this call took it out of the list. Its work still runs.
            let _ = unsafe { self.api().cuStreamDestroy_v2(stream.native) };
        }
        self.ask_for_looks();
        // Its captures are over, on the streams that joined them too.
        self.look_at_memory(false);
    }

    /// Ends the capture that was begun on the stream through graphcap, and drops what it recorded.
    pub(super) fn discard_capture(&self, stream: &Stream) {
        let _ends = self.capture_ends();
        let graph = stream.settled(|| {
            match self.device.capture(stream.native) {
                Some(Some(capture)) if stream.has_begun(this_thread(), capture.id) => {}
                _ => return Handle::NULL,
            }
            // On a thread that may not end it the capture is gone as well.
            self.end_native_capture(stream).map_or(Handle::NULL, |(graph, known)| match known {
                Some(_) => Handle::NULL,
                None => graph,
            })
        });
        if !graph.is_null() {
            // SAFETY: the graph was just made and nobody else knows it.
            let _ = unsafe { self.api().cuGraphDestroy(graph) };
        }
    }

    /// Ends the capture of a stream; gives its graph, and which one of graphcap's that is, if it was there before.
    pub(super) fn end_native_capture(&self, stream: &Stream) -> Result<(api::Graph, Option<GraphId>), Refusal> {
        let into = stream.begun_into(this_thread());
        let known = into.and_then(|id| self.find_graph(id));
        let mut graph = Handle::NULL;
        // SAFETY: the stream lives; `graph` is writable.
        let mut end = || unsafe { self.api().cuStreamEndCapture(stream.native, &mut graph) };
        match &known {
            Some(known) => known.end_capture(end),
            None => end(),
        }
        .inspect_err(|refusal| {
            if !graph::leaves_capture(refusal.status) {
                stream.note_ended(this_thread());
            }
        })?;
        stream.note_ended(this_thread());
        let is_known = known.is_some_and(|known| known.with(|native| native == graph) == Some(true));
        Ok((graph, into.filter(|_| is_known)))
    }

    /// Enters a graph that nobody else knows.
    pub(super) fn enter_graph(&self, native: api::Graph) -> GraphId {
        let id = GraphId(self.last_graph.fetch_add(1, Ordering::Relaxed) + 1);
        lock(&self.graphs).insert(id, Arc::new(Graph::new(native)));
        id
    }

    pub(super) fn instantiate(&self, graph: api::Graph, root: graph::Root) -> Result<Exec, Refusal> {
        let api = self.api();
        let _current = self.device.enter()?;
        // SAFETY: the graph's lock is held.
        let nodes = unsafe { graph::node_count(api, graph) }?;
        let mut exec = Handle::NULL;
        // SAFETY: the graph's lock is held; `exec` is writable. The exec holds what the graph holds from here on.
        unsafe { api.cuGraphInstantiateWithFlags(&mut exec, graph, 0) }?;
        Ok(Exec::new(exec, nodes, root))
    }

    pub(super) fn exec_destroy(&self, id: ExecId) {
        let Some(exec) = lock(&self.execs).remove(&id) else { return };
        self.names.exec_gone(id, exec.nodes);
        let _relaxed = Relaxed::enter(self.api());
        // SAFETY: taken out of its place, so that it is destroyed once and no launch begins any more; its graph's lock is held.
        let _ = exec.end(|native| unsafe { self.api().cuGraphExecDestroy(native) });
    }
}

#[cold]
pub(super) fn no_address() -> Error {
    Error::new(
        Status::OUT_OF_MEMORY,
        "the process has memory at addresses of more than 48 bits, which graphcap cannot number",
    )
}

pub(super) fn user_of(id: StreamId) -> User {
    match id {
        StreamId::PER_THREAD => User::Thread(this_thread()),
        id => User::Stream(id),
    }
}
