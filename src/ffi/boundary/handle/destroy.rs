//! Destroying handles, for which the end of the process may wait.

use super::table::{ObjectEnd, Removed};
use super::{refusal, Handle, Token};
use crate::ffi::boundary::failure::Result;
use crate::ffi::boundary::process_end;

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

/// A handle for as long as a call of the caller's lasts, who may have destroyed it.
pub(crate) struct ForCall<H: Handle>(pub(crate) *mut H);

impl<H: Handle> Drop for ForCall<H> {
    fn drop(&mut self) {
        let _ = destroy(self.0, "handle");
    }
}
