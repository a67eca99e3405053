//! The lock of what the driver's graphs share.

use graphcap_base::lock::{lock, rank, Mutex, MutexGuard};

/// Held while the driver copies a graph, also as a child, takes a node out of one, destroys one, and makes or destroys an exec.
/// Graphs that are copies of each other share what the driver changes then: threads that did these at once were seen to crash
/// (580).
static RELATED: Mutex<(), rank::Related> = Mutex::new(());

/// Locks what graphs share that are copies of each other. Under it no other lock is taken, but for
/// those that the driver's calls into graphcap take.
pub(crate) fn related() -> MutexGuard<'static, ()> {
    lock(&RELATED)
}

/// As [`related`]; `None` while another thread holds it. For a call at the gate, where no thread is waited for.
pub(crate) fn try_related() -> Option<MutexGuard<'static, ()>> {
    RELATED.try_lock()
}
