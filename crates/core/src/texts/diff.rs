//! Differences of two graphs, as text for people.
//!
//! A difference lies between the nodes of a pair. Nodes are paired in two ways ([`pairing`]): as an update of an exec pairs them, so
//! that what such an update would change is what is told, and by what they do, which finds nodes again that were made in another
//! order. The way that tells of less is taken, that of updates where both tell of as much. All of it takes time in proportion to
//! nodes and edges.

mod pairing;

use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write};

use self::pairing::{pairs, OrderedGraph, Way};
use super::picture::{self, Edge, Fact, MemoryKind, NodePicture, Picture, WorkPicture};
use super::text::Text;
use crate::graphs::graph::Graph;
use graphcap_base::error::Result;
use graphcap_driver::EdgeData;

impl Graph {
    /// Returns what `other` differs in from this graph: a line for each difference, the empty text where there is none. A line begins
    /// with `-` for what this graph alone has, with `+` for what `other` alone has, and with `~` for what differs in a pair.
    ///
    /// # Errors
    /// `INVALID_VALUE` when the edges of one of the graphs form a cycle; as [`Graph::export_dot`].
    pub fn diff(&self, other: &Graph) -> Result<String> {
        let ((one, _held), (other, _also)) = (self.picture(true)?, other.picture(true)?);
        compare(&one, &other)
    }

    /// Returns what `other` differs in, as [`Graph::diff`], where both were recorded by one function. The memory that their own nodes
    /// allocate lies elsewhere in each, and is known by its place among the memory that they use.
    ///
    /// # Errors
    /// As [`Graph::diff`].
    pub(crate) fn diff_of_recordings(&self, other: &Graph) -> Result<String> {
        let ((mut one, _held), (mut other, _also)) = (self.picture(true)?, other.picture(true)?);
        for picture in [&mut one, &mut other] {
            for (place, memory) in picture.memory.iter_mut().enumerate() {
                if memory.kind == MemoryKind::Allocation {
                    memory.address = place as u64;
                }
            }
        }
        compare(&one, &other)
    }
}

/// A difference to be told.
type Lines = Vec<String>;

pub(crate) fn compare(one: &Picture, other: &Picture) -> Result<String> {
    let (one, other) = (OrderedGraph::new(one, &one.graph)?, OrderedGraph::new(other, &other.graph)?);
    let mut lines = found(&one, &other, Way::OfUpdates)?;
    if !lines.is_empty() {
        let by_work = found(&one, &other, Way::ByWork)?;
        if by_work.len() < lines.len() {
            lines = by_work;
        }
    }
    let names = (&one.picture.name, &other.picture.name);
    Text::of(|text| {
        if names.0 != names.1 {
            writeln!(text, "~ graph: name {:?} -> {:?}", or_empty(names.0), or_empty(names.1))?;
        }
        lines.iter().try_for_each(|line| writeln!(text, "{line}"))
    })
}

/// The differences between nodes and edges where nodes are paired in that way.
fn found(one: &OrderedGraph<'_>, other: &OrderedGraph<'_>, way: Way) -> Result<Lines> {
    let mut comparison = GraphComparison { way, lines: Lines::new() };
    comparison.graphs(one, other, "")?;
    Ok(comparison.lines)
}

fn or_empty(name: &Option<String>) -> &str {
    name.as_deref().unwrap_or_default()
}

/// Findings about two graphs whose nodes are paired in one way.
struct GraphComparison {
    way: Way,
    lines: Lines,
}

impl GraphComparison {
    fn graphs(&mut self, one: &OrderedGraph<'_>, other: &OrderedGraph<'_>, within: &str) -> Result<()> {
        let pairs = pairs(one, other, self.way)?;
        let mut paired = vec![false; other.graph.nodes.len()];
        for (node, pair) in pairs.iter().enumerate() {
            match *pair {
                Some(pair) => {
                    paired[pair] = true;
                    self.nodes((one, node), (other, pair), within)?;
                }
                None => self.lines.push(format!("- {within}node {node}: {}", one.label(node))),
            }
        }
        for (node, _) in paired.iter().enumerate().filter(|(_, paired)| !**paired) {
            self.lines.push(format!("+ {within}node {node}: {}", other.label(node)));
        }
        compare_edges((one, &pairs), other, within, &mut self.lines);
        Ok(())
    }

    fn nodes(
        &mut self,
        (one, number): (&OrderedGraph<'_>, usize),
        (other, other_number): (&OrderedGraph<'_>, usize),
        within: &str,
    ) -> Result<()> {
        let (node, other_node) = (one.node(number), other.node(other_number));
        let label = match number == other_number {
            true => format!("{within}node {number}"),
            false => format!("{within}node {number} / {other_number}"),
        };
        if !compare_works((one.picture, node), (other.picture, other_node), &label, &mut self.lines) {
            return Ok(());
        }
        for (index, (graph, other_graph)) in node.graphs().iter().zip(other_node.graphs()).enumerate() {
            let within = match &node.work {
                WorkPicture::Conditional { .. } => format!("{label}, body {index}, "),
                _ => format!("{label}, "),
            };
            let (one, other) = (OrderedGraph::new(one.picture, graph)?, OrderedGraph::new(other.picture, other_graph)?);
            self.graphs(&one, &other, &within)?;
        }
        Ok(())
    }
}

/// Of edges of both graphs: those between nodes of pairs, and those of nodes that one graph alone has.
fn compare_edges(
    (one, pairs): (&OrderedGraph<'_>, &[Option<usize>]),
    other: &OrderedGraph<'_>,
    within: &str,
    lines: &mut Lines,
) {
    let there: HashMap<(usize, usize), EdgeData> =
        other.edges.iter().map(|edge| ((edge.from, edge.to), edge.carries)).collect();
    let mut common = HashSet::new();
    for &Edge { from, to, carries } in &one.edges {
        let paired = pairs[from].zip(pairs[to]);
        match paired.and_then(|paired| there.get_key_value(&paired)) {
            Some((&paired, &other_carries)) => {
                common.insert(paired);
                if carries != other_carries {
                    let (before, after) = (carried_text(carries), carried_text(other_carries));
                    lines.push(format!("~ {within}edge {from} -> {to}: carries {before} -> {after}"));
                }
            }
            None => lines.push(format!("- {within}edge {from} -> {to}")),
        }
    }
    for &Edge { from, to, .. } in &other.edges {
        if !common.contains(&(from, to)) {
            lines.push(format!("+ {within}edge {from} -> {to}"));
        }
    }
}

fn carried_text(carries: EdgeData) -> String {
    match carries.is_none() {
        true => "nothing".into(),
        false => picture::edge_label(carries),
    }
}

/// Compares what two nodes do, without the graphs within them. Whether they are of one kind.
fn compare_works(
    (one, node): (&Picture, &NodePicture),
    (other, other_node): (&Picture, &NodePicture),
    label: &str,
    lines: &mut Lines,
) -> bool {
    let mut differ = |what: &str, before: &dyn fmt::Display, after: &dyn fmt::Display| {
        lines.push(format!("~ {label}: {what} {before} -> {after}"));
    };
    if node.name != other_node.name {
        differ("name", &format_args!("{:?}", or_empty(&node.name)), &format_args!("{:?}", or_empty(&other_node.name)));
    }
    if node.kind_name() != other_node.kind_name() {
        differ("kind", &node.kind_name(), &other_node.kind_name());
        return false;
    }
    let mut after: HashMap<_, Fact<'_>> =
        other.facts(other_node).into_iter().map(|fact| (fact.what.clone(), fact)).collect();
    for Fact { what, text, bytes } in one.facts(node) {
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
    true
}

#[cfg(test)]
#[path = "diff_tests.rs"]
mod tests;
