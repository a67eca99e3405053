//! A stream: work in order, executed or, while it is captured, recorded.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use super::context::in_time;
use super::event::Event;
use super::name::Name;
use super::name::{label, naming};
use crate::captures::black_box::{self, About};
use crate::captures::guarded;
use crate::captures::membership::Marker;
use crate::captures::record::EndedRecord;
use crate::captures::recording::OTHERS_COULD_END;
use crate::state::{Context, GraphInner, Membership, Record, Stream, StreamInner};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::Mutex;
use graphcap_driver::graphs::is_same;
use graphcap_driver::{Driver, Object, Retained, StreamId, StreamOptions, Submissions};
use graphcap_observe::format::{Entry, Kind};
use graphcap_observe::trace;

impl Stream {
    /// Makes a stream.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`, or the status of a context that faulted.
    pub fn create(context: &Context, options: StreamOptions) -> Result<Stream> {
        let id = context.driver()?.stream_create(options)?;
        Ok(Stream::from_id(context, id))
    }

    /// A handle for a stream that exists.
    pub(crate) fn from_id(context: &Context, id: StreamId) -> Stream {
        let shared = id == StreamId::PER_THREAD && context.driver_even_if_stale().shares_streams();
        Stream::new(context, id, shared, false)
    }

    fn new(context: &Context, id: StreamId, shared: bool, wrapped: bool) -> Stream {
        static NUMBERS: AtomicU64 = AtomicU64::new(1);
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        Stream(Arc::new(StreamInner {
            context: context.clone(),
            id,
            number,
            membership: match id {
                StreamId::LEGACY => Arc::clone(context.legacy()),
                StreamId::PER_THREAD => Arc::clone(&context.per_thread().all),
                _ => Arc::new(Membership::new(None)),
            },
            shared: AtomicBool::new(shared),
            wrapped,
            name: Name::default(),
            workspace: Mutex::default(),
        }))
    }

    pub(crate) fn of(inner: Arc<StreamInner>) -> Stream {
        Stream(inner)
    }

    pub(crate) fn downgrade(&self) -> Weak<StreamInner> {
        Arc::downgrade(&self.0)
    }

    /// A number that no other stream of the process has or had.
    pub fn number(&self) -> u64 {
        self.0.number
    }

    /// The stream, of which a trace that goes on tells what messages call it.
    #[inline]
    pub(crate) fn named_in_trace(&self) -> &Stream {
        if trace::is_on() {
            self.write_name();
        }
        self
    }

    #[cold]
    fn write_name(&self) {
        let name = trace::text(&self.label());
        let (stream, number) = (self.id().in_trace(), self.number() as u32);
        trace::put(&Entry { name, stream, number, ..Entry::of(Kind::Stream) });
    }

    /// Returns what messages call the stream.
    pub(crate) fn label(&self) -> String {
        match self.id() {
            StreamId::LEGACY => "the legacy stream".to_owned(),
            StreamId::PER_THREAD => "the default stream of the thread".to_owned(),
            _ => label(&format!("stream {}", self.number()), self.0.name.get().as_deref()),
        }
    }

    /// Takes part in a stream of the foreign driver's: of its runtime, or of a library. Dropping the last handle
    /// leaves that stream alone. Its capture state is asked of the driver at every call.
    ///
    /// # Errors
    /// `INVALID_CONTEXT` for a stream of another context; `NOT_SUPPORTED` on a device without native handles.
    ///
    /// # Safety
    /// `native` must be a live stream of that driver until the last handle is dropped.
    #[allow(unsafe_code)]
    pub unsafe fn wrap(context: &Context, native: usize) -> Result<Stream> {
        Stream::adopt(context, native)
    }

    pub(crate) fn adopt(context: &Context, native: usize) -> Result<Stream> {
        match context.driver()?.stream_wrap(native)? {
            StreamId::LEGACY => Ok(context.legacy_stream()),
            StreamId::PER_THREAD => Ok(context.per_thread_stream()),
            id => Ok(Stream::new(context, id, true, true)),
        }
    }

    /// Returns whether dropping the last handle has an effect that others count on at once: a stream of someone else's is let
    /// go, a capture that was begun on it is discarded.
    pub fn ends_at_once(&self) -> bool {
        self.0.wrapped
            || self.0.id == StreamId::PER_THREAD
            || self.is_shared()
            || !black_box::begun_on(&self.0).is_empty()
    }

    /// The driver's own handle of the stream. From here on its capture state is asked of the driver at every call.
    ///
    /// # Errors
    /// `NOT_SUPPORTED` on a device without native handles; `ILLEGAL_STATE` while a capture that was begun on the stream goes into
    /// a graph within a node.
    pub fn native(&self) -> Result<usize> {
        self.present().map_or(Ok(()), |record| self.may_be_ended_by_others(&record))?;
        let native = self.driver()?.native(Object::Stream(self.id()))?;
        self.share()?;
        Ok(native)
    }

    /// Waits until everything submitted so far has completed.
    ///
    /// # Errors
    /// `CAPTURE_UNSUPPORTED` when the stream is being captured, or when another capture bars waiting; the
    /// captures concerned are invalidated. `CAPTURE_IMPLICIT` on the legacy stream while a blocking stream
    /// is captured. The status of a fault when work failed while it ran.
    pub fn synchronize(&self) -> Result<()> {
        guarded::question(self)?;
        self.driver()
            .and_then(|driver| driver.stream_synchronize(self.id()))
            .map_err(|error| black_box::failed_on(self, error))?;
        self.context().check_current()
    }

    /// Waits until everything submitted so far has completed, but no longer than `limit`. A capture that others begin
    /// on the stream meanwhile is left alone, and hides the stream's work until its end on a foreign driver.
    ///
    /// # Errors
    /// `TIMEOUT` when the work had not completed by then, and as [`Stream::synchronize`].
    pub fn synchronize_for(&self, limit: Duration) -> Result<()> {
        guarded::question(self)?;
        let waited = self.driver().and_then(|driver| driver.stream_synchronize_for(self.id(), limit));
        let is_complete = waited.map_err(|error| black_box::failed_on(self, error))?;
        self.context().check_current()?;
        in_time(limit, is_complete)
    }

    /// Waits as [`Stream::synchronize_for`], for a thread that has nothing else to do meanwhile. The host device may run the work on
    /// this thread, however long that takes; a CUDA device is asked without a pause.
    ///
    /// # Errors
    /// As [`Stream::synchronize_for`].
    pub fn synchronize_eagerly(&self, limit: Duration) -> Result<()> {
        guarded::question(self)?;
        let waited = self.driver().and_then(|driver| driver.stream_synchronize_eagerly(self.id(), limit));
        let is_complete = waited.map_err(|error| black_box::failed_on(self, error))?;
        self.context().check_current()?;
        in_time(limit, is_complete)
    }

    /// The submissions to the stream, for the one thread that tends it; `None` where the device does not count what completes.
    pub fn submissions(&self) -> Option<Arc<dyn Submissions>> {
        self.driver().ok()?.stream_submissions(self.id())
    }

    /// Returns whether everything submitted so far has completed. Does not wait.
    ///
    /// # Errors
    /// As [`Stream::synchronize`].
    pub fn is_complete(&self) -> Result<bool> {
        guarded::question(self)?;
        self.driver()
            .and_then(|driver| driver.stream_is_complete(self.id()))
            .map_err(|error| black_box::failed_on(self, error))
    }

    /// Orders later work of the stream after the event's latest record, in whatever context that was made. Waiting for an event
    /// that was recorded in a capture takes the stream into that capture.
    ///
    /// # Errors
    /// `INVALID_CONTEXT` for an event of a device of another kind; `INVALID_VALUE` for an event of a capture that is
    /// over; `CAPTURE_ISOLATION` when the stream is captured and the event was recorded outside;
    /// `CAPTURE_MERGE` when it was recorded in another capture. The latter two invalidate.
    pub fn wait_event(&self, event: &Event) -> Result<()> {
        self.context().check_family("the stream", event.context(), "the event")?;
        event.wait(|event_id, marker| {
            let named = |error| event.naming(naming(error, "stream", self.name()));
            guarded::wait(self, event.latest_record(marker)).map_err(named)?;
            let of = marker.map(Marker::log);
            let failed = |error| black_box::failed(None, Some(self), About::Wait(of.cloned()), event.naming(error));
            let wait =
                || self.driver().and_then(|driver| driver.stream_wait_event(self.id(), event_id)).map_err(failed);
            match marker.filter(|marker| !marker.is_over()) {
                None if !event.is_shared() => wait(),
                // Others may have recorded the event in a capture, which this stream then joins.
                marker => self.join(|| event.label(), event.is_shared(), event.is_recorded_by_nodes(), marker, wait),
            }
        })
    }

    /// From here on others use the stream too, and may end the capture that it is in: its graph is to hold the list.
    pub(crate) fn share(&self) -> Result<()> {
        if self.id() == StreamId::LEGACY || self.is_shared() {
            return Ok(());
        }
        let target = self.membership_or_new().transition(None, || {
            let record = self.present();
            if let Some(record) = &record {
                self.may_be_ended_by_others(record)?;
                record.let_others_end();
                record.attach(|list| self.retain(list))?;
            }
            self.0.shared.store(true, Ordering::Release);
            Ok(record.filter(|record| record.log.began_on(self)).and_then(|record| record.target()))
        })?;
        target.map_or(Ok(()), |graph| self.lend_all(&graph, &[]))
    }

    /// Makes the capture of the stream, which others can end, hold what `graph` keeps that it goes into, and what nodes will keep that are
    /// added to that by hand, but for lists that are `lent` already.
    pub(crate) fn lend_all(&self, graph: &GraphInner, lent: &[Retained]) -> Result<()> {
        graph.lend_holdings(|_| Ok(()))?;
        let is_late = |list: &Retained| !lent.iter().any(|known| is_same(known, list));
        graph.kept().into_iter().filter(is_late).try_for_each(|list| self.lend(list))
    }

    /// Makes the driver's graph hold a list, if the stream is being captured.
    pub(crate) fn lend(&self, list: Retained) -> Result<()> {
        match self.retain(list) {
            Err(error) if error.status == Status::ILLEGAL_STATE => Ok(()),
            retained => retained,
        }
    }

    /// Fails where nobody else may end the capture.
    fn may_be_ended_by_others(&self, record: &Record) -> Result<()> {
        match record.log.began_on(self) && record.target().is_some_and(|graph| graph.is_within()) {
            true => Err(Error::new(Status::ILLEGAL_STATE, format!("{OTHERS_COULD_END}; end the capture first"))),
            false => Ok(()),
        }
    }

    /// Returns whether others use the stream too, so that only the driver knows what it is doing.
    #[inline]
    pub(crate) fn is_shared(&self) -> bool {
        self.0.shared.load(Ordering::Acquire)
    }

    /// The context that it belongs to.
    #[inline]
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    #[inline]
    pub(crate) fn id(&self) -> StreamId {
        self.0.id
    }

    #[inline]
    pub(crate) fn driver(&self) -> Result<&dyn Driver> {
        self.0.context.driver()
    }
}

impl Drop for StreamInner {
    fn drop(&mut self) {
        let driver = self.context.driver_even_if_stale();
        if self.id == StreamId::LEGACY {
            return;
        }
        // A stream of someone else's goes on, and so do captures of other threads, where the driver lets only a thread itself
        // end its captures.
        let ends = |record: &Arc<Record>| match self.id {
            StreamId::PER_THREAD => !driver.shares_streams() || record.log.is_of_this_thread(),
            _ => !self.wrapped || record.log.has_target(),
        };
        let (ended, others): (Vec<_>, Vec<_>) = black_box::begun_on(self).into_iter().partition(ends);
        ended.iter().for_each(|record| record.ending());
        driver.stream_destroy(self.id);
        let left: Vec<_> = ended.iter().filter_map(|record| record.discard()).collect();
        others.iter().for_each(|record| record.log.close());
        let context = self.context.clone();
        black_box::let_go(move || {
            left.into_iter().for_each(EndedRecord::has_failed);
            drop((ended, others, context));
        });
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stream").field(&self.id().0).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faulty::Faulty;
    use crate::Buffer;
    use graphcap_base::error::Status;
    use graphcap_driver::{EventOptions, MemcpyKind};

    const MAX: usize = usize::MAX;

    /// A call, and what its message must hold.
    fn rejected(result: Result<()>, parts: &[&str]) {
        let error = result.unwrap_err();
        assert_eq!(error.status, Status::INVALID_VALUE, "{}", error.message);
        for part in parts {
            assert!(error.message.contains(part), "{part:?} is not in {:?}", error.message);
        }
    }

    #[test]
    fn ranges_are_checked_before_the_driver_is_asked() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let (small, large) = (Buffer::allocate(&context, 8).unwrap(), Buffer::allocate(&context, 64).unwrap());
        let calls = driver.calls();
        let (to, from) = (MemcpyKind::HostToDevice, MemcpyKind::DeviceToHost);
        rejected(stream.memcpy_host(to, &small, 0, 64, 9), &["destination", "9 bytes", "8 bytes"]);
        rejected(stream.memcpy_host(to, &small, 9, 64, 1), &["destination offset 9", "8 bytes"]);
        rejected(stream.memcpy_host(from, &small, 4, 64, MAX - 3), &["source offset 4", &MAX.to_string()[..10]]);
        rejected(stream.memcpy_host(from, &small, MAX, 64, 1), &["source", "8 bytes"]);
        rejected(stream.memcpy_host(to, &small, 0, 0, 8), &["source", "NULL"]);
        rejected(stream.memcpy_host(from, &small, 0, 0, 8), &["destination", "NULL"]);
        rejected(stream.memcpy_host(to, &small, 0, MAX - 3, 8), &["source", "end of the address space"]);
        rejected(stream.memcpy_dtod(&small, 0, &large, 0, 16), &["destination", "16 bytes", "8 bytes"]);
        rejected(stream.memcpy_dtod(&large, 0, &small, 4, 5), &["source", "5 bytes", "8 bytes"]);
        rejected(stream.memset(&small, 4, 0, 2, 3), &["buffer offset 4", "6 bytes", "8 bytes"]);
        rejected(stream.memset(&small, 0, 0, 4, MAX / 2), &["count", "8 bytes"]);
        rejected(stream.memset(&small, 2, 0, 4, 1), &["offset 2", "element_size 4"]);
        for element_size in [0, 3, 8, 255] {
            rejected(stream.memset(&small, 0, 0, element_size, 1), &["element_size", &element_size.to_string()]);
        }
        assert_eq!(driver.calls(), calls);
        stream.memset(&small, 4, 0, 2, 2).unwrap();
        stream.memcpy_host(to, &small, 7, [0_u8].as_ptr() as usize, 1).unwrap();
        stream.synchronize().unwrap();
        stream.memcpy_dtod(&large, 56, &small, 0, 8).unwrap();
        assert_eq!(driver.executed().len(), 3);
    }

    #[test]
    fn nothing_to_do_is_not_submitted() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let buffer = Buffer::allocate(&context, 8).unwrap();
        let calls = driver.calls();
        stream.memcpy_host(MemcpyKind::HostToDevice, &buffer, 8, 0, 0).unwrap();
        stream.memcpy_host(MemcpyKind::DeviceToHost, &buffer, 0, 0, 0).unwrap();
        stream.memcpy_dtod(&buffer, 0, &buffer, 0, 0).unwrap();
        stream.memset(&buffer, 8, 0, 4, 0).unwrap();
        assert_eq!(driver.calls(), calls);
        let address = buffer.address();
        drop(buffer);
        assert_eq!(driver.released(), [(address, vec![])]);
    }

    #[test]
    fn questions_go_to_the_driver_and_its_answers_come_back() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let event = Event::create(&context, EventOptions::default()).unwrap();
        assert!(stream.is_complete().unwrap() && event.is_complete().unwrap());
        event.record(&stream).unwrap();
        event.synchronize().unwrap();
        assert_eq!(event.elapsed_ms(&event), Ok(0.0));
        type Question<'a> = (&'static str, &'a dyn Fn() -> Result<()>);
        let questions: [Question; 8] = [
            ("synchronize", &|| context.synchronize()),
            ("stream_create", &|| Stream::create(&context, StreamOptions::default()).map(drop)),
            ("stream_synchronize", &|| stream.synchronize()),
            ("stream_is_complete", &|| stream.is_complete().map(drop)),
            ("capture_info", &|| stream.capture_info().map(drop)),
            ("event_create", &|| Event::create(&context, EventOptions::default()).map(drop)),
            ("event_is_complete", &|| event.is_complete().map(drop)),
            ("event_synchronize", &|| event.synchronize()),
        ];
        for (call, ask) in questions {
            driver.fail(call, Status::LAUNCH_FAILED);
            assert_eq!(ask().unwrap_err().status, Status::LAUNCH_FAILED, "{call}");
            assert_eq!(ask(), Ok(()), "{call}");
        }
    }
}
