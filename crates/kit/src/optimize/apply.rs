//! A plan made of a later graph.

use super::arrange::{finish, in_recorded, Found};
use super::inside::{self, Inside};
use super::layouts::{accesses, Accesses};
use super::options::OptimizeOptions;
use super::plan::{Made, Plan};
use super::recorded::Recorded;
use super::report::OptimizeReport;
use graphcap_base::error::Result;
use graphcap_core::Graph;
use graphcap_driver::check_caller;
use graphcap_driver::rules::lanes::Layout;

impl Plan {
    /// Makes of a graph what was made of the one that the plan is of: the same nodes and edges in the same order, so that execs of
    /// both update each other. It is checked that nodes which have to stay ordered do. Takes time for each node, edge and lane.
    /// With `in_place` the graph itself is changed, and given back.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a graph of other nodes or recorded edges than those of the plan's; `GRAPH_EXEC_UPDATE_FAILURE` where two
    /// nodes have to stay ordered that the plan does not order, which the message names; `INVALID_CONTEXT` for a graph of another
    /// context; else as [`optimize`](super::optimize()).
    pub fn apply(&self, graph: &Graph, in_place: bool) -> Result<(Graph, OptimizeReport)> {
        check_caller()?;
        let made = &*self.0;
        made.context.check_same("the plan", graph.context(), "the graph")?;
        if in_place {
            graph.check_not_captured_into()?;
        }
        let options = OptimizeOptions { in_place, ..made.options.clone() };
        let copy = if in_place { graph.clone() } else { graph.duplicate()? };
        let recorded = Recorded::read(&copy)?;
        let (layout, found) = made.check(&copy, &recorded).map_err(|error| match in_place {
            true => error,
            // The nodes that the caller knows are those of the graph.
            false => Recorded::read(graph).and_then(|own| made.check(graph, &own)).err().unwrap_or(error),
        })?;
        let inside = match options.shape_only || made.form.is_measured {
            true => Inside::default(),
            false => inside::optimize(&copy, &recorded, &options, Some(&made.level))?,
        };
        let barriers = if in_place { found.barriers } else { in_recorded(graph, &copy, found.barriers)? };
        finish(copy, &recorded, layout, Found { barriers, inner: inside.graphs, ..found }, self.clone())
    }
}

impl Made {
    /// The layout for a graph, and what else was found.
    fn check(&self, graph: &Graph, recorded: &Recorded) -> Result<(Option<Layout>, Found)> {
        self.level.check_is_of(graph, recorded)?;
        if self.options.shape_only {
            return Ok((None, Found::default()));
        }
        let Accesses { ordered, barriers, workspaces } = accesses(graph, recorded, self.promises.clone())?;
        let layout = self.level.layout_for(graph, recorded, &ordered, &barriers)?;
        Ok((layout, Found { barriers, workspaces, ..Found::default() }))
    }
}
