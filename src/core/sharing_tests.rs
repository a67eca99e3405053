//! Tests of streams that others use beside graphcap: wrapped ones, and those whose native handle was given out.

use crate::core::fake_driver::FakeDriver;
use crate::core::{Buffer, Context, Event, Graph, Stream};
use crate::driver::{EventOptions, GraphId, MemcpyKind, StreamOptions};
use crate::rules::CaptureMode;

fn wrapped(context: &Context, native: usize) -> Stream {
    Stream::adopt(context, native).unwrap()
}

fn buffer(context: &Context) -> Buffer {
    Buffer::allocate(context, 8).unwrap()
}

fn use_buffer(stream: &Stream, buffer: &Buffer) {
    stream.memset(buffer, 0, 0, 1, 8).unwrap();
}

/// What others do: replay a graph that they ended the capture of.
fn replay(context: &Context, graph: GraphId, stream: &Stream) {
    let (exec, _) = context.driver().graph_instantiate(graph).unwrap();
    context.driver().exec_launch(exec, stream.id()).unwrap();
    context.driver().exec_destroy(exec);
}

/// The graph of others keeps the buffer that was recorded until it goes, and nobody keeps the one that was executed.
fn check_kept(driver: &FakeDriver, context: &Context, graph: GraphId, stream: &Stream, used: [Buffer; 2]) {
    let [recorded, executed] = used.each_ref().map(Buffer::address);
    drop(used);
    assert!(driver.is_allocated(recorded) && !driver.is_allocated(executed));
    replay(context, graph, stream);
    context.driver().graph_destroy(graph);
    assert!(!driver.is_allocated(recorded));
    assert_eq!(driver.violations(), Vec::<String>::new());
}

#[test]
fn a_capture_that_others_begin_and_end_keeps_what_is_recorded() {
    let (driver, context) = FakeDriver::context();
    let stream = wrapped(&context, 7);
    let (recorded, executed) = (buffer(&context), buffer(&context));
    context.driver().begin_capture(stream.id(), CaptureMode::Global).unwrap();
    for _ in 0..3 {
        use_buffer(&stream, &recorded);
    }
    let graph = context.driver().end_capture(stream.id()).unwrap();
    use_buffer(&stream, &executed);
    check_kept(&driver, &context, graph, &stream, [recorded, executed]);
}

#[test]
fn a_stream_that_joins_such_a_capture_asks_the_driver_from_then_on() {
    let (driver, context) = FakeDriver::context();
    let (theirs, own) = (wrapped(&context, 7), Stream::create(&context, StreamOptions::default()).unwrap());
    let event = Event::create(&context, EventOptions::default()).unwrap();
    let (recorded, executed) = (buffer(&context), buffer(&context));
    context.driver().begin_capture(theirs.id(), CaptureMode::Global).unwrap();
    event.record(&theirs).unwrap();
    own.wait_event(&event).unwrap();
    use_buffer(&own, &recorded);
    let graph = context.driver().end_capture(theirs.id()).unwrap();
    use_buffer(&own, &executed);
    check_kept(&driver, &context, graph, &theirs, [recorded, executed]);
}

#[test]
fn an_event_given_away_may_be_recorded_in_a_capture() {
    let (driver, context) = FakeDriver::context();
    let (theirs, own) = (wrapped(&context, 7), Stream::create(&context, StreamOptions::default()).unwrap());
    let event = Event::create(&context, EventOptions::default()).unwrap();
    let native = event.native().unwrap();
    context.driver().begin_capture(theirs.id(), CaptureMode::Global).unwrap();
    context.driver().event_record(crate::driver::EventId(native as u64), theirs.id()).unwrap();
    own.wait_event(&event).unwrap();
    let recorded = buffer(&context);
    let address = recorded.address();
    use_buffer(&own, &recorded);
    drop(recorded);
    let graph = context.driver().end_capture(theirs.id()).unwrap();
    assert!(driver.is_allocated(address));
    replay(&context, graph, &own);
    assert_eq!(driver.violations(), Vec::<String>::new());
}

#[test]
fn a_capture_may_be_shared_midway() {
    for ended_here in [true, false] {
        let (driver, context) = FakeDriver::context();
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
            false => (None, Some(context.driver().end_capture(stream.id()).unwrap())),
        };
        assert!(driver.is_allocated(early_at) && driver.is_allocated(late_at));
        match graph {
            (Some(graph), _) => graph.instantiate().unwrap().launch(&stream).unwrap(),
            (_, Some(graph)) => {
                replay(&context, graph, &stream);
                context.driver().graph_destroy(graph);
            }
            _ => {}
        }
        assert!(!driver.is_allocated(early_at) && !driver.is_allocated(late_at));
        assert_eq!(driver.violations(), Vec::<String>::new());
    }
}

#[test]
fn captures_begun_here_on_shared_streams_keep_what_they_record() {
    let (driver, context) = FakeDriver::sharing_context();
    for stream in [wrapped(&context, 7), context.per_thread_stream()] {
        for _ in 0..2 {
            let recorded = buffer(&context);
            let address = recorded.address();
            stream.begin_capture(CaptureMode::Global).unwrap();
            stream.memcpy_host(MemcpyKind::HostToDevice, &recorded, 0, 64, 8).unwrap();
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
