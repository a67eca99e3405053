//! Checks of graphs and graph execs without running them.

use std::ffi::c_char;

use super::exec_check::{gc_address_place, numbers_of};
use super::graph::gc_node;
use crate::ffi::boundary::{
    gc_graph, gc_graph_exec, gc_status, handle, optimising_guard as guard, ArrayOut, Failure, Result, TextOut, Token,
};
use graphcap_base::error::Error;
use graphcap_core::AddressPlace;
use graphcap_kit::{
    check, check_exec, check_text, exec_findings_json, exec_findings_text, findings_json, Flaw, GraphFinding, Severity,
};

/// Weight of a finding: one of the GRAPHCAP_SEVERITY_ numbers. A higher one weighs more.
pub type gc_severity = i32;
/// gc_severity: it is right in many programs.
pub const GRAPHCAP_SEVERITY_NOTE: gc_severity = 1;
/// gc_severity: it is wrong unless the program knows more than the graph.
pub const GRAPHCAP_SEVERITY_WARNING: gc_severity = 2;
/// gc_severity: a replay does wrong.
pub const GRAPHCAP_SEVERITY_ERROR: gc_severity = 3;

/// Kind of a finding: one of the GRAPHCAP_FINDING_ numbers.
pub type gc_finding_kind = i32;
/// The memory at `address`, or its block, was freed since a capture with GRAPHCAP_CAPTURE_NOTE_MEMORY, and nothing lies there now. An
/// error.
pub const GRAPHCAP_FINDING_MEMORY_GONE: gc_finding_kind = 1;
/// The memory at `address`, or its block, was freed since a capture with GRAPHCAP_CAPTURE_NOTE_MEMORY, and other memory lies there now.
/// An error.
pub const GRAPHCAP_FINDING_MEMORY_EXCHANGED: gc_finding_kind = 2;
/// A copy, memset or value operation begins in memory and ends `beyond` bytes behind its end. An error.
pub const GRAPHCAP_FINDING_OVERRUN: gc_finding_kind = 3;
/// No path orders `node` and `other`, and both touch `bytes` bytes at `address`, which one of them writes. An error between copies
/// and memsets; a warning where one is a kernel, by what is stated of it; a note in a graph with a node that waits for an event or a
/// value, which may order the two.
pub const GRAPHCAP_FINDING_UNORDERED: gc_finding_kind = 4;
/// No path orders `node` and `other`, and both use the workspace of one stream's products. A warning.
pub const GRAPHCAP_FINDING_SHARED_WORKSPACE: gc_finding_kind = 5;
/// A copy from or to memory of the CPU's that no graph keeps. A note.
pub const GRAPHCAP_FINDING_HOST_MEMORY: gc_finding_kind = 6;
/// No node sets the condition of the node, as far as arguments show it: it is `value` in every replay. A warning.
pub const GRAPHCAP_FINDING_CONDITION_UNSET: gc_finding_kind = 7;
/// No node frees the memory that the node allocates. A note.
pub const GRAPHCAP_FINDING_NOT_FREED: gc_finding_kind = 8;
/// No path orders `node` and `other`, and both record one event. A note.
pub const GRAPHCAP_FINDING_EVENT_REUSED: gc_finding_kind = 9;
/// A copy brings `bytes` bytes of the CPU's to rows from `address` on, and no node reads one of them, though nodes of the graph free them
/// or write them again. Only where it is known what each node reads, and not of managed or wrapped memory that is written again. A note.
pub const GRAPHCAP_FINDING_UNREAD: gc_finding_kind = 10;
/// `node` reads `bytes` bytes at `address` that graphs of a pool with GRAPHCAP_POOL_SHARED share, and no earlier node of the graph writes
/// them: a launch of another graph of the pool overwrites them. A warning.
pub const GRAPHCAP_FINDING_OVERWRITTEN: gc_finding_kind = 11;

/// A finding of gc_graph_check() or gc_graph_exec_check_findings(). It has no struct_size and keeps its 64 bytes. Members that a kind does not
/// name are 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct gc_finding {
    /// One of the GRAPHCAP_FINDING_ numbers.
    pub kind: gc_finding_kind,
    /// One of the GRAPHCAP_SEVERITY_ numbers.
    pub severity: gc_severity,
    /// The node.
    pub node: gc_node,
    /// GRAPHCAP_FINDING_UNORDERED, GRAPHCAP_FINDING_SHARED_WORKSPACE, GRAPHCAP_FINDING_EVENT_REUSED: the other node.
    pub other: gc_node,
    /// The first byte; gc_context_find_buffer() tells the buffer.
    pub address: u64,
    /// Bytes from `address` on; of memory that is gone, those of its allocation, or of its block; of an input that
    /// nobody reads, those of all its rows.
    pub bytes: u64,
    /// GRAPHCAP_FINDING_OVERRUN: how many of these bytes lie behind the end of the memory.
    pub beyond: u64,
    /// The part of the node that has the address: one of the GRAPHCAP_ADDRESS_ numbers.
    pub place: gc_address_place,
    /// Of an argument: which one, counted from 0. Of a value operation: which one of the node.
    pub index: u32,
    /// Offset in that argument at which the 8 bytes of the address start.
    pub offset: u32,
    /// GRAPHCAP_FINDING_CONDITION_UNSET: the value of the condition.
    pub value: u32,
}

impl From<&GraphFinding> for gc_finding {
    fn from(finding: &GraphFinding) -> gc_finding {
        let severity = finding.severity() as gc_severity;
        let of = |kind| gc_finding { kind, severity, node: finding.node.0, ..gc_finding::default() };
        match &finding.flaw {
            Flaw::Gone(gone) => {
                let kind = match gone.is_exchanged {
                    true => GRAPHCAP_FINDING_MEMORY_EXCHANGED,
                    false => GRAPHCAP_FINDING_MEMORY_GONE,
                };
                of(kind).at(gone.place, gone.address, gone.allocation.bytes)
            }
            Flaw::Overrun { place, address, bytes, beyond } => {
                gc_finding { beyond: *beyond, ..of(GRAPHCAP_FINDING_OVERRUN).at(*place, *address, *bytes) }
            }
            Flaw::Unordered { other, bytes, .. } => gc_finding {
                other: other.0,
                address: bytes.start,
                bytes: bytes.end - bytes.start,
                ..of(GRAPHCAP_FINDING_UNORDERED)
            },
            Flaw::SharedWorkspace { other, bytes } => gc_finding {
                other: other.0,
                address: bytes.start,
                bytes: bytes.end - bytes.start,
                ..of(GRAPHCAP_FINDING_SHARED_WORKSPACE)
            },
            Flaw::EventReused { other } => gc_finding { other: other.0, ..of(GRAPHCAP_FINDING_EVENT_REUSED) },
            Flaw::PlainHostMemory { place, address, bytes } => {
                of(GRAPHCAP_FINDING_HOST_MEMORY).at(*place, *address, *bytes)
            }
            Flaw::ConditionUnset { default, .. } => {
                gc_finding { value: *default, ..of(GRAPHCAP_FINDING_CONDITION_UNSET) }
            }
            Flaw::Unread { address, bytes } => {
                gc_finding { address: *address, bytes: *bytes, ..of(GRAPHCAP_FINDING_UNREAD) }
            }
            Flaw::Overwritten { address, bytes } => {
                gc_finding { address: *address, bytes: *bytes, ..of(GRAPHCAP_FINDING_OVERWRITTEN) }
            }
            Flaw::NotFreed { address, bytes } => {
                gc_finding { address: *address, bytes: *bytes as u64, ..of(GRAPHCAP_FINDING_NOT_FREED) }
            }
        }
    }
}

impl gc_finding {
    fn at(self, place: AddressPlace, address: u64, bytes: usize) -> gc_finding {
        let (place, index, offset) = numbers_of(place);
        gc_finding { place, index: index as u32, offset: offset as u32, address, bytes: bytes as u64, ..self }
    }
}

/// Lists what is wrong with a graph, or may be, without running or changing it; docs/checking.md explains each finding.
///
/// The findings come node by node, each node behind those that it waits for. What is not known gives no finding. The graphs of child
/// nodes and conditional nodes are asked on their own.
///
/// @param[in]  graph         the graph
/// @param[in]  least         the GRAPHCAP_SEVERITY_ number from which on findings are listed
/// @param[out] findings_out  where to write the findings; may be NULL when capacity is 0
/// @param[in]  capacity      how many findings fit; 0 asks only for their number
/// @param[out] needed        the number of findings; may be NULL when capacity is not 0
/// @retval GRAPHCAP_SUCCESS              the graph was checked, whatever was found
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  the edges of the graph form a cycle
#[no_mangle]
pub unsafe extern "C" fn gc_graph_check(
    graph: *const gc_graph,
    least: gc_severity,
    findings_out: *mut gc_finding,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises `capacity` writable elements, and that `needed` is NULL or writable.
    let out = unsafe { ArrayOut::new([(findings_out, "findings_out")], capacity, needed) };
    guard("gc_graph_check", [Token::of(graph)], || {
        let graph = handle::clone(graph, "graph")?;
        let least = severity(least)?;
        out.check()?;
        out.write(check(&graph, least)?.iter().map(|finding| [gc_finding::from(finding)]))
    })
}

/// Writes the findings of gc_graph_check() as text for people: a line for each with its severity, the node, what is wrong, and what to
/// do. The text is empty where nothing was found.
///
/// @param[in]  graph     the graph
/// @param[in]  least     as gc_graph_check() takes it
/// @param[out] text      where to write; the text ends with a NUL. May be NULL when capacity is 0
/// @param[in]  capacity  bytes at text; 0 asks only for the size
/// @param[out] needed    the size of the whole text in bytes with its NUL; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  as gc_graph_check() has it
#[no_mangle]
pub unsafe extern "C" fn gc_graph_check_text(
    graph: *const gc_graph,
    least: gc_severity,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `text` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let out = unsafe { TextOut::new(text, capacity, needed) };
    guard("gc_graph_check_text", [Token::of(graph)], || {
        let graph = handle::clone(graph, "graph")?;
        out.write(&check_text(&graph, &check(&graph, severity(least)?)?)?)
    })
}

/// Writes the findings of gc_graph_check() as JSON, as `graphcap check --json` does. docs/findings.schema.json describes it. Nodes are
/// places in the list of gc_graph_get_nodes(), as in the text of gc_graph_export_json().
///
/// @param[in]  graph     the graph
/// @param[in]  least     as gc_graph_check() takes it
/// @param[out] text      where to write; the text ends with a NUL. May be NULL when capacity is 0
/// @param[in]  capacity  bytes at text; 0 asks only for the size
/// @param[out] needed    the size of the whole text in bytes with its NUL; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  as gc_graph_check() has it
#[no_mangle]
pub unsafe extern "C" fn gc_graph_check_json(
    graph: *const gc_graph,
    least: gc_severity,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `text` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let out = unsafe { TextOut::new(text, capacity, needed) };
    guard("gc_graph_check_json", [Token::of(graph)], || {
        let graph = handle::clone(graph, "graph")?;
        out.write(&findings_json(&graph, &check(&graph, severity(least)?)?)?)
    })
}

/// Lists the memory that is gone and that nodes of a graph exec name, as gc_graph_check() lists it of a graph. gc_graph_exec_check() tells
/// what is known of it. Nodes are those of gc_graph_exec_check_info::node.
///
/// @param[in]  exec          the graph exec
/// @param[in]  least         as gc_graph_check() takes it
/// @param[out] findings_out  where to write the findings; may be NULL when capacity is 0
/// @param[in]  capacity      how many findings fit; 0 asks only for their number
/// @param[out] needed        the number of findings; may be NULL when capacity is not 0
/// @retval GRAPHCAP_SUCCESS  the exec was checked, whatever was found
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_check_findings(
    exec: *const gc_graph_exec,
    least: gc_severity,
    findings_out: *mut gc_finding,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises `capacity` writable elements, and that `needed` is NULL or writable.
    let out = unsafe { ArrayOut::new([(findings_out, "findings_out")], capacity, needed) };
    guard("gc_graph_exec_check_findings", [Token::of(exec)], || {
        let exec = handle::clone(exec, "exec")?;
        let least = severity(least)?;
        out.check()?;
        out.write(check_exec(&exec, least)?.iter().map(|finding| [gc_finding::from(finding)]))
    })
}

/// Writes the findings of gc_graph_exec_check_findings() as text for people, as gc_graph_check_text() does.
///
/// @param[in]  exec      the graph exec
/// @param[in]  least     as gc_graph_check() takes it
/// @param[out] text      where to write; the text ends with a NUL. May be NULL when capacity is 0
/// @param[in]  capacity  bytes at text; 0 asks only for the size
/// @param[out] needed    the size of the whole text in bytes with its NUL; may be NULL
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_check_text(
    exec: *const gc_graph_exec,
    least: gc_severity,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `text` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let out = unsafe { TextOut::new(text, capacity, needed) };
    guard("gc_graph_exec_check_text", [Token::of(exec)], || {
        let exec = handle::clone(exec, "exec")?;
        out.write(&exec_findings_text(&exec, &check_exec(&exec, severity(least)?)?)?)
    })
}

/// Writes the findings of gc_graph_exec_check_findings() as JSON, as gc_graph_check_json() does, with ids of nodes instead of their places.
///
/// @param[in]  exec      the graph exec
/// @param[in]  least     as gc_graph_check() takes it
/// @param[out] text      where to write; the text ends with a NUL. May be NULL when capacity is 0
/// @param[in]  capacity  bytes at text; 0 asks only for the size
/// @param[out] needed    the size of the whole text in bytes with its NUL; may be NULL
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_check_json(
    exec: *const gc_graph_exec,
    least: gc_severity,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `text` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let out = unsafe { TextOut::new(text, capacity, needed) };
    guard("gc_graph_exec_check_json", [Token::of(exec)], || {
        let exec = handle::clone(exec, "exec")?;
        out.write(&exec_findings_json(&exec, &check_exec(&exec, severity(least)?)?)?)
    })
}

fn severity(number: gc_severity) -> Result<Severity> {
    match number {
        GRAPHCAP_SEVERITY_NOTE => Ok(Severity::Note),
        GRAPHCAP_SEVERITY_WARNING => Ok(Severity::Warning),
        GRAPHCAP_SEVERITY_ERROR => Ok(Severity::Error),
        _ => Err(Failure::from(Error::invalid_value(format!(
            "least is {number}, which is no severity; pass one of the GRAPHCAP_SEVERITY_ numbers, 1 to 3"
        )))),
    }
}
