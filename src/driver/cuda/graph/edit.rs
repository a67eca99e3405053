//! Edits of graphs: nodes that are added, changed and removed, edges that are added and removed.

use std::ptr::null;
use std::sync::Arc;

use cudarc::driver::sys::CUgraphEdgeData;

use super::locked::{Edited, Failure, Locked};
use super::parameters::{is_cooperative, Parameters};
use super::{edges, or_older, read};
use crate::driver::cuda::api::{Api, Graph, Node, Refusal};
use crate::driver::cuda::function::HostCall;
use crate::driver::cuda::launch::launch_refused;
use crate::driver::cuda::shared::{Device, Shared};
use crate::driver::{GraphId, NodeId, Work};
use crate::error::{Error, Result, Status};

/// From and to.
type Edge = (Node, Node);

impl Shared {
    pub(super) fn add_node(&self, graph: GraphId, dependencies: &[NodeId], work: &Work<'_>) -> Result<NodeId> {
        if let Work::Child(child) = work {
            return self.add_child(graph, dependencies, *child);
        }
        self.with_parameters(work, |parameters| {
            self.edit_graph(graph, |graph| {
                let handles = graph.find(dependencies)?;
                graph.check_room()?;
                // SAFETY: the graph's lock is held, and the nodes are of the graph.
                let added =
                    graph.holding(parameters.call(), |native| unsafe { parameters.add(self.device, native, &handles) });
                let node = added.map_err(|refusal| not_added(dependencies, self.not_set(refusal, work)))?;
                Ok(graph.nodes().add(node))
            })
        })
    }

    pub(super) fn set_node(&self, graph: GraphId, node: NodeId, work: &Work<'_>) -> Result<()> {
        if let Work::Child(child) = work {
            return self.set_child(graph, node, *child);
        }
        self.with_parameters(work, |parameters| {
            let superseded = self.edit_graph(graph, |graph| {
                let handle = graph.find_one(node)?;
                let superseded = match parameters {
                    // SAFETY: the graph's lock is held, and the node is of the graph.
                    Parameters::Host(_) => unsafe { read::host_call(graph.api, handle) }?,
                    _ => None,
                };
                if !parameters.attributes().is_empty() {
                    // SAFETY: as above.
                    unsafe { graph.note_cooperative(self.device, node, handle) }?;
                }
                let set = graph.holding(parameters.call(), |_| {
                    // SAFETY: as above.
                    unsafe { parameters.set(self.device, handle) }
                });
                set.map_err(|refusal| self.not_set(refusal, work))?;
                graph.let_go(superseded.as_deref());
                Ok(superseded)
            })?;
            // Where no lock is held: it may be the last to have a host function.
            drop(superseded);
            Ok(())
        })
    }

    pub(super) fn remove_node(&self, graph: GraphId, node: NodeId) -> Result<()> {
        let (call, gone) = self.edit_graph(graph, |graph| {
            graph.check_not_captured("a node")?;
            let handle = graph.find_one(node)?;
            // SAFETY: the graph's lock is held, and the node is of the graph.
            let call = unsafe {
                let call = read::host_call(graph.api, handle)?;
                graph.api.cuGraphDestroyNode(handle)?;
                call
            };
            graph.nodes().forget(handle);
            graph.let_go(call.as_deref());
            graph.state.child_tables.remove(&node);
            Ok((call, graph.state.inner.forget_of(node)))
        })?;
        self.forget_graphs(&gone);
        // Where no lock is held: it may be the last to have a host function.
        drop(call);
        Ok(())
    }

    pub(super) fn add_edges(&self, graph: GraphId, ids: &[(NodeId, NodeId)]) -> Result<()> {
        self.edit_graph(graph, |graph| {
            let handles = graph.find_edges(ids)?;
            // One by one: the driver adds those before the first one that it refuses.
            for (at, &edge) in handles.iter().enumerate() {
                // SAFETY: the graph's lock is held, and the nodes are of the graph.
                unsafe { add_edge(graph.api, graph.native, edge, None) }.map_err(|refusal| {
                    for &added in handles[..at].iter().rev() {
                        // SAFETY: as above.
                        let _ = unsafe { remove_edge(graph.api, graph.native, added) };
                    }
                    self.wrong_edge(
                        refusal,
                        ids[at],
                        "is there already, is listed twice, or leads from a node to itself",
                    )
                })?;
            }
            Ok(())
        })
    }

    pub(super) fn remove_edges(&self, graph: GraphId, ids: &[(NodeId, NodeId)]) -> Result<()> {
        self.edit_graph(graph, |graph| {
            graph.check_not_captured("an edge")?;
            let handles = graph.find_edges(ids)?;
            // For edges that are to be added again, as the driver removes those before the first one that it refuses.
            let known = match handles.len() {
                0 | 1 => Vec::new(),
                // SAFETY: the graph's lock is held.
                _ => unsafe { edges(graph.api, graph.native) }?,
            };
            for (at, &edge) in handles.iter().enumerate() {
                // SAFETY: as above; the nodes are of the graph.
                unsafe { remove_edge(graph.api, graph.native, edge) }.map_err(|refusal| {
                    for removed in handles[..at].iter().rev() {
                        let data =
                            known.iter().find(|(from, to, _)| (*from, *to) == *removed).map(|(_, _, data)| *data);
                        // SAFETY: as above.
                        let _ = unsafe { add_edge(graph.api, graph.native, *removed, data) };
                    }
                    self.wrong_edge(refusal, ids[at], "is not there, or is listed twice")
                })?;
            }
            Ok(())
        })
    }

    /// What the refusal of a node's parameters means.
    #[cold]
    pub(in crate::driver::cuda) fn not_set(&self, refusal: Refusal, work: &Work<'_>) -> Failure {
        match work {
            Work::Kernel(launch) if refusal.status == Status::INVALID_VALUE => {
                let name = &self.kernel(launch.kernel).name;
                Failure::Wrong(launch_refused(name, launch.shape, self.api().error(refusal)))
            }
            _ => Failure::Refused(refusal),
        }
    }

    #[cold]
    fn wrong_edge(&self, refusal: Refusal, (from, to): (NodeId, NodeId), meaning: &str) -> Failure {
        match refusal.status {
            Status::INVALID_VALUE => Failure::Wrong(Error::invalid_value(format!(
                "the edge from node {:#x} to node {:#x} {meaning}; no edge was changed; {}",
                from.0,
                to.0,
                self.api().error(refusal).message
            ))),
            _ => Failure::Refused(refusal),
        }
    }
}

/// What the refusal of a new node means, which is `failure` unless a dependency is listed twice.
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
    /// Refuses one more node where there is no name for it.
    pub(super) fn check_room(&mut self) -> Result<()> {
        match self.nodes().is_full() {
            true => Err(too_many_nodes()),
            false => Ok(()),
        }
    }

    /// Makes `edit`, which makes a node call `call`, with the graph holding that. Where it fails the graph does not hold it.
    fn holding<T>(
        &mut self,
        call: Option<&Arc<HostCall>>,
        edit: impl FnOnce(Graph) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let Some(call) = call else { return edit(self.native) };
        // The outermost graph, whose execs and copies hold it then.
        // SAFETY: the graph's lock is held.
        unsafe { call.attach(self.api, self.outermost) }?;
        let edited = edit(self.native).inspect_err(|_| {
            // SAFETY: as above; no node calls it.
            unsafe { call.detach(self.api, self.outermost) }
        })?;
        if self.place.is_some() {
            self.state.inner_calls.insert(Arc::as_ptr(call).addr());
        }
        Ok(edited)
    }

    /// A node that called `call` does so no longer.
    fn let_go(&mut self, call: Option<&HostCall>) {
        let Some(call) = call else { return };
        // Which graph holds the functions of a child's nodes that came with the child the driver does not tell.
        let is_held = self.place.is_none() || self.state.inner_calls.remove(&std::ptr::from_ref(call).addr());
        // Others may have made other nodes that call the function.
        if is_held && !self.state.given_out {
            // SAFETY: the graph's lock is held. A function is called by one node of a graph, and the graph, or the one that it is
            // a copy of, holds it since that node was made.
            unsafe { call.detach(self.api, self.outermost) };
        }
    }

    /// Remembers a node that is a cooperative kernel, whose attributes are about to change: execs that were made before still
    /// have it so.
    ///
    /// # Safety
    /// `handle` is that of the node `id` of the graph.
    unsafe fn note_cooperative(&mut self, device: Device, id: NodeId, handle: Node) -> Result<(), Refusal> {
        // SAFETY: the graph's lock is held, and the caller promises the node.
        if unsafe { is_cooperative(device, handle) }? {
            self.state.were_cooperative.insert(id);
        }
        Ok(())
    }

    fn find_edges(&mut self, ids: &[(NodeId, NodeId)]) -> Edited<Vec<Edge>> {
        let ends: Vec<NodeId> = ids.iter().flat_map(|&(from, to)| [from, to]).collect();
        let handles = self.find(&ends)?;
        Ok(handles.as_chunks().0.iter().map(|&[from, to]| (from, to)).collect())
    }

    fn check_not_captured(&self, what: &str) -> Result<()> {
        match self.state.is_captured && self.place.is_none() {
            true => Err(Error::new(
                Status::ILLEGAL_STATE,
                format!("{what} cannot be removed while a capture goes into the graph; end the capture first"),
            )),
            false => Ok(()),
        }
    }
}

/// Adds an edge, with data if it is to have some.
///
/// # Safety
/// `graph` is a live graph that no other thread uses; the nodes are of it.
unsafe fn add_edge(api: &Api, graph: Graph, (from, to): Edge, data: Option<CUgraphEdgeData>) -> Result<(), Refusal> {
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
unsafe fn remove_edge(api: &Api, graph: Graph, (from, to): Edge) -> Result<(), Refusal> {
    // SAFETY: the caller promises graph and nodes; there is one edge.
    unsafe {
        or_older(api.cuGraphRemoveDependencies_v2(graph, &from, &to, null(), 1), || {
            api.cuGraphRemoveDependencies(graph, &from, &to, 1)
        })
    }
}

#[cold]
fn too_many_nodes() -> Error {
    Error::new(Status::OUT_OF_MEMORY, "the graph has as many nodes as graphcap can tell apart; make another graph")
}
