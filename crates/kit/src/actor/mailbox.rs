//! A bounded queue of messages for one thread, which sleeps while there are none.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Condvar, Mutex};

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
    /// Told of a message where there was none, of a wake-up, and of the close.
    filled: Condvar,
    /// Told of room where there was none, of the close, and of the end.
    room: Condvar,
    bound: usize,
}

struct State<M> {
    queue: VecDeque<M>,
    is_closed: bool,
    is_woken: bool,
    has_ended: bool,
    /// Number of senders that wait for room.
    waiting: usize,
}

impl<M> Mailbox<M> {
    /// A mailbox for `bound` messages.
    pub(super) fn new(bound: usize) -> Mailbox<M> {
        let state = State { queue: VecDeque::new(), is_closed: false, is_woken: false, has_ended: false, waiting: 0 };
        Mailbox { state: Mutex::new(state), filled: Condvar::new(), room: Condvar::new(), bound }
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
            let left = match deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())) {
                Some(Duration::ZERO) => {
                    return Err(Error::new(Status::TIMEOUT, "the actor's mailbox was full all the time"))
                }
                left => left,
            };
            state.waiting += 1;
            state = match left {
                Some(left) => self.room.wait_timeout(state, left),
                None => self.room.wait(state),
            };
            state.waiting -= 1;
        }
        let was_empty = state.queue.is_empty();
        state.queue.push_back(message);
        drop(state);
        if was_empty {
            self.filled.notify_one();
        }
        Ok(())
    }

    /// Takes the next message, and waits for one that `takes` wants. One that it does not want stays the next one.
    pub(super) fn take(&self, patience: Patience, takes: impl Fn(&M) -> bool) -> Taken<M> {
        let mut state = lock(&self.state);
        let mut has_waited = false;
        loop {
            if state.is_closed {
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
            state = match patience {
                Patience::None => return Taken::Nothing,
                Patience::For(_) if has_waited => return Taken::Nothing,
                Patience::For(limit) => self.filled.wait_timeout(state, limit),
                Patience::Forever => self.filled.wait(state),
            };
            has_waited = true;
        }
    }

    /// Makes the thread look for something else than messages.
    pub(super) fn wake(&self) {
        lock(&self.state).is_woken = true;
        self.filled.notify_one();
    }

    /// Takes no more messages. Those that are left go to the thread at once.
    pub(super) fn close(&self) {
        lock(&self.state).is_closed = true;
        self.filled.notify_all();
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
