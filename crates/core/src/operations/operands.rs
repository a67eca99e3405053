//! Operands of a call: which objects its work needs alive, by a capture's list or by the streams that they know of.

use std::sync::Arc;

use crate::graphs::uses::{Kind, Uses};
use crate::keep::{Addresses, Keep, Kept, KeptBy, Kepts, Needs};
use crate::objects::buffer::{Buffer, LentBuffer};
use crate::objects::device_object::DeviceObject;
use crate::objects::event::Event;
use crate::objects::module::ModuleInner;
use crate::pools::reuse::CaptureBlock;
use crate::state::{Context, ContextInner, Loan};
use graphcap_driver::{HostFunction, Snapshot, StreamId};

/// One of the objects that a call works on.
#[derive(Clone, Copy)]
pub(crate) enum Operand<'a> {
    Buffer(&'a Buffer),
    /// A buffer of another context, with what it knows of the streams of this one.
    Lent(&'a Buffer, &'a Arc<Loan>),
    Module(&'a Arc<ModuleInner>),
    Event(&'a Event),
    Device(&'a Arc<DeviceObject>),
    HostFunction(&'a HostFunction),
    Snapshot(&'a Snapshot),
    /// The context of a stream that enters the capture of another one.
    Context(&'a Context),
}

impl<'a> Operand<'a> {
    /// Tells it that `stream` executes work on it, where it asks for that.
    #[inline(always)]
    fn note_use(self, stream: StreamId) {
        match self {
            Operand::Buffer(buffer) => buffer.note_use(stream),
            Operand::Lent(_, loan) => loan.note_use(stream),
            Operand::Device(object) => object.note_use(stream),
            Operand::Module(module) => module.note_launch(stream),
            Operand::Event(_) | Operand::HostFunction(_) | Operand::Snapshot(_) | Operand::Context(_) => {}
        }
    }

    /// Returns what it knows of a capture that may use its memory again.
    #[inline(always)]
    pub(crate) fn capture_block(self) -> Option<&'a CaptureBlock> {
        match self {
            Operand::Buffer(buffer) | Operand::Lent(buffer, _) => buffer.capture_block(),
            Operand::Device(_)
            | Operand::Module(_)
            | Operand::Event(_)
            | Operand::HostFunction(_)
            | Operand::Snapshot(_)
            | Operand::Context(_) => None,
        }
    }

    /// `None` for what is listed as often as it is used.
    #[inline(always)]
    fn kept_by(&self) -> Option<&KeptBy> {
        match self {
            Operand::Buffer(buffer) | Operand::Lent(buffer, _) => Some(buffer.kept_by()),
            Operand::Module(module) => Some(&module.kept_by),
            Operand::Event(event) => Some(event.kept_by()),
            Operand::Device(object) => Some(&object.kept_by),
            Operand::HostFunction(_) | Operand::Snapshot(_) | Operand::Context(_) => None,
        }
    }

    /// Returns whether `kept` keeps it alive. False for what is kept anew by each who needs it.
    #[inline(always)]
    fn is_kept(&self, kept: &Kept) -> bool {
        match self {
            Operand::Buffer(buffer) => buffer.is_kept(kept),
            Operand::Module(module) => kept.is_of(module),
            Operand::Event(event) => event.is_kept(kept),
            Operand::Device(object) => kept.is_of(object),
            Operand::Lent(..) | Operand::HostFunction(_) | Operand::Snapshot(_) | Operand::Context(_) => false,
        }
    }

    /// The address of the object that [`Operand::kept`] keeps alive, of a buffer or a module.
    #[inline(always)]
    fn address(&self) -> Option<usize> {
        match self {
            Operand::Buffer(buffer) => Some(buffer.inner_address()),
            Operand::Module(module) => Some(Arc::as_ptr(module).addr()),
            _ => None,
        }
    }

    #[inline(always)]
    pub(crate) fn kept(self) -> Kept {
        self.kept_for(0)
    }

    /// As [`Operand::kept`], for the capture of that number, 0 for others.
    #[inline(always)]
    fn kept_for(self, capture: u64) -> Kept {
        if let Some(block) = self.capture_block() {
            // What is lent is used by a stream of which the block's capture knows nothing.
            if !block.is_of(capture) || matches!(self, Operand::Lent(..)) {
                block.note_elsewhere();
            }
        }
        match self {
            Operand::Buffer(buffer) => Kept::Object(buffer.inner()),
            Operand::Lent(buffer, loan) => {
                Kept::Object(Arc::new(LentBuffer { buffer: buffer.inner(), loan: Arc::clone(loan) }))
            }
            Operand::Module(module) => Kept::Object(Arc::<ModuleInner>::clone(module)),
            Operand::Event(event) => Kept::Object(event.inner()),
            Operand::Device(object) => Kept::Object(Arc::<DeviceObject>::clone(object)),
            Operand::HostFunction(function) => Kept::HostFunction(Arc::clone(function)),
            Operand::Snapshot(snapshot) => Kept::Snapshot(snapshot.clone()),
            Operand::Context(context) => Kept::Object(Arc::<ContextInner>::clone(&context.0)),
        }
    }
}

/// A graph keeps the contexts of the streams that recorded its nodes.
impl Keep for ContextInner {
    /// The driver knows by itself how far the work of its streams is.
    fn note_use(&self, _: StreamId) {}

    fn kind(&self) -> Kind {
        Kind::Context
    }

    /// Which of the nodes were recorded by its streams is not known.
    fn users(&self, _: &Uses, _: &mut Vec<usize>) {}
}

/// The objects that one call works on.
pub(crate) trait Operands {
    /// Returns whether `is_so` holds for each of them. Stops at the first for which it does not.
    fn all(&self, is_so: impl FnMut(Operand<'_>) -> bool) -> bool;

    /// Tells the objects that `stream` executes work on them.
    #[inline(always)]
    fn note_use(&self, stream: StreamId) {
        self.all(|operand| {
            operand.note_use(stream);
            true
        });
    }

    /// Tells the objects that `stream` executes work on them, which no capture knows, or may execute it.
    #[inline(always)]
    fn note_executed(&self, stream: StreamId) {
        self.all(|operand| {
            operand.note_use(stream);
            if let Some(block) = operand.capture_block() {
                block.note_elsewhere();
            }
            true
        });
    }

    /// Returns whether the capture of that number has listed them all.
    #[inline(always)]
    fn are_kept_by(&self, capture: u64) -> bool {
        self.all(|operand| operand.kept_by().is_some_and(|kept_by| kept_by.is(capture)))
    }

    /// Puts those into the list of the capture of that number that it does not have.
    fn keep_in(&self, list: &mut Vec<Kept>, capture: u64) {
        self.all(|operand| {
            let kept_by = operand.kept_by();
            if !kept_by.is_some_and(|kept_by| kept_by.is(capture)) {
                list.push(operand.kept_for(capture));
                // Afterwards, so that who sees the mark needs no lock.
                if let Some(kept_by) = kept_by {
                    kept_by.set(capture);
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

impl<O: Operands> Needs for O {
    fn is_nothing(&self) -> bool {
        self.all(|_| false)
    }

    fn are_kept(&self, kept: &[Kept]) -> bool {
        let mut rest = kept.iter();
        self.all(|operand| rest.next().is_some_and(|kept| operand.is_kept(kept))) && rest.next().is_none()
    }

    #[inline(always)]
    fn are_at(&self, addresses: &Addresses) -> bool {
        let mut rest = addresses.iter();
        self.all(|operand| operand.address().is_some_and(|address| rest.next() == Some(&address)))
            && rest.next().is_none_or(|&address| address == 0)
    }

    fn addresses(&self) -> Option<Addresses> {
        let mut addresses = Addresses::default();
        let mut places = addresses.iter_mut();
        let are_all = self.all(|operand| match (operand.address(), places.next()) {
            (Some(address), Some(place)) => {
                *place = address;
                true
            }
            _ => false,
        });
        are_all.then_some(addresses)
    }

    fn keep_in(&self, kept: &mut Kepts) {
        self.all(|operand| {
            kept.push(operand.kept());
            true
        });
    }
}

impl Operands for Operand<'_> {
    #[inline]
    fn all(&self, mut is_so: impl FnMut(Operand<'_>) -> bool) -> bool {
        is_so(*self)
    }
}

impl Operands for Buffer {
    #[inline(always)]
    fn all(&self, mut is_so: impl FnMut(Operand<'_>) -> bool) -> bool {
        is_so(Operand::Buffer(self))
    }
}

impl<O: Operands + ?Sized> Operands for &O {
    #[inline(always)]
    fn all(&self, is_so: impl FnMut(Operand<'_>) -> bool) -> bool {
        (**self).all(is_so)
    }
}

impl<O: Operands> Operands for Option<O> {
    #[inline(always)]
    fn all(&self, is_so: impl FnMut(Operand<'_>) -> bool) -> bool {
        self.as_ref().is_none_or(|operands| operands.all(is_so))
    }
}

impl<O: Operands> Operands for [O] {
    #[inline(always)]
    fn all(&self, mut is_so: impl FnMut(Operand<'_>) -> bool) -> bool {
        self.iter().all(|operands| operands.all(&mut is_so))
    }
}

impl<O: Operands, const N: usize> Operands for [O; N] {
    #[inline(always)]
    fn all(&self, is_so: impl FnMut(Operand<'_>) -> bool) -> bool {
        self.as_slice().all(is_so)
    }
}

impl<A: Operands, B: Operands> Operands for (A, B) {
    #[inline(always)]
    fn all(&self, mut is_so: impl FnMut(Operand<'_>) -> bool) -> bool {
        self.0.all(&mut is_so) && self.1.all(is_so)
    }
}
