//! Copies of graphs, and their nodes.

use super::*;

#[test]
fn nodes_of_a_copy_have_the_places_of_their_originals() {
    let bench = Bench::new();
    let (driver, graph, memory) = (&bench.driver, bench.graph(), bench.memory());
    let mut nodes: Vec<NodeId> = (0..6).map(|value| bench.add(graph, &[], &Work::Memset(set(memory, value)))).collect();
    // A place that is taken again, and one that stays vacant.
    driver.graph_remove_node(graph, nodes.remove(4)).unwrap();
    driver.graph_remove_node(graph, nodes.remove(1)).unwrap();
    nodes.push(bench.add(graph, &[nodes[0]], &Work::Memset(set(memory, 6))));
    let copy = driver.graph_clone(graph).unwrap();
    let late = bench.add(graph, &[], &Work::Empty);
    for &node in &nodes {
        let twin = driver.node_in_clone(graph, node, copy).unwrap();
        assert_eq!(twin.place(), node.place());
        assert_ne!(twin, node);
        let work = |graph, node| {
            let mut value = None;
            let mut read = |work: &Work<'_>| match work {
                Work::Memset(set) => value = Some(set.value),
                _ => panic!("a memset"),
            };
            driver.node_work(GraphRef::Known(graph), node, &mut read).unwrap();
            value
        };
        assert_eq!(work(copy, twin), work(graph, node));
    }
    assert_eq!(bench.shape(copy).0.len(), nodes.len());
    assert_eq!(status(driver.node_in_clone(graph, late, copy)), Status::INVALID_VALUE, "added after the copy");
    assert_eq!(status(driver.node_in_clone(copy, nodes[0], graph)), Status::INVALID_VALUE, "the wrong way");
    // An original that is gone is no node that a copy could be asked for; the other copies stay.
    let twin = driver.node_in_clone(graph, nodes[0], copy).unwrap();
    driver.graph_remove_node(graph, nodes[0]).unwrap();
    assert_eq!(status(driver.node_in_clone(graph, nodes[0], copy)), Status::INVALID_VALUE);
    driver.graph_remove_node(copy, twin).unwrap();
    let gone = driver.node_in_clone(graph, nodes[1], copy).unwrap();
    driver.graph_remove_node(copy, gone).unwrap();
    assert_eq!(status(driver.node_in_clone(graph, nodes[1], copy)), Status::INVALID_VALUE);
    let added = bench.add(copy, &[], &Work::Empty);
    assert!(status(driver.node_in_clone(graph, nodes[1], copy)) == Status::INVALID_VALUE, "{added:?} is no copy");
    driver.graph_destroy(graph);
    bench.run(copy);
    driver.graph_destroy(copy);
}

#[test]
fn a_copy_of_a_copy_knows_the_first_copy_alone() {
    let bench = Bench::new();
    let (driver, graph) = (&bench.driver, bench.graph());
    let node = bench.add(graph, &[], &Work::Empty);
    let first = driver.graph_clone(graph).unwrap();
    let second = driver.graph_clone(first).unwrap();
    let twin = driver.node_in_clone(graph, node, first).unwrap();
    assert_eq!(driver.node_in_clone(first, twin, second).unwrap().place(), node.place());
    assert_eq!(status(driver.node_in_clone(graph, node, second)), Status::INVALID_VALUE);
    for graph in [graph, first, second] {
        driver.graph_destroy(graph);
    }
}

#[test]
fn a_copy_takes_as_many_calls_of_the_driver_whatever_its_size() {
    let bench = Bench::new();
    let driver = &bench.driver;
    let counts = [1, 10, 1000].map(|count| {
        let graph = bench.graph();
        for _ in 0..count {
            bench.add(graph, &[], &Work::Empty);
        }
        let copied = || driver.graph_clone(graph).map(|copy| driver.graph_destroy(copy));
        let calls = bench.fail_each_call(|| (), copied);
        driver.graph_destroy(graph);
        calls
    });
    assert_eq!(counts, [counts[0]; 3]);
}

#[test]
fn a_copy_keeps_functions_for_itself() {
    let bench = Bench::new();
    let (driver, graph, calls) = (&bench.driver, bench.graph(), Calls::new());
    let node = bench.add(graph, &[], &Work::Host(&calls.function()));
    let copy = driver.graph_clone(graph).unwrap();
    let twin = driver.node_in_clone(graph, node, copy).unwrap();
    driver.graph_remove_node(graph, node).unwrap();
    driver.graph_destroy(graph);
    bench.run(copy);
    assert_eq!((calls.count(), calls.held()), (1, 1));
    driver.graph_remove_node(copy, twin).unwrap();
    bench.settle(|| calls.held() == 0);
    driver.graph_destroy(copy);
}
