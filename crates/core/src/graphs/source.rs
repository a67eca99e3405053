//! Graphs as they were when execs came to do their work, so that it can be told which nodes were changed since.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

use crate::state::{Edits, GraphInner};
use graphcap_driver::NodeId;

/// A graph as it was at one time.
#[derive(Clone)]
pub(crate) struct Source {
    graph: Weak<GraphInner>,
    /// By the clock of its changes.
    then: u64,
    /// Number of captures into it so far.
    captures_begun: u64,
}

impl GraphInner {
    /// Returns what an exec that is made of it now, or updated by it, does, with the graph's lock held. `None` where that may change
    /// unseen.
    pub(crate) fn as_it_is(self: &Arc<Self>, edits: &Edits) -> Option<Source> {
        let may_change = self.is_captured_into() || self.root.known_outside.load(Ordering::Acquire);
        (!may_change).then(|| Source {
            graph: Arc::downgrade(self),
            then: edits.changes.now(),
            captures_begun: self.root.captures_begun.load(Ordering::Acquire),
        })
    }

    /// The nodes that were changed since it was `source`; `None` where that is another graph, or more was changed than the work of
    /// nodes.
    pub(crate) fn changed_since(&self, source: &Source, edits: &Edits) -> Option<Vec<NodeId>> {
        edits.changes.since(source.then).filter(|_| self.is_seen_since(source))
    }

    /// As [`GraphInner::changed_since`], without the changes of which execs were told.
    pub(crate) fn untold_since(&self, source: &Source, edits: &Edits) -> Option<Vec<NodeId>> {
        edits.changes.told_since(source.then).filter(|_| self.is_seen_since(source))
    }

    /// Returns whether `source` is of this graph, and all its changes since were seen.
    fn is_seen_since(&self, source: &Source) -> bool {
        std::ptr::eq(source.graph.as_ptr(), self)
            && source.captures_begun == self.root.captures_begun.load(Ordering::Acquire)
            && !self.root.known_outside.load(Ordering::Acquire)
    }
}
