//! The ends of captures: what graph an end gave, and what graphcap knew of the capture goes.

use crate::api::{self, DriverError, Handle};
use crate::captures::gate;
use crate::graph::{self, Graph, NodeTable, CAPTURED_NODES};
use crate::retention::{OfCapture, ATTACHED};
use crate::shared::Shared;
use crate::streams::stream::{Begun, Stream};
use graphcap_base::error::Status;
use graphcap_base::thread::this_thread;
use graphcap_driver::{CaptureStatus, GraphId};

/// The graph that the end of a capture gave.
pub(crate) enum EndedGraph {
    New(api::GraphHandle),
    /// One that was there before.
    Known(GraphId),
    /// One whose nodes are to be put into that graph, which is within a node.
    Staged(GraphId, Graph, api::GraphHandle),
    OfAnotherContext,
}

/// A capture that was ended.
pub(crate) struct Ended {
    pub(crate) graph: EndedGraph,
    /// The driver's number of the capture, where lists may hang on the graph that are to be taken over.
    pub(crate) number: Option<u64>,
    /// The names that its nodes have, unless it was there before.
    pub(crate) nodes: NodeTable,
    /// Tells whether no kernel in it has launch attributes.
    pub(crate) is_without_attributes: bool,
}

/// The answer to the end of a capture into a graph by a handle that did not begin it. The driver is not asked.
pub(crate) const OF_ANOTHER_HANDLE: DriverError =
    DriverError { function: "cuStreamEndCapture, had it been called,", status: Status::CAPTURE_UNMATCHED, since: None };

impl Shared {
    /// Ends the capture that was begun on the stream through graphcap, and drops what it recorded.
    pub(crate) fn discard_capture(&self, stream: &Stream) {
        let _ends = self.capture_ends();
        let graph = stream.in_transition(|begun| {
            match self.device.capture(stream.native) {
                Some(Some(capture)) if begun.has(this_thread(), capture.id) => {}
                _ => return Handle::NULL,
            }
            // On a thread that may not end it the capture is gone as well.
            self.end_native_capture(stream, begun).map_or(Handle::NULL, |ended| match ended.graph {
                EndedGraph::New(native) => native,
                EndedGraph::Staged(_, within, native) => {
                    within.capture_is_over();
                    native
                }
                EndedGraph::Known(_) | EndedGraph::OfAnotherContext => Handle::NULL,
            })
        });
        if !graph.is_null() {
            let _alone = graph::related();
            // SAFETY: the graph was just made and nobody else knows it.
            let _ = unsafe { self.api().cuGraphDestroy(graph) };
        }
    }

    /// Ends the capture of a stream.
    pub(crate) fn end_native_capture(&self, stream: &Stream, begun: &mut Begun) -> Result<Ended, DriverError> {
        let into = begun.target(this_thread());
        let known = into.and_then(|id| self.find_graph(id).map(|known| (id, known)));
        let (within, known) = match known {
            Some((id, known)) if known.is_within() => (Some((id, known)), None),
            known => (None, known.map(|(_, known)| known)),
        };
        // Afterwards nobody knows.
        let capture = match ATTACHED.is_empty() && CAPTURED_NODES.is_empty() && graph::OWNED.is_empty() {
            true => None,
            false => self.device.capture(stream.native).flatten(),
        };
        let is_without_attributes = !stream.gives_attributes() && begun.is_without_attributes(this_thread());
        let here = self.begun_on(stream);
        let is_broken = capture.as_ref().is_some_and(|capture| capture.status == CaptureStatus::Invalidated);
        let (target, begun_on) = match capture.as_ref().and_then(|capture| graph::OWNED.find(capture.graph)) {
            Some((owned, begun_on)) => {
                let is_known = known.as_ref().is_some_and(|known| known.is(&owned));
                if !is_known && begun_on == here {
                    // It is for that handle to end it.
                    return Err(OF_ANOTHER_HANDLE);
                }
                (Some(owned), begun_on)
            }
            // The driver does not tell the graph of a broken capture, which goes with it.
            None if is_broken && graph::OWNED.has_begun(here, begun.at(this_thread())) => {
                return Err(OF_ANOTHER_HANDLE);
            }
            None => (known, here),
        };
        let number = capture.map(|capture| capture.id);
        let end = || {
            let mut graph = Handle::NULL;
            let _alone = gate::write();
            // SAFETY: the stream lives; `graph` is writable.
            let ended = unsafe { self.api().cuStreamEndCapture(stream.native, &mut graph) };
            gate::note_end();
            ended.map(|()| graph)
        };
        let attached = || number.map_or_else(OfCapture::new, |number| ATTACHED.take(number));
        let graph = match &target {
            Some(target) => target.end_capture(self.api(), begun_on, end, attached),
            None => end(),
        }
        .inspect_err(|refusal| {
            if !graph::leaves_capture(refusal.status) {
                // The driver calls a broken capture 0.
                begun.number(this_thread()).into_iter().for_each(|number| drop(CAPTURED_NODES.take(number)));
                begun.end(this_thread());
                within.iter().for_each(|(_, within)| within.capture_is_over());
            }
        })?;
        begun.end(this_thread());
        stream.apart().has_left();
        let nodes = number.map_or_else(NodeTable::default, |number| CAPTURED_NODES.take(number));
        if let Some((id, within)) = within {
            // What streams of others that joined had the driver hold goes with its graph; core has the graph within keep it.
            drop(attached());
            return Ok(Ended { graph: EndedGraph::Staged(id, within, graph), number, nodes, is_without_attributes });
        }
        // The driver gives a graph of graphcap's again, also where others began the capture. It has an owner already.
        let target = target.filter(|target| target.with(|native| native == graph) == Some(true));
        let graph = match target.or_else(|| graph::OWNED.find(graph).map(|(owned, _)| owned)) {
            None => EndedGraph::New(graph),
            Some(owned) => self.id_of_graph(&owned).map_or(EndedGraph::OfAnotherContext, EndedGraph::Known),
        };
        Ok(Ended { graph, number, nodes, is_without_attributes })
    }
}
