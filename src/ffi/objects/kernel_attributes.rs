//! Attributes of kernels, read and set, and the number of their blocks that a device runs at once.

use crate::ffi::boundary::{answer_clone, gc_kernel, gc_status, guard, handle, with_clone, Out, Output, Token};
use crate::ffi::operations::launch::{self, gc_launch_config};

/// An attribute of a kernel: one of the GRAPHCAP_KERNEL_ATTRIBUTE_ numbers, which are CUDA's. A CUDA device also accepts
/// other attributes that its driver knows.
pub type gc_kernel_attribute = u32;

/// Threads in a block at most.
pub const GRAPHCAP_KERNEL_ATTRIBUTE_MAX_THREADS_PER_BLOCK: gc_kernel_attribute = 0;
/// Bytes of shared memory that each block has whatever the launch says.
pub const GRAPHCAP_KERNEL_ATTRIBUTE_SHARED_SIZE: gc_kernel_attribute = 1;
/// Bytes of constant memory.
pub const GRAPHCAP_KERNEL_ATTRIBUTE_CONST_SIZE: gc_kernel_attribute = 2;
/// Bytes of local memory of each thread.
pub const GRAPHCAP_KERNEL_ATTRIBUTE_LOCAL_SIZE: gc_kernel_attribute = 3;
/// Registers of each thread.
pub const GRAPHCAP_KERNEL_ATTRIBUTE_REGISTERS: gc_kernel_attribute = 4;
/// The version of PTX that the kernel was compiled for, ten times the major one plus the minor one.
pub const GRAPHCAP_KERNEL_ATTRIBUTE_PTX_VERSION: gc_kernel_attribute = 5;
/// The architecture that the kernel was compiled for, ten times the major one plus the minor one.
pub const GRAPHCAP_KERNEL_ATTRIBUTE_BINARY_VERSION: gc_kernel_attribute = 6;
/// 1 where the kernel was compiled to cache global loads in L1.
pub const GRAPHCAP_KERNEL_ATTRIBUTE_CACHE_MODE_CA: gc_kernel_attribute = 7;
/// Bytes of dynamic shared memory that a launch can have at most. Can be set. graphcap raises it for launches and nodes
/// that have more.
pub const GRAPHCAP_KERNEL_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE: gc_kernel_attribute = 8;
/// Share of the memory of a multiprocessor that should be shared memory, in percent of the most that is possible, or -1 for
/// no preference. Can be set.
pub const GRAPHCAP_KERNEL_ATTRIBUTE_SHARED_MEMORY_CARVEOUT: gc_kernel_attribute = 9;
/// 1 where a launch must have clusters.
pub const GRAPHCAP_KERNEL_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET: gc_kernel_attribute = 10;
/// Blocks in x of a cluster, or 0. Can be set, unless the kernel was compiled with it.
pub const GRAPHCAP_KERNEL_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH: gc_kernel_attribute = 11;
/// Blocks in y of a cluster, or 0. Can be set, unless the kernel was compiled with it.
pub const GRAPHCAP_KERNEL_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT: gc_kernel_attribute = 12;
/// Blocks in z of a cluster, or 0. Can be set, unless the kernel was compiled with it.
pub const GRAPHCAP_KERNEL_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH: gc_kernel_attribute = 13;
/// 1 where clusters may have more blocks than every GPU can run, which is 8. Can be set.
pub const GRAPHCAP_KERNEL_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE: gc_kernel_attribute = 14;
/// Spread of the blocks of clusters: one of the GRAPHCAP_CLUSTER_SCHEDULING_ numbers. Can be set.
pub const GRAPHCAP_KERNEL_ATTRIBUTE_CLUSTER_SCHEDULING: gc_kernel_attribute = 15;

/// Returns an attribute of a kernel.
///
/// A CUDA device returns the driver's value. A host device returns what was set; a kernel has at most 1,024 threads in a
/// block there, and 0 of registers, versions, and static, constant and local memory.
///
/// @param[in]  kernel     the kernel
/// @param[in]  attribute  one of the GRAPHCAP_KERNEL_ATTRIBUTE_ numbers
/// @param[out] value_out  the value; 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  kernels have no such attribute
#[no_mangle]
pub unsafe extern "C" fn gc_kernel_get_attribute(
    kernel: *const gc_kernel,
    attribute: gc_kernel_attribute,
    value_out: *mut i32,
) -> gc_status {
    // SAFETY: C promises that `value_out` is NULL or writable.
    let out = unsafe { Out::number(value_out, "value_out") };
    answer_clone("gc_kernel_get_attribute", (kernel, "kernel"), out, |kernel| Ok(kernel.attribute(attribute)?))
}

/// Sets an attribute of a kernel, for launches and nodes that are made from now on through any handle of the kernel. A host
/// device stores the value. Of those that it stores, only GRAPHCAP_KERNEL_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE has an effect
/// there.
///
/// @param[in] kernel     the kernel
/// @param[in] attribute  one of the GRAPHCAP_KERNEL_ATTRIBUTE_ numbers that can be set
/// @param[in] value      the value
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  kernels have no such attribute, it cannot be set, or it cannot have that value
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED  the kernel was compiled with the size of a cluster
#[no_mangle]
pub unsafe extern "C" fn gc_kernel_set_attribute(
    kernel: *const gc_kernel,
    attribute: gc_kernel_attribute,
    value: i32,
) -> gc_status {
    with_clone("gc_kernel_set_attribute", (kernel, "kernel"), |kernel| Ok(kernel.set_attribute(attribute, value)?))
}

/// Returns how many blocks of a kernel one multiprocessor runs at once.
///
/// A host device answers this and the next questions as a GPU of compute capability 9.0 with 132 multiprocessors would for
/// a kernel that is not limited by its registers: each multiprocessor runs at most 2,048 threads and 32 blocks, and has
/// 233,472 bytes of shared memory, of which each block takes 1,024 beside its own. It runs the blocks on the CPU, as many
/// at once as it has lanes.
///
/// @param[in]  kernel            the kernel
/// @param[in]  block_size        threads in a block, at least 1
/// @param[in]  shared_mem_bytes  dynamic shared memory of each block in bytes
/// @param[out] blocks_out        the number of blocks; 0 if one does not fit
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  an argument is larger than any device has
#[no_mangle]
pub unsafe extern "C" fn gc_kernel_max_active_blocks(
    kernel: *const gc_kernel,
    block_size: u32,
    shared_mem_bytes: usize,
    blocks_out: *mut u32,
) -> gc_status {
    // SAFETY: C promises that `blocks_out` is NULL or writable.
    let out = unsafe { Out::number(blocks_out, "blocks_out") };
    answer_clone("gc_kernel_max_active_blocks", (kernel, "kernel"), out, |kernel| {
        Ok(kernel.max_active_blocks(block_size, shared_mem_bytes)?)
    })
}

/// Returns the block size with the highest occupancy.
///
/// @param[in]  kernel            the kernel
/// @param[in]  shared_mem_bytes  dynamic shared memory of each block in bytes, the same for every block size
/// @param[in]  block_size_limit  the most threads that a block may have; 0 for as many as the kernel can have
/// @param[out] block_size_out    threads in a block; 0 if no block fits; a CUDA driver may return an error instead
/// @param[out] grid_size_out     the number of such blocks that gives the device the highest occupancy
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  an argument is larger than any device has
#[no_mangle]
pub unsafe extern "C" fn gc_kernel_suggested_block_size(
    kernel: *const gc_kernel,
    shared_mem_bytes: usize,
    block_size_limit: u32,
    block_size_out: *mut u32,
    grid_size_out: *mut u32,
) -> gc_status {
    // SAFETY: C promises that both outputs are NULL or writable.
    let outs = unsafe { (Out::number(block_size_out, "block_size_out"), Out::number(grid_size_out, "grid_size_out")) };
    with_clone("gc_kernel_suggested_block_size", (kernel, "kernel"), |kernel| {
        let (block_size, grid_size) = (outs.0.required()?, outs.1.required()?);
        let suggested = kernel.suggested_block(shared_mem_bytes, block_size_limit)?;
        block_size.write(suggested.threads);
        grid_size.write(suggested.blocks);
        Ok(())
    })
}

/// Returns how much dynamic shared memory each block can have while one multiprocessor runs a number of blocks at once.
///
/// @param[in]  kernel      the kernel
/// @param[in]  blocks      the number of blocks, at least 1
/// @param[in]  block_size  threads in a block, at least 1
/// @param[out] bytes_out   dynamic shared memory of each block in bytes
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  an argument is larger than any device has, or so many blocks do not fit
#[no_mangle]
pub unsafe extern "C" fn gc_kernel_available_shared_mem(
    kernel: *const gc_kernel,
    blocks: u32,
    block_size: u32,
    bytes_out: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `bytes_out` is NULL or writable.
    let out = unsafe { Out::number(bytes_out, "bytes_out") };
    answer_clone("gc_kernel_available_shared_mem", (kernel, "kernel"), out, |kernel| {
        Ok(kernel.available_shared_memory(blocks, block_size)?)
    })
}

/// Returns how many clusters of a launch the device runs at once.
///
/// @param[in]  kernel        the kernel
/// @param[in]  config        the launch, not NULL; its attributes have GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION. Events
///                           among them have no effect
/// @param[out] clusters_out  the number of clusters
/// @retval GRAPHCAP_ERROR_INVALID_VALUE         a dimension of config is too large, or an attribute cannot have its
///     value
/// @retval GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE  the launch has no clusters, or they do not divide the grid or are too
///                                              large
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED         the device has no clusters
#[no_mangle]
pub unsafe extern "C" fn gc_kernel_max_active_clusters(
    kernel: *const gc_kernel,
    config: *const gc_launch_config,
    clusters_out: *mut u32,
) -> gc_status {
    // SAFETY: C promises that `clusters_out` is NULL or writable.
    let out = unsafe { Out::number(clusters_out, "clusters_out") };
    guard("gc_kernel_max_active_clusters", [Token::of(kernel)], || {
        let pinned = handle::pin();
        let kernel = handle::borrow(kernel, "kernel", &pinned)?;
        out.answer(|| {
            // SAFETY: C promises that `config` is NULL or points to as many bytes as its struct_size states, and its attributes.
            let (shape, attributes) = unsafe { launch::shape(config, &pinned) }?;
            Ok(kernel.max_active_clusters(shape, attributes.list())?)
        })
    })
}

/// Returns how many blocks a cluster of a launch can have at most.
///
/// @param[in]  kernel      the kernel
/// @param[in]  config      the launch, not NULL. Events among its attributes have no effect
/// @param[out] blocks_out  the number of blocks; 0 if a block does not fit
/// @retval GRAPHCAP_ERROR_INVALID_VALUE         a dimension of config is too large
/// @retval GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE  an attribute asks for clusters that do not fit the launch
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED         the device has no clusters
#[no_mangle]
pub unsafe extern "C" fn gc_kernel_max_cluster_size(
    kernel: *const gc_kernel,
    config: *const gc_launch_config,
    blocks_out: *mut u32,
) -> gc_status {
    // SAFETY: C promises that `blocks_out` is NULL or writable.
    let out = unsafe { Out::number(blocks_out, "blocks_out") };
    guard("gc_kernel_max_cluster_size", [Token::of(kernel)], || {
        let pinned = handle::pin();
        let kernel = handle::borrow(kernel, "kernel", &pinned)?;
        out.answer(|| {
            // SAFETY: C promises that `config` is NULL or points to as many bytes as its struct_size states, and its attributes.
            let (shape, attributes) = unsafe { launch::shape(config, &pinned) }?;
            Ok(kernel.max_cluster_size(shape, attributes.list())?)
        })
    })
}
