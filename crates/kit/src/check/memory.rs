//! Copies, memsets and value operations that leave their memory, plain memory of the CPU's, and allocations that no node frees.

use super::allocations::Allocation;
use super::report::{Flaw, GraphFinding};
use crate::optimize::{Recorded, Works};
use graphcap_base::error::Result;
use graphcap_core::{AddressPlace, ArgumentReader, Graph, NodeParams, StatedMemory};
use graphcap_driver::{Address, MemcpyRows, Memset, NodeId, Steps, Value, ValueOperation};

/// Bytes that a node touches from an address on.
struct Span {
    place: AddressPlace,
    address: Address,
    bytes: usize,
    /// Tells whether they are the CPU's.
    is_host: bool,
}

pub(super) fn find(
    graph: &Graph,
    stated: &[StatedMemory],
    recorded: &Recorded,
    works: &Works,
    allocations: &[Allocation],
) -> Result<Vec<GraphFinding>> {
    let mut reader = graph.context().read_arguments(graph.context().moment());
    let mut findings = Vec::new();
    for &node in &recorded.nodes {
        let mut spans = Vec::new();
        match works.get(node) {
            Some(NodeParams::Memcpy { rows, .. }) => spans.extend(copied(rows)),
            Some(NodeParams::Memset(set)) => spans.push(filled(set)),
            Some(NodeParams::Values(operations)) => spans.extend(operations.iter().enumerate().map(word)),
            _ => {}
        }
        for span in spans {
            let stated = stated.iter().find(|memory| memory.addresses.contains(&span.address));
            findings.extend(flaw(graph, stated, &mut reader, node, &span)?.map(|flaw| GraphFinding { node, flaw }));
        }
    }
    let unfreed = allocations.iter().filter(|allocation| !allocation.is_freed);
    findings.extend(unfreed.map(|&Allocation { node, address, bytes, .. }| GraphFinding {
        node,
        flaw: Flaw::NotFreed { address, bytes },
    }));
    Ok(findings)
}

fn flaw(
    graph: &Graph,
    stated: Option<&StatedMemory>,
    reader: &mut ArgumentReader<'_>,
    node: NodeId,
    span: &Span,
) -> Result<Option<Flaw>> {
    let &Span { place, address, bytes, is_host } = span;
    let end = address.saturating_add(bytes as u64);
    if bytes == 0 {
        return Ok(None);
    }
    // Where buffers overlap, it is not known which was meant. Of memory of others a buffer may have a part.
    let (mut most, mut is_of_others) = (None, true);
    for found in graph.context().find_buffers(address).iter().filter(|found| found.offset < found.memory.size()) {
        most = most.max(Some(address + (found.memory.size() - found.offset) as u64));
        is_of_others &= found.memory.is_wrapped();
    }
    if is_of_others {
        most = most.max(room_of_others(reader, address, end)?);
    }
    // What stands in for memory of a saved graph is as large as its nodes need.
    if let Some(stated) = stated {
        most = stated.bytes.map(|bytes| stated.addresses.start + bytes as u64);
    }
    match most {
        None if is_host && !graph.is_snapshot_of(node, address)? => {
            Ok(Some(Flaw::PlainHostMemory { place, address, bytes }))
        }
        Some(most) if end > most => {
            Ok(Some(Flaw::Overrun { place, address, bytes, beyond: (end - most).min(bytes as u64) }))
        }
        _ => Ok(None),
    }
}

/// The end of the allocations that follow each other from an address on, as the device knows them, as far as `end`. Several may be mapped
/// one behind the other.
fn room_of_others(reader: &mut ArgumentReader<'_>, address: Address, end: Address) -> Result<Option<Address>> {
    let mut room = None;
    while let Some(allocation) = reader.allocation(room.unwrap_or(address))? {
        let behind = allocation.base.saturating_add(allocation.bytes as u64);
        if room.is_some_and(|room| behind <= room) {
            break;
        }
        room = Some(behind);
        if behind >= end {
            break;
        }
    }
    Ok(room)
}

/// Both sides of a copy, from the first byte to the last.
fn copied(copy: &MemcpyRows) -> [Span; 2] {
    let span = |steps: Steps| steps.span(copy.row.bytes, copy.height, copy.depth).unwrap_or(usize::MAX);
    let (writes_host, reads_host) = copy.row.kind.host_sides();
    let side = |place, address, steps, is_host| Span { place, address, bytes: span(steps), is_host };
    [
        side(AddressPlace::CopyDestination, copy.row.destination, copy.destination, writes_host),
        side(AddressPlace::CopySource, copy.row.source, copy.source, reads_host),
    ]
}

fn filled(set: &Memset) -> Span {
    let width = set.count.saturating_mul(usize::from(set.element_size));
    let steps = Steps { row: set.pitch, slice: 0 };
    let bytes = steps.span(width, set.rows, 1).unwrap_or(usize::MAX);
    Span { place: AddressPlace::Memset, address: set.address, bytes, is_host: false }
}

fn word((operation, value): (usize, &ValueOperation)) -> Span {
    let bytes = match value.value {
        Value::U32(_) => size_of::<u32>(),
        Value::U64(_) => size_of::<u64>(),
    };
    Span { place: AddressPlace::Value { operation }, address: value.address, bytes, is_host: false }
}
