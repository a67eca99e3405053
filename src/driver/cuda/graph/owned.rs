//! The driver's graphs that graphcap has handles of, by the driver's handles, and where the captures into them were begun.
//! The end of a capture gives the driver's graph again, which must not get a second owner.

use std::collections::BTreeMap;
use std::sync::{Mutex, Weak};

use super::{Graph, State};
use crate::driver::cuda::api;
use crate::driver::cuda::lock;
use crate::thread::ThreadNumber;

/// The driver's graphs that handles of graphcap's stand for and that captures may go into which another handle can end:
/// of another context on the GPU for the same stream, or of a wrapped stream.
pub(in crate::driver::cuda) static OWNED: Owned = Owned(Mutex::new(BTreeMap::new()));

/// Graphs of the driver's, by their handles.
pub(in crate::driver::cuda) struct Owned(Mutex<BTreeMap<usize, OwnedGraph>>);

struct OwnedGraph {
    graph: Weak<Mutex<State>>,
    begun_on: BegunOn,
}

/// Where the capture was begun that goes into a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::driver::cuda) enum BegunOn {
    /// Through graphcap, on the stream of that handle. The capture may be over: others can end it.
    Stream(usize),
    /// Through graphcap, on the default stream that this thread has in the context of that handle.
    PerThread(usize, ThreadNumber),
    /// Not through graphcap. If a capture goes into the graph, the driver alone knows on which stream it was begun.
    Unknown,
}

impl Owned {
    pub(super) fn give_out(&self, graph: api::Graph, state: &State) {
        let unknown = OwnedGraph { graph: state.this.clone(), begun_on: BegunOn::Unknown };
        lock(&self.0).entry(graph.number()).or_insert(unknown);
    }

    /// Notes that a capture into `graph` is begun. Gives what was noted before.
    pub(super) fn begin_capture(&self, graph: api::Graph, state: &State, begun_on: BegunOn) -> Option<BegunOn> {
        let begun = OwnedGraph { graph: state.this.clone(), begun_on };
        lock(&self.0).insert(graph.number(), begun).map(|before| before.begun_on)
    }

    /// Notes where the capture was begun that goes into `graph`; `None` where neither graphcap began one, nor others can.
    pub(super) fn note(&self, graph: api::Graph, begun_on: Option<BegunOn>) {
        let mut owned = lock(&self.0);
        match (owned.get_mut(&graph.number()), begun_on) {
            (Some(known), Some(begun_on)) => known.begun_on = begun_on,
            _ => drop(owned.remove(&graph.number())),
        }
    }

    pub(super) fn remove(&self, graph: api::Graph) {
        lock(&self.0).remove(&graph.number());
    }

    /// Whether a capture into some graph was begun there.
    pub(in crate::driver::cuda) fn has_begun(&self, there: BegunOn) -> bool {
        lock(&self.0).values().any(|owned| owned.begun_on == there)
    }

    /// graphcap's graph of that handle, and where the capture was begun that goes into it.
    pub(in crate::driver::cuda) fn find(&self, graph: api::Graph) -> Option<(Graph, BegunOn)> {
        let owned = lock(&self.0);
        let OwnedGraph { graph, begun_on } = owned.get(&graph.number())?;
        Some((Graph { root: graph.upgrade()? }, *begun_on))
    }

    pub(in crate::driver::cuda) fn is_empty(&self) -> bool {
        lock(&self.0).is_empty()
    }
}
