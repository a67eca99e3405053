//! Looking at captures that go on, which keeps the streams that they were begun on: a stream's destroy waits for that.

use std::cell::Cell;

use crate::driver;
use crate::lock::{rank, RwLock, RwLockReadGuard};

/// Held, for reading, while captures are looked at, which keeps their streams: see [`await_examiners`].
static EXAMINING: RwLock<(), rank::Examining> = RwLock::new(());

thread_local! {
    /// Whether this thread is looking at captures.
    static LOOKS: Cell<bool> = const { Cell::new(false) };
}

/// While it lives, streams that this thread takes from stories are waited for by [`await_examiners`].
pub(super) struct Looking(Option<RwLockReadGuard<'static, ()>>);

impl Looking {
    pub(super) fn begin() -> Looking {
        // Nested ones are part of the outermost, which holds the lock.
        match LOOKS.try_with(|looks| looks.replace(true)) {
            Ok(false) => Looking(Some(EXAMINING.read())),
            _ => Looking(None),
        }
    }
}

impl Drop for Looking {
    fn drop(&mut self) {
        if self.0.is_some() {
            LOOKS.set(false);
        }
    }
}

/// After a stream was destroyed: waits until no other thread uses it any more because of a failing call. What it stands
/// for may be the caller's, who may destroy that next.
pub fn await_examiners() {
    // A thread that runs work could keep the examiner from ending.
    if !LOOKS.try_with(Cell::get).unwrap_or(true) && !driver::is_within_work() {
        drop(EXAMINING.write());
    }
}
