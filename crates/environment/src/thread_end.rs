//! Code of the caller's that ends its thread: it calls `pthread_exit`, its thread is cancelled, or a library below it does so, as
//! CPython before 3.14 does once its interpreter has ended.
//!
//! glibc ends a thread by unwinding its stack by force. Rust cannot catch that: its `catch_unwind` would end the process. So a
//! frame written in assembly is below each such call. The unwinding stops there, and the frame says that the call did not return.
//! What the call was a part of goes on, on the same thread, as though it had returned. Afterwards a lane, or a thread for callbacks,
//! ends, and another one takes its place. A thread of the caller's does not return from the call to graphcap that it is in.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    /// Tells whether code of the caller's has ended this thread.
    static ENDED: Cell<bool> = const { Cell::new(false) };
}

/// Tells whether code of the caller's has ended a thread of the process. As long as it has not, nobody looks at its thread.
static ANY: AtomicBool = AtomicBool::new(false);

/// Returns whether this thread was ended within [`outlive`].
#[inline]
pub fn is_ended() -> bool {
    ANY.load(Ordering::Relaxed) && is_this_ended()
}

/// A function, as a look at a variable of the thread is a call that a compiler makes beforehand.
#[cold]
#[inline(never)]
fn is_this_ended() -> bool {
    ENDED.get()
}

/// Makes a thread go on that was ended, as it is neither graphcap's nor the caller's: one of the driver's.
pub fn forget() {
    if is_ended() {
        ENDED.set(false);
    }
}

/// Makes the calling thread never return: it is the caller's, and was to end.
#[cold]
pub fn stay() -> ! {
    loop {
        machine::wait();
    }
}

/// Calls `call`; `None` if it ended the thread. The frames in between are left as they are, but for what unwinding drops: so
/// `call` does little besides calling the caller's code. A panic goes through.
///
/// Where the system ends a thread without unwinding, as musl does, nothing stops it.
#[inline]
pub fn outlive<T>(call: impl FnOnce() -> T) -> Option<T> {
    machine::outlive(call)
}

/// Notes that this thread was ended.
#[cold]
fn note() {
    ENDED.set(true);
    ANY.store(true, Ordering::Relaxed);
}

#[cfg(all(target_os = "linux", target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod machine {
    use core::arch::global_asm;
    use core::ffi::{c_int, c_void};

    // A function that calls its first argument with its second, and gives 0. Its frame has a personality of its own, and the
    // place at which a thread goes on that is ended stands where its personality finds it: there it gives 1.
    #[cfg(target_arch = "x86_64")]
    global_asm!(
        ".pushsection .text.graphcap_outlive,\"ax\",@progbits",
        ".p2align 4",
        ".globl graphcap_outlive",
        ".hidden graphcap_outlive",
        ".type graphcap_outlive,@function",
        "graphcap_outlive:",
        ".cfi_startproc",
        ".cfi_personality 0x1b, {personality}",
        ".cfi_lsda 0x1b, .Lgraphcap_outlived",
        "sub rsp, 8",
        ".cfi_def_cfa_offset 16",
        "mov rax, rdi",
        "mov rdi, rsi",
        "call rax",
        "xor eax, eax",
        "add rsp, 8",
        ".cfi_def_cfa_offset 8",
        "ret",
        ".Lgraphcap_outlived:",
        ".cfi_def_cfa_offset 16",
        "mov eax, 1",
        "add rsp, 8",
        ".cfi_def_cfa_offset 8",
        "ret",
        ".cfi_endproc",
        ".size graphcap_outlive, .-graphcap_outlive",
        ".popsection",
        personality = sym personality,
    );
    #[cfg(target_arch = "aarch64")]
    global_asm!(
        ".pushsection .text.graphcap_outlive,\"ax\",@progbits",
        ".p2align 2",
        ".globl graphcap_outlive",
        ".hidden graphcap_outlive",
        ".type graphcap_outlive,@function",
        "graphcap_outlive:",
        ".cfi_startproc",
        ".cfi_personality 0x1b, {personality}",
        ".cfi_lsda 0x1b, .Lgraphcap_outlived",
        "stp x29, x30, [sp, #-16]!",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset x29, -16",
        ".cfi_offset x30, -8",
        "mov x29, sp",
        "mov x8, x0",
        "mov x0, x1",
        "blr x8",
        "mov w0, #0",
        "ldp x29, x30, [sp], #16",
        "ret",
        ".Lgraphcap_outlived:",
        "mov w0, #1",
        "ldp x29, x30, [sp], #16",
        "ret",
        ".cfi_endproc",
        ".size graphcap_outlive, .-graphcap_outlive",
        ".popsection",
        personality = sym personality,
    );

    extern "C-unwind" {
        fn graphcap_outlive(call: extern "C-unwind" fn(*mut c_void), data: *mut c_void) -> c_int;
    }

    /// The state of an unwinding, of which only the unwinder knows the layout.
    #[repr(C)]
    struct Unwinding {
        _private: [u8; 0],
    }

    extern "C" {
        #[link_name = "_Unwind_GetLanguageSpecificData"]
        fn language_specific_data(unwinding: *mut Unwinding) -> usize;
        #[link_name = "_Unwind_SetIP"]
        fn set_ip(unwinding: *mut Unwinding, address: usize);
    }

    // The numbers of the Itanium C++ ABI, "Exception Handling", 1.3 and 1.6.
    const UA_CLEANUP_PHASE: c_int = 2;
    const UA_FORCE_UNWIND: c_int = 8;
    const URC_INSTALL_CONTEXT: c_int = 7;
    const URC_CONTINUE_UNWIND: c_int = 8;

    /// Asked by the unwinder at the frame in assembly. An unwinding by force ends there; exceptions and panics go through.
    extern "C" fn personality(
        _version: c_int,
        actions: c_int,
        _class: u64,
        _exception: *mut c_void,
        unwinding: *mut Unwinding,
    ) -> c_int {
        const ENDS: c_int = UA_CLEANUP_PHASE | UA_FORCE_UNWIND;
        if actions & ENDS != ENDS {
            return URC_CONTINUE_UNWIND;
        }
        // SAFETY: the unwinder lends its state for this call. The data of the frame is an address in the same function, where the
        // frame is as it is at the call.
        unsafe { set_ip(unwinding, language_specific_data(unwinding)) };
        URC_INSTALL_CONTEXT
    }

    /// A call on its way through the frame in assembly.
    struct Passed<C, T> {
        call: Option<C>,
        returned: Option<T>,
    }

    extern "C-unwind" fn make<C: FnOnce() -> T, T>(data: *mut c_void) {
        // SAFETY: `outlive` passes one of these types, which it does not touch meanwhile.
        let passed = unsafe { &mut *data.cast::<Passed<C, T>>() };
        if let Some(call) = passed.call.take() {
            passed.returned = Some(call());
        }
    }

    /// Waits for something that does not come; it may return. No cancellation of the thread has an effect in it.
    pub(super) fn wait() {
        // SAFETY: without descriptors, limit and mask the call reads no memory.
        unsafe { libc::syscall(libc::SYS_ppoll, 0, 0, 0, 0, 0) };
    }

    #[inline]
    pub(super) fn outlive<C: FnOnce() -> T, T>(call: C) -> Option<T> {
        let mut passed = Passed { call: Some(call), returned: None };
        // SAFETY: `make` is given what it takes. The function in assembly keeps to the calling convention; all registers that it
        // must keep are as they were, also where it goes on after an unwinding: the unwinder has restored them.
        if unsafe { graphcap_outlive(make::<C, T>, (&raw mut passed).cast()) } != 0 {
            super::note();
        }
        passed.returned
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod machine {
    #[inline]
    pub(super) fn outlive<T>(call: impl FnOnce() -> T) -> Option<T> {
        Some(call())
    }

    pub(super) fn wait() {
        std::thread::park();
    }
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use super::*;
    use std::panic::{catch_unwind, AssertUnwindSafe};
    use std::sync::mpsc;

    extern "C-unwind" {
        fn pthread_exit(value: *mut libc::c_void) -> !;
        fn pause() -> libc::c_int;
    }

    fn end() {
        // SAFETY: the frames in between have nothing to drop.
        unsafe { pthread_exit(std::ptr::null_mut()) }
    }

    #[test]
    fn a_call_that_returns_gives_what_it_returns() {
        let seven = std::hint::black_box(7);
        assert_eq!(outlive(|| seven * 6), Some(42));
        assert!(!is_ended());
    }

    #[test]
    fn a_panic_goes_through() {
        let caught = catch_unwind(AssertUnwindSafe(|| outlive(|| std::panic::resume_unwind(Box::new(7)))));
        assert_eq!(caught.unwrap_err().downcast_ref(), Some(&7));
        assert!(!is_ended());
    }

    #[test]
    fn a_thread_that_is_ended_goes_on_behind_the_call_again_and_again() {
        let thread = std::thread::spawn(|| {
            let rounds = (0..3).filter(|_| outlive(end).is_none()).count();
            (rounds, outlive(|| 5), is_ended())
        });
        assert_eq!(thread.join().unwrap(), (3, Some(5), true));
    }

    #[test]
    fn a_thread_that_is_cancelled_goes_on_behind_the_call() {
        let (tell, told) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            // SAFETY: a thread may ask for itself.
            let this = unsafe { libc::pthread_self() };
            outlive(|| loop {
                tell.send(this).unwrap();
                // SAFETY: has no precondition.
                unsafe { pause() };
            })
        });
        // SAFETY: the thread is there: it was not joined.
        assert_eq!(unsafe { libc::pthread_cancel(told.recv().unwrap()) }, 0);
        assert_eq!(thread.join().unwrap(), None::<()>);
    }
}
