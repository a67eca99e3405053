//! Steps in a trace.

use super::step::Step;
use super::{Body, Plan};
use crate::graph::Action;
use graphcap_observe::format::{Entry, Kind};
use graphcap_observe::trace;

impl Plan {
    /// Writes what the nodes are called into the trace that goes on, as those of the exec with that number.
    #[cold]
    pub(crate) fn name_in_trace(&self, exec: u32) {
        let name = trace::text(&self.places.graph_words());
        trace::put(&Entry { exec, name, ..Entry::of(Kind::Exec) });
        for body in std::iter::once(&self.main).chain(&self.bodies) {
            let ids = self.places.ids_of(body.shape.body, body.shape.nodes.len());
            for step in 0..body.shape.step_count() {
                let Some(action) = body.action(step).filter(|_| body.is_traced(step)) else { continue };
                let id = ids.get(body.spot(step).slot as usize).copied().flatten();
                let node = self.places.running_node(id);
                let name = trace::text(node.name.as_deref().unwrap_or_default());
                let kernel = match action {
                    Action::Kernel(call) => trace::text(&call.kernel.name),
                    _ => 0,
                };
                let stream = trace::name(action.kind().name());
                let launch = body.shape.body;
                let described = Entry { exec, launch, stream, name, number: step, ..Entry::of(Kind::Step) };
                trace::put(&Entry { begin: kernel.into(), duration: node.id.map_or(0, |id| id.0), ..described });
            }
            let launch = body.shape.body;
            body.shape.edges(|from, to| {
                trace::put(&Entry { exec, launch, name: from, number: to, ..Entry::of(Kind::Edge) });
            });
        }
    }
}

impl Body {
    /// Returns whether a step is work, and no place between.
    pub(super) fn is_traced(&self, step: u32) -> bool {
        !matches!(self.step(step), Some(Step::Nothing) | None)
    }
}
