//! Objects of the caller's that graphs keep for no node: they go behind all launches, as memory does.

use super::uses::{Kind, Uses};
use crate::keep::Keep;
use crate::state::Context;
use graphcap_base::error::Result;
use graphcap_driver::{HostFunction, MemoryId, StreamId, UsedBy};

/// An object of the caller's that a graph and the execs made from it keep.
pub(crate) struct Entrusted {
    context: Context,
    object: MemoryId,
    used_by: UsedBy,
}

impl Entrusted {
    /// Takes the object over. It is dropped once, on any thread, when this and the work that uses it are over.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub(crate) fn new(context: &Context, object: HostFunction) -> Result<Entrusted> {
        let object = context.driver()?.entrust(Box::new(move || drop(object)))?;
        Ok(Entrusted { context: context.clone(), object, used_by: UsedBy::default() })
    }
}

impl Keep for Entrusted {
    fn note_use(&self, stream: StreamId) {
        self.used_by.note(stream, |stream| self.context.driver_even_if_stale().stream_is_over(stream));
    }

    fn kind(&self) -> Kind {
        Kind::Memory
    }

    /// No node uses it.
    fn users(&self, _: &Uses, _: &mut Vec<usize>) {}
}

impl Drop for Entrusted {
    fn drop(&mut self) {
        self.context.driver_even_if_stale().release(self.object, &self.used_by.take());
    }
}
