//! Tests of the host device through [`Driver`], grouped by what they are about.

mod allocations;
mod attributes;
mod building;
mod captures;
mod children;
mod conditionals;
mod definitions;
mod edits;
mod exec_edits;
mod failures;
mod loops;
mod notes;
mod races;
mod random_graphs;
mod replays;
mod streams;

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;

use super::context::HostContext;
use super::graph::Action;
use graphcap_base::error::Result;
use graphcap_base::lock::{lock, rank, Mutex, RwLock, RwLockReadGuard, RwLockWriteGuard};
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::*;

/// A context with one module of the kernels below.
struct Bench {
    driver: Arc<dyn Driver>,
    /// The context of `driver`, for what is not a part of the trait.
    host: Arc<HostContext>,
    append: KernelId,
    spin: KernelId,
    fail: KernelId,
    count_blocks: KernelId,
    panic: KernelId,
    stay: KernelId,
    _company: Company,
}

/// Work of each kind, submitted without a name for it.
trait SubmitWork: Submit {
    fn memcpy(&self, stream: StreamId, copy: Memcpy) -> Result<()> {
        self.submit(stream, &Work::Memcpy { rows: MemcpyRows::one(copy), snapshot: None })
    }
    fn memset(&self, stream: StreamId, set: Memset) -> Result<()> {
        self.submit(stream, &Work::Memset(set))
    }
    fn value_operation(&self, stream: StreamId, operation: ValueOperation) -> Result<()> {
        self.value_batch(stream, &[operation])
    }
    fn value_batch(&self, stream: StreamId, operations: &[ValueOperation]) -> Result<()> {
        self.submit(stream, &Work::Values(operations))
    }
    fn launch_kernel(
        &self,
        stream: StreamId,
        kernel: KernelId,
        shape: LaunchShape,
        given: &[Argument<'_>],
    ) -> Result<()> {
        let arguments = Arguments::Separate(given);
        self.submit(stream, &Work::Kernel(Launch { kernel, name: "", shape, arguments, attributes: &[], stated: None }))
    }
    fn launch_host_function(&self, stream: StreamId, function: HostFunction) -> Result<()> {
        self.submit(stream, &Work::Host(&function))
    }
}

impl SubmitWork for dyn Driver + '_ {}

/// Captures in the global mode bar calls of other tests, which run in the same process: those that make
/// some take the place for themselves.
enum Company {
    #[allow(dead_code, reason = "held to be dropped")]
    Shared(RwLockReadGuard<'static, ()>),
    #[allow(dead_code, reason = "held to be dropped")]
    Alone(RwLockWriteGuard<'static, ()>),
    /// Beside another bench of the same test.
    Beside,
}

static COMPANY: RwLock<(), rank::Alone> = RwLock::new(());

/// Something to be kept, which notes what streams it is told.
#[derive(Default)]
struct Told(Mutex<Vec<StreamId>, rank::Told>);

impl Retain for Told {
    fn calls_out(&self) -> bool {
        false
    }

    fn used_by(&self, streams: &[StreamId], _: &dyn Fn(StreamId) -> bool) -> Vec<Snapshot> {
        lock(&self.0).extend(streams);
        Vec::new()
    }

    fn to_be_held_apart(self: Arc<Self>) -> Retained {
        self
    }
}

/// Arguments of the kernel `append`: where it writes the clock's next tick.
#[derive(Default)]
struct Mark {
    tick: AtomicU64,
    runs: AtomicU64,
}

/// Counts on with each mark, so that marks tell the order in which they were made.
static CLOCK: AtomicU64 = AtomicU64::new(1);

impl Mark {
    fn make(&self) {
        self.tick.store(CLOCK.fetch_add(1, Ordering::SeqCst), Ordering::SeqCst);
        self.runs.fetch_add(1, Ordering::SeqCst);
    }
    fn tick(&self) -> u64 {
        self.tick.load(Ordering::SeqCst)
    }
    fn runs(&self) -> u64 {
        self.runs.load(Ordering::SeqCst)
    }
    /// The mark as a kernel argument. It must outlive the launch.
    fn argument(&self) -> [u8; 8] {
        (std::ptr::from_ref(self) as usize).to_ne_bytes()
    }
}

unsafe extern "C-unwind" fn append(_: *const HostBlock, arguments: *const *const c_void) -> i32 {
    // SAFETY: launched with one argument, a pointer to a Mark that outlives the launch.
    unsafe { &**(*arguments).cast::<*const Mark>() }.make();
    0
}

unsafe extern "C-unwind" fn spin(_: *const HostBlock, arguments: *const *const c_void) -> i32 {
    // SAFETY: launched with a pointer to a Mark that outlives the launch, and with nanoseconds.
    let (mark, ns) = unsafe { (&**(*arguments).cast::<*const Mark>(), *(*arguments.add(1)).cast::<u64>()) };
    let since = std::time::Instant::now();
    mark.make();
    while (since.elapsed().as_nanos() as u64) < ns {
        std::hint::spin_loop();
    }
    0
}

unsafe extern "C-unwind" fn stay(_: *const HostBlock, arguments: *const *const c_void) -> i32 {
    // SAFETY: launched with pointers to a Mark and to a flag that outlive the launch.
    let (mark, leave) =
        unsafe { (&**(*arguments).cast::<*const Mark>(), &**(*arguments.add(1)).cast::<*const AtomicBool>()) };
    mark.make();
    while !leave.load(Ordering::SeqCst) {
        std::thread::yield_now();
    }
    0
}

unsafe extern "C-unwind" fn fail(_: *const HostBlock, _: *const *const c_void) -> i32 {
    7
}

unsafe extern "C-unwind" fn count_blocks(block: *const HostBlock, arguments: *const *const c_void) -> i32 {
    // SAFETY: launched with a pointer to as many counters as there are blocks, which outlive the launch.
    let (block, counters) = unsafe { (&*block, *(*arguments).cast::<*const AtomicU64>()) };
    let [x, y, z] = block.block_index.map(|index| index as usize);
    let [width, height, _] = block.grid_dim.map(|dim| dim as usize);
    // SAFETY: the index is below the number of blocks.
    unsafe { &*counters.add(x + width * (y + height * z)) }.fetch_add(1, Ordering::SeqCst);
    if block.shared_mem_bytes > 0 {
        assert_eq!(block.shared_mem as usize % 64, 0);
        // SAFETY: shared memory of this size is this block's own.
        unsafe { std::slice::from_raw_parts_mut(block.shared_mem.cast::<u8>(), block.shared_mem_bytes as usize) }
            .fill(x as u8);
    }
    0
}

/// Panics in its last block, after the others have taken long enough to be shared among lanes.
unsafe extern "C-unwind" fn panic(block: *const HostBlock, _: *const *const c_void) -> i32 {
    // SAFETY: a kernel is given its block.
    let block = unsafe { &*block };
    std::thread::sleep(std::time::Duration::from_micros(50));
    if block.block_index[0] + 1 == block.grid_dim[0] {
        std::panic::resume_unwind(Box::new("test"));
    }
    0
}

impl Bench {
    /// The nodes of a graph in their order, and the edges by places in it.
    fn shape_of(&self, graph: GraphId) -> (Vec<NodeId>, Vec<(usize, usize)>) {
        let GraphNodes { nodes, edges, .. } = self.driver.graph_nodes(GraphRef::Known(graph)).unwrap();
        let place = |node| nodes.iter().position(|&other| other == node).unwrap();
        let mut edges: Vec<_> = edges.iter().map(|&(from, to)| (place(from), place(to))).collect();
        edges.sort_unstable();
        (nodes, edges)
    }

    /// Makes a node of an exec do something else.
    fn set_in_exec(&self, exec: ExecId, node: NodeId, action: Action) -> Result<()> {
        self.host.set_in_exec(exec, &mut [(node, action)]).1
    }

    fn new() -> Bench {
        Bench::with(Company::Shared(COMPANY.read()), 0)
    }

    fn alone() -> Bench {
        Bench::with(Company::Alone(COMPANY.write()), 0)
    }

    /// Another context for a test that has one.
    fn beside(&self) -> Bench {
        Bench::with(Company::Beside, 0)
    }

    /// A context on another device for a test that has one.
    fn on_other_device(&self) -> Bench {
        Bench::with(Company::Beside, 1)
    }

    fn with(company: Company, ordinal: u32) -> Bench {
        // Of as many devices as tests need, whatever the environment says.
        let info = DeviceInfo { kind: DeviceKind::Host, ordinal, name: "host".into() };
        let host = Arc::new(HostContext::on(info).unwrap());
        let driver: Arc<dyn Driver> = host.clone();
        let kernel = |name: &str, function| HostKernel { name: name.into(), function, parameter_sizes: None };
        let kernels = [
            kernel("append", append as HostKernelFunction),
            kernel("spin", spin),
            kernel("fail", fail),
            kernel("count_blocks", count_blocks),
            kernel("panic", panic),
            kernel("stay", stay),
        ];
        let module = driver.module_load(ModuleSource { host_kernels: &kernels, ..ModuleSource::default() }).unwrap();
        let find = |name| driver.module_kernel(module, name).unwrap();
        let (append, spin, fail, count_blocks) = (find("append"), find("spin"), find("fail"), find("count_blocks"));
        let (panic, stay) = (find("panic"), find("stay"));
        Bench { driver, host, append, spin, fail, count_blocks, panic, stay, _company: company }
    }

    fn stream(&self) -> StreamId {
        self.driver.stream_create(StreamOptions { non_blocking: true, priority: 0 }).unwrap()
    }

    fn blocking_stream(&self) -> StreamId {
        self.driver.stream_create(StreamOptions::default()).unwrap()
    }

    fn event(&self) -> EventId {
        self.driver.event_create(EventOptions::default()).unwrap()
    }

    fn mark(&self, stream: StreamId, mark: &Mark) -> graphcap_base::Result<()> {
        self.driver.launch_kernel(stream, self.append, ONE, &[Argument::Value(&mark.argument())])
    }

    fn spin(&self, stream: StreamId, mark: &Mark, ns: u64) {
        let arguments = [mark.argument(), ns.to_ne_bytes()];
        self.driver
            .launch_kernel(stream, self.spin, ONE, &[Argument::Value(&arguments[0]), Argument::Value(&arguments[1])])
            .unwrap();
    }

    /// Keeps the lane that runs the stream until `leave` is set.
    fn stay(&self, stream: StreamId, mark: &Mark, leave: &AtomicBool) {
        let leave = (std::ptr::from_ref(leave) as usize).to_ne_bytes();
        let mark = mark.argument();
        let arguments = [Argument::Value(&mark), Argument::Value(&leave)];
        self.driver.launch_kernel(stream, self.stay, ONE, &arguments).unwrap();
    }

    /// Holds the stream until the gate opens.
    fn hold(&self, stream: StreamId) -> Gate {
        let gate = Gate(Arc::new(AtomicBool::new(false)));
        let open = Arc::clone(&gate.0);
        let wait = move || {
            while !open.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
        };
        self.driver.launch_host_function(stream, Arc::new(wait)).unwrap();
        gate
    }

    /// Makes `to` wait for what `from` has been given so far.
    fn order(&self, from: StreamId, to: StreamId) {
        let event = self.event();
        self.driver.event_record(event, from).unwrap();
        self.driver.stream_wait_event(to, event).unwrap();
        self.driver.event_destroy(event, &[]);
    }

    fn begin(&self, stream: StreamId) {
        self.driver.begin_capture(stream, CaptureMode::Relaxed).unwrap();
    }

    fn end(&self, stream: StreamId) -> ExecId {
        let graph = self.driver.end_capture(stream).unwrap();
        let exec = self.driver.graph_instantiate(graph).unwrap().0;
        self.driver.graph_destroy(graph);
        exec
    }

    fn finish(&self, stream: StreamId) {
        self.driver.stream_synchronize(stream).unwrap();
    }
}

/// Opens when dropped.
struct Gate(Arc<AtomicBool>);

impl Drop for Gate {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

const ONE: LaunchShape = LaunchShape::ONE_THREAD;

/// A small generator of reproducible numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }
}

/// Rounds of a random test: a fiftieth unless `GRAPHCAP_SOAK` is set.
fn rounds(whole: usize) -> usize {
    if std::env::var_os("GRAPHCAP_SOAK").is_some() {
        whole
    } else {
        whole.div_ceil(50)
    }
}
