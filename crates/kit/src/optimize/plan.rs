//! Plans: the edges that were made for a graph, to be made for later graphs that are recorded alike: the same nodes and edges in the
//! same order, so that execs of one are updated by the other.

use std::sync::Arc;

use super::options::OptimizeOptions;
use super::promises::Promises;
use super::recorded::Recorded;
use graphcap_base::error::{Error, Result};
use graphcap_core::{Context, Graph};
use graphcap_driver::rules::lanes::Layout;
use graphcap_driver::NodeKind;

/// Plan of what [`optimize`](super::optimize()) made of a graph. It holds no node and no memory of the graph.
#[derive(Clone)]
pub struct Plan(pub(super) Arc<Made>);

pub(super) struct Made {
    pub(super) context: Context,
    pub(super) options: OptimizeOptions,
    pub(super) promises: Promises,
    pub(super) level: Level,
    pub(super) form: Form,
}

/// Edges of the result, with the number that C has for them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Candidate {
    /// Those that were recorded.
    AsRecorded = 0,
    /// Those that the work needs, on lanes.
    Lanes = 1,
    /// Those that the work needs alone.
    Needed = 2,
}

/// Form of the result besides the nodes on lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Form {
    /// Its edges.
    pub(super) edges: Candidate,
    /// Tells whether it has one root and one leaf where the device gains by it.
    pub(super) has_ends: bool,
    /// Tells whether it was measured: graphs within nodes stay as they were recorded then.
    pub(super) is_measured: bool,
}

impl PartialEq for Plan {
    fn eq(&self, other: &Plan) -> bool {
        let (one, other) = (&*self.0, &*other.0);
        one.context.is(&other.context)
            && one.options == other.options
            && one.form == other.form
            && one.level == other.level
    }
}

impl Eq for Plan {}

impl std::fmt::Debug for Plan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Plan").field("nodes", &self.0.level.kinds.len()).finish_non_exhaustive()
    }
}

/// A plan of one graph: of the outermost one, or of one within a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Level {
    /// The graph as it was recorded: kinds of nodes, and for each those that it waits for.
    kinds: Vec<NodeKind>,
    after: Vec<Vec<u32>>,
    /// The nodes on lanes; `None` where the edges stay.
    pub(super) layout: Option<Layout>,
    /// The graphs of each node that has some, by its place.
    inner: Vec<(u32, Vec<Level>)>,
}

impl Level {
    pub(super) fn new(recorded: &Recorded, layout: Option<Layout>, inner: Vec<(u32, Vec<Level>)>) -> Level {
        Level { kinds: recorded.kinds.clone(), after: recorded.after.clone(), layout, inner }
    }

    /// The plans of the graphs of a node.
    pub(super) fn of_node(&self, place: u32) -> Option<&[Level]> {
        let found = self.inner.binary_search_by_key(&place, |(place, _)| *place).ok()?;
        self.inner.get(found).map(|(_, levels)| levels.as_slice())
    }

    /// Fails where it was made of a graph of other nodes or edges.
    pub(super) fn check_is_of(&self, graph: &Graph, recorded: &Recorded) -> Result<()> {
        let (planned, found) = (self.kinds.len(), recorded.kinds.len());
        if planned != found {
            return Err(of_another(format!("that one has {planned} nodes, and this one {found}")));
        }
        let differing = |place: usize| {
            self.kinds.get(place) != recorded.kinds.get(place) || self.after.get(place) != recorded.after.get(place)
        };
        let Some(place) = (0..found).find(|&place| differing(place)) else { return Ok(()) };
        let what = match (self.kinds.get(place), recorded.kinds.get(place)) {
            (Some(planned), Some(found)) if planned != found => {
                format!("was a node of kind {} and is one of kind {}", planned.name(), found.name())
            }
            _ => "waits for other nodes than it did".to_owned(),
        };
        let Some(&node) = recorded.nodes.get(place) else { return Ok(()) };
        let error = of_another(format!("node {:#x}, the one at place {place} of the recorded order, {what}", node.0));
        Err(graph.naming(node, error))
    }
}

impl Plan {
    pub(super) fn new(
        context: &Context,
        (options, promises): (&OptimizeOptions, &Promises),
        level: Level,
        form: Form,
    ) -> Plan {
        let (context, options, promises) = (context.clone(), options.clone(), promises.clone());
        Plan(Arc::new(Made { context, options, promises, level, form }))
    }

    /// The context of the graph that it was made of.
    pub fn context(&self) -> &Context {
        &self.0.context
    }
}

fn of_another(why: String) -> Error {
    Error::invalid_value(format!("the plan is of another graph: {why}; optimize the graph to have a plan of it"))
}
