//! The default streams, on which graphcap may not put anything unasked: what is known of their work, and the waits for them.

use std::cell::Cell;
use std::sync::atomic::Ordering;

use super::state::{Memory, User, Wait, Waiting};
use crate::api::answers::{is_fault, is_pending};
use crate::api::current::relax;
use crate::api::{self, DriverError, Handle};
use graphcap_base::error::Status;
use graphcap_base::lock::{lock, rank, Mutex, RwLock, RwLockReadGuard, RwLockWriteGuard};
use graphcap_base::thread::this_thread;
use graphcap_driver::StreamId;

/// Held over a begin of a capture, or a wait that may join one, and, the other way, over a look at the legacy stream,
/// which would break a capture that begins meanwhile.
static BEGINS: RwLock<(), rank::Begins> = RwLock::new(());

/// Lets captures begin for the time of a call that may begin one.
pub(crate) fn may_begin() -> RwLockReadGuard<'static, ()> {
    BEGINS.read()
}

/// Lets no gc_ call begin a capture.
pub(crate) fn no_begin() -> RwLockWriteGuard<'static, ()> {
    BEGINS.write()
}

thread_local! {
    /// The memory whose list of threads this one is in, as far as it knows: its number, and the `waits` then.
    pub(super) static NOTED: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
}

impl Memory {
    /// Remembers that `user`, a special stream, is used, by this thread.
    #[inline]
    pub(crate) fn note_special(&self, user: User) {
        match user {
            User::Foreign(_) => {}
            User::Stream(_) => self.legacy_used.store(true, Ordering::Relaxed),
            User::Thread(thread) => {
                let waits = self.waits.load(Ordering::SeqCst);
                if NOTED.get() != (self.number, waits) {
                    lock(&self.state).threads.insert(thread, waits);
                    NOTED.set((self.number, waits));
                }
            }
        }
    }

    /// After the caller submitted to a special stream: what waits for it has a mark behind that work. The context must
    /// be current.
    pub(crate) fn passed(&self, user: User, native: api::StreamHandle) {
        let _relaxed = relax(self.device.api);
        let mut state = lock(&self.state);
        let mut held = std::mem::take(&mut state.held);
        for waiting in held.iter_mut().flat_map(|held| &mut held.waiting) {
            if matches!(waiting, Waiting::User(waits) if *waits == user) {
                // The stream is not captured: the legacy one never is, and this thread just executed on its own one.
                match self.mark(&mut state, native) {
                    Some(event) => *waiting = Waiting::Event(event, user),
                    None => break,
                }
            }
        }
        state.held = held;
    }

    /// After a wait for a special stream that began at `since`: what was released before waits for it no more.
    pub(crate) fn completed(&self, user: User, since: u64) {
        let mut state = lock(&self.state);
        if let User::Thread(thread) = user {
            // The thread itself waited, so it has submitted nothing since.
            state.threads.remove(&thread);
            NOTED.set((0, 0));
        }
        let all = matches!(user, User::Thread(_));
        for held in state.held.iter_mut().filter(|held| all || held.stamp < since) {
            held.waiting.retain(|waiting| !matches!(waiting, Waiting::User(waits) if *waits == user));
        }
    }

    /// Returns whether another thread used its per-thread stream, of which only a wait for all default streams tells how far it
    /// is.
    pub(crate) fn knows_not_all(&self) -> bool {
        let own = this_thread();
        lock(&self.state).threads.keys().any(|&thread| thread != own)
    }

    /// Waits for the legacy stream and the per-thread streams of all threads, and with them for all blocking streams;
    /// false when that cannot be done now, as where a blocking stream is being captured. The context must be current,
    /// the mode relaxed.
    pub(crate) fn wait_for_default_streams(&self) -> Result<bool, DriverError> {
        let legacy = Handle::from_number(1);
        let event = {
            let _no_begin = no_begin();
            match self.device.ask_capture(legacy) {
                // A mark on the legacy stream is behind the work of all blocking streams.
                Ok(None) => self.mark(&mut lock(&self.state), legacy),
                _ => None,
            }
        };
        let Some(event) = event else { return Ok(false) };
        // SAFETY: the event is ours and lives.
        let waited = unsafe { self.device.api.cuEventSynchronize(event) };
        lock(&self.state).spare.push(event);
        waited.map(|()| true)
    }

    /// Waits for what was submitted to the legacy stream so far; 906, without harm, where a blocking stream is being
    /// captured by now. The context must be current, the mode relaxed.
    pub(crate) fn wait_for_legacy(&self) -> Result<(), DriverError> {
        let legacy = Handle::from_number(1);
        let event = {
            let _no_begin = no_begin();
            self.device.ask_capture(legacy)?;
            self.try_mark(&mut lock(&self.state), legacy)?
        };
        // SAFETY: the event is ours and lives.
        let waited = unsafe { self.device.api.cuEventSynchronize(event) };
        lock(&self.state).spare.push(event);
        waited
    }

    /// After a wait for the default streams: what was released before it began waits for them no more.
    pub(crate) fn completed_default(&self, Wait { waits, since }: Wait) {
        let mut state = lock(&self.state);
        state.threads.retain(|_, noted| *noted >= waits);
        for held in state.held.iter_mut().filter(|held| held.stamp < since) {
            held.waiting.retain(|waiting| !matches!(waiting, Waiting::User(User::Thread(_))));
        }
    }

    /// [`Memory::look_at_special`] for a caller in any capture mode and with any current context.
    pub(crate) fn look_at_special_again(&self) {
        if let (Some(_relaxed), Some(_current)) = self.ready() {
            self.look_at_special();
        }
    }

    /// Finds out how far the special streams are, for what waits for them. The context must be current, the mode
    /// relaxed.
    ///
    /// Nothing is put on the legacy stream for that, because all blocking streams would wait for it. So the per-thread
    /// streams of other threads stay unknown.
    pub(crate) fn look_at_special(&self) {
        // One at a time: of two, the second would take the first one's question for an answer.
        static LOOKING: Mutex<(), rank::Looking> = Mutex::new(());
        let _looking = lock(&LOOKING);
        let _no_begin = no_begin();
        let since = self.now();
        let (legacy, per_thread) = (Handle::from_number(1), Handle::from_number(2));
        let complete = |stream: api::StreamHandle| {
            // The driver answers 906 for the legacy stream, without breaking anything, where a look would break a capture.
            match self.device.ask_capture(stream) {
                // SAFETY: special streams always exist; this one is not being captured.
                Ok(None) => !is_pending(unsafe { self.device.api.cuStreamQuery(stream) }),
                Ok(Some(_)) | Err(DriverError { status: Status::CAPTURE_IMPLICIT, .. }) => false,
                // After a fault nothing runs any more.
                Err(refusal) => is_fault(refusal.status),
            }
        };
        let is_used = self.legacy_used.swap(false, Ordering::SeqCst);
        if is_used && !complete(legacy) {
            self.legacy_used.store(true, Ordering::SeqCst);
        } else if is_used || self.holds() {
            self.completed(User::Stream(StreamId::LEGACY), since);
        }
        let own = this_thread();
        let is_used = lock(&self.state).threads.contains_key(&own);
        if is_used && complete(per_thread) {
            self.completed(User::Thread(own), since);
        }
    }
}
