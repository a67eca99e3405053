//! Which capture a stream is in, and submitting work so that what it uses lives as long as the work.
//!
//! The driver knows which capture a stream is in. It is asked before each call that may record something: on streams of
//! graphcap's own while graphcap knows of an open capture, on streams that others use too always. A capture may begin or
//! end between the question and the call, so the call is looked at again afterwards: in doubt it counts as executed and as
//! recorded. Keeping too much is harmless, keeping too little is not.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use super::black_box::{self, Operation};
use super::runs::Clock;
use crate::pools::reuse::Reached;
use crate::state::{CaptureLog, History, Membership, PerThread, Record, Stream};
use graphcap_base::error::Result;
use graphcap_base::lock::{lock, Mutex};
use graphcap_base::thread::{this_thread, ThreadNumber};
use graphcap_driver::thread_end::{end_with_this_thread, EndsWithThread};
use graphcap_driver::{CaptureInfo, CaptureStatus, Retained, StreamId};

/// In `Membership::joined`: a capture that others can end.
const THAT_OTHERS_END: u8 = 1;
/// In `Membership::joined`: a capture of another context, whose open captures work of this stream does not look at.
const OF_ANOTHER: u8 = 2;
/// In `Membership::joined`, beside others: the thread ends whose default stream it is.
const THREAD_ENDS: u8 = 4;

impl History {
    /// Notes that the stream enters a capture, unless it is in that one already. Captures for which nothing can be kept
    /// any more make room; these are to be dropped where no lock is held.
    #[must_use]
    fn enter(&mut self, moment: u64, record: &Arc<Record>) -> Vec<(u64, Arc<Record>)> {
        let mut gone = Vec::new();
        if self.entered.len() > self.room {
            gone.extend(self.entered.extract_if(.., |(_, record)| record.is_past()));
            self.forgotten = gone.last().map_or(self.forgotten, |(moment, _)| self.forgotten.max(*moment));
            // What is listed late for an earlier one of a line is listed for the latest as well.
            let latest: HashMap<_, _> = self.entered.iter().map(|(moment, record)| (record.line(), *moment)).collect();
            let is_earlier = |(moment, record): &mut (u64, Arc<Record>)| {
                record.is_over() && latest.get(&record.line()).is_some_and(|latest| latest != moment)
            };
            gone.extend(self.entered.extract_if(.., is_earlier));
            self.room = 2 * self.entered.len() + 4;
        }
        if self.entered.last().is_none_or(|(_, latest)| !Arc::ptr_eq(latest, record)) {
            self.entered.push((moment, Arc::clone(record)));
        }
        gone
    }
}

/// The capture that an event was recorded in.
#[derive(Clone)]
pub(crate) struct Marker {
    record: Arc<Record>,
    /// Work that the event has behind it.
    clock: Clock,
    /// Work that precedes the event by the clocks of pool memory, in a capture that uses memory of pools again.
    reached: Option<Reached>,
}

impl Marker {
    /// Of an event that is behind what the stream `index` of the capture has recorded so far, and surely behind what precedes
    /// `reached`.
    pub(crate) fn new(record: Arc<Record>, index: usize, reached: Option<Reached>) -> Marker {
        let clock = record.log.clock(index);
        Marker { record, clock, reached }
    }

    /// Returns how that capture goes.
    pub(crate) fn log(&self) -> &Arc<CaptureLog> {
        &self.record.log
    }

    /// Returns whether the capture is over, so that the marker says nothing any more.
    pub(crate) fn is_over(&self) -> bool {
        self.record.is_over()
    }
}

impl Membership {
    /// Of a stream that is in no capture; `thread` if it is that thread's own default stream.
    pub(crate) fn new(thread: Option<ThreadNumber>) -> Self {
        Membership {
            moment: AtomicU64::new(0),
            joined: AtomicU8::new(0),
            confirmed: AtomicU64::new(0),
            index: AtomicUsize::new(0),
            transition: Mutex::new(()),
            history: Mutex::default(),
            thread,
        }
    }

    /// Returns how the capture went that was begun or ended on the stream last.
    pub(crate) fn last_log(&self) -> Option<Arc<CaptureLog>> {
        lock(&self.history).last_log.clone()
    }

    /// A capture was begun or ended on the stream.
    pub(crate) fn set_last_log(&self, log: &Arc<CaptureLog>) {
        let before = lock(&self.history).last_log.replace(Arc::clone(log));
        drop(before);
    }

    /// The capture that the stream entered last, if it goes on.
    fn latest(&self) -> Option<Arc<Record>> {
        lock(&self.history).entered.last().map(|(_, record)| Arc::clone(record)).filter(|record| record.goes_on())
    }

    /// Makes `call`, which begins, joins or ends a capture on the stream, while no other such call is made. `enters` is
    /// the capture that the stream is in when `call` succeeds, and which of its streams it is then.
    pub(crate) fn transition<T>(
        &self,
        enters: Option<(&Arc<Record>, usize)>,
        call: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        self.transition_if(enters, call, |_| true)
    }

    /// As `transition`, where what `call` gives tells whether the stream has entered that capture.
    fn transition_if<T>(
        &self,
        enters: Option<(&Arc<Record>, usize)>,
        call: impl FnOnce() -> Result<T>,
        has_entered: impl FnOnce(&T) -> bool,
    ) -> Result<T> {
        let mut gone = Vec::new();
        let turn = lock(&self.transition);
        let moment = self.moment.load(Ordering::Relaxed) + 1;
        let index = self.index.load(Ordering::Relaxed);
        // First of all: a call that races this one has to find the record, and counts as this stream's.
        if let Some((record, index)) = enters {
            gone = lock(&self.history).enter(moment, record);
            self.index.store(index, Ordering::Relaxed);
        }
        self.moment.store(moment, Ordering::Release);
        let result = call();
        if !result.as_ref().is_ok_and(has_entered) {
            // The caller has it too.
            lock(&self.history).entered.retain(|(entered, _)| *entered != moment);
            self.index.store(index, Ordering::Relaxed);
        }
        self.moment.store(moment + 1, Ordering::Release);
        drop(turn);
        drop(gone);
        result
    }

    /// The captures that the stream entered since `moment`, and whether it entered others that are not kept any more.
    pub(crate) fn since(&self, moment: u64) -> (Vec<Arc<Record>>, bool) {
        let history = lock(&self.history);
        let entered = history.entered.iter().filter(|(entered, _)| *entered >= moment);
        (entered.map(|(_, record)| Arc::clone(record)).collect(), history.forgotten >= moment.max(1))
    }

    /// The captures that the stream was in before the latest one, as far as they were not seen to end.
    pub(crate) fn earlier(&self) -> Vec<Arc<Record>> {
        let history = lock(&self.history);
        let entered = history.entered.iter().rev().map(|(_, record)| record);
        entered.skip(1).take_while(|record| !record.is_over()).map(Arc::clone).collect()
    }
}

impl Stream {
    /// Makes the stream wait for the event that messages call `event` through `wait`, which takes the stream into the capture that the
    /// event was recorded in: that of `marker`, unless a launch has recorded it since, or one in which others recorded it if they
    /// have the event too.
    pub(crate) fn join(
        &self,
        event: impl Fn() -> String,
        is_event_shared: bool,
        is_recorded_by_nodes: bool,
        marker: Option<&Marker>,
        wait: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let membership = self.membership_or_new();
        let enters = marker.map(|marker| {
            let log = &marker.record.log;
            (&marker.record, log.member(self, membership.thread))
        });
        let can_others_end = is_event_shared || marker.is_none_or(|marker| marker.record.can_others_end());
        // Work of this context does not ask about it otherwise.
        let of_other = enters.filter(|(record, _)| !record.is_counted_in(self.context()));
        let kinds = if can_others_end { THAT_OTHERS_END } else { 0 } | if of_other.is_some() { OF_ANOTHER } else { 0 };
        let wait = || {
            let joined = membership.joined.load(Ordering::Acquire);
            if kinds != 0 {
                self.note_joined(&membership, kinds);
            }
            wait().inspect_err(|_| {
                if joined == 0 {
                    self.note_outside(&membership);
                }
            })?;
            // The event may have been recorded outside of that capture since.
            let may_be_outside = is_event_shared || is_recorded_by_nodes;
            if may_be_outside && self.asked().is_some_and(|info| info.status == CaptureStatus::None) {
                self.note_outside(&membership);
                return Ok(false);
            }
            if let (Some(marker), Some((record, index))) = (marker, enters) {
                record.log.join(index, &event, &marker.clock);
                // Others may have recorded the event elsewhere since.
                if let Some((reuse, reached)) = record.log.state.reuse.get().zip(marker.reached.as_ref()) {
                    if !may_be_outside {
                        reuse.join(self.key(), reached);
                    }
                }
                record.log.note_call(Operation::EventWait);
                if self.is_shared() {
                    record.log.joined_unseen();
                }
                if self.is_shared() || is_event_shared {
                    record.log.others_record();
                }
            }
            if let Some((record, _)) = of_other {
                record.entered_from(self.context(), |list| self.retain(list));
            }
            // What cannot be asked now is asked by the next work.
            if can_others_end && matches!(self.recorded_in(), Ok(None)) {
                self.note_outside(&membership);
            }
            Ok(true)
        };
        membership.transition_if(enters, wait, |&has_entered| has_entered).map(drop)
    }

    /// The capture that the stream is in, as far as graphcap has met it.
    pub(crate) fn present(&self) -> Option<Arc<Record>> {
        if let Some(record) = self.held() {
            return Some(record);
        }
        match self.asked() {
            Some(CaptureInfo { status: CaptureStatus::None, .. }) => None,
            // Of a broken one the driver need not tell the number.
            info => self.known(info.map_or(0, |info| info.id)),
        }
    }

    /// The capture that surely has the stream still, since the driver said so before. `None` where the driver has to be asked.
    fn held(&self) -> Option<Arc<Record>> {
        match self.0.membership.confirmed.load(Ordering::Relaxed) {
            0 => None,
            _ if self.is_shared() => None,
            confirmed => black_box::find(self.context(), confirmed).filter(|record| record.holds_its_streams()),
        }
    }

    /// The driver has said that the stream is in the capture that it numbers so, which held its streams then. It says nothing of the
    /// per-thread stream of other threads.
    pub(crate) fn confirm(&self, capture: u64) {
        if self.id() != StreamId::PER_THREAD {
            self.0.membership.confirmed.store(capture, Ordering::Relaxed);
        }
    }

    /// The capture that work of the stream is recorded in, which others may have begun.
    pub(crate) fn recorded_in(&self) -> Result<Option<Arc<Record>>> {
        self.recording_number().map_or(Ok(None), |capture| self.find(capture))
    }

    /// The driver's number of that capture, for [`Stream::find`]: 0 where the driver does not tell; `None` when work is
    /// executed.
    #[inline(always)]
    pub(crate) fn recording_number(&self) -> Option<u64> {
        match self.asked() {
            Some(CaptureInfo { status: CaptureStatus::Active, id }) => Some(id),
            Some(_) => {
                if self.may_be_captured() {
                    self.is_outside();
                }
                None
            }
            None => Some(0),
        }
    }

    /// The record of the capture that the stream is in and that the driver numbers so. `None` when it has ended
    /// meanwhile.
    #[cold]
    pub(crate) fn find(&self, capture: u64) -> Result<Option<Arc<Record>>> {
        match self.known(capture) {
            None if capture != 0 && (self.is_shared() || self.may_be_in_one_of_others()) => self.meet(capture),
            known => Ok(known),
        }
    }

    /// Returns what the driver tells of the stream. The legacy stream is not asked about, which is barred while captures go on.
    #[inline(always)]
    pub(crate) fn asked(&self) -> Option<CaptureInfo> {
        match self.id() {
            StreamId::LEGACY => None,
            id => self.driver().ok()?.capture_now(id),
        }
    }

    /// The record of the capture that the driver numbers so, if graphcap has met that capture.
    pub(crate) fn known(&self, capture: u64) -> Option<Arc<Record>> {
        // One that is about to begin here has no number yet.
        let unnumbered = || self.latest().filter(|latest| capture == 0 || latest.log.is_of(0));
        black_box::find(self.context(), capture).or_else(unnumbered)
    }

    /// The record of a capture that others began; `None` when it has ended meanwhile.
    fn meet(&self, capture: u64) -> Result<Option<Arc<Record>>> {
        let record = Record::new(self.context(), CaptureLog::of_others(self));
        record.let_others_end();
        if !record.attach(|list| self.retain(list))? {
            return Ok(None);
        }
        record.log.numbered(capture);
        black_box::open(&record);
        let membership = self.membership_or_new();
        let gone = lock(&membership.history).enter(membership.moment.load(Ordering::Acquire), &record);
        drop(gone);
        Ok(Some(record))
    }

    /// The stream was found to be in no capture while some are open: those that others ended are closed.
    #[cold]
    fn is_outside(&self) {
        if let Some(latest) = self.latest().filter(|latest| latest.log.is_over()) {
            latest.log.close();
        }
        black_box::asked_in_vain(self.context());
        if self.joined() == 0 {
            return;
        }
        let Some(membership) = self.membership() else { return };
        // Not while it joins the next one.
        let Some(_turn) = membership.transition.try_lock() else { return };
        if self.asked().is_some_and(|info| info.status == CaptureStatus::None) {
            self.note_outside(&membership);
        }
    }

    /// Makes the graph of the capture that the stream is in hold a list.
    pub(crate) fn retain(&self, list: Retained) -> Result<()> {
        self.driver()?.capture_retain(self.id(), list)
    }

    /// Returns whether work of the stream may be recorded, so that the driver has to be asked, if nobody else uses the stream.
    #[inline]
    pub(crate) fn may_be_captured(&self) -> bool {
        self.joined() != 0 || self.context().any_open()
    }

    /// The kinds of captures that the stream joined, as the calling thread sees it: see [`Membership::joined`].
    #[inline]
    fn joined(&self) -> u8 {
        match self.0.membership.joined.load(Ordering::Acquire) {
            0 => 0,
            _ if self.id() == StreamId::PER_THREAD => self.context().per_thread().joined(),
            kinds => kinds,
        }
    }

    /// The stream, of which `membership` is noted as the calling thread sees it, is about to join a capture of those kinds.
    fn note_joined(&self, membership: &Membership, kinds: u8) {
        match self.id() {
            StreamId::PER_THREAD => self.context().per_thread().note_joined(membership, kinds),
            _ => drop(membership.joined.fetch_or(kinds, Ordering::AcqRel)),
        }
    }

    /// The stream, of which `membership` is noted as the calling thread sees it, was seen to be in no capture.
    fn note_outside(&self, membership: &Membership) {
        match self.id() {
            StreamId::PER_THREAD => self.context().per_thread().note_outside(membership),
            _ => membership.joined.store(0, Ordering::Release),
        }
    }

    /// Returns whether the stream joined a capture that others can end.
    #[inline]
    fn may_be_in_one_of_others(&self) -> bool {
        self.joined() & THAT_OTHERS_END != 0
    }

    /// Which of its capture's streams this is. Others may have joined a stream that they use to what graphcap knows
    /// nothing of, so these are not told apart.
    #[inline]
    pub(crate) fn index(&self) -> usize {
        match self.id() {
            _ if self.is_shared() => 0,
            StreamId::PER_THREAD => self.membership().map_or(0, |membership| membership.index.load(Ordering::Relaxed)),
            _ => self.0.membership.index.load(Ordering::Relaxed),
        }
    }

    /// See [`Membership::moment`]. On a default stream of its own a thread makes one call at a time.
    #[inline]
    pub(crate) fn moment(&self) -> u64 {
        self.0.membership.moment.load(Ordering::Acquire)
    }

    /// Returns whether the stream may have entered or left a capture by gc_ calls since `before`.
    #[inline]
    pub(crate) fn has_moved(&self, before: u64) -> bool {
        before % 2 == 1 || self.moment() != before
    }

    pub(crate) fn latest(&self) -> Option<Arc<Record>> {
        self.membership()?.latest()
    }

    /// Returns what is noted of the stream as the calling thread sees it; `None` for a per-thread stream that this thread has
    /// not captured.
    pub(crate) fn membership(&self) -> Option<Arc<Membership>> {
        match self.id() {
            StreamId::PER_THREAD => self.context().per_thread().get(),
            _ => Some(Arc::clone(&self.0.membership)),
        }
    }

    /// Returns what is noted of the stream as the calling thread sees it, for calls that add to it.
    pub(crate) fn membership_or_new(&self) -> Arc<Membership> {
        match self.id() {
            StreamId::PER_THREAD => self.context().per_thread().get_or_insert(),
            _ => Arc::clone(&self.0.membership),
        }
    }
}

type Threads = HashMap<ThreadNumber, Arc<Membership>>;

impl PerThread {
    /// Of a stream that no thread has captured.
    pub(crate) fn new() -> PerThread {
        PerThread { threads: Mutex::default(), all: Arc::new(Membership::new(None)) }
    }

    fn get(&self) -> Option<Arc<Membership>> {
        lock(&self.threads).get(&this_thread()).cloned()
    }

    fn get_or_insert(&self) -> Arc<Membership> {
        let mut threads = lock(&self.threads);
        self.make_room(&mut threads);
        let own = this_thread();
        if let Some(known) = threads.get(&own) {
            return Arc::clone(known);
        }
        let new = Arc::new(Membership::new(Some(own)));
        threads.insert(own, Arc::clone(&new));
        drop(threads);
        end_with_this_thread(Arc::<Membership>::downgrade(&new) as Weak<_>);
        new
    }

    /// Threads come and go: forgets those whose captures are over. The calling thread stays.
    fn make_room(&self, threads: &mut Threads) {
        let own = this_thread();
        let in_use = |entry: &Arc<Membership>| {
            // The capture of others that it joined need not be among those that it entered.
            let may_be_in_one =
                entry.joined.load(Ordering::Acquire) & (THAT_OTHERS_END | THREAD_ENDS) == THAT_OTHERS_END;
            may_be_in_one
                || Arc::strong_count(entry) > 1
                || lock(&entry.history).entered.iter().any(|(_, record)| !record.is_past())
        };
        threads.retain(|&thread, entry| thread == own || in_use(entry));
        self.sum_up(threads);
    }

    fn sum_up(&self, threads: &Threads) {
        let kinds = threads.values().fold(0, |kinds, entry| kinds | entry.joined.load(Ordering::Acquire));
        self.all.joined.store(kinds, Ordering::Release);
    }

    /// Returns what the calling thread has of [`Membership::joined`]; asked where some thread has something.
    #[cold]
    fn joined(&self) -> u8 {
        let mut threads = lock(&self.threads);
        let own = threads.get(&this_thread()).map_or(0, |own| own.joined.load(Ordering::Acquire));
        if own == 0 {
            self.make_room(&mut threads);
        }
        own
    }

    /// As [`Stream::note_joined`].
    fn note_joined(&self, own: &Membership, kinds: u8) {
        let _threads = lock(&self.threads);
        own.joined.fetch_or(kinds, Ordering::AcqRel);
        self.all.joined.fetch_or(kinds, Ordering::AcqRel);
    }

    /// As [`Stream::note_outside`].
    fn note_outside(&self, own: &Membership) {
        let threads = lock(&self.threads);
        own.joined.store(0, Ordering::Release);
        self.sum_up(&threads);
    }
}

/// Of a thread's own default stream.
impl EndsWithThread for Membership {
    fn thread_ends(&self) {
        // It still is in what it joined, for calls that the thread makes at its very end.
        if self.joined.load(Ordering::Acquire) != 0 {
            self.joined.fetch_or(THREAD_ENDS, Ordering::AcqRel);
        }
    }
}

#[cfg(test)]
#[path = "membership_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "sharing_tests.rs"]
mod sharing_tests;

#[cfg(test)]
#[path = "contexts_tests.rs"]
mod contexts_tests;
