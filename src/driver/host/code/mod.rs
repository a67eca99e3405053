//! Code of the host device: modules, kernels and their attributes, and how a launch of one runs.

pub(super) mod arguments;
pub(super) mod fft;
mod fft_plans;
pub(super) mod kernel;
pub(super) mod kernel_attributes;
pub(super) mod launch_attributes;
pub(super) mod mark;
pub(super) mod nothing;
pub(super) mod occupancy;
pub(super) mod random;
pub(super) mod set_condition;
pub(super) mod sgemm;
