//! The graph of a capture that goes on, as one of graphcap's graphs: from then on the capture is as one that was begun into it.

use super::capture::{broken, of_another_context, NOT_CAPTURED};
use super::capture_state::Capture;
use super::registry::CAPTURES;
use crate::graph::{Graph, NodeTable};
use crate::shared::Shared;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::{CaptureStatus, GraphId, StreamId};

impl Shared {
    /// The graph of the capture that was begun on a stream.
    pub(crate) fn name_captured_graph(&self, stream: StreamId) -> Result<GraphId> {
        let stream = self.stream(stream);
        let _current = self.current_for(stream)?;
        let _goes_on = self.capture_goes_on();
        let named = stream.settled(|| {
            let capture = match self.device.ask_capture(stream.native)? {
                None => return Ok(Err(Error::new(Status::ILLEGAL_STATE, NOT_CAPTURED))),
                Some(Capture { status: CaptureStatus::Active, graph, id }) => (graph, id),
                Some(_) => return Ok(Err(broken())),
            };
            let begun = CAPTURES.begun_on(self.origin_of(stream));
            let into = begun.and_then(|begun| begun.graph);
            if let Some(within) = into.filter(|&id| self.find_graph(id).is_some_and(|known| known.is_within())) {
                return Ok(Ok(within));
            }
            let (native, number) = capture;
            if let Some((owned, _)) = CAPTURES.find_graph(native) {
                return Ok(self.id_of_graph(&owned).ok_or_else(of_another_context));
            }
            if begun.is_none_or(|begun| begun.number != number) {
                return Ok(Err(begun_elsewhere()));
            }
            let graph = Graph::new(native, NodeTable::default());
            graph.with_state(|_, state| state.note_captured());
            let root = graph.root();
            Ok(self.enter_graph(graph).inspect(|&id| CAPTURES.go_into(number, (id, native), root)))
        });
        self.map_error(named)?
    }
}

#[cold]
fn begun_elsewhere() -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        "the capture was not begun on this stream by a gc_ call, so its graph cannot be had as a gc_graph; ask for it on the stream \
         that the capture was begun on, or use the native_graph of gc_stream_capture_info()",
    )
}
