//! Random numbers that depend on a seed alone.

/// Numbers that depend on the seed alone.
pub struct Random(u64);

impl Random {
    /// The seed is not 0.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number, which is below the limit.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }
}
