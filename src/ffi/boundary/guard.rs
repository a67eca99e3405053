//! The guard that every exported function runs inside: no panic leaves the library, and a forked child is told no.

use std::any::Any;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicU8, Ordering};

use super::failure::{Failure, Result};
use super::handle::{self, Handle, Token};
use super::involved_names;
use super::message;
use super::observed::{self, Observed};
use super::output::Output;
use super::recording_failures;
use super::status::gc_status;
use graphcap_base::error::{Error, Status};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_core::Call;
use graphcap_driver::forked;
use graphcap_observe::{clock, trace};

/// The process has not been told to report forks yet.
const UNWATCHED: u8 = 0;
/// Forks are reported, and this is not a child.
const HOME: u8 = 1;
/// As [`HOME`], and calls are looked at.
const OBSERVED: u8 = 3;
/// This is a child of the process that used graphcap.
const CHILD: u8 = 4;

/// A flag, because asking for the process number at each call would cost several times the call.
static PROCESS: AtomicU8 = AtomicU8::new(UNWATCHED);

/// Runs `body` as the C function `function`. On failure its status is returned and the thread's message set.
/// A panic is `GRAPHCAP_ERROR_PANIC` and makes the handles `involved` unusable.
#[inline]
pub(crate) fn guard<const N: usize>(
    function: &'static str,
    involved: [Token; N],
    body: impl FnOnce() -> Result<()>,
) -> gc_status {
    let mut observed = None;
    let place = &mut observed;
    // What `body` owns, a callback for example, is dropped under catch_unwind in either case.
    let outcome = catch_unwind(AssertUnwindSafe(move || {
        if PROCESS.load(Ordering::Relaxed) != HOME {
            *place = at_home(function)?;
        }
        body()
    }));
    let status = match outcome {
        Ok(Ok(())) => Status::SUCCESS.0,
        Ok(Err(failure)) => failed(function, &involved, failure),
        Err(payload) => panicked(function, &involved, payload),
    };
    if let Some(observed) = observed {
        observed.end(status);
    }
    if graphcap_driver::is_thread_ended() {
        leave_no_more();
    }
    status
}

/// Runs `body` as the C function `function` with the object of the handle that C passed as the argument of that name, for a call
/// that does not wait.
#[inline]
pub(crate) fn with_borrowed<H: Handle>(
    function: &'static str,
    (handle, argument): (*const H, &'static str),
    body: impl FnOnce(&H::Object) -> Result<()>,
) -> gc_status {
    guard(function, [Token::of(handle)], || body(handle::borrow(handle, argument, &handle::pin())?))
}

/// As [`with_borrowed`], for a call that may wait.
pub(crate) fn with_clone<H: Handle>(
    function: &'static str,
    (handle, argument): (*const H, &'static str),
    body: impl FnOnce(H::Object) -> Result<()>,
) -> gc_status {
    guard(function, [Token::of(handle)], || body(handle::clone(handle, argument)?))
}

/// As [`with_borrowed`], with the objects of two handles.
#[inline]
pub(crate) fn with_two_borrowed<A: Handle, B: Handle>(
    function: &'static str,
    one: (*const A, &'static str),
    other: (*const B, &'static str),
    body: impl FnOnce(&A::Object, &B::Object) -> Result<()>,
) -> gc_status {
    guard(function, [Token::of(one.0), Token::of(other.0)], || {
        let pinned = handle::pin();
        body(handle::borrow(one.0, one.1, &pinned)?, handle::borrow(other.0, other.1, &pinned)?)
    })
}

/// As [`with_two_borrowed`], for a call that may wait.
pub(crate) fn with_two_clones<A: Handle, B: Handle>(
    function: &'static str,
    one: (*const A, &'static str),
    other: (*const B, &'static str),
    body: impl FnOnce(A::Object, B::Object) -> Result<()>,
) -> gc_status {
    guard(function, [Token::of(one.0), Token::of(other.0)], || {
        body(handle::clone(one.0, one.1)?, handle::clone(other.0, other.1)?)
    })
}

/// As [`with_borrowed`], and writes out what `body` answers.
#[inline]
pub(crate) fn answer_borrowed<H: Handle, O: Output>(
    function: &'static str,
    handle: (*const H, &'static str),
    out: O,
    body: impl FnOnce(&H::Object) -> Result<O::Value>,
) -> gc_status {
    with_borrowed(function, handle, |object| out.answer(|| body(object)))
}

/// As [`with_clone`], and writes out what `body` answers.
pub(crate) fn answer_clone<H: Handle, O: Output>(
    function: &'static str,
    handle: (*const H, &'static str),
    out: O,
    body: impl FnOnce(H::Object) -> Result<O::Value>,
) -> gc_status {
    with_clone(function, handle, |object| out.answer(|| body(object)))
}

/// Work in the call has ended the thread. Where it is the caller's it does not come back, and has let go of all that the call
/// used. A thread of graphcap's ends when it is done.
#[cold]
#[inline(never)]
fn leave_no_more() {
    if !graphcap_driver::is_own_thread() && !graphcap_driver::is_within_work() {
        graphcap_driver::stay();
    }
}

/// The first call of the process asks for forks to be reported; a child is refused. Begins to look at the call, where calls are
/// looked at.
#[cold]
#[inline(never)]
fn at_home(function: &'static str) -> Result<Option<Observed>> {
    static WATCHING: Mutex<(), rank::Watching> = Mutex::new(());
    // A child may have been forked while another thread was in here; it must not wait for that thread.
    if PROCESS.load(Ordering::Relaxed) == UNWATCHED {
        let _watching = lock(&WATCHING);
        if PROCESS.load(Ordering::Relaxed) == UNWATCHED {
            watch_forks()?;
            observed::begin_by_environment();
            PROCESS.store(HOME, Ordering::Relaxed);
            observe();
        }
    }
    match PROCESS.load(Ordering::Relaxed) {
        CHILD => Err(Failure::Forked),
        OBSERVED => Ok(Some(Observed::begin(function))),
        _ => Ok(None),
    }
}

/// Makes calls be looked at from here on, or no more.
pub(crate) fn observe() {
    let (from, to) = if observed::is_on() { (HOME, OBSERVED) } else { (OBSERVED, HOME) };
    // A forked child stays one.
    let _ = PROCESS.compare_exchange(from, to, Ordering::Relaxed, Ordering::Relaxed);
}

/// Makes the children of forks know that they are such.
fn watch_forks() -> graphcap_base::Result<()> {
    #[cfg(unix)]
    {
        extern "C" fn in_child() {
            PROCESS.store(CHILD, Ordering::Relaxed);
            forked::note_child();
            trace::note_child();
        }
        // SAFETY: the handler stores to atomics, which is allowed in a forked child, and the library
        // stays mapped (it is linked with -z nodelete), so that the handler outlives every fork.
        if unsafe { libc::pthread_atfork(None, None, Some(in_child)) } != 0 {
            let message = "the process has no memory to be told of forks; free some and call again";
            return Err(Error::new(Status::OUT_OF_MEMORY, message));
        }
    }
    Ok(())
}

#[cold]
#[inline(never)]
fn failed(function: &'static str, involved: &[Token], failure: Failure) -> gc_status {
    let status = failure.status();
    // A forked child may not lock anything.
    let (names, told) = match failure {
        Failure::Forked => (String::new(), None),
        // A bug there must not leave the library either, nor hide why the call failed.
        _ => {
            let call = Call { function, thread: clock::thread_number(), status };
            let told = catch_unwind(AssertUnwindSafe(|| graphcap_core::examine(call))).unwrap_or_default();
            let _ = catch_unwind(AssertUnwindSafe(|| recording_failures::note(&call, involved)));
            let names = catch_unwind(AssertUnwindSafe(|| involved_names::unsaid(&failure, involved)));
            (names.unwrap_or_default(), told)
        }
    };
    match told {
        Some(told) => message::set(function, &format_args!("{failure}{names}; {told}")),
        None => message::set(function, &format_args!("{failure}{names}")),
    }
    status.0
}

#[cold]
#[inline(never)]
fn panicked(function: &str, involved: &[Token], payload: Box<dyn Any + Send>) -> gc_status {
    involved.iter().for_each(|&token| handle::poison(token));
    let what = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text.as_str(),
        _ => "no reason given",
    };
    message::set(
        function,
        &format_args!(
            "graphcap failed internally ({what}); destroy the objects of this call, they cannot be used any more, and report this"
        ),
    );
    // The payload's own Drop may panic, and so may the Drop of that panic's payload: it is left alone.
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(second);
    }
    Status::PANIC.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last() -> String {
        message::with_last(str::to_owned)
    }

    #[test]
    fn success_leaves_the_message_alone() {
        message::set("gc_before", &"why");
        assert_eq!(guard("gc_test", [], || Ok(())), 0);
        assert_eq!(last(), "gc_before: why");
    }

    #[test]
    fn a_failure_is_its_status_and_message() {
        let status = guard("gc_test", [], || Err(Error::new(Status::NOT_FOUND, "no kernel 'a'").into()));
        assert_eq!((status, last().as_str()), (500, "gc_test: no kernel 'a'"));
    }

    #[test]
    fn a_panic_is_a_status_and_its_words_are_told() {
        assert_eq!(guard("gc_test", [], || panic!("index {}", 7)), Status::PANIC.0);
        assert!(last().starts_with("gc_test: graphcap failed internally (index 7)"), "{}", last());
        assert_eq!(guard("gc_test", [], || std::panic::panic_any(7u8)), Status::PANIC.0);
        assert!(last().contains("(no reason given)"), "{}", last());
    }

    #[test]
    fn a_payload_whose_drop_panics_is_contained() {
        struct Hostile(u8);
        impl Drop for Hostile {
            fn drop(&mut self) {
                if self.0 > 0 {
                    std::panic::panic_any(Hostile(self.0 - 1));
                }
            }
        }
        assert_eq!(guard("gc_test", [], || std::panic::panic_any(Hostile(2))), Status::PANIC.0);
    }

    #[test]
    fn what_the_body_owns_may_panic_when_dropped() {
        struct Loud;
        impl Drop for Loud {
            fn drop(&mut self) {
                panic!("dropped");
            }
        }
        let loud = Loud;
        let status = guard("gc_test", [], move || {
            let _owned = &loud;
            Ok(())
        });
        assert_eq!(status, Status::PANIC.0);
    }

    #[cfg(unix)]
    #[test]
    fn a_forked_child_is_told_no_and_the_parent_goes_on() {
        assert_eq!(guard("gc_test", [], || Ok(())), 0);
        // SAFETY: the child calls only functions that neither allocate nor lock, and leaves by _exit.
        let child = unsafe { libc::fork() };
        assert!(child >= 0);
        if child == 0 {
            let mut ran = false;
            let status = guard("gc_test", [], || {
                ran = true;
                Ok(())
            });
            let told = message::with_last(|text| text.starts_with("gc_test: the process was forked"));
            // SAFETY: _exit ends the child without running what the parent registered for its own end.
            unsafe { libc::_exit(i32::from(status != Status::FORKED.0 || ran || !told)) };
        }
        let mut end = -1;
        // SAFETY: `child` is a child of this process that nobody else waits for, and `end` is writable.
        assert_eq!(unsafe { libc::waitpid(child, &mut end, 0) }, child);
        assert_eq!(end, 0);
        assert_eq!(guard("gc_test", [], || Ok(())), 0);
    }
}
