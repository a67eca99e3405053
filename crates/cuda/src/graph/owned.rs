//! Graphs that others get, that captures into them end, or that end.

use super::listing::list_copy;
use super::state::{Graph, GraphState};
use crate::api::{self, Api, DriverError, GraphHandle};
use crate::captures::registry::CAPTURES;
use crate::retention::OfCapture;
use graphcap_base::error::Status;
use graphcap_base::lock::lock;
use graphcap_driver::{GraphId, Lists, Retained};

impl GraphState {
    /// The driver destroys the graph, now or when the capture that goes into it is ended.
    pub(super) fn lose(&mut self) {
        self.native.take().into_iter().for_each(|native| _ = CAPTURES.end_graph(native));
    }

    /// Others have the handle from here on, unless this fails. The driver holds `lists` for the graph, all of them or none.
    pub(crate) fn give_out(&mut self, api: &Api, lists: &[Retained]) -> Result<(), DriverError> {
        let _alone = self.alone();
        if self.given_out {
            return self.lend(api, lists).map(drop);
        }
        if let Some(native) = self.native {
            // SAFETY: a state is reached under its graph's lock alone.
            unsafe { list_copy(api, native, &mut self.nodes) }?;
        }
        for inner in self.inner.all() {
            // SAFETY: as above; the graph is within this one.
            unsafe { list_copy(api, inner.native, &mut inner.nodes) }?;
        }
        // Held from then on, until the graph is gone.
        self.lend(api, lists)?;
        self.given_out = true;
        self.native.into_iter().for_each(|native| CAPTURES.know_graph(native, self));
        self.memory.values().for_each(|(memory, _)| memory.lose_sight());
        Ok(())
    }
}

impl Graph {
    /// Ends a capture into the graph through `end`, which is told the driver's graph, and takes off what was attached meanwhile, into `held`
    /// if that is there. The driver destroys the graph unless that succeeds. `is_begun_here` tells whether the capture was begun through
    /// graphcap.
    pub(crate) fn end_capture(
        &self,
        api: &Api,
        is_begun_here: bool,
        end: impl FnOnce(Option<GraphHandle>) -> Result<(GraphHandle, OfCapture), DriverError>,
        held: Option<&mut Lists>,
    ) -> Result<(GraphHandle, OfCapture), DriverError> {
        let mut state = lock(&self.root);
        let mut ended = end(state.native);
        match &mut ended {
            Ok((graph, attached)) => {
                state.is_captured = false;
                // Others may have ended that capture and begun another one on the stream.
                if let Some(held) = held.filter(|_| state.native == Some(*graph)) {
                    state.take_off(api, std::mem::take(attached), held);
                }
            }
            // On a fork. The capture is broken now, and whoever began it ends it, which graphcap would not see.
            Err(refusal) if refusal.status == Status::CAPTURE_UNMATCHED && !is_begun_here => {
                state.lose();
            }
            Err(refusal) if leaves_capture(refusal.status) => {}
            Err(_) => state.lose(),
        }
        ended
    }

    /// Takes the driver's graph out and has it destroyed by `destroy`, unless it is someone else's. Gives the graphs within.
    pub(crate) fn end<T>(&self, destroy: impl FnOnce(api::GraphHandle) -> T) -> Vec<GraphId> {
        let mut state = lock(&self.root);
        if let Some(native) = state.native.take() {
            // Before the driver gives another graph the same handle.
            if !CAPTURES.end_graph(native) {
                destroy(native);
            }
        }
        state.inner.forget_all()
    }
}

/// Returns whether an end of a capture that answers `status` leaves the capture as it is.
pub(crate) fn leaves_capture(status: Status) -> bool {
    matches!(
        status,
        Status::ILLEGAL_STATE | Status::CAPTURE_UNMATCHED | Status::CAPTURE_IMPLICIT | Status::NOT_PERMITTED
    )
}
