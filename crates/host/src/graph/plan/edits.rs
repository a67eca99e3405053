//! Edits of a plan: each changes what its nodes do, and the chunks that have them, and leaves the rest to the versions that share it.

use std::ops::Range;
use std::sync::Arc;

use super::super::flat::{Flat, Spot};
use super::super::node::{Definition, Dependencies, Node};
use super::super::{bodies, changes, Action};
use super::chunk::{Chunk, CHUNK_STEPS};
use super::compile::OF_STEP;
use super::{Actions, Body, Extras, Plan};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::room;

/// About as many bytes as an action takes that is taken out of a definition.
const OF_ACTION: usize =
    size_of::<Arc<Action>>() + size_of::<[usize; 2]>() + size_of::<Action>() + size_of::<Dependencies>();

/// Parts that edits took out of a plan. They are dropped where no lock is held: with them may go what is the caller's.
#[derive(Default)]
pub(crate) struct Superseded {
    actions: Vec<Arc<Action>>,
    chunks: Vec<Arc<Chunk>>,
    definitions: Vec<Arc<Definition>>,
    bodies: Vec<Body>,
    nodes: Vec<Option<Node>>,
}

impl Plan {
    fn body_mut(&mut self, number: u32) -> Option<&mut Body> {
        match number.checked_sub(1) {
            None => Some(&mut self.main),
            Some(at) => self.bodies.get_mut(at as usize),
        }
    }

    /// Returns the work of a node.
    pub(crate) fn action(&self, Spot { body, slot }: Spot) -> Option<&Action> {
        self.body(body)?.action_in(slot)
    }

    /// Returns whether a node does nothing.
    pub(crate) fn is_disabled(&self, Spot { body, slot }: Spot) -> bool {
        let at = self.body(body).and_then(|body| Some((body, body.shape.step_of(slot)?)));
        at.and_then(|(body, step)| Some(body.chunk(step)?.code.rests(step % CHUNK_STEPS))).unwrap_or(false)
    }

    /// Asks for the memory of the actions that a first edit takes out of definitions.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`.
    pub(crate) fn ask_for_actions(&self) -> Result<()> {
        let shared = std::iter::once(&self.main).chain(&self.bodies).map(|body| match &body.actions {
            Actions::Shared(definition) => definition.packed_nodes().len(),
            Actions::Own(_) => 0,
        });
        room::ask(shared.sum::<usize>() * OF_ACTION)
    }

    /// Makes a node do nothing, or do again what it does.
    pub(crate) fn enable(&mut self, spot: Spot, is_enabled: bool, superseded: &mut Superseded) {
        if self.is_disabled(spot) != is_enabled {
            return;
        }
        let Some(body) = self.body_mut(spot.body) else { return };
        let Some(step) = body.shape.step_of(spot.slot) else { return };
        let Some(chunk) = body.chunk_mut(step, superseded) else { return };
        match is_enabled {
            true => chunk.code.wake(step % CHUNK_STEPS),
            false => chunk.code.rest(step % CHUNK_STEPS),
        }
    }

    /// Checks that a node may do `action` in an exec of the device with the number `device`.
    ///
    /// # Errors
    /// `INVALID_VALUE` where it may not.
    pub(crate) fn check(&self, spot: Spot, action: &Action, device: u32) -> Result<()> {
        if let Some(before) = self.action(spot) {
            changes::check(before, action, device)?;
            changes::check_attributes(before, action)?;
        }
        match spot.body {
            0 => Ok(()),
            _ => bodies::check(&|| "the node".to_owned(), action, device),
        }
    }

    /// Checks that a node which is set alone may use the memory that `action` does.
    ///
    /// # Errors
    /// `INVALID_VALUE` where it may not.
    pub(crate) fn check_memory(&self, spot: Spot, action: &Action) -> Result<()> {
        self.action(spot).map_or(Ok(()), |before| changes::check_memory(before, action))
    }

    /// Exchanges what a node does for `action`, wholly or not at all.
    ///
    /// # Errors
    /// As [`Plan::check`].
    pub(crate) fn exchange(
        &mut self,
        spot: Spot,
        action: &mut Action,
        device: u32,
        superseded: &mut Superseded,
    ) -> Result<()> {
        self.check(spot, action, device)?;
        let before = self.action(spot).ok_or_else(|| Error::invalid_value("there is no such node"))?;
        action.takes_over(before);
        action.check_shape()?;
        let bears_on_launches = action.is_bound();
        if let Some(body) = self.body_mut(spot.body) {
            body.exchange(spot.slot, action, superseded);
            if bears_on_launches {
                body.renew_extras();
            }
        }
        Ok(())
    }

    /// Makes each node do what it does in `definition`, which has the nodes and edges of the one that this was made of. What is
    /// disabled stays so.
    ///
    /// # Errors
    /// As [`Flat::of`]; `OUT_OF_MEMORY`.
    pub(crate) fn update(
        &mut self,
        definition: &Arc<Definition>,
        device: u32,
        superseded: &mut Superseded,
    ) -> Result<()> {
        let (flat, _) = Flat::of(definition, device)?;
        let own = || std::iter::once(&self.main).chain(&self.bodies);
        let has_shape = |(body, definition): (&Body, &Arc<Definition>)| {
            body.shape.step_count() as usize == definition.packed_nodes().len()
        };
        if flat.bodies.len() != own().count() || !own().zip(&flat.bodies).all(has_shape) {
            return Err(Error::invalid_value("the graph has other nodes than the exec"));
        }
        let steps: usize = flat.bodies.iter().map(|definition| definition.packed_nodes().len()).sum();
        room::ask(steps * OF_STEP)?;
        let turn_limit = self.turn_limit;
        for (body, definition) in std::iter::once(&mut self.main).chain(&mut self.bodies).zip(flat.bodies) {
            if !body.is_of(&definition) {
                let updated = body.updated(definition, turn_limit);
                superseded.bodies.push(std::mem::replace(body, updated));
            }
        }
        Ok(())
    }

    /// Makes the nodes of a child do what those of `child` do, in their order.
    ///
    /// # Errors
    /// `GRAPH_EXEC_UPDATE_FAILURE` when `child` has other nodes, other edges or another order of nodes, or when an exec of the
    /// device with the number `device` does not allow one of the changes.
    pub(crate) fn exchange_child(
        &mut self,
        (number, slots): (u32, Range<u32>),
        child: &Arc<Definition>,
        device: u32,
        superseded: &mut Superseded,
    ) -> Result<()> {
        let mut nodes = Flat::of_child(child, device).map_err(|error| differs(&error.message))?;
        let Some(body) = self.body_mut(number) else { return Ok(()) };
        if nodes.len() != slots.len() {
            return Err(differs(&format!("it has {} nodes too many or too few", nodes.len().abs_diff(slots.len()))));
        }
        for ((at, node), slot) in nodes.iter().flatten().enumerate().zip(slots.clone()) {
            let Some(standing) = body.action_in(slot) else { continue };
            // The first one depends on what the child does.
            let moved = body.dependencies(slot).iter().map(|&from| from.wrapping_sub(slots.start));
            if at > 0 && !moved.eq(node.dependencies.iter().copied()) {
                return Err(differs("its edges differ, or their order"));
            }
            let check = changes::check(standing, &node.action, device);
            let check = check.and_then(|()| {
                if number > 0 {
                    bodies::check(&|| format!("node n{at}"), &node.action, device)
                } else {
                    Ok(())
                }
            });
            check.map_err(|error| differs(&error.message))?;
        }
        let mut bears_on_launches = false;
        for (node, slot) in nodes.iter_mut().flatten().zip(slots) {
            if let Some(standing) = body.action_in(slot) {
                node.action.takes_over(standing);
            }
            bears_on_launches |= node.action.is_bound();
            body.exchange(slot, &mut node.action, superseded);
        }
        if bears_on_launches {
            body.renew_extras();
        }
        superseded.nodes.append(&mut nodes);
        Ok(())
    }
}

#[cold]
fn differs(what: &str) -> Error {
    Error::new(
        Status::GRAPH_EXEC_UPDATE_FAILURE,
        format!(
            "the graph does not fit the child node of the exec: {what}; nodes, edges and their order must be equal; set the node of the \
             graph and instantiate it anew, as gc_graph_exec_apply() does"
        ),
    )
}

impl Body {
    /// Returns what the node in a slot does.
    pub(super) fn action_in(&self, slot: u32) -> Option<&Action> {
        match &self.actions {
            Actions::Shared(definition) => definition.node(slot).map(|node| &node.action),
            Actions::Own(_) => self.action(self.shape.step_of(slot)?),
        }
    }

    /// The slots that the node in a slot depends on.
    fn dependencies(&self, slot: u32) -> &[u32] {
        match &self.actions {
            Actions::Shared(definition) => definition.node(slot).map_or(&[], |node| &node.dependencies),
            Actions::Own(edges) => edges.get(slot as usize).map_or(&[], |dependencies| dependencies),
        }
    }

    /// Returns whether each of its nodes does what it does in `definition`, as nothing was changed.
    fn is_of(&self, definition: &Arc<Definition>) -> bool {
        matches!(&self.actions, Actions::Shared(own) if Arc::ptr_eq(own, definition))
    }

    /// The chunk with a step, which no other version has.
    fn chunk_mut(&mut self, step: u32, superseded: &mut Superseded) -> Option<&mut Chunk> {
        let chunk = self.chunks.get_mut((step / CHUNK_STEPS) as usize)?;
        if Arc::get_mut(chunk).is_none() {
            let copy = Arc::new((**chunk).clone());
            superseded.chunks.push(std::mem::replace(chunk, copy));
        }
        Arc::get_mut(chunk)
    }

    /// Takes the actions out of the definition, so that those which edits exchange go.
    #[cold]
    fn take_actions(&mut self, superseded: &mut Superseded) {
        let Actions::Shared(definition) = &self.actions else { return };
        let nodes = definition.packed_nodes();
        for (chunk, slots) in self.chunks.iter_mut().zip(self.shape.nodes.chunks(CHUNK_STEPS as usize)) {
            let action = |slot: &u32| nodes[*slot as usize].as_ref().map_or(Action::Empty, |node| node.action.clone());
            // One that is shared has no actions, with which something could go.
            Arc::make_mut(chunk).actions = slots.iter().map(|slot| Arc::new(action(slot))).collect();
        }
        let edges: Arc<[Dependencies]> = nodes.iter().flatten().map(|node| node.dependencies.clone()).collect();
        if let Actions::Shared(definition) = std::mem::replace(&mut self.actions, Actions::Own(edges)) {
            superseded.definitions.push(definition);
        }
    }

    /// Exchanges what the node in a slot does.
    fn exchange(&mut self, slot: u32, action: &mut Action, superseded: &mut Superseded) {
        if matches!(self.actions, Actions::Shared(_)) {
            self.take_actions(superseded);
        }
        let Some(step) = self.shape.step_of(slot) else { return };
        if let Some(chunk) = self.chunk_mut(step, superseded) {
            chunk.exchange(step % CHUNK_STEPS, action, &mut superseded.actions);
        }
    }

    /// Finds out anew what launches mean to others, by event nodes and by those that allocate and free.
    fn renew_extras(&mut self) {
        let branches = self.extras.branches.clone();
        self.extras = Arc::new(Extras { branches, events: self.event_nodes(), memories: self.node_memories() });
    }

    /// The body with what its nodes do in `definition`.
    fn updated(&self, definition: Arc<Definition>, turn_limit: u64) -> Body {
        let mut updated = Body::of(Arc::clone(&self.shape), definition, turn_limit, Some(self));
        for (chunk, before) in updated.chunks.iter_mut().zip(&self.chunks) {
            if let Some(chunk) = before.code.has_resting().then(|| Arc::get_mut(chunk)).flatten() {
                before.code.rest_too(&mut chunk.code);
            }
        }
        updated
    }
}
