//! Loaded code by itself, which does not keep the context that it is of.

use std::sync::Arc;

use graphcap_driver::{Driver, ModuleId, StreamId, UsedBy};

/// A module of the driver's. Unloaded when nothing has it any more.
pub(crate) struct Code {
    driver: Arc<dyn Driver>,
    id: ModuleId,
    /// Streams whose work may go on to use the code when nothing keeps it any more: launches of graphs.
    used_by: UsedBy,
}

impl Code {
    /// Takes over a module of the driver's.
    pub(crate) fn new(driver: Arc<dyn Driver>, id: ModuleId) -> Arc<Code> {
        Arc::new(Code { driver, id, used_by: UsedBy::default() })
    }

    pub(crate) fn id(&self) -> ModuleId {
        self.id
    }

    /// Remembers that work of `stream` may go on to use the code.
    pub(crate) fn note_use(&self, stream: StreamId) {
        self.used_by.note(stream, |stream| self.driver.stream_is_over(stream));
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        self.driver.module_unload(self.id, &self.used_by.take());
    }
}
