//! The blocks that are not freed.

use std::collections::BTreeMap;

use graphcap_base::lock::{rank, Mutex};

/// The numbers of the blocks that are not freed, and how many reasons there are to touch each. Held over each change of what may be
/// touched.
pub(super) static LIVE: Mutex<BTreeMap<usize, usize>, rank::GuardedBlocks> = Mutex::new(BTreeMap::new());
