//! Modules and kernels: loaded, found, unloaded.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use super::HostContext;
use crate::code::kernel::{self, Kernel, Module};
use crate::code::kernel_attributes::KernelAttributes;
use crate::memory;
use crate::shared::OBJECTS;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::Mutex;
use graphcap_base::names::{listed, shown};
use graphcap_base::slots::Borrowed;
use graphcap_driver::code::TILE_IR;
use graphcap_driver::ids::{enter, key_of, no_such};
use graphcap_driver::{Code, Global, KernelId, LaunchShape, ModuleId, ModuleSource, StreamId};

impl Code for HostContext {
    fn module_load(&self, source: ModuleSource<'_>) -> Result<ModuleId> {
        self.check_call()?;
        if source.host_kernels.is_empty() && source.host_globals.is_empty() {
            let is_tile_ir = source.image.is_some_and(|image| image.starts_with(TILE_IR));
            return Err(Error::new(
                Status::NO_BINARY_FOR_GPU,
                match is_tile_ir {
                    true => "the image is Tile IR, which only a CUDA device takes; describe host kernels for the host device",
                    false => {
                        "the module holds no host kernels, which are all that the host device can run, and no host globals; describe some"
                    }
                },
            ));
        }
        source.check()?;
        let globals = source.host_globals.iter().map(|global| (global.name.clone(), (global.address, global.bytes)));
        let mut module = Module { kernels: HashMap::new(), globals: globals.collect(), context: self.number() };
        for described in source.host_kernels {
            let kernel = Kernel {
                id: OnceLock::new(),
                name: described.name.clone(),
                function: described.function,
                parameter_sizes: described.parameter_sizes.clone(),
                context: self.number(),
                device: self.ordinal(),
                attributes: KernelAttributes::default(),
                accesses: Mutex::default(),
                is_told_unchecked: AtomicBool::new(false),
                touched: Mutex::default(),
            };
            let kernel = Arc::new(kernel);
            match enter(&OBJECTS.kernels, Arc::clone(&kernel), "kernels").map(KernelId) {
                Ok(id) => {
                    let _ = kernel.id.set(id);
                    module.kernels.insert(described.name.clone(), id)
                }
                Err(error) => {
                    forget_kernels(&module);
                    return Err(error);
                }
            };
        }
        enter(&OBJECTS.modules, module, "modules").map(ModuleId)
    }

    fn module_unload(&self, module: ModuleId, _: &[StreamId]) {
        // The work that is queued has the kernels.
        if let Some(module) = OBJECTS.modules.remove(key_of(module.0)) {
            forget_kernels(&module);
        }
    }

    fn module_kernel(&self, module: ModuleId, name: &str) -> Result<KernelId> {
        let module = self.module(module)?;
        module.kernels.get(name).copied().ok_or_else(|| {
            let mut known: Vec<_> = module.kernels.keys().map(String::as_str).collect();
            known.sort_unstable();
            Error::new(
                Status::NOT_FOUND,
                format!("the module has no kernel '{}'; it has {}", shown(name), listed(&known)),
            )
        })
    }

    fn module_global(&self, module: ModuleId, name: &str, on_release: Box<dyn FnOnce() + Send>) -> Result<Global> {
        let module = self.module(module)?;
        let &(address, bytes) = module.globals.get(name).ok_or_else(|| {
            let mut known: Vec<_> = module.globals.keys().map(String::as_str).collect();
            known.sort_unstable();
            let known = if known.is_empty() { "none".to_owned() } else { listed(&known) };
            Error::new(Status::NOT_FOUND, format!("the module has no global '{}'; it has {known}", shown(name)))
        })?;
        Ok(Global { memory: memory::adopt_static(address, bytes, on_release), address, bytes })
    }

    fn kernel_parameters(&self, kernel: KernelId) -> Result<Option<Vec<usize>>> {
        Ok(self.kernel(kernel)?.parameter_sizes.clone())
    }

    fn check_shape(&self, _: KernelId, shape: LaunchShape) -> Result<()> {
        self.check_call()?;
        kernel::check_shape(&shape)
    }
}

impl HostContext {
    fn module(&self, id: ModuleId) -> Result<Borrowed<Module>> {
        self.check_call()?;
        let found = OBJECTS.modules.get(key_of(id.0)).filter(|module| module.context == self.number());
        found.ok_or_else(|| no_such("module"))
    }
}

fn forget_kernels(module: &Module) {
    for kernel in module.kernels.values() {
        OBJECTS.kernels.remove(key_of(kernel.0));
    }
}
