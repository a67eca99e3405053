//! A plan of Fourier transforms, which any number of uses share.

use std::fmt;
use std::sync::Arc;

use crate::graphs::uses::{Kind, Uses};
use crate::keep::{Keep, Kept, KeptBy};
use crate::state::Context;
use graphcap_base::error::Result;
use graphcap_devices::BuiltInKernel;
use graphcap_driver::{check_caller, Fft, FftPlanId, StreamId, UsedBy, Way};

/// Preparation of a device for transforms of some sizes. Graphs that recorded a use of it keep it.
#[derive(Clone)]
pub struct FftPlan(Arc<FftPlanInner>);

pub(crate) struct FftPlanInner {
    context: Context,
    fft: Fft,
    way: Way,
    id: FftPlanId,
    kept_by: KeptBy,
    /// Every stream whose work used it.
    used_by: UsedBy,
}

impl FftPlan {
    /// Plans transforms. The first plan of a size may take a second. Allowed during captures.
    ///
    /// # Errors
    /// `INVALID_VALUE` for sizes that do not fit each other, and for those that the device cannot transform; `LIBRARY` where the
    /// device's library cannot be loaded; `OUT_OF_MEMORY`.
    pub fn create(context: &Context, fft: &Fft) -> Result<FftPlan> {
        check_caller()?;
        fft.extents()?;
        let planned = context.driver()?.fft_plan(fft)?;
        let (kept_by, used_by) = (KeptBy::none(), UsedBy::default());
        let (context, fft) = (context.clone(), *fft);
        let plan =
            FftPlan(Arc::new(FftPlanInner { context, fft, way: planned.way, id: planned.plan, kept_by, used_by }));
        if let Way::Kernel(_) = plan.way() {
            plan.context().built_in(BuiltInKernel::Fft)?;
        }
        Ok(plan)
    }

    /// Returns what it plans.
    pub fn fft(&self) -> &Fft {
        &self.0.fft
    }

    /// The context that it belongs to.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    pub(crate) fn way(&self) -> &Way {
        &self.0.way
    }

    pub(crate) fn id(&self) -> FftPlanId {
        self.0.id
    }

    pub(crate) fn kept_by(&self) -> &KeptBy {
        &self.0.kept_by
    }

    pub(crate) fn inner(&self) -> Arc<FftPlanInner> {
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

impl Keep for FftPlanInner {
    fn note_use(&self, stream: StreamId) {
        self.used_by.note(stream, |stream| self.context.driver_even_if_stale().stream_is_over(stream));
    }

    /// A library's kernels, which were not found through graphcap, may use it.
    fn kind(&self) -> Kind {
        Kind::Code
    }

    fn users(&self, _: &Uses, _: &mut Vec<usize>) {}
}

impl Drop for FftPlanInner {
    fn drop(&mut self) {
        self.context.driver_even_if_stale().fft_plan_destroy(self.id, &self.used_by.take());
    }
}

impl fmt::Debug for FftPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FftPlan({} x {})", self.0.fft.batch, self.0.fft.length)
    }
}
