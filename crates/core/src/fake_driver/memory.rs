//! The fake driver's memory: addresses without bytes, and who used them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};

use super::{FakeDriver, Hook};
use graphcap_base::error::Result;
use graphcap_base::lock::lock;
use graphcap_driver::*;

/// Of one space, whichever context asks, as unified addressing has it.
fn new_address() -> Address {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed) << 32
}

impl FakeDriver {
    /// Others allocate memory, in the place of what is there; gives its number.
    pub(crate) fn foreign(&self, base: Address, bytes: usize) -> u64 {
        let mut state = lock(&self.state);
        let id = state.id();
        state.foreign.insert(base, AddressOrigin { base, bytes, id });
        id
    }

    pub(crate) fn free_foreign(&self, base: Address) {
        lock(&self.state).foreign.remove(&base);
    }

    /// The addresses that were asked about since this was called last.
    pub(crate) fn asked(&self) -> Vec<Address> {
        std::mem::take(&mut lock(&self.state).asked)
    }

    /// Host memory has device addresses of its own from here on, so far behind the CPU's.
    pub(crate) fn map_elsewhere(&self, distance: Address) {
        lock(&self.state).mapped_at = distance;
    }

    pub(crate) fn released(&self) -> Vec<(Address, Vec<StreamId>)> {
        lock(&self.state).released.clone()
    }

    /// Work goes on to use what is released from here on.
    pub(crate) fn hold_releases(&self) {
        lock(&self.state).held = Some(Vec::new());
    }

    /// The work that used what was released is complete.
    pub(crate) fn finish_releases(&self) {
        let held = lock(&self.state).held.take();
        held.into_iter().flatten().for_each(|(users, on_release)| self.run_behind(&users, on_release));
    }

    /// Runs what is to run behind the work of `users`.
    fn run_behind(&self, users: &[StreamId], on_release: Hook) {
        lock(&self.state).waited_for.extend(users);
        on_release();
        let mut state = lock(&self.state);
        let before = state.waited_for.len() - users.len();
        state.waited_for.truncate(before);
    }

    pub(crate) fn is_allocated(&self, address: Address) -> bool {
        lock(&self.state).memory.contains_key(&address)
    }

    /// Lets parts that are carved of reserved addresses overlap from here on.
    pub(crate) fn let_parts_overlap(&self) {
        lock(&self.state).parts = Some(BTreeMap::new());
    }

    /// Returns whether work used what is allocated there, since [`FakeDriver::forget_uses`].
    pub(crate) fn is_used(&self, address: Address) -> bool {
        lock(&self.state).memory.get(&address).is_some_and(|(_, users)| !users.is_empty())
    }

    pub(crate) fn forget_uses(&self) {
        lock(&self.state).memory.values_mut().for_each(|(_, users)| users.clear());
    }
}

impl Memory for FakeDriver {
    fn allocate(&self, bytes: usize, _: MemoryKind) -> Result<(MemoryId, Address)> {
        self.call("allocate", |state| {
            let address = new_address();
            state.memory.insert(address, (bytes, BTreeSet::new()));
            Ok((MemoryId(address), address))
        })
    }
    fn adopt(&self, address: Address, bytes: usize, on_release: Hook) -> Result<MemoryId> {
        self.call("adopt", |state| {
            state.memory.insert(address, (bytes, BTreeSet::new()));
            state.adopted.insert(address, on_release);
            Ok(MemoryId(address))
        })
    }
    fn lend(&self, _: u32) -> Result<()> {
        self.call("lend", |_| Ok(()))
    }
    fn borrow(&self, on_release: Hook) -> Result<MemoryId> {
        self.call("borrow", |state| {
            let address = new_address();
            state.memory.insert(address, (0, BTreeSet::new()));
            state.adopted.insert(address, on_release);
            Ok(MemoryId(address))
        })
    }
    fn entrust(&self, on_release: Hook) -> Result<MemoryId> {
        self.borrow(on_release)
    }
    fn release(&self, MemoryId(address): MemoryId, used_by: &[StreamId]) {
        let on_release = self.call("release", |state| {
            let part = state.parts.as_mut().and_then(|parts| parts.remove(&address));
            let others = state.parts.iter().flat_map(BTreeMap::values);
            let is_shared = part.is_some_and(|part| others.clone().any(|&other| other == part));
            match state.memory.remove(&part.unwrap_or(address)) {
                // Who used it may have used another part there.
                Some(memory) if is_shared => _ = part.map(|part| state.memory.insert(part, memory)),
                Some(_) if part.is_some() => {}
                Some((_, users)) => {
                    let is_waited_for = |user: &&StreamId| used_by.contains(user) || state.waited_for.contains(user);
                    if let Some(missed) = users.difference(&state.over).find(|user| !is_waited_for(user)).copied() {
                        state.violation(format!("memory released without waiting for {missed:?}"));
                    }
                }
                None => state.violation(format!("memory at {address:#x} released twice")),
            }
            state.released.push((address, used_by.to_vec()));
            let on_release = state.adopted.remove(&address);
            Ok(match &mut state.held {
                Some(held) => {
                    held.extend(on_release.map(|on_release| (used_by.to_vec(), on_release)));
                    None
                }
                None => on_release,
            })
        });
        if let Ok(Some(on_release)) = on_release {
            self.run_behind(used_by, on_release);
        }
    }
    fn reserve(&self, bytes: Option<usize>, _: &str) -> Result<Reserved> {
        self.call("reserve", |state| {
            let address = new_address();
            // None of it is there until it is carved.
            state.memory.insert(address, (0, BTreeSet::new()));
            let bytes = bytes.unwrap_or(1 << 20).next_multiple_of(4096);
            // The first address is not their name, which the carved memory there has.
            let memory = MemoryId(address);
            Ok(Reserved { memory, address: address + 4096, bytes, page: 4096, is_apart: false })
        })
    }
    fn back(&self, MemoryId(reserved): MemoryId, offset: usize, bytes: usize) -> Result<()> {
        self.call("back", |state| {
            let twice =
                state.backed.iter().any(|&(of, at, size)| of == reserved && at < offset + bytes && offset < at + size);
            if twice || bytes == 0 || !offset.is_multiple_of(4096) || !bytes.is_multiple_of(4096) {
                state.violation(format!("{bytes} bytes at {offset} cannot be backed"));
            }
            state.backed.push((reserved, offset, bytes));
            Ok(())
        })
    }
    fn unback(&self, MemoryId(reserved): MemoryId, from: usize, end: usize) -> Result<usize> {
        self.call("unback", |state| {
            let first = reserved + 4096;
            let is_used = |(&at, (size, _)): (&u64, &(usize, BTreeSet<StreamId>))| {
                at < first + end as u64 && first + (from as u64) < at + *size as u64
            };
            if state.memory.iter().any(is_used) {
                state.violation(format!("what is in use behind {from} to {end} is unbacked"));
            }
            let goes = |&mut (of, at, _): &mut (u64, usize, usize)| of == reserved && at >= from;
            let gone: usize = state.backed.extract_if(.., goes).map(|(.., bytes)| bytes).sum();
            Ok(end - gone)
        })
    }
    fn carve(
        &self,
        MemoryId(reserved): MemoryId,
        offset: usize,
        bytes: usize,
        on_release: Hook,
    ) -> Result<(MemoryId, Address)> {
        self.call("carve", |state| {
            let backed: usize = state.backed.iter().filter(|(of, ..)| *of == reserved).map(|(.., bytes)| bytes).sum();
            let address = reserved + 4096 + offset as u64;
            if let Some(parts) = &mut state.parts {
                let name = new_address();
                parts.insert(name, address);
                let (size, _) = state.memory.entry(address).or_default();
                *size = bytes.max(*size);
                state.adopted.insert(name, on_release);
                return Ok((MemoryId(name), address));
            }
            let overlaps = state
                .memory
                .iter()
                .any(|(&known, (size, _))| known < address + bytes as u64 && address < known + *size as u64);
            if overlaps || offset + bytes > backed {
                state.violation(format!("{bytes} bytes at {offset} cannot be carved"));
            }
            state.memory.insert(address, (bytes, BTreeSet::new()));
            state.adopted.insert(address, on_release);
            Ok((MemoryId(address), address))
        })
    }
    fn memory_named(&self, _: Address, _: &str) {}
    fn graph_memory(&self) -> Result<GraphMemory> {
        self.call("graph_memory", |_| Ok(GraphMemory { used: 1, used_high: 2, reserved: 3, reserved_high: 4 }))
    }
    fn graph_memory_reset_high(&self) -> Result<()> {
        self.call("graph_memory_reset_high", |_| Ok(()))
    }
    fn trim(&self) -> Result<()> {
        self.call("trim", |_| Ok(()))
    }
    fn graph_memory_trim(&self) -> Result<()> {
        self.call("graph_memory_trim", |_| Ok(()))
    }
    fn address_origin(&self, address: Address) -> Result<Option<AddressOrigin>> {
        self.call("address_origin", |state| {
            state.asked.push(address);
            let own = state.memory.range(..=address).next_back();
            let own = own.map(|(&base, &(bytes, _))| AddressOrigin { base, bytes, id: base });
            let foreign = state.foreign.range(..=address).next_back().map(|(_, origin)| *origin);
            Ok([own, foreign].into_iter().flatten().find(|origin| origin.holds(address)))
        })
    }
    fn host_allocate(&self, bytes: usize, options: HostMemoryOptions) -> Result<HostMemory> {
        self.call("host_allocate", |state| {
            let address = new_address();
            state.memory.insert(address, (bytes, BTreeSet::new()));
            let mapped = options.mapped.then_some(address + state.mapped_at);
            Ok(HostMemory { memory: MemoryId(address), address, mapped })
        })
    }
    fn host_register(
        &self,
        address: Address,
        bytes: usize,
        options: HostMemoryOptions,
        on_release: Hook,
    ) -> Result<HostMemory> {
        self.call("host_register", |state| {
            state.memory.insert(address, (bytes, BTreeSet::new()));
            state.adopted.insert(address, on_release);
            Ok(HostMemory { memory: MemoryId(address), address, mapped: options.mapped.then_some(address) })
        })
    }
    fn host_number(&self, _: Address, _: usize) -> u64 {
        0
    }
    fn host_set_number(&self, _: Address, _: u64) {}
    fn host_bytes(&self, _: Address, to: &mut [u8]) {
        to.fill(0);
    }
}
