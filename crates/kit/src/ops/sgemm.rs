//! The op that multiplies matrices.

use std::borrow::Cow;

use crate::op::{GraphOp, RecordContext};
use graphcap_base::error::Result;
use graphcap_core::{Buffer, Context, Scalar, SgemmCall};

/// Calculates C = alpha * op(A) * op(B) + beta * C, of column-major matrices of 32-bit numbers.
pub type SgemmOp = SgemmCall<Buffer, Scalar>;

impl GraphOp for SgemmOp {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed("sgemm")
    }

    fn prepare(&self, context: &Context) -> Result<()> {
        context.prepare_sgemm(&self.sgemm)
    }

    fn record(&self, at: &RecordContext) -> Result<()> {
        at.stream().sgemm(&self.lend())
    }

    fn is_nothing(&self) -> bool {
        self.sgemm.is_nothing()
    }
}
