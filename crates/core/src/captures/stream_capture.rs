//! A capture as an object: it owns one capture of a stream, records into it, and ends or aborts it exactly once.
//!
//! The stream stays usable beside it, so others may end or break the capture behind its back. It knows its capture by
//! the driver's number, and by its log where a later capture into the same graph has the same number; and never records
//! into, or ends, another one.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;

use super::black_box::{self};
use super::guarded;
use crate::graphs::graph::Graph;
use crate::objects::buffer::Buffer;
use crate::objects::kernel::{Kernel, KernelArgument};
use crate::objects::module::Module;
use crate::operations::copy::Copy;
use crate::operations::launch_events::{KernelLaunch, LaunchEvent};
use crate::pools::pool::Pool;
use crate::state::{CaptureLog, Context, Stream};
use graphcap_base::defer;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::names::shown;
use graphcap_base::thread::{this_thread, ThreadNumber};
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{CaptureInfo, CaptureStatus, LaunchAttribute, LaunchShape, NodeId, StreamId};

/// The capture of a stream, owned: what is recorded through it is counted, and it ends once, by [`StreamCapture::end`],
/// by [`StreamCapture::abort`], or by dropping the last clone, which discards it.
///
/// It keeps its stream and its modules until then. Recording, ending and aborting take turns: a thread that comes while
/// another one is at it is refused with `BUSY`.
#[derive(Clone)]
pub struct StreamCapture(Arc<StreamCaptureInner>);

struct StreamCaptureInner {
    context: Context,
    which: Which,
    recorded: AtomicU64,
    /// Tells whether a thread records, ends or aborts.
    taken: AtomicBool,
    /// `None` when the capture is over.
    open: Mutex<Option<Arc<OpenCapture>>, rank::CaptureOpen>,
}

/// Options of a capture, as it is begun.
#[derive(Clone, Default)]
pub struct CaptureOptions<'a> {
    /// Modules in which kernels that are recorded by name are looked for, in that order. The capture keeps them.
    pub modules: Vec<Module>,
    /// The graph, and each exec made of it, keeps it.
    pub pool: Option<&'a Pool>,
    /// The graph that the capture goes into; a new one for `None`.
    pub into: Option<CaptureTarget<'a>>,
    /// Makes the capture strict: it refuses copies of plain host memory, tells of work that goes past it, and cannot be
    /// ended after [`recording_failed`](crate::recording_failed) unless more was recorded since.
    pub strict: bool,
    /// Notes the memory that nodes name by addresses, so that execs of the graph can be checked: [`GraphExec::check_memory`]. Takes
    /// time at the end, for each node.
    ///
    /// [`GraphExec::check_memory`]: crate::GraphExec::check_memory
    pub notes_memory: bool,
}

/// A graph that a capture goes into.
#[derive(Clone, Copy)]
pub struct CaptureTarget<'a> {
    /// Of the context of the stream.
    pub graph: &'a Graph,
    /// The nodes that the first recorded work depends on; each counts once.
    pub dependencies: &'a [NodeId],
}

/// The capture that an object owns.
#[derive(Clone)]
struct Which {
    /// The driver's number; 0 when the capture was broken before it could be asked for.
    number: u64,
    log: Arc<CaptureLog>,
}

impl Which {
    /// Returns whether a stream of which the driver tells `info` is in the capture. The number of a broken one need not be told.
    fn is_in(&self, info: CaptureInfo) -> bool {
        let has_its_number = match info.status {
            CaptureStatus::None => false,
            CaptureStatus::Active => info.id == self.number,
            CaptureStatus::Invalidated => info.id == self.number || info.id == 0 || self.number == 0,
        };
        has_its_number && self.log.is_open()
    }
}

/// Parts that a capture which goes on needs.
struct OpenCapture {
    stream: Stream,
    /// Thread that the capture is of, on the per-thread stream, which is another one for other threads.
    thread: Option<ThreadNumber>,
    modules: Vec<Module>,
    /// Those that were found by name.
    kernels: Mutex<HashMap<String, Kernel>, rank::CaptureKernels>,
}

impl StreamCapture {
    /// Begins a capture of `stream`. Kernels that are recorded by name are looked for in `modules`, in that order.
    ///
    /// # Errors
    /// As [`Stream::begin_capture`]; `INVALID_CONTEXT` for a module of another context.
    pub fn begin(stream: &Stream, mode: CaptureMode, modules: Vec<Module>) -> Result<StreamCapture> {
        StreamCapture::begin_with(stream, mode, CaptureOptions { modules, ..CaptureOptions::default() })
    }

    /// Begins a capture as [`StreamCapture::begin`], with options.
    ///
    /// # Errors
    /// As [`Stream::begin_capture_with`].
    pub fn begin_with(stream: &Stream, mode: CaptureMode, mut options: CaptureOptions<'_>) -> Result<StreamCapture> {
        let modules = std::mem::take(&mut options.modules);
        for (index, module) in modules.iter().enumerate() {
            if let Err(error) = stream.context().check_same("the stream", &module.0.context, "the module") {
                return Err(Error::new(error.status, format!("module {index}: {}", error.message)));
            }
        }
        let (number, log) = stream.begin_capture_of(mode, options)?;
        let thread = (stream.id() == StreamId::PER_THREAD).then(this_thread);
        let open = OpenCapture { stream: stream.clone(), thread, modules, kernels: Mutex::default() };
        Ok(StreamCapture(Arc::new(StreamCaptureInner {
            context: stream.context().clone(),
            which: Which { number, log },
            recorded: AtomicU64::new(0),
            taken: AtomicBool::new(false),
            open: Mutex::new(Some(Arc::new(open))),
        })))
    }

    /// Records a launch of the kernel `name`, of the first module that has one of that name. Unlike
    /// [`Stream::launch_kernel`], a shape that cannot be launched is refused before it breaks the capture.
    ///
    /// # Errors
    /// `NOT_FOUND` when no module has such a kernel; `INVALID_VALUE` and `LAUNCH_OUT_OF_RESOURCES` for a shape that the
    /// device or the kernel cannot have; `ILLEGAL_STATE` when the capture is over; `BUSY`; `NOT_PERMITTED` for a
    /// capture of another thread's per-thread stream; and what [`Stream::launch_kernel`] answers.
    ///
    /// # Safety
    /// As [`Stream::launch_kernel`].
    #[allow(unsafe_code)]
    pub unsafe fn record_kernel(
        &self,
        name: &str,
        shape: LaunchShape,
        arguments: &[KernelArgument<'_>],
        attributes: &[LaunchAttribute],
        events: &[LaunchEvent<'_>],
    ) -> Result<()> {
        self.submit_kernel(|open| open.kernel(name), KernelLaunch { shape, arguments, attributes, events })
    }

    /// As [`StreamCapture::record_kernel`], for a kernel that was found already.
    ///
    /// # Errors
    /// As there, without `NOT_FOUND`.
    ///
    /// # Safety
    /// As [`Stream::launch_kernel`].
    #[allow(unsafe_code)]
    pub unsafe fn record_kernel_handle(
        &self,
        kernel: &Kernel,
        shape: LaunchShape,
        arguments: &[KernelArgument<'_>],
        attributes: &[LaunchAttribute],
        events: &[LaunchEvent<'_>],
    ) -> Result<()> {
        self.submit_kernel(|_| Ok(kernel.clone()), KernelLaunch { shape, arguments, attributes, events })
    }

    fn submit_kernel(&self, find: impl FnOnce(&OpenCapture) -> Result<Kernel>, launch: KernelLaunch<'_>) -> Result<()> {
        self.record(true, |open| {
            let kernel = find(open)?;
            open.stream.check_shape(&kernel, launch.shape)?;
            open.stream.submit_launch(&kernel, launch)
        })
    }

    /// Records a copy.
    ///
    /// # Errors
    /// As [`Stream::memcpy`] and, about the capture, as [`StreamCapture::record_kernel`].
    pub fn record_memcpy(&self, copy: &Copy<'_>) -> Result<()> {
        self.record(copy.width > 0, |open| open.stream.memcpy(copy))
    }

    /// Returns whether [`StreamCapture::record_memcpy`] finds nothing wrong with a copy, before its source is read.
    ///
    /// # Errors
    /// As [`Stream::check_memcpy`]; `ILLEGAL_STATE` when the capture is over.
    pub fn check_memcpy(&self, copy: &Copy<'_>) -> Result<()> {
        self.present().ok_or_else(over)?.stream.check_memcpy(copy)
    }

    /// Records setting `count` elements of `element_size` bytes from byte `offset` of `buffer` to `value`.
    ///
    /// # Errors
    /// As [`Stream::memset`] and, about the capture, as [`StreamCapture::record_kernel`].
    pub fn record_memset(
        &self,
        buffer: &Buffer,
        offset: usize,
        value: u32,
        element_size: u8,
        count: usize,
    ) -> Result<()> {
        self.record(count > 0, |open| open.stream.memset(buffer, offset, value, element_size, count))
    }

    /// Makes `submit` record other work on the stream, which counts as one operation where it is something.
    ///
    /// # Errors
    /// Those of `submit` and, about the capture, as [`StreamCapture::record_kernel`].
    pub fn record_by(&self, is_something: bool, submit: impl FnOnce(&Stream) -> Result<()>) -> Result<()> {
        self.record(is_something, |open| submit(&open.stream))
    }

    /// The stream that is captured, while this capture goes on.
    pub fn stream(&self) -> Option<Stream> {
        let open = self.present()?;
        let is_present = open.stream.capture_info().is_ok_and(|info| self.0.which.is_in(info));
        is_present.then(|| open.stream.clone())
    }

    /// The context that it belongs to.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Returns how many operations were recorded through this object, also when the capture is over. What others submit to the
    /// stream is in the graph and not in this number.
    pub fn recorded_count(&self) -> u64 {
        self.0.recorded.load(Ordering::Acquire)
    }

    /// Returns whether the capture goes on and is whole: not ended by anyone, not broken.
    ///
    /// # Errors
    /// `NOT_PERMITTED` for a capture of another thread's per-thread stream; the status of a fault.
    pub fn is_active(&self) -> Result<bool> {
        let Some(open) = self.present() else { return Ok(false) };
        open.check_thread()?;
        let info = open.stream.capture_info()?;
        Ok(self.0.which.is_in(info) && info.status == CaptureStatus::Active)
    }

    /// Returns whether dropping the last clone has an effect that others count on at once: the capture is discarded.
    pub fn ends_at_once(&self) -> bool {
        self.present().is_some()
    }

    /// Stops recording and gives what was recorded.
    ///
    /// # Errors
    /// `CAPTURE_UNMATCHED` when the capture was ended already, be it through its stream. The capture goes on after
    /// `BUSY` and `NOT_PERMITTED`; it is over after all others, which are those of [`Stream::end_capture`]. In a guarded
    /// context it goes on after `CAPTURE_UNJOINED` and `CAPTURE_WRONG_THREAD` too.
    pub fn end(&self) -> Result<Graph> {
        self.end_or_else(|open| {
            let is_present = open.stream.capture_info().is_ok_and(|info| self.0.which.is_in(info));
            if is_present {
                guarded::end(&open.stream)
            } else {
                Ok(())
            }
        })
    }

    /// Ends the capture, whatever becomes of it, unless `refuse` does.
    fn end_or_else(&self, refuse: impl FnOnce(&OpenCapture) -> Result<()>) -> Result<Graph> {
        let _turn = self.take_turn()?;
        let Some(open) = self.present() else { return Err(ended_before()) };
        open.check_thread()?;
        refuse(&open)?;
        let ended = end(&open.stream, &self.0.which);
        if !matches!(&ended, Err(error) if error.status == Status::NOT_PERMITTED) {
            self.0.close();
        }
        ended
    }

    /// Stops recording and discards what was recorded, also when the capture was broken.
    ///
    /// # Errors
    /// `CAPTURE_UNMATCHED` when the capture was ended already; `BUSY`; `NOT_PERMITTED`; the status of a fault.
    pub fn abort(&self) -> Result<()> {
        match self.end_or_else(|_| Ok(())) {
            Ok(_discarded) => Ok(()),
            // It gives no graph and is over.
            Err(Error {
                status: Status::CAPTURE_INVALIDATED | Status::CAPTURE_UNJOINED | Status::CAPTURE_WRONG_THREAD,
                ..
            }) => {
                black_box::concerns(None);
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Makes `submit`, which records something, if the capture goes on, and counts it unless it is nothing.
    fn record(&self, is_something: bool, submit: impl FnOnce(&OpenCapture) -> Result<()>) -> Result<()> {
        let _turn = self.take_turn()?;
        let open = self.present().ok_or_else(over)?;
        open.check_thread()?;
        // On a stream that has left the capture it would run instead of being recorded.
        if !self.0.which.is_in(open.stream.capture_info()?) {
            self.0.close();
            return Err(over());
        }
        submit(&open)?;
        if is_something {
            self.0.recorded.fetch_add(1, Ordering::AcqRel);
        }
        Ok(())
    }

    /// Takes the turn of this thread, which ends when what this gives is dropped.
    fn take_turn(&self) -> Result<impl Drop + '_> {
        match self.0.taken.swap(true, Ordering::Acquire) {
            false => Ok(defer(|| self.0.taken.store(false, Ordering::Release))),
            true => Err(Error::new(
                Status::BUSY,
                "another thread is using this capture; let threads take turns, or record through the stream, which any \
                 thread may use",
            )),
        }
    }

    fn present(&self) -> Option<Arc<OpenCapture>> {
        lock(&self.0.open).clone()
    }
}

impl OpenCapture {
    fn kernel(&self, name: &str) -> Result<Kernel> {
        if let Some(kernel) = lock(&self.kernels).get(name) {
            return Ok(kernel.clone());
        }
        let mut refusal = None;
        for module in &self.modules {
            match module.kernel(name) {
                Ok(kernel) => {
                    lock(&self.kernels).insert(name.to_owned(), kernel.clone());
                    return Ok(kernel);
                }
                Err(error) if error.status == Status::NOT_FOUND => refusal = Some(error),
                Err(error) => return Err(error),
            }
        }
        let name = shown(name);
        Err(match (refusal, self.modules.len()) {
            (Some(of_the_only_one), 1) => of_the_only_one,
            (_, count) => Error::new(
                Status::NOT_FOUND,
                match count {
                    0 => format!(
                        "kernel '{name}' was asked for by name and the capture has no modules to find it in; name some in \
                         its options, or record a kernel that was found already"
                    ),
                    _ => format!("none of the {count} modules of the capture has a kernel '{name}'"),
                },
            ),
        })
    }

    fn check_thread(&self) -> Result<()> {
        match self.thread {
            Some(thread) if thread != this_thread() => Err(Error::new(
                Status::NOT_PERMITTED,
                "the capture is of the per-thread stream of another thread, where only that thread can use it; do so \
                 there, or capture a stream that was made",
            )),
            _ => Ok(()),
        }
    }
}

impl StreamCaptureInner {
    fn close(&self) {
        let open = lock(&self.open).take();
        drop(open);
    }
}

impl Drop for StreamCaptureInner {
    fn drop(&mut self) {
        let Some(open) = lock(&self.open).take() else { return };
        // The other thread's capture stays on its stream, where that thread can end it.
        if open.check_thread().is_err() {
            return;
        }
        if graphcap_driver::is_within_work() {
            // This thread may end nothing, and must not wait for a call that could be waiting for it.
            let (stream, which) = (open.stream.clone(), self.which.clone());
            // Without a thread the capture stays on its stream.
            let _ = graphcap_driver::start_thread("graphcap-capture", move || drop(end(&stream, &which)));
        } else {
            drop(end(&open.stream, &self.which));
        }
        // No failure of the call that dropped it.
        black_box::concerns(None);
    }
}

/// Ends that capture, if the stream is in it.
fn end(stream: &Stream, which: &Which) -> Result<Graph> {
    stream.end_capture_if(|info| if which.is_in(info) { Ok(()) } else { Err(ended_before()) })
}

impl Stream {
    /// Captures what `record` submits to the stream, and to streams that it forks to and joins. The capture is ended in
    /// any case, also when `record` panics.
    ///
    /// # Errors
    /// What `record` answers, first of all; else as [`Stream::begin_capture`] and [`StreamCapture::end`]:
    /// `CAPTURE_UNMATCHED` when `record` ended the capture itself.
    pub fn capture<E: From<Error>>(
        &self,
        mode: CaptureMode,
        record: impl FnOnce(&Stream) -> std::result::Result<(), E>,
    ) -> std::result::Result<Graph, E> {
        self.capture_with(mode, CaptureOptions::default(), record)
    }

    /// Captures what `record` submits as [`Stream::capture`], with options.
    ///
    /// # Errors
    /// As [`Stream::capture`]; `SEALED`; `INVALID_CONTEXT` for a pool or a module of another context.
    pub fn capture_with<E: From<Error>>(
        &self,
        mode: CaptureMode,
        options: CaptureOptions<'_>,
        record: impl FnOnce(&Stream) -> std::result::Result<(), E>,
    ) -> std::result::Result<Graph, E> {
        // Dropped on all ways out but the last, which discards.
        let capture = StreamCapture::begin_with(self, mode, options)?;
        if let Err(error) = record(self) {
            drop(capture);
            black_box::concerns(Some(self));
            return Err(error);
        }
        Ok(capture.end_or_else(|_| Ok(()))?)
    }
}

#[cold]
fn over() -> Error {
    Error::new(Status::ILLEGAL_STATE, "the capture is over, so that nothing can be recorded into it; begin another one")
}

#[cold]
fn ended_before() -> Error {
    Error::new(
        Status::CAPTURE_UNMATCHED,
        "the capture was ended before, which happens once: here, on its stream, or by the end of that stream; begin \
         another one",
    )
}

impl fmt::Debug for StreamCapture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StreamCapture").field(&self.0.which.number).finish()
    }
}

#[cfg(test)]
#[path = "stream_capture_tests.rs"]
mod tests;
