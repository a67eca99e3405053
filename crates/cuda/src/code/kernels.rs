//! Attributes of kernels, as the driver tells them, and the number of their blocks that run at once.

use std::ffi::{c_int, c_uint};

use cudarc::driver::sys::CUfunction_attribute;

use super::module::MOST_SHARED_MEMORY;
use crate::api::{DriverError, Function, Handle, LaunchConfig};
use crate::context::CudaContext;
use crate::streams::launch_attributes::{config, native};
use graphcap_base::error::{Error, Result};
use graphcap_driver::{callbacks, KernelId, Kernels, LaunchAttribute, LaunchShape, SuggestedBlock};

const DYNAMIC_SHARED_MEMORY: u32 = MOST_SHARED_MEMORY as u32;

/// The last attribute that all drivers have which graphcap runs with.
const LAST_KNOWN: u32 = CUfunction_attribute::CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE as u32;

impl Kernels for CudaContext {
    fn kernel_attribute(&self, kernel: KernelId, attribute: u32) -> Result<i32> {
        self.ask_kernel(kernel, |function, value| {
            // SAFETY: the kernel's module is loaded; `value` is writable.
            unsafe { self.api().cuFuncGetAttribute(value, number(attribute), function) }
        })
    }

    fn kernel_set_attribute(&self, kernel: KernelId, attribute: u32, value: i32) -> Result<()> {
        callbacks::check_caller()?;
        let _current = self.map_error(self.device.enter())?;
        let kernel = self.kernel(kernel);
        // The driver (580) crashes in setting an attribute that there is not. It tells none of such a one.
        if attribute > LAST_KNOWN {
            // SAFETY: the kernel's module is loaded; the output is writable.
            self.map_error(unsafe { self.api().cuFuncGetAttribute(&mut 0, number(attribute), kernel.native) })?;
        }
        self.map_error(match (attribute, u32::try_from(value)) {
            (DYNAMIC_SHARED_MEMORY, Ok(bytes)) => kernel.set_most_shared_memory(self.api(), bytes),
            // SAFETY: as above.
            _ => unsafe { self.api().cuFuncSetAttribute(kernel.native, number(attribute), value) },
        })
    }

    fn max_active_blocks(&self, kernel: KernelId, threads: u32, shared_mem_bytes: usize) -> Result<u32> {
        let threads = count(threads, "threads in a block")?;
        self.ask_with(kernel, shared_mem_bytes, |function, blocks| {
            // SAFETY: as above.
            unsafe {
                self.api().cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared_mem_bytes)
            }
        })
        .map(unsigned)
    }

    fn suggested_block(&self, kernel: KernelId, shared_mem_bytes: usize, most: u32) -> Result<SuggestedBlock> {
        let most = count(most, "threads in a block at most")?;
        let mut threads = 0;
        let blocks = self.ask_with(kernel, shared_mem_bytes, |function, blocks| {
            // SAFETY: as above; the shared memory depends on no function.
            unsafe {
                self.api().cuOccupancyMaxPotentialBlockSize(
                    blocks,
                    &mut threads,
                    function,
                    None,
                    shared_mem_bytes,
                    most,
                )
            }
        })?;
        Ok(SuggestedBlock { threads: unsigned(threads), blocks: unsigned(blocks) })
    }

    fn available_shared_memory(&self, kernel: KernelId, blocks: u32, threads: u32) -> Result<usize> {
        let (blocks, threads) = (count(blocks, "blocks")?, count(threads, "threads in a block")?);
        let mut bytes = 0;
        self.ask_kernel(kernel, |function, _| {
            // SAFETY: as above.
            unsafe { self.api().cuOccupancyAvailableDynamicSMemPerBlock(&mut bytes, function, blocks, threads) }
        })?;
        Ok(bytes)
    }

    fn max_active_clusters(&self, kernel: KernelId, shape: LaunchShape, attributes: &[LaunchAttribute]) -> Result<u32> {
        // SAFETY: the kernel's module is loaded; the output is writable, and the description of the launch lives.
        self.ask_clusters(kernel, shape, attributes, |function, config, clusters| unsafe {
            self.api().cuOccupancyMaxActiveClusters(clusters, function, config)
        })
    }

    fn max_cluster_size(&self, kernel: KernelId, shape: LaunchShape, attributes: &[LaunchAttribute]) -> Result<u32> {
        // SAFETY: as above.
        self.ask_clusters(kernel, shape, attributes, |function, config, blocks| unsafe {
            self.api().cuOccupancyMaxPotentialClusterSize(blocks, function, config)
        })
    }
}

impl CudaContext {
    /// Returns what `ask` writes about a kernel.
    fn ask_kernel(
        &self,
        kernel: KernelId,
        ask: impl FnOnce(Function, &mut c_int) -> Result<(), DriverError>,
    ) -> Result<c_int> {
        callbacks::check_caller()?;
        let _current = self.map_error(self.device.enter())?;
        let mut value = 0;
        self.map_error(ask(self.kernel(kernel).native, &mut value))?;
        Ok(value)
    }

    fn ask_clusters(
        &self,
        kernel: KernelId,
        shape: LaunchShape,
        attributes: &[LaunchAttribute],
        ask: impl FnOnce(Function, &LaunchConfig, &mut c_int) -> Result<(), DriverError>,
    ) -> Result<u32> {
        let mut attributes = native(attributes, |event| self.event(event).native);
        let config = config(shape, Handle::NULL, &mut attributes);
        let bytes = shape.shared_mem_bytes as usize;
        self.ask_with(kernel, bytes, |function, value| ask(function, &config, value)).map(unsigned)
    }

    /// As `ask_kernel`, for launches with as much dynamic shared memory, for which the driver wants it to be allowed.
    fn ask_with(
        &self,
        kernel: KernelId,
        shared_mem_bytes: usize,
        ask: impl FnOnce(Function, &mut c_int) -> Result<(), DriverError>,
    ) -> Result<c_int> {
        self.ask_kernel(kernel, |function, value| {
            self.kernel(kernel).with_shared_memory(self.api(), shared_mem_bytes, || ask(function, value))
        })
    }
}

/// The number of an attribute as the driver takes it; one that it cannot have is none of its.
fn number(attribute: u32) -> c_int {
    c_int::try_from(attribute).unwrap_or(c_int::MAX)
}

/// A count as the driver takes it.
fn count(given: u32, what: &str) -> Result<c_int> {
    c_int::try_from(given).map_err(|_| Error::invalid_value(format!("{given} {what} are more than any device has")))
}

/// A count as the driver gives it.
fn unsigned(count: c_int) -> c_uint {
    c_uint::try_from(count).unwrap_or(0)
}
