//! Memory that the nodes of a graph read and write, and nodes that have to keep their place.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use super::promises::{KernelStatement, Promises};
use graphcap_base::error::{Result, Status};
use graphcap_core::{
    Access, ArgumentBytes, ArgumentReader, Context, Declared, Graph, KernelConcurrency, KernelParams, Located, Meaning,
    Memory, NodeParams, OwnedArguments, Parameter, TouchedBuffer,
};
use graphcap_devices::SET_CONDITION;
use graphcap_driver::launch_attributes::{first_number, COOPERATIVE};
use graphcap_driver::rules::order::{Ordered, Standing, Touch};
use graphcap_driver::{Address, KernelId, MemcpyRows, Memset, NodeId, NodeKind, Steps, ADDRESS_BYTES};

/// A copy of more rows counts as one that touches all between its first byte and its last.
const MOST_ROWS: usize = 1024;

/// Nodes that keep their place, and why.
pub(crate) type Barriers = Vec<(NodeId, Barrier)>;

/// Reason for which a node keeps its place: all that was recorded before it stays before it, and all that was recorded behind it
/// stays behind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Barrier {
    /// It is not stated what the kernel touches, or not all of it.
    UnknownKernel(PartlyStated),
    /// The arguments of the kernel are not told.
    UnknownArguments,
    /// This argument of the kernel points to no memory that is known.
    Unresolved(usize),
    /// The launch stated something of its buffers, but this value holds an address of memory.
    Unstated(usize),
    /// By this argument the kernel may write memory that the CPU, or another device, sees; `None` where what is stated of a buffer
    /// says so.
    SeenOutside(Option<usize>),
    /// The launch is cooperative, and runs beside nothing.
    Cooperative,
    /// It is graphcap's own kernel that sets a condition, which lies in no memory that is known.
    SetsCondition,
    /// The kernel is stated to run beside nothing.
    Alone,
    /// The work of nodes of the kind can be seen from outside, or is not known.
    Kind(NodeKind),
    /// An edge from the node or to it carries something.
    CarryingEdge,
}

/// The part that is stated of a kernel of which more has to be stated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartlyStated {
    /// Nothing.
    Nothing,
    /// Memory that it touches beside its arguments.
    Besides,
    /// The accesses of another number of arguments.
    OtherArguments,
    /// By the launch: what it does with some of its buffers.
    SomeBuffers,
    /// By the launch: that it reads all its buffers. So it writes something else.
    AllRead,
    /// By name: addresses that it reads, and none that it writes.
    NamedRead,
}

impl Barrier {
    /// Returns whether the node may wait for what another node does that no path leads to.
    pub(super) fn may_wait(self) -> bool {
        match self {
            Barrier::Kind(NodeKind::EventRecord | NodeKind::MemAlloc | NodeKind::MemFree) => false,
            Barrier::Kind(_) => true,
            _ => false,
        }
    }
}

/// The workspace of a stream's products, which those share that were recorded on the stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SharedWorkspace {
    /// Its first address.
    pub address: Address,
    /// Its size.
    pub bytes: usize,
    /// Number of nodes that touch it, which stay in the recorded order.
    pub nodes: usize,
}

/// Reads what nodes touch.
pub(super) struct Reader<'a> {
    pub(super) graph: &'a Graph,
    pub(super) arguments: ArgumentReader<'a>,
    kernels: HashMap<KernelId, Arc<StatedOfKernel>>,
    /// The one that was asked for last, of graphcap's.
    latest: Option<(KernelId, Arc<StatedOfKernel>)>,
    /// Those of others, by their names.
    foreign: HashMap<String, Arc<StatedOfKernel>>,
    /// Addresses in the arguments of the kernel that was read last of which nothing is stated.
    pub(super) trusted: Vec<Trusted>,
    pub(super) promises: Promises,
    /// The shared workspaces that were met, with the node that met each last.
    workspaces: BTreeMap<Address, (SharedWorkspace, NodeId)>,
    /// Tells whether kernels may have attributes or take their grids from memory; `None` before that was asked.
    has_attributes: Option<bool>,
}

/// An address in a kernel's arguments that is trusted.
pub(super) struct Trusted {
    /// Number of the parameter, and the byte in it.
    pub(super) place: (usize, usize),
    /// Memory that it points to, among what the kernel touches.
    pub(super) touches: Range<usize>,
    /// Tells whether the CPU or another device sees that memory.
    pub(super) is_seen: bool,
}

/// Statements about a kernel.
#[derive(Default)]
struct StatedOfKernel {
    accesses: Option<Arc<[Option<Access>]>>,
    touched: Arc<[TouchedBuffer]>,
    concurrency: KernelConcurrency,
    /// By its name.
    by_name: Arc<[KernelStatement]>,
    unwritten: BTreeSet<(usize, usize)>,
}

impl StatedOfKernel {
    /// Returns what is stated by name of the word at a place.
    fn of_place(&self, parameter: usize, offset: usize) -> Option<Option<Access>> {
        self.by_name.iter().find(|one| one.is_of(parameter, offset)).map(|one| one.access)
    }

    /// Returns whether a word among these, which hold no address from a place on, is stated to be one by name, and is not NULL. An
    /// address that is stated of a whole parameter may be in another word of it.
    fn is_unresolved(&self, &(parameter, offset): &(usize, usize), words: &[u8]) -> bool {
        let word = |own: usize| own.checked_sub(offset).and_then(|at| words.get(at..at.checked_add(ADDRESS_BYTES)?));
        let stated = self.by_name.iter().filter(|one| one.parameter == parameter && one.access.is_some());
        stated.filter_map(|one| word(one.offset?)).any(|word| word.iter().any(|&byte| byte != 0))
    }

    fn writes_by_name(&self) -> bool {
        self.by_name.iter().any(|one| one.access.is_some_and(|access| access != Access::Read))
    }
}

/// The buffers of which an address may be meant to be one: those that hold the byte there. One that ends there has a neighbour then.
fn meant(context: &Context, address: Address) -> Vec<Located> {
    let mut found = context.find_buffers(address);
    if found.iter().any(|found| found.offset < found.memory.size()) {
        found.retain(|found| found.offset < found.memory.size());
    }
    found
}

impl<'a> Reader<'a> {
    pub(super) fn new(graph: &'a Graph, promises: Promises) -> Reader<'a> {
        let context = graph.context();
        let arguments = context.read_arguments(context.moment());
        let (kernels, foreign, trusted) = (HashMap::new(), HashMap::new(), Vec::new());
        Reader {
            graph,
            arguments,
            kernels,
            latest: None,
            foreign,
            trusted,
            promises,
            workspaces: BTreeMap::new(),
            has_attributes: None,
        }
    }

    /// Returns what a node with that work touches and, where it keeps its place, why.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub(super) fn read(&mut self, node: NodeId, params: &NodeParams) -> Result<(Ordered, Option<Barrier>)> {
        let mut touches = Vec::new();
        let mut one_at_a_time = false;
        let barrier = match params {
            NodeParams::Kernel(kernel) => {
                one_at_a_time = self.is_one_at_a_time(node, kernel)?;
                self.kernel(node, kernel, &mut touches)?
            }
            NodeParams::Memcpy { rows: copy, .. } => {
                copied(copy, &mut touches);
                self.mirror(node, &mut touches);
                None
            }
            NodeParams::Memset(set) => {
                filled(set, &mut touches);
                self.mirror(node, &mut touches);
                None
            }
            NodeParams::Other(NodeKind::Empty) => None,
            params => Some(Barrier::Kind(params.kind())),
        };
        let standing = match barrier {
            None => Standing::Free,
            Some(Barrier::Cooperative | Barrier::Alone) => Standing::Alone,
            Some(_) => Standing::Fixed,
        };
        Ok((Ordered { touches, standing, one_at_a_time, ..Ordered::default() }, barrier))
    }

    fn kernel(&mut self, node: NodeId, kernel: &KernelParams, touches: &mut Vec<Touch>) -> Result<Option<Barrier>> {
        // A graph of others has mostly such kernels, and each question about a node of it makes the driver list all.
        if self.promises.unexplained && !self.promises.trusts_parameters && kernel.id() == KernelId::FOREIGN {
            let known = self.stated(node, kernel)?;
            if known.accesses.is_none() && known.by_name.is_empty() && self.graph.node_stated(node)?.is_none() {
                return Ok(Some(Barrier::UnknownKernel(PartlyStated::Nothing)));
            }
        }
        if self.has_attributes()? && first_number(&self.graph.node_attribute(node, COOPERATIVE)?) != 0 {
            return Ok(Some(Barrier::Cooperative));
        }
        if self.stated(node, kernel)?.concurrency == KernelConcurrency::Alone {
            return Ok(Some(Barrier::Alone));
        }
        self.kernel_touches(node, kernel, touches)
    }

    fn has_attributes(&mut self) -> Result<bool> {
        match self.has_attributes {
            Some(known) => Ok(known),
            None => Ok(*self.has_attributes.insert(self.graph.may_have_attributes()?)),
        }
    }

    /// Returns whether a kernel never runs beside others that are stated so.
    pub(super) fn is_one_at_a_time(&mut self, node: NodeId, kernel: &KernelParams) -> Result<bool> {
        Ok(self.stated(node, kernel)?.concurrency == KernelConcurrency::OneAtATime)
    }

    /// Returns what a kernel touches and, where that is not known or is seen outside, why.
    pub(super) fn kernel_touches(
        &mut self,
        node: NodeId,
        kernel: &KernelParams,
        touches: &mut Vec<Touch>,
    ) -> Result<Option<Barrier>> {
        if kernel.name == SET_CONDITION {
            return Ok(Some(Barrier::SetsCondition));
        }
        let mut seen = None;
        if self.has_attributes()? {
            let sizes = self.graph.node_grid(node)?.into_iter().flatten();
            touches.extend(sizes.map(|size| touch(size, size_of::<u32>(), false)));
        }
        let known = self.stated(node, kernel)?;
        let StatedOfKernel { accesses: stated, touched, .. } = &*known;
        let is_named = stated.is_none() && !known.by_name.is_empty();
        let block;
        let arguments = match &kernel.arguments {
            OwnedArguments::Separate(arguments) => arguments,
            // One parameter as large as the block: which words of it are addresses, the memory tells.
            OwnedArguments::Packed(bytes) if stated.is_none() && (self.promises.trusts_parameters || is_named) => {
                block = vec![bytes.clone()];
                &block
            }
            _ => return Ok(Some(Barrier::UnknownArguments)),
        };
        let is_stated = stated.as_ref().is_some_and(|stated| stated.len() == arguments.len());
        let is_trusted = stated.is_none() && self.promises.trusts_parameters;
        // What the launch stated goes before what is stated of the kernel.
        let own = self.graph.node_stated(node)?.filter(|own| own.are_of(kernel.id(), arguments));
        let is_whole = stated.is_none() && own.as_ref().is_some_and(|own| own.are_whole());
        if !(is_stated || is_trusted || is_whole || is_named && known.writes_by_name()) {
            let unknown = match &own {
                _ if stated.is_some() => PartlyStated::OtherArguments,
                _ if is_named => PartlyStated::NamedRead,
                Some(own) if own.are_read_alone() => PartlyStated::AllRead,
                Some(_) => PartlyStated::SomeBuffers,
                None if !touched.is_empty() => PartlyStated::Besides,
                None => PartlyStated::Nothing,
            };
            return Ok(Some(Barrier::UnknownKernel(unknown)));
        }
        let own_of = |parameter: usize| own.as_ref().and_then(|own| own.argument(parameter));
        let access_of = |parameter: usize| match own_of(parameter) {
            Some(own) => Some(Some(own.access)),
            None => stated.as_ref().map(|stated| stated.get(parameter).copied().flatten()),
        };
        // Each word of an argument of which something is stated by name is looked at.
        let by_name = |parameter: usize, offset: usize| {
            access_of(parameter).or_else(|| is_named.then(|| known.of_place(parameter, offset)).flatten())
        };
        self.trusted.clear();
        let parameters: SmallVec<[Parameter; 16]> = (arguments.iter().enumerate())
            .map(|(index, bytes)| {
                let declared = match access_of(index) {
                    None => Declared::Unknown,
                    Some(None) => Declared::Value,
                    Some(Some(_)) => Declared::Address,
                };
                Parameter { declared, ..Parameter::new(0, bytes.len()) }
            })
            .collect();
        let bytes: SmallVec<[&[u8]; 16]> = arguments.iter().map(|bytes| &bytes[..]).collect();
        for piece in self.arguments.read(&parameters, ArgumentBytes::Separate(&bytes))? {
            let place = (piece.parameter, piece.offset);
            let (access, from) = (by_name(place.0, place.1), touches.len());
            let is_address = !matches!(piece.meaning, Meaning::Value);
            if is_named && is_address && access == Some(None) {
                continue;
            }
            let is_unwritten = access.is_none() && known.unwritten.contains(&place);
            let writes = access.flatten() != Some(Access::Read) && !is_unwritten;
            if access.is_none() && !is_trusted && is_address {
                return Ok(Some(Barrier::Unstated(piece.parameter)));
            }
            let mut is_seen = false;
            let bytes_of = own_of(piece.parameter).and_then(|own| own.bytes);
            match piece.meaning {
                Meaning::Buffer(located) => {
                    // Wrapped memory may be a part of another buffer, and nobody knows of which the kernel was meant to be given
                    // an address.
                    let start = located.memory.starts().next().unwrap_or_default();
                    let all = meant(self.graph.context(), start + located.offset as u64);
                    for memory in all.iter().map(|found| &found.memory).chain([&located.memory]) {
                        self.note_workspace(node, memory);
                        is_seen |= self.is_seen(memory);
                        if bytes_of.is_none() {
                            touches.extend(memory.starts().map(|start| touch(start, memory.size(), writes)));
                        }
                    }
                    if let Some((first, bytes)) = bytes_of {
                        touches.push(touch(first, bytes, writes));
                        self.mirror_from(node, from, touches);
                    }
                    if writes && is_seen {
                        seen = Some(Barrier::SeenOutside(Some(piece.parameter)));
                    }
                }
                Meaning::Foreign { allocation, offset } => {
                    touches.push(touch(allocation.base, allocation.bytes, writes));
                    // It may be meant as the end of a buffer.
                    for found in meant(self.graph.context(), allocation.base + offset) {
                        touches.extend(found.memory.starts().map(|start| touch(start, found.memory.size(), writes)));
                    }
                }
                Meaning::Value => {
                    let is_null = bytes.get(piece.parameter).is_some_and(|bytes| bytes.iter().all(|&byte| byte == 0));
                    if matches!(access_of(piece.parameter), Some(Some(_))) && !is_null {
                        return Ok(Some(Barrier::Unresolved(piece.parameter)));
                    }
                    let words =
                        bytes.get(piece.parameter).and_then(|bytes| bytes.get(piece.offset..piece.offset + piece.size));
                    if is_named && known.is_unresolved(&place, words.unwrap_or_default()) {
                        return Ok(Some(Barrier::Unresolved(piece.parameter)));
                    }
                }
            }
            if access.is_none() && is_address {
                self.trusted.push(Trusted { place, touches: from..touches.len(), is_seen });
            }
        }
        for TouchedBuffer { buffer, access } in touched.iter() {
            let (memory, writes) = (Memory::Buffer(buffer.clone()), *access != Access::Read);
            if writes && self.is_seen(&memory) {
                seen = Some(Barrier::SeenOutside(None));
            }
            touches.push(touch(buffer.address(), buffer.size(), writes));
        }
        Ok(seen)
    }

    /// Returns whether the CPU or another device sees what is written to memory, and may look meanwhile.
    fn is_seen(&self, memory: &Memory) -> bool {
        let is_foreign = memory.context().device().ordinal != self.graph.context().device().ordinal;
        (memory.is_seen_by_host() || is_foreign) && !self.promises.unobserved
    }

    /// The workspaces that several of the nodes touch which were read, in the order of their addresses.
    pub(super) fn shared_workspaces(&self) -> Vec<SharedWorkspace> {
        self.workspaces.values().map(|(shared, _)| *shared).filter(|shared| shared.nodes > 1).collect()
    }

    fn note_workspace(&mut self, node: NodeId, memory: &Memory) {
        if !memory.is_shared_workspace() {
            return;
        }
        for address in memory.starts() {
            let new = SharedWorkspace { address, bytes: memory.size(), nodes: 0 };
            let (shared, last) = self.workspaces.entry(address).or_insert((new, node));
            if shared.nodes == 0 || *last != node {
                shared.nodes += 1;
            }
            *last = node;
        }
    }

    /// Adds where else bytes lie that were touched: a host buffer may have another address for kernels than for the CPU.
    fn mirror(&mut self, node: NodeId, touches: &mut Vec<Touch>) {
        self.mirror_from(node, 0, touches);
    }

    /// As `mirror`, for those from a place on.
    fn mirror_from(&mut self, node: NodeId, from: usize, touches: &mut Vec<Touch>) {
        for at in from..touches.len() {
            let Some(&one) = touches.get(at) else { return };
            let Some(found) = self.graph.context().find_buffer(one.start) else { continue };
            self.note_workspace(node, &found.memory);
            let own = one.start - found.offset as u64;
            // As a list: of an address that is not there an optimised build compares bytes that nobody wrote, which memory checkers
            // complain of.
            let starts: SmallVec<[Address; 2]> = found.memory.starts().collect();
            let elsewhere = starts.iter().filter(|&&start| start != own);
            touches.extend(
                elsewhere.map(|start| touch(start + found.offset as u64, (one.end - one.start) as usize, one.writes)),
            );
        }
    }

    /// Returns what is stated of the kernel of a node.
    fn stated(&mut self, node: NodeId, kernel: &KernelParams) -> Result<Arc<StatedOfKernel>> {
        let known = match (kernel.id(), &self.latest) {
            (KernelId::FOREIGN, _) => self.foreign.get(&kernel.name),
            (id, Some((latest, known))) if id == *latest => Some(known),
            (id, _) => self.kernels.get(&id),
        };
        if let Some(known) = known.cloned() {
            let is_latest = self.latest.as_ref().is_some_and(|(latest, _)| *latest == kernel.id());
            if kernel.id() != KernelId::FOREIGN && !is_latest {
                self.latest = Some((kernel.id(), Arc::clone(&known)));
            }
            return Ok(known);
        }
        let (by_name, unwritten) = (self.promises.statements_of(kernel), self.promises.unwritten_by(kernel));
        let by_name = StatedOfKernel { by_name, unwritten, ..StatedOfKernel::default() };
        let stated = match self.graph.node_kernel(node) {
            Ok(kernel) => StatedOfKernel {
                accesses: kernel.accesses(),
                touched: kernel.touched_buffers(),
                concurrency: kernel.concurrency(),
                ..by_name
            },
            Err(error) if error.status == Status::NOT_FOUND => by_name,
            Err(error) => return Err(error),
        };
        let stated = Arc::new(stated);
        match kernel.id() {
            KernelId::FOREIGN => self.foreign.insert(kernel.name.clone(), Arc::clone(&stated)),
            id => self.kernels.insert(id, Arc::clone(&stated)),
        };
        Ok(stated)
    }
}

fn touch(start: Address, bytes: usize, writes: bool) -> Touch {
    Touch { start, end: start.saturating_add(bytes as u64), writes }
}

pub(super) fn copied(copy: &MemcpyRows, touches: &mut Vec<Touch>) {
    let copy = copy.joined();
    let (height, depth, row) = (copy.height, copy.depth, copy.row);
    rows(row.source, (row.bytes, height, depth), copy.source, false, touches);
    rows(row.destination, (row.bytes, height, depth), copy.destination, true, touches);
}

pub(super) fn filled(set: &Memset, touches: &mut Vec<Touch>) {
    let set = set.joined();
    let width = set.count.saturating_mul(usize::from(set.element_size));
    rows(set.address, (width, set.rows, 1), Steps { row: set.pitch, slice: 0 }, true, touches);
}

/// Returns whether a copy or memset of so many rows counts as touching what lies between the rows, too.
pub(crate) fn is_rounded(height: usize, depth: usize) -> bool {
    height.saturating_mul(depth) > MOST_ROWS
}

/// The rows of a region: of so many bytes, in slices of so many, of which there are so many.
fn rows(
    first: Address,
    (width, height, depth): (usize, usize, usize),
    steps: Steps,
    writes: bool,
    touches: &mut Vec<Touch>,
) {
    if is_rounded(height, depth) {
        let span = steps.span(width, height, depth).unwrap_or(usize::MAX);
        touches.push(touch(first, span, writes));
        return;
    }
    for slice in 0..depth {
        for row in 0..height {
            let offset = (slice * steps.slice + row * steps.row) as u64;
            touches.push(touch(first.saturating_add(offset), width, writes));
        }
    }
}
