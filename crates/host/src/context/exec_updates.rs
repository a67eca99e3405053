//! Updates of execs by graphs, of which the rules tell which are accepted.

use std::sync::Arc;

use super::HostContext;
use crate::graph::condition::Conditions;
use crate::graph::flat::Flat;
use crate::graph::merge::merge;
use crate::graph::origin::Origin;
use crate::graph::Inner;
use crate::graph::{Definition, Graph};
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::rules::apply_route::Costs;
use graphcap_driver::rules::exec_update::{pair_by_edges, Terms, UpdateResult};
use graphcap_driver::{Differing, ExecId, ExecUpdates, GraphId, NodeId, Update, UpdateReport};

/// Things that a graph gives an exec.
struct Source {
    definition: Arc<Definition>,
    conditions: Conditions,
}

impl ExecUpdates for HostContext {
    fn exec_update(&self, exec: ExecId, graph: GraphId, differing: Differing) -> Result<Update> {
        self.check_call()?;
        let lineage = Arc::clone(self.exec(exec)?.lineage());
        let Source { definition, conditions } = self.source(graph)?;
        let origin = lineage.origin();
        if origin.is_plainly_alike(&definition) {
            return self.update_exec(exec, &definition.packed(), conditions).map(|()| Update::made(None));
        }
        let compares_attributes = differing != Differing::Kept;
        let terms = Terms { node_priorities: lineage.flags.node_priorities, compares_attributes };
        let pairing = match origin.pair(&definition, terms) {
            Ok(pairing) => pairing,
            Err(difference) => return Ok(Update::refused(&difference)),
        };
        if let Some(kept) = pairing.kept.filter(|_| differing == Differing::Refused) {
            return Ok(Update::keeps_no_attribute(kept));
        }
        let merged = merge(&origin, &definition, &pairing);
        match self.update_exec(exec, &merged, conditions) {
            Ok(()) => Ok(Update::made(pairing.kept)),
            Err(error) if error.status == Status::INVALID_VALUE => Ok(not_allowed(error, None)),
            Err(error) => Err(error),
        }
    }

    fn exec_update_nodes(&self, exec: ExecId, graph: GraphId, nodes: &[NodeId]) -> Result<Update> {
        self.check_call()?;
        let Source { definition, conditions } = self.source(graph)?;
        let mut actions = Vec::with_capacity(nodes.len());
        for &node in nodes {
            actions.push((node, definition.action(node)?));
        }
        match self.update_nodes_of_exec(exec, actions, conditions)? {
            Ok(()) => Ok(Update::made(None)),
            Err((node, error)) => Ok(not_allowed(error, Some(node))),
        }
    }

    fn exec_can_update(&self, exec: ExecId, graph: GraphId) -> Result<Update> {
        self.check_call()?;
        let lineage = Arc::clone(self.exec(exec)?.lineage());
        let Source { definition, .. } = self.source(graph)?;
        let terms = Terms { node_priorities: lineage.flags.node_priorities, compares_attributes: true };
        let origin = lineage.origin();
        let pairing = match origin.pair(&definition, terms) {
            Ok(pairing) => pairing,
            Err(difference) => return Ok(Update::refused(&difference)),
        };
        if definition.is_nested() {
            let merged = merge(&origin, &definition, &pairing);
            if let Err(error) = Flat::of(&merged, self.ordinal()) {
                return Ok(not_allowed(error, None));
            }
        }
        Ok(Update::made(pairing.kept))
    }

    fn exec_counterparts(&self, exec: ExecId, graph: GraphId) -> Result<Option<Vec<(NodeId, NodeId)>>> {
        self.check_call()?;
        let origin = self.exec(exec)?.lineage().origin();
        let Source { definition, .. } = self.source(graph)?;
        let mut pairs = Vec::new();
        let are_alike = pair_by_edges(&*origin, &Origin::of(&definition), &mut pairs);
        Ok(are_alike.then(|| pairs.into_iter().map(|(node, of_graph)| (NodeId(node), NodeId(of_graph))).collect()))
    }

    fn exec_go_behind(&self, exec: ExecId, before: ExecId) -> Result<()> {
        self.check_call()?;
        self.go_behind(exec, before)
    }

    /// As counted and timed on a core of a server. To set a node takes some 0.2 us, and up to 0.8 us more for the first in each chunk of 64, which
    /// is copied where launches may have it: that is counted for all nodes of the exec, as many sets meet all chunks, and few are cheaper
    /// than an update either way. An update compiles all nodes in the call, so that the next launch is as any other. An exec that was
    /// changed replays as fast as a new one, and so it never pays to make one, which costs as much as an update and its memory.
    fn update_costs(&self) -> Costs {
        Costs {
            set: (300, 12, 200),
            update: (1300, 80),
            launch_after_set: (0, 0),
            launch_after_update: 0,
            anew: (0, 0),
            slower: (0, 0),
        }
    }
}

impl HostContext {
    fn source(&self, graph: GraphId) -> Result<Source> {
        self.graph_at(graph, |graph: &mut Graph, path: &[Inner]| {
            if !path.is_empty() {
                return Err(Error::invalid_value(
                    "an exec is not updated by a graph of a node; take the outermost graph, or a clone",
                ));
            }
            Ok(Source {
                definition: Arc::clone(&graph.definition),
                conditions: graph.conditions.iter().cloned().collect(),
            })
        })
    }
}

/// The exec would do what it cannot: this node, or some node of a body.
#[cold]
fn not_allowed(error: Error, node: Option<NodeId>) -> Update {
    let result = UpdateResult::ParametersChanged;
    Update {
        report: UpdateReport { result, exec_node: node, graph_node: node, ..UpdateReport::default() },
        refused: Some(Error::new(Status::GRAPH_EXEC_UPDATE_FAILURE, error.message)),
        ..Update::default()
    }
}
