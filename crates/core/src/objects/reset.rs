//! Resets: a context begins anew, and everything older is stale.
//!
//! A [`Context`] is one generation of a context. A reset makes another one, and ends this one: from then on
//! `Context::driver` refuses, and `Context::driver_even_if_stale` serves the destroys. So there is one place that refuses, and
//! a call that came past it before works on the device as it would have without the reset.

use std::sync::Arc;

use crate::captures::black_box;
use crate::pools::registry;
use crate::state::{Context, Stream};
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::check_caller;

impl Context {
    /// Begins the context anew and gives it as it is from here on, which has nothing of what was made before. This `Context` is of
    /// the old generation, as are all objects of it: each call of theirs that can fail answers `STALE` but a drop, which works as
    /// ever. The work that was submitted goes on, and what it uses is released behind it when its last handle is dropped. On
    /// the host device loops and waits for values that never end are abandoned. A call that another thread makes meanwhile
    /// counts as made before the reset or is refused; a wait that the reset overtakes answers `STALE`.
    ///
    /// The device itself is not reset: other contexts, and streams and memory of others, are left alone. After a fault the
    /// new generation of a host device works.
    ///
    /// # Errors
    /// Nothing is changed then: `STALE` when this is an old generation; `BUSY` while another thread resets the context;
    /// `NOT_PERMITTED` on a thread on which work runs; `OUT_OF_MEMORY`; and the status of a fault that the device does not
    /// recover from.
    pub fn reset(&self) -> Result<Context> {
        self.reset_with(|_| ())
    }

    /// Resets the context as [`Context::reset`]; `publish` gets the new generation before this one is over.
    ///
    /// # Errors
    /// As [`Context::reset`].
    pub fn reset_with(&self, publish: impl FnOnce(&Context)) -> Result<Context> {
        check_caller()?;
        self.check_current()?;
        let generation = &self.0.generation;
        if !generation.take_turn() {
            return Err(Error::new(
                Status::BUSY,
                "another thread is resetting the context; go on in the new generation when that has returned",
            ));
        }
        let renewed = self.0.driver.renew().inspect_err(|_| generation.give_turn_back())?;
        let driver = renewed.clone().unwrap_or_else(|| Arc::clone(&self.0.driver));
        let next = Context::with(driver, self.0.options, generation.next());
        publish(&next);
        generation.end(renewed.is_none());
        registry::forget(self);
        if renewed.is_some() {
            // Objects of it may live on for long, and calls may wait for what never ends.
            self.0.driver.leave();
        }
        Ok(next)
    }

    /// Returns how often the context was reset, plus 1.
    pub fn generation(&self) -> u64 {
        self.0.generation.number()
    }

    /// Returns whether the context was reset since, so that all calls on it and on its objects are refused.
    #[inline]
    pub fn is_stale(&self) -> bool {
        self.0.generation.is_over()
    }

    /// Fails where [`Context::is_stale`].
    #[inline]
    pub(crate) fn check_current(&self) -> Result<()> {
        match self.is_stale() {
            false => Ok(()),
            true => Err(stale()),
        }
    }

    /// Fails where this or the `other` context, with which it is to work, is stale.
    pub(crate) fn check_other(&self, other: &Context) -> Result<()> {
        self.check_current()?;
        other.check_current()
    }
}

/// The answer of everything that is older than the last reset of its context.
#[cold]
fn stale() -> Error {
    Error::new(
        Status::STALE,
        "the object is older than the last reset of its context; destroy it, and make another one in the context",
    )
}

impl Stream {
    /// Returns whether it is someone else's.
    pub fn is_wrapped(&self) -> bool {
        self.0.wrapped
    }

    /// Before a reset: discards the capture that was begun on the stream by a call of graphcap's, where the stream is someone
    /// else's and so does not end with its handle.
    pub fn let_own_capture_go(&self) {
        let is_own = |stream: &Stream| {
            stream.present_log().is_some_and(|log| log.mode.is_some() && log.is_open() && log.began_on(stream))
        };
        if self.is_wrapped() && is_own(self) {
            // Whatever it answers: the capture is over then.
            drop(self.end_capture_if(|_| Ok(())));
            black_box::concerns(None);
        }
    }
}
