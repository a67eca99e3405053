//! Names of nodes, on the device that is built in.

use std::sync::Arc;

use crate::faulty::Faulty;
use crate::{Buffer, Context, Fill, Graph, NodeWork, NAME_LIMIT};
use graphcap_base::error::Status;
use graphcap_driver::{Conditional, ConditionalKind, DeviceChoice, DeviceKind, HostFunction, NodeId};

fn graph() -> Graph {
    Graph::create(&Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap()).unwrap()
}

fn name(graph: &Graph, node: NodeId) -> Option<String> {
    graph.node_name(node).unwrap().map(|name| name.to_string())
}

fn empty(graph: &Graph, after: &[NodeId], name: &str) -> NodeId {
    let node = graph.add_node(after, &NodeWork::Empty).unwrap();
    graph.set_node_name(node, name).unwrap();
    node
}

#[test]
fn nodes_have_the_name_that_they_were_given_last() {
    let graph = graph();
    let node = empty(&graph, &[], "first");
    assert_eq!(name(&graph, node).as_deref(), Some("first"));
    let long = graph.set_node_name(node, &"n".repeat(NAME_LIMIT + 1)).unwrap_err();
    assert_eq!((long.status, name(&graph, node).as_deref()), (Status::INVALID_VALUE, Some("first")));
    graph.set_node_name(node, "").unwrap();
    assert_eq!(name(&graph, node), None);
    for wrong in [NodeId(0), NodeId(u64::MAX), NodeId(node.0 + 1)] {
        assert_eq!(graph.set_node_name(wrong, "none").unwrap_err().status, Status::INVALID_VALUE);
        assert_eq!(graph.node_name(wrong).unwrap_err().status, Status::INVALID_VALUE);
    }
}

#[test]
fn copies_have_the_names_also_of_nodes_within() {
    let inner = graph();
    let context = inner.context().clone();
    let deep = empty(&inner, &[], "deep");
    let child = Graph::create(&context).unwrap();
    empty(&child, &[], "beside");
    child.add_node(&[], &NodeWork::Child(&inner)).unwrap();
    let outer = Graph::create(&context).unwrap();
    let removed = empty(&outer, &[], "removed");
    let node = outer.add_node(&[], &NodeWork::Child(&child)).unwrap();
    outer.remove_node(removed).unwrap();
    outer.set_name("outer").unwrap();
    // What is renamed later is not renamed in the copies.
    inner.set_node_name(deep, "other").unwrap();
    let copy = outer.duplicate().unwrap();
    assert_eq!(copy.name().as_deref(), Some("outer"));
    for graph in [&outer, &copy] {
        let node = match std::ptr::eq(graph, &outer) {
            true => node,
            false => outer.node_in_copy(node, &copy).unwrap(),
        };
        let [child] = &graph.node_graphs(node).unwrap()[..] else { panic!("a child has one graph") };
        let nodes = child.nodes().unwrap().nodes;
        assert_eq!(name(child, nodes[0]).as_deref(), Some("beside"));
        assert_eq!(child.set_name("child").unwrap_err().status, Status::NOT_SUPPORTED);
        let [inner] = &child.node_graphs(nodes[1]).unwrap()[..] else { panic!("a child has one graph") };
        let deep = inner.nodes().unwrap().nodes[0];
        assert_eq!(name(inner, deep).as_deref(), Some("deep"));
    }
    // Of the copy alone.
    let copied = outer.node_in_copy(node, &copy).unwrap();
    copy.set_node_name(copied, "copied").unwrap();
    assert_eq!((name(&outer, node), name(&copy, copied).as_deref()), (None, Some("copied")));
}

#[test]
fn a_copy_looks_no_further_than_the_names_go() {
    let (driver, context) = Faulty::context();
    let calls = |nodes: usize| {
        let graph = Graph::create(&context).unwrap();
        for _ in 0..nodes {
            graph.add_node(&[], &NodeWork::Empty).unwrap();
        }
        let first = graph.nodes().unwrap().nodes[0];
        graph.set_node_name(first, "first").unwrap();
        let before = driver.calls();
        let copy = graph.duplicate().unwrap();
        let calls = driver.calls() - before;
        assert_eq!(name(&copy, copy.nodes().unwrap().nodes[0]).as_deref(), Some("first"));
        calls
    };
    assert_eq!(calls(3), calls(300));
}

#[test]
fn names_go_with_the_node_and_those_within() {
    let graph = graph();
    let condition = graph.create_condition(0).unwrap();
    let conditional = Conditional { condition, kind: ConditionalKind::If, bodies: 2 };
    let node = graph.add_node(&[], &NodeWork::Conditional(conditional)).unwrap();
    graph.set_node_name(node, "decide").unwrap();
    for body in graph.node_graphs(node).unwrap() {
        empty(&body, &[], "within");
    }
    let named = || graph.0.root().lock().unwrap().notes.count();
    assert_eq!(named(), 3);
    graph.remove_node(node).unwrap();
    assert_eq!(named(), 0);
}

#[test]
fn messages_name_the_nodes_that_they_tell_of() {
    let graph = graph();
    let context = graph.context().clone();
    let (first, second) = (empty(&graph, &[], "first"), empty(&graph, &[], "second \"2\""));
    graph.add_dependencies(&[(first, second)]).unwrap();
    let message = graph.add_dependencies(&[(first, second)]).unwrap_err().message;
    let told = format!("from node {:#x} \"first\" to node {:#x} \"second \\\"2\\\"\"", first.0, second.0);
    assert!(message.contains(&told), "{message}");
    let message = graph.add_node(&[first, first], &NodeWork::Empty).unwrap_err().message;
    assert!(message.contains(&format!("node {:#x} \"first\" is listed twice", first.0)), "{message}");
    // Told where the message has no number.
    let function: HostFunction = Arc::new(|| ());
    let message = graph.set_node(first, &NodeWork::Host(&function)).unwrap_err().message;
    assert!(message.ends_with("; the node is \"first\""), "{message}");
    let buffer = Buffer::allocate(&context, 16).unwrap();
    let fill = Fill { buffer: &buffer, offset: 0, value: 1, element_size: 1, width: 17, height: 1, pitch: 0 };
    let message = graph.set_node(first, &NodeWork::Memset(fill)).unwrap_err().message;
    assert!(message.contains("overrun") && message.ends_with("; the node is \"first\""), "{message}");
    let exec = graph.instantiate().unwrap();
    let message = exec.enable_node(second, false).unwrap_err().message;
    assert!(message.ends_with("; the node is \"second \\\"2\\\"\""), "{message}");
    let message = graph.node_kernel(first).unwrap_err().message;
    assert!(message.contains(&format!("node {:#x} \"first\" is not a kernel node", first.0)), "{message}");
}
