//! The capture rules as the host device answers them.

use super::*;
use graphcap_base::error::Status;

fn status<T: std::fmt::Debug>(answer: graphcap_base::Result<T>) -> Status {
    answer.expect_err("the call should have failed").status
}

fn state(bench: &Bench, stream: StreamId) -> CaptureStatus {
    bench.driver.capture_info(stream).unwrap().status
}

#[test]
fn a_chain_is_recorded_and_not_run() {
    let bench = Bench::new();
    let stream = bench.stream();
    let mark = Mark::default();
    bench.begin(stream);
    for _ in 0..5 {
        bench.mark(stream, &mark).unwrap();
    }
    let graph = bench.driver.end_capture(stream).unwrap();
    assert_eq!(bench.driver.graph_node_count(graph), Ok(5));
    assert_eq!(bench.driver.graph_edge_count(graph), Ok(4));
    let (nodes, edges) = bench.shape_of(graph);
    assert_eq!(edges, [(0, 1), (1, 2), (2, 3), (3, 4)]);
    for node in nodes {
        let read = &mut |work: &Work<'_>| {
            let Work::Kernel(launch) = work else { panic!("{:?}", work.kind()) };
            assert_eq!((launch.kernel, launch.name, launch.shape), (bench.append, "append", ONE));
            assert_eq!(launch.arguments, Arguments::Separate(&[Argument::Value(&mark.argument())]));
        };
        bench.driver.node_work(GraphRef::Known(graph), node, read).unwrap();
    }
    bench.finish(stream);
    assert_eq!(mark.runs(), 0);
}

#[test]
fn fork_and_join_make_a_diamond() {
    let bench = Bench::new();
    let (a, b, c) = (bench.stream(), bench.stream(), bench.stream());
    let mark = Mark::default();
    bench.begin(a);
    bench.mark(a, &mark).unwrap();
    bench.order(a, b);
    bench.order(a, c);
    assert_eq!(bench.driver.capture_info(a), bench.driver.capture_info(b));
    for stream in [a, b, c] {
        bench.mark(stream, &mark).unwrap();
    }
    bench.order(b, a);
    bench.order(c, a);
    bench.mark(a, &mark).unwrap();
    let graph = bench.driver.end_capture(a).unwrap();
    assert_eq!(bench.shape_of(graph).1, [(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 4)]);
    for stream in [a, b, c] {
        assert_eq!(state(&bench, stream), CaptureStatus::None);
    }
}

#[test]
fn begin_and_end_answer_as_the_driver() {
    let bench = Bench::new();
    let (a, b) = (bench.stream(), bench.stream());
    let mark = Mark::default();
    let driver = &bench.driver;
    assert_eq!(status(driver.begin_capture(StreamId::LEGACY, CaptureMode::Global)), Status::CAPTURE_UNSUPPORTED);
    assert_eq!(status(driver.end_capture(a)), Status::ILLEGAL_STATE);
    bench.begin(a);
    assert_eq!(status(driver.begin_capture(a, CaptureMode::Relaxed)), Status::ILLEGAL_STATE);
    assert_eq!(state(&bench, a), CaptureStatus::Active);
    // A fork that recorded nothing need not be joined.
    bench.order(a, b);
    bench.mark(a, &mark).unwrap();
    driver.end_capture(a).unwrap();
    // One that recorded something must be.
    bench.begin(a);
    bench.order(a, b);
    bench.mark(b, &mark).unwrap();
    assert_eq!(status(driver.end_capture(a)), Status::CAPTURE_UNJOINED);
    assert_eq!((state(&bench, a), state(&bench, b)), (CaptureStatus::None, CaptureStatus::None));
    // The end belongs to the origin.
    bench.begin(a);
    bench.order(a, b);
    assert_eq!(status(driver.end_capture(b)), Status::CAPTURE_UNMATCHED);
    assert_eq!((state(&bench, a), state(&bench, b)), (CaptureStatus::Invalidated, CaptureStatus::Invalidated));
    assert_eq!(status(bench.mark(b, &mark)), Status::CAPTURE_INVALIDATED);
    assert_eq!(status(driver.begin_capture(a, CaptureMode::Relaxed)), Status::ILLEGAL_STATE);
    assert_eq!(status(driver.end_capture(a)), Status::CAPTURE_INVALIDATED);
    assert_eq!(status(driver.end_capture(a)), Status::ILLEGAL_STATE);
    // An empty capture is a graph.
    bench.begin(a);
    let graph = driver.end_capture(a).unwrap();
    assert_eq!(driver.graph_node_count(graph), Ok(0));
    let (exec, _) = driver.graph_instantiate(graph).unwrap();
    driver.exec_launch(exec, a).unwrap();
    bench.finish(a);
    assert_eq!(mark.runs(), 0);
}

/// In a graph within a node, and in one that is known, where the node is added by hand and the stream told to go on from it.
#[test]
fn what_is_put_into_a_capture_need_not_be_joined() {
    let bench = Bench::new();
    let driver = &bench.driver;
    let (origin, side) = (bench.stream(), bench.stream());
    let marks: [Mark; 2] = Default::default();
    let (graph, empty) = (driver.graph_create().unwrap(), driver.graph_create().unwrap());
    let child = driver.graph_add_node(graph, &[], &Work::Child(empty)).unwrap();
    let within = driver.node_graphs(graph, child).unwrap()[0];
    for (is_within, into) in [(false, graph), (true, within)] {
        let put = || {
            if is_within {
                return driver.capture_put(side, into, &Work::Child(empty)).unwrap();
            }
            let frontier = driver.capture_frontier(side).unwrap();
            let node = driver.graph_add_node(into, &frontier, &Work::Child(empty)).unwrap();
            driver.update_capture_dependencies(side, &[node], DependencyUpdate::Set).unwrap();
            node
        };
        let begin = || {
            driver.begin_capture_to_graph(origin, into, &[], CaptureMode::Relaxed, &[]).unwrap();
            bench.order(origin, side);
        };
        let before = driver.graph_node_count(into).unwrap();
        // Alone, and behind what the stream recorded.
        begin();
        put();
        driver.end_capture(origin).unwrap();
        assert_eq!(driver.graph_node_count(into), Ok(before + 1));
        begin();
        bench.mark(side, &marks[0]).unwrap();
        let node = put();
        assert_eq!(driver.capture_frontier(side), Ok(vec![node]));
        driver.end_capture(origin).unwrap();
        assert_eq!(driver.graph_node_count(into), Ok(before + 3));
    }
    let (exec, _) = driver.graph_instantiate(graph).unwrap();
    driver.exec_launch(exec, origin).unwrap();
    bench.finish(origin);
    assert_eq!(marks[0].runs(), 2);
    // What the stream records behind it must be joined.
    driver.begin_capture_to_graph(origin, within, &[], CaptureMode::Relaxed, &[]).unwrap();
    bench.order(origin, side);
    driver.capture_put(side, within, &Work::Child(empty)).unwrap();
    bench.mark(side, &marks[1]).unwrap();
    assert_eq!(status(driver.end_capture(origin)), Status::CAPTURE_UNJOINED);
}

#[test]
fn the_frontier_is_what_progress_tells_of_it() {
    let bench = Bench::new();
    let driver = &bench.driver;
    let (a, b) = (bench.stream(), bench.stream());
    let mark = Mark::default();
    let told = |stream| driver.capture_progress(stream).unwrap().1.map_or_else(Vec::new, |progress| progress.frontier);
    assert_eq!(driver.capture_frontier(a), Ok(Vec::new()));
    bench.begin(a);
    assert_eq!(driver.capture_frontier(a), Ok(Vec::new()));
    bench.mark(a, &mark).unwrap();
    bench.order(a, b);
    bench.mark(a, &mark).unwrap();
    bench.mark(b, &mark).unwrap();
    bench.order(b, a);
    bench.order(b, a);
    for (stream, nodes) in [(a, 2), (b, 1)] {
        assert_eq!(told(stream).len(), nodes);
        assert_eq!(driver.capture_frontier(stream), Ok(told(stream)));
    }
    // Only the origin may end the capture.
    assert_eq!(status(driver.end_capture(b)), Status::CAPTURE_UNMATCHED);
    assert_eq!(driver.capture_frontier(a), Ok(Vec::new()));
    assert_eq!(status(driver.end_capture(a)), Status::CAPTURE_INVALIDATED);
}

#[test]
fn the_thread_that_ends_matters_as_the_mode_says() {
    let bench = Bench::alone();
    let stream = bench.stream();
    for (mode, ends) in [(CaptureMode::Global, false), (CaptureMode::ThreadLocal, false), (CaptureMode::Relaxed, true)]
    {
        bench.driver.begin_capture(stream, mode).unwrap();
        let answer = std::thread::scope(|scope| scope.spawn(|| bench.driver.end_capture(stream)).join().unwrap());
        if ends {
            answer.unwrap();
        } else {
            assert_eq!(status(answer), Status::CAPTURE_WRONG_THREAD);
            assert_eq!(state(&bench, stream), CaptureStatus::None);
            assert_eq!(status(bench.driver.end_capture(stream)), Status::ILLEGAL_STATE);
        }
    }
}

#[test]
fn events_across_the_border_of_a_capture() {
    let bench = Bench::new();
    let driver = &bench.driver;
    let (a, b, idle) = (bench.stream(), bench.stream(), bench.stream());
    let (outside, inside, never) = (bench.event(), bench.event(), bench.event());
    let mark = Mark::default();
    driver.event_record(outside, idle).unwrap();

    bench.begin(a);
    driver.stream_wait_event(a, never).unwrap();
    assert_eq!(status(driver.stream_wait_event(a, outside)), Status::CAPTURE_ISOLATION);
    assert_eq!(status(driver.end_capture(a)), Status::CAPTURE_INVALIDATED);

    for ask in [Events::event_synchronize as fn(&_, _) -> _, |driver, event| {
        Events::event_is_complete(driver, event).map(drop)
    }] {
        bench.begin(a);
        driver.event_record(inside, a).unwrap();
        assert_eq!(status(ask(&**driver, inside)), Status::CAPTURED_EVENT);
        assert_eq!(status(ask(&**driver, inside)), Status::INVALID_VALUE);
        assert_eq!(status(driver.stream_wait_event(idle, inside)), Status::INVALID_VALUE);
        assert_eq!(status(driver.end_capture(a)), Status::CAPTURE_INVALIDATED);
    }

    bench.begin(a);
    bench.begin(b);
    driver.event_record(inside, a).unwrap();
    assert_eq!(status(driver.stream_wait_event(b, inside)), Status::CAPTURE_MERGE);
    assert_eq!(status(driver.end_capture(a)), Status::CAPTURE_INVALIDATED);
    assert_eq!(status(driver.end_capture(b)), Status::CAPTURE_INVALIDATED);

    bench.begin(a);
    driver.event_record(inside, a).unwrap();
    driver.end_capture(a).unwrap();
    assert_eq!(status(driver.event_synchronize(inside)), Status::INVALID_VALUE);
    assert_eq!(status(driver.stream_wait_event(idle, inside)), Status::INVALID_VALUE);
    bench.begin(b);
    assert_eq!(status(driver.stream_wait_event(b, inside)), Status::INVALID_VALUE);
    assert_eq!(status(driver.end_capture(b)), Status::CAPTURE_INVALIDATED);
    driver.event_record(inside, a).unwrap();
    driver.event_synchronize(inside).unwrap();
    bench.mark(idle, &mark).unwrap();
    bench.finish(idle);
}

/// Objects with which calls under test are made.
struct Things {
    capturing: StreamId,
    other: StreamId,
    event: EventId,
    /// Recorded before anything was captured.
    reached: EventId,
    graph: GraphId,
}

impl Things {
    fn new(bench: &Bench) -> Things {
        let (capturing, other, reached) = (bench.stream(), bench.stream(), bench.event());
        bench.driver.event_record(reached, other).unwrap();
        bench.driver.event_synchronize(reached).unwrap();
        bench.begin(other);
        let graph = bench.driver.end_capture(other).unwrap();
        Things { capturing, other, event: bench.event(), reached, graph }
    }
}

type Call = fn(&dyn Driver, &Things) -> graphcap_base::Result<()>;

#[test]
fn unsafe_calls_are_barred_by_mode_and_thread() {
    let calls: [(&str, Call); 5] = [
        ("synchronise another stream", |driver, things| driver.stream_synchronize(things.other)),
        ("query another stream", |driver, things| driver.stream_is_complete(things.other).map(drop)),
        ("synchronise an event", |driver, things| driver.event_synchronize(things.event)),
        ("query an event", |driver, things| driver.event_is_complete(things.event).map(drop)),
        ("instantiate", |driver, things| {
            driver.graph_instantiate(things.graph).map(|(exec, _)| driver.exec_destroy(exec, Lists::new()))
        }),
    ];
    let bench = Bench::alone();
    let things = Things::new(&bench);
    let stream = things.capturing;
    let barred_for = [
        (CaptureMode::Global, true, true),
        (CaptureMode::ThreadLocal, true, false),
        (CaptureMode::Relaxed, false, false),
    ];
    for (name, call) in calls {
        for (mode, own, others) in barred_for {
            for (own_thread, barred) in [(true, own), (false, others)] {
                bench.driver.begin_capture(stream, mode).unwrap();
                let answer = if own_thread {
                    call(&*bench.driver, &things)
                } else {
                    std::thread::scope(|scope| scope.spawn(|| call(&*bench.driver, &things)).join().unwrap())
                };
                let what = format!("{name}, {mode:?}, own thread {own_thread}");
                assert_eq!(
                    answer.map_err(|error| error.status),
                    if barred { Err(Status::CAPTURE_UNSUPPORTED) } else { Ok(()) },
                    "{what}"
                );
                let expected = if barred { CaptureStatus::Invalidated } else { CaptureStatus::Active };
                assert_eq!(state(&bench, stream), expected, "{what}");
                assert_eq!(bench.driver.end_capture(stream).is_ok(), !barred, "{what}");
            }
        }
    }
}

#[test]
fn illegal_calls_on_the_capturing_stream_break_every_capture() {
    let calls: [(&str, Call); 5] = [
        ("synchronise", |driver, things| driver.stream_synchronize(things.capturing)),
        ("query", |driver, things| driver.stream_is_complete(things.capturing).map(drop)),
        ("synchronise the context", |driver, _| driver.synchronize()),
        ("launch a graph", |driver, things| {
            let (exec, _) = driver.graph_instantiate(things.graph)?;
            driver.exec_launch(exec, things.capturing)
        }),
        ("upload a graph", |driver, things| {
            let (exec, _) = driver.graph_instantiate(things.graph)?;
            driver.exec_upload(exec, things.capturing)
        }),
    ];
    let bench = Bench::new();
    let things = Things::new(&bench);
    let stream = things.capturing;
    for (name, call) in calls {
        bench.begin(stream);
        assert_eq!(status(call(&*bench.driver, &things)), Status::CAPTURE_UNSUPPORTED, "{name}");
        assert_eq!(state(&bench, stream), CaptureStatus::Invalidated, "{name}");
        assert_eq!(status(bench.driver.end_capture(stream)), Status::CAPTURE_INVALIDATED, "{name}");
    }
}

#[test]
fn the_legacy_stream_is_closed_while_a_blocking_stream_captures() {
    let calls: [(&str, Call); 5] = [
        ("launch", |driver, _| driver.launch_host_function(StreamId::LEGACY, Arc::new(|| ()))),
        ("record", |driver, things| driver.event_record(things.event, StreamId::LEGACY)),
        // Also for an event that was reached, so that the answer does not depend on time.
        ("wait", |driver, things| driver.stream_wait_event(StreamId::LEGACY, things.reached)),
        ("synchronise", |driver, _| driver.stream_synchronize(StreamId::LEGACY)),
        ("query", |driver, _| driver.stream_is_complete(StreamId::LEGACY).map(drop)),
    ];
    let bench = Bench::new();
    let things = Things::new(&bench);
    let (blocking, free) = (bench.blocking_stream(), things.capturing);
    for (name, call) in calls {
        bench.begin(free);
        call(&*bench.driver, &things).unwrap();
        assert_eq!(state(&bench, free), CaptureStatus::Active, "{name}");
        bench.begin(blocking);
        assert_eq!(status(bench.driver.capture_info(StreamId::LEGACY)), Status::CAPTURE_IMPLICIT);
        assert_eq!(state(&bench, blocking), CaptureStatus::Active, "asking does no harm");
        assert_eq!(status(call(&*bench.driver, &things)), Status::CAPTURE_IMPLICIT, "{name}");
        assert_eq!(state(&bench, blocking), CaptureStatus::Invalidated, "{name}");
        assert_eq!(state(&bench, free), CaptureStatus::Active, "{name}: only the blocking stream's capture dies");
        assert_eq!(status(bench.driver.end_capture(blocking)), Status::CAPTURE_INVALIDATED);
        bench.driver.end_capture(free).unwrap();
    }
}

#[test]
fn argument_errors_do_no_harm_but_impossible_launches_do() {
    let bench = Bench::new();
    let stream = bench.stream();
    let (range, memory) = bench.driver.allocate(64, MemoryKind::Pooled).unwrap();
    bench.begin(stream);
    let copy = Memcpy { destination: memory, source: memory, bytes: 65, kind: MemcpyKind::DeviceToDevice };
    assert_eq!(status(bench.driver.memcpy(stream, copy)), Status::INVALID_VALUE);
    assert_eq!(state(&bench, stream), CaptureStatus::Active);
    let shape = LaunchShape { grid: [0, 1, 1], ..ONE };
    assert_eq!(status(bench.driver.launch_kernel(stream, bench.append, shape, &[])), Status::INVALID_VALUE);
    assert_eq!(state(&bench, stream), CaptureStatus::Invalidated);
    assert_eq!(status(bench.driver.end_capture(stream)), Status::CAPTURE_INVALIDATED);
    bench.driver.release(range, &[]);
}

#[test]
fn destroying_the_origin_frees_the_forks() {
    let bench = Bench::new();
    let (origin, fork) = (bench.stream(), bench.stream());
    let mark = Mark::default();
    bench.begin(origin);
    bench.order(origin, fork);
    bench.driver.stream_destroy(origin);
    assert_eq!(state(&bench, fork), CaptureStatus::None);
    assert_eq!(status(bench.driver.end_capture(fork)), Status::ILLEGAL_STATE);
    bench.mark(fork, &mark).unwrap();
    bench.finish(fork);
    assert_eq!(mark.runs(), 1);
}

#[test]
fn a_replay_into_freed_memory_fails_the_launch() {
    let bench = Bench::new();
    let stream = bench.stream();
    let (range, memory) = bench.driver.allocate(64, MemoryKind::Pooled).unwrap();
    bench.begin(stream);
    bench
        .driver
        .memset(stream, Memset { address: memory, value: 1, element_size: 1, count: 64, rows: 1, pitch: 0 })
        .unwrap();
    let exec = bench.end(stream);
    bench.driver.exec_launch(exec, stream).unwrap();
    bench.finish(stream);
    bench.driver.release(range, &[]);
    bench.driver.exec_launch(exec, stream).unwrap();
    assert_eq!(status(bench.driver.stream_synchronize(stream)), Status::LAUNCH_FAILED);
}

/// Value operations on memory that is gone: refused at the call, recorded as memsets are, and a fault in the replay.
#[test]
fn value_operations_on_freed_memory_are_refused_or_fail_the_replay() {
    for action in [
        ValueAction::Write { barrier: true },
        ValueAction::Wait { comparison: Comparison::GreaterOrEqual, flush: false },
    ] {
        let bench = Bench::new();
        let stream = bench.stream();
        let (range, memory) = bench.driver.allocate(64, MemoryKind::Pooled).unwrap();
        let on = |address, value| ValueOperation { address, value, action };
        let bad = [on(memory + 64, Value::U32(0)), on(memory + 60, Value::U64(0)), on(memory + 2, Value::U32(0))];
        for operation in bad {
            let both = [on(memory, Value::U32(7)), operation];
            assert_eq!(status(bench.driver.value_operation(stream, operation)), Status::INVALID_VALUE);
            assert_eq!(status(bench.driver.value_batch(stream, &both)), Status::INVALID_VALUE);
        }
        bench.finish(stream);
        let good = on(memory, Value::U32(0));
        bench
            .driver
            .memset(stream, Memset { address: memory, value: 0, element_size: 1, count: 64, rows: 1, pitch: 0 })
            .unwrap();
        bench.driver.value_operation(stream, good).unwrap();
        bench.finish(stream);
        bench.begin(stream);
        bench.driver.value_operation(stream, good).unwrap();
        let exec = bench.end(stream);
        bench.driver.release(range, &[]);
        assert_eq!(status(bench.driver.value_operation(stream, good)), Status::INVALID_VALUE);
        bench.finish(stream);
        bench.begin(stream);
        bench.driver.value_operation(stream, good).unwrap();
        let exec_of_freed = bench.end(stream);
        bench.driver.exec_launch(exec_of_freed, stream).unwrap();
        // The first launch may have failed by now.
        let launched = bench.driver.exec_launch(exec, stream).map_err(|error| error.status);
        assert!(matches!(launched, Ok(()) | Err(Status::LAUNCH_FAILED)), "{launched:?}");
        assert_eq!(status(bench.driver.stream_synchronize(stream)), Status::LAUNCH_FAILED);
    }
}

#[test]
fn nodes_are_read_back_as_the_work_that_they_were_made_of() {
    let bench = Bench::new();
    let stream = bench.stream();
    let mark = Mark::default();
    let event = bench.driver.event_create(EventOptions::default()).unwrap();
    let (_, memory) = bench.driver.allocate(256, MemoryKind::Waitable).unwrap();
    let mut host = [0u8; 64];
    let row = Memcpy {
        destination: memory,
        source: host.as_mut_ptr().expose_provenance() as Address,
        bytes: 4,
        kind: MemcpyKind::HostToDevice,
    };
    let rows = MemcpyRows {
        row,
        height: 3,
        depth: 2,
        destination: Steps { row: 8, slice: 32 },
        source: Steps { row: 4, slice: 12 },
    };
    let set = Memset { address: memory + 128, value: 7, element_size: 2, count: 3, rows: 2, pitch: 16 };
    let values = [
        ValueOperation { address: memory, value: Value::U64(5), action: ValueAction::Write { barrier: true } },
        ValueOperation {
            address: memory,
            value: Value::U32(5),
            action: ValueAction::Wait { comparison: Comparison::Equal, flush: false },
        },
    ];
    let function: HostFunction = Arc::new(|| ());
    let attributes = [LaunchAttribute { id: 5, value: [2; 64] }.cleared()];
    let arguments = [Argument::Value(&mark.argument()[..]), Argument::Address(memory), Argument::Value(&[1, 2, 3])];
    let launch = Launch {
        kernel: bench.append,
        name: "append",
        shape: ONE,
        arguments: Arguments::Separate(&arguments),
        attributes: &attributes,
        stated: None,
    };
    let works = [
        Work::Kernel(launch),
        Work::Memcpy { rows: MemcpyRows::one(row), snapshot: None },
        Work::Memcpy { rows, snapshot: None },
        Work::Memset(set),
        Work::Values(&values),
        Work::Host(&function),
        Work::EventRecord(event),
        Work::EventWait(event),
    ];
    let shown = |work: &Work<'_>| match work {
        Work::Kernel(Launch { kernel, name, shape, arguments, attributes, .. }) => {
            format!("{kernel:?} {name} {shape:?} {arguments:?} {attributes:?}")
        }
        Work::Memcpy { rows, .. } => format!("{rows:?}"),
        Work::Memset(set) => format!("{set:?}"),
        Work::Values(operations) => format!("{operations:?}"),
        Work::Host(function) => format!("{:p}", Arc::as_ptr(function)),
        Work::EventRecord(event) | Work::EventWait(event) => format!("{:?} {event:?}", work.kind()),
        _ => panic!("{:?}", work.kind()),
    };
    bench.begin(stream);
    for work in &works {
        bench.driver.submit(stream, work).unwrap();
    }
    let read_all = |graph: GraphRef| -> Vec<String> {
        let mut texts = Vec::new();
        for node in bench.driver.graph_nodes(graph).unwrap().nodes {
            bench.driver.node_work(graph, node, &mut |work| texts.push(shown(work))).unwrap();
        }
        texts
    };
    let expected: Vec<String> = works.iter().map(shown).collect();
    assert_eq!(read_all(GraphRef::Captured(stream)), expected);
    let graph = bench.driver.end_capture(stream).unwrap();
    assert_eq!(read_all(GraphRef::Known(graph)), expected);
    let stranger = bench.driver.node_work(GraphRef::Known(graph), NodeId(0), &mut |_| ()).unwrap_err();
    assert_eq!(stranger.status, Status::INVALID_VALUE);
    let nothing = bench.driver.graph_nodes(GraphRef::Captured(stream)).unwrap_err();
    assert_eq!(nothing.status, Status::ILLEGAL_STATE);
    for work in [Work::Empty, Work::Opaque(NodeKind::Child)] {
        assert_eq!(bench.driver.submit(stream, &work).unwrap_err().status, Status::INVALID_VALUE);
    }
}
