//! Differences of graphs of the device that is built in.

use std::sync::Arc;

use crate::{Buffer, Context, Event, Fill, Graph, NodeWork, Stream};
use graphcap_base::error::Status;
use graphcap_driver::rules::exec_update::UpdateResult;
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{
    DeviceChoice, DeviceKind, EventOptions, GivenFunction, HostFunction, HostTask, NodeId, StreamOptions,
};

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

/// Two branches, the one of a memset to `value` and a function and the other of two memsets, recorded in that order or the other way
/// round by the same calls, and joined.
fn record(bed: &Bed, value: u32, is_reversed: bool) -> Graph {
    let streams = [(); 2].map(|()| Stream::create(&bed.context, StreamOptions::default()).unwrap());
    let events = [(); 2].map(|()| Event::create(&bed.context, EventOptions::default()).unwrap());
    let branches: [&dyn Fn(&Stream); 2] = [
        &|stream| {
            stream.memset(&bed.buffer, 0, value, 4, 7).unwrap();
            stream.launch_host_function(Arc::clone(&bed.function)).unwrap();
        },
        &|stream| {
            stream.memset(&bed.buffer, 64, 3, 1, 8).unwrap();
            stream.memset(&bed.buffer, 72, 3, 1, 8).unwrap();
        },
    ];
    streams[0].begin_capture(CaptureMode::Relaxed).unwrap();
    events[0].record(&streams[0]).unwrap();
    streams[1].wait_event(&events[0]).unwrap();
    let order = if is_reversed { [1, 0] } else { [0, 1] };
    order.iter().for_each(|&branch| branches[branch](&streams[branch]));
    events[1].record(&streams[1]).unwrap();
    streams[0].wait_event(&events[1]).unwrap();
    streams[0].memset(&bed.buffer, 128, 0, 1, 8).unwrap();
    streams[0].end_capture().unwrap()
}

#[test]
fn branches_that_were_recorded_in_another_order_are_found_again() {
    let bed = Bed::new();
    check(&record(&bed, 1, false), &record(&bed, 1, true), &[]);
    check(&record(&bed, 1, false), &record(&bed, 9, true), &["~ node 0 / 2: value 0x1 -> 0x9"]);
    let more = record(&bed, 1, true);
    let first = more.nodes().unwrap().nodes[0];
    bed.set(&more, &[first], 5);
    check(&record(&bed, 1, false), &more, &["+ node 5: memset", "+ edge 0 -> 5"]);
    // Also within nodes.
    let parents = [false, true].map(|is_reversed| {
        let parent = bed.graph();
        parent.add_node(&[], &NodeWork::Child(&record(&bed, 1, is_reversed))).unwrap();
        parent
    });
    check(&parents[0], &parents[1], &[]);
}

#[test]
fn names_tell_nodes_apart_that_are_alike() {
    let bed = Bed::new();
    let [one, other] = [["a", "b"], ["b", "a"]].map(|names| {
        let graph = bed.graph();
        for name in names {
            let node = bed.set(&graph, &[], 1);
            graph.set_node_name(node, name).unwrap();
        }
        graph
    });
    check(&one, &other, &[]);
}

/// Two memsets of these values, and a node that waits for them in this order.
fn joined(bed: &Bed, values: [u32; 2], order: [usize; 2]) -> Graph {
    let graph = bed.graph();
    let nodes = values.map(|value| bed.set(&graph, &[], value));
    let join = graph.add_node(&[], &NodeWork::Empty).unwrap();
    order.iter().for_each(|&at| graph.add_dependencies(&[(nodes[at], join)]).unwrap());
    graph
}

#[test]
fn nodes_are_paired_as_an_update_pairs_them_unless_that_tells_of_more() {
    let bed = Bed::new();
    let (one, other) = (joined(&bed, [1, 2], [0, 1]), joined(&bed, [3, 4], [1, 0]));
    check(&one, &other, &["~ node 0 / 1: value 0x1 -> 0x4", "~ node 1 / 0: value 0x2 -> 0x3"]);
    // An update agrees: the pair is that of which it tells that it differs.
    let kinds = bed.graph();
    let first = kinds.add_node(&[], &NodeWork::Host(&bed.function)).unwrap();
    let second = bed.set(&kinds, &[], 4);
    let join = kinds.add_node(&[], &NodeWork::Empty).unwrap();
    [second, first].iter().for_each(|&node| kinds.add_dependencies(&[(node, join)]).unwrap());
    let refused = one.instantiate().unwrap().can_update(&kinds).unwrap();
    assert_eq!(refused.report.result, UpdateResult::NodeTypeChanged);
    let pair = (refused.report.exec_node, refused.report.graph_node);
    assert_eq!(pair, (Some(one.nodes().unwrap().nodes[1]), Some(first)));
    check(&one, &kinds, &["~ node 0 / 1: value 0x1 -> 0x4", "~ node 1 / 0: kind memset -> host function"]);
    // An update would exchange the two, and has nothing to do.
    check(&one, &joined(&bed, [1, 2], [1, 0]), &[]);
}

#[test]
fn many_nodes_that_wait_for_the_same_ones_are_paired_too() {
    let bed = Bed::new();
    let wide = |values: &mut dyn Iterator<Item = u32>| {
        let graph = bed.graph();
        let first = bed.set(&graph, &[], 0);
        let nodes: Vec<_> = values.map(|value| bed.set(&graph, &[first], value)).collect();
        graph.add_node(&nodes, &NodeWork::Empty).unwrap();
        graph
    };
    let (one, other) = (wide(&mut (1..2000)), wide(&mut (1..2000).rev()));
    check(&one, &other, &[]);
    check(&one, &wide(&mut (1..2000).rev().map(|value| value.min(1998))), &["~ node 1999 / 2: value 0x7cf -> 0x7ce"]);
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
    fn call(&self) -> Option<Box<str>> {
        None
    }
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
