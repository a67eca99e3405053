//! Waiters for something on this device.

use std::sync::Arc;

use super::resumable::Resumable;

/// A replay, some segments of which wait.
pub(crate) trait Segments: Send + Sync {
    /// Goes on with a segment whose value or event has come, or whose wait was cancelled.
    fn resume_segment(&self, number: u32);
}

/// A parked stream, or a segment of the replay that it runs. Whoever brings what it waits for lets it go on.
pub(crate) struct Waiter {
    pub(crate) stream: Arc<dyn Resumable>,
    segment: Option<(Arc<dyn Segments>, u32)>,
}

impl Waiter {
    pub(crate) fn stream(stream: &Arc<impl Resumable + 'static>) -> Waiter {
        Waiter { stream: Arc::clone(stream) as _, segment: None }
    }

    /// Segment number `segment` of the replay that `stream` runs.
    pub(crate) fn segment(stream: Arc<dyn Resumable>, replay: Arc<dyn Segments>, segment: u32) -> Waiter {
        Waiter { stream, segment: Some((replay, segment)) }
    }

    /// Lets it go on. It was taken out of the list that it waited in, and woken there.
    pub(crate) fn go_on(self) {
        match self.segment {
            None => self.stream.resume(),
            Some((replay, segment)) => replay.resume_segment(segment),
        }
    }
}
