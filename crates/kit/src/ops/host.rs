//! The op that calls a function on the CPU.

use std::borrow::Cow;
use std::fmt;

use crate::op::{GraphOp, RecordContext};
use graphcap_base::error::{Error, Result};
use graphcap_core::NodeWork;
use graphcap_driver::HostFunction;

/// Calls a function on the CPU, once per launch of a graph. The function makes no calls that submit or wait.
#[derive(Clone)]
pub struct HostOp {
    /// The function.
    pub function: HostFunction,
}

impl HostOp {
    /// Calls `function`.
    pub fn new(function: HostFunction) -> HostOp {
        HostOp { function }
    }
}

impl GraphOp for HostOp {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed("host function")
    }

    fn record(&self, at: &RecordContext) -> Result<()> {
        at.stream().submit_node_work(&NodeWork::Host(&self.function))
    }

    fn check_in_body(&self) -> Result<()> {
        Err(Error::invalid_value("bodies run on the device alone, and cannot call functions on the CPU"))
    }
}

impl fmt::Debug for HostOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HostOp")
    }
}
