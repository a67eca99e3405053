//! Memsets that lose their place in the order when an exec disables them.
//!
//! Driver 580 executes a memset of one row that was disabled right behind a conditional node as if nothing came before it: what
//! comes behind the memset begins while the conditional still runs, and a launch that ends there is called complete too early and
//! lets the next one fault (719). Measured on an H100, 20 of 20 launches. "Right behind" means that nothing lies between that
//! executes: empty nodes, event nodes, memory nodes, borders of child graphs and disabled memsets do not count. Kernels and
//! copies keep their place, and so does every memset in the body of a conditional, or behind a kernel, copy, host function, value
//! operation or enabled memset.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use crate::driver::NodeKind;

/// Such memsets of an outermost graph, by whatever names its nodes.
pub(in crate::driver::cuda) struct Unordered<Node>(HashSet<Node>);

impl<Node: Copy + Eq + Hash> Unordered<Node> {
    /// Of a graph that has conditional nodes or graphs within that have some, by the kinds of its nodes and its edges. A child
    /// node counts as a conditional, as the last node in it can be one.
    pub(super) fn of(
        kinds: &HashMap<Node, NodeKind>,
        edges: impl IntoIterator<Item = (Node, Node)>,
    ) -> Unordered<Node> {
        let mut behind: HashMap<Node, Vec<Node>> = HashMap::new();
        for (from, to) in edges {
            behind.entry(from).or_default().push(to);
        }
        let is_source = |node: &Node| matches!(kinds[node], NodeKind::Conditional | NodeKind::Child);
        let mut reached: HashSet<Node> = HashSet::new();
        let mut open: Vec<Node> = kinds.keys().copied().filter(is_source).collect();
        while let Some(node) = open.pop() {
            for &next in behind.get(&node).into_iter().flatten() {
                // A memset that is found stays enabled, so what comes behind it keeps its place.
                if !keeps_its_place(kinds[&next]) && reached.insert(next) && kinds[&next] != NodeKind::Memset {
                    open.push(next);
                }
            }
        }
        reached.retain(|node| kinds[node] == NodeKind::Memset);
        Unordered(reached)
    }

    pub(super) fn contains(&self, node: &Node) -> bool {
        self.0.contains(node)
    }
}

/// Whether what comes behind a node of the kind waits for what comes before it, whatever lies further back.
fn keeps_its_place(kind: NodeKind) -> bool {
    matches!(
        kind,
        NodeKind::Kernel
            | NodeKind::Memcpy
            | NodeKind::Host
            | NodeKind::BatchMemOp
            | NodeKind::Conditional
            | NodeKind::Child
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The memsets found among nodes 0, 1, 2 and so on, of these kinds.
    fn found(kinds: &[NodeKind], edges: &[(usize, usize)]) -> Vec<usize> {
        let kinds: HashMap<_, _> = kinds.iter().copied().enumerate().collect();
        let mut found: Vec<_> = Unordered::of(&kinds, edges.iter().copied()).0.into_iter().collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn only_what_executes_between_a_conditional_and_a_memset_keeps_its_place() {
        use NodeKind::{
            BatchMemOp, Child, Conditional, Empty, EventRecord, EventWait, Host, Kernel, MemAlloc, Memcpy, Memset,
        };
        assert_eq!(found(&[Conditional, Memset], &[(0, 1)]), [1]);
        assert_eq!(found(&[Conditional, Memset], &[(1, 0)]), [0; 0]);
        for between in [Empty, EventRecord, EventWait, MemAlloc, Child, Conditional] {
            assert_eq!(found(&[Conditional, between, Memset], &[(0, 1), (1, 2)]), [2], "{between:?}");
        }
        for between in [Kernel, Memcpy, Host, BatchMemOp] {
            assert_eq!(found(&[Conditional, between, Memset], &[(0, 1), (1, 2)]), [0; 0], "{between:?}");
        }
        assert_eq!(found(&[Conditional, Memset, Memset], &[(0, 1), (1, 2)]), [1]);
        assert_eq!(found(&[Conditional, Kernel, Memset], &[(0, 1), (1, 2), (0, 2)]), [2]);
        assert_eq!(found(&[Kernel, Memset, Memset], &[(0, 1), (1, 2)]), [0; 0]);
    }
}
