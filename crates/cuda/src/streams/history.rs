//! The last launches of a stream: the driver does not say which kernel faulted, so a fault's message names those that
//! were not known to be complete.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};

use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::names::shown;
use graphcap_driver::{ExecId, KernelId};

/// Number of launches that a stream remembers.
const REMEMBERED: usize = 8;
/// Set in an entry that is a graph exec; ids are below it.
const IS_EXEC: u64 = 1 << 63;

/// Object that was launched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Launched {
    Kernel(KernelId),
    Exec(ExecId),
}

/// The last launches of one stream. Written at every launch, so without locks or counting: of two that race, one may be
/// forgotten.
#[derive(Default)]
pub(crate) struct History {
    launches: AtomicU64,
    /// Number of them that are known to be complete.
    complete: AtomicU64,
    entries: [AtomicU64; REMEMBERED],
}

impl History {
    /// Remembers a launch.
    #[inline]
    pub(crate) fn add(&self, launched: Launched) {
        let number = self.launches.load(Ordering::Relaxed);
        self.launches.store(number + 1, Ordering::Relaxed);
        let entry = match launched {
            Launched::Kernel(KernelId(id)) => id,
            Launched::Exec(ExecId(id)) => id | IS_EXEC,
        };
        self.entries[number as usize % REMEMBERED].store(entry, Ordering::Relaxed);
    }

    /// Returns how many launches there were: what [`History::completed`] takes once the stream was seen to be complete.
    pub(crate) fn launches(&self) -> u64 {
        self.launches.load(Ordering::Relaxed)
    }

    /// The first `launches` launches are known to be complete.
    pub(crate) fn completed(&self, launches: u64) {
        self.complete.fetch_max(launches, Ordering::Relaxed);
    }

    /// The launches not known to be complete, oldest first, and how many older ones were forgotten.
    pub(crate) fn pending(&self) -> (u64, Vec<Launched>) {
        let (launches, complete) = (self.launches(), self.complete.load(Ordering::Relaxed));
        let pending = launches.saturating_sub(complete);
        let remembered = pending.min(REMEMBERED as u64);
        let entries = (launches - remembered..launches).map(|number| {
            let entry = self.entries[number as usize % REMEMBERED].load(Ordering::Relaxed);
            match entry & IS_EXEC {
                0 => Launched::Kernel(KernelId(entry)),
                _ => Launched::Exec(ExecId(entry & !IS_EXEC)),
            }
        });
        (pending - remembered, entries.collect())
    }
}

/// Names of what was launched: kernels, which are forgotten when their module is unloaded, and execs that are gone.
#[derive(Default)]
pub(crate) struct Names {
    kernels: Mutex<HashMap<KernelId, String>, rank::HistoryKernels>,
    /// The last execs that were destroyed, with their number of nodes: their launches may still run.
    gone: Mutex<VecDeque<(ExecId, usize)>, rank::GoneExecs>,
}

impl Names {
    /// Number of destroyed execs that are remembered.
    const GONE: usize = 64;

    pub(crate) fn name_kernel(&self, id: KernelId, name: &str) {
        lock(&self.kernels).insert(id, name.to_owned());
    }

    pub(crate) fn forget_kernel(&self, id: KernelId) {
        lock(&self.kernels).remove(&id);
    }

    pub(crate) fn of_kernel(&self, id: KernelId) -> String {
        lock(&self.kernels).get(&id).map_or_else(|| "a kernel".into(), |name| format!("kernel '{}'", shown(name)))
    }

    pub(crate) fn exec_gone(&self, id: ExecId, nodes: usize) {
        let mut gone = lock(&self.gone);
        if gone.len() == Names::GONE {
            gone.pop_front();
        }
        gone.push_back((id, nodes));
    }

    /// The number of nodes of an exec that is gone.
    pub(crate) fn of_exec(&self, id: ExecId) -> Option<usize> {
        lock(&self.gone).iter().rev().find(|(gone, _)| *gone == id).map(|&(_, nodes)| nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_to_be_complete_is_pending() {
        let history = History::default();
        assert_eq!(history.pending(), (0, vec![]));
        history.add(Launched::Kernel(KernelId(1)));
        history.add(Launched::Exec(ExecId(2)));
        let before = history.launches();
        history.add(Launched::Kernel(KernelId(3)));
        assert_eq!(history.pending().1.len(), 3);
        history.completed(before);
        assert_eq!(history.pending(), (0, vec![Launched::Kernel(KernelId(3))]));
        history.completed(1);
        assert_eq!(history.pending().1.len(), 1, "what is complete stays complete");
    }

    #[test]
    fn only_the_last_are_remembered() {
        let history = History::default();
        for id in 0..20 {
            history.add(Launched::Exec(ExecId(id)));
        }
        let (forgotten, launches) = history.pending();
        assert_eq!(forgotten, 20 - REMEMBERED as u64);
        assert_eq!(launches.first(), Some(&Launched::Exec(ExecId(20 - REMEMBERED as u64))));
        assert_eq!(launches.last(), Some(&Launched::Exec(ExecId(19))));
    }
}
