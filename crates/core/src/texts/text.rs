//! A text that can be large: where memory is missing it fails to grow, and the call that writes it fails.

use std::fmt;

use graphcap_base::error::Result;
use graphcap_base::room;

/// The text so far.
#[derive(Default)]
pub(crate) struct Text(String);

impl Text {
    /// The text that `write` writes.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`; nothing else makes writing fail.
    pub(crate) fn of(write: impl FnOnce(&mut Text) -> fmt::Result) -> Result<String> {
        let mut text = Text::default();
        write(&mut text).map_err(|_| room::missing())?;
        Ok(text.0)
    }
}

impl fmt::Write for Text {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        self.0.try_reserve(more.len()).map_err(|_| fmt::Error)?;
        self.0.push_str(more);
        Ok(())
    }
}
