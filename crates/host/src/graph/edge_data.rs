//! Data of the edges of a definition. An exec runs every edge as one that carries nothing: a node begins when those that it
//! waits for are over, which every program that is right allows.

use super::node::Definition;
use super::Action;
use graphcap_base::error::Result;
use graphcap_driver::{EdgeData, NodeId};

impl Definition {
    /// Adds edges with what they carry: all of them, or none.
    ///
    /// # Errors
    /// As [`Definition::add_edges`]; `INVALID_VALUE` also for what the nodes of an edge cannot have.
    pub(crate) fn add_edges_with_data(&mut self, edges: &[(NodeId, NodeId, EdgeData)]) -> Result<()> {
        let carrying = || edges.iter().filter(|(_, _, data)| !data.is_none());
        for &(from, to, data) in carrying() {
            let (from, to) = (self.slot(from)?, self.slot(to)?);
            self.check_data(from, data)?;
            if !self.is_kernel(to) {
                return Err(data.refusal());
            }
        }
        let pairs: Vec<_> = edges.iter().map(|&(from, to, _)| (from, to)).collect();
        self.add_edges(&pairs)?;
        for &(from, to, data) in carrying() {
            if let (Some(from), Some(to)) = (self.find(from), self.find(to)) {
                self.ports.set(from, to, data);
            }
        }
        Ok(())
    }

    /// Checks what an edge is to carry that leads from the node in a slot to a node that is not known yet.
    ///
    /// # Errors
    /// `INVALID_VALUE`.
    pub(crate) fn check_data(&self, from: u32, data: EdgeData) -> Result<()> {
        match data.is_none() || data.is_of_kernels() && self.is_kernel(from) {
            true => Ok(()),
            false => Err(data.refusal()),
        }
    }

    /// Makes the edges that a recorded node came with carry `data`, as far as they lead from kernels. Unlike edges that are added by hand
    /// they may lead to any node.
    pub(crate) fn set_data(&mut self, data: &[(u32, EdgeData)], to: u32) {
        for &(from, data) in data {
            let is_there = self.node(to).is_some_and(|node| node.dependencies.contains(&from));
            if is_there && self.is_kernel(from) {
                self.ports.set(from, to, data);
            }
        }
    }

    /// Returns whether the node in a slot is a kernel.
    pub(crate) fn is_kernel(&self, slot: u32) -> bool {
        matches!(self.node(slot).map(|node| &node.action), Some(Action::Kernel(_)))
    }
}
