//! Progress of the users of held resources: streams that live, streams that departed, and others.

use std::ffi::c_uint;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use cudarc::driver::sys::CUevent_flags;

use super::default_streams::{no_begin, NOTED};
use super::state::{DestroyedStream, FindStream, Memory, MemoryState, PendingRelease, User, Waiting, IS_FOREIGN};
use crate::api::answers::{is_fault, is_pending};
use crate::api::{self, DriverError, EventHandle, Handle};
use crate::streams::stream::Stream;
use graphcap_base::lock::lock;
use graphcap_base::thread::this_thread;
use graphcap_driver::StreamId;

/// Number of looks at a stream of which it cannot be told how far it is.
const LOOKS: u32 = 20;
/// Longest time for which a call of another thread on a stream is waited for.
const LONGEST_CALL: Duration = Duration::from_secs(1);
/// Time between two looks.
const PAUSE: Duration = Duration::from_micros(50);

/// Progress of a user.
pub(super) enum Progress {
    /// All its work is complete.
    Done,
    /// The event follows its work.
    Behind(EventHandle),
    /// It cannot be told now.
    Unknown,
    /// It cannot be told while a call of another thread on the stream is in progress.
    Busy,
}

/// Progress of the end of a context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ContextEnd {
    /// Work that needs something may still run.
    Pending,
    /// No work is left.
    Idle,
    /// Nobody will ever know.
    Unknown,
}

impl Memory {
    /// Before a stream is destroyed: marks the end of its work for memory that will be released later. Until `forget`
    /// has run the stream is found, from then on it has departed: a release meets one or the other.
    pub(crate) fn depart(&self, id: StreamId, stream: &Stream, forget: impl FnOnce()) {
        let _ready = self.ready();
        let mut state = lock(&self.state);
        // Tried twice: what stays unknown now does so for good, and the driver may have been short of memory for a moment.
        let progress = match self.progress_of(&mut state, stream) {
            Progress::Unknown | Progress::Busy => self.progress_of(&mut state, stream),
            known => known,
        };
        let event = match progress {
            Progress::Done => None,
            Progress::Unknown | Progress::Busy => Some(None),
            Progress::Behind(event) => Some(Some(event)),
        };
        if let Some(event) = event {
            state.departed.insert(User::Stream(id), DestroyedStream { event, stamp: self.stamp() });
            self.departing.store(true, Ordering::Release);
        }
        forget();
    }

    /// Puts a mark behind this thread's work on its per-thread stream, as the thread says that it is done with that, since
    /// the looks to come may be those of another thread.
    pub(crate) fn depart_own(&self) {
        let _ready = self.ready();
        let (own, per_thread) = (this_thread(), Handle::from_number(2));
        let mut state = lock(&self.state);
        if !state.threads.contains_key(&own) || matches!(self.device.capture(per_thread), Some(Some(_))) {
            return;
        }
        // Tried twice: the driver may have been short of memory for a moment.
        let Some(event) = self.mark(&mut state, per_thread).or_else(|| self.mark(&mut state, per_thread)) else {
            return;
        };
        let departed = DestroyedStream { event: Some(event), stamp: self.stamp() };
        let earlier = state.departed.insert(User::Thread(own), departed);
        state.spare.extend(earlier.and_then(|earlier| earlier.event));
        self.departing.store(true, Ordering::Release);
        state.threads.remove(&own);
        NOTED.set((0, 0));
    }

    /// Returns whether a stream was destroyed with work that is not known to be complete, or stands for others of whom that is
    /// not known.
    pub(crate) fn has_departed(&self, stream: StreamId) -> bool {
        match stream.0 & IS_FOREIGN {
            0 => lock(&self.state).departed.contains_key(&User::Stream(stream)),
            _ => self.waited.load(Ordering::Acquire) < stream.0 & !IS_FOREIGN,
        }
    }

    /// Returns whether a user is no stream of graphcap's, but stands for others or for streams that nobody remembers.
    pub(crate) fn stands_for_others(user: StreamId) -> bool {
        user.0 & IS_FOREIGN != 0
    }

    /// Forgets the streams that departed and of which `ended` is true.
    pub(super) fn end_departed(&self, state: &mut MemoryState, ended: impl Fn(&DestroyedStream) -> bool) {
        let gone: Vec<User> =
            state.departed.iter().filter(|(_, departed)| ended(departed)).map(|(&user, _)| user).collect();
        for departed in gone.iter().filter_map(|user| state.departed.remove(user)).collect::<Vec<_>>() {
            state.spare.extend(departed.event);
        }
        let waiting = state.departed.values().any(|departed| departed.event.is_some());
        self.departing.store(waiting, Ordering::Release);
    }

    /// An event behind the work of a stream that lives and is not captured; `None` when the driver refuses. The context
    /// must be current.
    pub(super) fn mark(&self, state: &mut MemoryState, native: api::StreamHandle) -> Option<EventHandle> {
        self.try_mark(state, native).ok()
    }

    /// An event as of [`Memory::mark`], or what the driver refused.
    pub(super) fn try_mark(
        &self,
        state: &mut MemoryState,
        native: api::StreamHandle,
    ) -> Result<EventHandle, DriverError> {
        let api = self.device.api;
        let event = match state.spare.pop() {
            Some(event) => event,
            None => {
                let mut event = Handle::NULL;
                // SAFETY: `event` is writable; the context is current.
                unsafe { api.cuEventCreate(&mut event, CUevent_flags::CU_EVENT_DISABLE_TIMING as c_uint) }?;
                event
            }
        };
        // SAFETY: the event is ours; the caller promises the stream.
        match unsafe { api.cuEventRecord(event, native) } {
            Ok(()) => Ok(event),
            Err(refusal) => {
                state.spare.push(event);
                Err(refusal)
            }
        }
    }

    /// Puts events into `events` behind the work submitted so far to `users`, where that is not complete. They are the caller's. False
    /// where it cannot be told how far one of them is; the events so far are there all the same.
    pub(crate) fn mark_all(&self, users: &[StreamId], find: FindStream<'_>, events: &mut Vec<EventHandle>) -> bool {
        let _ready = self.ready();
        users.iter().all(|&user| {
            let marked = match user {
                StreamId::LEGACY => self.mark_special(Handle::from_number(1)),
                StreamId::PER_THREAD if !self.knows_not_all() => self.mark_special(Handle::from_number(2)),
                StreamId::PER_THREAD => None,
                StreamId(id) if id & IS_FOREIGN != 0 => None,
                id => match self.progress_soon(User::Stream(id), find) {
                    Progress::Done => return true,
                    Progress::Behind(event) => Some(event),
                    Progress::Unknown | Progress::Busy => None,
                },
            };
            events.extend(marked);
            marked.is_some()
        })
    }

    /// Returns how far a user is, also where a call of another thread is in progress on the stream, as a launch or the end of its handle,
    /// that is over soon.
    fn progress_soon(&self, user: User, find: FindStream<'_>) -> Progress {
        let (mut looks, deadline) = (0, Instant::now() + LONGEST_CALL);
        loop {
            let progress = self.progress(&mut lock(&self.state), user, find);
            looks += 1;
            match progress {
                Progress::Unknown if looks < LOOKS => thread::sleep(PAUSE),
                Progress::Busy if Instant::now() < deadline => thread::sleep(PAUSE),
                progress => return progress,
            }
        }
    }

    /// An event behind the work of a special stream that is not captured.
    fn mark_special(&self, native: api::StreamHandle) -> Option<EventHandle> {
        let _no_begin = no_begin();
        match self.device.ask_capture(native) {
            Ok(None) => self.mark(&mut lock(&self.state), native),
            _ => None,
        }
    }

    /// Takes an event that marks nothing any more.
    pub(crate) fn give_back(&self, event: EventHandle) {
        lock(&self.state).spare.push(event);
    }

    /// Returns how far the end of a context is that nobody uses. The context must be current, the mode relaxed.
    pub(crate) fn ending(&self) -> ContextEnd {
        self.look_at_special();
        let state = lock(&self.state);
        let departing = state.departed.values().filter_map(|departed| departed.event).any(|event| {
            // SAFETY: the event is ours and lives.
            is_pending(unsafe { self.device.api.cuEventQuery(event) })
        });
        // How far a stream was that others captured when it went nobody will know: what it used goes with the context.
        let lost = |waiting: &Waiting| match waiting {
            Waiting::User(User::Foreign(_)) => true,
            Waiting::User(User::Thread(thread)) if state.threads.contains_key(thread) => true,
            Waiting::User(user) => state.departed.get(user).is_some_and(|departed| departed.event.is_none()),
            Waiting::Event(..) => false,
        };
        let held = state.held.iter().any(|held| !held.waiting.iter().all(lost));
        if departing || held || self.legacy_used.load(Ordering::Relaxed) {
            return ContextEnd::Pending;
        }
        // Nor how far others are, or the per-thread stream of another thread, when that thread did not wait for it.
        let unknown = state.departed.values().any(|departed| departed.event.is_none())
            || state.held.iter().any(PendingRelease::waits_for_others);
        if state.threads.is_empty() && !unknown {
            ContextEnd::Idle
        } else {
            ContextEnd::Unknown
        }
    }

    /// Returns whether something is left of which, now or when more is complete, only a wait for all work may tell that it is over.
    pub(crate) fn may_stay_unknown(&self) -> bool {
        let state = lock(&self.state);
        let is_unmarked = |departed: &DestroyedStream| departed.event.is_none();
        !state.held.is_empty() || !state.threads.is_empty() || state.departed.values().any(is_unmarked)
    }

    /// Returns how far a user is.
    pub(super) fn progress(&self, state: &mut MemoryState, user: User, find: FindStream<'_>) -> Progress {
        match user {
            User::Stream(StreamId::LEGACY) => return Progress::Unknown,
            User::Stream(id) => {
                let mut found = None;
                find(id, &mut |stream| found = Some(self.progress_of(state, stream)));
                if let Some(progress) = found {
                    return progress;
                }
            }
            User::Thread(thread) if state.threads.contains_key(&thread) => return Progress::Unknown,
            User::Thread(_) => {}
            User::Foreign(wait) if self.waited.load(Ordering::Acquire) >= wait => return Progress::Done,
            User::Foreign(_) => return Progress::Unknown,
        }
        match state.departed.get(&user) {
            None => Progress::Done,
            Some(DestroyedStream { event: None, .. }) => Progress::Unknown,
            // SAFETY: the event is ours and lives.
            Some(DestroyedStream { event: Some(event), .. }) => match unsafe { self.device.api.cuEventQuery(*event) } {
                Err(refusal) if !is_fault(refusal.status) => Progress::Unknown,
                _ => Progress::Done,
            },
        }
    }

    fn progress_of(&self, state: &mut MemoryState, stream: &Stream) -> Progress {
        let api = self.device.api;
        // Where a call on the stream is in progress, it may be taking it into a capture, or waiting itself.
        let progress = stream.try_settled(|| {
            match self.device.ask_capture(stream.native) {
                Ok(Some(_)) => return Progress::Unknown,
                // To ask for the work of a stream that others can capture may break a capture; a mark does not.
                Ok(None) if stream.is_shared() => {}
                // SAFETY: the stream lives.
                Ok(None) => match unsafe { api.cuStreamQuery(stream.native) } {
                    Err(refusal) if !is_fault(refusal.status) => {}
                    _ => return Progress::Done,
                },
                Err(refusal) if is_fault(refusal.status) => return Progress::Done,
                Err(_) => {}
            }
            let Some(event) = self.mark(state, stream.native) else { return Progress::Unknown };
            // Others may have begun to capture it meanwhile; the mark is worth nothing then.
            if matches!(self.device.capture(stream.native), Some(None)) {
                return Progress::Behind(event);
            }
            state.spare.push(event);
            Progress::Unknown
        });
        progress.unwrap_or(Progress::Busy)
    }
}
