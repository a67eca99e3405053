//! Whether what nodes allocate is allocated when the launches so far are through. graphcap frees it when nobody can name it any more.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};

use crate::driver::Address;
use crate::lock::lock;

/// What one node allocates, or several one after another.
pub(super) struct NodeMemory {
    pub(super) address: Address,
    /// The number of the graph that allocates it; 0 for one of others.
    graph: u64,
    left: AtomicU8,
    /// How many names core has.
    names: AtomicUsize,
}

/// What launches and frees leave behind.
const FREE: u8 = 0;
const ALLOCATED: u8 = 1;
/// Others may have launched or freed. Then nothing is freed for them: the driver may have others' memory at the address.
const UNKNOWN: u8 = 2;

/// What the nodes of an exec allocate and free, each with whether a launch leaves it allocated.
pub(super) type Memories = Box<[(Arc<NodeMemory>, bool)]>;

/// What the nodes of a graph allocate and free, by address, each with how many nodes allocate it more than free it.
pub(super) type Excess = BTreeMap<Address, (Arc<NodeMemory>, isize)>;

/// All that nodes of graphs of a context allocate.
#[derive(Default)]
pub(super) struct NodeMemories(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// What was allocated last at each address: the driver gives an address again when the graph is destroyed that had it.
    memories: BTreeMap<Address, Weak<NodeMemory>>,
    /// How many there can be before those that are gone are taken out.
    most: usize,
}

impl NodeMemories {
    /// A node that allocates at this address was added to the graph with the number `graph`.
    pub(super) fn allocated_by_node(&self, address: Address, graph: u64) -> Arc<NodeMemory> {
        const FEW: usize = 64;
        let memory = Arc::new(NodeMemory { address, graph, left: AtomicU8::new(FREE), names: AtomicUsize::new(0) });
        let mut known = lock(&self.0);
        if known.memories.len() >= known.most {
            known.memories.retain(|_, memory| memory.strong_count() > 0);
            known.most = FEW.max(known.memories.len() * 2);
        }
        let displaced = known.memories.insert(address, Arc::downgrade(&memory)).and_then(|before| before.upgrade());
        // What is at the address from now on is not freed by its name.
        displaced.iter().for_each(|displaced| displaced.lose_sight());
        memory
    }

    /// What a node allocates at an address, if graphcap added that node.
    pub(super) fn find(&self, address: Address) -> Option<Arc<NodeMemory>> {
        lock(&self.0).memories.get(&address).and_then(Weak::upgrade)
    }
}

impl NodeMemory {
    /// A node of others allocates it.
    pub(super) fn of_others(address: Address) -> Arc<NodeMemory> {
        Arc::new(NodeMemory { address, graph: 0, left: AtomicU8::new(UNKNOWN), names: AtomicUsize::new(0) })
    }

    /// Whether the graph with the number `graph` allocates it.
    pub(super) fn is_of(&self, graph: u64) -> bool {
        self.graph == graph
    }

    /// Core has a name for it, from here on.
    pub(super) fn name(&self) {
        self.names.fetch_add(1, Ordering::AcqRel);
    }

    /// Core lets go of a name. Whether it is the last one, and the memory is allocated.
    pub(super) fn is_to_be_freed(&self) -> bool {
        self.names.fetch_sub(1, Ordering::AcqRel) == 1
            && self.left.compare_exchange(ALLOCATED, FREE, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// A stream is about to free it. False where it is known that it is not allocated.
    pub(super) fn begin_free(&self) -> bool {
        match self.left.compare_exchange(ALLOCATED, FREE, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => true,
            Err(left) => left != FREE,
        }
    }

    /// The driver refused to free it.
    pub(super) fn not_freed(&self) {
        // A launch that allocates it may have been noted since.
        let _ = self.left.compare_exchange(FREE, ALLOCATED, Ordering::AcqRel, Ordering::Relaxed);
    }

    /// A launch was queued that leaves it allocated, or frees it.
    pub(super) fn launched(&self, is_left: bool) {
        let left = if is_left { ALLOCATED } else { FREE };
        let unless_unknown = |before| (before != UNKNOWN).then_some(left);
        let _ = self.left.fetch_update(Ordering::AcqRel, Ordering::Acquire, unless_unknown);
    }

    /// Others may launch what allocates it, or free it.
    pub(super) fn lose_sight(&self) {
        self.left.store(UNKNOWN, Ordering::Release);
    }
}
