//! Tests of streams that others use beside graphcap: wrapped ones, and those whose native handle was given out.

use std::sync::Arc;

use crate::faulty::Faulty;
use crate::{Buffer, Context, Event, Graph, Stream};
use graphcap_base::error::Status;
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{CaptureStatus, EventId, EventOptions, Execs, GraphId, MemcpyKind, StreamId, StreamOptions};

fn wrapped(context: &Context, native: usize) -> Stream {
    Stream::adopt(context, native).unwrap()
}

fn own(context: &Context) -> Stream {
    Stream::create(context, StreamOptions::default()).unwrap()
}

fn event(context: &Context) -> Event {
    Event::create(context, EventOptions::default()).unwrap()
}

/// Takes `fork` into the capture that `origin` is in.
fn join(fork: &Stream, origin: &Stream) {
    let event = event(origin.context());
    event.record(origin).unwrap();
    fork.wait_event(&event).unwrap();
}

fn buffer(context: &Context) -> Buffer {
    Buffer::allocate(context, 8).unwrap()
}

fn use_buffer(stream: &Stream, buffer: &Buffer) {
    stream.memset(buffer, 0, 0, 1, 8).unwrap();
}

/// As others do: replays a graph that they ended the capture of.
fn replay(driver: &Faulty, graph: GraphId, stream: &Stream) {
    let (exec, _) = driver.graph_instantiate(graph).unwrap();
    driver.exec_launch(exec, stream.id()).unwrap();
    driver.exec_destroy(exec, driver.held_by_graph(graph));
}

/// The graph of others keeps the buffer that was recorded until it goes, and nobody keeps the one that was executed.
fn check_kept(driver: &Faulty, context: &Context, graph: GraphId, stream: &Stream, used: [Buffer; 2]) {
    let [recorded, executed] = used.each_ref().map(Buffer::address);
    drop(used);
    assert!(driver.is_allocated(recorded) && !driver.is_allocated(executed));
    replay(driver, graph, stream);
    context.driver().unwrap().graph_destroy(graph);
    assert!(!driver.is_allocated(recorded));
    assert_eq!(driver.violations(), Vec::<String>::new());
}

#[test]
fn a_capture_that_others_begin_and_end_keeps_what_is_recorded() {
    let (driver, context) = Faulty::context();
    let stream = wrapped(&context, 7);
    let (recorded, executed) = (buffer(&context), buffer(&context));
    context.driver().unwrap().begin_capture(stream.id(), CaptureMode::Global).unwrap();
    for _ in 0..3 {
        use_buffer(&stream, &recorded);
    }
    let graph = context.driver().unwrap().end_capture(stream.id()).unwrap();
    use_buffer(&stream, &executed);
    check_kept(&driver, &context, graph, &stream, [recorded, executed]);
}

#[test]
fn a_stream_that_joins_such_a_capture_asks_the_driver_from_then_on() {
    let (driver, context) = Faulty::context();
    let (theirs, own) = (wrapped(&context, 7), Stream::create(&context, StreamOptions::default()).unwrap());
    let event = Event::create(&context, EventOptions::default()).unwrap();
    let (recorded, executed) = (buffer(&context), buffer(&context));
    context.driver().unwrap().begin_capture(theirs.id(), CaptureMode::Global).unwrap();
    event.record(&theirs).unwrap();
    own.wait_event(&event).unwrap();
    use_buffer(&own, &recorded);
    join(&theirs, &own);
    let graph = context.driver().unwrap().end_capture(theirs.id()).unwrap();
    use_buffer(&own, &executed);
    check_kept(&driver, &context, graph, &theirs, [recorded, executed]);
}

#[test]
fn an_event_given_away_may_be_recorded_in_a_capture() {
    let (driver, context) = Faulty::context();
    let (theirs, own) = (wrapped(&context, 7), Stream::create(&context, StreamOptions::default()).unwrap());
    let event = Event::create(&context, EventOptions::default()).unwrap();
    let native = event.native().unwrap();
    context.driver().unwrap().begin_capture(theirs.id(), CaptureMode::Global).unwrap();
    context.driver().unwrap().event_record(graphcap_driver::EventId(native as u64), theirs.id()).unwrap();
    own.wait_event(&event).unwrap();
    let recorded = buffer(&context);
    let address = recorded.address();
    use_buffer(&own, &recorded);
    drop(recorded);
    join(&theirs, &own);
    let graph = context.driver().unwrap().end_capture(theirs.id()).unwrap();
    assert!(driver.is_allocated(address));
    replay(&driver, graph, &own);
    assert_eq!(driver.violations(), Vec::<String>::new());
}

#[test]
fn a_capture_may_be_shared_midway() {
    for ended_here in [true, false] {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let (early, late) = (buffer(&context), buffer(&context));
        let (early_at, late_at) = (early.address(), late.address());
        stream.begin_capture(CaptureMode::Global).unwrap();
        use_buffer(&stream, &early);
        stream.native().unwrap();
        use_buffer(&stream, &late);
        drop((early, late));
        let graph: (Option<Graph>, Option<GraphId>) = match ended_here {
            true => (Some(stream.end_capture().unwrap()), None),
            false => (None, Some(context.driver().unwrap().end_capture(stream.id()).unwrap())),
        };
        assert!(driver.is_allocated(early_at) && driver.is_allocated(late_at));
        match graph {
            (Some(graph), _) => graph.instantiate().unwrap().launch(&stream).unwrap(),
            (_, Some(graph)) => {
                replay(&driver, graph, &stream);
                context.driver().unwrap().graph_destroy(graph);
            }
            _ => {}
        }
        assert!(!driver.is_allocated(early_at) && !driver.is_allocated(late_at));
        assert_eq!(driver.violations(), Vec::<String>::new());
    }
}

#[test]
fn captures_begun_here_on_shared_streams_keep_what_they_record() {
    let (driver, context) = Faulty::sharing_context();
    static BYTES: [u64; 1] = [0];
    for stream in [wrapped(&context, 7), context.per_thread_stream()] {
        for _ in 0..2 {
            let recorded = buffer(&context);
            let address = recorded.address();
            stream.begin_capture(CaptureMode::Global).unwrap();
            stream.memcpy_host(MemcpyKind::HostToDevice, &recorded, 0, BYTES.as_ptr() as usize, 8).unwrap();
            drop(recorded);
            let graph = stream.end_capture().unwrap();
            let exec = graph.instantiate().unwrap();
            drop(graph);
            assert!(driver.is_allocated(address));
            exec.launch(&stream).unwrap();
            drop(exec);
            assert!(!driver.is_allocated(address));
        }
    }
    assert_eq!(driver.violations(), Vec::<String>::new());
}

/// Returns how many questions `uses` of a stream ask: what the driver is called for beside them.
fn questions(driver: &Faulty, stream: &Stream, uses: u64) -> u64 {
    let used = buffer(stream.context());
    use_buffer(stream, &used);
    let before = driver.calls();
    (0..uses).for_each(|_| use_buffer(stream, &used));
    driver.calls() - before - uses
}

#[test]
fn the_driver_is_asked_once_while_gc_calls_alone_can_end_the_capture() {
    let (driver, context) = Faulty::sharing_context();
    let (origin, fork, out, theirs) = (own(&context), own(&context), own(&context), wrapped(&context, 7));
    out.native().unwrap();
    origin.begin_capture(CaptureMode::Relaxed).unwrap();
    for stream in [&fork, &out, &theirs, &context.per_thread_stream()] {
        join(stream, &origin);
    }
    let ask = |streams: &[&Stream]| streams.iter().map(|stream| questions(&driver, stream, 5)).collect::<Vec<_>>();
    let of_private = ask(&[&origin, &fork]);
    let of_shared = ask(&[&out, &theirs, &context.per_thread_stream()]);
    let beside_shared = ask(&[&origin, &fork]);
    origin.native().unwrap();
    let given_out = ask(&[&origin, &fork]);
    for stream in [&fork, &out, &theirs, &context.per_thread_stream()] {
        join(&origin, stream);
    }
    drop(origin.end_capture().unwrap());
    assert_eq!(of_private, [0, 0]);
    assert_eq!(of_shared, [5, 5, 5], "others use these streams too");
    assert_eq!(beside_shared, [0, 0], "a fork of others ends nothing");
    assert_eq!(given_out, [5, 5], "others can end the capture");
    assert_eq!(ask(&[&fork]), [0]);
}

/// The capture of a stream of which others have the native handle, or get it midway, is ended by them. A fork that nobody
/// else has learns of it.
#[test]
fn a_fork_is_out_when_others_end_the_capture_of_a_stream_that_was_given_out() {
    for is_given_out_midway in [false, true] {
        let (driver, context) = Faulty::context();
        let (origin, fork) = (own(&context), own(&context));
        let (recorded, executed) = (buffer(&context), buffer(&context));
        let (recorded_at, executed_at) = (recorded.address(), executed.address());
        if !is_given_out_midway {
            origin.native().unwrap();
        }
        origin.begin_capture(CaptureMode::Relaxed).unwrap();
        join(&fork, &origin);
        (0..3).for_each(|_| use_buffer(&fork, &recorded));
        if is_given_out_midway {
            origin.native().unwrap();
        }
        join(&origin, &fork);
        let graph = context.driver().unwrap().end_capture(origin.id()).unwrap();
        use_buffer(&fork, &executed);
        drop((recorded, executed));
        assert_eq!(driver.released(), [(executed_at, vec![fork.id()])], "midway: {is_given_out_midway}");
        assert!(driver.is_allocated(recorded_at));
        replay(&driver, graph, &origin);
        context.driver().unwrap().graph_destroy(graph);
        assert!(!driver.is_allocated(recorded_at));
        assert_eq!(driver.violations(), Vec::<String>::new());
    }
}

/// As when others end the capture between two calls on the fork, but they end it within one: the call executes what it was about to
/// record.
#[test]
fn a_call_notices_that_others_end_the_capture_within_it() {
    for is_given_out_within in [false, true] {
        let (driver, context) = Faulty::context();
        let (origin, fork, used) = (own(&context), own(&context), buffer(&context));
        origin.begin_capture(CaptureMode::Relaxed).unwrap();
        join(&fork, &origin);
        (0..3).for_each(|_| use_buffer(&fork, &buffer(&context)));
        join(&origin, &fork);
        if !is_given_out_within {
            origin.native().unwrap();
        }
        let (theirs, ended) = (origin.clone(), Arc::new(std::sync::Mutex::new(None)));
        let slot = Arc::clone(&ended);
        driver.at("memset", move || {
            theirs.native().unwrap();
            *slot.lock().unwrap() = Some(theirs.driver().unwrap().end_capture(theirs.id()).unwrap());
        });
        use_buffer(&fork, &used);
        assert_eq!(driver.executed(), [fork.id()]);
        let address = used.address();
        drop(used);
        context.driver().unwrap().graph_destroy(ended.lock().unwrap().take().unwrap());
        let users = driver.released().into_iter().find_map(|(at, users)| (at == address).then_some(users));
        assert_eq!(users, Some(vec![fork.id()]), "given out within: {is_given_out_within}");
        assert_eq!(driver.violations(), Vec::<String>::new());
    }
}

/// Others end the capture within a call on its origin, and begin one of their own, which records the call.
#[test]
fn a_call_is_kept_by_the_capture_that_others_begin_within_it() {
    let (driver, context) = Faulty::context();
    let (origin, used) = (own(&context), buffer(&context));
    origin.begin_capture(CaptureMode::Relaxed).unwrap();
    (0..3).for_each(|_| use_buffer(&origin, &buffer(&context)));
    let theirs = origin.clone();
    driver.at("memset", move || {
        theirs.native().unwrap();
        let graph = theirs.driver().unwrap().end_capture(theirs.id()).unwrap();
        theirs.driver().unwrap().graph_destroy(graph);
        theirs.driver().unwrap().begin_capture(theirs.id(), CaptureMode::Relaxed).unwrap();
    });
    use_buffer(&origin, &used);
    let address = used.address();
    drop(used);
    let graph = context.driver().unwrap().end_capture(origin.id()).unwrap();
    assert!(driver.is_allocated(address));
    replay(&driver, graph, &origin);
    context.driver().unwrap().graph_destroy(graph);
    assert!(!driver.is_allocated(address));
    assert_eq!(driver.violations(), Vec::<String>::new());
}

/// The driver ends captures of a default stream with its thread, before graphcap hears of it.
#[test]
fn a_fork_is_out_when_the_driver_ends_the_capture_of_a_default_stream() {
    let (driver, context) = Faulty::context();
    let (origin, fork) = (context.per_thread_stream(), own(&context));
    origin.begin_capture(CaptureMode::Relaxed).unwrap();
    join(&fork, &origin);
    (0..3).for_each(|_| use_buffer(&fork, &buffer(&context)));
    join(&origin, &fork);
    let graph = context.driver().unwrap().end_capture(StreamId::PER_THREAD).unwrap();
    let executed = buffer(&context);
    use_buffer(&fork, &executed);
    let address = executed.address();
    drop(executed);
    assert_eq!(driver.released(), [(address, vec![fork.id()])]);
    context.driver().unwrap().graph_destroy(graph);
    assert_eq!(driver.violations(), Vec::<String>::new());
}

/// An event that was recorded in a capture of graphcap's is recorded again by others, in theirs.
#[test]
fn a_stream_is_in_the_capture_in_which_others_recorded_the_event() {
    let (driver, context) = Faulty::context();
    let (origin, fork, theirs) = (own(&context), own(&context), wrapped(&context, 7));
    let event = event(&context);
    origin.begin_capture(CaptureMode::Relaxed).unwrap();
    use_buffer(&origin, &buffer(&context));
    event.record(&origin).unwrap();
    let native = event.native().unwrap();
    context.driver().unwrap().begin_capture(theirs.id(), CaptureMode::Relaxed).unwrap();
    context.driver().unwrap().event_record(EventId(native as u64), theirs.id()).unwrap();
    fork.wait_event(&event).unwrap();
    let recorded = [buffer(&context), buffer(&context)];
    let addresses = [recorded[0].address(), recorded[1].address()];
    recorded.iter().for_each(|recorded| use_buffer(&fork, recorded));
    drop(recorded);
    join(&theirs, &fork);
    drop(origin.end_capture().unwrap());
    assert!(addresses.iter().all(|&address| driver.is_allocated(address)));
    let graph = context.driver().unwrap().end_capture(theirs.id()).unwrap();
    replay(&driver, graph, &theirs);
    context.driver().unwrap().graph_destroy(graph);
    assert!(!addresses.iter().any(|&address| driver.is_allocated(address)));
    assert_eq!(driver.violations(), Vec::<String>::new());
}

/// Others break a capture that they cannot end: the driver refuses what is to be recorded, and nothing of that is kept.
#[test]
fn what_a_broken_capture_refuses_is_not_kept() {
    let (driver, context) = Faulty::context();
    let (origin, fork) = (own(&context), own(&context));
    origin.begin_capture(CaptureMode::Relaxed).unwrap();
    join(&fork, &origin);
    (0..3).for_each(|_| use_buffer(&fork, &buffer(&context)));
    driver.break_captures();
    let token = Arc::new(());
    for stream in [&origin, &fork] {
        let held = Arc::clone(&token);
        let refused = stream.launch_host_function(Arc::new(move || drop(Arc::clone(&held)))).unwrap_err();
        assert_eq!((refused.status, Arc::strong_count(&token)), (Status::CAPTURE_INVALIDATED, 1));
        assert_eq!(stream.capture_info().unwrap().status, CaptureStatus::Invalidated);
    }
    assert_eq!(origin.end_capture().unwrap_err().status, Status::CAPTURE_INVALIDATED);
    use_buffer(&fork, &buffer(&context));
    assert_eq!((driver.executed(), driver.violations()), (vec![fork.id()], Vec::new()));
}

/// The origin is destroyed, before a call on the fork or within it.
#[test]
fn a_fork_is_out_when_the_origin_is_destroyed() {
    for is_within in [false, true] {
        let (driver, context) = Faulty::context();
        let (origin, fork, used) = (own(&context), own(&context), buffer(&context));
        origin.begin_capture(CaptureMode::Relaxed).unwrap();
        join(&fork, &origin);
        (0..3).for_each(|_| use_buffer(&fork, &buffer(&context)));
        match is_within {
            true => driver.at("memset", move || drop(origin)),
            false => drop(origin),
        }
        use_buffer(&fork, &used);
        let address = used.address();
        drop(used);
        assert_eq!(driver.executed(), [fork.id()], "within: {is_within}");
        assert_eq!(driver.released().last(), Some(&(address, vec![fork.id()])), "within: {is_within}");
        assert_eq!(driver.violations(), Vec::<String>::new());
    }
}
