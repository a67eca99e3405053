//! The reason that a host function or a host kernel gives for its failure: kept on the thread that runs it, until graphcap takes it
//! there.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::callbacks;
use graphcap_base::defer;
use graphcap_base::error::{Error, Result, Status};

/// The reason for which work has failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// The text that the work gave.
    pub text: Box<str>,
    /// The number of the piece of work that [`number_work`] had on this thread then.
    pub at: u64,
}

thread_local! {
    static REASON: Cell<Option<Reason>> = const { Cell::new(None) };
    /// The number of the piece of work that this thread runs, or has run last, among those of a replay.
    static RUNNING: Cell<u64> = const { Cell::new(0) };
}

/// On how many threads there is one, so that nobody looks at its thread where there is none.
static REASONS: AtomicUsize = AtomicUsize::new(0);

/// The host function or the kernel that this thread runs fails. The first reason stays.
///
/// # Errors
/// `NOT_PERMITTED` on a thread that runs no work.
pub fn fail(reason: &str) -> Result<()> {
    if !callbacks::inside_work() {
        return Err(Error::new(Status::NOT_PERMITTED, "only host functions and host kernels can fail, while they run"));
    }
    // At the end of a thread there is no place for a reason, and no work either.
    let _ = REASON.try_with(|kept| match kept.take() {
        Some(first) => kept.set(Some(first)),
        None => {
            kept.set(Some(Reason { text: reason.into(), at: RUNNING.get() }));
            REASONS.fetch_add(1, Ordering::Relaxed);
        }
    });
    Ok(())
}

/// Lets `run` keep the number of the piece of work that runs, which a [`Reason`] tells.
#[inline]
pub fn number_work<T>(run: impl FnOnce(&Cell<u64>) -> T) -> T {
    RUNNING.with(run)
}

/// As [`number_work`], for pieces of one of the pieces that are numbered so, which has its number again afterwards.
pub fn number_inner_work<T>(run: impl FnOnce(&Cell<u64>) -> T) -> T {
    RUNNING.with(|running| {
        let before = running.get();
        let _before = defer(|| running.set(before));
        run(running)
    })
}

/// True where work on this thread has failed, and nobody has taken the reason.
#[inline]
pub fn has_failed() -> bool {
    REASONS.load(Ordering::Relaxed) != 0 && has_own()
}

#[cold]
fn has_own() -> bool {
    let look = |kept: &Cell<Option<Reason>>| {
        let reason = kept.take();
        let is_there = reason.is_some();
        kept.set(reason);
        is_there
    };
    REASON.try_with(look).unwrap_or(false)
}

/// Gives a reason back that was taken on this thread.
#[cold]
pub fn give_back(reason: Reason) {
    if REASON.try_with(|kept| kept.set(Some(reason))).is_ok() {
        REASONS.fetch_add(1, Ordering::Relaxed);
    }
}

/// Takes the reason for which work on this thread has failed.
#[inline]
pub fn take() -> Option<Box<str>> {
    take_reason().map(|reason| reason.text)
}

/// As [`take`], with the number of the piece of work.
#[inline]
pub fn take_reason() -> Option<Reason> {
    match REASONS.load(Ordering::Relaxed) {
        0 => None,
        _ => take_own(),
    }
}

#[cold]
fn take_own() -> Option<Reason> {
    let reason = REASON.try_with(Cell::take).ok().flatten()?;
    REASONS.fetch_sub(1, Ordering::Relaxed);
    Some(reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_stays_until_it_is_taken_on_its_thread() {
        assert_eq!(fail("outside").unwrap_err().status, Status::NOT_PERMITTED);
        let _inside = callbacks::enter_work();
        assert_eq!(take(), None);
        fail("first").unwrap();
        fail("second").unwrap();
        assert_eq!(std::thread::spawn(take).join().unwrap(), None);
        assert!(has_failed());
        assert_eq!(take().as_deref(), Some("first"));
        assert!(!has_failed());
        assert_eq!(take(), None);
    }

    #[test]
    fn a_reason_tells_the_piece_of_work() {
        let _inside = callbacks::enter_work();
        number_work(|number| {
            number.set(7);
            fail("it is empty").unwrap();
            number.set(8);
        });
        let reason = Reason { text: "it is empty".into(), at: 7 };
        assert_eq!(take_reason(), Some(reason.clone()));
        number_inner_work(|number| number.set(1));
        number_work(|number| assert_eq!(number.get(), 8));
        give_back(reason.clone());
        assert_eq!(take_reason(), Some(reason));
    }
}
