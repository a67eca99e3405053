//! A saved graph and a trace as one HTML page, which asks nothing of elsewhere.

mod bars;
mod draw;
mod kernels;
mod layout;
mod markup;
mod memory;
mod optimizer;
mod page;
mod pairing;

use bars::Bars;
use draw::Drawing;
use kernels::Kernels;

pub use page::Subject;

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
    let asked = subject.graph.zip(told.as_ref()).map(|((_, graph), told)| optimizer::ask(graph, told.nodes.len()));
    if let Some(told) = &told {
        let drawing = Drawing::of(told, &mut kernels)?;
        drawing.count(&mut kernels);
        let optimized = asked.as_ref().and_then(|asked| asked.optimized.as_ref());
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
