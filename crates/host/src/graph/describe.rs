//! Definitions as the rules of updates read them, and as what is kept of the one that an exec was made from.

use std::sync::Arc;

use super::node::are_alike;
use super::node::{Definition, Dependencies, Node};
use super::origin::{digests, value, Origin, OriginalNode};
use super::Action;
use graphcap_driver::launch_attributes::PRIORITY;
use graphcap_driver::rules::exec_update::{pair, Described, Difference, Edged, Facts, Pairing, Terms};
use graphcap_driver::updates::{facts_of_copy, facts_of_kind, facts_of_set, facts_of_values};
use graphcap_driver::{LaunchAttribute, MemcpyRows, NodeId};

impl Origin {
    pub(crate) fn of(definition: &Arc<Definition>) -> Origin {
        let (packed, ids) = definition.packed_with_ids();
        let of = |(node, &id): (u32, &NodeId)| {
            let Some(Node { action, dependencies }) = packed.node(node) else {
                return OriginalNode::new(id, Dependencies::new(), Facts::Plain("none"));
            };
            // What edges carry goes by the slots that the nodes have there.
            let own = definition.find(id);
            let carried = dependencies.iter().filter_map(|&from| {
                let from_slot = definition.find(*ids.get(from as usize)?)?;
                definition.carried(from_slot, own?).map(|data| (from, data))
            });
            OriginalNode {
                carried: carried.collect(),
                attributes: match action {
                    Action::Kernel(call) => call.attributes.clone(),
                    _ => Box::default(),
                },
                graphs: action.graphs().iter().map(Origin::of).collect(),
                ..OriginalNode::new(id, dependencies.clone(), facts(action))
            }
        };
        let nodes = (0..).zip(&ids).map(of).collect();
        let glances = match packed.ports.is_empty() {
            true => packed.glances.clone(),
            false => Vec::new(),
        };
        Origin { nodes, glances, number: packed.number, nested: packed.nested }
    }

    /// Pairs the nodes with those of a definition, as that is packed.
    ///
    /// # Errors
    /// As [`pair`].
    pub(crate) fn pair(&self, definition: &Arc<Definition>, terms: Terms) -> Result<Pairing, Difference> {
        match is_packed(definition) {
            true => pair(self, &**definition, terms),
            false => pair(self, &Origin::of(definition), terms),
        }
    }
}

impl Origin {
    /// Returns whether nothing differs that bears on an update, and no kernel has launch attributes, as is seen at a glance: as it mostly
    /// is. Then each node belongs to the one of its number.
    pub(crate) fn is_plainly_alike(&self, definition: &Definition) -> bool {
        let is_plain = !definition.has_moved() && !definition.is_nested() && definition.ports.is_empty();
        let count = self.nodes.len();
        let mut nodes = self.nodes.iter().zip(&definition.nodes);
        is_plain
            && count == definition.nodes.len()
            && (are_alike(&self.glances, &definition.glances, count)
                || nodes.all(|(own, node)| own.is_plainly_alike(node)))
    }
}

impl OriginalNode {
    fn is_plainly_alike(&self, node: &Option<Node>) -> bool {
        let Some(Node { action, dependencies }) = node else { return false };
        let is_alike = match (&self.facts, action) {
            (
                Facts::Kernel { context, is_cooperative: false, is_updatable: false, priority: 0 },
                Action::Kernel(call),
            ) => call.attributes.is_empty() && u64::from(call.kernel.device) == *context,
            (Facts::Memset(None), Action::Memset(set)) => set.rows <= 1,
            (Facts::Memcpy { host_sides, rows: None, .. }, Action::Memcpy(row)) => row.kind.host_sides() == *host_sides,
            _ => false,
        };
        // Most nodes wait for one.
        let are_alike = match (&self.dependencies[..], &dependencies[..]) {
            ([own], [other]) => own == other,
            (own, others) => own == others,
        };
        is_alike && are_alike && self.carried.is_empty() && self.attributes.is_empty()
    }
}

/// Returns whether nodes lie in the order in which they were made, in graphs within as well.
fn is_packed(definition: &Definition) -> bool {
    !definition.has_moved()
        && (!definition.is_nested()
            || definition.nodes.iter().flatten().all(|node| node.action.graphs().iter().all(|graph| is_packed(graph))))
}

/// Returns what must agree of an action.
#[inline]
fn facts(action: &Action) -> Facts {
    match action {
        Action::Kernel(call) => Facts::Kernel {
            context: call.kernel.device.into(),
            is_cooperative: action.is_cooperative(),
            is_updatable: action.is_updatable(),
            priority: match call.attributes.is_empty() {
                true => 0,
                false => LaunchAttribute { id: PRIORITY, value: value(&call.attributes, PRIORITY) }.number(),
            },
        },
        Action::Memcpy(row) => facts_of_copy(&MemcpyRows::one(*row)),
        Action::MemcpyRows(call) => facts_of_copy(&call.copy),
        Action::Memset(set) => facts_of_set(set),
        Action::Values(operations) => facts_of_values(operations),
        Action::RecordEvent(event) => Facts::Event { records: true, context: event.device().into() },
        Action::WaitEvent(event) => Facts::Event { records: false, context: event.device().into() },
        Action::Conditional(bodies) => Facts::Conditional(bodies.kind as u8, bodies.graphs.len() as u32),
        action => facts_of_kind(action.kind()),
    }
}

/// A definition that is packed.
impl Edged for Definition {
    fn node_count(&self) -> u32 {
        self.nodes.len() as u32
    }

    #[inline]
    fn dependencies(&self, node: u32) -> &[u32] {
        self.node(node).map_or(&[], |node| &node.dependencies)
    }

    #[inline]
    fn carried(&self, from: u32, to: u32) -> Option<[u8; 3]> {
        let data = self.ports.of(from, to);
        (!data.is_none()).then_some([data.from_port, data.to_port, data.kind])
    }

    fn id(&self, node: u32) -> u64 {
        Definition::id(self, node).0
    }
}

impl Described for Definition {
    #[inline]
    fn facts(&self, node: u32) -> Facts {
        self.node(node).map_or(Facts::Plain("none"), |node| facts(&node.action))
    }

    fn graph(&self, node: u32, index: u32) -> Option<&Definition> {
        self.node(node)?.action.graphs().get(index as usize).map(|graph| &**graph)
    }

    fn attributes(&self, node: u32) -> Vec<(u32, u64)> {
        match self.node(node).map(|node| &node.action) {
            Some(Action::Kernel(call)) => digests(&call.attributes),
            _ => Vec::new(),
        }
    }

    fn has_attributes(&self, node: u32) -> bool {
        matches!(self.node(node), Some(Node { action: Action::Kernel(call), .. }) if !call.attributes.is_empty())
    }
}
