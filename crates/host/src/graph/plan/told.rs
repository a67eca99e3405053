//! Places in a replay, for messages: the node that has failed, and the conditionals that a launch is within.

use std::ops::Range;
use std::sync::atomic::Ordering;

use super::step::Step;
use super::{Body, Entered, Plan, PlannedBranch, Ran};
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
        self.add_entered(&self.main, &mut entered);
        entered
    }

    /// Adds those of one body. The depth of graphs within each other is limited, and so is that of these calls.
    fn add_entered(&self, body: &Body, entered: &mut Vec<Entered>) {
        for (step, planned) in body.branches_among(0..body.shape.step_count()) {
            let (turn, number) = (planned.turn.load(Ordering::Relaxed), planned.body.load(Ordering::Relaxed));
            let Some(inner) = planned.body_in(self, number).filter(|_| turn > 0) else { continue };
            entered.push(Entered {
                conditional: body.spot(step),
                body: number,
                turn,
                is_loop: planned.branch.kind == ConditionalKind::While,
                runs: inner.spot(inner.shape.at.load(Ordering::Relaxed)),
            });
            self.add_entered(inner, entered);
        }
    }

    /// Notes that this thread runs a step of the graph itself, for the message of a trap. Memory is guarded.
    #[cold]
    pub(crate) fn notes(&self, step: u32) -> Option<guard::Turn<'_>> {
        self.note_step(&self.main, step)
    }

    /// As [`Plan::notes`], for a body.
    #[cold]
    pub(super) fn note_step<'a>(&self, body: &'a Body, step: u32) -> Option<guard::Turn<'a>> {
        let shape = &*body.shape;
        let ids = shape.ids.get_or_init(|| self.places.ids_of(shape.body, shape.nodes.len()));
        let id = ids.get(body.spot(step).slot as usize).copied().flatten();
        body.action(step).map(|action| action.runs(Some(self.places.running_node(id))))
    }

    /// The body that has the step with this number.
    fn of_number(&self, number: u64) -> Option<&Body> {
        self.body((number >> 32) as u32)
    }

    /// The name of the kernel that the step with this number launches.
    #[cold]
    pub(super) fn kernel_name(&self, number: u64) -> &str {
        match self.of_number(number).and_then(|body| body.action(number as u32)) {
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
        self.leave_bodies(&self.main, steps);
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
    fn leave_bodies(&self, body: &Body, steps: Range<u32>) {
        for (_, planned) in body.branches_among(steps) {
            planned.turn.store(0, Ordering::Relaxed);
            let bodies = planned.branch.bodies.clone().filter_map(|number| self.body(number));
            bodies.for_each(|body| self.leave_bodies(body, 0..body.shape.step_count()));
        }
    }

    /// The fault of a context in which a step failed by `error`, with the node and the graph.
    #[cold]
    pub(crate) fn tell_place(&self, step: u32, error: Error) -> Error {
        self.tell_number(self.main.shape.number_of(step), error)
    }

    /// As [`Plan::tell_place`], for the number of a step, here or in a body.
    fn tell_number(&self, number: u64, error: Error) -> Error {
        let Some(body) = self.of_number(number) else { return error };
        let node = body.spot(number as u32);
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

impl Body {
    /// The conditionals among some steps.
    fn branches_among(&self, steps: Range<u32>) -> impl Iterator<Item = (u32, &PlannedBranch)> {
        let branches = &self.extras.branches;
        let steps = if branches.is_empty() { 0..0 } else { steps };
        steps.filter_map(|step| match self.step(step) {
            Some(Step::Branch(index)) => Some((step, &**branches.get(*index as usize)?)),
            _ => None,
        })
    }

    /// The node that a step is.
    pub(super) fn spot(&self, step: u32) -> Spot {
        Spot { body: self.shape.body, slot: self.shape.nodes.get(step as usize).copied().unwrap_or(u32::MAX) }
    }
}
