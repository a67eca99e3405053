//! The compiled form of a graph: flat arrays that a lane walks from front to back.
//!
//! Steps stand in topological order, chains in one piece. A chain is a *segment*: once it has begun nothing
//! else is waited for until its end, so only segments carry counters.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::mem::size_of;
use std::ops::Range;
use std::sync::Arc;

use super::definition::{Definition, Node};
use super::Action;
use crate::driver::host::completion::Completion;
use crate::driver::host::event_nodes::EventNodes;
use crate::driver::host::kernel::{catch_panic, kernel_panicked, ArgumentArena, BlockPace, Grid};
use crate::driver::host::raw::ArgumentTable;
use crate::driver::host::{memory, values};
use crate::driver::{HostFunction, HostKernelFunction, LaunchShape, NodeKind, ValueOperation};
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
    /// A node that is disabled.
    Nothing,
}

/// A chain of steps.
pub(in crate::driver::host) struct Segment {
    /// Its steps.
    pub(in crate::driver::host) steps: Range<u32>,
    /// How many segments must end before it begins.
    pub(in crate::driver::host) indegree: u32,
    successors: Range<u32>,
    pub(in crate::driver::host) kind: SegmentKind,
}

/// How a segment is run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::driver::host) enum SegmentKind {
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
pub(in crate::driver::host) struct Plan {
    steps: Box<[Step]>,
    segments: Box<[Segment]>,
    successors: Box<[u32]>,
    grids: Box<[Grid]>,
    paces: Box<[BlockPace]>,
    /// Held for its memory, which the steps point into.
    _arguments: ArgumentArena,
    /// Which node each step is.
    nodes: Box<[u32]>,
    /// Packed.
    definition: Arc<Definition>,
    /// The nodes that do nothing.
    disabled: BTreeSet<u32>,
    /// Whether some segment is waited for without a lane.
    pub(in crate::driver::host) must_spread: bool,
    /// Whether one of them waits for values or events, so that others may have to bring these.
    pub(in crate::driver::host) waits: bool,
    /// Whether one of them waits for values.
    pub(in crate::driver::host) waits_for_values: bool,
    /// Its event nodes.
    pub(in crate::driver::host) events: EventNodes,
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

    /// Compiles a definition that is [packed](Definition::packed). The nodes `disabled`, which are kernels, copies or
    /// memsets, do nothing.
    ///
    /// # Errors
    /// `INVALID_VALUE` when the edges form a cycle; `OUT_OF_MEMORY` when there are more edges than can be numbered.
    pub(in crate::driver::host) fn compile(
        definition: &Arc<Definition>,
        disabled: BTreeSet<u32>,
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
        let order = topological_order(definition, &successors)?;

        let mut grid_numbers: HashMap<LaunchShape, u32> = HashMap::new();
        // Most launches have the shape of the one before.
        let mut last_grid: Option<(LaunchShape, u32)> = None;
        let mut grids = Vec::new();
        let mut paces = Vec::new();
        let is_disabled = |node: u32| !disabled.is_empty() && disabled.contains(&node);
        let kernels = order.iter().map(|&node| &nodes[node as usize]);
        let arguments = ArgumentArena::new(kernels.filter_map(|node| match node {
            Some(Node { action: Action::Kernel(call), .. }) => Some(&call.arguments),
            _ => None,
        }));
        let mut launches = 0;
        let mut events = Vec::new();
        let steps = order.iter().map(|&node| {
            let Some(Node { action, .. }) = &nodes[node as usize] else { return Step::Nothing };
            let call = match action {
                Action::Kernel(call) => call,
                action @ (Action::RecordEvent(event) | Action::WaitEvent(event)) => {
                    events.push((matches!(action, Action::WaitEvent(_)), Arc::clone(event)));
                    return Step::Event(events.len() as u32 - 1);
                }
                Action::Empty => return Step::Nothing,
                _ if is_disabled(node) => return Step::Nothing,
                _ => return Step::Node(node),
            };
            let table = arguments.table(launches);
            launches += 1;
            if is_disabled(node) {
                return Step::Nothing;
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
            _arguments: arguments,
            nodes: order.into(),
            definition: Arc::clone(definition),
            disabled,
            events: EventNodes::new(&events),
        })
    }

    /// Without steps.
    pub(in crate::driver::host) fn empty() -> Plan {
        Plan {
            steps: Box::default(),
            segments: Box::default(),
            successors: Box::default(),
            grids: Box::default(),
            paces: Box::default(),
            _arguments: ArgumentArena::new(std::iter::empty()),
            nodes: Box::default(),
            definition: Arc::new(Definition::new()),
            disabled: BTreeSet::new(),
            must_spread: false,
            waits: false,
            waits_for_values: false,
            events: EventNodes::new(&[]),
        }
    }

    /// The packed definition that the plan was compiled from.
    pub(in crate::driver::host) fn definition(&self) -> &Arc<Definition> {
        &self.definition
    }

    /// The nodes that do nothing.
    pub(in crate::driver::host) fn disabled(&self) -> &BTreeSet<u32> {
        &self.disabled
    }

    /// What a step's node does.
    fn action(&self, step: u32) -> Option<&Action> {
        self.definition.node(self.nodes[step as usize]).map(|node| &node.action)
    }

    /// The segments, in an order in which they could run one after another.
    pub(in crate::driver::host) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The segments that wait for `segment`, once per edge.
    pub(in crate::driver::host) fn successors(&self, segment: &Segment) -> &[u32] {
        &self.successors[segment.successors.start as usize..segment.successors.end as usize]
    }

    /// Number of steps.
    pub(in crate::driver::host) fn step_count(&self) -> u32 {
        self.steps.len() as u32
    }

    /// Number of the segment that holds step number `step`.
    pub(in crate::driver::host) fn segment_of(&self, step: u32) -> u32 {
        self.segments.partition_point(|segment| segment.steps.end <= step) as u32
    }

    /// What a segment that waits for an event waits for in the replay that runs.
    pub(in crate::driver::host) fn awaited(&self, segment: &Segment) -> Option<Arc<Completion>> {
        match self.steps[segment.steps.start as usize] {
            Step::Event(index) => self.events.point(index),
            _ => None,
        }
    }

    /// The function of a segment that is one.
    pub(in crate::driver::host) fn host_function(&self, segment: &Segment) -> Option<&HostFunction> {
        match self.action(segment.steps.start) {
            Some(Action::Host(function)) => Some(function),
            _ => None,
        }
    }

    /// The operations of a segment that has waits for values.
    pub(in crate::driver::host) fn values(&self, segment: &Segment) -> &[ValueOperation] {
        match self.action(segment.steps.start) {
            Some(Action::Values(operations)) => operations,
            _ => &[],
        }
    }

    /// Runs steps one after another. Only those of segments that are [`SegmentKind::Steps`] are among them.
    pub(in crate::driver::host) fn run(&self, steps: Range<u32>) -> Result<(), Error> {
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
                Step::Nothing => Ok(()),
            };
            if let Err(fault) = outcome {
                return Err(fault.into_error(self.kernel_name(steps.start as usize + offset)));
            }
        }
        Ok(())
    }

    /// Runs none of these steps, and lets those go who wait for their records.
    #[cold]
    pub(in crate::driver::host) fn skip(&self, steps: Range<u32>) {
        for step in &self.steps[steps.start as usize..steps.end as usize] {
            if let Step::Event(index) = step {
                self.events.reach(*index);
            }
        }
    }

    fn run_node(&self, node: u32) -> Result<(), Error> {
        let Some(Node { action, .. }) = self.definition.node(node) else { return Ok(()) };
        match action {
            Action::Memcpy(copy) => memory::run_copy(copy),
            Action::MemcpyRows(call) => memory::run_rows(&call.copy),
            Action::Memset(set) => memory::run_set(set),
            Action::Values(operations) => values::write_all(operations),
            Action::Empty | Action::Kernel(_) | Action::Host(_) | Action::RecordEvent(_) | Action::WaitEvent(_) => {
                Ok(())
            }
        }
    }

    #[cold]
    fn kernel_name(&self, step: usize) -> &str {
        match self.action(step as u32) {
            Some(Action::Kernel(call)) => &call.kernel.name,
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
    fn of(nodes: &[Option<Node>], edges: usize) -> Successors {
        let mut starts = vec![0u32; nodes.len() + 1];
        for Node { dependencies, .. } in nodes.iter().flatten() {
            for from in dependencies {
                starts[*from as usize + 1] += 1;
            }
        }
        for node in 1..starts.len() {
            starts[node] += starts[node - 1];
        }
        let mut filled = starts.clone();
        let mut targets = vec![0u32; edges];
        for (to, node) in nodes.iter().flatten().enumerate() {
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

fn dependency_count(node: &Option<Node>) -> u32 {
    node.as_ref().map_or(0, |node| node.dependencies.len() as u32)
}

/// An order that runs on along a chain for as long as it can.
///
/// # Errors
/// `INVALID_VALUE` when the edges form a cycle, so that there is no order.
fn topological_order(definition: &Definition, successors: &Successors) -> Result<Vec<u32>, Error> {
    let nodes = definition.packed_nodes();
    let mut missing: Vec<u32> = nodes.iter().map(dependency_count).collect();
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
    if order.len() < missing.len() {
        return Err(cycle(definition, &missing));
    }
    Ok(order)
}

/// Most nodes of a cycle that its message names.
const NAMED: usize = 8;

/// The edges form a cycle. `missing` tells how many dependencies of each node stand in no order.
#[cold]
fn cycle(definition: &Definition, missing: &[u32]) -> Error {
    // A node without a place in the order depends on another one without, so walking back comes to a node again.
    let before = |node: u32| {
        let dependencies = definition.node(node).map(|node| &node.dependencies);
        dependencies.into_iter().flatten().copied().find(|&from| missing[from as usize] > 0)
    };
    let mut walked: Vec<u32> = Vec::new();
    let mut walked_at = vec![u32::MAX; missing.len()];
    let mut next = (0..missing.len() as u32).find(|&node| missing[node as usize] > 0);
    let mut nodes: Vec<u32> = Vec::new();
    while let Some(node) = next {
        if walked_at[node as usize] != u32::MAX {
            nodes = walked.split_off(walked_at[node as usize] as usize);
            break;
        }
        walked_at[node as usize] = walked.len() as u32;
        walked.push(node);
        next = before(node);
    }
    nodes.reverse();
    // Told from the node that was made first.
    let first = nodes.iter().enumerate().min_by_key(|(_, node)| **node).map_or(0, |(at, _)| at);
    nodes.rotate_left(first);
    let mut named = String::new();
    for &node in nodes.iter().take(NAMED) {
        let _ = match definition.node(node).map(|node| &node.action) {
            Some(Action::Kernel(call)) => write!(named, "n{node} (Kernel '{}') -> ", call.kernel.name),
            action => write!(named, "n{node} ({:?}) -> ", action.map_or(NodeKind::Other, Action::kind)),
        };
    }
    if let Some(more) = nodes.len().checked_sub(NAMED).filter(|&more| more > 0) {
        let _ = write!(named, "{more} more -> ");
    }
    let start = nodes.first().copied().unwrap_or(0);
    Error::invalid_value(format!(
        "the edges of the graph form a cycle, so that none of its nodes can begin: {named}n{start}; remove one of these edges. \
         Nodes are numbered in the order in which they were made, as in the graph's DOT text"
    ))
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
