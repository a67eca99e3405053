//! The guards of functions that belong to a Cargo feature. A library without the feature exports them all the same.

#[cfg(feature = "kit")]
pub(crate) use super::guard::guard as kit_guard;
#[cfg(feature = "optimising")]
pub(crate) use super::guard::guard as optimising_guard;

#[cfg(not(all(feature = "kit", feature = "optimising")))]
use super::{failure::Result, handle::Token, status::gc_status};

/// Refuses `function`, which belongs to the feature `kit`.
#[cfg(not(feature = "kit"))]
pub(crate) fn kit_guard<const N: usize>(
    function: &'static str,
    involved: [Token; N],
    body: impl FnOnce() -> Result<()>,
) -> gc_status {
    refuse(function, involved, body, "kit", "ops, scripts, actors and caches of graphs")
}

/// Refuses `function`, which belongs to the feature `optimising`.
#[cfg(not(feature = "optimising"))]
pub(crate) fn optimising_guard<const N: usize>(
    function: &'static str,
    involved: [Token; N],
    body: impl FnOnce() -> Result<()>,
) -> gc_status {
    refuse(function, involved, body, "optimising", "graphs that are optimized, plans and verified graphs")
}

/// Drops what `body` owns, so that outputs are set to nothing and what a callback owns is destroyed, and answers `NOT_SUPPORTED`.
/// `body` is never compiled.
#[cfg(not(all(feature = "kit", feature = "optimising")))]
fn refuse<const N: usize>(
    function: &'static str,
    involved: [Token; N],
    body: impl FnOnce() -> Result<()>,
    feature: &'static str,
    gives: &'static str,
) -> gc_status {
    super::guard::guard(function, involved, move || {
        drop(body);
        Err(graphcap_base::error::Error::new(
            graphcap_base::error::Status::NOT_SUPPORTED,
            format!("this library was built without the feature \"{feature}\", which has {gives}; build it with the default features"),
        )
        .into())
    })
}
