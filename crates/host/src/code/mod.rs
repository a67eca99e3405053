//! Code of the host device: modules, kernels and their attributes, and how a launch of one runs.

pub(super) mod arguments;
#[cfg(feature = "transforms")]
pub(super) mod fft;
#[cfg(not(feature = "transforms"))]
#[path = "fft_left_out.rs"]
pub(super) mod fft;
#[cfg(feature = "transforms")]
mod fft_plans;
pub(super) mod grid;
pub(super) mod kernel;
pub(super) mod kernel_attributes;
pub(super) mod launch_attributes;
pub(super) mod mark;
pub(super) mod nothing;
pub(super) mod occupancy;
pub(super) mod random;
pub(super) mod set_condition;
#[cfg(feature = "products")]
pub(super) mod sgemm;
#[cfg(not(feature = "products"))]
#[path = "sgemm_left_out.rs"]
pub(super) mod sgemm;
pub(super) mod summarize;

/// Blocks of a product or transform for each lane, so that one which is late does not leave others idle for long.
#[cfg(any(feature = "products", feature = "transforms"))]
const BLOCKS_PER_LANE: u64 = 4;
