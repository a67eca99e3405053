//! Objects on the device that `GRAPHCAP_DEVICE` says: whatever is dropped while work is on its way, the work completes first.
//!
//! Work that lost its memory faults the context, so each test ends by asking whether it did.

#![allow(clippy::disallowed_types)]

use std::sync::mpsc::{channel, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use graphcap::core::{Buffer, Context, Event, Stream};
use graphcap::driver::{DeviceChoice, EventOptions, HostFunction, StreamOptions};
use graphcap::rules::CaptureMode;

/// Lets one test run at a time: a capture of one would be broken by what the others wait for.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn context() -> Context {
    Context::create(DeviceChoice::Auto, 0).unwrap()
}

fn stream(context: &Context) -> Stream {
    Stream::create(context, StreamOptions { non_blocking: true, priority: 0 }).unwrap()
}

/// A host function that returns when told to, once per run.
fn gate() -> (HostFunction, Sender<()>) {
    let (open, opened) = channel();
    let opened = Mutex::new(opened);
    let wait = move || {
        let _ = opened.lock().unwrap().recv();
    };
    (Arc::new(wait), open)
}

fn fork(context: &Context, from: &Stream, to: &Stream) {
    let event = Event::create(context, EventOptions::default()).unwrap();
    event.record(from).unwrap();
    to.wait_event(&event).unwrap();
}

#[test]
fn a_replay_outlives_everything_that_it_was_made_from() {
    let _alone = alone();
    let context = context();
    let waiting = stream(&context);
    let (function, open) = gate();
    {
        let (origin, side) = (stream(&context), stream(&context));
        let (a, b) = (Buffer::allocate(&context, 4096).unwrap(), Buffer::allocate(&context, 4096).unwrap());
        origin.begin_capture(CaptureMode::Global).unwrap();
        origin.launch_host_function(function).unwrap();
        fork(&context, &origin, &side);
        side.memset(&b, 0, 1, 4, 1024).unwrap();
        origin.memset(&a, 0, 2, 4, 1024).unwrap();
        fork(&context, &side, &origin);
        origin.memcpy_dtod(&a, 0, &b, 0, 4096).unwrap();
        let exec = origin.end_capture().unwrap().instantiate().unwrap();
        drop((a, b, origin, side));
        assert_eq!(exec.node_count(), 4);
        exec.upload(&waiting).unwrap();
        exec.launch(&waiting).unwrap();
        exec.launch(&waiting).unwrap();
    }
    open.send(()).unwrap();
    open.send(()).unwrap();
    waiting.synchronize().unwrap();
    context.synchronize().unwrap();
}

#[test]
fn a_replay_outlives_its_context() {
    let _alone = alone();
    let ran = Arc::new(());
    let (function, open) = gate();
    {
        let context = context();
        let stream = stream(&context);
        let buffer = Buffer::allocate(&context, 64).unwrap();
        let held = Arc::clone(&ran);
        stream.begin_capture(CaptureMode::Global).unwrap();
        stream.launch_host_function(function).unwrap();
        stream.memset(&buffer, 0, 1, 1, 64).unwrap();
        stream.launch_host_function(Arc::new(move || drop(Arc::clone(&held)))).unwrap();
        stream.end_capture().unwrap().instantiate().unwrap().launch(&stream).unwrap();
    }
    assert_eq!(Arc::strong_count(&ran), 2, "the replay is still to come");
    open.send(()).unwrap();
    while Arc::strong_count(&ran) > 1 {
        std::thread::yield_now();
    }
}

#[test]
fn a_buffer_outlives_the_work_that_was_queued_on_it() {
    let _alone = alone();
    for stream_goes_too in [false, true] {
        let context = context();
        let stream = stream(&context);
        let buffer = Buffer::allocate(&context, 4096).unwrap();
        let (function, open) = gate();
        stream.launch_host_function(function).unwrap();
        stream.memset(&buffer, 0, 7, 1, 4096).unwrap();
        let stream = Some(stream).filter(|_| !stream_goes_too);
        drop(buffer);
        open.send(()).unwrap();
        context.synchronize().unwrap();
        drop(stream);
    }
}
