//! What every call of the driver needs: its functions, and the primary context of a GPU.

use crate::api::{Api, Ctx};

/// What every call of the driver needs.
#[derive(Clone, Copy)]
pub(crate) struct Device {
    pub(crate) api: &'static Api,
    /// The primary context.
    pub(crate) context: Ctx,
}
