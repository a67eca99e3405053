//! A bench whose kernels write numbers down, for tests of what replays run and in which order.

use std::sync::Mutex;

use super::*;
use crate::code::arguments::PackedArguments;
use crate::code::kernel::KernelCall;
use crate::graph::Action;
use crate::shared::OBJECTS;
use graphcap_driver::ids::key_of;

/// Numbers in the order in which kernels wrote them down.
#[derive(Default)]
struct Log(Mutex<Vec<u64>>);

/// Writes a number down, and takes as long as it is told.
unsafe extern "C-unwind" fn note(_: *const HostBlock, arguments: *const *const c_void) -> i32 {
    // SAFETY: launched with a pointer to a Log that outlives the launch, with a number and with nanoseconds.
    let (log, number, ns) = unsafe {
        (&**(*arguments).cast::<*const Log>(), *(*arguments.add(1)).cast::<u64>(), *(*arguments.add(2)).cast::<u64>())
    };
    log.0.lock().unwrap().push(number);
    let since = std::time::Instant::now();
    while (since.elapsed().as_nanos() as u64) < ns {
        std::hint::spin_loop();
    }
    0
}

/// A bench whose kernel writes into a log.
pub(super) struct Notes {
    pub(super) bench: Bench,
    kernel: KernelId,
    log: Log,
}

impl Notes {
    pub(super) fn new() -> Notes {
        let bench = Bench::new();
        let kernel = HostKernel { name: "note".into(), function: note, parameter_sizes: None };
        let module =
            bench.driver.module_load(ModuleSource { host_kernels: &[kernel], ..ModuleSource::default() }).unwrap();
        let kernel = bench.driver.module_kernel(module, "note").unwrap();
        Notes { bench, kernel, log: Log::default() }
    }

    /// A launch that writes `number` down.
    pub(super) fn action(&self, number: u64, ns: u64) -> Action {
        let words = [std::ptr::from_ref(&self.log) as u64, number, ns].map(u64::to_ne_bytes);
        let arguments = PackedArguments::pack(&[0, 1, 2].map(|at: usize| Argument::Value(&words[at])));
        let kernel = Arc::clone(&*OBJECTS.kernels.get(key_of(self.kernel.0)).unwrap());
        Action::Kernel(KernelCall {
            kernel,
            shape: ONE,
            arguments,
            attributes: Box::default(),
            is_programmatic: false,
            stated: None,
            grid_from: None,
        })
    }

    pub(super) fn record(&self, stream: StreamId, number: u64, ns: u64) {
        let stream = self.bench.host.stream(stream).unwrap();
        self.bench.host.submit_or_record(&stream, &mut Some(self.action(number, ns)), || Ok(())).unwrap();
    }

    /// An exec of a chain that writes `numbers` down, and its nodes.
    pub(super) fn chain(&self, numbers: &[u64]) -> (ExecId, Vec<NodeId>) {
        let stream = self.bench.stream();
        self.bench.begin(stream);
        numbers.iter().for_each(|number| self.record(stream, *number, 0));
        let made = self.finish_capture(stream);
        self.bench.driver.stream_destroy(stream);
        made
    }

    pub(super) fn finish_capture(&self, stream: StreamId) -> (ExecId, Vec<NodeId>) {
        let graph = self.bench.driver.end_capture(stream).unwrap();
        let nodes = self.bench.driver.graph_nodes(GraphRef::Known(graph)).unwrap().nodes;
        let exec = self.bench.driver.graph_instantiate(graph).unwrap().0;
        self.bench.driver.graph_destroy(graph);
        (exec, nodes)
    }

    pub(super) fn set(&self, exec: ExecId, node: NodeId, number: u64) {
        self.bench.set_in_exec(exec, node, self.action(number, 0)).unwrap();
    }

    pub(super) fn launch(&self, exec: ExecId, stream: StreamId) {
        self.bench.driver.exec_launch(exec, stream).unwrap();
    }

    /// Returns what was written down since the last look.
    pub(super) fn take(&self) -> Vec<u64> {
        std::mem::take(&mut *self.log.0.lock().unwrap())
    }

    pub(super) fn hold(&self) -> Held<'_> {
        let (range, address) = self.bench.driver.allocate(8, MemoryKind::Pooled).unwrap();
        let held = Held { notes: self, range, address, stream: self.bench.stream() };
        held.write(0);
        let comparison = Comparison::Equal;
        let action = ValueAction::Wait { comparison, flush: false };
        let wait = ValueOperation { address, value: Value::U64(1), action };
        self.bench.driver.value_operation(held.stream, wait).unwrap();
        held
    }
}

/// A stream that waits for a value until it is let go.
pub(super) struct Held<'a> {
    notes: &'a Notes,
    range: MemoryId,
    address: Address,
    pub(super) stream: StreamId,
}

impl Held<'_> {
    fn write(&self, value: u64) {
        let driver = &self.notes.bench.driver;
        let stream = self.notes.bench.stream();
        let action = ValueAction::Write { barrier: true };
        driver
            .value_operation(stream, ValueOperation { address: self.address, value: Value::U64(value), action })
            .unwrap();
        driver.stream_synchronize(stream).unwrap();
        driver.stream_destroy(stream);
    }

    /// Lets the stream go on and waits for it.
    pub(super) fn let_go(self) {
        self.write(1);
        self.notes.bench.finish(self.stream);
        self.notes.bench.driver.release(self.range, &[]);
    }
}
