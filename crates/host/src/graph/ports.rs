//! Data of the edges of a definition, by their nodes.

use std::collections::BTreeMap;

use graphcap_driver::EdgeData;

/// By the slots of the nodes that an edge leads from and to; edges that carry nothing are left out.
#[derive(Clone, Default)]
pub(super) struct Ports(BTreeMap<(u32, u32), EdgeData>);

impl Ports {
    /// Returns whether no edge carries something.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// An edge is gone.
    pub(super) fn forget(&mut self, from: u32, to: u32) {
        self.0.remove(&(from, to));
    }

    /// A node is gone, and with it its edges: from `dependencies`, and to `dependents`.
    pub(super) fn forget_node(&mut self, slot: u32, dependencies: &[u32], dependents: &[u32]) {
        if self.0.is_empty() {
            return;
        }
        dependencies.iter().for_each(|&from| self.forget(from, slot));
        dependents.iter().for_each(|&to| self.forget(slot, to));
    }

    pub(super) fn set(&mut self, from: u32, to: u32, data: EdgeData) {
        if !data.is_none() {
            self.0.insert((from, to), data);
        }
    }

    /// Returns what an edge carries.
    pub(super) fn of(&self, from: u32, to: u32) -> EdgeData {
        self.0.get(&(from, to)).copied().unwrap_or(EdgeData::NONE)
    }

    /// The edges that carry something.
    pub(super) fn all(&self) -> impl Iterator<Item = (u32, u32, EdgeData)> + '_ {
        self.0.iter().map(|(&(from, to), &data)| (from, to, data))
    }
}
