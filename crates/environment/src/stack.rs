//! The room on the stack of a thread that is about to run kernels, and is not graphcap's.

use std::cell::Cell;
use std::hint::black_box;
use std::ops::Range;

/// Bytes of stack that the header promises a kernel.
const KERNEL_BYTES: usize = 256 << 10;
/// More than the calls take that stand between the look and a kernel.
const OWN_BYTES: usize = 64 << 10;

thread_local! {
    /// The addresses of the thread's stack. Empty where they could not be told, so that no address is among them.
    static STACK: Cell<Option<(usize, usize)>> = const { Cell::new(None) };
}

/// True where the calling thread has as much room on its stack as a kernel is promised. A stack that is not the thread's own, as
/// coroutines and handlers of signals have one, counts as too small.
///
/// A function of its own, so that its variable lies below those of whoever calls it.
#[inline(never)]
pub fn has_room_for_kernels() -> bool {
    // Mutable, so that the compiler does not make a constant of it, which would not be on the stack.
    let mut marker = 0u8;
    let here = std::ptr::from_mut(black_box(&mut marker)).addr();
    let (start, end) = STACK.get().unwrap_or_else(find);
    here < end && here >= start && here - start >= KERNEL_BYTES + OWN_BYTES
}

/// Asks the system, once for a thread: for the first thread of a process that takes tens of microseconds.
#[cold]
fn find() -> (usize, usize) {
    let stack = of_this_thread().unwrap_or_default();
    let bounds = (stack.start, stack.end);
    STACK.set(Some(bounds));
    bounds
}

#[cfg(target_os = "linux")]
fn of_this_thread() -> Option<Range<usize>> {
    let mut attributes = std::mem::MaybeUninit::<libc::pthread_attr_t>::uninit();
    let (mut start, mut bytes) = (std::ptr::null_mut(), 0);
    // SAFETY: the attributes are made by the first call, and given back only where it succeeded.
    let told = unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return None;
        }
        let told = libc::pthread_attr_getstack(attributes.as_ptr(), &mut start, &mut bytes);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        told
    };
    let start = start.addr();
    let end = start.checked_add(bytes)?;
    // musl tells how much of the first thread's stack is in use, which grows to its limit.
    #[cfg(target_env = "musl")]
    let start = start.min(start_of_the_first(end).unwrap_or(start));
    (told == 0).then_some(start..end)
}

/// Lowest address that the stack of the first thread can grow to; `None` on other threads, and where that has no limit.
#[cfg(all(target_os = "linux", target_env = "musl"))]
fn start_of_the_first(end: usize) -> Option<usize> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the calls ask for numbers, and the place is ours to write.
    let is_told = unsafe { libc::gettid() == libc::getpid() && libc::getrlimit(libc::RLIMIT_STACK, &mut limit) == 0 };
    let bytes = usize::try_from(limit.rlim_cur).ok().filter(|_| is_told && limit.rlim_cur != libc::RLIM_INFINITY)?;
    end.checked_sub(bytes)
}

#[cfg(not(target_os = "linux"))]
fn of_this_thread() -> Option<Range<usize>> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The C library may give a thread the larger stack of one that has ended, up to four times as large as asked for.
    #[test]
    fn a_thread_has_room_where_its_stack_is_large_enough() {
        for (kib, has_room) in [(64, false), (512, true), (8192, true)] {
            let found = std::thread::Builder::new()
                .stack_size(kib << 10)
                .spawn(|| (has_room_for_kernels(), has_room_for_kernels()))
                .unwrap()
                .join()
                .unwrap();
            assert_eq!(found, (has_room, has_room), "{kib} KiB");
        }
    }

    /// Goes down the stack as long as there is room, and gives the address where there is none any more.
    #[inline(never)]
    fn first_without_room() -> usize {
        let mut used = [0u8; STEP];
        let here = std::ptr::from_mut(black_box(&mut used)).addr();
        let found = if has_room_for_kernels() { first_without_room() } else { here };
        black_box(&mut used);
        found
    }
    const STEP: usize = 16 << 10;

    #[test]
    fn what_is_in_use_is_no_room() {
        let body = || {
            let left = first_without_room() - of_this_thread().unwrap().start;
            assert!(left < KERNEL_BYTES + OWN_BYTES + 2 * STEP, "{left}");
            assert!(left >= KERNEL_BYTES + OWN_BYTES - 2 * STEP, "{left}");
            assert!(has_room_for_kernels());
        };
        std::thread::Builder::new().stack_size(1 << 20).spawn(body).unwrap().join().unwrap();
    }
}
