//! The table behind handles of one kind: from a number to its object, made for readers.
//!
//! A call pins its thread once and then reads as many objects as it likes, at the cost of plain loads. What is
//! removed lives until no call that could have seen it is running; that is mostly at once, and then it is dropped by
//! the call that removed it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::{Duration, Instant};

use crossbeam_epoch::{Atomic, Collector, Guard, LocalHandle, Owned, Shared};

use graphcap_base::defer;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::slots::{chunk_size, index_of, position, Key, Numbers, CHUNKS};
use graphcap_driver::forked;

/// Number of times that a removal tries to find that no call can see its object any more. Two tries do when no call is running; others'
/// removals may be in the way.
const TRIES: u32 = 8;
/// Time that a removal which did not find out waits between two looks, at first and at most.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(50);
/// Longest time that a call waits for calls of other threads that may be waiting for it.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_secs(1);
/// Number of times that a thread which waits lets others run before it sleeps. Most calls that look at handles take microseconds.
const YIELDS: u32 = 100;

/// Which handles a leak test counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ownership {
    /// One that the caller has to destroy.
    Caller,
    /// One that a callback gets for the time of its call, which the caller cannot wait for.
    Call,
}

struct Entry<T> {
    generation: u32,
    ownership: Ownership,
    value: T,
}

/// A run of slots that never moves.
type Chunk<T> = Box<[Atomic<Entry<T>>]>;

/// The table. All operations may run on any thread at once.
pub(crate) struct Table<T> {
    chunks: [OnceLock<Chunk<T>>; CHUNKS],
    numbers: Numbers,
    /// The numbers in use that callers own, those of `stale` too.
    live: AtomicUsize,
    /// The numbers whose objects a reset took out, until they are given back.
    stale: Mutex<BTreeMap<Key, Ownership>, rank::Stale>,
}

static COLLECTOR: LazyLock<Collector> = LazyLock::new(Collector::new);

thread_local! {
    static LOCAL: LocalHandle = COLLECTOR.register();
}

/// Returns whether this thread is pinned.
pub(crate) fn is_pinned() -> bool {
    LOCAL.try_with(LocalHandle::is_pinned).unwrap_or(false)
}

/// Keeps what this thread reads alive until it is dropped. A call that may wait for long should not hold one: what
/// others remove meanwhile is not dropped before.
#[inline(always)]
pub(crate) fn pin() -> Guard {
    match LOCAL.try_with(LocalHandle::pin) {
        Ok(guard) => guard,
        Err(_) => pin_late(),
    }
}

/// For a thread that is about to end, which has no place of its own any more.
#[cold]
#[inline(never)]
fn pin_late() -> Guard {
    COLLECTOR.register().pin()
}

/// The time at which an object ends whose handle is destroyed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ObjectEnd {
    /// As soon as no call sees it any more. Its destroy does not wait.
    Later,
    /// Within the destroy, which waits for calls that may see it: it stands for something that the caller may end next.
    AtOnce,
    /// As [`ObjectEnd::AtOnce`], with the caller's function that is told of the end. The wait has a limit, which does no harm as the
    /// function may be called later: a call that is waited for may itself wait for the thread that destroys.
    AtOnceAndTells,
    /// As [`ObjectEnd::AtOnce`], with the limit of [`ObjectEnd::AtOnceAndTells`]: a call that is waited for may itself wait for the
    /// thread that destroys.
    AtOnceWithLimit,
}

impl ObjectEnd {
    /// Returns how long its destroy waits for calls that may see it.
    fn patience(self) -> Duration {
        match self {
            ObjectEnd::Later => Duration::ZERO,
            ObjectEnd::AtOnce => Duration::MAX,
            ObjectEnd::AtOnceAndTells | ObjectEnd::AtOnceWithLimit => LONGEST_WAIT,
        }
    }
}

/// An entry that was removed; dropping this drops the object, unless a running call may still see it.
pub(crate) struct Removed<T> {
    _now: Option<Box<Entry<T>>>,
    ends: ObjectEnd,
}

impl<T> Removed<T> {
    /// The time at which the object was to end.
    pub(crate) fn ends(&self) -> ObjectEnd {
        self.ends
    }
}

/// An entry that a reset took out. Dropping this drops the object as with [`Removed`], waiting for it where that was asked for.
pub(crate) struct Taken<T: Send + Sync + 'static> {
    entry: Option<Owned<Entry<T>>>,
    ends: ObjectEnd,
}

impl<T: Send + Sync + 'static> Drop for Taken<T> {
    fn drop(&mut self) {
        if let Some(entry) = self.entry.take() {
            drop(retire(entry, pin(), self.ends));
        }
    }
}

impl<T: Send + Sync + 'static> Table<T> {
    /// An empty table.
    pub(crate) const fn new() -> Self {
        Table {
            chunks: [const { OnceLock::new() }; CHUNKS],
            numbers: Numbers::new(),
            live: AtomicUsize::new(0),
            stale: Mutex::new(BTreeMap::new()),
        }
    }

    /// Takes a number, and makes room for its object; `None` when all numbers are taken. What is not filled is given back by
    /// [`Table::give_back`].
    pub(crate) fn reserve(&self) -> Option<Key> {
        let key = self.numbers.take()?;
        let (chunk, _) = position(key.index);
        self.chunks.get(chunk)?.get_or_init(|| (0..chunk_size(chunk)).map(|_| Atomic::null()).collect());
        Some(key)
    }

    /// Gives back a reserved number under which nothing was entered.
    pub(crate) fn give_back(&self, key: Key) {
        self.numbers.give_back(key);
    }

    /// Enters `value` under a reserved number.
    pub(crate) fn fill(&self, key: Key, value: T, ownership: Ownership) {
        // The slot is there and empty: its number was vacant and is reserved.
        if let Some(slot) = self.slot(key.index) {
            slot.store(Owned::new(Entry { generation: key.generation, ownership, value }), Ordering::Release);
            if ownership == Ownership::Caller {
                self.live.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// The object under `key`, if it is still there.
    #[inline]
    pub(crate) fn get<'p>(&self, key: Key, pinned: &'p Guard) -> Option<&'p T> {
        Some(&self.entry(key, pinned)?.value)
    }

    #[inline]
    fn entry<'p>(&self, key: Key, pinned: &'p Guard) -> Option<&'p Entry<T>> {
        // SAFETY: what is loaded from a slot while pinned is not dropped as long as the thread is pinned.
        let entry = unsafe { self.slot(key.index)?.load(Ordering::Acquire, pinned).as_ref() }?;
        (entry.generation == key.generation).then_some(entry)
    }

    /// Takes the object under `key` out. Exactly one of several racing callers gets it. Calls that are running and may
    /// have found it keep it alive; the last of them does not drop it, a thread of graphcap's does. Where `ends` says so they
    /// are waited for, so that the object is gone when this returns, unless they could be waiting for this thread.
    pub(crate) fn remove(&self, key: Key, ends: fn(&T) -> ObjectEnd) -> Option<Removed<T>> {
        let pinned = pin();
        let (entry, ends) = self.exchange(key, Shared::null(), ends, &pinned)?;
        self.give_back_owned(key, entry.ownership);
        let _now = retire(entry, pinned, ends);
        Some(Removed { _now, ends })
    }

    /// The keys of the entries for which `is_meant` holds. Entries that come meanwhile may be among them.
    pub(crate) fn keys(&self, is_meant: impl Fn(&T) -> bool) -> Vec<Key> {
        let (pinned, is_meant) = (pin(), &is_meant);
        let chunks = self.chunks.iter().enumerate().filter_map(|(number, chunk)| Some((number, chunk.get()?)));
        let slots = chunks.flat_map(|(number, chunk)| {
            chunk.iter().enumerate().map(move |(offset, slot)| (index_of(number, offset), slot))
        });
        let key = |(index, slot): (u32, &Atomic<Entry<T>>)| {
            // SAFETY: as in `entry`.
            let entry = unsafe { slot.load(Ordering::Acquire, &pinned).as_ref() }?;
            is_meant(&entry.value).then_some(Key { index, generation: entry.generation })
        };
        slots.filter_map(key).collect()
    }

    /// Takes the object under `key` out and leaves the number taken: it is stale until [`Table::forget_stale`]. Calls that may
    /// have found the object keep it alive, as with [`Table::remove`].
    pub(crate) fn make_stale(&self, key: Key, ends: fn(&T) -> ObjectEnd) -> Option<Taken<T>> {
        let pinned = pin();
        // Held meanwhile: who finds the slot empty finds the number here, and nobody else adds or removes it.
        let mut stale = lock(&self.stale);
        let (entry, ends) = self.exchange(key, Shared::null(), ends, &pinned)?;
        stale.insert(key, entry.ownership);
        Some(Taken { entry: Some(entry), ends })
    }

    /// Puts `value` in the place of the object under `key`.
    pub(crate) fn replace(&self, key: Key, value: T) -> Option<Taken<T>> {
        let pinned = pin();
        let ownership = self.entry(key, &pinned)?.ownership;
        let new = Owned::new(Entry { generation: key.generation, ownership, value }).into_shared(&pinned);
        let taken = self.exchange(key, new, |_| ObjectEnd::Later, &pinned);
        if taken.is_none() {
            // SAFETY: it was made here and came into no slot.
            drop(unsafe { new.into_owned() });
        }
        taken.map(|(entry, ends)| Taken { entry: Some(entry), ends })
    }

    /// Puts `new` into the slot of `key`, if an entry of that is there, and answers that entry, with what `ends` says of it.
    fn exchange<'p>(
        &self,
        key: Key,
        new: Shared<'p, Entry<T>>,
        ends: fn(&T) -> ObjectEnd,
        pinned: &'p Guard,
    ) -> Option<(Owned<Entry<T>>, ObjectEnd)> {
        let slot = self.slot(key.index)?;
        let mut current = slot.load(Ordering::Acquire, pinned);
        loop {
            // SAFETY: as in `entry`.
            let found = unsafe { current.as_ref() }.filter(|found| found.generation == key.generation)?;
            let ends = ends(&found.value);
            match slot.compare_exchange(current, new, Ordering::AcqRel, Ordering::Acquire, pinned) {
                // SAFETY: this call alone took the entry out of its slot, so that nobody new can find it.
                Ok(_) => return Some((unsafe { current.into_owned() }, ends)),
                // Another thread took the entry, or a reset replaced it: the key names what is there now.
                Err(failed) => current = failed.current,
            }
        }
    }

    /// Returns whether a reset took the object under `key`.
    pub(crate) fn is_stale(&self, key: Key) -> bool {
        lock(&self.stale).contains_key(&key)
    }

    /// Gives a stale number back; false where it is none. Of several racing callers one does it.
    pub(crate) fn forget_stale(&self, key: Key) -> bool {
        let was_stale = lock(&self.stale).remove(&key);
        if let Some(ownership) = was_stale {
            self.give_back_owned(key, ownership);
        }
        was_stale.is_some()
    }

    fn give_back_owned(&self, key: Key, ownership: Ownership) {
        if ownership == Ownership::Caller {
            self.live.fetch_sub(1, Ordering::Relaxed);
        }
        self.numbers.give_back(key);
    }

    /// Returns how many entries callers own, and stale numbers.
    pub(crate) fn live(&self) -> usize {
        self.live.load(Ordering::Relaxed)
    }

    #[inline]
    fn slot(&self, index: u32) -> Option<&Atomic<Entry<T>>> {
        let (chunk, offset) = position(index);
        self.chunks.get(chunk)?.get()?.get(offset)
    }
}

/// State of an entry that was taken out.
enum Parting<T> {
    /// Calls may still see it.
    Seen,
    /// No call sees it any more.
    Unseen(Box<Entry<T>>),
    /// The thread that removed it has stopped waiting.
    Abandoned,
}

/// Entries that were removed and that calls may still see.
static SEEN: AtomicUsize = AtomicUsize::new(0);

/// Gives an entry that is out of its slot back when no call sees it any more; `None` when that takes longer, and another
/// thread then drops it.
fn retire<T: Send + Sync + 'static>(entry: Owned<Entry<T>>, pinned: Guard, ends: ObjectEnd) -> Option<Box<Entry<T>>> {
    let parting = Arc::new(Mutex::<_, rank::Parting>::new(Parting::Seen));
    let told = Arc::clone(&parting);
    let unseen = move || {
        // It counts until the thread that drops it has it.
        let _counted = defer(|| {
            SEEN.fetch_sub(1, Ordering::SeqCst);
        });
        let entry = entry.into_box();
        if forked::is_child() {
            return std::mem::forget((entry, told));
        }
        let mut parting = lock(&told);
        match *parting {
            Parting::Abandoned => graphcap_driver::run_aside(Box::new(move || drop(entry))),
            Parting::Seen | Parting::Unseen(_) => *parting = Parting::Unseen(entry),
        }
    };
    SEEN.fetch_add(1, Ordering::SeqCst);
    // SAFETY: the entry is Send, and the closure holds nothing that borrows.
    unsafe { pinned.defer_unchecked(unseen) };
    pinned.flush();
    drop(pinned);
    for _ in 0..TRIES {
        if matches!(*lock(&parting), Parting::Unseen(_)) {
            break;
        }
        pin().flush();
    }
    if ends != ObjectEnd::Later && may_wait() {
        wait_until(ends.patience(), || matches!(*lock(&parting), Parting::Unseen(_)));
    }
    let last = std::mem::replace(&mut *lock(&parting), Parting::Abandoned);
    match last {
        Parting::Unseen(entry) => Some(entry),
        Parting::Seen | Parting::Abandoned => {
            look_after();
            None
        }
    }
}

/// Returns whether this thread may wait for the calls of others. A thread that is in another call itself, and destroys something in a
/// callback, would wait for itself. One that runs work could be what those calls wait for, in a driver whose queue is full.
fn may_wait() -> bool {
    !is_pinned() && !graphcap_driver::is_within_work()
}

/// Moves on what was removed until `is_over` holds, for `patience` at most.
fn wait_until(patience: Duration, mut is_over: impl FnMut() -> bool) {
    let since = Instant::now();
    let (mut yields, mut pause) = (0, FIRST_PAUSE / 50);
    while !is_over() && since.elapsed() < patience {
        if yields < YIELDS {
            yields += 1;
            std::thread::yield_now();
        } else {
            std::thread::sleep(pause);
            pause = (pause * 2).min(FIRST_PAUSE);
        }
        pin().flush();
    }
}

/// Waits until `is_over` holds, which objects keep from holding whose handles are destroyed. Stops when all of these are gone, and
/// after [`LONGEST_WAIT`].
pub(crate) fn finish_removed(mut is_over: impl FnMut() -> bool) {
    if may_wait() {
        wait_until(LONGEST_WAIT, || {
            // Asked before the last look, which then sees what the last of them let go of.
            let are_gone = SEEN.load(Ordering::SeqCst) == 0 && graphcap_driver::is_nothing_aside();
            is_over() || are_gone
        });
    }
}

/// Makes a thread look, until there are none, for entries that no call sees any more. Without a thread the next removal that
/// has to leave one asks again.
#[cold]
fn look_after() {
    static LOOKING: AtomicBool = AtomicBool::new(false);
    fn look() {
        let mut pause = FIRST_PAUSE;
        loop {
            std::thread::sleep(pause);
            pause = (pause * 2).min(LONGEST_PAUSE);
            drain();
            if SEEN.load(Ordering::SeqCst) == 0 {
                LOOKING.store(false, Ordering::SeqCst);
                // One may have come since; whoever left it saw this thread still looking.
                if SEEN.load(Ordering::SeqCst) == 0 || LOOKING.swap(true, Ordering::SeqCst) {
                    return;
                }
            }
        }
    }
    if !LOOKING.swap(true, Ordering::SeqCst) && graphcap_driver::start_thread("graphcap-handles", look).is_err() {
        LOOKING.store(false, Ordering::SeqCst);
    }
}

/// Drops, on other threads, what was removed and no call sees any more. Each try moves on a few of them, so as long as
/// tries help there are more.
pub(crate) fn drain() {
    let mut idle = 0;
    while SEEN.load(Ordering::SeqCst) > 0 && idle < TRIES {
        let before = SEEN.load(Ordering::SeqCst);
        pin().flush();
        idle = if SEEN.load(Ordering::SeqCst) < before { 0 } else { idle + 1 };
    }
}

/// Lets the collector forget the threads that have ended, when no call is running any more.
pub(crate) fn forget_threads() {
    for _ in 0..TRIES {
        pin().flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    struct Counted(u64, Arc<AtomicU64>);

    impl Drop for Counted {
        fn drop(&mut self) {
            self.1.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn wait_for(count: &AtomicU64, wanted: u64) {
        while count.load(Ordering::SeqCst) < wanted {
            std::thread::sleep(FIRST_PAUSE);
        }
    }

    impl<T: Send + Sync + 'static> Table<T> {
        /// Enters `value`; `None` when all numbers are taken.
        fn insert(&self, value: T) -> Option<Key> {
            let key = self.reserve()?;
            self.fill(key, value, Ownership::Caller);
            Some(key)
        }
    }

    #[test]
    fn a_removed_key_is_dead_for_good() {
        let table = Table::new();
        let mut old = Vec::new();
        for n in 0..1000u32 {
            let key = table.insert(n).unwrap();
            assert_eq!(*table.get(key, &pin()).unwrap(), n);
            assert!(table.remove(key, |_| ObjectEnd::Later).is_some());
            assert!(table.remove(key, |_| ObjectEnd::Later).is_none());
            old.push(key);
        }
        let _keep: Vec<_> = (0..1000u32).map(|n| table.insert(n).unwrap()).collect();
        assert!(old.iter().all(|&key| table.get(key, &pin()).is_none()));
        assert_eq!(table.live(), 1000);
    }

    #[test]
    fn an_object_lives_while_a_call_uses_it() {
        let (table, dropped) = (Table::new(), Arc::new(AtomicU64::new(0)));
        let key = table.insert(Counted(7, Arc::clone(&dropped))).unwrap();
        let pinned = pin();
        let borrowed = table.get(key, &pinned).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| drop(table.remove(key, |_| ObjectEnd::Later).unwrap()));
        });
        assert!(table.get(key, &pin()).is_none());
        // Whatever others do meanwhile.
        for n in 0..1000 {
            let other = table.insert(Counted(n, Arc::default())).unwrap();
            drop(table.remove(other, |_| ObjectEnd::Later));
        }
        assert_eq!((borrowed.0, dropped.load(Ordering::SeqCst)), (7, 0));
        drop(pinned);
        wait_for(&dropped, 1);
    }

    #[test]
    fn an_object_that_is_waited_for_is_gone_afterwards() {
        let (table, dropped) = (Table::new(), Arc::new(AtomicU64::new(0)));
        let key = table.insert(Counted(7, Arc::clone(&dropped))).unwrap();
        let (seen, go) = (AtomicBool::new(false), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let pinned = pin();
                let borrowed = table.get(key, &pinned).unwrap();
                seen.store(true, Ordering::SeqCst);
                while !go.load(Ordering::SeqCst) {
                    std::thread::yield_now();
                }
                assert_eq!((borrowed.0, dropped.load(Ordering::SeqCst)), (7, 0));
            });
            while !seen.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
            scope.spawn(|| {
                std::thread::sleep(FIRST_PAUSE * 5);
                go.store(true, Ordering::SeqCst);
            });
            drop(table.remove(key, |_| ObjectEnd::AtOnce).unwrap());
            assert_eq!((go.load(Ordering::SeqCst), dropped.load(Ordering::SeqCst)), (true, 1));
        });
        // Not by a thread that would wait for itself.
        let key = table.insert(Counted(8, Arc::clone(&dropped))).unwrap();
        let pinned = pin();
        drop(table.remove(key, |_| ObjectEnd::AtOnce).unwrap());
        drop(pinned);
        wait_for(&dropped, 2);
    }

    #[test]
    fn one_of_many_removers_wins_and_readers_stay_valid() {
        let (table, dropped) = (Table::new(), Arc::new(AtomicU64::new(0)));
        let won = AtomicU64::new(0);
        for round in 0..500 {
            let key = table.insert(Counted(round, Arc::clone(&dropped))).unwrap();
            std::thread::scope(|scope| {
                for _ in 0..3 {
                    scope.spawn(|| {
                        if let Some(entry) = table.get(key, &pin()) {
                            assert_eq!(entry.0, round);
                        }
                        if table.remove(key, |_| ObjectEnd::Later).is_some() {
                            won.fetch_add(1, Ordering::SeqCst);
                        }
                    });
                }
            });
        }
        assert_eq!((won.load(Ordering::SeqCst), table.live()), (500, 0));
        wait_for(&dropped, 500);
        assert_eq!(dropped.load(Ordering::SeqCst), 500);
    }

    #[test]
    fn readers_and_removers_under_load() {
        let (table, dropped) = (Table::new(), Arc::new(AtomicU64::new(0)));
        let current = AtomicU64::new(0);
        let pack = |key: Key| u64::from(key.generation) << 32 | u64::from(key.index);
        let unpack = |number: u64| Key { index: number as u32, generation: (number >> 32) as u32 };
        let rounds = if std::env::var_os("GRAPHCAP_SOAK").is_some() { 200_000 } else { 4_000 };
        current.store(pack(table.insert(Counted(0, Arc::clone(&dropped))).unwrap()), Ordering::SeqCst);
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        let pinned = pin();
                        for _ in 0..3 {
                            if let Some(entry) = table.get(unpack(current.load(Ordering::Relaxed)), &pinned) {
                                assert!(entry.0 < rounds);
                            }
                        }
                    }
                });
            }
            for round in 1..rounds {
                let next = table.insert(Counted(round, Arc::clone(&dropped))).unwrap();
                let old = current.swap(pack(next), Ordering::SeqCst);
                assert!(table.remove(unpack(old), |_| ObjectEnd::Later).is_some());
            }
            done.store(true, Ordering::Relaxed);
        });
        drop(table.remove(unpack(current.load(Ordering::SeqCst)), |_| ObjectEnd::Later));
        wait_for(&dropped, rounds);
        assert_eq!(dropped.load(Ordering::SeqCst), rounds);
    }
}
