//! The ends of captures. The end of a capture may be the end of its graph, so nothing may be done to the graph meanwhile: not by
//! the context that the capture was begun in, nor by another one of which a stream is in the capture.

use std::sync::atomic::{AtomicU8, Ordering};

use graphcap_base::lock::{rank, RwLock, RwLockReadGuard, RwLockWriteGuard};
use smallvec::SmallVec;

/// Number of locks.
const PLACES: usize = 8;

/// The lock that keeps ends apart from who uses the graphs of captures.
pub(crate) static CAPTURE_END_LOCK: CaptureEndLock = CaptureEndLock::new();

/// As [`CAPTURE_END_LOCK`].
pub(crate) struct CaptureEndLock {
    /// One for each context, or for a few. Who uses a graph that is captured into reads that of its context, so that contexts do
    /// not wait for each other. An end writes that of its context and those of contexts that visit, in their order.
    locks: [RwLock<(), rank::Ends>; PLACES],
    /// A bit for each lock of which a context ever visited: a stream of it may be in a capture of another context.
    visits: AtomicU8,
}

/// An end that goes on.
pub(crate) struct CaptureEnd<'a> {
    _locks: SmallVec<[RwLockWriteGuard<'a, ()>; 1]>,
}

fn place_of(context: u64) -> usize {
    context as usize % PLACES
}

impl CaptureEndLock {
    const fn new() -> CaptureEndLock {
        CaptureEndLock { locks: [const { RwLock::new(()) }; PLACES], visits: AtomicU8::new(0) }
    }

    /// Locks the places of which `needed` gives the bits, as of when they are locked: one may come to be needed while another is waited for.
    fn write(&self, needed: impl Fn() -> u8) -> CaptureEnd<'_> {
        let mut places = needed();
        loop {
            let locks = self.locks.iter().enumerate().filter(|(place, _)| places & 1 << place != 0);
            let ending = CaptureEnd { _locks: locks.map(|(_, lock)| lock.write()).collect() };
            let now = needed();
            if now & !places == 0 {
                return ending;
            }
            // All of them anew, so that two ends lock in one order.
            drop(ending);
            places = now;
        }
    }

    /// No capture ends that a stream of context number `context` is in.
    pub(crate) fn none(&self, context: u64) -> RwLockReadGuard<'_, ()> {
        self.locks[place_of(context)].read()
    }

    /// A stream of context number `context` ends a capture, which is one of another context where that visits.
    pub(crate) fn one(&self, context: u64) -> CaptureEnd<'_> {
        let own = 1 << place_of(context);
        self.write(|| match self.visits.load(Ordering::Acquire) {
            visits if visits & own != 0 => u8::MAX,
            visits => visits | own,
        })
    }

    /// A stream of context number `context` is about to join a capture that may be of another context.
    pub(crate) fn visit(&self, context: u64) {
        let own = 1 << place_of(context);
        if self.visits.load(Ordering::Acquire) & own == 0 {
            // No end goes on that does not know of it.
            let _ends = self.write(|| u8::MAX);
            self.visits.fetch_or(own, Ordering::AcqRel);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_keeps_out_who_can_be_in_the_capture() {
        let (home, guest, stranger) = (1, 2, 3);
        let ends = CaptureEndLock::new();
        let is_free = |context| ends.locks[place_of(context)].is_open_to_readers();
        let ending = ends.one(home);
        assert!(!is_free(home) && is_free(guest) && is_free(stranger));
        drop(ending);
        ends.visit(guest);
        let ending = ends.one(home);
        assert!(!is_free(home) && !is_free(guest) && is_free(stranger));
        drop(ending);
        let ending = ends.one(guest);
        assert!(!is_free(home) && !is_free(stranger), "a guest may end what began anywhere");
        drop(ending);
        assert!([home, guest, stranger].into_iter().all(is_free));
    }

    #[test]
    fn a_context_that_begins_to_visit_is_kept_out_of_an_end_that_waits() {
        // In both orders of the places.
        for (home, guest) in [(2, 1), (1, 2)] {
            let ends = CaptureEndLock::new();
            let using = ends.none(home);
            std::thread::scope(|scope| {
                let ending = scope.spawn(|| {
                    let _ending = ends.one(home);
                    !ends.locks[place_of(guest)].is_open_to_readers()
                });
                // Nobody else reads a lock for which a writer waits.
                while ends.locks[place_of(home)].is_open_to_readers() {
                    std::thread::yield_now();
                }
                // As `visit` does, which has every lock then: here that of `home` stands for the rest.
                ends.visits.fetch_or(1 << place_of(guest), Ordering::AcqRel);
                drop(using);
                assert!(ending.join().unwrap(), "home {home}, guest {guest}");
            });
        }
    }
}
