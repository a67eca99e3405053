//! Device memory: allocated from a pool of graphcap's own, and given back without ever waiting.
//!
//! The driver's freeing functions wait for all work of the device, even behind a wait that nobody ends. So memory goes
//! back in the order of a *lane*: an internal stream that waits for the streams that used the memory, then frees.

use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::{c_int, c_uint, c_void};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

use cudarc::driver::sys::{
    CUevent_flags, CUmemAllocationHandleType, CUmemAllocationType, CUmemLocation, CUmemLocationType, CUmemPoolProps,
    CUmemPool_attribute, CUpointer_attribute, CUstream_flags,
};

use super::api::{self, Event, Handle, Pool, Refusal};
use super::context::{is_fault, this_thread, Device};
use super::current::{Current, Relaxed};
use super::stream::Stream;
use super::{function, lock};
use crate::driver::{callbacks, StreamId};
use crate::error::Status;

/// What is given back when nothing uses it any more.
pub(super) enum Range {
    /// An allocation of the pool's, at this address.
    Allocated(u64),
    /// Memory of the caller's, who is told.
    Adopted(Box<dyn FnOnce() + Send>),
}

/// Who used a range.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum User {
    /// A stream; of the special ones only the legacy one.
    Stream(StreamId),
    /// The per-thread stream of this thread.
    Thread(u64),
}

/// A range whose last use cannot be marked yet: its user is being captured, or is a special stream, on which graphcap
/// may not put anything unasked.
struct Held {
    range: Range,
    waiting: Vec<User>,
    /// Whose lane waits for the users.
    behind: StreamId,
    /// Whether that lane waits for a user already.
    follows: bool,
    /// When it was released, by the clock of the memory.
    stamp: u64,
}

/// A stream that was destroyed with work on it.
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
    pool: Pool,
    /// Allocations are ordered on it. It never waits for anything.
    allocating: api::Stream,
    state: Mutex<State>,
    /// Length of `State::held`, to look without locking.
    held: AtomicUsize,
    /// Whether work ever went to the legacy stream.
    legacy_used: AtomicBool,
    /// How many waits for the whole context began.
    waits: AtomicU64,
    /// Goes on with every release and departure: a wait covers what came before it began.
    clock: AtomicU64,
    /// Distinct for each context of the process.
    number: u64,
}

struct State {
    /// Recorded and waited for under the lock, again and again.
    marker: Event,
    /// The lane behind each stream, so that memory of one waits for no other. That of the legacy stream serves all
    /// that have none.
    lanes: HashMap<StreamId, api::Stream>,
    /// Lanes of streams that were destroyed.
    spare: Vec<api::Stream>,
    departed: HashMap<StreamId, Departed>,
    held: Vec<Held>,
    /// The threads that used their per-thread stream and did not wait for it yet, each with the `waits` of its latest use.
    threads: HashMap<u64, u64>,
}

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
    /// Makes the pool. The context must be current.
    pub(super) fn new(device: Device, ordinal: c_int, number: u64) -> Result<Memory, Refusal> {
        let api = device.api;
        let _relaxed = Relaxed::enter(api)?;
        let properties = CUmemPoolProps {
            allocType: CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
            handleTypes: CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE,
            location: CUmemLocation { type_: CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE, id: ordinal },
            win32SecurityAttributes: std::ptr::null_mut(),
            maxSize: 0,
            usage: 0,
            reserved: [0; 54],
        };
        let mut pool = Handle::NULL;
        // SAFETY: the properties are whole, and `pool` is writable.
        unsafe { api.cuMemPoolCreate(&mut pool, &properties) }?;
        let made = Self::set_up(device, pool, number);
        if made.is_err() {
            // SAFETY: nothing was allocated from the pool.
            let _ = unsafe { api.cuMemPoolDestroy(pool) };
        }
        made
    }

    fn set_up(device: Device, pool: Pool, number: u64) -> Result<Memory, Refusal> {
        let api = device.api;
        // What is freed stays with the pool until it is trimmed. A block may be used again when its free has run, and
        // never by making the next user wait for that: an allocation would hang behind a stuck stream.
        let mut keep = u64::MAX;
        let mut wait_for_others: c_int = 0;
        let (threshold, dependencies) = (
            CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD as c_uint,
            CUmemPool_attribute::CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES as c_uint,
        );
        // SAFETY: the pool lives, and each attribute has the type that the driver's manual states.
        unsafe {
            api.cuMemPoolSetAttribute(pool, threshold, (&raw mut keep).cast())?;
            api.cuMemPoolSetAttribute(pool, dependencies, (&raw mut wait_for_others).cast())?;
        }
        let allocating = device.make_stream()?;
        let mut marker = Handle::NULL;
        let flags = CUevent_flags::CU_EVENT_DISABLE_TIMING as c_uint;
        // SAFETY: `marker` is writable; the context is current.
        if let Err(refusal) = unsafe { api.cuEventCreate(&mut marker, flags) } {
            // SAFETY: the stream was just made.
            let _ = unsafe { api.cuStreamDestroy_v2(allocating) };
            return Err(refusal);
        }
        let state = State {
            marker,
            lanes: HashMap::new(),
            spare: Vec::new(),
            departed: HashMap::new(),
            held: Vec::new(),
            threads: HashMap::new(),
        };
        Ok(Memory {
            device,
            pool,
            allocating,
            state: Mutex::new(state),
            held: AtomicUsize::new(0),
            legacy_used: AtomicBool::new(false),
            waits: AtomicU64::new(0),
            clock: AtomicU64::new(0),
            number,
        })
    }

    /// Allocates memory that every stream can use at once.
    pub(super) fn allocate(&self, bytes: usize) -> Result<u64, Refusal> {
        let api = self.device.api;
        let _relaxed = Relaxed::enter(api)?;
        let _current = self.device.enter()?;
        let mut address = 0;
        // SAFETY: the pool and the stream live as long as `self`; `address` is writable. The stream waits for nothing, so
        // that waiting for it takes no longer than the allocation.
        unsafe {
            api.cuMemAllocFromPoolAsync(&mut address, bytes, self.pool, self.allocating)?;
            api.cuStreamSynchronize(self.allocating).inspect_err(|_| {
                let _ = api.cuMemFreeAsync(address, self.allocating);
            })?;
        }
        Ok(address)
    }

    /// Free and total bytes of the device.
    pub(super) fn info(&self) -> Option<(usize, usize)> {
        let _current = self.device.enter().ok()?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: both outputs are writable; the context is current.
        unsafe { self.device.api.cuMemGetInfo_v2(&mut free, &mut total) }.ok()?;
        Some((free, total))
    }

    /// Whether `bytes` bytes at `address` belong to an allocation that the driver knows.
    pub(super) fn knows(&self, address: u64, bytes: usize) -> Result<bool, Refusal> {
        let mut attributes = [
            CUpointer_attribute::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR as c_uint,
            CUpointer_attribute::CU_POINTER_ATTRIBUTE_RANGE_SIZE as c_uint,
        ];
        let (mut start, mut size): (u64, usize) = (0, 0);
        let mut values: [*mut c_void; 2] = [(&raw mut start).cast(), (&raw mut size).cast()];
        // SAFETY: each value has the type of its attribute; the driver sets both to 0 for an address that it does not know.
        unsafe { self.device.api.cuPointerGetAttributes(2, attributes.as_mut_ptr(), values.as_mut_ptr(), address) }?;
        let is_inside = address >= start && bytes as u64 <= (start + size as u64).saturating_sub(address);
        Ok(start != 0 && is_inside)
    }

    /// Remembers that `user`, a special stream, is used, by this thread.
    #[inline]
    pub(super) fn note_special(&self, user: User) {
        match user {
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

    /// Counts a wait for the whole context, which begins. Threads that use their per-thread stream hereafter say so again.
    pub(super) fn wait_begins(&self) -> Wait {
        Wait { waits: self.waits.fetch_add(1, Ordering::SeqCst) + 1, since: self.now() }
    }

    fn stamp(&self) -> u64 {
        self.clock.fetch_add(1, Ordering::AcqRel)
    }

    /// Gives a range back when the work submitted so far to `used_by` is complete.
    pub(super) fn release(&self, range: Range, used_by: &[StreamId], find: FindStream<'_>) {
        // Where this fails, what follows does, and the range waits.
        let _ready = (Relaxed::enter(self.device.api), self.device.enter());
        let mut state = lock(&self.state);
        let mut users = Vec::with_capacity(used_by.len());
        for &stream in used_by {
            match stream {
                StreamId::PER_THREAD => users.extend(state.threads.keys().map(|&thread| User::Thread(thread))),
                stream => users.push(User::Stream(stream)),
            }
        }
        // One lane has to wait for all users: of several the common one.
        let behind = match users[..] {
            [User::Stream(only)] => only,
            _ => StreamId::LEGACY,
        };
        let callback =
            self.go_on(&mut state, Held { range, waiting: users, behind, follows: false, stamp: self.stamp() }, find);
        drop(state);
        run_all(callback.into_iter().collect());
    }

    /// Tries again what could not be given back, after a capture ended or a stream went.
    pub(super) fn retry(&self, find: FindStream<'_>) {
        if !self.holds() {
            return;
        }
        let _ready = (Relaxed::enter(self.device.api), self.device.enter());
        let mut state = lock(&self.state);
        let held = std::mem::take(&mut state.held);
        let callbacks: Callbacks = held.into_iter().filter_map(|held| self.go_on(&mut state, held, find)).collect();
        self.held.store(state.held.len(), Ordering::Release);
        drop(state);
        run_all(callbacks);
    }

    /// Whether something waits for a mark that cannot be made yet.
    #[inline]
    pub(super) fn holds(&self) -> bool {
        self.held.load(Ordering::Acquire) > 0
    }

    /// After the caller submitted to a special stream: what waits for it goes on behind that work. The context must be
    /// current.
    pub(super) fn passed(&self, user: User, native: api::Stream) {
        let _relaxed = Relaxed::enter(self.device.api);
        let mut state = lock(&self.state);
        // SAFETY: the marker lives; the stream is a special one of the current context, which is not captured: the
        // legacy one never is, and the per-thread one is that of this thread, which just executed on it.
        if unsafe { self.device.api.cuEventRecord(state.marker, native) }.is_err() {
            return;
        }
        let marker = state.marker;
        if self.follow(&mut state, StreamId::LEGACY, marker) {
            self.settle(state, &[user], true, u64::MAX);
        }
    }

    /// After a wait for a special stream that began at `since`: what was released before waits for it no more.
    pub(super) fn completed(&self, user: User, since: u64) {
        let _relaxed = Relaxed::enter(self.device.api);
        let mut state = lock(&self.state);
        if let User::Thread(thread) = user {
            // The thread itself waited, so it has submitted nothing since.
            state.threads.remove(&thread);
            NOTED.set((0, 0));
        }
        self.settle(state, &[user], false, since);
    }

    /// Takes `users` off what waits for them and was released before `since`. The common lane waits for them if they
    /// are `ahead`, else they are done.
    fn settle(&self, mut state: MutexGuard<'_, State>, users: &[User], ahead: bool, since: u64) {
        for held in state.held.iter_mut().filter(|held| held.stamp < since) {
            let before = held.waiting.len();
            held.waiting.retain(|waiting| !users.contains(waiting));
            held.follows |= ahead && held.waiting.len() < before;
        }
        let (ready, held): (Vec<_>, Vec<_>) =
            std::mem::take(&mut state.held).into_iter().partition(|held| held.waiting.is_empty());
        state.held = held;
        self.held.store(state.held.len(), Ordering::Release);
        let callbacks: Callbacks = ready.into_iter().filter_map(|held| self.let_go(&mut state, held)).collect();
        drop(state);
        run_all(callbacks);
    }

    /// After a wait for the whole context: what was released before it began goes back.
    pub(super) fn completed_all(&self, Wait { waits, since }: Wait) {
        let _relaxed = Relaxed::enter(self.device.api);
        let mut state = lock(&self.state);
        let api = self.device.api;
        state.threads.retain(|_, noted| *noted >= waits);
        state.departed.retain(|_, departed| {
            let complete = departed.stamp < since;
            if let Some(event) = departed.event.filter(|_| complete) {
                // SAFETY: the event is ours, and leaves the list here.
                let _ = unsafe { api.cuEventDestroy_v2(event) };
            }
            !complete
        });
        let (done, held): (Vec<_>, Vec<_>) =
            std::mem::take(&mut state.held).into_iter().partition(|held| held.stamp < since);
        state.held = held;
        self.held.store(state.held.len(), Ordering::Release);
        let callbacks: Callbacks =
            done.into_iter().filter_map(|held| self.free(held.range, self.allocating, true)).collect();
        drop(state);
        run_all(callbacks);
    }

    /// Finds out how far the special streams are, for what waits for them. The context must be current, the mode relaxed.
    ///
    /// Nothing is put on the legacy stream for that, because all blocking streams would wait for it. So the per-thread
    /// streams of other threads stay unknown.
    pub(super) fn look_at_special(&self) {
        let since = self.now();
        let (legacy, per_thread) = (Handle::from_number(1), Handle::from_number(2));
        let complete = |stream: api::Stream| {
            // The driver answers 906 for the legacy stream, without breaking anything, where a look would break a capture.
            match self.device.ask_capture(stream) {
                // SAFETY: special streams always exist; this one is not being captured.
                Ok(None) => !is_pending(unsafe { self.device.api.cuStreamQuery(stream) }),
                Ok(Some(_)) | Err(Refusal { status: Status::CAPTURE_IMPLICIT, .. }) => false,
                // After a fault nothing runs any more.
                Err(_) => true,
            }
        };
        let is_used = self.legacy_used.swap(false, Ordering::SeqCst);
        if is_used && !complete(legacy) {
            self.legacy_used.store(true, Ordering::SeqCst);
        } else if is_used || self.holds() {
            self.settle(lock(&self.state), &[User::Stream(StreamId::LEGACY)], false, since);
        }
        let own = this_thread();
        let is_used = lock(&self.state).threads.contains_key(&own);
        if is_used && complete(per_thread) {
            self.completed(User::Thread(own), since);
        }
    }

    /// Before a stream is destroyed: marks the end of its work for memory that will be released later. Until `forget` has
    /// run the stream is found, from then on it has departed: a release meets one or the other.
    pub(super) fn depart(&self, id: StreamId, stream: &Stream, forget: impl FnOnce()) {
        let api = self.device.api;
        let _ready = (Relaxed::enter(api), self.device.enter());
        let mut state = lock(&self.state);
        state.departed.retain(|_, departed| match departed.event {
            // SAFETY: the event is ours and lives; it is destroyed once, when it leaves the list.
            Some(event) => unsafe {
                let pending = is_pending(api.cuEventQuery(event));
                if !pending {
                    let _ = api.cuEventDestroy_v2(event);
                }
                pending
            },
            None => true,
        });
        let event = match self.progress_of(stream, state.marker) {
            Progress::Done => None,
            Progress::Unknown => Some(None),
            Progress::Behind(_) => Some(self.mark(stream.native)),
        };
        if let Some(event) = event {
            state.departed.insert(id, Departed { event, stamp: self.stamp() });
        }
        let lane = state.lanes.remove(&id);
        state.spare.extend(lane);
        forget();
    }

    /// Makes an event behind the work of a stream that lives and is not captured. The context must be current.
    fn mark(&self, native: api::Stream) -> Option<Event> {
        let (api, mut event) = (self.device.api, Handle::NULL);
        // SAFETY: `event` is writable; the caller promises the stream; an event that marks nothing is ours alone.
        unsafe {
            api.cuEventCreate(&mut event, CUevent_flags::CU_EVENT_DISABLE_TIMING as c_uint).ok()?;
            if api.cuEventRecord(event, native).is_err() {
                let _ = api.cuEventDestroy_v2(event);
                return None;
            }
        }
        Some(event)
    }

    /// Gives unused memory of the pool back to the device.
    pub(super) fn trim(&self) -> Result<(), Refusal> {
        let _relaxed = Relaxed::enter(self.device.api)?;
        // SAFETY: the pool lives as long as `self`.
        unsafe { self.device.api.cuMemPoolTrimTo(self.pool, 0) }
    }

    /// The fault that ended all work of the context, if there was one.
    pub(super) fn fault(&self) -> Option<Refusal> {
        // SAFETY: the stream is ours and lives.
        let asked = unsafe { self.device.api.cuStreamQuery(self.allocating) };
        asked.err().filter(|refusal| is_fault(refusal.status))
    }

    /// How far the end of a context is that nobody uses. The context must be current, the mode relaxed.
    pub(super) fn ending(&self) -> Ending {
        self.look_at_special();
        let state = lock(&self.state);
        let mut lanes = state.lanes.values().chain(&state.spare).chain([&self.allocating]);
        // SAFETY: lanes and events are ours and live.
        let lanes_wait = lanes.any(|&lane| is_pending(unsafe { self.device.api.cuStreamQuery(lane) }));
        let events_wait = state.departed.values().filter_map(|departed| departed.event).any(|event| {
            // SAFETY: as above.
            is_pending(unsafe { self.device.api.cuEventQuery(event) })
        });
        // How far a stream was that others captured when it went nobody will know: what it used goes with the context.
        let lost = |user: &User| match user {
            User::Stream(id) => state.departed.get(id).is_some_and(|departed| departed.event.is_none()),
            User::Thread(_) => true,
        };
        let held = state.held.iter().any(|held| !held.waiting.iter().all(lost));
        if lanes_wait || events_wait || held || self.legacy_used.load(Ordering::Relaxed) {
            return Ending::Pending;
        }
        // Nor how far the per-thread stream of another thread is, when that thread did not wait for it.
        if state.threads.is_empty() {
            Ending::Idle
        } else {
            Ending::Unknown
        }
    }

    /// Destroys the pool and the lanes. The context must be current, the mode relaxed, and nothing may use the memory.
    pub(super) fn destroy(&self) {
        let api = self.device.api;
        let mut state = lock(&self.state);
        let lanes: Vec<_> = state.lanes.drain().map(|(_, lane)| lane).collect();
        let spare = std::mem::take(&mut state.spare);
        let events: Vec<_> = state.departed.drain().filter_map(|(_, departed)| departed.event).collect();
        let callbacks =
            std::mem::take(&mut state.held).into_iter().filter_map(|held| self.free(held.range, self.allocating, true));
        let callbacks: Callbacks = callbacks.collect();
        self.held.store(0, Ordering::Release);
        // SAFETY: all of them are ours, live, and are forgotten here; the caller promises that nothing uses them.
        unsafe {
            for lane in lanes.into_iter().chain(spare).chain([self.allocating]) {
                let _ = api.cuStreamDestroy_v2(lane);
            }
            for event in events.into_iter().chain([state.marker]) {
                let _ = api.cuEventDestroy_v2(event);
            }
            let _ = api.cuMemPoolDestroy(self.pool);
        }
        drop(state);
        run_all(callbacks);
    }

    /// Puts the release of a range behind all of its users, or holds it where that is not possible yet.
    fn go_on(&self, state: &mut State, mut held: Held, find: FindStream<'_>) -> Option<Box<dyn FnOnce() + Send>> {
        let mut follows = held.follows;
        held.waiting.retain(|&user| match self.progress(state, user, find) {
            Progress::Done => false,
            Progress::Unknown => true,
            Progress::Behind(event) => {
                let waits = self.follow(state, held.behind, event);
                follows |= waits;
                !waits
            }
        });
        held.follows = follows;
        if held.waiting.is_empty() {
            return self.let_go(state, held);
        }
        state.held.push(held);
        self.held.store(state.held.len(), Ordering::Release);
        None
    }

    /// How far a user is. Leaves the marker behind its work where that is pending.
    fn progress(&self, state: &mut State, user: User, find: FindStream<'_>) -> Progress {
        let User::Stream(id) = user else { return Progress::Unknown };
        if id == StreamId::LEGACY {
            return Progress::Unknown;
        }
        let mut found = None;
        find(id, &mut |stream| found = Some(self.progress_of(stream, state.marker)));
        if let Some(progress) = found {
            return progress;
        }
        match state.departed.get(&id) {
            Some(Departed { event: Some(event), .. }) => Progress::Behind(*event),
            Some(Departed { event: None, .. }) => Progress::Unknown,
            None => Progress::Done,
        }
    }

    fn progress_of(&self, stream: &Stream, marker: Event) -> Progress {
        let api = self.device.api;
        stream.settled(|| {
            match self.device.ask_capture(stream.native) {
                Ok(Some(_)) => return Progress::Unknown,
                // SAFETY: the stream lives: it is ours, or its owner promised that it outlives the wrapping.
                Ok(None) => match unsafe { api.cuStreamQuery(stream.native) } {
                    Err(refusal) if refusal.status == Status::NOT_READY => {}
                    _ => return Progress::Done,
                },
                Err(refusal) if is_fault(refusal.status) => return Progress::Done,
                // To ask for its work would harm a capture that it may be in; the mark does not, and shows it.
                Err(_) => {}
            }
            // SAFETY: the stream and the marker live.
            match unsafe { api.cuEventRecord(marker, stream.native) } {
                // Others may have begun to capture it meanwhile; the mark is worth nothing then.
                Ok(()) if matches!(self.device.capture(stream.native), Some(None)) => Progress::Behind(marker),
                _ => Progress::Unknown,
            }
        })
    }

    /// Has the lane behind a stream wait for an event; false when the driver refuses.
    fn follow(&self, state: &mut State, behind: StreamId, event: Event) -> bool {
        let lane = self.lane(state, behind);
        // SAFETY: the lane and the event are ours and live.
        lane.is_ok_and(|lane| unsafe { self.device.api.cuStreamWaitEvent(lane, event, 0) }.is_ok())
    }

    /// The lane behind a stream.
    fn lane(&self, state: &mut State, behind: StreamId) -> Result<api::Stream, Refusal> {
        if let Some(&lane) = state.lanes.get(&behind) {
            return Ok(lane);
        }
        let lane = match state.spare.pop() {
            Some(lane) => lane,
            None => self.device.make_stream()?,
        };
        state.lanes.insert(behind, lane);
        Ok(lane)
    }

    /// Gives a range back that waits for nobody any more, or only for what its lane waits for.
    fn let_go(&self, state: &mut State, held: Held) -> Option<Box<dyn FnOnce() + Send>> {
        match state.lanes.get(&held.behind) {
            Some(&lane) if held.follows => self.free(held.range, lane, false),
            _ => self.free(held.range, self.allocating, true),
        }
    }

    /// Frees a range in the order of `stream`. Memory of the caller's gives back what is to be run, if that is `now`.
    fn free(&self, range: Range, stream: api::Stream, now: bool) -> Option<Box<dyn FnOnce() + Send>> {
        match range {
            Range::Allocated(address) => {
                // SAFETY: the address is of the pool, and is freed once; the stream is ours. A driver that refuses keeps it.
                let _ = unsafe { self.device.api.cuMemFreeAsync(address, stream) };
                None
            }
            Range::Adopted(on_release) if now => Some(on_release),
            Range::Adopted(on_release) => {
                // SAFETY: the stream is a lane, which is never captured.
                unsafe { function::run_after(self.device.api, stream, on_release) };
                None
            }
        }
    }
}

/// Whether the driver answered that something is not complete yet.
fn is_pending(answer: Result<(), Refusal>) -> bool {
    matches!(answer, Err(Refusal { status: Status::NOT_READY, .. }))
}

fn run_all(callbacks: Callbacks) {
    callbacks.into_iter().for_each(callbacks::run);
}

impl Device {
    /// Makes a stream for graphcap itself. The context must be current.
    fn make_stream(&self) -> Result<api::Stream, Refusal> {
        let mut stream = Handle::NULL;
        // SAFETY: `stream` is writable.
        unsafe {
            self.api.cuStreamCreateWithPriority(&mut stream, CUstream_flags::CU_STREAM_NON_BLOCKING as c_uint, 0)
        }?;
        Ok(stream)
    }

    /// Makes the context current until the result is dropped.
    #[inline]
    pub(super) fn enter(&self) -> Result<Current<'static>, Refusal> {
        Current::enter(self.api, self.context)
    }
}
