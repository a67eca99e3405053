//! Copies between buffers of any contexts on devices of one kind. A buffer of another context is lent to the stream's.

use super::copy::{may_overlap, overlap, Copy, CopySide};
use super::operands::Operand;
use crate::captures::black_box::Operation;
use crate::objects::buffer::Buffer;
use crate::state::{Context, Stream};
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::{DeviceKind, MemcpyKind, MemcpyRows, Work};

/// Returns what messages call a kind of device.
fn kind_name(kind: DeviceKind) -> &'static str {
    match kind {
        DeviceKind::Cuda => "a CUDA device",
        DeviceKind::Host => "the host device",
    }
}

#[cold]
fn other_kind(what: &str, theirs: DeviceKind, ours: DeviceKind) -> Error {
    let (theirs, ours) = (kind_name(theirs), kind_name(ours));
    let message = format!(
        "{what} belongs to a context on {theirs}, and the stream to one on {ours}; copy to host memory and from there"
    );
    Error::new(Status::INVALID_CONTEXT, message)
}

impl Stream {
    /// Copies as [`Stream::memcpy_dtod`] does between buffers of any contexts on devices of one kind.
    ///
    /// # Errors
    /// As [`Stream::memcpy_dtod`], but `INVALID_CONTEXT` only for a buffer of a context on another kind of device;
    /// `OUT_OF_MEMORY`.
    pub fn memcpy_peer(
        &self,
        destination: &Buffer,
        destination_offset: usize,
        source: &Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()> {
        let ours = self.context().device().kind;
        for (buffer, what) in [(destination, "the destination buffer"), (source, "the source buffer")] {
            let theirs = buffer.context().device().kind;
            if theirs != ours {
                return Err(other_kind(what, theirs, ours));
            }
        }
        if bytes == 0 {
            return Ok(());
        }
        let (to, from) = (CopySide::Buffer(destination, destination_offset), CopySide::Buffer(source, source_offset));
        let is_within = [destination, source].iter().all(|buffer| buffer.context().is(self.context()));
        let kind = if is_within { MemcpyKind::DeviceToDevice } else { MemcpyKind::BetweenContexts };
        let row = Copy::of(to, from, bytes).row(kind, bytes, bytes)?;
        if may_overlap(&row, bytes, bytes) {
            return Err(overlap());
        }
        let loans = [destination.lend(self.context())?, source.lend(self.context())?];
        let [to, from] = &loans;
        let operands = [
            to.as_ref().map_or(Operand::Buffer(destination), |loan| Operand::Lent(destination, loan)),
            from.as_ref().map_or(Operand::Buffer(source), |loan| Operand::Lent(source, loan)),
        ];
        self.submit_work(Operation::MemcpyPeer, &operands, &Work::Memcpy { rows: MemcpyRows::one(row), snapshot: None })
    }
}

impl Context {
    /// Copies as [`Stream::memcpy_peer`] does on the legacy stream, and returns when the copy has run. No bytes: it does not
    /// wait.
    ///
    /// # Errors
    /// As [`Stream::memcpy_peer`] on the legacy stream; the status of a fault when work failed while it ran.
    pub fn memcpy_peer(
        &self,
        destination: &Buffer,
        destination_offset: usize,
        source: &Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()> {
        self.at_once(bytes > 0, |legacy| {
            legacy.memcpy_peer(destination, destination_offset, source, source_offset, bytes)
        })
    }
}
