//! Blocks of memory that allocators of the program give out: the device tells one allocation from another, and not what lies within.

use std::collections::BTreeMap;
use std::sync::Arc;

use graphcap_base::error::{Error, Result};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::Address;

/// A block that an allocator gave out.
#[derive(PartialEq, Eq, Debug)]
pub struct MemoryBlock {
    /// Its first byte.
    pub address: Address,
    /// Its size.
    pub bytes: usize,
    /// The allocator's number of it, by which it differs from others that had the address.
    pub generation: u64,
    /// A name for messages; empty for none.
    pub name: Arc<str>,
}

/// The blocks that are given out, none of which overlaps another one. Of all contexts: addresses of the process mean one thing.
static BLOCKS: Mutex<BTreeMap<Address, Arc<MemoryBlock>>, rank::MemoryBlocks> = Mutex::new(BTreeMap::new());

impl MemoryBlock {
    /// Takes note that an allocator gave out this block. Those that it overlaps are over. A block that is noted already stays the same.
    ///
    /// # Errors
    /// `INVALID_VALUE` for no bytes, and for bytes behind the end of the address space.
    pub fn begin(self) -> Result<()> {
        let end = self.address.checked_add(self.bytes as u64).filter(|&end| end > self.address);
        let end = end.ok_or_else(|| no_range(&self))?;
        let mut blocks = lock(&BLOCKS);
        if blocks.get(&self.address).is_some_and(|known| **known == self) {
            return Ok(());
        }
        let overlapped = |block: &MemoryBlock| block.address + block.bytes as u64 > self.address;
        while let Some(start) =
            blocks.range(..end).next_back().filter(|(_, block)| overlapped(block)).map(|(&start, _)| start)
        {
            blocks.remove(&start);
        }
        blocks.insert(self.address, Arc::new(self));
        Ok(())
    }

    /// Takes note that an allocator took back the block at an address with that number. Without effect where it has none such.
    pub fn end(address: Address, generation: u64) {
        let mut blocks = lock(&BLOCKS);
        if blocks.get(&address).is_some_and(|block| block.generation == generation) {
            blocks.remove(&address);
        }
    }

    /// The block that an address lies in.
    pub(crate) fn at(address: Address) -> Option<Arc<MemoryBlock>> {
        let blocks = lock(&BLOCKS);
        let (_, block) = blocks.range(..=address).next_back()?;
        (address - block.address < block.bytes as u64).then(|| Arc::clone(block))
    }

    /// The blocks that addresses lie in, of those that lie in one. The addresses ascend.
    pub(crate) fn at_each(addresses: &[Address]) -> Vec<(Address, Arc<MemoryBlock>)> {
        let blocks = lock(&BLOCKS);
        let mut found: Vec<(Address, Arc<MemoryBlock>)> = Vec::new();
        if blocks.is_empty() {
            return found;
        }
        let holds = |block: &MemoryBlock, address: Address| {
            address.checked_sub(block.address).is_some_and(|offset| offset < block.bytes as u64)
        };
        for &address in addresses {
            let latest = found.last().map(|(_, block)| block).filter(|block| holds(block, address)).cloned();
            let block = latest.or_else(|| {
                let (_, block) = blocks.range(..=address).next_back()?;
                holds(block, address).then(|| Arc::clone(block))
            });
            found.extend(block.map(|block| (address, block)));
        }
        found
    }

    /// The block in words.
    pub(crate) fn label(&self) -> String {
        match self.name.is_empty() {
            true => format!("a block of {} bytes at {:#x}", self.bytes, self.address),
            false => format!(
                "block {} of {} bytes at {:#x}",
                graphcap_base::names::quoted(&self.name),
                self.bytes,
                self.address
            ),
        }
    }
}

#[cold]
fn no_range(block: &MemoryBlock) -> Error {
    Error::invalid_value(format!(
        "a block of {} bytes at {:#x} has no bytes, or some behind the end of the address space; pass the range that the allocator gave out",
        block.bytes, block.address
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begin(address: Address, bytes: usize, generation: u64) -> Result<()> {
        MemoryBlock { address, bytes, generation, name: "block".into() }.begin()
    }

    #[test]
    fn a_block_is_over_when_it_ends_or_another_one_overlaps_it() {
        // Addresses that no other test has.
        let base: Address = 0xfeed_0000_0000;
        let generation = |offset| MemoryBlock::at(base + offset).map(|block| block.generation);
        begin(base, 16, 1).unwrap();
        begin(base + 16, 16, 2).unwrap();
        let first = MemoryBlock::at(base + 15).unwrap();
        assert_eq!([0, 15, 16, 31, 32].map(generation), [Some(1), Some(1), Some(2), Some(2), None]);
        begin(base, 16, 1).unwrap();
        assert!(Arc::ptr_eq(&first, &MemoryBlock::at(base).unwrap()), "told twice");
        MemoryBlock::end(base, 7);
        assert_eq!(generation(0), Some(1));
        MemoryBlock::end(base, 1);
        assert_eq!([0, 16].map(generation), [None, Some(2)]);
        begin(base + 8, 16, 3).unwrap();
        assert_eq!([7, 8, 23, 24].map(generation), [None, Some(3), Some(3), None]);
        let each = MemoryBlock::at_each(&[7, 8, 9, 23, 24, 40].map(|offset| base + offset));
        let found: Vec<_> = each.iter().map(|(address, block)| (address - base, block.generation)).collect();
        assert_eq!(found, [(8, 3), (9, 3), (23, 3)]);
        MemoryBlock::end(base + 8, 3);
        assert!(begin(base, 0, 1).is_err() && begin(u64::MAX - 1, 16, 1).is_err());
    }
}
