//! Texts for Graphviz, of graphs of the device that is built in.

use std::sync::Arc;

use crate::{
    Buffer, Context, Copy, CopySide, DotFlags, Event, Fill, Graph, HostPointer, NodeWork, Pitch, Stream, StreamValue,
};
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{
    Comparison, Conditional, ConditionalKind, DeviceChoice, DeviceKind, EventOptions, HostFunction, MemoryKind, NodeId,
    StreamOptions, Value, ValueAction,
};

fn graph() -> (Context, Graph) {
    let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
    let graph = Graph::create(&context).unwrap();
    (context, graph)
}

fn dot(graph: &Graph, flags: DotFlags) -> String {
    graph.export_dot(flags).unwrap()
}

/// The label of a node, and how it looks.
fn line<'a>(text: &'a str, node: &str) -> &'a str {
    let start = format!("{node} [label=\"");
    text.lines()
        .map(str::trim)
        .find_map(|line| line.strip_prefix(start.as_str()))
        .unwrap_or_else(|| panic!("no {node} in {text}"))
}

fn fill(buffer: &Buffer) -> Fill<'_> {
    Fill { buffer, offset: 16, value: 0xff, element_size: 4, width: 5, height: 1, pitch: 0 }
}

#[test]
fn boxes_have_numbers_names_and_kinds_and_edges_are_sorted() {
    let (context, graph) = graph();
    let buffer = Buffer::allocate(&context, 256).unwrap();
    let set = graph.add_node(&[], &NodeWork::Memset(fill(&buffer))).unwrap();
    let function: HostFunction = Arc::new(|| ());
    let call = graph.add_node(&[set], &NodeWork::Host(&function)).unwrap();
    let join = graph.add_node(&[set, call], &NodeWork::Empty).unwrap();
    graph.set_node_name(call, "a\"b\\c\nd\x01").unwrap();
    let text = dot(&graph, DotFlags::default());
    assert!(text.starts_with("digraph graph_capture {\n") && text.ends_with("}\n"), "{text}");
    assert!(line(&text, "n0").starts_with("0: memset\", shape=note"), "{text}");
    assert!(line(&text, "n1").starts_with(r#"1: a\"b\\c\nd\\x01\nhost function", shape=ellipse"#), "{text}");
    assert!(line(&text, "n2").starts_with("2: empty\", shape=point"), "{text}");
    let edges: Vec<_> = text.lines().map(str::trim).filter(|line| line.contains("->")).collect();
    assert_eq!(edges, ["n0 -> n1;", "n0 -> n2;", "n1 -> n2;"]);
    graph.set_node_name(join, "join").unwrap();
    graph.set_name("whole").unwrap();
    let text = dot(&graph, DotFlags::default());
    assert!(line(&text, "n2").starts_with("2: join\\nempty\", shape=ellipse"), "{text}");
    assert!(text.contains("\n  label=\"whole\";"), "{text}");
}

/// A capture that a stream of another context joined.
#[test]
fn buffers_of_the_contexts_that_joined_have_their_names() {
    let contexts = [(); 2].map(|()| Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap());
    let [origin, fork] = [0, 1].map(|at: usize| Stream::create(&contexts[at], StreamOptions::default()).unwrap());
    let [forked, joined] = [0, 1].map(|at: usize| Event::create(&contexts[at], EventOptions::default()).unwrap());
    let theirs = Buffer::allocate(&contexts[1], 256).unwrap();
    theirs.set_name("their words").unwrap();
    origin.begin_capture(CaptureMode::Relaxed).unwrap();
    forked.record(&origin).unwrap();
    fork.wait_event(&forked).unwrap();
    fork.memset(&theirs, 16, 1, 4, 2).unwrap();
    joined.record(&fork).unwrap();
    origin.wait_event(&joined).unwrap();
    let graph = origin.end_capture().unwrap();
    let (text, json) = (dot(&graph, DotFlags::MEMSET_NODE_PARAMS), graph.export_json().unwrap());
    assert!(text.contains("their words + 16"), "{text}");
    assert!(json.contains("\"their words\"") && !json.contains("foreign"), "{json}");
}

#[test]
fn an_empty_graph_is_a_valid_text() {
    let text = dot(&graph().1, DotFlags::VERBOSE);
    assert!(text.starts_with("digraph graph_capture {\n") && text.ends_with("}\n"));
    assert!(!text.contains("n0"));
}

/// One node of each kind that can be built without a kernel.
fn all(context: &Context, graph: &Graph, memory: &[u8; 64]) -> Vec<NodeId> {
    let buffer = Buffer::allocate_as(context, 256, MemoryKind::Waitable).unwrap();
    buffer.set_name("words").unwrap();
    let event = Event::create(context, EventOptions::default()).unwrap();
    event.set_name("done").unwrap();
    let function: HostFunction = Arc::new(|| ());
    let host = HostPointer(memory.as_ptr().addr());
    let copy = Copy {
        destination: CopySide::Buffer(&buffer, 32),
        destination_pitch: Pitch { bytes: 16, slice_height: 0 },
        source: CopySide::Host(host),
        source_pitch: Pitch::default(),
        width: 8,
        height: 3,
        depth: 1,
    };
    let value = |value, action| StreamValue { buffer: &buffer, offset: 8, value, action };
    let values = [
        value(Value::U32(7), ValueAction::Write { barrier: true }),
        value(Value::U64(1 << 40), ValueAction::Wait { comparison: Comparison::And, flush: false }),
    ];
    let many = [values[0]; 9];
    let child = Graph::create(context).unwrap();
    child.add_node(&[], &NodeWork::Memset(fill(&buffer))).unwrap();
    let mut nodes: Vec<_> = [
        NodeWork::Memset(Fill { height: 2, pitch: 32, ..fill(&buffer) }),
        NodeWork::Memcpy(copy),
        NodeWork::Host(&function),
        NodeWork::Values(&values),
        NodeWork::Values(&many),
        NodeWork::EventRecord(&event),
        NodeWork::EventWait(&event),
        NodeWork::Child(&child),
    ]
    .iter()
    .map(|work| graph.add_node(&[], work).unwrap())
    .collect();
    let condition = graph.create_condition(3).unwrap();
    let conditional = Conditional { condition, kind: ConditionalKind::If, bodies: 2 };
    nodes.push(graph.add_node(&[], &NodeWork::Conditional(conditional)).unwrap());
    nodes
}

#[test]
fn each_flag_adds_its_lines_and_verbose_adds_all() {
    let (context, graph) = graph();
    let memory = [0; 64];
    let nodes = all(&context, &graph, &memory);
    let expected = [
        ("n0", DotFlags::MEMSET_NODE_PARAMS, r"5 x 2 x 4 bytes\nat words + 16 to 0xff\npitch 32 bytes"),
        ("n1", DotFlags::MEMCPY_NODE_PARAMS, r"host to device, 8 bytes x 3\nfrom host memory 1"),
        ("n1", DotFlags::MEMCPY_NODE_PARAMS, r"to words + 32\nsource pitch 8 bytes\ndestination pitch 16 bytes"),
        ("n2", DotFlags::HOST_NODE_PARAMS, r"\nfunction 0"),
        (
            "n3",
            DotFlags::BATCH_MEM_OP_NODE_PARAMS,
            r"write 0x7, 32 bits at words + 8\nwait for & 0x10000000000, 64 bits at words + 8",
        ),
        ("n4", DotFlags::BATCH_MEM_OP_NODE_PARAMS, r"words + 8\nand 1 more"),
        ("n5", DotFlags::EVENT_NODE_PARAMS, r"event record\ndone"),
        ("n6", DotFlags::EVENT_NODE_PARAMS, r"event wait\ndone"),
        ("n8", DotFlags::CONDITIONAL_NODE_PARAMS, r"if, condition 0, begins as 3"),
    ];
    let plain = dot(&graph, DotFlags::default());
    assert!(line(&plain, "n8").contains(r"conditional\nif"), "{plain}");
    let verbose = dot(&graph, DotFlags::VERBOSE);
    for (node, flag, told) in expected {
        let text = dot(&graph, flag);
        assert!(line(&text, node).contains(told), "{told} of {node} in {text}");
        let others = DotFlags(DotFlags::ALL.0 & !(flag.0 | DotFlags::VERBOSE.0 | DotFlags::RUNTIME_TYPES.0));
        for text in [&plain, &dot(&graph, others)] {
            assert!(!line(text, node).contains(told), "{told} of {node} in {text}");
        }
    }
    for (node, _, told) in expected {
        // The number comes between the kind and what follows.
        let told = told.rsplit(r"\n").next().unwrap();
        assert!(line(&verbose, node).contains(told), "{told} of {node} in {verbose}");
    }
    let number = format!("node {:#x}", nodes[2].0);
    assert!(line(&dot(&graph, DotFlags::HANDLES), "n2").contains(&number) && line(&verbose, "n2").contains(&number));
    assert!(!plain.contains(&number));
    let runtime = dot(&graph, DotFlags(DotFlags::RUNTIME_TYPES.0 | DotFlags::VERBOSE.0));
    assert!(
        runtime.contains("cudaMemcpyHostToDevice, 8 bytes") && runtime.contains("2: cudaGraphNodeTypeHost"),
        "{runtime}"
    );
    assert!(!verbose.contains("cuda") && !verbose.contains("\\n\\n"), "{verbose}");
}

#[test]
fn graphs_within_nodes_are_clusters() {
    let (context, graph) = graph();
    let memory = [0; 64];
    let nodes = all(&context, &graph, &memory);
    graph.set_node_name(nodes[7], "inner").unwrap();
    let bodies = graph.node_graphs(nodes[8]).unwrap();
    let first = bodies[1].add_node(&[], &NodeWork::Empty).unwrap();
    bodies[1].add_node(&[first], &NodeWork::Empty).unwrap();
    let text = dot(&graph, DotFlags(DotFlags::EXTRA_TOPO_INFO.0 | DotFlags::MEMSET_NODE_PARAMS.0));
    for told in [
        "subgraph cluster_n7_0 {\n    label=\"7: graph of inner\";",
        "\n    n7_0_0 [label=\"0: memset\\n5 x 4 bytes\\nat words + 16 to 0xff\", shape=note",
        "n7 -> n7_0_0 [lhead=cluster_n7_0, style=dashed, arrowhead=none];",
        "subgraph cluster_n8_0 {\n    label=\"8: body 0\";",
        "\n    n8_0_0 [label=\"\", shape=point, style=invis];",
        "n8 -> n8_0_0 [lhead=cluster_n8_0",
        "\n    n8_1_0 -> n8_1_1 [label=\"0\"];",
    ] {
        assert!(text.contains(told), "{told} in {text}");
    }
    assert_eq!(text.matches('{').count(), text.matches('}').count());
}
