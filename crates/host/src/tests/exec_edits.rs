//! Execs of graphs that are built by hand: what may be changed in them, what they keep, launches beside edits.

use super::building::{launch, memcpy, rows, status, with_mark, Built, INVALID, OK};
use super::*;
use graphcap_base::error::Status;
use graphcap_base::lock::lock;

const INVALID_HANDLE: i32 = Status::INVALID_HANDLE.0;

/// Edits that an exec allows: rows of the driver's answers to setting one copy, memset or batch in the place of another one.
#[test]
fn an_exec_bars_changes_that_a_graph_allows() {
    let built = Built::new();
    let d2d = built.copy(MemcpyKind::DeviceToDevice);
    let moved = |rows: MemcpyRows| MemcpyRows { row: Memcpy { destination: built.memory + 2048, ..rows.row }, ..rows };
    let wide = MemcpyRows { row: Memcpy { bytes: 128, ..d2d.row }, ..d2d };
    let pinned = |kind, side: &dyn Fn(&mut Memcpy)| {
        let mut copy = built.copy(kind);
        side(&mut copy.row);
        copy
    };
    let (h2d, d2h) = (MemcpyKind::HostToDevice, MemcpyKind::DeviceToHost);
    let copies = [
        ("d2d", 0, d2d),
        ("d2d_w128", 0, wide),
        ("d2d_dst2", 0, moved(d2d)),
        ("h2d_pinned", 1, pinned(h2d, &|row| row.source = built.pinned)),
        ("h2d_pageable", 1, built.copy(h2d)),
        ("d2h_pinned", 2, pinned(d2h, &|row| row.destination = built.pinned)),
        ("d2h_pageable", 2, built.copy(d2h)),
        ("h2h", 3, built.copy(MemcpyKind::HostToHost)),
        ("2d", 4, rows(d2d, 2, 1, [64, 128])),
        ("2d_pitch", 5, rows(d2d, 2, 1, [128, 128])),
        ("2d_dst2", 6, moved(rows(d2d, 2, 1, [64, 128]))),
        ("3d", 7, rows(d2d, 2, 2, [64, 128])),
    ]
    .map(|(name, group, copy)| (name, group, memcpy(copy)));
    let set = |count, element_size, rows, pitch| Memset { count, element_size, rows, pitch, ..built.set() };
    let two = set(64, 1, 2, 128);
    let sets = [
        ("e1_w64", 0, set(64, 1, 1, 0)),
        ("e1_w64k", 0, set(64 << 10, 1, 1, 0)),
        ("e2_w32", 0, set(32, 2, 1, 0)),
        ("e4_w1", 0, set(1, 4, 1, 0)),
        ("value", 0, Memset { value: 9, ..set(64, 1, 1, 0) }),
        ("addr", 0, Memset { address: built.memory + 512, ..set(64, 1, 1, 0) }),
        ("2d_h2_w64_p128", 1, two),
        ("2d_value", 1, Memset { value: 9, ..two }),
        ("2d_addr", 1, Memset { address: built.memory + 512, ..two }),
        ("2d_w32", 2, set(32, 1, 2, 128)),
        ("2d_p256", 3, set(64, 1, 2, 256)),
        ("2d_h4", 4, set(64, 1, 4, 128)),
        ("2d_e4", 5, set(16, 4, 2, 128)),
    ]
    .map(|(name, group, set)| (name, group, Work::Memset(set)));
    let write = built.write(Value::U32(7));
    let other = ValueOperation { address: built.memory + 64, value: Value::U32(8), ..write };
    let operations = [[write, write], [other, other]];
    let (wait, long) = ([built.wait()], [built.write(Value::U64(1))]);
    let batches = [
        ("one", 0, Work::Values(&operations[0][..1])),
        ("other value and address", 0, Work::Values(&operations[1][..1])),
        ("other count", 1, Work::Values(&operations[0])),
        ("write to wait", 2, Work::Values(&wait)),
        ("write32 to write64", 3, Work::Values(&long)),
    ];
    let driver = &built.bench.driver;
    for kind in [&copies[..], &sets, &batches] {
        for (from, group, work) in kind {
            let node = built.add(&[], work);
            let exec = built.instantiate();
            for (to, other_group, other) in kind {
                let expected = if group == other_group { OK } else { INVALID };
                assert_eq!(status(&driver.exec_set(exec, node, other)), expected, "{from} to {to}");
                assert_eq!(status(&driver.exec_set(exec, node, work)), OK, "{from} again");
                assert_eq!(status(&driver.node_set(built.graph, node, other)), OK, "{from} to {to} of the graph");
            }
            driver.exec_destroy(exec, Lists::new());
            driver.graph_remove_node(built.graph, node).unwrap();
        }
    }
    // What is refused changes nothing.
    let node = built.add(&[], &sets[0].2);
    let exec = built.instantiate();
    assert_eq!(status(&driver.exec_set(exec, node, &sets[6].2)), INVALID);
    built.run(exec);
    assert_eq!(built.word(built.memory), 0x0505_0505);
}

/// The nodes before the first one that cannot be set are set, and those behind it are not.
#[test]
fn kernels_set_together_are_set_up_to_the_first_one_that_cannot_be() {
    let built = Built::new();
    let other = built.bench.on_other_device();
    let [before, after]: [[Mark; 3]; 2] = Default::default();
    let nodes = before.each_ref().map(|mark| built.mark(&[], mark));
    let exec = built.instantiate();
    let newer = built.mark(&[], &before[0]);
    let values = after.each_ref().map(Mark::argument);
    let arguments = values.each_ref().map(|value| [Argument::Value(value)]);
    let own = built.bench.append;
    let wrong = [
        ("a kernel of another device", nodes[1], other.append, own, INVALID),
        ("a kernel of another device, then one that is gone", nodes[1], other.append, KernelId(0), INVALID),
        ("a kernel that is gone", nodes[1], KernelId(0), own, INVALID_HANDLE),
        ("a node that the exec does not have", newer, own, own, INVALID),
        ("no node at all", NodeId(0), own, own, INVALID),
    ];
    for (at, (what, node, kernel, last, expected)) in wrong.into_iter().enumerate() {
        let launches = [
            (nodes[0], launch(own, &arguments[0])),
            (node, launch(kernel, &arguments[1])),
            (nodes[2], launch(last, &arguments[2])),
        ];
        let (done, set) = built.bench.driver.exec_set_kernels(exec, &launches);
        assert_eq!((done, status(&set)), (1, expected), "{what}");
        built.run(exec);
        let round = at as u64 + 1;
        assert_eq!(before.each_ref().map(Mark::runs), [0, round, round], "{what}");
        assert_eq!(after.each_ref().map(Mark::runs), [round, 0, 0], "{what}");
    }
    assert_eq!(built.bench.driver.exec_set_kernels(exec, &[]), (0, Ok(())));
    let all = std::array::from_fn::<_, 3, _>(|i| (nodes[i], launch(own, &arguments[i])));
    assert_eq!(built.bench.driver.exec_set_kernels(exec, &all), (3, Ok(())));
    built.run(exec);
    assert_eq!(before.each_ref().map(Mark::runs), [0, 5, 5]);
    assert_eq!(after.each_ref().map(Mark::runs), [6, 1, 1]);
}

#[test]
fn kernels_of_other_devices_are_for_graphs_alone() {
    let built = Built::new();
    let (other, neighbour) = (built.bench.on_other_device(), built.bench.beside());
    let marks: [Mark; 2] = Default::default();
    let driver = &built.bench.driver;
    let foreign = with_mark(other.append, &marks[0], |work| built.add(&[], work));
    let own = built.mark(&[foreign], &marks[1]);
    let exec = built.instantiate();
    built.run(exec);
    assert_eq!([marks[0].runs(), marks[1].runs()], [1, 1]);
    with_mark(other.append, &marks[0], |work| {
        assert_eq!(status(&driver.exec_set(exec, own, work)), INVALID);
        assert_eq!(status(&driver.exec_set(exec, foreign, work)), INVALID);
        assert_eq!(status(&driver.node_set(built.graph, own, work)), OK);
    });
    with_mark(built.bench.append, &marks[0], |work| {
        assert_eq!(status(&driver.exec_set(exec, foreign, work)), INVALID);
        assert_eq!(status(&driver.exec_set(exec, own, work)), OK);
    });
    // Two contexts of one device are one of the driver's.
    with_mark(neighbour.append, &marks[0], |work| assert_eq!(status(&driver.exec_set(exec, own, work)), OK));
    built.run(exec);
    assert_eq!([marks[0].runs(), marks[1].runs()], [3, 1]);
}

/// Rows of the driver's answers on which nodes an exec knows.
#[test]
fn an_exec_knows_the_nodes_that_its_graph_had_and_still_has() {
    let built = Built::new();
    let Built { bench, graph, .. } = &built;
    let (driver, graph) = (&bench.driver, *graph);
    let marks: [Mark; 3] = Default::default();
    let [a, b] = [0, 1].map(|at: usize| built.mark(&[], &marks[at]));
    let clone = driver.graph_clone(graph).unwrap();
    let in_clone = driver.node_in_clone(graph, a, clone).unwrap();
    let exec = built.instantiate();
    let of_clone = driver.graph_instantiate(clone).unwrap().0;
    let later = built.mark(&[], &marks[0]);
    driver.graph_remove_node(graph, b).unwrap();
    let refilled = built.mark(&[], &marks[0]);
    let set = |exec, node| with_mark(bench.append, &marks[2], |work| status(&driver.exec_set(exec, node, work)));
    for node in [in_clone, later, b, refilled, NodeId(0)] {
        assert_eq!(set(exec, node), INVALID);
        assert_eq!(status(&driver.exec_enable(exec, node, false)), INVALID);
        assert_eq!(status(&driver.exec_is_enabled(exec, node)), INVALID);
    }
    assert_eq!((set(of_clone, a), set(of_clone, in_clone), set(exec, a)), (INVALID, OK, OK));
    built.run(exec);
    assert_eq!(marks.iter().map(Mark::runs).collect::<Vec<_>>(), [0, 1, 1]);
    driver.graph_destroy(graph);
    assert_eq!(set(exec, a), INVALID, "its graph is gone");
    built.run(exec);
    assert_eq!(marks[2].runs(), 2);
}

#[test]
fn what_an_exec_lets_go_hears_of_all_launches() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let mark = Mark::default();
    let node = built.mark(&[], &mark);
    let told = Arc::new(Told::default());
    let kept = || Lists::from_elem(Arc::clone(&told) as Retained, 1);
    let exec = built.instantiate();
    // In the order in which users are told.
    let mut streams = [built.bench.stream(), built.bench.stream()];
    streams.sort_unstable();
    let let_go = |expected: &[StreamId]| {
        driver.exec_let_go(exec, kept());
        assert_eq!(std::mem::take(&mut *lock(&told.0)), expected);
    };
    let_go(&[]);
    driver.exec_launch(exec, streams[0]).unwrap();
    let_go(&streams[..1]);
    // The version that was launched is superseded, and the next one is a draft.
    with_mark(built.bench.append, &mark, |work| driver.exec_set(exec, node, work)).unwrap();
    let_go(&streams[..1]);
    driver.exec_launch(exec, streams[1]).unwrap();
    let_go(&streams);
    with_mark(built.bench.append, &mark, |work| driver.exec_set(exec, node, work)).unwrap();
    driver.exec_destroy(exec, kept());
    assert_eq!(*lock(&told.0), streams);
    streams.iter().for_each(|&stream| built.bench.finish(stream));
    driver.exec_let_go(exec, kept());
    driver.exec_destroy(exec, kept());
    assert_eq!(Arc::strong_count(&told), 1);
}

/// Threads edit a graph, its exec and another exec of it, and launch them. Each launch runs a kernel of some edit, and the
/// graph is whole at the end.
#[test]
fn edits_and_launches_of_several_threads_do_not_disturb_each_other() {
    for _ in 0..rounds(500) {
        let built = Built::new();
        let driver = &built.bench.driver;
        let marks: [Mark; 4] = Default::default();
        let a = built.mark(&[], &marks[0]);
        let b = built.mark(&[a], &marks[1]);
        let exec = built.instantiate();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for round in 0..40 {
                    let mark = &marks[2 + round % 2];
                    with_mark(built.bench.append, mark, |work| driver.exec_set(exec, b, work)).unwrap();
                }
            });
            scope.spawn(|| {
                for round in 0..40 {
                    driver.exec_enable(exec, a, round % 2 == 1).unwrap();
                    driver.exec_is_enabled(exec, a).unwrap();
                }
            });
            scope.spawn(|| {
                for _ in 0..40 {
                    let node = built.mark(&[b], &marks[0]);
                    driver.graph_add_edges(built.graph, &plain(&[(a, node)])).unwrap();
                    driver.graph_remove_node(built.graph, node).unwrap();
                }
            });
            scope.spawn(|| {
                let stream = built.bench.stream();
                (0..40).for_each(|_| driver.exec_launch(exec, stream).unwrap());
                built.bench.finish(stream);
            });
        });
        let runs: u64 = marks[1..].iter().map(Mark::runs).sum();
        assert!(runs == 40 && marks[0].runs() <= 40, "each launch runs node b once");
        built.run(exec);
        assert_eq!(marks[1..].iter().map(Mark::runs).sum::<u64>(), 41);
        assert_eq!(built.bench.shape_of(built.graph), (vec![a, b], vec![(0, 1)]));
    }
}

/// Launches that are queued when edits come run as they were, through the traits: a set, a disabled node, another exec of the graph.
#[test]
fn queued_launches_run_as_they_were() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let marks: [Mark; 4] = Default::default();
    let node = built.mark(&[], &marks[0]);
    let exec = built.instantiate();
    let stream = built.bench.stream();
    let gate = built.bench.hold(stream);
    driver.exec_launch(exec, stream).unwrap();
    with_mark(built.bench.append, &marks[1], |work| driver.exec_set(exec, node, work)).unwrap();
    driver.exec_launch(exec, stream).unwrap();
    driver.exec_launch(exec, stream).unwrap();
    driver.exec_enable(exec, node, false).unwrap();
    driver.exec_launch(exec, stream).unwrap();
    with_mark(built.bench.append, &marks[2], |work| driver.exec_set(exec, node, work)).unwrap();
    assert!(!driver.exec_is_enabled(exec, node).unwrap(), "what is set stays disabled");
    driver.exec_enable(exec, node, true).unwrap();
    driver.exec_launch(exec, stream).unwrap();
    with_mark(built.bench.append, &marks[3], |work| driver.node_set(built.graph, node, work)).unwrap();
    driver.graph_remove_node(built.graph, node).unwrap();
    driver.exec_launch(exec, stream).unwrap();
    assert_eq!(marks.iter().map(Mark::runs).sum::<u64>(), 0);
    drop(gate);
    built.bench.finish(stream);
    assert_eq!(marks.iter().map(Mark::runs).collect::<Vec<_>>(), [1, 2, 2, 0]);
}

#[test]
fn a_refused_edit_leaves_a_version_that_gives_out_turns() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let mark = Mark::default();
    let node = built.mark(&[], &mark);
    let exec = built.instantiate();
    let stream = built.bench.stream();
    let refused = || assert_eq!(status(&driver.exec_set(exec, node, &Work::Memset(built.set()))), INVALID);
    let set = || with_mark(built.bench.append, &mark, |work| driver.exec_set(exec, node, work)).unwrap();
    let newest = || Arc::clone(&*built.bench.host.exec(exec).unwrap());
    refused();
    driver.exec_launch(exec, stream).unwrap();
    let gate = built.bench.hold(stream);
    driver.exec_launch(exec, stream).unwrap();
    refused();
    driver.exec_launch(exec, stream).unwrap();
    set();
    refused();
    driver.exec_launch(exec, stream).unwrap();
    drop(gate);
    built.bench.finish(stream);
    assert_eq!(mark.runs(), 4);
    refused();
    assert!(newest().take_turn().is_some());
    // An edit that was made stays one that no launch has asked for.
    set();
    refused();
    assert!(newest().take_turn().is_none());
}

#[test]
fn the_streams_of_a_superseded_version_are_known_at_all_times() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let mark = Mark::default();
    let node = built.mark(&[], &mark);
    let stream = built.bench.stream();
    let gate = built.bench.hold(stream);
    // The exec that was launched and is edited now, and the one that was looked at last.
    let (launched, looked_at) = (AtomicU64::new(0), AtomicU64::new(0));
    let execs: Vec<_> = (0..rounds(100_000)).map(|_| built.instantiate()).collect();
    std::thread::scope(|scope| {
        scope.spawn(|| loop {
            match launched.load(Ordering::SeqCst) {
                0 => std::hint::spin_loop(),
                u64::MAX => break,
                exec => {
                    assert!(built.bench.host.users_of_exec(ExecId(exec)).contains(&stream));
                    looked_at.store(exec, Ordering::SeqCst);
                }
            }
        });
        for &exec in &execs {
            driver.exec_launch(exec, stream).unwrap();
            launched.store(exec.0, Ordering::SeqCst);
            while looked_at.load(Ordering::SeqCst) != exec.0 {
                std::thread::yield_now();
            }
            with_mark(built.bench.append, &mark, |work| driver.exec_set(exec, node, work)).unwrap();
        }
        launched.store(u64::MAX, Ordering::SeqCst);
    });
    drop(gate);
    built.bench.finish(stream);
    assert_eq!(mark.runs(), execs.len() as u64);
}

#[test]
fn what_an_exchanged_host_function_holds_goes_at_the_edit() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let held = |kept: &Arc<()>| -> HostFunction {
        let kept = Arc::clone(kept);
        Arc::new(move || {
            let _ = &kept;
        })
    };
    let first = held(&Arc::default());
    let nodes: Vec<_> = (0..4).map(|_| built.add(&[], &Work::Host(&first))).collect();
    let exec = built.instantiate();
    let stream = built.bench.stream();
    for _ in 0..rounds(20_000) {
        let kept = Arc::new(());
        for &node in &nodes {
            driver.exec_set(exec, node, &Work::Host(&held(&kept))).unwrap();
        }
        driver.exec_launch(exec, stream).unwrap();
        built.bench.finish(stream);
        for &node in &nodes {
            driver.exec_set(exec, node, &Work::Host(&first)).unwrap();
        }
        assert_eq!(Arc::strong_count(&kept), 1, "no lane has the version any more that is superseded");
    }
}
