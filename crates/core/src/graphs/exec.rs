//! A graph exec: the executable of a graph, replayed with one call.

use std::any::Any;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use super::changes::Changes;
use super::exec_work::{ExecWork, SetNodes};
use super::gone_memory::NotedMemory;
use super::holdings::{Holdings, SeenKept};
use super::marks::{unchangeable, Watch};
use super::source::Source;
use crate::captures::black_box::{self, About};
use crate::captures::{guarded, strict};
use crate::pools::launch_orders::LaunchOrders;
use crate::state::{Context, GraphInner, Stream, StreamInner};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex, RwLock, RwLockReadGuard};
use graphcap_driver::rules::Violated;
use graphcap_driver::{check_caller, ExecFlags, ExecId, ExecNames, Lists, NodeId, Object};

/// The call of graphcap.h by which strict captures tell launches.
const LAUNCH: &str = "gc_graph_launch";

/// An executable graph. Keeps alive all that it runs; dropping it lets queued launches finish.
#[derive(Clone)]
pub struct GraphExec(Arc<ExecInner>);

pub(crate) struct ExecInner {
    context: Context,
    /// Held for reading over each launch, upload and edit, and for writing while another one takes its place.
    made: RwLock<Arc<Made>, rank::ExecMade>,
    /// Held while it is found out what the exec lacks of a graph, and made to do that.
    applying: Mutex<(), rank::Applying>,
    replays: AtomicU64,
    /// The stream that [`GraphExec::relaunch`] launches on.
    remembered: OnceLock<Weak<StreamInner>>,
    /// By what it tells how far a launch is, if it was made to.
    watch: OnceLock<Watch>,
    /// A graph that it does the work of, for whoever asks.
    described: Mutex<Option<Description>, rank::ExecDescribed>,
    /// Tells whether others made it and destroy it. Such a one stays the same.
    is_borrowed: AtomicBool,
}

/// A graph that an exec does the work of, and what that was made of, in whatever form the one who made it has it.
#[derive(Clone)]
pub(crate) struct Description {
    pub(crate) graph: Arc<GraphInner>,
    pub(crate) made_of: Option<Arc<dyn Any + Send + Sync>>,
}

/// An exec of the driver's. That of a [`GraphExec`] is another one once a graph was instantiated anew for it.
pub(crate) struct Made {
    context: Context,
    id: ExecId,
    origin: Weak<GraphInner>,
    /// Of the origin and its nodes.
    names: Arc<dyn ExecNames>,
    /// The origin as it was then, where that is known.
    born: Option<Source>,
    flags: ExecFlags,
    /// Held over each edit.
    edits: Mutex<ExecEdits, rank::ExecEdits>,
    /// Work of its nodes.
    work: Mutex<ExecWork, rank::ExecWork>,
    nodes: usize,
    uploaded: AtomicBool,
    /// Held over the driver's upload, so that racing callers upload once.
    uploading: Mutex<(), rank::Uploading>,
    /// The orders of the launches that share memory of pools with it, or the place of its random numbers.
    launch_orders: LaunchOrders,
    /// Tells whether others have the native handle, and may launch it where graphcap does not see it.
    is_given_out: AtomicBool,
    /// Tells whether it was made of a copy, in which kernels set grids: its nodes go by other ids than those of the graph.
    pub(super) is_of_copy: AtomicBool,
}

/// State that edits of an exec share.
#[derive(Default)]
pub(crate) struct ExecEdits {
    /// Objects that the exec keeps until it and its launches are gone.
    pub(crate) kept: Lists,
    /// Objects that the nodes keep, once one was changed.
    pub(crate) holdings: Option<Arc<Holdings>>,
    /// Nodes that were seen to keep what they do.
    pub(crate) seen: SeenKept,
    /// Tells whether another graph updated it: what it keeps is of the nodes of that one then, whose places are not those of its own.
    pub(crate) is_updated: bool,
    pub(crate) own_nodes: OwnNodes,
    /// Work of the exec but for `changes`, where that is known.
    pub(crate) source: Option<Source>,
    /// Tells whether the launch attributes of its kernels are known to be those of `source`.
    pub(crate) attributes_agree: bool,
    /// The edits by hand since it did that.
    pub(crate) changes: Changes,
    pub(crate) set: SetNodes,
    /// The nodes that do nothing.
    pub(crate) disabled: BTreeSet<NodeId>,
    /// The memory that the nodes named when the exec came to do its work, where that was noted.
    pub(crate) memory: Option<NotedMemory>,
}

/// Nodes that were found to be of the graph itself that an exec was made from, and not of graphs within, by their places. No other
/// node ever has the number of one.
#[derive(Default)]
pub(crate) struct OwnNodes(Vec<NodeId>);

impl OwnNodes {
    #[inline]
    pub(crate) fn has(&self, node: NodeId) -> bool {
        self.0.get(node.place()) == Some(&node)
    }

    /// Notes a node of which is known whether it `is_own`. Gives that.
    pub(crate) fn note(&mut self, node: NodeId, is_own: bool) -> bool {
        if is_own {
            if self.0.len() <= node.place() {
                // Not the number of the place of any node.
                self.0.resize(node.place() + 1, NodeId(u64::MAX));
            }
            if let Some(place) = self.0.get_mut(node.place()) {
                *place = node;
            }
        }
        is_own
    }
}

impl Made {
    /// Takes over an exec of the driver's, made from `origin` as it was at `source`, which keeps `kept`, with so many nodes and these
    /// flags, and uploaded or not.
    fn new(
        (context, origin): (&Context, Weak<GraphInner>),
        (id, kept): (ExecId, Lists),
        (nodes, flags): (usize, ExecFlags),
        is_uploaded: bool,
        source: Option<Source>,
        names: Arc<dyn ExecNames>,
    ) -> Made {
        Made {
            context: context.clone(),
            id,
            origin,
            names,
            born: source.clone(),
            flags,
            work: Mutex::new(ExecWork::of(source.clone())),
            edits: Mutex::new(ExecEdits { kept, source, attributes_agree: true, ..ExecEdits::default() }),
            nodes,
            uploaded: AtomicBool::new(is_uploaded),
            uploading: Mutex::new(()),
            launch_orders: LaunchOrders::default(),
            is_given_out: AtomicBool::new(false),
            is_of_copy: AtomicBool::new(false),
        }
    }

    #[inline]
    pub(crate) fn id(&self) -> ExecId {
        self.id
    }

    /// The orders of the launches that share memory of pools with it.
    pub(crate) fn launch_orders(&self) -> &LaunchOrders {
        &self.launch_orders
    }

    /// The context that it belongs to.
    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// The graph that it was made from.
    pub(crate) fn origin(&self) -> &Weak<GraphInner> {
        &self.origin
    }

    /// The names of the nodes and of that graph in messages, also when it is gone.
    pub(super) fn names(&self) -> &Arc<dyn ExecNames> {
        &self.names
    }

    /// The graph as it was then, where that is known.
    pub(crate) fn born(&self) -> Option<&Source> {
        self.born.as_ref()
    }

    /// The lock of edits.
    pub(crate) fn edits(&self) -> &Mutex<ExecEdits, rank::ExecEdits> {
        &self.edits
    }

    /// Returns what its nodes do.
    pub(crate) fn work(&self) -> &Mutex<ExecWork, rank::ExecWork> {
        &self.work
    }

    /// It was made of a copy of a graph as that was at `source`, in which kernels set grids.
    pub(super) fn is_of_copy(&self, source: Option<Source>) {
        lock(&self.edits).source = source;
        self.is_of_copy.store(true, Ordering::Release);
    }

    /// The flags that it was made with.
    pub(crate) fn flags(&self) -> ExecFlags {
        self.flags
    }

    /// Number of its nodes.
    pub(crate) fn node_count(&self) -> usize {
        self.nodes
    }

    /// Returns what it keeps.
    pub(crate) fn kept(&self) -> Lists {
        lock(&self.edits).kept.clone()
    }

    /// Returns whether others may launch it where graphcap does not see it.
    pub(super) fn is_given_out(&self) -> bool {
        self.is_given_out.load(Ordering::Acquire)
    }

    /// Others may launch it where graphcap does not see it.
    pub(super) fn give_out(&self) {
        self.is_given_out.store(true, Ordering::Release);
    }

    /// Lets go of what edits superseded, behind the launches that were made; or keeps it where others may make some. Can run code of the
    /// program's, so no lock is held.
    pub(super) fn let_go(&self, superseded: Lists) {
        if superseded.is_empty() {
            return;
        }
        match self.is_given_out() {
            true => lock(&self.edits).kept.extend(superseded),
            false => self.context.driver_even_if_stale().exec_let_go(self.id, superseded),
        }
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        let ExecEdits { kept, holdings, .. } = std::mem::take(&mut *lock(&self.edits));
        // First, so that what is kept goes with the exec.
        drop(holdings);
        self.context.driver_even_if_stale().exec_destroy(self.id, kept);
    }
}

impl GraphExec {
    /// Takes over an exec of the driver's, as [`Made::new`].
    pub(crate) fn new(
        context: &Context,
        origin: Weak<GraphInner>,
        (id, kept): (ExecId, Lists),
        nodes_and_flags: (usize, ExecFlags),
        is_uploaded: bool,
        source: Option<Source>,
        names: Arc<dyn ExecNames>,
    ) -> GraphExec {
        context.driver_even_if_stale().exec_call_by(id, Arc::clone(&names));
        let exec = Arc::new(ExecInner {
            context: context.clone(),
            made: RwLock::new(Arc::new(Made::new(
                (context, origin),
                (id, kept),
                nodes_and_flags,
                is_uploaded,
                source,
                names,
            ))),
            applying: Mutex::new(()),
            replays: AtomicU64::new(0),
            remembered: OnceLock::new(),
            watch: OnceLock::new(),
            described: Mutex::new(None),
            is_borrowed: AtomicBool::new(false),
        });
        let entered: Weak<ExecInner> = Arc::downgrade(&exec);
        context.execs().enter(entered);
        let exec = GraphExec(exec);
        let made = exec.made();
        made.launch_orders.follow(|| made.kept());
        drop(made);
        exec
    }

    pub(crate) fn from_inner(inner: Arc<ExecInner>) -> GraphExec {
        GraphExec(inner)
    }

    /// Queues one replay on `stream`, of whatever context. Replays of one exec run one after another, in the order of these
    /// calls.
    ///
    /// # Errors
    /// `INVALID_CONTEXT` for a stream of a device of another kind; `CAPTURE_UNSUPPORTED` when the stream is being captured,
    /// which invalidates the capture; `CAPTURE_IMPLICIT` on the legacy stream while a blocking stream is
    /// captured; `BUSY` when the exec shares memory of a pool, or its random numbers, and cannot be ordered behind an earlier launch; the
    /// status of a fault.
    #[inline]
    pub fn launch(&self, stream: &Stream) -> Result<()> {
        let exec = &*self.0;
        stream.context().check_family("the stream", &exec.context, "the graph exec")?;
        guarded::not_recorded(stream, Violated::Launch)?;
        let is_told = strict::executes(stream, || LAUNCH)?;
        let made = exec.made.read();
        let launch = || match made.launch_orders.is_empty() {
            true => stream.named_in_trace().driver()?.exec_launch(made.id, stream.id()),
            false => made.launch_orders.launch(made.id, stream.named_in_trace()),
        };
        let launched = match self.watched() {
            None => launch(),
            Some(watch) => watch.launch(launch),
        };
        drop(made);
        launched.map_err(|error| {
            let error = exec.context.naming_allocation(with_child_instead(error));
            black_box::failed(None, Some(stream), About::Launch, error)
        })?;
        if is_told {
            strict::executed(stream, LAUNCH);
        }
        exec.replays.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Prepares the first launch, so that it is as fast as the later ones. Once this succeeded, further calls
    /// do nothing; after a failure it can be tried again. Of racing callers one uploads and the others wait.
    ///
    /// # Errors
    /// As [`GraphExec::launch`].
    pub fn upload(&self, stream: &Stream) -> Result<()> {
        let exec = &*self.0;
        stream.context().check_family("the stream", &exec.context, "the graph exec")?;
        let made = exec.made.read();
        let _uploading = lock(&made.uploading);
        if !made.uploaded.load(Ordering::Acquire) {
            guarded::not_recorded(stream, Violated::OnCapturing)?;
            let uploaded = stream.driver().and_then(|driver| driver.exec_upload(made.id, stream.id()));
            uploaded.map_err(|error| black_box::failed_on(stream, error))?;
            made.uploaded.store(true, Ordering::Release);
        }
        Ok(())
    }

    /// The exec of the driver's that it is now, for calls that must not meet another one: while this is held no other takes its place.
    pub(crate) fn made(&self) -> RwLockReadGuard<'_, Arc<Made>> {
        self.0.made.read()
    }

    /// The lock of those who find out what the exec lacks of a graph.
    pub(crate) fn applying(&self) -> &Mutex<(), rank::Applying> {
        &self.0.applying
    }

    /// Tells whether others made it and destroy it.
    pub(super) fn is_borrowed(&self) -> &AtomicBool {
        &self.0.is_borrowed
    }

    /// Returns whether others have the native handle.
    pub(crate) fn is_given_out(&self) -> bool {
        self.made().is_given_out()
    }

    /// Becomes what `other` is, which was never launched and which nobody else has. Launches of that run behind those that were made
    /// so far. Gives what it was.
    ///
    /// # Errors
    /// `ILLEGAL_STATE` where others have the native handle; what the driver says when it cannot order the launches. Nothing is changed then.
    pub(crate) fn become_other(&self, other: &GraphExec) -> Result<Arc<Made>> {
        let other = Arc::clone(&other.made());
        let mut made = self.0.made.write();
        // Again: others may have got the handle meanwhile.
        made.check_own()?;
        self.0.context.driver()?.exec_go_behind(other.id, made.id)?;
        Ok(std::mem::replace(&mut *made, other))
    }

    /// Makes it keep a graph that it does the work of.
    pub(crate) fn describe_by(&self, description: Description) {
        let before = lock(&self.0.described).replace(description);
        // Where the lock is not held: with a graph goes what the caller gave.
        drop(before);
    }

    /// The graph that it keeps.
    pub(crate) fn description(&self) -> Option<Description> {
        lock(&self.0.described).clone()
    }

    /// Makes it tell by `watch` how far its launches are, which its nodes mark there.
    pub(super) fn watch(&self, watch: Watch) {
        let _ = self.0.watch.set(watch);
    }

    /// By what it tells how far its launches are.
    #[inline]
    pub(super) fn watched(&self) -> Option<&Watch> {
        self.0.watch.get()
    }

    /// Refuses a change of an exec that has other nodes than those of the graph.
    #[inline]
    pub(super) fn check_changeable(&self) -> Result<()> {
        match self.watched() {
            None => Ok(()),
            Some(_) => Err(unchangeable()),
        }
    }

    /// Makes it remember a stream, once.
    pub(crate) fn remember(&self, stream: &Stream) {
        self.0.remembered.get_or_init(|| Arc::downgrade(&stream.0));
    }

    /// The stream that it remembers, which may be gone.
    pub(crate) fn remembered(&self) -> Option<&Weak<StreamInner>> {
        self.0.remembered.get()
    }

    /// The context that it belongs to.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// The name of the graph that it was made from, also when that is gone.
    pub fn graph_name(&self) -> Option<Arc<str>> {
        match self.watched() {
            Some(watch) => watch.names.graph(),
            None => self.made().names().graph(),
        }
    }

    /// Returns how many launches succeeded. A launch that failed is not counted.
    pub fn num_replays(&self) -> u64 {
        self.0.replays.load(Ordering::Relaxed)
    }

    /// Returns whether an upload succeeded. A launch does not count as one.
    pub fn is_uploaded(&self) -> bool {
        self.made().uploaded.load(Ordering::Acquire)
    }

    /// The flags that it was made with, as far as the device goes by them: the priorities of nodes are forgotten. Does not ask the
    /// device.
    pub fn known_flags(&self) -> ExecFlags {
        let flags = self.made().flags;
        let watch = self.watched();
        ExecFlags {
            watched: watch.is_some(),
            watched_by_events: watch.is_some_and(Watch::wants_events),
            node_priorities: false,
            ..flags
        }
    }

    /// The flags that it was made with, as the device tells them: the priorities of nodes are forgotten.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub fn flags(&self) -> Result<ExecFlags> {
        check_caller()?;
        let made = Arc::clone(&self.made());
        let flags = self.0.context.driver()?.exec_flags(made.id)?;
        let watch = self.watched();
        Ok(ExecFlags {
            watched: watch.is_some(),
            watched_by_events: watch.is_some_and(Watch::wants_events),
            shaped: made.flags.shaped,
            turn_limit: made.flags.turn_limit,
            ..flags
        })
    }

    /// Number of nodes of the graph that it was made from; of a watched exec with those that mark how far a launch is, and on a CUDA
    /// device with those that set grids which come from scalars. What a [shaped](ExecFlags::shaped) one has before and behind all is not
    /// counted.
    pub fn node_count(&self) -> usize {
        self.made().nodes
    }

    /// The driver's own handle of the graph exec. The exec stays that one from then on: no graph is instantiated anew for it.
    ///
    /// # Errors
    /// `NOT_SUPPORTED` on a device without native handles.
    pub fn native(&self) -> Result<usize> {
        let made = self.made();
        let native = self.0.context.driver()?.native(Object::Exec(made.id))?;
        made.give_out();
        Ok(native)
    }
}

impl fmt::Debug for GraphExec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let made = self.made();
        f.debug_struct("GraphExec").field("id", &made.id.0).field("nodes", &made.nodes).finish()
    }
}

/// Adds to the refusal of a launch on a captured stream how the graph gets into the capture.
#[cold]
fn with_child_instead(mut error: Error) -> Error {
    if error.status == Status::CAPTURE_UNSUPPORTED {
        error.message.to_mut().push_str(&format!("; {}", Violated::Launch.remedy()));
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faulty::Faulty;
    use crate::{Buffer, DotFlags, Graph};
    use graphcap_driver::rules::CaptureMode;
    use graphcap_driver::StreamOptions;

    fn recorded(context: &Context) -> (Stream, Graph) {
        let stream = Stream::create(context, StreamOptions::default()).unwrap();
        let buffer = Buffer::allocate(context, 8).unwrap();
        stream.begin_capture(CaptureMode::Global).unwrap();
        stream.memset(&buffer, 0, 0, 1, 8).unwrap();
        stream.memset(&buffer, 0, 1, 1, 8).unwrap();
        let graph = stream.end_capture().unwrap();
        (stream, graph)
    }

    #[test]
    fn only_replays_that_were_queued_count() {
        let (driver, context) = Faulty::context();
        let (stream, graph) = recorded(&context);
        let exec = graph.instantiate().unwrap();
        assert_eq!((exec.node_count(), exec.num_replays()), (2, 0));
        exec.launch(&stream).unwrap();
        driver.fail("exec_launch", Status::CAPTURE_UNSUPPORTED);
        assert_eq!(exec.launch(&stream).unwrap_err().status, Status::CAPTURE_UNSUPPORTED);
        exec.clone().launch(&context.legacy_stream()).unwrap();
        assert_eq!(exec.num_replays(), 2);
        assert!(!exec.is_uploaded(), "a launch is no upload");
    }

    #[test]
    fn own_nodes_are_known_by_their_whole_number() {
        let mut own = OwnNodes::default();
        let node = |stamp: u64, place: u64| NodeId(stamp << NodeId::PLACE_BITS | place);
        assert!(!own.has(node(0, 0)) && !own.note(node(7, 3), false) && !own.has(node(7, 3)));
        assert!(own.note(node(7, 3), true) && own.has(node(7, 3)));
        // Of other graphs within, of no graph, and of none that any memory reaches.
        let others = [node(8, 3), node(0, 3), node(0, 0), node(7, 2), node(7, 4), NodeId(u64::MAX)];
        assert!(others.iter().all(|&other| !own.has(other)));
        assert!(own.note(node(9, 3), true) && own.has(node(9, 3)) && !own.has(node(7, 3)), "a place is taken again");
    }

    #[test]
    fn an_upload_happens_once_and_can_be_retried() {
        let (driver, context) = Faulty::context();
        let (stream, graph) = recorded(&context);
        let exec = graph.instantiate().unwrap();
        driver.fail("exec_upload", Status::OUT_OF_MEMORY);
        assert_eq!(exec.upload(&stream).unwrap_err().status, Status::OUT_OF_MEMORY);
        assert!(!exec.is_uploaded());
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| exec.upload(&stream).unwrap());
            }
        });
        assert!(exec.is_uploaded());
        exec.upload(&stream).unwrap();
        assert_eq!((driver.uploads(), exec.num_replays()), (1, 0));
        assert!(!graph.instantiate().unwrap().is_uploaded());
    }

    #[test]
    fn a_failed_instantiate_leaves_nothing_behind() {
        let (driver, context) = Faulty::context();
        let (_stream, graph) = recorded(&context);
        let live = driver.live();
        driver.fail("graph_instantiate", Status::OUT_OF_MEMORY);
        assert_eq!(graph.instantiate().unwrap_err().status, Status::OUT_OF_MEMORY);
        assert_eq!(driver.live(), live);
    }

    #[test]
    fn a_graph_tells_its_size_and_its_picture() {
        let (driver, context) = Faulty::context();
        let (_stream, graph) = recorded(&context);
        assert_eq!((graph.node_count().unwrap(), graph.edge_count().unwrap()), (2, 1));
        let text = graph.export_dot(DotFlags::VERBOSE).unwrap();
        assert!(text.contains("n1 [label=\"1: memset\\nnode ") && text.contains("bytes\\nat buffer "), "{text}");
        assert!(!graph.export_dot(DotFlags::default()).unwrap().contains("bytes"));
        driver.fail("node_work", Status::LAUNCH_FAILED);
        assert_eq!(graph.export_dot(DotFlags::default()).unwrap_err().status, Status::LAUNCH_FAILED);
    }
}
