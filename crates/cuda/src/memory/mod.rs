//! The memory of a context, and all else that goes back only when no work uses it any more: events and bytes of the host.
//! Only functions that say so wait.
//!
//! The driver's freeing functions wait for all work of the device, even behind a wait that nobody ends. So a resource that
//! work still uses is *held*, with an event behind that work, and looked at from time to time. Nothing waits on the
//! device for it: streams that wait there take queues of the hardware, of which there are few.

pub(super) mod allocation;
mod default_streams;
pub(super) mod graph_memory;
mod held;
pub(super) mod lingering;
pub(super) mod managed;
pub(super) mod node_memory;
pub(super) mod pool;
mod progress;
pub(super) mod reserved;

use std::collections::{HashMap, VecDeque};
use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::Arc;

use self::held::{run_all, Callbacks, Held};
use self::progress::Departed;
use self::reserved::Range;
use super::api::current::{Current, Relaxed};
use super::api::device::Device;
use super::api::{Event, Refusal};
use super::garbage;
use super::math::state::{LeftGenerator, LeftPlan};
use super::memory::pool::Pool;
use super::streams::stream::Stream;
use graphcap_base::error::Status;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::thread::ThreadNumber;
use graphcap_driver::{Snapshot, StreamId};

pub(super) use self::default_streams::{may_begin, no_begin};
pub(super) use self::progress::Ending;

/// What is given back when nothing uses it any more.
pub(super) enum Resource {
    /// An allocation of the pool's, at this address.
    Allocated(u64),
    /// Memory of the caller's, who is told; or what runs code of the caller's when it is dropped.
    Adopted(Box<dyn FnOnce() + Send>),
    /// Addresses that are reserved, with what is behind them.
    Reserved(Arc<Range>),
    /// A part of them, and what is told when it goes, which takes no lock but leaves.
    Carved(Arc<Range>, Box<dyn FnOnce() + Send>),
    /// A block of a pool that lies apart, as [`Resource::Unused`], and what is told when nothing uses it, as above.
    Apart(Arc<lingering::Use>, Box<dyn FnOnce() + Send>),
    /// An event that nodes of graphs record or wait for.
    Event(Event),
    /// Memory that was let go of, and that waits for the end of its use to be allocated again.
    Unused(Arc<lingering::Use>),
    /// A plan of a library's.
    FftPlan(LeftPlan),
    /// A generator of random numbers of a library's.
    Generator(LeftGenerator),
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

/// Waits for whole contexts are numbered throughout the process: what stands for others may be told to things of any context.
static LAST_WAIT: AtomicU64 = AtomicU64::new(0);

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
    state: Mutex<State, rank::MemoryState>,
    /// Length of `State::held`, to look without locking.
    held: AtomicUsize,
    /// Whether something departed whose work has an end to wait for.
    departing: AtomicBool,
    /// Whether work ever went to the legacy stream.
    legacy_used: AtomicBool,
    /// The latest wait for the whole context that began.
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
                self.make_room(find);
                self.pool.allocate(bytes)
            }
            answer => answer,
        }
    }

    /// Maps memory behind reserved addresses.
    pub(super) fn map(&self, range: &Range, offset: usize, bytes: usize, find: FindStream<'_>) -> Result<(), Refusal> {
        match range.map(offset, bytes) {
            Err(refusal) if refusal.status == Status::OUT_OF_MEMORY => {
                self.make_room(find);
                // What is free in the pool is no room for others.
                if let (Ok(_relaxed), Ok(_current)) = (Relaxed::enter(self.device.api), self.device.enter()) {
                    let _ = self.pool.trim();
                }
                range.map(offset, bytes)
            }
            answer => answer,
        }
    }

    /// Gives back what can go.
    fn make_room(&self, find: FindStream<'_>) {
        garbage::sweep();
        {
            let _ready = self.ready();
            self.look_at_special();
        }
        self.look(true, find);
    }

    /// The time of now, for a wait that begins.
    #[inline]
    pub(super) fn now(&self) -> u64 {
        self.clock.load(Ordering::Acquire)
    }

    /// Counts a wait for the whole context, which begins. Threads that use their per-thread stream hereafter say so
    /// again.
    pub(super) fn wait_begins(&self) -> Wait {
        let waits = LAST_WAIT.fetch_add(1, Ordering::SeqCst) + 1;
        self.waits.fetch_max(waits, Ordering::SeqCst);
        Wait { waits, since: self.now() }
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

    /// What stands, among the users of something, for others who may have used it until now.
    pub(super) fn foreign(&self) -> StreamId {
        let wait = LAST_WAIT.load(Ordering::SeqCst) + 1;
        self.foreign.fetch_max(wait, Ordering::AcqRel);
        StreamId(IS_FOREIGN | wait)
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
}

impl Device {
    /// Makes the context current until the result is dropped.
    #[inline]
    pub(super) fn enter(&self) -> Result<Current<'static>, Refusal> {
        Current::enter(self.api, self.context)
    }
}
