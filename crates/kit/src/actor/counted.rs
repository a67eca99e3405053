//! Launches on a stream whose device counts what completes: known to be complete by their numbers, and run by the actor's own thread
//! while they are short.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::mailbox::Mailbox;
use crate::looks::Looks;
use graphcap_core::Stream;
use graphcap_driver::Submissions;

/// A launch that is alone is run by the actor's thread if those before took no longer than this. What takes longer is not much later
/// for two more threads that wake.
const SHORT_ALONE: Duration = Duration::from_millis(1);
/// Limit for a launch that is not alone, as messages wait meanwhile.
const SHORT_OF_SEVERAL: Duration = Duration::from_micros(100);
/// Launches are run in one go until this time has passed, as far as can be told before.
const ONE_GO: Duration = Duration::from_micros(10);
/// Time that the thread looks for the end of a launch that another thread runs. It is known to come, and soon.
const LOOK_FOR_END: Duration = Duration::from_micros(20);

/// The submissions to the actor's stream.
pub(super) struct Counted {
    submissions: Arc<dyn Submissions>,
    /// Wakes the actor's thread.
    wake: Arc<dyn Fn() + Send + Sync>,
    looks: Looks,
    /// Time that a launch took of late; `None` while none has completed.
    each: Option<Duration>,
    /// Time at which launches were found to be complete the last time.
    found: Option<Instant>,
}

impl Counted {
    /// Those of `stream`; `None` where the device does not count.
    pub(super) fn of<M: Send + 'static>(stream: &Stream, mailbox: &Arc<Mailbox<M>>) -> Option<Counted> {
        let (submissions, mailbox) = (stream.submissions()?, Arc::clone(mailbox));
        let looks = Looks::of(if mailbox.may_look() { LOOK_FOR_END } else { Duration::ZERO });
        Some(Counted { submissions, wake: Arc::new(move || mailbox.wake()), looks, each: None, found: None })
    }

    /// Number of the launch that was made last.
    pub(super) fn latest(&self) -> u64 {
        self.submissions.submitted()
    }

    /// Returns whether launch `number` has completed.
    pub(super) fn has_completed(&self, number: u64) -> bool {
        self.submissions.completed() >= number
    }

    /// Returns whether launch `number` had completed before the context faulted.
    pub(super) fn had_completed_before_fault(&self, number: u64) -> bool {
        self.submissions.completed_before_fault() >= number
    }

    /// `count` launches were found to be complete, the first of which was made at `since`.
    pub(super) fn note(&mut self, count: u32, since: Instant) {
        let now = Instant::now();
        let since = self.found.map_or(since, |found| found.max(since));
        self.each = Some(now.saturating_duration_since(since) / count.max(1));
        self.found = Some(now);
    }

    /// Runs launches from number `first` on to `last` where they are short and no other thread has begun with them; returns whether the
    /// first one has completed, or `has_news` became true.
    pub(super) fn help(&self, first: u64, last: u64, has_news: impl Fn() -> bool) -> bool {
        let limit = if first == last { SHORT_ALONE } else { SHORT_OF_SEVERAL };
        let Some(each) = self.each.filter(|each| *each <= limit) else { return self.has_completed(first) };
        let more = ONE_GO.as_nanos() / each.as_nanos().max(1);
        Arc::clone(&self.submissions).help(last.min(first.saturating_add(u64::try_from(more).unwrap_or(u64::MAX))));
        let is_over = || self.has_completed(first) || has_news();
        if each > LOOK_FOR_END {
            is_over()
        } else {
            self.looks.look(None, is_over)
        }
    }

    /// Arranges that launch `number` wakes the thread when it completes; false where it has.
    pub(super) fn wakes_at(&self, number: u64) -> bool {
        self.submissions.tell_at(number, &self.wake)
    }
}
