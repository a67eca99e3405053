//! Users of something: the streams that must be waited for before it goes.

use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};

use smallvec::SmallVec;

use super::StreamId;
use graphcap_base::lock::{lock, rank, Mutex};

/// Streams, of one context or of several, each once.
#[derive(Clone, Debug, Default)]
pub struct Users(SmallVec<[StreamId; 4]>);

impl Users {
    /// Nobody.
    pub fn new() -> Users {
        Users::default()
    }

    /// Counts `stream` among them.
    pub fn add(&mut self, stream: StreamId) {
        if let Err(at) = self.0.binary_search(&stream) {
            self.0.insert(at, stream);
        }
    }

    /// Forgets those of which `stays` is false.
    pub fn retain(&mut self, stays: impl Fn(StreamId) -> bool) {
        self.0.retain(|stream| stays(*stream));
    }
}

impl Deref for Users {
    type Target = [StreamId];

    fn deref(&self) -> &[StreamId] {
        &self.0
    }
}

/// No driver numbers a stream so.
const NO_STREAM: u64 = u64::MAX;

/// Number of users at which, and at each multiple of which, those are looked for that are over.
const CROWD: usize = 64;

/// The users of one thing, which any thread may add to. Noting the stream that was noted last costs a load.
#[derive(Debug)]
pub struct UsedBy {
    latest: AtomicU64,
    users: Mutex<Users, rank::Users>,
}

impl Default for UsedBy {
    fn default() -> Self {
        UsedBy { latest: AtomicU64::new(NO_STREAM), users: Mutex::default() }
    }
}

impl UsedBy {
    /// Counts `stream` among the users. `is_over` tells of which streams nothing need be waited for any more, so that
    /// what lives long does not remember every stream that ever was.
    #[inline]
    pub fn note(&self, stream: StreamId, is_over: impl Fn(StreamId) -> bool) {
        if self.latest.load(Ordering::Relaxed) != stream.0 {
            self.note_other(stream, is_over);
        }
    }

    #[cold]
    fn note_other(&self, stream: StreamId, is_over: impl Fn(StreamId) -> bool) {
        let crowd = {
            let mut users = lock(&self.users);
            let before = users.len();
            users.add(stream);
            self.latest.store(stream.0, Ordering::Relaxed);
            (users.len() > before && users.len().is_multiple_of(CROWD)).then(|| users.clone())
        };
        let Some(crowd) = crowd else { return };
        // Asked without the lock: the answer takes others.
        let over: Vec<StreamId> = crowd.iter().copied().filter(|&user| is_over(user)).collect();
        let mut users = lock(&self.users);
        users.retain(|user| over.binary_search(&user).is_err());
        // Numbers of streams come again in time.
        self.latest.store(NO_STREAM, Ordering::Relaxed);
    }

    /// Those that were noted so far and not forgotten.
    pub fn users(&self) -> Users {
        lock(&self.users).clone()
    }

    /// Those that were noted so far and not forgotten; they are forgotten now.
    pub fn take(&self) -> Users {
        let mut users = lock(&self.users);
        self.latest.store(NO_STREAM, Ordering::Relaxed);
        std::mem::take(&mut *users)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stream_counts_once() {
        let mut users = Users::new();
        for number in [7, 3, 7, 5, 3, 9, 1] {
            users.add(StreamId(number));
        }
        assert_eq!(*users, [1, 3, 5, 7, 9].map(StreamId));
        users.retain(|StreamId(number)| number > 4);
        assert_eq!(*users, [5, 7, 9].map(StreamId));
    }

    #[test]
    fn users_that_are_over_are_forgotten_when_there_are_many() {
        let used_by = UsedBy::default();
        for number in 0..10 * CROWD as u64 {
            used_by.note(StreamId(number), |StreamId(asked)| asked + 3 < number);
            used_by.note(StreamId(number), |_| unreachable!("it was noted last"));
        }
        let users = used_by.take();
        assert!(users.len() < 2 * CROWD, "{}", users.len());
        assert_eq!(users.last(), Some(&StreamId(10 * CROWD as u64 - 1)));
        assert!(users.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(used_by.take().is_empty());
        used_by.note(StreamId(10 * CROWD as u64 - 1), |_| false);
        assert_eq!(used_by.take().len(), 1, "it is noted anew after that");
    }
}
