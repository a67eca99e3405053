//! Workspaces of saved graphs. A text does not tell what a library's kernels touch, and tells which memory is a stream's workspace: who was
//! given an address there works there.

use super::report::{Flaw, GraphFinding};
use crate::optimize::{Recorded, Works};
use graphcap_core::{KernelParams, NodeParams, OwnedArguments, StatedMemory};
use graphcap_driver::rules::order::{conflict, Ordered, Touch};
use graphcap_driver::rules::unordered::unordered;
use graphcap_driver::Address;

/// Adds nodes that no path orders, of kernels that were given addresses of one workspace, in the place of what was `found` of both.
pub(super) fn find(stated: &[StatedMemory], recorded: &Recorded, works: &Works, found: &mut Vec<GraphFinding>) {
    if !stated.iter().any(|memory| memory.is_workspace) {
        return;
    }
    let users = recorded.nodes.iter().zip(&recorded.after).map(|(node, after)| {
        let touches = match works.get(*node) {
            Some(NodeParams::Kernel(kernel)) => workspaces_of(kernel, stated),
            _ => Vec::new(),
        };
        Ordered { after: after.clone(), touches, ..Ordered::default() }
    });
    let users: Vec<Ordered> = users.collect();
    for (earlier, later) in unordered(&users) {
        let (earlier, later) = (earlier as usize, later as usize);
        let (Some(&other), Some(&node)) = (recorded.nodes.get(earlier), recorded.nodes.get(later)) else { continue };
        let (Some(first), Some(second)) = (users.get(earlier), users.get(later)) else { continue };
        let Some(bytes) = conflict(first, second) else { continue };
        let is_of_both = |flaw: &Flaw| matches!(flaw, Flaw::Unordered { other: known, .. } if *known == other);
        found.retain(|one| one.node != node || !is_of_both(&one.flaw));
        found.push(GraphFinding { node, flaw: Flaw::SharedWorkspace { other, bytes } });
    }
}

/// The workspaces that words of a kernel's arguments point into.
fn workspaces_of(kernel: &KernelParams, stated: &[StatedMemory]) -> Vec<Touch> {
    let arguments = match &kernel.arguments {
        OwnedArguments::Separate(all) => all.as_slice(),
        OwnedArguments::Packed(block) => std::slice::from_ref(block),
        OwnedArguments::Unknown => &[],
    };
    let words = arguments.iter().flat_map(|bytes| bytes.as_chunks().0).map(|word| Address::from_ne_bytes(*word));
    let workspace =
        |word: Address| stated.iter().find(|memory| memory.is_workspace && memory.addresses.contains(&word));
    let found = words.filter_map(workspace).map(|memory| &memory.addresses);
    found.map(|addresses| Touch { start: addresses.start, end: addresses.end, writes: true }).collect()
}
