//! Arguments of launches: packed where a launch is recorded or queued, and laid out in one piece for replays.

use smallvec::SmallVec;

use crate::raw::ArgumentTable;
use graphcap_driver::Argument;

/// Arguments as recorded: one after another, each at a multiple of 16 bytes where its size is one, else of 8.
#[derive(Clone, Default)]
pub(crate) struct PackedArguments {
    words: SmallVec<[u64; IN_PLACE]>,
    places: SmallVec<[ArgumentPlace; IN_PLACE]>,
}

/// Number of words, and of arguments, that need no memory of their own.
const IN_PLACE: usize = 4;

/// Place of an argument among the words.
#[derive(Clone, Copy, PartialEq)]
struct ArgumentPlace {
    /// Its first word.
    start: u32,
    /// Number of its bytes; [`ADDRESS`] for an address.
    bytes: u32,
}

/// In place of an argument's size: it was given as an address.
const ADDRESS: u32 = u32::MAX;

/// The word that begins with the first `N` of `bytes`, which are at most 8, and goes on with zeros.
#[inline]
fn padded<const N: usize>(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    let count = bytes.len().min(N);
    word[..count].copy_from_slice(&bytes[..count]);
    u64::from_ne_bytes(word)
}

impl PackedArguments {
    /// Copies the arguments.
    pub(crate) fn pack(arguments: &[Argument<'_>]) -> Self {
        Self::pack_few(arguments).unwrap_or_else(|| Self::pack_any(arguments))
    }

    /// Copies arguments of a word each that fit in place, as most launches have them.
    #[inline]
    fn pack_few(arguments: &[Argument<'_>]) -> Option<Self> {
        let mut words = [0; IN_PLACE];
        let mut places = [ArgumentPlace { start: 0, bytes: 0 }; IN_PLACE];
        if arguments.len() > IN_PLACE {
            return None;
        }
        for (start, ((argument, word), place)) in arguments.iter().zip(&mut words).zip(&mut places).enumerate() {
            let bytes = match argument {
                Argument::Address(address) => {
                    *word = *address;
                    ADDRESS
                }
                Argument::Value(bytes) => {
                    *word = match bytes.len() {
                        4 => padded::<4>(bytes),
                        8 => padded::<8>(bytes),
                        _ => return None,
                    };
                    bytes.len() as u32
                }
            };
            *place = ArgumentPlace { start: start as u32, bytes };
        }
        let count = arguments.len();
        Some(PackedArguments {
            words: SmallVec::from_buf_and_len(words, count),
            places: SmallVec::from_buf_and_len(places, count),
        })
    }

    fn pack_any(arguments: &[Argument<'_>]) -> Self {
        let mut packed = PackedArguments::default();
        for argument in arguments {
            match argument {
                Argument::Address(address) => {
                    packed.places.push(ArgumentPlace { start: packed.words.len() as u32, bytes: ADDRESS });
                    packed.words.push(*address);
                }
                Argument::Value(bytes) => {
                    if bytes.len() % 16 == 0 && packed.words.len() % 2 == 1 {
                        packed.words.push(0);
                    }
                    packed.places.push(ArgumentPlace { start: packed.words.len() as u32, bytes: bytes.len() as u32 });
                    packed.words.extend(bytes.chunks(8).map(padded::<8>));
                }
            }
        }
        packed
    }

    /// Calls `read` with the arguments that were packed.
    pub(super) fn read(&self, read: impl FnOnce(&[Argument<'_>])) {
        let mut bytes = SmallVec::<[u8; 128]>::new();
        self.words.iter().for_each(|word| bytes.extend_from_slice(&word.to_ne_bytes()));
        let arguments: SmallVec<[Argument<'_>; 16]> = self
            .places
            .iter()
            .map(|&ArgumentPlace { start, bytes: size }| match size {
                ADDRESS => Argument::Address(self.words[start as usize]),
                size => Argument::Value(&bytes[start as usize * 8..][..size as usize]),
            })
            .collect();
        read(&arguments);
    }

    /// Returns whether both are the same arguments.
    #[inline]
    pub(super) fn is_same(&self, other: &PackedArguments) -> bool {
        // Few words, which a loop compares sooner than a call.
        let is_alike = self.words.len() == other.words.len() && self.places.len() == other.places.len();
        is_alike
            && self.words.iter().zip(&other.words).all(|(a, b)| a == b)
            && self.places.iter().zip(&other.places).all(|(a, b)| a == b)
    }

    /// Returns whether each argument begins where the one with its number does in `other`, which has as many words.
    fn lie_as(&self, other: &PackedArguments) -> bool {
        fn starts(arguments: &PackedArguments) -> impl Iterator<Item = u32> + '_ {
            arguments.places.iter().map(|place| place.start)
        }
        self.words.len() == other.words.len() && starts(self).eq(starts(other))
    }

    /// Number of pairs of words that their table takes, with its values.
    #[inline]
    fn pairs(&self) -> usize {
        self.places.len().div_ceil(2) + self.words.len().div_ceil(2)
    }
}

/// Argument tables of some launches in one piece of memory, each table followed by its values, so that a replay reads straight on.
pub(crate) struct ArgumentArena {
    memory: Box<[Pair]>,
    /// For each launch, in their order: the first pair of its table, and the number of pointers.
    tables: Vec<(u32, u32)>,
    /// Number of pairs that are laid out.
    filled: usize,
}

/// Two words, at a multiple of 16 bytes.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Pair([u64; 2]);

impl ArgumentArena {
    /// With room for the arguments of these launches.
    #[inline]
    pub(crate) fn for_launches<'a>(launches: impl Iterator<Item = &'a PackedArguments>) -> Self {
        let (mut count, mut pairs) = (0, 0);
        for arguments in launches {
            count += 1;
            pairs += arguments.pairs();
        }
        ArgumentArena { memory: vec![Pair([0; 2]); pairs].into(), tables: Vec::with_capacity(count), filled: 0 }
    }

    /// Lays out the arguments of the next one of the launches that there is room for. Gives its table.
    #[inline]
    pub(crate) fn append(&mut self, arguments: &PackedArguments) -> ArgumentTable {
        let start = self.filled;
        self.filled += self.lay_out(start, arguments);
        self.tables.push((start as u32, arguments.places.len() as u32));
        ArgumentTable(self.address() + start * size_of::<Pair>())
    }

    /// Lays out the arguments of one launch, from a pair on. Gives the number of pairs that they take.
    #[inline]
    fn lay_out(&mut self, start: usize, arguments: &PackedArguments) -> usize {
        let (places, words) = (&arguments.places[..], &arguments.words[..]);
        let table_pairs = places.len().div_ceil(2);
        let taken = table_pairs + words.len().div_ceil(2);
        // The values follow at an even word, which keeps what is packed at 16 bytes there.
        let values = self.address() + (start + table_pairs) * size_of::<Pair>();
        let (table, rest) = self.memory[start..start + taken].split_at_mut(table_pairs);
        let pointer = |place: &ArgumentPlace| (values + place.start as usize * size_of::<u64>()) as u64;
        for (pair, places) in table.iter_mut().zip(places.chunks(2)) {
            pair.0 = [pointer(&places[0]), places.get(1).map_or(0, pointer)];
        }
        for (pair, words) in rest.iter_mut().zip(words.chunks(2)) {
            pair.0 = [words[0], words.get(1).copied().unwrap_or(0)];
        }
        taken
    }

    /// The address of the memory, which replays go by.
    fn address(&self) -> usize {
        self.memory.as_ptr().expose_provenance()
    }

    /// Makes a launch with that table have other arguments, where they lie as those before did; else nothing is changed. Tells whether.
    /// `table` is one that [`ArgumentArena::append`] gave, moved as [`ArgumentArena::copy`] tells, and `before` is what it was last laid
    /// out with: so what is written takes the pairs that it has. No replay reads the arena meanwhile, as no other version has it.
    pub(crate) fn rewrite(&mut self, table: ArgumentTable, before: &PackedArguments, after: &PackedArguments) -> bool {
        if !before.lie_as(after) {
            return false;
        }
        self.lay_out((table.0 - self.address()) / size_of::<Pair>(), after);
        // Reads of replays come after all writes.
        self.address();
        true
    }

    /// A copy, and the number of bytes that its tables lie behind those of this one.
    pub(crate) fn copy(&self) -> (ArgumentArena, usize) {
        let mut copy = ArgumentArena { memory: self.memory.clone(), tables: self.tables.clone(), filled: self.filled };
        let moved = copy.address().wrapping_sub(self.address());
        for &(start, count) in &self.tables {
            for index in 0..count as usize {
                let pointer = &mut copy.memory[start as usize + index / 2].0[index % 2];
                *pointer = pointer.wrapping_add(moved as u64);
            }
        }
        copy.address();
        (copy, moved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raw;
    use graphcap_driver::Value;

    fn packed(address: u64, value: &[u8]) -> PackedArguments {
        PackedArguments::pack(&[Argument::Address(address), Argument::Value(value)])
    }

    fn word(address: u64) -> u64 {
        match raw::load(address, Value::U64(0)) {
            Value::U64(word) => word,
            Value::U32(word) => word.into(),
        }
    }

    /// The words that the pointers of a table lead to.
    fn read(table: ArgumentTable) -> [u64; 2] {
        [0, 8].map(|offset| word(word(table.0 as u64 + offset)))
    }

    #[test]
    fn arguments_that_lie_alike_are_rewritten_in_place() {
        let [first, second] = [packed(1, &2u64.to_ne_bytes()), packed(3, &4u32.to_ne_bytes())];
        let mut arena = ArgumentArena::for_launches([&first, &second].into_iter());
        let tables = [&first, &second].map(|arguments| arena.append(arguments));
        assert_eq!(tables.map(read), [[1, 2], [3, 4]]);
        assert!(arena.rewrite(tables[1], &second, &packed(5, &6u32.to_ne_bytes())));
        assert_eq!(tables.map(read), [[1, 2], [5, 6]]);
        let three = PackedArguments::pack(&[Argument::Address(7); 3]);
        assert!(!arena.rewrite(tables[0], &first, &packed(7, &[0; 16])));
        assert!(!arena.rewrite(tables[0], &first, &three));
        assert_eq!(tables.map(read), [[1, 2], [5, 6]]);
    }

    #[test]
    fn a_copy_has_values_of_its_own() {
        let arguments = [packed(1, &2u64.to_ne_bytes()), packed(3, &[7; 32])];
        let mut arena = ArgumentArena::for_launches(arguments.iter());
        let tables = [0, 1].map(|launch: usize| arena.append(&arguments[launch]));
        let (mut copy, moved) = arena.copy();
        let [table, second] = tables.map(|table| ArgumentTable(table.0.wrapping_add(moved)));
        assert_eq!(read(table), [1, 2]);
        assert!(copy.rewrite(table, &arguments[0], &packed(8, &9u64.to_ne_bytes())));
        assert_eq!((read(table), read(tables[0])), ([8, 9], [1, 2]));
        assert_eq!(read(second), [3, u64::from_ne_bytes([7; 8])]);
        // A value of 16 bytes and more begins at a multiple of as many.
        assert_eq!(word(second.0 as u64 + 8) % 16, 0);
    }
}
