//! Recordings for a cache: one thread records the work of a key, and others that need it wait.
//!
//! A thread that records never waits for another one's recording: that one could be waiting for it.

use std::cell::Cell;

use super::entries::{Entries, RecordedWork, Served};
use crate::graphs::graph::Graph;
use crate::state::{Context, Stream};
use graphcap_base::defer;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Condvar, Mutex, MutexGuard};
use graphcap_base::thread::this_thread;
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::StreamOptions;

thread_local! {
    /// Number of recording functions that this thread is in.
    static WITHIN: Cell<u32> = const { Cell::new(0) };
}

/// Next step of a thread that needs the work of a key.
pub(super) enum NextStep<'a> {
    /// It launches what was recorded.
    Recorded(Served),
    /// It records.
    Record(Recording<'a>),
}

/// The turn of a thread to record the work of a key. When it ends without an entry, the next thread that needs the work records.
pub(super) struct Recording<'a> {
    keys: &'a Keys,
    key: &'a [u8],
    number: u64,
}

/// The entries of a cache, for all threads.
pub(super) struct Keys {
    entries: Mutex<Entries, rank::CacheEntries>,
    /// Told of each end of a recording.
    recorded: Condvar,
}

impl Keys {
    pub(super) fn new(entries: Entries) -> Keys {
        Keys { entries: Mutex::new(entries), recorded: Condvar::new() }
    }

    /// Locks the entries, for a look or a change.
    #[inline]
    pub(super) fn lock(&self) -> MutexGuard<'_, Entries> {
        lock(&self.entries)
    }

    /// Takes entries out, also what waits for recordings. The next thread that waits for one records itself.
    pub(super) fn take<T>(&self, take: impl FnOnce(&mut Entries) -> T) -> T {
        let taken = take(&mut self.lock());
        self.recorded.notify_all();
        taken
    }

    /// Uses the entry of `key`, if its work was recorded.
    ///
    /// # Errors
    /// `BUSY` within a recording function of this cache.
    #[inline]
    pub(super) fn used(&self, key: &[u8]) -> Result<Option<Served>> {
        let mut entries = self.lock();
        match entries.is_recorder(this_thread) {
            true => Err(busy()),
            false => Ok(entries.used(key)),
        }
    }

    /// Looks for the work of `key`, and waits while another thread records it.
    ///
    /// # Errors
    /// `BUSY` within a recording function of this cache, and within one of another cache instead of waiting; `OUT_OF_MEMORY`.
    pub(super) fn turn<'a>(&'a self, key: &'a [u8]) -> Result<NextStep<'a>> {
        let mut entries = self.lock();
        if entries.is_recorder(this_thread) {
            return Err(busy());
        }
        loop {
            if let Some(served) = entries.used(key) {
                return Ok(NextStep::Recorded(served));
            }
            if !entries.is_recording(key) {
                let number = entries.begin(key, this_thread())?;
                return Ok(NextStep::Record(Recording { keys: self, key, number }));
            }
            if WITHIN.get() > 0 {
                return Err(would_wait());
            }
            entries = self.recorded.wait(entries);
        }
    }

    /// Captures what `record` submits, which becomes no entry.
    ///
    /// # Errors
    /// As [`Stream::capture`].
    pub(super) fn record_anew<E: From<Error>>(
        &self,
        context: &Context,
        mode: CaptureMode,
        record: impl FnOnce(&Stream) -> std::result::Result<(), E>,
    ) -> std::result::Result<Graph, E> {
        self.lock().begin_anew(this_thread());
        let _anew = defer(|| self.lock().end_anew(this_thread()));
        capture(context, mode, record)
    }
}

/// Captures what `record` submits to a stream that is made for it.
///
/// # Errors
/// As [`Stream::capture`].
fn capture<E: From<Error>>(
    context: &Context,
    mode: CaptureMode,
    record: impl FnOnce(&Stream) -> std::result::Result<(), E>,
) -> std::result::Result<Graph, E> {
    // A blocking stream would have the legacy stream refuse work meanwhile.
    let stream = Stream::create(context, StreamOptions { non_blocking: true, ..StreamOptions::default() })?;
    stream.capture(mode, |stream| {
        WITHIN.set(WITHIN.get() + 1);
        let _within = defer(|| WITHIN.set(WITHIN.get() - 1));
        record(stream)
    })
}

impl Recording<'_> {
    /// Captures what `record` submits to a stream that is made for it.
    ///
    /// # Errors
    /// As [`Stream::capture`].
    pub(super) fn record<E: From<Error>>(
        &self,
        context: &Context,
        mode: CaptureMode,
        record: impl FnOnce(&Stream) -> std::result::Result<(), E>,
    ) -> std::result::Result<Graph, E> {
        capture(context, mode, record)
    }

    /// Ends the turn with what the key has from here on.
    pub(super) fn keep(self, work: RecordedWork) {
        let left = self.keys.lock().keep(self.key, self.number, work);
        drop(self);
        // It can run code of the caller's, which the others need not wait for.
        drop(left);
    }
}

impl Drop for Recording<'_> {
    fn drop(&mut self) {
        self.keys.lock().end(self.key, self.number, this_thread());
        self.keys.recorded.notify_all();
    }
}

#[cold]
fn busy() -> Error {
    Error::new(
        Status::BUSY,
        "the recording function of a graph cache cannot launch through that cache; launch when it has returned",
    )
}

#[cold]
fn would_wait() -> Error {
    Error::new(
        Status::BUSY,
        "another thread is recording the work of this key, and a recording function does not wait for that; launch when it has \
         returned",
    )
}
