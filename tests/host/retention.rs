//! Release of what goes with a removed node on the host device, and when: memory of the caller's, host functions and code, also behind
//! work that waits.

use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use graphcap::core::{Buffer, Context, Graph, KernelArgument, Module, Stream, StreamValue};
use graphcap::driver::{
    Address, Comparison, DeviceChoice, DeviceKind, HostBlock, HostKernel, LaunchShape, MemoryKind, ModuleSource,
    StreamOptions, Value, ValueAction,
};
use graphcap::error::Status;
use graphcap::rules::CaptureMode;

const SHAPE: LaunchShape = LaunchShape { grid: [1; 3], block: [1; 3], shared_mem_bytes: 0 };

fn context() -> Context {
    Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap()
}

fn stream(context: &Context) -> Stream {
    Stream::create(context, StreamOptions { non_blocking: true, priority: 0 }).unwrap()
}

/// Memory of the caller's, with how often it was given back.
struct Wrapped {
    buffer: Option<Buffer>,
    released: Arc<AtomicUsize>,
}

impl Wrapped {
    fn new(context: &Context) -> Wrapped {
        let bytes: &'static mut [u64] = Box::leak(Box::new([0; 8]));
        let released = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&released);
        let on_release = Box::new(move || {
            count.fetch_add(1, Ordering::Relaxed);
        });
        // SAFETY: the memory is never given back.
        let buffer = unsafe { Buffer::wrap(context, bytes.as_ptr().addr() as Address, 64, on_release) }.unwrap();
        Wrapped { buffer: Some(buffer), released }
    }

    fn buffer(&self) -> &Buffer {
        self.buffer.as_ref().unwrap()
    }

    fn drop_handle(&mut self) {
        self.buffer = None;
    }

    fn count(&self) -> usize {
        self.released.load(Ordering::Relaxed)
    }

    /// Waits until it was given back, which a thread of graphcap's does.
    fn await_release(&self) {
        while self.count() == 0 {
            std::thread::yield_now();
        }
        assert_eq!(self.count(), 1);
    }
}

fn value(buffer: &Buffer, action: ValueAction) -> StreamValue<'_> {
    StreamValue { buffer, offset: 0, value: Value::U32(1), action }
}

/// A graph of a memset of each, one after another.
fn memsets(stream: &Stream, buffers: &[&Wrapped]) -> Graph {
    stream.begin_capture(CaptureMode::ThreadLocal).unwrap();
    buffers.iter().for_each(|wrapped| stream.memset(wrapped.buffer(), 0, 0x11, 1, 64).unwrap());
    stream.end_capture().unwrap()
}

#[test]
fn memory_of_a_removed_node_goes_when_no_exec_and_no_launch_needs_it() {
    let context = context();
    let (origin, held) = (stream(&context), stream(&context));
    let flag = Buffer::allocate_as(&context, 64, MemoryKind::Waitable).unwrap();
    context.legacy_stream().memset(&flag, 0, 0, 1, 64).unwrap();
    context.synchronize().unwrap();
    let (mut first, mut second) = (Wrapped::new(&context), Wrapped::new(&context));
    let graph = memsets(&origin, &[&first, &second]);
    let exec = graph.instantiate().unwrap();
    first.drop_handle();
    second.drop_handle();

    let wait = ValueAction::Wait { comparison: Comparison::Equal, flush: false };
    held.value_operation(&value(&flag, wait)).unwrap();
    exec.launch(&held).unwrap();
    let nodes = graph.nodes().unwrap().nodes;
    graph.remove_node(nodes[0]).unwrap();
    assert_eq!(graph.remove_node(nodes[0]).unwrap_err().status, Status::INVALID_VALUE);
    let later = graph.instantiate().unwrap();
    assert_eq!((exec.node_count(), later.node_count()), (2, 1));
    drop(exec);
    assert_eq!((first.count(), second.count()), (0, 0), "the launch is still to come");

    let write = ValueAction::Write { barrier: true };
    origin.value_operation(&value(&flag, write)).unwrap();
    first.await_release();
    later.launch(&held).unwrap();
    held.synchronize().unwrap();
    assert_eq!(second.count(), 0);
    drop(graph);
    assert_eq!(second.count(), 0);
    drop(later);
    second.await_release();
    context.synchronize().unwrap();
}

#[test]
fn memory_of_a_removed_node_goes_at_once_where_there_is_no_exec() {
    let context = context();
    let stream = stream(&context);
    let (mut only, mut both) = (Wrapped::new(&context), Wrapped::new(&context));
    let graph = memsets(&stream, &[&only, &both, &both]);
    only.drop_handle();
    both.drop_handle();
    let nodes = graph.nodes().unwrap().nodes;
    graph.remove_node(nodes[0]).unwrap();
    only.await_release();
    graph.remove_node(nodes[1]).unwrap();
    assert_eq!(both.count(), 0, "the last memset uses it");
    graph.instantiate().unwrap().launch(&stream).unwrap();
    stream.synchronize().unwrap();
    graph.remove_node(nodes[2]).unwrap();
    both.await_release();
    assert_eq!((graph.node_count().unwrap(), graph.edge_count().unwrap()), (0, 0));
}

fn argument(wrapped: &Wrapped) -> KernelArgument<'_> {
    KernelArgument::Buffer { buffer: wrapped.buffer(), offset: 8, access: Default::default() }
}

unsafe extern "C-unwind" fn do_nothing(_: *const HostBlock, _: *const *const c_void) -> i32 {
    0
}

#[test]
fn arguments_of_kernels_are_uses() {
    let context = context();
    let stream = stream(&context);
    let (mut only, mut both) = (Wrapped::new(&context), Wrapped::new(&context));
    let host_kernels = [HostKernel { name: "k".into(), function: do_nothing, parameter_sizes: None }];
    // SAFETY: the kernel looks at none of its arguments.
    let module =
        unsafe { Module::load(&context, ModuleSource { host_kernels: &host_kernels, ..ModuleSource::default() }) }
            .unwrap();
    let kernel = module.kernel("k").unwrap();
    let launch = |buffers: &[&Wrapped]| {
        let arguments: Vec<_> = buffers.iter().map(|wrapped| argument(wrapped)).collect();
        // SAFETY: as above.
        unsafe { stream.launch_kernel(&kernel, SHAPE, &arguments) }.unwrap();
    };
    stream.begin_capture(CaptureMode::ThreadLocal).unwrap();
    launch(&[&only, &both]);
    launch(&[&both]);
    let graph = stream.end_capture().unwrap();
    drop((module, kernel));
    only.drop_handle();
    both.drop_handle();
    let nodes = graph.nodes().unwrap().nodes;
    graph.remove_node(nodes[0]).unwrap();
    only.await_release();
    graph.instantiate().unwrap().launch(&stream).unwrap();
    stream.synchronize().unwrap();
    assert_eq!(both.count(), 0);
    graph.remove_node(nodes[1]).unwrap();
    both.await_release();
}

#[test]
fn a_host_function_goes_with_its_node() {
    let context = context();
    let stream = stream(&context);
    let calls = Arc::new(AtomicUsize::new(0));
    let held = Arc::clone(&calls);
    stream.begin_capture(CaptureMode::ThreadLocal).unwrap();
    stream
        .launch_host_function(Arc::new(move || {
            held.fetch_add(1, Ordering::Relaxed);
        }))
        .unwrap();
    let graph = stream.end_capture().unwrap();
    let exec = graph.instantiate().unwrap();
    graph.remove_node(graph.nodes().unwrap().nodes[0]).unwrap();
    assert_eq!(Arc::strong_count(&calls), 2, "the exec calls it");
    exec.launch(&stream).unwrap();
    stream.synchronize().unwrap();
    assert_eq!(calls.load(Ordering::Relaxed), 1);
    drop(exec);
    while Arc::strong_count(&calls) > 1 {
        std::thread::yield_now();
    }
    graph.instantiate().unwrap().launch(&stream).unwrap();
    stream.synchronize().unwrap();
    assert_eq!(calls.load(Ordering::Relaxed), 1);
}

#[test]
fn a_graph_that_a_capture_goes_into_keeps_its_nodes() {
    let context = context();
    let stream = stream(&context);
    let mut wrapped = Wrapped::new(&context);
    let graph = memsets(&stream, &[&wrapped]);
    let node = graph.nodes().unwrap().nodes[0];
    stream.begin_capture_to_graph(&graph, &[node], CaptureMode::ThreadLocal).unwrap();
    assert_eq!(graph.remove_node(node).unwrap_err().status, Status::ILLEGAL_STATE);
    stream.memset(wrapped.buffer(), 0, 1, 4, 4).unwrap();
    drop(stream.end_capture().unwrap());
    wrapped.drop_handle();
    graph.remove_node(node).unwrap();
    assert_eq!((graph.node_count().unwrap(), graph.edge_count().unwrap(), wrapped.count()), (1, 0, 0));
    graph.instantiate().unwrap().launch(&stream).unwrap();
    stream.synchronize().unwrap();
    graph.remove_node(graph.nodes().unwrap().nodes[0]).unwrap();
    wrapped.await_release();
}
