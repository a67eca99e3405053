//! A context on a CUDA device: the implementation of [`Driver`]. It finds the objects behind the ids and calls the driver,
//! which decides; graphcap adds what the driver does not keep: lifetimes, and what to tell a person.

use std::collections::HashMap;
use std::ffi::{c_int, c_uint, c_void};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak};

use cudarc::driver::sys::{CUdevice_attribute, CUevent_flags, CUstream_flags};
use smallvec::SmallVec;

use super::address;
use super::api::{self, Api, Ctx, Handle, Refusal};
use super::current::{Current, Relaxed};
use super::function::{self, Held, HostCall};
use super::garbage;
use super::graph::{self, Exec, Graph};
use super::history::{Launched, Names};
use super::library::Loaded;
use super::memory::{self, Ending, Memory, Range, User, Wait};
use super::module::{self, Kernel, Module};
use super::stream::{Event, Origin, Stream};
use super::{lock, teardown};
use crate::driver::{
    callbacks, Address, Argument, CaptureInfo, CaptureStatus, DeviceInfo, Driver, EventId, EventOptions, ExecId,
    GraphDescription, GraphId, HostFunction, KernelId, LaunchShape, Memcpy, MemcpyKind, MemoryId, Memset, ModuleId,
    ModuleSource, Object, Retained, StreamId, StreamOptions,
};
use crate::error::{Error, Result, Status};
use crate::rules::{self, CaptureMode};
use crate::slots::{Borrowed, Key, Slots};

/// What every call of the driver needs.
#[derive(Clone, Copy)]
pub(super) struct Device {
    pub(super) api: &'static Api,
    /// The primary context.
    pub(super) context: Ctx,
}

/// A context on a CUDA device.
pub(super) struct CudaContext {
    info: DeviceInfo,
    shared: Arc<Shared>,
}

/// What outlives the context for a moment: calls that were handed to another thread, and its end.
pub(super) struct Shared {
    device: Device,
    ordinal: c_int,
    /// Distinct for each context of the process.
    number: u64,
    memory: Memory,
    legacy: Stream,
    per_thread: Stream,
    /// The streams that were made or wrapped.
    streams: Mutex<HashMap<StreamId, Arc<Stream>>>,
    /// Every stream's id gets another tag: buffers remember ids of streams that are gone.
    last_stream: AtomicU64,
    /// Modules to be unloaded when that makes nobody wait.
    unloading: Mutex<Vec<Arc<crate::slots::Entry<Module>>>>,
    /// The execs that were not destroyed.
    execs: Mutex<HashMap<ExecId, Arc<Exec>>>,
    /// What to call kernels, and execs that are gone, when a fault may come from them.
    names: Names,
    /// What the first call that met a fault was told.
    fault: OnceLock<Error>,
    /// Written while a capture ends, which may be the end of its graph; read while something is attached to one.
    ends: RwLock<()>,
    /// Whether the context was not given back yet. Held by who gives it back, or looks at its memory.
    open: Mutex<bool>,
    /// This context, for whom it asks to look after its memory, and whether somebody does.
    this: Weak<Shared>,
    pub(super) looked_after: AtomicBool,
}

/// The contexts of the process.
static OPEN: Mutex<Vec<Weak<Shared>>> = Mutex::new(Vec::new());
static EVENTS: Slots<Event> = Slots::new();
static MEMORY: Slots<Mutex<Option<Range>>> = Slots::new();
static MODULES: Slots<Module> = Slots::new();
static GRAPHS: Slots<Graph> = Slots::new();

/// Ids start above the numbers of the special streams, because generations start at 1.
fn id_of(key: Key) -> u64 {
    u64::from(key.generation) << 32 | u64::from(key.index)
}

fn key_of(id: u64) -> Key {
    Key { index: id as u32, generation: (id >> 32) as u32 }
}

fn enter<T>(table: &Slots<T>, value: T, what: &str) -> Result<u64> {
    let full = || Error::new(Status::OUT_OF_MEMORY, format!("there are too many {what} at a time; destroy some"));
    table.insert(value).map(id_of).ok_or_else(full)
}

#[cold]
fn no_such(what: &str) -> Error {
    Error::new(Status::INVALID_HANDLE, format!("there is no such {what} in this context"))
}

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
struct Covered {
    launches: u64,
    since: u64,
}

/// A capture that a stream is in.
pub(super) struct Capture {
    status: CaptureStatus,
    id: u64,
    graph: api::Graph,
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

    /// The same; `None` when the driver does not tell.
    pub(super) fn capture(&self, stream: api::Stream) -> Option<Option<Capture>> {
        // Asked twice: what is not known now may never be given back.
        self.ask_capture(stream).or_else(|_| self.ask_capture(stream)).ok()
    }
}

impl CudaContext {
    /// Retains the primary context of a device and makes what graphcap needs in it.
    pub(super) fn open(loaded: &'static Loaded, ordinal: c_int, info: DeviceInfo) -> Result<CudaContext> {
        static LAST: AtomicU64 = AtomicU64::new(0);
        let api = &loaded.api;
        let refused = |refusal| api.error(refusal);
        let (mut pools, attribute) = (0, CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED);
        // SAFETY: `pools` is writable; the ordinal is a device.
        unsafe { api.cuDeviceGetAttribute(&mut pools, attribute as c_int, ordinal) }.map_err(refused)?;
        if pools == 0 {
            let message = format!("{} has no memory pools, which graphcap allocates from", info.name);
            return Err(Error::new(Status::NOT_SUPPORTED, message));
        }
        let mut context = Handle::NULL;
        // SAFETY: `context` is writable; the reference is given back by `give_back`, or below.
        unsafe { api.cuDevicePrimaryCtxRetain(&mut context, ordinal) }.map_err(refused)?;
        let device = Device { api, context };
        let number = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        let memory = device.enter().and_then(|_current| Memory::new(device, ordinal, number));
        let memory = memory.map_err(|refusal| {
            // SAFETY: the context was retained just now.
            let _ = unsafe { api.cuDevicePrimaryCtxRelease_v2(ordinal) };
            refused(refusal)
        })?;
        let special = |StreamId(id)| Stream::new(Handle::from_number(id as usize), Origin::Special);
        let shared = Arc::new_cyclic(|this| Shared {
            device,
            ordinal,
            number,
            memory,
            legacy: special(StreamId::LEGACY),
            per_thread: special(StreamId::PER_THREAD),
            streams: Mutex::default(),
            last_stream: AtomicU64::new(0),
            unloading: Mutex::default(),
            execs: Mutex::default(),
            names: Names::default(),
            fault: OnceLock::new(),
            ends: RwLock::new(()),
            open: Mutex::new(true),
            this: this.clone(),
            looked_after: AtomicBool::new(false),
        });
        let mut open = lock(&OPEN);
        open.retain(|context| context.strong_count() > 0);
        open.push(Arc::downgrade(&shared));
        Ok(CudaContext { info, shared })
    }

    /// Has `call` made on a thread where the driver may be called: this one, unless it is one of the driver's own.
    fn outside_driver(&self, call: impl FnOnce(&Shared) + Send + 'static) {
        if function::on_driver_thread() {
            let shared = Arc::clone(&self.shared);
            return callbacks::run(Box::new(move || call(&shared)));
        }
        call(&self.shared);
    }
}

impl Drop for CudaContext {
    fn drop(&mut self) {
        if function::on_driver_thread() {
            let shared = Arc::clone(&self.shared);
            return callbacks::run(Box::new(move || teardown::take_over(&shared)));
        }
        teardown::take_over(&self.shared);
    }
}

impl Shared {
    fn api(&self) -> &'static Api {
        self.device.api
    }

    /// What most calls begin with: not from inside a callback.
    #[inline]
    fn check_call(&self) -> Result<()> {
        if callbacks::inside_work() {
            return Err(Error::new(
                Status::NOT_PERMITTED,
                "host functions and destroy callbacks may not submit work or wait for it; do so on a thread of your own",
            ));
        }
        Ok(())
    }

    /// The driver's answer as graphcap's.
    #[inline]
    fn told<T>(&self, answer: Result<T, Refusal>) -> Result<T> {
        answer.map_err(|refusal| self.error(refusal))
    }

    /// The driver's answer as graphcap's, with `meaning` in front where the answer is `status`.
    fn told_with<T>(&self, answer: Result<T, Refusal>, status: Status, meaning: &str) -> Result<T> {
        self.told(answer).map_err(|error| match error.status == status {
            true => Error::new(status, format!("{meaning}; {}", error.message)),
            false => error,
        })
    }

    #[cold]
    fn error(&self, refusal: Refusal) -> Error {
        if is_fault(refusal.status) {
            let first = self.fault.get_or_init(|| self.fault_of(refusal));
            return Error::new(refusal.status, first.message.clone());
        }
        self.api().error(refusal)
    }

    /// What to tell about a fault. The driver does not say which launch it comes from.
    fn fault_of(&self, refusal: Refusal) -> Error {
        // All contexts of a device are its one primary context, so the fault may come from another one's launch.
        let others: Vec<Arc<Shared>> = lock(&OPEN).iter().filter_map(Weak::upgrade).collect();
        let same = others.iter().filter(|other| other.ordinal == self.ordinal);
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
    fn pending_launches(&self) -> Vec<String> {
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

    fn name_of(&self, launched: Launched) -> String {
        let known = match launched {
            Launched::Kernel(id) => return self.names.of_kernel(id),
            Launched::Exec(id) => lock(&self.execs).get(&id).map(|exec| exec.nodes).or_else(|| self.names.of_exec(id)),
        };
        known.map_or_else(|| "a graph".into(), |nodes| format!("a graph of {nodes} nodes"))
    }

    /// A stream that lives, as all do that core asks for.
    #[inline]
    fn stream(&self, id: StreamId) -> &Stream {
        match id {
            StreamId::LEGACY => &self.legacy,
            StreamId::PER_THREAD => &self.per_thread,
            // SAFETY: core holds the stream whose id it passes, so that it is not destroyed, and `streams` holds it until then.
            StreamId(known) => unsafe { address::object(known) },
        }
    }

    /// Enters a stream into the list; the driver's is destroyed when there is no place.
    fn add_stream(&self, native: api::Stream, origin: Origin) -> Result<StreamId> {
        let stream = Arc::new(Stream::new(native, origin));
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

    fn event(&self, id: EventId) -> Result<Borrowed<Event>> {
        EVENTS.get(key_of(id.0)).filter(|event| event.context == self.number).ok_or_else(|| no_such("event"))
    }

    fn module(&self, id: ModuleId) -> Result<Borrowed<Module>> {
        MODULES.get(key_of(id.0)).filter(|module| module.context == self.number).ok_or_else(|| no_such("module"))
    }

    /// A kernel of a module that is loaded.
    #[inline]
    fn kernel(&self, id: KernelId) -> &Kernel {
        // SAFETY: core holds the module of a kernel whose id it passes, and the module holds the kernel.
        unsafe { address::object(id.0) }
    }

    fn graph<T>(&self, id: GraphId, call: impl FnOnce(api::Graph) -> Result<T, Refusal>) -> Result<T> {
        let graph = GRAPHS.get(key_of(id.0)).filter(|graph| graph.context == self.number);
        let called = graph.and_then(|graph| graph.with(call));
        called.map_or_else(|| Err(no_such("graph")), |answer| self.told(answer))
    }

    /// An exec that lives.
    #[inline]
    fn exec(&self, id: ExecId) -> &Exec {
        // SAFETY: core holds the exec whose id it passes, so that it is not destroyed, and `execs` holds it until then.
        unsafe { address::object(id.0) }
    }

    /// Makes the context current where the handle of `stream` means one of the current context.
    #[inline]
    fn current_for(&self, stream: &Stream) -> Result<Option<Current<'static>>> {
        match stream.origin {
            Origin::Special => self.told(self.device.enter()).map(Some),
            Origin::Made | Origin::Wrapped => Ok(None),
        }
    }

    /// Submits through `call`.
    #[inline]
    fn submit(&self, id: StreamId, call: impl FnOnce(&Stream) -> Result<(), Refusal>) -> Result<()> {
        let stream = self.stream(id);
        if stream.origin == Origin::Special {
            return self.submit_special(id, stream, call);
        }
        self.told(call(stream))
    }

    fn submit_special(
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

    /// Tells `see` of a stream if it lives.
    fn find(&self, id: StreamId, see: &mut dyn FnMut(&Stream)) {
        let found = lock(&self.streams).get(&id).cloned();
        if let Some(stream) = found {
            see(&stream);
        }
    }

    /// Looks whether memory that is held can go: some of it, or all.
    fn look_at_memory(&self, all: bool) {
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

    fn capture_goes_on(&self) -> RwLockReadGuard<'_, ()> {
        self.ends.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn capture_ends(&self) -> RwLockWriteGuard<'_, ()> {
        self.ends.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// When nobody uses the context any more: marks the end of this thread's own work on it.
    pub(super) fn depart_own(&self) {
        self.memory.depart_own();
    }

    /// Whether code is left to be unloaded, which may have to wait for all work of the device.
    pub(super) fn has_code(&self) -> bool {
        !lock(&self.unloading).is_empty()
    }

    fn release(&self, range: Range, used_by: &[StreamId]) {
        self.memory.release(range, used_by, &|id, see| self.find(id, see));
        self.ask_for_looks();
    }

    /// Has a thread look after what is held, if there is something.
    fn ask_for_looks(&self) {
        if self.memory.waits() {
            teardown::look_after(&self.this, &self.looked_after);
        }
    }

    /// Unloads the modules that nothing uses. The context must be current. May wait for all work of the device.
    fn unload(&self) {
        let _relaxed = Relaxed::enter(self.api());
        let unloading = std::mem::take(&mut *lock(&self.unloading));
        for module in unloading {
            for (id, _) in lock(&module.kernels).drain().map(|(_, kernel)| kernel) {
                self.names.forget_kernel(id);
            }
            // SAFETY: core let go of the module and of its kernels, and so did all graphs.
            let _ = unsafe { self.api().cuModuleUnload(module.native) };
        }
    }

    /// Gives everything back, if no work is left that could need it.
    pub(super) fn give_back(&self) -> bool {
        let mut open = lock(&self.open);
        let _relaxed = Relaxed::enter(self.api());
        let current = match self.device.enter() {
            Ok(current) => current,
            // Beyond use, with all that is in it.
            Err(refusal) if is_fault(refusal.status) => return true,
            Err(_) => return false,
        };
        if self.memory.fault().is_some() {
            // No work is left that could need anything.
            self.memory.completed_all(Wait::ALL);
        } else {
            self.look_at_memory(true);
            match self.memory.ending() {
                Ending::Idle => {}
                Ending::Pending => return false,
                // What may still be used stays until the process ends.
                Ending::Unknown => {
                    let _ = self.memory.trim();
                    return true;
                }
            }
        }
        self.unload();
        *open = false;
        self.memory.destroy();
        drop(current);
        // SAFETY: retained once by `open`, and given back once: who calls this forgets the context.
        let _ = unsafe { self.api().cuDevicePrimaryCtxRelease_v2(self.ordinal) };
        true
    }

    fn stream_destroy(&self, id: StreamId) {
        if id == StreamId::PER_THREAD {
            if let Ok(_current) = self.device.enter() {
                self.discard_capture(&self.per_thread);
            }
            return;
        }
        let Some(stream) = lock(&self.streams).get(&id).cloned() else { return };
        if stream.origin == Origin::Made {
            self.discard_capture(&stream);
        }
        self.memory.depart(id, &stream, || drop(lock(&self.streams).remove(&id)));
        self.ask_for_looks();
        // Its captures are over, on the streams that joined them too.
        self.look_at_memory(false);
    }

    /// Ends the capture that was begun on the stream through graphcap, and drops what it recorded.
    fn discard_capture(&self, stream: &Stream) {
        let _ends = self.capture_ends();
        stream.settled(|| {
            match self.device.capture(stream.native) {
                Some(Some(capture)) if stream.has_begun(this_thread(), capture.id) => {}
                _ => return,
            }
            let mut graph = Handle::NULL;
            // SAFETY: the stream lives and `graph` is writable. On a thread that may not end it the capture is gone as well.
            let ended = unsafe { self.api().cuStreamEndCapture(stream.native, &mut graph) };
            if ended.is_ok() && !graph.is_null() {
                // SAFETY: the graph was just made and nobody else knows it.
                let _ = unsafe { self.api().cuGraphDestroy(graph) };
            }
        });
    }

    fn instantiate(&self, graph: api::Graph, root: graph::Root) -> Result<Exec, Refusal> {
        let api = self.api();
        let _current = self.device.enter()?;
        // SAFETY: the graph's lock is held.
        let nodes = unsafe { graph::node_count(api, graph) }?;
        let mut exec = Handle::NULL;
        // SAFETY: the graph's lock is held; `exec` is writable. The exec holds what the graph holds from here on.
        unsafe { api.cuGraphInstantiateWithFlags(&mut exec, graph, 0) }?;
        Ok(Exec::new(exec, nodes, root))
    }

    fn exec_destroy(&self, id: ExecId) {
        let Some(exec) = lock(&self.execs).remove(&id) else { return };
        self.names.exec_gone(id, exec.nodes);
        let _relaxed = Relaxed::enter(self.api());
        // SAFETY: taken out of its place, so that it is destroyed once and no launch begins any more; its graph's lock is held.
        let _ = exec.end(|native| unsafe { self.api().cuGraphExecDestroy(native) });
    }
}

#[cold]
fn no_address() -> Error {
    Error::new(
        Status::OUT_OF_MEMORY,
        "the process has memory at addresses of more than 48 bits, which graphcap cannot number",
    )
}

fn user_of(id: StreamId) -> User {
    match id {
        StreamId::PER_THREAD => User::Thread(this_thread()),
        id => User::Stream(id),
    }
}

/// What an argument list is padded to where the driver does not tell how many parameters a kernel has: it reads as many
/// pointers as there are. No kernel has more.
const MOST_PARAMETERS: usize = 4096;
/// Where the padding points to: as many bytes as a parameter can have.
static NO_ARGUMENT: [u64; 4096] = [0; 4096];

impl Driver for CudaContext {
    fn device(&self) -> &DeviceInfo {
        &self.info
    }

    fn synchronize(&self) -> Result<()> {
        let shared = &*self.shared;
        shared.check_call()?;
        let _current = shared.told(shared.device.enter())?;
        let known: Vec<Arc<Stream>> = lock(&shared.streams).values().cloned().collect();
        let streams: Vec<&Stream> =
            known.iter().map(|stream| &**stream).chain([&shared.legacy, &shared.per_thread]).collect();
        let launches: Vec<u64> = streams.iter().map(|stream| stream.history.launches()).collect();
        let wait = shared.memory.wait_begins();
        // SAFETY: the context is current.
        shared.told(unsafe { shared.api().cuCtxSynchronize() })?;
        for (stream, launches) in streams.iter().zip(launches) {
            stream.history.completed(launches);
        }
        shared.memory.completed_all(wait);
        shared.unload();
        Ok(())
    }

    fn collect(&self) -> Result<()> {
        let shared = &*self.shared;
        shared.check_call()?;
        let _current = shared.told(shared.device.enter())?;
        let _relaxed = shared.told(Relaxed::enter(shared.api()))?;
        if let Some(fault) = shared.memory.fault() {
            return Err(shared.error(fault));
        }
        shared.unload();
        shared.memory.look_at_special();
        shared.look_at_memory(true);
        shared.told(shared.memory.trim())
    }

    fn shares_streams(&self) -> bool {
        true
    }

    fn native(&self, object: Object) -> Result<usize> {
        let shared = &*self.shared;
        Ok(match object {
            Object::Context => shared.device.context.number(),
            Object::Stream(id) => {
                shared.stream(id).share();
                shared.stream(id).native.number()
            }
            Object::Event(id) => shared.event(id)?.native.number(),
            Object::Module(id) => shared.module(id)?.native.number(),
            Object::Kernel(id) => shared.kernel(id).native.number(),
            Object::Graph(id) => shared.graph(id, |graph| Ok(graph.number()))?,
            Object::Exec(id) => shared.exec(id).with(api::Exec::number).ok_or_else(|| no_such("graph exec"))?,
        })
    }

    fn stream_wrap(&self, native: usize) -> Result<StreamId> {
        let shared = &*self.shared;
        shared.check_call()?;
        match native as u64 {
            0 | 1 => return Ok(StreamId::LEGACY),
            2 => return Ok(StreamId::PER_THREAD),
            _ => {}
        }
        let native = Handle::from_number(native);
        let mut context = Handle::NULL;
        // SAFETY: the caller promises a live stream; `context` is writable.
        shared.told(unsafe { shared.api().cuStreamGetCtx(native, &mut context) })?;
        if context != shared.device.context {
            return Err(Error::new(
                Status::INVALID_CONTEXT,
                "the stream belongs to another context than the primary one of this device; wrap it through a gc_context of its \
                 device, and make streams in the primary context, as the CUDA runtime does",
            ));
        }
        shared.add_stream(native, Origin::Wrapped)
    }

    fn stream_create(&self, options: StreamOptions) -> Result<StreamId> {
        let shared = &*self.shared;
        shared.check_call()?;
        let flags = match options.non_blocking {
            true => CUstream_flags::CU_STREAM_NON_BLOCKING,
            false => CUstream_flags::CU_STREAM_DEFAULT,
        };
        let mut native = Handle::NULL;
        let _current = shared.told(shared.device.enter())?;
        // SAFETY: `native` is writable; the context is current.
        let made = unsafe { shared.api().cuStreamCreateWithPriority(&mut native, flags as c_uint, options.priority) };
        shared.told(made)?;
        shared.add_stream(native, Origin::Made)
    }

    fn stream_destroy(&self, stream: StreamId) {
        self.outside_driver(move |shared| shared.stream_destroy(stream));
    }

    fn stream_synchronize(&self, id: StreamId) -> Result<()> {
        let shared = &*self.shared;
        shared.check_call()?;
        let stream = shared.stream(id);
        let _current = shared.current_for(stream)?;
        let covered = shared.covered(stream);
        // SAFETY: the stream lives, and its context is current where it is a special one.
        shared.told(unsafe { shared.api().cuStreamSynchronize(stream.native) })?;
        shared.completed(id, stream, covered);
        Ok(())
    }

    fn stream_is_complete(&self, id: StreamId) -> Result<bool> {
        let shared = &*self.shared;
        shared.check_call()?;
        let stream = shared.stream(id);
        let _current = shared.current_for(stream)?;
        let covered = shared.covered(stream);
        // SAFETY: as in `stream_synchronize`.
        let complete = shared.told(ready(unsafe { shared.api().cuStreamQuery(stream.native) }))?;
        if complete {
            shared.completed(id, stream, covered);
        }
        Ok(complete)
    }

    fn stream_wait_event(&self, stream: StreamId, event: EventId) -> Result<()> {
        let shared = &*self.shared;
        shared.check_call()?;
        let event = shared.event(event)?;
        shared.submit(stream, |stream| {
            let _begins = memory::may_begin();
            // SAFETY: stream and event live. The wait may take the stream into a capture.
            stream.settled(|| unsafe { shared.api().cuStreamWaitEvent(stream.native, event.native, 0) })
        })
    }

    fn begin_capture(&self, stream: StreamId, mode: CaptureMode) -> Result<()> {
        let shared = &*self.shared;
        shared.check_call()?;
        garbage::sweep();
        let (status, meaning) = match stream {
            StreamId::LEGACY => (
                rules::BARRED,
                "the legacy stream cannot be captured; capture a stream of your own or the per-thread one",
            ),
            _ => (Status::ILLEGAL_STATE, "the stream is being captured already; end that capture first"),
        };
        let stream = shared.stream(stream);
        let _current = shared.current_for(stream)?;
        let _begins = memory::may_begin();
        let begun = stream.settled(|| {
            // SAFETY: the stream lives; the modes have the driver's numbers.
            unsafe { shared.api().cuStreamBeginCapture_v2(stream.native, mode as c_uint) }?;
            // Its number; 0, which none has, where the driver does not tell.
            let number = shared.device.capture(stream.native).flatten().map_or(0, |capture| capture.id);
            stream.note_begun(this_thread(), number);
            Ok(())
        });
        shared.told_with(begun, status, meaning)
    }

    fn end_capture(&self, stream: StreamId) -> Result<GraphId> {
        let shared = &*self.shared;
        shared.check_call()?;
        let stream = shared.stream(stream);
        let _current = shared.current_for(stream)?;
        let mut graph = Handle::NULL;
        let ends = shared.capture_ends();
        let ended = stream.settled(|| {
            // SAFETY: the stream lives; `graph` is writable.
            unsafe { shared.api().cuStreamEndCapture(stream.native, &mut graph) }
        });
        drop(ends);
        shared.look_at_memory(false);
        shared.told_with(ended, Status::ILLEGAL_STATE, "the stream is not being captured; begin a capture first")?;
        enter(&GRAPHS, Graph::new(graph, shared.number), "graphs").map(GraphId).inspect_err(|_| {
            // SAFETY: the graph was just made and nobody else knows it.
            let _ = unsafe { shared.api().cuGraphDestroy(graph) };
        })
    }

    #[inline]
    fn capture_info(&self, stream: StreamId) -> Result<CaptureInfo> {
        let shared = &*self.shared;
        shared.check_call()?;
        let stream = shared.stream(stream);
        let _current = shared.current_for(stream)?;
        Ok(match shared.told(shared.device.ask_capture(stream.native))? {
            Some(capture) => CaptureInfo { status: capture.status, id: capture.id },
            None => CaptureInfo { status: CaptureStatus::None, id: 0 },
        })
    }

    fn capture_retain(&self, stream: StreamId, retained: Retained) -> Result<()> {
        let shared = &*self.shared;
        shared.check_call()?;
        let stream = shared.stream(stream);
        let _current = shared.current_for(stream)?;
        let _goes_on = shared.capture_goes_on();
        let attached = stream.settled(|| match shared.device.ask_capture(stream.native)? {
            Some(Capture { status: CaptureStatus::Active, graph, .. }) => {
                // SAFETY: the graph lives while it is captured into.
                unsafe { Held::List(retained).attach(shared.api(), graph) }.map(|_| true)
            }
            _ => Ok(false),
        });
        match shared.told(attached)? {
            true => Ok(()),
            false => Err(Error::new(Status::ILLEGAL_STATE, "the stream is not being captured")),
        }
    }

    fn event_create(&self, options: EventOptions) -> Result<EventId> {
        let shared = &*self.shared;
        shared.check_call()?;
        let mut flags = CUevent_flags::CU_EVENT_DEFAULT as c_uint;
        if options.blocking_sync {
            flags |= CUevent_flags::CU_EVENT_BLOCKING_SYNC as c_uint;
        }
        if options.disable_timing {
            flags |= CUevent_flags::CU_EVENT_DISABLE_TIMING as c_uint;
        }
        let mut native = Handle::NULL;
        let _current = shared.told(shared.device.enter())?;
        // SAFETY: `native` is writable; the context is current.
        shared.told(unsafe { shared.api().cuEventCreate(&mut native, flags) })?;
        enter(&EVENTS, Event { native, context: shared.number }, "events").map(EventId).inspect_err(|_| {
            // SAFETY: the event was just made and nobody else knows it.
            let _ = unsafe { shared.api().cuEventDestroy_v2(native) };
        })
    }

    fn event_destroy(&self, event: EventId) {
        self.outside_driver(move |shared| {
            if let Some(event) = EVENTS.remove(key_of(event.0)) {
                // SAFETY: the event was made here, and this is the one call that took it out of the table. The driver keeps
                // waits for it that were submitted.
                let _ = unsafe { shared.api().cuEventDestroy_v2(event.native) };
            }
        });
    }

    fn event_record(&self, event: EventId, stream: StreamId) -> Result<()> {
        let shared = &*self.shared;
        shared.check_call()?;
        let event = shared.event(event)?;
        // SAFETY: stream and event live.
        shared.submit(stream, |stream| unsafe { shared.api().cuEventRecord(event.native, stream.native) })
    }

    fn event_is_complete(&self, event: EventId) -> Result<bool> {
        let shared = &*self.shared;
        shared.check_call()?;
        let event = shared.event(event)?;
        // SAFETY: the event lives.
        shared.told(ready(unsafe { shared.api().cuEventQuery(event.native) }))
    }

    fn event_synchronize(&self, event: EventId) -> Result<()> {
        let shared = &*self.shared;
        shared.check_call()?;
        let event = shared.event(event)?;
        // SAFETY: the event lives: core keeps it for the time of the call.
        shared.told(unsafe { shared.api().cuEventSynchronize(event.native) })
    }

    fn event_elapsed_ms(&self, start: EventId, end: EventId) -> Result<f32> {
        let shared = &*self.shared;
        shared.check_call()?;
        let (start, end, mut milliseconds) = (shared.event(start)?, shared.event(end)?, 0.0);
        // SAFETY: both events live; the output is writable.
        let asked = unsafe { shared.api().cuEventElapsedTime(&mut milliseconds, start.native, end.native) };
        let meaning = "there is no time between the events: record both outside of captures, and make both with timing";
        shared.told_with(asked, Status::INVALID_HANDLE, meaning)?;
        Ok(milliseconds)
    }

    fn allocate(&self, bytes: usize) -> Result<(MemoryId, Address)> {
        let shared = &*self.shared;
        shared.check_call()?;
        let address = shared.memory.allocate(bytes, &|id, see| shared.find(id, see)).map_err(|refusal| {
            let error = shared.error(refusal);
            match shared.memory.info().filter(|_| error.status == Status::OUT_OF_MEMORY) {
                Some((free, total)) => Error::new(
                    error.status,
                    format!(
                        "{bytes} bytes cannot be allocated: {free} of the device's {total} bytes are free; {}",
                        error.message
                    ),
                ),
                None => error,
            }
        })?;
        match enter(&MEMORY, Mutex::new(Some(Range::Allocated(address))), "buffers") {
            Ok(id) => Ok((MemoryId(id), address)),
            Err(error) => {
                shared.release(Range::Allocated(address), &[]);
                Err(error)
            }
        }
    }

    fn adopt(&self, address: Address, bytes: usize, on_release: Box<dyn FnOnce() + Send>) -> Result<MemoryId> {
        let shared = &*self.shared;
        shared.check_call()?;
        if !shared.told(shared.memory.knows(address, bytes))? {
            return Err(Error::invalid_value(format!(
                "the {bytes} bytes at {address:#x} are not inside one allocation that the CUDA driver knows; wrap device, managed \
                 or pinned memory"
            )));
        }
        enter(&MEMORY, Mutex::new(Some(Range::Adopted(on_release))), "buffers").map(MemoryId)
    }

    fn release(&self, memory: MemoryId, used_by: &[StreamId]) {
        let range = MEMORY.remove(key_of(memory.0)).and_then(|range| lock(&range).take());
        let Some(range) = range else { return };
        if function::on_driver_thread() {
            let used_by = used_by.to_vec();
            return self.outside_driver(move |shared| shared.release(range, &used_by));
        }
        self.shared.release(range, used_by);
    }

    fn memcpy(&self, stream: StreamId, copy: Memcpy) -> Result<()> {
        let shared = &*self.shared;
        shared.check_call()?;
        let Memcpy { destination, source, bytes, kind } = copy;
        let host = |address: Address| std::ptr::with_exposed_provenance_mut::<c_void>(address as usize);
        let api = shared.api();
        // SAFETY: the stream lives. The driver checks device addresses; who submits promises host memory.
        shared.submit(stream, |stream| unsafe {
            match kind {
                MemcpyKind::HostToDevice => api.cuMemcpyHtoDAsync_v2(destination, host(source), bytes, stream.native),
                MemcpyKind::DeviceToHost => api.cuMemcpyDtoHAsync_v2(host(destination), source, bytes, stream.native),
                MemcpyKind::DeviceToDevice => api.cuMemcpyDtoDAsync_v2(destination, source, bytes, stream.native),
            }
        })
    }

    fn memset(&self, stream: StreamId, set: Memset) -> Result<()> {
        let shared = &*self.shared;
        shared.check_call()?;
        let Memset { address, value, element_size, count } = set;
        let api = shared.api();
        // SAFETY: the stream lives. The driver checks the address.
        shared.submit(stream, |stream| unsafe {
            match element_size {
                1 => api.cuMemsetD8Async(address, value as u8, count, stream.native),
                2 => api.cuMemsetD16Async(address, value as u16, count, stream.native),
                _ => api.cuMemsetD32Async(address, value, count, stream.native),
            }
        })
    }

    #[inline]
    fn launch_kernel(
        &self,
        stream: StreamId,
        kernel: KernelId,
        shape: LaunchShape,
        arguments: &[Argument<'_>],
    ) -> Result<()> {
        let shared = &*self.shared;
        shared.check_call()?;
        let found = shared.kernel(kernel);
        let mut parameters = SmallVec::<[*mut c_void; 16]>::new();
        parameters.extend(arguments.iter().map(|argument| match argument {
            Argument::Address(address) => std::ptr::from_ref(address).cast_mut().cast(),
            Argument::Value(bytes) => bytes.as_ptr().cast_mut().cast(),
        }));
        if !found.are_sizes_told {
            parameters.resize(MOST_PARAMETERS, NO_ARGUMENT.as_ptr().cast_mut().cast());
        }
        let LaunchShape { grid: [gx, gy, gz], block: [bx, by, bz], shared_mem_bytes } = shape;
        found.allow_shared_memory(shared.api(), shared_mem_bytes);
        shared.submit(stream, |stream| {
            // SAFETY: stream and kernel live. There is a pointer for each parameter, each to as many bytes as it has: core
            // checked that where the sizes are known. The driver reads them only, and before it returns.
            unsafe {
                shared.api().cuLaunchKernel(
                    found.native,
                    gx,
                    gy,
                    gz,
                    bx,
                    by,
                    bz,
                    shared_mem_bytes,
                    stream.native,
                    parameters.as_mut_ptr(),
                    std::ptr::null_mut(),
                )
            }?;
            stream.history.add(Launched::Kernel(kernel));
            Ok(())
        })
        .map_err(|error| match error.status {
            Status::INVALID_VALUE => Error::new(
                error.status,
                format!(
                    "kernel '{}' cannot be launched with the grid {:?}, the block {:?} and {shared_mem_bytes} bytes of shared memory: \
                     each must be at least 1 and within the limits of the device; {}",
                    found.name, shape.grid, shape.block, error.message
                ),
            ),
            _ => error,
        })
    }

    fn launch_host_function(&self, stream: StreamId, function: HostFunction) -> Result<()> {
        let shared = &*self.shared;
        shared.check_call()?;
        let is_legacy = stream == StreamId::LEGACY;
        let _goes_on = shared.capture_goes_on();
        shared.submit(stream, |stream| {
            stream.settled(|| {
                // The legacy stream is never captured, and the driver may refuse to say so.
                let capture = || if is_legacy { Ok(None) } else { shared.device.ask_capture(stream.native) };
                let before = capture()?;
                let graph = before.as_ref().filter(|capture| capture.status == CaptureStatus::Active);
                // SAFETY: the stream lives, and it is in that capture, unless others interfere.
                let call = unsafe {
                    HostCall::submit(shared.api(), stream.native, graph.map(|capture| capture.graph), function)
                }?;
                let after = capture()?;
                if before.map(|capture| capture.id) != after.map(|capture| capture.id) {
                    call.keep_for_ever();
                }
                Ok(())
            })
        })
    }

    fn module_load(&self, source: ModuleSource<'_>) -> Result<ModuleId> {
        let shared = &*self.shared;
        shared.check_call()?;
        source.check()?;
        let Some(image) = source.image else {
            return Err(Error::new(
                Status::NO_BINARY_FOR_GPU,
                "the module holds no image for a CUDA device, only host kernels; add PTX, a cubin or a fatbin",
            ));
        };
        let _current = shared.told(shared.device.enter())?;
        let native = module::load(shared.api(), image).map_err(|error| match is_fault(error.status) {
            true => shared.error(Refusal { function: "cuModuleLoadDataEx", status: error.status, since: None }),
            false => error,
        })?;
        let stated_sizes = module::stated_sizes(source.host_kernels);
        let module = Module { native, context: shared.number, stated_sizes, kernels: Mutex::default() };
        enter(&MODULES, module, "modules").map(ModuleId).inspect_err(|_| {
            // SAFETY: the module was just loaded and nobody else knows it.
            let _ = unsafe { shared.api().cuModuleUnload(native) };
        })
    }

    fn module_unload(&self, module: ModuleId) {
        if let Some(module) = MODULES.remove(key_of(module.0)) {
            lock(&self.shared.unloading).push(module);
        }
    }

    fn module_kernel(&self, module: ModuleId, name: &str) -> Result<KernelId> {
        let shared = &*self.shared;
        shared.check_call()?;
        let module = shared.module(module)?;
        let mut kernels = lock(&module.kernels);
        if let Some(&(id, _)) = kernels.get(name) {
            return Ok(id);
        }
        let _current = shared.told(shared.device.enter())?;
        let _relaxed = shared.told(Relaxed::enter(shared.api()))?;
        let kernel = Arc::new(module::find(shared.api(), &module, name)?);
        let id = KernelId(address::id_of(&kernel, 0).ok_or_else(no_address)?);
        shared.names.name_kernel(id, name);
        kernels.insert(name.to_owned(), (id, kernel));
        Ok(id)
    }

    fn kernel_parameters(&self, kernel: KernelId) -> Result<Option<Vec<usize>>> {
        Ok(self.shared.kernel(kernel).parameter_sizes.clone())
    }

    fn graph_retain(&self, graph: GraphId, retained: Retained) -> Result<()> {
        let shared = &*self.shared;
        // SAFETY: the graph's lock is held.
        shared.graph(graph, |graph| unsafe { Held::List(retained).attach(shared.api(), graph) }.map(drop))
    }

    fn graph_destroy(&self, graph: GraphId) {
        self.outside_driver(move |shared| {
            if let Some(graph) = GRAPHS.remove(key_of(graph.0)) {
                // SAFETY: taken out of its place, so that it is destroyed once and no other call uses it; its lock is held.
                let _ = graph.end(|native| unsafe { shared.api().cuGraphDestroy(native) });
            }
        });
        if !function::on_driver_thread() {
            garbage::sweep();
        }
    }

    fn graph_node_count(&self, graph: GraphId) -> Result<usize> {
        let shared = &*self.shared;
        shared.check_call()?;
        // SAFETY: the graph's lock is held.
        shared.graph(graph, |graph| unsafe { graph::node_count(shared.api(), graph) })
    }

    fn graph_edge_count(&self, graph: GraphId) -> Result<usize> {
        let shared = &*self.shared;
        shared.check_call()?;
        // SAFETY: the graph's lock is held.
        shared.graph(graph, |graph| unsafe { graph::edge_count(shared.api(), graph) })
    }

    fn graph_describe(&self, graph: GraphId) -> Result<GraphDescription> {
        let shared = &*self.shared;
        shared.check_call()?;
        // SAFETY: the graph's lock is held.
        shared.graph(graph, |graph| unsafe { graph::describe(shared.api(), graph) })
    }

    fn graph_instantiate(&self, graph: GraphId) -> Result<ExecId> {
        let shared = &*self.shared;
        shared.check_call()?;
        let root = GRAPHS.get(key_of(graph.0)).map(|graph| graph.root()).ok_or_else(|| no_such("graph"))?;
        let exec = Arc::new(shared.graph(graph, |graph| shared.instantiate(graph, root))?);
        let Some(id) = address::id_of(&exec, 0).map(ExecId) else {
            // SAFETY: the exec was just made and nobody else knows it; its graph's lock is held.
            let _ = exec.end(|native| unsafe { shared.api().cuGraphExecDestroy(native) });
            return Err(no_address());
        };
        lock(&shared.execs).insert(id, exec);
        Ok(id)
    }

    fn exec_destroy(&self, exec: ExecId) {
        self.outside_driver(move |shared| shared.exec_destroy(exec));
        if !function::on_driver_thread() {
            garbage::sweep();
        }
    }

    fn exec_upload(&self, exec: ExecId, stream: StreamId) -> Result<()> {
        let shared = &*self.shared;
        shared.check_call()?;
        let exec = shared.exec(exec);
        // SAFETY: stream and exec live, and the exec's lock is held.
        let upload = |stream: &Stream| exec.with(|exec| unsafe { shared.api().cuGraphUpload(exec, stream.native) });
        shared.submit(stream, |stream| upload(stream).unwrap_or(Ok(())))
    }

    #[inline]
    fn exec_launch(&self, exec: ExecId, stream: StreamId) -> Result<()> {
        let shared = &*self.shared;
        shared.check_call()?;
        let found = shared.exec(exec);
        shared.submit(stream, |stream| {
            // SAFETY: stream and exec live, and the exec's lock is held.
            match found.with(|exec| unsafe { shared.api().cuGraphLaunch(exec, stream.native) }) {
                Some(launched) => launched?,
                // Destroyed meanwhile; core keeps what it launches.
                None => return Ok(()),
            }
            stream.history.add(Launched::Exec(exec));
            Ok(())
        })
    }
}

/// Whether something is complete, of an answer that says so.
fn ready(answer: Result<(), Refusal>) -> Result<bool, Refusal> {
    match answer {
        Ok(()) => Ok(true),
        Err(refusal) if refusal.status == Status::NOT_READY => Ok(false),
        Err(refusal) => Err(refusal),
    }
}
