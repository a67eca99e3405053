//! Locks that a thread holds, so that debug builds panic when it takes one out of order. In release builds all of this is empty.

#[cfg(debug_assertions)]
pub(super) use checked::HeldLock;
#[cfg(not(debug_assertions))]
pub(super) use unchecked::HeldLock;

#[cfg(debug_assertions)]
mod checked {
    use std::cell::RefCell;
    use std::mem::{forget, ManuallyDrop};

    use crate::lock::rank::Rank;

    /// A lock's place in the order.
    #[derive(Clone, Copy)]
    pub(in crate::lock) struct LockPosition {
        level: u8,
        name: &'static str,
        /// Tells the order of locks that have one rank.
        position: usize,
        /// Tells whether locks of this rank are taken together, by their positions.
        goes_by_position: bool,
    }

    /// Notes that this thread holds a lock, until it is dropped.
    pub(in crate::lock) struct HeldLock(LockPosition);

    thread_local! {
        /// Locks that this thread holds, in the order in which it took it. Never dropped, so that it is there to the very end of the
        /// thread. It owns no memory while it is empty.
        static HELD: ManuallyDrop<RefCell<Vec<LockPosition>>> = const { ManuallyDrop::new(RefCell::new(Vec::new())) };
    }

    impl LockPosition {
        fn of<R: Rank>(position: usize) -> LockPosition {
            LockPosition { level: R::LEVEL, name: R::NAME, position, goes_by_position: R::SEVERAL }
        }

        /// Panics when this thread may not wait for the lock, because of what it holds.
        pub(in crate::lock) fn check(self) {
            if std::thread::panicking() {
                return;
            }
            let wrong = HELD.with(|held| held.borrow().iter().copied().find(|held| !held.may_be_held_over(self)));
            if let Some(held) = wrong {
                panic!(
                    "the order of locks in crates/base/src/lock/rank.rs is broken: {} ({:#x}) is taken while this thread holds {} ({:#x})",
                    self.name, self.position, held.name, held.position
                );
            }
        }

        fn may_be_held_over(self, next: LockPosition) -> bool {
            let is_of_one_rank = self.name == next.name && self.goes_by_position;
            self.level < next.level || (is_of_one_rank && self.position < next.position)
        }

        /// Notes that the lock is held.
        pub(in crate::lock) fn hold(self) -> HeldLock {
            HELD.with(|held| held.borrow_mut().push(self));
            HeldLock(self)
        }

        fn forget(self) {
            HELD.with(|held| {
                let mut held = held.borrow_mut();
                let is_it = |place: &LockPosition| place.name == self.name && place.position == self.position;
                if let Some(at) = held.iter().rposition(is_it) {
                    held.remove(at);
                }
                if held.is_empty() {
                    *held = Vec::new();
                }
            });
        }
    }

    impl HeldLock {
        /// The lock that has this position among those of its rank is about to be waited for.
        pub(in crate::lock) fn of<R: Rank>(position: usize) -> HeldLock {
            let place = LockPosition::of::<R>(position);
            place.check();
            place.hold()
        }

        /// The lock was taken without a wait.
        pub(in crate::lock) fn without_waiting<R: Rank>(position: usize) -> HeldLock {
            LockPosition::of::<R>(position).hold()
        }

        /// The lock is let go of, to be taken again at the place that this gives.
        pub(in crate::lock) fn let_go(self) -> LockPosition {
            let place = self.0;
            forget(self);
            place.forget();
            place
        }
    }

    impl Drop for HeldLock {
        fn drop(&mut self) {
            self.0.forget();
        }
    }
}

#[cfg(not(debug_assertions))]
mod unchecked {
    /// Nothing is noted.
    pub(in crate::lock) struct HeldLock;

    impl HeldLock {
        #[inline(always)]
        pub(in crate::lock) fn of<R>(_: usize) -> HeldLock {
            HeldLock
        }

        #[inline(always)]
        pub(in crate::lock) fn without_waiting<R>(_: usize) -> HeldLock {
            HeldLock
        }

        #[inline(always)]
        pub(in crate::lock) fn let_go(self) -> HeldLock {
            self
        }

        #[inline(always)]
        pub(in crate::lock) fn check(&self) {}

        #[inline(always)]
        pub(in crate::lock) fn hold(self) -> HeldLock {
            self
        }
    }
}
