//! Graphs that run side by side what need not run one after another.
//!
//! What code records on one stream is a chain. Of what the nodes read and write follows which of them have to stay in that order;
//! the others are laid out on lanes. The result is a graph of the same nodes with other edges; the recorded graph is not changed.

mod accesses;
mod apply;
mod arrange;
mod fit;
mod inside;
mod layouts;
mod measure;
mod observe;
mod options;
mod plan;
mod promises;
mod reasons;
mod rebuild;
mod recorded;
mod report;
mod trial;
mod written;

pub(crate) use self::accesses::is_rounded;
pub use self::accesses::{Barrier, PartlyStated, SharedWorkspace};
pub(crate) use self::layouts::{accesses_of, Accesses};
pub(crate) use self::measure::as_it_was;
pub(crate) use self::observe::observed;
pub use self::options::{MeasureOptions, OptimizeOptions, TrialOptions};
pub use self::plan::{Candidate, Plan};
pub(crate) use self::promises::Promises;
pub use self::promises::{KernelStatement, Unwritten};
pub use self::reasons::Reason;
pub(crate) use self::reasons::{byte_of_buffer, called};
pub(crate) use self::recorded::{works_of, Recorded, Works};
pub use self::report::{Measured, OptimizeReport, Timing};
pub(crate) use self::trial::{singles, Trial};
pub use self::written::Permits;
pub(crate) use self::written::{fitting, fitting_memory, writes, NodeWrites};

use self::arrange::{finish, in_recorded, Found};
use self::inside::Inside;
use self::layouts::{accesses, lay_out, longest_path};
use self::observe::promises_of;
use self::plan::{Form, Level};
use self::reasons::reasons_by;
use graphcap_base::error::Result;
use graphcap_core::Graph;
use graphcap_driver::check_caller;

/// Makes a graph that does what `graph` does, and runs at once what need not run one after another.
///
/// Two nodes stay in the recorded order where one writes bytes that the other one reads or writes. What kernels touch is known where
/// [`Kernel::state_accesses`](graphcap_core::Kernel::state_accesses) said it. Every node of which it is not known keeps its place, as do
/// host functions, events, value operations, allocations and graphs within the graph, which are optimised inside; the report says which
/// and why. Where that leaves no shorter
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
/// `NOT_SUPPORTED` for a graph with allocations or conditions, which cannot be copied, unless it is changed in place;
/// `ILLEGAL_STATE` where it is, while a capture goes into it; `INVALID_VALUE` when the edges form a cycle, and for too many lanes;
/// `OUT_OF_MEMORY`; the status of a context that faulted, as by a node that fails while it is measured.
pub fn optimize(graph: &Graph, options: &OptimizeOptions) -> Result<(Graph, OptimizeReport)> {
    check_caller()?;
    let _reading = graph.reading()?;
    options.check()?;
    if options.in_place {
        graph.check_not_captured_into()?;
    }
    let (promises, not_observed) = promises_of(graph, options)?;
    let mut not_measured = None;
    if let Some(how) = &options.measures {
        match measure::measure(graph, options, &promises, how)? {
            Ok((optimized, report)) => return Ok((optimized, OptimizeReport { not_observed, ..report })),
            Err(reason) => not_measured = Some(reason),
        }
    }
    // Nobody else has the copy, which stays as it is read.
    let copy = if options.in_place { graph.clone() } else { graph.duplicate()? };
    let recorded = Recorded::read(&copy)?;
    let (mut layout, mut inside, mut found) = (None, Inside::default(), Found::default());
    if !options.shape_only {
        inside = inside::optimize(&copy, &recorded, options, None)?;
        let Accesses { ordered, mut barriers, workspaces } = accesses(&copy, &recorded, promises.clone())?;
        let may_wait = barriers.iter().any(|(node, barrier)| barrier.may_wait() && !inside.harmless.contains(node));
        layout = lay_out(&recorded, ordered, may_wait, options.lanes)
            .filter(|layout| longest_path(&layout.after).len() < longest_path(&recorded.after).len());
        if !options.in_place {
            barriers = in_recorded(graph, &copy, barriers)?;
        }
        found = Found { barriers, workspaces, inner: inside.graphs };
    }
    let level = Level::new(&recorded, layout.clone(), inside.levels);
    let edges = if layout.is_some() { Candidate::Lanes } else { Candidate::AsRecorded };
    let plan =
        Plan::new(graph.context(), (options, &promises), level, Form { edges, has_ends: true, is_measured: false });
    let (optimized, mut report) = finish(copy, &recorded, layout, found, plan)?;
    (report.not_measured, report.not_observed) = (not_measured, not_observed);
    Ok((optimized, report))
}

/// Returns why [`optimize`] with these options leaves nodes of `graph` in order: first the nodes that keep their place,
/// in the recorded order, then the pairs of the longest path, from its first node on, then the workspaces. Nothing is measured; kernels are observed where the options say so. The
/// graphs within nodes are asked on their own.
///
/// # Errors
/// `INVALID_VALUE` when the edges form a cycle, and for too many lanes; `OUT_OF_MEMORY`; the status of a context that faulted.
pub fn reasons(graph: &Graph, options: &OptimizeOptions) -> Result<Vec<Reason>> {
    check_caller()?;
    options.check()?;
    if options.shape_only {
        return Ok(Vec::new());
    }
    let (promises, _) = promises_of(graph, options)?;
    reasons_by(graph, promises)
}
