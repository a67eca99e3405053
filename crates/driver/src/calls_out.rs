//! Calls of functions of the caller's on graphcap's threads and the driver's, while the runtime that they belong to may be about to
//! end.
//!
//! A function may end the thread that it is called on. A runtime that ends threads is most often about to go, and the process
//! with it, and a function that is called meanwhile finds half of the runtime: one of CPython's crashes then. So after such an
//! end, and when an interpreter of CPython has ended, no function is called for a while.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use super::{callbacks, threads};

/// Time for which no function is called after one has ended its thread, or after an interpreter has ended.
const PAUSE: Duration = Duration::from_millis(100);
/// Length of the wait where the process ends meanwhile, which is shorter.
const LAST_PAUSE: Duration = Duration::from_secs(5);
/// Longest time until a thread sees that the process ends.
const LOOK: Duration = Duration::from_millis(5);

/// Time from which on functions may be called again, in nanoseconds since [`START`]; 0 while none was held back.
static RESUME: AtomicU64 = AtomicU64::new(0);
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Calls a function of the caller's; `None` if it ended the thread. The closure does nothing else: see [`graphcap_environment::outlive`].
#[inline]
pub fn call<T>(function: impl FnOnce() -> T) -> Option<T> {
    if callbacks::inside_work() {
        if graphcap_environment::has_python_just_ended() {
            hold_back();
        }
        if left() > 0 {
            wait();
        }
    }
    let returned = graphcap_environment::outlive(function);
    if returned.is_none() {
        hold_back();
    }
    returned
}

/// Nanoseconds for which functions are held back.
#[inline]
fn left() -> u64 {
    match RESUME.load(Ordering::Relaxed) {
        0 => 0,
        resume => resume.saturating_sub(START.elapsed().as_nanos() as u64),
    }
}

/// A function has ended its thread, or an interpreter has ended.
#[cold]
fn hold_back() {
    RESUME.store((START.elapsed() + PAUSE).as_nanos() as u64, Ordering::Relaxed);
}

/// Waits until functions may be called.
#[cold]
fn wait() {
    loop {
        let left = left();
        if left == 0 {
            return;
        }
        if threads::are_ending() {
            return std::thread::sleep(LAST_PAUSE);
        }
        std::thread::sleep(LOOK.min(Duration::from_nanos(left)));
    }
}

/// Returns whether functions are held back.
pub fn are_held_back() -> bool {
    left() > 0
}
