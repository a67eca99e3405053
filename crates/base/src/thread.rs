//! Numbers for threads.
//!
//! A thread may call graphcap while it ends, from a destructor of thread-specific data (`pthread_key_create`) that runs
//! after Rust's own thread-locals are gone. `std::thread::current` panics there. The number of a thread is in a
//! thread-local without destructor, which stays readable and writable as long as the thread runs.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// Names a thread of the process. No two threads have the same number, also when one has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ThreadNumber(pub u64);

/// The calling thread. Threads are numbered from 1, in the order in which they first call this.
#[inline]
pub fn this_thread() -> ThreadNumber {
    thread_local! {
        static NUMBER: Cell<u64> = const { Cell::new(0) };
    }
    static LAST: AtomicU64 = AtomicU64::new(0);
    if NUMBER.get() == 0 {
        NUMBER.set(LAST.fetch_add(1, Ordering::Relaxed) + 1);
    }
    ThreadNumber(NUMBER.get())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_has_a_number_of_its_own_and_keeps_it() {
        let own = this_thread();
        let others: Vec<_> = (0..3).map(|_| std::thread::spawn(this_thread).join().unwrap()).collect();
        assert_eq!(this_thread(), own);
        let mut all = vec![own.0];
        all.extend(others.iter().map(|other| other.0));
        all.sort_unstable();
        all.dedup();
        assert!(all.len() == 4 && all[0] > 0, "{all:?}");
    }
}
