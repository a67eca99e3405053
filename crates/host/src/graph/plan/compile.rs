//! Compiles definitions to plans: orders their nodes, cuts the order into segments, packs arguments and shapes.

use std::collections::HashMap;
use std::mem::size_of;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, OnceLock};

use graphcap_base::error::{Error, Status};
use graphcap_base::room;
use graphcap_driver::LaunchShape;

use super::super::flat::{Flat, Places, Spot};
use super::super::node::{Definition, Node};
use super::super::order::{dependency_count, topological_order, Successors};
use super::super::{Action, Branch};
use super::{Launches, Plan, PlannedBranch, Segment, SegmentKind, Step};
use crate::code::arguments::ArgumentArena;
use crate::code::grid::{BlockPace, Grid};
use crate::exec::event_nodes::EventNodes;
use crate::memory::node_memory::NodeMemories;

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
            last_kind: segments.iter().map(|segment| segment.kind).max().unwrap_or(SegmentKind::Steps),
            segments,
            successors: segment_successors,
            launches: Launches { grids: grids.into(), paces: paces.into(), sized: sized.into(), _arguments: arguments },
            nodes: order.into(),
            body,
            places: Arc::clone(places),
            definition: Arc::clone(definition),
            branches: branches.into(),
            events: EventNodes::new(&events),
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
            launches: Launches {
                grids: Box::default(),
                paces: Box::default(),
                sized: Box::default(),
                _arguments: ArgumentArena::new(std::iter::empty()),
            },
            nodes: Box::default(),
            body: 0,
            places: Arc::default(),
            definition: Arc::new(Definition::new()),
            branches: Box::default(),
            last_kind: SegmentKind::Steps,
            events: EventNodes::new(&[]),
            memories: NodeMemories::default(),
            at: AtomicU32::new(0),
            ids: OnceLock::new(),
        }
    }
}

/// Returns what the nodes of a definition allocate and free.
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
