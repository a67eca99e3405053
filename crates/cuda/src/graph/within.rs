//! Captures into graphs within nodes. The driver destroys a graph when the end of a capture into it fails, and crashes when the one
//! that had it goes. So such a capture goes into a graph of its own, which has an empty node in the place of each node that was
//! there; what was recorded is put into the graph within at the end. Children and conditionals that are put into the capture by hand
//! are empty nodes in that graph as well: a conditional is of the graph that has its condition, and the driver lets no child move.

use std::collections::{HashMap, HashSet};
use std::ffi::c_uint;
use std::ptr::null;
use std::sync::Arc;

use super::edge_data::native;
use super::failure::{Edited, Failure};
use super::listing::{all_edges, nodes, or_older};
use super::locked::Locked;
use super::nodes::NodeTable;
use super::parameters::Parameters;
use super::staged::{Captured, Put, PutWork};
use super::{edge_count, node_count, read, related, Graph};
use crate::api::device::Device;
use crate::api::{self, Api, DriverError, Handle, Node};
use crate::captures::gate;
use crate::code::function::HostCall;
use crate::shared::Shared;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::lock;
use graphcap_base::room;
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{ConditionId, EdgeData, NodeId, NodeKind, Work};

/// Bytes that a node takes in the lists that are made of a graph here, about.
const OF_NODE: usize = 160;

/// A graph that a capture goes into in the place of one within a node.
pub(crate) struct Stage {
    graph: api::GraphHandle,
    /// The names of the nodes of the graph within, for those that stand in for them.
    pub(crate) table: NodeTable,
    /// The nodes that the first recorded one depends on.
    first: super::Nodes,
}

impl Locked<'_> {
    /// Makes the graph for a capture into this one, which is within a node, and lets nothing else change this one until
    /// [`Graph::capture_is_over`].
    pub(crate) fn stage(&mut self, dependencies: &[NodeId]) -> Edited<Stage> {
        if self.check_is_open().is_err() {
            return Err(Error::new(
                Status::ILLEGAL_STATE,
                "another capture goes into the graph; end that one first, or capture into a graph of its own",
            )
            .into());
        }
        self.name_all()?;
        let dependencies = self.find(dependencies)?;
        let (api, within) = (self.api, self.native);
        let mut graph = Handle::NULL;
        // SAFETY: `graph` is writable.
        unsafe { api.cuGraphCreate(&mut graph, 0) }?;
        // SAFETY: this graph's lock is held, and nobody else knows the other one.
        let stand_ins = unsafe { stand_in_for(api, within, graph) }.inspect_err(|_| {
            let _alone = related();
            // SAFETY: nobody else knows the graph.
            let _ = unsafe { api.cuGraphDestroy(graph) };
        })?;
        let stand_in_of = |node| stand_ins.get(&node).copied().unwrap_or(Handle::NULL);
        let table = self.nodes().with_stand_ins(stand_in_of);
        let first = dependencies.into_iter().map(stand_in_of).collect();
        let captured = self.place.map(|place| Captured::new(place, graph));
        self.state.captured_within.extend(captured);
        Ok(Stage { graph, table, first })
    }

    /// Names a node that was added just now: so, or by a new name.
    pub(super) fn name_as(&mut self, name: Option<NodeId>, node: Node) -> NodeId {
        match name {
            None => self.nodes().add(node),
            Some(name) => {
                self.nodes().adopt_one(name, node);
                name
            }
        }
    }
}

/// Gives `graph` an empty node for each node of `within`, and the edges that these have.
///
/// # Safety
/// Both are live graphs that no other thread uses.
unsafe fn stand_in_for(
    api: &Api,
    within: api::GraphHandle,
    graph: api::GraphHandle,
) -> Result<HashMap<Node, Node>, DriverError> {
    let mut stand_ins = HashMap::new();
    // SAFETY: the caller promises the graphs; the nodes are of them, and there are as many as are told.
    unsafe {
        for node in nodes(api, within)? {
            let mut stand_in = Handle::NULL;
            api.cuGraphAddEmptyNode(&mut stand_in, graph, null(), 0)?;
            stand_ins.insert(node, stand_in);
        }
        let edges = all_edges(api, within)?;
        let stand_ins_of =
            |nodes: Vec<Node>| -> Vec<Node> { nodes.iter().filter_map(|node| stand_ins.get(node).copied()).collect() };
        let from = stand_ins_of(edges.iter().map(|&(from, ..)| from).collect());
        let to = stand_ins_of(edges.iter().map(|&(_, to, _)| to).collect());
        if !from.is_empty() {
            api.cuGraphAddDependencies(graph, from.as_ptr(), to.as_ptr(), from.len().min(to.len()))?;
        }
    }
    Ok(stand_ins)
}

impl Shared {
    /// Begins a capture into the graph of a stage, on a stream that lives. Where it fails the graph is destroyed.
    pub(crate) fn begin_on_stage(
        &self,
        stream: api::StreamHandle,
        stage: &Stage,
        mode: CaptureMode,
    ) -> Result<(), DriverError> {
        let (nodes, count, data) = (stage.first.as_ptr(), stage.first.len(), null());
        let alone = gate::write();
        // SAFETY: stream and graph live; the nodes are of the graph, and as many as are told; the modes have the driver's numbers.
        let begun =
            unsafe { self.api().cuStreamBeginCaptureToGraph(stream, stage.graph, nodes, data, count, mode as c_uint) };
        drop(alone);
        begun.inspect_err(|_| self.leave_stage(stage.graph))
    }

    /// Destroys a graph of the driver's that nobody else knows, and that no stream is captured into any more.
    pub(crate) fn leave_stage(&self, graph: api::GraphHandle) {
        let _alone = related();
        // SAFETY: only the capture knew the graph.
        let _ = unsafe { self.api().cuGraphDestroy(graph) };
    }

    /// Returns what a node is to be that is put by hand into a capture which goes into `within`.
    pub(crate) fn put_work(&self, within: &Graph, work: &Work<'_>) -> Result<PutWork> {
        match *work {
            Work::Child(child) => self.child_to_put(child),
            Work::Conditional(conditional) => {
                self.check_known_to_driver(conditional)?;
                self.made(self.lock_graph(within, |within| {
                    if within.state.captured_within.iter().any(|captured| captured.has(conditional.condition)) {
                        return Err(has_a_node(conditional.condition).into());
                    }
                    self.check_conditional(within, conditional)
                }))?;
                Ok(PutWork::Conditional(conditional))
            }
            _ => Err(recorded_by_streams(work.kind())),
        }
    }

    /// Puts what a capture recorded into the graph that it was to go into: wholly, or not at all. `table` has the names of the
    /// nodes of `stage`, which is destroyed.
    pub(crate) fn take_from_stage(&self, within: &Graph, stage: api::GraphHandle, table: &NodeTable) -> Result<()> {
        let put = within.take_put();
        let taken = self.lock_graph(within, |within| {
            self.remember(within);
            let _current = self.device.enter()?;
            // SAFETY: the lock of the graph within is held, and nobody else knows the other one.
            let moved = unsafe { self.put_into(within, stage, table, put) }?;
            within.nodes().adopt(table, |node| moved.get(&node).copied());
            within.state.note_attributes();
            Ok(())
        });
        self.leave_stage(stage);
        within.capture_is_over();
        self.made(taken)
    }

    /// Adds the nodes of `stage` that stand in for none of the graph within, and `put` in the place of those that stand in for what
    /// was put there by hand; and their edges. Gives what became of each that was recorded.
    ///
    /// # Safety
    /// `stage` is a live graph that no other thread uses; a context is current.
    unsafe fn put_into(
        &self,
        within: &mut Locked<'_>,
        stage: api::GraphHandle,
        table: &NodeTable,
        put: Vec<Put>,
    ) -> Edited<HashMap<Node, Node>> {
        let (api, device) = (within.api, self.device);
        // Nodes that others removed lose their names before nodes are added, which may get their handles.
        within.find(&[])?;
        // SAFETY: passed on to the caller.
        let counts = unsafe { (node_count(api, stage)?, edge_count(api, stage)?) };
        room::ask((counts.0 + counts.1).saturating_mul(OF_NODE))?;
        // SAFETY: passed on to the caller.
        let (staged, edges) = unsafe { (nodes(api, stage)?, all_edges(api, stage)?) };
        let mut stands_for: HashMap<Node, Node> = within.nodes().pairs_with(table).collect();
        let mut put: HashMap<Node, Put> =
            put.into_iter().filter_map(|put| Some((table.node(put.node)?, put))).collect();
        let mut moved = HashMap::with_capacity(staged.len());
        let mut added: Vec<Added> = Vec::with_capacity(staged.len());
        let is_old: HashSet<Node> = stands_for.keys().copied().collect();
        let result = staged
            .iter()
            .filter(|&node| !is_old.contains(node))
            .try_for_each(|&node| {
                if let Some(Put { node: id, work }) = put.remove(&node) {
                    if let Some(handle) = self.add_put(within, id, work)? {
                        stands_for.insert(node, handle);
                        added.push(Added::Put(id, handle));
                    }
                    return Ok(());
                }
                // SAFETY: passed on to the caller; the node is of that graph.
                let (copy, call) = unsafe { put_node(within, device, node) }?;
                moved.insert(node, copy);
                added.push(Added::Recorded(copy, call));
                Ok(())
            })
            .and_then(|()| {
                let now = |node: &Node| moved.get(node).or_else(|| stands_for.get(node)).copied();
                let (mut from, mut to, mut data): (Vec<Node>, Vec<Node>, Vec<EdgeData>) = Default::default();
                for (first, second, carried) in edges.iter().filter(|(_, second, _)| !is_old.contains(second)) {
                    let (Some(first), Some(second)) = (now(first), now(second)) else { continue };
                    // The driver takes no other edges with data by hand than between kernels, though captures make them.
                    // SAFETY: the lock of the graph is held, and the node is of it.
                    let is_kept = carried.is_none() || unsafe { read::kind(api, second) }? == NodeKind::Kernel;
                    from.push(first);
                    to.push(second);
                    data.push(if is_kept { *carried } else { EdgeData::NONE });
                }
                // SAFETY: the lock of the graph is held, and the nodes are of it; there are as many of each.
                unsafe { add_edges(api, within.native, &from, &to, &data) }
            });
        result.inspect_err(|_| added.into_iter().rev().for_each(|added| self.take_back(within, added)))?;
        Ok(moved)
    }

    /// Removes a node again that was added.
    #[cold]
    fn take_back(&self, within: &mut Locked<'_>, added: Added) {
        let (Added::Recorded(node, _) | Added::Put(_, node)) = added;
        {
            let _alone = related();
            // SAFETY: the lock of the graph is held, and the node is of it.
            let _ = unsafe { within.api.cuGraphDestroyNode(node) };
        }
        match added {
            Added::Recorded(_, call) => within.let_go(call.as_deref()),
            Added::Put(id, node) => self.forget_graphs(&within.forget_node(id, node, None)),
        }
    }
}

/// A node that was added to the graph within.
enum Added {
    Recorded(Node, Option<Arc<HostCall>>),
    /// One that was put into the capture by hand.
    Put(NodeId, Node),
}

impl Graph {
    /// The capture is over that was to go into the graph, which is within a node.
    pub(crate) fn capture_is_over(&self) {
        let place = self.place;
        lock(&self.root).captured_within.retain(|captured| Some(captured.place) != place);
    }

    /// Returns whether the capture that is to go into the graph, which is within a node, goes into `stage`.
    pub(crate) fn has_stage(&self, stage: api::GraphHandle) -> bool {
        lock(&self.root).captured_within.iter().any(|captured| captured.is(self.place, stage))
    }

    /// The graph is to have the node `node`, for which an empty one of `stage` stands.
    pub(crate) fn note_put(&self, stage: api::GraphHandle, node: NodeId, work: PutWork) {
        let mut root = lock(&self.root);
        if let Some(captured) = root.captured_within.iter_mut().find(|captured| captured.is(self.place, stage)) {
            captured.put.push(Put { node, work });
        }
    }

    /// Returns what was put by hand into the capture that is to go into the graph.
    fn take_put(&self) -> Vec<Put> {
        let place = self.place;
        let mut root = lock(&self.root);
        let captured = root.captured_within.iter_mut().find(|captured| Some(captured.place) == place);
        captured.map(|captured| std::mem::take(&mut captured.put)).unwrap_or_default()
    }
}

/// Adds edges, in their order. A call of the driver gives all its edges the data of the first one, so there is a call for each run
/// of edges with equal data. Where one fails, those before it stay.
///
/// # Safety
/// `graph` is a live graph that no other thread uses, and the nodes are of it; there are as many of each.
unsafe fn add_edges(api: &Api, graph: api::GraphHandle, from: &[Node], to: &[Node], data: &[EdgeData]) -> Edited<()> {
    let mut at = 0;
    for alike in data.chunk_by(|a, b| a == b) {
        let (first, second, native) = (from[at..].as_ptr(), to[at..].as_ptr(), native(alike[0]));
        let data = vec![native; alike.len()];
        // SAFETY: the caller promises graph and nodes; there is data for each edge.
        unsafe {
            or_older(api.cuGraphAddDependencies_v2(graph, first, second, data.as_ptr(), alike.len()), || {
                api.cuGraphAddDependencies(graph, first, second, alike.len())
            })
        }?;
        at += alike.len();
    }
    Ok(())
}

/// Adds a node that does what `node` does, which is of another graph.
///
/// # Safety
/// `node` is of a live graph that no other thread uses; a context is current.
unsafe fn put_node(within: &mut Locked<'_>, device: Device, node: Node) -> Edited<(Node, Option<Arc<HostCall>>)> {
    let (api, graph) = (within.api, within.native);
    // SAFETY: passed on to the caller.
    let Some(parameters) = (unsafe { Parameters::of_node(api, node) })? else {
        // SAFETY: passed on to the caller.
        return unsafe { put_others_node(api, graph, node) }.map(|added| (added, None));
    };
    let call = parameters.call();
    // SAFETY: the lock of the graph is held; what the parameters point to lives as long as `node`.
    let added = within.holding(call, |graph| unsafe { parameters.add(device, graph, &[]) })?;
    if let Parameters::Kernel(..) = parameters {
        // SAFETY: both are kernel nodes of graphs that no other thread uses; nobody else knows the new one.
        unsafe {
            api.cuGraphKernelNodeCopyAttributes(added, node).inspect_err(|_| {
                let _alone = related();
                let _ = api.cuGraphDestroyNode(added);
            })
        }?;
    }
    Ok((added, call.map(Arc::clone)))
}

/// As [`put_node`], for a node that calls a host function of others.
///
/// # Safety
/// As for [`put_node`]; `graph` is a live graph that no other thread uses.
unsafe fn put_others_node(api: &Api, graph: api::GraphHandle, node: Node) -> Edited<Node> {
    let mut added = Handle::NULL;
    // SAFETY: passed on to the caller; the driver copies the parameters, and `added` is writable.
    unsafe {
        match read::kind(api, node)? {
            NodeKind::Host => {
                api.cuGraphAddHostNode(&mut added, graph, null(), 0, &read::host_parameters(api, node)?)?;
                Ok(added)
            }
            kind => Err(Failure::Wrong(not_within(kind))),
        }
    }
}

#[cold]
fn has_a_node(ConditionId(condition): ConditionId) -> Error {
    Error::invalid_value(format!("a node has the condition {condition:#x} already; create a condition for each node"))
}

#[cold]
fn recorded_by_streams(kind: NodeKind) -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        format!(
            "a node of the kind {kind} is not put by hand into a capture that goes into a graph within a node; record it on a stream"
        ),
    )
}

#[cold]
fn not_within(kind: NodeKind) -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        format!(
            "a node of the kind {kind} was recorded, which cannot be put into a graph within a node; what was recorded is dropped, \
             and the graph is as it was"
        ),
    )
}
