//! Kernels of an exec that were changed to another function, grid, block or shared memory: the driver replays these slower for good
//! (580: about 0.1 us each, in execs of some 190 nodes and more), whatever they are changed to later.

use std::collections::hash_map::Entry;
use std::collections::HashSet;

use graphcap_driver::rules::outline::Outline;
use graphcap_driver::{NodeId, NodeMap};

/// The least number of nodes of an exec that replays slower once kernels of it were changed.
pub(super) const LEAST_NODES: usize = 190;

/// The launch of a kernel that was changed in an exec.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Launch {
    /// It was set once, or always to this. That may be the launch that the exec was made with.
    Set(u64),
    /// It was another one than the one that the exec was made with.
    Other,
}

/// The kernels that were changed in an exec, by nodes of the graph that it was made from.
#[derive(Default)]
pub(super) struct Relaunched(NodeMap<Launch>);

impl Relaunched {
    /// Notes a kernel that was set, which is launched as `digest` tells from here on.
    pub(super) fn set(&mut self, node: NodeId, digest: u64) {
        match self.0.entry(node) {
            Entry::Vacant(entry) => {
                entry.insert(Launch::Set(digest));
            }
            Entry::Occupied(mut entry) => {
                if *entry.get() != Launch::Set(digest) {
                    entry.insert(Launch::Other);
                }
            }
        }
    }

    /// Notes kernels that are launched otherwise than those that the exec was made with.
    pub(super) fn differ(&mut self, nodes: &[NodeId]) {
        self.0.extend(nodes.iter().map(|&node| (node, Launch::Other)));
    }

    /// Counts the kernels that replay slower, with those of `relaunched`, of an exec that was made as `made` tells.
    pub(super) fn count(&self, made: &Outline, relaunched: &[NodeId]) -> usize {
        let is_other = |(node, launch): (&NodeId, &Launch)| match launch {
            Launch::Other => true,
            Launch::Set(digest) => made.find(node.0).is_some_and(|made| made.launch != *digest),
        };
        let relaunched: HashSet<NodeId> = relaunched.iter().copied().collect();
        let others = self.0.iter().filter(|&(node, launch)| !relaunched.contains(node) && is_other((node, launch)));
        others.count() + relaunched.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use graphcap_driver::rules::exec_update::Facts;
    use graphcap_driver::rules::outline::OutlinedNode;

    #[test]
    fn a_kernel_that_was_once_another_stays_slower() {
        let node = |id| OutlinedNode { launch: 7, ..OutlinedNode::new(id, Facts::Plain("kernel")) };
        let made = Outline { nodes: (1..=4).map(node).collect() };
        let mut relaunched = Relaunched::default();
        assert_eq!(relaunched.count(&made, &[]), 0);
        relaunched.set(NodeId(1), 7);
        relaunched.set(NodeId(1), 7);
        assert_eq!(relaunched.count(&made, &[]), 0);
        relaunched.set(NodeId(2), 8);
        assert_eq!(relaunched.count(&made, &[]), 1);
        relaunched.set(NodeId(2), 7);
        assert_eq!(relaunched.count(&made, &[]), 1);
        relaunched.set(NodeId(1), 9);
        assert_eq!(relaunched.count(&made, &[]), 2);
        relaunched.differ(&[NodeId(3)]);
        assert_eq!(relaunched.count(&made, &[NodeId(3), NodeId(4)]), 4);
    }
}
