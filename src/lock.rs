//! Locking a mutex whose data holds at every point between two statements.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex whose data holds at every point between two statements, so that a panic of another thread does not matter.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
