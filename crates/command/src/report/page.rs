//! The page around the parts of a report.

use std::fmt::Write;

use super::draw::Drawing;
use super::kernels::Kernels;
use super::markup::escaped;
use graphcap_core::SavedGraph;
use graphcap_observe::read::TraceFile;

/// Room for what a click tells.
pub(super) const DETAILS: &str =
    "<div id=\"details\" aria-live=\"polite\"><p>Point at a node to see its name, click it to see more.</p></div>\n";
/// Most nodes of a graph that is shown first with all of them; larger ones are shown by kernels first.
const MOST_AT_ONCE: usize = 2000;

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// Files that a report is about, each with its name.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// A saved graph.
    pub graph: Option<(&'a str, &'a SavedGraph)>,
    /// A trace.
    pub trace: Option<(&'a str, &'a TraceFile)>,
}

/// Returns the section of the graph: its pictures, of which one is shown at a time, and room for what a click tells.
pub(super) fn graph(drawing: &Drawing, optimized: Option<&Drawing>, kernels: &Kernels) -> Result<String, String> {
    let collapsed = (drawing.node_count() > MOST_AT_ONCE).then(|| drawing.by_kernel(kernels)).transpose()?;
    let views = [
        collapsed.as_ref().map(|drawing| ("By kernel", drawing)),
        Some(("All nodes", drawing)),
        optimized.map(|drawing| ("Optimized", drawing)),
    ];
    let views: Vec<_> = views.into_iter().flatten().collect();
    let mut out = String::from("<div class=\"panes\">\n");
    for (index, (title, _)) in views.iter().enumerate() {
        let checked = if index == 0 { " checked" } else { "" };
        let hidden = if views.len() == 1 { " hidden" } else { "" };
        let _ = writeln!(
            out,
            "<input type=\"radio\" name=\"view\" id=\"view-{index}\"{checked}{hidden}><label for=\"view-{index}\"{hidden}>{title}</label>"
        );
    }
    out.push_str(
        "<div class=\"tools\" hidden><label>Find <input type=\"search\" id=\"find\" placeholder=\"name or number\"></label>\
         <button type=\"button\" data-zoom=\"in\" title=\"Zoom in\">+</button><button type=\"button\" data-zoom=\"out\" title=\"Zoom out\">−</button>\
         <button type=\"button\" data-zoom=\"fit\">Fit</button></div>\n<div class=\"views\">\n",
    );
    for (index, (title, drawing)) in views.iter().enumerate() {
        let _ = writeln!(
            out,
            "<div class=\"view view-{index}\" tabindex=\"0\" role=\"group\" aria-label=\"Graph: {title}\">{}</div>",
            drawing.svg(title)
        );
    }
    out.push_str("</div>\n");
    out.push_str(DETAILS);
    out.push_str("</div>\n");
    Ok(out)
}

/// Returns the whole page.
pub(super) fn whole(subject: Subject<'_>, facts: &[String], sections: &[(&str, &str)], body: &str) -> String {
    let graph = subject.graph.map(|(file, graph)| (file, graph.name()));
    let name = graph.map(|(file, name)| name.unwrap_or(file)).or(subject.trace.map(|(file, _)| file));
    let name = escaped(name.unwrap_or_default());
    let files = [subject.graph.map(|(file, _)| file), subject.trace.map(|(file, _)| file)];
    let files: Vec<_> = files.into_iter().flatten().map(|file| format!("<code>{}</code>", escaped(file))).collect();
    let links: String = sections.iter().map(|(id, title)| format!("<a href=\"#{id}\">{title}</a> ")).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{name} – graphcap report</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{name}</h1>\n\
         <p>graphcap {} report of {}: {}</p>\n<nav>{links}</nav>\n</header>\n<main>\n{body}</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION"),
        files.join(" and "),
        facts.join("; "),
    )
}
