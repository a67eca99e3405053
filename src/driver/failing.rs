//! The reason that a host function or a host kernel gives for its failure: kept on the thread that runs it, until graphcap takes it
//! there.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::callbacks;
use crate::error::{Error, Result, Status};

thread_local! {
    static REASON: Cell<Option<Box<str>>> = const { Cell::new(None) };
}

/// On how many threads there is one, so that nobody looks at its thread where there is none.
static REASONS: AtomicUsize = AtomicUsize::new(0);

/// The host function or the kernel that this thread runs fails. The first reason stays.
///
/// # Errors
/// `NOT_PERMITTED` on a thread that runs no work.
pub(crate) fn fail(reason: &str) -> Result<()> {
    if !callbacks::inside_work() {
        return Err(Error::new(Status::NOT_PERMITTED, "only host functions and host kernels can fail, while they run"));
    }
    // At the end of a thread there is no place for a reason, and no work either.
    let _ = REASON.try_with(|kept| match kept.take() {
        Some(first) => kept.set(Some(first)),
        None => {
            kept.set(Some(reason.into()));
            REASONS.fetch_add(1, Ordering::Relaxed);
        }
    });
    Ok(())
}

/// Takes the reason for which work on this thread has failed.
#[inline]
pub(crate) fn take() -> Option<Box<str>> {
    match REASONS.load(Ordering::Relaxed) {
        0 => None,
        _ => take_own(),
    }
}

#[cold]
fn take_own() -> Option<Box<str>> {
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
        assert_eq!(take().as_deref(), Some("first"));
        assert_eq!(take(), None);
    }
}
