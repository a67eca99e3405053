//! Captures as the driver has them: begun, asked about, changed, ended.

use std::ffi::c_uint;
use std::sync::{Arc, RwLockReadGuard};

use super::api::{self, Handle, Refusal};
use super::context::CudaContext;
use super::ends::{Ending, ENDS};
use super::graph::{self, BegunOn, Graph, NodeTable, CAPTURED_NODES};
use super::retention::{Attached, OfCapture, ATTACHED};
use super::shared::{Device, Shared};
use super::stream::{Begun, Origin, Stream};
use super::{garbage, log, memory, own_captures};
use crate::driver::ids::{lost_graph, no_such, not_of_graph};
use crate::driver::{
    callbacks, CaptureInfo, CaptureProgress, CaptureStatus, Captures, DependencyUpdate, GraphId, NodeId, Retained,
    StreamId,
};
use crate::error::{Error, Result, Status};
use crate::rules::{self, CaptureMode};
use crate::thread::this_thread;

/// A capture that a stream is in.
pub(super) struct Capture {
    pub(super) status: CaptureStatus,
    pub(super) id: u64,
    pub(super) graph: api::Graph,
}

pub(super) const NOT_CAPTURED: &str = "the stream is not being captured; begin a capture first";

/// The answer to the end of a capture into a graph by a handle that did not begin it. The driver is not asked.
const OF_ANOTHER_HANDLE: Refusal =
    Refusal { function: "cuStreamEndCapture, had it been called,", status: Status::CAPTURE_UNMATCHED, since: None };

impl Device {
    /// The capture that a stream is in, if any.
    #[inline]
    pub(super) fn ask_capture(&self, stream: api::Stream) -> Result<Option<Capture>, Refusal> {
        let (mut status, mut id, mut graph): (c_uint, u64, _) = (0, 0, Handle::NULL);
        let (nodes, count) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the stream lives; the outputs are writable, and what is null is left out.
        let asked =
            unsafe { self.api.cuStreamGetCaptureInfo_v2(stream, &mut status, &mut id, &mut graph, nodes, count) };
        if asked.is_err_and(is_lossy) {
            return Ok(self.ask_frontier(stream)?.map(|(capture, _)| capture));
        }
        asked?;
        Ok(match status {
            0 => None,
            1 => Some(Capture { status: CaptureStatus::Active, id, graph }),
            _ => Some(Capture { status: CaptureStatus::Invalidated, id, graph }),
        })
    }

    /// As [`Device::ask_capture`], without the graph.
    #[inline]
    fn ask_capture_info(&self, stream: api::Stream) -> Result<CaptureInfo, Refusal> {
        let (mut status, mut id): (c_uint, u64) = (0, 0);
        let (graph, nodes, count) = (std::ptr::null_mut(), std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the stream lives; the outputs are writable, and what is null is left out.
        let asked = unsafe { self.api.cuStreamGetCaptureInfo_v2(stream, &mut status, &mut id, graph, nodes, count) };
        if asked.is_err_and(is_lossy) {
            let none = CaptureInfo { status: CaptureStatus::None, id: 0 };
            return Ok(self
                .ask_frontier(stream)?
                .map_or(none, |(Capture { status, id, .. }, _)| CaptureInfo { status, id }));
        }
        asked?;
        Ok(match status {
            0 => CaptureInfo { status: CaptureStatus::None, id: 0 },
            1 => CaptureInfo { status: CaptureStatus::Active, id },
            _ => CaptureInfo { status: CaptureStatus::Invalidated, id },
        })
    }

    /// The stream's capture, with the nodes that the stream's next node will depend on while the capture is active.
    fn ask_frontier(&self, stream: api::Stream) -> Result<Option<(Capture, Vec<api::Node>)>, Refusal> {
        let (mut status, mut id, mut graph): (c_uint, u64, _) = (0, 0, Handle::NULL);
        let (mut nodes, mut data, mut count) = (std::ptr::null(), std::ptr::null(), 0);
        let (api, places) = (self.api, (&mut status, &mut id, &mut graph, &mut nodes, &mut count));
        // SAFETY: the stream lives; the outputs are writable.
        let mut asked = unsafe {
            api.cuStreamGetCaptureInfo_v3(stream, places.0, places.1, places.2, places.3, &mut data, places.4)
        };
        if asked.is_err_and(|refusal| refusal.since.is_some()) {
            // A driver without it has no edges that carry data, which the older function refuses.
            // SAFETY: as above.
            asked = unsafe { api.cuStreamGetCaptureInfo_v2(stream, places.0, places.1, places.2, places.3, places.4) };
        }
        asked?;
        Ok(match status {
            0 => None,
            1 if count > 0 => {
                // SAFETY: the driver gave as many nodes, which stay where they are until the stream records again.
                let frontier = unsafe { std::slice::from_raw_parts(nodes, count) }.to_vec();
                Some((Capture { status: CaptureStatus::Active, id, graph }, frontier))
            }
            1 => Some((Capture { status: CaptureStatus::Active, id, graph }, Vec::new())),
            _ => Some((Capture { status: CaptureStatus::Invalidated, id, graph }, Vec::new())),
        })
    }

    /// The stream's capture, if it is in one; `None` when the driver does not tell.
    pub(super) fn capture(&self, stream: api::Stream) -> Option<Option<Capture>> {
        // Asked twice: what is not known now may never be given back.
        self.ask_capture(stream).or_else(|_| self.ask_capture(stream)).ok()
    }
}

impl Captures for CudaContext {
    fn begin_capture(&self, stream: StreamId, mode: CaptureMode) -> Result<u64> {
        callbacks::check_caller()?;
        garbage::sweep();
        let id = stream;
        let stream = self.stream(id);
        let _current = self.current_for(stream)?;
        let _begins = memory::may_begin();
        let begun = stream.in_transition(|begun| {
            // SAFETY: the stream lives; the modes have the driver's numbers.
            unsafe { self.api().cuStreamBeginCapture_v2(stream.native, mode as c_uint) }?;
            Ok(self.note_begun(stream, begun, None))
        });
        let number =
            self.told(begun).map_err(|error| begin_refused(id, error, "the stream is being captured already"))?;
        self.note_own_capture(id);
        Ok(number)
    }

    fn begin_capture_to_graph(
        &self,
        id: StreamId,
        graph: GraphId,
        dependencies: &[NodeId],
        mode: CaptureMode,
    ) -> Result<u64> {
        callbacks::check_caller()?;
        garbage::sweep();
        let stream = self.stream(id);
        let _current = self.current_for(stream)?;
        let _begins = memory::may_begin();
        let known = self.find_graph(graph).ok_or_else(|| no_such("graph"))?;
        if known.is_within() {
            return self.begin_capture_within(id, (graph, &known), dependencies, mode);
        }
        // In this order: an end holds the stream's lock when it takes the graph's.
        let begun = stream.in_transition(|begun| {
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
                let lent = if stream.is_shared() { state.lend(self.api())? } else { OfCapture::new() };
                let (nodes, data) = (handles.as_ptr(), std::ptr::null());
                // SAFETY: stream and graph live, and core keeps the graph until the capture is over; the nodes are of the
                // graph, and as many as are told; the modes have the driver's numbers.
                let answer = state.begin_capture(self.begun_on(stream), || unsafe {
                    self.api().cuStreamBeginCaptureToGraph(
                        stream.native,
                        native,
                        nodes,
                        data,
                        handles.len(),
                        mode as c_uint,
                    )
                });
                if let Err(refusal) = answer {
                    state.take_back(self.api(), lent);
                    return Err(refusal);
                }
                state.note_captured();
                let number = self.note_begun(stream, begun, Some(graph));
                if !ATTACHED.take(number).is_empty() {
                    // Others ended the capture before, which has the same number: that of the graph, which they have by that.
                    // Where this is refused now, what they make of it from here on keeps what it held till then.
                    let _ = state.give_out(self.api());
                }
                if !lent.is_empty() {
                    ATTACHED.note(number, lent);
                }
                CAPTURED_NODES.go_into(number, known.root());
                Ok(Ok(number))
            })
        });
        let number = self.told(begun.ok_or_else(lost_graph)?).map_err(|error| {
            begin_refused(id, error, "the stream is being captured already, or another capture goes into the graph")
        })??;
        self.note_own_capture(id);
        Ok(number)
    }

    fn end_capture(&self, stream: StreamId) -> Result<GraphId> {
        callbacks::check_caller()?;
        let stream = self.stream(stream);
        let _current = self.current_for(stream)?;
        let ends = self.capture_ends();
        let ended = stream.in_transition(|begun| self.end_native_capture(stream, begun));
        drop(ends);
        self.look_at_memory(false);
        if ended.as_ref().is_err_and(|refusal| *refusal == OF_ANOTHER_HANDLE) {
            return Err(Error::new(
                Status::CAPTURE_UNMATCHED,
                "the capture goes into a graph and was begun by another handle of the stream; end it by that one",
            ));
        }
        let ended = self.told_with(ended, Status::ILLEGAL_STATE, NOT_CAPTURED)?;
        let native = match ended.graph {
            EndedGraph::New(native) => native,
            EndedGraph::Known(id) => return Ok(id),
            EndedGraph::Staged(id, within, native) => {
                return self.take_from_stage(&within, native, &ended.nodes).map(|()| id);
            }
            EndedGraph::OfAnotherContext => return Err(of_another_context()),
        };
        let graph = Graph::new(native, ended.nodes);
        if let Some(number) = ended.number {
            graph.take_over(self.api(), ATTACHED.take(number));
        }
        self.enter_graph(graph)
    }

    #[inline]
    fn capture_info(&self, stream: StreamId) -> Result<CaptureInfo> {
        callbacks::check_caller()?;
        let stream = self.stream(stream);
        let _current = self.current_for(stream)?;
        self.told(self.device.ask_capture_info(stream.native))
    }

    #[inline]
    fn capture_now(&self, stream: StreamId) -> Option<CaptureInfo> {
        let known = self.stream(stream);
        if known.origin == Origin::Special {
            return self.capture_info(stream).ok();
        }
        callbacks::check_caller().ok()?;
        self.device.ask_capture_info(known.native).ok()
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
        self.told(asked)
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

    fn capture_retain(&self, stream: StreamId, retained: Retained) -> Result<()> {
        callbacks::check_caller()?;
        let stream = self.stream(stream);
        let _current = self.current_for(stream)?;
        let _goes_on = self.capture_goes_on();
        let attached = stream.settled(|| match self.device.ask_capture(stream.native)? {
            Some(Capture { status: CaptureStatus::Active, graph, id }) => {
                // SAFETY: the graph lives while it is captured into.
                let attached = unsafe { Attached::to(self.api(), graph, retained) }?;
                ATTACHED.note(id, [attached]);
                Ok(true)
            }
            _ => Ok(false),
        });
        match self.told(attached)? {
            true => Ok(()),
            false => Err(Error::new(Status::ILLEGAL_STATE, "the stream is not being captured")),
        }
    }

    fn log_position(&self) -> Option<u32> {
        log::position(self.api())
    }

    fn log_since(&self, position: u32) -> Option<String> {
        log::since(self.api(), position)
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
        stream.in_transition(|begun| {
            let stage = self.made(self.lock_graph(known, |known| known.stage(dependencies)))?;
            if let Err(refusal) = self.begin_on_stage(stream.native, &stage, mode) {
                known.capture_is_over();
                return Err(begin_refused(id, self.error(refusal), "the stream is being captured already"));
            }
            let number = self.note_begun(stream, begun, Some(graph));
            CAPTURED_NODES.begin_with(number, stage.table);
            Ok(number)
        })
    }
}

impl Shared {
    /// Says through `call` what the stream's next node depends on: it is given as many nodes as it is told.
    pub(super) fn update_dependencies(
        &self,
        stream: StreamId,
        nodes: &[NodeId],
        call: impl FnOnce(api::Stream, *mut api::Node, usize) -> Result<(), Refusal>,
    ) -> Result<()> {
        let stream = self.stream(stream);
        let _current = self.current_for(stream)?;
        let _goes_on = self.capture_goes_on();
        let updated = stream.settled(|| {
            let capture = self.device.ask_capture(stream.native)?;
            let graph = capture.as_ref().filter(|capture| capture.status == CaptureStatus::Active);
            let mut handles = match graph {
                Some(capture) => {
                    let found = CAPTURED_NODES.with(capture.id, |table| {
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
            call(stream.native, first, count)?;
            Ok(if graph.is_some() { Ok(()) } else { Err(broken()) })
        });
        self.told_with(updated, Status::ILLEGAL_STATE, NOT_CAPTURED)?
    }

    /// How far a capture is whose stream has that frontier.
    fn progress(&self, capture: &Capture, frontier: &[api::Node]) -> Result<CaptureProgress, Refusal> {
        let (api, graph) = (self.api(), capture.graph);
        // SAFETY: the graph lives while it is captured into.
        let (nodes, edges) = unsafe { (graph::node_count(api, graph)?, graph::edge_count(api, graph)?) };
        let frontier = CAPTURED_NODES.with(capture.id, |table| frontier.iter().map(|&node| table.name(node)).collect());
        Ok(CaptureProgress { nodes, edges, frontier, native: graph.number() })
    }

    /// Makes `call` with the graph that a stream is being captured into, the names of its nodes, and whether others may
    /// have changed it.
    pub(super) fn with_captured_nodes<T>(
        &self,
        stream: StreamId,
        call: impl FnOnce(api::Graph, &mut NodeTable, bool) -> Result<Result<T>, Refusal>,
    ) -> Result<T> {
        let stream = self.stream(stream);
        let _current = self.current_for(stream)?;
        let _goes_on = self.capture_goes_on();
        let called = stream.settled(|| {
            Ok(match self.device.ask_capture(stream.native)? {
                None => Err(Error::new(Status::ILLEGAL_STATE, NOT_CAPTURED)),
                Some(Capture { status: CaptureStatus::Active, graph, id }) => {
                    CAPTURED_NODES.with(id, |table| call(graph, table, stream.is_shared()))?
                }
                Some(_) => Err(broken()),
            })
        });
        self.told(called)?
    }

    /// Notes the capture that this thread has just begun on `stream`, into `graph` if that was there before. Gives its
    /// number; 0, which none has, where the driver does not tell.
    fn note_begun(&self, stream: &Stream, begun: &mut Begun, graph: Option<GraphId>) -> u64 {
        let number = self.device.capture(stream.native).flatten().map_or(0, |capture| capture.id);
        begun.note(this_thread(), number, graph);
        number
    }

    /// Where a capture is begun that this thread begins on `stream`.
    pub(super) fn begun_on(&self, stream: &Stream) -> BegunOn {
        match stream.origin {
            Origin::Special => BegunOn::PerThread(self.device.context.number(), this_thread()),
            Origin::Made | Origin::Wrapped => BegunOn::Stream(stream.native.number()),
        }
    }

    fn note_own_capture(self: &Arc<Self>, id: StreamId) {
        if id == StreamId::PER_THREAD {
            own_captures::begun(self);
        }
    }

    /// Lets no capture end, which may be the end of its graph, while something is done to the graph that a stream of this
    /// context is captured into.
    pub(super) fn capture_goes_on(&self) -> RwLockReadGuard<'static, ()> {
        ENDS.none(self.number)
    }

    /// Lets nobody use the graph of a capture of this context, which is about to end. Streams of other contexts may be in it.
    pub(super) fn capture_ends(&self) -> Ending<'static> {
        ENDS.one(self.number)
    }

    /// Ends the capture that was begun on the stream through graphcap, and drops what it recorded.
    pub(super) fn discard_capture(&self, stream: &Stream) {
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
    fn end_native_capture(&self, stream: &Stream, begun: &mut Begun) -> Result<Ended, Refusal> {
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
            // SAFETY: the stream lives; `graph` is writable.
            unsafe { self.api().cuStreamEndCapture(stream.native, &mut graph) }.map(|()| graph)
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
        let nodes = number.map_or_else(NodeTable::default, |number| CAPTURED_NODES.take(number));
        if let Some((id, within)) = within {
            // What streams of others that joined had the driver hold goes with its graph; core has the graph within keep it.
            drop(attached());
            return Ok(Ended { graph: EndedGraph::Staged(id, within, graph), number, nodes });
        }
        // The driver gives a graph of graphcap's again, also where others began the capture. It has an owner already.
        let target = target.filter(|target| target.with(|native| native == graph) == Some(true));
        let graph = match target.or_else(|| graph::OWNED.find(graph).map(|(owned, _)| owned)) {
            None => EndedGraph::New(graph),
            Some(owned) => self.id_of_graph(&owned).map_or(EndedGraph::OfAnotherContext, EndedGraph::Known),
        };
        Ok(Ended { graph, number, nodes })
    }

    /// The handle of a stream, for others. From here on they may end its captures, and get the graphs.
    pub(super) fn stream_native(&self, id: StreamId) -> Result<usize> {
        // A host function may hold up calls that hold what is locked here.
        callbacks::check_caller()?;
        let stream = self.stream(id);
        if !stream.is_shared() {
            let _goes_on = self.capture_goes_on();
            self.told(stream.in_transition(|begun| {
                self.lend_target(stream, begun)?;
                stream.share();
                Ok(())
            }))?;
        }
        Ok(stream.native.number())
    }

    /// Has the driver hold what the graph keeps which the capture that was begun on the stream goes into.
    fn lend_target(&self, stream: &Stream, begun: &Begun) -> Result<(), Refusal> {
        let Some(target) = begun.target(this_thread()).and_then(|id| self.find_graph(id)) else { return Ok(()) };
        let Some(capture) = self.device.ask_capture(stream.native)? else { return Ok(()) };
        let lent = target.with_state(|native, state| match native == capture.graph {
            true => state.lend(self.api()),
            false => Ok(OfCapture::new()),
        });
        let lent = lent.transpose()?.unwrap_or_default();
        if !lent.is_empty() {
            ATTACHED.note(capture.id, lent);
        }
        Ok(())
    }
}

/// The graph that the end of a capture gave.
enum EndedGraph {
    New(api::Graph),
    /// One that was there before.
    Known(GraphId),
    /// One whose nodes are to be put into that graph, which is within a node.
    Staged(GraphId, Graph, api::Graph),
    OfAnotherContext,
}

/// A capture that was ended.
struct Ended {
    graph: EndedGraph,
    /// The driver's number of the capture, where lists may hang on the graph that are to be taken over.
    number: Option<u64>,
    /// The names that its nodes have, unless it was there before.
    nodes: NodeTable,
}

/// Whether the driver has more to tell of the frontier than was asked for: what its edges carry.
fn is_lossy(refusal: Refusal) -> bool {
    refusal.status == Status::LOSSY_QUERY
}

#[cold]
pub(super) fn broken() -> Error {
    Error::new(
        Status::CAPTURE_INVALIDATED,
        "an earlier call broke the capture; end it on the stream that began it and record again",
    )
}

#[cold]
pub(super) fn of_another_context() -> Error {
    Error::new(
        Status::INVALID_CONTEXT,
        "the capture is over, and went into a graph of another context, which has what was recorded; use the handle of that \
         graph",
    )
}

/// What the driver's refusal to begin a capture on stream `id` means.
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
