//! Modules and kernels of CUDA images, and the modules that are to be unloaded.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{c_int, c_uint, c_void, CStr, CString};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, Weak};

use cudarc::driver::sys::{CUfunction_attribute, CUjit_option};

use super::api::{self, Api, Function, Handle};
use super::image::Image;
use super::limits::KernelLimits;
use super::lingering;
use super::lock;
use super::shared::{is_fault, Shared};
use crate::driver::{HostKernel, KernelId};
use crate::error::{Error, Result, Status};
use crate::slots::Entry;

/// A loaded image.
pub(super) struct Module {
    pub(super) native: api::Module,
    pub(super) context: u64,
    /// The sizes of parameters that the module's description states, for drivers that do not tell them.
    pub(super) stated_sizes: HashMap<String, Vec<usize>>,
    /// The kernels that were asked for.
    pub(super) kernels: Mutex<HashMap<String, (KernelId, Arc<Kernel>)>>,
}

/// A module that nothing uses any more. Unloading waits for all work of the device, and whoever calls the driver meanwhile
/// waits too; so the module lies here until somebody waits for all work anyway, in this context or another one.
struct Unused {
    module: Arc<Entry<Module>>,
    /// Where its kernels have names, as long as that context is there.
    owner: Weak<Shared>,
    place: Place,
}

/// What a module is loaded into: the primary context of a device, told apart from those that it had before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) ordinal: c_int,
    pub(super) context: u64,
}

static UNUSED: Mutex<Vec<Unused>> = Mutex::new(Vec::new());

/// Takes a module over that core, all graphs and all handles let go of.
pub(super) fn leave(module: Arc<Entry<Module>>, owner: Weak<Shared>, place: Place) {
    lock(&UNUSED).push(Unused { module, owner, place });
}

/// Forgets the modules and the memory that lies by of a device whose primary context is gone, and they with it, or beyond use
/// after a fault.
pub(super) fn forget_gone(api: &Api, ordinal: c_int) {
    let (mut flags, mut is_active) = (0, 0);
    // SAFETY: both are writable.
    let asked = unsafe { api.cuDevicePrimaryCtxGetState(ordinal, &mut flags, &mut is_active) };
    let is_gone = match asked {
        Ok(()) => is_active == 0,
        Err(refusal) => is_fault(refusal.status),
    };
    if is_gone {
        let gone: Vec<Unused> = lock(&UNUSED).extract_if(.., |unused| unused.place.ordinal == ordinal).collect();
        drop(gone);
        lingering::forget(ordinal);
    }
}

/// Unloads the modules of `place` that nothing uses. Its context must be current, the mode relaxed. May wait for all work of
/// the device.
pub(super) fn unload_unused(api: &Api, place: Place) {
    // What an earlier primary context of the device had went with it.
    let here: Vec<Unused> = lock(&UNUSED).extract_if(.., |unused| unused.place.ordinal == place.ordinal).collect();
    for unused in here {
        let owner = unused.owner.upgrade();
        for (id, _) in lock(&unused.module.kernels).drain().map(|(_, kernel)| kernel) {
            owner.iter().for_each(|owner| owner.names.forget_kernel(id));
        }
        if unused.place == place {
            // SAFETY: the module lives, as its context does, and nothing uses it.
            let _ = unsafe { api.cuModuleUnload(unused.module.native) };
        }
    }
}

/// A kernel of a module.
pub(super) struct Kernel {
    pub(super) native: Function,
    pub(super) name: String,
    /// As the driver tells them, or else as the module's description states them; `None` where neither does.
    pub(super) parameter_sizes: Option<Vec<usize>>,
    /// Whether the driver told them, so that nobody can be wrong about how many there are.
    pub(super) are_sizes_told: bool,
    pub(super) limits: KernelLimits,
    /// How much dynamic shared memory launches may ask for.
    shared_memory: AtomicU32,
}

/// What every kernel may have without asking.
const USUAL_SHARED_MEMORY: u32 = 48 * 1024;

impl Kernel {
    /// Allows launches to have as much dynamic shared memory, which the driver wants to be told beyond the usual. If that is
    /// more than there is, the launch will say so.
    #[inline]
    pub(super) fn allow_shared_memory(&self, api: &Api, bytes: u32) {
        if bytes > self.shared_memory.load(Ordering::Relaxed) {
            self.raise_shared_memory(api, bytes);
        }
    }

    #[cold]
    fn raise_shared_memory(&self, api: &Api, bytes: u32) {
        // One at a time, or a smaller wish could undo a larger one.
        static RAISING: Mutex<()> = Mutex::new(());
        let _raising = lock(&RAISING);
        if bytes <= self.shared_memory.load(Ordering::Relaxed) {
            return;
        }
        let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as c_int;
        let Ok(value) = c_int::try_from(bytes) else { return };
        // SAFETY: the kernel's module is loaded.
        if unsafe { api.cuFuncSetAttribute(self.native, attribute, value) }.is_ok() {
            self.shared_memory.fetch_max(bytes, Ordering::Relaxed);
        }
    }
}

/// The kernels of a module's description whose parameters are stated.
pub(super) fn stated_sizes(kernels: &[HostKernel]) -> HashMap<String, Vec<usize>> {
    kernels.iter().filter_map(|kernel| Some((kernel.name.clone(), kernel.parameter_sizes.clone()?))).collect()
}

/// The names of the kernels that were found, by the driver's handles, for drivers that do not tell them.
static FOUND: Mutex<BTreeMap<usize, String>> = Mutex::new(BTreeMap::new());

impl Drop for Kernel {
    fn drop(&mut self) {
        lock(&FOUND).remove(&self.native.number());
    }
}

/// Bytes for what the driver's compiler says.
const LOG_BYTES: usize = 4096;
/// How much of that fits a message.
const LOG_SHOWN: usize = 600;

/// Loads an image. The context must be current.
pub(super) fn load(api: &Api, image: &[u8]) -> Result<api::Module> {
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
            let kind = if image.is_text { "PTX" } else { "image" };
            let said = if shown.is_empty() { String::new() } else { format!("; the compiler says: {shown}") };
            Err(Error::new(status, format!("the {kind} could not be loaded: {message}{said}")))
        }
    }
}

/// Finds a kernel, loads its code and asks for its parameters. The context must be current.
pub(super) fn find(api: &Api, module: &Module, name: &str) -> Result<Kernel> {
    let not_found = || {
        let known = names(api, module.native);
        let known = if known.is_empty() { String::new() } else { format!("; it has {}", known.join(", ")) };
        Error::new(Status::NOT_FOUND, format!("the module has no kernel '{name}'{known}"))
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
    lock(&FOUND).insert(native.number(), name.to_owned());
    let told = parameter_sizes(api, native);
    let are_sizes_told = told.is_some();
    let shared_memory = AtomicU32::new(USUAL_SHARED_MEMORY);
    let parameter_sizes = told.or_else(|| module.stated_sizes.get(name).cloned());
    let limits = KernelLimits::of(api, native);
    Ok(Kernel { native, name: name.to_owned(), parameter_sizes, are_sizes_told, limits, shared_memory })
}

/// `None` with a driver that does not tell.
fn parameter_sizes(api: &Api, function: Function) -> Option<Vec<usize>> {
    let mut sizes = Vec::new();
    loop {
        let (mut offset, mut size) = (0, 0);
        // SAFETY: the function was found in a loaded module; both outputs are writable.
        match unsafe { api.cuFuncGetParamInfo(function, sizes.len(), &mut offset, &mut size) } {
            Ok(()) => sizes.push(size),
            Err(refusal) if refusal.status == Status::INVALID_VALUE => return Some(sizes),
            Err(_) => return None,
        }
    }
}

/// The names of a module's kernels, sorted; empty with a driver that does not tell.
fn names(api: &Api, module: api::Module) -> Vec<String> {
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

/// The name of a function; `None` with a driver that does not tell, for one that was not found here.
pub(super) fn function_name(api: &Api, function: Function) -> Option<String> {
    let mut name = std::ptr::null();
    // SAFETY: the function is of a loaded module; the driver sets `name` to a text that lives as long.
    match unsafe { api.cuFuncGetName(&mut name, function) } {
        Ok(()) => {}
        Err(refusal) if refusal.since.is_some() => return lock(&FOUND).get(&function.number()).cloned(),
        Err(_) => return None,
    }
    // SAFETY: as above.
    (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
}
