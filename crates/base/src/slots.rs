//! A table from small numbers to shared objects, made for readers.
//!
//! A look-up writes no word that another thread reads, so two threads on the same entry do not slow each
//! other down. A number carries a generation: a removed entry is never found again under its old number.

use std::collections::VecDeque;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use crate::lock::{lock, rank, Mutex, MutexGuard};
use arc_swap::{ArcSwapOption, Guard};

/// Slots of the first chunk; each further chunk is twice as large, so that no chunk ever moves.
pub const FIRST_CHUNK: usize = 64;
/// Bits of an index: at most 16,777,216 objects of one kind can live at a time.
pub const INDEX_BITS: u32 = 24;
/// Chunks of a table.
pub const CHUNKS: usize = (INDEX_BITS - FIRST_CHUNK.trailing_zeros()) as usize + 1;

/// Place of an entry: its slot, and how often that slot had been filled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key {
    /// Number of the slot, below 2 to the power of [`INDEX_BITS`].
    pub index: u32,
    /// At least 1; grows with every entry that the slot holds.
    pub generation: u32,
}

/// An object in the table with the generation it was entered under.
pub struct Entry<T> {
    generation: u32,
    value: T,
}

impl<T> Entry<T> {
    /// The object, where nobody else has the entry any more.
    ///
    /// # Errors
    /// The entry, which others have.
    pub fn into_object(entry: Arc<Entry<T>>) -> Result<T, Arc<Entry<T>>> {
        Arc::try_unwrap(entry).map(|entry| entry.value)
    }
}

impl<T> Deref for Entry<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

/// A borrowed entry. It keeps the object alive without writing a shared reference count.
pub struct Borrowed<T> {
    guard: Guard<Option<Arc<Entry<T>>>>,
}

impl<T> Deref for Borrowed<T> {
    type Target = T;
    fn deref(&self) -> &T {
        match self.guard.as_ref() {
            Some(entry) => &entry.value,
            // `Slots::get` builds a Borrowed only from a filled slot, and the guard cannot change.
            None => unreachable!("a borrowed entry is never empty"),
        }
    }
}

/// A run of slots that never moves.
type Chunk<T> = Box<[ArcSwapOption<Entry<T>>]>;

/// The table. All operations may run on any thread at once.
pub struct Slots<T> {
    chunks: [OnceLock<Chunk<T>>; CHUNKS],
    numbers: Numbers,
}

/// Numbers that can be given out: first those never used, and the freed ones oldest first, so that a
/// number is reused as late as possible.
pub struct Numbers(Mutex<Vacant, rank::Vacant>);

struct Vacant {
    unused: u32,
    freed: VecDeque<Key>,
}

impl Numbers {
    /// All numbers.
    pub const fn new() -> Self {
        Numbers(Mutex::new(Vacant { unused: 0, freed: VecDeque::new() }))
    }

    /// A number that nobody has; `None` when all are taken.
    pub fn take(&self) -> Option<Key> {
        let mut vacant = self.lock();
        // Half a chunk of freed numbers stays in reserve: it is what keeps reuse late.
        if vacant.freed.len() > FIRST_CHUNK / 2 || vacant.unused >> INDEX_BITS != 0 {
            let freed = vacant.freed.pop_front()?;
            return Some(Key { index: freed.index, generation: freed.generation + 1 });
        }
        vacant.unused += 1;
        Some(Key { index: vacant.unused - 1, generation: 1 })
    }

    /// Takes a number back.
    pub fn give_back(&self, key: Key) {
        // A slot whose generations are used up is retired: it could otherwise answer to an old key.
        if key.generation < u32::MAX {
            self.lock().freed.push_back(key);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vacant> {
        lock(&self.0)
    }
}

impl Default for Numbers {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Slots<T> {
    /// An empty table.
    pub const fn new() -> Self {
        Slots { chunks: [const { OnceLock::new() }; CHUNKS], numbers: Numbers::new() }
    }

    /// Enters `value`; `None` when all numbers are taken.
    pub fn insert(&self, value: T) -> Option<Key> {
        let key = self.numbers.take()?;
        let (chunk, offset) = position(key.index);
        let chunk = self
            .chunks
            .get(chunk)?
            .get_or_init(|| (0..chunk_size(chunk)).map(|_| ArcSwapOption::const_empty()).collect());
        chunk.get(offset)?.store(Some(Arc::new(Entry { generation: key.generation, value })));
        Some(key)
    }

    /// The entry under `key`, if it is still there.
    #[inline]
    pub fn get(&self, key: Key) -> Option<Borrowed<T>> {
        let entry = self.slot(key.index)?.load();
        match entry.as_ref() {
            Some(found) if found.generation == key.generation => Some(Borrowed { guard: entry }),
            _ => None,
        }
    }

    /// Takes the entry under `key` out. Exactly one of several racing callers gets it. Borrowers keep it
    /// alive until they are done.
    pub fn remove(&self, key: Key) -> Option<Arc<Entry<T>>> {
        let removed = self.exchange(key, None)?;
        self.numbers.give_back(key);
        Some(removed)
    }

    /// Puts `value` in the place of the entry under `key`, which it gives. `None`, and nothing is changed, where the entry is
    /// not there any more. Borrowers of the old value keep that.
    pub fn replace(&self, key: Key, value: T) -> Option<Arc<Entry<T>>> {
        self.exchange(key, Some(Arc::new(Entry { generation: key.generation, value })))
    }

    /// Puts `new` in the place of the entry under `key`, whatever others put there meanwhile.
    fn exchange(&self, key: Key, new: Option<Arc<Entry<T>>>) -> Option<Arc<Entry<T>>> {
        let slot = self.slot(key.index)?;
        let mut current = slot.load();
        loop {
            let found = current.as_ref().filter(|found| found.generation == key.generation)?;
            let previous = slot.compare_and_swap(&current, new.clone());
            if previous.as_ref().is_some_and(|entry| Arc::ptr_eq(entry, found)) {
                return Some(Arc::clone(found));
            }
            current = previous;
        }
    }

    #[inline]
    fn slot(&self, index: u32) -> Option<&ArcSwapOption<Entry<T>>> {
        let (chunk, offset) = position(index);
        self.chunks.get(chunk)?.get()?.get(offset)
    }
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns how many slots a chunk has.
pub fn chunk_size(chunk: usize) -> usize {
    FIRST_CHUNK << chunk.saturating_sub(1)
}

/// The number of the slot that is `offset` slots into a chunk.
pub fn index_of(chunk: usize, offset: usize) -> u32 {
    let before = if chunk == 0 { 0 } else { chunk_size(chunk) };
    (before + offset) as u32
}

/// Chunk and offset of a slot: chunk 0 and chunk 1 hold [`FIRST_CHUNK`] slots, each later one twice as many.
#[inline]
pub fn position(index: u32) -> (usize, usize) {
    let index = index as usize;
    if index < FIRST_CHUNK {
        return (0, index);
    }
    let chunk = (index / FIRST_CHUNK).ilog2() as usize;
    (chunk + 1, index - (FIRST_CHUNK << chunk))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn positions_are_dense_and_distinct() {
        let mut expected = (0, 0);
        for index in 0..1 << 16 {
            let at = position(index);
            assert_eq!(at, expected);
            assert_eq!(index_of(at.0, at.1), index);
            let size = FIRST_CHUNK << at.0.saturating_sub(1);
            expected = if at.1 + 1 == size { (at.0 + 1, 0) } else { (at.0, at.1 + 1) };
        }
        assert_eq!(position((1 << INDEX_BITS) - 1).0, CHUNKS - 1);
    }

    #[test]
    fn a_removed_key_is_dead_for_good() {
        let slots = Slots::new();
        let mut old = Vec::new();
        for n in 0..1000u32 {
            let key = slots.insert(n).unwrap();
            assert_eq!(*slots.get(key).unwrap(), n);
            assert_eq!(**slots.remove(key).unwrap(), n);
            assert!(slots.remove(key).is_none());
            old.push(key);
        }
        let _keep: Vec<_> = (0..1000u32).map(|n| slots.insert(n).unwrap()).collect();
        assert!(old.iter().all(|&key| slots.get(key).is_none()));
    }

    #[test]
    fn a_replaced_entry_keeps_its_key_until_it_is_removed() {
        let slots = Slots::new();
        let key = slots.insert(1).unwrap();
        let borrowed = slots.get(key).unwrap();
        assert_eq!(**slots.replace(key, 2).unwrap(), 1);
        assert_eq!((*borrowed, *slots.get(key).unwrap()), (1, 2));
        assert_eq!(**slots.remove(key).unwrap(), 2);
        assert!(slots.replace(key, 3).is_none() && slots.get(key).is_none());
    }

    #[test]
    fn an_entry_is_removed_while_others_replace_it() {
        let slots = Slots::new();
        for _ in 0..500 {
            let key = slots.insert(0).unwrap();
            std::thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(|| while slots.replace(key, 1).is_some() {});
                }
                assert!(slots.remove(key).is_some());
            });
            assert!(slots.get(key).is_none());
        }
    }

    #[test]
    fn one_of_many_removers_wins_and_readers_stay_valid() {
        struct Counted<'a>(u64, &'a AtomicU64);
        impl Drop for Counted<'_> {
            fn drop(&mut self) {
                self.1.fetch_add(1, Ordering::SeqCst);
            }
        }
        let dropped = AtomicU64::new(0);
        let slots = Slots::new();
        let won = AtomicU64::new(0);
        for round in 0..500 {
            let key = slots.insert(Counted(round, &dropped)).unwrap();
            std::thread::scope(|scope| {
                for _ in 0..3 {
                    scope.spawn(|| {
                        if let Some(entry) = slots.get(key) {
                            assert_eq!(entry.0, round);
                        }
                        if slots.remove(key).is_some() {
                            won.fetch_add(1, Ordering::SeqCst);
                        }
                    });
                }
            });
        }
        assert_eq!((won.load(Ordering::SeqCst), dropped.load(Ordering::SeqCst)), (500, 500));
    }
}
