//! A library of mathematics, which the host device has none of: it needs memory.

use super::Faulty;
use graphcap_base::error::Result;
use graphcap_driver::*;

/// Bytes that a product needs.
pub(crate) const WORKSPACE: usize = 512;
/// Bytes that each transform needs.
const WORK_AREA: usize = 256;

impl Faulty {
    /// The workspaces of the products that were submitted, in their order.
    pub(crate) fn workspaces(&self) -> Vec<Address> {
        self.state().workspaces.clone()
    }

    /// The plans that were not destroyed.
    pub(crate) fn plans(&self) -> usize {
        self.state().plans.len()
    }

    /// The generators that were not destroyed.
    pub(crate) fn generators(&self) -> usize {
        self.state().generators.len()
    }

    /// Submits what a library does: bytes are set where it works.
    fn library_call(
        &self,
        name: &'static str,
        stream: StreamId,
        addresses: &[Address],
        workspace: Option<Address>,
    ) -> Result<()> {
        self.call(name, || {
            for &address in addresses {
                let work = Work::Memset(Memset { address, value: 0, element_size: 1, count: 1, rows: 1, pitch: 0 });
                self.submit_noted(stream, &work)?;
            }
            self.state().workspaces.extend(workspace);
            Ok(())
        })
    }
}

impl Math for Faulty {
    fn sgemm_way(&self, _: &Sgemm) -> Result<Way> {
        self.call("sgemm_way", || Ok(Way::Library(WORKSPACE)))
    }
    fn sgemm(&self, stream: StreamId, _: &Sgemm, of: &SgemmOperands, workspace: Address) -> Result<()> {
        let [a, b, c] = of.matrices;
        self.library_call("sgemm", stream, &[a, b, c, workspace], Some(workspace))
    }
    fn blas_lend(&self, stream: StreamId, workspace: Address) -> Result<usize> {
        self.library_call("blas_lend", stream, &[workspace], Some(workspace))?;
        Ok(1)
    }
    fn blas_return(&self, _: usize) {}
    fn rand_create(&self) -> Result<usize> {
        self.call("rand_create", || {
            let state = &mut *self.state();
            let native = state.calls as usize;
            state.generators.insert(native);
            Ok(native)
        })
    }
    fn rand_lend(&self, stream: StreamId, native: usize) -> Result<()> {
        if !self.state().generators.contains(&native) {
            self.state().violation(format!("generator {native} is lent and gone"));
        }
        self.library_call("rand_lend", stream, &[], None)
    }
    fn rand_destroy(&self, native: usize, _: &[StreamId]) {
        let state = &mut *self.state();
        if !state.generators.remove(&native) {
            state.violation(format!("generator {native} destroyed twice"));
        }
    }
    fn fft_plan(&self, fft: &Fft) -> Result<FftPlanned> {
        self.call("fft_plan", || {
            let plan = self.host.fft_plan(fft)?.plan;
            self.state().plans.insert(plan);
            Ok(FftPlanned { way: Way::Library(WORK_AREA), plan })
        })
    }
    fn fft(&self, stream: StreamId, plan: FftPlanId, of: &FftOperands) -> Result<()> {
        if !self.state().plans.contains(&plan) {
            self.state().violation(format!("{plan:?} is used and gone"));
        }
        self.library_call("fft", stream, &[of.input, of.output, of.work], Some(of.work))
    }
    fn fft_plan_destroy(&self, plan: FftPlanId, used_by: &[StreamId]) {
        self.host.fft_plan_destroy(plan, used_by);
        let state = &mut *self.state();
        if !state.plans.remove(&plan) {
            state.violation(format!("{plan:?} destroyed twice"));
        }
    }
}
