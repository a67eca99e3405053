//! `GRAPHCAP_CHECK=1`: a hit of a cache has the work of the key recorded once more, and is refused where that gives another graph.

use std::sync::OnceLock;

use super::entries::Served;
use crate::core::graphs::graph::Graph;
use crate::error::{Error, Result};

/// Whether the environment asks for that, as it did at the first call.
///
/// # Errors
/// `INVALID_VALUE` for another text than 0 or 1.
pub(super) fn is_wanted() -> Result<bool> {
    static WANTED: OnceLock<Result<bool>> = OnceLock::new();
    WANTED.get_or_init(|| read(std::env::var_os("GRAPHCAP_CHECK").as_deref().map(|text| text.to_str()))).clone()
}

/// What a text of the variable says; no text, or one that is none.
fn read(text: Option<Option<&str>>) -> Result<bool> {
    match text {
        None | Some(Some("0")) => Ok(false),
        Some(Some("1")) => Ok(true),
        Some(_) => Err(Error::invalid_value("the environment variable GRAPHCAP_CHECK is 0, 1 or not set")),
    }
}

/// Refuses a hit where `anew`, which the work of the key gave now, is another graph than the one that the hit would launch.
///
/// # Errors
/// `INVALID_VALUE`, with what differs; as [`Graph::diff_of_recordings`].
pub(super) fn compare(served: &Served, anew: &Graph) -> Result<()> {
    let recorded = match served {
        Served::Own { recorded, .. } => recorded.as_ref(),
        Served::Shared(member) => Some(member.graph()),
    };
    let Some(recorded) = recorded else { return Ok(()) };
    let differences = recorded.diff_of_recordings(anew)?;
    if differences.is_empty() {
        return Ok(());
    }
    let count = differences.lines().count();
    let told = differences.lines().take(TOLD).collect::<Vec<_>>().join("; ");
    let more = if count > TOLD { format!("; and {} more differences", count - TOLD) } else { String::new() };
    Err(Error::invalid_value(format!(
        "GRAPHCAP_CHECK=1: the recording function gives other work for the key than at its first launch, which a hit would repeat: \
         {told}{more}; have all that changes be part of the key, or stay at one address"
    )))
}

/// As many differences as a message tells.
const TOLD: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Status;

    #[test]
    fn only_two_words_mean_anything() {
        assert_eq!([None, Some(Some("0")), Some(Some("1"))].map(|text| read(text).unwrap()), [false, false, true]);
        for text in [Some(""), Some("yes"), Some("01"), None] {
            assert_eq!(read(Some(text)).unwrap_err().status, Status::INVALID_VALUE, "{text:?}");
        }
    }
}
