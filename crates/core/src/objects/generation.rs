//! The generation of a context, and whether it is over.

use std::sync::atomic::{AtomicBool, Ordering};

/// The generation of a context: what was made between two resets.
pub(crate) struct Generation {
    /// From 1; each reset adds 1.
    number: u64,
    /// Tells whether a reset began another one.
    is_over: AtomicBool,
    /// Tells whether a reset goes on, or has ended this one.
    is_resetting: AtomicBool,
    /// Tells whether the next one is on the same driver's context.
    driver_goes_on: AtomicBool,
}

impl Generation {
    /// The generation of a context that was never reset.
    pub(super) fn first() -> Generation {
        Generation::numbered(1)
    }

    fn numbered(number: u64) -> Generation {
        Generation {
            number,
            is_over: AtomicBool::new(false),
            is_resetting: AtomicBool::new(false),
            driver_goes_on: AtomicBool::new(false),
        }
    }

    /// The one that follows.
    pub(super) fn next(&self) -> Generation {
        Generation::numbered(self.number + 1)
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Returns whether the driver's context is that of the next generation, too.
    pub(super) fn driver_goes_on(&self) -> bool {
        self.driver_goes_on.load(Ordering::Acquire)
    }

    /// Takes the one turn that there is to end this generation; false where another thread has it.
    pub(super) fn take_turn(&self) -> bool {
        !self.is_resetting.swap(true, Ordering::AcqRel)
    }

    /// Gives the turn back: nothing was changed.
    pub(super) fn give_turn_back(&self) {
        self.is_resetting.store(false, Ordering::Release);
    }

    /// Ends this generation.
    pub(super) fn end(&self, driver_goes_on: bool) {
        self.driver_goes_on.store(driver_goes_on, Ordering::Release);
        // Who enters an object and then finds the generation not over is seen by who looks at all objects after this.
        self.is_over.store(true, Ordering::SeqCst);
    }
}
