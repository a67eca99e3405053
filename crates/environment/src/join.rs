//! The join of a thread that is over.

#[cfg(target_os = "linux")]
use std::os::unix::thread::JoinHandleExt;
use std::thread::JoinHandle;

/// Joins a thread that is over; gives the others back. Never waits, unlike a join of a thread that has returned but runs
/// destructors of thread-locals, which may be the caller's.
pub fn join_if_over(thread: JoinHandle<()>) -> Option<JoinHandle<()>> {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: the handle is that of a thread that was neither joined nor detached.
        if unsafe { libc::pthread_tryjoin_np(thread.as_pthread_t(), std::ptr::null_mut()) } != 0 {
            return Some(thread);
        }
        // Joined, so that the handle must not detach it.
        let _joined = thread.into_pthread_t();
        None
    }
    #[cfg(not(target_os = "linux"))]
    {
        if !thread.is_finished() {
            return Some(thread);
        }
        // A thread of graphcap's ends by returning; its result says nothing.
        let _ = thread.join();
        None
    }
}
