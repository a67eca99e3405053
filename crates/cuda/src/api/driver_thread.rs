//! Threads of the driver's, on which it runs functions of the caller's and none of its own may be called. What would have to call
//! one is handed to another thread.

use std::cell::Cell;
use std::panic::{catch_unwind, AssertUnwindSafe};

use graphcap_driver::{callbacks, enter_default_floats};

thread_local! {
    static ON_DRIVER_THREAD: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether this is a thread of the driver's, on which its functions may not be called.
#[inline]
pub(crate) fn on_driver_thread() -> bool {
    ON_DRIVER_THREAD.get()
}

/// Runs code that is not ours on a thread of the driver's, in the default floating-point environment. Nothing may unwind into the
/// driver.
pub(crate) fn run_for_driver(run: impl FnOnce()) {
    let _inside = callbacks::enter_work();
    let _floats = enter_default_floats();
    let before = ON_DRIVER_THREAD.replace(true);
    // A panic was reported by the panic hook already.
    if let Err(payload) = catch_unwind(AssertUnwindSafe(run)) {
        std::mem::forget(payload);
    }
    ON_DRIVER_THREAD.set(before);
    // What ended the thread was not its owner.
    graphcap_environment::forget_thread_end();
}
