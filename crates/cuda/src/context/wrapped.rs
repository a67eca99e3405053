//! Graphs and execs of others. Others may change them as those whose handles were given out.

use std::sync::atomic::Ordering;
use std::sync::Arc;

use crate::api::answers::no_address;
use crate::api::{self, address, DriverError, Handle};
use crate::captures::registry::CAPTURES;
use crate::exec::instantiate::flags_of;
use crate::exec::{Exec, ExecFacts, Made};
use crate::graph::listing::nodes;
use crate::graph::state::is_inner;
use crate::graph::{must_launch_first, next_stamp, node_count, Graph, GraphState, NodeTable, Root};
use crate::memory::managed;
use crate::shared::Shared;
use crate::streams::foreign_streams::others;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::lock;
use graphcap_driver::ids::lost_graph;
use graphcap_driver::{callbacks, ExecId, GraphId, WrappedExec};

impl Shared {
    /// Makes a graph of others known, or finds it: true if it was not known.
    pub(crate) fn wrap_graph(&self, native: usize) -> Result<(GraphId, bool)> {
        callbacks::check_caller()?;
        check_there(native, "graph")?;
        let native = Handle::from_number(native);
        if let Some((known, _)) = CAPTURES.find_graph(native) {
            return self.id_of_graph(&known).map(|id| (id, false)).ok_or_else(|| known_elsewhere("graph"));
        }
        let _current = self.map_error(self.device.enter())?;
        // SAFETY: the caller promises a graph that no other thread uses; the driver refuses one that was destroyed.
        let listed = unsafe { nodes(self.api(), native) };
        let listed = self.map_error_with(
            listed,
            Status::INVALID_VALUE,
            "the handle is that of no graph, or of one that was destroyed",
        )?;
        let mut table = NodeTable::default();
        table.update(listed);
        let graph = Graph::new(native, table);
        graph.with_state(|native, state| {
            state.given_out = true;
            CAPTURES.know_graph(native, state);
            CAPTURES.set_borrowed(native, true);
        });
        Ok((self.enter_graph(graph)?, true))
    }

    /// A graph of others is destroyed with its id from here on.
    pub(crate) fn own_graph(&self, graph: GraphId) {
        let graph = self.find_graph(graph);
        graph.into_iter().for_each(|graph| _ = graph.with(|native| CAPTURES.set_borrowed(native, false)));
    }

    /// Makes an exec of others known, made of `graph` as it is, or finds it.
    pub(crate) fn wrap_exec(&self, native: usize, graph: Option<GraphId>) -> Result<WrappedExec> {
        callbacks::check_caller()?;
        check_there(native, "graph exec")?;
        let native: api::ExecHandle = Handle::from_number(native);
        let _current = self.map_error(self.device.enter())?;
        let mut flags = 0;
        // SAFETY: the caller promises an exec that no other thread uses; the driver refuses one that was destroyed. `flags` is writable.
        let asked = unsafe { self.api().cuGraphExecGetFlags(native, &mut flags) };
        self.map_error_with(
            asked,
            Status::INVALID_VALUE,
            "the handle is that of no graph exec, or of one that was destroyed",
        )?;
        let flags = flags_of(flags);
        let found = lock(&self.objects.execs)
            .iter()
            .find(|(_, known)| known.is(native))
            .map(|(&id, known)| (id, known.facts.nodes));
        if let Some((id, nodes)) = found {
            return Ok(WrappedExec { id, is_new: false, nodes, flags });
        }
        if others(self).any(|other| lock(&other.objects.execs).values().any(|known| known.is(native))) {
            return Err(known_elsewhere("graph exec"));
        }
        let graph = graph.map(|graph| self.find_outermost(graph).map_err(|_| is_inner())).transpose()?;
        let (root, made) = match graph {
            Some(graph) => {
                let made = graph.with_state(|of, state| self.exec_of(native, of, state, flags.node_priorities));
                let made = made.ok_or_else(lost_graph)?;
                (graph.into_root(), self.map_error(made)?)
            }
            None => without_graph(native, flags.node_priorities),
        };
        let exec = Arc::new(Exec::new(made, root));
        exec.given_out.store(true, Ordering::Release);
        exec.is_borrowed.store(true, Ordering::Release);
        lock(&exec.memories).lose_sight();
        let nodes = exec.facts.nodes;
        let id = address::id_of(&exec, 0).map(ExecId).ok_or_else(no_address)?;
        lock(&self.objects.execs).insert(id, exec);
        Ok(WrappedExec { id, is_new: true, nodes, flags })
    }

    /// An exec that others made of the graph `of`, whose lock is held.
    fn exec_of(
        &self,
        exec: api::ExecHandle,
        of: api::GraphHandle,
        state: &mut GraphState,
        node_priorities: bool,
    ) -> Result<Made, DriverError> {
        let api = self.api();
        // SAFETY: the graph's lock is held.
        let nodes = unsafe { node_count(api, of) }?;
        // SAFETY: as above.
        unsafe { state.name_all(api, of, nodes) }?;
        // SAFETY: as above.
        let launches_first = unsafe { must_launch_first(api, of, nodes) }?;
        let facts = facts(nodes, launches_first, node_priorities);
        let facts = ExecFacts { shape: state.shape_for_exec(), ..facts };
        Ok(Made { exec, facts, memories: state.memories(), is_uploaded: false, timed: None })
    }
}

/// An exec of which no graph is known, with a lock of its own. It is not uploaded before its first launch, which crashes in the driver
/// with some nodes.
fn without_graph(exec: api::ExecHandle, node_priorities: bool) -> (Root, Made) {
    let graph = Graph::new(Handle::NULL, NodeTable::default());
    let mut state = lock(&graph.root);
    state.native = None;
    let memories = state.memories();
    drop(state);
    (
        graph.into_root(),
        Made { exec, facts: facts(0, true, node_priorities), memories, is_uploaded: false, timed: None },
    )
}

fn facts(nodes: usize, launches_first: bool, node_priorities: bool) -> ExecFacts {
    ExecFacts {
        nodes,
        next_stamp: next_stamp(),
        shape: Arc::default(),
        launches_first,
        node_priorities,
        may_have_attributes: true,
        sets_grids: false,
        has_managed_copies: managed::is_known(),
        ends: None,
    }
}

#[cold]
fn known_elsewhere(what: &str) -> Error {
    Error::new(Status::INVALID_CONTEXT, format!("the {what} has a handle of another context; use or destroy that"))
}

/// Refuses an address at which there is no memory, where the driver would fault.
fn check_there(native: usize, what: &str) -> Result<()> {
    match native.is_multiple_of(align_of::<usize>()) && is_readable(native) {
        true => Ok(()),
        false => Err(Error::invalid_value(format!(
            "{native:#x} is no handle of a {what}: no memory of this process is at that address; pass the CUgraph or CUgraphExec itself"
        ))),
    }
}

/// Returns whether the process can read the word at an address; true where the system does not tell.
fn is_readable(address: usize) -> bool {
    let mut word = 0_usize;
    let here = libc::iovec { iov_base: (&raw mut word).cast(), iov_len: size_of::<usize>() };
    let there = libc::iovec { iov_base: std::ptr::with_exposed_provenance_mut(address), iov_len: size_of::<usize>() };
    // SAFETY: `word` is writable; the system answers EFAULT where it cannot read the other address.
    let read = unsafe { libc::process_vm_readv(libc::getpid(), &here, 1, &there, 1, 0) };
    read >= 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::EFAULT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_not_mapped_is_no_handle() {
        let word = 0_usize;
        let here = (&raw const word).expose_provenance();
        assert!(check_there(here, "graph").is_ok());
        for wrong in [here + 1, 8, usize::MAX - 7] {
            assert!(check_there(wrong, "graph").unwrap_err().message.contains("graph"), "{wrong:#x}");
        }
    }
}
