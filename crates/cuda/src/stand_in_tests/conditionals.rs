//! Conditions, nodes with bodies, and nodes that allocate.

use super::*;

const IMAGE: &[u8] = b".version 8.0\n.target sm_70\n.address_size 64\n.visible .entry loop(\n.param .u64 condition,\n.param .u64 count,\n.param .u32 limit\n)\n{\nret;\n}\n\0";

impl Bench {
    fn conditional(&self, graph: GraphId, default: u32, kind: ConditionalKind, bodies: u32) -> Conditional {
        let condition = self.driver.condition_create(graph, default).unwrap();
        Conditional { condition, kind, bodies }
    }
}

#[test]
fn the_bodies_that_a_value_asks_for_run() {
    let bench = Bench::new();
    let (driver, memory) = (&bench.driver, bench.memory());
    for (kind, bodies, value, expected) in [
        (ConditionalKind::If, 1, 3, 1),
        (ConditionalKind::If, 1, 0, 0),
        (ConditionalKind::If, 2, 1, 1),
        (ConditionalKind::If, 2, 0, 2),
        (ConditionalKind::Switch, 3, 2, 3),
        (ConditionalKind::Switch, 3, 3, 0),
        (ConditionalKind::Switch, 1, 0, 1),
        (ConditionalKind::While, 1, 0, 0),
    ] {
        let graph = bench.graph();
        let conditional = bench.conditional(graph, value, kind, bodies);
        let first = bench.add(graph, &[], &Work::Memset(set(memory, 0)));
        let node = bench.add(graph, &[first], &Work::Conditional(conditional));
        let graphs = driver.node_graphs(graph, node).unwrap();
        assert_eq!(graphs.len(), bodies as usize);
        assert_eq!(driver.node_graphs(graph, node).unwrap(), graphs);
        for (value, &body) in (1..).zip(&graphs) {
            assert_eq!(driver.graph_node_count(body).unwrap(), 0);
            bench.add(body, &[], &Work::Memset(set(memory, value)));
        }
        let mut told = None;
        let mut read = |work: &Work<'_>| match work {
            Work::Conditional(conditional) => told = Some(*conditional),
            _ => panic!("a conditional node"),
        };
        driver.node_work(GraphRef::Known(graph), node, &mut read).unwrap();
        assert_eq!(told, Some(conditional));
        bench.run(graph);
        assert_eq!(bench.word(memory), expected, "{kind:?} of {bodies} with {value:?}");
        driver.graph_remove_node(graph, node).unwrap();
        assert_eq!(status(driver.graph_node_count(graphs[0])), Status::INVALID_HANDLE);
        driver.graph_destroy(graph);
    }
    assert_eq!(bench.live(Live::Graphs), 0);
}

#[test]
fn a_kernel_ends_a_loop_and_a_body_has_a_loop_of_its_own() {
    let bench = Bench::new();
    let (driver, memory) = (&bench.driver, bench.memory());
    let module = driver.module_load(ModuleSource { image: Some(IMAGE), ..ModuleSource::default() }).unwrap();
    let kernel = driver.module_kernel(module, "loop").unwrap();
    let limit = |limit: u32| limit.to_ne_bytes();
    let graph = bench.graph();
    let outer = bench.conditional(graph, 1, ConditionalKind::While, 1);
    let node = bench.add(graph, &[], &Work::Conditional(outer));
    let body = driver.node_graphs(graph, node).unwrap()[0];
    let inner = bench.conditional(body, 0, ConditionalKind::While, 1);
    let address = |offset| memory + offset;
    let step = |condition: ConditionId, counter: u64, most: u32, graph, after: &[NodeId]| {
        let (condition, most) = (condition.0.to_ne_bytes(), limit(most));
        let arguments = [Argument::Value(&condition), Argument::Address(counter), Argument::Value(&most)];
        bench.add(graph, after, &Work::Kernel(launch(kernel, &arguments)))
    };
    // Each turn counts from 0 to 4, of which the first is made by the kernel that begins the loop.
    let reset = bench.add(body, &[], &Work::Memset(set(address(32), 0)));
    let begin = step(inner.condition, address(32), 4, body, &[reset]);
    let nested = bench.add(body, &[begin], &Work::Conditional(inner));
    let deepest = driver.node_graphs(body, nested).unwrap()[0];
    step(inner.condition, address(32), 4, deepest, &[]);
    let arguments = [Argument::Address(address(16)), Argument::Value(&[1, 0, 0, 0]), Argument::Value(&COUNT)];
    bench.add(deepest, &[], &Work::Kernel(launch(bench.add, &arguments)));
    step(outer.condition, address(0), 3, body, &[nested]);
    let exec = bench.exec(graph);
    bench.launch(exec);
    assert_eq!((bench.word(address(0)), bench.word(address(32)), bench.word(address(16))), (3, 4, 9));
    // Nodes of bodies are nodes of the exec.
    driver.exec_set(exec, reset, &Work::Memset(set(address(32), 2))).unwrap();
    assert_eq!(status(driver.exec_set(exec, node, &Work::Conditional(outer))), Status::NOT_SUPPORTED);
    assert_eq!(status(driver.exec_set(exec, reset, &Work::Conditional(outer))), Status::INVALID_VALUE);
    driver.exec_destroy(exec, Lists::new());
    driver.graph_destroy(graph);
    assert_eq!(status(driver.graph_node_count(deepest)), Status::INVALID_HANDLE);
    driver.module_unload(module, &[]);
    assert_eq!(bench.live(Live::Graphs), 0);
}

#[test]
fn what_a_conditional_node_cannot_be_is_refused() {
    let bench = Bench::new();
    let (driver, graph, other) = (&bench.driver, bench.graph(), bench.graph());
    let good = bench.conditional(graph, 0, ConditionalKind::If, 1);
    let strange = bench.conditional(other, 0, ConditionalKind::If, 1);
    for wrong in [
        strange,
        Conditional { condition: ConditionId(0), ..good },
        Conditional { bodies: 0, ..good },
        Conditional { bodies: 3, ..good },
        Conditional { kind: ConditionalKind::While, bodies: 2, ..good },
    ] {
        assert_eq!(status(driver.graph_add_node(graph, &[], &Work::Conditional(wrong))), Status::INVALID_VALUE);
    }
    let node = bench.add(graph, &[], &Work::Conditional(good));
    assert_eq!(status(driver.graph_add_node(graph, &[], &Work::Conditional(good))), Status::INVALID_VALUE, "taken");
    assert_eq!(status(driver.node_set(graph, node, &Work::Conditional(good))), Status::NOT_SUPPORTED);
    assert_eq!(status(driver.node_set(graph, node, &Work::Empty)), Status::INVALID_VALUE);
    assert_eq!(status(driver.graph_clone(graph)), Status::NOT_SUPPORTED);
    assert_eq!(status(driver.graph_add_node(other, &[], &Work::Child(graph))), Status::NOT_SUPPORTED);
    let body = driver.node_graphs(graph, node).unwrap()[0];
    assert_eq!(status(driver.graph_add_node(body, &[], &Work::Child(graph))), Status::INVALID_VALUE, "within itself");
    assert_eq!(status(driver.graph_instantiate(body)), Status::NOT_SUPPORTED);
    let exec = bench.exec(graph);
    assert_eq!(status(driver.graph_instantiate(graph)), Status::NOT_SUPPORTED, "a second exec");
    driver.exec_destroy(exec, Lists::new());
    driver.graph_destroy(graph);
    driver.graph_destroy(other);
}

#[test]
fn a_driver_that_has_no_conditions_says_since_when_they_are() {
    let bench = Bench::on(&OLD);
    let graph = bench.graph();
    let refused = bench.driver.condition_create(graph, 1).unwrap_err();
    assert!(refused.status == Status::NOT_SUPPORTED && refused.message.contains("12.3"), "{}", refused.message);
    let conditional = |kind, bodies| Work::Conditional(Conditional { condition: ConditionId(1), kind, bodies });
    for (work, since) in [
        (conditional(ConditionalKind::If, 1), "12.3"),
        (conditional(ConditionalKind::If, 2), "12.8"),
        (conditional(ConditionalKind::Switch, 2), "12.8"),
    ] {
        let refused = bench.driver.graph_add_node(graph, &[], &work).unwrap_err();
        assert!(refused.status == Status::NOT_SUPPORTED && refused.message.contains(since), "{}", refused.message);
    }
    bench.driver.graph_destroy(graph);
}

#[test]
fn a_conditional_node_that_the_driver_fails_is_not_added() {
    let bench = Bench::new();
    let (driver, graph) = (&bench.driver, bench.graph());
    let state = || bench.shape(graph);
    bench.fail_each_call(state, || {
        let condition = driver.condition_create(graph, 1)?;
        let conditional = Conditional { condition, kind: ConditionalKind::Switch, bodies: 3 };
        driver.graph_add_node(graph, &[], &Work::Conditional(conditional)).map(drop)
    });
    driver.graph_destroy(graph);
    assert_eq!(bench.live(Live::Graphs), 0);
}
