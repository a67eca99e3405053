//! Reads of memory that graphs of a pool share, and that the graph did not write before.

use super::report::{Flaw, GraphFinding};
use crate::optimize::{Accesses, Barrier, Recorded};
use graphcap_core::{Graph, Memory};
use graphcap_driver::rules::order::Touch;
use graphcap_driver::rules::ranges::Pieces;
use graphcap_driver::{Address, NodeId, NodeKind};

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
    let (mut written, mut findings) = (Written::default(), Vec::new());
    let known = recorded.nodes.iter().zip(&accesses.ordered).take_while(|&(&node, _)| Some(node) != unknown);
    for (&node, ordered) in known {
        let mut reads = ordered.touches.iter().filter(|touch| !touch.writes);
        findings.extend(reads.find_map(|touch| overwritten(graph, node, touch, &written)));
        let writes = ordered.touches.iter().filter(|touch| touch.writes && touch.start < touch.end);
        writes.for_each(|touch| written.change(touch.start, touch.end, |_, is_written| *is_written = true));
    }
    findings
}

fn overwritten(graph: &Graph, node: NodeId, read: &Touch, written: &Written) -> Option<GraphFinding> {
    let context = graph.context();
    let is_shared = |address: Address| {
        context.find_buffers(address).iter().any(|found| {
            found.offset < found.memory.size()
                && matches!(&found.memory, Memory::Buffer(buffer) if buffer.has_memory_of_graphs())
        })
    };
    let (address, end) = unwritten(read, written).filter(|&(address, _)| is_shared(address))?;
    Some(GraphFinding { node, flaw: Flaw::Overwritten { address, bytes: end - address } })
}

/// The first bytes of a read that were not written.
fn unwritten(read: &Touch, written: &Written) -> Option<(Address, Address)> {
    let mut at = read.start;
    let first = written.0.range(..=at).next_back().map_or(at, |(&start, _)| start);
    for (&start, &(end, _)) in written.0.range(first..read.end.max(first)) {
        if at < start {
            return Some((at, start));
        }
        at = at.max(end);
    }
    (at < read.end).then_some((at, read.end))
}
