//! The work of nodes, made of a text of a graph and of what is bound to its names.

use std::cell::{OnceCell, RefCell};
use std::collections::HashSet;

use super::allocations::Allocations;
use super::import_binding::{Bindings, BoundMemory, Wrong};
use super::picture::{
    self, Action, Argument, Arguments, Attribute, Comparison, Decides, Direction, Link, MemoryKind, Picture, Target,
    Work,
};
use super::process_memory::ProcessMemory;
use crate::core::graphs::graph::Graph;
use crate::core::keep::{Kept, Kepts};
use crate::core::objects::access::Access;
use crate::core::objects::kernel::{Kernel, KernelArgument};
use crate::core::operations::copy::{Copy, HostPointer, Pitch, Place};
use crate::core::operations::kernel_arguments::{ArgumentBytes, ArgumentReader, Meaning, Parameter};
use crate::core::operations::memset::Fill;
use crate::core::operations::node_work::NodeWork;
use crate::core::operations::values::StreamValue;
use crate::driver::{
    self, launch_attributes, BuiltInKernel, ConditionId, Conditional, ConditionalKind, LaunchAttribute, LaunchShape,
    MemcpyKind, NodeId, Snapshot, Value, ValueAction,
};
use crate::error::{Result, Status};
use crate::room;

/// Bytes of an address, and of a condition.
const WORD: usize = size_of::<driver::Address>();

/// Makes nodes of a picture.
pub(in crate::core) struct Builder<'a> {
    pub(super) picture: &'a Picture,
    bindings: &'a Bindings<'a>,
    pub(super) allocations: Allocations,
    /// Those of the picture, in its order, as far as they are made.
    conditions: RefCell<Vec<Option<ConditionId>>>,
    /// Reads the bytes of arguments.
    reader: RefCell<ArgumentReader<'a>>,
    /// Where the process has memory, once a node needs it.
    process_memory: OnceCell<ProcessMemory>,
    /// The kernel that sets conditions, once a node needs it.
    setter: OnceCell<Kernel>,
}

/// Memory that a node uses.
#[derive(Clone, Copy)]
pub(super) enum Used<'a> {
    Bound(BoundMemory<'a>),
    Snapshot(&'a Snapshot),
}

impl<'a> Builder<'a> {
    /// For nodes of `graph`, and of graphs within it.
    pub(in crate::core) fn new(
        graph: &'a Graph,
        picture: &'a Picture,
        bindings: &'a Bindings<'a>,
    ) -> Result<Builder<'a>> {
        let mut conditions = room::list(picture.conditions.len())?;
        conditions.resize(picture.conditions.len(), None);
        let context = graph.context();
        let reader = RefCell::new(context.read_arguments(context.moment()));
        let (allocations, conditions) = (Allocations::new(picture.memory.len())?, RefCell::new(conditions));
        let builder = Builder {
            picture,
            bindings,
            allocations,
            conditions,
            reader,
            process_memory: OnceCell::new(),
            setter: OnceCell::new(),
        };
        builder.make_others(graph)?;
        Ok(builder)
    }

    /// Makes the conditions of the nodes of a graph, which is about to be built as `of` has it. A driver demands that a condition
    /// is made for the graph that has the node.
    pub(in crate::core) fn make_conditions(&self, graph: &Graph, of: &picture::Graph) -> Result<()> {
        of.nodes.iter().try_for_each(|node| match node.work {
            Work::Conditional { condition, .. } => self.make_condition(graph, condition),
            _ => Ok(()),
        })
    }

    /// Makes the conditions that no node has.
    fn make_others(&self, graph: &Graph) -> Result<()> {
        fn note(graph: &picture::Graph, used: &mut HashSet<usize>) {
            for node in &graph.nodes {
                if let Work::Conditional { condition, .. } = node.work {
                    used.insert(condition);
                }
                node.graphs().iter().for_each(|graph| note(graph, used));
            }
        }
        let mut used = HashSet::new();
        note(&self.picture.graph, &mut used);
        let others = (0..self.picture.conditions.len()).filter(|condition| !used.contains(condition));
        others.into_iter().try_for_each(|condition| self.make_condition(graph, condition))
    }

    /// Makes a condition unless it is made.
    fn make_condition(&self, graph: &Graph, index: usize) -> Result<()> {
        let mut made = self.conditions.borrow_mut();
        if let (Some(condition @ None), Some(of)) = (made.get_mut(index), self.picture.conditions.get(index)) {
            *condition = Some(graph.create_condition(of.default)?);
        }
        Ok(())
    }

    /// A condition of the picture.
    fn condition(&self, index: usize) -> Result<ConditionId, Wrong> {
        match self.conditions.borrow().get(index) {
            Some(Some(condition)) => Ok(*condition),
            Some(None) => Err(not_read("a kernel that sets the condition of a node in the body of a later node")),
            None => Err(no_such("condition", index)),
        }
    }

    /// Adds a node that does `work`, which is no child graph, allocation or free, without what lies within it.
    pub(in crate::core) fn add(&self, graph: &Graph, before: &[NodeId], work: &Work) -> Result<NodeId, Wrong> {
        match work {
            Work::Empty {} => Ok(graph.add_node(before, &NodeWork::Empty)?),
            Work::Kernel { .. } => self.add_kernel(graph, before, work),
            Work::Memcpy { .. } => self.add_copy(graph, before, work),
            Work::Memset { at, value, element_size, width, height, pitch } => {
                let memory = self.memory(at.memory, "at")?;
                let fill = Fill {
                    buffer: device_memory(memory).map_err(|wrong| wrong.under("at"))?,
                    offset: number(at.offset, "at.offset")?,
                    value: *value,
                    element_size: *element_size,
                    width: number(*width, "width")?,
                    height: number(*height, "height")?,
                    pitch: number(*pitch, "pitch")?,
                };
                Ok(graph.add_node(before, &NodeWork::Memset(fill))?)
            }
            Work::Host { function } => {
                let named = self.picture.functions.get(*function).ok_or_else(|| no_such("function", *function))?;
                let bound = self.bindings.functions.get(named.name.as_str());
                let bound = bound.ok_or_else(|| unbound("host function", &named.name).under("function"))?;
                Ok(graph.add_node(before, &NodeWork::Host(bound))?)
            }
            Work::ValueOperations { operations } => {
                let values = operations.iter().enumerate().map(|(index, operation)| {
                    self.value(operation).map_err(|wrong| wrong.under(&format!("operations[{index}]")))
                });
                let values: Vec<_> = values.collect::<Result<_, Wrong>>()?;
                Ok(graph.add_node(before, &NodeWork::Values(&values))?)
            }
            Work::EventRecord { event } => Ok(graph.add_node(before, &NodeWork::EventRecord(self.event(*event)?))?),
            Work::EventWait { event } => Ok(graph.add_node(before, &NodeWork::EventWait(self.event(*event)?))?),
            Work::Conditional { decides, condition, bodies } => {
                let condition = self.condition(*condition)?;
                let kind = match decides {
                    Decides::If => ConditionalKind::If,
                    Decides::While => ConditionalKind::While,
                    Decides::Switch => ConditionalKind::Switch,
                };
                let bodies = u32::try_from(bodies.len()).map_err(|_| Wrong::value("there are too many bodies"))?;
                let conditional = Conditional { condition, kind, bodies };
                Ok(graph.add_node(before, &NodeWork::Conditional(conditional))?)
            }
            Work::Child { .. } => Err(not_read("a child graph without its graph")),
            Work::MemAlloc { .. } | Work::MemFree { .. } => Err(not_read("memory of a node without that node")),
            Work::Opaque { of } => Err(not_read(&format!("a node of the kind {of:?} that graphcap could not read"))),
        }
    }

    /// What is bound to memory of the picture. `member` is what uses it.
    pub(super) fn memory(&self, index: usize, member: &str) -> Result<Used<'_>, Wrong> {
        self.find_memory(index).map_err(|wrong| wrong.under(member))
    }

    fn find_memory(&self, index: usize) -> Result<Used<'_>, Wrong> {
        let memory = self.picture.memory.get(index).ok_or_else(|| no_such("memory", index))?;
        let name = memory.name.as_str();
        let is_device = match memory.kind {
            MemoryKind::Snapshot => {
                let bytes = memory.data.as_ref().map(Used::Snapshot);
                return bytes.ok_or_else(|| Wrong::value(format!("the snapshot {name:?} has no data")));
            }
            MemoryKind::Allocation => {
                return self.allocations.find(index, name).map(BoundMemory::Buffer).map(Used::Bound)
            }
            MemoryKind::Buffer | MemoryKind::Foreign => true,
            MemoryKind::HostBuffer | MemoryKind::Host => false,
        };
        let what = if is_device { "buffer" } else { "host memory" };
        let bound = *self.bindings.memory.get(name).ok_or_else(|| unbound(what, name))?;
        let size = match (bound, is_device) {
            (BoundMemory::Buffer(buffer), true) => Some(buffer.size()),
            (BoundMemory::HostBuffer(buffer), false) => Some(buffer.size()),
            (BoundMemory::Host(_, bytes), false) => Some(bytes),
            (_, true) => return Err(Wrong::value(format!("{name:?} is device memory; bind a buffer"))),
            (_, false) => {
                return Err(Wrong::value(format!("{name:?} is host memory; bind a host buffer or host memory")))
            }
        };
        match size.zip(memory.bytes) {
            Some((size, wanted)) if (size as u64) < wanted => Err(Wrong::value(format!(
                "{name:?} has {wanted} bytes in the text, and what is bound to it has {size}; bind a larger one"
            ))),
            _ => Ok(Used::Bound(bound)),
        }
    }

    fn event(&self, index: usize) -> Result<&crate::core::Event, Wrong> {
        let named = self.picture.events.get(index).ok_or_else(|| no_such("event", index))?;
        let bound = self.bindings.events.get(named.name.as_str()).copied();
        bound.ok_or_else(|| unbound("event", &named.name).under("event"))
    }

    fn add_copy(&self, graph: &Graph, before: &[NodeId], work: &Work) -> Result<NodeId, Wrong> {
        let Work::Memcpy { direction, destination, source, width, height, depth, destination_pitch, source_pitch } =
            work
        else {
            return Err(Wrong::value("the node is no copy"));
        };
        let kind = match direction {
            Direction::HostToDevice => MemcpyKind::HostToDevice,
            Direction::DeviceToHost => MemcpyKind::DeviceToHost,
            Direction::DeviceToDevice => MemcpyKind::DeviceToDevice,
            Direction::HostToHost => MemcpyKind::HostToHost,
            Direction::BetweenContexts => MemcpyKind::BetweenContexts,
        };
        let side = |place: &picture::Place, member: &str, is_host: bool| -> Result<Place<'_>, Wrong> {
            let offset = number(place.offset, "offset").map_err(|wrong| wrong.under(member))?;
            let place = match self.memory(place.memory, member)? {
                Used::Bound(BoundMemory::Buffer(buffer)) => Place::Buffer(buffer, offset),
                Used::Bound(BoundMemory::HostBuffer(buffer)) => Place::HostBuffer(buffer, offset),
                Used::Bound(BoundMemory::Host(HostPointer(address), _)) => {
                    let byte = address.checked_add(offset).map(HostPointer).map(Place::Host);
                    byte.ok_or_else(|| Wrong::value("the offset leads beyond all memory").under(member))?
                }
                Used::Snapshot(bytes) if offset == 0 => Place::Snapshot(bytes),
                Used::Snapshot(_) => return Err(Wrong::value("a snapshot is read from its start").under(member)),
            };
            match matches!(place, Place::Buffer(..)) {
                is_device if is_device == is_host => {
                    let message = "the direction of the copy does not fit the memory; set the direction that is meant";
                    Err(Wrong::value(message).under(member))
                }
                _ => Ok(place),
            }
        };
        let pitch = |pitch: &picture::Pitch, member: &str| -> Result<Pitch, Wrong> {
            let number = |value: u64, of: &str| number(value, of).map_err(|wrong| wrong.under(member));
            Ok(Pitch {
                bytes: number(pitch.bytes, "bytes")?,
                slice_height: number(pitch.slice_height, "slice_height")?,
            })
        };
        let (to_host, from_host) = kind.host_sides();
        let copy = Copy {
            destination: side(destination, "destination", to_host)?,
            destination_pitch: pitch(destination_pitch, "destination_pitch")?,
            source: side(source, "source", from_host)?,
            source_pitch: pitch(source_pitch, "source_pitch")?,
            width: number(*width, "width")?,
            height: number(*height, "height")?,
            depth: number(*depth, "depth")?,
        };
        if matches!(copy.destination, Place::Snapshot(_)) {
            return Err(Wrong::value("a snapshot is read, and not written").under("destination"));
        }
        let [written, read] = copy.extents()?;
        self.check_host_memory(destination, written, "destination")?;
        self.check_host_memory(source, read, "source")?;
        Ok(graph.add_node(before, &NodeWork::Memcpy(copy))?)
    }

    /// Refuses bytes of host memory that lie beyond what is bound. Of buffers the copy itself checks that.
    fn check_host_memory(&self, place: &picture::Place, bytes: usize, member: &str) -> Result<(), Wrong> {
        let Used::Bound(BoundMemory::Host(_, size)) = self.memory(place.memory, member)? else { return Ok(()) };
        let end = number(place.offset, "offset").ok().and_then(|offset| offset.checked_add(bytes));
        match end.is_some_and(|end| end <= size) {
            true => Ok(()),
            false => Err(Wrong::value(format!(
                "{bytes} bytes from offset {} on overrun the host memory that is bound, which has {size} bytes",
                place.offset
            ))
            .under(member)),
        }
    }

    fn value(&self, operation: &picture::ValueOperation) -> Result<StreamValue<'_>, Wrong> {
        let memory = self.memory(operation.at.memory, "at")?;
        let value = match operation.bits {
            32 => u32::try_from(operation.value)
                .map(Value::U32)
                .map_err(|_| Wrong::value(format!("{} has more than 32 bits", operation.value)).under("value"))?,
            64 => Value::U64(operation.value),
            bits => return Err(Wrong::value(format!("a value has 32 or 64 bits, not {bits}")).under("bits")),
        };
        let action = match operation.action {
            Action::Write { barrier } => ValueAction::Write { barrier },
            Action::Wait { comparison, flush } => ValueAction::Wait {
                comparison: match comparison {
                    Comparison::GreaterOrEqual => driver::Comparison::GreaterOrEqual,
                    Comparison::Equal => driver::Comparison::Equal,
                    Comparison::And => driver::Comparison::And,
                    Comparison::Nor => driver::Comparison::Nor,
                },
                flush,
            },
        };
        let buffer = device_memory(memory).map_err(|wrong| wrong.under("at"))?;
        Ok(StreamValue { buffer, offset: number(operation.at.offset, "at.offset")?, value, action })
    }

    fn add_kernel(&self, graph: &Graph, before: &[NodeId], work: &Work) -> Result<NodeId, Wrong> {
        let Work::Kernel { kernel, grid, block, shared_mem_bytes, arguments, attributes } = work else {
            return Err(Wrong::value("the node is no kernel"));
        };
        let named = self.picture.kernels.get(*kernel).ok_or_else(|| no_such("kernel", *kernel))?;
        let arguments = match arguments {
            Arguments::Separate(arguments) => arguments,
            Arguments::Packed(_) => return Err(not_read("a kernel with its arguments in one block").under("arguments")),
            Arguments::Unknown => return Err(not_read("a kernel whose arguments are not known").under("arguments")),
        };
        let kernel = match self.bindings.kernels.get(named.name.as_str()).copied() {
            Some(kernel) => kernel,
            None if named.name == driver::SET_CONDITION => {
                self.check_setter(arguments).map_err(|wrong| wrong.under("arguments"))?;
                self.setter(graph)?
            }
            None => return Err(unbound("kernel", &named.name).under("kernel")),
        };
        let mut kept = Kepts::new();
        let mut passed = room::list(arguments.len())?;
        for (index, argument) in arguments.iter().enumerate() {
            let argument = self.argument(kernel, argument, &mut kept);
            passed.push(argument.map_err(|wrong| wrong.under(&format!("arguments[{index}]")))?);
        }
        let passed: Vec<_> = passed.iter().map(Passed::argument).collect();
        let attributes: Vec<_> = attributes.iter().map(attribute).collect::<Result<_, Wrong>>()?;
        let shape = LaunchShape { grid: *grid, block: *block, shared_mem_bytes: *shared_mem_bytes };
        let work = NodeWork::Kernel { kernel, shape, arguments: &passed, attributes: &attributes };
        let node = graph.add_node(before, &work)?;
        graph.keep_also(node, kept)?;
        Ok(node)
    }

    /// The kernel of graphcap's own that sets conditions.
    fn setter(&self, graph: &Graph) -> Result<&Kernel> {
        if let Some(setter) = self.setter.get() {
            return Ok(setter);
        }
        let setter = graph.context().built_in(BuiltInKernel::SetCondition)?;
        Ok(self.setter.get_or_init(|| setter))
    }

    /// Refuses to set anything but a condition of the text, and to anything but 4 bytes of memory that is bound.
    fn check_setter(&self, arguments: &[Argument]) -> Result<(), Wrong> {
        let links = arguments.iter().map(|argument| match argument.addresses[..] {
            [Link { at: 0, to }] if argument.bytes.len() == WORD => Some(to),
            _ => None,
        });
        let links: Vec<_> = links.collect();
        let [Some(Target::Condition(_)), Some(Target::Memory(place))] = links[..] else {
            let message = "the kernel that sets a condition takes a condition of the text, and where its value is";
            return Err(Wrong::value(message));
        };
        let buffer = device_memory(self.find_memory(place.memory)?)?;
        let address = buffer.device_range("buffer", number(place.offset, "offset")?, size_of::<u32>())?;
        match address.is_multiple_of(size_of::<u32>() as u64) {
            true => Ok(()),
            false => Err(Wrong::value(format!(
                "offset {} puts the value at address {address:#x}, which is no multiple of its 4 bytes",
                place.offset
            ))),
        }
    }

    /// The bytes of an argument, with the addresses and conditions of this process in them.
    fn argument(&self, kernel: &Kernel, argument: &Argument, kept: &mut Kepts) -> Result<Passed<'_>, Wrong> {
        if let ([link], 8) = (&argument.addresses[..], argument.bytes.len()) {
            if let (Target::Memory(place), 0) = (link.to, link.at) {
                if let Used::Bound(BoundMemory::Buffer(buffer)) = self.memory(place.memory, "addresses[0]")? {
                    return Ok(Passed::Buffer(buffer, number(place.offset, "addresses[0].offset")?));
                }
            }
        }
        self.refuse_unbound(argument)?;
        let mut bytes = argument.bytes.clone();
        for (index, link) in argument.addresses.iter().enumerate() {
            let member = format!("addresses[{index}]");
            let word = match link.to {
                Target::Memory(place) => self.address(kernel, place, kept),
                Target::Condition(condition) => self.condition(condition).map(|condition| condition.0),
            };
            let word = word.map_err(|wrong| wrong.under(&member))?;
            let size = bytes.len();
            let to = link.at.checked_add(WORD).and_then(|end| bytes.get_mut(link.at..end));
            // Words that overlap would make others that nobody wrote.
            let to = to.filter(|_| link.at.is_multiple_of(WORD)).ok_or_else(|| {
                let message = format!("8 bytes from {} on are no word of an argument of {size} bytes", link.at);
                Wrong::value(message).under(&member)
            })?;
            to.copy_from_slice(&word.to_ne_bytes());
        }
        Ok(Passed::Bytes(bytes))
    }

    /// The address of a byte of bound memory, which the node keeps.
    fn address(&self, kernel: &Kernel, place: picture::Place, kept: &mut Kepts) -> Result<u64, Wrong> {
        let offset = number(place.offset, "offset")?;
        let (start, size, buffer) = match self.find_memory(place.memory)? {
            Used::Bound(BoundMemory::Buffer(buffer)) => (buffer.address(), buffer.size(), Some(buffer)),
            Used::Bound(BoundMemory::HostBuffer(buffer)) => {
                let start = buffer.device_address().unwrap_or(buffer.address());
                (start, buffer.size(), Some(buffer.memory()))
            }
            Used::Bound(BoundMemory::Host(HostPointer(address), bytes)) => (address as u64, bytes, None),
            Used::Snapshot(_) => return Err(Wrong::value("a kernel is given no snapshot")),
        };
        if let Some(buffer) = buffer {
            kernel.context().check_family("the kernel", buffer.context(), "the memory that is bound")?;
            buffer.let_kernel_reach(kernel.context())?;
            kept.push(Kept::Object(buffer.inner()));
        }
        let address = start.checked_add(place.offset).filter(|_| offset <= size);
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
        let words = argument.bytes.as_chunks::<WORD>().0.iter().enumerate();
        let others = words.filter(|(_, word)| memory.has(u64::from_ne_bytes(**word))).map(|(at, _)| at * WORD);
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

/// An argument as it is passed.
enum Passed<'a> {
    Buffer(&'a crate::core::Buffer, usize),
    Bytes(Vec<u8>),
}

impl Passed<'_> {
    fn argument(&self) -> KernelArgument<'_> {
        match self {
            Passed::Buffer(buffer, offset) => {
                KernelArgument::Buffer { buffer, offset: *offset, access: Access::default() }
            }
            Passed::Bytes(bytes) => KernelArgument::Value(bytes),
        }
    }
}

impl Graph {
    /// Keeps more for a node.
    fn keep_also(&self, node: NodeId, kept: Kepts) -> Result<()> {
        if kept.is_empty() {
            return Ok(());
        }
        let mut edits = self.0.root().lock()?;
        self.0.holdings(&mut edits)?.add(self.0.outermost_node(node), &kept);
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

/// Memory that memsets and value operations work on.
pub(super) fn device_memory(used: Used<'_>) -> Result<&crate::core::Buffer, Wrong> {
    match used {
        Used::Bound(BoundMemory::Buffer(buffer)) => Ok(buffer),
        Used::Bound(BoundMemory::HostBuffer(buffer)) => Ok(buffer.memory()),
        Used::Bound(BoundMemory::Host(..)) | Used::Snapshot(_) => {
            Err(Wrong::value("this work needs a buffer, and is bound to plain host memory"))
        }
    }
}

/// A number of the text as one of this machine.
pub(super) fn number(number: u64, member: &str) -> Result<usize, Wrong> {
    usize::try_from(number).map_err(|_| Wrong::value(format!("{number} is more than this machine has")).under(member))
}

#[cold]
pub(super) fn no_such(what: &str, index: usize) -> Wrong {
    Wrong::value(format!("the text lists no {what} {index}"))
}

#[cold]
fn unbound(what: &str, name: &str) -> Wrong {
    Wrong::new(Status::NOT_FOUND, format!("nothing is bound to the {what} {name:?}; add a binding of that name"))
}

#[cold]
fn not_read(what: &str) -> Wrong {
    Wrong::new(Status::NOT_SUPPORTED, format!("{what} is not read back from a text; add it by hand after the import"))
}
