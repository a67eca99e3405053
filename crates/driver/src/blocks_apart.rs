//! `GRAPHCAP_POOL_DIRECT=1`: each block of a pool is an allocation of its own, so that tools which check memory see it.

use std::sync::OnceLock;

use graphcap_base::error::Result;
use graphcap_base::switch;

/// Tells whether the environment asks for that, as it did at the first call.
///
/// # Errors
/// `INVALID_VALUE` for another text than 0 or 1.
pub fn are_wanted() -> Result<bool> {
    static WANTED: OnceLock<Result<bool>> = OnceLock::new();
    WANTED.get_or_init(|| switch::is_on("GRAPHCAP_POOL_DIRECT")).clone()
}
