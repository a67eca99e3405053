//! Contents of a cache of execs: an entry for each key, the execs that keys share, and what all of it takes. No driver and no lock.
//!
//! What leaves is given to the caller, who drops it where no lock is held: that can run code of the program's.

use std::collections::HashMap;
use std::sync::Arc;

use super::lru::Lru;
use super::shared_exec::{SharedExec, SharedKey};
use crate::graphs::census::Census;
use crate::graphs::exec::GraphExec;
use crate::graphs::graph::Graph;
use graphcap_base::error::Result;
use graphcap_base::room;
use graphcap_base::thread::ThreadNumber;
use graphcap_driver::Bytes;

/// The exec that launches the work of a key.
#[derive(Clone)]
pub(super) enum Served {
    /// One that no other key has.
    Own {
        exec: GraphExec,
        /// The graph that it was made from, where hits are checked.
        recorded: Option<Graph>,
    },
    /// One that other keys have too.
    Shared(Arc<SharedKey>),
}

/// Knowledge of a key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyState {
    /// A thread records its work: which recording that is.
    Recording(u64),
    /// Its number among the entries.
    Recorded(usize),
}

/// The recorded work of a key.
struct Entry {
    key: Arc<[u8]>,
    work: RecordedWork,
}

/// Result of a finished recording for its key.
pub(super) struct RecordedWork {
    pub(super) served: Served,
    /// Bytes that go with it: of the exec, or the graph where the exec is shared.
    pub(super) bytes: Bytes,
}

impl RecordedWork {
    /// All that it needs, what it shares too.
    fn needs(&self) -> Bytes {
        match &self.served {
            Served::Own { .. } => self.bytes,
            Served::Shared(member) => self.bytes + member.exec.bytes(),
        }
    }
}

/// An exec that keys share.
struct Group {
    exec: Arc<SharedExec>,
    members: usize,
}

/// The entries of a cache.
pub(super) struct Entries {
    /// std's hasher, which is keyed: a program may make keys of what others send it.
    keys: HashMap<Arc<[u8]>, KeyState>,
    recorded: Lru<Entry>,
    groups: Vec<Group>,
    /// The most that the entries may take.
    limit: u64,
    bytes: Bytes,
    evictions: u64,
    /// The threads that record.
    recorders: Vec<ThreadNumber>,
    last_recording: u64,
}

/// Counts of what a cache did since it was made, and of what it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CacheStats {
    /// Launches of an exec that did the work of the key already.
    pub hits: u64,
    /// Recordings that gave a graph.
    pub recordings: u64,
    /// Updates of execs that keys share.
    pub updates: u64,
    /// Execs that were made.
    pub instantiations: u64,
    /// Keys whose work was not kept, or left, because of the limit.
    pub evictions: u64,
    /// The keys that there are.
    pub keys: usize,
    /// The execs that there are.
    pub execs: usize,
    /// Bytes that graphs and execs take, by the model.
    pub bytes: Bytes,
}

impl Entries {
    /// None, which may take `limit` bytes.
    pub(super) fn new(limit: u64) -> Entries {
        Entries {
            keys: HashMap::new(),
            recorded: Lru::new(),
            groups: Vec::new(),
            limit,
            bytes: Bytes::default(),
            evictions: 0,
            recorders: Vec::new(),
            last_recording: 0,
        }
    }

    /// Uses the entry of `key`, if its work was recorded.
    #[inline]
    pub(super) fn used(&mut self, key: &[u8]) -> Option<Served> {
        match self.keys.get(key) {
            Some(&KeyState::Recorded(at)) => self.recorded.used(at).map(|entry| entry.work.served.clone()),
            _ => None,
        }
    }

    /// Returns whether a thread records the work of `key`.
    pub(super) fn is_recording(&self, key: &[u8]) -> bool {
        matches!(self.keys.get(key), Some(KeyState::Recording(_)))
    }

    /// Returns whether `thread` records, the work of whichever key.
    #[inline]
    pub(super) fn is_recorder(&self, thread: impl FnOnce() -> ThreadNumber) -> bool {
        !self.recorders.is_empty() && self.recorders.contains(&thread())
    }

    /// `thread` begins to record the work of `key`, of which nothing is known. Gives the number of the recording.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY` for a long key.
    pub(super) fn begin(&mut self, key: &[u8], thread: ThreadNumber) -> Result<u64> {
        room::ask(key.len())?;
        self.last_recording += 1;
        self.keys.insert(key.into(), KeyState::Recording(self.last_recording));
        self.recorders.push(thread);
        Ok(self.last_recording)
    }

    /// `thread` begins to record anew, for no key.
    pub(super) fn begin_anew(&mut self, thread: ThreadNumber) {
        self.recorders.push(thread);
    }

    /// `thread` records no longer.
    pub(super) fn end_anew(&mut self, thread: ThreadNumber) {
        if let Some(at) = self.recorders.iter().position(|&recorder| recorder == thread) {
            self.recorders.swap_remove(at);
        }
    }

    /// The recording is over. Its key is unknown again, unless it got its entry.
    pub(super) fn end(&mut self, key: &[u8], recording: u64, thread: ThreadNumber) {
        self.end_anew(thread);
        if self.keys.get(key) == Some(&KeyState::Recording(recording)) {
            self.keys.remove(key);
        }
    }

    /// The recording gave `work`, which is kept unless the key was removed meanwhile, or the work takes more than all may. Gives
    /// what has to leave: the work itself, or that of other keys.
    pub(super) fn keep(&mut self, key: &[u8], recording: u64, work: RecordedWork) -> Vec<Served> {
        if self.keys.get(key) != Some(&KeyState::Recording(recording)) {
            return vec![work.served];
        }
        self.enter(key, work)
    }

    /// Gives `key` other work than that of `member`, if it has that. Gives what has to leave.
    pub(super) fn replace(&mut self, key: &[u8], member: &Arc<SharedKey>, work: RecordedWork) -> Vec<Served> {
        let present = match self.keys.get(key) {
            Some(&KeyState::Recorded(at)) => self.recorded.get(at).map(|entry| &entry.work.served),
            _ => None,
        };
        match present {
            Some(Served::Shared(present)) if Arc::ptr_eq(present, member) => {}
            _ => return vec![work.served],
        }
        let mut left: Vec<Served> = self.take(key).into_iter().collect();
        left.extend(self.enter(key, work));
        left
    }

    fn enter(&mut self, key: &[u8], work: RecordedWork) -> Vec<Served> {
        if work.needs().total() > self.limit {
            self.evictions += 1;
            return vec![work.served];
        }
        self.bytes = self.bytes + work.bytes;
        if let Served::Shared(member) = &work.served {
            let exec = &member.exec;
            match self.groups.iter_mut().find(|group| Arc::ptr_eq(&group.exec, exec)) {
                Some(group) => group.members += 1,
                // A new one, or one that the other keys have left since it was found.
                None => {
                    self.bytes = self.bytes + exec.bytes();
                    self.groups.push(Group { exec: Arc::clone(exec), members: 1 });
                }
            }
        }
        let key = self.keys.remove_entry(key).map_or_else(|| key.into(), |(key, _)| key);
        let at = self.recorded.insert(Entry { key: Arc::clone(&key), work });
        self.keys.insert(key, KeyState::Recorded(at));
        self.evict()
    }

    /// Takes the entry of `key` out, or what waits for its recording.
    pub(super) fn take(&mut self, key: &[u8]) -> Option<Served> {
        let KeyState::Recorded(at) = self.keys.remove(key)? else { return None };
        let RecordedWork { served, bytes } = self.recorded.remove(at)?.work;
        self.bytes = self.bytes.without(bytes);
        if let Served::Shared(member) = &served {
            let is_its = |group: &Group| Arc::ptr_eq(&group.exec, &member.exec);
            let group = self.groups.iter().position(is_its);
            let members = group.and_then(|at| self.groups.get_mut(at)).map(|group| {
                group.members -= 1;
                group.members
            });
            if let (Some(at), Some(0)) = (group, members) {
                self.bytes = self.bytes.without(member.exec.bytes());
                // The member that leaves has the exec too, so that nothing is dropped here.
                self.groups.swap_remove(at);
            }
        }
        Some(served)
    }

    /// Takes everything out, and what waits for recordings.
    pub(super) fn take_all(&mut self) -> Vec<Served> {
        self.keys.clear();
        self.groups.clear();
        self.bytes = Bytes::default();
        self.recorded.take_all().map(|entry| entry.work.served).collect()
    }

    /// Takes entries out until the others are within the limit, those first that were not used for the longest time.
    fn evict(&mut self) -> Vec<Served> {
        let mut left = Vec::new();
        while self.bytes.total() > self.limit {
            let Some(oldest) = self.recorded.oldest() else { break };
            let key = Arc::clone(&oldest.key);
            left.extend(self.take(&key));
            self.evictions += 1;
        }
        left
    }

    /// The execs that keys share whose graphs have as many nodes of each kind as `census`, the newest first.
    pub(super) fn alike(&self, census: &Census) -> Vec<Arc<SharedExec>> {
        let alike = self.groups.iter().rev().filter(|group| group.exec.census() == census);
        alike.map(|group| Arc::clone(&group.exec)).collect()
    }

    /// Returns the counts of the entries.
    pub(super) fn counts(&self) -> CacheStats {
        let shared: usize = self.groups.iter().map(|group| group.members).sum();
        let keys = self.recorded.len();
        let (execs, bytes, evictions) = (keys - shared + self.groups.len(), self.bytes, self.evictions);
        CacheStats { keys, execs, bytes, evictions, ..CacheStats::default() }
    }
}
