//! The interpreter of CPython, where the process has one. Functions that were written in Python may be called as long as it is
//! there. CPython before 3.14 ends the threads that want to enter an interpreter which is about to end, and crashes in those that
//! come later; `Py_IsInitialized` is the one question that any thread may ask at any time.

use std::mem::transmute;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::LazyLock;

/// `int Py_IsInitialized(void)`, of the stable ABI.
type IsInitialized = unsafe extern "C" fn() -> libc::c_int;

static IS_INITIALIZED: LazyLock<Option<IsInitialized>> = LazyLock::new(|| {
    #[cfg(unix)]
    {
        // SAFETY: the name ends with a NUL. What the process calls so is CPython's function, which stays loaded.
        unsafe {
            let found = libc::dlsym(libc::RTLD_DEFAULT, c"Py_IsInitialized".as_ptr());
            (!found.is_null()).then(|| transmute::<*mut libc::c_void, IsInitialized>(found))
        }
    }
    #[cfg(not(unix))]
    {
        None
    }
});
/// Tells whether an interpreter was there when it was last asked for.
static WAS_THERE: AtomicBool = AtomicBool::new(false);

/// Returns whether an interpreter has ended, or begun to, since the last time that this was asked. Says so once.
#[inline]
pub fn has_just_ended() -> bool {
    let Some(is_initialized) = *IS_INITIALIZED else { return false };
    // SAFETY: any thread may call it at any time.
    let is_there = unsafe { is_initialized() } != 0;
    if WAS_THERE.load(Ordering::Relaxed) == is_there {
        return false;
    }
    WAS_THERE.swap(is_there, Ordering::Relaxed) && !is_there
}
