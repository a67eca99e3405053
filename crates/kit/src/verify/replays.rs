//! Replays of a graph from one state of memory, and what they leave there.

use graphcap_base::error::Result;
use graphcap_core::{GraphExec, SavedMemory, Stream};

/// Bytes are compared in pieces of so many first.
const PIECE: usize = 256;

/// Memory that replays begin from, and which of its bytes are compared.
pub(super) struct Memory {
    pub(super) saved: SavedMemory,
    stream: Stream,
    /// Bytes that differ from replay to replay.
    is_excluded: Vec<bool>,
}

impl Memory {
    pub(super) fn restore(&self) -> Result<()> {
        self.saved.restore()
    }

    pub(super) fn restore_now(&self) -> Result<()> {
        self.saved.restore()?;
        self.stream.synchronize()
    }

    pub(super) fn read(&mut self) -> Result<Vec<u8>> {
        self.saved.read()
    }

    /// The first byte that differs, of those that are compared.
    pub(super) fn differing(&self, one: &[u8], other: &[u8]) -> Option<usize> {
        let pieces = one.chunks(PIECE).zip(other.chunks(PIECE)).enumerate().filter(|(_, (one, other))| one != other);
        let mut bytes = pieces.flat_map(|(number, (one, other))| {
            let differing = one.iter().zip(other).enumerate().filter(|(_, (one, other))| one != other);
            differing.map(move |(at, _)| number * PIECE + at)
        });
        bytes.find(|&at| self.is_excluded.get(at) == Some(&false))
    }

    /// Compares the bytes no more that differ.
    pub(super) fn exclude(&mut self, one: &[u8], other: &[u8]) {
        while let Some(at) = self.differing(one, other) {
            let rest = self.is_excluded.iter_mut().zip(one.iter().zip(other)).skip(at);
            rest.for_each(|(is_excluded, (one, other))| *is_excluded |= one != other);
        }
    }

    /// The ranges of bytes that differ, each within one piece of memory.
    pub(super) fn changed(&self, one: &[u8], other: &[u8]) -> Vec<(usize, usize)> {
        let mut changed: Vec<(usize, usize)> = Vec::new();
        for (start, end) in self.saved.pieces() {
            let (mut at, first) = (start, changed.len());
            while at < end {
                let next = end.min(at + PIECE);
                if one.get(at..next) != other.get(at..next) {
                    for byte in (at..next).filter(|&byte| one.get(byte) != other.get(byte)) {
                        let is_first = changed.len() == first;
                        match changed.last_mut() {
                            Some(last) if last.1 == byte && !is_first => last.1 = byte + 1,
                            _ => changed.push((byte, byte + 1)),
                        }
                    }
                }
                at = next;
            }
        }
        changed
    }

    pub(super) fn excluded(&self) -> u64 {
        self.is_excluded.iter().filter(|is| **is).count() as u64
    }

    pub(super) fn compared(&self) -> u64 {
        self.is_excluded.len() as u64 - self.excluded()
    }
}

/// Replays of a graph.
pub(super) struct Replays<'a> {
    stream: Stream,
    pub(super) memory: Memory,
    /// One for each node, in the recorded order.
    pub(super) singles: Vec<GraphExec>,
    /// Bytes that the recorded order leaves.
    pub(super) expected: Option<Vec<u8>>,
    /// Number of replays so far.
    pub(super) count: u64,
    progress: &'a mut dyn FnMut(u64, u64) -> bool,
    done: u64,
    /// Number of steps that there are to be.
    pub(super) total: u64,
    pub(super) is_stopped: bool,
}

impl<'a> Replays<'a> {
    pub(super) fn new(
        stream: Stream,
        saved: SavedMemory,
        progress: &'a mut dyn FnMut(u64, u64) -> bool,
    ) -> Replays<'a> {
        let is_excluded = vec![false; saved.bytes()];
        let memory = Memory { saved, stream: stream.clone(), is_excluded };
        let (singles, expected) = (Vec::new(), None);
        Replays { stream, memory, singles, expected, count: 0, progress, done: 0, total: 0, is_stopped: false }
    }

    /// Tells of another step. Whether it is wanted.
    pub(super) fn go_on(&mut self) -> bool {
        self.is_stopped = self.is_stopped || !(self.progress)(self.done, self.total);
        self.done += 1;
        !self.is_stopped
    }

    /// Returns what a replay leaves.
    pub(super) fn replay(&mut self, exec: &GraphExec) -> Result<Vec<u8>> {
        self.count += 1;
        self.memory.restore()?;
        exec.launch(&self.stream)?;
        self.memory.read()
    }

    /// Runs one node.
    pub(super) fn launch(&self, node: u32) -> Result<()> {
        self.singles.get(node as usize).map_or(Ok(()), |exec| exec.launch(&self.stream))
    }

    /// Returns what the nodes leave one after another.
    pub(super) fn chain(&mut self, order: &[u32]) -> Result<Vec<u8>> {
        self.count += 1;
        self.memory.restore()?;
        order.iter().try_for_each(|&node| self.launch(node))?;
        self.memory.read()
    }

    /// Returns whether they leave something else than they do in the recorded order.
    pub(super) fn differs(&mut self, order: &[u32]) -> Result<bool> {
        let result = self.chain(order)?;
        let expected = self.expected.as_deref().unwrap_or_default();
        Ok(self.memory.differing(expected, &result).is_some())
    }
}
