//! Addresses that the nodes of a graph name, read at once, and the allocations that they lie in.
//!
//! The device is asked once about each allocation, and once about each word that is no address. So the words of all nodes are looked up
//! together, in the order of the addresses.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

use crate::objects::memory_blocks::MemoryBlock;
use crate::objects::noted_memory::{AddressPlace, NotedBlock, NotedNode, NotedWord};
use crate::operations::kernel_arguments::can_be_address;
use crate::state::{Context, GraphInner};
use graphcap_base::error::Result;
use graphcap_driver::ids::ByPlace;
use graphcap_driver::rules::ranges::Ranges;
use graphcap_driver::{
    Address, AddressOrigin, Argument, Arguments, NodeId, NodeKind, ReadKernels, Work, ADDRESS_BYTES,
};

/// The addresses that the nodes of a graph name.
#[derive(Default)]
pub(super) struct NamedMemory {
    nodes: Vec<NamingNode>,
    /// The words of all nodes that can be addresses, one node's behind another's.
    words: Vec<(AddressPlace, Address)>,
    /// Start and end of the memory that nodes allocate. It comes and goes with launches.
    own: Vec<(Address, Address)>,
    /// Addresses that nodes free.
    freed: Vec<Address>,
    /// True where nodes have graphs, whose nodes are not told.
    pub(super) has_graphs: bool,
}

/// A node, and how far its words go.
struct NamingNode {
    node: NodeId,
    kernel: Option<Arc<str>>,
    words_end: usize,
    is_unread: bool,
}

impl NamedMemory {
    /// Reads the nodes of a graph.
    ///
    /// # Errors
    /// The status of a context that faulted; what the driver says where it does not tell the nodes.
    pub(super) fn read(graph: &GraphInner) -> Result<NamedMemory> {
        let (mut named, mut names) = (NamedMemory::default(), KernelNames::default());
        let read = &mut |node, work: &Work<'_>| named.note(node, work, &mut names);
        graph.context().driver()?.graph_work(graph.id(), ReadKernels::All, read)?;
        Ok(named)
    }

    fn note(&mut self, node: NodeId, work: &Work<'_>, names: &mut KernelNames) {
        let mut word = |place, address| {
            if can_be_address(address) {
                self.words.push((place, address));
            }
        };
        let (mut kernel, mut is_unread) = (None, false);
        match work {
            Work::Kernel(launch) => {
                kernel = names.shared(launch.name);
                is_unread = matches!(launch.arguments, Arguments::Unknown);
                each_word(&launch.arguments, &mut word);
            }
            Work::Memcpy { rows, .. } => {
                word(AddressPlace::CopyDestination, rows.row.destination);
                word(AddressPlace::CopySource, rows.row.source);
            }
            Work::Memset(set) => word(AddressPlace::Memset, set.address),
            Work::Values(operations) => {
                let places = operations.iter().enumerate();
                places.for_each(|(operation, value)| word(AddressPlace::Value { operation }, value.address));
            }
            Work::MemAlloc(made) => self.own.push((made.address, made.address.saturating_add(made.bytes as u64))),
            Work::MemFree(freed) => self.freed.push(freed.address),
            work => self.has_graphs |= matches!(work.kind(), NodeKind::Child | NodeKind::Conditional),
        }
        self.nodes.push(NamingNode { node, kernel, words_end: self.words.len(), is_unread });
    }

    /// All addresses, as [`Work::each_address`] tells them, of which those are left out that can be none.
    pub(super) fn addresses(&self) -> impl Iterator<Item = Address> + '_ {
        let own = self.own.iter().map(|(start, _)| *start);
        self.words.iter().map(|(_, address)| *address).chain(own).chain(self.freed.iter().copied())
    }

    /// The nodes.
    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.nodes.iter().map(|naming| naming.node)
    }

    /// The nodes that name memory now, or may, with the allocations and the blocks that their words lie in. Words that lie in none are left
    /// out, as are those of memory that nodes allocate, and of ranges that the graph keeps as `kept`, whatever becomes of buffers there.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub(super) fn look_up(
        &mut self,
        context: &Context,
        kept: Vec<(Address, Address)>,
    ) -> Result<Vec<(NodeId, NotedNode)>> {
        let own = Ranges::of(self.own.drain(..).chain(kept));
        let words = self.words.iter().map(|(_, address)| *address);
        let mut addresses: Vec<Address> = words.filter(|address| !own.holds(*address)).collect();
        addresses.sort_unstable();
        addresses.dedup();
        let blocks = MemoryBlock::at_each(&addresses);
        let mut reader = context.read_arguments(context.moment());
        let mut allocations: Vec<AddressOrigin> = Vec::new();
        for address in addresses {
            if allocations.last().is_some_and(|last| last.holds(address)) {
                continue;
            }
            allocations.extend(reader.allocation(address)?);
        }
        let allocations: Arc<[AddressOrigin]> = allocations.into();
        let allocation_of = |address: Address| {
            // They are in the order of their addresses, and so of their ends.
            let found = allocations.partition_point(|origin| origin.base <= address).checked_sub(1)?;
            allocations.get(found).filter(|origin| origin.holds(address) && !own.holds(address)).map(|_| found)
        };
        let (mut noted, mut from) = (Vec::new(), 0);
        for NamingNode { node, kernel, words_end, is_unread } in self.nodes.drain(..) {
            let own = self.words.get(from..words_end).unwrap_or_default();
            from = words_end;
            let words = own.iter().filter_map(|&(place, address)| {
                Some(NotedWord { place, address, allocation: allocation_of(address)? })
            });
            let words: Vec<NotedWord> = words.collect();
            let in_blocks = own.iter().filter(|_| !blocks.is_empty()).filter_map(|&(place, address)| {
                let block = blocks.get(blocks.binary_search_by_key(&address, |(address, _)| *address).ok()?)?;
                Some(NotedBlock { place, address, block: Arc::clone(&block.1) })
            });
            let blocks: Vec<NotedBlock> = in_blocks.collect();
            if is_unread || !words.is_empty() || !blocks.is_empty() {
                let allocations = Arc::clone(&allocations);
                noted.push((node, NotedNode { kernel, words, allocations, blocks, is_unread }));
            }
        }
        Ok(noted)
    }
}

/// Calls `word` for each word of 8 bytes of a kernel's arguments.
fn each_word(arguments: &Arguments<'_>, word: &mut impl FnMut(AddressPlace, Address)) {
    let mut words = |parameter, bytes: &[u8]| {
        for (number, bytes) in bytes.as_chunks::<ADDRESS_BYTES>().0.iter().enumerate() {
            let place = AddressPlace::Argument { parameter, offset: number * ADDRESS_BYTES };
            word(place, Address::from_ne_bytes(*bytes));
        }
    };
    match arguments {
        Arguments::Separate(arguments) => {
            for (parameter, argument) in arguments.iter().enumerate() {
                match argument {
                    Argument::Address(address) => words(parameter, &address.to_ne_bytes()),
                    Argument::Value(bytes) => words(parameter, bytes),
                }
            }
        }
        Arguments::Packed(block) => words(0, block),
        Arguments::Unknown => {}
    }
}

/// Names of kernels that a device tells again and again.
#[derive(Default)]
struct KernelNames(HashMap<u64, Arc<str>, BuildHasherDefault<ByPlace>>);

impl KernelNames {
    /// A name as one that the nodes share; `None` for none.
    fn shared(&mut self, name: &str) -> Option<Arc<str>> {
        if name.is_empty() {
            return None;
        }
        // Mostly the device tells the same text.
        let known = self.0.entry(name.as_ptr().addr() as u64).or_insert_with(|| name.into());
        if **known != *name {
            *known = name.into();
        }
        Some(Arc::clone(known))
    }
}
