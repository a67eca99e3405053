//! The work of nodes, made of a text of a graph and of what is bound to its names.

use std::cell::RefCell;
use std::collections::HashSet;

use once_cell::unsync::OnceCell;

use super::allocations::Allocations;
use super::import_binding::{Bindings, Bound, Wrong};
use super::picture::{self, MemoryKind, MemoryRef, Picture, WorkPicture};
use super::process_memory::ProcessMemory;
use crate::graphs::graph::Graph;
use crate::objects::buffer::Buffer;
use crate::objects::host_buffer::HostBuffer;
use crate::objects::kernel::Kernel;
use crate::operations::copy::{CopyOf, CopySide, HostPointer};
use crate::operations::kernel_arguments::ArgumentReader;
use crate::operations::memset::Fill;
use crate::operations::node_work::NodeWork;
use crate::operations::values::StreamValue;
use graphcap_base::error::{Result, Status};
use graphcap_base::names::quoted;
use graphcap_base::room;
use graphcap_devices::BuiltInKernel;
use graphcap_driver::{ConditionId, Conditional, MemcpyKind, NodeId, Snapshot, Value};

/// Makes nodes of a picture.
pub(crate) struct Builder<'a> {
    pub(super) picture: &'a Picture,
    pub(super) bindings: &'a Bindings,
    pub(super) allocations: Allocations,
    /// Those of the picture, in its order, as far as they are made.
    conditions: RefCell<Vec<Option<ConditionId>>>,
    /// Reads the bytes of arguments.
    pub(super) reader: RefCell<ArgumentReader<'a>>,
    /// Memory of the process, once a node needs it.
    pub(super) process_memory: OnceCell<ProcessMemory>,
    /// The kernels of graphcap's own that nodes need.
    pub(super) built_in: [OnceCell<Kernel>; BuiltInKernel::COUNT],
}

/// Memory that a node uses.
#[derive(Clone, Copy)]
pub(super) enum ImportedMemory<'a> {
    Buffer(&'a Buffer),
    HostBuffer(&'a HostBuffer),
    Host(HostPointer, usize),
    Snapshot(&'a Snapshot),
}

impl<'a> Builder<'a> {
    /// For nodes of `graph`, and of graphs within it.
    pub(crate) fn new(graph: &'a Graph, picture: &'a Picture, bindings: &'a Bindings) -> Result<Builder<'a>> {
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
            built_in: Default::default(),
        };
        builder.make_others(graph)?;
        Ok(builder)
    }

    /// Makes the conditions of the nodes of a graph, which is about to be built as `of` has it. A driver demands that a condition
    /// is made for the graph that has the node.
    pub(crate) fn make_conditions(&self, graph: &Graph, of: &picture::GraphPicture) -> Result<()> {
        of.nodes.iter().try_for_each(|node| match node.work {
            WorkPicture::Conditional { condition, .. } => self.make_condition(graph, condition),
            _ => Ok(()),
        })
    }

    /// Makes the conditions that no node has.
    fn make_others(&self, graph: &Graph) -> Result<()> {
        fn note(graph: &picture::GraphPicture, used: &mut HashSet<usize>) {
            for node in &graph.nodes {
                if let WorkPicture::Conditional { condition, .. } = node.work {
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
            *condition = Some(graph.create_condition(of.default.unwrap_or(0))?);
        }
        Ok(())
    }

    /// A condition of the picture.
    pub(super) fn condition(&self, index: usize) -> Result<ConditionId, Wrong> {
        match self.conditions.borrow().get(index) {
            Some(Some(condition)) => Ok(*condition),
            Some(None) => Err(not_read("a kernel that sets the condition of a node in the body of a later node")),
            None => Err(no_such("condition", index)),
        }
    }

    /// Adds a node that does `work`, which is no child graph, allocation or free, without what lies within it.
    pub(crate) fn add(&self, graph: &Graph, before: &[NodeId], work: &WorkPicture) -> Result<NodeId, Wrong> {
        match work {
            WorkPicture::Empty {} => Ok(graph.add_node(before, &NodeWork::Empty)?),
            WorkPicture::Kernel { .. } => self.add_kernel(graph, before, work),
            WorkPicture::Memcpy { direction, copy } => self.add_copy(graph, before, *direction, copy),
            &WorkPicture::Memset { at, value, element_size, width, height, pitch } => {
                let memory = self.memory(at.memory, "at")?;
                let fill = Fill {
                    buffer: device_memory(memory).map_err(|wrong| wrong.under("at"))?,
                    offset: at.offset,
                    value,
                    element_size,
                    width,
                    height,
                    pitch,
                };
                Ok(graph.add_node(before, &NodeWork::Memset(fill))?)
            }
            WorkPicture::Host { function } => {
                let named = self.picture.functions.get(*function).ok_or_else(|| no_such("function", *function))?;
                let bound = self.bindings.functions.get(named.name.as_str());
                let bound = bound.ok_or_else(|| unbound("host function", &named.name).under("function"))?;
                Ok(graph.add_node(before, &NodeWork::Host(bound))?)
            }
            WorkPicture::ValueOperations { operations } => {
                let values = operations.iter().enumerate().map(|(index, operation)| {
                    self.value(operation).map_err(|wrong| wrong.under(&format!("operations[{index}]")))
                });
                let values: Vec<_> = values.collect::<Result<_, Wrong>>()?;
                Ok(graph.add_node(before, &NodeWork::Values(&values))?)
            }
            WorkPicture::EventRecord { event } => {
                Ok(graph.add_node(before, &NodeWork::EventRecord(self.event(*event)?))?)
            }
            WorkPicture::EventWait { event } => Ok(graph.add_node(before, &NodeWork::EventWait(self.event(*event)?))?),
            WorkPicture::Conditional { decides, condition, bodies } => {
                let condition = self.condition(*condition)?;
                let bodies = u32::try_from(bodies.len()).map_err(|_| Wrong::value("there are too many bodies"))?;
                let conditional = Conditional { condition, kind: *decides, bodies };
                Ok(graph.add_node(before, &NodeWork::Conditional(conditional))?)
            }
            WorkPicture::Child { .. } => Err(not_read("a child graph without its graph")),
            WorkPicture::MemAlloc { .. } | WorkPicture::MemFree { .. } => {
                Err(not_read("memory of a node without that node"))
            }
            WorkPicture::Opaque { of } => {
                Err(not_read(&format!("a node of the kind {of:?} that graphcap could not read")))
            }
        }
    }

    /// Returns what is bound to memory of the picture. `member` is what uses it.
    pub(super) fn memory(&self, index: usize, member: &str) -> Result<ImportedMemory<'_>, Wrong> {
        self.find_memory(index).map_err(|wrong| wrong.under(member))
    }

    pub(super) fn find_memory(&self, index: usize) -> Result<ImportedMemory<'_>, Wrong> {
        let entry = self.picture.memory.get(index).ok_or_else(|| no_such("memory", index))?;
        let name = entry.name.as_str();
        let is_device = match entry.kind {
            MemoryKind::Snapshot => {
                let bytes = entry.data.as_ref().map(ImportedMemory::Snapshot);
                return bytes.ok_or_else(|| Wrong::value(format!("the snapshot {} has no data", quoted(name))));
            }
            MemoryKind::Allocation => return self.allocations.find(index, name).map(ImportedMemory::Buffer),
            MemoryKind::Buffer | MemoryKind::Foreign => true,
            MemoryKind::HostBuffer | MemoryKind::Host => false,
        };
        let what = if is_device { "buffer" } else { "host memory" };
        let bound = self.bindings.memory.get(name).ok_or_else(|| unbound(what, name))?;
        let (memory, size) = match (bound, is_device) {
            (Bound::Buffer(buffer), true) => (ImportedMemory::Buffer(buffer), buffer.size()),
            (Bound::HostBuffer(buffer), false) => (ImportedMemory::HostBuffer(buffer), buffer.size()),
            (&Bound::Host(pointer, bytes), false) => (ImportedMemory::Host(pointer, bytes), bytes),
            (_, true) => return Err(Wrong::value(format!("{} is device memory; bind a buffer", quoted(name)))),
            (_, false) => {
                return Err(Wrong::value(format!("{} is host memory; bind a host buffer or host memory", quoted(name))))
            }
        };
        match entry.bytes {
            Some(wanted) if size < wanted => Err(Wrong::value(format!(
                "{} has {wanted} bytes in the text, and what is bound to it has {size}; bind a larger one",
                quoted(name)
            ))),
            _ => Ok(memory),
        }
    }

    fn event(&self, index: usize) -> Result<&crate::Event, Wrong> {
        let named = self.picture.events.get(index).ok_or_else(|| no_such("event", index))?;
        let bound = self.bindings.events.get(named.name.as_str());
        bound.ok_or_else(|| unbound("event", &named.name).under("event"))
    }

    fn add_copy(
        &self,
        graph: &Graph,
        before: &[NodeId],
        direction: MemcpyKind,
        of: &CopyOf<MemoryRef>,
    ) -> Result<NodeId, Wrong> {
        let side = |place: MemoryRef, member: &str, is_host: bool| -> Result<CopySide<'_>, Wrong> {
            let offset = place.offset;
            let place = match self.memory(place.memory, member)? {
                ImportedMemory::Buffer(buffer) => CopySide::Buffer(buffer, offset),
                ImportedMemory::HostBuffer(buffer) => CopySide::HostBuffer(buffer, offset),
                ImportedMemory::Host(HostPointer(address), _) => {
                    let byte = address.checked_add(offset).map(HostPointer).map(CopySide::Host);
                    byte.ok_or_else(|| Wrong::value("the offset leads beyond all memory").under(member))?
                }
                ImportedMemory::Snapshot(bytes) if offset == 0 => CopySide::Snapshot(bytes),
                ImportedMemory::Snapshot(_) => {
                    return Err(Wrong::value("a snapshot is read from its start").under(member))
                }
            };
            match matches!(place, CopySide::Buffer(..)) {
                is_device if is_device == is_host => {
                    let message = "the direction of the copy does not fit the memory; set the direction that is meant";
                    Err(Wrong::value(message).under(member))
                }
                _ => Ok(place),
            }
        };
        let (to_host, from_host) = direction.host_sides();
        let copy = of.between(side(of.destination, "destination", to_host)?, side(of.source, "source", from_host)?);
        if matches!(copy.destination, CopySide::Snapshot(_)) {
            return Err(Wrong::value("a snapshot is read, and not written").under("destination"));
        }
        let [written, read] = copy.extents()?;
        self.check_host_memory(of.destination, written, "destination")?;
        self.check_host_memory(of.source, read, "source")?;
        Ok(graph.add_node(before, &NodeWork::Memcpy(copy))?)
    }

    /// Refuses bytes of host memory that lie beyond what is bound. Of buffers the copy itself checks that.
    fn check_host_memory(&self, place: MemoryRef, bytes: usize, member: &str) -> Result<(), Wrong> {
        let ImportedMemory::Host(_, size) = self.memory(place.memory, member)? else {
            return Ok(());
        };
        let end = place.offset.checked_add(bytes);
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
        let buffer = device_memory(memory).map_err(|wrong| wrong.under("at"))?;
        Ok(StreamValue { buffer, offset: operation.at.offset, value, action: operation.action })
    }
}

/// Memory that memsets and value operations work on.
pub(super) fn device_memory(used: ImportedMemory<'_>) -> Result<&crate::Buffer, Wrong> {
    match used {
        ImportedMemory::Buffer(buffer) => Ok(buffer),
        ImportedMemory::HostBuffer(buffer) => Ok(buffer.memory()),
        ImportedMemory::Host(..) | ImportedMemory::Snapshot(_) => {
            Err(Wrong::value("this work needs a buffer, and is bound to plain host memory"))
        }
    }
}

#[cold]
pub(super) fn no_such(what: &str, index: usize) -> Wrong {
    Wrong::value(format!("the text lists no {what} {index}"))
}

#[cold]
pub(super) fn unbound(what: &str, name: &str) -> Wrong {
    Wrong::new(
        Status::NOT_FOUND,
        format!("nothing is bound to the {what} {}; add a binding of that name", quoted(name)),
    )
}

#[cold]
pub(super) fn not_read(what: &str) -> Wrong {
    Wrong::new(Status::NOT_SUPPORTED, format!("{what} is not read back from a text; add it by hand after the import"))
}
