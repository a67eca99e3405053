//! Execs: what graphcap knows of them beside the driver.

mod after_events;
pub(super) mod edits;
pub(super) mod instantiate;
mod relaunched;
pub(super) mod timed;
mod traced;
mod updates;
pub(super) mod uploads;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;

use self::after_events::AfterEvents;
use self::relaunched::Relaunched;
use self::timed::TimedNodes;
use self::traced::Traced;
use super::api::{self, DriverError, Function};
use super::code::function::HostCalls;
use super::graph::{Failure, GraphState, Root, Shape};
use super::memory::node_memory::Memories;

use graphcap_base::error::{Error, Status};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{NodeId, UsedBy};

/// An executable graph. Launches, uploads and edits of it wait for each other, and for other calls that use its graph or another
/// exec of that: the driver was seen to refuse a launch (999) that was made while other threads did such things (580).
pub(super) struct Exec {
    /// The driver's handle as a number, read and written under the lock of the graph; 0 when it was destroyed.
    pub(super) native: AtomicUsize,
    pub(super) facts: ExecFacts,
    pub(super) root: Root,
    /// The host functions that nodes were set to call in the exec alone. Those that came from the graph the driver holds.
    pub(super) calls: Mutex<BTreeMap<NodeId, HostCalls>, rank::ExecCalls>,
    /// Tells whether there ever were any, to look without locking. Written under the lock of the graph.
    pub(super) has_calls: AtomicBool,
    /// The kernels that were changed in it.
    relaunched: Mutex<Relaunched, rank::ExecRelaunched>,
    /// The streams that it was launched on.
    pub(super) used_by: UsedBy,
    /// Tells whether others have the handle, and may launch it where graphcap does not see it.
    pub(super) given_out: AtomicBool,
    /// Tells whether it is someone else's, who destroys it.
    pub(super) is_borrowed: AtomicBool,
    /// Tells whether it was uploaded or launched, or need not be before it is edited.
    pub(super) is_prepared: AtomicBool,
    /// Memory that its nodes allocate and free, and whether that is anything.
    pub(super) memories: Mutex<Memories, rank::ExecMemories>,
    pub(super) has_memories: AtomicBool,
    /// Events that its first launch runs behind.
    pub(super) behind: AfterEvents,
    pub(super) traced: Traced,
}

/// Facts of an exec that stay as they were when it was made.
pub(super) struct ExecFacts {
    /// Number of nodes.
    pub(super) nodes: usize,
    /// The stamp of the next node: the graph's nodes that came later it does not have.
    pub(super) next_stamp: u64,
    /// The graph as it was.
    pub(super) shape: Arc<Shape>,
    /// True where the driver crashes if it is uploaded before its first launch.
    pub(super) launches_first: bool,
    /// Tells whether its kernels run with the priorities of their nodes.
    pub(super) node_priorities: bool,
    /// Tells whether a kernel may have launch attributes.
    pub(super) may_have_attributes: bool,
    /// Tells whether kernels set grids in it: no graph updates it.
    pub(super) sets_grids: bool,
    /// Tells whether it may have copies between managed and pinned memory.
    pub(super) has_managed_copies: bool,
    /// The kernel that it has before all and behind all.
    pub(super) ends: Option<Function>,
}

impl Exec {
    pub(super) fn new(made: Made, root: Root) -> Exec {
        let Made { exec: native, facts, memories, is_uploaded, timed } = made;
        Exec {
            native: AtomicUsize::new(native.number()),
            facts,
            root,
            calls: Mutex::default(),
            has_calls: AtomicBool::new(false),
            relaunched: Mutex::default(),
            used_by: UsedBy::default(),
            given_out: AtomicBool::new(false),
            is_borrowed: AtomicBool::new(false),
            is_prepared: AtomicBool::new(is_uploaded),
            has_memories: AtomicBool::new(!memories.is_empty()),
            memories: Mutex::new(memories),
            behind: AfterEvents::default(),
            traced: Traced::new(timed),
        }
    }

    /// It was uploaded or launched.
    #[inline]
    pub(super) fn note_prepared(&self) {
        if !self.is_prepared.load(Ordering::Relaxed) {
            self.is_prepared.store(true, Ordering::Release);
        }
    }

    /// True where the driver loses memory or crashes in an upload.
    pub(super) fn must_not_be_uploaded(&self) -> bool {
        if self.is_prepared.load(Ordering::Acquire) {
            return false;
        }
        self.facts.launches_first || (self.has_memories() && lock(&self.memories).upload_loses())
    }

    /// Returns what the refusal of a launch means.
    #[cold]
    pub(super) fn not_launched(&self, error: Error) -> Error {
        match error.status {
            Status::INVALID_VALUE if self.has_memories() => Error::new(
                error.status,
                format!(
                    "memory that the graph allocates is still allocated by an earlier launch, or memory that it frees is not allocated: \
                     free it by gc_stream_mem_free() before the graph is launched again, or make the exec with GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH; {}",
                    error.message
                ),
            ),
            _ => error,
        }
    }

    /// A kernel of it is launched as `digest` tells from here on.
    #[inline]
    pub(super) fn note_kernel(&self, node: NodeId, digest: impl FnOnce() -> u64) {
        if let Some((timed, outline)) = self.traced.timed.as_ref().zip(self.facts.shape.outline()) {
            if outline.find(node.0).is_none_or(|made| made.launch != digest()) {
                timed.forget_kernels();
            }
        }
    }

    /// Returns whether it has nodes that its graph does not have.
    pub(super) fn has_added_nodes(&self) -> bool {
        self.facts.ends.is_some() || self.traced.timed.is_some()
    }

    /// Returns whether its nodes allocate or free.
    #[inline]
    pub(super) fn has_memories(&self) -> bool {
        self.has_memories.load(Ordering::Acquire)
    }

    pub(super) fn set_memories(&self, memories: Memories) {
        let mut known = lock(&self.memories);
        self.has_memories.store(!memories.is_empty(), Ordering::Release);
        *known = memories;
    }

    pub(super) fn is_given_out(&self) -> bool {
        self.given_out.load(Ordering::Acquire)
    }

    /// A node calls these functions from here on. Gives what it was set to call before.
    pub(super) fn calls_now(&self, node: NodeId, calls: HostCalls) -> HostCalls {
        self.has_calls.store(true, Ordering::Release);
        lock(&self.calls).insert(node, calls).unwrap_or_default()
    }

    /// Its nodes call what the driver holds, and nothing else. Gives what they were set to call before. To be called while the graph
    /// is locked.
    pub(super) fn take_calls(&self) -> Vec<HostCalls> {
        match self.has_calls.load(Ordering::Acquire) {
            true => std::mem::take(&mut *lock(&self.calls)).into_values().collect(),
            false => Vec::new(),
        }
    }

    /// Returns whether it is that exec of the driver's.
    pub(super) fn is(&self, native: api::ExecHandle) -> bool {
        self.native.load(Ordering::Relaxed) == native.number()
    }

    /// Makes `call` while no other gc_ call uses the exec or its graph.
    #[inline]
    pub(super) fn with<T>(&self, call: impl FnOnce(api::ExecHandle) -> T) -> Option<T> {
        // Kept locked for the time of the call.
        let root = lock(&self.root);
        let _alone = root.alone();
        self.native(&root).map(call)
    }

    /// The driver's exec, for a call that is made while its graph, whose state that is, is locked. `None` when it was destroyed.
    #[inline]
    pub(super) fn native(&self, _of_graph: &GraphState) -> Option<api::ExecHandle> {
        Some(api::ExecHandle::from_number(self.native.load(Ordering::Relaxed))).filter(|native| !native.is_null())
    }

    /// Takes the driver's exec out and has it destroyed by `destroy`, while no other call uses its graph, unless it is someone else's.
    pub(super) fn end<T>(&self, destroy: impl FnOnce(api::ExecHandle) -> T) -> Option<T> {
        let root = lock(&self.root);
        let _alone = root.alone();
        let native = self.native(&root)?;
        self.native.store(0, Ordering::Relaxed);
        (!self.is_borrowed.load(Ordering::Acquire)).then(|| destroy(native))
    }
}

/// Reason for which no exec was made.
pub(super) struct NotMade {
    pub(super) failure: Failure,
    /// Meaning of the driver's result; empty where that is no more than the refusal.
    pub(super) meaning: String,
}

impl NotMade {
    /// Returns what the driver answered.
    pub(super) fn refusal(&self) -> Option<DriverError> {
        match self.failure {
            Failure::Refused(refusal) => Some(refusal),
            Failure::Wrong(_) => None,
        }
    }
}

impl<F: Into<Failure>> From<F> for NotMade {
    fn from(failure: F) -> NotMade {
        NotMade { failure: failure.into(), meaning: String::new() }
    }
}

/// Kernels set grids in an exec that was uploaded, and the driver crashes in the upload.
#[cold]
pub(super) fn grids_need_an_upload() -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        "a node takes its grid from a scalar, and another node waits for an event that a launch records with an attribute: the driver \
         cannot upload an exec of both; record the event by gc_event_record()",
    )
}

/// Exec that was made of a graph.
pub(super) struct Made {
    pub(super) exec: api::ExecHandle,
    pub(super) facts: ExecFacts,
    pub(super) memories: Memories,
    pub(super) is_uploaded: bool,
    pub(super) timed: Option<Arc<TimedNodes>>,
}
