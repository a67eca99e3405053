//! In place of Fourier transforms, in a library without the feature `transforms`.

use std::ffi::c_void;

use crate::driver::{Fft, FftPlanId, FftPlanned, HostBlock};
use crate::error::{Error, Result, Status};

/// No kernel that transforms is launched.
pub(in crate::driver) const PARAMETERS: [usize; 0] = [];

/// Refuses every transform.
///
/// # Errors
/// `NOT_SUPPORTED`.
#[cold]
pub(in crate::driver::host) fn plan(_: &Fft, _: usize) -> Result<FftPlanned> {
    Err(Error::new(
        Status::NOT_SUPPORTED,
        "this library was built without the feature \"transforms\", by which the host device transforms numbers; build it with the \
         default features",
    ))
}

/// Ends no plan, as there is none.
pub(in crate::driver::host) fn end(_: FftPlanId) {}

/// Fails. A text of a graph can name the kernel.
pub(in crate::driver::host) extern "C-unwind" fn run(_: *const HostBlock, _: *const *const c_void) -> i32 {
    Status::NOT_SUPPORTED.0
}
