//! Strict captures: what would go wrong in silence is refused or told.

use super::black_box::{self, About};
use super::strict_log;
use crate::operations::located::Memory;
use crate::operations::operands::Operand;
use crate::state::Stream;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::rules::Violated;
use graphcap_driver::{Address, CaptureStatus};

/// A side of a copy in host memory that the caller gave by its address.
pub(crate) struct HostSide {
    /// True where the copy writes the memory.
    pub(crate) is_written: bool,
    pub(crate) address: Address,
    pub(crate) bytes: usize,
}

/// Before a copy with such sides is submitted to `stream`: a strict capture takes only memory that its graph can keep.
///
/// # Errors
/// `NOT_PERMITTED`, and the capture goes on.
#[inline]
pub(crate) fn host_memory<I: Iterator<Item = HostSide>>(stream: &Stream, sides: impl FnOnce() -> I) -> Result<()> {
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
    let Some(record) = record.filter(|record| record.log.strict.is_some()) else { return Ok(()) };
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

/// Before work is executed on `stream`, by the call that `function` gives: whether [`executed`] is to be told of it.
///
/// # Errors
/// `NOT_PERMITTED` in a guarded context, where the work would go past a strict capture that this thread began.
#[inline(always)]
pub(crate) fn executes(stream: &Stream, function: impl FnOnce() -> &'static str) -> Result<bool> {
    match strict_log::any_open() {
        true => may_execute(stream, function()).map(|()| true),
        false => Ok(false),
    }
}

#[cold]
#[inline(never)]
fn may_execute(stream: &Stream, function: &'static str) -> Result<()> {
    let context = stream.context();
    // In a broken capture the work is not executed, and the driver says so.
    let is_outside = || stream.capture_info().is_ok_and(|info| info.status == CaptureStatus::None);
    let captures = if context.is_guarded() { black_box::strict_here(context) } else { Vec::new() };
    if captures.is_empty() || !is_outside() {
        return Ok(());
    }
    let (status, rule) = (Status::NOT_PERMITTED, Violated::WorkOutside);
    captures.iter().for_each(|log| log.note_outside(stream, function, status));
    let why = format!(
        "refused, as the work would go past a strict capture: {}; the capture goes on; {}",
        rule.explanation(),
        rule.remedy()
    );
    Err(black_box::failed(None, None, About::Harmless(None), Error::new(status, why)))
}

/// Work of this thread is executed on `stream`, by the call `function`: the strict captures that the thread began tell it.
#[cold]
#[inline(never)]
pub(crate) fn executed(stream: &Stream, function: &'static str) {
    let captures = black_box::strict_here(stream.context());
    captures.iter().for_each(|log| log.note_outside(stream, function, Status::SUCCESS));
}
