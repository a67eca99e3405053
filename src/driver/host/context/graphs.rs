//! Graphs and their executables.

use std::sync::Arc;

use super::HostContext;
use crate::driver::host::capture;
use crate::driver::host::event_nodes::Locked;
use crate::driver::host::exec::Exec;
use crate::driver::host::graph::Definition;
use crate::driver::host::plan::Plan;
use crate::driver::host::shared::{EXECS, GRAPHS};
use crate::driver::host::stream::Op;
use crate::driver::ids::{enter, key_of};
use crate::driver::{ExecId, Execs, GraphId, GraphNodes, GraphRef, Graphs, NodeId, Retained, StreamId, Work};
use crate::error::Result;

impl Graphs for HostContext {
    fn graph_create(&self) -> Result<GraphId> {
        self.check_call()?;
        self.enter_graph(Definition::new())
    }

    fn graph_retain(&self, graph: GraphId, retained: Retained) -> Result<()> {
        self.graph(graph, |graph| graph.retained.push(retained))
    }

    fn graph_destroy(&self, graph: GraphId) {
        GRAPHS.remove(key_of(graph.0));
    }

    fn graph_node_count(&self, graph: GraphId) -> Result<usize> {
        self.check_call()?;
        self.graph(graph, |graph| graph.definition.nodes.len())
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
            self.graph(graph, |graph| (Arc::clone(&graph.definition), graph.retained.clone()))?;
        capture::unsafe_call()?;
        Plan::check(&definition)?;
        let nodes = definition.nodes.len();
        let exec = Exec::new(self.number(), Plan::compile(&definition), retained);
        enter(&EXECS, Arc::new(exec), "graph execs").map(|id| (ExecId(id), nodes))
    }

    fn exec_destroy(&self, exec: ExecId) {
        EXECS.remove(key_of(exec.0));
    }

    fn exec_upload(&self, exec: ExecId, stream: StreamId) -> Result<()> {
        self.check_call()?;
        let exec = self.exec(exec)?;
        let stream = self.stream(stream)?;
        capture::refuse_while_capturing(&stream, "uploading a graph")?;
        capture::refuse_on_legacy(&stream)?;
        exec.upload();
        Ok(())
    }

    fn exec_launch(&self, exec: ExecId, stream: StreamId) -> Result<()> {
        self.check_call()?;
        let exec = self.exec(exec)?;
        let stream = self.stream(stream)?;
        if exec.waits_for_values() {
            stream.leave.will_wait();
        }
        // Held until the launch is queued, in the order of its turn.
        let mut locked = (!exec.events().is_empty()).then(|| exec.events().lock());
        if stream.is_legacy {
            let launch = || {
                let events = locked.as_mut().map(Locked::bind);
                Op::Launch { exec: Arc::clone(&exec), turn: exec.take_turn(), count: 1, events }
            };
            return self.submit_to_legacy(&stream, launch);
        }
        let mut queue = stream.lock();
        if let Some(member) = capture::live_member(&mut queue) {
            return Err(member.bar("launching a graph"));
        }
        let events = locked.as_mut().map(Locked::bind);
        stream.submit_launch(queue, &exec, events);
        Ok(())
    }
}
