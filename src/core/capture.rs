//! The record of one capture: what it must keep alive, and whether it is still open.
//!
//! All streams and events of a capture point to one record. When the capture ends, the list goes to the
//! graph; when it fails, the list is dropped. Either way the record is over, and everything pointing to it is out.
//! A capture that others can end has its list attached to the graph while it goes on.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};

use super::black_box::Story;
use super::lock;
use super::operands::{Kept, Operands};
use super::retention::{self, stay_for, Line, Shared};
use crate::driver::{forked, StreamId};
use crate::error::Result;

/// Set in `Record::phase` for good when the capture is over; the bits below count the calls that are about to end it.
const OVER: u32 = 1 << 31;

/// One capture, from its begin to its end.
pub(super) struct Record {
    number: u64,
    /// Where graphcap met it, if on a stream that others use too.
    met: Option<Met>,
    phase: AtomicU32,
    list: Mutex<List>,
    /// What is told of the capture when it breaks.
    pub(super) story: Arc<Story>,
}

/// A capture on a stream that others use too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Met {
    /// The number of the stream.
    pub(super) stream: u64,
    /// The driver's number of the capture.
    pub(super) capture: u64,
}

impl Drop for Record {
    fn drop(&mut self) {
        // The default stream of a thread that is over was told of no end. But each stream that others use too has a record
        // of its own, and the capture may go on when one of them goes.
        if !self.is_over() && (!self.can_others_end() || self.story.is_over()) {
            self.story.close();
        }
    }
}

/// How many records a thread keeps at hand.
const AT_HAND: usize = 4;

/// The records that a thread used last, each in the place that its key has. The next recording mostly needs one of them, and
/// need not count a reference.
struct AtHand([Cell<Option<Arc<Record>>>; AT_HAND]);

impl AtHand {
    #[inline(always)]
    fn place(&self, key: u64) -> &Cell<Option<Arc<Record>>> {
        &self.0[key as usize % AT_HAND]
    }
}

impl Drop for AtHand {
    fn drop(&mut self) {
        // They may be the last references, whose drop takes locks.
        if forked::is_child() {
            self.0.iter().for_each(|place| std::mem::forget(place.take()));
        }
    }
}

thread_local! {
    static RECORDS: AtHand = const { AtHand([const { Cell::new(None) }; AT_HAND]) };
}

/// The record that the thread used last under `key`, if that `is_it`; else the one that `find` finds. To be put back after its
/// use; until then it is not at hand, as a function of the caller's that the driver calls may need another one.
#[inline(always)]
pub(super) fn take_at_hand(
    key: u64,
    is_it: impl FnOnce(&Record) -> bool,
    find: impl FnOnce() -> Result<Option<Arc<Record>>>,
) -> Result<Option<Arc<Record>>> {
    // A thread that is about to end keeps none.
    match RECORDS.try_with(|records| records.place(key).take()).unwrap_or_default() {
        Some(latest) if is_it(&latest) => Ok(Some(latest)),
        latest => {
            if let Some(latest) = latest {
                let_go(latest);
            }
            find()
        }
    }
}

/// Keeps a record for the next [`take_at_hand`] of the thread with that key.
#[inline(always)]
pub(super) fn put_at_hand(key: u64, record: Option<Arc<Record>>) {
    if let Some(nested) = RECORDS.try_with(|records| records.place(key).replace(record)).unwrap_or_default() {
        let_go(nested);
    }
}

/// Drops what may be the last reference.
#[cold]
#[inline(never)]
fn let_go(record: Arc<Record>) {
    drop(record);
}

/// Most captures use few objects. Made at the begin, so that the first recording need not.
fn new_list() -> Vec<Kept> {
    Vec::with_capacity(8)
}

enum List {
    /// The capture goes on.
    Open(Vec<Kept>),
    /// The graph has the list already, because others can end the capture, or can use the graph before its end. The
    /// driver drops it with the graph.
    Attached { line: Weak<Line>, others_can_end: bool },
    /// The capture is over; the lists of the graph that it gave and of the execs made from that.
    Closed(Weak<Line>),
    /// The capture is over and gave no graph.
    Discarded,
}

/// What is left to do for a capture that gave a graph.
pub(super) enum Finish {
    /// The graph is to keep this list.
    Keep(Arc<Shared>),
    /// The graph has the list.
    Attached,
    /// The record was over before: what the graph uses was not kept.
    WasOver,
}

impl Record {
    /// The record of a capture that is about to begin.
    pub(super) fn new(story: Arc<Story>) -> Arc<Self> {
        Self::with(None, List::Open(new_list()), story)
    }

    /// The record of a capture that goes on and that others may have begun, with the list that its graph is to have.
    pub(super) fn attached(met: Met, story: Arc<Story>) -> (Arc<Self>, Arc<Shared>) {
        Self::with_list(Some(met), story)
    }

    /// The record of a capture that is about to begin into a graph that there is, with the list that this is to have.
    pub(super) fn to_graph(story: Arc<Story>) -> (Arc<Self>, Arc<Shared>) {
        Self::with_list(None, story)
    }

    fn with_list(met: Option<Met>, story: Arc<Story>) -> (Arc<Self>, Arc<Shared>) {
        let (list, line) = retention::begin(new_list());
        (Self::with(met, List::Attached { line, others_can_end: met.is_some() }, story), list)
    }

    fn with(met: Option<Met>, list: List, story: Arc<Story>) -> Arc<Self> {
        static NUMBERS: AtomicU64 = AtomicU64::new(1);
        Arc::new(Record {
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            met,
            phase: AtomicU32::new(0),
            list: Mutex::new(list),
            story,
        })
    }

    /// From here on others can end the capture: has the graph keep the list, through `retain`, unless it does already. A
    /// record that is over stays as it is, and so does one whose list `retain` refuses.
    pub(super) fn attach(&self, retain: impl FnOnce(Arc<Shared>) -> Result<()>) -> Result<()> {
        let mut list = lock(&self.list);
        let kept = match &mut *list {
            List::Open(kept) => kept,
            List::Attached { others_can_end, .. } => {
                *others_can_end = true;
                return Ok(());
            }
            List::Closed(_) | List::Discarded => return Ok(()),
        };
        let (shared, line) = retention::begin(Vec::new());
        retain(Arc::clone(&shared))?;
        lock(&shared).kept.append(kept);
        *list = List::Attached { line, others_can_end: true };
        Ok(())
    }

    /// Whether others can end the capture.
    pub(super) fn can_others_end(&self) -> bool {
        matches!(*lock(&self.list), List::Attached { others_can_end: true, .. })
    }

    /// Distinct for every capture of the process, never 0.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Whether it is of that capture, and on that stream.
    #[inline]
    pub(super) fn is_of(&self, met: Met) -> bool {
        self.met == Some(met) && self.story.is_open()
    }

    /// Whether the capture has ended, failed or been discarded.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.phase.load(Ordering::Acquire) & OVER != 0
    }

    /// Whether the capture goes on and no thread is about to end it.
    #[inline]
    pub(super) fn is_settled(&self) -> bool {
        self.phase.load(Ordering::Acquire) == 0
    }

    /// To be called before the driver is asked to end the capture: from here on a racing call cannot know
    /// whether the driver records or executes it.
    pub(super) fn ending(&self) {
        self.phase.fetch_add(1, Ordering::AcqRel);
    }

    /// Takes [`Record::ending`] back: the driver refused and the capture goes on.
    pub(super) fn not_ended(&self) {
        self.phase.fetch_sub(1, Ordering::AcqRel);
    }

    /// Lists `operands`, as far as they are not listed already. False when the record is over.
    #[inline(always)]
    pub(super) fn keep(&self, operands: &impl Operands) -> bool {
        if operands.are_kept_by(self.number) {
            return !self.is_over();
        }
        self.in_list(|list| operands.keep_in(list, self.number))
    }

    /// Takes back [`Record::keep`] after a call that failed.
    pub(super) fn forget(&self, operands: &impl Operands) {
        self.in_list(|list| operands.take_off(list));
    }

    /// Makes `call` with the list. False when the record is over.
    #[cold]
    #[inline(never)]
    fn in_list(&self, call: impl FnOnce(&mut Vec<Kept>)) -> bool {
        let attached = match &mut *lock(&self.list) {
            List::Open(list) => {
                call(list);
                return true;
            }
            List::Attached { line, .. } => line.upgrade().and_then(|line| line.latest()),
            List::Closed(_) | List::Discarded => None,
        };
        match attached {
            Some(list) => {
                call(&mut lock(&list).kept);
                true
            }
            None => false,
        }
    }

    /// Keeps `objects` alive for a call that turned out only afterwards to have been recorded: by the list,
    /// or by the graph and its execs when the capture has ended meanwhile.
    pub(super) fn keep_late(&self, objects: Vec<Kept>) {
        let line = match &mut *lock(&self.list) {
            List::Open(list) => return list.extend(objects),
            List::Attached { line, .. } | List::Closed(line) => line.upgrade(),
            List::Discarded => return,
        };
        match line {
            Some(line) => line.keep_late(objects),
            // The graph and its execs came and went meanwhile, and nobody knows where their launches still run.
            None => stay_for(&[StreamId::UNKNOWN], &objects),
        }
    }

    /// The capture gave a graph.
    pub(super) fn finish(&self) -> Finish {
        let mut list = lock(&self.list);
        let (finish, line) = match &mut *list {
            List::Open(kept) => {
                let (shared, line) = retention::begin(std::mem::take(kept));
                (Finish::Keep(shared), line)
            }
            List::Attached { line, .. } => (Finish::Attached, line.clone()),
            List::Closed(_) | List::Discarded => return Finish::WasOver,
        };
        *list = List::Closed(line);
        self.phase.fetch_or(OVER, Ordering::AcqRel);
        self.story.close();
        finish
    }

    /// The capture gave no graph. What this returns is to be dropped where no lock is held: destroying a
    /// host function runs code of the caller's.
    #[must_use]
    pub(super) fn discard(&self) -> Option<Vec<Kept>> {
        let mut list = lock(&self.list);
        let kept = match &mut *list {
            List::Open(kept) => std::mem::take(kept),
            // The driver drops the list with the graph, be it one that will not be or one that was there before.
            List::Attached { .. } => Vec::new(),
            List::Closed(_) | List::Discarded => return None,
        };
        *list = List::Discarded;
        self.phase.fetch_or(OVER, Ordering::AcqRel);
        self.story.close();
        Some(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::fake_driver::FakeDriver;
    use crate::core::operands::Operand;
    use crate::core::{Buffer, Event};
    use crate::driver::{EventOptions, HostFunction, Retain};

    fn record() -> Arc<Record> {
        let (_, context) = FakeDriver::context();
        Record::new(Story::new(&context.legacy_stream(), None))
    }

    fn function(token: &Arc<()>) -> HostFunction {
        let token = Arc::clone(token);
        Arc::new(move || drop(Arc::clone(&token)))
    }

    #[test]
    fn an_object_is_listed_once_per_capture_and_a_host_function_each_time() {
        let (_, context) = FakeDriver::context();
        let event = Event::create(&context, EventOptions::default()).unwrap();
        let (first, second) = (record(), record());
        let listed = |record: &Record| record.discard().map(|list| list.len());
        for _ in 0..3 {
            assert!(first.keep(&Operand::Event(&event)));
        }
        let function = function(&Arc::new(()));
        assert!(second.keep(&Operand::Event(&event)));
        for _ in 0..2 {
            assert!(second.keep(&Operand::HostFunction(&function)));
        }
        assert_eq!((listed(&first), listed(&second)), (Some(1), Some(3)));
    }

    #[test]
    fn a_closed_record_takes_nothing_more() {
        let (_, context) = FakeDriver::context();
        let event = Event::create(&context, EventOptions::default()).unwrap();
        let token = Arc::new(());
        let record = record();
        assert!(record.keep(&Operand::Event(&event)));
        assert_eq!(record.discard().map(|list| list.len()), Some(1));
        assert!(record.is_over() && record.discard().is_none());
        assert!(!record.keep(&Operand::Event(&event)), "the mark does not reopen the record");
        let function = function(&token);
        assert!(!record.keep(&Operand::HostFunction(&function)));
        record.keep_late(Operand::HostFunction(&function).collect());
        drop(function);
        assert_eq!(Arc::strong_count(&token), 1);
    }

    #[test]
    fn what_is_listed_late_stays_for_the_launches_of_execs_that_are_gone() {
        for is_graph_gone in [false, true] {
            let (driver, context) = FakeDriver::context();
            let buffer = Buffer::allocate(&context, 8).unwrap();
            let (record, stream) = (record(), StreamId(77));
            let Finish::Keep(list) = record.finish() else { panic!("the list was not attached") };
            assert!(list.used_by(&[stream], &|_| false).is_empty());
            let kept = (!is_graph_gone).then_some(list);
            record.keep_late(Operand::Buffer(&buffer).collect());
            drop((buffer, kept));
            let user = if is_graph_gone { StreamId::UNKNOWN } else { stream };
            assert_eq!(driver.released()[0].1, [user]);
        }
        let (driver, context) = FakeDriver::context();
        let buffer = Buffer::allocate(&context, 8).unwrap();
        let record = record();
        drop(record.discard());
        record.keep_late(Operand::Buffer(&buffer).collect());
        drop(buffer);
        assert_eq!(driver.released()[0].1, [], "there is no graph");
    }

    #[test]
    fn the_record_at_hand_is_the_one_that_is_asked_for() {
        const KEY: u64 = 7;
        /// Takes the record, calls `meanwhile`, puts it back, and says whether it had to be found.
        fn is_found(record: &Arc<Record>, meanwhile: impl FnOnce()) -> bool {
            let mut is_found = false;
            let find = || {
                is_found = true;
                Ok(Some(Arc::clone(record)))
            };
            let at_hand = take_at_hand(KEY, |at_hand| std::ptr::eq(at_hand, &**record), find).unwrap();
            assert!(at_hand.as_ref().is_some_and(|at_hand| Arc::ptr_eq(at_hand, record)));
            meanwhile();
            put_at_hand(KEY, at_hand);
            is_found
        }
        let (first, second) = (record(), record());
        assert!(is_found(&first, || ()));
        assert!(!is_found(&first, || ()));
        assert!(is_found(&second, || ()));
        // Another one is used within.
        assert!(is_found(&first, || assert!(is_found(&second, || ()) && !is_found(&second, || ()))));
        assert!(!is_found(&first, || ()));
        // It is kept no longer than until the next one is needed.
        assert!(is_found(&second, || ()));
        let gone = Arc::downgrade(&second);
        drop(second);
        assert!(gone.upgrade().is_some());
        assert!(is_found(&first, || ()));
        assert!(gone.upgrade().is_none());
    }

    #[test]
    fn a_refused_end_leaves_the_record_open() {
        let record = record();
        record.ending();
        record.ending();
        record.not_ended();
        assert!(!record.is_settled() && !record.is_over());
        record.not_ended();
        assert!(record.is_settled());
    }
}
