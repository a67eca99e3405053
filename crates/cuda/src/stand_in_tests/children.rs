//! Child nodes, and the graphs within other graphs.

use super::*;
use graphcap_driver::rules::CaptureMode;

/// A graph that sets `memory` to `value`, and its node.
fn setter(bench: &Bench, memory: Address, value: u32) -> (GraphId, NodeId) {
    let graph = bench.graph();
    (graph, bench.add(graph, &[], &Work::Memset(set(memory, value))))
}

/// The one graph of a child node.
fn child_of(bench: &Bench, graph: GraphId, node: NodeId) -> GraphId {
    let [child] = bench.driver.node_graphs(graph, node).unwrap()[..] else { panic!("a child node has one graph") };
    child
}

#[test]
fn a_child_is_a_copy_that_can_be_edited() {
    let bench = Bench::new();
    let (driver, memory) = (&bench.driver, bench.memory());
    let (inner, original) = setter(&bench, memory, 1);
    let graph = bench.graph();
    let node = bench.add(graph, &[], &Work::Child(inner));
    bench.add(graph, &[node], &copy(memory + 32, memory));
    driver.graph_destroy(inner);
    let child = child_of(&bench, graph, node);
    assert_eq!(child_of(&bench, graph, node), child, "one name");
    let mut told = None;
    let mut read = |work: &Work<'_>| match work {
        Work::Child(graph) => told = Some(*graph),
        _ => panic!("a child"),
    };
    driver.node_work(GraphRef::Known(graph), node, &mut read).unwrap();
    assert_eq!(told, Some(child));
    let [within] = bench.shape(child).0[..] else { panic!("one node") };
    assert_eq!((within.place(), driver.graph_node_count(child).unwrap()), (original.place(), 1));
    bench.run(graph);
    assert_eq!(bench.word(memory + 32), 1);
    driver.node_set(child, within, &Work::Memset(set(memory, 2))).unwrap();
    let late = bench.add(child, &[], &Work::Memset(set(memory + 16, 3)));
    driver.graph_add_edges(child, &plain(&[(within, late)])).unwrap();
    bench.run(graph);
    assert_eq!((bench.word(memory + 32), bench.word(memory + 16)), (2, 3));
    driver.graph_remove_edges(child, &[(within, late)]).unwrap();
    driver.graph_remove_node(child, late).unwrap();
    assert_eq!(bench.shape(child), (vec![within], vec![]));
    driver.graph_destroy(graph);
    assert_eq!(bench.live(Live::Graphs), 0);
}

#[test]
fn the_graph_of_a_node_goes_with_the_node() {
    let bench = Bench::new();
    let (driver, memory) = (&bench.driver, bench.memory());
    let (leaf, _) = setter(&bench, memory, 1);
    let middle = bench.graph();
    bench.add(middle, &[], &Work::Child(leaf));
    let graph = bench.graph();
    let [kept, removed, replaced] = [0; 3].map(|_| bench.add(graph, &[], &Work::Child(middle)));
    let deepest = |node| {
        let child = child_of(&bench, graph, node);
        (child, child_of(&bench, child, bench.shape(child).0[0]))
    };
    let (stale, live) = ([deepest(removed), deepest(replaced)], deepest(kept));
    driver.graph_remove_node(graph, removed).unwrap();
    driver.node_set(graph, replaced, &Work::Child(leaf)).unwrap();
    for (child, within) in stale {
        for graph in [child, within] {
            assert_eq!(status(driver.graph_node_count(graph)), Status::INVALID_HANDLE);
            assert_eq!(status(driver.graph_nodes(GraphRef::Known(graph))), Status::INVALID_HANDLE);
        }
    }
    assert_eq!(bench.shape(child_of(&bench, graph, replaced)).0.len(), 1);
    assert_eq!(driver.graph_node_count(live.1).unwrap(), 1);
    driver.graph_destroy(live.0);
    assert_eq!(driver.graph_node_count(live.1).unwrap(), 1, "it goes with its node alone");
    driver.graph_destroy(graph);
    assert_eq!(status(driver.graph_node_count(live.0)), Status::INVALID_HANDLE);
    driver.graph_destroy(middle);
    driver.graph_destroy(leaf);
    assert_eq!(bench.live(Live::Graphs), 0);
}

#[test]
fn a_graph_within_another_one_stays_there() {
    let bench = Bench::new();
    let (driver, memory) = (&bench.driver, bench.memory());
    let (inner, original) = setter(&bench, memory, 1);
    let (graph, other) = (bench.graph(), bench.graph());
    let node = bench.add(graph, &[], &Work::Child(inner));
    let child = child_of(&bench, graph, node);
    assert_eq!(status(driver.graph_instantiate(child)), Status::NOT_SUPPORTED);
    driver.begin_capture_to_graph(bench.stream, child, &[], CaptureMode::Relaxed, &[]).unwrap();
    assert_eq!(status(driver.graph_add_node(child, &[], &Work::Empty)), Status::ILLEGAL_STATE);
    assert_eq!(driver.end_capture(bench.stream), Ok(child));
    assert!(!driver.graph_was_taken(child));
    for (graph, child, answer) in [
        (graph, graph, Status::INVALID_VALUE),
        (child, graph, Status::INVALID_VALUE),
        (child, child, Status::NOT_SUPPORTED),
        (graph, child, Status::NOT_SUPPORTED),
        (other, child, Status::NOT_SUPPORTED),
    ] {
        assert_eq!(status(driver.graph_add_node(graph, &[], &Work::Child(child))), answer);
    }
    assert_eq!(status(driver.node_set(graph, node, &Work::Child(graph))), Status::INVALID_VALUE);
    assert_eq!(status(driver.node_graphs(inner, original)), Status::INVALID_VALUE, "a memset has none");
    assert_eq!(status(driver.graph_add_node(graph, &[node, node], &Work::Child(inner))), Status::INVALID_VALUE);
    assert_eq!(status(driver.node_set(inner, original, &Work::Child(graph))), Status::INVALID_VALUE, "another kind");
    // A copy of it stands alone.
    let copy = driver.graph_clone(child).unwrap();
    let within = driver.node_in_clone(inner, original, child).unwrap();
    assert_eq!(driver.node_in_clone(child, within, copy).unwrap().place(), original.place());
    bench.add(child, &[], &Work::Child(copy));
    driver.graph_destroy(graph);
    bench.run(copy);
    assert_eq!(bench.word(memory), 1);
    for graph in [inner, other, copy] {
        driver.graph_destroy(graph);
    }
}

#[test]
fn copies_have_the_places_of_nodes_within_children_too() {
    let bench = Bench::new();
    let (driver, memory) = (&bench.driver, bench.memory());
    let (inner, first) = setter(&bench, memory, 1);
    bench.add(inner, &[], &Work::Empty);
    driver.graph_remove_node(inner, first).unwrap();
    let graph = bench.graph();
    let node = bench.add(graph, &[], &Work::Child(inner));
    let child = child_of(&bench, graph, node);
    let [within] = bench.shape(child).0[..] else { panic!("one node") };
    let copy = driver.graph_clone(graph).unwrap();
    let twin = driver.node_in_clone(graph, node, copy).unwrap();
    let child_of_copy = child_of(&bench, copy, twin);
    let there = driver.node_in_clone(child, within, child_of_copy).unwrap();
    assert_eq!((there.place(), bench.shape(child_of_copy).0), (within.place(), vec![there]));
    for graph in [graph, inner, copy] {
        driver.graph_destroy(graph);
    }
}

#[test]
fn functions_of_a_child_stay_with_those_who_call_them() {
    let bench = Bench::new();
    let (driver, calls, late) = (&bench.driver, Calls::new(), Calls::new());
    let inner = bench.graph();
    bench.add(inner, &[], &Work::Host(&calls.function()));
    let graph = bench.graph();
    let node = bench.add(graph, &[], &Work::Child(inner));
    let child = child_of(&bench, graph, node);
    driver.graph_destroy(inner);
    let own = bench.add(child, &[], &Work::Host(&late.function()));
    let exec = bench.exec(graph);
    bench.launch(exec);
    assert_eq!((calls.count(), late.count()), (1, 1));
    let copy = driver.graph_clone(child).unwrap();
    driver.graph_remove_node(child, own).unwrap();
    driver.graph_remove_node(child, bench.shape(child).0[0]).unwrap();
    driver.exec_destroy(exec, Lists::new());
    driver.graph_destroy(graph);
    bench.run(copy);
    assert_eq!((calls.count(), late.count()), (2, 2));
    let second = driver.graph_clone(copy).unwrap();
    // What holds the functions of either copy is not known, but for one that is added.
    let added = Calls::new();
    for graph in [copy, second] {
        let node = bench.add(graph, &[], &Work::Host(&added.function()));
        driver.graph_remove_node(graph, node).unwrap();
        bench.settle(|| added.held() == 0);
        let nodes = bench.shape(graph).0;
        assert_eq!(nodes.len(), 2);
        for node in nodes {
            driver.graph_remove_node(graph, node).unwrap();
        }
    }
    driver.graph_destroy(copy);
    driver.graph_destroy(second);
    bench.settle(|| calls.held() == 0 && late.held() == 0);
    assert_eq!(bench.live(Live::UserObjects), 0);
}

#[test]
fn a_child_that_takes_the_place_of_another_one_keeps_its_functions() {
    let bench = Bench::new();
    let (driver, graph) = (&bench.driver, bench.graph());
    let [first, second, third] = [Calls::new(), Calls::new(), Calls::new()];
    let with = |calls: &Calls| {
        let inner = bench.graph();
        bench.add(inner, &[], &Work::Host(&calls.function()));
        inner
    };
    let of_first = with(&first);
    let node = bench.add(graph, &[], &Work::Child(of_first));
    driver.graph_destroy(of_first);
    let of_second = with(&second);
    driver.node_set(graph, node, &Work::Child(of_second)).unwrap();
    driver.graph_destroy(of_second);
    let exec = bench.exec(graph);
    bench.launch(exec);
    assert_eq!((first.count(), second.count()), (0, 1));
    let before = bench.live(Live::UserObjects);
    for _ in 0..4 {
        let again = driver.graph_clone(child_of(&bench, graph, node)).unwrap();
        driver.node_set(graph, node, &Work::Child(again)).unwrap();
        driver.graph_destroy(again);
    }
    // The exec still has the functions that it was made with.
    bench.settle(|| bench.live(Live::UserObjects) <= before + 1);
    // In the exec alone: it keeps what its new child calls, until its launches are over.
    let of_third = with(&third);
    driver.exec_set(exec, node, &Work::Child(of_third)).unwrap();
    driver.graph_destroy(of_third);
    bench.hold(true);
    bench.driver.exec_launch(exec, bench.stream).unwrap();
    let child = child_of(&bench, graph, node);
    driver.exec_set(exec, node, &Work::Child(child)).unwrap();
    assert_eq!((second.count(), third.count(), third.held()), (1, 1, 1));
    bench.hold(false);
    driver.synchronize().unwrap();
    bench.settle(|| third.held() == 0);
    bench.launch(exec);
    assert_eq!((second.count(), third.count()), (2, 1));
    driver.exec_destroy(exec, Lists::new());
    driver.graph_destroy(graph);
    bench.settle(|| first.held() == 0 && second.held() == 0);
}

#[test]
fn an_exec_takes_another_child_of_the_same_shape_alone() {
    let bench = Bench::new();
    let (driver, memory) = (&bench.driver, bench.memory());
    let (inner, _) = setter(&bench, memory, 1);
    let (like, of_like) = setter(&bench, memory, 2);
    let graph = bench.graph();
    let node = bench.add(graph, &[], &Work::Child(inner));
    let within = bench.shape(child_of(&bench, graph, node)).0[0];
    let exec = bench.exec(graph);
    driver.exec_set(exec, node, &Work::Child(like)).unwrap();
    bench.launch(exec);
    assert_eq!(bench.word(memory), 2);
    // A node within is a node of the exec, too.
    driver.exec_set(exec, within, &Work::Memset(set(memory, 3))).unwrap();
    bench.launch(exec);
    assert_eq!(bench.word(memory), 3);
    driver.exec_enable(exec, within, false).unwrap();
    assert!(!driver.exec_is_enabled(exec, within).unwrap());
    assert_eq!(status(driver.exec_set(exec, of_like, &Work::Memset(set(memory, 4)))), Status::INVALID_VALUE);
    bench.add(like, &[of_like], &Work::Empty);
    assert_eq!(status(driver.exec_set(exec, node, &Work::Child(like))).0, 910);
    assert_eq!(status(driver.exec_set(exec, node, &Work::Child(graph))).0, 910);
    let late = bench.add(child_of(&bench, graph, node), &[], &Work::Memset(set(memory, 4)));
    assert_eq!(status(driver.exec_set(exec, late, &Work::Memset(set(memory, 4)))), Status::INVALID_VALUE);
    driver.exec_destroy(exec, Lists::new());
    for graph in [inner, like, graph] {
        driver.graph_destroy(graph);
    }
}

#[test]
fn an_edit_of_children_that_the_driver_fails_changes_nothing() {
    let bench = Bench::new();
    let (driver, memory, calls) = (&bench.driver, bench.memory(), Calls::new());
    let (inner, _) = setter(&bench, memory, 1);
    bench.add(inner, &[], &Work::Host(&calls.function()));
    let graph = bench.graph();
    let node = bench.add(graph, &[], &Work::Child(inner));
    let state = || bench.shape(graph);
    let own = || child_of(&bench, graph, node);
    bench.fail_each_call(state, || driver.graph_add_node(graph, &[node], &Work::Child(inner)).map(drop));
    bench.fail_each_call(state, || driver.node_graphs(graph, node).map(drop));
    bench.fail_each_call(|| bench.shape(own()), || driver.node_set(graph, node, &Work::Child(inner)));
    let child = own();
    bench.fail_each_call(state, || driver.graph_clone(child).map(|copy| driver.graph_destroy(copy)));
    bench.fail_each_call(state, || driver.graph_clone(graph).map(|copy| driver.graph_destroy(copy)));
    let exec = bench.exec(graph);
    bench.fail_each_call(state, || driver.exec_set(exec, node, &Work::Child(inner)));
    let late = calls.function();
    bench.fail_each_call(|| bench.shape(child), || driver.graph_add_node(child, &[], &Work::Host(&late)).map(drop));
    drop(late);
    driver.exec_destroy(exec, Lists::new());
    driver.graph_destroy(graph);
    driver.graph_destroy(inner);
    bench.settle(|| calls.held() == 0);
    assert_eq!((bench.live(Live::Graphs), bench.live(Live::UserObjects)), (0, 0));
}

/// Two threads put two graphs into each other.
#[test]
fn two_graphs_become_children_of_each_other_at_once() {
    let bench = Bench::new();
    let (driver, graphs) = (&bench.driver, [bench.graph(), bench.graph()]);
    std::thread::scope(|scope| {
        for [graph, child] in [graphs, [graphs[1], graphs[0]]] {
            scope.spawn(move || {
                for _ in 0..8 {
                    let node = driver.graph_add_node(graph, &[], &Work::Child(child)).unwrap();
                    driver.graph_remove_node(graph, node).unwrap();
                }
            });
        }
    });
    assert_eq!(graphs.map(|graph| driver.graph_node_count(graph).unwrap()), [0, 0]);
    for graph in graphs {
        driver.graph_destroy(graph);
    }
    assert_eq!(bench.live(Live::Graphs), 0);
}

#[test]
fn the_graph_of_a_node_that_others_removed_is_stale() {
    let bench = Bench::new();
    let (driver, memory) = (&bench.driver, bench.memory());
    let (inner, _) = setter(&bench, memory, 1);
    let graph = bench.graph();
    let node = bench.add(graph, &[], &Work::Child(inner));
    let child = child_of(&bench, graph, node);
    let [owner, native] =
        [Object::Graph(graph), Object::Node(graph, node)].map(|object| driver.native(object).unwrap());
    driver.graph_retain(graph, &[]).unwrap();
    assert_eq!(driver.graph_node_count(child).unwrap(), 1);
    let remove = bench.stand_in.function::<unsafe extern "C" fn(*mut c_void, *mut c_void)>("stand_in_remove_node");
    let pointer = std::ptr::with_exposed_provenance_mut;
    // SAFETY: both are the driver's.
    unsafe { remove(pointer(owner), pointer(native)) };
    assert_eq!(status(driver.graph_node_count(child)), Status::INVALID_HANDLE);
    assert_eq!(status(driver.node_graphs(graph, node)), Status::INVALID_VALUE);
    driver.graph_destroy(graph);
    driver.graph_destroy(inner);
    assert_eq!(bench.live(Live::Graphs), 0);
}

#[test]
fn a_driver_that_cannot_exchange_a_child_says_since_when_others_can() {
    let bench = Bench::on(&OLD);
    let (driver, graph, inner) = (&bench.driver, bench.graph(), bench.graph());
    let node = bench.add(graph, &[], &Work::Child(inner));
    let refused = driver.node_set(graph, node, &Work::Child(inner)).unwrap_err();
    assert!(refused.status == Status::NOT_SUPPORTED && refused.message.contains("12.2"), "{}", refused.message);
    let exec = bench.exec(graph);
    driver.exec_set(exec, node, &Work::Child(inner)).unwrap();
    driver.exec_destroy(exec, Lists::new());
    driver.graph_destroy(graph);
    driver.graph_destroy(inner);
}
