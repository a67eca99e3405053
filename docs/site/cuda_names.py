"""Names of CUDA's runtime for calls of CUDA's driver."""

# Calls of the runtime whose names are not those of the driver with `cuda` for `cu`.
OTHERWISE = {
    "cuCtxGetDevice": ["cudaGetDevice"],
    "cuCtxGetStreamPriorityRange": ["cudaDeviceGetStreamPriorityRange"],
    "cuCtxSetCurrent": ["cudaSetDevice"],
    "cuCtxSynchronize": ["cudaDeviceSynchronize"],
    "cuDeviceGetCount": ["cudaGetDeviceCount"],
    "cuDeviceGetName": ["cudaGetDeviceProperties"],
    "cuDevicePrimaryCtxRelease": [],
    "cuDevicePrimaryCtxReset": ["cudaDeviceReset"],
    "cuDevicePrimaryCtxRetain": ["cudaSetDevice"],
    "cuEventCreate": ["cudaEventCreate", "cudaEventCreateWithFlags"],
    "cuEventRecordWithFlags": ["cudaEventRecord", "cudaEventRecordWithFlags"],
    "cuFuncGetAttribute": ["cudaFuncGetAttributes"],
    "cuFuncGetModule": [],
    "cuGraphInstantiateWithParams": ["cudaGraphInstantiate", "cudaGraphInstantiateWithFlags", "cudaGraphInstantiateWithParams"],
    "cuLaunchKernelEx": ["cudaLaunchKernel", "cudaLaunchKernelExC"],
    "cuMemAlloc": ["cudaMalloc"],
    "cuMemAllocAsync": ["cudaMallocAsync"],
    "cuMemAllocManaged": ["cudaMallocManaged"],
    "cuMemFree": ["cudaFree"],
    "cuMemFreeAsync": ["cudaFreeAsync"],
    "cuMemFreeHost": ["cudaFreeHost"],
    "cuMemHostAlloc": ["cudaHostAlloc", "cudaMallocHost"],
    "cuMemHostGetDevicePointer": ["cudaHostGetDevicePointer"],
    "cuMemHostRegister": ["cudaHostRegister"],
    "cuMemHostUnregister": ["cudaHostUnregister"],
    "cuMemcpy3DAsync": ["cudaMemcpy2DAsync", "cudaMemcpy3DAsync"],
    "cuMemcpyDtoDAsync": ["cudaMemcpyAsync"],
    "cuMemcpyDtoHAsync": ["cudaMemcpyAsync"],
    "cuMemcpyHtoDAsync": ["cudaMemcpyAsync"],
    "cuMemsetD2D32Async": ["cudaMemset2DAsync"],
    "cuMemsetD32": ["cudaMemset"],
    "cuMemsetD32Async": ["cudaMemsetAsync"],
    "cuModuleGetFunction": ["cudaGetFuncBySymbol"],
    "cuModuleGetGlobal": ["cudaGetSymbolAddress"],
    "cuModuleLoadDataEx": [],
    "cuModuleUnload": [],
    "cuStreamBatchMemOp": [],
    "cuStreamCreateWithPriority": ["cudaStreamCreate", "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority"],
    "CU_STREAM_LEGACY": ["cudaStreamLegacy"],
    "CU_STREAM_PER_THREAD": ["cudaStreamPerThread"],
}


def runtime_names(driver):
    """The calls of the runtime that do what a call of the driver does."""
    if driver in OTHERWISE:
        return OTHERWISE[driver]
    is_call = driver.startswith("cu") and driver[2:3].isupper()
    has_none = "BatchMemOp" in driver or driver.startswith(("cuStreamWriteValue", "cuStreamWaitValue"))
    return ["cuda" + driver[2:]] if is_call and not has_none else []
