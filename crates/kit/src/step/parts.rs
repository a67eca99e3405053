//! The nodes of a graph, each ready to run on its own.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::options::StepOptions;
use super::told::Told;
use crate::optimize::{fitting, fitting_memory, singles, writes, NodeWrites, Permits, Promises};
use graphcap_base::error::{Error, Result, Status};
use graphcap_core::{Graph, GraphExec, MemoryRanges, Moment, NodeLauncher, Stream};
use graphcap_driver::rules::ranges::Ranges;
use graphcap_driver::NodeId;

/// A part of a graph, ready to run.
pub(super) enum Part {
    /// A kernel of a copy of the graph, which a stream launches.
    Kernel(Rc<NodeLauncher>, NodeId),
    /// Another node, or all nodes of a graph that cannot be copied.
    Exec(GraphExec),
}

impl Part {
    /// Queues the part on the stream that the parts were made for.
    ///
    /// # Errors
    /// As for launches.
    pub(super) fn launch(&self, stream: &Stream) -> Result<()> {
        match self {
            Part::Kernel(launcher, node) => launcher.launch(*node),
            Part::Exec(exec) => exec.launch(stream),
        }
    }
}

/// The parts of a graph that run on their own.
pub(super) struct Parts {
    pub(super) all: Vec<Part>,
    /// The nodes of each, as the caller knows them.
    pub(super) nodes: Vec<Vec<NodeId>>,
    pub(super) writes: Vec<NodeWrites>,
    /// The copy that the nodes run of, with its nodes; `None` where the nodes cannot be parted.
    copy: Option<(Graph, Vec<NodeId>)>,
    /// Before it was asked what arguments point to.
    moment: Moment,
}

impl Parts {
    pub(super) fn of(graph: &Graph, options: &StepOptions, stream: &Stream) -> Result<Parts> {
        let permits = Permits { unknown: true, ..options.permits };
        let promises = Promises {
            trusts_parameters: true,
            unobserved: true,
            statements: Arc::clone(&options.statements),
            ..Promises::default()
        };
        let (order, moment) = (graph.order()?, graph.context().moment());
        match graph.duplicate() {
            Ok(copy) => {
                let in_copy = graph.nodes_in_copy(&order, &copy)?;
                let originals: HashMap<NodeId, NodeId> = in_copy.iter().copied().zip(order.iter().copied()).collect();
                let original = |node: NodeId| originals.get(&node).copied().unwrap_or(node);
                let writes = writes(&copy, &in_copy, original, (promises, permits))?;
                let nodes = order.iter().map(|&node| vec![node]).collect();
                Ok(Parts { all: parted(&copy, &in_copy, stream)?, nodes, writes, copy: Some((copy, in_copy)), moment })
            }
            Err(error) if error.status == Status::NOT_SUPPORTED => {
                let all = writes(graph, &order, |node| node, (promises, permits))?;
                let exec = Part::Exec(graph.instantiate()?);
                Ok(Parts {
                    all: vec![exec],
                    nodes: vec![order],
                    writes: vec![NodeWrites::of_all(&all)],
                    copy: None,
                    moment,
                })
            }
            Err(error) => Err(error),
        }
    }

    /// The node of a part, as findings and the caller's function are told it.
    pub(super) fn node(&self, at: usize) -> NodeId {
        match self.nodes.get(at).map(Vec::as_slice) {
            Some(&[node]) if !self.is_whole() => node,
            _ => NodeId(0),
        }
    }

    /// Returns whether the nodes cannot be parted.
    pub(super) fn is_whole(&self) -> bool {
        self.copy.is_none()
    }

    /// The parts from one to another in words. Where a context failed, the number of the node is left.
    pub(super) fn told(&self, first: usize, last: usize) -> HashMap<usize, Told> {
        let Some((copy, nodes)) = &self.copy else {
            return HashMap::from([(0, Told::of_all(self.nodes.first().map_or(0, Vec::len)))]);
        };
        let told = |(at, &node)| {
            let told = Told::of(copy, node, self.node(at), self.moment);
            (at, told.unwrap_or_else(|_| Told::of_number(self.node(at))))
        };
        nodes.iter().enumerate().take(last.saturating_add(1)).skip(first).map(told).collect()
    }

    /// The part that has a node.
    pub(super) fn place(&self, node: Option<NodeId>, otherwise: usize) -> Result<usize> {
        let Some(node) = node else { return Ok(otherwise) };
        self.nodes.iter().position(|nodes| nodes.contains(&node)).ok_or_else(|| {
            Error::invalid_value(format!("the graph has no node {:#x}; pass one of its own, or 0", node.0))
        })
    }

    /// Memory that is saved and looked at, as far as there is room, and the number of bytes that there is none for.
    pub(super) fn watched(&self, graph: &Graph, options: &StepOptions, most: u64) -> (MemoryRanges, u64) {
        let scratch = options.scratch();
        let all = self.writes.iter().map(|one| &one.writes).chain([&scratch]);
        let written = MemoryRanges::of(all.collect::<Vec<_>>());
        let mut room = most;
        let (mut watched, mut unwatched) = fitting_memory(&written, &mut room);
        if options.watches_all {
            let reached = MemoryRanges::of(self.writes.iter().map(|one| &one.reaches).collect::<Vec<_>>());
            let buffers = MemoryRanges { device: graph.context().buffer_ranges(), host: Ranges::default() };
            let rest = MemoryRanges::of([&reached, &buffers]).without(&written);
            let (device, more) = fitting(&rest.device, &mut room);
            unwatched += more;
            watched = MemoryRanges::of([&watched, &MemoryRanges { device, host: Ranges::default() }]);
        }
        (watched, unwatched)
    }
}

/// The nodes of a copy of a graph, each ready to run. To make an exec takes longer than to launch a kernel some times.
fn parted(copy: &Graph, nodes: &[NodeId], stream: &Stream) -> Result<Vec<Part>> {
    let are_kernels = nodes.iter().map(|&node| copy.can_launch_node(node)).collect::<Result<Vec<_>>>()?;
    let of_kind = |is_kernel: bool| {
        let all = nodes.iter().zip(&are_kernels).filter(move |(_, &is)| is == is_kernel);
        all.map(|(&node, _)| node).collect::<Vec<_>>()
    };
    let mut execs = singles(copy, &of_kind(false), &of_kind(true))?.into_iter();
    let launcher = Rc::new(copy.node_launcher(stream)?);
    let part = |(&node, &is_kernel): (&NodeId, &bool)| match is_kernel {
        true => Some(Part::Kernel(Rc::clone(&launcher), node)),
        false => execs.next().map(Part::Exec),
    };
    Ok(nodes.iter().zip(&are_kernels).filter_map(part).collect())
}
