//! Streams that others use beside graphcap: wrapped ones, and those whose native handle was given out.
//!
//! Such a stream can enter and leave captures behind graphcap's back, so each call asks the driver which capture it
//! is in. What a recording uses is attached to the graph at once, because graphcap may not see the capture end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use smallvec::SmallVec;

use super::black_box::{Operation, Story};
use super::capture::{put_at_hand, take_at_hand, Met, Record};
use super::lock;
use super::operands::Operands;
use super::stream::Stream;
use crate::driver::{CaptureStatus, StreamId};
use crate::error::{Result, Status};

/// Whether a stream is shared with others, and the captures that it was last seen in.
pub(super) struct Sharing {
    shared: AtomicBool,
    seen: Mutex<Seen>,
}

/// One record; of the per-thread stream one for each thread.
type Seen = SmallVec<[Arc<Record>; 1]>;

impl Sharing {
    /// A stream that is shared from the start, or not.
    pub(super) fn new(shared: bool) -> Self {
        Sharing { shared: AtomicBool::new(shared), seen: Mutex::default() }
    }

    /// Whether others use the stream too.
    #[inline]
    pub(super) fn is_shared(&self) -> bool {
        self.shared.load(Ordering::Acquire)
    }

    /// From here on others use the stream too.
    pub(super) fn share(&self) {
        self.shared.store(true, Ordering::Release);
    }

    /// A capture was begun here on `stream`, which the driver numbers so; 0 where that is not known.
    pub(super) fn begun(&self, stream: &Stream, capture: u64, story: &Arc<Story>) {
        // What the stream was in before is over, also where others ended it, and even if it had the same number, which is that
        // of the graph.
        let before = self.see(stream, None);
        before.iter().filter(|record| !Arc::ptr_eq(&record.story, story)).for_each(|record| record.story.close());
        if capture != 0 {
            // What is refused now is asked for once more by the first recording.
            if let Ok(Some(record)) = self.attach(stream, capture, Arc::clone(story)) {
                put_at_hand(stream.number(), Some(record));
            }
        }
    }

    /// Notes what the stream is in from here on; of the per-thread stream, for the calling thread. What this gives is to be
    /// dropped where no lock is held: it may be the last reference.
    #[must_use]
    fn see(&self, stream: &Stream, record: Option<Arc<Record>>) -> Seen {
        let is_of_another = |record: &Arc<Record>| {
            stream.id() == StreamId::PER_THREAD && record.story.is_open() && !record.story.is_of_this_thread()
        };
        let mut seen = lock(&self.seen);
        let (mut stay, before): (Seen, Seen) = std::mem::take(&mut *seen).into_iter().partition(is_of_another);
        stay.extend(record);
        *seen = stay;
        before
    }

    /// The record of a capture that `stream` is in; `None` when it has ended meanwhile.
    fn seen_or_met(&self, stream: &Stream, met: Met) -> Result<Option<Arc<Record>>> {
        let seen = lock(&self.seen).iter().find(|record| record.is_of(met)).cloned();
        match seen {
            Some(seen) => Ok(Some(seen)),
            None => self.meet(stream, met.capture),
        }
    }

    /// Makes `call`, which submits work on `operands` to `stream`, and sees to it that they live as long as the work
    /// needs them. They are noted as used by the stream in any case: another thread may end the capture meanwhile.
    pub(super) fn submit<O: Operands>(
        &self,
        stream: &Stream,
        operation: Operation,
        operands: &O,
        call: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        operands.note_use(stream.id());
        let info = stream.driver().capture_info(stream.id())?;
        if info.status != CaptureStatus::Active {
            return call();
        }
        let met = Met { stream: stream.number(), capture: info.id };
        let at_hand = take_at_hand(met.stream, |record| record.is_of(met), || self.seen_or_met(stream, met))?;
        let submitted = match at_hand.as_deref() {
            Some(record) => keep_and_call(record, operation, operands, call),
            None => call(),
        };
        put_at_hand(met.stream, at_hand);
        submitted
    }

    /// The capture that the stream is in, if it goes on.
    pub(super) fn record(&self, stream: &Stream) -> Result<Option<Arc<Record>>> {
        let info = stream.driver().capture_info(stream.id())?;
        if info.status != CaptureStatus::Active {
            return Ok(None);
        }
        self.seen_or_met(stream, Met { stream: stream.number(), capture: info.id })
    }

    /// The record of a capture that is new here; `None` when it has ended meanwhile.
    #[cold]
    fn meet(&self, stream: &Stream, capture: u64) -> Result<Option<Arc<Record>>> {
        let story = Story::find(stream, capture).inspect(|story| story.joined_unseen()).unwrap_or_else(|| {
            let story = Story::new(stream, None);
            story.open(capture);
            story
        });
        self.attach(stream, capture, story)
    }

    fn attach(&self, stream: &Stream, capture: u64, story: Arc<Story>) -> Result<Option<Arc<Record>>> {
        let (record, list) = Record::attached(Met { stream: stream.number(), capture }, story);
        match stream.driver().capture_retain(stream.id(), list) {
            Ok(()) => {
                drop(self.see(stream, Some(Arc::clone(&record))));
                Ok(Some(record))
            }
            // It has ended since it was asked for.
            Err(error) if error.status == Status::ILLEGAL_STATE => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Makes `call` with its operands listed in `record`.
#[inline]
fn keep_and_call<O: Operands>(
    record: &Record,
    operation: Operation,
    operands: &O,
    call: impl FnOnce() -> Result<()>,
) -> Result<()> {
    record.keep(operands);
    // Others may have joined streams to it that graphcap knows nothing of, so they are not told apart.
    record.story.count(0);
    call().inspect_err(|_| {
        record.story.uncount(0);
        record.forget(operands);
    })?;
    record.story.note_call(operation);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::fake_driver::FakeDriver;
    use crate::core::{Buffer, Context, Event, Graph, Stream};
    use crate::driver::{EventOptions, GraphId, MemcpyKind, StreamOptions};
    use crate::rules::CaptureMode;

    fn wrapped(context: &Context, native: usize) -> Stream {
        Stream::adopt(context, native).unwrap()
    }

    fn buffer(context: &Context) -> Buffer {
        Buffer::allocate(context, 8).unwrap()
    }

    fn use_buffer(stream: &Stream, buffer: &Buffer) {
        stream.memset(buffer, 0, 0, 1, 8).unwrap();
    }

    /// What others do: replay a graph that they ended the capture of.
    fn replay(context: &Context, graph: GraphId, stream: &Stream) {
        let (exec, _) = context.driver().graph_instantiate(graph).unwrap();
        context.driver().exec_launch(exec, stream.id()).unwrap();
        context.driver().exec_destroy(exec);
    }

    #[test]
    fn a_capture_that_others_begin_and_end_keeps_what_is_recorded() {
        let (driver, context) = FakeDriver::context();
        let stream = wrapped(&context, 7);
        let (recorded, executed) = (buffer(&context), buffer(&context));
        let (recorded_at, executed_at) = (recorded.address(), executed.address());
        context.driver().begin_capture(stream.id(), CaptureMode::Global).unwrap();
        for _ in 0..3 {
            use_buffer(&stream, &recorded);
        }
        let graph = context.driver().end_capture(stream.id()).unwrap();
        use_buffer(&stream, &executed);
        drop((recorded, executed));
        assert!(driver.is_allocated(recorded_at) && !driver.is_allocated(executed_at));
        replay(&context, graph, &stream);
        context.driver().graph_destroy(graph);
        assert!(!driver.is_allocated(recorded_at));
        assert_eq!(driver.violations(), Vec::<String>::new());
    }

    #[test]
    fn a_stream_that_joins_such_a_capture_asks_the_driver_from_then_on() {
        let (driver, context) = FakeDriver::context();
        let (theirs, own) = (wrapped(&context, 7), Stream::create(&context, StreamOptions::default()).unwrap());
        let event = Event::create(&context, EventOptions::default()).unwrap();
        let (recorded, executed) = (buffer(&context), buffer(&context));
        let (recorded_at, executed_at) = (recorded.address(), executed.address());
        context.driver().begin_capture(theirs.id(), CaptureMode::Global).unwrap();
        event.record(&theirs).unwrap();
        own.wait_event(&event).unwrap();
        use_buffer(&own, &recorded);
        let graph = context.driver().end_capture(theirs.id()).unwrap();
        use_buffer(&own, &executed);
        drop((recorded, executed));
        assert!(driver.is_allocated(recorded_at) && !driver.is_allocated(executed_at));
        replay(&context, graph, &theirs);
        context.driver().graph_destroy(graph);
        assert!(!driver.is_allocated(recorded_at));
        assert_eq!(driver.violations(), Vec::<String>::new());
    }

    #[test]
    fn an_event_given_away_may_be_recorded_in_a_capture() {
        let (driver, context) = FakeDriver::context();
        let (theirs, own) = (wrapped(&context, 7), Stream::create(&context, StreamOptions::default()).unwrap());
        let event = Event::create(&context, EventOptions::default()).unwrap();
        let native = event.native().unwrap();
        context.driver().begin_capture(theirs.id(), CaptureMode::Global).unwrap();
        context.driver().event_record(crate::driver::EventId(native as u64), theirs.id()).unwrap();
        own.wait_event(&event).unwrap();
        let recorded = buffer(&context);
        let address = recorded.address();
        use_buffer(&own, &recorded);
        drop(recorded);
        let graph = context.driver().end_capture(theirs.id()).unwrap();
        assert!(driver.is_allocated(address));
        replay(&context, graph, &own);
        assert_eq!(driver.violations(), Vec::<String>::new());
    }

    #[test]
    fn a_capture_may_be_shared_midway() {
        for ended_here in [true, false] {
            let (driver, context) = FakeDriver::context();
            let stream = Stream::create(&context, StreamOptions::default()).unwrap();
            let (early, late) = (buffer(&context), buffer(&context));
            let (early_at, late_at) = (early.address(), late.address());
            stream.begin_capture(CaptureMode::Global).unwrap();
            use_buffer(&stream, &early);
            stream.native().unwrap();
            use_buffer(&stream, &late);
            drop((early, late));
            let graph: (Option<Graph>, Option<GraphId>) = match ended_here {
                true => (Some(stream.end_capture().unwrap()), None),
                false => (None, Some(context.driver().end_capture(stream.id()).unwrap())),
            };
            assert!(driver.is_allocated(early_at) && driver.is_allocated(late_at));
            match graph {
                (Some(graph), _) => graph.instantiate().unwrap().launch(&stream).unwrap(),
                (_, Some(graph)) => {
                    replay(&context, graph, &stream);
                    context.driver().graph_destroy(graph);
                }
                _ => {}
            }
            assert!(!driver.is_allocated(early_at) && !driver.is_allocated(late_at));
            assert_eq!(driver.violations(), Vec::<String>::new());
        }
    }

    #[test]
    fn captures_begun_here_on_shared_streams_keep_what_they_record() {
        let (driver, context) = FakeDriver::sharing_context();
        for stream in [wrapped(&context, 7), context.per_thread_stream()] {
            for _ in 0..2 {
                let recorded = buffer(&context);
                let address = recorded.address();
                stream.begin_capture(CaptureMode::Global).unwrap();
                stream.memcpy_host(MemcpyKind::HostToDevice, &recorded, 0, 64, 8).unwrap();
                drop(recorded);
                let graph = stream.end_capture().unwrap();
                let exec = graph.instantiate().unwrap();
                drop(graph);
                assert!(driver.is_allocated(address));
                exec.launch(&stream).unwrap();
                drop(exec);
                assert!(!driver.is_allocated(address));
            }
        }
        assert_eq!(driver.violations(), Vec::<String>::new());
    }

    #[test]
    fn a_host_function_that_was_refused_is_let_go_at_once() {
        let (driver, context) = FakeDriver::context();
        let stream = wrapped(&context, 7);
        stream.begin_capture(CaptureMode::Global).unwrap();
        let token = Arc::new(());
        let held = Arc::clone(&token);
        driver.fail("launch_host_function", Status::OUT_OF_MEMORY);
        stream.launch_host_function(Arc::new(move || drop(Arc::clone(&held)))).unwrap_err();
        assert_eq!(Arc::strong_count(&token), 1);
        drop(stream.end_capture().unwrap());
    }
}
