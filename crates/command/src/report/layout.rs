//! Places of nodes: a row for each depth, below those that a node waits for, and a column for each lane, a chain of nodes.

use std::collections::BTreeSet;

/// Places of the nodes of a graph.
pub(super) struct Layout {
    /// Row and column of each node.
    pub(super) places: Vec<(usize, usize)>,
    /// Numbers of rows and of columns.
    pub(super) size: (usize, usize),
    /// The next node below in the column of each, and the next one above.
    below: Vec<Option<usize>>,
    above: Vec<Option<usize>>,
}

/// Way of an edge between rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// Nothing is between the two nodes.
    Straight,
    /// Down in the column of the first node.
    AlongFirst,
    /// Down in the column of the second node.
    AlongSecond,
    /// Down beside the column of the second node.
    Beside,
}

/// Lanes while nodes are placed.
#[derive(Default)]
struct Lanes {
    /// The last node of each lane.
    last: Vec<usize>,
    free: BTreeSet<usize>,
}

impl Lanes {
    /// Returns the free lane next to `wanted`, or a new one.
    fn take(&mut self, wanted: usize) -> usize {
        let (left, right) = (self.free.range(..=wanted).next_back(), self.free.range(wanted..).next());
        let nearest = left.into_iter().chain(right).copied().min_by_key(|lane| lane.abs_diff(wanted));
        match nearest {
            Some(lane) => {
                self.free.remove(&lane);
                lane
            }
            None => {
                self.last.push(usize::MAX);
                self.last.len() - 1
            }
        }
    }
}

/// Places `count` nodes. `None` where the edges form a cycle.
pub(super) fn lay_out(count: usize, edges: &[(usize, usize)]) -> Option<Layout> {
    let (mut before, mut after) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for &(from, to) in edges {
        after.get_mut(from)?.push(to);
        before.get_mut(to)?.push(from);
    }
    let depths = depths(&before, &after)?;
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&node| depths[node]);
    let mut layout =
        Layout { places: vec![(0, 0); count], size: (0, 0), below: vec![None; count], above: vec![None; count] };
    let (mut lanes, mut waiting, mut ended) = (Lanes::default(), Vec::new(), (0, Vec::new()));
    waiting.extend(after.iter().map(Vec::len));
    for node in order {
        let depth = depths[node];
        if ended.0 != depth {
            // Lanes whose last node nothing waits for are free in the next row.
            lanes.free.extend(ended.1.drain(..));
            ended.0 = depth;
        }
        let lane_of = |node: usize| layout.places[node].1;
        let latest = before[node].iter().copied().max_by_key(|&one| (depths[one], usize::MAX - lane_of(one)));
        let is_last = |one: &usize| lanes.last.get(lane_of(*one)) == Some(one);
        let goes_on = before[node].iter().copied().filter(is_last);
        let goes_on = goes_on.max_by_key(|&one| (depths[one], usize::MAX - lane_of(one)));
        let lane = match goes_on {
            Some(one) => {
                lanes.free.remove(&lane_of(one));
                lane_of(one)
            }
            None => lanes.take(latest.map_or(0, lane_of)),
        };
        let above = std::mem::replace(&mut lanes.last[lane], node);
        if let Some(below) = layout.below.get_mut(above) {
            *below = Some(node);
            layout.above[node] = Some(above);
        }
        layout.places[node] = (depth, lane);
        layout.size.0 = layout.size.0.max(depth + 1);
        for &one in &before[node] {
            waiting[one] -= 1;
            let lane = layout.places[one].1;
            if waiting[one] == 0 && lanes.last[lane] == one {
                lanes.free.insert(lane);
            }
        }
        if after[node].is_empty() {
            ended.1.push(lane);
        }
    }
    layout.size.1 = lanes.last.len();
    Some(layout)
}

/// The numbers of edges on the longest path to each node. `None` where there is a cycle.
fn depths(before: &[Vec<usize>], after: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut waiting: Vec<usize> = before.iter().map(Vec::len).collect();
    let mut ready: Vec<usize> = (0..before.len()).filter(|&node| waiting[node] == 0).collect();
    let (mut depths, mut placed) = (vec![0; before.len()], 0);
    while let Some(node) = ready.pop() {
        placed += 1;
        for &next in &after[node] {
            depths[next] = depths[next].max(depths[node] + 1);
            waiting[next] -= 1;
            if waiting[next] == 0 {
                ready.push(next);
            }
        }
    }
    (placed == before.len()).then_some(depths)
}

impl Layout {
    /// Returns the way of an edge that meets no node on it.
    pub(super) fn way(&self, from: usize, to: usize) -> Way {
        let ((first, _), (last, _)) = (self.places[from], self.places[to]);
        let row = |node: Option<usize>| node.map(|node| self.places[node].0);
        if self.below[from] == Some(to) || last == first + 1 {
            Way::Straight
        } else if row(self.below[from]).is_none_or(|row| row >= last) {
            Way::AlongFirst
        } else if row(self.above[to]).is_none_or(|row| row <= first) {
            Way::AlongSecond
        } else {
            Way::Beside
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_a_column_and_a_fork_has_columns() {
        let chain = lay_out(3, &[(0, 1), (1, 2)]).unwrap();
        assert_eq!((chain.places.as_slice(), chain.size), ([(0, 0), (1, 0), (2, 0)].as_slice(), (3, 1)));
        let fork = lay_out(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]).unwrap();
        assert_eq!(fork.places, [(0, 0), (1, 0), (1, 1), (2, 0)]);
    }

    #[test]
    fn edges_pass_no_node() {
        // 0 - 1 - 2 - 3 in a column, and an edge past 1 and 2.
        let layout = lay_out(4, &[(0, 1), (1, 2), (2, 3), (0, 3)]).unwrap();
        assert_eq!((layout.way(0, 1), layout.way(0, 3)), (Way::Straight, Way::Beside));
        // 4 is alone in its column.
        let layout = lay_out(5, &[(0, 1), (1, 2), (2, 3), (0, 4), (4, 3)]).unwrap();
        assert_eq!(layout.way(4, 3), Way::AlongFirst);
    }

    #[test]
    fn no_two_nodes_have_one_place() {
        let edges: Vec<(usize, usize)> = (1..300).flat_map(|to| [(to * 7 % to, to), (to * 31 / 40, to)]).collect();
        let edges: Vec<_> = edges.into_iter().filter(|(from, to)| from < to).collect();
        let layout = lay_out(300, &edges).unwrap();
        let places: BTreeSet<_> = layout.places.iter().collect();
        assert_eq!(places.len(), 300);
        assert!(edges.iter().all(|&(from, to)| layout.places[from].0 < layout.places[to].0));
    }

    #[test]
    fn a_cycle_is_refused() {
        assert!(lay_out(2, &[(0, 1), (1, 0)]).is_none());
        assert!(lay_out(0, &[]).is_some());
    }
}
