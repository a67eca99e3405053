//! What every call of the driver needs: its functions, and the primary context of a GPU.

use super::api::{Api, Ctx};

/// What every call of the driver needs.
#[derive(Clone, Copy)]
pub(super) struct Device {
    pub(super) api: &'static Api,
    /// The primary context.
    pub(super) context: Ctx,
}
