//! A driver for the tests of the objects: it executes nothing and writes down everything.
//!
//! It checks what a real device would suffer from: a replay whose memory, code or function is gone, memory given
//! back without waiting for a stream that used it, an id destroyed twice. Calls can be told to fail, and
//! other calls can be made in the middle of them.

mod edits;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use super::{lock, Buffer, Context, Kernel, KernelArgument, Module, Stream};
use crate::driver::*;
use crate::error::{Error, Result, Status};
use crate::rules::{self, CaptureMode};
use crate::thread::{this_thread, ThreadNumber};

type Key = (StreamId, Option<ThreadNumber>);
type Hook = Box<dyn FnOnce() + Send>;
type Function = Weak<dyn Fn() + Send + Sync>;

/// What a node needs when it is replayed.
#[derive(Clone)]
enum Need {
    Memory(Address),
    Code(ModuleId),
    Function(Function),
    Event(EventId),
    Snapshot(Weak<Vec<u8>>),
}

/// A node: the work that it does, and what that needs.
#[derive(Clone)]
struct FakeNode {
    work: FakeWork,
    needs: Vec<Need>,
}

/// What a node does, as it is read back.
#[derive(Clone)]
enum FakeWork {
    Plain(Work<'static>),
    /// `None` where the arguments cannot be told.
    Kernel(KernelId, Option<Vec<Vec<u8>>>),
    /// Weak, to see whether the objects keep it.
    Host(Function),
    Values(Vec<ValueOperation>),
}

impl FakeWork {
    fn of(work: &Work<'_>) -> FakeWork {
        match *work {
            Work::Memset(set) => FakeWork::Plain(Work::Memset(set)),
            Work::Memcpy { rows, .. } => FakeWork::Plain(Work::Memcpy { rows, snapshot: None }),
            Work::EventRecord(event) => FakeWork::Plain(Work::EventRecord(event)),
            Work::EventWait(event) => FakeWork::Plain(Work::EventWait(event)),
            Work::Values(operations) => FakeWork::Values(operations.to_vec()),
            Work::Host(function) => FakeWork::Host(Arc::downgrade(function)),
            Work::Kernel(Launch { kernel, arguments: Arguments::Separate(arguments), .. }) => {
                let bytes = arguments.iter().map(|argument| match argument {
                    Argument::Address(address) => address.to_ne_bytes().to_vec(),
                    Argument::Value(bytes) => bytes.to_vec(),
                });
                FakeWork::Kernel(kernel, Some(bytes.collect()))
            }
            Work::Kernel(Launch { kernel, .. }) => FakeWork::Kernel(kernel, None),
            Work::Empty => FakeWork::Plain(Work::Empty),
            Work::Child(_) | Work::Conditional(_) | Work::MemAlloc(_) | Work::MemFree(_) => {
                FakeWork::Plain(Work::Opaque(work.kind()))
            }
            Work::Opaque(kind) => FakeWork::Plain(Work::Opaque(kind)),
        }
    }

    fn read(&self, read: &mut dyn FnMut(&Work<'_>)) {
        match self {
            FakeWork::Plain(work) => read(work),
            FakeWork::Values(operations) => read(&Work::Values(operations)),
            FakeWork::Host(function) => match function.upgrade() {
                Some(function) => read(&Work::Host(&function)),
                None => read(&Work::Opaque(NodeKind::Host)),
            },
            FakeWork::Kernel(kernel, arguments) => {
                let values: Vec<_> = arguments.iter().flatten().map(|bytes| Argument::Value(bytes)).collect();
                let arguments = arguments.as_ref().map_or(Arguments::Unknown, |_| Arguments::Separate(&values));
                let shape = LaunchShape { grid: [1; 3], block: [1; 3], shared_mem_bytes: 0 };
                read(&Work::Kernel(Launch { kernel: *kernel, name: "", shape, arguments, attributes: &[] }));
            }
        }
    }
}

/// The nodes of a graph by their ids, which are not used twice.
#[derive(Clone, Default)]
struct FakeNodes {
    nodes: BTreeMap<u64, FakeNode>,
    last: u64,
}

impl FakeNodes {
    fn push(&mut self, node: FakeNode) {
        self.last += 1;
        self.nodes.insert(self.last, node);
    }
    fn len(&self) -> usize {
        self.nodes.len()
    }
    fn iter(&self) -> impl Iterator<Item = &FakeNode> {
        self.nodes.values()
    }
}

struct Capture {
    origin: Key,
    mode: CaptureMode,
    began_by: ThreadNumber,
    broken: bool,
    nodes: FakeNodes,
    retained: Vec<Retained>,
    /// The graph that it goes into, if that was there before.
    graph: Option<GraphId>,
}

#[derive(Clone, Default)]
struct Plan {
    nodes: FakeNodes,
    retained: Vec<Retained>,
}

impl Plan {
    /// Of an exec, or of a copy of a graph.
    fn hold_apart(&mut self) {
        self.retained = self.retained.drain(..).map(Retain::to_be_held_apart).collect();
    }
}

#[derive(Default)]
struct State {
    next: u64,
    calls: u64,
    streams: BTreeSet<StreamId>,
    captured: HashMap<Key, u64>,
    captures: HashMap<u64, Capture>,
    events: HashMap<EventId, Option<u64>>,
    memory: BTreeMap<Address, (usize, BTreeSet<StreamId>)>,
    adopted: HashMap<Address, Hook>,
    /// Memory of others.
    foreign: BTreeMap<Address, AddressOrigin>,
    /// The addresses that were asked about.
    asked: Vec<Address>,
    /// How far from the CPU's address the device's is.
    mapped_at: Address,
    released: Vec<(Address, Vec<StreamId>)>,
    modules: BTreeSet<ModuleId>,
    kernels: HashMap<KernelId, ModuleId>,
    graphs: HashMap<GraphId, Plan>,
    /// Graphs that others may use.
    given_out: BTreeSet<GraphId>,
    /// With the streams that each was launched on.
    execs: HashMap<ExecId, (Plan, Users)>,
    /// The streams that launched execs with nodes of an event.
    event_users: HashMap<EventId, BTreeSet<StreamId>>,
    /// Streams that nothing need wait for.
    over: BTreeSet<StreamId>,
    /// What execs that are gone gave to be held.
    snapshots: Vec<Snapshot>,
    executed: Vec<StreamId>,
    retain_calls: usize,
    uploads: usize,
    updates: Vec<Vec<NodeId>>,
    copies: Vec<MemcpyRows>,
    violations: Vec<String>,
}

pub(super) struct FakeDriver {
    info: DeviceInfo,
    shares_streams: bool,
    state: Mutex<State>,
    failures: Mutex<Vec<(&'static str, Status)>>,
    hooks: Mutex<Vec<(&'static str, Hook)>>,
}

fn key(stream: StreamId) -> Key {
    (stream, (stream == StreamId::PER_THREAD).then(this_thread))
}

fn failure<T>(status: Status) -> Result<T> {
    Err(Error::new(status, "the fake driver says so"))
}

/// A call was refused as `INVALID_VALUE`, and the message says `part`.
pub(super) fn rejected(result: Result<()>, part: &str) {
    let error = result.unwrap_err();
    assert_eq!(error.status, Status::INVALID_VALUE, "{error}");
    assert!(error.message.contains(part), "{part}: {error}");
}

/// Of one space, whichever context asks, as unified addressing has it.
fn new_address() -> Address {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed) << 32
}

impl State {
    fn id(&mut self) -> u64 {
        self.next += 1;
        self.next + 100
    }

    fn violation(&mut self, what: String) {
        self.violations.push(what);
    }

    fn needs_memory(&self, address: Address) -> Option<Need> {
        let (&start, &(bytes, _)) = self.memory.range(..=address).next_back()?;
        (address <= start + bytes as u64).then_some(Need::Memory(start))
    }

    fn nodes_of(&self, graph: GraphRef) -> &FakeNodes {
        match graph {
            GraphRef::Known(graph) => &self.graphs[&graph].nodes,
            GraphRef::Captured(stream) => &self.captures[&self.captured[&key(stream)]].nodes,
        }
    }

    /// What `work` needs when it runs.
    fn needs(&self, work: &Work<'_>) -> Vec<Need> {
        let memory = |addresses: &[Address]| addresses.iter().filter_map(|&at| self.needs_memory(at)).collect();
        match work {
            Work::Kernel(launch) => {
                let mut needs = vec![Need::Code(self.kernels[&launch.kernel])];
                if let Arguments::Separate(arguments) = launch.arguments {
                    needs.extend(arguments.iter().filter_map(|argument| match argument {
                        Argument::Address(address) => self.needs_memory(*address),
                        Argument::Value(_) => None,
                    }));
                }
                needs
            }
            Work::Memcpy { rows, snapshot } => {
                let mut needs: Vec<Need> = memory(&[rows.row.destination, rows.row.source]);
                // Weak, to see whether the objects keep it.
                needs.extend(snapshot.map(|bytes| Need::Snapshot(Arc::downgrade(bytes))));
                needs
            }
            Work::Memset(set) => memory(&[set.address]),
            Work::Values(operations) => {
                operations.iter().filter_map(|operation| self.needs_memory(operation.address)).collect()
            }
            // Weak, to see whether the objects keep it.
            Work::Host(function) => vec![Need::Function(Arc::downgrade(function))],
            Work::EventRecord(event) | Work::EventWait(event) => vec![Need::Event(*event)],
            Work::Empty
            | Work::Child(_)
            | Work::Conditional(_)
            | Work::MemAlloc(_)
            | Work::MemFree(_)
            | Work::Opaque(_) => Vec::new(),
        }
    }

    fn end(&mut self, capture: u64) -> Option<Capture> {
        self.captured.retain(|_, &mut of| of != capture);
        self.captures.remove(&capture)
    }

    /// Records on a captured stream, else executes.
    fn submit(&mut self, stream: StreamId, work: FakeWork, needs: Vec<Need>) -> Result<()> {
        if let Some(capture) = self.captured.get(&key(stream)).and_then(|id| self.captures.get_mut(id)) {
            if capture.broken {
                return failure(Status::CAPTURE_INVALIDATED);
            }
            match capture.graph {
                None => capture.nodes.push(FakeNode { work, needs }),
                Some(graph) => match self.graphs.get_mut(&graph) {
                    Some(plan) => plan.nodes.push(FakeNode { work, needs }),
                    None => self.violation(format!("{graph:?} was destroyed and is captured into")),
                },
            }
            return Ok(());
        }
        for need in &needs {
            if let Need::Memory(address) = need {
                if let Some((_, users)) = self.memory.get_mut(address) {
                    users.insert(stream);
                }
            }
        }
        self.executed.push(stream);
        Ok(())
    }

    /// Records what cannot be executed on its own.
    fn submit_captured(&mut self, stream: StreamId, work: FakeWork, needs: Vec<Need>) -> Result<()> {
        match self.captured.contains_key(&key(stream)) {
            true => self.submit(stream, work, needs),
            false => failure(Status::ILLEGAL_STATE),
        }
    }

    fn check(&mut self, plan: &Plan) {
        for node in plan.nodes.iter() {
            for need in &node.needs {
                let (alive, what) = match need {
                    Need::Memory(address) => (self.memory.contains_key(address), "memory"),
                    Need::Code(module) => (self.modules.contains(module), "code"),
                    Need::Function(function) => (function.strong_count() > 0, "a host function"),
                    Need::Event(event) => (self.events.contains_key(event), "an event"),
                    Need::Snapshot(bytes) => (bytes.strong_count() > 0, "a snapshot"),
                };
                if !alive {
                    self.violation(format!("a replay needs {what} that is gone"));
                }
            }
        }
    }
}

impl FakeDriver {
    pub(super) fn context() -> (Arc<FakeDriver>, Context) {
        FakeDriver::context_that(false)
    }

    /// A context whose per-thread stream others can capture too.
    pub(super) fn sharing_context() -> (Arc<FakeDriver>, Context) {
        FakeDriver::context_that(true)
    }

    fn context_that(shares_streams: bool) -> (Arc<FakeDriver>, Context) {
        let driver = Arc::new(FakeDriver {
            shares_streams,
            info: DeviceInfo { kind: DeviceKind::Host, ordinal: 0, name: "fake".into() },
            state: Mutex::default(),
            failures: Mutex::default(),
            hooks: Mutex::default(),
        });
        let context = Context::from_driver(driver.clone());
        (driver, context)
    }

    pub(super) fn load(context: &Context, source: ModuleSource<'_>) -> Module {
        Module::new(context, context.driver().module_load(source).unwrap())
    }

    pub(super) fn launch(stream: &Stream, kernel: &Kernel, buffer: &Buffer) {
        let shape = LaunchShape { grid: [1; 3], block: [1; 3], shared_mem_bytes: 0 };
        let arguments =
            [KernelArgument::Buffer { buffer, offset: 0, access: Default::default() }, KernelArgument::Value(&[0; 4])];
        stream.submit_kernel(kernel, shape, &arguments, &[]).unwrap();
    }

    /// The next call named `call` fails with `status`.
    pub(super) fn fail(&self, call: &'static str, status: Status) {
        lock(&self.failures).push((call, status));
    }

    /// Runs `hook` at `call`: the name of a method, with "after " in front for when it has taken effect.
    pub(super) fn at(&self, call: &'static str, hook: impl FnOnce() + Send + 'static) {
        lock(&self.hooks).push((call, Box::new(hook)));
    }

    /// Breaks all captures, as others do.
    pub(super) fn break_captures(&self) {
        lock(&self.state).captures.values_mut().for_each(|capture| capture.broken = true);
    }

    pub(super) fn live(&self) -> usize {
        let state = lock(&self.state);
        state.streams.len()
            + state.events.len()
            + state.memory.len()
            + state.modules.len()
            + state.graphs.len()
            + state.execs.len()
    }
    pub(super) fn calls(&self) -> u64 {
        lock(&self.state).calls
    }
    pub(super) fn captures(&self) -> usize {
        lock(&self.state).captures.len()
    }
    pub(super) fn graphs(&self) -> usize {
        lock(&self.state).graphs.len()
    }
    /// Others have the graph from here on.
    pub(super) fn give_out(&self, graph: GraphId) {
        lock(&self.state).given_out.insert(graph);
    }
    /// A node calls a kernel from here on that was not found through graphcap.
    pub(super) fn call_foreign_kernel(&self, graph: GraphId, node: NodeId) {
        let mut state = lock(&self.state);
        let node = state.graphs.get_mut(&graph).and_then(|plan| plan.nodes.nodes.get_mut(&node.0)).unwrap();
        node.work = FakeWork::Kernel(KernelId::FOREIGN, Some(Vec::new()));
    }
    /// What a node of a graph does can be told no longer.
    pub(super) fn hide(&self, graph: GraphId, node: NodeId, kind: NodeKind) {
        let mut state = lock(&self.state);
        let node = state.graphs.get_mut(&graph).and_then(|plan| plan.nodes.nodes.get_mut(&node.0)).unwrap();
        node.work = match &node.work {
            FakeWork::Kernel(kernel, _) if kind == NodeKind::Kernel => FakeWork::Kernel(*kernel, None),
            _ => FakeWork::Plain(Work::Opaque(kind)),
        };
    }
    pub(super) fn uploads(&self) -> usize {
        lock(&self.state).uploads
    }
    pub(super) fn updates(&self) -> Vec<Vec<NodeId>> {
        lock(&self.state).updates.clone()
    }
    /// The copies of several rows.
    pub(super) fn copies(&self) -> Vec<MemcpyRows> {
        lock(&self.state).copies.clone()
    }
    pub(super) fn retain_calls(&self) -> usize {
        lock(&self.state).retain_calls
    }
    pub(super) fn executed(&self) -> Vec<StreamId> {
        lock(&self.state).executed.clone()
    }
    /// Others allocate memory, in the place of what is there; gives its number.
    pub(super) fn foreign(&self, base: Address, bytes: usize) -> u64 {
        let mut state = lock(&self.state);
        let id = state.id();
        state.foreign.insert(base, AddressOrigin { base, bytes, id });
        id
    }
    pub(super) fn free_foreign(&self, base: Address) {
        lock(&self.state).foreign.remove(&base);
    }
    /// The addresses that were asked about since this was called last.
    pub(super) fn asked(&self) -> Vec<Address> {
        std::mem::take(&mut lock(&self.state).asked)
    }
    /// Host memory has device addresses of its own from here on, so far behind the CPU's.
    pub(super) fn map_elsewhere(&self, distance: Address) {
        lock(&self.state).mapped_at = distance;
    }
    /// All work of a stream that was destroyed is known to be complete.
    pub(super) fn is_over(&self, stream: StreamId) {
        lock(&self.state).over.insert(stream);
    }
    pub(super) fn released(&self) -> Vec<(Address, Vec<StreamId>)> {
        lock(&self.state).released.clone()
    }
    pub(super) fn violations(&self) -> Vec<String> {
        lock(&self.state).violations.clone()
    }
    pub(super) fn is_allocated(&self, address: Address) -> bool {
        lock(&self.state).memory.contains_key(&address)
    }
    pub(super) fn is_loaded(&self, module: ModuleId) -> bool {
        lock(&self.state).modules.contains(&module)
    }

    fn run_hook(&self, call: &str, after: bool) {
        let hook = {
            let mut hooks = lock(&self.hooks);
            let named = |name: &str| match name.strip_prefix("after ") {
                Some(name) => after && name == call,
                None => !after && name == call,
            };
            hooks.iter().position(|(name, _)| named(name)).map(|at| hooks.remove(at).1)
        };
        if let Some(hook) = hook {
            hook();
        }
    }

    fn call<T>(&self, name: &'static str, effect: impl FnOnce(&mut State) -> Result<T>) -> Result<T> {
        self.run_hook(name, false);
        lock(&self.state).calls += 1;
        let told = {
            let mut failures = lock(&self.failures);
            failures.iter().position(|(call, _)| *call == name).map(|at| failures.remove(at).1)
        };
        let result = match told {
            Some(status) => failure(status),
            None => effect(&mut lock(&self.state)),
        };
        self.run_hook(name, true);
        result
    }
}

impl Driver for FakeDriver {
    fn device(&self) -> &DeviceInfo {
        &self.info
    }
    fn synchronize(&self) -> Result<()> {
        self.call("synchronize", |_| Ok(()))
    }
    fn synchronize_for(&self, limit: Duration) -> Result<bool> {
        self.call("synchronize_for", |_| Ok(!limit.is_zero()))
    }
    fn collect(&self) -> Result<()> {
        self.call("collect", |_| Ok(()))
    }
}

impl Streams for FakeDriver {
    fn stream_create(&self, _: StreamOptions) -> Result<StreamId> {
        self.call("stream_create", |state| {
            let id = StreamId(state.id());
            state.streams.insert(id);
            Ok(id)
        })
    }
    fn stream_destroy(&self, stream: StreamId) {
        let _ = self.call("stream_destroy", |state| {
            if stream == StreamId::PER_THREAD {
                let begun = state.captures.iter().filter(|(_, capture)| capture.origin.0 == stream);
                let begun: Vec<u64> = begun.map(|(&id, _)| id).collect();
                begun.into_iter().for_each(|id| drop(state.end(id)));
                return Ok(());
            }
            if !state.streams.remove(&stream) {
                state.violation(format!("{stream:?} destroyed twice"));
            }
            if let Some(capture) = state.captured.remove(&key(stream)) {
                if state.captures.get(&capture).is_some_and(|capture| capture.origin == key(stream)) {
                    state.end(capture);
                }
            }
            Ok(())
        });
    }
    fn stream_is_over(&self, stream: StreamId) -> bool {
        lock(&self.state).over.contains(&stream)
    }
    fn stream_synchronize(&self, _: StreamId) -> Result<()> {
        self.call("stream_synchronize", |_| Ok(()))
    }
    fn stream_synchronize_for(&self, _: StreamId, limit: Duration) -> Result<bool> {
        self.call("stream_synchronize_for", |_| Ok(!limit.is_zero()))
    }
    fn stream_is_complete(&self, _: StreamId) -> Result<bool> {
        self.call("stream_is_complete", |_| Ok(true))
    }
    fn finish_legacy(&self) -> Result<()> {
        self.call("finish_legacy", |_| Ok(()))
    }
}

impl Events for FakeDriver {
    fn stream_wait_event(&self, stream: StreamId, event: EventId) -> Result<()> {
        self.call("stream_wait_event", |state| {
            let Some(Some(theirs)) = state.events.get(&event).copied() else { return Ok(()) };
            match (state.captures.get(&theirs).map(|capture| capture.broken), state.captured.get(&key(stream))) {
                (None | Some(true), _) => failure(Status::INVALID_VALUE),
                (_, Some(&own)) if own != theirs => {
                    for id in [own, theirs] {
                        state.captures.get_mut(&id).unwrap().broken = true;
                    }
                    failure(Status::CAPTURE_MERGE)
                }
                _ => {
                    state.captured.insert(key(stream), theirs);
                    Ok(())
                }
            }
        })
    }
    fn event_create(&self, _: EventOptions) -> Result<EventId> {
        self.call("event_create", |state| {
            let id = EventId(state.id());
            state.events.insert(id, None);
            Ok(id)
        })
    }
    fn event_destroy(&self, event: EventId, used_by: &[StreamId]) {
        let _ = self.call("event_destroy", |state| {
            if state.events.remove(&event).is_none() {
                state.violation(format!("{event:?} destroyed twice"));
            }
            let users = state.event_users.remove(&event).unwrap_or_default();
            if let Some(missed) = users.iter().find(|user| !used_by.contains(user)) {
                state.violation(format!("{event:?} destroyed without waiting for {missed:?}"));
            }
            Ok(())
        });
    }
    fn event_record(&self, event: EventId, stream: StreamId) -> Result<()> {
        self.call("event_record", |state| {
            let capture = state.captured.get(&key(stream)).copied();
            state.events.insert(event, capture);
            Ok(())
        })
    }
    fn event_is_complete(&self, _: EventId) -> Result<bool> {
        self.call("event_is_complete", |_| Ok(true))
    }
    fn event_synchronize(&self, _: EventId) -> Result<()> {
        self.call("event_synchronize", |_| Ok(()))
    }
    fn event_synchronize_for(&self, _: EventId, limit: Duration, ask: &dyn Fn(&mut dyn FnMut())) -> Result<bool> {
        let mut asked = false;
        self.call("event_synchronize_for", |_| {
            ask(&mut || asked = true);
            Ok(asked && !limit.is_zero())
        })
    }
    fn event_elapsed_ms(&self, _: EventId, _: EventId) -> Result<f32> {
        self.call("event_elapsed_ms", |_| Ok(1.5))
    }
    fn event_ipc_handle(&self, _: EventId) -> Result<IpcHandle> {
        failure(Status::NOT_SUPPORTED)
    }
    fn event_open_ipc(&self, _: &IpcHandle) -> Result<EventId> {
        failure(Status::NOT_SUPPORTED)
    }
}

impl Memory for FakeDriver {
    fn allocate(&self, bytes: usize, _: MemoryKind) -> Result<(MemoryId, Address)> {
        self.call("allocate", |state| {
            let address = new_address();
            state.memory.insert(address, (bytes, BTreeSet::new()));
            Ok((MemoryId(address), address))
        })
    }
    fn adopt(&self, address: Address, bytes: usize, on_release: Hook) -> Result<MemoryId> {
        self.call("adopt", |state| {
            state.memory.insert(address, (bytes, BTreeSet::new()));
            state.adopted.insert(address, on_release);
            Ok(MemoryId(address))
        })
    }
    fn lend(&self, _: u32) -> Result<()> {
        self.call("lend", |_| Ok(()))
    }
    fn borrow(&self, on_release: Hook) -> Result<MemoryId> {
        self.call("borrow", |state| {
            let address = new_address();
            state.memory.insert(address, (0, BTreeSet::new()));
            state.adopted.insert(address, on_release);
            Ok(MemoryId(address))
        })
    }
    fn entrust(&self, on_release: Hook) -> Result<MemoryId> {
        self.borrow(on_release)
    }
    fn release(&self, MemoryId(address): MemoryId, used_by: &[StreamId]) {
        let on_release = self.call("release", |state| {
            match state.memory.remove(&address) {
                Some((_, users)) => {
                    if let Some(missed) = users.difference(&state.over).find(|user| !used_by.contains(user)) {
                        state.violation(format!("memory released without waiting for {missed:?}"));
                    }
                }
                None => state.violation(format!("memory at {address:#x} released twice")),
            }
            state.released.push((address, used_by.to_vec()));
            Ok(state.adopted.remove(&address))
        });
        if let Ok(Some(on_release)) = on_release {
            on_release();
        }
    }
    fn address_origin(&self, address: Address) -> Result<Option<AddressOrigin>> {
        self.call("address_origin", |state| {
            state.asked.push(address);
            let own = state.memory.range(..=address).next_back();
            let own = own.map(|(&base, &(bytes, _))| AddressOrigin { base, bytes, id: base });
            let foreign = state.foreign.range(..=address).next_back().map(|(_, origin)| *origin);
            Ok([own, foreign].into_iter().flatten().find(|origin| origin.holds(address)))
        })
    }
    fn host_allocate(&self, bytes: usize, options: HostMemoryOptions) -> Result<HostMemory> {
        self.call("host_allocate", |state| {
            let address = new_address();
            state.memory.insert(address, (bytes, BTreeSet::new()));
            let mapped = options.mapped.then_some(address + state.mapped_at);
            Ok(HostMemory { memory: MemoryId(address), address, mapped })
        })
    }
    fn host_register(
        &self,
        address: Address,
        bytes: usize,
        options: HostMemoryOptions,
        on_release: Hook,
    ) -> Result<HostMemory> {
        self.call("host_register", |state| {
            state.memory.insert(address, (bytes, BTreeSet::new()));
            state.adopted.insert(address, on_release);
            Ok(HostMemory { memory: MemoryId(address), address, mapped: options.mapped.then_some(address) })
        })
    }
}

impl Code for FakeDriver {
    fn module_load(&self, _: ModuleSource<'_>) -> Result<ModuleId> {
        self.call("module_load", |state| {
            let id = ModuleId(state.id());
            state.modules.insert(id);
            Ok(id)
        })
    }
    fn module_unload(&self, module: ModuleId) {
        let _ = self.call("module_unload", |state| {
            if !state.modules.remove(&module) {
                state.violation(format!("{module:?} unloaded twice"));
            }
            Ok(())
        });
    }
    fn module_kernel(&self, module: ModuleId, name: &str) -> Result<KernelId> {
        self.call("module_kernel", |state| {
            // A name that starts with k is known; the sizes of "k" itself are stated.
            if !name.starts_with('k') {
                return failure(Status::NOT_FOUND);
            }
            let id = KernelId(state.id() << 1 | u64::from(name != "k"));
            state.kernels.insert(id, module);
            Ok(id)
        })
    }
    fn kernel_parameters(&self, kernel: KernelId) -> Result<Option<Vec<usize>>> {
        self.call("kernel_parameters", |_| Ok((kernel.0 & 1 == 0).then(|| vec![8, 4])))
    }
    fn check_shape(&self, _: KernelId, shape: LaunchShape) -> Result<()> {
        self.call("check_shape", |_| match shape.grid.contains(&0) {
            true => failure(Status::INVALID_VALUE),
            false => Ok(()),
        })
    }
}

impl Captures for FakeDriver {
    fn begin_capture(&self, stream: StreamId, mode: CaptureMode) -> Result<u64> {
        self.call("begin_capture", |state| {
            if state.captured.contains_key(&key(stream)) {
                return failure(Status::ILLEGAL_STATE);
            }
            let id = state.id();
            state.captured.insert(key(stream), id);
            let began_by = this_thread();
            state.captures.insert(
                id,
                Capture {
                    origin: key(stream),
                    mode,
                    began_by,
                    broken: false,
                    nodes: FakeNodes::default(),
                    retained: vec![],
                    graph: None,
                },
            );
            Ok(id)
        })
    }
    fn begin_capture_to_graph(
        &self,
        stream: StreamId,
        graph: GraphId,
        dependencies: &[NodeId],
        mode: CaptureMode,
    ) -> Result<u64> {
        // No graph has nodes here that could be named.
        if !dependencies.is_empty() {
            return failure(Status::INVALID_VALUE);
        }
        self.call("begin_capture_to_graph", |_| Ok(()))?;
        let id = self.begin_capture(stream, mode)?;
        lock(&self.state).captures.get_mut(&id).unwrap().graph = Some(graph);
        Ok(id)
    }
    fn end_capture(&self, stream: StreamId) -> Result<GraphId> {
        self.call("end_capture", |state| {
            let Some(&id) = state.captured.get(&key(stream)) else { return failure(Status::ILLEGAL_STATE) };
            let capture = state.captures.get_mut(&id).unwrap();
            if capture.origin != key(stream) {
                capture.broken = true;
                return failure(Status::CAPTURE_UNMATCHED);
            }
            let permitted = rules::may_end(capture.mode, capture.began_by, this_thread());
            let capture = state.end(id).unwrap();
            if !permitted {
                return failure(Status::CAPTURE_WRONG_THREAD);
            }
            if capture.broken {
                return failure(Status::CAPTURE_INVALIDATED);
            }
            if let Some(graph) = capture.graph {
                return Ok(graph);
            }
            let graph = GraphId(state.id());
            state.graphs.insert(graph, Plan { nodes: capture.nodes, retained: capture.retained });
            Ok(graph)
        })
    }
    fn capture_info(&self, stream: StreamId) -> Result<CaptureInfo> {
        self.call("capture_info", |state| {
            let id = state.captured.get(&key(stream)).copied().unwrap_or(0);
            let status = match state.captures.get(&id) {
                None => CaptureStatus::None,
                Some(capture) if capture.broken => CaptureStatus::Invalidated,
                Some(_) => CaptureStatus::Active,
            };
            Ok(CaptureInfo { status, id })
        })
    }
    fn capture_progress(&self, stream: StreamId) -> Result<(CaptureInfo, Option<CaptureProgress>)> {
        let info = self.capture_info(stream)?;
        self.call("capture_progress", |state| {
            let progress = state.captures.get(&info.id).filter(|capture| !capture.broken).map(|capture| {
                let nodes = capture.graph.map_or(capture.nodes.len(), |graph| state.graphs[&graph].nodes.len());
                CaptureProgress { nodes, ..CaptureProgress::default() }
            });
            Ok((info, progress))
        })
    }
    fn update_capture_dependencies(&self, _: StreamId, nodes: &[NodeId], _: DependencyUpdate) -> Result<()> {
        self.call("update_capture_dependencies", |state| {
            state.updates.push(nodes.to_vec());
            Ok(())
        })
    }
    fn capture_retain(&self, stream: StreamId, retained: Retained) -> Result<()> {
        self.call("capture_retain", |state| {
            let id = state.captured.get(&key(stream)).copied();
            match id.and_then(|id| state.captures.get_mut(&id)) {
                Some(Capture { graph: Some(graph), .. }) => {
                    state.graphs.get_mut(graph).unwrap().retained.push(retained);
                }
                Some(capture) => capture.retained.push(retained),
                None => return failure(Status::ILLEGAL_STATE),
            }
            Ok(())
        })
    }
}

impl Graphs for FakeDriver {
    fn graph_create(&self) -> Result<GraphId> {
        self.call("graph_create", |state| {
            let graph = GraphId(state.id());
            state.graphs.insert(graph, Plan::default());
            Ok(graph)
        })
    }
    fn graph_retain(&self, graph: GraphId, retained: Retained) -> Result<()> {
        self.call("graph_retain", |state| {
            state.retain_calls += 1;
            state.graphs.get_mut(&graph).unwrap().retained.push(retained);
            Ok(())
        })
    }
    fn graph_retained(&self, graph: GraphId) -> Result<Vec<Retained>> {
        self.call("graph_retained", |state| {
            Ok(if state.given_out.contains(&graph) { Vec::new() } else { state.graphs[&graph].retained.clone() })
        })
    }
    fn graph_exchange_retained(&self, graph: GraphId, old: &Retained, new: Retained) -> Result<Retained> {
        self.call("graph_exchange_retained", |state| {
            let is_given_out = state.given_out.contains(&graph);
            let mut kept = state.graphs.get_mut(&graph).unwrap().retained.iter_mut();
            let found = kept.find(|kept| !is_given_out && std::ptr::addr_eq(Arc::as_ptr(kept), Arc::as_ptr(old)));
            Ok(match found {
                Some(kept) => std::mem::replace(kept, new),
                None => new,
            })
        })
    }
    fn graph_destroy(&self, graph: GraphId) {
        let destroyed = self.call("graph_destroy", |state| {
            let found = state.graphs.remove(&graph);
            if found.is_none() {
                state.violation(format!("{graph:?} destroyed twice"));
            }
            Ok(found)
        });
        drop(destroyed);
    }
    fn graph_node_count(&self, graph: GraphId) -> Result<usize> {
        self.call("graph_node_count", |state| Ok(state.graphs[&graph].nodes.len()))
    }
    fn graph_edge_count(&self, graph: GraphId) -> Result<usize> {
        self.call("graph_edge_count", |state| Ok(state.graphs[&graph].nodes.len().saturating_sub(1)))
    }
    fn graph_nodes(&self, graph: GraphRef) -> Result<GraphNodes> {
        self.call("graph_nodes", |state| {
            let nodes: Vec<NodeId> = state.nodes_of(graph).nodes.keys().copied().map(NodeId).collect();
            // A chain.
            let edges = nodes.windows(2).map(|pair| (pair[0], pair[1])).collect();
            Ok(GraphNodes { nodes, edges })
        })
    }
    fn node_work(&self, graph: GraphRef, node: NodeId, read: &mut dyn FnMut(&Work<'_>)) -> Result<()> {
        self.call("node_work", |state| {
            let Some(node) = state.nodes_of(graph).nodes.get(&node.0) else {
                return failure(Status::INVALID_VALUE);
            };
            // With the lock, as a device may do it: a call from within would not return.
            node.work.read(read);
            Ok(())
        })
    }
}

impl Foreign for FakeDriver {
    fn shares_streams(&self) -> bool {
        self.shares_streams
    }
    fn native(&self, object: Object) -> Result<usize> {
        self.call("native", |_| match object {
            Object::Stream(stream) => Ok(stream.0 as usize),
            Object::Event(event) => Ok(event.0 as usize),
            _ => failure(Status::NOT_SUPPORTED),
        })
    }
    fn stream_wrap(&self, native: usize) -> Result<StreamId> {
        self.call("stream_wrap", |state| {
            let id = StreamId(native as u64);
            state.streams.insert(id);
            Ok(id)
        })
    }
}

impl Attributes for FakeDriver {
    fn stream_priority_range(&self) -> Result<(i32, i32)> {
        self.call("stream_priority_range", |_| Ok((0, -5)))
    }
    fn stream_is_non_blocking(&self, _: StreamId) -> Result<bool> {
        self.call("stream_is_non_blocking", |_| Ok(true))
    }
    fn stream_priority(&self, _: StreamId) -> Result<i32> {
        self.call("stream_priority", |_| Ok(0))
    }
    fn stream_attribute(&self, _: StreamId, _: u32) -> Result<AttributeValue> {
        self.call("stream_attribute", |_| Ok([0; 64]))
    }
    fn stream_set_attribute(&self, _: StreamId, _: u32, _: &AttributeValue) -> Result<()> {
        self.call("stream_set_attribute", |_| Ok(()))
    }
    fn stream_copy_attributes(&self, _: StreamId, _: StreamId) -> Result<()> {
        self.call("stream_copy_attributes", |_| Ok(()))
    }
    // Memory is named by its address here, which is never used twice.
    fn stream_attach(&self, stream: StreamId, address: Address, _: Attach) -> Result<()> {
        self.call("stream_attach", |state| {
            if let Some((_, users)) = state.memory.get_mut(&address) {
                users.insert(stream);
            }
            Ok(())
        })
    }
}

impl Submit for FakeDriver {
    /// Called by the kind of work: "launch_kernel", "memcpy" and so on.
    fn submit(&self, stream: StreamId, work: &Work<'_>) -> Result<()> {
        let name = match work {
            Work::Kernel(_) => "launch_kernel",
            Work::Memcpy { rows, snapshot: None } if rows.is_one() => "memcpy",
            Work::Memcpy { .. } => "memcpy_rows",
            Work::Memset(_) => "memset",
            Work::Values(_) => "value_operations",
            Work::Host(_) => "launch_host_function",
            Work::EventRecord(_) => "event_record_node",
            Work::EventWait(_) => "event_wait_node",
            _ => return failure(Status::INVALID_VALUE),
        };
        self.call(name, |state| {
            let needs = state.needs(work);
            if let ("memcpy_rows", Work::Memcpy { rows, .. }) = (name, work) {
                state.copies.push(*rows);
            }
            let node = FakeWork::of(work);
            match work {
                Work::EventRecord(_) | Work::EventWait(_) => state.submit_captured(stream, node, needs),
                _ => state.submit(stream, node, needs),
            }
        })
    }
}

impl Execs for FakeDriver {
    fn graph_instantiate(&self, graph: GraphId) -> Result<(ExecId, usize)> {
        self.call("graph_instantiate", |state| {
            let id = ExecId(state.id());
            let mut plan = state.graphs[&graph].clone();
            plan.hold_apart();
            let nodes = plan.nodes.len();
            state.execs.insert(id, (plan, Users::new()));
            Ok((id, nodes))
        })
    }
    fn exec_destroy(&self, exec: ExecId) {
        let destroyed = self.call("exec_destroy", |state| {
            let found = state.execs.remove(&exec);
            if found.is_none() {
                state.violation(format!("{exec:?} destroyed twice"));
            }
            Ok(found)
        });
        // As a driver that is told of users, instead of holding what launches in flight need.
        if let Ok(Some((plan, users))) = destroyed {
            for retained in plan.retained.iter().filter(|_| !users.is_empty()) {
                let snapshots = retained.used_by(&users, &|_| false);
                lock(&self.state).snapshots.extend(snapshots);
            }
        }
    }
    fn exec_upload(&self, _: ExecId, _: StreamId) -> Result<()> {
        self.call("exec_upload", |state| {
            state.uploads += 1;
            Ok(())
        })
    }
    fn exec_launch(&self, exec: ExecId, stream: StreamId) -> Result<()> {
        self.call("exec_launch", |state| {
            let (plan, users) = state.execs.get_mut(&exec).unwrap();
            users.add(stream);
            let plan = plan.clone();
            state.check(&plan);
            for need in plan.nodes.iter().flat_map(|node| &node.needs) {
                match need {
                    Need::Memory(address) => drop(state.memory.get_mut(address).map(|(_, users)| users.insert(stream))),
                    Need::Event(event) => drop(state.event_users.entry(*event).or_default().insert(stream)),
                    Need::Code(_) | Need::Function(_) | Need::Snapshot(_) => {}
                }
            }
            Ok(())
        })
    }
}
