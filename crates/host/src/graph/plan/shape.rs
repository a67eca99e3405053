//! Shapes of plans: what no edit of an exec changes, so that all its versions share it.

use std::ops::Range;
use std::sync::atomic::AtomicU32;
use std::sync::OnceLock;

use super::super::node::{Definition, Node};
use super::super::order::{dependency_count, topological_order, Successors};
use super::super::Action;
use graphcap_base::error::{Error, Status};
use graphcap_driver::NodeId;

/// The order of a definition's nodes, and how a replay is cut into segments. An edit of an exec leaves a node its kind, and its edges.
pub(crate) struct Shape {
    /// Number of the definition among those of the exec.
    pub(super) body: u32,
    /// The slot of the node of each step.
    pub(super) nodes: Box<[u32]>,
    /// The step of the node in each slot; made by the first edit.
    steps: OnceLock<Box<[u32]>>,
    segments: Box<[Segment]>,
    successors: Box<[u32]>,
    /// The last kind among those of its segments.
    last_kind: SegmentKind,
    /// The step that runs, of the body of a conditional. Launches of an exec run one after another, so one lane writes it.
    pub(super) at: AtomicU32,
    /// The ids of the nodes of the definition, where memory is guarded.
    pub(super) ids: OnceLock<Box<[Option<NodeId>]>>,
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

impl Shape {
    /// The shape of a packed definition, which is number `body` among those of the exec.
    ///
    /// # Errors
    /// `INVALID_VALUE` when the edges form a cycle; `OUT_OF_MEMORY` when there are more edges than can be numbered.
    pub(super) fn of(definition: &Definition, body: u32) -> Result<Shape, Error> {
        let edges = definition.edge_count();
        if u32::try_from(edges).is_err() {
            return Err(Error::new(
                Status::OUT_OF_MEMORY,
                "the graph has more edges than an exec can have, 4294967295; let a node in between join the branches",
            ));
        }
        let successors = Successors::of(definition.packed_nodes(), edges);
        let order = topological_order(definition, &successors).map_err(|_| cycle())?;
        let (segments, links) = segment(definition, &successors, &order);
        Ok(Shape {
            body,
            last_kind: segments.iter().map(|segment| segment.kind).max().unwrap_or(SegmentKind::Steps),
            nodes: order.into(),
            steps: OnceLock::new(),
            segments,
            successors: links,
            at: AtomicU32::new(0),
            ids: OnceLock::new(),
        })
    }

    /// Of a definition without nodes.
    pub(super) fn empty() -> Shape {
        Shape {
            body: 0,
            nodes: Box::default(),
            steps: OnceLock::new(),
            segments: Box::default(),
            successors: Box::default(),
            last_kind: SegmentKind::Steps,
            at: AtomicU32::new(0),
            ids: OnceLock::new(),
        }
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

    /// The segments, in an order in which they could run one after another.
    #[inline]
    pub(crate) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The segments that wait for `segment`, once per edge.
    pub(crate) fn successors(&self, segment: &Segment) -> &[u32] {
        &self.successors[segment.successors.start as usize..segment.successors.end as usize]
    }

    /// Tells each step that another one waits for, and that one.
    pub(super) fn edges(&self, mut tell: impl FnMut(u32, u32)) {
        for segment in &self.segments {
            let Range { start, end } = segment.steps;
            (start + 1..end).for_each(|step| tell(step - 1, step));
            for &next in self.successors(segment) {
                tell(end - 1, self.segments[next as usize].steps.start);
            }
        }
    }

    /// Number of steps.
    #[inline]
    pub(crate) fn step_count(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// Number of the segment that holds step number `step`.
    pub(crate) fn segment_of(&self, step: u32) -> u32 {
        self.segments.partition_point(|segment| segment.steps.end <= step) as u32
    }

    /// The step of the node in a slot, if there is one.
    pub(super) fn step_of(&self, slot: u32) -> Option<u32> {
        let steps = self.steps.get_or_init(|| {
            let mut steps = vec![0; self.nodes.len()];
            for (step, &slot) in self.nodes.iter().enumerate() {
                steps[slot as usize] = step as u32;
            }
            steps.into()
        });
        steps.get(slot as usize).copied()
    }

    /// The number of a step, which no step of another body has: the lower half is the step's among those of the body.
    #[inline]
    pub(super) fn number_of(&self, step: u32) -> u64 {
        u64::from(self.body) << 32 | u64::from(step)
    }
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
