//! What launches state of their arguments on the way from a capture to its graph, where the nodes keep it.

use std::sync::Arc;

use super::record::Left;
use crate::core::graphs::graph::Graph;
use crate::core::objects::access::LaunchAccesses;
use crate::core::state::{GraphInner, Record, Stream};
use crate::driver::NodeId;
use crate::error::Result;
use crate::lock::lock;

impl Stream {
    /// A launch was submitted that stated something: where it was recorded, its node keeps that.
    #[cold]
    pub(in crate::core) fn note_stated(&self, stated: Arc<LaunchAccesses>) {
        if !self.is_shared() && !self.may_be_captured() {
            return;
        }
        let Ok(Some(record)) = self.recorded_in() else { return };
        // Behind a launch the stream goes on from that alone. Where another thread recorded meanwhile, the node is of other work,
        // and what is noted of it does not hold.
        if let Ok([node]) = self.driver().capture_frontier(self.id()).as_deref() {
            lock(&record.list).stated.push((*node, stated));
            record.hand_over_stated();
        }
    }
}

impl Record {
    /// Gives the graph what launches stated, where the capture goes into one that is known.
    pub(in crate::core) fn hand_over_stated(&self) {
        let (graph, stated) = {
            let mut list = lock(&self.list);
            let Some(target) = &list.target else { return };
            (Arc::clone(&target.graph), std::mem::take(&mut list.stated))
        };
        // Where the graph is gone, so are its nodes.
        let _ = graph.note_stated(stated);
    }
}

impl Left {
    /// Gives the graph what launches stated.
    pub(in crate::core) fn hand_over_stated(&mut self, graph: &GraphInner) {
        let _ = graph.note_stated(std::mem::take(&mut self.stated));
    }
}

impl GraphInner {
    fn note_stated(&self, stated: Vec<(NodeId, Arc<LaunchAccesses>)>) -> Result<()> {
        if stated.is_empty() {
            return Ok(());
        }
        let mut edits = self.root().lock()?;
        stated.into_iter().for_each(|(node, stated)| edits.notes.set_accesses(node, Some(stated)));
        Ok(())
    }
}

impl Graph {
    /// What the launch of a node stated of its arguments. It holds where [`LaunchAccesses::are_of`] says so.
    ///
    /// # Errors
    /// `INVALID_HANDLE` for a graph within a node that is gone.
    pub(crate) fn node_stated(&self, node: NodeId) -> Result<Option<Arc<LaunchAccesses>>> {
        Ok(self.0.root().lock()?.notes.accesses(node))
    }
}
