//! Tests of what captures keep alive: over several streams, and after failures.

#[path = "membership_race_tests.rs"]
mod races;

use std::sync::Arc;

use crate::faulty::Faulty;
use crate::{Buffer, Context, Copy, CopySide, Event, Graph, Stream};
use graphcap_base::error::Status;
use graphcap_base::lock::lock;
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{
    CaptureStatus, Captures, DependencyUpdate, EdgeData, EventOptions, HostFunction, ModuleSource, Snapshot, StreamId,
    StreamOptions,
};

fn stream(context: &Context) -> Stream {
    Stream::create(context, StreamOptions::default()).unwrap()
}

fn event(context: &Context) -> Event {
    Event::create(context, EventOptions::default()).unwrap()
}

fn buffer(context: &Context) -> Buffer {
    Buffer::allocate(context, 16).unwrap()
}

fn set(stream: &Stream, buffer: &Buffer) {
    stream.memset(buffer, 0, 0, 1, 16).unwrap();
}

/// Drops the caller's handle and gives the address.
fn forget(buffer: Buffer) -> u64 {
    buffer.address()
}

fn join(to: &Stream, from: &Stream) -> Event {
    let event = event(from.context());
    event.record(from).unwrap();
    to.wait_event(&event).unwrap();
    event
}

/// Replays `graph` without its definition on a stream of its own, then lets go of it. Gives the id of that stream.
fn replay(context: &Context, graph: Graph) -> StreamId {
    let exec = graph.instantiate().unwrap();
    drop(graph);
    let stream = stream(context);
    exec.launch(&stream).unwrap();
    stream.id()
}

#[test]
fn a_graph_keeps_everything_that_forks_and_joins_recorded() {
    let (driver, context) = Faulty::context();
    let (origin, left, right) = (stream(&context), stream(&context), stream(&context));
    let (a, b, c) = (buffer(&context), buffer(&context), buffer(&context));
    let module = Faulty::load(&context, ModuleSource::default());
    let kernel = module.kernel("k").unwrap();
    let token = Arc::new(());
    let held = Arc::clone(&token);
    let function: HostFunction = Arc::new(move || drop(Arc::clone(&held)));
    origin.begin_capture(CaptureMode::Global).unwrap();
    set(&origin, &a);
    join(&left, &origin);
    join(&right, &left);
    Faulty::launch(&left, &kernel, &b);
    right.memcpy_dtod(&c, 0, &b, 0, 16).unwrap();
    right.launch_host_function(function).unwrap();
    join(&left, &right);
    join(&origin, &left);
    let graph = origin.end_capture().unwrap();
    assert_eq!((graph.0.kept().len(), driver.executed().len()), (1, 0));
    let module_id = module.0.id();
    let addresses = [forget(a), forget(b), forget(c)];
    drop((module, kernel, left, right, origin));
    assert!(addresses.iter().all(|&address| driver.is_allocated(address)) && driver.is_loaded(module_id));
    assert_eq!(Arc::strong_count(&token), 2);
    replay(&context, graph);
    context.synchronize().unwrap();
    assert_eq!(driver.violations(), Vec::<String>::new());
    assert_eq!(Arc::strong_count(&token), 1);
    drop(context);
    assert_eq!((driver.live(), Arc::strong_count(&driver)), (0, 1));
}

#[test]
fn what_an_exec_kept_waits_for_the_streams_that_it_was_launched_on() {
    let (driver, context) = Faulty::context();
    let (origin, first, second) = (stream(&context), stream(&context), stream(&context));
    let (buffer, external) = (buffer(&context), event(&context));
    origin.begin_capture(CaptureMode::Global).unwrap();
    set(&origin, &buffer);
    external.record_external(&origin).unwrap();
    let bytes: Snapshot = vec![7; 16].into();
    origin.memcpy(&Copy::of(CopySide::Buffer(&buffer, 0), CopySide::Snapshot(&bytes), 16)).unwrap();
    let graph = origin.end_capture().unwrap();
    let exec = graph.instantiate().unwrap();
    for stream in [&second, &first, &second] {
        exec.launch(stream).unwrap();
    }
    let unlaunched = graph.instantiate().unwrap();
    [&first, &second].into_iter().for_each(|stream| stream.synchronize().unwrap());
    let address = forget(buffer);
    let before = Arc::strong_count(&bytes);
    drop((external, unlaunched));
    assert_eq!(Arc::strong_count(&bytes), before);
    drop(exec);
    assert_eq!(Arc::strong_count(&bytes), before + 1, "the device holds it for the launches");
    assert_eq!(driver.released(), [], "the graph keeps it");
    drop(graph);
    assert_eq!(Arc::strong_count(&bytes), 2, "the caller's, and the device's");
    assert_eq!(driver.released(), [(address, vec![first.id(), second.id()])]);
    assert_eq!(driver.violations(), Vec::<String>::new());
}

#[test]
fn an_exec_keeps_what_it_needs_until_it_goes() {
    let (driver, context) = Faulty::context();
    let stream = stream(&context);
    let buffer = buffer(&context);
    stream.begin_capture(CaptureMode::Global).unwrap();
    set(&stream, &buffer);
    let graph = stream.end_capture().unwrap();
    let (one, two) = (graph.instantiate().unwrap(), graph.instantiate().unwrap());
    let address = forget(buffer);
    drop((graph, one));
    assert!(driver.is_allocated(address));
    drop(two);
    assert_eq!(driver.released(), [(address, vec![])]);
}

#[test]
fn streams_are_out_when_the_capture_has_ended() {
    let (driver, context) = Faulty::context();
    let (origin, fork) = (stream(&context), stream(&context));
    origin.begin_capture(CaptureMode::Global).unwrap();
    let event = join(&fork, &origin);
    join(&origin, &fork);
    let graph = origin.end_capture().unwrap();
    let late = stream(&context);
    assert_eq!(late.wait_event(&event).unwrap_err().status, Status::INVALID_VALUE);
    let mut expected = vec![];
    for stream in [&origin, &fork, &late] {
        let buffer = buffer(&context);
        set(stream, &buffer);
        expected.push((forget(buffer), vec![stream.id()]));
    }
    assert_eq!(driver.released(), expected, "eager work is retained by nobody");
    event.record(&late).unwrap();
    fork.wait_event(&event).unwrap();
    let after = buffer(&context);
    set(&fork, &after);
    let address = forget(after);
    assert!(!driver.is_allocated(address));
    drop(graph);
}

#[test]
fn a_stream_can_be_captured_again_and_again() {
    let (driver, context) = Faulty::context();
    let (one, two) = (stream(&context), stream(&context));
    for round in 0..5 {
        let (origin, fork) = if round % 2 == 0 { (&one, &two) } else { (&two, &one) };
        let (a, b) = (buffer(&context), buffer(&context));
        origin.begin_capture(CaptureMode::Global).unwrap();
        assert_eq!(origin.begin_capture(CaptureMode::Global).unwrap_err().status, Status::ILLEGAL_STATE);
        set(origin, &a);
        join(fork, origin);
        set(fork, &b);
        join(origin, fork);
        let graph = origin.end_capture().unwrap();
        assert_eq!(origin.end_capture().unwrap_err().status, Status::ILLEGAL_STATE);
        let addresses = [forget(a), forget(b)];
        assert!(addresses.iter().all(|&address| driver.is_allocated(address)));
        replay(&context, graph);
        assert!(!addresses.iter().any(|&address| driver.is_allocated(address)));
    }
    assert_eq!(driver.violations(), Vec::<String>::new());
}

#[test]
fn two_captures_may_share_a_buffer() {
    let (driver, context) = Faulty::context();
    let (stream, other) = (stream(&context), stream(&context));
    let (a, b) = (buffer(&context), buffer(&context));
    stream.begin_capture(CaptureMode::Relaxed).unwrap();
    other.begin_capture(CaptureMode::Relaxed).unwrap();
    stream.memcpy_dtod(&a, 0, &b, 0, 16).unwrap();
    set(&other, &a);
    let (first, second) = (stream.end_capture().unwrap(), other.end_capture().unwrap());
    let (a, b) = (forget(a), forget(b));
    replay(&context, first);
    assert!(driver.is_allocated(a) && !driver.is_allocated(b));
    replay(&context, second);
    assert!(!driver.is_allocated(a));
    assert_eq!(driver.violations(), Vec::<String>::new());
}

/// One way for a capture to come to nothing, given its origin and a fork of it.
type Ending = fn(&Faulty, Stream, Stream);

#[test]
fn a_capture_that_fails_keeps_nothing() {
    let endings: [(&str, Ending); 7] = [
        ("unjoined", |driver, origin, _fork| {
            driver.fail("end_capture", Status::CAPTURE_UNJOINED);
            assert_eq!(origin.end_capture().unwrap_err().status, Status::CAPTURE_UNJOINED);
        }),
        ("ended by the fork, then by the origin", |driver, origin, fork| {
            assert_eq!(fork.end_capture().unwrap_err().status, Status::CAPTURE_UNMATCHED);
            assert_eq!(driver.released().len(), 0, "the capture is still to be ended");
            assert_eq!(origin.capture_info().unwrap().status, CaptureStatus::Invalidated);
            assert_eq!(origin.end_capture().unwrap_err().status, Status::CAPTURE_INVALIDATED);
        }),
        ("ended by another thread", |_, origin, fork| {
            join(&origin, &fork);
            let status = std::thread::scope(|scope| {
                scope.spawn(|| origin.end_capture().map(drop).unwrap_err().status).join().unwrap()
            });
            assert_eq!(status, Status::CAPTURE_WRONG_THREAD);
            assert_eq!(origin.end_capture().unwrap_err().status, Status::ILLEGAL_STATE);
        }),
        ("faulted", |driver, origin, _fork| {
            driver.fail("end_capture", Status::ILLEGAL_ADDRESS);
            assert_eq!(origin.end_capture().unwrap_err().status, Status::ILLEGAL_ADDRESS);
        }),
        ("the driver knows of no capture", |driver, origin, _fork| {
            driver.fail("end_capture", Status::ILLEGAL_STATE);
            assert_eq!(origin.end_capture().unwrap_err().status, Status::ILLEGAL_STATE);
        }),
        ("the origin goes first", |_, origin, fork| {
            drop(origin);
            assert_eq!(fork.end_capture().unwrap_err().status, Status::ILLEGAL_STATE);
        }),
        ("the fork goes first", |_, origin, fork| drop((fork, origin))),
    ];
    for (name, ending) in endings {
        let (driver, context) = Faulty::context();
        let (origin, fork) = (stream(&context), stream(&context));
        let (a, b) = (buffer(&context), buffer(&context));
        origin.begin_capture(CaptureMode::Global).unwrap();
        set(&origin, &a);
        let event = join(&fork, &origin);
        set(&fork, &b);
        let addresses = [forget(a), forget(b)];
        assert!(addresses.iter().all(|&address| driver.is_allocated(address)), "{name}");
        ending(&driver, origin, fork);
        assert_eq!(driver.released(), addresses.map(|address| (address, vec![])), "{name}");
        drop((event, context));
        assert_eq!((driver.live(), Arc::strong_count(&driver)), (0, 1), "{name}");
    }
}

#[test]
fn a_fork_executes_again_once_the_origin_is_destroyed() {
    let (driver, context) = Faulty::context();
    let (origin, fork) = (stream(&context), stream(&context));
    origin.begin_capture(CaptureMode::Global).unwrap();
    join(&fork, &origin);
    drop(origin);
    let buffer = buffer(&context);
    set(&fork, &buffer);
    assert_eq!(driver.executed(), [fork.id()]);
    assert_eq!((forget(buffer), vec![fork.id()]), driver.released()[0]);
    fork.begin_capture(CaptureMode::Global).unwrap();
    fork.end_capture().unwrap();
}

#[test]
fn events_and_forks_may_go_while_the_capture_runs() {
    let (driver, context) = Faulty::context();
    let (origin, fork) = (stream(&context), stream(&context));
    let (a, b) = (buffer(&context), buffer(&context));
    origin.begin_capture(CaptureMode::Global).unwrap();
    drop(join(&fork, &origin));
    set(&fork, &a);
    drop(join(&origin, &fork));
    drop(fork);
    set(&origin, &b);
    let graph = origin.end_capture().unwrap();
    let addresses = [forget(a), forget(b)];
    assert!(addresses.iter().all(|&address| driver.is_allocated(address)));
    replay(&context, graph);
    assert_eq!(driver.violations(), Vec::<String>::new());
}

#[test]
fn a_failed_begin_or_wait_changes_nothing() {
    let (driver, context) = Faulty::context();
    let (origin, other) = (stream(&context), stream(&context));
    driver.fail("begin_capture", Status::CAPTURE_UNSUPPORTED);
    assert_eq!(origin.begin_capture(CaptureMode::Global).unwrap_err().status, Status::CAPTURE_UNSUPPORTED);
    let a = buffer(&context);
    set(&origin, &a);
    assert_eq!((forget(a), vec![origin.id()]), driver.released()[0]);
    origin.begin_capture(CaptureMode::Global).unwrap();
    let event = event(&context);
    event.record(&origin).unwrap();
    driver.fail("stream_wait_event", Status::INVALID_VALUE);
    other.wait_event(&event).unwrap_err();
    let b = buffer(&context);
    set(&other, &b);
    assert_eq!((forget(b), vec![other.id()]), driver.released()[1]);
    driver.fail("event_record", Status::CAPTURE_INVALIDATED);
    event.record(&other).unwrap_err();
    other.wait_event(&event).unwrap();
    let c = buffer(&context);
    set(&other, &c);
    assert!(driver.is_allocated(forget(c)), "the event still held the capture");
}

#[test]
fn captures_do_not_merge() {
    let (driver, context) = Faulty::context();
    let (one, two) = (stream(&context), stream(&context));
    one.begin_capture(CaptureMode::Relaxed).unwrap();
    two.begin_capture(CaptureMode::Relaxed).unwrap();
    let (a, b) = (buffer(&context), buffer(&context));
    set(&one, &a);
    set(&two, &b);
    let event = event(&context);
    event.record(&one).unwrap();
    assert_eq!(two.wait_event(&event).unwrap_err().status, Status::CAPTURE_MERGE);
    let (a, b) = (forget(a), forget(b));
    assert_eq!(one.end_capture().unwrap_err().status, Status::CAPTURE_INVALIDATED);
    assert!(!driver.is_allocated(a) && driver.is_allocated(b));
    assert_eq!(two.end_capture().unwrap_err().status, Status::CAPTURE_INVALIDATED);
    assert!(!driver.is_allocated(b));
}

/// A stream remembers the captures that it entered as long as their graphs live.
#[test]
fn captures_whose_graphs_are_gone_make_room() {
    let (_driver, context) = Faulty::context();
    let (origin, fork) = (stream(&context), stream(&context));
    let mut graphs = Vec::new();
    for round in 0..100 {
        origin.begin_capture(CaptureMode::Relaxed).unwrap();
        join(&fork, &origin);
        join(&origin, &fork);
        let graph = origin.end_capture().unwrap();
        if round % 10 == 0 {
            graphs.push(graph);
        }
    }
    for stream in [&origin, &fork] {
        let entered = lock(&stream.0.membership.history).entered.len();
        assert!((graphs.len()..50).contains(&entered), "{entered}");
    }
}

#[test]
fn the_legacy_stream_is_in_no_capture_for_all_its_handles() {
    let (driver, context) = Faulty::context();
    let options = StreamOptions { non_blocking: true, ..StreamOptions::default() };
    let origin = Stream::create(&context, options).unwrap();
    let event = event(&context);
    origin.begin_capture(CaptureMode::Relaxed).unwrap();
    event.record(&origin).unwrap();
    for is_broken in [false, true] {
        let refused = context.legacy_stream().wait_event(&event).unwrap_err();
        assert_eq!(refused.status, if is_broken { Status::INVALID_VALUE } else { Status::CAPTURE_IMPLICIT });
        let used = buffer(&context);
        set(&context.legacy_stream(), &used);
        let address = forget(used);
        assert_eq!(driver.released().last(), Some(&(address, vec![StreamId::LEGACY])));
    }
    assert_eq!(origin.end_capture().unwrap_err().status, Status::CAPTURE_INVALIDATED);
    assert_eq!(driver.violations(), Vec::<String>::new());
}

#[test]
fn a_host_function_that_was_refused_is_let_go_of_at_once() {
    let (driver, context) = Faulty::context();
    let wrapped = Stream::adopt(&context, 7).unwrap();
    for (stream, status) in [(stream(&context), Status::CAPTURE_INVALIDATED), (wrapped, Status::OUT_OF_MEMORY)] {
        stream.begin_capture(CaptureMode::Relaxed).unwrap();
        let token = Arc::new(());
        let held = Arc::clone(&token);
        driver.fail("launch_host_function", status);
        stream.launch_host_function(Arc::new(move || drop(Arc::clone(&held)))).unwrap_err();
        assert_eq!(Arc::strong_count(&token), 1);
        drop(stream.end_capture().unwrap());
    }
}

#[test]
fn an_end_that_is_not_permitted_leaves_the_capture_alone() {
    let (driver, context) = Faulty::context();
    let (stream, kept) = (stream(&context), buffer(&context));
    stream.begin_capture(CaptureMode::Relaxed).unwrap();
    driver.fail("end_capture", Status::NOT_PERMITTED);
    assert_eq!(stream.end_capture().unwrap_err().status, Status::NOT_PERMITTED);
    set(&stream, &kept);
    let graph = stream.end_capture().unwrap();
    forget(kept);
    replay(&context, graph);
    assert_eq!(driver.violations(), Vec::<String>::new());
}

#[test]
fn the_last_per_thread_handle_takes_the_captures_of_all_threads_along() {
    let (driver, context) = Faulty::context();
    let own = context.per_thread_stream();
    std::thread::scope(|scope| scope.spawn(|| own.begin_capture(CaptureMode::Global).unwrap()).join().unwrap());
    own.begin_capture(CaptureMode::Relaxed).unwrap();
    assert_eq!(driver.captures(), 2);
    drop(own);
    assert_eq!(driver.captures(), 0);
}

#[test]
fn a_capture_into_a_graph_keeps_what_it_records_from_the_start() {
    for shared in [false, true] {
        let (driver, context) = Faulty::context();
        let (origin, fork) = (stream(&context), stream(&context));
        if shared {
            origin.native().unwrap();
        }
        let (early, forked, late) = (buffer(&context), buffer(&context), buffer(&context));
        let graph = Graph::create(&context).unwrap();
        origin.begin_capture_to_graph(&graph, &[], CaptureMode::Relaxed).unwrap();
        set(&origin, &early);
        let midway = graph.instantiate().unwrap();
        join(&fork, &origin);
        set(&fork, &forked);
        join(&origin, &fork);
        set(&origin, &late);
        // The capture needs the graph, and its end gives it.
        drop(graph);
        let graph = origin.end_capture().unwrap();
        assert_eq!((graph.node_count().unwrap(), driver.graphs()), (3, 1));
        let whole = graph.instantiate().unwrap();
        drop((graph, midway));
        let addresses = [forget(early), forget(forked), forget(late)];
        whole.launch(&origin).unwrap();
        assert!(addresses.iter().all(|&address| driver.is_allocated(address)));
        drop(whole);
        assert!(!addresses.iter().any(|&address| driver.is_allocated(address)));
        // The streams are out, and a plain capture gives a graph of its own.
        origin.begin_capture(CaptureMode::Global).unwrap();
        assert_eq!(origin.end_capture().unwrap().node_count(), Ok(0));
        assert_eq!((driver.graphs(), driver.violations()), (0, vec![]));
    }
}

#[test]
fn a_capture_into_a_graph_that_fails_leaves_the_graph_to_its_handles() {
    let (driver, context) = Faulty::context();
    let stream = stream(&context);
    let graph = Graph::create(&context).unwrap();
    driver.fail("begin_capture_to_graph", Status::OUT_OF_MEMORY);
    let refused = stream.begin_capture_to_graph(&graph, &[], CaptureMode::Global).unwrap_err();
    assert_eq!((refused.status, driver.captures()), (Status::OUT_OF_MEMORY, 0));
    stream.begin_capture_to_graph(&graph, &[], CaptureMode::Global).unwrap();
    // A begin that is refused leaves the one before alone.
    let other = Graph::create(&context).unwrap();
    let refused = stream.begin_capture_to_graph(&other, &[], CaptureMode::Global).unwrap_err();
    assert_eq!(refused.status, Status::ILLEGAL_STATE);
    drop((graph, other));
    assert_eq!(driver.graphs(), 1);
    driver.fail("end_capture", Status::CAPTURE_INVALIDATED);
    stream.end_capture().unwrap_err();
    assert_eq!(driver.graphs(), 0);
}

#[test]
fn captures_into_graphs_end_with_the_per_thread_stream() {
    let (driver, context) = Faulty::context();
    let graph = Graph::create(&context).unwrap();
    let kept = buffer(&context);
    let stream = context.per_thread_stream();
    stream.begin_capture_to_graph(&graph, &[], CaptureMode::Global).unwrap();
    set(&stream, &kept);
    let address = forget(kept);
    drop(graph);
    assert_eq!(driver.graphs(), 1);
    drop(stream);
    assert_eq!((driver.captures(), driver.graphs()), (0, 0));
    assert!(!driver.is_allocated(address));
    drop(context);
    assert_eq!(Arc::strong_count(&driver), 1, "no cycle keeps the context");
}

#[test]
fn a_node_that_is_named_twice_counts_once() {
    let (driver, context) = Faulty::context();
    let stream = stream(&context);
    stream.begin_capture(CaptureMode::Relaxed).unwrap();
    let [a, b, c] = [(); 3].map(|()| {
        set(&stream, &buffer(&context));
        driver.capture_frontier(stream.id()).unwrap()[0]
    });
    stream.update_capture_dependencies(&[c, a, c, b, a], DependencyUpdate::Set).unwrap();
    assert_eq!(driver.updates(), [[c, a, b].map(|node| (node, EdgeData::NONE))]);
    drop(stream.end_capture().unwrap());
}

#[test]
fn a_stream_is_in_no_later_capture_that_has_the_number_of_its_own() {
    let (driver, context) = Faulty::context();
    let (first, second, used) = (stream(&context), stream(&context), buffer(&context));
    first.begin_capture(CaptureMode::Relaxed).unwrap();
    let number = first.capture_info().unwrap().id;
    let graph = first.end_capture().unwrap();
    second.begin_capture_to_graph(&graph, &[], CaptureMode::Relaxed).unwrap();
    assert_eq!(second.capture_info().unwrap().id, number);
    set(&second, &used);
    assert_eq!(first.end_capture().unwrap_err().status, Status::ILLEGAL_STATE);
    assert!(first.present().is_none() && second.present().is_some());
    drop(graph);
    let graph = second.end_capture().unwrap();
    let address = forget(used);
    assert!(driver.is_allocated(address));
    drop(graph);
    assert!(!driver.is_allocated(address));
}
