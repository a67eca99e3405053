//! Free memory of several owners: what lies side by side is one piece, and the smallest piece that fits is found at once.

use std::collections::{BTreeMap, BTreeSet};

/// Start of a block: its owner, and which of the owner's bytes it is. Blocks of two owners never lie side by side.
pub type BlockStart = (usize, usize);

/// Pieces of free memory.
#[derive(Clone, Debug, Default)]
pub struct FreeList {
    /// Sizes of the pieces, by where they start.
    pieces: BTreeMap<BlockStart, usize>,
    /// Size and start of each, the smallest piece first.
    by_size: BTreeSet<(usize, BlockStart)>,
}

impl FreeList {
    /// The first of the smallest pieces that have `size` bytes.
    pub fn best_fit(&self, size: usize) -> Option<BlockStart> {
        self.by_size.range((size, (0, 0))..).next().map(|&(_, at)| at)
    }

    /// Takes `size` bytes at the start of [`FreeList::best_fit`].
    pub fn take(&mut self, size: usize) -> Option<BlockStart> {
        let at = self.best_fit(size)?;
        self.remove(at, size);
        Some(at)
    }

    /// Adds bytes of which none is free. They become one piece with what lies before and behind.
    pub fn add(&mut self, (owner, mut at): BlockStart, mut size: usize) {
        if let Some((start, piece)) = self.piece_at((owner, at)).filter(|(start, piece)| start + piece == at) {
            self.erase((owner, start), piece);
            (at, size) = (start, piece + size);
        }
        if let Some(&piece) = self.pieces.get(&(owner, at + size)) {
            self.erase((owner, at + size), piece);
            size += piece;
        }
        self.insert((owner, at), size);
    }

    /// Removes bytes of one piece. What is left of it before and behind stays free.
    pub fn remove(&mut self, (owner, at): BlockStart, size: usize) {
        let Some((start, piece)) = self.piece_at((owner, at)) else { return };
        self.erase((owner, start), piece);
        if at > start {
            self.insert((owner, start), at - start);
        }
        let (end, behind) = (at + size, start + piece);
        if behind > end {
            self.insert((owner, end), behind - end);
        }
    }

    /// Removes all pieces of an owner.
    pub fn remove_owner(&mut self, owner: usize) {
        while let Some((start, piece)) = self.piece_at((owner, usize::MAX)) {
            self.erase((owner, start), piece);
        }
    }

    /// Tells whether nothing is free.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The last piece of the owner that starts at a place or before: where it starts, and its size.
    pub fn piece_at(&self, (owner, at): BlockStart) -> Option<(usize, usize)> {
        self.pieces.range((owner, 0)..=(owner, at)).next_back().map(|(&(_, start), &piece)| (start, piece))
    }

    fn insert(&mut self, at: BlockStart, size: usize) {
        self.pieces.insert(at, size);
        self.by_size.insert((size, at));
    }

    fn erase(&mut self, at: BlockStart, size: usize) {
        self.pieces.remove(&at);
        self.by_size.remove(&(size, at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::random_graphs::{rounds, Random};

    /// Number of bytes of each owner.
    const BYTES: usize = 40;

    /// The pieces of a table of bytes that tells which are free.
    fn pieces(is_free: &[[bool; BYTES]]) -> BTreeMap<BlockStart, usize> {
        let mut pieces = BTreeMap::new();
        for (owner, is_free) in is_free.iter().enumerate() {
            let mut at = 0;
            for piece in is_free.chunk_by(|one, next| one == next) {
                if piece[0] {
                    pieces.insert((owner, at), piece.len());
                }
                at += piece.len();
            }
        }
        pieces
    }

    #[test]
    fn the_pieces_are_what_a_table_of_bytes_tells() {
        let mut random = Random::new(0x2545_f491_4f6c_dd1d);
        for round in 0..rounds(200, 20_000) {
            let (mut list, mut is_free) = (FreeList::default(), [[false; BYTES]; 3]);
            for step in 0..60 {
                let (owner, at) = (random.below(3) as usize, random.below(BYTES as u64) as usize);
                let size = 1 + random.below(((BYTES - at) as u64).min(9)) as usize;
                let bytes = &mut is_free[owner][at..at + size];
                match random.below(8) {
                    0 => {
                        let fits = |&(_, piece): &(&BlockStart, &usize)| *piece >= size;
                        let before = pieces(&is_free);
                        let expected = before.iter().filter(fits).min_by_key(|&(_, piece)| piece).map(|(&at, _)| at);
                        assert_eq!(
                            list.take(size),
                            expected,
                            "round {round}, step {step}: the smallest, then the first"
                        );
                        if let Some((owner, at)) = expected {
                            is_free[owner][at..at + size].fill(false);
                        }
                    }
                    1 if random.below(4) == 0 => {
                        list.remove_owner(owner);
                        is_free[owner].fill(false);
                    }
                    _ if bytes.iter().all(|&is_free| is_free) => {
                        list.remove((owner, at), size);
                        bytes.fill(false);
                    }
                    _ if bytes.iter().all(|&is_free| !is_free) => {
                        list.add((owner, at), size);
                        bytes.fill(true);
                    }
                    _ => {}
                }
                let expected = pieces(&is_free);
                let of_owner = |&(&(of, start), _): &(&BlockStart, &usize)| of == owner && start <= at;
                let last = expected.iter().rfind(of_owner).map(|(&(_, start), &piece)| (start, piece));
                assert_eq!(list.piece_at((owner, at)), last);
                assert_eq!(list.is_empty(), expected.is_empty());
                assert_eq!(list.by_size, expected.iter().map(|(&at, &size)| (size, at)).collect());
                assert_eq!(list.pieces, expected, "round {round}, step {step}");
            }
        }
    }
}
