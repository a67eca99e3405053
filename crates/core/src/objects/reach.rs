//! Memory that work of a graph reaches from another device than its own.

use super::buffer::{Buffer, Origin};
use crate::state::Context;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::MemoryKind;

impl Buffer {
    /// Lets a kernel of `context` use the buffer.
    ///
    /// # Errors
    /// `NOT_SUPPORTED` for memory that only its own device reaches; what the driver answers.
    #[inline]
    pub(crate) fn let_kernel_reach(&self, context: &Context) -> Result<()> {
        match self.context().is_beside(context) {
            true => Ok(()),
            false => self.let_kernel_of_other_device_reach(context),
        }
    }

    #[cold]
    fn let_kernel_of_other_device_reach(&self, context: &Context) -> Result<()> {
        match self.origin() {
            Origin::Allocated(MemoryKind::Waitable) => Err(stays_home("gc_buffer_allocate_waitable() allocated")),
            _ => self.let_copy_reach(context),
        }
    }

    /// Lets a copy of `context` use the buffer.
    ///
    /// # Errors
    /// As [`Buffer::let_kernel_reach`], but a copy reaches waitable memory.
    pub(crate) fn let_copy_reach(&self, context: &Context) -> Result<()> {
        if self.context().is_beside(context) {
            return Ok(());
        }
        match self.origin() {
            Origin::Node => Err(stays_home("a graph allocates")),
            Origin::Allocated(_) | Origin::Wrapped | Origin::Pool { .. } | Origin::Pinned { .. } => {
                self.context().driver()?.lend(context.device().ordinal)
            }
        }
    }
}

#[cold]
fn stays_home(how: &str) -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        format!(
            "work on another device cannot use memory that {how}; copy it to a buffer of gc_buffer_allocate() first"
        ),
    )
}
