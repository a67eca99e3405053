//! Counters of what happened in the process, by which a capture tells what came after its begin.

use std::sync::atomic::{AtomicU64, Ordering};

/// Number of times that something happened in the process by which a node that is captured may have got launch attributes. An update
/// of an exec keeps those that the exec has, so they are compared; but to read them takes longer than the update. So it is noted
/// where they can come from: most graphs have none.
static ATTRIBUTED: AtomicU64 = AtomicU64::new(0);

/// A node that is captured now may get launch attributes: by a launch with some, by a stream that has some or that others can use, or
/// as those of a node are set.
#[cold]
pub(crate) fn note_attributed() {
    ATTRIBUTED.fetch_add(1, Ordering::AcqRel);
}

/// The number of such things so far: as long as it is the same, there were none.
pub(crate) fn attributed() -> u64 {
    ATTRIBUTED.load(Ordering::Acquire)
}
