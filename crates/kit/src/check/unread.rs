//! Inputs that no node reads.

use super::report::{Flaw, GraphFinding};
use crate::optimize::{Accesses, Barrier, Recorded, Works};
use graphcap_core::{Graph, NodeParams};
use graphcap_driver::rules::order::Touch;
use graphcap_driver::NodeKind;

/// Copies from the CPU's memory to bytes of which no node reads one, where it is known what each node of the graph reads.
pub(super) fn find(graph: &Graph, recorded: &Recorded, works: &Works, accesses: &Accesses) -> Vec<GraphFinding> {
    let is_harmless = |barrier: &Barrier| matches!(barrier, Barrier::Kind(NodeKind::MemAlloc | NodeKind::MemFree));
    // What a node brings into a graph within another one, nodes around it may read.
    if !accesses.barriers.iter().all(|(_, barrier)| is_harmless(barrier)) || graph.is_of_node() {
        return Vec::new();
    }
    let (mut inputs, mut read) = (Vec::new(), Vec::new());
    for (&node, ordered) in recorded.nodes.iter().zip(&accesses.ordered) {
        // A kernel that is stated to write may read, too.
        let (is_kernel, is_input) = match works.get(&node) {
            Some(NodeParams::Memcpy { rows, .. }) => (false, rows.row.kind.host_sides() == (false, true)),
            work => (matches!(work, Some(NodeParams::Kernel(_))), false),
        };
        read.extend(ordered.touches.iter().filter(|touch| is_kernel || !touch.writes).map(|one| (one.start, one.end)));
        if is_input {
            inputs.push((node, ordered.touches.iter().filter(|touch| touch.writes).copied().collect()));
        }
    }
    if inputs.is_empty() {
        return Vec::new();
    }
    let read = joined(read);
    let is_read = |touch: &Touch| {
        let next = read.partition_point(|&(_, end)| end <= touch.start);
        read.get(next).is_some_and(|&(start, _)| start < touch.end)
    };
    let found = inputs.into_iter().filter_map(|(node, written): (_, Vec<Touch>)| {
        let first = written.iter().filter(|touch| touch.start < touch.end).min_by_key(|touch| touch.start)?;
        let end = written.iter().map(|touch| touch.end).max()?;
        let flaw = Flaw::Unread { address: first.start, bytes: end - first.start };
        (!written.iter().any(is_read)).then_some(GraphFinding { node, flaw })
    });
    found.collect()
}

/// Ranges that do not meet, ascending, of the same bytes.
fn joined(mut ranges: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    ranges.retain(|(start, end)| start < end);
    ranges.sort_unstable();
    let mut joined: Vec<(u64, u64)> = Vec::with_capacity(ranges.len());
    for (start, end) in ranges {
        match joined.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => joined.push((start, end)),
        }
    }
    joined
}
