//! Resources that work may still use: each is held, with an event behind that work, and looked at from time to time.

use std::sync::atomic::Ordering;

use super::progress::Progress;
use super::state::{
    Callbacks, FindStream, Memory, MemoryState, PendingRelease, Resource, User, Wait, Waiting, IS_FOREIGN,
};
use crate::api::answers::{is_fault, is_pending};
use crate::api::current::relax;
use crate::deferred;
use graphcap_base::error::Status;
use graphcap_base::lock::lock;
use graphcap_driver::{callbacks, StreamId};

/// Number of held resources that a call looks at on its way, so that no call pays for many.
const LOOKS: usize = 4;

impl Memory {
    /// Gives a resource back when the work submitted so far to `used_by` is complete.
    pub(crate) fn release(&self, resource: Resource, used_by: &[StreamId], find: FindStream<'_>) {
        // Where this fails, what follows does, and the resource waits.
        let _ready = self.ready();
        let mut state = lock(&self.state);
        let mut waiting = Vec::with_capacity(used_by.len());
        for &stream in used_by {
            match stream {
                StreamId::PER_THREAD => {
                    waiting.extend(state.threads.keys().map(|&thread| Waiting::User(User::Thread(thread))));
                    let departed = state.departed.keys().filter(|user| matches!(user, User::Thread(_)));
                    waiting.extend(departed.map(|&user| Waiting::User(user)));
                }
                StreamId(id) if id & IS_FOREIGN != 0 => waiting.push(Waiting::User(User::Foreign(id & !IS_FOREIGN))),
                stream => waiting.push(Waiting::User(User::Stream(stream))),
            }
        }
        let held = PendingRelease { resource, waiting, stamp: self.stamp() };
        let mut callbacks: Callbacks = self.go_on(&mut state, held, find).into_iter().collect();
        self.look_at_held(&mut state, LOOKS, find, &mut callbacks);
        drop(state);
        run_all(callbacks);
    }

    /// Looks whether what is held can go: at some of it, or at all.
    pub(crate) fn look(&self, all: bool, find: FindStream<'_>) {
        if !self.waits() {
            return;
        }
        let _ready = self.ready();
        let mut callbacks = Callbacks::new();
        let mut state = lock(&self.state);
        self.look_at_held(&mut state, if all { usize::MAX } else { LOOKS }, find, &mut callbacks);
        drop(state);
        run_all(callbacks);
    }

    /// Looks at the `most` resources whose turn it is, and at all streams that departed.
    fn look_at_held(&self, state: &mut MemoryState, most: usize, find: FindStream<'_>, callbacks: &mut Callbacks) {
        self.end_departed(state, |departed| match departed.event {
            // SAFETY: the event is ours and lives.
            Some(event) => !is_pending(unsafe { self.device.api.cuEventQuery(event) }),
            None => false,
        });
        for _ in 0..most.min(state.held.len()) {
            let Some(held) = state.held.pop_front() else { break };
            callbacks.extend(self.go_on(state, held, find));
        }
        self.held.store(state.held.len(), Ordering::Release);
    }

    /// Returns whether something is held that others may use, or will be when it is released.
    pub(crate) fn waits_for_others(&self) -> bool {
        self.foreign.load(Ordering::Acquire) > self.waited.load(Ordering::Acquire)
            || self.holds() && lock(&self.state).held.iter().any(PendingRelease::waits_for_others)
    }

    /// Returns whether something is held.
    #[inline]
    pub(crate) fn holds(&self) -> bool {
        self.held.load(Ordering::Acquire) > 0
    }

    /// Returns whether there is something to be looked at from time to time.
    #[inline]
    pub(crate) fn waits(&self) -> bool {
        self.holds() || self.departing.load(Ordering::Acquire)
    }

    /// After a wait for the whole context: what was released before it began goes back.
    pub(crate) fn completed_all(&self, Wait { waits, since }: Wait) {
        self.waited.fetch_max(waits, Ordering::AcqRel);
        let _relaxed = relax(self.device.api);
        let mut state = lock(&self.state);
        state.threads.retain(|_, noted| *noted >= waits);
        self.end_departed(&mut state, |departed| departed.stamp < since);
        let mut callbacks = Callbacks::new();
        for held in std::mem::take(&mut state.held) {
            if held.stamp < since {
                callbacks.extend(self.let_go(&mut state, held));
            } else {
                state.held.push_back(held);
            }
        }
        self.held.store(state.held.len(), Ordering::Release);
        drop(state);
        run_all(callbacks);
    }

    /// Gives a resource back if all its users are done, else holds it.
    fn go_on(
        &self,
        state: &mut MemoryState,
        mut held: PendingRelease,
        find: FindStream<'_>,
    ) -> Option<Box<dyn FnOnce() + Send>> {
        held.waiting.retain_mut(|waiting| match waiting {
            Waiting::User(user) => match self.progress(state, *user, find) {
                Progress::Done => false,
                Progress::Unknown | Progress::Busy => true,
                Progress::Behind(event) => {
                    *waiting = Waiting::Event(event, *user);
                    true
                }
            },
            // SAFETY: the event is ours and lives.
            Waiting::Event(event, user) => match unsafe { self.device.api.cuEventQuery(*event) } {
                Err(refusal) if refusal.status == Status::NOT_READY => true,
                Err(refusal) if !is_fault(refusal.status) => {
                    // Others captured the mark: it says nothing.
                    state.spare.push(*event);
                    *waiting = Waiting::User(*user);
                    true
                }
                _ => {
                    state.spare.push(*event);
                    false
                }
            },
        });
        if held.waiting.is_empty() {
            return self.let_go(state, held);
        }
        state.held.push_back(held);
        self.held.store(state.held.len(), Ordering::Release);
        None
    }

    /// Gives a resource back. Memory of the caller's gives what is to be run.
    pub(super) fn let_go(&self, state: &mut MemoryState, held: PendingRelease) -> Option<Box<dyn FnOnce() + Send>> {
        state.spare.extend(held.waiting.into_iter().filter_map(|waiting| match waiting {
            Waiting::Event(event, _) => Some(event),
            Waiting::User(_) => None,
        }));
        match held.resource {
            Resource::Allocated(address) => {
                self.free(address);
                None
            }
            Resource::Block(address, on_release) => {
                self.free(address);
                on_release();
                None
            }
            Resource::Adopted(on_release) => Some(on_release),
            Resource::Event(event) => {
                // SAFETY: core has let go of the event, and no launch uses it any more.
                let _ = unsafe { self.device.api.cuEventDestroy_v2(event) };
                None
            }
            Resource::Use(use_of, on_release) => {
                use_of.ends();
                on_release.into_iter().for_each(|on_release| on_release());
                None
            }
            Resource::OnRequest(object) => {
                deferred::on_request(self.primary, object);
                None
            }
            Resource::Carved(range, on_release) => {
                on_release();
                drop(range);
                None
            }
            Resource::Snapshots(_) | Resource::Reserved(_) => None,
        }
    }
}

pub(super) fn run_all(callbacks: Callbacks) {
    callbacks.into_iter().for_each(callbacks::run_release);
}
