//! The page around the parts of a report.

use std::fmt::Write;

use super::draw::Drawing;
use super::kernels::Kernels;
use super::{Subject, MOST_AT_ONCE, SCRIPT, STYLE};

/// Room for what a click tells.
pub(super) const DETAILS: &str =
    "<div id=\"details\" aria-live=\"polite\"><p>Point at a node to see its name, click it to see more.</p></div>\n";
/// Most characters of a value.
const LONGEST: usize = 400;

/// Returns text for HTML, also within quotes. Control characters are shown by number, and what is long is cut.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (index, character) in text.chars().enumerate() {
        if index == LONGEST {
            out.push('…');
            break;
        }
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            control if control.is_control() => out.extend(control.escape_default()),
            other => out.push(other),
        }
    }
    out
}

/// Returns bytes in the unit in which they are read most easily.
pub(super) fn bytes(count: usize) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    let (mut value, mut unit) = (count as f64, None);
    for next in UNITS {
        if value < 1024.0 {
            break;
        }
        (value, unit) = (value / 1024.0, Some(next));
    }
    unit.map_or_else(|| format!("{count} B"), |unit| format!("{value:.1} {unit}"))
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
