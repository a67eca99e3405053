use std::sync::Arc;

use super::*;
use crate::faulty::Faulty;
use crate::{Buffer, Fill, Graph, NodeWork, Stream};
use graphcap_driver::StreamOptions;

struct Bench {
    driver: Arc<Faulty>,
    stream: Stream,
    buffer: Buffer,
    graph: Graph,
    nodes: Vec<NodeId>,
    exec: GraphExec,
}

fn fill(buffer: &Buffer, value: u32) -> NodeWork<'_> {
    NodeWork::Memset(Fill { buffer, offset: 0, value, element_size: 1, width: 8, height: 1, pitch: 0 })
}

/// A graph of so many memsets, and an exec of it.
fn bench(nodes: usize) -> Bench {
    let (driver, context) = Faulty::context();
    let stream = Stream::create(&context, StreamOptions::default()).unwrap();
    let buffer = Buffer::allocate(&context, 8).unwrap();
    let graph = Graph::create(&context).unwrap();
    let nodes = (0..nodes).map(|_| graph.add_node(&[], &fill(&buffer, 0)).unwrap()).collect();
    let exec = graph.instantiate().unwrap();
    Bench { driver, stream, buffer, graph, nodes, exec }
}

impl Bench {
    fn apply(&self) -> (Route, Reason, Option<usize>) {
        let applied = self.exec.apply(&self.graph, &ApplyOptions::default()).unwrap();
        applied.outcome.unwrap();
        (applied.route, applied.reason, applied.changed)
    }

    fn set(&self, node: usize) {
        self.graph.set_node(self.nodes[node], &fill(&self.buffer, 1)).unwrap();
    }
}

#[test]
fn the_exec_gets_no_more_than_it_lacks() {
    let bench = bench(10);
    assert_eq!(bench.apply(), (Route::Nothing, Reason::Unchanged, Some(0)));
    bench.set(3);
    bench.set(3);
    bench.set(4);
    assert_eq!(bench.apply(), (Route::SetNodes, Reason::FewNodes, Some(2)));
    assert_eq!(bench.apply(), (Route::Nothing, Reason::Unchanged, Some(0)));
    (0..10).for_each(|node| bench.set(node));
    assert_eq!(bench.apply(), (Route::Update, Reason::ManyNodes, Some(10)));
    assert_eq!(bench.apply(), (Route::Nothing, Reason::Unchanged, Some(0)));
    // An edit of the exec by hand counts.
    bench.exec.set_node(bench.nodes[7], &fill(&bench.buffer, 2)).unwrap();
    assert_eq!(bench.apply(), (Route::SetNodes, Reason::FewNodes, Some(1)));
}

#[test]
fn what_is_not_known_is_updated_as_a_whole() {
    let bench = bench(3);
    let other = Graph::create(bench.graph.context()).unwrap();
    for _ in 0..3 {
        other.add_node(&[], &fill(&bench.buffer, 5)).unwrap();
    }
    let apply = |graph: &Graph| {
        let applied = bench.exec.apply(graph, &ApplyOptions::default()).unwrap();
        applied.outcome.unwrap();
        (applied.route, applied.reason)
    };
    assert_eq!(apply(&other), (Route::Update, Reason::NotKnown));
    assert_eq!(apply(&other), (Route::Nothing, Reason::Unchanged));
    // A plain update keeps attributes, so that it is not known whether these agree.
    bench.exec.update(&bench.graph, false).unwrap().outcome.unwrap();
    assert_eq!(apply(&bench.graph), (Route::Update, Reason::NotKnown));
    bench.set(1);
    assert_eq!(apply(&bench.graph), (Route::SetNodes, Reason::FewNodes));
    // A capture into the graph is not looked into.
    bench.stream.begin_capture_to_graph(&bench.graph, &[], graphcap_driver::rules::CaptureMode::Relaxed).unwrap();
    bench.stream.end_capture().unwrap();
    assert_eq!(apply(&bench.graph), (Route::Update, Reason::NotKnown));
}

#[test]
fn a_node_that_took_the_place_of_another_one_is_not_set_by_its_own_id() {
    let mut bench = bench(2);
    bench.graph.remove_node(bench.nodes[1]).unwrap();
    bench.nodes[1] = bench.graph.add_node(&[], &fill(&bench.buffer, 3)).unwrap();
    assert_eq!(bench.apply(), (Route::Update, Reason::NotKnown, None));
    bench.set(1);
    assert_eq!(bench.apply(), (Route::Update, Reason::NotKnown, None));
    assert_eq!(bench.apply(), (Route::Nothing, Reason::Unchanged, Some(0)));
}

#[test]
fn an_exec_that_is_given_out_while_another_one_is_made_for_it_stays_what_it_is() {
    let bench = bench(3);
    bench.graph.add_node(&bench.nodes, &NodeWork::Empty).unwrap();
    let (live, same) = (bench.driver.live(), bench.exec.clone());
    bench.driver.at("after graph_instantiate", move || {
        std::thread::spawn(move || same.native().unwrap()).join().unwrap();
    });
    let applied = bench.exec.apply(&bench.graph, &ApplyOptions::default()).and_then(|applied| applied.outcome);
    assert_eq!(applied.unwrap_err().status, Status::ILLEGAL_STATE);
    assert_eq!((bench.exec.node_count(), bench.driver.live()), (3, live));
}

#[test]
fn a_graph_that_no_update_takes_makes_the_exec_anew_behind_the_same_handle() {
    let bench = bench(3);
    bench.exec.launch(&bench.stream).unwrap();
    bench.exec.enable_node(bench.nodes[1], false).unwrap();
    let added = bench.graph.add_node(&bench.nodes, &NodeWork::Empty).unwrap();
    let live = bench.driver.live();
    assert_eq!(bench.apply(), (Route::Anew, Reason::Refused, None));
    assert_eq!(bench.driver.live(), live, "the old exec is destroyed");
    assert_eq!((bench.exec.node_count(), bench.exec.num_replays()), (4, 1));
    assert!(!bench.exec.is_node_enabled(bench.nodes[1]).unwrap(), "what is disabled stays so");
    assert!(bench.exec.is_node_enabled(bench.nodes[0]).unwrap());
    bench.exec.set_node(added, &NodeWork::Empty).unwrap();
    bench.exec.launch(&bench.stream).unwrap();
    assert_eq!(bench.exec.num_replays(), 2);
    assert_eq!(bench.apply().0, Route::SetNodes);
}

#[test]
fn what_is_not_allowed_is_refused_and_the_exec_stays_as_it_was() {
    let bench = bench(3);
    let routes =
        |set_nodes, update, anew| ApplyOptions { routes: Routes { set_nodes, update, anew }, ..Default::default() };
    bench.set(0);
    let applied = bench.exec.apply(&bench.graph, &routes(false, false, false)).unwrap();
    assert_eq!(applied.outcome.unwrap_err().status, Status::NOT_SUPPORTED);
    assert_eq!((applied.route, applied.reason, applied.changed), (Route::Nothing, Reason::OnlyAllowed, Some(1)));
    let applied = bench.exec.apply(&bench.graph, &routes(false, false, true)).unwrap();
    assert_eq!((applied.outcome, applied.route, applied.reason), (Ok(()), Route::Anew, Reason::OnlyAllowed));
    bench.graph.add_node(&[], &NodeWork::Empty).unwrap();
    let applied = bench.exec.apply(&bench.graph, &routes(true, true, false)).unwrap();
    assert_eq!(applied.outcome.unwrap_err().status, Status::GRAPH_EXEC_UPDATE_FAILURE);
    assert_eq!((applied.route, applied.reason, bench.exec.node_count()), (Route::Update, Reason::Refused, 3));
}

#[test]
fn an_exec_that_cannot_be_made_anew_stays_as_it_was() {
    let bench = bench(2);
    bench.exec.launch(&bench.stream).unwrap();
    bench.graph.add_node(&[], &NodeWork::Empty).unwrap();
    let live = bench.driver.live();
    let outcome =
        || bench.exec.apply(&bench.graph, &ApplyOptions::default()).unwrap().outcome.map_err(|error| error.status);
    for call in ["graph_instantiate", "exec_go_behind"] {
        bench.driver.fail(call, Status::OUT_OF_MEMORY);
        assert_eq!(outcome(), Err(Status::OUT_OF_MEMORY), "{call}");
        assert_eq!((bench.driver.live(), bench.exec.node_count()), (live, 2), "{call}");
    }
    // Nodes of another graph that are disabled, and are not known there.
    bench.exec.enable_node(bench.nodes[0], false).unwrap();
    let other = Graph::create(bench.graph.context()).unwrap();
    let refused = bench.exec.apply(&other, &ApplyOptions::default()).unwrap().outcome.unwrap_err();
    assert!(refused.status == Status::ILLEGAL_STATE && refused.message.contains("enable them first"), "{refused}");
    bench.exec.enable_node(bench.nodes[0], true).unwrap();
    bench.exec.native().unwrap();
    assert_eq!(outcome(), Err(Status::ILLEGAL_STATE));
    bench.exec.launch(&bench.stream).unwrap();
}

#[test]
fn an_exec_is_made_anew_where_the_replays_that_follow_pay_for_it() {
    let bench = bench(4);
    let expected = |expected_replays| ApplyOptions { expected_replays, ..ApplyOptions::default() };
    let apply = |options: &ApplyOptions<'_>| {
        let applied = bench.exec.apply(&bench.graph, options).unwrap();
        applied.outcome.unwrap();
        (applied.route, applied.reason, applied.report.slower)
    };
    // A new exec takes 1,000 + 4 * 3,000 ns, and four kernels replay 400 ns slower.
    bench.driver.relaunch(4);
    bench.set(0);
    assert_eq!(apply(&expected(0)), (Route::SetNodes, Reason::FewNodes, 0));
    bench.set(0);
    assert_eq!(apply(&expected(20)), (Route::SetNodes, Reason::FewNodes, 0));
    bench.set(0);
    assert_eq!(apply(&expected(1000)), (Route::Anew, Reason::ManyReplays, 0));
    assert!(bench.driver.noted_slower().is_empty());
    // Where it may not be made anew, the report tells what that costs, and the device notes the kernels.
    let routes = Routes { anew: false, ..Routes::ALL };
    bench.set(1);
    assert_eq!(apply(&ApplyOptions { routes, ..expected(1000) }), (Route::SetNodes, Reason::FewNodes, 4));
    assert_eq!(bench.driver.noted_slower().len(), 4);
    // Where no kernel replays slower, nothing is gained by a new exec.
    bench.driver.relaunch(0);
    bench.set(2);
    assert_eq!(apply(&expected(1000)), (Route::SetNodes, Reason::FewNodes, 0));
}

#[test]
fn launches_and_applications_on_many_threads_leave_one_exec() {
    let bench = bench(4);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let bench = &bench;
            scope.spawn(move || {
                for round in 0..50 {
                    match (thread + round) % 4 {
                        0 => drop(bench.graph.add_node(&[], &NodeWork::Empty).unwrap()),
                        1 => bench.set(round % 4),
                        _ => bench.exec.launch(&bench.stream).unwrap(),
                    }
                    bench.exec.apply(&bench.graph, &ApplyOptions::default()).unwrap().outcome.unwrap();
                }
            });
        }
    });
    assert_eq!(bench.apply().0, Route::Nothing);
    assert_eq!((bench.exec.node_count(), bench.exec.num_replays()), (4 + 50, 100));
    assert_eq!(bench.driver.violations(), Vec::<String>::new());
}

/// Takes the lock of those who apply a graph when it is dropped, as code of the program's may take any lock.
struct TakesLock(GraphExec);

impl Drop for TakesLock {
    fn drop(&mut self) {
        drop(lock(self.0.applying()));
    }
}

#[test]
fn what_is_let_go_of_is_dropped_where_no_lock_is_held() {
    let (_driver, context) = Faulty::context();
    let other = Graph::create(&context).unwrap().instantiate().unwrap();
    let keeping = |nodes: usize| {
        let graph = Graph::create(&context).unwrap();
        for _ in 0..nodes {
            graph.add_node(&[], &NodeWork::Empty).unwrap();
        }
        let object = TakesLock(other.clone());
        graph.retain(Arc::new(move || _ = &object)).unwrap();
        graph
    };
    let exec = keeping(1).instantiate().unwrap();
    for (nodes, route) in [(1, Route::Update), (2, Route::Anew), (2, Route::Update)] {
        let applied = exec.apply(&keeping(nodes), &ApplyOptions::default()).unwrap();
        applied.outcome.unwrap();
        assert_eq!(applied.route, route);
    }
}
