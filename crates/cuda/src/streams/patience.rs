//! Waiting with a limit. The driver's waits have none, so what is waited for is asked about again and again.

use std::thread;
use std::time::{Duration, Instant};

/// Time of asking without a pause: as long as waking up would take.
const EAGER: Duration = Duration::from_micros(20);
/// The first pause, and the longest; each is twice the one before.
const FIRST_PAUSE: Duration = Duration::from_micros(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(1);

/// The patience of one wait.
pub(crate) struct Patience {
    since: Instant,
    limit: Duration,
    eager: Duration,
    pause: Duration,
}

impl Patience {
    /// Begins now.
    pub(crate) fn new(limit: Duration) -> Patience {
        Patience { since: Instant::now(), limit, eager: EAGER, pause: FIRST_PAUSE }
    }

    /// Begins now, and never pauses.
    pub(crate) fn without_pause(limit: Duration) -> Patience {
        Patience { eager: limit, ..Patience::new(limit) }
    }

    /// Lets a moment pass between two questions; false when the limit has been reached.
    pub(crate) fn lasts(&mut self) -> bool {
        let passed = self.since.elapsed();
        let Some(left) = self.limit.checked_sub(passed).filter(|left| !left.is_zero()) else { return false };
        if passed < self.eager {
            std::hint::spin_loop();
            return true;
        }
        thread::sleep(self.pause.min(left));
        self.pause = (2 * self.pause).min(LONGEST_PAUSE);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_ends_at_the_limit_and_not_before() {
        assert!(!Patience::new(Duration::ZERO).lasts());
        for limit in [Duration::from_micros(5), Duration::from_millis(3)] {
            for begin in [Patience::new, Patience::without_pause] {
                let (before, mut patience, mut rounds) = (Instant::now(), begin(limit), 0);
                while patience.lasts() {
                    rounds += 1;
                }
                assert!(before.elapsed() >= limit && rounds > 0);
            }
        }
    }
}
