//! Modules of CUDA images and their kernels: loaded, found.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{c_int, c_uint, c_void, CStr, CString};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::Arc;

use cudarc::driver::sys::{CUfunction_attribute, CUjit_option};

use super::image::{Image, ImageKind};
use crate::api::limits::KernelLimits;
use crate::api::{self, Api, DriverError, Function, Handle};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::names::{listed, shown};
use graphcap_base::slots::Slots;
use graphcap_driver::{HostKernel, KernelId};

/// A loaded image.
pub(crate) struct Module {
    pub(crate) native: api::ModuleHandle,
    pub(crate) context: u64,
    /// The sizes of parameters that the module's description states, for drivers that do not tell them.
    pub(crate) stated_sizes: HashMap<String, Vec<usize>>,
    /// The kernels that were asked for.
    pub(crate) kernels: Mutex<HashMap<String, (KernelId, Arc<Kernel>)>, rank::ModuleKernels>,
}

pub(crate) static MODULES: Slots<Module> = Slots::new();

/// A kernel of a module.
pub(crate) struct Kernel {
    pub(crate) native: Function,
    pub(crate) name: String,
    /// As the driver tells them, or else as the module's description states them; `None` where neither does.
    pub(crate) parameter_sizes: Option<Vec<usize>>,
    /// Tells whether the driver told them, so that nobody can be wrong about how many there are.
    pub(crate) are_sizes_told: bool,
    pub(crate) limits: KernelLimits,
    /// Dynamic shared memory that launches may ask for.
    shared_memory: AtomicU32,
}

/// The attribute that says how much dynamic shared memory launches may ask for.
pub(crate) const MOST_SHARED_MEMORY: c_int =
    CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as c_int;

/// Shared memory that every kernel may have without asking.
const USUAL_SHARED_MEMORY: u32 = 48 * 1024;

impl Kernel {
    /// Allows launches to have as much dynamic shared memory, which the driver wants to be told beyond the usual. If
    /// that is more than there is, the launch will say so.
    #[inline]
    pub(crate) fn allow_shared_memory(&self, api: &Api, bytes: u32) {
        if bytes > self.shared_memory.load(Ordering::Relaxed) {
            self.raise_shared_memory(api, bytes);
        }
    }

    #[cold]
    fn raise_shared_memory(&self, api: &Api, bytes: u32) {
        let _raising = lock(&RAISING);
        if bytes > self.shared_memory.load(Ordering::Relaxed) {
            let _ = self.tell_most_shared_memory(api, bytes);
        }
    }

    /// Sets how much dynamic shared memory launches may ask for. One that asks for more raises it again.
    pub(crate) fn set_most_shared_memory(&self, api: &Api, bytes: u32) -> std::result::Result<(), DriverError> {
        let _raising = lock(&RAISING);
        self.tell_most_shared_memory(api, bytes)
    }

    /// Calls `ask` while launches may ask for as much dynamic shared memory, as they may when one that asks for it is made. What
    /// launches may ask for is the same afterwards. Where the driver refuses that much, `ask` finds out.
    pub(crate) fn with_shared_memory<T>(&self, api: &Api, bytes: usize, ask: impl FnOnce() -> T) -> T {
        let is_allowed = |bytes| bytes <= self.shared_memory.load(Ordering::Relaxed);
        let Some(bytes) = u32::try_from(bytes).ok().filter(|&bytes| !is_allowed(bytes)) else { return ask() };
        // A launch that asks for more than was allowed so far waits for the lock, and raises it for good.
        let _raising = lock(&RAISING);
        let before = (!is_allowed(bytes)).then(|| self.raise_for_now(api, bytes).ok()).flatten();
        let answer = ask();
        if let Some(before) = before {
            // SAFETY: the kernel's module is loaded.
            let _ = unsafe { api.cuFuncSetAttribute(self.native, MOST_SHARED_MEMORY, before) };
        }
        answer
    }

    /// Gives the value that was set before.
    fn raise_for_now(&self, api: &Api, bytes: u32) -> std::result::Result<c_int, DriverError> {
        let mut before = 0;
        // SAFETY: the kernel's module is loaded; `before` is writable.
        unsafe {
            api.cuFuncGetAttribute(&mut before, MOST_SHARED_MEMORY, self.native)?;
            api.cuFuncSetAttribute(self.native, MOST_SHARED_MEMORY, c_int::try_from(bytes).unwrap_or(c_int::MAX))?;
        }
        Ok(before)
    }

    fn tell_most_shared_memory(&self, api: &Api, bytes: u32) -> std::result::Result<(), DriverError> {
        let value = c_int::try_from(bytes).unwrap_or(c_int::MAX);
        // SAFETY: the kernel's module is loaded.
        unsafe { api.cuFuncSetAttribute(self.native, MOST_SHARED_MEMORY, value) }?;
        self.shared_memory.store(bytes, Ordering::Relaxed);
        Ok(())
    }
}

/// One at a time, or a smaller wish could undo a larger one.
static RAISING: Mutex<(), rank::Raising> = Mutex::new(());

/// The kernels of a module's description whose parameters are stated.
pub(crate) fn stated_sizes(kernels: &[HostKernel]) -> HashMap<String, Vec<usize>> {
    kernels.iter().filter_map(|kernel| Some((kernel.name.clone(), kernel.parameter_sizes.clone()?))).collect()
}

/// A kernel that was found, for who has the driver's handle alone.
pub(crate) struct FoundKernel {
    pub(crate) told: Told,
    /// The driver's context that it is loaded into, as a number.
    pub(crate) context: u64,
}

/// Facts about a kernel that was found, so that the driver need not be asked for each node that launches it.
#[derive(Clone)]
pub(crate) struct Told {
    pub(crate) id: KernelId,
    pub(crate) name: Arc<str>,
    /// `None` where the driver does not tell.
    pub(crate) layout: Option<Layout>,
}

/// The kernels that were found, by the driver's handles.
pub(crate) static FOUND: Mutex<BTreeMap<usize, FoundKernel>, rank::Found> = Mutex::new(BTreeMap::new());

/// Returns what is known of a function; `None` for one that was not found here.
pub(crate) fn told_of_function(function: Function) -> Option<Told> {
    lock(&FOUND).get(&function.number()).map(|found| found.told.clone())
}

/// The driver's context that a function is loaded into; `None` for one that was not found here.
pub(crate) fn context_of_function(function: Function) -> Option<u64> {
    lock(&FOUND).get(&function.number()).map(|found| found.context)
}

impl Drop for Kernel {
    fn drop(&mut self) {
        lock(&FOUND).remove(&self.native.number());
    }
}

/// Bytes for what the driver's compiler says.
const LOG_BYTES: usize = 4096;
/// Part of that which fits a message.
const LOG_SHOWN: usize = 600;

/// Loads an image. The context must be current.
pub(crate) fn load(api: &Api, image: &[u8]) -> Result<api::ModuleHandle> {
    let image = Image::check(image)?;
    let mut log = vec![0u8; LOG_BYTES];
    let mut options =
        [CUjit_option::CU_JIT_ERROR_LOG_BUFFER as c_uint, CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES as c_uint];
    let mut values: [*mut c_void; 2] = [log.as_mut_ptr().cast(), std::ptr::without_provenance_mut(LOG_BYTES - 1)];
    let mut module = Handle::NULL;
    // SAFETY: the image was checked to be whole and is followed by zeros; options and values go together, and the log
    // has as many bytes as are told.
    let loaded = unsafe {
        api.cuModuleLoadDataEx(
            &mut module,
            image.start(),
            options.len() as c_uint,
            options.as_mut_ptr(),
            values.as_mut_ptr(),
        )
    };
    match loaded {
        Ok(()) => Ok(module),
        Err(refusal) => {
            let Error { status, message } = api.error(refusal);
            let log = CStr::from_bytes_until_nul(&log).map(|log| log.to_string_lossy()).unwrap_or_default();
            let log = log.trim();
            let shown: String = log.chars().take(LOG_SHOWN).collect();
            let said = if shown.is_empty() { String::new() } else { format!("; the compiler says: {shown}") };
            let way = match image.kind {
                ImageKind::TileIr => "; a driver that does not take Tile IR takes the cubin that tileiras makes of it",
                ImageKind::Ptx | ImageKind::Binary => "",
            };
            Err(Error::new(status, format!("the {} could not be loaded: {message}{said}{way}", image.kind.name())))
        }
    }
}

/// Finds a kernel, loads its code and asks for its parameters. The context must be current.
pub(crate) fn find(api: &Api, module: &Module, name: &str) -> Result<Kernel> {
    let not_found = || {
        let known = names(api, module.native);
        let known = if known.is_empty() { String::new() } else { format!("; it has {}", listed(&known)) };
        Error::new(Status::NOT_FOUND, format!("the module has no kernel '{}'{known}", shown(name)))
    };
    let c_name = CString::new(name).map_err(|_| not_found())?;
    let mut native = Handle::NULL;
    // SAFETY: the module is loaded; the name ends with a NUL; `native` is writable.
    let found = unsafe { api.cuModuleGetFunction(&mut native, module.native, c_name.as_ptr()) };
    found.map_err(|refusal| match refusal.status {
        Status::NOT_FOUND => not_found(),
        // The empty name is no argument for the driver.
        Status::INVALID_VALUE if name.is_empty() => not_found(),
        _ => api.error(refusal),
    })?;
    // The driver loads code when it is first launched, which may have to wait for other work. Rather here than there;
    // where it is not possible yet, the launch will do it.
    // SAFETY: the function was just found.
    let _ = unsafe { api.cuFuncLoad(native) };
    let told = Layout::of_function(api, native).map(|layout| layout.sizes.to_vec());
    let are_sizes_told = told.is_some();
    let shared_memory = AtomicU32::new(USUAL_SHARED_MEMORY);
    let parameter_sizes = told.or_else(|| module.stated_sizes.get(name).cloned());
    let limits = KernelLimits::of(api, native);
    Ok(Kernel { native, name: name.to_owned(), parameter_sizes, are_sizes_told, limits, shared_memory })
}

/// The parameters of a kernel as the driver has them.
#[derive(Clone)]
pub(crate) struct Layout {
    /// Bytes of each parameter.
    pub(crate) sizes: Arc<[usize]>,
}

impl Layout {
    /// `None` with a driver that does not tell.
    pub(crate) fn of_function(api: &Api, function: Function) -> Option<Layout> {
        // SAFETY: the function is of a loaded module; both outputs are writable.
        Layout::ask(|index, offset, size| unsafe { api.cuFuncGetParamInfo(function, index, offset, size) })
    }

    /// The parameters of a kernel that a library of the driver's holds; `None` with a driver that does not tell.
    pub(crate) fn of_kernel(api: &Api, kernel: api::LibraryKernel) -> Option<Layout> {
        if kernel.is_null() {
            return None;
        }
        // SAFETY: the kernel is of a library that is loaded; both outputs are writable.
        Layout::ask(|index, offset, size| unsafe { api.cuKernelGetParamInfo(kernel, index, offset, size) })
    }

    fn ask(
        parameter: impl Fn(usize, &mut usize, &mut usize) -> std::result::Result<(), DriverError>,
    ) -> Option<Layout> {
        let mut sizes = Vec::new();
        loop {
            let (mut offset, mut size) = (0, 0);
            match parameter(sizes.len(), &mut offset, &mut size) {
                Ok(()) => sizes.push(size),
                Err(refusal) if refusal.status == Status::INVALID_VALUE => return Some(Layout { sizes: sizes.into() }),
                Err(_) => return None,
            }
        }
    }
}

/// The names of a module's kernels, sorted; empty with a driver that does not tell.
fn names(api: &Api, module: api::ModuleHandle) -> Vec<String> {
    let mut count = 0;
    // SAFETY: the module is loaded; `count` is writable.
    if unsafe { api.cuModuleGetFunctionCount(&mut count, module) }.is_err() {
        return Vec::new();
    }
    let mut functions = vec![Handle::NULL; count as usize];
    // SAFETY: there is room for `count` functions.
    if unsafe { api.cuModuleEnumerateFunctions(functions.as_mut_ptr(), count, module) }.is_err() {
        return Vec::new();
    }
    let mut names: Vec<_> = functions.into_iter().filter_map(|function| function_name(api, function)).collect();
    names.sort_unstable();
    names
}

/// The name of a function that was not found here; `None` with a driver that does not tell.
pub(crate) fn function_name(api: &Api, function: Function) -> Option<String> {
    let mut name = std::ptr::null();
    // SAFETY: the function is of a loaded module; the driver sets `name` to a text that lives as long.
    unsafe { api.cuFuncGetName(&mut name, function) }.ok()?;
    // SAFETY: as above.
    (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
}

/// The name of a kernel that a library of the driver's holds.
pub(crate) fn kernel_name(api: &Api, kernel: api::LibraryKernel) -> Option<String> {
    if kernel.is_null() {
        return None;
    }
    let mut name = std::ptr::null();
    // SAFETY: the kernel is of a node; the driver sets `name` to a text that lives as long as the kernel.
    unsafe { api.cuKernelGetName(&mut name, kernel) }.ok()?;
    // SAFETY: as above.
    (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
}
