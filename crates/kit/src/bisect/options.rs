//! Options of a search for what makes a replay bad.

use std::sync::Arc;

use crate::optimize::{KernelStatement, Permits};

/// Options of a search for what makes a replay bad.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BisectOptions {
    /// As [`OptimizeOptions::statements`](crate::OptimizeOptions::statements).
    pub statements: Arc<[KernelStatement]>,
    /// Acts that the nodes may do though they cannot be undone.
    pub permits: Permits,
    /// Bytes of device memory that may be used for what the graph writes; 0 for 1 GiB.
    pub bytes: u64,
    /// Number of replays of a trial, which is good when all of them are; 0 for 3. Four times as many where as many of the graph itself are
    /// not all bad.
    pub repeats: u32,
    /// Number of replays after which the search ends; 0 for 10,000.
    pub replays: u64,
}
