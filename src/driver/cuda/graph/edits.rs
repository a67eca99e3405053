//! Edits of graphs and execs, by the ids of their nodes.

use crate::driver::cuda::context::CudaContext;
use crate::driver::{ConditionId, ExecEdits, ExecId, GraphEdits, GraphId, NodeId, Retained, Work};
use crate::error::{Error, Result, Status};

impl GraphEdits for CudaContext {
    fn graph_add_node(&self, _: GraphId, _: &[NodeId], _: &Work<'_>) -> Result<NodeId> {
        Err(unwritten())
    }

    fn graph_remove_node(&self, graph: GraphId, node: NodeId) -> Result<()> {
        self.remove_graph_node(graph, node)
    }

    fn graph_add_edges(&self, _: GraphId, _: &[(NodeId, NodeId)]) -> Result<()> {
        Err(unwritten())
    }

    fn graph_remove_edges(&self, _: GraphId, _: &[(NodeId, NodeId)]) -> Result<()> {
        Err(unwritten())
    }

    fn node_set(&self, _: GraphId, _: NodeId, _: &Work<'_>) -> Result<()> {
        Err(unwritten())
    }

    fn node_graphs(&self, _: GraphId, _: NodeId) -> Result<Vec<GraphId>> {
        Err(unwritten())
    }

    fn condition_create(&self, _: GraphId, _: Option<u32>) -> Result<ConditionId> {
        Err(unwritten())
    }

    fn graph_clone(&self, _: GraphId) -> Result<GraphId> {
        Err(unwritten())
    }

    fn node_in_clone(&self, _: GraphId, _: NodeId, _: GraphId) -> Result<NodeId> {
        Err(unwritten())
    }
}

impl ExecEdits for CudaContext {
    fn exec_set(&self, _: ExecId, _: NodeId, _: &Work<'_>) -> Result<()> {
        Err(unwritten())
    }

    fn exec_enable(&self, _: ExecId, _: NodeId, _: bool) -> Result<()> {
        Err(unwritten())
    }

    fn exec_is_enabled(&self, _: ExecId, _: NodeId) -> Result<bool> {
        Err(unwritten())
    }

    fn exec_retained(&self, _: ExecId) -> Result<Vec<Retained>> {
        Err(unwritten())
    }

    fn exec_retain(&self, _: ExecId, _: Retained) -> Result<()> {
        Err(unwritten())
    }

    fn exec_exchange_retained(&self, _: ExecId, _: &Retained, _: Retained) -> Result<Retained> {
        Err(unwritten())
    }

    fn exec_let_go(&self, _: ExecId, _: Retained) {}
}

fn unwritten() -> Error {
    Error::new(Status::NOT_SUPPORTED, "not written yet")
}
