//! The checks that captures are begun with: by their options, and by `GRAPHCAP_CHECK`.

use std::sync::OnceLock;

use graphcap_base::error::Result;
use graphcap_base::switch;

/// The checks of a capture.
#[derive(Clone, Copy, Default)]
pub(crate) struct Checks {
    /// As [`CaptureOptions::strict`](super::stream_capture::CaptureOptions::strict).
    pub(crate) strict: bool,
    /// As [`CaptureOptions::notes_memory`](super::stream_capture::CaptureOptions::notes_memory).
    pub(crate) notes_memory: bool,
}

impl Checks {
    /// Adds what the environment asks for.
    ///
    /// # Errors
    /// As [`asked_by_environment`].
    pub(crate) fn with_environment(self) -> Result<Checks> {
        Ok(Checks { notes_memory: self.notes_memory || asked_by_environment()?, ..self })
    }
}

/// True where `GRAPHCAP_CHECK` asks for checks, as it did at the first call.
///
/// # Errors
/// `INVALID_VALUE` for another text than 0 or 1.
pub(crate) fn asked_by_environment() -> Result<bool> {
    static ASKED: OnceLock<Result<bool>> = OnceLock::new();
    ASKED.get_or_init(|| switch::is_on("GRAPHCAP_CHECK")).clone()
}

/// True where `GRAPHCAP_CHECK` asks for checks; false also for another text than 0 or 1.
pub fn checks_are_asked_for() -> bool {
    matches!(asked_by_environment(), Ok(true))
}
