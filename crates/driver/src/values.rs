//! Value operations: writes of values into device memory, and waits for them.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Address;

/// A number that a value operation writes or compares, which is as wide as what it does so with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// 32 bits.
    U32(u32),
    /// 64 bits.
    U64(u64),
}

impl Value {
    /// Returns how many bytes of memory it has; their address is a multiple of that.
    pub fn bytes(self) -> usize {
        match self {
            Value::U32(_) => 4,
            Value::U64(_) => 8,
        }
    }
}

/// Relation that has to hold between the value `v` in memory and that of a wait, `w`. The numbers are CUDA's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    /// `v - w`, which wraps, is not negative as a signed number: the cyclic greater or equal.
    GreaterOrEqual = 0,
    /// `v == w`.
    Equal = 1,
    /// `v & w` is not 0.
    And = 2,
    /// Not all bits are set in `v | w`.
    Nor = 3,
}

/// The two kinds of value operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ValueAction {
    /// Writes the value.
    Write {
        /// Tells whether what was written before is seen before.
        barrier: bool,
    },
    /// Holds what comes after it until the comparison is true.
    Wait {
        /// Relation that has to hold.
        comparison: Comparison,
        /// Tells whether writes of other devices that have arrived are then seen by what comes after it.
        flush: bool,
    },
}

impl ValueAction {
    /// Returns what it is called in texts.
    pub fn name(self) -> &'static str {
        match self {
            ValueAction::Write { .. } => "write",
            ValueAction::Wait { comparison: Comparison::GreaterOrEqual, .. } => "wait for >=",
            ValueAction::Wait { comparison: Comparison::Equal, .. } => "wait for ==",
            ValueAction::Wait { comparison: Comparison::And, .. } => "wait for &",
            ValueAction::Wait { comparison: Comparison::Nor, .. } => "wait for nor",
        }
    }
}

/// Writes a value into device memory, or waits for one there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ValueOperation {
    /// First byte; a multiple of the value's size.
    pub address: Address,
    /// Value that is written or compared with.
    pub value: Value,
    /// The kind of the operation.
    pub action: ValueAction,
}

impl fmt::Display for ValueOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, bits) = match self.value {
            Value::U32(value) => (u64::from(value), 32),
            Value::U64(value) => (value, 64),
        };
        let word = self.action.name();
        write!(f, "{word} {value:#x}, {bits} bits at {:#x}", self.address)
    }
}

/// Most value operations that a batch can have; CUDA's limit.
pub const MOST_IN_A_BATCH: usize = 255;
