//! Bytes of a pool's addresses, in use and free: best fit, and what is free side by side is one piece.
//!
//! A pool that graphs share has bytes that are free for captures while earlier graphs go on to use them, and that are free for
//! nobody else: what is covered ([`Coverage`]). What was let go of while captures went on *rests* until these are over.

use super::coverage::Coverage;
use graphcap_driver::rules::free_list::FreeList;

/// Every block starts at a multiple of this and fills a multiple of it, as devices allocate.
const GRAIN: usize = 256;

/// The bytes of a pool, from 0 on.
pub(super) struct Blocks {
    /// Number of bytes that there can be, a multiple of the grain.
    capacity: usize,
    /// Number of bytes that have memory: the first ones.
    backed: usize,
    /// Free bytes among these.
    free: FreeList,
    /// Bytes in blocks.
    used: usize,
    /// The most that ever were; of a pool that graphs share, the most that were covered.
    peak: usize,
    /// Bytes that anybody uses, graphs among them; `None` where graphs share nothing.
    covered: Option<Coverage>,
    /// Resting blocks: the last capture that had begun when each was let go of, where it is, and its size.
    resting: Vec<(u64, usize, usize)>,
}

/// Size of the block for so many bytes; `None` for more than can be counted.
pub(super) fn block_size(bytes: usize) -> Option<usize> {
    bytes.checked_next_multiple_of(GRAIN)
}

impl Blocks {
    /// Makes `capacity` addresses without memory.
    pub(super) fn new(capacity: usize, is_shared: bool) -> Blocks {
        let capacity = capacity - capacity % GRAIN;
        Blocks {
            capacity,
            backed: 0,
            free: FreeList::default(),
            used: 0,
            peak: 0,
            covered: is_shared.then(Coverage::default),
            resting: Vec::new(),
        }
    }

    /// Number of bytes that have memory.
    pub(super) fn backed(&self) -> usize {
        self.backed
    }

    /// Bytes in use now, and at most so far.
    pub(super) fn used(&self) -> (usize, usize) {
        (self.covered.as_ref().map_or(self.used, Coverage::bytes), self.peak)
    }

    /// Takes the first of the smallest free pieces that have `size` bytes, the size of a block: beside all that graphs use or, for one
    /// that is to be shared, also of what graphs use of which none runs at once with the one that is to use it. `None` where there
    /// is none.
    pub(super) fn take(&mut self, size: usize, is_shared: bool) -> Option<usize> {
        let at = match &self.covered {
            Some(covered) if !is_shared => covered.gap(self.backed, size)?,
            _ => self.free.best_fit(size)?.1,
        };
        self.free.remove((0, at), size);
        self.used += size;
        self.cover(at, size);
        Some(at)
    }

    /// Gives a block back that was taken.
    pub(super) fn give_back(&mut self, at: usize, size: usize) {
        self.used -= size;
        self.free.add((0, at), size);
        self.uncover(at, size);
    }

    /// Graphs use a block from here on, also when it is given back.
    pub(super) fn cover(&mut self, at: usize, size: usize) {
        if let Some(covered) = &mut self.covered {
            covered.add(at, size);
        }
        self.peak = self.peak.max(self.used().0);
    }

    /// Takes [`Blocks::cover`] back.
    pub(super) fn uncover(&mut self, at: usize, size: usize) {
        if let Some(covered) = &mut self.covered {
            covered.remove(at, size);
        }
    }

    /// Gives a block back when the captures are over of which number `begun` is the last.
    pub(super) fn rest(&mut self, begun: u64, at: usize, size: usize) {
        self.resting.push((begun, at, size));
    }

    /// Gives back what rests, of which all captures before number `oldest` are over; with `None` all.
    pub(super) fn wake(&mut self, oldest: Option<u64>) {
        let is_over = |resting: &mut (u64, usize, usize)| oldest.is_none_or(|oldest| resting.0 < oldest);
        let over: Vec<_> = self.resting.extract_if(.., is_over).collect();
        over.into_iter().for_each(|(_, at, size)| self.give_back(at, size));
    }

    /// End of what is used, for a block that is to be shared or not.
    fn end_of_use(&self, is_shared: bool) -> usize {
        match &self.covered {
            Some(covered) if !is_shared => covered.end(),
            _ => {
                let at_the_end = self.free.piece_at((0, self.backed)).filter(|(at, piece)| at + piece == self.backed);
                at_the_end.map_or(self.backed, |(at, _)| at)
            }
        }
    }

    /// Number of bytes more that need memory so that a block of `size` bytes can be taken, shared or not; in multiples of `page`, as far as
    /// there are addresses. `None` where there are not enough.
    pub(super) fn missing(&self, size: usize, page: usize, is_shared: bool) -> Option<usize> {
        let missing = size.saturating_sub(self.backed - self.end_of_use(is_shared));
        let room = self.capacity - self.backed;
        (missing <= room).then(|| missing.checked_next_multiple_of(page).map_or(room, |paged| paged.min(room)))
    }

    /// Takes what is free at the end from what has memory. Gives where it begins and ends.
    pub(super) fn cut_end(&mut self) -> Option<(usize, usize)> {
        let (at, end) = (self.end_of_use(false), self.backed);
        if at == end {
            return None;
        }
        self.free.remove((0, at), end - at);
        self.backed = at;
        Some((at, end))
    }

    /// Number of bytes that there can be in blocks.
    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Adds bytes that have memory.
    pub(super) fn grow(&mut self, bytes: usize) {
        self.free.add((0, self.backed), bytes);
        self.backed += bytes;
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
        if let Some(at) = blocks.take(size, false) {
            return Some(at);
        }
        let missing = blocks.missing(size, page, false)?;
        blocks.grow(missing);
        Some(blocks.take(size, false).expect("what was missing is there"))
    }

    #[test]
    fn blocks_never_overlap_and_all_comes_back() {
        let mut state = 3;
        for round in 0..40 {
            let page = 4096 << (round % 3);
            let mut blocks = Blocks::new(1 << 20, round % 2 == 1);
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
                let mut free = 0;
                let mut piece = blocks.free.piece_at((0, usize::MAX));
                while let Some((at, size)) = piece {
                    free += size;
                    piece = at.checked_sub(1).and_then(|before| blocks.free.piece_at((0, before)));
                    assert!(piece.is_none_or(|(start, size)| start + size < at), "free pieces side by side are one");
                }
                assert_eq!(used + free, blocks.backed());
            }
            live.drain(..).for_each(|(at, size)| blocks.give_back(at, size));
            let backed = blocks.backed();
            assert_eq!(blocks.free.piece_at((0, backed)), Some((0, backed)));
        }
    }

    #[test]
    fn only_what_is_free_at_the_end_is_cut() {
        let mut blocks = Blocks::new(1 << 16, false);
        assert_eq!(blocks.cut_end(), None);
        blocks.grow(8192);
        let places = [1024, 1024, 6144].map(|size| blocks.take(size, false).unwrap());
        assert_eq!(blocks.cut_end(), None);
        blocks.give_back(places[0], 1024);
        assert_eq!(blocks.cut_end(), None, "what is free is not at the end");
        blocks.give_back(places[2], 6144);
        assert_eq!((blocks.cut_end(), blocks.backed(), blocks.cut_end()), (Some((2048, 8192)), 2048, None));
        assert_eq!(blocks.missing(4096, 4096, false), Some(4096));
        blocks.grow(6144);
        blocks.give_back(places[1], 1024);
        assert_eq!((blocks.cut_end(), blocks.take(256, false)), (Some((0, 8192)), None));
    }

    /// Bytes that anybody covers are nobody's alone, bytes that are taken are not shared, and resting ones are neither.
    #[test]
    fn what_graphs_use_is_free_for_captures_alone() {
        let mut state = 5;
        let mut blocks = Blocks::new(1 << 18, true);
        // Where blocks are that somebody has, and that graphs use.
        let (mut had, mut used) = (Vec::<(usize, usize)>::new(), Vec::<(usize, usize)>::new());
        let overlaps = |ranges: &[(usize, usize)], at: usize, size: usize| {
            ranges.iter().any(|&(other, length)| at < other + length && other < at + size)
        };
        let mut peak = 0;
        for round in 0..6000u64 {
            let size = block_size(1 + next(&mut state, 5000) as usize).unwrap();
            match next(&mut state, 8) {
                0..2 if !had.is_empty() => {
                    let (at, size) = had.swap_remove(next(&mut state, had.len() as u64) as usize);
                    blocks.give_back(at, size);
                }
                2 if !had.is_empty() => {
                    let (at, size) = had[next(&mut state, had.len() as u64) as usize];
                    blocks.rest(round, at, size);
                    blocks.wake(Some(round));
                    let taken = blocks.take(256, true);
                    assert!(taken.is_none_or(|taken| !overlaps(&had, taken, 256)), "what rests is not free");
                    taken.into_iter().for_each(|taken| blocks.give_back(taken, 256));
                    blocks.wake(Some(round + 1));
                    had.retain(|&block| block != (at, size));
                }
                3 if !used.is_empty() => {
                    let (at, size) = used.swap_remove(next(&mut state, used.len() as u64) as usize);
                    blocks.uncover(at, size);
                }
                4 if next(&mut state, 10) == 0 => {
                    if let Some((from, end)) = blocks.cut_end() {
                        assert!(from < end && !overlaps(&had, from, end - from) && !overlaps(&used, from, end - from));
                    }
                }
                what => {
                    let is_shared = what % 2 == 0;
                    let taken = blocks.take(size, is_shared).or_else(|| {
                        let missing = blocks.missing(size, 4096, is_shared)?;
                        blocks.grow(missing);
                        Some(blocks.take(size, is_shared).expect("what was missing is there"))
                    });
                    let Some(at) = taken else { continue };
                    assert!(!overlaps(&had, at, size) && (is_shared || !overlaps(&used, at, size)), "{round}");
                    had.push((at, size));
                    if is_shared {
                        blocks.cover(at, size);
                        used.push((at, size));
                    }
                }
            }
            let mut bytes = vec![false; 1 << 10];
            had.iter().chain(&used).for_each(|&(at, size)| bytes[at / GRAIN..(at + size) / GRAIN].fill(true));
            let covered = bytes.iter().filter(|&&is_covered| is_covered).count() * GRAIN;
            peak = peak.max(covered);
            assert_eq!(blocks.used().0, covered);
            assert!(blocks.used().1 >= peak && blocks.used().1 <= blocks.capacity());
        }
    }

    #[test]
    fn the_smallest_piece_that_fits_is_taken() {
        let mut blocks = Blocks::new(1 << 16, false);
        blocks.grow(1 << 16);
        let sizes = [1024, 256, 512, 256, 768, 256];
        let places: Vec<_> = sizes.iter().map(|&size| blocks.take(size, false).unwrap()).collect();
        [0, 2, 4].into_iter().for_each(|which| blocks.give_back(places[which], sizes[which]));
        assert_eq!(blocks.take(768, false), Some(places[4]));
        assert_eq!(blocks.take(256, false), Some(places[2]));
        assert_eq!(blocks.take(256, false), Some(places[2] + 256));
    }

    #[test]
    fn growth_uses_what_is_free_at_the_end_and_ends_at_the_capacity() {
        let mut blocks = Blocks::new(10_000, false);
        assert_eq!(blocks.capacity, 9984);
        assert_eq!(blocks.missing(256, 4096, false), Some(4096));
        blocks.grow(4096);
        let first = blocks.take(1024, false).unwrap();
        assert_eq!(blocks.missing(4096, 4096, false), Some(4096), "3072 bytes are there already");
        blocks.grow(4096);
        assert_eq!(blocks.missing(8448, 4096, false), Some(9984 - 8192), "less than a page is left");
        assert_eq!(blocks.missing(9216, 4096, false), None);
        assert_eq!((block_size(usize::MAX), block_size(1), block_size(512)), (None, Some(256), Some(512)));
        blocks.give_back(first, 1024);
        assert_eq!(blocks.take(8192, false), Some(0));
    }
}
