//! The marks that the nodes of a watched exec leave in pinned memory, or the events behind them, and what the nodes are.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use crate::captures::relaxed::relax_mode;
use crate::objects::event::Event;
use crate::objects::host_buffer::HostBuffer;
use crate::state::GraphInner;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::{Address, ExecNames, NodeId};

/// Bytes of a mark.
pub(super) const MARK: usize = size_of::<u64>();

/// State of a watched exec beside what it runs.
pub(super) struct Watch {
    /// The first mark counts the launches that have begun.
    marks: HostBuffer,
    behind: Behind,
    /// Tells whether the caller wanted events, which not all devices mark by.
    wants_events: bool,
    /// Number of launches that were asked for, the one that is being made among them.
    asked: AtomicU64,
    /// Each behind those that it waits for.
    pub(super) nodes: Vec<WatchedNode>,
    /// The graph, which may be gone.
    pub(super) graph: Weak<GraphInner>,
    /// The names of that graph and its nodes in messages.
    pub(super) names: Arc<dyn ExecNames>,
}

/// Kind of sign that a node has completed.
pub(super) enum Behind {
    /// A mark for each node, behind the first one.
    Marks,
    /// An event for each node, of the latest launch that was asked for. The second mark counts the launches that have completed.
    Events(Vec<Event>),
}

/// Finding of a look at a watched exec.
pub(super) struct Seen {
    /// Number of launches that have begun.
    pub(super) begun: u64,
    /// Number of launches that were asked for, as far as that is counted.
    pub(super) asked: u64,
    /// For each node whether it has completed in the launch that began last; `None` where a later launch hides it.
    pub(super) completed: Option<Vec<bool>>,
}

/// A node of the graph that a watched exec was made of.
pub(super) struct WatchedNode {
    /// As it is called in that graph.
    pub(super) id: NodeId,
    /// Its work, in words.
    pub(super) label: String,
    /// The places of those that it waits for.
    pub(super) after: Vec<u32>,
}

impl Watch {
    /// Of pinned memory that has the marks.
    pub(super) fn new(
        marks: HostBuffer,
        behind: Behind,
        wants_events: bool,
        nodes: Vec<WatchedNode>,
        (graph, names): (Weak<GraphInner>, Arc<dyn ExecNames>),
    ) -> Watch {
        Watch { marks, behind, wants_events, asked: AtomicU64::new(0), nodes, graph, names }
    }

    /// Makes a launch.
    pub(super) fn launch(&self, launch: impl FnOnce() -> Result<()>) -> Result<()> {
        // Before, as the launch has the events told anew.
        self.asked.fetch_add(1, Ordering::AcqRel);
        launch().inspect_err(|_| {
            self.asked.fetch_sub(1, Ordering::AcqRel);
        })
    }

    /// Returns whether the caller wanted events to tell how far a launch is.
    pub(super) fn wants_events(&self) -> bool {
        self.wants_events
    }

    /// Looks how far the launches are.
    ///
    /// # Errors
    /// As [`Event::is_complete`].
    pub(super) fn look(&self) -> Result<Seen> {
        let begun = self.number(0);
        // From the last to the first, so that none is seen to have completed before one that it waits for.
        let places = (0..self.nodes.len()).rev();
        let mut completed: Vec<bool> = match &self.behind {
            Behind::Marks => places.map(|at| self.number(at + 1) >= begun).collect(),
            Behind::Events(events) => {
                let _relaxed = relax_mode()?;
                events.iter().rev().map(Event::is_complete).collect::<Result<_>>()?
            }
        };
        completed.reverse();
        // Afterwards: what the events told may be of a launch that was asked for meanwhile.
        let asked = self.asked.load(Ordering::Acquire);
        let completed = match self.behind {
            Behind::Marks => Some(completed),
            Behind::Events(_) if self.number(1) >= begun => Some(vec![true; self.nodes.len()]),
            Behind::Events(_) => (asked <= begun).then_some(completed),
        };
        Ok(Seen { begun, asked, completed })
    }

    fn number(&self, mark: usize) -> u64 {
        self.marks.context().driver_even_if_stale().host_number(self.marks.address() + (mark * MARK) as Address, MARK)
    }
}

/// The refusal of a change of a watched exec.
#[cold]
pub(super) fn unchangeable() -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        "a watched graph exec cannot be changed; change the graph and instantiate it anew, or instantiate it without \
         GRAPHCAP_INSTANTIATE_WATCH",
    )
}
