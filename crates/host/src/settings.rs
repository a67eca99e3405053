//! Settings of the host device from the environment, and what all its files use.

use graphcap_base::error::{Error, Result};

/// Most lanes that `GRAPHCAP_HOST_THREADS` can ask for.
const MOST_LANES: usize = 1024;

/// Number of lanes that the environment variable `GRAPHCAP_HOST_THREADS` asks for, if it is there.
///
/// # Errors
/// `INVALID_VALUE` when the variable is not a number from 1 to 1024.
pub(crate) fn lanes_asked_for() -> Result<Option<usize>> {
    match std::env::var("GRAPHCAP_HOST_THREADS") {
        Err(std::env::VarError::NotPresent) => Ok(None),
        text => text.ok().and_then(|text| text.parse().ok()).filter(|count| (1..=MOST_LANES).contains(count)).map_or_else(
            || {
                Err(Error::invalid_value(
                    "the environment variable GRAPHCAP_HOST_THREADS must be a number from 1 to 1024; without it there is one \
                     thread for each core",
                ))
            },
            |count| Ok(Some(count)),
        ),
    }
}

/// The end of the message of a fault.
pub(crate) const AFTER_A_FAULT: &str = "the context runs nothing any more, and gc_context_reset() begins it anew";

/// Runs `last` when the value is dropped.
pub(crate) fn defer<F: FnOnce()>(last: F) -> impl Drop {
    struct Deferred<F: FnOnce()>(Option<F>);
    impl<F: FnOnce()> Drop for Deferred<F> {
        fn drop(&mut self) {
            if let Some(last) = self.0.take() {
                last();
            }
        }
    }
    Deferred(Some(last))
}
