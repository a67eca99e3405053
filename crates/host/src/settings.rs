//! Settings of the host device from the environment, and what all its files use.

use graphcap_base::error::Result;
use graphcap_base::switch::{malformed, variable};

/// Number from 1 to `most` that the environment variable asks for, if it is there.
///
/// # Errors
/// `INVALID_VALUE` when the variable is not such a number.
pub(crate) fn number_asked_for(name: &str, most: usize) -> Result<Option<usize>> {
    let Some(text) = variable(name) else { return Ok(None) };
    let number = text.to_str().and_then(|text| text.parse().ok()).filter(|number| (1..=most).contains(number));
    number.map(Some).ok_or_else(|| malformed(name, &format!("a number from 1 to {most}, or not set")))
}

/// Number of lanes that the environment variable `GRAPHCAP_HOST_THREADS` asks for, if it is there.
///
/// # Errors
/// `INVALID_VALUE` when the variable is not a number from 1 to 1024.
pub(crate) fn lanes_asked_for() -> Result<Option<usize>> {
    number_asked_for("GRAPHCAP_HOST_THREADS", 1024)
}

/// The end of the message of a fault.
pub(crate) const AFTER_A_FAULT: &str = "the context runs nothing any more, and gc_context_reset() begins it anew";
