//! Memory that is gone while a graph still names it by its address.
//!
//! A graph keeps the buffers that gc_ calls recorded. Nobody keeps memory of others for it, nor memory whose address stands among the
//! bytes of an argument. A replay after the end of such memory reads and writes what others have there by then, or faults.
//!
//! The end of a capture can note, of each such address, the allocation that it lies in, and the number by which the device tells that
//! allocation from later ones. One question for each allocation tells later whether it is gone. No node is read for that: a node that is
//! set or removed loses its notes. The device does not tell what becomes of a block within an allocation; the allocators that give out
//! such blocks do.

use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::Arc;

use super::named_memory::NamedMemory;
use super::retention;
use crate::objects::memory_blocks::MemoryBlock;
use crate::objects::noted_memory::{AddressPlace, NotedBlock, NotedNode, NotedNodes};
use crate::pools::within::blocks_of;
use crate::state::{Context, Edits, GraphInner};
use graphcap_base::error::{Error, Result};
use graphcap_base::names::quoted;
use graphcap_driver::{Address, AddressOrigin, NodeId};

/// An address of a node whose memory was freed.
#[derive(Clone, Debug)]
pub struct GoneAddress {
    /// The node, as the graph has it that the exec does the work of.
    pub node: NodeId,
    /// The name of the kernel that it launches, where the device told it.
    pub kernel: Option<Arc<str>>,
    /// Place of the address in the node.
    pub place: AddressPlace,
    /// The address.
    pub address: Address,
    /// The allocation that it lay in.
    pub allocation: AddressOrigin,
    /// True where other memory lies there by now.
    pub is_exchanged: bool,
    /// The block of an allocator's that it lay in, where that is what is gone: then `allocation` has its range.
    pub block: Option<GoneBlock>,
}

/// A block that its allocator took back.
#[derive(Clone, Debug)]
pub struct GoneBlock {
    /// The block.
    pub block: Arc<MemoryBlock>,
    /// The one that lies at the address now.
    pub now: Option<Arc<MemoryBlock>>,
}

/// The memory that the nodes of a graph named, as an exec of it keeps it.
pub(crate) struct NotedMemory(NotedNodes);

impl GraphInner {
    /// Notes the memory that the nodes of the graph name by addresses now; what was noted of them before goes.
    ///
    /// # Errors
    /// The status of a context that faulted; `INVALID_HANDLE` when the graph is within one that is destroyed; what the driver says
    /// where it does not tell the nodes.
    pub(crate) fn note_memory(&self) -> Result<()> {
        self.note(NamedMemory::read(self)?)
    }

    /// As [`GraphInner::note_memory`], of nodes that were read.
    pub(super) fn note(&self, mut named: NamedMemory) -> Result<()> {
        let nodes: Vec<NodeId> = named.nodes().collect();
        let noted = named.look_up(self.context(), self.kept_blocks()?)?;
        self.root().lock()?.notes.set_memory(nodes.into_iter(), noted);
        Ok(())
    }

    /// Start and end of each block of a pool that the graph keeps.
    fn kept_blocks(&self) -> Result<Vec<(Address, Address)>> {
        let blocks = RefCell::new(Vec::new());
        let lists = self.kept();
        let edits = self.root().lock()?;
        retention::see_all(edits.holdings.as_deref(), &lists, &|kept| {
            blocks.borrow_mut().extend(blocks_of(kept).iter().map(|block| block.range()));
        });
        drop(edits);
        Ok(blocks.into_inner())
    }

    /// The memory that was noted, where all of it is there. `edits` are those of the graph.
    ///
    /// # Errors
    /// `INVALID_VALUE` where some is gone, with the first address that names it; `OUT_OF_MEMORY`; the status of a context that faulted.
    pub(crate) fn noted_memory(&self, edits: &Edits) -> Result<Option<NotedMemory>> {
        let Some(nodes) = edits.notes.memory()? else { return Ok(None) };
        let memory = NotedMemory(nodes);
        match memory.gone(self.context(), &|_| true)?.first() {
            None => Ok(Some(memory)),
            Some(gone) => {
                // A graph that a failed capture took along has no nodes any more, which is told first.
                self.context().driver()?.graph_node_count(self.id)?;
                Err(self.naming_all(edits, gone.refused(&format!("node {:#x}", gone.node.0))))
            }
        }
    }
}

impl NotedMemory {
    /// The memory that was noted of these nodes.
    pub(super) fn of(nodes: NotedNodes) -> NotedMemory {
        NotedMemory(nodes)
    }

    /// The addresses whose memory is gone, of the nodes for which `counts` holds.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub(super) fn gone(&self, context: &Context, counts: &dyn Fn(NodeId) -> bool) -> Result<Vec<GoneAddress>> {
        let mut gone = Vec::new();
        for allocations in self.each_allocations() {
            let mut are_there = Vec::with_capacity(allocations.len());
            for noted in allocations.iter() {
                let now = context.driver()?.address_origin(noted.base)?;
                are_there.push(now.is_some_and(|now| now.id == noted.id));
            }
            if are_there.iter().all(|is_there| *is_there) {
                continue;
            }
            let with_these = |noted: &NotedNode| Arc::ptr_eq(&noted.allocations, allocations);
            for (node, noted) in self.0.iter().filter(|(node, noted)| with_these(noted) && counts(*node)) {
                for word in &noted.words {
                    let is_there = are_there.get(word.allocation).copied().unwrap_or(true);
                    if let Some(&allocation) = allocations.get(word.allocation).filter(|_| !is_there) {
                        gone.push(GoneAddress {
                            node: *node,
                            kernel: noted.kernel.clone(),
                            place: word.place,
                            address: word.address,
                            allocation,
                            is_exchanged: context.driver()?.address_origin(word.address)?.is_some(),
                            block: None,
                        });
                    }
                }
            }
        }
        let told: HashSet<(NodeId, Address)> = gone.iter().map(|gone| (gone.node, gone.address)).collect();
        gone.extend(self.gone_blocks(counts).filter(|gone| !told.contains(&(gone.node, gone.address))));
        gone.sort_by_key(|gone| gone.node.place());
        Ok(gone)
    }

    /// The addresses whose blocks their allocators took back.
    fn gone_blocks<'a>(&'a self, counts: &'a dyn Fn(NodeId) -> bool) -> impl Iterator<Item = GoneAddress> + 'a {
        let nodes = self.0.iter().filter(move |(node, _)| counts(*node));
        let noted = nodes.flat_map(|(node, noted)| noted.blocks.iter().map(move |block| (*node, noted, block)));
        noted.filter_map(|(node, noted, NotedBlock { place, address, block })| {
            let now = MemoryBlock::at(*address);
            let allocation = AddressOrigin { base: block.address, bytes: block.bytes, id: 0 };
            // It may have been told again with another size or name.
            let is_same = |now: &Arc<MemoryBlock>| now.address == block.address && now.generation == block.generation;
            (!now.as_ref().is_some_and(is_same)).then(|| GoneAddress {
                node,
                kernel: noted.kernel.clone(),
                place: *place,
                address: *address,
                allocation,
                is_exchanged: now.is_some(),
                block: Some(GoneBlock { block: Arc::clone(block), now }),
            })
        })
    }

    /// The nodes, and what was noted of each.
    pub(super) fn nodes(&self) -> &[(NodeId, Arc<NotedNode>)] {
        &self.0
    }

    /// The lists of allocations, each once.
    pub(super) fn each_allocations(&self) -> impl Iterator<Item = &Arc<[AddressOrigin]>> {
        let (mut seen, mut latest) = (HashSet::new(), std::ptr::null());
        self.0.iter().map(|(_, noted)| &noted.allocations).filter(move |list| {
            // Mostly all nodes were noted together.
            let is_other = !std::ptr::eq(list.as_ptr(), latest);
            latest = list.as_ptr();
            is_other && seen.insert(latest)
        })
    }
}

impl GoneAddress {
    /// Returns in words which part of the node has the address, and what became of the memory.
    pub fn text(&self) -> String {
        let GoneAddress { address, allocation: AddressOrigin { base, bytes, .. }, .. } = self;
        let of_kernel = self.kernel.as_deref().map(|name| format!(" of kernel {}", quoted(name))).unwrap_or_default();
        let place = match self.place {
            AddressPlace::Argument { parameter, offset: 0 } => format!("parameter {parameter}{of_kernel}"),
            AddressPlace::Argument { parameter, offset } => {
                format!("parameter {parameter}{of_kernel}, at byte {offset} of it,")
            }
            AddressPlace::CopyDestination => String::from("the destination of the copy"),
            AddressPlace::CopySource => String::from("the source of the copy"),
            AddressPlace::Memset => String::from("the memset"),
            AddressPlace::Value { operation } => format!("value operation {operation}"),
        };
        if let Some(GoneBlock { block, now }) = &self.block {
            let now = now
                .as_ref()
                .map_or_else(|| "no block lies there now".into(), |now| format!("{} lies there now", now.label()));
            let was = block.label();
            return format!(
                "{place} has the address {address:#x}, in {was} that its allocator took back since the capture; {now}"
            );
        }
        let now = if self.is_exchanged { "other memory lies there now" } else { "nothing lies there now" };
        format!(
            "{place} has the address {address:#x}, in an allocation of {bytes} bytes at {base:#x} that was freed since the capture; {now}"
        )
    }

    /// The refusal of work with the address, of a node that is called so.
    #[cold]
    pub(super) fn refused(&self, node: &str) -> Error {
        Error::invalid_value(format!(
            "{node}: {}; keep memory as long as a graph or an exec names it, or capture again with the memory of now",
            self.text()
        ))
    }
}
