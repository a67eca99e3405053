//! Callbacks: a function, its user data, and a destroy function that runs exactly once, also on failure.

use std::ffi::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;

use super::failure::{Failure, Result};
use super::message;
use super::status::gc_status;
use graphcap_base::error::{Error, Status};
use graphcap_driver::{call_out, enter_default_floats, take_failure, GivenFunction, HostFunction, HostTask};

/// A function that a stream runs on the CPU, see gc_stream_launch_host_func().
///
/// It runs on a thread of graphcap's or of the driver's, once per launch, and may block. It may call only the gc_
/// functions that the general section on callbacks allows, and no CUDA functions. A recorded host function may run on
/// several threads at once, because launches of different graph execs do not wait for each other. A host function must
/// not wait for another one: a CUDA device may run them one at a time. It fails by gc_host_fail().
pub type gc_host_fn = Option<unsafe extern "C-unwind" fn(user_data: *mut c_void)>;

/// Releases what the user data of a callback holds. graphcap calls it exactly once, on any thread, when it will not use
/// the user data any more. It is called even if the call that took the callback fails. It may be called within the call
/// that destroys the object; see "What ends at once".
///
/// It may call what a gc_host_fn may call.
pub type gc_destroy_fn = Option<unsafe extern "C-unwind" fn(user_data: *mut c_void)>;

/// User data of the caller's, and the duty to destroy it once.
pub(crate) struct UserData {
    pointer: *mut c_void,
    destroy: gc_destroy_fn,
}

// SAFETY: the header tells the caller that user data is used and destroyed on any thread.
unsafe impl Send for UserData {}
// SAFETY: as above; graphcap itself only hands the pointer on.
unsafe impl Sync for UserData {}

impl UserData {
    /// Takes over the duty to call `destroy`. Make it before anything can fail.
    ///
    /// # Safety
    /// `destroy` is NULL or may be called once with `pointer`, on any thread.
    pub(crate) unsafe fn new(pointer: *mut c_void, destroy: gc_destroy_fn) -> Self {
        UserData { pointer, destroy }
    }

    /// Returns what the caller's function is called with.
    pub(crate) fn pointer(&self) -> *mut c_void {
        self.pointer
    }

    /// Returns what the driver calls when it is done with memory of the caller's.
    pub(crate) fn into_release(self) -> Box<dyn FnOnce() + Send> {
        Box::new(move || drop(self))
    }

    /// Returns what a stream runs: `function` with this user data, which lives as long as the result.
    ///
    /// # Safety
    /// `function` is NULL or may be called any number of times with the user data, on any thread.
    pub(crate) unsafe fn into_host_function(self, function: gc_host_fn) -> Result<HostFunction> {
        let Some(function) = function else {
            return Err(Failure::Null("function"));
        };
        Ok(Arc::new(Given { function, user_data: self }))
    }
}

/// A function of the caller's with its user data.
struct Given {
    function: unsafe extern "C-unwind" fn(user_data: *mut c_void),
    user_data: UserData,
}

impl HostTask for Given {
    fn call(&self) -> Option<Box<str>> {
        // That of a Rust function that ran here before: nobody asks those.
        take_failure();
        // SAFETY: the caller of into_host_function promises that it may be called so, and the user data is still there.
        let called = catch_unwind(|| call_out(|| unsafe { (self.function)(self.user_data.pointer) }));
        match called {
            Ok(_) => take_failure(),
            Err(payload) => {
                // It was told by the panic hook. Its own Drop may panic: it is left alone.
                std::mem::forget(payload);
                take_failure().map(|reason| format!("{reason}; it panicked afterwards").into())
            }
        }
    }

    fn given(&self) -> Option<GivenFunction> {
        Some(GivenFunction {
            function: (self.function as *const c_void).expose_provenance(),
            user_data: self.user_data.pointer.expose_provenance(),
        })
    }
}

/// Calls the caller's function; what it reports, or its panic, is a failure that has the message of
/// gc_callback_set_message(), or else tells of the last call that failed in it.
pub(crate) fn called(function: impl FnOnce() -> gc_status) -> Result<()> {
    called_as("the function that submits", ", so the capture was discarded", function)
}

/// As [`called`], for a function that messages call `what`, whose failure has a `consequence`.
pub(crate) fn called_as(what: &str, consequence: &str, function: impl FnOnce() -> gc_status) -> Result<()> {
    let before = message::with_last(str::to_owned);
    // That of a function around it, which goes on.
    let outer = message::with_callback(str::to_owned);
    message::set_of_callback("");
    let called = catch_unwind(AssertUnwindSafe(|| call_out(function)));
    let text = message::with_callback(str::to_owned);
    message::set_of_callback(&outer);
    let (status, told) = match called {
        Ok(Some(0)) => return Ok(()),
        Ok(None) => (Status::CALLBACK, format!("{what} ended its thread")),
        Ok(Some(status)) => {
            let name = Status(status).name().map(|name| format!(", {}", name.to_string_lossy())).unwrap_or_default();
            (Status(status), format!("{what} returned {status}{name}"))
        }
        Err(payload) => {
            // It was told by the panic hook. Its own Drop may panic: it is left alone.
            std::mem::forget(payload);
            (Status::CALLBACK, format!("{what} panicked"))
        }
    };
    let inside = match text.is_empty() {
        false => format!(": {text}"),
        true => message::with_last(|last| match last == before {
            true => String::new(),
            false => format!("; the last call that failed in it: {last}"),
        }),
    };
    Err(Error::new(status, format!("{told}{consequence}{inside}")).into())
}

impl UserData {
    /// The user data as something to be kept, which destroys it with its last clone.
    pub(crate) fn into_object(self) -> HostFunction {
        Arc::new(move || {
            // Named, so that the closure owns it.
            let _kept = &self;
        })
    }
}

impl Drop for UserData {
    fn drop(&mut self) {
        if let Some(destroy) = self.destroy.take() {
            let _floats = enter_default_floats();
            // SAFETY: the caller of `new` promises that it may be called once, and this is the only place.
            call_out(|| unsafe { destroy(self.pointer) });
            // It belongs to no work that could fail.
            take_failure();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use graphcap_driver::fail_work;
    use std::ptr::null_mut;
    use std::sync::atomic::{AtomicU32, Ordering};

    unsafe extern "C-unwind" fn count(user_data: *mut c_void) {
        // SAFETY: the tests pass an AtomicU32 that outlives the callback.
        unsafe { &*user_data.cast::<AtomicU32>() }.fetch_add(1, Ordering::SeqCst);
    }

    fn user_data(counter: &AtomicU32) -> UserData {
        // SAFETY: `count` may be called with a counter, and each test outlives its callbacks.
        unsafe { UserData::new(std::ptr::from_ref(counter).cast_mut().cast(), Some(count)) }
    }

    #[test]
    fn a_host_function_runs_each_time_and_is_destroyed_once_with_its_last_clone() {
        let destroyed = AtomicU32::new(0);
        // SAFETY: `count` may be called any number of times.
        let function = unsafe { user_data(&destroyed).into_host_function(Some(count)) }.unwrap();
        let clone = Arc::clone(&function);
        assert_eq!(function.call(), None);
        assert_eq!(function.call(), None);
        drop(function);
        assert_eq!(destroyed.load(Ordering::SeqCst), 2);
        drop(clone);
        assert_eq!(destroyed.load(Ordering::SeqCst), 3);
    }

    #[test]
    fn a_host_function_that_gives_a_reason_and_panics_has_failed_for_the_reason() {
        unsafe extern "C-unwind" fn fail_and_panic(_: *mut c_void) {
            fail_work("the halo is empty").unwrap();
            std::panic::resume_unwind(Box::new("test"));
        }
        let destroyed = AtomicU32::new(0);
        // SAFETY: it may be called any number of times.
        let function = unsafe { user_data(&destroyed).into_host_function(Some(fail_and_panic)) }.unwrap();
        let _inside = graphcap_driver::callbacks::enter_work();
        assert_eq!(function.call().as_deref(), Some("the halo is empty; it panicked afterwards"));
        assert_eq!(take_failure(), None);
    }

    #[test]
    fn a_missing_function_destroys_at_once() {
        let destroyed = AtomicU32::new(0);
        // SAFETY: NULL is allowed.
        assert!(unsafe { user_data(&destroyed).into_host_function(None) }.is_err());
        assert_eq!(destroyed.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn a_release_destroys_once_whether_it_is_called_or_dropped() {
        let destroyed = AtomicU32::new(0);
        user_data(&destroyed).into_release()();
        assert_eq!(destroyed.load(Ordering::SeqCst), 1);
        drop(user_data(&destroyed).into_release());
        assert_eq!(destroyed.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn destroy_may_be_null() {
        // SAFETY: NULL is allowed.
        drop(unsafe { UserData::new(null_mut(), None) });
    }
}
