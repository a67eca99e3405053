//! Edits of execs, by the ids of the nodes of the graphs that they were made from.

use std::sync::Arc;

use super::HostContext;
use graphcap_base::error::{Error, Result};
use graphcap_driver::ids::not_of_graph;
use graphcap_driver::refusals::too_new;
use graphcap_driver::{ExecEdits, ExecId, Lists, NodeId, Streams, Users, Work};

impl ExecEdits for HostContext {
    fn exec_set(&self, exec: ExecId, node: NodeId, work: &Work<'_>) -> Result<()> {
        self.check_call()?;
        self.check_has_node(exec, node)?;
        let action = self.settable_action(work, None)?;
        self.set_in_exec(exec, node, action)
    }

    fn exec_enable(&self, exec: ExecId, node: NodeId, is_enabled: bool) -> Result<()> {
        self.check_call()?;
        self.check_has_node(exec, node)?;
        self.enable_in_exec(exec, node, is_enabled)
    }

    fn exec_is_enabled(&self, exec: ExecId, node: NodeId) -> Result<bool> {
        self.check_call()?;
        self.check_has_node(exec, node)?;
        self.is_enabled_in_exec(exec, node)
    }

    fn exec_let_go(&self, exec: ExecId, superseded: Lists) {
        self.let_go(&self.users_of_exec(exec), superseded);
    }
}

impl HostContext {
    /// Drops what an exec kept that was launched on the streams of `users`. Launches that are still queued do not hold it: it holds the
    /// context, which gives up the waits of its default streams when it goes. Their plans have what they need, snapshots among it, but
    /// for memory and events, which go when the streams are done that they are told of here.
    pub(super) fn let_go(&self, users: &Users, kept: Lists) {
        if !users.is_empty() {
            kept.iter().for_each(|list| drop(list.used_by(users, &|stream| self.stream_is_over(stream))));
        }
    }

    /// Checks that the graph which the exec was made from still has the node.
    fn check_has_node(&self, exec: ExecId, node: NodeId) -> Result<()> {
        let exec = Arc::clone(&*self.exec(exec)?);
        let (_, path) = exec.lineage().places.find(node).map_err(|error| {
            let is_newer = self.graph(exec.lineage().graph, |graph| graph.definition.has(node)).unwrap_or(false);
            if is_newer {
                too_new(node)
            } else {
                error
            }
        })?;
        let found = self.graph(exec.lineage().graph, |graph| {
            graph.at(&path).map_err(|_| not_of_graph(node)).and_then(|definition| definition.slot(node).map(drop))
        });
        found.unwrap_or_else(|_| {
            Err(Error::invalid_value(
                "the graph that the exec was made from is destroyed; keep it as long as its execs are edited",
            ))
        })
    }
}
