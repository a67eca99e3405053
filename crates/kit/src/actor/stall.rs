//! Tells of launches of an actor that have not completed in time: a thread that sleeps while there is nothing to look after. It is
//! not the actor's own, which may be the one that the launch keeps.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::future::{Promise, WeakFuture};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Condvar, Mutex};
use graphcap_driver::start_thread;

/// Looks after the launch that an actor waits for. Dropping it ends the thread.
pub(super) struct StallWatch(Arc<Shared>);

struct Shared {
    limit: Duration,
    state: Mutex<State, rank::Stalls>,
    /// Told of a launch while the thread has none to look after, and of the end.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    first: Option<First>,
    /// Tells whether the thread sleeps without a limit.
    is_idle: bool,
    is_over: bool,
}

/// The earliest launch that was not answered.
struct First {
    future: WeakFuture,
    since: Instant,
    is_told: bool,
}

impl StallWatch {
    /// Starts the thread, which tells of launches after `limit`.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY` where no thread can start.
    pub(super) fn start(limit: Duration) -> Result<StallWatch> {
        let shared = Arc::new(Shared { limit, state: Mutex::default(), changed: Condvar::new() });
        let seen = Arc::clone(&shared);
        start_thread("graphcap-stall", move || seen.run()).map_err(|error| {
            let message = format!("the thread that tells of an actor's stalls could not start: {error}");
            Error::new(Status::OUT_OF_MEMORY, message)
        })?;
        Ok(StallWatch(shared))
    }

    /// From now on the actor waits for the launch that `promise` is to answer, or for none. The time begins anew.
    pub(super) fn look_after(&self, promise: Option<&Promise>) {
        let first = promise.and_then(Promise::downgrade);
        let first = first.map(|future| First { future, since: Instant::now(), is_told: false });
        let mut state = lock(&self.0.state);
        // A thread that sleeps for an earlier launch wakes before this one is late.
        let wakes = first.is_some() && state.is_idle;
        state.first = first;
        drop(state);
        if wakes {
            self.0.changed.notify_one();
        }
    }
}

impl Drop for StallWatch {
    fn drop(&mut self) {
        lock(&self.0.state).is_over = true;
        self.0.changed.notify_one();
    }
}

impl Shared {
    fn run(&self) {
        let mut state = lock(&self.state);
        while !state.is_over {
            let waiting = state.first.as_mut().filter(|first| !first.is_told);
            let due = waiting.and_then(|first| Some((first.since.checked_add(self.limit)?, first)));
            let Some((due, first)) = due else {
                state.is_idle = true;
                state = self.changed.wait(state);
                state.is_idle = false;
                continue;
            };
            let left = due.saturating_duration_since(Instant::now());
            if !left.is_zero() {
                state = self.changed.wait_timeout(state, left);
                continue;
            }
            first.is_told = true;
            let late = first.future.upgrade();
            drop(state);
            // Where the lock is not held: it calls what the caller gave.
            if let Some(late) = late {
                late.is_late(self.limit);
            }
            state = lock(&self.state);
        }
    }
}
