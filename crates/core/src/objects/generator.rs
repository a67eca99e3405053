//! A generator of random numbers of the device's library, which has memory of its own.

use std::fmt;
use std::sync::Arc;

use crate::graphs::uses::{Kind, Uses};
use crate::keep::{Keep, Kept, KeptBy};
use crate::state::Context;
use graphcap_base::error::Result;
use graphcap_driver::{StreamId, UsedBy};

/// A generator of the device's library. Graphs that were recorded while it was lent keep it, since their work uses its memory.
pub(crate) struct Generator(Arc<GeneratorInner>);

pub(crate) struct GeneratorInner {
    context: Context,
    native: usize,
    kept_by: KeptBy,
    /// Every stream whose work used it.
    used_by: UsedBy,
}

impl Generator {
    /// Makes one, or gives one out again that nothing needs any more. Allowed during captures.
    ///
    /// # Errors
    /// `NOT_SUPPORTED` on a device without a library; `LIBRARY` where it cannot be loaded; `OUT_OF_MEMORY`.
    pub(crate) fn create(context: &Context) -> Result<Generator> {
        let native = context.driver()?.rand_create()?;
        let (kept_by, used_by) = (KeptBy::none(), UsedBy::default());
        Ok(Generator(Arc::new(GeneratorInner { context: context.clone(), native, kept_by, used_by })))
    }

    /// The generator as the library has it.
    pub(crate) fn native(&self) -> usize {
        self.0.native
    }

    pub(crate) fn kept_by(&self) -> &KeptBy {
        &self.0.kept_by
    }

    pub(crate) fn inner(&self) -> Arc<GeneratorInner> {
        Arc::clone(&self.0)
    }

    /// Returns whether `kept` keeps it alive.
    pub(crate) fn is_kept(&self, kept: &Kept) -> bool {
        kept.is_of(&self.0)
    }

    /// Remembers that `stream` executes work that uses it.
    pub(crate) fn note_use(&self, stream: StreamId) {
        self.0.note_use(stream);
    }
}

impl Keep for GeneratorInner {
    fn note_use(&self, stream: StreamId) {
        self.used_by.note(stream, |stream| self.context.driver_even_if_stale().stream_is_over(stream));
    }

    /// A library's kernels, which were not found through graphcap, may use it.
    fn kind(&self) -> Kind {
        Kind::Code
    }

    fn users(&self, _: &Uses, _: &mut Vec<usize>) {}
}

impl Drop for GeneratorInner {
    fn drop(&mut self) {
        self.context.driver_even_if_stale().rand_destroy(self.native, &self.used_by.take());
    }
}

impl fmt::Debug for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Generator({:#x})", self.0.native)
    }
}
