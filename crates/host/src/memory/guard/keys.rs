//! Memory protection keys, where the CPU has them: pages that one thread alone may not touch. Unsafe for that.

use std::arch::asm;
use std::ffi::{c_int, c_long};
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicI32, Ordering};

use super::pages::{length, pointer};
use graphcap_driver::Address;

/// The key of pages that a kernel may not touch, and that of those which it may read alone; -1 without keys.
static UNTOUCHED: AtomicI32 = AtomicI32::new(-1);
static READ: AtomicI32 = AtomicI32::new(-1);

/// The key of all other memory.
const COMMON: c_int = 0;

/// Acts that a thread may not do with the pages of a key, as bits of its register.
const NO_TOUCH: u32 = 1;
const NO_WRITE: u32 = 2;

/// Takes two of the process's keys, where it has some: threads that this one starts may touch their pages, as may those that these
/// start. Called once.
pub(super) fn set_up() {
    let (untouched, read) = (allocate(), allocate());
    if untouched >= 0 && read >= 0 {
        READ.store(read, Ordering::Relaxed);
        UNTOUCHED.store(untouched, Ordering::Relaxed);
    } else {
        [untouched, read].into_iter().filter(|&key| key >= 0).for_each(free);
    }
}

fn allocate() -> c_int {
    // SAFETY: takes numbers alone.
    unsafe { libc::syscall(libc::SYS_pkey_alloc, c_long::from(0), c_long::from(0)) as c_int }
}

fn free(key: c_int) {
    // SAFETY: takes a number alone; no page has the key.
    unsafe { libc::syscall(libc::SYS_pkey_free, c_long::from(key)) };
}

/// Returns whether pages are kept from threads by keys.
pub(super) fn are_used() -> bool {
    UNTOUCHED.load(Ordering::Relaxed) >= 0
}

/// Gives pages to the threads that are not [`Restricted`].
pub(super) fn hide(pages: &Range<Address>) {
    protect(pages, libc::PROT_READ | libc::PROT_WRITE, UNTOUCHED.load(Ordering::Relaxed));
}

/// Gives the right to write to pages to the threads that are not [`Restricted`].
pub(super) fn hide_from_writes(pages: &Range<Address>) {
    protect(pages, libc::PROT_READ | libc::PROT_WRITE, READ.load(Ordering::Relaxed));
}

/// Gives pages to all threads.
pub(super) fn show(pages: &Range<Address>) {
    protect(pages, libc::PROT_READ | libc::PROT_WRITE, COMMON);
}

/// Gives pages to no thread, by no key.
pub(super) fn forbid(pages: &Range<Address>) {
    protect(pages, libc::PROT_NONE, COMMON);
}

fn protect(pages: &Range<Address>, access: c_int, key: c_int) {
    let (access, key) = (c_long::from(access), c_long::from(key));
    // SAFETY: the pages are of a reservation, and nothing of Rust's lies in them. A system that refuses leaves them as they are.
    unsafe { libc::syscall(libc::SYS_pkey_mprotect, pointer(pages.start), length(pages), access, key) };
}

/// Returns what this thread may not do, two bits for each key.
fn rights() -> u32 {
    let rights;
    // SAFETY: the system has keys, so the CPU has the instruction, which reads a register of the thread's.
    unsafe { asm!("rdpkru", in("ecx") 0, out("eax") rights, out("edx") _, options(nomem, nostack, preserves_flags)) };
    rights
}

fn set_rights(rights: u32) {
    // SAFETY: as for `rights`. No memory that Rust knows has a key that is not common.
    unsafe { asm!("wrpkru", in("eax") rights, in("ecx") 0, in("edx") 0, options(nostack, preserves_flags)) };
}

/// Keeps this thread from what is hidden, until it is dropped.
pub(super) struct Restricted {
    former: u32,
    /// The rights are the thread's.
    _thread: PhantomData<*const ()>,
}

/// The bits of both keys, and of those the ones that a kernel has.
fn of_keys() -> (u32, u32) {
    let (untouched, read) = (2 * UNTOUCHED.load(Ordering::Relaxed), 2 * READ.load(Ordering::Relaxed));
    ((NO_TOUCH | NO_WRITE) << untouched | (NO_TOUCH | NO_WRITE) << read, NO_TOUCH << untouched | NO_WRITE << read)
}

impl Restricted {
    /// `None` without keys.
    pub(super) fn begin() -> Option<Restricted> {
        are_used().then(|| {
            let (former, (of_keys, of_kernel)) = (rights(), of_keys());
            set_rights(former & !of_keys | of_kernel);
            Restricted { former, _thread: PhantomData }
        })
    }
}

impl Drop for Restricted {
    fn drop(&mut self) {
        let (of_keys, _) = of_keys();
        set_rights(rights() & !of_keys | self.former & of_keys);
    }
}
