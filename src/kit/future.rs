//! The answer to a message, which comes later.

use std::fmt;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use super::script::ScriptError;
use crate::core::GraphExec;
use crate::driver::check_caller;
use crate::error::{Error, Status};
use crate::lock::{lock, rank, Condvar, Mutex};
use crate::thread::{this_thread, ThreadNumber};

/// What an answer carries beside its success.
#[derive(Default)]
pub(super) struct Answer {
    /// An exec, to be taken once.
    pub(super) exec: Option<GraphExec>,
    /// A text.
    pub(super) text: Option<String>,
}

/// A function that is called with the answer.
type Callback = Box<dyn FnOnce(&Future) + Send>;

/// The answer to a message to an actor. Clones are of one answer. It needs no runtime: it can be asked, waited for, given a function
/// to call, and awaited.
#[derive(Clone)]
pub struct Future(Arc<Cell>);

struct Cell {
    /// The thread that answers, on which nobody may wait for it.
    answers: Arc<OnceLock<ThreadNumber>>,
    state: Mutex<State, rank::FutureState>,
    done: Condvar,
}

#[derive(Default)]
struct State {
    outcome: Option<Result<(), ScriptError>>,
    answer: Answer,
    wakers: Vec<Waker>,
    callbacks: Vec<Callback>,
}

/// The duty to answer. Where it is dropped instead, the answer is `CANCELLED`.
pub(super) struct Promise(Option<Arc<Cell>>);

/// A promise, and the future that it is for, which the thread `answers` is going to answer.
pub(super) fn promise(answers: &Arc<OnceLock<ThreadNumber>>) -> (Promise, Future) {
    let cell = Arc::new(Cell { answers: Arc::clone(answers), state: Mutex::default(), done: Condvar::new() });
    (Promise(Some(Arc::clone(&cell))), Future(cell))
}

impl Promise {
    /// Gives the answer, and calls what was to be called with it.
    pub(super) fn answer(mut self, answered: Result<Answer, ScriptError>) {
        if let Some(cell) = self.0.take() {
            give(cell, answered);
        }
    }
}

impl Drop for Promise {
    fn drop(&mut self) {
        if let Some(cell) = self.0.take() {
            give(cell, Err(cancelled().into()));
        }
    }
}

fn give(cell: Arc<Cell>, answered: Result<Answer, ScriptError>) {
    let mut state = lock(&cell.state);
    state.outcome = Some(match answered {
        Ok(answer) => {
            state.answer = answer;
            Ok(())
        }
        Err(error) => Err(error),
    });
    let (wakers, callbacks) = (std::mem::take(&mut state.wakers), std::mem::take(&mut state.callbacks));
    drop(state);
    cell.done.notify_all();
    let future = Future(cell);
    // A panic of the caller's code must not take the actor's thread along.
    for waker in wakers {
        unharmed(|| waker.wake());
    }
    for callback in callbacks {
        unharmed(|| callback(&future));
    }
}

fn unharmed(call: impl FnOnce()) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(call)) {
        // Its own Drop may panic: it is left alone.
        std::mem::forget(payload);
    }
}

impl Future {
    /// The answer, if it is there.
    pub fn outcome(&self) -> Option<Result<(), ScriptError>> {
        lock(&self.0.state).outcome.clone()
    }

    /// Waits for the answer, and gives it. Waiting again gives the same answer.
    ///
    /// # Errors
    /// What the answer is; `BUSY` on the actor's own thread, which would wait for itself; `NOT_PERMITTED` on a thread on which work
    /// runs.
    pub fn wait(&self) -> Result<(), ScriptError> {
        self.wait_until(None)
    }

    /// Waits as [`Future::wait`], but no longer than `limit`.
    ///
    /// # Errors
    /// As [`Future::wait`]; `TIMEOUT` where there was no answer by then.
    pub fn wait_for(&self, limit: Duration) -> Result<(), ScriptError> {
        self.wait_until(Instant::now().checked_add(limit))
    }

    fn wait_until(&self, deadline: Option<Instant>) -> Result<(), ScriptError> {
        check_caller()?;
        let mut state = lock(&self.0.state);
        loop {
            if let Some(outcome) = &state.outcome {
                return outcome.clone();
            }
            if self.0.answers.get() == Some(&this_thread()) {
                return Err(Error::new(
                    Status::BUSY,
                    "the actor's own thread cannot wait for an answer of that actor; wait on another thread",
                )
                .into());
            }
            state = match deadline {
                None => self.0.done.wait(state),
                Some(deadline) => match deadline.checked_duration_since(Instant::now()) {
                    Some(left) if !left.is_zero() => self.0.done.wait_timeout(state, left),
                    _ => return Err(Error::new(Status::TIMEOUT, "the actor has not answered in time").into()),
                },
            };
        }
    }

    /// Calls `callback` with the answer: on the actor's thread when it answers, or before this returns if it has answered. A panic of
    /// it is caught.
    pub fn on_done(&self, callback: impl FnOnce(&Future) + Send + 'static) {
        let mut state = lock(&self.0.state);
        if state.outcome.is_none() {
            state.callbacks.push(Box::new(callback));
            return;
        }
        drop(state);
        unharmed(|| callback(self));
    }

    /// The exec that the answer carries: that of a message that makes one. It is given once.
    pub fn take_exec(&self) -> Option<GraphExec> {
        lock(&self.0.state).answer.exec.take()
    }

    /// The text that the answer carries.
    pub fn text(&self) -> Option<String> {
        lock(&self.0.state).answer.text.clone()
    }
}

impl std::future::Future for Future {
    type Output = Result<(), ScriptError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = lock(&self.0.state);
        match &state.outcome {
            Some(outcome) => Poll::Ready(outcome.clone()),
            None => {
                if !state.wakers.iter().any(|waker| waker.will_wake(context.waker())) {
                    state.wakers.push(context.waker().clone());
                }
                Poll::Pending
            }
        }
    }
}

impl fmt::Debug for Future {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Future").field("outcome", &self.outcome()).finish()
    }
}

#[cold]
fn cancelled() -> Error {
    Error::new(Status::CANCELLED, "the actor was closed before it came to the message")
}
