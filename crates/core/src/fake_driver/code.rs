//! The fake driver's modules and kernels.

use super::{failure, FakeDriver};
use crate::{Context, Module};
use graphcap_base::error::{Result, Status};
use graphcap_base::lock::lock;
use graphcap_driver::*;

impl FakeDriver {
    pub(crate) fn load(context: &Context, source: ModuleSource<'_>) -> Module {
        Module::new(context, context.driver().unwrap().module_load(source).unwrap())
    }

    pub(crate) fn is_loaded(&self, module: ModuleId) -> bool {
        lock(&self.state).modules.contains(&module)
    }
}

/// Address of the global "g" of each module, 64 bytes.
const GLOBALS: Address = 1 << 60;

impl Code for FakeDriver {
    fn module_load(&self, _: ModuleSource<'_>) -> Result<ModuleId> {
        self.call("module_load", |state| {
            let id = ModuleId(state.id());
            state.modules.insert(id);
            Ok(id)
        })
    }
    fn module_unload(&self, module: ModuleId, _: &[StreamId]) {
        let _ = self.call("module_unload", |state| {
            if !state.modules.remove(&module) {
                state.violation(format!("{module:?} unloaded twice"));
            }
            Ok(())
        });
    }
    fn module_kernel(&self, module: ModuleId, name: &str) -> Result<KernelId> {
        self.call("module_kernel", |state| {
            // A name that starts with k is known; the sizes of "k" itself are stated.
            if !name.starts_with('k') && !name.starts_with("graphcap_") {
                return failure(Status::NOT_FOUND);
            }
            let id = KernelId(state.id() << 1 | u64::from(name != "k"));
            state.kernels.insert(id, module);
            Ok(id)
        })
    }
    fn module_global(&self, module: ModuleId, name: &str, on_release: Box<dyn FnOnce() + Send>) -> Result<Global> {
        let is_known = self.call("module_global", |state| match (state.modules.contains(&module), name) {
            (true, "g") => Ok(()),
            _ => failure(Status::NOT_FOUND),
        });
        is_known?;
        const BYTES: usize = 64;
        let address = GLOBALS + (module.0 << 8);
        Ok(Global { memory: self.adopt(address, BYTES, on_release)?, address, bytes: BYTES })
    }
    fn kernel_parameters(&self, kernel: KernelId) -> Result<Option<Vec<usize>>> {
        self.call("kernel_parameters", |_| Ok((kernel.0 & 1 == 0).then(|| vec![8, 4])))
    }
    fn check_shape(&self, _: KernelId, shape: LaunchShape) -> Result<()> {
        self.call("check_shape", |_| match shape.grid.contains(&0) {
            true => failure(Status::INVALID_VALUE),
            false => Ok(()),
        })
    }
}
