//! Graphs that share memory of a pool and are nodes of one graph: a launch has them all run, so its edges must order them.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::kept_block::{KeptBlock, KeptBlocks};
use super::launch_order::LaunchOrder;
use super::pool::PoolUse;
use crate::graphs::retention;
use crate::keep::Kept;
use graphcap_base::error::{Error, Result};
use graphcap_driver::{Address, Driver, GraphId, GraphNodes, GraphRef, Lists, NodeId, NodeKind, Retained};

/// Memory that graphs share: where each range begins and ends, and the number of its pool; in their order.
#[derive(Default)]
struct SharedMemory(Vec<(Address, Address, u64)>);

/// Users of such memory in a graph.
#[derive(Default)]
struct Users {
    /// The graph's own nodes.
    own: SharedMemory,
    /// Child graphs, by the places of their nodes; of those in bodies that of the outermost conditional node.
    children: BTreeMap<usize, Vec<SharedMemory>>,
}

/// A node of an exec that is to get a child graph.
pub(crate) struct Set<'a> {
    /// The node; `None` for one within a child graph.
    pub(crate) node: Option<NodeId>,
    /// Lists of what the child keeps.
    pub(crate) lists: &'a [Retained],
    /// True if the nodes and edges of the exec are those that the graph has now, and what it keeps is of these nodes.
    pub(crate) is_as_graph: bool,
}

/// Refuses a graph whose launches would have two graphs use shared memory of a pool at once. `lists` gives what the graph keeps, or an
/// exec of it of which a node is to be `set`.
///
/// # Errors
/// `INVALID_VALUE` where two child graphs that share memory are not ordered by edges, where that is not known of a child that is set,
/// and where one shares memory with nodes of the graph itself; what the device answers that cannot read the graph.
pub(crate) fn check(
    driver: &dyn Driver,
    graph: GraphId,
    lists: impl FnOnce() -> Lists,
    set: Option<Set<'_>>,
) -> Result<()> {
    if !LaunchOrder::is_any() {
        return Ok(());
    }
    let mut users = Users::of(&lists());
    match set {
        Some(Set { node: Some(node), lists, is_as_graph: true }) => {
            users.children.insert(node.place(), vec![SharedMemory::of(lists)]);
        }
        Some(Set { node: Some(_), lists, is_as_graph: false }) => {
            // Which of the children it comes instead of, and which come before and behind it, nobody knows any more.
            let (memory, others) = (SharedMemory::of(lists), users.children.values().flatten());
            let shared = others.chain([&users.own]).find_map(|other| memory.shared_with(other));
            return shared.map_or(Ok(()), |pool| Err(of_unknown_order(pool)));
        }
        Some(Set { node: None, lists, .. }) => users.own.join(SharedMemory::of(lists)),
        None => {}
    }
    users.children.values_mut().for_each(|graphs| graphs.retain(|memory| !memory.0.is_empty()));
    users.children.retain(|_, graphs| !graphs.is_empty());
    if let Some(pool) = users.children.values().flatten().find_map(|memory| memory.shared_with(&users.own)) {
        return Err(shared_with_own(pool));
    }
    match users.children.values().map(Vec::len).sum() {
        0 | 1 => Ok(()),
        _ => users.check_order(driver, graph),
    }
}

impl Users {
    fn of(lists: &[Retained]) -> Users {
        let (mut own, mut children) = (SharedMemory::default(), BTreeMap::<usize, Vec<SharedMemory>>::new());
        for list in lists {
            let Some(holdings) = retention::holdings(Arc::clone(list)) else {
                own.join(SharedMemory::of(std::slice::from_ref(list)));
                continue;
            };
            holdings.each(&mut |place, kept| match (place, kept) {
                (Some(place), Kept::Graph(lists)) => {
                    children.entry(place).or_default().push(SharedMemory::of(lists));
                }
                (None, Kept::Graph(lists)) => own.join(SharedMemory::of(lists)),
                _ => own.add(kept),
            });
        }
        own.sort();
        Users { own, children }
    }

    /// Refuses a graph whose edges leave two users of one memory in no order.
    fn check_order(&self, driver: &dyn Driver, graph: GraphId) -> Result<()> {
        let nodes = driver.graph_nodes(GraphRef::Known(graph))?;
        let mut users: Vec<(NodeId, &[SharedMemory])> = Vec::new();
        for &node in &nodes.nodes {
            let Some(graphs) = self.children.get(&node.place()) else { continue };
            let shared = graphs.iter().enumerate().find_map(|(at, memory)| shared_by(&graphs[at + 1..], memory));
            if let Some(pool) = shared {
                check_bodies(driver, graph, node, pool)?;
            }
            users.push((node, graphs));
        }
        let order = Order::of(&nodes, users.iter().map(|(node, _)| *node));
        for (at, (first, of_first)) in users.iter().enumerate() {
            for (second, of_second) in users.iter().skip(at + 1) {
                let pool = of_first.iter().find_map(|memory| shared_by(of_second, memory));
                if let Some(pool) = pool.filter(|_| !order.has(*first, *second)) {
                    return Err(unordered(pool, *first, *second));
                }
            }
        }
        Ok(())
    }
}

/// The number of a pool of which one of `graphs` has memory that is `memory` too.
fn shared_by(graphs: &[SharedMemory], memory: &SharedMemory) -> Option<u64> {
    graphs.iter().find_map(|other| other.shared_with(memory))
}

/// Refuses a conditional node of which graphs in one body are in no order: which of them share memory of the pool is not known.
fn check_bodies(driver: &dyn Driver, graph: GraphId, node: NodeId, pool: u64) -> Result<()> {
    for body in driver.node_graphs(graph, node)? {
        let nodes = driver.graph_nodes(GraphRef::Known(body))?;
        let mut users = Vec::new();
        for &node in &nodes.nodes {
            match driver.node_kind(body, node)? {
                NodeKind::Child => users.push(node),
                NodeKind::Conditional => {
                    check_bodies(driver, body, node, pool)?;
                    users.push(node);
                }
                _ => {}
            }
        }
        let order = Order::of(&nodes, users.iter().copied());
        for (at, first) in users.iter().enumerate() {
            if let Some(second) = users.iter().skip(at + 1).find(|second| !order.has(*first, **second)) {
                return Err(unordered(pool, *first, *second));
            }
        }
    }
    Ok(())
}

/// Order of some nodes of a graph: those that a path leads to from each.
struct Order(HashMap<NodeId, HashSet<NodeId>>);

impl Order {
    fn of(graph: &GraphNodes, nodes: impl ExactSizeIterator<Item = NodeId>) -> Order {
        if nodes.len() < 2 {
            return Order(HashMap::new());
        }
        let mut behind: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
        graph.edges.iter().for_each(|&(from, to)| behind.entry(from).or_default().push(to));
        Order(nodes.map(|node| (node, all_behind(node, &behind))).collect())
    }

    /// Tells whether a path leads from one of the nodes to the other.
    fn has(&self, first: NodeId, second: NodeId) -> bool {
        let leads = |from, to| self.0.get(from).is_some_and(|behind| behind.contains(to));
        leads(&first, &second) || leads(&second, &first)
    }
}

/// The nodes that a path leads to from `node`.
fn all_behind(node: NodeId, behind: &HashMap<NodeId, Vec<NodeId>>) -> HashSet<NodeId> {
    let (mut found, mut open) = (HashSet::new(), vec![node]);
    while let Some(node) = open.pop() {
        open.extend(behind.get(&node).into_iter().flatten().copied().filter(|&next| found.insert(next)));
    }
    found
}

/// The blocks of pools that an object is which is kept.
pub(crate) fn blocks_of(kept: &Kept) -> Vec<Arc<KeptBlock>> {
    let one = || kept.object::<KeptBlock>().map(|block| vec![block]);
    let several = || kept.object::<KeptBlocks>().map(|blocks| blocks.all());
    let of_pool = || kept.object::<PoolUse>().map(|used| used.blocks.all());
    one().or_else(several).or_else(of_pool).unwrap_or_default()
}

impl SharedMemory {
    fn of(lists: &[Retained]) -> SharedMemory {
        let memory = RefCell::new(SharedMemory::default());
        retention::see_all(None, lists, &|kept| memory.borrow_mut().add(kept));
        let mut memory = memory.into_inner();
        memory.sort();
        memory
    }

    /// Adds what graphs share of an object that is kept.
    fn add(&mut self, kept: &Kept) {
        self.0.extend(blocks_of(kept).iter().filter_map(|block| block.shared()));
    }

    fn join(&mut self, other: SharedMemory) {
        self.0.extend(other.0);
        self.sort();
    }

    fn sort(&mut self) {
        self.0.sort_unstable();
        self.0.dedup();
    }

    /// The number of a pool of which both have a byte.
    fn shared_with(&self, other: &SharedMemory) -> Option<u64> {
        let mut rest = [&self.0[..], &other.0[..]];
        // The end of the ranges of each that begin before, since they may overlap among themselves.
        let mut ends = [0; 2];
        loop {
            let who = usize::from(match (rest[0].first(), rest[1].first()) {
                (Some(own), Some(others)) => others < own,
                (own, _) => own.is_none(),
            });
            let (&(start, end, pool), behind) = rest[who].split_first()?;
            if start < ends[1 - who] {
                return Some(pool);
            }
            ends[who] = end.max(ends[who]);
            rest[who] = behind;
        }
    }
}

#[cold]
fn unordered(pool: u64, first: NodeId, second: NodeId) -> Error {
    Error::invalid_value(format!(
        "the graphs of node {:#x} and node {:#x} share memory of pool {pool}, and no path of edges has one run behind the other; add an \
         edge, or capture one of them with another pool",
        first.0, second.0
    ))
}

#[cold]
fn of_unknown_order(pool: u64) -> Error {
    Error::invalid_value(format!(
        "the child graph shares memory of pool {pool} with another one of the graph exec, and whether edges of the exec order the two is \
         not known any more, since the graph was changed or the exec was updated; make a new exec"
    ))
}

#[cold]
fn shared_with_own(pool: u64) -> Error {
    Error::invalid_value(format!(
        "a child graph shares memory of pool {pool} with other nodes of the graph that it is a node of, and would write over what \
         they have there; capture one of the two with another pool"
    ))
}
