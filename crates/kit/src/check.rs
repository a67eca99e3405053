//! Faults that the nodes of a graph show as they stand: nothing runs.
//!
//! Memory that is gone is known of addresses that a capture noted. Nodes that no path orders are compared by the bytes that copies and
//! memsets touch, and by what is stated of kernels. What is not known gives no finding.

mod allocations;
mod conditions;
mod exec;
mod json;
mod knowledge;
mod memory;
mod overwritten;
mod report;
mod unread;
mod workspaces;

pub use self::exec::{check_exec, exec_findings_json, exec_findings_text};
pub use self::json::{check_text, findings_json, findings_text};
pub use self::report::{Flaw, GraphFinding, Severity};

use self::knowledge::{knowledge, Knowledge};
use super::optimize::{accesses_of, works_of, Accesses, Promises, Recorded, SharedWorkspace, Works};
use graphcap_base::error::Result;
use graphcap_core::{checks_are_asked_for, Graph, NodeParams, StandIn, StatedMemory};
use graphcap_driver::rules::order::{conflict, Ordered, Touch};
use graphcap_driver::rules::unordered::unordered;
use graphcap_driver::{check_caller, Address, NodeKind, NodeMap, ReadKernels, ValueAction, ValueOperation};
use graphcap_observe::log::{log, Level, Subject};

/// Lists what is wrong with the nodes of a graph, or may be, of at least a severity: node by node in an order in which each node is behind
/// those that it waits for. The graphs within nodes are asked on their own.
///
/// # Examples
/// Two memsets of the same bytes that no edge orders:
///
/// ```
/// use graphcap::core::{Buffer, Context, Fill, Graph, NodeWork};
/// use graphcap::driver::{DeviceChoice, DeviceKind};
/// use graphcap::kit::{check, Severity};
///
/// let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0)?;
/// let buffer = Buffer::allocate(&context, 64)?;
/// let graph = Graph::create(&context)?;
/// for value in [1, 2] {
///     let fill = Fill { buffer: &buffer, offset: 0, value, element_size: 4, width: 16, height: 1, pitch: 0 };
///     graph.add_node(&[], &NodeWork::Memset(fill))?;
/// }
/// let findings = check(&graph, Severity::Warning)?;
/// assert_eq!(findings.len(), 1);
/// assert_eq!(findings[0].severity(), Severity::Error);
/// # Ok::<(), graphcap::Error>(())
/// ```
///
/// # Errors
/// `INVALID_VALUE` when the edges form a cycle; `NOT_PERMITTED` inside host functions; `OUT_OF_MEMORY`; the status of a context that
/// faulted.
pub fn check(graph: &Graph, least: Severity) -> Result<Vec<GraphFinding>> {
    check_stated(graph, &[], least)
}

/// Logs what is wrong with a graph of which an exec was made, or may be, where `GRAPHCAP_CHECK` asks for it: a warning for each finding.
pub fn log_findings(graph: &Graph) {
    if !checks_are_asked_for() {
        return;
    }
    let tell = |text: Result<String>| {
        log(Level::Warning, Subject::Exec, || {
            format!("GRAPHCAP_CHECK=1: {}", text.unwrap_or_else(|error| format!("the check failed: {error}")))
        });
    };
    match check(graph, Severity::Warning) {
        Ok(findings) => findings.iter().for_each(|finding| tell(finding.text(graph))),
        Err(error) => tell(Err(error)),
    }
}

/// Lists what is wrong with the nodes of a saved graph, or may be, as [`check`] does of others.
///
/// # Errors
/// As [`check`].
pub fn check_saved(saved: &StandIn, least: Severity) -> Result<Vec<GraphFinding>> {
    check_stated(&saved.graph, &saved.memory, least)
}

fn check_stated(graph: &Graph, stated: &[StatedMemory], least: Severity) -> Result<Vec<GraphFinding>> {
    check_caller()?;
    let _reading = graph.reading()?;
    let (lists_notes, is_of_shared_pool) = (least <= Severity::Note, overwritten::may_be(graph));
    let reads_all = lists_notes || is_of_shared_pool;
    let recorded = Recorded::without_kinds(graph)?;
    let is_chain = recorded.is_chain();
    let kernels = match reads_all || !is_chain {
        // A text tells of workspaces, which kernels are given by their arguments. Of launches of others nothing is stated.
        true if !stated.is_empty() || graph.has_stated_launches()? => ReadKernels::All,
        true => ReadKernels::Own,
        // In a chain no two nodes race, and what its kernels do does not matter.
        false => ReadKernels::None,
    };
    let works = works_of(graph, kernels)?;
    let mut recorded = recorded.with_kinds(&works);
    let mut findings: Vec<GraphFinding> = graph.gone_addresses()?.into_iter().map(GraphFinding::gone).collect();
    let allocated = allocations::find(&recorded, &works);
    findings.extend(memory::find(graph, stated, &recorded, &works, &allocated)?);
    findings.extend(conditions::find(graph, &recorded, &works)?);
    if reads_all || !is_chain {
        // What a kernel may do beside what is stated gives no finding, and who else looks at memory meanwhile does not matter.
        let promises = Promises { unobserved: true, unexplained: true, ..Promises::default() };
        let mut accesses = accesses_of(graph, &recorded, &works, promises)?;
        let mut writes = accesses.ordered.iter().flat_map(|one| &one.touches).filter(|touch| touch.writes);
        let pairs = match is_chain || writes.next().is_none() {
            true => Vec::new(),
            false => {
                accesses.exchange_waits(&mut recorded);
                let pairs = unordered(&accesses.ordered);
                accesses.exchange_waits(&mut recorded);
                pairs
            }
        };
        findings.extend(races(graph, &recorded, &works, &accesses, &pairs)?);
        if is_of_shared_pool {
            findings.extend(overwritten::find(graph, &recorded, &accesses));
        }
        if lists_notes {
            findings.extend(unread::find(graph, &recorded, &works, &accesses, &allocated, &pairs));
            findings.extend(reused_events(&recorded, &works));
        }
    }
    workspaces::find(stated, &recorded, &works, &mut findings);
    if !findings.is_empty() {
        let places: NodeMap<usize> = recorded.nodes.iter().copied().zip(0..).collect();
        findings.retain(|finding| finding.severity() >= least && places.contains_key(&finding.node));
        findings.sort_by_key(|finding| places.get(&finding.node).copied());
    }
    Ok(findings)
}

/// The nodes that no path orders and that touch the same bytes: those of `pairs`.
fn races(
    graph: &Graph,
    recorded: &Recorded,
    works: &Works,
    accesses: &Accesses,
    pairs: &[(u32, u32)],
) -> Result<Vec<GraphFinding>> {
    let Accesses { ordered, workspaces, .. } = accesses;
    let may_wait = !pairs.is_empty() && may_wait(graph)?;
    let mut findings = Vec::new();
    for &(earlier, later) in pairs {
        let (earlier, later) = (earlier as usize, later as usize);
        let (Some(first), Some(second)) = (ordered.get(earlier), ordered.get(later)) else { continue };
        let (Some(&other), Some(&node)) = (recorded.nodes.get(earlier), recorded.nodes.get(later)) else { continue };
        // A workspace lies where it lies: what else the two share says more.
        let found = conflict(&without(workspaces, first), &without(workspaces, second));
        let Some(bytes) = found else {
            let shared = conflict(first, second);
            findings.extend(shared.map(|bytes| GraphFinding { node, flaw: Flaw::SharedWorkspace { other, bytes } }));
            continue;
        };
        let knowledge = knowledge(works, other).max(knowledge(works, node));
        let is_stated = match knowledge {
            Knowledge::EachByte => false,
            Knowledge::Stated if is_of_one_buffer(graph, bytes.start) => true,
            Knowledge::Stated | Knowledge::Rounded => continue,
        };
        findings.push(GraphFinding { node, flaw: Flaw::Unordered { other, bytes, is_stated, may_wait } });
    }
    Ok(findings)
}

/// Nodes that no path orders and that record one event.
fn reused_events(recorded: &Recorded, works: &Works) -> Vec<GraphFinding> {
    if works.values().filter(|work| matches!(work, NodeParams::EventRecord(_))).nth(1).is_none() {
        return Vec::new();
    }
    let ordered = recorded.nodes.iter().zip(&recorded.after).map(|(node, after)| {
        let event = match works.get(*node) {
            Some(NodeParams::EventRecord(event)) => Some(event.0),
            _ => None,
        };
        // An event takes the place of a byte.
        let touches = event.map(|event| Touch { start: event, end: event + 1, writes: true });
        Ordered { after: after.clone(), touches: touches.into_iter().collect(), ..Ordered::default() }
    });
    let pairs = unordered(&ordered.collect::<Vec<_>>()).into_iter();
    let found = pairs.filter_map(|(earlier, later)| {
        let (other, node) = (*recorded.nodes.get(earlier as usize)?, *recorded.nodes.get(later as usize)?);
        Some(GraphFinding { node, flaw: Flaw::EventReused { other } })
    });
    found.collect()
}

/// Returns whether one buffer alone holds the byte at an address. A kernel that was given an address counts as touching all memory that the
/// address may be meant to be of.
fn is_of_one_buffer(graph: &Graph, address: Address) -> bool {
    let found = graph.context().find_buffers(address);
    found.iter().filter(|found| found.offset < found.memory.size()).count() == 1
}

/// A node without what it touches of workspaces.
fn without(workspaces: &[SharedWorkspace], node: &Ordered) -> Ordered {
    let is_of = |start: Address| {
        workspaces.iter().any(|shared| (shared.address..shared.address + shared.bytes as u64).contains(&start))
    };
    let touches = node.touches.iter().filter(|touch| !is_of(touch.start)).copied();
    Ordered { touches: touches.collect(), ..Ordered::default() }
}

/// Returns whether a node of the graph, or of a graph within it, may wait for what another branch does without an edge that says so.
fn may_wait(graph: &Graph) -> Result<bool> {
    // Not by calls of itself, since graphs can be within each other to any depth.
    let mut unread = vec![graph.clone()];
    while let Some(graph) = unread.pop() {
        for node in graph.nodes()?.nodes {
            match graph.node_kind(node)? {
                NodeKind::EventWait | NodeKind::Other => return Ok(true),
                NodeKind::BatchMemOp => {
                    let waits = |one: &ValueOperation| matches!(one.action, ValueAction::Wait { .. });
                    if matches!(graph.node_params(node)?, NodeParams::Values(all) if all.iter().any(waits)) {
                        return Ok(true);
                    }
                }
                NodeKind::Child | NodeKind::Conditional => unread.extend(graph.node_graphs(node)?),
                _ => {}
            }
        }
    }
    Ok(false)
}
