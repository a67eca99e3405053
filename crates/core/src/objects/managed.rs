//! Managed memory: the CPU and the device use it by the same addresses, and streams are told who may.

use super::buffer::Buffer;
use crate::captures::black_box;
use crate::captures::guarded;
use crate::state::Stream;
use graphcap_base::error::{Error, Result};
use graphcap_driver::rules::Violated;
use graphcap_driver::Attach;

impl Stream {
    /// Says who may use a managed buffer from here on: when the work before it has completed, every stream, the CPU alone, or
    /// this stream alone. Not recorded.
    ///
    /// # Errors
    /// `INVALID_VALUE` for memory that is not managed; `INVALID_CONTEXT`; `CAPTURE_UNSUPPORTED` on a stream that is being
    /// captured, which is invalidated; what else the capture rules say.
    pub fn attach(&self, buffer: &Buffer, attach: Attach) -> Result<()> {
        self.home().check(buffer.context(), "the buffer")?;
        if !buffer.can_be_attached() {
            return Err(Error::invalid_value(
                "only managed memory can be attached to a stream; allocate the buffer as such",
            ));
        }
        guarded::not_recorded(self, Violated::OnCapturing)?;
        buffer.note_use(self.id());
        let attached = self.driver().and_then(|driver| driver.stream_attach(self.id(), buffer.address(), attach));
        attached.map_err(|error| black_box::failed_on(self, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faulty::Faulty;
    use graphcap_base::error::Status;
    use graphcap_driver::{MemoryKind, StreamOptions};

    #[test]
    fn only_managed_memory_is_attached() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let made = |kind| Buffer::allocate_as(&context, 8, kind).unwrap();
        for kind in [MemoryKind::Pooled, MemoryKind::Waitable] {
            assert_eq!(stream.attach(&made(kind), Attach::Global).unwrap_err().status, Status::INVALID_VALUE);
        }
        stream.attach(&made(MemoryKind::Managed(Attach::Host)), Attach::Single).unwrap();
        let uses: Vec<_> = driver.released().into_iter().map(|(_, used_by)| used_by).collect();
        assert_eq!(uses, [vec![], vec![], vec![stream.id()]]);
    }
}
