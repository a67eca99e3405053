//! The fake driver's updates of execs: nodes are paired in the order in which they were made.

use super::FakeDriver;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::lock;
use graphcap_driver::rules::apply_route::Costs;
use graphcap_driver::rules::exec_update::{pair, Difference, Facts, Terms};
use graphcap_driver::rules::outline::{Outline, OutlinedNode};
use graphcap_driver::*;

fn outline(nodes: &super::work::FakeNodes) -> Outline {
    let facts = |work: &super::work::FakeWork| match work {
        super::work::FakeWork::Plain(work) => Facts::Plain(match work.kind() {
            NodeKind::Memset => "memset",
            NodeKind::Memcpy => "copy",
            _ => "other",
        }),
        super::work::FakeWork::Kernel(..) => Facts::Plain("kernel"),
        super::work::FakeWork::Host(_) => Facts::Plain("host function"),
        super::work::FakeWork::Values(_) => Facts::Plain("value operation"),
    };
    let of = |(id, node): (&u64, &super::work::FakeNode)| OutlinedNode::new(*id, facts(&node.work));
    Outline { nodes: nodes.nodes.iter().map(of).collect() }
}

impl FakeDriver {
    /// An update has so many kernels replay slower from here on.
    pub(crate) fn relaunch(&self, kernels: usize) {
        lock(&self.state).relaunches = kernels;
    }

    /// The kernels that were noted to replay slower.
    pub(crate) fn noted_slower(&self) -> Vec<NodeId> {
        lock(&self.state).noted_slower.clone()
    }

    /// The next update is refused, whatever was told before.
    pub(crate) fn refuse_next_update(&self) {
        lock(&self.state).refuses_update = true;
    }
}

impl ExecUpdates for FakeDriver {
    fn exec_update(&self, exec: ExecId, graph: GraphId, _: Differing) -> Result<Update> {
        self.call("exec_update", |state| {
            if std::mem::take(&mut state.refuses_update) {
                let refused = Some(Error::new(Status::GRAPH_EXEC_UPDATE_FAILURE, "the fake driver says so"));
                return Ok(Update { refused, ..Update::default() });
            }
            let source = state.graphs[&graph].clone();
            let own = &mut state.execs.get_mut(&exec).unwrap().0;
            let paired: std::result::Result<_, Difference> =
                pair(&outline(&own.nodes), &outline(&source.nodes), Terms::default());
            Ok(match paired {
                Ok(pairing) => {
                    // The nodes keep the ids that they had.
                    let updated = source.nodes.nodes.into_values();
                    own.nodes.nodes.values_mut().zip(updated).for_each(|(node, updated)| *node = updated);
                    Update::made(pairing.kept)
                }
                Err(difference) => Update::refused(&difference),
            })
        })
    }
    fn exec_update_nodes(&self, exec: ExecId, graph: GraphId, nodes: &[NodeId]) -> Result<Update> {
        self.call("exec_update_nodes", |state| {
            let mut source = state.graphs[&graph].clone();
            let own = &mut state.execs.get_mut(&exec).unwrap().0;
            for NodeId(node) in nodes {
                *own.nodes.nodes.get_mut(node).unwrap() = source.nodes.nodes.remove(node).unwrap();
            }
            Ok(Update::made(None))
        })
    }
    fn exec_can_update(&self, exec: ExecId, graph: GraphId) -> Result<Update> {
        self.call("exec_can_update", |state| {
            let paired =
                pair(&outline(&state.execs[&exec].0.nodes), &outline(&state.graphs[&graph].nodes), Terms::default());
            Ok(match paired {
                Ok(pairing) => {
                    let own = state.execs[&exec].0.nodes.nodes.keys();
                    let relaunched = own.take(state.relaunches).map(|&node| NodeId(node)).collect();
                    Update::made(pairing.kept).with_slower(relaunched, state.relaunches)
                }
                Err(difference) => Update::refused(&difference),
            })
        })
    }
    fn exec_counterparts(&self, exec: ExecId, graph: GraphId) -> Result<Option<Vec<(NodeId, NodeId)>>> {
        self.call("exec_counterparts", |state| {
            let (own, of_graph) = (&state.execs[&exec].0.nodes.nodes, &state.graphs[&graph].nodes.nodes);
            let pairs = own.keys().zip(of_graph.keys()).map(|(&own, &of_graph)| (NodeId(own), NodeId(of_graph)));
            Ok((own.len() == of_graph.len()).then(|| pairs.collect()))
        })
    }
    fn exec_note_slower(&self, _: ExecId, relaunched: &[NodeId]) {
        lock(&self.state).noted_slower.extend(relaunched);
    }
    fn exec_go_behind(&self, exec: ExecId, before: ExecId) -> Result<()> {
        self.call("exec_go_behind", |state| {
            let is_new = state.execs[&exec].1.is_empty();
            let is_there = state.execs.contains_key(&before);
            if !is_new || !is_there {
                state.violation(format!("{exec:?} goes behind {before:?}"));
            }
            Ok(())
        })
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
