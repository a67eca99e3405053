//! Places in a replay, for messages: the node that has failed, and the conditionals that a launch is within.

use std::ops::Range;
use std::sync::atomic::Ordering;

use super::{Entered, Plan, PlannedBranch, Ran, Step};
use crate::code::grid::{block_failed, kernel_panicked};
use crate::graph::flat::Spot;
use crate::graph::Action;
use crate::memory::guard;
use graphcap_base::error::Error;
use graphcap_base::names::shown;
use graphcap_driver::failing::{self, Reason};
use graphcap_driver::ConditionalKind;

impl Plan {
    /// The conditionals that a launch is within now, each before those in its bodies. Of a launch that goes on meanwhile this may be past.
    pub(crate) fn entered(&self) -> Vec<Entered> {
        let mut entered = Vec::new();
        self.add_entered(&mut entered);
        entered
    }

    /// Adds those of one body. The depth of graphs within each other is limited, and so is that of these calls.
    fn add_entered(&self, entered: &mut Vec<Entered>) {
        for (step, planned) in self.branches_among(0..self.step_count()) {
            let (turn, body) = (planned.turn.load(Ordering::Relaxed), planned.body.load(Ordering::Relaxed));
            let Some(plan) = planned.bodies.get(body as usize).filter(|_| turn > 0) else { continue };
            entered.push(Entered {
                conditional: self.spot(step),
                body,
                turn,
                is_loop: planned.branch.kind == ConditionalKind::While,
                runs: plan.spot(plan.at.load(Ordering::Relaxed)),
            });
            plan.add_entered(entered);
        }
    }

    /// The conditionals among some steps.
    fn branches_among(&self, steps: Range<u32>) -> impl Iterator<Item = (u32, &PlannedBranch)> {
        let steps = if self.has_branches() { steps } else { 0..0 };
        steps.filter_map(|step| match self.steps.get(step as usize) {
            Some(Step::Branch(index)) => Some((step, self.branches.get(*index as usize)?)),
            _ => None,
        })
    }

    /// The node that a step is.
    fn spot(&self, step: u32) -> Spot {
        Spot { body: self.body, slot: self.nodes.get(step as usize).copied().unwrap_or(u32::MAX) }
    }

    /// Notes that this thread runs a step, for the message of a trap. Memory is guarded.
    #[cold]
    pub(crate) fn notes(&self, step: u32) -> Option<guard::Turn<'_>> {
        let ids = self.ids.get_or_init(|| self.places.ids_of(self.body, self.definition.packed_nodes().len()));
        let id = ids.get(self.spot(step).slot as usize).copied().flatten();
        self.action(step).map(|action| action.runs(Some(self.places.running_node(id))))
    }

    /// The plan, of this one and those of its bodies, that has the step with this number.
    fn of_number(&self, number: u64) -> Option<&Plan> {
        match number >> 32 == u64::from(self.body) {
            true => Some(self),
            false => self.branches.iter().flat_map(|planned| &planned.bodies).find_map(|body| body.of_number(number)),
        }
    }

    /// The name of the kernel that the step with this number launches.
    #[cold]
    pub(super) fn kernel_name(&self, number: u64) -> &str {
        match self.of_number(number).and_then(|plan| plan.action(number as u32)) {
            Some(Action::Kernel(call)) => &call.kernel.name,
            _ => "",
        }
    }

    /// Steps have ended as `ran` says, `None` for a panic, while the one with the number `running` ran. Tells where they failed.
    #[cold]
    pub(super) fn end_early(
        &self,
        steps: Range<u32>,
        running: u64,
        ran: Option<Result<Ran, Error>>,
    ) -> Result<Ran, Error> {
        let ended = match (failing::take_reason(), ran) {
            (Some(reason), Some(_)) => Err((reason.at, block_failed(self.kernel_name(reason.at), reason))),
            // Of a kernel of one block each: others give their reasons themselves.
            (Some(reason), None) if reason.at != running => Err((reason.at, self.failed_before_panic(reason, running))),
            (reason, None) => Err((running, kernel_panicked(self.kernel_name(running), reason))),
            (None, Some(ran)) => ran.map_err(|error| (running, error)),
        };
        let told = ended.map_err(|(number, error)| self.tell_number(number, error));
        self.leave_bodies(steps);
        told
    }

    /// A kernel has said that it fails, and another one panicked behind it, in the step with the number `panicked`.
    #[cold]
    fn failed_before_panic(&self, reason: Reason, panicked: u64) -> Error {
        let error = block_failed(self.kernel_name(reason.at), reason);
        let behind = shown(self.kernel_name(panicked));
        Error::new(error.status, format!("{}; kernel '{behind}' panicked afterwards", error.message))
    }

    /// No launch is within the conditionals among these steps any more.
    fn leave_bodies(&self, steps: Range<u32>) {
        for (_, planned) in self.branches_among(steps) {
            planned.turn.store(0, Ordering::Relaxed);
            planned.bodies.iter().for_each(|body| body.leave_bodies(0..body.step_count()));
        }
    }

    /// The fault of a context in which a step failed by `error`, with the node and the graph.
    #[cold]
    pub(crate) fn tell_place(&self, step: u32, error: Error) -> Error {
        self.tell_number(self.number_of(step), error)
    }

    /// As [`Plan::tell_place`], for the number of a step, here or in a body.
    fn tell_number(&self, number: u64, error: Error) -> Error {
        let Some(plan) = self.of_number(number) else { return error };
        let node = plan.spot(number as u32);
        let mut text = format!("{} of {} failed", self.places.node_words(node), self.places.graph_words());
        // From the innermost conditional outward. Other lanes may be within others.
        let entered = self.entered();
        let mut body = node.body;
        for entered in entered.iter().rev() {
            if entered.runs.body != body {
                continue;
            }
            body = entered.conditional.body;
            let turn = if entered.is_loop { format!("turn {} of ", entered.turn) } else { String::new() };
            let conditional = self.places.node_words(entered.conditional);
            text.push_str(&format!(", in {turn}body {} of {conditional}", entered.body));
        }
        Error::new(error.status, format!("{text}: {}", error.message))
    }
}
