//! Summaries of memory: a hash, and how many of its floats are not finite. `summarize.cu` of the CUDA device does the same on GPUs.

/// Kind of the elements of memory, by the number that the kernels know it by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum ElementKind {
    /// No floats: bytes alone.
    #[default]
    Bytes = 0,
    /// IEEE single precision.
    F32 = 1,
    /// IEEE half precision.
    F16 = 2,
    /// The upper half of a float of single precision.
    Bf16 = 3,
    /// IEEE double precision.
    F64 = 4,
}

impl ElementKind {
    /// Bytes of an element.
    pub fn size(self) -> usize {
        match self {
            ElementKind::Bytes => 1,
            ElementKind::F16 | ElementKind::Bf16 => 2,
            ElementKind::F32 => 4,
            ElementKind::F64 => 8,
        }
    }

    /// The kind of that number.
    pub fn of_number(number: u64) -> Option<ElementKind> {
        use ElementKind::{Bf16, Bytes, F16, F32, F64};
        [Bytes, F32, F16, Bf16, F64].into_iter().find(|&kind| kind as u64 == number)
    }
}

/// Words of 8 bytes that a summary has in memory.
pub const SUMMARY_WORDS: usize = 7;
/// Words of 8 bytes that describe a piece of memory to the kernels: its address, its bytes, and the number of its kind.
pub const PIECE_WORDS: usize = 3;

/// Summary of a piece of memory.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Summary {
    /// The sum of what each word and its place give.
    pub hash: u64,
    /// Number of elements that are not numbers.
    pub nans: u64,
    /// Number of elements that are infinite.
    pub infinities: u64,
    /// Number of the first element that is not finite; the greatest number where all are.
    pub first: u64,
    /// The least finite element; infinite where there is none.
    pub least: f64,
    /// The greatest finite element; negative and infinite where there is none.
    pub greatest: f64,
    /// Sum of the finite elements.
    pub sum: f64,
}

impl Default for Summary {
    fn default() -> Summary {
        let (least, greatest) = (f64::INFINITY, f64::NEG_INFINITY);
        Summary { hash: 0, nans: 0, infinities: 0, first: u64::MAX, least, greatest, sum: 0.0 }
    }
}

impl Summary {
    /// Summarizes bytes that lie at an address.
    pub fn of(bytes: &[u8], address: u64, kind: ElementKind) -> Summary {
        let mut summary = Summary::default();
        if (address | bytes.len() as u64).is_multiple_of(4) {
            let words = bytes.as_chunks().0.iter().map(|word| u64::from(u32::from_ne_bytes(*word)));
            summary.hash_all(words);
        } else {
            summary.hash_all(bytes.iter().map(|&byte| u64::from(byte)));
        }
        let halves = || bytes.as_chunks().0.iter().map(|half| u16::from_ne_bytes(*half));
        match kind {
            ElementKind::Bytes => {}
            ElementKind::F32 => summary.note(bytes.as_chunks().0.iter().map(|one| f32::from_ne_bytes(*one).into())),
            ElementKind::F64 => summary.note(bytes.as_chunks().0.iter().map(|one| f64::from_ne_bytes(*one))),
            ElementKind::Bf16 => summary.note(halves().map(|half| f32::from_bits(u32::from(half) << 16).into())),
            ElementKind::F16 => summary.note(halves().map(of_half)),
        }
        summary
    }

    fn hash_all(&mut self, words: impl Iterator<Item = u64>) {
        self.hash = words.zip(0..).fold(0u64, |sum, (word, place)| sum.wrapping_add(mixed(word, place)));
    }

    fn note(&mut self, elements: impl Iterator<Item = f64>) {
        for (element, place) in elements.zip(0..) {
            if element.is_finite() {
                self.least = self.least.min(element);
                self.greatest = self.greatest.max(element);
                self.sum += element;
                continue;
            }
            *(if element.is_nan() { &mut self.nans } else { &mut self.infinities }) += 1;
            self.first = self.first.min(place);
        }
    }

    /// The summary as it lies in memory.
    pub fn words(&self) -> [u64; SUMMARY_WORDS] {
        let [least, greatest, sum] = [self.least, self.greatest, self.sum].map(f64::to_bits);
        [self.hash, self.nans, self.infinities, self.first, least, greatest, sum]
    }

    /// The summary that lies in memory so.
    pub fn of_words([hash, nans, infinities, first, least, greatest, sum]: [u64; SUMMARY_WORDS]) -> Summary {
        let [least, greatest, sum] = [least, greatest, sum].map(f64::from_bits);
        Summary { hash, nans, infinities, first, least, greatest, sum }
    }

    /// Returns whether an element is not finite.
    pub fn has_not_finite(&self) -> bool {
        self.nans + self.infinities > 0
    }
}

/// The share of a word at a place in a hash.
fn mixed(word: u64, place: u64) -> u64 {
    let mut x = word.wrapping_add((place + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// The value of a float of half precision.
fn of_half(half: u16) -> f64 {
    let (exponent, fraction) = (i32::from(half >> 10 & 31), f64::from(half & 1023));
    let size = match exponent {
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        0 => fraction * 2f64.powi(-24),
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    };
    if half >> 15 != 0 {
        -size
    } else {
        size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of<const N: usize>(elements: &[[u8; N]], kind: ElementKind) -> Summary {
        Summary::of(elements.as_flattened(), 256, kind)
    }

    #[test]
    fn floats_of_each_kind_are_counted() {
        let singles = [1.5f32, -2.0, f32::NAN, f32::INFINITY, 0.0].map(f32::to_ne_bytes);
        let halves = [0x3e00u16, 0xc000, 0x7e00, 0x7c00, 0].map(u16::to_ne_bytes);
        let brains = [0x3fc0u16, 0xc000, 0x7fc0, 0x7f80, 0].map(u16::to_ne_bytes);
        let doubles = [1.5f64, -2.0, f64::NAN, f64::INFINITY, 0.0].map(f64::to_ne_bytes);
        for summary in [
            of(&singles, ElementKind::F32),
            of(&halves, ElementKind::F16),
            of(&brains, ElementKind::Bf16),
            of(&doubles, ElementKind::F64),
        ] {
            assert_eq!((summary.nans, summary.infinities, summary.first), (1, 1, 2));
            assert_eq!((summary.least, summary.greatest, summary.sum), (-2.0, 1.5, -0.5));
            assert_eq!(Summary::of_words(summary.words()), summary);
        }
        assert_eq!(of_half(1), 2f64.powi(-24));
        assert_eq!(of_half(0xfbff), -65504.0);
        assert!(!of(&singles, ElementKind::Bytes).has_not_finite());
    }

    #[test]
    fn a_hash_tells_bytes_and_places_apart() {
        let hash = |bytes: &[u8]| Summary::of(bytes, 256, ElementKind::Bytes).hash;
        let all = [hash(&[1, 0, 0, 0, 0, 0, 0, 0]), hash(&[0, 0, 0, 0, 1, 0, 0, 0]), hash(&[0; 8]), hash(&[0; 4])];
        assert!(all.iter().enumerate().all(|(at, one)| !all[..at].contains(one)), "{all:?}");
        assert_eq!(hash(&[1, 2, 3]), hash(&[1, 2, 3]));
    }
}
