//! The driver's graphs that graphcap has handles of, by the driver's handles, and where the captures into them were begun.
//! The end of a capture gives the driver's graph again, which must not get a second owner.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Weak;

use super::{Graph, State};
use crate::api;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::thread::ThreadNumber;

/// The driver's graphs that handles of graphcap's stand for and that captures may go into which another handle can end:
/// of another context on the GPU for the same stream, or of a wrapped stream.
pub(crate) static OWNED: Owned = Owned(Mutex::new(BTreeMap::new()));

/// Graphs of the driver's, by their handles.
pub(crate) struct Owned(Mutex<BTreeMap<usize, OwnedGraph>, rank::OwnedGraphs>);

struct OwnedGraph {
    graph: Weak<Mutex<State, rank::GraphRoot>>,
    begun: Begin,
}

/// The begin of the capture that goes into a graph, or went into it last.
#[derive(Clone, Copy)]
pub(crate) struct Begin {
    on: BegunOn,
    /// By [`now`].
    at: u64,
}

/// The next moment. Of two captures that were begun on one stream, the later one goes on.
pub(crate) fn now() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

/// Where the capture was begun that goes into a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BegunOn {
    /// Through graphcap, on the stream of that handle. The capture may be over: others can end it.
    Stream(usize),
    /// Through graphcap, on the default stream that this thread has in the context of that handle.
    PerThread(usize, ThreadNumber),
    /// Not through graphcap. If a capture goes into the graph, the driver alone knows on which stream it was begun.
    Unknown,
}

impl Owned {
    pub(super) fn give_out(&self, graph: api::Graph, state: &State) {
        let unknown = OwnedGraph { graph: state.this.clone(), begun: Begin { on: BegunOn::Unknown, at: 0 } };
        lock(&self.0).entry(graph.number()).or_insert(unknown);
    }

    /// Notes that a capture into `graph` is begun. Gives what was noted before.
    pub(super) fn begin_capture(&self, graph: api::Graph, state: &State, begun_on: BegunOn) -> Option<Begin> {
        let begun = OwnedGraph { graph: state.this.clone(), begun: Begin { on: begun_on, at: now() } };
        lock(&self.0).insert(graph.number(), begun).map(|before| before.begun)
    }

    /// Takes back that a capture into `graph` is begun, where the begin failed.
    pub(super) fn not_begun(&self, graph: api::Graph, before: Option<Begin>) {
        let mut owned = lock(&self.0);
        match (owned.get_mut(&graph.number()), before) {
            (Some(known), Some(before)) => known.begun = before,
            _ => drop(owned.remove(&graph.number())),
        }
    }

    /// Notes that the capture into `graph` is over. Others may begin one if they know the graph.
    pub(super) fn capture_is_over(&self, graph: api::Graph, others_know: bool) {
        let mut owned = lock(&self.0);
        match owned.get_mut(&graph.number()) {
            Some(known) if others_know => known.begun.on = BegunOn::Unknown,
            _ => drop(owned.remove(&graph.number())),
        }
    }

    pub(super) fn remove(&self, graph: api::Graph) {
        lock(&self.0).remove(&graph.number());
    }

    /// Whether a capture into some graph was begun there, after `earlier` if that is known.
    pub(crate) fn has_begun(&self, there: BegunOn, earlier: Option<u64>) -> bool {
        let is_later = |at: u64| earlier.is_none_or(|earlier| at > earlier);
        lock(&self.0).values().any(|owned| owned.begun.on == there && is_later(owned.begun.at))
    }

    /// graphcap's graph of that handle, and where the capture was begun that goes into it.
    pub(crate) fn find(&self, graph: api::Graph) -> Option<(Graph, BegunOn)> {
        let owned = lock(&self.0);
        let OwnedGraph { graph, begun } = owned.get(&graph.number())?;
        Some((Graph { root: graph.upgrade()?, place: None }, begun.on))
    }

    pub(crate) fn is_empty(&self) -> bool {
        lock(&self.0).is_empty()
    }
}
