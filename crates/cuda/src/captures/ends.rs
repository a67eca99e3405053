//! The ends of captures. The end of a capture may be the end of its graph, so nothing may be done to the graph meanwhile: not by
//! the context that the capture was begun in, nor by another one of which a stream is in the capture.

use std::sync::atomic::{AtomicBool, Ordering};

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
    /// For each lock whether one of its contexts ever visited: a stream of it may be in a capture of another context.
    visits: [AtomicBool; PLACES],
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
        CaptureEndLock {
            locks: [const { RwLock::new(()) }; PLACES],
            visits: [const { AtomicBool::new(false) }; PLACES],
        }
    }

    fn visits(&self, place: usize) -> bool {
        self.visits[place].load(Ordering::Acquire)
    }

    /// Locks the places that are needed, as of when they are locked: one may come to be needed while another is waited for.
    fn write(&self, is_needed: impl Fn(usize) -> bool) -> CaptureEnd<'_> {
        let needed = || std::array::from_fn::<bool, PLACES, _>(&is_needed);
        let mut places = needed();
        loop {
            let locks = self.locks.iter().zip(places).filter(|(_, is_locked)| *is_locked);
            let ending = CaptureEnd { _locks: locks.map(|(lock, _)| lock.write()).collect() };
            let now = needed();
            if now.iter().zip(places).all(|(&is_needed, is_locked)| is_locked || !is_needed) {
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
        let own = place_of(context);
        self.write(|place| place == own || self.visits(own) || self.visits(place))
    }

    /// A stream of context number `context` is about to join a capture that may be of another context.
    pub(crate) fn visit(&self, context: u64) {
        let own = place_of(context);
        if !self.visits(own) {
            // No end goes on that does not know of it.
            let _ends = self.write(|_| true);
            self.visits[own].store(true, Ordering::Release);
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
                ends.visits[place_of(guest)].store(true, Ordering::Release);
                drop(using);
                assert!(ending.join().unwrap(), "home {home}, guest {guest}");
            });
        }
    }
}
