//! Execs that tell how far their launch is.
//!
//! A watched exec is made of a copy of the graph in which a mark stands behind each node: a kernel of one thread, which writes the
//! number of the launch into pinned memory. A mark stands between its node and those that wait for it, so that nothing behind a node
//! runs while its mark does not say that it has completed. One more, before all others, counts the launches that have begun.
//!
//! Or it is marked by events: a record of an event is a leaf behind each node, and nothing waits for it. As each launch has the events
//! told anew, they tell of the latest one that was asked for. A mark before all nodes and one behind all tell whether that is the one
//! that runs.
//!
//! Nodes of graphs within nodes have no marks. A device that tells within which bodies a launch is tells it of the copy, of whose inner
//! nodes it is known of which they are copies.

use std::collections::HashSet;
use std::sync::Arc;

use super::exec::GraphExec;
use super::exec_names;
use super::graph::Graph;
use super::marks::{Behind, Watch, WatchedNode, MARK};
use crate::captures::guarded;
use crate::objects::access::Access;
use crate::objects::buffer::Buffer;
use crate::objects::event::Event;
use crate::objects::host_buffer::HostBuffer;
use crate::objects::kernel::{Kernel, KernelArgument};
use crate::operations::node_work::NodeWork;
use crate::state::{Context, GraphInner, Stream};
use graphcap_base::error::{Error, Result};
use graphcap_base::room;
use graphcap_devices::BuiltInKernel;
use graphcap_driver::{Address, EdgeData, EventOptions, ExecFlags, HostMemoryOptions, LaunchShape, NodeId, NodeMap};

/// Parts that marks are made with.
struct Marks {
    kernel: Kernel,
    /// Memory with the number of the launch that runs.
    launch: Buffer,
    marks: HostBuffer,
}

impl Marks {
    fn create(context: &Context, count: usize) -> Result<Marks> {
        let kernel = context.built_in(BuiltInKernel::Mark)?;
        kernel.state_accesses(Some(&[Some(Access::ReadWrite), Some(Access::ReadWrite), None]))?;
        let launch = Buffer::allocate(context, MARK)?;
        let bytes = count.checked_mul(MARK).ok_or_else(room::missing)?;
        let options = HostMemoryOptions { mapped: true, ..HostMemoryOptions::default() };
        let marks = HostBuffer::allocate(context, bytes, options)?;
        for mark in 0..count {
            context.driver_even_if_stale().host_set_number(marks.address() + (mark * MARK) as Address, 0);
        }
        Ok(Marks { kernel, launch, marks })
    }

    /// Adds the mark at `place` to a graph. The first one begins launches.
    fn add(&self, graph: &Graph, place: usize, after: &[NodeId]) -> Result<NodeId> {
        let begins = u64::from(place == 0).to_ne_bytes();
        let access = Some(Access::ReadWrite.into());
        let arguments = [
            KernelArgument::Buffer { buffer: &self.launch, offset: 0, access },
            KernelArgument::Buffer { buffer: self.marks.memory(), offset: place * MARK, access },
            KernelArgument::Value(&begins),
        ];
        let work = NodeWork::Kernel {
            kernel: &self.kernel,
            shape: LaunchShape::ONE_THREAD,
            arguments: &arguments,
            attributes: &[],
        };
        graph.add_node(after, &work)
    }
}

impl Graph {
    /// Makes a watched exec of the graph.
    ///
    /// # Errors
    /// As [`Graph::instantiate_with`].
    pub(super) fn instantiate_watched(&self, flags: ExecFlags, upload: Option<&Stream>) -> Result<GraphExec> {
        if flags.device_launch {
            return Err(Error::invalid_value(
                "a graph exec that kernels launch cannot be watched; leave one of the two flags out",
            ));
        }
        if guarded::watches(self.context()) {
            // Before a module is loaded, which harms a capture as the instantiation does.
            guarded::unsafe_call(self.context())?;
        }
        let nodes = self.order()?;
        let (copy, inner) =
            self.copied(|driver, graph| driver.graph_copy_to_watch(graph), GraphInner::naming_unwatched)?;
        let copied = nodes.iter().map(|&node| self.node_in_copy(node, &copy)).collect::<Result<Vec<_>>>()?;
        let edges = copy.edges_with_data()?;
        let places: NodeMap<u32> = copied.iter().copied().zip(0..).collect();
        let mut after = vec![Vec::new(); nodes.len()];
        for (from, to, _) in &edges {
            let waits = places.get(to).and_then(|&to| after.get_mut(to as usize));
            if let (Some(&from), Some(waits)) = (places.get(from), waits) {
                waits.push(from);
            }
        }
        let labels = copied.iter().map(|&node| copy.node_label(node)).collect::<Result<Vec<_>>>()?;
        let wants_events = flags.watched_by_events;
        let by_events = wants_events && self.context().driver()?.marks_by_events();
        let marks = Marks::create(self.context(), if by_events { 2 } else { nodes.len() + 1 })?;
        let behind = match by_events {
            true => Behind::Events(add_events(&copy, &copied, &edges, &marks)?),
            false => add_marks(&copy, &copied, &edges, &marks).map(|()| Behind::Marks)?,
        };
        let plain = ExecFlags { watched: false, watched_by_events: false, ..flags };
        let exec = copy.instantiate_with(plain, upload)?;
        let names = self.0.exec_names();
        let names = {
            let made = exec.made();
            let originals = copied.iter().copied().zip(nodes.iter().copied()).chain(inner).collect();
            let names = exec_names::of_copy(names, made.names(), originals);
            self.context().driver()?.exec_call_by(made.id(), Arc::clone(&names));
            names
        };
        let nodes = nodes.into_iter().zip(labels).zip(after);
        let nodes = nodes.map(|((id, label), after)| WatchedNode { id, label, after }).collect();
        exec.watch(Watch::new(marks.marks, behind, wants_events, nodes, (Arc::downgrade(&self.0), names)));
        Ok(exec)
    }
}

/// Puts marks behind `nodes` of a graph, and one before all.
fn add_marks(graph: &Graph, nodes: &[NodeId], edges: &[(NodeId, NodeId, EdgeData)], marks: &Marks) -> Result<()> {
    let roots = graph.roots()?;
    let begin = marks.add(graph, 0, &[])?;
    let mut behind = NodeMap::default();
    for (&node, place) in nodes.iter().zip(1..) {
        behind.insert(node, marks.add(graph, place, &[node])?);
    }
    // An edge that carries something has a kernel begin before the one that it waits for has completed: it stays.
    let plain: Vec<_> = edges.iter().filter(|(_, _, data)| *data == EdgeData::NONE).map(|&(a, b, _)| (a, b)).collect();
    let moved = plain.iter().filter_map(|&(from, to)| Some((*behind.get(&from)?, to)));
    let added: Vec<_> = moved.chain(roots.into_iter().map(|root| (begin, root))).collect();
    graph.remove_dependencies(&plain)?;
    graph.add_dependencies(&added)
}

/// Puts records of events behind `nodes` of a graph, a mark before all and one behind all. Gives the events.
fn add_events(
    graph: &Graph,
    nodes: &[NodeId],
    edges: &[(NodeId, NodeId, EdgeData)],
    marks: &Marks,
) -> Result<Vec<Event>> {
    let (roots, inner): (_, HashSet<NodeId>) = (graph.roots()?, edges.iter().map(|&(from, ..)| from).collect());
    let begin = marks.add(graph, 0, &[])?;
    let leaves = nodes.iter().copied().filter(|node| !inner.contains(node));
    // Behind the first mark in a graph without nodes too.
    let last: Vec<_> = std::iter::once(begin).chain(leaves).collect();
    marks.add(graph, 1, &last)?;
    let options = EventOptions { disable_timing: true, ..EventOptions::default() };
    let record = |&node| {
        let event = Event::create(graph.context(), options)?;
        graph.add_node(&[node], &NodeWork::EventRecord(&event))?;
        Ok(event)
    };
    let events = nodes.iter().map(record).collect::<Result<_>>()?;
    graph.add_dependencies(&roots.into_iter().map(|root| (begin, root)).collect::<Vec<_>>())?;
    Ok(events)
}
