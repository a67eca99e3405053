//! Execs: made from graphs, uploaded, launched.

mod behind;
pub(super) mod edits;
pub(super) mod instantiate;
mod relaunched;
mod updates;
pub(super) mod uploads;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;

use self::behind::Behind;
use self::relaunched::Relaunched;
use super::api::address;
use super::api::current::{tell_mode, Relaxed};
use super::api::{self, Function, Handle, InstantiateParameters, Refusal};
use super::context::CudaContext;
use super::garbage;
use super::graph::managed_copies;
use super::graph::{self, no_ends, Calls, Edited, Ends, Failure, Graph, Root, Shape, State};
use super::memory::managed;
use super::memory::node_memory::{upload_loses, Memories};
use super::shared::{no_address, Shared};
use super::streams::history::Launched;
use super::streams::stream::Stream;

use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::graphs::no_auto_free_on_device;
use graphcap_driver::ids::{lost_graph, no_such};
use graphcap_driver::rules::exec_update::HostSide;
use graphcap_driver::{
    callbacks, ByteModel, ExecFlags, ExecId, Execs, GraphId, KernelId, Lists, NodeId, StreamId, UsedBy,
};

/// An executable graph. Launches, uploads and edits of it wait for each other, and for other calls that use its graph or another
/// exec of that: the driver was seen to refuse a launch (999) that was made while other threads did such things (580).
pub(super) struct Exec {
    /// The driver's handle as a number, read and written under the lock of the graph; 0 when it was destroyed.
    native: AtomicUsize,
    /// Number of nodes.
    pub(super) nodes: usize,
    pub(super) root: Root,
    /// What its nodes need; nothing where the driver sees to that, as the graph was given out before.
    pub(super) kept: Mutex<Lists, rank::ExecKept>,
    /// The host functions that nodes were set to call in the exec alone. Those that came from the graph the driver holds.
    calls: Mutex<BTreeMap<NodeId, Calls>, rank::ExecCalls>,
    /// Whether there ever were any, to look without locking. Written under the lock of the graph.
    has_calls: AtomicBool,
    /// The kernels that were changed in it.
    relaunched: Mutex<Relaunched, rank::ExecRelaunched>,
    /// The streams that it was launched on.
    pub(super) used_by: UsedBy,
    /// Whether others have the handle, and may launch it where graphcap does not see it.
    pub(super) given_out: AtomicBool,
    /// Whether it was uploaded or launched, or need not be before it is edited.
    pub(super) is_prepared: AtomicBool,
    /// True where the driver crashes if it is uploaded before its first launch.
    launches_first: bool,
    /// What its nodes allocate and free, and whether that is anything.
    memories: Mutex<Memories, rank::ExecMemories>,
    has_memories: AtomicBool,
    /// The stamp of the next node when it was made: the graph's nodes that came later it does not have.
    pub(super) next_stamp: u64,
    /// The graph as it was when the exec was made.
    pub(super) shape: Arc<Shape>,
    /// Whether its kernels run with the priorities of their nodes.
    pub(super) node_priorities: bool,
    /// Whether a kernel may have launch attributes.
    pub(super) may_have_attributes: bool,
    /// Whether kernels set grids in it: no graph updates it.
    pub(super) sets_grids: bool,
    /// Whether it may have been made with copies between managed and pinned memory.
    pub(super) has_managed_copies: bool,
    /// What its first launch runs behind.
    pub(super) behind: Behind,
    /// The kernel that it has before all and behind all.
    pub(super) ends: Option<Function>,
}

impl Exec {
    fn new(made: Made, root: Root, flags: ExecFlags) -> Exec {
        let Made {
            exec: native,
            nodes,
            kept,
            next_stamp,
            memories,
            is_uploaded,
            launches_first,
            shape,
            may_have_attributes,
            sets_grids,
            has_managed_copies,
            ends,
        } = made;
        Exec {
            native: AtomicUsize::new(native.number()),
            nodes,
            root,
            kept: Mutex::new(kept),
            calls: Mutex::default(),
            has_calls: AtomicBool::new(false),
            relaunched: Mutex::default(),
            used_by: UsedBy::default(),
            given_out: AtomicBool::new(false),
            is_prepared: AtomicBool::new(is_uploaded),
            launches_first,
            has_memories: AtomicBool::new(!memories.is_empty()),
            memories: Mutex::new(memories),
            shape,
            node_priorities: flags.node_priorities,
            next_stamp,
            may_have_attributes,
            sets_grids,
            has_managed_copies,
            behind: Behind::default(),
            ends,
        }
    }

    /// It was uploaded or launched.
    #[inline]
    fn note_prepared(&self) {
        if !self.is_prepared.load(Ordering::Relaxed) {
            self.is_prepared.store(true, Ordering::Release);
        }
    }

    /// True where the driver loses memory or crashes in an upload.
    pub(super) fn must_not_be_uploaded(&self) -> bool {
        if self.is_prepared.load(Ordering::Acquire) {
            return false;
        }
        self.launches_first || (self.has_memories() && upload_loses(&lock(&self.memories)))
    }

    /// What the refusal of a launch means.
    #[cold]
    fn not_launched(&self, error: Error) -> Error {
        match error.status {
            Status::INVALID_VALUE if self.has_memories() => Error::new(
                error.status,
                format!(
                    "memory that the graph allocates is still allocated by an earlier launch, or memory that it frees is not allocated: \
                     free it before the graph is launched again, or make the exec with the flag that frees by itself; {}",
                    error.message
                ),
            ),
            _ => error,
        }
    }

    /// Whether its nodes allocate or free.
    #[inline]
    fn has_memories(&self) -> bool {
        self.has_memories.load(Ordering::Acquire)
    }

    fn set_memories(&self, memories: Memories) {
        let mut known = lock(&self.memories);
        self.has_memories.store(!memories.is_empty(), Ordering::Release);
        *known = memories;
    }

    fn is_given_out(&self) -> bool {
        self.given_out.load(Ordering::Acquire)
    }

    /// A node calls these functions from here on. Gives what it was set to call before.
    pub(super) fn calls_now(&self, node: NodeId, calls: Calls) -> Calls {
        self.has_calls.store(true, Ordering::Release);
        lock(&self.calls).insert(node, calls).unwrap_or_default()
    }

    /// Its nodes call what the driver holds, and nothing else. Gives what they were set to call before. To be called while the graph
    /// is locked.
    fn take_calls(&self) -> Vec<Calls> {
        match self.has_calls.load(Ordering::Acquire) {
            true => std::mem::take(&mut *lock(&self.calls)).into_values().collect(),
            false => Vec::new(),
        }
    }

    /// Makes `call` while no other gc_ call uses the exec or its graph.
    #[inline]
    pub(super) fn with<T>(&self, call: impl FnOnce(api::Exec) -> T) -> Option<T> {
        // Kept locked for the time of the call.
        let root = lock(&self.root);
        let _alone = root.alone();
        self.native(&root).map(call)
    }

    /// The driver's exec, for a call that is made while its graph, whose state that is, is locked. `None` when it was destroyed.
    #[inline]
    pub(super) fn native(&self, _of_graph: &State) -> Option<api::Exec> {
        Some(api::Exec::from_number(self.native.load(Ordering::Relaxed))).filter(|native| !native.is_null())
    }

    /// Takes the driver's exec out and has it destroyed by `destroy`, while no other call uses its graph.
    pub(super) fn end<T>(&self, destroy: impl FnOnce(api::Exec) -> T) -> Option<T> {
        let root = lock(&self.root);
        let _alone = root.alone();
        let native = self.native(&root)?;
        self.native.store(0, Ordering::Relaxed);
        Some(destroy(native))
    }
}

/// Why no exec was made.
struct NotMade {
    failure: Failure,
    /// What the driver's result means; empty where that is no more than the refusal.
    meaning: String,
}

impl NotMade {
    /// What the driver answered.
    fn refusal(&self) -> Option<Refusal> {
        match self.failure {
            Failure::Refused(refusal) => Some(refusal),
            Failure::Wrong(_) => None,
        }
    }
}

impl<F: Into<Failure>> From<F> for NotMade {
    fn from(failure: F) -> NotMade {
        NotMade { failure: failure.into(), meaning: String::new() }
    }
}

/// Kernels set grids in an exec that was uploaded, and the driver crashes in the upload.
#[cold]
fn grids_need_an_upload() -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        "a node takes its grid from a scalar, and another node waits for an event that a launch records with an attribute: the driver \
         cannot upload an exec of both; record the event by gc_event_record()",
    )
}

/// What was made of a graph.
struct Made {
    exec: api::Exec,
    nodes: usize,
    kept: Lists,
    next_stamp: u64,
    memories: Memories,
    is_uploaded: bool,
    launches_first: bool,
    shape: Arc<Shape>,
    may_have_attributes: bool,
    sets_grids: bool,
    has_managed_copies: bool,
    ends: Option<Function>,
}

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
        let nodes = exec.nodes;
        let Some(id) = address::id_of(&exec, 0).map(ExecId) else {
            let _ = exec.end(|native| {
                let _alone = graph::related();
                // SAFETY: the exec was just made and nobody else knows it; its graph's lock is held.
                unsafe { self.api().cuGraphExecDestroy(native) }
            });
            return Err(no_address());
        };
        lock(&self.execs).insert(id, exec);
        Ok((id, nodes))
    }

    fn exec_flags(&self, exec: ExecId) -> Result<ExecFlags> {
        callbacks::check_caller()?;
        let mut flags = 0;
        // SAFETY: the exec lives, and the lock of its graph is held; `flags` is writable.
        let asked = self.exec(exec).with(|exec| unsafe { self.api().cuGraphExecGetFlags(exec, &mut flags) });
        self.told(asked.ok_or_else(|| no_such("graph exec"))?)?;
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

    fn exec_destroy(&self, exec: ExecId) {
        self.outside_driver(move |shared| shared.exec_destroy(exec));
    }

    fn exec_upload(&self, exec: ExecId, stream: StreamId) -> Result<()> {
        callbacks::check_caller()?;
        let exec = self.exec(exec);
        // SAFETY: stream and exec live, and the lock of the exec's graph is held.
        let upload = |stream: &Stream| exec.with(|exec| unsafe { self.api().cuGraphUpload(exec, stream.native) });
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
        // Before the launch, so that none goes unnoted.
        found.used_by.note(self.user(stream), |stream| self.is_over(stream));
        self.on_stream(stream, |stream| {
            // Nobody marks the stream or asks for its work meanwhile: beside that the driver was seen to answer 999 (580).
            // SAFETY: stream and exec live, and the lock of the exec's graph is held.
            let launch = || found.with(|exec| unsafe { self.api().cuGraphLaunch(exec, stream.native) });
            match stream.settled(|| found.behind.go(self.device, stream.native, launch)) {
                Some(launched) => launched?,
                // Destroyed meanwhile; core keeps what it launches.
                None => return Ok(()),
            }
            found.note_prepared();
            if found.has_memories() {
                lock(&found.memories).iter().for_each(|(memory, is_left)| memory.launched(*is_left));
            }
            stream.history.add(Launched::Exec(exec));
            Ok(())
        })
        .map_err(|error| found.not_launched(error))
    }
}

impl CudaContext {
    /// Whether it is known that a stream is not captured: a refusal of what harms a capture is the driver's.
    fn is_free(&self, stream: api::Stream) -> bool {
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
        self.told(tell_mode(self.api()))?;
        // The driver's own answer for the graph of a node.
        let graph = self.find_outermost(graph).map_err(|error| match error.status {
            Status::INVALID_VALUE => Error::new(Status::NOT_SUPPORTED, error.message),
            _ => error,
        })?;
        let ends = ends.map(|kernel| self.kernel(kernel).native);
        let made = match upload {
            None => self.make(&graph, instantiate::number_of(flags), Handle::NULL, ends),
            Some(stream) => {
                let mut made = None;
                let submitted = self.on_stream(stream, |stream| {
                    let flags = instantiate::number_of(flags) | instantiate::UPLOAD;
                    let outcome = self.make(&graph, flags, stream.native, ends);
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
        Ok(Exec::new(made, graph.into_root(), flags))
    }

    /// Makes an exec with the kernel `ends` before all and behind all. `None` where the driver has destroyed the graph.
    fn make(
        &self,
        graph: &Graph,
        flags: u64,
        upload: api::Stream,
        ends: Option<Function>,
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
            let launches_first = state.may_have_attributes() && unsafe { graph::must_launch_first(api, native) }?;
            if launches_first && state.has_grids() {
                return Err(grids_need_an_upload().into());
            }
            let must_not_be_uploaded = launches_first || upload_loses(&memories);
            let (flags, upload) = match upload.is_null() || !must_not_be_uploaded || !self.is_free(upload) {
                true => (flags, upload),
                false => (flags & !instantiate::UPLOAD, Handle::NULL),
            };
            // The graph has them until the exec is made.
            // SAFETY: the graph's lock is held. The kernel's module is loaded, as the graph's context keeps it.
            let added = unsafe { self.add_ends(state, native, ends) }?;
            let mut exec = Handle::NULL;
            let mut parameters = InstantiateParameters { flags, upload, node: Handle::NULL, result: 0 };
            let made = {
                let _alone = graph::related();
                // SAFETY: the graph's lock is held; `exec` is writable, and so are the parameters. The stream lives.
                unsafe { api.cuGraphInstantiateWithParams(&mut exec, native, &mut parameters) }
            };
            // Before nodes are named.
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
            Ok(Made {
                exec,
                nodes,
                kept: state.held_apart(),
                next_stamp: graph::next_stamp(),
                memories,
                is_uploaded,
                launches_first,
                shape,
                may_have_attributes: state.may_have_attributes(),
                sets_grids,
                has_managed_copies,
                ends,
            })
        })
    }

    /// Whether an exec of a graph may have copies between managed and pinned memory. If so, the graph is written down at once, unless a
    /// capture goes into it.
    ///
    /// # Safety
    /// `native` is the graph of `state`, whose lock is held; the context is current.
    unsafe fn may_have_managed_copies(&self, state: &mut State, native: api::Graph) -> bool {
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
    unsafe fn add_ends(&self, state: &State, native: api::Graph, ends: Option<Function>) -> Edited<Option<Ends>> {
        let Some(kernel) = ends else { return Ok(None) };
        // SAFETY: passed on to the caller.
        match unsafe { state.can_have_ends(self.api(), native) }? {
            // SAFETY: as above.
            true => Ok(Some(unsafe { Ends::add(self.device, native, kernel) }?)),
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
    pub(super) fn exec_native(&self, exec: ExecId) -> Result<usize> {
        callbacks::check_caller()?;
        let exec = self.exec(exec);
        exec.given_out.store(true, Ordering::Release);
        lock(&exec.memories).iter().for_each(|(memory, _)| memory.lose_sight());
        exec.with(api::Exec::number).ok_or_else(|| no_such("graph exec"))
    }

    pub(super) fn exec_destroy(&self, id: ExecId) {
        let Some(exec) = lock(&self.execs).remove(&id) else { return };
        self.names.exec_gone(id, exec.nodes);
        {
            let _relaxed = Relaxed::enter(self.api());
            let _ = exec.end(|native| {
                let _alone = graph::related();
                // SAFETY: taken out of its place, so that it is destroyed once and no launch begins any more; its graph's lock
                // is held.
                unsafe { self.api().cuGraphExecDestroy(native) }
            });
        }
        exec.behind.forget(self.api());
        let users = self.users_of(&exec);
        let kept = std::mem::take(&mut *lock(&exec.kept));
        kept.iter().for_each(|list| self.tell_users(list, &users));
        let calls = std::mem::take(&mut *lock(&exec.calls));
        calls.into_values().for_each(|calls| self.release_calls(calls, &users));
        garbage::end(kept);
    }

    /// An exec that lives.
    #[inline]
    pub(super) fn exec(&self, id: ExecId) -> &Exec {
        // SAFETY: core holds the exec whose id it passes, so that it is not destroyed, and `execs` holds it until then.
        unsafe { address::object(id.0) }
    }
}
