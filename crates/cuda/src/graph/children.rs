//! Child nodes, and the graphs within other graphs.

use std::sync::Arc;

use super::edit::not_added;
use super::failure::{Edited, Failure};
use super::listing::nodes;
use super::locked::Locked;
use super::nested::Inner;
use super::parameters::is_changeable;
use super::read::Codes;
use super::staged::PutWork;
use super::state::{Graph, Root, IS_INNER};
use super::{read, related};
use crate::api::device::Device;
use crate::api::{self, Api, DriverError, Handle, Node, NodeParameters, UserObject};
use crate::code::function::HostCalls;
use crate::retention::UserData;
use crate::shared::Shared;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::lock;
use graphcap_driver::ids::{lost_graph, no_such};
use graphcap_driver::{callbacks, GraphId, NodeId, NodeKind, ReadKernels, Work};

impl Shared {
    pub(super) fn add_child(&self, graph: GraphId, dependencies: &[NodeId], child: GraphId) -> Result<NodeId> {
        let [graph, child] = self.find_two(graph, child)?;
        check_apart(&graph, &child)?;
        self.made(self.lock_two((&graph.root, graph.place), &child, lost_graph, |graph, child| {
            graph.check_is_open()?;
            self.remember(graph);
            child.check_grids_as_child(graph.place.is_some())?;
            self.check_unchangeable(child)?;
            graph.check_room()?;
            child.name_all()?;
            let handles = graph.find(dependencies)?;
            let node = self.new_child(graph, (dependencies, &handles), child.native)?;
            let id = graph.nodes().add(node);
            graph.take_names(id, child);
            graph.note_attributes_of(child);
            Ok(id)
        }))
    }

    /// Refuses that a graph is copied, or that a node of an exec is set to it, where kernels can change a node of it. The driver (580)
    /// crashes when both the graph and its copy, or the exec, are destroyed.
    pub(super) fn check_unchangeable(&self, graph: &Locked<'_>) -> Edited<()> {
        self.check_unchangeable_within(graph, graph.native)
    }

    /// As [`Shared::check_unchangeable`], for the graph of a lock, or one within it.
    fn check_unchangeable_within(&self, graph: &Locked<'_>, native: api::GraphHandle) -> Edited<()> {
        if !graph.state.may_have_attributes() {
            return Ok(());
        }
        let _current = self.device.enter()?;
        // SAFETY: the graph's lock is held.
        if !unsafe { has_changeable(self.device, native) }? {
            return Ok(());
        }
        Err(Error::new(
            Status::NOT_SUPPORTED,
            "a kernel node of the graph has GRAPHCAP_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE, and the driver crashes where both such a graph \
             and a copy of it are destroyed; give the attribute to nodes of a graph that is no child and not copied",
        )
        .into())
    }

    /// Adds a node behind some, by their names and their handles, that has a copy of `child`, which no other call uses.
    fn new_child(
        &self,
        graph: &mut Locked<'_>,
        (dependencies, handles): (&[NodeId], &[Node]),
        child: api::GraphHandle,
    ) -> Edited<Node> {
        let mut node = Handle::NULL;
        // The child may have kernels, which are added with a current context alone.
        let _current = self.device.enter()?;
        // SAFETY: the graph's lock is held, and the nodes are of the graph; nobody else uses the child; `node` is writable. The
        // driver copies the child.
        let added = unsafe {
            let _alone = related();
            let (first, count) = (handles.as_ptr(), handles.len());
            graph.api.cuGraphAddChildGraphNode(&mut node, graph.native, first, count, child)
        };
        added.map_err(|refusal| not_added(dependencies, cannot_be_child(self.api(), refusal)))?;
        Ok(node)
    }

    /// Returns what a node is to be put as that has a copy of `child`, which nobody changes until then, and which is in no other graph.
    pub(super) fn child_to_put(&self, child: GraphId) -> Result<PutWork> {
        let child = self.find_graph(child).ok_or_else(|| no_such("graph"))?;
        self.made(self.lock_graph(&child, |child| {
            child.check_grids_as_child(true)?;
            self.check_unchangeable(child)?;
            child.name_all()?;
            Ok(PutWork::Child(child.native, Box::new(child.nodes().copy())))
        }))
    }

    /// Adds a node that was put into a capture by hand, by its name, to the graph that the capture goes into. The names are not looked
    /// through: nodes that were added just before have none yet, and would get other ones.
    pub(super) fn add_put(&self, graph: &mut Locked<'_>, id: NodeId, work: PutWork) -> Edited<Option<Node>> {
        match work {
            PutWork::Child(child, table) => {
                let node = self.new_child(graph, (&[], &[]), child)?;
                graph.nodes().adopt_one(id, node);
                graph.state.child_tables.insert(id, *table);
                Ok(Some(node))
            }
            PutWork::Conditional(conditional) => {
                self.add_conditional_as(Some(id), graph, &[], conditional)?;
                Ok(graph.nodes().node(id))
            }
            PutWork::Nothing => Ok(None),
        }
    }

    pub(super) fn set_child(&self, graph: GraphId, node: NodeId, child: GraphId) -> Result<()> {
        let [graph, child] = self.find_two(graph, child)?;
        check_apart(&graph, &child)?;
        let gone = self.made(self.lock_two((&graph.root, graph.place), &child, lost_graph, |graph, child| {
            graph.check_captured_within("a graph of a node")?;
            child.check_grids_as_child(graph.place.is_some())?;
            self.check_unchangeable(child)?;
            self.remember(graph);
            let handle = graph.find_one(node)?;
            child.name_all()?;
            // SAFETY: the lock of the child is held.
            let calls = unsafe { calls_of(child.api, child.native) }?;
            let _current = self.device.enter()?;
            let held = graph.hold(calls)?;
            // SAFETY: the locks of both graphs are held, and the node is of the graph, but may be of another kind, which the
            // driver refuses. It copies the child.
            let set = unsafe {
                let _alone = related();
                graph.api.cuGraphNodeSetParams(handle, &mut NodeParameters::child(child.native))
            };
            if let Err(refusal) = set {
                graph.release(held);
                return Err(cannot_be_child(self.api(), refusal));
            }
            graph.hold_for(node, held);
            graph.take_names(node, child);
            graph.note_attributes_of(child);
            Ok(graph.state.inner.forget_of(node))
        }))?;
        self.forget_graphs(&gone);
        Ok(())
    }

    /// Makes `call` with the driver's handle of a graph that a node of an exec is to be set to, while no other call uses it or
    /// the graph with the lock `root`, from which the
    /// exec was made.
    pub(crate) fn with_child_of_exec<T>(
        &self,
        root: &Root,
        child: GraphId,
        gone: fn() -> Error,
        call: impl FnOnce(&mut Locked<'_>, api::GraphHandle, HostCalls) -> Edited<T>,
    ) -> Result<T> {
        callbacks::check_caller()?;
        let child = self.find_graph(child).ok_or_else(|| no_such("graph"))?;
        if Arc::ptr_eq(root, &child.root) {
            return self.made(self.lock_at(root, None, gone, |graph| {
                graph.check_has_no_grids()?;
                let native = match child.place {
                    None => graph.native,
                    Some(place) => graph.state.inner.get(place).ok_or_else(|| no_such("graph"))?.native,
                };
                // SAFETY: the lock is held, which is that of both graphs.
                let calls = unsafe { calls_of(graph.api, native) }?;
                self.check_unchangeable_within(graph, native)?;
                call(graph, native, calls)
            }));
        }
        self.made(self.lock_two((root, None), &child, gone, |graph, child| {
            child.check_has_no_grids()?;
            self.check_unchangeable(child)?;
            // SAFETY: the lock of the child is held.
            let calls = unsafe { calls_of(child.api, child.native) }?;
            call(graph, child.native, calls)
        }))
    }

    pub(crate) fn inner_graphs(&self, graph: GraphId, node: NodeId) -> Result<Vec<GraphId>> {
        self.edit_graph(graph, |graph| {
            let handle = graph.find_one(node)?;
            self.graphs_of(graph, node, handle)?.ok_or_else(|| no_graphs(node).into())
        })
    }

    /// The graphs of a node; `None` where it is of a kind that has none.
    pub(super) fn graphs_of(&self, graph: &mut Locked<'_>, node: NodeId, handle: Node) -> Edited<Option<Vec<GraphId>>> {
        let known = graph.state.inner.of(node);
        if !known.is_empty() && !graph.state.given_out {
            return Ok(Some(known));
        }
        // SAFETY: the graph's lock is held, and the node is of the graph.
        let Some(native) = unsafe { read::child_graph(graph.api, handle) }? else {
            // The bodies of a conditional node are known since it was added.
            return Ok((!known.is_empty()).then_some(known));
        };
        if graph.state.inner.all().any(|inner| inner.owner == node && inner.native == native) {
            return Ok(Some(known));
        }
        // Others gave the node another graph.
        let gone = graph.state.inner.forget_of(node);
        self.forget_graphs(&gone);
        let table = graph.state.child_tables.remove(&node).unwrap_or_default();
        Ok(Some(vec![self.enter_inner(graph, Inner::new(native, table, node, graph.place))]))
    }

    /// Enters a graph that is within `graph`.
    pub(super) fn enter_inner(&self, graph: &mut Locked<'_>, inner: Inner) -> GraphId {
        let id = GraphId(self.next_graph() | IS_INNER);
        let place = Some(graph.state.inner.enter(id, inner));
        // Somebody holds the graph while its lock is held.
        if let Some(root) = graph.state.this.upgrade() {
            lock(&self.objects.graphs).insert(id, Graph { root, place });
        }
        id
    }

    /// Tells `read` what a node of a graph does.
    pub(crate) fn read_known_node(
        &self,
        graph: &mut Locked<'_>,
        node: NodeId,
        read: &mut dyn FnMut(&Work<'_>),
    ) -> Edited<()> {
        let handle = graph.find_one(node)?;
        self.read_found_node(graph, (node, handle), &mut Codes::default(), read)
    }

    /// Tells `read` what each node of a graph does; of a kernel that is not among `kernels` its kind alone.
    pub(crate) fn read_known_nodes(
        &self,
        graph: &mut Locked<'_>,
        kernels: ReadKernels,
        read: &mut dyn FnMut(NodeId, &Work<'_>),
    ) -> Edited<()> {
        graph.name_all()?;
        let handles = graph.nodes().all_listed().to_vec();
        let (mut codes, mut next) = (Codes::of(kernels), 0);
        for handle in handles {
            let node = graph.nodes().name_next(handle, &mut next);
            self.read_found_node(graph, (node, handle), &mut codes, &mut |work| read(node, work))?;
        }
        Ok(())
    }

    fn read_found_node(
        &self,
        graph: &mut Locked<'_>,
        (node, handle): (NodeId, Node),
        codes: &mut Codes,
        read: &mut dyn FnMut(&Work<'_>),
    ) -> Edited<()> {
        let mut unread = None;
        let mut tell = |work: &Work<'_>| match work {
            Work::Opaque(kind @ (NodeKind::Child | NodeKind::Conditional)) => unread = Some(*kind),
            work => read(work),
        };
        // SAFETY: the graph's lock is held, and the node is of the graph.
        unsafe { self.read_node(handle, codes, &mut tell) }?;
        let Some(kind) = unread else { return Ok(()) };
        if let Some(conditional) = graph.state.conditionals.get(&node) {
            read(&Work::Conditional(*conditional));
            return Ok(());
        }
        match self.graphs_of(graph, node, handle)?.as_deref() {
            Some([child]) => read(&Work::Child(*child)),
            _ => read(&Work::Opaque(kind)),
        }
        Ok(())
    }

    pub(super) fn find_two(&self, graph: GraphId, child: GraphId) -> Result<[Graph; 2]> {
        callbacks::check_caller()?;
        let find = |id| self.find_graph(id).ok_or_else(|| no_such("graph"));
        Ok([find(graph)?, find(child)?])
    }
}

impl Locked<'_> {
    /// The child node `owner` has a copy of `child` from here on.
    fn take_names(&mut self, owner: NodeId, child: &mut Locked<'_>) {
        let table = child.nodes().copy();
        self.take_grids(owner, child, &table);
        self.state.child_tables.insert(owner, table);
    }

    /// The graph has the kernels of `child` from here on.
    fn note_attributes_of(&mut self, child: &Locked<'_>) {
        if child.state.may_have_attributes() {
            self.state.note_attributes();
        }
    }

    /// Makes the outermost graph hold host functions, for nodes of a child that takes the place of another one: the driver is not
    /// known to do it.
    fn hold(&mut self, calls: HostCalls) -> Edited<Vec<UserObject>> {
        let mut held = Vec::with_capacity(calls.len());
        for call in calls {
            // SAFETY: the lock is held.
            match unsafe { UserData::Call(call).attach(self.api, self.outermost) } {
                Ok(object) => held.push(object),
                Err(refusal) => {
                    self.release(held);
                    return Err(refusal.into());
                }
            }
        }
        Ok(held)
    }

    /// Makes the outermost graph hold `held` for a child node, in the place of what it held for that before.
    pub(super) fn hold_for(&mut self, node: NodeId, held: Vec<UserObject>) {
        let before = match held.is_empty() {
            true => self.state.calls.of_children.remove(&node),
            false => self.state.calls.of_children.insert(node, held),
        };
        // Others may have made other nodes that call the functions.
        if !self.state.given_out {
            self.release(before.unwrap_or_default());
        }
    }

    fn release(&mut self, held: Vec<UserObject>) {
        for object in held {
            // SAFETY: the lock is held, and the graph holds the object since `hold`.
            let _ = unsafe { self.api.cuGraphReleaseUserObject(self.outermost, object, 1) };
        }
    }
}

/// The host functions that nodes of a graph call, at any depth.
///
/// # Safety
/// `graph` is a live graph that no other thread uses.
pub(super) unsafe fn calls_of(api: &Api, graph: api::GraphHandle) -> Result<HostCalls, DriverError> {
    let mut calls = HostCalls::new();
    let mut graphs = vec![graph];
    while let Some(graph) = graphs.pop() {
        // SAFETY: passed on to the caller, for the graphs within as well.
        for node in unsafe { nodes(api, graph) }? {
            // SAFETY: as above; the node is of the graph.
            unsafe {
                match read::kind(api, node)? {
                    NodeKind::Host => calls.extend(read::host_call(api, node)?),
                    NodeKind::Child => graphs.extend(read::child_graph(api, node)?),
                    _ => {}
                }
            }
        }
    }
    Ok(calls)
}

/// Refuses what the driver crashes on: a graph within itself.
fn check_apart(graph: &Graph, child: &Graph) -> Result<()> {
    if !Arc::ptr_eq(&graph.root, &child.root) {
        return Ok(());
    }
    Err(match child.place {
        None => Error::invalid_value(
            "a graph cannot be a child of itself, or of a graph within it; make a copy of it, and let that be the child",
        ),
        Some(_) => Error::new(
            Status::NOT_SUPPORTED,
            "a graph that belongs to a node cannot be the child of another node; make a copy of it, and let that be the child",
        ),
    })
}

/// Returns what the refusal of a child means.
#[cold]
fn cannot_be_child(api: &Api, refusal: DriverError) -> Failure {
    match refusal.since {
        None if refusal.status == Status::NOT_SUPPORTED => Failure::Wrong(Error::new(
            refusal.status,
            format!(
                "a graph cannot be a child that allocates, frees, has conditions, or belongs to a node; {}",
                api.error(refusal).message
            ),
        )),
        _ => Failure::Refused(refusal),
    }
}

#[cold]
fn no_graphs(NodeId(node): NodeId) -> Error {
    Error::invalid_value(format!("node {node:#x} has no graphs; ask of child nodes and conditional ones"))
}

/// Returns whether kernels can change a kernel node of the graph, or of the graph of a child node.
///
/// # Safety
/// The graph lives, and no other thread uses it.
unsafe fn has_changeable(device: Device, graph: api::GraphHandle) -> Result<bool, DriverError> {
    // SAFETY: passed on to the caller.
    for node in unsafe { nodes(device.api, graph) }? {
        // SAFETY: as above; the graph has the node.
        let found = unsafe {
            match read::kind(device.api, node)? {
                NodeKind::Kernel => is_changeable(device, node),
                NodeKind::Child => match read::child_graph(device.api, node)? {
                    Some(within) => has_changeable(device, within)?,
                    None => false,
                },
                _ => false,
            }
        };
        if found {
            return Ok(true);
        }
    }
    Ok(false)
}
