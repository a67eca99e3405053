//! The fake driver's mathematics: a library that needs memory, and leaves kernels which nobody can name.

use super::work::FakeWork;
use super::{FakeDriver, Need};
use graphcap_base::error::Result;
use graphcap_base::lock::lock;
use graphcap_driver::*;

/// Bytes that a product needs.
pub(crate) const WORKSPACE: usize = 512;
/// Bytes that each transform needs.
const WORK_AREA: usize = 256;

impl FakeDriver {
    /// The workspaces of the products that were submitted, in their order.
    pub(crate) fn workspaces(&self) -> Vec<Address> {
        lock(&self.state).workspaces.clone()
    }

    /// The plans that were not destroyed.
    pub(crate) fn plans(&self) -> usize {
        lock(&self.state).plans.len()
    }

    /// The generators that were not destroyed.
    pub(crate) fn generators(&self) -> usize {
        lock(&self.state).generators.len()
    }

    fn library_call(
        &self,
        name: &'static str,
        stream: StreamId,
        addresses: &[Address],
        workspace: Option<Address>,
    ) -> Result<()> {
        self.call_on(name, stream, |state| {
            let needs: Vec<Need> = addresses.iter().filter_map(|&address| state.needs_memory(address)).collect();
            if needs.len() != addresses.len() {
                state.violation(format!("{name} was given memory that is gone"));
            }
            state.workspaces.extend(workspace);
            let bytes = addresses.iter().map(|address| address.to_ne_bytes().to_vec()).collect();
            state.submit(stream, FakeWork::Kernel(KernelId::FOREIGN, Some(bytes)), needs)
        })
    }
}

impl Math for FakeDriver {
    fn sgemm_way(&self, _: &Sgemm) -> Result<Way> {
        self.call("sgemm_way", |_| Ok(Way::Library(WORKSPACE)))
    }
    fn sgemm(&self, stream: StreamId, _: &Sgemm, of: &SgemmOperands, workspace: Address) -> Result<()> {
        let [a, b, c] = of.matrices;
        self.library_call("sgemm", stream, &[a, b, c, workspace], Some(workspace))
    }
    fn blas_lend(&self, stream: StreamId, workspace: Address) -> Result<usize> {
        self.library_call("blas_lend", stream, &[workspace], Some(workspace))?;
        Ok(1)
    }
    fn blas_return(&self, _: usize) {
        let _ = self.call("blas_return", |_| Ok(()));
    }
    fn rand_create(&self) -> Result<usize> {
        self.call("rand_create", |state| {
            let native = state.id() as usize;
            state.generators.insert(native);
            Ok(native)
        })
    }
    fn rand_lend(&self, stream: StreamId, native: usize) -> Result<()> {
        if !lock(&self.state).generators.contains(&native) {
            lock(&self.state).violation(format!("generator {native} is lent and gone"));
        }
        self.library_call("rand_lend", stream, &[], None)
    }
    fn rand_destroy(&self, native: usize, _: &[StreamId]) {
        let _ = self.call("rand_destroy", |state| {
            if !state.generators.remove(&native) {
                state.violation(format!("generator {native} destroyed twice"));
            }
            Ok(())
        });
    }
    fn fft_plan(&self, _: &Fft) -> Result<FftPlanned> {
        self.call("fft_plan", |state| {
            let plan = FftPlanId(state.id());
            state.plans.insert(plan);
            Ok(FftPlanned { way: Way::Library(WORK_AREA), plan })
        })
    }
    fn fft(&self, stream: StreamId, plan: FftPlanId, of: &FftOperands) -> Result<()> {
        if !lock(&self.state).plans.contains(&plan) {
            lock(&self.state).violation(format!("{plan:?} is used and gone"));
        }
        self.library_call("fft", stream, &[of.input, of.output, of.work], Some(of.work))
    }
    fn fft_plan_destroy(&self, plan: FftPlanId, _: &[StreamId]) {
        let _ = self.call("fft_plan_destroy", |state| {
            if !state.plans.remove(&plan) {
                state.violation(format!("{plan:?} destroyed twice"));
            }
            Ok(())
        });
    }
}
