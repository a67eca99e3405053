//! Release of what goes with a removed node on the CUDA device, on the stand-in for its driver, and when.

mod stand_in;

use std::ffi::c_int;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use graphcap::core::{Buffer, Context, Event, Fill, Graph, Kernel, KernelArgument, Module, NodeWork, Stream};
use graphcap::driver::{EventOptions, LaunchShape, ModuleSource, NodeId, StreamOptions};
use graphcap::error::Status;
use graphcap::rules::CaptureMode;
use libloading::Symbol;
use stand_in::{check_violations, function, open, Foreign};

const EVENTS: c_int = 2;
const USER_OBJECTS: c_int = 5;

/// Number of objects of a kind that the driver has.
fn live(kind: c_int) -> i64 {
    let live: Symbol<'_, unsafe extern "C" fn(c_int) -> i64> = function("stand_in_live");
    // SAFETY: it takes any number.
    unsafe { live(kind) }
}

/// While held, no work is complete.
fn hold(is_held: bool) {
    let hold: Symbol<'_, unsafe extern "C" fn(c_int)> = function("stand_in_hold");
    // SAFETY: it takes any number.
    unsafe { hold(is_held.into()) };
}

/// Waits until the driver has called back, and its calls have been seen to.
fn settle(is_settled: impl Fn() -> bool) {
    let settle: Symbol<'_, unsafe extern "C" fn()> = function("stand_in_settle");
    // SAFETY: it takes nothing.
    unsafe { settle() };
    while !is_settled() {
        std::thread::yield_now();
    }
}

/// Memory of others, wrapped, with how often it was given back.
struct Wrapped {
    buffer: Option<Buffer>,
    released: Arc<AtomicUsize>,
    _memory: Foreign,
}

impl Wrapped {
    fn new(context: &Context) -> Wrapped {
        let memory = Foreign::new(256);
        let released = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&released);
        let on_release = Box::new(move || {
            count.fetch_add(1, Ordering::Relaxed);
        });
        // SAFETY: the memory lives until the test is over.
        let buffer = unsafe { Buffer::wrap(context, memory.0, 256, on_release) }.unwrap();
        Wrapped { buffer: Some(buffer), released, _memory: memory }
    }

    fn buffer(&self) -> &Buffer {
        self.buffer.as_ref().unwrap()
    }

    fn count(&self) -> usize {
        self.released.load(Ordering::Relaxed)
    }

    fn await_release(&self) {
        settle(|| self.count() > 0);
        assert_eq!(self.count(), 1);
    }
}

fn stream(context: &Context) -> Stream {
    Stream::create(context, StreamOptions { non_blocking: true, priority: 0 }).unwrap()
}

fn nodes(graph: &Graph) -> Vec<NodeId> {
    graph.nodes().unwrap().nodes
}

fn fill(stream: &Stream, kernel: &Kernel, wrapped: &Wrapped) {
    let shape = LaunchShape { grid: [1; 3], block: [1; 3], shared_mem_bytes: 0 };
    let (value, count) = (7u32.to_ne_bytes(), 4u64.to_ne_bytes());
    let buffer = KernelArgument::Buffer { buffer: wrapped.buffer(), offset: 0, access: Default::default() };
    let arguments = [buffer, KernelArgument::Value(&value), KernelArgument::Value(&count)];
    // SAFETY: the kernel writes so many elements, which the buffer has.
    unsafe { stream.launch_kernel(kernel, shape, &arguments) }.unwrap();
}

fn graph_of_a_memset(stream: &Stream, wrapped: &Wrapped) -> Graph {
    stream.begin_capture(CaptureMode::Global).unwrap();
    stream.memset(wrapped.buffer(), 0, 0, 1, 8).unwrap();
    stream.end_capture().unwrap()
}

/// One test, since all are on one driver, which holds work for all.
#[test]
fn a_removed_node_lets_go_of_what_only_it_used() {
    let context = open();
    memory_and_kernels_go_with_their_nodes(&context);
    launches_of_older_execs_keep_their_memory(&context);
    functions_and_events_go_with_their_nodes(&context);
    a_graph_that_is_captured_into_is_not_edited(&context);
    a_graph_that_was_given_out_keeps_everything(&context);
    names_of_removed_nodes_are_dead(&context);
    an_updated_exec_keeps_what_nodes_keep_that_were_added(&context);
    drop(context);
    check_violations();
}

fn memory_and_kernels_go_with_their_nodes(context: &Context) {
    let stream = stream(context);
    let image = include_bytes!("../c_tests/support/kernels.ptx");
    // SAFETY: the kernel is launched with the arguments that it takes.
    let module =
        unsafe { Module::load(context, ModuleSource { image: Some(image), ..ModuleSource::default() }) }.unwrap();
    let kernel = module.kernel("fill").unwrap();
    let (mut only, mut both) = (Wrapped::new(context), Wrapped::new(context));
    stream.begin_capture(CaptureMode::Global).unwrap();
    fill(&stream, &kernel, &only);
    fill(&stream, &kernel, &both);
    stream.memset(both.buffer(), 8, 0, 4, 2).unwrap();
    let graph = stream.end_capture().unwrap();
    drop((module, kernel));
    (only.buffer, both.buffer) = (None, None);
    let [first, second, third] = nodes(&graph)[..] else { panic!("three nodes were recorded") };
    graph.remove_node(first).unwrap();
    only.await_release();
    graph.remove_node(third).unwrap();
    assert_eq!(both.count(), 0, "an argument of the other kernel");
    graph.instantiate().unwrap().launch(&stream).unwrap();
    stream.synchronize().unwrap();
    graph.remove_node(second).unwrap();
    both.await_release();
    assert_eq!((graph.node_count().unwrap(), graph.edge_count().unwrap()), (0, 0));
}

fn launches_of_older_execs_keep_their_memory(context: &Context) {
    let stream = stream(context);
    let mut wrapped = Wrapped::new(context);
    let graph = graph_of_a_memset(&stream, &wrapped);
    wrapped.buffer = None;
    let exec = graph.instantiate().unwrap();
    hold(true);
    exec.launch(&stream).unwrap();
    graph.remove_node(nodes(&graph)[0]).unwrap();
    assert_eq!((exec.node_count(), graph.instantiate().unwrap().node_count()), (1, 0));
    drop(exec);
    drop(graph);
    assert_eq!(wrapped.count(), 0, "the launch is still on its way");
    hold(false);
    stream.synchronize().unwrap();
    wrapped.await_release();
}

fn functions_and_events_go_with_their_nodes(context: &Context) {
    let stream = stream(context);
    let (events, objects) = (live(EVENTS), live(USER_OBJECTS));
    let event = Event::create(context, EventOptions::default()).unwrap();
    let calls = Arc::new(AtomicUsize::new(0));
    let held = Arc::clone(&calls);
    stream.begin_capture(CaptureMode::Global).unwrap();
    stream
        .launch_host_function(Arc::new(move || {
            held.fetch_add(1, Ordering::Relaxed);
        }))
        .unwrap();
    event.record_external(&stream).unwrap();
    let graph = stream.end_capture().unwrap();
    drop(event);
    let exec = graph.instantiate().unwrap();
    let [function, record] = nodes(&graph)[..] else { panic!("two nodes were recorded") };
    graph.remove_node(function).unwrap();
    graph.remove_node(record).unwrap();
    exec.launch(&stream).unwrap();
    assert_eq!((calls.load(Ordering::Relaxed), Arc::strong_count(&calls)), (1, 2), "the exec calls it");
    assert_eq!((live(EVENTS), live(USER_OBJECTS)), (events + 1, objects + 1));
    stream.synchronize().unwrap();
    drop(exec);
    // The graph is still there, and holds neither.
    settle(|| Arc::strong_count(&calls) == 1 && live(EVENTS) == events && live(USER_OBJECTS) == objects);
    assert_eq!(graph.node_count().unwrap(), 0);
}

fn a_graph_that_is_captured_into_is_not_edited(context: &Context) {
    let stream = stream(context);
    let wrapped = Wrapped::new(context);
    let graph = graph_of_a_memset(&stream, &wrapped);
    let node = nodes(&graph)[0];
    for _ in 0..2 {
        stream.begin_capture_to_graph(&graph, &[node], CaptureMode::Global).unwrap();
        assert_eq!(graph.remove_node(node).unwrap_err().status, Status::ILLEGAL_STATE);
        stream.memset(wrapped.buffer(), 0, 0, 1, 8).unwrap();
        drop(stream.end_capture().unwrap());
    }
    graph.remove_node(node).unwrap();
    assert_eq!(graph.node_count().unwrap(), 2);
}

fn a_graph_that_was_given_out_keeps_everything(context: &Context) {
    let stream = stream(context);
    let mut wrapped = Wrapped::new(context);
    let graph = graph_of_a_memset(&stream, &wrapped);
    wrapped.buffer = None;
    graph.native().unwrap();
    graph.remove_node(nodes(&graph)[0]).unwrap();
    assert_eq!((graph.node_count().unwrap(), wrapped.count()), (0, 0), "others may have made an exec of it");
    drop(graph);
    wrapped.await_release();
}

fn an_updated_exec_keeps_what_nodes_keep_that_were_added(context: &Context) {
    let mut all = [Wrapped::new(context), Wrapped::new(context)];
    let built = |wrapped: &Wrapped| {
        let graph = Graph::create(context).unwrap();
        let fill =
            Fill { buffer: wrapped.buffer(), offset: 0, value: 0, element_size: 1, width: 8, height: 1, pitch: 0 };
        graph.add_node(&[], &NodeWork::Memset(fill)).unwrap();
        graph
    };
    let exec = built(&all[0]).instantiate().unwrap();
    exec.update(&built(&all[1]), false).unwrap().outcome.unwrap();
    all.iter_mut().for_each(|wrapped| wrapped.buffer = None);
    all[0].await_release();
    assert_eq!(all[1].count(), 0);
    drop(exec);
    all[1].await_release();
}

/// The driver may give the handle of a removed node to the next one.
fn names_of_removed_nodes_are_dead(context: &Context) {
    let stream = stream(context);
    let wrapped = Wrapped::new(context);
    let graph = Graph::create(context).unwrap();
    let mut gone = Vec::new();
    for _ in 0..4 {
        stream.begin_capture_to_graph(&graph, &[], CaptureMode::Global).unwrap();
        stream.memset(wrapped.buffer(), 0, 0, 1, 8).unwrap();
        drop(stream.end_capture().unwrap());
        let node = nodes(&graph)[0];
        graph.remove_node(node).unwrap();
        gone.push(node);
        for &name in &gone {
            assert_eq!(graph.remove_node(name).unwrap_err().status, Status::INVALID_VALUE);
        }
    }
}
