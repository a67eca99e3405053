//! Tests of whom the black box blames, where threads race and others use the streams too.

use std::sync::mpsc;
use std::time::Duration;

use super::blame::*;
use super::*;
use crate::faulty::Faulty;
use crate::{Buffer, Event, Graph, NodeWork};
use graphcap_base::error::Status;
use graphcap_base::lock::MutexGuard;
use graphcap_driver::rules::Violated;
use graphcap_driver::{DeviceChoice, DeviceKind, EventOptions, StreamOptions};

fn stream(context: &Context) -> Stream {
    Stream::create(context, StreamOptions::default()).unwrap()
}

fn event(context: &Context) -> Event {
    Event::create(context, EventOptions::default()).unwrap()
}

/// The captures of the process are looked at together, so one test at a time makes some.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<(), rank::Alone> = Mutex::new(());
    lock(&ALONE)
}

/// Returns what the C boundary does when a call of `function` fails.
fn examined<T: std::fmt::Debug>(function: &'static str, failed: graphcap_base::error::Result<T>) -> Option<String> {
    examine(Call { function, thread: 1, status: failed.unwrap_err().status })
}

fn culprit(stream: &Stream) -> (Option<&'static str>, Violated) {
    let violation = stream.capture_violation().unwrap();
    (violation.function, violation.rule)
}

/// Counts the open logs of captures that were begun on the stream.
fn open_logs(stream: &Stream) -> usize {
    let origin = stream.downgrade();
    lock(&GOING_ON).iter().filter(|record| record.log.origin.ptr_eq(&origin)).count()
}

#[test]
fn a_call_is_named_although_the_capture_was_ended_before_it_was_looked_at() {
    let _alone = alone();
    let (driver, context) = Faulty::context();
    let (stream, event) = (stream(&context), event(&context));
    stream.begin_capture(CaptureMode::Global).unwrap();
    // The call of another thread breaks the capture; its own thread is quicker to find that.
    driver.break_captures();
    let told = examined("gc_stream_end_capture", stream.end_capture()).unwrap();
    assert!(told.contains("one of another thread that has not returned"), "{told}");
    assert_eq!(culprit(&stream), (None, Violated::Outside));
    driver.fail("event_synchronize", Status::CAPTURE_UNSUPPORTED);
    assert_eq!(examined("gc_event_synchronize", event.synchronize()), None);
    assert_eq!(culprit(&stream), (Some("gc_event_synchronize"), Violated::Unsafe));
}

#[test]
fn a_call_is_not_blamed_for_captures_that_it_cannot_have_broken() {
    let _alone = alone();
    let (driver, context) = Faulty::context();
    let (first, second, event) = (stream(&context), stream(&context), event(&context));
    for stream in [&first, &second] {
        stream.begin_capture(CaptureMode::Relaxed).unwrap();
    }
    driver.break_captures();
    for status in [Status::CAPTURE_ISOLATION, Status::CAPTURE_UNSUPPORTED, Status::INVALID_VALUE] {
        driver.fail("stream_wait_event", status);
        examined("gc_stream_wait_event", second.wait_event(&event));
        assert_eq!(culprit(&first), (None, Violated::Outside), "{status:?}");
    }
    assert_eq!(culprit(&second), (Some("gc_stream_wait_event"), Violated::Isolation));
}

#[test]
fn a_shared_capture_that_ends_broken_is_forgotten() {
    let _alone = alone();
    let (driver, context) = Faulty::context();
    let stream = Stream::adopt(&context, 7).unwrap();
    stream.begin_capture(CaptureMode::Relaxed).unwrap();
    assert_eq!(open_logs(&stream), 1);
    driver.break_captures();
    let told = examined("gc_stream_end_capture", stream.end_capture()).unwrap();
    assert!(told.contains("between gc_stream_begin_capture and gc_stream_end_capture"), "{told}");
    assert_eq!(open_logs(&stream), 0);
    assert_eq!(culprit(&stream), (None, Violated::Outside));
}

#[test]
fn what_broke_an_earlier_capture_is_not_told_of_one_that_others_began() {
    let _alone = alone();
    let (driver, context) = Faulty::context();
    let stream = Stream::adopt(&context, 7).unwrap();
    stream.begin_capture(CaptureMode::Relaxed).unwrap();
    driver.break_captures();
    assert!(examined("gc_stream_end_capture", stream.end_capture()).is_some());
    context.driver().unwrap().begin_capture(stream.id(), CaptureMode::Relaxed).unwrap();
    assert_eq!(stream.capture_violation(), None);
    let buffer = Buffer::allocate(&context, 8).unwrap();
    stream.memset(&buffer, 0, 0, 1, 8).unwrap();
    driver.break_captures();
    let told = examined("gc_stream_end_capture", stream.end_capture()).unwrap();
    assert!(told.contains("after graphcap met it, with 1 operation recorded"), "{told}");
    assert!(!told.contains("gc_stream_begin_capture"), "{told}");
}

/// Also in a graph within a node.
#[test]
fn what_is_put_into_a_capture_is_counted() {
    let _alone = alone();
    let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
    let (graph, child) = (Graph::create(&context).unwrap(), Graph::create(&context).unwrap());
    let node = graph.add_node(&[], &NodeWork::Child(&child)).unwrap();
    let within = graph.node_graphs(node).unwrap().remove(0);
    let buffer = Buffer::allocate(&context, 8).unwrap();
    for into in [&within, &graph] {
        let stream = stream(&context);
        stream.begin_capture_to_graph(into, &[], CaptureMode::Relaxed).unwrap();
        stream.memset(&buffer, 0, 0, 1, 8).unwrap();
        stream.capture_node(&NodeWork::Child(&child)).unwrap();
        examined("gc_stream_synchronize", stream.synchronize());
        let told = stream.capture_violation().unwrap().to_string();
        assert!(told.contains("with 2 operations recorded"), "{told}");
        stream.end_capture().unwrap_err();
    }
}

#[test]
fn a_stream_is_gone_when_its_destroyer_has_waited_for_those_who_look_at_it() {
    let _alone = alone();
    let (driver, context) = Faulty::context();
    let (stream, event) = (Stream::adopt(&context, 7).unwrap(), event(&context));
    stream.begin_capture(CaptureMode::Global).unwrap();
    let alive = stream.downgrade();
    let (destroyed, is_destroyed) = mpsc::channel();
    // In the middle of the look at the capture, which another call causes.
    driver.at("capture_info", move || {
        std::thread::spawn(move || {
            drop(stream);
            await_examiners();
            destroyed.send(alive.strong_count()).unwrap();
        });
        // Too short a wait would only miss a defect.
        assert_eq!(is_destroyed.recv_timeout(Duration::from_millis(50)), Err(mpsc::RecvTimeoutError::Timeout));
    });
    driver.fail("event_synchronize", Status::CAPTURE_UNSUPPORTED);
    assert_eq!(examined("gc_event_synchronize", event.synchronize()), None);
}

#[test]
fn a_shared_fork_that_goes_leaves_the_capture_known() {
    let _alone = alone();
    let (driver, context) = Faulty::context();
    let (event, buffer) = (event(&context), Buffer::allocate(&context, 8).unwrap());
    let (origin, fork) = (Stream::adopt(&context, 7).unwrap(), Stream::adopt(&context, 8).unwrap());
    origin.begin_capture(CaptureMode::Global).unwrap();
    event.record(&origin).unwrap();
    fork.wait_event(&event).unwrap();
    fork.memset(&buffer, 0, 0, 1, 8).unwrap();
    drop(fork);
    assert_eq!(open_logs(&origin), 1);
    driver.break_captures();
    driver.fail("event_synchronize", Status::CAPTURE_UNSUPPORTED);
    assert_eq!(examined("gc_event_synchronize", event.synchronize()), None);
    assert_eq!(culprit(&origin), (Some("gc_event_synchronize"), Violated::Unsafe));
    assert!(examined("gc_stream_end_capture", origin.end_capture()).is_some());
    assert_eq!(open_logs(&origin), 0);
}

#[test]
fn captures_and_calls_of_two_devices_are_nothing_to_each_other() {
    let _alone = alone();
    let (driver, context) = Faulty::context();
    let (other_driver, other) = Faulty::guarded_context();
    let (stream, event) = (stream(&context), event(&other));
    stream.begin_capture(CaptureMode::Global).unwrap();
    // An allocation, which a capture of its own device would bar.
    Buffer::allocate(&other, 8).unwrap();
    driver.break_captures();
    other_driver.fail("event_synchronize", Status::CAPTURE_UNSUPPORTED);
    assert_eq!(examined("gc_event_synchronize", event.synchronize()), None);
    assert!(stream.capture_violation().is_none());
}
