//! Kernels of nodes that a stream runs without an exec, which costs less than to make one.

use super::graph::Graph;
use super::retention::held_apart;
use crate::captures::guarded;
use crate::state::Stream;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::rules::Violated;
use graphcap_driver::{check_caller, Lists, NodeId};

/// Launches kernels of a graph's nodes on a stream. It keeps what the graph keeps, and that goes behind the launches.
pub struct NodeLauncher {
    graph: Graph,
    stream: Stream,
    kept: Lists,
    /// Number of edits of the graph before.
    edits: u64,
}

impl Graph {
    /// Returns whether a [`NodeLauncher`] runs a node: a kernel that does on a stream what it does in a graph, on a device that launches it
    /// so.
    ///
    /// # Errors
    /// `INVALID_VALUE` when `node` is no node of the graph; the status of a context that faulted.
    pub fn can_launch_node(&self, node: NodeId) -> Result<bool> {
        check_caller()?;
        self.context().driver()?.can_launch_node(self.id(), node)
    }

    /// Makes a launcher of the nodes that the graph has now.
    ///
    /// # Errors
    /// `INVALID_CONTEXT` for a stream of another context; the status of a context that faulted.
    pub fn node_launcher(&self, stream: &Stream) -> Result<NodeLauncher> {
        stream.context().check_same("the stream", self.context(), "the graph")?;
        let edits = self.0.root().lock()?;
        let (kept, edits) = (held_apart(&self.0.kept()), edits.changes.now());
        Ok(NodeLauncher { graph: self.clone(), stream: stream.clone(), kept, edits })
    }
}

impl NodeLauncher {
    /// Queues the kernel of a node, which [`Graph::can_launch_node`] tells of.
    ///
    /// # Errors
    /// As [`Graph::can_launch_node`], and as for launches of kernels; `ILLEGAL_STATE` when the graph was edited since the launcher was made,
    /// and when the stream is being captured.
    pub fn launch(&self, node: NodeId) -> Result<()> {
        guarded::not_recorded(&self.stream, Violated::Launch)?;
        let edits = self.graph.0.root().lock()?;
        if edits.changes.now() != self.edits {
            return Err(Error::new(
                Status::ILLEGAL_STATE,
                "the graph was edited since the launcher of its nodes was made; make another one",
            ));
        }
        self.stream.driver()?.launch_node(self.stream.id(), self.graph.id(), node)
    }
}

impl Drop for NodeLauncher {
    fn drop(&mut self) {
        let driver = self.graph.context().driver_even_if_stale();
        for list in &self.kept {
            // Kernels read no snapshots, which are what is given here.
            drop(list.used_by(&[self.stream.id()], &|stream| driver.stream_is_over(stream)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faulty::Faulty;
    use crate::objects::buffer::Buffer;
    use graphcap_driver::rules::CaptureMode;
    use graphcap_driver::StreamOptions;

    #[test]
    fn memory_goes_behind_launches_of_nodes() {
        let (driver, context) = Faulty::context();
        let [recorded, launched] = [(); 2].map(|()| Stream::create(&context, StreamOptions::default()).unwrap());
        let buffer = Buffer::allocate(&context, 64).unwrap();
        recorded.begin_capture(CaptureMode::Global).unwrap();
        recorded.memset(&buffer, 0, 0, 1, 64).unwrap();
        let graph = recorded.end_capture().unwrap();
        let node = graph.order().unwrap()[0];
        let launcher = graph.node_launcher(&launched).unwrap();
        launcher.launch(node).unwrap();
        let address = buffer.address();
        drop((graph, buffer, launcher));
        assert_eq!(driver.released(), [(address, vec![launched.id()])]);
    }

    #[test]
    fn nodes_of_an_edited_graph_are_not_launched() {
        let (_driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let graph = Graph::create(&context).unwrap();
        let launcher = graph.node_launcher(&stream).unwrap();
        let node = graph.add_node(&[], &crate::NodeWork::Empty).unwrap();
        assert_eq!(launcher.launch(node).unwrap_err().status, Status::ILLEGAL_STATE);
        graph.node_launcher(&stream).unwrap().launch(node).unwrap();
    }
}
