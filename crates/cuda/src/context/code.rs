//! Modules of CUDA images: loaded, asked, unloaded. The implementation of [`Code`].

use std::ffi::CString;
use std::sync::Arc;

use cudarc::driver::sys::CUdevice_attribute as Of;

use super::CudaContext;
use crate::api::address;
use crate::api::answers::{is_fault, no_address};
use crate::api::current::relax;
use crate::api::limits::attribute;
use crate::api::{DriverError, ModuleHandle};
use crate::code::module::{find, load, stated_sizes, FoundKernel, Kernel, Layout, Module, Told, FOUND, MODULES};
use crate::deferred::{self, OnRequest};
use crate::memory::managed;
use crate::shared::Shared;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, Mutex};
use graphcap_base::names::shown;
use graphcap_base::slots::Borrowed;
use graphcap_driver::ids::{enter, key_of, no_such};
use graphcap_driver::{callbacks, Code, Global, KernelId, LaunchShape, Memory, ModuleId, ModuleSource, StreamId};

impl Shared {
    /// The major number of the device's compute capability; `None` where the driver does not tell.
    pub(crate) fn generation(&self) -> Option<i32> {
        attribute(self.api(), self.primary.ordinal, Of::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
    }

    /// Loads the cubin for the device's generation; `None` where there is none that the driver takes. The context must be current.
    fn load_cubin(&self, cubins: &[(i32, &[u8])]) -> Option<ModuleHandle> {
        let generation = (!cubins.is_empty()).then(|| self.generation()).flatten()?;
        let (_, cubin) = cubins.iter().find(|(of, _)| *of == generation)?;
        load(self.api(), cubin).ok()
    }
}

impl Code for CudaContext {
    fn module_load(&self, source: ModuleSource<'_>) -> Result<ModuleId> {
        callbacks::check_caller()?;
        source.check()?;
        let Some(image) = source.image else {
            return Err(Error::new(
                Status::NO_BINARY_FOR_GPU,
                "the module holds no image for a CUDA device, only host kernels; add PTX, a cubin or a fatbin",
            ));
        };
        let _current = self.map_error(self.device.enter())?;
        let native =
            self.load_cubin(source.cubins).map_or_else(|| load(self.api(), image), Ok).map_err(
                |error| match is_fault(error.status) {
                    true => {
                        self.error(DriverError { function: "cuModuleLoadDataEx", status: error.status, since: None })
                    }
                    false => error,
                },
            )?;
        let stated_sizes = stated_sizes(source.host_kernels);
        let module = Module { native, context: self.number, stated_sizes, kernels: Mutex::default() };
        enter(&MODULES, module, "modules").map(ModuleId).inspect_err(|_| {
            // SAFETY: the module was just loaded and nobody else knows it.
            let _ = unsafe { self.api().cuModuleUnload(native) };
        })
    }

    fn module_unload(&self, module: ModuleId, used_by: &[StreamId]) {
        let Some(module) = MODULES.remove(key_of(module.0)) else { return };
        // Unloading waits for all work of the device, so nobody has to look whose work there is complete.
        let leave = move |owner: &Shared| {
            deferred::on_request(owner.primary, OnRequest::Module(module, Arc::downgrade(&owner.faults.names)));
        };
        if used_by.is_empty() {
            return leave(self);
        }
        let used_by = used_by.to_vec();
        self.outside_driver(move |shared| shared.behind_other_devices(&used_by, leave));
    }

    fn module_kernel(&self, module: ModuleId, name: &str) -> Result<KernelId> {
        callbacks::check_caller()?;
        let module = self.module(module)?;
        let mut kernels = lock(&module.kernels);
        if let Some(&(id, _)) = kernels.get(name) {
            return Ok(id);
        }
        let _current = self.map_error(self.device.enter())?;
        let _relaxed = self.map_error(relax(self.api()))?;
        let kernel = Arc::new(find(self.api(), &module, name)?);
        let id = KernelId(address::id_of(&kernel, 0).ok_or_else(no_address)?);
        self.faults.names.name_kernel(id, name);
        // What the driver was not asked it may tell later.
        let sizes = kernel.parameter_sizes.as_deref().filter(|_| kernel.are_sizes_told);
        let told = Told { id, name: name.into(), layout: sizes.map(|sizes| Layout { sizes: sizes.into() }) };
        let found = FoundKernel { told, context: self.device.context.number() as u64 };
        lock(&FOUND).insert(kernel.native.number(), found);
        kernels.insert(name.to_owned(), (id, kernel));
        Ok(id)
    }

    fn module_global(&self, module: ModuleId, name: &str, on_release: Box<dyn FnOnce() + Send>) -> Result<Global> {
        callbacks::check_caller()?;
        let module = self.module(module)?;
        let not_found = || Error::new(Status::NOT_FOUND, format!("the module has no global '{}'", shown(name)));
        let c_name = CString::new(name).map_err(|_| not_found())?;
        let _current = self.map_error(self.device.enter())?;
        let _relaxed = self.map_error(relax(self.api()))?;
        let (mut address, mut bytes) = (0, 0);
        // SAFETY: the module is loaded; the name ends with a NUL; both outputs are writable.
        let found =
            unsafe { self.api().cuModuleGetGlobal_v2(&mut address, &mut bytes, module.native, c_name.as_ptr()) };
        found.map_err(|refusal| match refusal.status {
            // The latter for the empty name, and for the names of kernels (580).
            Status::NOT_FOUND | Status::INVALID_VALUE => not_found(),
            _ => self.error(refusal),
        })?;
        managed::note_lent(self.api(), address);
        Ok(Global { memory: self.borrow(on_release)?, address, bytes })
    }

    fn kernel_parameters(&self, kernel: KernelId) -> Result<Option<Vec<usize>>> {
        Ok(self.kernel(kernel).parameter_sizes.clone())
    }

    fn check_shape(&self, kernel: KernelId, shape: LaunchShape) -> Result<()> {
        callbacks::check_caller()?;
        let found = self.kernel(kernel);
        self.facts.limits.check(&found.name, found.limits, &shape)
    }
}

impl Shared {
    pub(crate) fn module(&self, id: ModuleId) -> Result<Borrowed<Module>> {
        MODULES.get(key_of(id.0)).filter(|module| module.context == self.number).ok_or_else(|| no_such("module"))
    }

    /// A kernel of a module that is loaded.
    #[inline]
    pub(crate) fn kernel(&self, id: KernelId) -> &Kernel {
        // SAFETY: core holds the module of a kernel whose id it passes, and the module holds the kernel.
        unsafe { address::object(id.0) }
    }
}
