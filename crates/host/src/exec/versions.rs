//! The versions of a graph exec: a launch runs the plan that the exec had when it was made, whatever edits follow.
//!
//! The newest version stands under the id of the exec, and does not change while it is there. An edit *closes* it, so that it gives
//! out no more turns, and takes it from there. It becomes the *draft* of the next version itself where no launch has it any more;
//! else the draft is a copy, which shares all chunks of its plan. Edits change the draft: a chunk that it alone has in place, another
//! one in a copy. The next launch or upload puts the draft under the id. It gives out the turns that follow those of the version
//! before.
//!
//! So every turn belongs to one version, and the launches before an edit are those of the turns before. A launch holds its
//! version, and an edit takes the old one from under the id: what that version's plan alone held goes with its last launch, or
//! at once if there is none. Memory that it alone kept goes when the streams of its launches are done. Launching pays nothing for
//! it: a turn is taken by the same atomic add, which a closed version answers with a bit. Only then does a launch take the lock of
//! edits.

use std::sync::Arc;

use super::event_nodes::Bound;
use super::lineage::{Draft, Lineage, MadeOf};
use crate::capture;
use crate::context::HostContext;
use crate::engine::stream::{Op, Stream};
use crate::exec::{Exec, UNKNOWN};
use crate::graph::changes::check_kind;
use crate::graph::condition::Conditions;
use crate::graph::flat::{ExecSlot, Flat, Places, Spot};
use crate::graph::plan::{Plan, Superseded};
use crate::graph::{Action, Definition};
use crate::memory::graph_memory;
use crate::shared::OBJECTS;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, Mutex};
use graphcap_base::slots::Entry;
use graphcap_driver::ids::{key_of, no_such};
use graphcap_driver::refusals::cooperative;
use graphcap_driver::{ExecFlags, ExecId, GraphId, NodeId, NodeKind, StreamId, Streams, UsedBy, Users};
use graphcap_observe::trace;

/// The first version of an exec.
///
/// # Errors
/// `INVALID_VALUE` when the edges of a graph form a cycle, or when a body has nodes that bodies cannot have;
/// `OUT_OF_MEMORY` when there are too many edges.
pub(crate) fn first(
    device: u32,
    graph: GraphId,
    flags: ExecFlags,
    definition: &Arc<Definition>,
    conditions: Conditions,
) -> Result<Exec> {
    let (flat, places) = Flat::of(definition, device)?;
    let places = Arc::new(places);
    let plan = Plan::compile(flat, &places, flags.turn_limit).map_err(|error| match error.status {
        // A cycle, which is told with the names of its nodes.
        Status::INVALID_VALUE => Flat::check_order(definition).err().unwrap_or(error),
        _ => error,
    })?;
    let lineage = Lineage {
        graph,
        flags,
        places,
        made_of: Mutex::new(MadeOf::Definition(Arc::clone(definition))),
        superseded_on: UsedBy::default(),
        draft: Mutex::default(),
    };
    Ok(Exec::new(device, Arc::new(plan), conditions, Arc::new(lineage), (Arc::default(), 0), UNKNOWN))
}

impl Draft<Exec> {
    /// The streams that the version was launched on before it was edited, but for those that are over.
    fn users(&self) -> Users {
        self.next.as_ref().map(|next| next.users()).unwrap_or_default()
    }
}

impl Lineage<Exec> {
    /// The exec is destroyed: lets go of a version that nobody will launch. Gives the streams that it was launched on before it was edited.
    pub(crate) fn discard_draft(&self) -> Users {
        let discarded = std::mem::take(&mut *lock(&self.draft));
        discarded.users()
    }
}

impl Exec {
    /// The streams that it and earlier versions were launched on, but for those that are over. Those of the draft are `of_draft`.
    pub(crate) fn users_of_all(&self, of_draft: &Users) -> Users {
        let mut users = self.lineage.superseded_on.users();
        self.users().iter().chain(of_draft.iter()).for_each(|&stream| users.add(stream));
        users
    }
}

impl HostContext {
    /// Queues a launch of the version `exec` on `stream`, which has that id; false where the version is closed.
    #[inline(always)]
    pub(crate) fn launch_version(&self, exec: &Arc<Exec>, id: StreamId, stream: &Arc<Stream>) -> Result<bool> {
        // Before the launch, so that none goes unnoted.
        exec.note_use(id.in_context(self.number()), |stream| self.stream_is_over(stream));
        if exec.waits_for_values() {
            stream.cancellation.will_wait();
        }
        if exec.is_bound() {
            return self.launch_bound(exec, stream);
        }
        self.queue_launch(exec, stream, || None)
    }

    /// Queues a launch that means something to others: it records events, waits for them, or allocates or frees memory.
    #[inline(never)]
    fn launch_bound(&self, exec: &Arc<Exec>, stream: &Arc<Stream>) -> Result<bool> {
        // Held until the launch is queued, in the order of its turn.
        let mut locked = exec.events().lock();
        let launching = exec.memories().launch(exec.lineage().flags.auto_free)?;
        let place = Arc::as_ptr(stream).addr();
        let mut taken = None;
        let queued = self.queue_launch(exec, stream, || {
            if let Some(launching) = &launching {
                taken = graph_memory::take(self.ordinal(), exec.memories().bytes(), place, exec.memories().allocated());
                launching.commit();
            }
            Some(locked.bind())
        });
        if let Some(taken) = taken {
            let (submitted, stream) = (stream.submitted(), Arc::downgrade(stream));
            let is_through = move || stream.upgrade().is_none_or(|stream| stream.has_completed(submitted));
            taken.queued(place, Box::new(is_through));
        }
        queued
    }

    /// Queues a launch. `bind` is called when its turn was taken, and tells what its event nodes mean.
    #[inline(always)]
    fn queue_launch(
        &self,
        exec: &Arc<Exec>,
        stream: &Arc<Stream>,
        bind: impl FnOnce() -> Option<Bound>,
    ) -> Result<bool> {
        if stream.is_legacy {
            let launch = || {
                let turn = exec.take_turn()?;
                if trace::is_on() {
                    exec.trace_launch(turn, stream);
                }
                Some(Op::Launch { exec: Arc::clone(exec), turn, count: 1, events: bind() })
            };
            return self.submit_to_legacy(stream, launch);
        }
        let mut queue = stream.lock();
        if let Some(member) = capture::live_member(&mut queue) {
            return Err(member.bar("launching a graph"));
        }
        let Some(turn) = exec.take_turn() else { return Ok(false) };
        if trace::is_on() {
            exec.trace_launch(turn, stream);
        }
        stream.submit_launch(queue, exec, turn, bind());
        Ok(true)
    }

    /// Queues a launch of the exec `id`, of which the version `found` is closed: an edit goes on, or was made since the
    /// last launch.
    #[cold]
    pub(crate) fn launch_newest(
        &self,
        id: ExecId,
        found: &Arc<Exec>,
        stream_id: StreamId,
        stream: &Arc<Stream>,
    ) -> Result<()> {
        // Dropped after the lock.
        let newest;
        let mut draft = lock(&found.lineage().draft);
        newest = self.newest(id, &mut draft)?;
        // Edits alone close a version, and none goes on.
        let is_launched = self.launch_version(&newest, stream_id, stream)?;
        debug_assert!(is_launched);
        Ok(())
    }

    /// The version of which the next launch is.
    pub(crate) fn newest_exec(&self, id: ExecId) -> Result<Arc<Exec>> {
        let found = Arc::clone(&*self.exec(id)?);
        let mut draft = lock(&found.lineage().draft);
        self.newest(id, &mut draft)
    }

    /// The version of which the next launch is, with the edits of the exec locked: puts its draft under the id if there is one.
    fn newest(&self, id: ExecId, draft: &mut Draft<Exec>) -> Result<Arc<Exec>> {
        let Some(next) = &draft.next else { return Ok(Arc::clone(&*self.exec(id)?)) };
        OBJECTS.execs.replace(key_of(id.0), Arc::clone(next)).ok_or_else(|| no_such("graph exec"))?;
        draft.next.take().ok_or_else(|| no_such("graph exec"))
    }
}

/// Edits of an exec. Each changes what later launches run, wholly or, where it fails, not at all; of nodes that are set together those before
/// the one that fails stay set.
impl HostContext {
    /// Makes nodes do something else of the same kind, one after another. Gives how many were set, the first ones, and why the next one was
    /// not.
    ///
    /// # Errors
    /// `INVALID_VALUE` when the exec has no such node, or does not allow the change; `GRAPH_EXEC_UPDATE_FAILURE` when a child
    /// would be another one than in its parameters.
    pub(crate) fn set_in_exec(&self, exec: ExecId, actions: &mut [(NodeId, Action)]) -> (usize, Result<()>) {
        let mut done = 0;
        let set = self.edit_exec(exec, |places, draft, superseded| {
            let plan = draft.edited().0;
            plan.ask_for_actions()?;
            for (node, action) in actions {
                match (places.find(*node)?.0, action) {
                    (ExecSlot::Node(spot), action) => {
                        plan.check_memory(spot, action)?;
                        plan.exchange(spot, action, self.ordinal(), superseded)?;
                    }
                    (ExecSlot::Child { body, slots }, Action::Child(child)) => {
                        plan.exchange_child((body, slots), child, self.ordinal(), superseded)?;
                    }
                    (ExecSlot::Child { .. }, action) => check_kind(NodeKind::Child, action.kind())?,
                }
                done += 1;
            }
            Ok(())
        });
        (done, set)
    }

    /// Makes each node do what it does in `definition`, which has the nodes and edges of the one that the exec was made from, and the
    /// exec have these conditions from now on.
    ///
    /// # Errors
    /// `INVALID_VALUE` where a body would have a node that bodies cannot have.
    pub(crate) fn update_exec(
        &self,
        exec: ExecId,
        definition: &Arc<Definition>,
        mut conditions: Conditions,
    ) -> Result<()> {
        self.edit_exec(exec, |_, draft, superseded| {
            let (plan, before) = draft.edited();
            plan.update(definition, self.ordinal(), superseded)?;
            std::mem::swap(before, &mut conditions);
            Ok(())
        })
    }

    /// Makes nodes of the graph itself that the exec was made from do these actions, and the exec have these conditions from now
    /// on. Gives the node that cannot do that, and why not, if there is one.
    ///
    /// # Errors
    /// `INVALID_HANDLE` for an exec that was destroyed.
    pub(crate) fn update_nodes_of_exec(
        &self,
        exec: ExecId,
        mut actions: Vec<(NodeId, Action)>,
        mut conditions: Conditions,
    ) -> Result<std::result::Result<(), (NodeId, Error)>> {
        let mut wrong = None;
        let edited = self.edit_exec(exec, |places, draft, superseded| {
            let (plan, before) = draft.edited();
            plan.ask_for_actions()?;
            let mut spots = Vec::with_capacity(actions.len());
            // All before any is exchanged, so that none is where one cannot be.
            for (node, action) in &actions {
                let checked = places.find(*node).and_then(|(place, _)| match place {
                    ExecSlot::Node(spot) => plan.check(spot, action, self.ordinal()).map(|()| spot),
                    ExecSlot::Child { .. } => Err(Error::invalid_value("a child graph is not set as a single node")),
                });
                match checked {
                    Ok(spot) => spots.push(spot),
                    Err(error) => {
                        wrong = Some((*node, error.clone()));
                        return Err(error);
                    }
                }
            }
            for (spot, (_, action)) in spots.into_iter().zip(&mut actions) {
                plan.exchange(spot, action, self.ordinal(), superseded)?;
            }
            std::mem::swap(before, &mut conditions);
            Ok(())
        });
        // Where no lock is held.
        drop((actions, conditions));
        match (wrong, edited) {
            (Some(wrong), _) => Ok(Err(wrong)),
            (None, edited) => edited.map(Ok),
        }
    }

    /// Makes the launches of `exec`, of which there was none yet, take the turns that follow those of `before`, of which there will be
    /// no more launches.
    ///
    /// # Errors
    /// `INVALID_HANDLE` for an exec that was destroyed.
    pub(crate) fn go_behind(&self, exec: ExecId, before: ExecId) -> Result<()> {
        let (first, last) = (self.newest_exec(exec)?, Arc::clone(&*self.exec(before)?));
        let first_turn = {
            let draft = lock(&last.lineage().draft);
            match &draft.next {
                Some(next) => next.first_turn(),
                None => self.exec(before)?.close(),
            }
        };
        let follower = Arc::new(first.in_turn_with(last.turns(), first_turn));
        let unlaunched = OBJECTS.execs.replace(key_of(exec.0), follower).ok_or_else(|| no_such("graph exec"))?;
        drop((unlaunched, first));
        Ok(())
    }

    /// Makes a node do nothing, or do again what it does. What depends on it waits all the same for what it depends on.
    ///
    /// # Errors
    /// `INVALID_VALUE` when the exec has no such node, or when it is none of a kernel, a copy or a memset.
    pub(crate) fn enable_in_exec(&self, exec: ExecId, node: NodeId, is_enabled: bool) -> Result<()> {
        self.edit_exec(exec, |places, draft, superseded| {
            let plan = draft.edited().0;
            let spot = spot_that_can_be_disabled(plan, places, node)?;
            if !is_enabled && plan.action(spot).is_some_and(Action::is_cooperative) {
                return Err(cooperative());
            }
            plan.enable(spot, is_enabled, superseded);
            Ok(())
        })
    }

    /// Returns whether a node does what it does, in launches from now on.
    ///
    /// # Errors
    /// As [`HostContext::enable_in_exec`].
    pub(crate) fn is_enabled_in_exec(&self, exec: ExecId, node: NodeId) -> Result<bool> {
        let found = Arc::clone(&*self.exec(exec)?);
        let Lineage { places, draft, .. } = &**found.lineage();
        let newest;
        let draft = lock(draft);
        let plan = match &draft.next {
            Some(next) => next.plan(),
            None => {
                newest = Arc::clone(&*self.exec(exec)?);
                newest.plan()
            }
        };
        Ok(!plan.is_disabled(spot_that_can_be_disabled(plan, places, node)?))
    }

    /// Changes the next version of an exec. What `edit` takes out of it is dropped later, where no lock is held.
    fn edit_exec(
        &self,
        id: ExecId,
        edit: impl FnOnce(&Places, &mut Exec, &mut Superseded) -> Result<()>,
    ) -> Result<()> {
        let lineage = Arc::clone(self.exec(id)?.lineage());
        // Dropped after the lock.
        let mut superseded = Superseded::default();
        let mut before = None;
        let mut draft = lock(&lineage.draft);
        let is_first = draft.next.is_none();
        if is_first {
            let (next, replaced) = self.begin_draft(id, &lineage, &mut draft.closed)?;
            draft.next = Some(next);
            before = replaced;
        }
        if let Some(before) = &before {
            let is_over = |stream| self.stream_is_over(stream);
            before.users().iter().for_each(|&stream| lineage.superseded_on.note(stream, is_over));
        }
        let edited = match draft.next.as_mut().and_then(Arc::get_mut) {
            Some(next) => edit(&lineage.places, next, &mut superseded),
            None => Err(no_such("graph exec")),
        };
        // Launches find it without a lock again.
        let reopened = if edited.is_err() && is_first { Some(self.newest(id, &mut draft)) } else { None };
        drop(draft);
        drop(reopened);
        edited
    }

    /// Closes the newest version, takes it from under the id, and makes the draft of it: itself, or a copy where launches have it
    /// still. Gives the draft, and the version if the draft is another one.
    fn begin_draft(
        &self,
        id: ExecId,
        lineage: &Arc<Lineage<Exec>>,
        closed: &mut Option<Arc<Exec>>,
    ) -> Result<(Arc<Exec>, Option<Arc<Exec>>)> {
        lineage.origin();
        let (first_turn, stand_in) = {
            let newest = self.exec(id)?;
            let made = || Arc::new(Exec::closed(self.ordinal(), Arc::clone(lineage), newest.turns()));
            // The turns are others once the exec has taken the place of another one.
            let known = closed.take().filter(|closed| Arc::ptr_eq(closed.turns(), newest.turns()));
            (newest.close(), known.unwrap_or_else(made))
        };
        let taken = OBJECTS.execs.replace(key_of(id.0), Arc::clone(&stand_in)).ok_or_else(|| no_such("graph exec"))?;
        *closed = Some(stand_in);
        let mut newest = Entry::into_object(taken).unwrap_or_else(|entry| Arc::clone(&entry));
        if let Some(own) = Arc::get_mut(&mut newest) {
            own.go_on_with(first_turn);
            return Ok((newest, None));
        }
        Ok((Arc::new(newest.in_turn_with(newest.turns(), first_turn)), Some(newest)))
    }
}

impl HostContext {
    /// The streams of the launches so far, but for those that are over. Nobody for an exec that was destroyed.
    pub(crate) fn users_of_exec(&self, exec: ExecId) -> Users {
        let Ok(found) = self.exec(exec).map(|exec| Arc::clone(&exec)) else { return Users::new() };
        // The version that launches are made of is closed by an edit only while this lock is held.
        let draft = lock(&found.lineage().draft);
        self.exec(exec).map(|newest| newest.users_of_all(&draft.users())).unwrap_or_default()
    }
}

fn spot_that_can_be_disabled(plan: &Plan, places: &Places, node: NodeId) -> Result<Spot> {
    let kind = match places.find(node)?.0 {
        ExecSlot::Node(spot) => match plan.action(spot).map(Action::kind) {
            Some(NodeKind::Kernel | NodeKind::Memcpy | NodeKind::Memset) => return Ok(spot),
            kind => kind.unwrap_or(NodeKind::Other),
        },
        ExecSlot::Child { .. } => NodeKind::Child,
    };
    Err(Error::invalid_value(format!(
        "a node of the kind {kind} is always enabled; only kernels, copies and memsets can be disabled"
    )))
}
