//! Graphs that are built and edited node by node.

use std::time::Duration;

use super::*;
use graphcap_driver::rules::CaptureMode;

#[test]
fn nodes_of_every_kind_are_added_read_back_and_run() {
    for stand_in in [&*NEW, &*OLD] {
        let bench = Bench::on(stand_in);
        let (driver, calls) = (&bench.driver, Calls::new());
        let [first, second] = [bench.memory(), bench.memory()];
        let event = driver.event_create(EventOptions::default()).unwrap();
        let graph = bench.graph();
        let function = calls.function();
        let operation =
            ValueOperation { address: second + 32, value: Value::U32(9), action: ValueAction::Write { barrier: true } };
        let mut block = [0u8; 24];
        block[..8].copy_from_slice(&first.to_ne_bytes());
        block[8..12].copy_from_slice(&5u32.to_ne_bytes());
        block[16..].copy_from_slice(&COUNT);
        let arguments = [Argument::Address(first), Argument::Value(&[2, 0, 0, 0]), Argument::Value(&COUNT)];
        let packed = Launch { arguments: Arguments::Packed(&block), ..launch(bench.add, &[]) };
        let work = [
            Work::Empty,
            Work::Memset(set(first, 7)),
            Work::Kernel(launch(bench.add, &arguments)),
            Work::Kernel(packed),
            copy(second, first),
            Work::Host(&function),
            Work::Values(&[operation]),
            Work::EventRecord(event),
            Work::EventWait(event),
        ];
        let mut nodes: Vec<NodeId> = Vec::new();
        for work in &work {
            nodes.push(bench.add(graph, nodes.last_chunk::<1>().map_or(&[], |last| last.as_slice()), work));
        }
        let edges: Vec<_> = nodes.windows(2).map(|pair| (pair[0], pair[1])).collect();
        assert_eq!(bench.shape(graph), (nodes.clone(), edges));
        for (node, work) in nodes.iter().zip(&work) {
            driver.node_work(GraphRef::Known(graph), *node, &mut |read| assert_eq!(read.kind(), work.kind())).unwrap();
        }
        bench.run(graph);
        assert_eq!((bench.word(second), bench.word(second + 32), calls.count()), (14, 9, 1));
        driver.graph_destroy(graph);
        drop(function);
        bench.settle(|| calls.held() == 0);
        driver.event_destroy(event, &[bench.stream]);
    }
}

#[test]
fn a_node_that_the_driver_refuses_is_not_added() {
    let bench = Bench::new();
    let (graph, other, memory) = (bench.graph(), bench.graph(), bench.memory());
    let node = bench.add(graph, &[], &Work::Empty);
    let stranger = bench.add(other, &[], &Work::Empty);
    let arguments = [Argument::Address(memory), Argument::Value(&[1, 0, 0, 0]), Argument::Value(&COUNT)];
    let good = launch(bench.fill, &arguments);
    let with = |shape| Work::Kernel(Launch { shape, ..good });
    let refused: [(&[NodeId], Work<'_>); 8] = [
        (&[node, node], Work::Empty),
        (&[stranger], Work::Empty),
        (&[NodeId(0)], Work::Empty),
        (&[], Work::Memset(Memset { count: 0, ..set(memory, 1) })),
        (&[], Work::Memset(set(8, 1))),
        (&[], copy(memory, 8)),
        (&[node], with(LaunchShape { grid: [0, 1, 1], ..SHAPE })),
        (&[], Work::Opaque(NodeKind::Other)),
    ];
    for (index, (dependencies, work)) in refused.iter().enumerate() {
        let refused = bench.driver.graph_add_node(graph, dependencies, work);
        assert_eq!(status(refused), Status::INVALID_VALUE, "{index}");
    }
    let twice = bench.driver.graph_add_node(graph, &[node, node], &Work::Empty).unwrap_err();
    assert!(twice.message.contains("listed twice"), "{}", twice.message);
    assert_eq!(bench.shape(graph), (vec![node], vec![]));
    bench.driver.graph_destroy(graph);
    bench.driver.graph_destroy(other);
}

#[test]
fn a_kernel_node_has_more_shared_memory_and_attributes_where_it_asks() {
    let bench = Bench::new();
    let (graph, memory) = (bench.graph(), bench.memory());
    let arguments = [Argument::Address(memory), Argument::Value(&[1, 0, 0, 0]), Argument::Value(&COUNT)];
    let mut kernel = launch(bench.fill, &arguments);
    kernel.shape.shared_mem_bytes = 100 << 10;
    kernel.shape.grid = [4, 1, 1];
    // The driver has no priority below 0, which 1 would be.
    let attributes = [attribute(8, 1), attribute(5, 1), attribute(4, 2)];
    kernel.attributes = &attributes;
    bench.add(graph, &[], &Work::Empty);
    assert!(!bench.driver.may_have_attributes(graph).unwrap());
    let node = bench.add(graph, &[], &Work::Kernel(kernel));
    assert!(bench.driver.may_have_attributes(graph).unwrap());
    bench.run(graph);
    assert_eq!(bench.word(memory), 1);
    // A cluster of 3 does not divide a grid of 4: no node, and no attribute before it stays.
    let uneven = [attribute(5, 2), attribute(4, 3)];
    kernel.attributes = &uneven;
    assert_eq!(status(bench.driver.graph_add_node(graph, &[], &Work::Kernel(kernel))).0, 912);
    assert_eq!(status(bench.driver.node_set(graph, node, &Work::Kernel(kernel))).0, 912);
    let wrong = [attribute(10, 7)];
    kernel.attributes = &wrong;
    let refused = bench.driver.graph_add_node(graph, &[], &Work::Kernel(kernel)).unwrap_err();
    assert_eq!(refused.status, Status::INVALID_VALUE);
    assert!(refused.message.contains("Attribute") && !refused.message.contains("grid"), "{}", refused.message);
    assert_eq!(bench.shape(graph).0[1..], [node]);
    let exec = bench.exec(graph);
    kernel.attributes = &attributes;
    bench.driver.exec_set(exec, node, &Work::Kernel(kernel)).unwrap();
    kernel.attributes = &uneven;
    assert_eq!(status(bench.driver.exec_set(exec, node, &Work::Kernel(kernel))), Status::INVALID_VALUE);
    bench.driver.exec_destroy(exec, Lists::new());
    bench.driver.graph_destroy(graph);
}

#[test]
fn a_kernel_whose_attributes_are_refused_is_not_added_where_no_node_is_removed() {
    let bench = Bench::new();
    let (driver, memory) = (&bench.driver, bench.memory());
    let arguments = [Argument::Address(memory), Argument::Value(&[1, 0, 0, 0]), Argument::Value(&COUNT)];
    let allocating = bench.graph();
    driver.graph_add_allocation(allocating, &[], 64).unwrap();
    let (plain, changeable) = (bench.graph(), [attribute(13, 1), attribute(4, 3)]);
    let uneven = [attribute(5, 1), attribute(4, 3)];
    for (graph, attributes) in [(allocating, &uneven), (plain, &changeable)] {
        let before = bench.shape(graph);
        let mut kernel = Launch { attributes, ..launch(bench.fill, &arguments) };
        assert_eq!(status(driver.graph_add_node(graph, &[], &Work::Kernel(kernel))).0, 912);
        assert_eq!(bench.shape(graph), before);
        kernel.shape.grid = [3, 1, 1];
        bench.add(graph, &[], &Work::Kernel(kernel));
    }
    assert_eq!((bench.shape(allocating).0.len(), bench.shape(plain).0.len()), (2, 1));
    // Nor is a node changed by halves where kernels can change it from then on.
    let graph = bench.graph();
    let node = bench.add(graph, &[], &Work::Kernel(launch(bench.fill, &arguments)));
    let kernel = Launch { attributes: &changeable, ..launch(bench.fill, &arguments) };
    assert_eq!(status(driver.node_set(graph, node, &Work::Kernel(kernel))).0, 912);
    driver.graph_remove_node(graph, node).unwrap();
    assert_eq!(bench.live(Live::Graphs), 3);
    [allocating, plain, graph].iter().for_each(|&graph| driver.graph_destroy(graph));
}

#[test]
fn edges_are_added_and_removed_wholly_or_not_at_all() {
    for stand_in in [&*NEW, &*OLD] {
        let bench = Bench::on(stand_in);
        let (driver, graph) = (&bench.driver, bench.graph());
        let [a, b, c, d] = [0; 4].map(|_| bench.add(graph, &[], &Work::Empty));
        driver.graph_add_edges(graph, &plain(&[(a, b), (b, c)])).unwrap();
        let before = bench.shape(graph);
        let wrong: [&[(NodeId, NodeId)]; 4] =
            [&[(c, d), (a, b)], &[(c, d), (d, d)], &[(a, c), (c, d), (a, c)], &[(a, c), (NodeId(0), d)]];
        for edges in wrong {
            assert_eq!(status(driver.graph_add_edges(graph, &plain(edges))), Status::INVALID_VALUE);
            assert_eq!(bench.shape(graph), before);
        }
        let wrong: [&[(NodeId, NodeId)]; 4] =
            [&[(a, c)], &[(a, b), (c, b)], &[(a, b), (b, c), (a, b)], &[(a, b), (b, NodeId(0))]];
        for edges in wrong {
            assert_eq!(status(driver.graph_remove_edges(graph, edges)), Status::INVALID_VALUE);
            assert_eq!(bench.shape(graph), before);
        }
        driver.graph_remove_edges(graph, &[(b, c), (a, b)]).unwrap();
        assert_eq!(bench.shape(graph).1, []);
        driver.graph_add_edges(graph, &plain(&[])).unwrap();
        driver.graph_remove_edges(graph, &[]).unwrap();
        driver.graph_add_edges(graph, &plain(&[(a, b), (b, a)])).unwrap();
        assert_eq!(status(driver.graph_instantiate(graph)), Status::INVALID_VALUE, "a cycle");
        driver.graph_destroy(graph);
    }
}

#[test]
fn a_changed_node_does_other_work_in_later_execs_alone() {
    let bench = Bench::new();
    let (driver, graph, memory) = (&bench.driver, bench.graph(), bench.memory());
    let node = bench.add(graph, &[], &Work::Memset(set(memory, 1)));
    let empty = bench.add(graph, &[node], &Work::Empty);
    let before = bench.exec(graph);
    driver.node_set(graph, node, &Work::Memset(set(memory, 2))).unwrap();
    bench.run(graph);
    assert_eq!(bench.word(memory), 2);
    bench.launch(before);
    assert_eq!(bench.word(memory), 1);
    driver.exec_destroy(before, Lists::new());
    assert_eq!(status(driver.node_set(graph, node, &copy(memory, memory))), Status::INVALID_VALUE, "another kind");
    assert_eq!(status(driver.node_set(graph, node, &Work::Empty)), Status::INVALID_VALUE, "another kind");
    assert_eq!(status(driver.node_set(graph, node, &Work::Memset(set(8, 1)))), Status::INVALID_VALUE);
    driver.node_set(graph, empty, &Work::Empty).unwrap();
    driver.graph_remove_node(graph, node).unwrap();
    assert_eq!(status(driver.node_set(graph, node, &Work::Memset(set(memory, 2)))), Status::INVALID_VALUE, "removed");
    driver.graph_destroy(graph);
}

#[test]
fn a_graph_lets_go_of_host_functions_with_their_nodes() {
    let bench = Bench::new();
    let (driver, graph) = (&bench.driver, bench.graph());
    let [first, second] = [Calls::new(), Calls::new()];
    let node = bench.add(graph, &[], &Work::Host(&first.function()));
    let exec = bench.exec(graph);
    driver.node_set(graph, node, &Work::Host(&second.function())).unwrap();
    bench.launch(exec);
    bench.run(graph);
    assert_eq!((first.count(), second.count()), (1, 1));
    assert_eq!(first.held(), 1, "the exec calls it");
    driver.exec_destroy(exec, Lists::new());
    bench.settle(|| first.held() == 0);
    driver.graph_remove_node(graph, node).unwrap();
    bench.settle(|| second.held() == 0);
    assert_eq!(bench.live(Live::UserObjects), 0);
    driver.graph_destroy(graph);
}

#[test]
fn a_host_function_that_fails_is_told_by_the_next_wait_once() {
    struct Failing(&'static str);
    impl HostTask for Failing {
        fn call(&self) -> Option<Box<str>> {
            Some(self.0.into())
        }
    }
    let bench = Bench::new();
    let (driver, graph) = (&bench.driver, bench.graph());
    let add =
        |reason, after: &[NodeId]| bench.add(graph, after, &Work::Host(&(Arc::new(Failing(reason)) as HostFunction)));
    let first = add("the first", &[]);
    add("the second", &[first]);
    let exec = bench.exec(graph);
    for _ in 0..2 {
        driver.exec_launch(exec, bench.stream).unwrap();
        let told = driver.stream_synchronize(bench.stream).unwrap_err();
        assert_eq!(told.status, Status::CALLBACK);
        assert!(told.message.contains("the first"), "{told}");
        driver.stream_synchronize(bench.stream).unwrap();
        driver.synchronize().unwrap();
    }
    driver.exec_launch(exec, bench.stream).unwrap();
    assert_eq!(driver.synchronize_for(Duration::from_secs(20)).unwrap_err().status, Status::CALLBACK);
    driver.exec_destroy(exec, Lists::new());
    driver.graph_destroy(graph);
}

#[test]
fn nodes_that_others_could_use_keep_their_functions() {
    let bench = Bench::new();
    let (driver, graph, calls) = (&bench.driver, bench.graph(), Calls::new());
    let node = bench.add(graph, &[], &Work::Host(&calls.function()));
    driver.graph_retain(graph, &[]).unwrap();
    driver.graph_remove_node(graph, node).unwrap();
    assert_eq!(calls.held(), 1);
    driver.graph_destroy(graph);
    bench.settle(|| calls.held() == 0);
}

#[test]
fn names_hold_where_others_remove_nodes() {
    let bench = Bench::new();
    let (driver, graph) = (&bench.driver, bench.graph());
    let gone = bench.add(graph, &[], &Work::Empty);
    let native = driver.native(Object::Node(graph, gone)).unwrap();
    let owner = driver.native(Object::Graph(graph)).unwrap();
    driver.graph_retain(graph, &[]).unwrap();
    let remove = bench.stand_in.function::<unsafe extern "C" fn(*mut c_void, *mut c_void)>("stand_in_remove_node");
    let pointer = std::ptr::with_exposed_provenance_mut;
    // SAFETY: both are the driver's.
    unsafe { remove(pointer(owner), pointer(native)) };
    // Mostly with the same handle.
    let next = bench.add(graph, &[], &Work::Empty);
    assert_eq!(status(driver.node_set(graph, gone, &Work::Empty)), Status::INVALID_VALUE);
    assert_eq!(bench.shape(graph).0, [next]);
    driver.node_set(graph, next, &Work::Empty).unwrap();
    driver.graph_destroy(graph);
}

#[test]
fn a_graph_is_built_while_a_capture_goes_into_it() {
    let bench = Bench::new();
    let (driver, graph, memory) = (&bench.driver, bench.graph(), bench.memory());
    let [first, second] = [1, 2].map(|value| bench.add(graph, &[], &Work::Memset(set(memory, value))));
    driver.graph_add_edges(graph, &plain(&[(first, second)])).unwrap();
    driver.begin_capture_to_graph(bench.stream, graph, &[second], CaptureMode::Relaxed, &[]).unwrap();
    assert_eq!(status(driver.graph_remove_edges(graph, &[(first, second)])), Status::ILLEGAL_STATE);
    assert_eq!(status(driver.graph_remove_node(graph, first)), Status::ILLEGAL_STATE);
    let added = bench.add(graph, &[first], &Work::Empty);
    driver.graph_add_edges(graph, &plain(&[(second, added)])).unwrap();
    driver.node_set(graph, first, &Work::Memset(set(memory, 3))).unwrap();
    driver.submit(bench.stream, &copy(memory + 32, memory)).unwrap();
    assert_eq!(driver.end_capture(bench.stream).unwrap(), graph);
    assert_eq!((bench.shape(graph).0.len(), bench.shape(graph).1.len()), (4, 4));
    bench.run(graph);
    assert_eq!(bench.word(memory + 32), 2);
    driver.graph_destroy(graph);
}

#[test]
fn an_edit_that_the_driver_fails_changes_nothing() {
    let bench = Bench::new();
    let (driver, memory) = (&bench.driver, bench.memory());
    let calls = Calls::new();
    let arguments = [Argument::Address(memory), Argument::Value(&[1, 0, 0, 0]), Argument::Value(&COUNT)];
    let mut priority = [0; 64];
    priority[0] = 1;
    let attributes = [LaunchAttribute { id: 8, value: priority }, LaunchAttribute { id: 5, value: priority }];
    let kernel = Launch { attributes: &attributes, ..launch(bench.fill, &arguments) };
    let graph = bench.graph();
    let [a, b, c] = [0; 3].map(|_| bench.add(graph, &[], &Work::Empty));
    let node = bench.add(graph, &[], &Work::Host(&calls.function()));
    let launched = bench.add(graph, &[], &Work::Kernel(kernel));
    let state = || bench.shape(graph);
    bench.fail_each_call(state, || driver.graph_add_node(graph, &[a], &Work::Kernel(kernel)).map(drop));
    bench.fail_each_call(state, || driver.graph_add_node(graph, &[], &Work::Host(&calls.function())).map(drop));
    bench.fail_each_call(state, || driver.node_set(graph, node, &Work::Host(&calls.function())));
    bench.fail_each_call(state, || driver.node_set(graph, launched, &Work::Kernel(kernel)));
    bench.fail_each_call(state, || driver.graph_add_edges(graph, &plain(&[(a, b), (b, c)])));
    bench.fail_each_call(state, || driver.graph_remove_edges(graph, &[(a, b), (b, c)]));
    bench.fail_each_call(state, || driver.graph_remove_node(graph, c));
    bench.fail_each_call(state, || driver.graph_clone(graph).map(|copy| driver.graph_destroy(copy)));
    bench.settle(|| bench.live(Live::UserObjects) == 2 && calls.held() == 2);
    driver.graph_destroy(graph);
    bench.settle(|| calls.held() == 0);
}
