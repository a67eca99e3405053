//! Compiles definitions to plans: shapes, and what their steps run by.

use std::mem::size_of;
use std::sync::Arc;

use super::super::flat::{Flat, Places};
use super::super::node::Definition;
use super::super::Action;
use super::chunk::{Chunk, CHUNK_STEPS};
use super::shape::{Segment, Shape};
use super::step::Step;
use super::{Actions, Body, Extras, Plan, PlannedBranch};
use crate::exec::event_nodes::EventNodes;
use crate::memory::node_memory::NodeMemories;
use graphcap_base::error::Error;
use graphcap_base::room;

/// About as many bytes as the lists of a shape take for a node with an edge, rather more. They take as much again while they grow.
const OF_NODE: usize = 2 * (size_of::<Segment>() + size_of::<[u32; 8]>());
/// About as many bytes as a step takes, with its arguments.
pub(super) const OF_STEP: usize = size_of::<Step>() + size_of::<[u64; 8]>();

impl Plan {
    /// Compiles what an exec runs, whose nodes `places` tells, and whose loops have at most `turn_limit` turns, or any number for 0.
    ///
    /// # Errors
    /// `INVALID_VALUE` when the edges form a cycle; `OUT_OF_MEMORY`, also when there are more edges than can be numbered.
    pub(crate) fn compile(flat: Flat, places: &Arc<Places>, turn_limit: u64) -> Result<Plan, Error> {
        let compile = |(body, definition): (u32, Arc<Definition>)| {
            room::ask(definition.packed_nodes().len() * (OF_NODE + OF_STEP))?;
            let shape = Arc::new(Shape::of(&definition, body)?);
            Ok(Body::of(shape, definition, turn_limit, None))
        };
        let mut bodies = (0..).zip(flat.bodies).map(compile);
        let main = bodies.next().unwrap_or_else(|| Ok(Body::empty()))?;
        let bodies = bodies.collect::<Result<_, _>>()?;
        Ok(Plan { main, bodies, places: Arc::clone(places), turn_limit })
    }

    /// Without steps.
    pub(crate) fn empty() -> Plan {
        Plan { main: Body::empty(), bodies: Vec::new(), places: Arc::default(), turn_limit: 0 }
    }
}

impl Body {
    /// Compiles a packed definition that has that shape, and whose loops have at most `turn_limit` turns. It shares what it can
    /// with `before`, which has that shape too.
    pub(super) fn of(shape: Arc<Shape>, definition: Arc<Definition>, turn_limit: u64, before: Option<&Body>) -> Body {
        // Those of the next event node and of the next conditional.
        let mut numbers = [0; 2];
        let chunk = |(at, slots): (usize, &[u32])| {
            let actions = slots.iter().map(|&slot| definition.action_at(slot));
            before
                .and_then(|before| before.chunk_for(at, actions.clone()))
                .unwrap_or_else(|| Arc::new(Chunk::of(actions, &mut numbers)))
        };
        let chunks = shape.nodes.chunks(CHUNK_STEPS as usize).enumerate().map(chunk).collect();
        let (actions, extras) = (Actions::Shared(definition), Arc::default());
        let mut body = Body { shape, chunks, actions, extras };
        if numbers != [0; 2] || body.has_memory_nodes() {
            let (branches, events) = (body.planned_branches(turn_limit), body.event_nodes());
            body.extras = Arc::new(Extras { branches, events, memories: body.node_memories() });
        }
        body
    }

    fn empty() -> Body {
        Body::of(Arc::new(Shape::empty()), Arc::new(Definition::new()), 0, None)
    }

    /// The chunk with a number, where steps of these actions run as its own do; `None` where it has to be compiled.
    fn chunk_for<'a>(&self, at: usize, actions: impl Iterator<Item = &'a Action>) -> Option<Arc<Chunk>> {
        let (Actions::Shared(definition), chunk) = (&self.actions, self.chunks.get(at)?) else { return None };
        let slots = self.shape.nodes.get(at * CHUNK_STEPS as usize..)?;
        let run_alike = slots.iter().zip(actions).all(|(&slot, action)| definition.action_at(slot).runs_as(action));
        run_alike.then(|| Arc::clone(chunk))
    }

    /// The actions of its steps, in their order.
    fn in_order(&self) -> impl Iterator<Item = &Action> {
        (0..self.shape.step_count()).filter_map(|step| self.action(step))
    }

    /// The event nodes among its steps.
    pub(super) fn event_nodes(&self) -> EventNodes {
        let events = self.in_order().filter_map(|action| match action {
            Action::RecordEvent(event) => Some((false, Arc::clone(event))),
            Action::WaitEvent(event) => Some((true, Arc::clone(event))),
            _ => None,
        });
        EventNodes::new(&events.collect::<Vec<_>>())
    }

    fn planned_branches(&self, turn_limit: u64) -> Vec<Arc<PlannedBranch>> {
        let branches = self.in_order().filter_map(|action| match action {
            Action::Branch(branch) => Some(Arc::new(PlannedBranch::new(branch, turn_limit))),
            _ => None,
        });
        branches.collect()
    }

    fn has_memory_nodes(&self) -> bool {
        matches!(&self.actions, Actions::Shared(definition) if definition.memory_nodes > 0)
    }

    /// Memory that its nodes allocate and free.
    pub(super) fn node_memories(&self) -> NodeMemories {
        // In the order of the slots, in which a launch looks at them.
        let actions = (0..self.shape.step_count()).filter_map(|slot| self.action_in(slot));
        NodeMemories::of(actions.filter_map(|action| match action {
            Action::MemAlloc(memory) => Some((memory, true)),
            Action::MemFree(freed) => Some((&freed.memory, false)),
            _ => None,
        }))
    }
}
