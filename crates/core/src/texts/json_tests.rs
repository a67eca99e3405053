//! JSON text of graphs of the device that is built in. tests/host/graph_text.rs reads it back.

use std::sync::Arc;

use crate::{Buffer, Context, Fill, Graph, NodeWork};
use graphcap_driver::{Conditional, ConditionalKind, DeviceChoice, DeviceKind, HostFunction};

#[test]
fn a_text_has_a_line_for_each_object_and_node() {
    let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
    let (named, unnamed) = (Buffer::allocate(&context, 256).unwrap(), Buffer::allocate(&context, 64).unwrap());
    named.set_name("a \"quoted\" name").unwrap();
    let graph = Graph::create(&context).unwrap();
    graph.set_name("whole").unwrap();
    let fill = Fill { buffer: &unnamed, offset: 16, value: 0xff, element_size: 4, width: 5, height: 1, pitch: 0 };
    let first = graph.add_node(&[], &NodeWork::Memset(fill)).unwrap();
    graph.set_node_name(first, "first").unwrap();
    graph.add_node(&[first], &NodeWork::Memset(Fill { buffer: &named, ..fill })).unwrap();
    let function: HostFunction = Arc::new(|| ());
    graph.add_node(&[], &NodeWork::Host(&function)).unwrap();
    let condition = graph.create_condition(3).unwrap();
    let conditional = Conditional { condition, kind: ConditionalKind::While, bodies: 1 };
    graph.add_node(&[first], &NodeWork::Conditional(conditional)).unwrap();
    let expected = r#"{
"format": "graphcap graph",
"version": 1,
"name": "whole",
"memory": [
{"name":"buffer 0","kind":"buffer","bytes":"64"},
{"name":"a \"quoted\" name","kind":"buffer","bytes":"256"}
],
"kernels": [],
"functions": [
{"name":"function 0"}
],
"events": [],
"conditions": [
{"default":3}
],
"graph": {
"nodes": [
{"name":"first","kind":"memset","at":{"memory":0,"offset":"16"},"value":255,"element_size":4,"width":"5","height":"1","pitch":"0"},
{"kind":"memset","at":{"memory":1,"offset":"16"},"value":255,"element_size":4,"width":"5","height":"1","pitch":"0"},
{"kind":"host","function":0},
{"kind":"conditional","decides":"while","condition":0,"bodies":[{"nodes":[],"edges":[]}]}
],
"edges": [[0,1],[0,3]]
}
}
"#;
    assert_eq!(graph.export_json().unwrap(), expected);
}

#[test]
fn an_empty_graph_has_all_members() {
    let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
    let text = Graph::create(&context).unwrap().export_json().unwrap();
    let lists = ["memory", "kernels", "functions", "events", "conditions", "nodes", "edges"];
    assert!(lists.iter().all(|list| text.contains(&format!("\"{list}\": []"))), "{text}");
    assert!(!text.contains("name"), "{text}");
}
