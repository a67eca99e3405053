//! Objects that a graph lets go of when a node is removed, and those that stay.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

use super::*;
use crate::faulty::Faulty;
use crate::state::Record;
use crate::{Buffer, Context, Copy, CopySide, Event, Graph, GraphExec, Kernel, KernelArgument, Module, Stream};
use graphcap_base::error::Status;
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{
    Address, EventOptions, HostFunction, LaunchShape, ModuleId, ModuleSource, NodeId, NodeKind, StreamOptions,
};

/// A capture on a stream.
struct Bench {
    driver: Arc<Faulty>,
    context: Context,
    stream: Stream,
}

impl Bench {
    fn new() -> Bench {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        Bench { driver, context, stream }
    }

    fn buffer(&self) -> Buffer {
        Buffer::allocate(&self.context, 64).unwrap()
    }

    /// Wrapped memory, whose release is counted.
    fn wrapped(&self, at: Address) -> (Buffer, Arc<AtomicUsize>) {
        let released = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&released);
        let on_release = Box::new(move || {
            count.fetch_add(1, Ordering::Relaxed);
        });
        (Buffer::adopt(&self.context, at, 64, on_release).unwrap(), released)
    }

    fn set(&self, buffer: &Buffer, offset: usize) {
        self.stream.memset(buffer, offset, 0, 1, 8).unwrap();
    }

    fn launch(&self, kernel: &Kernel, arguments: &[KernelArgument<'_>]) {
        let shape = LaunchShape::ONE_THREAD;
        self.stream.submit_kernel(kernel, shape, arguments, &[]).unwrap();
    }

    fn module(&self) -> Module {
        Faulty::load(&self.context, ModuleSource::default())
    }

    fn kernel(&self) -> Kernel {
        self.kernel_and_code().0
    }

    /// A kernel, and its module, which only the kernel keeps.
    fn kernel_and_code(&self) -> (Kernel, ModuleId) {
        let code = self.module();
        (code.kernel("k-any").unwrap(), code.0.id())
    }

    /// Returns what `record` records.
    fn record(&self, record: impl FnOnce()) -> Graph {
        self.stream.begin_capture(CaptureMode::Global).unwrap();
        record();
        self.stream.end_capture().unwrap()
    }

    /// A graph with a memset of each buffer, in that order.
    fn sets(&self, buffers: &[&Buffer]) -> Graph {
        self.record(|| buffers.iter().for_each(|buffer| self.set(buffer, 0)))
    }

    /// A graph with a memset of each of two buffers, and the record of its capture.
    fn sets_with_record(&self, first: &Buffer, second: &Buffer) -> (Graph, Arc<Record>) {
        let mut record = None;
        let graph = self.record(|| {
            self.set(first, 0);
            self.set(second, 0);
            record = self.stream.present();
        });
        (graph, record.unwrap())
    }

    fn is_there(&self, at: Address) -> bool {
        self.driver.is_allocated(at)
    }

    /// Launches an exec, which is complained about if something that it needs is gone.
    fn replay(&self, exec: &GraphExec) {
        exec.launch(&self.stream).unwrap();
        assert_eq!(self.driver.violations(), Vec::<String>::new());
    }

    fn end(self) {
        let Bench { driver, context, stream } = self;
        drop((context, stream));
        assert_eq!((driver.live(), driver.violations()), (0, vec![]));
    }
}

fn at(buffer: &Buffer, offset: usize) -> KernelArgument<'_> {
    KernelArgument::Buffer { buffer, offset, access: Default::default() }
}

fn nodes(graph: &Graph) -> Vec<NodeId> {
    graph.nodes().unwrap().nodes
}

#[test]
fn an_edit_lets_go_of_what_only_the_removed_node_used() {
    let bench = Bench::new();
    let (own, both) = (bench.buffer(), bench.buffer());
    let (own_at, both_at) = (own.address(), both.address());
    let graph = bench.record(|| {
        bench.stream.memcpy_dtod(&both, 0, &own, 0, 8).unwrap();
        bench.set(&both, 8);
        bench.set(&both, 16);
    });
    drop((own, both));
    let [copy, first, second] = nodes(&graph)[..] else { panic!("three nodes were recorded") };
    graph.remove_node(copy).unwrap();
    assert!(!bench.is_there(own_at) && bench.is_there(both_at));
    assert_eq!((graph.node_count().unwrap(), nodes(&graph)), (2, vec![first, second]));
    assert_eq!(graph.remove_node(copy).unwrap_err().status, Status::INVALID_VALUE);
    bench.replay(&graph.instantiate().unwrap());
    graph.remove_node(first).unwrap();
    assert!(bench.is_there(both_at), "the other memset uses it");
    graph.remove_node(second).unwrap();
    assert!(!bench.is_there(both_at));
    drop(graph);
    bench.end();
}

#[test]
fn execs_that_were_made_before_keep_what_they_need_until_the_last_is_gone() {
    let bench = Bench::new();
    let buffer = bench.buffer();
    let other = bench.buffer();
    let start = buffer.address();
    let graph = bench.sets(&[&buffer, &other]);
    drop(buffer);
    let before = [graph.instantiate().unwrap(), graph.instantiate().unwrap()];
    graph.remove_node(nodes(&graph)[0]).unwrap();
    let after = graph.instantiate().unwrap();
    assert_eq!((before[0].node_count(), after.node_count()), (2, 1));
    let [one, two] = before;
    bench.replay(&one);
    drop(one);
    assert!(bench.is_there(start));
    bench.replay(&two);
    drop(graph);
    assert!(bench.is_there(start));
    drop(two);
    assert!(!bench.is_there(start), "neither the graph nor a later exec keeps it");
    assert_eq!(bench.driver.released()[0].1, [bench.stream.id()], "it waits for the launches");
    bench.replay(&after);
    drop((after, other));
    bench.end();
}

#[test]
fn arguments_of_kernels_are_uses() {
    let bench = Bench::new();
    let (kernel, other_kernel) = (bench.kernel(), bench.kernel());
    let [plain, guessed, first, second] = [(); 4].map(|()| bench.buffer());
    let addresses = [&plain, &guessed, &first, &second].map(Buffer::address);
    let mut value = [0; 20];
    value[8..16].copy_from_slice(&(guessed.address() + 5).to_ne_bytes());
    let graph = bench.record(|| {
        bench.launch(&kernel, &[at(&plain, 63), KernelArgument::Value(&value)]);
        bench.launch(&other_kernel, &[at(&plain, 0), at(&first, 0)]);
        // Lists it, and goes.
        bench.set(&guessed, 0);
        bench.set(&second, 0);
    });
    let modules = bench.driver.live();
    drop((kernel, other_kernel, plain, guessed, first, second));
    let [_, launch, guessed, second] = nodes(&graph)[..] else { panic!("four nodes were recorded") };
    let present = || addresses.map(|address| bench.is_there(address));
    graph.remove_node(guessed).unwrap();
    assert_eq!(present(), [true; 4], "a word of a value may be an address");
    graph.remove_node(second).unwrap();
    assert_eq!(present(), [true, true, true, false]);
    graph.remove_node(launch).unwrap();
    assert_eq!(present(), [true, true, false, false]);
    assert_eq!(bench.driver.live(), modules - 3, "two buffers and the code of one kernel");
    bench.replay(&graph.instantiate().unwrap());
    drop(graph);
    bench.end();
}

/// The end of one buffer is the first byte of the next one mostly. It counts only for a buffer whose end was ever given.
#[test]
fn the_end_of_a_buffer_is_the_next_ones_unless_it_was_given() {
    for gives_end in [false, true] {
        let bench = Bench::new();
        let kernel = bench.kernel();
        let ((low, low_released), (high, _)) = (bench.wrapped(0x10000), bench.wrapped(0x10040));
        let graph = bench.record(|| {
            bench.launch(&kernel, &[at(&low, if gives_end { 64 } else { 63 })]);
            bench.launch(&kernel, &[at(&high, 0)]);
        });
        drop((low, high));
        graph.remove_node(nodes(&graph)[0]).unwrap();
        assert_eq!(low_released.load(Ordering::Relaxed) == 0, gives_end);
        drop((graph, kernel));
        assert_eq!(low_released.load(Ordering::Relaxed), 1);
        bench.end();
    }
}

#[test]
fn overlapping_buffers_stay_while_one_address_is_in_both() {
    let bench = Bench::new();
    let ((outer, outer_released), (inner, inner_released)) = (bench.wrapped(0x10000), bench.wrapped(0x10020));
    let graph = bench.record(|| {
        bench.set(&outer, 0x28);
        bench.set(&inner, 0);
    });
    drop((outer, inner));
    let counts = || [&outer_released, &inner_released].map(|released| released.load(Ordering::Relaxed));
    graph.remove_node(nodes(&graph)[1]).unwrap();
    assert_eq!(counts(), [0, 0], "the address of the other memset may be meant as either");
    graph.remove_node(nodes(&graph)[0]).unwrap();
    assert_eq!(counts(), [1, 1]);
    drop(graph);
    bench.end();
}

#[test]
fn functions_events_values_and_snapshots_go_with_their_nodes() {
    let bench = Bench::new();
    let event = Event::create(&bench.context, EventOptions::default()).unwrap();
    let buffer = bench.buffer();
    let token = Arc::new(());
    let held = Arc::clone(&token);
    let function: HostFunction = Arc::new(move || drop(Arc::clone(&held)));
    let graph = bench.record(|| {
        bench.stream.launch_host_function(Arc::clone(&function)).unwrap();
        bench.stream.launch_host_function(function).unwrap();
        event.record_external(&bench.stream).unwrap();
        bench.stream.wait_event_external(&event).unwrap();
        bench.set(&buffer, 0);
    });
    let live = bench.driver.live();
    drop(event);
    let [first, second, record, wait, _] = nodes(&graph)[..] else { panic!("five nodes were recorded") };
    graph.remove_node(first).unwrap();
    assert_eq!(Arc::strong_count(&token), 2, "the other node calls it");
    graph.remove_node(second).unwrap();
    assert_eq!(Arc::strong_count(&token), 1);
    graph.remove_node(record).unwrap();
    assert_eq!(bench.driver.live(), live, "the wait uses the event");
    bench.replay(&graph.instantiate().unwrap());
    graph.remove_node(wait).unwrap();
    assert_eq!(bench.driver.live(), live - 1);
    drop((graph, buffer));
    bench.end();
}

#[test]
fn what_a_node_could_use_that_cannot_be_read_stays() {
    // The kind of the node that is hidden; whether memory, functions, events and code stay beside it.
    for (kind, stays) in [
        (NodeKind::Child, [true; 4]),
        (NodeKind::Host, [true; 4]),
        (NodeKind::Other, [true; 4]),
        (NodeKind::Memcpy, [true, false, false, false]),
        (NodeKind::BatchMemOp, [true, false, false, false]),
        (NodeKind::EventWait, [false, false, true, false]),
    ] {
        let bench = Bench::new();
        let event = Event::create(&bench.context, EventOptions::default()).unwrap();
        let ((kernel, module), buffer, hidden) = (bench.kernel_and_code(), bench.buffer(), bench.buffer());
        let start = buffer.address();
        let token = Arc::new(());
        let held = Arc::clone(&token);
        let graph = bench.record(|| {
            bench.set(&hidden, 0);
            bench.set(&buffer, 0);
            bench.stream.launch_host_function(Arc::new(move || drop(Arc::clone(&held)))).unwrap();
            event.record_external(&bench.stream).unwrap();
            bench.launch(&kernel, &[]);
        });
        let others = bench.driver.live();
        drop((event, kernel, buffer));
        let all = nodes(&graph);
        bench.driver.hide(graph.id(), all[0], kind);
        all[1..].iter().for_each(|&node| graph.remove_node(node).unwrap());
        let memory = bench.is_there(start);
        let function = Arc::strong_count(&token) == 2;
        let code = bench.driver.is_loaded(module);
        let event = bench.driver.live() + usize::from(!memory) + usize::from(!code) == others;
        assert_eq!([memory, function, event, code], stays, "{kind:?}");
        // With that node goes what could not be told.
        graph.remove_node(all[0]).unwrap();
        assert!(!bench.is_there(start) && !bench.driver.is_loaded(module) && Arc::strong_count(&token) == 1);
        drop((graph, hidden));
        bench.end();
    }
}

#[test]
fn a_kernel_whose_arguments_cannot_be_told_may_use_all_memory() {
    let bench = Bench::new();
    let (kernel, (other, module), buffer) = (bench.kernel(), bench.kernel_and_code(), bench.buffer());
    let start = buffer.address();
    let graph = bench.record(|| {
        bench.launch(&kernel, &[]);
        bench.set(&buffer, 0);
        bench.launch(&other, &[]);
    });
    drop((buffer, other));
    let [hidden, set, launch] = nodes(&graph)[..] else { panic!("three nodes were recorded") };
    bench.driver.hide(graph.id(), hidden, NodeKind::Kernel);
    graph.remove_node(set).unwrap();
    graph.remove_node(launch).unwrap();
    assert!(bench.is_there(start) && !bench.driver.is_loaded(module));
    drop((graph, kernel));
    bench.end();
}

#[test]
fn a_kernel_that_is_not_known_may_be_of_any_module() {
    let bench = Bench::new();
    let (kernel, (other, module), buffer) = (bench.kernel(), bench.kernel_and_code(), bench.buffer());
    let start = buffer.address();
    let graph = bench.record(|| {
        bench.launch(&kernel, &[]);
        bench.launch(&other, &[at(&buffer, 0)]);
    });
    drop((buffer, other));
    let [unknown, launch] = nodes(&graph)[..] else { panic!("two nodes were recorded") };
    bench.driver.call_foreign_kernel(graph.id(), unknown);
    graph.remove_node(launch).unwrap();
    assert!(bench.driver.is_loaded(module) && !bench.is_there(start));
    graph.remove_node(unknown).unwrap();
    assert!(!bench.driver.is_loaded(module));
    drop((graph, kernel));
    bench.end();
}

#[test]
fn nothing_is_taken_off_where_others_may_use_the_graph_or_nodes_cannot_be_read() {
    for way in 0..3 {
        let bench = Bench::new();
        let (buffer, other) = (bench.buffer(), bench.buffer());
        let start = buffer.address();
        let graph = bench.sets(&[&buffer, &other]);
        drop(buffer);
        match way {
            0 => bench.driver.fail("node_work", Status::LAUNCH_FAILED),
            1 => assert_ne!(graph.native().unwrap(), 0),
            _ => {
                // Others ended a capture into it, and a later one goes into what they have.
                bench.driver.take_graph(graph.id());
                bench.stream.begin_capture_to_graph(&graph, &[], CaptureMode::Global).unwrap();
                bench.stream.end_capture().unwrap();
            }
        }
        assert_eq!(bench.driver.held_by_graph(graph.id()).len(), way);
        graph.remove_node(nodes(&graph)[0]).unwrap();
        assert_eq!(graph.node_count().unwrap(), 1);
        assert!(bench.is_there(start));
        drop((graph, other));
        assert!(!bench.is_there(start));
        bench.end();
    }
}

#[test]
fn a_graph_that_is_captured_into_is_not_edited() {
    let bench = Bench::new();
    let buffer = bench.buffer();
    let start = buffer.address();
    let graph = bench.sets(&[&buffer]);
    let node = nodes(&graph)[0];
    bench.stream.begin_capture_to_graph(&graph, &[], CaptureMode::Global).unwrap();
    assert_eq!(graph.remove_node(node).unwrap_err().status, Status::ILLEGAL_STATE);
    bench.set(&buffer, 8);
    drop(bench.stream.end_capture().unwrap());
    drop(buffer);
    // Each capture has its own list, and both have the buffer.
    graph.remove_node(node).unwrap();
    assert!(bench.is_there(start));
    graph.remove_node(nodes(&graph)[0]).unwrap();
    assert!(!bench.is_there(start));
    drop(graph);
    bench.end();
}

/// A copy of a graph that is captured into holds the list of the capture, which an edit of the copy does not part.
#[test]
fn what_a_capture_lists_after_an_edit_of_a_copy_of_its_graph_stays() {
    let bench = Bench::new();
    let (buffer, other) = (bench.buffer(), bench.buffer());
    let (start, late) = (buffer.address(), other.address());
    let graph = bench.sets(&[&buffer, &buffer]);
    bench.stream.begin_capture_to_graph(&graph, &[], CaptureMode::Global).unwrap();
    bench.set(&buffer, 0);
    let copy = graph.duplicate().unwrap();
    copy.remove_node(nodes(&copy)[0]).unwrap();
    bench.set(&other, 0);
    bench.stream.end_capture().unwrap();
    graph.remove_node(nodes(&graph)[0]).unwrap();
    drop((buffer, other, copy));
    assert!(bench.is_there(start) && bench.is_there(late));
    bench.replay(&graph.instantiate().unwrap());
    drop(graph);
    assert!(!bench.is_there(start) && !bench.is_there(late));
    bench.end();
}

/// Captures go into a graph and a copy of it at once: each lists for its own graph.
#[test]
fn captures_into_a_graph_and_its_copy_list_for_their_own() {
    let bench = Bench::new();
    let [old, of_copy, of_graph] = [bench.buffer(), bench.buffer(), bench.buffer()];
    let [copied, late] = [of_copy.address(), of_graph.address()];
    let graph = Graph::create(&bench.context).unwrap();
    bench.stream.begin_capture_to_graph(&graph, &[], CaptureMode::Global).unwrap();
    bench.set(&old, 0);
    bench.stream.end_capture().unwrap();
    let copy = graph.duplicate().unwrap();
    let stream = Stream::create(&bench.context, StreamOptions::default()).unwrap();
    bench.stream.begin_capture_to_graph(&graph, &[], CaptureMode::Global).unwrap();
    stream.begin_capture_to_graph(&copy, &[], CaptureMode::Global).unwrap();
    stream.memset(&of_copy, 0, 0, 1, 8).unwrap();
    bench.set(&of_graph, 0);
    stream.end_capture().unwrap();
    bench.stream.end_capture().unwrap();
    drop((old, of_copy, of_graph, copy));
    assert_eq!((bench.is_there(copied), bench.is_there(late)), (false, true));
    drop((graph, stream));
    assert!(!bench.is_there(late));
    bench.end();
}

/// A capture into the graph may begin when the node is gone and the others are about to be read. What it has listed by then is
/// for a node that is not there yet.
#[test]
fn what_a_capture_lists_that_begins_during_an_edit_stays() {
    let bench = Bench::new();
    let (buffer, late) = (bench.buffer(), bench.buffer());
    let late_at = late.address();
    let graph = bench.record(|| {
        bench.set(&buffer, 0);
        bench.set(&buffer, 8);
    });
    let ((listed, is_listed), (removed, is_removed)) = (channel(), channel());
    let ((recording, is_recording), (pruned, is_pruned)) = (channel(), channel());
    bench.driver.at("begin_capture_to_graph", move || {
        listed.send(()).unwrap();
        is_removed.recv().unwrap();
    });
    bench.driver.at("after graph_remove_node", move || {
        removed.send(()).unwrap();
        is_recording.recv().unwrap();
    });
    bench.driver.at("memset", move || {
        recording.send(()).unwrap();
        is_pruned.recv().unwrap();
    });
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let stream = Stream::create(&bench.context, StreamOptions::default()).unwrap();
            stream.begin_capture_to_graph(&graph, &[], CaptureMode::Global).unwrap();
            stream.memset(&late, 0, 0, 1, 8).unwrap();
            stream.end_capture().unwrap();
        });
        is_listed.recv().unwrap();
        graph.remove_node(nodes(&graph)[0]).unwrap();
        pruned.send(()).unwrap();
    });
    drop((buffer, late));
    assert!(bench.is_there(late_at));
    bench.replay(&graph.instantiate().unwrap());
    drop(graph);
    bench.end();
}

/// A call that finds only after the end of the capture that it was recorded lists its objects late: also after an edit, and
/// whether or not an exec has the list from before.
#[test]
fn what_is_listed_late_reaches_the_graph_and_all_execs() {
    // Who has the list from before the edit, if anybody has, and whether the graph and its later execs go first.
    for (has_exec_from_before, graph_goes_first) in [(false, true), (true, true), (true, false)] {
        let bench = Bench::new();
        let (buffer, other) = (bench.buffer(), bench.buffer());
        let start = buffer.address();
        let (graph, record) = bench.sets_with_record(&buffer, &other);
        drop(buffer);
        let exec = graph.instantiate().unwrap();
        graph.remove_node(nodes(&graph)[0]).unwrap();
        let exec = Some(exec).filter(|_| has_exec_from_before);
        assert_eq!(bench.is_there(start), has_exec_from_before);
        let later = graph.instantiate().unwrap();
        let found = bench.buffer();
        let found_at = found.address();
        record.keep_late(vec![Kept::Object(found.inner())], |_| panic!("nobody else can end it"));
        drop(found);
        match graph_goes_first {
            true => {
                drop((graph, later));
                assert_eq!(bench.is_there(found_at), has_exec_from_before);
                drop(exec);
            }
            false => {
                drop(exec);
                assert!(!bench.is_there(start) && bench.is_there(found_at));
                drop(graph);
                assert!(bench.is_there(found_at), "the later exec has it");
                drop(later);
            }
        }
        assert!(!bench.is_there(start) && !bench.is_there(found_at));
        drop(other);
        bench.end();
    }
}

/// The launches of an exec that was made before the edit count for what is listed late into the graph.
#[test]
fn what_is_listed_late_stays_for_launches_of_execs_from_before() {
    let bench = Bench::new();
    let (buffer, other) = (bench.buffer(), bench.buffer());
    let (graph, record) = bench.sets_with_record(&buffer, &other);
    let exec = graph.instantiate().unwrap();
    graph.remove_node(nodes(&graph)[0]).unwrap();
    exec.launch(&bench.stream).unwrap();
    drop(exec);
    let found = bench.buffer();
    let found_at = found.address();
    record.keep_late(vec![Kept::Object(found.inner())], |_| panic!("nobody else can end it"));
    drop((found, graph));
    let released = bench.driver.released();
    let (_, users) = released.iter().find(|(address, _)| *address == found_at).unwrap();
    assert_eq!(users, &[bench.stream.id()]);
    drop((buffer, other));
    bench.end();
}

/// An object that an edit lets go of may run code of the caller's, which may use the graph.
#[test]
fn nothing_is_dropped_while_the_graph_is_locked() {
    let bench = Bench::new();
    let graph: Arc<Mutex<Option<Graph>, rank::Told>> = Arc::default();
    let (seen, same) = (Arc::new(AtomicUsize::new(0)), Arc::clone(&graph));
    let count = Arc::clone(&seen);
    let on_release = Box::new(move || {
        let graph = lock(&same).take().unwrap();
        // A release makes no such calls itself.
        let remove = || {
            graph.remove_node(nodes(&graph)[0]).unwrap();
            count.store(graph.node_count().unwrap() + 1, Ordering::Relaxed);
        };
        std::thread::scope(|scope| scope.spawn(remove).join().unwrap());
    });
    let (wrapped, other) = (Buffer::adopt(&bench.context, 0x10000, 64, on_release).unwrap(), bench.buffer());
    let recorded = bench.sets(&[&wrapped, &other]);
    drop(wrapped);
    *lock(&graph) = Some(recorded.clone());
    recorded.remove_node(nodes(&recorded)[0]).unwrap();
    assert_eq!(seen.load(Ordering::Relaxed), 1, "the release removed the other node");
    drop((recorded, other));
    bench.end();
}

#[test]
fn bytes_of_a_copy_go_with_it() {
    let bench = Bench::new();
    let buffer = bench.buffer();
    let mut bytes: Vec<Snapshot> = [1, 2].map(|byte| vec![byte; 8].into()).into();
    let graph = bench.record(|| {
        for bytes in &bytes {
            bench.stream.memcpy(&Copy::of(CopySide::Buffer(&buffer, 0), CopySide::Snapshot(bytes), 8)).unwrap();
        }
    });
    let kept: Vec<_> = bytes.drain(..).map(|bytes| Arc::downgrade(&bytes)).collect();
    let kept = || kept.iter().map(|bytes| bytes.strong_count() > 0).collect::<Vec<_>>();
    assert_eq!(kept(), [true, true]);
    graph.remove_node(nodes(&graph)[0]).unwrap();
    assert_eq!(kept(), [false, true]);
    bench.replay(&graph.instantiate().unwrap());
    drop((graph, buffer));
    bench.end();
}

#[path = "shared_retention_tests.rs"]
mod shared_retention;
