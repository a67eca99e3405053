//! The kernels of a graph and of a trace, with the times that they took.

use std::collections::HashMap;
use std::fmt::Write;

use super::markup::escaped;
use crate::table::micros;

/// Kernels, and kinds of other nodes, by numbers in the order in which they were met.
#[derive(Default)]
pub(super) struct Kernels {
    pub(super) rows: Vec<Kernel>,
    numbers: HashMap<(String, bool), usize>,
}

/// Kernel, or a kind of other nodes.
pub(super) struct Kernel {
    pub(super) name: String,
    /// Number of nodes of the graph.
    pub(super) nodes: usize,
    /// Durations of the runs that ended, in nanoseconds.
    pub(super) durations: Vec<u64>,
}

impl Kernels {
    /// Returns the number of a kernel, or of a kind.
    pub(super) fn number(&mut self, name: &str, is_kernel: bool) -> usize {
        let rows = &mut self.rows;
        *self.numbers.entry((name.to_owned(), is_kernel)).or_insert_with(|| {
            rows.push(Kernel { name: name.to_owned(), nodes: 0, durations: Vec::new() });
            rows.len() - 1
        })
    }

    /// Returns the table: those that took most time first, then those with the most nodes.
    pub(super) fn html(&mut self, has_graph: bool, has_trace: bool) -> String {
        let all: u64 = self.rows.iter().flat_map(|row| &row.durations).sum();
        let mut rows: Vec<_> = self.rows.iter_mut().enumerate().collect();
        let total = |row: &Kernel| row.durations.iter().sum::<u64>();
        rows.sort_by_key(|(_, row)| std::cmp::Reverse((total(row), row.nodes)));
        let columns = [
            ("Kernel or kind", true),
            ("Nodes", has_graph),
            ("Runs", has_trace),
            ("Total, µs", has_trace),
            ("Median, µs", has_trace),
            ("Share, %", has_trace),
        ];
        let shown = |index: usize| columns.get(index).is_some_and(|(_, is_shown)| *is_shown);
        let mut out = String::from("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Kernels\"><table class=\"sortable\">\n<thead><tr>");
        for (title, _) in columns.into_iter().filter(|(_, is_shown)| *is_shown) {
            let _ = write!(out, "<th scope=\"col\">{title}</th>");
        }
        out.push_str("</tr></thead>\n<tbody>\n");
        for (number, row) in rows {
            let total = total(row);
            row.durations.sort_unstable();
            let median = row.durations.get(row.durations.len() / 2).copied().unwrap_or(0);
            let cells = [
                row.nodes.to_string(),
                row.durations.len().to_string(),
                micros(total),
                micros(median),
                format!("{:.1}", if all == 0 { 0.0 } else { total as f64 * 100.0 / all as f64 }),
            ];
            let _ = write!(
                out,
                "<tr data-k=\"{number}\"><th scope=\"row\"><i class=\"k\" style=\"--h:{}\"></i>{}</th>",
                hue(number),
                escaped(&row.name)
            );
            for (_, cell) in cells.iter().enumerate().filter(|(index, _)| shown(index + 1)) {
                let _ = write!(out, "<td>{cell}</td>");
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody></table></div>\n");
        out
    }
}

/// Returns the hue of a kernel, in degrees: numbers that follow each other differ much.
pub(super) fn hue(kernel: usize) -> usize {
    (kernel * 137 + 210) % 360
}
