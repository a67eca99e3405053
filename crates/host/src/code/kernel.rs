//! Modules and kernels of the host device, and launches of them as they are recorded or queued. `grid.rs` runs their blocks.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use super::arguments::PackedArguments;
use super::kernel_attributes::KernelAttributes;
use super::occupancy::MOST_SHARED_MEMORY;
use crate::memory::guard::{self, Declared};
use graphcap_base::error::{Error, Result};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{
    Access, Address, Argument, Arguments, GridSources, HostKernelFunction, KernelId, Launch, LaunchAttribute,
    LaunchShape, StatedArgument, StatedMemory, Work, MOST_THREADS,
};

/// Largest block in x, y and z.
const MAX_BLOCK: [u32; 3] = [1024, 1024, 64];
/// Largest grid in x, y and z.
const MAX_GRID: [u32; 3] = [i32::MAX as u32, 65_535, 65_535];

/// A loaded kernel.
pub(crate) struct Kernel {
    /// Set when the kernel is entered into the table of kernels.
    pub(crate) id: OnceLock<KernelId>,
    pub(crate) name: String,
    pub(crate) function: HostKernelFunction,
    pub(crate) parameter_sizes: Option<Vec<usize>>,
    pub(crate) context: u64,
    /// The number of the device that the context is on.
    pub(crate) device: u32,
    pub(crate) attributes: KernelAttributes,
    /// Statements about its parameters.
    pub(crate) accesses: Mutex<Option<Arc<[Option<Access>]>>, rank::StatedAccesses>,
    /// Statements about memory that it touches besides.
    pub(crate) touched: Mutex<Arc<[StatedMemory]>, rank::StatedAccesses>,
    /// Tells whether it was told that launches are not checked, which state of all buffers that they are read.
    pub(crate) is_told_unchecked: AtomicBool,
}

/// A loaded module: its kernels by name.
pub(crate) struct Module {
    pub(crate) kernels: HashMap<String, KernelId>,
    /// Its global variables: where each starts, and how many bytes it has.
    pub(crate) globals: HashMap<String, (Address, usize)>,
    pub(crate) context: u64,
}

/// Checks the shape of a launch against the limits of the device.
pub(crate) fn check_shape(shape: &LaunchShape) -> Result<()> {
    let within = |dims: [u32; 3], most: [u32; 3]| dims.iter().zip(most).all(|(&dim, most)| dim >= 1 && dim <= most);
    if !within(shape.grid, MAX_GRID) {
        return Err(Error::invalid_value(format!(
            "the grid {:?} is outside 1 to {MAX_GRID:?} blocks{}",
            shape.grid,
            shape.advice()
        )));
    }
    if !within(shape.block, MAX_BLOCK) || shape.threads() > MOST_THREADS {
        return Err(Error::invalid_value(format!(
            "the block {:?} is outside 1 to {MAX_BLOCK:?} threads or has more than {MOST_THREADS} in all{}",
            shape.block,
            shape.advice()
        )));
    }
    if shape.shared_mem_bytes > MOST_SHARED_MEMORY {
        return Err(Error::invalid_value(format!(
            "{} bytes of shared memory are more than the {MOST_SHARED_MEMORY} that a block can have",
            shape.shared_mem_bytes
        )));
    }
    Ok(())
}

/// A launch as recorded or queued.
#[derive(Clone)]
pub(crate) struct KernelCall {
    pub(crate) kernel: Arc<Kernel>,
    pub(crate) shape: LaunchShape,
    pub(crate) arguments: PackedArguments,
    /// Kept for who reads the node; blocks run on the CPU whatever they say.
    pub(crate) attributes: Box<[LaunchAttribute]>,
    /// Tells whether it may begin before the work before it on its stream is over: its edges say so where it is recorded.
    pub(crate) is_programmatic: bool,
    /// Statements of the launch about its arguments, where they are checked.
    pub(crate) stated: Option<Arc<(Vec<StatedArgument>, bool)>>,
    /// Addresses that replays take the grid from, for a node that takes some of it from memory.
    pub(crate) grid_from: Option<Box<GridSources>>,
}

impl KernelCall {
    /// Returns whether both run the same function on the same arguments, in grids that are known.
    #[inline]
    pub(crate) fn runs_as(&self, other: &KernelCall) -> bool {
        Arc::ptr_eq(&self.kernel, &other.kernel)
            && self.shape == other.shape
            && self.grid_from.is_none()
            && other.grid_from.is_none()
            && self.arguments.is_same(&other.arguments)
    }

    /// Returns what the kernel may touch while it runs, of each argument that is an address, and besides; `None` where nothing is known of
    /// it.
    pub(crate) fn declared(&self) -> Option<Vec<Declared>> {
        let of_kernel = lock(&self.kernel.accesses).clone();
        let of_launch = self.stated.as_deref();
        let mut declared = Some(Vec::new());
        self.arguments.read(|arguments| {
            let is_known = match &of_kernel {
                Some(accesses) => accesses.len() == arguments.len(),
                None => of_launch.is_some_and(|(_, is_whole)| *is_whole),
            };
            if !is_known {
                declared = None;
                let is_read_alone = |(stated, _): &(Vec<StatedArgument>, bool)| {
                    of_kernel.is_none() && stated.iter().all(|one| one.access == Access::Read)
                };
                if of_launch.is_some_and(is_read_alone) && !self.kernel.is_told_unchecked.swap(true, Ordering::Relaxed)
                {
                    guard::tell_unchecked(&self.kernel.name);
                }
                return;
            }
            for (index, argument) in arguments.iter().enumerate() {
                let address = match argument {
                    Argument::Address(address) => *address,
                    Argument::Value(bytes) => match <[u8; 8]>::try_from(*bytes) {
                        Ok(word) => Address::from_ne_bytes(word),
                        Err(_) => continue,
                    },
                };
                let own = of_launch.and_then(|(stated, _)| stated.iter().find(|stated| stated.index == index));
                let access = match (own, &of_kernel) {
                    (Some(own), _) => Some(own.access),
                    (None, Some(accesses)) => accesses.get(index).copied().flatten(),
                    // A value of a launch that states all buffers: what it means is not known where it is an address.
                    (None, None) if guard::is_in_a_block(address) => {
                        declared = None;
                        return;
                    }
                    (None, None) => None,
                };
                if let (Some(access), Some(declared)) = (access, &mut declared) {
                    let bytes = own.and_then(|own| own.bytes);
                    declared.push(Declared { argument: Some(index), address, access, bytes });
                }
            }
        });
        let touched = Arc::clone(&lock(&self.kernel.touched));
        let besides = touched.iter().map(|&StatedMemory { address, bytes, access }| Declared {
            argument: None,
            address,
            access,
            bytes: Some((address, bytes)),
        });
        if let Some(declared) = &mut declared {
            declared.extend(besides);
        }
        declared
    }

    /// Adds the attributes `before` that it was not given anew.
    pub(crate) fn keep_attributes(&mut self, before: &[LaunchAttribute]) {
        let kept: Vec<_> =
            before.iter().filter(|kept| self.attributes.iter().all(|given| given.id != kept.id)).copied().collect();
        if !kept.is_empty() {
            self.attributes = self.attributes.iter().copied().chain(kept).collect();
        }
    }

    /// Tells `read` the launch that this was made of.
    pub(crate) fn read(&self, read: &mut dyn FnMut(&Work<'_>)) {
        self.arguments.read(|arguments| {
            read(&Work::Kernel(Launch {
                kernel: self.kernel.id.get().copied().unwrap_or(KernelId::FOREIGN),
                name: &self.kernel.name,
                shape: self.shape,
                arguments: Arguments::Separate(arguments),
                attributes: &self.attributes,
                stated: None,
            }));
        });
    }
}
