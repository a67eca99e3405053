//! Updates of execs by graphs, of which the rules tell which are accepted.

use std::sync::Arc;

use super::HostContext;
use crate::driver::graphs::held_apart;
use crate::driver::host::graph::condition::Conditions;
use crate::driver::host::graph::flat::Flat;
use crate::driver::host::graph::merge::merge;
use crate::driver::host::graph::nesting::Inner;
use crate::driver::host::graph::{Definition, Graph};
use crate::driver::{ExecId, ExecUpdates, GraphId, Retained, Update, UpdateReport};
use crate::error::{Error, Result, Status};
use crate::rules::exec_update::{Terms, UpdateResult};

/// What a graph gives an exec.
struct Source {
    definition: Arc<Definition>,
    conditions: Conditions,
    retained: Vec<Retained>,
}

impl ExecUpdates for HostContext {
    fn exec_update(&self, exec: ExecId, graph: GraphId, compares_attributes: bool) -> Result<Update> {
        self.check_call()?;
        let lineage = Arc::clone(self.exec(exec)?.lineage());
        let Source { definition, conditions, retained } = self.source(graph)?;
        let terms = Terms { node_priorities: lineage.flags.node_priorities, compares_attributes };
        let origin = lineage.origin();
        let pairing = match origin.pair(&definition, terms) {
            Ok(pairing) => pairing,
            Err(difference) => return Ok(Update::refused(&difference)),
        };
        let merged = merge(&origin, &definition, &pairing);
        match self.update_exec(exec, &merged, conditions, retained) {
            Ok(superseded) => Ok(Update::made(pairing.kept, superseded)),
            Err(error) if error.status == Status::INVALID_VALUE => Ok(not_for_bodies(error)),
            Err(error) => Err(error),
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
                return Ok(not_for_bodies(error));
            }
        }
        Ok(Update::made(pairing.kept, Vec::new()))
    }

    fn exec_was_updated(&self, _: ExecId, superseded: Vec<Retained>) {
        // The version that used it was closed, and has told of its launches.
        drop(superseded);
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
                retained: held_apart(&graph.retained),
            })
        })
    }
}

/// A body would have a node that bodies cannot have.
#[cold]
fn not_for_bodies(error: Error) -> Update {
    Update {
        report: UpdateReport { result: UpdateResult::ParametersChanged, ..UpdateReport::default() },
        refused: Some(Error::new(Status::GRAPH_EXEC_UPDATE_FAILURE, error.message)),
        superseded: Vec::new(),
    }
}
