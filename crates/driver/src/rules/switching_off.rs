//! Memsets that an exec can switch off without what comes behind them running too early.
//!
//! NVIDIA's driver 580 loses the order of a memset of one row that is disabled where an exec has more than one branch, or where
//! nothing that executes lies between the memset and a conditional node before it: what comes behind the memset begins while what comes
//! before it still runs. Where nothing comes behind it the launch is called complete too early, and the next one may fault.
//! Measured with raw programs on an H100 (580.159), in 10 of 10 and 20 of 20 launches. Kernels, copies, and memsets of several rows
//! keep their place, and so does every memset of a chain.

use super::exec_update::Facts;
use super::outline::{Outline, OutlinedNode};

/// Returns whether the node with an id keeps its place when it is switched off, in an exec of `graph`. False for a node that the graph
/// does not have.
pub fn keeps_its_place(graph: &Outline, id: u64) -> bool {
    find(graph, id).unwrap_or(false)
}

/// `None` where neither the graph nor one within it has the node.
fn find(graph: &Outline, id: u64) -> Option<bool> {
    if let Some(number) = graph.nodes.iter().position(|node| node.id == id) {
        let node = graph.nodes.get(number)?;
        return Some(
            !matches!(node.facts, Facts::Memset(None)) || is_chain(graph) && !is_behind_conditional(graph, node),
        );
    }
    graph.nodes.iter().find_map(|node| {
        let kept = node.graphs.iter().find_map(|inner| find(inner, id))?;
        // A body runs by itself, a child as part of the graph.
        Some(kept && (is_conditional(node) || is_chain(graph) && !has_conditional(graph)))
    })
}

/// Returns whether the nodes come one after another.
fn is_chain(graph: &Outline) -> bool {
    let mut is_followed = vec![false; graph.nodes.len()];
    let roots = graph.nodes.iter().filter(|node| node.dependencies.is_empty()).count();
    roots == 1
        && graph.nodes.iter().all(|node| match node.dependencies[..] {
            [] => true,
            [before] => is_followed.get_mut(before as usize).is_some_and(|followed| !std::mem::replace(followed, true)),
            _ => false,
        })
}

/// Returns whether a node of a chain comes behind a conditional, with nothing between that executes.
fn is_behind_conditional(chain: &Outline, node: &OutlinedNode) -> bool {
    let before = |node: &OutlinedNode| chain.nodes.get(*node.dependencies.first()? as usize);
    let mut next = before(node);
    while let Some(node) = next {
        if is_conditional(node) || node.graphs.iter().any(has_conditional) {
            return true;
        }
        if executes(node) {
            return false;
        }
        next = before(node);
    }
    false
}

fn is_conditional(node: &OutlinedNode) -> bool {
    node.facts.kind() == "conditional"
}

fn has_conditional(graph: &Outline) -> bool {
    graph.nodes.iter().any(|node| is_conditional(node) || node.graphs.iter().any(has_conditional))
}

fn executes(node: &OutlinedNode) -> bool {
    matches!(node.facts, Facts::Kernel { .. } | Facts::Memcpy { .. } | Facts::Memset(_) | Facts::Values(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::exec_update::HostSide;

    const SET: Facts = Facts::Memset(None);
    const COPY: Facts = Facts::Memcpy { host_sides: (false, false), rows: None, host: HostSide::Any };
    const EMPTY: Facts = Facts::Plain("empty");
    const IF: Facts = Facts::Conditional(0, 1);

    /// Nodes with the ids 0, 1, 2 and so on, each with what it waits for.
    fn graph(nodes: &[(Facts, &[u32])]) -> Outline {
        let node = |(id, (facts, dependencies)): (usize, &(Facts, &[u32]))| OutlinedNode {
            dependencies: dependencies.to_vec(),
            ..OutlinedNode::new(id as u64, facts.clone())
        };
        Outline { nodes: nodes.iter().enumerate().map(node).collect() }
    }

    #[test]
    fn a_memset_of_a_chain_keeps_its_place_and_one_beside_a_branch_does_not() {
        assert!(keeps_its_place(&graph(&[(SET, &[])]), 0));
        assert!(keeps_its_place(&graph(&[(COPY, &[]), (SET, &[0]), (COPY, &[1])]), 1));
        // As it is listed does not count.
        assert!(keeps_its_place(&graph(&[(SET, &[1]), (COPY, &[])]), 0));
        for branches in [
            graph(&[(COPY, &[]), (SET, &[])]),
            graph(&[(COPY, &[]), (SET, &[0]), (COPY, &[0])]),
            graph(&[(COPY, &[]), (SET, &[0]), (COPY, &[]), (COPY, &[1, 2])]),
        ] {
            assert!(!keeps_its_place(&branches, 1), "{branches:?}");
            assert!(keeps_its_place(&branches, 0), "a copy");
        }
        let rows = Facts::Memset(Some([4, 1, 2, 64]));
        assert!(keeps_its_place(&graph(&[(COPY, &[]), (rows, &[])]), 1), "a memset of several rows");
        assert!(!keeps_its_place(&graph(&[(SET, &[])]), 7), "no node");
    }

    #[test]
    fn only_what_executes_between_a_conditional_and_a_memset_keeps_its_place() {
        assert!(!keeps_its_place(&graph(&[(IF, &[]), (SET, &[0])]), 1));
        assert!(!keeps_its_place(&graph(&[(IF, &[]), (EMPTY, &[0]), (SET, &[1])]), 2));
        assert!(keeps_its_place(&graph(&[(IF, &[]), (COPY, &[0]), (SET, &[1])]), 2));
        assert!(keeps_its_place(&graph(&[(SET, &[]), (IF, &[0])]), 0));
    }

    #[test]
    fn graphs_within_count_as_they_run() {
        let mut body = graph(&[(COPY, &[]), (IF, &[]), (COPY, &[1])]);
        body.nodes[1].graphs = vec![Outline { nodes: vec![OutlinedNode::new(9, SET)] }];
        assert!(keeps_its_place(&body, 9), "a body runs by itself");
        let mut child = graph(&[(COPY, &[]), (Facts::Plain("child graph"), &[0])]);
        child.nodes[1].graphs = vec![Outline { nodes: vec![OutlinedNode::new(9, SET)] }];
        assert!(keeps_its_place(&child, 9));
        child.nodes.push(OutlinedNode::new(2, COPY));
        assert!(!keeps_its_place(&child, 9), "a branch beside the child");
    }
}
