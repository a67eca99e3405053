//! Provenance of addresses: the live memory of a context by its addresses, and what the device answered about
//! other addresses.
//!
//! **Owners.** Several ranges may hold an address, since wrapped memory may lie within other memory. The owner of an
//! address is, of the ranges that hold its byte, the one that starts latest, and of several such the one made latest: the
//! innermost, where ranges are nested. An address that is the byte of no range but one past the end of some belongs to the
//! one of these that starts latest, then the one made latest. So the end of one range that is the first byte of another
//! belongs to the other.
//!
//! **Life.** The index holds nothing alive. Memory leaves it as the first step of going; what is just going is not found.

mod answers;
mod intervals;

use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::sync::{Arc, Weak};

use smallvec::SmallVec;

use self::intervals::{Intervals, Key};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{Address, MemoryId};

pub(crate) use answers::Answers;
pub use answers::Moment;

/// The live memory of a context by its addresses. Each range has the name that the device gave its memory; later memory has
/// greater names.
pub(crate) struct Index<T: ?Sized>(Mutex<Ranges<T>, rank::Addresses>);

/// Number of ranges that are young. Most memory that goes soon goes while it is among the youngest.
const YOUNG: usize = 16;

struct Ranges<T: ?Sized> {
    /// The ranges that were made last, since when nothing was looked up: to enter and remove one of them takes a few
    /// nanoseconds, however many ranges there are.
    young: VecDeque<(Key, Address, Weak<T>)>,
    old: Intervals<Weak<T>>,
}

impl<T: ?Sized> Ranges<T> {
    fn insert(&mut self, key: Key, end: Address, memory: Weak<T>) {
        if self.young.len() >= YOUNG {
            self.age();
        }
        self.young.push_back((key, end, memory));
    }

    fn remove(&mut self, key: Key) -> Option<Weak<T>> {
        match self.young.iter().rposition(|(young, ..)| *young == key) {
            Some(at) => self.young.remove(at).map(|(.., memory)| memory),
            None => self.old.remove(key),
        }
    }

    /// Makes the oldest of the young ranges an old one.
    fn age(&mut self) {
        if let Some((key, end, memory)) = self.young.pop_front() {
            self.old.insert(key, end, memory);
        }
    }

    /// All ranges, to be looked up in.
    fn settled(&mut self) -> &Intervals<Weak<T>> {
        while !self.young.is_empty() {
            self.age();
        }
        &self.old
    }
}

/// Finding at an address.
pub(crate) struct Found<T: ?Sized> {
    pub(crate) memory: Arc<T>,
    /// First address of the range.
    pub(crate) start: Address,
    /// Tells whether the address is one past the end of the range.
    pub(crate) is_end: bool,
}

impl<T: ?Sized> Index<T> {
    pub(crate) const fn new() -> Index<T> {
        Index(Mutex::new(Ranges { young: VecDeque::new(), old: Intervals::new() }))
    }

    /// Enters the `bytes` bytes at `start`, which do not pass the end of the address space.
    pub(crate) fn insert(&self, start: Address, bytes: usize, name: MemoryId, memory: Weak<T>) {
        lock(&self.0).insert((start, name.0), start + bytes as u64, memory);
    }

    /// Takes a range out.
    pub(crate) fn remove(&self, start: Address, name: MemoryId) {
        // Dropped after the lock.
        let _removed = lock(&self.0).remove((start, name.0));
    }

    /// All that is in ranges, by where these start; once for each range.
    pub(crate) fn all(&self) -> Vec<Arc<T>> {
        let mut all: Vec<_> = {
            let mut ranges = lock(&self.0);
            let upgrade = |(key, weak): (Key, &Weak<T>)| weak.upgrade().map(|memory| (key, memory));
            ranges.settled().all().filter_map(upgrade).collect()
        };
        all.sort_unstable_by_key(|(key, _)| *key);
        all.into_iter().map(|(_, memory)| memory).collect()
    }

    /// The first byte of all ranges, and the last byte that follows one of them; `None` where there is no memory.
    pub(crate) fn bounds(&self) -> Option<RangeInclusive<Address>> {
        lock(&self.0).settled().bounds().map(|(first, end)| first..=end)
    }

    /// Returns how many ranges there are.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        lock(&self.0).settled().len()
    }

    /// The owner of an address.
    pub(crate) fn find(&self, address: Address) -> Option<Found<T>> {
        let mut ranges = lock(&self.0);
        let ranges = ranges.settled();
        // An address that no sum can follow is the byte of no range.
        let holding = address.checked_add(1).and_then(|reach| next(ranges, address, reach, LAST));
        holding.or_else(|| next(ranges, address, address, LAST)).map(|(_, found)| found)
    }

    /// All that hold the byte at an address, then all that end there; within each in the order of who owns it first.
    pub(crate) fn find_all(&self, address: Address) -> SmallVec<[Found<T>; 2]> {
        let (mut all, mut ends) = (SmallVec::new(), SmallVec::<[Found<T>; 2]>::new());
        let mut guard = lock(&self.0);
        let ranges = guard.settled();
        let mut bound = Some(LAST);
        while let Some((key, found)) = bound.and_then(|bound| next(ranges, address, address, bound)) {
            bound = before(key);
            (if found.is_end { &mut ends } else { &mut all }).push(found);
        }
        drop(guard);
        all.append(&mut ends);
        all
    }
}

/// Above all keys.
const LAST: Key = (Address::MAX, u64::MAX);

/// The greatest key below this one.
fn before((start, number): Key) -> Option<Key> {
    match number.checked_sub(1) {
        Some(number) => Some((start, number)),
        None => start.checked_sub(1).map(|start| (start, u64::MAX)),
    }
}

/// The range with the greatest key up to `bound`, of those that start at `address` or before, end at `reach` or beyond, and
/// are not just going.
fn next<T: ?Sized>(
    ranges: &Intervals<Weak<T>>,
    address: Address,
    reach: Address,
    mut bound: Key,
) -> Option<(Key, Found<T>)> {
    loop {
        let range = ranges.latest(bound.min((address, u64::MAX)), reach)?;
        if let Some(memory) = range.value.upgrade() {
            return Some((range.key, Found { memory, start: range.key.0, is_end: range.end == address }));
        }
        bound = before(range.key)?;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    use std::thread;

    use super::*;

    /// Numbers that look random.
    fn next(state: &mut u64, below: u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % below
    }

    /// Memory in the index, as a buffer is: it takes itself out when it goes.
    struct Memory {
        index: Arc<Index<Memory>>,
        start: Address,
        bytes: usize,
        name: MemoryId,
    }

    impl Memory {
        fn new(index: &Arc<Index<Memory>>, start: Address, bytes: usize, name: u64) -> Arc<Memory> {
            let memory = Arc::new(Memory { index: Arc::clone(index), start, bytes, name: MemoryId(name) });
            index.insert(start, bytes, memory.name, Arc::downgrade(&memory));
            memory
        }
    }

    impl Drop for Memory {
        fn drop(&mut self) {
            for found in self.index.find_all(self.start) {
                assert!(found.memory.name != self.name, "what is just going was found");
            }
            self.index.remove(self.start, self.name);
        }
    }

    fn names(found: impl IntoIterator<Item = Found<Memory>>) -> Vec<(u64, Address, bool)> {
        found.into_iter().map(|found| (found.memory.name.0, found.start, found.is_end)).collect()
    }

    /// The rules as they are written, of a list.
    fn expected(list: &[Arc<Memory>], address: Address) -> Vec<(u64, Address, bool)> {
        let end = |memory: &Memory| memory.start + memory.bytes as u64;
        let mut all: Vec<_> = list.iter().filter(|memory| memory.start <= address && address <= end(memory)).collect();
        all.sort_by_key(|memory| (address < end(memory), memory.start, memory.name.0));
        all.iter().rev().map(|memory| (memory.name.0, memory.start, address == end(memory))).collect()
    }

    #[test]
    fn owners_are_the_innermost_and_the_latest() {
        let index = Arc::new(Index::new());
        // Name, start, bytes.
        let list: Vec<_> = [(1, 100, 100), (2, 150, 50), (3, 150, 20), (4, 200, 10), (5, 90, 20), (6, 120, 0x1000)]
            .into_iter()
            .map(|(name, start, bytes)| Memory::new(&index, start, bytes, name))
            .collect();
        let owner = |address| index.find(address).map(|found| (found.memory.name.0, address - found.start));
        for (address, expected) in [
            (89, None),
            (90, Some((5, 0))),
            (99, Some((5, 9))),
            (100, Some((1, 0))),
            (110, Some((1, 10))), // one past the end of 5, and a byte of 1
            (120, Some((6, 0))),
            (150, Some((3, 0))), // of two that start here the one made latest
            (169, Some((3, 19))),
            (170, Some((2, 20))), // one past the end of 3
            (199, Some((2, 49))),
            (200, Some((4, 0))), // the end of 1 and 2
            (210, Some((6, 90))),
            (120 + 0x1000, Some((6, 0x1000))), // an end, and a byte of none
            (121 + 0x1000, None),
            (0, None),
            (u64::MAX, None),
        ] {
            assert_eq!(owner(address), expected, "{address}");
        }
        let all: Vec<_> = index.find_all(200).iter().map(|found| found.memory.name.0).collect();
        assert_eq!(all, [4, 6, 2, 1], "those that end there come last");
        drop(list);
        assert_eq!(index.len(), 0);
    }

    #[test]
    fn lookups_are_those_of_a_list_whatever_overlaps_and_goes() {
        let mut state = 5;
        for round in 0..40 {
            let index = Arc::new(Index::new());
            let mut list: Vec<Arc<Memory>> = Vec::new();
            let (space, longest) = [(64, 16), (3000, 3), (3000, 1000)][round % 3];
            for name in 1..300 {
                match next(&mut state, 5) {
                    0 | 1 if !list.is_empty() => drop(list.swap_remove(next(&mut state, list.len() as u64) as usize)),
                    _ => {
                        let (start, bytes) = (1 + next(&mut state, space), 1 + next(&mut state, longest) as usize);
                        list.push(Memory::new(&index, start, bytes, name));
                    }
                }
                for _ in 0..next(&mut state, 3) * 15 {
                    // Half of them at the places where it matters.
                    let address = match list.get(next(&mut state, 2 * list.len() as u64 + 1) as usize) {
                        Some(memory) => memory.start + [0, memory.bytes as u64][next(&mut state, 2) as usize],
                        None => next(&mut state, space + longest),
                    };
                    let expected = expected(&list, address);
                    assert_eq!(names(index.find_all(address)), expected, "{address}");
                    assert_eq!(names(index.find(address)), expected[..expected.len().min(1)], "{address}");
                }
            }
        }
    }

    /// A buffer that is just going is passed over, and another holder of the address is found.
    #[test]
    fn a_range_whose_memory_is_gone_is_passed_over() {
        let index: Index<u8> = Index::new();
        let (outer, inner) = (Arc::new(1), Arc::new(2));
        index.insert(100, 50, MemoryId(1), Arc::downgrade(&outer));
        index.insert(110, 10, MemoryId(2), Arc::downgrade(&inner));
        assert_eq!(index.find(115).map(|found| *found.memory), Some(2));
        drop(inner);
        assert_eq!(index.find(115).map(|found| *found.memory), Some(1));
        assert_eq!(index.find_all(115).len(), 1);
        drop(outer);
        assert!(index.find(115).is_none());
    }

    #[test]
    fn threads_make_drop_and_look_up_at_once() {
        const SPACE: u64 = 1 << 12;
        let index = Arc::new(Index::new());
        let (last, over) = (AtomicU64::new(0), AtomicBool::new(false));
        thread::scope(|scope| {
            let workers: Vec<_> = (0..3)
                .map(|seed| {
                    let (index, last) = (&index, &last);
                    scope.spawn(move || {
                        let mut state = seed;
                        let mut list = Vec::new();
                        for _ in 0..20_000 {
                            if next(&mut state, 2) == 0 && !list.is_empty() {
                                list.swap_remove(next(&mut state, list.len() as u64) as usize);
                            } else if list.len() < 50 {
                                let name = last.fetch_add(1, Ordering::Relaxed) + 1;
                                let start = 1 + next(&mut state, SPACE);
                                list.push(Memory::new(index, start, 1 + next(&mut state, 200) as usize, name));
                            }
                            // What this thread holds is found, whatever the others do.
                            if let Some(held) = list.last() {
                                let address = held.start + next(&mut state, held.bytes as u64 + 1);
                                assert!(index.find_all(address).iter().any(|found| found.memory.name == held.name));
                                let owner = index.find(address).map(|found| found.memory);
                                assert!(owner.is_some_and(
                                    |owner| owner.start <= address && address <= owner.start + owner.bytes as u64
                                ));
                            }
                        }
                    })
                })
                .collect();
            let (index, over) = (&index, &over);
            scope.spawn(move || {
                let mut state = 99;
                while !over.load(Ordering::Relaxed) {
                    // The last holder may be this one: its drop takes the lock again.
                    drop(index.find_all(next(&mut state, SPACE)));
                }
            });
            let ended: Vec<_> = workers.into_iter().map(|worker| worker.join()).collect();
            over.store(true, Ordering::Relaxed);
            assert!(ended.iter().all(|ended| ended.is_ok()));
        });
        assert_eq!(index.len(), 0);
    }
}
