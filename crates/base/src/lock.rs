//! Locks that have a place in the one order in which locks are taken, which `rank.rs` lists. Debug builds check the order; in
//! release builds these types are those of the standard library, with nothing added.
//!
//! What a lock guards holds at every point between two statements. So a lock that a panic poisoned is used all the same.

mod order;
pub mod rank;
// Release builds check no order: what is refused here would wait for ever there.
#[cfg(all(test, debug_assertions))]
mod tests;

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::{self, PoisonError, TryLockError, WaitTimeoutResult};
use std::time::{Duration, Instant};

use crossbeam_utils::Backoff;

use order::HeldLock;
use rank::Rank;

/// A mutex with the rank `R`.
#[repr(transparent)]
pub struct Mutex<T: ?Sized, R> {
    rank: PhantomData<fn() -> R>,
    mutex: sync::Mutex<T>,
}

/// A mutex that is locked by this thread.
#[must_use]
pub struct MutexGuard<'a, T: ?Sized> {
    // Dropped in this order: the lock is let go first.
    guard: sync::MutexGuard<'a, T>,
    held: HeldLock,
}

impl<T, R> Mutex<T, R> {
    /// A mutex that nobody has locked.
    pub const fn new(value: T) -> Self {
        Mutex { rank: PhantomData, mutex: sync::Mutex::new(value) }
    }
}

impl<T: ?Sized, R: Rank> Mutex<T, R> {
    /// Locks the mutex if nobody has it. This waits for nobody, so the order of locks does not bind it.
    #[inline]
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        let guard = match self.mutex.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        Some(MutexGuard { guard, held: HeldLock::without_waiting::<R>(address(self)) })
    }

    /// Returns what the mutex guards. Nobody else can have it.
    #[inline]
    pub fn get_mut(&mut self) -> &mut T {
        self.mutex.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    fn lock_at(&self, position: usize) -> MutexGuard<'_, T> {
        let held = HeldLock::of::<R>(position);
        MutexGuard { guard: self.mutex.lock().unwrap_or_else(PoisonError::into_inner), held }
    }
}

/// Locks `mutex`.
#[inline]
pub fn lock<T: ?Sized, R: Rank>(mutex: &Mutex<T, R>) -> MutexGuard<'_, T> {
    mutex.lock_at(address(mutex))
}

/// Locks `mutex`, which many threads want at once and hold for moments only. A thread that slept for it would have to be woken,
/// which takes longer than all of them hold it, and those that come meanwhile would sleep as well. So it looks for some
/// microseconds before it sleeps.
pub fn lock_soon<T: ?Sized, R: Rank>(mutex: &Mutex<T, R>) -> MutexGuard<'_, T> {
    let held = HeldLock::of::<R>(address(mutex));
    let backoff = Backoff::new();
    let guard = loop {
        match mutex.mutex.try_lock() {
            Ok(guard) => break guard,
            Err(TryLockError::Poisoned(poisoned)) => break poisoned.into_inner(),
            Err(TryLockError::WouldBlock) if backoff.is_completed() => {
                break mutex.mutex.lock().unwrap_or_else(PoisonError::into_inner);
            }
            Err(TryLockError::WouldBlock) => backoff.snooze(),
        }
    };
    MutexGuard { guard, held }
}

/// Locks `mutex`, which is the last of its rank wherever it lies.
#[inline]
pub fn lock_last<T: ?Sized, R: Rank>(mutex: &Mutex<T, R>) -> MutexGuard<'_, T> {
    mutex.lock_at(usize::MAX)
}

fn address<L: ?Sized>(lock: &L) -> usize {
    std::ptr::from_ref(lock).cast::<()>().addr()
}

impl<T: Default, R> Default for Mutex<T, R> {
    fn default() -> Self {
        Mutex::new(T::default())
    }
}

impl<T: ?Sized + fmt::Debug, R> fmt::Debug for Mutex<T, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.mutex.fmt(f)
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        &self.guard
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.guard
    }
}

/// A value that is made when it is first needed, by one thread, with the rank `R`: those that come meanwhile wait for it. A failure is
/// not remembered; the next one tries again.
pub struct OnceCell<T, R> {
    rank: PhantomData<fn() -> R>,
    cell: once_cell::sync::OnceCell<T>,
}

impl<T, R> OnceCell<T, R> {
    /// A cell without a value.
    pub const fn new() -> Self {
        OnceCell { rank: PhantomData, cell: once_cell::sync::OnceCell::new() }
    }

    /// The value, if there is one. Waits for nobody.
    #[inline]
    pub fn get(&self) -> Option<&T> {
        self.cell.get()
    }
}

impl<T, R: Rank> OnceCell<T, R> {
    /// The value, which `make` makes if there is none.
    ///
    /// # Errors
    /// The error of `make`.
    pub fn get_or_try_init<E>(&self, make: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
        if let Some(value) = self.cell.get() {
            return Ok(value);
        }
        let _held = HeldLock::of::<R>(address(self));
        self.cell.get_or_try_init(make)
    }
}

impl<T, R> Default for OnceCell<T, R> {
    fn default() -> Self {
        OnceCell::new()
    }
}

/// A lock with the rank `R` that many can hold for reading, or one for writing. The order is the same for both: a reader waits
/// for a writer that waits for other readers.
#[repr(transparent)]
pub struct RwLock<T: ?Sized, R> {
    rank: PhantomData<fn() -> R>,
    lock: sync::RwLock<T>,
}

/// A lock that this thread holds for reading.
#[must_use]
pub struct RwLockReadGuard<'a, T: ?Sized> {
    guard: sync::RwLockReadGuard<'a, T>,
    _held: HeldLock,
}

/// A lock that this thread holds for writing.
#[must_use]
pub struct RwLockWriteGuard<'a, T: ?Sized> {
    guard: sync::RwLockWriteGuard<'a, T>,
    _held: HeldLock,
}

impl<T, R> RwLock<T, R> {
    /// A lock that nobody holds.
    pub const fn new(value: T) -> Self {
        RwLock { rank: PhantomData, lock: sync::RwLock::new(value) }
    }
}

impl<T: ?Sized, R: Rank> RwLock<T, R> {
    /// Locks it for reading.
    #[inline]
    pub fn read(&self) -> RwLockReadGuard<'_, T> {
        let _held = HeldLock::of::<R>(address(self));
        RwLockReadGuard { guard: self.lock.read().unwrap_or_else(PoisonError::into_inner), _held }
    }

    /// Locks it for writing.
    #[inline]
    pub fn write(&self) -> RwLockWriteGuard<'_, T> {
        let _held = HeldLock::of::<R>(address(self));
        RwLockWriteGuard { guard: self.lock.write().unwrap_or_else(PoisonError::into_inner), _held }
    }

    /// Returns whether it could be locked for reading at once.
    #[cfg(any(test, feature = "testing"))]
    pub fn is_open_to_readers(&self) -> bool {
        self.lock.try_read().is_ok()
    }
}

impl<T: ?Sized> Deref for RwLockReadGuard<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        &self.guard
    }
}

impl<T: ?Sized> Deref for RwLockWriteGuard<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        &self.guard
    }
}

impl<T: ?Sized> DerefMut for RwLockWriteGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.guard
    }
}

/// A condition that threads which hold a mutex wait for. While a thread waits it does not hold the mutex; then it takes it again, so none
/// that comes after that mutex may be held meanwhile.
#[derive(Default)]
#[repr(transparent)]
pub struct Condvar(sync::Condvar);

impl Condvar {
    /// One that nobody waits for.
    pub const fn new() -> Condvar {
        Condvar(sync::Condvar::new())
    }

    /// Wakes one of the threads that wait.
    pub fn notify_one(&self) {
        self.0.notify_one();
    }

    /// Wakes all threads that wait.
    pub fn notify_all(&self) {
        self.0.notify_all();
    }

    /// Waits until it is notified, or for no reason.
    pub fn wait<'a, T>(&self, locked: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
        released(locked, |guard| (self.0.wait(guard).unwrap_or_else(PoisonError::into_inner), ())).0
    }

    /// Waits until it is notified, for no reason, or until `limit` is over.
    pub fn wait_timeout<'a, T>(&self, locked: MutexGuard<'a, T>, limit: Duration) -> MutexGuard<'a, T> {
        released(locked, |guard| self.0.wait_timeout(guard, limit).unwrap_or_else(PoisonError::into_inner)).0
    }

    /// Waits until it is notified, for no reason, or until `deadline`, if there is one.
    pub fn wait_until<'a, T>(&self, locked: MutexGuard<'a, T>, deadline: Option<Instant>) -> MutexGuard<'a, T> {
        match deadline {
            None => self.wait(locked),
            Some(deadline) => self.wait_timeout(locked, deadline.saturating_duration_since(Instant::now())),
        }
    }

    /// Waits while `goes_on` says so, until `limit` is over.
    pub fn wait_timeout_while<'a, T>(
        &self,
        locked: MutexGuard<'a, T>,
        limit: Duration,
        goes_on: impl FnMut(&mut T) -> bool,
    ) -> (MutexGuard<'a, T>, WaitTimeoutResult) {
        released(locked, |guard| {
            self.0.wait_timeout_while(guard, limit, goes_on).unwrap_or_else(PoisonError::into_inner)
        })
    }
}

/// Makes `wait` with a lock that it lets go of and takes again.
fn released<'a, T, W>(
    locked: MutexGuard<'a, T>,
    wait: impl FnOnce(sync::MutexGuard<'a, T>) -> (sync::MutexGuard<'a, T>, W),
) -> (MutexGuard<'a, T>, W) {
    let MutexGuard { guard, held } = locked;
    let place = held.let_go();
    place.check();
    let (guard, waited) = wait(guard);
    (MutexGuard { guard, held: place.hold() }, waited)
}

/// In release builds nothing is added.
#[cfg(not(debug_assertions))]
const _: () = {
    assert!(size_of::<Mutex<u64, rank::Names>>() == size_of::<sync::Mutex<u64>>());
    assert!(size_of::<MutexGuard<'_, u64>>() == size_of::<sync::MutexGuard<'_, u64>>());
    assert!(size_of::<RwLockReadGuard<'_, u64>>() == size_of::<sync::RwLockReadGuard<'_, u64>>());
    assert!(size_of::<RwLockWriteGuard<'_, u64>>() == size_of::<sync::RwLockWriteGuard<'_, u64>>());
    assert!(size_of::<HeldLock>() == 0 && !std::mem::needs_drop::<HeldLock>());
};
