//! A plan of Fourier transforms, which any number of uses share.

use std::fmt;
use std::sync::Arc;

use super::device_object::{DeviceId, DeviceObject};
use crate::state::Context;
use graphcap_base::error::Result;
use graphcap_devices::BuiltInKernel;
use graphcap_driver::{check_caller, Fft, FftPlanned, Way};

/// Preparation of a device for transforms of some sizes. Graphs that recorded a use of it keep it.
#[derive(Clone)]
pub struct FftPlan {
    fft: Fft,
    pub(crate) planned: Arc<FftPlanned>,
    pub(crate) object: Arc<DeviceObject>,
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
        let object = DeviceObject::new(context, DeviceId::FftPlan(planned.plan));
        if let Way::Kernel(_) = planned.way {
            context.built_in(BuiltInKernel::Fft)?;
        }
        Ok(FftPlan { fft: *fft, planned: Arc::new(planned), object })
    }

    /// Returns what it plans.
    pub fn fft(&self) -> &Fft {
        &self.fft
    }

    /// The context that it belongs to.
    pub fn context(&self) -> &Context {
        &self.object.context
    }
}

impl fmt::Debug for FftPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FftPlan({} x {})", self.fft.batch, self.fft.length)
    }
}
