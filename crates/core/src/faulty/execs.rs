//! Execs. A launch checks that all is there that its nodes need.

use std::sync::Arc;

use super::forward::{forward, plain};
use super::work::Nodes;
use super::Faulty;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::rules::apply_route::Costs;
use graphcap_driver::*;

impl Faulty {
    pub(crate) fn uploads(&self) -> usize {
        self.state().uploads
    }

    /// An update has so many kernels replay slower from here on.
    pub(crate) fn relaunch(&self, kernels: usize) {
        self.state().relaunches = kernels;
    }

    /// The kernels that were noted to replay slower.
    pub(crate) fn noted_slower(&self) -> Vec<NodeId> {
        self.state().noted_slower.clone()
    }

    /// The next update is refused, whatever was told before.
    pub(crate) fn refuse_next_update(&self) {
        self.state().refuses_update = true;
    }

    /// Returns what the nodes of a graph need.
    fn nodes_of(&self, graph: GraphId) -> Result<Nodes> {
        let mut nodes = Nodes::new();
        let mut read = |node, work: &Work<'_>| _ = nodes.insert(node, self.state().needs(work));
        self.host.graph_work(graph, ReadKernels::All, &mut read)?;
        Ok(nodes)
    }

    /// The nodes of an exec, by the ids that they had, do from here on what those of a graph do.
    fn set_nodes(&self, exec: ExecId, new: Nodes) {
        if let Some((nodes, _)) = self.state().execs.get_mut(&exec) {
            nodes.values_mut().zip(new.into_values()).for_each(|(needs, new)| *needs = new);
        }
    }

    /// Drops what is kept, as a driver that is told of users, instead of holding what launches in flight need.
    fn let_go(&self, users: &Users, kept: Lists) {
        for retained in kept.iter().filter(|_| !users.is_empty()) {
            let snapshots = retained.used_by(users, &|_| false);
            self.state().snapshots.extend(snapshots);
        }
    }
}

impl Execs for Faulty {
    fn graph_instantiate_with(
        &self,
        graph: GraphId,
        flags: ExecFlags,
        upload: Option<StreamId>,
        ends: Option<KernelId>,
    ) -> Result<(ExecId, usize)> {
        self.call("graph_instantiate", || {
            let (exec, count) = self.host.graph_instantiate_with(graph, flags, upload, ends)?;
            let nodes = self.nodes_of(graph)?;
            let state = &mut *self.state();
            state.uploads += usize::from(upload.is_some());
            state.execs.insert(exec, (nodes, Users::new()));
            Ok((exec, count))
        })
    }
    fn exec_destroy(&self, exec: ExecId, kept: Lists) {
        let destroyed = self.call("exec_destroy", || {
            self.host.exec_destroy(exec, Lists::new());
            let state = &mut *self.state();
            let found = state.execs.remove(&exec);
            if found.is_none() {
                state.violation(format!("{exec:?} destroyed twice"));
            }
            Ok(found)
        });
        if let Ok(Some((_, users))) = destroyed {
            self.let_go(&users, kept);
        }
    }
    fn exec_upload(&self, exec: ExecId, stream: StreamId) -> Result<()> {
        self.call_noting("exec_upload", || self.host.exec_upload(exec, stream), |state, ()| state.uploads += 1)
    }
    fn exec_launch(&self, exec: ExecId, stream: StreamId) -> Result<()> {
        self.call_noting(
            "exec_launch",
            || self.host.exec_launch(exec, stream),
            |state, ()| {
                state.ordered.push(("launch", stream));
                let Some((nodes, users)) = state.execs.get_mut(&exec) else { return };
                users.add(stream);
                let nodes = nodes.clone();
                state.replay(&nodes, stream);
            },
        )
    }
    fn byte_model(&self) -> ByteModel {
        ByteModel::Cuda
    }
    forward! { fn exec_flags(&self, exec: ExecId) -> Result<ExecFlags>; }
    plain! {
        fn gains_by_ends(&self) -> bool;
        fn marks_by_events(&self) -> bool;
        fn watches_conditions(&self) -> bool;
        fn exec_within(&self, exec: ExecId) -> Vec<RunningBody>;
        fn exec_in_trace(&self, exec: ExecId) -> u32;
        fn exec_call_by(&self, exec: ExecId, names: Arc<dyn ExecNames>);
    }
}

impl ExecEdits for Faulty {
    fn exec_set(&self, exec: ExecId, node: NodeId, work: &Work<'_>) -> Result<()> {
        self.call_noting(
            "exec_set",
            || self.host.exec_set(exec, node, work),
            |state, ()| {
                let needs = state.needs(work);
                state.execs.get_mut(&exec).map(|(nodes, _)| nodes.insert(node, needs));
            },
        )
    }
    forward! {
        fn exec_enable(&self, exec: ExecId, node: NodeId, is_enabled: bool) -> Result<()>;
        fn exec_is_enabled(&self, exec: ExecId, node: NodeId) -> Result<bool>;
    }
    fn exec_let_go(&self, exec: ExecId, superseded: Lists) {
        let users = self.call("exec_let_go", || Ok(self.state().execs[&exec].1.clone())).unwrap_or_default();
        self.let_go(&users, superseded);
    }
}

impl ExecUpdates for Faulty {
    fn exec_update(&self, exec: ExecId, graph: GraphId, differing: Differing) -> Result<Update> {
        self.call("exec_update", || {
            if std::mem::take(&mut self.state().refuses_update) {
                let refused = Some(Error::new(Status::GRAPH_EXEC_UPDATE_FAILURE, "the test says so"));
                return Ok(Update { refused, ..Update::default() });
            }
            let update = self.host.exec_update(exec, graph, differing)?;
            if update.refused.is_none() {
                self.set_nodes(exec, self.nodes_of(graph)?);
            }
            Ok(update)
        })
    }
    fn exec_update_nodes(&self, exec: ExecId, graph: GraphId, nodes: &[NodeId]) -> Result<Update> {
        self.call("exec_update_nodes", || {
            let update = self.host.exec_update_nodes(exec, graph, nodes)?;
            self.set_nodes(exec, self.nodes_of(graph)?);
            Ok(update)
        })
    }
    fn exec_can_update(&self, exec: ExecId, graph: GraphId) -> Result<Update> {
        self.call("exec_can_update", || {
            let update = self.host.exec_can_update(exec, graph)?;
            let state = self.state();
            let slower = state.relaunches;
            match update.refused {
                None if slower > 0 => {
                    let nodes = state.execs[&exec].0.keys().take(slower).copied().collect();
                    Ok(update.with_slower(nodes, slower))
                }
                _ => Ok(update),
            }
        })
    }
    fn exec_note_slower(&self, exec: ExecId, relaunched: &[NodeId]) {
        self.host.exec_note_slower(exec, relaunched);
        self.state().noted_slower.extend(relaunched);
    }
    forward! {
        fn exec_counterparts(&self, exec: ExecId, graph: GraphId) -> Result<Option<Vec<(NodeId, NodeId)>>>;
        fn exec_go_behind(&self, exec: ExecId, before: ExecId) -> Result<()>;
    }
    fn update_costs(&self) -> Costs {
        Costs {
            set: (100, 0, 400),
            update: (300, 200),
            launch_after_set: (0, 40),
            launch_after_update: 40,
            anew: (1_000, 3_000),
            slower: (100, 3),
        }
    }
}
