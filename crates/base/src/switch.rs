//! Variables of the environment: switches that are 0, 1 or not set, and the refusal of all variables.

use crate::error::{Error, Result};
pub use graphcap_environment::variable;

/// Returns what a variable with another text than those `known` answers.
#[cold]
pub fn malformed(name: &str, known: &str) -> Error {
    let found = variable(name).unwrap_or_default();
    Error::invalid_value(format!("the environment variable {name} must be {known}; it is {found:?}"))
}

/// Tells whether the variable is 1.
///
/// # Errors
/// `INVALID_VALUE` for another text than 0 or 1.
pub fn is_on(name: &str) -> Result<bool> {
    meaning(name, variable(name).as_deref().map(|text| text.to_str()))
}

/// The meaning of a text; of no text, or of one that is not UTF-8.
fn meaning(name: &str, text: Option<Option<&str>>) -> Result<bool> {
    match text {
        None | Some(Some("0")) => Ok(false),
        Some(Some("1")) => Ok(true),
        Some(_) => Err(malformed(name, "0, 1 or not set")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Status;

    #[test]
    fn only_two_words_mean_anything() {
        let known = [None, Some(Some("0")), Some(Some("1"))];
        assert_eq!(known.map(|text| meaning("GRAPHCAP_TEST", text).unwrap()), [false, false, true]);
        for text in [Some(""), Some("yes"), Some("01"), None] {
            assert_eq!(meaning("GRAPHCAP_TEST", Some(text)).unwrap_err().status, Status::INVALID_VALUE, "{text:?}");
        }
    }
}
