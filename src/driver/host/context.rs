//! A context on a host device: the implementation of [`Driver`]. It finds the objects behind the ids, applies the capture
//! rules, and hands over to the file that does the work. What its methods have in common is in `shared.rs`.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::attributes::{GREATEST_PRIORITY, LEAST_PRIORITY};
use super::capture::Ended;
use super::event::Event;
use super::event_nodes::Locked;
use super::exec::Exec;
use super::graph::{Action, Definition, RowsCall};
use super::kernel::{self, Kernel, KernelCall, Module, PackedArguments};
use super::lanes::lanes;
use super::plan::Plan;
use super::shared::{EVENTS, EXECS, GRAPHS, KERNELS, MODULES, STREAMS};
use super::stream::{ContextState, Op, Stream};
use super::stream_list::{self, StreamList};
use super::{capture, device_info, lock, memory, values};
use crate::driver::ids::{enter, key_of, no_such};
use crate::driver::{
    callbacks, Address, Argument, Attach, AttributeValue, CaptureInfo, CaptureProgress, DependencyUpdate, DeviceInfo,
    Driver, EventId, EventOptions, ExecId, GraphDescription, GraphId, GraphNodes, HostFunction, HostMemory,
    HostMemoryOptions, IpcHandle, KernelId, LaunchShape, Memcpy, MemcpyRows, MemoryId, MemoryKind, Memset, ModuleId,
    ModuleSource, NodeId, Object, Retained, Snapshot, StreamId, StreamOptions, ValueOperation,
};
use crate::error::{Error, Result, Status};
use crate::rules::CaptureMode;

/// A context on a host device.
pub(super) struct HostContext {
    info: DeviceInfo,
    pub(super) state: Arc<ContextState>,
    pub(super) legacy: Arc<Stream>,
    pub(super) streams: Arc<Mutex<StreamList>>,
}

#[cold]
fn no_natives() -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        "the host device has no driver underneath, so its objects have no native handles; use a CUDA device for that",
    )
}

#[cold]
fn of_one_process() -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        "the host device runs within the process, and no other process can wait for its events; use a CUDA device for that",
    )
}

impl HostContext {
    pub(super) fn new(ordinal: u32) -> Result<HostContext> {
        static LAST: AtomicU64 = AtomicU64::new(0);
        let info = device_info(ordinal)?;
        lanes().enlist()?;
        let state = Arc::new(ContextState::new(LAST.fetch_add(1, Ordering::Relaxed) + 1));
        let legacy = Stream::new(&state, false, true);
        let streams = stream_list::new();
        Ok(HostContext { info, state, legacy, streams })
    }
}

impl Drop for HostContext {
    fn drop(&mut self) {
        // The default streams are destroyed with the context.
        let streams = self.all_streams();
        for stream in streams.iter().filter(|stream| stream.leave.may_wait()) {
            values::leave(stream, streams.iter().cloned());
        }
        stream_list::forget(&self.streams);
        lanes().dismiss();
    }
}

impl Driver for HostContext {
    fn device(&self) -> &DeviceInfo {
        &self.info
    }

    fn synchronize(&self) -> Result<()> {
        self.check_call()?;
        capture::refuse_in_context(self.number(), "waiting for the whole context")?;
        self.wait_for(&self.all_streams())
    }

    fn synchronize_for(&self, limit: Duration) -> Result<bool> {
        let deadline = Instant::now().checked_add(limit);
        self.check_call()?;
        capture::refuse_in_context(self.number(), "waiting for the whole context")?;
        self.wait_until(&self.all_streams(), deadline)
    }

    fn collect(&self) -> Result<()> {
        // Nothing is held back on this device.
        self.check_call()
    }

    fn shares_streams(&self) -> bool {
        false
    }

    fn native(&self, _: Object) -> Result<usize> {
        Err(no_natives())
    }

    fn stream_wrap(&self, _: usize) -> Result<StreamId> {
        Err(no_natives())
    }

    fn stream_create(&self, options: StreamOptions) -> Result<StreamId> {
        self.check_call()?;
        let stream = Stream::new(&self.state, !options.non_blocking, false);
        lock(&stream.attributes).set_priority(options.priority);
        let id = enter(&STREAMS, Arc::clone(&stream), "streams")?;
        lock(&self.streams).made.insert(id, stream);
        Ok(StreamId(id))
    }

    fn stream_destroy(&self, stream: StreamId) {
        if stream == StreamId::PER_THREAD {
            let of_threads: Vec<_> = {
                let streams = lock(&self.streams);
                let numbered = streams.made.iter().filter(|(number, _)| **number >> 32 == 0);
                numbered.map(|(_, stream)| Arc::clone(stream)).collect()
            };
            of_threads.iter().for_each(capture::abandon);
            return;
        }
        let Some(removed) = STREAMS.remove(key_of(stream.0)) else { return };
        capture::leave(&removed);
        if removed.leave.may_wait() {
            values::leave(&removed, self.all_streams().into_iter());
        }
        lock(&self.streams).remove(stream.0);
    }

    fn stream_is_over(&self, stream: StreamId) -> bool {
        let streams = lock(&self.streams);
        !matches!(stream, StreamId::LEGACY | StreamId::PER_THREAD | StreamId::UNKNOWN)
            && !streams.made.contains_key(&stream.0)
            && streams.leaving.get(&stream.0).is_none_or(|stream| stream.is_complete())
    }

    fn stream_synchronize(&self, stream: StreamId) -> Result<()> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        self.check_wait(&stream, "waiting")?;
        if stream.is_legacy {
            return self.wait_for(&self.waited_for(&stream));
        }
        stream.wait(stream.submitted());
        self.state.error().cloned().map_or(Ok(()), Err)
    }

    fn stream_synchronize_for(&self, stream: StreamId, limit: Duration) -> Result<bool> {
        let deadline = Instant::now().checked_add(limit);
        self.check_call()?;
        let stream = self.stream(stream)?;
        self.check_wait(&stream, "waiting")?;
        self.wait_until(&self.waited_for(&stream), deadline)
    }

    fn stream_is_complete(&self, stream: StreamId) -> Result<bool> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        self.check_wait(&stream, "asking for completion")?;
        Ok(self.waited_for(&stream).iter().all(|stream| stream.is_complete()))
    }

    fn stream_wait_event(&self, stream: StreamId, event: EventId) -> Result<()> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        self.event(event)?.make_wait(&stream, |op| self.submit(&stream, op))
    }

    fn stream_wait_event_external(&self, stream: StreamId, event: EventId) -> Result<()> {
        self.check_call()?;
        let event = Arc::clone(&*self.event(event)?);
        self.record_only(&*self.stream(stream)?, Action::WaitEvent(event), "an EXTERNAL wait")
    }

    fn stream_priority_range(&self) -> Result<(i32, i32)> {
        self.check_call()?;
        Ok((LEAST_PRIORITY, GREATEST_PRIORITY))
    }

    fn stream_is_non_blocking(&self, stream: StreamId) -> Result<bool> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        Ok(!stream.blocking && !stream.is_legacy)
    }

    fn stream_priority(&self, stream: StreamId) -> Result<i32> {
        self.check_call()?;
        Ok(lock(&self.stream(stream)?.attributes).priority())
    }

    fn stream_attribute(&self, stream: StreamId, attribute: u32) -> Result<AttributeValue> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        capture::refuse_on_legacy(&stream)?;
        let attributes = lock(&stream.attributes);
        attributes.get(attribute)
    }

    fn stream_set_attribute(&self, stream: StreamId, attribute: u32, value: &AttributeValue) -> Result<()> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        capture::refuse_on_legacy(&stream)?;
        let mut attributes = lock(&stream.attributes);
        attributes.set(attribute, value)
    }

    fn stream_copy_attributes(&self, destination: StreamId, source: StreamId) -> Result<()> {
        self.check_call()?;
        let (destination, source) = (self.stream(destination)?, self.stream(source)?);
        capture::refuse_on_legacy(&destination)?;
        capture::refuse_on_legacy(&source)?;
        let copied = lock(&source.attributes).clone();
        *lock(&destination.attributes) = copied;
        Ok(())
    }

    fn stream_attach(&self, stream: StreamId, _: Address, _: Attach) -> Result<()> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        capture::refuse_while_capturing(&stream, "attaching memory")?;
        // All may use all memory at any time.
        capture::refuse_on_legacy(&stream)
    }

    fn begin_capture(&self, stream: StreamId, mode: CaptureMode) -> Result<u64> {
        self.check_call()?;
        capture::begin(&*self.stream(stream)?, mode)
    }

    fn begin_capture_to_graph(
        &self,
        stream: StreamId,
        graph: GraphId,
        dependencies: &[NodeId],
        mode: CaptureMode,
    ) -> Result<u64> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        let known = GRAPHS.get(key_of(graph.0)).map(|graph| Arc::clone(&graph)).ok_or_else(|| no_such("graph"))?;
        self.graph(graph, |_| ())?;
        capture::begin_to_graph(&stream, graph, &known, dependencies, mode)
    }

    fn capture_retain(&self, _: StreamId, _: Retained) -> Result<()> {
        Err(no_natives())
    }

    fn end_capture(&self, stream: StreamId) -> Result<GraphId> {
        callbacks::check_caller()?;
        // Also on a faulted context: a capture that cannot be ended would bar other contexts for ever.
        let ended = capture::end(&*self.stream(stream)?);
        self.check_fault()?;
        match ended? {
            Ended::New(definition) => self.enter_graph(definition),
            Ended::Known(graph) => Ok(graph),
        }
    }

    fn capture_info(&self, stream: StreamId) -> Result<CaptureInfo> {
        self.check_call()?;
        capture::info(&*self.stream(stream)?)
    }

    fn capture_progress(&self, stream: StreamId) -> Result<(CaptureInfo, Option<CaptureProgress>)> {
        self.check_call()?;
        capture::progress(&*self.stream(stream)?)
    }

    fn capture_describe(&self, stream: StreamId) -> Result<GraphDescription> {
        self.check_call()?;
        capture::describe(&*self.stream(stream)?)
    }

    fn update_capture_dependencies(&self, stream: StreamId, nodes: &[NodeId], update: DependencyUpdate) -> Result<()> {
        self.check_call()?;
        capture::update_dependencies(&*self.stream(stream)?, nodes, update)
    }

    fn event_create(&self, options: EventOptions) -> Result<EventId> {
        self.check_call()?;
        enter(&EVENTS, Arc::new(Event::new(self.number(), options)), "events").map(EventId)
    }

    fn event_destroy(&self, event: EventId, _: &[StreamId]) {
        EVENTS.remove(key_of(event.0));
    }

    fn event_record(&self, event: EventId, stream: StreamId) -> Result<()> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        self.event(event)?.record(&stream, |op| self.submit(&stream, op))
    }

    fn event_record_external(&self, event: EventId, stream: StreamId) -> Result<()> {
        self.check_call()?;
        let event = Arc::clone(&*self.event(event)?);
        self.record_only(&*self.stream(stream)?, Action::RecordEvent(event), "an EXTERNAL record")
    }

    fn event_is_complete(&self, event: EventId) -> Result<bool> {
        self.check_call()?;
        Ok(self.event(event)?.point()?.is_none_or(|point| point.is_reached()))
    }

    fn event_synchronize(&self, event: EventId) -> Result<()> {
        self.check_call()?;
        // The event is let go of first: its destruction must not wait for this wait.
        let point = self.event(event)?.point()?;
        if let Some(point) = point {
            point.wait(None);
        }
        self.state.error().cloned().map_or(Ok(()), Err)
    }

    fn event_synchronize_for(&self, event: EventId, limit: Duration, _: &dyn Fn(&mut dyn FnMut())) -> Result<bool> {
        let deadline = Instant::now().checked_add(limit);
        self.check_call()?;
        // As above, and what is waited for stays the record that is the latest now.
        let point = self.event(event)?.point()?;
        let reached = point.is_none_or(|point| point.wait(deadline));
        self.state.error().cloned().map_or(Ok(reached), Err)
    }

    fn event_elapsed_ms(&self, start: EventId, end: EventId) -> Result<f32> {
        self.check_call()?;
        self.event(start)?.elapsed_ms(&**self.event(end)?)
    }

    fn event_ipc_handle(&self, _: EventId) -> Result<IpcHandle> {
        Err(of_one_process())
    }

    fn event_open_ipc(&self, _: &IpcHandle) -> Result<EventId> {
        Err(of_one_process())
    }

    fn allocate(&self, bytes: usize, _: MemoryKind) -> Result<(MemoryId, Address)> {
        self.check_call()?;
        memory::allocate(bytes)
    }

    fn adopt(&self, address: Address, bytes: usize, on_release: Box<dyn FnOnce() + Send>) -> Result<MemoryId> {
        self.check_call()?;
        memory::adopt(address, bytes, on_release)
    }

    fn lend(&self, _: u32) -> Result<()> {
        // All is memory of the process.
        Ok(())
    }

    fn borrow(&self, on_release: Box<dyn FnOnce() + Send>) -> Result<MemoryId> {
        Ok(memory::borrow(on_release))
    }

    fn release(&self, memory: MemoryId, used_by: &[StreamId]) {
        let release = Arc::new(memory::Release(memory));
        let users: Vec<Arc<Stream>> = {
            let streams = lock(&self.streams);
            let users_of = |id: &StreamId| match *id {
                StreamId::LEGACY => vec![Arc::clone(&self.legacy)],
                StreamId::UNKNOWN => streams.iter().chain([&self.legacy]).cloned().collect(),
                // Which threads' streams used the memory is not known, so all of them are waited for.
                StreamId::PER_THREAD => {
                    let all = streams.made.iter().chain(&streams.leaving);
                    let numbered = all.filter(|(number, _)| **number >> 32 == 0);
                    numbered.map(|(_, stream)| Arc::clone(stream)).collect()
                }
                StreamId(made) => streams.get(made).cloned().into_iter().collect(),
            };
            used_by.iter().flat_map(users_of).collect()
        };
        for stream in users.iter().filter(|stream| !stream.is_complete()) {
            stream.submit(stream.lock(), Op::Release(Arc::clone(&release)));
        }
    }

    fn host_allocate(&self, bytes: usize, options: HostMemoryOptions) -> Result<HostMemory> {
        self.check_call()?;
        memory::host_allocate(bytes, options)
    }

    fn host_register(
        &self,
        address: Address,
        bytes: usize,
        options: HostMemoryOptions,
        on_release: Box<dyn FnOnce() + Send>,
    ) -> Result<HostMemory> {
        self.check_call()?;
        memory::host_register(address, bytes, options, on_release)
    }

    fn memcpy_rows(&self, stream: StreamId, copy: &MemcpyRows, snapshot: Option<Snapshot>) -> Result<()> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        memory::check_rows(copy)?;
        let call = RowsCall { copy: *copy, _snapshot: snapshot };
        self.submit_or_record(&stream, Action::MemcpyRows(Arc::new(call)), || Ok(()))
    }

    fn finish_legacy(&self) -> Result<()> {
        self.check_call()?;
        // Its own work waits for that of the blocking streams.
        self.wait_for(std::slice::from_ref(&self.legacy))
    }

    fn memcpy(&self, stream: StreamId, copy: Memcpy) -> Result<()> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        memory::check_copy(&copy)?;
        self.submit_or_record(&stream, Action::Memcpy(copy), || Ok(()))
    }

    fn memset(&self, stream: StreamId, set: Memset) -> Result<()> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        // A capture takes a memset of any range; its replay fails if the range is not alive then.
        self.submit_or_record(&stream, Action::Memset(set), || memory::check_set(&set))
    }

    fn value_operation(&self, stream: StreamId, operation: ValueOperation) -> Result<()> {
        self.value_batch(stream, &[operation])
    }

    fn value_batch(&self, stream: StreamId, operations: &[ValueOperation]) -> Result<()> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        let action = Action::Values(operations.into());
        if action.waits_for_values() {
            stream.leave.will_wait();
        }
        // A capture takes them for any range, as it does memsets.
        self.submit_or_record(&stream, action, || memory::check_values(operations))
    }

    fn launch_kernel(
        &self,
        stream: StreamId,
        kernel: KernelId,
        shape: LaunchShape,
        arguments: &[Argument<'_>],
    ) -> Result<()> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        let kernel = KERNELS
            .get(key_of(kernel.0))
            .filter(|kernel| kernel.context == self.number())
            .ok_or_else(|| no_such("kernel"))?;
        if let Err(error) = kernel::check_shape(&shape) {
            capture::refuse_on_legacy(&stream)?;
            // An impossible launch is the one argument error that breaks a capture.
            if let Some(member) = capture::live_member(&mut stream.lock()) {
                member.check_active()?;
                member.capture.invalidate();
            }
            return Err(error);
        }
        let call = KernelCall { kernel: Arc::clone(&kernel), shape, arguments: PackedArguments::pack(arguments) };
        self.submit_or_record(&stream, Action::Kernel(call), || Ok(()))
    }

    fn launch_host_function(&self, stream: StreamId, function: HostFunction) -> Result<()> {
        self.check_call()?;
        self.submit_or_record(&*self.stream(stream)?, Action::Host(function), || Ok(()))
    }

    fn module_load(&self, source: ModuleSource<'_>) -> Result<ModuleId> {
        self.check_call()?;
        if source.host_kernels.is_empty() {
            return Err(Error::new(
                Status::NO_BINARY_FOR_GPU,
                "the module holds no host kernels, which are all that the host device can run; describe some",
            ));
        }
        source.check()?;
        let mut module = Module { kernels: HashMap::new(), context: self.number() };
        for described in source.host_kernels {
            let kernel = Kernel {
                name: described.name.clone(),
                function: described.function,
                parameter_sizes: described.parameter_sizes.clone(),
                context: self.number(),
            };
            match enter(&KERNELS, Arc::new(kernel), "kernels") {
                Ok(id) => module.kernels.insert(described.name.clone(), KernelId(id)),
                Err(error) => {
                    forget_kernels(&module);
                    return Err(error);
                }
            };
        }
        enter(&MODULES, module, "modules").map(ModuleId)
    }

    fn module_unload(&self, module: ModuleId) {
        if let Some(module) = MODULES.remove(key_of(module.0)) {
            forget_kernels(&module);
        }
    }

    fn module_kernel(&self, module: ModuleId, name: &str) -> Result<KernelId> {
        self.check_call()?;
        let module = MODULES
            .get(key_of(module.0))
            .filter(|module| module.context == self.number())
            .ok_or_else(|| no_such("module"))?;
        module.kernels.get(name).copied().ok_or_else(|| {
            let mut known: Vec<_> = module.kernels.keys().map(String::as_str).collect();
            known.sort_unstable();
            Error::new(Status::NOT_FOUND, format!("the module has no kernel '{name}'; it has {}", known.join(", ")))
        })
    }

    fn kernel_parameters(&self, kernel: KernelId) -> Result<Option<Vec<usize>>> {
        self.check_call()?;
        let kernel = KERNELS.get(key_of(kernel.0)).ok_or_else(|| no_such("kernel"))?;
        Ok(kernel.parameter_sizes.clone())
    }

    fn graph_create(&self) -> Result<GraphId> {
        self.check_call()?;
        self.enter_graph(Definition::new())
    }

    fn check_shape(&self, _: KernelId, shape: LaunchShape) -> Result<()> {
        self.check_call()?;
        kernel::check_shape(&shape)
    }

    fn graph_retain(&self, graph: GraphId, retained: Retained) -> Result<()> {
        self.graph(graph, |graph| graph.retained.push(retained))
    }

    fn graph_destroy(&self, graph: GraphId) {
        GRAPHS.remove(key_of(graph.0));
    }

    fn graph_node_count(&self, graph: GraphId) -> Result<usize> {
        self.check_call()?;
        self.graph(graph, |graph| graph.definition.nodes.len())
    }

    fn graph_edge_count(&self, graph: GraphId) -> Result<usize> {
        self.check_call()?;
        self.graph(graph, |graph| graph.definition.edge_count())
    }

    fn graph_nodes(&self, graph: GraphId) -> Result<GraphNodes> {
        self.check_call()?;
        self.graph(graph, |graph| graph.definition.ids())
    }

    fn graph_describe(&self, graph: GraphId) -> Result<GraphDescription> {
        self.check_call()?;
        self.graph(graph, |graph| graph.definition.describe())
    }

    fn graph_instantiate(&self, graph: GraphId) -> Result<(ExecId, usize)> {
        self.check_call()?;
        let (definition, retained) =
            self.graph(graph, |graph| (Arc::clone(&graph.definition), graph.retained.clone()))?;
        capture::unsafe_call()?;
        Plan::check(&definition)?;
        let nodes = definition.nodes.len();
        let exec = Exec::new(self.number(), Plan::compile(&definition), retained);
        enter(&EXECS, Arc::new(exec), "graph execs").map(|id| (ExecId(id), nodes))
    }

    fn exec_destroy(&self, exec: ExecId) {
        if let Some(exec) = EXECS.remove(key_of(exec.0)) {
            exec.let_go(|stream| self.stream_is_over(stream));
        }
    }

    fn exec_upload(&self, exec: ExecId, stream: StreamId) -> Result<()> {
        self.check_call()?;
        let exec = self.exec(exec)?;
        let stream = self.stream(stream)?;
        capture::refuse_while_capturing(&stream, "uploading a graph")?;
        capture::refuse_on_legacy(&stream)?;
        exec.upload();
        Ok(())
    }

    fn exec_launch(&self, exec: ExecId, stream: StreamId) -> Result<()> {
        self.check_call()?;
        let exec = self.exec(exec)?;
        let id = stream;
        let stream = self.stream(id)?;
        // Before the launch, so that none goes unnoted.
        exec.note_use(id, |stream| self.stream_is_over(stream));
        if exec.waits_for_values() {
            stream.leave.will_wait();
        }
        // Held until the launch is queued, in the order of its turn.
        let mut locked = (!exec.events().is_empty()).then(|| exec.events().lock());
        if stream.is_legacy {
            let launch = || {
                let events = locked.as_mut().map(Locked::bind);
                Op::Launch { exec: Arc::clone(&exec), turn: exec.take_turn(), count: 1, events }
            };
            return self.submit_to_legacy(&stream, launch);
        }
        let mut queue = stream.lock();
        if let Some(member) = capture::live_member(&mut queue) {
            return Err(member.bar("launching a graph"));
        }
        let events = locked.as_mut().map(Locked::bind);
        stream.submit_launch(queue, &exec, events);
        Ok(())
    }
}

fn forget_kernels(module: &Module) {
    for kernel in module.kernels.values() {
        KERNELS.remove(key_of(kernel.0));
    }
}
