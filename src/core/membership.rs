//! Which capture a stream is in, known without asking the driver.
//!
//! The driver's calls and these notes cannot be one atomic step, so around every begin, join and end there is a
//! moment of doubt. A call made in doubt is treated as recorded and as executed: its objects are kept by the
//! capture and noted as used by the stream. Keeping too much is harmless, keeping too little is not.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use super::black_box::{Clock, Operation, Story};
use super::capture::{put_at_hand, take_at_hand, Finish, Record};
use super::graph::GraphInner;
use super::lock;
use super::operands::{Kept, Operands};
use super::recording::goes_on_after;
use super::thread_end::{end_with_this_thread, EndsWithThread};
use crate::driver::{self, StreamId};
use crate::error::{Error, Result, Status};
use crate::thread::{this_thread, ThreadNumber};

/// The low bits of `Membership::epoch`; the bits above are the record's number, so that no epoch comes twice
/// with a capture in between.
const STATE: u64 = (1 << STATE_BITS) - 1;
const STATE_BITS: u32 = 2;
/// The stream executes.
const NONE: u64 = 0;
/// The stream may execute or record.
const DOUBTFUL: u64 = 1;
/// The stream records, until the record is over.
const MEMBER: u64 = 2;

/// The capture state of one stream.
pub(super) struct Membership {
    epoch: AtomicU64,
    /// Set before `epoch` and left in place when the capture is over.
    record: Mutex<Option<Arc<Record>>>,
    /// Whether the capture was begun on this stream. Written under `transition`.
    origin: AtomicBool,
    /// Held over each driver call that can change the state.
    transition: Mutex<()>,
    /// Whose this is, for a thread's own default stream.
    thread: Option<ThreadNumber>,
    /// Which of the capture's streams this is, for its story.
    index: AtomicUsize,
    /// The latest capture that was begun on this stream, as it went; also when it is over.
    story: Mutex<Option<Arc<Story>>>,
    /// The graph that the capture goes into which was begun on this stream last, if that was to go into one: it must not
    /// be destroyed before the capture is over.
    target: Mutex<Option<Arc<GraphInner>>>,
}

/// The capture that an event was recorded in.
pub(super) struct Marker {
    record: Arc<Record>,
    /// False when the record raced a begin or end, or others may have recorded the event since, so that it may hold no
    /// capture.
    certain: bool,
    /// What the event has behind it.
    clock: Clock,
}

impl Marker {
    /// The mark of an event that was recorded in a capture that others may have begun.
    pub(super) fn of_shared(record: Arc<Record>) -> Marker {
        Marker { record, certain: false, clock: Clock::new() }
    }

    /// The event may have been recorded elsewhere since.
    pub(super) fn doubt(&mut self) {
        self.certain = false;
    }

    /// Whether others can end the capture: who joins it must ask the driver from then on.
    pub(super) fn is_shared(&self) -> bool {
        self.record.can_others_end()
    }

    /// How that capture goes.
    pub(super) fn story(&self) -> &Arc<Story> {
        &self.record.story
    }

    /// Whether the capture is over, so that the marker says nothing any more.
    pub(super) fn is_over(&self) -> bool {
        self.record.is_over()
    }
}

impl Membership {
    /// A stream that executes.
    pub(super) const fn new() -> Self {
        Self::of(None)
    }

    const fn of(thread: Option<ThreadNumber>) -> Self {
        Membership {
            thread,
            epoch: AtomicU64::new(NONE),
            record: Mutex::new(None),
            origin: AtomicBool::new(false),
            transition: Mutex::new(()),
            index: AtomicUsize::new(0),
            story: Mutex::new(None),
            target: Mutex::new(None),
        }
    }

    /// How the capture went that the stream is in, or else the latest one that was begun on it.
    pub(super) fn story(&self) -> Option<Arc<Story>> {
        self.current().map(|record| Arc::clone(&record.story)).or_else(|| self.told())
    }

    /// The latest capture that was begun on the stream, or ended there.
    pub(super) fn told(&self) -> Option<Arc<Story>> {
        lock(&self.story).clone()
    }

    /// A capture was begun on the stream, or ended there.
    pub(super) fn tells(&self, story: Arc<Story>) {
        *lock(&self.story) = Some(story);
    }

    /// The capture that the stream is in, if it goes on.
    pub(super) fn current(&self) -> Option<Arc<Record>> {
        if self.epoch.load(Ordering::Acquire) & STATE == NONE {
            return None;
        }
        self.record().filter(|record| !record.is_over())
    }

    /// The record that was set last.
    fn record(&self) -> Option<Arc<Record>> {
        lock(&self.record).clone()
    }

    /// The capture that was begun on this stream, if it goes on.
    pub(super) fn origin_of(&self) -> Option<Arc<Record>> {
        self.current().filter(|_| self.origin.load(Ordering::Acquire))
    }

    /// Makes `call`, which submits work on `operands` to `stream`, and sees to it that they live as long as
    /// the work needs them, whether it was executed or recorded.
    #[inline]
    pub(super) fn submit<O: Operands>(
        &self,
        stream: StreamId,
        operation: Operation,
        operands: &O,
        call: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let before = self.epoch.load(Ordering::Acquire);
        if before & STATE == NONE {
            return self.submit_eager(before, stream, operands, call);
        }
        let number = before >> STATE_BITS;
        let at_hand = take_at_hand(number, |record| record.number() == number, || Ok(self.record()))?;
        let submitted = match at_hand.as_deref() {
            Some(record) if record.keep(operands) => {
                if before & STATE == DOUBTFUL {
                    operands.note_use(stream);
                    // It is counted, and may be executed all the same.
                    record.story.joined_unseen();
                }
                let index = self.index.load(Ordering::Relaxed);
                record.story.count(index);
                if let Err(error) = call() {
                    record.story.uncount(index);
                    record.forget(operands);
                    return Err(error);
                }
                record.story.note_call(operation);
                if self.epoch.load(Ordering::Acquire) != before || !record.is_settled() {
                    self.resolve(stream, operands);
                }
                Ok(())
            }
            _ => self.submit_eager(self.leave(before), stream, operands, call),
        };
        put_at_hand(number, at_hand);
        submitted
    }

    #[inline]
    fn submit_eager<O: Operands>(
        &self,
        before: u64,
        stream: StreamId,
        operands: &O,
        call: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        operands.note_use(stream);
        call()?;
        if self.epoch.load(Ordering::Acquire) != before {
            self.resolve(stream, operands);
        }
        Ok(())
    }

    /// After a call that raced a begin, join or end: waits until the driver has answered that one, then treats
    /// the call as executed and as recorded.
    #[cold]
    fn resolve<O: Operands>(&self, stream: StreamId, operands: &O) {
        operands.note_use(stream);
        let record = {
            let _transition = lock(&self.transition);
            self.record()
        };
        if let Some(record) = record {
            record.keep_late(operands.collect());
        }
    }

    /// Begins a capture through `call`, of which `record` is. Gives what `call` gives.
    pub(super) fn begin_as<T>(&self, record: Arc<Record>, call: impl FnOnce() -> Result<T>) -> Result<T> {
        let begun = self.begin_call(&record, call);
        if begun.is_ok() {
            put_at_hand(record.number(), Some(record));
        }
        begun
    }

    fn begin_call<T>(&self, record: &Arc<Record>, call: impl FnOnce() -> Result<T>) -> Result<T> {
        let _dropped: Option<Vec<Kept>>;
        let _transition = lock(&self.transition);
        let present = self.current();
        if present.is_none() {
            self.set(record, DOUBTFUL);
        }
        match call() {
            Ok(begun) => {
                // The driver began although the stream was thought to be in a capture: that one is over.
                _dropped = self.origin_of().filter(|_| present.is_some()).and_then(|old| old.discard());
                self.origin.store(true, Ordering::Release);
                self.index.store(0, Ordering::Relaxed);
                match present {
                    Some(_) => self.set(record, MEMBER),
                    None => self.set_state(record, MEMBER),
                }
                record.story.open(0);
                self.tells(Arc::clone(&record.story));
                Ok(begun)
            }
            Err(error) => {
                _dropped = record.discard();
                if present.is_none() {
                    self.set_state(record, NONE);
                }
                Err(error)
            }
        }
    }

    /// Makes `call`, which begins or ends a capture that the driver alone knows of, while no other one does.
    pub(super) fn apart<T>(&self, call: impl FnOnce() -> T) -> T {
        let _transition = lock(&self.transition);
        call()
    }

    /// Keeps `graph` until the capture is over that has just begun into it on this stream. What this returns is to be
    /// dropped where no lock is held: it may be the last reference.
    #[must_use]
    pub(super) fn hold_target(&self, graph: &Arc<GraphInner>) -> Option<Arc<GraphInner>> {
        lock(&self.target).replace(Arc::clone(graph))
    }

    /// The graph that a capture was begun into on this stream, which is over.
    pub(super) fn take_target(&self) -> Option<Arc<GraphInner>> {
        lock(&self.target).take()
    }

    /// Has the stream, by its number, wait through `call` for the event of number `event`, which holds `marker`: on success
    /// it is in that capture.
    pub(super) fn join(
        &self,
        stream: u64,
        event: u64,
        marker: &Marker,
        call: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let _transition = lock(&self.transition);
        let story = &marker.record.story;
        let index = story.member(stream, self.thread);
        let joins = || {
            story.join(index, event, &marker.clock);
            story.note_call(Operation::EventWait);
        };
        let joined = if marker.certain { MEMBER } else { DOUBTFUL };
        match self.current() {
            Some(present) => {
                call()?;
                // The driver lets a stream into a second capture only when it is out of the first.
                if !Arc::ptr_eq(&present, &marker.record) {
                    self.origin.store(false, Ordering::Release);
                    self.index.store(index, Ordering::Relaxed);
                    self.set(&marker.record, joined);
                }
                joins();
                Ok(())
            }
            None => {
                self.origin.store(false, Ordering::Release);
                // First of all: work that is recorded the moment the stream is in it is counted as the stream's.
                self.index.store(index, Ordering::Relaxed);
                self.set(&marker.record, DOUBTFUL);
                let result = call();
                self.set_state(&marker.record, if result.is_ok() { joined } else { NONE });
                if result.is_ok() {
                    joins();
                }
                result
            }
        }
    }

    /// Records an event through `call` and gives the mark that it then carries.
    pub(super) fn mark(&self, call: impl FnOnce() -> Result<()>) -> Result<Option<Marker>> {
        let before = self.epoch.load(Ordering::Acquire);
        let record = self.current();
        call()?;
        let changed = self.epoch.load(Ordering::Acquire) != before;
        let of = |record: Arc<Record>, certain| {
            record.story.note_call(Operation::EventRecord);
            let clock = record.story.clock(self.index.load(Ordering::Relaxed));
            Marker { record, certain, clock }
        };
        match record {
            None if !changed => Ok(None),
            Some(record) if !changed && record.is_settled() => Ok(Some(of(record, before & STATE == MEMBER))),
            _ => {
                let _transition = lock(&self.transition);
                let record = self.record().filter(|record| !record.is_over());
                Ok(record.map(|record| of(record, false)))
            }
        }
    }

    /// Ends the capture through `call`, which gives the graph that is to keep the list.
    pub(super) fn end(&self, call: impl FnOnce() -> Result<Arc<GraphInner>>) -> Result<Arc<GraphInner>> {
        let _dropped: Option<Vec<Kept>>;
        let (graph, kept) = {
            let _transition = lock(&self.transition);
            let record = self.current();
            if let Some(record) = &record {
                record.ending();
            }
            match call() {
                Ok(graph) => {
                    let kept = record.map_or(Finish::WasOver, |record| record.finish());
                    self.leave(self.epoch.load(Ordering::Acquire));
                    (graph, kept)
                }
                Err(error) => {
                    if let Some(record) = record {
                        if self.survives(&error) {
                            record.not_ended();
                        } else {
                            _dropped = record.discard();
                        }
                    }
                    return Err(error);
                }
            }
        };
        match kept {
            Finish::Keep(kept) => graph.retain(kept).map(|()| graph),
            Finish::Attached => Ok(graph),
            Finish::WasOver => Err(Error::new(
                Status::CAPTURE_INVALIDATED,
                "the capture to be ended was discarded when its stream was destroyed; keep a handle of the stream until \
                 the capture has ended, and capture again",
            )),
        }
    }

    /// Whether the capture goes on after an end that failed with `error`.
    fn survives(&self, error: &Error) -> bool {
        match error.status {
            // The stream is in no capture. If it had begun one, that one is over; if it had joined one, the
            // other streams may still be in it.
            Status::ILLEGAL_STATE => {
                self.leave(self.epoch.load(Ordering::Acquire));
                !self.origin.load(Ordering::Acquire)
            }
            // An end that is forbidden where it was called, inside a host function, never reached the capture.
            _ => goes_on_after(error),
        }
    }

    fn set(&self, record: &Arc<Record>, state: u64) {
        let before = lock(&self.record).replace(Arc::clone(record));
        self.set_state(record, state);
        // Where the lock is not held: it may be the last reference.
        drop(before);
    }

    /// Sets the state alone: `record` was set before.
    fn set_state(&self, record: &Record, state: u64) {
        self.epoch.store(record.number() << STATE_BITS | state, Ordering::Release);
    }

    /// Marks the stream as executing, unless another capture has begun since `epoch` was read. Gives the epoch
    /// that then holds for the caller; a newer one differs from it, which the caller finds out after its call.
    #[cold]
    fn leave(&self, epoch: u64) -> u64 {
        let executing = epoch & !STATE;
        // A failed exchange means a newer epoch, which must stay.
        let _ = self.epoch.compare_exchange(epoch, executing, Ordering::AcqRel, Ordering::Acquire);
        executing
    }
}

/// Of a thread's own default stream.
impl EndsWithThread for Membership {
    /// What the thread began there is over, and lets go of what it kept.
    fn thread_ends(&self) {
        let left = (self.origin_of().and_then(|record| record.discard()), self.take_target());
        if left.0.is_some() || left.1.is_some() {
            driver::run_aside(Box::new(move || drop(left)));
        }
    }
}

/// The capture states of the per-thread stream: one for each thread that captured on it or joined with it.
pub(super) struct PerThread {
    /// Number of entries, so that no thread locks before the first capture.
    entries: AtomicUsize,
    threads: Mutex<HashMap<ThreadNumber, Arc<Membership>>>,
}

impl PerThread {
    /// No thread captures.
    pub(super) fn new() -> Self {
        PerThread { entries: AtomicUsize::new(0), threads: Mutex::new(HashMap::new()) }
    }

    /// The state of the calling thread, if it has one.
    #[inline]
    pub(super) fn get(&self) -> Option<Arc<Membership>> {
        // A thread's entry is made by the thread itself, so that it cannot miss one here.
        if self.entries.load(Ordering::Relaxed) == 0 {
            return None;
        }
        lock(&self.threads).get(&this_thread()).cloned()
    }

    /// The state of the calling thread.
    pub(super) fn get_or_insert(&self) -> Arc<Membership> {
        let mut threads = lock(&self.threads);
        // Threads come and go: entries of captures that are over make room.
        let own = this_thread();
        let in_use = |entry: &Arc<Membership>| {
            Arc::strong_count(entry) > 1 || entry.current().is_some() || lock(&entry.target).is_some()
        };
        threads.retain(|&thread, entry| thread == own || in_use(entry));
        let new = || {
            let entry = Arc::new(Membership::of(Some(own)));
            end_with_this_thread(Arc::downgrade(&entry) as _);
            entry
        };
        let entry = Arc::clone(threads.entry(own).or_insert_with(new));
        self.entries.store(threads.len(), Ordering::Relaxed);
        entry
    }

    /// Discards all captures that were begun on the per-thread stream. `end` has the driver do so.
    pub(super) fn discard(&self, end: impl FnOnce()) {
        let entries: Vec<_> = lock(&self.threads).iter().map(|(&by, entry)| (by, Arc::clone(entry))).collect();
        let mut targets = Vec::new();
        for (by, entry) in &entries {
            let record = entry.origin_of();
            // A driver that lets only a thread itself end its captures goes on to need the graphs of the others.
            if record.is_some() || *by == this_thread() {
                targets.push(entry.take_target());
            }
            drop(record.and_then(|record| record.discard()));
        }
        end();
    }
}

/// A stream's state, wherever it is kept.
pub(super) enum MembershipRef<'a> {
    Borrowed(&'a Membership),
    Shared(Arc<Membership>),
}

impl Deref for MembershipRef<'_> {
    type Target = Membership;
    fn deref(&self) -> &Membership {
        match self {
            MembershipRef::Borrowed(membership) => membership,
            MembershipRef::Shared(membership) => membership,
        }
    }
}

#[cfg(test)]
#[path = "membership_tests.rs"]
mod tests;
