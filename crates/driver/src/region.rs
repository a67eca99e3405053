//! Copies and memsets of more than one row: where their rows lie.

use super::{Address, Memcpy, Memset};

/// Distances between the rows of a region, and between its slices, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Steps {
    /// From the start of a row to that of the next one.
    pub row: usize,
    /// From the start of a slice to that of the next one; a multiple of `row` where there are several.
    pub slice: usize,
}

impl Steps {
    /// Returns how many bytes lie between the first byte of a region and its end: `depth` slices of `height` rows of `width`
    /// bytes, none of them 0. `None` when that is more than there can be.
    pub fn span(&self, width: usize, height: usize, depth: usize) -> Option<usize> {
        let rows = self.row.checked_mul(height.checked_sub(1)?)?;
        let slices = self.slice.checked_mul(depth.checked_sub(1)?)?;
        slices.checked_add(rows)?.checked_add(width)
    }
}

impl Memset {
    /// Bytes from the first that is written to the end of the last row. `None` when that is more than there can be.
    pub fn span(&self) -> Option<usize> {
        let width = self.count.checked_mul(usize::from(self.element_size))?;
        Steps { row: self.pitch, slice: 0 }.span(width, self.rows, 1)
    }

    /// A memset of the same bytes, in one row where its rows follow each other.
    #[must_use]
    pub fn joined(mut self) -> Memset {
        let width = self.count.checked_mul(usize::from(self.element_size));
        if self.rows > 1 && width == Some(self.pitch) {
            // What is set fits a buffer, so this cannot overflow.
            self.count *= std::mem::replace(&mut self.rows, 1);
        }
        if self.rows == 1 {
            self.pitch = 0;
        }
        self
    }

    /// The memset as it was given, unless its rows are too far apart for CUDA: then they are joined, where they follow each other.
    #[must_use]
    pub fn within_reach(self) -> Memset {
        match self.pitch > LONGEST_STEP {
            true => self.joined(),
            false => self,
        }
    }
}

/// The longest step from row to row that CUDA takes (`CU_DEVICE_ATTRIBUTE_MAX_PITCH`).
const LONGEST_STEP: usize = 0x7fff_ffff;

/// A copy of rows: `depth` slices of `height` rows of `row.bytes` bytes, none of them 0. Of one row the steps are 0 where none were given,
/// and else what was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemcpyRows {
    /// The first row.
    pub row: Memcpy,
    /// Rows in a slice.
    pub height: usize,
    /// Slices.
    pub depth: usize,
    /// Distances of the rows that are written.
    pub destination: Steps,
    /// Distances of the rows that are read.
    pub source: Steps,
}

impl MemcpyRows {
    /// A copy of one row.
    #[inline]
    pub fn one(row: Memcpy) -> MemcpyRows {
        MemcpyRows { row, height: 1, depth: 1, destination: Steps::default(), source: Steps::default() }
    }

    /// Returns whether it is of one row.
    #[inline]
    pub fn is_one(&self) -> bool {
        self.height == 1 && self.depth == 1
    }

    /// Returns whether it is of one row, and no more is known of it.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.is_one() && self.destination == Steps::default() && self.source == Steps::default()
    }

    /// The copy as it was given, unless its rows are too far apart for CUDA: then they are joined as far as they follow each other.
    #[must_use]
    pub fn within_reach(self) -> MemcpyRows {
        match self.destination.row > LONGEST_STEP || self.source.row > LONGEST_STEP {
            true => self.joined(),
            false => self,
        }
    }

    /// Bytes from the first that is written to the end of the last row. `None` when that is more than there can be.
    pub fn destination_span(&self) -> Option<usize> {
        self.destination.span(self.row.bytes, self.height, self.depth)
    }

    /// Bytes from the first that is read to the end of the last row. `None` when that is more than there can be.
    pub fn source_span(&self) -> Option<usize> {
        self.source.span(self.row.bytes, self.height, self.depth)
    }

    /// A copy that copies the same bytes with as few, and as long, rows as possible. None of them is longer than the
    /// step to the next one. One row has no steps.
    #[must_use]
    pub fn joined(mut self) -> MemcpyRows {
        let both = |copy: &MemcpyRows, holds: &dyn Fn(&Steps) -> bool| holds(&copy.destination) && holds(&copy.source);
        // Slices become rows, unless these would be too far apart.
        let is_far = |copy: &MemcpyRows| {
            copy.depth > 1
                && !both(copy, &|steps| steps.slice <= LONGEST_STEP)
                && !both(copy, &|steps| copy.row.bytes.checked_mul(copy.height) == Some(steps.slice))
        };
        while (self.height > 1 || self.depth > 1) && !is_far(&self) {
            if self.height > 1 {
                if !both(&self, &|steps| steps.row == self.row.bytes) {
                    break;
                }
                // All rows of a slice are one. What is copied fits a buffer, so this cannot overflow.
                self.row.bytes *= self.height;
            }
            // Each slice is one row now.
            self.height = std::mem::replace(&mut self.depth, 1);
            for steps in [&mut self.destination, &mut self.source] {
                *steps = Steps { row: steps.slice, slice: 0 };
            }
        }
        if self.height == 1 && self.depth == 1 {
            // Nothing is left to step over.
            (self.destination, self.source) = Default::default();
        }
        if self.depth > 1 && both(&self, &|steps| steps.row.checked_mul(self.height) == Some(steps.slice)) {
            self.height *= std::mem::replace(&mut self.depth, 1);
        }
        if self.depth == 1 {
            (self.destination.slice, self.source.slice) = (0, 0);
        }
        self
    }

    /// Returns whether a byte that is written is also read, in one address space. The rows of each side must not overlap each
    /// other, and come in the order of their addresses.
    pub fn overlaps_itself(&self) -> bool {
        let sides = [(self.row.destination, self.destination), (self.row.source, self.source)];
        if self.destination == self.source {
            return self.overlaps_itself_moved(sides[0].0.abs_diff(sides[1].0));
        }
        let start_of = |(first, steps): (Address, Steps), row: usize| {
            let (y, z) = (row % self.height, row / self.height);
            first + (y * steps.row + z * steps.slice) as Address
        };
        let rows = self.height * self.depth;
        let bytes = self.row.bytes as Address;
        let (mut at, mut lower) = ([0; 2], usize::from(sides[0].0 > sides[1].0));
        // Of the two rows that come next, the lower one is behind everything on its side that is lower yet.
        while at[lower] < rows {
            let higher = 1 - lower;
            let (start, other) = (start_of(sides[lower], at[lower]), start_of(sides[higher], at[higher]));
            if start > other {
                lower = higher;
                continue;
            }
            if start + bytes > other {
                return true;
            }
            at[lower] += 1;
        }
        false
    }

    /// Returns whether the sides overlap where one is the other one moved by `distance`, however many rows there are.
    fn overlaps_itself_moved(&self, distance: Address) -> bool {
        let Steps { row, slice } = self.source;
        // Two rows lie apart by some slices and some rows, within a slice back or on. As steps are not shorter than what
        // they step over, only the two numbers of each can matter that lead to either side of `distance`.
        let near = |distance: Address, step: usize, most: usize| {
            let before = if most == 0 { 0 } else { distance / step as Address };
            [before, before + 1].into_iter().filter(move |&count| count <= most as Address)
        };
        near(distance, slice, self.depth - 1).any(|slices| {
            let rest = distance.abs_diff(slices * slice as Address);
            near(rest, row, self.height - 1)
                .any(|rows| rest.abs_diff(rows * row as Address) < self.row.bytes as Address)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemcpyKind;

    fn copy(
        [destination, source]: [Address; 2],
        [bytes, height, depth]: [usize; 3],
        [d, s]: [(usize, usize); 2],
    ) -> MemcpyRows {
        MemcpyRows {
            row: Memcpy { destination, source, bytes, kind: MemcpyKind::DeviceToDevice },
            height,
            depth,
            destination: Steps { row: d.0, slice: d.1 },
            source: Steps { row: s.0, slice: s.1 },
        }
    }

    fn bytes_of(first: Address, steps: Steps, copy: &MemcpyRows) -> Vec<Address> {
        let mut bytes = Vec::new();
        for z in 0..copy.depth {
            for y in 0..copy.height {
                let start = first + (z * steps.slice + y * steps.row) as Address;
                bytes.extend(start..start + copy.row.bytes as Address);
            }
        }
        bytes
    }

    /// Numbers that look random.
    fn next(state: &mut u64, below: usize) -> usize {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) as usize % below
    }

    #[test]
    fn a_span_ends_with_the_last_row_and_never_wraps() {
        let steps = Steps { row: 10, slice: 100 };
        assert_eq!(steps.span(4, 3, 2), Some(124));
        assert_eq!(steps.span(4, 1, 1), Some(4));
        assert_eq!(steps.span(usize::MAX, 1, 1), Some(usize::MAX));
        for (width, height, depth) in [(usize::MAX, 2, 1), (1, usize::MAX, 1), (1, 1, usize::MAX), (1, 0, 1), (1, 1, 0)]
        {
            assert_eq!(steps.span(width, height, depth), None);
        }
    }

    #[test]
    fn joined_rows_are_the_same_bytes_in_the_same_order() {
        let mut state = 1;
        let mut shorter = 0;
        for _ in 0..5000 {
            let extent = [1 + next(&mut state, 4), 1 + next(&mut state, 3), 1 + next(&mut state, 3)];
            let mut steps = || {
                let row = extent[0] + next(&mut state, 2);
                (row, row * (extent[1] + next(&mut state, 2)))
            };
            let given = copy([1000, 5000], extent, [steps(), steps()]);
            let joined = given.joined();
            assert_eq!(bytes_of(1000, given.destination, &given), bytes_of(1000, joined.destination, &joined));
            assert_eq!(bytes_of(5000, given.source, &given), bytes_of(5000, joined.source, &joined));
            assert!(joined.depth == 1 || joined.height > 1);
            for steps in [joined.destination, joined.source] {
                assert!(steps.row >= joined.row.bytes || joined.is_plain());
                assert!(if joined.depth == 1 { steps.slice == 0 } else { steps.slice >= steps.row * joined.height });
            }
            shorter += u32::from(joined.height * joined.depth < given.height * given.depth);
        }
        assert!(shorter > 300);
        assert_eq!(copy([0, 0], [4, 3, 2], [(4, 12), (4, 12)]).joined().row.bytes, 24);
    }

    #[test]
    fn rows_that_are_joined_are_not_too_far_apart_for_cuda() {
        let far = 4 * (LONGEST_STEP / 4 + 1);
        for height in [1, 3] {
            let near = copy([0, 0], [4, height, 2], [(4, far - 4), (4, 4 * height)]).joined();
            assert_eq!((near.height, near.depth, near.destination.row), (2, 1, far - 4));
            let given = copy([0, 0], [4, height, 2], [(4, far), (4, 4 * height)]);
            assert_eq!(given.joined(), given);
        }
        let whole = copy([0, 0], [4, far / 4, 2], [(4, far), (4, far)]).joined();
        assert_eq!((whole.row.bytes, whole.height, whole.depth), (2 * far, 1, 1));
        // What is near enough stays as it was given.
        let near = copy([0, 0], [4, 3, 2], [(4, 12), (4, 12)]);
        assert_eq!(near.within_reach(), near);
        let far = copy([0, 0], [far, 3, 1], [(far, 0), (far, 0)]).within_reach();
        assert!(far.is_plain() && far.row.bytes == 3 * 4 * (LONGEST_STEP / 4 + 1));
    }

    #[test]
    fn rows_that_are_set_are_joined_where_they_follow_each_other() {
        let set = |count, rows, pitch| Memset { address: 64, value: 5, element_size: 4, count, rows, pitch };
        assert_eq!(set(64, 2, 256).joined(), set(128, 1, 0));
        assert_eq!(set(64, 1, 512).joined(), set(64, 1, 0));
        assert_eq!(set(64, 2, 260).joined(), set(64, 2, 260));
        for near in [set(64, 2, 256), set(64, 1, 512), set(64, 1, 0)] {
            assert_eq!(near.within_reach(), near);
        }
        let far = LONGEST_STEP / 4 + 1;
        assert_eq!(set(far, 3, 4 * far).within_reach(), set(3 * far, 1, 0));
    }

    #[test]
    fn overlaps_are_those_of_single_bytes() {
        let mut state = 7;
        let mut overlapping = 0;
        for _ in 0..20_000 {
            let extent = [1 + next(&mut state, 4), 1 + next(&mut state, 4), 1 + next(&mut state, 3)];
            let mut steps = || {
                let row = extent[0] + next(&mut state, 8);
                (row, row * (extent[1] + next(&mut state, 3)))
            };
            let mut steps = [steps(), steps()];
            if next(&mut state, 2) == 0 {
                steps[1] = steps[0];
            }
            let given = copy([100 + next(&mut state, 60) as u64, 100 + next(&mut state, 60) as u64], extent, steps);
            let written = bytes_of(given.row.destination, given.destination, &given);
            let read = bytes_of(given.row.source, given.source, &given);
            let expected = written.iter().any(|byte| read.contains(byte));
            assert_eq!(given.overlaps_itself(), expected, "{given:?}");
            overlapping += u32::from(expected);
        }
        assert!((2000..18_000).contains(&overlapping), "{overlapping}");
    }

    /// With a look at each row this would never end.
    #[test]
    fn columns_side_by_side_are_told_apart_however_many_rows_there_are() {
        let (rows, slices) = (1 << 30, 1 << 20);
        let columns = |distance| {
            let steps = (4096, 4096 * rows);
            copy([1 << 40, (1 << 40) + distance], [512, rows, slices], [steps, steps]).overlaps_itself()
        };
        for distance in [512, 2048, 4096 - 512, 7 * 4096 + 512, 3 * 4096 * rows as u64 + 512] {
            assert!(!columns(distance), "{distance}");
        }
        for distance in [0, 511, 4096 - 511, 7 * 4096 + 511, 3 * 4096 * rows as u64 - 511] {
            assert!(columns(distance), "{distance}");
        }
    }
}
