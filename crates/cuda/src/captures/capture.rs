//! Captures as the driver has them: begun, asked about, changed, ended, lent to others.

use std::ffi::c_uint;

use super::capture_end::{EndedGraph, OF_ANOTHER_HANDLE};
use super::capture_state::Capture;
use super::ends::{CaptureEnd, CAPTURE_END_LOCK};
use super::gate;
use super::registry::{BegunCapture, CaptureNames, CaptureOrigin, CAPTURES};
use crate::api::driver_thread::on_driver_thread;
use crate::api::log;
use crate::api::{self, DriverError};
use crate::context::CudaContext;
use crate::deferred;
use crate::graph::{self, Graph, NodeTable};
use crate::memory;
use crate::retention::{Attached, OfCapture};
use crate::shared::Shared;
use crate::streams::stream::{Origin, Stream};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, RwLockReadGuard};
use graphcap_base::thread::this_thread;
use graphcap_driver::ids::{lost_graph, no_such, not_of_graph};
use graphcap_driver::rules::{self, CaptureMode};
use graphcap_driver::thread_end::{end_with_this_thread, EndsWithThread};
use graphcap_driver::{
    callbacks, CaptureInfo, CaptureProgress, CaptureStatus, Captures, DependencyUpdate, GraphId, Lists, NodeId,
    Retained, StreamId, Work,
};

pub(crate) const NOT_CAPTURED: &str = "the stream is not being captured; begin a capture first";

impl Captures for CudaContext {
    fn begin_capture(&self, stream: StreamId, mode: CaptureMode) -> Result<u64> {
        callbacks::check_caller()?;
        deferred::drop_left();
        let id = stream;
        let stream = self.stream(id);
        let _current = self.current_for(stream)?;
        let _begins = memory::may_begin();
        let begun = stream.settled(|| {
            let entering = stream.entering();
            // SAFETY: the stream lives; the modes have the driver's numbers.
            unsafe { self.api().cuStreamBeginCapture_v2(stream.native, mode as c_uint) }?;
            entering.has_entered(true);
            Ok(self.note_begun(stream, BegunCapture::now(self.origin_of(stream), None), None, None).0)
        });
        self.map_error(begun).map_err(|error| begin_refused(id, error, "the stream is being captured already"))
    }

    fn begin_capture_to_graph(
        &self,
        id: StreamId,
        graph: GraphId,
        dependencies: &[NodeId],
        mode: CaptureMode,
        kept: &[Retained],
    ) -> Result<u64> {
        callbacks::check_caller()?;
        deferred::drop_left();
        let stream = self.stream(id);
        let _current = self.current_for(stream)?;
        let _begins = memory::may_begin();
        let known = self.find_graph(graph).ok_or_else(|| no_such("graph"))?;
        if known.is_within() {
            return self.begin_capture_within(id, (graph, &known), dependencies, mode);
        }
        // In this order: an end holds the stream's lock when it takes the graph's.
        let begun = stream.settled(|| {
            known.with_state(|native, state| {
                // Nodes that others removed lose their names before the capture adds nodes, which may get their handles.
                let is_given_out = state.is_given_out();
                // SAFETY: the graph's lock is held.
                let found =
                    unsafe { graph::find_nodes(self.api(), native, state.nodes(), is_given_out, dependencies) }?;
                let handles = match found {
                    Ok(handles) => handles,
                    Err(stranger) => return Ok(Err(not_of_graph(stranger))),
                };
                self.remember_state(state, native);
                let is_lent = stream.is_shared() && !state.given_out;
                let lent = if is_lent { state.lend(self.api(), kept)? } else { OfCapture::new() };
                let (nodes, data) = (handles.as_ptr(), std::ptr::null());
                let begun = BegunCapture::now(self.origin_of(stream), Some(graph));
                let entering = stream.entering();
                CAPTURES.expect(begun, native, state);
                let (count, mode) = (handles.len(), mode as c_uint);
                // SAFETY: stream and graph live, and core keeps the graph until the capture is over; the nodes are of the
                // graph, and as many as are told; the modes have the driver's numbers.
                let answer =
                    unsafe { self.api().cuStreamBeginCaptureToGraph(stream.native, native, nodes, data, count, mode) };
                if let Err(refusal) = answer {
                    drop(entering);
                    CAPTURES.not_begun(begun, native);
                    state.take_off(self.api(), lent, &mut Lists::new());
                    return Err(refusal);
                }
                entering.has_entered(true);
                state.note_captured();
                let (number, was_ended) =
                    self.note_begun(stream, begun, Some(native), Some(CaptureNames::Graph(known.root())));
                if was_ended {
                    // What was attached for an earlier capture into the graph, which has the same number, was not taken off: others
                    // ended that one and have the graph. Where this is refused, their execs keep what hangs on the graph by now.
                    let _ = state.give_out(self.api(), &[]);
                }
                if !lent.is_empty() {
                    CAPTURES.attach(number, lent);
                }
                Ok(Ok(number))
            })
        });
        self.map_error(begun.ok_or_else(lost_graph)?).map_err(|error| {
            begin_refused(id, error, "the stream is being captured already, or another capture goes into the graph")
        })?
    }

    fn end_capture_with(&self, stream: StreamId, held: &mut Lists) -> Result<GraphId> {
        callbacks::check_caller()?;
        let stream = self.stream(stream);
        let _current = self.current_for(stream)?;
        let ends = self.capture_ends();
        let ended = stream.settled(|| self.end_native_capture(stream, held));
        drop(ends);
        self.look_at_memory(false);
        if ended.as_ref().is_err_and(|refusal| *refusal == OF_ANOTHER_HANDLE) {
            return Err(Error::new(
                Status::CAPTURE_UNMATCHED,
                "the capture goes into a graph and was begun by another handle of the stream; end it by that one",
            ));
        }
        let ended = self.map_error_with(ended, Status::ILLEGAL_STATE, NOT_CAPTURED)?;
        let native = match ended.graph {
            EndedGraph::New(native) => native,
            EndedGraph::Known(id) => return Ok(id),
            EndedGraph::Staged(id, within, native) => {
                return self.take_from_stage(&within, native, &ended.nodes).map(|()| id);
            }
            EndedGraph::OfAnotherContext => return Err(of_another_context()),
        };
        let graph = match ended.is_without_attributes {
            true => Graph::new(native, ended.nodes).without_attributes(),
            false => Graph::new(native, ended.nodes),
        };
        graph.take_off(self.api(), ended.attached, held);
        self.enter_graph(graph)
    }

    #[inline]
    fn capture_info(&self, stream: StreamId) -> Result<CaptureInfo> {
        callbacks::check_caller()?;
        let stream = self.stream(stream);
        let _current = self.current_for(stream)?;
        self.map_error(stream.note_asked(|| self.device.ask_capture_info(stream.native)))
    }

    #[inline]
    fn capture_now(&self, stream: StreamId) -> Option<CaptureInfo> {
        let known = self.stream(stream);
        if known.origin == Origin::Special {
            return self.capture_info(stream).ok();
        }
        callbacks::check_caller().ok()?;
        known.note_asked(|| self.device.ask_capture_info(known.native)).ok()
    }

    fn capture_progress(&self, stream: StreamId) -> Result<(CaptureInfo, Option<CaptureProgress>)> {
        callbacks::check_caller()?;
        let stream = self.stream(stream);
        let _current = self.current_for(stream)?;
        let _goes_on = self.capture_goes_on();
        let asked = stream.settled(|| {
            Ok(match self.device.ask_frontier(stream.native)? {
                None => (CaptureInfo { status: CaptureStatus::None, id: 0 }, None),
                Some((capture, frontier)) => {
                    let progress = (capture.status == CaptureStatus::Active)
                        .then(|| self.progress(&capture, &frontier))
                        .transpose()?;
                    (CaptureInfo { status: capture.status, id: capture.id }, progress)
                }
            })
        });
        self.map_error(asked)
    }

    fn capture_frontier(&self, stream: StreamId) -> Result<Vec<NodeId>> {
        callbacks::check_caller()?;
        let stream = self.stream(stream);
        let _current = self.current_for(stream)?;
        let _goes_on = self.capture_goes_on();
        let asked = stream.settled(|| {
            // Names take no more than the frontier: nodes and edges are not counted.
            let asked = self.device.ask_frontier(stream.native)?;
            Ok(asked.map_or_else(Vec::new, |(capture, frontier)| names_of(&capture, &frontier)))
        });
        self.map_error(asked)
    }

    fn capture_graph(&self, stream: StreamId) -> Result<GraphId> {
        callbacks::check_caller()?;
        self.name_captured_graph(stream)
    }

    fn update_capture_dependencies(&self, stream: StreamId, nodes: &[NodeId], update: DependencyUpdate) -> Result<()> {
        callbacks::check_caller()?;
        // SAFETY: the stream lives; the nodes are of the graph, and as many as are told.
        self.update_dependencies(stream, nodes, |stream, first, count| unsafe {
            self.api().cuStreamUpdateCaptureDependencies(stream, first, count, update as c_uint)
        })
    }

    fn capture_put(&self, stream: StreamId, graph: GraphId, work: &Work<'_>) -> Result<NodeId> {
        callbacks::check_caller()?;
        self.put_into_capture(stream, graph, work)
    }

    fn capture_retain(&self, stream: StreamId, retained: Retained) -> Result<()> {
        callbacks::check_caller()?;
        let stream = self.stream(stream);
        let _current = self.current_for(stream)?;
        let _goes_on = self.capture_goes_on();
        let attached = stream.settled(|| match self.device.ask_capture(stream.native)? {
            Some(Capture { status: CaptureStatus::Active, graph, id }) => {
                let alone = gate::write();
                // SAFETY: the graph lives while it is captured into.
                let attached = unsafe { Attached::to(self.api(), graph, retained) }?;
                drop(alone);
                CAPTURES.attach(id, [attached]);
                Ok(true)
            }
            _ => Ok(false),
        });
        match self.map_error(attached)? {
            true => Ok(()),
            false => Err(Error::new(Status::ILLEGAL_STATE, "the stream is not being captured")),
        }
    }

    fn log_position(&self) -> Option<u32> {
        (!on_driver_thread()).then(|| log::position(self.api())).flatten()
    }

    fn log_since(&self, position: u32) -> Option<String> {
        (!on_driver_thread()).then(|| log::since(self.api(), position)).flatten()
    }
}

impl CudaContext {
    /// Begins a capture that is to go into a graph within a node.
    fn begin_capture_within(
        &self,
        id: StreamId,
        (graph, known): (GraphId, &Graph),
        dependencies: &[NodeId],
        mode: CaptureMode,
    ) -> Result<u64> {
        let stream = self.stream(id);
        stream.settled(|| {
            let stage = self.made(self.lock_graph(known, |known| known.stage(dependencies)))?;
            let entering = stream.entering();
            if let Err(refusal) = self.begin_on_stage(stream.native, &stage, mode) {
                drop(entering);
                known.capture_is_over();
                return Err(begin_refused(id, self.error(refusal), "the stream is being captured already"));
            }
            entering.has_entered(true);
            let begun = BegunCapture::now(self.origin_of(stream), Some(graph));
            Ok(self.note_begun(stream, begun, None, Some(CaptureNames::of(stage.table))).0)
        })
    }
}

impl Shared {
    /// Says through `call` what the stream's next node depends on: it is given as many nodes as it is told.
    pub(crate) fn update_dependencies(
        &self,
        stream: StreamId,
        nodes: &[NodeId],
        call: impl FnOnce(api::StreamHandle, *mut api::Node, usize) -> Result<(), DriverError>,
    ) -> Result<()> {
        let stream = self.stream(stream);
        let _current = self.current_for(stream)?;
        let _goes_on = self.capture_goes_on();
        let updated = stream.settled(|| {
            let capture = self.device.ask_capture(stream.native)?;
            let graph = capture.as_ref().filter(|capture| capture.status == CaptureStatus::Active);
            let mut handles = match graph {
                Some(capture) => {
                    let found = CAPTURES.with_names(capture.id, |table| {
                        // SAFETY: the graph lives while it is captured into.
                        unsafe { graph::find_nodes(self.api(), capture.graph, table, stream.is_shared(), nodes) }
                    });
                    match found? {
                        Ok(handles) => handles,
                        Err(stranger) => return Ok(Err(not_of_graph(stranger))),
                    }
                }
                // The driver says what is wrong, before it looks at nodes.
                None => graph::Nodes::new(),
            };
            let (first, count) = (handles.as_mut_ptr(), handles.len());
            let alone = gate::write();
            call(stream.native, first, count)?;
            drop(alone);
            Ok(if graph.is_some() { Ok(()) } else { Err(broken()) })
        });
        self.map_error_with(updated, Status::ILLEGAL_STATE, NOT_CAPTURED)?
    }

    /// Returns how far a capture is whose stream has that frontier.
    fn progress(&self, capture: &Capture, frontier: &[api::Node]) -> Result<CaptureProgress, DriverError> {
        let (api, graph) = (self.api(), capture.graph);
        let alone = gate::write();
        // SAFETY: the graph lives while it is captured into.
        let (nodes, edges) = unsafe { (graph::node_count(api, graph)?, graph::edge_count(api, graph)?) };
        drop(alone);
        Ok(CaptureProgress { nodes, edges, frontier: names_of(capture, frontier), native: graph.number() })
    }

    /// Makes `call` with the graph that a stream is being captured into, the names of its nodes, and whether others may
    /// have changed it.
    pub(crate) fn with_captured_nodes<T>(
        &self,
        stream: StreamId,
        call: impl FnOnce(api::GraphHandle, &mut NodeTable, bool) -> Result<Result<T>, DriverError>,
    ) -> Result<T> {
        let stream = self.stream(stream);
        let _current = self.current_for(stream)?;
        let _goes_on = self.capture_goes_on();
        let called = stream.settled(|| {
            Ok(match self.device.ask_capture(stream.native)? {
                None => Err(Error::new(Status::ILLEGAL_STATE, NOT_CAPTURED)),
                Some(Capture { status: CaptureStatus::Active, graph, id }) => CAPTURES.with_names(id, |table| {
                    let _alone = gate::write();
                    call(graph, table, stream.is_shared())
                })?,
                Some(_) => Err(broken()),
            })
        });
        self.map_error(called)?
    }

    /// Notes the capture that this thread has just begun on `stream`, into `graph` if that was there before. Returns its number, 0,
    /// which none has, where the driver does not tell; and what [`CaptureRegistry::begun`](super::registry::CaptureRegistry) does.
    fn note_begun(
        &self,
        stream: &Stream,
        begun: BegunCapture,
        graph: Option<api::GraphHandle>,
        names: Option<CaptureNames>,
    ) -> (u64, bool) {
        if stream.origin == Origin::Special {
            end_with_this_thread(self.life.this.clone());
        }
        let number = self.device.capture(stream.native).flatten().map_or(0, |capture| capture.id);
        (number, CAPTURES.begun(begun.of(number), graph, names))
    }

    /// Returns where a capture is begun that this thread begins on `stream`.
    pub(crate) fn origin_of(&self, stream: &Stream) -> CaptureOrigin {
        let native = match stream.origin {
            Origin::Special => (self.device.context.number(), this_thread().0),
            Origin::Made | Origin::Wrapped => (stream.native.number(), 0),
        };
        CaptureOrigin { handle: stream.place(), stream: native }
    }

    /// Returns the graph that the capture goes into which was begun on `stream` through graphcap.
    pub(crate) fn target_of(&self, stream: &Stream) -> Option<GraphId> {
        CAPTURES.begun_on(self.origin_of(stream)).and_then(|begun| begun.graph)
    }

    /// Lets no capture end, which may be the end of its graph, while something is done to the graph that a stream of this
    /// context is captured into.
    pub(crate) fn capture_goes_on(&self) -> RwLockReadGuard<'static, ()> {
        CAPTURE_END_LOCK.none(self.number)
    }

    /// Lets nobody use the graph of a capture of this context, which is about to end. Streams of other contexts may be in it.
    pub(crate) fn capture_ends(&self) -> CaptureEnd<'static> {
        CAPTURE_END_LOCK.one(self.number)
    }

    /// The handle of a stream, for others. From here on they may end its captures, and get the graphs.
    pub(crate) fn stream_native(&self, id: StreamId) -> Result<usize> {
        // A host function may hold up calls that hold what is locked here.
        callbacks::check_caller()?;
        let stream = self.stream(id);
        if !stream.is_shared() {
            let _goes_on = self.capture_goes_on();
            stream.settled(|| stream.share());
        }
        Ok(stream.native.number())
    }
}

/// Returns the names of nodes of a capture.
fn names_of(capture: &Capture, nodes: &[api::Node]) -> Vec<NodeId> {
    CAPTURES.with_names(capture.id, |table| nodes.iter().map(|&node| table.name(node)).collect())
}

impl EndsWithThread for Shared {
    /// Ends what the thread captures on its per-thread stream: a driver (580) was seen to crash in the end of a thread whose per-thread
    /// stream was captured and had been joined by another stream.
    fn thread_ends(&self) {
        // Held, so that the context is not given back meanwhile.
        let is_open = lock(&self.life.open);
        let origin = self.origin_of(&self.per_thread);
        if *is_open && CAPTURES.begun_on(origin).is_some() {
            if let Ok(_current) = self.device.enter() {
                self.discard_capture(&self.per_thread);
            }
            // Also where others ended it, or the context has faulted: no other thread gets the number.
            CAPTURES.end_begun(|of| of == origin);
        }
    }
}

#[cold]
pub(crate) fn broken() -> Error {
    Error::new(
        Status::CAPTURE_INVALIDATED,
        "an earlier call broke the capture; end it on the stream that began it and record again",
    )
}

#[cold]
pub(crate) fn of_another_context() -> Error {
    Error::new(
        Status::INVALID_CONTEXT,
        "the capture is over, and went into a graph of another context, which has what was recorded; use the handle of that \
         graph",
    )
}

/// Returns what the driver's refusal to begin a capture on stream `id` means.
#[cold]
fn begin_refused(id: StreamId, error: Error, busy: &str) -> Error {
    let (status, meaning) = match id {
        StreamId::LEGACY => {
            (rules::BARRED, "the legacy stream cannot be captured; capture a stream of your own or the per-thread one")
        }
        _ => (Status::ILLEGAL_STATE, busy),
    };
    let remedy = if id == StreamId::LEGACY { "" } else { "; end that capture first" };
    match error.status == status {
        true => Error::new(status, format!("{meaning}{remedy}; {}", error.message)),
        false => error,
    }
}
