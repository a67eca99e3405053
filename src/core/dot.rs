//! A graph as Graphviz text, made for people: what runs, in which order, what runs side by side.

use std::fmt::{self, Write};

use crate::driver::{GraphDescription, NodeDescription, NodeKind};
use crate::error::Result;
use crate::room;

/// How much a DOT text tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DotFlags {
    /// Whether nodes show their parameters.
    pub verbose: bool,
}

/// A text that fails to grow where memory is missing.
#[derive(Default)]
struct Text(String);

impl Write for Text {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        self.0.try_reserve(more.len()).map_err(|_| fmt::Error)?;
        self.0.push_str(more);
        Ok(())
    }
}

/// Writes `graph` with one line per node, `n0` the first that was recorded, and one line per edge.
///
/// # Errors
/// `OUT_OF_MEMORY`.
pub(super) fn write(graph: &GraphDescription, flags: DotFlags) -> Result<String> {
    let mut edges = room::list(graph.edges.len())?;
    edges.extend_from_slice(&graph.edges);
    edges.sort_unstable();
    let mut text = Text::default();
    // Nothing else can fail.
    write_to(&mut text, &graph.nodes, &edges, flags).map_err(|_| room::missing())?;
    Ok(text.0)
}

fn write_to(text: &mut Text, nodes: &[NodeDescription], edges: &[(usize, usize)], flags: DotFlags) -> fmt::Result {
    text.write_str(
        "digraph graph_capture {\n  rankdir=TB;\n  node [style=filled, fontname=\"Helvetica\", fontsize=11];\n  \
         edge [color=\"#555555\", arrowsize=0.7];\n",
    )?;
    for (index, node) in nodes.iter().enumerate() {
        let (title, look) = appearance(node);
        write!(text, "  n{index} [label=\"")?;
        escape(text, title)?;
        if flags.verbose && !node.detail.is_empty() {
            text.write_str("\\n")?;
            escape(text, &node.detail)?;
        }
        writeln!(text, "\", {look}];")?;
    }
    for (from, to) in edges {
        writeln!(text, "  n{from} -> n{to};")?;
    }
    text.write_str("}\n")
}

/// What to call a node, and its shape and colours.
fn appearance(node: &NodeDescription) -> (&str, &'static str) {
    match node.kind {
        NodeKind::Kernel if !node.name.is_empty() => {
            (&node.name, "shape=box, fillcolor=\"#cfe8cf\", color=\"#3d7a3d\"")
        }
        NodeKind::Kernel => ("kernel", "shape=box, fillcolor=\"#cfe8cf\", color=\"#3d7a3d\""),
        NodeKind::Memcpy => ("memcpy", "shape=cds, fillcolor=\"#cfe0f5\", color=\"#33689e\""),
        NodeKind::Memset => ("memset", "shape=note, fillcolor=\"#e4d7f2\", color=\"#6a4a94\""),
        NodeKind::Host => ("host function", "shape=ellipse, fillcolor=\"#fbe3c0\", color=\"#a8701a\""),
        NodeKind::Empty => ("empty", "shape=point, color=\"#555555\""),
        NodeKind::Child => ("child graph", "shape=box3d, fillcolor=\"#eeeeee\", color=\"#555555\""),
        NodeKind::EventWait => ("event wait", "shape=diamond, fillcolor=\"#f9d5d5\", color=\"#a33c3c\""),
        NodeKind::EventRecord => ("event record", "shape=diamond, fillcolor=\"#f9d5d5\", color=\"#a33c3c\""),
        NodeKind::MemAlloc => ("allocation", "shape=house, fillcolor=\"#d5eef0\", color=\"#2f7f87\""),
        NodeKind::MemFree => ("free", "shape=invhouse, fillcolor=\"#d5eef0\", color=\"#2f7f87\""),
        NodeKind::BatchMemOp => ("value operations", "shape=note, fillcolor=\"#e4d7f2\", color=\"#6a4a94\""),
        NodeKind::Conditional => ("conditional", "shape=diamond, fillcolor=\"#eeeeee\", color=\"#555555\""),
        NodeKind::Other => ("other", "shape=box, fillcolor=\"#eeeeee\", color=\"#555555\""),
    }
}

/// Appends `from` as the inside of a quoted DOT string. Line breaks become centred lines; other control
/// characters are shown by number.
fn escape(text: &mut Text, from: &str) -> fmt::Result {
    for character in from.chars() {
        match character {
            '"' => text.write_str("\\\"")?,
            '\\' => text.write_str("\\\\")?,
            '\n' => text.write_str("\\n")?,
            control if control.is_control() => write!(text, "\\\\x{:02x}", u32::from(control))?,
            other => text.write_char(other)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(kind: NodeKind, name: &str, detail: &str) -> NodeDescription {
        NodeDescription { kind, name: name.into(), detail: detail.into() }
    }

    #[test]
    fn nodes_keep_their_order_and_edges_are_sorted() {
        let kinds = [NodeKind::Memset, NodeKind::Kernel, NodeKind::Memcpy, NodeKind::Host];
        let graph = GraphDescription {
            nodes: kinds.iter().map(|&kind| node(kind, "", "")).collect(),
            edges: vec![(2, 3), (0, 2), (0, 1), (1, 3)],
        };
        let text = write(&graph, DotFlags::default()).unwrap();
        let lines: Vec<_> = text.lines().map(str::trim).filter(|line| line.starts_with('n')).collect();
        for (index, label) in ["memset", "kernel", "memcpy", "host function"].iter().enumerate() {
            assert!(
                lines[index + 1].starts_with(&format!("n{index} [label=\"{label}\", shape=")),
                "{}",
                lines[index + 1]
            );
        }
        assert_eq!(lines[5..], ["n0 -> n1;", "n0 -> n2;", "n1 -> n3;", "n2 -> n3;"]);
        let mut shuffled = graph.clone();
        shuffled.edges.reverse();
        assert_eq!(write(&shuffled, DotFlags::default()).unwrap(), text);
    }

    #[test]
    fn verbose_adds_the_parameters_and_labels_are_escaped() {
        let graph =
            GraphDescription { nodes: vec![node(NodeKind::Kernel, "a\"b\\c\0", "grid 1\nend\"")], edges: vec![] };
        let plain = write(&graph, DotFlags { verbose: false }).unwrap();
        assert!(plain.contains(r#"n0 [label="a\"b\\c\\x00", shape=box"#), "{plain}");
        let verbose = write(&graph, DotFlags { verbose: true }).unwrap();
        assert!(verbose.contains(r#"[label="a\"b\\c\\x00\ngrid 1\nend\"", shape=box"#), "{verbose}");
    }

    #[test]
    fn an_empty_graph_is_a_valid_text() {
        let text = write(&GraphDescription::default(), DotFlags::default()).unwrap();
        assert!(text.starts_with("digraph graph_capture {\n") && text.ends_with("}\n"));
        assert!(!text.contains("n0"));
    }
}
