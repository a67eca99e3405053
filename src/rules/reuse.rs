//! Which memory of a pool a capture may use again: as pure functions and data, for every device and every layer above.
//!
//! A graph may run its branches at the same time, and all of its launches use the memory that was chosen while it was recorded.
//! So a block is used again only where the same body of the same capture allocated it, and where every recorded use of it, not
//! only its free, precedes the frontier of the stream that allocates.
//!
//! A block that is used again keeps the earlier uses of its bytes. A stream may use it where all of these precede its own frontier,
//! as they do on the stream that allocated it and on each that is ordered behind the allocation; elsewhere the use is refused. So
//! a block that was allocated, and freed without a use, is still behind what used it before.
//!
//! What precedes a frontier is known by *clocks*: for each stream of a capture, how much of its work is behind a point. The work
//! of one stream is a chain, so the latest use on a stream stands for the earlier ones. Where somebody sets what a stream's next
//! work depends on, it is no chain, and nothing may be used again from then on.

use std::collections::BTreeMap;

/// Where a block starts: in which extent, and at which of its bytes. Blocks of two extents never lie side by side.
pub type Place = (usize, usize);

/// When memory is used again within a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Policy {
    /// Not at all: no two branches of the graph wait for each other because of memory.
    Never,
    /// By the stream alone that made all uses: memory adds no edge between streams.
    SameStream,
    /// By every stream that all uses precede.
    #[default]
    Ordered,
}

/// The latest use of a block on each stream that used it, counted as clocks do: from 1 on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Uses(BTreeMap<usize, u32>);

impl Uses {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The work number `position` of a stream uses the block.
    pub fn add(&mut self, stream: usize, position: u32) {
        let latest = self.0.entry(stream).or_default();
        *latest = position.max(*latest);
    }

    /// Counts the uses of another block, whose bytes are to be used together with these.
    pub fn merge(&mut self, other: &Uses) {
        other.0.iter().for_each(|(&stream, &position)| self.add(stream, position));
    }

    /// Whether all uses precede the frontier of `stream`, of which `clock` tells what is behind it, as far as `policy` goes.
    pub fn precede(&self, clock: &[u32], stream: usize, policy: Policy) -> bool {
        let is_behind = |(&user, &position): (&usize, &u32)| clock.get(user).is_some_and(|&behind| behind >= position);
        match policy {
            Policy::Never => false,
            Policy::SameStream => self.0.iter().all(|use_| *use_.0 == stream && is_behind(use_)),
            Policy::Ordered => self.0.iter().all(is_behind),
        }
    }
}

/// The blocks that one body of a capture gave back, for its own later work.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// By where they start, with their sizes. Pieces side by side have different uses, or are not merged yet.
    free: BTreeMap<Place, (usize, Uses)>,
    /// Whether the streams' work is no chain any more.
    is_closed: bool,
}

impl Ledger {
    /// Takes a block of `size` bytes for work behind the frontier of `stream`, of which `clock` tells what is behind it: from the
    /// smallest run of pieces that has as many. Gives where it starts, and the earlier uses of its bytes.
    pub fn take(&mut self, size: usize, clock: &[u32], stream: usize, policy: Policy) -> Option<(Place, Uses)> {
        if self.is_closed {
            return None;
        }
        let mut best: Option<(Place, usize)> = None;
        // All pieces that lie side by side, whoever used them: most are shorter, and their uses need no look.
        let mut group: Option<(Place, usize)> = None;
        for (&(extent, at), (piece, _)) in &self.free {
            match &mut group {
                Some((start, length)) if (start.0, start.1 + *length) == (extent, at) => *length += piece,
                _ => {
                    if let Some(group) = group.replace(((extent, at), *piece)).filter(|(_, length)| *length >= size) {
                        self.look(group, size, (clock, stream, policy), &mut best);
                    }
                }
            }
        }
        if let Some(group) = group.filter(|(_, length)| *length >= size) {
            self.look(group, size, (clock, stream, policy), &mut best);
        }
        best.map(|(start, _)| (start, self.cut(start, size)))
    }

    /// Looks for a shorter run than the `best` one, of `size` bytes at least, among the pieces side by side from `start` on.
    fn look(
        &self,
        (start, length): (Place, usize),
        size: usize,
        (clock, stream, policy): (&[u32], usize, Policy),
        best: &mut Option<(Place, usize)>,
    ) {
        let mut run: Option<(Place, usize)> = None;
        for (&place, (piece, uses)) in self.free.range(start..(start.0, start.1 + length)) {
            if !uses.precede(clock, stream, policy) {
                run = None;
                continue;
            }
            let (start, length) = run.map_or((place, *piece), |(start, length)| (start, length + piece));
            run = Some((start, length));
            // A run that is found to go on replaces the shorter one that it was.
            let is_same = best.is_some_and(|(best, _)| best == start);
            if length >= size && !is_same && best.is_none_or(|(_, shortest)| length < shortest) {
                *best = Some((start, length));
            }
        }
    }

    /// Takes `size` bytes out of the pieces from `start` on, which lie side by side. Gives their uses.
    fn cut(&mut self, (extent, start): Place, size: usize) -> Uses {
        let (mut at, end, mut all) = (start, start + size, Uses::default());
        while at < end {
            let Some((piece, uses)) = self.free.remove(&(extent, at)) else { break };
            all.merge(&uses);
            at += piece;
            if at > end {
                self.free.insert((extent, end), (at - end, uses));
            }
        }
        all
    }

    /// Gives a block back that was used so, the uses of its bytes before among them. What orders later work behind them is not the
    /// free, but the uses.
    pub fn give_back(&mut self, at: Place, size: usize, uses: Uses) {
        self.free.insert(at, (size, uses));
    }

    /// Somebody said what a stream's next work depends on: nothing is used again.
    pub fn close(&mut self) {
        self.is_closed = true;
    }
}

#[cfg(test)]
#[path = "reuse_tests.rs"]
mod tests;
