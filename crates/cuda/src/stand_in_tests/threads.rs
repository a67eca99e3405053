//! Several threads on one graph: the driver's graphs must not be used by two at once, which the stand-in notices.

use super::*;

#[test]
fn calls_on_one_graph_wait_for_each_other() {
    let bench = Bench::new();
    let (driver, memory) = (&*bench.driver, bench.memory());
    let inner = bench.graph();
    bench.add(inner, &[], &Work::Memset(set(memory, 1)));
    let graph = bench.graph();
    let first = bench.add(graph, &[], &Work::Memset(set(memory + 16, 1)));
    let node = bench.add(graph, &[first], &Work::Child(inner));
    let child = driver.node_graphs(graph, node).unwrap()[0];
    let exec = driver.graph_instantiate(graph).unwrap().0;
    let work = Work::Memset(set(memory + 32, 2));
    let build = |graph| {
        let added = driver.graph_add_node(graph, &[], &work)?;
        driver.node_set(graph, added, &work)?;
        driver.graph_nodes(GraphRef::Known(graph))?;
        driver.graph_remove_node(graph, added)
    };
    let reorder = || {
        let added = driver.graph_add_node(graph, &[], &Work::Empty)?;
        driver.graph_add_edges(graph, &plain(&[(first, added)]))?;
        driver.graph_remove_edges(graph, &[(first, added)])?;
        driver.graph_remove_node(graph, added)
    };
    let copy = || driver.graph_clone(graph).map(|copy| driver.graph_destroy(copy));
    let nest = || {
        let added = driver.graph_add_node(graph, &[], &Work::Child(inner))?;
        driver.graph_edge_count(driver.node_graphs(graph, added)?[0])?;
        driver.graph_remove_node(graph, added)
    };
    let edit = || {
        driver.exec_set(exec, first, &work)?;
        driver.exec_enable(exec, first, true)?;
        driver.exec_launch(exec, bench.stream)
    };
    let instantiate = || driver.graph_instantiate(graph).map(|(exec, _)| driver.exec_destroy(exec, Lists::new()));
    let calls: [&(dyn Fn() -> Result<()> + Sync); 7] =
        [&|| build(graph), &|| build(child), &reorder, &copy, &nest, &edit, &instantiate];
    std::thread::scope(|scope| {
        for call in calls {
            scope.spawn(move || (0..24).for_each(|_| call().unwrap()));
        }
    });
    assert_eq!((bench.shape(graph).0.len(), bench.shape(child).0.len()), (2, 1));
    driver.exec_destroy(exec, Lists::new());
    driver.graph_destroy(graph);
    driver.graph_destroy(inner);
    assert_eq!((bench.live(Live::Graphs), bench.live(Live::Execs)), (0, 0));
}
