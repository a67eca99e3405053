//! A generator of random numbers of the device's library, lent to code of the caller's that records by it.

use std::fmt;
use std::sync::Arc;

use crate::captures::black_box::Operation;
use crate::objects::device_object::{DeviceId, DeviceObject};
use crate::operations::operands::Operand;
use crate::state::Stream;
use graphcap_base::error::Result;
use graphcap_driver::{check_caller, Driver, StreamId};

/// A generator of the device's library, which nobody else uses until it is dropped, and until the work that was given to the stream
/// meanwhile and the graphs that recorded it are gone.
pub struct LentRand {
    native: usize,
    _generator: Arc<DeviceObject>,
}

impl LentRand {
    /// The generator as the library has it: a `curandGenerator_t`.
    pub fn native(&self) -> usize {
        self.native
    }
}

impl fmt::Debug for LentRand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LentRand({:#x})", self.native)
    }
}

impl Stream {
    /// Lends a generator of the device's library for random numbers, Philox 4x32-10, which is set to work on the stream. It is as a new
    /// one: with the seed 0, the offset 0 and the library's default order. It has memory of its own, which its work uses, so each call
    /// lends another one. If the stream is being captured, the graph keeps it. The stream counts as one that others use from then on,
    /// as after [`Stream::native`].
    ///
    /// # Errors
    /// `NOT_SUPPORTED` on a device without native handles; `LIBRARY` where the device's library cannot be loaded; `OUT_OF_MEMORY`;
    /// what the capture rules say.
    pub fn lend_rand(&self) -> Result<LentRand> {
        check_caller()?;
        self.native()?;
        let native = self.driver()?.rand_create()?;
        let generator = DeviceObject::new(self.context(), DeviceId::Generator(native));
        let lend = |driver: &dyn Driver, stream: StreamId| driver.rand_lend(stream, native);
        self.submit_several(|| self.submit(Operation::Library, &Operand::Device(&generator), lend))?;
        Ok(LentRand { native, _generator: generator })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faulty::Faulty;
    use graphcap_base::error::Status;
    use graphcap_driver::rules::CaptureMode;
    use graphcap_driver::StreamOptions;

    #[test]
    fn graphs_keep_the_generators_that_they_recorded_with() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        stream.begin_capture(CaptureMode::Relaxed).unwrap();
        let (one, other) = (stream.lend_rand().unwrap(), stream.lend_rand().unwrap());
        assert_ne!(one.native(), other.native());
        drop((one, other));
        let graph = stream.end_capture().unwrap();
        let exec = graph.instantiate().unwrap();
        drop(graph);
        assert_eq!(driver.generators(), 2);
        drop(exec);
        assert_eq!(driver.generators(), 0);
        // What is not recorded is kept by nothing but the device, which knows the stream.
        drop(stream.lend_rand().unwrap());
        assert_eq!((driver.generators(), driver.violations()), (0, vec![]));
    }

    #[test]
    fn a_generator_that_cannot_be_lent_is_given_back() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        driver.fail("rand_create", Status::LIBRARY);
        assert_eq!(stream.lend_rand().unwrap_err().status, Status::LIBRARY);
        for is_captured in [false, true] {
            if is_captured {
                stream.begin_capture(CaptureMode::Relaxed).unwrap();
            }
            driver.fail("rand_lend", Status::UNKNOWN);
            assert_eq!(stream.lend_rand().unwrap_err().status, Status::UNKNOWN);
        }
        drop(stream.end_capture().unwrap());
        assert_eq!((driver.generators(), driver.violations()), (0, vec![]));
    }
}
