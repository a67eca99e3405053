//! Execs: made from graphs, uploaded, launched. The implementation of [`Execs`].

use std::sync::atomic::Ordering;
use std::sync::Arc;

use super::CudaContext;
use crate::api::address;
use crate::api::answers::no_address;
use crate::api::current::{relax, tell_mode};
use crate::api::{self, Function, Handle, InstantiateParameters};
use crate::deferred;
use crate::exec::timed::TimedNodes;
use crate::exec::{grids_need_an_upload, instantiate, Exec, ExecFacts, Made, NotMade};
use crate::graph::{self, list_nodes, managed_copies, no_ends, Edited, Graph, GraphState, TemporaryNodes, Timing};
use crate::memory::managed;
use crate::profiler;
use crate::shared::Shared;
use crate::streams::history::Launched;
use crate::streams::stream::Stream;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::lock;
use graphcap_driver::graphs::no_auto_free_on_device;
use graphcap_driver::ids::{lost_graph, no_such};
use graphcap_driver::rules::exec_update::HostSide;
use graphcap_driver::{
    callbacks, ByteModel, ExecFlags, ExecId, ExecNames, Execs, GraphId, KernelId, Lists, NodeId, NodeKind, StreamId,
};
use graphcap_observe::trace;

impl Execs for CudaContext {
    fn graph_instantiate_with(
        &self,
        graph: GraphId,
        flags: ExecFlags,
        upload: Option<StreamId>,
        ends: Option<KernelId>,
    ) -> Result<(ExecId, usize)> {
        callbacks::check_caller()?;
        if flags.turn_limit != 0 {
            return Err(counts_no_turns());
        }
        let exec = Arc::new(self.instantiate(graph, flags, upload, ends)?);
        let nodes = exec.facts.nodes;
        let Some(id) = address::id_of(&exec, 0).map(ExecId) else {
            let _ = exec.end(|native| {
                let _alone = graph::related();
                // SAFETY: the exec was just made and nobody else knows it; its graph's lock is held.
                unsafe { self.api().cuGraphExecDestroy(native) }
            });
            return Err(no_address());
        };
        lock(&self.objects.execs).insert(id, exec);
        Ok((id, nodes))
    }

    fn exec_flags(&self, exec: ExecId) -> Result<ExecFlags> {
        callbacks::check_caller()?;
        let mut flags = 0;
        // SAFETY: the exec lives, and the lock of its graph is held; `flags` is writable.
        let asked = self.exec(exec).with(|exec| unsafe { self.api().cuGraphExecGetFlags(exec, &mut flags) });
        self.map_error(asked.ok_or_else(|| no_such("graph exec"))?)?;
        Ok(instantiate::flags_of(flags))
    }

    /// As measured beside an H200 (driver 580): a launch of 512 roots takes 800 to 1,400 us, and 2 to 12 us with one kernel before
    /// and one behind. A node that is no kernel does not help.
    fn gains_by_ends(&self) -> bool {
        true
    }

    fn marks_by_events(&self) -> bool {
        true
    }

    fn byte_model(&self) -> ByteModel {
        ByteModel::Cuda
    }

    fn exec_destroy(&self, exec: ExecId, kept: Lists) {
        self.outside_driver(move |shared| shared.exec_destroy(exec, kept));
    }

    fn exec_upload(&self, exec: ExecId, stream: StreamId) -> Result<()> {
        callbacks::check_caller()?;
        let exec = self.exec(exec);
        let upload = |stream: &Stream| {
            // SAFETY: stream and exec live, and the lock of the exec's graph is held.
            exec.with(|exec| stream.recorded(self.device, || unsafe { self.api().cuGraphUpload(exec, stream.native) }))
        };
        self.on_stream(stream, |stream| {
            if exec.must_not_be_uploaded() && self.is_free(stream.native) {
                return Ok(());
            }
            upload(stream).unwrap_or(Ok(())).inspect(|()| exec.note_prepared())
        })
    }

    #[inline]
    fn exec_launch(&self, exec: ExecId, stream: StreamId) -> Result<()> {
        callbacks::check_caller()?;
        let found = self.exec(exec);
        match trace::is_on() {
            false => self.launch(found, exec, stream),
            true => self.trace_launch(found, stream, || self.launch(found, exec, stream)),
        }
    }

    fn exec_in_trace(&self, exec: ExecId) -> u32 {
        self.number_in_trace(self.exec(exec))
    }

    fn exec_call_by(&self, exec: ExecId, names: Arc<dyn ExecNames>) {
        self.exec(exec).traced.call_by(names);
    }
}

impl CudaContext {
    #[inline]
    fn launch(&self, found: &Exec, exec: ExecId, stream: StreamId) -> Result<()> {
        // Before the launch, so that none goes unnoted.
        found.used_by.note(self.user(stream), |stream| self.is_over(stream));
        self.on_stream(stream, |stream| {
            // Nobody marks the stream or asks for its work meanwhile: beside that the driver was seen to answer 999 (580).
            let launch = || {
                found.with(|exec| {
                    // SAFETY: stream and exec live, and the lock of the exec's graph is held.
                    stream.launched(self.device, || unsafe { self.api().cuGraphLaunch(exec, stream.native) })
                })
            };
            match stream.settled(|| found.behind.go(self.device, stream.native, launch)) {
                Some(launched) => launched?,
                // Destroyed meanwhile; core keeps what it launches.
                None => return Ok(()),
            }
            found.note_prepared();
            if found.has_memories() {
                lock(&found.memories).launched();
            }
            stream.history.add(Launched::Exec(exec));
            Ok(())
        })
        .map_err(|error| found.not_launched(error))
    }
}

impl CudaContext {
    /// Returns whether it is known that a stream is not captured: a refusal of what harms a capture is the driver's.
    fn is_free(&self, stream: api::StreamHandle) -> bool {
        matches!(self.device.capture(stream), Some(None))
    }

    /// Makes an exec of a graph.
    fn instantiate(
        &self,
        graph: GraphId,
        flags: ExecFlags,
        upload: Option<StreamId>,
        ends: Option<KernelId>,
    ) -> Result<Exec> {
        if flags.device_launch && flags.auto_free {
            return Err(no_auto_free_on_device());
        }
        self.map_error(tell_mode(self.api()))?;
        // The driver's own answer for the graph of a node.
        let graph = self.find_outermost(graph).map_err(|error| match error.status {
            Status::INVALID_VALUE => Error::new(Status::NOT_SUPPORTED, error.message),
            _ => error,
        })?;
        let ends = ends.map(|kernel| self.kernel(kernel).native);
        let made = match upload {
            None => self.make(&graph, instantiate::number_of(flags), None, ends),
            Some(stream) => {
                let mut made = None;
                let submitted = self.on_stream(stream, |stream| {
                    let flags = instantiate::number_of(flags) | instantiate::UPLOAD;
                    let outcome = self.make(&graph, flags, Some(stream), ends);
                    let refusal = outcome.as_ref().and_then(|made| made.as_ref().err()).and_then(NotMade::refusal);
                    made = Some(outcome);
                    refusal.map_or(Ok(()), Err)
                });
                match made {
                    Some(made) => made,
                    None => return Err(submitted.err().unwrap_or_else(lost_graph)),
                }
            }
        };
        // Here, where no lock is held.
        let made = made.ok_or_else(lost_graph)?.or_else(|NotMade { failure, meaning }| {
            self.made(Err(failure)).map_err(|Error { status, message }| match meaning.is_empty() {
                true => Error::new(status, message),
                false => Error::new(status, format!("{meaning}; {message}")),
            })
        })?;
        Ok(Exec::new(made, graph.into_root()))
    }

    /// Makes an exec with the kernel `ends` before all and behind all. `None` where the driver has destroyed the graph.
    fn make(
        &self,
        graph: &Graph,
        flags: u64,
        upload: Option<&Stream>,
        ends: Option<Function>,
    ) -> Option<Result<Made, NotMade>> {
        if trace::is_on() && !instantiate::flags_of(flags).device_launch && profiler::wants_events() {
            if let made @ Some(Ok(_)) = self.make_with(graph, flags, upload, ends, true) {
                return made;
            }
        }
        self.make_with(graph, flags, upload, ends, false)
    }

    /// Makes such an exec, with events around its nodes where `is_timed`.
    fn make_with(
        &self,
        graph: &Graph,
        flags: u64,
        upload: Option<&Stream>,
        ends: Option<Function>,
        is_timed: bool,
    ) -> Option<Result<Made, NotMade>> {
        let api = self.api();
        graph.with_state(|native, state| {
            let _current = self.device.enter()?;
            let _alone = state.alone();
            // SAFETY: the graph's lock is held.
            let nodes = unsafe { graph::node_count(api, native) }?;
            // SAFETY: as above.
            unsafe { state.name_all(api, native, nodes) }?;
            let memories = state.memories();
            // SAFETY: the graph's lock is held.
            let launches_first =
                state.may_have_attributes() && unsafe { graph::must_launch_first(api, native, nodes) }?;
            if launches_first && state.has_grids() {
                return Err(grids_need_an_upload().into());
            }
            let must_not_be_uploaded = launches_first || memories.upload_loses();
            let upload = upload.filter(|stream| !must_not_be_uploaded || !self.is_free(stream.native));
            let flags = if upload.is_some() { flags } else { flags & !instantiate::UPLOAD };
            let timed = match is_timed {
                // SAFETY: the graph's lock is held; the context is current.
                true => Some(unsafe { self.timed(state, native) }?),
                false => None,
            };
            // The graph has them until the exec is made.
            // SAFETY: the graph's lock is held. The kernel's module is loaded, as the graph's context keeps it.
            let added = unsafe { self.add_ends(state, native, ends) }?;
            let timing = match &timed {
                Some((timed, timings)) => {
                    // SAFETY: as above. The events live until the exec is destroyed, or for ever.
                    Some(unsafe { TemporaryNodes::add_timing(self.device, native, timings, timed.are_left()) }?)
                }
                None => None,
            };
            let mut exec = Handle::NULL;
            let on = upload.map_or(Handle::NULL, |stream| stream.native);
            let mut parameters = InstantiateParameters { flags, upload: on, node: Handle::NULL, result: 0 };
            let mut instantiate = |_alone| {
                // SAFETY: the graph's lock is held; `exec` is writable, and so are the parameters. The stream lives.
                unsafe { api.cuGraphInstantiateWithParams(&mut exec, native, &mut parameters) }
            };
            let made = match upload {
                Some(stream) => loop {
                    // Another thread may hold the lock while it waits for the device.
                    match stream.recorded(self.device, || graph::try_related().map(&mut instantiate)) {
                        Some(made) => break made,
                        None => drop(graph::related()),
                    }
                },
                None => instantiate(graph::related()),
            };
            // Before nodes are named.
            drop(timing);
            drop(added);
            made.map_err(|refusal| NotMade {
                // SAFETY: the graph's lock is held.
                meaning: unsafe {
                    let has_one_exec =
                        refusal.status == Status::NOT_SUPPORTED && state.has_one_exec(self.device, native);
                    let node = || state.describe(api, native, parameters.node);
                    instantiate::meaning(refusal.status, &parameters, node, has_one_exec)
                },
                failure: refusal.into(),
            })?;
            let (mut is_uploaded, sets_grids) = (flags & instantiate::UPLOAD != 0, state.has_grids());
            if sets_grids && !is_uploaded {
                // SAFETY: nobody else knows the exec; the lock of its graph is held.
                unsafe { self.uploads.upload(self.device, exec) }.inspect_err(|_| {
                    let _alone = graph::related();
                    // SAFETY: as above.
                    let _ = unsafe { api.cuGraphExecDestroy(exec) };
                })?;
                is_uploaded = true;
            }
            // SAFETY: as above; the context is current.
            let may_have_managed_copies = unsafe { self.may_have_managed_copies(state, native) };
            let shape = state.shape_for_exec();
            let has_managed_copies = may_have_managed_copies && shape.outline().is_none_or(managed_copies::has_some);
            let facts = ExecFacts {
                nodes,
                next_stamp: graph::next_stamp(),
                shape,
                launches_first,
                node_priorities: instantiate::flags_of(flags).node_priorities,
                may_have_attributes: state.may_have_attributes(),
                sets_grids,
                has_managed_copies,
                ends,
            };
            let timed = timed.map(|(timed, _)| timed);
            Ok(Made { exec, facts, memories, is_uploaded, timed })
        })
    }

    /// Makes events for the nodes of a graph that do something, and gives these nodes. The graph is written
    /// down as the exec has it.
    ///
    /// # Safety
    /// `native` is the graph of `state`, whose lock is held; the context is current.
    unsafe fn timed(&self, state: &mut GraphState, native: api::GraphHandle) -> Edited<(Arc<TimedNodes>, Vec<Timing>)> {
        // SAFETY: passed on to the caller.
        if !unsafe { state.can_have_ends(self.api(), native) }? {
            return Err(no_ends().into());
        }
        self.write_down_for_exec(state, native)?;
        // SAFETY: as above. The outline has the nodes in this order.
        let listed = unsafe { list_nodes(self.api(), native) }?;
        let shape = state.shape_for_exec();
        let outlined = shape.outline().map_or(&[][..], |outline| &outline.nodes);
        let mut known = Vec::new();
        for ((&node, outlined), number) in listed.iter().zip(outlined).zip(0..) {
            // SAFETY: as above.
            let (kind, kernel) = unsafe { graph::kind_and_kernel(self.api(), node) }?;
            known.push((NodeId(outlined.id), number, kind, kernel));
        }
        let does_something = |&(_, _, kind, _): &(_, u32, NodeKind, _)| {
            use NodeKind::{Child, Conditional, Host, Kernel, Memcpy, Memset};
            matches!(kind, Kernel | Memcpy | Memset | Host | Child | Conditional)
        };
        let known = known.into_iter().filter(does_something);
        let timed = TimedNodes::create(self.device, self.primary.ordinal as u32, known)?;
        let timings = timed.timings(|number| listed.get(number as usize).copied());
        Ok((Arc::new(timed), timings))
    }

    /// Returns whether an exec of a graph may have copies between managed and pinned memory. If so, the graph is written down at once,
    /// unless a capture goes into it.
    ///
    /// # Safety
    /// `native` is the graph of `state`, whose lock is held; the context is current.
    unsafe fn may_have_managed_copies(&self, state: &mut GraphState, native: api::GraphHandle) -> bool {
        if !managed::is_known() {
            return false;
        }
        // SAFETY: passed on to the caller; the graphs within that are known live while the lock is held.
        let has_some = |graph| unsafe { self.has_copy(graph, HostSide::PinnedOfManaged) }.unwrap_or(true);
        if !has_some(native) && !state.known_within().any(has_some) {
            return false;
        }
        // Where the driver does not tell, it is not known.
        let _ = self.write_down_for_exec(state, native);
        true
    }

    /// Gives a graph the kernel `ends` before all and behind all, until what is given is dropped.
    ///
    /// # Safety
    /// `native` is the graph of `state`, whose lock is held until then. The kernel's module is loaded.
    unsafe fn add_ends(
        &self,
        state: &GraphState,
        native: api::GraphHandle,
        ends: Option<Function>,
    ) -> Edited<Option<TemporaryNodes>> {
        let Some(kernel) = ends else { return Ok(None) };
        // SAFETY: passed on to the caller.
        match unsafe { state.can_have_ends(self.api(), native) }? {
            // SAFETY: as above.
            true => Ok(Some(unsafe { TemporaryNodes::add_ends(self.device, native, kernel) }?)),
            false => Err(no_ends().into()),
        }
    }
}

/// The answer of a CUDA device to a limit of turns.
#[cold]
fn counts_no_turns() -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        "NVIDIA's driver counts no turns of loops; let a kernel of the body count them and set the condition to 0, and leave \
         gc_instantiate_options::turn_limit 0",
    )
}

impl Shared {
    /// The handle, for others, who may launch it where graphcap does not see it.
    pub(crate) fn exec_native(&self, exec: ExecId) -> Result<usize> {
        callbacks::check_caller()?;
        let exec = self.exec(exec);
        exec.given_out.store(true, Ordering::Release);
        lock(&exec.memories).lose_sight();
        exec.with(api::ExecHandle::number).ok_or_else(|| no_such("graph exec"))
    }

    pub(crate) fn exec_destroy(&self, id: ExecId, kept: Lists) {
        let Some(exec) = lock(&self.objects.execs).remove(&id) else { return };
        self.faults.names.exec_gone(id, exec.facts.nodes);
        {
            let _relaxed = relax(self.api());
            let _ = exec.end(|native| {
                let _alone = graph::related();
                // SAFETY: taken out of its place, so that it is destroyed once and no launch begins any more; its graph's lock
                // is held.
                unsafe { self.api().cuGraphExecDestroy(native) }
            });
        }
        exec.behind.forget(self.api());
        exec.traced.timed.iter().for_each(|timed| timed.end());
        let users = self.users_of(&exec);
        kept.iter().for_each(|list| self.tell_users(list, &users));
        let calls = std::mem::take(&mut *lock(&exec.calls));
        calls.into_values().for_each(|calls| self.release_calls(calls, &users));
        deferred::drop_now(kept);
    }

    /// An exec that lives.
    #[inline]
    pub(crate) fn exec(&self, id: ExecId) -> &Exec {
        // SAFETY: core holds the exec whose id it passes, so that it is not destroyed, and `execs` holds it until then.
        unsafe { address::object(id.0) }
    }
}
