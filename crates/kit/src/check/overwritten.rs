//! Reads of memory that graphs of a pool share, and that the graph did not write before.

use std::cell::LazyCell;

use super::report::{Flaw, GraphFinding};
use crate::optimize::{Accesses, Barrier, Recorded};
use graphcap_core::{Graph, Memory, SharedUsers};
use graphcap_driver::rules::order::Touch;
use graphcap_driver::rules::ranges::Pieces;
use graphcap_driver::{Address, NodeKind};

/// Ranges that nodes wrote.
type Written = Pieces<Address, bool>;

/// Returns whether there can be such reads. Nodes around a graph within a node may write what it reads.
pub(super) fn may_be(graph: &Graph) -> bool {
    !graph.is_of_node() && graph.context().has_shared_pools()
}

/// The first such read of each node, up to the first node of which it is not known what it writes.
pub(super) fn find(graph: &Graph, recorded: &Recorded, accesses: &Accesses) -> Vec<GraphFinding> {
    let is_harmless = |barrier: &Barrier| matches!(barrier, Barrier::Kind(NodeKind::MemAlloc | NodeKind::MemFree));
    let unknown = accesses.barriers.iter().find(|(_, barrier)| !is_harmless(barrier)).map(|&(node, _)| node);
    // Mostly nobody asks for them.
    let users = LazyCell::new(|| graph.context().shared_users());
    let (mut written, mut findings) = (Written::default(), Vec::new());
    let known = recorded.nodes.iter().zip(&accesses.ordered).take_while(|&(&node, _)| Some(node) != unknown);
    for (&node, ordered) in known {
        let mut reads = ordered.touches.iter().filter(|touch| !touch.writes);
        let first_of = |&(start, end): &(Address, Address)| overwritten(graph, &users, start, end);
        let found = reads.find_map(|read| unwritten(read, &written).iter().find_map(first_of));
        let flaw = |(address, end)| Flaw::Overwritten { address, bytes: end - address };
        findings.extend(found.map(|bytes| GraphFinding { node, flaw: flaw(bytes) }));
        let writes = ordered.touches.iter().filter(|touch| touch.writes && touch.start < touch.end);
        writes.for_each(|touch| written.change(touch.start, touch.end, |_, is_written| *is_written = true));
    }
    findings
}

/// The first of some bytes that launches of other graphs may write. They may be of several buffers, one behind the other.
fn overwritten(
    graph: &Graph,
    users: &LazyCell<SharedUsers, impl FnOnce() -> SharedUsers>,
    mut start: Address,
    end: Address,
) -> Option<(Address, Address)> {
    while start < end {
        let buffers = graph.context().find_buffers(start).into_iter().filter_map(|found| match found.memory {
            Memory::Buffer(buffer) if found.offset < buffer.size() => Some(buffer),
            _ => None,
        });
        let mut next = end;
        for buffer in buffers {
            let behind = buffer.address() + buffer.size() as Address;
            let found = if buffer.is_of_pool() { users.others(&buffer, start, behind.min(end)) } else { None };
            if found.is_some() {
                return found;
            }
            next = next.min(behind);
        }
        start = next;
    }
    None
}

/// The bytes of a read that were not written, in pieces.
fn unwritten(read: &Touch, written: &Written) -> Vec<(Address, Address)> {
    let (mut at, mut pieces) = (read.start, Vec::new());
    let first = written.0.range(..=at).next_back().map_or(at, |(&start, _)| start);
    for (&start, &(end, _)) in written.0.range(first..read.end.max(first)) {
        if at < start {
            pieces.push((at, start));
        }
        at = at.max(end);
    }
    if at < read.end {
        pieces.push((at, read.end));
    }
    pieces
}
