//! `GRAPHCAP_HOST_MEMORY=guard`: memory of the host device lies between pages that nobody may touch, and its addresses are
//! never used again. A touch outside of it, or of freed memory, traps; `trap.rs` then tells whose memory it was and what ran.
//!
//! Blocks end where a page ends, as far as their alignment allows. What is left over in their pages has a pattern, the
//! *canary*, which is looked at when the block is freed and when somebody waits for work.

mod check;
#[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), path = "no_keys.rs")]
mod keys;
mod live;
mod mode;
mod pages;
mod running;
mod space;
mod trap;

#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::sync::OnceLock;

pub(crate) use self::check::{is_in_a_block, tell_unchecked, Declared};
use self::live::LIVE;
pub(crate) use self::mode::{checks, is_on};
pub(crate) use self::running::{running, runs, Running, RunningNode, Turn, What};
use self::space::{BlockState, BytePlace, Record, Text};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::lock;
use graphcap_base::switch::{malformed, variable};
use graphcap_driver::Address;

/// Does what `GRAPHCAP_HOST_MEMORY` says, at the first call; before any memory is allocated.
///
/// # Errors
/// `INVALID_VALUE` for another text than `guard`; `NOT_SUPPORTED` on a system where memory cannot be guarded.
pub(crate) fn set_up() -> Result<()> {
    static DONE: OnceLock<Result<()>> = OnceLock::new();
    DONE.get_or_init(|| match (variable("GRAPHCAP_HOST_MEMORY"), checks_asked()?) {
        (None, None) => Ok(()),
        (memory, checks) if memory.as_ref().is_none_or(|text| text == "guard") => {
            if !pages::ARE_THERE {
                return Err(Error::new(Status::NOT_SUPPORTED, "GRAPHCAP_HOST_MEMORY=guard is there on Linux alone"));
            }
            trap::install()?;
            if checks == Some(By::KeysOrPages) {
                keys::set_up();
            }
            mode::turn_on(checks.is_some());
            Ok(())
        }
        _ => Err(malformed("GRAPHCAP_HOST_MEMORY", "\"guard\" or not set")),
    })
    .clone()
}

/// Way in which memory is kept from kernels.
#[derive(PartialEq, Eq)]
enum By {
    /// By protection keys where the CPU has them.
    KeysOrPages,
    Pages,
}

/// Returns whether `GRAPHCAP_CHECK_ACCESS` asks that the accesses of kernels are checked, and how.
fn checks_asked() -> Result<Option<By>> {
    match variable("GRAPHCAP_CHECK_ACCESS") {
        None => Ok(None),
        Some(text) if text == "0" => Ok(None),
        Some(text) if text == "1" => Ok(Some(By::KeysOrPages)),
        Some(text) if text == "pages" => Ok(Some(By::Pages)),
        Some(_) => Err(malformed("GRAPHCAP_CHECK_ACCESS", "\"1\", \"pages\", \"0\" or not set")),
    }
}

/// A guarded block, freed when dropped.
pub(crate) struct Guarded {
    number: usize,
    address: Address,
}

impl Guarded {
    /// `bytes` (not 0) bytes at a multiple of `alignment`, a power of two and at most a page; `None` when there is no memory.
    pub(crate) fn allocate(bytes: usize, alignment: usize) -> Option<Guarded> {
        let mut live = lock(&LIVE);
        let number = space::allocate(bytes, alignment)?;
        let record = space::record(number);
        record.slack().into_iter().for_each(pages::fill);
        live.insert(number, 1);
        Some(Guarded { number, address: record.start() })
    }

    /// The first byte.
    pub(crate) fn address(&self) -> Address {
        self.address
    }

    /// One more reason to touch it.
    pub(crate) fn open(&self) {
        let mut live = lock(&LIVE);
        let Some(reasons) = live.get_mut(&self.number) else { return };
        *reasons += 1;
        if *reasons == 1 {
            let record = space::record(self.number);
            pages::allow(record.pages());
            record.set_state(BlockState::Live);
        }
    }

    /// One reason less to touch it; without any it traps.
    pub(crate) fn close(&self) {
        let mut live = lock(&LIVE);
        let Some(reasons) = live.get_mut(&self.number) else { return };
        *reasons = reasons.saturating_sub(1);
        if *reasons == 0 {
            let record = space::record(self.number);
            check(record, "when a graph freed it");
            record.set_state(BlockState::Closed);
            pages::forbid(record.pages());
        }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        let mut live = lock(&LIVE);
        let record = space::record(self.number);
        if live.remove(&self.number).is_some_and(|reasons| reasons > 0) {
            check(record, "when it was freed");
        }
        record.set_state(BlockState::Freed);
        pages::discard(record.pages());
    }
}

/// Gives the block that starts at `address` the name that messages call it by.
pub(crate) fn name(address: Address, name: &str) {
    if !is_on() {
        return;
    }
    // Freed blocks keep their names: addresses are not used again.
    if let Some(record) = space::find(address).filter(|record| record.start() == address) {
        let _one_at_a_time = lock(&LIVE);
        record.set_name(name);
    }
}

/// Looks at the canaries of all blocks, as work was waited for. Ends the process where one is damaged.
pub(crate) fn check_all() {
    check_all_when("when work was waited for");
}

/// As [`check_all`], on another occasion.
pub(crate) fn check_all_when(when: &str) {
    if !is_on() {
        return;
    }
    let live = lock(&LIVE);
    if check::goes_on() {
        return;
    }
    for (&number, _) in live.iter().filter(|(_, &reasons)| reasons > 0) {
        check(space::record(number), when);
    }
}

fn check(record: &Record, when: &str) {
    if check::goes_on() {
        return;
    }
    if let Some(damaged) = record.slack().into_iter().find_map(pages::damaged) {
        end_process(record, damaged, when);
    }
}

/// Ends the process, since nobody can tell any more what its memory is worth.
#[cold]
fn end_process(record: &Record, damaged: Address, when: &str) -> ! {
    let mut text = Text::new();
    let place = BytePlace::of(record, damaged);
    // The text takes what fits.
    let _ = writeln!(text, "{} {place} was written to, as was found {when}", trap::PREFIX);
    pages::tell(text.bytes());
    std::process::abort()
}
