//! Pictures of graphs as SVG, of the recorded graph and of the optimized one alike.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use graphcap_core::{ToldGraph, ToldNode};

use super::kernels::Kernels;
use super::layout::{lay_out, Layout, Way};
use super::markup::escaped;

/// Size of a node and the gaps between nodes, in pixels.
const WIDTH: usize = 168;
const HEIGHT: usize = 36;
const GAP_X: usize = 28;
const GAP_Y: usize = 34;
/// Distance between graphs within nodes, of which one has a heading.
const AROUND: usize = 28;
/// Width to which graphs within nodes stand beside each other.
const ROW: usize = 1400;
/// Letters that a node has room for in a line.
const LETTERS: usize = 23;

/// A picture.
#[derive(Default)]
pub(super) struct Drawing {
    nodes: Vec<Drawn>,
    edges: Vec<Line>,
    frames: Vec<Frame>,
    size: (usize, usize),
}

/// Node of a picture.
struct Drawn {
    id: String,
    at: (usize, usize),
    kernel: usize,
    kind: String,
    label: String,
    below: String,
    /// Lines of what it does.
    title: String,
}

/// Line of a picture.
struct Line {
    from: String,
    to: String,
    path: String,
    class: &'static str,
}

/// Frame around a graph within a node.
struct Frame {
    at: (usize, usize),
    size: (usize, usize),
    title: String,
}

/// Returns what stands before the numbers of the nodes of a graph within a node.
pub(super) fn number_within(node: &str, body: usize) -> String {
    format!("{node}.{body}.")
}

impl Drawing {
    /// Draws a graph.
    ///
    /// # Errors
    /// Where its edges form a cycle.
    pub(super) fn of(graph: &ToldGraph, kernels: &mut Kernels) -> Result<Drawing, String> {
        let mut drawing = Drawing::default();
        drawing.size = drawing.add(graph, "", (GAP_X, GAP_Y), kernels)?;
        drawing.size.0 += 2 * GAP_X;
        drawing.size.1 += 2 * GAP_Y;
        Ok(drawing)
    }

    /// Adds its nodes to those of their kernels.
    pub(super) fn count(&self, kernels: &mut Kernels) {
        for node in &self.nodes {
            if let Some(row) = kernels.rows.get_mut(node.kernel) {
                row.nodes += 1;
            }
        }
    }

    pub(super) fn node_count(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn edge_count(&self) -> usize {
        self.edges.iter().filter(|edge| edge.class.is_empty()).count()
    }

    /// Adds a graph whose upper left corner is at `origin`, and those within below it. Returns their size.
    fn add(
        &mut self,
        graph: &ToldGraph,
        prefix: &str,
        origin: (usize, usize),
        kernels: &mut Kernels,
    ) -> Result<(usize, usize), String> {
        let ends: Vec<_> = graph.edges.iter().map(|&(from, to, _)| (from, to)).collect();
        let layout = lay_out(graph.nodes.len(), &ends).ok_or("the edges of the graph form a cycle")?;
        let at = |node: usize| position(&layout, node, origin);
        for (number, node) in graph.nodes.iter().enumerate() {
            let kernel = kernels.number(&node.title, node.kind == "kernel");
            self.nodes.push(Drawn::of(format!("{prefix}{number}"), at(number), kernel, node));
        }
        for &(from, to) in &ends {
            let (from_id, to_id) = (format!("{prefix}{from}"), format!("{prefix}{to}"));
            let path = path(at(from), at(to), layout.way(from, to));
            self.edges.push(Line { from: from_id, to: to_id, path, class: "" });
        }
        let (rows, columns) = layout.size;
        let mut size = (columns * (WIDTH + GAP_X), rows * (HEIGHT + GAP_Y));
        let (mut x, mut y, mut row) = (0, size.1, 0);
        for (number, node) in graph.nodes.iter().enumerate() {
            let id = format!("{prefix}{number}");
            for (body, within) in node.graphs.iter().enumerate() {
                let corner = (origin.0 + x, origin.1 + y);
                let inner = (corner.0 + AROUND, corner.1 + 2 * AROUND);
                let (width, height) = self.add(within, &number_within(&id, body), inner, kernels)?;
                let outer = (width.max(WIDTH) + AROUND, height + 2 * AROUND);
                let title = format!(
                    "node {id}{}",
                    if node.graphs.len() > 1 { format!(", body {body}") } else { String::new() }
                );
                self.frames.push(Frame { at: corner, size: outer, title });
                size = (size.0.max(x + outer.0), size.1.max(y + outer.1));
                row = row.max(outer.1);
                x += outer.0 + AROUND;
                if x > ROW.max(columns * (WIDTH + GAP_X)) {
                    (x, y, row) = (0, y + row + AROUND, 0);
                }
            }
        }
        Ok(size)
    }

    /// Returns the picture with a node for each kernel, and a line where an edge leads from one to another.
    ///
    /// # Errors
    /// None where the graph itself has no cycle; lines that lead back have no say in the layout.
    pub(super) fn by_kernel(&self, kernels: &Kernels) -> Result<Drawing, String> {
        let mut places: HashMap<usize, usize> = HashMap::new();
        let mut of_node: HashMap<&str, usize> = HashMap::new();
        let mut order: Vec<&Drawn> = self.nodes.iter().collect();
        order.sort_by_key(|node| node.at.1);
        let mut drawing = Drawing::default();
        for node in order {
            let next = places.len();
            let place = *places.entry(node.kernel).or_insert(next);
            of_node.insert(&node.id, place);
            if place == next {
                let row = kernels.rows.get(node.kernel);
                let (name, nodes) = row.map_or((String::new(), 0), |row| (row.name.clone(), row.nodes));
                drawing.nodes.push(Drawn {
                    id: format!("k{}", node.kernel),
                    at: (0, 0),
                    title: format!("{name}\nnodes: {nodes}"),
                    below: format!("{nodes} nodes"),
                    label: name.clone(),
                    kind: node.kind.clone(),
                    kernel: node.kernel,
                });
            }
        }
        let mut counts: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for edge in self.edges.iter().filter(|edge| edge.class.is_empty()) {
            if let (Some(&from), Some(&to)) = (of_node.get(&*edge.from), of_node.get(&*edge.to)) {
                *counts.entry((from, to)).or_default() += 1;
            }
        }
        let down: Vec<_> = counts.keys().copied().filter(|(from, to)| from < to).collect();
        let layout = lay_out(drawing.nodes.len(), &down).ok_or("the edges of the kernels form a cycle")?;
        let origin = (2 * GAP_X, GAP_Y);
        let at = |node: usize| position(&layout, node, origin);
        for (index, node) in drawing.nodes.iter_mut().enumerate() {
            node.at = at(index);
        }
        let names: Vec<_> = drawing.nodes.iter().map(|node| (node.id.clone(), node.label.clone())).collect();
        for (&(from, to), count) in counts.iter().filter(|((from, to), _)| from != to) {
            let is_down = from < to;
            let (way, class) = if is_down { (layout.way(from, to), "") } else { (Way::Beside, "back") };
            let (Some((from_id, _)), Some((to_id, label))) = (names.get(from), names.get(to)) else { continue };
            let path = path(at(from), at(to), way);
            drawing.edges.push(Line { from: from_id.clone(), to: to_id.clone(), path, class });
            if let Some(node) = drawing.nodes.get_mut(from) {
                let _ = write!(node.title, "\nedges to {label}: {count}");
            }
        }
        drawing.size = (layout.size.1 * (WIDTH + GAP_X) + 4 * GAP_X, layout.size.0 * (HEIGHT + GAP_Y) + 2 * GAP_Y);
        Ok(drawing)
    }

    /// Returns the picture as SVG. The nodes of a kernel stand together.
    pub(super) fn svg(&self, title: &str) -> String {
        let (width, height) = self.size;
        let mut out = format!(
            "<svg class=\"graph\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"{title}\">\n"
        );
        for Frame { at: (x, y), size: (width, height), title } in &self.frames {
            let (text_x, text_y) = (x + 10, y + 18);
            let _ = writeln!(
                out,
                "<rect class=\"frame\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>\
                 <text class=\"heading\" x=\"{text_x}\" y=\"{text_y}\">{title}</text>"
            );
        }
        out.push_str("<g class=\"edges\">\n");
        for Line { from, to, path, class } in &self.edges {
            let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
            let _ = writeln!(out, "<path data-f=\"{from}\" data-t=\"{to}\"{class} d=\"{path}\"/>");
        }
        out.push_str("</g>\n");
        let mut groups: BTreeMap<usize, Vec<&Drawn>> = BTreeMap::new();
        self.nodes.iter().for_each(|node| groups.entry(node.kernel).or_default().push(node));
        for (kernel, nodes) in groups {
            let kind = nodes.first().map_or("", |node| &node.kind);
            let _ = writeln!(out, "<g data-k=\"{kernel}\" class=\"{}\">", class_of(kind));
            nodes.iter().for_each(|node| node.write(&mut out));
            out.push_str("</g>\n");
        }
        out.push_str("</svg>");
        out
    }
}

impl Drawn {
    fn of(id: String, at: (usize, usize), kernel: usize, node: &ToldNode) -> Drawn {
        let label = node.name.as_ref().unwrap_or(&node.title).clone();
        let below = format!("{id}: {}", if node.name.is_some() { &node.title } else { &node.kind });
        let mut title = format!("{id}: {label}");
        let mut tell = |what: &str, text: &str| title.push_str(&format!("\n{what}: {}", text.replace('\n', " ")));
        if let Some(name) = &node.name {
            tell("name", name);
        }
        // Objects by their names come before numbers.
        const OBJECTS: [&str; 7] = ["kernel", "argument", "source", "destination", "memory", "function", "event"];
        let is_object = |what: &str| OBJECTS.iter().any(|object| what.starts_with(object)) && !what.contains("pitch");
        for wanted in [true, false] {
            node.facts.iter().filter(|(what, _)| is_object(what) == wanted).for_each(|(what, text)| tell(what, text));
        }
        tell("kind", &node.kind);
        if let Some(stream) = &node.stream {
            tell("recorded on", stream);
        }
        if !node.graphs.is_empty() {
            tell("graphs within", &node.graphs.len().to_string());
        }
        Drawn { id, at, kernel, kind: node.kind.clone(), label, below, title }
    }

    fn write(&self, out: &mut String) {
        let (x, y) = self.at;
        let title: Vec<_> = self.title.lines().map(escaped).collect();
        let middle = WIDTH / 2;
        let _ = writeln!(
            out,
            "<g data-n=\"{}\" transform=\"translate({x},{y})\"><title>{}</title><rect width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"6\"/>\
             <text x=\"{middle}\" y=\"15\">{}</text><text class=\"below\" x=\"{middle}\" y=\"29\">{}</text></g>",
            self.id,
            title.join("\n"),
            escaped(&shortened(&self.label)),
            escaped(&shortened(&self.below)),
        );
    }
}

/// Returns the class of a kind of node, by which it has its colour.
fn class_of(kind: &str) -> &'static str {
    match kind {
        "kernel" => "n kernel",
        "memcpy" | "memset" => "n copy",
        "host" => "n host",
        _ => "n other",
    }
}

/// Returns a text in the room of a node. Of long names both ends tell them apart.
fn shortened(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= LETTERS {
        return text.to_owned();
    }
    let (first, last) = (LETTERS * 2 / 3, LETTERS / 3 - 1);
    letters.iter().take(first).chain(&['…']).chain(letters.iter().skip(letters.len() - last)).collect()
}

/// Returns the upper left corner of a node.
fn position(layout: &Layout, node: usize, origin: (usize, usize)) -> (usize, usize) {
    let (row, column) = layout.places.get(node).copied().unwrap_or_default();
    (origin.0 + column * (WIDTH + GAP_X), origin.1 + row * (HEIGHT + GAP_Y))
}

/// Returns the path of an edge between the corners of two nodes.
fn path(from: (usize, usize), to: (usize, usize), way: Way) -> String {
    let (x, y) = (from.0 + WIDTH / 2, from.1 + HEIGHT);
    let (to_x, to_y) = (to.0 + WIDTH / 2, to.1);
    // Within a gap of rows, from one column to another.
    let bend = |x: usize, y: usize, to_x: usize| {
        let (middle, end) = (y + GAP_Y / 2, y + GAP_Y);
        format!("C{x},{middle} {to_x},{middle} {to_x},{end}")
    };
    let last_gap = to_y.saturating_sub(GAP_Y);
    match way {
        Way::Straight if x == to_x => format!("M{x},{y}V{to_y}"),
        Way::Straight => format!("M{x},{y}{}", bend(x, y, to_x)),
        Way::AlongFirst => format!("M{x},{y}V{last_gap}{}", bend(x, last_gap, to_x)),
        Way::AlongSecond => format!("M{x},{y}{}V{to_y}", bend(x, y, to_x)),
        Way::Beside => {
            let aside = if from.0 < to.0 { to.0.saturating_sub(GAP_X / 2) } else { to.0 + WIDTH + GAP_X / 2 };
            format!("M{x},{y}{}V{last_gap}{}", bend(x, y, aside), bend(aside, last_gap, to_x))
        }
    }
}
