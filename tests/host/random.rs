//! Numbers that look random, and are the same in each run.

#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    /// A number of 31 bits, less than `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    /// As [`Random::below`], of sizes that have 64 bits on each machine.
    pub fn below64(&mut self, end: u64) -> u64 {
        self.below(end as usize) as u64
    }

    /// From -1 to 1.
    pub fn number(&mut self) -> f32 {
        self.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0
    }

    pub fn numbers(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.number()).collect()
    }
}
