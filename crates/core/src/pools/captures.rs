//! Captures with a pool, and the pools of execs.

use std::sync::Arc;

use super::pool::{Pool, PoolUse};
use crate::captures::checks::Checks;
use crate::graphs::exec::GraphExec;
use crate::graphs::graph::Graph;
use crate::graphs::retention;
use crate::keep::Kept;
use crate::state::Stream;
use graphcap_base::error::{Error, Result};
use graphcap_driver::check_caller;
use graphcap_driver::rules::CaptureMode;

impl Pool {
    /// Use of the pool that a capture of `stream` keeps for no node, so that its graph keeps the pool.
    ///
    /// # Errors
    /// `SEALED`; `INVALID_CONTEXT` for a stream of another context.
    pub(crate) fn for_capture(&self, stream: &Stream) -> Result<Kept> {
        stream.context().check_same("the stream", self.context(), "the pool")?;
        self.0.begin_use()
    }
}

impl Stream {
    /// Starts recording as [`Stream::begin_capture`]. The graph, and each exec made of it, keeps `pool`.
    ///
    /// # Errors
    /// As [`Stream::begin_capture`]; `SEALED`; `INVALID_CONTEXT` for a pool of another context.
    pub fn begin_capture_with_pool(&self, mode: CaptureMode, pool: &Pool) -> Result<()> {
        let kept = pool.for_capture(self)?;
        self.begin_told_capture(mode, vec![kept], Checks::default()).map(drop)
    }

    /// The pool that the capture of the stream was begun with; `None` where it was begun with none, and on a stream that is not being
    /// captured.
    pub fn capture_pool(&self) -> Option<Pool> {
        let used = self.present().and_then(|record| record.whole::<PoolUse>())?;
        Some(Pool(Arc::clone(&used.pool)))
    }

    /// Stops recording as [`Stream::end_capture`]. The graph, and each exec made of it, keeps `pool`, which may be sealed.
    ///
    /// # Errors
    /// As [`Stream::end_capture`]. The capture goes on after `INVALID_CONTEXT` for a pool of another context, and after
    /// `INVALID_VALUE` where it was begun with another pool.
    pub fn end_capture_with_pool(&self, pool: &Pool) -> Result<Graph> {
        check_caller()?;
        self.context().check_same("the stream", pool.context(), "the pool")?;
        let begun_with = self.present().and_then(|record| record.whole::<PoolUse>());
        match begun_with {
            None => {}
            Some(used) if Arc::ptr_eq(&used.pool, &pool.0) => return self.end_capture(),
            Some(used) => {
                let (of, given) = (Pool(Arc::clone(&used.pool)).id(), pool.id());
                return Err(Error::invalid_value(format!(
                    "the capture was begun with pool {of} and cannot be ended with pool {given}; give the pool that it was begun \
                     with, or none"
                )));
            }
        }
        // Before the end, so that the pool cannot be cleared in between.
        let (list, _) = retention::begin(Vec::new(), vec![pool.0.kept()]);
        let graph = self.end_capture()?;
        graph.0.was_captured_into();
        graph.0.retain(list)?;
        Ok(graph)
    }
}

impl GraphExec {
    /// The pool that the exec keeps: that of the capture which it was made from, or last updated to. Of several, as child graphs
    /// can bring, one.
    ///
    /// # Errors
    /// `NOT_PERMITTED` on a thread that runs work.
    pub fn pool(&self) -> Result<Option<Pool>> {
        check_caller()?;
        let kept = self.made().kept();
        let pool = |kept: &Kept| kept.object::<PoolUse>();
        let found = kept.iter().find_map(|retained| retention::find(retained, &pool));
        Ok(found.map(|found| Pool(Arc::clone(&found.pool))))
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
