//! Tests of the CUDA device through [`Driver`], on the stand-in for NVIDIA's driver, grouped by what they are about. The stand-in
//! executes work at once, and its device memory can be read by the CPU.

mod allocations;
mod building;
mod children;
mod conditionals;
mod copies;
mod exec_edits;
mod threads;

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use libloading::{Library, Symbol};

use super::api::library::{initialise, Loaded};
use super::context::CudaContext;
use graphcap_base::error::{Result, Status};
use graphcap_base::lock::{lock, rank, Mutex, MutexGuard};
use graphcap_driver::*;

/// A stand-in, and graphcap's use of it.
struct StandIn {
    library: Library,
    loaded: &'static Loaded,
}

/// The stand-in of the newest driver.
static NEW: LazyLock<StandIn> = LazyLock::new(|| StandIn::build(13000));
/// The stand-in for the oldest driver.
static OLD: LazyLock<StandIn> = LazyLock::new(|| StandIn::build(12000));

/// Held by each test: what the stand-in counts is of all its contexts.
static TURN: Mutex<(), rank::Alone> = Mutex::new(());

impl StandIn {
    fn build(version: c_int) -> StandIn {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../c_tests/stand_in/driver");
        let folder =
            std::env::current_exe().unwrap().with_file_name(format!("stand_in_{version}_{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("libcuda.so.1");
        let mut files: Vec<PathBuf> = std::fs::read_dir(source).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
        let built = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()))
            .args(["-std=c11", "-O1", "-shared", "-fPIC", "-fvisibility=hidden", "-pthread"])
            .arg(format!("-DSTAND_IN_DRIVER_VERSION={version}"))
            .args(files)
            .arg("-o")
            .arg(&path)
            .status();
        assert!(built.unwrap().success(), "the stand-in cannot be built");
        // SAFETY: the stand-in does nothing when it is loaded.
        let open = || unsafe { Library::new(&path) }.unwrap();
        let loaded = initialise(open(), path.as_os_str()).unwrap();
        let stand_in = StandIn { library: open(), loaded: Box::leak(Box::new(loaded)) };
        // What is loaded stays without its file.
        std::fs::remove_dir_all(folder).unwrap();
        stand_in
    }

    fn live(&self, kind: Live) -> i64 {
        // SAFETY: it takes any number.
        unsafe { self.function::<unsafe extern "C" fn(c_int) -> i64>("stand_in_live")(kind as c_int) }
    }

    /// Returns how often the driver was used as it must not be, and how for the first time.
    fn violations(&self) -> (c_uint, String) {
        let violations = self.function::<unsafe extern "C" fn(*mut c_char, usize) -> c_uint>("stand_in_violations");
        let mut text = [0; 200];
        // SAFETY: there is room for as many bytes as are told.
        let count = unsafe { violations(text.as_mut_ptr(), text.len()) };
        (count, text.iter().take_while(|&&byte| byte != 0).map(|&byte| byte as u8 as char).collect())
    }

    /// A function of the stand-in's own.
    fn function<F>(&self, name: &str) -> Symbol<'_, F> {
        // SAFETY: who asks names the type that stand_in.h has for it.
        unsafe { self.library.get(name.as_bytes()) }.unwrap()
    }
}

/// Objects that the stand-in counts.
#[derive(Clone, Copy)]
enum Live {
    Graphs = 3,
    Execs = 4,
    UserObjects = 5,
}

impl Live {
    const ALL: [Live; 3] = [Live::Graphs, Live::Execs, Live::UserObjects];
}

/// Counts of a stand-in.
struct Before {
    live: [i64; 3],
    violations: c_uint,
}

/// A context on a stand-in, with a stream and the kernels of the tests.
struct Bench {
    driver: Arc<CudaContext>,
    stand_in: &'static StandIn,
    stream: StreamId,
    fill: KernelId,
    add: KernelId,
    module: ModuleId,
    memory: Mutex<Vec<MemoryId>, rank::Told>,
    /// Counts of before: a test that failed may have left something.
    before: Before,
    _turn: MutexGuard<'static, ()>,
}

const SHAPE: LaunchShape = LaunchShape { grid: [1; 3], block: [4, 1, 1], shared_mem_bytes: 0 };
const COUNT: [u8; 8] = 4u64.to_ne_bytes();

impl Bench {
    fn new() -> Bench {
        Bench::on(&NEW)
    }

    fn on(stand_in: &'static StandIn) -> Bench {
        let turn = lock(&TURN);
        let info = DeviceInfo { kind: DeviceKind::Cuda, ordinal: 0, name: "stand-in".into() };
        let driver = Arc::new(CudaContext::open(stand_in.loaded, 0, info).unwrap());
        let stream = driver.stream_create(StreamOptions { non_blocking: true, priority: 0 }).unwrap();
        let image = include_bytes!("../../../../c_tests/support/kernels.ptx");
        let module = driver.module_load(ModuleSource { image: Some(image), ..ModuleSource::default() }).unwrap();
        let [fill, add] = ["fill", "add"].map(|name| driver.module_kernel(module, name).unwrap());
        let before = Before { live: Live::ALL.map(|kind| stand_in.live(kind)), violations: stand_in.violations().0 };
        Bench { driver, stand_in, stream, fill, add, module, memory: Mutex::default(), before, _turn: turn }
    }

    /// Memory of 64 bytes, which value operations take; all 0.
    fn memory(&self) -> Address {
        let (id, address) = self.driver.allocate(64, MemoryKind::Waitable).unwrap();
        lock(&self.memory).push(id);
        self.driver.submit(self.stream, &Work::Memset(Memset { count: 16, ..set(address, 0) })).unwrap();
        address
    }

    fn word(&self, address: Address) -> u32 {
        // SAFETY: memory of the stand-in, which executes in the call that submits.
        unsafe { *std::ptr::with_exposed_provenance::<u32>(address as usize) }
    }

    /// Returns how many objects of a kind there are beside those that were there before.
    fn live(&self, kind: Live) -> i64 {
        self.stand_in.live(kind) - self.before.live[kind as usize - Live::ALL[0] as usize]
    }

    /// Waits until the driver has called back, and its calls have been seen to.
    fn settle(&self, is_settled: impl Fn() -> bool) {
        // SAFETY: it takes nothing.
        unsafe { self.stand_in.function::<unsafe extern "C" fn()>("stand_in_settle")() };
        while !is_settled() {
            std::thread::yield_now();
        }
    }

    /// While held, no work is complete.
    fn hold(&self, is_held: bool) {
        // SAFETY: it takes any number.
        unsafe { self.stand_in.function::<unsafe extern "C" fn(c_int)>("stand_in_hold")(is_held.into()) };
    }

    /// Makes `call` with each call of the driver failing once, until none is left to fail. What `state` gives is the same then.
    /// Gives how many calls there were.
    fn fail_each_call<S: PartialEq + Debug>(&self, state: impl Fn() -> S, mut call: impl FnMut() -> Result<()>) -> u64 {
        let fail = self.stand_in.function::<unsafe extern "C" fn(u64, c_int)>("stand_in_fail");
        let failed = self.stand_in.function::<unsafe extern "C" fn() -> *const c_char>("stand_in_failed");
        for number in 1.. {
            let before = state();
            // SAFETY: they take any number, and nothing.
            let (answer, was_reached) = unsafe {
                fail(number, 999);
                let answer = call();
                let was_reached = !failed().is_null();
                fail(0, 0);
                (answer, was_reached)
            };
            let Err(error) = answer else {
                match was_reached {
                    true => continue,
                    false => return number - 1,
                }
            };
            assert_eq!((was_reached, error.status), (true, Status::UNKNOWN), "call {number}: {}", error.message);
            assert_eq!(state(), before, "call {number}");
        }
        unreachable!("some call is the last")
    }

    fn graph(&self) -> GraphId {
        self.driver.graph_create().unwrap()
    }

    fn add(&self, graph: GraphId, dependencies: &[NodeId], work: &Work<'_>) -> NodeId {
        self.driver.graph_add_node(graph, dependencies, work).unwrap()
    }

    /// Instantiates, launches, and destroys the exec.
    fn run(&self, graph: GraphId) {
        let exec = self.exec(graph);
        self.launch(exec);
        self.driver.exec_destroy(exec, Lists::new());
    }

    fn exec(&self, graph: GraphId) -> ExecId {
        self.driver.graph_instantiate(graph).unwrap().0
    }

    fn launch(&self, exec: ExecId) {
        self.driver.exec_launch(exec, self.stream).unwrap();
        self.driver.stream_synchronize(self.stream).unwrap();
    }

    /// The nodes, and the edges as a set.
    fn shape(&self, graph: GraphId) -> (Vec<NodeId>, Vec<(NodeId, NodeId)>) {
        let GraphNodes { nodes, mut edges, .. } = self.driver.graph_nodes(GraphRef::Known(graph)).unwrap();
        edges.sort_unstable();
        (nodes, edges)
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let memory = std::mem::take(self.memory.get_mut());
        for memory in memory {
            self.driver.release(memory, &[self.stream]);
        }
        self.driver.stream_destroy(self.stream);
        self.driver.module_unload(self.module, &[]);
        if std::thread::panicking() {
            return;
        }
        let (count, first) = self.stand_in.violations();
        assert_eq!(count, self.before.violations, "{first}");
    }
}

/// Sets four words.
fn set(address: Address, value: u32) -> Memset {
    Memset { address, value, element_size: 4, count: 4, rows: 1, pitch: 0 }
}

fn copy(destination: Address, source: Address) -> Work<'static> {
    let row = Memcpy { destination, source, bytes: 16, kind: MemcpyKind::DeviceToDevice };
    Work::Memcpy { rows: MemcpyRows::one(row), snapshot: None }
}

fn launch<'a>(kernel: KernelId, arguments: &'a [Argument<'a>]) -> Launch<'a> {
    Launch { kernel, name: "", shape: SHAPE, arguments: Arguments::Separate(arguments), attributes: &[], stated: None }
}

fn attribute(id: u32, number: u8) -> LaunchAttribute {
    let mut value = [0; 64];
    value[0] = number;
    LaunchAttribute { id, value }
}

/// Something that counts how often it is held.
struct Calls {
    count: Arc<AtomicUsize>,
}

impl Calls {
    fn new() -> Calls {
        Calls { count: Arc::default() }
    }

    fn function(&self) -> HostFunction {
        let count = Arc::clone(&self.count);
        Arc::new(move || {
            count.fetch_add(1, Ordering::Relaxed);
        })
    }

    fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// Returns how many functions are left.
    fn held(&self) -> usize {
        Arc::strong_count(&self.count) - 1
    }
}

fn status<T>(result: Result<T>) -> Status {
    result.err().map_or(Status::SUCCESS, |error| error.status)
}
