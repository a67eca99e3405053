//! Work of a node as an op.

use std::borrow::Cow;

use crate::op::{GraphOp, RecordContext};
use graphcap_base::error::{Error, Result};
use graphcap_core::OwnedWork;

/// Records the work as [`Stream::submit_node_work`](graphcap_core::Stream::submit_node_work) does: events in every capture as those that
/// each launch records or waits for, and a child graph as it is when the op is recorded. Where the op is not recorded but runs, a child
/// graph is instantiated for that. A host function makes no calls that submit or wait.
impl GraphOp for OwnedWork {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(match self {
            OwnedWork::Empty => "empty",
            OwnedWork::Kernel { kernel, .. } => kernel.name(),
            OwnedWork::Memcpy(_) => "memcpy",
            OwnedWork::Memset(_) => "memset",
            OwnedWork::Host(_) => "host function",
            OwnedWork::EventRecord(_) => "event record",
            OwnedWork::EventWait(_) => "event wait",
            OwnedWork::Free(_) => "free",
            OwnedWork::Child(_) => "child graph",
            OwnedWork::Conditional(_) => "conditional",
        })
    }

    fn record(&self, at: &RecordContext) -> Result<()> {
        self.lend(|work| at.stream().submit_node_work(work))
    }

    fn check_in_body(&self) -> Result<()> {
        Err(Error::invalid_value(match self {
            OwnedWork::Host(_) => "bodies run on the device alone, and cannot call functions on the CPU",
            OwnedWork::EventRecord(_) | OwnedWork::EventWait(_) => {
                "bodies cannot record events or wait for them; put the op before the conditional or behind it"
            }
            _ => return Ok(()),
        }))
    }
}
