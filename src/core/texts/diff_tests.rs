//! Differences of graphs of the device that is built in.

use std::sync::Arc;

use crate::core::{Buffer, Context, Fill, Graph, NodeWork};
use crate::driver::{DeviceChoice, DeviceKind, GivenFunction, HostFunction, HostTask, NodeId};
use crate::error::Status;

struct Bed {
    context: Context,
    buffer: Buffer,
    function: HostFunction,
}

impl Bed {
    fn new() -> Bed {
        let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
        let buffer = Buffer::allocate(&context, 1024).unwrap();
        buffer.set_name("words").unwrap();
        Bed { context, buffer, function: Arc::new(|| ()) }
    }

    fn graph(&self) -> Graph {
        Graph::create(&self.context).unwrap()
    }

    fn set(&self, graph: &Graph, after: &[NodeId], value: u32) -> NodeId {
        let fill = Fill { buffer: &self.buffer, offset: 16, value, element_size: 4, width: 5, height: 1, pitch: 0 };
        graph.add_node(after, &NodeWork::Memset(fill)).unwrap()
    }

    /// A chain of memsets of these values.
    fn chain(&self, values: &[u32]) -> Graph {
        let graph = self.graph();
        let mut last = Vec::new();
        for &value in values {
            last = vec![self.set(&graph, &last, value)];
        }
        graph
    }
}

#[track_caller]
fn check(one: &Graph, other: &Graph, lines: &[&str]) {
    assert_eq!(one.diff(other).unwrap().lines().collect::<Vec<_>>(), lines);
}

#[test]
fn graphs_alike_differ_in_nothing_in_whatever_order_their_branches_were_made() {
    let bed = Bed::new();
    check(&bed.graph(), &bed.graph(), &[]);
    let one = bed.chain(&[1, 2, 3]);
    check(&one, &one, &[]);
    check(&one, &one.duplicate().unwrap(), &[]);
    // Nodes of two branches, made in turn and one branch after the other.
    let (turns, rows) = (bed.graph(), bed.graph());
    let (a, b) = (bed.set(&turns, &[], 1), bed.set(&turns, &[], 2));
    bed.set(&turns, &[b], 4);
    bed.set(&turns, &[a], 3);
    let a = bed.set(&rows, &[], 1);
    bed.set(&rows, &[a], 3);
    let b = bed.set(&rows, &[], 2);
    bed.set(&rows, &[b], 4);
    check(&turns, &rows, &[]);
}

#[test]
fn what_pairs_differ_in_is_told() {
    let bed = Bed::new();
    let (one, other) = (bed.chain(&[1, 2]), bed.chain(&[1, 9]));
    check(&one, &other, &["~ node 1: value 0x2 -> 0x9"]);
    let node = other.nodes().unwrap().nodes[0];
    other.set_node_name(node, "first").unwrap();
    other.set_name("whole").unwrap();
    check(
        &one,
        &other,
        &["~ graph: name \"\" -> \"whole\"", "~ node 0: name \"\" -> \"first\"", "~ node 1: value 0x2 -> 0x9"],
    );
    // An update would tell that the kind of the node differs.
    let (one, other) = (bed.graph(), bed.graph());
    bed.set(&one, &[], 1);
    other.add_node(&[], &NodeWork::Host(&bed.function)).unwrap();
    check(&one, &other, &["~ node 0: kind memset -> host function"]);
}

/// A function as C gives it.
struct Given(GivenFunction);

impl HostTask for Given {
    fn call(&self) {}
    fn given(&self) -> Option<GivenFunction> {
        Some(self.0)
    }
}

#[test]
fn functions_that_were_given_alike_do_not_differ() {
    let bed = Bed::new();
    let calling = |user_data| {
        let graph = bed.graph();
        let given: HostFunction = Arc::new(Given(GivenFunction { function: 0x1000, user_data }));
        graph.add_node(&[], &NodeWork::Host(&given)).unwrap();
        graph
    };
    check(&calling(0x20), &calling(0x20), &[]);
    check(&calling(0x20), &calling(0x30), &["~ node 0: function 0x1000(0x20) -> 0x1000(0x30)"]);
}

#[test]
fn nodes_and_edges_of_one_graph_alone_are_told() {
    let bed = Bed::new();
    check(&bed.chain(&[1, 2]), &bed.chain(&[1]), &["- node 1: memset", "- edge 0 -> 1"]);
    check(&bed.chain(&[1]), &bed.chain(&[1, 2]), &["+ node 1: memset", "+ edge 0 -> 1"]);
    let (one, other) = (bed.chain(&[1, 2, 3]), bed.chain(&[1, 2, 3]));
    let nodes = one.nodes().unwrap().nodes;
    one.add_dependencies(&[(nodes[0], nodes[2])]).unwrap();
    check(&one, &other, &["- edge 0 -> 2"]);
    check(&other, &one, &["+ edge 0 -> 2"]);
}

#[test]
fn graphs_within_nodes_are_compared() {
    let bed = Bed::new();
    let parent = |values: &[u32]| {
        let graph = bed.graph();
        graph.add_node(&[], &NodeWork::Empty).unwrap();
        graph.add_node(&[], &NodeWork::Child(&bed.chain(values))).unwrap();
        graph
    };
    check(
        &parent(&[1, 2]),
        &parent(&[3]),
        &["~ node 1, node 0: value 0x1 -> 0x3", "- node 1, node 1: memset", "- node 1, edge 0 -> 1"],
    );
}

#[test]
fn a_cycle_is_refused() {
    let bed = Bed::new();
    let graph = bed.chain(&[1, 2]);
    let nodes = graph.nodes().unwrap().nodes;
    graph.add_dependencies(&[(nodes[1], nodes[0])]).unwrap();
    for (one, other) in [(&graph, &bed.graph()), (&bed.graph(), &graph)] {
        let error = one.diff(other).unwrap_err();
        assert!(error.status == Status::INVALID_VALUE && error.message.contains("cycle"), "{}", error.message);
    }
}
