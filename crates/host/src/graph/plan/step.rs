//! Steps of plans: what a lane does for a node.

use crate::raw::ArgumentTable;
use graphcap_driver::HostKernelFunction;

/// One node's work, with all that the common case needs in place.
#[derive(Clone, Copy)]
pub(super) enum Step {
    /// One block without shared memory: a plain call.
    Block { function: HostKernelFunction, arguments: ArgumentTable, grid: u32 },
    /// Several blocks.
    Grid { function: HostKernelFunction, arguments: ArgumentTable, grid: u32, pace: u32 },
    /// Blocks whose number is read from memory.
    Sized { function: HostKernelFunction, arguments: ArgumentTable, at: u32, pace: u32 },
    /// Anything but a kernel: what the node says.
    Node,
    /// The event node of that number.
    Event(u32),
    /// The conditional of that number.
    Branch(u32),
    /// A node that is disabled, or that does nothing anyhow.
    Nothing,
}
