//! Options of optimising a graph.

use std::sync::Arc;

use super::promises::{KernelStatement, Promises};
use super::written::Permits;
use graphcap_base::error::{Error, Result};

/// Options of optimising a graph.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OptimizeOptions {
    /// Keeps the edges as they are recorded, and changes the shape alone.
    pub shape_only: bool,
    /// A kernel of which nothing is stated touches what its arguments point to, writes all of that, and touches nothing else: it
    /// follows no pointer that lies in memory, and uses no variable of its module, no texture and no heap of the device.
    pub trusts_parameters: bool,
    /// Trusts the parameters, and runs the nodes one by one, with what is in memory and with zeros: memory that no node of a kernel
    /// changed by an address in its arguments is memory that the kernel reads. What they change is restored. A graph that is changed
    /// itself is not run.
    pub observes: Option<TrialOptions>,
    /// Statements about kernels by their names, of which the first one that is of a place counts. They go behind what launches and
    /// [`Kernel::state_accesses`](graphcap_core::Kernel::state_accesses) state, and before trust.
    pub statements: Arc<[KernelStatement]>,
    /// Nobody looks at what kernels write while a replay runs: what they write to memory that the CPU or another device sees is ordered
    /// as what they write to memory of their own device.
    pub unobserved: bool,
    /// At most so many nodes run at once, up to [`OptimizeOptions::MOST_LANES`]; 0 for 128.
    pub lanes: usize,
    /// Changes the graph itself, which then need not be one that can be copied. Nobody else may use it meanwhile.
    pub in_place: bool,
    /// Replays several candidates and takes the fastest, if what they write can be saved. The memory that the graph writes must live,
    /// work that uses it must be complete, and nothing else may use it meanwhile. A graph that is changed itself is not measured.
    pub measures: Option<MeasureOptions>,
}

impl OptimizeOptions {
    pub(super) fn promises(&self) -> Promises {
        Promises {
            trusts_parameters: self.trusts_parameters || self.observes.is_some(),
            unobserved: self.unobserved,
            statements: Arc::clone(&self.statements),
            ..Promises::default()
        }
    }

    /// The most lanes that can be asked for: the memory that is needed meanwhile grows with them.
    pub const MOST_LANES: usize = 256;

    /// Refuses more lanes than there can be.
    pub(super) fn check(&self) -> Result<()> {
        match self.lanes <= OptimizeOptions::MOST_LANES {
            true => Ok(()),
            false => Err(Error::invalid_value(format!(
                "{} lanes are asked for, and {} is the most; ask for fewer, or for 0 lanes to have the default",
                self.lanes,
                OptimizeOptions::MOST_LANES
            ))),
        }
    }
}

/// Options of measuring candidates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MeasureOptions {
    /// The fastest is the one whose replays are the fastest when each is waited for before the next one is launched; otherwise when
    /// they are launched one behind another.
    pub single: bool,
    /// Limits of the replays.
    pub trial: TrialOptions,
}

/// Limits of replays for a trial.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TrialOptions {
    /// Acts that replays may do though they cannot be undone.
    pub permits: Permits,
    /// Bytes of device memory that may be used for what the graph writes; 0 for 1 GiB.
    pub bytes: u64,
}
