//! Tests of copies that are given together: what is queued and recorded, what is told of failures, what a capture keeps.

use super::super::copy::CopySide;
use super::*;
use crate::faulty::Faulty;
use crate::{Buffer, Context};
use graphcap_base::error::Status;
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::StreamOptions;

fn stream_of(context: &Context) -> Stream {
    Stream::create(context, StreamOptions::default()).unwrap()
}

/// A copy of 8 bytes between two buffers.
fn copy<'a>(to: (&'a Buffer, usize), from: &'a Buffer) -> Copy<'a> {
    Copy::of(CopySide::Buffer(to.0, to.1), CopySide::Buffer(from, 0), 8)
}

#[track_caller]
fn failed(result: Result<()>, index: Option<usize>, status: Status) {
    let failure = result.unwrap_err();
    assert_eq!((failure.index, failure.error.status), (index, status), "{}", failure.error);
}

#[test]
fn copies_are_one_piece_of_work_and_those_of_nothing_are_none() {
    let (driver, context) = Faulty::context();
    let stream = stream_of(&context);
    let (a, b) = (Buffer::allocate(&context, 64).unwrap(), Buffer::allocate(&context, 64).unwrap());
    let nothing = Copy { width: 0, ..copy((&a, 0), &b) };
    stream.memcpy_batch(&[]).unwrap();
    stream.memcpy_batch(&[nothing, nothing]).unwrap();
    assert_eq!(driver.executed(), []);
    stream.memcpy_batch(&[nothing, copy((&a, 0), &b)]).unwrap();
    stream.memcpy_batch(&[copy((&a, 0), &b), nothing, copy((&a, 8), &b)]).unwrap();
    assert_eq!(driver.executed(), [stream.id(); 3]);
}

#[test]
fn one_wrong_copy_leaves_nothing_done_and_is_told() {
    let (driver, context) = Faulty::context();
    let stream = stream_of(&context);
    let (_, elsewhere) = Faulty::context();
    let (a, b) = (Buffer::allocate(&context, 64).unwrap(), Buffer::allocate(&context, 64).unwrap());
    let foreign = Buffer::allocate(&elsewhere, 64).unwrap();
    let good = copy((&a, 0), &b);
    let overrun = copy((&a, 57), &b);
    for captured in [false, true] {
        if captured {
            stream.begin_capture(CaptureMode::Relaxed).unwrap();
        }
        failed(stream.memcpy_batch(&[overrun, good, good]), Some(0), Status::INVALID_VALUE);
        failed(stream.memcpy_batch(&[good, overrun, overrun]), Some(1), Status::INVALID_VALUE);
        failed(stream.memcpy_batch(&[good, good, overrun]), Some(2), Status::INVALID_VALUE);
        failed(stream.memcpy_batch(&[good, copy((&foreign, 0), &b)]), Some(1), Status::INVALID_CONTEXT);
    }
    assert_eq!(stream.end_capture().unwrap().node_count().unwrap(), 0);
    assert_eq!(driver.executed(), []);
}

#[test]
fn a_capture_has_a_node_for_each_copy_and_keeps_what_they_use() {
    let (driver, context) = Faulty::context();
    let stream = stream_of(&context);
    let buffers: Vec<_> = (0..4).map(|_| Buffer::allocate(&context, 64).unwrap()).collect();
    let bytes = vec![7; 64].into();
    let saved = Copy::of(CopySide::Buffer(&buffers[3], 0), CopySide::Snapshot(&bytes), 64);
    stream.begin_capture(CaptureMode::Global).unwrap();
    stream.memcpy_batch(&[copy((&buffers[0], 0), &buffers[1]), copy((&buffers[2], 0), &buffers[1]), saved]).unwrap();
    let graph = stream.end_capture().unwrap();
    assert_eq!((graph.node_count().unwrap(), graph.edge_count().unwrap()), (3, 2));
    let exec = graph.instantiate().unwrap();
    drop((graph, buffers, bytes));
    assert_eq!(driver.released(), []);
    exec.launch(&stream).unwrap();
    assert_eq!(driver.violations(), Vec::<String>::new());
    drop(exec);
    assert_eq!(driver.released().len(), 4);
}

#[test]
fn a_device_that_refuses_one_is_told_of_by_its_place() {
    let (driver, context) = Faulty::context();
    let stream = stream_of(&context);
    let (a, b) = (Buffer::allocate(&context, 64).unwrap(), Buffer::allocate(&context, 64).unwrap());
    let good = copy((&a, 0), &b);
    let nothing = Copy { width: 0, ..good };
    let fail_next = |driver: &std::sync::Arc<Faulty>| driver.fail("memcpy", Status::OUT_OF_MEMORY);
    fail_next(&driver);
    failed(stream.memcpy_batch(&[nothing, good, good]), Some(1), Status::OUT_OF_MEMORY);
    stream.begin_capture(CaptureMode::Global).unwrap();
    let second = driver.clone();
    driver.at("after memcpy", move || fail_next(&second));
    failed(stream.memcpy_batch(&[good, nothing, good, good]), Some(2), Status::OUT_OF_MEMORY);
    assert_eq!(stream.end_capture().unwrap().node_count().unwrap(), 1, "the first one is recorded");
}

#[test]
fn a_capture_that_begins_meanwhile_has_the_copies() {
    let (driver, context) = Faulty::context();
    let stream = stream_of(&context);
    let (a, b) = (Buffer::allocate(&context, 64).unwrap(), Buffer::allocate(&context, 64).unwrap());
    let other = stream.clone();
    driver.at("memcpy", move || other.begin_capture(CaptureMode::Global).unwrap());
    stream.memcpy_batch(&[copy((&a, 0), &b), copy((&a, 8), &b)]).unwrap();
    let graph = stream.end_capture().unwrap();
    let exec = graph.instantiate().unwrap();
    drop((graph, a, b));
    exec.launch(&stream).unwrap();
    assert_eq!(driver.violations(), Vec::<String>::new());
}
