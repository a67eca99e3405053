//! Two traces compared: what took longer or shorter.

use std::collections::BTreeMap;

use crate::summary::{Summary, SummaryRow};
use crate::table::{self, micros};

/// Writes what differs between two traces, by sections, the largest difference of usual sums first.
pub fn text(one: &Summary, other: &Summary) -> String {
    let mut out = format!("duration: {} us, {} us\n\n", micros(one.duration_ns), micros(other.duration_ns));
    for ((title, rows), (_, other_rows)) in one.sections().into_iter().zip(other.sections()) {
        let mut pairs: BTreeMap<&str, [Option<&SummaryRow>; 2]> = BTreeMap::new();
        for (side, rows) in [rows, other_rows].into_iter().enumerate() {
            for row in rows {
                if let Some(of_side) = pairs.entry(&row.row.name).or_default().get_mut(side) {
                    *of_side = Some(row);
                }
            }
        }
        let mut pairs: Vec<_> = pairs.into_iter().collect();
        pairs.sort_by_key(|(_, [one, other])| std::cmp::Reverse(usual(*one).abs_diff(usual(*other))));
        let rows: Vec<_> = pairs.into_iter().map(|(name, [one, other])| cells(name, one, other)).collect();
        table::write(&mut out, &[title, "count", "", "median us", "", "usual us", "", "difference"], &rows);
    }
    out
}

fn usual(row: Option<&SummaryRow>) -> u64 {
    row.map_or(0, |row| row.usual_ns)
}

fn cells(name: &str, one: Option<&SummaryRow>, other: Option<&SummaryRow>) -> Vec<String> {
    let of_each = |tell: fn(&SummaryRow) -> String| [one, other].map(|row| row.map_or_else(|| "-".into(), tell));
    let (one, other) = (usual(one), usual(other));
    let sign = if other < one { "-" } else { "+" };
    [
        vec![name.to_owned()],
        of_each(|row| row.row.count.to_string()).to_vec(),
        of_each(|row| micros(row.row.median_ns)).to_vec(),
        of_each(|row| micros(row.usual_ns)).to_vec(),
        vec![format!("{sign}{}", micros(one.abs_diff(other)))],
    ]
    .concat()
}
