//! The compiled form of a graph: flat arrays that a lane walks from front to back.
//!
//! Steps stand in topological order, chains in one piece. A chain is a *segment*: once it has begun nothing
//! else is waited for until its end, so only segments carry counters.

mod told;

use std::cell::Cell;
use std::collections::HashMap;
use std::mem::size_of;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::flat::{Flat, Places, Spot};
use super::node::{Definition, Node};
use super::order::{dependency_count, topological_order, Successors};
use super::{Action, Branch};
use crate::code::arguments::ArgumentArena;
use crate::code::kernel::{catch_panic, go_on_behind_ends, grid_now, BlockFault, BlockPace, Grid};
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
use graphcap_base::room;
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
    /// How many segments must end before it begins.
    pub(crate) indegree: u32,
    successors: Range<u32>,
    pub(crate) kind: SegmentKind,
}

/// How a segment is run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SegmentKind {
    /// Its steps are run one after another.
    Steps,
    /// A host function, which runs elsewhere and is waited for without a lane.
    Host,
    /// Value operations with waits among them, which are waited for without a lane.
    Values,
    /// A wait for an event, without a lane.
    Event,
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
    /// Whether it has turns.
    pub(crate) is_loop: bool,
    /// The node of the body that runs.
    pub(crate) runs: Spot,
}

/// How steps ended that did not fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ran {
    Through,
    /// A loop was abandoned, and what comes after it was not begun.
    Abandoned,
}

/// A compiled graph, or the compiled body of a conditional.
pub(crate) struct Plan {
    steps: Box<[Step]>,
    segments: Box<[Segment]>,
    successors: Box<[u32]>,
    grids: Box<[Grid]>,
    paces: Box<[BlockPace]>,
    /// The launches whose grids come from memory.
    sized: Box<[(LaunchShape, GridSources)]>,
    /// Held for its memory, which the steps point into.
    _arguments: ArgumentArena,
    /// Which node each step is.
    nodes: Box<[u32]>,
    /// Number of the definition among those of the exec.
    body: u32,
    /// The ids and names of the nodes, for messages.
    places: Arc<Places>,
    /// Packed.
    definition: Arc<Definition>,
    branches: Box<[PlannedBranch]>,
    /// Whether some segment is waited for without a lane.
    pub(crate) must_spread: bool,
    /// Whether one of them waits for values or events, so that others may have to bring these.
    pub(crate) waits: bool,
    /// Whether one of them waits for values.
    pub(crate) waits_for_values: bool,
    /// Its event nodes.
    pub(crate) events: EventNodes,
    /// What its nodes allocate and free.
    pub(crate) memories: NodeMemories,
    /// Whether there are event nodes, or nodes that allocate or free.
    pub(crate) is_bound: bool,
    /// The step that runs, of the body of a conditional.
    at: AtomicU32,
    /// The ids of the nodes of the definition, where memory is guarded.
    ids: OnceLock<Box<[Option<NodeId>]>>,
}

impl Plan {
    /// About as many bytes as compiling a definition takes at most, rather more.
    fn bytes(definition: &Definition, edges: usize) -> usize {
        const OF_NODE: usize = size_of::<Step>() + size_of::<Segment>() + size_of::<[u32; 8]>();
        let nodes = definition.packed_nodes();
        let arguments = nodes.iter().flatten().map(|node| match &node.action {
            Action::Kernel(call) => call.arguments.bytes(),
            _ => 0,
        });
        let lists = nodes.len() * OF_NODE + edges * 2 * size_of::<u32>();
        // Lists that grow take as much again while they do.
        2 * (lists + arguments.sum::<usize>())
    }

    /// Compiles what an exec runs, whose nodes `places` tells, and whose loops have at most `turn_limit` turns, or any number for 0.
    ///
    /// # Errors
    /// `INVALID_VALUE` when the edges form a cycle; `OUT_OF_MEMORY` when there are more edges than can be numbered.
    pub(crate) fn compile(flat: &Flat, places: &Arc<Places>, turn_limit: u64) -> Result<Plan, Error> {
        // From the last to the first, as a body comes after what it is a body of.
        let mut plans: Vec<Option<Plan>> = flat.bodies.iter().map(|_| None).collect();
        for (body, definition) in flat.bodies.iter().enumerate().rev() {
            let spot = |slot| Spot { body: body as u32, slot };
            let is_disabled = |slot| !flat.disabled.is_empty() && flat.is_disabled(spot(slot));
            let plan = Plan::compile_one(definition, (body as u32, places), is_disabled, |branch| {
                let bodies = &mut plans[branch.bodies.start as usize..branch.bodies.end as usize];
                PlannedBranch::new(branch, bodies.iter_mut().filter_map(Option::take).collect(), turn_limit)
            })?;
            plans[body] = Some(plan);
        }
        Ok(plans.into_iter().next().flatten().unwrap_or_else(Plan::empty))
    }

    /// Compiles the definition with that number. The nodes that are disabled do nothing. `planned` plans a conditional, once.
    fn compile_one(
        definition: &Arc<Definition>,
        (body, places): (u32, &Arc<Places>),
        is_disabled: impl Fn(u32) -> bool,
        mut planned: impl FnMut(&Arc<Branch>) -> PlannedBranch,
    ) -> Result<Plan, Error> {
        let edges = definition.edge_count();
        if u32::try_from(edges).is_err() {
            return Err(Error::new(
                Status::OUT_OF_MEMORY,
                "the graph has more edges than an exec can have, 4294967295; let a node in between join the branches",
            ));
        }
        room::ask(Plan::bytes(definition, edges))?;
        let nodes = definition.packed_nodes();
        let successors = Successors::of(nodes, edges);
        let order = topological_order(definition, &successors).map_err(|_| cycle())?;

        let mut grid_numbers: HashMap<LaunchShape, u32> = HashMap::new();
        // Most launches have the shape of the one before.
        let mut last_grid: Option<(LaunchShape, u32)> = None;
        let mut grids = Vec::new();
        let (mut paces, mut sized) = (Vec::new(), Vec::new());
        let kernels = order.iter().map(|&node| &nodes[node as usize]);
        let arguments = ArgumentArena::new(kernels.filter_map(|node| match node {
            Some(Node { action: Action::Kernel(call), .. }) => Some(&call.arguments),
            _ => None,
        }));
        let mut launches = 0;
        let mut events = Vec::new();
        let mut branches = Vec::new();
        let steps = order.iter().map(|&node| {
            let Some(Node { action, .. }) = &nodes[node as usize] else { return Step::Nothing };
            let call = match action {
                Action::Kernel(call) => call,
                action @ (Action::RecordEvent(event) | Action::WaitEvent(event)) => {
                    events.push((matches!(action, Action::WaitEvent(_)), Arc::clone(event)));
                    return Step::Event(events.len() as u32 - 1);
                }
                Action::Branch(branch) => {
                    branches.push(planned(branch));
                    return Step::Branch(branches.len() as u32 - 1);
                }
                Action::Empty | Action::Boundary => return Step::Nothing,
                _ if is_disabled(node) => return Step::Nothing,
                _ => return Step::Node(node),
            };
            let table = arguments.table(launches);
            launches += 1;
            if is_disabled(node) {
                return Step::Nothing;
            }
            if let Some(from) = &call.grid_from {
                sized.push((call.shape, **from));
                paces.push(BlockPace::default());
                let (at, pace) = (sized.len() as u32 - 1, paces.len() as u32 - 1);
                return Step::Sized { function: call.kernel.function, arguments: table, at, pace };
            }
            let grid = match last_grid {
                Some((shape, grid)) if shape == call.shape => grid,
                _ => *grid_numbers.entry(call.shape).or_insert_with(|| {
                    grids.push(Grid::new(&call.shape));
                    grids.len() as u32 - 1
                }),
            };
            last_grid = Some((call.shape, grid));
            let function = call.kernel.function;
            if grids[grid as usize].is_one_plain_block() {
                Step::Block { function, arguments: table, grid }
            } else {
                paces.push(BlockPace::default());
                Step::Grid { function, arguments: table, grid, pace: paces.len() as u32 - 1 }
            }
        });
        let steps: Box<[Step]> = steps.collect();

        let (segments, segment_successors) = segment(definition, &successors, &order);
        Ok(Plan {
            steps,
            must_spread: segments.iter().any(|segment| segment.kind != SegmentKind::Steps),
            waits: segments.iter().any(|segment| matches!(segment.kind, SegmentKind::Values | SegmentKind::Event)),
            waits_for_values: segments.iter().any(|segment| segment.kind == SegmentKind::Values),
            segments,
            successors: segment_successors,
            grids: grids.into(),
            paces: paces.into(),
            sized: sized.into(),
            _arguments: arguments,
            nodes: order.into(),
            body,
            places: Arc::clone(places),
            definition: Arc::clone(definition),
            branches: branches.into(),
            events: EventNodes::new(&events),
            is_bound: !events.is_empty() || definition.memory_nodes > 0,
            memories: memories(definition),
            at: AtomicU32::new(0),
            ids: OnceLock::new(),
        })
    }

    /// Without steps.
    pub(crate) fn empty() -> Plan {
        Plan {
            steps: Box::default(),
            segments: Box::default(),
            successors: Box::default(),
            grids: Box::default(),
            paces: Box::default(),
            sized: Box::default(),
            _arguments: ArgumentArena::new(std::iter::empty()),
            nodes: Box::default(),
            body: 0,
            places: Arc::default(),
            definition: Arc::new(Definition::new()),
            branches: Box::default(),
            must_spread: false,
            waits: false,
            waits_for_values: false,
            events: EventNodes::new(&[]),
            memories: NodeMemories::default(),
            is_bound: false,
            at: AtomicU32::new(0),
            ids: OnceLock::new(),
        }
    }

    /// Whether it has conditionals.
    #[inline]
    pub(crate) fn has_branches(&self) -> bool {
        !self.branches.is_empty()
    }

    /// What a step's node does.
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

    /// What a segment that waits for an event waits for in the replay that runs.
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
                self.grids[*grid as usize].run_plain_block(*function, *arguments)
            }
            // Blocks take the reasons that they give, and none of an earlier step.
            Step::Grid { .. } | Step::Sized { .. } if failing::has_failed() => return Ok(Ran::Abandoned),
            Step::Grid { function, arguments, grid, pace } => {
                self.grids[*grid as usize].run(*function, *arguments, &self.paces[*pace as usize])
            }
            Step::Sized { function, arguments, at, pace } => {
                let (shape, from) = &self.sized[*at as usize];
                match grid_now(shape, from).map_err(|error| self.no_grid(running.get(), &error))? {
                    Some(grid) => grid.run(*function, *arguments, &self.paces[*pace as usize]),
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

/// What the nodes of a definition allocate and free.
fn memories(definition: &Definition) -> NodeMemories {
    if definition.memory_nodes == 0 {
        return NodeMemories::default();
    }
    NodeMemories::of(definition.packed_nodes().iter().flatten().filter_map(|node| match &node.action {
        Action::MemAlloc(memory) => Some((memory, true)),
        Action::MemFree(freed) => Some((&freed.memory, false)),
        _ => None,
    }))
}

/// Cuts an order into segments and links these.
fn segment(definition: &Definition, successors: &Successors, order: &[u32]) -> (Box<[Segment]>, Box<[u32]>) {
    let nodes = definition.packed_nodes();
    let kind = |node: u32| match &nodes[node as usize] {
        Some(Node { action: Action::Host(_), .. }) => SegmentKind::Host,
        Some(Node { action: Action::WaitEvent(_), .. }) => SegmentKind::Event,
        Some(Node { action, .. }) if action.waits_for_values() => SegmentKind::Values,
        _ => SegmentKind::Steps,
    };
    let is_walked = |node: u32| kind(node) == SegmentKind::Steps;
    let mut segments: Vec<Segment> = Vec::new();
    let mut segment_of_node = vec![0u32; order.len()];
    let mut previous: Option<u32> = None;
    for (step, &node) in order.iter().enumerate() {
        let dependencies = dependency_count(&nodes[node as usize]);
        let goes_on = previous.is_some_and(|previous| {
            successors.of_node(previous) == [node] && dependencies == 1 && is_walked(node) && is_walked(previous)
        });
        match segments.last_mut() {
            Some(segment) if goes_on => segment.steps.end += 1,
            _ => segments.push(Segment {
                steps: step as u32..step as u32 + 1,
                indegree: dependencies,
                successors: 0..0,
                kind: kind(node),
            }),
        }
        segment_of_node[node as usize] = segments.len() as u32 - 1;
        previous = Some(node);
    }
    let mut links = Vec::new();
    for segment in &mut segments {
        let last = order[segment.steps.end as usize - 1];
        let start = links.len() as u32;
        links.extend(successors.of_node(last).iter().map(|&next| segment_of_node[next as usize]));
        segment.successors = start..links.len() as u32;
    }
    (segments.into(), links.into())
}

/// The edges form a cycle: [`Flat::check_order`] tells which.
#[cold]
fn cycle() -> Error {
    Error::invalid_value("the edges of the graph form a cycle; remove one of them")
}
