//! The floating-point environment: how a thread rounds, whether it flushes denormal numbers, which exceptions trap. Each thread has its
//! own, and inherits it from the one that started it. Work runs in the default one, so that its results do not depend on who runs it.

#[cfg(target_arch = "x86_64")]
mod machine {
    use core::arch::asm;

    /// SSE: rounds to nearest, flushes nothing, traps nothing.
    const MXCSR: u32 = 0x1f80;
    /// x87: the same, with the precision of long double.
    const CONTROL_WORD: u16 = 0x037f;
    /// In the status word of x87: exceptions that were raised, and that one of them traps.
    const RAISED: u16 = 0xff;
    const TRAPS: u16 = 0x80;

    /// Memory that `fnstenv` stores.
    type X87 = [u16; 14];
    /// The words of it that are control and status.
    const CONTROL: usize = 0;
    const STATUS: usize = 2;

    /// The environment of a thread.
    pub(super) struct Saved {
        mxcsr: u32,
        control: u16,
        status: u16,
    }

    fn status() -> u16 {
        let status: u16;
        // SAFETY: stores a word in a register.
        unsafe { asm!("fnstsw ax", out("ax") status, options(nomem, nostack, preserves_flags)) };
        status
    }

    #[inline]
    pub(super) fn set_fast() {
        // SAFETY: the value is one that the register may have, and with it nothing traps.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &MXCSR, options(nostack, readonly, preserves_flags)) };
    }

    #[inline]
    pub(super) fn set() {
        set_fast();
        if status() & TRAPS != 0 {
            // SAFETY: forgets exceptions, the next of which would trap.
            unsafe { asm!("fnclex", options(nomem, nostack, preserves_flags)) };
        }
        // SAFETY: no exception is pending that traps, and with this value none does.
        unsafe { asm!("fldcw [{}]", in(reg) &CONTROL_WORD, options(nostack, readonly, preserves_flags)) };
    }

    #[inline]
    pub(super) fn save() -> Saved {
        let mut saved = Saved { mxcsr: 0, control: 0, status: status() };
        // SAFETY: both places are ours to write.
        unsafe {
            asm!("stmxcsr [{}]", in(reg) &mut saved.mxcsr, options(nostack, preserves_flags));
            asm!("fnstcw [{}]", in(reg) &mut saved.control, options(nostack, preserves_flags));
        }
        saved
    }

    #[inline]
    pub(super) fn restore(saved: &Saved) {
        if (status() ^ saved.status) & RAISED != 0 || saved.status & TRAPS != 0 {
            restore_raised(saved);
        } else {
            // SAFETY: the value is the one that the thread had; no exception is pending that traps.
            unsafe { asm!("fldcw [{}]", in(reg) &saved.control, options(nostack, readonly, preserves_flags)) };
        }
        // SAFETY: the value is the one that the thread had.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &saved.mxcsr, options(nostack, readonly, preserves_flags)) };
    }

    /// Work has raised exceptions of x87, or forgotten those of the thread; or one of the thread's is pending, and traps later.
    #[cold]
    fn restore_raised(saved: &Saved) {
        let mut x87: X87 = [0; 14];
        // SAFETY: the place is ours to write; nothing traps before the next instruction of x87's.
        unsafe { asm!("fnstenv [{}]", in(reg) &mut x87, options(nostack, preserves_flags)) };
        x87[CONTROL] = saved.control;
        x87[STATUS] = x87[STATUS] & !RAISED | saved.status & RAISED;
        // SAFETY: loads what was stored, with the control and the exceptions that the thread had.
        unsafe { asm!("fldenv [{}]", in(reg) &x87, options(nostack, readonly, preserves_flags)) };
    }
}

#[cfg(target_arch = "aarch64")]
mod machine {
    use core::arch::asm;

    /// The environment of a thread: its control register, and the exceptions that were raised.
    pub(super) struct Saved {
        control: u64,
        status: u64,
    }

    /// The control register is one to be written once for a batch of kernels.
    #[inline]
    pub(super) fn set_fast() {}

    #[inline]
    pub(super) fn set() {
        // SAFETY: 0 rounds to nearest, flushes nothing and traps nothing.
        unsafe { asm!("msr fpcr, xzr", options(nomem, nostack, preserves_flags)) };
    }

    #[inline]
    pub(super) fn save() -> Saved {
        let (control, status);
        // SAFETY: reads two registers.
        unsafe {
            asm!("mrs {}, fpcr", out(reg) control, options(nomem, nostack, preserves_flags));
            asm!("mrs {}, fpsr", out(reg) status, options(nomem, nostack, preserves_flags));
        }
        Saved { control, status }
    }

    #[inline]
    pub(super) fn restore(saved: &Saved) {
        // SAFETY: the values are those that the thread had.
        unsafe {
            asm!("msr fpsr, {}", in(reg) saved.status, options(nomem, nostack, preserves_flags));
            asm!("msr fpcr, {}", in(reg) saved.control, options(nomem, nostack, preserves_flags));
        }
    }
}

/// Elsewhere threads keep the environment that they have.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod machine {
    pub(super) struct Saved;

    pub(super) fn set_fast() {}
    pub(super) fn set() {}
    pub(super) fn save() -> Saved {
        Saved
    }
    pub(super) fn restore(_: &Saved) {}
}

/// Gives the calling thread, which is graphcap's or within [`enter_default`], the default environment.
#[inline]
pub fn set_default() {
    machine::set();
}

/// The part of [`set_default`] that costs nothing, for each of several kernels in a row: one may have changed it for the next.
#[inline]
pub fn set_default_for_kernel() {
    machine::set_fast();
}

/// Gives the calling thread the default environment. What this returns gives it back its own one, and forgets exceptions that were
/// raised meanwhile.
#[inline]
pub fn enter_default() -> impl FnOnce() {
    let before = machine::save();
    machine::set();
    move || machine::restore(&before)
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use core::arch::asm;
    use std::hint::black_box;

    fn mxcsr() -> u32 {
        let mut value = 0u32;
        // SAFETY: the place is ours to write.
        unsafe { asm!("stmxcsr [{}]", in(reg) &mut value) };
        value
    }

    fn set_mxcsr(value: u32) {
        // SAFETY: the tests pass values that the register may have, which trap nothing that they do.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &value) };
    }

    fn control() -> u16 {
        let mut value = 0u16;
        // SAFETY: the place is ours to write.
        unsafe { asm!("fnstcw [{}]", in(reg) &mut value) };
        value
    }

    fn set_control(value: u16) {
        // SAFETY: as in `set_mxcsr`.
        unsafe { asm!("fldcw [{}]", in(reg) &value) };
    }

    fn x87_status() -> u16 {
        let value: u16;
        // SAFETY: stores a word in a register.
        unsafe { asm!("fnstsw ax", out("ax") value) };
        value & 0xff
    }

    /// Divides 1 by 0 with x87.
    fn divide_by_zero() {
        // SAFETY: leaves nothing on the stack of x87.
        unsafe { asm!("fld1", "fldz", "fdivp", "fstp st(0)", out("st(0)") _, out("st(1)") _) };
    }

    #[test]
    fn the_environment_is_the_default_within_and_as_it_was_afterwards() {
        // Rounds upward, flushes denormals, has raised an exception; x87 rounds downward, with the precision of double.
        set_mxcsr(0x1f80 | 0x4000 | 0x8040 | 0x01);
        set_control(0x067f);
        {
            let leave = enter_default();
            assert_eq!((mxcsr(), control()), (0x1f80, 0x037f));
            set_mxcsr(0x1f80 | 0x2000);
            set_control(0x0f7f);
            set_default_for_kernel();
            assert_eq!(mxcsr(), 0x1f80);
            set_default();
            assert_eq!(control(), 0x037f);
            black_box(black_box(1.0f32) / black_box(3.0));
            leave();
        }
        assert_eq!((mxcsr(), control()), (0x1f80 | 0x4000 | 0x8040 | 0x01, 0x067f));
        set_mxcsr(0x1f80);
        set_control(0x037f);
    }

    #[test]
    fn exceptions_that_work_raises_are_forgotten_and_those_of_the_thread_kept() {
        {
            let leave = enter_default();
            divide_by_zero();
            assert_eq!(x87_status() & 4, 4);
            leave();
        }
        assert_eq!(x87_status(), 0);
        divide_by_zero();
        {
            let leave = enter_default();
            // SAFETY: forgets exceptions.
            unsafe { asm!("fnclex") };
            leave();
        }
        assert_eq!(x87_status() & 4, 4);
        // SAFETY: as above.
        unsafe { asm!("fnclex") };
    }

    #[test]
    fn an_exception_that_work_leaves_pending_does_not_trap() {
        let leave = enter_default();
        // Traps division by zero, with the next instruction of x87's that looks.
        set_control(0x037b);
        // SAFETY: the stack of x87 is left as it was.
        unsafe { asm!("fld1", "fldz", "fdivp", "fnstsw ax", out("ax") _, out("st(0)") _, out("st(1)") _) };
        set_default();
        // SAFETY: takes the quotient off the stack of x87.
        unsafe { asm!("fstp st(0)", out("st(0)") _) };
        assert_eq!(control(), 0x037f);
        leave();
    }
}
