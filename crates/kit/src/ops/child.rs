//! The op that runs a graph.

use std::borrow::Cow;

use crate::op::{GraphOp, RecordContext};
use graphcap_base::error::Result;
use graphcap_core::{Graph, NodeWork};

/// Runs a graph, which is copied as it is when the op is recorded. Where the op is not recorded but runs, the graph is
/// instantiated for that.
#[derive(Clone, Debug)]
pub struct ChildGraphOp {
    /// The graph.
    pub graph: Graph,
}

impl GraphOp for ChildGraphOp {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed("child graph")
    }

    fn record(&self, at: &RecordContext) -> Result<()> {
        at.stream().submit_node_work(&NodeWork::Child(&self.graph))
    }
}
