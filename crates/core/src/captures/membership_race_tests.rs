//! Tests of what captures keep alive when calls race: captures that begin and end on a stream inside calls that use it.

use std::sync::{Arc, Barrier, Mutex};

use super::buffer;
use super::event;
use super::stream;
use super::{forget, join, replay, set};
use crate::faulty::Faulty;
use crate::{Context, Graph, Stream};
use graphcap_base::error::Status;
use graphcap_base::lock::lock;
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::StreamId;

/// Runs `other` at a point inside a call of this thread, as another thread might.
fn inside(driver: &Faulty, point: &'static str, other: impl FnOnce() + Send + 'static) {
    driver.at(point, move || {
        std::thread::scope(|scope| {
            scope.spawn(other);
        });
    });
}

/// A capture begins on `stream` between core's look at it and the driver's, and may end within the same call.
fn records_while_a_capture_begins(driver: &Faulty, context: &Context, stream: &Stream, also_ends: bool) {
    let buffer = buffer(context);
    let ended = Arc::new(Mutex::new(None));
    let (theirs, slot) = (stream.clone(), Arc::clone(&ended));
    inside(driver, "memset", move || theirs.begin_capture(CaptureMode::Relaxed).unwrap());
    if also_ends {
        let theirs = stream.clone();
        inside(driver, "after memset", move || *slot.lock().unwrap() = Some(theirs.end_capture().unwrap()));
    }
    set(stream, &buffer);
    let graph = ended.lock().unwrap().take().unwrap_or_else(|| stream.end_capture().unwrap());
    assert_eq!(graph.node_count().unwrap(), 1);
    let address = forget(buffer);
    let replayed = replay(context, graph);
    assert_eq!(driver.violations(), Vec::<String>::new(), "{also_ends}");
    assert_eq!(driver.released(), [(address, vec![stream.id(), replayed])]);
}

#[test]
fn a_record_racing_a_begin_is_kept_or_waited_for() {
    for also_ends in [false, true] {
        let (driver, context) = Faulty::context();
        records_while_a_capture_begins(&driver, &context, &stream(&context), also_ends);
    }
}

/// Two captures begin and end on one stream while a call of another thread submits to it: whichever recorded the call keeps
/// what it uses.
#[test]
fn a_record_racing_two_captures_is_kept_by_the_one_that_recorded_it() {
    for records_first in [true, false] {
        let (driver, context) = Faulty::context();
        let stream = stream(&context);
        let buffer = buffer(&context);
        let (recorded, empty) = (Arc::default(), Arc::default());
        let begin = |theirs: &Stream| theirs.begin_capture(CaptureMode::Relaxed).unwrap();
        let end = |theirs: &Stream, slot: &Arc<Mutex<Option<Graph>>>| {
            *slot.lock().unwrap() = Some(theirs.end_capture().unwrap());
        };
        let (theirs, slot) = (stream.clone(), Arc::clone(&empty));
        inside(&driver, "memset", move || {
            begin(&theirs);
            if !records_first {
                end(&theirs, &slot);
                begin(&theirs);
            }
        });
        let (theirs, slots) = (stream.clone(), [Arc::clone(&recorded), Arc::clone(&empty)]);
        inside(&driver, "after memset", move || {
            end(&theirs, &slots[0]);
            if records_first {
                begin(&theirs);
                end(&theirs, &slots[1]);
            }
        });
        set(&stream, &buffer);
        let take = |slot: &Mutex<Option<Graph>>| slot.lock().unwrap().take().unwrap();
        let (recorded, empty) = (take(&recorded), take(&empty));
        assert_eq!((recorded.node_count(), empty.node_count()), (Ok(1), Ok(0)));
        let address = forget(buffer);
        drop(empty);
        let replayed = replay(&context, recorded);
        assert_eq!(driver.violations(), Vec::<String>::new(), "{records_first}");
        assert_eq!(driver.released(), [(address, vec![stream.id(), replayed])]);
    }
}

/// So many captures begin and end while a call of another thread submits that the one which recorded the call is forgotten:
/// its graph came and went, and nobody knows where its launches still run.
#[test]
fn what_a_forgotten_capture_recorded_waits_for_the_whole_context() {
    const CAPTURES: usize = 20;
    let (driver, context) = Faulty::context();
    let (stream, buffer) = (stream(&context), buffer(&context));
    let theirs = stream.clone();
    inside(&driver, "memset", move || theirs.begin_capture(CaptureMode::Relaxed).unwrap());
    let theirs = stream.clone();
    inside(&driver, "after memset", move || {
        for _ in 0..CAPTURES {
            drop(theirs.end_capture().unwrap());
            theirs.begin_capture(CaptureMode::Relaxed).unwrap();
        }
        drop(theirs.end_capture().unwrap());
    });
    set(&stream, &buffer);
    assert!(lock(&stream.0.membership.history).entered.len() < CAPTURES);
    let address = forget(buffer);
    assert_eq!(driver.released(), [(address, vec![stream.id(), StreamId::UNKNOWN])]);
    assert_eq!(driver.violations(), Vec::<String>::new());
}

#[test]
fn a_record_racing_a_capture_of_a_shared_stream_is_kept_or_waited_for() {
    for also_ends in [false, true] {
        let (driver, context) = Faulty::context();
        let stream = stream(&context);
        stream.native().unwrap();
        records_while_a_capture_begins(&driver, &context, &stream, also_ends);
    }
}

#[test]
fn a_record_racing_an_end_is_kept_or_waited_for() {
    // The end happens between core's look at the stream and the driver's, or just after the driver's.
    for (point, executed) in [("memset", 1), ("after memset", 0)] {
        let (driver, context) = Faulty::context();
        let (origin, fork) = (stream(&context), stream(&context));
        let buffer = buffer(&context);
        origin.begin_capture(CaptureMode::Relaxed).unwrap();
        join(&fork, &origin);
        let ended = Arc::new(Mutex::new(None));
        let (theirs, forked, slot) = (origin.clone(), fork.clone(), Arc::clone(&ended));
        inside(&driver, point, move || {
            join(&theirs, &forked);
            *slot.lock().unwrap() = Some(theirs.end_capture().unwrap());
        });
        set(&fork, &buffer);
        assert_eq!(driver.executed().len(), executed);
        let graph = ended.lock().unwrap().take().unwrap();
        let address = forget(buffer);
        let replayed = replay(&context, graph);
        assert_eq!(driver.violations(), Vec::<String>::new(), "{point}");
        assert_eq!(driver.released(), [(address, vec![fork.id(), replayed])]);
    }
}

#[test]
fn work_inside_a_begin_is_kept_and_waited_for() {
    for point in ["begin_capture", "after begin_capture"] {
        let (driver, context) = Faulty::context();
        let stream = stream(&context);
        let buffer = buffer(&context);
        let (theirs, used) = (stream.clone(), buffer.clone());
        inside(&driver, point, move || set(&theirs, &used));
        stream.begin_capture(CaptureMode::Relaxed).unwrap();
        let graph = stream.end_capture().unwrap();
        let address = forget(buffer);
        assert!(driver.is_allocated(address));
        let replayed = replay(&context, graph);
        assert_eq!(driver.released(), [(address, vec![stream.id(), replayed])]);
        assert_eq!(driver.violations(), Vec::<String>::new(), "{point}");
    }
}

#[test]
fn an_event_recorded_during_a_begin_takes_others_in() {
    let (driver, context) = Faulty::context();
    let (origin, fork) = (stream(&context), stream(&context));
    let (buffer, event) = (buffer(&context), event(&context));
    let theirs = origin.clone();
    inside(&driver, "event_record", move || theirs.begin_capture(CaptureMode::Relaxed).unwrap());
    event.record(&origin).unwrap();
    fork.wait_event(&event).unwrap();
    set(&fork, &buffer);
    join(&origin, &fork);
    let graph = origin.end_capture().unwrap();
    assert_eq!(graph.node_count().unwrap(), 1);
    let address = forget(buffer);
    assert!(driver.is_allocated(address));
    let replayed = replay(&context, graph);
    assert_eq!(driver.released(), [(address, vec![replayed])], "the driver tells that the fork has joined");
    assert_eq!(driver.violations(), Vec::<String>::new());
}

#[test]
fn threads_that_record_while_another_ends_lose_nothing() {
    let (driver, context) = Faulty::context();
    let streams: Vec<Stream> = (0..3).map(|_| stream(&context)).collect();
    let (mut ended, mut counted) = (0, 0);
    for round in 0..200 {
        let before = driver.executed().len();
        streams[0].begin_capture(CaptureMode::Relaxed).unwrap();
        join(&streams[1], &streams[0]);
        join(&streams[2], &streams[0]);
        let (barrier, graph) = (Barrier::new(3), Mutex::new(None));
        std::thread::scope(|scope| {
            for stream in &streams[1..] {
                let (context, barrier) = (&context, &barrier);
                scope.spawn(move || {
                    barrier.wait();
                    for _ in 0..8 {
                        set(stream, &buffer(context));
                    }
                });
            }
            scope.spawn(|| {
                barrier.wait();
                for _ in 0..round % 40 {
                    std::hint::spin_loop();
                }
                for fork in &streams[1..] {
                    join(&streams[0], fork);
                }
                *graph.lock().unwrap() = Some(streams[0].end_capture());
            });
        });
        match graph.into_inner().unwrap().unwrap() {
            Ok(graph) => {
                ended += 1;
                counted += graph.node_count().unwrap() + driver.executed().len() - before;
                replay(&context, graph);
            }
            // A thread recorded once more between the join and the end.
            Err(error) => assert_eq!(error.status, Status::CAPTURE_UNJOINED),
        }
    }
    assert_eq!(driver.violations(), Vec::<String>::new());
    assert_eq!(counted, ended * 16);
    assert_eq!(driver.released().len(), 200 * 16);
}

#[test]
fn an_exec_made_before_a_racing_record_returned_keeps_what_that_recorded() {
    let (driver, context) = Faulty::context();
    let (racing, late) = (stream(&context), buffer(&context));
    let (begins, ends) = (racing.clone(), racing.clone());
    let exec = Arc::new(Mutex::new(None));
    let made = Arc::clone(&exec);
    driver.at("memset", move || begins.begin_capture(CaptureMode::Relaxed).unwrap());
    driver.at("after memset", move || {
        *made.lock().unwrap() = Some(ends.end_capture().unwrap().instantiate().unwrap());
    });
    set(&racing, &late);
    forget(late);
    exec.lock().unwrap().take().unwrap().launch(&racing).unwrap();
    assert_eq!(driver.violations(), Vec::<String>::new());
}
