//! Flags, priority and attributes of a stream, read and set.

use crate::captures::black_box;
use crate::captures::guarded;
use crate::state::Stream;
use graphcap_base::error::Result;
use graphcap_driver::AttributeValue;

impl Stream {
    /// Returns whether the stream runs without regard to the legacy stream.
    ///
    /// # Errors
    /// `CAPTURE_UNSUPPORTED` for a stream that was being captured when it was wrapped, and is now: the driver cannot be
    /// asked without harm. The capture goes on.
    pub fn is_non_blocking(&self) -> Result<bool> {
        self.driver()?.stream_is_non_blocking(self.id())
    }

    /// The priority, within the range of the context. Lower is more urgent.
    ///
    /// # Errors
    /// What a foreign driver answers, for the per-thread stream, of which it is asked each time.
    pub fn priority(&self) -> Result<i32> {
        let asked = self.driver().and_then(|driver| driver.stream_priority(self.id()));
        asked.map_err(|error| black_box::failed_on(self, error))
    }

    /// The value of an attribute, by CUDA's number for it.
    ///
    /// # Errors
    /// `INVALID_VALUE` for an attribute that streams do not have; `CAPTURE_INVALIDATED` on a stream whose capture was broken;
    /// `CAPTURE_IMPLICIT` for the legacy stream while a blocking stream is captured; what a foreign driver answers.
    pub fn attribute(&self, attribute: u32) -> Result<AttributeValue> {
        guarded::work(self)?;
        let asked = self.driver().and_then(|driver| driver.stream_attribute(self.id(), attribute));
        asked.map_err(|error| black_box::failed_on(self, error))
    }

    /// Sets an attribute for the work that is submitted from here on.
    ///
    /// # Errors
    /// As [`Stream::attribute`], and `INVALID_VALUE` for a value that cannot be.
    pub fn set_attribute(&self, attribute: u32, value: &AttributeValue) -> Result<()> {
        guarded::work(self)?;
        let set = self.driver().and_then(|driver| driver.stream_set_attribute(self.id(), attribute, value));
        set.map_err(|error| black_box::failed_on(self, error))
    }

    /// Sets the attributes to those of `source`.
    ///
    /// # Errors
    /// `INVALID_CONTEXT` for a stream of another context; `CAPTURE_IMPLICIT` where one of them is the legacy stream, as
    /// [`Stream::attribute`]; what a foreign driver answers.
    pub fn copy_attributes(&self, source: &Stream) -> Result<()> {
        self.context().check_same("the stream", source.context(), "the source stream")?;
        guarded::work(self)?;
        guarded::work(source)?;
        let copied = self.driver().and_then(|driver| driver.stream_copy_attributes(self.id(), source.id()));
        copied.map_err(|error| black_box::failed_on(self, error))
    }
}
