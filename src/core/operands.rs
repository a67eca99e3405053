//! What a call works on: which objects its work needs alive, by a capture's list or by the streams that they know of.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use super::buffer::{Buffer, BufferInner};
use super::entrusted::Entrusted;
use super::event::{Event, EventInner};
use super::lending::Loan;
use super::module::ModuleInner;
use crate::driver::{HostFunction, Retained, Snapshot, StreamId};

/// Something kept alive by a capture and then by its graph.
#[derive(Clone)]
pub(super) enum Kept {
    Buffer(Arc<BufferInner>),
    /// A buffer of another context, with what it knows of the streams of this one.
    Lent(Box<(Arc<BufferInner>, Arc<Loan>)>),
    Module(Arc<ModuleInner>),
    HostFunction(HostFunction),
    Event(Arc<EventInner>),
    Snapshot(Snapshot),
    /// What a graph kept when it became a node of another one.
    Graph(Arc<[Retained]>),
    /// What the caller gave the graph to keep.
    Entrusted(Arc<Entrusted>),
}

impl Kept {
    /// Tells it that work of `streams` may still use it when this reference is gone. Adds to `held` what would go all the same.
    /// `is_over` is the device's [`Streams::stream_is_over`](crate::driver::Streams::stream_is_over).
    pub(super) fn note_uses(&self, streams: &[StreamId], is_over: &dyn Fn(StreamId) -> bool, held: &mut Vec<Snapshot>) {
        match self {
            Kept::Buffer(buffer) => streams.iter().for_each(|&stream| buffer.note_use(stream)),
            Kept::Lent(lent) => streams.iter().for_each(|&stream| lent.1.note_use(stream)),
            Kept::Entrusted(entrusted) => streams.iter().for_each(|&stream| entrusted.note_use(stream)),
            Kept::Event(event) => streams.iter().for_each(|&stream| event.note_use(stream)),
            Kept::Snapshot(snapshot) => held.push(snapshot.clone()),
            Kept::Graph(lists) => lists.iter().for_each(|list| held.extend(list.used_by(streams, is_over))),
            // The driver unloads code, and lets go of functions that it calls, when no work needs them.
            Kept::Module(_) | Kept::HostFunction(_) => {}
        }
    }

    /// Whether dropping it may run code of the caller's.
    pub(super) fn calls_out(&self) -> bool {
        match self {
            Kept::HostFunction(_) => true,
            Kept::Graph(lists) => lists.iter().any(|list| list.calls_out()),
            _ => false,
        }
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
    fn is(&self, capture: u64) -> bool {
        self.0.load(Ordering::Acquire) == capture
    }
}

/// One of the objects that a call works on.
#[derive(Clone, Copy)]
pub(super) enum Operand<'a> {
    Buffer(&'a Buffer),
    /// A buffer of another context, with what it knows of the streams of this one.
    Lent(&'a Buffer, &'a Arc<Loan>),
    Module(&'a Arc<ModuleInner>),
    Event(&'a Event),
    HostFunction(&'a HostFunction),
    Snapshot(&'a Snapshot),
}

impl Operand<'_> {
    /// Tells it that `stream` executes work on it, where it asks for that.
    #[inline(always)]
    fn note_use(self, stream: StreamId) {
        match self {
            Operand::Buffer(buffer) => buffer.note_use(stream),
            Operand::Lent(_, loan) => loan.note_use(stream),
            Operand::Module(_) | Operand::Event(_) | Operand::HostFunction(_) | Operand::Snapshot(_) => {}
        }
    }

    /// `None` for what is listed as often as it is used.
    #[inline(always)]
    fn kept_by(&self) -> Option<&KeptBy> {
        match self {
            Operand::Buffer(buffer) | Operand::Lent(buffer, _) => Some(buffer.kept_by()),
            Operand::Module(module) => Some(&module.kept_by),
            Operand::Event(event) => Some(event.kept_by()),
            Operand::HostFunction(_) | Operand::Snapshot(_) => None,
        }
    }

    fn kept(self) -> Kept {
        match self {
            Operand::Buffer(buffer) => Kept::Buffer(buffer.inner()),
            Operand::Lent(buffer, loan) => Kept::Lent(Box::new((buffer.inner(), Arc::clone(loan)))),
            Operand::Module(module) => Kept::Module(Arc::clone(module)),
            Operand::Event(event) => event.kept(),
            Operand::HostFunction(function) => Kept::HostFunction(Arc::clone(function)),
            Operand::Snapshot(snapshot) => Kept::Snapshot(snapshot.clone()),
        }
    }
}

/// The objects that one call works on.
pub(super) trait Operands {
    /// Whether `is_so` holds for each of them. Stops at the first for which it does not.
    fn all(&self, is_so: impl FnMut(Operand<'_>) -> bool) -> bool;

    /// Tells the objects that `stream` executes work on them.
    #[inline(always)]
    fn note_use(&self, stream: StreamId) {
        self.all(|operand| {
            operand.note_use(stream);
            true
        });
    }

    /// Whether the capture of that number has listed them all.
    #[inline(always)]
    fn are_kept_by(&self, capture: u64) -> bool {
        self.all(|operand| operand.kept_by().is_some_and(|kept_by| kept_by.is(capture)))
    }

    /// Puts those into the list of the capture of that number that it does not have.
    fn keep_in(&self, list: &mut Vec<Kept>, capture: u64) {
        self.all(|operand| {
            let kept_by = operand.kept_by();
            if !kept_by.is_some_and(|kept_by| kept_by.is(capture)) {
                list.push(operand.kept());
                // Afterwards, so that who sees the mark needs no lock.
                if let Some(kept_by) = kept_by {
                    kept_by.0.store(capture, Ordering::Release);
                }
            }
            true
        });
    }

    /// Takes off a list what would be noticed if a call that failed kept it: its caller counts on its callback being
    /// destroyed, and nobody on snapshots that pile up.
    fn take_off(&self, list: &mut Vec<Kept>) {
        self.all(|operand| {
            let is_it = |kept: &Kept| match (kept, operand) {
                (Kept::HostFunction(listed), Operand::HostFunction(function)) => Arc::ptr_eq(listed, function),
                (Kept::Snapshot(listed), Operand::Snapshot(snapshot)) => Arc::ptr_eq(listed, snapshot),
                _ => false,
            };
            if operand.kept_by().is_none() {
                if let Some(at) = list.iter().rposition(is_it) {
                    // Not its end: the caller holds it too.
                    list.swap_remove(at);
                }
            }
            true
        });
    }

    /// The objects for a list of their own.
    fn collect<L: Default + Extend<Kept>>(&self) -> L {
        let mut list = L::default();
        self.all(|operand| {
            list.extend([operand.kept()]);
            true
        });
        list
    }
}

impl Operands for Operand<'_> {
    #[inline]
    fn all(&self, mut is_so: impl FnMut(Operand<'_>) -> bool) -> bool {
        is_so(*self)
    }
}

/// The buffers of a copy or memset.
impl<const N: usize> Operands for [&Buffer; N] {
    #[inline]
    fn all(&self, mut is_so: impl FnMut(Operand<'_>) -> bool) -> bool {
        self.iter().all(|buffer| is_so(Operand::Buffer(buffer)))
    }
}
