//! A context on a CUDA device: how it is opened, waited for and left, and the implementation of [`Driver`]. The driver
//! decides; graphcap adds what it does not keep: lifetimes, and what to tell a person.
//!
//! What belongs to one subject is a function of [`Shared`] with the same name, in the file of the subject: copies in
//! `copy.rs`, captures in `capture.rs`, and so on.

use std::ffi::{c_int, c_uint};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, RwLock};
use std::time::Duration;

use cudarc::driver::sys::{CUdevice_attribute, CUevent_flags};

use super::api::Handle;
use super::current::{tell_mode, Relaxed};
use super::history::Names;
use super::library::Loaded;
use super::limits::Limits;
use super::memory::{Memory, Wait};
use super::module::Place;
use super::patience::Patience;
use super::retention::AttachedLists;
use super::shared::{ready, Device, Shared, OPEN};
use super::stream::{Origin, Stream};
use super::{function, lingering, lock, log, teardown};
use crate::driver::{
    callbacks, Address, AddressOrigin, Argument, Attach, AttributeValue, CaptureInfo, CaptureProgress,
    DependencyUpdate, DeviceInfo, Driver, EventId, EventOptions, ExecId, GraphDescription, GraphId, GraphNodes,
    HostFunction, HostMemory, HostMemoryOptions, IpcHandle, KernelId, LaunchShape, Memcpy, MemcpyRows, MemoryId,
    MemoryKind, Memset, ModuleId, ModuleSource, NodeId, Object, Retained, Snapshot, StreamId, StreamOptions,
    ValueOperation,
};
use crate::error::{Error, Result, Status};
use crate::rules::CaptureMode;

/// A context on a CUDA device.
pub(super) struct CudaContext {
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
            info,
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
            events: Mutex::default(),
            owned: Mutex::default(),
            last_memory: AtomicU64::new(0),
            execs: Mutex::default(),
            names: Names::default(),
            fault: OnceLock::new(),
            attached: AttachedLists::default(),
            ends: RwLock::new(()),
            open: Mutex::new(true),
            this: this.clone(),
            looked_after: AtomicBool::new(false),
        });
        let mut open = lock(&OPEN);
        open.retain(|context| context.strong_count() > 0);
        open.push(Arc::downgrade(&shared));
        Ok(CudaContext { shared })
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

impl Driver for CudaContext {
    fn device(&self) -> &DeviceInfo {
        &self.shared.info
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
        let mut answer = Ok(());
        if shared.memory.waits_for_others() || parked.iter().any(|parked| parked.memory.waits_for_others()) {
            answer = lingering::wait_for_all(shared.api());
            if answer.is_ok() {
                shared.memory.completed_all(wait);
                teardown::unpark(parked, |memory| memory.completed_all(Wait::ALL));
            }
        } else if (!parked.is_empty() || shared.memory.knows_not_all())
            && shared.told(shared.memory.wait_for_default_streams())?
        {
            shared.memory.completed_default(wait);
            teardown::unpark(parked, |memory| memory.completed_default(Wait::ALL));
        }
        shared.memory.look_at_special();
        shared.look_at_memory(true);
        shared.told(answer.and(shared.memory.pool.trim()))
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
            Object::Stream(id) => shared.stream_native(id)?,
            Object::Event(id) => shared.event(id).native.number(),
            Object::Module(id) => shared.module(id)?.native.number(),
            Object::Kernel(id) => shared.kernel(id).native.number(),
            Object::Graph(id) => shared.graph_native(id)?,
            Object::Exec(id) => shared.exec_native(id)?,
        })
    }

    fn stream_wrap(&self, native: usize) -> Result<StreamId> {
        self.shared.stream_wrap(native)
    }

    fn stream_create(&self, options: StreamOptions) -> Result<StreamId> {
        self.shared.stream_create(options)
    }

    fn stream_destroy(&self, stream: StreamId) {
        self.shared.outside_driver(move |shared| shared.stream_destroy(stream));
    }

    fn stream_is_over(&self, stream: StreamId) -> bool {
        self.shared.stream_is_over(stream)
    }

    fn stream_synchronize(&self, id: StreamId) -> Result<()> {
        self.shared.stream_synchronize(id)
    }

    fn stream_synchronize_for(&self, id: StreamId, limit: Duration) -> Result<bool> {
        self.shared.stream_synchronize_for(id, limit)
    }

    fn stream_is_complete(&self, id: StreamId) -> Result<bool> {
        self.shared.stream_is_complete(id)
    }

    fn stream_wait_event(&self, stream: StreamId, event: EventId) -> Result<()> {
        self.shared.stream_wait_event(stream, event)
    }

    fn stream_wait_event_external(&self, stream: StreamId, event: EventId) -> Result<()> {
        self.shared.stream_wait_event_external(stream, event)
    }

    fn stream_priority_range(&self) -> Result<(i32, i32)> {
        self.shared.stream_priority_range()
    }

    fn stream_is_non_blocking(&self, stream: StreamId) -> Result<bool> {
        self.shared.stream_is_non_blocking(stream)
    }

    fn stream_priority(&self, stream: StreamId) -> Result<i32> {
        self.shared.stream_priority(stream)
    }

    fn stream_attribute(&self, stream: StreamId, attribute: u32) -> Result<AttributeValue> {
        self.shared.stream_attribute(stream, attribute)
    }

    fn stream_set_attribute(&self, stream: StreamId, attribute: u32, value: &AttributeValue) -> Result<()> {
        self.shared.stream_set_attribute(stream, attribute, value)
    }

    fn stream_copy_attributes(&self, destination: StreamId, source: StreamId) -> Result<()> {
        self.shared.stream_copy_attributes(destination, source)
    }

    fn stream_attach(&self, stream: StreamId, address: Address, attach: Attach) -> Result<()> {
        self.shared.stream_attach(stream, address, attach)
    }

    fn begin_capture(&self, stream: StreamId, mode: CaptureMode) -> Result<u64> {
        self.shared.begin_capture(stream, mode)
    }

    fn begin_capture_to_graph(
        &self,
        id: StreamId,
        graph: GraphId,
        dependencies: &[NodeId],
        mode: CaptureMode,
    ) -> Result<u64> {
        self.shared.begin_capture_to_graph(id, graph, dependencies, mode)
    }

    fn end_capture(&self, stream: StreamId) -> Result<GraphId> {
        self.shared.end_capture(stream)
    }

    #[inline]
    fn capture_info(&self, stream: StreamId) -> Result<CaptureInfo> {
        self.shared.capture_info(stream)
    }

    fn capture_progress(&self, stream: StreamId) -> Result<(CaptureInfo, Option<CaptureProgress>)> {
        self.shared.capture_progress(stream)
    }

    fn capture_describe(&self, stream: StreamId) -> Result<GraphDescription> {
        self.shared.capture_describe(stream)
    }

    fn update_capture_dependencies(&self, stream: StreamId, nodes: &[NodeId], update: DependencyUpdate) -> Result<()> {
        self.shared.update_capture_dependencies(stream, nodes, update)
    }

    fn capture_retain(&self, stream: StreamId, retained: Retained) -> Result<()> {
        self.shared.capture_retain(stream, retained)
    }

    fn event_create(&self, options: EventOptions) -> Result<EventId> {
        self.shared.event_create(options)
    }

    fn event_ipc_handle(&self, event: EventId) -> Result<IpcHandle> {
        self.shared.event_ipc_handle(event)
    }

    fn event_open_ipc(&self, handle: &IpcHandle) -> Result<EventId> {
        self.shared.event_open_ipc(handle)
    }

    fn event_destroy(&self, event: EventId, used_by: &[StreamId]) {
        let used_by = used_by.to_vec();
        self.shared.outside_driver(move |shared| shared.event_destroy(event, &used_by));
    }

    fn event_record(&self, event: EventId, stream: StreamId) -> Result<()> {
        self.shared.event_record(event, stream)
    }

    fn event_record_external(&self, event: EventId, stream: StreamId) -> Result<()> {
        self.shared.event_record_external(event, stream)
    }

    fn event_synchronize_for(
        &self,
        event: EventId,
        limit: Duration,
        unless_captured: &dyn Fn(&mut dyn FnMut()),
    ) -> Result<bool> {
        self.shared.event_synchronize_for(event, limit, unless_captured)
    }

    fn event_is_complete(&self, event: EventId) -> Result<bool> {
        self.shared.event_is_complete(event)
    }

    fn event_synchronize(&self, event: EventId) -> Result<()> {
        self.shared.event_synchronize(event)
    }

    fn event_elapsed_ms(&self, start: EventId, end: EventId) -> Result<f32> {
        self.shared.event_elapsed_ms(start, end)
    }

    fn allocate(&self, bytes: usize, kind: MemoryKind) -> Result<(MemoryId, Address)> {
        self.shared.allocate(bytes, kind)
    }

    fn adopt(&self, address: Address, bytes: usize, on_release: Box<dyn FnOnce() + Send>) -> Result<MemoryId> {
        self.shared.adopt(address, bytes, on_release)
    }

    fn lend(&self, ordinal: u32) -> Result<()> {
        self.shared.lend(ordinal)
    }

    fn borrow(&self, on_release: Box<dyn FnOnce() + Send>) -> Result<MemoryId> {
        self.shared.borrow(on_release)
    }

    fn address_origin(&self, address: Address) -> Result<Option<AddressOrigin>> {
        self.shared.address_origin(address)
    }

    fn host_allocate(&self, bytes: usize, options: HostMemoryOptions) -> Result<HostMemory> {
        self.shared.host_allocate(bytes, options)
    }

    fn host_register(
        &self,
        address: Address,
        bytes: usize,
        options: HostMemoryOptions,
        on_release: Box<dyn FnOnce() + Send>,
    ) -> Result<HostMemory> {
        self.shared.host_register(address, bytes, options, on_release)
    }

    fn release(&self, memory: MemoryId, used_by: &[StreamId]) {
        self.shared.release(memory, used_by);
    }

    fn memcpy(&self, stream: StreamId, copy: Memcpy) -> Result<()> {
        self.shared.memcpy(stream, copy)
    }

    fn memcpy_rows(&self, stream: StreamId, copy: &MemcpyRows, _snapshot: Option<Snapshot>) -> Result<()> {
        // The driver has read pageable memory when it returns, unless it records; then the graph keeps the snapshot.
        self.shared.memcpy_rows(stream, copy)
    }

    fn finish_legacy(&self) -> Result<()> {
        self.shared.finish_legacy()
    }

    fn memset(&self, stream: StreamId, set: Memset) -> Result<()> {
        self.shared.memset(stream, set)
    }

    fn value_operation(&self, stream: StreamId, operation: ValueOperation) -> Result<()> {
        self.shared.value_operation(stream, operation)
    }

    fn value_batch(&self, stream: StreamId, operations: &[ValueOperation]) -> Result<()> {
        self.shared.value_batch(stream, operations)
    }

    #[inline]
    fn launch_kernel(
        &self,
        stream: StreamId,
        kernel: KernelId,
        shape: LaunchShape,
        arguments: &[Argument<'_>],
    ) -> Result<()> {
        self.shared.launch_kernel(stream, kernel, shape, arguments)
    }

    fn launch_host_function(&self, stream: StreamId, function: HostFunction) -> Result<()> {
        self.shared.launch_host_function(stream, function)
    }

    fn module_load(&self, source: ModuleSource<'_>) -> Result<ModuleId> {
        self.shared.module_load(source)
    }

    fn module_unload(&self, module: ModuleId) {
        self.shared.module_unload(module);
    }

    fn module_kernel(&self, module: ModuleId, name: &str) -> Result<KernelId> {
        self.shared.module_kernel(module, name)
    }

    fn kernel_parameters(&self, kernel: KernelId) -> Result<Option<Vec<usize>>> {
        self.shared.kernel_parameters(kernel)
    }

    fn graph_create(&self) -> Result<GraphId> {
        self.shared.graph_create()
    }

    fn check_shape(&self, kernel: KernelId, shape: LaunchShape) -> Result<()> {
        self.shared.check_shape(kernel, shape)
    }

    fn graph_retain(&self, graph: GraphId, retained: Retained) -> Result<()> {
        self.shared.graph_retain(graph, retained)
    }

    fn graph_destroy(&self, graph: GraphId) {
        self.shared.outside_driver(move |shared| shared.graph_destroy(graph));
    }

    fn graph_node_count(&self, graph: GraphId) -> Result<usize> {
        self.shared.graph_node_count(graph)
    }

    fn graph_edge_count(&self, graph: GraphId) -> Result<usize> {
        self.shared.graph_edge_count(graph)
    }

    fn graph_nodes(&self, graph: GraphId) -> Result<GraphNodes> {
        self.shared.graph_nodes(graph)
    }

    fn graph_describe(&self, graph: GraphId) -> Result<GraphDescription> {
        self.shared.graph_describe(graph)
    }

    fn graph_instantiate(&self, graph: GraphId) -> Result<(ExecId, usize)> {
        self.shared.graph_instantiate(graph)
    }

    fn exec_destroy(&self, exec: ExecId) {
        self.shared.outside_driver(move |shared| shared.exec_destroy(exec));
    }

    fn exec_upload(&self, exec: ExecId, stream: StreamId) -> Result<()> {
        self.shared.exec_upload(exec, stream)
    }

    #[inline]
    fn exec_launch(&self, exec: ExecId, stream: StreamId) -> Result<()> {
        self.shared.exec_launch(exec, stream)
    }
}
