//! What graphs kept and the driver let go of. It says so on a thread of its own, where nothing may be done; so it is
//! dropped by the next call that makes or destroys something, or a moment later by a thread.
//!
//! The calling thread used these objects last, so dropping them there is cheap; on another core it would slow down the
//! next recording as well.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Mutex;
use std::time::Duration;

use super::lock;
use crate::driver::{callbacks, Retained};

/// How long it may lie when no call comes.
const PATIENCE: Duration = Duration::from_millis(2);

static GARBAGE: Mutex<Vec<Retained>> = Mutex::new(Vec::new());
/// Whether there is some, to look without locking.
static PENDING: AtomicBool = AtomicBool::new(false);
/// Whether a thread is about to sweep.
static SCHEDULED: AtomicBool = AtomicBool::new(false);

/// Takes what is to be dropped. Called on threads of the driver's.
pub(super) fn put(list: Retained) {
    lock(&GARBAGE).push(list);
    PENDING.store(true, Ordering::SeqCst);
    if !SCHEDULED.swap(true, Ordering::SeqCst) {
        callbacks::run(Box::new(|| {
            std::thread::sleep(PATIENCE);
            // Whoever finds a sweep scheduled relies on it: not later than it is seen to be over, the garbage is looked at.
            SCHEDULED.swap(false, Ordering::SeqCst);
            sweep_now();
        }));
    }
}

/// Drops what there is. What would run code of the caller's is left to a thread where that may block.
#[inline]
pub(super) fn sweep() {
    if PENDING.load(Ordering::Relaxed) {
        sweep_now();
    }
}

#[cold]
fn sweep_now() {
    let garbage = {
        let mut garbage = lock(&GARBAGE);
        PENDING.store(false, Ordering::SeqCst);
        std::mem::take(&mut *garbage)
    };
    for list in garbage {
        if list.calls_out() {
            callbacks::run(Box::new(move || drop(list)));
        }
    }
}
