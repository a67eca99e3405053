//! The state of contexts, streams and captures. It stands in one file because each of them refers to the others; what they do
//! is in the files of their names.

use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Instant;

use smallvec::SmallVec;

use super::captures::runs::{Clock, Counters, Runs};
use super::captures::strict_log::StrictLog;
use super::captures::violation::Violation;
use super::graphs::changes::Changes;
use super::graphs::holdings::{Holdings, SeenKept};
use super::graphs::retention::{Line, Shared};
use super::objects::code::Code;
use super::objects::name::Name;
use super::objects::note::{GivenNames, NodeNotes, RecordedNote};
use super::objects::roster::Roster;
use super::operations::provenance::{Answers, Index};
use super::pools::reuse::Reuse;
use graphcap_base::lock::{rank, Mutex, OnceCell};
use graphcap_base::thread::ThreadNumber;
use graphcap_devices::BuiltInKernel;
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{Address, ConditionId, Driver, GraphId, Lists, MemoryId, NodeId, StreamId, UsedBy};

/// A device opened for use. Everything made from it keeps it open.
#[derive(Clone)]
pub struct Context(pub(super) Arc<ContextInner>);

pub(super) struct ContextInner {
    pub(super) driver: Arc<dyn Driver>,
    pub(super) generation: Generation,
    /// As [`Driver::family`] answers.
    pub(super) family: usize,
    pub(super) options: ContextOptions,
    /// Number of captures that go on in it, as far as is known.
    pub(super) open: Arc<AtomicUsize>,
    pub(super) legacy: Arc<Membership>,
    pub(super) per_thread: PerThread,
    /// The one per-thread stream object. Weak, as the stream holds the context.
    pub(super) per_thread_stream: Mutex<Weak<StreamInner>, rank::PerThreadStream>,
    /// The buffers of other contexts that work of this one used.
    pub(super) loans: Mutex<BTreeMap<MemoryId, Arc<Loan>>, rank::Loans>,
    /// The live memory that work of this context may use by address, by its addresses.
    pub(super) memory: Index<dyn Any + Send + Sync>,
    pub(super) live: LiveRosters,
    /// Answers of the device about other addresses.
    pub(super) answers: Answers,
    /// graphcap's own kernels, loaded when they are first needed.
    pub(super) built_in: [BuiltIn; BuiltInKernel::COUNT],
}

/// The objects of a context that live, to be told of.
#[derive(Default)]
pub(super) struct LiveRosters {
    /// The graphs, without those within nodes.
    pub(super) graphs: Roster,
    /// The execs.
    pub(super) execs: Roster,
    /// The pools.
    pub(super) pools: Roster,
}

/// Treatment of captures in a context.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ContextOptions {
    /// Tells whether calls that would harm a capture are refused.
    pub guarded: bool,
    /// Tells whether all captures of its streams are strict.
    pub strict: bool,
}

/// A context's share of one of graphcap's own kernels.
#[derive(Default)]
pub(super) struct BuiltIn {
    pub(super) code: OnceCell<Arc<Code>, rank::BuiltIn>,
    /// The module, while something keeps it: the module holds the context.
    pub(super) module: Mutex<Option<Weak<dyn Any + Send + Sync>>, rank::BuiltIn>,
}

/// A context that may be gone.
pub(super) struct WeakContext(pub(super) Weak<ContextInner>);

/// Work that runs in the order of submission, asynchronously to the caller.
///
/// Dropping the last handle of a stream does not wait: its queued work still runs. A capture that was begun
/// on it is discarded.
#[derive(Clone)]
pub struct Stream(pub(super) Arc<StreamInner>);

pub(super) struct StreamInner {
    pub(super) context: Context,
    pub(super) id: StreamId,
    /// Distinct for every stream of the process.
    pub(super) number: u64,
    /// The record of a default stream is the context's, for all handles. For the per-thread stream the context has another one for
    /// each thread, and this one is [`PerThread::all`].
    pub(super) membership: Arc<Membership>,
    /// Tells whether others use the stream too.
    pub(super) shared: AtomicBool,
    /// Tells whether it is someone else's.
    pub(super) wrapped: bool,
    pub(super) name: Name,
    pub(super) workspace: Mutex<Option<Workspace>, rank::Workspaces>,
}

/// The workspace that a stream used last.
pub(super) struct Workspace {
    /// The buffer.
    pub(super) memory: Arc<dyn Any + Send + Sync>,
    /// The capture that it is for; `None` for executed work.
    pub(super) capture: Option<Weak<Record>>,
    /// Whose default stream it is for.
    pub(super) thread: Option<ThreadNumber>,
}

/// A buffer of another context, as the borrowing one knows it. Ends when the buffer goes, or this context.
pub(super) struct Loan {
    pub(super) memory: MemoryId,
    /// Start of the buffer.
    pub(super) address: Address,
    pub(super) borrower: WeakContext,
    /// Users in the borrowing context.
    pub(super) used_by: UsedBy,
    pub(super) has_ended: AtomicBool,
}

/// Notes of graphcap on the captures of one stream.
pub(super) struct Membership {
    /// Grows by 1 before, and after, each driver call that begins, joins or ends a capture here: it is odd meanwhile.
    /// Who finds the same even number before and after a call knows that the stream entered no capture in between.
    pub(super) moment: AtomicU64,
    /// The kinds of captures that the stream joined of which its context does not tell: bits of
    /// [`membership`](super::captures::membership). 0 when it was seen to be in none since.
    pub(super) joined: AtomicU8,
    /// The driver's number of the capture that the driver said the stream to be in, if that capture held its streams then;
    /// else 0. The stream is in that capture as long as [`Record::holds_its_streams`].
    pub(super) confirmed: AtomicU64,
    /// Which of the capture's streams this is, for its log.
    pub(super) index: AtomicUsize,
    /// Held over each driver call that begins, joins or ends a capture here.
    pub(super) transition: Mutex<(), rank::Transition>,
    pub(super) history: Mutex<History, rank::History>,
    /// Whose this is, for a thread's own default stream.
    pub(super) thread: Option<ThreadNumber>,
}

/// The captures that a stream entered.
#[derive(Default)]
pub(super) struct History {
    /// With the moments at which it entered them, in that order.
    pub(super) entered: Vec<(u64, Arc<Record>)>,
    /// As many as are kept before those are looked for whose graphs are gone.
    pub(super) room: usize,
    /// The latest moment at which it entered one that is not kept any more.
    pub(super) forgotten: u64,
    /// Course of the capture that was begun or ended here last.
    pub(super) last_log: Option<Arc<CaptureLog>>,
}

/// Notes on the per-thread stream.
pub(super) struct PerThread {
    /// For each thread that captured on it or joined with it.
    pub(super) threads: Mutex<HashMap<ThreadNumber, Arc<Membership>>, rank::Threads>,
    /// Union of what those of the threads have of [`Membership::joined`], together, so that a thread need not look for its own. The
    /// rest is not used.
    pub(super) all: Arc<Membership>,
}

/// One capture, from its begin to its end. Its streams and its events share it, and the black box lists it while the capture
/// goes on.
pub(super) struct Record {
    /// Distinct for every capture of the process, never 0: two captures into one graph have the same number with the driver.
    pub(super) number: u64,
    /// The count of open captures of the context that it was begun in, which tells that context from others.
    pub(super) open_count: Arc<AtomicUsize>,
    pub(super) phase: AtomicU32,
    pub(super) list: Mutex<List, rank::RecordList>,
    /// Course of the capture, for messages.
    pub(super) log: Arc<CaptureLog>,
    /// The number of the pool that it was begun with, where graphs share memory of that; else 0.
    pub(super) shares: u64,
}

/// Objects that a capture keeps.
pub(super) struct List {
    /// All lists that come from the capture, or from captures into its graph.
    pub(super) line: Weak<Line>,
    /// The one that the capture lists in.
    pub(super) of_capture: Weak<Shared>,
    /// The list, until the graph holds it.
    pub(super) own: Option<Arc<Shared>>,
    /// Tells whether the end may not be seen, so that the graph must hold the list before anything is in it.
    pub(super) others_can_end: bool,
    /// The graph that the capture goes into, if that was there before: it must not be destroyed before the capture is over.
    pub(super) target: Option<Target>,
    /// Notes of recorded nodes, until the graph has them.
    pub(super) notes: Vec<(NodeId, RecordedNote)>,
    /// Of a capture into a graph within a node: the graphs that nodes put by hand have copies of at the end.
    pub(super) put: Vec<(NodeId, Arc<GraphInner>)>,
}

/// Facts that the black box tells of a capture, from its begin to its end.
pub(super) struct CaptureLog {
    /// The stream that it was begun on, or first seen on where others began it.
    pub(super) origin: Weak<StreamInner>,
    /// The contexts in which the driver's number of it means it, and whose calls it can bar and be broken by: see [`Driver::family`].
    pub(super) family: usize,
    /// `None` where others began it.
    pub(super) mode: Option<CaptureMode>,
    pub(super) thread: ThreadNumber,
    pub(super) began: Instant,
    /// Tells whether it is of the thread's own default stream, and over when the thread is.
    pub(super) ends_with_thread: bool,
    /// The log of a strict capture; `None` for others.
    pub(super) strict: Option<StrictLog>,
    /// The driver's number of it; 0 while that is not known.
    pub(super) capture: AtomicU64,
    /// End of the driver's log at the begin.
    pub(super) log_position: Option<u32>,
    /// The latest call that worked.
    pub(super) latest: AtomicU8,
    /// Tells whether its record is in `GOING_ON`, to look without locking.
    pub(super) is_listed: AtomicBool,
    pub(super) violation: Mutex<Option<Arc<Violation>>, rank::Violation>,
    /// Cause that must have broken the capture, if it is found to be broken: the driver could not be asked there.
    pub(super) suspected: Mutex<Option<Arc<Violation>>, rank::Suspected>,
    pub(super) state: CaptureState,
}

/// Members of a capture, and counts of what they recorded.
pub(super) struct CaptureState {
    /// Tells whether its end notes the memory that its nodes name by addresses.
    pub(super) notes_memory: bool,
    /// Number of nodes that each member recorded.
    pub(super) recorded: Counters,
    /// Number of nodes that were put into it by hand. They are not among what the members recorded, all of which has to be joined.
    pub(super) put: AtomicU32,
    /// Tells whether that need not be the number of nodes.
    pub(super) miscounted: AtomicBool,
    /// Turns that they took.
    pub(super) runs: Runs,
    /// The memory that it uses again, where streams of it allocated some.
    pub(super) reuse: OnceLock<Arc<Reuse>>,
    pub(super) members: Mutex<SmallVec<[Member; 1]>, rank::CaptureMembers>,
    /// The contexts of streams that joined, beside that of the stream that it was begun on.
    pub(super) others: Mutex<SmallVec<[WeakContext; 1]>, rank::CaptureOthers>,
    /// Tells whether more may be joined than the members tell.
    pub(super) unseen: AtomicBool,
    /// Tells whether others may have recorded into it.
    pub(super) is_of_others: AtomicBool,
    /// The graph that there was before and that it goes into, by the driver's number; 0 for none.
    pub(super) target: AtomicU64,
}

/// A stream that is in a capture.
pub(super) struct Member {
    /// The stream's number.
    pub(super) stream: u64,
    /// Whose default stream it is, for the one that each thread has of its own under that number.
    pub(super) thread: Option<ThreadNumber>,
    /// The name that it had then.
    pub(super) name: Option<Arc<str>>,
    /// The event that took it in, as messages call it; `None` for the stream that the capture was begun on.
    pub(super) forked_by: Option<String>,
    /// Captures and streams that were joined to it.
    pub(super) joined: Clock,
}

pub(super) struct GraphInner {
    pub(super) context: Context,
    pub(super) id: GraphId,
    pub(super) root: Arc<Root>,
    /// Of a graph within a node of another one: the node of the outermost graph that has it, or has the graph's.
    pub(super) within: Option<NodeId>,
}

/// State that an outermost graph shares with the graphs within its nodes. They do not keep the outermost graph alive.
pub(super) struct Root {
    pub(super) id: GraphId,
    /// The outermost graph.
    pub(super) outermost: Weak<GraphInner>,
    /// Held over each edit, of whichever of the graphs.
    pub(super) edits: Mutex<Edits, rank::GraphEdits>,
    /// Lists that the graph keeps.
    pub(super) kept: Mutex<Lists, rank::GraphKept>,
    /// Tells whether it ever kept what a capture listed.
    pub(super) has_lists: AtomicBool,
    /// Number of captures that go into the graphs, begun by gc_ calls.
    pub(super) captures: AtomicUsize,
    /// Number of them so far.
    pub(super) captures_begun: AtomicU64,
    /// Tells whether others have the graph, so that the driver's graph holds what this one keeps: the native handle of a graph or of a node
    /// was given out, or others ended a capture into it.
    pub(super) is_given_out: AtomicBool,
    /// Tells whether others may know the native handle: it was given out, or a capture goes into the graph that others can end.
    pub(super) known_outside: AtomicBool,
    /// Tells whether others made the graph and destroy it.
    pub(super) is_borrowed: AtomicBool,
    /// Of the outermost graph and its nodes, as the notes have them.
    pub(super) names: Arc<GivenNames>,
}

/// A graph that a capture goes into, which counts the capture.
pub(super) struct Target {
    pub(super) graph: Arc<GraphInner>,
    /// Keeps the graph alive that it is, or is within.
    pub(super) outermost: Arc<GraphInner>,
}

impl Drop for Target {
    fn drop(&mut self) {
        self.graph.root.captures.fetch_sub(1, Ordering::AcqRel);
    }
}

/// State that edits of a graph share.
#[derive(Default)]
pub(super) struct Edits {
    /// Objects kept by the nodes that were added or changed by hand.
    pub(super) holdings: Option<Arc<Holdings>>,
    /// Nodes that were seen to keep what they do.
    pub(super) seen: SeenKept,
    /// Notes on the nodes beside what the device knows.
    pub(super) notes: NodeNotes,
    /// The conditions that were made, with the values that launches begin with.
    pub(super) conditions: HashMap<ConditionId, u32>,
    /// Edited nodes, of graphs within as well. Neither what captures put into the graph nor what others do to it.
    pub(super) changes: Changes,
    /// Tells whether the outermost graph is destroyed.
    pub(super) is_gone: bool,
}

/// The generation of a context: what was made between two resets.
pub(crate) struct Generation {
    /// From 1; each reset adds 1.
    number: u64,
    /// Tells whether a reset began another one.
    is_over: AtomicBool,
    /// Tells whether a reset goes on, or has ended this one.
    is_resetting: AtomicBool,
    /// Tells whether the next one is on the same driver's context.
    driver_goes_on: AtomicBool,
}

impl Generation {
    /// The generation of a context that was never reset.
    pub(crate) fn first() -> Generation {
        Generation::numbered(1)
    }

    fn numbered(number: u64) -> Generation {
        Generation {
            number,
            is_over: AtomicBool::new(false),
            is_resetting: AtomicBool::new(false),
            driver_goes_on: AtomicBool::new(false),
        }
    }

    /// The one that follows.
    pub(crate) fn next(&self) -> Generation {
        Generation::numbered(self.number + 1)
    }

    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Returns whether the driver's context is that of the next generation, too.
    pub(crate) fn driver_goes_on(&self) -> bool {
        self.driver_goes_on.load(Ordering::Acquire)
    }

    /// Takes the one turn that there is to end this generation; false where another thread has it.
    pub(crate) fn take_turn(&self) -> bool {
        !self.is_resetting.swap(true, Ordering::AcqRel)
    }

    /// Gives the turn back: nothing was changed.
    pub(crate) fn give_turn_back(&self) {
        self.is_resetting.store(false, Ordering::Release);
    }

    /// Ends this generation.
    pub(crate) fn end(&self, driver_goes_on: bool) {
        self.driver_goes_on.store(driver_goes_on, Ordering::Release);
        // Who enters an object and then finds the generation not over is seen by who looks at all objects after this.
        self.is_over.store(true, Ordering::SeqCst);
    }
}
