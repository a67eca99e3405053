//! Strict captures: recordings that would go wrong in silence are refused.

use super::strict_log;
use crate::core::operations::located::Memory;
use crate::core::operations::operands::Operand;
use crate::core::state::Stream;
use crate::driver::Address;
use crate::error::{Error, Result, Status};

/// A side of a copy in host memory that the caller gave by its address.
pub(in crate::core) struct HostSide {
    /// Whether the copy writes it.
    pub(in crate::core) is_written: bool,
    pub(in crate::core) address: Address,
    pub(in crate::core) bytes: usize,
}

/// Before a copy with such sides is submitted to `stream`: a strict capture takes only memory that its graph can keep.
///
/// # Errors
/// `NOT_PERMITTED`, and the capture goes on.
#[inline]
pub(in crate::core) fn host_memory<I: Iterator<Item = HostSide>>(
    stream: &Stream,
    sides: impl FnOnce() -> I,
) -> Result<()> {
    match strict_log::any_open() {
        true => checked(stream, sides()),
        false => Ok(()),
    }
}

#[cold]
#[inline(never)]
fn checked(stream: &Stream, mut sides: impl Iterator<Item = HostSide>) -> Result<()> {
    // What the driver does not tell now the submission asks again.
    let record = stream.recorded_in().ok().flatten();
    let Some(record) = record.filter(|record| record.story.strict.is_some()) else { return Ok(()) };
    sides.try_for_each(|side| {
        let Some(memory) = side.known(stream) else { return Err(side.refused()) };
        let buffer = match &memory {
            Memory::Buffer(buffer) => buffer,
            Memory::HostBuffer(buffer) => buffer.memory(),
        };
        record.keep(&Operand::Buffer(buffer), |list| stream.retain(list)).map(drop)
    })
}

impl HostSide {
    /// The host buffer or managed buffer of the stream's context that the memory is of.
    fn known(&self, stream: &Stream) -> Option<Memory> {
        let context = stream.context();
        let found = context.find_buffers(self.address).into_iter().find(|found| {
            let holds_it = found.offset.checked_add(self.bytes).is_some_and(|end| end <= found.memory.size());
            holds_it && found.memory.is_seen_by_host() && found.memory.context().is(context)
        });
        found.map(|found| found.memory)
    }

    #[cold]
    fn refused(&self) -> Error {
        let HostSide { address, bytes, .. } = self;
        let (verb, way) = match self.is_written {
            true => ("write", "copy into a gc_host_buffer (GRAPHCAP_MEMCPY_SNAPSHOT serves only what a copy reads)"),
            false => (
                "read",
                "copy from a gc_host_buffer, or record the bytes that are there now with GRAPHCAP_MEMCPY_SNAPSHOT",
            ),
        };
        Error::new(
            Status::NOT_PERMITTED,
            format!(
                "a strict capture takes no plain host memory: each replay would {verb} the {bytes} bytes at {address:#x}, also \
                 when that memory is gone; {way}; nothing was recorded, and the capture goes on"
            ),
        )
    }
}
