//! Which bytes of a pool's addresses are in use: best fit, and what is free side by side is one piece.

use std::collections::{BTreeMap, BTreeSet};

/// Every block starts at a multiple of this and fills a multiple of it, as devices allocate.
const GRAIN: usize = 256;

/// The bytes of a pool, from 0 on.
pub(super) struct Blocks {
    /// How many there can be, a multiple of the grain.
    capacity: usize,
    /// How many have memory: the first ones.
    backed: usize,
    /// What of these is free: where, and how many bytes.
    free: BTreeMap<usize, usize>,
    /// The free pieces as sizes and places, the smallest first.
    by_size: BTreeSet<(usize, usize)>,
    /// Bytes in blocks.
    used: usize,
    /// The most that ever were.
    peak: usize,
}

/// The size of the block for so many bytes; `None` for more than can be counted.
pub(super) fn block_size(bytes: usize) -> Option<usize> {
    bytes.checked_next_multiple_of(GRAIN)
}

impl Blocks {
    /// Of `capacity` addresses without memory.
    pub(super) fn new(capacity: usize) -> Blocks {
        let capacity = capacity - capacity % GRAIN;
        Blocks { capacity, backed: 0, free: BTreeMap::new(), by_size: BTreeSet::new(), used: 0, peak: 0 }
    }

    /// How many bytes have memory.
    pub(super) fn backed(&self) -> usize {
        self.backed
    }

    /// Bytes in blocks now, and at most so far.
    pub(super) fn used(&self) -> (usize, usize) {
        (self.used, self.peak)
    }

    /// Takes the first of the smallest free pieces that have `size` bytes, the size of a block. `None` where there is none.
    pub(super) fn take(&mut self, size: usize) -> Option<usize> {
        let &(piece, at) = self.by_size.range((size, 0)..).next()?;
        self.remove_free(at, piece);
        if piece > size {
            self.add_free(at + size, piece - size);
        }
        self.used += size;
        self.peak = self.peak.max(self.used);
        Some(at)
    }

    /// Gives a block back that was taken.
    pub(super) fn give_back(&mut self, at: usize, size: usize) {
        self.used -= size;
        self.merge_free(at, size);
    }

    /// How many bytes more need memory so that a block of `size` bytes can be taken; in multiples of `page`, as far as there are
    /// addresses. `None` where there are not enough.
    pub(super) fn missing(&self, size: usize, page: usize) -> Option<usize> {
        let at_the_end = self.free.last_key_value().filter(|(&at, &piece)| at + piece == self.backed);
        let missing = size.saturating_sub(at_the_end.map_or(0, |(_, &piece)| piece));
        let room = self.capacity - self.backed;
        (missing <= room).then(|| missing.checked_next_multiple_of(page).map_or(room, |paged| paged.min(room)))
    }

    /// Takes what is free at the end from what has memory. Gives where it begins and ends.
    pub(super) fn cut_end(&mut self) -> Option<(usize, usize)> {
        let end = self.backed;
        let (&at, &piece) = self.free.last_key_value().filter(|(&at, &piece)| at + piece == end)?;
        self.remove_free(at, piece);
        self.backed = at;
        Some((at, end))
    }

    /// How many bytes there can be in blocks.
    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    /// So many bytes more have memory.
    pub(super) fn grow(&mut self, bytes: usize) {
        let at = self.backed;
        self.backed += bytes;
        self.merge_free(at, bytes);
    }

    fn merge_free(&mut self, mut at: usize, mut size: usize) {
        if let Some((&before, &piece)) = self.free.range(..at).next_back().filter(|(&from, &piece)| from + piece == at)
        {
            self.remove_free(before, piece);
            (at, size) = (before, piece + size);
        }
        if let Some(&piece) = self.free.get(&(at + size)) {
            self.remove_free(at + size, piece);
            size += piece;
        }
        self.add_free(at, size);
    }

    fn add_free(&mut self, at: usize, size: usize) {
        self.free.insert(at, size);
        self.by_size.insert((size, at));
    }

    fn remove_free(&mut self, at: usize, size: usize) {
        self.free.remove(&at);
        self.by_size.remove(&(size, at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random.
    fn next(state: &mut u64, below: u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % below
    }

    /// Takes a block, with memory put behind more bytes where that is needed.
    fn taken(blocks: &mut Blocks, size: usize, page: usize) -> Option<usize> {
        if let Some(at) = blocks.take(size) {
            return Some(at);
        }
        let missing = blocks.missing(size, page)?;
        blocks.grow(missing);
        Some(blocks.take(size).expect("what was missing is there"))
    }

    #[test]
    fn blocks_never_overlap_and_all_comes_back() {
        let mut state = 3;
        for round in 0..40 {
            let page = 4096 << (round % 3);
            let mut blocks = Blocks::new(1 << 20);
            let mut live: Vec<(usize, usize)> = Vec::new();
            let mut peak = 0;
            for _ in 0..1500 {
                if !live.is_empty() && next(&mut state, 5) < 2 {
                    let (at, size) = live.swap_remove(next(&mut state, live.len() as u64) as usize);
                    blocks.give_back(at, size);
                } else {
                    let size = block_size(1 + next(&mut state, 1 << (4 + round % 14)) as usize).unwrap();
                    let before = blocks.backed();
                    if let Some(at) = taken(&mut blocks, size, page) {
                        assert!(at % GRAIN == 0 && at + size <= blocks.backed());
                        assert!(live.iter().all(|&(other, length)| at + size <= other || other + length <= at));
                        live.push((at, size));
                    } else {
                        assert_eq!(blocks.backed(), before, "a refusal takes nothing");
                    }
                }
                let used: usize = live.iter().map(|(_, size)| size).sum();
                peak = peak.max(used);
                assert_eq!(blocks.used(), (used, peak));
                let free: usize = blocks.free.values().sum();
                assert_eq!(used + free, blocks.backed());
                assert_eq!(blocks.free.len(), blocks.by_size.len());
                let mut end = None;
                for (&at, &size) in &blocks.free {
                    assert!(end.is_none_or(|end| end < at), "free pieces side by side are one");
                    end = Some(at + size);
                }
            }
            live.drain(..).for_each(|(at, size)| blocks.give_back(at, size));
            let backed = blocks.backed();
            assert_eq!(blocks.free, BTreeMap::from([(0, backed)]));
        }
    }

    #[test]
    fn only_what_is_free_at_the_end_is_cut() {
        let mut blocks = Blocks::new(1 << 16);
        assert_eq!(blocks.cut_end(), None);
        blocks.grow(8192);
        let places = [1024, 1024, 6144].map(|size| blocks.take(size).unwrap());
        assert_eq!(blocks.cut_end(), None);
        blocks.give_back(places[0], 1024);
        assert_eq!(blocks.cut_end(), None, "what is free is not at the end");
        blocks.give_back(places[2], 6144);
        assert_eq!((blocks.cut_end(), blocks.backed(), blocks.cut_end()), (Some((2048, 8192)), 2048, None));
        assert_eq!(blocks.missing(4096, 4096), Some(4096));
        blocks.grow(6144);
        blocks.give_back(places[1], 1024);
        assert_eq!((blocks.cut_end(), blocks.take(256)), (Some((0, 8192)), None));
    }

    #[test]
    fn the_smallest_piece_that_fits_is_taken() {
        let mut blocks = Blocks::new(1 << 16);
        blocks.grow(1 << 16);
        let sizes = [1024, 256, 512, 256, 768, 256];
        let places: Vec<_> = sizes.iter().map(|&size| blocks.take(size).unwrap()).collect();
        [0, 2, 4].into_iter().for_each(|which| blocks.give_back(places[which], sizes[which]));
        assert_eq!(blocks.take(768), Some(places[4]));
        assert_eq!(blocks.take(256), Some(places[2]));
        assert_eq!(blocks.take(256), Some(places[2] + 256));
    }

    #[test]
    fn growth_uses_what_is_free_at_the_end_and_ends_at_the_capacity() {
        let mut blocks = Blocks::new(10_000);
        assert_eq!(blocks.capacity, 9984);
        assert_eq!(blocks.missing(256, 4096), Some(4096));
        blocks.grow(4096);
        let first = blocks.take(1024).unwrap();
        assert_eq!(blocks.missing(4096, 4096), Some(4096), "3072 bytes are there already");
        blocks.grow(4096);
        assert_eq!(blocks.missing(8448, 4096), Some(9984 - 8192), "less than a page is left");
        assert_eq!(blocks.missing(9216, 4096), None);
        assert_eq!((block_size(usize::MAX), block_size(1), block_size(512)), (None, Some(256), Some(512)));
        blocks.give_back(first, 1024);
        assert_eq!(blocks.take(8192), Some(0));
    }
}
