//! Helpers of the tests of rules about graphs: random numbers, and who precedes whom by paths.

pub(super) use super::random::Random;

/// Returns how many rounds a random test has.
pub(super) fn rounds(in_short: u32, whole: u32) -> u32 {
    match std::env::var_os("GRAPHCAP_SOAK") {
        Some(_) => whole,
        None => in_short,
    }
}

/// For each node of which it is told which ones it waits for, all of which come before it: which nodes precede it.
pub(super) fn paths(after: &[Vec<u32>]) -> Vec<Vec<bool>> {
    let mut paths: Vec<Vec<bool>> = Vec::new();
    for after in after {
        let mut before = vec![false; paths.len() + 1];
        for &one in after {
            before[one as usize] = true;
            for (other, is) in paths[one as usize].iter().enumerate() {
                before[other] |= *is;
            }
        }
        paths.push(before);
    }
    paths
}

/// For each of `count` nodes at most `most` others that it waits for, at most `width` before it, ascending.
pub(super) fn random_edges(random: &mut Random, count: u64, most: u64, width: u64) -> Vec<Vec<u32>> {
    let edge = |random: &mut Random, node: u64| node.checked_sub(1 + random.below(width)).map(|before| before as u32);
    (0..count)
        .map(|node| {
            let mut after: Vec<u32> = (0..random.below(most + 1)).filter_map(|_| edge(random, node)).collect();
            after.sort_unstable();
            after.dedup();
            after
        })
        .collect()
}
