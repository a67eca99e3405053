//! Tests of copies: what is refused, what a device is asked for, what a capture keeps.

use std::sync::Arc;

use super::*;
use crate::faulty::{rejected, Faulty};
use graphcap_base::error::Status;
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{HostMemoryOptions, StreamId, StreamOptions};

const MAX: usize = usize::MAX;

#[test]
fn rows_are_told_to_the_device_as_they_were_given() {
    let (driver, context) = Faulty::context();
    let stream = Stream::create(&context, StreamOptions::default()).unwrap();
    let (a, b) = (Buffer::allocate(&context, 4096).unwrap(), Buffer::allocate(&context, 4096).unwrap());
    let mut copy = Copy::of(CopySide::Buffer(&a, 16), CopySide::Buffer(&b, 8), 10);
    (copy.height, copy.depth) = (3, 2);
    stream.memcpy(&copy).unwrap();
    copy.destination_pitch = Pitch { bytes: 32, slice_height: 4 };
    stream.memcpy(&copy).unwrap();
    let one = Copy { height: 1, depth: 1, ..copy };
    stream.memcpy(&one).unwrap();
    let [follow, rows, row] = driver.copies()[..] else { panic!("three copies") };
    let in_a_row = Steps { row: 10, slice: 30 };
    assert_eq!((follow.height, follow.depth, follow.destination, follow.source), (3, 2, in_a_row, in_a_row));
    assert_eq!(
        (row.height, row.depth, row.destination, row.source),
        (1, 1, Steps { row: 32, slice: 0 }, Steps::default())
    );
    stream.memcpy(&Copy { destination_pitch: Pitch::default(), ..one }).unwrap();
    assert_eq!(driver.copies().len(), 3, "a copy of one row and no more");
    assert_eq!((rows.row.destination, rows.row.source), (a.address() + 16, b.address() + 8));
    assert_eq!((rows.row.bytes, rows.height, rows.depth), (10, 3, 2));
    assert_eq!((rows.destination, rows.source), (Steps { row: 32, slice: 128 }, Steps { row: 10, slice: 30 }));
}

#[test]
fn what_cannot_be_copied_is_named() {
    let (driver, context) = Faulty::context();
    let stream = Stream::create(&context, StreamOptions::default()).unwrap();
    let (a, b) = (Buffer::allocate(&context, 64).unwrap(), Buffer::allocate(&context, 1024).unwrap());
    let good = Copy { height: 4, ..Copy::of(CopySide::Buffer(&a, 0), CopySide::Buffer(&b, 0), 16) };
    let calls = driver.calls();
    let pitch = |bytes, slice_height| Pitch { bytes, slice_height };
    rejected(stream.memcpy(&Copy { destination_pitch: pitch(15, 0), ..good }), "destination_pitch");
    rejected(stream.memcpy(&Copy { source_pitch: pitch(1, 0), ..good }), "source_pitch");
    rejected(stream.memcpy(&Copy { source_pitch: pitch(0, 3), ..good }), "source_slice_height");
    rejected(stream.memcpy(&Copy { destination_pitch: pitch(0, 1), ..good }), "destination_slice_height");
    rejected(stream.memcpy(&Copy { destination_pitch: pitch(17, 0), ..good }), "destination");
    rejected(stream.memcpy(&Copy { source: CopySide::Buffer(&b, 1000), ..good }), "source");
    rejected(stream.memcpy(&Copy { width: MAX, ..good }), "destination");
    rejected(stream.memcpy(&Copy { height: MAX, ..good }), "destination");
    rejected(stream.memcpy(&Copy { depth: MAX, ..good }), "destination");
    rejected(stream.memcpy(&Copy { source_pitch: pitch(MAX, MAX), ..good }), "source");
    rejected(stream.memcpy(&Copy { source: CopySide::Host(HostPointer(0)), ..good }), "source");
    rejected(stream.memcpy(&Copy { source: CopySide::Host(HostPointer(MAX - 62)), ..good }), "source");
    let within = |to, from| Copy { destination: CopySide::Buffer(&b, to), source: CopySide::Buffer(&b, from), ..good };
    rejected(stream.memcpy(&within(63, 0)), "overlaps");
    rejected(stream.memcpy(&within(0, 0)), "overlaps");
    let columns = |to| Copy { source_pitch: pitch(32, 0), destination_pitch: pitch(32, 0), ..within(to, 0) };
    rejected(stream.memcpy(&columns(15)), "overlaps");
    let host = CopySide::Host(HostPointer(4096));
    rejected(stream.memcpy(&Copy { destination: host, source: host, ..good }), "overlaps");
    assert_eq!(driver.calls(), calls, "the device is not asked");
    // The CPU may know the memory by the same address.
    let by_pointer = |at| CopySide::Host(HostPointer(b.address() as usize + at));
    rejected(stream.memcpy(&Copy { source: by_pointer(63), ..within(0, 0) }), "overlaps");
    rejected(stream.memcpy(&Copy { destination: by_pointer(63), ..within(0, 0) }), "overlaps");
    rejected(stream.memcpy_host(MemcpyKind::DeviceToHost, &b, 8, b.address() as usize, 9), "overlaps");
    assert_eq!(driver.calls(), calls, "the device is not asked");
    stream.memcpy_host(MemcpyKind::DeviceToHost, &b, 8, b.address() as usize, 8).unwrap();
    stream.memcpy(&columns(16)).unwrap();
    stream.memcpy(&within(64, 0)).unwrap();
    stream.memcpy(&Copy { width: 0, height: MAX, ..good }).unwrap();
    let calls = driver.calls();
    for (height, depth) in [(0, 1), (0, MAX), (1, 0), (MAX, 0), (0, 0)] {
        let nothing = Copy { height, depth, destination_pitch: pitch(1, 1), ..good };
        stream.memcpy(&nothing).unwrap();
        context.memcpy(&nothing).unwrap();
        assert_eq!(nothing.extents().unwrap(), [0, 0]);
    }
    assert_eq!(driver.calls(), calls, "no rows and no slices are no work");
}

#[test]
fn a_graph_keeps_host_buffers_and_snapshots() {
    let (driver, context) = Faulty::context();
    let stream = Stream::create(&context, StreamOptions::default()).unwrap();
    let device = Buffer::allocate(&context, 64).unwrap();
    let pinned = HostBuffer::allocate(&context, 64, HostMemoryOptions::default()).unwrap();
    let at = pinned.address();
    let bytes: Snapshot = vec![7; 64].into();
    stream.begin_capture(CaptureMode::Global).unwrap();
    stream.memcpy(&Copy::of(CopySide::Buffer(&device, 0), CopySide::HostBuffer(&pinned, 0), 64)).unwrap();
    stream.memcpy(&Copy::of(CopySide::Buffer(&device, 0), CopySide::Snapshot(&bytes), 64)).unwrap();
    let graph = stream.end_capture().unwrap();
    let exec = graph.instantiate().unwrap();
    drop((graph, pinned, device, bytes));
    assert!(driver.is_allocated(at));
    exec.launch(&stream).unwrap();
    assert_eq!(driver.violations(), Vec::<String>::new());
    drop(exec);
    assert!(!driver.is_allocated(at));
}

#[test]
fn a_capture_does_not_keep_the_snapshot_of_a_copy_that_failed() {
    let (driver, context) = Faulty::context();
    let stream = Stream::create(&context, StreamOptions::default()).unwrap();
    let device = Buffer::allocate(&context, 64).unwrap();
    let bytes: Snapshot = vec![7; 64].into();
    let copy = Copy::of(CopySide::Buffer(&device, 0), CopySide::Snapshot(&bytes), 64);
    stream.begin_capture(CaptureMode::Global).unwrap();
    stream.memcpy(&copy).unwrap();
    let kept = Arc::strong_count(&bytes);
    driver.fail("memcpy_rows", Status::CAPTURE_INVALIDATED);
    stream.memcpy(&copy).unwrap_err();
    assert_eq!(Arc::strong_count(&bytes), kept);
    drop(stream.end_capture().unwrap());
    assert_eq!(Arc::strong_count(&bytes), 1);
}

#[test]
fn a_copy_at_once_is_waited_for_and_a_failed_one_is_not() {
    let (driver, context) = Faulty::context();
    let buffer = Buffer::allocate(&context, 64).unwrap();
    let bytes = [0_u8; 64];
    let host = HostPointer(bytes.as_ptr() as usize);
    let copy = Copy::of(CopySide::Buffer(&buffer, 0), CopySide::Host(host), 64);
    let before = driver.calls();
    context.memcpy(&copy).unwrap();
    assert_eq!((driver.executed(), driver.calls() - before), (vec![StreamId::LEGACY], 2));
    rejected(context.memcpy(&Copy { width: 65, ..copy }), "65");
    context.memcpy(&Copy { width: 0, ..copy }).unwrap();
    assert_eq!(driver.calls() - before, 2);
}
