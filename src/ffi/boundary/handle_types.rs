//! The handle types of graphcap.h, and the table of what each stands for.

use std::ffi::c_void;
use std::sync::Arc;

use once_cell::sync::OnceCell;

use super::completed::Completed;
use super::event_fd::EventFd;
use super::failure::Result;
use super::handle::{handle, ObjectEnd, Token};
use graphcap_core::{
    Buffer, Context, Event, FftPlan, Graph, GraphCache, GraphExec, HostBuffer, Kernel, LentBlas, LentRand, Module,
    Pool, Rng, Scalar, Stream, StreamCapture,
};
use graphcap_kit::{Actor, Future, Plan, RecordContext, Script};

/// An open device, with its default streams.
///
/// Every other object belongs to a context and keeps the context alive. The handle of a context can be destroyed before
/// the objects.
pub struct gc_context(());

/// A queue of work on a device. Its work runs in the order of the calls and asynchronously to the caller.
///
/// While a stream is captured its work is not run but recorded into a graph.
pub struct gc_stream(());

/// A point in a stream that other streams and the CPU can wait for.
pub struct gc_event(());

/// Device memory. A graph that uses a buffer keeps it alive, and so do the graph execs made from it.
pub struct gc_buffer(());

/// Pinned host memory. The CPU uses it as any other memory. The device reaches it directly, so that copies from and to
/// it are fast and never block their caller. A graph that uses a host buffer keeps it alive, and so do the graph execs
/// made from it.
pub struct gc_host_buffer(());

/// A typed value in device memory, which streams update between replays. A graph that uses a scalar keeps it alive, and so
/// do the graph execs made from it.
pub struct gc_scalar(());

/// A generator of random numbers, whose state is in device memory. A graph that draws from it keeps that memory alive, and so do
/// the graph execs made from it.
pub struct gc_rng(());

/// A plan of Fourier transforms. A graph that uses a plan keeps it alive, and so do the graph execs made from it.
pub struct gc_fft_plan(());

/// Loaded code. A graph that uses a kernel keeps its module alive, and so do the graph execs made from it.
pub struct gc_module(());

/// A kernel of a module. It keeps the module alive.
pub struct gc_kernel(());

/// A graph: nodes of work and the edges that order them. It keeps alive all that its nodes use.
///
/// Calls on one graph wait for each other.
pub struct gc_graph(());

/// An executable graph. It keeps alive all that its nodes use.
///
/// Calls on one graph exec wait for each other. Its launches run one after another, in the order of the calls, even on
/// different streams. gc_graph_launch() does not wait for the previous launch to run.
pub struct gc_graph_exec(());

/// Objects and memory that graphs share. A capture that was begun with a pool keeps it, and so do its graph, the graph
/// execs made of that and their launches. So the pool's objects, which go together with it, outlive the last replay.
///
/// A second handle of a pool has another value. Each of them is destroyed by itself.
pub struct gc_pool(());

/// A cache of graph execs: it maps keys of the caller's to work, has a function record what it does not have, and launches.
///
/// Any thread may launch through it; launches of different keys go on beside each other. The graph execs stay within the
/// cache, since one that keys share does the work of another key a moment later. It keeps alive all that its graph execs
/// use.
pub struct gc_graph_cache(());

/// Result of gc_graph_optimize(), to be made of later graphs that are recorded alike. It keeps alive nothing of the
/// graph.
pub struct gc_plan(());

/// Records the work of a key: given a handle of the stream to submit to, the key, and the user data of the launch.
pub(crate) type Recorder = Arc<dyn Fn(*const gc_stream, &[u8], *mut c_void) -> Result<()> + Send + Sync>;

/// A graph cache, and what records for it.
#[derive(Clone)]
pub(crate) struct RecordingCache {
    pub(crate) graphs: GraphCache,
    pub(crate) record: Recorder,
}

/// A list of ops, which is recorded as a graph or submitted to a stream. It keeps alive all that its ops use.
///
/// Any thread may use it, also while another thread records it.
pub struct gc_script(());

/// The place where an op of the caller's records itself, while its function runs. Its handle is dead when the function returns.
pub struct gc_record_context(());

/// One thread that owns a stream, and records, launches and updates graph execs by message.
///
/// Any thread may use it. What it answers comes by futures.
pub struct gc_actor(());

/// The answer of an actor to one message, which comes later.
///
/// Any thread may use it, also several at the same time. Asking again gives the same answer.
pub struct gc_future(());

/// An actor, and what an event loop learns of its answers.
#[derive(Clone)]
pub(crate) struct WatchedActor {
    pub(crate) actor: Actor,
    pub(crate) completed: Arc<Completed>,
}

/// A future, and its own descriptor once that was asked for.
#[derive(Clone)]
pub(crate) struct WatchedFuture {
    pub(crate) future: Future,
    pub(crate) descriptor: Arc<OnceCell<Arc<EventFd>>>,
}

impl WatchedActor {
    pub(crate) fn context(&self) -> &Context {
        self.actor.context()
    }
}

impl WatchedFuture {
    pub(crate) fn context(&self) -> &Context {
        self.future.context()
    }
}

/// Handles that an op of the caller's is given: where it records, and the handle of the stream there.
pub(crate) struct Lent {
    pub(crate) context: RecordContext,
    pub(crate) stream: Token,
    /// Lent when the op asks for it, until the op returns.
    pub(crate) blas: OnceCell<LentBlas>,
    /// As [`Lent::blas`].
    pub(crate) rand: OnceCell<LentRand>,
}

impl Lent {
    fn context(&self) -> &Context {
        self.context.context()
    }
}

impl RecordingCache {
    fn context(&self) -> &Context {
        self.graphs.context()
    }
}

/// A capture of a stream that an object owns. The object ends or aborts the capture exactly once.
///
/// It is an ordinary capture: the stream records whatever is submitted to it, through this object or directly, and
/// other streams join it through events. The object is the owner of the capture: destroying the object ends the
/// capture. It ends no later capture of the stream.
///
/// Only one thread at a time may record, end or abort through one object. A second thread gets GRAPHCAP_ERROR_BUSY, and
/// may call again. gc_capture_recorded_count() and gc_capture_is_active() never wait, and never answer
/// GRAPHCAP_ERROR_BUSY. Only the thread that began a capture of the per-thread stream can use it. Other threads get
/// GRAPHCAP_ERROR_NOT_PERMITTED. Once the capture is over, calls that record return GRAPHCAP_ERROR_ILLEGAL_STATE.
pub struct gc_capture(());

fn if_at_once(ends_at_once: bool, ends: ObjectEnd) -> ObjectEnd {
    if ends_at_once {
        ends
    } else {
        ObjectEnd::Later
    }
}

handle!(gc_context, Context, Context, std::convert::identity);
handle!(gc_stream, Stream, Stream, Stream::context, |stream| if_at_once(stream.ends_at_once(), ObjectEnd::AtOnce));
handle!(gc_event, Event, Event, Event::context);
handle!(gc_buffer, Buffer, Buffer, Buffer::context, |buffer| if_at_once(
    buffer.ends_at_once(),
    ObjectEnd::AtOnceAndTells
));
handle!(gc_host_buffer, HostBuffer, HostBuffer, HostBuffer::context, |buffer| if_at_once(
    buffer.ends_at_once(),
    ObjectEnd::AtOnceAndTells
));
handle!(gc_scalar, Scalar, Scalar, Scalar::context);
handle!(gc_rng, Rng, Rng, Rng::context);
handle!(gc_fft_plan, FftPlan, FftPlan, FftPlan::context);
handle!(gc_module, Module, Module, Module::context);
handle!(gc_kernel, Kernel, Kernel, Kernel::context);
handle!(gc_pool, Pool, Pool, Pool::context);
handle!(gc_graph, Graph, Graph, Graph::context, |graph| if_at_once(graph.ends_at_once(), ObjectEnd::AtOnceWithLimit));
handle!(gc_graph_exec, GraphExec, GraphExec, GraphExec::context, |exec| if_at_once(
    exec.ends_at_once(),
    ObjectEnd::AtOnceWithLimit
));
handle!(gc_graph_cache, RecordingCache, GraphCache, RecordingCache::context);
handle!(gc_script, Script, Script, Script::context);
handle!(gc_record_context, Arc<Lent>, RecordContext, Lent::context);
handle!(gc_actor, WatchedActor, Actor, WatchedActor::context, |_| ObjectEnd::AtOnce);
handle!(gc_future, WatchedFuture, Future, WatchedFuture::context);
handle!(gc_plan, Plan, Plan, Plan::context);
handle!(gc_capture, StreamCapture, Capture, StreamCapture::context, |capture| if_at_once(
    capture.ends_at_once(),
    ObjectEnd::AtOnce
));
