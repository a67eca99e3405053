//! A graph written down as [`pair`](super::exec_update::pair) reads it.

use super::exec_update::{Described, Edged, Facts, Pairing};

/// A graph: its nodes in the order in which they were made.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outline {
    /// Each node waits for nodes of this graph alone.
    pub nodes: Vec<OutlinedNode>,
}

/// A node of such a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutlinedNode {
    /// Number that the node has elsewhere.
    pub id: u64,
    /// The nodes that it waits for, in the order in which the edges were added.
    pub dependencies: Vec<u32>,
    /// Data of the edges that carry some, by the nodes that they come from.
    pub carried: Vec<(u32, [u8; 3])>,
    /// Facts about its work.
    pub facts: Facts,
    /// Launch attributes by their numbers, as numbers that differ where the values do.
    pub attributes: Vec<(u32, u64)>,
    /// A number that differs where the function, the grid, the blocks or the shared memory of a kernel differ. 0 where it is not known.
    pub launch: u64,
    /// Its graphs.
    pub graphs: Vec<Outline>,
}

impl Outline {
    /// The node that is called `id`. It is found at once where ids grow in the order in which nodes were made.
    pub fn find(&self, id: u64) -> Option<&OutlinedNode> {
        let found = self.nodes.binary_search_by_key(&id, |node| node.id).ok().and_then(|at| self.nodes.get(at));
        found.or_else(|| self.nodes.iter().find(|node| node.id == id))
    }

    /// The ids of the kernels that `graph`, whose nodes `pairing` tells, launches with another function or shape. Kernels within nodes are
    /// not among them.
    pub fn relaunched(&self, graph: &Outline, pairing: &Pairing) -> Vec<u64> {
        let differs = |&(number, node): &(u32, &OutlinedNode)| {
            graph.nodes.get(pairing.of(number) as usize).is_some_and(|pair| pair.launch != node.launch)
        };
        (0..).zip(&self.nodes).filter(differs).map(|(_, node)| node.id).collect()
    }
}

impl OutlinedNode {
    /// A node that waits for nothing and has no graphs.
    pub fn new(id: u64, facts: Facts) -> OutlinedNode {
        OutlinedNode {
            id,
            dependencies: Vec::new(),
            carried: Vec::new(),
            facts,
            attributes: Vec::new(),
            launch: 0,
            graphs: Vec::new(),
        }
    }
}

impl Edged for Outline {
    fn node_count(&self) -> u32 {
        self.nodes.len() as u32
    }

    fn dependencies(&self, node: u32) -> &[u32] {
        self.nodes.get(node as usize).map_or(&[], |node| &node.dependencies)
    }

    fn carried(&self, from: u32, to: u32) -> Option<[u8; 3]> {
        let carried = &self.nodes.get(to as usize)?.carried;
        carried.iter().find(|(source, _)| *source == from).map(|(_, data)| *data)
    }

    fn id(&self, node: u32) -> u64 {
        self.nodes.get(node as usize).map_or(0, |node| node.id)
    }
}

impl Described for Outline {
    fn facts(&self, node: u32) -> Facts {
        self.nodes.get(node as usize).map_or(Facts::Plain("none"), |node| node.facts.clone())
    }

    fn graph(&self, node: u32, index: u32) -> Option<&Outline> {
        self.nodes.get(node as usize)?.graphs.get(index as usize)
    }

    fn attributes(&self, node: u32) -> Vec<(u32, u64)> {
        self.nodes.get(node as usize).map_or_else(Vec::new, |node| node.attributes.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::super::exec_update::{pair, Terms};
    use super::*;

    fn kernel(id: u64, launch: u64) -> OutlinedNode {
        let facts = Facts::Kernel { context: 1, is_cooperative: false, is_updatable: false, priority: 0 };
        OutlinedNode { launch, ..OutlinedNode::new(id, facts) }
    }

    fn chain(launches: [u64; 3], inner: u64) -> Outline {
        let mut nodes: Vec<_> = (1..).zip(launches).map(|(id, launch)| kernel(id, launch)).collect();
        nodes.push(OutlinedNode {
            graphs: vec![Outline { nodes: vec![kernel(9, inner)] }],
            ..OutlinedNode::new(4, Facts::Plain("child graph"))
        });
        (1..4).for_each(|at: usize| nodes[at].dependencies = vec![at as u32 - 1]);
        Outline { nodes }
    }

    #[test]
    fn kernels_of_the_graph_itself_that_are_launched_otherwise_are_told() {
        let exec = chain([5, 6, 7], 8);
        let relaunched = |graph: &Outline| exec.relaunched(graph, &pair(&exec, graph, Terms::default()).unwrap());
        assert!(relaunched(&exec).is_empty());
        assert_eq!(relaunched(&chain([5, 1, 7], 8)), [2]);
        assert_eq!(relaunched(&chain([1, 6, 1], 1)), [1, 3]);
    }
}
