//! The compiled form of a graph: flat arrays that a lane walks from front to back.
//!
//! Steps stand in topological order, chains in one piece. A chain is a *segment*: once it has begun nothing
//! else is waited for until its end, so only segments carry counters.

use std::collections::HashMap;
use std::mem::size_of;
use std::ops::Range;
use std::sync::Arc;

use super::completion::Completion;
use super::event_nodes::EventNodes;
use super::graph::{Action, Definition};
use super::kernel::{catch_panic, kernel_panicked, ArgumentArena, BlockPace, Grid};
use super::raw::ArgumentTable;
use super::{memory, values};
use crate::driver::{HostFunction, HostKernelFunction, LaunchShape, ValueOperation};
use crate::error::{Error, Status};
use crate::room;

/// One node's work, with all that the common case needs in place.
enum Step {
    /// One block without shared memory: a plain call.
    Block { function: HostKernelFunction, arguments: ArgumentTable, grid: u32 },
    /// Several blocks.
    Grid { function: HostKernelFunction, arguments: ArgumentTable, grid: u32, pace: u32 },
    /// Anything but a kernel: what the node says.
    Node(u32),
    /// The event node of that number.
    Event(u32),
}

/// A chain of steps.
pub(super) struct Segment {
    /// Its steps.
    pub(super) steps: Range<u32>,
    /// How many segments must end before it begins.
    pub(super) indegree: u32,
    successors: Range<u32>,
    pub(super) kind: SegmentKind,
}

/// How a segment is run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SegmentKind {
    /// Its steps are run one after another.
    Steps,
    /// A host function, which runs elsewhere and is waited for without a lane.
    Host,
    /// Value operations with waits among them, which are waited for without a lane.
    Values,
    /// A wait for an event, without a lane.
    Event,
}

/// A compiled graph.
pub(super) struct Plan {
    steps: Box<[Step]>,
    segments: Box<[Segment]>,
    successors: Box<[u32]>,
    grids: Box<[Grid]>,
    paces: Box<[BlockPace]>,
    /// Held for its memory, which the steps point into.
    _arguments: ArgumentArena,
    /// Which node each step is.
    nodes: Box<[u32]>,
    definition: Arc<Definition>,
    /// Whether some segment is waited for without a lane.
    pub(super) must_spread: bool,
    /// Whether one of them waits for values or events, so that others may have to bring these.
    pub(super) waits: bool,
    /// Whether one of them waits for values.
    pub(super) waits_for_values: bool,
    /// Its event nodes.
    pub(super) events: EventNodes,
}

impl Plan {
    /// Whether a definition can be compiled: nodes and edges are numbered with 32 bits, and there is memory for the plan.
    pub(super) fn check(definition: &Definition) -> Result<(), Error> {
        if u32::try_from(definition.edge_count()).is_err() {
            return Err(Error::new(
                Status::OUT_OF_MEMORY,
                "the graph has more edges than an exec can have, 4294967295; let a node in between join the branches",
            ));
        }
        room::ask(Plan::bytes(definition))
    }

    /// About as many bytes as compiling a definition takes at most, rather more.
    fn bytes(definition: &Definition) -> usize {
        const OF_NODE: usize = size_of::<Step>() + size_of::<Segment>() + size_of::<[u32; 8]>();
        let arguments = definition.nodes.iter().map(|node| match &node.action {
            Action::Kernel(call) => call.arguments.bytes(),
            _ => 0,
        });
        let lists = definition.nodes.len() * OF_NODE + definition.edge_count() * 2 * size_of::<u32>();
        // Lists that grow take as much again while they do.
        2 * (lists + arguments.sum::<usize>())
    }

    /// Compiles a definition that [`Plan::check`] has passed.
    pub(super) fn compile(definition: &Arc<Definition>) -> Plan {
        let nodes = &definition.nodes;
        let successors = Successors::of(definition);
        let order = topological_order(definition, &successors);

        let mut grid_numbers: HashMap<LaunchShape, u32> = HashMap::new();
        let mut grids = Vec::new();
        let mut paces = Vec::new();
        let kernels = || order.iter().map(|&node| &nodes[node as usize].action);
        let arguments = ArgumentArena::new(kernels().filter_map(|action| match action {
            Action::Kernel(call) => Some(&call.arguments),
            _ => None,
        }));
        let mut launches = 0;
        let mut events = Vec::new();
        let steps = order.iter().map(|&node| {
            let call = match &nodes[node as usize].action {
                Action::Kernel(call) => call,
                action @ (Action::RecordEvent(event) | Action::WaitEvent(event)) => {
                    events.push((matches!(action, Action::WaitEvent(_)), Arc::clone(event)));
                    return Step::Event(events.len() as u32 - 1);
                }
                _ => return Step::Node(node),
            };
            let grid = *grid_numbers.entry(call.shape).or_insert_with(|| {
                grids.push(Grid::new(&call.shape));
                grids.len() as u32 - 1
            });
            let table = arguments.table(launches);
            launches += 1;
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
        Plan {
            steps,
            must_spread: segments.iter().any(|segment| segment.kind != SegmentKind::Steps),
            waits: segments.iter().any(|segment| matches!(segment.kind, SegmentKind::Values | SegmentKind::Event)),
            waits_for_values: segments.iter().any(|segment| segment.kind == SegmentKind::Values),
            segments,
            successors: segment_successors,
            grids: grids.into(),
            paces: paces.into(),
            _arguments: arguments,
            nodes: order.into(),
            definition: Arc::clone(definition),
            events: EventNodes::new(&events),
        }
    }

    /// The segments, in an order in which they could run one after another.
    pub(super) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The segments that wait for `segment`, once per edge.
    pub(super) fn successors(&self, segment: &Segment) -> &[u32] {
        &self.successors[segment.successors.start as usize..segment.successors.end as usize]
    }

    /// Number of steps.
    pub(super) fn step_count(&self) -> u32 {
        self.steps.len() as u32
    }

    /// Number of the segment that holds step number `step`.
    pub(super) fn segment_of(&self, step: u32) -> u32 {
        self.segments.partition_point(|segment| segment.steps.end <= step) as u32
    }

    /// What a segment that waits for an event waits for in the replay that runs.
    pub(super) fn awaited(&self, segment: &Segment) -> Option<Arc<Completion>> {
        match self.steps[segment.steps.start as usize] {
            Step::Event(index) => self.events.point(index),
            _ => None,
        }
    }

    /// The function of a segment that is one.
    pub(super) fn host_function(&self, segment: &Segment) -> Option<&HostFunction> {
        match &self.definition.nodes[self.nodes[segment.steps.start as usize] as usize].action {
            Action::Host(function) => Some(function),
            _ => None,
        }
    }

    /// The operations of a segment that has waits for values.
    pub(super) fn values(&self, segment: &Segment) -> &[ValueOperation] {
        match &self.definition.nodes[self.nodes[segment.steps.start as usize] as usize].action {
            Action::Values(operations) => operations,
            _ => &[],
        }
    }

    /// Runs steps one after another. Only those of segments that are [`SegmentKind::Steps`] are among them.
    pub(super) fn run(&self, steps: Range<u32>) -> Result<(), Error> {
        catch_panic(|| self.run_steps(steps)).unwrap_or_else(|| Err(kernel_panicked()))
    }

    #[inline]
    fn run_steps(&self, steps: Range<u32>) -> Result<(), Error> {
        for (offset, step) in self.steps[steps.start as usize..steps.end as usize].iter().enumerate() {
            let outcome = match step {
                Step::Block { function, arguments, grid } => {
                    self.grids[*grid as usize].run_plain_block(*function, *arguments)
                }
                Step::Grid { function, arguments, grid, pace } => {
                    self.grids[*grid as usize].run(*function, *arguments, &self.paces[*pace as usize])
                }
                Step::Node(node) => {
                    self.run_node(*node)?;
                    Ok(())
                }
                Step::Event(index) => {
                    self.events.reach(*index);
                    Ok(())
                }
            };
            if let Err(fault) = outcome {
                return Err(fault.into_error(self.kernel_name(steps.start as usize + offset)));
            }
        }
        Ok(())
    }

    /// Runs none of these steps, and lets those go who wait for their records.
    #[cold]
    pub(super) fn skip(&self, steps: Range<u32>) {
        for step in &self.steps[steps.start as usize..steps.end as usize] {
            if let Step::Event(index) = step {
                self.events.reach(*index);
            }
        }
    }

    fn run_node(&self, node: u32) -> Result<(), Error> {
        match &self.definition.nodes[node as usize].action {
            Action::Memcpy(copy) => memory::run_copy(copy),
            Action::MemcpyRows(call) => memory::run_rows(&call.copy),
            Action::Memset(set) => memory::run_set(set),
            Action::Values(operations) => values::write_all(operations),
            Action::Kernel(_) | Action::Host(_) | Action::RecordEvent(_) | Action::WaitEvent(_) => Ok(()),
        }
    }

    #[cold]
    fn kernel_name(&self, step: usize) -> &str {
        match &self.definition.nodes[self.nodes[step] as usize].action {
            Action::Kernel(call) => &call.kernel.name,
            _ => "",
        }
    }
}

/// Which nodes depend on which, node by node in one array.
struct Successors {
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Successors {
    fn of(definition: &Definition) -> Successors {
        let mut starts = vec![0u32; definition.nodes.len() + 1];
        for dependency in definition.nodes.iter().flat_map(|node| &node.dependencies) {
            starts[*dependency as usize + 1] += 1;
        }
        for node in 1..starts.len() {
            starts[node] += starts[node - 1];
        }
        let mut filled = starts.clone();
        let mut targets = vec![0u32; definition.edge_count()];
        for (to, node) in definition.nodes.iter().enumerate() {
            for from in &node.dependencies {
                targets[filled[*from as usize] as usize] = to as u32;
                filled[*from as usize] += 1;
            }
        }
        Successors { starts, targets }
    }

    fn of_node(&self, node: u32) -> &[u32] {
        &self.targets[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }
}

/// An order that runs on along a chain for as long as it can.
fn topological_order(definition: &Definition, successors: &Successors) -> Vec<u32> {
    let mut missing: Vec<u32> = definition.nodes.iter().map(|node| node.dependencies.len() as u32).collect();
    let mut ready: Vec<u32> = (0..missing.len() as u32).rev().filter(|&node| missing[node as usize] == 0).collect();
    let mut order = Vec::with_capacity(missing.len());
    while let Some(node) = ready.pop() {
        order.push(node);
        for &next in successors.of_node(node).iter().rev() {
            missing[next as usize] -= 1;
            if missing[next as usize] == 0 {
                ready.push(next);
            }
        }
    }
    order
}

/// Cuts an order into segments and links these.
fn segment(definition: &Definition, successors: &Successors, order: &[u32]) -> (Box<[Segment]>, Box<[u32]>) {
    let kind = |node: u32| match &definition.nodes[node as usize].action {
        Action::Host(_) => SegmentKind::Host,
        Action::WaitEvent(_) => SegmentKind::Event,
        action if action.waits_for_values() => SegmentKind::Values,
        _ => SegmentKind::Steps,
    };
    let is_walked = |node: u32| kind(node) == SegmentKind::Steps;
    let mut segments: Vec<Segment> = Vec::new();
    let mut segment_of_node = vec![0u32; order.len()];
    let mut previous: Option<u32> = None;
    for (step, &node) in order.iter().enumerate() {
        let dependencies = &definition.nodes[node as usize].dependencies;
        let goes_on = previous.is_some_and(|previous| {
            successors.of_node(previous) == [node] && dependencies.len() == 1 && is_walked(node) && is_walked(previous)
        });
        match segments.last_mut() {
            Some(segment) if goes_on => segment.steps.end += 1,
            _ => segments.push(Segment {
                steps: step as u32..step as u32 + 1,
                indegree: dependencies.len() as u32,
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
