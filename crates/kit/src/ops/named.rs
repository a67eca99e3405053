//! An op under a name of the caller's.

use std::borrow::Cow;

use crate::op::{BodyNodes, GraphOp, RecordContext};
use graphcap_base::error::Result;
use graphcap_core::{Context, FftPlan};
use graphcap_driver::Fft;

/// An op that calls itself otherwise.
#[derive(Clone, Debug)]
pub struct Named<O> {
    name: String,
    op: O,
}

impl<O: GraphOp> Named<O> {
    /// `op`, called `name` in messages.
    pub fn new(name: impl Into<String>, op: O) -> Named<O> {
        Named { name: name.into(), op }
    }
}

impl<O: GraphOp> GraphOp for Named<O> {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.name)
    }

    fn prepare(&self, context: &Context) -> Result<()> {
        self.op.prepare(context)
    }

    fn record(&self, at: &RecordContext) -> Result<()> {
        self.op.record(at)
    }

    fn is_nothing(&self) -> bool {
        self.op.is_nothing()
    }

    fn check_in_body(&self) -> Result<()> {
        self.op.check_in_body()
    }

    fn nodes_of_body(&self) -> Option<&dyn BodyNodes> {
        self.op.nodes_of_body()
    }

    fn fft(&self) -> Option<Fft> {
        self.op.fft()
    }

    fn with_fft_plan(&self, plan: &FftPlan) -> Option<Box<dyn GraphOp>> {
        Some(Box::new(Named::new(self.name.clone(), self.op.with_fft_plan(plan)?)))
    }
}
