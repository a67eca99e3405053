//! The recording of a capture: the graph that it goes into, and the nodes that a stream's next one comes after.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use crate::graph::nesting::Located;
use crate::graph::{Action, Definition, Dependencies, Graph};
use graphcap_base::error::Result;
use graphcap_base::lock::{lock, Mutex};
use graphcap_driver::{EdgeData, GraphId};

/// The nodes that a capture has recorded.
pub(super) struct Recording {
    pub(super) target: Target,
    /// Nodes that need not be joined: those that were put by hand, and those that streams were told to depend on no longer, also when
    /// others are told to depend on them later.
    pub(super) released: Vec<u32>,
}

/// Graph that a capture puts its nodes into.
pub(super) enum Target {
    /// Into a graph that its end gives.
    New(Definition),
    /// Into a graph that there was before, which others may look at meanwhile.
    Known {
        id: GraphId,
        graph: Arc<Located>,
        /// Those of its nodes that are of this capture.
        own: Vec<Range<u32>>,
    },
    /// Into what a graph within a node is at the end.
    Within {
        id: GraphId,
        graph: Arc<Located>,
        /// The graph as it was at the begin, with the nodes that were recorded since.
        definition: Definition,
        own: Vec<Range<u32>>,
    },
}

impl Target {
    /// The number of a capture is that of its graph, which grows with each graph that is made.
    pub(super) fn number(&self) -> u64 {
        match self {
            Target::New(definition) | Target::Within { definition, .. } => definition.number(),
            Target::Known { graph, .. } => {
                lock(&graph.root).at(&graph.path).map_or(0, |definition| definition.number())
            }
        }
    }

    /// The id of the graph, if it has one.
    pub(super) fn id(&self) -> Option<GraphId> {
        match self {
            Target::New(_) => None,
            Target::Known { id, .. } | Target::Within { id, .. } => Some(*id),
        }
    }

    /// The id of the graph. One that there was not before gets it by `enter`, and others may look at it from then on.
    pub(super) fn know(
        &mut self,
        context: u64,
        enter: impl FnOnce(&Arc<Located>) -> Result<GraphId>,
    ) -> Result<GraphId> {
        let definition = match self {
            Target::Known { id, .. } | Target::Within { id, .. } => return Ok(*id),
            Target::New(definition) => std::mem::replace(definition, Definition::new()),
        };
        let own = 0..definition.len() as u32;
        let mut graph = Graph::new(definition, context);
        graph.begin_capture(&[]);
        let graph = Arc::new(Located { root: Arc::new(Mutex::new(graph)), path: Box::default() });
        match enter(&graph) {
            Ok(id) => {
                *self = Target::Known { id, graph, own: vec![own] };
                Ok(id)
            }
            Err(error) => {
                let mut graph = lock(&graph.root);
                *self = Target::New(std::mem::replace(Arc::make_mut(&mut graph.definition), Definition::new()));
                Err(error)
            }
        }
    }
}

impl Recording {
    pub(super) fn new(target: Target) -> Recording {
        Recording { target, released: Vec::new() }
    }

    /// Adds a node, the edges to which carry `data`.
    pub(super) fn add(
        &mut self,
        action: &mut Option<Action>,
        dependencies: Dependencies,
        data: &[(u32, EdgeData)],
    ) -> Option<u32> {
        let node = self.add_node(action, dependencies)?;
        if !data.is_empty() {
            self.set_data(data, node);
        }
        Some(node)
    }

    #[cold]
    fn set_data(&mut self, data: &[(u32, EdgeData)], node: u32) {
        match &mut self.target {
            Target::New(definition) => definition.set_data(data, node),
            // As on a CUDA device, which adds the edges by hand at the end.
            Target::Within { definition, .. } if !definition.is_kernel(node) => {}
            Target::Within { definition, .. } => definition.set_data(data, node),
            Target::Known { graph, .. } => {
                if let Ok(definition) = lock(&graph.root).edit(&graph.path) {
                    definition.set_data(data, node);
                }
            }
        }
    }

    fn add_node(&mut self, action: &mut Option<Action>, dependencies: Dependencies) -> Option<u32> {
        match &mut self.target {
            Target::New(definition) => definition.add_any(action, dependencies),
            Target::Known { graph, own, .. } => {
                // An exec that was made meanwhile holds the definition as it was then.
                let node = lock(&graph.root).edit(&graph.path).ok()?.add_any(action, dependencies)?;
                note_own(own, node);
                Some(node)
            }
            Target::Within { definition, own, .. } => {
                let node = definition.add_any(action, dependencies)?;
                note_own(own, node);
                Some(node)
            }
        }
    }

    pub(super) fn with<T>(&self, look: impl FnOnce(&Definition) -> T) -> T {
        match &self.target {
            Target::New(definition) | Target::Within { definition, .. } => look(definition),
            Target::Known { graph, .. } => {
                let root = lock(&graph.root);
                // The node that a graph is of stays while a capture goes into it.
                match root.at(&graph.path) {
                    Ok(definition) => look(definition),
                    Err(_) => look(&Definition::new()),
                }
            }
        }
    }

    /// Returns how many of the capture's nodes nothing follows, neither a node nor what comes next after `frontier`.
    pub(super) fn open_ends(&self, frontier: &Frontier) -> usize {
        let mut open = self.with(Definition::sinks);
        for &node in frontier.nodes.iter().chain(&self.released) {
            open[node as usize] = false;
        }
        let count = |range: &[bool]| range.iter().filter(|&&open| open).count();
        match &self.target {
            Target::New(_) => count(&open),
            Target::Known { own, .. } | Target::Within { own, .. } => {
                own.iter().map(|own| count(&open[own.start as usize..own.end as usize])).sum()
            }
        }
    }
}

fn note_own(own: &mut Vec<Range<u32>>, node: u32) {
    match own.last_mut() {
        Some(range) if range.end == node => range.end += 1,
        _ => own.push(node..node + 1),
    }
}

/// The nodes that a stream's next node depends on, in the order in which the node's edges are added: the stream's own node, and then
/// those that it has joined, in the order of its waits. Updates of execs pair nodes by that order. (NVIDIA H200, driver 580.159.)
#[derive(Clone, Default)]
pub(crate) struct Frontier {
    pub(super) nodes: Dependencies,
    /// Data of the edges from some of them.
    data: Vec<(u32, EdgeData)>,
    /// Number of nodes, the first ones, that are known to differ from each other.
    distinct: usize,
}

impl Frontier {
    /// Of nodes that differ from each other.
    pub(super) fn of(nodes: Dependencies) -> Frontier {
        Frontier { distinct: nodes.len(), nodes, data: Vec::new() }
    }

    /// Of nodes that differ from each other, with what the edges from some of them carry.
    pub(super) fn with_data(nodes: Dependencies, data: Vec<(u32, EdgeData)>) -> Frontier {
        Frontier { data, ..Frontier::of(nodes) }
    }

    /// The recorded nodes, with `data` for the edges from each.
    pub(super) fn carrying(self, data: EdgeData) -> Frontier {
        let data = self.nodes.iter().map(|&node| (node, data)).collect();
        Frontier { data, ..self }
    }

    /// Adds the nodes of `other`. Joining many branches one by one must not compare each with all others, so
    /// doubles are dropped only when there may be as many of them as there are nodes.
    pub(super) fn merge(&mut self, other: &Frontier) {
        self.nodes.extend_from_slice(&other.nodes);
        self.data.extend_from_slice(&other.data);
        if self.nodes.len() > 2 * self.distinct + 16 {
            self.drop_doubles();
        }
    }

    /// Drops nodes that are there already. The others keep their order.
    pub(super) fn drop_doubles(&mut self) {
        /// So many are compared with each other.
        const FEW: usize = 16;
        if self.distinct == self.nodes.len() {
            return;
        }
        if !self.data.is_empty() {
            self.settle_data();
        }
        if self.nodes.len() <= FEW {
            let mut kept = self.distinct;
            for at in self.distinct..self.nodes.len() {
                let node = self.nodes[at];
                if !self.nodes[..kept].contains(&node) {
                    self.nodes[kept] = node;
                    kept += 1;
                }
            }
            self.nodes.truncate(kept);
        } else {
            let mut seen = HashSet::with_capacity(self.nodes.len());
            self.nodes.retain(|node| seen.insert(*node));
        }
        self.distinct = self.nodes.len();
    }

    /// Of what the edges from a node that is there several times carry leaves that which waits the longest: for the end of the node, or
    /// else for the place in it with the lower number. (NVIDIA H200, driver 580.159.)
    #[cold]
    fn settle_data(&mut self) {
        // How often a node is there with data, and that which waits the longest.
        let mut carried: BTreeMap<u32, (usize, EdgeData)> = BTreeMap::new();
        for &(node, data) in &self.data {
            let (count, longest) = carried.entry(node).or_insert((0, data));
            (*count, *longest) = (*count + 1, data.min(*longest));
        }
        for node in &self.nodes {
            match carried.get_mut(node) {
                Some((0, longest)) => *longest = EdgeData::NONE,
                Some((count, _)) => *count -= 1,
                None => {}
            }
        }
        let carried = carried.into_iter().map(|(node, (_, longest))| (node, longest));
        self.data = carried.filter(|(_, longest)| !longest.is_none()).collect();
    }

    /// Takes the nodes for a new one that comes after them, with what the edges from some of them carry.
    pub(super) fn take(&mut self) -> (Dependencies, Vec<(u32, EdgeData)>) {
        self.drop_doubles();
        let Frontier { nodes, data, .. } = std::mem::take(self);
        (nodes, data)
    }

    /// The node, where there is one alone.
    pub(super) fn only(&self) -> Option<u32> {
        match self.nodes[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    pub(super) fn set(&mut self, node: u32) {
        self.nodes.clear();
        self.data.clear();
        self.nodes.push(node);
        self.distinct = 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(node: u32, data: EdgeData) -> Frontier {
        let carried = if data.is_none() { Vec::new() } else { vec![(node, data)] };
        Frontier::with_data(Dependencies::from_slice(&[node]), carried)
    }

    #[test]
    fn of_all_edges_from_a_node_that_one_stays_that_waits_the_longest() {
        let begun_early = EdgeData { kind: 1, ..EdgeData::BEGUN };
        let all = [EdgeData::NONE, EdgeData::PROGRAMMATIC, EdgeData::BEGUN, begun_early];
        for (longer, shorter) in (0..4).flat_map(|at| (at..4).map(move |other| (at, other))) {
            for order in [[longer, shorter], [shorter, longer]] {
                let mut frontier = of(3, EdgeData::BEGUN);
                order.into_iter().for_each(|at| frontier.merge(&of(7, all[at])));
                frontier.merge(&of(3, EdgeData::BEGUN));
                let (nodes, data) = frontier.take();
                assert_eq!(nodes[..], [3, 7]);
                let carried: Vec<_> =
                    [(3, EdgeData::BEGUN), (7, all[longer])].into_iter().filter(|(_, data)| !data.is_none()).collect();
                assert_eq!(data, carried, "{order:?}");
            }
        }
    }

    #[test]
    fn many_joins_of_events_keep_what_each_carries() {
        let mut frontier = Frontier::default();
        for node in (0..200).chain(0..200) {
            frontier.merge(&of(node, if node % 2 == 0 { EdgeData::PROGRAMMATIC } else { EdgeData::NONE }));
        }
        let (nodes, data) = frontier.take();
        assert_eq!(nodes.len(), 200);
        assert!(data.len() == 100 && data.iter().all(|&(node, data)| node % 2 == 0 && data == EdgeData::PROGRAMMATIC));
    }
}
