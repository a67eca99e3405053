//! The part that is kept of the definition that an exec was made from.

use smallvec::SmallVec;

use super::node::Glance;
use crate::code::launch_attributes;
use graphcap_driver::launch_attributes::OF_NODES;
use graphcap_driver::rules::exec_update::{Described, Edged, Facts};
use graphcap_driver::{AttributeValue, LaunchAttribute, NodeId};

/// The rest of the definition that an exec was made from, packed: nothing that its actions keep alive.
pub(crate) struct Origin {
    pub(super) nodes: Vec<OriginalNode>,
    /// Of all nodes; of none where edges carry something.
    pub(super) glances: Vec<Glance>,
    pub(super) number: u64,
    pub(super) nested: u32,
}

pub(super) struct OriginalNode {
    pub(super) id: NodeId,
    pub(super) dependencies: SmallVec<[u32; 4]>,
    pub(super) carried: Vec<(u32, [u8; 3])>,
    pub(super) facts: Facts,
    /// Those of a kernel.
    pub(super) attributes: Box<[LaunchAttribute]>,
    pub(super) graphs: Vec<Origin>,
}

impl OriginalNode {
    pub(super) fn new(id: NodeId, dependencies: SmallVec<[u32; 4]>, facts: Facts) -> OriginalNode {
        OriginalNode { id, dependencies, carried: Vec::new(), facts, attributes: Box::default(), graphs: Vec::new() }
    }
}

/// The value that an attribute has among those of a kernel.
pub(super) fn value(kept: &[LaunchAttribute], id: u32) -> AttributeValue {
    launch_attributes::value(kept, id).unwrap_or([0; 64])
}

/// All attributes of a kernel, as numbers that differ where they do.
pub(super) fn digests(kept: &[LaunchAttribute]) -> Vec<(u32, u64)> {
    OF_NODES.iter().map(|&id| (id, LaunchAttribute { id, value: value(kept, id) }.digest())).collect()
}

impl Edged for Origin {
    fn node_count(&self) -> u32 {
        self.nodes.len() as u32
    }

    #[inline]
    fn dependencies(&self, node: u32) -> &[u32] {
        self.nodes.get(node as usize).map_or(&[], |node| &node.dependencies)
    }

    #[inline]
    fn carried(&self, from: u32, to: u32) -> Option<[u8; 3]> {
        let carried = &self.nodes.get(to as usize)?.carried;
        carried.iter().find(|(source, _)| *source == from).map(|(_, data)| *data)
    }

    fn id(&self, node: u32) -> u64 {
        self.nodes.get(node as usize).map_or(0, |node| node.id.0)
    }
}

impl Described for Origin {
    #[inline]
    fn facts(&self, node: u32) -> Facts {
        self.nodes.get(node as usize).map_or(Facts::Plain("none"), |node| node.facts.clone())
    }

    fn graph(&self, node: u32, index: u32) -> Option<&Origin> {
        self.nodes.get(node as usize)?.graphs.get(index as usize)
    }

    fn attributes(&self, node: u32) -> Vec<(u32, u64)> {
        self.nodes.get(node as usize).map_or_else(Vec::new, |node| digests(&node.attributes))
    }

    fn has_attributes(&self, node: u32) -> bool {
        self.nodes.get(node as usize).is_some_and(|node| !node.attributes.is_empty())
    }
}
