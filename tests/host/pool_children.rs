//! Graphs that share memory of a pool, as nodes of one graph: one launch has them run, so no turns keep them apart.

use graphcap::core::{ApplyOptions, Context, Graph, GraphExec, NodeWork, Pool, PoolOptions, Stream};
use graphcap::driver::{Conditional, ConditionalKind, DeviceChoice, DeviceKind, NodeId, StreamOptions};
use graphcap::rules::CaptureMode;
use graphcap::{Result, Status};

struct Bed {
    context: Context,
    stream: Stream,
    pool: Pool,
}

impl Bed {
    fn new() -> Bed {
        let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let options = PoolOptions { capacity: Some(1 << 20), is_shared: true, ..PoolOptions::default() };
        Bed { pool: Pool::create(&context, options).unwrap(), stream, context }
    }

    fn begin(&self) {
        self.stream.begin_capture_with_pool(CaptureMode::Relaxed, &self.pool).unwrap();
    }

    /// Records a memset of so many bytes that nobody else has.
    fn record(&self, bytes: usize) {
        let buffer = self.pool.allocate_on_stream(bytes, &self.stream).unwrap();
        self.stream.memset(&buffer, 0, 0, 1, bytes).unwrap();
        buffer.free_on_stream(&self.stream).unwrap();
    }

    fn graph(&self, sizes: &[usize]) -> Graph {
        self.begin();
        sizes.iter().for_each(|&bytes| self.record(bytes));
        self.stream.end_capture().unwrap()
    }

    fn empty(&self) -> Graph {
        Graph::create(&self.context).unwrap()
    }
}

fn add(to: &Graph, after: &[NodeId], graph: &Graph) -> NodeId {
    to.add_node(after, &NodeWork::Child(graph)).unwrap()
}

fn refused<T>(result: Result<T>, part: &str) {
    let Err(error) = result else { panic!("it is taken") };
    assert!(error.status == Status::INVALID_VALUE && error.message.contains(part), "{error}");
}

#[test]
fn graphs_that_share_memory_must_be_ordered_by_edges() {
    let bed = Bed::new();
    let graphs = [bed.graph(&[256]), bed.graph(&[512, 64])];
    let unordered = bed.empty();
    let ends = [0, 1].map(|which| add(&unordered, &[], &graphs[which]));
    refused(unordered.instantiate(), "no path of edges");
    let outer = bed.empty();
    refused(outer.add_node(&[], &NodeWork::Child(&unordered)), "no path of edges");
    assert_eq!(outer.node_count(), Ok(0));
    // A path is enough.
    let between = unordered.add_node(&[ends[1]], &NodeWork::Empty).unwrap();
    unordered.add_dependencies(&[(between, ends[0])]).unwrap();
    let exec = unordered.instantiate().unwrap();
    exec.launch(&bed.stream).unwrap();
    add(&outer, &[], &unordered);
    drop(outer.instantiate().unwrap());
    // Neither by an update nor by a node that is set.
    let twice = bed.empty();
    (0..2).for_each(|_| _ = add(&twice, &[], &graphs[0]));
    refused(exec.update(&twice, false), "no path of edges");
    refused(exec.apply(&twice, &ApplyOptions::default()), "no path of edges");
    let plain = bed.empty();
    let fill = |graph: &Graph| _ = graph.add_node(&[], &NodeWork::Empty).unwrap();
    fill(&plain);
    let one = bed.empty();
    add(&one, &[], &graphs[0]);
    let free = add(&one, &[], &plain);
    let set = |exec: &GraphExec, graph: &Graph| exec.set_node(free, &NodeWork::Child(graph));
    let exec_of_one = one.instantiate().unwrap();
    refused(set(&exec_of_one, &bed.graph(&[64])), "no path of edges");
    bed.stream.synchronize().unwrap();
}

#[test]
fn graphs_in_bodies_count_as_the_node_of_the_body() {
    let bed = Bed::new();
    let graphs = [bed.graph(&[256]), bed.graph(&[512])];
    let parent = bed.empty();
    let condition = parent.create_condition(1).unwrap();
    let conditional = Conditional { condition, kind: ConditionalKind::If, bodies: 1 };
    let node = parent.add_node(&[], &NodeWork::Conditional(conditional)).unwrap();
    let body = parent.node_graphs(node).unwrap().remove(0);
    let first = add(&body, &[], &graphs[0]);
    drop(parent.instantiate().unwrap());
    let beside = add(&parent, &[], &graphs[1]);
    refused(parent.instantiate(), "no path of edges");
    parent.add_dependencies(&[(node, beside)]).unwrap();
    drop(parent.instantiate().unwrap());
    let second = add(&body, &[], &graphs[1]);
    refused(parent.instantiate(), "no path of edges");
    body.add_dependencies(&[(first, second)]).unwrap();
    let exec = parent.instantiate().unwrap();
    exec.launch(&bed.stream).unwrap();
    bed.stream.synchronize().unwrap();
}

/// A child graph would write over the memory of its graph.
#[test]
fn a_graph_shares_no_memory_with_its_own_child() {
    let bed = Bed::new();
    let graphs = [bed.graph(&[256]), bed.graph(&[512])];
    bed.begin();
    bed.record(256);
    bed.stream.capture_node(&NodeWork::Child(&graphs[0])).unwrap();
    refused(bed.stream.end_capture().unwrap().instantiate(), "other nodes of the graph");
    // One that has none may have several, which its capture orders.
    bed.begin();
    graphs.iter().for_each(|graph| _ = bed.stream.capture_node(&NodeWork::Child(graph)).unwrap());
    let exec = bed.stream.end_capture().unwrap().instantiate().unwrap();
    exec.launch(&bed.stream).unwrap();
    bed.stream.synchronize().unwrap();
}
