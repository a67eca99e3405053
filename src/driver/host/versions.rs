//! The versions of a graph exec: a launch runs the plan that the exec had when it was made, whatever edits follow.
//!
//! The newest version stands under the id of the exec. It never changes. An edit *closes* it, so that it gives out no more
//! turns, and begins a *draft* of the next version, which further edits change in place. The next launch or upload compiles
//! the draft and puts it under the id. It gives out the turns that follow those of the version before.
//!
//! So every turn belongs to one version, and the launches before an edit are those of the turns before. A launch holds its
//! version, and an edit takes the old one from under the id: what that version's plan alone held goes with its last launch, or
//! at once if there is none. Memory that it alone kept goes when the streams of its launches are done. Launching pays nothing for it: a turn is taken by the same atomic add, which a closed version
//! answers with a bit. Only then does a launch take the lock of edits.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use super::context::HostContext;
use super::event_nodes::Locked;
use super::exec::{Exec, Turns, UNKNOWN};
use super::graph::plan::Plan;
use super::graph::{changes, Action, Definition, Names};
use super::shared::EXECS;
use super::stream::{Op, Stream};
use super::{capture, lock};
use crate::driver::graphs::exchange;
use crate::driver::ids::{key_of, no_such};
use crate::driver::{ExecId, GraphId, NodeId, NodeKind, Retained, StreamId, Streams, UsedBy, Users};
use crate::error::{Error, Result};

/// What the versions of an exec share. Launching reads nothing of it, so that the turns, which lanes write, need no
/// cache line of their own.
pub(super) struct Lineage {
    /// The graph that the exec was made from.
    pub(super) graph: GraphId,
    /// The nodes of the exec by their ids in that graph.
    names: Names,
    /// The streams of launches of versions that were superseded.
    superseded_on: UsedBy,
    pub(super) turns: Turns,
    /// The next version, if it is not compiled yet. Held over each edit, and by launches that meet a closed version.
    draft: Mutex<Option<Draft>>,
}

/// A version that no launch has asked for yet.
struct Draft {
    /// Packed.
    definition: Arc<Definition>,
    disabled: BTreeSet<u32>,
    retained: Vec<Retained>,
    weight: u8,
    first_turn: u64,
}

/// The first version of an exec.
///
/// # Errors
/// `INVALID_VALUE` when the edges of the graph form a cycle; `OUT_OF_MEMORY` when it has too many.
pub(super) fn first(
    context: u64,
    graph: GraphId,
    definition: &Arc<Definition>,
    retained: Vec<Retained>,
) -> Result<Exec> {
    let plan = Plan::compile(&definition.packed(), BTreeSet::new())?;
    let lineage = Lineage {
        graph,
        names: definition.names(),
        superseded_on: UsedBy::default(),
        turns: Turns::default(),
        draft: Mutex::default(),
    };
    Ok(Exec::new(context, plan, retained, Arc::new(lineage), 0, UNKNOWN))
}

impl Lineage {
    /// The exec is destroyed: lets go of a version that nobody will launch.
    pub(super) fn discard_draft(&self) {
        let discarded = lock(&self.draft).take();
        drop(discarded);
    }
}

impl Draft {
    /// The version that follows `exec`, as yet without a difference.
    fn after(exec: &Exec) -> Draft {
        let plan = exec.plan();
        Draft {
            definition: Arc::clone(plan.definition()),
            disabled: plan.disabled().clone(),
            retained: exec.retained(),
            weight: exec.weight(),
            first_turn: 0,
        }
    }
}

impl HostContext {
    /// Queues a launch of the version `exec` on `stream`, which has that id; false where the version is closed.
    #[inline(always)]
    pub(super) fn launch_version(&self, exec: &Arc<Exec>, id: StreamId, stream: &Arc<Stream>) -> Result<bool> {
        // Before the launch, so that none goes unnoted.
        exec.note_use(id, |stream| self.stream_is_over(stream));
        if exec.waits_for_values() {
            stream.leave.will_wait();
        }
        // Held until the launch is queued, in the order of its turn.
        let mut locked = (!exec.events().is_empty()).then(|| exec.events().lock());
        if stream.is_legacy {
            let launch = || {
                let turn = exec.take_turn()?;
                let events = locked.as_mut().map(Locked::bind);
                Some(Op::Launch { exec: Arc::clone(exec), turn, count: 1, events })
            };
            return self.submit_to_legacy(stream, launch);
        }
        let mut queue = stream.lock();
        if let Some(member) = capture::live_member(&mut queue) {
            return Err(member.bar("launching a graph"));
        }
        let Some(turn) = exec.take_turn() else { return Ok(false) };
        let events = locked.as_mut().map(Locked::bind);
        stream.submit_launch(queue, exec, turn, events);
        Ok(true)
    }

    /// Queues a launch of the exec `id`, of which the version `found` is closed: an edit goes on, or was made since the
    /// last launch.
    #[cold]
    pub(super) fn launch_newest(
        &self,
        id: ExecId,
        found: &Arc<Exec>,
        stream_id: StreamId,
        stream: &Arc<Stream>,
    ) -> Result<()> {
        // Dropped after the lock.
        let newest;
        let mut draft = lock(&found.lineage().draft);
        newest = self.newest(id, found, &mut draft)?;
        // Edits alone close a version, and none goes on.
        let is_launched = self.launch_version(&newest, stream_id, stream)?;
        debug_assert!(is_launched);
        Ok(())
    }

    /// The version of which the next launch is.
    pub(super) fn newest_exec(&self, id: ExecId) -> Result<Arc<Exec>> {
        let found = Arc::clone(&*self.exec(id)?);
        let mut draft = lock(&found.lineage().draft);
        self.newest(id, &found, &mut draft)
    }

    /// The version of which the next launch is, with the edits of the exec locked: compiles its draft if there is one.
    /// `found` is some version of the exec.
    fn newest(&self, id: ExecId, found: &Exec, draft: &mut Option<Draft>) -> Result<Arc<Exec>> {
        if let Some(Draft { definition, disabled, retained, weight, first_turn }) = draft {
            let plan = Plan::compile(definition, disabled.clone())?;
            let lineage = Arc::clone(found.lineage());
            let newest = Arc::new(Exec::new(self.number(), plan, retained.clone(), lineage, *first_turn, *weight));
            EXECS.replace(key_of(id.0), Arc::clone(&newest)).ok_or_else(|| no_such("graph exec"))?;
            *draft = None;
            return Ok(newest);
        }
        Ok(Arc::clone(&*self.exec(id)?))
    }
}

/// Edits of an exec. Each changes what later launches run, wholly or, where it fails, not at all.
impl HostContext {
    /// Has a node do something else of the same kind.
    ///
    /// # Errors
    /// `INVALID_VALUE` when the exec has no such node, or when it does not allow the change ([`changes`]).
    pub(super) fn set_in_exec(&self, exec: ExecId, node: NodeId, mut action: Action) -> Result<()> {
        self.edit_exec(exec, |names, draft| {
            let slot = names.slot(node)?;
            if let Some(node) = draft.definition.node(slot) {
                changes::check(&node.action, &action, self.number())?;
            }
            Arc::make_mut(&mut draft.definition).exchange_in_slot(slot, &mut action)
        })
    }

    /// Has each node do something else of the same kind, and the exec keep `retained` from now on. `actions` has one
    /// for each node, in the order in which the nodes of the exec's own graph were made.
    ///
    /// # Errors
    /// `GRAPH_EXEC_UPDATE_FAILURE` when there are more or fewer actions than nodes, or when one is of another kind.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "the call that updates execs comes with the next change of the interface")
    )]
    pub(super) fn update_exec(
        &self,
        exec: ExecId,
        mut actions: Vec<Action>,
        mut retained: Vec<Retained>,
    ) -> Result<()> {
        let mut superseded = None;
        self.edit_exec(exec, |_, draft| {
            let updated = draft.definition.updated(&mut actions)?;
            superseded = Some(std::mem::replace(&mut draft.definition, Arc::new(updated)));
            std::mem::swap(&mut draft.retained, &mut retained);
            Ok(())
        })
    }

    /// Has a node do nothing, or do again what it does. What depends on it waits all the same for what it depends on.
    ///
    /// # Errors
    /// `INVALID_VALUE` when the exec has no such node, or when it is none of a kernel, a copy or a memset.
    pub(super) fn enable_in_exec(&self, exec: ExecId, node: NodeId, is_enabled: bool) -> Result<()> {
        self.edit_exec(exec, |names, draft| {
            let slot = names.slot(node)?;
            check_can_be_disabled(&draft.definition, slot)?;
            match is_enabled {
                true => draft.disabled.remove(&slot),
                false => draft.disabled.insert(slot),
            };
            Ok(())
        })
    }

    /// Whether a node does what it does, in launches from now on.
    ///
    /// # Errors
    /// As [`HostContext::enable_in_exec`].
    pub(super) fn is_enabled_in_exec(&self, exec: ExecId, node: NodeId) -> Result<bool> {
        let found = Arc::clone(&*self.exec(exec)?);
        let Lineage { names, draft, .. } = &**found.lineage();
        let slot = names.slot(node)?;
        let newest;
        let draft = lock(draft);
        let (definition, disabled) = match &*draft {
            Some(draft) => (&draft.definition, &draft.disabled),
            None => {
                newest = Arc::clone(&*self.exec(exec)?);
                (newest.plan().definition(), newest.plan().disabled())
            }
        };
        check_can_be_disabled(definition, slot)?;
        Ok(!disabled.contains(&slot))
    }

    /// Changes the next version of an exec. What `edit` takes out of it is dropped later, where no lock is held.
    fn edit_exec(&self, id: ExecId, edit: impl FnOnce(&Names, &mut Draft) -> Result<()>) -> Result<()> {
        let lineage = Arc::clone(self.exec(id)?.lineage());
        // Dropped after the lock.
        let newest;
        let mut draft = lock(&lineage.draft);
        if let Some(draft) = &mut *draft {
            return edit(&lineage.names, draft);
        }
        // Launches of the version go on until the edit is made.
        newest = Arc::clone(&*self.exec(id)?);
        let mut next = Draft::after(&newest);
        edit(&lineage.names, &mut next)?;
        next.first_turn = newest.close();
        let closed = Arc::new(Exec::closed(self.number(), Arc::clone(&lineage)));
        let superseded = EXECS.replace(key_of(id.0), closed);
        let is_there = superseded.is_some();
        let discarded = match is_there {
            true => draft.replace(next),
            // Destroyed meanwhile.
            false => Some(next),
        };
        drop(draft);
        let is_over = |stream| self.stream_is_over(stream);
        newest.let_go(is_over).iter().for_each(|&stream| lineage.superseded_on.note(stream, is_over));
        drop((superseded, newest, discarded));
        if is_there {
            Ok(())
        } else {
            Err(no_such("graph exec"))
        }
    }
}

/// What an exec keeps alive. None of it makes another version: it bears on what is alive, not on what launches run.
impl HostContext {
    /// What later launches keep.
    ///
    /// # Errors
    /// `INVALID_HANDLE` for an exec that was destroyed.
    pub(super) fn kept_by_exec(&self, exec: ExecId) -> Result<Vec<Retained>> {
        self.with_kept(exec, |kept| kept.clone())
    }

    /// Has later launches keep `retained` as well.
    ///
    /// # Errors
    /// As [`HostContext::kept_by_exec`].
    pub(super) fn keep_in_exec(&self, exec: ExecId, retained: Retained) -> Result<()> {
        self.with_kept(exec, |kept| kept.push(retained))
    }

    /// Has later launches keep `new` in the place of `old`. Gives the one that they do not keep.
    ///
    /// # Errors
    /// As [`HostContext::kept_by_exec`].
    pub(super) fn exchange_in_exec(&self, exec: ExecId, old: &Retained, new: Retained) -> Result<Retained> {
        self.with_kept(exec, |kept| exchange(kept, old, new))
    }

    /// The streams of the launches so far, but for those that are over. Nobody for an exec that was destroyed.
    pub(super) fn users_of_exec(&self, exec: ExecId) -> Users {
        let Ok(found) = self.exec(exec).map(|exec| Arc::clone(&exec)) else { return Users::new() };
        let mut users = found.lineage().superseded_on.users();
        // The version that launches are made of is closed by an edit only while this lock is held.
        let draft = lock(&found.lineage().draft);
        let newest = self.exec(exec).map(|newest| newest.users()).unwrap_or_default();
        drop(draft);
        newest.iter().for_each(|&stream| users.add(stream));
        users
    }

    /// Calls `look` with what the next launch keeps.
    fn with_kept<T>(&self, id: ExecId, look: impl FnOnce(&mut Vec<Retained>) -> T) -> Result<T> {
        let found = Arc::clone(&*self.exec(id)?);
        let mut draft = lock(&found.lineage().draft);
        match &mut *draft {
            Some(draft) => Ok(look(&mut draft.retained)),
            None => Ok(self.exec(id)?.with_retained(look)),
        }
    }
}

fn check_can_be_disabled(definition: &Definition, slot: u32) -> Result<()> {
    match definition.node(slot).map(|node| node.action.kind()) {
        Some(NodeKind::Kernel | NodeKind::Memcpy | NodeKind::Memset) => Ok(()),
        kind => Err(Error::invalid_value(format!(
            "a node of the kind {:?} is always enabled; only kernels, copies and memsets can be disabled",
            kind.unwrap_or(NodeKind::Other)
        ))),
    }
}
