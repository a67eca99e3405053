//! Attributes of kernels, read and set, and the number of their blocks that a device runs at once.

use super::kernel::Kernel;
use graphcap_base::error::Result;
use graphcap_driver::{check_caller, Driver, LaunchAttribute, LaunchShape, SuggestedBlock};

impl Kernel {
    /// An attribute, by CUDA's number for it (`CUfunction_attribute`).
    ///
    /// # Errors
    /// `INVALID_VALUE` for an attribute that there is not; the status of a context that faulted.
    pub fn attribute(&self, attribute: u32) -> Result<i32> {
        check_caller()?;
        self.driver()?.kernel_attribute(self.id(), attribute)
    }

    /// Sets an attribute, for launches and nodes that are made from here on through whatever handle of the kernel.
    ///
    /// # Errors
    /// `INVALID_VALUE` for an attribute that there is not or that cannot be set, and for a value that it cannot have; the status
    /// of a context that faulted.
    pub fn set_attribute(&self, attribute: u32, value: i32) -> Result<()> {
        check_caller()?;
        self.driver()?.kernel_set_attribute(self.id(), attribute, value)
    }

    /// Returns how many blocks of so many threads, each with that much dynamic shared memory, one multiprocessor runs at once.
    ///
    /// # Errors
    /// `INVALID_VALUE` for 0 threads; the status of a context that faulted.
    pub fn max_active_blocks(&self, threads: u32, shared_mem_bytes: usize) -> Result<u32> {
        check_caller()?;
        self.driver()?.max_active_blocks(self.id(), threads, shared_mem_bytes)
    }

    /// The number of threads in a block, `most` at most unless that is 0, with which a multiprocessor is busiest.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub fn suggested_block(&self, shared_mem_bytes: usize, most: u32) -> Result<SuggestedBlock> {
        check_caller()?;
        self.driver()?.suggested_block(self.id(), shared_mem_bytes, most)
    }

    /// Returns how much dynamic shared memory each of `blocks` blocks can have while one multiprocessor runs them at once.
    ///
    /// # Errors
    /// `INVALID_VALUE` for no blocks, no threads, and more than fit; the status of a context that faulted.
    pub fn available_shared_memory(&self, blocks: u32, threads: u32) -> Result<usize> {
        check_caller()?;
        self.driver()?.available_shared_memory(self.id(), blocks, threads)
    }

    /// Returns how many clusters of a launch the device runs at once.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a launch that cannot be; `INVALID_CLUSTER_SIZE` for one without clusters, or with clusters that cannot
    /// be; the status of a context that faulted.
    pub fn max_active_clusters(&self, shape: LaunchShape, attributes: &[LaunchAttribute]) -> Result<u32> {
        check_caller()?;
        crate::operations::launch_events::check_no_events(attributes)?;
        self.driver()?.max_active_clusters(self.id(), shape, attributes)
    }

    /// Returns how many blocks a cluster of a launch can have at most.
    ///
    /// # Errors
    /// As [`Kernel::max_active_clusters`], but the launch needs no clusters.
    pub fn max_cluster_size(&self, shape: LaunchShape, attributes: &[LaunchAttribute]) -> Result<u32> {
        check_caller()?;
        crate::operations::launch_events::check_no_events(attributes)?;
        self.driver()?.max_cluster_size(self.id(), shape, attributes)
    }

    fn driver(&self) -> Result<&dyn Driver> {
        self.context().driver()
    }
}
