//! Streams of other contexts. A graph may be launched on any stream, so what it keeps may be used by streams that its own
//! context does not know. Such a thing is held in the contexts of those streams, one after another, until their work is
//! complete.

use std::ffi::c_int;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

use smallvec::SmallVec;

use crate::api::device::Device;
use crate::api::EventHandle;
use crate::memory::{Memory, Resource};
use crate::shared::{Shared, CONTEXTS};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{StreamId, Users};

/// Users of something by the contexts of their streams.
#[derive(Default)]
struct Parted {
    own: Users,
    strangers: SmallVec<[(Arc<Shared>, Users); 1]>,
}

impl Parted {
    fn add(&mut self, stranger: Arc<Shared>, stream: StreamId) {
        match self.strangers.iter_mut().find(|(known, _)| Arc::ptr_eq(known, &stranger)) {
            Some((_, users)) => users.add(stream),
            None => {
                let mut users = Users::new();
                users.add(stream);
                self.strangers.push((stranger, users));
            }
        }
    }
}

/// Action on something of `owner` when streams of other contexts use it no more. Each of these contexts holds it.
struct DeferredAction {
    owner: Arc<Shared>,
    then: Mutex<Option<Then>, rank::Behind>,
}

type Then = Box<dyn FnOnce(&Shared) + Send>;

impl Drop for DeferredAction {
    fn drop(&mut self) {
        if let Some(then) = self.then.get_mut().take() {
            then(&self.owner);
        }
        self.owner.life.abroad.fetch_sub(1, Ordering::AcqRel);
        self.owner.ask_for_looks();
    }
}

#[inline]
fn are_contexts_several() -> bool {
    CONTEXTS.are_several.load(Ordering::Acquire)
}

/// The contexts of the process but `context`.
pub(crate) fn others(context: &Shared) -> impl Iterator<Item = Arc<Shared>> {
    let own = context.number;
    let open: SmallVec<[Weak<Shared>; 4]> = match are_contexts_several() {
        true => lock(&CONTEXTS.open).iter().cloned().collect(),
        false => SmallVec::new(),
    };
    open.into_iter().filter_map(|other| other.upgrade()).filter(move |other| other.number != own)
}

impl Shared {
    /// Returns whether the process has, or had, contexts on several devices.
    #[inline]
    pub(crate) fn are_devices_several(&self) -> bool {
        CONTEXTS.are_devices_several.load(Ordering::Acquire)
    }

    /// The device with that number, of which there is a context.
    pub(crate) fn device_with(&self, ordinal: c_int) -> Option<Device> {
        others(self).find(|other| other.primary.ordinal == ordinal).map(|other| other.device)
    }

    /// Returns what streams of this context are called among users of things of any context.
    #[inline]
    pub(crate) fn user(&self, stream: StreamId) -> StreamId {
        stream.in_context(self.number)
    }

    /// Returns whether a stream, of whatever context, was destroyed and all its work is known to be complete.
    pub(crate) fn is_over(&self, id: StreamId) -> bool {
        match id.default_of() {
            Some((context, _)) if context == 0 || context == self.number => false,
            Some((context, _)) => !others(self).any(|other| other.number == context),
            None if self.knows(id) => false,
            None => Memory::stands_for_others(id) || !others(self).any(|other| other.knows(id)),
        }
    }

    /// Returns whether the stream is one of this context and may have work that is not complete.
    fn knows(&self, id: StreamId) -> bool {
        // In this order: it departs before it is taken off the list.
        lock(&self.objects.streams).contains_key(&id) || self.memory.has_departed(id)
    }

    /// Tells the users of something of this context apart by the contexts that their streams are of.
    fn part(&self, used_by: &[StreamId]) -> Parted {
        let mut parted = Parted::default();
        for &stream in used_by {
            match stream.default_of() {
                Some((context, stream)) if context == 0 || context == self.number => parted.own.add(stream),
                Some((context, stream)) => {
                    // One that is gone has no work that is not complete.
                    others(self).filter(|other| other.number == context).for_each(|other| parted.add(other, stream));
                }
                None if Memory::stands_for_others(stream) || !are_contexts_several() || self.knows(stream) => {
                    parted.own.add(stream);
                }
                None => {
                    if let Some(other) = others(self).find(|other| other.knows(stream)) {
                        parted.add(other, stream);
                    }
                }
            }
        }
        parted
    }

    /// Gives something back when the work submitted so far to `used_by` is complete, streams of whatever contexts.
    pub(crate) fn release_resource(&self, resource: Resource, used_by: &[StreamId]) {
        let names_context = |stream: &StreamId| stream.default_of().is_some_and(|(context, _)| context != 0);
        if !are_contexts_several() && !used_by.iter().any(names_context) {
            return self.release_here(resource, used_by);
        }
        let Parted { own, strangers } = self.part(used_by);
        self.behind(strangers, move |owner| owner.release_here(resource, &own));
    }

    /// Events behind the work submitted so far to `used_by`, streams of whatever contexts of this device. They are the caller's.
    ///
    /// # Errors
    /// `ILLEGAL_STATE` where the driver cannot tell how far a stream is, or a stream is of another device and not over.
    pub(crate) fn events_behind(&self, used_by: &[StreamId]) -> Result<Vec<EventHandle>> {
        let Parted { own, strangers } = self.part(used_by);
        let mut events = Vec::new();
        let mut are_known = self.memory.mark_all(&own, &|id, see| self.find(id, see), &mut events);
        for (stranger, users) in &strangers {
            // Held, so that the context is not given back meanwhile. One that is given back has no work.
            let open = lock(&stranger.life.open);
            if *open {
                are_known &= stranger.primary == self.primary
                    && stranger.memory.mark_all(users, &|id, see| stranger.find(id, see), &mut events);
            }
        }
        match are_known {
            true => Ok(events),
            false => {
                events.into_iter().for_each(|event| self.memory.give_back(event));
                Err(not_told())
            }
        }
    }

    /// Gives something back when the work submitted so far to `used_by` is complete, streams of this context.
    fn release_here(&self, resource: Resource, used_by: &[StreamId]) {
        self.memory.release(resource, used_by, &|id, see| self.find(id, see));
        self.ask_for_looks();
    }

    /// Makes `then` when the work submitted so far to those of `used_by` is complete that are streams of other devices, and that
    /// a wait for this device does not cover.
    pub(crate) fn behind_other_devices(&self, used_by: &[StreamId], then: impl FnOnce(&Shared) + Send + 'static) {
        let mut strangers = self.part(used_by).strangers;
        strangers.retain(|(stranger, _)| stranger.primary != self.primary);
        self.behind(strangers, then);
    }

    /// Makes `then` when the work of strangers is complete; now, if there are none.
    fn behind(&self, strangers: SmallVec<[(Arc<Shared>, Users); 1]>, then: impl FnOnce(&Shared) + Send + 'static) {
        if strangers.is_empty() {
            return then(self);
        }
        let Some(owner) = self.life.this.upgrade() else { return then(self) };
        self.life.abroad.fetch_add(1, Ordering::AcqRel);
        let behind = Arc::new(DeferredAction { owner, then: Mutex::new(Some(Box::new(then))) });
        for (stranger, users) in strangers {
            let held = Arc::clone(&behind);
            // Held, so that the context is not given back meanwhile. One that is given back has no work.
            let open = lock(&stranger.life.open);
            if *open {
                let until = Resource::Adopted(Box::new(move || drop(held)));
                stranger.memory.release(until, &users, &|id, see| stranger.find(id, see));
            }
            drop(open);
            stranger.ask_for_looks();
        }
    }
}

#[cold]
fn not_told() -> Error {
    Error::new(
        Status::ILLEGAL_STATE,
        "the graph exec was launched on a stream of which the driver cannot tell now how far it is: one that is being captured, that was \
         destroyed with work on it, the per-thread stream of another thread, one of another device, or one on which a call of another \
         thread goes on; wait for those launches first",
    )
}
