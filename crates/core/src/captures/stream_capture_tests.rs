//! Captures as objects: who ends them, what ends them otherwise, and what others do meanwhile.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::AtomicU32;
use std::sync::mpsc;
use std::thread;

use super::*;
use crate::faulty::Faulty;
use crate::operations::copy::{CopySide, HostPointer};
use crate::Context;
use graphcap_driver::{ModuleSource, StreamOptions};

const SHAPE: LaunchShape = LaunchShape::ONE_THREAD;
const NO_SHAPE: LaunchShape = LaunchShape { grid: [0, 1, 1], block: [1; 3], shared_mem_bytes: 0 };

struct World {
    driver: Arc<Faulty>,
    context: Context,
    stream: Stream,
    buffer: Buffer,
    module: Module,
}

fn world() -> World {
    let (driver, context) = Faulty::context();
    let stream = Stream::create(&context, StreamOptions::default()).unwrap();
    let buffer = Buffer::allocate(&context, 64).unwrap();
    let module = Faulty::load(&context, ModuleSource::default());
    World { driver, context, stream, buffer, module }
}

impl World {
    fn begin(&self, mode: CaptureMode) -> StreamCapture {
        StreamCapture::begin(&self.stream, mode, vec![self.module.clone()]).unwrap()
    }

    fn set(&self, capture: &StreamCapture) -> Result<()> {
        capture.record_memset(&self.buffer, 0, 1, 4, 1)
    }

    fn launch(&self, capture: &StreamCapture, name: &str, shape: LaunchShape) -> Result<()> {
        let arguments = [
            KernelArgument::Buffer { buffer: &self.buffer, offset: 0, access: Default::default() },
            KernelArgument::Value(&[0; 4]),
        ];
        let launch = KernelLaunch { shape, arguments: &arguments, attributes: &[], events: &[] };
        capture.submit_kernel(|open| open.kernel(name), launch)
    }

    fn status(&self) -> CaptureStatus {
        self.stream.capture_info().unwrap().status
    }
}

fn status<T: fmt::Debug>(result: Result<T>) -> Status {
    result.unwrap_err().status
}

#[test]
fn what_is_recorded_is_counted_and_ends_in_a_graph_once() {
    let world = world();
    let capture = world.begin(CaptureMode::Global);
    assert_eq!((capture.is_active(), capture.recorded_count()), (Ok(true), 0));
    world.set(&capture).unwrap();
    world.launch(&capture, "k", SHAPE).unwrap();
    let copy = |destination, source, bytes| capture.record_memcpy(&Copy::of(destination, source, bytes));
    let host = || CopySide::Host(HostPointer(64));
    copy(CopySide::Buffer(&world.buffer, 0), CopySide::Buffer(&world.buffer, 32), 8).unwrap();
    copy(CopySide::Buffer(&world.buffer, 0), host(), 8).unwrap();
    copy(host(), CopySide::Buffer(&world.buffer, 0), 0).unwrap();
    capture.record_memset(&world.buffer, 0, 0, 1, 0).unwrap();
    // Not through the object.
    world.stream.memset(&world.buffer, 0, 0, 1, 1).unwrap();
    assert_eq!(capture.recorded_count(), 4);
    assert_eq!(capture.end().unwrap().node_count(), Ok(5));
    assert_eq!((capture.is_active(), capture.recorded_count()), (Ok(false), 4));
    assert_eq!(status(capture.end()), Status::CAPTURE_UNMATCHED);
    assert_eq!(status(capture.abort()), Status::CAPTURE_UNMATCHED);
    assert_eq!(status(world.set(&capture)), Status::ILLEGAL_STATE);
    assert_eq!(world.driver.executed(), []);
}

#[test]
fn names_are_found_in_the_modules_in_order_and_refusals_harm_nothing() {
    let world = world();
    let capture = world.begin(CaptureMode::Global);
    let calls = |world: &World| world.driver.calls();
    world.launch(&capture, "k", SHAPE).unwrap();
    let before = calls(&world);
    world.launch(&capture, "k", SHAPE).unwrap();
    // Where the stream is, whether the shape is possible, and the launch: the name is not looked up again.
    assert_eq!(calls(&world) - before, 3);
    assert_eq!(status(world.launch(&capture, "absent", SHAPE)), Status::NOT_FOUND);
    assert_eq!(status(world.launch(&capture, "k", NO_SHAPE)), Status::INVALID_VALUE);
    assert_eq!(status(capture.record_memset(&world.buffer, 64, 0, 1, 1)), Status::INVALID_VALUE);
    assert_eq!((capture.is_active(), capture.recorded_count()), (Ok(true), 2));
    assert_eq!(capture.end().unwrap().node_count(), Ok(2));

    let without = StreamCapture::begin(&world.stream, CaptureMode::Global, vec![]).unwrap();
    let error = world.launch(&without, "k", SHAPE).unwrap_err();
    assert!(error.status == Status::NOT_FOUND && error.message.contains("no modules"), "{}", error.message);
    drop(without);
    let (_other_driver, other) = Faulty::context();
    let foreign = Faulty::load(&other, ModuleSource::default());
    let modules = vec![world.module.clone(), foreign];
    let error = StreamCapture::begin(&world.stream, CaptureMode::Global, modules).unwrap_err();
    assert!(error.status == Status::INVALID_CONTEXT && error.message.starts_with("module 1:"), "{}", error.message);
    assert_eq!(world.status(), CaptureStatus::None);
}

#[test]
fn of_two_modules_that_have_a_kernel_the_first_counts() {
    let world = world();
    let second = Faulty::load(&world.context, ModuleSource::default());
    let (first_id, second_id) = (world.module.0.id(), second.0.id());
    let modules = vec![world.module.clone(), second];
    let capture = StreamCapture::begin(&world.stream, CaptureMode::Global, modules).unwrap();
    world.launch(&capture, "k", SHAPE).unwrap();
    let World { driver, module, .. } = world;
    drop(module);
    assert!(driver.is_loaded(first_id) && driver.is_loaded(second_id));
    let graph = capture.end().unwrap();
    assert!(driver.is_loaded(first_id) && !driver.is_loaded(second_id));
    drop(graph);
    assert!(!driver.is_loaded(first_id));
}

#[test]
fn dropping_or_aborting_ends_and_discards() {
    for aborts in [true, false] {
        let world = world();
        let address = world.buffer.address();
        let capture = world.begin(CaptureMode::Global);
        world.set(&capture).unwrap();
        let World { driver, context, stream, buffer, module } = world;
        drop(buffer);
        assert!(driver.is_allocated(address), "a capture keeps what it recorded");
        if aborts {
            capture.abort().unwrap();
            assert_eq!(capture.is_active(), Ok(false));
        }
        drop(capture);
        assert_eq!((driver.captures(), driver.graphs()), (0, 0));
        assert!(!driver.is_allocated(address));
        drop((context, stream, module));
        assert_eq!((driver.live(), driver.violations()), (0, vec![]));
    }
}

#[test]
fn a_capture_keeps_its_stream_and_modules_until_it_is_over() {
    let world = world();
    let capture = world.begin(CaptureMode::Global);
    let World { driver, context, stream, buffer, module } = world;
    drop((stream, module, context));
    assert!(capture.is_active().unwrap() && driver.captures() == 1);
    capture.record_memset(&buffer, 0, 0, 1, 1).unwrap();
    let graph = capture.end().unwrap();
    assert_eq!(graph.node_count(), Ok(1));
    drop((graph, buffer));
    assert_eq!(driver.live(), 0, "what is over keeps nothing");
    drop(capture);
    assert_eq!(driver.violations(), Vec::<String>::new());
}

#[test]
fn a_capture_that_others_ended_is_over_and_the_next_one_is_left_alone() {
    for shared in [false, true] {
        let world = world();
        let capture = world.begin(CaptureMode::Global);
        if shared {
            world.stream.native().unwrap();
        }
        drop(world.stream.end_capture().unwrap());
        assert_eq!(capture.is_active(), Ok(false));
        assert_eq!(status(world.set(&capture)), Status::ILLEGAL_STATE);
        assert_eq!(world.driver.executed(), [], "what was to be recorded never runs");

        for ends in [0, 1, 2] {
            let first = world.begin(CaptureMode::Global);
            drop(world.stream.end_capture().unwrap());
            let second = world.begin(CaptureMode::Global);
            world.set(&second).unwrap();
            match ends {
                0 => assert_eq!(status(first.end()), Status::CAPTURE_UNMATCHED),
                1 => assert_eq!(status(first.abort()), Status::CAPTURE_UNMATCHED),
                _ => assert_eq!(status(world.set(&first)), Status::ILLEGAL_STATE),
            }
            drop(first);
            assert_eq!((second.is_active(), second.end().unwrap().node_count()), (Ok(true), Ok(1)));
        }
        assert_eq!(status(capture.end()), Status::CAPTURE_UNMATCHED);
    }
}

#[test]
fn a_broken_capture_ends_with_901_and_frees_its_stream() {
    for way in 0..3 {
        let world = world();
        let (capture, other) =
            (world.begin(CaptureMode::Global), Stream::create(&world.context, StreamOptions::default()));
        let (other, event) = (other.unwrap(), crate::Event::create(&world.context, Default::default()).unwrap());
        // Two captures that are to merge break.
        let second = StreamCapture::begin(&other, CaptureMode::Global, vec![]).unwrap();
        event.record(&other).unwrap();
        world.stream.wait_event(&event).unwrap_err();
        assert_eq!((capture.is_active(), second.is_active()), (Ok(false), Ok(false)));
        assert_eq!(world.status(), CaptureStatus::Invalidated);
        assert_eq!(status(world.set(&capture)), Status::CAPTURE_INVALIDATED);
        match way {
            0 => assert_eq!(status(capture.end()), Status::CAPTURE_INVALIDATED),
            1 => capture.abort().unwrap(),
            _ => drop(capture),
        }
        assert_eq!(world.status(), CaptureStatus::None);
        assert_eq!(world.begin(CaptureMode::Global).end().unwrap().node_count(), Ok(0));
        drop(second);
        assert_eq!(world.driver.captures(), 0);
    }
}

#[test]
fn a_thread_that_comes_while_another_one_records_is_refused() {
    let world = world();
    let capture = world.begin(CaptureMode::Relaxed);
    let (other, buffer) = (capture.clone(), world.buffer.clone());
    let (tell, told) = std::sync::mpsc::channel();
    world.driver.at("memset", move || {
        let busy = thread::spawn(move || {
            [
                status(other.record_memset(&buffer, 0, 0, 1, 1)),
                status(other.end()),
                status(other.abort()),
                // These ask only.
                Status(i32::from(other.is_active().unwrap())),
                Status(other.recorded_count() as i32),
            ]
        });
        tell.send(busy.join().unwrap()).unwrap();
    });
    world.set(&capture).unwrap();
    assert_eq!(told.recv().unwrap(), [Status::BUSY, Status::BUSY, Status::BUSY, Status(1), Status(0)]);
    assert_eq!((capture.recorded_count(), capture.end().unwrap().node_count()), (1, Ok(1)));
}

#[test]
fn a_refused_recording_gives_the_turn_back() {
    let world = world();
    let capture = world.begin(CaptureMode::Global);
    world.driver.fail("memset", Status::OUT_OF_MEMORY);
    assert_eq!(status(world.set(&capture)), Status::OUT_OF_MEMORY);
    world.driver.fail("capture_info", Status::UNKNOWN);
    assert_eq!(status(world.set(&capture)), Status::UNKNOWN);
    world.set(&capture).unwrap();
    assert_eq!((capture.recorded_count(), capture.end().unwrap().node_count()), (1, Ok(1)));
}

#[test]
fn a_wrong_thread_ends_it_without_a_graph() {
    for way in 0..3 {
        let world = world();
        let (capture, theirs) = (world.begin(CaptureMode::ThreadLocal), world.stream.clone());
        let object = capture.clone();
        let told = thread::spawn(move || match way {
            0 => status(object.end()),
            1 => status(theirs.end_capture()),
            _ => Status(object.abort().map_or_else(|error| error.status.0, |()| 0)),
        });
        let expected = if way == 2 { Status::SUCCESS } else { Status::CAPTURE_WRONG_THREAD };
        assert_eq!(told.join().unwrap(), expected);
        assert_eq!((capture.is_active(), world.status()), (Ok(false), CaptureStatus::None));
        assert_eq!(status(capture.end()), Status::CAPTURE_UNMATCHED);
    }
}

#[test]
fn a_capture_of_the_per_thread_stream_is_its_threads() {
    for (driver, context) in [Faulty::context(), Faulty::sharing_context()] {
        let (stream, buffer) = (context.per_thread_stream(), Buffer::allocate(&context, 8).unwrap());
        let capture = StreamCapture::begin(&stream, CaptureMode::Relaxed, vec![]).unwrap();
        let (theirs, object, target) = (stream.clone(), capture.clone(), buffer.clone());
        let told = thread::spawn(move || {
            // The thread has a capture of its own on the stream of that handle.
            let own = StreamCapture::begin(&theirs, CaptureMode::Relaxed, vec![]).unwrap();
            let refused = [
                status(object.record_memset(&target, 0, 0, 1, 1)),
                status(object.is_active()),
                status(object.end()),
                status(object.abort()),
            ];
            assert_eq!(object.recorded_count(), 0);
            assert_eq!(own.end().unwrap().node_count(), Ok(0));
            refused
        });
        assert_eq!(told.join().unwrap(), [Status::NOT_PERMITTED; 4]);
        capture.record_memset(&buffer, 0, 0, 1, 1).unwrap();
        assert_eq!(capture.end().unwrap().node_count(), Ok(1));

        let capture = StreamCapture::begin(&stream, CaptureMode::Relaxed, vec![]).unwrap();
        thread::spawn(move || drop(capture)).join().unwrap();
        assert_eq!(driver.captures(), 1, "another thread cannot end it");
        drop(stream.end_capture().unwrap());
        assert_eq!(driver.captures(), 0);
    }
}

#[test]
fn a_drop_where_nothing_may_be_ended_leaves_that_to_another_thread() {
    let world = world();
    let capture = world.begin(CaptureMode::Global);
    let (tell, told) = mpsc::channel();
    world.driver.at("end_capture", move || tell.send(thread::current().name().map(str::to_owned)).unwrap());
    // To a thread that runs work.
    graphcap_driver::run_aside(Box::new(move || drop(capture)));
    assert_eq!(told.recv().unwrap().as_deref(), Some("graphcap-capture"));
    while world.driver.captures() + world.driver.graphs() > 0 {
        thread::yield_now();
    }
    let capture = world.begin(CaptureMode::Global);
    world.driver.fail("end_capture", Status::NOT_PERMITTED);
    assert_eq!(status(capture.end()), Status::NOT_PERMITTED);
    assert_eq!(capture.end().unwrap().node_count(), Ok(0));
}

#[test]
fn a_begin_that_fails_leaves_no_capture_and_a_fault_does_not_keep_one() {
    let world = world();
    world.driver.fail("begin_capture", Status::CAPTURE_UNSUPPORTED);
    let begun = StreamCapture::begin(&world.stream, CaptureMode::Global, vec![]);
    assert_eq!((status(begun), world.driver.captures()), (Status::CAPTURE_UNSUPPORTED, 0));
    // After a fault the driver tells nothing, and the capture is ended all the same.
    let capture = world.begin(CaptureMode::Global);
    world.driver.fail("capture_info", Status::LAUNCH_FAILED);
    drop(capture.end());
    assert_eq!(world.driver.captures(), 0);
}

#[test]
fn a_scope_gives_a_graph_or_what_went_wrong_first() {
    let world = world();
    let capture = |record: &dyn Fn(&Stream) -> Result<()>| world.stream.capture(CaptureMode::Global, record);
    let record = |stream: &Stream| stream.memset(&world.buffer, 0, 0, 1, 1);
    let ended = || (world.status(), world.driver.captures(), world.driver.graphs()) == (CaptureStatus::None, 0, 0);
    assert_eq!(capture(&record).unwrap().node_count(), Ok(1));
    let failed = |stream: &Stream| record(stream).and(Err(Error::new(Status(12_345), "why")));
    assert!(capture(&failed).unwrap_err() == Error::new(Status(12_345), "why") && ended());
    // It ended the capture itself, with and without a failure of its own.
    let ends = |stream: &Stream| stream.end_capture().map(drop);
    assert!(status(capture(&ends)) == Status::CAPTURE_UNMATCHED && ended());
    let ends_and_fails = |stream: &Stream| ends(stream).and(Err(Error::new(Status(7), "why")));
    assert!(status(capture(&ends_and_fails)) == Status(7) && ended());
    // It cannot begin where it is, and what it begins afterwards is its own.
    let nests = |stream: &Stream| stream.capture::<Error>(CaptureMode::Global, record).map(drop);
    assert!(status(capture(&nests)) == Status::ILLEGAL_STATE && ended());
    let begins = |stream: &Stream| ends(stream).and_then(|()| stream.begin_capture(CaptureMode::Global));
    assert_eq!(status(capture(&begins)), Status::CAPTURE_UNMATCHED);
    assert_eq!((world.status(), world.driver.graphs()), (CaptureStatus::Active, 0));
    drop(world.stream.end_capture().unwrap());
    // It is not asked where the capture cannot begin.
    let asked = AtomicU32::new(0);
    world.driver.fail("begin_capture", Status::CAPTURE_UNSUPPORTED);
    let counts = |_: &Stream| {
        asked.fetch_add(1, Ordering::SeqCst);
        Ok(())
    };
    assert!(status(capture(&counts)) == Status::CAPTURE_UNSUPPORTED && asked.load(Ordering::SeqCst) == 0);
    // A broken one.
    world.driver.fail("end_capture", Status::CAPTURE_INVALIDATED);
    assert_eq!(status(capture(&record)), Status::CAPTURE_INVALIDATED);
}

#[test]
fn a_panic_in_a_scope_goes_on_after_the_capture_was_ended() {
    let world = world();
    let scope = || world.stream.capture::<Error>(CaptureMode::Global, |_| std::panic::resume_unwind(Box::new(5u8)));
    let panic = catch_unwind(AssertUnwindSafe(scope)).unwrap_err();
    assert_eq!(panic.downcast_ref(), Some(&5u8));
    assert_eq!((world.status(), world.driver.captures(), world.driver.graphs()), (CaptureStatus::None, 0, 0));
    assert_eq!(world.driver.violations(), Vec::<String>::new());
}
