//! Mathematics, which the device does by kernels of graphcap's own.

use super::HostContext;
use crate::code::{fft, sgemm};
use crate::engine::lanes::lanes;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::{Address, Fft, FftOperands, FftPlanId, FftPlanned, Math, Sgemm, SgemmOperands, StreamId, Way};

impl Math for HostContext {
    fn sgemm_way(&self, sgemm: &Sgemm) -> Result<Way> {
        self.check_call()?;
        sgemm::launch(sgemm, lanes().count).map(Way::Kernel)
    }

    fn sgemm(&self, _: StreamId, _: &Sgemm, _: &SgemmOperands, _: Address) -> Result<()> {
        Err(no_library())
    }

    fn blas_lend(&self, _: StreamId, _: Address) -> Result<usize> {
        Err(no_library())
    }

    fn blas_return(&self, _: usize) {}

    fn rand_create(&self) -> Result<usize> {
        Err(no_library())
    }

    fn rand_lend(&self, _: StreamId, _: usize) -> Result<()> {
        Err(no_library())
    }

    fn rand_destroy(&self, _: usize, _: &[StreamId]) {}

    fn fft_plan(&self, fft: &Fft) -> Result<FftPlanned> {
        self.check_call()?;
        fft::plan(fft, lanes().count)
    }

    fn fft(&self, _: StreamId, _: FftPlanId, _: &FftOperands) -> Result<()> {
        Err(no_library())
    }

    fn fft_plan_destroy(&self, plan: FftPlanId, _: &[StreamId]) {
        // Work that runs has it still, and work that is queued makes it anew where nobody else has it.
        fft::end(plan);
    }
}

#[cold]
fn no_library() -> Error {
    Error::new(Status::NOT_SUPPORTED, "the host device calculates by kernels of graphcap's own, not by a library")
}
