//! One node before all others of a graph, and one behind all, with nodes in between where there would be too many edges.

/// A node waits for no more nodes than these, and no more nodes wait for it, by way of the nodes that are added: drivers take long with
/// more.
pub const WIDEST: usize = 128;

/// Adds one node before `roots`, where there are several, and one behind `leaves`, where there are several. `add` adds a node behind
/// those that it is given. Gives the edges that lead to the roots, which are to be added.
///
/// # Errors
/// Those of `add`.
pub fn add_ends<N: Copy, E>(
    roots: &[N],
    leaves: &[N],
    mut add: impl FnMut(&[N]) -> Result<N, E>,
) -> Result<Vec<(N, N)>, E> {
    let mut edges = Vec::new();
    if roots.len() > 1 {
        let mut layer = vec![add(&[])?];
        // As wide as it may be from node to node.
        while layer.len() * WIDEST < roots.len() {
            let wanted = roots.len().div_ceil(WIDEST).min(layer.len() * WIDEST);
            let above = (0..wanted).filter_map(|at| layer.get(at * layer.len() / wanted));
            layer = above.map(|&above| add(&[above])).collect::<Result<_, E>>()?;
        }
        let share = roots.len().div_ceil(layer.len());
        for (some, &above) in roots.chunks(share).zip(&layer) {
            edges.extend(some.iter().map(|&root| (above, root)));
        }
    }
    let mut layer = leaves.to_vec();
    while layer.len() > 1 {
        layer = layer.chunks(WIDEST).map(&mut add).collect::<Result<_, E>>()?;
    }
    Ok(edges)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The edges of a graph of `count` nodes, each of which is a root and a leaf, and of those that are added.
    fn edges(count: usize) -> (usize, Vec<(usize, usize)>) {
        let (mut nodes, mut all) = (count, Vec::new());
        let own: Vec<usize> = (0..count).collect();
        let before: Result<_, ()> = add_ends(&own, &own, |behind| {
            all.extend(behind.iter().map(|&one| (one, nodes)));
            nodes += 1;
            Ok(nodes - 1)
        });
        all.extend(before.unwrap());
        (nodes, all)
    }

    #[test]
    fn any_number_of_nodes_gets_one_root_and_one_leaf() {
        for count in [0, 1, 2, 3, 127, 128, 129, 255, 256, 257, 1_000, WIDEST * WIDEST, WIDEST * WIDEST + 1, 40_000] {
            let (nodes, edges) = edges(count);
            let (mut into, mut out_of) = (vec![0; nodes], vec![0; nodes]);
            for &(from, to) in &edges {
                out_of[from] += 1;
                into[to] += 1;
            }
            let without = |edges: &[usize]| edges.iter().filter(|&&edges| edges == 0).count();
            assert_eq!((without(&into), without(&out_of)), (count.min(1), count.min(1)), "{count}");
            assert!(into.iter().chain(&out_of).all(|&edges| edges <= WIDEST), "{count}");
            let is_own = |node: usize| node < count;
            assert!((0..count).all(|node| count == 1 || (into[node], out_of[node]) == (1, 1)), "{count}");
            assert!(!edges.iter().any(|&(from, to)| is_own(from) && is_own(to)));
        }
    }

    #[test]
    fn what_cannot_be_added_is_told() {
        let mut left = 3;
        let added = add_ends(&[1, 2], &[3, 4], |_| {
            left -= 1;
            if left == 1 {
                Err("full")
            } else {
                Ok(left)
            }
        });
        assert_eq!(added, Err("full"));
    }
}
