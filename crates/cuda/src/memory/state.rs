//! State of the memory of a context: what is held, for whom, and who departed.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::sync::Arc;

use super::blocking::{BlockingMemory, Use};
use super::guard::Guard;
use super::node_memory::NodeMemory;
use super::pool::Pool;
use super::reserved::Range;
use crate::api::device::{Device, PrimaryContext};
use crate::api::EventHandle;
use crate::deferred::OnRequest;
use crate::streams::stream::Stream;
use graphcap_base::lock::{rank, Mutex};
use graphcap_base::thread::ThreadNumber;
use graphcap_driver::{Snapshot, StreamId};

/// Resource that is given back when nothing uses it any more.
pub(crate) enum Resource {
    /// An allocation of the pool's, or of guarded memory, at this address.
    Allocated(u64),
    /// A block of a pool that lies apart in guarded memory, at this address, and what is told when it goes, as for what is carved.
    Block(u64, Box<dyn FnOnce() + Send>),
    /// Memory of the caller's, who is told; or what runs code of the caller's when it is dropped.
    Adopted(Box<dyn FnOnce() + Send>),
    /// Addresses that are reserved, with what is behind them.
    Reserved(Arc<Range>),
    /// A part of them, and what is told when it goes, which takes no lock but leaves.
    Carved(Arc<Range>, Box<dyn FnOnce() + Send>),
    /// An event that nodes of graphs record or wait for.
    Event(EventHandle),
    /// The use of memory that was let go of, and waits for the end of that to be allocated again; and what is told then, as above, for
    /// a block of a pool that lies apart.
    Use(Arc<Use>, Option<Box<dyn FnOnce() + Send>>),
    /// Object that is then released on request.
    OnRequest(OnRequest),
    /// Bytes of the host's that nodes of graphs read.
    Snapshots(#[expect(dead_code, reason = "held for their drop alone")] Vec<Snapshot>),
}

/// User of a resource.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum User {
    /// A stream; of the special ones only the legacy one.
    Stream(StreamId),
    /// The per-thread stream of this thread.
    Thread(ThreadNumber),
    /// Others, who launched an exec where graphcap did not see it, before the wait for the whole context of that
    /// number.
    Foreign(u64),
}

/// Set in the id of a stream, as one of a list of users, that stands for [`User::Foreign`]; the bits below are the
/// number. Ids of streams leave the bit free. It is set in [`StreamId::UNKNOWN`], too, whose number no wait has but
/// [`Wait::ALL`].
pub(super) const IS_FOREIGN: u64 = 1 << 63;

/// A wait for the whole context.
pub(crate) struct Wait {
    pub(super) waits: u64,
    pub(super) since: u64,
}

impl Wait {
    /// One that covers everything.
    pub(crate) const ALL: Wait = Wait { waits: u64::MAX, since: u64::MAX };
}

/// The memory of a context.
pub(crate) struct Memory {
    pub(super) primary: PrimaryContext,
    pub(super) device: Device,
    pub(crate) pool: Pool,
    /// Guarded memory, if buffers and blocks of pools are guarded.
    pub(crate) guard: Option<Guard>,
    pub(super) state: Mutex<MemoryState, rank::MemoryState>,
    /// Length of `MemoryState::held`, to look without locking.
    pub(super) held: AtomicUsize,
    /// Tells whether something departed whose work has an end to wait for.
    pub(super) departing: AtomicBool,
    /// Tells whether work ever went to the legacy stream.
    pub(super) legacy_used: AtomicBool,
    /// The latest wait for the whole context that began.
    pub(super) waits: AtomicU64,
    /// The latest of them that is over.
    pub(super) waited: AtomicU64,
    /// The latest of them that others are waited for by.
    pub(super) foreign: AtomicU64,
    /// Goes on with every release and departure: a wait covers what came before it began.
    pub(super) clock: AtomicU64,
    /// Distinct for each context of the process.
    pub(super) number: u64,
}

pub(crate) struct MemoryState {
    /// Events that mark nothing.
    pub(super) spare: Vec<EventHandle>,
    /// Users that departed with work that may not be complete.
    pub(super) departed: HashMap<User, DestroyedStream>,
    /// In the order in which they are looked at.
    pub(super) held: VecDeque<PendingRelease>,
    /// The threads that used their per-thread stream and did not wait for it yet, each with the `waits` of its latest
    /// use.
    pub(super) threads: HashMap<ThreadNumber, u64>,
}

/// Finds a live stream and tells it to the function.
pub(crate) type FindStream<'a> = &'a dyn Fn(StreamId, &mut dyn FnMut(&Stream));

/// Event or user that a held resource waits for.
pub(crate) enum Waiting {
    /// A user whose work cannot be marked yet: it is being captured, is a special stream, on which graphcap may not put
    /// anything unasked, or has departed.
    User(User),
    /// An event behind a user's work, of this resource alone.
    Event(EventHandle, User),
}

/// A resource that work may still use.
pub(crate) struct PendingRelease {
    pub(crate) resource: Resource,
    pub(crate) waiting: Vec<Waiting>,
    /// Time at which it was released, by the clock of the memory.
    pub(crate) stamp: u64,
}

impl PendingRelease {
    pub(crate) fn waits_for_others(&self) -> bool {
        self.waiting.iter().any(|waiting| matches!(waiting, Waiting::User(User::Foreign(_))))
    }
}

/// A stream that was destroyed with work on it, or that its thread uses no more.
pub(crate) struct DestroyedStream {
    /// Event behind its work; `None` when it could not be marked.
    pub(crate) event: Option<EventHandle>,
    /// Time of that, by the clock of the memory.
    pub(crate) stamp: u64,
}

/// Code of the caller's that is to run when no lock is held.
pub(crate) type Callbacks = Vec<Box<dyn FnOnce() + Send>>;

/// Memory that core knows by an id.
pub(crate) enum OwnedMemory {
    Device(Resource),
    /// With what is told when nothing uses it, of a block of a pool that lies apart.
    Blocking(BlockingMemory, Option<Box<dyn FnOnce() + Send>>),
    /// Memory that a node of a graph allocates, which is freed by nodes or by its user; else by graphcap.
    OfNode(Arc<NodeMemory>),
}
