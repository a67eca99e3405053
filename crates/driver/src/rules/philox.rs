//! Random numbers as a pure function of where they stand: the generator Philox 4x32-10 of Salmon, Moraes, Dror and Shaw (2011), and
//! the conversion of its words to floats.
//!
//! A sequence has 2^64 elements. Element i is word i mod 4 of what Philox gives for counter i / 4. The key has the seed, its lower
//! half first. The counter's words 0 and 1 have i / 4, and words 2 and 3 the number of the subsequence, each with its lower half
//! first. cuRAND has the same order: element i is what `curand()` gives first after `curand_init(seed, subsequence, i, &state)`
//! on a `curandStatePhilox4_32_10_t`, and the four elements from i on are those of `curand4()` there.

/// Factors of words 0 and 2 of a counter, in each round.
const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
/// Numbers that each round adds to the key of the one before.
const KEY_STEPS: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
const ROUNDS: usize = 10;

/// The four words of Philox 4x32-10 for a counter and a key.
pub fn philox4x32_10(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for round in 0..ROUNDS {
        if round > 0 {
            key = [key[0].wrapping_add(KEY_STEPS[0]), key[1].wrapping_add(KEY_STEPS[1])];
        }
        let products =
            [u64::from(MULTIPLIERS[0]) * u64::from(counter[0]), u64::from(MULTIPLIERS[1]) * u64::from(counter[2])];
        let [low, high] = [products.map(|product| product as u32), products.map(|product| (product >> 32) as u32)];
        counter = [high[1] ^ counter[1] ^ key[0], low[1], high[0] ^ counter[3] ^ key[1], low[0]];
    }
    counter
}

/// The float of a word: its upper 24 bits over 2^24, which a float has exactly. It is at least 0 and below 1, and one of 2^24 values
/// that are equally far apart.
pub fn uniform(word: u32) -> f32 {
    (word >> 8) as f32 * (1.0 / 16_777_216.0)
}

/// A sequence of words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sequence {
    /// The key.
    pub seed: u64,
    /// The upper half of each counter: sequences of one seed that share no counter.
    pub subsequence: u64,
}

impl Sequence {
    /// Elements `4 * group` to `4 * group + 3`. Of `group` the lower 62 bits count: behind the last element comes the first.
    pub fn group(self, group: u64) -> [u32; 4] {
        let group = group & (u64::MAX >> 2);
        let halves = |number: u64| [number as u32, (number >> 32) as u32];
        let ([low, high], [sub_low, sub_high]) = (halves(group), halves(self.subsequence));
        philox4x32_10([low, high, sub_low, sub_high], halves(self.seed))
    }

    /// Element `element`.
    pub fn word(self, element: u64) -> u32 {
        self.group(element / 4)[(element % 4) as usize]
    }

    /// Fills `floats` with the floats of the elements from `first` on.
    pub fn fill_uniform(self, first: u64, floats: &mut [f32]) {
        // What lies before a whole group, and then group by group.
        let ahead = ((4 - first % 4) % 4).min(floats.len() as u64);
        let (start, groups) = floats.split_at_mut(ahead as usize);
        for (float, at) in start.iter_mut().zip(0..) {
            *float = uniform(self.word(first.wrapping_add(at)));
        }
        let from = first.wrapping_add(ahead) / 4;
        for (floats, group) in groups.chunks_mut(4).zip(from..) {
            for (float, word) in floats.iter_mut().zip(self.group(group)) {
                *float = uniform(word);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_answers_of_random123_hold() {
        // The rows "philox4x32 10" of its file kat_vectors: counter, key, answer.
        let known = [
            ([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
            ([u32::MAX; 4], [u32::MAX; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
            (
                [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
                [0xa409_3822, 0x299f_31d0],
                [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
            ),
        ];
        for (counter, key, answer) in known {
            assert_eq!(philox4x32_10(counter, key), answer, "{counter:08x?} {key:08x?}");
        }
    }

    /// The state of cuRAND's generator, advanced by the steps of its published header: key, counter, and the words of the counter
    /// from which `curand4` takes the rest of its answer.
    struct Curand {
        key: [u32; 2],
        counter: [u32; 4],
        state: usize,
    }

    impl Curand {
        /// `curand_init(seed, subsequence, offset, ...)`: subsequences skip 2^64 counters, and offsets count words.
        fn init(seed: u64, subsequence: u64, offset: u64) -> Curand {
            let mut counter = (u128::from(subsequence) << 64) + u128::from(offset / 4);
            let words = [(); 4].map(|()| {
                let word = counter as u32;
                counter >>= 32;
                word
            });
            Curand { key: [seed as u32, (seed >> 32) as u32], counter: words, state: (offset % 4) as usize }
        }

        /// `curand4`: the words that are left of this counter, and then those of the next one.
        fn four(&self) -> [u32; 4] {
            let mut next = self.counter;
            for word in &mut next {
                *word = word.wrapping_add(1);
                if *word != 0 {
                    break;
                }
            }
            let both = [philox4x32_10(self.counter, self.key), philox4x32_10(next, self.key)].concat();
            [0, 1, 2, 3].map(|word| both[self.state + word])
        }
    }

    #[test]
    fn elements_stand_where_curand_has_them() {
        let mut random = 1u64;
        let mut next = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            random ^ random >> 33
        };
        for _ in 0..2000 {
            // Behind the highest offset cuRAND goes on with counter 2^62, and a sequence begins again.
            let (sequence, offset) = (Sequence { seed: next(), subsequence: next() }, next() >> (next() % 60 + 1));
            let four = [0, 1, 2, 3].map(|word| sequence.word(offset + word));
            assert_eq!(four, Curand::init(sequence.seed, sequence.subsequence, offset).four(), "{sequence:?} {offset}");
        }
    }

    #[test]
    fn floats_are_exact_and_below_one() {
        assert_eq!([uniform(0), uniform(0xff), uniform(0x100)], [0.0, 0.0, 2f32.powi(-24)]);
        assert_eq!([uniform(0x8000_0000), uniform(u32::MAX)], [0.5, 1.0 - 2f32.powi(-24)]);
        for word in (0..=u32::MAX).step_by(65_521) {
            let exact = f64::from(word >> 8) / 16_777_216.0;
            assert_eq!(f64::from(uniform(word)).to_bits(), exact.to_bits(), "{word:#x}");
        }
    }

    #[test]
    fn a_fill_begins_and_ends_anywhere() {
        let sequence = Sequence { seed: 7, subsequence: 3 };
        let all: Vec<f32> = (0..64).map(|element| uniform(sequence.word(element))).collect();
        for first in 0..9 {
            for count in 0..20 {
                let mut floats = vec![f32::NAN; count];
                sequence.fill_uniform(first, &mut floats);
                assert_eq!(floats, all[first as usize..][..count], "{count} from {first}");
            }
        }
        let mut floats = [f32::NAN; 7];
        sequence.fill_uniform(u64::MAX - 2, &mut floats);
        let last = [u64::MAX - 2, u64::MAX - 1, u64::MAX].map(|element| uniform(sequence.word(element)));
        assert_eq!((&floats[..3], &floats[3..]), (&last[..], &all[..4]), "behind the last comes the first");
    }
}
