//! Recordings for a cache: one thread records the work of a key, and others that need it wait.
//!
//! A thread that records never waits for another one's recording: that one could be waiting for it.

use std::cell::Cell;

use super::entries::{Served, Work};
use super::CacheInner;
use crate::core::graphs::graph::Graph;
use crate::core::state::Stream;
use crate::error::{Error, Result, Status};
use crate::lock::lock;
use crate::thread::this_thread;

thread_local! {
    /// How many recording functions this thread is in.
    static WITHIN: Cell<u32> = const { Cell::new(0) };
}

/// What a thread that needs the work of a key does next.
pub(super) enum Turn<'a> {
    /// It launches what was recorded.
    Recorded(Served),
    /// It records.
    Record(Recording<'a>),
}

/// The turn of a thread to record the work of a key. When it ends without an entry, the next thread that needs the work records.
pub(super) struct Recording<'a> {
    cache: &'a CacheInner,
    key: &'a [u8],
    number: u64,
}

impl CacheInner {
    /// Looks for the work of `key`, and waits while another thread records it.
    ///
    /// # Errors
    /// `BUSY` within a recording function of this cache, and within one of another cache instead of waiting; `OUT_OF_MEMORY`.
    pub(super) fn turn<'a>(&'a self, key: &'a [u8]) -> Result<Turn<'a>> {
        let mut entries = lock(&self.entries);
        if entries.is_recorder(this_thread) {
            return Err(super::busy());
        }
        loop {
            if let Some(served) = entries.used(key) {
                return Ok(Turn::Recorded(served));
            }
            if !entries.is_recording(key) {
                let number = entries.begin(key, this_thread())?;
                return Ok(Turn::Record(Recording { cache: self, key, number }));
            }
            if WITHIN.get() > 0 {
                return Err(busy(
                    "another thread is recording the work of this key, and a recording function does not wait for that; launch when \
                     it has returned",
                ));
            }
            entries = self.recorded.wait(entries);
        }
    }
}

impl Recording<'_> {
    /// Captures what `record` submits to a stream that is made for it.
    ///
    /// # Errors
    /// As [`Stream::capture`].
    pub(super) fn record<E: From<Error>>(
        &self,
        record: impl FnOnce(&Stream) -> std::result::Result<(), E>,
    ) -> std::result::Result<Graph, E> {
        let stream = self.cache.stream()?;
        stream.capture(self.cache.options.mode, |stream| {
            let _within = Within::enter();
            record(stream)
        })
    }

    /// Ends the turn with what the key has from here on.
    pub(super) fn keep(self, work: Work) {
        let left = lock(&self.cache.entries).keep(self.key, self.number, work);
        drop(self);
        // It can run code of the caller's, which the others need not wait for.
        drop(left);
    }
}

impl Drop for Recording<'_> {
    fn drop(&mut self) {
        lock(&self.cache.entries).end(self.key, self.number, this_thread());
        self.cache.recorded.notify_all();
    }
}

/// The time that a thread is in a recording function.
struct Within;

impl Within {
    fn enter() -> Within {
        WITHIN.set(WITHIN.get() + 1);
        Within
    }
}

impl Drop for Within {
    fn drop(&mut self) {
        WITHIN.set(WITHIN.get() - 1);
    }
}

#[cold]
pub(super) fn busy(why: &'static str) -> Error {
    Error::new(Status::BUSY, why)
}
