//! Memory of nodes, and whether it is allocated when the launches so far are through. graphcap frees it when nobody can name it any more.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::Address;

/// Memory that one node allocates, or several one after another.
pub(crate) struct NodeMemory {
    pub(crate) address: Address,
    /// The number of the graph that allocates it.
    graph: u64,
    left: AtomicU8,
    /// Number of names that core has.
    names: AtomicUsize,
}

/// A free that the driver is told of.
pub(crate) struct Freeing<'a> {
    memory: &'a NodeMemory,
    is_first: bool,
}

/// Stands for the number of graphs whose nodes others added.
const OTHERS: u64 = 0;

/// State that launches and frees leave behind.
const FREE: u8 = 0;
const ALLOCATED: u8 = 1;
/// Others may have launched or freed. Then nothing is freed for them: the driver may have others' memory at the address.
const UNKNOWN: u8 = 2;
/// A stream is about to free it.
const FREEING: u8 = 3;

/// Memory that the nodes of an exec allocate and free.
pub(crate) struct Memories {
    /// The number of the graph that the exec was made of, or updated by last.
    graph: u64,
    /// Each with how many nodes allocate it more than free it.
    of_nodes: Box<[(Arc<NodeMemory>, isize)]>,
}

impl Memories {
    /// Memory that the nodes of the graph with the number `graph` allocate and free.
    pub(crate) fn new(graph: u64, excess: &Excess) -> Memories {
        Memories { graph, of_nodes: excess.values().cloned().collect() }
    }

    /// Returns whether nodes allocate or free nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.of_nodes.is_empty()
    }

    /// Returns whether an upload of an exec that was neither uploaded nor launched loses memory: the driver (580) crashes in freeing what
    /// a launch of an earlier exec has left allocated. The exec's first launch uploads it as well.
    pub(crate) fn upload_loses(&self) -> bool {
        self.of_nodes.iter().any(|(memory, excess)| *excess > 0 && memory.may_be_left())
    }

    /// Returns whether the exec was made of the graph with the number `graph`, or updated by it last.
    pub(crate) fn are_of(&self, graph: u64) -> bool {
        self.graph == graph
    }

    /// A launch allocates and frees them.
    pub(crate) fn launched(&self) {
        self.of_nodes.iter().for_each(|(memory, excess)| memory.launched(*excess > 0));
    }

    /// Others may allocate and free them from here on.
    pub(crate) fn lose_sight(&self) {
        self.of_nodes.iter().for_each(|(memory, _)| memory.lose_sight());
    }
}

/// Memory that the nodes of a graph allocate and free, by address, each with how many nodes allocate it more than free it.
pub(crate) type Excess = BTreeMap<Address, (Arc<NodeMemory>, isize)>;

/// All that nodes of graphs of a context allocate.
#[derive(Default)]
pub(crate) struct NodeMemories(Mutex<Known, rank::NodeMemories>);

#[derive(Default)]
struct Known {
    /// Memory that was allocated last at each address: the driver gives an address again when the graph is destroyed that had it.
    memories: BTreeMap<Address, Weak<NodeMemory>>,
    /// Number of them at which those that are gone are taken out.
    most: usize,
}

impl Known {
    fn enter(&mut self, address: Address, graph: u64, left: u8) -> Arc<NodeMemory> {
        const FEW: usize = 64;
        let memory = Arc::new(NodeMemory { address, graph, left: AtomicU8::new(left), names: AtomicUsize::new(0) });
        if self.memories.len() >= self.most {
            self.memories.retain(|_, memory| memory.strong_count() > 0);
            self.most = FEW.max(self.memories.len() * 2);
        }
        let displaced = self.memories.insert(address, Arc::downgrade(&memory)).and_then(|before| before.upgrade());
        // What is at the address from now on is not freed by its name.
        displaced.iter().for_each(|displaced| displaced.lose_sight());
        memory
    }
}

impl NodeMemories {
    /// A node that allocates at this address was added to the graph with the number `graph`.
    pub(crate) fn allocated_by_node(&self, address: Address, graph: u64) -> Arc<NodeMemory> {
        lock(&self.0).enter(address, graph, FREE)
    }

    /// A node of others allocates at this address.
    pub(crate) fn of_others(&self, address: Address) -> Arc<NodeMemory> {
        let mut known = lock(&self.0);
        let there = known.memories.get(&address).and_then(Weak::upgrade);
        there.filter(|there| there.is_of(OTHERS)).unwrap_or_else(|| known.enter(address, OTHERS, UNKNOWN))
    }

    /// Returns whether nodes ever allocated anything that is known.
    pub(crate) fn are_used(&self) -> bool {
        lock(&self.0).most > 0
    }

    /// Returns what a node allocates at an address, if graphcap knows that node.
    pub(crate) fn find(&self, address: Address) -> Option<Arc<NodeMemory>> {
        lock(&self.0).memories.get(&address).and_then(Weak::upgrade)
    }
}

impl NodeMemory {
    /// Returns whether the graph with the number `graph` allocates it.
    pub(crate) fn is_of(&self, graph: u64) -> bool {
        self.graph == graph
    }

    /// Core has a name for it, from here on.
    pub(crate) fn name(&self) {
        self.names.fetch_add(1, Ordering::AcqRel);
    }

    /// Core lets go of a name. Whether it is the last one, and the memory is allocated.
    pub(crate) fn is_to_be_freed(&self) -> bool {
        self.names.fetch_sub(1, Ordering::AcqRel) == 1
            && self.left.compare_exchange(ALLOCATED, FREE, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Returns whether a launch may have left it allocated.
    pub(crate) fn may_be_left(&self) -> bool {
        self.left.load(Ordering::Acquire) != FREE
    }

    /// A stream is about to free it. `None` where it is known that it is not allocated.
    pub(crate) fn begin_free(&self) -> Option<Freeing<'_>> {
        let is_first = match self.left.compare_exchange(ALLOCATED, FREEING, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => true,
            Err(FREE) => return None,
            // Of two that free it at once the driver refuses one.
            Err(_) => false,
        };
        Some(Freeing { memory: self, is_first })
    }

    /// A launch was queued that leaves it allocated, or frees it.
    pub(crate) fn launched(&self, is_left: bool) {
        let left = if is_left { ALLOCATED } else { FREE };
        let unless_unknown = |before| (before != UNKNOWN).then_some(left);
        let _ = self.left.fetch_update(Ordering::AcqRel, Ordering::Acquire, unless_unknown);
    }

    /// Others may launch what allocates it, or free it.
    pub(crate) fn lose_sight(&self) {
        self.left.store(UNKNOWN, Ordering::Release);
    }
}

impl Freeing<'_> {
    /// The driver has freed it, or refused to. What a launch has noted since stays.
    pub(crate) fn end(self, is_freed: bool) {
        let left = if is_freed { FREE } else { ALLOCATED };
        if is_freed || self.is_first {
            let _ = self.memory.left.compare_exchange(FREEING, left, Ordering::AcqRel, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(memory: &NodeMemory) -> u8 {
        memory.left.load(Ordering::Acquire)
    }

    #[test]
    fn a_launch_beside_a_free_is_not_forgotten() {
        let memories = NodeMemories::default();
        let memory = memories.allocated_by_node(512, 1);
        assert!(memory.begin_free().is_none());
        memory.launched(true);
        let freeing = memory.begin_free().unwrap();
        // The driver has freed it; before that is noted another thread launches.
        memory.launched(true);
        freeing.end(true);
        assert_eq!(left(&memory), ALLOCATED);
        memory.begin_free().unwrap().end(false);
        assert_eq!(left(&memory), ALLOCATED);
        let (first, second) = (memory.begin_free().unwrap(), memory.begin_free().unwrap());
        second.end(true);
        first.end(false);
        assert_eq!(left(&memory), FREE);
        memory.lose_sight();
        memory.begin_free().unwrap().end(true);
        assert_eq!(left(&memory), UNKNOWN);
    }

    #[test]
    fn memory_loses_its_address_to_what_is_allocated_there_later() {
        let memories = NodeMemories::default();
        let gone = memories.allocated_by_node(512, 1);
        gone.launched(true);
        gone.name();
        let there = memories.allocated_by_node(512, 2);
        assert!(!gone.is_to_be_freed() && Arc::ptr_eq(&memories.find(512).unwrap(), &there));
        let others = memories.of_others(512);
        assert!(Arc::ptr_eq(&memories.of_others(512), &others) && !others.is_of(2));
        drop(others);
        for address in 1..1000 {
            memories.allocated_by_node(address * 512, 3);
        }
        assert!(lock(&memories.0).memories.len() <= 64);
    }
}
