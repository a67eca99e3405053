//! What two graphs differ in, as text for people.
//!
//! Nodes are paired as an update of an exec pairs them: by the nodes that they wait for and, of several that wait for the same ones,
//! by the order in which they were made. What is left over then is paired by kind and name in that order, which an update would not
//! do. All of it takes time in proportion to nodes and edges.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt::{self, Write};

use super::picture::{self, Edge, Fact, Node, Picture, Words, Work};
use super::text::Text;
use crate::core::graphs::graph::Graph;
use crate::core::graphs::order::in_order;
use crate::driver::EdgeData;
use crate::error::{Error, Result};
use crate::room;

impl Graph {
    /// What `other` differs in from this graph: a line for each difference, the empty text where there is none. A line begins
    /// with `-` for what this graph alone has, with `+` for what `other` alone has, and with `~` for what differs in a pair.
    ///
    /// # Errors
    /// `INVALID_VALUE` when the edges of one of the graphs form a cycle; as [`Graph::export_dot`].
    pub fn diff(&self, other: &Graph) -> Result<String> {
        let ((one, _held), (other, _also)) = (self.picture()?, other.picture()?);
        compare(&one, &other)
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

pub(in crate::core) fn compare(one: &Picture, other: &Picture) -> Result<String> {
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
        /// What pairing takes at most, with the lists that grow.
        const OF_NODE: usize = 4 * size_of::<(usize, usize, &[usize])>();
        const OF_EDGE: usize = 4 * size_of::<(usize, usize, Edge)>();
        let count = graph.nodes.len();
        room::ask(count.saturating_mul(OF_NODE).saturating_add(graph.edges.len().saturating_mul(OF_EDGE)))?;
        let mut before: Vec<Vec<usize>> = room::list(count)?;
        before.resize_with(count, Vec::new);
        let mut ends = room::list(graph.edges.len())?;
        for edge in &graph.edges {
            if let Some(before) = before.get_mut(edge.to) {
                before.push(edge.from);
                ends.push((edge.from, edge.to));
            }
        }
        let order = in_order(count, &ends)?.ok_or_else(|| {
            Error::invalid_value(
                "the edges of a graph form a cycle, so that its nodes have no order to be compared in; remove an edge of it",
            )
        })?;
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
    compare_edges((one, &pairs), other, within, lines);
    Ok(())
}

/// Of edges of both graphs: those between nodes of pairs, and those of nodes that one graph alone has.
fn compare_edges((one, pairs): (&Side<'_>, &[Option<usize>]), other: &Side<'_>, within: &str, lines: &mut Lines) {
    let there: HashMap<(usize, usize), EdgeData> =
        other.graph.edges.iter().map(|edge| ((edge.from, edge.to), edge.carries)).collect();
    let mut common = HashSet::new();
    for &Edge { from, to, carries } in &one.graph.edges {
        let paired = pairs[from].zip(pairs[to]);
        match paired.and_then(|paired| there.get_key_value(&paired)) {
            Some((&paired, &other_carries)) => {
                common.insert(paired);
                if carries != other_carries {
                    let (before, after) = (told_data(carries), told_data(other_carries));
                    lines.push(format!("~ {within}edge {from} -> {to}: carries {before} -> {after}"));
                }
            }
            None => lines.push(format!("- {within}edge {from} -> {to}")),
        }
    }
    for &Edge { from, to, .. } in &other.graph.edges {
        if !common.contains(&(from, to)) {
            lines.push(format!("+ {within}edge {from} -> {to}"));
        }
    }
}

fn told_data(carries: EdgeData) -> String {
    match carries.is_none() {
        true => "nothing".into(),
        false => picture::edge_label(carries),
    }
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
    let mut after: HashMap<_, Fact<'_>> =
        other.picture.facts(other_node).into_iter().map(|fact| (fact.what.clone(), fact)).collect();
    for Fact { what, text, bytes } in one.picture.facts(node) {
        match after.remove(&what) {
            Some(other) if other.text != text => differ(&what, &text, &other.text),
            Some(other) => {
                // Of bytes that have as many the text tells the first ones.
                if let Some(at) = bytes.iter().zip(other.bytes).position(|(byte, other)| byte != other) {
                    let (before, after) = (bytes[at], other.bytes[at]);
                    differ(&format!("{what}, byte {at}"), &format_args!("{before:#x}"), &format_args!("{after:#x}"));
                }
            }
            None => differ(&what, &text, &"none"),
        }
    }
    let mut more: Vec<_> = after.into_values().map(|fact| (fact.what, fact.text)).collect();
    more.sort_unstable();
    more.iter().for_each(|(what, text)| differ(what, &"none", text));
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
