//! A context on a CUDA device: the implementation of [`Driver`]. It finds the objects behind the ids and calls the driver,
//! which decides; graphcap adds what the driver does not keep: lifetimes, and what to tell a person.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, RwLock};
use std::time::Duration;

use cudarc::driver::sys::{
    CUdevice_attribute, CUevent_flags, CUevent_record_flags, CUevent_wait_flags, CUipcEventHandle, CUstream_flags,
};
use smallvec::SmallVec;

use super::address;
use super::api::{
    self, Api, Handle, Memcpy3d, Memcpy3dSide, Refusal, StreamAttribute, MEMORY_TYPE_DEVICE, MEMORY_TYPE_HOST,
};
use super::current::{tell_mode, Relaxed};
use super::function::{self, Held, HostCall};
use super::garbage;
use super::graph;
use super::history::{Launched, Names};
use super::library::Loaded;
use super::limits::Limits;
use super::lingering::{self, Lingering};
use super::memory::{self, Memory, Range, Wait};
use super::module::{self, Module, Place};
use super::patience::Patience;
use super::shared::{is_fault, no_address, this_thread, Capture, Device, Owned, Shared, EVENTS, MEMORY, MODULES, OPEN};
use super::stream::{Origin, Stream};
use super::{lock, log, own_captures, teardown, values};
use crate::driver::ids::{enter, key_of, no_such, not_of_graph};
use crate::driver::{
    callbacks, Address, Argument, Attach, AttributeValue, CaptureInfo, CaptureProgress, CaptureStatus,
    DependencyUpdate, DeviceInfo, Driver, EventId, EventOptions, ExecId, GraphDescription, GraphId, GraphNodes,
    HostFunction, HostMemory, HostMemoryOptions, IpcHandle, KernelId, LaunchShape, Memcpy, MemcpyKind, MemcpyRows,
    MemoryId, MemoryKind, Memset, ModuleId, ModuleSource, NodeId, Object, Retained, Snapshot, Steps, StreamId,
    StreamOptions, ValueOperation,
};
use crate::error::{Error, Result, Status};
use crate::rules::{self, CaptureMode};

/// A context on a CUDA device.
pub(super) struct CudaContext {
    info: DeviceInfo,
    shared: Arc<Shared>,
}

impl CudaContext {
    /// Retains the primary context of a device and makes what graphcap needs in it.
    pub(super) fn open(loaded: &'static Loaded, ordinal: c_int, info: DeviceInfo) -> Result<CudaContext> {
        static LAST: AtomicU64 = AtomicU64::new(0);
        let api = &loaded.api;
        let refused = |refusal| api.error(refusal);
        tell_mode(api).map_err(refused)?;
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
        let mut instance = 0;
        // SAFETY: `instance` is writable; the context was retained just now.
        let identified = unsafe { api.cuCtxGetId(context, &mut instance) };
        let memory = identified.and_then(|()| device.enter()).and_then(|_current| Memory::new(device, ordinal, number));
        let memory = memory.map_err(|refusal| {
            // SAFETY: the context was retained just now.
            let _ = unsafe { api.cuDevicePrimaryCtxRelease_v2(ordinal) };
            refused(refusal)
        })?;
        let special = |StreamId(id)| {
            let stream = Stream::new(Handle::from_number(id as usize), Origin::Special);
            // Both order against each other and against blocking streams.
            stream.non_blocking.get_or_init(|| false);
            stream
        };
        let shared = Arc::new_cyclic(|this| Shared {
            device,
            place: Place { ordinal, context: instance },
            number,
            limits: Limits::of(api, ordinal),
            memory,
            legacy: special(StreamId::LEGACY),
            per_thread: special(StreamId::PER_THREAD),
            streams: Mutex::default(),
            last_stream: AtomicU64::new(0),
            graphs: Mutex::default(),
            last_graph: AtomicU64::new(0),
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

    fn note_own_capture(&self, id: StreamId) {
        if id == StreamId::PER_THREAD {
            own_captures::begun(&self.shared);
        }
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

impl CudaContext {
    /// Enters the memory that `make` makes, and gives what that tells of it.
    fn enter_lingering<T>(
        &self,
        make: impl FnOnce(&Api) -> std::result::Result<(Lingering, T), Refusal>,
    ) -> Result<(MemoryId, T)> {
        let shared = &*self.shared;
        let _current = shared.told(shared.device.enter())?;
        let _relaxed = shared.told(Relaxed::enter(shared.api()))?;
        // The place first: such memory cannot be given back here.
        let id = enter(&MEMORY, Mutex::new(None), "buffers")?;
        match (make(shared.api()), MEMORY.get(key_of(id))) {
            (Ok((memory, told)), Some(place)) => {
                *lock(&place) = Some(Owned::Lingering(memory));
                Ok((MemoryId(id), told))
            }
            (Ok(_), None) => Err(no_such("buffer")),
            (Err(refusal), _) => {
                MEMORY.remove(key_of(id));
                Err(shared.error(refusal))
            }
        }
    }

    /// Enters the host memory that `make` pins.
    fn pin(
        &self,
        options: HostMemoryOptions,
        make: impl FnOnce(&Api) -> std::result::Result<Lingering, Refusal>,
    ) -> Result<HostMemory> {
        let (memory, (address, mapped)) = self.enter_lingering(|api| {
            let pinned = make(api)?;
            let address = pinned.address();
            if !options.mapped {
                return Ok((pinned, (address, None)));
            }
            match pinned.device_address(api) {
                Ok(mapped) => Ok((pinned, (address, Some(mapped)))),
                Err(refusal) => {
                    lingering::leave(pinned, self.shared.place);
                    Err(refusal)
                }
            }
        })?;
        Ok(HostMemory { memory, address, mapped })
    }
}

/// One side of a copy of rows.
fn side<P>(address: Address, host: P, is_host: bool, pitch: usize, height: usize) -> Memcpy3dSide<P> {
    Memcpy3dSide {
        x_in_bytes: 0,
        y: 0,
        z: 0,
        lod: 0,
        memory_type: if is_host { MEMORY_TYPE_HOST } else { MEMORY_TYPE_DEVICE },
        host,
        device: if is_host { 0 } else { address },
        array: std::ptr::null_mut(),
        reserved: std::ptr::null_mut(),
        pitch,
        height,
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
        callbacks::check_caller()?;
        let _current = shared.told(shared.device.enter())?;
        let known: Vec<Arc<Stream>> = lock(&shared.streams).values().cloned().collect();
        let streams: Vec<&Stream> =
            known.iter().map(|stream| &**stream).chain([&shared.legacy, &shared.per_thread]).collect();
        let launches: Vec<u64> = streams.iter().map(|stream| stream.history.launches()).collect();
        let (parked, wait) = (teardown::parked(shared.place), shared.memory.wait_begins());
        // SAFETY: the context is current.
        shared.told(unsafe { shared.api().cuCtxSynchronize() })?;
        for (stream, launches) in streams.iter().zip(launches) {
            stream.history.completed(launches);
        }
        shared.memory.completed_all(wait);
        teardown::unpark(parked, |memory| memory.completed_all(Wait::ALL));
        shared.unload();
        Ok(())
    }

    fn synchronize_for(&self, limit: Duration) -> Result<bool> {
        let mut patience = Patience::new(limit);
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let _current = shared.told(shared.device.enter())?;
        let mut native = Handle::NULL;
        // SAFETY: `native` is writable; the context is current.
        shared.told(unsafe {
            shared.api().cuEventCreate(&mut native, CUevent_flags::CU_EVENT_DISABLE_TIMING as c_uint)
        })?;
        let mut wait = || {
            // All work of the context, by the rules of a wait for it.
            // SAFETY: context and event live.
            unsafe { shared.api().cuCtxRecordEvent(shared.device.context, native) }?;
            let _relaxed = Relaxed::enter(shared.api())?;
            loop {
                // SAFETY: the event lives, and is of no capture.
                let complete = ready(unsafe { shared.api().cuEventQuery(native) })?;
                if complete || !patience.lasts() {
                    return Ok(complete);
                }
            }
        };
        let waited = wait();
        // SAFETY: the event was made here, and nobody else knows it.
        let _ = unsafe { shared.api().cuEventDestroy_v2(native) };
        shared.told(waited)
    }

    fn collect(&self) -> Result<()> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let _current = shared.told(shared.device.enter())?;
        let _relaxed = shared.told(Relaxed::enter(shared.api()))?;
        if let Some(fault) = shared.memory.pool.fault() {
            return Err(shared.error(fault));
        }
        shared.unload();
        let (parked, wait) = (teardown::parked(shared.place), shared.memory.wait_begins());
        if (!parked.is_empty() || shared.memory.knows_not_all())
            && shared.told(shared.memory.wait_for_default_streams())?
        {
            shared.memory.completed_default(wait);
            teardown::unpark(parked, |memory| memory.completed_default(Wait::ALL));
        }
        shared.memory.look_at_special();
        shared.look_at_memory(true);
        shared.told(shared.memory.pool.trim())
    }

    fn log_position(&self) -> Option<u32> {
        log::position(self.shared.api())
    }

    fn log_since(&self, position: u32) -> Option<String> {
        log::since(self.shared.api(), position)
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
        callbacks::check_caller()?;
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
        let stream = Stream::new(native, Origin::Wrapped);
        shared.learn_priority(&stream);
        if let Ok(None) = shared.device.ask_capture(native) {
            // What is not known now is asked for later.
            let _ = shared.learn_flags(&stream);
        }
        shared.add_stream(stream)
    }

    fn stream_create(&self, options: StreamOptions) -> Result<StreamId> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let flags = match options.non_blocking {
            true => CUstream_flags::CU_STREAM_NON_BLOCKING,
            false => CUstream_flags::CU_STREAM_DEFAULT,
        };
        let mut native = Handle::NULL;
        let _current = shared.told(shared.device.enter())?;
        // SAFETY: `native` is writable; the context is current.
        let made = unsafe { shared.api().cuStreamCreateWithPriority(&mut native, flags as c_uint, options.priority) };
        shared.told(made)?;
        let stream = Stream::new(native, Origin::Made);
        stream.non_blocking.get_or_init(|| options.non_blocking);
        shared.learn_priority(&stream);
        shared.add_stream(stream)
    }

    fn stream_destroy(&self, stream: StreamId) {
        self.outside_driver(move |shared| shared.stream_destroy(stream));
    }

    fn stream_synchronize(&self, id: StreamId) -> Result<()> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        shared.told(tell_mode(shared.api()))?;
        let stream = shared.stream(id);
        let _current = shared.current_for(stream)?;
        let covered = shared.covered(stream);
        // SAFETY: the stream lives, and its context is current where it is a special one.
        shared.told(unsafe { shared.api().cuStreamSynchronize(stream.native) })?;
        shared.completed(id, stream, covered);
        Ok(())
    }

    fn stream_synchronize_for(&self, id: StreamId, limit: Duration) -> Result<bool> {
        let mut patience = Patience::new(limit);
        let shared = &*self.shared;
        callbacks::check_caller()?;
        shared.told(tell_mode(shared.api()))?;
        let stream = shared.stream(id);
        let _current = shared.current_for(stream)?;
        let covered = shared.covered(stream);
        // SAFETY: as in `stream_synchronize`.
        let query = || ready(unsafe { shared.api().cuStreamQuery(stream.native) });
        // The first question is by the rules of a wait. Those that follow must harm nothing that begins meanwhile.
        let mut complete = shared.told(query())?;
        while !complete && patience.lasts() {
            let _relaxed = shared.told(Relaxed::enter(shared.api()))?;
            let _no_begin = memory::no_begin();
            match shared.device.ask_capture(stream.native) {
                Ok(None) => complete = shared.told(query())?,
                Ok(Some(_)) => {}
                Err(refusal) if refusal.status == rules::LEGACY_BARRED => {}
                Err(refusal) => return shared.told(Err(refusal)),
            }
        }
        if complete {
            shared.completed(id, stream, covered);
        }
        Ok(complete)
    }

    fn stream_is_complete(&self, id: StreamId) -> Result<bool> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        shared.told(tell_mode(shared.api()))?;
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
        callbacks::check_caller()?;
        let event = shared.event(event)?;
        shared.submit(stream, |stream| {
            let _begins = memory::may_begin();
            // SAFETY: stream and event live. The wait may take the stream into a capture.
            stream.settled(|| unsafe { shared.api().cuStreamWaitEvent(stream.native, event.native, 0) })
        })
    }

    fn stream_wait_event_external(&self, stream: StreamId, event: EventId) -> Result<()> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let event = shared.event(event)?;
        let flags = CUevent_wait_flags::CU_EVENT_WAIT_EXTERNAL as c_uint;
        // SAFETY: stream and event live. Core has the graph keep the event.
        let wait = |stream: &Stream| unsafe { shared.api().cuStreamWaitEvent(stream.native, event.native, flags) };
        shared.submit(stream, wait).map_err(|error| external_refused("an EXTERNAL wait", error))
    }

    fn stream_priority_range(&self) -> Result<(i32, i32)> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let (mut least, mut greatest) = (0, 0);
        let _current = shared.told(shared.device.enter())?;
        // SAFETY: both are writable; the context is current.
        shared.told(unsafe { shared.api().cuCtxGetStreamPriorityRange(&mut least, &mut greatest) })?;
        Ok((least, greatest))
    }

    fn stream_is_non_blocking(&self, stream: StreamId) -> Result<bool> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let stream = shared.stream(stream);
        if let Some(&known) = stream.non_blocking.get() {
            return Ok(known);
        }
        let asked = stream.settled(|| match shared.device.ask_capture(stream.native)? {
            None => shared.learn_flags(stream).map(Some),
            Some(_) => Ok(None),
        });
        shared.told(asked)?.ok_or_else(|| {
            Error::new(
                rules::BARRED,
                "the stream has been captured since it was wrapped, and the driver cannot be asked for its flags without \
                 breaking the capture, which goes on; ask when it is over",
            )
        })
    }

    fn stream_priority(&self, stream: StreamId) -> Result<i32> {
        callbacks::check_caller()?;
        Ok(self.shared.stream(stream).priority.load(Ordering::Acquire))
    }

    fn stream_attribute(&self, stream: StreamId, attribute: u32) -> Result<AttributeValue> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let stream = shared.stream(stream);
        let _current = shared.current_for(stream)?;
        let mut value = StreamAttribute([0; size_of::<AttributeValue>()]);
        // SAFETY: the stream lives; the value is writable.
        shared.told(unsafe { shared.api().cuStreamGetAttribute(stream.native, attribute, &mut value) })?;
        Ok(value.0)
    }

    fn stream_set_attribute(&self, stream: StreamId, attribute: u32, value: &AttributeValue) -> Result<()> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let stream = shared.stream(stream);
        let _current = shared.current_for(stream)?;
        let value = StreamAttribute(*value);
        // SAFETY: the stream lives; the value has as many bytes as any.
        shared.told(unsafe { shared.api().cuStreamSetAttribute(stream.native, attribute, &value) })?;
        if stream.origin != Origin::Special {
            shared.learn_priority(stream);
        }
        Ok(())
    }

    fn stream_copy_attributes(&self, destination: StreamId, source: StreamId) -> Result<()> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let (destination, source) = (shared.stream(destination), shared.stream(source));
        let _current = shared.told(shared.device.enter())?;
        // SAFETY: both streams live, and their context is current.
        shared.told(unsafe { shared.api().cuStreamCopyAttributes(destination.native, source.native) })?;
        if destination.origin != Origin::Special {
            shared.learn_priority(destination);
        }
        Ok(())
    }

    fn stream_attach(&self, stream: StreamId, address: Address, attach: Attach) -> Result<()> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        // SAFETY: the stream lives; the driver checks the address. It crashes on a number that is no way to attach, which this
        // one is.
        let attach = |stream: &Stream| unsafe {
            shared.api().cuStreamAttachMemAsync(stream.native, address, 0, attach as c_uint)
        };
        shared.submit(stream, attach)
    }

    fn begin_capture(&self, stream: StreamId, mode: CaptureMode) -> Result<()> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        garbage::sweep();
        let id = stream;
        let stream = shared.stream(id);
        let _current = shared.current_for(stream)?;
        let _begins = memory::may_begin();
        let begun = stream.settled(|| {
            // SAFETY: the stream lives; the modes have the driver's numbers.
            unsafe { shared.api().cuStreamBeginCapture_v2(stream.native, mode as c_uint) }?;
            // Its number; 0, which none has, where the driver does not tell.
            let number = shared.device.capture(stream.native).flatten().map_or(0, |capture| capture.id);
            stream.note_begun(this_thread(), number, None);
            Ok(())
        });
        shared.told(begun).map_err(|error| begin_refused(id, error, "the stream is being captured already"))?;
        self.note_own_capture(id);
        Ok(())
    }

    fn begin_capture_to_graph(
        &self,
        id: StreamId,
        graph: GraphId,
        dependencies: &[NodeId],
        mode: CaptureMode,
    ) -> Result<()> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        garbage::sweep();
        let stream = shared.stream(id);
        let _current = shared.current_for(stream)?;
        let _begins = memory::may_begin();
        // In this order: an end holds the stream's lock when it takes the graph's.
        let begun = stream.settled(|| {
            shared.graph(graph, |native| {
                // SAFETY: the graph's lock is held.
                let handles = match unsafe { graph::handles(shared.api(), native, dependencies) }? {
                    Ok(handles) => handles,
                    Err(stranger) => return Ok(Err(not_of_graph(stranger))),
                };
                let (nodes, data) = (handles.as_ptr(), std::ptr::null());
                // SAFETY: stream and graph live, and core keeps the graph until the capture is over; the nodes are of the
                // graph, and as many as are told; the modes have the driver's numbers.
                unsafe {
                    shared.api().cuStreamBeginCaptureToGraph(
                        stream.native,
                        native,
                        nodes,
                        data,
                        handles.len(),
                        mode as c_uint,
                    )
                }?;
                let number = shared.device.capture(stream.native).flatten().map_or(0, |capture| capture.id);
                stream.note_begun(this_thread(), number, Some(graph));
                Ok(Ok(()))
            })
        });
        begun.map_err(|error| {
            begin_refused(id, error, "the stream is being captured already, or another capture goes into the graph")
        })??;
        self.note_own_capture(id);
        Ok(())
    }

    fn end_capture(&self, stream: StreamId) -> Result<GraphId> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let stream = shared.stream(stream);
        let _current = shared.current_for(stream)?;
        let ends = shared.capture_ends();
        let ended = stream.settled(|| shared.end_native_capture(stream));
        drop(ends);
        shared.look_at_memory(false);
        match shared.told_with(ended, Status::ILLEGAL_STATE, NOT_CAPTURED)? {
            (_, Some(known)) => Ok(known),
            (graph, None) => Ok(shared.enter_graph(graph)),
        }
    }

    #[inline]
    fn capture_info(&self, stream: StreamId) -> Result<CaptureInfo> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let stream = shared.stream(stream);
        let _current = shared.current_for(stream)?;
        Ok(match shared.told(shared.device.ask_capture(stream.native))? {
            Some(capture) => CaptureInfo { status: capture.status, id: capture.id },
            None => CaptureInfo { status: CaptureStatus::None, id: 0 },
        })
    }

    fn capture_progress(&self, stream: StreamId) -> Result<(CaptureInfo, Option<CaptureProgress>)> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let stream = shared.stream(stream);
        let _current = shared.current_for(stream)?;
        let _goes_on = shared.capture_goes_on();
        let asked = stream.settled(|| {
            Ok(match shared.device.ask_frontier(stream.native)? {
                None => (CaptureInfo { status: CaptureStatus::None, id: 0 }, None),
                Some((capture, frontier)) => {
                    let progress = (capture.status == CaptureStatus::Active)
                        // SAFETY: the graph lives while it is captured into.
                        .then(|| unsafe { graph::progress(shared.api(), capture.graph, frontier) })
                        .transpose()?;
                    (CaptureInfo { status: capture.status, id: capture.id }, progress)
                }
            })
        });
        shared.told(asked)
    }

    fn capture_describe(&self, stream: StreamId) -> Result<GraphDescription> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let stream = shared.stream(stream);
        let _current = shared.current_for(stream)?;
        let _goes_on = shared.capture_goes_on();
        let described = stream.settled(|| {
            Ok(match shared.device.ask_capture(stream.native)? {
                None => Err(Error::new(Status::ILLEGAL_STATE, NOT_CAPTURED)),
                Some(Capture { status: CaptureStatus::Active, graph, .. }) => {
                    // SAFETY: the graph lives while it is captured into.
                    Ok(unsafe { graph::describe(shared.api(), graph) }?)
                }
                Some(_) => Err(broken()),
            })
        });
        shared.told(described)?
    }

    fn update_capture_dependencies(&self, stream: StreamId, nodes: &[NodeId], update: DependencyUpdate) -> Result<()> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let stream = shared.stream(stream);
        let _current = shared.current_for(stream)?;
        let _goes_on = shared.capture_goes_on();
        let updated = stream.settled(|| {
            let capture = shared.device.ask_capture(stream.native)?;
            let graph = capture.as_ref().filter(|capture| capture.status == CaptureStatus::Active);
            let mut handles = match graph {
                // SAFETY: the graph lives while it is captured into.
                Some(capture) => match unsafe { graph::handles(shared.api(), capture.graph, nodes) }? {
                    Ok(handles) => handles,
                    Err(stranger) => return Ok(Err(not_of_graph(stranger))),
                },
                // The driver says what is wrong, before it looks at nodes.
                None => Vec::new(),
            };
            let (first, count) = (handles.as_mut_ptr(), handles.len());
            // SAFETY: the stream lives; the nodes are of the graph, and as many as are told.
            unsafe { shared.api().cuStreamUpdateCaptureDependencies(stream.native, first, count, update as c_uint) }?;
            Ok(if graph.is_some() { Ok(()) } else { Err(broken()) })
        });
        shared.told_with(updated, Status::ILLEGAL_STATE, NOT_CAPTURED)?
    }

    fn capture_retain(&self, stream: StreamId, retained: Retained) -> Result<()> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
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
        let _current = shared.told(shared.device.enter())?;
        // SAFETY: `native` is writable; the context is current.
        shared.told(unsafe { shared.api().cuEventCreate(&mut native, flags) })?;
        shared.enter_event(native)
    }

    fn event_ipc_handle(&self, event: EventId) -> Result<IpcHandle> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let event = shared.event(event)?;
        let mut handle = CUipcEventHandle { reserved: [0; size_of::<IpcHandle>()] };
        let _current = shared.told(shared.device.enter())?;
        // SAFETY: the event lives; the handle is writable.
        shared.told(unsafe { shared.api().cuIpcGetEventHandle(&mut handle, event.native) })?;
        Ok(handle.reserved.map(|byte| byte as u8))
    }

    fn event_open_ipc(&self, handle: &IpcHandle) -> Result<EventId> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let handle = CUipcEventHandle { reserved: handle.map(|byte| byte as c_char) };
        let mut native = Handle::NULL;
        let _current = shared.told(shared.device.enter())?;
        // SAFETY: `native` is writable; the context is current. The driver checks the handle.
        shared.told(unsafe { shared.api().cuIpcOpenEventHandle(&mut native, handle) })?;
        shared.enter_event(native)
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
        callbacks::check_caller()?;
        let event = shared.event(event)?;
        // SAFETY: stream and event live.
        shared.submit(stream, |stream| unsafe { shared.api().cuEventRecord(event.native, stream.native) })
    }

    fn event_record_external(&self, event: EventId, stream: StreamId) -> Result<()> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let event = shared.event(event)?;
        let flags = CUevent_record_flags::CU_EVENT_RECORD_EXTERNAL as c_uint;
        // SAFETY: stream and event live. Core has the graph keep the event.
        let record =
            |stream: &Stream| unsafe { shared.api().cuEventRecordWithFlags(event.native, stream.native, flags) };
        shared.submit(stream, record).map_err(|error| external_refused("an EXTERNAL record", error))
    }

    fn event_synchronize_for(
        &self,
        event: EventId,
        limit: Duration,
        unless_captured: &dyn Fn(&mut dyn FnMut()),
    ) -> Result<bool> {
        let mut patience = Patience::new(limit);
        let shared = &*self.shared;
        callbacks::check_caller()?;
        shared.told(tell_mode(shared.api()))?;
        let event = shared.event(event)?;
        // SAFETY: the event lives: core keeps it for the time of the call.
        let query = || shared.told(ready(unsafe { shared.api().cuEventQuery(event.native) }));
        // As for a stream.
        let mut complete = query()?;
        while !complete && patience.lasts() {
            let _relaxed = shared.told(Relaxed::enter(shared.api()))?;
            let mut answer = Ok(false);
            unless_captured(&mut || answer = query());
            complete = answer?;
        }
        Ok(complete)
    }

    fn event_is_complete(&self, event: EventId) -> Result<bool> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        shared.told(tell_mode(shared.api()))?;
        let event = shared.event(event)?;
        // SAFETY: the event lives.
        shared.told(ready(unsafe { shared.api().cuEventQuery(event.native) }))
    }

    fn event_synchronize(&self, event: EventId) -> Result<()> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        shared.told(tell_mode(shared.api()))?;
        let event = shared.event(event)?;
        // SAFETY: the event lives: core keeps it for the time of the call.
        shared.told(unsafe { shared.api().cuEventSynchronize(event.native) })
    }

    fn event_elapsed_ms(&self, start: EventId, end: EventId) -> Result<f32> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let (start, end, mut milliseconds) = (shared.event(start)?, shared.event(end)?, 0.0);
        // SAFETY: both events live; the output is writable.
        let asked = unsafe { shared.api().cuEventElapsedTime(&mut milliseconds, start.native, end.native) };
        let meaning = "there is no time between the events: record both outside of captures, and make both with timing";
        shared.told_with(asked, Status::INVALID_HANDLE, meaning)?;
        Ok(milliseconds)
    }

    fn allocate(&self, bytes: usize, kind: MemoryKind) -> Result<(MemoryId, Address)> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let told = |memory: Lingering| {
            let address = memory.address();
            (memory, address)
        };
        match kind {
            MemoryKind::Pooled => {}
            MemoryKind::Waitable => return self.enter_lingering(|api| Lingering::allocate(api, bytes).map(told)),
            MemoryKind::Managed(attach) => {
                return self.enter_lingering(|api| Lingering::allocate_managed(api, bytes, attach).map(told));
            }
        }
        let address = shared.memory.allocate(bytes, &|id, see| shared.find(id, see)).map_err(|refusal| {
            let error = shared.error(refusal);
            match shared.memory.pool.info().filter(|_| error.status == Status::OUT_OF_MEMORY) {
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
        match enter(&MEMORY, Mutex::new(Some(Owned::Device(Range::Allocated(address)))), "buffers") {
            Ok(id) => Ok((MemoryId(id), address)),
            Err(error) => {
                shared.release(Range::Allocated(address), &[]);
                Err(error)
            }
        }
    }

    fn adopt(&self, address: Address, bytes: usize, on_release: Box<dyn FnOnce() + Send>) -> Result<MemoryId> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        if !shared.told(shared.memory.pool.knows(address, bytes))? {
            return Err(Error::invalid_value(format!(
                "the {bytes} bytes at {address:#x} are not inside one allocation that the CUDA driver knows; wrap device, managed \
                 or pinned memory"
            )));
        }
        enter(&MEMORY, Mutex::new(Some(Owned::Device(Range::Adopted(on_release)))), "buffers").map(MemoryId)
    }

    fn lend(&self, ordinal: u32) -> Result<()> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        if ordinal == self.info.ordinal {
            return Ok(());
        }
        shared.told(shared.memory.pool.let_reach(ordinal as c_int))
    }

    fn borrow(&self, on_release: Box<dyn FnOnce() + Send>) -> Result<MemoryId> {
        enter(&MEMORY, Mutex::new(Some(Owned::Device(Range::Adopted(on_release)))), "buffers").map(MemoryId)
    }

    fn host_allocate(&self, bytes: usize, options: HostMemoryOptions) -> Result<HostMemory> {
        callbacks::check_caller()?;
        self.pin(options, |api| Lingering::allocate_pinned(api, bytes, options))
    }

    fn host_register(
        &self,
        address: Address,
        bytes: usize,
        options: HostMemoryOptions,
        on_release: Box<dyn FnOnce() + Send>,
    ) -> Result<HostMemory> {
        callbacks::check_caller()?;
        self.pin(options, |api| Lingering::register(api, address, bytes, options, on_release))
    }

    fn release(&self, memory: MemoryId, used_by: &[StreamId]) {
        let owned = MEMORY.remove(key_of(memory.0)).and_then(|owned| lock(&owned).take());
        let range = match owned {
            None => return,
            Some(Owned::Device(range)) => range,
            // Giving it back waits for all work of the device, so nobody has to look whose work is complete.
            Some(Owned::Lingering(memory)) => return lingering::leave(memory, self.shared.place),
        };
        if function::on_driver_thread() {
            let used_by = used_by.to_vec();
            return self.outside_driver(move |shared| shared.release(range, &used_by));
        }
        self.shared.release(range, used_by);
    }

    fn memcpy(&self, stream: StreamId, copy: Memcpy) -> Result<()> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let Memcpy { destination, source, bytes, kind } = copy;
        let host = |address: Address| std::ptr::with_exposed_provenance_mut::<c_void>(address as usize);
        let api = shared.api();
        // SAFETY: the stream lives. The driver checks device addresses; who submits promises host memory.
        shared.submit(stream, |stream| unsafe {
            match kind {
                MemcpyKind::HostToDevice => api.cuMemcpyHtoDAsync_v2(destination, host(source), bytes, stream.native),
                MemcpyKind::DeviceToHost => api.cuMemcpyDtoHAsync_v2(host(destination), source, bytes, stream.native),
                MemcpyKind::DeviceToDevice => api.cuMemcpyDtoDAsync_v2(destination, source, bytes, stream.native),
                // Not cuMemcpyPeerAsync, which breaks a capture. Which devices they are on the addresses tell; without a
                // current context a driver (580) was seen to crash over that.
                MemcpyKind::BetweenContexts => {
                    let _current = shared.device.enter()?;
                    api.cuMemcpyAsync(destination, source, bytes, stream.native)
                }
            }
        })
    }

    fn memcpy_rows(&self, stream: StreamId, copy: &MemcpyRows, _snapshot: Option<Snapshot>) -> Result<()> {
        // The driver has read pageable memory when it returns, unless it records; then the graph keeps the snapshot.
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let (is_to_host, is_from_host) =
            (copy.row.kind == MemcpyKind::DeviceToHost, copy.row.kind == MemcpyKind::HostToDevice);
        let host = |address: Address| std::ptr::with_exposed_provenance_mut::<c_void>(address as usize);
        let slice_height = |steps: Steps| match copy.depth {
            1 => copy.height,
            _ => steps.slice / steps.row.max(1),
        };
        let parameters = Memcpy3d {
            source: side(
                copy.row.source,
                host(copy.row.source).cast_const(),
                is_from_host,
                copy.source.row,
                slice_height(copy.source),
            ),
            destination: side(
                copy.row.destination,
                host(copy.row.destination),
                is_to_host,
                copy.destination.row,
                slice_height(copy.destination),
            ),
            width_in_bytes: copy.row.bytes,
            height: copy.height,
            depth: copy.depth,
        };
        let _current = shared.told(shared.device.enter())?;
        // SAFETY: the stream lives, and so do the parameters. The driver checks device addresses; who submits promises host
        // memory.
        shared.submit(stream, |stream| unsafe { shared.api().cuMemcpy3DAsync_v2(&parameters, stream.native) })
    }

    fn finish_legacy(&self) -> Result<()> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let _current = shared.told(shared.device.enter())?;
        let _relaxed = shared.told(Relaxed::enter(shared.api()))?;
        let covered = shared.covered(&shared.legacy);
        let meaning =
            "the work is queued and cannot be waited for, as a blocking stream is being captured by now, on another thread";
        shared.told_with(shared.memory.wait_for_legacy(), rules::LEGACY_BARRED, meaning)?;
        shared.completed(StreamId::LEGACY, &shared.legacy, covered);
        Ok(())
    }

    fn memset(&self, stream: StreamId, set: Memset) -> Result<()> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let Memset { address, value, element_size, count, rows, pitch } = set;
        let api = shared.api();
        if rows > 1 {
            // SAFETY: the stream lives. The driver checks the address.
            return shared.submit(stream, |stream| unsafe {
                match element_size {
                    1 => api.cuMemsetD2D8Async(address, pitch, value as u8, count, rows, stream.native),
                    2 => api.cuMemsetD2D16Async(address, pitch, value as u16, count, rows, stream.native),
                    _ => api.cuMemsetD2D32Async(address, pitch, value, count, rows, stream.native),
                }
            });
        }
        // SAFETY: the stream lives. The driver checks the address.
        shared.submit(stream, |stream| unsafe {
            match element_size {
                1 => api.cuMemsetD8Async(address, value as u8, count, stream.native),
                2 => api.cuMemsetD16Async(address, value as u16, count, stream.native),
                _ => api.cuMemsetD32Async(address, value, count, stream.native),
            }
        })
    }

    fn value_operation(&self, stream: StreamId, operation: ValueOperation) -> Result<()> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let api = shared.api();
        // SAFETY: the stream lives.
        shared.submit(stream, |stream| unsafe { values::submit(api, stream.native, &operation) })
    }

    fn value_batch(&self, stream: StreamId, operations: &[ValueOperation]) -> Result<()> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let api = shared.api();
        let mut entries: Vec<_> = operations.iter().map(values::entry).collect();
        // SAFETY: the stream lives, and there are as many entries as told; the driver copies them. It checks the addresses.
        shared.submit(stream, |stream| unsafe {
            api.cuStreamBatchMemOp_v2(stream.native, entries.len() as c_uint, entries.as_mut_ptr(), 0)
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
        callbacks::check_caller()?;
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
        callbacks::check_caller()?;
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
        callbacks::check_caller()?;
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
            module::leave(module, self.shared.this.clone(), self.shared.place);
        }
    }

    fn module_kernel(&self, module: ModuleId, name: &str) -> Result<KernelId> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
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

    fn graph_create(&self) -> Result<GraphId> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let mut graph = Handle::NULL;
        let _current = shared.told(shared.device.enter())?;
        // SAFETY: `graph` is writable.
        shared.told(unsafe { shared.api().cuGraphCreate(&mut graph, 0) })?;
        Ok(shared.enter_graph(graph))
    }

    fn check_shape(&self, kernel: KernelId, shape: LaunchShape) -> Result<()> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let found = shared.kernel(kernel);
        shared.limits.check(&found.name, found.limits, &shape)
    }

    fn graph_retain(&self, graph: GraphId, retained: Retained) -> Result<()> {
        let shared = &*self.shared;
        // SAFETY: the graph's lock is held.
        shared.graph(graph, |graph| unsafe { Held::List(retained).attach(shared.api(), graph) }.map(drop))
    }

    fn graph_destroy(&self, graph: GraphId) {
        self.outside_driver(move |shared| {
            let removed = lock(&shared.graphs).remove(&graph);
            if let Some(graph) = removed {
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
        callbacks::check_caller()?;
        // SAFETY: the graph's lock is held.
        shared.graph(graph, |graph| unsafe { graph::node_count(shared.api(), graph) })
    }

    fn graph_edge_count(&self, graph: GraphId) -> Result<usize> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        // SAFETY: the graph's lock is held.
        shared.graph(graph, |graph| unsafe { graph::edge_count(shared.api(), graph) })
    }

    fn graph_nodes(&self, graph: GraphId) -> Result<GraphNodes> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        // SAFETY: the graph's lock is held.
        shared.graph(graph, |graph| unsafe { graph::ids(shared.api(), graph) })
    }

    fn graph_describe(&self, graph: GraphId) -> Result<GraphDescription> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        // SAFETY: the graph's lock is held.
        shared.graph(graph, |graph| unsafe { graph::describe(shared.api(), graph) })
    }

    fn graph_instantiate(&self, graph: GraphId) -> Result<ExecId> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        shared.told(tell_mode(shared.api()))?;
        let root = shared.find_graph(graph).ok_or_else(|| no_such("graph"))?.root();
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
        callbacks::check_caller()?;
        let exec = shared.exec(exec);
        // SAFETY: stream and exec live, and the exec's lock is held.
        let upload = |stream: &Stream| exec.with(|exec| unsafe { shared.api().cuGraphUpload(exec, stream.native) });
        shared.submit(stream, |stream| upload(stream).unwrap_or(Ok(())))
    }

    #[inline]
    fn exec_launch(&self, exec: ExecId, stream: StreamId) -> Result<()> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
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

const NOT_CAPTURED: &str = "the stream is not being captured; begin a capture first";

#[cold]
fn broken() -> Error {
    Error::new(
        Status::CAPTURE_INVALIDATED,
        "an earlier call broke the capture; end it on the stream that began it and record again",
    )
}

/// What the driver's refusal of `what` means.
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

/// What the driver's refusal to begin a capture on stream `id` means.
#[cold]
fn begin_refused(id: StreamId, error: Error, busy: &str) -> Error {
    let (status, meaning) = match id {
        StreamId::LEGACY => {
            (rules::BARRED, "the legacy stream cannot be captured; capture a stream of your own or the per-thread one")
        }
        _ => (Status::ILLEGAL_STATE, busy),
    };
    let remedy = if id == StreamId::LEGACY { "" } else { "; end that capture first" };
    match error.status == status {
        true => Error::new(status, format!("{meaning}{remedy}; {}", error.message)),
        false => error,
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
