//! The checks that captures are begun with: by their options, and by `GRAPHCAP_CHECK`.

use std::sync::OnceLock;

use graphcap_base::error::{Error, Result};

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
    match ASKED.get_or_init(|| read(std::env::var_os("GRAPHCAP_CHECK").as_deref().map(|text| text.to_str()))) {
        Ok(is_asked) => Ok(*is_asked),
        Err(error) => Err(error.clone()),
    }
}

/// The meaning of a text of the variable; of no text, or of one that is none.
fn read(text: Option<Option<&str>>) -> Result<bool> {
    match text {
        None | Some(Some("0")) => Ok(false),
        Some(Some("1")) => Ok(true),
        Some(_) => Err(Error::invalid_value("the environment variable GRAPHCAP_CHECK is 0, 1 or not set")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use graphcap_base::error::Status;

    #[test]
    fn only_two_words_mean_anything() {
        assert_eq!([None, Some(Some("0")), Some(Some("1"))].map(|text| read(text).unwrap()), [false, false, true]);
        for text in [Some(""), Some("yes"), Some("01"), None] {
            assert_eq!(read(Some(text)).unwrap_err().status, Status::INVALID_VALUE, "{text:?}");
        }
    }
}
