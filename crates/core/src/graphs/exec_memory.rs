//! Execs and graphs whose nodes name memory that is gone.

use std::collections::HashSet;
use std::sync::Arc;

use super::exec::{ExecEdits, GraphExec, Made};
use super::gone_memory::{GoneAddress, NotedMemory};
use super::graph::Graph;
use graphcap_base::error::{Error, Result};
use graphcap_base::lock::lock;
use graphcap_base::names::quoted;
use graphcap_driver::{check_caller, NodeId};

/// The memory that was noted of the nodes of an exec, and which of it is gone.
#[derive(Clone, Default, Debug)]
pub struct MemoryCheck {
    /// True where it was noted which memory the nodes name. If it was not, nothing else is told.
    pub is_noted: bool,
    /// The number of nodes that name memory by addresses.
    pub nodes: usize,
    /// The number of these addresses.
    pub words: usize,
    /// The number of allocations that they lie in.
    pub allocations: usize,
    /// The number of nodes of which not all arguments were told.
    pub unread: usize,
    /// The addresses whose memory is gone, in the order of the nodes.
    pub gone: Vec<GoneAddress>,
    /// The refusal of work with the first such address.
    pub refusal: Option<Error>,
}

impl GraphExec {
    /// Tells which memory that the nodes name by addresses is gone: it was freed, or exchanged for other memory at the same address.
    ///
    /// Known are the addresses that the graph had at the end of captures which noted them
    /// ([`CaptureOptions::notes_memory`](crate::CaptureOptions::notes_memory)), as the exec was made of the graph or updated by
    /// it. Nodes that were set in the exec since are passed over. Asks the device once for each allocation.
    ///
    /// # Errors
    /// `NOT_PERMITTED` inside host functions; the status of a context that faulted.
    ///
    /// # Examples
    /// ```
    /// use graphcap::core::{Context, Graph};
    /// use graphcap::driver::{DeviceChoice, DeviceKind};
    ///
    /// let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0)?;
    /// let exec = Graph::create(&context)?.instantiate()?;
    /// let check = exec.check_memory()?;
    /// assert!(!check.is_noted && check.gone.is_empty());
    /// # Ok::<(), graphcap::Error>(())
    /// ```
    pub fn check_memory(&self) -> Result<MemoryCheck> {
        check_caller()?;
        let made = Arc::clone(&self.made());
        let edits = lock(made.edits());
        let Some(memory) = &edits.memory else { return Ok(MemoryCheck::default()) };
        let Some(changed) = set_since(&edits) else { return Ok(MemoryCheck::default()) };
        let gone = memory.gone(made.context(), &|node| !changed.contains(&node))?;
        let refusal = gone.first().map(|first| first.refused(&words_for(first.node, &made, &edits)));
        Ok(MemoryCheck {
            is_noted: true,
            nodes: memory.nodes().len(),
            words: memory.nodes().iter().map(|(_, noted)| noted.words.len()).sum(),
            allocations: memory.each_allocations().map(|list| list.len()).sum(),
            unread: memory.nodes().iter().filter(|(_, noted)| noted.is_unread).count(),
            gone,
            refusal,
        })
    }

    /// Returns a node in the words of texts: its id and, where no other graph updated the exec, its name.
    pub fn node_words(&self, node: NodeId) -> String {
        let made = Arc::clone(&self.made());
        let edits = lock(made.edits());
        words_for(node, &made, &edits)
    }
}

fn words_for(node: NodeId, made: &Made, edits: &ExecEdits) -> String {
    let (node, name) = match edits.is_updated {
        true => (node, None),
        false => made.names().node(node),
    };
    let name = name.map(|name| format!(" {}", quoted(&name))).unwrap_or_default();
    format!("node {:#x}{name}", node.0)
}

impl Graph {
    /// Lists the addresses of nodes whose memory was freed since a capture noted it
    /// ([`CaptureOptions::notes_memory`](crate::CaptureOptions::notes_memory)), in the order of the nodes. Empty where nothing was noted.
    /// Asks the device once for each allocation. Ends the process where bytes beside guarded memory were written to.
    ///
    /// # Errors
    /// `NOT_PERMITTED` inside host functions; the status of a context that faulted.
    pub fn gone_addresses(&self) -> Result<Vec<GoneAddress>> {
        check_caller()?;
        self.context().driver()?.check_guarded();
        let noted = self.0.root().lock()?.notes.memory()?;
        noted.map_or(Ok(Vec::new()), |nodes| NotedMemory::of(nodes).gone(self.context(), &|_| true))
    }
}

/// The nodes that were set in an exec since its memory was noted; `None` where that cannot be told.
fn set_since(edits: &ExecEdits) -> Option<HashSet<NodeId>> {
    let changed = edits.changes.since(0)?;
    // They go by the nodes of another graph than those that named the memory.
    (!edits.is_updated || changed.is_empty()).then(|| changed.into_iter().collect())
}

#[cfg(test)]
#[path = "exec_memory_tests.rs"]
mod tests;
