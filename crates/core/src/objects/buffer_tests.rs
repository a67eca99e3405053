//! Tests of buffers: who they wait for, and what becomes of wrapped memory.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::faulty::Faulty;
use crate::{HostBuffer, Stream};
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{HostMemoryOptions, MemcpyKind, StreamOptions};

#[test]
fn a_buffer_forgets_streams_that_are_over() {
    let (driver, context) = Faulty::context();
    let stays = Stream::create(&context, StreamOptions::default()).unwrap();
    let buffer = Buffer::allocate(&context, 8).unwrap();
    stays.memset(&buffer, 0, 0, 1, 8).unwrap();
    for _ in 0..1000 {
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        stream.memset(&buffer, 0, 0, 1, 8).unwrap();
        driver.is_over(stream.id());
    }
    let last = Stream::create(&context, StreamOptions::default()).unwrap();
    last.memset(&buffer, 0, 0, 1, 8).unwrap();
    drop(buffer);
    let released = driver.released();
    let users = &released[0].1;
    assert!(users.len() < 100 && users.contains(&stays.id()) && users.contains(&last.id()), "{}", users.len());
    assert_eq!(driver.violations(), Vec::<String>::new());
}

#[test]
fn a_buffer_waits_for_every_stream_that_used_it() {
    let (driver, context) = Faulty::context();
    let streams: Vec<_> = (0..6).map(|_| Stream::create(&context, StreamOptions::default()).unwrap()).collect();
    let (used, unused) = (Buffer::allocate(&context, 8).unwrap(), Buffer::allocate(&context, 8).unwrap());
    let bytes = HostBuffer::allocate(&context, 8, HostMemoryOptions::default()).unwrap();
    for stream in streams.iter().rev().chain(&streams) {
        stream.memcpy_host(MemcpyKind::HostToDevice, &used, 0, bytes.address() as usize, 8).unwrap();
        stream.memset(&used, 0, 0, 4, 2).unwrap();
    }
    context.legacy_stream().memset(&used, 0, 0, 1, 8).unwrap();
    context.per_thread_stream().memcpy_host(MemcpyKind::DeviceToHost, &used, 0, bytes.address() as usize, 8).unwrap();
    let mut expected = vec![StreamId::LEGACY, StreamId::PER_THREAD];
    expected.extend(streams.iter().map(Stream::id));
    let (used_at, unused_at) = (used.address(), unused.address());
    drop(streams);
    drop((used.clone(), used, unused));
    assert_eq!(driver.released(), [(used_at, expected), (unused_at, vec![])]);
    context.synchronize().unwrap();
    assert_eq!(driver.violations(), Vec::<String>::new());
}

#[test]
fn a_buffer_used_often_in_a_capture_is_kept_once() {
    let (_driver, context) = Faulty::context();
    let stream = Stream::create(&context, StreamOptions::default()).unwrap();
    let (a, b) = (Buffer::allocate(&context, 8).unwrap(), Buffer::allocate(&context, 8).unwrap());
    stream.memset(&a, 0, 0, 1, 8).unwrap();
    assert_eq!(Arc::strong_count(&a.0), 1, "eager work keeps nothing");
    stream.begin_capture(CaptureMode::Relaxed).unwrap();
    for _ in 0..100 {
        stream.memcpy_dtod(&a, 0, &b, 0, 8).unwrap();
    }
    assert_eq!((Arc::strong_count(&a.0), Arc::strong_count(&b.0)), (2, 2));
    drop(stream.end_capture().unwrap());
    assert_eq!((Arc::strong_count(&a.0), Arc::strong_count(&b.0)), (1, 1));
}

#[test]
fn a_wrapped_buffer_is_handed_back_once() {
    let (driver, context) = Faulty::context();
    let handed_back = Arc::new(AtomicUsize::new(0));
    let wrap = |address, bytes| {
        let count = Arc::clone(&handed_back);
        Buffer::adopt(
            &context,
            address,
            bytes,
            Box::new(move || {
                count.fetch_add(1, Ordering::SeqCst);
            }),
        )
    };
    let count = || handed_back.load(Ordering::SeqCst);
    let buffer = wrap(0x1000, 16).unwrap();
    assert_eq!((buffer.address(), buffer.size(), count()), (0x1000, 16, 0));
    drop(buffer);
    assert_eq!(count(), 1);
    for (round, (address, bytes)) in [(0, 16), (0x1000, 0), (u64::MAX - 7, 16)].into_iter().enumerate() {
        assert_eq!(wrap(address, bytes).unwrap_err().status, Status::INVALID_VALUE);
        assert_eq!(count(), round + 2);
    }
    driver.fail("adopt", Status::OUT_OF_MEMORY);
    assert_eq!(wrap(0x1000, 16).unwrap_err().status, Status::OUT_OF_MEMORY);
    assert_eq!((count(), driver.live()), (5, 0));
}

#[test]
fn an_allocation_has_a_size() {
    let (driver, context) = Faulty::context();
    assert_eq!(Buffer::allocate(&context, 0).unwrap_err().status, Status::INVALID_VALUE);
    driver.fail("allocate", Status::OUT_OF_MEMORY);
    assert_eq!(Buffer::allocate(&context, 8).unwrap_err().status, Status::OUT_OF_MEMORY);
    assert_eq!(driver.live(), 0);
}
