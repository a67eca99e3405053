//! Reads of memory that nothing wrote. Each node runs from two states of memory, which differ in what nothing has written yet: what it
//! writes differs where it depends on that.

use super::parts::Part;
use graphcap_base::error::Result;
use graphcap_core::{MemoryRanges, SavedMemory, Stream};
use graphcap_driver::Address;

/// Bytes that scratch memory is filled with: zeros, and floats below 2 in each format.
const PATTERNS: [u8; 2] = [0, 0x3f];

/// Two states of memory that nodes go on from.
pub(super) struct Twins([Twin; 2]);

struct Twin {
    saved: SavedMemory,
    bytes: Vec<u8>,
}

impl Twins {
    /// Takes the memory as it is, with patterns in `scratch`, which is among it.
    ///
    /// # Errors
    /// As [`SavedMemory::save`].
    pub(super) fn prepare(stream: &Stream, watched: &MemoryRanges, scratch: &MemoryRanges) -> Result<Twins> {
        let twin = |pattern| {
            let mut saved = SavedMemory::save(stream, watched, u64::MAX)?;
            saved.fill_parts(&saved.parts_of(scratch), pattern)?;
            saved.save_again()?;
            let bytes = saved.read()?;
            Ok(Twin { saved, bytes })
        };
        let [one, other] = PATTERNS;
        Ok(Twins([twin(one)?, twin(other)?]))
    }

    /// Runs a node from both states. Returns the first byte that it wrote by what nothing wrote, and the number of such bytes. Memory is
    /// as the first state leaves it.
    ///
    /// # Errors
    /// The status by which the node failed.
    pub(super) fn run(&mut self, part: &Part, stream: &Stream) -> Result<Option<(Address, u64)>> {
        let Twins([one, other]) = self;
        let after_other = other.run(part, stream)?;
        other.saved.save_again()?;
        let mut after = one.run(part, stream)?;
        let mut found = depends([&one.bytes, &other.bytes], [&after, &after_other]);
        if !found.is_empty() {
            // Some nodes write other bytes in each run.
            let again = one.run(part, stream)?;
            found.retain(|&at| after.get(at) == again.get(at));
            after = again;
        }
        one.saved.save_again()?;
        (one.bytes, other.bytes) = (after, after_other);
        Ok(found.first().map(|&first| (one.saved.address(first).0, found.len() as u64)))
    }
}

impl Twin {
    /// Runs a node from this state, and gives what it leaves.
    fn run(&mut self, part: &Part, stream: &Stream) -> Result<Vec<u8>> {
        self.saved.restore()?;
        part.launch(stream)?;
        self.saved.read()
    }
}

/// The places of bytes that were written, and that are not alike in two states.
fn depends(before: [&[u8]; 2], after: [&[u8]; 2]) -> Vec<usize> {
    let ([was_one, was_other], [one, other]) = (before, after);
    let all = was_one.iter().zip(was_other).zip(one.iter().zip(other)).enumerate();
    let found =
        all.filter(|(_, ((was_one, was_other), (one, other)))| one != other && (one != was_one || other != was_other));
    found.map(|(at, _)| at).collect()
}
