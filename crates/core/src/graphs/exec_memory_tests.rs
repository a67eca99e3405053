//! Memory that is gone: noted by captures, asked about once an allocation, refused by instantiate, update and check.

use std::sync::Arc;

use super::*;
use crate::captures::checks::Checks;
use crate::faulty::Faulty;
use crate::objects::noted_memory::AddressPlace;
use crate::operations::node_work::NodeWork;
use crate::state::Context;
use crate::Graph;
use crate::{Buffer, Fill, Kernel, KernelArgument, Module, Stream};
use graphcap_base::error::Status;
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{Address, ExecFlags, LaunchShape, ModuleSource, StreamOptions};

const SHAPE: LaunchShape = LaunchShape::ONE_THREAD;

/// Memory of others, far from the device's.
const FIRST: Address = 0x7f12_0000_0000;
const SECOND: Address = 0x7f13_0000_0000;
const BYTES: usize = 4096;

struct Bench {
    driver: Arc<Faulty>,
    context: Context,
    stream: Stream,
    module: Module,
}

impl Bench {
    fn new() -> Bench {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let module = Faulty::load(&context, ModuleSource::default());
        driver.foreign(FIRST, BYTES);
        driver.foreign(SECOND, BYTES);
        Bench { driver, context, stream, module }
    }

    fn kernel(&self) -> Kernel {
        self.module.kernel("k").unwrap()
    }

    /// Captures kernels that are given these addresses as values.
    fn captured(&self, notes_memory: bool, addresses: &[Address]) -> Graph {
        let checks = Checks { notes_memory, ..Checks::default() };
        self.stream.begin_told_capture(CaptureMode::Relaxed, Vec::new(), checks).unwrap();
        for &address in addresses {
            let address = address.to_ne_bytes();
            let arguments = [KernelArgument::Value(&address), KernelArgument::Value(&[7; 4])];
            self.stream.submit_kernel(&self.kernel(), SHAPE, &arguments, &[]).unwrap();
        }
        self.stream.end_capture().unwrap()
    }

    /// Makes a node launch the kernel with another address.
    fn point(&self, set: impl FnOnce(&NodeWork<'_>) -> Result<()>, address: Address) {
        let (kernel, address) = (self.kernel(), address.to_ne_bytes());
        let arguments = [KernelArgument::Value(&address), KernelArgument::Value(&[7; 4])];
        set(&NodeWork::Kernel { kernel: &kernel, shape: SHAPE, arguments: &arguments, attributes: &[] }).unwrap();
    }
}

fn refusal<T>(result: Result<T>) -> String {
    match result {
        Ok(_) => panic!("not refused"),
        Err(error) => {
            assert_eq!(error.status, Status::INVALID_VALUE, "{}", error.message);
            error.message.into_owned()
        }
    }
}

#[test]
fn memory_that_is_there_passes_and_is_asked_about_once_an_allocation() {
    let bench = Bench::new();
    let graph = bench.captured(true, &[FIRST + 8, FIRST + 16, SECOND, 12]);
    bench.driver.asked();
    let exec = graph.instantiate().unwrap();
    assert_eq!(bench.driver.asked(), [FIRST, SECOND]);
    let check = exec.check_memory().unwrap();
    assert_eq!(bench.driver.asked(), [FIRST, SECOND]);
    assert!(check.is_noted && check.gone.is_empty() && check.refusal.is_none());
    assert_eq!((check.nodes, check.words, check.allocations, check.unread), (3, 3, 2, 0));
}

#[test]
fn nothing_is_read_without_the_option() {
    let bench = Bench::new();
    let graph = bench.captured(false, &[FIRST]);
    bench.driver.free_foreign(FIRST);
    let exec = graph.instantiate().unwrap();
    assert!(!exec.check_memory().unwrap().is_noted);
    assert!(bench.driver.asked().is_empty());
}

#[test]
fn freed_and_exchanged_memory_is_refused_by_node_kernel_parameter_and_address() {
    let bench = Bench::new();
    let graph = bench.captured(true, &[FIRST, SECOND + 40]);
    let exec = graph.instantiate().unwrap();
    bench.driver.free_foreign(SECOND);
    let node = graph.nodes().unwrap().nodes[1];
    graph.set_node_name(node, "decode").unwrap();
    let told = |message: &str| {
        for part in ["parameter 0", &format!("{:#x}", SECOND + 40), &format!("{:#x}", node.0), "decode"] {
            assert!(message.contains(part), "{part}: {message}");
        }
    };
    let message = refusal(graph.instantiate());
    told(&message);
    assert!(message.contains("nothing lies there now"), "{message}");
    let check = exec.check_memory().unwrap();
    told(&check.refusal.unwrap().message);
    let [gone] = &check.gone[..] else { panic!("{:?}", check.gone) };
    assert_eq!((gone.node, gone.address, gone.allocation.base, gone.is_exchanged), (node, SECOND + 40, SECOND, false));
    assert_eq!(gone.place, AddressPlace::Argument { parameter: 0, offset: 0 });

    bench.driver.foreign(SECOND, BYTES);
    assert!(refusal(graph.instantiate()).contains("other memory lies there now"));
    assert!(exec.check_memory().unwrap().gone[0].is_exchanged);
}

#[test]
fn updates_are_refused_and_bring_what_they_noted() {
    let bench = Bench::new();
    let exec = bench.captured(false, &[FIRST]).instantiate().unwrap();
    let graph = bench.captured(true, &[SECOND]);
    exec.update(&graph, false).unwrap().outcome.unwrap();
    assert_eq!(exec.check_memory().unwrap().words, 1);
    bench.driver.free_foreign(SECOND);
    assert_eq!(exec.check_memory().unwrap().gone.len(), 1);
    refusal(exec.update(&graph, false));
    refusal(exec.can_update(&graph));
    refusal(exec.apply(&graph, &Default::default()));
    // A graph of which nothing was noted takes that along.
    exec.update(&bench.captured(false, &[FIRST]), false).unwrap().outcome.unwrap();
    assert!(!exec.check_memory().unwrap().is_noted);
}

#[test]
fn nodes_that_name_something_else_by_now_pass() {
    let bench = Bench::new();
    let graph = bench.captured(true, &[FIRST, SECOND]);
    let [first, second] = graph.nodes().unwrap().nodes[..] else { panic!() };
    let execs = [(); 2].map(|()| graph.instantiate().unwrap());
    bench.driver.free_foreign(SECOND);
    bench.point(|work| execs[0].set_node(second, work), FIRST);
    bench.point(|work| execs[1].set_node(first, work), FIRST + 8);
    let gone = execs.each_ref().map(|exec| exec.check_memory().unwrap().gone.len());
    assert_eq!(gone, [0, 1]);
    refusal(graph.instantiate());
    bench.point(|work| graph.set_node(second, work), FIRST);
    let exec = graph.instantiate().unwrap();
    assert!(exec.check_memory().unwrap().gone.is_empty(), "the exec does not name what the graph named before");
    bench.driver.free_foreign(FIRST);
    refusal(graph.instantiate());
    graph.remove_node(first).unwrap();
    // What the second node was given since was not noted.
    graph.instantiate().unwrap();
}

#[test]
fn what_is_noted_anew_takes_the_place_of_what_was_noted() {
    let bench = Bench::new();
    let graph = bench.captured(true, &[FIRST, SECOND]);
    let [first, _] = graph.nodes().unwrap().nodes[..] else { panic!() };
    bench.driver.free_foreign(SECOND);
    graph.0.note_memory().unwrap();
    let check = graph.instantiate().unwrap().check_memory().unwrap();
    assert_eq!((check.nodes, check.words, check.gone.len()), (1, 1, 0), "memory that was gone before is not known");
    bench.driver.free_foreign(FIRST);
    assert!(refusal(graph.instantiate()).contains(&format!("{:#x}", first.0)));
}

#[test]
fn a_watched_exec_goes_by_the_nodes_of_the_graph() {
    let bench = Bench::new();
    let graph = bench.captured(true, &[FIRST, SECOND]);
    let [_, second] = graph.nodes().unwrap().nodes[..] else { panic!() };
    let watched = ExecFlags { watched: true, ..ExecFlags::default() };
    let exec = graph.instantiate_with(watched, None).unwrap();
    bench.driver.free_foreign(SECOND);
    assert_eq!(exec.check_memory().unwrap().gone[0].node, second);
    assert!(refusal(graph.instantiate_with(watched, None)).contains(&format!("{:#x}", second.0)));
}

#[test]
fn a_graph_without_addresses_is_noted_too() {
    let bench = Bench::new();
    let graph = bench.captured(true, &[12]);
    for graph in [&graph, &graph.duplicate().unwrap()] {
        let check = graph.instantiate().unwrap().check_memory().unwrap();
        assert!(check.is_noted && check.nodes == 0);
    }
}

#[test]
fn copies_are_checked_too() {
    let bench = Bench::new();
    let graph = bench.captured(true, &[FIRST]);
    let copy = graph.duplicate().unwrap();
    let exec = copy.instantiate().unwrap();
    drop(graph);
    assert!(exec.check_memory().unwrap().gone.is_empty());
    bench.driver.free_foreign(FIRST);
    assert_eq!(exec.check_memory().unwrap().gone.len(), 1);
    refusal(copy.instantiate());
}

#[test]
fn copies_and_memsets_name_memory_too_and_own_allocations_count_for_nothing() {
    let bench = Bench::new();
    let buffer = Buffer::allocate(&bench.context, 64).unwrap();
    let graph = bench.captured(true, &[buffer.address() + 8]);
    let exec = graph.instantiate().unwrap();
    assert_eq!(exec.check_memory().unwrap().words, 1, "a buffer that is given by its address alone");
    let fill =
        |buffer| NodeWork::Memset(Fill { buffer, offset: 0, value: 1, element_size: 4, width: 4, height: 1, pitch: 0 });
    let graph = Graph::create(&bench.context).unwrap();
    let (node, own) = graph.add_allocation(&[], 64).unwrap();
    graph.add_node(&[node], &fill(&own)).unwrap();
    graph.add_node(&[], &fill(&buffer)).unwrap();
    graph.0.note_memory().unwrap();
    let check = graph.instantiate().unwrap().check_memory().unwrap();
    assert_eq!((check.words, check.gone.len()), (1, 0));
}
