//! Kernel nodes, made of a text of a graph and of what is bound to its names: the bytes of their arguments get the addresses and
//! conditions of this process.

use std::collections::HashSet;

use super::import_binding::Wrong;
use super::import_work::{device_memory, no_such, not_read, unbound, Builder, ImportedMemory};
use super::picture::{self, Argument, Arguments, Attribute, Link, LinkTarget, WorkPicture};
use super::process_memory::ProcessMemory;
use crate::graphs::graph::Graph;
use crate::keep::{Kept, Kepts};
use crate::objects::kernel::{Kernel, OwnedArgument};
use crate::operations::copy::HostPointer;
use crate::operations::kernel_arguments::{ArgumentBytes, Meaning, Parameter};
use crate::operations::owned_work::OwnedWork;
use graphcap_base::error::Result;
use graphcap_base::room;
use graphcap_devices::BuiltInKernel;
use graphcap_driver::{launch_attributes, GridSources, LaunchAttribute, LaunchShape, NodeId, ADDRESS_BYTES};

impl Builder<'_> {
    /// Adds a node that launches a kernel, as `work` has it.
    pub(super) fn add_kernel(&self, graph: &Graph, before: &[NodeId], work: &WorkPicture) -> Result<NodeId, Wrong> {
        let WorkPicture::Kernel { kernel, grid, grid_from, block, shared_mem_bytes, arguments, attributes } = work
        else {
            return Err(Wrong::value("the node is no kernel"));
        };
        let named = self.picture.kernels.get(*kernel).ok_or_else(|| no_such("kernel", *kernel))?;
        let arguments = match arguments {
            Arguments::Separate(arguments) => arguments,
            Arguments::Packed(_) => return Err(not_read("a kernel with its arguments in one block").under("arguments")),
            Arguments::Unknown => return Err(not_read("a kernel whose arguments are not known").under("arguments")),
        };
        let kernel = match self.bindings.kernels.get(named.name.as_str()) {
            Some(kernel) => kernel,
            None => {
                let built_in = BuiltInKernel::named(&named.name);
                let built_in = built_in.ok_or_else(|| unbound("kernel", &named.name).under("kernel"))?;
                if built_in == BuiltInKernel::SetCondition {
                    self.check_setter(arguments).map_err(|wrong| wrong.under("arguments"))?;
                }
                self.built_in(graph, built_in)?
            }
        };
        let mut kept = Kepts::new();
        let mut passed = room::list(arguments.len())?;
        for (index, argument) in arguments.iter().enumerate() {
            let argument = self.argument(kernel, argument, &mut kept);
            passed.push(argument.map_err(|wrong| wrong.under(&format!("arguments[{index}]")))?);
        }
        let attributes: Vec<_> = attributes.iter().map(attribute).collect::<Result<_, Wrong>>()?;
        let shape = LaunchShape { grid: *grid, block: *block, shared_mem_bytes: *shared_mem_bytes };
        let work = OwnedWork::Kernel { kernel: kernel.clone(), shape, arguments: passed, attributes };
        let mut sources = GridSources::default();
        for ((source, place), axis) in sources.iter_mut().zip(grid_from).zip(0..) {
            let found = place.map(|place| self.grid_source(kernel, place, &mut kept)).transpose();
            *source = found.map_err(|wrong| wrong.under(&format!("grid_from[{axis}]")))?;
        }
        let node = work.lend(|work| graph.add_node(before, work))?;
        graph.keep_also(node, kept)?;
        if sources.iter().any(Option::is_some) {
            graph.set_grid_sources(node, sources)?;
        }
        Ok(node)
    }

    /// A kernel of graphcap's own.
    fn built_in(&self, graph: &Graph, kernel: BuiltInKernel) -> Result<&Kernel> {
        self.built_in[kernel as usize].get_or_try_init(|| graph.context().built_in(kernel))
    }

    /// Refuses to set anything but a condition of the text, and to anything but 4 bytes of memory that is bound.
    fn check_setter(&self, arguments: &[Argument]) -> Result<(), Wrong> {
        let links = arguments.iter().map(|argument| match argument.addresses[..] {
            [Link { at: 0, to }] if argument.bytes.len() == ADDRESS_BYTES => Some(to),
            _ => None,
        });
        let links: Vec<_> = links.collect();
        let [Some(LinkTarget::Condition(_)), Some(LinkTarget::Memory(place))] = links[..] else {
            let message = "the kernel that sets a condition takes a condition of the text, and where its value is";
            return Err(Wrong::value(message));
        };
        let buffer = device_memory(self.find_memory(place.memory)?)?;
        let address = buffer.device_range("buffer", place.offset, size_of::<u32>())?;
        match address.is_multiple_of(size_of::<u32>() as u64) {
            true => Ok(()),
            false => Err(Wrong::value(format!(
                "offset {} puts the value at address {address:#x}, which is no multiple of its 4 bytes",
                place.offset
            ))),
        }
    }

    /// The bytes of an argument, with the addresses and conditions of this process in them.
    fn argument(&self, kernel: &Kernel, argument: &Argument, kept: &mut Kepts) -> Result<OwnedArgument, Wrong> {
        let (access, wrong) = (argument.access, |message: String| Wrong::value(message).under("access"));
        if let ([link], 8) = (&argument.addresses[..], argument.bytes.len()) {
            if let (LinkTarget::Memory(place), 0) = (link.to, link.at) {
                if let ImportedMemory::Buffer(buffer) = self.memory(place.memory, "addresses[0]")? {
                    let size = buffer.size();
                    return match access.and_then(|stated| stated.range) {
                        Some((first, count)) if count == 0 || first.checked_add(count).is_none_or(|end| end > size) => {
                            Err(wrong(format!("the range is empty, or beyond the {size} bytes of the buffer")))
                        }
                        _ => Ok(OwnedArgument::Buffer { buffer: buffer.clone(), offset: place.offset, access }),
                    };
                }
            }
        }
        self.refuse_unbound(argument)?;
        let mut bytes = argument.bytes.clone();
        for (index, link) in argument.addresses.iter().enumerate() {
            let member = format!("addresses[{index}]");
            let word = match link.to {
                LinkTarget::Memory(place) => self.address(kernel, place, kept),
                LinkTarget::Condition(condition) => self.condition(condition).map(|condition| condition.0),
            };
            let word = word.map_err(|wrong| wrong.under(&member))?;
            let size = bytes.len();
            let to = link.at.checked_add(ADDRESS_BYTES).and_then(|end| bytes.get_mut(link.at..end));
            // Words that overlap would make others that nobody wrote.
            let to = to.filter(|_| link.at.is_multiple_of(ADDRESS_BYTES)).ok_or_else(|| {
                let message = format!("8 bytes from {} on are no word of an argument of {size} bytes", link.at);
                Wrong::value(message).under(&member)
            })?;
            to.copy_from_slice(&word.to_ne_bytes());
        }
        match access {
            Some(_) => Err(wrong("the argument is no address of a buffer".into())),
            None => Ok(OwnedArgument::Value(bytes)),
        }
    }

    /// The address of a size of a grid in bound memory, which the node keeps.
    fn grid_source(&self, kernel: &Kernel, place: picture::MemoryRef, kept: &mut Kepts) -> Result<u64, Wrong> {
        const BYTES: usize = size_of::<u32>();
        // The last byte of the number is in the memory as well.
        let end = picture::MemoryRef { offset: place.offset.saturating_add(BYTES), ..place };
        let address = self.address(kernel, end, kept)?.wrapping_sub(BYTES as u64);
        match address.is_multiple_of(BYTES as u64) {
            true => Ok(address),
            false => Err(Wrong::value("the size of a grid does not lie at a multiple of its 4 bytes").under("offset")),
        }
    }

    /// The address of a byte of bound memory, which the node keeps.
    fn address(&self, kernel: &Kernel, place: picture::MemoryRef, kept: &mut Kepts) -> Result<u64, Wrong> {
        let offset = place.offset;
        let (start, size, buffer) = match self.find_memory(place.memory)? {
            ImportedMemory::Buffer(buffer) => (buffer.address(), buffer.size(), Some(buffer)),
            ImportedMemory::HostBuffer(buffer) => {
                let start = buffer.device_address().unwrap_or(buffer.address());
                (start, buffer.size(), Some(buffer.memory()))
            }
            ImportedMemory::Host(HostPointer(address), bytes) => (address as u64, bytes, None),
            ImportedMemory::Snapshot(_) => return Err(Wrong::value("a kernel is given no snapshot")),
        };
        if let Some(buffer) = buffer {
            kernel.context().check_family("the kernel", buffer.context(), "the memory that is bound")?;
            buffer.let_kernel_reach(kernel.context())?;
            kept.push(Kept::Object(buffer.inner()));
        }
        let address = start.checked_add(offset as u64).filter(|_| offset <= size);
        address.ok_or_else(|| Wrong::value(format!("offset {offset} is beyond the memory that is bound")))
    }

    /// Refuses bytes that are an address of memory here, although nothing is bound there.
    fn refuse_unbound(&self, argument: &Argument) -> Result<(), Wrong> {
        let covered: HashSet<usize> = argument.addresses.iter().map(|link| link.at).collect();
        let parameter = [Parameter::new(0, argument.bytes.len())];
        let bytes = ArgumentBytes::Separate(&[&argument.bytes]);
        let known = self.reader.borrow_mut().read(&parameter, bytes)?;
        let known = known.iter().filter(|piece| !matches!(piece.meaning, Meaning::Value)).map(|piece| piece.offset);
        // What no device knows, a kernel of a host device can use all the same.
        let memory = self.process_memory.get_or_init(ProcessMemory::now);
        let words = argument.bytes.as_chunks::<ADDRESS_BYTES>().0.iter().enumerate();
        let others = words.filter(|(_, word)| memory.has(u64::from_ne_bytes(**word))).map(|(at, _)| at * ADDRESS_BYTES);
        let first = known.chain(others).filter(|offset| !covered.contains(offset)).min();
        first.map_or(Ok(()), |offset| {
            Err(Wrong::value(format!(
                "the 8 bytes from {offset} on are an address of this process; write memory and an offset among the addresses, \
                 and bind the memory"
            ))
            .under("bytes"))
        })
    }
}

impl Graph {
    /// Keeps more for a node.
    fn keep_also(&self, node: NodeId, kept: Kepts) -> Result<()> {
        if kept.is_empty() {
            return Ok(());
        }
        let mut edits = self.0.root().lock()?;
        self.0.holdings(&mut edits)?.add(self.0.keeper(node), &kept);
        Ok(())
    }
}

fn attribute(attribute: &Attribute) -> Result<LaunchAttribute, Wrong> {
    let mut value = [0; 64];
    let bytes = value.get_mut(..attribute.value.len());
    match bytes.filter(|_| launch_attributes::is_plain(attribute.id)) {
        Some(bytes) => bytes.copy_from_slice(&attribute.value),
        None => return Err(not_read(&format!("the launch attribute {}", attribute.id)).under("attributes")),
    }
    Ok(LaunchAttribute { id: attribute.id, value })
}
