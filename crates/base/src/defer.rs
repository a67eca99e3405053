//! Something that is done at the end of a scope, however that ends.

/// Runs a function when it is dropped.
#[must_use = "the function runs when this is dropped"]
pub struct Deferred<F: FnOnce()>(Option<F>);

/// Runs `last` when the value is dropped.
#[inline]
pub const fn defer<F: FnOnce()>(last: F) -> Deferred<F> {
    Deferred(Some(last))
}

impl<F: FnOnce()> Drop for Deferred<F> {
    #[inline]
    fn drop(&mut self) {
        if let Some(last) = self.0.take() {
            last();
        }
    }
}
