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

use std::collections::HashSet;

use self::accesses::Reader;
use self::recorded::Recorded;
use self::report::Barriers;
use crate::core::Graph;
use crate::driver::{check_caller, EdgeData, NodeId};
use crate::error::Result;
use crate::rules::lanes::pack;
use crate::rules::order::{needed, Ordered, Standing};

/// How many lanes there are unless something else is said: as many kernels as a GPU runs at once.
const LANES: usize = 128;

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
/// path, the edges stay as they were recorded.
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
    let recorded = Recorded::read(graph)?;
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
        let (ordered, barriers) = accesses(graph, &recorded, options.trusts_parameters)?;
        report.barriers = barriers;
        let lanes = if options.lanes == 0 { LANES } else { options.lanes };
        let packed = pack(&needed(&ordered), &[], lanes);
        let after = longest_path(&packed.after);
        if after < before {
            report.chosen = Candidate::Lanes;
            report.longest_path.1 = after;
            report.edges.1 = packed.after.iter().map(Vec::len).sum();
            report.lanes = packed.lanes.iter().max().map_or(0, |&lane| lane as usize + 1);
            layout = Some(packed);
        }
    }
    let rebuilt = rebuild::rebuild(graph, &recorded, layout.as_ref())?;
    report.added_nodes = rebuilt.added_nodes;
    report.edges.1 += rebuilt.added_edges;
    Ok((rebuilt.graph, report))
}
