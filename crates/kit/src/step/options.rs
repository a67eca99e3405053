//! Options of a stepped replay.

use std::sync::Arc;

use crate::optimize::{KernelStatement, Permits};
use graphcap_core::MemoryRanges;
use graphcap_driver::rules::ranges::Ranges;
use graphcap_driver::rules::summary::ElementKind;
use graphcap_driver::{Address, NodeId};

/// Memory whose elements are of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TypedMemory {
    /// The first byte.
    pub address: Address,
    /// Number of the bytes.
    pub bytes: u64,
    /// The kind.
    pub kind: ElementKind,
    /// Tells whether the graph uses none of it that its nodes did not write before.
    pub is_scratch: bool,
}

/// Options of a stepped replay.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StepOptions {
    /// Summarizes the memory that each node writes.
    pub summarizes: bool,
    /// All memory that the graph's nodes and the context's buffers have is summarized behind each node, so that nodes are found that
    /// change more than they are declared to.
    pub watches_all: bool,
    /// The node before which nothing is told and looked at; `None` for the first one.
    pub first: Option<NodeId>,
    /// The last node that runs; `None` for that of the graph.
    pub last: Option<NodeId>,
    /// Nodes before the first one do not run.
    pub skips: bool,
    /// Memory stays as the nodes leave it.
    pub keeps: bool,
    /// As [`OptimizeOptions::statements`](crate::OptimizeOptions::statements).
    pub statements: Arc<[KernelStatement]>,
    /// Acts that the nodes may do though they cannot be undone.
    pub permits: Permits,
    /// Bytes of device memory that may be used for what the graph writes; 0 for 1 GiB.
    pub bytes: u64,
    /// Kinds of memory. Values that are not finite are findings there alone.
    pub memory: Vec<TypedMemory>,
    /// Hashes that the nodes are expected to leave, from the first node of the graph on.
    pub expected: Vec<u64>,
}

impl StepOptions {
    /// Memory that nothing wrote before the graph runs.
    pub(super) fn scratch(&self) -> MemoryRanges {
        let scratch = self.memory.iter().filter(|one| one.is_scratch);
        let ranges = scratch.map(|one| (one.address, one.address.saturating_add(one.bytes)));
        MemoryRanges { device: Ranges::of(ranges.collect::<Vec<_>>()), host: Ranges::default() }
    }
}
