//! Code: modules, kernels, and what a launch of one is given.

use std::ffi::c_void;
use std::sync::Arc;

use super::{Address, KernelId, MemoryId, ModuleId, StreamId};
use graphcap_base::error::{Error, Result};
use graphcap_base::names::shown;

/// The modules and kernels of a context. The rules of [`Driver`](super::Driver) hold.
pub trait Code: Send + Sync {
    /// Loads code.
    fn module_load(&self, source: ModuleSource<'_>) -> Result<ModuleId>;
    /// Unloads code once nothing uses it; where that would wait, in [`Driver::collect`](super::Driver::collect) or
    /// [`Driver::synchronize`](super::Driver::synchronize).
    /// `used_by` are streams that launched graphs with it, of whatever contexts.
    fn module_unload(&self, module: ModuleId, used_by: &[StreamId]);
    /// Finds a kernel by its exact name.
    fn module_kernel(&self, module: ModuleId, name: &str) -> Result<KernelId>;
    /// Finds a global variable by its exact name, as memory, which goes with the module. To release it frees nothing: when no
    /// work needs it any more, `on_release` runs, which need not wait. Where this fails, that is dropped.
    fn module_global(&self, module: ModuleId, name: &str, on_release: Box<dyn FnOnce() + Send>) -> Result<Global>;
    /// Size of each parameter in bytes, or `None` where the device does not know them.
    fn kernel_parameters(&self, kernel: KernelId) -> Result<Option<Vec<usize>>>;
    /// Returns whether the kernel can be launched with `shape`, as far as its limits and the device's are known: what
    /// [`Submit::submit`](super::Submit::submit) would answer, without harm to a capture. `INVALID_VALUE`, `LAUNCH_OUT_OF_RESOURCES`.
    fn check_shape(&self, kernel: KernelId, shape: LaunchShape) -> Result<()>;
}

/// A global variable of a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Global {
    /// Its name, for [`Memory::release`](super::Memory::release).
    pub memory: MemoryId,
    /// Its first byte.
    pub address: Address,
    /// Its size in bytes.
    pub bytes: usize,
}

/// The shape of a launch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LaunchShape {
    /// Blocks in x, y and z.
    pub grid: [u32; 3],
    /// Threads per block in x, y and z.
    pub block: [u32; 3],
    /// Dynamic shared memory per block in bytes.
    pub shared_mem_bytes: u32,
}

/// Threads in a block at most, on every device.
pub const MOST_THREADS: u64 = 1024;

impl LaunchShape {
    /// One block of one thread.
    pub const ONE_THREAD: LaunchShape = LaunchShape { grid: [1; 3], block: [1; 3], shared_mem_bytes: 0 };

    /// Threads of a block.
    pub fn threads(&self) -> u64 {
        self.block.iter().fold(1, |threads, &dim| threads.saturating_mul(dim.into()))
    }

    /// The end of the message for a launch that was refused: where a size is 0, which no size is by default, what sets all six; where
    /// the block is too large, what tells its limit.
    pub fn advice(&self) -> &'static str {
        match self.threads() {
            _ if self.grid.contains(&0) || self.block.contains(&0) => {
                "; no size may be 0: start from GRAPHCAP_LAUNCH_CONFIG(blocks, threads), which sets all of them"
            }
            ..=MOST_THREADS => "",
            _ => "; gc_kernel_get_attribute() tells beforehand how many threads a block can have",
        }
    }
}

/// The function behind a host function. Closures do what they do when they are called.
pub trait HostTask: Send + Sync {
    /// Runs it; the reason where it failed.
    fn call(&self) -> Option<Box<str>>;
    /// The function and the data that a caller of the C interface gave.
    fn given(&self) -> Option<GivenFunction> {
        None
    }
}

impl<F: Fn() + Send + Sync> HostTask for F {
    fn call(&self) -> Option<Box<str>> {
        self();
        None
    }
}

/// A function of the C interface and what it is called with, by their addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GivenFunction {
    /// The function.
    pub function: usize,
    /// Its user data.
    pub user_data: usize,
}

/// A function of the caller's that a stream runs. It may run many times, once per replay, and never two at
/// once for one launch.
pub type HostFunction = Arc<dyn HostTask>;

/// A kernel of the host device as C gives it: called once per block, in any order and in parallel.
/// 0 is success; anything else faults the context as an illegal address would on a GPU.
pub type HostKernelFunction =
    unsafe extern "C-unwind" fn(block: *const HostBlock, arguments: *const *const c_void) -> i32;

/// The block that a host kernel runs.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HostBlock {
    /// Size of this struct, for later growth.
    pub struct_size: u32,
    /// Dynamic shared memory of the block in bytes.
    pub shared_mem_bytes: u32,
    /// Blocks in the grid.
    pub grid_dim: [u32; 3],
    /// Threads in a block; the kernel runs them itself, usually as a loop.
    pub block_dim: [u32; 3],
    /// Index of this block.
    pub block_index: [u32; 3],
    /// Keeps shared_mem aligned; 0.
    pub reserved: u32,
    /// Scratch of shared_mem_bytes bytes for this block alone, 64-byte aligned, not cleared; NULL when that is 0.
    pub shared_mem: *mut c_void,
}

/// A host kernel of a module description.
#[derive(Clone, Debug)]
pub struct HostKernel {
    /// The name it is found by.
    pub name: String,
    /// The code. The caller promises that it stays callable while the module lives.
    pub function: HostKernelFunction,
    /// Size of each parameter in bytes, where the caller stated them; arguments are then checked.
    pub parameter_sizes: Option<Vec<usize>>,
}

/// A global variable of a module description.
#[derive(Clone, Debug)]
pub struct HostGlobal {
    /// The name it is found by.
    pub name: String,
    /// Its first byte. The caller promises that the memory stays valid while the module lives.
    pub address: Address,
    /// Its size in bytes.
    pub bytes: usize,
}

/// The first bytes of Tile IR.
pub const TILE_IR: &[u8] = b"\x7fTileIR";

/// A kernel of graphcap's own for GPUs.
#[derive(Clone, Copy, Debug)]
pub struct BuiltInImage {
    /// Compiled for generations of GPUs, each with the major number of its compute capability. A driver that is older may refuse them.
    pub cubins: &'static [(i32, &'static [u8])],
    /// The kernel as PTX, for all other GPUs and drivers.
    pub ptx: &'static [u8],
}

/// Code to load: a device image, host kernels, or both under the same names.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModuleSource<'a> {
    /// PTX, cubin, fatbin or Tile IR; not for the host device.
    pub image: Option<&'a [u8]>,
    /// Images that are tried before that one, each for a generation of GPUs, as in [`BuiltInImage::cubins`].
    pub cubins: &'a [(i32, &'a [u8])],
    /// Kernels of the host device.
    pub host_kernels: &'a [HostKernel],
    /// Global variables of the host device.
    pub host_globals: &'a [HostGlobal],
}

impl ModuleSource<'_> {
    /// Checks the host kernels and globals, on every device, so that a program that is wrong on one is wrong on all.
    ///
    /// # Errors
    /// `INVALID_VALUE` for an empty name, two kernels or two globals of one name, a parameter of no bytes, parameters of more than
    /// `PARAMETER_BYTES_LIMIT` bytes, or a global that is no range of memory.
    pub fn check(&self) -> Result<()> {
        self.check_globals()?;
        let mut seen = std::collections::HashSet::new();
        for kernel in self.host_kernels {
            if kernel.name.is_empty() {
                return Err(Error::invalid_value("a host kernel has an empty name"));
            }
            if !seen.insert(kernel.name.as_str()) {
                return Err(Error::invalid_value(format!(
                    "the module holds two host kernels named '{}'",
                    shown(&kernel.name)
                )));
            }
            if let Some(index) =
                kernel.parameter_sizes.as_ref().and_then(|sizes| sizes.iter().position(|&size| size == 0))
            {
                return Err(Error::invalid_value(format!(
                    "entry {index} of parameter_sizes of host kernel '{}' is 0; every parameter has at least 1 byte",
                    shown(&kernel.name)
                )));
            }
            kernel.parameter_sizes.as_deref().map_or(Ok(()), |sizes| check_parameter_bytes(&kernel.name, sizes))?;
        }
        Ok(())
    }

    fn check_globals(&self) -> Result<()> {
        let mut seen = std::collections::HashSet::new();
        for HostGlobal { name, address, bytes } in self.host_globals {
            if name.is_empty() {
                return Err(Error::invalid_value("a host global has an empty name"));
            }
            if !seen.insert(name.as_str()) {
                return Err(Error::invalid_value(format!("the module holds two host globals named '{}'", shown(name))));
            }
            if *address == 0 || *bytes == 0 || address.checked_add(*bytes as u64).is_none() {
                return Err(Error::invalid_value(format!(
                    "host global '{}' has {bytes} bytes at {address:#x}, which are no range of memory",
                    shown(name)
                )));
            }
        }
        Ok(())
    }
}

/// Bytes that the parameters of a kernel have at most in all, with the gaps between them. CUDA's limit since 12.1.
pub const PARAMETER_BYTES_LIMIT: usize = 32_764;

/// Alignment of a parameter of which only the size is known: the largest power of two that divides the size, 16 at most, which is
/// the largest that types of CUDA have.
fn alignment_of(size: usize) -> usize {
    1 << size.trailing_zeros().min(4)
}

/// End of the last of some parameters that lie behind each other, each at a multiple of its alignment.
fn parameter_bytes(sizes: &[usize]) -> Option<usize> {
    sizes.iter().try_fold(0_usize, |end, &size| end.checked_next_multiple_of(alignment_of(size))?.checked_add(size))
}

/// Fails for a kernel whose parameters have more bytes in all than CUDA's kernels can have.
fn check_parameter_bytes(name: &str, sizes: &[usize]) -> Result<()> {
    let bytes = parameter_bytes(sizes);
    if bytes.is_some_and(|bytes| bytes <= PARAMETER_BYTES_LIMIT) {
        return Ok(());
    }
    let sum = bytes.map_or("too many".to_owned(), |bytes| bytes.to_string());
    Err(Error::invalid_value(format!(
        "the parameters of host kernel '{name}' have {sum} bytes in all with their alignment, and a kernel has \
         {PARAMETER_BYTES_LIMIT} at most; pass larger arguments in a buffer"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_counted_in_all_with_their_alignment() {
        let bytes = |sizes: &[usize]| parameter_bytes(sizes);
        assert_eq!(bytes(&[]), Some(0));
        assert_eq!(bytes(&[1, 8]), Some(16));
        assert_eq!(bytes(&[8, 4, 1, 3]), Some(16));
        assert_eq!(bytes(&[4, 48]), Some(64));
        for fits in [&[32_764][..], &[16_384, 16_380], &[32_760, 3, 1], &[1, 32_756]] {
            assert!(check_parameter_bytes("k", fits).is_ok(), "{fits:?}");
        }
        for (too_many, sum) in [
            (&[32_765][..], "32765"),
            (&[16_384, 16_384], "32768"),
            (&[32_760, 3, 2], "32766"),
            (&[1, 32_760], "32768"),
            (&[usize::MAX, 2], "too many"),
            (&[1, usize::MAX - 15], "too many"),
        ] {
            let refusal = check_parameter_bytes("k", too_many).unwrap_err();
            assert_eq!(refusal.status, graphcap_base::error::Status::INVALID_VALUE);
            assert!(refusal.message.contains(sum) && refusal.message.contains("32764"), "{}", refusal.message);
        }
    }
}
