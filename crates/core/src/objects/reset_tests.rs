//! Tests of resets: what is older is refused before the driver is asked, and released as ever.

use std::sync::Arc;

use crate::faulty::Faulty;
use crate::{Buffer, CacheOptions, Context, ContextOptions, Event, Graph, GraphCache, GraphExec, Module, Stream};
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{EventOptions, ModuleSource, StreamOptions};

struct Things {
    stream: Stream,
    event: Event,
    buffer: Buffer,
    module: Module,
    graph: Graph,
    exec: GraphExec,
}

impl Things {
    fn of(context: &Context) -> Things {
        let stream = Stream::create(context, StreamOptions::default()).unwrap();
        let buffer = Buffer::allocate(context, 64).unwrap();
        stream.begin_capture(CaptureMode::Relaxed).unwrap();
        stream.memset(&buffer, 0, 0, 1, 64).unwrap();
        let graph = stream.end_capture().unwrap();
        let exec = graph.instantiate().unwrap();
        let event = Event::create(context, EventOptions::default()).unwrap();
        Things { stream, event, buffer, module: Faulty::load(context, ModuleSource::default()), graph, exec }
    }
}

fn stale<T>(result: Result<T>) {
    let error: Error = result.err().expect("what is older than a reset is refused");
    assert_eq!(error.status, Status::STALE, "{error}");
}

#[test]
fn what_is_older_is_refused_and_goes_as_ever() {
    for (driver, context) in [Faulty::context(), Faulty::sharing_context()] {
        let old = Things::of(&context);
        old.exec.launch(&old.stream).unwrap();
        let next = context.reset().unwrap();
        assert_eq!((context.generation(), next.generation()), (1, 2));
        assert!(context.is_stale() && !next.is_stale());
        let calls = driver.calls();
        stale(old.exec.launch(&old.stream));
        stale(old.exec.upload(&old.stream));
        stale(old.stream.memset(&old.buffer, 0, 0, 1, 64));
        stale(old.stream.synchronize());
        stale(old.stream.begin_capture(CaptureMode::Relaxed));
        stale(old.stream.capture_info());
        stale(old.event.record(&old.stream));
        stale(old.event.is_complete());
        stale(old.module.kernel("k"));
        stale(old.graph.instantiate());
        stale(old.graph.node_count());
        stale(Buffer::allocate(&context, 8));
        stale(Stream::create(&context, StreamOptions::default()));
        stale(Graph::create(&context));
        stale(GraphCache::create(&context, CacheOptions::default()));
        stale(context.legacy_stream().synchronize());
        stale(context.synchronize());
        stale(context.reset());
        assert_eq!(driver.calls(), calls, "the device is not asked");
        // The new generation has the same objects beside the old ones, which it does not take.
        let new = Things::of(&next);
        new.exec.launch(&new.stream).unwrap();
        stale(old.exec.launch(&new.stream));
        stale(new.exec.launch(&old.stream));
        stale(new.stream.memset(&old.buffer, 0, 0, 1, 64));
        stale(new.stream.wait_event(&old.event));
        let address = old.buffer.address();
        assert!(driver.is_allocated(address));
        drop(old);
        assert!(!driver.is_allocated(address));
        new.exec.launch(&new.stream).unwrap();
        drop((new, context, next));
        assert_eq!((driver.live(), driver.violations()), (0, vec![]));
    }
}

#[test]
fn a_context_is_left_once_whether_the_next_generation_shares_it_or_not() {
    let (driver, context) = Faulty::context();
    let next = context.reset().unwrap();
    assert_eq!(driver.left(), [0], "objects of it may live on");
    drop(next);
    assert_eq!(driver.left(), [0, 1]);
    let (driver, context) = Faulty::sharing_context();
    let next = context.reset().unwrap();
    drop(context);
    assert!(driver.left().is_empty(), "the next generation is on it");
    drop(next);
    assert_eq!(driver.left(), [0]);
}

#[test]
fn a_reset_that_fails_changes_nothing() {
    let (driver, context) = Faulty::context();
    let things = Things::of(&context);
    driver.fail("renew", Status::ILLEGAL_ADDRESS);
    let mut is_published = false;
    let failed = context.reset_with(|_| is_published = true);
    assert_eq!(failed.unwrap_err().status, Status::ILLEGAL_ADDRESS);
    assert!(!is_published && !context.is_stale());
    things.exec.launch(&things.stream).unwrap();
    // It can be tried again.
    let mut seen = None;
    let next = context.reset_with(|next| seen = Some((next.generation(), context.is_stale()))).unwrap();
    assert_eq!((seen, next.generation()), (Some((2, false)), 2));
}

#[test]
fn one_of_several_resets_takes_place() {
    let (driver, context) = Faulty::context();
    let (again, met) = (context.clone(), Arc::new(std::sync::OnceLock::new()));
    let note = Arc::clone(&met);
    driver.at("renew", move || note.set(again.reset().map(drop)).unwrap());
    context.reset().unwrap();
    assert_eq!(met.get().unwrap().as_ref().unwrap_err().status, Status::BUSY);
}

#[test]
fn a_wait_that_a_reset_overtakes_is_stale() {
    let (driver, context) = Faulty::context();
    let things = Things::of(&context);
    let of_old = context.clone();
    driver.at("stream_synchronize", move || drop(of_old.reset().unwrap()));
    stale(things.stream.synchronize());
}

#[test]
fn the_options_of_a_context_stay() {
    let host = graphcap_driver::DeviceChoice::Kind(graphcap_driver::DeviceKind::Host);
    for (guarded, strict) in [(true, false), (false, true), (false, false)] {
        let context = Context::create_with(host, 0, ContextOptions { guarded, strict }).unwrap().reset().unwrap();
        assert_eq!((context.is_guarded(), context.is_strict()), (guarded, strict));
    }
}
