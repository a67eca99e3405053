//! `GRAPHCAP_CHECK_ACCESS=1`: a kernel whose accesses are stated runs while no other such kernel does, and all guarded memory that
//! it did not declare is out of its reach, page by page. A touch of that ends the process with a message.
//!
//! Where the CPU has protection keys, pages are out of reach of the kernel's thread, and of those that may not use the keys: those that
//! were there before graphcap, and that the kernel starts. Elsewhere they are out of reach of all threads. The handler has other
//! threads wait until the kernel is over, and go on then.

use std::cell::Cell;
use std::fmt::{self, Write as _};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::keys::{self, Restricted};
use super::live::LIVE;
use super::mode::checks;
use super::pages;
use super::space::{self, BytePlace, Record, Text};
use graphcap_base::lock::lock;
use graphcap_base::numbers::fresh_number;
use graphcap_driver::{Access, Address};

/// Declaration of a kernel about memory.
#[derive(Clone, Copy)]
pub(crate) struct Declared {
    /// Number of the argument that points to it, if one does.
    pub(crate) argument: Option<usize>,
    pub(crate) address: Address,
    pub(crate) access: Access,
    /// The bytes that it touches; `None` for the block that the address lies in.
    pub(crate) bytes: Option<(Address, usize)>,
}

/// Time that another thread waits for the kernel to be over. One that waits longer is one that the kernel waits for.
const CHECK_LIMIT: Duration = Duration::from_secs(20);
/// Time that a thread sleeps between two looks.
const PAUSE: Duration = Duration::from_micros(50);

/// Kernel that is checked, by a number of its own; 0 for none.
static CHECKED: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// Start of the list of what the kernel declares that this thread runs, and its length. Not to be dropped: a handler of a
    /// signal looks at it.
    static DECLARED: Cell<Option<(*const Declared, usize)>> = const { Cell::new(None) };
}

/// A kernel that runs and is checked, until this is dropped.
pub(super) struct Checked {
    /// Held for `DECLARED`.
    _declared: Box<[Declared]>,
    restricted: Option<Restricted>,
    /// The pages that were put out of reach, with the number of their block.
    forbidden: Vec<(usize, Range<Address>)>,
}

/// Returns whether a kernel is checked just now, so that pages of live blocks may be out of reach. `LIVE` is locked.
pub(super) fn goes_on() -> bool {
    CHECKED.load(Ordering::Acquire) != 0
}

/// Returns whether this thread runs a kernel that is checked.
fn runs_checked() -> bool {
    DECLARED.try_with(Cell::get).is_ok_and(|declared| declared.is_some())
}

/// Returns whether an address lies in a guarded block.
pub(crate) fn is_in_a_block(address: Address) -> bool {
    space::find(address).is_some_and(|record| holds(record, address))
}

fn holds(record: &Record, address: Address) -> bool {
    (record.start()..=record.end()).contains(&address)
}

impl Checked {
    /// Waits for the kernel before, and puts out of reach what is not declared.
    pub(super) fn begin(declared: Vec<Declared>) -> Checked {
        let number = fresh_number();
        while CHECKED.compare_exchange(0, number, Ordering::AcqRel, Ordering::Relaxed).is_err() {
            std::thread::sleep(PAUSE);
        }
        let mut forbidden = Vec::new();
        {
            let live = lock(&LIVE);
            for (&number, _) in live.iter().filter(|(_, &reasons)| reasons > 0) {
                forbid_in(number, &declared, &mut forbidden);
            }
        }
        let declared = declared.into_boxed_slice();
        let _ = DECLARED.try_with(|place| place.set(Some((declared.as_ptr(), declared.len()))));
        Checked { _declared: declared, restricted: Restricted::begin(), forbidden }
    }
}

impl Drop for Checked {
    fn drop(&mut self) {
        drop(self.restricted.take());
        let _ = DECLARED.try_with(|place| place.set(None));
        {
            let live = lock(&LIVE);
            for (number, pages) in self.forbidden.drain(..) {
                // Unless it was freed meanwhile. What a graph freed keeps its key else.
                match live.get(&number) {
                    Some(1..) if keys::are_used() => keys::show(&pages),
                    Some(1..) => _ = pages::allow(pages),
                    Some(0) if keys::are_used() => keys::forbid(&pages),
                    _ => {}
                }
            }
        }
        CHECKED.store(0, Ordering::Release);
    }
}

/// Puts the pages of a block out of reach that are not declared, and has those be read alone that are declared to be.
fn forbid_in(number: usize, declared: &[Declared], forbidden: &mut Vec<(usize, Range<Address>)>) {
    let record = space::record(number);
    let (all, page) = (record.pages(), pages::size());
    // Of each page whether it is read and whether it is written.
    let count = ((all.end - all.start) / page) as usize;
    let mut reach = vec![(false, false); count];
    for one in declared {
        let touched = match one.bytes {
            Some((first, bytes)) => first.max(all.start)..first.saturating_add(bytes as u64).min(all.end),
            None if holds(record, one.address) => all.clone(),
            None => continue,
        };
        if touched.start >= touched.end {
            continue;
        }
        let first = ((touched.start - all.start) / page) as usize;
        let end = (touched.end - all.start).div_ceil(page) as usize;
        for (reads, writes) in reach.get_mut(first..end).into_iter().flatten() {
            *reads = true;
            *writes |= one.access != Access::Read;
        }
    }
    let mut at = 0;
    for alike in reach.chunk_by(|one, other| one == other) {
        let pages = all.start + at as u64 * page..all.start + (at + alike.len()) as u64 * page;
        at += alike.len();
        match (alike.first(), keys::are_used()) {
            (Some((_, true)) | None, _) => continue,
            (Some((true, false)), true) => keys::hide_from_writes(&pages),
            (Some((true, false)), false) => pages::allow_reads(pages.clone()),
            (Some((false, false)), true) => keys::hide(&pages),
            (Some((false, false)), false) => pages::forbid(pages.clone()),
        }
        forbidden.push((number, pages));
    }
}

/// Answer of the handler to a touch.
pub(super) enum Answer {
    /// The thread has waited, and tries again.
    GoOn,
    /// The kernel did not declare it.
    Undeclared,
    /// It has nothing to do with a check.
    Unchecked,
}

/// A thread touched `address`, in or near the block of `record`. For a handler of a signal: takes no lock and allocates nothing.
pub(super) fn touched(record: &Record, address: Address) -> Answer {
    if !checks() || !record.is_live() || !record.pages().contains(&address) {
        return Answer::Unchecked;
    }
    if runs_checked() {
        return Answer::Undeclared;
    }
    // Pages of a live block are out of reach while a kernel is checked alone.
    let checked = CHECKED.load(Ordering::Acquire);
    let mut waited = Duration::ZERO;
    while checked != 0 && CHECKED.load(Ordering::Acquire) == checked {
        if waited > CHECK_LIMIT {
            return Answer::Undeclared;
        }
        pages::sleep(PAUSE);
        waited += PAUSE;
    }
    Answer::GoOn
}

/// Writes what a kernel declared about a block that it touched otherwise.
fn write_declared(record: &Record, out: &mut Text) -> fmt::Result {
    let known = DECLARED.try_with(Cell::get).ok().flatten();
    // SAFETY: the list lives until this thread forgets it, in `Checked`.
    let known = known.map(|(start, count)| unsafe { std::slice::from_raw_parts(start, count) });
    let of_block = known.and_then(|known| known.iter().find(|declared| holds(record, declared.address)));
    let Some(declared) = of_block else {
        return out.write_str(match runs_checked() {
            true => ": no argument that is stated points to it",
            false => ": the thread is none of graphcap's, and a kernel runs that waits for it",
        });
    };
    let access = match declared.access {
        Access::Read => "read",
        Access::Write => "written",
        Access::ReadWrite => "read and written",
    };
    match declared.argument {
        Some(argument) => write!(out, ": argument {argument}, which points to it, is stated to be {access}")?,
        None => write!(out, ": the buffer is stated to be {access}")?,
    }
    match declared.bytes {
        Some((first, bytes)) => write!(out, ", {bytes} bytes from byte {} on", first.saturating_sub(record.start())),
        None => Ok(()),
    }
}

/// Tells that launches of a kernel are not checked which state of all their buffers that they are read: they write something else.
#[cold]
pub(crate) fn tell_unchecked(kernel: &str) {
    let mut text = Text::new();
    let _ = writeln!(
        text,
        "graphcap: GRAPHCAP_CHECK_ACCESS=1: kernel {kernel:?} is not checked: its launch states GRAPHCAP_ACCESS_READ of every argument that \
         it states, so it is not known what the kernel writes; state GRAPHCAP_ACCESS_WRITE or GRAPHCAP_ACCESS_READ_WRITE of that"
    );
    pages::tell(text.bytes());
}

/// Tells of a touch that a kernel did not declare.
pub(super) fn tell(record: &Record, address: Address, who: impl fmt::Display, verb: &str) {
    let mut text = Text::new();
    let place = BytePlace::of(record, address);
    let _ = write!(text, "graphcap: GRAPHCAP_CHECK_ACCESS=1: {who} {verb} {place}, which it did not state");
    let _ = write_declared(record, &mut text);
    let _ = text.write_char('\n');
    pages::tell(text.bytes());
}
