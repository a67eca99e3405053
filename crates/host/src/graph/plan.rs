//! The compiled form of a graph: flat arrays that a lane walks from front to back.
//!
//! Steps stand in topological order, chains in one piece. A chain is a *segment*: once it has begun nothing
//! else is waited for until its end, so only segments carry counters.

mod chunk;
mod compile;
mod edits;
mod shape;
mod step;
#[cfg(test)]
mod tests;
mod told;
mod traced;

use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::Arc;

use self::chunk::{Chunk, Code, CHUNK_STEPS};
pub(crate) use self::edits::Superseded;
pub(crate) use self::shape::{Segment, SegmentKind, Shape};
use self::step::Step;
use super::flat::{Places, Spot};
use super::node::{Definition, Dependencies};
use super::{Action, Branch};
use crate::code::grid::{catch_panic, go_on_behind_ends, grid_now, BlockFault};
use crate::engine::completion::Completion;
use crate::engine::loops::Loops;
use crate::engine::values;
use crate::exec::event_nodes::EventNodes;
use crate::memory::guard;
use crate::memory::held;
use crate::memory::node_memory::NodeMemories;
use graphcap_base::error::{Error, Status};
use graphcap_base::names::shown;
use graphcap_driver::{failing, ConditionalKind, HostFunction, ValueOperation};
use graphcap_observe::trace;

/// A conditional of an exec, with the state of its launches.
struct PlannedBranch {
    branch: Arc<Branch>,
    /// The turn of the body that runs, from 1 on; 0 while none runs. Launches of an exec run one after another, so one lane writes it.
    turn: AtomicU64,
    /// Number of the body that runs.
    body: AtomicU32,
    /// The number of turns that a loop has at most; 0 for no limit.
    turn_limit: u64,
}

/// A conditional that a launch is within.
pub(crate) struct Entered {
    /// The conditional.
    pub(crate) conditional: Spot,
    /// Number of the body that runs.
    pub(crate) body: u32,
    /// Its turn, from 1 on.
    pub(crate) turn: u64,
    /// Tells whether it has turns.
    pub(crate) is_loop: bool,
    /// The node of the body that runs.
    pub(crate) runs: Spot,
}

/// End of steps that did not fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ran {
    Through,
    /// A loop was abandoned, and what comes after it was not begun.
    Abandoned,
}

/// A compiled graph, and the compiled bodies of its conditionals.
#[derive(Clone)]
pub(crate) struct Plan {
    /// The plan of the graph itself, which is number 0.
    main: Body,
    /// Those from number 1 on.
    bodies: Vec<Body>,
    /// The ids and names of the nodes, for messages.
    places: Arc<Places>,
    /// The number of turns that a loop has at most; 0 for no limit.
    turn_limit: u64,
}

/// A compiled definition. Versions of an exec share its parts.
#[derive(Clone)]
struct Body {
    shape: Arc<Shape>,
    /// The steps, [`CHUNK_STEPS`] by [`CHUNK_STEPS`].
    chunks: Vec<Arc<Chunk>>,
    actions: Actions,
    extras: Arc<Extras>,
}

/// Place of the actions of a body.
#[derive(Clone)]
enum Actions {
    /// The packed definition of a graph, which nobody changes.
    Shared(Arc<Definition>),
    /// The chunks; and for each slot the slots that its node depends on.
    Own(Arc<[Dependencies]>),
}

/// Parts that most bodies do without.
#[derive(Default)]
struct Extras {
    branches: Vec<Arc<PlannedBranch>>,
    events: EventNodes,
    /// Memory that its nodes allocate and free.
    memories: NodeMemories,
}

impl Plan {
    /// The shape of the graph itself.
    #[inline]
    pub(crate) fn shape(&self) -> &Arc<Shape> {
        &self.main.shape
    }

    /// Returns whether it has conditionals.
    #[inline]
    pub(crate) fn has_branches(&self) -> bool {
        !self.main.extras.branches.is_empty()
    }

    /// The event nodes.
    #[inline]
    pub(crate) fn events(&self) -> &EventNodes {
        &self.main.extras.events
    }

    /// Memory that nodes allocate and free.
    #[inline]
    pub(crate) fn memories(&self) -> &NodeMemories {
        &self.main.extras.memories
    }

    /// Returns whether there are event nodes, or nodes that allocate or free.
    #[inline]
    pub(crate) fn is_bound(&self) -> bool {
        !self.events().is_empty() || !self.memories().is_empty()
    }

    /// The body with a number.
    fn body(&self, number: u32) -> Option<&Body> {
        match number.checked_sub(1) {
            None => Some(&self.main),
            Some(at) => self.bodies.get(at as usize),
        }
    }

    /// Returns what a segment that waits for an event waits for in the replay that runs.
    pub(crate) fn awaited(&self, segment: &Segment) -> Option<Arc<Completion>> {
        match self.main.step(segment.steps.start) {
            Some(Step::Event(index)) => self.events().point(*index),
            _ => None,
        }
    }

    /// The function of a segment that is one.
    pub(crate) fn host_function(&self, segment: &Segment) -> Option<&HostFunction> {
        match self.main.action(segment.steps.start) {
            Some(Action::Host(function)) => Some(function),
            _ => None,
        }
    }

    /// The operations of a segment that has waits for values.
    pub(crate) fn values(&self, segment: &Segment) -> &[ValueOperation] {
        match self.main.action(segment.steps.start) {
            Some(Action::Values(operations)) => operations,
            _ => &[],
        }
    }

    /// Runs steps one after another. Only those of segments that are [`SegmentKind::Steps`] are among them.
    /// Loops end early where `loops` says so.
    pub(crate) fn run(&self, steps: Range<u32>, loops: &Loops) -> Result<Ran, Error> {
        failing::number_work(|running| match catch_panic(|| self.run_steps(steps.clone(), running, loops)) {
            Some(Ok(Ran::Through)) if !failing::has_failed() => Ok(Ran::Through),
            ran => self.end_early(steps, running.get(), ran),
        })
    }

    /// Runs steps one after another, and keeps in `running` the number of the one that runs. One that ends the thread counts as run.
    #[inline]
    fn run_steps(&self, steps: Range<u32>, running: &Cell<u64>, loops: &Loops) -> Result<Ran, Error> {
        running.set(self.main.shape.number_of(steps.start));
        go_on_behind_ends(running, |first| {
            if guard::is_on() || trace::is_on() {
                return self.run_noted_steps(&self.main, first as u32..steps.end, running, loops);
            }
            self.run_quietly(&self.main, (first, steps.end), running, loops, |_, _| ())
        })
    }

    /// Runs the steps of a body from the one with the number `first` on, up to step `end`. Calls `note` with each.
    #[inline(always)]
    fn run_quietly(
        &self,
        body: &Body,
        (first, end): (u64, u32),
        running: &Cell<u64>,
        loops: &Loops,
        mut note: impl FnMut(u32, &Step),
    ) -> Result<Ran, Error> {
        let mut next = first as u32;
        while next < end {
            let code = &body.chunks[(next / CHUNK_STEPS) as usize].code;
            let base = next - next % CHUNK_STEPS;
            let steps = &code.steps[(next - base) as usize..(end - base).min(CHUNK_STEPS) as usize];
            let ran = self.run_some((body, code), (body.shape.number_of(next), steps), running, loops, &mut note)?;
            if ran == Ran::Abandoned {
                return Ok(Ran::Abandoned);
            }
            next = base + CHUNK_STEPS;
        }
        Ok(Ran::Through)
    }

    /// Runs steps of a chunk, the first of which has that number. It is a function of its own, so that what the loop needs stays in
    /// registers.
    #[inline(never)]
    fn run_some(
        &self,
        (body, code): (&Body, &Code),
        (first, steps): (u64, &[Step]),
        running: &Cell<u64>,
        loops: &Loops,
        note: &mut impl FnMut(u32, &Step),
    ) -> Result<Ran, Error> {
        let grids = &code.grids[..];
        for (number, step) in (first..).zip(steps) {
            running.set(number);
            note(number as u32, step);
            if let Step::Block { function, arguments, grid } = step {
                match grids[*grid as usize].run_plain_block(*function, *arguments) {
                    Ok(()) => continue,
                    Err(fault) => match self.end_step(step, number, *fault)? {
                        Ran::Through => continue,
                        Ran::Abandoned => return Ok(Ran::Abandoned),
                    },
                }
            }
            if self.run_step(body, code, step, running, loops)? == Ran::Abandoned {
                return Ok(Ran::Abandoned);
            }
        }
        Ok(Ran::Through)
    }

    /// As [`Plan::run_quietly`], with a note of what runs, for the message of a trap, and in a trace.
    fn run_noted_steps(
        &self,
        body: &Body,
        steps: Range<u32>,
        running: &Cell<u64>,
        loops: &Loops,
    ) -> Result<Ran, Error> {
        let mut traced = trace::Steps::default();
        let is_work = |step: &Step| !matches!(step, Step::Nothing);
        if !guard::is_on() {
            let ran = self.run_quietly(body, (steps.start.into(), steps.end), running, loops, |number, step| {
                body.shape.at.store(number, Ordering::Relaxed);
                traced.begin(body.shape.body, number, is_work(step));
            });
            traced.end();
            return ran;
        }
        for number in steps {
            running.set(body.shape.number_of(number));
            body.shape.at.store(number, Ordering::Relaxed);
            let _runs = guard::is_on().then(|| self.note_step(body, number));
            let (Some(step), Some(chunk)) = (body.step(number), body.chunk(number)) else { break };
            traced.begin(body.shape.body, number, is_work(step));
            let ran = self.run_step(body, &chunk.code, step, running, loops);
            traced.end();
            if ran? == Ran::Abandoned {
                return Ok(Ran::Abandoned);
            }
        }
        Ok(Ran::Through)
    }

    /// Runs all steps of the body of a conditional, with a note of the one that runs. Nothing more is begun where one has failed.
    fn run_body(&self, body: &Body, running: &Cell<u64>, loops: &Loops) -> Result<Ran, Error> {
        let shape = &*body.shape;
        running.set(shape.number_of(0));
        let ran = go_on_behind_ends(running, |first| {
            if guard::is_on() || trace::is_on() {
                return self.run_noted_steps(body, first as u32..shape.step_count(), running, loops);
            }
            let note = |number, _: &Step| shape.at.store(number, Ordering::Relaxed);
            self.run_quietly(body, (first, shape.step_count()), running, loops, note)
        })?;
        Ok(if failing::has_failed() { Ran::Abandoned } else { ran })
    }

    /// Runs the step of a chunk whose number `running` has.
    fn run_step(
        &self,
        body: &Body,
        code: &Code,
        step: &Step,
        running: &Cell<u64>,
        loops: &Loops,
    ) -> Result<Ran, Error> {
        let outcome = match step {
            Step::Block { function, arguments, grid } => {
                code.grids[*grid as usize].run_plain_block(*function, *arguments)
            }
            // Blocks take the reasons that they give, and none of an earlier step.
            Step::Grid { .. } | Step::Sized { .. } if failing::has_failed() => return Ok(Ran::Abandoned),
            Step::Grid { function, arguments, grid, pace } => {
                code.grids[*grid as usize].run(*function, *arguments, &code.paces[*pace as usize])
            }
            Step::Sized { function, arguments, at, pace } => {
                let (shape, from) = &code.sized[*at as usize];
                match grid_now(shape, from).map_err(|error| self.no_grid(running.get(), &error))? {
                    Some(grid) => grid.run(*function, *arguments, &code.paces[*pace as usize]),
                    None => Ok(()),
                }
            }
            Step::Node => {
                body.run_node(running.get() as u32)?;
                Ok(())
            }
            Step::Event(index) => {
                body.extras.events.reach(*index);
                Ok(())
            }
            Step::Branch(index) => return body.extras.branches[*index as usize].run(self, running, loops),
            Step::Nothing => Ok(()),
        };
        match outcome {
            Ok(()) => Ok(Ran::Through),
            Err(fault) => self.end_step(step, running.get(), *fault),
        }
    }

    /// A step has failed, unless an earlier one has, which returned 0.
    #[cold]
    fn end_step(&self, step: &Step, number: u64, mut fault: BlockFault) -> Result<Ran, Error> {
        let is_one_block = matches!(step, Step::Block { .. });
        match is_one_block.then(|| fault.take_reason_of_other(number)).flatten() {
            None => Err(fault.into_error(self.kernel_name(number))),
            Some(reason) => {
                failing::give_back(reason);
                Ok(Ran::Abandoned)
            }
        }
    }

    /// Runs none of these steps, and lets those go who wait for their records.
    #[cold]
    pub(crate) fn skip(&self, steps: Range<u32>) {
        for step in steps {
            if let Some(Step::Event(index)) = self.main.step(step) {
                self.events().reach(*index);
            }
        }
    }

    /// The fault of a context in which a scalar asks for a grid that cannot be.
    #[cold]
    fn no_grid(&self, number: u64, error: &Error) -> Error {
        Error::new(
            Status::LAUNCH_FAILED,
            format!(
                "the scalars of kernel '{}' do not make a grid: {}",
                shown(self.kernel_name(number)),
                error.message
            ),
        )
    }
}

impl Body {
    /// The chunk that has a step.
    fn chunk(&self, step: u32) -> Option<&Chunk> {
        self.chunks.get((step / CHUNK_STEPS) as usize).map(|chunk| &**chunk)
    }

    fn step(&self, step: u32) -> Option<&Step> {
        self.chunk(step)?.code.steps.get((step % CHUNK_STEPS) as usize)
    }

    /// Returns what a step's node does.
    fn action(&self, step: u32) -> Option<&Action> {
        match &self.actions {
            Actions::Shared(definition) => {
                let slot = self.shape.nodes.get(step as usize)?;
                definition.node(*slot).map(|node| &node.action)
            }
            Actions::Own(_) => self.chunk(step)?.actions.get((step % CHUNK_STEPS) as usize).map(|action| &**action),
        }
    }

    fn run_node(&self, step: u32) -> Result<(), Error> {
        let Some(action) = self.action(step) else { return Ok(()) };
        match action {
            Action::Memcpy(copy) => held::run_copy(copy),
            Action::MemcpyRows(call) => held::run_rows(&call.copy),
            Action::Memset(set) => held::run_set(set),
            Action::Values(operations) => values::write_all(operations),
            Action::MemAlloc(memory) => {
                memory.begin();
                Ok(())
            }
            Action::MemFree(freed) => {
                freed.memory.end();
                Ok(())
            }
            Action::Empty
            | Action::Kernel(_)
            | Action::Host(_)
            | Action::RecordEvent(_)
            | Action::WaitEvent(_)
            | Action::Child(_)
            | Action::Conditional(_)
            | Action::Boundary
            | Action::Branch(_) => Ok(()),
        }
    }
}

impl PlannedBranch {
    fn new(branch: &Arc<Branch>, turn_limit: u64) -> PlannedBranch {
        PlannedBranch { branch: Arc::clone(branch), turn: AtomicU64::new(0), body: AtomicU32::new(0), turn_limit }
    }

    /// Runs the bodies that the value of the condition says, on this lane. A body has no node that waits for others.
    fn run(&self, plan: &Plan, running: &Cell<u64>, loops: &Loops) -> Result<Ran, Error> {
        let Branch { condition, kind, .. } = &*self.branch;
        let ran = match kind {
            ConditionalKind::If => self.run_turn(plan, u32::from(condition.value() == 0), 1, running, loops),
            ConditionalKind::Switch => self.run_turn(plan, condition.value(), 1, running, loops),
            ConditionalKind::While => self.run_loop(plan, running, loops),
        }?;
        // Of one that ends early this is told first: see `Plan::end_early`.
        if ran == Ran::Through {
            self.turn.store(0, Ordering::Relaxed);
        }
        Ok(ran)
    }

    fn run_loop(&self, plan: &Plan, running: &Cell<u64>, loops: &Loops) -> Result<Ran, Error> {
        let (mut turn, own_number) = (0, running.get());
        while self.branch.condition.value() != 0 {
            if turn == self.turn_limit && turn > 0 {
                // Told of the loop itself, which is in no turn any more.
                running.set(own_number);
                self.turn.store(0, Ordering::Relaxed);
                return Err(too_many_turns(turn));
            }
            turn += 1;
            if loops.are_over() || self.run_turn(plan, 0, turn, running, loops)? == Ran::Abandoned {
                return Ok(Ran::Abandoned);
            }
        }
        Ok(Ran::Through)
    }

    fn run_turn(&self, plan: &Plan, number: u32, turn: u64, running: &Cell<u64>, loops: &Loops) -> Result<Ran, Error> {
        let Some(body) = self.body_in(plan, number) else { return Ok(Ran::Through) };
        self.body.store(number, Ordering::Relaxed);
        self.turn.store(turn, Ordering::Relaxed);
        plan.run_body(body, running, loops)
    }

    /// The body with that number among its own.
    fn body_in<'a>(&self, plan: &'a Plan, number: u32) -> Option<&'a Body> {
        let bodies = &self.branch.bodies;
        let at = bodies.start.checked_add(number).filter(|at| bodies.contains(at))?;
        plan.body(at)
    }
}

/// The failure of a loop that has had as many turns as its exec allows.
#[cold]
fn too_many_turns(limit: u64) -> Error {
    Error::new(
        Status::LAUNCH_FAILED,
        format!(
            "the loop has had {limit} turns, as many as gc_instantiate_options::turn_limit allows, and its condition is not 0; let a node of \
             its body set the condition to 0, or allow more"
        ),
    )
}
