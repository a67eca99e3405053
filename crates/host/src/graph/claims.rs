//! Claims of a node when it is added, and what is noted of it then.

use std::sync::Arc;

use super::condition::Condition;
use super::Action;
use crate::memory::node_memory::{Freed, NodeMemory};
use graphcap_base::error::{Error, Result};

/// Claim of the node that is about to be added.
pub(crate) enum Claim {
    Nothing,
    Condition(Arc<Condition>),
    Allocation(Arc<NodeMemory>),
    Free(Arc<Freed>),
}

impl Action {
    /// Claims what no other node can have.
    ///
    /// # Errors
    /// `INVALID_VALUE` where another node has the condition.
    pub(crate) fn claim(&self) -> Result<Claim> {
        match self {
            Action::Conditional(bodies) if bodies.condition.take() => {
                Ok(Claim::Condition(Arc::clone(&bodies.condition)))
            }
            Action::Conditional(bodies) => Err(Error::invalid_value(format!(
                "a node of the graph has the condition {:#x} already; create one for each node",
                bodies.condition.id().0
            ))),
            // Claimed when they were found.
            Action::MemAlloc(memory) => Ok(Claim::Allocation(Arc::clone(memory))),
            Action::MemFree(freed) => Ok(Claim::Free(Arc::clone(freed))),
            _ => Ok(Claim::Nothing),
        }
    }
}

impl Claim {
    /// The node was added, in slot `slot`.
    pub(crate) fn added(&self, slot: u32) {
        if let Claim::Free(freed) = self {
            freed.added(slot);
        }
    }

    /// The node could not be added.
    pub(crate) fn give_back(&self) {
        match self {
            Claim::Condition(condition) => condition.give_back(),
            Claim::Allocation(memory) => memory.give_up_allocation(),
            // It is given back when it is dropped.
            Claim::Nothing | Claim::Free(_) => {}
        }
    }
}
