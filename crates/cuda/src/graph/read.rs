//! Nodes read back: the driver's parameters of a node as [`Work`].

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ffi::{c_uint, c_void};
use std::hash::BuildHasherDefault;
use std::mem::MaybeUninit;
use std::sync::Arc;

use cudarc::driver::sys::{
    CUDA_KERNEL_NODE_PARAMS_v2, CUDA_MEM_ALLOC_NODE_PARAMS_v1, CUfunc_st, CUgraphNodeType, CUkern_st,
    CUDA_MEMSET_NODE_PARAMS,
};
use smallvec::SmallVec;

use super::adjacency::neighbours;
use super::edge_data::carried;
use super::listing::{list, node_count, nodes};
use super::managed_copies::host_side_of;
use super::nodes::ByAddress;
use crate::api::{
    self, Api, DriverError, Handle, HostNode, MemOpNode, Memcpy3d, Memcpy3dSide, Node, MEMORY_TYPE_DEVICE,
    MEMORY_TYPE_HOST, MEMORY_TYPE_UNIFIED,
};
use crate::code::function::HostCall;
use crate::code::module::{self, Layout, Told};
use crate::shared::Shared;
use crate::streams::launch::{LAUNCH_PARAM_BUFFER_POINTER, LAUNCH_PARAM_BUFFER_SIZE, LAUNCH_PARAM_END};
use crate::streams::values;
use graphcap_base::error::Status;
use graphcap_driver::rules::exec_update::HostSide;
use graphcap_driver::{
    Address, Argument, Arguments, EdgeData, EventId, KernelId, Launch, LaunchShape, MemAlloc, MemFree, Memcpy,
    MemcpyKind, MemcpyRows, Memset, NodeKind, ReadKernels, Side, Steps, ValueOperation, Work,
};

type Read<'a> = &'a mut dyn FnMut(&Work<'_>);

impl Shared {
    /// Returns whether a graph, or one of a child node, has a copy with that memory of the host. The bodies of conditionals are not looked
    /// at.
    ///
    /// # Safety
    /// The graph lives, no other thread uses it, and the context is current.
    pub(crate) unsafe fn has_copy(&self, graph: api::GraphHandle, host: HostSide) -> Result<bool, DriverError> {
        // SAFETY: passed on to the caller.
        for node in unsafe { nodes(self.api(), graph) }? {
            let mut found = false;
            // SAFETY: as above; the graph has the node.
            match unsafe { kind(self.api(), node) }? {
                NodeKind::Memcpy => {
                    let mut look = |work: &Work<'_>| {
                        if let Work::Memcpy { rows, .. } = work {
                            found = host_side_of(self.api(), rows) == host;
                        }
                    };
                    // SAFETY: as above.
                    unsafe { self.read_node(node, &mut Codes::default(), &mut look) }?;
                }
                NodeKind::Child => {
                    // SAFETY: as above; the graph within lives as long as the node.
                    if let Some(within) = unsafe { child_graph(self.api(), node) }? {
                        // SAFETY: as above.
                        found = unsafe { self.has_copy(within, host) }?;
                    }
                }
                _ => {}
            }
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tells `read` what a node does, by what is in `codes` of its kernel or gets there. What the driver does not tell, and what others made of things that graphcap does not know,
    /// is [`Work::Opaque`].
    ///
    /// # Safety
    /// `node` is a node of a live graph that no other thread uses.
    pub(crate) unsafe fn read_node(&self, node: Node, codes: &mut Codes, read: Read<'_>) -> Result<(), DriverError> {
        let api = self.api();
        // SAFETY: passed on to the caller.
        let kind = unsafe { kind(api, node) }?;
        let mut was_read = false;
        let mut once = |work: &Work<'_>| {
            was_read = true;
            read(work);
        };
        // SAFETY: as above; each is asked of a node of its kind.
        let told = unsafe {
            match kind {
                NodeKind::Empty => {
                    once(&Work::Empty);
                    Ok(())
                }
                NodeKind::Kernel if codes.kernels == ReadKernels::None => {
                    once(&Work::Opaque(kind));
                    Ok(())
                }
                NodeKind::Kernel => read_kernel(api, node, codes, &mut once),
                NodeKind::Memcpy => read_memcpy(api, node, &mut once),
                NodeKind::Memset => read_memset(api, node, &mut once),
                NodeKind::BatchMemOp => read_values(api, node, &mut once),
                NodeKind::Host => read_host(api, node, &mut once),
                NodeKind::EventRecord | NodeKind::EventWait => self.read_event(kind, node, &mut once),
                NodeKind::MemAlloc => read_allocation(api, node, &mut once),
                NodeKind::MemFree => read_free(api, node, &mut once),
                NodeKind::Child | NodeKind::Conditional | NodeKind::Other => Ok(()),
            }
        };
        if !was_read {
            told_or_not(told)?;
            read(&Work::Opaque(kind));
        }
        Ok(())
    }

    unsafe fn read_event(&self, kind: NodeKind, node: Node, read: Read<'_>) -> Result<(), DriverError> {
        let mut event = Handle::NULL;
        // SAFETY: the node is of that kind; `event` is writable.
        unsafe {
            match kind {
                NodeKind::EventRecord => self.api().cuGraphEventRecordNodeGetEvent(node, &mut event),
                _ => self.api().cuGraphEventWaitNodeGetEvent(node, &mut event),
            }
        }?;
        if let Some(event) = self.event_of(event) {
            read(&event_work(kind, event));
        }
        Ok(())
    }
}

/// An older driver may not tell what a node does, and a graph of others may hold what the driver itself refuses to tell.
pub(super) fn told_or_not(told: Result<(), DriverError>) -> Result<(), DriverError> {
    told.or_else(|refusal| match refusal.status {
        Status::NOT_SUPPORTED | Status::INVALID_VALUE | Status::INVALID_HANDLE => Ok(()),
        _ => Err(refusal),
    })
}

fn event_work(kind: NodeKind, event: EventId) -> Work<'static> {
    match kind {
        NodeKind::EventRecord => Work::EventRecord(event),
        _ => Work::EventWait(event),
    }
}

/// Returns what kind a node is of.
///
/// # Safety
/// As [`Shared::read_node`].
pub(crate) unsafe fn kind(api: &Api, node: Node) -> Result<NodeKind, DriverError> {
    let mut number = 0;
    // SAFETY: the caller promises the node.
    unsafe { api.cuGraphNodeGetType(node, &mut number) }?;
    Ok(kind_of(number))
}

fn kind_of(number: c_uint) -> NodeKind {
    const KINDS: [(CUgraphNodeType, NodeKind); 12] = [
        (CUgraphNodeType::CU_GRAPH_NODE_TYPE_KERNEL, NodeKind::Kernel),
        (CUgraphNodeType::CU_GRAPH_NODE_TYPE_MEMCPY, NodeKind::Memcpy),
        (CUgraphNodeType::CU_GRAPH_NODE_TYPE_MEMSET, NodeKind::Memset),
        (CUgraphNodeType::CU_GRAPH_NODE_TYPE_HOST, NodeKind::Host),
        (CUgraphNodeType::CU_GRAPH_NODE_TYPE_GRAPH, NodeKind::Child),
        (CUgraphNodeType::CU_GRAPH_NODE_TYPE_EMPTY, NodeKind::Empty),
        (CUgraphNodeType::CU_GRAPH_NODE_TYPE_WAIT_EVENT, NodeKind::EventWait),
        (CUgraphNodeType::CU_GRAPH_NODE_TYPE_EVENT_RECORD, NodeKind::EventRecord),
        (CUgraphNodeType::CU_GRAPH_NODE_TYPE_MEM_ALLOC, NodeKind::MemAlloc),
        (CUgraphNodeType::CU_GRAPH_NODE_TYPE_MEM_FREE, NodeKind::MemFree),
        (CUgraphNodeType::CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, NodeKind::BatchMemOp),
        (CUgraphNodeType::CU_GRAPH_NODE_TYPE_CONDITIONAL, NodeKind::Conditional),
    ];
    KINDS.iter().find(|(theirs, _)| *theirs as c_uint == number).map_or(NodeKind::Other, |&(_, ours)| ours)
}

/// The driver's parameters of a kernel node.
///
/// # Safety
/// As [`Shared::read_node`]; the node is a kernel.
pub(super) unsafe fn kernel_parameters(api: &Api, node: Node) -> Result<CUDA_KERNEL_NODE_PARAMS_v2, DriverError> {
    let mut parameters = MaybeUninit::<CUDA_KERNEL_NODE_PARAMS_v2>::zeroed();
    // SAFETY: the node is a kernel's; the driver fills the struct, which holds integers and pointers only.
    unsafe {
        api.cuGraphKernelNodeGetParams_v2(node, parameters.as_mut_ptr())?;
        Ok(parameters.assume_init())
    }
}

unsafe fn read_kernel(api: &Api, node: Node, codes: &mut Codes, read: Read<'_>) -> Result<(), DriverError> {
    // SAFETY: passed on to the caller.
    let parameters = unsafe { kernel_parameters(api, node) }?;
    let shape = LaunchShape {
        grid: [parameters.gridDimX, parameters.gridDimY, parameters.gridDimZ],
        block: [parameters.blockDimX, parameters.blockDimY, parameters.blockDimZ],
        shared_mem_bytes: parameters.sharedMemBytes,
    };
    let kernels = codes.kernels;
    let code = codes.code(parameters.func, parameters.kern);
    let kernel = code.id();
    if !kernels.has(kernel) {
        read(&Work::Opaque(NodeKind::Kernel));
        return Ok(());
    }
    let name = code.name(api);
    let tell = |arguments: Arguments<'_>| {
        read(&Work::Kernel(Launch { kernel, name, shape, arguments, attributes: &[], stated: None }));
    };
    // SAFETY: the driver's parameters of the node, which it keeps as long as the node is not changed.
    unsafe { with_arguments(code.layout(api), parameters.kernelParams, parameters.extra, tell) };
    Ok(())
}

/// Code that the nodes of a graph launch, as the driver tells of it while the graph is read: others load and unload theirs without
/// graphcap seeing it, so nothing of that is remembered later.
pub(crate) struct Codes {
    /// The kernels of which launches are told; of the others their kind is.
    kernels: ReadKernels,
    codes: Vec<Code>,
    /// By functions and kernels of libraries, whose handles are addresses of the driver's.
    places: HashMap<usize, usize, BuildHasherDefault<ByAddress>>,
    /// The one that was asked for last, as graphs often launch one kernel again.
    latest: (usize, usize),
}

/// Code of a kernel node: a function, or else a kernel of one of the driver's libraries.
struct Code {
    function: *mut CUfunc_st,
    kernel: *mut CUkern_st,
    /// Facts about it where graphcap found it.
    found: Option<Told>,
    /// Parameters of another one, as the driver tells them.
    layout: OnceCell<Option<Layout>>,
    name: OnceCell<Arc<str>>,
}

/// The name of the code of a kernel node, which is a function or else a kernel of one of the driver's libraries.
pub(super) fn code_name(api: &Api, function: *mut CUfunc_st, kernel: *mut CUkern_st) -> Option<String> {
    match function.is_null() {
        true => module::kernel_name(api, Handle(kernel)),
        false => module::function_name(api, Handle(function)),
    }
}

impl Default for Codes {
    fn default() -> Codes {
        Codes::of(ReadKernels::All)
    }
}

impl Codes {
    /// None yet, of a graph of which the launches of these kernels are told.
    pub(super) fn of(kernels: ReadKernels) -> Codes {
        Codes { kernels, codes: Vec::new(), places: HashMap::default(), latest: (0, 0) }
    }

    /// Returns the code of a kernel node, which is a function or else a kernel of one of the driver's libraries.
    fn code(&mut self, function: *mut CUfunc_st, kernel: *mut CUkern_st) -> &Code {
        let handle = function.addr().max(kernel.addr());
        let place = match self.latest {
            (latest, place) if latest == handle && place < self.codes.len() => place,
            _ => *self.places.entry(handle).or_insert_with(|| {
                let found = module::told_of_function(Handle(function));
                self.codes.push(Code { function, kernel, found, layout: OnceCell::new(), name: OnceCell::new() });
                self.codes.len() - 1
            }),
        };
        self.latest = (handle, place);
        &self.codes[place]
    }

    /// The parameters of the code of a kernel node.
    pub(super) fn layout(&mut self, api: &Api, function: *mut CUfunc_st, kernel: *mut CUkern_st) -> Option<&Layout> {
        self.code(function, kernel).layout(api)
    }
}

impl Code {
    fn id(&self) -> KernelId {
        self.found.as_ref().map_or(KernelId::FOREIGN, |found| found.id)
    }

    fn name(&self, api: &Api) -> &str {
        match &self.found {
            Some(found) => &found.name,
            None => self.name.get_or_init(|| code_name(api, self.function, self.kernel).unwrap_or_default().into()),
        }
    }

    fn layout(&self, api: &Api) -> Option<&Layout> {
        match &self.found {
            Some(found) => found.layout.as_ref(),
            None => self
                .layout
                .get_or_init(|| match self.function.is_null() {
                    true => Layout::of_kernel(api, Handle(self.kernel)),
                    false => Layout::of_function(api, Handle(self.function)),
                })
                .as_ref(),
        }
    }
}

/// Calls `tell` with the arguments that a kernel node has.
///
/// # Safety
/// `parameters` and `extra` are what the driver tells of a kernel node whose parameters `layout` describes, and live on.
pub(super) unsafe fn with_arguments(
    layout: Option<&Layout>,
    parameters: *mut *mut c_void,
    extra: *mut *mut c_void,
    tell: impl FnOnce(Arguments<'_>),
) {
    if !extra.is_null() {
        // SAFETY: passed on to the caller.
        return tell(unsafe { packed(extra) }.map_or(Arguments::Unknown, Arguments::Packed));
    }
    let Some(layout) = layout else { return tell(Arguments::Unknown) };
    if layout.sizes.is_empty() {
        return tell(Arguments::Separate(&[]));
    }
    if parameters.is_null() {
        return tell(Arguments::Unknown);
    }
    let arguments: SmallVec<[Argument<'_>; 16]> = layout
        .sizes
        .iter()
        .enumerate()
        .map(|(index, &size)| {
            // SAFETY: the caller promises a pointer for each parameter, each to as many bytes as the parameter has.
            Argument::Value(unsafe { std::slice::from_raw_parts((*parameters.add(index)).cast::<u8>(), size) })
        })
        .collect();
    tell(Arguments::Separate(&arguments));
}

/// The block of bytes that a list of launch parameters describes.
///
/// # Safety
/// `extra` is such a list, which ends with `CU_LAUNCH_PARAM_END`; what it points to lives on.
unsafe fn packed<'a>(extra: *mut *mut c_void) -> Option<&'a [u8]> {
    let (mut start, mut size) = (std::ptr::null::<u8>(), None);
    // A list says each of two things once.
    for entry in 0..2 {
        // SAFETY: the caller promises the list; its entries come in pairs until the one that ends it.
        unsafe {
            let (name, value) = (extra.add(2 * entry), extra.add(2 * entry + 1));
            match (*name).addr() {
                LAUNCH_PARAM_END => break,
                LAUNCH_PARAM_BUFFER_POINTER => start = (*value).cast(),
                LAUNCH_PARAM_BUFFER_SIZE => size = (*value).cast::<usize>().as_ref().copied(),
                _ => return None,
            }
        }
    }
    // SAFETY: as above: the block has as many bytes as the list says.
    size.filter(|_| !start.is_null()).map(|size| unsafe { std::slice::from_raw_parts(start, size) })
}

/// Tells where a side of a copy begins, and whether that is host memory; `None` for an array.
fn start<P: Copy>(side: &Memcpy3dSide<P>, host: impl FnOnce(P) -> usize) -> Option<(Address, Option<bool>)> {
    let (base, is_host) = match side.memory_type {
        MEMORY_TYPE_HOST => (host(side.host) as Address, Some(true)),
        MEMORY_TYPE_DEVICE => (side.device, Some(false)),
        MEMORY_TYPE_UNIFIED => (side.device, None),
        _ => return None,
    };
    let rows = side.z.checked_mul(side.height)?.checked_add(side.y)?;
    let offset = rows.checked_mul(side.pitch)?.checked_add(side.x_in_bytes)?;
    Some((base.checked_add(offset as Address)?, is_host))
}

pub(super) unsafe fn read_memcpy(api: &Api, node: Node, read: Read<'_>) -> Result<(), DriverError> {
    let mut copy = MaybeUninit::<Memcpy3d>::zeroed();
    // SAFETY: the node is a copy; the driver fills the struct, which holds integers and pointers only.
    let copy = unsafe {
        api.cuGraphMemcpyNodeGetParams(node, copy.as_mut_ptr())?;
        copy.assume_init()
    };
    let (destination, source) = (start(&copy.destination, |host| host.addr()), start(&copy.source, |host| host.addr()));
    let (Some((destination, to_host)), Some((source, from_host))) = (destination, source) else { return Ok(()) };
    let kind = match (to_host, from_host) {
        (Some(true), Some(true)) => MemcpyKind::HostToHost,
        (Some(true), _) => MemcpyKind::DeviceToHost,
        (_, Some(true)) => MemcpyKind::HostToDevice,
        (Some(false), Some(false)) => MemcpyKind::DeviceToDevice,
        (None, _) | (_, None) => MemcpyKind::BetweenContexts,
    };
    let row = Memcpy { destination, source, bytes: copy.width_in_bytes, kind };
    let (height, depth) = (copy.height.max(1), copy.depth.max(1));
    let steps = |pitch: usize, rows: usize| Steps { row: pitch, slice: pitch.saturating_mul(rows) };
    let rows = MemcpyRows {
        row,
        height,
        depth,
        destination: steps(copy.destination.pitch, copy.destination.height),
        source: steps(copy.source.pitch, copy.source.height),
    };
    read(&Work::Memcpy { rows, snapshot: None });
    Ok(())
}

pub(super) unsafe fn read_memset(api: &Api, node: Node, read: Read<'_>) -> Result<(), DriverError> {
    let mut set = MaybeUninit::<CUDA_MEMSET_NODE_PARAMS>::zeroed();
    // SAFETY: the node is a memset; the driver fills the struct, which holds integers only.
    let set = unsafe {
        api.cuGraphMemsetNodeGetParams(node, set.as_mut_ptr())?;
        set.assume_init()
    };
    read(&Work::Memset(Memset {
        address: set.dst,
        value: set.value,
        element_size: set.elementSize as u8,
        count: set.width,
        rows: set.height.max(1),
        pitch: set.pitch,
    }));
    Ok(())
}

pub(super) unsafe fn read_values(api: &Api, node: Node, read: Read<'_>) -> Result<(), DriverError> {
    let mut batch = MaybeUninit::<MemOpNode>::zeroed();
    // SAFETY: the node is one of value operations; the driver fills the struct, which holds integers and pointers only,
    // with a list that it keeps as long as the node is not changed.
    let entries = unsafe {
        api.cuGraphBatchMemOpNodeGetParams(node, batch.as_mut_ptr())?;
        let MemOpNode { count, operations, .. } = batch.assume_init();
        if operations.is_null() {
            &[]
        } else {
            std::slice::from_raw_parts(operations, count as usize)
        }
    };
    // A batch with an operation that graphcap does not know is told as a whole that it does not know.
    if let Some(operations) = entries.iter().map(values::operation).collect::<Option<SmallVec<[ValueOperation; 4]>>>() {
        read(&Work::Values(&operations));
    }
    Ok(())
}

/// Reads a node that allocates.
pub(super) unsafe fn read_allocation(api: &Api, node: Node, read: Read<'_>) -> Result<(), DriverError> {
    let mut allocation = MaybeUninit::<CUDA_MEM_ALLOC_NODE_PARAMS_v1>::zeroed();
    // SAFETY: the node is an allocation; the driver fills the struct, of which what is read holds integers only.
    let (bytes, address) = unsafe {
        api.cuGraphMemAllocNodeGetParams(node, allocation.as_mut_ptr())?;
        ((*allocation.as_ptr()).bytesize, (*allocation.as_ptr()).dptr)
    };
    read(&Work::MemAlloc(MemAlloc { bytes, address }));
    Ok(())
}

/// Reads a node that frees.
pub(super) unsafe fn read_free(api: &Api, node: Node, read: Read<'_>) -> Result<(), DriverError> {
    let mut address = 0;
    // SAFETY: the node is the end of an allocation; `address` is writable.
    unsafe { api.cuGraphMemFreeNodeGetParams(node, &mut address) }?;
    read(&Work::MemFree(MemFree::at(address)));
    Ok(())
}

unsafe fn read_host(api: &Api, node: Node, read: Read<'_>) -> Result<(), DriverError> {
    // SAFETY: passed on to the caller.
    if let Some(call) = HostCall::find(&unsafe { host_parameters(api, node) }?) {
        read(&Work::Host(call.function()));
    }
    Ok(())
}

/// Returns what a node of a host function calls.
///
/// # Safety
/// `node` is of that kind, and of a live graph that no other thread uses.
pub(super) unsafe fn host_parameters(api: &Api, node: Node) -> Result<HostNode, DriverError> {
    let mut call = HostNode { function: None, data: std::ptr::null_mut() };
    // SAFETY: the node is a host function's; the driver fills the struct.
    unsafe { api.cuGraphHostNodeGetParams(node, &mut call) }?;
    Ok(call)
}

/// The host function that a node calls, if it is one of graphcap's.
///
/// # Safety
/// As [`Shared::read_node`].
pub(super) unsafe fn host_call(api: &Api, node: Node) -> Result<Option<Arc<HostCall>>, DriverError> {
    // SAFETY: passed on to the caller.
    match unsafe { kind(api, node) }? {
        // SAFETY: as above.
        NodeKind::Host => Ok(HostCall::find(&unsafe { host_parameters(api, node) }?)),
        _ => Ok(None),
    }
}

/// The graph of a child node; `None` for a node of another kind.
///
/// # Safety
/// As [`Shared::read_node`].
pub(super) unsafe fn child_graph(api: &Api, node: Node) -> Result<Option<api::GraphHandle>, DriverError> {
    // SAFETY: passed on to the caller.
    if unsafe { kind(api, node) }? != NodeKind::Child {
        return Ok(None);
    }
    let mut graph = Handle::NULL;
    // SAFETY: the caller promises the node, which is a child; `graph` is writable.
    unsafe { api.cuGraphChildGraphNodeGetGraph(node, &mut graph) }?;
    Ok(Some(graph))
}

/// True of a graph of so many nodes whose execs must be launched before they are uploaded: the driver (580) crashes in uploading some whose
/// nodes wait for events of launches, also in the graphs of child nodes. The first launch uploads them as well. Kernels may wait for such
/// events, so that of a graph of kernels alone no edge is read.
///
/// # Safety
/// `graph` is a live graph that no other thread uses.
pub(crate) unsafe fn must_launch_first(api: &Api, graph: api::GraphHandle, count: usize) -> Result<bool, DriverError> {
    // SAFETY: passed on to the caller; the nodes are of the graph, and child graphs live as long as their nodes.
    unsafe {
        for node in list(api, graph, count)? {
            let kind = kind(api, node)?;
            if kind == NodeKind::Kernel {
                continue;
            }
            if neighbours(api, node, Side::Before)?.any(|(_, data)| carried(&data) == EdgeData::BEGUN) {
                return Ok(true);
            }
            let Some(child) = (kind == NodeKind::Child).then(|| child_graph(api, node)).transpose()?.flatten() else {
                continue;
            };
            if must_launch_first(api, child, node_count(api, child)?)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
