//! The clocks of all that is observed, and the numbers that the operating system gives threads.

use std::sync::atomic::{AtomicBool, Ordering};

/// Nanoseconds of the monotonic clock.
#[inline]
pub fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is writable. The clock is there on all systems, so the call cannot fail.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Tells that [`stamp`] gives ticks of the processor's counter.
static COUNTS: AtomicBool = AtomicBool::new(false);

/// Makes stamps ticks of the processor's counter, where that is as good as the clock. To be called before the first stamp.
pub(crate) fn prefer_counter() {
    if !COUNTS.load(Ordering::Relaxed) && counter::is_steady() {
        COUNTS.store(true, Ordering::Relaxed);
    }
}

/// Time of a record: ticks of the processor's counter, which cost less than a look at the clock; [`now`] where there are none. Readers of
/// the trace make nanoseconds of it.
#[inline]
pub fn stamp() -> u64 {
    match COUNTS.load(Ordering::Relaxed) {
        true => counter::read(),
        false => now(),
    }
}

/// One moment by [`stamp`], 0 where that is the clock, and by [`now`].
pub(crate) fn moment() -> (u64, u64) {
    if !COUNTS.load(Ordering::Relaxed) {
        return (0, now());
    }
    let look = || {
        let (before, nanoseconds, after) = (stamp(), now(), stamp());
        let width = after.saturating_sub(before);
        (width, before + width / 2, nanoseconds)
    };
    // The narrowest: an interrupt may come between.
    let (_, ticks, nanoseconds) = look().min(look()).min(look());
    (ticks, nanoseconds)
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod counter {
    use std::arch::x86_64::{__cpuid, __rdtscp};

    /// Returns whether the counter has one speed and is the same on all processors: the processor tells the first, and Linux, which tells
    /// the time by it then, both.
    pub(super) fn is_steady() -> bool {
        const HAS_READ: u32 = 1 << 27;
        const IS_INVARIANT: u32 = 1 << 8;
        // SAFETY: every x86-64 processor has the instruction. From Rust 1.94 on the call is safe.
        #[allow(unused_unsafe)]
        let ask = |leaf| unsafe { __cpuid(leaf) };
        let is_offered = ask(0x8000_0000).eax >= 0x8000_0007
            && ask(0x8000_0001).edx & HAS_READ != 0
            && ask(0x8000_0007).edx & IS_INVARIANT != 0;
        let clock = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
        is_offered && std::fs::read_to_string(clock).is_ok_and(|clock| clock.trim() == "tsc")
    }

    /// The counter, behind all that the thread has read.
    #[inline]
    pub(super) fn read() -> u64 {
        let mut processor = 0;
        // SAFETY: the processor has the instruction, and the output is writable.
        unsafe { __rdtscp(&mut processor) }
    }
}

/// On other processors the clock itself is a counter that is read.
#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
mod counter {
    pub(super) fn is_steady() -> bool {
        false
    }

    pub(super) fn read() -> u64 {
        super::now()
    }
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
    fn stamps_do_not_go_back() {
        prefer_counter();
        let (first, second) = (moment(), moment());
        assert!(second.0 >= first.0 && second.1 >= first.1);
        let latest = std::sync::Mutex::new(stamp());
        let look = || {
            let mut latest = latest.lock().unwrap();
            let now = stamp();
            assert!(now >= *latest);
            *latest = now;
        };
        std::thread::scope(|threads| (0..4).for_each(|_| drop(threads.spawn(|| (0..10_000).for_each(|_| look())))));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn threads_have_numbers_of_their_own() {
        assert_eq!(thread_number(), thread_number());
        assert_ne!(std::thread::spawn(thread_number).join().unwrap(), thread_number());
    }
}
