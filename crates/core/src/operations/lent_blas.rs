//! A handle of the device's library for products, lent to code of the caller's that records by it.

use std::fmt;

use crate::captures::black_box::Operation;
use crate::state::{Context, Stream};
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::{check_caller, Driver, Sgemm, SgemmWorkspace, StreamId, Way};

/// A handle of the device's library, which nobody else uses until it is dropped.
pub struct LentBlas {
    context: Context,
    native: usize,
}

impl LentBlas {
    /// The handle as the library has it: a `cublasHandle_t`.
    pub fn native(&self) -> usize {
        self.native
    }
}

impl Stream {
    /// Lends a handle of the device's library for products, which is set to work on the stream, in the workspace that the stream's own
    /// products use. If the stream is being captured, the graph keeps that workspace. The stream counts as one that others use from
    /// then on, as after [`Stream::native`].
    ///
    /// # Errors
    /// `NOT_SUPPORTED` on a device without native handles; `LIBRARY` where the device's library cannot be loaded; and as
    /// [`Stream::sgemm`].
    pub fn lend_blas(&self) -> Result<LentBlas> {
        check_caller()?;
        self.native()?;
        let bytes = match self.driver()?.sgemm_way(&Sgemm::SMALLEST)? {
            Way::Library(bytes) => bytes,
            Way::Kernel(_) => {
                return Err(Error::new(
                    Status::NOT_SUPPORTED,
                    "the device multiplies without a library, so that it has no handle of one",
                ))
            }
        };
        let workspace = self.workspace_for(SgemmWorkspace::OfStream, bytes)?;
        let mut native = None;
        let lend = |driver: &dyn Driver, stream: StreamId| {
            native = Some(driver.blas_lend(stream, workspace.address())?);
            Ok(())
        };
        let submitted = self.submit_several(|| self.submit(Operation::Library, &[&workspace], lend));
        // What was lent goes back in any case.
        let lent = native.map(|native| LentBlas { context: self.context().clone(), native });
        submitted?;
        lent.ok_or_else(|| Error::new(Status::UNKNOWN, "the device lent no handle"))
    }
}

impl Drop for LentBlas {
    fn drop(&mut self) {
        self.context.driver_even_if_stale().blas_return(self.native);
    }
}

impl fmt::Debug for LentBlas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LentBlas({:#x})", self.native)
    }
}
