//! The end of the process. A destroy returns at once and may leave the rest to a thread of graphcap's: an object that another
//! call still used, a callback of the caller's, a lane that finishes its work. When all handles are destroyed the end of the
//! process waits for these threads, so that the caller's `destroy` functions have run and a leak checker finds nothing.
//!
//! It waits for a limited time, and not at all while handles are left, in a forked child, or when work of graphcap's called
//! `exit`. It gives up while callbacks are held back, as the runtime that they belong to may be gone. It takes no lock that it
//! would have to wait for: `exit` may be called anywhere.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::handle;
use graphcap_driver::forked;

/// Longest time that the end of the process waits.
const LIMIT: Duration = Duration::from_secs(5);
/// Pause between two looks, at first and at most.
const PAUSES: [Duration; 2] = [Duration::from_micros(50), Duration::from_millis(2)];

/// The process that is ending; 0 while none is.
static ENDING: AtomicU32 = AtomicU32::new(0);
/// The process that made the first context.
static PROCESS: OnceLock<u32> = OnceLock::new();

/// Makes the end of the process wait. To be called when a context was made: handlers run in the reverse order of their
/// registration, so this one runs before those of a driver that was loaded for the context.
pub(crate) fn watch() {
    extern "C" fn at_exit() {
        ENDING.store(PROCESS.get().copied().unwrap_or(0), Ordering::SeqCst);
        graphcap_driver::note_process_end();
        settle();
    }
    PROCESS.get_or_init(|| {
        // SAFETY: the handler may be called at any time, and the library stays mapped (it is linked with -z nodelete). Where
        // the process has no memory for it, its end waits for nothing.
        unsafe { libc::atexit(at_exit) };
        std::process::id()
    });
}

/// To be called when a handle was destroyed. While the process ends, destructors of the caller's may run after the handler.
#[inline]
pub(crate) fn after_destroy() {
    if ENDING.load(Ordering::Relaxed) != 0 {
        settle();
    }
}

#[cold]
fn settle() {
    let is_elsewhere = forked::is_child() || ENDING.load(Ordering::SeqCst) != std::process::id();
    // A call that waits for itself would wait in vain.
    if is_elsewhere || graphcap_driver::is_within_work() || handle::is_pinned() {
        return;
    }
    let since = Instant::now();
    let [mut pause, longest] = PAUSES;
    while handle::live() == 0 && since.elapsed() < LIMIT && !graphcap_driver::are_calls_held_back() {
        if graphcap_devices::have_threads_ended() {
            return handle::forget_threads();
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(longest);
    }
}
