//! The functions of the driver that graphcap calls, each looked up by its exact name and optional.
//!
//! They are declared here, with integers where the driver's headers have enums: a driver newer than the bindings may
//! answer a number that they do not know. `api/handle.rs` has the handles, `api/params.rs` the structs that are not cudarc's.

#![allow(non_snake_case, reason = "the functions have the driver's names, so that they can be searched for")]

pub(super) mod address;
pub(super) mod answers;
pub(super) mod current;
pub(super) mod device;
pub(super) mod driver_thread;
mod handle;
pub(super) mod library;
pub(super) mod limits;
pub(super) mod log;
mod params;

use std::ffi::{c_char, c_int, c_uint, c_ushort, c_void, CStr};
use std::fmt;

use cudarc::driver::sys::{
    CUDA_KERNEL_NODE_PARAMS_v2, CUDA_MEM_ALLOC_NODE_PARAMS_v1, CUgraphEdgeData, CUipcEventHandle, CUmemAccessDesc,
    CUmemAllocationProp, CUmemPoolProps, CUDA_MEMSET_NODE_PARAMS,
};
use libloading::Library;

pub(super) use handle::{
    Ctx, EventHandle, ExecHandle, Function, GraphHandle, Handle, LibraryKernel, ModuleHandle, Node, PoolHandle,
    StreamHandle, UserObject,
};
pub(super) use params::{
    Callback, ExecUpdateInfo, HostNode, InstantiateParameters, LaunchConfig, LaunchConfigAttribute, MemOp, MemOpNode,
    Memcpy3d, Memcpy3dSide, MemcpyAttributes, NodeParameters, StreamAttribute, MEMORY_TYPE_DEVICE, MEMORY_TYPE_HOST,
    MEMORY_TYPE_UNIFIED,
};

use graphcap_base::error::{Error, Status};

/// Failure of a call of the driver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct DriverError {
    /// The driver's function.
    pub(super) function: &'static str,
    /// Answer of the driver, or `NOT_SUPPORTED` for a call that it lacks.
    pub(super) status: Status,
    /// The version of the driver that the function came with, for one that is lacking.
    pub(super) since: Option<c_int>,
}

impl DriverError {
    #[inline]
    fn check(function: &'static str, code: c_int) -> Result<(), DriverError> {
        match code {
            0 => Ok(()),
            code => Err(DriverError { function, status: Status(code), since: None }),
        }
    }

    #[cold]
    fn lacking(function: &'static str, since: c_int) -> DriverError {
        DriverError { function, status: Status::NOT_SUPPORTED, since: Some(since) }
    }
}

/// A version as the driver numbers it, such as 12040, in words.
pub(super) struct Version(pub(super) c_int);

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 1000, self.0 % 1000 / 10)
    }
}

/// Declares the functions: the version of the driver that each came with, its name and its parameters.
macro_rules! functions {
    ($($since:literal $name:ident($($argument:ident: $kind:ty),*);)*) => {
        /// The functions that were found.
        pub(super) struct Api {
            $($name: Option<unsafe extern "C" fn($($kind),*) -> c_int>,)*
        }

        impl Api {
            /// Looks the functions up in `library`.
            ///
            /// # Safety
            /// `library` must be the CUDA driver, or stand in for it, and stay loaded as long as the result is used.
            pub(super) unsafe fn find(library: &Library) -> Api {
                // SAFETY: the caller promises that a function of such a name is the driver's, whose signature is this.
                unsafe {
                    Api { $($name: library.get(concat!(stringify!($name), "\0").as_bytes()).ok().map(|found| *found),)* }
                }
            }

            $(
                /// The driver's function of that name.
                ///
                /// # Safety
                /// The arguments must be what the driver's manual asks for: live handles, and pointers to as much
                /// memory as is read or written.
                #[inline]
                #[allow(clippy::too_many_arguments, reason = "the driver's functions have as many as they have")]
                pub(super) unsafe fn $name(&self, $($argument: $kind),*) -> Result<(), DriverError> {
                    match self.$name {
                        // SAFETY: passed on to the caller.
                        Some(function) => DriverError::check(stringify!($name), unsafe { function($($argument),*) }),
                        None => Err(DriverError::lacking(stringify!($name), $since)),
                    }
                }
            )*
        }

        #[cfg(test)]
        pub(super) const FUNCTIONS: &[(c_int, &str)] = &[$(($since, stringify!($name))),*];
    };
}

functions! {
    12000 cuInit(flags: c_uint);
    12000 cuDriverGetVersion(version: *mut c_int);
    12000 cuGetErrorName(code: c_int, name: *mut *const c_char);
    12000 cuGetErrorString(code: c_int, text: *mut *const c_char);

    12000 cuDeviceGetCount(count: *mut c_int);
    12000 cuDeviceGet(device: *mut c_int, ordinal: c_int);
    12000 cuDeviceGetName(name: *mut c_char, capacity: c_int, device: c_int);
    12000 cuDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: c_int);
    12000 cuDevicePrimaryCtxRetain(context: *mut Ctx, device: c_int);
    12000 cuDevicePrimaryCtxRelease_v2(device: c_int);
    12000 cuDevicePrimaryCtxGetState(device: c_int, flags: *mut c_uint, active: *mut c_int);

    12000 cuCtxGetCurrent(context: *mut Ctx);
    12000 cuCtxPushCurrent_v2(context: Ctx);
    12000 cuCtxSetCurrent(context: Ctx);
    12000 cuCtxPopCurrent_v2(context: *mut Ctx);
    12000 cuCtxSynchronize();
    12000 cuCtxGetId(context: Ctx, id: *mut u64);
    12000 cuCtxGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int);
    12050 cuCtxRecordEvent(context: Ctx, event: EventHandle);
    12000 cuThreadExchangeStreamCaptureMode(mode: *mut c_uint);
    12090 cuLogsCurrent(position: *mut c_uint, flags: c_uint);
    12090 cuLogsDumpToMemory(position: *mut c_uint, text: *mut c_char, bytes: *mut usize, flags: c_uint);

    12000 cuStreamCreateWithPriority(stream: *mut StreamHandle, flags: c_uint, priority: c_int);
    12000 cuStreamDestroy_v2(stream: StreamHandle);
    12000 cuStreamGetCtx(stream: StreamHandle, context: *mut Ctx);
    12000 cuStreamSynchronize(stream: StreamHandle);
    12000 cuStreamQuery(stream: StreamHandle);
    12000 cuStreamWaitEvent(stream: StreamHandle, event: EventHandle, flags: c_uint);
    12000 cuStreamBeginCapture_v2(stream: StreamHandle, mode: c_uint);
    12030 cuStreamBeginCaptureToGraph(stream: StreamHandle, graph: GraphHandle, dependencies: *const Node,
                                      data: *const CUgraphEdgeData, count: usize, mode: c_uint);
    12000 cuStreamEndCapture(stream: StreamHandle, graph: *mut GraphHandle);
    12000 cuStreamGetCaptureInfo_v2(stream: StreamHandle, status: *mut c_uint, id: *mut u64, graph: *mut GraphHandle,
                                    dependencies: *mut *const Node, count: *mut usize);
    12030 cuStreamGetCaptureInfo_v3(stream: StreamHandle, status: *mut c_uint, id: *mut u64, graph: *mut GraphHandle,
                                    dependencies: *mut *const Node, data: *mut *const CUgraphEdgeData,
                                    count: *mut usize);
    12000 cuStreamGetFlags(stream: StreamHandle, flags: *mut c_uint);
    12000 cuStreamGetPriority(stream: StreamHandle, priority: *mut c_int);
    12000 cuStreamGetAttribute(stream: StreamHandle, attribute: c_uint, value: *mut StreamAttribute);
    12000 cuStreamSetAttribute(stream: StreamHandle, attribute: c_uint, value: *const StreamAttribute);
    12000 cuStreamCopyAttributes(destination: StreamHandle, source: StreamHandle);
    12000 cuStreamUpdateCaptureDependencies(stream: StreamHandle, dependencies: *mut Node, count: usize, flags: c_uint);
    12030 cuStreamUpdateCaptureDependencies_v2(stream: StreamHandle, dependencies: *mut Node, data: *const CUgraphEdgeData,
                                               count: usize, flags: c_uint);

    12000 cuEventCreate(event: *mut EventHandle, flags: c_uint);
    12000 cuEventDestroy_v2(event: EventHandle);
    12000 cuEventRecord(event: EventHandle, stream: StreamHandle);
    12000 cuEventRecordWithFlags(event: EventHandle, stream: StreamHandle, flags: c_uint);
    12000 cuIpcGetEventHandle(handle: *mut CUipcEventHandle, event: EventHandle);
    12000 cuIpcOpenEventHandle(event: *mut EventHandle, handle: CUipcEventHandle);
    12000 cuEventQuery(event: EventHandle);
    12000 cuEventSynchronize(event: EventHandle);
    12000 cuEventElapsedTime(milliseconds: *mut f32, start: EventHandle, end: EventHandle);

    12000 cuDeviceGetGraphMemAttribute(device: c_int, attribute: c_uint, value: *mut c_void);
    12000 cuDeviceSetGraphMemAttribute(device: c_int, attribute: c_uint, value: *mut c_void);
    12000 cuDeviceGraphMemTrim(device: c_int);
    12000 cuMemPoolCreate(pool: *mut PoolHandle, properties: *const CUmemPoolProps);
    12000 cuMemPoolSetAttribute(pool: PoolHandle, attribute: c_uint, value: *mut c_void);
    12000 cuMemPoolTrimTo(pool: PoolHandle, bytes: usize);
    12000 cuMemPoolSetAccess(pool: PoolHandle, devices: *const CUmemAccessDesc, count: usize);
    12000 cuMemPoolDestroy(pool: PoolHandle);
    12000 cuMemAllocFromPoolAsync(address: *mut u64, bytes: usize, pool: PoolHandle, stream: StreamHandle);
    12000 cuMemFreeAsync(address: u64, stream: StreamHandle);
    12000 cuMemGetInfo_v2(free: *mut usize, total: *mut usize);
    12000 cuPointerGetAttributes(count: c_uint, attributes: *mut c_uint, values: *mut *mut c_void, address: u64);

    12000 cuMemGetAllocationGranularity(bytes: *mut usize, properties: *const CUmemAllocationProp, option: c_uint);
    12000 cuMemAddressReserve(address: *mut u64, bytes: usize, alignment: usize, wanted: u64, flags: u64);
    12000 cuMemAddressFree(address: u64, bytes: usize);
    12000 cuMemCreate(memory: *mut u64, bytes: usize, properties: *const CUmemAllocationProp, flags: u64);
    12000 cuMemRelease(memory: u64);
    12000 cuMemMap(address: u64, bytes: usize, offset: usize, memory: u64, flags: u64);
    12000 cuMemUnmap(address: u64, bytes: usize);
    12000 cuMemSetAccess(address: u64, bytes: usize, devices: *const CUmemAccessDesc, count: usize);

    12000 cuMemcpyHtoDAsync_v2(destination: u64, source: *const c_void, bytes: usize, stream: StreamHandle);
    12000 cuMemcpyDtoHAsync_v2(destination: *mut c_void, source: u64, bytes: usize, stream: StreamHandle);
    12000 cuMemcpyDtoDAsync_v2(destination: u64, source: u64, bytes: usize, stream: StreamHandle);
    12000 cuMemcpyAsync(destination: u64, source: u64, bytes: usize, stream: StreamHandle);
    12000 cuMemcpy3DAsync_v2(copy: *const Memcpy3d, stream: StreamHandle);
    12080 cuMemcpyBatchAsync(destinations: *mut u64, sources: *mut u64, sizes: *mut usize, count: usize,
                             attributes: *mut MemcpyAttributes, firsts: *mut usize, attribute_count: usize,
                             failed: *mut usize, stream: StreamHandle);
    13000 cuMemcpyBatchAsync_v2(destinations: *mut u64, sources: *mut u64, sizes: *mut usize, count: usize,
                                attributes: *mut MemcpyAttributes, firsts: *mut usize, attribute_count: usize,
                                stream: StreamHandle);
    12000 cuMemsetD8Async(address: u64, value: u8, count: usize, stream: StreamHandle);
    12000 cuMemsetD16Async(address: u64, value: c_ushort, count: usize, stream: StreamHandle);
    12000 cuMemsetD32Async(address: u64, value: c_uint, count: usize, stream: StreamHandle);
    12000 cuMemsetD2D8Async(address: u64, pitch: usize, value: u8, width: usize, height: usize, stream: StreamHandle);
    12000 cuMemsetD2D16Async(address: u64, pitch: usize, value: c_ushort, width: usize, height: usize, stream: StreamHandle);
    12000 cuMemsetD2D32Async(address: u64, pitch: usize, value: c_uint, width: usize, height: usize, stream: StreamHandle);
    12000 cuStreamWriteValue32_v2(stream: StreamHandle, address: u64, value: c_uint, flags: c_uint);
    12000 cuStreamWriteValue64_v2(stream: StreamHandle, address: u64, value: u64, flags: c_uint);
    12000 cuStreamWaitValue32_v2(stream: StreamHandle, address: u64, value: c_uint, flags: c_uint);
    12000 cuStreamWaitValue64_v2(stream: StreamHandle, address: u64, value: u64, flags: c_uint);
    12000 cuStreamBatchMemOp_v2(stream: StreamHandle, count: c_uint, operations: *mut MemOp, flags: c_uint);

    12000 cuMemAlloc_v2(address: *mut u64, bytes: usize);
    12000 cuMemAllocManaged(address: *mut u64, bytes: usize, flags: c_uint);
    12000 cuMemFree_v2(address: u64);
    12000 cuStreamAttachMemAsync(stream: StreamHandle, address: u64, bytes: usize, flags: c_uint);
    12000 cuMemHostAlloc(memory: *mut *mut c_void, bytes: usize, flags: c_uint);
    12000 cuMemFreeHost(memory: *mut c_void);
    12000 cuMemHostRegister_v2(memory: *mut c_void, bytes: usize, flags: c_uint);
    12000 cuMemHostUnregister(memory: *mut c_void);
    12000 cuMemHostGetDevicePointer_v2(address: *mut u64, memory: *mut c_void, flags: c_uint);

    12000 cuModuleLoadDataEx(module: *mut ModuleHandle, image: *const c_void, count: c_uint, options: *mut c_uint,
                             values: *mut *mut c_void);
    12000 cuModuleUnload(module: ModuleHandle);
    12000 cuModuleGetFunction(function: *mut Function, module: ModuleHandle, name: *const c_char);
    12000 cuModuleGetGlobal_v2(address: *mut u64, bytes: *mut usize, module: ModuleHandle, name: *const c_char);
    12000 cuFuncSetAttribute(function: Function, attribute: c_int, value: c_int);
    12000 cuFuncGetAttribute(value: *mut c_int, attribute: c_int, function: Function);
    12000 cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks: *mut c_int, function: Function, threads: c_int,
                                                      shared_bytes: usize);
    12000 cuOccupancyMaxPotentialBlockSize(blocks: *mut c_int, threads: *mut c_int, function: Function,
                                           shared_bytes_of: Option<unsafe extern "C" fn(c_int) -> usize>,
                                           shared_bytes: usize, most: c_int);
    12000 cuOccupancyAvailableDynamicSMemPerBlock(bytes: *mut usize, function: Function, blocks: c_int, threads: c_int);
    12000 cuOccupancyMaxActiveClusters(clusters: *mut c_int, function: Function, config: *const LaunchConfig);
    12000 cuOccupancyMaxPotentialClusterSize(blocks: *mut c_int, function: Function, config: *const LaunchConfig);
    12040 cuModuleGetFunctionCount(count: *mut c_uint, module: ModuleHandle);
    12040 cuModuleEnumerateFunctions(functions: *mut Function, capacity: c_uint, module: ModuleHandle);
    12040 cuFuncLoad(function: Function);
    12040 cuFuncGetParamInfo(function: Function, index: usize, offset: *mut usize, size: *mut usize);
    12030 cuFuncGetName(name: *mut *const c_char, function: Function);
    12040 cuKernelGetParamInfo(kernel: LibraryKernel, index: usize, offset: *mut usize, size: *mut usize);
    12030 cuKernelGetName(name: *mut *const c_char, kernel: LibraryKernel);

    12000 cuLaunchKernel(function: Function, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint, block_x: c_uint,
                         block_y: c_uint, block_z: c_uint, shared_bytes: c_uint, stream: StreamHandle,
                         parameters: *mut *mut c_void, extra: *mut *mut c_void);
    12000 cuLaunchKernelEx(config: *const LaunchConfig, function: Function, parameters: *mut *mut c_void,
                           extra: *mut *mut c_void);
    12000 cuLaunchHostFunc(stream: StreamHandle, function: Callback, data: *mut c_void);

    12000 cuGraphCreate(graph: *mut GraphHandle, flags: c_uint);
    12000 cuGraphDestroy(graph: GraphHandle);
    12000 cuGraphGetNodes(graph: GraphHandle, nodes: *mut Node, count: *mut usize);
    12000 cuGraphGetEdges(graph: GraphHandle, from: *mut Node, to: *mut Node, count: *mut usize);
    12030 cuGraphGetEdges_v2(graph: GraphHandle, from: *mut Node, to: *mut Node, data: *mut CUgraphEdgeData, count: *mut usize);
    12000 cuGraphDestroyNode(node: Node);
    12000 cuGraphNodeGetType(node: Node, kind: *mut c_uint);
    12000 cuGraphKernelNodeGetParams_v2(node: Node, parameters: *mut CUDA_KERNEL_NODE_PARAMS_v2);
    12000 cuGraphMemcpyNodeGetParams(node: Node, parameters: *mut Memcpy3d);
    12000 cuGraphMemsetNodeGetParams(node: Node, parameters: *mut CUDA_MEMSET_NODE_PARAMS);
    12000 cuGraphHostNodeGetParams(node: Node, parameters: *mut HostNode);
    12000 cuGraphEventRecordNodeGetEvent(node: Node, event: *mut EventHandle);
    12000 cuGraphEventWaitNodeGetEvent(node: Node, event: *mut EventHandle);
    12000 cuGraphBatchMemOpNodeGetParams(node: Node, parameters: *mut MemOpNode);
    12000 cuGraphAddEmptyNode(node: *mut Node, graph: GraphHandle, dependencies: *const Node, count: usize);
    12000 cuGraphAddKernelNode_v2(node: *mut Node, graph: GraphHandle, dependencies: *const Node, count: usize,
                                  parameters: *const CUDA_KERNEL_NODE_PARAMS_v2);
    12000 cuGraphAddMemcpyNode(node: *mut Node, graph: GraphHandle, dependencies: *const Node, count: usize,
                               parameters: *const Memcpy3d, context: Ctx);
    12000 cuGraphAddMemsetNode(node: *mut Node, graph: GraphHandle, dependencies: *const Node, count: usize,
                               parameters: *const CUDA_MEMSET_NODE_PARAMS, context: Ctx);
    12000 cuGraphAddHostNode(node: *mut Node, graph: GraphHandle, dependencies: *const Node, count: usize,
                             parameters: *const HostNode);
    12000 cuGraphAddBatchMemOpNode(node: *mut Node, graph: GraphHandle, dependencies: *const Node, count: usize,
                                   parameters: *const MemOpNode);
    12000 cuGraphAddEventRecordNode(node: *mut Node, graph: GraphHandle, dependencies: *const Node, count: usize, event: EventHandle);
    12000 cuGraphAddEventWaitNode(node: *mut Node, graph: GraphHandle, dependencies: *const Node, count: usize, event: EventHandle);
    12000 cuGraphKernelNodeSetParams_v2(node: Node, parameters: *const CUDA_KERNEL_NODE_PARAMS_v2);
    12000 cuGraphMemcpyNodeSetParams(node: Node, parameters: *const Memcpy3d);
    12000 cuGraphMemsetNodeSetParams(node: Node, parameters: *const CUDA_MEMSET_NODE_PARAMS);
    12000 cuGraphHostNodeSetParams(node: Node, parameters: *const HostNode);
    12000 cuGraphBatchMemOpNodeSetParams(node: Node, parameters: *const MemOpNode);
    12000 cuGraphEventRecordNodeSetEvent(node: Node, event: EventHandle);
    12000 cuGraphEventWaitNodeSetEvent(node: Node, event: EventHandle);
    12000 cuGraphKernelNodeGetAttribute(node: Node, attribute: c_uint, value: *mut StreamAttribute);
    12000 cuGraphKernelNodeSetAttribute(node: Node, attribute: c_uint, value: *mut StreamAttribute);
    12000 cuGraphKernelNodeCopyAttributes(node: Node, source: Node);
    12000 cuGraphAddDependencies(graph: GraphHandle, from: *const Node, to: *const Node, count: usize);
    12030 cuGraphAddDependencies_v2(graph: GraphHandle, from: *const Node, to: *const Node, data: *const CUgraphEdgeData,
                                    count: usize);
    12000 cuGraphRemoveDependencies(graph: GraphHandle, from: *const Node, to: *const Node, count: usize);
    12030 cuGraphRemoveDependencies_v2(graph: GraphHandle, from: *const Node, to: *const Node, data: *const CUgraphEdgeData,
                                       count: usize);
    12000 cuGraphClone(copy: *mut GraphHandle, original: GraphHandle);
    12000 cuGraphNodeFindInClone(node: *mut Node, original: Node, copy: GraphHandle);
    12030 cuGraphAddNode_v2(node: *mut Node, graph: GraphHandle, dependencies: *const Node, data: *const CUgraphEdgeData,
                            count: usize, parameters: *mut NodeParameters);
    12030 cuGraphConditionalHandleCreate(condition: *mut u64, graph: GraphHandle, context: Ctx, default: c_uint, flags: c_uint);
    12000 cuGraphAddMemAllocNode(node: *mut Node, graph: GraphHandle, dependencies: *const Node, count: usize,
                                 parameters: *mut CUDA_MEM_ALLOC_NODE_PARAMS_v1);
    12000 cuGraphAddMemFreeNode(node: *mut Node, graph: GraphHandle, dependencies: *const Node, count: usize, address: u64);
    12000 cuGraphMemAllocNodeGetParams(node: Node, parameters: *mut CUDA_MEM_ALLOC_NODE_PARAMS_v1);
    12000 cuGraphMemFreeNodeGetParams(node: Node, address: *mut u64);
    12000 cuGraphNodeGetDependencies(node: Node, dependencies: *mut Node, count: *mut usize);
    12030 cuGraphNodeGetDependencies_v2(node: Node, dependencies: *mut Node, data: *mut CUgraphEdgeData,
                                        count: *mut usize);
    12000 cuGraphNodeGetDependentNodes(node: Node, dependents: *mut Node, count: *mut usize);
    12030 cuGraphNodeGetDependentNodes_v2(node: Node, dependents: *mut Node, data: *mut CUgraphEdgeData,
                                          count: *mut usize);
    12000 cuGraphAddChildGraphNode(node: *mut Node, graph: GraphHandle, dependencies: *const Node, count: usize, child: GraphHandle);
    12000 cuGraphChildGraphNodeGetGraph(node: Node, graph: *mut GraphHandle);
    12020 cuGraphNodeSetParams(node: Node, parameters: *mut NodeParameters);
    12000 cuGraphExecChildGraphNodeSetParams(exec: ExecHandle, node: Node, child: GraphHandle);

    12000 cuGraphInstantiateWithParams(exec: *mut ExecHandle, graph: GraphHandle, parameters: *mut InstantiateParameters);
    12000 cuGraphExecGetFlags(exec: ExecHandle, flags: *mut u64);
    12000 cuGraphExecUpdate_v2(exec: ExecHandle, graph: GraphHandle, info: *mut ExecUpdateInfo);
    12000 cuGraphExecDestroy(exec: ExecHandle);
    12000 cuGraphUpload(exec: ExecHandle, stream: StreamHandle);
    12000 cuGraphLaunch(exec: ExecHandle, stream: StreamHandle);
    12000 cuGraphExecKernelNodeSetParams_v2(exec: ExecHandle, node: Node, parameters: *const CUDA_KERNEL_NODE_PARAMS_v2);
    12000 cuGraphExecMemcpyNodeSetParams(exec: ExecHandle, node: Node, parameters: *const Memcpy3d, context: Ctx);
    12000 cuGraphExecMemsetNodeSetParams(exec: ExecHandle, node: Node, parameters: *const CUDA_MEMSET_NODE_PARAMS,
                                         context: Ctx);
    12000 cuGraphExecHostNodeSetParams(exec: ExecHandle, node: Node, parameters: *const HostNode);
    12000 cuGraphExecBatchMemOpNodeSetParams(exec: ExecHandle, node: Node, parameters: *const MemOpNode);
    12000 cuGraphExecEventRecordNodeSetEvent(exec: ExecHandle, node: Node, event: EventHandle);
    12000 cuGraphExecEventWaitNodeSetEvent(exec: ExecHandle, node: Node, event: EventHandle);
    12000 cuGraphNodeSetEnabled(exec: ExecHandle, node: Node, is_enabled: c_uint);
    12000 cuGraphNodeGetEnabled(exec: ExecHandle, node: Node, is_enabled: *mut c_uint);

    12000 cuUserObjectCreate(object: *mut UserObject, data: *mut c_void, destroy: Callback, references: c_uint,
                             flags: c_uint);
    12000 cuUserObjectRelease(object: UserObject, references: c_uint);
    12000 cuGraphRetainUserObject(graph: GraphHandle, object: UserObject, references: c_uint, flags: c_uint);
    12000 cuGraphReleaseUserObject(graph: GraphHandle, object: UserObject, references: c_uint);
}

impl Api {
    /// The driver's own name and sentence for an answer; empty for one that it does not know.
    fn words(&self, status: Status) -> (String, String) {
        type Ask = unsafe fn(&Api, c_int, *mut *const c_char) -> Result<(), DriverError>;
        let ask = |function: Ask| {
            let mut text = std::ptr::null();
            // SAFETY: `text` is writable; the driver sets it to a text that is never freed.
            match unsafe { function(self, status.0, &mut text) } {
                // SAFETY: as above.
                Ok(()) if !text.is_null() => unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned(),
                _ => String::new(),
            }
        };
        (ask(Api::cuGetErrorName), ask(Api::cuGetErrorString))
    }

    /// The error that graphcap answers for a refusal.
    #[cold]
    pub(super) fn error(&self, refusal: DriverError) -> Error {
        let DriverError { function, status, since } = refusal;
        if let Some(since) = since {
            let message = format!(
                "this driver has no {function}, which came with CUDA {}; install a newer driver",
                Version(since)
            );
            return Error::new(status, message);
        }
        let (name, sentence) = self.words(status);
        let advice = advice(status);
        Error::new(status, format!("the driver's {function} answered {} {name} ({sentence}){advice}", status.0))
    }
}

/// Returns what to do about an answer of the driver's.
fn advice(status: Status) -> &'static str {
    match status {
        Status::OUT_OF_MEMORY => "; free memory of this or another process",
        Status::CAPTURE_UNSUPPORTED => {
            "; the call is not possible while the stream, its context or, for calls that may wait or free, this process is \
             captured: make it before or after the capture, or begin captures in a more relaxed mode; end the broken capture"
        }
        Status::CAPTURE_INVALIDATED => {
            "; an earlier call broke the capture: end it on the stream that began it and record again"
        }
        Status::CAPTURE_MERGE => "; both captures are invalid now: end them, and keep their streams and events apart",
        Status::CAPTURE_UNMATCHED => "; end the capture on the stream that began it; it is invalid now",
        Status::CAPTURE_UNJOINED => {
            "; record an event on each forked stream and let the first stream wait for it before the end"
        }
        Status::CAPTURE_ISOLATION => {
            "; a captured stream can wait only for events of its own capture, and this one was recorded before it or outside; \
             the capture is now invalid: end it; record the event after the capture began, on one of its streams"
        }
        Status::CAPTURE_IMPLICIT => {
            "; the legacy stream orders against blocking streams, one of which is being captured: use another stream \
             meanwhile, or capture streams made with NON_BLOCKING"
        }
        Status::CAPTURED_EVENT => "; an event of a capture has no completion: ask after a record outside of captures",
        Status::CAPTURE_WRONG_THREAD => {
            "; end a capture on the thread that began it, or begin it in the relaxed mode; the capture is gone"
        }
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_read_as_people_write_them() {
        assert_eq!(Version(12040).to_string(), "12.4");
        assert_eq!(Version(13000).to_string(), "13.0");
    }

    #[test]
    fn what_a_driver_lacks_is_not_supported_and_says_since_when_it_is() {
        // SAFETY: this program has none of the driver's functions, so none is called.
        let api = unsafe { Api::find(&libloading::os::unix::Library::this().into()) };
        // SAFETY: as above.
        let asked = unsafe { [api.cuInit(0), api.cuFuncLoad(Handle::NULL)] };
        for (refused, name, since) in [(asked[0], "cuInit", "CUDA 12.0"), (asked[1], "cuFuncLoad", "CUDA 12.4")] {
            let error = api.error(refused.unwrap_err());
            assert_eq!(error.status, Status::NOT_SUPPORTED);
            assert!(error.message.contains(name) && error.message.contains(since), "{}", error.message);
        }
    }

    #[test]
    fn every_function_is_declared_once_and_says_when_it_came() {
        for (i, (since, name)) in FUNCTIONS.iter().enumerate() {
            assert!(name.starts_with("cu") && (12000..=13000).contains(since), "{name}");
            assert!(FUNCTIONS[..i].iter().all(|(_, other)| other != name), "{name}");
        }
    }
}
