//! An order of the nodes of a definition in which each comes after those that it depends on, or what has none: a cycle.

use std::fmt::Write;

use super::node::{Definition, Node};
use graphcap_base::error::Error;
use graphcap_driver::{NodeId, NodeKind};

/// Nodes that depend on each node, node by node in one array.
pub(super) struct Successors {
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Successors {
    pub(super) fn of(nodes: &[Option<Node>], edges: usize) -> Successors {
        let mut starts = vec![0u32; nodes.len() + 1];
        for Node { dependencies, .. } in nodes.iter().flatten() {
            for from in dependencies {
                starts[*from as usize + 1] += 1;
            }
        }
        for node in 1..starts.len() {
            starts[node] += starts[node - 1];
        }
        let mut filled = starts.clone();
        let mut targets = vec![0u32; edges];
        for (to, node) in nodes.iter().flatten().enumerate() {
            for from in &node.dependencies {
                targets[filled[*from as usize] as usize] = to as u32;
                filled[*from as usize] += 1;
            }
        }
        Successors { starts, targets }
    }

    pub(super) fn of_node(&self, node: u32) -> &[u32] {
        &self.targets[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }
}

pub(super) fn dependency_count(node: &Option<Node>) -> u32 {
    node.as_ref().map_or(0, |node| node.dependencies.len() as u32)
}

/// An order that runs on along a chain for as long as it can.
///
/// # Errors
/// How many dependencies of each node stand in no order, when the edges form a cycle.
pub(super) fn topological_order(definition: &Definition, successors: &Successors) -> Result<Vec<u32>, Vec<u32>> {
    let nodes = definition.packed_nodes();
    let mut missing: Vec<u32> = nodes.iter().map(dependency_count).collect();
    let mut ready: Vec<u32> = (0..missing.len() as u32).rev().filter(|&node| missing[node as usize] == 0).collect();
    let mut order = Vec::with_capacity(missing.len());
    while let Some(node) = ready.pop() {
        order.push(node);
        for &next in successors.of_node(node).iter().rev() {
            missing[next as usize] -= 1;
            if missing[next as usize] == 0 {
                ready.push(next);
            }
        }
    }
    if order.len() < missing.len() {
        return Err(missing);
    }
    Ok(order)
}

/// Checks that a packed definition has an order, whose nodes have the ids `ids` in the graph.
///
/// # Errors
/// `INVALID_VALUE` when the edges form a cycle.
pub(super) fn check_order(definition: &Definition, ids: &[NodeId]) -> Result<(), Error> {
    let successors = Successors::of(definition.packed_nodes(), definition.edge_count());
    topological_order(definition, &successors).map(drop).map_err(|missing| cycle(definition, ids, &missing))
}

/// Most nodes of a cycle that its message names.
const NAMED: usize = 8;

/// The edges form a cycle. `missing` tells how many dependencies of each node stand in no order.
#[cold]
fn cycle(definition: &Definition, ids: &[NodeId], missing: &[u32]) -> Error {
    // A node without a place in the order depends on another one without, so walking back comes to a node again.
    let before = |node: u32| {
        let dependencies = definition.node(node).map(|node| &node.dependencies);
        dependencies.into_iter().flatten().copied().find(|&from| missing[from as usize] > 0)
    };
    let mut walked: Vec<u32> = Vec::new();
    let mut walked_at = vec![u32::MAX; missing.len()];
    let mut next = (0..missing.len() as u32).find(|&node| missing[node as usize] > 0);
    let mut nodes: Vec<u32> = Vec::new();
    while let Some(node) = next {
        if walked_at[node as usize] != u32::MAX {
            nodes = walked.split_off(walked_at[node as usize] as usize);
            break;
        }
        walked_at[node as usize] = walked.len() as u32;
        walked.push(node);
        next = before(node);
    }
    nodes.reverse();
    // Told from the node that was made first.
    let first = nodes.iter().enumerate().min_by_key(|(_, node)| **node).map_or(0, |(at, _)| at);
    nodes.rotate_left(first);
    let id = |node: u32| ids.get(node as usize).map_or(0, |id| id.0);
    let mut named = String::new();
    for &node in nodes.iter().take(NAMED) {
        let kind = definition.node(node).map_or(NodeKind::Other, |node| node.action.kind());
        let _ = write!(named, "node {:#x} ({kind}) -> ", id(node));
    }
    if let Some(more) = nodes.len().checked_sub(NAMED).filter(|&more| more > 0) {
        let _ = write!(named, "{more} more -> ");
    }
    let start = id(nodes.first().copied().unwrap_or(0));
    Error::invalid_value(format!(
        "the edges of the graph form a cycle, so that none of its nodes can begin: {named}node {start:#x}; remove one of these \
         edges"
    ))
}
