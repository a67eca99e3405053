//! The driver's parameters of nodes, made of [`Work`]: for nodes that are added, and for those that are changed, in a graph or in
//! an exec. `read.rs` is the way back.

use std::ffi::c_uint;
use std::mem::MaybeUninit;
use std::sync::atomic::Ordering;
use std::sync::Arc;

use cudarc::driver::sys::{CUDA_KERNEL_NODE_PARAMS_v2, CUDA_MEMSET_NODE_PARAMS};
use smallvec::SmallVec;

use super::read::{code_name, host_call, kernel_parameters, kind};
use super::related;
use crate::api::device::Device;
use crate::api::{
    self, Api, DriverError, ExecHandle, GraphHandle, Handle, MemOp, MemOpNode, Memcpy3d, Node, StreamAttribute,
    MEMORY_TYPE_DEVICE, MEMORY_TYPE_UNIFIED,
};
use crate::code::function::HostCall;
use crate::shared::{Shared, CONTEXTS};
use crate::streams::copy;
use crate::streams::launch::with_given;
use crate::streams::values;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::launch_attributes::{DEVICE_UPDATABLE, PRIORITY};
use graphcap_driver::refusals::not_added_so;
use graphcap_driver::{Address, KernelId, Launch, LaunchAttribute, LaunchShape, MemcpyKind, NodeKind, Work};

/// Parameters of a node for the driver, and what only its typed functions tell apart.
pub(crate) enum Parameters<'a> {
    Empty,
    Kernel(CUDA_KERNEL_NODE_PARAMS_v2, &'a [LaunchAttribute]),
    Memcpy(Memcpy3d),
    Memset(CUDA_MEMSET_NODE_PARAMS),
    Host(Arc<HostCall>),
    Values(MemOpNode),
    EventRecord(api::EventHandle),
    EventWait(api::EventHandle),
    MemFree(Address),
}

impl Shared {
    /// Makes `call` with the device that a node does `work` on, and its parameters. What they point to goes with the call.
    pub(crate) fn with_parameters<T>(
        &self,
        work: &Work<'_>,
        call: impl FnOnce(Device, &Parameters<'_>) -> Result<T>,
    ) -> Result<T> {
        let device = self.device_of(work)?;
        let call = |parameters: &Parameters<'_>| call(device, parameters);
        match work {
            Work::Empty => call(&Parameters::Empty),
            Work::Kernel(launch) => {
                self.with_kernel_parameters(launch, |kernel| call(&Parameters::Kernel(*kernel, launch.attributes)))
            }
            Work::Memcpy { rows, .. } => {
                // Of memory on two devices the driver is to find out itself where it is.
                let device = match rows.row.kind {
                    MemcpyKind::BetweenContexts => MEMORY_TYPE_UNIFIED,
                    _ => MEMORY_TYPE_DEVICE,
                };
                call(&Parameters::Memcpy(copy::parameters(rows, device)))
            }
            Work::Memset(set) => call(&Parameters::Memset(CUDA_MEMSET_NODE_PARAMS {
                dst: set.address,
                pitch: set.pitch,
                value: set.value,
                elementSize: set.element_size.into(),
                width: set.count,
                height: set.rows,
            })),
            Work::Host(function) => {
                call(&Parameters::Host(HostCall::recorded(Arc::clone(function), &self.faults.failures)))
            }
            Work::Values(operations) => {
                let entries: SmallVec<[MemOp; 4]> = operations.iter().map(values::entry).collect();
                call(&Parameters::Values(MemOpNode {
                    context: device.context,
                    count: c_uint::try_from(entries.len()).unwrap_or(c_uint::MAX),
                    operations: entries.as_ptr(),
                    flags: 0,
                }))
            }
            Work::EventRecord(event) => call(&Parameters::EventRecord(self.event(*event).native)),
            Work::EventWait(event) => call(&Parameters::EventWait(self.event(*event).native)),
            Work::MemAlloc(_) => Err(not_added_so()),
            Work::MemFree(freed) => call(&Parameters::MemFree(freed.address)),
            Work::Child(_) | Work::Conditional(_) | Work::Opaque(_) => Err(not_a_node()),
        }
    }

    /// As [`Shared::with_parameters`], for a kernel; its attributes are not among them.
    #[inline]
    pub(crate) fn with_kernel_parameters<T, E: From<Error>>(
        &self,
        launch: &Launch<'_>,
        call: impl FnOnce(&CUDA_KERNEL_NODE_PARAMS_v2) -> Result<T, E>,
    ) -> Result<T, E> {
        if launch.kernel == KernelId::FOREIGN {
            return Err(not_a_node().into());
        }
        let found = self.kernel(launch.kernel);
        let LaunchShape { grid, block, shared_mem_bytes } = launch.shape;
        with_given(&launch.arguments, found.are_sizes_told, |parameters, extra| {
            found.allow_shared_memory(self.api(), shared_mem_bytes);
            call(&CUDA_KERNEL_NODE_PARAMS_v2 {
                func: found.native.0,
                gridDimX: grid[0],
                gridDimY: grid[1],
                gridDimZ: grid[2],
                blockDimX: block[0],
                blockDimY: block[1],
                blockDimZ: block[2],
                sharedMemBytes: shared_mem_bytes,
                kernelParams: parameters,
                extra,
                kern: std::ptr::null_mut(),
                ctx: std::ptr::null_mut(),
            })
        })?
    }
}

/// Makes `call` with the context current where a node is a kernel's, a copy's or a memset's: without one the driver crashes (580),
/// or refuses to change the memset of a graph's node. A copy that is changed may go to another device.
fn in_context<T>(
    device: Device,
    parameters: &Parameters<'_>,
    call: impl FnOnce() -> Result<T, DriverError>,
) -> Result<T, DriverError> {
    let _current = match parameters {
        Parameters::Kernel(..) | Parameters::Memset(_) => Some(device.enter()?),
        Parameters::Memcpy(_) if CONTEXTS.are_devices_several.load(Ordering::Acquire) => Some(device.enter()?),
        _ => None,
    };
    call()
}

impl Parameters<'static> {
    /// Returns what the driver is told to have another node do what this one does, but for the attributes of a kernel. `None` for kinds of
    /// which it is not told so, and for host functions of others.
    ///
    /// # Safety
    /// `node` is of a live graph that no other thread uses. What the parameters point to the driver keeps as long as the node is not
    /// changed.
    pub(super) unsafe fn of_node(api: &Api, node: Node) -> Result<Option<Parameters<'static>>, DriverError> {
        // SAFETY: the caller promises the node, and each question is for its kind; the driver fills the structs, which hold integers
        // and pointers only, to what it keeps as long as the node.
        unsafe {
            Ok(Some(match kind(api, node)? {
                NodeKind::Empty => Parameters::Empty,
                NodeKind::Kernel => Parameters::Kernel(kernel_parameters(api, node)?, &[]),
                NodeKind::Memcpy => {
                    let mut copy = MaybeUninit::<Memcpy3d>::zeroed();
                    api.cuGraphMemcpyNodeGetParams(node, copy.as_mut_ptr())?;
                    Parameters::Memcpy(copy.assume_init())
                }
                NodeKind::Memset => {
                    let mut set = MaybeUninit::<CUDA_MEMSET_NODE_PARAMS>::zeroed();
                    api.cuGraphMemsetNodeGetParams(node, set.as_mut_ptr())?;
                    Parameters::Memset(set.assume_init())
                }
                NodeKind::BatchMemOp => {
                    let mut batch = MaybeUninit::<MemOpNode>::zeroed();
                    api.cuGraphBatchMemOpNodeGetParams(node, batch.as_mut_ptr())?;
                    Parameters::Values(batch.assume_init())
                }
                NodeKind::Host => match host_call(api, node)? {
                    // A call is held by one graph and its copies, and goes when its node is changed.
                    Some(call) => Parameters::Host(call.again()),
                    None => return Ok(None),
                },
                kind @ (NodeKind::EventRecord | NodeKind::EventWait) => {
                    let mut event = Handle::NULL;
                    match kind {
                        NodeKind::EventRecord => {
                            api.cuGraphEventRecordNodeGetEvent(node, &mut event)?;
                            Parameters::EventRecord(event)
                        }
                        _ => {
                            api.cuGraphEventWaitNodeGetEvent(node, &mut event)?;
                            Parameters::EventWait(event)
                        }
                    }
                }
                _ => return Ok(None),
            }))
        }
    }
}

impl Parameters<'_> {
    /// Adds a node.
    ///
    /// # Safety
    /// `graph` is a live graph that no other thread uses, and `dependencies` are nodes of it. What the parameters point to lives.
    pub(super) unsafe fn add(
        &self,
        device: Device,
        graph: GraphHandle,
        dependencies: &[Node],
    ) -> Result<Node, DriverError> {
        let (api, context) = (device.api, device.context);
        let (mut node, first, count) = (Handle::NULL, dependencies.as_ptr(), dependencies.len());
        let place = &mut node;
        // SAFETY: the caller promises graph and nodes; `node` is writable. The driver copies what it is told, and checks device
        // addresses; who adds the node promises host memory.
        in_context(device, self, || unsafe {
            match self {
                Parameters::Empty => api.cuGraphAddEmptyNode(place, graph, first, count),
                Parameters::Kernel(kernel, attributes) => {
                    try_attributes(device, kernel, attributes)?;
                    api.cuGraphAddKernelNode_v2(place, graph, first, count, kernel)?;
                    set_attributes(device, *place, attributes).map(drop).inspect_err(|_| {
                        let _alone = related();
                        // Nobody else knows the node. Where the driver removes none, it took these attributes just before.
                        let _ = api.cuGraphDestroyNode(*place);
                    })
                }
                Parameters::Memcpy(copy) => api.cuGraphAddMemcpyNode(place, graph, first, count, copy, context),
                Parameters::Memset(set) => api.cuGraphAddMemsetNode(place, graph, first, count, set, context),
                Parameters::Host(call) => api.cuGraphAddHostNode(place, graph, first, count, &call.node()),
                Parameters::Values(batch) => api.cuGraphAddBatchMemOpNode(place, graph, first, count, batch),
                Parameters::EventRecord(event) => api.cuGraphAddEventRecordNode(place, graph, first, count, *event),
                Parameters::EventWait(event) => api.cuGraphAddEventWaitNode(place, graph, first, count, *event),
                Parameters::MemFree(address) => api.cuGraphAddMemFreeNode(place, graph, first, count, *address),
            }
        })?;
        Ok(node)
    }

    /// Changes a node of a graph.
    ///
    /// # Safety
    /// `node` is of a live graph that no other thread uses. What the parameters point to lives.
    pub(super) unsafe fn set(&self, device: Device, node: Node) -> Result<(), DriverError> {
        let api = device.api;
        // SAFETY: the caller promises the node, and the driver refuses one of another kind. As for a node that is added.
        in_context(device, self, || unsafe {
            match self {
                Parameters::Empty => check_is_empty(device, node),
                Parameters::Kernel(kernel, attributes) => {
                    if attributes.iter().any(|attribute| attribute.id == DEVICE_UPDATABLE) {
                        // That one is not taken back.
                        try_attributes(device, kernel, attributes)?;
                    }
                    // AttributesBefore the parameters, since attributes that were there are known, and can be set again.
                    let before = set_attributes(device, node, attributes)?;
                    api.cuGraphKernelNodeSetParams_v2(node, kernel).inspect_err(|_| reset(device, node, before))
                }
                Parameters::Memcpy(copy) => {
                    // The driver takes the node's context from the thread. Of a copy of a pool's memory that has none, a launch
                    // behind an update crashes (580).
                    let _current = device.enter()?;
                    api.cuGraphMemcpyNodeSetParams(node, copy)
                }
                Parameters::Memset(set) => api.cuGraphMemsetNodeSetParams(node, set),
                Parameters::Host(call) => api.cuGraphHostNodeSetParams(node, &call.node()),
                Parameters::Values(batch) => api.cuGraphBatchMemOpNodeSetParams(node, batch),
                Parameters::EventRecord(event) => api.cuGraphEventRecordNodeSetEvent(node, *event),
                Parameters::EventWait(event) => api.cuGraphEventWaitNodeSetEvent(node, *event),
                Parameters::MemFree(_) => Err(NEVER_SET),
            }
        })
    }

    /// Changes a node of an exec. The attributes of kernels stay: the driver has no function for them.
    ///
    /// # Safety
    /// `exec` is a live exec that no other thread uses, and `node` is of a live graph. What the parameters point to lives.
    pub(crate) unsafe fn exec_set(&self, device: Device, exec: ExecHandle, node: Node) -> Result<(), DriverError> {
        let (api, context) = (device.api, device.context);
        // SAFETY: the caller promises exec and node; the driver refuses a node of another kind, and one that the exec does not
        // have. As for a node that is added.
        in_context(device, self, || unsafe {
            match self {
                Parameters::Empty => check_is_empty(device, node),
                Parameters::Kernel(kernel, _) => api.cuGraphExecKernelNodeSetParams_v2(exec, node, kernel),
                Parameters::Memcpy(copy) => api.cuGraphExecMemcpyNodeSetParams(exec, node, copy, context),
                Parameters::Memset(set) => api.cuGraphExecMemsetNodeSetParams(exec, node, set, context),
                Parameters::Host(call) => api.cuGraphExecHostNodeSetParams(exec, node, &call.node()),
                Parameters::Values(batch) => api.cuGraphExecBatchMemOpNodeSetParams(exec, node, batch),
                Parameters::EventRecord(event) => api.cuGraphExecEventRecordNodeSetEvent(exec, node, *event),
                Parameters::EventWait(event) => api.cuGraphExecEventWaitNodeSetEvent(exec, node, *event),
                Parameters::MemFree(_) => Err(NEVER_SET),
            }
        })
    }

    /// The launch attributes of a kernel.
    pub(crate) fn attributes(&self) -> &[LaunchAttribute] {
        match self {
            Parameters::Kernel(_, attributes) => attributes,
            _ => &[],
        }
    }

    /// The number of a kernel's launch, as [`launch_digest`] gives it.
    pub(crate) fn launch(&self) -> Option<u64> {
        match self {
            Parameters::Kernel(kernel, _) => Some(launch_digest(kernel)),
            _ => None,
        }
    }

    /// The host function that a node calls.
    pub(crate) fn call(&self) -> Option<&Arc<HostCall>> {
        match self {
            Parameters::Host(call) => Some(call),
            _ => None,
        }
    }
}

/// The kind of a node, and the name of its kernel; `None` for other kinds, and where the driver does not tell.
///
/// # Safety
/// `node` is a node of a live graph that no other thread uses.
pub(crate) unsafe fn kind_and_kernel(api: &Api, node: Node) -> Result<(NodeKind, Option<String>), DriverError> {
    // SAFETY: passed on to the caller.
    let kind = unsafe { kind(api, node) }?;
    if kind != NodeKind::Kernel {
        return Ok((kind, None));
    }
    // SAFETY: as above; the node is a kernel.
    let kernel = unsafe { kernel_parameters(api, node) }?;
    Ok((kind, code_name(api, kernel.func, kernel.kern)))
}

/// A number that differs where the function, the grid, the blocks or the shared memory of a kernel differ.
pub(crate) fn launch_digest(kernel: &CUDA_KERNEL_NODE_PARAMS_v2) -> u64 {
    let [x, y, z] = [kernel.gridDimX, kernel.gridDimY, kernel.gridDimZ].map(u64::from);
    let block = [kernel.blockDimX, kernel.blockDimY, kernel.blockDimZ, kernel.sharedMemBytes].map(u64::from);
    let numbers = [kernel.func as u64, kernel.kern as u64, x, y, z].into_iter().chain(block);
    // Each time an odd number, so that no two numbers give one.
    numbers.fold(0, |digest: u64, number| (digest.rotate_left(23) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Answer of the driver for nodes of kinds that it does not change.
const NEVER_SET: DriverError =
    DriverError { function: "cuGraphNodeSetParams", status: Status::NOT_SUPPORTED, since: None };

/// Refuses a node that is not an empty one, of which nothing can be changed.
///
/// # Safety
/// `node` is of a live graph that no other thread uses.
unsafe fn check_is_empty(device: Device, node: Node) -> Result<(), DriverError> {
    // SAFETY: passed on to the caller.
    match unsafe { kind(device.api, node) }? {
        NodeKind::Empty => Ok(()),
        _ => Err(DriverError { function: "cuGraphNodeSetParams", status: Status::INVALID_VALUE, since: None }),
    }
}

/// Attributes of a kernel node as they were, by their numbers.
type AttributesBefore = SmallVec<[(c_uint, StreamAttribute); 4]>;

/// Refuses a kernel with attributes that the driver does not give it, which is tried in a graph of its own: the driver removes no
/// node from a graph that allocates or frees, and none that kernels can change.
///
/// # Safety
/// The context is current. What the parameters point to lives.
unsafe fn try_attributes(
    device: Device,
    kernel: &CUDA_KERNEL_NODE_PARAMS_v2,
    attributes: &[LaunchAttribute],
) -> Result<(), DriverError> {
    let (api, mut graph, mut node) = (device.api, Handle::NULL, Handle::NULL);
    // SAFETY: the outputs are writable, nobody else knows the graph, and the caller promises the parameters.
    unsafe {
        api.cuGraphCreate(&mut graph, 0)?;
        let tried = api
            .cuGraphAddKernelNode_v2(&mut node, graph, std::ptr::null(), 0, kernel)
            .and_then(|()| set_attributes(device, node, attributes).map(drop));
        let _alone = related();
        tried.and(api.cuGraphDestroy(graph))
    }
}

/// Sets attributes of a kernel node: all of them, or none. Gives what they were. That kernels can change the node comes last, since
/// it is not taken back.
///
/// # Safety
/// `node` is of a live graph that no other thread uses, and the context is current.
unsafe fn set_attributes(
    device: Device,
    node: Node,
    attributes: &[LaunchAttribute],
) -> Result<AttributesBefore, DriverError> {
    let mut before = AttributesBefore::new();
    let (last, first): (SmallVec<[&LaunchAttribute; 4]>, SmallVec<[&LaunchAttribute; 4]>) =
        attributes.iter().partition(|attribute| attribute.id == DEVICE_UPDATABLE);
    for LaunchAttribute { id, value } in first.into_iter().chain(last) {
        let mut value = StreamAttribute(*value);
        let mut old = StreamAttribute([0; size_of::<StreamAttribute>()]);
        // SAFETY: the caller promises the node; both values are as large as any. The driver writes into the value of an attribute
        // by which kernels can change the node.
        let set = unsafe {
            let known = device.api.cuGraphKernelNodeGetAttribute(node, *id, &mut old).is_ok();
            device.api.cuGraphKernelNodeSetAttribute(node, *id, &raw mut value).map(|()| known)
        };
        match set {
            Ok(true) => before.push((*id, old)),
            // One that cannot be read cannot be set again.
            Ok(false) => {}
            Err(refusal) => {
                // SAFETY: passed on to the caller.
                unsafe { reset(device, node, before) };
                return Err(refusal);
            }
        }
    }
    Ok(before)
}

/// Sets attributes of a kernel node to what they were.
///
/// # Safety
/// As for [`set_attributes`].
unsafe fn reset(device: Device, node: Node, before: AttributesBefore) {
    for (id, mut value) in before.into_iter().rev() {
        // SAFETY: the caller promises the node; the value is what the driver gave, which may write into it.
        let _ = unsafe { device.api.cuGraphKernelNodeSetAttribute(node, id, &raw mut value) };
    }
}

/// The value of an attribute of a kernel node; `None` where the driver tells none.
///
/// # Safety
/// `node` is of a live graph that no other thread uses.
pub(super) unsafe fn attribute_of(device: Device, node: Node, id: u32) -> Option<LaunchAttribute> {
    let mut value = StreamAttribute([0; size_of::<StreamAttribute>()]);
    // SAFETY: the caller promises the node, and the driver refuses one of another kind; the value is as large as any.
    let asked = unsafe { device.api.cuGraphKernelNodeGetAttribute(node, id, &mut value) };
    asked.is_ok().then_some(LaunchAttribute { id, value: value.0 })
}

/// Returns whether kernels can change a kernel node.
///
/// # Safety
/// As [`attribute_of`].
pub(super) unsafe fn is_changeable(device: Device, node: Node) -> bool {
    // SAFETY: passed on to the caller.
    unsafe { attribute_of(device, node, DEVICE_UPDATABLE) }.is_some_and(|attribute| attribute.number() != 0)
}

/// Returns whether a kernel that has the attribute `known` has it as one that was told `told`.
pub(super) fn is_same_attribute(known: LaunchAttribute, told: &LaunchAttribute) -> bool {
    match told.id {
        // The driver cuts a priority that is less urgent than any.
        PRIORITY if told.number() > 0 => known.number() == 0,
        // Behind it the driver tells the node's handle in kernels.
        DEVICE_UPDATABLE => known.number() == told.number(),
        _ => known.cleared() == told.cleared(),
    }
}

/// Returns what work answers that no node can be given.
#[cold]
fn not_a_node() -> Error {
    Error::invalid_value(
        "a node cannot be given this work: graphcap does not know all of it; give the kernel of a module, and values for all \
         of its parameters",
    )
}
