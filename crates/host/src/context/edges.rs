//! Edges with what they carry.

use super::HostContext;
use crate::capture;
use graphcap_base::error::Result;
use graphcap_driver::{DependencyUpdate, EdgeData, Edges, NodeId, StreamId};

impl Edges for HostContext {
    fn update_capture_dependencies_with_data(
        &self,
        stream: StreamId,
        nodes: &[(NodeId, EdgeData)],
        update: DependencyUpdate,
    ) -> Result<()> {
        self.check_call()?;
        capture::update_dependencies(&*self.stream(stream)?, nodes, update)
    }
}
