//! Graphs as JSON text, written and read back: random graphs, texts that are wrong, texts that are hostile.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::Arc;

use graphcap::core::{
    Binding, Bound, Buffer, Context, Copy, CopySide, DotFlags, Event, Fill, Graph, HostBuffer, Kernel, KernelArgument,
    Module, NodeWork, Pitch, StreamValue, JSON_LIMIT,
};
use graphcap::driver::{
    Comparison, Conditional, ConditionalKind, DeviceChoice, DeviceKind, EventOptions, HostBlock, HostFunction,
    HostKernel, HostMemoryOptions, LaunchAttribute, LaunchShape, MemoryKind, ModuleSource, NodeId, Snapshot, Value,
    ValueAction,
};
use graphcap::Status;

use crate::random::Random;

unsafe extern "C-unwind" fn do_nothing(_: *const HostBlock, _: *const *const c_void) -> i32 {
    0
}

/// The objects that nodes of random graphs use.
struct Bed {
    context: Context,
    buffers: Vec<Buffer>,
    host: HostBuffer,
    kernels: Vec<Kernel>,
    events: Vec<Event>,
    functions: Vec<HostFunction>,
    /// Held by each function.
    alive: Arc<()>,
}

impl Bed {
    fn new() -> Bed {
        let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
        let buffers: Vec<_> =
            (0..4).map(|_| Buffer::allocate_as(&context, 4096, MemoryKind::Waitable).unwrap()).collect();
        buffers[0].set_name("weights").unwrap();
        buffers[1].set_name("a \"b\"\\\n\u{1F980}").unwrap();
        buffers[2].set_name("other").unwrap();
        let host =
            HostBuffer::allocate(&context, 4096, HostMemoryOptions { mapped: true, ..Default::default() }).unwrap();
        let kernel = |name: &str, sizes: Vec<usize>| HostKernel {
            name: name.into(),
            function: do_nothing,
            parameter_sizes: Some(sizes),
        };
        let kernels = [
            kernel("pointers", vec![8, 8]),
            kernel("mixed", vec![8, 4, 1]),
            kernel("wide", vec![40]),
            kernel("none", vec![]),
        ];
        // SAFETY: the kernels look at none of their arguments.
        let module =
            unsafe { Module::load(&context, ModuleSource { host_kernels: &kernels, ..ModuleSource::default() }) }
                .unwrap();
        let kernels = kernels.iter().map(|kernel| module.kernel(&kernel.name).unwrap()).collect();
        let events: Vec<_> = (0..2).map(|_| Event::create(&context, EventOptions::default()).unwrap()).collect();
        events[0].set_name("done").unwrap();
        let alive = Arc::new(());
        let functions = (0..3)
            .map(|_| -> HostFunction {
                let alive = Arc::clone(&alive);
                Arc::new(move || drop(Arc::clone(&alive)))
            })
            .collect();
        Bed { context, buffers, host, kernels, events, functions, alive }
    }

    /// Reads a text back, with whatever it has names for bound.
    fn import(&self, text: &str) -> graphcap::Result<Graph> {
        let document: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
        let names = |table: &str| -> Vec<(String, String)> {
            let entries = document[table].as_array().cloned().unwrap_or_default();
            let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
            entries.iter().map(|entry| (text(&entry["name"]), text(&entry["kind"]))).collect()
        };
        let functions = names("functions");
        let made: HashMap<&str, &HostFunction> =
            functions.iter().map(|(name, _)| name.as_str()).zip(self.functions.iter().cycle()).collect();
        // Each name its own function, so that those of different names stay different ones.
        let own: Vec<(&str, HostFunction)> = made
            .iter()
            .map(|(&name, &function)| -> (&str, HostFunction) {
                let function = Arc::clone(function);
                let call = move || assert_eq!(function.call(), None);
                (name, Arc::new(call))
            })
            .collect();
        let mut bindings: Vec<_> =
            own.iter().map(|(name, function)| Binding { name, object: Bound::Function(function.clone()) }).collect();
        let memory = names("memory");
        for (name, kind) in &memory {
            let named = |buffer: &&Buffer| buffer.name().is_some_and(|own| *own == **name);
            let object = match kind.as_str() {
                "buffer" => Bound::Buffer(self.buffers.iter().find(named).unwrap_or(&self.buffers[3]).clone()),
                _ => Bound::HostBuffer(self.host.clone()),
            };
            bindings.push(Binding { name, object });
        }
        let kernels = names("kernels");
        for (name, _) in &kernels {
            if let Some(kernel) = self.kernels.iter().find(|kernel| kernel.name() == name) {
                bindings.push(Binding { name, object: Bound::Kernel(kernel.clone()) });
            }
        }
        let events = names("events");
        for (name, _) in &events {
            let at = usize::from(name != "done");
            bindings.push(Binding { name, object: Bound::Event(self.events[at].clone()) });
        }
        let mut seen = std::collections::HashSet::new();
        bindings.retain(|binding| seen.insert((binding.name, std::mem::discriminant(&binding.object))));
        Graph::import_json(&self.context, text.as_bytes(), &bindings)
    }

    /// Fills a graph with nodes of all kinds. Conditions are of `root`, which no other graph copies.
    fn fill(&self, graph: &Graph, root: Option<&Graph>, depth: usize, random: &mut Random) {
        let mut nodes: Vec<NodeId> = Vec::new();
        for _ in 0..random.below(9) {
            let mut before: Vec<NodeId> = Vec::new();
            for _ in 0..random.below(3).min(nodes.len()) {
                let node = nodes[random.below(nodes.len())];
                if !before.contains(&node) {
                    before.push(node);
                }
            }
            let node = self.add(graph, root, &before, depth, random);
            if random.below(3) == 0 {
                let name = ["first", "same", "same", "\"", "sl\u{e4}w\n"][random.below(5)];
                graph.set_node_name(node, name).unwrap();
            }
            nodes.push(node);
        }
        // Also against the order in which the nodes were made, where that makes no cycle.
        if let ([first, .., last], 0) = (&nodes[..], random.below(2)) {
            if graph.add_dependencies(&[(*last, *first)]).is_ok() && graph.order().is_err() {
                graph.remove_dependencies(&[(*last, *first)]).unwrap();
            }
        }
    }

    fn add(&self, graph: &Graph, root: Option<&Graph>, before: &[NodeId], depth: usize, random: &mut Random) -> NodeId {
        let buffer = &self.buffers[random.below(4)];
        let offset = 16 * random.below(8);
        let add = |work: &NodeWork<'_>| graph.add_node(before, work).unwrap();
        match random.below(10) {
            0 => add(&NodeWork::Empty),
            1 | 2 => self.add_kernel(graph, before, random),
            3 => {
                let height = 1 + random.below(2);
                let fill = Fill {
                    buffer,
                    offset,
                    value: 7,
                    element_size: [1, 2, 4][random.below(3)],
                    width: 5,
                    height,
                    pitch: 64,
                };
                add(&NodeWork::Memset(Fill { pitch: if height == 1 { 0 } else { 64 }, ..fill }))
            }
            4 => {
                let snapshot: Snapshot = Arc::new((0..=255).collect());
                let other = &self.buffers[random.below(4)];
                let source = match random.below(3) {
                    0 => CopySide::Buffer(other, 2048 + offset),
                    1 => CopySide::HostBuffer(&self.host, offset),
                    _ => CopySide::Snapshot(&snapshot),
                };
                let (height, depth) = [(1, 1), (3, 1), (2, 2)][random.below(3)];
                let pitch = |bytes, slice_height| Pitch { bytes, slice_height };
                add(&NodeWork::Memcpy(Copy {
                    destination: CopySide::Buffer(buffer, offset),
                    destination_pitch: if height == 1 {
                        Pitch::default()
                    } else {
                        pitch(32, if depth == 1 { 0 } else { 4 })
                    },
                    source,
                    source_pitch: Pitch::default(),
                    width: 8,
                    height,
                    depth,
                }))
            }
            5 => add(&NodeWork::Host(&self.functions[random.below(3)])),
            6 => {
                let barrier = random.below(2) == 0;
                let wait = ValueAction::Wait { comparison: Comparison::Nor, flush: false };
                let value = |value, action| StreamValue { buffer, offset, value, action };
                let all = [value(Value::U32(1), ValueAction::Write { barrier }), value(Value::U64(u64::MAX), wait)];
                add(&NodeWork::Values(&all[..1 + random.below(2)]))
            }
            7 => {
                let event = &self.events[random.below(2)];
                let work = [NodeWork::EventRecord(event), NodeWork::EventWait(event)][random.below(2)];
                add(&work)
            }
            8 if depth > 0 => {
                let child = Graph::create(&self.context).unwrap();
                self.fill(&child, None, depth - 1, random);
                add(&NodeWork::Child(&child))
            }
            9 if depth > 0 && root.is_some() => {
                let condition = root.unwrap().create_condition([0, 2][random.below(2)]).unwrap();
                let (kind, bodies) =
                    [(ConditionalKind::If, 2), (ConditionalKind::While, 1), (ConditionalKind::Switch, 3)]
                        [random.below(3)];
                let node = add(&NodeWork::Conditional(Conditional { condition, kind, bodies }));
                for body in graph.node_graphs(node).unwrap() {
                    // What bodies cannot have is refused when an exec is made, and not before.
                    self.fill(&body, root, depth - 1, random);
                }
                node
            }
            _ => add(&NodeWork::Empty),
        }
    }

    fn add_kernel(&self, graph: &Graph, before: &[NodeId], random: &mut Random) -> NodeId {
        let buffer = |random: &mut Random| KernelArgument::Buffer {
            buffer: &self.buffers[random.below(4)],
            // Up to one past the last byte.
            offset: [0, 8, 4096][random.below(3)],
            access: None,
        };
        let number = random.below(4);
        let mut wide = [0x11u8; 40];
        wide[8..16].copy_from_slice(&(self.buffers[0].address() + 24).to_ne_bytes());
        wide[32..].copy_from_slice(&self.host.device_address().unwrap().to_ne_bytes());
        let arguments = match number {
            0 => vec![buffer(random), buffer(random)],
            1 => vec![buffer(random), KernelArgument::Value(&[1, 2, 3, 4]), KernelArgument::Value(&[255])],
            2 => vec![KernelArgument::Value(&wide)],
            _ => vec![],
        };
        let mut priority = [0; 64];
        priority[0] = 1;
        let attributes = [LaunchAttribute { id: 8, value: priority }];
        let work = NodeWork::Kernel {
            kernel: &self.kernels[number],
            shape: LaunchShape { grid: [1 + random.below(3) as u32, 1, 2], block: [32, 1, 1], shared_mem_bytes: 16 },
            arguments: &arguments,
            attributes: &attributes[..random.below(2)],
        };
        graph.add_node(before, &work).unwrap()
    }

    fn random_graph(&self, seed: u64) -> Graph {
        let graph = Graph::create(&self.context).unwrap();
        let mut random = Random(seed);
        if random.below(2) == 0 {
            graph.set_name("whole").unwrap();
        }
        self.fill(&graph, Some(&graph), 3, &mut random);
        graph
    }
}

#[test]
fn random_graphs_are_written_read_back_and_written_alike() {
    let bed = Bed::new();
    let mut lines = 0;
    for seed in 0..400 {
        let graph = bed.random_graph(seed);
        let text = graph.export_json().unwrap();
        lines += text.lines().count();
        let again = bed.import(&text).unwrap_or_else(|error| panic!("{seed}: {}\n{text}", error.message));
        assert_eq!(again.export_json().unwrap(), text, "{seed}");
        let flags = DotFlags(DotFlags::ALL.0 & !(DotFlags::HANDLES.0 | DotFlags::VERBOSE.0));
        assert_eq!(again.export_dot(flags).unwrap(), graph.export_dot(flags).unwrap(), "{seed}");
        // Each host node of the import calls a function of its own.
        let diff = graph.diff(&again).unwrap();
        assert!(diff.lines().all(|line| line.contains(": function ")), "{seed}: {diff}");
        assert_eq!(diff.lines().count(), text.matches("\"kind\":\"host\"").count(), "{seed}: {diff}");
        // A graph with conditions has no copy.
        if let Ok(copy) = graph.duplicate() {
            assert_eq!(copy.export_json().unwrap(), text, "{seed}");
        }
    }
    assert!(lines > 8000, "the graphs are not as large as they should be: {lines} lines");
}

#[test]
fn what_is_imported_runs_and_keeps_what_it_uses() {
    use graphcap::core::Stream;
    use graphcap::driver::StreamOptions;
    use std::sync::atomic::{AtomicU32, Ordering};
    let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
    let stream = Stream::create(&context, StreamOptions::default()).unwrap();
    let (buffer, unused) = (Buffer::allocate(&context, 64).unwrap(), Buffer::allocate(&context, 64).unwrap());
    let graph = Graph::create(&context).unwrap();
    let fill = Fill { buffer: &buffer, offset: 8, value: 0x01020304, element_size: 4, width: 2, height: 1, pitch: 0 };
    let node = graph.add_node(&[], &NodeWork::Memset(fill)).unwrap();
    let nothing: HostFunction = Arc::new(|| ());
    graph.add_node(&[node], &NodeWork::Host(&nothing)).unwrap();
    let text = graph.export_json().unwrap();
    drop(graph);
    let calls = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&calls);
    let function: HostFunction = Arc::new(move || {
        counted.fetch_add(1, Ordering::SeqCst);
    });
    let bindings = [
        Binding { name: "buffer 0", object: Bound::Buffer(buffer.clone()) },
        Binding { name: "function 0", object: Bound::Function(function.clone()) },
        Binding { name: "none", object: Bound::Buffer(unused.clone()) },
    ];
    let graph = Graph::import_json(&context, text.as_bytes(), &bindings).unwrap();
    drop((bindings, function));
    let exec = graph.instantiate().unwrap();
    drop(graph);
    exec.launch(&stream).unwrap();
    stream.synchronize().unwrap();
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    let mut read = [0u8; 24];
    // SAFETY: the memory lives as long as the copy.
    let to = unsafe { graphcap::core::HostPointer::new(read.as_mut_ptr().cast()) };
    let copy = Copy {
        destination: CopySide::Host(to),
        destination_pitch: Pitch::default(),
        source: CopySide::Buffer(&buffer, 0),
        source_pitch: Pitch::default(),
        width: 24,
        height: 1,
        depth: 1,
    };
    stream.memcpy(&copy).unwrap();
    stream.synchronize().unwrap();
    assert_eq!(read[8..16], [4, 3, 2, 1, 4, 3, 2, 1]);
    drop(exec);
    assert_eq!(Arc::strong_count(&calls), 1, "nothing keeps the function");
}

/// A text with this in the place of its lists.
fn text(memory: &str, others: &str, nodes: &str, edges: &str) -> String {
    let others = match others {
        "" => r#""kernels":[],"functions":[],"events":[],"conditions":[]"#,
        others => others,
    };
    format!(
        "{{\"format\":\"graphcap graph\",\"version\":1,\n\"memory\":[{memory}],\n{others},\n\"graph\":{{\"nodes\":[\n{nodes}],\n\"edges\":[{edges}]}}}}"
    )
}

const SET: &str = r#"{"kind":"memset","at":{"memory":0,"offset":"0"},"value":1,"element_size":4,"width":"1","height":"1","pitch":"0"}"#;
const WEIGHTS: &str = r#"{"name":"weights","kind":"buffer","bytes":"4096"}"#;

#[test]
fn wrong_texts_are_told_with_the_place() {
    let bed = Bed::new();
    let kernels = r#""kernels":[{"name":"mixed"}],"functions":[],"events":[],"conditions":[]"#;
    let kernel = |arguments: &str| {
        format!(
            r#"{{"kind":"kernel","kernel":0,"grid":[1,1,1],"block":[1,1,1],"shared_mem_bytes":0,"arguments":{arguments}}}"#
        )
    };
    let address = bed.buffers[0].address().to_ne_bytes().map(|byte| format!("{byte:02x}")).concat();
    let child = |graph: &str| format!(r#"{{"kind":"child","graph":{graph}}}"#);
    let mut deep = r#"{"nodes":[],"edges":[]}"#.to_owned();
    for _ in 0..16 {
        deep = format!(r#"{{"nodes":[{}],"edges":[]}}"#, child(&deep));
    }
    let cases = [
        (Status::INVALID_VALUE, String::new(), "line 1 column 0"),
        (Status::INVALID_VALUE, "{}".into(), "format"),
        (Status::INVALID_VALUE, r#"{"format":"other","version":1}"#.into(), "\"other\""),
        (Status::INVALID_VALUE, r#"{"format":"graphcap graph","version":2}"#.into(), "version 2"),
        (Status::INVALID_VALUE, text("", "", "{\"kind\":\"empty\"},\n{\"kind\":\"odd\"}", ""), "line 6"),
        (Status::INVALID_VALUE, text("", "", r#"{"kind":"empty","color":1}"#, ""), "color"),
        (Status::INVALID_VALUE, text("", "", r#"{"name":"x"}"#, ""), "kind"),
        (
            Status::INVALID_VALUE,
            text("", "", r#"{"kind":"empty"}"#, "[0,1]"),
            "graph.edges[0]: the edge leads from node 0 to node 1",
        ),
        (Status::INVALID_VALUE, text("", "", r#"{"kind":"empty"}"#, "[0,0]"), "graph.edges: "),
        (
            Status::INVALID_VALUE,
            text("", "", r#"{"kind":"empty"},{"kind":"empty"}"#, "[0,1],[0,1]"),
            "graph.nodes[1]: ",
        ),
        (Status::INVALID_VALUE, text("", "", SET, ""), "graph.nodes[0].at: the text lists no memory 0"),
        (Status::INVALID_VALUE, text(WEIGHTS, "", &SET.replace("\"0\"}", "\"00\"}"), ""), "decimal number"),
        (Status::INVALID_VALUE, text(WEIGHTS, "", &SET.replace("\"0\"}", "\"-1\"}"), ""), "decimal number"),
        (Status::INVALID_VALUE, text(WEIGHTS, "", &SET.replace("\"0\"}", "\"4093\"}"), ""), "graph.nodes[0]: "),
        (
            Status::INVALID_VALUE,
            text(&WEIGHTS.replace("4096", "4097"), "", SET, ""),
            "graph.nodes[0].at: \"weights\" has 4097 bytes",
        ),
        (Status::INVALID_VALUE, text(&WEIGHTS.replace("buffer", "snapshot"), "", SET, ""), "graph.nodes[0].at"),
        (
            Status::INVALID_VALUE,
            text(&WEIGHTS.replace("buffer", "allocation"), "", SET, ""),
            "graph.nodes[0].at: no node before allocates \"weights\"",
        ),
        (Status::NOT_SUPPORTED, text("", "", r#"{"kind":"opaque","of":"other"}"#, ""), "graph.nodes[0]"),
        (
            Status::NOT_FOUND,
            text(
                "",
                r#""kernels":[{"name":"nix"}],"functions":[],"events":[],"conditions":[]"#,
                &kernel(r#"{"separate":[]}"#),
                "",
            ),
            "\"nix\"",
        ),
        (
            Status::INVALID_VALUE,
            text("", kernels, &kernel(r#"{"separate":[]}"#), ""),
            "graph.nodes[0]: kernel \"mixed\" takes 3 arguments",
        ),
        (
            Status::INVALID_VALUE,
            text("", kernels, &kernel(r#"{"separate":[{"bytes":"0g"}]}"#), ""),
            "pairs of the digits",
        ),
        (
            Status::INVALID_VALUE,
            text(
                "",
                kernels,
                &kernel(&format!(
                    r#"{{"separate":[{{"bytes":"{address}"}},{{"bytes":"00000000"}},{{"bytes":"00"}}]}}"#
                )),
                "",
            ),
            "graph.nodes[0].arguments[0].bytes: the 8 bytes from 0 on are an address",
        ),
        (
            Status::INVALID_VALUE,
            text(
                WEIGHTS,
                kernels,
                &kernel(
                    r#"{"separate":[{"bytes":"0000000000000000","addresses":[{"at":1,"to":{"memory":{"memory":0,"offset":"0"}}}]}]}"#,
                ),
                "",
            ),
            "graph.nodes[0].arguments[0].addresses[0]: 8 bytes from 1 on",
        ),
        (Status::NOT_SUPPORTED, text("", kernels, &kernel(r#""unknown""#), ""), "graph.nodes[0].arguments"),
        (Status::NOT_SUPPORTED, text("", "", &child(&deep), ""), "16 deep"),
        (
            Status::INVALID_VALUE,
            r#"{"format":"graphcap graph","version":1,"graph":"#.to_owned() + &"[".repeat(4000),
            "EOF while parsing a list at line 1 column 4047",
        ),
        (
            Status::INVALID_VALUE,
            text("", "", &child(r#"{"nodes":[{"kind":"host","function":3}],"edges":[]}"#), ""),
            "graph.nodes[0].graph.nodes[0]: the text lists no function 3",
        ),
    ];
    for (status, text, told) in cases {
        match bed.import(&text).map(drop) {
            Ok(()) => panic!("{told} was expected of {text}"),
            Err(error) => assert!(
                error.status == status && error.message.contains(told),
                "{told}: {} {}",
                error.status.0,
                error.message
            ),
        }
    }
    let large = vec![b' '; JSON_LIMIT + 1];
    let error = Graph::import_json(&bed.context, &large, &[]).map(drop).unwrap_err();
    assert!(error.status == Status::INVALID_VALUE && error.message.contains("67108865 bytes"), "{}", error.message);
    let twice = [0, 1].map(|which| Binding { name: "x", object: Bound::Event(bed.events[which].clone()) });
    let error = Graph::import_json(&bed.context, text("", "", "", "").as_bytes(), &twice).map(drop).unwrap_err();
    assert!(error.message.contains("two bindings"), "{}", error.message);
}

/// Objects that are bound to a text of another graph.
#[test]
fn what_is_bound_must_fit() {
    let bed = Bed::new();
    let (other_bed, text) = (Bed::new(), text(WEIGHTS, "", SET, ""));
    let import =
        |object| Graph::import_json(&bed.context, text.as_bytes(), &[Binding { name: "weights", object }]).map(drop);
    assert_eq!(import(Bound::Buffer(bed.buffers[3].clone())), Ok(()));
    assert_eq!(import(Bound::HostBuffer(bed.host.clone())).unwrap_err().status, Status::INVALID_VALUE);
    assert_eq!(import(Bound::Buffer(other_bed.buffers[3].clone())), Ok(()), "of another context");
    assert_eq!(import(Bound::Event(bed.events[0].clone())).unwrap_err().status, Status::NOT_FOUND);
}

/// Damages a text in one place.
fn damage(text: &mut Vec<u8>, random: &mut Random) {
    if text.is_empty() {
        return;
    }
    const BYTES: &[u8] = b"0123456789\"{}[],:-.aefnlmx\\ \xff\x00";
    let at = random.below(text.len());
    let length = (1 + random.below(12)).min(text.len() - at);
    match random.below(6) {
        0 => drop(text.drain(at..at + length)),
        1 => {
            let copied = text[at..at + length].to_vec();
            let to = random.below(text.len());
            drop(text.splice(to..to, copied));
        }
        2 => text.truncate(at),
        3 => text.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << random.below(8)),
        4 => {
            // Another number in the place of one.
            let digits: Vec<usize> = (0..text.len()).filter(|&at| text[at].is_ascii_digit()).collect();
            if let Some(&at) = digits.get(random.below(digits.len().max(1))) {
                let number: &[u8] =
                    [&b"9"[..], b"-1", b"18446744073709551615", b"4294967296", b"1e300", b"0"][random.below(6)];
                drop(text.splice(at..=at, number.iter().copied()));
            }
        }
        _ => text.iter_mut().skip(at).take(1).for_each(|byte| *byte = BYTES[random.below(BYTES.len())]),
    }
}

#[test]
fn hostile_texts_are_refused_or_make_a_graph_and_leave_nothing() {
    let bed = Bed::new();
    let functions: Vec<_> = bed.functions.iter().map(Arc::strong_count).collect();
    let rounds = if std::env::var_os("GRAPHCAP_SOAK").is_some() { 200_000 } else { 1500 };
    let (mut made, mut refused) = (0, 0);
    for seed in 0..rounds {
        let mut random = Random(seed);
        let graph = bed.random_graph(seed % 50);
        let mut json = graph.export_json().unwrap().into_bytes();
        for _ in 0..=random.below(3) {
            damage(&mut json, &mut random);
        }
        match bed.import(&String::from_utf8_lossy(&json)) {
            Ok(graph) => {
                made += 1;
                let text = graph.export_json().unwrap();
                graph.export_dot(DotFlags::ALL).unwrap();
                assert_eq!(bed.import(&text).unwrap().export_json().unwrap(), text, "{seed}");
            }
            Err(error) => {
                refused += 1;
                assert!(!error.message.is_empty());
            }
        }
        // The bytes as they are, which may be no UTF-8, with nothing bound.
        drop(Graph::import_json(&bed.context, &json, &[]));
    }
    assert!(made > rounds as usize / 50 && refused > rounds as usize / 2, "{made} made, {refused} refused");
    assert_eq!(bed.functions.iter().map(Arc::strong_count).collect::<Vec<_>>(), functions);
    let Bed { context, functions, alive, .. } = bed;
    drop(functions);
    assert_eq!(Arc::strong_count(&alive), 1);
    drop(context);
}
