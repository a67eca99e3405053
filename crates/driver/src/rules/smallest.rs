//! The smallest part of a list that has a property of the whole: a pure function.

/// Drops entries of `set` until the property holds of it and, without any one entry, does not. The property holds of `set` at first. Of
/// several such parts the one is found whose last entry comes first. After an error `set` is the smallest part that was found by then.
///
/// Each entry that stays costs about as many questions as `set` can be halved, or one where the entry behind it stays, too.
///
/// # Errors
/// Those of `holds`.
pub fn shrink<T, E>(set: &mut Vec<T>, mut holds: impl FnMut(&[T]) -> Result<bool, E>) -> Result<(), E> {
    // The property holds of `set`; the last one of the first `needed` entries was missing without itself. It is to be asked again without
    // each of the first `stale` ones, since `set` is smaller now.
    let (mut needed, mut stale) = (0, 0);
    // The latest one was the last entry of `set`.
    let (mut is_run, mut is_trimmed) = (false, false);
    while needed < set.len() {
        let before = set.len();
        if !(is_run && is_trimmed) && holds(&set[..needed])? {
            set.truncate(needed);
        } else if is_run {
            if !is_trimmed {
                drop_first(set, needed, &mut holds)?;
                is_trimmed = true;
            }
            drop_last(set, needed, &mut holds)?;
        } else {
            halve(set, needed, &mut holds)?;
        }
        is_run = set.len() == before;
        if !is_run {
            stale = needed;
        }
        if needed < set.len() {
            set[needed..].rotate_right(1);
            needed += 1;
        }
    }
    // Where the property holds of less and not of more, entries are left that are not needed.
    let mut at = stale;
    while at > 0 {
        at -= 1;
        let one = set.remove(at);
        match holds(set) {
            Ok(true) => at = set.len(),
            answer => {
                set.insert(at, one);
                answer?;
            }
        }
    }
    Ok(())
}

/// Drops entries from the end until the last one is needed. The property does not hold of the first `missing` entries.
fn halve<T, E>(set: &mut Vec<T>, mut missing: usize, holds: &mut impl FnMut(&[T]) -> Result<bool, E>) -> Result<(), E> {
    while set.len() - missing > 1 {
        let middle = missing + (set.len() - missing) / 2;
        match holds(&set[..middle])? {
            true => set.truncate(middle),
            false => missing = middle,
        }
    }
    Ok(())
}

/// As [`halve`], for an end that is likely to be near: drops the last entry, then two, then four. The first `needed` entries stay.
fn drop_last<T, E>(set: &mut Vec<T>, needed: usize, holds: &mut impl FnMut(&[T]) -> Result<bool, E>) -> Result<(), E> {
    let mut count = 1;
    while needed < set.len() {
        let left = set.len().saturating_sub(count).max(needed);
        if !holds(&set[..left])? {
            return halve(set, left, holds);
        }
        set.truncate(left);
        count *= 2;
    }
    Ok(())
}

/// Drops the first ones of the entries behind `needed`, as many as a search by halves finds. The property does not hold without all of them.
fn drop_first<T, E>(set: &mut Vec<T>, needed: usize, holds: &mut impl FnMut(&[T]) -> Result<bool, E>) -> Result<(), E> {
    let mut most = set.len() - needed;
    while most > 1 {
        let middle = most / 2;
        set[..needed + middle].rotate_left(needed);
        let answer = holds(&set[middle..]);
        set[..needed + middle].rotate_right(needed);
        if answer? {
            set.drain(needed..needed + middle);
            most -= middle;
        } else {
            most = middle;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::random_graphs::{rounds, Random};

    /// The smallest part of the first numbers, and how often it was asked about parts.
    fn shrunk(count: u32, mut holds: impl FnMut(&[u32]) -> bool) -> (Vec<u32>, u32) {
        let (mut set, mut asked) = ((0..count).collect(), 0);
        let answer: Result<(), ()> = shrink(&mut set, |part| {
            asked += 1;
            Ok(holds(part))
        });
        assert_eq!(answer, Ok(()));
        set.sort_unstable();
        (set, asked)
    }

    #[test]
    fn the_numbers_that_are_needed_stay() {
        let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
        for _ in 0..rounds(300, 20_000) {
            let count = 1 + random.below(200) as u32;
            let mut needed: Vec<u32> = (0..random.below(5)).map(|_| random.below(count.into()) as u32).collect();
            needed.sort_unstable();
            needed.dedup();
            let (set, asked) = shrunk(count, |part| needed.iter().all(|one| part.contains(one)));
            assert_eq!(set, needed);
            // A run that is suspected where there is none costs a search for where it begins.
            assert!(asked <= (needed.len() as u32 + 2) * 10, "{asked} questions for {needed:?} of {count}");
        }
    }

    /// As nodes of a graph that pass a value on.
    #[test]
    fn a_run_that_is_needed_costs_one_question_for_each() {
        for (first, last) in [(0, 599), (300, 599), (599, 599), (0, 0), (0, 299), (200, 400), (0, 1), (598, 599)] {
            let run: Vec<u32> = (first..=last).collect();
            let (set, asked) = shrunk(600, |part| run.iter().all(|one| part.contains(one)));
            assert_eq!(set, run);
            assert!(asked <= run.len() as u32 + 40, "{asked} questions for {first} to {last}");
        }
    }

    #[test]
    fn of_several_parts_the_first_one_is_found_and_none_has_too_much() {
        assert_eq!(shrunk(9, |part| part.contains(&3) || part.contains(&7)).0, [3]);
        // It does not hold of more alone: of three numbers, or of 8 without 2.
        let mut random = Random::new(0x2545_f491_4f6c_dd1d);
        for _ in 0..rounds(300, 20_000) {
            let answers: Vec<bool> = (0..256).map(|_| random.below(3) == 0).collect();
            let holds =
                |part: &[u32]| part.len() == 8 || answers[part.iter().fold(0, |bits, one| bits | 1usize << one)];
            let (set, _) = shrunk(8, holds);
            assert!(holds(&set));
            for left_out in &set {
                let rest: Vec<u32> = set.iter().copied().filter(|one| one != left_out).collect();
                assert!(!holds(&rest), "{set:?} holds without {left_out}");
            }
        }
    }

    #[test]
    fn after_an_error_the_smallest_known_part_is_left() {
        for fails_at in 1..12 {
            let (mut set, mut asked) = ((0..64).collect::<Vec<u32>>(), 0);
            let answer = shrink(&mut set, |part| {
                asked += 1;
                if asked == fails_at {
                    Err(())
                } else {
                    Ok(part.contains(&5) && part.contains(&40))
                }
            });
            assert!(answer.is_err() && set.contains(&5) && set.contains(&40), "{fails_at}: {set:?}");
        }
    }
}
