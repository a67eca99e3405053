//! Nodes that are put by hand into captures which go into graphs within nodes: such a graph has them at the end, as all that is
//! recorded.

use std::sync::Arc;

use super::graph::ended_meanwhile;
use crate::graphs::graph::Graph;
use crate::keep::Kepts;
use crate::objects::home::Home;
use crate::operations::node_work::NodeWork;
use crate::state::{GraphInner, Record, Stream};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::lock;
use graphcap_driver::{CaptureStatus, NodeId, Work};

impl Stream {
    /// Puts a node into the stream's capture, which goes into `graph`, a graph within a node.
    pub(super) fn capture_put(&self, graph: &Graph, work: &NodeWork<'_>) -> Result<NodeId> {
        let put = |work: &Work<'_>| self.driver()?.capture_put(self.id(), graph.id(), work);
        let node = match work {
            NodeWork::Child(child) => self.capture_child(graph, child)?,
            NodeWork::Conditional(_) => work.resolve(Home::graph(graph.context()), |work, _| put(work))?,
            _ => return Err(recorded_by_streams()),
        };
        self.note_added();
        Ok(node)
    }

    /// Puts a child into the stream's capture, which goes into `graph`, a graph within a node. Nobody can change the copy of it that
    /// the driver is told of, until the end of the capture.
    fn capture_child(&self, graph: &Graph, child: &Graph) -> Result<NodeId> {
        graph.0.check_can_have(&child.0)?;
        let copy = child.duplicate()?.0;
        let record =
            self.present().filter(|record| record.target().is_some_and(|target| Arc::ptr_eq(&target, &graph.0)));
        let record = record.ok_or_else(|| ended_meanwhile(CaptureStatus::None))?;
        let locked = copy.root().lock()?;
        let node = Graph(Arc::clone(&copy)).to_be_child(|kept| {
            // First, as nothing that runs may go. Where the driver refuses, it stays with the capture.
            if !record.keep_of_child(&kept) {
                return Err(ended_meanwhile(CaptureStatus::None));
            }
            self.driver()?.capture_put(self.id(), graph.id(), &Work::Child(copy.id()))
        })?;
        drop(locked);
        record.will_have(node, copy);
        Ok(node)
    }
}

impl GraphInner {
    /// Refuses a child that a node of this graph, which is within a node, cannot have.
    fn check_can_have(&self, child: &GraphInner) -> Result<()> {
        match (child.is_within(), Arc::ptr_eq(self.root(), child.root())) {
            (true, _) => Err(Error::new(
                Status::NOT_SUPPORTED,
                "a graph that belongs to a node cannot be the child of another node; make a copy of it, and let that be the child",
            )),
            (false, true) => Err(Error::invalid_value(
                "a graph cannot be a child of a graph within it; make a copy of it, and let that be the child",
            )),
            (false, false) => Ok(()),
        }
    }

    /// The node has a copy of `child` from here on, of whose nodes it has what is noted.
    pub(crate) fn note_put(&self, node: NodeId, child: &GraphInner) {
        if let Ok((mut edits, other)) = self.lock_with(Some(child)) {
            self.note_child(&mut edits, node, child, other.as_deref());
        }
    }
}

impl Record {
    /// Lists what a child keeps that is put by hand into the graph within a node. False when the capture is over.
    fn keep_of_child(&self, child: &Kepts) -> bool {
        let list = lock(&self.list);
        !self.is_over() && list.change(|listed| listed.kept.extend_from_slice(child))
    }

    /// The node will have a copy of `child`, which is not changed until then. Where the capture is over it has it already.
    fn will_have(&self, node: NodeId, child: Arc<GraphInner>) {
        let mut list = lock(&self.list);
        if !self.is_over() {
            return list.put.push((node, child));
        }
        // Where the lock is not held: it is the last reference.
        drop(list);
        drop(child);
    }
}

#[cold]
fn recorded_by_streams() -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        "the capture goes into a body or the graph of a child node; record the work on the stream, or add the node before or after the \
         capture",
    )
}
