//! A graph as Graphviz text, made for people: what runs, in which order, what runs side by side.

use std::collections::HashMap;
use std::fmt::{self, Write};

use crate::driver::{
    Driver, GraphRef, Launch, Memcpy, MemcpyKind, MemcpyRows, Memset, NodeId, NodeKind, ValueOperation, Work,
};
use crate::error::Result;
use crate::room;

/// How much a DOT text tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DotFlags {
    /// Whether nodes show their parameters.
    pub verbose: bool,
}

/// A node, as a person would want to see it.
struct Described {
    kind: NodeKind,
    /// The kernel's name; empty for other kinds.
    name: String,
    /// Its parameters in words.
    detail: String,
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

/// Writes `graph` with one line per node, `n0` the first that was made, and one line per edge.
///
/// # Errors
/// `OUT_OF_MEMORY`; what the driver answers that is asked about the graph.
pub(super) fn export(driver: &dyn Driver, graph: GraphRef, flags: DotFlags) -> Result<String> {
    let parts = driver.graph_nodes(graph)?;
    let mut nodes = room::list(parts.nodes.len())?;
    for &node in &parts.nodes {
        driver.node_work(graph, node, &mut |work| nodes.push(describe(work)))?;
    }
    let mut places = HashMap::new();
    places.try_reserve(parts.nodes.len()).map_err(|_| room::missing())?;
    places.extend(parts.nodes.iter().enumerate().map(|(place, &node)| (node, place)));
    let place = |node: NodeId| places.get(&node).copied();
    let mut edges = room::list(parts.edges.len())?;
    edges.extend(parts.edges.iter().filter_map(|&(from, to)| Some((place(from)?, place(to)?))));
    edges.sort_unstable();
    write(&nodes, &edges, flags)
}

fn write(nodes: &[Described], edges: &[(usize, usize)], flags: DotFlags) -> Result<String> {
    let mut text = Text::default();
    // Nothing else can fail.
    write_to(&mut text, nodes, edges, flags).map_err(|_| room::missing())?;
    Ok(text.0)
}

fn write_to(text: &mut Text, nodes: &[Described], edges: &[(usize, usize)], flags: DotFlags) -> fmt::Result {
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

/// Work in words.
fn describe(work: &Work<'_>) -> Described {
    let (name, detail) = match work {
        Work::Kernel(launch) => (launch.name.to_owned(), describe_launch(launch)),
        Work::Memcpy { rows, .. } => (String::new(), describe_copy(rows)),
        Work::Memset(set) => (String::new(), describe_set(set)),
        Work::Values(operations) => (String::new(), describe_values(operations)),
        Work::MemAlloc(made) => (String::new(), format!("{} bytes at {:#x}", made.bytes, made.address)),
        Work::MemFree(address) => (String::new(), format!("at {address:#x}")),
        Work::Empty
        | Work::Host(_)
        | Work::EventRecord(_)
        | Work::EventWait(_)
        | Work::Child(_)
        | Work::Conditional(_)
        | Work::Opaque(_) => Default::default(),
    };
    Described { kind: work.kind(), name, detail }
}

fn describe_launch(launch: &Launch<'_>) -> String {
    let ([gx, gy, gz], [bx, by, bz]) = (launch.shape.grid, launch.shape.block);
    format!("grid {gx}x{gy}x{gz}, block {bx}x{by}x{bz}, {} bytes shared", launch.shape.shared_mem_bytes)
}

fn describe_copy(rows: &MemcpyRows) -> String {
    let Memcpy { source, destination, bytes, kind } = rows.row;
    let way = match kind {
        MemcpyKind::HostToDevice => "host to device",
        MemcpyKind::DeviceToHost => "device to host",
        MemcpyKind::HostToHost => "host to host",
        MemcpyKind::DeviceToDevice | MemcpyKind::BetweenContexts => "device to device",
    };
    let extent = match (rows.height, rows.depth) {
        (1, 1) => format!("{bytes} bytes"),
        (height, 1) => format!("{bytes} bytes x {height}"),
        (height, depth) => format!("{bytes} bytes x {height} x {depth}"),
    };
    format!("{way}, {extent}, {source:#x} to {destination:#x}")
}

fn describe_set(set: &Memset) -> String {
    let Memset { address, value, element_size, count, rows, .. } = set;
    let rows = if *rows > 1 { format!(" x {rows}") } else { String::new() };
    format!("{count}{rows} x {element_size} bytes at {address:#x} to {value:#x}")
}

/// As many operations as a person would read.
fn describe_values(operations: &[ValueOperation]) -> String {
    const SHOWN: usize = 8;
    let mut text = operations.iter().take(SHOWN).map(ToString::to_string).collect::<Vec<_>>().join("\n");
    if operations.len() > SHOWN {
        let _ = write!(text, "\nand {} more", operations.len() - SHOWN);
    }
    text
}

/// What to call a node, and its shape and colours.
fn appearance(node: &Described) -> (&str, &'static str) {
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

    fn node(kind: NodeKind, name: &str, detail: &str) -> Described {
        Described { kind, name: name.into(), detail: detail.into() }
    }

    #[test]
    fn nodes_and_edges_keep_their_order() {
        let kinds = [NodeKind::Memset, NodeKind::Kernel, NodeKind::Memcpy, NodeKind::Host];
        let nodes: Vec<_> = kinds.iter().map(|&kind| node(kind, "", "")).collect();
        let text = write(&nodes, &[(0, 1), (0, 2), (1, 3), (2, 3)], DotFlags::default()).unwrap();
        let lines: Vec<_> = text.lines().map(str::trim).filter(|line| line.starts_with('n')).collect();
        for (index, label) in ["memset", "kernel", "memcpy", "host function"].iter().enumerate() {
            assert!(
                lines[index + 1].starts_with(&format!("n{index} [label=\"{label}\", shape=")),
                "{}",
                lines[index + 1]
            );
        }
        assert_eq!(lines[5..], ["n0 -> n1;", "n0 -> n2;", "n1 -> n3;", "n2 -> n3;"]);
    }

    #[test]
    fn verbose_adds_the_parameters_and_labels_are_escaped() {
        let nodes = [node(NodeKind::Kernel, "a\"b\\c\0", "grid 1\nend\"")];
        let plain = write(&nodes, &[], DotFlags { verbose: false }).unwrap();
        assert!(plain.contains(r#"n0 [label="a\"b\\c\\x00", shape=box"#), "{plain}");
        let verbose = write(&nodes, &[], DotFlags { verbose: true }).unwrap();
        assert!(verbose.contains(r#"[label="a\"b\\c\\x00\ngrid 1\nend\"", shape=box"#), "{verbose}");
    }

    #[test]
    fn work_is_told_in_words() {
        let row = Memcpy { destination: 0x20, source: 0x10, bytes: 8, kind: MemcpyKind::HostToDevice };
        let steps = crate::driver::Steps { row: 16, slice: 0 };
        let rows = MemcpyRows { row, height: 3, depth: 1, destination: steps, source: steps };
        let set = Memset { address: 0x40, value: 0xff, element_size: 4, count: 5, rows: 2, pitch: 32 };
        let detail = |work: &Work<'_>| describe(work).detail;
        let copied = |rows| detail(&Work::Memcpy { rows, snapshot: None });
        assert_eq!(copied(MemcpyRows::one(row)), "host to device, 8 bytes, 0x10 to 0x20");
        assert_eq!(copied(rows), "host to device, 8 bytes x 3, 0x10 to 0x20");
        assert_eq!(copied(MemcpyRows { depth: 4, ..rows }), "host to device, 8 bytes x 3 x 4, 0x10 to 0x20");
        assert_eq!(detail(&Work::Memset(set)), "5 x 2 x 4 bytes at 0x40 to 0xff");
        let write = ValueOperation {
            address: 0x80,
            value: crate::driver::Value::U32(1),
            action: crate::driver::ValueAction::Write { barrier: true },
        };
        assert!(detail(&Work::Values(&[write; 9])).ends_with("write 0x1, 32 bits at 0x80\nand 1 more"));
    }

    #[test]
    fn an_empty_graph_is_a_valid_text() {
        let text = write(&[], &[], DotFlags::default()).unwrap();
        assert!(text.starts_with("digraph graph_capture {\n") && text.ends_with("}\n"));
        assert!(!text.contains("n0"));
    }
}
