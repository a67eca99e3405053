//! A saved graph and a trace as one HTML page, which asks nothing of elsewhere.

mod bars;
mod draw;
mod kernels;
mod layout;
mod memory;
mod optimizer;
mod page;
mod pairing;

use graphcap_core::SavedGraph;
use graphcap_observe::read::TraceFile;

use bars::Bars;
use draw::Drawing;
use kernels::Kernels;

/// Most nodes of a graph that is shown first with all of them; larger ones are shown by kernels first.
const MOST_AT_ONCE: usize = 2000;

const STYLE: &str = include_str!("report/report.css");
const SCRIPT: &str = include_str!("report/report.js");

/// Files that a report is about, each with its name.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// A saved graph.
    pub graph: Option<(&'a str, &'a SavedGraph)>,
    /// A trace.
    pub trace: Option<(&'a str, &'a TraceFile)>,
}

/// Returns the page.
///
/// # Errors
/// Where the edges of the graph form a cycle.
pub fn html(subject: Subject<'_>) -> Result<String, String> {
    let mut kernels = Kernels::default();
    let (mut body, mut sections) = (String::new(), Vec::new());
    let told = subject.graph.map(|(_, graph)| graph.told());
    let mut add = |id: &'static str, title: &'static str, inside: String| {
        sections.push((id, title));
        body.push_str(&format!("<section id=\"{id}\">\n<h2>{title}</h2>\n{inside}</section>\n"));
    };
    let mut facts = Vec::new();
    let asked = subject.graph.map(|(_, graph)| optimizer::ask(graph));
    if let Some(told) = &told {
        let drawing = Drawing::of(told, &mut kernels)?;
        drawing.count(&mut kernels);
        let optimized = asked.as_ref().and_then(|asked| asked.optimized.as_ref());
        let optimized = optimized.filter(|_| drawing.node_count() <= MOST_AT_ONCE);
        let optimized = optimized.map(|graph| Drawing::of(&graph.told(), &mut kernels)).transpose()?;
        facts.push(format!("{} nodes, {} edges", drawing.node_count(), drawing.edge_count()));
        add("graph", "Graph", page::graph(&drawing, optimized.as_ref(), &kernels)?);
    }
    if let Some((_, trace)) = subject.trace {
        let bars = Bars::of(trace, told.as_ref(), &mut kernels);
        facts.push(format!("{} runs of nodes on {} lanes", bars.count, bars.lanes.len()));
        let details = if told.is_none() { page::DETAILS } else { "" };
        add("timeline", "Timeline", bars.html() + details);
    }
    add("kernels", "Kernels", kernels.html(told.is_some(), subject.trace.is_some()));
    if let (Some((_, graph)), Some(told)) = (subject.graph, &told) {
        add("memory", "Memory", memory::html(&graph.memory(), told));
    }
    if let Some(asked) = &asked {
        add("optimizer", "Optimizer", asked.html());
    }
    Ok(page::whole(subject, &facts, &sections, &body))
}
