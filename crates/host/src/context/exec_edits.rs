//! Edits of execs, by the ids of the nodes of the graphs that they were made from.

use std::sync::Arc;

use smallvec::SmallVec;

use super::HostContext;
use crate::graph::Action;
use graphcap_base::error::{Error, Result};
use graphcap_driver::ids::not_of_graph;
use graphcap_driver::refusals::too_new;
use graphcap_driver::{ExecEdits, ExecId, Launch, Lists, NodeId, Streams, Users, Work};

impl ExecEdits for HostContext {
    fn exec_set(&self, exec: ExecId, node: NodeId, work: &Work<'_>) -> Result<()> {
        self.check_call()?;
        self.check_has_node(exec, node)?;
        let action = self.settable_action(work, None)?;
        self.set_in_exec(exec, &mut [(node, action)]).1
    }

    fn exec_set_kernels(&self, exec: ExecId, launches: &[(NodeId, Launch<'_>)]) -> (usize, Result<()>) {
        let mut actions = SmallVec::<[(NodeId, Action); 1]>::with_capacity(launches.len());
        let mut made = self.check_call().and_then(|()| {
            let (known, refused) = self.check_has_nodes(exec, launches.iter().map(|&(node, _)| node));
            for (node, launch) in launches.iter().take(known) {
                actions.push((*node, self.settable_action(&Work::Kernel(*launch), None)?));
            }
            refused
        });
        if actions.is_empty() {
            return (0, made);
        }
        let (done, set) = self.set_in_exec(exec, &mut actions);
        if set.is_err() {
            made = set;
        }
        (done, made)
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
        self.check_has_nodes(exec, std::iter::once(node)).1
    }

    /// Checks that the graph which the exec was made from still has the nodes. Gives how many of the first it has, and why it does not have
    /// the next one.
    fn check_has_nodes(&self, exec: ExecId, nodes: impl Iterator<Item = NodeId>) -> (usize, Result<()>) {
        let mut known = 0;
        let exec = match self.exec(exec) {
            Ok(found) => Arc::clone(&*found),
            Err(error) => return (known, Err(error)),
        };
        let checked = self.graph(exec.lineage().graph, |graph| {
            for node in nodes {
                let (_, path) = exec.lineage().places.find(node).map_err(|error| match graph.definition.has(node) {
                    true => too_new(node),
                    false => error,
                })?;
                graph.at(&path).map_err(|_| not_of_graph(node))?.slot(node)?;
                known += 1;
            }
            Ok(())
        });
        let checked = checked.unwrap_or_else(|_| {
            Err(Error::invalid_value(
                "the graph that the exec was made from is destroyed; keep it as long as its execs are edited",
            ))
        });
        (known, checked)
    }
}
