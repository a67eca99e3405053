//! The signal mask of graphcap's own threads. A signal of the process belongs to a thread of the program's: one of graphcap's that did
//! not block it could be given it, and its default action ends the process.

use std::mem::MaybeUninit;

/// Signals that graphcap's threads take: those that a thread's own instructions raise, which the system does not leave pending,
/// and the one of profilers, which look at whichever thread runs.
const TAKEN: [libc::c_int; 7] =
    [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGTRAP, libc::SIGSYS, libc::SIGPROF];

/// Blocks all other signals on the calling thread. A thread that is started then inherits the mask. What this returns undoes it.
pub fn block() -> impl FnOnce() {
    let mut blocked = MaybeUninit::<libc::sigset_t>::uninit();
    let mut before = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: each set is ours to write, and made whole by the first call that is given it; the numbers are signals'.
    let before = unsafe {
        libc::sigfillset(blocked.as_mut_ptr());
        for signal in TAKEN {
            libc::sigdelset(blocked.as_mut_ptr(), signal);
        }
        let failed = libc::pthread_sigmask(libc::SIG_SETMASK, blocked.as_ptr(), before.as_mut_ptr());
        (failed == 0).then(|| before.assume_init())
    };
    move || {
        if let Some(before) = &before {
            // SAFETY: the set is the one that the thread had.
            unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before, std::ptr::null_mut()) };
        }
    }
}
