//! Tests of what graphs and execs keep that are built and edited by hand, and what they let go of.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::faulty::Faulty;
use crate::{Buffer, Context, Event, Fill, GraphExec, Kernel, KernelArgument, Stream};
use graphcap_base::error::Status;
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{Address, EventOptions, HostFunction, LaunchShape, ModuleSource, StreamOptions};

struct Bench {
    driver: Arc<Faulty>,
    context: Context,
    stream: Stream,
    graph: Graph,
}

impl Bench {
    fn new() -> Bench {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let graph = Graph::create(&context).unwrap();
        Bench { driver, context, stream, graph }
    }

    fn buffer(&self) -> (Buffer, Address) {
        let buffer = Buffer::allocate(&self.context, 64).unwrap();
        let at = buffer.address();
        (buffer, at)
    }

    fn is_there(&self, at: Address) -> bool {
        self.driver.is_allocated(at)
    }

    fn replay(&self, exec: &GraphExec) {
        exec.launch(&self.stream).unwrap();
        assert_eq!(self.driver.violations(), Vec::<String>::new());
    }

    fn end(self) {
        let Bench { driver, context, stream, graph } = self;
        drop((context, stream, graph));
        assert_eq!((driver.live(), driver.violations()), (0, vec![]));
    }
}

fn set(buffer: &Buffer) -> NodeWork<'_> {
    NodeWork::Memset(Fill { buffer, offset: 0, value: 1, element_size: 1, width: 8, height: 1, pitch: 0 })
}

fn launch<'a>(kernel: &'a Kernel, arguments: &'a [KernelArgument<'a>]) -> NodeWork<'a> {
    let shape = LaunchShape::ONE_THREAD;
    NodeWork::Kernel { kernel, shape, arguments, attributes: &[] }
}

/// A function, and how often it was dropped.
fn counted() -> (HostFunction, Arc<AtomicUsize>) {
    struct Dropped(Arc<AtomicUsize>);
    impl Drop for Dropped {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    let drops = Arc::new(AtomicUsize::new(0));
    let dropped = Dropped(Arc::clone(&drops));
    (
        Arc::new(move || {
            let _kept = &dropped;
        }),
        drops,
    )
}

#[test]
fn a_built_graph_keeps_what_its_nodes_use_until_nothing_can_run_them() {
    let bench = Bench::new();
    let (buffer, at) = bench.buffer();
    let event = Event::create(&bench.context, EventOptions::default()).unwrap();
    let kernel = Faulty::load(&bench.context, ModuleSource::default()).kernel("k-any").unwrap();
    let (function, drops) = counted();
    let first = bench.graph.add_node(&[], &set(&buffer)).unwrap();
    let argument = KernelArgument::Buffer { buffer: &buffer, offset: 0, access: Default::default() };
    let second = bench.graph.add_node(&[first], &launch(&kernel, &[argument])).unwrap();
    bench.graph.add_node(&[second], &NodeWork::Host(&function)).unwrap();
    bench.graph.add_node(&[second], &NodeWork::EventRecord(&event)).unwrap();
    bench.graph.add_node(&[], &NodeWork::Empty).unwrap();
    drop((buffer, event, kernel, function));
    let exec = bench.graph.instantiate().unwrap();
    bench.replay(&exec);
    let copy = bench.graph.duplicate().unwrap();
    let of_copy = copy.instantiate().unwrap();
    let Bench { driver, context, stream, graph } = bench;
    drop((graph, copy, exec));
    assert!(driver.is_allocated(at) && drops.load(Ordering::Relaxed) == 0);
    of_copy.launch(&stream).unwrap();
    stream.synchronize().unwrap();
    drop(of_copy);
    assert!(!driver.is_allocated(at));
    assert_eq!(drops.load(Ordering::Relaxed), 1);
    drop((context, stream));
    assert_eq!((driver.live(), driver.violations()), (0, vec![]));
}

#[test]
fn a_node_that_is_set_or_removed_lets_go_of_what_it_used() {
    let bench = Bench::new();
    let ((first, first_at), (second, second_at)) = (bench.buffer(), bench.buffer());
    let node = bench.graph.add_node(&[], &set(&first)).unwrap();
    let before = bench.graph.instantiate().unwrap();
    bench.graph.set_node(node, &set(&second)).unwrap();
    drop((first, second));
    assert!(bench.is_there(first_at), "an exec runs it");
    drop(before);
    assert!(!bench.is_there(first_at));
    let (third, third_at) = bench.buffer();
    bench.driver.fail("node_set", Status::INVALID_VALUE);
    assert_eq!(bench.graph.set_node(node, &set(&third)).unwrap_err().status, Status::INVALID_VALUE);
    drop(third);
    assert!(bench.is_there(second_at) && !bench.is_there(third_at));
    bench.replay(&bench.graph.instantiate().unwrap());
    bench.graph.remove_node(node).unwrap();
    assert!(!bench.is_there(second_at));
    bench.driver.fail("graph_add_node", Status::INVALID_VALUE);
    let (fourth, fourth_at) = bench.buffer();
    assert!(bench.graph.add_node(&[], &set(&fourth)).is_err());
    drop(fourth);
    assert!(!bench.is_there(fourth_at));
    bench.end();
}

#[test]
fn a_node_that_is_set_to_the_same_objects_keeps_them_once() {
    let bench = Bench::new();
    let ((same, same_at), (next, next_at)) = (bench.buffer(), bench.buffer());
    let node = bench.graph.add_node(&[], &set(&same)).unwrap();
    let exec = bench.graph.instantiate().unwrap();
    for _ in 0..2 {
        bench.graph.set_node(node, &set(&same)).unwrap();
        exec.set_node(node, &set(&same)).unwrap();
    }
    for call in ["node_set", "exec_set"] {
        bench.driver.fail(call, Status::INVALID_VALUE);
        let set =
            if call == "node_set" { bench.graph.set_node(node, &set(&same)) } else { exec.set_node(node, &set(&same)) };
        assert_eq!(set.unwrap_err().status, Status::INVALID_VALUE);
    }
    drop(same);
    assert!(bench.is_there(same_at));
    bench.graph.set_node(node, &set(&next)).unwrap();
    assert!(bench.is_there(same_at), "the exec runs it");
    exec.set_node(node, &set(&next)).unwrap();
    assert!(!bench.is_there(same_at));
    drop(next);
    drop(exec);
    assert!(bench.is_there(next_at), "the graph has it");
    bench.graph.remove_node(node).unwrap();
    assert!(!bench.is_there(next_at));
    bench.end();
}

#[test]
fn nodes_of_a_capture_are_edited_as_those_that_were_added() {
    let bench = Bench::new();
    let ((both, both_at), (own, own_at), (new, new_at)) = (bench.buffer(), bench.buffer(), bench.buffer());
    bench.stream.begin_capture(CaptureMode::Relaxed).unwrap();
    bench.stream.memset(&both, 0, 0, 1, 8).unwrap();
    bench.stream.memcpy_dtod(&both, 8, &own, 0, 8).unwrap();
    let graph = bench.stream.end_capture().unwrap();
    let [memset, copy] = graph.nodes().unwrap().nodes[..] else { panic!("two nodes were recorded") };
    let made_before = graph.instantiate().unwrap();
    graph.add_node(&[copy], &set(&new)).unwrap();
    graph.set_node(memset, &set(&own)).unwrap();
    drop((both, own, new));
    graph.remove_node(copy).unwrap();
    drop(made_before);
    assert!(!bench.is_there(both_at));
    assert!(bench.is_there(own_at) && bench.is_there(new_at));
    bench.replay(&graph.instantiate().unwrap());
    drop(graph);
    assert!(!bench.is_there(own_at) && !bench.is_there(new_at));
    bench.end();
}

#[test]
fn an_exec_that_is_set_keeps_its_own_and_lets_go_behind_its_launches() {
    for is_captured in [false, true] {
        for is_graph_edited_before in [false, true] {
            let bench = Bench::new();
            let ((old, old_at), (new, new_at), (next, next_at)) = (bench.buffer(), bench.buffer(), bench.buffer());
            let graph = match is_captured {
                true => {
                    bench.stream.begin_capture(CaptureMode::Relaxed).unwrap();
                    bench.stream.memset(&old, 0, 0, 1, 8).unwrap();
                    bench.stream.end_capture().unwrap()
                }
                false => {
                    bench.graph.add_node(&[], &set(&old)).unwrap();
                    bench.graph.clone()
                }
            };
            let node = graph.nodes().unwrap().nodes[0];
            let (exec, other) = (graph.instantiate().unwrap(), graph.instantiate().unwrap());
            drop(old);
            if is_graph_edited_before {
                graph.set_node(node, &set(&next)).unwrap();
            }
            bench.replay(&exec);
            exec.set_node(node, &set(&new)).unwrap();
            drop((new, next));
            bench.replay(&exec);
            assert!(bench.is_there(old_at), "the other exec runs it");
            drop(other);
            assert_eq!(bench.is_there(old_at), !is_graph_edited_before, "captured {is_captured}");
            bench.driver.fail("exec_set", Status::INVALID_VALUE);
            let (failed, failed_at) = bench.buffer();
            assert!(exec.set_node(node, &set(&failed)).is_err());
            drop(failed);
            assert!(bench.is_there(new_at) && !bench.is_there(failed_at));
            graph.remove_node(node).unwrap();
            assert!(!bench.is_there(old_at) && !bench.is_there(next_at));
            let released = bench.driver.released();
            let users = released.iter().find(|(at, _)| *at == old_at).map(|(_, users)| users.clone());
            assert_eq!(users, Some(vec![bench.stream.id()]), "it waits for the launch");
            bench.replay(&exec);
            drop(exec);
            assert!(!bench.is_there(new_at));
            drop(graph);
            bench.end();
        }
    }
}

#[test]
fn an_exec_keeps_what_its_other_nodes_use_when_its_graph_was_edited_before_it() {
    for is_removed in [false, true] {
        let bench = Bench::new();
        let ((old, old_at), (new, new_at), (both, _)) = (bench.buffer(), bench.buffer(), bench.buffer());
        bench.stream.begin_capture(CaptureMode::Relaxed).unwrap();
        bench.stream.memset(&old, 0, 0, 1, 8).unwrap();
        bench.stream.memset(&both, 0, 0, 1, 8).unwrap();
        let graph = bench.stream.end_capture().unwrap();
        let [first, second] = graph.nodes().unwrap().nodes[..] else { panic!("two nodes were recorded") };
        let exec = graph.instantiate().unwrap();
        match is_removed {
            true => graph.remove_node(first).unwrap(),
            false => graph.set_node(first, &set(&new)).unwrap(),
        }
        exec.set_node(second, &set(&both)).unwrap();
        drop((old, new, both));
        assert!(bench.is_there(old_at));
        assert_eq!(bench.is_there(new_at), !is_removed);
        bench.replay(&exec);
        drop(exec);
        assert!(!bench.is_there(old_at));
        drop(graph);
        bench.end();
    }
}

/// An object that a capture lists may be for a node that it has yet to record.
#[test]
fn what_a_capture_into_the_graph_lists_stays_while_others_edit_it() {
    let bench = Bench::new();
    let ((first, _), (second, second_at)) = (bench.buffer(), bench.buffer());
    let node = bench.graph.add_node(&[], &set(&first)).unwrap();
    bench.stream.begin_capture_to_graph(&bench.graph, &[], CaptureMode::Relaxed).unwrap();
    drop(bench.stream.end_capture().unwrap());
    bench.stream.begin_capture_to_graph(&bench.graph, &[], CaptureMode::Relaxed).unwrap();
    let graph = bench.graph.clone();
    let other = first.clone();
    // In the middle of the recording, when its list has the buffer and the driver does not have the node yet.
    bench.driver.at("memset", move || graph.set_node(node, &set(&other)).unwrap());
    bench.stream.memset(&second, 0, 0, 1, 8).unwrap();
    drop(bench.stream.end_capture().unwrap());
    drop((first, second));
    assert!(bench.is_there(second_at));
    bench.replay(&bench.graph.instantiate().unwrap());
    bench.end();
}

#[test]
fn an_object_that_a_graph_retains_goes_with_its_last_exec() {
    let bench = Bench::new();
    let (buffer, _) = bench.buffer();
    let (object, drops) = counted();
    bench.graph.retain(object).unwrap();
    let node = bench.graph.add_node(&[], &set(&buffer)).unwrap();
    let (copy, exec) = (bench.graph.duplicate().unwrap(), bench.graph.instantiate().unwrap());
    bench.graph.remove_node(node).unwrap();
    let of_copy = copy.instantiate().unwrap();
    let Bench { driver, context, stream, graph } = bench;
    drop((graph, copy, exec));
    assert_eq!(drops.load(Ordering::Relaxed), 0);
    drop(of_copy);
    assert_eq!(drops.load(Ordering::Relaxed), 1);
    drop((context, stream, buffer));
    assert_eq!((driver.live(), driver.violations()), (0, vec![]));
}

#[test]
fn an_exec_whose_graph_is_gone_is_not_edited() {
    let bench = Bench::new();
    let (buffer, _) = bench.buffer();
    let graph = Graph::create(&bench.context).unwrap();
    let node = graph.add_node(&[], &set(&buffer)).unwrap();
    let exec = graph.instantiate().unwrap();
    drop(graph);
    let error = exec.set_node(node, &set(&buffer)).unwrap_err();
    assert!(error.status == Status::INVALID_VALUE && error.message.contains("is destroyed"), "{error}");
    assert_eq!(exec.enable_node(node, false).unwrap_err().status, Status::INVALID_VALUE);
    bench.replay(&exec);
    drop((exec, buffer));
    bench.end();
}

#[test]
fn a_child_keeps_what_it_used_when_it_was_added() {
    let bench = Bench::new();
    let ((first, first_at), (second, second_at)) = (bench.buffer(), bench.buffer());
    let child = Graph::create(&bench.context).unwrap();
    let node = child.add_node(&[], &set(&first)).unwrap();
    let within = bench.graph.add_node(&[], &NodeWork::Child(&child)).unwrap();
    child.set_node(node, &set(&second)).unwrap();
    drop((first, second));
    assert!(bench.is_there(first_at), "the copy uses it");
    drop(child);
    assert!(!bench.is_there(second_at));
    bench.graph.remove_node(within).unwrap();
    assert!(!bench.is_there(first_at));
    bench.end();
}

#[test]
fn a_graph_that_a_capture_gave_becomes_a_child_with_what_it_keeps() {
    let bench = Bench::new();
    let (buffer, at) = bench.buffer();
    bench.stream.begin_capture(CaptureMode::Relaxed).unwrap();
    bench.stream.memset(&buffer, 0, 0, 1, 8).unwrap();
    let child = bench.stream.end_capture().unwrap();
    bench.graph.add_node(&[], &NodeWork::Child(&child)).unwrap();
    drop((buffer, child));
    assert!(bench.is_there(at));
    bench.end();
}

#[test]
fn graphs_that_become_children_of_each_other_at_once_do_not_block() {
    let bench = Bench::new();
    let other = Graph::create(&bench.context).unwrap();
    std::thread::scope(|scope| {
        for (parent, child) in [(&bench.graph, &other), (&other, &bench.graph)] {
            // A copy of the other graph goes at once, since copies of copies grow without end.
            let add = |_| drop(parent.add_node(&[], &NodeWork::Child(child)).and_then(|node| parent.remove_node(node)));
            scope.spawn(move || (0..100).for_each(add));
        }
    });
    drop(other);
    bench.end();
}

#[test]
fn work_on_objects_of_another_context_or_on_nothing_is_refused() {
    let bench = Bench::new();
    let (_driver, other) = Faulty::context();
    let foreign = Buffer::allocate(&other, 64).unwrap();
    let event = Event::create(&other, EventOptions::default()).unwrap();
    let graph = Graph::create(&other).unwrap();
    for work in [set(&foreign), NodeWork::EventWait(&event), NodeWork::Child(&graph)] {
        let error = bench.graph.add_node(&[], &work).unwrap_err();
        assert!(error.status == Status::INVALID_CONTEXT && error.message.contains("the graph"), "{error}");
    }
    let (buffer, _) = bench.buffer();
    let NodeWork::Memset(fill) = set(&buffer) else { unreachable!() };
    for work in [
        NodeWork::Memset(Fill { width: 0, ..fill }),
        NodeWork::Memset(Fill { height: 0, ..fill }),
        NodeWork::Values(&[]),
    ] {
        let error = bench.graph.add_node(&[], &work).unwrap_err();
        assert!(error.status == Status::INVALID_VALUE && error.message.contains("0"), "{error}");
    }
    assert_eq!(bench.graph.node_count().unwrap(), 0);
    drop(buffer);
    bench.end();
}

/// To destroy a graph takes locks that are not to be taken within that of another graph.
#[test]
fn a_copy_that_cannot_be_named_goes_when_no_lock_is_held() {
    let (driver, context) = Faulty::context();
    let graph = Graph::create(&context).unwrap();
    let node = graph.add_node(&[], &NodeWork::Empty).unwrap();
    graph.set_node_name(node, "first").unwrap();
    let root = Arc::clone(graph.0.root());
    driver.at("graph_destroy", move || drop(root.edits.try_lock().expect("the original is not locked")));
    driver.fail("graph_nodes", Status::OUT_OF_MEMORY);
    assert_eq!(graph.duplicate().unwrap_err().status, Status::OUT_OF_MEMORY);
    assert_eq!(driver.graphs(), 1);
    drop(graph);
}
