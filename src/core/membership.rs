//! Which capture a stream is in, and submitting work so that what it uses lives as long as the work.
//!
//! The driver knows which capture a stream is in. It is asked before each call that may record something: on streams of
//! graphcap's own while graphcap knows of an open capture, on streams that others use too always. A capture may begin or
//! end between the question and the call, so the call is looked at again afterwards: in doubt it counts as executed and as
//! recorded. Keeping too much is harmless, keeping too little is not.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};

use smallvec::SmallVec;

use super::black_box::{self, Clock, Operation, Story};
use super::capture::{put_at_hand, stay_for, take_at_hand, Record, Shared};
use super::operands::Operands;
use super::stream::Stream;
use super::{guarded, lock};
use crate::driver::{CaptureInfo, CaptureStatus, Driver, StreamId};
use crate::error::Result;

/// What graphcap notes of the captures of one stream.
pub(super) struct Membership {
    /// Grows by 1 before, and after, each driver call that begins, joins or ends a capture here: it is odd meanwhile. Who
    /// finds the same even number before and after a call knows that the stream entered no capture in between.
    moment: AtomicU64,
    /// Which of the capture's streams this is, for its story.
    index: AtomicUsize,
    /// Held over each driver call that begins, joins or ends a capture here.
    transition: Mutex<()>,
    past: Mutex<Past>,
    /// Whose this is, for a thread's own default stream.
    thread: Option<ThreadId>,
}

/// The captures that a stream entered.
#[derive(Default)]
struct Past {
    /// With the moments at which it entered them, in that order.
    entered: SmallVec<[(u64, Arc<Record>); 1]>,
    /// As many as are kept before those are looked for whose graphs are gone.
    room: usize,
    /// The latest moment at which it entered one that is not kept any more.
    forgotten: u64,
    /// How the capture went that was begun or ended here last.
    told: Option<Arc<Story>>,
}

impl Past {
    /// Notes that the stream enters a capture, unless it is in that one already.
    fn enter(&mut self, moment: u64, record: &Arc<Record>) {
        if self.entered.last().is_none_or(|(_, latest)| !Arc::ptr_eq(latest, record)) {
            self.entered.push((moment, Arc::clone(record)));
        }
    }

    /// Forgets captures for which nothing can be kept any more. What this gives is to be dropped where no lock is held.
    #[must_use]
    fn make_room(&mut self) -> SmallVec<[Arc<Record>; 1]> {
        let mut gone = SmallVec::new();
        if self.entered.len() > self.room {
            let (past, entered) = std::mem::take(&mut self.entered).into_iter().partition(|(_, record)| record.is_past());
            self.entered = entered;
            for (moment, record) in SmallVec::<[_; 1]>::into_iter(past) {
                self.forgotten = self.forgotten.max(moment);
                gone.push(record);
            }
            self.room = 2 * self.entered.len() + 4;
        }
        gone
    }
}

/// The capture that an event was recorded in.
pub(super) struct Marker {
    record: Arc<Record>,
    /// What the event has behind it.
    clock: Clock,
}

impl Marker {
    /// How that capture goes.
    pub(super) fn story(&self) -> &Arc<Story> {
        &self.record.story
    }

    /// Whether the capture is over, so that the marker says nothing any more.
    pub(super) fn is_over(&self) -> bool {
        !self.record.goes_on()
    }
}

impl Membership {
    /// Of a stream that is in no capture; `thread` if it is that thread's own default stream.
    pub(super) fn new(thread: Option<ThreadId>) -> Self {
        Membership {
            moment: AtomicU64::new(0),
            index: AtomicUsize::new(0),
            transition: Mutex::new(()),
            past: Mutex::default(),
            thread,
        }
    }

    /// How the capture went that was begun or ended on the stream last.
    pub(super) fn told(&self) -> Option<Arc<Story>> {
        lock(&self.past).told.clone()
    }

    /// A capture was begun or ended on the stream.
    pub(super) fn tells(&self, story: &Arc<Story>) {
        let before = lock(&self.past).told.replace(Arc::clone(story));
        drop(before);
    }

    /// The capture that the stream entered last, if it goes on.
    fn latest(&self) -> Option<Arc<Record>> {
        lock(&self.past).entered.last().map(|(_, record)| Arc::clone(record)).filter(|record| record.goes_on())
    }

    /// Makes `call`, which begins, joins or ends a capture on the stream, while no other such call is made. `enters` is the
    /// capture that the stream is in when `call` succeeds, and which of its streams it is then.
    pub(super) fn transition<T>(
        &self,
        enters: Option<(&Arc<Record>, usize)>,
        call: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let _gone: SmallVec<[Arc<Record>; 1]>;
        let _turn = lock(&self.transition);
        let moment = self.moment.load(Ordering::Relaxed) + 1;
        let index = self.index.load(Ordering::Relaxed);
        // First of all: a call that races this one has to find the record, and counts as this stream's.
        if let Some((record, index)) = enters {
            lock(&self.past).enter(moment, record);
            self.index.store(index, Ordering::Relaxed);
        }
        self.moment.store(moment, Ordering::Release);
        let result = call();
        if enters.is_some() {
            let mut past = lock(&self.past);
            if result.is_ok() {
                _gone = past.make_room();
            } else {
                past.entered.retain(|(entered, _)| *entered != moment);
                self.index.store(index, Ordering::Relaxed);
            }
        }
        self.moment.store(moment + 1, Ordering::Release);
        result
    }

    /// The captures that the stream was in before it entered `record`. They are over.
    pub(super) fn before(&self, record: &Arc<Record>) -> Vec<Arc<Record>> {
        let past = lock(&self.past);
        let others = past.entered.iter().map(|(_, entered)| entered).filter(|entered| !Arc::ptr_eq(entered, record));
        others.map(Arc::clone).collect()
    }
}

/// Why the driver is to be asked at each call of a stream, also while graphcap knows of no open capture: `SHARED`, `JOINED`.
#[derive(Default)]
pub(super) struct Sharing(AtomicU8);

/// Others use the stream too.
const SHARED: u8 = 1;
/// The stream joined a capture that others can end.
const JOINED: u8 = 2;

impl Sharing {
    /// Of a stream that others use too, or not.
    pub(super) fn new(is_shared: bool) -> Self {
        Sharing(AtomicU8::new(if is_shared { SHARED } else { 0 }))
    }

    #[inline]
    fn has(&self, reason: u8) -> bool {
        self.0.load(Ordering::Acquire) & reason != 0
    }

    fn set(&self, reason: u8) {
        self.0.fetch_or(reason, Ordering::AcqRel);
    }

    fn clear(&self, reason: u8) {
        self.0.fetch_and(!reason, Ordering::AcqRel);
    }
}

impl Stream {
    /// Queues or records work on `operands`, through `call`, and sees to it that they live as long as the work needs them.
    #[inline]
    pub(super) fn submit<O: Operands>(
        &self,
        operation: Operation,
        operands: &O,
        call: impl FnOnce(&dyn Driver, StreamId) -> Result<()>,
    ) -> Result<()> {
        guarded::work(self)?;
        let (driver, id) = (self.driver(), self.id());
        let before = self.moment();
        let record = if self.must_ask() { self.recorded_in()? } else { None };
        let is_kept = match &record {
            Some(record) => record.keep(operands, |list| self.retain(list))?,
            None => false,
        };
        // Who uses the stream too may end the capture unseen.
        if !is_kept || self.is_shared() {
            operands.note_use(id);
        }
        let record = record.filter(|_| is_kept);
        let mut is_settled = true;
        let submitted = match &record {
            Some(record) => {
                let index = self.index();
                record.story.count(index);
                let submitted = call(driver, id);
                match &submitted {
                    Ok(()) => record.story.note_call(operation),
                    Err(_) => {
                        record.story.uncount(index);
                        record.forget(operands);
                    }
                }
                is_settled = record.is_settled();
                submitted
            }
            None => call(driver, id),
        };
        if let Some(record) = record {
            put_at_hand(record.story.number(), Some(record));
        }
        if submitted.is_ok() && (!is_settled || self.has_moved(before)) {
            self.resolve(before, operands);
        }
        submitted.map_err(|error| black_box::failed_on(self, error))
    }

    /// After a call that raced a begin, join or end: it counts as executed, and as recorded in each capture that the stream
    /// was in since `before`.
    #[cold]
    fn resolve(&self, before: u64, operands: &impl Operands) {
        operands.note_use(self.id());
        let (mut records, is_one_forgotten) = self.membership().map_or_else(Default::default, |membership| {
            let past = lock(&membership.past);
            let since = past.entered.iter().filter(|(moment, _)| *moment >= before);
            (since.map(|(_, record)| Arc::clone(record)).collect::<Vec<_>>(), past.forgotten >= before.max(1))
        });
        // It may have joined one through an event that others recorded.
        records.extend(self.recorded_in().ok().flatten());
        for record in &records {
            // It may be counted and executed, or recorded and not counted.
            record.story.joined_unseen();
            record.keep_late(operands.collect(), |list| self.retain(list));
        }
        if is_one_forgotten {
            stay_for(&[StreamId::UNKNOWN], &operands.collect());
        }
    }

    /// Records an event through `record` and gives the mark that it then carries.
    pub(super) fn mark(&self, record: impl FnOnce() -> Result<()>) -> Result<Option<Marker>> {
        let before = self.moment();
        record().map_err(|error| black_box::failed_on(self, error))?;
        let entered = if self.has_moved(before) { self.latest() } else { None };
        let record = match entered {
            None if self.must_ask() => self.recorded_in()?,
            entered => entered,
        };
        Ok(record.map(|record| {
            record.story.note_call(Operation::EventRecord);
            let clock = record.story.clock(self.index());
            Marker { record, clock }
        }))
    }

    /// Has the stream wait through `wait` for the event of number `event`, which takes the stream into the capture that the
    /// event was recorded in: that of `marker`, or one that others began.
    pub(super) fn join(&self, event: u64, marker: Option<&Marker>, wait: impl FnOnce() -> Result<()>) -> Result<()> {
        let membership = self.membership_or_new();
        let enters = marker.map(|marker| {
            let story = &marker.record.story;
            (&marker.record, story.member(self.number(), membership.thread))
        });
        let can_others_end = marker.is_none_or(|marker| marker.record.can_others_end());
        membership.transition(enters, || {
            if can_others_end {
                self.0.sharing.set(JOINED);
            }
            wait()?;
            if let (Some(marker), Some((record, index))) = (marker, enters) {
                record.story.join(index, event, &marker.clock);
                record.story.note_call(Operation::EventWait);
                if self.is_shared() {
                    record.story.joined_unseen();
                }
            }
            // What cannot be asked now is asked by the next work.
            if can_others_end && matches!(self.recorded_in(), Ok(None)) {
                self.0.sharing.clear(JOINED);
            }
            Ok(())
        })
    }

    /// The capture that the stream is in, as far as graphcap has met it.
    pub(super) fn present(&self) -> Option<Arc<Record>> {
        match self.asked() {
            Some(CaptureInfo { status: CaptureStatus::None, .. }) => None,
            Some(info) if info.id != 0 => self.known(info.id),
            // Of a broken one the driver need not tell the number.
            _ => self.latest(),
        }
    }

    /// The capture that work of the stream is recorded in, which others may have begun.
    #[inline]
    fn recorded_in(&self) -> Result<Option<Arc<Record>>> {
        match self.asked() {
            Some(CaptureInfo { status: CaptureStatus::Active, id }) => {
                take_at_hand(id, |record| record.is_of(self.context(), id), || self.known_or_met(id))
            }
            Some(_) => {
                if self.context().any_open() || self.0.sharing.has(JOINED) {
                    self.is_outside();
                }
                Ok(None)
            }
            None => Ok(self.latest()),
        }
    }

    /// What the driver tells of the stream. The legacy stream is not asked about, which is barred while captures go on.
    #[inline]
    pub(super) fn asked(&self) -> Option<CaptureInfo> {
        match self.id() {
            StreamId::LEGACY => None,
            id => self.driver().capture_info(id).ok(),
        }
    }

    #[cold]
    fn known_or_met(&self, capture: u64) -> Result<Option<Arc<Record>>> {
        match self.known(capture) {
            None if self.0.sharing.has(SHARED | JOINED) => self.meet(capture),
            known => Ok(known),
        }
    }

    /// The capture that the driver numbers so, if graphcap has met it.
    fn known(&self, capture: u64) -> Option<Arc<Record>> {
        // One that is about to begin here has no number yet.
        let begins = || self.latest().filter(|latest| latest.story.is_of(0));
        black_box::find(self.context(), capture).or_else(begins)
    }

    /// The record of a capture that others began; `None` when it has ended meanwhile.
    fn meet(&self, capture: u64) -> Result<Option<Arc<Record>>> {
        let record = Record::new(self.context(), Story::new(self, None));
        record.let_others_end();
        if !record.attach(|list| self.retain(list))? {
            return Ok(None);
        }
        black_box::open(&record);
        record.story.numbered(capture);
        let membership = self.membership_or_new();
        let moment = membership.moment.load(Ordering::Acquire);
        lock(&membership.past).enter(moment, &record);
        Ok(Some(record))
    }

    /// The stream was found to be in no capture while some are open: those that others ended are closed.
    #[cold]
    fn is_outside(&self) {
        if let Some(latest) = self.latest().filter(|latest| latest.story.is_over()) {
            latest.story.close();
        }
        black_box::asked_in_vain();
        let Some(membership) = self.membership().filter(|_| self.0.sharing.has(JOINED)) else { return };
        // Not while it joins the next one.
        let Ok(_turn) = membership.transition.try_lock() else { return };
        if self.asked().is_some_and(|info| info.status == CaptureStatus::None) {
            self.0.sharing.clear(JOINED);
        }
    }

    /// From here on others use the stream too, and may end the capture that it is in: its graph is to hold the list.
    pub(super) fn share(&self) -> Result<()> {
        if self.id() == StreamId::LEGACY || self.is_shared() {
            return Ok(());
        }
        self.membership_or_new().transition(None, || {
            if let Some(record) = self.present() {
                record.let_others_end();
                record.attach(|list| self.retain(list))?;
            }
            self.0.sharing.set(SHARED);
            Ok(())
        })
    }

    /// Has the graph of the capture that the stream is in hold a list.
    fn retain(&self, list: Arc<Shared>) -> Result<()> {
        self.driver().capture_retain(self.id(), list)
    }

    /// Whether work of the stream may be recorded, so that the driver has to be asked.
    #[inline]
    fn must_ask(&self) -> bool {
        self.0.sharing.has(SHARED | JOINED) || self.context().any_open()
    }

    /// Whether others use the stream too, so that only the driver knows what it is doing.
    #[inline]
    pub(super) fn is_shared(&self) -> bool {
        self.0.sharing.has(SHARED)
    }

    /// Which of its capture's streams this is. Others may have joined a stream that they use to what graphcap knows nothing
    /// of, so these are not told apart.
    #[inline]
    fn index(&self) -> usize {
        match self.noted() {
            _ if self.is_shared() => 0,
            Some(membership) => membership.index.load(Ordering::Relaxed),
            None => self.membership().map_or(0, |membership| membership.index.load(Ordering::Relaxed)),
        }
    }

    /// See [`Membership::moment`]. On a default stream of its own a thread makes one call at a time.
    #[inline]
    fn moment(&self) -> u64 {
        self.noted().map_or(0, |membership| membership.moment.load(Ordering::Acquire))
    }

    /// Whether the stream may have entered or left a capture by gc_ calls since `before`.
    #[inline]
    fn has_moved(&self, before: u64) -> bool {
        before % 2 == 1 || self.moment() != before
    }

    fn latest(&self) -> Option<Arc<Record>> {
        self.membership()?.latest()
    }

    /// What is noted of the stream, unless it is the per-thread one.
    #[inline]
    fn noted(&self) -> Option<&Arc<Membership>> {
        match self.id() {
            StreamId::PER_THREAD => None,
            StreamId::LEGACY => Some(self.context().legacy()),
            _ => Some(&self.0.membership),
        }
    }

    /// What is noted of the stream as the calling thread sees it; `None` for a per-thread stream that this thread has not
    /// captured.
    pub(super) fn membership(&self) -> Option<Arc<Membership>> {
        self.noted().cloned().or_else(|| self.context().per_thread().get())
    }

    /// The same, for calls that change it.
    pub(super) fn membership_or_new(&self) -> Arc<Membership> {
        self.noted().cloned().unwrap_or_else(|| self.context().per_thread().get_or_insert())
    }
}

/// What is noted of the per-thread stream: for each thread that captured on it or joined with it.
#[derive(Default)]
pub(super) struct PerThread(Mutex<HashMap<ThreadId, Arc<Membership>>>);

impl PerThread {
    fn get(&self) -> Option<Arc<Membership>> {
        lock(&self.0).get(&thread::current().id()).cloned()
    }

    fn get_or_insert(&self) -> Arc<Membership> {
        let mut threads = lock(&self.0);
        // Threads come and go: those whose captures are over make room.
        let own = thread::current().id();
        let in_use = |entry: &Arc<Membership>| {
            Arc::strong_count(entry) > 1 || lock(&entry.past).entered.iter().any(|(_, record)| record.is_needed())
        };
        threads.retain(|&thread, entry| thread == own || in_use(entry));
        Arc::clone(threads.entry(own).or_insert_with(|| Arc::new(Membership::new(Some(own)))))
    }
}

#[cfg(test)]
#[path = "membership_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "sharing_tests.rs"]
mod sharing_tests;
