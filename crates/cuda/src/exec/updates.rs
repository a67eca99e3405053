//! Updates of execs by graphs. The driver decides; graphcap tells what differs, and exchanges what the exec keeps.

use std::ffi::c_uint;
use std::sync::Arc;

use crate::api::{self, DriverError, ExecUpdateInfo, Handle};
use crate::code::function::HostCalls;
use crate::context::CudaContext;
use crate::exec::relaunched::{Relaunched, LEAST_NODES};
use crate::exec::Exec;
use crate::graph::{list_nodes, related, Edited, Failure, Locked, SetNodes, TemporaryCopy, TemporaryNodes, Timing};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, MutexGuard};
use graphcap_driver::ids::no_such;
use graphcap_driver::rules::apply_route::Costs;
use graphcap_driver::rules::exec_update::{
    pageable_instead, pair, pair_by_edges, pair_nodes_by_edges, Change, Difference, HostSide, KeptAttribute, Pairing,
    Terms, UpdateResult,
};
use graphcap_driver::rules::outline::{Outline, OutlinedNode};
use graphcap_driver::updates::whose;
use graphcap_driver::{callbacks, Differing, ExecId, ExecUpdates, GraphId, NodeId, Update, UpdateReport};

/// Outcome of an update while the locks were held: what the nodes call, or the refusal.
type Outcome = std::result::Result<Vec<HostCalls>, Update>;

/// Nodes of a graph that get the events of an exec.
struct Timings {
    timings: Vec<Timing>,
    /// The copy of the graph that they are of; `None` where they are the graph's own.
    copy: Option<TemporaryCopy>,
    /// Tells whether a kernel of the graph is another one than when the exec was made.
    has_other_kernels: bool,
}

/// An exec compared with a graph that can update it.
#[derive(Default)]
struct Compared {
    /// The first launch attribute that differs.
    kept: Option<KeptAttribute>,
    /// The kernels that the graph launches with another function or shape than those that the exec was made with.
    relaunched: Vec<NodeId>,
}

impl ExecUpdates for CudaContext {
    fn exec_update(&self, id: ExecId, graph: GraphId, differing: Differing) -> Result<Update> {
        callbacks::check_caller()?;
        let exec = self.exec(id);
        if exec.facts.sets_grids {
            return Ok(barred(Change::GridFromMemory));
        }
        if differing == Differing::Refused {
            if let Some(refused) = self.differs(exec, graph)? {
                return Ok(refused);
            }
        }
        if let Some(refused) = self.becomes_pageable(exec, graph)? {
            return Ok(refused);
        }
        self.prepare(exec);
        let native = |state: &_| exec.native(state);
        let outcome = self.made(self.with_source(&exec.root, graph, native, |native, source| {
            self.update_whole(exec, native.ok_or_else(|| no_such("graph exec"))?, source)
        }))?;
        let update = self.end_update(exec, outcome);
        // Attributes stay as they were, so that they can be compared afterwards.
        match update {
            Update { refused: None, .. } if differing == Differing::Told => {
                // The update is made: what the driver does not tell any more is not known.
                let compared = self.paired(exec, graph, true).ok().flatten().and_then(std::result::Result::ok);
                let Compared { kept, relaunched } = compared.unwrap_or_default();
                self.exec_note_slower(id, &relaunched);
                let slower = exec.slower(&[]);
                Ok(Update::made(kept).with_slower(relaunched, slower))
            }
            update => Ok(update),
        }
    }

    fn exec_update_nodes(&self, id: ExecId, graph: GraphId, nodes: &[NodeId]) -> Result<Update> {
        callbacks::check_caller()?;
        let exec = self.exec(id);
        if exec.facts.sets_grids {
            return Ok(barred(Change::GridFromMemory));
        }
        if let Some(refused) = self.becomes_pageable(exec, graph)? {
            return Ok(refused);
        }
        self.prepare(exec);
        let native = |state: &_| exec.native(state);
        let terms = Terms { node_priorities: exec.facts.node_priorities, compares_attributes: false };
        let outcome = self.made(self.with_source(&exec.root, graph, native, |native, source| {
            let native = native.ok_or_else(|| no_such("graph exec"))?;
            if let Some(change) = self.bar(exec, source)? {
                return Ok(Err(barred(change)));
            }
            // All before any is set, so that none is where one cannot be.
            for &node in nodes {
                if let Some(difference) = self.bars_node(source, node, &exec.facts.shape, terms)? {
                    return Ok(Err(Update::refused(&difference)));
                }
            }
            let mut set = SetNodes::default();
            let mut update =
                |&node: &NodeId| matches!(source.update_node(self.device, native, node, &mut set), Ok(true));
            let are_set = nodes.iter().all(&mut update);
            let SetNodes { called, launched } = set;
            exec.note_launches(|| launched);
            // The driver may refuse what the rules allow, and is asked for the whole of it then.
            if !are_set {
                return self.update_whole(exec, native, source);
            }
            let calls = called.into_iter().map(|(node, call)| exec.calls_now(node, HostCalls::from_elem(call, 1)));
            Ok(Ok(calls.collect()))
        }))?;
        Ok(self.end_update(exec, outcome))
    }

    fn exec_can_update(&self, id: ExecId, graph: GraphId) -> Result<Update> {
        callbacks::check_caller()?;
        let exec = self.exec(id);
        let bar = |source: &mut Locked<'_>| self.bar(exec, source);
        if let Some(change) = self.made(self.with_source(&exec.root, graph, |_| (), |(), source| bar(source)))? {
            return Ok(barred(change));
        }
        if exec.facts.ends.is_some() {
            // SAFETY: the lock of the source is held.
            let check = |source: &mut Locked<'_>| unsafe { source.state.can_have_ends(self.api(), source.native) };
            self.made(self.with_source(&exec.root, graph, |_| (), |(), source| check(source)))?;
        }
        if let Some(outline) = exec.traced.timed.as_ref().and(exec.facts.shape.outline()) {
            // SAFETY: the lock of the source is held.
            let check = |source: &mut Locked<'_>| unsafe { self.timed_as(outline, source) }.map(drop);
            self.made(self.with_source(&exec.root, graph, |_| (), |(), source| check(source)))?;
        }
        match self.paired(exec, graph, true)? {
            Some(Ok(Compared { kept, relaunched })) => {
                let slower = exec.slower(&relaunched);
                Ok(Update::made(kept).with_slower(relaunched, slower))
            }
            Some(Err(difference)) => Ok(Update::refused(&difference)),
            None => Err(Error::invalid_value(
                "the graph that the exec was made from is gone, and it was not written down what the exec has; keep the graph, or ask \
                 once before it is destroyed",
            )),
        }
    }

    fn exec_counterparts(&self, exec: ExecId, graph: GraphId) -> Result<Option<Vec<(NodeId, NodeId)>>> {
        callbacks::check_caller()?;
        let exec = self.exec(exec);
        self.write_down_exec(exec)?;
        let Some(outline) = exec.facts.shape.outline() else { return Ok(None) };
        let of_graph = self.made(self.with_source(&exec.root, graph, |_| (), |(), source| self.outline(source)))?;
        let mut pairs = Vec::new();
        let are_alike = pair_by_edges(outline, &of_graph, &mut pairs);
        Ok(are_alike.then(|| pairs.into_iter().map(|(node, of_graph)| (NodeId(node), NodeId(of_graph))).collect()))
    }

    fn exec_go_behind(&self, exec: ExecId, before: ExecId) -> Result<()> {
        callbacks::check_caller()?;
        let before = self.exec(before);
        let mut events = self.events_behind(&before.used_by.users())?;
        // What the exec before was to run behind, where it was never launched.
        events.extend(before.behind.take());
        self.exec(exec).behind.set(events);
        Ok(())
    }

    fn exec_note_slower(&self, exec: ExecId, relaunched: &[NodeId]) {
        let exec = self.exec(exec);
        if exec.can_be_slower() {
            lock(&exec.relaunched).differ(relaunched);
        }
    }

    /// As measured with 10 to 10,000 kernels beside an H100 (driver 580). There an update takes 0.06 to 0.25 us for each node, the more
    /// the larger the graph. To set up to a sixth of the nodes is cheaper at all sizes. A kernel that was changed to another launch
    /// replays 0.08 us slower on an H100 and 0.105 us on an H200, in chains of 192 kernels and more; in chains of 150, as fast.
    fn update_costs(&self) -> Costs {
        Costs {
            set: (1200, 16, 420),
            update: (1100, 95),
            launch_after_set: (0, 40),
            launch_after_update: 40,
            anew: (50_000, 4_400),
            slower: (90, LEAST_NODES),
        }
    }
}

/// The refusal for a graph that a capture goes into, and of which the driver makes no copy that gets events.
#[cold]
fn captured() -> Error {
    Error::new(
        Status::ILLEGAL_STATE,
        "the exec has events around its nodes, as CUPTI tells nothing in the trace, and a graph that a capture goes into cannot update it where \
         the driver does not copy it, as with conditional nodes; end the capture first",
    )
}

impl CudaContext {
    /// Returns why the driver is not asked for an update by a graph, whatever its nodes are. It updates no exec with nodes that kernels
    /// change, and by no such graph. It (580) answers success to an update by the graph that the exec was made of, or updated by last,
    /// where that graph frees memory that another one allocates; then no later launch returns.
    fn bar(&self, exec: &Exec, source: &mut Locked<'_>) -> Edited<Option<Change>> {
        if exec.facts.sets_grids || source.state.has_grids() {
            return Ok(Some(Change::GridFromMemory));
        }
        if !lock(&exec.memories).are_of(source.state.number)
            || !(self.node_memories.are_used() || source.state.given_out)
        {
            return Ok(None);
        }
        // SAFETY: the lock of the source is held.
        let frees = unsafe { source.state.frees_memory_of_others(self.api(), source.native) }?;
        Ok(frees.then_some(Change::MemoryOfOthers))
    }

    /// Makes an exec do what the graph `source` does.
    fn update_whole(&self, exec: &Exec, native: api::ExecHandle, source: &mut Locked<'_>) -> Edited<Outcome> {
        if let Some(change) = self.bar(exec, source)? {
            return Ok(Err(barred(change)));
        }
        let mut info = ExecUpdateInfo { result: 0, node: Handle::NULL, from: Handle::NULL };
        // SAFETY: the lock of the source is held.
        let timed = unsafe { self.timings(exec, source) }?;
        let updated = {
            let copy = timed.as_ref().and_then(|timed| timed.copy.as_ref());
            let graph = copy.map_or(source.native, |copy| copy.graph);
            // The source has them for the time of the update. One that cannot is refused by the driver.
            let ends = match exec.facts.ends {
                // SAFETY: the lock of the source is held.
                Some(kernel) if unsafe { source.state.can_have_ends(self.api(), source.native) }? => Some(kernel),
                _ => None,
            };
            // SAFETY: as above. The kernel's module is loaded, as the context of the exec keeps it.
            let _ends = ends
                .map(|kernel| unsafe { TemporaryNodes::add_ends(self.device, source.native, kernel) })
                .transpose()?;
            let events = exec.traced.timed.as_ref().zip(timed.as_ref());
            // SAFETY: as above; the copy is nobody else's. The events live as long as the exec, or for ever.
            let add = |timings, are_left| unsafe { TemporaryNodes::add_timing(self.device, graph, timings, are_left) };
            let _timing = events.map(|(events, timed)| add(&timed.timings, events.are_left())).transpose()?;
            let _alone = related();
            // SAFETY: the locks of the exec's graph and of the source are held; `info` is writable.
            let updated = unsafe { self.api().cuGraphExecUpdate_v2(native, graph, &mut info) };
            if let (Err(_), Some(copy)) = (&updated, copy) {
                // SAFETY: as above. The graph has the nodes that were copied.
                unsafe {
                    let listed = list_nodes(self.api(), source.native).unwrap_or_default();
                    info.node = copy.original(&listed, info.node);
                    info.from = copy.original(&listed, info.from);
                }
            }
            updated
        };
        if let Err(refusal) = updated {
            return self.refused_update(exec, source, refusal, &info).map(Err);
        }
        if timed.is_some_and(|timed| timed.has_other_kernels) {
            exec.traced.timed.iter().for_each(|timed| timed.forget_kernels());
        }
        let state = &mut *source.state;
        let calls = exec.take_calls();
        exec.have_memories(state.memories());
        Ok(Ok(calls))
    }

    /// The nodes of the graph `source` with the events of the nodes of an exec whose place they take; `None` where it has no events. They are
    /// nodes of a copy where a capture goes into the graph.
    ///
    /// # Safety
    /// The lock of the source is held.
    unsafe fn timings(&self, exec: &Exec, source: &mut Locked<'_>) -> Edited<Option<Timings>> {
        let Some((timed, outline)) = exec.traced.timed.as_ref().zip(exec.facts.shape.outline()) else {
            return Ok(None);
        };
        // SAFETY: passed on to the caller.
        let Some((of_graph, pairing, copy)) = unsafe { self.timed_as(outline, source) }? else { return Ok(None) };
        let is_other = |(node, number)| {
            let (made, other): (&OutlinedNode, _) = (node, of_graph.nodes.get(pairing.of(number) as usize));
            other.is_none_or(|other| other.launch != made.launch)
        };
        let has_other_kernels = outline.nodes.iter().zip(0..).any(is_other);
        // SAFETY: as above. The outline has the nodes in this order.
        let listed = unsafe { list_nodes(self.api(), source.native) }?;
        let mut timings = timed.timings(|number| listed.get(pairing.of(number) as usize).copied());
        if let Some(copy) = &copy {
            let _alone = related();
            for timing in &mut timings {
                // SAFETY: as above.
                timing.node = unsafe { copy.find(timing.node) }?;
            }
        }
        Ok(Some(Timings { timings, copy, has_other_kernels }))
    }

    /// The graph `source` as it gets the events of an exec with the nodes `outline`: its nodes, which of them are which of the exec's, and
    /// its copy where a capture goes into it. `None` where it gets none. A graph that cannot be copied is refused.
    ///
    /// # Safety
    /// As [`CudaContext::timings`].
    unsafe fn timed_as(
        &self,
        outline: &Outline,
        source: &mut Locked<'_>,
    ) -> Edited<Option<(Outline, Pairing, Option<TemporaryCopy>)>> {
        let is_captured = source.state.is_captured_into();
        // SAFETY: passed on to the caller.
        if !is_captured && !unsafe { source.state.can_have_ends(self.api(), source.native) }? {
            return Ok(None);
        }
        let of_graph = self.outline(source)?;
        let Some(pairing) = pair_nodes_by_edges(outline, &of_graph) else { return Ok(None) };
        // SAFETY: as above.
        let copied = is_captured.then(|| unsafe { TemporaryCopy::create(self.device, source.native) }).transpose();
        let copy = copied.map_err(|refusal| match refusal.status {
            Status::NOT_SUPPORTED => captured().into(),
            _ => Failure::from(refusal),
        })?;
        Ok(Some((of_graph, pairing, copy)))
    }

    /// Returns what became of an update, as it is told. To be called where no lock is held.
    fn end_update(&self, exec: &Exec, outcome: Outcome) -> Update {
        match outcome {
            Err(update) => update,
            Ok(calls) => {
                exec.traced.forget();
                if calls.iter().any(|calls| !calls.is_empty()) {
                    let users = self.users_of(exec);
                    calls.into_iter().for_each(|calls| self.release_calls(calls, &users));
                }
                Update::made(None)
            }
        }
    }

    /// Returns why an exec is not updated by a graph, where a launch attribute may differ. It is looked only where a kernel may have some.
    fn differs(&self, exec: &Exec, graph: GraphId) -> Result<Option<Update>> {
        let may_have_attributes = |source: &mut Locked<'_>| Ok(source.state.may_have_attributes());
        let of_graph = || self.with_source(&exec.root, graph, |_| (), |(), source| may_have_attributes(source));
        if !exec.facts.may_have_attributes && !self.made(of_graph())? {
            return Ok(None);
        }
        Ok(match self.paired(exec, graph, true)? {
            Some(Ok(compared)) => compared.kept.map(Update::keeps_no_attribute),
            Some(Err(difference)) => Some(Update::refused(&difference)),
            None => Some(Update {
                report: UpdateReport { result: UpdateResult::AttributesChanged, ..UpdateReport::default() },
                refused: Some(Error::new(
                    Status::GRAPH_EXEC_UPDATE_FAILURE,
                    "it is not known which launch attributes the exec has: the graph that it was made from is gone",
                )),
                ..Update::default()
            }),
        })
    }

    /// Returns why an exec is not updated by a graph, where a copy between managed and pinned memory would become one of pageable memory.
    fn becomes_pageable(&self, exec: &Exec, graph: GraphId) -> Result<Option<Update>> {
        if !exec.facts.has_managed_copies {
            return Ok(None);
        }
        let difference = match self.paired(exec, graph, false)? {
            Some(Ok(_)) => return Ok(None),
            Some(Err(difference)) if difference.change == Change::CopyPageable => {
                return Ok(Some(Update::refused(&difference)))
            }
            // The driver refuses that as well, if the rules are right.
            Some(Err(difference)) => difference,
            // A capture went into the graph when the exec was made.
            None => Difference { change: Change::CopyPageable, exec_node: None, graph_node: None, from_node: None },
        };
        let has_pageable = |source: &mut Locked<'_>| {
            let _current = self.device.enter()?;
            // SAFETY: the lock of the source is held; the context is current.
            Ok(unsafe { self.has_copy(source.native, HostSide::Pageable) }?)
        };
        let found = self.made(self.with_source(&exec.root, graph, |_| (), |(), source| has_pageable(source)))?;
        Ok(found.then(|| Update::refused(&difference)))
    }

    /// The nodes of the exec compared with those of a graph; `None` where it is not known what the exec has.
    fn paired(
        &self,
        exec: &Exec,
        graph: GraphId,
        compares_attributes: bool,
    ) -> Result<Option<std::result::Result<Compared, Difference>>> {
        // First, since the graph may be the one that the exec was made from.
        self.write_down_exec(exec)?;
        let Some(outline) = exec.facts.shape.outline() else { return Ok(None) };
        let of_graph = self.made(self.with_source(&exec.root, graph, |_| (), |(), source| self.outline(source)))?;
        let terms = Terms { node_priorities: exec.facts.node_priorities, compares_attributes };
        let paired = pair(outline, &of_graph, terms);
        Ok(Some(paired.and_then(|pairing| match pageable_instead(outline, &of_graph, &pairing) {
            Some(difference) => Err(difference),
            None => {
                let relaunched = outline.relaunched(&of_graph, &pairing).into_iter().map(NodeId).collect();
                Ok(Compared { kept: pairing.kept, relaunched })
            }
        })))
    }

    /// As [`CudaContext::write_down_exec`], while the graph is locked that the exec was made from.
    pub(super) fn write_down_of(&self, exec: &Exec, graph: &mut Locked<'_>) -> Edited<()> {
        match Arc::ptr_eq(graph.state.shape(), &exec.facts.shape) {
            true => self.write_down(graph),
            false => Ok(()),
        }
    }

    /// Writes down what an exec was made from, where the graph is as it was then.
    pub(crate) fn write_down_exec(&self, exec: &Exec) -> Result<()> {
        if exec.facts.shape.outline().is_some() {
            return Ok(());
        }
        let written = self.lock_at(&exec.root, None, || no_such("graph"), |graph| self.write_down_of(exec, graph));
        match self.made(written) {
            // The graph is destroyed.
            Err(error) if error.status == Status::INVALID_HANDLE => Ok(()),
            written => written,
        }
    }

    /// Returns the meaning of the driver's refusal of an update.
    #[cold]
    fn refused_update(
        &self,
        exec: &Exec,
        source: &mut Locked<'_>,
        refusal: DriverError,
        info: &ExecUpdateInfo,
    ) -> Edited<Update> {
        let answers = matches!(refusal.status, Status::GRAPH_EXEC_UPDATE_FAILURE | Status::NOT_SUPPORTED);
        if !answers || refusal.since.is_some() {
            return Err(refusal.into());
        }
        let mut report = UpdateReport {
            result: UpdateResult::from_number(info.result as c_uint),
            graph_node: source.id_of(info.node),
            from_node: source.id_of(info.from),
            ..UpdateReport::default()
        };
        let is_own = |source: &Locked<'_>| Arc::ptr_eq(source.state.shape(), &exec.facts.shape);
        let outline = match exec.facts.shape.outline() {
            None if is_own(source) => self.write_down(source).ok().and_then(|()| exec.facts.shape.outline()),
            outline => outline,
        };
        let of_graph = self.outline(source).ok();
        let terms = Terms { node_priorities: exec.facts.node_priorities, compares_attributes: false };
        let difference = outline.zip(of_graph).and_then(|(outline, of_graph)| pair(outline, &of_graph, terms).err());
        // Where the rules and the driver are of two minds, only the driver is told of.
        let found = difference.filter(|difference| difference.change.result() == report.result);
        let sentence = match found {
            Some(Difference { change, exec_node, graph_node, .. }) => {
                report.exec_node = exec_node.map(NodeId);
                if exec.has_added_nodes() && report.result != UpdateResult::Success {
                    // The driver may name a node that the graph had for the update.
                    report.graph_node = report.graph_node.or(graph_node.map(NodeId));
                }
                change.sentence()
            }
            None if exec.facts.shape.outline().is_none() => {
                format!(
                    "{}; no more is known, since the graph that the exec was made from is gone",
                    report.result.meaning()
                )
            }
            None => report.result.meaning().to_owned(),
        };
        let message = format!("{}{sentence}", whose(&report));
        Ok(Update { report, refused: Some(Error::new(refusal.status, message)), ..Update::default() })
    }
}

/// Returns what is answered to an update that the driver is not asked for.
#[cold]
fn barred(change: Change) -> Update {
    Update::refused(&Difference { change, exec_node: None, graph_node: None, from_node: None })
}

impl Exec {
    /// Counts the kernels that replay slower than those of a new exec, with those of `relaunched`, as far as it is known.
    fn slower(&self, relaunched: &[NodeId]) -> usize {
        let made = self.facts.shape.outline().filter(|_| self.can_be_slower());
        made.map_or(0, |made| lock(&self.relaunched).count(made, relaunched))
    }

    /// Returns whether it replays slower once kernels of it were changed.
    fn can_be_slower(&self) -> bool {
        self.facts.nodes >= LEAST_NODES
    }

    /// The kernels that were changed, where that matters.
    pub(super) fn relaunched(&self) -> Option<MutexGuard<'_, Relaunched>> {
        self.can_be_slower().then(|| lock(&self.relaunched))
    }

    /// Notes kernels that were set, each with the digest of its launch from here on, where that matters.
    pub(super) fn note_launches<I: IntoIterator<Item = (NodeId, u64)>>(&self, launches: impl FnOnce() -> I) {
        if let Some(mut relaunched) = self.relaunched() {
            launches().into_iter().for_each(|(node, digest)| relaunched.set(node, digest));
        }
    }

    /// Launches allocate and free this from here on.
    fn have_memories(&self, memories: super::Memories) {
        if self.is_given_out() {
            memories.lose_sight();
        }
        self.set_memories(memories);
    }
}
