//! Parts that the calls of a host context have in common: objects by id, what bars a call, submitting or recording, waiting.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Instant;

use super::capture;
use super::code::kernel::{Kernel, Module};
use super::context::HostContext;
use super::engine::event::Event;
use super::engine::stream::{Op, Stream};
use super::engine::stream_list;
use super::exec::Exec;
use super::graph::nesting::Located;
use super::graph::{Action, Fate, Graph, Inner};
use super::memory::guard;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, Mutex};
use graphcap_base::slots::{Borrowed, Slots};
use graphcap_base::thread::{this_thread, ThreadNumber};
use graphcap_driver::ids::{enter, key_of, lost_graph, no_such};
use graphcap_driver::{callbacks, EventId, ExecId, GraphId, StreamId};

/// The objects of all contexts, by id.
pub(super) static OBJECTS: Objects = Objects {
    streams: Slots::new(),
    events: Slots::new(),
    modules: Slots::new(),
    kernels: Slots::new(),
    graphs: Slots::new(),
    execs: Slots::new(),
};

/// Tables of objects of each kind.
pub(super) struct Objects {
    pub(super) streams: Slots<Arc<Stream>>,
    pub(super) events: Slots<Event>,
    pub(super) modules: Slots<Module>,
    pub(super) kernels: Slots<Arc<Kernel>>,
    pub(super) graphs: Slots<Arc<Located>>,
    pub(super) execs: Slots<Arc<Exec>>,
}

/// A stream found by its id.
pub(super) enum Found<'a> {
    Legacy(&'a Arc<Stream>),
    PerThread(Arc<Stream>),
    Made(Borrowed<Arc<Stream>>),
}

impl Deref for Found<'_> {
    type Target = Arc<Stream>;
    #[inline]
    fn deref(&self) -> &Arc<Stream> {
        match self {
            Found::Legacy(stream) => stream,
            Found::PerThread(stream) => stream,
            Found::Made(stream) => stream,
        }
    }
}

impl HostContext {
    pub(super) fn number(&self) -> u64 {
        self.state.number
    }

    /// Refuses a call from inside work of the device, and one on a faulted context.
    #[inline]
    pub(super) fn check_call(&self) -> Result<()> {
        callbacks::check_caller()?;
        self.check_fault()
    }

    #[inline]
    pub(super) fn check_fault(&self) -> Result<()> {
        match self.state.error() {
            None => Ok(()),
            Some(fault) => Err(fault.clone()),
        }
    }

    #[inline]
    pub(super) fn stream(&self, id: StreamId) -> Result<Found<'_>> {
        match id {
            StreamId::LEGACY => Ok(Found::Legacy(&self.legacy)),
            StreamId::PER_THREAD => Ok(Found::PerThread(self.per_thread_stream())),
            StreamId(made) => match OBJECTS.streams.get(key_of(made)) {
                Some(stream) if stream.context.number == self.number() => Ok(Found::Made(stream)),
                _ => Err(no_such("stream")),
            },
        }
    }

    fn per_thread_stream(&self) -> Arc<Stream> {
        let ThreadNumber(thread) = this_thread();
        let mut streams = lock(&self.streams);
        let new = || {
            stream_list::end_with_this_thread();
            self.legacy.sibling(true)
        };
        Arc::clone(streams.made.entry(thread).or_insert_with(new))
    }

    /// An event, of whatever context.
    pub(super) fn event(&self, id: EventId) -> Result<Borrowed<Event>> {
        OBJECTS.events.get(key_of(id.0)).ok_or_else(|| no_such("event"))
    }

    pub(super) fn enter_graph(&self, graph: Graph) -> Result<GraphId> {
        let outermost = Located { root: Arc::new(Mutex::new(graph)), path: Box::default() };
        enter(&OBJECTS.graphs, Arc::new(outermost), "graphs").map(GraphId)
    }

    /// Finds where a graph is.
    pub(super) fn located(&self, id: GraphId) -> Result<Borrowed<Arc<Located>>> {
        OBJECTS.graphs.get(key_of(id.0)).ok_or_else(|| no_such("graph"))
    }

    /// Uses an outermost graph.
    pub(super) fn graph<T>(&self, id: GraphId, use_it: impl FnOnce(&mut Graph) -> T) -> Result<T> {
        self.graph_at(id, |graph, path| match path {
            [] => Ok(use_it(graph)),
            _ => Err(Error::invalid_value("the graph is one of a node; name the outermost graph that the node is in")),
        })
    }

    /// Uses a graph: the outermost one, and the path from there to the graph with that id.
    pub(super) fn graph_at<T>(&self, id: GraphId, use_it: impl FnOnce(&mut Graph, &[Inner]) -> Result<T>) -> Result<T> {
        let located = self.located(id)?;
        let mut graph = lock(&located.root);
        if graph.context != self.number() {
            return Err(no_such("graph"));
        }
        if graph.fate(&[]) == Fate::Lost || graph.fate(&located.path) == Fate::Lost {
            return Err(lost_graph());
        }
        use_it(&mut graph, &located.path)
    }

    /// A graph exec, of whatever context.
    #[inline]
    pub(super) fn exec(&self, id: ExecId) -> Result<Borrowed<Arc<Exec>>> {
        OBJECTS.execs.get(key_of(id.0)).ok_or_else(|| no_such("graph exec"))
    }

    /// Queues an op on a stream that is not being captured.
    pub(super) fn enqueue(&self, stream: &Arc<Stream>, op: Op) -> Result<()> {
        if stream.is_legacy {
            return self.submit_to_legacy(stream, || Some(op)).map(drop);
        }
        stream.submit(stream.lock(), op);
        Ok(())
    }

    /// Queues what `op` makes on the legacy stream; false where it makes nothing.
    pub(super) fn submit_to_legacy(&self, legacy: &Arc<Stream>, op: impl FnOnce() -> Option<Op>) -> Result<bool> {
        capture::refuse_on_legacy(legacy)?;
        Ok(legacy.submit_to_legacy(&mut self.blocking_streams(), op))
    }

    /// Takes an action and queues it, or records it where the stream is being captured. `check` is what must hold of an
    /// action that is queued, but need not of one that is recorded.
    pub(super) fn submit_or_record(
        &self,
        stream: &Arc<Stream>,
        action: &mut Option<Action>,
        check: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        if stream.is_legacy {
            check()?;
            return action.take().map_or(Ok(()), |action| self.enqueue(stream, Op::Run(action)));
        }
        let mut queue = stream.lock();
        if let Some(member) = capture::live_member(&mut queue) {
            member.record(action)?;
        }
        let Some(action) = action.take() else { return Ok(()) };
        check()?;
        stream.submit(queue, Op::Run(action));
        Ok(())
    }

    /// Records what cannot be executed on its own.
    pub(super) fn record_only(&self, stream: &Arc<Stream>, action: &mut Option<Action>, what: &str) -> Result<()> {
        capture::refuse_on_legacy(stream)?;
        if let Some(member) = capture::live_member(&mut stream.lock()) {
            member.record(action)?;
            if action.is_none() {
                return Ok(());
            }
        }
        Err(Error::new(
            Status::ILLEGAL_STATE,
            format!("{what} is a node of a graph, and the stream is not being captured; leave EXTERNAL out, or begin a capture"),
        ))
    }

    /// All streams of the context.
    pub(super) fn all_streams(&self) -> Vec<Arc<Stream>> {
        let mut streams: Vec<_> = lock(&self.streams).iter().cloned().collect();
        streams.push(Arc::clone(&self.legacy));
        streams
    }

    fn blocking_streams(&self) -> Vec<Arc<Stream>> {
        lock(&self.streams).iter().filter(|stream| stream.blocking).cloned().collect()
    }

    /// The streams whose work a wait on `stream` waits for: itself, and for the legacy stream all blocking ones.
    pub(super) fn waited_for(&self, stream: &Arc<Stream>) -> Vec<Arc<Stream>> {
        let mut streams = if stream.is_legacy { self.blocking_streams() } else { Vec::new() };
        streams.push(Arc::clone(stream));
        streams
    }

    /// Returns what bars waiting for a stream, or asking about it.
    pub(super) fn check_wait(&self, stream: &Arc<Stream>, what: &str) -> Result<()> {
        capture::refuse_while_capturing(stream, what)?;
        capture::refuse_on_legacy(stream)?;
        capture::unsafe_call()
    }

    /// Waits until what was submitted to the streams so far has completed.
    pub(super) fn wait_for(&self, streams: &[Arc<Stream>]) -> Result<()> {
        let submitted: Vec<_> = streams.iter().map(|stream| stream.submitted()).collect();
        for (stream, submitted) in streams.iter().zip(submitted) {
            stream.wait(submitted);
        }
        guard::check_all();
        self.state.error().cloned().map_or(Ok(()), Err)
    }

    /// Waits until what was submitted to `streams` so far has completed, but not beyond `deadline`; whether it has.
    pub(super) fn wait_until(&self, streams: &[Arc<Stream>], deadline: Option<Instant>) -> Result<bool> {
        let submitted: Vec<_> = streams.iter().map(|stream| stream.submitted()).collect();
        let complete = streams.iter().zip(submitted).all(|(stream, submitted)| stream.wait_until(submitted, deadline));
        guard::check_all();
        self.state.error().cloned().map_or(Ok(complete), Err)
    }
}
