//! Work that no capture may record.

use super::black_box;
use crate::core::operations::operands::Operands;
use crate::core::state::Stream;
use crate::driver::{CaptureStatus, Work};
use crate::error::{Error, Result, Status};
use crate::lock::lock;

impl Stream {
    /// Queues `work`, which is on `operands`, unless the stream is being captured. No gc_ call takes the stream into a capture
    /// between the question and the work. Of a capture that others begin meanwhile on a stream that they share, the operands
    /// are kept as those of recorded work.
    ///
    /// # Errors
    /// As [`Stream::check_uncaptured`], and what the device answers to the work.
    pub(in crate::core) fn submit_uncaptured<O: Operands>(&self, operands: &O, work: &Work<'_>) -> Result<()> {
        let before = self.moment();
        let membership = self.membership_or_new();
        let turn = lock(&membership.transition);
        self.check_uncaptured()?;
        operands.note_use(self.id());
        let submitted = self.driver().submit(self.id(), work);
        drop(turn);
        submitted.map_err(|error| black_box::failed_on(self, error))?;
        if self.is_shared() && self.recording_number().is_some() {
            self.resolve(before, operands);
        }
        Ok(())
    }

    /// Fails where work would be recorded, and harms no capture.
    ///
    /// # Errors
    /// `ILLEGAL_STATE` while the stream is being captured; `CAPTURE_INVALIDATED` while it is in a capture that is broken;
    /// `CAPTURE_IMPLICIT` on the legacy stream while a blocking stream is captured.
    pub(in crate::core) fn check_uncaptured(&self) -> Result<()> {
        match self.driver().capture_info(self.id())?.status {
            CaptureStatus::None => Ok(()),
            CaptureStatus::Active => Err(Error::new(
                Status::ILLEGAL_STATE,
                format!(
                    "{} is being captured, and the call cannot be recorded; the capture goes on; make the call after its end, or \
                     on another stream",
                    self.label()
                ),
            )),
            CaptureStatus::Invalidated => Err(Error::new(
                Status::CAPTURE_INVALIDATED,
                format!("{} is in a capture that was broken before; end the capture first", self.label()),
            )),
        }
    }
}
