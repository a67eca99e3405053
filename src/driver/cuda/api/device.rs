//! What every call of the driver needs: its functions, and the primary context of a GPU.

use crate::driver::cuda::api::{Api, Ctx};

/// What every call of the driver needs.
#[derive(Clone, Copy)]
pub(in crate::driver::cuda) struct Device {
    pub(in crate::driver::cuda) api: &'static Api,
    /// The primary context.
    pub(in crate::driver::cuda) context: Ctx,
}
