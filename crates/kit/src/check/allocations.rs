//! Allocations of a graph, and those of them that it frees.

use std::collections::HashMap;

use crate::optimize::{Recorded, Works};
use graphcap_core::NodeParams;
use graphcap_driver::{Address, NodeId};

/// Memory that a node allocates.
pub(super) struct Allocation {
    pub(super) node: NodeId,
    pub(super) address: Address,
    pub(super) bytes: usize,
    pub(super) is_freed: bool,
}

/// Allocations of the graph in the order of its nodes. A free is of the last allocation at its address before it that none has freed: one
/// behind it may have the same address.
pub(super) fn find(recorded: &Recorded, works: &Works) -> Vec<Allocation> {
    let mut found: Vec<Allocation> = Vec::new();
    let mut unfreed: HashMap<Address, Vec<usize>> = HashMap::new();
    for &node in &recorded.nodes {
        match works.get(node) {
            Some(NodeParams::MemAlloc(made)) => {
                unfreed.entry(made.address).or_default().push(found.len());
                found.push(Allocation { node, address: made.address, bytes: made.bytes, is_freed: false });
            }
            Some(NodeParams::MemFree(address)) => {
                let last = unfreed.get_mut(address).and_then(Vec::pop);
                if let Some(allocation) = last.and_then(|last| found.get_mut(last)) {
                    allocation.is_freed = true;
                }
            }
            _ => {}
        }
    }
    found
}
