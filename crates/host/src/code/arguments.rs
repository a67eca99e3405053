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
#[derive(Clone, Copy)]
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
        let bytes: Vec<u8> = self.words.iter().flat_map(|word| word.to_ne_bytes()).collect();
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

    /// Returns how many arguments there are.
    pub(crate) fn count(&self) -> usize {
        self.places.len()
    }

    /// Returns how many bytes their table takes, about.
    pub(crate) fn bytes(&self) -> usize {
        (self.words.len() + 2 * self.places.len()) * size_of::<u64>()
    }
}

/// Argument tables of many launches in one piece of memory, each table followed by its values, so that a
/// replay reads straight on.
pub(crate) struct ArgumentArena {
    memory: Box<[u128]>,
    /// First word of each table.
    tables: Vec<usize>,
}

impl ArgumentArena {
    /// Lays the arguments of launches out in their order.
    pub(crate) fn new<'a>(launches: impl Iterator<Item = &'a PackedArguments>) -> Self {
        let mut words: Vec<u64> = Vec::new();
        let mut tables = Vec::new();
        let mut pointers: Vec<usize> = Vec::new();
        for arguments in launches {
            let table = words.len();
            tables.push(table);
            // The values follow at an even word, which keeps what is packed at 16 bytes there.
            let values = (table + arguments.count()).next_multiple_of(2);
            pointers.extend(table..table + arguments.count());
            words.extend(arguments.places.iter().map(|place| (values + place.start as usize) as u64 * 8));
            words.resize(values, 0);
            words.extend_from_slice(&arguments.words);
            words.resize(words.len().next_multiple_of(2), 0);
        }
        let mut memory = vec![0u128; words.len() / 2].into_boxed_slice();
        let base = memory.as_ptr().expose_provenance() as u64;
        for pointer in pointers {
            words[pointer] += base;
        }
        for (pair, cell) in words.chunks_exact(2).zip(memory.iter_mut()) {
            let mut bytes = [0; 16];
            bytes[..8].copy_from_slice(&pair[0].to_ne_bytes());
            bytes[8..].copy_from_slice(&pair[1].to_ne_bytes());
            *cell = u128::from_ne_bytes(bytes);
        }
        ArgumentArena { memory, tables }
    }

    /// The table of launch number `launch`.
    pub(crate) fn table(&self, launch: usize) -> ArgumentTable {
        ArgumentTable(self.memory.as_ptr().expose_provenance() + self.tables[launch] * 8)
    }
}
