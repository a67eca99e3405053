//! The ends of captures: what graph an end gave, and what graphcap knew of the capture goes.

use crate::api::{self, DriverError, Handle};
use crate::captures::gate;
use crate::captures::registry::CAPTURES;
use crate::deferred;
use crate::graph::{self, Graph, NodeTable};
use crate::retention::OfCapture;
use crate::shared::Shared;
use crate::streams::stream::Stream;
use graphcap_base::error::Status;
use graphcap_driver::{CaptureStatus, GraphId, Lists};

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
    /// Lists that hang on the graph, which are to be taken over.
    pub(crate) attached: OfCapture,
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
        let ends = self.capture_ends();
        let mut held = Lists::new();
        let graph = stream.settled(|| {
            let begun = CAPTURES.begun_on(self.origin_of(stream));
            let capture = self.device.capture(stream.native).flatten();
            if !capture.zip(begun).is_some_and(|(capture, begun)| begun.may_be(capture.id)) {
                return Handle::NULL;
            }
            // On a thread that may not end it the capture is gone as well.
            self.end_native_capture(stream, &mut held).map_or(Handle::NULL, |ended| match ended.graph {
                EndedGraph::New(native) => native,
                EndedGraph::Staged(_, within, native) => {
                    within.capture_is_over();
                    native
                }
                EndedGraph::Known(_) | EndedGraph::OfAnotherContext => Handle::NULL,
            })
        });
        if !graph.is_null() {
            self.leave_stage(graph);
        }
        drop(ends);
        // Core keeps them for a graph that it knows.
        held.into_iter().for_each(deferred::drop_later);
    }

    /// Ends the capture of a stream. Takes off what its graph held for it, into `held`.
    pub(crate) fn end_native_capture(&self, stream: &Stream, held: &mut Lists) -> Result<Ended, DriverError> {
        let here = self.origin_of(stream);
        let begun = CAPTURES.begun_on(here);
        let into = begun.and_then(|begun| begun.graph);
        let known = into.and_then(|id| self.find_graph(id).map(|known| (id, known)));
        let (within, known) = match known {
            Some(known) if known.1.is_within() => (Some(known), None),
            known => (None, known.map(|(_, known)| known)),
        };
        // Afterwards nobody knows.
        let capture = match CAPTURES.is_plain() {
            true => None,
            false => self.device.capture(stream.native).flatten(),
        };
        let is_without_attributes =
            !stream.gives_attributes() && begun.is_some_and(|begun| begun.is_without_attributes());
        let is_broken = capture.as_ref().is_some_and(|capture| capture.status == CaptureStatus::Invalidated);
        let (target, is_begun_here) = match capture.as_ref().and_then(|capture| CAPTURES.find_graph(capture.graph)) {
            // It is for the handle to end it that began it.
            Some((_, Some(origin))) if origin.stream == here.stream && origin != here => return Err(OF_ANOTHER_HANDLE),
            Some((owned, origin)) => (Some(owned), origin.is_some()),
            // The driver does not tell the graph of a broken capture, which goes with it.
            None if is_broken && CAPTURES.has_begun(here, begun) => return Err(OF_ANOTHER_HANDLE),
            None => (known, true),
        };
        let number = capture.map(|capture| capture.id);
        let mut nodes = NodeTable::default();
        let mut end = |into| {
            let mut graph = Handle::NULL;
            let alone = gate::write();
            // SAFETY: the stream lives; `graph` is writable.
            let ended = unsafe { self.api().cuStreamEndCapture(stream.native, &mut graph) };
            gate::note_end();
            drop(alone);
            ended?;
            let (attached, names) = CAPTURES.end(here, number, into);
            nodes = names;
            Ok((graph, attached))
        };
        let ended = match &target {
            Some(target) => {
                // Core does not get to know a graph of another context here.
                let held = Some(held).filter(|_| self.id_of_graph(target).is_some());
                target.end_capture(self.api(), is_begun_here, &mut end, held)
            }
            None => end(None),
        };
        let (graph, attached) = ended.inspect_err(|refusal| {
            if !graph::leaves_capture(refusal.status) {
                // The driver calls a broken capture 0.
                CAPTURES.end(here, begun.map(|begun| begun.number), None);
                within.iter().for_each(|(_, within)| within.capture_is_over());
            }
        })?;
        stream.apart().has_left();
        if let Some((id, within)) = within {
            // What streams of others that joined had the driver hold goes with its graph; core has the graph within keep it.
            let graph = EndedGraph::Staged(id, within, graph);
            return Ok(Ended { graph, attached: OfCapture::new(), nodes, is_without_attributes });
        }
        // The driver gives a graph of graphcap's again, also where others began the capture. It has an owner already.
        let target = target.filter(|target| target.with(|native| native == graph) == Some(true));
        let graph = match target.or_else(|| CAPTURES.find_graph(graph).map(|(owned, _)| owned)) {
            None => EndedGraph::New(graph),
            Some(owned) => self.id_of_graph(&owned).map_or(EndedGraph::OfAnotherContext, EndedGraph::Known),
        };
        Ok(Ended { graph, attached, nodes, is_without_attributes })
    }
}
