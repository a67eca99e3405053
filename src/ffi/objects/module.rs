//! gc_module: code, as a device image, as a table of host kernels, or both.

use std::ffi::{c_char, c_void};

use crate::ffi::boundary::{
    answer_borrowed, answer_clone, check_flags, gc_buffer, gc_context, gc_kernel, gc_module, gc_status, guard, handle,
    options, Failure, Out, Result, Versioned,
};
use crate::ffi::objects::kernel::read_accesses;
use graphcap_base::error::{Error, Status};
use graphcap_base::room;
use graphcap_core::{Access, Module};
use graphcap_driver::{HostBlock, HostGlobal, HostKernel, ModuleSource, PARAMETER_BYTES_LIMIT};

/// A kernel of the host device: called once per block of the grid, in any order and in parallel.
///
/// arguments points to one pointer per parameter, each to the bytes of the argument; a buffer argument is the address
/// of its memory. The kernel returns 0, or another number to fault the context as an illegal address would on a GPU. It
/// runs on threads of graphcap's. It must not block for other work, and must not make gc_ calls other than
/// gc_host_check_range(), gc_host_fail() and gc_host_set_conditional().
pub type gc_host_kernel_fn =
    Option<unsafe extern "C-unwind" fn(block: *const HostBlock, arguments: *const *const c_void) -> i32>;

/// A kernel of the host device in a module description. Start from GRAPHCAP_HOST_KERNEL_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_host_kernel {
    /// sizeof(gc_host_kernel).
    pub struct_size: u32,
    /// 0.
    pub flags: u32,
    /// The name by which gc_module_get_kernel() finds the kernel, UTF-8; copied.
    pub name: *const c_char,
    /// The code. It must stay callable while the module lives.
    pub function: gc_host_kernel_fn,
    /// The size of each parameter in bytes, 8 for a buffer; copied. If it is NULL, arguments are not checked.
    pub parameter_sizes: *const usize,
    /// The number of parameter_sizes; 0 when it is NULL.
    pub parameter_count: usize,
    /// Accesses of the kernel to the memory that its parameters point to, as gc_kernel_set_accesses() takes them: a number for each
    /// parameter; copied. If it is NULL, nothing is stated. It holds for the kernel of this name in the image as well.
    pub accesses: *const u32,
    /// The number of accesses; 0 when it is NULL.
    pub access_count: usize,
}
// SAFETY: repr(C), starts with its size, and holds integers and pointers, which may be NULL.
unsafe impl Versioned for gc_host_kernel {}

/// More host kernels than any module has: a larger count is a wrong one, by which memory behind the array would be read.
const HOST_KERNELS_LIMIT: usize = 1 << 20;

/// A global variable of the host device in a module description. Start from GRAPHCAP_HOST_GLOBAL(name, variable).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_host_global {
    /// sizeof(gc_host_global).
    pub struct_size: u32,
    /// 0.
    pub flags: u32,
    /// The name by which gc_module_get_global() finds the variable, UTF-8; copied.
    pub name: *const c_char,
    /// The variable: memory of the program's, which host kernels use by its name in C. It must stay valid while the module
    /// lives.
    pub address: *mut c_void,
    /// Its size in bytes, not 0.
    pub size: usize,
}
// SAFETY: repr(C), starts with its size, and holds integers and pointers, which may be NULL.
unsafe impl Versioned for gc_host_global {}

/// Description of a module to load. Start from GRAPHCAP_MODULE_DESCRIPTION_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_module_description {
    /// sizeof(gc_module_description).
    pub struct_size: u32,
    /// 0.
    pub flags: u32,
    /// PTX, cubin or fatbin for a CUDA device, or Tile IR where the driver takes it; NULL for none. PTX is a text, with or without a
    /// NUL at its end; it is compiled during the call, which can take seconds. Relocatable cubins and LTO-IR are refused: link them
    /// first. Not used by host devices.
    pub image: *const c_void,
    /// Bytes at image; 0 when it is NULL.
    pub image_size: usize,
    /// Kernels for a host device, under the names that they have in the image; NULL for none. A CUDA device checks them
    /// too. A CUDA driver older than 12.4 does not report the parameters of kernels; there the parameter_sizes are
    /// used.
    pub host_kernels: *const gc_host_kernel,
    /// The number of host kernels, at most 1048576.
    pub host_kernel_count: usize,
    /// Global variables for a host device, under the names that they have in the image; NULL for none. A CUDA device checks
    /// them too, and uses those of the image.
    pub host_globals: *const gc_host_global,
    /// The number of host globals, at most 1048576.
    pub host_global_count: usize,
}
// SAFETY: repr(C), starts with its size, and holds integers and pointers, which may be NULL.
unsafe impl Versioned for gc_module_description {}

/// Statements about the accesses of a kernel, with its name.
type StatedAccesses = (String, Vec<Option<Access>>);

/// The host kernels of a description, and what it states of some of them.
///
/// # Safety
/// `kernels` is NULL or points to `count` host kernels whose names end with a NUL, whose parameter_sizes have
/// parameter_count elements, whose accesses have access_count, and whose functions may be called as host kernels.
unsafe fn host_kernels(kernels: *const gc_host_kernel, count: usize) -> Result<(Vec<HostKernel>, Vec<StatedAccesses>)> {
    let known = "the number of host kernels, at most 1048576";
    options::check_count(count, HOST_KERNELS_LIMIT, "description.host_kernel_count", known)?;
    let (mut list, mut stated) = (room::list(count)?, Vec::new());
    let read_one = |_, kernel: &gc_host_kernel| {
        check_flags(kernel.flags, 0, "host_kernels.flags", "0")?;
        // SAFETY: the caller promises a name that ends with a NUL.
        let name = unsafe { options::text(kernel.name, "host_kernels.name") }?;
        let function = kernel.function.ok_or(Failure::Null("host_kernels.function"))?;
        let counts = [
            (kernel.parameter_count, "host_kernels.parameter_count"),
            (kernel.access_count, "host_kernels.access_count"),
        ];
        for (count, argument) in counts {
            options::check_count(count, PARAMETER_BYTES_LIMIT, argument, "the number of the kernel's parameters")?;
        }
        // SAFETY: the caller promises access_count accesses.
        let numbers = unsafe { options::elements(kernel.accesses, kernel.access_count, "host_kernels.accesses") }?;
        if let Some(numbers) = numbers {
            stated.push((name.to_owned(), read_accesses(numbers)?));
        }
        let argument = "host_kernels.parameter_sizes";
        // SAFETY: the caller promises parameter_count sizes.
        let sizes = unsafe { options::elements(kernel.parameter_sizes, kernel.parameter_count, argument) }?;
        let copied = |sizes: &[usize]| {
            let mut copy = room::list(sizes.len())?;
            copy.extend_from_slice(sizes);
            Ok::<_, Error>(copy)
        };
        list.push(HostKernel { name: name.to_owned(), function, parameter_sizes: sizes.map(copied).transpose()? });
        Ok(())
    };
    // SAFETY: the caller promises `count` host kernels.
    unsafe { options::for_each(kernels, count, "host_kernels", read_one) }?;
    Ok((list, stated))
}

/// More than any module has: a larger count is a wrong one, by which memory behind the array would be read.
const HOST_GLOBALS_LIMIT: usize = 1 << 20;

/// The host globals of a description.
///
/// # Safety
/// `globals` is NULL or points to `count` host globals whose names end with a NUL.
pub(crate) unsafe fn host_globals(globals: *const gc_host_global, count: usize) -> Result<Vec<HostGlobal>> {
    let known = "the number of host globals, at most 1048576";
    options::check_count(count, HOST_GLOBALS_LIMIT, "description.host_global_count", known)?;
    let mut list = room::list(count)?;
    let read_one = |_, global: &gc_host_global| {
        check_flags(global.flags, 0, "host_globals.flags", "0")?;
        // SAFETY: the caller promises a name that ends with a NUL.
        let name = unsafe { options::text(global.name, "host_globals.name") }?;
        if global.address.is_null() {
            return Err(Failure::Null("host_globals.address"));
        }
        let address = global.address.expose_provenance() as u64;
        list.push(HostGlobal { name: name.to_owned(), address, bytes: global.size });
        Ok(())
    };
    // SAFETY: the caller promises `count` host globals.
    unsafe { options::for_each(globals, count, "host_globals", read_one) }?;
    Ok(list)
}

/// Loads a module. All that the description points to is copied, except for the code of the host kernels and the memory
/// of the host globals.
///
/// A description with an image and host kernels serves both kinds of device. If the driver cannot load the image, the
/// message contains what the driver's compiler says.
///
/// @param[in]  context      the context that the module belongs to
/// @param[in]  description  what to load, not NULL
/// @param[out] module_out   the new module, owned by the caller until gc_module_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE            a name or a function is missing, two host kernels or two host
///     globals have the same name, a host global is no range of memory, or accesses are not what
///     gc_kernel_set_accesses() takes
/// @retval GRAPHCAP_ERROR_INVALID_IMAGE            the image is damaged, cut short, of no known kind, or has to be
///                                                 linked first
/// @retval GRAPHCAP_ERROR_INVALID_PTX              the driver cannot compile the PTX
/// @retval GRAPHCAP_ERROR_UNSUPPORTED_PTX_VERSION  the driver is too old for the version of the PTX
/// @retval GRAPHCAP_ERROR_NO_BINARY_FOR_GPU        there is no code for the device of the context: neither host kernels
///                                                 nor host globals on a host device; no image, or no code for this
///                                                 GPU, on a CUDA device
#[no_mangle]
pub unsafe extern "C" fn gc_module_load(
    context: *const gc_context,
    description: *const gc_module_description,
    module_out: *mut *mut gc_module,
) -> gc_status {
    // SAFETY: C promises that `module_out` is NULL or writable.
    let out = unsafe { Out::handle(module_out, "module_out") };
    answer_clone("gc_module_load", (context, "context"), out, |context| {
        // SAFETY: C promises that `description` is NULL or points to as many bytes as its struct_size states.
        let description = unsafe { options::read(description, "description") }?;
        check_flags(description.flags, 0, "flags", "0")?;
        // SAFETY: C promises that the image has as many readable bytes as it states.
        let image = unsafe { options::elements(description.image.cast::<u8>(), description.image_size, "image") }?;
        // SAFETY: C promises that the host kernels are as many, and as they should be.
        let (host_kernels, stated) = unsafe { host_kernels(description.host_kernels, description.host_kernel_count) }?;
        // SAFETY: C promises that the host globals are as many, and as they should be.
        let host_globals = unsafe { host_globals(description.host_globals, description.host_global_count) }?;
        let source =
            ModuleSource { image, host_kernels: &host_kernels, host_globals: &host_globals, ..ModuleSource::default() };
        // SAFETY: C promises that the functions may be called as host kernels, and the memory used, while the module lives.
        let module = unsafe { Module::load(&context, source) }?;
        for (name, accesses) in stated {
            match module.kernel(&name) {
                Ok(kernel) => kernel.state_accesses(Some(&accesses))?,
                // The image has no kernel of the name.
                Err(error) if error.status == Status::NOT_FOUND => {}
                Err(error) => return Err(error.into()),
            }
        }
        handle::insert(module)
    })
}

/// Destroys a module. Its code stays loaded while kernels, graphs, graph execs or launches use it. Unloading code of a
/// CUDA device waits for all work. The code is therefore unloaded when gc_context_collect() or gc_context_synchronize()
/// waits for any context of that device, or when the device's primary context ends.
///
/// @param[in] module  NULL has no effect
#[no_mangle]
pub unsafe extern "C" fn gc_module_destroy(module: *mut gc_module) -> gc_status {
    guard("gc_module_destroy", [], || handle::destroy(module, "module"))
}

/// Finds a kernel of a module by its name.
///
/// @param[in]  module      the module
/// @param[in]  name        the exact name, UTF-8
/// @param[out] kernel_out  the kernel, owned by the caller until gc_kernel_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  name or kernel_out is NULL, or name is not UTF-8
/// @retval GRAPHCAP_ERROR_NOT_FOUND      the module has no kernel of that name; the message lists the module's kernels,
///                                       on a CUDA device only with a driver for CUDA 12.4 or newer
#[no_mangle]
pub unsafe extern "C" fn gc_module_get_kernel(
    module: *const gc_module,
    name: *const c_char,
    kernel_out: *mut *mut gc_kernel,
) -> gc_status {
    // SAFETY: C promises that `kernel_out` is NULL or writable.
    let out = unsafe { Out::handle(kernel_out, "kernel_out") };
    answer_borrowed("gc_module_get_kernel", (module, "module"), out, |module| {
        // SAFETY: C promises that `name` is NULL or a text that ends with a NUL.
        let name = unsafe { options::text(name, "name") }?;
        let kernel = module.kernel(name)?;
        handle::insert(kernel)
    })
}

/// Finds a global variable of a module by its name, as a buffer: copies, memsets, kernel arguments and nodes of graphs take
/// it as they take any buffer, and gc_buffer_size() and gc_buffer_address() tell its size and its device address.
///
/// On a CUDA device the variable is one of the image, declared with __device__, __constant__ or __managed__. On a host
/// device it is one of the description's host_globals. The buffer keeps the module loaded, and so do the work and the
/// graphs that use the buffer. Several buffers of one variable are the same memory.
///
/// @param[in]  module      the module
/// @param[in]  name        the exact name, UTF-8; that of a C++ variable is mangled unless it is extern "C"
/// @param[out] buffer_out  the variable, owned by the caller until gc_buffer_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  name or buffer_out is NULL, or name is not UTF-8
/// @retval GRAPHCAP_ERROR_NOT_FOUND      the module has no global variable of that name; on a host device the message
///                                       lists those that it has
#[no_mangle]
pub unsafe extern "C" fn gc_module_get_global(
    module: *const gc_module,
    name: *const c_char,
    buffer_out: *mut *mut gc_buffer,
) -> gc_status {
    // SAFETY: C promises that `buffer_out` is NULL or writable.
    let out = unsafe { Out::handle(buffer_out, "buffer_out") };
    answer_clone("gc_module_get_global", (module, "module"), out, |module| {
        // SAFETY: C promises that `name` is NULL or a text that ends with a NUL.
        let name = unsafe { options::text(name, "name") }?;
        handle::insert(module.global(name)?)
    })
}
