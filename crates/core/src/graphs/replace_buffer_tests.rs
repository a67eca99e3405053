//! Buffers that take the place of others, where the device refuses a node in the middle.

use std::sync::Arc;

use super::*;
use crate::faulty::Faulty;
use crate::{Context, Fill, GraphExec, NodeWork, Stream};
use graphcap_driver::{Address, StreamOptions};

const NODES: usize = 3;

struct Bench {
    driver: Arc<Faulty>,
    context: Context,
    stream: Stream,
    old: Buffer,
    new: Buffer,
    graph: Graph,
    nodes: Vec<NodeId>,
}

fn fill(buffer: &Buffer) -> NodeWork<'_> {
    NodeWork::Memset(Fill { buffer, offset: 8, value: 1, element_size: 1, width: 8, height: 1, pitch: 0 })
}

impl Bench {
    fn new() -> Bench {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let buffers = [(); 2].map(|()| Buffer::allocate(&context, 64).unwrap());
        let graph = Graph::create(&context).unwrap();
        let nodes = (0..NODES).map(|_| graph.add_node(&[], &fill(&buffers[0])).unwrap()).collect();
        let [old, new] = buffers;
        Bench { driver, context, stream, old, new, graph, nodes }
    }

    /// The second call of that name from here on fails.
    fn fail_second(&self, call: &'static str, after: &'static str) {
        let driver = Arc::clone(&self.driver);
        self.driver.at(after, move || driver.fail(call, Status::OUT_OF_MEMORY));
    }

    /// Addresses that the nodes of the graph write.
    fn written(&self) -> Vec<Address> {
        let address = |&node| match self.graph.node_params(node).unwrap() {
            NodeParams::Memset(set) => set.address - 8,
            other => panic!("{other:?}"),
        };
        self.nodes.iter().map(address).collect()
    }

    fn replay(&self, exec: &GraphExec) {
        exec.launch(&self.stream).unwrap();
        assert_eq!(self.driver.violations(), Vec::<String>::new());
    }
}

#[test]
fn a_graph_is_as_it_was_where_a_node_is_refused() {
    let bench = Bench::new();
    bench.fail_second("node_set", "after node_set");
    let refused = bench.graph.replace_buffer(&bench.old, &bench.new).unwrap_err();
    assert_eq!(refused.status, Status::OUT_OF_MEMORY);
    assert!(refused.message.contains(&format!("node {:#x}", bench.nodes[1].0)), "{}", refused.message);
    assert_eq!(bench.written(), [bench.old.address(); NODES]);
    let Bench { driver, stream, old, new, graph, .. } = bench;
    let (old_at, new_at) = (old.address(), new.address());
    drop((old, new));
    assert!(driver.is_allocated(old_at) && !driver.is_allocated(new_at), "the graph keeps what its nodes use");
    graph.instantiate().unwrap().launch(&stream).unwrap();
    assert_eq!(driver.violations(), Vec::<String>::new());
}

#[test]
fn an_exec_is_as_it_was_where_a_node_is_refused() {
    let bench = Bench::new();
    let exec = bench.graph.instantiate().unwrap();
    bench.fail_second("exec_set", "after exec_set");
    assert_eq!(exec.replace_buffer(&bench.old, &bench.new).unwrap_err().status, Status::OUT_OF_MEMORY);
    assert_eq!(exec.replace_buffer(&bench.new, &bench.old).unwrap(), 0, "no node uses the new buffer");
    let third = Buffer::allocate(&bench.context, 64).unwrap();
    assert_eq!(bench.graph.replace_buffer(&bench.old, &third).unwrap(), NODES);
    let Bench { driver, stream, old, new, graph, .. } = bench;
    let (old_at, new_at) = (old.address(), new.address());
    drop((old, new));
    assert!(driver.is_allocated(old_at) && !driver.is_allocated(new_at), "the exec keeps what its nodes use");
    exec.launch(&stream).unwrap();
    assert_eq!(driver.violations(), Vec::<String>::new());
    drop(graph);
}

#[test]
fn graphs_and_execs_keep_the_new_buffer_alone() {
    let bench = Bench::new();
    let exec = bench.graph.instantiate().unwrap();
    assert_eq!(bench.graph.replace_buffer(&bench.old, &bench.new).unwrap(), NODES);
    assert_eq!(bench.written(), [bench.new.address(); NODES]);
    bench.replay(&exec);
    assert_eq!(exec.replace_buffer(&bench.old, &bench.new).unwrap(), NODES);
    bench.replay(&exec);
    let Bench { driver, stream, context, old, new, graph, .. } = bench;
    let (old_at, new_at) = (old.address(), new.address());
    stream.synchronize().unwrap();
    drop((old, new));
    assert!(!driver.is_allocated(old_at) && driver.is_allocated(new_at));
    drop(graph);
    exec.launch(&stream).unwrap();
    drop((exec, stream, context));
    assert_eq!((driver.live(), driver.violations()), (0, vec![]));
}

#[test]
fn a_buffer_of_another_context_takes_no_place() {
    let (bench, other) = (Bench::new(), Bench::new());
    let refused = bench.graph.replace_buffer(&bench.old, &other.new).unwrap_err();
    assert_eq!(refused.status, Status::INVALID_CONTEXT);
    assert_eq!(bench.written(), [bench.old.address(); NODES]);
}
