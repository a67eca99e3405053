//! The memory of a context, and all else that goes back only when no work uses it any more: events and bytes of the host.
//! Only functions that say so wait.
//!
//! The driver's freeing functions wait for all work of the device, even behind a wait that nobody ends. So a resource that
//! work still uses is *held*, with an event behind that work, and looked at from time to time. Nothing waits on the
//! device for it: streams that wait there take queues of the hardware, of which there are few.

pub(super) mod blocking;
mod default_streams;
pub(super) mod graph_memory;
pub(super) mod guard;
mod held;
pub(super) mod managed;
pub(super) mod node_memory;
pub(super) mod pool;
mod progress;
pub(super) mod reserved;
mod state;

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use self::guard::Guard;
use self::held::run_all;
use self::reserved::Range;
use self::state::{Callbacks, MemoryState, IS_FOREIGN};
use super::api::current::{relax, Current};
use super::api::device::{Device, PrimaryContext};
use super::api::DriverError;
use super::deferred;
use super::memory::pool::Pool;
use graphcap_base::error::Status;
use graphcap_base::lock::{lock, Mutex};
use graphcap_base::Deferred;
use graphcap_driver::StreamId;

pub(super) use self::default_streams::{may_begin, no_begin};
pub(super) use self::progress::ContextEnd;
pub(super) use self::state::{FindStream, Memory, OwnedMemory, Resource, User, Wait};

/// Waits for whole contexts are numbered throughout the process: what stands for others may be told to things of any context.
static LAST_WAIT: AtomicU64 = AtomicU64::new(0);

impl Memory {
    /// Memory with a pool of its own, where each buffer is guarded if `is_guarded`. The context must be current.
    pub(super) fn new(
        device: Device,
        primary: PrimaryContext,
        number: u64,
        is_guarded: bool,
    ) -> Result<Memory, DriverError> {
        let state =
            MemoryState { spare: Vec::new(), departed: HashMap::new(), held: VecDeque::new(), threads: HashMap::new() };
        Ok(Memory {
            device,
            primary,
            pool: Pool::new(device, primary.ordinal)?,
            guard: is_guarded.then(Guard::default),
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
    pub(super) fn allocate(&self, bytes: usize, find: FindStream<'_>) -> Result<u64, DriverError> {
        let allocate = || match &self.guard {
            Some(guard) => guard.allocate(&self.pool, bytes),
            None => self.pool.allocate(bytes),
        };
        self.look(false, find);
        match allocate() {
            Err(refusal) if refusal.status == Status::OUT_OF_MEMORY => {
                self.make_room(find);
                if self.guard.is_some() {
                    self.trim_pool();
                }
                allocate()
            }
            answer => answer,
        }
    }

    /// Gives an allocation back, which nothing uses any more.
    fn free(&self, address: u64) {
        if !self.guard.as_ref().is_some_and(|guard| guard.free(&self.pool, address)) {
            self.pool.free(address);
        }
    }

    /// Returns whether bytes begin in guarded addresses, and no live buffer has them all.
    pub(super) fn is_gone(&self, address: u64, bytes: usize) -> bool {
        self.guard.as_ref().is_some_and(|guard| guard.is_gone(address, bytes))
    }

    /// Looks at the canaries of guarded memory. Ends the process where one is damaged.
    #[inline]
    pub(super) fn check_guarded(&self, when: &str) {
        if let Some(guard) = &self.guard {
            guard.check(&self.pool, when);
        }
    }

    /// Maps memory behind reserved addresses.
    pub(super) fn map(
        &self,
        range: &Range,
        offset: usize,
        bytes: usize,
        find: FindStream<'_>,
    ) -> Result<(), DriverError> {
        match range.map(offset, bytes) {
            Err(refusal) if refusal.status == Status::OUT_OF_MEMORY => {
                self.make_room(find);
                self.trim_pool();
                range.map(offset, bytes)
            }
            answer => answer,
        }
    }

    /// Gives back what is free in the pool, which is no room for mappings.
    fn trim_pool(&self) {
        if let (Ok(_relaxed), Ok(_current)) = (relax(self.device.api), self.device.enter()) {
            let _ = self.pool.trim();
        }
    }

    /// Gives back what can go.
    fn make_room(&self, find: FindStream<'_>) {
        deferred::drop_left();
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
    fn ready(&self) -> (Option<Deferred<impl FnOnce()>>, Option<Current<'static>>) {
        let api = self.device.api;
        let relaxed = relax(api).or_else(|_| relax(api));
        let current = self.device.enter().or_else(|_| self.device.enter());
        (relaxed.ok(), current.ok())
    }

    /// Returns what stands, among the users of something, for others who may have used it until now.
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
        if let Some(guard) = &self.guard {
            guard.check(&self.pool, "at the end of its context");
            guard.end();
        }
        self.pool.destroy();
        drop(state);
        run_all(callbacks);
    }
}

impl Device {
    /// Makes the context current until the result is dropped.
    #[inline]
    pub(super) fn enter(&self) -> Result<Current<'static>, DriverError> {
        Current::enter(self.api, self.context)
    }
}
