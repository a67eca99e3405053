//! Faults that the nodes of a graph show as they stand: nothing runs.
//!
//! Memory that is gone is known of addresses that a capture noted. Nodes that no path orders are compared by the bytes that copies and
//! memsets touch, and by what is stated of kernels. What is not known gives no finding.

mod conditions;
mod memory;
mod report;

pub use self::report::{Flaw, GraphFinding, Severity};

use std::collections::HashMap;

use super::optimize::{accesses, Accesses, Promises, Recorded};
use graphcap_base::error::Result;
use graphcap_core::Graph;
use graphcap_driver::rules::order::{conflict, Conflict};
use graphcap_driver::rules::unordered::unordered;
use graphcap_driver::{check_caller, NodeId, NodeKind};

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
    check_caller()?;
    let recorded = Recorded::read(graph)?;
    let places: HashMap<NodeId, usize> = recorded.nodes.iter().copied().zip(0..).collect();
    let gone = graph.gone_addresses()?.into_iter().filter(|gone| places.contains_key(&gone.node));
    let mut findings: Vec<GraphFinding> = gone.map(GraphFinding::gone).collect();
    findings.extend(memory::find(graph, &recorded)?);
    findings.extend(conditions::find(graph, &recorded)?);
    findings.extend(races(graph, &recorded)?);
    findings.retain(|finding| finding.severity() >= least);
    findings.sort_by_key(|finding| places.get(&finding.node).copied());
    Ok(findings)
}

/// The nodes that no path orders and that touch the same bytes.
fn races(graph: &Graph, recorded: &Recorded) -> Result<Vec<GraphFinding>> {
    // What a kernel may do beside what is stated gives no finding, and who else looks at memory meanwhile does not matter.
    let promises = Promises { unobserved: true, ..Promises::default() };
    let Accesses { ordered, workspaces, .. } = accesses(graph, recorded, promises)?;
    // A node may wait for what another branch does without an edge that says so.
    let waits = |kind: &NodeKind| matches!(kind, NodeKind::EventWait | NodeKind::EventRecord | NodeKind::BatchMemOp);
    let may_wait = recorded.kinds.iter().any(waits);
    let is_kernel = |place: u32| recorded.kinds.get(place as usize) == Some(&NodeKind::Kernel);
    let pair = |(earlier, later): (u32, u32)| {
        let bytes = conflict(ordered.get(earlier as usize)?, ordered.get(later as usize)?)?;
        let (other, node) = (*recorded.nodes.get(earlier as usize)?, *recorded.nodes.get(later as usize)?);
        let is_of = |Conflict { start, .. }: Conflict| {
            workspaces.iter().any(|shared| (shared.address..shared.address + shared.bytes as u64).contains(&start))
        };
        let flaw = match is_of(bytes) {
            true => Flaw::SharedWorkspace { other, bytes },
            false => Flaw::Unordered { other, bytes, is_stated: is_kernel(earlier) || is_kernel(later), may_wait },
        };
        Some(GraphFinding { node, flaw })
    };
    Ok(unordered(&ordered).into_iter().filter_map(pair).collect())
}
