//! Amounts that each stream of a capture recorded, and how much of each is behind a point.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::OnceLock;

use smallvec::SmallVec;

/// The streams of a capture are counted in blocks: one that most captures get along with, and others that are made when
/// they are needed. Streams beyond them all are not told apart.
const FIRST_BLOCK: usize = 16;
const FURTHER_BLOCK: usize = 256;
const FURTHER_BLOCKS: usize = 16;
pub(crate) const TOLD_APART: usize = FIRST_BLOCK + FURTHER_BLOCK * FURTHER_BLOCKS;

/// Amount that each stream of a capture recorded.
pub(crate) struct Counters {
    first: [AtomicU32; FIRST_BLOCK],
    further: OnceLock<Box<Further>>,
}

type Further = [OnceLock<Box<[AtomicU32; FURTHER_BLOCK]>>; FURTHER_BLOCKS];

impl Counters {
    pub(crate) const fn new() -> Self {
        Counters { first: [const { AtomicU32::new(0) }; FIRST_BLOCK], further: OnceLock::new() }
    }

    #[inline]
    pub(crate) fn of(&self, index: usize) -> Option<&AtomicU32> {
        self.first.get(index).or_else(|| self.of_further(index))
    }

    #[cold]
    fn of_further(&self, index: usize) -> Option<&AtomicU32> {
        let beyond = index.checked_sub(FIRST_BLOCK)?;
        let further = self.further.get_or_init(|| Box::new([const { OnceLock::new() }; FURTHER_BLOCKS]));
        let block = further.get(beyond / FURTHER_BLOCK)?;
        block.get_or_init(|| Box::new([const { AtomicU32::new(0) }; FURTHER_BLOCK])).get(beyond % FURTHER_BLOCK)
    }

    pub(crate) fn sum(&self) -> u32 {
        let blocks = self.further.get().into_iter().flat_map(|further| further.iter());
        let further = blocks.filter_map(OnceLock::get).flat_map(|block| block.iter());
        self.first.iter().chain(further).map(|count| count.load(Ordering::Relaxed)).fold(0, u32::wrapping_add)
    }
}

/// For each stream of a capture how much of its work is behind a point.
pub(crate) type Clock = SmallVec<[u32; 4]>;
