//! In place of products of matrices, in a library without the feature `products`.

use std::ffi::c_void;

use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::{HostBlock, MathKernel, Sgemm};

/// No kernel that multiplies is launched.
pub const PARAMETERS: [usize; 0] = [];

/// Refuses every product.
///
/// # Errors
/// `NOT_SUPPORTED`.
#[cold]
pub(crate) fn launch(_: &Sgemm, _: usize) -> Result<MathKernel> {
    Err(Error::new(
        Status::NOT_SUPPORTED,
        "this library was built without the feature \"products\", by which the host device multiplies matrices; build it with the \
         default features",
    ))
}

/// Fails. A text of a graph can name the kernel.
pub(crate) extern "C-unwind" fn run(_: *const HostBlock, _: *const *const c_void) -> i32 {
    Status::NOT_SUPPORTED.0
}
