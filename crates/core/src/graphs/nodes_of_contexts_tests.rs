//! Graphs built by hand with nodes of several contexts of one family.

use std::sync::Arc;

use crate::faulty::Faulty;
use crate::{Buffer, Context, Copy, CopySide, Event, Fill, Graph, KernelArgument, NodeWork, Stream, StreamValue};
use graphcap_base::error::Status;
use graphcap_driver::{EventOptions, LaunchShape, MemoryKind, ModuleSource, StreamOptions, Value, ValueAction};

fn fill(buffer: &Buffer) -> NodeWork<'_> {
    NodeWork::Memset(Fill { buffer, offset: 0, value: 1, element_size: 4, width: 1, height: 1, pitch: 0 })
}

fn world() -> (Arc<Faulty>, [Context; 2]) {
    let (driver, home) = Faulty::context();
    let other = driver.another_context();
    (driver, [home, other])
}

#[test]
fn nodes_keep_what_they_use_of_other_contexts() {
    for is_set in [false, true] {
        let (driver, [home, other]) = world();
        let streams = [&home, &other].map(|context| Stream::create(context, StreamOptions::default()).unwrap());
        let graph = Graph::create(&home).unwrap();
        let own = Buffer::allocate(&home, 64).unwrap();
        let theirs: Vec<Buffer> = (0..3).map(|_| Buffer::allocate(&other, 64).unwrap()).collect();
        let event = Event::create(&other, EventOptions::default()).unwrap();
        let module = Faulty::load(&other, ModuleSource::default());
        let kernel = module.kernel("k").unwrap();
        let arguments =
            [KernelArgument::Buffer { buffer: &theirs[1], offset: 0, access: None }, KernelArgument::Value(&[0; 4])];
        let shape = LaunchShape::ONE_THREAD;
        let launch = NodeWork::Kernel { kernel: &kernel, shape, arguments: &arguments, attributes: &[] };
        let copy = Copy {
            height: 1,
            depth: 1,
            width: 4,
            destination: CopySide::Buffer(&own, 0),
            destination_pitch: Default::default(),
            source: CopySide::Buffer(&theirs[2], 0),
            source_pitch: Default::default(),
        };
        let works = [fill(&theirs[0]), launch, NodeWork::Memcpy(copy), NodeWork::EventRecord(&event)];
        if is_set {
            let first = graph.add_node(&[], &fill(&own)).unwrap();
            graph.set_node(first, &works[0]).unwrap();
            for work in &works[1..] {
                graph.add_node(&[first], work).unwrap();
            }
        } else {
            for work in &works {
                graph.add_node(&[], work).unwrap();
            }
        }
        let exec = graph.instantiate().unwrap();
        let other_is_there = other.downgrade();
        let addresses: Vec<_> = theirs.iter().map(Buffer::address).collect();
        drop((graph, theirs, event, module, kernel, other));
        streams.iter().for_each(|stream| exec.launch(stream).unwrap());
        assert!(addresses.iter().all(|&address| driver.is_allocated(address)));
        drop(exec);
        assert!(!addresses.iter().any(|&address| driver.is_allocated(address)));
        let users: Vec<_> = streams.iter().map(Stream::id).collect();
        let told = driver.released().into_iter().filter(|(address, _)| addresses.contains(address));
        assert!(told.map(|(_, told)| told).all(|told| told == users), "the launches in both contexts");
        drop((streams, own, home));
        assert!(other_is_there.is_gone());
        assert_eq!((driver.live(), driver.violations()), (0, vec![]));
    }
}

#[test]
fn nodes_of_execs_keep_what_they_are_set_to_use() {
    let (driver, [home, other]) = world();
    let stream = Stream::create(&home, StreamOptions::default()).unwrap();
    let graph = Graph::create(&home).unwrap();
    let own = Buffer::allocate(&home, 64).unwrap();
    let theirs = Buffer::allocate(&other, 64).unwrap();
    let address = theirs.address();
    let node = graph.add_node(&[], &fill(&own)).unwrap();
    let exec = graph.instantiate().unwrap();
    exec.set_node(node, &fill(&theirs)).unwrap();
    drop((theirs, other));
    exec.launch(&stream).unwrap();
    assert!(driver.is_allocated(address));
    exec.set_node(node, &fill(&own)).unwrap();
    assert!(!driver.is_allocated(address));
    assert_eq!(driver.violations(), Vec::<String>::new());
}

#[test]
fn objects_of_other_families_and_graphs_of_other_contexts_are_refused() {
    let (_driver, [home, other]) = world();
    let (_stranger, strange) = Faulty::context();
    let graph = Graph::create(&home).unwrap();
    let refused = |work: &NodeWork<'_>, said: &str| {
        let error = graph.add_node(&[], work).unwrap_err();
        assert!(error.status == Status::INVALID_CONTEXT && error.message.contains(said), "{error}");
    };
    let theirs = Buffer::allocate_as(&strange, 64, MemoryKind::Waitable).unwrap();
    let event = Event::create(&strange, EventOptions::default()).unwrap();
    let write =
        |buffer| StreamValue { buffer, offset: 0, value: Value::U32(1), action: ValueAction::Write { barrier: true } };
    refused(&fill(&theirs), "another kind of device");
    refused(&NodeWork::EventWait(&event), "another kind of device");
    refused(&NodeWork::Values(&[write(&theirs)]), "operation 0");
    let child = Graph::create(&other).unwrap();
    refused(&NodeWork::Child(&child), "another context");
    assert_eq!(graph.node_count().unwrap(), 0);
}
