//! Edits of execs: nodes that do other work or nothing, and the release of what they superseded.

use std::iter;
use std::sync::atomic::Ordering;
use std::sync::Arc;

use crate::api;
use crate::code::function::HostCalls;
use crate::context::CudaContext;
use crate::deferred;
use crate::exec::Exec;
use crate::graph::managed_copies;
use crate::graph::{because, launch_digest, never_set, of_exec, of_kind, related, Edited, Found, Locked};
use crate::memory::Resource;
use crate::shared::Shared;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::ids::no_such;
use graphcap_driver::refusals::cooperative;
use graphcap_driver::rules::exec_update::{Change, Facts, HostSide};
use graphcap_driver::rules::switching_off::keeps_its_place;
use graphcap_driver::{
    callbacks, ExecEdits, ExecId, GraphId, Launch, Lists, MemcpyRows, NodeId, NodeKind, Retained, Users, Work,
};

impl ExecEdits for CudaContext {
    fn exec_set(&self, id: ExecId, node: NodeId, work: &Work<'_>) -> Result<()> {
        let superseded = match work {
            Work::Child(child) => self.set_child_of_exec(id, node, *child)?,
            Work::Conditional(_) | Work::MemAlloc(_) | Work::MemFree(_) => {
                self.edit_exec(id, node, |_, _, found| Err(never_set(found.kind()?, work.kind()).into()))?
            }
            // What most nodes are.
            Work::Kernel(launch) if launch.attributes.is_empty() => {
                return self.set_kernels_of_exec(id, iter::once((node, launch))).1
            }
            work => self.with_parameters(work, |device, parameters| {
                self.edit_exec(id, node, |exec, native, found| {
                    if !found.has_attributes(self.device, parameters.attributes())? {
                        return Err(attributes_stay().into());
                    }
                    if let Work::Memcpy { rows, .. } = work {
                        self.check_host_side(exec, node, rows)?;
                    }
                    // SAFETY: the lock of the exec's graph is held, and the node is of the graph.
                    unsafe { parameters.exec_set(device, native, found.handle) }.map_err(|refusal| {
                        let failure = match work {
                            Work::Kernel(launch) => self.kernel_not_set(refusal, launch),
                            work => of_exec(self.api(), refusal, work),
                        };
                        of_kind(found.kind().ok(), work.kind(), failure)
                    })?;
                    parameters.launch().into_iter().for_each(|launch| exec.note_kernel(node, || launch));
                    exec.note_launches(|| parameters.launch().map(|launch| (node, launch)));
                    let call =
                        parameters.call().map(|call| exec.calls_now(node, HostCalls::from_elem(Arc::clone(call), 1)));
                    Ok(call.unwrap_or_default())
                })
            })?,
        };
        if !superseded.is_empty() {
            self.release_calls(superseded, &self.users_of(self.exec(id)));
        }
        Ok(())
    }

    fn exec_set_kernels(&self, exec: ExecId, launches: &[(NodeId, Launch<'_>)]) -> (usize, Result<()>) {
        self.set_kernels_of_exec(exec, launches.iter().map(|(node, launch)| (*node, launch)))
    }

    fn exec_enable(&self, exec: ExecId, node: NodeId, is_enabled: bool) -> Result<()> {
        self.edit_exec(exec, node, |exec, native, found| {
            if !is_enabled {
                self.check_disabled(exec, node, found)?;
            }
            let _current = self.device.enter()?;
            // SAFETY: the lock of the exec's graph is held, and the node is of the graph.
            unsafe { self.api().cuGraphNodeSetEnabled(native, found.handle, is_enabled.into()) }?;
            exec.traced.timed.iter().for_each(|timed| timed.switch(node, is_enabled));
            Ok(())
        })
        .map_err(not_switched)
    }

    fn exec_is_enabled(&self, exec: ExecId, node: NodeId) -> Result<bool> {
        self.ask_exec(exec, node, |_, native, found| {
            let mut is_enabled = 0;
            // SAFETY: the lock of the exec's graph is held, and the node is of the graph; the output is writable.
            unsafe { self.api().cuGraphNodeGetEnabled(native, found.handle, &mut is_enabled) }?;
            Ok(is_enabled != 0)
        })
        .map_err(not_switched)
    }

    fn exec_let_go(&self, exec: ExecId, superseded: Lists) {
        let users = self.users_of(self.exec(exec));
        superseded.iter().for_each(|list| self.tell_users(list, &users));
        deferred::drop_now(superseded);
    }
}

impl CudaContext {
    /// Refuses nodes whose disabling the driver gets wrong: cooperative kernels, and memsets that would lose their place in the order.
    fn check_disabled(&self, exec: &Exec, node: NodeId, found: &mut Found<'_, '_>) -> Edited<()> {
        if found.may_be_cooperative(self.device)? {
            return Err(cooperative().into());
        }
        if found.kind()? == NodeKind::Memset {
            self.write_down_of(exec, found.graph)?;
            if !exec.facts.shape.outline().is_some_and(|graph| keeps_its_place(graph, node.0)) {
                return Err(memset_loses_its_place().into());
            }
        }
        Ok(())
    }

    /// Refuses a copy of pageable memory where the exec was made with one between managed and pinned memory.
    fn check_host_side(&self, exec: &Exec, node: NodeId, copy: &MemcpyRows) -> Edited<()> {
        if !exec.facts.has_managed_copies {
            return Ok(());
        }
        let is_managed = exec.facts.shape.outline().is_none_or(|outline| {
            // Nodes within those of the graph are not told from each other.
            outline.find(node.0).map_or_else(
                || outline.nodes.iter().any(|node| node.graphs.iter().any(managed_copies::has_some)),
                |node| matches!(node.facts, Facts::Memcpy { host: HostSide::PinnedOfManaged, .. }),
            )
        });
        let _current = self.device.enter()?;
        match is_managed && managed_copies::host_side_of(self.api(), copy) == HostSide::Pageable {
            true => Err(Error::invalid_value(Change::CopyPageable.sentence()).into()),
            false => Ok(()),
        }
    }
}

impl Exec {
    /// Returns whether the graph of a child node may have copies between managed and pinned memory.
    fn has_managed_child(&self, node: NodeId) -> bool {
        let child = self.facts.shape.outline().and_then(|outline| outline.find(node.0));
        self.facts.has_managed_copies && child.is_none_or(|child| child.graphs.iter().any(managed_copies::has_some))
    }
}

impl Shared {
    /// Makes `edit` with an exec, the driver's handle of it, and one of its nodes, while no other call uses the exec or its graph.
    fn edit_exec<T>(
        &self,
        id: ExecId,
        node: NodeId,
        edit: impl FnOnce(&Exec, api::ExecHandle, &mut Found<'_, '_>) -> Edited<T>,
    ) -> Result<T> {
        callbacks::check_caller()?;
        self.prepare(self.exec(id));
        self.with_node_of_exec(id, node, edit).inspect(|_| self.exec(id).traced.forget())
    }

    /// Makes `ask` as [`Shared::edit_exec`] does, without an upload.
    fn ask_exec<T>(
        &self,
        id: ExecId,
        node: NodeId,
        ask: impl FnOnce(&Exec, api::ExecHandle, &mut Found<'_, '_>) -> Edited<T>,
    ) -> Result<T> {
        callbacks::check_caller()?;
        self.with_node_of_exec(id, node, ask)
    }

    #[inline]
    fn with_node_of_exec<T>(
        &self,
        id: ExecId,
        node: NodeId,
        call: impl FnOnce(&Exec, api::ExecHandle, &mut Found<'_, '_>) -> Edited<T>,
    ) -> Result<T> {
        let exec = self.exec(id);
        self.made(self.lock_at(&exec.root, None, no_graph, |graph| {
            let _alone = graph.state.alone();
            let native = exec.native(graph.state);
            let mut found = Found::of(graph, node, exec.facts.next_stamp)?;
            call(exec, native.ok_or_else(|| no_such("graph exec"))?, &mut found)
        }))
    }

    /// Makes nodes of an exec be kernels, one after another, with the attributes that they have. Gives how many became so.
    fn set_kernels_of_exec<'l>(
        &self,
        id: ExecId,
        launches: impl Iterator<Item = (NodeId, &'l Launch<'l>)>,
    ) -> (usize, Result<()>) {
        let (exec, mut done) = (self.exec(id), 0);
        let set = |graph: &mut Locked<'_>| {
            let _alone = graph.state.alone();
            let native = exec.native(graph.state).ok_or_else(|| no_such("graph exec"))?;
            let _current = self.device.enter()?;
            let (api, mut relaunched) = (self.api(), exec.relaunched());
            for (node, launch) in launches {
                let found = Found::of(graph, node, exec.facts.next_stamp)?;
                self.with_kernel_parameters(launch, |kernel| {
                    // SAFETY: the lock of the exec's graph is held, and the node is of the graph. What the parameters point to lives.
                    let set = unsafe { api.cuGraphExecKernelNodeSetParams_v2(native, found.handle, kernel) };
                    set.map_err(|refusal| {
                        of_kind(found.kind().ok(), NodeKind::Kernel, self.kernel_not_set(refusal, launch))
                    })?;
                    exec.note_kernel(node, || launch_digest(kernel));
                    if let Some(relaunched) = &mut relaunched {
                        relaunched.set(node, launch_digest(kernel));
                    }
                    Edited::Ok(())
                })?;
                done += 1;
            }
            Ok(())
        };
        let set = callbacks::check_caller().and_then(|()| {
            self.prepare(exec);
            self.made(self.lock_at(&exec.root, None, no_graph, set))
        });
        if done > 0 {
            exec.traced.forget();
        }
        (done, set)
    }

    /// Makes a child node of an exec run a copy of another graph, of the same nodes and edges.
    fn set_child_of_exec(&self, id: ExecId, node: NodeId, child: GraphId) -> Result<HostCalls> {
        let exec = self.exec(id);
        self.prepare(exec);
        let set = |graph: &mut Locked<'_>, child: api::GraphHandle, calls: HostCalls| {
            let native = exec.native(graph.state);
            let found = Found::of(graph, node, exec.facts.next_stamp)?;
            let native = native.ok_or_else(|| no_such("graph exec"))?;
            // A kernel of an exec is set with a current context alone, and the child may have some.
            let _current = self.device.enter()?;
            // SAFETY: the locks of both graphs are held; the context is current.
            if exec.has_managed_child(node) && unsafe { self.has_copy(child, HostSide::Pageable) }? {
                return Err(Error::new(Status::GRAPH_EXEC_UPDATE_FAILURE, Change::CopyPageable.sentence()).into());
            }
            {
                let _alone = related();
                // SAFETY: the locks of both graphs are held, and the node is of the one that the exec was made from.
                unsafe { self.api().cuGraphExecChildGraphNodeSetParams(native, found.handle, child) }.map_err(
                    |refusal| {
                        let failure = match refusal.status {
                            Status::GRAPH_EXEC_UPDATE_FAILURE => because(self.api(), refusal, OTHER_CHILD),
                            _ => refusal.into(),
                        };
                        of_kind(found.kind().ok(), NodeKind::Child, failure)
                    },
                )?;
            }
            Ok(exec.calls_now(node, calls))
        };
        self.with_child_of_exec(&exec.root, child, no_graph, set).inspect(|_| exec.traced.forget())
    }

    /// Uploads an exec that is about to be edited, unless it was: one that is edited before is slower for good (by a sixth,
    /// driver 580).
    pub(super) fn prepare(&self, exec: &Exec) {
        if exec.must_not_be_uploaded() {
            return;
        }
        if !exec.is_prepared.load(Ordering::Acquire) && !exec.is_prepared.swap(true, Ordering::AcqRel) {
            // SAFETY: the lock of the exec's graph is held. Where it is refused the exec works as well.
            let _ = exec.with(|native| unsafe { self.uploads.upload(self.device, native) });
        }
    }

    /// The streams whose work may use what the exec uses.
    pub(crate) fn users_of(&self, exec: &Exec) -> Users {
        let mut users = exec.used_by.users();
        if exec.given_out.load(Ordering::Acquire) {
            users.add(self.memory.foreign());
        }
        users
    }

    /// Tells `retained` of the streams whose work may still use it.
    pub(crate) fn tell_users(&self, retained: &Retained, users: &Users) {
        if users.is_empty() {
            return;
        }
        let snapshots = retained.used_by(users, &|stream| self.is_over(stream));
        if !snapshots.is_empty() {
            self.release_resource(Resource::Snapshots(snapshots), users);
        }
    }

    /// Lets go of host functions that an exec called when it was launched on the streams of `users`.
    pub(crate) fn release_calls(&self, calls: HostCalls, users: &Users) {
        match users.is_empty() {
            true => drop(calls),
            false => self.release_resource(Resource::Adopted(Box::new(move || drop(calls))), users),
        }
    }
}

/// Meaning of the driver's refusal of another child.
const OTHER_CHILD: &str =
    "the child does not have the nodes of the node's graph, of the same kinds, in the same order and with the \
                           same edges; set the node of the graph and instantiate it anew, as gc_graph_exec_apply() does";

#[cold]
fn no_graph() -> Error {
    Error::invalid_value(
        "the graph that the exec was made from is gone, and with it the nodes by which an exec is edited; keep the graph as long",
    )
}

#[cold]
fn attributes_stay() -> Error {
    Error::invalid_value(
        "the launch attributes of a kernel cannot be changed in an exec; change those of the node in the graph, and make another \
         exec",
    )
}

/// Returns what the driver's refusal to enable or disable a node means.
#[cold]
fn not_switched(error: Error) -> Error {
    match error.status {
        Status::INVALID_VALUE => Error::new(
            error.status,
            format!("only kernels, copies and memsets of the exec can be enabled and disabled; {}", error.message),
        ),
        _ => error,
    }
}

/// Returns what `rules/switching_off.rs` tells.
#[cold]
fn memset_loses_its_place() -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        "a memset of one row cannot be disabled in an exec with several branches, nor right behind a conditional: the driver would let \
         what comes behind it begin too early; set the memset to memory that nobody reads",
    )
}
