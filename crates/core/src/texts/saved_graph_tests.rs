use super::*;
use crate::{Buffer, Context, Fill, Graph, NodeWork};
use graphcap_base::error::Status;
use graphcap_driver::{DeviceChoice, DeviceKind};

/// A graph of memsets of these values in a chain, and a child of one more.
fn graph(values: &[u32]) -> Graph {
    let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
    let buffer = Buffer::allocate(&context, 64).unwrap();
    buffer.set_name("words").unwrap();
    let fill = |value| {
        NodeWork::Memset(Fill { buffer: &buffer, offset: 0, value, element_size: 4, width: 4, height: 1, pitch: 0 })
    };
    let (graph, child) = (Graph::create(&context).unwrap(), Graph::create(&context).unwrap());
    child.add_node(&[], &fill(9)).unwrap();
    let mut last = vec![graph.add_node(&[], &NodeWork::Child(&child)).unwrap()];
    for &value in values {
        last = vec![graph.add_node(&last, &fill(value)).unwrap()];
    }
    graph
}

fn saved(graph: &Graph) -> SavedGraph {
    SavedGraph::read(graph.export_json().unwrap().as_bytes()).unwrap()
}

#[test]
fn a_saved_graph_is_drawn_and_compared_as_the_graph_itself() {
    let (one, other) = (graph(&[1, 2]), graph(&[1, 3, 4]));
    for flags in [DotFlags::default(), DotFlags::MEMSET_NODE_PARAMS] {
        assert_eq!(saved(&one).dot(flags).unwrap(), one.export_dot(flags).unwrap());
    }
    let told = saved(&one).diff(&saved(&other)).unwrap();
    assert_eq!(told, one.diff(&other).unwrap());
    assert!(!told.is_empty());
    assert_eq!(saved(&one).diff(&saved(&graph(&[1, 2]))).unwrap(), "");
}

#[test]
fn texts_of_no_graph_are_refused() {
    let text = graph(&[1]).export_json().unwrap();
    let wrong_edge = text.replace("[[0,1]]", "[[7,1]]");
    assert_ne!(text, wrong_edge);
    for text in ["", "{}", "[1]", &text[..text.len() / 2], &wrong_edge] {
        assert_eq!(
            SavedGraph::read(text.as_bytes()).err().map(|error| error.status),
            Some(Status::INVALID_VALUE),
            "{text}"
        );
    }
}

#[test]
fn a_saved_graph_is_told_in_words() {
    let saved = saved(&graph(&[1, 2]));
    let told = saved.told();
    assert_eq!(told.edges, [(0, 1, String::new()), (1, 2, String::new())]);
    let [child, fill, _] = &told.nodes[..] else { panic!("{told:?}") };
    assert_eq!((child.kind.as_str(), child.graphs[0].nodes.len(), child.uses.len()), ("child graph", 1, 0));
    assert_eq!((fill.title.as_str(), &fill.uses[..]), ("memset", &[(0, "writes")][..]));
    assert!(fill.facts.contains(&("destination".into(), "words".into())), "{:?}", fill.facts);
    let [memory] = &saved.memory()[..] else { panic!("{:?}", saved.memory()) };
    assert_eq!((memory.name.as_str(), memory.kind, memory.bytes), ("words", "buffer", Some(64)));
}

#[test]
fn a_graph_of_stand_ins_has_the_same_text() {
    let text = include_str!("../../../../tests/host/graph_of_every_kind.json");
    let saved = SavedGraph::read(text.as_bytes()).unwrap();
    let made = saved.stand_in().unwrap().graph;
    assert_eq!(SavedGraph::read(made.export_json().unwrap().as_bytes()).unwrap().diff(&saved).unwrap(), "");
}
