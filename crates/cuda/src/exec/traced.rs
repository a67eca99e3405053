//! Names and places of an exec's nodes, as traces know them.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::Arc;

use super::timed::TimedNodes;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::ExecNames;
use graphcap_observe::trace::TracedExec;

/// An exec, as traces know it.
#[derive(Default)]
pub(crate) struct Traced {
    exec: TracedExec,
    /// Number of launches that were traced.
    launches: AtomicU32,
    names: Mutex<Option<Arc<dyn ExecNames>>, rank::ExecNames>,
    /// The events around its nodes, if it has any.
    pub(crate) timed: Option<Arc<TimedNodes>>,
}

impl Traced {
    pub(crate) fn new(timed: Option<Arc<TimedNodes>>) -> Traced {
        Traced { timed, ..Traced::default() }
    }

    /// The names of the graph and its nodes.
    pub(crate) fn call_by(&self, names: Arc<dyn ExecNames>) {
        let before = lock(&self.names).replace(names);
        drop(before);
    }

    /// The names, where there are any.
    pub(crate) fn names(&self) -> Option<Arc<dyn ExecNames>> {
        lock(&self.names).clone()
    }

    /// The number of the exec in the trace that goes on, and whether it is new, so that the nodes are to be named.
    pub(crate) fn number(&self) -> (u32, bool) {
        self.exec.number()
    }

    /// Its nodes do other work from here on.
    #[inline]
    pub(crate) fn forget(&self) {
        self.exec.forget();
    }

    /// The number of a launch that is traced.
    pub(crate) fn count_launch(&self) -> u32 {
        self.launches.fetch_add(1, Ordering::Relaxed)
    }
}
