//! Conditions that nothing sets.

use std::collections::HashSet;

use super::report::{Flaw, GraphFinding};
use crate::optimize::{Recorded, Works};
use graphcap_base::error::Result;
use graphcap_core::{Graph, NodeParams, OwnedArguments};
use graphcap_driver::{ConditionId, ConditionalKind, NodeId, NodeKind, ADDRESS_BYTES};

/// Conditional nodes of the graph whose condition no node sets, as far as that is known.
pub(super) fn find(graph: &Graph, recorded: &Recorded, works: &Works) -> Result<Vec<GraphFinding>> {
    let mut conditionals: Vec<(NodeId, ConditionId, ConditionalKind)> = Vec::new();
    for &node in &recorded.nodes {
        if let Some(NodeParams::Conditional(of)) = works.get(node) {
            conditionals.push((node, of.condition, of.kind));
        }
    }
    // A graph within a node has conditions that nodes around it may set.
    if conditionals.is_empty() || graph.is_of_node() {
        return Ok(Vec::new());
    }
    let Some(words) = words(graph)? else { return Ok(Vec::new()) };
    let mut findings = Vec::new();
    for (node, condition, kind) in conditionals {
        let Some(default) = graph.condition_default(condition)? else { continue };
        if !words.contains(&condition.0) {
            findings.push(GraphFinding {
                node,
                flaw: Flaw::ConditionUnset { default, is_loop: kind == ConditionalKind::While },
            });
        }
    }
    Ok(findings)
}

/// The words in the arguments of all kernels, of the graph and of those within its nodes; `None` where a node may set a condition without
/// showing it.
fn words(graph: &Graph) -> Result<Option<HashSet<u64>>> {
    let mut words = HashSet::new();
    // Not by calls of themselves, since graphs can be within each other to any depth.
    let mut unread = vec![graph.clone()];
    while let Some(graph) = unread.pop() {
        for (node, params) in graph.all_node_params()? {
            let arguments = match params {
                NodeParams::Kernel(launch) => launch.arguments,
                // The function finds the condition where its data lead.
                NodeParams::Host(_) => return Ok(None),
                params => {
                    if matches!(params.kind(), NodeKind::Child | NodeKind::Conditional) {
                        unread.extend(graph.node_graphs(node)?);
                    }
                    continue;
                }
            };
            match &arguments {
                OwnedArguments::Separate(arguments) => arguments.iter().for_each(|bytes| add_words(bytes, &mut words)),
                OwnedArguments::Packed(block) => add_words(block, &mut words),
                OwnedArguments::Unknown => return Ok(None),
            }
        }
    }
    Ok(Some(words))
}

fn add_words(bytes: &[u8], words: &mut HashSet<u64>) {
    words.extend(bytes.as_chunks::<ADDRESS_BYTES>().0.iter().map(|word| u64::from_ne_bytes(*word)));
}
