//! The answer to a message, which comes later.

use std::fmt;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::task::{self, Poll, Waker};
use std::time::{Duration, Instant};

use super::looks::Looks;
use super::script::ScriptError;
use graphcap_base::error::{Error, Status};
use graphcap_base::lock::{lock, rank, Condvar, Mutex};
use graphcap_base::thread::{this_thread, ThreadNumber};
use graphcap_core::{Context, GraphExec, Progress};
use graphcap_driver::{check_caller, enter_default_floats};

/// Data that an answer carries beside its success.
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
pub struct Future {
    cell: Arc<Cell>,
    /// The place of the waker among those of all clones, once this one was polled.
    place: Option<usize>,
}

struct Cell {
    context: Context,
    /// The thread that answers, on which nobody may wait for it.
    answers: Arc<OnceLock<ThreadNumber>>,
    looks: Arc<Looks>,
    /// Tells that the answer is there, to look without locking.
    is_answered: AtomicBool,
    state: Mutex<State, rank::FutureState>,
    done: Condvar,
}

#[derive(Default)]
struct State {
    /// Number of threads that sleep.
    sleepers: usize,
    outcome: Option<Result<(), ScriptError>>,
    answer: Answer,
    /// One for each clone that was polled, the latest. Places of clones that are gone are taken again.
    wakers: Vec<Option<Waker>>,
    callbacks: Vec<Callback>,
    /// The watched exec that is launched, until the launch has completed.
    launched: Option<GraphExec>,
    /// Report on a launch that is late.
    stall: Option<Arc<Stall>>,
    /// Called with that.
    stall_callbacks: Vec<Callback>,
}

/// Report on a launch that has not completed within the limit of its actor.
#[derive(Clone, Debug)]
pub struct Stall {
    /// The limit.
    pub limit: Duration,
    /// Progress of the launch by then; `None` of an exec that is not watched.
    pub progress: Option<Progress>,
}

impl Stall {
    /// The progress in words, with a line for each node, as [`Progress::text`].
    pub fn text(&self) -> String {
        let far = self.progress.as_ref().map_or_else(
            || "; make its graph exec with GRAPHCAP_INSTANTIATE_WATCH to learn which node keeps it\n".to_owned(),
            |progress| format!(": {}", progress.text()),
        );
        format!("the launch has not completed within {:?}{far}", self.limit)
    }
}

/// A future that does not keep its answer.
pub struct WeakFuture(Weak<Cell>);

impl WeakFuture {
    /// Returns whether nobody has the future any more.
    pub fn is_gone(&self) -> bool {
        self.0.strong_count() == 0
    }

    /// The future, unless nobody has it any more.
    pub(super) fn upgrade(&self) -> Option<Future> {
        self.0.upgrade().map(|cell| Future { cell, place: None })
    }
}

/// The duty to answer. Where it is dropped instead, the answer is `CANCELLED`.
pub(super) struct Promise(Option<Arc<Cell>>);

/// A promise, and the future that it is for, which the thread `answers` is going to answer, for an actor of `context`.
pub(super) fn promise(
    context: &Context,
    answers: &Arc<OnceLock<ThreadNumber>>,
    looks: &Arc<Looks>,
) -> (Promise, Future) {
    let cell = Arc::new(Cell {
        context: context.clone(),
        answers: Arc::clone(answers),
        looks: Arc::clone(looks),
        is_answered: AtomicBool::new(false),
        state: Mutex::default(),
        done: Condvar::new(),
    });
    (Promise(Some(Arc::clone(&cell))), Future { cell, place: None })
}

impl Promise {
    /// The message is a launch of `exec`, which the thread makes now: from here on a wait that is too short tells how far it is.
    pub(super) fn launches(&self, exec: &GraphExec) {
        if let Some(cell) = self.0.as_ref().filter(|_| exec.is_watched()) {
            lock(&cell.state).launched = Some(exec.clone());
        }
    }

    /// The future, without its answer.
    pub(super) fn downgrade(&self) -> Option<WeakFuture> {
        self.0.as_ref().map(|cell| WeakFuture(Arc::downgrade(cell)))
    }

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
    let (launched, uncalled) = (state.launched.take(), std::mem::take(&mut state.stall_callbacks));
    let has_sleepers = state.sleepers > 0;
    drop(state);
    cell.is_answered.store(true, Ordering::Release);
    // Where the lock is not held: with an exec goes what the caller gave, and a function is the caller's.
    drop(launched);
    uncalled.into_iter().for_each(|callback| unharmed(|| drop(callback)));
    if has_sleepers {
        cell.done.notify_all();
    }
    let future = Future { cell, place: None };
    // A panic of the caller's code must not take the actor's thread along.
    for waker in wakers.into_iter().flatten() {
        unharmed(|| waker.wake());
    }
    for callback in callbacks {
        unharmed(|| callback(&future));
    }
}

/// Calls a function of the caller's, in the default floating-point environment.
fn unharmed(call: impl FnOnce()) {
    let _floats = enter_default_floats();
    if let Err(payload) = catch_unwind(AssertUnwindSafe(call)) {
        // Its own Drop may panic: it is left alone.
        std::mem::forget(payload);
    }
}

impl Future {
    /// The answer, if it is there.
    pub fn outcome(&self) -> Option<Result<(), ScriptError>> {
        lock(&self.cell.state).outcome.clone()
    }

    /// Returns whether the answer is there.
    pub fn is_done(&self) -> bool {
        lock(&self.cell.state).outcome.is_some()
    }

    /// The future, without its answer.
    pub fn downgrade(&self) -> WeakFuture {
        WeakFuture(Arc::downgrade(&self.cell))
    }

    /// The context that the actor works in.
    pub fn context(&self) -> &Context {
        &self.cell.context
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
    /// As [`Future::wait`]; `TIMEOUT` where there was no answer by then. Of a launch of a watched exec the message names the nodes
    /// that could run and have not completed, as [`Progress::summary`](graphcap_core::Progress::summary).
    pub fn wait_for(&self, limit: Duration) -> Result<(), ScriptError> {
        self.wait_until(Instant::now().checked_add(limit))
    }

    fn wait_until(&self, deadline: Option<Instant>) -> Result<(), ScriptError> {
        check_caller()?;
        let is_own_thread = self.cell.answers.get() == Some(&this_thread());
        if !is_own_thread {
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            self.cell.looks.look(left, || self.cell.is_answered.load(Ordering::Acquire));
        }
        let mut state = lock(&self.cell.state);
        loop {
            if let Some(outcome) = &state.outcome {
                return outcome.clone();
            }
            if is_own_thread {
                return Err(Error::new(
                    Status::BUSY,
                    "the actor's own thread cannot wait for an answer of that actor; wait on another thread",
                )
                .into());
            }
            if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                let launched = state.launched.clone();
                drop(state);
                return Err(late(launched).into());
            }
            state.sleepers += 1;
            state = self.cell.done.wait_until(state, deadline);
            state.sleepers -= 1;
        }
    }

    /// Calls `callback` with the answer: on the actor's thread when it answers, or before this returns if it has answered. A panic of
    /// it is caught.
    pub fn on_done(&self, callback: impl FnOnce(&Future) + Send + 'static) {
        let callback: Callback = Box::new(callback);
        let mut state = lock(&self.cell.state);
        if state.outcome.is_none() {
            state.callbacks.push(callback);
            return;
        }
        drop(state);
        unharmed(|| callback(self));
    }

    /// Returns what was told of the launch when it was late: when it had not completed within
    /// [`ActorOptions::stall_limit`](super::ActorOptions::stall_limit). It stays when the launch completes after all.
    pub fn stall(&self) -> Option<Arc<Stall>> {
        lock(&self.cell.state).stall.clone()
    }

    /// Calls `callback` when the launch is late, as [`Future::stall`] tells: on a thread of the actor's that does nothing else, or before
    /// this returns if it is late already. It is dropped uncalled when the answer comes before that. The answer may come while it runs.
    /// A panic of it is caught.
    pub fn on_stall(&self, callback: impl FnOnce(&Future) + Send + 'static) {
        let callback: Callback = Box::new(callback);
        let mut state = lock(&self.cell.state);
        if state.stall.is_some() {
            drop(state);
            return unharmed(|| callback(self));
        }
        match &state.outcome {
            None => state.stall_callbacks.push(callback),
            Some(_) => {
                drop(state);
                unharmed(|| drop(callback));
            }
        }
    }

    /// The launch has not completed within `limit`: tells so, unless it has by now.
    pub(super) fn is_late(&self, limit: Duration) {
        let launched = {
            let state = lock(&self.cell.state);
            match &state.outcome {
                None => state.launched.clone(),
                Some(_) => return,
            }
        };
        let progress = launched.and_then(|exec| exec.progress().ok());
        let mut state = lock(&self.cell.state);
        if state.outcome.is_some() {
            return;
        }
        state.stall = Some(Arc::new(Stall { limit, progress }));
        let callbacks = std::mem::take(&mut state.stall_callbacks);
        drop(state);
        for callback in callbacks {
            unharmed(|| callback(self));
        }
    }

    /// The exec that the answer carries: that of a message that makes one. It is given once.
    pub fn take_exec(&self) -> Option<GraphExec> {
        lock(&self.cell.state).answer.exec.take()
    }

    /// The text that the answer carries.
    pub fn text(&self) -> Option<String> {
        lock(&self.cell.state).answer.text.clone()
    }

    /// Returns how many wakers there are, and places for them.
    #[cfg(test)]
    pub(super) fn wakers(&self) -> (usize, usize) {
        let state = lock(&self.cell.state);
        (state.wakers.iter().flatten().count(), state.wakers.len())
    }
}

impl State {
    /// Returns whether the clone at `place` has a waker that does what `waker` does.
    fn has_waker(&self, place: Option<usize>, waker: &Waker) -> bool {
        let present = place.and_then(|place| self.wakers.get(place)?.as_ref());
        present.is_some_and(|present| present.will_wake(waker))
    }

    /// Puts a waker at the place, or at one that nobody has. Gives the place, and the waker that was there.
    fn put_waker(&mut self, place: Option<usize>, waker: Waker) -> (usize, Option<Waker>) {
        let place = place.or_else(|| self.wakers.iter().position(Option::is_none)).unwrap_or(self.wakers.len());
        if place >= self.wakers.len() {
            self.wakers.resize_with(place + 1, || None);
        }
        (place, self.wakers.get_mut(place).and_then(|slot| slot.replace(waker)))
    }
}

impl std::future::Future for Future {
    type Output = Result<(), ScriptError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut task::Context<'_>) -> Poll<Self::Output> {
        let state = lock(&self.cell.state);
        if let Some(outcome) = &state.outcome {
            return Poll::Ready(outcome.clone());
        }
        if state.has_waker(self.place, context.waker()) {
            return Poll::Pending;
        }
        drop(state);
        // Cloned, and dropped, where the lock is not held: both are code of the caller's.
        let waker = context.waker().clone();
        let mut state = lock(&self.cell.state);
        if let Some(outcome) = &state.outcome {
            let outcome = outcome.clone();
            drop(state);
            return Poll::Ready(outcome);
        }
        let (place, before) = state.put_waker(self.place, waker);
        drop(state);
        drop(before);
        self.place = Some(place);
        Poll::Pending
    }
}

impl Clone for Future {
    fn clone(&self) -> Self {
        Future { cell: Arc::clone(&self.cell), place: None }
    }
}

impl Drop for Future {
    fn drop(&mut self) {
        if let Some(place) = self.place {
            let waker = lock(&self.cell.state).wakers.get_mut(place).and_then(Option::take);
            drop(waker);
        }
    }
}

impl fmt::Debug for Future {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Future").field("outcome", &self.outcome()).finish()
    }
}

/// The answer has not come. Of a launch it tells how far that is: of a watched exec in any case.
#[cold]
fn late(launched: Option<GraphExec>) -> Error {
    let far = launched.and_then(|exec| match exec.is_watched() {
        true => exec.progress().ok().map(|progress| progress.summary()),
        false => exec.what_runs(),
    });
    let far = far.map(|far| format!(": {far}")).unwrap_or_default();
    Error::new(Status::TIMEOUT, format!("the actor has not answered in time{far}"))
}

#[cold]
fn cancelled() -> Error {
    Error::new(Status::CANCELLED, "the actor was closed before it came to the message")
}
