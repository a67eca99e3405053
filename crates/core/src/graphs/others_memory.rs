//! Memory that others name by its address alone, in work that they record into a capture or add to a graph.
//!
//! What a gc_ call records it lists as objects. Of what others record on a stream that they have too, the nodes have addresses. So
//! the end of such a capture looks up each address that its nodes have, and has the graph keep what lies there. A pointer that lies
//! in memory is not seen.

use std::cell::RefCell;
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::graph::Graph;
use super::node_data::{NodeParams, OwnedArguments};
use super::retention::{self, See};
use crate::keep::Kept;
use crate::objects::buffer::{Buffer, BufferInner};
use crate::objects::module::ModuleInner;
use crate::operations::kernel_arguments::{ArgumentBytes, Meaning, Parameter, Piece};
use crate::operations::operands::Operand;
use crate::state::{Context, ContextInner, GraphInner};
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::{check_caller, Address, MemAlloc, NodeId};

/// Memory that work of others can name.
pub(crate) struct MemoryOfContexts<'a> {
    contexts: &'a [Context],
    /// All of it lies there. Most words of a graph are outside: a graph names as many as it has parameters.
    bounds: RangeInclusive<Address>,
}

impl MemoryOfContexts<'_> {
    /// Memory of contexts; `None` where they have none.
    pub(crate) fn of(contexts: &[Context]) -> Option<MemoryOfContexts<'_>> {
        let bounds = contexts.iter().filter_map(|context| context.memory().bounds());
        let bounds = bounds.reduce(|a, b| *a.start().min(b.start())..=*a.end().max(b.end()))?;
        Some(MemoryOfContexts { contexts, bounds })
    }
}

/// The address of memory that graphcap has no buffer of, among the arguments of a kernel node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnresolvedPointer {
    /// The kernel node.
    pub node: NodeId,
    /// Which parameter of the kernel, counted from 0. It is 0 where the arguments are one block.
    pub parameter: usize,
    /// Start of the address, in bytes within the parameter, or within the block.
    pub offset: usize,
    /// The address.
    pub address: Address,
}

impl GraphInner {
    /// Makes the graph keep the memory that its nodes have addresses of.
    ///
    /// # Errors
    /// The status of a context that faulted; `OUT_OF_MEMORY`.
    pub(crate) fn keep_what_others_use(&self, memory: &MemoryOfContexts<'_>) -> Result<()> {
        let (mut addresses, bounds) = (Vec::new(), &memory.bounds);
        let mut note = |address| addresses.extend(Some(address).filter(|address| bounds.contains(address)));
        match self.context().driver()?.graph_addresses(self.id(), &mut note) {
            // A driver without edge data does not tell of graphs whose edges carry something.
            Err(error) if matches!(error.status, Status::LOSSY_QUERY | Status::NOT_SUPPORTED) => Ok(()),
            told => told.and_then(|()| self.keep_memory_at(memory, addresses.into_iter())),
        }
    }

    /// As [`GraphInner::keep_what_others_use`], where these are the addresses.
    pub(super) fn keep_memory_at(
        &self,
        MemoryOfContexts { contexts, bounds }: &MemoryOfContexts<'_>,
        addresses: impl Iterator<Item = Address>,
    ) -> Result<()> {
        let mut addresses: Vec<Address> = addresses.filter(|address| bounds.contains(address)).collect();
        addresses.sort_unstable();
        addresses.dedup();
        let (mut kept, mut known): (Vec<Kept>, _) = (Vec::new(), HashSet::new());
        for address in addresses {
            for (context, buffer) in contexts.iter().flat_map(|context| owners(context, address)) {
                if known.insert(Arc::as_ptr(&buffer.inner())) {
                    kept.push(match buffer.lend(context)? {
                        Some(loan) => Operand::Lent(&buffer, &loan).kept(),
                        None => Operand::Buffer(&buffer).kept(),
                    });
                }
            }
        }
        if kept.is_empty() {
            return Ok(());
        }
        let (list, mut line) = retention::begin(kept, Vec::new());
        self.retain_next(list, &mut line)
    }
}

/// The buffers that hold the byte at an address; where none does, the first of those that end there.
fn owners(context: &Context, address: Address) -> impl Iterator<Item = (&Context, Buffer)> {
    let found = context.memory().find_all(address);
    let count = found.iter().take_while(|found| !found.is_end).count().max(1);
    found.into_iter().take(count).filter_map(move |found| {
        let (start, is_end) = (found.start, found.is_end);
        let buffer = Buffer::from_listed(found.memory)?;
        if is_end {
            // So that an edit finds the node that uses it.
            buffer.argument((address - start) as usize);
        }
        Some((context, buffer))
    })
}

impl Graph {
    /// Lists the addresses among the arguments of the graph's kernel nodes that are in memory of the device, and in none that
    /// graphcap knows: neither in a buffer of a context whose objects the graph uses nor in an allocation of its nodes. Nobody but
    /// the caller keeps such memory for replays.
    ///
    /// Each aligned word of 8 bytes counts that the device knows as an address now. A value can look like an address, and the
    /// address of memory that was freed is none. The device is asked about words that it has not denied before. Pointers that lie in
    /// memory are not looked for, nor those of nodes of other kinds, and of graphs within nodes.
    ///
    /// # Errors
    /// `NOT_SUPPORTED` where the driver does not tell the arguments of a kernel; the status of a context that faulted.
    ///
    /// # Examples
    /// A program that keeps what is listed alive itself, or fails where it cannot:
    ///
    /// ```
    /// use graphcap::core::{Context, Graph};
    /// use graphcap::driver::{DeviceChoice, DeviceKind};
    ///
    /// let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0)?;
    /// let graph = Graph::create(&context)?;
    /// for pointer in graph.unresolved_pointers()? {
    ///     println!("node {:#x} uses {:#x}", pointer.node.0, pointer.address);
    /// }
    /// # Ok::<(), graphcap::Error>(())
    /// ```
    pub fn unresolved_pointers(&self) -> Result<Vec<UnresolvedPointer>> {
        check_caller()?;
        let contexts = {
            let edits = self.0.root().lock()?;
            let lists = self.0.kept();
            contexts_of(&|see| retention::see_all(edits.holdings.as_deref(), &lists, see))
        };
        let mut kernels = Vec::new();
        let mut allocations: Vec<MemAlloc> = Vec::new();
        for node in self.nodes()?.nodes {
            match self.node_params(node)? {
                NodeParams::Kernel(launch) => kernels.push((node, launch.arguments)),
                NodeParams::MemAlloc(allocation) => allocations.push(allocation),
                _ => {}
            }
        }
        let is_known = |address: Address| {
            let holds = |made: &MemAlloc| (made.address..made.address + made.bytes as u64).contains(&address);
            allocations.iter().any(holds)
                || contexts.iter().any(|context| context.find_owner(address).is_some_and(|(_, is_end)| !is_end))
        };
        let mut reader = self.context().read_arguments(self.context().moment());
        let mut unresolved = Vec::new();
        for (node, arguments) in kernels {
            let arguments = match arguments {
                OwnedArguments::Separate(arguments) => arguments,
                OwnedArguments::Packed(block) => vec![block],
                OwnedArguments::Unknown => return Err(self.naming(node, not_told(node))),
            };
            let parameters: Vec<_> = arguments.iter().map(|bytes| Parameter::new(0, bytes.len())).collect();
            let bytes: Vec<_> = arguments.iter().map(|bytes| &bytes[..]).collect();
            for Piece { parameter, offset, meaning, .. } in reader.read(&parameters, ArgumentBytes::Separate(&bytes))? {
                let Meaning::Foreign { allocation, offset: behind } = meaning else { continue };
                let address = allocation.base + behind;
                if !is_known(address) {
                    unresolved.push(UnresolvedPointer { node, parameter, offset, address });
                }
            }
        }
        Ok(unresolved)
    }
}

/// The contexts that objects are, or are of where they are code or memory.
pub(crate) fn contexts_of(each_kept: &dyn Fn(See<'_>)) -> Vec<Context> {
    let found = RefCell::new(Vec::<Context>::new());
    each_kept(&|kept| {
        let own = kept.object::<ContextInner>().map(Context);
        let context = own
            .or_else(|| kept.object::<ModuleInner>().map(|module| module.context.clone()))
            .or_else(|| kept.object::<BufferInner>().map(|buffer| Buffer::from_inner(buffer).context().clone()));
        let mut found = found.borrow_mut();
        if let Some(context) = context.filter(|context| !found.iter().any(|known| known.is(context))) {
            found.push(context);
        }
    });
    found.into_inner()
}

#[cold]
fn not_told(node: NodeId) -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        format!(
            "the driver does not tell the arguments of the kernel of node {:#x}, among which there can be pointers; a driver since \
             CUDA 12.4 tells them",
            node.0
        ),
    )
}
