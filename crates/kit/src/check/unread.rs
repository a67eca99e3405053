//! Inputs that nobody reads.

use std::collections::HashSet;

use super::allocations::Allocation;
use super::knowledge::{knowledge, Knowledge};
use super::report::{Flaw, GraphFinding};
use crate::optimize::{Accesses, Barrier, Recorded, Works};
use graphcap_core::{Graph, NodeParams};
use graphcap_driver::rules::order::Touch;
use graphcap_driver::rules::ranges::{Pieces, Ranges};
use graphcap_driver::{MemcpyRows, NodeId, NodeKind};

/// A copy from the CPU's memory.
struct Input<'a> {
    place: u32,
    node: NodeId,
    rows: &'a MemcpyRows,
    written: Vec<Touch>,
}

/// Copies from the CPU's memory to bytes of which nobody reads one: no node of the graph, where it is known what each reads, and no other
/// work, as the memory ends with the graph or a later node writes all of them. `unordered` are the pairs of nodes that no path orders.
pub(super) fn find(
    graph: &Graph,
    recorded: &Recorded,
    works: &Works,
    accesses: &Accesses,
    allocations: &[Allocation],
    unordered: &[(u32, u32)],
) -> Vec<GraphFinding> {
    let is_harmless = |barrier: &Barrier| matches!(barrier, Barrier::Kind(NodeKind::MemAlloc | NodeKind::MemFree));
    // What a node brings into a graph within another one, nodes around it may read.
    if !accesses.barriers.iter().all(|(_, barrier)| is_harmless(barrier)) || graph.is_of_node() {
        return Vec::new();
    }
    let mut inputs = inputs(recorded, works, accesses);
    if inputs.is_empty() {
        return Vec::new();
    }
    let read = Ranges::of(accesses.ordered.iter().zip(&recorded.nodes).flat_map(|(ordered, node)| {
        // A kernel that is stated to write may read, too.
        let is_kernel = works.get(*node).is_some_and(|work| work.kind() == NodeKind::Kernel);
        ordered.touches.iter().filter(move |touch| is_kernel || !touch.writes).map(|touch| (touch.start, touch.end))
    }));
    let is_unread = |touch: &Touch| read.missing(touch.start, touch.end) == [(touch.start, touch.end)];
    inputs.retain(|input| input.written.iter().all(is_unread));
    let own = memory_of(allocations, true).without(&memory_of(allocations, false));
    let is_own = |touch: &Touch| own.missing(touch.start, touch.end).is_empty();
    let mut last_writes = last_writes(recorded, works, accesses);
    let in_any_order: HashSet<u32> = unordered.iter().flat_map(|&(earlier, later)| [earlier, later]).collect();
    let mut is_overwritten = |input: &Input| {
        let mut is_overwritten = !in_any_order.contains(&input.place) && is_of_device_alone(graph, &input.written);
        for touch in &input.written {
            last_writes.change(touch.start, touch.end, |_, last| is_overwritten &= *last > input.place);
        }
        is_overwritten
    };
    inputs.retain(|input| input.written.iter().all(is_own) || is_overwritten(input));
    let finding = |Input { node, rows, .. }: Input| {
        let bytes = rows.row.bytes.saturating_mul(rows.height).saturating_mul(rows.depth);
        GraphFinding { node, flaw: Flaw::Unread { address: rows.row.destination, bytes: bytes as u64 } }
    };
    inputs.into_iter().map(finding).collect()
}

fn inputs<'a>(recorded: &Recorded, works: &'a Works, accesses: &Accesses) -> Vec<Input<'a>> {
    let nodes = (0..).zip(&recorded.nodes).zip(&accesses.ordered);
    let found = nodes.filter_map(|((place, &node), ordered)| {
        let Some(NodeParams::Memcpy { rows, .. }) = works.get(node) else { return None };
        let is_write = |touch: &&Touch| touch.writes && touch.start < touch.end;
        let written: Vec<Touch> = ordered.touches.iter().filter(is_write).copied().collect();
        let is_input = rows.row.kind.host_sides() == (false, true) && !written.is_empty();
        is_input.then_some(Input { place, node, rows, written })
    });
    found.collect()
}

/// The memory of the allocations that the graph frees, or of those that it does not.
fn memory_of(allocations: &[Allocation], is_freed: bool) -> Ranges {
    let meant = allocations.iter().filter(|allocation| allocation.is_freed == is_freed);
    Ranges::of(meant.map(|&Allocation { address, bytes, .. }| (address, address.saturating_add(bytes as u64))))
}

/// For each byte that copies and memsets write the place of the last of them. Of kernels it is not known that they write all bytes that
/// they are stated to write.
fn last_writes(recorded: &Recorded, works: &Works, accesses: &Accesses) -> Pieces<u64, u32> {
    let mut last_writes = Pieces::default();
    for ((place, &node), ordered) in (0..).zip(&recorded.nodes).zip(&accesses.ordered) {
        if knowledge(works, node) != Knowledge::EachByte {
            continue;
        }
        for touch in ordered.touches.iter().filter(|touch| touch.writes && touch.start < touch.end) {
            last_writes.change(touch.start, touch.end, |_, last| *last = place);
        }
    }
    last_writes
}

/// Returns whether all bytes are in buffers that the CPU cannot see, which may look at any time.
fn is_of_device_alone(graph: &Graph, written: &[Touch]) -> bool {
    written.iter().all(|touch| {
        let found = graph.context().find_buffers(touch.start);
        !found.is_empty() && found.iter().all(|found| !found.memory.is_seen_by_host() && !found.memory.is_wrapped())
    })
}
