//! The op that makes Fourier transforms.

use std::borrow::Cow;

use once_cell::sync::OnceCell;

use crate::op::{GraphOp, RecordContext};
use graphcap_base::error::Result;
use graphcap_core::{Buffer, Context, FftPlan};
use graphcap_driver::{Fft, FftDirection};

/// Makes a batch of Fourier transforms between real and complex numbers of 32 bits, without a factor. The input is kept.
#[derive(Clone, Debug)]
pub struct FftOp {
    fft: Fft,
    /// Given, or made when the op is prepared.
    plan: OnceCell<FftPlan>,
    input: (Buffer, usize),
    output: (Buffer, usize),
}

impl FftOp {
    /// Transforms from byte `input.1` of `input.0` to byte `output.1` of `output.0`. The plan is made when the op is prepared.
    pub fn new(fft: Fft, input: (Buffer, usize), output: (Buffer, usize)) -> FftOp {
        FftOp { fft, plan: OnceCell::new(), input, output }
    }

    /// As [`FftOp::new`], by a plan that other ops may have too.
    pub fn of_plan(plan: &FftPlan, input: (Buffer, usize), output: (Buffer, usize)) -> FftOp {
        FftOp { fft: *plan.fft(), plan: OnceCell::with_value(plan.clone()), input, output }
    }

    fn plan(&self, context: &Context) -> Result<&FftPlan> {
        self.plan.get_or_try_init(|| FftPlan::create(context, &self.fft))
    }
}

impl GraphOp for FftOp {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(match self.fft.direction {
            FftDirection::RealToComplex => "fft r2c",
            FftDirection::ComplexToReal => "fft c2r",
        })
    }

    fn prepare(&self, context: &Context) -> Result<()> {
        context.check_fft(&self.fft, (&self.input.0, self.input.1), (&self.output.0, self.output.1))?;
        self.plan(context).map(drop)
    }

    fn record(&self, at: &RecordContext) -> Result<()> {
        let plan = self.plan(at.context())?;
        at.stream().fft(plan, (&self.input.0, self.input.1), (&self.output.0, self.output.1))
    }

    fn fft(&self) -> Option<Fft> {
        Some(self.fft)
    }

    fn with_fft_plan(&self, plan: &FftPlan) -> Option<Box<dyn GraphOp>> {
        Some(Box::new(FftOp::of_plan(plan, self.input.clone(), self.output.clone())))
    }
}
