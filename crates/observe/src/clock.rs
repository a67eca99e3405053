//! The one clock of all that is observed, and the numbers that the operating system gives threads.

/// Nanoseconds of the monotonic clock.
#[inline]
pub fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is writable. The clock is there on all systems, so the call cannot fail.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// The calling thread by the number that the operating system and debuggers show; 0 where there is none.
pub fn thread_number() -> u64 {
    #[cfg(target_os = "linux")]
    {
        // glibc has the function gettid since 2.30 alone.
        // SAFETY: the call has no precondition and cannot fail.
        unsafe { libc::syscall(libc::SYS_gettid) }.unsigned_abs()
    }
    #[cfg(not(target_os = "linux"))]
    {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_does_not_go_back() {
        let first = now();
        assert!(first > 0 && now() >= first);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn threads_have_numbers_of_their_own() {
        assert_eq!(thread_number(), thread_number());
        assert_ne!(std::thread::spawn(thread_number).join().unwrap(), thread_number());
    }
}
