//! Tells whether this process is a forked child of one that used graphcap. It has neither the threads nor the devices of that one,
//! and what another thread had locked stays locked in it. So what runs when it ends must leave everything alone.

use std::sync::atomic::{AtomicBool, Ordering};

static CHILD: AtomicBool = AtomicBool::new(false);

/// To be called in a child as it begins. Does no more than a child may do there.
pub fn note_child() {
    CHILD.store(true, Ordering::Relaxed);
}

/// Returns whether this is such a child.
pub fn is_child() -> bool {
    CHILD.load(Ordering::Relaxed)
}
