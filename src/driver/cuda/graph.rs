//! Graphs of the driver's, each with its lock: made, kept for, destroyed; and what a graph is made of.

use std::collections::HashMap;
use std::ffi::c_uint;
use std::mem::MaybeUninit;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use cudarc::driver::sys::{CUDA_KERNEL_NODE_PARAMS_v2, CUgraphEdgeData, CUgraphNodeType, CUDA_MEMSET_NODE_PARAMS};

use super::api::{self, Api, Handle, MemOpNode, Memcpy3d, Node, Refusal, MEMORY_TYPE_HOST};
use super::module::function_name;
use super::retention::{Attached, Held, Lists, OfCapture};
use super::shared::Shared;
use super::{garbage, lock, values};
use crate::driver::ids::{lost_graph, no_such};
use crate::driver::values::describe_values;
use crate::driver::{
    callbacks, CaptureProgress, GraphDescription, GraphId, GraphNodes, NodeDescription, NodeId, NodeKind, Retained,
};
use crate::error::{Result, Status};
use crate::room;

/// The lock of a graph, which the execs made from it share: the driver keeps what it holds for them together, and two threads
/// that destroyed a graph and its exec at once were seen to crash in it.
pub(super) type Root = Arc<Mutex<State>>;

/// What is under that lock.
pub(super) struct State {
    /// `None` when it was destroyed, which the driver does itself when a capture into it fails.
    native: Option<api::Graph>,
    kept: Lists,
    /// Whether others have the handle. What it keeps hangs on the driver's graph as well then.
    given_out: bool,
}

impl State {
    /// What an exec that is made now has to keep itself.
    pub(super) fn kept_by_execs(&self) -> Lists {
        match self.given_out {
            true => Lists::new(),
            false => self.kept.clone(),
        }
    }

    /// Keeps what was attached while the capture went on that gave the graph, or went into it.
    fn take_over(&mut self, api: &Api, attached: OfCapture) {
        let Some(native) = self.native.filter(|_| !self.given_out) else { return };
        // SAFETY: a state is reached under its graph's lock alone; the capture was of this graph.
        for list in attached.into_iter().filter_map(|attached| unsafe { attached.take_off(api, native) }) {
            if !self.kept.iter().any(|kept| std::ptr::addr_eq(Arc::as_ptr(kept), Arc::as_ptr(&list))) {
                self.kept.push(list);
            }
        }
    }

    /// Has the driver hold what the graph keeps, for a capture into it that others may end, which gives them the graph. Gives
    /// what is to be taken off again when graphcap ends it.
    pub(super) fn lend(&self, api: &Api) -> Result<OfCapture, Refusal> {
        let mut attached = OfCapture::new();
        let Some(native) = self.native.filter(|_| !self.given_out) else { return Ok(attached) };
        for list in &self.kept {
            // SAFETY: a state is reached under its graph's lock alone.
            match unsafe { Attached::to(api, native, Arc::clone(list)) } {
                Ok(one) => attached.push(one),
                Err(refusal) => {
                    self.take_back(api, attached);
                    return Err(refusal);
                }
            }
        }
        Ok(attached)
    }

    /// Others have the handle from here on.
    pub(super) fn give_out(&mut self, api: &Api) -> Result<(), Refusal> {
        // What hangs on the driver's graph from here on stays there.
        self.lend(api)?;
        self.given_out = true;
        Ok(())
    }

    /// Undoes [`State::lend`].
    pub(super) fn take_back(&self, api: &Api, attached: OfCapture) {
        if let Some(native) = self.native {
            for attached in attached {
                // SAFETY: a state is reached under its graph's lock alone. The graph keeps the list itself.
                drop(unsafe { attached.take_off(api, native) });
            }
        }
    }
}

/// A graph. The driver's must not be used by two threads at once, reads included.
#[derive(Clone)]
pub(super) struct Graph {
    root: Root,
}

impl Graph {
    pub(super) fn new(native: api::Graph) -> Graph {
        Graph { root: Arc::new(Mutex::new(State { native: Some(native), kept: Lists::new(), given_out: false })) }
    }

    /// Makes `call` while no other gc_ call uses the graph.
    pub(super) fn with<T>(&self, call: impl FnOnce(api::Graph) -> T) -> Option<T> {
        self.with_state(|native, _| call(native))
    }

    /// The same, for a call that needs to know what the graph keeps.
    pub(super) fn with_state<T>(&self, call: impl FnOnce(api::Graph, &mut State) -> T) -> Option<T> {
        // Kept locked for the time of the call.
        let mut state = lock(&self.root);
        state.native.map(|native| call(native, &mut state))
    }

    /// Keeps `list`, also for what is made of the graph hereafter.
    fn keep(&self, api: &Api, list: Retained) -> Option<Result<(), Refusal>> {
        let mut state = lock(&self.root);
        let native = state.native?;
        if state.given_out {
            // SAFETY: the graph's lock is held.
            if let Err(refusal) = unsafe { Held::List(Arc::clone(&list)).attach(api, native) } {
                return Some(Err(refusal));
            }
        }
        state.kept.push(list);
        Some(Ok(()))
    }

    /// Keeps what was attached while the capture went on that gave the graph.
    pub(super) fn take_over(&self, api: &Api, attached: OfCapture) {
        lock(&self.root).take_over(api, attached);
    }

    /// The handle, for others. From here on the driver sees to what the graph keeps, for the execs that they make of it.
    pub(super) fn give_out(&self, api: &Api) -> Option<Result<api::Graph, Refusal>> {
        self.with_state(|native, state| state.give_out(api).map(|()| native))
    }

    /// Ends a capture into the graph through `end`, and keeps what was `attached` meanwhile. The driver destroys the graph
    /// unless that succeeds.
    pub(super) fn end_capture(
        &self,
        api: &Api,
        end: impl FnOnce() -> Result<api::Graph, Refusal>,
        attached: impl FnOnce() -> OfCapture,
    ) -> Result<api::Graph, Refusal> {
        let mut state = lock(&self.root);
        let ended = end();
        match ended {
            // Others may have ended that capture and begun another one on the stream.
            Ok(graph) if state.native == Some(graph) => state.take_over(api, attached()),
            Ok(_) => {}
            Err(refusal) if leaves_capture(refusal.status) => {}
            Err(_) => {
                state.native = None;
                state.kept.drain(..).for_each(garbage::put);
            }
        }
        ended
    }

    /// Takes the driver's graph out and has it destroyed by `destroy`. Gives what it kept.
    pub(super) fn end<T>(&self, destroy: impl FnOnce(api::Graph) -> T) -> Lists {
        let mut state = lock(&self.root);
        state.native.take().map(destroy);
        std::mem::take(&mut state.kept)
    }

    /// The lock that execs made from the graph share.
    pub(super) fn into_root(self) -> Root {
        self.root
    }
}

impl Shared {
    pub(super) fn graph_create(&self) -> Result<GraphId> {
        callbacks::check_caller()?;
        let mut graph = Handle::NULL;
        let _current = self.told(self.device.enter())?;
        // SAFETY: `graph` is writable.
        self.told(unsafe { self.api().cuGraphCreate(&mut graph, 0) })?;
        Ok(self.enter_graph(Graph::new(graph)))
    }

    pub(super) fn graph_retain(&self, graph: GraphId, retained: Retained) -> Result<()> {
        let graph = self.find_graph(graph).ok_or_else(|| no_such("graph"))?;
        self.told(graph.keep(self.api(), retained).ok_or_else(lost_graph)?)
    }

    pub(super) fn graph_native(&self, graph: GraphId) -> Result<usize> {
        callbacks::check_caller()?;
        let graph = self.find_graph(graph).ok_or_else(|| no_such("graph"))?;
        self.told(graph.give_out(self.api()).ok_or_else(lost_graph)?).map(api::Graph::number)
    }

    pub(super) fn graph_destroy(&self, graph: GraphId) {
        let removed = lock(&self.graphs).remove(&graph);
        if let Some(graph) = removed {
            // SAFETY: taken out of its place, so that it is destroyed once and no other call uses it; its lock is held.
            let kept = graph.end(|native| unsafe { self.api().cuGraphDestroy(native) });
            garbage::leave(kept);
        }
        garbage::sweep();
    }

    pub(super) fn graph_node_count(&self, graph: GraphId) -> Result<usize> {
        callbacks::check_caller()?;
        // SAFETY: the graph's lock is held.
        self.graph(graph, |graph| unsafe { node_count(self.api(), graph) })
    }

    pub(super) fn graph_edge_count(&self, graph: GraphId) -> Result<usize> {
        callbacks::check_caller()?;
        // SAFETY: the graph's lock is held.
        self.graph(graph, |graph| unsafe { edge_count(self.api(), graph) })
    }

    pub(super) fn graph_nodes(&self, graph: GraphId) -> Result<GraphNodes> {
        callbacks::check_caller()?;
        // SAFETY: the graph's lock is held.
        self.graph(graph, |graph| unsafe { ids(self.api(), graph) })?
    }

    pub(super) fn graph_describe(&self, graph: GraphId) -> Result<GraphDescription> {
        callbacks::check_caller()?;
        // SAFETY: the graph's lock is held.
        self.graph(graph, |graph| unsafe { describe(self.api(), graph) })?
    }

    pub(super) fn find_graph(&self, id: GraphId) -> Option<Graph> {
        lock(&self.graphs).get(&id).cloned()
    }

    pub(super) fn graph<T>(&self, id: GraphId, call: impl FnOnce(api::Graph) -> Result<T, Refusal>) -> Result<T> {
        let graph = self.find_graph(id).ok_or_else(|| no_such("graph"))?;
        self.told(graph.with(call).ok_or_else(lost_graph)?)
    }

    /// Enters a graph that nobody else knows.
    pub(super) fn enter_graph(&self, graph: Graph) -> GraphId {
        let id = GraphId(self.last_graph.fetch_add(1, Ordering::Relaxed) + 1);
        lock(&self.graphs).insert(id, graph);
        id
    }
}

/// Number of nodes.
///
/// # Safety
/// `graph` is a live graph that no other thread uses.
pub(super) unsafe fn node_count(api: &Api, graph: api::Graph) -> Result<usize, Refusal> {
    let mut count = 0;
    // SAFETY: the caller promises the graph; without room for nodes the driver counts only.
    unsafe { api.cuGraphGetNodes(graph, std::ptr::null_mut(), &mut count) }?;
    Ok(count)
}

/// Number of edges.
///
/// # Safety
/// As [`node_count`].
unsafe fn edge_count(api: &Api, graph: api::Graph) -> Result<usize, Refusal> {
    use std::ptr::null_mut;
    let mut count = 0;
    // SAFETY: the caller promises the graph; without room for edges the driver counts only.
    let counted = unsafe { api.cuGraphGetEdges_v2(graph, null_mut(), null_mut(), null_mut(), &mut count) };
    // A driver without it has no edges that carry data, which the older function refuses.
    // SAFETY: as above.
    or_older(counted, || unsafe { api.cuGraphGetEdges(graph, null_mut(), null_mut(), &mut count) })?;
    Ok(count)
}

/// Whether an end of a capture that answers `status` leaves the capture as it is.
pub(super) fn leaves_capture(status: Status) -> bool {
    matches!(
        status,
        Status::ILLEGAL_STATE | Status::CAPTURE_UNMATCHED | Status::CAPTURE_IMPLICIT | Status::NOT_PERMITTED
    )
}

fn or_older(result: Result<(), Refusal>, older: impl FnOnce() -> Result<(), Refusal>) -> Result<(), Refusal> {
    match result {
        Err(refusal) if refusal.since.is_some() => older(),
        other => other,
    }
}

/// The nodes.
///
/// # Safety
/// As [`node_count`].
unsafe fn nodes(api: &Api, graph: api::Graph) -> Result<Vec<Node>, Refusal> {
    // SAFETY: passed on to the caller.
    let mut count = unsafe { node_count(api, graph) }?;
    let mut nodes = vec![Handle::NULL; count];
    if count > 0 {
        // SAFETY: there is room for as many nodes as are told.
        unsafe { api.cuGraphGetNodes(graph, nodes.as_mut_ptr(), &mut count) }?;
    }
    nodes.truncate(count);
    Ok(nodes)
}

/// The edges, from and to.
///
/// # Safety
/// As [`node_count`].
unsafe fn edges(api: &Api, graph: api::Graph) -> Result<Vec<(Node, Node)>, Refusal> {
    // SAFETY: passed on to the caller.
    let mut count = unsafe { edge_count(api, graph) }?;
    let (mut from, mut to) = (vec![Handle::NULL; count], vec![Handle::NULL; count]);
    let mut data = vec![CUgraphEdgeData { from_port: 0, to_port: 0, type_: 0, reserved: [0; 5] }; count];
    if count > 0 {
        let (from, to) = (from.as_mut_ptr(), to.as_mut_ptr());
        // SAFETY: there is room for as many edges as are told.
        let got = unsafe { api.cuGraphGetEdges_v2(graph, from, to, data.as_mut_ptr(), &mut count) };
        // SAFETY: as above.
        or_older(got, || unsafe { api.cuGraphGetEdges(graph, from, to, &mut count) })?;
    }
    Ok(from.into_iter().zip(to).take(count).collect())
}

fn id_of(node: Node) -> NodeId {
    NodeId(node.number() as u64)
}

/// What `read` makes of the graph, if there is memory for lists with `of_node` bytes for each node, and for the edges; as the
/// inner error if there is none.
///
/// # Safety
/// As [`node_count`].
unsafe fn with_room<T>(
    api: &Api,
    graph: api::Graph,
    of_node: usize,
    read: impl FnOnce() -> Result<T, Refusal>,
) -> Result<Result<T>, Refusal> {
    // The driver's lists of the ends and of the data, and those that are made of them.
    const OF_EDGE: usize = 4 * size_of::<(Node, Node)>() + size_of::<CUgraphEdgeData>();
    // SAFETY: passed on to the caller.
    let (nodes, edges) = unsafe { (node_count(api, graph)?, edge_count(api, graph)?) };
    match room::ask(nodes.saturating_mul(of_node).saturating_add(edges.saturating_mul(OF_EDGE))) {
        Ok(()) => read().map(Ok),
        Err(error) => Ok(Err(error)),
    }
}

/// Nodes and edges by their ids, which are the driver's handles; the inner error is `OUT_OF_MEMORY`.
///
/// # Safety
/// As [`node_count`].
unsafe fn ids(api: &Api, graph: api::Graph) -> Result<Result<GraphNodes>, Refusal> {
    let read = || {
        // SAFETY: passed on to the caller.
        let (nodes, edges) = unsafe { (nodes(api, graph)?, edges(api, graph)?) };
        Ok(GraphNodes {
            nodes: nodes.into_iter().map(id_of).collect(),
            edges: edges.into_iter().map(|(from, to)| (id_of(from), id_of(to))).collect(),
        })
    };
    // SAFETY: passed on to the caller.
    unsafe { with_room(api, graph, 2 * size_of::<Node>(), read) }
}

/// The driver's handles of nodes; the first id that is none of a node of the graph as the inner error. The driver itself
/// would take any number for an address.
///
/// # Safety
/// As [`node_count`].
pub(super) unsafe fn handles(
    api: &Api,
    graph: api::Graph,
    ids: &[NodeId],
) -> Result<Result<Vec<Node>, NodeId>, Refusal> {
    if ids.is_empty() {
        return Ok(Ok(Vec::new()));
    }
    // SAFETY: passed on to the caller.
    let known: HashMap<NodeId, Node> =
        unsafe { nodes(api, graph) }?.into_iter().map(|node| (id_of(node), node)).collect();
    Ok(ids.iter().map(|id| known.get(id).copied().ok_or(*id)).collect())
}

/// How far a capture is that puts its nodes into `graph`.
///
/// # Safety
/// As [`node_count`].
pub(super) unsafe fn progress(api: &Api, graph: api::Graph, frontier: Vec<Node>) -> Result<CaptureProgress, Refusal> {
    // SAFETY: passed on to the caller.
    let (nodes, edges) = unsafe { (node_count(api, graph)?, edge_count(api, graph)?) };
    Ok(CaptureProgress { nodes, edges, frontier: frontier.into_iter().map(id_of).collect(), native: graph.number() })
}

/// The graph for a person; the inner error is `OUT_OF_MEMORY`.
///
/// # Safety
/// As [`node_count`].
pub(super) unsafe fn describe(api: &Api, graph: api::Graph) -> Result<Result<GraphDescription>, Refusal> {
    // With a table of places, which is up to half empty.
    const OF_NODE: usize = size_of::<Node>() + 3 * size_of::<(NodeId, usize)>() + 2 * size_of::<NodeDescription>();
    let read = || {
        // SAFETY: passed on to the caller.
        let (nodes, edges) = unsafe { (nodes(api, graph)?, edges(api, graph)?) };
        let places: HashMap<NodeId, usize> = nodes.iter().enumerate().map(|(at, &node)| (id_of(node), at)).collect();
        let place = |node: Node| places.get(&id_of(node)).copied();
        let edges = edges.into_iter().filter_map(|(from, to)| Some((place(from)?, place(to)?))).collect();
        // SAFETY: the nodes were just got from the graph.
        let nodes = nodes.into_iter().map(|node| unsafe { describe_node(api, node) }).collect::<Result<_, _>>()?;
        Ok(GraphDescription { nodes, edges })
    };
    // SAFETY: passed on to the caller.
    unsafe { with_room(api, graph, OF_NODE, read) }
}

/// # Safety
/// `node` is a node of a live graph that no other thread uses.
unsafe fn describe_node(api: &Api, node: Node) -> Result<NodeDescription, Refusal> {
    let mut number = 0;
    // SAFETY: the caller promises the node.
    unsafe { api.cuGraphNodeGetType(node, &mut number) }?;
    let kind = kind(number);
    // SAFETY: as above; each is asked of a node of its kind. What the driver does not tell is left out.
    let (name, detail) = unsafe {
        match kind {
            NodeKind::Kernel => kernel(api, node),
            NodeKind::Memcpy => memcpy(api, node).map(|detail| (String::new(), detail)),
            NodeKind::Memset => memset(api, node).map(|detail| (String::new(), detail)),
            NodeKind::BatchMemOp => value_operations(api, node).map(|detail| (String::new(), detail)),
            _ => Ok((String::new(), String::new())),
        }
    }
    .unwrap_or_default();
    Ok(NodeDescription { kind, name, detail })
}

fn kind(number: c_uint) -> NodeKind {
    const KINDS: [(CUgraphNodeType, NodeKind); 12] = [
        (CUgraphNodeType::CU_GRAPH_NODE_TYPE_KERNEL, NodeKind::Kernel),
        (CUgraphNodeType::CU_GRAPH_NODE_TYPE_MEMCPY, NodeKind::Memcpy),
        (CUgraphNodeType::CU_GRAPH_NODE_TYPE_MEMSET, NodeKind::Memset),
        (CUgraphNodeType::CU_GRAPH_NODE_TYPE_HOST, NodeKind::Host),
        (CUgraphNodeType::CU_GRAPH_NODE_TYPE_GRAPH, NodeKind::Child),
        (CUgraphNodeType::CU_GRAPH_NODE_TYPE_EMPTY, NodeKind::Empty),
        (CUgraphNodeType::CU_GRAPH_NODE_TYPE_WAIT_EVENT, NodeKind::EventWait),
        (CUgraphNodeType::CU_GRAPH_NODE_TYPE_EVENT_RECORD, NodeKind::EventRecord),
        (CUgraphNodeType::CU_GRAPH_NODE_TYPE_MEM_ALLOC, NodeKind::MemAlloc),
        (CUgraphNodeType::CU_GRAPH_NODE_TYPE_MEM_FREE, NodeKind::MemFree),
        (CUgraphNodeType::CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, NodeKind::BatchMemOp),
        (CUgraphNodeType::CU_GRAPH_NODE_TYPE_CONDITIONAL, NodeKind::Conditional),
    ];
    KINDS.iter().find(|(theirs, _)| *theirs as c_uint == number).map_or(NodeKind::Other, |&(_, ours)| ours)
}

/// Name and shape of a kernel node.
unsafe fn kernel(api: &Api, node: Node) -> Result<(String, String), Refusal> {
    let mut parameters = MaybeUninit::<CUDA_KERNEL_NODE_PARAMS_v2>::zeroed();
    // SAFETY: the node is a kernel's; the driver fills the struct, which holds integers and pointers only.
    let parameters = unsafe {
        api.cuGraphKernelNodeGetParams_v2(node, parameters.as_mut_ptr())?;
        parameters.assume_init()
    };
    let name = if !parameters.func.is_null() {
        function_name(api, Handle(parameters.func))
    } else {
        kernel_name(api, Handle(parameters.kern))
    };
    let (grid, block) = (
        [parameters.gridDimX, parameters.gridDimY, parameters.gridDimZ],
        [parameters.blockDimX, parameters.blockDimY, parameters.blockDimZ],
    );
    let ([gx, gy, gz], [bx, by, bz]) = (grid, block);
    let detail = format!("grid {gx}x{gy}x{gz}, block {bx}x{by}x{bz}, {} bytes shared", parameters.sharedMemBytes);
    Ok((name.unwrap_or_default(), detail))
}

/// The name of a kernel that a library of the driver's holds.
fn kernel_name(api: &Api, kernel: api::LibraryKernel) -> Option<String> {
    if kernel.is_null() {
        return None;
    }
    let mut name = std::ptr::null();
    // SAFETY: the kernel is of a node; the driver sets `name` to a text that lives as long as the kernel.
    unsafe { api.cuKernelGetName(&mut name, kernel) }.ok()?;
    // SAFETY: as above.
    (!name.is_null()).then(|| unsafe { std::ffi::CStr::from_ptr(name) }.to_string_lossy().into_owned())
}

/// A copy in words.
unsafe fn memcpy(api: &Api, node: Node) -> Result<String, Refusal> {
    let mut copy = MaybeUninit::<Memcpy3d>::zeroed();
    // SAFETY: the node is a copy; the driver fills the struct, which holds integers and pointers only.
    let copy = unsafe {
        api.cuGraphMemcpyNodeGetParams(node, copy.as_mut_ptr())?;
        copy.assume_init()
    };
    let from_host = copy.source.memory_type == MEMORY_TYPE_HOST;
    let to_host = copy.destination.memory_type == MEMORY_TYPE_HOST;
    let way = match (from_host, to_host) {
        (true, true) => "host to host",
        (true, false) => "host to device",
        (false, true) => "device to host",
        (false, false) => "device to device",
    };
    let source = if from_host { copy.source.host.addr() as u64 } else { copy.source.device };
    let destination = if to_host { copy.destination.host.addr() as u64 } else { copy.destination.device };
    let extent = match (copy.height, copy.depth) {
        (0 | 1, 0 | 1) => format!("{} bytes", copy.width_in_bytes),
        (height, 0 | 1) => format!("{} bytes x {height}", copy.width_in_bytes),
        (height, depth) => format!("{} bytes x {height} x {depth}", copy.width_in_bytes),
    };
    Ok(format!("{way}, {extent}, {source:#x} to {destination:#x}"))
}

/// A memset in words.
unsafe fn memset(api: &Api, node: Node) -> Result<String, Refusal> {
    let mut set = MaybeUninit::<CUDA_MEMSET_NODE_PARAMS>::zeroed();
    // SAFETY: the node is a memset; the driver fills the struct, which holds integers only.
    let set = unsafe {
        api.cuGraphMemsetNodeGetParams(node, set.as_mut_ptr())?;
        set.assume_init()
    };
    let rows = if set.height > 1 { format!(" x {}", set.height) } else { String::new() };
    Ok(format!("{}{rows} x {} bytes at {:#x} to {:#x}", set.width, set.elementSize, set.dst, set.value))
}

/// Value operations in words.
unsafe fn value_operations(api: &Api, node: Node) -> Result<String, Refusal> {
    let mut batch = MaybeUninit::<MemOpNode>::zeroed();
    // SAFETY: the node is one of value operations; the driver fills the struct, which holds integers and pointers only,
    // with a list that it keeps as long as the node is not changed.
    let operations = unsafe {
        api.cuGraphBatchMemOpNodeGetParams(node, batch.as_mut_ptr())?;
        let MemOpNode { count, operations, .. } = batch.assume_init();
        if operations.is_null() {
            &[]
        } else {
            std::slice::from_raw_parts(operations, count as usize)
        }
    };
    Ok(describe_values(operations.iter().map(|entry| match values::operation(entry) {
        Some(operation) => operation.to_string(),
        None => format!("operation {} of the driver's", entry.operation),
    })))
}
