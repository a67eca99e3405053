//! The futures of an actor that were answered, in that order, for an event loop that watches one descriptor.

use std::collections::VecDeque;

use once_cell::sync::OnceCell;

use super::event_fd::EventFd;
use super::failure::Result;
use super::handle::Token;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_kit::WeakFuture;

/// The futures that were answered and not returned yet. Nothing is noted before the descriptor was asked for.
#[derive(Default)]
pub(crate) struct Completed {
    descriptor: OnceCell<EventFd>,
    answered: Mutex<Answered, rank::CompletedFutures>,
}

#[derive(Default)]
struct Answered {
    queue: VecDeque<(Token, WeakFuture)>,
    /// Number of them at which it is looked which of them nobody has any more.
    look_at: usize,
}

/// The fewest futures that are looked through.
const FEWEST: usize = 64;

impl Completed {
    /// The number of the descriptor, which is readable while there are futures.
    pub(crate) fn descriptor(&self) -> Result<i32> {
        Ok(self.descriptor.get_or_try_init(EventFd::new)?.number())
    }

    /// Returns whether the descriptor was asked for.
    pub(crate) fn is_watched(&self) -> bool {
        self.descriptor.get().is_some()
    }

    /// Adds a future that was answered.
    pub(crate) fn push(&self, token: Token, future: WeakFuture) {
        let Some(descriptor) = self.descriptor.get() else { return };
        let mut answered = lock(&self.answered);
        if answered.queue.len() >= answered.look_at.max(FEWEST) {
            answered.queue.retain(|(_, future)| !future.is_gone());
            answered.look_at = 2 * answered.queue.len();
        }
        answered.queue.push_back((token, future));
        if answered.queue.len() == 1 {
            descriptor.raise();
        }
    }

    /// Takes the future out that was answered first. Its handle may be destroyed.
    pub(crate) fn take(&self) -> Option<Token> {
        let mut answered = lock(&self.answered);
        let first = answered.queue.pop_front();
        if let (Some(_), true, Some(descriptor)) = (&first, answered.queue.is_empty(), self.descriptor.get()) {
            descriptor.lower();
        }
        first.map(|(token, _)| token)
    }
}
