//! The fake driver's execs. A replay checks that all is there that its nodes need.

use super::graphs::Plan;
use super::work::{FakeWork, Need};
use super::{FakeDriver, State};
use graphcap_base::error::Result;
use graphcap_base::lock::lock;
use graphcap_driver::*;

impl State {
    fn check(&mut self, plan: &Plan) {
        for node in plan.nodes.iter() {
            for need in &node.needs {
                let (alive, what) = match need {
                    Need::Memory(address) => (self.memory.contains_key(address), "memory"),
                    Need::Code(module) => (self.modules.contains(module), "code"),
                    Need::Function(function) => (function.strong_count() > 0, "a host function"),
                    Need::Event(event) => (self.events.contains_key(event), "an event"),
                    Need::Snapshot(bytes) => (bytes.strong_count() > 0, "a snapshot"),
                };
                if !alive {
                    self.violation(format!("a replay needs {what} that is gone"));
                }
            }
        }
    }
}

impl FakeDriver {
    pub(crate) fn uploads(&self) -> usize {
        lock(&self.state).uploads
    }
}

impl FakeDriver {
    /// Drops what is kept, as a driver that is told of users, instead of holding what launches in flight need.
    pub(super) fn let_go(&self, users: &Users, kept: Lists) {
        for retained in kept.iter().filter(|_| !users.is_empty()) {
            let snapshots = retained.used_by(users, &|_| false);
            lock(&self.state).snapshots.extend(snapshots);
        }
    }
}

impl Execs for FakeDriver {
    fn graph_instantiate_with(
        &self,
        graph: GraphId,
        flags: ExecFlags,
        upload: Option<StreamId>,
        _ends: Option<KernelId>,
    ) -> Result<(ExecId, usize)> {
        self.call("graph_instantiate", |state| {
            state.uploads += usize::from(upload.is_some());
            let id = ExecId(state.id());
            let plan = Plan { retained: Lists::new(), ..state.graphs[&graph].clone() };
            let nodes = plan.nodes.len();
            state.execs.insert(id, (plan, Users::new()));
            state.exec_flags.insert(id, flags);
            Ok((id, nodes))
        })
    }
    fn exec_flags(&self, exec: ExecId) -> Result<ExecFlags> {
        self.call("exec_flags", |state| Ok(state.exec_flags[&exec]))
    }
    fn gains_by_ends(&self) -> bool {
        false
    }
    fn marks_by_events(&self) -> bool {
        true
    }
    fn byte_model(&self) -> ByteModel {
        ByteModel::Cuda
    }
    fn exec_destroy(&self, exec: ExecId, kept: Lists) {
        let destroyed = self.call("exec_destroy", |state| {
            let found = state.execs.remove(&exec);
            state.exec_flags.remove(&exec);
            if found.is_none() {
                state.violation(format!("{exec:?} destroyed twice"));
            }
            Ok(found)
        });
        if let Ok(Some((_plan, users))) = destroyed {
            self.let_go(&users, kept);
        }
    }
    fn exec_upload(&self, _: ExecId, stream: StreamId) -> Result<()> {
        self.call_on("exec_upload", stream, |state| {
            state.uploads += 1;
            Ok(())
        })
    }
    fn exec_launch(&self, exec: ExecId, stream: StreamId) -> Result<()> {
        self.call_on("exec_launch", stream, |state| {
            state.ordered.push(("launch", stream));
            let (plan, users) = state.execs.get_mut(&exec).unwrap();
            users.add(stream);
            let plan = plan.clone();
            state.check(&plan);
            for node in plan.nodes.iter() {
                if let FakeWork::Plain(Work::EventRecord(event)) = &node.work {
                    state.events.insert(*event, None);
                }
            }
            for need in plan.nodes.iter().flat_map(|node| &node.needs) {
                match need {
                    Need::Memory(address) => drop(state.memory.get_mut(address).map(|(_, users)| users.insert(stream))),
                    Need::Event(event) => drop(state.event_users.entry(*event).or_default().insert(stream)),
                    Need::Code(_) | Need::Function(_) | Need::Snapshot(_) => {}
                }
            }
            Ok(())
        })
    }
}
