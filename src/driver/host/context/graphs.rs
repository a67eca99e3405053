//! Graphs and their executables.

use std::sync::Arc;

use super::HostContext;
use crate::driver::graphs::{exchange, held_apart};
use crate::driver::host::graph::Definition;
use crate::driver::host::shared::{EXECS, GRAPHS};
use crate::driver::host::{capture, versions};
use crate::driver::ids::{enter, key_of};
use crate::driver::{ExecId, Execs, GraphId, GraphNodes, GraphRef, Graphs, NodeId, Retained, StreamId, Streams, Work};
use crate::error::Result;

impl Graphs for HostContext {
    fn graph_create(&self) -> Result<GraphId> {
        self.check_call()?;
        self.enter_graph(Definition::new())
    }

    fn graph_retain(&self, graph: GraphId, retained: Retained) -> Result<()> {
        self.graph(graph, |graph| graph.retained.push(retained))
    }

    fn graph_retained(&self, graph: GraphId) -> Result<Vec<Retained>> {
        self.graph(graph, |graph| graph.retained.clone())
    }

    fn graph_exchange_retained(&self, graph: GraphId, old: &Retained, new: Retained) -> Result<Retained> {
        self.graph(graph, |graph| exchange(&mut graph.retained, old, new))
    }

    fn graph_destroy(&self, graph: GraphId) {
        GRAPHS.remove(key_of(graph.0));
    }

    fn graph_node_count(&self, graph: GraphId) -> Result<usize> {
        self.check_call()?;
        self.graph(graph, |graph| graph.definition.len())
    }

    fn graph_edge_count(&self, graph: GraphId) -> Result<usize> {
        self.check_call()?;
        self.graph(graph, |graph| graph.definition.edge_count())
    }

    fn graph_nodes(&self, graph: GraphRef) -> Result<GraphNodes> {
        self.with_definition(graph, Definition::ids)
    }

    fn node_work(&self, graph: GraphRef, node: NodeId, read: &mut dyn FnMut(&Work<'_>)) -> Result<()> {
        // Read from a copy, so that no lock is held.
        self.with_definition(graph, |definition| definition.action(node))?.read(read);
        Ok(())
    }
}

impl HostContext {
    fn with_definition<T>(&self, graph: GraphRef, call: impl FnOnce(&Definition) -> Result<T>) -> Result<T> {
        self.check_call()?;
        match graph {
            GraphRef::Known(graph) => self.graph(graph, |graph| call(&graph.definition))?,
            GraphRef::Captured(stream) => capture::with_definition(&*self.stream(stream)?, call),
        }
    }
}

impl Execs for HostContext {
    fn graph_instantiate(&self, graph: GraphId) -> Result<(ExecId, usize)> {
        self.check_call()?;
        let (definition, retained) =
            self.graph(graph, |graph| (Arc::clone(&graph.definition), held_apart(&graph.retained)))?;
        capture::unsafe_call()?;
        let nodes = definition.len();
        let exec = versions::first(self.number(), graph, &definition, retained)?;
        enter(&EXECS, Arc::new(exec), "graph execs").map(|id| (ExecId(id), nodes))
    }

    fn exec_destroy(&self, exec: ExecId) {
        if let Some(removed) = EXECS.remove(key_of(exec.0)) {
            removed.lineage().discard_draft();
            removed.let_go(|stream| self.stream_is_over(stream));
        }
    }

    fn exec_upload(&self, exec: ExecId, stream: StreamId) -> Result<()> {
        self.check_call()?;
        self.exec(exec)?;
        let stream = self.stream(stream)?;
        capture::refuse_while_capturing(&stream, "uploading a graph")?;
        capture::refuse_on_legacy(&stream)?;
        self.newest_exec(exec)?.upload();
        Ok(())
    }

    fn exec_launch(&self, exec: ExecId, stream: StreamId) -> Result<()> {
        self.check_call()?;
        let found = self.exec(exec)?;
        let queue = self.stream(stream)?;
        if self.launch_version(&found, stream, &queue)? {
            return Ok(());
        }
        self.launch_newest(exec, &found, stream, &queue)
    }
}
