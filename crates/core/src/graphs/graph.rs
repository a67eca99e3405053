//! A graph: the definition that a capture gave or goes into, or that is built by hand, which execs are made from.

use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use super::exec::{Description, GraphExec};
use super::holdings::{Holdings, Keeper};
use super::retention::{held_apart, holdings, is_spent, line_of, Line, Shared};
use crate::captures::black_box;
use crate::captures::guarded;
use crate::objects::kernel::Kernel;
use crate::pools::within;
use crate::state::{Context, Edits, GraphInner, Root, Stream, Target};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex, MutexGuard};
use graphcap_devices::BuiltInKernel;
use graphcap_driver::graphs::is_same;
use graphcap_driver::rules::Violated;
use graphcap_driver::{
    check_caller, Driver, ExecFlags, GraphId, GraphNodes, GraphRef, Lists, NodeId, Object, Retained,
};

/// Recorded or built work. Keeps alive the buffers, modules, events and host functions that its nodes use.
#[derive(Clone)]
pub struct Graph(pub(crate) Arc<GraphInner>);

/// The graphs of the process that others may know the driver's handles of, with the families of their contexts. The end of a capture that
/// they began into one gives that graph.
static KNOWN_OUTSIDE: Mutex<Vec<(usize, GraphId, Weak<GraphInner>)>, rank::KnownOutside> = Mutex::new(Vec::new());

/// Those of them in the family of `context` with an id that `is_it`. To be dropped where no lock is held.
fn known_outside(context: &Context, is_it: impl Fn(GraphId) -> bool) -> Vec<Arc<GraphInner>> {
    let is_it = |(family, id, _): &&(usize, GraphId, _)| *family == context.family() && is_it(*id);
    lock(&KNOWN_OUTSIDE).iter().filter(is_it).filter_map(|(.., graph)| graph.upgrade()).collect()
}

/// The end of a capture has failed in `context`, which others may have begun into a graph: a graph that is lost by that keeps nothing any
/// more. Called where no lock is held.
#[cold]
pub(crate) fn let_go_of_lost(context: &Context) {
    known_outside(context, |_| true).iter().for_each(|graph| graph.let_go_if_lost());
}

impl Root {
    /// Locks the graphs for an edit.
    ///
    /// # Errors
    /// `INVALID_HANDLE` when the outermost graph is destroyed.
    pub(crate) fn lock(&self) -> Result<MutexGuard<'_, Edits>> {
        let edits = lock(&self.edits);
        match edits.is_gone {
            true => Err(gone()),
            false => Ok(edits),
        }
    }
}

#[cold]
fn gone() -> Error {
    Error::new(Status::INVALID_HANDLE, "the graph is within a node of a graph that is destroyed, and destroyed with it")
}

impl GraphInner {
    /// Takes over a graph of the driver's that a capture gave.
    pub(crate) fn new(context: &Context, id: GraphId) -> Arc<GraphInner> {
        GraphInner::outermost(context, id, true)
    }

    /// A copy of `graph`, which keeps what the outermost graph keeps.
    pub(crate) fn copy(graph: &GraphInner, id: GraphId) -> Arc<GraphInner> {
        let copy = GraphInner::outermost(&graph.context, id, graph.root.has_lists.load(Ordering::Acquire));
        *lock(&copy.root.kept) = held_apart(&graph.kept());
        if !graph.is_within() {
            copy.root.names.graph.copy(&graph.root.names.graph);
        }
        copy
    }

    fn outermost(context: &Context, id: GraphId, has_lists: bool) -> Arc<GraphInner> {
        let graph = Arc::new_cyclic(|outermost| {
            let edits = Edits::default();
            let names = Arc::clone(edits.notes.names());
            let root = Root {
                id,
                outermost: Weak::clone(outermost),
                edits: Mutex::new(edits),
                kept: Mutex::default(),
                has_lists: AtomicBool::new(has_lists),
                captures: AtomicUsize::new(0),
                captures_begun: AtomicU64::new(0),
                known_outside: AtomicBool::new(false),
                is_given_out: AtomicBool::new(false),
                is_borrowed: AtomicBool::new(false),
                names,
            };
            GraphInner { context: context.clone(), id, root: Arc::new(root), within: None }
        });
        let entered: Weak<GraphInner> = Arc::downgrade(&graph);
        context.graphs().enter(entered);
        graph
    }

    /// A graph of the driver's that `node` of `graph` has.
    pub(crate) fn of_node(graph: &GraphInner, node: NodeId, id: GraphId) -> Arc<GraphInner> {
        let within = Some(graph.outermost_node(node));
        Arc::new(GraphInner { context: graph.context.clone(), id, root: Arc::clone(&graph.root), within })
    }

    /// Returns what it shares with the outermost graph.
    pub(crate) fn root(&self) -> &Arc<Root> {
        &self.root
    }

    /// Returns whether a node of another graph has it.
    pub(crate) fn is_within(&self) -> bool {
        self.within.is_some()
    }

    /// The node of the outermost graph that it is within.
    pub(crate) fn within(&self) -> Option<NodeId> {
        self.within
    }

    /// The node of the outermost graph that `node` of this one is, or is within.
    pub(crate) fn outermost_node(&self, node: NodeId) -> NodeId {
        self.within.unwrap_or(node)
    }

    /// The node as one that keeps objects.
    pub(crate) fn keeper(&self, node: NodeId) -> Keeper {
        Keeper { outermost: self.outermost_node(node), within: self.within.map(|_| node) }
    }

    /// Returns whether it may keep what a capture listed.
    pub(crate) fn has_lists(&self) -> bool {
        !self.is_within() && self.root.has_lists.load(Ordering::Acquire)
    }

    /// Returns whether the graph lets go of what nodes stop to use. Not where others may have made execs of it that graphcap does not see.
    pub(crate) fn lets_go(&self) -> bool {
        !self.root.is_given_out.load(Ordering::Acquire)
    }

    #[inline]
    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// A graph that the end of a capture gave: the one of that id, if others may have begun the capture into it.
    pub(crate) fn ended(context: &Context, id: GraphId) -> Arc<GraphInner> {
        GraphInner::known(context, id).unwrap_or_else(|| GraphInner::new(context, id))
    }

    /// The graph of that id, which others may know.
    pub(crate) fn known(context: &Context, id: GraphId) -> Option<Arc<GraphInner>> {
        known_outside(context, |known| known == id).into_iter().find(|graph| graph.context.is(context))
    }

    /// Others may know the driver's handle from here on.
    pub(crate) fn let_others_know(self: &Arc<Self>) {
        if !self.root.known_outside.swap(true, Ordering::AcqRel) {
            lock(&KNOWN_OUTSIDE).push((self.context.family(), self.id, Arc::downgrade(self)));
        }
    }

    pub(crate) fn id(&self) -> GraphId {
        self.id
    }

    /// A capture begins into it, and goes on as long as what is given is there.
    ///
    /// # Errors
    /// `INVALID_HANDLE` when the graph is within one that is destroyed.
    pub(crate) fn begin_capture(self: &Arc<Self>) -> Result<Target> {
        let outermost = self.root.outermost.upgrade().ok_or_else(gone)?;
        self.root.captures_begun.fetch_add(1, Ordering::AcqRel);
        self.root.captures.fetch_add(1, Ordering::AcqRel);
        Ok(Target { graph: Arc::clone(self), outermost })
    }

    /// Returns whether a capture goes into it, or into a graph within it, that a gc_ call began.
    pub(crate) fn is_captured_into(&self) -> bool {
        self.root.captures.load(Ordering::Acquire) > 0
    }

    /// A capture went into it.
    pub(crate) fn was_captured_into(&self) {
        self.root.has_lists.store(true, Ordering::Release);
    }

    /// Returns what the outermost graph keeps. To be dropped where no lock is held.
    pub(crate) fn kept(&self) -> Lists {
        lock(&self.root.kept).clone()
    }

    /// Keeps `objects` alive as long as the graph and the execs made from it.
    ///
    /// # Errors
    /// Where others have the graph, as [`Graphs::graph_retain`](graphcap_driver::Graphs::graph_retain).
    pub(crate) fn retain(&self, objects: Retained) -> Result<()> {
        let mut kept = lock(&self.root.kept);
        if !kept.iter().any(|kept| is_same(kept, &objects)) {
            if self.root.is_given_out.load(Ordering::Acquire) {
                self.context.driver()?.graph_retain(self.root.id, std::slice::from_ref(&objects))?;
            }
            kept.push(objects);
        }
        Ok(())
    }

    /// Keeps the list of a capture that goes into it, in the line of the captures before, also where the list cannot be kept. Puts that
    /// into `line`. Earlier lists that have nothing go, so that as many stay as have something.
    pub(crate) fn retain_next(&self, list: Arc<Shared>, line: &mut Weak<Line>) -> Result<()> {
        let before = self.kept().iter().rev().find_map(line_of);
        if let Some(before) = before.filter(|before| !Arc::ptr_eq(before, &list.line())) {
            before.go_on(&list);
        }
        let own = list.line();
        *line = Arc::downgrade(&own);
        self.retain(list)?;
        // Also where the end of the capture is not seen.
        self.was_captured_into();
        lock(&self.root.kept).retain(|list| !is_spent(list, &own));
        Ok(())
    }

    /// Keeps what nodes will keep that are added by hand, after `lend` has lent it to the capture that goes into the graph, unless it is kept
    /// already. Where others have the graph, the driver's graph holds what it comes to keep.
    ///
    /// # Errors
    /// Those of `lend`; `INVALID_HANDLE` when the graph is destroyed.
    pub(crate) fn lend_holdings(&self, lend: impl FnOnce(Retained) -> Result<()>) -> Result<()> {
        let mut edits = self.root.lock()?;
        if self.lets_go() && !self.kept().into_iter().any(|kept| holdings(kept).is_some()) {
            let new = Arc::new(Holdings::default());
            lend(Arc::clone(&new) as Retained)?;
            self.retain(Arc::clone(&new) as Retained)?;
            edits.holdings = Some(new);
        }
        Ok(())
    }

    /// Keeps `new` in the place of `old`, for callers that hold `old` and the lock of the edits.
    pub(crate) fn exchange(&self, old: &Retained, new: Retained) {
        let mut kept = lock(&self.root.kept);
        if let Some(kept) = kept.iter_mut().find(|kept| is_same(kept, old)) {
            *kept = new;
        }
    }

    /// Makes `give`, by which others are to get the graph, and has the driver's graph hold what this one keeps, now and from here on.
    ///
    /// # Errors
    /// Those of `give`; as [`GraphInner::retain`], where nobody may get the graph.
    pub(crate) fn give_out(&self, give: impl FnOnce(&dyn Driver) -> Result<usize>) -> Result<usize> {
        let kept = lock(&self.root.kept);
        let driver = self.context.driver()?;
        let given = give(driver)?;
        if !self.root.is_given_out.load(Ordering::Acquire) {
            driver.graph_retain(self.root.id, &kept)?;
            self.root.is_given_out.store(true, Ordering::Release);
        }
        Ok(given)
    }

    /// A capture into the graph has failed: where that was the end of the graph, it keeps nothing any more. Called where no lock is held.
    pub(crate) fn let_go_if_lost(&self) {
        let Ok(mut edits) = self.root.lock() else { return };
        if self.context.driver_even_if_stale().graph_is_lost(self.root.id) {
            let kept = (edits.holdings.take(), std::mem::take(&mut *lock(&self.root.kept)));
            drop(edits);
            drop(kept);
        }
    }
}

impl GraphExec {
    /// The graph that was last said to be what it does the work of, by [`Graph::describe`].
    pub fn described_by(&self) -> Option<Graph> {
        self.description().map(|description| Graph(description.graph))
    }

    /// Returns what that graph was made of, as [`Graph::describe`] was told.
    pub fn described_made_of(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        self.description()?.made_of
    }
}

impl Graph {
    /// Makes `exec` keep the graph, as one that it does the work of, and with it what the graph was made of.
    pub fn describe(&self, exec: &GraphExec, made_of: Option<Arc<dyn Any + Send + Sync>>) {
        exec.describe_by(Description { graph: Arc::clone(&self.0), made_of });
    }

    /// Refuses a graph that a capture goes into, or into a graph within the outermost one.
    ///
    /// # Errors
    /// `ILLEGAL_STATE`.
    pub fn check_not_captured_into(&self) -> Result<()> {
        match self.0.is_captured_into() {
            false => Ok(()),
            true => Err(Error::new(
                Status::ILLEGAL_STATE,
                "the edges of a graph cannot be changed in place while a capture goes into it; end the capture first",
            )),
        }
    }

    /// Makes a graph without nodes, to build or to capture into.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`, or the status of a context that faulted.
    pub fn create(context: &Context) -> Result<Graph> {
        let id = context.driver()?.graph_create()?;
        Ok(Graph(GraphInner::outermost(context, id, false)))
    }

    /// The nodes and edges. The ids hold as long as the graph.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub fn nodes(&self) -> Result<GraphNodes> {
        self.0.context.driver()?.graph_nodes(GraphRef::Known(self.0.id))
    }

    /// The context that it belongs to.
    #[inline]
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    #[inline]
    pub(crate) fn id(&self) -> GraphId {
        self.0.id
    }

    /// Number of nodes.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub fn node_count(&self) -> Result<usize> {
        self.0.context.driver()?.graph_node_count(self.0.id)
    }

    /// Number of edges.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub fn edge_count(&self) -> Result<usize> {
        self.0.context.driver()?.graph_edge_count(self.0.id)
    }

    /// Makes an executable of the graph, which lives on without it.
    ///
    /// # Errors
    /// `CAPTURE_UNSUPPORTED` while a capture bars it, which is invalidated; `OUT_OF_MEMORY`; the status of a
    /// context that faulted.
    pub fn instantiate(&self) -> Result<GraphExec> {
        self.instantiate_with(ExecFlags::default(), None)
    }

    /// Makes an executable of the graph with flags, and uploads it on `upload`, of whatever context.
    ///
    /// With [`ExecFlags::watched`], [`GraphExec::progress`] tells which nodes a launch has completed. Each node is followed by a kernel
    /// of one thread then, so launches take longer, and the exec cannot be changed: make another one of a changed graph. With
    /// [`ExecFlags::watched_by_events`] as well, on a CUDA device, the record of an event is a leaf behind each node instead. Events
    /// tell of the latest launch alone, see [`Progress::is_hidden`](super::progress::Progress::is_hidden).
    ///
    /// With [`ExecFlags::shaped`], on a device that [gains by it](Graph::gains_by_ends), the exec has a kernel that does nothing before
    /// all nodes, where several wait for none, and one behind all, where none waits for several. The graph does not have them, and the
    /// exec is changed and updated as any other.
    ///
    /// # Examples
    /// A host function that waits, between two memsets:
    ///
    /// ```
    /// use std::sync::mpsc::channel;
    /// use std::sync::{Arc, Mutex};
    ///
    /// use graphcap::core::{Buffer, Context, Fill, Graph, NodeWork, Stream};
    /// use graphcap::driver::{DeviceChoice, DeviceKind, ExecFlags, HostFunction, StreamOptions};
    ///
    /// let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0)?;
    /// let stream = Stream::create(&context, StreamOptions::default())?;
    /// let buffer = Buffer::allocate(&context, 64)?;
    /// let fill = Fill { buffer: &buffer, offset: 0, value: 1, element_size: 4, width: 16, height: 1, pitch: 0 };
    /// let (begun, has_begun) = channel();
    /// let (release, released) = channel::<()>();
    /// let released = Mutex::new(released);
    /// let wait: HostFunction = Arc::new(move || {
    ///     let _ = begun.send(());
    ///     let _ = released.lock().map(|released| released.recv());
    /// });
    ///
    /// let graph = Graph::create(&context)?;
    /// let first = graph.add_node(&[], &NodeWork::Memset(fill))?;
    /// let second = graph.add_node(&[first], &NodeWork::Host(&wait))?;
    /// graph.add_node(&[second], &NodeWork::Memset(fill))?;
    /// let exec = graph.instantiate_with(ExecFlags { watched: true, ..ExecFlags::default() }, None)?;
    /// exec.launch(&stream)?;
    /// let _ = has_begun.recv();
    /// let progress = exec.progress()?;
    /// assert!(progress.is_running() && progress.completed() == 1);
    /// assert_eq!(progress.suspects().next().map(|node| node.id), Some(second));
    /// let _ = release.send(());
    /// stream.synchronize()?;
    /// assert!(!exec.progress()?.is_running());
    /// # Ok::<(), graphcap::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Graph::instantiate`] and, for an upload, [`GraphExec::upload`]; `INVALID_VALUE` for a graph that cannot be launched so,
    /// for one whose child graphs share memory of a pool and are not ordered by edges, and for flags that exclude each other;
    /// `NOT_SUPPORTED` for flags that the device does not have, for a second executable of a graph that can have only one, and for a
    /// watched executable of a graph with allocations, and on a CUDA device with conditions; there also where a node takes its grid from a
    /// scalar and the graph has allocations or conditions, or kernels are to launch the executable, and, on a device that gains by it, for
    /// a shaped one of a graph with allocations; `ILLEGAL_STATE` there while a capture goes into the graph; `INVALID_VALUE` where memory is
    /// gone that was noted at the end of a capture ([`CaptureOptions::notes_memory`](crate::CaptureOptions::notes_memory)).
    pub fn instantiate_with(&self, flags: ExecFlags, upload: Option<&Stream>) -> Result<GraphExec> {
        check_caller()?;
        if flags.watched {
            return self.instantiate_copy(|| self.instantiate_watched(flags, upload));
        }
        match self.context().driver()?.graph_needs_setters(self.id())? {
            true => self.instantiate_copy(|| self.instantiate_with_setters(flags, upload)),
            false => self.instantiate_as_it_is(flags, upload),
        }
    }

    /// Makes an executable of a copy by `make`. Memory that was noted goes by the nodes of this graph.
    fn instantiate_copy(&self, make: impl FnOnce() -> Result<GraphExec>) -> Result<GraphExec> {
        let memory = self.0.noted_memory(&*self.0.root.lock()?)?;
        let exec = make()?;
        if memory.is_some() {
            lock(exec.made().edits()).memory = memory;
        }
        Ok(exec)
    }

    /// Makes an executable of the nodes that the graph has.
    ///
    /// # Errors
    /// As [`Graph::instantiate_with`].
    pub(super) fn instantiate_as_it_is(&self, flags: ExecFlags, upload: Option<&Stream>) -> Result<GraphExec> {
        let context = &self.0.context;
        if let Some(stream) = upload {
            stream.context().check_family("the stream", context, "the graph")?;
            guarded::not_recorded(stream, Violated::OnCapturing)?;
        }
        // A device uploads what it makes on a stream of the graph's context.
        let (upload, elsewhere) = match upload {
            Some(stream) if !stream.context().is(context) => (None, upload),
            _ => (upload, None),
        };
        if guarded::watches(context) {
            // A graph that is lost harms no capture.
            self.node_count()?;
            guarded::unsafe_call(context)?;
        }
        // The context keeps its code.
        let ends =
            (flags.shaped && self.gains_by_ends()).then(|| context.built_in(BuiltInKernel::Nothing)).transpose()?;
        // So that the exec keeps what its nodes use, also where another thread adds or changes one.
        let edits = self.0.root.lock()?;
        let memory = self.0.noted_memory(&edits)?;
        let driver = context.driver()?;
        let checked = within::check(driver, self.0.id, || self.0.kept(), None);
        checked.map_err(|error| self.0.naming_all(&edits, error))?;
        let made =
            || driver.graph_instantiate_with(self.0.id, flags, upload.map(Stream::id), ends.as_ref().map(Kernel::id));
        // What it keeps is asked for afterwards: a capture can add to that meanwhile.
        let made = made().map(|made| (made, held_apart(&self.0.kept())));
        let made = made.map_err(|error| self.0.naming_owner(&edits, error));
        let source = self.0.as_it_is(&edits);
        let names = self.0.exec_names();
        drop(edits);
        let ((exec, nodes), kept) = match upload {
            Some(stream) => made.map_err(|error| black_box::failed_on(stream, error))?,
            None => made?,
        };
        let exec = GraphExec::new(
            context,
            Arc::downgrade(&self.0),
            (exec, kept),
            (nodes, flags),
            upload.is_some(),
            source,
            names,
        );
        if memory.is_some() {
            lock(exec.made().edits()).memory = memory;
        }
        elsewhere.map_or(Ok(()), |stream| exec.upload(stream)).map(|()| exec)
    }

    /// The driver's own handle of a node. Others may change the graph from here on, as after [`Graph::native`].
    ///
    /// # Errors
    /// `INVALID_VALUE` when `node` is no node of the graph; `NOT_SUPPORTED` on a device without native handles.
    pub fn node_native(&self, node: NodeId) -> Result<usize> {
        self.give_out(Object::Node(self.0.id, node))
    }

    /// The driver's own handle of the graph.
    ///
    /// # Errors
    /// `NOT_SUPPORTED` on a device without native handles.
    pub fn native(&self) -> Result<usize> {
        self.give_out(Object::Graph(self.0.id))
    }

    /// Others may use the graph from here on.
    fn give_out(&self, object: Object) -> Result<usize> {
        check_caller()?;
        // So that no edit lets go of something that others begin to use.
        let _edits = self.0.root.lock()?;
        let native = self.0.give_out(|driver| driver.native(object))?;
        self.0.let_others_know();
        Ok(native)
    }
}

impl Drop for GraphInner {
    fn drop(&mut self) {
        if self.is_within() {
            return;
        }
        // First, so that no edit of a graph within it goes on. Nobody holds the lock of an outermost graph without keeping it alive.
        let kept = {
            let mut edits = lock(&self.root.edits);
            edits.is_gone = true;
            edits.holdings = None;
            std::mem::take(&mut *lock(&self.root.kept))
        };
        if self.root.known_outside.load(Ordering::Acquire) {
            let this: *const GraphInner = self;
            lock(&KNOWN_OUTSIDE).retain(|(.., graph)| !std::ptr::eq(graph.as_ptr(), this));
        }
        self.context.driver_even_if_stale().graph_destroy_with(self.id, kept);
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Graph").field(&self.0.id.0).finish()
    }
}
