//! Objects that captures, graphs and execs keep, and which capture has listed an object last.

use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use smallvec::SmallVec;

use super::graphs::uses::{Kind, Uses};
use graphcap_driver::{HostFunction, Retained, Snapshot, StreamId};

/// An object that captures and nodes keep alive.
pub(super) trait Keep: Any + Send + Sync {
    /// Remembers that work of `stream` may go on to use it when nothing keeps it any more.
    fn note_use(&self, stream: StreamId);

    /// Returns what kind of object a node knows it as.
    fn kind(&self) -> Kind;

    /// Adds the places of the nodes that use it, of a graph whose nodes have these uses.
    fn users(&self, uses: &Uses, places: &mut Vec<usize>);
}

/// Something kept alive by a capture, a graph or an exec.
#[derive(Clone)]
pub(super) enum Kept {
    Object(Arc<dyn Keep>),
    HostFunction(HostFunction),
    Snapshot(Snapshot),
    /// Lists that a graph kept when it became a node of another one.
    Graph(Arc<[Retained]>),
}

impl Kept {
    /// Tells it that work of `streams` may still use it when this reference is gone. Adds to `held` what would go all the same.
    /// `is_over` is the device's [`Streams::stream_is_over`](graphcap_driver::Streams::stream_is_over).
    pub(super) fn note_uses(&self, streams: &[StreamId], is_over: &dyn Fn(StreamId) -> bool, held: &mut Vec<Snapshot>) {
        match self {
            Kept::Object(object) => streams.iter().for_each(|&stream| object.note_use(stream)),
            Kept::Snapshot(snapshot) => held.push(snapshot.clone()),
            Kept::Graph(lists) => lists.iter().for_each(|list| held.extend(list.used_by(streams, is_over))),
            // The driver lets go of functions that it calls when no work needs them.
            Kept::HostFunction(_) => {}
        }
    }

    /// Returns whether it keeps that object alive.
    #[inline]
    pub(super) fn is_of<T: Keep>(&self, object: &Arc<T>) -> bool {
        matches!(self, Kept::Object(kept) if std::ptr::addr_eq(Arc::as_ptr(kept), Arc::as_ptr(object)))
    }

    /// Returns whether both keep one object alive.
    pub(super) fn is_same(&self, other: &Kept) -> bool {
        matches!((self, other), (Kept::Object(a), Kept::Object(b)) if std::ptr::addr_eq(Arc::as_ptr(a), Arc::as_ptr(b)))
    }

    /// The object, if it is a `T`.
    pub(super) fn object<T: Keep>(&self) -> Option<Arc<T>> {
        let Kept::Object(object) = self else { return None };
        let any: Arc<dyn Any + Send + Sync> = Arc::<dyn Keep>::clone(object);
        any.downcast().ok()
    }

    /// Returns whether dropping it may run code of the caller's.
    pub(super) fn calls_out(&self) -> bool {
        match self {
            Kept::HostFunction(_) => true,
            Kept::Graph(lists) => lists.iter().any(|list| list.calls_out()),
            Kept::Object(_) | Kept::Snapshot(_) => false,
        }
    }

    /// The places of the nodes that use it, each once, of a graph whose nodes have these uses. None of what a child graph kept: a
    /// capture lists that where the child is within a node of the graph, which is not read.
    pub(super) fn users(&self, uses: &Uses) -> Vec<usize> {
        let mut places = Vec::new();
        match self {
            Kept::Object(object) => object.users(uses, &mut places),
            Kept::HostFunction(function) => uses.function(function, &mut places),
            Kept::Snapshot(bytes) => uses.memory(bytes.as_ptr().addr() as _, bytes.len(), &mut places),
            Kept::Graph(_) => {}
        }
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Returns whether a node may use it that cannot be read.
    pub(super) fn may_be_of_unread(&self, uses: &Uses) -> bool {
        match self {
            Kept::Object(object) => uses.are_unread(object.kind()),
            Kept::HostFunction(_) => uses.are_unread(Kind::Function),
            Kept::Snapshot(_) => uses.are_unread(Kind::Memory),
            Kept::Graph(_) => uses.are_unread(Kind::Memory),
        }
    }
}

/// Objects that one node keeps.
pub(super) type Kepts = SmallVec<[Kept; 3]>;

/// Objects that the work of a node needs alive.
pub(super) trait Needs {
    /// Returns whether it needs no object alive.
    fn is_nothing(&self) -> bool;

    /// Returns whether `kept` keeps the same objects alive, in the same order. False for what nobody can tell by.
    fn are_kept(&self, kept: &[Kept]) -> bool;

    /// The addresses of the objects, in their order: those of few that live until the last one who keeps them lets go. `None` for others.
    fn addresses(&self) -> Option<Addresses>;

    /// Returns whether [`Needs::addresses`] are these.
    fn are_at(&self, addresses: &Addresses) -> bool;

    /// Adds to `kept` what keeps them alive.
    fn keep_in(&self, kept: &mut Kepts);
}

/// Addresses of a few objects, and 0 behind them.
pub(super) type Addresses = [usize; 4];

/// Objects that are kept already.
impl Needs for Kepts {
    fn is_nothing(&self) -> bool {
        self.is_empty()
    }

    fn are_kept(&self, _: &[Kept]) -> bool {
        false
    }

    fn addresses(&self) -> Option<Addresses> {
        None
    }

    fn are_at(&self, _: &Addresses) -> bool {
        false
    }

    fn keep_in(&self, kept: &mut Kepts) {
        kept.extend(self.iter().cloned());
    }
}

/// In an object: the number of the capture that last took it into its list. An object that is used by many
/// nodes of a capture is listed once, and later uses need no lock.
pub(super) struct KeptBy(AtomicU64);

impl KeptBy {
    /// For an object that no capture has listed.
    pub(super) const fn none() -> Self {
        KeptBy(AtomicU64::new(0))
    }

    #[inline]
    pub(super) fn is(&self, capture: u64) -> bool {
        self.0.load(Ordering::Acquire) == capture
    }

    /// The capture of that number has listed the object.
    pub(super) fn set(&self, capture: u64) {
        self.0.store(capture, Ordering::Release);
    }
}
