//! Memory that nodes of graphs allocate and free. Its address is chosen when the node is added; it is alive from a launch
//! that allocates it until it is freed, by a node or by the caller.
//!
//! Whether a launch may allocate or free is decided when it is made, by what the launches before it leave behind.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use crate::memory;
use crate::memory::block::Block;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex, MutexGuard};
use graphcap_driver::refusals::not_allocated;
use graphcap_driver::Address;

/// Every such allocation starts at a multiple of this, as those of NVIDIA's driver do.
const NODE_ALIGNMENT: usize = 512;

/// Memory that one node allocates, or several one after another.
pub(crate) struct NodeMemory {
    block: Arc<Block>,
    bytes: usize,
    /// The number of the graph that allocates it.
    graph: u64,
    /// Tells whether it is allocated when the launches that were made so far are through.
    is_allocated: Arc<AtomicBool>,
    nodes: Mutex<Nodes, rank::MemoryNodes>,
}

/// The nodes that allocate and free one piece of memory.
#[derive(Default)]
struct Nodes {
    allocations: usize,
    /// Of the same graph.
    frees: usize,
    /// The slot of the last one of these.
    last_free: Option<u32>,
    /// Of other graphs.
    foreign_frees: usize,
    /// True where an exec was made of the graph while no node of it freed the memory: none can be added that does.
    outlives_launches: bool,
}

/// Memory that a node frees.
pub(crate) struct Freed {
    pub(crate) memory: Arc<NodeMemory>,
    is_foreign: bool,
}

/// All that nodes allocate, by address.
static NODE_MEMORIES: Mutex<BTreeMap<Address, Weak<NodeMemory>>, rank::KnownMemory> = Mutex::new(BTreeMap::new());
/// Held while a launch that allocates or frees is queued, so that each finds what the one before leaves behind.
static LAUNCHING: Mutex<(), rank::Launching> = Mutex::new(());

impl NodeMemory {
    /// Memory for a node of the graph with the number `graph`.
    ///
    /// # Errors
    /// `INVALID_VALUE` for no bytes; `OUT_OF_MEMORY`.
    pub(crate) fn new(bytes: usize, graph: u64) -> Result<Arc<NodeMemory>> {
        if bytes == 0 {
            return Err(Error::invalid_value("a node cannot allocate 0 bytes; the size must be at least 1"));
        }
        let block = Block::allocate_closed(bytes, NODE_ALIGNMENT).ok_or_else(|| {
            Error::new(
                Status::OUT_OF_MEMORY,
                format!("the host device has no {bytes} bytes for the node to allocate; free buffers or ask for a smaller size"),
            )
        })?;
        let nodes = Mutex::new(Nodes { allocations: 1, ..Nodes::default() });
        let memory = Arc::new(NodeMemory { block: Arc::new(block), bytes, graph, is_allocated: Arc::default(), nodes });
        memory::promise(memory.address(), bytes);
        lock(&NODE_MEMORIES).insert(memory.address(), Arc::downgrade(&memory));
        Ok(memory)
    }

    /// Returns what is allocated at an address by a node.
    ///
    /// # Errors
    /// `INVALID_VALUE` when no node allocates at that address.
    pub(crate) fn find(address: Address) -> Result<Arc<NodeMemory>> {
        lock(&NODE_MEMORIES).get(&address).and_then(Weak::upgrade).ok_or_else(|| {
            Error::invalid_value(format!(
                "no node of a graph allocates memory at {address:#x}, which a node could free"
            ))
        })
    }

    pub(crate) fn address(&self) -> Address {
        self.block.address()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Makes another node of its graph allocate it again, which comes after the node in slot `free`. False where that is not its
    /// last free, or where the size is another.
    pub(crate) fn allocate_again(&self, bytes: usize, free: u32) -> bool {
        let mut nodes = lock(&self.nodes);
        let is_free = self.bytes == bytes && nodes.last_free == Some(free) && nodes.frees == nodes.allocations;
        nodes.allocations += usize::from(is_free);
        is_free
    }

    /// The node that was about to allocate it again was not added.
    pub(crate) fn give_up_allocation(&self) {
        lock(&self.nodes).allocations -= 1;
    }

    /// Makes a node of the graph with the number `graph` free it.
    ///
    /// # Errors
    /// `INVALID_VALUE` where another node does, or where an exec was made that leaves it allocated.
    pub(crate) fn free_by(self: &Arc<Self>, graph: u64) -> Result<Freed> {
        let mut nodes = lock(&self.nodes);
        let is_foreign = graph != self.graph;
        if nodes.frees == nodes.allocations || !is_foreign && nodes.foreign_frees > 0 {
            return Err(Error::invalid_value(format!(
                "a node frees the allocation at {:#x} already; it is freed once",
                self.address()
            )));
        }
        if nodes.outlives_launches && !is_foreign {
            return Err(Error::invalid_value(format!(
                "a graph exec was made that leaves the allocation at {:#x} allocated, and its graph cannot free it since; free it outside of the \
                 graph with gc_stream_mem_free(), or in another graph, or add the node before the graph is instantiated",
                self.address()
            )));
        }
        match is_foreign {
            true => nodes.foreign_frees += 1,
            false => nodes.frees += 1,
        }
        Ok(Freed { memory: Arc::clone(self), is_foreign })
    }

    /// A replay comes to a node that allocates it.
    pub(crate) fn begin(&self) {
        memory::reveal(&self.block, self.bytes, &self.is_allocated);
    }

    /// A replay comes to a node that frees it.
    pub(crate) fn end(&self) {
        memory::conceal_unless(self.address(), &self.is_allocated);
    }
}

impl Drop for NodeMemory {
    fn drop(&mut self) {
        lock(&NODE_MEMORIES).remove(&self.block.address());
        // Nobody can name it any more, to free it.
        self.is_allocated.store(false, Ordering::SeqCst);
        memory::conceal_unless(self.block.address(), &self.is_allocated);
        memory::withdraw_promise(self.block.address());
    }
}

impl Freed {
    /// The node that frees it was added, in slot `slot` of its graph.
    pub(crate) fn added(&self, slot: u32) {
        if !self.is_foreign {
            lock(&self.memory.nodes).last_free = Some(slot);
        }
    }
}

impl Drop for Freed {
    fn drop(&mut self) {
        let mut nodes = lock(&self.memory.nodes);
        match self.is_foreign {
            true => nodes.foreign_frees -= 1,
            false => nodes.frees -= 1,
        }
    }
}

/// Frees what a node allocated at an address, in the order of a stream, which drops the result when it comes to it.
///
/// # Errors
/// `INVALID_VALUE` where it is not allocated.
pub(crate) fn free(address: Address) -> Result<memory::Release> {
    let _alone = lock(&LAUNCHING);
    memory::free_of_node(address).ok_or_else(|| not_allocated(address))
}

/// Memory that the nodes of an exec allocate and free.
#[derive(Default)]
pub(crate) struct NodeMemories(Vec<Use>);

/// One piece of memory in a launch.
struct Use {
    memory: Arc<NodeMemory>,
    allocates: bool,
    /// Number of nodes that allocate it less the number of those that free it.
    excess: isize,
}

/// Promise that no other launch that allocates or frees is made.
pub(crate) struct Launching<'a> {
    memories: &'a NodeMemories,
    _alone: MutexGuard<'static, ()>,
}

impl NodeMemories {
    /// Of nodes that allocate memory, and of those that free it.
    pub(crate) fn of<'a>(nodes: impl Iterator<Item = (&'a Arc<NodeMemory>, bool)>) -> NodeMemories {
        let mut uses: Vec<Use> = Vec::new();
        let mut places = HashMap::new();
        for (memory, allocates) in nodes {
            let place = *places.entry(Arc::as_ptr(memory)).or_insert(uses.len());
            if place == uses.len() {
                uses.push(Use { memory: Arc::clone(memory), allocates: false, excess: 0 });
            }
            uses[place].allocates |= allocates;
            uses[place].excess += if allocates { 1 } else { -1 };
        }
        NodeMemories(uses)
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Begins a launch; nothing where no node allocates or frees. With `auto_free` it frees first what an earlier launch has
    /// allocated.
    ///
    /// # Errors
    /// `INVALID_VALUE` where it would allocate what is allocated, or free what is not.
    pub(crate) fn launch(&self, auto_free: bool) -> Result<Option<Launching<'_>>> {
        if self.is_empty() {
            return Ok(None);
        }
        let launching = Launching { memories: self, _alone: lock(&LAUNCHING) };
        for Use { memory, allocates, .. } in &self.0 {
            let is_allocated = memory.is_allocated.load(Ordering::SeqCst);
            let address = memory.address();
            match (allocates, is_allocated) {
                (true, true) if !auto_free => {
                    return Err(Error::invalid_value(format!(
                        "the allocation at {address:#x} of an earlier launch was not freed; free it by gc_stream_mem_free() before the \
                         graph is launched again, or make the exec with GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH"
                    )));
                }
                (false, false) => {
                    return Err(Error::invalid_value(format!(
                        "the graph frees the allocation at {address:#x}, which no launch has made, or which is freed; launch the graph \
                         that allocates it first"
                    )));
                }
                _ => {}
            }
        }
        Ok(Some(launching))
    }
}

impl NodeMemories {
    /// The number of bytes that a launch needs at most, each allocation at a multiple of what they start at.
    pub(crate) fn bytes(&self) -> u64 {
        let allocated = self.0.iter().filter(|known| known.allocates);
        allocated.map(|known| known.memory.bytes.next_multiple_of(NODE_ALIGNMENT) as u64).sum()
    }

    /// Returns whether each of the allocations is allocated when the launches so far are through.
    pub(crate) fn allocated(&self) -> impl Iterator<Item = &Arc<AtomicBool>> {
        let allocated = self.0.iter().filter(|known| known.allocates);
        allocated.map(|known| &known.memory.is_allocated)
    }

    /// An exec of them was made: the graph cannot free any more what it leaves allocated.
    pub(crate) fn instantiated(&self) {
        for Use { memory, .. } in self.0.iter().filter(|known| known.excess > 0) {
            lock(&memory.nodes).outlives_launches = true;
        }
    }
}

impl Launching<'_> {
    /// The launch is queued.
    pub(crate) fn commit(&self) {
        for Use { memory, excess, .. } in &self.memories.0 {
            match *excess > 0 {
                true => memory::allocate_for_node(&memory.block, memory.bytes, &memory.is_allocated),
                false => memory.is_allocated.store(false, Ordering::SeqCst),
            }
        }
    }
}
