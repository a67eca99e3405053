//! The JSON text of one graph that has every kind of node, byte for byte.

use std::ffi::c_void;
use std::sync::Arc;

use graphcap::core::{
    Access, Binding, Bound, Buffer, BufferAccess, Context, Copy, CopySide, DotFlags, Event, Fill, Graph, HostBuffer,
    HostPointer, Kernel, KernelArgument, Module, NodeParams, NodeWork, Pitch, Scalar, Stream, StreamValue,
};
use graphcap::driver::{
    Comparison, Conditional, ConditionalKind, DeviceChoice, DeviceKind, EventOptions, HostBlock, HostFunction,
    HostKernel, HostMemoryOptions, LaunchAttribute, LaunchShape, MemoryKind, ModuleSource, NodeKind, ReadKernels,
    Snapshot, StreamOptions, Value, ValueAction,
};

/// The text as it was written first. It is read by graphcap of later versions, so it does not change.
const JSON: &str = include_str!("graph_of_every_kind.json");
/// The drawing with all that it tells.
const DOT: &str = include_str!("graph_of_every_kind.dot");

unsafe extern "C-unwind" fn do_nothing(_: *const HostBlock, _: *const *const c_void) -> i32 {
    0
}

fn kernel(context: &Context) -> Kernel {
    let sizes = Some(vec![8, 8, 4, 40]);
    let kernels = [HostKernel { name: "mixed".into(), function: do_nothing, parameter_sizes: sizes }];
    // SAFETY: the kernel looks at none of its arguments.
    let module =
        unsafe { Module::load(context, ModuleSource { host_kernels: &kernels, ..ModuleSource::default() }) }.unwrap();
    module.kernel("mixed").unwrap()
}

#[test]
fn the_texts_of_a_graph_of_every_kind_of_node_stay_as_they_are() {
    let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
    let weights = Buffer::allocate_as(&context, 4096, MemoryKind::Waitable).unwrap();
    weights.set_name("weights").unwrap();
    let unnamed = Buffer::allocate(&context, 1024).unwrap();
    let host = HostBuffer::allocate(&context, 512, HostMemoryOptions { mapped: true, ..Default::default() }).unwrap();
    let kernel = kernel(&context);
    let events = [(); 2].map(|()| Event::create(&context, EventOptions::default()).unwrap());
    events[0].set_name("done").unwrap();
    let stream = Stream::create(&context, StreamOptions::default()).unwrap();
    let rows = Scalar::create(&stream, 3_u32).unwrap();
    rows.buffer().set_name("rows").unwrap();

    let graph = Graph::create(&context).unwrap();
    graph.set_name("every kind").unwrap();
    let empty = graph.add_node(&[], &NodeWork::Empty).unwrap();
    graph.set_node_name(empty, "start").unwrap();

    let mut wide = [0x11; 40];
    wide[8..16].copy_from_slice(&(weights.address() + 24).to_ne_bytes());
    let stated = |access, range| Some(BufferAccess { access, range });
    let argument = |buffer, offset, access| KernelArgument::Buffer { buffer, offset, access };
    let arguments = [
        argument(&weights, 8, stated(Access::Read, Some((8, 64)))),
        argument(&unnamed, 0, stated(Access::ReadWrite, None)),
        KernelArgument::Value(&[1, 2, 3, 4]),
        KernelArgument::Value(&wide),
    ];
    let mut carveout = [0; 64];
    carveout[0] = 50;
    let shape = LaunchShape { grid: [3, 1, 2], block: [32, 4, 1], shared_mem_bytes: 16 };
    let attributes = [LaunchAttribute { id: 14, value: carveout }];
    let work = NodeWork::Kernel { kernel: &kernel, shape, arguments: &arguments, attributes: &attributes };
    let plain = Graph::create(&context).unwrap();
    let without = NodeWork::Kernel { kernel: &kernel, shape, arguments: &arguments, attributes: &[] };
    plain.add_node(&[], &without).unwrap();
    assert!(!plain.may_have_attributes().unwrap());
    let launch = graph.add_node(&[empty], &work).unwrap();
    assert!(graph.may_have_attributes().unwrap());
    graph.set_node_grid(launch, 0, &rows).unwrap();

    let snapshot: Snapshot = Arc::new((0..=255).collect());
    let mut memory = [0_u8; 256];
    // SAFETY: no exec is made of the graph, so nothing reads or writes there.
    let plain = unsafe { HostPointer::new(memory.as_mut_ptr().cast()) };
    let pitch = |bytes, slice_height| Pitch { bytes, slice_height };
    let one = Copy {
        destination: CopySide::Buffer(&weights, 16),
        destination_pitch: Pitch::default(),
        source: CopySide::Snapshot(&snapshot),
        source_pitch: Pitch::default(),
        width: 8,
        height: 1,
        depth: 1,
    };
    let slices = Copy { destination_pitch: pitch(32, 4), source_pitch: pitch(16, 0), height: 2, depth: 2, ..one };
    for copy in [
        slices,
        Copy { source: CopySide::Buffer(&unnamed, 0), ..one },
        Copy { destination: CopySide::HostBuffer(&host, 4), source: CopySide::Buffer(&weights, 0), ..one },
        Copy { destination: CopySide::Host(plain), source: CopySide::HostBuffer(&host, 0), ..one },
    ] {
        graph.add_node(&[empty], &NodeWork::Memcpy(copy)).unwrap();
    }

    let fill = Fill { buffer: &weights, offset: 4, value: 0xabcd, element_size: 2, width: 5, height: 3, pitch: 64 };
    graph.add_node(&[launch], &NodeWork::Memset(fill)).unwrap();
    let function: HostFunction = Arc::new(|| ());
    let call = graph.add_node(&[], &NodeWork::Host(&function)).unwrap();
    graph.set_node_name(call, "call").unwrap();

    let wait = |comparison, flush| ValueAction::Wait { comparison, flush };
    let operations = [
        (Value::U32(1), ValueAction::Write { barrier: true }),
        (Value::U64(u64::MAX), ValueAction::Write { barrier: false }),
        (Value::U32(2), wait(Comparison::GreaterOrEqual, false)),
        (Value::U32(3), wait(Comparison::Equal, false)),
        (Value::U64(4), wait(Comparison::And, false)),
        (Value::U64(5), wait(Comparison::Nor, false)),
    ];
    let operations = operations.map(|(value, action)| StreamValue { buffer: &weights, offset: 128, value, action });
    graph.add_node(&[], &NodeWork::Values(&operations)).unwrap();
    graph.add_node(&[call], &NodeWork::EventRecord(&events[0])).unwrap();
    graph.add_node(&[], &NodeWork::EventWait(&events[1])).unwrap();

    let child = Graph::create(&context).unwrap();
    let first = child.add_node(&[], &NodeWork::Memset(Fill { buffer: &unnamed, ..fill })).unwrap();
    child.add_node(&[first], &NodeWork::Empty).unwrap();
    let child = graph.add_node(&[empty, call], &NodeWork::Child(&child)).unwrap();
    for (kind, bodies) in [(ConditionalKind::If, 2), (ConditionalKind::While, 1), (ConditionalKind::Switch, 3)] {
        let condition = graph.create_condition(bodies).unwrap();
        let node = graph.add_node(&[child], &NodeWork::Conditional(Conditional { condition, kind, bodies })).unwrap();
        graph.node_graphs(node).unwrap()[0].add_node(&[], &NodeWork::Empty).unwrap();
    }
    let (allocation, allocated) = graph.add_allocation(&[], 256).unwrap();
    graph.set_node_name(allocation, "scratch").unwrap();
    graph.add_node(&[allocation], &NodeWork::Free(&allocated)).unwrap();

    assert_eq!(graph.export_json().unwrap(), JSON);
    let flags = DotFlags(DotFlags::ALL.0 & !(DotFlags::HANDLES.0 | DotFlags::VERBOSE.0));
    assert_eq!(graph.export_dot(flags).unwrap(), DOT);

    let nodes = graph.nodes().unwrap().nodes;
    for (kernels, of_launch) in [
        (ReadKernels::All, graph.node_params(launch).unwrap()),
        (ReadKernels::Own, graph.node_params(launch).unwrap()),
        (ReadKernels::None, NodeParams::Other(NodeKind::Kernel)),
    ] {
        let all = graph.all_node_params_of(kernels).unwrap();
        assert!(all.iter().map(|(node, _)| *node).eq(nodes.iter().copied()), "in their order");
        for (node, params) in all {
            assert_eq!(params, if node == launch { of_launch.clone() } else { graph.node_params(node).unwrap() });
        }
    }

    let host_memory = Bound::Host(plain, memory.len());
    let bindings = [
        ("rows", Bound::Buffer(rows.buffer().clone())),
        ("weights", Bound::Buffer(weights.clone())),
        ("buffer 2", Bound::Buffer(unnamed.clone())),
        ("host buffer 4", Bound::HostBuffer(host.clone())),
        ("host memory 5", host_memory),
        ("mixed", Bound::Kernel(kernel.clone())),
        ("call", Bound::Function(function.clone())),
        ("done", Bound::Event(events[0].clone())),
        ("event 1", Bound::Event(events[1].clone())),
    ];
    let bindings = bindings.map(|(name, object)| Binding { name, object });
    let again = Graph::import_json(&context, JSON.as_bytes(), &bindings).unwrap();
    assert_eq!(again.export_json().unwrap(), JSON);
    assert_eq!(graph.diff(&again).unwrap(), "");
}
