//! Destroying handles, for which the end of the process may wait, and handles that end with a call.

use super::table::{ObjectEnd, Ownership, Removed};
use super::{refusal, reserve, Handle, Reserved, Token};
use crate::ffi::boundary::failure::Result;
use crate::ffi::boundary::process_end;
use graphcap_base::{defer, Deferred};

/// Makes the handle dead. NULL is fine. Of several racing calls one succeeds; calls in flight keep the object.
pub(crate) fn destroy<H: Handle>(handle: *mut H, argument: &'static str) -> Result<()> {
    if handle.is_null() {
        return Ok(());
    }
    let token = Token::of(handle);
    let remove = || H::table().remove(token.key(), |held| (H::ENDS)(&held.object));
    match token.is_of(H::KIND).then(remove).flatten() {
        // The object goes here, unless another call still uses it.
        Some(removed) if removed.ends() == ObjectEnd::AtOnceAndTells && !graphcap_driver::is_within_work() => {
            graphcap_driver::releasing_here(|| drop(removed));
        }
        Some(removed) => drop::<Removed<_>>(removed),
        None if token.is_of(H::KIND) && H::table().forget_stale(token.key()) => {}
        None => return Err(refusal::<H>(token, argument)),
    }
    process_end::after_destroy();
    Ok(())
}

/// Enters `object` and gives a handle for a call of the caller's function, and what ends it when it is dropped: the caller may have
/// destroyed it by then.
pub(crate) fn lend<H: Handle>(object: H::Object) -> Result<(*mut H, Deferred<impl FnOnce()>)> {
    Ok(reserve::<H>()?.lend(object))
}

impl<H: Handle> Reserved<H> {
    /// As [`lend`].
    pub(crate) fn lend(self, object: H::Object) -> (*mut H, Deferred<impl FnOnce()>) {
        let handle = self.enter_as(object, Ownership::Call);
        (handle, defer(move || _ = destroy(handle, "handle")))
    }
}
