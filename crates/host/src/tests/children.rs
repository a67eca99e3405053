//! Graphs as nodes of others: what runs, which copies there are, ids of graphs within, edits of them and of their nodes in
//! execs.

use super::building::{status, with_mark, Built, INVALID, OK};
use super::*;
use graphcap_base::error::Status;

const NOT_SUPPORTED: i32 = Status::NOT_SUPPORTED.0;
const STALE: i32 = Status::INVALID_HANDLE.0;
const UPDATE_FAILURE: i32 = Status::GRAPH_EXEC_UPDATE_FAILURE.0;

/// Calls on graphs by their ids.
trait Graphing {
    fn marked(&self, graph: GraphId, dependencies: &[NodeId], mark: &Mark) -> NodeId;
    fn child(&self, graph: GraphId, dependencies: &[NodeId], child: GraphId) -> NodeId;
    /// The graph of a child node.
    fn inner(&self, graph: GraphId, node: NodeId) -> GraphId;
    fn exec(&self, graph: GraphId) -> ExecId;
}

impl Graphing for Built {
    fn marked(&self, graph: GraphId, dependencies: &[NodeId], mark: &Mark) -> NodeId {
        let driver = &self.bench.driver;
        with_mark(self.bench.append, mark, |work| driver.graph_add_node(graph, dependencies, work)).unwrap()
    }
    fn child(&self, graph: GraphId, dependencies: &[NodeId], child: GraphId) -> NodeId {
        self.bench.driver.graph_add_node(graph, dependencies, &Work::Child(child)).unwrap()
    }
    fn inner(&self, graph: GraphId, node: NodeId) -> GraphId {
        let graphs = self.bench.driver.node_graphs(graph, node).unwrap();
        assert_eq!(graphs.len(), 1);
        graphs[0]
    }
    fn exec(&self, graph: GraphId) -> ExecId {
        self.bench.driver.graph_instantiate(graph).unwrap().0
    }
}

fn runs(marks: &[Mark]) -> Vec<u64> {
    marks.iter().map(Mark::runs).collect()
}

fn in_order(marks: &[&Mark]) -> bool {
    marks.windows(2).all(|pair| pair[0].tick() < pair[1].tick())
}

#[test]
fn a_child_runs_between_what_it_depends_on_and_what_depends_on_it() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let marks: [Mark; 6] = Default::default();
    // Two roots and two leaves in the child, so that its edges meet.
    let child = driver.graph_create().unwrap();
    let roots = [2, 3].map(|at: usize| built.marked(child, &[], &marks[at]));
    assert_ne!(roots[0], roots[1]);
    let before = [0, 1].map(|at: usize| built.mark(&[], &marks[at]));
    let node = built.child(built.graph, &before, child);
    built.mark(&[node], &marks[4]);
    built.mark(&[], &marks[5]);
    assert_eq!(driver.graph_node_count(built.graph).unwrap(), 5);
    let (exec, nodes) = driver.graph_instantiate(built.graph).unwrap();
    assert_eq!(nodes, 5);
    for round in 1..=3 {
        built.run(exec);
        assert_eq!(runs(&marks), [round; 6]);
        for (before, after) in [(0, 2), (0, 3), (1, 2), (1, 3), (2, 4), (3, 4)] {
            assert!(in_order(&[&marks[before], &marks[after]]));
        }
    }
    let mut read = None;
    driver
        .node_work(GraphRef::Known(built.graph), node, &mut |work| {
            if let Work::Child(graph) = work {
                read = Some(*graph);
            }
        })
        .unwrap();
    assert_eq!(read, Some(built.inner(built.graph, node)));
}

#[test]
fn a_child_without_nodes_orders_what_is_around_it() {
    let built = Built::new();
    let marks: [Mark; 2] = Default::default();
    let empty = built.bench.driver.graph_create().unwrap();
    let first = built.mark(&[], &marks[0]);
    let node = built.child(built.graph, &[first], empty);
    built.mark(&[node], &marks[1]);
    built.run(built.instantiate());
    assert!(runs(&marks) == [1, 1] && in_order(&[&marks[0], &marks[1]]));
}

/// Rows `nest.original_*`, `nest.same_twice`, `nest.handle_*` of the driver's answers.
#[test]
fn a_child_is_a_copy_of_what_its_graph_was() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let marks: [Mark; 3] = Default::default();
    let child = driver.graph_create().unwrap();
    let original = built.marked(child, &[], &marks[0]);
    let nodes = [(); 2].map(|()| built.child(built.graph, &[], child));
    let inner = nodes.map(|node| built.inner(built.graph, node));
    assert!(inner[0] != inner[1] && inner.iter().all(|&inner| inner != child));
    assert_eq!(built.inner(built.graph, nodes[0]), inner[0], "asked again, a graph has the id that it had");
    built.marked(child, &[], &marks[1]);
    driver.graph_destroy(child);
    let before = built.instantiate();
    built.run(before);
    assert_eq!(runs(&marks), [2, 0, 0]);
    // An edit of one of them, by its id, is for execs that are made hereafter.
    let found = driver.graph_nodes(GraphRef::Known(inner[0])).unwrap().nodes;
    assert_eq!((found.len(), found[0].place()), (1, original.place()));
    built.marked(inner[0], &[found[0]], &marks[2]);
    with_mark(built.bench.append, &marks[1], |work| driver.node_set(inner[0], found[0], work)).unwrap();
    assert_eq!([driver.graph_node_count(inner[0]).unwrap(), driver.graph_node_count(inner[1]).unwrap()], [2, 1]);
    assert_eq!(driver.graph_edge_count(inner[0]).unwrap(), 1);
    built.run(before);
    assert_eq!(runs(&marks), [4, 0, 0]);
    built.run(built.instantiate());
    assert_eq!(runs(&marks), [5, 1, 1]);
}

#[test]
fn graphs_within_are_no_graphs_of_their_own() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let marks: [Mark; 2] = Default::default();
    let child = driver.graph_create().unwrap();
    let own = built.marked(child, &[], &marks[0]);
    let node = built.child(built.graph, &[], child);
    let inner = built.inner(built.graph, node);
    assert_eq!(status(&driver.graph_instantiate(inner)), NOT_SUPPORTED);
    driver.graph_destroy(inner);
    assert_eq!(driver.graph_node_count(inner).unwrap(), 1, "it cannot be destroyed");
    let elsewhere = driver.graph_create().unwrap();
    for (graph, child, expected) in [
        (elsewhere, inner, NOT_SUPPORTED),
        (built.graph, inner, NOT_SUPPORTED),
        (inner, inner, NOT_SUPPORTED),
        (built.graph, built.graph, INVALID),
        (inner, built.graph, INVALID),
        (built.graph, GraphId(u64::MAX), STALE),
    ] {
        assert_eq!(status(&driver.graph_add_node(graph, &[], &Work::Child(child))), expected);
        let set = driver.node_set(built.graph, node, &Work::Child(child));
        assert_eq!(status(&set), expected, "the node of the outermost graph is set");
    }
    let inner_node = driver.graph_nodes(GraphRef::Known(inner)).unwrap().nodes[0];
    assert_eq!(status(&driver.graph_add_edges(built.graph, &plain(&[(inner_node, node)]))), INVALID);
    assert_eq!(status(&driver.graph_add_node(built.graph, &[inner_node], &Work::Empty)), INVALID);
    assert_eq!(status(&driver.node_graphs(inner, inner_node)), INVALID, "a kernel has no graphs");
    // A clone of it, or of the graph around it, is one of its own.
    let clone = driver.graph_clone(inner).unwrap();
    assert_eq!(driver.node_in_clone(inner, inner_node, clone).unwrap().place(), own.place());
    let around = driver.graph_clone(built.graph).unwrap();
    driver.graph_add_node(inner, &[], &Work::Child(around)).unwrap();
    built.run(built.instantiate());
    assert_eq!(marks[0].runs(), 2);
}

#[test]
fn ids_of_graphs_within_go_with_their_node_or_the_outermost_graph() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let mark = Mark::default();
    let leaf = driver.graph_create().unwrap();
    built.marked(leaf, &[], &mark);
    let child = driver.graph_create().unwrap();
    built.child(child, &[], leaf);
    let nodes = [(); 2].map(|()| built.child(built.graph, &[], child));
    let within = |node| {
        let inner = built.inner(built.graph, node);
        let deeper = driver.graph_nodes(GraphRef::Known(inner)).unwrap().nodes[0];
        (inner, deeper, built.inner(inner, deeper))
    };
    let [first, second] = nodes.map(within);
    let is_stale = |graph| status(&driver.graph_node_count(graph)) == STALE;
    // Another child for the first node: its graph goes with what was in it.
    driver.node_set(built.graph, nodes[0], &Work::Child(leaf)).unwrap();
    assert!(is_stale(first.2) && is_stale(first.0));
    let other = built.inner(built.graph, nodes[0]);
    assert_eq!(status(&driver.node_graphs(first.0, first.1)), STALE);
    driver.graph_remove_node(built.graph, nodes[1]).unwrap();
    assert!(is_stale(second.0) && is_stale(second.2) && !is_stale(other));
    for graph in [second.0, second.2] {
        assert_eq!(status(&driver.graph_add_node(graph, &[], &Work::Empty)), STALE);
        assert_eq!(status(&driver.graph_nodes(GraphRef::Known(graph))), STALE);
        driver.graph_destroy(graph);
    }
    let exec = built.instantiate();
    driver.graph_destroy(built.graph);
    assert!(is_stale(other));
    built.run(exec);
    assert_eq!(mark.runs(), 1);
}

/// Rows `nest.levels_*` and `nest.order_through_child`.
#[test]
fn graphs_lie_within_each_other_up_to_a_limit() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let marks: [Mark; 2] = Default::default();
    let mut graph = built.graph;
    built.marked(graph, &[], &marks[0]);
    let mut levels = 1;
    let refused = loop {
        let outer = driver.graph_create().unwrap();
        let before = built.marked(outer, &[], &marks[1]);
        match driver.graph_add_node(outer, &[before], &Work::Child(graph)) {
            Ok(_) => driver.graph_destroy(std::mem::replace(&mut graph, outer)),
            Err(error) => break error,
        }
        levels += 1;
    };
    assert_eq!((refused.status, levels), (Status::NOT_SUPPORTED, 128));
    let clone = driver.graph_clone(graph).unwrap();
    for graph in [graph, clone] {
        built.run(built.exec(graph));
        assert!(in_order(&[&marks[1], &marks[0]]));
    }
    assert_eq!(runs(&marks), [2, 254]);
    // Nor can a path be made longer from within.
    let (mut innermost, mut depth) = (graph, 1);
    while let Some(node) = driver.graph_nodes(GraphRef::Known(innermost)).unwrap().nodes.get(1) {
        innermost = built.inner(innermost, *node);
        depth += 1;
    }
    assert_eq!(depth, 128);
    let one_more = driver.graph_create().unwrap();
    assert_eq!(status(&driver.graph_add_node(innermost, &[], &Work::Child(one_more))), NOT_SUPPORTED);
}

#[test]
fn copies_of_graphs_have_copies_of_their_children() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let marks: [Mark; 2] = Default::default();
    let child = driver.graph_create().unwrap();
    let original = built.marked(child, &[], &marks[0]);
    let node = built.child(built.graph, &[], child);
    let inner = built.inner(built.graph, node);
    let inner_node = driver.node_in_clone(child, original, inner).unwrap();
    let clone = driver.graph_clone(built.graph).unwrap();
    let clone_node = driver.node_in_clone(built.graph, node, clone).unwrap();
    let clone_inner = built.inner(clone, clone_node);
    // The driver's rows `find.inner_node_of_child`.
    assert_eq!(status(&driver.node_in_clone(built.graph, inner_node, clone)), INVALID);
    assert_eq!(status(&driver.node_in_clone(child, original, clone)), INVALID);
    let found = driver.node_in_clone(inner, inner_node, clone_inner).unwrap();
    assert!(found != inner_node && found.place() == original.place());
    with_mark(built.bench.append, &marks[1], |work| driver.node_set(clone_inner, found, work)).unwrap();
    built.run(built.exec(clone));
    assert_eq!(runs(&marks), [0, 1]);
    built.run(built.instantiate());
    assert_eq!(runs(&marks), [1, 1]);
}

/// Rows `enable.inner_node_of_child` and `nest.handle_set_inner_params`.
#[test]
fn an_exec_knows_the_nodes_of_children() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let marks: [Mark; 4] = Default::default();
    let leaf = driver.graph_create().unwrap();
    built.marked(leaf, &[], &marks[1]);
    let child = driver.graph_create().unwrap();
    let original = built.marked(child, &[], &marks[0]);
    built.child(child, &[original], leaf);
    let node = built.child(built.graph, &[], child);
    let inner = built.inner(built.graph, node);
    let nodes = driver.graph_nodes(GraphRef::Known(inner)).unwrap().nodes;
    let deeper = driver.graph_nodes(GraphRef::Known(built.inner(inner, nodes[1]))).unwrap().nodes[0];
    let exec = built.instantiate();
    driver.exec_enable(exec, nodes[0], false).unwrap();
    assert!(!driver.exec_is_enabled(exec, nodes[0]).unwrap() && driver.exec_is_enabled(exec, deeper).unwrap());
    with_mark(built.bench.append, &marks[2], |work| driver.exec_set(exec, deeper, work)).unwrap();
    built.run(exec);
    assert_eq!(runs(&marks), [0, 0, 1, 0]);
    driver.exec_enable(exec, nodes[0], true).unwrap();
    built.run(exec);
    assert_eq!(runs(&marks), [1, 0, 2, 0]);
    for node in [node, nodes[1]] {
        assert_eq!(status(&driver.exec_enable(exec, node, false)), INVALID);
        assert_eq!(status(&driver.exec_is_enabled(exec, node)), INVALID);
        let set = with_mark(built.bench.append, &marks[3], |work| driver.exec_set(exec, node, work));
        assert_eq!(status(&set), INVALID);
    }
    assert_eq!(status(&driver.exec_enable(exec, original, false)), INVALID, "the node that it is a copy of");
    let later = built.marked(inner, &[], &marks[3]);
    assert_eq!(status(&driver.exec_enable(exec, later, false)), INVALID);
    driver.graph_remove_node(inner, nodes[1]).unwrap();
    assert_eq!(status(&driver.exec_enable(exec, deeper, false)), INVALID, "its graph is gone");
    driver.exec_enable(exec, nodes[0], false).unwrap();
    driver.graph_remove_node(built.graph, node).unwrap();
    assert_eq!(status(&driver.exec_enable(exec, nodes[0], true)), INVALID);
    built.run(exec);
    assert_eq!(runs(&marks), [1, 0, 3, 0]);
}

/// Rows `exec_child.*`.
#[test]
fn the_child_of_an_exec_is_exchanged_for_one_of_the_same_nodes() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let other = built.bench.on_other_device();
    let marks: [Mark; 6] = Default::default();
    let leaf = driver.graph_create().unwrap();
    built.marked(leaf, &[], &marks[4]);
    // A graph of two kernels, a child and a memset, with what makes it differ.
    let graph = |differs: &str| {
        let graph = driver.graph_create().unwrap();
        let set = |count| Work::Memset(Memset { count, ..built.set() });
        if differs == "order" {
            driver.graph_add_node(graph, &[], &set(4)).unwrap();
        }
        let own = usize::from(!differs.is_empty());
        let kernel = if differs == "function" { other.append } else { built.bench.append };
        let add = |work: &Work<'_>| driver.graph_add_node(graph, &[], work).unwrap();
        let first = with_mark(kernel, &marks[own], add);
        let second = match differs {
            "kind" => driver.graph_add_node(graph, &[first], &Work::Empty).unwrap(),
            "edges" => built.marked(graph, &[], &marks[2 + own]),
            _ => built.marked(graph, &[first], &marks[2 + own]),
        };
        built.child(graph, &[second], leaf);
        if differs != "order" && differs != "less" {
            driver.graph_add_node(graph, &[], &set(if differs == "set" { 32 } else { 4 })).unwrap();
        }
        if differs == "more" {
            built.marked(graph, &[], &marks[5]);
        }
        graph
    };
    let child = graph("");
    let node = built.child(built.graph, &[], child);
    let kernel = built.mark(&[], &marks[5]);
    let exec = built.instantiate();
    for (differs, expected) in [
        ("more", UPDATE_FAILURE),
        ("less", UPDATE_FAILURE),
        ("kind", UPDATE_FAILURE),
        ("edges", UPDATE_FAILURE),
        ("function", UPDATE_FAILURE),
        ("order", UPDATE_FAILURE),
        ("set", OK),
        ("parameters", OK),
    ] {
        let graph = graph(differs);
        assert_eq!(status(&driver.exec_set(exec, node, &Work::Child(graph))), expected, "{differs}");
        assert_eq!(status(&driver.exec_set(exec, kernel, &Work::Child(graph))), INVALID);
        let before = runs(&marks);
        built.run(exec);
        let own = usize::from(expected == OK);
        let mut after = before;
        [own, own + 2, 4, 5].iter().for_each(|&at| after[at] += 1);
        assert_eq!(runs(&marks), after, "{differs}");
    }
    let inner = built.inner(built.graph, node);
    assert_eq!(status(&driver.exec_set(exec, node, &Work::Child(inner))), OK, "the exec's own child");
    built.run(exec);
    assert_eq!(runs(&marks)[0], 7);
    assert_eq!(status(&driver.exec_set(exec, node, &Work::Child(built.graph))), UPDATE_FAILURE);
    // Of the graph any other child can be the node's.
    driver.node_set(built.graph, node, &Work::Child(graph("more"))).unwrap();
    assert_eq!(status(&driver.graph_node_count(inner)), STALE);
    assert_eq!(driver.graph_node_count(built.inner(built.graph, node)).unwrap(), 5);
}

#[test]
fn cycles_within_are_told_when_the_outermost_graph_is_instantiated() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let child = driver.graph_create().unwrap();
    let nodes = [(); 2].map(|()| driver.graph_add_node(child, &[], &Work::Empty).unwrap());
    driver.graph_add_edges(child, &plain(&[(nodes[0], nodes[1]), (nodes[1], nodes[0])])).unwrap();
    let node = built.child(built.graph, &[], child);
    let error = driver.graph_instantiate(built.graph).unwrap_err();
    let inner = built.inner(built.graph, node);
    let within = driver.graph_nodes(GraphRef::Known(inner)).unwrap().nodes;
    let [first, second] = [0, 1].map(|at: usize| within[at].0);
    let ring = format!("node {first:#x} (empty) -> node {second:#x} (empty) -> node {first:#x}");
    assert!(error.status == Status::INVALID_VALUE && error.message.contains(&ring), "{error}");
    let last = driver.graph_nodes(GraphRef::Known(inner)).unwrap().nodes[1];
    driver.graph_remove_node(inner, last).unwrap();
    built.instantiate();
    // Around a child, too, and with a node that depends on a later one.
    let later = built.add(&[], &Work::Empty);
    driver.graph_add_edges(built.graph, &plain(&[(later, node)])).unwrap();
    built.instantiate();
    driver.graph_add_edges(built.graph, &plain(&[(node, later)])).unwrap();
    assert_eq!(status(&driver.graph_instantiate(built.graph)), INVALID);
}

#[test]
fn streams_are_captured_into_graphs_within() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let marks: [Mark; 4] = Default::default();
    let stream = built.bench.stream();
    let child = driver.graph_create().unwrap();
    built.marked(child, &[], &marks[0]);
    let node = built.child(built.graph, &[], child);
    let inner = built.inner(built.graph, node);
    let first = driver.graph_nodes(GraphRef::Known(inner)).unwrap().nodes[0];
    let begin = |stream, graph, dependencies: &[NodeId]| {
        driver.begin_capture_to_graph(stream, graph, dependencies, CaptureMode::Relaxed, &[])
    };
    begin(stream, inner, &[first]).unwrap();
    let beside = built.bench.stream();
    assert_eq!(status(&begin(beside, inner, &[])), Status::ILLEGAL_STATE.0);
    begin(beside, built.graph, &[node]).unwrap();
    built.bench.mark(stream, &marks[1]).unwrap();
    built.bench.mark(beside, &marks[2]).unwrap();
    // What is recorded comes at the end; until then nothing else may change the graph.
    assert_eq!(driver.graph_node_count(inner).unwrap(), 1);
    assert_eq!(
        driver.capture_progress(stream).unwrap().1.map(|progress| (progress.nodes, progress.edges)),
        Some((2, 1))
    );
    for refused in [
        driver.graph_remove_node(built.graph, node),
        driver.graph_remove_node(inner, first),
        driver.graph_add_node(inner, &[], &Work::Empty).map(drop),
    ] {
        assert_eq!(status(&refused), Status::ILLEGAL_STATE.0);
    }
    assert_eq!(driver.end_capture(beside).unwrap(), built.graph);
    assert_eq!(status(&driver.graph_remove_node(built.graph, node)), Status::ILLEGAL_STATE.0, "one within goes on");
    assert_eq!(status(&driver.node_set(built.graph, node, &Work::Child(child))), Status::ILLEGAL_STATE.0);
    assert_eq!(driver.end_capture(stream).unwrap(), inner);
    assert_eq!(driver.graph_edge_count(inner).unwrap(), 1);
    let exec = built.instantiate();
    built.run(exec);
    assert!(runs(&marks) == [1, 1, 1, 0] && in_order(&[&marks[0], &marks[1], &marks[2]]));
    // A capture that fails leaves the graph as it was.
    begin(stream, inner, &[]).unwrap();
    built.bench.mark(stream, &marks[3]).unwrap();
    assert!(driver.stream_synchronize(stream).is_err());
    assert_eq!(status(&driver.end_capture(stream)), Status::CAPTURE_INVALIDATED.0);
    assert_eq!((driver.graph_node_count(inner).unwrap(), driver.graph_edge_count(inner).unwrap()), (2, 1));
    built.run(exec);
    built.run(built.instantiate());
    driver.node_set(built.graph, node, &Work::Child(child)).unwrap();
    built.run(built.instantiate());
    assert_eq!(runs(&marks), [4, 3, 4, 0]);
}

/// Chains of random graphs within each other run in the order of their edges, also after edits.
#[test]
fn random_graphs_within_each_other_keep_their_order() {
    for seed in 0..rounds(2_000) as u64 {
        let built = Built::new();
        let driver = &built.bench.driver;
        let mut random = Random(seed);
        let marks: Vec<Mark> = (0..200).map(|_| Mark::default()).collect();
        // Each graph's marks: of each node the first and the last of what it runs, with the nodes that it depends on.
        let mut used = 0;
        let mut graphs: Vec<(GraphId, Vec<usize>)> = Vec::new();
        let mut edges: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
        while used < 100 {
            let graph = driver.graph_create().unwrap();
            let mut nodes: Vec<(NodeId, Vec<usize>)> = Vec::new();
            for _ in 0..1 + random.below(5) {
                let mut dependencies: Vec<usize> = (0..nodes.len()).filter(|_| random.below(3) == 0).collect();
                dependencies.truncate(3);
                let ids: Vec<NodeId> = dependencies.iter().map(|&at| nodes[at].0).collect();
                let own = match random.below(3) {
                    0 if !graphs.is_empty() => {
                        // A child is used up, so that each mark is made by one node.
                        let (child, own) = graphs.swap_remove(random.below(graphs.len()));
                        nodes.push((built.child(graph, &ids, child), own.clone()));
                        driver.graph_destroy(child);
                        own
                    }
                    _ => {
                        used += 1;
                        nodes.push((built.marked(graph, &ids, &marks[used]), vec![used]));
                        vec![used]
                    }
                };
                for at in dependencies {
                    edges.push((nodes[at].1.clone(), own.clone()));
                }
            }
            graphs.push((graph, nodes.into_iter().flat_map(|(_, own)| own).collect()));
        }
        for (graph, _) in &graphs {
            let clone = driver.graph_clone(*graph).unwrap();
            driver.graph_destroy(*graph);
            built.run(built.exec(clone));
        }
        assert!(marks[1..=used].iter().all(|mark| mark.runs() == 1));
        for (before, after) in &edges {
            for (before, after) in before.iter().flat_map(|before| after.iter().map(move |after| (*before, *after))) {
                assert!(marks[before].tick() < marks[after].tick(), "seed {seed}: {before} before {after}");
            }
        }
    }
}

#[test]
fn queued_launches_run_children_as_they_were() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let marks: [Mark; 3] = Default::default();
    let [old, new] = [0, 1].map(|at: usize| {
        let graph = driver.graph_create().unwrap();
        built.marked(graph, &[], &marks[at]);
        graph
    });
    let node = built.child(built.graph, &[], old);
    let exec = built.instantiate();
    let inner = built.inner(built.graph, node);
    let first = driver.graph_nodes(GraphRef::Known(inner)).unwrap().nodes[0];
    let stream = built.bench.stream();
    let gate = built.bench.hold(stream);
    driver.exec_launch(exec, stream).unwrap();
    driver.exec_set(exec, node, &Work::Child(new)).unwrap();
    driver.exec_launch(exec, stream).unwrap();
    driver.exec_enable(exec, first, false).unwrap();
    driver.exec_launch(exec, stream).unwrap();
    with_mark(built.bench.append, &marks[2], |work| driver.exec_set(exec, first, work)).unwrap();
    driver.exec_enable(exec, first, true).unwrap();
    driver.exec_launch(exec, stream).unwrap();
    driver.graph_destroy(built.graph);
    drop(gate);
    built.bench.finish(stream);
    assert_eq!(runs(&marks), [1, 1, 1]);
}
