//! The smallest part of a list that has a property of the whole: a pure function.

/// Drops entries of `set` until the property holds of it and, without any one entry, does not. The property holds of `set` at first. Of
/// several such parts the one is found whose last entry comes first. After an error `set` is the smallest part that was found by then.
///
/// Each entry that stays costs about as many questions as `set` can be halved.
///
/// # Errors
/// Those of `holds`.
pub fn shrink<T, E>(set: &mut Vec<T>, mut holds: impl FnMut(&[T]) -> Result<bool, E>) -> Result<(), E> {
    // The property holds of `set`; the last one of the first `needed` entries was missing without itself.
    let mut needed = 0;
    while needed < set.len() && !holds(&set[..needed])? {
        let mut missing = needed;
        while set.len() - missing > 1 {
            let middle = missing + (set.len() - missing) / 2;
            match holds(&set[..middle])? {
                true => set.truncate(middle),
                false => missing = middle,
            }
        }
        set[needed..].rotate_right(1);
        needed += 1;
    }
    set.truncate(needed);
    // Where the property holds of less and not of more, entries are left that are not needed.
    let mut at = set.len();
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
            assert!(asked <= (needed.len() as u32 + 1) * 10, "{asked} questions for {needed:?} of {count}");
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
