//! Sets of bytes, by their addresses, and who wrote which of them: as pure data.

use std::collections::BTreeMap;

/// Bytes as ranges from a first byte to before an end, ascending. No two of them meet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ranges(Vec<(u64, u64)>);

impl Ranges {
    /// The bytes of all of these ranges, which may overlap and be empty.
    pub fn of(ranges: impl IntoIterator<Item = (u64, u64)>) -> Ranges {
        let mut all: Vec<(u64, u64)> = ranges.into_iter().filter(|(start, end)| start < end).collect();
        all.sort_unstable();
        let mut joined: Vec<(u64, u64)> = Vec::with_capacity(all.len());
        for (start, end) in all {
            match joined.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => joined.push((start, end)),
            }
        }
        Ranges(joined)
    }

    /// The ranges, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.0.iter().copied()
    }

    /// Number of bytes that these are.
    pub fn bytes(&self) -> u64 {
        self.0.iter().map(|(start, end)| end - start).sum()
    }

    /// Returns whether the byte at an address is among these.
    pub fn holds(&self, address: u64) -> bool {
        let after = self.0.partition_point(|&(start, _)| start <= address);
        self.0.get(..after).and_then(<[_]>::last).is_some_and(|&(_, end)| address < end)
    }

    /// The bytes from `start` to before `end` that are not among these.
    pub fn missing(&self, start: u64, end: u64) -> Vec<(u64, u64)> {
        let (mut at, mut missing) = (start, Vec::new());
        let first = self.0.partition_point(|&(_, their_end)| their_end <= start);
        for &(their_start, their_end) in self.0.get(first..).unwrap_or_default() {
            if their_start >= end {
                break;
            }
            if at < their_start {
                missing.push((at, their_start));
            }
            at = their_end;
        }
        if at < end {
            missing.push((at, end));
        }
        missing
    }

    /// The bytes that are among these, and not among others.
    pub fn without(&self, others: &Ranges) -> Ranges {
        Ranges::of(self.iter().flat_map(|(start, end)| others.missing(start, end)))
    }
}

/// Values of bytes, in pieces that have one value each: where each ends, and the value. They do not overlap.
#[derive(Debug, Default)]
pub struct Pieces<K, V>(pub BTreeMap<K, (K, V)>);

impl<K: Copy + Ord, V: Clone + Default> Pieces<K, V> {
    /// Changes the values of the bytes from `start` to before `end`: those of each piece at once, of which `change` is told the ends.
    /// Bytes without a value get the default first.
    pub fn change(&mut self, start: K, end: K, mut change: impl FnMut((K, K), &mut V)) {
        // Mostly they are one piece already.
        if let Some((_, value)) = self.0.get_mut(&start).filter(|(stop, _)| *stop == end) {
            change((start, end), value);
            return;
        }
        self.split(start);
        self.split(end);
        let (mut at, mut gaps) = (start, Vec::new());
        for (&piece, (stop, _)) in self.0.range(start..end) {
            if at < piece {
                gaps.push((at, (piece, V::default())));
            }
            at = *stop;
        }
        if at < end {
            gaps.push((at, (end, V::default())));
        }
        self.0.extend(gaps);
        self.0.range_mut(start..end).for_each(|(&piece, (stop, value))| change((piece, *stop), value));
    }

    /// Makes a piece begin at `at`, if one is there.
    fn split(&mut self, at: K) {
        let Some((_, piece)) = self.0.range_mut(..at).next_back().filter(|(_, (end, _))| at < *end) else { return };
        let behind = piece.clone();
        piece.0 = at;
        self.0.insert(at, behind);
    }
}

/// Writers of bytes.
#[derive(Debug, Default)]
pub struct Writers(Pieces<u64, Vec<u32>>);

impl Writers {
    /// Notes that a node wrote bytes. Tells of all that wrote some of them before: the first such byte, and who.
    pub fn note(&mut self, node: u32, (start, end): (u64, u64), mut found: impl FnMut(u64, u32)) {
        self.0.change(start, end, |(piece, _), by| {
            by.iter().for_each(|&earlier| found(piece, earlier));
            by.push(node);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::random_graphs::{rounds, Random};

    #[test]
    fn ranges_are_what_sets_of_bytes_are() {
        let mut random = Random::new(0x51ed_270b_9f3c_8a11);
        for round in 0..rounds(2_000, 200_000) {
            let mut some = || -> Vec<(u64, u64)> {
                let one = |random: &mut Random| {
                    let start = random.below(40);
                    (start, start + random.below(8))
                };
                (0..random.below(8)).map(|_| one(&mut random)).collect()
            };
            let (these, others) = (some(), some());
            let has = |all: &[(u64, u64)], byte: u64| all.iter().any(|&(start, end)| (start..end).contains(&byte));
            let (set, other) = (Ranges::of(these.clone()), Ranges::of(others.clone()));
            let listed: Vec<_> = set.iter().collect();
            assert!(listed.windows(2).all(|pair| pair[0].1 < pair[1].0), "round {round}: {listed:?}");
            assert_eq!(set.bytes(), (0..60).filter(|&byte| has(&these, byte)).count() as u64);
            let rest: Vec<_> = set.without(&other).iter().collect();
            for byte in 0..60 {
                assert_eq!(has(&listed, byte), has(&these, byte), "round {round}: byte {byte}");
                assert_eq!(set.holds(byte), has(&these, byte), "round {round}: byte {byte}");
                assert_eq!(has(&rest, byte), has(&these, byte) && !has(&others, byte), "round {round}: byte {byte}");
            }
        }
    }

    #[test]
    fn all_that_wrote_a_byte_before_are_told() {
        let mut random = Random::new(0x1234_5678_9abc_def1);
        for round in 0..rounds(1_000, 100_000) {
            let mut bytes: Vec<Vec<u32>> = vec![Vec::new(); 64];
            let mut writers = Writers::default();
            for node in 0..20 {
                let start = random.below(40);
                let end = start + 1 + random.below(12);
                let mut told = Vec::new();
                writers.note(node, (start, end), |_, earlier| told.push(earlier));
                let mut expected: Vec<u32> = bytes[start as usize..end as usize].concat();
                for list in [&mut told, &mut expected] {
                    list.sort_unstable();
                    list.dedup();
                }
                assert_eq!(told, expected, "round {round}, node {node}");
                bytes[start as usize..end as usize].iter_mut().for_each(|by| by.push(node));
            }
        }
    }
}
