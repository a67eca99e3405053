//! Answers of the optimizer about a graph, which is made anew on the host device for it and not replayed.

use graphcap_core::{Graph, SavedGraph};
use graphcap_kit::{optimize, OptimizeOptions};

use super::markup::escaped;

/// Answer of the optimizer.
pub(super) struct Asked {
    /// Its texts, each with a title.
    texts: Vec<(&'static str, String)>,
    /// The graph that the first text is about, where it has other edges.
    pub(super) optimized: Option<SavedGraph>,
}

/// Most nodes of a graph that is asked about, for which the page is made in seconds.
const MOST_ASKED: usize = 2000;

/// Asks about a graph as launches stated what they touch, and, where nodes keep their place, with trust in parameters.
pub(super) fn ask(saved: &SavedGraph, node_count: usize) -> Asked {
    const TITLES: [(&str, bool); 2] =
        [("As launches state what they touch", false), ("With GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS", true)];
    let mut asked = Asked { texts: Vec::new(), optimized: None };
    if node_count > MOST_ASKED {
        let why = format!(
            "The graph has more than {MOST_ASKED} nodes. Ask gc_graph_optimize_text() in the program that makes it."
        );
        asked.texts.push(("Not asked", why));
        return asked;
    }
    let graph = match saved.stand_in() {
        Ok(made) => made.graph,
        Err(error) => {
            let why = format!("The graph cannot be made on the host device: {}", error.message);
            asked.texts.push(("Not asked", why));
            return asked;
        }
    };
    for (title, trusts_parameters) in TITLES {
        let options = OptimizeOptions { trusts_parameters, ..OptimizeOptions::default() };
        let mut is_all_known = false;
        let told = optimize(&graph, &options).and_then(|(optimized, report)| {
            is_all_known = report.barriers.is_empty();
            if report.longest_path.1 < report.longest_path.0 && asked.optimized.is_none() {
                asked.optimized = Some(SavedGraph::read(optimized.export_json()?.as_bytes())?);
            }
            by_numbers(&graph, &report.text(&graph, &options)?)
        });
        let text = told.unwrap_or_else(|error| error.message.to_string());
        if asked.texts.iter().all(|(_, before)| *before != text) {
            asked.texts.push((title, text));
        }
        if is_all_known {
            break;
        }
    }
    asked
}

/// Replaces the numbers of nodes in this process by their places in the graph, which the page shows.
fn by_numbers(graph: &Graph, text: &str) -> graphcap_base::error::Result<String> {
    const BEFORE: &str = "node 0x";
    let places = graph.nodes()?.nodes;
    let mut pieces = text.split(BEFORE);
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find(|digit: char| !digit.is_ascii_hexdigit()).unwrap_or(piece.len());
        let (digits, rest) = piece.split_at(end);
        let id = u64::from_str_radix(digits, 16).ok();
        match places.iter().position(|node| Some(node.0) == id) {
            Some(place) => out.push_str(&format!("node {place}{rest}")),
            None => out.push_str(&format!("{BEFORE}{digits}{rest}")),
        }
    }
    Ok(out)
}

impl Asked {
    /// Returns what it says, for the page.
    pub(super) fn html(&self) -> String {
        let text = |(title, text): &(&str, String)| {
            let lines: Vec<_> = text.lines().map(escaped).collect();
            format!("<h3>{title}</h3>\n<pre tabindex=\"0\">{}</pre>\n", lines.join("\n"))
        };
        self.texts.iter().map(text).collect()
    }
}
