//! Tests of what graphs tell of the streams that recorded their nodes, on the device that is built in.

use std::sync::Arc;

use crate::{Buffer, Context, DotFlags, Event, Graph, NodeWork, Stream};
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{DependencyUpdate, DeviceChoice, DeviceKind, EventOptions, HostFunction, StreamOptions};

struct World {
    context: Context,
    streams: [Stream; 2],
    buffer: Buffer,
    event: Event,
}

impl World {
    fn new() -> World {
        let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
        let streams = [(); 2].map(|()| Stream::create(&context, StreamOptions::default()).unwrap());
        let buffer = Buffer::allocate(&context, 64).unwrap();
        let event = Event::create(&context, EventOptions::default()).unwrap();
        World { context, streams, buffer, event }
    }

    fn begin(&self) {
        self.streams[0].begin_capture(CaptureMode::Relaxed).unwrap();
    }

    fn set(&self, stream: usize) {
        self.streams[stream].memset(&self.buffer, 0, 1, 1, 64).unwrap();
    }

    /// The second stream is behind the first one, or the other way round.
    fn order(&self, before: usize, after: usize) {
        self.event.record(&self.streams[before]).unwrap();
        self.streams[after].wait_event(&self.event).unwrap();
    }

    fn end(&self) -> Graph {
        self.streams[0].end_capture().unwrap()
    }

    /// A graph of which the second stream recorded the third and the fourth of five nodes.
    fn forked(&self) -> Graph {
        self.begin();
        self.set(0);
        self.order(0, 1);
        self.set(0);
        self.set(1);
        self.set(1);
        self.order(1, 0);
        self.set(0);
        self.end()
    }
}

/// Returns what the nodes of a graph tell, and of the graphs within them.
fn told(graph: &Graph) -> Vec<String> {
    let text = graph.export_dot(DotFlags::EXTRA_TOPO_INFO).unwrap();
    let of_nodes = text.lines().filter(|line| line.contains("[label=\"") && line.contains(": "));
    let told = of_nodes.map(|line| match line.split_once("\\nrecorded on ") {
        Some((_, rest)) => rest.split('"').next().unwrap().to_owned(),
        None => "-".into(),
    });
    told.collect()
}

const FORKED: [&str; 5] = ["stream 0", "stream 0", "stream 1", "stream 1", "stream 0"];

#[test]
fn nodes_tell_the_stream_that_recorded_them() {
    let world = World::new();
    assert_eq!(told(&world.forked()), FORKED);
    world.streams[1].set_name("co\"pies").unwrap();
    let graph = world.forked();
    let text = graph.export_dot(DotFlags::VERBOSE).unwrap();
    assert_eq!(text.matches(r#"\nrecorded on co\"pies""#).count(), 2, "{text}");
    assert_eq!(text.matches(r#"\nrecorded on stream 0""#).count(), 3, "{text}");
    let plain = graph.export_dot(DotFlags::default()).unwrap();
    assert!(!plain.contains("recorded on"), "{plain}");
}

#[test]
fn streams_are_numbered_by_their_first_recording() {
    let world = World::new();
    world.begin();
    world.order(0, 1);
    world.set(1);
    world.order(1, 0);
    world.set(0);
    assert_eq!(told(&world.end()), ["stream 0", "stream 1"]);
}

#[test]
fn refused_work_is_not_counted() {
    let world = World::new();
    world.begin();
    world.set(0);
    world.streams[0].memset(&world.buffer, 0, 1, 1, 65).unwrap_err();
    world.order(0, 1);
    world.streams[1].memset(&world.buffer, 0, 1, 3, 8).unwrap_err();
    world.set(0);
    world.set(1);
    world.order(1, 0);
    assert_eq!(told(&world.end()), ["stream 0", "stream 0", "stream 1"]);
}

#[test]
fn copies_children_and_texts_keep_it_and_removals_move_nothing() {
    let world = World::new();
    let graph = world.forked();
    let copy = graph.duplicate().unwrap();
    let parent = Graph::create(&world.context).unwrap();
    let child = parent.add_node(&[], &NodeWork::Child(&graph)).unwrap();
    let of_parent: Vec<_> = ["-"].iter().chain(&FORKED).copied().collect();
    assert_eq!(told(&parent), of_parent);
    assert_eq!(told(&parent.duplicate().unwrap()), of_parent);
    let nodes = graph.nodes().unwrap().nodes;
    graph.remove_node(nodes[1]).unwrap();
    graph.add_node(&[], &NodeWork::Empty).unwrap();
    assert_eq!(told(&graph), ["stream 0", "stream 1", "stream 1", "stream 0", "-"]);
    let again = graph.duplicate().unwrap();
    assert_eq!(told(&again), told(&graph));
    assert_eq!(told(&copy), FORKED);
    let text = copy.export_json().unwrap();
    let bindings = crate::Binding { name: "buffer 0", object: crate::Bound::Buffer(world.buffer.clone()) };
    let read = Graph::import_json(&world.context, text.as_bytes(), &[bindings]).unwrap();
    assert_eq!((told(&read), read.export_json().unwrap()), (told(&copy), text));
    parent.remove_node(child).unwrap();
    assert_eq!(parent.0.root().lock().unwrap().notes.count(), 0);
}

#[test]
fn captures_into_one_graph_number_their_streams_together() {
    let world = World::new();
    let graph = Graph::create(&world.context).unwrap();
    let first = graph.add_node(&[], &NodeWork::Empty).unwrap();
    for stream in [1, 0, 1] {
        world.streams[stream].begin_capture_to_graph(&graph, &[first], CaptureMode::Relaxed).unwrap();
        world.set(stream);
        world.streams[stream].end_capture().unwrap();
        graph.add_node(&[], &NodeWork::Empty).unwrap();
    }
    assert_eq!(told(&graph), ["-", "stream 0", "-", "stream 1", "-", "stream 0", "-"]);
}

#[test]
fn a_node_that_is_put_into_a_capture_counts_and_one_beside_it_hides_all() {
    let world = World::new();
    let child = Graph::create(&world.context).unwrap();
    for is_beside in [false, true] {
        world.begin();
        world.set(0);
        world.order(0, 1);
        world.streams[1].capture_node(&NodeWork::Child(&child)).unwrap();
        if is_beside {
            world.streams[0].capture_graph().unwrap().add_node(&[], &NodeWork::Empty).unwrap();
        }
        world.set(0);
        world.order(1, 0);
        let told = told(&world.end());
        match is_beside {
            false => assert_eq!(told, ["stream 0", "stream 1", "stream 0"]),
            true => assert_eq!(told, ["-"; 4]),
        }
    }
}

#[test]
fn nothing_is_told_where_the_order_is_not_known() {
    let world = World::new();
    world.begin();
    world.set(0);
    world.order(0, 1);
    std::thread::scope(|scope| scope.spawn(|| world.set(1)).join().unwrap());
    world.order(1, 0);
    assert_eq!(told(&world.end()), ["-", "-"]);
    // One stream alone is told of, whoever uses it.
    world.begin();
    world.set(0);
    std::thread::scope(|scope| scope.spawn(|| world.set(0)).join().unwrap());
    assert_eq!(told(&world.end()), ["stream 0", "stream 0"]);
    // The capture goes on from a node that it was told of.
    let function: HostFunction = Arc::new(|| ());
    world.begin();
    world.streams[0].launch_host_function(function).unwrap();
    world.streams[0].update_capture_dependencies(&[], DependencyUpdate::Set).unwrap();
    world.set(0);
    assert_eq!(told(&world.end()), ["stream 0", "stream 0"]);
}
