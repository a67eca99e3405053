//! What the caller promises of the kernels of a graph.

/// What the caller promises of kernels.
#[derive(Clone, Copy, Debug)]
pub(in crate::kit) struct Promises {
    /// [`OptimizeOptions::trusts_parameters`](super::OptimizeOptions::trusts_parameters).
    pub(in crate::kit) trusts_parameters: bool,
    /// [`OptimizeOptions::unobserved`](super::OptimizeOptions::unobserved).
    pub(in crate::kit) unobserved: bool,
}
