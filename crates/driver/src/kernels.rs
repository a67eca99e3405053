//! Kernels: the attributes that they have and can be given, and how many of their blocks run at once.

use std::sync::Arc;

use super::{Access, Address, KernelId, LaunchAttribute, LaunchShape};
use graphcap_base::error::Result;

/// Questions about the kernels of a context, and settings of them. The rules of [`Driver`](super::Driver) hold. No method is an unsafe call
/// under the capture rules.
pub trait Kernels: Send + Sync {
    /// An attribute of a kernel, by CUDA's number for it (`CUfunction_attribute`). `INVALID_VALUE` for one that there is not.
    fn kernel_attribute(&self, kernel: KernelId, attribute: u32) -> Result<i32>;
    /// Sets an attribute of a kernel, for launches and nodes that are made from here on. `INVALID_VALUE` for an attribute that
    /// there is not or that cannot be set, and for a value that cannot be.
    fn kernel_set_attribute(&self, kernel: KernelId, attribute: u32, value: i32) -> Result<()>;
    /// Returns how many blocks of so many threads, each with that much dynamic shared memory, one multiprocessor runs at once.
    /// `INVALID_VALUE` for 0 threads.
    fn max_active_blocks(&self, kernel: KernelId, threads: u32, shared_mem_bytes: usize) -> Result<u32>;
    /// The number of threads in a block, `most` at most unless that is 0, with which a multiprocessor is busiest.
    fn suggested_block(&self, kernel: KernelId, shared_mem_bytes: usize, most: u32) -> Result<SuggestedBlock>;
    /// Returns how much dynamic shared memory each of `blocks` blocks of so many threads can have while one multiprocessor runs them at
    /// once. `INVALID_VALUE` for no blocks, no threads, and more than fit.
    fn available_shared_memory(&self, kernel: KernelId, blocks: u32, threads: u32) -> Result<usize>;
    /// Returns how many clusters of a launch the device runs at once. `INVALID_VALUE` without a cluster dimension among `attributes`.
    fn max_active_clusters(&self, kernel: KernelId, shape: LaunchShape, attributes: &[LaunchAttribute]) -> Result<u32>;
    /// Returns how many blocks a cluster of a launch can have at most.
    fn max_cluster_size(&self, kernel: KernelId, shape: LaunchShape, attributes: &[LaunchAttribute]) -> Result<u32>;
    /// It was stated what a kernel does with the memory that each of its parameters points to, `None` for one that is no address;
    /// or that was taken back. Only for a device that checks it.
    fn kernel_accesses_stated(&self, kernel: KernelId, accesses: Option<Arc<[Option<Access>]>>) {
        let _ = (kernel, accesses);
    }
    /// It was stated which memory a kernel touches besides what its parameters point to: all of it. Only for a device that checks it.
    fn kernel_memory_stated(&self, kernel: KernelId, memory: Arc<[StatedMemory]>) {
        let _ = (kernel, memory);
    }
}

/// Memory that a kernel is stated to touch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StatedMemory {
    /// Its first address.
    pub address: Address,
    /// Its size.
    pub bytes: usize,
    /// Use that the kernel makes of it.
    pub access: Access,
}

/// Answer of [`Kernels::suggested_block`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SuggestedBlock {
    /// Threads in a block.
    pub threads: u32,
    /// With how many such blocks every multiprocessor of the device is busiest.
    pub blocks: u32,
}
