//! Memory: who used what, and what is given back when.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::forward::{forward, plain};
use super::{Faulty, Hook, State};
use graphcap_base::error::Result;
use graphcap_driver::*;

/// Unit of the memory behind reserved addresses. The device's own is larger than tests need.
const PAGE: usize = 4096;
/// Time after which a test goes on although work that it waits for does not end.
const MOST_WAITED: Duration = Duration::from_secs(5);

/// Memory that is allocated, and the streams whose work used it.
pub(super) struct Known {
    pub(super) address: Address,
    bytes: usize,
    /// A part of reserved addresses that may overlap others: who used it may have used those.
    is_part: bool,
    pub(super) users: BTreeSet<StreamId>,
    /// True when its release has run what it was to run, or was to run nothing.
    is_over: Arc<AtomicBool>,
}

/// A release that is held up: the memory, the streams that used it, and whether it has run.
pub(super) struct HeldRelease {
    memory: MemoryId,
    used_by: Vec<StreamId>,
    is_over: Arc<AtomicBool>,
}

/// Gives a release that notes when it has run, and that note.
pub(super) fn noted(on_release: Hook) -> (Hook, Arc<AtomicBool>) {
    let is_over = Arc::new(AtomicBool::new(false));
    let note = Arc::clone(&is_over);
    let run = move || {
        on_release();
        note.store(true, Ordering::Release);
    };
    (Box::new(run), is_over)
}

impl Known {
    pub(super) fn holds(&self, address: Address) -> bool {
        (self.address..=self.address + self.bytes as Address).contains(&address)
    }
}

impl State {
    pub(super) fn allocated(&mut self, memory: MemoryId, address: Address, bytes: usize) {
        self.adopted(memory, address, bytes, Arc::new(AtomicBool::new(true)));
    }

    pub(super) fn adopted(&mut self, memory: MemoryId, address: Address, bytes: usize, is_over: Arc<AtomicBool>) {
        self.memory.insert(memory, Known { address, bytes, is_part: false, users: BTreeSet::new(), is_over });
    }

    /// Checks that who used the memory is waited for.
    fn released(&mut self, memory: MemoryId, used_by: &[StreamId]) -> Option<HeldRelease> {
        let Some(known) = self.memory.remove(&memory) else {
            self.violation(format!("{memory:?} released twice"));
            return None;
        };
        self.released.push((known.address, used_by.to_vec()));
        let is_waited_for = |user: &&StreamId| used_by.contains(user) || self.waited_for.contains(user);
        let missed = known.users.difference(&self.over).find(|user| !is_waited_for(user)).copied();
        if let Some(missed) = missed.filter(|_| !known.is_part) {
            self.violation(format!("memory released without waiting for {missed:?}"));
        }
        Some(HeldRelease { memory, used_by: used_by.to_vec(), is_over: known.is_over })
    }
}

impl Faulty {
    /// Others allocate memory, in the place of what is there; gives its number.
    pub(crate) fn foreign(&self, base: Address, bytes: usize) -> u64 {
        let state = &mut *self.state();
        let id = u64::MAX - state.foreign.len() as u64 - state.calls;
        state.foreign.insert(base, AddressOrigin { base, bytes, id });
        id
    }

    pub(crate) fn free_foreign(&self, base: Address) {
        self.state().foreign.remove(&base);
    }

    /// The addresses that were asked about since this was called last.
    pub(crate) fn asked(&self) -> Vec<Address> {
        std::mem::take(&mut self.state().asked)
    }

    /// Host memory has device addresses of its own from here on, so far behind the CPU's.
    pub(crate) fn map_elsewhere(&self, distance: Address) {
        self.state().mapped_at = distance;
    }

    /// Returns what was released, and the streams to wait for: default streams, then others in the order in which they were made.
    pub(crate) fn released(&self) -> Vec<(Address, Vec<StreamId>)> {
        let state = self.state();
        let mut released = state.released.clone();
        let made = |user: &StreamId| state.made.iter().position(|made| made == user).map_or(user.0, |at| 3 + at as u64);
        released.iter_mut().for_each(|(_, users)| users.sort_by_key(made));
        released
    }

    /// Work goes on to use what is released from here on.
    pub(crate) fn hold_releases(&self) {
        self.state().held = Some(Vec::new());
    }

    /// The work that used what was released is complete.
    pub(crate) fn finish_releases(&self) {
        let held = self.state().held.take();
        held.into_iter().flatten().for_each(|held| self.release_behind(held));
    }

    /// Gives memory back, and waits until the work of its users is complete and what is to run then has run.
    fn release_behind(&self, HeldRelease { memory, used_by, is_over }: HeldRelease) {
        self.state().waited_for.extend(&used_by);
        releasing_here(|| self.host.release(memory, &used_by));
        let deadline = Instant::now() + MOST_WAITED;
        while !is_over.load(Ordering::Acquire) && Instant::now() < deadline {
            std::thread::yield_now();
        }
        let waited_for = &mut self.state().waited_for;
        waited_for.truncate(waited_for.len() - used_by.len());
    }

    pub(crate) fn is_allocated(&self, address: Address) -> bool {
        self.state().memory.values().any(|known| known.address == address)
    }

    /// Lets parts that are carved of reserved addresses overlap from here on.
    pub(crate) fn let_parts_overlap(&self) {
        self.state().parts_overlap = true;
    }

    /// Returns whether work used what is allocated there, since [`Faulty::forget_uses`].
    pub(crate) fn is_used(&self, address: Address) -> bool {
        self.state().memory.values().any(|known| known.address == address && !known.users.is_empty())
    }

    pub(crate) fn forget_uses(&self) {
        self.state().memory.values_mut().for_each(|known| known.users.clear());
    }
}

impl Memory for Faulty {
    fn allocate(&self, bytes: usize, kind: MemoryKind) -> Result<(MemoryId, Address)> {
        let note = |state: &mut State, (memory, address)| state.allocated(memory, address, bytes);
        self.call_noting("allocate", || self.host.allocate(bytes, kind), note)
    }
    fn adopt(&self, address: Address, bytes: usize, on_release: Hook) -> Result<MemoryId> {
        let (on_release, is_over) = noted(on_release);
        let note = |state: &mut State, memory| state.adopted(memory, address, bytes, is_over);
        self.call_noting("adopt", || self.host.adopt(address, bytes, on_release), note)
    }
    fn borrow(&self, on_release: Hook) -> Result<MemoryId> {
        let (on_release, is_over) = noted(on_release);
        let note = |state: &mut State, memory: MemoryId| state.adopted(memory, memory.0, 0, is_over);
        self.call_noting("borrow", || self.host.borrow(on_release), note)
    }
    fn entrust(&self, on_release: Hook) -> Result<MemoryId> {
        let (on_release, is_over) = noted(on_release);
        let note = |state: &mut State, memory: MemoryId| state.adopted(memory, memory.0, 0, is_over);
        self.call_noting("entrust", || self.host.entrust(on_release), note)
    }
    fn release(&self, memory: MemoryId, used_by: &[StreamId]) {
        let released = self.call("release", || {
            let state = &mut *self.state();
            let released = state.released(memory, used_by);
            Ok(match &mut state.held {
                Some(held) => {
                    held.extend(released);
                    None
                }
                None => released,
            })
        });
        if let Ok(Some(released)) = released {
            self.release_behind(released);
        }
    }
    fn reserve(&self, bytes: Option<usize>, owner: &str) -> Result<Reserved> {
        // None of it is there until it is carved.
        let note = |state: &mut State, reserved: Reserved| state.allocated(reserved.memory, reserved.memory.0, 0);
        let bytes = bytes.unwrap_or(1 << 20);
        let small = |reserved| Reserved { page: PAGE, bytes: bytes.next_multiple_of(PAGE), ..reserved };
        self.call_noting("reserve", || self.host.reserve(Some(bytes), owner).map(small), note)
    }
    fn unback(&self, reserved: MemoryId, from: usize, end: usize) -> Result<usize> {
        // The device keeps what is left of a page of its own.
        let end_now = from.next_multiple_of(PAGE).min(end);
        self.call("unback", || self.host.unback(reserved, from, end).map(|_| end_now))
    }
    fn carve(&self, reserved: MemoryId, offset: usize, bytes: usize, on_release: Hook) -> Result<(MemoryId, Address)> {
        let (on_release, is_over) = noted(on_release);
        let note = |state: &mut State, (memory, address)| {
            let overlaps = |known: &Known| {
                known.address < address + bytes as Address && address < known.address + known.bytes as Address
            };
            if !state.parts_overlap && state.memory.values().any(overlaps) {
                state.violation(format!("{bytes} bytes at {offset} cannot be carved"));
            }
            let is_part = state.parts_overlap;
            state.memory.insert(memory, Known { address, bytes, is_part, users: BTreeSet::new(), is_over });
        };
        self.call_noting("carve", || self.host.carve(reserved, offset, bytes, on_release), note)
    }
    fn address_origin(&self, address: Address) -> Result<Option<AddressOrigin>> {
        self.call("address_origin", || {
            let foreign = {
                let state = &mut *self.state();
                state.asked.push(address);
                state.foreign.range(..=address).next_back().map(|(_, origin)| *origin)
            };
            match foreign.filter(|origin| origin.holds(address)) {
                None => self.host.address_origin(address),
                foreign => Ok(foreign),
            }
        })
    }
    fn host_allocate(&self, bytes: usize, options: HostMemoryOptions) -> Result<HostMemory> {
        self.call("host_allocate", || {
            let HostMemory { memory, address, mapped } = self.host.host_allocate(bytes, options)?;
            let state = &mut *self.state();
            state.allocated(memory, address, bytes);
            Ok(HostMemory { memory, address, mapped: mapped.map(|mapped| mapped + state.mapped_at) })
        })
    }
    fn host_register(
        &self,
        address: Address,
        bytes: usize,
        options: HostMemoryOptions,
        on_release: Hook,
    ) -> Result<HostMemory> {
        let (on_release, is_over) = noted(on_release);
        let note = |state: &mut State, host: HostMemory| state.adopted(host.memory, address, bytes, is_over);
        self.call_noting("host_register", || self.host.host_register(address, bytes, options, on_release), note)
    }
    forward! {
        fn lend(&self, ordinal: u32) -> Result<()>;
        fn back(&self, reserved: MemoryId, offset: usize, bytes: usize) -> Result<()>;
        fn graph_memory(&self) -> Result<GraphMemory>;
        fn graph_memory_reset_high(&self) -> Result<()>;
        fn trim(&self) -> Result<()>;
        fn graph_memory_trim(&self) -> Result<()>;
    }
    plain! {
        fn releases_at_once(&self) -> bool;
        fn leaves_pinned(&self, address: Address, bytes: usize) -> bool;
        fn memory_named(&self, address: Address, name: &str);
        fn check_guarded(&self);
        fn host_number(&self, address: Address, bytes: usize) -> u64;
        fn host_set_number(&self, address: Address, number: u64);
        fn host_bytes(&self, address: Address, to: &mut [u8]);
    }
}
