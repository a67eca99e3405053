//! Memory of a graph in pieces that are summarized on their own, so that what each node writes is a number of whole pieces.

use std::collections::BTreeSet;
use std::ops::Range;

use super::options::TypedMemory;
use crate::optimize::NodeWrites;
use graphcap_core::MemoryPiece;
use graphcap_driver::rules::ranges::Ranges;
use graphcap_driver::rules::summary::ElementKind;
use graphcap_driver::Address;

/// Bytes of a piece at most: a block of a GPU summarizes so many in some microseconds.
const MOST_BYTES: u64 = 1 << 16;

/// The pieces, by their addresses.
pub(super) struct Pieces {
    pub(super) all: Vec<MemoryPiece>,
    /// For each, whether the caller told its kind.
    pub(super) is_told: Vec<bool>,
    /// For each step, those that it writes by what is declared.
    pub(super) written: Vec<Vec<Range<usize>>>,
}

impl Pieces {
    /// Cuts watched memory of the device's where memory that a step writes, or that has a kind, begins or ends.
    pub(super) fn cut(watched: &Ranges, steps: &[NodeWrites], typed: &[TypedMemory]) -> Pieces {
        let written = steps.iter().flat_map(|step| step.writes.device.iter());
        let typed_ends = typed.iter().map(|one| (one.address, one.address.saturating_add(one.bytes)));
        let cuts: BTreeSet<Address> = written.chain(typed_ends).flat_map(|(start, end)| [start, end]).collect();
        let mut pieces = Pieces { all: Vec::new(), is_told: Vec::new(), written: Vec::new() };
        for (start, end) in watched.iter() {
            let mut at = start;
            for cut in cuts.range(start + 1..end).copied().chain([end]) {
                pieces.add(at, cut, typed);
                at = cut;
            }
        }
        let first_from = |address| pieces.all.partition_point(|piece| piece.address < address);
        let of_step = |step: &NodeWrites| {
            let mut ranges: Vec<Range<usize>> = Vec::new();
            for (start, end) in step.writes.device.iter() {
                let (first, behind) = (first_from(start), first_from(end));
                match ranges.last_mut() {
                    Some(last) if last.end == first => last.end = behind,
                    _ if first < behind => ranges.push(first..behind),
                    _ => {}
                }
            }
            ranges
        };
        pieces.written = steps.iter().map(of_step).collect();
        pieces
    }

    /// Adds the bytes from one cut to the next one.
    fn add(&mut self, start: Address, end: Address, typed: &[TypedMemory]) {
        let holds = |one: &&TypedMemory| one.address <= start && end - one.address <= one.bytes;
        let told = typed.iter().find(holds);
        let kind = told.map_or(ElementKind::F32, |one| one.kind);
        let is_whole = (start | (end - start)).is_multiple_of(kind.size() as u64);
        let kind = if is_whole { kind } else { ElementKind::Bytes };
        let mut at = start;
        while at < end {
            let bytes = (end - at).min(MOST_BYTES);
            self.all.push(MemoryPiece { address: at, bytes, kind });
            self.is_told.push(told.is_some());
            at += bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use graphcap_core::MemoryRanges;

    #[test]
    fn each_step_writes_whole_pieces() {
        let writes = |ranges: &[(u64, u64)]| NodeWrites {
            writes: MemoryRanges { device: Ranges::of(ranges.to_vec()), host: Ranges::default() },
            ..NodeWrites::default()
        };
        let steps =
            [writes(&[(1024, 2048)]), writes(&[(1536, 2050), (1 << 20, (1 << 20) + 100_000)]), writes(&[(0, 8)])];
        let watched = Ranges::of([(1024, 4096), (1 << 20, 1 << 21)]);
        let typed = [TypedMemory { address: 1024, bytes: 512, kind: ElementKind::F16, is_scratch: false }];
        let pieces = Pieces::cut(&watched, &steps, &typed);
        let of = |range: &Range<usize>| {
            let all = &pieces.all[range.clone()];
            (all[0].address, all.iter().map(|piece| piece.bytes).sum::<u64>())
        };
        let written: Vec<Vec<_>> = pieces.written.iter().map(|ranges| ranges.iter().map(of).collect()).collect();
        assert_eq!(written[0], [(1024, 1024)]);
        assert_eq!(written[1], [(1536, 514), (1 << 20, 100_000)]);
        assert!(written[2].is_empty(), "it is not watched");
        assert_eq!(pieces.all.iter().map(|piece| piece.bytes).sum::<u64>(), watched.bytes());
        assert_eq!((pieces.all[0].kind, pieces.is_told[0]), (ElementKind::F16, true));
        assert_eq!((pieces.all[1].kind, pieces.is_told[1]), (ElementKind::F32, false));
        assert_eq!(pieces.all[2].kind, ElementKind::Bytes, "2 bytes are no float");
    }
}
