//! Another static library of Rust, for a program that links it beside graphcap's. It uses what both have a copy of in Rust's
//! standard library: the allocator, threads, thread-locals, panics and their unwinding.

use std::cell::Cell;
use std::panic::{catch_unwind, AssertUnwindSafe};

thread_local! {
    static CALLS: Cell<u32> = const { Cell::new(0) };
}

/// The sum of the numbers below `count`, worked out as texts on a thread of its own; u64::MAX where there is none.
#[no_mangle]
pub extern "C" fn other_sum(count: u32) -> u64 {
    CALLS.set(CALLS.get() + 1);
    let texts = std::thread::spawn(move || (0..count).map(|number| number.to_string()).collect::<Vec<_>>()).join();
    texts.map_or(u64::MAX, |texts| texts.iter().filter_map(|text| text.parse::<u64>().ok()).sum())
}

/// Number of times that the calling thread has called `other_sum`.
#[no_mangle]
pub extern "C" fn other_calls() -> u32 {
    CALLS.get()
}

/// Panics and catches it. Returns 1 when the panic was caught and has dropped what it passed.
#[no_mangle]
pub extern "C" fn other_panic() -> i32 {
    struct Dropped<'a>(&'a Cell<i32>);
    impl Drop for Dropped<'_> {
        fn drop(&mut self) {
            self.0.set(1);
        }
    }
    let dropped = Cell::new(0);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let _guard = Dropped(&dropped);
        panic!("the other library panics, as it was asked to");
    }));
    i32::from(outcome.is_err()) * dropped.get()
}
