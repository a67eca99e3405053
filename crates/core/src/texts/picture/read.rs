//! Reading the picture of a graph from its device.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::stated;
use super::tables::{NameKind, Tables};
use super::{
    Argument, Arguments, Attribute, ConditionEntry, Edge, GraphPicture, KernelEntry, Link, LinkTarget, MemoryKind,
    MemoryRef, NamedEntry, NodePicture, Picture, ValueOperation, WorkPicture, FORMAT, VERSION,
};
use crate::graphs::node_attributes;
use crate::graphs::node_data::{KernelParams, NodeParams, OwnedArguments};
use crate::graphs::node_params::Reading;
use crate::graphs::others_memory::contexts_of;
use crate::graphs::retention::See;
use crate::keep::Kept;
use crate::objects::event::{Event, EventInner};
use crate::objects::note::NodeNotes;
use crate::operations::copy::{CopyOf, Pitch};
use crate::operations::located::{Located, Memory as Found};
use crate::state::Context;
use crate::{ArgumentBytes, ArgumentReader, Meaning, Parameter, Piece};
use graphcap_base::error::{Error, Result};
use graphcap_base::room;
use graphcap_driver::{
    self, Address, ConditionId, Driver, EventId, GivenFunction, GraphNodes, GraphRef, HostFunction, MemcpyRows, NodeId,
    NodeKind, Snapshot, Steps, Value, ADDRESS_BYTES,
};

/// Most graphs that lie within each other.
pub(crate) const DEPTH: usize = 16;

/// A graph to be read, and what is known of it apart from its nodes.
pub(crate) struct PictureSource<'a> {
    pub(crate) context: &'a Context,
    pub(crate) graph: GraphRef,
    /// Tells whether the order is asked for in which edges were added.
    pub(crate) tells_order: bool,
    pub(crate) name: Option<Arc<str>>,
    /// Notes of nodes beside what the device knows: their names among them.
    pub(crate) notes: &'a NodeNotes,
    /// The conditions of the graph, with the values that launches begin with.
    pub(crate) conditions: &'a HashMap<ConditionId, u32>,
    /// Calls what it is given with each object that the graph keeps.
    pub(crate) each_kept: &'a dyn Fn(See<'_>),
}

/// Objects that the reader holds, to be dropped where no lock is held.
#[derive(Default)]
pub(crate) struct HeldObjects {
    memory: Vec<Found>,
    functions: Vec<HostFunction>,
    events: Vec<Event>,
    /// The other contexts whose objects the graph keeps, once they are asked for.
    contexts: Option<Vec<Context>>,
}

/// Reads a graph. Its nodes do not change meanwhile.
///
/// # Errors
/// `OUT_OF_MEMORY`; `NOT_SUPPORTED` for graphs that lie within more than [`DEPTH`] others; what the device answers.
pub(crate) fn read(source: &PictureSource<'_>, held: &mut HeldObjects) -> Result<Picture> {
    let mut reader = Reader::new(source, held);
    let graph = reader.graph(source.graph, 1)?;
    let Tables { memory, kernels, functions, events, conditions, .. } = reader.tables;
    Ok(Picture {
        format: FORMAT.into(),
        version: VERSION,
        name: source.name.as_deref().map(str::to_owned),
        memory,
        kernels,
        functions,
        events,
        conditions,
        graph,
    })
}

struct Reader<'a> {
    source: &'a PictureSource<'a>,
    arguments: ArgumentReader<'a>,
    tables: Tables,
    held: &'a mut HeldObjects,
    /// The events that the graph keeps, once one was asked for.
    events: Option<HashMap<EventId, Event>>,
    /// The snapshots that the graph keeps, by their starts, once an address was not known otherwise.
    snapshots: Option<BTreeMap<Address, Snapshot>>,
    /// The allocations of nodes, by their starts.
    allocations: BTreeMap<Address, (usize, Option<Arc<str>>)>,
}

impl<'a> Reader<'a> {
    fn new(source: &'a PictureSource<'a>, held: &'a mut HeldObjects) -> Reader<'a> {
        Reader {
            source,
            arguments: source.context.read_arguments(source.context.moment()),
            tables: Tables::default(),
            held,
            events: None,
            snapshots: None,
            allocations: BTreeMap::new(),
        }
    }

    fn driver(&self) -> Result<&'a dyn Driver> {
        self.source.context.driver()
    }

    /// The picture of a graph that lies within so many, itself among them.
    fn graph(&mut self, graph: GraphRef, depth: usize) -> Result<GraphPicture> {
        if depth > DEPTH {
            return Err(Error::new(
                graphcap_base::error::Status::NOT_SUPPORTED,
                format!("graphs lie within each other more than {DEPTH} deep, which no text of a graph tells"),
            ));
        }
        let _reading = match graph {
            GraphRef::Known(graph) => Some(Reading::begin(self.driver()?, graph)?),
            GraphRef::Captured(_) => None,
        };
        let parts = self.driver()?.graph_nodes(graph)?;
        // What follows is made of many small lists, and of few that are large.
        const OF_NODE: usize = 2 * (size_of::<NodeParams>() + size_of::<NodePicture>()) + 256;
        const OF_EDGE: usize = 4 * size_of::<(usize, usize)>();
        let (nodes, edges) = (parts.nodes.len().saturating_mul(OF_NODE), parts.edges.len().saturating_mul(OF_EDGE));
        room::ask(nodes.saturating_add(edges))?;
        let mut all = room::list(parts.nodes.len())?;
        for &node in &parts.nodes {
            let (mut params, mut function) = (NodeParams::Other(NodeKind::Other), None);
            self.driver()?.node_work(graph, node, &mut |told| {
                params = NodeParams::of(told);
                if let graphcap_driver::Work::Host(called) = told {
                    function = Some(Arc::clone(called));
                }
            })?;
            if let NodeParams::MemAlloc(made) = &params {
                self.note_allocation(node, *made);
            }
            let function = function.map(|function| {
                self.held.functions.push(function);
                self.held.functions.len() - 1
            });
            all.push((node, params, function));
        }
        let mut nodes = room::list(all.len())?;
        for (place, (node, params, function)) in all.into_iter().enumerate() {
            let stream = match graph {
                GraphRef::Known(graph) => self.source.notes.stream(graph, place, node).as_deref().map(str::to_owned),
                GraphRef::Captured(_) => None,
            };
            let name = self.source.notes.name(node);
            let work = match function {
                Some(function) => WorkPicture::Host { function: self.function(function, name.as_deref()) },
                None => self.work(graph, node, params, depth)?,
            };
            nodes.push(NodePicture { name: name.as_deref().map(str::to_owned), stream, work, id: node.0 });
        }
        let places: HashMap<NodeId, usize> = parts.nodes.iter().copied().zip(0..).collect();
        let place = |node: NodeId| places.get(&node).copied();
        let ends = |from: NodeId, to: NodeId| place(from).zip(place(to));
        let carried: HashMap<_, _> =
            parts.carrying.iter().filter_map(|&(from, to, data)| Some((ends(from, to)?, data))).collect();
        let edge = |(from, to)| Edge { from, to, carries: carried.get(&(from, to)).copied().unwrap_or_default() };
        let (mut edges, mut dependencies) = (room::list(parts.edges.len())?, Vec::new());
        match graph {
            GraphRef::Known(graph) if self.source.tells_order => {
                dependencies = self.dependencies(graph, &parts, &places)?;
                let waits = dependencies.iter().enumerate();
                let ends = waits.flat_map(|(to, waits)| waits.iter().map(move |&from| (from as usize, to)));
                edges.extend(ends.map(edge));
            }
            _ => {
                edges.extend(parts.edges.iter().filter_map(|&(from, to)| ends(from, to)).map(edge));
                edges.sort_unstable();
            }
        }
        Ok(GraphPicture { nodes, edges, dependencies })
    }

    /// Returns what each node waits for, in the order in which the edges were added. The device is asked for the order of several.
    fn dependencies(
        &self,
        graph: graphcap_driver::GraphId,
        parts: &GraphNodes,
        places: &HashMap<NodeId, usize>,
    ) -> Result<Vec<Vec<u32>>> {
        let mut all: Vec<Vec<u32>> = room::list(parts.nodes.len())?;
        all.resize_with(parts.nodes.len(), Vec::new);
        let place = |node: &NodeId| places.get(node).map(|&place| place as u32);
        for (from, to) in &parts.edges {
            if let Some((from, waits)) = place(from).zip(places.get(to).and_then(|&to| all.get_mut(to))) {
                waits.push(from);
            }
        }
        for (waits, &node) in all.iter_mut().zip(&parts.nodes).filter(|(waits, _)| waits.len() > 1) {
            *waits = self.driver()?.node_waits(graph, node)?.iter().filter_map(place).collect();
        }
        Ok(all)
    }

    /// The graphs of a node. Of a capture that goes on nothing is told of them.
    fn graphs_of(&mut self, graph: GraphRef, node: NodeId, depth: usize) -> Result<Vec<GraphPicture>> {
        let GraphRef::Known(graph) = graph else { return Ok(Vec::new()) };
        let graphs = self.driver()?.node_graphs(graph, node)?;
        graphs.into_iter().map(|graph| self.graph(GraphRef::Known(graph), depth + 1)).collect()
    }

    /// Work of a node that calls no host function.
    fn work(&mut self, graph: GraphRef, node: NodeId, params: NodeParams, depth: usize) -> Result<WorkPicture> {
        Ok(match params {
            NodeParams::Kernel(launch) => WorkPicture::Kernel {
                grid: launch.shape.grid,
                grid_from: self.grid_from(graph, node)?,
                block: launch.shape.block,
                shared_mem_bytes: launch.shape.shared_mem_bytes,
                kernel: self.kernel(&launch),
                arguments: self.stated_arguments(node, launch)?,
                attributes: self.attributes(graph, node)?,
            },
            NodeParams::Memcpy { rows, .. } => self.copy(rows)?,
            NodeParams::Memset(set) => WorkPicture::Memset {
                at: self.place(set.address, false)?,
                value: set.value,
                element_size: set.element_size,
                width: set.count,
                height: set.rows,
                pitch: set.pitch,
            },
            NodeParams::Values(operations) => {
                let operations = operations.iter().map(|operation| self.value_operation(operation));
                WorkPicture::ValueOperations { operations: operations.collect::<Result<_>>()? }
            }
            NodeParams::EventRecord(event) => WorkPicture::EventRecord { event: self.event(event) },
            NodeParams::EventWait(event) => WorkPicture::EventWait { event: self.event(event) },
            NodeParams::Conditional(conditional) => WorkPicture::Conditional {
                decides: conditional.kind,
                condition: self.condition(conditional.condition),
                bodies: self.graphs_of(graph, node, depth)?,
            },
            NodeParams::MemAlloc(made) => WorkPicture::MemAlloc { memory: self.place(made.address, false)?.memory },
            NodeParams::MemFree(address) => WorkPicture::MemFree { memory: self.place(address, false)?.memory },
            NodeParams::Other(NodeKind::Empty) => WorkPicture::Empty {},
            NodeParams::Other(NodeKind::Child) => {
                WorkPicture::Child { graph: self.graphs_of(graph, node, depth)?.pop().unwrap_or_default() }
            }
            other => WorkPicture::Opaque { of: other.kind().name().into() },
        })
    }

    /// Tells where a kernel node takes its grid from. No node of a capture that goes on does.
    fn grid_from(&mut self, graph: GraphRef, node: NodeId) -> Result<[Option<MemoryRef>; 3]> {
        let GraphRef::Known(graph) = graph else { return Ok([None; 3]) };
        let mut places = [None; 3];
        for (place, address) in places.iter_mut().zip(self.driver()?.node_grid(graph, node)?) {
            *place = address.map(|address| self.place(address, false)).transpose()?;
        }
        Ok(places)
    }

    /// The attributes of a kernel node. Of a capture that goes on no device tells them.
    fn attributes(&self, graph: GraphRef, node: NodeId) -> Result<Vec<Attribute>> {
        let GraphRef::Known(graph) = graph else { return Ok(Vec::new()) };
        let set = node_attributes::read(self.driver()?, graph, node)?;
        let told =
            set.iter().map(|attribute| Attribute { id: attribute.id, value: attribute.cleared().value.to_vec() });
        Ok(told.collect())
    }

    fn kernel(&mut self, launch: &KernelParams) -> usize {
        let key = (launch.id(), launch.name.clone());
        if let Some(&at) = self.tables.by_kernel.get(&key) {
            return at;
        }
        let at = self.tables.kernels.len();
        let wanted = if key.1.is_empty() { format!("kernel {at}") } else { key.1.clone() };
        let name = self.tables.unique(NameKind::Kernel, wanted);
        self.tables.kernels.push(KernelEntry { name });
        self.tables.by_kernel.insert(key, at);
        at
    }

    /// A held function. One that has no name is called by the node that calls it first.
    fn function(&mut self, held: usize, node: Option<&str>) -> usize {
        let function = &self.held.functions[held];
        let key = Arc::as_ptr(function).addr();
        if let Some(&at) = self.tables.by_function.get(&key) {
            return at;
        }
        let at = self.tables.functions.len();
        let wanted = node.map_or_else(|| format!("function {at}"), str::to_owned);
        let name = self.tables.unique(NameKind::Function, wanted);
        let identity = match function.given() {
            Some(GivenFunction { function, user_data }) => format!("{function:#x}({user_data:#x})"),
            None => format!("{key:#x}"),
        };
        // The name is that of a node.
        self.tables.functions.push(NamedEntry { name, identity, is_named: false });
        self.tables.by_function.insert(key, at);
        at
    }

    fn event(&mut self, event: EventId) -> usize {
        if let Some(&at) = self.tables.by_event.get(&event) {
            return at;
        }
        let source = self.source;
        let known = self.events.get_or_insert_with(|| {
            let events = std::cell::RefCell::new(HashMap::new());
            (source.each_kept)(&|kept| {
                if let Some(event) = kept.object::<EventInner>().map(Event::from_kept) {
                    events.borrow_mut().insert(event.id(), event);
                }
            });
            events.into_inner()
        });
        let at = self.tables.events.len();
        let found = known.get(&event).cloned();
        let given = found.as_ref().and_then(Event::name);
        let is_named = given.is_some();
        let wanted = given.map_or_else(|| format!("event {at}"), |name| name.to_string());
        self.held.events.extend(found);
        let name = self.tables.unique(NameKind::Event, wanted);
        self.tables.events.push(NamedEntry { name, identity: format!("{:#x}", event.0), is_named });
        self.tables.by_event.insert(event, at);
        at
    }

    fn condition(&mut self, condition: ConditionId) -> usize {
        if let Some(&at) = self.tables.by_condition.get(&condition) {
            return at;
        }
        let at = self.tables.conditions.len();
        let default = self.source.conditions.get(&condition).copied();
        self.tables.conditions.push(ConditionEntry { default });
        self.tables.by_condition.insert(condition, at);
        at
    }

    fn copy(&mut self, MemcpyRows { row, height, depth, destination, source }: MemcpyRows) -> Result<WorkPicture> {
        let (to_host, from_host) = row.kind.host_sides();
        // Devices differ in what they tell of steps from slice to slice that are not taken.
        let pitch = |steps: Steps| Pitch {
            bytes: steps.row,
            slice_height: if depth == 1 { 0 } else { steps.slice / steps.row.max(1) },
        };
        Ok(WorkPicture::Memcpy {
            direction: row.kind,
            copy: CopyOf {
                destination: self.place(row.destination, to_host)?,
                source: self.place(row.source, from_host)?,
                width: row.bytes,
                height,
                depth,
                destination_pitch: pitch(destination),
                source_pitch: pitch(source),
            },
        })
    }

    fn value_operation(&mut self, operation: &graphcap_driver::ValueOperation) -> Result<ValueOperation> {
        let (bits, value) = match operation.value {
            Value::U32(value) => (32, value.into()),
            Value::U64(value) => (64, value),
        };
        Ok(ValueOperation { at: self.place(operation.address, false)?, bits, value, action: operation.action })
    }

    /// The arguments of a launch, with what it stated of them.
    fn stated_arguments(&mut self, node: NodeId, launch: KernelParams) -> Result<Arguments> {
        let kernel = launch.id();
        let stated = self.source.notes.accesses(node).filter(
            |stated| matches!(&launch.arguments, OwnedArguments::Separate(given) if stated.are_of(kernel, given)),
        );
        let mut read = self.read_arguments(launch.arguments, &launch.name)?;
        if let (Some(stated), Arguments::Separate(arguments)) = (stated, &mut read) {
            stated::tell(&stated, arguments, &self.tables.memory);
        }
        Ok(read)
    }

    fn read_arguments(&mut self, arguments: OwnedArguments, kernel: &str) -> Result<Arguments> {
        let are_marked = self.driver()?.are_conditions_marked();
        Ok(match arguments {
            OwnedArguments::Separate(arguments) => {
                let arguments = arguments.into_iter().enumerate().map(|(index, bytes)| {
                    // Of conditions that look like numbers only that one is known which graphcap's own kernel sets.
                    let may_be_condition = are_marked || (kernel == graphcap_devices::SET_CONDITION && index == 0);
                    match may_be_condition.then(|| self.whole_condition(&bytes)).flatten() {
                        Some(condition) => {
                            Ok(Argument { bytes: vec![0; ADDRESS_BYTES], addresses: vec![condition], access: None })
                        }
                        None => self.argument(bytes.into_vec()),
                    }
                });
                Arguments::Separate(arguments.collect::<Result<_>>()?)
            }
            OwnedArguments::Packed(block) => Arguments::Packed(self.argument(block.into_vec())?),
            OwnedArguments::Unknown => Arguments::Unknown,
        })
    }

    /// The condition of the graph that a whole argument names. Within larger ones, or in a block of all, bytes alike may be
    /// anything.
    fn whole_condition(&mut self, bytes: &[u8]) -> Option<Link> {
        let condition = ConditionId(u64::from_ne_bytes(bytes.try_into().ok()?));
        let is_known = self.source.conditions.contains_key(&condition);
        is_known.then(|| Link { at: 0, to: LinkTarget::Condition(self.condition(condition)) })
    }

    fn argument(&mut self, mut bytes: Vec<u8>) -> Result<Argument> {
        let parameter = [Parameter::new(0, bytes.len())];
        let pieces = self.arguments.read(&parameter, ArgumentBytes::Separate(&[&bytes]))?;
        let mut addresses = Vec::new();
        for Piece { offset: at, size, meaning, .. } in pieces {
            // Memory of a node is told as the node's, also where a buffer names it.
            for at in (at..(at + size).saturating_sub(ADDRESS_BYTES - 1)).step_by(ADDRESS_BYTES) {
                let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk()) else { continue };
                if let Some(place) = self.allocation(Address::from_ne_bytes(*word)) {
                    addresses.push(Link { at, to: LinkTarget::Memory(place) });
                }
            }
            let is_told = addresses.last().is_some_and(|link| link.at >= at);
            let place = match meaning {
                Meaning::Buffer(Located { memory, .. }) if is_told => {
                    self.held.memory.push(memory);
                    continue;
                }
                _ if is_told => continue,
                Meaning::Buffer(located) => self.located(located),
                Meaning::Foreign { allocation, offset } => match self.lent(allocation.base + offset) {
                    Some(place) => place,
                    None => MemoryRef { memory: self.foreign(allocation), offset: offset as usize },
                },
                Meaning::Value => continue,
            };
            addresses.push(Link { at, to: LinkTarget::Memory(place) });
        }
        for link in &addresses {
            bytes.iter_mut().skip(link.at).take(ADDRESS_BYTES).for_each(|byte| *byte = 0);
        }
        Ok(Argument { bytes, addresses, access: None })
    }

    /// Returns what lies at an address.
    fn place(&mut self, address: Address, is_host: bool) -> Result<MemoryRef> {
        // First, since a buffer may name what a node allocates.
        if let Some(place) = self.allocation(address) {
            return Ok(place);
        }
        if let Some(located) = self.source.context.find_buffer(address) {
            return Ok(self.located(located));
        }
        if let Some(place) = self.snapshot(address).or_else(|| self.lent(address)) {
            return Ok(place);
        }
        if is_host {
            return Ok(MemoryRef {
                memory: self.tables.memory((MemoryKind::Host, address, 0), None, |_| ()),
                offset: 0,
            });
        }
        if let Some(origin) = self.driver()?.address_origin(address)? {
            return Ok(MemoryRef { memory: self.foreign(origin), offset: (address - origin.base) as usize });
        }
        Ok(MemoryRef { memory: self.tables.memory((MemoryKind::Foreign, address, 0), None, |_| ()), offset: 0 })
    }

    fn located(&mut self, Located { memory, offset }: Located) -> MemoryRef {
        let (kind, start, name) = match &memory {
            Found::Buffer(buffer) => (MemoryKind::Buffer, buffer.address(), buffer.name()),
            Found::HostBuffer(buffer) => (MemoryKind::HostBuffer, buffer.address(), buffer.name()),
        };
        let (bytes, is_workspace) = (memory.size(), memory.is_shared_workspace());
        self.held.memory.push(memory);
        let memory = self.tables.memory((kind, start, bytes as u64), name.as_deref(), |made| {
            (made.bytes, made.is_workspace) = (Some(bytes), is_workspace);
        });
        MemoryRef { memory, offset }
    }

    /// Returns what lies at an address that is in a buffer of another context, whose objects the graph keeps.
    fn lent(&mut self, address: Address) -> Option<MemoryRef> {
        let own = self.source.context;
        let contexts = self.held.contexts.get_or_insert_with(|| contexts_of(self.source.each_kept));
        let others = contexts.iter().filter(|context| !context.is(own));
        let located = others.filter_map(|context| context.find_owner(address)).find(|(_, is_end)| !is_end);
        located.map(|(located, _)| self.located(located))
    }

    fn foreign(&mut self, origin: graphcap_driver::AddressOrigin) -> usize {
        let key = (MemoryKind::Foreign, origin.base, origin.id);
        self.tables.memory(key, None, |made| made.bytes = Some(origin.bytes))
    }

    /// Notes the memory of a node, which is called as the buffer that names it, or else as the node.
    fn note_allocation(&mut self, node: NodeId, made: graphcap_driver::MemAlloc) {
        let name = self.source.context.find_buffer(made.address).and_then(|Located { memory, offset }| {
            let name = match &memory {
                Found::Buffer(buffer) if offset == 0 => buffer.name(),
                _ => None,
            };
            self.held.memory.push(memory);
            name
        });
        let name = name.or_else(|| self.source.notes.name(node));
        self.allocations.insert(made.address, (made.bytes, name));
    }

    /// The allocation of a node that an address lies in.
    fn allocation(&mut self, address: Address) -> Option<MemoryRef> {
        let (&start, (bytes, name)) = self.allocations.range(..=address).next_back()?;
        let offset = (address - start) as usize;
        if offset >= *bytes {
            return None;
        }
        let memory = self.tables.memory((MemoryKind::Allocation, start, *bytes as u64), name.as_deref(), |made| {
            made.bytes = Some(*bytes);
        });
        Some(MemoryRef { memory, offset })
    }

    /// The bytes that the graph keeps in which an address lies.
    fn snapshot(&mut self, address: Address) -> Option<MemoryRef> {
        let source = self.source;
        let snapshots = self.snapshots.get_or_insert_with(|| {
            let snapshots = std::cell::RefCell::new(BTreeMap::new());
            (source.each_kept)(&|kept| {
                if let Kept::Snapshot(bytes) = kept {
                    snapshots.borrow_mut().insert(bytes.as_ptr().addr() as Address, Arc::clone(bytes));
                }
            });
            snapshots.into_inner()
        });
        let (&start, bytes) = snapshots.range(..=address).next_back()?;
        let offset = (address - start) as usize;
        if offset >= bytes.len() {
            return None;
        }
        let memory = self.tables.memory((MemoryKind::Snapshot, start, bytes.len() as u64), None, |made| {
            made.bytes = Some(bytes.len());
            made.data = Some(Arc::clone(bytes));
        });
        Some(MemoryRef { memory, offset })
    }
}
