//! A context on a CUDA device: how it is opened, waited for and left, and the implementation of [`Driver`]. The driver
//! decides; graphcap adds what it does not keep: lifetimes, and what to tell a person.
//!
//! The traits that [`Driver`] sums up are implemented in the files of this folder, and beside what they work on: captures in
//! `captures/capture.rs`, for one.

mod code;
mod edges;
mod edits;
mod events;
mod execs;
mod graphs;
mod memory;
mod streams;
mod traced;
mod wrapped;

use std::ffi::{c_int, c_uint};
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Duration;

use cudarc::driver::sys::{CUdevice_attribute, CUevent_flags};

use crate::api::answers::{is_fault, ready};
use crate::api::current::{self, relax, tell_mode};
use crate::api::device::{Device, PrimaryContext};
use crate::api::driver_thread;
use crate::api::library::Loaded;
use crate::api::limits::Limits;
use crate::api::Handle;
use crate::captures::gate;
use crate::deferred;
use crate::exec::uploads::Uploads;
use crate::math::state::Mathematics;
use crate::memory::blocking;
use crate::memory::guard;
use crate::memory::node_memory::NodeMemories;
use crate::memory::Memory;
use crate::shared::{DeviceFacts, Faults, Life, ObjectTables, Shared, CONTEXTS};
use crate::streams::patience::Patience;
use crate::streams::stream::{Origin, Stream};
use crate::teardown;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::lock;
use graphcap_driver::ids::number_context;
use graphcap_driver::{
    callbacks, CaptureInfo, CaptureStatus, DeviceInfo, DeviceKind, Driver, ExecId, Foreign, GraphId, Object, StreamId,
    WrappedExec,
};

/// A context on a CUDA device.
pub(crate) struct CudaContext {
    shared: Arc<Shared>,
}

impl Deref for CudaContext {
    type Target = Arc<Shared>;
    #[inline]
    fn deref(&self) -> &Arc<Shared> {
        &self.shared
    }
}

impl CudaContext {
    /// Retains the primary context of a device and makes what graphcap needs in it.
    pub(crate) fn open(loaded: &'static Loaded, ordinal: c_int, info: DeviceInfo) -> Result<CudaContext> {
        static LAST: AtomicU64 = AtomicU64::new(0);
        let api = &loaded.api;
        let number = number_context(&LAST)?;
        let refused = |refusal| api.error(refusal);
        tell_mode(api).map_err(refused)?;
        let (mut pools, attribute) = (0, CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED);
        // SAFETY: `pools` is writable; the ordinal is a device.
        unsafe { api.cuDeviceGetAttribute(&mut pools, attribute as c_int, ordinal) }.map_err(refused)?;
        if pools == 0 {
            let message = format!("{} has no memory pools, which graphcap allocates from", info.name);
            return Err(Error::new(Status::NOT_SUPPORTED, message));
        }
        let is_guarded = guard::is_wanted(api, ordinal, &info.name)?;
        let mut context = Handle::NULL;
        // SAFETY: `context` is writable; the reference is given back by `give_back`, or below.
        unsafe { api.cuDevicePrimaryCtxRetain(&mut context, ordinal) }.map_err(refused)?;
        let device = Device { api, context };
        let mut instance = 0;
        // SAFETY: `instance` is writable; the context was retained just now.
        let identified = unsafe { api.cuCtxGetId(context, &mut instance) };
        let primary = PrimaryContext { ordinal, instance };
        let memory = identified
            .and_then(|()| device.enter())
            .and_then(|_current| Memory::new(device, primary, number, is_guarded));
        let memory = memory.map_err(|refusal| {
            // SAFETY: the context was retained just now.
            let _ = unsafe { api.cuDevicePrimaryCtxRelease_v2(ordinal) };
            refused(refusal)
        })?;
        let special = |StreamId(id)| {
            let stream = Stream::new(Handle::from_number(id as usize), Origin::Special, ordinal);
            // Both order against each other and against blocking streams.
            stream.non_blocking.get_or_init(|| false);
            stream
        };
        let shared = Arc::new_cyclic(|this| Shared {
            facts: DeviceFacts { info, driver_version: loaded.version, limits: Limits::of(api, ordinal) },
            device,
            primary,
            number,
            memory,
            math: Mathematics::default(),
            legacy: special(StreamId::LEGACY),
            per_thread: special(StreamId::PER_THREAD),
            objects: ObjectTables::default(),
            node_memories: NodeMemories::default(),
            uploads: Uploads::default(),
            faults: Faults::default(),
            life: Life::begun(this),
        });
        let mut open = lock(&CONTEXTS.open);
        open.retain(|context| context.strong_count() > 0);
        open.push(Arc::downgrade(&shared));
        if open.len() > 1 {
            CONTEXTS.are_several.store(true, Ordering::Release);
        }
        if open.iter().filter_map(|other| other.upgrade()).any(|other| other.primary.ordinal != ordinal) {
            CONTEXTS.are_devices_several.store(true, Ordering::Release);
        }
        drop(open);
        Ok(CudaContext { shared })
    }
}

impl Drop for CudaContext {
    fn drop(&mut self) {
        if driver_thread::on_driver_thread() {
            let shared = Arc::clone(&self.shared);
            return callbacks::run(Box::new(move || teardown::take_over(&shared)));
        }
        teardown::take_over(&self.shared);
    }
}

impl Driver for CudaContext {
    fn device(&self) -> &DeviceInfo {
        &self.shared.facts.info
    }

    fn family(&self) -> usize {
        DeviceKind::Cuda as usize
    }

    fn synchronize(&self) -> Result<()> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        callbacks::finish_handed_over();
        let _current = shared.map_error(shared.device.enter())?;
        let known: Vec<Arc<Stream>> = lock(&shared.objects.streams).values().cloned().collect();
        let streams: Vec<&Stream> =
            known.iter().map(|stream| &**stream).chain([&shared.legacy, &shared.per_thread]).collect();
        let launches: Vec<u64> = streams.iter().map(|stream| stream.history.launches()).collect();
        let (parked, wait) = (teardown::parked(shared.primary), shared.memory.wait_begins());
        let beside = shared.beside_captures(&streams);
        // SAFETY: the context is current.
        shared.map_error(unsafe { shared.api().cuCtxSynchronize() })?;
        drop(beside);
        for (stream, launches) in streams.iter().zip(launches) {
            stream.history.completed(launches);
        }
        shared.memory.completed_all(wait);
        teardown::unpark(parked, Memory::completed_all);
        deferred::release_all(shared.api(), shared.primary);
        shared.waited()
    }

    fn synchronize_for(&self, limit: Duration) -> Result<bool> {
        let mut patience = Patience::new(limit);
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let _current = shared.map_error(shared.device.enter())?;
        let mut native = Handle::NULL;
        // SAFETY: `native` is writable; the context is current.
        shared.map_error(unsafe {
            shared.api().cuEventCreate(&mut native, CUevent_flags::CU_EVENT_DISABLE_TIMING as c_uint)
        })?;
        let mut wait = || {
            // All work of the context, by the rules of a wait for it.
            let beside = gate::read();
            // SAFETY: context and event live.
            let recorded = unsafe { shared.api().cuCtxRecordEvent(shared.device.context, native) };
            drop(beside);
            recorded?;
            let _relaxed = relax(shared.api())?;
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
        let is_complete = shared.map_error(waited)?;
        if is_complete {
            shared.waited()?;
        }
        Ok(is_complete)
    }

    fn shares_device(&self) -> bool {
        true
    }

    fn make_current(&self) -> Result<()> {
        let shared = &*self.shared;
        shared.map_error(current::set(shared.api(), shared.device.context))
    }

    fn collect(&self) -> Result<()> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        // Also what a host function destroyed that has completed.
        callbacks::finish_handed_over();
        let _current = shared.map_error(shared.device.enter())?;
        let _relaxed = shared.map_error(relax(shared.api()))?;
        if let Some(fault) = shared.memory.pool.fault() {
            return Err(shared.error(fault));
        }
        deferred::release_all(shared.api(), shared.primary);
        let (parked, wait) = (teardown::parked(shared.primary), shared.memory.wait_begins());
        let mut answer = Ok(());
        if shared.memory.waits_for_others() || parked.iter().any(|(parked, _)| parked.memory.waits_for_others()) {
            answer = blocking::wait_for_all(shared.api());
            if answer.is_ok() {
                shared.memory.completed_all(wait);
                teardown::unpark(parked, Memory::completed_all);
            }
        } else if (!parked.is_empty() || shared.memory.knows_not_all())
            && shared.map_error(shared.memory.wait_for_default_streams())?
        {
            shared.memory.completed_default(wait);
            teardown::unpark(parked, Memory::completed_default);
        }
        shared.memory.look_at_special();
        shared.look_at_memory(true);
        deferred::release_library_objects(shared.api(), shared.primary);
        shared.map_error(answer.and(shared.memory.pool.trim()))
    }

    fn renew(&self) -> Result<Option<Arc<dyn Driver>>> {
        let shared = &*self.shared;
        callbacks::check_caller()?;
        let asked = || {
            let _current = shared.map_error(shared.device.enter())?;
            let _relaxed = shared.map_error(relax(shared.api()))?;
            shared.memory.pool.fault().map_or(Ok(()), |fault| Err(shared.error(fault)))
        };
        match asked() {
            // The primary context is everybody's: it stays, and with it all that graphcap has in it.
            Ok(()) => Ok(None),
            Err(error) if is_fault(error.status) => Err(Error::new(
                error.status,
                format!(
                    "a reset does not mend this, since NVIDIA's driver does not recover; start the process anew: {}",
                    error.message
                ),
            )),
            Err(error) => Err(error),
        }
    }

    fn leave(&self) {
        self.shared.life.left.store(true, Ordering::Release);
        self.shared.ask_for_looks();
    }
}

impl Foreign for CudaContext {
    fn shares_streams(&self) -> bool {
        true
    }

    fn native(&self, object: Object) -> Result<usize> {
        let shared = &*self.shared;
        Ok(match object {
            Object::Context => shared.device.context.number(),
            Object::Stream(id) => shared.stream_native(id)?,
            Object::Event(id) => shared.event(id).give_out(),
            Object::Module(id) => shared.module(id)?.native.number(),
            Object::Kernel(id) => shared.kernel(id).native.number(),
            Object::Graph(id) => shared.graph_native(id)?,
            Object::Node(graph, node) => self.node_native(graph, node)?,
            Object::Exec(id) => shared.exec_native(id)?,
        })
    }

    fn stream_wrap(&self, native: usize) -> Result<StreamId> {
        self.wrap_stream(native)
    }

    fn graph_wrap(&self, native: usize) -> Result<(GraphId, bool)> {
        self.wrap_graph(native)
    }

    fn graph_own(&self, graph: GraphId) {
        self.own_graph(graph);
    }

    fn exec_wrap(&self, native: usize, graph: Option<GraphId>) -> Result<WrappedExec> {
        self.wrap_exec(native, graph)
    }

    fn exec_own(&self, exec: ExecId) {
        self.exec(exec).is_borrowed.store(false, Ordering::Release);
    }

    fn native_capture(&self, native: usize) -> Result<CaptureInfo> {
        callbacks::check_caller()?;
        let _current = match native {
            0 | 1 => return Ok(CaptureInfo { status: CaptureStatus::None, id: 0 }),
            2 => Some(self.map_error(self.device.enter())?),
            _ => None,
        };
        self.map_error(self.device.ask_capture_info(Handle::from_number(native)))
    }
}
