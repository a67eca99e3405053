//! The op that multiplies matrices.

use std::borrow::Cow;

use crate::op::{GraphOp, RecordContext};
use graphcap_base::error::Result;
use graphcap_core::{Buffer, Coefficient, Context, Scalar, SgemmCall};
use graphcap_driver::Sgemm;

/// alpha or beta of a [`SgemmOp`].
#[derive(Clone, Debug)]
pub enum OpCoefficient {
    /// The number.
    Value(f32),
    /// A scalar of 32-bit floating point, as it is when the graph is launched.
    Scalar(Scalar),
}

impl OpCoefficient {
    fn borrowed(&self) -> Coefficient<'_> {
        match self {
            OpCoefficient::Value(value) => Coefficient::Value(*value),
            OpCoefficient::Scalar(scalar) => Coefficient::Scalar(scalar),
        }
    }
}

/// Calculates C = alpha * op(A) * op(B) + beta * C, of column-major matrices of 32-bit numbers.
#[derive(Clone, Debug)]
pub struct SgemmOp {
    /// Its sizes.
    pub sgemm: Sgemm,
    /// The buffers of A, B and C, and the bytes in them at which their first elements are.
    pub matrices: [(Buffer, usize); 3],
    /// What the product is multiplied by.
    pub alpha: OpCoefficient,
    /// What C is multiplied by before the product is added. With the value 0 C is not read.
    pub beta: OpCoefficient,
}

impl GraphOp for SgemmOp {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed("sgemm")
    }

    fn prepare(&self, context: &Context) -> Result<()> {
        context.prepare_sgemm(&self.sgemm)
    }

    fn record(&self, at: &RecordContext) -> Result<()> {
        let matrices = self.matrices.each_ref().map(|(buffer, offset)| (buffer, *offset));
        let (alpha, beta) = (self.alpha.borrowed(), self.beta.borrowed());
        at.stream().sgemm(&SgemmCall { sgemm: self.sgemm, matrices, alpha, beta })
    }

    fn is_nothing(&self) -> bool {
        self.sgemm.is_nothing()
    }
}
