//! Bytes of a pool that several may use: graphs that share them, and who has them now.

use graphcap_driver::rules::ranges::Pieces;

/// Ranges of bytes, each covered any number of times.
#[derive(Default)]
pub(super) struct Coverage {
    /// Count of covers of each byte, at least 1 in each piece.
    pieces: Pieces<usize, u32>,
    /// Bytes that are covered.
    bytes: usize,
}

impl Coverage {
    /// Covers a range once more.
    pub(super) fn add(&mut self, at: usize, size: usize) {
        self.pieces.change(at, at + size, |(start, stop), count| {
            self.bytes += if *count == 0 { stop - start } else { 0 };
            *count += 1;
        });
        self.join(at, size);
    }

    /// Takes one cover from a range, all of which was covered together.
    pub(super) fn remove(&mut self, at: usize, size: usize) {
        let mut bare = Vec::new();
        self.pieces.change(at, at + size, |(start, stop), count| {
            *count -= 1;
            if *count == 0 {
                bare.push(start);
                self.bytes -= stop - start;
            }
        });
        bare.iter().for_each(|start| _ = self.pieces.0.remove(start));
        self.join(at, size);
    }

    /// Number of bytes that are covered.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// End of the last of them.
    pub(super) fn end(&self) -> usize {
        self.pieces.0.last_key_value().map_or(0, |(_, &(end, _))| end)
    }

    /// The first of the smallest gaps before `end` that have `size` bytes.
    pub(super) fn gap(&self, end: usize, size: usize) -> Option<usize> {
        let (mut from, mut best) = (0, None::<(usize, usize)>);
        let stops = self.pieces.0.iter().map(|(&start, &(stop, _))| (start, stop)).chain([(end, end)]);
        for (start, stop) in stops {
            let length = start.saturating_sub(from);
            if length >= size && best.is_none_or(|(shortest, _)| length < shortest) {
                best = Some((length, from));
            }
            from = stop;
        }
        best.map(|(_, at)| at)
    }

    /// Makes one of the pieces that meet at either end of a range, if they are alike.
    fn join(&mut self, at: usize, size: usize) {
        for at in [at, at + size] {
            let Some(&(end, count)) = self.pieces.0.get(&at) else { continue };
            let before = self.pieces.0.range_mut(..at).next_back();
            if let Some((_, piece)) = before.filter(|(_, piece)| **piece == (at, count)) {
                piece.0 = end;
                self.pieces.0.remove(&at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_is_counted_as_often_as_it_is_covered() {
        const BYTES: usize = 96;
        let mut state = 11u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let (mut coverage, mut counts) = (Coverage::default(), [0u32; BYTES]);
        let mut live = Vec::new();
        for _ in 0..20_000 {
            if !live.is_empty() && next(5) < 2 + live.len() / 10 {
                let (at, size) = live.swap_remove(next(live.len()));
                coverage.remove(at, size);
                counts[at..at + size].iter_mut().for_each(|count| *count -= 1);
            } else {
                let at = next(BYTES);
                let size = 1 + next(BYTES - at);
                coverage.add(at, size);
                counts[at..at + size].iter_mut().for_each(|count| *count += 1);
                live.push((at, size));
            }
            let mut told = [0u32; BYTES];
            let mut last = None;
            for (&start, &(end, count)) in &coverage.pieces.0 {
                assert!(start < end && count > 0);
                assert!(
                    last.is_none_or(|(before, of)| before < start || before == start && of != count),
                    "pieces are joined"
                );
                told[start..end].fill(count);
                last = Some((end, count));
            }
            assert_eq!(told, counts);
            let covered = counts.iter().filter(|&&count| count > 0).count();
            let end = counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
            assert_eq!((coverage.bytes(), coverage.end()), (covered, end));
            let size = 1 + next(20);
            let gaps = counts.split(|&count| count > 0).map(<[u32]>::len).filter(|&length| length >= size);
            let found = coverage.gap(BYTES, size);
            assert_eq!(found.is_some(), gaps.clone().next().is_some());
            if let Some(at) = found {
                assert!(counts[at..at + size].iter().all(|&count| count == 0) && (at == 0 || counts[at - 1] > 0));
                let length = counts[at..].iter().take_while(|&&count| count == 0).count();
                assert_eq!(Some(length), gaps.min(), "the smallest gap");
            }
        }
    }
}
