//! Memory of the process, for words of a text that are addresses although the text does not say so.

use std::ops::Range;

/// Numbers below are taken for numbers: sizes and counts are there, and hardly a program has memory.
const FIRST: u64 = 1 << 32;

/// The ranges of addresses that the process can read or write, as the system told them.
pub(crate) struct ProcessMemory(Vec<Range<u64>>);

impl ProcessMemory {
    /// As it is now; nothing where the system does not tell.
    pub(crate) fn now() -> ProcessMemory {
        ProcessMemory::of(&std::fs::read_to_string("/proc/self/maps").unwrap_or_default())
    }

    /// Of lines such as `7f12a000-7f12b000 rw-p 00000000 00:00 0`, which come in the order of the addresses.
    fn of(maps: &str) -> ProcessMemory {
        let range = |line: &str| {
            let (range, rest) = line.split_once(' ')?;
            let (start, end) = range.split_once('-')?;
            // What is only reserved is no memory.
            let is_there = rest.starts_with('r') || rest.as_bytes().get(1) == Some(&b'w');
            let number = |text| u64::from_str_radix(text, 16).ok();
            is_there.then_some(number(start)?..number(end)?)
        };
        ProcessMemory(maps.lines().filter_map(range).collect())
    }

    /// Returns whether a word is an address of the memory, and of at least 4 GiB.
    pub(crate) fn has(&self, word: u64) -> bool {
        let after = self.0.partition_point(|range| range.start <= word);
        word >= FIRST && after.checked_sub(1).and_then(|at| self.0.get(at)).is_some_and(|range| range.contains(&word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_found_by_its_first_and_last_byte() {
        let memory = ProcessMemory::of(
            "00400000-00401000 r-xp 00000000 08:01 1 /bin/program\n7f0000000000-7f0000002000 rw-p 00000000 00:00 0\n\
             7f0000002000-7f0000004000 ---p 00000000 00:00 0\n7f0000004000-7f0000005000 -w-p 00000000 00:00 0 [a b]\nno line\n",
        );
        let found = [0x7f00_0000_0000, 0x7f00_0000_1fff, 0x7f00_0000_4000, 0x7f00_0000_4fff];
        assert!(found.iter().all(|&word| memory.has(word)));
        let not_found =
            [0, 0x40_0000, 0x7eff_ffff_ffff, 0x7f00_0000_2000, 0x7f00_0000_3fff, 0x7f00_0000_5000, u64::MAX];
        assert!(!not_found.iter().any(|&word| memory.has(word)));
        assert!(!ProcessMemory::of("").has(0x7f00_0000_0000));
    }

    #[test]
    fn the_memory_of_this_process_is_found() {
        let local = 1u8;
        let allocated = Box::new(1u8);
        let memory = ProcessMemory::now();
        for address in [&raw const local, &raw const *allocated] {
            let address = address.addr() as u64;
            assert!(memory.has(address) || address < FIRST);
        }
    }
}
