//! When memory goes back, and what else work may still use, and who uses it. Nothing here waits but where it says so.
//!
//! The driver's freeing functions wait for all work of the device, even behind a wait that nobody ends. So a resource that
//! work still uses is *held*, with an event behind that work, and looked at from time to time. Nothing waits on the
//! device for it: streams that wait there take queues of the hardware, of which there are few.

use std::cell::Cell;
use std::collections::{HashMap, VecDeque};
use std::ffi::{c_int, c_uint};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use cudarc::driver::sys::CUevent_flags;

use super::api::{self, Event, Handle, Refusal};
use super::current::{Current, Relaxed};
use super::pool::Pool;
use super::shared::{is_fault, Device};
use super::stream::Stream;
use super::{garbage, lock};
use crate::driver::{callbacks, Snapshot, StreamId};
use crate::error::Status;
use crate::thread::{this_thread, ThreadNumber};

/// Held over a begin of a capture, or a wait that may join one, and, the other way, over a look at the legacy stream,
/// which would break a capture that begins meanwhile.
static BEGINS: RwLock<()> = RwLock::new(());

/// Lets captures begin for the time of a call that may begin one.
pub(super) fn may_begin() -> RwLockReadGuard<'static, ()> {
    BEGINS.read().unwrap_or_else(PoisonError::into_inner)
}

/// Lets no gc_ call begin a capture.
pub(super) fn no_begin() -> RwLockWriteGuard<'static, ()> {
    BEGINS.write().unwrap_or_else(PoisonError::into_inner)
}

/// What is given back when nothing uses it any more.
pub(super) enum Resource {
    /// An allocation of the pool's, at this address.
    Allocated(u64),
    /// Memory of the caller's, who is told; or what runs code of the caller's when it is dropped.
    Adopted(Box<dyn FnOnce() + Send>),
    /// An event that nodes of graphs record or wait for.
    Event(Event),
    /// Bytes of the host's that nodes of graphs read.
    Snapshots(#[expect(dead_code, reason = "held for their drop alone")] Vec<Snapshot>),
}

/// Who used a resource.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum User {
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
const IS_FOREIGN: u64 = 1 << 63;

/// What a held resource waits for.
enum Waiting {
    /// A user whose work cannot be marked yet: it is being captured, is a special stream, on which graphcap may not put
    /// anything unasked, or has departed.
    User(User),
    /// An event behind a user's work, of this resource alone.
    Event(Event, User),
}

/// A resource that work may still use.
struct Held {
    resource: Resource,
    waiting: Vec<Waiting>,
    /// When it was released, by the clock of the memory.
    stamp: u64,
}

impl Held {
    fn waits_for_others(&self) -> bool {
        self.waiting.iter().any(|waiting| matches!(waiting, Waiting::User(User::Foreign(_))))
    }
}

/// A stream that was destroyed with work on it, or that its thread uses no more.
struct Departed {
    /// What is behind its work; `None` when it could not be marked.
    event: Option<Event>,
    /// When, by the clock of the memory.
    stamp: u64,
}

/// How far a user is.
enum Progress {
    /// All its work is complete.
    Done,
    /// The event follows its work.
    Behind(Event),
    /// It cannot be told now.
    Unknown,
}

/// A wait for the whole context.
pub(super) struct Wait {
    waits: u64,
    since: u64,
}

impl Wait {
    /// One that covers everything.
    pub(super) const ALL: Wait = Wait { waits: u64::MAX, since: u64::MAX };
}

/// The memory of a context.
pub(super) struct Memory {
    device: Device,
    pub(super) pool: Pool,
    state: Mutex<State>,
    /// Length of `State::held`, to look without locking.
    held: AtomicUsize,
    /// Whether something departed whose work has an end to wait for.
    departing: AtomicBool,
    /// Whether work ever went to the legacy stream.
    legacy_used: AtomicBool,
    /// How many waits for the whole context began.
    waits: AtomicU64,
    /// The latest of them that is over.
    waited: AtomicU64,
    /// The latest of them that others are waited for by.
    foreign: AtomicU64,
    /// Goes on with every release and departure: a wait covers what came before it began.
    clock: AtomicU64,
    /// Distinct for each context of the process.
    number: u64,
}

struct State {
    /// Events that mark nothing.
    spare: Vec<Event>,
    /// Who departed with work that may not be complete.
    departed: HashMap<User, Departed>,
    /// In the order in which they are looked at.
    held: VecDeque<Held>,
    /// The threads that used their per-thread stream and did not wait for it yet, each with the `waits` of its latest
    /// use.
    threads: HashMap<ThreadNumber, u64>,
}

/// How many held resources a call looks at on its way, so that no call pays for many.
const LOOKS: usize = 4;

thread_local! {
    /// The memory whose list of threads this one is in, as far as it knows: its number, and the `waits` then.
    static NOTED: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
}

/// How far the end of a context is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// Work that needs something may still run.
    Pending,
    /// No work is left.
    Idle,
    /// Nobody will ever know.
    Unknown,
}

/// Code of the caller's that is to run when no lock is held.
type Callbacks = Vec<Box<dyn FnOnce() + Send>>;

/// Finds a live stream and tells it to the function.
pub(super) type FindStream<'a> = &'a dyn Fn(StreamId, &mut dyn FnMut(&Stream));

impl Memory {
    /// Memory with a pool of its own. The context must be current.
    pub(super) fn new(device: Device, ordinal: c_int, number: u64) -> Result<Memory, Refusal> {
        let state =
            State { spare: Vec::new(), departed: HashMap::new(), held: VecDeque::new(), threads: HashMap::new() };
        Ok(Memory {
            device,
            pool: Pool::new(device, ordinal)?,
            state: Mutex::new(state),
            held: AtomicUsize::new(0),
            departing: AtomicBool::new(false),
            legacy_used: AtomicBool::new(false),
            waits: AtomicU64::new(0),
            waited: AtomicU64::new(0),
            foreign: AtomicU64::new(0),
            clock: AtomicU64::new(0),
            number,
        })
    }

    /// Allocates memory that every stream can use at once.
    pub(super) fn allocate(&self, bytes: usize, find: FindStream<'_>) -> Result<u64, Refusal> {
        self.look(false, find);
        match self.pool.allocate(bytes) {
            Err(refusal) if refusal.status == Status::OUT_OF_MEMORY => {
                garbage::sweep();
                {
                    let _ready = self.ready();
                    self.look_at_special();
                }
                self.look(true, find);
                self.pool.allocate(bytes)
            }
            answer => answer,
        }
    }

    /// Remembers that `user`, a special stream, is used, by this thread.
    #[inline]
    pub(super) fn note_special(&self, user: User) {
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

    /// The time of now, for a wait that begins.
    #[inline]
    pub(super) fn now(&self) -> u64 {
        self.clock.load(Ordering::Acquire)
    }

    /// Counts a wait for the whole context, which begins. Threads that use their per-thread stream hereafter say so
    /// again.
    pub(super) fn wait_begins(&self) -> Wait {
        Wait { waits: self.waits.fetch_add(1, Ordering::SeqCst) + 1, since: self.now() }
    }

    fn stamp(&self) -> u64 {
        self.clock.fetch_add(1, Ordering::AcqRel)
    }

    /// The mode and the context for what graphcap does for itself. Tried twice: what cannot be marked in time may never
    /// be given back, and the driver may have been short of memory for a moment.
    fn ready(&self) -> (Option<Relaxed<'static>>, Option<Current<'static>>) {
        let api = self.device.api;
        let relaxed = Relaxed::enter(api).or_else(|_| Relaxed::enter(api));
        let current = self.device.enter().or_else(|_| self.device.enter());
        (relaxed.ok(), current.ok())
    }

    /// Gives a resource back when the work submitted so far to `used_by` is complete.
    pub(super) fn release(&self, resource: Resource, used_by: &[StreamId], find: FindStream<'_>) {
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
        let held = Held { resource, waiting, stamp: self.stamp() };
        let mut callbacks: Callbacks = self.go_on(&mut state, held, find).into_iter().collect();
        self.look_at_held(&mut state, LOOKS, find, &mut callbacks);
        drop(state);
        run_all(callbacks);
    }

    /// Looks whether what is held can go: at some of it, or at all.
    pub(super) fn look(&self, all: bool, find: FindStream<'_>) {
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
    fn look_at_held(&self, state: &mut State, most: usize, find: FindStream<'_>, callbacks: &mut Callbacks) {
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

    /// Forgets the streams that departed and of which `ended` is true.
    fn end_departed(&self, state: &mut State, ended: impl Fn(&Departed) -> bool) {
        let gone: Vec<User> =
            state.departed.iter().filter(|(_, departed)| ended(departed)).map(|(&user, _)| user).collect();
        for departed in gone.iter().filter_map(|user| state.departed.remove(user)).collect::<Vec<_>>() {
            state.spare.extend(departed.event);
        }
        let waiting = state.departed.values().any(|departed| departed.event.is_some());
        self.departing.store(waiting, Ordering::Release);
    }

    /// Whether something is held that others may use, or will be when it is released.
    pub(super) fn waits_for_others(&self) -> bool {
        self.foreign.load(Ordering::Acquire) > self.waited.load(Ordering::Acquire)
            || self.holds() && lock(&self.state).held.iter().any(Held::waits_for_others)
    }

    /// Whether something is held.
    #[inline]
    pub(super) fn holds(&self) -> bool {
        self.held.load(Ordering::Acquire) > 0
    }

    /// Whether there is something to be looked at from time to time.
    #[inline]
    pub(super) fn waits(&self) -> bool {
        self.holds() || self.departing.load(Ordering::Acquire)
    }

    /// After the caller submitted to a special stream: what waits for it has a mark behind that work. The context must
    /// be current.
    pub(super) fn passed(&self, user: User, native: api::Stream) {
        let _relaxed = Relaxed::enter(self.device.api);
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
    pub(super) fn completed(&self, user: User, since: u64) {
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

    /// What stands, among the users of something, for others who may have used it until now.
    pub(super) fn foreign(&self) -> StreamId {
        let wait = self.waits.load(Ordering::SeqCst) + 1;
        self.foreign.fetch_max(wait, Ordering::AcqRel);
        StreamId(IS_FOREIGN | wait)
    }

    /// After a wait for the whole context: what was released before it began goes back.
    pub(super) fn completed_all(&self, Wait { waits, since }: Wait) {
        self.waited.fetch_max(waits, Ordering::AcqRel);
        let _relaxed = Relaxed::enter(self.device.api);
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

    /// Whether another thread used its per-thread stream, of which only a wait for all default streams tells how far it
    /// is.
    pub(super) fn knows_not_all(&self) -> bool {
        let own = this_thread();
        lock(&self.state).threads.keys().any(|&thread| thread != own)
    }

    /// Waits for the legacy stream and the per-thread streams of all threads, and with them for all blocking streams;
    /// false when that cannot be done now, as where a blocking stream is being captured. The context must be current,
    /// the mode relaxed.
    pub(super) fn wait_for_default_streams(&self) -> Result<bool, Refusal> {
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
    pub(super) fn wait_for_legacy(&self) -> Result<(), Refusal> {
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
    pub(super) fn completed_default(&self, Wait { waits, since }: Wait) {
        let mut state = lock(&self.state);
        state.threads.retain(|_, noted| *noted >= waits);
        for held in state.held.iter_mut().filter(|held| held.stamp < since) {
            held.waiting.retain(|waiting| !matches!(waiting, Waiting::User(User::Thread(_))));
        }
    }

    /// [`Memory::look_at_special`] for a caller in any capture mode and with any current context.
    pub(super) fn look_at_special_again(&self) {
        if let (Some(_relaxed), Some(_current)) = self.ready() {
            self.look_at_special();
        }
    }

    /// Finds out how far the special streams are, for what waits for them. The context must be current, the mode
    /// relaxed.
    ///
    /// Nothing is put on the legacy stream for that, because all blocking streams would wait for it. So the per-thread
    /// streams of other threads stay unknown.
    pub(super) fn look_at_special(&self) {
        // One at a time: of two, the second would take the first one's question for an answer.
        static LOOKING: Mutex<()> = Mutex::new(());
        let _looking = lock(&LOOKING);
        let _no_begin = no_begin();
        let since = self.now();
        let (legacy, per_thread) = (Handle::from_number(1), Handle::from_number(2));
        let complete = |stream: api::Stream| {
            // The driver answers 906 for the legacy stream, without breaking anything, where a look would break a capture.
            match self.device.ask_capture(stream) {
                // SAFETY: special streams always exist; this one is not being captured.
                Ok(None) => !is_pending(unsafe { self.device.api.cuStreamQuery(stream) }),
                Ok(Some(_)) | Err(Refusal { status: Status::CAPTURE_IMPLICIT, .. }) => false,
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

    /// Before a stream is destroyed: marks the end of its work for memory that will be released later. Until `forget`
    /// has run the stream is found, from then on it has departed: a release meets one or the other.
    pub(super) fn depart(&self, id: StreamId, stream: &Stream, forget: impl FnOnce()) {
        let _ready = self.ready();
        let mut state = lock(&self.state);
        // Tried twice: what stays unknown now does so for good, and the driver may have been short of memory for a moment.
        let progress = match self.progress_of(&mut state, stream) {
            Progress::Unknown => self.progress_of(&mut state, stream),
            known => known,
        };
        let event = match progress {
            Progress::Done => None,
            Progress::Unknown => Some(None),
            Progress::Behind(event) => Some(Some(event)),
        };
        if let Some(event) = event {
            state.departed.insert(User::Stream(id), Departed { event, stamp: self.stamp() });
            self.departing.store(true, Ordering::Release);
        }
        forget();
    }

    /// Whether a stream was destroyed with work that is not known to be complete, or stands for others of whom that is
    /// not known.
    pub(super) fn has_departed(&self, stream: StreamId) -> bool {
        match stream.0 & IS_FOREIGN {
            0 => lock(&self.state).departed.contains_key(&User::Stream(stream)),
            _ => self.waited.load(Ordering::Acquire) < stream.0 & !IS_FOREIGN,
        }
    }

    /// An event behind the work of a stream that lives and is not captured; `None` when the driver refuses. The context
    /// must be current.
    fn mark(&self, state: &mut State, native: api::Stream) -> Option<Event> {
        self.try_mark(state, native).ok()
    }

    /// An event as of [`Memory::mark`], or what the driver refused.
    fn try_mark(&self, state: &mut State, native: api::Stream) -> Result<Event, Refusal> {
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

    /// When this thread is done with its per-thread stream, as far as it says: puts a mark behind its work there, since
    /// the looks to come may be those of another thread.
    pub(super) fn depart_own(&self) {
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
        let departed = Departed { event: Some(event), stamp: self.stamp() };
        let earlier = state.departed.insert(User::Thread(own), departed);
        state.spare.extend(earlier.and_then(|earlier| earlier.event));
        self.departing.store(true, Ordering::Release);
        state.threads.remove(&own);
        NOTED.set((0, 0));
    }

    /// How far the end of a context is that nobody uses. The context must be current, the mode relaxed.
    pub(super) fn ending(&self) -> Ending {
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
            return Ending::Pending;
        }
        // Nor how far others are, or the per-thread stream of another thread, when that thread did not wait for it.
        let unknown = state.departed.values().any(|departed| departed.event.is_none())
            || state.held.iter().any(Held::waits_for_others);
        if state.threads.is_empty() && !unknown {
            Ending::Idle
        } else {
            Ending::Unknown
        }
    }

    /// Destroys the pool. The context must be current, the mode relaxed, and nothing may use the memory.
    pub(super) fn destroy(&self) {
        let api = self.device.api;
        let mut state = lock(&self.state);
        let mut callbacks = Callbacks::new();
        for held in std::mem::take(&mut state.held) {
            callbacks.extend(self.let_go(&mut state, held));
        }
        self.held.store(0, Ordering::Release);
        self.end_departed(&mut state, |_| true);
        let spare = std::mem::take(&mut state.spare);
        // SAFETY: all of them are ours, live, and are forgotten here; the caller promises that nothing uses them.
        unsafe {
            for event in spare {
                let _ = api.cuEventDestroy_v2(event);
            }
        }
        self.pool.destroy();
        drop(state);
        run_all(callbacks);
    }

    /// Gives a resource back if all its users are done, else holds it.
    fn go_on(&self, state: &mut State, mut held: Held, find: FindStream<'_>) -> Option<Box<dyn FnOnce() + Send>> {
        held.waiting.retain_mut(|waiting| match waiting {
            Waiting::User(user) => match self.progress(state, *user, find) {
                Progress::Done => false,
                Progress::Unknown => true,
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

    /// How far a user is.
    fn progress(&self, state: &mut State, user: User, find: FindStream<'_>) -> Progress {
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
            Some(Departed { event: None, .. }) => Progress::Unknown,
            // SAFETY: the event is ours and lives.
            Some(Departed { event: Some(event), .. }) => match unsafe { self.device.api.cuEventQuery(*event) } {
                Err(refusal) if !is_fault(refusal.status) => Progress::Unknown,
                _ => Progress::Done,
            },
        }
    }

    fn progress_of(&self, state: &mut State, stream: &Stream) -> Progress {
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
        progress.unwrap_or(Progress::Unknown)
    }

    /// Gives a resource back. Memory of the caller's gives what is to be run.
    fn let_go(&self, state: &mut State, held: Held) -> Option<Box<dyn FnOnce() + Send>> {
        state.spare.extend(held.waiting.into_iter().filter_map(|waiting| match waiting {
            Waiting::Event(event, _) => Some(event),
            Waiting::User(_) => None,
        }));
        match held.resource {
            Resource::Allocated(address) => {
                self.pool.free(address);
                None
            }
            Resource::Adopted(on_release) => Some(on_release),
            Resource::Event(event) => {
                // SAFETY: core has let go of the event, and no launch uses it any more.
                let _ = unsafe { self.device.api.cuEventDestroy_v2(event) };
                None
            }
            Resource::Snapshots(_) => None,
        }
    }
}

/// Whether the driver did not say that something is complete. After a fault nothing runs any more.
fn is_pending(answer: Result<(), Refusal>) -> bool {
    answer.is_err_and(|refusal| !is_fault(refusal.status))
}

fn run_all(callbacks: Callbacks) {
    callbacks.into_iter().for_each(callbacks::run);
}

impl Device {
    /// Makes the context current until the result is dropped.
    #[inline]
    pub(super) fn enter(&self) -> Result<Current<'static>, Refusal> {
        Current::enter(self.api, self.context)
    }
}
