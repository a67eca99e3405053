//! Why work stays in order: the nodes that follow each other on the longest path that no lanes can shorten, and the bytes for which
//! they do.

use std::fmt::Write;

use super::layouts::{accesses, Accesses};
use super::recorded::Recorded;
use crate::core::{Graph, Memory, NodeParams};
use crate::driver::NodeId;
use crate::error::Result;
use crate::rules::order::{conflict, needed, Conflict};

/// So many pairs of nodes are told.
const MOST: usize = 16;

/// Two nodes that follow each other on the longest path. None where one of them keeps its place.
pub(super) type Pair = (NodeId, NodeId, Option<Conflict>);

/// Those of a graph, in their order.
///
/// # Errors
/// The status of a context that faulted.
pub(super) fn on_longest_path(graph: &Graph, trusts_parameters: bool) -> Result<Vec<Pair>> {
    let recorded = Recorded::read(graph)?;
    let Accesses { ordered, .. } = accesses(graph, &recorded, trusts_parameters)?;
    let path = longest(&needed(&ordered));
    let pairs = path.iter().zip(path.iter().skip(1)).filter_map(|(&earlier, &later)| {
        let (earlier, later) = (earlier as usize, later as usize);
        let met = conflict(ordered.get(earlier)?, ordered.get(later)?);
        Some((*recorded.nodes.get(earlier)?, *recorded.nodes.get(later)?, met))
    });
    Ok(pairs.collect())
}

/// The places of the nodes on a longest path.
fn longest(after: &[Vec<u32>]) -> Vec<u32> {
    // For each node how many there are on the longest path to it, and which one is before it.
    let mut known: Vec<(u32, Option<u32>)> = Vec::with_capacity(after.len());
    for after in after {
        let lengths = after.iter().filter_map(|&one| Some((known.get(one as usize)?.0, one)));
        let (length, before) = lengths.max().map_or((0, None), |(length, one)| (length, Some(one)));
        known.push((length + 1, before));
    }
    let end = (0..known.len()).max_by_key(|&at| known.get(at).map(|(length, _)| *length));
    let before = |&at: &u32| known.get(at as usize).and_then(|(_, before)| *before);
    let mut path: Vec<u32> = std::iter::successors(end.map(|end| end as u32), before).collect();
    path.reverse();
    path
}

/// A line for each of the first pairs that bytes keep in order, and one for the others.
///
/// # Errors
/// `INVALID_VALUE` when the graph does not have the nodes any more; the status of a context that faulted.
pub(super) fn write_pairs(text: &mut String, graph: &Graph, pairs: &[Pair]) -> Result<()> {
    let mut met = pairs.iter().filter_map(|&(earlier, later, conflict)| Some((earlier, later, conflict?)));
    for (earlier, later, Conflict { start, end, writes }) in met.by_ref().take(MOST) {
        let how = match writes {
            (true, true) => "both write",
            (true, false) => "the first writes and the second reads",
            _ => "the first reads and the second writes",
        };
        let (earlier, later) = (called(graph, earlier)?, called(graph, later)?);
        let _ = write!(text, "{later} stays behind {earlier}: {how} {} bytes at {start:#x}", end - start);
        write_memory(text, graph, start);
        text.push('\n');
    }
    let others = met.count();
    if others > 0 {
        let _ = writeln!(text, "and so do {others} more nodes of the longest path");
    }
    Ok(())
}

fn called(graph: &Graph, node: NodeId) -> Result<String> {
    Ok(match graph.node_params(node)? {
        NodeParams::Kernel(kernel) => format!("node {:#x} (kernel {:?})", node.0, kernel.name),
        params => format!("node {:#x} ({})", node.0, params.kind().name()),
    })
}

/// What is at an address: the buffers, and whether a pool gave the memory to several.
fn write_memory(text: &mut String, graph: &Graph, address: u64) {
    let found = graph.context().find_buffers(address);
    let there: Vec<_> = found.into_iter().filter(|found| found.offset < found.memory.size()).collect();
    if let Some(first) = there.first() {
        let _ = match first.memory.name() {
            Some(name) => write!(text, ", byte {} of buffer {name:?}", first.offset),
            None => write!(text, ", byte {} of a buffer of {} bytes", first.offset, first.memory.size()),
        };
    }
    let of_pools =
        there.iter().filter(|found| matches!(&found.memory, Memory::Buffer(buffer) if buffer.is_of_pool())).count();
    if of_pools > 1 {
        let _ = write!(
            text,
            "; a pool gave this memory to {of_pools} buffers, one after another: with GRAPHCAP_POOL_REUSE_NEVER each has its own"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_path_is_found() {
        assert_eq!(longest(&[]), Vec::<u32>::new());
        assert_eq!(longest(&[vec![], vec![0], vec![0], vec![2], vec![1, 3], vec![]]), [0, 2, 3, 4]);
    }
}
