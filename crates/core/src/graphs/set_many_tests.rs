//! Tests of what graphs and execs keep when many of their nodes are set at once.

use std::sync::Arc;

use super::*;
use crate::fake_driver::FakeDriver;
use crate::{Buffer, Stream};
use graphcap_base::error::Status;
use graphcap_driver::{ModuleSource, StreamOptions};

const NODES: usize = SET_TOGETHER + 4;

fn argument(buffer: &Buffer) -> KernelArgument<'_> {
    KernelArgument::Buffer { buffer, offset: 0, access: None }
}

fn launches<'a>(nodes: &[NodeId], kernel: &'a Kernel, arguments: &'a [KernelArgument<'a>]) -> Vec<NodeLaunch<'a>> {
    nodes.iter().map(|&node| (node, kernel, LaunchShape::ONE_THREAD, arguments)).collect()
}

/// Sets nodes by calls of the driver's that are named `call`: those of a graph, or of its exec. The second one is refused.
fn check(call: &'static str, after: &'static str) {
    let (driver, context) = FakeDriver::context();
    let stream = Stream::create(&context, StreamOptions::default()).unwrap();
    let kernel = FakeDriver::load(&context, ModuleSource::default()).kernel("k-any").unwrap();
    let [old, new] = [(); 2].map(|()| Buffer::allocate(&context, 64).unwrap());
    let [old_at, new_at] = [&old, &new].map(Buffer::address);
    let graph = Graph::create(&context).unwrap();
    let (to_old, to_new) = ([argument(&old)], [argument(&new)]);
    let added = launches(&[NodeId(0); NODES], &kernel, &to_old);
    let nodes: Vec<NodeId> = added.iter().map(|launch| graph.add_node(&[], &work_of(launch)).unwrap()).collect();
    let exec = graph.instantiate().unwrap();
    let set = |sets: &[NodeLaunch<'_>]| match call {
        "node_set" => graph.set_kernels(sets),
        _ => exec.set_kernels(sets),
    };
    // Then each node is known.
    set(&launches(&nodes, &kernel, &to_old)).unwrap();

    let refusing = Arc::clone(&driver);
    driver.at(after, move || refusing.fail(call, Status::INVALID_VALUE));
    let refused = set(&launches(&nodes, &kernel, &to_new)).unwrap_err();
    assert_eq!((refused.index, refused.error.status), (Some(1), Status::INVALID_VALUE));
    set(&launches(&nodes[1..2], &kernel, &to_new)).unwrap();
    set(&launches(&nodes[2..], &kernel, &to_old)).unwrap();
    set(&launches(&nodes[2..], &kernel, &to_new)).unwrap();
    exec.launch(&stream).unwrap();
    assert_eq!(driver.violations(), Vec::<String>::new());
    stream.synchronize().unwrap();
    drop((old, new));
    assert!(driver.is_allocated(old_at), "the other one was not set");
    let left = match call {
        "node_set" => {
            drop(exec);
            (Some(graph), None)
        }
        _ => {
            drop(graph);
            (None, Some(exec))
        }
    };
    assert!(!driver.is_allocated(old_at), "no node uses it any more");
    assert!(driver.is_allocated(new_at), "the nodes use it");
    drop((left, kernel, context, stream));
    assert_eq!((driver.live(), driver.violations()), (0, vec![]));
}

#[test]
fn nodes_of_a_graph_keep_what_they_were_set_to() {
    check("node_set", "after node_set");
}

#[test]
fn nodes_of_an_exec_keep_what_they_were_set_to() {
    check("exec_set", "after exec_set");
}
