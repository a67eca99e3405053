//! A bounded queue of messages for one thread, which sleeps while there are none.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::looks::Looks;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Condvar, Mutex, MutexGuard};

/// Longest time that something may be waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Patience {
    /// Not at all.
    None,
    /// So long.
    For(Duration),
    /// As long as it takes.
    Forever,
}

/// Outcome of the thread's look into the mailbox.
pub(super) enum Taken<M> {
    /// The next message.
    Message(M),
    /// None came in time, or the thread was woken for another reason.
    Nothing,
    /// The mailbox is closed. These were left.
    Closed(VecDeque<M>),
}

pub(super) struct Mailbox<M> {
    state: Mutex<State<M>, rank::Mailbox>,
    /// Tells of a message, a wake-up or the close since the thread found none, to look without locking.
    has_news: AtomicBool,
    /// Told of these while the thread sleeps.
    filled: Condvar,
    /// Told of room where there was none, of the close, and of the end.
    room: Condvar,
    bound: usize,
    looks: Looks,
}

struct State<M> {
    queue: VecDeque<M>,
    is_closed: bool,
    is_woken: bool,
    /// Tells whether the thread sleeps, and nobody has woken it yet.
    is_asleep: bool,
    has_ended: bool,
    /// Number of senders that wait for room.
    waiting: usize,
}

impl<M> Mailbox<M> {
    /// A mailbox for `bound` messages, whose thread looks for a time of `look` before it sleeps.
    pub(super) fn new(bound: usize, look: Duration) -> Mailbox<M> {
        let state = State {
            queue: VecDeque::new(),
            is_closed: false,
            is_woken: false,
            is_asleep: false,
            has_ended: false,
            waiting: 0,
        };
        let has_news = AtomicBool::new(false);
        Mailbox {
            state: Mutex::new(state),
            has_news,
            filled: Condvar::new(),
            room: Condvar::new(),
            bound,
            looks: Looks::of(look),
        }
    }

    /// Returns whether the thread may look before it sleeps.
    pub(super) fn may_look(&self) -> bool {
        self.looks.may_look()
    }

    /// Returns whether the thread may find something in it.
    pub(super) fn has_news(&self) -> bool {
        self.has_news.load(Ordering::Relaxed)
    }

    /// Looks for a while whether there is something to find, before the thread sleeps.
    pub(super) fn look_for_news(&self) {
        self.looks.look(None, || self.has_news());
    }

    /// Notes that there is something to find, and wakes the thread where it sleeps.
    fn tell(&self, mut state: MutexGuard<'_, State<M>>) {
        let is_asleep = std::mem::take(&mut state.is_asleep);
        self.has_news.store(true, Ordering::Relaxed);
        drop(state);
        if is_asleep {
            self.filled.notify_one();
        }
    }

    /// Puts a message in, and waits for room.
    ///
    /// # Errors
    /// `ILLEGAL_STATE` where it is closed; `BUSY` where there is no room and no patience; `TIMEOUT` where there was none in time.
    pub(super) fn post(&self, message: M, patience: Patience) -> Result<()> {
        let deadline = match patience {
            Patience::For(limit) => Instant::now().checked_add(limit),
            Patience::None | Patience::Forever => None,
        };
        let mut state = lock(&self.state);
        loop {
            if state.is_closed {
                return Err(Error::new(Status::ILLEGAL_STATE, "the actor is closed; make another one"));
            }
            if state.queue.len() < self.bound {
                break;
            }
            if patience == Patience::None {
                return Err(Error::new(
                    Status::BUSY,
                    "the actor's mailbox is full; post again when it has answered some",
                ));
            }
            if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                return Err(Error::new(Status::TIMEOUT, "the actor's mailbox was full all the time"));
            }
            state.waiting += 1;
            state = self.room.wait_until(state, deadline);
            state.waiting -= 1;
        }
        state.queue.push_back(message);
        self.tell(state);
        Ok(())
    }

    /// Takes the next message, and waits for one that `takes` wants. One that it does not want stays the next one.
    pub(super) fn take(&self, patience: Patience, takes: impl Fn(&M) -> bool) -> Taken<M> {
        let mut state = lock(&self.state);
        let mut has_waited = false;
        loop {
            if state.is_closed {
                self.has_news.store(false, Ordering::Relaxed);
                return Taken::Closed(std::mem::take(&mut state.queue));
            }
            if let Some(message) = state.queue.front().is_some_and(&takes).then(|| state.queue.pop_front()).flatten() {
                let has_waiting = state.waiting > 0;
                drop(state);
                if has_waiting {
                    self.room.notify_one();
                }
                return Taken::Message(message);
            }
            if std::mem::take(&mut state.is_woken) {
                return Taken::Nothing;
            }
            self.has_news.store(false, Ordering::Relaxed);
            if patience == Patience::None || (has_waited && patience != Patience::Forever) {
                return Taken::Nothing;
            }
            state.is_asleep = true;
            state = match patience {
                Patience::For(limit) => self.filled.wait_timeout(state, limit),
                _ => self.filled.wait(state),
            };
            state.is_asleep = false;
            has_waited = true;
        }
    }

    /// Makes the thread look for something else than messages.
    pub(super) fn wake(&self) {
        let mut state = lock(&self.state);
        state.is_woken = true;
        self.tell(state);
    }

    /// Takes no more messages. Those that are left go to the thread at once.
    pub(super) fn close(&self) {
        let mut state = lock(&self.state);
        state.is_closed = true;
        self.tell(state);
        self.room.notify_all();
    }

    /// The thread has ended.
    pub(super) fn end(&self) {
        lock(&self.state).has_ended = true;
        self.room.notify_all();
    }

    /// Waits until the thread has ended; whether it has.
    pub(super) fn await_end(&self, limit: Duration) -> bool {
        let state = lock(&self.state);
        let (state, _) = self.room.wait_timeout_while(state, limit, |state| !state.has_ended);
        state.has_ended
    }
}
