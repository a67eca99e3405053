//! The memory that the nodes of a graph name by its address, as the device told of it when it was noted.

use std::sync::Arc;

use super::memory_blocks::MemoryBlock;
use graphcap_driver::{Address, AddressOrigin, NodeId};

/// The part of a node's work that has an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressPlace {
    /// An argument of a kernel.
    Argument {
        /// Number of the kernel's parameter, counted from 0. It is 0 where the arguments are one block.
        parameter: usize,
        /// Start of the address, in bytes within the parameter, or within the block.
        offset: usize,
    },
    /// The destination of a copy.
    CopyDestination,
    /// The source of a copy.
    CopySource,
    /// The memory that a memset writes.
    Memset,
    /// The word that a value operation waits for or writes.
    Value {
        /// Number of the operation in the node, counted from 0.
        operation: usize,
    },
}

/// An address of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NotedWord {
    pub(crate) place: AddressPlace,
    pub(crate) address: Address,
    /// The place of its allocation among [`NotedNode::allocations`].
    pub(crate) allocation: usize,
}

/// An address of a node that lies in a block which an allocator of the program gave out.
pub(crate) struct NotedBlock {
    pub(crate) place: AddressPlace,
    pub(crate) address: Address,
    pub(crate) block: Arc<MemoryBlock>,
}

/// Nodes, and the addresses of each.
pub(crate) type NotedNodes = Vec<(NodeId, Arc<NotedNode>)>;

/// The addresses of a node.
pub(crate) struct NotedNode {
    /// The name of the kernel that it launches, where the device tells it.
    pub(crate) kernel: Option<Arc<str>>,
    pub(crate) words: Vec<NotedWord>,
    /// Those of all nodes that were noted together with it.
    pub(crate) allocations: Arc<[AddressOrigin]>,
    /// Those of the addresses that lie in blocks, whether the device knows them or not.
    pub(crate) blocks: Vec<NotedBlock>,
    /// True where it may have more addresses, which the device does not tell.
    pub(crate) is_unread: bool,
}
