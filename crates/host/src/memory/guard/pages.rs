//! Pages: reserved, allowed to be touched, forbidden, given back; and the canaries in them. The unsafe part of guarded memory, but
//! for the handler and the keys.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicU8, Ordering};
use std::time::Duration;

use graphcap_driver::guarded::CANARY;
use graphcap_driver::Address;

/// Tells whether this system has what guarded memory needs.
pub(super) const ARE_THERE: bool = cfg!(target_os = "linux");

/// Bytes of a page; a power of two.
pub(super) fn size() -> u64 {
    // SAFETY: asks for a number.
    let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    u64::try_from(bytes).unwrap_or(4096)
}

pub(super) fn pointer(address: Address) -> *mut libc::c_void {
    std::ptr::with_exposed_provenance_mut(address as usize)
}

pub(super) fn length(pages: &Range<Address>) -> usize {
    (pages.end - pages.start) as usize
}

/// So many bytes of address space, which nobody may touch; `None` where there is none.
pub(super) fn reserve(bytes: u64) -> Option<Range<Address>> {
    let bytes = usize::try_from(bytes).ok()?;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a new mapping, at an address of the system's choice.
    let start = unsafe { libc::mmap(std::ptr::null_mut(), bytes, libc::PROT_NONE, flags, -1, 0) };
    if start == libc::MAP_FAILED {
        return None;
    }
    let start = start.expose_provenance() as Address;
    Some(start..start + bytes as Address)
}

/// So many bytes of memory, all 0, which stay as long as the process.
pub(super) fn map_for_good(bytes: usize) -> Option<*mut libc::c_void> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a new mapping, at an address of the system's choice.
    let start = unsafe { libc::mmap(std::ptr::null_mut(), bytes, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
    (start != libc::MAP_FAILED).then_some(start)
}

/// Lets pages be touched; false where the system refuses.
pub(super) fn allow(pages: Range<Address>) -> bool {
    // SAFETY: the pages are of a reservation, and nothing of Rust's lies in them.
    unsafe { libc::mprotect(pointer(pages.start), length(&pages), libc::PROT_READ | libc::PROT_WRITE) == 0 }
}

/// Lets pages be read alone.
pub(super) fn allow_reads(pages: Range<Address>) {
    // SAFETY: as for `allow`. A system that refuses leaves them as they are.
    unsafe { libc::mprotect(pointer(pages.start), length(&pages), libc::PROT_READ) };
}

/// Waits, also in a handler of a signal.
pub(super) fn sleep(time: Duration) {
    let time = libc::timespec { tv_sec: 0, tv_nsec: time.subsec_nanos().into() };
    // SAFETY: reads the time alone.
    unsafe { libc::nanosleep(&time, std::ptr::null_mut()) };
}

/// Forbids to touch pages, whose bytes stay.
pub(super) fn forbid(pages: Range<Address>) {
    // SAFETY: as for `allow`. A system that refuses leaves them as they are.
    unsafe { libc::mprotect(pointer(pages.start), length(&pages), libc::PROT_NONE) };
}

/// Forbids to touch pages, whose bytes go back to the system. Only a new mapping is one with what lies around it: a process has a
/// limited number of mappings.
pub(super) fn discard(pages: Range<Address>) {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED;
    // SAFETY: as for `allow`; what is replaced is a part of the reservation. Where the system refuses, the pages are forbidden
    // at least.
    let mapped = unsafe { libc::mmap(pointer(pages.start), length(&pages), libc::PROT_NONE, flags, -1, 0) };
    if mapped == libc::MAP_FAILED {
        forbid(pages);
    }
}

/// Writes canaries.
pub(super) fn fill(slack: Range<Address>) {
    // SAFETY: the pages of the range may be touched, and nobody has been told of them yet.
    unsafe { std::ptr::write_bytes(pointer(slack.start).cast::<u8>(), CANARY, length(&slack)) };
}

/// The first byte that is no canary any more.
pub(super) fn damaged(slack: Range<Address>) -> Option<Address> {
    let byte = |address: &Address| {
        // SAFETY: the pages of the range may be touched. Others do so by mistake alone, hence the atomic.
        unsafe { AtomicU8::from_ptr(pointer(*address).cast()) }.load(Ordering::Relaxed) != CANARY
    };
    let word = |address: &Address| {
        // SAFETY: as above; the address is a multiple of 8, and 8 bytes are in the range.
        let word = unsafe { AtomicU64::from_ptr(pointer(*address).cast()) }.load(Ordering::Relaxed);
        word != u64::from_ne_bytes([CANARY; 8])
    };
    let words = slack.start.next_multiple_of(8).min(slack.end);
    let rest = words + (slack.end - words) / 8 * 8;
    let in_words = || (words..rest).step_by(8).find(word).and_then(|at| (at..at + 8).find(byte));
    (slack.start..words).find(byte).or_else(in_words).or_else(|| (rest..slack.end).find(byte))
}

/// Writes a message to the standard error.
pub(super) fn tell(text: &[u8]) {
    // SAFETY: reads the text alone. Where it cannot be written, there is nobody to tell.
    unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
}
