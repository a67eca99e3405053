//! Tests of what execs keep that are updated, and what they let go of.

use std::sync::Arc;

use super::*;
use crate::faulty::Faulty;
use crate::{Buffer, Context, Fill, NodeWork, Stream};
use graphcap_base::error::Status;
use graphcap_driver::rules::exec_update::UpdateResult;
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{Address, NodeId, StreamOptions};

struct Bench {
    driver: Arc<Faulty>,
    context: Context,
    stream: Stream,
}

fn set(buffer: &Buffer) -> NodeWork<'_> {
    NodeWork::Memset(Fill { buffer, offset: 0, value: 1, element_size: 1, width: 8, height: 1, pitch: 0 })
}

impl Bench {
    fn new() -> Bench {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        Bench { driver, context, stream }
    }

    /// A graph of so many memsets, each of a buffer that nobody else keeps.
    fn graph(&self, count: usize) -> (Graph, Vec<NodeId>, Vec<Address>) {
        let graph = Graph::create(&self.context).unwrap();
        let (mut nodes, mut at) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let buffer = Buffer::allocate(&self.context, 64).unwrap();
            at.push(buffer.address());
            nodes.push(graph.add_node(&[], &set(&buffer)).unwrap());
        }
        (graph, nodes, at)
    }

    fn are_there(&self, at: &[Address]) -> bool {
        let there = at.iter().filter(|at| self.driver.is_allocated(**at)).count();
        assert!(there == 0 || there == at.len());
        there > 0
    }

    fn replay(&self, exec: &GraphExec) {
        exec.launch(&self.stream).unwrap();
        assert_eq!(self.driver.violations(), Vec::<String>::new());
    }

    fn end(self) {
        let Bench { driver, context, stream } = self;
        drop((context, stream));
        assert_eq!((driver.live(), driver.violations()), (0, vec![]));
    }
}

#[test]
fn an_exec_keeps_what_the_graph_keeps_that_updated_it() {
    let bench = Bench::new();
    let (first, _, of_first) = bench.graph(2);
    let exec = first.instantiate().unwrap();
    drop(first);
    bench.replay(&exec);
    let (second, _, of_second) = bench.graph(2);
    exec.update(&second, false).unwrap().outcome.unwrap();
    assert!(!bench.are_there(&of_first), "the exec was the last to keep them");
    drop(second);
    assert!(bench.are_there(&of_second));
    bench.replay(&exec);
    let (third, _, of_third) = bench.graph(2);
    exec.update(&third, false).unwrap().outcome.unwrap();
    exec.update(&third, false).unwrap().outcome.unwrap();
    drop(third);
    assert!(!bench.are_there(&of_second) && bench.are_there(&of_third));
    bench.replay(&exec);
    drop(exec);
    assert!(!bench.are_there(&of_third));
    bench.end();
}

#[test]
fn an_exec_that_others_may_launch_keeps_what_it_kept() {
    let bench = Bench::new();
    let (first, _, of_first) = bench.graph(2);
    let exec = first.instantiate().unwrap();
    drop(first);
    exec.native().unwrap();
    let (second, nodes, of_second) = bench.graph(2);
    exec.update(&second, false).unwrap().outcome.unwrap();
    drop((second, nodes));
    assert!(bench.are_there(&of_first) && bench.are_there(&of_second));
    drop(exec);
    assert!(!bench.are_there(&of_first) && !bench.are_there(&of_second));
    bench.end();
}

#[test]
fn memory_goes_behind_the_launches_that_used_it() {
    let bench = Bench::new();
    let (first, _, of_first) = bench.graph(1);
    let exec = first.instantiate().unwrap();
    bench.replay(&exec);
    drop(first);
    let (second, ..) = bench.graph(1);
    exec.update(&second, false).unwrap().outcome.unwrap();
    let released = bench.driver.released();
    let (_, users) = released.iter().find(|(at, _)| *at == of_first[0]).unwrap();
    assert_eq!(users.len(), 1, "the stream of the launch");
    drop((exec, second));
    bench.end();
}

#[test]
fn a_refusal_changes_nothing() {
    let bench = Bench::new();
    let (first, _, of_first) = bench.graph(2);
    let exec = first.instantiate().unwrap();
    let (longer, _, of_longer) = bench.graph(3);
    for updated in [exec.update(&longer, false).unwrap(), exec.can_update(&longer).unwrap()] {
        assert_eq!(updated.report.result, UpdateResult::TopologyChanged);
        let error = updated.outcome.unwrap_err();
        assert_eq!(error.status, Status::GRAPH_EXEC_UPDATE_FAILURE);
        assert!(error.message.contains("2 nodes") && error.message.contains('3'), "{error}");
    }
    drop((first, longer));
    assert!(bench.are_there(&of_first) && !bench.are_there(&of_longer));
    bench.replay(&exec);
    bench.driver.fail("exec_update", Status::OUT_OF_MEMORY);
    let (second, _, of_second) = bench.graph(2);
    assert_eq!(exec.update(&second, false).err().unwrap().status, Status::OUT_OF_MEMORY);
    drop(second);
    assert!(bench.are_there(&of_first) && !bench.are_there(&of_second));
    drop(exec);
    bench.end();
}

#[test]
fn edits_after_an_update_hold_their_own_and_let_go_of_no_others() {
    let bench = Bench::new();
    let (first, nodes, of_first) = bench.graph(2);
    let exec = first.instantiate().unwrap();
    let edit = |node| {
        let buffer = Buffer::allocate(&bench.context, 64).unwrap();
        exec.set_node(node, &set(&buffer)).unwrap();
        buffer.address()
    };
    let before = edit(nodes[0]);
    let (second, _, of_second) = bench.graph(2);
    exec.update(&second, false).unwrap().outcome.unwrap();
    drop(second);
    assert!(!bench.driver.is_allocated(before) && bench.are_there(&of_first) && bench.are_there(&of_second));
    // The places of the nodes are those of the exec's own graph, and say nothing of what the second one keeps.
    let after = edit(nodes[1]);
    bench.replay(&exec);
    assert!(bench.are_there(&of_second) && bench.driver.is_allocated(after));
    let last = edit(nodes[1]);
    assert!(!bench.driver.is_allocated(after) && bench.are_there(&of_second), "many edits keep one thing each");
    bench.replay(&exec);
    let (third, ..) = bench.graph(2);
    exec.update(&third, false).unwrap().outcome.unwrap();
    assert!(!bench.driver.is_allocated(last) && !bench.are_there(&of_second));
    bench.replay(&exec);
    drop((exec, first, third));
    bench.end();
}

#[test]
fn captured_graphs_update_execs_as_well() {
    let bench = Bench::new();
    let captured = || {
        let buffer = Buffer::allocate(&bench.context, 64).unwrap();
        bench.stream.begin_capture(CaptureMode::Global).unwrap();
        bench.stream.memset(&buffer, 0, 1, 1, 8).unwrap();
        (bench.stream.end_capture().unwrap(), buffer.address())
    };
    let (first, of_first) = captured();
    let exec = first.instantiate().unwrap();
    drop(first);
    for _ in 0..3 {
        let (next, of_next) = captured();
        exec.update(&next, false).unwrap().outcome.unwrap();
        drop(next);
        assert!(!bench.driver.is_allocated(of_first) && bench.driver.is_allocated(of_next));
        bench.replay(&exec);
    }
    drop(exec);
    bench.end();
}

#[test]
fn a_graph_of_another_context_is_refused() {
    let bench = Bench::new();
    let other = bench.driver.another_context();
    let (graph, ..) = bench.graph(1);
    let exec = graph.instantiate().unwrap();
    let foreign = Graph::create(&other).unwrap();
    assert_eq!(exec.update(&foreign, false).err().unwrap().status, Status::INVALID_CONTEXT);
    assert_eq!(exec.can_update(&foreign).err().unwrap().status, Status::INVALID_CONTEXT);
    drop((exec, graph, foreign, other));
    bench.end();
}
