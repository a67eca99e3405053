//! Verification of what is declared of a graph's kernels.

use std::ffi::{c_char, c_void, CString};

use crate::ffi::boundary::{
    check_flags, gc_graph, gc_status, handle, optimising_guard as guard, options, Result, StructOut, Token, Versioned,
};
use crate::ffi::graphs::graph::gc_node;
use crate::ffi::graphs::kernel_statement::{gc_kernel_statement, statements};
use graphcap_driver::call_out;
use graphcap_kit::{verify, Finding, Permits, VerifyOptions, VerifyReport};

/// gc_verify_options::flags: as GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS.
pub const GRAPHCAP_VERIFY_TRUST_PARAMETERS: u32 = 1;
/// gc_verify_options::flags: as GRAPHCAP_OPTIMIZE_UNOBSERVED.
pub const GRAPHCAP_VERIFY_UNOBSERVED: u32 = 2;
/// gc_verify_options::flags: as GRAPHCAP_OPTIMIZE_OBSERVE; what was observed is checked as what is stated.
pub const GRAPHCAP_VERIFY_OBSERVE: u32 = 4;

/// Permission for trial replays: host functions are called at each replay. What they write is neither saved nor compared.
pub const GRAPHCAP_PERMIT_HOST_FUNCTIONS: u32 = 1;
/// Permission for trial replays: events are recorded and waited for at each replay.
pub const GRAPHCAP_PERMIT_EVENTS: u32 = 2;
/// Permission for trial replays: values are written and waited for at each replay. What is waited for must come each time.
pub const GRAPHCAP_PERMIT_VALUES: u32 = 4;
/// Permission for trial replays: memory of other devices is written. What others write there meanwhile is lost.
pub const GRAPHCAP_PERMIT_OTHER_DEVICES: u32 = 8;

/// A function that gc_graph_verify() calls before each step, on the thread that called it, with how many steps are
/// done, of how many; their number can grow. It may make any gc_ call that does not use the memory of the graph.
///
/// @return 0 to go on; any other number to end the call, which then reports what was found by then
pub type gc_verify_progress_fn =
    Option<unsafe extern "C-unwind" fn(done: u64, total: u64, user_data: *mut c_void) -> i32>;

/// A function that gc_graph_verify() calls once in the end, on the thread that called it, with its report in words: a
/// text that ends with a NUL and lives until the function returns.
pub type gc_verify_text_fn = Option<unsafe extern "C-unwind" fn(text: *const c_char, user_data: *mut c_void)>;

/// Options of gc_graph_verify(). Start from GRAPHCAP_VERIFY_OPTIONS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_verify_options {
    /// sizeof(gc_verify_options).
    pub struct_size: u32,
    /// 0 or GRAPHCAP_VERIFY_ flags.
    pub flags: u32,
    /// 0 or GRAPHCAP_PERMIT_ flags.
    pub permits: u32,
    /// Number of random orders tried, each with its reverse; 0 for 16.
    pub orders: u32,
    /// Bytes of device memory, and as many of pinned host memory, may be used for what the graph writes; 0 for 256 MiB.
    pub max_bytes: u64,
    /// Number that the random orders depend on.
    pub seed: u64,
    /// Called before each step; may be NULL.
    pub progress: gc_verify_progress_fn,
    /// Called with the report in words; may be NULL.
    pub text: gc_verify_text_fn,
    /// Passed to progress and text; may be NULL.
    pub user_data: *mut c_void,
    /// As gc_optimize_options::statements.
    pub statements: *const gc_kernel_statement,
    /// Number of statements.
    pub statement_count: u64,
}
// SAFETY: repr(C), starts with its size, and all its members may be zero.
unsafe impl Versioned for gc_verify_options {}

/// Verdict of gc_graph_verify(): one of the GRAPHCAP_VERIFY_ numbers.
pub type gc_verify_finding = i32;

/// Nothing.
pub const GRAPHCAP_VERIFY_NOTHING: gc_verify_finding = 0;
/// A node writes bytes that it is not declared to write.
pub const GRAPHCAP_VERIFY_UNDECLARED: gc_verify_finding = 1;
/// Two nodes write the same byte, and neither has to come before the other one.
pub const GRAPHCAP_VERIFY_BOTH_WRITE: gc_verify_finding = 2;
/// Two nodes need no order by what is declared, and another order of the two gives another result.
pub const GRAPHCAP_VERIFY_ORDER: gc_verify_finding = 3;
/// Nodes that run side by side on lanes give another result than one after another.
pub const GRAPHCAP_VERIFY_LANES: gc_verify_finding = 4;
/// The graph as it was recorded gives another result than its nodes one after another.
pub const GRAPHCAP_VERIFY_RECORDED: gc_verify_finding = 5;

/// Report of gc_graph_verify(). Start from GRAPHCAP_VERIFY_REPORT_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_verify_report {
    /// sizeof(gc_verify_report). Set it before the call.
    pub struct_size: u32,
    /// The most telling of what was found, to which the next members belong: a pair of nodes whose order matters before all
    /// others. One of the GRAPHCAP_VERIFY_ numbers; GRAPHCAP_VERIFY_NOTHING if nothing is wrong.
    pub finding: gc_verify_finding,
    /// The node, or of two nodes the one that was recorded first; 0 where no node is known.
    pub first: gc_node,
    /// The other node, or 0.
    pub second: gc_node,
    /// The address of a byte by which it was seen.
    pub address: u64,
    /// Number of findings. The text has up to 256.
    pub finding_count: u64,
    /// 1 if the progress function ended the call, else 0.
    pub stopped: u32,
    /// On how many lanes at most the nodes were replayed.
    pub lanes: u32,
    /// Number of nodes of the graph.
    pub node_count: u64,
    /// Number of replays of all nodes.
    pub replay_count: u64,
    /// Number of orders tried.
    pub order_count: u64,
    /// Number of pairs of nodes that need no order by what is declared; 0 in graphs of more than 2,048 nodes.
    pub pair_count: u64,
    /// Number of these pairs that have run in both orders.
    pub pairs_tried: u64,
    /// Number of bytes compared.
    pub bytes_compared: u64,
    /// Number of bytes not compared, since they differ from replay to replay of the recorded graph.
    pub bytes_excluded: u64,
    /// Number of bytes that there was no room to save and compare, of memory that nodes reach and are not declared to write.
    pub bytes_unwatched: u64,
}
// SAFETY: repr(C), starts with its size, and holds integers.
unsafe impl Versioned for gc_verify_report {}

/// Checks by trial whether what is declared of a graph's kernels is true (gc_kernel_set_accesses(), or that their parameters
/// can be trusted), which gc_graph_optimize() relies on.
///
/// The graph is replayed five times as it was recorded: bytes that differ then are not compared. Its nodes run one by one in
/// the recorded order, which shows what each of them writes: no more than is declared, and no byte that another node writes
/// from which no order is needed. Then they run one after another in other orders that the declared accesses allow: the
/// reverse, random ones each with its reverse, and some that have the remaining pairs of nodes the other way round. Last they
/// run side by side on lanes. All that is written is compared. Where an order gives another result, orders between it and the
/// recorded one tell which two nodes must not change places.
///
/// A write of what is there already is not seen, and what never gives another result is not found.
///
/// All memory that the nodes write is saved before and restored after, also when the call fails; memory that they only reach
/// as far as there is room. It is used as gc_graph_optimize() uses it when it measures. The call waits for its replays, on a stream
/// of its own.
///
/// @param[in]     graph       the graph
/// @param[in]     options     NULL for the defaults
/// @param[in,out] report_out  in: struct_size; out: what was done and found
/// @retval GRAPHCAP_SUCCESS              the report was written, whatever was found
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  the edges of the graph form a cycle, or memory that nodes write is gone
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  what a node writes is not known, or it does what the options do not permit
///                                       (the message names it); or the graph has allocations, conditions, an edge that
///                                       carries something, or more than 16,384 nodes
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY  the nodes write more bytes than the options allow to save, or there is not
///                                       enough memory
/// @return the status of a fault when a node failed while it ran; the memory cannot be restored then
#[no_mangle]
pub unsafe extern "C" fn gc_graph_verify(
    graph: *const gc_graph,
    options: *const gc_verify_options,
    report_out: *mut gc_verify_report,
) -> gc_status {
    // SAFETY: C promises that `report_out` is NULL, or has as many writable bytes as its struct_size states.
    let report_out = unsafe { StructOut::new(report_out, "report_out") };
    guard("gc_graph_verify", [Token::of(graph)], || {
        // Not pinned: the call takes long, and its functions may destroy what they like.
        let graph = handle::clone(graph, "graph")?;
        let report_out = report_out.required()?;
        // SAFETY: C promises that `options` is NULL or points to as many bytes as its struct_size states.
        let given = unsafe { options::read_or_default(options, "options") }?;
        // SAFETY: C promises that the statements are readable, and that their texts end with a NUL.
        let options = unsafe { read(&given) }?;
        let report = verify(&graph, &options, &mut |done, total| {
            // SAFETY: C promises that `progress` may be called with `user_data` until this call returns.
            given
                .progress
                .is_none_or(|progress| call_out(|| unsafe { progress(done, total, given.user_data) }) == Some(0))
        })?;
        // SAFETY: C promises that `text` may be called with `user_data` until this call returns.
        unsafe { tell(given.text, given.user_data, || report.text()) };
        report_out.write(of_report(&report));
        Ok(())
    })
}

/// # Safety
/// The statements are readable, and their texts end with a NUL.
unsafe fn read(options: &gc_verify_options) -> Result<VerifyOptions> {
    let known = GRAPHCAP_VERIFY_TRUST_PARAMETERS | GRAPHCAP_VERIFY_UNOBSERVED | GRAPHCAP_VERIFY_OBSERVE;
    check_flags(options.flags, known, "options.flags", "0 or GRAPHCAP_VERIFY_ flags")?;
    Ok(VerifyOptions {
        trusts_parameters: options.flags & GRAPHCAP_VERIFY_TRUST_PARAMETERS != 0,
        unobserved: options.flags & GRAPHCAP_VERIFY_UNOBSERVED != 0,
        observes: options.flags & GRAPHCAP_VERIFY_OBSERVE != 0,
        // SAFETY: passed on to the caller.
        statements: unsafe { statements(options.statements, options.statement_count, "options.statements") }?,
        permits: permits(options.permits)?,
        bytes: options.max_bytes,
        orders: options.orders as usize,
        seed: options.seed,
    })
}

/// Calls a function of C's with a text, if there is one.
///
/// # Safety
/// `take` may be called with `user_data`.
pub(super) unsafe fn tell(take: gc_verify_text_fn, user_data: *mut c_void, text: impl FnOnce() -> String) {
    if let Some(take) = take {
        let text = CString::new(text()).unwrap_or_default();
        // SAFETY: passed on to the caller.
        call_out(|| unsafe { take(text.as_ptr(), user_data) });
    }
}

/// Reads and checks GRAPHCAP_PERMIT_ flags.
pub(crate) fn permits(flags: u32) -> Result<Permits> {
    let known = GRAPHCAP_PERMIT_HOST_FUNCTIONS
        | GRAPHCAP_PERMIT_EVENTS
        | GRAPHCAP_PERMIT_VALUES
        | GRAPHCAP_PERMIT_OTHER_DEVICES;
    check_flags(flags, known, "options.permits", "0 or GRAPHCAP_PERMIT_ flags")?;
    Ok(Permits {
        host_functions: flags & GRAPHCAP_PERMIT_HOST_FUNCTIONS != 0,
        events: flags & GRAPHCAP_PERMIT_EVENTS != 0,
        values: flags & GRAPHCAP_PERMIT_VALUES != 0,
        other_devices: flags & GRAPHCAP_PERMIT_OTHER_DEVICES != 0,
        unknown: false,
    })
}

fn of_report(report: &VerifyReport) -> gc_verify_report {
    let (finding, first, second, address) = match report.foremost() {
        None => (GRAPHCAP_VERIFY_NOTHING, 0, 0, 0),
        Some(Finding::Undeclared { node, address, .. }) => (GRAPHCAP_VERIFY_UNDECLARED, node.id.0, 0, *address),
        Some(Finding::BothWrite { first, second, address, .. }) => {
            (GRAPHCAP_VERIFY_BOTH_WRITE, first.id.0, second.id.0, *address)
        }
        Some(Finding::Order { first, second, address, .. }) => {
            (GRAPHCAP_VERIFY_ORDER, first.id.0, second.id.0, *address)
        }
        Some(Finding::Lanes { address, .. }) => (GRAPHCAP_VERIFY_LANES, 0, 0, *address),
        Some(Finding::Recorded { address, .. }) => (GRAPHCAP_VERIFY_RECORDED, 0, 0, *address),
    };
    gc_verify_report {
        struct_size: size_of::<gc_verify_report>() as u32,
        finding,
        first,
        second,
        address,
        finding_count: report.finding_count,
        stopped: u32::from(report.stopped),
        lanes: report.lanes as u32,
        node_count: report.nodes as u64,
        replay_count: report.replays,
        order_count: report.orders,
        pair_count: report.pairs,
        pairs_tried: report.pairs_tried,
        bytes_compared: report.bytes_compared,
        bytes_excluded: report.bytes_excluded,
        bytes_unwatched: report.bytes_unwatched,
    }
}
