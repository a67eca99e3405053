//! The record of one capture: what it keeps alive, and whether it is over.
//!
//! All streams and events of a capture share one record. When the capture ends, its list goes to the graph; when it fails,
//! the list is dropped. A capture that others can end has the graph hold the list while it goes on.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::Arc;

use crate::graphs::retention::{self, stay_for, Line, Listed, Shared};
use crate::keep::{Keep, Kept};
use crate::objects::note::RecordedNote;
use crate::operations::operands::{Operand, Operands};
use crate::pools::keeping;
use crate::state::{CaptureLog, Context, GraphInner, List, Record, Target};
use graphcap_base::error::{Result, Status};
use graphcap_base::lock::{lock, Mutex};
use graphcap_base::numbers::fresh_number;
use graphcap_driver::thread_end::EndsWithThread;
use graphcap_driver::{forked, NodeId, StreamId};

/// Set in `Record::phase` for good when the capture is over; the bits below count the calls that are about to end it.
const OVER: u32 = 1 << 31;
/// Set beside it when the capture gave no graph that could need anything.
const GRAPHLESS: u32 = 1 << 30;
/// Set in `Record::phase` for good when streams can leave the capture before the phase tells it, or when another capture can
/// have the same number.
const LOOSE: u32 = 1 << 29;

/// Remains of a capture that is over. To be dropped where no lock is held: it may run code of the caller's.
pub(crate) struct EndedRecord {
    /// Objects that the graph is to keep, unless it holds that already.
    pub(crate) list: Option<Arc<Shared>>,
    /// The graph that the capture went into.
    pub(crate) target: Option<Target>,
    /// Objects that the graph within a node keeps no longer into which the capture was to go.
    #[allow(dead_code, reason = "held to be dropped")]
    pub(crate) kept: Vec<Kept>,
    /// Notes of recorded nodes.
    pub(crate) notes: Vec<(NodeId, RecordedNote)>,
    /// The graphs that nodes put by hand into the graph within a node have copies of.
    pub(crate) put: Vec<(NodeId, Arc<GraphInner>)>,
}

impl EndedRecord {
    /// The capture has failed, and with it the graph that it went into.
    pub(crate) fn has_failed(self) {
        self.target.iter().for_each(|target| target.outermost.let_go_if_lost());
    }
}

/// Number of records that a thread keeps at hand.
const AT_HAND: usize = 4;

/// The records that a thread used last, each in the place that its key has. The next recording mostly needs one of them, and
/// need not count a reference.
struct RecordCache([Cell<Option<Arc<Record>>>; AT_HAND]);

impl RecordCache {
    #[inline(always)]
    fn place(&self, key: u64) -> &Cell<Option<Arc<Record>>> {
        &self.0[key as usize % AT_HAND]
    }
}

impl Drop for RecordCache {
    fn drop(&mut self) {
        // They may be the last references, whose drop takes locks.
        if forked::is_child() {
            self.0.iter().for_each(|place| std::mem::forget(place.take()));
        }
    }
}

thread_local! {
    static RECORDS: RecordCache = const { RecordCache([const { Cell::new(None) }; AT_HAND]) };
}

/// The record that the thread used last under `key`, if that `is_it`; else the one that `find` finds. To be put back after its
/// use; until then it is not at hand, as a function of the caller's that the driver calls may need another one.
#[inline(always)]
pub(crate) fn take_at_hand(
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
pub(crate) fn put_at_hand(key: u64, record: Option<Arc<Record>>) {
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

impl Record {
    /// The record of a capture that is about to begin, or that others began.
    pub(crate) fn new(context: &Context, log: Arc<CaptureLog>) -> Arc<Self> {
        Record::with(context, log, Vec::new())
    }

    /// The record of a capture that is about to begin, which keeps `whole` for no node.
    pub(crate) fn with(context: &Context, log: Arc<CaptureLog>, whole: Vec<Kept>) -> Arc<Self> {
        // Most captures use few objects. Made here, so that the first recording need not.
        let shares = keeping::pool_of(&whole);
        let (list, line) = retention::begin(Vec::with_capacity(8), whole);
        list.open();
        // The driver ends a capture of a default stream with its thread, and graphcap learns of that afterwards.
        let phase = if log.ends_with_thread() { LOOSE } else { 0 };
        Arc::new(Record {
            number: fresh_number(),
            open_count: Arc::clone(context.open_count()),
            phase: AtomicU32::new(phase),
            list: Mutex::new(List {
                line,
                of_capture: Arc::downgrade(&list),
                own: Some(list),
                others_can_end: false,
                target: None,
                notes: Vec::new(),
                put: Vec::new(),
            }),
            log,
            shares,
        })
    }

    /// The capture is about to begin into `graph`. That holds the list from the start: execs that are made of it before the
    /// end need what it keeps.
    pub(crate) fn goes_into(&self, graph: &Arc<GraphInner>) -> Result<()> {
        self.log.goes_into(graph.id());
        self.phase.fetch_or(LOOSE, Ordering::AcqRel);
        let target = graph.begin_capture()?;
        let mut list = lock(&self.list);
        list.target = Some(target);
        let own = list.own.take();
        own.map_or(Ok(()), |own| graph.retain_next(own, &mut list.line))
    }

    /// The graph that the capture goes into, where that is known.
    pub(crate) fn target(&self) -> Option<Arc<GraphInner>> {
        lock(&self.list).target.as_ref().map(|target| Arc::clone(&target.graph))
    }

    /// The capture goes into `graph` from here on, which holds the list: execs that are made of it before the end need what it
    /// keeps. Where others can end the capture, the driver's graph holds the list as well. False when the capture is over. To be
    /// called again where the graph could not hold the list.
    pub(crate) fn is_known_as(&self, graph: &Arc<GraphInner>) -> Result<bool> {
        self.log.goes_into(graph.id());
        self.phase.fetch_or(LOOSE, Ordering::AcqRel);
        let mut list = lock(&self.list);
        if self.is_over() {
            return Ok(false);
        }
        // First of all: the driver's graph is one of graphcap's from here on, and must not be destroyed before the end.
        let is_other = list.target.as_ref().is_none_or(|target| !Arc::ptr_eq(&target.graph, graph));
        let replaced = if is_other { list.target.replace(graph.begin_capture()?) } else { None };
        let known = list.of_capture.upgrade();
        let held = known.map_or(Ok(()), |known| graph.retain_next(known, &mut list.line));
        if held.is_ok() && !list.others_can_end {
            list.own = None;
        }
        drop(list);
        // Where the lock is not held: it may be the last reference to a graph.
        drop(replaced);
        held.map(|()| true)
    }

    /// Others can end the capture, which graphcap need not see. To be called before they can.
    pub(crate) fn let_others_end(&self) {
        self.log.joined_unseen();
        self.log.others_record();
        self.phase.fetch_or(LOOSE, Ordering::AcqRel);
        lock(&self.list).others_can_end = true;
    }

    /// The object of a kind that the capture keeps for no node.
    pub(crate) fn whole<T: Keep>(&self) -> Option<Arc<T>> {
        let list = lock(&self.list).of_capture.upgrade()?;
        let found = list.lock().whole.iter().find_map(Kept::object);
        found
    }

    /// Returns whether others can end the capture.
    pub(crate) fn can_others_end(&self) -> bool {
        lock(&self.list).others_can_end
    }

    /// Makes the graph hold the list, through `retain`, where others can end the capture. False when there is no such graph:
    /// the capture was broken, or has ended since it was asked for.
    pub(crate) fn attach(&self, retain: impl FnOnce(Arc<Shared>) -> Result<()>) -> Result<bool> {
        lock(&self.list).attach(retain)
    }

    /// Returns whether it is of the capture that the driver numbers so in `context`, one of several in which the number means it, and
    /// that goes on. None has the number 0.
    #[inline]
    pub(crate) fn is_of(&self, context: &Context, capture: u64) -> bool {
        capture != 0 && self.log.is_of(capture) && self.log.family == context.family() && self.log.is_open()
    }

    /// Returns whether it was begun in `context`, so that work there asks about captures while this one goes on.
    pub(crate) fn is_counted_in(&self, context: &Context) -> bool {
        Arc::ptr_eq(&self.open_count, context.open_count())
    }

    /// Returns whether the capture was not seen to end.
    pub(crate) fn goes_on(&self) -> bool {
        !self.is_over() && self.log.is_open()
    }

    /// Returns whether the capture has ended, failed or been discarded.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.phase.load(Ordering::Acquire) & OVER != 0
    }

    /// Returns whether the capture goes on and no thread is about to end it.
    #[inline]
    pub(crate) fn is_settled(&self) -> bool {
        self.phase.load(Ordering::Acquire) & !LOOSE == 0
    }

    /// Returns whether each stream that entered the capture is in it still, and in no other one. True while the capture goes on, no
    /// thread is about to end it, and only gc_ calls can end it.
    #[inline]
    pub(crate) fn holds_its_streams(&self) -> bool {
        self.phase.load(Ordering::Acquire) == 0
    }

    /// Its line of lists, which several captures into one graph have.
    pub(crate) fn line(&self) -> *const Line {
        lock(&self.list).line.as_ptr()
    }

    /// Returns whether the streams that were in the capture may forget it: it is over, and the graph that it gave is gone.
    pub(crate) fn is_past(&self) -> bool {
        let list = lock(&self.list);
        !self.goes_on() && list.target.is_none() && (list.own.is_some() || list.line.strong_count() == 0)
    }

    /// To be called before the driver is asked to end the capture: from here on a racing call cannot know
    /// whether the driver records or executes it.
    pub(crate) fn ending(&self) {
        self.phase.fetch_add(1, Ordering::AcqRel);
    }

    /// Takes [`Record::ending`] back: the driver refused and the capture goes on.
    pub(crate) fn not_ended(&self) {
        self.phase.fetch_sub(1, Ordering::AcqRel);
    }

    /// A stream of `context` is in the capture, which was begun in another one: the graph keeps that context. `retain` as in
    /// [`Record::attach`].
    pub(crate) fn entered_from(&self, context: &Context, retain: impl FnOnce(Arc<Shared>) -> Result<()>) {
        if self.log.entered_from(context) {
            // Where the capture is over, no node comes from there.
            let _ = self.keep(&Operand::Context(context), retain);
        }
    }

    /// Lists `operands`, as far as they are not listed already; `retain` as in [`Record::attach`]. False when the capture is
    /// over.
    #[inline(always)]
    pub(crate) fn keep(
        &self,
        operands: &impl Operands,
        retain: impl FnOnce(Arc<Shared>) -> Result<()>,
    ) -> Result<bool> {
        if operands.are_kept_by(self.number) {
            return Ok(!self.is_over());
        }
        self.list_new(operands, retain)
    }

    #[cold]
    #[inline(never)]
    fn list_new(&self, operands: &impl Operands, retain: impl FnOnce(Arc<Shared>) -> Result<()>) -> Result<bool> {
        let mut list = lock(&self.list);
        if self.is_over() || !list.attach(retain)? {
            return Ok(false);
        }
        let keep = |kept: &mut Vec<Kept>| {
            let before = kept.len();
            operands.keep_in(kept, self.number);
            if self.shares != 0 {
                keeping::keep_blocks(kept.get_mut(before..).unwrap_or_default(), self.number, self.shares);
            }
        };
        Ok(list.change(|listed| keep(&mut listed.kept)))
    }

    /// Lists an object that is kept for no node; `retain` as in [`Record::attach`]. False when the capture is over.
    pub(crate) fn keep_whole(&self, object: Kept, retain: impl FnOnce(Arc<Shared>) -> Result<()>) -> Result<bool> {
        let mut list = lock(&self.list);
        if self.is_over() || !list.attach(retain)? {
            return Ok(false);
        }
        Ok(list.change(|listed| listed.whole.push(object)))
    }

    /// Takes back [`Record::keep`] after a call that failed.
    #[cold]
    pub(crate) fn forget(&self, operands: &impl Operands) {
        let list = lock(&self.list);
        if !self.is_over() {
            list.change(|listed| operands.take_off(&mut listed.kept));
        }
    }

    /// Keeps `objects` alive for a call that turned out only afterwards to have been recorded: by the list,
    /// or by the graph and its execs when the capture has ended meanwhile. `retain` as in [`Record::attach`].
    pub(crate) fn keep_late(&self, objects: Vec<Kept>, retain: impl FnOnce(Arc<Shared>) -> Result<()>) {
        let mut list = lock(&self.list);
        // Where this is refused the list is the graph's only if graphcap ends the capture.
        let _ = list.attach(retain);
        let line = list.line.upgrade();
        drop(list);
        match line {
            Some(line) => line.keep_late(objects),
            None if self.phase.load(Ordering::Acquire) & GRAPHLESS != 0 => {}
            // The graph and its execs came and went meanwhile, and nobody knows where their launches still run.
            None => stay_for(&[StreamId::UNKNOWN], &objects),
        }
    }

    /// The capture gave a graph. `None` when it was over before: what the graph uses was not kept.
    pub(crate) fn finish(&self) -> Option<EndedRecord> {
        self.settle(0)
    }

    /// The capture gave no graph, or graphcap lost sight of it.
    pub(crate) fn discard(&self) -> Option<EndedRecord> {
        self.settle(GRAPHLESS)
    }

    fn settle(&self, graphless: u32) -> Option<EndedRecord> {
        let mut list = lock(&self.list);
        if self.is_over() {
            return None;
        }
        let (own, target) = (list.own.take(), list.target.take());
        let is_unchanged = graphless != 0 && target.as_ref().is_some_and(|target| target.graph.is_within());
        let mut kept = Vec::new();
        let of_capture = list.of_capture.upgrade();
        if let Some(of_capture) = &of_capture {
            of_capture.close();
            if is_unchanged {
                // Also what it keeps for no node, as memory that it allocated.
                of_capture.take_all(&mut kept);
            }
        }
        let (notes, put) = (std::mem::take(&mut list.notes), std::mem::take(&mut list.put));
        let left = EndedRecord { list: own, target, kept, notes, put };
        // A list that the graph holds goes with that.
        let graphless = if left.list.is_some() { graphless } else { 0 };
        self.phase.fetch_or(OVER | graphless, Ordering::AcqRel);
        drop(list);
        drop(of_capture);
        self.log.close();
        Some(left)
    }
}

impl List {
    /// Makes `call` with what is listed for the capture, which goes on. False where its graph is gone.
    pub(crate) fn change(&self, call: impl FnOnce(&mut Listed)) -> bool {
        let list = self.of_capture.upgrade();
        list.map(|list| call(&mut list.lock())).is_some()
    }

    fn attach(&mut self, retain: impl FnOnce(Arc<Shared>) -> Result<()>) -> Result<bool> {
        let Some(own) = self.own.as_ref().filter(|_| self.others_can_end) else { return Ok(true) };
        match retain(Arc::clone(own)) {
            Ok(()) => self.own = None,
            Err(error) if error.status == Status::ILLEGAL_STATE => return Ok(false),
            Err(error) => return Err(error),
        }
        Ok(true)
    }
}

/// Of a capture of a thread's own default stream.
impl EndsWithThread for Record {
    fn thread_ends(&self) {
        if let Some(left) = self.discard() {
            graphcap_driver::run_aside(Box::new(move || left.has_failed()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faulty::Faulty;
    use crate::{Buffer, Event};
    use graphcap_driver::{EventOptions, HostFunction, Retain};

    fn record() -> Arc<Record> {
        let (_, context) = Faulty::context();
        Record::new(&context, CaptureLog::of_others(&context.legacy_stream()))
    }

    fn keep(record: &Record, operand: &Operand<'_>) -> bool {
        record.keep(operand, |_| panic!("nobody else can end it")).unwrap()
    }

    /// Returns how many objects the list has of a capture that is discarded; `None` when it was over.
    fn discard(record: &Record) -> Option<usize> {
        record.discard().map(|left| left.list.unwrap().lock().kept.len())
    }

    fn keep_late(record: &Record, operand: &Operand<'_>) {
        record.keep_late(operand.collect(), |_| panic!("nobody else can end it"));
    }

    fn function(token: &Arc<()>) -> HostFunction {
        let token = Arc::clone(token);
        Arc::new(move || drop(Arc::clone(&token)))
    }

    #[test]
    fn an_object_is_listed_once_per_capture_and_a_host_function_each_time() {
        let (_, context) = Faulty::context();
        let event = Event::create(&context, EventOptions::default()).unwrap();
        let (first, second) = (record(), record());
        for _ in 0..3 {
            assert!(keep(&first, &Operand::Event(&event)));
        }
        let function = function(&Arc::new(()));
        assert!(keep(&second, &Operand::Event(&event)));
        for _ in 0..2 {
            assert!(keep(&second, &Operand::HostFunction(&function)));
        }
        assert_eq!((discard(&first), discard(&second)), (Some(1), Some(3)));
    }

    #[test]
    fn a_closed_record_takes_nothing_more() {
        let (_, context) = Faulty::context();
        let event = Event::create(&context, EventOptions::default()).unwrap();
        let token = Arc::new(());
        let record = record();
        assert!(keep(&record, &Operand::Event(&event)));
        assert_eq!(discard(&record), Some(1));
        assert!(record.is_over() && record.discard().is_none());
        assert!(!keep(&record, &Operand::Event(&event)), "the mark does not reopen the record");
        let function = function(&token);
        assert!(!keep(&record, &Operand::HostFunction(&function)));
        keep_late(&record, &Operand::HostFunction(&function));
        drop(function);
        assert_eq!(Arc::strong_count(&token), 1);
    }

    #[test]
    fn what_is_listed_late_stays_for_the_launches_of_execs_that_are_gone() {
        for is_graph_gone in [false, true] {
            let (driver, context) = Faulty::context();
            let buffer = Buffer::allocate(&context, 8).unwrap();
            let (record, stream) = (record(), StreamId(77));
            let list = record.finish().and_then(|left| left.list).unwrap();
            assert!(list.used_by(&[stream], &|_| false).is_empty());
            let kept = (!is_graph_gone).then_some(list);
            keep_late(&record, &Operand::Buffer(&buffer));
            drop((buffer, kept));
            let user = if is_graph_gone { StreamId::UNKNOWN } else { stream };
            assert_eq!(driver.released()[0].1, [user]);
        }
        let (driver, context) = Faulty::context();
        let buffer = Buffer::allocate(&context, 8).unwrap();
        let record = record();
        drop(record.discard());
        keep_late(&record, &Operand::Buffer(&buffer));
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
