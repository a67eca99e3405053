//! The driver's graphs that graphcap has handles of, by the driver's handles, and where the captures into them were begun.
//! The end of a capture gives the driver's graph again, which must not get a second owner.

use std::collections::BTreeMap;
use std::sync::Weak;

use super::listing::list_copy;
use super::state::{Graph, GraphState};
use crate::api::{self, Api, DriverError};
use crate::captures::epoch;
use crate::deferred;
use crate::retention::OfCapture;
use graphcap_base::error::Status;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::thread::ThreadNumber;
use graphcap_driver::{GraphId, Lists};

/// The driver's graphs that handles of graphcap's stand for and that captures may go into which another handle can end:
/// of another context on the GPU for the same stream, or of a wrapped stream.
pub(crate) static OWNED: GraphsByHandle = GraphsByHandle(Mutex::new(BTreeMap::new()));

/// Graphs of the driver's, by their handles.
pub(crate) struct GraphsByHandle(Mutex<BTreeMap<usize, OwnedGraph>, rank::OwnedGraphs>);

struct OwnedGraph {
    graph: Weak<Mutex<GraphState, rank::GraphRoot>>,
    begun: Begin,
}

/// The begin of the capture that goes into a graph, or went into it last.
#[derive(Clone, Copy)]
pub(crate) struct Begin {
    on: BegunOn,
    /// By [`epoch::now`].
    at: u64,
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

impl GraphsByHandle {
    pub(super) fn give_out(&self, graph: api::GraphHandle, state: &GraphState) {
        let unknown = OwnedGraph { graph: state.this.clone(), begun: Begin { on: BegunOn::Unknown, at: 0 } };
        lock(&self.0).entry(graph.number()).or_insert(unknown);
    }

    /// Notes that a capture into `graph` is begun. Gives what was noted before.
    pub(super) fn begin_capture(
        &self,
        graph: api::GraphHandle,
        state: &GraphState,
        begun_on: BegunOn,
    ) -> Option<Begin> {
        let begun = OwnedGraph { graph: state.this.clone(), begun: Begin { on: begun_on, at: epoch::now() } };
        lock(&self.0).insert(graph.number(), begun).map(|before| before.begun)
    }

    /// Takes back that a capture into `graph` is begun, where the begin failed.
    pub(super) fn not_begun(&self, graph: api::GraphHandle, before: Option<Begin>) {
        let mut owned = lock(&self.0);
        match (owned.get_mut(&graph.number()), before) {
            (Some(known), Some(before)) => known.begun = before,
            _ => drop(owned.remove(&graph.number())),
        }
    }

    /// Notes that the capture into `graph` is over. Others may begin one if they know the graph.
    pub(super) fn capture_is_over(&self, graph: api::GraphHandle, others_know: bool) {
        let mut owned = lock(&self.0);
        match owned.get_mut(&graph.number()) {
            Some(known) if others_know => known.begun.on = BegunOn::Unknown,
            _ => drop(owned.remove(&graph.number())),
        }
    }

    pub(super) fn remove(&self, graph: api::GraphHandle) {
        lock(&self.0).remove(&graph.number());
    }

    /// Returns whether a capture into some graph was begun there, after `earlier` if that is known.
    pub(crate) fn has_begun(&self, there: BegunOn, earlier: Option<u64>) -> bool {
        let is_later = |at: u64| earlier.is_none_or(|earlier| at > earlier);
        lock(&self.0).values().any(|owned| owned.begun.on == there && is_later(owned.begun.at))
    }

    /// graphcap's graph of that handle, and where the capture was begun that goes into it.
    pub(crate) fn find(&self, graph: api::GraphHandle) -> Option<(Graph, BegunOn)> {
        let owned = lock(&self.0);
        let OwnedGraph { graph, begun } = owned.get(&graph.number())?;
        Some((Graph { root: graph.upgrade()?, place: None }, begun.on))
    }

    pub(crate) fn is_empty(&self) -> bool {
        lock(&self.0).is_empty()
    }
}

impl GraphState {
    /// Begins a capture into the graph through `begin`. Another handle of the stream can end it at once, and must find
    /// where it was begun.
    pub(crate) fn begin_capture(
        &self,
        begun_on: BegunOn,
        begin: impl FnOnce() -> Result<(), DriverError>,
    ) -> Result<(), DriverError> {
        let Some(native) = self.native else { return begin() };
        let before = OWNED.begin_capture(native, self, begun_on);
        begin().inspect_err(|_| OWNED.not_begun(native, before))
    }

    /// The driver destroys the graph, now or when the capture that goes into it is ended.
    pub(super) fn lose(&mut self) {
        self.native.take().into_iter().for_each(|native| OWNED.remove(native));
        self.kept.drain(..).for_each(deferred::drop_later);
    }

    /// Others have the handle from here on.
    pub(crate) fn give_out(&mut self, api: &Api) -> Result<(), DriverError> {
        if self.given_out {
            return Ok(());
        }
        if let Some(native) = self.native {
            // SAFETY: a state is reached under its graph's lock alone.
            unsafe { list_copy(api, native, &mut self.nodes) }?;
        }
        for inner in self.inner.all() {
            // SAFETY: as above; the graph is within this one.
            unsafe { list_copy(api, inner.native, &mut inner.nodes) }?;
        }
        // What hangs on the driver's graph from here on stays there.
        self.lend(api)?;
        self.native.into_iter().for_each(|native| OWNED.give_out(native, self));
        self.given_out = true;
        self.memory.values().for_each(|(memory, _)| memory.lose_sight());
        Ok(())
    }
}

impl Graph {
    /// Ends a capture into the graph through `end`, and keeps what was `attached` meanwhile. The driver destroys the
    /// graph unless that succeeds. `begun_on` tells where the capture was begun.
    pub(crate) fn end_capture(
        &self,
        api: &Api,
        begun_on: BegunOn,
        end: impl FnOnce() -> Result<api::GraphHandle, DriverError>,
        attached: impl FnOnce() -> OfCapture,
    ) -> Result<api::GraphHandle, DriverError> {
        let mut state = lock(&self.root);
        let ended = end();
        match ended {
            Ok(graph) => {
                state.is_captured = false;
                state.native.into_iter().for_each(|native| OWNED.capture_is_over(native, state.given_out));
                // Others may have ended that capture and begun another one on the stream.
                if state.native == Some(graph) {
                    state.take_over(api, attached());
                }
            }
            // On a fork. The capture is broken now, and whoever began it ends it, which graphcap would not see.
            Err(refusal) if refusal.status == Status::CAPTURE_UNMATCHED && begun_on == BegunOn::Unknown => {
                state.lose();
            }
            Err(refusal) if leaves_capture(refusal.status) => {}
            Err(_) => state.lose(),
        }
        ended
    }

    /// Takes the driver's graph out and has it destroyed by `destroy`. Gives what it kept, and the graphs within.
    pub(crate) fn end<T>(&self, destroy: impl FnOnce(api::GraphHandle) -> T) -> (Lists, Vec<GraphId>) {
        let mut state = lock(&self.root);
        if let Some(native) = state.native.take() {
            // Before the driver gives another graph the same handle.
            OWNED.remove(native);
            destroy(native);
        }
        (std::mem::take(&mut state.kept), state.inner.forget_all())
    }
}

/// Returns whether an end of a capture that answers `status` leaves the capture as it is.
pub(crate) fn leaves_capture(status: Status) -> bool {
    matches!(
        status,
        Status::ILLEGAL_STATE | Status::CAPTURE_UNMATCHED | Status::CAPTURE_IMPLICIT | Status::NOT_PERMITTED
    )
}
