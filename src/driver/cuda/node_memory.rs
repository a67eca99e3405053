//! Whether what nodes allocate is allocated when the launches so far are through. graphcap frees it when nobody can name it any more.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};

use crate::driver::Address;
use crate::lock::lock;

/// What one node allocates, or several one after another.
pub(super) struct NodeMemory {
    pub(super) address: Address,
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
pub(super) struct NodeMemories(Mutex<BTreeMap<Address, Weak<NodeMemory>>>);

impl NodeMemories {
    /// A node that allocates at this address was added.
    pub(super) fn allocated_by_node(&self, address: Address) -> Arc<NodeMemory> {
        let memory = Arc::new(NodeMemory { address, left: AtomicU8::new(FREE), names: AtomicUsize::new(0) });
        let mut known = lock(&self.0);
        known.retain(|_, memory| memory.strong_count() > 0);
        known.insert(address, Arc::downgrade(&memory));
        memory
    }

    /// What a node allocates at an address, if graphcap added that node.
    pub(super) fn find(&self, address: Address) -> Option<Arc<NodeMemory>> {
        lock(&self.0).get(&address).and_then(Weak::upgrade)
    }
}

impl NodeMemory {
    /// A node of others allocates it.
    pub(super) fn of_others(address: Address) -> Arc<NodeMemory> {
        Arc::new(NodeMemory { address, left: AtomicU8::new(UNKNOWN), names: AtomicUsize::new(0) })
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

    /// Whether it is known that it is not allocated.
    pub(super) fn is_free(&self) -> bool {
        self.left.load(Ordering::Acquire) == FREE
    }

    /// A launch was queued that leaves it allocated, or frees it.
    pub(super) fn launched(&self, is_left: bool) {
        self.now(if is_left { ALLOCATED } else { FREE });
    }

    /// A stream frees it.
    pub(super) fn freed(&self) {
        self.now(FREE);
    }

    fn now(&self, left: u8) {
        let unless_unknown = |before| (before != UNKNOWN).then_some(left);
        let _ = self.left.fetch_update(Ordering::AcqRel, Ordering::Acquire, unless_unknown);
    }

    /// Others may launch what allocates it, or free it.
    pub(super) fn lose_sight(&self) {
        self.left.store(UNKNOWN, Ordering::Release);
    }
}
