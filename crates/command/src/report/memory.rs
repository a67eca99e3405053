//! The memory of a graph, and the nodes that use it.

use std::fmt::Write;

use graphcap_core::{ToldGraph, ToldMemory};

use super::draw::number_within;
use super::markup::{bytes, escaped};

/// Most nodes that are named of one memory.
const MOST_USES: usize = 24;

/// Returns the table of the memory.
pub(super) fn html(memory: &[ToldMemory], told: &ToldGraph) -> String {
    if memory.is_empty() {
        return "<p>The nodes use no memory.</p>\n".into();
    }
    let mut users = vec![Vec::new(); memory.len()];
    collect(told, "", &mut users);
    let mut sums: Vec<(&str, usize, usize)> = Vec::new();
    for one in memory {
        let more = one.bytes.unwrap_or(0);
        match sums.iter_mut().find(|(kind, ..)| *kind == one.kind) {
            Some((_, count, sum)) => (*count, *sum) = (*count + 1, sum.saturating_add(more)),
            None => sums.push((one.kind, 1, more)),
        }
    }
    let sums: Vec<_> = sums.iter().map(|(kind, count, sum)| format!("{kind}: {count}, {}", bytes(*sum))).collect();
    let mut out = format!(
        "<p>{}.</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Memory\"><table class=\"sortable\">\n\
         <thead><tr><th scope=\"col\">Memory</th><th scope=\"col\">Kind</th><th scope=\"col\">Bytes</th><th scope=\"col\">Used by nodes</th></tr></thead>\n<tbody>\n",
        sums.join("; ")
    );
    for (one, users) in memory.iter().zip(&users) {
        let size = one.bytes.map_or_else(|| "unknown".to_owned(), |bytes| bytes.to_string());
        let _ = write!(
            out,
            "<tr><th scope=\"row\">{}</th><td class=\"text\">{}</td><td>{size}</td><td class=\"text\">",
            escaped(&one.name),
            one.kind
        );
        for (node, how) in users.iter().take(MOST_USES) {
            let _ = write!(out, "<span><a href=\"#graph\" data-go=\"{node}\">{node}</a> {how}</span> ");
        }
        if users.len() > MOST_USES {
            let _ = write!(out, "and {} more", users.len() - MOST_USES);
        }
        out.push_str("</td></tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    out
}

/// Adds the uses of a graph whose nodes have `prefix` before their numbers.
fn collect(graph: &ToldGraph, prefix: &str, users: &mut [Vec<(String, &'static str)>]) {
    for (number, node) in graph.nodes.iter().enumerate() {
        let id = format!("{prefix}{number}");
        for (index, &(memory, how)) in node.uses.iter().enumerate() {
            let is_told = node.uses.iter().take(index).any(|before| *before == (memory, how));
            if let Some(users) = users.get_mut(memory).filter(|_| !is_told) {
                users.push((id.clone(), how));
            }
        }
        for (body, within) in node.graphs.iter().enumerate() {
            collect(within, &number_within(&id, body), users);
        }
    }
}
