//! Checks whether a plan is right for a graph: whether it keeps all nodes in order that have to stay so.

use super::accesses::Barriers;
use super::plan::Level;
use super::recorded::Recorded;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::names::quoted;
use graphcap_core::Graph;
use graphcap_driver::rules::lanes::{broken, Layout};
use graphcap_driver::rules::order::{needed, Ordered};
use graphcap_driver::NodeId;

impl Level {
    /// The layout, where it keeps the order of all nodes that have to stay ordered.
    ///
    /// # Errors
    /// `GRAPH_EXEC_UPDATE_FAILURE` for two nodes that it does not keep in order.
    pub(super) fn layout_for(
        &self,
        graph: &Graph,
        recorded: &Recorded,
        ordered: &[Ordered],
        barriers: &Barriers,
    ) -> Result<Option<Layout>> {
        let Some(layout) = &self.layout else { return Ok(None) };
        if recorded.carries() {
            return Err(new_conflict(
                "an edge of the graph carries something, so that the edges have to stay".to_owned(),
            ));
        }
        let Some((earlier, later)) = broken(layout, &needed(ordered)) else { return Ok(Some(layout.clone())) };
        let node = |place: u32| recorded.nodes.get(place as usize).copied().unwrap_or(NodeId(0));
        let (before, behind) = (node(earlier), node(later));
        let touches = |place: u32| ordered.get(place as usize).map_or(&[][..], |one| &one.touches);
        let meeting = touches(earlier).iter().find_map(|one| {
            let other = touches(later)
                .iter()
                .find(|other| (one.writes || other.writes) && one.start.max(other.start) < one.end.min(other.end))?;
            Some((one, other, one.start.max(other.start), one.end.min(other.end)))
        });
        let why = match meeting {
            Some((one, other, start, end)) => {
                let does = |writes: bool| if writes { "writes" } else { "reads" };
                let what = self.memory_at(graph, start);
                format!(
                    ", since it {} {} bytes at {start:#x}{what} that the other one {}",
                    does(other.writes),
                    end - start,
                    does(one.writes)
                )
            }
            None => {
                let of = |node: NodeId| barriers.iter().find(|(other, _)| *other == node);
                match of(before).or_else(|| of(behind)) {
                    Some((node, barrier)) => {
                        format!(", since node {:#x} keeps its place: {}", node.0, barrier.sentence(graph, *node)?)
                    }
                    None => String::new(),
                }
            }
        };
        let error = new_conflict(format!("node {:#x} has to stay behind node {:#x}{why}", behind.0, before.0));
        Err(graph.naming(behind, graph.naming(before, error)))
    }

    /// Names the memory at an address, for messages.
    fn memory_at(&self, graph: &Graph, address: u64) -> String {
        let found = graph.context().find_buffer(address);
        let name = found.and_then(|found| found.memory.name());
        name.map_or_else(String::new, |name| format!(" of {}", quoted(&name)))
    }
}

fn new_conflict(what: String) -> Error {
    Error::new(
        Status::GRAPH_EXEC_UPDATE_FAILURE,
        format!("the plan does not fit the graph any more: {what}; optimize the graph to have another plan"),
    )
}
