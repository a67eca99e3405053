//! An exec that several keys share: it is updated by the graph of the key whose work is to run next.

use std::sync::Arc;

use crate::graphs::census::Census;
use crate::graphs::exec::GraphExec;
use crate::graphs::graph::Graph;
use crate::state::Stream;
use graphcap_base::error::Result;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::numbers::fresh_number;
use graphcap_driver::Bytes;

/// An exec of keys whose graphs have one topology.
pub(super) struct SharedExec {
    exec: GraphExec,
    /// The graph that it was made from, of which the driver has to read what the exec can be updated to.
    #[allow(dead_code, reason = "held to be dropped")]
    origin: Graph,
    census: Census,
    bytes: Bytes,
    /// The number of the member whose work it does; 0 where that is not known. Held over an update and the launch that follows.
    serves: Mutex<u64, rank::SharedExec>,
}

/// A key that shares an exec.
pub(super) struct SharedKey {
    pub(super) exec: Arc<SharedExec>,
    /// Graph that the exec is updated by when it does other work. Nobody changes it.
    graph: Graph,
    /// No other member of the process has it.
    number: u64,
}

/// Outcome of a launch.
pub(super) enum Launched {
    /// It is queued.
    Queued {
        /// Tells whether the exec was updated for it.
        was_updated: bool,
    },
    /// The exec cannot be updated by the graph of the key, and is as it was.
    Refused,
}

impl SharedExec {
    /// An exec that was made from `graph`, and its first member.
    pub(super) fn with_member(exec: GraphExec, graph: Graph, census: Census, bytes: Bytes) -> Arc<SharedKey> {
        let number = fresh_number();
        let origin = graph.clone();
        let shared = SharedExec { exec, origin, census, bytes, serves: Mutex::new(number) };
        Arc::new(SharedKey { exec: Arc::new(shared), graph, number })
    }

    pub(super) fn census(&self) -> &Census {
        &self.census
    }

    /// Returns what it takes, with the graph that it was made from.
    pub(super) fn bytes(&self) -> Bytes {
        self.bytes
    }

    /// Returns whether an update by `graph` has it do all that the graph does. The exec would keep launch attributes of its own where
    /// those of the graph differ.
    pub(super) fn can_serve(&self, graph: &Graph) -> bool {
        let asked = self.exec.can_update(graph);
        asked.is_ok_and(|asked| asked.outcome.is_ok() && asked.report.kept_attribute.is_none())
    }
}

impl SharedKey {
    /// One more key of an exec.
    pub(super) fn of(exec: &Arc<SharedExec>, graph: Graph) -> Arc<SharedKey> {
        Arc::new(SharedKey { exec: Arc::clone(exec), graph, number: fresh_number() })
    }

    pub(super) fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Launches the exec if it does the work of this member and no other thread is at it. Whether it did.
    #[inline]
    pub(super) fn launch_at_once(&self, stream: &Stream) -> Result<bool> {
        match self.exec.serves.try_lock() {
            Some(serves) if *serves == self.number => self.exec.exec.launch(stream).map(|()| true),
            _ => Ok(false),
        }
    }

    /// Makes the exec do the work of this member, and launches it.
    ///
    /// # Errors
    /// As [`GraphExec::update`] and [`GraphExec::launch`].
    pub(super) fn launch(&self, stream: &Stream) -> Result<Launched> {
        let SharedExec { exec, serves, .. } = &*self.exec;
        let mut serves = lock(serves);
        let was_updated = *serves != self.number;
        let mut superseded = None;
        if was_updated {
            let before = std::mem::take(&mut *serves);
            let (updated, held) = exec.update_holding(&self.graph, false)?;
            if updated.outcome.is_err() {
                *serves = before;
                return Ok(Launched::Refused);
            }
            *serves = self.number;
            superseded = Some(held);
        }
        let launched = exec.launch(stream);
        drop(serves);
        if let Some(superseded) = superseded {
            superseded.let_go();
        }
        launched.map(|()| Launched::Queued { was_updated })
    }
}
