//! Searches for what makes a replay of a graph bad.

use std::ffi::c_void;

use crate::ffi::boundary::failure::{Failure, Result};
use crate::ffi::boundary::feature::optimising_guard as guard;
use crate::ffi::boundary::handle::{self, Token};
use crate::ffi::boundary::handle_types::gc_graph;
use crate::ffi::boundary::options::{self, Versioned};
use crate::ffi::boundary::output::{ArrayOut, StructOut};
use crate::ffi::boundary::status::gc_status;
use crate::ffi::graphs::check::{gc_finding, gc_finding_kind, GRAPHCAP_SEVERITY_ERROR};
use crate::ffi::graphs::kernel_statement::{gc_kernel_statement, statements};
use crate::ffi::graphs::step::gc_step_text_fn;
use crate::ffi::graphs::verify::{permits, tell};
use graphcap_driver::call_out;
use graphcap_kit::{bisect, BisectFinding, BisectOptions, BisectReport, Culprit};

// The first number leaves room for the kinds of gc_graph_step().
/// gc_graph_bisect(): `node` is of the smallest set of nodes that makes a replay bad when all others are off. `value` is 1 if a replay is
/// good when `node` alone is off, 0 if it is bad, and 2 if that was not tried. An error.
pub const GRAPHCAP_FINDING_MAKES_BAD: gc_finding_kind = 64;
/// gc_graph_bisect(): a replay is good when `node` alone is off, and bad when all nodes are off that can be. An error.
pub const GRAPHCAP_FINDING_GOOD_WITHOUT: gc_finding_kind = 65;
/// gc_graph_bisect(): no path orders `other` before `node`, and a replay is good with such edges. An error.
pub const GRAPHCAP_FINDING_EDGE_MISSING: gc_finding_kind = 66;

/// Outcome of gc_graph_bisect(): one of the GRAPHCAP_BISECT_ numbers.
pub type gc_bisect_outcome = i32;
/// No replay of the graph that was judged was bad.
pub const GRAPHCAP_BISECT_GOOD: gc_bisect_outcome = 0;
/// The findings are GRAPHCAP_FINDING_MAKES_BAD.
pub const GRAPHCAP_BISECT_NODES: gc_bisect_outcome = 1;
/// The findings are GRAPHCAP_FINDING_GOOD_WITHOUT: is_good does not accept a replay that does nothing.
pub const GRAPHCAP_BISECT_WITHOUT: gc_bisect_outcome = 2;
/// The findings are GRAPHCAP_FINDING_EDGE_MISSING: a replay is good when the nodes run one after another.
pub const GRAPHCAP_BISECT_ORDER: gc_bisect_outcome = 3;
/// Replays are bad, and it was not found by what; or none was judged.
pub const GRAPHCAP_BISECT_UNKNOWN: gc_bisect_outcome = 4;

/// A function that judges a replay for gc_graph_bisect(), on the thread that called it. The replay is complete, and the function may read
/// what it wrote; its reads must be complete when it returns. It gets the number of replays before this one, and how many there may be. Otherwise as gc_verify_progress_fn.
///
/// @return 1 if the replay is good, 0 if it is bad; a negative number to end the call, which then reports what was found by then
pub type gc_is_good_fn =
    Option<unsafe extern "C-unwind" fn(replay: u64, max_replays: u64, user_data: *mut c_void) -> i32>;

/// Options of gc_graph_bisect(). Start from GRAPHCAP_BISECT_OPTIONS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_bisect_options {
    /// sizeof(gc_bisect_options).
    pub struct_size: u32,
    /// 0 or GRAPHCAP_PERMIT_ flags.
    pub permits: u32,
    /// Number of replays of a trial, which is good when all are; 0 for 3. A trial has four times as many where of so many replays of
    /// the graph itself some are good and some are bad.
    pub repeats: u32,
    /// Number of replays after which the call ends; 0 for 10,000.
    pub max_replays: u32,
    /// Bytes of device memory that may be used for what the graph writes, all of which is restored; 0 for 1 GiB.
    pub max_bytes: u64,
    /// Called once in the end with the report in words, and the call's user_data; may be NULL.
    pub text: gc_step_text_fn,
    /// As gc_optimize_options::statements.
    pub statements: *const gc_kernel_statement,
    /// Number of statements.
    pub statement_count: u64,
}
// SAFETY: repr(C), starts with its size, and all its members may be zero.
unsafe impl Versioned for gc_bisect_options {}

/// Report of gc_graph_bisect(). Start from GRAPHCAP_BISECT_REPORT_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_bisect_report {
    /// sizeof(gc_bisect_report). Set it before the call.
    pub struct_size: u32,
    /// One of the GRAPHCAP_BISECT_ numbers.
    pub outcome: gc_bisect_outcome,
    /// 1 if is_good or max_replays ended the call, else 0. The findings may then be more or fewer than need be.
    pub stopped: u32,
    /// 1 if replays gave the same answer once more in the end, else 0.
    pub confirmed: u32,
    /// Number of replays of the graph as it is.
    pub recorded_count: u32,
    /// Number of them that were bad.
    pub recorded_bad: u32,
    /// Number of nodes of the graph.
    pub node_count: u64,
    /// Number of nodes that cannot be switched off: all but kernels, copies and memsets.
    pub always_on_count: u64,
    /// Number of replays.
    pub replay_count: u64,
    /// Number of findings; up to 256 are written.
    pub finding_count: u64,
    /// Number of bytes restored before each replay and in the end.
    pub bytes_saved: u64,
    /// Number of nodes that may write memory that is not restored.
    pub unknown_count: u64,
}
// SAFETY: repr(C), starts with its size, and holds integers.
unsafe impl Versioned for gc_bisect_report {}

/// Finds the smallest set of nodes, or of missing edges, that makes replays of a graph bad. docs/stepping.md shows how to use it.
///
/// is_good judges each replay. First the graph is replayed as it is, then its nodes one after another, in the order that
/// gc_graph_get_order() tells and in another one. Where that is good, edges are missing, and the smallest set of edges is looked for. Else nodes are
/// switched off, which then do nothing: the smallest set is looked for with which a replay is bad. So is_good has to accept replays that
/// leave work out, none of which may wait for what a node writes that is off, and to tell bad ones by what no replay may leave, such as NaNs. Where it does not, each node is switched off alone.
///
/// Memory is used as by gc_graph_step(): what the nodes write is restored before each replay and in the end, also when a replay fails.
/// Nothing else may use that memory meanwhile. A graph that cannot be copied is not tried in order. The graph is not changed.
///
/// @param[in]     graph         the graph
/// @param[in]     options       NULL for the defaults
/// @param[in]     is_good       judges a replay
/// @param[in]     user_data     passed to is_good and gc_bisect_options::text; may be NULL
/// @param[out]    findings_out  where to write the findings, in the order in which the nodes run; may be NULL when capacity is 0
/// @param[in]     capacity      how many findings fit; more are left out
/// @param[in,out] report_out    in: struct_size; out: what was done and found
/// @retval GRAPHCAP_SUCCESS              the report was written, whatever was found
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  is_good is NULL, a flag is unknown, a struct_size is not valid, the edges of the graph form a
///                                       cycle, or memory that nodes write is gone
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  a node does what the options do not permit; the message names it
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY  the nodes write more bytes than gc_bisect_options::max_bytes, or there is not enough memory
/// @return the status by which a replay failed: the message tells how many nodes were on
#[no_mangle]
pub unsafe extern "C" fn gc_graph_bisect(
    graph: *const gc_graph,
    options: *const gc_bisect_options,
    is_good: gc_is_good_fn,
    user_data: *mut c_void,
    findings_out: *mut gc_finding,
    capacity: usize,
    report_out: *mut gc_bisect_report,
) -> gc_status {
    let mut found = 0;
    // SAFETY: C promises `capacity` writable elements; `found` is writable.
    let findings_out = unsafe { ArrayOut::new([(findings_out, "findings_out")], capacity, &mut found) };
    // SAFETY: C promises that `report_out` is NULL, or has as many writable bytes as its struct_size states.
    let report_out = unsafe { StructOut::new(report_out, "report_out") };
    guard("gc_graph_bisect", [Token::of(graph)], || {
        // Not pinned: the call takes long, and its functions may destroy what they like.
        let graph = handle::clone(graph, "graph")?;
        let report_out = report_out.required()?;
        findings_out.check()?;
        // SAFETY: C promises that `options` is NULL or points to as many bytes as its struct_size states.
        let given = unsafe { options::read_or_default(options, "options") }?;
        // SAFETY: C promises that what the options point to is readable, and that texts end with a NUL.
        let options = unsafe { read(&given) }?;
        let is_good = is_good.ok_or(Failure::Null("is_good"))?;
        let report = bisect(&graph, &options, &mut |replay, most| {
            // SAFETY: C promises that `is_good` may be called with `user_data` until this call returns.
            let answer = call_out(|| unsafe { is_good(replay, most, user_data) });
            answer.filter(|&answer| answer >= 0).map(|answer| answer != 0)
        })?;
        // SAFETY: C promises that `text` may be called with `user_data` until this call returns.
        unsafe { tell(given.text, user_data, || report.text()) };
        findings_out.write(report.findings.iter().take(capacity).map(|finding| [of_finding(finding)]))?;
        report_out.write(of_report(&report));
        Ok(())
    })
}

/// # Safety
/// Memory that the options point to is readable, and texts end with a NUL.
unsafe fn read(options: &gc_bisect_options) -> Result<BisectOptions> {
    Ok(BisectOptions {
        // SAFETY: passed on to the caller.
        statements: unsafe { statements(options.statements, options.statement_count, "options.statements") }?,
        permits: permits(options.permits)?,
        bytes: options.max_bytes,
        repeats: options.repeats,
        replays: options.max_replays.into(),
    })
}

fn of_finding(finding: &BisectFinding) -> gc_finding {
    let (kind, other, value) = match finding.culprit {
        Culprit::Node { is_good_without } => (GRAPHCAP_FINDING_MAKES_BAD, 0, is_good_without.map_or(2, u32::from)),
        Culprit::Without => (GRAPHCAP_FINDING_GOOD_WITHOUT, 0, 0),
        Culprit::Order { other } => (GRAPHCAP_FINDING_EDGE_MISSING, other.0, 0),
    };
    gc_finding { kind, severity: GRAPHCAP_SEVERITY_ERROR, node: finding.node.0, other, value, ..gc_finding::default() }
}

fn of_report(report: &BisectReport) -> gc_bisect_report {
    gc_bisect_report {
        struct_size: size_of::<gc_bisect_report>() as u32,
        outcome: report.outcome as gc_bisect_outcome,
        stopped: report.is_stopped.into(),
        confirmed: report.is_confirmed.into(),
        recorded_count: report.recorded_replays,
        recorded_bad: report.recorded_bad,
        node_count: report.nodes as u64,
        always_on_count: report.always_on as u64,
        replay_count: report.replays,
        finding_count: report.finding_count,
        bytes_saved: report.bytes_saved,
        unknown_count: report.unknown as u64,
    }
}
