//! Captures of the host device: a stream's part in one, and how the rules of [`graphcap_driver::rules`] bear on calls.

mod member;
mod ongoing;
mod recording;

use std::sync::atomic::Ordering;
use std::sync::Arc;

use self::member::{invalidated, no_room};
use self::ongoing::{is_legacy_closed, legacy_barred, legacy_barred_for_asking};
use self::recording::{Recording, Target};
use super::engine::stream::{Queue, Stream};
use super::graph::nesting::Located;
use super::graph::{Action, Definition, Fate};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::lock;
use graphcap_base::thread::{this_thread, ThreadNumber};
use graphcap_driver::rules::{self, CaptureMode, Ongoing};
use graphcap_driver::{CaptureInfo, CaptureProgress, CaptureStatus, DependencyUpdate, EdgeData, GraphId, NodeId};

pub(super) use self::member::Member;
pub(super) use self::ongoing::{refuse_in_context, unsafe_call, Capture};
pub(super) use self::recording::Frontier;

/// The graph that the end of a capture gives.
pub(super) enum Ended {
    New(Definition),
    Known(GraphId),
}

/// The stream's part in a capture that goes on, be it active or broken.
pub(super) fn live_member(queue: &mut Queue) -> Option<&mut Member> {
    if queue.member.as_ref().is_some_and(|member| member.capture.ended.load(Ordering::Acquire)) {
        queue.member = None;
    }
    queue.member.as_mut()
}

/// Starts a capture that `stream` is the origin of.
pub(super) fn begin(stream: &Arc<Stream>, mode: CaptureMode) -> Result<u64> {
    begin_with(stream, mode, || Ok((Target::New(Definition::new()), Frontier::default())))
}

/// Starts a capture into the graph `id`, after its nodes `dependencies`.
pub(super) fn begin_to_graph(
    stream: &Arc<Stream>,
    id: GraphId,
    graph: &Arc<Located>,
    dependencies: &[NodeId],
    mode: CaptureMode,
) -> Result<u64> {
    begin_with(stream, mode, || {
        let mut captured = lock(&graph.root);
        if captured.fate(&graph.path) == Fate::Captured {
            return Err(Error::new(
                Status::ILLEGAL_STATE,
                "another capture goes into this graph; end that one first, or capture into a graph of its own",
            ));
        }
        let definition = captured.at(&graph.path)?;
        let frontier = Frontier::of(definition.slots(dependencies)?);
        let (into, own) = (Arc::clone(graph), Vec::new());
        let target = match graph.path.is_empty() {
            true => Target::Known { id, graph: into, own },
            false => Target::Within { id, graph: into, definition: Definition::clone(definition), own },
        };
        captured.begin_capture(&graph.path);
        Ok((target, frontier))
    })
}

fn begin_with(
    stream: &Arc<Stream>,
    mode: CaptureMode,
    target: impl FnOnce() -> Result<(Target, Frontier)>,
) -> Result<u64> {
    if stream.is_legacy {
        refuse_on_legacy(stream)?;
        return Err(Error::new(
            rules::BARRED,
            "the legacy stream cannot be captured; capture a stream of your own or the per-thread default stream",
        ));
    }
    let mut queue = stream.lock();
    if live_member(&mut queue).is_some() {
        return Err(Error::new(Status::ILLEGAL_STATE, "the stream is being captured already; end that capture first"));
    }
    let (target, frontier) = target()?;
    let ongoing = Ongoing { mode, began_by: this_thread() };
    let capture = Capture::open(stream.context.number, stream.blocking, ongoing, Recording::new(target));
    let number = capture.id;
    queue.member = Some(Member { capture, frontier, is_origin: true });
    Ok(number)
}

/// Ends the capture that `stream` is the origin of and gives the graph.
pub(super) fn end(stream: &Arc<Stream>) -> Result<Ended> {
    refuse_on_legacy(stream)?;
    let mut queue = stream.lock();
    let Some(member) = live_member(&mut queue) else {
        return Err(not_captured());
    };
    if !member.is_origin {
        member.capture.invalidate();
        return Err(Error::new(
            Status::CAPTURE_UNMATCHED,
            "the stream joined a capture that began on another stream; the capture is now invalid: end it there",
        ));
    }
    let Ongoing { mode, began_by } = member.capture.ongoing;
    let capture = Arc::clone(&member.capture);
    let frontier = std::mem::take(&mut member.frontier);
    queue.member = None;
    drop(queue);
    let recording = capture.close();
    // Asked when no other call can break it any more.
    let was_invalidated = capture.invalidated.load(Ordering::Acquire);
    // Ended by somebody else at the same moment.
    let Some(recording) = recording else { return Err(not_captured()) };
    let checked = if was_invalidated {
        Err(invalidated())
    } else {
        check_joined(&recording, &frontier).and_then(|()| check_thread(mode, began_by))
    };
    match recording.target {
        Target::New(definition) => checked.map(|()| Ended::New(definition)),
        Target::Known { id, graph, .. } => {
            lock(&graph.root).end_capture(checked.is_ok());
            checked.map(|()| Ended::Known(id))
        }
        Target::Within { id, graph, definition, own } => {
            if checked.is_err() {
                // Other nodes can have them.
                definition.conditions_of(&own).for_each(|condition| condition.give_back());
            }
            let ended = lock(&graph.root).end_capture_within(&graph.path, checked.map(|()| definition));
            ended.map(|_before| Ended::Known(id))
        }
    }
}

fn check_joined(recording: &Recording, frontier: &Frontier) -> Result<()> {
    let open = recording.open_ends(frontier);
    if open == 0 {
        return Ok(());
    }
    Err(Error::new(
        Status::CAPTURE_UNJOINED,
        format!(
            "{open} of the recorded nodes {} not followed by anything on the stream that began the capture; record an event \
             on each forked stream and let the first stream wait for it before the end",
            if open == 1 { "is" } else { "are" }
        ),
    ))
}

fn check_thread(mode: CaptureMode, began_by: ThreadNumber) -> Result<()> {
    if rules::may_end(mode, began_by, this_thread()) {
        return Ok(());
    }
    Err(Error::new(
        Status::CAPTURE_WRONG_THREAD,
        "a capture must be ended by the thread that began it, unless it was begun in the relaxed mode; the capture is gone",
    ))
}

/// Discards the capture that a stream is the origin of, if there is one. A graph that it goes into stays only if it
/// could have been ended.
pub(super) fn abandon(stream: &Arc<Stream>) {
    let is_origin = live_member(&mut stream.lock()).is_some_and(|member| member.is_origin);
    if is_origin {
        drop(end(stream));
    }
}

/// A stream is no more: the capture that it is the origin of is discarded, and one that it joined goes on without it.
pub(super) fn leave(stream: &Arc<Stream>) {
    abandon(stream);
    let mut queue = stream.lock();
    let Some(member) = live_member(&mut queue) else { return };
    member.capture.leave(stream.context.number, stream.blocking);
    queue.member = None;
}

/// Lets `stream` wait for a place in a capture: it becomes part of that capture, or already is.
pub(super) fn join(stream: &Arc<Stream>, capture: &Arc<Capture>, frontier: &Frontier) -> Result<()> {
    if stream.is_legacy && capture.is_active() {
        capture.invalidate();
        return Err(legacy_barred());
    }
    let mut queue = stream.lock();
    let Some(member) = live_member(&mut queue) else {
        if !capture.is_active() {
            return Err(captured_before());
        }
        capture.enter(stream.context.number, stream.blocking);
        queue.member = Some(Member { capture: Arc::clone(capture), frontier: frontier.clone(), is_origin: false });
        return Ok(());
    };
    member.check_active()?;
    if Arc::ptr_eq(&member.capture, capture) {
        member.frontier.merge(frontier);
        return Ok(());
    }
    member.capture.invalidate();
    if !capture.is_active() {
        return Err(captured_before());
    }
    capture.invalidate();
    Err(Error::new(
        Status::CAPTURE_MERGE,
        "the stream and the event belong to two captures, which cannot be merged; both are now invalid: end them",
    ))
}

/// Returns what is told of the stream's capture.
pub(super) fn info(stream: &Arc<Stream>) -> Result<CaptureInfo> {
    may_ask(stream)?;
    Ok(live_member(&mut stream.lock()).map_or(NOT_CAPTURED, |member| member.info()))
}

const NOT_CAPTURED: CaptureInfo = CaptureInfo { status: CaptureStatus::None, id: 0 };

/// Returns what is told of the stream's capture, and how far its graph is while the capture is active.
pub(super) fn progress(stream: &Arc<Stream>) -> Result<(CaptureInfo, Option<CaptureProgress>)> {
    may_ask(stream)?;
    let mut queue = stream.lock();
    let Some(member) = live_member(&mut queue) else { return Ok((NOT_CAPTURED, None)) };
    let info = member.info();
    if info.status != CaptureStatus::Active {
        return Ok((info, None));
    }
    member.frontier.drop_doubles();
    let frontier = &member.frontier.nodes;
    let recording = member.capture.recording();
    let Some(recording) = &*recording else { return Ok((NOT_CAPTURED, None)) };
    let progress = recording.with(|definition| CaptureProgress {
        nodes: definition.len(),
        edges: definition.edge_count(),
        frontier: frontier.iter().map(|&node| definition.id(node)).collect(),
        native: 0,
    });
    Ok((info, Some(progress)))
}

/// The nodes that the stream's next node would depend on; none unless it is in an active capture. Unlike `progress` it counts nothing,
/// so that asking after each recording costs the same in a graph of any size.
pub(super) fn frontier(stream: &Arc<Stream>) -> Result<Vec<NodeId>> {
    may_ask(stream)?;
    let mut queue = stream.lock();
    let Some(member) = live_member(&mut queue) else { return Ok(Vec::new()) };
    if member.info().status != CaptureStatus::Active {
        return Ok(Vec::new());
    }
    member.frontier.drop_doubles();
    let recording = member.capture.recording();
    let Some(recording) = &*recording else { return Ok(Vec::new()) };
    Ok(recording.with(|definition| member.frontier.nodes.iter().map(|&node| definition.id(node)).collect()))
}

/// Makes `call` with the graph so far.
pub(super) fn with_definition<T>(stream: &Arc<Stream>, call: impl FnOnce(&Definition) -> Result<T>) -> Result<T> {
    with_recording(stream, |_, recording| recording.with(call))
}

/// The graph that the stream's capture goes into, where there was one before.
pub(super) fn target(stream: &Arc<Stream>) -> Result<Option<GraphId>> {
    with_recording(stream, |_, recording| Ok(recording.target.id()))
}

/// The graph that the stream's capture goes into. One that there was not before gets an id by `enter`, in context `context`.
pub(super) fn known_graph(
    stream: &Arc<Stream>,
    context: u64,
    enter: impl FnOnce(&Arc<Located>) -> Result<GraphId>,
) -> Result<GraphId> {
    with_recording(stream, |_, recording| recording.target.know(context, enter))
}

/// Says what the next node of the stream depends on.
pub(super) fn update_dependencies(
    stream: &Arc<Stream>,
    nodes: &[(NodeId, EdgeData)],
    update: DependencyUpdate,
) -> Result<()> {
    with_recording(stream, |frontier, recording| {
        let ids: Vec<NodeId> = nodes.iter().map(|&(node, _)| node).collect();
        let (nodes, data) = recording.with(|definition| {
            let slots = definition.slots(&ids)?;
            let mut carried: Vec<(u32, EdgeData)> =
                slots.iter().copied().zip(nodes.iter().map(|&(_, data)| data)).collect();
            carried.retain(|(_, data)| !data.is_none());
            carried.iter().try_for_each(|&(slot, data)| definition.check_data(slot, data))?;
            Ok((slots, carried))
        })?;
        match update {
            DependencyUpdate::Add => frontier.merge(&Frontier::with_data(nodes, data)),
            DependencyUpdate::Set => {
                recording.released.extend(frontier.nodes.iter().filter(|node| !nodes.contains(node)));
                *frontier = Frontier::with_data(nodes, data);
            }
        }
        Ok(())
    })
}

/// Puts a node into the stream's capture, which goes into the graph `id`, as if the stream had recorded it, but that it need not be
/// joined. The action is taken where the node is added.
pub(super) fn put(stream: &Arc<Stream>, id: GraphId, action: &mut Option<Action>) -> Result<NodeId> {
    with_recording(stream, |frontier, recording| {
        if recording.target.id() != Some(id) {
            return Err(not_captured());
        }
        let claimed = action.as_ref().ok_or_else(no_room)?.claim()?;
        let (dependencies, _) = frontier.clone().take();
        let Some(node) = recording.add(action, dependencies, &[]) else {
            claimed.give_back();
            return Err(no_room());
        };
        claimed.added(node);
        // As a node that is added by hand to a graph that is known. What it comes after has it behind it.
        recording.released.push(node);
        frontier.set(node);
        Ok(recording.with(|definition| definition.id(node)))
    })
}

/// Makes `call` with the stream's frontier and what its capture has recorded.
fn with_recording<T>(stream: &Arc<Stream>, call: impl FnOnce(&mut Frontier, &mut Recording) -> Result<T>) -> Result<T> {
    may_ask(stream)?;
    let mut queue = stream.lock();
    let Some(member) = live_member(&mut queue) else { return Err(not_captured()) };
    member.check_active()?;
    let mut recording = member.capture.recording();
    let Some(recording) = &mut *recording else { return Err(not_captured()) };
    call(&mut member.frontier, recording)
}

/// Rule R3 for questions: fails while the legacy stream is closed, and harms nothing.
fn may_ask(stream: &Stream) -> Result<()> {
    if stream.is_legacy && is_legacy_closed(stream.context.number) {
        return Err(legacy_barred_for_asking());
    }
    Ok(())
}

/// Rule R3: fails, and invalidates, where the legacy stream is closed by captures of blocking streams.
pub(super) fn refuse_on_legacy(stream: &Stream) -> Result<()> {
    match stream.is_legacy {
        true => ongoing::refuse_on_legacy(stream.context.number),
        false => Ok(()),
    }
}

/// Rule R2: fails, and invalidates the capture, where `stream` is part of one.
pub(super) fn refuse_while_capturing(stream: &Arc<Stream>, what: &str) -> Result<()> {
    let mut queue = stream.lock();
    match live_member(&mut queue) {
        None => Ok(()),
        Some(member) => Err(member.bar(what)),
    }
}

/// Fails where `stream` is part of a capture that was broken.
pub(super) fn refuse_while_broken(stream: &Arc<Stream>) -> Result<()> {
    live_member(&mut stream.lock()).map_or(Ok(()), |member| member.check_active())
}

#[cold]
fn not_captured() -> Error {
    Error::new(Status::ILLEGAL_STATE, "the stream is not being captured; begin a capture first")
}

#[cold]
pub(crate) fn captured_before() -> Error {
    Error::invalid_value("the event was last recorded in a capture that is over or invalid; record it again")
}
