//! Graphs and their executables: what they keep alive, and what is told of their nodes.

use std::any::Any;
use std::collections::HashMap;
use std::sync::Arc;

use smallvec::SmallVec;

use super::ids::not_of_graph;
use super::{Address, ByteModel, EdgeData, ExecId, GraphId, KernelId, NodeId, NodeKind, Snapshot, StreamId, Work};
use graphcap_base::error::{Error, Result};

/// The graphs of a context. The rules of [`Driver`](super::Driver) hold.
pub trait Graphs: Send + Sync {
    /// Makes a graph without nodes.
    fn graph_create(&self) -> Result<GraphId>;
    /// Makes the device's graph hold `lists`, all of them or none, as others have the graph from here on and make execs of it: until the
    /// graph, their execs and the launches of these are gone. A device without native handles holds nothing.
    fn graph_retain(&self, _graph: GraphId, _lists: &[Retained]) -> Result<()> {
        Ok(())
    }
    /// Returns whether others got the graph without a native handle of it: they ended a capture into it.
    fn graph_was_taken(&self, _graph: GraphId) -> bool {
        false
    }
    /// Returns whether the failed end of a capture was the end of the graph. Answers on every thread, and after a fault.
    fn graph_is_lost(&self, graph: GraphId) -> bool;
    /// Forgets a graph; its execs live on. What is `kept` for it is dropped when it is gone.
    fn graph_destroy_with(&self, graph: GraphId, kept: Lists);
    /// [`Graphs::graph_destroy_with`] of a graph that nothing is kept for.
    fn graph_destroy(&self, graph: GraphId) {
        self.graph_destroy_with(graph, Lists::new());
    }
    /// Number of nodes.
    fn graph_node_count(&self, graph: GraphId) -> Result<usize>;
    /// Number of edges.
    fn graph_edge_count(&self, graph: GraphId) -> Result<usize>;
    /// The nodes and edges by their ids. For a [`GraphRef::Captured`]: `ILLEGAL_STATE` when the stream is not being captured,
    /// `CAPTURE_INVALIDATED` when the capture was broken, `CAPTURE_IMPLICIT` for the legacy stream while a blocking stream is
    /// captured.
    fn graph_nodes(&self, graph: GraphRef) -> Result<GraphNodes>;
    /// The nodes that a node waits for, or that wait for it, in the order in which they were made, each with what the edge carries.
    /// `INVALID_VALUE` for an id of no node of the graph.
    fn node_neighbours(&self, graph: GraphId, node: NodeId, side: Side) -> Result<Vec<(NodeId, EdgeData)>> {
        self.graph_nodes(GraphRef::Known(graph))?.neighbours(node, side)
    }
    /// The nodes that a node waits for, in the order in which the edges were added, by which updates of execs go. `INVALID_VALUE` for
    /// an id of no node of the graph.
    fn node_waits(&self, graph: GraphId, node: NodeId) -> Result<Vec<NodeId>>;
    /// Tells `read` what a node does, once. `read` runs on the calling thread, where the device may hold its locks: it copies
    /// what it needs, calls nothing of the driver and drops no object. `INVALID_VALUE` for an id of no node of the graph; for a
    /// captured graph as [`Graphs::graph_nodes`].
    fn node_work(&self, graph: GraphRef, node: NodeId, read: &mut dyn FnMut(&Work<'_>)) -> Result<()>;
    /// Tells `read` what each node of a graph does, in the order of [`Graphs::graph_nodes`]; of a kernel that is not among `kernels` its
    /// kind alone, as [`Work::Opaque`]. `read` runs as that of [`Graphs::node_work`].
    fn graph_work(&self, graph: GraphId, kernels: ReadKernels, read: &mut dyn FnMut(NodeId, &Work<'_>)) -> Result<()> {
        let graph = GraphRef::Known(graph);
        for node in self.graph_nodes(graph)?.nodes {
            self.node_work(graph, node, &mut |work| match work {
                Work::Kernel(launch) if !kernels.has(launch.kernel) => read(node, &Work::Opaque(NodeKind::Kernel)),
                work => read(node, work),
            })?;
        }
        Ok(())
    }
    /// The calling thread asks much about a graph from here on. Where others may change the graph, nodes that they add or remove are noticed
    /// after [`Graphs::graph_end_reading`] only, so that not every question lists all nodes. That is called by the same thread where this gives
    /// true; where it gives false, it need not be.
    fn graph_begin_reading(&self, _graph: GraphId) -> Result<bool> {
        Ok(false)
    }
    /// Ends what [`Graphs::graph_begin_reading`] began.
    fn graph_end_reading(&self, _graph: GraphId) {}
    /// Tells `note` the addresses that the nodes of a graph name, by [`Work::each_address`], and those of child graphs where the device
    /// tells them. `note` runs as `read` of [`Graphs::node_work`].
    fn graph_addresses(&self, graph: GraphId, note: &mut dyn FnMut(Address)) -> Result<()> {
        self.graph_work(graph, ReadKernels::All, &mut |_, work| work.each_address(note))
    }
    /// Returns what kind of work a node does. As [`Graphs::node_work`], of which less is read.
    fn node_kind(&self, graph: GraphId, node: NodeId) -> Result<NodeKind> {
        let mut kind = NodeKind::Other;
        self.node_work(GraphRef::Known(graph), node, &mut |work| kind = work.kind())?;
        Ok(kind)
    }
    /// Returns whether a node is one of the graph's own, and not of a graph within it or of none.
    fn graph_has_node(&self, graph: GraphId, node: NodeId) -> bool {
        self.node_work(GraphRef::Known(graph), node, &mut |_| ()).is_ok()
    }
}

/// Kernels whose launches [`Graphs::graph_work`] tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadKernels {
    /// All of them.
    All,
    /// Those that were found through graphcap.
    Own,
    /// None of them.
    None,
}

impl ReadKernels {
    /// Returns whether `kernel` is among them.
    pub fn has(self, kernel: KernelId) -> bool {
        match self {
            ReadKernels::All => true,
            ReadKernels::Own => kernel != KernelId::FOREIGN,
            ReadKernels::None => false,
        }
    }
}

/// The executables of graphs.
pub trait Execs: Send + Sync {
    /// Makes an executable of the graph as it is now; tells how many nodes it has. An unsafe call under the capture rules.
    /// `INVALID_VALUE` for a graph that cannot be one, with a message that names the node, and for flags that exclude each
    /// other; `NOT_SUPPORTED` for flags that the device does not know, and for a second exec of a graph that can have only one.
    /// An `upload` answers as [`Execs::exec_upload`]; where it fails, no exec is made.
    ///
    /// With `ends` the exec has a launch of that kernel, of one thread and without arguments, before all of several roots, and one
    /// behind all of several leaves, also after updates. The graph does not have them, and they are not counted. The kernel's module
    /// stays loaded as long as the exec. `NOT_SUPPORTED` for a graph that allocates or frees, `ILLEGAL_STATE` while a capture goes
    /// into it. A device that does not [gain by ends](Execs::gains_by_ends) is not given any.
    fn graph_instantiate_with(
        &self,
        graph: GraphId,
        flags: ExecFlags,
        upload: Option<StreamId>,
        ends: Option<KernelId>,
    ) -> Result<(ExecId, usize)>;
    /// [`Execs::graph_instantiate_with`] without flags.
    fn graph_instantiate(&self, graph: GraphId) -> Result<(ExecId, usize)> {
        self.graph_instantiate_with(graph, ExecFlags::default(), None, None)
    }
    /// The flags that the exec was made with, as the device tells them. NVIDIA's driver forgets the priorities of nodes, and so
    /// does every device.
    fn exec_flags(&self, exec: ExecId) -> Result<ExecFlags>;
    /// The model of what graphs and execs of the device take.
    fn byte_model(&self) -> ByteModel;
    /// Returns whether a graph that has several roots or leaves is replayed much faster with one kernel before all and one behind all.
    fn gains_by_ends(&self) -> bool;
    /// Returns whether a watched exec can tell by event records how far its launches are. On other devices kernels tell it, whatever was
    /// asked for.
    fn marks_by_events(&self) -> bool;
    /// Returns whether graphs with conditions can be watched: [`GraphEdits::graph_copy_to_watch`](super::GraphEdits::graph_copy_to_watch)
    /// copies them.
    fn watches_conditions(&self) -> bool {
        false
    }
    /// The conditionals that a launch of the exec is within now, each before those in its bodies. Of a launch that goes on meanwhile
    /// this may be past. Empty on a device that does not tell it.
    fn exec_within(&self, _exec: ExecId) -> Vec<RunningBody> {
        Vec::new()
    }
    /// The number of the exec in the trace that goes on, as it is since it was last changed; 0 where the trace has none.
    fn exec_in_trace(&self, _exec: ExecId) -> u32 {
        0
    }
    /// Makes the message of a fault call the nodes of the exec, and its graph, by these names, in the place of those that were given
    /// before. A device that does not tell which node has failed needs none.
    fn exec_call_by(&self, _exec: ExecId, _names: Arc<dyn ExecNames>) {}
    /// Forgets an exec; its launches still run. What is `kept` for it is told of their streams ([`Retain::used_by`]), and dropped when the
    /// exec is gone. Code and host functions that launches in flight use the device keeps by itself.
    fn exec_destroy(&self, exec: ExecId, kept: Lists);
    /// Prepares an exec for its first launch.
    fn exec_upload(&self, exec: ExecId, stream: StreamId) -> Result<()>;
    /// Queues one replay. Launches of one exec run one after another, in the order of these calls.
    fn exec_launch(&self, exec: ExecId, stream: StreamId) -> Result<()>;
}

/// The names that a program gave to the graph that an exec was made of, and to its nodes. Threads that run work ask for them, under locks
/// of the device. An implementation takes leaf locks alone, and drops nothing of the caller's.
pub trait ExecNames: Send + Sync {
    /// The name of the graph.
    fn graph(&self) -> Option<Arc<str>>;
    /// The node as the program knows it, and its name.
    fn node(&self, node: NodeId) -> (NodeId, Option<Arc<str>>);
}

/// A conditional that a launch is within.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunningBody {
    /// The conditional node.
    pub node: NodeId,
    /// Number of the body that runs.
    pub body: u32,
    /// The turn of a loop, from 1 on. `None` for other conditionals.
    pub turn: Option<u64>,
    /// The node of the body that runs, where it has an id.
    pub runs: Option<NodeId>,
}

/// Options that an exec is made with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExecFlags {
    /// A launch frees what earlier launches of the exec allocated and nobody freed.
    pub auto_free: bool,
    /// Kernels can launch the exec.
    pub device_launch: bool,
    /// Each kernel runs with the priority of its node, and not with that of the stream that the exec is launched on.
    pub node_priorities: bool,
    /// The exec tells how far its launches are, by nodes that `Graph::instantiate_with` adds to
    /// a copy of the graph. Devices ignore it.
    pub watched: bool,
    /// Of a watched exec, on a device that [`Execs::marks_by_events`]: the nodes are event records beside the nodes of the graph, and
    /// not kernels between them. Devices ignore it.
    pub watched_by_events: bool,
    /// The exec has a kernel that does nothing before all of several roots, and one behind all of several leaves, on a device that
    /// [`Execs::gains_by_ends`]. Devices ignore it: they are told the kernel.
    pub shaped: bool,
    /// The number of turns that a loop of the exec has at most in one run of its conditional node, after which the launch faults; 0 for
    /// as many as its condition says. A CUDA device takes 0 alone.
    pub turn_limit: u64,
}

/// A graph, by its id or as what a stream is being captured into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GraphRef {
    /// A graph that was made, or that a capture gave.
    Known(GraphId),
    /// The graph so far of the capture that the stream is in. On a foreign driver no other thread may record in the capture
    /// meanwhile.
    Captured(StreamId),
}

/// Something that a graph keeps alive, and each exec made from it.
pub type Retained = Arc<dyn Retain>;

/// The lists of a graph or exec; mostly one.
pub type Lists = SmallVec<[Retained; 1]>;

/// Something that a graph can keep.
pub trait Retain: Any + Send + Sync {
    /// Returns whether dropping it may run code of the caller's, which may block.
    fn calls_out(&self) -> bool;

    /// Tells what is kept that work of `streams` may still use it: that of an exec which is about to let go of it. Memory and
    /// events then go with those streams for their users. Gives what goes with its last reference, which is to be held until
    /// that work is complete. `is_over` is the device's [`Streams::stream_is_over`](super::Streams::stream_is_over).
    fn used_by(&self, streams: &[StreamId], is_over: &dyn Fn(StreamId) -> bool) -> Vec<Snapshot>;

    /// Returns what an exec of the graph, or a copy of the graph, keeps in its place: itself, or what it holds now where later edits of
    /// the graph change it.
    fn to_be_held_apart(self: Arc<Self>) -> Retained;
}

/// Returns what an instantiation answers to the flags for both: the driver's answer, of which it does not tell why.
#[cold]
pub fn no_auto_free_on_device() -> Error {
    Error::invalid_value(
        "an exec that kernels can launch cannot free by itself what its launches allocate; leave one of the two flags out",
    )
}

/// Returns whether both are one object.
pub fn is_same(one: &Retained, other: &Retained) -> bool {
    std::ptr::addr_eq(Arc::as_ptr(one), Arc::as_ptr(other))
}

/// A side of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The nodes that the node waits for.
    Before,
    /// The nodes that wait for the node.
    After,
}

impl GraphNodes {
    /// The edges with what they carry.
    pub fn edges_with_data(&self) -> Vec<(NodeId, NodeId, EdgeData)> {
        let carrying = self.carrying.iter().map(|&(from, to, data)| ((from, to), data));
        let carried: HashMap<(NodeId, NodeId), EdgeData> = carrying.collect();
        let data = |edge: &(NodeId, NodeId)| match carried.is_empty() {
            true => EdgeData::NONE,
            false => carried.get(edge).copied().unwrap_or(EdgeData::NONE),
        };
        self.edges.iter().map(|edge| (edge.0, edge.1, data(edge))).collect()
    }

    /// As [`Graphs::node_neighbours`].
    ///
    /// # Errors
    /// `INVALID_VALUE` for no node of these.
    pub fn neighbours(&self, node: NodeId, side: Side) -> Result<Vec<(NodeId, EdgeData)>> {
        if !self.nodes.contains(&node) {
            return Err(not_of_graph(node));
        }
        let neighbour = |(from, to): (NodeId, NodeId)| match side {
            Side::Before => (to == node).then_some(from),
            Side::After => (from == node).then_some(to),
        };
        let carried = |&(from, to, data): &(NodeId, NodeId, EdgeData)| Some((neighbour((from, to))?, data));
        let carried: HashMap<NodeId, EdgeData> = self.carrying.iter().filter_map(carried).collect();
        let places: HashMap<NodeId, usize> = self.nodes.iter().copied().zip(0..).collect();
        let found = self.edges.iter().filter_map(|&edge| neighbour(edge));
        let mut found: Vec<_> =
            found.map(|found| (found, carried.get(&found).copied().unwrap_or(EdgeData::NONE))).collect();
        found.sort_unstable_by_key(|(node, _)| places.get(node).copied());
        Ok(found)
    }
}

/// The nodes of a graph and what orders them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphNodes {
    /// In the order in which they were made.
    pub nodes: Vec<NodeId>,
    /// From and to.
    pub edges: Vec<(NodeId, NodeId)>,
    /// Those of the edges that carry something, in no order.
    pub carrying: Vec<(NodeId, NodeId, EdgeData)>,
}
