//! Edits of graphs: nodes that are added, changed and removed, edges that are added and removed.

use std::collections::HashMap;
use std::iter;
use std::ptr::null;
use std::sync::Arc;

use cudarc::driver::sys::CUgraphEdgeData;
use smallvec::SmallVec;

use super::adjacency::neighbours;
use super::edge_data::native;
use super::failure::{Edited, Failure};
use super::listing::{or_older, NO_DATA};
use super::locked::Locked;
use super::parameters::Parameters;
use super::{read, refused, related};
use crate::api::{Api, DriverError, GraphHandle, Handle, Node};
use crate::captures::epoch::note_attributed;
use crate::code::function::HostCall;
use crate::shared::Shared;
use crate::streams::launch::launch_refused;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::names::shown;
use graphcap_driver::refusals::other_kind;
use graphcap_driver::{DependenciesOf, EdgeData, GraphId, Launch, NodeId, NodeKind, Side, Work};

/// From and to.
type Edge = (Node, Node);

impl Shared {
    pub(crate) fn add_node(&self, graph: GraphId, dependencies: &[NodeId], work: &Work<'_>) -> Result<NodeId> {
        match work {
            Work::Child(child) => return self.add_child(graph, dependencies, *child),
            Work::Conditional(conditional) => return self.add_conditional(graph, dependencies, *conditional),
            Work::Kernel(launch) if launch.attributes.is_empty() => {
                return self.change_graph(graph, |graph| {
                    let _current = self.device.enter()?;
                    graph.look()?;
                    self.add_kernel(graph, dependencies, launch)
                })
            }
            _ => {}
        }
        let freed = match work {
            Work::MemFree(freed) => self.memory_to_free(freed)?,
            _ => None,
        };
        self.with_parameters(work, |device, parameters| {
            self.change_graph(graph, |graph| {
                let handles = graph.find(dependencies)?;
                graph.check_room()?;
                // SAFETY: the graph's lock is held, and the nodes are of the graph.
                let added =
                    graph.holding(parameters.call(), |native| unsafe { parameters.add(device, native, &handles) });
                let node = added.map_err(|refusal| not_added(dependencies, self.not_set(refusal, work)))?;
                if !parameters.attributes().is_empty() {
                    graph.state.note_attributes();
                    note_attributed();
                }
                freed.iter().for_each(|memory| graph.state.note_memory(memory, -1));
                Ok(graph.nodes().add(node))
            })
        })
    }

    pub(crate) fn set_node(&self, graph: GraphId, node: NodeId, work: &Work<'_>) -> Result<()> {
        match work {
            Work::Child(child) => return self.set_child(graph, node, *child),
            Work::Conditional(_) | Work::MemAlloc(_) | Work::MemFree(_) => {
                return self.refuse_to_set(graph, node, work.kind())
            }
            Work::Kernel(launch) if launch.attributes.is_empty() => {
                return self.set_kernels(graph, iter::once((node, launch))).1
            }
            _ => {}
        }
        self.with_parameters(work, |device, parameters| {
            let superseded = self.change_graph(graph, |graph| {
                let handle = graph.find_one(node)?;
                let superseded = match parameters {
                    // SAFETY: the graph's lock is held, and the node is of the graph.
                    Parameters::Host(_) => unsafe { read::host_call(graph.api, handle) }?,
                    _ => None,
                };
                let set = |graph: &mut Locked<'_>| {
                    // SAFETY: as above.
                    let set = graph.holding(parameters.call(), |_| unsafe { parameters.set(device, handle) });
                    set.map_err(|refusal| {
                        // SAFETY: as above.
                        let kind = unsafe { read::kind(graph.api, handle) };
                        refused::of_kind(kind.ok(), work.kind(), self.not_set(refusal, work))
                    })
                };
                match parameters.attributes() {
                    [] => set(graph)?,
                    attributes => {
                        let attributes: SmallVec<[u32; 4]> = attributes.iter().map(|known| known.id).collect();
                        // SAFETY: as above.
                        unsafe { graph.changing(self.device, (node, handle), &attributes, set) }?;
                    }
                }
                graph.let_go(superseded.as_deref());
                graph.forget_grid(node);
                Ok(superseded)
            })?;
            // Where no lock is held: it may be the last to have a host function.
            drop(superseded);
            Ok(())
        })
    }

    /// Adds kernels without attributes, one after another: what most nodes are, in a straight line.
    #[inline]
    pub(crate) fn add_kernels(
        &self,
        graph: GraphId,
        launches: &[Launch<'_>],
        dependencies: &mut DependenciesOf<'_>,
        told: &mut dyn FnMut(NodeId),
    ) -> Result<()> {
        self.change_graph(graph, |graph| {
            let _current = self.device.enter()?;
            graph.look()?;
            let mut each = launches.iter().enumerate();
            each.try_for_each(|(index, launch)| self.add_kernel(graph, dependencies(index), launch).map(&mut *told))
        })
    }

    /// Adds a kernel to a graph that was looked at, while the context is current.
    #[inline]
    fn add_kernel(&self, graph: &mut Locked<'_>, dependencies: &[NodeId], launch: &Launch<'_>) -> Edited<NodeId> {
        let one;
        let many;
        let handles = match dependencies {
            [] => &[][..],
            [before] => {
                one = [graph.known(*before)?];
                &one
            }
            _ => {
                many = graph.find(dependencies)?;
                &many
            }
        };
        graph.check_room()?;
        self.with_kernel_parameters(launch, |kernel| {
            let mut node = Handle::NULL;
            let (first, count) = (handles.as_ptr(), handles.len());
            // SAFETY: the graph's lock is held, and the nodes are of the graph; `node` is writable. What the parameters point to lives.
            let added = unsafe { graph.api.cuGraphAddKernelNode_v2(&mut node, graph.native, first, count, kernel) };
            added.map_err(|refusal| not_added(dependencies, self.kernel_not_set(refusal, launch)))?;
            Ok(graph.nodes().add(node))
        })
    }

    /// Makes nodes be kernels, one after another, with the attributes that they have. Gives how many became so.
    pub(crate) fn set_kernels<'l>(
        &self,
        graph: GraphId,
        launches: impl Iterator<Item = (NodeId, &'l Launch<'l>)>,
    ) -> (usize, Result<()>) {
        let mut done = 0;
        let set = self.change_graph(graph, |graph| {
            let _current = self.device.enter()?;
            graph.look()?;
            let has_grids = graph.state.has_grids();
            for (node, launch) in launches {
                let handle = graph.known(node)?;
                self.with_kernel_parameters(launch, |kernel| {
                    // SAFETY: the graph's lock is held, and the node is of the graph. What the parameters point to lives.
                    let set = unsafe { graph.api.cuGraphKernelNodeSetParams_v2(handle, kernel) };
                    set.map_err(|refusal| {
                        // SAFETY: as above.
                        let kind = unsafe { read::kind(graph.api, handle) };
                        refused::of_kind(kind.ok(), NodeKind::Kernel, self.kernel_not_set(refusal, launch))
                    })
                })?;
                if has_grids {
                    graph.forget_grid(node);
                }
                done += 1;
            }
            Ok(())
        });
        (done, set)
    }

    pub(crate) fn remove_node(&self, graph: GraphId, node: NodeId) -> Result<()> {
        let (call, gone) = self.change_graph(graph, |graph| {
            graph.check_not_captured("a node")?;
            let handle = graph.find_one(node)?;
            // SAFETY: the graph's lock is held, and the node is of the graph.
            let call = unsafe {
                let call = read::host_call(graph.api, handle)?;
                let _alone = related();
                graph.api.cuGraphDestroyNode(handle).map_err(|refusal| refused::of_removal(graph.api, refusal))?;
                call
            };
            let gone = graph.forget_node(node, handle, call.as_deref());
            Ok((call, gone))
        })?;
        self.forget_graphs(&gone);
        // Where no lock is held: it may be the last to have a host function.
        drop(call);
        Ok(())
    }

    /// Answers for nodes of kinds that the driver does not change.
    fn refuse_to_set(&self, graph: GraphId, node: NodeId, wanted: NodeKind) -> Result<()> {
        self.edit_graph(graph, |graph| {
            let handle = graph.find_one(node)?;
            // SAFETY: the graph's lock is held, and the node is of the graph.
            Err(never_set(unsafe { read::kind(graph.api, handle) }?, wanted).into())
        })
    }

    pub(crate) fn add_edges(&self, graph: GraphId, edges: &[(NodeId, NodeId, EdgeData)]) -> Result<()> {
        const WRONG: &str = "is there already, is listed twice, or leads from a node to itself";
        const WRONG_WITH_DATA: &str =
            "is there already, is listed twice, leads from a node to itself, or cannot carry what it is to";
        let ids: Vec<(NodeId, NodeId)> = edges.iter().map(|&(from, to, _)| (from, to)).collect();
        self.change_graph(graph, |graph| {
            let handles = graph.find_edges(&ids)?;
            if let Some(known) = graph.known_edges(&ids, &handles)? {
                let is_wrong = |at: &usize| known[*at].is_some() || handles[*at].0 == handles[*at].1;
                if let Some(at) = (0..known.len()).find(is_wrong) {
                    return Err(wrong_edge(ids[at], WRONG, "").into());
                }
            }
            for (&handles, &(from, to, data)) in handles.iter().zip(edges) {
                // SAFETY: the graph's lock is held, and the nodes are of the graph.
                let can_carry = data.is_none() || data.is_of_kernels() && unsafe { are_kernels(graph.api, handles) }?;
                if !can_carry {
                    return Err(wrong_edge((from, to), WRONG_WITH_DATA, "").into());
                }
            }
            if edges.iter().any(|(.., data)| !data.is_none()) {
                // SAFETY: the graph's lock is held.
                unsafe { check_carries(graph.api, graph.native) }?;
            }
            // One by one: the driver adds those before the first one that it refuses.
            for (at, (&(from, to), &(.., data))) in handles.iter().zip(edges).enumerate() {
                let (added, wrong) = match data.is_none() {
                    // SAFETY: the graph's lock is held, and the nodes are of the graph.
                    true => (unsafe { add_edge(graph.api, graph.native, (from, to), None) }, WRONG),
                    false => {
                        let data = native(data);
                        // SAFETY: as above; there is data for the one edge.
                        let added = unsafe { graph.api.cuGraphAddDependencies_v2(graph.native, &from, &to, &data, 1) };
                        (added, WRONG_WITH_DATA)
                    }
                };
                added.map_err(|refusal| {
                    for &added in handles[..at].iter().rev() {
                        // SAFETY: as above.
                        let _ = unsafe { remove_edge(graph.api, graph.native, added) };
                    }
                    self.edge_refused(refusal, ids[at], wrong)
                })?;
            }
            Ok(())
        })
    }

    pub(crate) fn remove_edges(&self, graph: GraphId, ids: &[(NodeId, NodeId)]) -> Result<()> {
        const WRONG: &str = "is not there, or is listed twice";
        self.change_graph(graph, |graph| {
            graph.check_not_captured("an edge")?;
            let handles = graph.find_edges(ids)?;
            let known = match graph.known_edges(ids, &handles)? {
                Some(known) => known,
                None => handles.iter().map(|_| Some(NO_DATA)).collect(),
            };
            if let Some(at) = known.iter().position(Option::is_none) {
                return Err(wrong_edge(ids[at], WRONG, "").into());
            }
            // As for those that are added.
            for (at, &edge) in handles.iter().enumerate() {
                // SAFETY: the graph's lock is held, and the nodes are of the graph.
                unsafe { remove_edge(graph.api, graph.native, edge) }.map_err(|refusal| {
                    for (&removed, &data) in handles[..at].iter().zip(&known).rev() {
                        // SAFETY: as above. An edge from a kernel to another node, which only captures make with data, gets none.
                        let _ = unsafe {
                            add_edge(graph.api, graph.native, removed, data)
                                .or_else(|_| add_edge(graph.api, graph.native, removed, None))
                        };
                    }
                    self.edge_refused(refusal, ids[at], WRONG)
                })?;
            }
            Ok(())
        })
    }

    /// Returns what the refusal of a node's parameters means.
    #[cold]
    pub(crate) fn not_set(&self, refusal: DriverError, work: &Work<'_>) -> Failure {
        match work {
            Work::Kernel(launch) => self.kernel_not_set(refusal, launch),
            Work::MemFree(freed) => {
                let address = freed.address;
                let cause =
                    format!("no node allocates memory at {address:#x}, or a node frees it already; it is freed once");
                refused::because_of(self.api(), refusal, Status::INVALID_VALUE, &cause)
            }
            _ => Failure::Refused(refusal),
        }
    }

    #[cold]
    pub(crate) fn kernel_not_set(&self, refusal: DriverError, launch: &Launch<'_>) -> Failure {
        let name = &self.kernel(launch.kernel).name;
        match refusal.status {
            Status::INVALID_VALUE if refusal.function.ends_with("Attribute") => {
                let cause = format!(
                    "kernel '{}': a node does not have one of the launch attributes, or not with that value",
                    shown(name)
                );
                refused::because(self.api(), refusal, &cause)
            }
            Status::INVALID_VALUE | Status::INVALID_CLUSTER_SIZE => {
                Failure::Wrong(launch_refused(name, launch.shape, false, self.api().error(refusal)))
            }
            _ => Failure::Refused(refusal),
        }
    }

    #[cold]
    fn edge_refused(&self, refusal: DriverError, edge: (NodeId, NodeId), meaning: &str) -> Failure {
        match refusal.status {
            Status::INVALID_VALUE => {
                Failure::Wrong(wrong_edge(edge, meaning, &format!("; {}", self.api().error(refusal).message)))
            }
            _ => refused::of_removal(self.api(), refusal),
        }
    }
}

#[cold]
fn wrong_edge((NodeId(from), NodeId(to)): (NodeId, NodeId), meaning: &str, more: &str) -> Error {
    Error::invalid_value(format!("the edge from node {from:#x} to node {to:#x} {meaning}; no edge was changed{more}"))
}

/// Returns what a node answers to work of the kind `wanted`, of which the driver changes none.
#[cold]
pub(crate) fn never_set(kind: NodeKind, wanted: NodeKind) -> Error {
    match kind == wanted {
        true => Error::new(
            Status::NOT_SUPPORTED,
            "conditional nodes, allocations and frees cannot be changed; remove the node and add another one",
        ),
        false => other_kind(kind, wanted),
    }
}

/// Returns what the refusal of a new node means, which is `failure` unless a dependency is listed twice.
#[cold]
pub(super) fn not_added(dependencies: &[NodeId], failure: Failure) -> Failure {
    let is_wrong_value = match &failure {
        Failure::Refused(refusal) => refusal.status == Status::INVALID_VALUE,
        Failure::Wrong(error) => error.status == Status::INVALID_VALUE,
    };
    let mut sorted = dependencies.to_vec();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(twice) if is_wrong_value => Failure::Wrong(Error::invalid_value(format!(
            "node {:#x} is listed twice among the dependencies; list each one once",
            twice[0].0
        ))),
        _ => failure,
    }
}

impl Locked<'_> {
    /// A node is gone that called `call`. Gives the names of the graphs that it had.
    pub(super) fn forget_node(&mut self, node: NodeId, handle: Node, call: Option<&HostCall>) -> Vec<GraphId> {
        self.nodes().forget(handle);
        self.let_go(call);
        self.state.child_tables.remove(&node);
        self.state.for_execs.changed.forget(node);
        self.state.conditionals.remove(&node);
        self.hold_for(node, Vec::new());
        self.forget_grids_of(node);
        self.state.inner.forget_of(node)
    }

    /// Refuses one more node where there is no name for it.
    pub(super) fn check_room(&mut self) -> Result<()> {
        match self.nodes().reserve() {
            true => Ok(()),
            false => Err(too_many_nodes()),
        }
    }

    /// Makes `edit`, which makes a node call `call`, with the graph holding that. Where it fails the graph does not hold it.
    pub(super) fn holding<T>(
        &mut self,
        call: Option<&Arc<HostCall>>,
        edit: impl FnOnce(GraphHandle) -> Result<T, DriverError>,
    ) -> Result<T, DriverError> {
        let Some(call) = call else { return edit(self.native) };
        // The outermost graph, whose execs and copies hold it then.
        // SAFETY: the graph's lock is held.
        unsafe { call.attach(self.api, self.outermost) }?;
        let edited = edit(self.native).inspect_err(|_| {
            // SAFETY: as above; no node calls it.
            unsafe { call.detach(self.api, self.outermost) }
        })?;
        if !self.holds_own_calls() {
            self.state.calls.known.insert(Arc::as_ptr(call).addr());
        }
        Ok(edited)
    }

    /// Returns whether the graph holds the functions that its nodes call. Which graph holds those that came with a child the driver does
    /// not tell.
    fn holds_own_calls(&self) -> bool {
        self.place.is_none() && !self.state.calls.is_of_inner
    }

    /// A node that called `call` does so no longer.
    pub(super) fn let_go(&mut self, call: Option<&HostCall>) {
        let Some(call) = call else { return };
        // One that is released and was not held is destroyed, whoever else holds it.
        let is_held = self.holds_own_calls() || self.state.calls.known.remove(&std::ptr::from_ref(call).addr());
        // Others may have made other nodes that call the function.
        if is_held && !self.state.given_out {
            // SAFETY: the graph's lock is held. A function is called by one node of a graph, and the graph, or the one that it is
            // a copy of, holds it since that node was made.
            unsafe { call.detach(self.api, self.outermost) };
        }
    }

    /// The data of each edge, and whether it is there. `None` for a single edge, of which the driver tells by itself; it stops
    /// halfway in a longer list, and may not let that be undone.
    fn known_edges(
        &mut self,
        ids: &[(NodeId, NodeId)],
        handles: &[Edge],
    ) -> Edited<Option<Vec<Option<CUgraphEdgeData>>>> {
        if handles.len() < 2 {
            return Ok(None);
        }
        let mut sorted = ids.to_vec();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(wrong_edge(twice[0], "is listed twice", "").into());
        }
        // Asked once for each node that edges lead to.
        let mut into: HashMap<Node, Option<HashMap<Node, CUgraphEdgeData>>> = HashMap::new();
        let known = handles.iter().map(|&(from, to)| {
            let known = into.entry(to).or_default();
            let dependencies = match known {
                Some(dependencies) => dependencies,
                // SAFETY: the graph's lock is held, and the nodes are of the graph.
                None => known.insert(unsafe { neighbours(self.api, to, Side::Before) }?.collect()),
            };
            Ok(dependencies.get(&from).copied())
        });
        Ok(Some(known.collect::<Result<_, DriverError>>()?))
    }

    fn find_edges(&mut self, ids: &[(NodeId, NodeId)]) -> Edited<Vec<Edge>> {
        let ends: Vec<NodeId> = ids.iter().flat_map(|&(from, to)| [from, to]).collect();
        let handles = self.find(&ends)?;
        Ok(handles.as_chunks().0.iter().map(|&[from, to]| (from, to)).collect())
    }

    fn check_not_captured(&self, what: &str) -> Result<()> {
        if self.state.is_captured && self.place.is_none() {
            return Err(captured(what, "removed"));
        }
        self.check_captured_within(what)
    }

    /// Refuses to take away what a capture may go into which goes into a graph within a node.
    pub(super) fn check_captured_within(&self, what: &str) -> Result<()> {
        match self.state.captured_within.is_empty() {
            true => Ok(()),
            false => Err(captured(what, "removed")),
        }
    }

    /// Refuses to change a graph within a node while a capture goes into it, which gives its nodes the names that they get now.
    pub(super) fn check_is_open(&self) -> Result<()> {
        match self.place {
            Some(place) if self.state.captured_within.iter().any(|captured| captured.place == place) => {
                Err(captured("what is in a graph within a node", "changed"))
            }
            _ => Ok(()),
        }
    }
}

/// Returns whether both ends of an edge are kernels.
///
/// # Safety
/// The nodes are of a live graph that no other thread uses.
unsafe fn are_kernels(api: &Api, (from, to): Edge) -> Result<bool, DriverError> {
    // SAFETY: passed on to the caller.
    unsafe { Ok(read::kind(api, from)? == NodeKind::Kernel && read::kind(api, to)? == NodeKind::Kernel) }
}

/// Refuses where the driver has no edges that carry data: before any edge is added, since none is removed again from a graph that
/// allocates.
///
/// # Safety
/// `graph` is a live graph that no other thread uses.
unsafe fn check_carries(api: &Api, graph: GraphHandle) -> Result<(), DriverError> {
    let (none, mut count) = (std::ptr::null_mut(), 0);
    // SAFETY: the caller promises the graph; without room for edges the driver counts only. It came with the function that adds.
    let counted = unsafe { api.cuGraphGetEdges_v2(graph, none, none, std::ptr::null_mut(), &mut count) };
    counted.map_err(|refusal| match refusal.since {
        // The one that the caller misses.
        Some(_) => DriverError { function: "cuGraphAddDependencies_v2", ..refusal },
        None => refusal,
    })
}

/// Adds an edge, with data if it is to have some.
///
/// # Safety
/// `graph` is a live graph that no other thread uses; the nodes are of it.
unsafe fn add_edge(
    api: &Api,
    graph: GraphHandle,
    (from, to): Edge,
    data: Option<CUgraphEdgeData>,
) -> Result<(), DriverError> {
    // SAFETY: the caller promises graph and nodes; there is one edge.
    unsafe {
        match data {
            Some(data) => or_older(api.cuGraphAddDependencies_v2(graph, &from, &to, &data, 1), || {
                api.cuGraphAddDependencies(graph, &from, &to, 1)
            }),
            None => api.cuGraphAddDependencies(graph, &from, &to, 1),
        }
    }
}

/// Removes an edge, whatever data it has.
///
/// # Safety
/// `graph` is a live graph that no other thread uses; the nodes are of it.
unsafe fn remove_edge(api: &Api, graph: GraphHandle, (from, to): Edge) -> Result<(), DriverError> {
    // SAFETY: the caller promises graph and nodes; there is one edge.
    unsafe {
        or_older(api.cuGraphRemoveDependencies_v2(graph, &from, &to, null(), 1), || {
            api.cuGraphRemoveDependencies(graph, &from, &to, 1)
        })
    }
}

#[cold]
fn captured(what: &str, done: &str) -> Error {
    Error::new(
        Status::ILLEGAL_STATE,
        format!("{what} cannot be {done} while a capture goes into the graph; end the capture first"),
    )
}

#[cold]
pub(crate) fn too_many_nodes() -> Error {
    Error::new(Status::OUT_OF_MEMORY, "there is no room for another node; free memory, or make graphs of fewer nodes")
}
