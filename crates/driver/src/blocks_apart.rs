//! `GRAPHCAP_POOL_DIRECT=1`: each block of a pool is an allocation of its own, so that tools which check memory see it.

use std::sync::OnceLock;

use graphcap_base::error::{Error, Result};

/// Whether the environment asks for that, as it did at the first call.
///
/// # Errors
/// `INVALID_VALUE` for another text than 0 or 1.
pub fn are_wanted() -> Result<bool> {
    static WANTED: OnceLock<Result<bool>> = OnceLock::new();
    WANTED.get_or_init(|| read(std::env::var_os("GRAPHCAP_POOL_DIRECT").as_deref().map(|text| text.to_str()))).clone()
}

/// What a text of the variable says; no text, or one that is none.
fn read(text: Option<Option<&str>>) -> Result<bool> {
    match text {
        None | Some(Some("0")) => Ok(false),
        Some(Some("1")) => Ok(true),
        Some(_) => Err(Error::invalid_value("the environment variable GRAPHCAP_POOL_DIRECT is 0, 1 or not set")),
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
