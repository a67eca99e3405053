//! Tests of what graphs and execs keep when many of their nodes are set at once.

use std::sync::Arc;

use super::*;
use crate::faulty::Faulty;
use crate::operations::node_work::NodeWork;
use crate::{Buffer, Kernel, KernelArgument, Stream};
use graphcap_base::error::Status;
use graphcap_driver::{LaunchShape, ModuleSource, StreamOptions};

const NODES: usize = SET_TOGETHER;

fn arguments(buffer: &Buffer) -> [KernelArgument<'_>; 2] {
    [KernelArgument::Buffer { buffer, offset: 0, access: None }, KernelArgument::Value(&[0; 4])]
}

fn launches<'a>(count: usize, kernel: &'a Kernel, buffer: &'a Buffer) -> Vec<UsualLaunch<'a>> {
    let launch = |_| {
        let mut launch = UsualLaunch::new(kernel, LaunchShape::ONE_THREAD);
        launch.read(kernel.context(), &arguments(buffer), |argument| Some(*argument)).unwrap();
        launch
    };
    (0..count).map(launch).collect()
}

/// Sets nodes by calls of the driver's that are named `call`: those of a graph, or of its exec. The second one is refused.
fn check(call: &'static str, after: &'static str) {
    let (driver, context) = Faulty::context();
    let stream = Stream::create(&context, StreamOptions::default()).unwrap();
    let kernel = Faulty::load(&context, ModuleSource::default()).kernel("k").unwrap();
    let [old, new] = [(); 2].map(|()| Buffer::allocate(&context, 64).unwrap());
    let [old_at, new_at] = [&old, &new].map(Buffer::address);
    let graph = Graph::create(&context).unwrap();
    let (shape, arguments) = (LaunchShape::ONE_THREAD, arguments(&old));
    let work = NodeWork::Kernel { kernel: &kernel, shape, arguments: &arguments, attributes: &[] };
    let nodes: Vec<NodeId> = (0..NODES).map(|_| graph.add_node(&[], &work).unwrap()).collect();
    let exec = graph.instantiate().unwrap();
    let set = |nodes: &[NodeId], buffer: &Buffer| {
        let launches = launches(nodes.len(), &kernel, buffer);
        match call {
            "node_set" => graph.set_launches(nodes, &launches),
            _ => exec.set_launches(nodes, &launches),
        }
    };
    if call == "exec_set" {
        assert!(set(&nodes, &old).is_none(), "it is not known yet what the nodes keep");
        exec.set_node(nodes[0], &work).unwrap();
    }
    set(&nodes, &old).unwrap().unwrap();

    let refusing = Arc::clone(&driver);
    driver.at(after, move || refusing.fail(call, Status::INVALID_VALUE));
    let refused = set(&nodes, &new).unwrap().unwrap_err();
    assert_eq!((refused.index, refused.error.status), (Some(1), Status::INVALID_VALUE));
    set(&nodes[1..2], &new).unwrap().unwrap();
    set(&nodes[2..], &old).unwrap().unwrap();
    set(&nodes[2..], &new).unwrap().unwrap();
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
fn work_is_refused_before_a_lock_is_taken_that_its_waiter_may_hold() {
    let (_driver, context) = Faulty::context();
    let kernel = Faulty::load(&context, ModuleSource::default()).kernel("k").unwrap();
    let buffer = Buffer::allocate(&context, 64).unwrap();
    let graph = Graph::create(&context).unwrap();
    let launches = launches(1, &kernel, &buffer);
    let mut added = Vec::new();
    graph.add_launches(&launches, |_, node| added.push(node), |_| &[]).unwrap().unwrap();
    let exec = graph.instantiate().unwrap();
    let made = exec.made();
    let (_of_exec, _of_graph) = (lock(made.edits()), graph.0.root().lock().unwrap());
    let _inside = graphcap_driver::callbacks::enter_work();
    assert!(graph.set_launches(&added, &launches).is_none());
    assert!(exec.set_launches(&added, &launches).is_none());
    assert!(graph.add_launches(&launches, |_, _| (), |_| &[]).is_none());
}

#[test]
fn nodes_of_a_graph_keep_what_they_were_set_to() {
    check("node_set", "after node_set");
}

#[test]
fn nodes_of_an_exec_keep_what_they_were_set_to() {
    check("exec_set", "after exec_set");
}

#[test]
fn nodes_that_were_seen_to_keep_something_are_looked_at_again_once_that_changed() {
    let (driver, context) = Faulty::context();
    let kernel = Faulty::load(&context, ModuleSource::default()).kernel("k").unwrap();
    let [old, new] = [(); 2].map(|()| Buffer::allocate(&context, 64).unwrap());
    let graph = Graph::create(&context).unwrap();
    let of_old = launches(2, &kernel, &old);
    let mut nodes = Vec::new();
    graph.add_launches(&of_old, |_, node| nodes.push(node), |_| &[]).unwrap().unwrap();
    let set = |launches: &[UsualLaunch<'_>]| {
        for (node, launch) in nodes.iter().zip(launches) {
            graph.set_launches(std::slice::from_ref(node), std::slice::from_ref(launch)).unwrap().unwrap();
        }
    };
    // The first one sees it.
    (0..2).for_each(|_| set(&of_old));
    // Another way to set a node.
    {
        let arguments = arguments(&new);
        let shape = LaunchShape::ONE_THREAD;
        graph
            .set_node(nodes[0], &NodeWork::Kernel { kernel: &kernel, shape, arguments: &arguments, attributes: &[] })
            .unwrap();
    }
    let [old_at, new_at] = [&old, &new].map(Buffer::address);
    set(&of_old);
    drop((of_old, new));
    assert!(!driver.is_allocated(new_at), "no node uses it any more");
    drop(old);
    assert!(driver.is_allocated(old_at), "both nodes use it");
    nodes.iter().for_each(|&node| graph.remove_node(node).unwrap());
    assert!(!driver.is_allocated(old_at), "what was seen keeps nothing");
    drop((graph, kernel, context));
    assert_eq!((driver.live(), driver.violations()), (0, vec![]));
}
