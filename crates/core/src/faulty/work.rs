//! Work that is submitted and launched: what it needs, and who uses what.

use std::collections::BTreeMap;
use std::sync::Weak;

use super::forward::{forward, plain};
use super::memory::noted;
use super::{failure, Faulty, State};
use crate::{Buffer, Context, Kernel, KernelArgument, Module, Stream};
use graphcap_base::error::{Result, Status};
use graphcap_driver::*;

/// Things that a node needs when it is replayed.
#[derive(Clone)]
pub(super) enum Need {
    /// Memory of one of these names, which are of one place.
    Memory(Vec<MemoryId>),
    Code(ModuleId),
    Function(Weak<dyn HostTask>),
    Event(EventId),
    Snapshot(Weak<Vec<u8>>),
}

/// Needs of each node of an exec.
pub(super) type Nodes = BTreeMap<NodeId, Vec<Need>>;

impl State {
    /// Returns what `work` needs when it runs.
    pub(super) fn needs(&self, work: &Work<'_>) -> Vec<Need> {
        let mut needs = Vec::new();
        work.each_address(&mut |address| {
            let there = self.memory.iter().filter(|(_, known)| known.holds(address));
            let names: Vec<_> = there.map(|(&name, _)| name).collect();
            needs.extend((!names.is_empty()).then_some(Need::Memory(names)));
        });
        match work {
            Work::Kernel(launch) => needs.extend(self.kernels.get(&launch.kernel).map(|&module| Need::Code(module))),
            // Weak, to see whether the objects keep it.
            Work::Memcpy { snapshot: Some(bytes), .. } => needs.push(Need::Snapshot(std::sync::Arc::downgrade(bytes))),
            Work::Host(function) => needs.push(Need::Function(std::sync::Arc::downgrade(function))),
            Work::EventRecord(event) | Work::EventWait(event) => needs.push(Need::Event(*event)),
            _ => {}
        }
        needs
    }

    fn check(&mut self, need: &Need) {
        let (alive, what) = match need {
            Need::Memory(names) => (names.iter().any(|name| self.memory.contains_key(name)), "memory"),
            Need::Code(module) => (self.modules.contains(module), "code"),
            Need::Function(function) => (function.strong_count() > 0, "a host function"),
            Need::Event(event) => (self.events.contains(event), "an event"),
            Need::Snapshot(bytes) => (bytes.strong_count() > 0, "a snapshot"),
        };
        if !alive {
            self.violation(format!("a replay needs {what} that is gone"));
        }
    }

    /// Checks that all is there that the nodes need, and notes who uses it.
    pub(super) fn replay(&mut self, nodes: &Nodes, stream: StreamId) {
        for need in nodes.values().flatten() {
            self.check(need);
            match need {
                Need::Memory(names) => {
                    let memory = self.memory.iter_mut().filter(|(name, _)| names.contains(name));
                    memory.for_each(|(_, known)| _ = known.users.insert(stream));
                }
                Need::Event(event) => _ = self.event_users.entry(*event).or_default().insert(stream),
                Need::Code(_) | Need::Function(_) | Need::Snapshot(_) => {}
            }
        }
    }

    /// Work on `stream` uses the memory at `address`.
    pub(super) fn use_memory(&mut self, address: Address, stream: StreamId) {
        let memory = self.memory.values_mut().filter(|known| known.holds(address));
        memory.for_each(|known| _ = known.users.insert(stream));
    }
}

extern "C-unwind" fn nothing(_: *const HostBlock, _: *const *const std::ffi::c_void) -> i32 {
    0
}

impl Faulty {
    /// Loads a module, with the kernels "k" for an address and 4 bytes and "k-any" for anything, and the global "g" of 64 bytes.
    pub(crate) fn load(context: &Context, source: ModuleSource<'_>) -> Module {
        let host_kernels = &[("k", Some(vec![8, 4])), ("k-any", None)].map(|(name, parameter_sizes)| HostKernel {
            name: name.into(),
            function: nothing,
            parameter_sizes,
        });
        let global = Box::leak(Box::new([0_u64; 8])).as_ptr() as Address;
        let host_globals = &[HostGlobal { name: "g".into(), address: global, bytes: 64 }];
        let source = ModuleSource { host_kernels, host_globals, ..source };
        Module::new(context, context.driver().unwrap().module_load(source).unwrap())
    }

    pub(crate) fn is_loaded(&self, module: ModuleId) -> bool {
        self.state().modules.contains(&module)
    }

    pub(crate) fn launch(stream: &Stream, kernel: &Kernel, buffer: &Buffer) {
        let shape = LaunchShape::ONE_THREAD;
        let arguments =
            [KernelArgument::Buffer { buffer, offset: 0, access: Default::default() }, KernelArgument::Value(&[0; 4])];
        stream.submit_kernel(kernel, shape, &arguments, &[]).unwrap();
    }

    pub(crate) fn executed(&self) -> Vec<StreamId> {
        self.state().executed.clone()
    }

    /// The copies of several rows.
    pub(crate) fn copies(&self) -> Vec<MemcpyRows> {
        self.state().copies.clone()
    }

    /// Submits work, and notes it if the stream executes it: what is recorded is no submission.
    pub(super) fn submit_noted(&self, stream: StreamId, work: &Work<'_>) -> Result<()> {
        let submitted = || self.host.stream_submissions(stream).map(|submissions| submissions.submitted());
        let before = submitted();
        self.host.submit(stream, work)?;
        if submitted() != before {
            let state = &mut *self.state();
            work.each_address(&mut |address| state.use_memory(address, stream));
            state.executed.push(stream);
        }
        Ok(())
    }
}

impl Submit for Faulty {
    /// Called by the kind of work: "launch_kernel", "memcpy" and so on.
    fn submit(&self, stream: StreamId, work: &Work<'_>) -> Result<()> {
        let name = match work {
            Work::Kernel(_) => "launch_kernel",
            Work::Memcpy { rows, snapshot: None } if rows.is_plain() => "memcpy",
            Work::Memcpy { .. } => "memcpy_rows",
            Work::Memset(_) => "memset",
            Work::Values(_) => "value_operations",
            Work::Host(_) => "launch_host_function",
            Work::EventRecord(_) => "event_record_node",
            Work::EventWait(_) => "event_wait_node",
            Work::MemFree(_) => "mem_free",
            _ => return failure(Status::INVALID_VALUE),
        };
        self.call(name, || {
            self.submit_noted(stream, work)?;
            if let ("memcpy_rows", Work::Memcpy { rows, .. }) = (name, work) {
                self.state().copies.push(*rows);
            }
            Ok(())
        })
    }
    fn can_launch_node(&self, _: GraphId, _: NodeId) -> Result<bool> {
        Ok(true)
    }
    /// As a GPU does it, by the work of the node.
    fn launch_node(&self, stream: StreamId, graph: GraphId, node: NodeId) -> Result<()> {
        let mut submitted = Ok(());
        self.host.node_work(GraphRef::Known(graph), node, &mut |work| match work {
            Work::Empty => {}
            work => submitted = self.submit(stream, work),
        })?;
        submitted
    }
}

impl Code for Faulty {
    fn module_load(&self, source: ModuleSource<'_>) -> Result<ModuleId> {
        let note = |state: &mut State, module| _ = state.modules.insert(module);
        self.call_noting("module_load", || self.host.module_load(source), note)
    }
    fn module_unload(&self, module: ModuleId, used_by: &[StreamId]) {
        let _ = self.call("module_unload", || {
            self.host.module_unload(module, used_by);
            let state = &mut *self.state();
            if !state.modules.remove(&module) {
                state.violation(format!("{module:?} unloaded twice"));
            }
            Ok(())
        });
    }
    fn module_kernel(&self, module: ModuleId, name: &str) -> Result<KernelId> {
        let note = |state: &mut State, kernel| _ = state.kernels.insert(kernel, module);
        self.call_noting("module_kernel", || self.host.module_kernel(module, name), note)
    }
    fn module_global(&self, module: ModuleId, name: &str, on_release: Box<dyn FnOnce() + Send>) -> Result<Global> {
        let (on_release, is_over) = noted(on_release);
        let note =
            |state: &mut State, global: Global| state.adopted(global.memory, global.address, global.bytes, is_over);
        self.call_noting("module_global", || self.host.module_global(module, name, on_release), note)
    }
    forward! {
        fn kernel_parameters(&self, kernel: KernelId) -> Result<Option<Vec<usize>>>;
        fn check_shape(&self, kernel: KernelId, shape: LaunchShape) -> Result<()>;
    }
}

impl Kernels for Faulty {
    forward! {
        fn kernel_attribute(&self, kernel: KernelId, attribute: u32) -> Result<i32>;
        fn kernel_set_attribute(&self, kernel: KernelId, attribute: u32, value: i32) -> Result<()>;
        fn max_active_blocks(&self, kernel: KernelId, threads: u32, shared_mem_bytes: usize) -> Result<u32>;
        fn suggested_block(&self, kernel: KernelId, shared_mem_bytes: usize, most: u32) -> Result<SuggestedBlock>;
        fn available_shared_memory(&self, kernel: KernelId, blocks: u32, threads: u32) -> Result<usize>;
        fn max_active_clusters(&self, kernel: KernelId, shape: LaunchShape, attributes: &[LaunchAttribute]) -> Result<u32>;
        fn max_cluster_size(&self, kernel: KernelId, shape: LaunchShape, attributes: &[LaunchAttribute]) -> Result<u32>;
    }
    plain! {
        fn kernel_accesses_stated(&self, kernel: KernelId, accesses: Option<std::sync::Arc<[Option<Access>]>>);
        fn kernel_memory_stated(&self, kernel: KernelId, memory: std::sync::Arc<[StatedMemory]>);
    }
}
