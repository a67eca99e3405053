//! Work that no capture may record.

use super::{black_box, strict};
use crate::operations::operands::Operands;
use crate::state::Stream;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::lock;
use graphcap_driver::{CaptureStatus, Work};

impl Stream {
    /// Queues `work`, which is on `operands`, for the call `function`, unless the stream is being captured. No gc_ call takes the stream into a capture
    /// between the question and the work. Of a capture that others begin meanwhile on a stream that they share, the operands
    /// are kept as those of recorded work.
    ///
    /// # Errors
    /// As [`Stream::check_uncaptured`] and [`strict::executes`], and what the device answers to the work.
    pub(crate) fn submit_uncaptured<O: Operands>(
        &self,
        function: &'static str,
        operands: &O,
        work: &Work<'_>,
    ) -> Result<()> {
        let before = self.moment();
        let membership = self.membership_or_new();
        let turn = lock(&membership.transition);
        self.check_uncaptured()?;
        let is_told = strict::executes(self, || function)?;
        operands.note_executed(self.id());
        let submitted = self.driver().and_then(|driver| driver.submit(self.id(), work));
        drop(turn);
        submitted.map_err(|error| black_box::failed_on(self, error))?;
        if is_told {
            strict::executed(self, function);
        }
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
    pub(crate) fn check_uncaptured(&self) -> Result<()> {
        match self.capture_info()?.status {
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::Arc;
    use std::thread;

    use crate::faulty::Faulty;
    use crate::{Scalar, Stream};
    use graphcap_driver::rules::CaptureMode;
    use graphcap_driver::StreamOptions;

    /// So a capture that another thread begins cannot come between.
    #[test]
    fn the_question_and_the_work_are_under_the_lock_of_begins() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let scalar = Scalar::create(&stream, 1u32).unwrap();
        let looks = Arc::new(AtomicUsize::new(0));
        for call in ["capture_info", "value_operations"] {
            let (stream, looks) = (stream.clone(), Arc::clone(&looks));
            driver.at(call, move || {
                looks.fetch_add(1, Ordering::Relaxed);
                let free = || stream.membership_or_new().transition.try_lock().is_some();
                assert!(!thread::scope(|scope| scope.spawn(free).join()).unwrap(), "{call}");
            });
        }
        scalar.update(&stream, 2u32).unwrap();
        assert_eq!(looks.load(Ordering::Relaxed), 2);
        // It is free again.
        stream.begin_capture(CaptureMode::Relaxed).unwrap();
        assert_eq!(stream.end_capture().unwrap().node_count(), Ok(0));
    }
}
