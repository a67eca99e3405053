//! Texts of graphs: what they tell of memory, edges, conditions and objects, and what is made of texts that others wrote.

use std::ffi::c_void;
use std::sync::Arc;

use graphcap::core::{
    Access, Binding, Bound, Buffer, BufferAccess, Context, Copy, CopySide, DotFlags, Event, Fill, Graph, HostPointer,
    Kernel, KernelArgument, Module, NodeWork, Pitch, Stream,
};
use graphcap::driver::{
    Conditional, ConditionalKind, DeviceChoice, DeviceKind, EdgeData, EventOptions, HostBlock, HostFunction,
    HostKernel, LaunchShape, ModuleSource, NodeId, Snapshot, StreamOptions,
};
use graphcap::kit::{optimize, OptimizeOptions};
use graphcap::Status;

unsafe extern "C-unwind" fn do_nothing(_: *const HostBlock, _: *const *const c_void) -> i32 {
    0
}

fn context() -> Context {
    Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap()
}

/// A kernel that looks at none of its arguments.
fn kernel(context: &Context, name: &str, sizes: &[usize]) -> Kernel {
    let kernels = [HostKernel { name: name.into(), function: do_nothing, parameter_sizes: Some(sizes.to_vec()) }];
    // SAFETY: the kernel looks at none of its arguments.
    let module = unsafe { Module::load(context, ModuleSource { host_kernels: &kernels, ..ModuleSource::default() }) };
    module.unwrap().kernel(name).unwrap()
}

fn launch<'a>(kernel: &'a Kernel, arguments: &'a [KernelArgument<'a>]) -> NodeWork<'a> {
    let shape = LaunchShape { grid: [1; 3], block: [1; 3], shared_mem_bytes: 0 };
    NodeWork::Kernel { kernel, shape, arguments, attributes: &[] }
}

fn fill(buffer: &Buffer) -> NodeWork<'_> {
    NodeWork::Memset(Fill { buffer, offset: 8, value: 1, element_size: 4, width: 2, height: 1, pitch: 0 })
}

fn copy<'a>(destination: CopySide<'a>, source: CopySide<'a>) -> NodeWork<'a> {
    let (destination_pitch, source_pitch) = (Pitch::default(), Pitch::default());
    NodeWork::Memcpy(Copy { destination, destination_pitch, source, source_pitch, width: 8, height: 1, depth: 1 })
}

/// A text of a graph with these members.
fn text(tables: &str, nodes: &str) -> String {
    format!("{{\"format\":\"graphcap graph\",\"version\":1,{tables},\"graph\":{{\"nodes\":[{nodes}],\"edges\":[]}}}}")
}

/// Whatever a text says, its copies and kernels use no other host memory than what is bound.
#[test]
fn host_memory_ends_where_what_is_bound_ends() {
    let context = context();
    let kernel = kernel(&context, "one", &[8]);
    let buffer = Buffer::allocate(&context, 4096).unwrap();
    let mut memory = [0u8; 64];
    // SAFETY: nothing runs.
    let pointer = unsafe { HostPointer::new(memory.as_mut_ptr().cast()) };
    let bindings = [
        Binding { name: "there", object: Bound::Host(pointer, memory.len()) },
        Binding { name: "words", object: Bound::Buffer(buffer.clone()) },
        Binding { name: "one", object: Bound::Kernel(kernel.clone()) },
    ];
    let tables = |bytes: &str| {
        format!(
            r#""memory":[{{"name":"there","kind":"host"{bytes}}},{{"name":"words","kind":"buffer"}}],"kernels":[{{"name":"one"}}],"functions":[],"events":[],"conditions":[]"#
        )
    };
    let import = |text: String| Graph::import_json(&context, text.as_bytes(), &bindings).map(drop);
    let place = |memory: usize, offset: &str| format!(r#"{{"memory":{memory},"offset":"{offset}"}}"#);
    let copies = |offset: &str, (width, height, pitch): (&str, &str, &str)| {
        [("device_to_host", 0, 1), ("host_to_device", 1, 0)].map(|(direction, destination, source)| {
            let offset = |memory: usize| place(memory, if memory == 0 { offset } else { "0" });
            let pitch_of = |memory: usize| if memory == 0 { pitch } else { "0" };
            let node = format!(
                r#"{{"kind":"memcpy","direction":"{direction}","destination":{},"source":{},"width":"{width}","height":"{height}","depth":"1","destination_pitch":{{"bytes":"{}","slice_height":"0"}},"source_pitch":{{"bytes":"{}","slice_height":"0"}}}}"#,
                offset(destination), offset(source), pitch_of(destination), pitch_of(source)
            );
            import(text(&tables(""), &node))
        })
    };
    for (offset, extent) in [("0", ("64", "1", "0")), ("60", ("4", "1", "0")), ("8", ("8", "4", "16"))] {
        assert_eq!(copies(offset, extent), [Ok(()), Ok(())], "{offset} {extent:?}");
    }
    for (offset, extent) in [
        ("0", ("65", "1", "0")),
        ("61", ("4", "1", "0")),
        ("64", ("1", "1", "0")),
        ("9", ("8", "4", "16")),
        ("1048576", ("8", "1", "0")),
        ("18446744073709551608", ("16", "1", "0")),
        ("18446744073709551615", ("1", "1", "0")),
        ("8", ("18446744073709551608", "1", "0")),
        ("0", ("8", "2305843009213693952", "16")),
    ] {
        for refused in copies(offset, extent) {
            let error = refused.unwrap_err();
            assert!(
                error.status == Status::INVALID_VALUE && error.message.contains("graph.nodes[0]"),
                "{}",
                error.message
            );
        }
    }
    let argument = |offset: &str| {
        let node = format!(
            r#"{{"kind":"kernel","kernel":0,"grid":[1,1,1],"block":[1,1,1],"shared_mem_bytes":0,"arguments":{{"separate":[{{"bytes":"0000000000000000","addresses":[{{"at":0,"to":{{"memory":{}}}}}]}}]}}}}"#,
            place(0, offset)
        );
        import(text(&tables(""), &node))
    };
    assert_eq!((argument("0"), argument("64")), (Ok(()), Ok(())));
    for offset in ["65", "1048576", "18446744073709551615"] {
        assert!(argument(offset).unwrap_err().message.contains("beyond the memory that is bound"));
    }
    let large = import(text(&tables(r#","bytes":"65""#), "")).map_err(|error| error.message);
    assert_eq!(large, Ok(()), "no node uses it");
}

#[test]
fn what_edges_carry_is_written_drawn_compared_and_read_back() {
    let context = context();
    let kernel = kernel(&context, "none", &[]);
    let graph = |data: &[EdgeData]| {
        let graph = Graph::create(&context).unwrap();
        let first = graph.add_node(&[], &launch(&kernel, &[])).unwrap();
        for &data in data {
            let node = graph.add_node(&[], &launch(&kernel, &[])).unwrap();
            graph.add_dependencies_with_data(&[(first, node, data)]).unwrap();
        }
        graph
    };
    let early = EdgeData { from_port: 2, to_port: 0, kind: 0 };
    let one = graph(&[EdgeData::PROGRAMMATIC, early, EdgeData::NONE]);
    let text = one.export_json().unwrap();
    assert!(
        text.contains(
            r#""edges": [[0,1,{"from_port":1,"to_port":0,"type":1}],[0,2,{"from_port":2,"to_port":0,"type":0}],[0,3]]"#
        ),
        "{text}"
    );
    let bindings = [Binding { name: "none", object: Bound::Kernel(kernel.clone()) }];
    let again = Graph::import_json(&context, text.as_bytes(), &bindings).unwrap();
    let carried = |graph: &Graph| {
        let edges = graph.edges_with_data().unwrap();
        edges.into_iter().map(|(.., data)| data).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(carried(&again), carried(&one));
    assert_eq!((again.export_json().unwrap(), one.diff(&again).unwrap()), (text, String::new()));
    let dot = one.export_dot(DotFlags::default()).unwrap();
    assert!(dot.contains("n0 -> n1 [label=\"from port 1, type 1\"];\n") && dot.contains("n0 -> n3;\n"), "{dot}");
    let numbered = one.export_dot(DotFlags::EXTRA_TOPO_INFO).unwrap();
    assert!(numbered.contains("n0 -> n2 [label=\"1, from port 2\"];\n"), "{numbered}");
    let other = graph(&[EdgeData::NONE, early, EdgeData::PROGRAMMATIC]);
    assert_eq!(
        one.diff(&other).unwrap(),
        "~ edge 0 -> 1: carries from port 1, type 1 -> nothing\n~ edge 0 -> 3: carries nothing -> from port 1, type 1\n"
    );
}

#[test]
fn numbers_are_not_taken_for_conditions() {
    let context = context();
    let (one, wide) = (kernel(&context, "one", &[8]), kernel(&context, "wide", &[24]));
    let graph = Graph::create(&context).unwrap();
    let condition = graph.create_condition(0).unwrap();
    // No size, no counter and no address of a program has bits there.
    assert!(condition.0 >> 56 != 0, "{:#x}", condition.0);
    let mut block = [0; 24];
    block[8..16].copy_from_slice(&condition.0.to_ne_bytes());
    graph.add_node(&[], &launch(&wide, &[KernelArgument::Value(&block)])).unwrap();
    let text = graph.export_json().unwrap();
    assert!(!text.contains("{\"condition\":"), "{text}");
    graph.add_node(&[], &launch(&one, &[KernelArgument::Value(&condition.0.to_ne_bytes())])).unwrap();
    let text = graph.export_json().unwrap();
    assert!(text.contains("{\"condition\":0}"), "{text}");
}

#[test]
fn a_diff_tells_what_differs_and_nothing_else() {
    let context = context();
    let (a, b) = (Buffer::allocate(&context, 64).unwrap(), Buffer::allocate(&context, 64).unwrap());
    let graph = |works: &[NodeWork<'_>]| {
        let graph = Graph::create(&context).unwrap();
        for work in works {
            graph.add_node(&[], work).unwrap();
        }
        graph
    };
    let diff = |one: &[NodeWork<'_>], other: &[NodeWork<'_>]| graph(one).diff(&graph(other)).unwrap();
    // Of the memory that the second nodes use nothing differs, though it is the second or the first that is used.
    let told = diff(&[fill(&a), fill(&a)], &[fill(&b), fill(&a)]);
    assert!(told.lines().count() == 1 && told.contains("node 0: destination buffer at 0x"), "{told}");
    let functions: [HostFunction; 2] = [Arc::new(|| ()), Arc::new(|| ())];
    let [f, g] = [NodeWork::Host(&functions[0]), NodeWork::Host(&functions[1])];
    assert_eq!(diff(&[f, g, g], &[f, g, g]), "");
    let told = diff(&[f, f], &[g, g]);
    assert!(told.lines().count() == 2 && told.contains("~ node 0: function "), "{told}");
    assert_eq!(diff(&[f, g], &[g, g]).lines().count(), 1);
    let events = [0, 1].map(|_| Event::create(&context, EventOptions::default()).unwrap());
    let [record, other] = [NodeWork::EventRecord(&events[0]), NodeWork::EventRecord(&events[1])];
    assert_eq!(diff(&[record, record], &[other, record]).lines().count(), 1);
    assert_eq!(diff(&[record], &[record]), "");
    let bytes = |last: u8| -> Snapshot { Arc::new(vec![1, 2, 3, 4, 5, 6, 7, last]) };
    let snapshots = [bytes(8), bytes(8), bytes(9)];
    let [one, same, another] = [0, 1, 2].map(|at| copy(CopySide::Buffer(&a, 0), CopySide::Snapshot(&snapshots[at])));
    assert_eq!(diff(&[one], &[same]), "");
    assert_eq!(diff(&[one], &[another]).lines().count(), 1);
    let long = |last: u8| -> Snapshot { Arc::new((0..64).map(|at| if at == 63 { last } else { 0 }).collect()) };
    let (one, other) = (long(1), long(2));
    let told = diff(
        &[copy(CopySide::Buffer(&a, 0), CopySide::Snapshot(&one))],
        &[copy(CopySide::Buffer(&a, 0), CopySide::Snapshot(&other))],
    );
    assert!(told.lines().count() == 1 && told.contains("byte 63"), "{told}");
}

#[test]
fn memory_that_nodes_allocate_is_told_as_theirs() {
    let context = context();
    let graph = Graph::create(&context).unwrap();
    let (node, buffer) = graph.add_allocation(&[], 256).unwrap();
    graph.add_node(&[node], &fill(&buffer)).unwrap();
    graph.set_node_name(node, "scratch").unwrap();
    let told = |name: &str| {
        let text = graph.export_json().unwrap();
        assert!(
            text.contains(&format!("{{\"name\":\"{name}\",\"kind\":\"allocation\",\"bytes\":\"256\"}}\n")),
            "{text}"
        );
    };
    told("scratch");
    buffer.set_name("rows").unwrap();
    told("rows");
}

#[test]
fn names_that_many_objects_want_take_no_time() {
    let context = context();
    let graph = Graph::create(&context).unwrap();
    let buffers: Vec<_> = (0..3000).map(|_| Buffer::allocate(&context, 64).unwrap()).collect();
    for buffer in &buffers {
        buffer.set_name("same").unwrap();
        graph.add_node(&[], &fill(buffer)).unwrap();
    }
    let text = graph.export_json().unwrap();
    assert!(text.contains("\"same\"") && text.contains("\"same (2)\"") && text.contains("\"same (3000)\""));
}

#[test]
fn a_graph_that_sets_its_condition_is_read_back_without_a_binding_for_that() {
    let context = context();
    let stream = Stream::create(&context, StreamOptions::default()).unwrap();
    let (decides, result) = (Buffer::allocate(&context, 64).unwrap(), Buffer::allocate(&context, 64).unwrap());
    decides.set_name("decides").unwrap();
    result.set_name("result").unwrap();
    let graph = Graph::create(&context).unwrap();
    let condition = graph.create_condition(0).unwrap();
    let set = graph.add_condition_setter(&[], condition, &decides, 8).unwrap();
    let conditional = Conditional { condition, kind: ConditionalKind::If, bodies: 1 };
    let node = graph.add_node(&[set], &NodeWork::Conditional(conditional)).unwrap();
    graph.node_graphs(node).unwrap()[0].add_node(&[], &fill(&result)).unwrap();
    let text = graph.export_json().unwrap();
    drop(graph);
    let bindings = [
        Binding { name: "decides", object: Bound::Buffer(decides.clone()) },
        Binding { name: "result", object: Bound::Buffer(result.clone()) },
    ];
    let import = |text: &str| Graph::import_json(&context, text.as_bytes(), &bindings);
    let again = import(&text).unwrap();
    assert_eq!(again.export_json().unwrap(), text);
    // A text that tells no default is of a condition that begins with 0.
    let untold = text.replacen(r#"{"default":0}"#, "{}", 1);
    assert_ne!(untold, text);
    assert_eq!(import(&untold).unwrap().export_json().unwrap(), text);
    let run = |value: u32| {
        let mut read = [0u8; 4];
        // SAFETY: the memory is there until the copies have run.
        unsafe {
            stream.memcpy_htod(&decides, 8, (&raw const value).cast(), 4).unwrap();
            stream.memcpy_htod(&result, 8, read.as_ptr().cast(), 4).unwrap();
            stream.synchronize().unwrap();
            again.instantiate().unwrap().launch(&stream).unwrap();
            stream.memcpy_dtoh(read.as_mut_ptr().cast(), &result, 8, 4).unwrap();
        }
        stream.synchronize().unwrap();
        u32::from_ne_bytes(read)
    };
    assert_eq!((run(0), run(1)), (0, 1));
    // What it sets is a condition of the text, and what it reads is memory that is there.
    let number = text.replacen(r#","addresses":[{"at":0,"to":{"condition":0}}]"#, "", 1);
    assert_ne!(number, text);
    let beyond = text.replacen(r#""offset":"8"}"#, r#""offset":"64"}"#, 1);
    let odd = text.replacen(r#""offset":"8"}"#, r#""offset":"6"}"#, 1);
    for (wrong, told) in [(number, "condition"), (beyond, "buffer"), (odd, "multiple of")] {
        let error = import(&wrong).map(drop).unwrap_err();
        assert!(error.status == Status::INVALID_VALUE && error.message.contains(told), "{}", error.message);
    }
}

/// A condition is made for the graph that has its node, which is a body here.
#[test]
fn conditions_of_nodes_within_bodies_are_made_with_the_bodies() {
    let context = context();
    let value = Buffer::allocate(&context, 64).unwrap();
    value.set_name("value").unwrap();
    let graph = |is_set_before: bool| {
        let graph = Graph::create(&context).unwrap();
        let outer = graph.create_condition(1).unwrap();
        let inner = graph.create_condition(0).unwrap();
        if is_set_before {
            graph.add_condition_setter(&[], inner, &value, 0).unwrap();
        }
        let decide = |condition| NodeWork::Conditional(Conditional { condition, kind: ConditionalKind::If, bodies: 1 });
        let node = graph.add_node(&[], &decide(outer)).unwrap();
        let body = &graph.node_graphs(node).unwrap()[0];
        let set = body.add_condition_setter(&[], inner, &value, 0).unwrap();
        body.add_node(&[set], &decide(inner)).unwrap();
        graph.export_json().unwrap()
    };
    let bindings = [Binding { name: "value", object: Bound::Buffer(value.clone()) }];
    let import = |text: &str| Graph::import_json(&context, text.as_bytes(), &bindings);
    let text = graph(false);
    let again = import(&text).unwrap();
    assert_eq!(again.export_json().unwrap(), text);
    again.instantiate().unwrap();
    let error = import(&graph(true)).map(drop).unwrap_err();
    let told = error.message.contains("graph.nodes[0].arguments[0].addresses[0]: ");
    assert!(error.status == Status::NOT_SUPPORTED && told, "{}", error.message);
}

#[test]
fn a_text_that_is_deep_and_large_is_read_once() {
    let context = context();
    let tables = r#""memory":[],"kernels":[],"functions":[],"events":[],"conditions":[]"#;
    let mut inner = vec![r#"{"kind":"empty"}"#; 200_000].join(",");
    for _ in 0..15 {
        inner = format!(r#"{{"kind":"child","graph":{{"nodes":[{inner}],"edges":[]}}}}"#);
    }
    let error = Graph::import_json(&context, text(tables, &format!("{inner},{{}}")).as_bytes(), &[]);
    assert!(error.map(drop).unwrap_err().message.contains("kind"));
    for depth in [16, 50, 100_000] {
        let (begin, end) = (r#"{"kind":"child","graph":{"nodes":["#, r#"],"edges":[]}}"#);
        let deep = text(tables, &(begin.repeat(depth) + &end.repeat(depth)));
        let error = Graph::import_json(&context, deep.as_bytes(), &[]).map(drop).unwrap_err();
        let told = error.message.contains("16 deep");
        assert!(error.status == Status::NOT_SUPPORTED && told, "{depth}: {}", error.message);
    }
}

fn names(graph: &Graph, node: NodeId) -> Vec<Option<String>> {
    let [child] = &graph.node_graphs(node).unwrap()[..] else { panic!("a child has one graph") };
    let nodes = child.nodes().unwrap().nodes;
    nodes.iter().map(|&node| child.node_name(node).unwrap().map(|name| name.to_string())).collect()
}

#[test]
fn a_child_that_is_set_brings_its_names() {
    let context = context();
    let child = |names: &[&str]| {
        let child = Graph::create(&context).unwrap();
        for name in names {
            let node = child.add_node(&[], &NodeWork::Empty).unwrap();
            child.set_node_name(node, name).unwrap();
        }
        child
    };
    let graph = Graph::create(&context).unwrap();
    let node = graph.add_node(&[], &NodeWork::Child(&child(&["a", "b"]))).unwrap();
    graph.set_node_name(node, "child").unwrap();
    graph.set_node(node, &NodeWork::Child(&child(&["c", "", "d"]))).unwrap();
    assert_eq!(names(&graph, node), [Some("c".into()), None, Some("d".into())]);
    graph.set_node(node, &NodeWork::Child(&child(&["", ""]))).unwrap();
    assert_eq!(names(&graph, node), [None, None]);
    assert_eq!(graph.node_name(node).unwrap().as_deref(), Some("child"));
}

#[test]
fn what_launches_state_is_written_and_read_back() {
    let context = context();
    let kernel = kernel(&context, "mix", &[8, 8, 4]);
    let buffers: Vec<_> = (0..4).map(|_| Buffer::allocate(&context, 64).unwrap()).collect();
    for (index, buffer) in buffers.iter().enumerate() {
        buffer.set_name(&format!("cell {index}")).unwrap();
    }
    let graph = Graph::create(&context).unwrap();
    let mut before = Vec::new();
    // The first two share a buffer whose halves they write; the last one reads, and writes another.
    let of = |buffer, offset, access, range| KernelArgument::Buffer {
        buffer,
        offset,
        access: Some(BufferAccess { access, range }),
    };
    for (target, range) in [(1, Some((0, 32))), (1, Some((32, 32))), (2, None)] {
        let (from, to) = (of(&buffers[0], 8, Access::Read, None), of(&buffers[target], 32, Access::Write, range));
        let arguments = [from, to, KernelArgument::Value(&[0; 4])];
        before = vec![graph.add_node(&before, &launch(&kernel, &arguments)).unwrap()];
    }
    let lanes = |graph: &Graph| optimize(graph, &OptimizeOptions::default()).unwrap().1.lanes;
    let text = graph.export_json().unwrap();
    assert!(text.contains(r#""access":{"does":"write","range":{"offset":"32","size":"32"}}"#), "{text}");
    assert!(text.contains(r#""access":{"does":"read"}"#), "{text}");
    let names: Vec<_> = (0..4).map(|index| format!("cell {index}")).collect();
    let mut bindings: Vec<_> = names
        .iter()
        .zip(&buffers)
        .map(|(name, buffer)| Binding { name, object: Bound::Buffer(buffer.clone()) })
        .collect();
    bindings.push(Binding { name: "mix", object: Bound::Kernel(kernel.clone()) });
    let again = Graph::import_json(&context, text.as_bytes(), &bindings).unwrap();
    assert_eq!(again.export_json().unwrap(), text);
    assert_eq!((lanes(&graph), lanes(&again)), (3, 3));
    // A clone and a child have it, and so have their texts.
    assert_eq!(graph.duplicate().unwrap().export_json().unwrap(), text);
    let parent = Graph::create(&context).unwrap();
    parent.add_node(&[], &NodeWork::Child(&graph)).unwrap();
    let of_parent = parent.export_json().unwrap();
    assert_eq!(of_parent.matches("\"access\"").count(), 6);
    let parent = Graph::import_json(&context, of_parent.as_bytes(), &bindings).unwrap();
    assert_eq!(parent.export_json().unwrap(), of_parent);
    // Ranges that the buffer does not have, and what is stated of no address.
    let refused = |text: &str, part: &str| {
        let error = Graph::import_json(&context, text.as_bytes(), &bindings).unwrap_err();
        assert!(error.status == Status::INVALID_VALUE && error.message.contains(part), "{error:?}");
    };
    refused(&text.replace(r#""offset":"32","size":"32""#, r#""offset":"33","size":"32""#), "beyond the 64 bytes");
    refused(&text.replace(r#""offset":"32","size":"32""#, r#""offset":"32","size":"0""#), "range is empty");
    refused(
        &text.replace(r#""bytes":"00000000""#, r#""bytes":"00000000","access":{"does":"read"}"#),
        "no address of a buffer",
    );
    refused(&text.replace(r#""does":"read""#, r#""does":"look""#), "look");
}

#[test]
fn nodes_that_allocate_and_free_are_read_back() {
    let context = context();
    let stream = Stream::create(&context, StreamOptions::default()).unwrap();
    let result = Buffer::allocate(&context, 64).unwrap();
    result.set_name("result").unwrap();
    let graph = Graph::create(&context).unwrap();
    // Set in memory of the graph, copied to the result, freed; and an allocation that stays.
    let (begin, scratch) = graph.add_allocation(&[], 64).unwrap();
    scratch.set_name("scratch").unwrap();
    let set = graph.add_node(&[begin], &fill(&scratch)).unwrap();
    let (from, to) = (CopySide::Buffer(&scratch, 0), CopySide::Buffer(&result, 0));
    let copied = graph.add_node(&[set], &copy(to, from)).unwrap();
    graph.add_node(&[copied], &NodeWork::Free(&scratch)).unwrap();
    let (left, _) = graph.add_allocation(&[copied], 4096).unwrap();
    graph.set_node_name(left, "left").unwrap();
    let text = graph.export_json().unwrap();
    let bindings = [Binding { name: "result", object: Bound::Buffer(result.clone()) }];
    let again = Graph::import_json(&context, text.as_bytes(), &bindings).unwrap();
    assert_eq!(again.export_json().unwrap(), text);
    assert_eq!(graph.diff(&again).unwrap(), "");
    let nodes = again.nodes().unwrap().nodes;
    let made = again.node_buffer(nodes[0]).unwrap();
    assert!(made.size() == 64 && made.name().as_deref() == Some("scratch"));
    assert_eq!(again.node_buffer(nodes[3]).unwrap().address(), made.address());
    let exec = again.instantiate().unwrap();
    exec.launch(&stream).unwrap();
    stream.synchronize().unwrap();
}

#[test]
fn allocations_of_texts_are_checked() {
    let context = context();
    let table =
        |memory: &str| format!(r#""memory":[{memory}],"kernels":[],"functions":[],"events":[],"conditions":[]"#);
    let scratch = r#"{"name":"scratch","kind":"allocation","bytes":"64"}"#;
    let (alloc, free) = (r#"{"kind":"mem_alloc","memory":0}"#, r#"{"kind":"mem_free","memory":0}"#);
    let refused = |memory: &str, nodes: &str| {
        let text = text(&table(memory), nodes);
        let error = Graph::import_json(&context, text.as_bytes(), &[]).map(drop).unwrap_err();
        assert_eq!(error.status, Status::INVALID_VALUE, "{}", error.message);
        error.message
    };
    assert!(refused(scratch, free).contains("no node before allocates \"scratch\""));
    assert!(refused(scratch, &format!("{alloc},{alloc}")).contains("another node allocates"));
    assert!(refused(r#"{"name":"scratch","kind":"allocation"}"#, alloc).contains("has no size"));
    assert!(refused(r#"{"name":"scratch","kind":"allocation","bytes":"0"}"#, alloc).contains("0 bytes"));
    assert!(refused(r#"{"name":"words","kind":"buffer","bytes":"64"}"#, alloc).contains("is no allocation"));
    assert!(refused(scratch, &format!("{alloc},{free},{free}")).starts_with("graph.nodes[2]"));
}

#[test]
fn names_with_a_byte_0_are_refused() {
    let context = context();
    let refused = |tables: &str, nodes: &str| {
        let text = text(tables, nodes);
        let error = Graph::import_json(&context, text.as_bytes(), &[]).map(drop).unwrap_err();
        assert!(error.status == Status::INVALID_VALUE && error.message.contains("byte 0"), "{}", error.message);
        error.message
    };
    let empty = r#""memory":[],"kernels":[],"functions":[],"events":[],"conditions":[]"#;
    assert!(
        refused(empty, r#"{"kind":"empty"},{"kind":"empty","name":"a\u0000b"}"#).starts_with("graph.nodes[1].name: ")
    );
    let functions = empty.replace(r#""functions":[]"#, r#""functions":[{"name":"f\u0000"}]"#);
    assert!(refused(&functions, r#"{"kind":"host","function":0}"#).starts_with("functions[0].name: "));
    let within = r#"{"kind":"child","graph":{"nodes":[{"kind":"empty","name":"\u0000"}],"edges":[]}}"#;
    assert!(refused(empty, within).starts_with("graph.nodes[0].graph.nodes[0].name: "));
}
