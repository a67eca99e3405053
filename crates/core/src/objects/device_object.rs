//! Objects of the device's, each of which goes behind the work that used it.

use std::sync::Arc;

use crate::graphs::uses::{Kind, Uses};
use crate::keep::{Keep, KeptBy};
use crate::state::Context;
use graphcap_driver::{FftPlanId, MemoryId, StreamId, UsedBy};

/// Number by which the device knows an object.
#[derive(Clone, Copy)]
pub(crate) enum DeviceId {
    FftPlan(FftPlanId),
    /// A generator of random numbers of the device's library, which has memory of its own.
    Generator(usize),
    /// An object of the caller's, which graphs keep for no node.
    Entrusted(MemoryId),
}

/// An object that captures and graphs keep as long as work may use it.
pub(crate) struct DeviceObject {
    pub(crate) context: Context,
    id: DeviceId,
    pub(crate) kept_by: KeptBy,
    /// Every stream whose work used it.
    used_by: UsedBy,
}

impl DeviceObject {
    pub(crate) fn new(context: &Context, id: DeviceId) -> Arc<DeviceObject> {
        let (kept_by, used_by) = (KeptBy::none(), UsedBy::default());
        Arc::new(DeviceObject { context: context.clone(), id, kept_by, used_by })
    }
}

impl Keep for DeviceObject {
    fn note_use(&self, stream: StreamId) {
        self.used_by.note(stream, |stream| self.context.driver_even_if_stale().stream_is_over(stream));
    }

    fn kind(&self) -> Kind {
        match self.id {
            // A library's kernels, which were not found through graphcap, may use it.
            DeviceId::FftPlan(_) | DeviceId::Generator(_) => Kind::Code,
            DeviceId::Entrusted(_) => Kind::Memory,
        }
    }

    /// Nothing that is read of a node tells that it uses one.
    fn users(&self, _: &Uses, _: &mut Vec<usize>) {}
}

impl Drop for DeviceObject {
    fn drop(&mut self) {
        let (driver, used_by) = (self.context.driver_even_if_stale(), self.used_by.take());
        match self.id {
            DeviceId::FftPlan(plan) => driver.fft_plan_destroy(plan, &used_by),
            DeviceId::Generator(native) => driver.rand_destroy(native, &used_by),
            DeviceId::Entrusted(object) => driver.release(object, &used_by),
        }
    }
}
