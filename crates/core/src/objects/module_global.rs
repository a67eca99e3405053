//! Global variables of modules, as buffers.

use std::sync::Arc;

use super::buffer::{Buffer, Origin};
use super::module::Module;
use graphcap_base::error::Result;
use graphcap_driver::Global;

impl Module {
    /// The global variable of that name, as a buffer of its size. The buffer keeps the code, and so do graphs that use the
    /// buffer, and work that was submitted on it.
    ///
    /// # Errors
    /// `NOT_FOUND` when the module has none; the status of a context that faulted.
    pub fn global(&self, name: &str) -> Result<Buffer> {
        let context = &self.0.context;
        // Not the module itself, whose context the driver would keep by what it holds.
        let code = Arc::clone(self.0.code());
        let Global { memory, address, bytes } =
            context.driver()?.module_global(self.0.id(), name, Box::new(move || drop(code)))?;
        Ok(Buffer::new(context, memory, address, bytes, Origin::Wrapped))
    }
}

#[cfg(test)]
mod tests {
    use crate::faulty::Faulty;
    use crate::{Buffer, Stream};
    use graphcap_base::error::Status;
    use graphcap_driver::rules::CaptureMode;
    use graphcap_driver::{ModuleSource, StreamOptions};

    #[test]
    fn a_global_and_what_records_it_keep_the_module() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let module = Faulty::load(&context, ModuleSource::default());
        let id = module.0.id();
        let global = module.global("g").unwrap();
        assert_eq!(module.global("nix").unwrap_err().status, Status::NOT_FOUND);
        drop(module);
        assert!(driver.is_loaded(id));
        stream.begin_capture(CaptureMode::Relaxed).unwrap();
        stream.memset(&global, 0, 0, 4, 16).unwrap();
        let graph = stream.end_capture().unwrap();
        assert_eq!((global.size(), context.find_buffer(global.address() + 5).unwrap().offset), (64, 5));
        drop(global);
        assert!(driver.is_loaded(id));
        drop(graph);
        assert!(!driver.is_loaded(id));
        drop((stream, context));
        assert_eq!((driver.live(), driver.violations()), (0, vec![]));
    }

    #[test]
    fn a_global_that_cannot_be_had_keeps_nothing() {
        let (driver, context) = Faulty::context();
        let module = Faulty::load(&context, ModuleSource::default());
        let id = module.0.id();
        driver.fail("module_global", Status::OUT_OF_MEMORY);
        assert_eq!(module.global("g").unwrap_err().status, Status::OUT_OF_MEMORY);
        drop(module);
        assert!(!driver.is_loaded(id));
    }

    #[test]
    fn work_on_a_global_keeps_the_code_that_has_it() {
        let ((driver, context), (borrower, other)) = (Faulty::context(), Faulty::context());
        let own = Buffer::allocate(&other, 64).unwrap();
        for is_lent in [false, true] {
            let module = Faulty::load(&context, ModuleSource::default());
            let id = module.0.id();
            let global = module.global("g").unwrap();
            if is_lent {
                other.legacy_stream().memcpy_peer(&own, 0, &global, 0, 64).unwrap();
            }
            let busy = if is_lent { &borrower } else { &driver };
            busy.hold_releases();
            drop((module, global));
            assert!(driver.is_loaded(id), "lent: {is_lent}");
            busy.finish_releases();
            assert!(!driver.is_loaded(id), "lent: {is_lent}");
        }
    }
}
