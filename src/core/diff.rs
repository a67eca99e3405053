//! What two graphs differ in, as text for people.
//!
//! Nodes are paired as an update of an exec pairs them: by the nodes that they wait for and, of several that wait for the same ones,
//! by the order in which they were made. What is left over then is paired by kind and name in that order, which an update would not
//! do. All of it takes time in proportion to nodes and edges.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet, VecDeque};
use std::fmt::{self, Write};

use super::graph::Graph;
use super::picture::{self, Node, Picture, Words, Work};
use super::text::Text;
use crate::error::{Error, Result};
use crate::room;

impl Graph {
    /// What `other` differs in from this graph: a line for each difference, the empty text where there is none. A line begins
    /// with `-` for what this graph alone has, with `+` for what `other` alone has, and with `~` for what differs in a pair.
    ///
    /// # Errors
    /// `INVALID_VALUE` when the edges of one of the graphs form a cycle; as [`Graph::export_dot`].
    pub fn diff(&self, other: &Graph) -> Result<String> {
        compare(&self.picture()?, &other.picture()?)
    }
}

/// One graph of a picture, with an order in which its nodes can run.
struct Side<'a> {
    picture: &'a Picture,
    graph: &'a picture::Graph,
    order: Vec<usize>,
    /// The nodes that each node waits for, sorted.
    before: Vec<Vec<usize>>,
}

/// A difference to be told.
type Lines = Vec<String>;

pub(super) fn compare(one: &Picture, other: &Picture) -> Result<String> {
    let mut lines = Lines::new();
    if one.name != other.name {
        lines.push(format!("~ graph: name {:?} -> {:?}", told(&one.name), told(&other.name)));
    }
    let sides = (Side::new(one, &one.graph)?, Side::new(other, &other.graph)?);
    compare_graphs(&sides.0, &sides.1, "", &mut lines)?;
    Text::of(|text| lines.iter().try_for_each(|line| writeln!(text, "{line}")))
}

fn told(name: &Option<String>) -> &str {
    name.as_deref().unwrap_or_default()
}

impl<'a> Side<'a> {
    fn new(picture: &'a Picture, graph: &'a picture::Graph) -> Result<Side<'a>> {
        let count = graph.nodes.len();
        let mut before: Vec<Vec<usize>> = room::list(count)?;
        let mut after: Vec<Vec<usize>> = room::list(count)?;
        before.resize_with(count, Vec::new);
        after.resize_with(count, Vec::new);
        for &(from, to) in &graph.edges {
            if let (Some(before), Some(after)) = (before.get_mut(to), after.get_mut(from)) {
                before.push(from);
                after.push(to);
            }
        }
        let mut waits: Vec<usize> = before.iter().map(Vec::len).collect();
        let mut ready: BinaryHeap<Reverse<usize>> = (0..count).filter(|&node| waits[node] == 0).map(Reverse).collect();
        let mut order = room::list(count)?;
        while let Some(Reverse(node)) = ready.pop() {
            order.push(node);
            for &next in &after[node] {
                waits[next] -= 1;
                if waits[next] == 0 {
                    ready.push(Reverse(next));
                }
            }
        }
        if order.len() < count {
            return Err(Error::invalid_value(
                "the edges of a graph form a cycle, so that its nodes have no order to be compared in; remove an edge of it",
            ));
        }
        Ok(Side { picture, graph, order, before })
    }

    fn node(&self, node: usize) -> &'a Node {
        &self.graph.nodes[node]
    }

    /// What a node is called where it is told of alone.
    fn label(&self, node: usize) -> String {
        let node = self.node(node);
        let title = self.picture.title(node, Words::Plain);
        let what = match &node.work {
            Work::Kernel { .. } => format!("kernel {title}"),
            _ => title.to_owned(),
        };
        match &node.name {
            Some(name) => format!("{name:?}, {what}"),
            None => what,
        }
    }
}

/// The node of `other` that each node of `one` is paired with.
fn pairs(one: &Side<'_>, other: &Side<'_>) -> Vec<Option<usize>> {
    let mut pairs = vec![None; one.graph.nodes.len()];
    let mut by_before: HashMap<&[usize], VecDeque<usize>> = HashMap::new();
    for &node in &other.order {
        by_before.entry(&other.before[node]).or_default().push_back(node);
    }
    for &node in &one.order {
        let before: Option<Vec<usize>> = one.before[node].iter().map(|&before| pairs[before]).collect();
        let Some(mut before) = before else { continue };
        before.sort_unstable();
        pairs[node] = by_before.get_mut(&before[..]).and_then(VecDeque::pop_front);
    }
    let paired: HashSet<usize> = pairs.iter().flatten().copied().collect();
    let mut by_label: HashMap<String, VecDeque<usize>> = HashMap::new();
    for &node in other.order.iter().filter(|node| !paired.contains(node)) {
        by_label.entry(other.label(node)).or_default().push_back(node);
    }
    for &node in &one.order {
        if pairs[node].is_none() {
            pairs[node] = by_label.get_mut(&one.label(node)).and_then(VecDeque::pop_front);
        }
    }
    pairs
}

fn compare_graphs(one: &Side<'_>, other: &Side<'_>, within: &str, lines: &mut Lines) -> Result<()> {
    let pairs = pairs(one, other);
    let mut paired = vec![false; other.graph.nodes.len()];
    for (node, pair) in pairs.iter().enumerate() {
        match *pair {
            Some(pair) => {
                paired[pair] = true;
                compare_nodes((one, node), (other, pair), within, lines)?;
            }
            None => lines.push(format!("- {within}node {node}: {}", one.label(node))),
        }
    }
    for (node, _) in paired.iter().enumerate().filter(|(_, paired)| !**paired) {
        lines.push(format!("+ {within}node {node}: {}", other.label(node)));
    }
    // Edges of nodes that one graph alone has go without saying.
    let there: HashSet<(usize, usize)> = other.graph.edges.iter().copied().collect();
    let mut common = HashSet::new();
    for &(from, to) in &one.graph.edges {
        if let (Some(paired_from), Some(paired_to)) = (pairs[from], pairs[to]) {
            if there.contains(&(paired_from, paired_to)) {
                common.insert((paired_from, paired_to));
            } else {
                lines.push(format!("- {within}edge {from} -> {to}"));
            }
        }
    }
    for &(from, to) in &other.graph.edges {
        if paired[from] && paired[to] && !common.contains(&(from, to)) {
            lines.push(format!("+ {within}edge {from} -> {to}"));
        }
    }
    Ok(())
}

fn compare_nodes(
    (one, number): (&Side<'_>, usize),
    (other, other_number): (&Side<'_>, usize),
    within: &str,
    lines: &mut Lines,
) -> Result<()> {
    let (node, other_node) = (one.node(number), other.node(other_number));
    let label = match number == other_number {
        true => format!("{within}node {number}"),
        false => format!("{within}node {number} / {other_number}"),
    };
    let mut differ = |what: &str, before: &dyn fmt::Display, after: &dyn fmt::Display| {
        lines.push(format!("~ {label}: {what} {before} -> {after}"));
    };
    if node.name != other_node.name {
        differ("name", &format_args!("{:?}", told(&node.name)), &format_args!("{:?}", told(&other_node.name)));
    }
    if node.kind_name() != other_node.kind_name() {
        differ("kind", &node.kind_name(), &other_node.kind_name());
        return Ok(());
    }
    let facts = |side: &Side<'_>, node: &Node| side.picture.facts(node, Words::Plain);
    let mut after: HashMap<String, String> =
        facts(other, other_node).into_iter().map(|fact| (fact.what, fact.value)).collect();
    for fact in facts(one, node) {
        match after.remove(&fact.what) {
            Some(value) if value == fact.value => {}
            Some(value) => differ(&fact.what, &fact.value, &value),
            None => differ(&fact.what, &fact.value, &"none"),
        }
    }
    let mut more: Vec<_> = after.into_iter().collect();
    more.sort_unstable();
    more.iter().for_each(|(what, value)| differ(what, &"none", value));
    for (index, (graph, other_graph)) in node.graphs().iter().zip(other_node.graphs()).enumerate() {
        let within = match &node.work {
            Work::Conditional { .. } => format!("{label}, body {index}, "),
            _ => format!("{label}, "),
        };
        let (one, other) = (Side::new(one.picture, graph)?, Side::new(other.picture, other_graph)?);
        compare_graphs(&one, &other, &within, lines)?;
    }
    Ok(())
}

#[cfg(test)]
#[path = "diff_tests.rs"]
mod tests;
