//! Captures and graphs over several contexts of one family: what they keep, and which captures streams are found in.

use std::sync::{Arc, Barrier};
use std::thread;

use crate::captures::black_box;
use crate::faulty::Faulty;
use crate::{Buffer, Context, Event, Graph, NodeWork, Stream};
use graphcap_base::error::Status;
use graphcap_base::lock::lock;
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{EventOptions, StreamOptions};

/// Two contexts of one driver, each with a stream and an event.
struct World {
    driver: Arc<Faulty>,
    contexts: [Context; 2],
    origin: Stream,
    fork: Stream,
    events: [Event; 2],
}

fn world() -> World {
    let (driver, home) = Faulty::context();
    let other = driver.another_context();
    let stream = |context: &Context| Stream::create(context, StreamOptions::default()).unwrap();
    let event = |context: &Context| Event::create(context, EventOptions::default()).unwrap();
    World {
        origin: stream(&home),
        fork: stream(&other),
        events: [event(&home), event(&other)],
        contexts: [home, other],
        driver,
    }
}

impl World {
    fn fork(&self) {
        self.origin.begin_capture(CaptureMode::Relaxed).unwrap();
        self.events[0].record(&self.origin).unwrap();
        self.fork.wait_event(&self.events[0]).unwrap();
    }

    fn join(&self) {
        self.events[1].record(&self.fork).unwrap();
        self.origin.wait_event(&self.events[1]).unwrap();
    }

    fn end(&self) -> Graph {
        self.origin.end_capture().unwrap()
    }

    /// A buffer of the other context that the fork uses, and that only its work keeps.
    fn used(&self) -> u64 {
        let buffer = Buffer::allocate(&self.contexts[1], 8).unwrap();
        self.fork.memset(&buffer, 0, 0, 1, 8).unwrap();
        buffer.address()
    }

    fn check(&self) {
        assert_eq!(self.driver.violations(), Vec::<String>::new());
    }
}

#[test]
fn what_a_stream_of_another_context_records_is_kept() {
    let world = world();
    world.fork();
    let recorded: Vec<u64> = (0..5).map(|_| world.used()).collect();
    world.join();
    let exec = world.end().instantiate().unwrap();
    assert!(recorded.iter().all(|&address| world.driver.is_allocated(address)));
    // It executes again, also right after the end.
    let executed = world.used();
    assert_eq!(world.driver.released().last(), Some(&(executed, vec![world.fork.id()])));
    exec.launch(&world.origin).unwrap();
    exec.launch(&world.fork).unwrap();
    drop(exec);
    assert!(!recorded.iter().any(|&address| world.driver.is_allocated(address)));
    let told = world.driver.released().into_iter().filter(|(address, _)| recorded.contains(address));
    let users = vec![world.origin.id(), world.fork.id()];
    assert!(told.map(|(_, users)| users).all(|told| told == users), "of the launches in both contexts");
    world.check();
}

#[test]
fn the_driver_is_asked_once_in_the_capture_of_another_context() {
    let world = world();
    let buffer = Buffer::allocate(&world.contexts[1], 8).unwrap();
    let calls = |times: u64| {
        let before = world.driver.calls();
        (0..times).for_each(|_| world.fork.memset(&buffer, 0, 0, 1, 8).unwrap());
        world.driver.calls() - before - times
    };
    for _ in 0..3 {
        world.fork();
        assert_eq!(calls(5), 1);
        assert_eq!(calls(5), 0);
        world.join();
        drop(world.end());
        calls(1);
        assert_eq!(calls(5), 0, "it was seen outside");
    }
    world.check();
}

#[test]
fn a_graph_keeps_the_contexts_of_the_streams_that_joined() {
    for is_captured in [false, true] {
        let world = world();
        if is_captured {
            world.fork();
            world.join();
        } else {
            world.origin.begin_capture(CaptureMode::Relaxed).unwrap();
        }
        let graph = world.end();
        let World { driver, contexts: [home, other], origin, fork, events } = world;
        let other_is_there = other.downgrade();
        drop((home, other, origin, fork, events));
        assert_eq!(!other_is_there.is_gone(), is_captured);
        let exec = graph.instantiate().unwrap();
        // Also when an edit parts among the nodes what it keeps.
        let node = graph.add_node(&[], &crate::NodeWork::Empty).unwrap();
        graph.remove_node(node).unwrap();
        drop(exec);
        assert_eq!(!other_is_there.is_gone(), is_captured);
        drop(graph);
        assert!(other_is_there.is_gone());
        assert_eq!((driver.live(), driver.violations()), (0, vec![]));
    }
}

/// Another thread has the stream join, and ends the capture, while a call on the stream goes on.
#[test]
fn a_call_that_races_a_join_from_another_context_is_kept() {
    for is_ended in [false, true] {
        let world = world();
        let buffer = Buffer::allocate(&world.contexts[1], 8).unwrap();
        let address = buffer.address();
        let (origin, fork, event) = (world.origin.clone(), world.fork.clone(), world.events[0].clone());
        origin.begin_capture(CaptureMode::Relaxed).unwrap();
        event.record(&origin).unwrap();
        world.driver.at("memset", move || fork.wait_event(&event).unwrap());
        let ended = Arc::new(std::sync::Mutex::new(None));
        let (slot, fork, join) = (Arc::clone(&ended), world.fork.clone(), world.events[1].clone());
        let end = move || {
            join.record(&fork).unwrap();
            origin.wait_event(&join).unwrap();
            *slot.lock().unwrap() = Some(origin.end_capture().unwrap());
        };
        if is_ended {
            world.driver.at("after memset", end.clone());
        }
        world.fork.memset(&buffer, 0, 0, 1, 8).unwrap();
        drop(buffer);
        if !is_ended {
            end();
        }
        let graph = ended.lock().unwrap().take().unwrap();
        assert!(world.driver.is_allocated(address), "ended within: {is_ended}");
        graph.instantiate().unwrap().launch(&world.fork).unwrap();
        world.check();
    }
}

#[test]
fn a_wait_for_a_context_is_in_the_way_of_captures_that_its_streams_joined() {
    let world = world();
    world.fork();
    assert!(world.contexts.iter().all(black_box::captures_in));
    drop(world.end());
    assert!(!world.contexts.iter().any(black_box::captures_in));
}

/// Each driver numbers its captures, so a capture of one family has the number of a capture of another.
#[test]
fn captures_of_other_families_are_told_apart() {
    let (first, second) = (world(), world());
    first.fork();
    second.fork();
    let kept = [first.used(), second.used()];
    first.join();
    drop(first.end());
    assert!(!first.driver.is_allocated(kept[0]) && second.driver.is_allocated(kept[1]));
    assert_eq!(second.fork.wait_event(&first.events[0]).unwrap_err().status, Status::INVALID_CONTEXT);
    assert_eq!(first.events[0].record(&second.fork).unwrap_err().status, Status::INVALID_CONTEXT);
    second.join();
    drop(second.end());
    first.check();
    second.check();
}

/// The per-thread stream of a context is one object for all threads. What a thread finds out of its own says nothing of others.
#[test]
fn each_thread_joins_and_leaves_captures_by_itself() {
    let world = world();
    let own = world.contexts[1].per_thread_stream();
    let executed = Buffer::allocate(&world.contexts[1], 8).unwrap();
    let (captured, joined) = (Barrier::new(2), Barrier::new(2));
    thread::scope(|scope| {
        let neighbour = scope.spawn(|| {
            own.begin_capture(CaptureMode::Relaxed).unwrap();
            let graph = own.end_capture().unwrap();
            captured.wait();
            joined.wait();
            own.memset(&executed, 0, 0, 1, 8).unwrap();
            drop(graph);
        });
        captured.wait();
        world.origin.begin_capture(CaptureMode::Relaxed).unwrap();
        world.events[0].record(&world.origin).unwrap();
        own.wait_event(&world.events[0]).unwrap();
        joined.wait();
        neighbour.join().unwrap();
    });
    let recorded = Buffer::allocate(&world.contexts[1], 8).unwrap();
    own.memset(&recorded, 0, 0, 1, 8).unwrap();
    // Nor does a new handle, when all others are gone.
    drop(own);
    let own = world.contexts[1].per_thread_stream();
    own.memset(&recorded, 0, 0, 1, 8).unwrap();
    let late = Buffer::allocate(&world.contexts[1], 8).unwrap();
    own.memset(&late, 0, 0, 1, 8).unwrap();
    let kept = [recorded.address(), late.address()];
    drop((recorded, late));
    world.events[1].record(&own).unwrap();
    world.origin.wait_event(&world.events[1]).unwrap();
    let graph = world.end();
    assert_eq!(kept.map(|address| world.driver.is_allocated(address)), [true; 2]);
    graph.instantiate().unwrap().launch(&world.origin).unwrap();
    // It executes again, and asks the driver nothing once it was seen outside.
    own.memset(&executed, 0, 0, 1, 8).unwrap();
    let calls = world.driver.calls();
    (0..5).for_each(|_| own.memset(&executed, 0, 0, 1, 8).unwrap());
    assert_eq!(world.driver.calls(), calls + 5);
    world.check();
}

#[test]
fn the_graph_of_a_capture_is_of_the_context_that_it_was_begun_in() {
    let world = world();
    world.fork();
    let kept = world.used();
    let graph = world.fork.capture_graph().unwrap();
    assert!(graph.context().is(&world.contexts[0]));
    assert!(Arc::ptr_eq(&graph.0, &world.origin.capture_graph().unwrap().0));
    world.fork.capture_node(&NodeWork::Empty).unwrap();
    world.join();
    let ended = world.end();
    assert!(Arc::ptr_eq(&graph.0, &ended.0));
    drop(graph);
    assert!(world.driver.is_allocated(kept));
    drop(ended);
    assert!(!world.driver.is_allocated(kept));
    world.check();
}

/// Only that thread can name the graph: to others the same handle is a stream of their own.
#[test]
fn the_graph_of_another_threads_capture_cannot_be_had() {
    let world = world();
    let own = world.contexts[0].per_thread_stream();
    own.begin_capture(CaptureMode::Relaxed).unwrap();
    world.events[0].record(&own).unwrap();
    world.fork.wait_event(&world.events[0]).unwrap();
    let error = thread::scope(|scope| scope.spawn(|| world.fork.capture_graph().unwrap_err()).join().unwrap());
    assert_eq!(error.status, Status::NOT_PERMITTED);
    assert!(error.message.contains("thread"), "{error}");
    let graph = world.fork.capture_graph().unwrap();
    assert!(Arc::ptr_eq(&graph.0, &own.end_capture().unwrap().0));
    world.check();
}

#[test]
fn a_wait_that_is_refused_takes_a_stream_into_no_capture() {
    let world = world();
    world.origin.begin_capture(CaptureMode::Relaxed).unwrap();
    world.events[0].record(&world.origin).unwrap();
    let other = &world.contexts[1];
    for stream in [world.fork.clone(), other.legacy_stream(), other.per_thread_stream()] {
        world.driver.fail("stream_wait_event", Status::CAPTURE_IMPLICIT);
        assert_eq!(stream.wait_event(&world.events[0]).unwrap_err().status, Status::CAPTURE_IMPLICIT);
        assert!(!stream.may_be_captured());
    }
    drop(world.end());
    world.check();
}

#[test]
fn threads_that_ended_hold_up_no_others() {
    let world = world();
    let own = world.contexts[1].per_thread_stream();
    let buffer = Buffer::allocate(&world.contexts[1], 8).unwrap();
    world.origin.begin_capture(CaptureMode::Relaxed).unwrap();
    world.events[0].record(&world.origin).unwrap();
    for _ in 0..3 {
        thread::scope(|scope| scope.spawn(|| own.wait_event(&world.events[0]).unwrap()).join().unwrap());
    }
    let calls = world.driver.calls();
    own.memset(&buffer, 0, 0, 1, 8).unwrap();
    assert_eq!(world.driver.calls(), calls + 1, "this thread has joined nothing");
    drop(world.end());
    assert!(!own.may_be_captured());
    let per_thread = world.contexts[1].per_thread();
    assert_eq!(lock(&per_thread.threads).len(), 0);
    assert_eq!(per_thread.all.joined.load(std::sync::atomic::Ordering::Acquire), 0);
    world.check();
}
