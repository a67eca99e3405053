//! Execs: made from graphs, uploaded, launched.

use std::sync::{Arc, Mutex};

use super::address;
use super::api::{self, Handle, Refusal};
use super::current::{tell_mode, Relaxed};
use super::graph::{self, Root};
use super::history::Launched;
use super::lock;
use super::shared::{no_address, Shared};
use super::stream::Stream;
use crate::driver::ids::no_such;
use crate::driver::{callbacks, ExecId, GraphId, StreamId};
use crate::error::Result;

/// An executable graph. Launches, uploads and edits of one wait for each other.
pub(super) struct Exec {
    /// `None` when it was destroyed.
    native: Mutex<Option<api::Exec>>,
    /// Number of nodes.
    pub(super) nodes: usize,
    root: Root,
}

impl Exec {
    pub(super) fn new(native: api::Exec, nodes: usize, root: Root) -> Exec {
        Exec { native: Mutex::new(Some(native)), nodes, root }
    }

    /// Makes `call` while no other gc_ call uses the exec.
    #[inline]
    pub(super) fn with<T>(&self, call: impl FnOnce(api::Exec) -> T) -> Option<T> {
        // Kept locked for the time of the call.
        let native = lock(&self.native);
        native.map(call)
    }

    /// Takes the driver's exec out and has it destroyed by `destroy`, while no other call uses its graph.
    pub(super) fn end<T>(&self, destroy: impl FnOnce(api::Exec) -> T) -> Option<T> {
        let native = lock(&self.native).take();
        let _root = lock(&self.root);
        native.map(destroy)
    }
}

impl Shared {
    pub(super) fn graph_instantiate(&self, graph: GraphId) -> Result<ExecId> {
        callbacks::check_caller()?;
        self.told(tell_mode(self.api()))?;
        let root = self.find_graph(graph).ok_or_else(|| no_such("graph"))?.root();
        let exec = Arc::new(self.graph(graph, |graph| self.instantiate(graph, root))?);
        let Some(id) = address::id_of(&exec, 0).map(ExecId) else {
            // SAFETY: the exec was just made and nobody else knows it; its graph's lock is held.
            let _ = exec.end(|native| unsafe { self.api().cuGraphExecDestroy(native) });
            return Err(no_address());
        };
        lock(&self.execs).insert(id, exec);
        Ok(id)
    }

    pub(super) fn exec_upload(&self, exec: ExecId, stream: StreamId) -> Result<()> {
        callbacks::check_caller()?;
        let exec = self.exec(exec);
        // SAFETY: stream and exec live, and the exec's lock is held.
        let upload = |stream: &Stream| exec.with(|exec| unsafe { self.api().cuGraphUpload(exec, stream.native) });
        self.submit(stream, |stream| upload(stream).unwrap_or(Ok(())))
    }

    #[inline]
    pub(super) fn exec_launch(&self, exec: ExecId, stream: StreamId) -> Result<()> {
        callbacks::check_caller()?;
        let found = self.exec(exec);
        self.submit(stream, |stream| {
            // SAFETY: stream and exec live, and the exec's lock is held.
            match found.with(|exec| unsafe { self.api().cuGraphLaunch(exec, stream.native) }) {
                Some(launched) => launched?,
                // Destroyed meanwhile; core keeps what it launches.
                None => return Ok(()),
            }
            stream.history.add(Launched::Exec(exec));
            Ok(())
        })
    }

    pub(super) fn exec_destroy(&self, id: ExecId) {
        let Some(exec) = lock(&self.execs).remove(&id) else { return };
        self.names.exec_gone(id, exec.nodes);
        let _relaxed = Relaxed::enter(self.api());
        // SAFETY: taken out of its place, so that it is destroyed once and no launch begins any more; its graph's lock is held.
        let _ = exec.end(|native| unsafe { self.api().cuGraphExecDestroy(native) });
    }

    /// An exec that lives.
    #[inline]
    pub(super) fn exec(&self, id: ExecId) -> &Exec {
        // SAFETY: core holds the exec whose id it passes, so that it is not destroyed, and `execs` holds it until then.
        unsafe { address::object(id.0) }
    }

    fn instantiate(&self, graph: api::Graph, root: graph::Root) -> Result<Exec, Refusal> {
        let api = self.api();
        let _current = self.device.enter()?;
        // SAFETY: the graph's lock is held.
        let nodes = unsafe { graph::node_count(api, graph) }?;
        let mut exec = Handle::NULL;
        // SAFETY: the graph's lock is held; `exec` is writable. The exec holds what the graph holds from here on.
        unsafe { api.cuGraphInstantiateWithFlags(&mut exec, graph, 0) }?;
        Ok(Exec::new(exec, nodes, root))
    }
}
