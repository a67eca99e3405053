//! Graphs and execs that are edited by hand. A copy of a graph has the ids of the graph's nodes.

use super::work::{FakeNode, FakeNodes, FakeWork};
use super::{failure, FakeDriver, State};
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::*;

impl FakeNodes {
    fn set(&mut self, node: NodeId, new: FakeNode) -> Result<()> {
        self.nodes.get_mut(&node.0).map(|node| *node = new).ok_or_else(no_node)
    }
}

impl State {
    fn node(&self, work: &Work<'_>) -> FakeNode {
        FakeNode { work: FakeWork::of(work), needs: self.needs(work) }
    }

    fn check_not_captured(&self, graph: GraphId) -> Result<()> {
        match self.captures.values().any(|capture| capture.graph == Some(graph)) {
            true => failure(Status::ILLEGAL_STATE),
            false => Ok(()),
        }
    }

    pub(super) fn has(&self, graph: GraphId, nodes: impl IntoIterator<Item = NodeId>) -> Result<()> {
        let known = &self.graphs[&graph].nodes.nodes;
        let nodes: Vec<NodeId> = nodes.into_iter().collect();
        if nodes.iter().all(|node| known.contains_key(&node.0)) {
            return Ok(());
        }
        let told: Vec<String> = nodes.iter().map(|NodeId(node)| format!("node {node:#x}")).collect();
        Err(Error::invalid_value(format!("there is no such node among {}", told.join(", "))))
    }
}

fn no_node() -> Error {
    Error::invalid_value("there is no such node")
}

impl GraphEdits for FakeDriver {
    fn graph_add_node(&self, graph: GraphId, dependencies: &[NodeId], work: &Work<'_>) -> Result<NodeId> {
        self.call("graph_add_node", |state| {
            state.has(graph, dependencies.iter().copied())?;
            let node = state.node(work);
            let nodes = &mut state.graphs.get_mut(&graph).unwrap().nodes;
            nodes.push(node);
            Ok(NodeId(nodes.last))
        })
    }
    fn graph_add_allocation(&self, graph: GraphId, dependencies: &[NodeId], bytes: usize) -> Result<Allocated> {
        let (memory, address) = self.allocate(bytes, MemoryKind::Pooled)?;
        let work = Work::MemAlloc(MemAlloc { bytes, address });
        match self.graph_add_node(graph, dependencies, &work) {
            Ok(node) => Ok(Allocated { node, memory, address, bytes }),
            Err(error) => {
                self.release(memory, &[]);
                Err(error)
            }
        }
    }
    fn node_allocation(&self, _: GraphId, _: NodeId) -> Result<Allocated> {
        self.call("node_allocation", |_| failure(Status::INVALID_VALUE))
    }
    fn graph_remove_node(&self, graph: GraphId, node: NodeId) -> Result<()> {
        self.call("graph_remove_node", |state| {
            state.check_not_captured(graph)?;
            let plan = state.graphs.get_mut(&graph).unwrap();
            plan.edges.retain(|&(from, to, _)| from != node && to != node);
            plan.nodes.nodes.remove(&node.0).map(drop).ok_or_else(no_node)
        })
    }
    fn graph_add_edges(&self, graph: GraphId, edges: &[(NodeId, NodeId, EdgeData)]) -> Result<()> {
        self.call("graph_add_edges", |state| {
            state.has(graph, edges.iter().flat_map(|&(from, to, _)| [from, to]))?;
            state.graphs.get_mut(&graph).unwrap().edges.extend(edges);
            Ok(())
        })
    }
    fn graph_remove_edges(&self, graph: GraphId, edges: &[(NodeId, NodeId)]) -> Result<()> {
        self.call("graph_remove_edges", |state| {
            state.has(graph, edges.iter().flat_map(|&(from, to)| [from, to]))?;
            let known = &mut state.graphs.get_mut(&graph).unwrap().edges;
            known.retain(|&(from, to, _)| !edges.contains(&(from, to)));
            Ok(())
        })
    }
    fn node_set(&self, graph: GraphId, node: NodeId, work: &Work<'_>) -> Result<()> {
        self.call("node_set", |state| {
            let new = state.node(work);
            state.graphs.get_mut(&graph).unwrap().nodes.set(node, new)
        })
    }
    fn node_graphs(&self, _: GraphId, _: NodeId) -> Result<Vec<GraphId>> {
        self.call("node_graphs", |_| failure(Status::INVALID_VALUE))
    }
    fn are_conditions_marked(&self) -> bool {
        true
    }
    fn condition_create(&self, _: GraphId, _: u32) -> Result<ConditionId> {
        self.call("condition_create", |state| Ok(ConditionId(state.id())))
    }
    fn graph_clone(&self, graph: GraphId) -> Result<GraphId> {
        self.call("graph_clone", |state| {
            let mut copy = state.graphs[&graph].clone();
            copy.retained.clear();
            let id = GraphId(state.id());
            state.graphs.insert(id, copy);
            Ok(id)
        })
    }
    fn node_in_clone(&self, graph: GraphId, node: NodeId, clone: GraphId) -> Result<NodeId> {
        self.call("node_in_clone", |state| {
            state.has(graph, [node]).and_then(|()| state.has(clone, [node])).map(|()| node)
        })
    }
}

impl ExecEdits for FakeDriver {
    fn exec_set(&self, exec: ExecId, node: NodeId, work: &Work<'_>) -> Result<()> {
        self.call("exec_set", |state| {
            let new = state.node(work);
            state.execs.get_mut(&exec).unwrap().0.nodes.set(node, new)
        })
    }
    fn exec_enable(&self, exec: ExecId, node: NodeId, is_enabled: bool) -> Result<()> {
        self.call("exec_enable", |state| {
            match is_enabled {
                true => state.disabled.remove(&(exec, node)),
                false => state.disabled.insert((exec, node)),
            };
            Ok(())
        })
    }
    fn exec_is_enabled(&self, exec: ExecId, node: NodeId) -> Result<bool> {
        self.call("exec_is_enabled", |state| Ok(!state.disabled.contains(&(exec, node))))
    }
    fn exec_let_go(&self, exec: ExecId, superseded: Lists) {
        let users = self.call("exec_let_go", |state| Ok(state.execs[&exec].1.clone())).unwrap_or_default();
        self.let_go(&users, superseded);
    }
}
