//! Graphs that run side by side what need not run one after another.
//!
//! What code records on one stream is a chain. Of what the nodes read and write follows which of them have to stay in that order;
//! the others are laid out on lanes. The result is a graph of the same nodes with other edges; the recorded graph is not changed.

mod accesses;
mod rebuild;
mod recorded;
mod report;

pub use self::accesses::Barrier;
pub use self::report::{Candidate, OptimizeOptions, OptimizeReport};

use std::collections::{HashMap, HashSet};

use self::accesses::Reader;
use self::recorded::Recorded;
use self::report::Barriers;
use crate::core::Graph;
use crate::driver::{check_caller, EdgeData, NodeId};
use crate::error::Result;
use crate::rules::lanes::{pack, Layout};
use crate::rules::order::{needed, Ordered, Standing};

/// How many lanes there are unless something else is said: as many kernels as a GPU runs at once.
const LANES: usize = 128;

/// The most lanes that can be asked for: the memory that is needed meanwhile grows with them.
const MOST_LANES: usize = 256;

/// A graph with nodes that wait for others, and with more nodes than these, keeps its edges, as it would need a lane for each.
const MOST_NODES_THAT_WAIT: usize = 4096;

/// What the nodes of a graph touch, in their order, and which keep their place.
fn accesses(graph: &Graph, recorded: &Recorded, trusts_parameters: bool) -> Result<(Vec<Ordered>, Barriers)> {
    let mut reader = Reader::new(graph, trusts_parameters);
    let (mut ordered, mut barriers) = (Vec::with_capacity(recorded.nodes.len()), Vec::new());
    let carrying = recorded.edges.iter().filter(|(_, _, data)| *data != EdgeData::NONE);
    let carrying: HashSet<NodeId> = carrying.flat_map(|&(from, to, _)| [from, to]).collect();
    for (&node, after) in recorded.nodes.iter().zip(&recorded.after) {
        let (mut one, mut barrier) = reader.read(node)?;
        if barrier.is_none() && carrying.contains(&node) {
            (one.standing, barrier) = (Standing::Fixed, Some(Barrier::CarryingEdge));
        }
        one.after.clone_from(after);
        ordered.push(one);
        barriers.extend(barrier.map(|barrier| (node, barrier)));
    }
    Ok((ordered, barriers))
}

/// Nodes on the longest path.
fn longest_path(after: &[Vec<u32>]) -> usize {
    let mut lengths: Vec<usize> = Vec::with_capacity(after.len());
    for after in after {
        let before = after.iter().filter_map(|&one| lengths.get(one as usize)).max();
        lengths.push(1 + before.copied().unwrap_or(0));
    }
    lengths.into_iter().max().unwrap_or(0)
}

/// Makes a graph that does what `graph` does, and runs at once what need not run one after another.
///
/// Two nodes stay in the recorded order where one writes bytes that the other one reads or writes. What kernels touch is known where
/// [`Kernel::state_accesses`](crate::core::Kernel::state_accesses) said it. Every node of which it is not known keeps its place, as do
/// host functions, events, value operations and graphs within the graph; the report says which and why. Where that leaves no shorter
/// path, or an edge carries something, the edges stay as they were recorded. Nodes of several lanes that no recorded path orders may
/// come to be ordered by a lane, but never in a graph with nodes that may wait for what another one does.
///
/// On a device that replays graphs of several roots or leaves badly, a kernel that does nothing comes before all and one behind all.
///
/// Graphs of the same nodes, of the same edges and with the same accesses come out alike, so that execs of one can be updated by
/// another.
///
/// # Examples
/// Eight memsets of eight buffers, recorded on one stream:
///
/// ```
/// use graphcap::core::{Buffer, Context, Stream};
/// use graphcap::driver::{DeviceChoice, DeviceKind, StreamOptions};
/// use graphcap::kit::{optimize, OptimizeOptions};
/// use graphcap::rules::CaptureMode;
///
/// let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0)?;
/// let stream = Stream::create(&context, StreamOptions::default())?;
/// let buffers = (0..8).map(|_| Buffer::allocate(&context, 64)).collect::<Result<Vec<_>, _>>()?;
/// stream.begin_capture(CaptureMode::Global)?;
/// for buffer in &buffers {
///     stream.memset(buffer, 0, 1, 4, 16)?;
/// }
/// let recorded = stream.end_capture()?;
///
/// let (optimized, report) = optimize(&recorded, &OptimizeOptions::default())?;
/// assert_eq!((report.longest_path, report.lanes), ((8, 1), 8));
/// assert_eq!((recorded.edge_count()?, optimized.edge_count()?), (7, 0));
/// # Ok::<(), graphcap::Error>(())
/// ```
///
/// # Errors
/// `NOT_SUPPORTED` for a graph with allocations or conditions that is to be changed, which cannot be copied; `INVALID_VALUE` when the
/// edges form a cycle; `OUT_OF_MEMORY`; the status of a context that faulted.
pub fn optimize(graph: &Graph, options: &OptimizeOptions) -> Result<(Graph, OptimizeReport)> {
    check_caller()?;
    // Nobody else has the copy, which stays as it is read.
    let copy = graph.duplicate()?;
    let recorded = Recorded::read(&copy)?;
    let before = longest_path(&recorded.after);
    let mut report = OptimizeReport {
        chosen: Candidate::AsRecorded,
        nodes: recorded.nodes.len(),
        added_nodes: 0,
        edges: (recorded.edges.len(), recorded.edges.len()),
        longest_path: (before, before),
        lanes: 0,
        barriers: Vec::new(),
    };
    let mut layout = None;
    if !options.shape_only {
        let (ordered, barriers) = accesses(&copy, &recorded, options.trusts_parameters)?;
        let packed = lay_out(&recorded, ordered, &barriers, options.lanes);
        report.barriers = in_recorded(graph, &copy, barriers)?;
        let packed = packed.map(|packed| (longest_path(&packed.after), packed));
        if let Some((after, packed)) = packed.filter(|(after, _)| *after < before) {
            report.chosen = Candidate::Lanes;
            report.longest_path.1 = after;
            report.edges.1 = packed.after.iter().map(Vec::len).sum();
            report.lanes = packed.lanes.iter().max().map_or(0, |&lane| lane as usize + 1);
            layout = Some(packed);
        }
    }
    let rebuilt = rebuild::rebuild(copy, &recorded, layout.as_ref())?;
    report.added_nodes = rebuilt.added_nodes;
    report.edges.1 += rebuilt.added_edges;
    Ok((rebuilt.graph, report))
}

/// The nodes on lanes; `None` where the edges have to stay.
fn lay_out(recorded: &Recorded, mut ordered: Vec<Ordered>, barriers: &Barriers, lanes: usize) -> Option<Layout> {
    // What an edge carries may let its node begin before the other one is over: no path of others says the same.
    if recorded.edges.iter().any(|(_, _, data)| *data != EdgeData::NONE) {
        return None;
    }
    let most = if lanes == 0 { LANES } else { lanes.min(MOST_LANES) };
    if !barriers.iter().any(|(_, barrier)| barrier.may_wait()) {
        return Some(pack(&needed(&ordered), &[], most));
    }
    // A node may wait for what another branch does. With an order between the two that nobody recorded it might wait for ever, so
    // there is a lane for each.
    let alone = ordered.iter_mut().filter(|one| one.standing == Standing::Alone);
    alone.for_each(|one| one.standing = Standing::Fixed);
    (ordered.len() <= MOST_NODES_THAT_WAIT).then(|| pack(&needed(&ordered), &[], ordered.len()))
}

/// The nodes that keep their place by what the recorded graph calls them.
fn in_recorded(graph: &Graph, copy: &Graph, barriers: Barriers) -> Result<Barriers> {
    if barriers.is_empty() {
        return Ok(barriers);
    }
    let mut originals = HashMap::new();
    for node in graph.nodes()?.nodes {
        // A node that was added since is not in the copy.
        if let Ok(found) = graph.node_in_copy(node, copy) {
            originals.insert(found, node);
        }
    }
    let named = barriers.into_iter().filter_map(|(node, barrier)| Some((*originals.get(&node)?, barrier)));
    Ok(named.collect())
}
