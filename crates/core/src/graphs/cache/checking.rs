//! `GRAPHCAP_CHECK=1`: a hit of a cache has the work of the key recorded once more, and is refused where that gives another graph.

use super::entries::Served;
use crate::graphs::graph::Graph;
use graphcap_base::error::{Error, Result};

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
    let told = differences.lines().take(MOST_DIFFERENCES).collect::<Vec<_>>().join("; ");
    let more = if count > MOST_DIFFERENCES {
        format!("; and {} more differences", count - MOST_DIFFERENCES)
    } else {
        String::new()
    };
    Err(Error::invalid_value(format!(
        "GRAPHCAP_CHECK=1: the recording function gives other work for the key than at its first launch, which a hit would repeat: \
         {told}{more}; have all that changes be part of the key, or stay at one address"
    )))
}

/// As many differences as a message tells.
const MOST_DIFFERENCES: usize = 4;
