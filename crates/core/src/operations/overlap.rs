//! Operands of mathematics as ranges of memory: of this context, within their buffers, aligned, and apart from what is written.

use crate::objects::buffer::Buffer;
use crate::objects::home::Home;
use crate::state::Context;
use graphcap_base::error::{Error, Result};
use graphcap_driver::Address;

/// A range that an operation uses.
pub(crate) struct Used {
    name: &'static str,
    /// Its first byte.
    pub(crate) start: Address,
    bytes: u64,
}

impl Used {
    /// `bytes` bytes from byte `offset` of `buffer` on, used by work of a stream of `context`.
    ///
    /// # Errors
    /// `INVALID_CONTEXT`; `INVALID_VALUE` where they overrun the buffer, or do not begin at a multiple of `alignment`.
    pub(crate) fn of(
        context: &Context,
        name: &'static str,
        buffer: &Buffer,
        offset: usize,
        bytes: u64,
        alignment: usize,
    ) -> Result<Used> {
        Home::stream(context)
            .check(buffer.context(), "the buffer")
            .and_then(|()| buffer.let_kernel_reach(context))
            .map_err(|error| Error::new(error.status, format!("{name}: {}", error.message)))?;
        let start = buffer.device_range(name, offset, usize::try_from(bytes).unwrap_or(usize::MAX))?;
        if !start.is_multiple_of(alignment as u64) {
            return Err(Error::invalid_value(format!(
                "offset {offset} puts {name} at address {start:#x}, which is no multiple of {alignment} bytes; align it"
            )));
        }
        Ok(Used { name, start, bytes })
    }

    /// One past the last byte.
    fn end(&self) -> Address {
        self.start + self.bytes
    }
}

/// Returns whether what is written is apart from all that is read.
///
/// # Errors
/// `INVALID_VALUE` where it is not.
pub(crate) fn check_apart(written: &Used, read: &[Used]) -> Result<()> {
    let overlaps = |other: &&Used| {
        other.bytes > 0 && written.bytes > 0 && other.start < written.end() && written.start < other.end()
    };
    match read.iter().find(overlaps) {
        None => Ok(()),
        Some(other) => Err(Error::invalid_value(format!(
            "{}, the {} bytes at {:#x}, overlaps {}, the {} bytes at {:#x}; give it memory of its own",
            written.name, written.bytes, written.start, other.name, other.bytes, other.start
        ))),
    }
}
