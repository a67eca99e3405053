//! Replays of a graph node by node.

use std::ffi::{c_char, c_void};

use crate::ffi::boundary::failure::{Failure, Result};
use crate::ffi::boundary::feature::optimising_guard as guard;
use crate::ffi::boundary::handle::{self, Token};
use crate::ffi::boundary::handle_types::gc_graph;
use crate::ffi::boundary::options::{self, check_flags, Versioned};
use crate::ffi::boundary::output::{ArrayOut, StructOut};
use crate::ffi::boundary::status::gc_status;
use crate::ffi::graphs::check::{gc_finding, gc_finding_kind, gc_severity};
use crate::ffi::graphs::graph::gc_node;
use crate::ffi::graphs::kernel_statement::{gc_kernel_statement, statements};
use crate::ffi::graphs::verify::{permits, tell};
use graphcap_base::error::Error;
use graphcap_driver::{call_out, NodeId};
use graphcap_kit::{step, ElementKind, Step, StepFinding, StepFlaw, StepOptions, StepReport, TypedMemory};

/// gc_step_options::flags: what each node writes is hashed, and its floats are counted.
pub const GRAPHCAP_STEP_SUMMARIZE: u32 = 1;
/// gc_step_options::flags: all other memory of the nodes and of the context's buffers is hashed behind each node, too. It finds nodes that
/// change memory that they are not declared to write, and takes much longer.
pub const GRAPHCAP_STEP_WATCH_ALL: u32 = 2;
/// gc_step_options::flags: nodes before gc_step_options::first do not run.
pub const GRAPHCAP_STEP_SKIP: u32 = 4;
/// gc_step_options::flags: memory stays as the nodes leave it, unless the call fails.
pub const GRAPHCAP_STEP_KEEP: u32 = 8;

/// Kind of the elements of memory: one of the GRAPHCAP_ELEMENT_ numbers.
pub type gc_element = u32;
/// Bytes that are no floats.
pub const GRAPHCAP_ELEMENT_BYTES: gc_element = 0;
/// Floats of single precision.
pub const GRAPHCAP_ELEMENT_F32: gc_element = 1;
/// Floats of half precision.
pub const GRAPHCAP_ELEMENT_F16: gc_element = 2;
/// Floats in the bfloat16 format.
pub const GRAPHCAP_ELEMENT_BF16: gc_element = 3;
/// Floats of double precision.
pub const GRAPHCAP_ELEMENT_F64: gc_element = 4;

// The first number leaves room for the kinds of gc_graph_check().
/// gc_graph_step(): `node` wrote `value` floats that are not finite, the first at `address`, to memory whose kind is told. An error for the
/// first node, a note for later ones.
pub const GRAPHCAP_FINDING_NOT_FINITE: gc_finding_kind = 32;
/// gc_graph_step(): `node` changed memory that it is not declared to write, among `bytes` bytes at `address`. An error.
pub const GRAPHCAP_FINDING_UNDECLARED: gc_finding_kind = 33;
/// gc_graph_step(): `node` did not leave the hash that gc_step_options::hashes has for it. An error.
pub const GRAPHCAP_FINDING_DIFFERS: gc_finding_kind = 34;
/// gc_graph_step(): `node` may write memory that is not looked at. A note.
pub const GRAPHCAP_FINDING_NOT_WATCHED: gc_finding_kind = 35;

/// gc_step_options::memory: `node` reads memory with GRAPHCAP_MEMORY_SCRATCH that no node wrote before: `bytes` bytes that it writes, from
/// `address` on, depend on that. It is told of the first such node. An error.
pub const GRAPHCAP_FINDING_UNWRITTEN: gc_finding_kind = 36;

/// gc_typed_memory::flags: no node uses bytes of it that no node wrote before. It is filled with two patterns, and each node runs from
/// both, so that it runs two or three times. Saved memory takes three times its room.
pub const GRAPHCAP_MEMORY_SCRATCH: u32 = 1;

/// Memory of a kind. It has no struct_size and keeps its 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_typed_memory {
    /// The first byte.
    pub address: u64,
    /// Number of bytes.
    pub bytes: u64,
    /// One of the GRAPHCAP_ELEMENT_ numbers.
    pub element: gc_element,
    /// 0 or GRAPHCAP_MEMORY_SCRATCH.
    pub flags: u32,
}

/// A node before or after it runs. A later version may have more members at its end.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_step {
    /// sizeof(gc_step) of the library.
    pub struct_size: u32,
    /// 0 before the node runs, 1 after it.
    pub has_run: u32,
    /// The node; 0 where all nodes run together.
    pub node: gc_node,
    /// Its number in the order in which the nodes run, from 0.
    pub index: u64,
    /// Number of steps.
    pub count: u64,
    /// After it: number of bytes looked at, of those that it writes. 0 without GRAPHCAP_STEP_SUMMARIZE, as the next members.
    pub bytes: u64,
    /// Hash of these bytes.
    pub hash: u64,
    /// Number of floats in them; memory of no told kind counts as floats of single precision.
    pub floats: u64,
    /// Number of floats that are not numbers.
    pub nans: u64,
    /// Number of floats that are infinite.
    pub infinities: u64,
    /// The least finite float; infinite if there is none.
    pub least: f64,
    /// The greatest finite float; negative and infinite if there is none.
    pub greatest: f64,
    /// The mean of the finite floats, or 0.
    pub mean: f64,
}

/// A function that gc_graph_step() calls before and after each node, on the thread that called it. All earlier nodes are complete, and it
/// may read what they wrote. Otherwise as gc_verify_progress_fn.
///
/// @return 0 to go on; any other number to end the call, which then reports what was found by then
pub type gc_step_fn = Option<unsafe extern "C-unwind" fn(step: *const gc_step, user_data: *mut c_void) -> i32>;

/// A function that gc_graph_step() calls once in the end with its report in words, as gc_verify_text_fn.
pub type gc_step_text_fn = Option<unsafe extern "C-unwind" fn(text: *const c_char, user_data: *mut c_void)>;

/// Options of gc_graph_step(). Start from GRAPHCAP_STEP_OPTIONS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_step_options {
    /// sizeof(gc_step_options).
    pub struct_size: u32,
    /// 0 or GRAPHCAP_STEP_ flags.
    pub flags: u32,
    /// 0 or GRAPHCAP_PERMIT_ flags.
    pub permits: u32,
    /// Number of pieces of memory at `memory`.
    pub memory_count: u32,
    /// The node from which on nodes are told and looked at; 0 for the first one.
    pub first: gc_node,
    /// The last node that runs; 0 for that of the graph.
    pub last: gc_node,
    /// Bytes of device memory that may be used for what the graph writes; 0 for 1 GiB.
    pub max_bytes: u64,
    /// Called before and after each node; may be NULL.
    pub each: gc_step_fn,
    /// Called with the report in words; may be NULL.
    pub text: gc_step_text_fn,
    /// Passed to each and text; may be NULL.
    pub user_data: *mut c_void,
    /// Memory whose kind is told: floats that are not finite are findings there alone. May be NULL.
    pub memory: *const gc_typed_memory,
    /// Hashes that the nodes should leave, from the first node on, as gc_step::hash told them in another run; may be NULL.
    pub hashes: *const u64,
    /// Number of hashes.
    pub hash_count: u64,
    /// As gc_optimize_options::statements.
    pub statements: *const gc_kernel_statement,
    /// Number of statements.
    pub statement_count: u64,
}
// SAFETY: repr(C), starts with its size, and all its members may be zero.
unsafe impl Versioned for gc_step_options {}

/// Report of gc_graph_step(). Start from GRAPHCAP_STEP_REPORT_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_step_report {
    /// sizeof(gc_step_report). Set it before the call.
    pub struct_size: u32,
    /// 1 if the function of the options ended the call, else 0.
    pub stopped: u32,
    /// Number of nodes of the graph.
    pub node_count: u64,
    /// Number of nodes that ran, from gc_step_options::first on.
    pub run_count: u64,
    /// Number of nodes that ran together, as the graph cannot be copied; else 0.
    pub together_count: u64,
    /// Number of findings; up to 256 are written.
    pub finding_count: u64,
    /// Number of bytes saved before and restored after.
    pub bytes_saved: u64,
    /// Number of bytes that nodes write or that should be watched, for which there was no room.
    pub bytes_unwatched: u64,
    /// Time that the nodes took, with the looks at memory, and without the functions of the options.
    pub time_ns: u64,
}
// SAFETY: repr(C), starts with its size, and holds integers.
unsafe impl Versioned for gc_step_report {}

/// Replays a graph node by node, each on its own behind those that it waits for, and waits for each. docs/stepping.md shows how to find a
/// wrong node so.
///
/// Memory is used as by gc_graph_verify(). What the nodes write is saved before and restored after, also when a node fails, as far as
/// gc_step_options::max_bytes allows. What a kernel writes is known by what is stated of it; a kernel of which nothing is stated counts as
/// writing all memory that its arguments point to. A graph that cannot be copied runs as one step.
///
/// @param[in]     graph         the graph
/// @param[in]     options       NULL for the defaults
/// @param[out]    findings_out  where to write the findings, in the order in which the nodes ran; may be NULL when capacity is 0
/// @param[in]     capacity      how many findings fit; more are left out
/// @param[in,out] report_out    in: struct_size; out: what was done
/// @retval GRAPHCAP_SUCCESS              the nodes ran, whatever was found
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  a flag, a kind or a node is unknown, a struct_size is not valid, the edges of the graph form a
///                                       cycle, or memory that nodes write is gone
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  a node does what the options do not permit; the message names it
/// @return the status by which a node failed: the message names the node, and its arguments as bytes of buffers
#[no_mangle]
pub unsafe extern "C" fn gc_graph_step(
    graph: *const gc_graph,
    options: *const gc_step_options,
    findings_out: *mut gc_finding,
    capacity: usize,
    report_out: *mut gc_step_report,
) -> gc_status {
    let mut found = 0;
    // SAFETY: C promises `capacity` writable elements; `found` is writable.
    let findings_out = unsafe { ArrayOut::new([(findings_out, "findings_out")], capacity, &mut found) };
    // SAFETY: C promises that `report_out` is NULL, or has as many writable bytes as its struct_size states.
    let report_out = unsafe { StructOut::new(report_out, "report_out") };
    guard("gc_graph_step", [Token::of(graph)], || {
        // Not pinned: the call takes long, and its functions may destroy what they like.
        let graph = handle::clone(graph, "graph")?;
        let report_out = report_out.required()?;
        findings_out.check()?;
        // SAFETY: C promises that `options` is NULL or points to as many bytes as its struct_size states.
        let given = unsafe { options::read_or_default(options, "options") }?;
        // SAFETY: C promises that what the options point to is readable, and that texts end with a NUL.
        let options = unsafe { read(&given) }?;
        let report = step(&graph, &options, &mut |step| {
            let told = of_step(step);
            // SAFETY: C promises that `each` may be called with `user_data` until this call returns.
            given.each.is_none_or(|each| call_out(|| unsafe { each(&raw const told, given.user_data) }) == Some(0))
        })?;
        // SAFETY: C promises that `text` may be called with `user_data` until this call returns.
        unsafe { tell(given.text, given.user_data, || report.text()) };
        findings_out.write(report.findings.iter().take(capacity).map(|finding| [of_finding(finding)]))?;
        report_out.write(of_report(&report));
        Ok(())
    })
}

/// # Safety
/// Memory that the options point to is readable, and texts end with a NUL.
unsafe fn read(options: &gc_step_options) -> Result<StepOptions> {
    let known = GRAPHCAP_STEP_SUMMARIZE | GRAPHCAP_STEP_WATCH_ALL | GRAPHCAP_STEP_SKIP | GRAPHCAP_STEP_KEEP;
    check_flags(options.flags, known, "options.flags", "0 or GRAPHCAP_STEP_ flags")?;
    // SAFETY: passed on to the caller.
    let memory = unsafe { options::elements(options.memory, options.memory_count as usize, "options.memory") }?;
    let count = options.hash_count;
    let count =
        usize::try_from(count).map_err(|_| Failure::NoArray { argument: "options.hashes", count: usize::MAX })?;
    // SAFETY: passed on to the caller.
    let hashes = unsafe { options::elements(options.hashes, count, "options.hashes") }?;
    let node = |node: gc_node| (node != 0).then_some(NodeId(node));
    Ok(StepOptions {
        summarizes: options.flags & GRAPHCAP_STEP_SUMMARIZE != 0,
        watches_all: options.flags & GRAPHCAP_STEP_WATCH_ALL != 0,
        skips: options.flags & GRAPHCAP_STEP_SKIP != 0,
        keeps: options.flags & GRAPHCAP_STEP_KEEP != 0,
        first: node(options.first),
        last: node(options.last),
        // SAFETY: passed on to the caller.
        statements: unsafe { statements(options.statements, options.statement_count, "options.statements") }?,
        permits: permits(options.permits)?,
        bytes: options.max_bytes,
        memory: memory.unwrap_or_default().iter().map(typed).collect::<Result<_>>()?,
        expected: hashes.unwrap_or_default().to_vec(),
    })
}

fn typed(memory: &gc_typed_memory) -> Result<TypedMemory> {
    let &gc_typed_memory { address, bytes, element, flags } = memory;
    check_flags(flags, GRAPHCAP_MEMORY_SCRATCH, "options.memory.flags", "0 or GRAPHCAP_MEMORY_SCRATCH")?;
    match ElementKind::of_number(element.into()) {
        Some(kind) => Ok(TypedMemory { address, bytes, kind, is_scratch: flags != 0 }),
        None => Err(Failure::from(Error::invalid_value(format!(
            "options.memory has element {element}; pass one of the GRAPHCAP_ELEMENT_ numbers, 0 to 4"
        )))),
    }
}

fn of_step(step: &Step) -> gc_step {
    let left = step.left.unwrap_or_default();
    let finite = left.floats.saturating_sub(left.summary.nans + left.summary.infinities);
    gc_step {
        struct_size: size_of::<gc_step>() as u32,
        has_run: u32::from(step.left.is_some()),
        node: step.node.0,
        index: step.index as u64,
        count: step.count as u64,
        bytes: left.bytes,
        hash: left.hash,
        floats: left.floats,
        nans: left.summary.nans,
        infinities: left.summary.infinities,
        least: left.summary.least,
        greatest: left.summary.greatest,
        mean: if finite == 0 { 0.0 } else { left.summary.sum / finite as f64 },
    }
}

fn of_finding(finding: &StepFinding) -> gc_finding {
    let severity = finding.flaw.severity() as gc_severity;
    let of = |kind, address, bytes| gc_finding {
        kind,
        severity,
        node: finding.node.0,
        address,
        bytes,
        ..gc_finding::default()
    };
    match finding.flaw {
        StepFlaw::NotFinite { address, bytes, count, .. } => gc_finding {
            value: u32::try_from(count).unwrap_or(u32::MAX),
            ..of(GRAPHCAP_FINDING_NOT_FINITE, address, bytes)
        },
        StepFlaw::Undeclared { address, bytes } => of(GRAPHCAP_FINDING_UNDECLARED, address, bytes),
        StepFlaw::Differs { address, bytes } => of(GRAPHCAP_FINDING_DIFFERS, address, bytes),
        StepFlaw::Unwritten { address, bytes } => of(GRAPHCAP_FINDING_UNWRITTEN, address, bytes),
        StepFlaw::NotWatched => of(GRAPHCAP_FINDING_NOT_WATCHED, 0, 0),
    }
}

fn of_report(report: &StepReport) -> gc_step_report {
    gc_step_report {
        struct_size: size_of::<gc_step_report>() as u32,
        stopped: u32::from(report.is_stopped),
        node_count: report.nodes as u64,
        run_count: report.run as u64,
        together_count: report.together as u64,
        finding_count: report.finding_count,
        bytes_saved: report.bytes_saved,
        bytes_unwatched: report.bytes_unwatched,
        time_ns: u64::try_from(report.time.as_nanos()).unwrap_or(u64::MAX),
    }
}
