//! Limits of a launch, so that one that is impossible can be refused before it breaks a capture.

use std::ffi::c_int;

use cudarc::driver::sys::{CUdevice_attribute as Of, CUfunction_attribute};

use crate::api::{Api, Function};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::names::shown;
use graphcap_driver::LaunchShape;

/// An attribute of a device; `None` where the driver does not tell.
pub(crate) fn attribute(api: &Api, ordinal: c_int, of: Of) -> Option<c_int> {
    let mut value = 0;
    // SAFETY: `value` is writable; the ordinal is a device.
    unsafe { api.cuDeviceGetAttribute(&mut value, of as c_int, ordinal) }.ok().map(|()| value)
}

/// The limits of a device. What the driver does not tell is no limit: the launch will say so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Limits {
    grid: [u32; 3],
    block: [u32; 3],
    block_threads: u32,
    shared_memory: u32,
}

/// The limits of a kernel, which may be narrower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct KernelLimits {
    block_threads: u32,
    /// Shared memory that it has whatever the launch asks for.
    fixed_shared_memory: u32,
}

impl Limits {
    /// Asks for those of a device.
    pub(crate) fn of(api: &Api, ordinal: c_int) -> Limits {
        let ask = |of: Of| {
            let told = attribute(api, ordinal, of).and_then(|value| u32::try_from(value).ok());
            told.filter(|&limit| limit > 0).unwrap_or(u32::MAX)
        };
        Limits {
            grid: [
                ask(Of::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
                ask(Of::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
                ask(Of::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z),
            ],
            block: [
                ask(Of::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
                ask(Of::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
                ask(Of::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z),
            ],
            block_threads: ask(Of::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
            shared_memory: ask(Of::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
        }
    }

    /// Checks a launch of the kernel called `name`.
    pub(crate) fn check(&self, name: &str, kernel: KernelLimits, shape: &LaunchShape) -> Result<()> {
        let LaunchShape { grid, block, shared_mem_bytes } = *shape;
        let within = |dims: [u32; 3], most: [u32; 3]| dims.iter().zip(most).all(|(&dim, most)| dim >= 1 && dim <= most);
        let threads = shape.threads();
        let refuse = |status, what: String| {
            Err(Error::new(status, format!("kernel '{}' cannot be launched with {what}", shown(name))))
        };
        if !within(grid, self.grid) {
            return refuse(
                Status::INVALID_VALUE,
                format!("the grid {grid:?}: the device takes 1 to {:?} blocks{}", self.grid, shape.advice()),
            );
        }
        if !within(block, self.block) || threads > self.block_threads.into() {
            return refuse(
                Status::INVALID_VALUE,
                format!(
                    "the block {block:?}: the device takes 1 to {:?} threads, {} in all{}",
                    self.block,
                    self.block_threads,
                    shape.advice()
                ),
            );
        }
        let room = self.shared_memory.saturating_sub(kernel.fixed_shared_memory);
        if shared_mem_bytes > room {
            return refuse(
                Status::INVALID_VALUE,
                format!("{shared_mem_bytes} bytes of dynamic shared memory: there are {room}"),
            );
        }
        if threads > kernel.block_threads.into() {
            return refuse(
                Status::LAUNCH_OUT_OF_RESOURCES,
                format!(
                    "a block of {threads} threads: it can have {}, for the registers that it needs or as it was compiled",
                    kernel.block_threads
                ),
            );
        }
        Ok(())
    }
}

impl KernelLimits {
    /// Asks for those of a kernel.
    pub(crate) fn of(api: &Api, function: Function) -> KernelLimits {
        let ask = |attribute: CUfunction_attribute| {
            let mut value = 0;
            // SAFETY: `value` is writable; the function was found in a loaded module.
            let asked = unsafe { api.cuFuncGetAttribute(&mut value, attribute as c_int, function) };
            asked.ok().and_then(|()| u32::try_from(value).ok())
        };
        let threads = ask(CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
        KernelLimits {
            block_threads: threads.filter(|&limit| limit > 0).unwrap_or(u32::MAX),
            fixed_shared_memory: ask(CUfunction_attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES).unwrap_or(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEVICE: Limits = Limits {
        grid: [i32::MAX as u32, 65_535, 65_535],
        block: [1024, 1024, 64],
        block_threads: 1024,
        shared_memory: 232_448,
    };
    const KERNEL: KernelLimits = KernelLimits { block_threads: 512, fixed_shared_memory: 1024 };

    fn check(grid: [u32; 3], block: [u32; 3], shared_mem_bytes: u32) -> Option<Status> {
        DEVICE.check("k", KERNEL, &LaunchShape { grid, block, shared_mem_bytes }).err().map(|error| error.status)
    }

    #[test]
    fn what_the_device_or_the_kernel_cannot_have_is_refused() {
        const ONE: [u32; 3] = [1; 3];
        assert_eq!(check([i32::MAX as u32, 65_535, 65_535], [512, 1, 1], 231_424), None);
        for grid in [[0, 1, 1], [1, 0, 1], [1, 1, 0], [1 << 31, 1, 1], [1, 65_536, 1], [1, 1, u32::MAX]] {
            assert_eq!(check(grid, ONE, 0), Some(Status::INVALID_VALUE), "{grid:?}");
        }
        for block in [[0, 1, 1], [1, 1, 0], [1025, 1, 1], [1, 1, 65], [1024, 2, 1], [u32::MAX; 3]] {
            assert_eq!(check(ONE, block, 0), Some(Status::INVALID_VALUE), "{block:?}");
        }
        let told =
            |grid| DEVICE.check("k", KERNEL, &LaunchShape { grid, block: ONE, shared_mem_bytes: 0 }).unwrap_err();
        assert!(told([1, 0, 1]).message.contains("GRAPHCAP_LAUNCH_CONFIG"), "{}", told([1, 0, 1]).message);
        assert!(!told([1, 65_536, 1]).message.contains("GRAPHCAP_LAUNCH_CONFIG"));
        assert_eq!(check(ONE, ONE, 231_425), Some(Status::INVALID_VALUE));
        assert_eq!(check(ONE, [513, 1, 1], 0), Some(Status::LAUNCH_OUT_OF_RESOURCES));
    }

    #[test]
    fn what_is_not_told_is_no_limit() {
        let device =
            Limits { grid: [u32::MAX; 3], block: [u32::MAX; 3], block_threads: u32::MAX, shared_memory: u32::MAX };
        let kernel = KernelLimits { block_threads: u32::MAX, fixed_shared_memory: 0 };
        let shape = LaunchShape { grid: [u32::MAX; 3], block: [1 << 30, 1, 1], shared_mem_bytes: u32::MAX };
        assert_eq!(device.check("k", kernel, &shape), Ok(()));
        assert!(device.check("k", kernel, &LaunchShape { grid: [0, 1, 1], ..shape }).is_err());
    }
}
