//! Tables of text.

use std::fmt::Write;

/// Writes a heading and rows in columns: the first one on the left, numbers on the right. Without rows it writes nothing.
pub(crate) fn write(out: &mut String, heading: &[&str], rows: &[Vec<String>]) {
    if rows.is_empty() {
        return;
    }
    let heading: Vec<String> = heading.iter().map(|text| (*text).to_owned()).collect();
    let width = |column: usize| {
        let texts = rows.iter().chain([&heading]).filter_map(|row| row.get(column));
        texts.map(|text| text.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heading.len()).map(width).collect();
    for row in [&heading].into_iter().chain(rows) {
        for (column, (text, width)) in row.iter().zip(&widths).enumerate() {
            // Writing to a text does not fail.
            let _ = match column {
                0 => write!(out, "{text:width$}"),
                _ => write!(out, "  {text:>width$}"),
            };
        }
        out.truncate(out.trim_end_matches(' ').len());
        out.push('\n');
    }
    out.push('\n');
}

/// Nanoseconds as microseconds, to the nanosecond.
pub(crate) fn micros(nanoseconds: u64) -> String {
    format!("{}.{:03}", nanoseconds / 1000, nanoseconds % 1000)
}
