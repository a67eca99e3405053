//! Keeps calls of the driver apart that crash it when threads make them at once (580.159, measured by raw programs): what begins and
//! ends captures, and what asks about or records on a stream that is in one. docs/architecture/known-issues.md has the list.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use graphcap_base::lock::{lock, rank, Mutex, MutexGuard};
use graphcap_base::thread::{this_thread, ThreadNumber};

/// Number of counters, so that threads do not share one.
const COUNTERS: usize = 16;

/// The gate of all calls of the process.
struct Gate {
    /// Calls that may be made beside each other.
    readers: [Counter; COUNTERS],
    /// Number of captures that have ended, or may have, by calls of graphcap's, on whatever devices.
    end_count: AtomicU64,
    /// Tells whether a call waits for all readers to return, or is made.
    is_closed: AtomicBool,
    /// The thread that makes it; 0 for none.
    writer: AtomicU64,
    /// Held over a call that is made alone.
    turn: Mutex<(), rank::CaptureGate>,
}

static GATE: Gate = Gate {
    readers: [const { Counter::new() }; COUNTERS],
    end_count: AtomicU64::new(0),
    is_closed: AtomicBool::new(false),
    writer: AtomicU64::new(0),
    turn: Mutex::new(()),
};

/// Calls that go on, on a cache line of its own.
#[repr(align(128))]
struct Counter {
    /// Those of one thread, which alone writes it: each of the first threads has one.
    own: AtomicUsize,
    /// Those of all others that count here.
    shared: AtomicUsize,
}

impl Counter {
    const fn new() -> Counter {
        let [own, shared] = [const { AtomicUsize::new(0) }; 2];
        Counter { own, shared }
    }

    fn is_zero(&self) -> bool {
        self.own.load(Ordering::SeqCst) | self.shared.load(Ordering::SeqCst) == 0
    }
}

/// A capture may have ended. To be called before the thread lets others to the gate.
pub(crate) fn note_end() {
    GATE.end_count.fetch_add(1, Ordering::SeqCst);
}

/// Returns how often [`note_end`] was called.
#[inline]
pub(crate) fn ends() -> u64 {
    GATE.end_count.load(Ordering::Relaxed)
}

/// Counts a call, or a thread that waits, until it is dropped.
pub(crate) struct Counted<'a>(&'a AtomicUsize);

impl Counted<'_> {
    #[inline]
    pub(crate) fn add(counter: &AtomicUsize) -> Counted<'_> {
        counter.fetch_add(1, Ordering::SeqCst);
        Counted(counter)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

/// Lets one call be made that begins or ends no capture. It stays on its thread, which is the one that counts.
pub(crate) struct GateRead {
    counter: &'static AtomicUsize,
    /// Tells whether no other thread writes the counter.
    is_own: bool,
    thread: PhantomData<*const ()>,
}

impl GateRead {
    #[inline]
    fn begin() -> GateRead {
        GateRead::count(&GATE.readers, this_thread())
    }

    /// Counts a call of `thread`, which is the calling one.
    #[inline]
    fn count(readers: &'static [Counter; COUNTERS], thread: ThreadNumber) -> GateRead {
        let thread = thread.0 as usize;
        let Counter { own, shared } = &readers[thread % COUNTERS];
        let is_own = thread < COUNTERS;
        match is_own {
            true => own.swap(own.load(Ordering::Relaxed) + 1, Ordering::SeqCst),
            false => shared.fetch_add(1, Ordering::SeqCst),
        };
        GateRead { counter: if is_own { own } else { shared }, is_own, thread: PhantomData }
    }
}

impl Drop for GateRead {
    #[inline]
    fn drop(&mut self) {
        match self.is_own {
            true => self.counter.store(self.counter.load(Ordering::Relaxed) - 1, Ordering::Release),
            false => _ = self.counter.fetch_sub(1, Ordering::Release),
        }
    }
}

/// Lets calls be made while nobody is [`read`].
pub(crate) struct GateWrite {
    /// `None` within a section of this thread that is alone already.
    turn: Option<MutexGuard<'static, ()>>,
}

impl GateWrite {
    /// Returns whether the thread was alone already, and stays so.
    pub(crate) fn is_nested(&self) -> bool {
        self.turn.is_none()
    }
}

impl Drop for GateWrite {
    fn drop(&mut self) {
        if self.turn.is_some() {
            GATE.writer.store(0, Ordering::Relaxed);
            GATE.is_closed.store(false, Ordering::Release);
        }
    }
}

/// For a call on a stream or an event that may be in a capture which another thread begins or ends. No lock is waited for, and no thread,
/// until what this gives is dropped: so it is held over a call that does not block, and over that alone. `None` within a section of this
/// thread that is alone.
#[inline]
pub(crate) fn read() -> Option<GateRead> {
    // Before the look, as `write` closes the gate before it looks at the counters.
    let reading = GateRead::begin();
    match GATE.is_closed.load(Ordering::SeqCst) {
        true => read_when_open(reading),
        false => Some(reading),
    }
}

/// As [`read`], of a thread that has counted and found the gate closed.
#[cold]
#[inline(never)]
fn read_when_open(mut reading: GateRead) -> Option<GateRead> {
    while GATE.is_closed.load(Ordering::SeqCst) {
        drop(reading);
        if is_alone() {
            return None;
        }
        drop(lock(&GATE.turn));
        reading = GateRead::begin();
    }
    Some(reading)
}

/// Returns whether this thread is within a section that is alone, in which it waits for no other one.
#[inline]
pub(crate) fn is_alone() -> bool {
    GATE.writer.load(Ordering::Relaxed) == this_thread().0
}

/// For the begin and the end of a capture, a record of an event in one, and uses of a graph that is captured into.
pub(crate) fn write() -> GateWrite {
    if is_alone() {
        return GateWrite { turn: None };
    }
    let turn = lock(&GATE.turn);
    GATE.is_closed.store(true, Ordering::SeqCst);
    for counter in &GATE.readers {
        let mut looks = 0_u32;
        while !counter.is_zero() {
            looks += 1;
            match looks {
                0..64 => std::hint::spin_loop(),
                _ => std::thread::yield_now(),
            }
        }
    }
    GATE.writer.store(this_thread().0, Ordering::Relaxed);
    GateWrite { turn: Some(turn) }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;

    #[test]
    fn each_call_counts_until_it_returns_whichever_thread_makes_it() {
        static READERS: [Counter; COUNTERS] = [const { Counter::new() }; COUNTERS];
        let is_read = || READERS.iter().any(|counter| !counter.is_zero());
        let count = |thread| GateRead::count(&READERS, ThreadNumber(thread));
        let most = COUNTERS as u64;
        for thread in 1..3 * most {
            // The other one counts at the same place.
            for other in [thread, thread + most, thread + 2 * most] {
                let (first, second) = (count(thread), count(other));
                assert_eq!((first.is_own, second.is_own), (thread < most, other < most));
                assert!(is_read());
                drop(first);
                assert!(is_read(), "threads {thread} and {other}");
                drop(second);
                assert!(!is_read(), "threads {thread} and {other}");
            }
        }
    }

    #[test]
    fn who_is_alone_has_nobody_read() {
        static INSIDE: AtomicU32 = AtomicU32::new(0);
        static IS_ALONE: AtomicBool = AtomicBool::new(false);
        std::thread::scope(|scope| {
            // More than have a counter to themselves.
            for _ in 0..COUNTERS + 2 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let _beside = read().expect("the thread is not alone");
                        INSIDE.fetch_add(1, Ordering::SeqCst);
                        assert!(!IS_ALONE.load(Ordering::SeqCst));
                        INSIDE.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
            for _ in 0..2 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let _alone = write();
                        assert!(!IS_ALONE.swap(true, Ordering::SeqCst), "two are alone");
                        assert_eq!(INSIDE.load(Ordering::SeqCst), 0);
                        assert!(read().is_none(), "the thread is alone already");
                        drop(write());
                        assert_eq!(INSIDE.load(Ordering::SeqCst), 0, "the inner section let others in");
                        IS_ALONE.store(false, Ordering::SeqCst);
                    }
                });
            }
        });
    }
}
