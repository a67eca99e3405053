//! A graph as Graphviz text, made for people: what runs, in which order, what runs side by side.

use std::fmt::{self, Write};

use super::dot_flags::DotFlags;
use super::picture::{edge_label, Edge, GraphPicture, NodePicture, Picture, WorkPicture};
use super::text::Text;
use graphcap_base::error::Result;
use graphcap_driver::NodeKind;

/// Writes a graph with one line per node, `n0` the first that was made, and one line per edge. The graphs of a node are clusters
/// beside it, whose nodes have its name before theirs.
///
/// # Errors
/// `OUT_OF_MEMORY`.
pub(crate) fn export(picture: &Picture, flags: DotFlags) -> Result<String> {
    Text::of(|text| {
        text.write_str(
            "digraph graph_capture {\n  rankdir=TB;\n  compound=true;\n  \
             node [style=filled, fontname=\"Helvetica\", fontsize=11];\n  \
             edge [color=\"#555555\", arrowsize=0.7, fontname=\"Helvetica\", fontsize=9];\n",
        )?;
        if let Some(name) = &picture.name {
            text.write_str("  label=\"")?;
            escape(text, name)?;
            text.write_str("\"; fontname=\"Helvetica\"; fontsize=13;\n")?;
        }
        Drawing { picture, flags }.graph(text, &picture.graph, "n", 1)?;
        text.write_str("}\n")
    })
}

struct Drawing<'a> {
    picture: &'a Picture,
    flags: DotFlags,
}

impl Drawing<'_> {
    /// Writes a graph whose nodes have `prefix` before their numbers.
    fn graph(&self, text: &mut Text, graph: &GraphPicture, prefix: &str, depth: usize) -> fmt::Result {
        let indent = 2 * depth;
        for (number, node) in graph.nodes.iter().enumerate() {
            write!(text, "{:indent$}{prefix}{number} [label=\"", "")?;
            self.label(text, number, node)?;
            writeln!(text, "\", {}];", appearance(node))?;
        }
        for (number, node) in graph.nodes.iter().enumerate() {
            for (index, within) in node.graphs().iter().enumerate() {
                self.cluster(text, (number, node, index), within, prefix, depth)?;
            }
        }
        for (number, Edge { from, to, carries }) in graph.edges.iter().enumerate() {
            write!(text, "{:indent$}{prefix}{from} -> {prefix}{to}", "")?;
            match (self.flags.shows(DotFlags::EXTRA_TOPO_INFO), carries.is_none()) {
                (false, true) => text.write_str(";\n")?,
                (true, true) => writeln!(text, " [label=\"{number}\"];")?,
                (false, false) => writeln!(text, " [label=\"{}\"];", edge_label(*carries))?,
                (true, false) => writeln!(text, " [label=\"{number}, {}\"];", edge_label(*carries))?,
            }
        }
        Ok(())
    }

    /// Writes one graph of a node, with a line to it from the node.
    fn cluster(
        &self,
        text: &mut Text,
        (number, node, index): (usize, &NodePicture, usize),
        graph: &GraphPicture,
        prefix: &str,
        depth: usize,
    ) -> fmt::Result {
        let indent = 2 * depth;
        let name = format!("{prefix}{number}_{index}");
        writeln!(text, "{:indent$}subgraph cluster_{name} {{", "")?;
        write!(text, "{:indent$}  label=\"{number}", "")?;
        match &node.work {
            WorkPicture::Conditional { .. } => write!(text, ": body {index}")?,
            _ => text.write_str(": graph")?,
        }
        if let Some(of) = &node.name {
            text.write_str(" of ")?;
            escape(text, of)?;
        }
        text.write_str("\"; fontname=\"Helvetica\"; fontsize=11; style=\"rounded,dashed\"; color=\"#888888\";\n")?;
        self.graph(text, graph, &format!("{name}_"), depth + 1)?;
        if graph.nodes.is_empty() {
            writeln!(text, "{:indent$}  {name}_0 [label=\"\", shape=point, style=invis];", "")?;
        }
        writeln!(text, "{:indent$}}}", "")?;
        writeln!(
            text,
            "{:indent$}{prefix}{number} -> {name}_0 [lhead=cluster_{name}, style=dashed, arrowhead=none];",
            ""
        )
    }

    fn label(&self, text: &mut Text, number: usize, node: &NodePicture) -> fmt::Result {
        let title = self.picture.title(node, self.flags);
        write!(text, "{number}: ")?;
        if let Some(name) = &node.name {
            escape(text, name)?;
            text.write_str("\\n")?;
        }
        escape(text, title)?;
        if self.flags.shows(DotFlags::HANDLES) && node.id != 0 {
            write!(text, "\\nnode {:#x}", node.id)?;
        }
        for line in self.picture.lines(node, self.flags) {
            if !line.text.starts_with([',', ' ']) {
                text.write_str("\\n")?;
            }
            escape(text, &line.text)?;
        }
        if let Some(stream) = node.stream.as_deref().filter(|_| self.flags.shows(DotFlags::EXTRA_TOPO_INFO)) {
            text.write_str("\\nrecorded on ")?;
            escape(text, stream)?;
        }
        Ok(())
    }
}

/// The shape and the colours of a node.
fn appearance(node: &NodePicture) -> &'static str {
    match node.kind() {
        NodeKind::Kernel => "shape=box, fillcolor=\"#cfe8cf\", color=\"#3d7a3d\"",
        NodeKind::Memcpy => "shape=cds, margin=\"0.2,0.1\", fillcolor=\"#cfe0f5\", color=\"#33689e\"",
        NodeKind::Memset | NodeKind::BatchMemOp => "shape=note, fillcolor=\"#e4d7f2\", color=\"#6a4a94\"",
        NodeKind::Host => "shape=ellipse, fillcolor=\"#fbe3c0\", color=\"#a8701a\"",
        NodeKind::Empty if node.name.is_none() => "shape=point, color=\"#555555\"",
        NodeKind::Empty => "shape=ellipse, fillcolor=\"#eeeeee\", color=\"#555555\"",
        NodeKind::Child => "shape=box3d, fillcolor=\"#eeeeee\", color=\"#555555\"",
        NodeKind::EventWait | NodeKind::EventRecord => "shape=diamond, fillcolor=\"#f9d5d5\", color=\"#a33c3c\"",
        NodeKind::MemAlloc => "shape=house, fillcolor=\"#d5eef0\", color=\"#2f7f87\"",
        NodeKind::MemFree => "shape=invhouse, fillcolor=\"#d5eef0\", color=\"#2f7f87\"",
        NodeKind::Conditional => "shape=diamond, fillcolor=\"#eeeeee\", color=\"#555555\"",
        NodeKind::Other => "shape=box, fillcolor=\"#eeeeee\", color=\"#555555\"",
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
#[path = "dot_tests.rs"]
mod tests;
