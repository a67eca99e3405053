//! Reasons for which nodes of a graph stay in order: those that keep their place, those that follow each other on the longest path
//! that no lanes can shorten, with the bytes for which they do, and the workspaces that nodes share.

use std::fmt::Write;

use super::accesses::{Barrier, SharedWorkspace};
use super::layouts::{accesses, longest_path, Accesses};
use super::promises::Promises;
use super::recorded::Recorded;
use graphcap_base::error::Result;
use graphcap_base::names::quoted;
use graphcap_core::{Context, Graph, Located, Memory};
use graphcap_driver::rules::order::{conflict, needed, Conflict};
use graphcap_driver::NodeId;

/// Groups of pairs of nodes that are told in words.
const MOST: usize = 7;

/// Reason for which nodes of a graph stay in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A node keeps its place.
    Place {
        /// The node.
        node: NodeId,
        /// The reason.
        barrier: Barrier,
    },
    /// Two nodes touch the same bytes, which one of them writes, and follow each other on the longest path.
    Conflict {
        /// The node that comes first.
        earlier: NodeId,
        /// The node that stays behind it.
        later: NodeId,
        /// The first of those bytes.
        bytes: Conflict,
        /// Number of buffers that a pool gave these bytes to, one after another. With more than one the order may be false: with
        /// memory of their own the nodes would not meet.
        pool_buffers: usize,
    },
    /// Nodes share a workspace.
    Workspace(SharedWorkspace),
}

/// Returns why nodes of `graph` stay in order by these promises, as [`reasons`](super::reasons) has it.
pub(super) fn reasons_by(graph: &Graph, promises: Promises) -> Result<Vec<Reason>> {
    let recorded = Recorded::read(graph)?;
    let Accesses { ordered, barriers, workspaces } = accesses(graph, &recorded, promises)?;
    let path = longest_path(&needed(&ordered));
    let mut reasons: Vec<Reason> =
        barriers.into_iter().map(|(node, barrier)| Reason::Place { node, barrier }).collect();
    reasons.extend(path.iter().zip(path.iter().skip(1)).filter_map(|(&earlier, &later)| {
        let (earlier, later) = (earlier as usize, later as usize);
        // None where one of them keeps its place.
        let bytes = conflict(ordered.get(earlier)?, ordered.get(later)?)?;
        let (earlier, later) = (*recorded.nodes.get(earlier)?, *recorded.nodes.get(later)?);
        let pool_buffers = of_pools(&buffers_at(graph.context(), bytes.start));
        Some(Reason::Conflict { earlier, later, bytes, pool_buffers })
    }));
    reasons.extend(workspaces.into_iter().map(Reason::Workspace));
    Ok(reasons)
}

/// Pairs of nodes of the same kinds, or kernels, that touch bytes in the same way.
struct Alike {
    labels: (String, String),
    /// The first one.
    pair: (NodeId, NodeId),
    bytes: Conflict,
    count: usize,
}

/// A line for the pairs that bytes keep in order and that are alike, the most frequent ones first, and one for the others.
///
/// # Errors
/// `INVALID_VALUE` when the graph does not have the nodes any more; the status of a context that faulted.
pub(super) fn write_pairs(text: &mut String, graph: &Graph, reasons: &[Reason]) -> Result<()> {
    let mut groups: Vec<Alike> = Vec::new();
    for reason in reasons {
        let Reason::Conflict { earlier, later, bytes, .. } = *reason else { continue };
        let labels = (graph.node_label(earlier)?, graph.node_label(later)?);
        match groups.iter_mut().find(|group| group.labels == labels && group.bytes.writes == bytes.writes) {
            Some(group) => group.count += 1,
            None => groups.push(Alike { labels, pair: (earlier, later), bytes, count: 1 }),
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.count));
    for group in groups.iter().take(MOST) {
        let how = match group.bytes.writes {
            (true, true) => "both write",
            (true, false) => "the first writes and the second reads",
            _ => "the first reads and the second writes",
        };
        let (Conflict { start, end, .. }, (earlier, later)) = (group.bytes, group.pair);
        let (first, second) = &group.labels;
        let _ = write!(
            text,
            "node {:#x} ({second}) stays behind node {:#x} ({first}): {how} {} bytes at {start:#x}",
            later.0,
            earlier.0,
            end - start
        );
        write_memory(text, graph, start);
        if group.count > 1 {
            let _ = write!(text, "; so do {} more pairs of these", group.count - 1);
        }
        text.push('\n');
    }
    let others: usize = groups.iter().skip(MOST).map(|group| group.count).sum();
    if others > 0 {
        let _ = writeln!(text, "and so do {others} more nodes of the longest path");
    }
    Ok(())
}

/// A node in the words of texts.
pub(crate) fn called(graph: &Graph, node: NodeId) -> Result<String> {
    Ok(format!("node {:#x} ({})", node.0, graph.node_label(node)?))
}

/// The buffers that hold the byte at an address.
fn buffers_at(context: &Context, address: u64) -> Vec<Located> {
    let found = context.find_buffers(address);
    found.into_iter().filter(|found| found.offset < found.memory.size()).collect()
}

/// Returns how many of them a pool gave.
fn of_pools(found: &[Located]) -> usize {
    found.iter().filter(|found| matches!(&found.memory, Memory::Buffer(buffer) if buffer.is_of_pool())).count()
}

/// The byte at an address, by the buffer that it is in. `None` where it is in no buffer that is known.
pub(crate) fn byte_of_buffer(context: &Context, address: u64) -> Option<String> {
    let there = buffers_at(context, address);
    let first = there.first()?;
    Some(match first.memory.name() {
        Some(name) => format!("byte {} of buffer {}", first.offset, quoted(&name)),
        None => format!("byte {} of a buffer of {} bytes", first.offset, first.memory.size()),
    })
}

/// Writes what is at an address: the buffers, and whether a pool gave the memory to several.
fn write_memory(text: &mut String, graph: &Graph, address: u64) {
    if let Some(byte) = byte_of_buffer(graph.context(), address) {
        let _ = write!(text, ", {byte}");
    }
    let of_pools = of_pools(&buffers_at(graph.context(), address));
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
        assert_eq!(longest_path(&[]), Vec::<u32>::new());
        assert_eq!(longest_path(&[vec![], vec![0], vec![0], vec![2], vec![1, 3], vec![]]), [0, 2, 3, 4]);
    }
}
