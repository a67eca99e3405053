//! Times of an exec's replays, from the trace that goes on.

use super::exec::GraphExec;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::check_caller;
use graphcap_observe::format::Kind;
use graphcap_observe::times::ExecTimes;
use graphcap_observe::trace;

impl GraphExec {
    /// Tells when each node ran in the last `count` replays that the trace has of the exec, since it was last changed, and what it waited
    /// for. Reads the whole file of the trace.
    ///
    /// # Errors
    /// `ILLEGAL_STATE` where no trace goes on, or its file cannot be read; `NOT_PERMITTED` on a thread on which work runs.
    pub fn times(&self, count: usize) -> Result<ExecTimes> {
        check_caller()?;
        let exec = self.context().driver()?.exec_in_trace(self.made().id());
        let trace = trace::read_back(&mut |entry| entry.exec == exec || entry.kind == Kind::Ran)?;
        Ok(ExecTimes::of_all(&trace, count).pop().unwrap_or_default())
    }

    /// [`GraphExec::times`] as JSON.
    ///
    /// # Errors
    /// Those of [`GraphExec::times`].
    pub fn times_json(&self, count: usize) -> Result<String> {
        let times = self.times(count)?;
        serde_json::to_string(&times)
            .map_err(|error| Error::new(Status::OUT_OF_MEMORY, format!("the times could not be written: {error}")))
    }
}
