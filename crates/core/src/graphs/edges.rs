//! Data of the edges of graphs.

use super::graph::Graph;
use crate::captures::recording::distinct_by;
use crate::operations::node_work::NodeWork;
use crate::state::Stream;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::{check_caller, DependencyUpdate, EdgeData, GraphNodes, NodeId, NodeKind};

impl Graph {
    /// The edges, of which none carries anything.
    ///
    /// # Errors
    /// `LOSSY_QUERY` when an edge carries something; the status of a context that faulted.
    pub fn edges(&self) -> Result<Vec<(NodeId, NodeId)>> {
        let GraphNodes { edges, carrying, .. } = self.nodes()?;
        match carrying.first() {
            None => Ok(edges),
            Some(&(from, to, _)) => {
                let error = carries_data(&format!("the edge from node {:#x} to node {:#x}", from.0, to.0));
                Err(self.naming_each(&[from, to], error))
            }
        }
    }

    /// The edges with what they carry.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub fn edges_with_data(&self) -> Result<Vec<(NodeId, NodeId, EdgeData)>> {
        Ok(self.nodes()?.edges_with_data())
    }

    /// Adds a node as [`Graph::add_node`] does, with what the edges from `dependencies` carry.
    ///
    /// # Errors
    /// As [`Graph::add_node`] and [`Graph::add_dependencies_with_data`]; `INVALID_VALUE` also where an edge is to carry something to a
    /// node that launches no kernel.
    pub fn add_node_with_data(&self, dependencies: &[(NodeId, EdgeData)], work: &NodeWork<'_>) -> Result<NodeId> {
        if dependencies.iter().all(|(_, data)| data.is_none()) {
            let nodes: Vec<NodeId> = dependencies.iter().map(|&(node, _)| node).collect();
            return self.add_node(&nodes, work);
        }
        if !matches!(work, NodeWork::Kernel { .. }) {
            return Err(Error::invalid_value(
                "an edge that carries data leads to a kernel node, and this work is of another kind; let the edge carry nothing",
            ));
        }
        self.check_edges_to_kernel(dependencies)?;
        let node = self.add_node(&[], work)?;
        let edges: Vec<_> = dependencies.iter().map(|&(from, data)| (from, node, data)).collect();
        match self.add_dependencies_with_data(&edges) {
            Ok(()) => Ok(node),
            // Nobody was told of it.
            Err(error) => self.remove_node(node).and(Err(error)),
        }
    }

    /// Refuses edges to a new kernel node that cannot be added. A graph that allocates memory would keep the node.
    fn check_edges_to_kernel(&self, dependencies: &[(NodeId, EdgeData)]) -> Result<()> {
        for &(from, data) in dependencies {
            let is_kernel = self.node_kind(from)? == NodeKind::Kernel;
            if !(data.is_none() || is_kernel && data.is_of_kernels()) {
                return Err(self.naming_each(&[from], data.refusal()));
            }
        }
        if distinct_by(dependencies, |&(node, _)| node).len() < dependencies.len() {
            return Err(Error::invalid_value("a node that the new one depends on is listed twice"));
        }
        Ok(())
    }

    /// Adds edges, each from a node to one that then waits for it, with what they carry.
    ///
    /// # Errors
    /// As [`Graph::add_dependencies`]; `INVALID_VALUE` also for what the nodes of an edge cannot have; `NOT_SUPPORTED` for an edge
    /// that is to carry something where the driver has no such edges.
    pub fn add_dependencies_with_data(&self, edges: &[(NodeId, NodeId, EdgeData)]) -> Result<()> {
        check_caller()?;
        let mut edits = self.0.root().lock()?;
        let added = self.context().driver()?.graph_add_edges(self.id(), edges);
        added.map_err(|error| {
            let ends: Vec<NodeId> = edges.iter().flat_map(|&(from, to, _)| [from, to]).collect();
            self.0.naming(&edits, &ends, error)
        })?;
        edits.changes.note_other();
        Ok(())
    }
}

impl Stream {
    /// Says what the next work that the stream records depends on, as [`Stream::update_capture_dependencies`](Stream), with what
    /// the edges from `nodes` carry. Of a node that is listed twice the first entry counts. Work that is no kernel gets edges that
    /// carry nothing.
    ///
    /// # Errors
    /// As there; `INVALID_VALUE` also for what an edge from the node cannot carry; `NOT_SUPPORTED` for an edge that is to carry
    /// something where the driver has no such edges.
    pub fn update_capture_dependencies_with_data(
        &self,
        nodes: &[(NodeId, EdgeData)],
        update: DependencyUpdate,
    ) -> Result<()> {
        let nodes = distinct_by(nodes, |&(node, _)| node);
        self.driver()?.update_capture_dependencies_with_data(self.id(), &nodes, update)?;
        let is_plain = nodes.iter().all(|(_, data)| *data == EdgeData::default());
        self.note_dependencies_changed(update == DependencyUpdate::Add && is_plain);
        Ok(())
    }
}

/// Returns what a question for edges answers that has no room for what they carry.
#[cold]
pub(crate) fn carries_data(edge: &str) -> Error {
    Error::new(
        Status::LOSSY_QUERY,
        format!("{edge} carries data; gc_graph_get_edges() lists it when it is given data_out"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faulty::Faulty;
    use crate::NodeWork;
    use graphcap_driver::rules::CaptureMode;
    use graphcap_driver::{Captures, LaunchShape, ModuleSource, StreamOptions};

    const DATA: EdgeData = EdgeData::PROGRAMMATIC;

    /// Of a chain of nodes.
    fn graph(nodes: usize) -> (std::sync::Arc<Faulty>, Graph, Vec<NodeId>) {
        let (driver, context) = Faulty::context();
        let graph = Graph::create(&context).unwrap();
        let kernel = Faulty::load(&context, ModuleSource::default()).kernel("k-any").unwrap();
        let shape = LaunchShape::ONE_THREAD;
        let launch = NodeWork::Kernel { kernel: &kernel, shape, arguments: &[], attributes: &[] };
        let mut chain: Vec<NodeId> = Vec::new();
        for _ in 0..nodes {
            let last = chain.last().copied();
            chain.push(graph.add_node(last.as_slice(), &launch).unwrap());
        }
        let nodes = chain;
        (driver, graph, nodes)
    }

    #[test]
    fn what_edges_carry_is_told_or_missed() {
        let (driver, graph, nodes) = graph(4);
        let [a, b, c, d] = nodes[..] else { panic!("there are 4") };
        graph.add_dependencies(&[(a, d)]).unwrap();
        assert_eq!(graph.edges().unwrap(), [(a, b), (b, c), (c, d), (a, d)]);
        graph.add_dependencies_with_data(&[(a, c, DATA), (b, d, EdgeData::NONE)]).unwrap();
        let none = [(a, b), (b, c), (c, d), (a, d), (b, d)].map(|(from, to)| (from, to, EdgeData::NONE));
        let calls = driver.calls();
        assert_eq!(graph.edges_with_data().unwrap(), [&none[..2], &[(a, c, DATA)], &none[2..]].concat());
        assert_eq!(graph.edges().unwrap_err().status, Status::LOSSY_QUERY);
        assert_eq!(graph.dependents(a).unwrap_err().status, Status::LOSSY_QUERY);
        assert_eq!(graph.dependencies(c).unwrap_err().status, Status::LOSSY_QUERY);
        assert_eq!(graph.dependencies(d), Ok(vec![a, b, c]));
        assert_eq!(
            driver.calls() - calls,
            5 + 4,
            "each asks once, so that what it is told goes together; two tell a name, and one two names"
        );
        graph.remove_dependencies(&[(a, c)]).unwrap();
        assert_eq!(graph.dependents(a), Ok(vec![b, d]));
    }

    #[test]
    fn edges_that_cannot_be_added_are_told_with_the_names_of_their_nodes() {
        let (_, graph, nodes) = graph(1);
        graph.set_node_name(nodes[0], "first").unwrap();
        for data in [EdgeData::NONE, DATA] {
            let error = graph.add_dependencies_with_data(&[(nodes[0], nodes[0], data)]).unwrap_err();
            assert!(error.status == Status::INVALID_VALUE && error.message.contains("\"first\""), "{error}");
        }
        let error = graph.add_dependencies(&[(nodes[0], nodes[0])]).unwrap_err();
        assert!(error.message.contains("\"first\""), "{error}");
    }

    #[test]
    fn of_a_node_that_is_listed_twice_the_first_entry_counts() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        stream.begin_capture(CaptureMode::Relaxed).unwrap();
        let kernel = Faulty::load(&context, ModuleSource::default()).kernel("k-any").unwrap();
        let [a, b] = [(); 2].map(|()| {
            stream.submit_kernel(&kernel, LaunchShape::ONE_THREAD, &[], &[]).unwrap();
            driver.capture_frontier(stream.id()).unwrap()[0]
        });
        let nodes = [(a, DATA), (b, DATA), (a, EdgeData::NONE)];
        stream.update_capture_dependencies_with_data(&nodes, DependencyUpdate::Set).unwrap();
        assert_eq!(driver.updates(), [[(a, DATA), (b, DATA)]]);
        drop(stream.end_capture().unwrap());
    }
}
