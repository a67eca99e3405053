//! What graphs and execs kept and have let go of: lists that are to be dropped where no lock is held, and where that may
//! take its time.
//!
//! A call that destroys a graph or an exec drops its lists itself at the end: its thread used these objects last, so it is
//! cheap there; on another core it would slow down the next recording as well. The driver lets go of its user objects on a
//! thread of its own, where nothing may be done: these lists are dropped by the next call that makes or destroys
//! something, or a moment later by a thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{callbacks, Retained};

/// How long it may lie when no call comes.
const PATIENCE: Duration = Duration::from_millis(2);

static GARBAGE: Mutex<Vec<Retained>, rank::Garbage> = Mutex::new(Vec::new());
/// Whether there is some, to look without locking.
static PENDING: AtomicBool = AtomicBool::new(false);
/// Whether a thread is about to sweep.
static SCHEDULED: AtomicBool = AtomicBool::new(false);

/// Takes a list that is to be dropped from callers that cannot do it: threads of the driver's, and calls that failed.
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

/// Drops lists, and what others put, for a caller that holds no lock.
pub(super) fn end(lists: impl IntoIterator<Item = Retained>) {
    lists.into_iter().for_each(drop_list);
    sweep();
}

/// Drops what others put.
#[inline]
pub(super) fn sweep() {
    if PENDING.load(Ordering::Relaxed) {
        sweep_now();
    }
}

fn sweep_now() {
    let garbage = {
        let mut garbage = lock(&GARBAGE);
        PENDING.store(false, Ordering::SeqCst);
        std::mem::take(&mut *garbage)
    };
    garbage.into_iter().for_each(drop_list);
}

/// A list that would run code of the caller's is left to a thread where that may block.
fn drop_list(list: Retained) {
    if list.calls_out() {
        callbacks::run(Box::new(move || drop(list)));
    }
}
