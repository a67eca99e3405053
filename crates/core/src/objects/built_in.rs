//! Kernels of graphcap's own.

use std::sync::{Arc, Weak};

use super::code::Code;
use super::kernel::Kernel;
use super::module::{Module, ModuleInner};
use crate::state::{BuiltIn, Context};
use graphcap_base::error::Result;
use graphcap_base::lock::lock;
use graphcap_devices::BuiltInKernel;
use graphcap_driver::ModuleSource;

impl Context {
    /// A kernel of graphcap's own. It is loaded when it is first needed, and stays as long as the context.
    pub(crate) fn built_in(&self, kernel: BuiltInKernel) -> Result<Kernel> {
        let BuiltIn { code, module } = &self.0.built_in[kernel as usize];
        let code = code.get_or_try_init(|| self.load_built_in(kernel))?;
        let mut known = lock(module);
        let present = known.as_ref().and_then(Weak::upgrade);
        let module = match present.and_then(|present| present.downcast::<ModuleInner>().ok()) {
            Some(present) => Module(present),
            None => {
                let module = Module::of(self, Arc::clone(code));
                let weak: Weak<ModuleInner> = Arc::downgrade(&module.0);
                *known = Some(weak);
                module
            }
        };
        drop(known);
        module.kernel(kernel.name())
    }

    fn load_built_in(&self, kernel: BuiltInKernel) -> Result<Arc<Code>> {
        let (image, host_kernel) = (kernel.image(), kernel.for_host());
        let source = ModuleSource {
            image: image.map(|image| image.ptx),
            cubins: image.map_or(&[], |image| image.cubins),
            host_kernels: host_kernel.as_slice(),
            ..ModuleSource::default()
        };
        Ok(Code::new(self.shared_driver(), self.driver()?.module_load(source)?))
    }
}
