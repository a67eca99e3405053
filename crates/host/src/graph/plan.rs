//! The compiled form of a graph: flat arrays that a lane walks from front to back.
//!
//! Steps stand in topological order, chains in one piece. A chain is a *segment*: once it has begun nothing
//! else is waited for until its end, so only segments carry counters.

mod compile;
mod told;

use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::flat::{Places, Spot};
use super::node::{Definition, Node};
use super::{Action, Branch};
use crate::code::arguments::ArgumentArena;
use crate::code::grid::{catch_panic, go_on_behind_ends, grid_now, BlockFault, BlockPace, Grid};
use crate::engine::completion::Completion;
use crate::engine::loops::Loops;
use crate::engine::values;
use crate::exec::event_nodes::EventNodes;
use crate::memory::guard;
use crate::memory::held;
use crate::memory::node_memory::NodeMemories;
use crate::raw::ArgumentTable;
use graphcap_base::error::{Error, Status};
use graphcap_base::names::shown;
use graphcap_driver::{
    failing, ConditionalKind, GridSources, HostFunction, HostKernelFunction, LaunchShape, NodeId, ValueOperation,
};

/// One node's work, with all that the common case needs in place.
enum Step {
    /// One block without shared memory: a plain call.
    Block { function: HostKernelFunction, arguments: ArgumentTable, grid: u32 },
    /// Several blocks.
    Grid { function: HostKernelFunction, arguments: ArgumentTable, grid: u32, pace: u32 },
    /// Blocks whose number is read from memory.
    Sized { function: HostKernelFunction, arguments: ArgumentTable, at: u32, pace: u32 },
    /// Anything but a kernel: what the node says.
    Node(u32),
    /// The event node of that number.
    Event(u32),
    /// The conditional of that number.
    Branch(u32),
    /// A node that is disabled, or that does nothing anyhow.
    Nothing,
}

/// A chain of steps.
pub(crate) struct Segment {
    /// Its steps.
    pub(crate) steps: Range<u32>,
    /// Number of segments that must end before it begins.
    pub(crate) indegree: u32,
    successors: Range<u32>,
    pub(crate) kind: SegmentKind,
}

/// Ways in which a segment is run, in the order of what others may have to bring.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SegmentKind {
    /// Its steps are run one after another.
    Steps,
    /// A host function, which runs elsewhere and is waited for without a lane.
    Host,
    /// A wait for an event, without a lane.
    Event,
    /// Value operations with waits among them, which are waited for without a lane.
    Values,
}

/// A conditional with its bodies.
struct PlannedBranch {
    branch: Arc<Branch>,
    bodies: Box<[Plan]>,
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

/// Grids and arguments of the steps that launch kernels.
struct Launches {
    grids: Box<[Grid]>,
    paces: Box<[BlockPace]>,
    /// The launches whose grids come from memory.
    sized: Box<[(LaunchShape, GridSources)]>,
    /// Held for its memory, which the steps point into.
    _arguments: ArgumentArena,
}

/// A compiled graph, or the compiled body of a conditional.
pub(crate) struct Plan {
    steps: Box<[Step]>,
    segments: Box<[Segment]>,
    successors: Box<[u32]>,
    launches: Launches,
    /// The node of each step.
    nodes: Box<[u32]>,
    /// Number of the definition among those of the exec.
    body: u32,
    /// The ids and names of the nodes, for messages.
    places: Arc<Places>,
    /// Packed.
    definition: Arc<Definition>,
    branches: Box<[PlannedBranch]>,
    /// The last kind among those of its segments.
    last_kind: SegmentKind,
    /// Its event nodes.
    pub(crate) events: EventNodes,
    /// Memory that its nodes allocate and free.
    pub(crate) memories: NodeMemories,
    /// The step that runs, of the body of a conditional.
    at: AtomicU32,
    /// The ids of the nodes of the definition, where memory is guarded.
    ids: OnceLock<Box<[Option<NodeId>]>>,
}

impl Plan {
    /// Returns whether it has conditionals.
    #[inline]
    pub(crate) fn has_branches(&self) -> bool {
        !self.branches.is_empty()
    }

    /// Returns whether some segment is waited for without a lane.
    #[inline]
    pub(crate) fn must_spread(&self) -> bool {
        self.last_kind > SegmentKind::Steps
    }

    /// Returns whether some segment waits for values or events, so that others may have to bring these.
    #[inline]
    pub(crate) fn waits(&self) -> bool {
        self.last_kind >= SegmentKind::Event
    }

    /// Returns whether some segment waits for values.
    #[inline]
    pub(crate) fn waits_for_values(&self) -> bool {
        self.last_kind == SegmentKind::Values
    }

    /// Returns whether there are event nodes, or nodes that allocate or free.
    #[inline]
    pub(crate) fn is_bound(&self) -> bool {
        !self.events.is_empty() || !self.memories.is_empty()
    }

    /// Returns what a step's node does.
    fn action(&self, step: u32) -> Option<&Action> {
        self.definition.node(self.nodes[step as usize]).map(|node| &node.action)
    }

    /// The segments, in an order in which they could run one after another.
    pub(crate) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The segments that wait for `segment`, once per edge.
    pub(crate) fn successors(&self, segment: &Segment) -> &[u32] {
        &self.successors[segment.successors.start as usize..segment.successors.end as usize]
    }

    /// Number of steps.
    pub(crate) fn step_count(&self) -> u32 {
        self.steps.len() as u32
    }

    /// Number of the segment that holds step number `step`.
    pub(crate) fn segment_of(&self, step: u32) -> u32 {
        self.segments.partition_point(|segment| segment.steps.end <= step) as u32
    }

    /// Returns what a segment that waits for an event waits for in the replay that runs.
    pub(crate) fn awaited(&self, segment: &Segment) -> Option<Arc<Completion>> {
        match self.steps[segment.steps.start as usize] {
            Step::Event(index) => self.events.point(index),
            _ => None,
        }
    }

    /// The function of a segment that is one.
    pub(crate) fn host_function(&self, segment: &Segment) -> Option<&HostFunction> {
        match self.action(segment.steps.start) {
            Some(Action::Host(function)) => Some(function),
            _ => None,
        }
    }

    /// The operations of a segment that has waits for values.
    pub(crate) fn values(&self, segment: &Segment) -> &[ValueOperation] {
        match self.action(segment.steps.start) {
            Some(Action::Values(operations)) => operations,
            _ => &[],
        }
    }

    /// The number of a step, which no step of another body has: the lower half is the step's among those of the body.
    fn number_of(&self, step: u32) -> u64 {
        u64::from(self.body) << 32 | u64::from(step)
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
        running.set(self.number_of(steps.start));
        go_on_behind_ends(running, |first| {
            let start = first as u32;
            if guard::is_on() {
                return self.run_noted_steps(start..steps.end, running, loops);
            }
            for (number, step) in (first..).zip(&self.steps[start as usize..steps.end as usize]) {
                running.set(number);
                if self.run_step(step, running, loops)? == Ran::Abandoned {
                    return Ok(Ran::Abandoned);
                }
            }
            Ok(Ran::Through)
        })
    }

    /// As [`Plan::run_steps`], with a note of what runs, for the message of a trap.
    #[cold]
    fn run_noted_steps(&self, steps: Range<u32>, running: &Cell<u64>, loops: &Loops) -> Result<Ran, Error> {
        for step in steps {
            running.set(self.number_of(step));
            self.at.store(step, Ordering::Relaxed);
            let _runs = self.notes(step);
            if self.run_step(&self.steps[step as usize], running, loops)? == Ran::Abandoned {
                return Ok(Ran::Abandoned);
            }
        }
        Ok(Ran::Through)
    }

    /// Runs all steps as the body of a conditional, with a note of the one that runs. Nothing more is begun where one has failed.
    fn run_as_body(&self, running: &Cell<u64>, loops: &Loops) -> Result<Ran, Error> {
        running.set(self.number_of(0));
        let ran = go_on_behind_ends(running, |first| {
            let start = first as u32;
            if guard::is_on() {
                return self.run_noted_steps(start..self.step_count(), running, loops);
            }
            for (number, step) in (first..).zip(&self.steps[start as usize..]) {
                running.set(number);
                self.at.store(number as u32, Ordering::Relaxed);
                if self.run_step(step, running, loops)? == Ran::Abandoned {
                    return Ok(Ran::Abandoned);
                }
            }
            Ok(Ran::Through)
        })?;
        Ok(if failing::has_failed() { Ran::Abandoned } else { ran })
    }

    /// Runs the step whose number `running` has.
    #[inline(always)]
    fn run_step(&self, step: &Step, running: &Cell<u64>, loops: &Loops) -> Result<Ran, Error> {
        let outcome = match step {
            Step::Block { function, arguments, grid } => {
                self.launches.grids[*grid as usize].run_plain_block(*function, *arguments)
            }
            // Blocks take the reasons that they give, and none of an earlier step.
            Step::Grid { .. } | Step::Sized { .. } if failing::has_failed() => return Ok(Ran::Abandoned),
            Step::Grid { function, arguments, grid, pace } => {
                self.launches.grids[*grid as usize].run(*function, *arguments, &self.launches.paces[*pace as usize])
            }
            Step::Sized { function, arguments, at, pace } => {
                let (shape, from) = &self.launches.sized[*at as usize];
                match grid_now(shape, from).map_err(|error| self.no_grid(running.get(), &error))? {
                    Some(grid) => grid.run(*function, *arguments, &self.launches.paces[*pace as usize]),
                    None => Ok(()),
                }
            }
            Step::Node(node) => {
                self.run_node(*node)?;
                Ok(())
            }
            Step::Event(index) => {
                self.events.reach(*index);
                Ok(())
            }
            Step::Branch(index) => return self.branches[*index as usize].run(running, loops),
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
        for step in &self.steps[steps.start as usize..steps.end as usize] {
            if let Step::Event(index) = step {
                self.events.reach(*index);
            }
        }
    }

    fn run_node(&self, node: u32) -> Result<(), Error> {
        let Some(Node { action, .. }) = self.definition.node(node) else { return Ok(()) };
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

impl PlannedBranch {
    fn new(branch: &Arc<Branch>, bodies: Box<[Plan]>, turn_limit: u64) -> PlannedBranch {
        let (turn, body) = (AtomicU64::new(0), AtomicU32::new(0));
        PlannedBranch { branch: Arc::clone(branch), bodies, turn, body, turn_limit }
    }

    /// Runs the bodies that the value of the condition says, on this lane. A body has no node that waits for others.
    fn run(&self, running: &Cell<u64>, loops: &Loops) -> Result<Ran, Error> {
        let Branch { condition, kind, .. } = &*self.branch;
        let ran = match kind {
            ConditionalKind::If => self.run_body(usize::from(condition.value() == 0), 1, running, loops),
            ConditionalKind::Switch => self.run_body(condition.value() as usize, 1, running, loops),
            ConditionalKind::While => self.run_loop(running, loops),
        }?;
        // Of one that ends early this is told first: see `Plan::end_early`.
        if ran == Ran::Through {
            self.turn.store(0, Ordering::Relaxed);
        }
        Ok(ran)
    }

    fn run_loop(&self, running: &Cell<u64>, loops: &Loops) -> Result<Ran, Error> {
        let (mut turn, own_number) = (0, running.get());
        while self.branch.condition.value() != 0 {
            if turn == self.turn_limit && turn > 0 {
                // Told of the loop itself, which is in no turn any more.
                running.set(own_number);
                self.turn.store(0, Ordering::Relaxed);
                return Err(too_many_turns(turn));
            }
            turn += 1;
            if loops.are_over() || self.run_body(0, turn, running, loops)? == Ran::Abandoned {
                return Ok(Ran::Abandoned);
            }
        }
        Ok(Ran::Through)
    }

    fn run_body(&self, number: usize, turn: u64, running: &Cell<u64>, loops: &Loops) -> Result<Ran, Error> {
        let Some(body) = self.bodies.get(number) else { return Ok(Ran::Through) };
        self.body.store(number as u32, Ordering::Relaxed);
        self.turn.store(turn, Ordering::Relaxed);
        body.run_as_body(running, loops)
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
