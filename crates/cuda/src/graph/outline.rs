//! Graphs written down for the rules of updates, and remembered as they were when execs were made: the driver tells nothing of
//! an exec.

use std::collections::HashMap;
use std::sync::Arc;

use super::adjacency::neighbours;
use super::edge_data::carried;
use super::failure::Edited;
use super::listing::nodes;
use super::locked::Locked;
use super::managed_copies::host_side_of;
use super::nodes::NodeTable;
use super::parameters::{attribute_of, launch_digest};
use super::read::{self, kernel_parameters, Codes};
use super::shape::Shape;
use super::state::{address_of, GraphState, Root};
use crate::api::address;
use crate::api::{self, Api, DriverError, Handle, Node};
use crate::code::module::context_of_function;
use crate::memory::managed;
use crate::shared::Shared;
use graphcap_base::error::Error;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::ids::lost_graph;
use graphcap_driver::launch_attributes::{COOPERATIVE, DEVICE_UPDATABLE, OF_NODES, PRIORITY};
use graphcap_driver::rules::exec_update::Facts;
use graphcap_driver::rules::outline::{Outline, OutlinedNode};
use graphcap_driver::updates::{facts_of_copy, facts_of_kind, facts_of_set, facts_of_values};
use graphcap_driver::{GraphId, LaunchAttribute, NodeId, NodeKind, Side, Work};

impl GraphState {
    /// The graph as it is now.
    pub(crate) fn shape(&self) -> &Arc<Shape> {
        &self.for_execs.shape
    }

    /// The graphs within that graphcap knows; none where others may have removed them.
    pub(crate) fn known_within(&mut self) -> impl Iterator<Item = api::GraphHandle> + '_ {
        let is_own = !self.given_out;
        self.inner.all().filter(move |_| is_own).map(|inner| inner.native)
    }

    /// Returns what an exec that is made now has. While a capture goes into the graph nobody writes that down.
    pub(crate) fn shape_for_exec(&self) -> Arc<Shape> {
        match self.is_captured_into() {
            true => Arc::default(),
            false => Arc::clone(&self.for_execs.shape),
        }
    }

    /// Returns whether a capture goes into the graph, or into one within it.
    pub(crate) fn is_captured_into(&self) -> bool {
        self.is_captured || !self.captured_within.is_empty()
    }
}

impl Shared {
    /// The graph of a lock is about to be edited: has what execs were made of written down.
    pub(super) fn remember(&self, graph: &mut Locked<'_>) {
        let native = graph.outermost;
        self.remember_state(graph.state, native);
    }

    /// As [`Shared::remember`], for the outermost graph `native` of a state whose lock is held.
    #[inline]
    pub(crate) fn remember_state(&self, state: &mut GraphState, native: api::GraphHandle) {
        // As it mostly is: no exec was made since the last edit.
        let is_untold = Arc::strong_count(&state.for_execs.shape) == 1 && state.for_execs.shape.outline().is_none();
        if !is_untold {
            self.remember_shape(state, native);
        }
    }

    #[inline(never)]
    fn remember_shape(&self, state: &mut GraphState, native: api::GraphHandle) {
        if Arc::strong_count(&state.for_execs.shape) == 1 {
            // What was written down for an exec that is gone is out of date from here on.
            state.for_execs.shape = Arc::default();
            return;
        }
        // Where the driver does not tell, nobody will know.
        let _ = self.write_down_state(state, native);
        state.for_execs.shape = Arc::default();
    }

    /// Writes down the outermost graph of a lock, unless it was.
    pub(crate) fn write_down(&self, graph: &mut Locked<'_>) -> Edited<()> {
        let native = graph.outermost;
        Ok(self.write_down_state(graph.state, native)?)
    }

    /// Writes down a graph as an exec has it that is made now, whatever was written down before: which memory a copy uses changes
    /// without an edit of the graph. A graph that a capture goes into is not written down.
    pub(crate) fn write_down_for_exec(
        &self,
        state: &mut GraphState,
        native: api::GraphHandle,
    ) -> Result<(), DriverError> {
        if !Arc::ptr_eq(&state.shape_for_exec(), &state.for_execs.shape) {
            return Ok(());
        }
        if state.for_execs.shape.outline().is_some() {
            state.for_execs.shape = Arc::default();
        }
        self.write_down_state(state, native)
    }

    fn write_down_state(&self, state: &mut GraphState, native: api::GraphHandle) -> Result<(), DriverError> {
        if state.for_execs.shape.outline().is_none() {
            let _current = self.device.enter()?;
            // SAFETY: the graph's lock is held.
            let outline = unsafe { self.outline_of(state, native, self.api()) }?;
            state.for_execs.shape.set(outline);
        }
        Ok(())
    }

    /// The outermost graph of a lock, written down.
    pub(crate) fn outline(&self, graph: &mut Locked<'_>) -> Edited<Outline> {
        let _current = self.device.enter()?;
        let native = graph.outermost;
        // SAFETY: the graph's lock is held.
        Ok(unsafe { self.outline_of(graph.state, native, graph.api) }?)
    }

    /// # Safety
    /// `native` is the graph of `state`, whose lock is held, or within it.
    unsafe fn outline_of(
        &self,
        state: &mut GraphState,
        native: api::GraphHandle,
        api: &Api,
    ) -> Result<Outline, DriverError> {
        // SAFETY: passed on to the caller.
        let listed = unsafe { nodes(api, native) }?;
        let numbers: HashMap<Node, u32> = listed.iter().copied().zip(0..).collect();
        let mut outlined = Vec::with_capacity(listed.len());
        for node in listed {
            let id = name_in(state, native, node);
            // SAFETY: passed on to the caller; the node is of the graph.
            let facts = unsafe { self.facts(state, node, id, api) }?;
            let launch = match facts {
                // SAFETY: as above.
                Facts::Kernel { .. } => unsafe { kernel_parameters(api, node) }.map(|kernel| launch_digest(&kernel))?,
                _ => 0,
            };
            // SAFETY: as above.
            let (dependencies, carried) = unsafe { dependencies(api, node, &numbers) }?;
            let attributes = match facts {
                // SAFETY: as above.
                Facts::Kernel { .. } => unsafe { self.attributes(node) },
                _ => Vec::new(),
            };
            let mut graphs = Vec::new();
            // SAFETY: as above.
            for inner in unsafe { graphs_of(state, api, node, id, &facts) }? {
                // SAFETY: as above; the graph is within.
                graphs.push(unsafe { self.outline_of(state, inner, api) }?);
            }
            outlined.push(OutlinedNode { id: id.0, dependencies, carried, facts, attributes, launch, graphs });
        }
        Ok(Outline { nodes: outlined })
    }

    /// # Safety
    /// `node` is a kernel node of a live graph that no other thread uses.
    unsafe fn attributes(&self, node: Node) -> Vec<(u32, u64)> {
        let told = |&id: &u32| {
            // SAFETY: passed on to the caller.
            let attribute = unsafe { attribute_of(self.device, node, id) }?;
            // Behind it the driver tells the node's handle in kernels.
            let digest = if id == DEVICE_UPDATABLE { attribute.number() as u64 } else { attribute.digest() };
            Some((id, digest))
        };
        OF_NODES.iter().filter_map(told).collect()
    }

    /// # Safety
    /// `node` is a node of a live graph that no other thread uses.
    pub(super) unsafe fn facts(
        &self,
        state: &GraphState,
        node: Node,
        id: NodeId,
        api: &Api,
    ) -> Result<Facts, DriverError> {
        // SAFETY: passed on to the caller.
        let kind = unsafe { read::kind(api, node) }?;
        let own = self.device.context.number() as u64;
        Ok(match kind {
            NodeKind::Kernel => {
                // SAFETY: as above; the node is a kernel.
                let number =
                    |id| unsafe { attribute_of(self.device, node, id) }.as_ref().map_or(0, LaunchAttribute::number);
                Facts::Kernel {
                    // SAFETY: as above.
                    context: unsafe { self.context_of_kernel(node) }?.unwrap_or(own),
                    is_cooperative: number(COOPERATIVE) != 0,
                    is_updatable: number(DEVICE_UPDATABLE) != 0,
                    priority: number(PRIORITY),
                }
            }
            NodeKind::EventRecord | NodeKind::EventWait => {
                let mut event = Handle::NULL;
                // SAFETY: as above; the node is of that kind, and `event` is writable.
                unsafe {
                    match kind {
                        NodeKind::EventRecord => api.cuGraphEventRecordNodeGetEvent(node, &mut event),
                        _ => api.cuGraphEventWaitNodeGetEvent(node, &mut event),
                    }
                }?;
                let context = self.context_of_event(event).unwrap_or(own);
                Facts::Event { records: kind == NodeKind::EventRecord, context }
            }
            NodeKind::Conditional => match state.conditionals.get(&id) {
                Some(conditional) => Facts::Conditional(conditional.kind as u8, conditional.bodies),
                None => facts_of_kind(kind),
            },
            NodeKind::Memcpy | NodeKind::Memset | NodeKind::BatchMemOp => {
                let mut facts = facts_of_kind(kind);
                let mut tell = |work: &Work<'_>| match work {
                    Work::Memcpy { rows, .. } => {
                        facts = facts_of_copy(rows);
                        if let (Facts::Memcpy { host, .. }, true) = (&mut facts, managed::is_known()) {
                            *host = host_side_of(api, rows);
                        }
                    }
                    Work::Memset(set) => facts = facts_of_set(set),
                    Work::Values(operations) => facts = facts_of_values(operations),
                    _ => {}
                };
                // SAFETY: passed on to the caller.
                unsafe { self.read_node(node, &mut Codes::default(), &mut tell) }?;
                facts
            }
            kind => facts_of_kind(kind),
        })
    }
}

/// Returns what a node of a graph under a lock is called by; 0 where its graph was not asked for.
fn name_in(state: &mut GraphState, native: api::GraphHandle, node: Node) -> NodeId {
    if state.native == Some(native) {
        return state.nodes.name(node);
    }
    let table: Option<&mut NodeTable> =
        state.inner.all().find(|inner| inner.native == native).map(|inner| &mut inner.nodes);
    table.map_or(NodeId(0), |table| table.name(node))
}

/// The graphs of a node.
///
/// # Safety
/// `node` is of a graph whose lock is held, which is that of `state`.
unsafe fn graphs_of(
    state: &mut GraphState,
    api: &Api,
    node: Node,
    id: NodeId,
    facts: &Facts,
) -> Result<Vec<api::GraphHandle>, DriverError> {
    match facts {
        Facts::Conditional(..) => {
            let mut bodies: Vec<_> = state.inner.all().filter(|inner| inner.owner == id).collect();
            bodies.sort_by_key(|inner| inner.id());
            Ok(bodies.iter().map(|inner| inner.native).collect())
        }
        // SAFETY: passed on to the caller.
        Facts::Plain(_) => Ok(unsafe { read::child_graph(api, node) }?.into_iter().collect()),
        _ => Ok(Vec::new()),
    }
}

impl Shared {
    /// Tells the context of the function of a kernel node from others, where it is known.
    ///
    /// # Safety
    /// `node` is a kernel node of a live graph that no other thread uses.
    pub(super) unsafe fn context_of_kernel(&self, node: Node) -> Result<Option<u64>, DriverError> {
        // SAFETY: passed on to the caller.
        Ok(unsafe { function_of(self.api(), node) }?.and_then(context_of_function))
    }
}

/// The function of a kernel node; `None` where it launches a kernel of a library.
///
/// # Safety
/// `node` is a kernel node of a live graph that no other thread uses.
unsafe fn function_of(api: &Api, node: Node) -> Result<Option<api::Function>, DriverError> {
    // SAFETY: passed on to the caller.
    let parameters = unsafe { kernel_parameters(api, node) }?;
    Ok((!parameters.func.is_null()).then_some(Handle(parameters.func)))
}

/// Nodes that a node waits for, by their numbers, in the order of its edges, and what these carry.
type Waits = (Vec<u32>, Vec<(u32, [u8; 3])>);

/// # Safety
/// `node` is of a live graph that no other thread uses.
unsafe fn dependencies(api: &Api, node: Node, numbers: &HashMap<Node, u32>) -> Result<Waits, DriverError> {
    let mut waits = Waits::default();
    // SAFETY: passed on to the caller.
    for (from, data) in unsafe { neighbours(api, node, Side::Before) }? {
        let Some(&number) = numbers.get(&from) else { continue };
        let data = carried(&data);
        if !data.is_none() {
            waits.1.push((number, [data.from_port, data.to_port, data.kind]));
        }
        waits.0.push(number);
    }
    Ok(waits)
}

impl Locked<'_> {
    /// Returns what a node is called by that the driver told, of the graph or of one within it that was asked for.
    pub(crate) fn id_of(&mut self, node: Node) -> Option<NodeId> {
        if node.is_null() {
            return None;
        }
        let api = self.api;
        // SAFETY: the graph's lock is held.
        let listed = |graph| unsafe { nodes(api, graph) }.unwrap_or_default();
        if listed(self.outermost).contains(&node) {
            return Some(self.state.nodes.name(node));
        }
        let within = self.state.inner.all().find(|inner| listed(inner.native).contains(&node));
        within.map(|inner| inner.nodes.name(node))
    }
}

impl Shared {
    /// Makes `call` with the outermost graph `source` while no other call uses it or the graph with the lock `root`, from which an
    /// exec was made; and with what `native` finds under that lock.
    pub(crate) fn with_source<T, N>(
        &self,
        root: &Root,
        source: GraphId,
        native: impl FnOnce(&GraphState) -> N,
        call: impl FnOnce(N, &mut Locked<'_>) -> Edited<T>,
    ) -> Edited<T> {
        let source = address_of(source).ok_or_else(|| {
            Error::invalid_value("an exec is not updated by a graph of a node; take the outermost graph, or a clone")
        })?;
        // SAFETY: core holds the graph whose id it passes, so that it is not destroyed, and `graphs` holds it until then.
        let source: &Mutex<GraphState, rank::GraphRoot> = unsafe { address::object(source) };
        if std::ptr::eq(source, Arc::as_ptr(root)) {
            return self.lock_at(source, None, lost_graph, |graph| {
                let _alone = graph.state.alone();
                let native = native(graph.state);
                call(native, graph)
            });
        }
        // By address, as two graphs are locked.
        if Arc::as_ptr(root) < std::ptr::from_ref(source) {
            let own = lock(root);
            let native = native(&own);
            return self.lock_at(source, None, lost_graph, |graph| {
                let _alone = own.alone().or_else(|| graph.state.alone());
                call(native, graph)
            });
        }
        self.lock_at(source, None, lost_graph, |graph| {
            let own = lock(root);
            let _alone = own.alone().or_else(|| graph.state.alone());
            call(native(&own), graph)
        })
    }
}
