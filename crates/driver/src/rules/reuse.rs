//! Rules of the memory of a pool that a capture may use again: pure functions and data, for every device and every layer above.
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
//! work depends on, it is no chain, and nothing may be used again from then on. Who adds to what it depends on leaves the chain.

use std::collections::{BTreeMap, BTreeSet};

use super::free_list::{BlockStart, FreeList};

/// Rule by which memory is used again within a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Policy {
    /// No reuse: no two branches of the graph wait for each other because of memory.
    Never,
    /// Reuse by the stream alone that made all uses: memory adds no edge between streams.
    SameStream,
    /// Reuse by every stream that all uses precede.
    #[default]
    Ordered,
}

/// The latest use of a block on each stream that used it, counted as clocks do: from 1 on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Uses(BTreeMap<usize, u32>);

impl Uses {
    /// Tells whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a use by the work number `position` of a stream.
    pub fn add(&mut self, stream: usize, position: u32) {
        let latest = self.0.entry(stream).or_default();
        *latest = position.max(*latest);
    }

    /// Counts the uses of another block, whose bytes are to be used together with these.
    pub fn merge(&mut self, other: &Uses) {
        other.0.iter().for_each(|(&stream, &position)| self.add(stream, position));
    }

    /// Tells whether all uses precede the frontier of `stream`, of which `clock` tells what is behind it, as far as `policy` goes.
    pub fn precede(&self, clock: &[u32], stream: usize, policy: Policy) -> bool {
        matches!(self.readiness(clock, stream, policy), Readiness::Ready)
    }
}

/// The blocks that one body of a capture gave back, for its own later work.
///
/// Each stream that takes blocks has a view of them, in which what it may take is sorted by size and what lies side by side is one
/// piece. So neither a block that is taken nor one that is given back has the others looked at.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    policy: Policy,
    /// Blocks by where they start, with their sizes: as they were given back, or what is left of that.
    free: BTreeMap<BlockStart, (usize, Uses)>,
    /// Views by the numbers of the streams.
    views: BTreeMap<usize, View>,
}

/// Memory that one stream may take.
#[derive(Clone, Debug)]
struct View {
    stream: usize,
    policy: Policy,
    /// Work that was behind its frontier when it was looked at last.
    clock: Vec<u32>,
    /// Pieces that may be taken.
    ready: FreeList,
    /// Pieces that have a use which is not behind the frontier, by the first such use of each: its stream and position.
    waiting: BTreeSet<(usize, u32, BlockStart)>,
}

/// Availability of a piece to a stream.
enum Readiness {
    Ready,
    /// Not before that use is behind its frontier: its stream and position.
    Waits(usize, u32),
    Never,
}

impl Uses {
    /// Tells whether `stream` may take what is used so, when `clock` tells what is behind its frontier.
    fn readiness(&self, clock: &[u32], stream: usize, policy: Policy) -> Readiness {
        let is_barred = match policy {
            Policy::Never => true,
            Policy::SameStream => self.0.keys().any(|&user| user != stream),
            Policy::Ordered => false,
        };
        if is_barred {
            return Readiness::Never;
        }
        let unmet = self.0.iter().find(|(&user, &position)| clock.get(user).is_none_or(|&behind| behind < position));
        unmet.map_or(Readiness::Ready, |(&user, &position)| Readiness::Waits(user, position))
    }
}

impl Ledger {
    /// Makes a ledger without blocks, for use again as `policy` says.
    pub fn new(policy: Policy) -> Ledger {
        Ledger { policy, ..Ledger::default() }
    }

    /// Takes a block of `size` bytes for work behind the frontier of `stream`, of which `clock` tells what is behind it: from the
    /// smallest run of pieces side by side that has as many. Gives where it starts, and the earlier uses of its bytes.
    pub fn take(&mut self, size: usize, clock: &[u32], stream: usize) -> Option<(BlockStart, Uses)> {
        if self.policy == Policy::Never {
            return None;
        }
        let Ledger { policy, free, views } = self;
        let view = views.entry(stream).or_insert_with(|| View::new(stream, *policy, clock, free));
        view.advance(clock, free);
        let start = view.ready.best_fit(size)?;
        Some((start, self.cut(start, size)))
    }

    /// Takes `size` bytes out of the pieces from `start` on, which lie side by side. Gives their uses.
    fn cut(&mut self, (extent, start): BlockStart, size: usize) -> Uses {
        let (mut at, end, mut all) = (start, start + size, Uses::default());
        while at < end {
            let Some((piece, uses)) = self.free.remove(&(extent, at)) else { break };
            self.views.values_mut().for_each(|view| view.remove((extent, at), piece, &uses));
            all.merge(&uses);
            at += piece;
            if at > end {
                self.give_back((extent, end), at - end, uses);
            }
        }
        all
    }

    /// Gives a block back that was used so, the uses of its bytes before among them. What orders later work behind them is not the
    /// free, but the uses.
    pub fn give_back(&mut self, at: BlockStart, size: usize, uses: Uses) {
        self.views.values_mut().for_each(|view| view.add(at, size, &uses));
        self.free.insert(at, (size, uses));
    }
}

impl View {
    /// Makes the view of `stream` of what is free, when `clock` tells what is behind its frontier.
    fn new(stream: usize, policy: Policy, clock: &[u32], free: &BTreeMap<BlockStart, (usize, Uses)>) -> View {
        let (clock, ready, waiting) = (clock.to_vec(), FreeList::default(), BTreeSet::new());
        let mut view = View { stream, policy, clock, ready, waiting };
        free.iter().for_each(|(&at, (size, uses))| view.add(at, *size, uses));
        view
    }

    /// Moves the frontier of the stream on.
    fn advance(&mut self, clock: &[u32], free: &BTreeMap<BlockStart, (usize, Uses)>) {
        let before = std::mem::replace(&mut self.clock, clock.to_vec());
        let mut met = Vec::new();
        for (user, &behind) in clock.iter().enumerate() {
            if before.get(user).is_none_or(|&before| before < behind) {
                let uses = (user, 0, (0, 0))..=(user, behind, (usize::MAX, usize::MAX));
                met.extend(self.waiting.range(uses).copied());
            }
        }
        for use_ in met {
            self.waiting.remove(&use_);
            if let Some((size, uses)) = free.get(&use_.2) {
                self.add(use_.2, *size, uses);
            }
        }
    }

    fn add(&mut self, at: BlockStart, size: usize, uses: &Uses) {
        match uses.readiness(&self.clock, self.stream, self.policy) {
            Readiness::Ready => self.ready.add(at, size),
            Readiness::Waits(user, position) => _ = self.waiting.insert((user, position, at)),
            Readiness::Never => {}
        }
    }

    fn remove(&mut self, at: BlockStart, size: usize, uses: &Uses) {
        match uses.readiness(&self.clock, self.stream, self.policy) {
            Readiness::Ready => self.ready.remove(at, size),
            Readiness::Waits(user, position) => _ = self.waiting.remove(&(user, position, at)),
            Readiness::Never => {}
        }
    }
}

#[cfg(test)]
#[path = "reuse_tests.rs"]
mod tests;
