//! A context: one device of one driver, and the streams that exist in every context.

use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use super::roster::Roster;
use crate::captures::{black_box, guarded};
use crate::operations::provenance::{Answers, Index, Moment};
use crate::state::{
    Context, ContextInner, ContextOptions, Generation, LiveRosters, Loan, Membership, PerThread, Stream, WeakContext,
};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, Mutex};
use graphcap_driver::{check_caller, Address, DeviceChoice, DeviceInfo, Driver, Object, StreamId};
use graphcap_observe::log::{log, Level, Subject};

impl Drop for ContextInner {
    fn drop(&mut self) {
        let loans = std::mem::take(self.loans.get_mut());
        loans.into_values().for_each(|loan| loan.end(&*self.driver));
        self.built_in = Default::default();
        if !self.generation.driver_goes_on() {
            self.driver.leave();
        }
    }
}

impl WeakContext {
    /// Returns whether it is of `context`.
    pub(crate) fn is(&self, context: &Context) -> bool {
        std::ptr::eq(self.0.as_ptr(), Arc::as_ptr(&context.0))
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.0.strong_count() == 0
    }

    /// The context, if it is not gone.
    pub(crate) fn upgrade(&self) -> Option<Context> {
        self.0.upgrade().map(Context)
    }
}

impl Context {
    /// Opens device number `ordinal` of the kind that `choice` settles on.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a malformed `GRAPHCAP_DEVICE` or `GRAPHCAP_HOST_DEVICES`, `INVALID_DEVICE` for an ordinal
    /// that is not below the number of devices, `OUT_OF_MEMORY`. For CUDA also why it cannot be used: `LIBRARY`,
    /// `NOT_SUPPORTED`, `STUB_LIBRARY`, `NO_DEVICE`, `NOT_INITIALIZED`, and the status of a fault that happened in this
    /// process before.
    pub fn create(choice: DeviceChoice, ordinal: u32) -> Result<Context> {
        Context::create_with(choice, ordinal, ContextOptions::default())
    }

    /// Creates a context as [`Context::create`]. In a guarded one a call on the context's objects that would harm an open
    /// capture is refused with the status that the driver would answer, and the capture goes on.
    ///
    /// # Errors
    /// As [`Context::create`].
    pub fn create_with(choice: DeviceChoice, ordinal: u32, options: ContextOptions) -> Result<Context> {
        let driver = graphcap_devices::open(graphcap_devices::resolve(choice)?, ordinal)?;
        log(Level::Info, Subject::Context, || {
            let DeviceInfo { kind, ordinal, name } = driver.device();
            format!("a context was opened on {kind:?} device {ordinal}, {name}")
        });
        Ok(Context::with(driver, options, Generation::first()))
    }

    #[cfg(any(test, feature = "faulty"))]
    pub(crate) fn from_driver(driver: Arc<dyn Driver>) -> Context {
        Context::with(driver, ContextOptions::default(), Generation::first())
    }

    #[cfg(any(test, feature = "faulty"))]
    pub(crate) fn from_driver_with(driver: Arc<dyn Driver>, options: ContextOptions) -> Context {
        Context::with(driver, options, Generation::first())
    }

    pub(super) fn with(driver: Arc<dyn Driver>, options: ContextOptions, generation: Generation) -> Context {
        Context(Arc::new(ContextInner {
            family: driver.family(),
            generation,
            driver,
            options,
            open: Arc::default(),
            legacy: Arc::new(Membership::new(None)),
            per_thread: PerThread::new(),
            per_thread_stream: Mutex::new(Weak::new()),
            loans: Mutex::default(),
            memory: Index::new(),
            live: LiveRosters::default(),
            answers: Answers::default(),
            built_in: Default::default(),
        }))
    }

    /// The device that the context is on.
    pub fn device(&self) -> &DeviceInfo {
        self.0.driver.device()
    }

    /// Waits until all work of the context has completed.
    ///
    /// # Errors
    /// `CAPTURE_UNSUPPORTED` while a stream of the context is captured; that capture is invalidated. The
    /// status of a fault when work failed while it ran.
    pub fn synchronize(&self) -> Result<()> {
        guarded::whole_context(self)?;
        self.driver()?.synchronize().map_err(|error| black_box::failed_in(self, error))?;
        self.check_current()
    }

    /// Waits until all work of the context has completed, but no longer than `limit`. What was destroyed is not given
    /// back then.
    ///
    /// # Errors
    /// `TIMEOUT` when some had not completed by then; `NOT_SUPPORTED` where a foreign driver is too old; and as
    /// [`Context::synchronize`].
    pub fn synchronize_for(&self, limit: Duration) -> Result<()> {
        guarded::whole_context(self)?;
        let waited = self.driver()?.synchronize_for(limit);
        let is_complete = waited.map_err(|error| black_box::failed_in(self, error))?;
        self.check_current()?;
        in_time(limit, is_complete)
    }

    /// The priorities that streams can have: the least urgent one and the most urgent one, which is a lower number.
    ///
    /// # Errors
    /// The status of a fault.
    pub fn stream_priority_range(&self) -> Result<(i32, i32)> {
        self.driver()?.stream_priority_range()
    }

    /// Gives back what was destroyed and could not be given back without waiting: unloads code, trims the memory that
    /// is held for later allocations. May wait for all work of the device.
    ///
    /// # Errors
    /// The status of a fault.
    pub fn collect(&self) -> Result<()> {
        self.driver()?.collect()
    }

    /// Makes the primary context of a CUDA device current on the calling thread, as `cudaSetDevice()` does. Calls that need it then ask
    /// whether it is, and need not make it so. It stays current until another one is made so; on a host device there is none.
    ///
    /// # Errors
    /// `NOT_PERMITTED` on a thread that runs work; the status of a fault.
    pub fn make_current(&self) -> Result<()> {
        check_caller()?;
        self.driver()?.make_current()
    }

    /// Gives memory back to the device that is held for later allocations. Waits for no work of the caller's.
    ///
    /// # Errors
    /// The status of a fault.
    pub fn trim(&self) -> Result<()> {
        self.driver()?.trim()
    }

    /// The driver's own handle of the context.
    ///
    /// # Errors
    /// `NOT_SUPPORTED` on a device without native handles.
    pub fn native(&self) -> Result<usize> {
        self.driver()?.native(Object::Context)
    }

    /// The legacy default stream, which orders against all blocking streams of the context.
    pub fn legacy_stream(&self) -> Stream {
        Stream::from_id(self, StreamId::LEGACY)
    }

    /// The default stream of whichever thread uses it.
    /// All handles that this gives mean the same stream object. A capture that is going on when the last of
    /// them is dropped is discarded.
    pub fn per_thread_stream(&self) -> Stream {
        let mut slot = lock(&self.0.per_thread_stream);
        if let Some(present) = slot.upgrade() {
            return Stream(present);
        }
        let stream = Stream::from_id(self, StreamId::PER_THREAD);
        *slot = Arc::downgrade(&stream.0);
        stream
    }

    /// The driver, for the calls of the context's objects.
    ///
    /// # Errors
    /// `STALE` after a reset.
    #[inline]
    pub(crate) fn driver(&self) -> Result<&dyn Driver> {
        self.check_current().map(|()| &*self.0.driver)
    }

    /// The driver, also after a reset: for releases, and for questions whose answers a reset leaves as they are.
    #[inline]
    pub(crate) fn driver_even_if_stale(&self) -> &dyn Driver {
        &*self.0.driver
    }

    /// The driver's context, for what may outlive this one.
    pub(crate) fn shared_driver(&self) -> Arc<dyn Driver> {
        Arc::clone(&self.0.driver)
    }

    /// Returns whether captures go on in the context, as far as is known.
    #[inline]
    pub(crate) fn any_open(&self) -> bool {
        self.0.open.load(Ordering::Acquire) != 0
    }

    /// Returns how many there are; also what the context is known by when it is gone.
    #[inline]
    pub(crate) fn open_count(&self) -> &Arc<AtomicUsize> {
        &self.0.open
    }

    #[inline]
    pub(crate) fn legacy(&self) -> &Arc<Membership> {
        &self.0.legacy
    }

    #[inline]
    pub(crate) fn per_thread(&self) -> &PerThread {
        &self.0.per_thread
    }

    /// As [`Driver::family`] answers.
    #[inline]
    pub(crate) fn family(&self) -> usize {
        self.0.family
    }

    /// Returns whether calls that would harm a capture are refused.
    #[inline]
    pub(crate) fn is_guarded(&self) -> bool {
        self.0.options.guarded
    }

    /// Returns whether all captures of its streams are strict.
    pub(crate) fn is_strict(&self) -> bool {
        self.0.options.strict
    }

    pub(crate) fn downgrade(&self) -> WeakContext {
        WeakContext(Arc::downgrade(&self.0))
    }

    /// This moment, for [`Context::read_arguments`] of what has been recorded by now.
    pub fn moment(&self) -> Moment {
        self.0.answers.moment()
    }

    /// The live memory by its addresses: buffers and host buffers of this context, and buffers lent to it.
    #[inline]
    pub(crate) fn memory(&self) -> &Index<dyn Any + Send + Sync> {
        &self.0.memory
    }

    /// The live graphs, without those within nodes.
    pub(crate) fn graphs(&self) -> &Roster {
        &self.0.live.graphs
    }

    /// The live execs.
    pub(crate) fn execs(&self) -> &Roster {
        &self.0.live.execs
    }

    /// The live pools.
    pub(crate) fn pools(&self) -> &Roster {
        &self.0.live.pools
    }

    /// Returns what the device answered about other addresses.
    pub(crate) fn answers(&self) -> &Answers {
        &self.0.answers
    }

    /// Makes known that work of this context uses a buffer of another one, which is the `bytes` bytes at `address`;
    /// `on_release` runs when that is over.
    pub(crate) fn borrow(
        &self,
        address: Address,
        bytes: usize,
        buffer: Weak<dyn Any + Send + Sync>,
        on_release: Box<dyn FnOnce() + Send>,
    ) -> Result<Arc<Loan>> {
        let memory = self.driver()?.borrow(on_release)?;
        self.0.memory.insert(address, bytes, memory, buffer);
        let loan = Arc::new(Loan::new(memory, address, self.downgrade()));
        lock(&self.0.loans).insert(memory, Arc::clone(&loan));
        Ok(loan)
    }

    /// The buffer that was lent has gone.
    pub(crate) fn end_loan(&self, loan: &Loan) {
        self.0.memory.remove(loan.address, loan.memory);
        lock(&self.0.loans).remove(&loan.memory);
        loan.end(&*self.0.driver);
    }

    /// Returns whether both are the same generation of the same context.
    pub fn is(&self, other: &Context) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns whether both are on one device.
    #[inline]
    pub(crate) fn is_beside(&self, other: &Context) -> bool {
        self.is(other) || self.family() == other.family() && self.device().ordinal == other.device().ordinal
    }

    /// Fails unless `other`, the context of `what`, works together with this one, the context of `with`.
    #[inline]
    pub(crate) fn check_family(&self, with: &str, other: &Context, what: &str) -> Result<()> {
        if self.is(other) {
            return Ok(());
        }
        self.check_other(other)?;
        match self.family() == other.family() {
            true => Ok(()),
            false => Err(of_other_kind(with, what)),
        }
    }

    /// Fails unless `other`, the context of `what`, is this one, the context of `with`.
    #[inline]
    pub fn check_same(&self, with: &str, other: &Context, what: &str) -> Result<()> {
        if self.is(other) {
            return Ok(());
        }
        self.check_other(other)?;
        Err(mixed(with, what))
    }
}

/// Returns what a wait of at most `limit` answers that found the work complete or not.
pub(crate) fn in_time(limit: Duration, complete: bool) -> Result<()> {
    match complete {
        true => Ok(()),
        false => Err(Error::new(
            Status::TIMEOUT,
            format!("the work was not complete after {limit:?}, and goes on; wait again, or find out what holds it up"),
        )),
    }
}

#[cold]
fn of_other_kind(with: &str, what: &str) -> Error {
    Error::new(
        Status::INVALID_CONTEXT,
        format!(
            "{what} belongs to a context on another kind of device than {with}; use contexts on devices of one kind"
        ),
    )
}

#[cold]
fn mixed(with: &str, what: &str) -> Error {
    Error::new(
        Status::INVALID_CONTEXT,
        format!("{what} belongs to another context than {with}; use objects that were made from one context"),
    )
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Context").field(self.device()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faulty::Faulty;
    use crate::{Buffer, Event, Graph, Module};
    use graphcap_driver::rules::CaptureMode;
    use graphcap_driver::{EventOptions, LaunchShape, ModuleSource, StreamOptions};

    #[test]
    fn any_order_of_destruction_releases_everything_once() {
        let mut order: Vec<usize> = (0..7).collect();
        let mut orders = 0;
        permute(&mut order, 0, &mut |order| {
            orders += 1;
            let (driver, context) = Faulty::context();
            let stream = Stream::create(&context, StreamOptions::default()).unwrap();
            let buffer = Buffer::allocate(&context, 64).unwrap();
            let event = Event::create(&context, EventOptions::default()).unwrap();
            let module = Faulty::load(&context, ModuleSource::default());
            let kernel = module.kernel("k").unwrap();
            stream.begin_capture(CaptureMode::Global).unwrap();
            stream.memset(&buffer, 0, 0, 1, 64).unwrap();
            Faulty::launch(&stream, &kernel, &buffer);
            let graph = stream.end_capture().unwrap();
            event.record(&stream).unwrap();
            let (address, module_id) = (buffer.address(), module.0.id());
            // Each slot holds objects that a caller would drop together.
            type Slot = Option<Box<dyn std::any::Any>>;
            let mut slots: [Slot; 7] = [
                Some(Box::new(context)),
                Some(Box::new(stream)),
                Some(Box::new(buffer)),
                Some(Box::new(event)),
                Some(Box::new(module)),
                Some(Box::new(kernel)),
                Some(Box::new(graph)),
            ];
            for &slot in order {
                slots[slot] = None;
                if slots[6].is_some() {
                    assert!(driver.is_allocated(address) && driver.is_loaded(module_id));
                }
            }
            assert_eq!(driver.live(), 0, "{order:?}");
            assert_eq!(driver.violations(), Vec::<String>::new());
            assert_eq!(Arc::strong_count(&driver), 1, "the context is gone");
        });
        assert_eq!(orders, 5040);
    }

    fn permute(order: &mut [usize], from: usize, visit: &mut dyn FnMut(&[usize])) {
        if from == order.len() {
            return visit(order);
        }
        for i in from..order.len() {
            order.swap(from, i);
            permute(order, from + 1, visit);
            order.swap(from, i);
        }
    }

    #[test]
    fn handles_of_the_special_streams_share_their_capture() {
        let (driver, context) = Faulty::context();
        let buffer = Buffer::allocate(&context, 8).unwrap();
        let graph: Graph = {
            let (one, two) = (context.per_thread_stream(), context.per_thread_stream());
            one.begin_capture(CaptureMode::ThreadLocal).unwrap();
            drop(one);
            two.memset(&buffer, 0, 0, 1, 8).unwrap();
            context.per_thread_stream().end_capture().unwrap()
        };
        let address = buffer.address();
        drop(buffer);
        assert!(driver.is_allocated(address));
        drop(graph);
        assert_eq!(driver.released(), [(address, vec![])]);
        assert_eq!(driver.captures(), 0);
    }

    #[test]
    fn the_per_thread_stream_is_captured_per_thread() {
        let (driver, context) = Faulty::context();
        let stream = context.per_thread_stream();
        let recorded = Buffer::allocate(&context, 8).unwrap();
        let executed = Buffer::allocate(&context, 8).unwrap();
        stream.begin_capture(CaptureMode::Relaxed).unwrap();
        stream.memset(&recorded, 0, 0, 1, 8).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| stream.memset(&executed, 0, 0, 1, 8).unwrap());
        });
        let _graph = stream.end_capture().unwrap();
        let (recorded_at, executed_at) = (recorded.address(), executed.address());
        drop((recorded, executed));
        assert!(driver.is_allocated(recorded_at));
        assert_eq!(driver.released(), [(executed_at, vec![StreamId::PER_THREAD])]);
    }

    #[test]
    fn dropping_the_last_per_thread_handle_discards_its_captures() {
        let (driver, context) = Faulty::context();
        let address = {
            let stream = context.per_thread_stream();
            let buffer = Buffer::allocate(&context, 8).unwrap();
            stream.begin_capture(CaptureMode::Global).unwrap();
            stream.memset(&buffer, 0, 0, 1, 8).unwrap();
            buffer.address()
        };
        assert_eq!(driver.released(), [(address, vec![])]);
        assert_eq!((driver.captures(), driver.graphs()), (0, 0));
        drop(context);
        assert_eq!(Arc::strong_count(&driver), 1, "no cycle keeps the context");
    }

    #[test]
    fn an_orphaned_per_thread_capture_gives_no_graph() {
        let (driver, context) = Faulty::context();
        let stream = context.per_thread_stream();
        let (begun, orphaned) = (std::sync::Barrier::new(2), std::sync::Barrier::new(2));
        std::thread::scope(|scope| {
            let inner = context.clone();
            let (begun, orphaned) = (&begun, &orphaned);
            scope.spawn(move || {
                let stream = inner.per_thread_stream();
                let buffer = Buffer::allocate(&inner, 8).unwrap();
                stream.begin_capture(CaptureMode::ThreadLocal).unwrap();
                stream.memset(&buffer, 0, 0, 1, 8).unwrap();
                drop((stream, buffer));
                begun.wait();
                orphaned.wait();
                let error = inner.per_thread_stream().end_capture().unwrap_err();
                assert_eq!(error.status, Status::ILLEGAL_STATE);
                inner.per_thread_stream().begin_capture(CaptureMode::ThreadLocal).unwrap();
                inner.per_thread_stream().capture_info().unwrap();
            });
            begun.wait();
            assert_eq!(driver.released().len(), 0, "another handle keeps the capture");
            drop(stream);
            assert_eq!(driver.released().len(), 1);
            orphaned.wait();
        });
        assert_eq!(driver.graphs(), 0);
    }

    #[test]
    fn objects_of_two_contexts_do_not_mix() {
        let (_driver, one) = Faulty::context();
        let (other_driver, two) = Faulty::context();
        let stream = Stream::create(&one, StreamOptions::default()).unwrap();
        let (mine, foreign) = (Buffer::allocate(&one, 8).unwrap(), Buffer::allocate(&two, 8).unwrap());
        let event = Event::create(&two, EventOptions::default()).unwrap();
        let own_event = Event::create(&one, EventOptions::default()).unwrap();
        let module: Module = Faulty::load(&two, ModuleSource::default());
        let kernel = module.kernel("k").unwrap();
        let foreign_stream = Stream::create(&two, StreamOptions::default()).unwrap();
        foreign_stream.begin_capture(CaptureMode::Global).unwrap();
        let exec = foreign_stream.end_capture().unwrap().instantiate().unwrap();
        let calls = other_driver.calls();
        let shape = LaunchShape::ONE_THREAD;
        for (result, named) in [
            (stream.memset(&foreign, 0, 0, 1, 8), "the buffer"),
            (stream.memcpy_dtod(&mine, 0, &foreign, 0, 8), "the source buffer"),
            (stream.memcpy_dtod(&foreign, 0, &mine, 0, 8), "the destination buffer"),
            (stream.memcpy_dtod(&foreign, 0, &mine, 0, 0), "the destination buffer"),
            (stream.wait_event(&event), "the event"),
            (event.record(&stream), "the event"),
            (own_event.elapsed_ms(&event).map(drop), "the end event"),
            (stream.submit_kernel(&kernel, shape, &[], &[]), "the kernel"),
            (exec.launch(&stream), "the graph exec"),
            (exec.upload(&stream), "the graph exec"),
        ] {
            let error = result.unwrap_err();
            assert_eq!(error.status, Status::INVALID_CONTEXT, "{named}");
            assert!(error.message.starts_with(named), "{}", error.message);
        }
        assert_eq!(other_driver.calls(), calls, "the driver is not asked");
        assert_eq!(exec.num_replays(), 0);
    }
}
