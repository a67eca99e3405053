//! The smallest set of nodes, or of missing edges, that makes a replay bad.
//!
//! Replays begin from the same memory, and the caller judges each. First the graph is replayed as it is, then in order, one node after
//! another: where that is good, edges are missing. Else nodes are switched off.

mod nodes;
mod options;
mod order;
mod report;
mod search;
mod trials;

pub use self::options::BisectOptions;
pub use self::report::{BisectFinding, BisectOutcome, BisectReport, Culprit};

use std::sync::Arc;

use self::search::Bisection;
use self::trials::{End, Trials};
use super::optimize::{as_it_was, writes, Permits, Promises, Recorded};
use graphcap_base::error::Result;
use graphcap_core::{relax_mode, Graph, MemoryRanges, SavedMemory, Stream};
use graphcap_driver::{check_caller, StreamOptions};

/// Searches for the smallest set of nodes that makes a replay bad, or for missing edges. `is_good` judges each replay when it is complete:
/// it is told how many were judged before and how many there may be, and may read memory. `None` ends the search.
///
/// Before each replay the memory is restored that the graph writes, and once more in the end, also after a failure. Nothing else may use
/// that memory meanwhile, and work that uses it must be complete before.
///
/// # Examples
/// The second of three memsets writes what the caller takes for wrong:
///
/// ```
/// use graphcap::core::{Buffer, Context, Stream};
/// use graphcap::driver::{DeviceChoice, DeviceKind, StreamOptions};
/// use graphcap::kit::{bisect, BisectOptions, BisectOutcome};
/// use graphcap::rules::CaptureMode;
///
/// let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0)?;
/// let stream = Stream::create(&context, StreamOptions::default())?;
/// let buffer = Buffer::allocate(&context, 64)?;
/// stream.begin_capture(CaptureMode::Global)?;
/// for (value, place) in [(1, 0), (0xff, 16), (2, 32)] {
///     stream.memset(&buffer, place, value, 1, 16)?;
/// }
/// let graph = stream.end_capture()?;
///
/// let mut bytes = [0_u8; 64];
/// let report = bisect(&graph, &BisectOptions::default(), &mut |_, _| {
///     // SAFETY: the copy is complete before `bytes` goes.
///     let copied = unsafe { stream.memcpy_dtoh(bytes.as_mut_ptr().cast(), &buffer, 0, 64) };
///     copied.and_then(|()| stream.synchronize()).ok()?;
///     Some(!bytes.contains(&0xff))
/// })?;
/// assert_eq!((report.outcome, report.findings.len()), (BisectOutcome::Nodes, 1));
/// assert_eq!(report.findings[0].node, graph.order()?[1]);
/// # Ok::<(), graphcap::Error>(())
/// ```
///
/// # Errors
/// `NOT_SUPPORTED` when a node does what [`BisectOptions::permits`] does not permit; `INVALID_VALUE` when the edges form a cycle, and for
/// memory that is gone; `OUT_OF_MEMORY` also when the graph writes more than [`BisectOptions::bytes`]; the status by which a replay failed: the message tells which nodes were on.
pub fn bisect(
    graph: &Graph,
    options: &BisectOptions,
    is_good: &mut dyn FnMut(u64, u64) -> Option<bool>,
) -> Result<BisectReport> {
    check_caller()?;
    let _mode = relax_mode()?;
    let recorded = Recorded::read(graph)?;
    let promises = Promises {
        trusts_parameters: true,
        unobserved: true,
        statements: Arc::clone(&options.statements),
        ..Promises::default()
    };
    let permits = Permits { unknown: true, ..options.permits };
    let writes = writes(graph, &recorded.nodes, |node| node, (promises, permits))?;
    let room = if options.bytes == 0 { 1 << 30 } else { options.bytes };
    let written = MemoryRanges::of(writes.iter().map(|one| &one.writes).collect::<Vec<_>>());
    let exec = graph.instantiate()?;
    let stream = Stream::create(graph.context(), StreamOptions { non_blocking: true, ..StreamOptions::default() })?;
    let saved = SavedMemory::save(&stream, &written, room)?;
    let report = BisectReport {
        nodes: recorded.nodes.len(),
        bytes_saved: saved.bytes() as u64,
        unknown: writes.iter().filter(|one| !one.is_complete).count(),
        ..BisectReport::default()
    };
    let mut bisection = Bisection {
        graph,
        exec: &exec,
        recorded: &recorded,
        trials: Trials::new(&stream, &saved, options, is_good),
        report,
    };
    let run = match bisection.search() {
        Err(End::Failed(error)) => Err(error),
        Err(End::Stopped) => {
            bisection.report.is_stopped = true;
            Ok(())
        }
        Ok(()) => Ok(()),
    };
    bisection.report.replays = bisection.trials.count;
    let report = bisection.report;
    as_it_was(run, saved.restore().and_then(|()| stream.synchronize()))?;
    drop(saved);
    // What was saved is no memory of the program's.
    graph.context().trim()?;
    Ok(report)
}
