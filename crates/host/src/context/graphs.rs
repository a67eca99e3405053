//! Graphs and their executables.

use std::sync::Arc;

use super::HostContext;
use crate::capture;
use crate::engine::stream::Stream;
use crate::exec::{versions, Exec};
use crate::graph::condition::Conditions;
use crate::graph::plan::Entered;
use crate::graph::Inner;
use crate::graph::{Action, Definition, Graph};
use crate::memory::graph_memory;
use crate::shared::OBJECTS;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::lock;
use graphcap_driver::graphs::no_auto_free_on_device;
use graphcap_driver::ids::{enter, key_of};
use graphcap_driver::{
    ByteModel, EdgeData, ExecFlags, ExecId, ExecNames, Execs, GraphEdits, GraphId, GraphNodes, GraphRef, Graphs,
    KernelId, Lists, NodeId, NodeKind, ReadKernels, RunningBody, Side, StreamId, Work,
};

impl Graphs for HostContext {
    fn graph_create(&self) -> Result<GraphId> {
        self.check_call()?;
        self.enter_graph(Graph::new(Definition::new(), self.number()))
    }

    fn graph_destroy_with(&self, graph: GraphId, kept: Lists) {
        // A graph within another one goes with its node.
        if OBJECTS.graphs.get(key_of(graph.0)).is_some_and(|graph| !graph.path.is_empty()) {
            return;
        }
        let Some(destroyed) = OBJECTS.graphs.remove(key_of(graph.0)) else { return };
        let within = lock(&destroyed.root).forget_all_within();
        within.iter().for_each(|graph| drop(OBJECTS.graphs.remove(key_of(graph.0))));
        drop(destroyed);
        drop(kept);
    }

    fn graph_is_lost(&self, graph: GraphId) -> bool {
        self.located(graph).is_ok_and(|graph| lock(&graph.root).check_whole().is_err())
    }

    fn graph_node_count(&self, graph: GraphId) -> Result<usize> {
        self.with_definition(GraphRef::Known(graph), |definition| Ok(definition.len()))
    }

    fn graph_edge_count(&self, graph: GraphId) -> Result<usize> {
        self.with_definition(GraphRef::Known(graph), |definition| Ok(definition.edge_count()))
    }

    fn graph_nodes(&self, graph: GraphRef) -> Result<GraphNodes> {
        self.with_definition(graph, Definition::ids)
    }

    fn node_neighbours(&self, graph: GraphId, node: NodeId, side: Side) -> Result<Vec<(NodeId, EdgeData)>> {
        self.check_call()?;
        self.graph_at(graph, |graph, path| graph.neighbours(path, node, side))
    }

    fn node_waits(&self, graph: GraphId, node: NodeId) -> Result<Vec<NodeId>> {
        self.check_call()?;
        self.graph_at(graph, |graph, path| graph.at(path)?.waits(node))
    }

    fn graph_has_node(&self, graph: GraphId, node: NodeId) -> bool {
        self.graph(graph, |graph| graph.definition.has(node)).unwrap_or(false)
    }

    fn node_work(&self, graph: GraphRef, node: NodeId, read: &mut dyn FnMut(&Work<'_>)) -> Result<()> {
        // Read from a copy, so that no lock is held.
        let action = self.with_definition(graph, |definition| definition.action(node))?;
        if let Action::Child(_) = action {
            let graph = match graph {
                GraphRef::Known(graph) => Some(graph),
                GraphRef::Captured(stream) => capture::target(&*self.stream(stream)?)?,
            };
            let children = graph.map(|graph| self.node_graphs(graph, node)).transpose()?;
            if let Some([child]) = children.as_deref() {
                read(&Work::Child(*child));
                return Ok(());
            }
        }
        action.read(read);
        Ok(())
    }

    fn graph_work(&self, graph: GraphId, kernels: ReadKernels, read: &mut dyn FnMut(NodeId, &Work<'_>)) -> Result<()> {
        self.check_call()?;
        // Shared, so that no lock is held while nodes are read.
        let definition = self.graph_at(graph, |graph, path| graph.at(path).map(Arc::clone))?;
        definition.each(|node, action| {
            match action {
                Action::Child(_) => return self.node_work(GraphRef::Known(graph), node, &mut |work| read(node, work)),
                Action::Kernel(_) if kernels == ReadKernels::None => read(node, &Work::Opaque(NodeKind::Kernel)),
                action => action.read(&mut |work| read(node, work)),
            }
            Ok(())
        })
    }

    fn node_kind(&self, graph: GraphId, node: NodeId) -> Result<NodeKind> {
        self.with_definition(GraphRef::Known(graph), |definition| definition.kind(node))
    }
}

impl HostContext {
    fn with_definition<T>(&self, graph: GraphRef, call: impl FnOnce(&Definition) -> Result<T>) -> Result<T> {
        self.check_call()?;
        match graph {
            GraphRef::Known(graph) => self.graph_at(graph, |graph, path| call(graph.at(path)?)),
            GraphRef::Captured(stream) => capture::with_definition(&*self.stream(stream)?, call),
        }
    }
}

impl Execs for HostContext {
    fn graph_instantiate_with(
        &self,
        graph: GraphId,
        flags: ExecFlags,
        upload: Option<StreamId>,
        _ends: Option<KernelId>,
    ) -> Result<(ExecId, usize)> {
        self.check_call()?;
        check_flags(flags)?;
        let upload = upload.map(|stream| self.check_upload(stream)).transpose()?;
        let begin = |graph: &mut Graph, path: &[Inner]| {
            if !path.is_empty() {
                return Err(Error::new(
                    Status::NOT_SUPPORTED,
                    "a graph of a node cannot be instantiated on its own; instantiate the outermost graph, or a clone",
                ));
            }
            graph.check_whole()?;
            graph.begin_instantiate(|exec| OBJECTS.execs.get(key_of(exec.0)).is_some())?;
            let conditions: Conditions = graph.conditions.iter().cloned().collect();
            Ok((Arc::clone(&graph.definition), conditions))
        };
        let (definition, conditions) = self.graph_at(graph, begin)?;
        let nodes = definition.len();
        let made = capture::unsafe_call()
            .and_then(|()| versions::first(self.ordinal(), graph, flags, &definition, conditions))
            .inspect(|exec| {
                exec.memories().instantiated();
                upload.iter().for_each(|stream| self.upload(exec, stream));
            })
            .and_then(|exec| enter(&OBJECTS.execs, Arc::new(exec), "graph execs").map(ExecId));
        // Where the graph is gone meanwhile, nobody asks it for another one.
        let _ = self.graph(graph, |graph| graph.end_instantiate(made.as_ref().ok().copied()));
        made.map(|exec| (exec, nodes))
    }

    fn exec_flags(&self, exec: ExecId) -> Result<ExecFlags> {
        self.check_call()?;
        // The driver forgets that one.
        Ok(ExecFlags { node_priorities: false, ..self.exec(exec)?.lineage().flags })
    }

    fn gains_by_ends(&self) -> bool {
        false
    }

    /// A kernel costs no more here, and tells more.
    fn marks_by_events(&self) -> bool {
        false
    }

    fn watches_conditions(&self) -> bool {
        true
    }

    fn byte_model(&self) -> ByteModel {
        ByteModel::Host
    }

    fn exec_destroy(&self, exec: ExecId, kept: Lists) {
        let Some(removed) = OBJECTS.execs.remove(key_of(exec.0)) else { return };
        let of_draft = removed.lineage().discard_draft();
        self.let_go(&removed.users_of_all(&of_draft), kept);
    }

    fn exec_upload(&self, exec: ExecId, stream: StreamId) -> Result<()> {
        self.check_call()?;
        self.exec(exec)?;
        let stream = self.check_upload(stream)?;
        self.upload(&*self.newest_exec(exec)?, &stream);
        Ok(())
    }

    fn exec_call_by(&self, exec: ExecId, names: Arc<dyn ExecNames>) {
        if let Ok(exec) = self.exec(exec) {
            exec.lineage().places.call_by(names);
        }
    }

    fn exec_within(&self, exec: ExecId) -> Vec<RunningBody> {
        let Ok(exec) = self.exec(exec) else { return Vec::new() };
        let places = &exec.lineage().places;
        let within = |entered: Entered| {
            Some(RunningBody {
                node: places.id_at(entered.conditional)?,
                body: entered.body,
                turn: entered.is_loop.then_some(entered.turn),
                runs: places.id_at(entered.runs),
            })
        };
        exec.entered().into_iter().filter_map(within).collect()
    }

    fn exec_in_trace(&self, exec: ExecId) -> u32 {
        self.exec(exec).map_or(0, |exec| exec.number_in_trace())
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

impl HostContext {
    /// Uploads an exec on a stream, and counts the memory that its launches will need.
    fn upload(&self, exec: &Exec, stream: &Arc<Stream>) {
        exec.upload();
        let (memories, place) = (exec.memories(), Arc::as_ptr(stream).addr());
        graph_memory::upload(self.ordinal(), memories.bytes(), place, memories.allocated());
    }

    /// The stream, where an exec can be uploaded on it.
    fn check_upload(&self, id: StreamId) -> Result<Arc<Stream>> {
        let stream = self.stream(id)?;
        capture::refuse_while_capturing(&stream, "uploading a graph")?;
        capture::refuse_on_legacy(&stream)?;
        Ok(Arc::clone(&stream))
    }
}

/// Returns whether an exec can be made with these flags, as the driver tells for those that exclude each other.
fn check_flags(flags: ExecFlags) -> Result<()> {
    match flags {
        ExecFlags { device_launch: true, auto_free: true, .. } => Err(no_auto_free_on_device()),
        ExecFlags { device_launch: true, .. } => Err(Error::new(
            Status::NOT_SUPPORTED,
            "kernels of the host device cannot launch graphs; make the exec without the flag for launches from the device",
        )),
        _ => Ok(()),
    }
}
