//! Times of a trace whose clock is the processor's counter: nanoseconds between moments that the file has by both.

use crate::format::{Entry, Kind, OPEN};

/// Moments by the counter and by the clock, in order, and the speed from the first to the last: ticks, and nanoseconds.
pub(crate) struct Moments {
    all: Vec<(u64, u64)>,
    speed: (u64, u64),
}

/// The part of `of.1` that `ticks` are of `of.0`.
fn part(ticks: u64, of: (u64, u64)) -> u64 {
    let part = u128::from(ticks) * u128::from(of.1) / u128::from(of.0.max(1));
    u64::try_from(part).unwrap_or(u64::MAX)
}

impl Moments {
    /// Of the moments of a file; `None` where its clock is not the counter.
    pub(crate) fn of(mut found: Vec<(u64, u64)>) -> Option<Moments> {
        found.retain(|(counter, _)| *counter != 0);
        found.sort_unstable();
        let (first, last) = (*found.first()?, *found.last()?);
        let mut all = vec![first];
        for moment in found {
            if all.last().is_some_and(|before| before.0 < moment.0 && before.1 < moment.1) {
                all.push(moment);
            }
        }
        let speed = match (last.0 - first.0, last.1.saturating_sub(first.1)) {
            (0, _) | (_, 0) => (1, 1),
            speed => speed,
        };
        Some(Moments { all, speed })
    }

    fn nanoseconds(&self, counter: u64) -> u64 {
        let next = self.all.partition_point(|(moment, _)| *moment <= counter);
        match (self.all.get(next.wrapping_sub(1)), self.all.get(next)) {
            (Some(from), Some(to)) => from.1 + part(counter - from.0, (to.0 - from.0, to.1 - from.1)),
            (Some(from), None) => from.1.saturating_add(part(counter - from.0, self.speed)),
            (None, Some(to)) => to.1.saturating_sub(part(to.0 - counter, self.speed)),
            (None, None) => counter,
        }
    }

    /// Makes the times of a record nanoseconds, where they are ticks. What profilers tell and captures are in nanoseconds.
    pub(crate) fn tell(&self, event: &mut Entry) {
        let begin = match event.kind {
            Kind::Call | Kind::Replay | Kind::Node | Kind::Work => self.nanoseconds(event.begin),
            Kind::Mark | Kind::Counter | Kind::Launch | Kind::Correlated => {
                event.begin = self.nanoseconds(event.begin);
                return;
            }
            _ => return,
        };
        if event.duration != OPEN {
            event.duration = self.nanoseconds(event.end_of_span()).saturating_sub(begin);
        }
        event.begin = begin;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_lie_between_the_moments_and_do_not_go_back() {
        // Three ticks a nanosecond, then less; a moment at which the clock goes back counts for nothing.
        let last = [(17_000_000, 2_999_999), (16_000_000, 3_000_000)];
        let found = [&[(40_000_000, 13_000_000), (10_000_000, 1_000_000), (0, 7)], &last[..]].concat();
        let moments = Moments::of(found).expect("the file has moments");
        let told = [4_000_000, 10_000_000, 13_000_000, 16_000_000, 28_000_000, 40_000_000, 70_000_000]
            .map(|counter| moments.nanoseconds(counter));
        assert_eq!(told, [0, 1_000_000, 2_000_000, 3_000_000, 8_000_000, 13_000_000, 25_000_000]);
    }

    #[test]
    fn a_file_of_the_clock_has_no_moments() {
        assert!(Moments::of(vec![(0, 1), (0, 2)]).is_none());
    }

    #[test]
    fn moments_that_cannot_be_are_survived() {
        for found in [vec![(1, 9)], vec![(5, u64::MAX), (u64::MAX, 1)], vec![(1, u64::MAX), (2, 1), (3, u64::MAX - 1)]]
        {
            let moments = Moments::of(found).expect("the file has moments");
            for counter in [0, 1, 2, 5, u64::MAX] {
                let mut event = Entry { begin: counter, duration: counter, ..Entry::of(Kind::Call) };
                moments.tell(&mut event);
            }
        }
    }
}
