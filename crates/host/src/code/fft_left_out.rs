//! In place of Fourier transforms, in a library without the feature `transforms`.

use std::ffi::c_void;

use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::{Fft, FftPlanId, FftPlanned, HostBlock};

/// No kernel that transforms is launched.
pub const PARAMETERS: [usize; 0] = [];

/// Refuses every transform.
///
/// # Errors
/// `NOT_SUPPORTED`.
#[cold]
pub(crate) fn plan(_: &Fft, _: usize) -> Result<FftPlanned> {
    Err(Error::new(
        Status::NOT_SUPPORTED,
        "this library was built without the feature \"transforms\", by which the host device transforms numbers; build it with the \
         default features",
    ))
}

/// Ends no plan, as there is none.
pub(crate) fn end(_: FftPlanId) {}

/// Fails. A text of a graph can name the kernel.
pub(crate) extern "C-unwind" fn run(_: *const HostBlock, _: *const *const c_void) -> i32 {
    Status::NOT_SUPPORTED.0
}
