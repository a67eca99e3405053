//! Promises of the caller about the kernels of a graph.

/// Promises of the caller about kernels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Promises {
    /// [`OptimizeOptions::trusts_parameters`](super::OptimizeOptions::trusts_parameters).
    pub(crate) trusts_parameters: bool,
    /// [`OptimizeOptions::unobserved`](super::OptimizeOptions::unobserved).
    pub(crate) unobserved: bool,
}
